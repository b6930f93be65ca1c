//! The events that everybody at the table sees.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::among;
use super::cards::{Card, Element};
use super::series::Laid;
use super::settlement::{Award, Exchange, Gift, HandEnd, Shown};
use crate::{Seat, Seats};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// mac.1: the cards of another hand were dealt.
    HandBegan { hand_number: u16, starter: Seat, wells: Vec<Card> },
    /// mac.3: a card was drawn from the deck; only its drawer knows which.
    Drew { seat: Seat },
    /// mac.8, mac.9: a series was played. `collected` went to the player's collection, `covered` under the well's new
    /// top; it is `None` for a mirror alone, which leaves the well as it was.
    Played {
        seat: Seat,
        well: u8,
        cards: Vec<Card>,
        mirror: bool,
        top: Card,
        covered: Option<Card>,
        collected: Vec<Card>,
    },
    /// mac.10: a maca came to a well, from home or from another well.
    MacaPlaced { seat: Seat, well: u8, from: Option<u8> },
    /// mac.11.
    MirrorTurnWon { seat: Seat },
    /// mac.11: a mirror turn was not used.
    Declined { seat: Seat },
    /// mac.13: this many macas came home.
    Passed { seat: Seat, macas: u8 },
    /// mac.14: the player has a maca at each well.
    SevenWells { seat: Seat },
    /// mac.15.
    HandEnded { hand_number: u16, end: HandEnd },
    /// mac.16: a player has chosen an element to return. It stays secret until all have chosen.
    ReturnChosen { seat: Seat },
    /// mac.16: what was returned.
    Returned { seat: Seat, gift: Gift },
    /// mac.17.
    Showed { shown: Shown },
    /// mac.17 to mac.21: an award was paid. The exchanges that it causes follow as separate events.
    Awarded { award: Award },
    /// mac.22: four coins for an element.
    Bought { seat: Seat, element: Element },
    /// mac.22: four elements for an amulet.
    AmuletMade { seat: Seat },
    /// mac.23: the game is over.
    Ended { winners: Seats },
}

impl Event {
    pub(super) fn exchanged(seat: Seat, exchange: Exchange) -> Event {
        match exchange {
            Exchange::Bought { element } => Event::Bought { seat, element },
            Exchange::Amulet => Event::AmuletMade { seat },
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::HandBegan { hand_number, starter, wells } => {
                write!(f, "Hand {hand_number} began with seat {starter} and the wells {}.", Laid(wells))
            }
            Event::Drew { seat } => write!(f, "Seat {seat} drew a card."),
            Event::Played { seat, well, cards, mirror, collected, .. } => {
                let mirror = if *mirror { ", a mirror" } else { "" };
                write!(f, "Seat {seat} played {} on well {well}{mirror}", Laid(cards))?;
                match collected[..] {
                    [] => f.write_str("."),
                    _ => write!(f, ", and collected {}.", Laid(collected)),
                }
            }
            Event::MacaPlaced { seat, well, from: None } => write!(f, "Seat {seat} placed a maca at well {well}."),
            Event::MacaPlaced { seat, well, from: Some(from) } if from == well => {
                write!(f, "All macas of seat {seat} stay at well {well}.")
            }
            Event::MacaPlaced { seat, well, from: Some(from) } => {
                write!(f, "Seat {seat} moved a maca from well {from} to well {well}.")
            }
            Event::MirrorTurnWon { seat } => write!(f, "Seat {seat} won a mirror turn."),
            Event::Declined { seat } => write!(f, "Seat {seat} declined the mirror turn."),
            Event::Passed { seat, macas: 0 } => write!(f, "Seat {seat} passed."),
            Event::Passed { seat, macas: 1 } => write!(f, "Seat {seat} passed, and its maca came home."),
            Event::Passed { seat, macas } => write!(f, "Seat {seat} passed, and its {macas} macas came home."),
            Event::SevenWells { seat } => write!(f, "Seat {seat} has a maca at each of the seven wells."),
            Event::HandEnded { hand_number, end: HandEnd::EmptyHand { seat } } => {
                write!(f, "Hand {hand_number} ended: seat {seat} has no card left.")
            }
            Event::HandEnded { hand_number, end: HandEnd::EmptyDeck } => {
                write!(f, "Hand {hand_number} ended: the deck is empty.")
            }
            Event::ReturnChosen { seat } => write!(f, "Seat {seat} has chosen an element to return."),
            Event::Returned { seat, gift } => write!(f, "Seat {seat} returned {gift}."),
            Event::Showed { .. } => f.write_str("Hands and collections were shown."),
            Event::Awarded { award } => award.fmt(f),
            Event::Bought { seat, element } => write!(f, "Seat {seat} bought {element} with four coins."),
            Event::AmuletMade { seat } => write!(f, "Seat {seat} exchanged four elements for an amulet."),
            Event::Ended { winners } => match winners.len() {
                1 => write!(f, "The game is over: {} has won.", among(*winners)),
                _ => write!(f, "The game is over: {} have won.", among(*winners)),
            },
        }
    }
}
