//! The events that everybody at the table sees.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Face, Name, Reason, Token};
use crate::{BySeat, Seat, Seats};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A die was taken and its token put behind the screen.
    Screened { seat: Seat, die: u8, token: Token },
    /// A die was taken and a token placed on a leader.
    Placed { seat: Seat, die: u8, face: Face, token: Token, leader: u8, name: Name, space: u8 },
    /// None of the dice left could be placed: the pick was skipped.
    Skipped { seat: Seat },
    /// These seats are asked about their Pati: those with a complete one, or all with the option askEveryone.
    Asked { seats: Seats },
    /// A seat has answered; its answer is still secret.
    Answered { seat: Seat },
    /// All seats that were asked have answered. Only version 1 of the rules names those that held a Pati back.
    AnswersShown {
        revealed: Seats,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<Seats>,
    },
    /// The elephant moved on and the dice were rolled.
    RoundBegan { seat: Seat, round: u16, dice: Vec<Face> },
    /// The game is over.
    Ended { reason: Reason, points: BySeat<u8> },
}

/// 'seat 1', 'seats 0, 2'.
struct Named(Seats);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(|seat| seat.to_string()).collect();
        let seats = if numbers.len() == 1 { "seat" } else { "seats" };
        write!(f, "{seats} {}", numbers.join(", "))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Screened { seat, die, token } => {
                write!(f, "Seat {seat} took die {die} and put {token} behind its screen.")
            }
            Event::Placed { seat, die, face: Face::Raja, token, leader, name, space } => {
                write!(
                    f,
                    "Seat {seat} took die {die}, a Raja, and put {token} on space {space} of leader {leader}, {name}."
                )
            }
            Event::Placed { seat, die, token, leader, name, space, .. } => {
                write!(f, "Seat {seat} took die {die} and put {token} on space {space} of leader {leader}, {name}.")
            }
            Event::Skipped { seat } => {
                write!(f, "Seat {seat} cannot place any of the dice left, so its pick is skipped.")
            }
            Event::Asked { seats } => {
                write!(f, "All picks are made: {} may reveal a complete Pati or hold it back.", Named(*seats))
            }
            Event::Answered { seat } => write!(f, "Seat {seat} has answered."),
            Event::AnswersShown { revealed, held } => {
                match (revealed.is_empty(), held.filter(|held| !held.is_empty())) {
                    (true, None) => f.write_str("No Pati is revealed."),
                    (true, Some(held)) => write!(f, "No Pati is revealed. Held back by {}.", Named(held)),
                    (false, None) => write!(f, "A Pati is revealed by {}.", Named(*revealed)),
                    (false, Some(held)) => {
                        write!(f, "A Pati is revealed by {}, held back by {}.", Named(*revealed), Named(held))
                    }
                }
            }
            Event::RoundBegan { seat, round, dice } => {
                let faces: Vec<String> = dice.iter().map(Face::to_string).collect();
                write!(f, "Round {round}: seat {seat} has the elephant and rolled {}.", faces.join(", "))
            }
            Event::Ended { reason, points } => {
                let why = match reason {
                    Reason::LeadersFilled => "every leader space is filled",
                    Reason::LeadersClosed => "nobody has a token left for any of the empty leader spaces",
                    Reason::PatiRevealed => "a Pati is revealed",
                    Reason::DeadEnd => "nobody could place a token",
                };
                let points: Vec<String> = points.values().map(u8::to_string).collect();
                write!(f, "The game is over: {why}. Points by seat: {}.", points.join(", "))
            }
        }
    }
}
