//! Kalah: sow seeds round the board and bring more of them home than your opponent.
//!
//! Places are numbered in sowing direction: seat 0's pockets 0 … p−1, its store, seat 1's pockets 0 … p−1,
//! its store, and round again. Pocket i of a seat lies opposite pocket p−1−i of the other.
//!
//! 1. Every pocket starts with the same number of seeds, both stores empty.
//! 2. The seat to move picks one of its own pockets.
//! 3. The pocket must hold seeds.
//! 4. All its seeds are sown one by one into the places that follow. The mover's store gets one when passed,
//!    the other store is skipped, the pocket that was lifted is not.
//! 5. Last seed in the mover's store: the mover moves again.
//! 6. Last seed in a pocket of the mover's that was empty, with seeds opposite: that seed and the seeds
//!    opposite go to the mover's store. (Option `emptyCapture`: the last seed alone goes, too.)
//! 7. When a row is empty after a move, the game ends.
//! 8. The fuller store wins; equal stores are a draw.
//!
//! Decision: seeds left in a row at the end belong to nobody (`STAY`); the option `leftovers: OWNER` puts
//! them into the store of the row's owner, as most of the world plays it.

mod judgement;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::about::Texts;
use crate::small::small;
use crate::{
    About, Chance, Illegal, OptionAbout, OptionValue, Outcome, RuleId, Rules, Seat, Seats, Sink, Standing, TokenType,
    Unreadable, Viewer, first_seat, places_by,
};

const MOST_POCKETS: u8 = 12;
const MOST_SEEDS: u8 = 12;
/// Both rows and both stores of the largest board.
const MOST_PLACES: usize = 2 * (MOST_POCKETS as usize + 1);

const SETUP: RuleId = RuleId("kalah.1");
const OWN_POCKET: RuleId = RuleId("kalah.2");
const NOT_EMPTY: RuleId = RuleId("kalah.3");
const SOWING: RuleId = RuleId("kalah.4");
const AGAIN: RuleId = RuleId("kalah.5");
const CAPTURE: RuleId = RuleId("kalah.6");
const END: RuleId = RuleId("kalah.7");
const WINNER: RuleId = RuleId("kalah.8");

const TEXTS: &Texts = &[
    (SETUP, "Every pocket starts with the same number of seeds; both stores start empty."),
    (OWN_POCKET, "On its turn, a seat chooses one of its own pockets by number."),
    (NOT_EMPTY, "The chosen pocket must hold at least one seed."),
    (
        SOWING,
        "All seeds of the pocket are sown, one into each place that follows. The mover's own store gets a seed when it is passed; the opponent's store is skipped. If the sowing goes all the way round, the pocket it began in gets a seed, too.",
    ),
    (AGAIN, "If the last seed lands in the mover's own store, the mover moves again."),
    (
        CAPTURE,
        "If the last seed lands in an empty pocket of the mover's row and the pocket opposite holds seeds, the last seed and the seeds opposite go to the mover's store. If the pocket opposite is empty, nothing is captured; with the option emptyCapture, the last seed goes to the store alone.",
    ),
    (END, "The game ends when a move leaves all pockets of a row empty, even if that move earned another turn."),
    (
        WINNER,
        "The fuller store wins; equal stores are a draw. Seeds left in a row count for nobody. With the option leftovers: OWNER, they first go to the store of the row's owner.",
    ),
];

const DECISIONS: &Texts = &[
    (SOWING, "The rulebook does not say whether a long sowing skips the pocket it began in."),
    (END, "The rulebook does not say what happens to another turn earned by the last move."),
    (WINNER, "The rulebook counts only the stores. It says nothing about seeds left in a row or about equal stores."),
];

/// A game of Kalah. Nothing in it is secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kalah {
    pockets: u8,
    leftovers: Leftovers,
    empty_capture: bool,
    /// All places in sowing order; those beyond the board stay 0. The largest game has 288 seeds, more than a
    /// byte can count.
    board: [u16; MOST_PLACES],
    mover: Seat,
    over: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    pub pockets: u8,
    pub seeds_per_pocket: u8,
    pub leftovers: Leftovers,
    pub empty_capture: bool,
    /// If left out, the starting seat is drawn.
    pub first_seat: Option<Seat>,
}

