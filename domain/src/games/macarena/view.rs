//! What one viewer may know.

use serde::Serialize;

use super::cards::{Card, Cards, Element, Elements};
use super::settlement::Settlement;
use crate::{BySeat, Seat, Seats};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Counted from 0.
    pub hand_number: u16,
    /// After so many hands the game ends.
    pub max_hands: u16,
    /// How many amulets win.
    pub goal: u8,
    /// Who started this hand.
    pub starter: Seat,
    pub stage: Stage,
    /// Whose turn it is, or who has to buy. `None` while elements are returned and when the game is over.
    pub turn: Option<Seat>,
    /// Who has still to choose the element to return.
    pub returning: Seats,
    pub wells: Vec<WellView>,
    /// How many cards the deck has.
    pub deck_size: u8,
    /// The deck, the next card first: only for those who see all.
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
    /// Those cards: only for those who see all.
    pub under: Option<Cards>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerView {
    pub hand_size: u8,
    /// Sorted. Only for its owner, and for those who see all.
    pub hand: Option<Cards>,
    /// The card that was drawn for the decision that is due, which is in the hand too. Only for its owner, and for
    /// those who see all.
    pub drawn: Option<Card>,
    pub collection_size: u8,
    /// Sorted. Only for its owner, and for those who see all.
    pub collection: Option<Cards>,
    pub macas_at_home: u8,
    pub elements: Elements,
    pub coins: u8,
    pub amulets: u8,
    /// What the player chose to return while others have still to choose. Only for the player, and for those who
    /// see all.
    pub chosen_return: Option<Element>,
}
