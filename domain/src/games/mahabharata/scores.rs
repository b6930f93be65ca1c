//! Points and the winner.

use serde::Serialize;

use super::{Name, Reason};
use crate::{BySeat, Seat, Seats};

/// The points of a complete Pati.
pub const PATI_POINTS: u8 = 7;

/// The score, explained, as if the game were scored now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The cause of the end; `None` if the rules that all kinds share ended the game.
    pub reason: Option<Reason>,
    /// The seats that revealed their Pati.
    pub revealed: Seats,
    /// By leader, in the order of revealing.
    pub leaders: Vec<LeaderScore>,
    pub scores: BySeat<Score>,
    pub verdict: Verdict,
    /// The seats that tie for most points, and so do not win.
    pub tied: Seats,
    /// The seat that wins by points; `None` for a draw.
    pub winner: Option<Seat>,
}

/// mbh.11: one leader's points and how they were won or lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaderScore {
    #[serde(serialize_with = "Name::serialize_plain")]
    pub leader: Name,
    pub points: u8,
    /// How many tokens each seat has on the leader.
    pub influence: BySeat<u8>,
    /// The seats whose tie for most cost them the points.
    pub tied_for_most: Seats,
    /// The seats that would have got the points instead, but tied too.
    pub tied_for_next: Seats,
    /// The seat that got the points, or `None`.
    pub taker: Option<Seat>,
}

/// One seat's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    /// From leaders.
    pub leaders: u8,
    /// From a complete Pati.
    pub pati: u8,
    pub points: u8,
}

/// mbh.12: how the points decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// One seat has most points and wins.
    MostPoints,
    /// The seats with the most points tie: the seat alone behind them wins.
    SecondPlace,
    /// The seats with the most points tie, and none is alone behind them.
    Draw,
}

/// The seats with the most of something, and those with the next most. Either may be empty.
fn first_two(amounts: &BySeat<u8>) -> [Seats; 2] {
    let with = |amount: Option<u8>| -> Seats {
        amounts.iter().filter(|(_, has)| Some(**has) == amount).map(|(seat, _)| seat).collect()
    };
    let most = amounts.values().max().copied();
    let next = amounts.values().filter(|has| Some(**has) < most).max().copied();
    [with(most), with(next)]
}

/// The only seat of a set of one.
fn alone(seats: Seats) -> Option<Seat> {
    seats.first().filter(|_| seats.len() == 1)
}

impl LeaderScore {
    /// mbh.11
    pub fn new(leader: Name, points: u8, influence: BySeat<u8>) -> LeaderScore {
        let [most, next] =
            first_two(&influence).map(|seats| seats.iter().filter(|seat| influence[*seat] > 0).collect::<Seats>());
        let (tied_for_most, tied_for_next, taker) = match (alone(most), alone(next)) {
            (Some(seat), _) => (Seats::NONE, Seats::NONE, Some(seat)),
            (None, Some(seat)) => (most, Seats::NONE, Some(seat)),
            (None, None) => (most, next, None),
        };
        LeaderScore { leader, points, influence, tied_for_most, tied_for_next, taker }
    }
}

impl Verdict {
    /// mbh.12: how these points decide, who ties for most, and who wins.
    pub fn of(points: &BySeat<u8>) -> (Verdict, Seats, Option<Seat>) {
        let [most, next] = first_two(points);
        match (alone(most), alone(next)) {
            (Some(seat), _) => (Verdict::MostPoints, Seats::NONE, Some(seat)),
            (None, Some(seat)) => (Verdict::SecondPlace, most, Some(seat)),
            (None, None) => (Verdict::Draw, most, None),
        }
    }
}