/// The destination of seeds left in a row at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Leftovers {
    /// They stay where they are and count for nobody.
    #[default]
    Stay,
    /// They go to the store of the row's owner.
    Owner,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            pockets: 6,
            seeds_per_pocket: 4,
            leftovers: Leftovers::default(),
            empty_capture: false,
            first_seat: None,
        }
    }
}

/// Sow this pocket of the mover's row. Notation: its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub pocket: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The seeds of a pocket were sown.
    Sowed { seat: Seat, pocket: u8, seeds: u16 },
    /// The last seed fell into the mover's store.
    MovesAgain { seat: Seat },
    /// The last seed and the seeds opposite went to the store.
    Captured { seat: Seat, pocket: u8, seeds: u16 },
    /// The seeds left in a row went to its owner's store.
    Collected { seat: Seat, seeds: u16 },
    /// A row was empty: the game is over.
    Ended { stores: [u16; 2] },
}

/// The whole board, for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Each seat's pockets in sowing order.
    pub pockets: [Vec<u16>; 2],
    pub stores: [u16; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Details {
    pub stores: [u16; 2],
}

impl Rules for Kalah {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = View;
    type Details = Details;
    type Edition = ();

    const SEATS: RangeInclusive<u8> = 2..=2;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=1;

    fn about(_version: u32) -> About {
        About {
            title: "Kalah",
            summary: "Sow seeds round the board, capture the seeds opposite, and bring more seeds home than your opponent.",
            notation: "`3` sows your pocket 3.",
            options: vec![
                OptionAbout {
                    name: "pockets",
                    text: "How many pockets each seat has.",
                    value: OptionValue::Whole { least: 1, most: MOST_POCKETS.into(), default: 6 },
                },
                OptionAbout {
                    name: "seedsPerPocket",
                    text: "How many seeds each pocket holds at the start.",
                    value: OptionValue::Whole { least: 1, most: MOST_SEEDS.into(), default: 4 },
                },
                OptionAbout {
                    name: "leftovers",
                    text: "What happens to seeds left in a row at the end: with STAY they count for nobody, with OWNER they go to the store of the row's owner.",
                    value: OptionValue::Word { words: &["STAY", "OWNER"], default: "STAY" },
                },
                OptionAbout {
                    name: "emptyCapture",
                    text: "Whether a last seed that lands in an empty pocket of the mover's row goes to the store even if the pocket opposite is empty.",
                    value: OptionValue::Flag { default: false },
                },
                first_seat::ABOUT,
            ],
            components: Vec::new(),
            board: None,
            changes: Vec::new(),
            rules: About::rules(TEXTS, DECISIONS),
        }
    }

    fn check_options(options: &Options, _version: u32, seats: u8) -> Result<(), Illegal> {
        let bounded = |name, value: u8, most: u8| match value {
            n if (1..=most).contains(&n) => Ok(()),
            n => Err(Illegal::new(SETUP, format!("{name} must be 1 to {most}, not {n}."))),
        };
        bounded("pockets", options.pockets, MOST_POCKETS)?;
        bounded("seedsPerPocket", options.seeds_per_pocket, MOST_SEEDS)?;
        first_seat::check(options.first_seat, seats, SETUP)
    }

    fn setup(options: &Options, _version: u32, seats: u8, chance: &mut Chance) -> Kalah {
        let pockets = options.pockets;
        let mut board = [0; MOST_PLACES];
        for row in 0..2 {
            let first = row * (pockets as usize + 1);
            board[first..first + pockets as usize].fill(options.seeds_per_pocket.into());
        }
        let mover = first_seat::chosen_or_drawn(options.first_seat, seats, chance);
        Kalah { pockets, leftovers: options.leftovers, empty_capture: options.empty_capture, board, mover, over: false }
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn edition(&self) {}

    fn with_edition(self, _edition: ()) -> Self {
        self
    }

    fn to_act(&self) -> Seats {
        if self.over { Seats::NONE } else { Seats::one(self.mover) }
    }

    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let mine = !self.over && seat == self.mover;
        let row = if mine { self.row(seat) } else { &[] };
        (0..).zip(row).filter(|(_, seeds)| **seeds > 0).map(|(pocket, _)| Move { pocket })
    }

    #[inline]
    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let full = |seeds: &u16| u32::from(*seeds > 0);
        let chosen = chance.below(self.row(seat).iter().map(full).sum());
        // Counts the pockets before the chosen full one. A loop over all pockets without an early exit is faster: it has
        // no branch that the processor could mispredict.
        let mut passed = 0;
        let before = self.row(seat).iter().map(|seeds| {
            passed += full(seeds);
            u8::from(passed <= chosen)
        });
        Move { pocket: before.sum() }
    }

    #[inline]
    fn check(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        if self.over {
            return Err(Illegal::new(END, "The game is over: all pockets of a row are empty."));
        }
        if seat != self.mover {
            return Err(Illegal::new(OWN_POCKET, format!("It is seat {}'s turn.", self.mover)));
        }
        if mv.pocket >= self.pockets {
            let last = self.pockets - 1;
            return Err(Illegal::new(OWN_POCKET, format!("Your pockets are 0 to {last}.")).at(0));
        }
        if self.board[self.place(seat, mv.pocket)] == 0 {
            return Err(Illegal::new(NOT_EMPTY, format!("Pocket {} is empty.", mv.pocket)).at(0));
        }
        Ok(())
    }

    fn make(&mut self, seat: Seat, mv: &Move, _chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let last = self.sow(seat, mv.pocket, seen);
        let again = last == self.store(seat);
        if !again {
            self.capture(seat, last, seen);
            self.mover = seat.left(2);
        }
        if self.row_is_empty() {
            self.end(seen);
        } else if again {
            seen.see(|| Event::MovesAgain { seat });
        }
    }

    fn standing(&self) -> Standing<Details> {
        let stores = self.stores();
        Standing { places: places_by(2, |a, b| stores[b.index()].cmp(&stores[a.index()])), details: Details { stores } }
    }

    fn outcome(&self) -> Option<Outcome<Details>> {
        self.over.then(|| {
            let [zero, one] = self.stores();
            let winners = match zero.cmp(&one) {
                std::cmp::Ordering::Greater => Seats::one(Seat::new(0)),
                std::cmp::Ordering::Less => Seats::one(Seat::new(1)),
                std::cmp::Ordering::Equal => Seats::NONE,
            };
            self.standing().ended(END, winners)
        })
    }

    fn view(&self, _viewer: Viewer) -> View {
        View { pockets: [0, 1].map(|seat| self.row(Seat::new(seat)).to_vec()), stores: self.stores() }
    }

    fn imagine(&self, _viewer: Viewer, _chance: &mut Chance) -> Kalah {
        self.clone()
    }

    fn is_open(_mv: &Move) -> bool {
        true
    }

    fn describe(&self, _seat: Seat, mv: &Move) -> String {
        format!("Sow pocket {}", mv.pocket)
    }

    fn describe_token(&self, _seat: Seat, _prefix: &[&str], token: &str) -> (TokenType, String) {
        (TokenType::Place, format!("Sow pocket {token}"))
    }
}

