//! Bots: they sit in any seat of any kind, know no more than their seat may, and choose the same move on every machine.
//!
//! A move is a function of what the seat knows, the level, [`VERSION`] and the game's seeds. [`Imagination`] is all that
//! a bot sees of a game. It thinks in integers, without a clock and without threads; budgets are counted in iterations
//! or nodes. `search.rs` plays every kind by [`Judgement`]; `kalah.rs` plays Kalah, where nothing is hidden, by looking
//! at every line of play.

#[cfg(test)]
mod honesty;
mod judgement;
mod kalah;
mod level;
mod math;
mod search;
pub(crate) mod shares;
mod sight;
mod strategy;
mod strength;

use crate::any::{AnyGame, AnyMove, Kind};
use crate::{Entropy, Game, Imagination, Seat};

pub use judgement::{Judgement, WIN};
pub use level::Level;
pub use strategy::Strategy;
pub use strength::Strength;

/// The version of the bots' program. A change that could choose another move anywhere raises it.
pub const VERSION: u32 = 3;

/// A level of one kind, for the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelAbout {
    pub level: Level,
    pub name: &'static str,
    /// One sentence about how it plays.
    pub text: &'static str,
    /// The budget of a move.
    pub budget: u32,
    /// The unit of the budget: `iterations` or `nodes`.
    pub unit: &'static str,
    /// Its results against the level below it and against random moves, at tables with the fewest and the most seats.
    /// Pairings that were not measured are left out.
    pub strength: Vec<Strength>,
}

impl<R: Strategy> Game<R> {
    /// The move that the bot of this level makes for the seat. `None` if the seat is not to act.
    ///
    /// The ply of the bot's stream is the one that its move leads to if it is the next. Moves that others make in secret
    /// raise it, but everybody sees that they were made.
    pub fn bot_move(&self, seat: Seat, level: Level, entropy: &Entropy) -> Option<R::Move> {
        self.bot_move_within(seat, level, R::BUDGETS[level.index()], entropy)
    }

    /// As [`Game::bot_move`], with another budget than the level's.
    pub fn bot_move_within(&self, seat: Seat, level: Level, budget: u32, entropy: &Entropy) -> Option<R::Move> {
        let mut chance = entropy.bot(seat, self.ply() + 1);
        let imagination = Imagination::of(self, seat, &mut chance)?;
        Some(R::decide(&imagination, level, budget, &mut chance))
    }
}

macro_rules! bots {
    ($($Kind:ident)*) => {
        impl Kind {
            /// The levels of this kind's bots, the weakest first.
            pub fn bot_levels(self) -> Vec<LevelAbout> {
                match self { $(Kind::$Kind => strategy::levels::<crate::games::rules::$Kind>(),)* }
            }
        }

        impl AnyGame {
            /// The move that the bot of this level makes for the seat. `None` if the seat is not to act.
            pub fn bot_move(&self, seat: Seat, level: Level, entropy: &Entropy) -> Option<AnyMove> {
                match self {
                    $(AnyGame::$Kind(game) => game.bot_move(seat, level, entropy).map(AnyMove::$Kind),)*
                }
            }

            /// As [`AnyGame::bot_move`], with another budget than the level's.
            pub fn bot_move_within(&self, seat: Seat, level: Level, budget: u32, entropy: &Entropy) -> Option<AnyMove> {
                match self {
                    $(AnyGame::$Kind(game) => {
                        game.bot_move_within(seat, level, budget, entropy).map(AnyMove::$Kind)
                    })*
                }
            }
        }
    };
}

bots! { Kalah Mahabharata Mahola Macarena Mara }

#[cfg(test)]
mod tests {
    use serde_json::to_value;

    use super::*;
    use crate::games::kalah::{Move, Options};
    use crate::games::rules::Kalah;
    use crate::{Act, Bot, Bots, Derived, Entry, Record, Rules, Seats, Seed};

    fn entropy(of: u8) -> Entropy {
        Entropy::new(Seed::new([of; 32]), [])
    }

    #[test]
    fn bots_play_in_every_seat_of_every_kind() {
        for kind in Kind::ALL {
            for seats in kind.seats() {
                let entropy = entropy(seats);
                let mut game = AnyGame::start(&kind.default_options(), seats, kind.rules_version(), &entropy)
                    .expect("the default options are good");
                let mut moves = 0;
                while let Some(seat) = game.to_act().first()
                    && moves < 400
                {
                    let mv = game.bot_move(seat, Level::ALL[0], &entropy).expect("the seat is to act");
                    game.play(seat, &mv, &entropy).expect("bots make legal moves");
                    moves += 1;
                }
                let waiting = Seat::all(seats).filter(|seat| !game.to_act().contains(*seat));
                assert!({ waiting }.all(|seat| game.bot_move(seat, Level::ALL[0], &entropy).is_none()));
            }
        }
    }

