//! The events that everybody at the table sees.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::End;
use super::board::{Cell, Place};
use super::tourists::{Tourist, Tourists};
use crate::{BySeat, Seat};

/// Nothing in an event is secret: no animal that was only peeked at, no card that went under the deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A jeep was put at its first lodge.
    Placed {
        seat: Seat,
        lodge: Place,
    },
    /// A whole meet.
    Met {
        seat: Seat,
        lodge: Place,
        /// Dropped off with their photo: turned face down and kept.
        brought_home: Tourists,
        /// Dropped off without a photo: they wait at this lodge now.
        left: Tourists,
        picked_up: Tourists,
    },
    /// A jeep moved.
    Drove {
        seat: Seat,
        from: Place,
        to: Place,
        /// Whether a track was laid on the path that the jeep left.
        track_laid: bool,
        /// The path from which that track was taken up, if the seat had none left.
        taken_up: Option<Place>,
    },
    /// A seat peeked at tiles. Only that seat knows what it saw.
    Peeked {
        seat: Seat,
        path: Place,
        tiles: Vec<Cell>,
    },
    /// A tile was turned face up permanently.
    Photographed {
        seat: Seat,
        tile: Cell,
        tourist: Tourist,
    },
    /// A seat drew from the deck (family variant). Only that seat knows the cards.
    Drew {
        seat: Seat,
        cards: u8,
    },
    /// The tourist that a seat kept lies face up now (family variant).
    Kept {
        seat: Seat,
        tourist: Tourist,
    },
    TurnEnded {
        seat: Seat,
    },
    /// The game is over.
    Ended {
        end: End,
        points: BySeat<u32>,
    },
}

/// 'the river bird and the grove bird'.
pub(super) fn list(tourists: Tourists) -> String {
    let words: Vec<String> = tourists.iter().map(|tourist| format!("the {}", tourist.words())).collect();
    match words.split_last() {
        None => "nobody".into(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Placed { seat, lodge } => write!(f, "Seat {seat} placed its jeep at {lodge}."),
            Event::Met { seat, lodge, brought_home, left, picked_up } => {
                let deeds = [("brought home", brought_home), ("left", left), ("picked up", picked_up)];
                let done = deeds.iter().filter(|(_, tourists)| !tourists.is_empty());
                let done: Vec<String> = done.map(|(did, tourists)| format!("{did} {}", list(**tourists))).collect();
                write!(f, "At {lodge}, seat {seat} {}.", done.join("; "))
            }
            Event::Drove { seat, from, to, track_laid, taken_up } => {
                write!(f, "Seat {seat} drove from {from} to {to}")?;
                match taken_up {
                    Some(path) => write!(f, ", moving its track from {path} to {from}."),
                    None if *track_laid => write!(f, ", leaving a track."),
                    None => write!(f, "."),
                }
            }
            Event::Peeked { seat, path, tiles } => {
                let tiles: Vec<String> = tiles.iter().map(Cell::to_string).collect();
                write!(f, "Seat {seat} peeked from {path} at {}.", tiles.join(" and "))
            }
            Event::Photographed { seat, tile, tourist } => {
                write!(f, "Seat {seat} photographed the {} at {tile}.", tourist.words())
            }
            Event::Drew { seat, cards: 1 } => write!(f, "Seat {seat} drew the last card."),
            Event::Drew { seat, cards } => write!(f, "Seat {seat} drew {cards} cards."),
            Event::Kept { seat, tourist } => write!(f, "Seat {seat} kept the {}.", tourist.words()),
            Event::TurnEnded { seat } => write!(f, "Seat {seat} ended its turn."),
            Event::Ended { end, points } => {
                let points: Vec<String> = points.values().map(u32::to_string).collect();
                write!(f, "{} The game is over: {}.", end.text(), points.join(" to "))
            }
        }
    }
}