impl Kalah {
    #[inline]
    fn place(&self, seat: Seat, pocket: u8) -> usize {
        seat.index() * (self.pockets as usize + 1) + pocket as usize
    }

    #[inline]
    fn store(&self, seat: Seat) -> usize {
        self.place(seat, self.pockets)
    }

    #[inline]
    fn row(&self, seat: Seat) -> &[u16] {
        &self.board[self.place(seat, 0)..self.store(seat)]
    }

    fn stores(&self) -> [u16; 2] {
        [0, 1].map(|seat| self.board[self.store(Seat::new(seat))])
    }

    #[inline]
    fn seeds_in_row(&self, seat: Seat) -> u16 {
        self.row(seat).iter().sum()
    }

    #[inline]
    fn row_is_empty(&self) -> bool {
        Seat::all(2).any(|seat| self.seeds_in_row(seat) == 0)
    }

    /// kalah.4: returns the place of the last seed.
    fn sow(&mut self, seat: Seat, pocket: u8, seen: &mut impl Sink<Event>) -> usize {
        let places = 2 * (self.pockets as usize + 1);
        let skipped = self.store(seat.left(2));
        let mut place = self.place(seat, pocket);
        let seeds = std::mem::take(&mut self.board[place]);
        for _ in 0..seeds {
            place += if place + 1 == skipped { 2 } else { 1 };
            place -= if place >= places { places } else { 0 };
            self.board[place] += 1;
        }
        seen.see(|| Event::Sowed { seat, pocket, seeds });
        place
    }

