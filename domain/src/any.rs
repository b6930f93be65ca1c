//! Games, moves and views of any kind, for code that does not depend on the kind.
//!
//! [`kinds!`] is the only list of kinds; everything else here is derived from it.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize, de};
use serde_json::Value;

use crate::games::kalah::Kalah;
use crate::games::macarena::Macarena;
use crate::games::mahabharata::Mahabharata;
use crate::games::mahola::Mahola;
use crate::games::mara::Mara;
use crate::{
    About, Act, Bot, Bots, Chance, Component, Continuation, Entropy, Game, Illegal, Outcome, Over, Refusal, Rules,
    Seat, Seats, Step, Unloadable, Unreadable, Viewer, game, record,
};

macro_rules! kinds {
    ($($Kind:ident = $name:literal,)*) => {
        /// A kind of game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Kind {
            $(#[serde(rename = $name)] $Kind,)*
        }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$Kind,)*];

            pub fn name(self) -> &'static str {
                match self { $(Kind::$Kind => $name,)* }
            }

            /// The catalogue entry for this version of the rules.
            pub fn about(self, version: u32) -> About {
                match self { $(Kind::$Kind => $Kind::about(version),)* }
            }

            pub fn seats(self) -> RangeInclusive<u8> {
                match self { $(Kind::$Kind => $Kind::SEATS,)* }
            }

            /// The reason why this kind cannot be played with this many seats: 'Kalah has 2 seats, not 3.'
            pub fn wrong_seats(self, seats: impl fmt::Display) -> String {
                match self { $(Kind::$Kind => game::wrong_seats::<$Kind>(seats),)* }
            }

            /// The versions of the rules that this build can play.
            pub fn rules_versions(self) -> RangeInclusive<u32> {
                match self { $(Kind::$Kind => $Kind::RULES_VERSIONS,)* }
            }

            /// The newest version of the rules, used for new games.
            pub fn rules_version(self) -> u32 {
                *self.rules_versions().end()
            }

            /// The default options of a new game.
            pub fn default_options(self) -> AnyOptions {
                let version = self.rules_version();
                match self {
                    $(Kind::$Kind => {
                        AnyOptions::$Kind($Kind::complete(<$Kind as Rules>::Options::default(), version))
                    })*
                }
            }

            /// Reads stored options for this version of the rules. Options that the version does not have are refused;
            /// defaults are filled in.
            pub fn load_options(self, version: u32, saved: Value) -> Result<AnyOptions, serde_json::Error> {
                if !self.rules_versions().contains(&version) {
                    return Err(de::Error::custom(format!("there is no version {version} of the rules")));
                }
                Ok(match self {
                    $(Kind::$Kind => {
                        let options = serde_json::from_value(saved)?;
                        if let Some(option) = $Kind::unknown_option(&options, version) {
                            return Err(de::Error::custom(format!("version {version} has no option {option}")));
                        }
                        AnyOptions::$Kind($Kind::complete(options, version))
                    })*
                })
            }

            /// Parses a move in notation.
            pub fn read_move(self, notation: &str) -> Result<AnyMove, Unreadable> {
                Ok(match self { $(Kind::$Kind => AnyMove::$Kind(notation.parse()?),)* })
            }

            /// Reads stored events.
            pub fn load_events(self, saved: &str) -> Result<Vec<AnyEvent>, serde_json::Error> {
                Ok(match self {
                    $(Kind::$Kind => {
                        let events: Vec<<$Kind as Rules>::Event> = serde_json::from_str(saved)?;
                        events.into_iter().map(AnyEvent::$Kind).collect()
                    })*
                })
            }
        }

        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum AnyOptions { $($Kind(<$Kind as Rules>::Options),)* }

        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyMove { $($Kind(<$Kind as Rules>::Move),)* }

        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum AnyEvent { $($Kind(<$Kind as Rules>::Event),)* }

        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyView { $($Kind(<$Kind as Rules>::View),)* }

        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum AnyDetails { $($Kind(<$Kind as Rules>::Details),)* }

        /// A game of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "games are held one by one, not in arrays")]
        pub enum AnyGame { $($Kind(Game<$Kind>),)* }

        impl AnyOptions {
            pub fn kind(&self) -> Kind {
                match self { $(AnyOptions::$Kind(_) => Kind::$Kind,)* }
            }

            /// Whether a game can be set up with these options, by this version of the rules.
            pub fn check(&self, version: u32, seats: u8) -> Result<(), Illegal> {
                match self {
                    $(AnyOptions::$Kind(options) => game::check_options::<$Kind>(options, version, seats),)*
                }
            }

            /// Loads a saved game with these options, of this version of the rules.
            pub fn load_game(&self, version: u32, saved: &[u8]) -> Result<AnyGame, Unloadable> {
                Ok(match self {
                    $(AnyOptions::$Kind(options) => AnyGame::$Kind(Game::load(options, version, saved)?),)*
                })
            }

            /// The tables of components of a game with these options, which [`AnyOptions::check`] accepted.
            pub fn components(&self, version: u32) -> Vec<Component> {
                match self { $(AnyOptions::$Kind(options) => $Kind::components(options, version),)* }
            }

            /// A hash of the tables that these options give in place of the built-in ones: the SHA-256 of their
            /// canonical JSON, in hexadecimal.
            pub fn components_hash(&self) -> Option<String> {
                let own = match self { $(AnyOptions::$Kind(options) => $Kind::own_components(options),)* };
                own.as_ref().map(record::hash_of)
            }
        }

        impl AnyMove {
            pub fn kind(&self) -> Kind {
                match self { $(AnyMove::$Kind(_) => Kind::$Kind,)* }
            }

            /// Whether everybody may see the move at once.
            pub fn is_open(&self) -> bool {
                match self { $(AnyMove::$Kind(mv) => $Kind::is_open(mv),)* }
            }
        }

        impl AnyGame {
            pub fn start(
                options: &AnyOptions,
                seats: u8,
                version: u32,
                entropy: &Entropy,
            ) -> Result<AnyGame, Illegal> {
                Ok(match options {
                    $(AnyOptions::$Kind(options) => AnyGame::$Kind(Game::start(options, seats, version, entropy)?),)*
                })
            }

            pub fn kind(&self) -> Kind {
                match self { $(AnyGame::$Kind(_) => Kind::$Kind,)* }
            }

            /// The version of the rules.
            pub fn rules_version(&self) -> u32 {
                match self { $(AnyGame::$Kind(game) => game.rules_version(),)* }
            }

            /// The saved form of the game.
            pub fn save(&self) -> Vec<u8> {
                match self { $(AnyGame::$Kind(game) => game.save(),)* }
            }

            /// Makes a seat's move, and then the moves due from resigned seats.
            ///
            /// # Panics
            /// If the move is of another kind. Callers parse a move for the kind of the game.
            pub fn play(&mut self, seat: Seat, mv: &AnyMove, entropy: &Entropy) -> Result<Vec<AnyStep>, Refusal> {
                match (self, mv) {
                    $((AnyGame::$Kind(game), AnyMove::$Kind(mv)) => {
                        let steps = game.play(seat, mv, entropy)?;
                        Ok(steps.into_iter().map(|step| step.erase(AnyMove::$Kind, AnyEvent::$Kind)).collect())
                    })*
                    _ => unreachable!("the move is of the game's kind"),
                }
            }

            /// Makes the move of a bot. Panics like [`AnyGame::play`].
            pub fn play_bot(
                &mut self,
                seat: Seat,
                mv: &AnyMove,
                bot: Bot,
                entropy: &Entropy,
            ) -> Result<Vec<AnyStep>, Refusal> {
                match (self, mv) {
                    $((AnyGame::$Kind(game), AnyMove::$Kind(mv)) => {
                        let steps = game.play_bot(seat, mv, bot, entropy)?;
                        Ok(steps.into_iter().map(|step| step.erase(AnyMove::$Kind, AnyEvent::$Kind)).collect())
                    })*
                    _ => unreachable!("the move is of the game's kind"),
                }
            }

            /// The same game with these bots: see [`Game::with_bots`].
            pub fn with_bots(self, bots: Bots) -> AnyGame {
                match self { $(AnyGame::$Kind(game) => AnyGame::$Kind(game.with_bots(bots)),)* }
            }

            /// The seats to act whose decisions bots make.
            pub fn due_from_bots(&self) -> Seats {
                match self { $(AnyGame::$Kind(game) => game.due_from_bots(),)* }
            }

            /// The seats that bots play for now.
            pub fn bot_seats(&self) -> Seats {
                match self { $(AnyGame::$Kind(game) => game.bot_seats(),)* }
            }

            pub fn resign(&mut self, seat: Seat, entropy: &Entropy) -> Result<Vec<AnyStep>, Refusal> {
                match self {
                    $(AnyGame::$Kind(game) => {
                        let steps = game.resign(seat, entropy)?;
                        Ok(steps.into_iter().map(|step| step.erase(AnyMove::$Kind, AnyEvent::$Kind)).collect())
                    })*
                }
            }

            /// Replays one step of a log or a record. Panics like [`AnyGame::play`].
            pub fn retrace(&mut self, seat: Seat, act: &Act<AnyMove>, entropy: &Entropy) -> Result<(), Refusal> {
                match self {
                    $(AnyGame::$Kind(game) => {
                        let own = |mv: &AnyMove| match mv {
                            AnyMove::$Kind(mv) => mv.clone(),
                            _ => unreachable!("the move is of the game's kind"),
                        };
                        let act = match act {
                            Act::Moved(mv) => Act::Moved(own(mv)),
                            Act::Bot(mv, bot) => Act::Bot(own(mv), *bot),
                            Act::Auto(mv) => Act::Auto(own(mv)),
                            Act::Resigned => Act::Resigned,
                        };
                        game.retrace(seat, &act, entropy)
                    })*
                }
            }

            /// A new game that continues from this position: see [`Game::branch`].
            pub fn branch(&self, entropy: &Entropy) -> Result<AnyGame, Refusal> {
                Ok(match self { $(AnyGame::$Kind(game) => AnyGame::$Kind(game.branch(entropy)?),)* })
            }

            /// The resigned seat for which a move must be drawn now.
            pub fn due_from_the_resigned(&self) -> Option<Seat> {
                match self { $(AnyGame::$Kind(game) => game.due_from_the_resigned(),)* }
            }

            /// Whether a player may review earlier views while the game goes on.
            pub fn may_look_back(&self) -> bool {
                match self { $(AnyGame::$Kind(game) => game.rules().may_look_back(),)* }
            }

            /// Whether the move is legal now, and if not, why. Panics like [`AnyGame::play`].
            pub fn explain(&self, seat: Seat, mv: &AnyMove) -> Result<(), Refusal> {
                match (self, mv) {
                    $((AnyGame::$Kind(game), AnyMove::$Kind(mv)) => game.explain(seat, mv),)*
                    _ => unreachable!("the move is of the game's kind"),
                }
            }

            /// The first legal moves of a seat, and whether these are all of them.
            pub fn legal_moves(&self, seat: Seat, limit: usize) -> (Vec<Listed>, bool) {
                match self {
                    $(AnyGame::$Kind(game) => {
                        let (moves, complete) = game.legal_moves(seat, limit);
                        let listed = moves.into_iter().map(|mv| Listed {
                            notation: mv.to_string(),
                            text: game.rules().describe(seat, &mv),
                            mv: AnyMove::$Kind(mv),
                        });
                        (listed.collect(), complete)
                    })*
                }
            }

            pub fn seats(&self) -> u8 {
                match self { $(AnyGame::$Kind(game) => game.seats(),)* }
            }

            pub fn ply(&self) -> u32 {
                match self { $(AnyGame::$Kind(game) => game.ply(),)* }
            }

            pub fn to_act(&self) -> Seats {
                match self { $(AnyGame::$Kind(game) => game.to_act(),)* }
            }

            /// In the order in which they resigned.
            pub fn resigned(&self) -> &[Seat] {
                match self { $(AnyGame::$Kind(game) => game.resigned(),)* }
            }

            /// The tokens that may follow those of `prefix`, and whether these already form a legal move.
            pub fn continuations(&self, seat: Seat, prefix: &[&str]) -> (Vec<Continuation>, bool) {
                match self { $(AnyGame::$Kind(game) => game.continuations(seat, prefix),)* }
            }

            /// The proof that the game is over, needed to see all hands.
            pub fn over(&self) -> Option<Over> {
                match self { $(AnyGame::$Kind(game) => game.over(),)* }
            }

            pub fn view(&self, viewer: Viewer) -> AnyView {
                match self { $(AnyGame::$Kind(game) => AnyView::$Kind(game.view(viewer)),)* }
            }

            /// A game that this viewer cannot distinguish from this one: everything it cannot know is redrawn.
            pub fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> AnyGame {
                match self { $(AnyGame::$Kind(game) => AnyGame::$Kind(game.imagine(viewer, chance)),)* }
            }

            pub fn outcome(&self) -> Option<AnyOutcome> {
                match self {
                    $(AnyGame::$Kind(game) => game.outcome().map(|outcome| Outcome {
                        ending: outcome.ending,
                        winners: outcome.winners,
                        places: outcome.places,
                        details: AnyDetails::$Kind(outcome.details),
                    }),)*
                }
            }
        }

        impl fmt::Display for AnyMove {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(AnyMove::$Kind(mv) => mv.fmt(f),)* }
            }
        }

        impl fmt::Display for AnyEvent {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(AnyEvent::$Kind(event) => event.fmt(f),)* }
            }
        }

        /// Calls a generic function with the rules of a kind: `with_rules!(kind, R => perft::<R>(…))`.
        #[macro_export]
        macro_rules! with_rules {
            ($kind:expr, $R:ident => $then:expr) => {
                match $kind {
                    $($crate::Kind::$Kind => { type $R = $crate::games::rules::$Kind; $then })*
                }
            };
        }
    };
}