    #[test]
    fn a_move_is_the_same_whenever_it_is_derived_and_other_seeds_may_choose_others() {
        for kind in Kind::ALL {
            let seats = *kind.seats().start();
            let game = AnyGame::start(&kind.default_options(), seats, kind.rules_version(), &entropy(1))
                .expect("the default options are good");
            let seat = game.to_act().first().expect("a game begins with a decision");
            let again = kind.default_options().load_game(game.rules_version(), &game.save()).expect("it was saved");
            for level in Level::ALL {
                let mv = game.bot_move(seat, level, &entropy(1));
                assert!(mv.is_some());
                assert_eq!(mv, again.bot_move(seat, level, &entropy(1)), "{kind} {level:?}");
            }
        }
    }

    /// The record of a game of Kalah against a bot of level 1, whose moves this function chooses, if legal.
    fn recorded(version: u32, choose: impl Fn(Move, &[Move]) -> Move) -> Record {
        let (level, own) = (Level::ALL[0], Seat::new(1));
        let bot = Bot { level: level.number().into(), version };
        let seed = Seed::new([7; 32]);
        let entropy = Entropy::new(seed.clone(), [&[][..], &[]]);
        let game = Game::<Kalah>::start(&Options::default(), 2, 1, &entropy).expect("the options are good");
        let mut game = game.with_bots(Bots { seats: Seats::one(own), stand_in: false });
        let mut entries = Vec::new();
        while let Some(seat) = game.to_act().first() {
            let moves = game.rules().legal_moves(seat).collect::<Vec<_>>();
            let act = if seat == own {
                let mv = choose(game.bot_move(seat, level, &entropy).expect("it is to act"), &moves);
                game.play_bot(seat, &mv, bot, &entropy).expect("the move is legal");
                Act::Bot(mv, bot)
            } else {
                game.play(seat, &moves[0], &entropy).expect("the move is legal");
                Act::Moved(moves[0])
            };
            entries.push(Entry::of(seat, &act));
        }
        let outcome = game.outcome().map(|outcome| to_value(outcome).expect("an outcome is plain data"));
        let record = Record {
            format: Record::FORMAT,
            game_id: Some("game_with_a_bot".into()),
            kind: Kind::Kalah,
            rules_version: 1,
            options: to_value(Options::default()).expect("options are plain data"),
            seats: 2,
            commitment: Some(seed.commitment("game_with_a_bot")),
            seed,
            client_seeds: vec![None, None],
            bots: vec![None, Some(bot.level)],
            stand_in: None,
            origin: None,
            moves: Vec::new(),
            entries,
            outcome,
            hash: None,
        };
        record.sealed()
    }

    #[test]
    fn the_moves_of_a_bot_are_derived_from_its_record_again() {
        let record = recorded(VERSION, |chosen, _| chosen);
        let of_bot = record.entries.iter().filter(|entry| entry.bot.is_some()).count();
        assert!(of_bot > 3);
        let (_, derived) = record.verify_bots().expect("all is as it was");
        assert_eq!(derived, Derived { confirmed: u32::try_from(of_bot).unwrap(), not_checked: 0 });
    }

    #[test]
    fn a_legal_move_that_a_bot_would_not_choose_is_found() {
        let record = recorded(VERSION, |chosen, moves| *moves.iter().find(|mv| **mv != chosen).unwrap_or(&chosen));
        record.verify().expect("every move is legal");
        let untrue = record.verify_bots().expect_err("no bot chooses these moves");
        assert!(untrue.what.contains("The bot of seat 1 chooses"), "{untrue}");
    }

    #[test]
    fn moves_of_another_version_of_the_bots_are_not_checked() {
        let record = recorded(VERSION + 1, |chosen, moves| *moves.iter().find(|mv| **mv != chosen).unwrap_or(&chosen));
        let (_, derived) = record.verify_bots().expect("every move is legal");
        assert!(derived.confirmed == 0 && derived.not_checked > 3, "{derived:?}");
    }

    #[test]
    fn every_level_of_every_kind_has_a_name_and_more_to_compute_than_the_one_below() {
        for kind in Kind::ALL {
            let levels = kind.bot_levels();
            assert_eq!(levels.iter().map(|about| about.level).collect::<Vec<_>>(), Level::ALL);
            assert!(levels.windows(2).all(|two| two[0].budget < two[1].budget && two[0].name != two[1].name));
            assert!(levels.iter().all(|about| ["iterations", "nodes"].contains(&about.unit)));
            for about in levels {
                let known = |strength: &Strength| {
                    let is_below = strength.against.is_none_or(|against| against < about.level);
                    let is_between = strength.from <= strength.points && strength.points <= strength.to;
                    kind.seats().contains(&strength.seats) && is_below && is_between
                };
                assert!(about.strength.iter().all(known), "{kind} {:?}", about.level);
            }
        }
    }
}