    /// kalah.6: `last` is where the last seed fell.
    fn capture(&mut self, seat: Seat, last: usize, seen: &mut impl Sink<Event>) {
        let row = self.place(seat, 0)..self.store(seat);
        if !row.contains(&last) || self.board[last] != 1 {
            return;
        }
        let pocket = small(last - row.start);
        let opposite = self.place(seat.left(2), self.pockets - 1 - pocket);
        if self.board[opposite] == 0 && !self.empty_capture {
            return;
        }
        let seeds = std::mem::take(&mut self.board[opposite]) + std::mem::take(&mut self.board[last]);
        self.board[self.store(seat)] += seeds;
        seen.see(|| Event::Captured { seat, pocket, seeds });
    }

    /// kalah.7 and the decision about leftovers.
    fn end(&mut self, seen: &mut impl Sink<Event>) {
        self.over = true;
        if self.leftovers == Leftovers::Owner {
            for seat in Seat::all(2) {
                let (first, store) = (self.place(seat, 0), self.store(seat));
                let seeds = self.seeds_in_row(seat);
                if seeds > 0 {
                    self.board[first..store].fill(0);
                    self.board[store] += seeds;
                    seen.see(|| Event::Collected { seat, seeds });
                }
            }
        }
        let stores = self.stores();
        seen.see(|| Event::Ended { stores });
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pocket)
    }
}