kinds! {
    Kalah = "KALAH",
    Mahabharata = "MAHABHARATA",
    Mahola = "MAHOLA",
    Macarena = "MACARENA",
    Mara = "MARA",
}

/// One step of a game of any kind.
pub type AnyStep = Step<AnyMove, AnyEvent>;
/// The end of a game of any kind.
pub type AnyOutcome = Outcome<AnyDetails>;

/// A legal move with its notation and a description.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub mv: AnyMove,
    pub notation: String,
    pub text: String,
}

impl<M, E> Step<M, E> {
    fn erase(self, mv: impl Fn(M) -> AnyMove, event: impl Fn(E) -> AnyEvent) -> AnyStep {
        Step {
            seat: self.seat,
            act: match self.act {
                Act::Moved(m) => Act::Moved(mv(m)),
                Act::Bot(m, bot) => Act::Bot(mv(m), bot),
                Act::Auto(m) => Act::Auto(mv(m)),
                Act::Resigned => Act::Resigned,
            },
            ply: self.ply,
            events: self.events.into_iter().map(event).collect(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Kind, Unreadable> {
        let known = Kind::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
        known.copied().ok_or_else(|| {
            let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            Unreadable::expected(&names.join(", "), text)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use crate::Seed;

    fn start(kind: Kind, version: u32) -> AnyGame {
        let options = kind.load_options(version, json!({})).expect("all has a default");
        let entropy = Entropy::new(Seed::new([5; 32]), []);
        AnyGame::start(&options, *kind.seats().start(), version, &entropy).expect("the table can be set up")
    }

    #[test]
    fn versions_are_played_side_by_side_and_a_branch_keeps_its_parents() {
        let entropy = Entropy::new(Seed::new([6; 32]), []);
        for kind in Kind::ALL {
            for version in kind.rules_versions() {
                let options = kind.load_options(version, json!({})).expect("all has a default");
                let game = start(*kind, version);
                assert_eq!((game.kind(), game.rules_version()), (*kind, version));
                assert_eq!(game.branch(&entropy).expect("it is not over").rules_version(), version);
                let loaded = options.load_game(version, &game.save()).expect("it was saved");
                assert_eq!(loaded.rules_version(), version);
            }
            assert_eq!(*kind.rules_versions().end(), kind.rules_version());
        }
    }

    #[test]
    fn a_wrong_number_of_seats_is_refused_with_the_right_one() {
        assert_eq!(Kind::Kalah.wrong_seats(3), "Kalah has 2 seats, not 3.");
        assert_eq!(Kind::Mahola.wrong_seats(2), "Mahola has 3 or 4 seats, not 2.");
        assert_eq!(Kind::Macarena.wrong_seats(-1), "La Macarena has 2 to 5 seats, not -1.");
    }

    #[test]
    fn a_version_that_this_build_does_not_have_is_refused() {
        for kind in Kind::ALL {
            for version in [0, kind.rules_version() + 1, u32::MAX] {
                assert!(kind.load_options(version, json!({})).is_err());
                let illegal = kind.default_options().check(version, 2).expect_err("there is no such version");
                assert_eq!(illegal.rule.0, "table.4");
                let entropy = Entropy::new(Seed::new([5; 32]), []);
                let seats = *kind.seats().start();
                assert!(AnyGame::start(&kind.default_options(), seats, version, &entropy).is_err());
                assert!(kind.default_options().load_game(version, &start(*kind, 1).save()).is_err());
            }
        }
    }

    #[test]
    fn options_of_a_game_of_version_1_serve_for_a_rematch_by_version_2() {
        for kind in Kind::ALL {
            let first = to_value(kind.load_options(1, json!({})).expect("all has a default")).unwrap();
            let second =
                kind.load_options(kind.rules_version(), first).expect("version 2 has all options of version 1");
            assert_eq!(second, kind.default_options());
        }
    }

    #[test]
    fn an_option_that_version_1_does_not_have_is_refused_and_not_shown() {
        for kind in Kind::ALL.iter().filter(|kind| kind.rules_version() > 1) {
            let newest = kind.default_options();
            assert_eq!(newest.check(1, 3).expect_err("it has an option too many").rule.0, "table.4");
            assert!(kind.load_options(1, to_value(&newest).unwrap()).is_err());
            let first = to_value(kind.load_options(1, json!({})).unwrap()).unwrap();
            let names = |options: &Value| options.as_object().map(serde_json::Map::len);
            assert!(names(&first) < names(&to_value(newest).unwrap()), "{kind}");
        }
    }
}
