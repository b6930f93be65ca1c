//! The search of the bots of each kind, and the budgets of their levels.

use super::search::{self, Temper};
use super::{Judgement, Level, LevelAbout, kalah, strength};
use crate::games::kalah::Move;
use crate::games::rules::{Kalah, Macarena, Mahabharata, Mahola, Mara};
use crate::{Chance, Imagination};

/// The decisions of the bots of a kind.
pub trait Strategy: Judgement {
    /// The budget of a move for each level, the weakest first.
    const BUDGETS: [u32; 4];
    /// The unit of the budgets.
    const UNIT: &'static str = "iterations";
    /// How each level departs from the best move that it finds.
    const TEMPERS: [Temper; 4] = Temper::USUAL;
    /// The measured strength of the levels.
    const MEASURED: &'static [strength::Measured];

    /// The move of a bot that is to act. A function of what its seat knows, the level, the budget and `chance`.
    fn decide(imagination: &Imagination<Self>, level: Level, budget: u32, chance: &mut Chance) -> Self::Move {
        search::decide(imagination, budget, Self::TEMPERS[level.index()], chance)
    }
}

impl Strategy for Kalah {
    const BUDGETS: [u32; 4] = [30, 400, 6_000, 1_250_000];
    const MEASURED: &'static [strength::Measured] = strength::KALAH;
    const UNIT: &'static str = "nodes";

    fn decide(imagination: &Imagination<Kalah>, level: Level, budget: u32, chance: &mut Chance) -> Move {
        let (lapses, slack) = [(60, kalah::SEED), (20, kalah::SEED), (0, 0), (0, 0)][level.index()];
        kalah::decide(imagination, budget, kalah::Temper { lapses, slack }, chance)
    }
}

impl Strategy for Mahabharata {
    const BUDGETS: [u32; 4] = [15, 100, 500, 8_000];
    const MEASURED: &'static [strength::Measured] = strength::MAHABHARATA;
}

impl Strategy for Mahola {
    const BUDGETS: [u32; 4] = [30, 60, 300, 3_000];
    const TEMPERS: [Temper; 4] = {
        let [_, second, third, fourth] = Temper::USUAL;
        [Temper::FICKLE, second, third, fourth]
    };
    const MEASURED: &'static [strength::Measured] = strength::MAHOLA;
}

impl Strategy for Macarena {
    const BUDGETS: [u32; 4] = [20, 100, 400, 5_000];
    const MEASURED: &'static [strength::Measured] = strength::MACARENA;
}

impl Strategy for Mara {
    const BUDGETS: [u32; 4] = [10, 50, 250, 1_250];
    const MEASURED: &'static [strength::Measured] = strength::MARA;
}

/// The levels of a kind for the catalogue.
pub fn levels<R: Strategy>() -> Vec<LevelAbout> {
    let about = |level: Level| LevelAbout {
        level,
        name: level.name(),
        text: level.text(),
        budget: R::BUDGETS[level.index()],
        unit: R::UNIT,
        strength: strength::of(level, R::MEASURED),
    };
    Level::ALL.map(about).to_vec()
}