impl FromStr for Move {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Move, Unreadable> {
        let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(pocket) if digits_only => Ok(Move { pocket }),
            _ => Err(Unreadable::expected("the number of a pocket, such as '3'", text)),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Sowed { seat, pocket, seeds } => write!(f, "Seat {seat} sowed {seeds} from pocket {pocket}."),
            Event::MovesAgain { seat } => write!(f, "Seat {seat} moves again."),
            Event::Captured { seat, pocket, seeds } => write!(f, "Seat {seat} captured {seeds} with pocket {pocket}."),
            Event::Collected { seat, seeds } => write!(f, "Seat {seat} collected {seeds} left in its row."),
            Event::Ended { stores: [zero, one] } => write!(f, "The game is over: {zero} to {one}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::asserted::{self, assert_rule};
    use crate::contract::{self, Promises};
    use crate::perft::perft;
    use crate::{Entropy, Kind, Seed, golden};

    const ZERO: Seat = Seat::new(0);
    const ONE: Seat = Seat::new(1);

    impl Promises for Kalah {
        fn tables(_version: u32) -> Vec<(Options, u8)> {
            let table = |pockets, seeds_per_pocket, leftovers, empty_capture, first_seat| {
                (Options { pockets, seeds_per_pocket, leftovers, empty_capture, first_seat }, 2)
            };
            vec![
                (Options::default(), 2),
                table(6, 6, Leftovers::Owner, false, Some(ZERO)),
                table(12, 12, Leftovers::Owner, true, None),
                table(1, 1, Leftovers::Stay, false, Some(ONE)),
                table(1, 12, Leftovers::Stay, true, None),
                table(3, 2, Leftovers::Stay, true, None),
            ]
        }

        fn inventory(&self) -> BTreeMap<String, u32> {
            let seeds = self.board.iter().map(|seeds| u32::from(*seeds)).sum();
            BTreeMap::from([("seeds".to_string(), seeds)])
        }

        fn arbitrary_move(&self, chance: &mut Chance) -> Move {
            Move { pocket: small(chance.index(usize::from(self.pockets) + 2)) }
        }

        fn unknown(&self, _viewer: Viewer) -> BTreeSet<(String, String)> {
            BTreeSet::new()
        }

        fn possible(&self, _viewer: Viewer) -> BTreeSet<(String, String)> {
            BTreeSet::new()
        }
    }

    /// A position of six pockets with seat 0 to move.
    fn position(rows: [[u16; 6]; 2], stores: [u16; 2]) -> Kalah {
        let options = Options { first_seat: Some(ZERO), ..Options::default() };
        let mut kalah = Kalah::setup(&options, 1, 2, &mut Chance::fast(0));
        for seat in Seat::all(2) {
            let (first, store) = (kalah.place(seat, 0), kalah.store(seat));
            kalah.board[first..store].copy_from_slice(&rows[seat.index()]);
            kalah.board[store] = stores[seat.index()];
        }
        kalah
    }

    fn start() -> Kalah {
        position([[4; 6]; 2], [0; 2])
    }

    fn play(kalah: &mut Kalah, seat: Seat, pocket: u8) -> Vec<Event> {
        let mut events = Vec::new();
        kalah.apply(seat, &Move { pocket }, &mut Chance::fast(0), &mut events).expect("the move is legal");
        events
    }

    fn refusal(kalah: &Kalah, seat: Seat, pocket: u8) -> &'static str {
        kalah.check(seat, &Move { pocket }).expect_err("the move is illegal").rule.0
    }

    fn options_refused(options: &Options) -> &'static str {
        Kalah::check_options(options, 1, 2).expect_err("the options are out of bounds").rule.0
    }

    #[test]
    fn kalah_keeps_the_contract() {
        contract::uphold::<Kalah>(contract::games_or(600));
    }

    #[test]
    fn golden_records_are_still_true() {
        let owner = Options { leftovers: Leftovers::Owner, first_seat: Some(ONE), ..Options::default() };
        let large = Options { pockets: 12, seeds_per_pocket: 12, empty_capture: true, ..Options::default() };
        let tables = [(Options::default(), 2), (owner, 2), (large, 2)];
        golden::check::<Kalah>(Kind::Kalah, "kalah", 1, &tables);
        golden::check_format::<Kalah>(Kind::Kalah, "kalah-f2", 1, 2, &tables);
    }

    #[test]
    fn every_rule_is_tested() {
        asserted::every_rule_is_tested::<Kalah>(include_str!("kalah.rs"));
    }

    #[test]
    fn every_pocket_starts_alike_and_the_stores_are_empty() {
        let view = start().view(Viewer::Spectator);
        assert_eq!(view, View { pockets: [vec![4; 6], vec![4; 6]], stores: [0, 0] });
    }

    #[test]
    fn options_out_of_bounds_are_refused() {
        for pockets in [0, 13, 99] {
            assert_eq!(options_refused(&Options { pockets, ..Options::default() }), "kalah.1");
        }
        for seeds_per_pocket in [0, 13] {
            assert_eq!(options_refused(&Options { seeds_per_pocket, ..Options::default() }), "kalah.1");
        }
        assert_eq!(options_refused(&Options { first_seat: Some(Seat::new(2)), ..Options::default() }), "kalah.1");
    }

    #[test]
    fn the_first_seat_is_drawn_when_it_is_left_out() {
        let starts = |seed| Kalah::setup(&Options::default(), 1, 2, &mut Chance::fast(seed)).mover;
        let seats: Vec<Seat> = (0..20).map(starts).collect();
        assert!(seats.contains(&ZERO) && seats.contains(&ONE));
    }

