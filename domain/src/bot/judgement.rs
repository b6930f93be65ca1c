//! The knowledge of bots about a kind beyond its rules.

use crate::{BySeat, Chance, Rules, Seat};

/// A whole win, in the unit of [`Judgement::worth`].
pub const WIN: u32 = 10_000;

/// The knowledge of bots about a kind beyond its rules. Every method sees an imagined world, never the game itself.
pub trait Judgement: Rules {
    /// For each seat the share of the win that it can expect from here, in 1/10,000: an estimate while the game goes on,
    /// exact when it is over (a sole winner gets 10,000, k winners 10,000/k each, a draw 10,000/seats).
    fn worth(&self) -> BySeat<u32>;
    /// How promising a legal move looks before any search, from 0 (foolish) to 1,000 (obvious); 100 is ordinary.
    fn promise(&self, seat: Seat, mv: &Self::Move) -> u32;
    /// At most `limit` different legal moves worth considering, best first or in a stable order; all of them where they
    /// are few. Depends only on what the seat knows and on `chance`.
    fn candidates(&self, seat: Seat, limit: usize, chance: &mut Chance) -> Vec<Self::Move>;
    /// A move for a playout: quick, sensible, with some chance in it.
    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Self::Move;
    /// How many plies a playout continues before `worth` judges the position.
    const PLAYOUT_PLIES: u32;
}
