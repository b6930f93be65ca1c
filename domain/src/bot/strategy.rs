//! Which search the bots of each kind use, and how much they may compute.

use super::search::{self, Temper};
use super::{Judgement, Level, LevelAbout, kalah};
use crate::games::kalah::Move;
use crate::games::rules::{Kalah, Macarena, Mahabharata, Mahola, Mara};
use crate::{Chance, Imagination};

/// How the bots of a kind decide.
pub trait Strategy: Judgement {
    /// How much a bot of each level may compute for a move, the weakest first.
    const BUDGETS: [u32; 4];
    /// What the budgets count.
    const UNIT: &'static str = "iterations";

    /// The move of a bot that is to act. A function of what its seat knows, the level, the budget and `chance`.
    fn decide(imagination: &Imagination<Self>, level: Level, budget: u32, chance: &mut Chance) -> Self::Move {
        search::decide(imagination, budget, Temper::of(level), chance)
    }
}

impl Strategy for Kalah {
    const BUDGETS: [u32; 4] = [30, 400, 6_000, 1_000_000];
    const UNIT: &'static str = "nodes";

    fn decide(imagination: &Imagination<Kalah>, level: Level, budget: u32, chance: &mut Chance) -> Move {
        let (lapses, slack) = [(60, kalah::SEED), (20, kalah::SEED), (0, 0), (0, 0)][level.index()];
        kalah::decide(imagination, budget, kalah::Temper { lapses, slack }, chance)
    }
}

impl Strategy for Mahabharata {
    const BUDGETS: [u32; 4] = [30, 150, 1_000, 6_000];
}

impl Strategy for Mahola {
    const BUDGETS: [u32; 4] = [40, 200, 1_000, 5_000];
}

impl Strategy for Macarena {
    const BUDGETS: [u32; 4] = [40, 200, 1_000, 8_000];
}

impl Strategy for Mara {
    const BUDGETS: [u32; 4] = [30, 120, 500, 2_000];
}

/// The levels of a kind for the catalogue.
pub fn levels<R: Strategy>() -> Vec<LevelAbout> {
    let about = |level: Level| LevelAbout {
        level,
        name: level.name(),
        text: level.text(),
        budget: R::BUDGETS[level.index()],
        unit: R::UNIT,
    };
    Level::ALL.map(about).to_vec()
}