    #[test]
    fn a_move_out_of_turn_or_of_no_pocket_is_refused() {
        assert_eq!(refusal(&start(), ONE, 0), "kalah.2");
        assert_eq!(refusal(&start(), ZERO, 6), "kalah.2");
    }

    #[test]
    fn an_empty_pocket_cannot_be_sown() {
        assert_eq!(refusal(&position([[0, 1, 0, 0, 0, 0], [4; 6]], [0; 2]), ZERO, 0), "kalah.3");
    }

    #[test]
    fn sowing_passes_the_own_store_and_skips_the_other() {
        let mut kalah = position([[1, 1, 0, 0, 0, 9], [1; 6]], [0; 2]);
        play(&mut kalah, ZERO, 5);
        assert_rule!("kalah.4", kalah.row(ONE), [2, 2, 2, 2, 2, 2]);
        assert_eq!(kalah.row(ZERO), [2, 2, 0, 0, 0, 0]);
        assert_eq!(kalah.stores(), [1, 0]);
    }

    #[test]
    fn a_last_seed_in_the_store_moves_again() {
        let mut kalah = start();
        let events = play(&mut kalah, ZERO, 2);
        assert_rule!("kalah.5", kalah.row(ZERO), [4, 4, 0, 5, 5, 5]);
        assert_eq!(kalah.stores(), [1, 0]);
        assert_eq!(kalah.to_act(), Seats::one(ZERO));
        assert!(events.contains(&Event::MovesAgain { seat: ZERO }));
    }

    #[test]
    fn a_last_seed_in_an_empty_pocket_captures_what_lies_opposite() {
        let mut kalah = position([[1, 0, 0, 0, 0, 3], [2, 0, 0, 0, 7, 0]], [0; 2]);
        let events = play(&mut kalah, ZERO, 0);
        assert_rule!("kalah.6", kalah.stores(), [8, 0]);
        assert_eq!(kalah.row(ZERO), [0, 0, 0, 0, 0, 3]);
        assert_eq!(kalah.row(ONE), [2, 0, 0, 0, 0, 0]);
        assert!(events.contains(&Event::Captured { seat: ZERO, pocket: 1, seeds: 8 }));
        assert_eq!(kalah.to_act(), Seats::one(ONE));
    }

    #[test]
    fn nothing_is_captured_where_nothing_lies_opposite() {
        let mut kalah = position([[0, 0, 0, 0, 1, 0], [0, 7, 0, 0, 0, 0]], [0; 2]);
        play(&mut kalah, ZERO, 4);
        assert_eq!(kalah.row(ZERO), [0, 0, 0, 0, 0, 1]);
        assert_eq!(kalah.stores(), [0, 0]);
    }

    #[test]
    fn with_empty_capture_the_last_seed_goes_home_alone() {
        let mut kalah = position([[1, 0, 0, 0, 1, 0], [0, 7, 0, 0, 0, 0]], [0; 2]);
        kalah.empty_capture = true;
        play(&mut kalah, ZERO, 4);
        assert_eq!(kalah.row(ZERO), [1, 0, 0, 0, 0, 0]);
        assert_eq!(kalah.stores(), [1, 0]);
    }

    #[test]
    fn a_last_seed_in_a_pocket_of_the_opponent_captures_nothing() {
        let mut kalah = position([[0, 0, 0, 0, 0, 2], [0, 3, 0, 0, 0, 0]], [0; 2]);
        play(&mut kalah, ZERO, 5);
        assert_eq!(kalah.row(ONE), [1, 3, 0, 0, 0, 0]);
    }

    #[test]
    fn thirteen_seeds_come_round_to_the_lifted_pocket_and_capture() {
        let mut kalah = position([[0, 0, 13, 0, 0, 0], [0, 0, 0, 5, 0, 1]], [0; 2]);
        play(&mut kalah, ZERO, 2);
        // Opposite pocket 2 lies the other row's pocket 3, which got one on the way: 6 and the last seed.
        assert_eq!(kalah.stores(), [1 + 6 + 1, 0]);
        assert_eq!(kalah.row(ZERO), [1, 1, 0, 1, 1, 1]);
        assert_eq!(kalah.row(ONE), [1, 1, 1, 0, 1, 2]);
    }

