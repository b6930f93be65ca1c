//! What bots know about Kalah. Their search is in `bot/kalah.rs`.

use super::{Kalah, Leftovers, Move};
use crate::bot::{Judgement, WIN, shares};
use crate::{BySeat, Chance, Nobody, Rules, Seat};

impl Judgement for Kalah {
    /// By the seeds in the stores and those that the rows promise, against those still in play.
    fn worth(&self) -> BySeat<u32> {
        if let Some(outcome) = self.outcome() {
            return shares(&outcome);
        }
        let in_play: u16 = Seat::all(2).map(|seat| self.seeds_in_row(seat)).sum();
        let lead = |seat: Seat| {
            let ahead = |of: Seat| 4 * i32::from(self.stores()[of.index()]) + self.prospects(of);
            ahead(seat) - ahead(seat.left(2))
        };
        let half = i32::try_from(WIN / 2).unwrap_or(0);
        BySeat::each(2, |seat| {
            let share = half + half * lead(seat) / (2 * i32::from(in_play) + 8);
            u32::try_from(share.clamp(half / 20, 2 * half - half / 20)).unwrap_or(0)
        })
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        let mut after = self.clone();
        after.make(seat, mv, &mut Chance::fast(0), &mut Nobody);
        let gained = u32::from(after.stores()[seat.index()] - self.stores()[seat.index()]);
        let again = if after.mover == seat { 150 } else { 0 };
        (100 + again + 60 * gained).min(1_000)
    }

    fn candidates(&self, seat: Seat, limit: usize, _chance: &mut Chance) -> Vec<Move> {
        self.legal_moves(seat).take(limit).collect()
    }

    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        self.any_move(seat, chance)
    }

    const PLAYOUT_PLIES: u32 = 4;
}

impl Kalah {
    /// Quarters of seeds that a row is likely to bring home.
    pub(crate) fn prospects(&self, seat: Seat) -> i32 {
        match self.leftovers {
            Leftovers::Stay => 0,
            Leftovers::Owner => i32::from(self.seeds_in_row(seat)),
        }
    }
}
