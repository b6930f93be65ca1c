//! How a game ended, the same for all kinds.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::small::small;
use crate::{BySeat, RuleId, Seat, Seats};

/// The cause of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rule of the kind that ended the game.
    Rule(RuleId),
    /// All seats but one resigned.
    Resignation,
    /// The game reached the ply limit, which no sensible game does.
    PlyLimit,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rule(rule) => f.write_str(rule.0),
            Ending::Resignation => f.write_str("RESIGNATION"),
            Ending::PlyLimit => f.write_str("PLY_LIMIT"),
        }
    }
}

impl Serialize for Ending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The end of a game. `D` is the score in the terms of the kind: points, stores, sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome<D> {
    pub ending: Ending,
    /// Empty for a draw and for the ply limit.
    pub winners: Seats,
    /// 1 is best, equals share: winners first, the rest by the kind's own score, the resigned last.
    pub places: BySeat<u8>,
    pub details: D,
}

/// The current ranking of the seats, and the score behind it, whether or not the game is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing<D> {
    pub places: BySeat<u8>,
    pub details: D,
}

impl<D> Standing<D> {
    /// The outcome of a game that ends with this standing.
    pub fn ended(self, rule: RuleId, winners: Seats) -> Outcome<D> {
        Outcome { ending: Ending::Rule(rule), winners, places: self.places, details: self.details }
    }
}

/// Places from a comparison in which `Less` is better: 1, 2, 2, 4.
pub fn places_by(seats: u8, mut better: impl FnMut(Seat, Seat) -> Ordering) -> BySeat<u8> {
    BySeat::each(seats, |seat| {
        1 + small(Seat::all(seats).filter(|other| better(*other, seat) == Ordering::Less).count())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place_and_the_next_place_is_left_out() {
        let points = [7, 9, 7, 3];
        let places = places_by(4, |a, b| points[b.index()].cmp(&points[a.index()]));
        assert_eq!(places, BySeat::from(vec![2, 1, 2, 4]));
    }
}
