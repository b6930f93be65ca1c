//! The table as one viewer may know it.

use serde::Serialize;

use super::cards::{Card, Cards, Element, Elements};
use super::settlement::Settlement;
use crate::{BySeat, Seat, Seats};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Counted from 0.
    pub hand_number: u16,
    /// The game ends after this many hands.
    pub max_hands: u16,
    /// The number of amulets that wins.
    pub goal: u8,
    /// The seat that started this hand.
    pub starter: Seat,
    pub stage: Stage,
    /// The seat whose turn it is, or that has to buy. `None` while elements are returned and when the game is over.
    pub turn: Option<Seat>,
    /// The seats that still have to choose an element to return.
    pub returning: Seats,
    pub wells: Vec<WellView>,
    /// How many cards the deck has.
    pub deck_size: u8,
    /// The deck, the next card first: only for open views.
    pub deck: Option<Vec<Card>>,
    pub players: BySeat<PlayerView>,
    /// The settlement of the last hand that ended, or of the one that is being settled.
    pub settlement: Option<Settlement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Stage {
    /// mac.3.
    NormalTurn,
    /// mac.11.
    MirrorTurn,
    /// mac.16.
    Returning,
    /// mac.22.
    Buying,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WellView {
    pub top: Card,
    /// How many macas each player has here.
    pub macas: BySeat<u8>,
    /// How many cards lie under the top.
    pub under_size: u8,
    /// Those cards: only for open views.
    pub under: Option<Cards>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerView {
    pub hand_size: u8,
    /// Sorted. Only for its owner and in open views.
    pub hand: Option<Cards>,
    /// The card drawn for the current turn, which is also in the hand. Only for its owner and in open views.
    pub drawn: Option<Card>,
    pub collection_size: u8,
    /// Sorted. Only for its owner and in open views.
    pub collection: Option<Cards>,
    pub macas_at_home: u8,
    pub elements: Elements,
    pub coins: u8,
    pub amulets: u8,
    /// The element that the player chose to return, while others still have to choose. Only for the player and in open
    /// views.
    pub chosen_return: Option<Element>,
}
