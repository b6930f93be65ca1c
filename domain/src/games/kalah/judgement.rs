//! The knowledge of bots about Kalah. Their search is in `bot/kalah.rs`.

use super::{Kalah, Leftovers, Move};
use crate::bot::shares::decided;
use crate::bot::{Judgement, WIN};
use crate::{BySeat, Chance, Nobody, Rules, Seat};

impl Judgement for Kalah {
    /// By the seeds in the stores and those that the rows promise, against those still in play.
    fn worth(&self) -> BySeat<u32> {
        if let Some(outcome) = self.outcome() {
            return decided(outcome.places.seats(), outcome.winners);
        }
        let in_play: u16 = Seat::all(2).map(|seat| self.seeds_in_row(seat)).sum();
        let half = WIN.cast_signed() / 2;
        BySeat::each(2, |seat| {
            let expected = if seat == self.mover { self.estimate() } else { -self.estimate() };
            let lead = 8 * self.lead(seat) + expected;
            let share = half + half * lead / (4 * i32::from(in_play) + 16);
            share.clamp(half / 20, 2 * half - half / 20).cast_unsigned()
        })
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        let mut after = self.clone();
        after.make(seat, mv, &mut Chance::fast(0), &mut Nobody);
        let gained = (after.lead(seat) - self.lead(seat)).max(0).cast_unsigned();
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
    pub(crate) fn mover(&self) -> Seat {
        self.mover
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// The mover's row, then the other.
    pub(crate) fn rows(&self) -> [&[u16]; 2] {
        [self.row(self.mover), self.row(self.mover.left(2))]
    }

    /// How many more seeds the seat's store holds than the other.
    pub(crate) fn lead(&self, seat: Seat) -> i32 {
        let store = |seat: Seat| i32::from(self.board[self.store(seat)]);
        store(seat) - store(seat.left(2))
    }

    /// How much more the mover is likely to bring home than the other, in eighths of a seed: by the seeds in the rows,
    /// the pockets to choose from, and what the mover can do at once. The weights are those of the best of several
    /// estimates that were played against each other.
    pub(crate) fn estimate(&self) -> i32 {
        const POCKET: i32 = 2;
        const TO_MOVE: i32 = 4;
        const MOVES_AGAIN: i32 = 6;
        const CAPTURED: i32 = 6;
        let [own, other] = self.rows();
        let seeds = |row: &[u16]| i32::from(row.iter().sum::<u16>());
        let pockets = |row: &[u16]| row.iter().map(|seeds| i32::from(*seeds > 0)).sum::<i32>();
        let (mut again, mut captured) = (0, 0);
        for (pocket, seeds) in own.iter().enumerate().filter(|(_, seeds)| **seeds > 0) {
            let last = pocket + usize::from(*seeds);
            match own.get(last) {
                None => again += i32::from(last == own.len()),
                Some(0) => captured = captured.max(i32::from(other[own.len() - 1 - last])),
                Some(_) => {}
            }
        }
        // The seed that captures goes to the store, too.
        captured += i32::from(captured > 0);
        (seeds(own) - seeds(other)) * self.weight_of_a_row()
            + POCKET * (pockets(own) - pockets(other))
            + TO_MOVE
            + MOVES_AGAIN * again
            + CAPTURED * captured
    }

    /// The worth of a seed in one's own row, in eighths of a seed. If it is kept at the end it is worth more.
    fn weight_of_a_row(&self) -> i32 {
        match self.leftovers {
            Leftovers::Stay => 1,
            Leftovers::Owner => 3,
        }
    }
}
