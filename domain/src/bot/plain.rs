//! The judgement of kinds without one of their own: the ranking, and moves at random.

use super::judgement::{Judgement, WIN};
use super::shares::decided;
use crate::games::rules::Mahola;
use crate::{BySeat, Chance, Rules, Seat};

/// A seat's weight for its place: halved with every place further down.
fn by_places<R: Rules>(position: &R) -> BySeat<u32> {
    if let Some(outcome) = position.outcome() {
        return decided(outcome.places.seats(), outcome.winners);
    }
    let places = position.standing().places;
    let weights = places.map(|place| 256u32 >> (*place).min(8));
    let sum: u32 = weights.values().sum();
    weights.map(|weight| WIN * weight / sum.max(1))
}

/// All moves where they are few, and otherwise different ones at random.
fn some_moves<R: Rules>(position: &R, seat: Seat, limit: usize, chance: &mut Chance) -> Vec<R::Move> {
    let mut moves: Vec<R::Move> = position.legal_moves(seat).take(limit + 1).collect();
    if moves.len() <= limit {
        return moves;
    }
    moves.clear();
    for _ in 0..2 * limit {
        let mv = position.any_move(seat, chance);
        if !moves.contains(&mv) && moves.len() < limit {
            moves.push(mv);
        }
    }
    moves
}

macro_rules! plain {
    ($($Kind:ident)*) => {
        $(impl Judgement for $Kind {
            fn worth(&self) -> BySeat<u32> {
                by_places(self)
            }

            fn promise(&self, _seat: Seat, _mv: &Self::Move) -> u32 {
                100
            }

            fn candidates(&self, seat: Seat, limit: usize, chance: &mut Chance) -> Vec<Self::Move> {
                some_moves(self, seat, limit, chance)
            }

            fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Self::Move {
                self.any_move(seat, chance)
            }

            const PLAYOUT_PLIES: u32 = 30;
        })*
    };
}

plain! { Mahola }
