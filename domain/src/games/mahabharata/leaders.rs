//! The leaders in play and the tokens on them.

use serde::{Deserialize, Serialize};

use super::tables::Table;
use super::tokens::Tokens;
use super::{Leader, LeaderCard, LeaderView, SpaceView, Unit};
use crate::Seat;

/// The points of all leaders in play together.
pub const ALL_POINTS: u8 = 18;
/// How many leaders are revealed at once.
const FIRST_LEADERS: usize = 4;

/// A leader in play, with the tokens on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InPlay {
    pub leader: Leader,
    pub spaces: Vec<Space>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    pub unit: Unit,
    /// The owner of the tokens here, if there are any.
    pub owner: Option<Seat>,
    pub stack: Tokens,
}

/// mbh.1: the leaders in play, and those revealed and set aside, when they come in this order.
pub fn reveal_leaders(order: &[Leader], tables: &Table) -> (Vec<Leader>, Vec<Leader>) {
    // A set is a number with a bit for each leader, the first revealed in the highest: of two sets equally large
    // the greater number has the earlier leaders.
    let keeps = |set: u32, revealed: usize, place: usize| set & (1 << (revealed - 1 - place)) != 0;
    let points = |set: u32, revealed: usize| -> u8 {
        let kept = (0..revealed).filter(|place| keeps(set, revealed, *place));
        kept.map(|place| tables.leader(order[place]).points).sum()
    };
    let fitting = |revealed: usize| {
        let sets = (0..1u32 << revealed).filter(|set| points(*set, revealed) == ALL_POINTS);
        sets.max_by_key(|set| (set.count_ones(), *set)).map(|set| (set, revealed))
    };
    let (set, revealed) =
        (FIRST_LEADERS..=order.len()).find_map(fitting).expect("among all leaders some have 18 points together");
    let (kept, discarded): (Vec<usize>, Vec<usize>) = (0..revealed).partition(|place| keeps(set, revealed, *place));
    let named = |places: Vec<usize>| places.into_iter().map(|place| order[place]).collect();
    (named(kept), named(discarded))
}

impl InPlay {
    pub fn new(leader: Leader, tables: &Table) -> InPlay {
        let empty = |unit: &Unit| Space { unit: *unit, owner: None, stack: Tokens::default() };
        InPlay { leader, spaces: tables.leader(leader).spaces.iter().map(empty).collect() }
    }

    pub fn influence(&self, seat: Seat) -> u8 {
        self.spaces.iter().filter(|space| space.owner == Some(seat)).map(|space| space.stack.len()).sum()
    }

    pub fn view(&self, tables: &Table) -> LeaderView {
        let spaces = self.spaces.iter().map(|Space { unit, owner, stack }| SpaceView {
            unit: *unit,
            owner: *owner,
            stack: stack.sorted(),
        });
        let LeaderCard { points, .. } = tables.leader(self.leader);
        LeaderView { leader: tables.name(self.leader), points: *points, spaces: spaces.collect() }
    }
}

impl Space {
    /// mbh.6
    pub fn is_open_to(&self, seat: Seat) -> bool {
        self.owner.is_none_or(|owner| owner == seat)
    }
}