    #[test]
    fn an_empty_row_ends_the_game_even_after_a_last_seed_in_the_store() {
        let mut kalah = position([[0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0]], [5, 3]);
        let events = play(&mut kalah, ZERO, 5);
        assert_eq!(kalah.to_act(), Seats::NONE);
        assert!(!events.contains(&Event::MovesAgain { seat: ZERO }), "the move again lapses");
        assert_eq!(kalah.outcome().expect("it is over").ending.to_string(), "kalah.7");
        assert_eq!(refusal(&kalah, ZERO, 5), "kalah.7");
        assert_eq!(refusal(&kalah, ONE, 0), "kalah.7");
    }

    #[test]
    fn the_fuller_store_wins_and_leftovers_stay() {
        let mut kalah = position([[0, 0, 0, 0, 0, 1], [9, 0, 0, 0, 0, 0]], [5, 3]);
        play(&mut kalah, ZERO, 5);
        let outcome = kalah.outcome().expect("it is over");
        assert_rule!("kalah.8", (outcome.winners, outcome.details.stores), (Seats::one(ZERO), [6, 3]));
        assert_eq!(outcome.places.into_vec(), [1, 2]);
        assert_eq!(kalah.row(ONE), [9, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn leftovers_go_to_their_owner_by_option() {
        let mut kalah = position([[0, 0, 0, 0, 0, 1], [9, 0, 0, 0, 0, 0]], [5, 3]);
        kalah.leftovers = Leftovers::Owner;
        let events = play(&mut kalah, ZERO, 5);
        let outcome = kalah.outcome().expect("it is over");
        assert_eq!((outcome.winners, outcome.details.stores), (Seats::one(ONE), [6, 12]));
        assert_eq!(kalah.row(ONE), [0; 6]);
        assert!(events.contains(&Event::Collected { seat: ONE, seeds: 9 }));
    }

    #[test]
    fn equal_stores_are_a_draw() {
        let mut kalah = position([[0, 0, 0, 0, 0, 1], [9, 0, 0, 0, 0, 0]], [5, 6]);
        play(&mut kalah, ZERO, 5);
        let outcome = kalah.outcome().expect("it is over");
        assert_eq!((outcome.winners, outcome.places.into_vec()), (Seats::NONE, vec![1, 1]));
    }

    #[test]
    fn a_store_can_hold_all_288_seeds() {
        let options = Options { pockets: 12, seeds_per_pocket: 12, leftovers: Leftovers::Owner, ..Options::default() };
        let mut kalah = Kalah::setup(&options, 1, 2, &mut Chance::fast(0));
        kalah.board = [0; MOST_PLACES];
        kalah.mover = ZERO;
        let (last, store) = (kalah.place(ZERO, 11), kalah.store(ZERO));
        kalah.board[last] = 1;
        kalah.board[store] = 287;
        play(&mut kalah, ZERO, 11);
        assert_eq!(kalah.stores(), [288, 0]);
    }

    #[test]
    fn move_sequences_are_as_many_as_others_count() {
        let entropy = Entropy::new(Seed::new([0; 32]), []);
        for leftovers in [Leftovers::Stay, Leftovers::Owner] {
            let options = Options { leftovers, ..Options::default() };
            let counts = perft::<Kalah>(&options, 1, 2, 7, &entropy).expect("the options are good");
            assert_eq!(counts, [6, 35, 185, 942, 4690, 23233, 114430]);
        }
    }

    #[test]
    fn only_plain_numbers_are_read() {
        assert_eq!("3".parse(), Ok(Move { pocket: 3 }));
        for text in ["", "+3", "-1", "3 ", "a", "999", "2.0"] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
    }
}
