//! Mahabharata: draft dice, win the favour of leaders with your tokens, and gather a Pati behind your screen.
//!
//! 1. Leaders are revealed until some of them have exactly 18 points together; these are in play. Decision: of
//!    several such sets the one with most leaders, then the one revealed earliest.
//! 2. A round: all eight dice are rolled; the picks go from the elephant to the last seat and back, two each.
//!    Decision: a pick that is possible must be made.
//! 3. A pick takes a die and places a token from the picker's pool that is the same as the die.
//! 4. It goes behind the picker's screen or on a leader space with the unit's icon.
//! 5. A Raja places a token of the picker's choice, on a leader space only.
//! 6. A space with another player's token is closed; one's own tokens may be stacked.
//! 7. Decision: a pick with no die that can be placed is skipped.
//! 8. After a round the game ends if every space is filled. Decision: it also ends if nobody has a token left for any
//!    of the empty spaces. Otherwise those with a complete Pati (decision: only they, unless `askEveryone`) reveal it or
//!    hold it back, in secret and at the same time; if one reveals, the game ends, else the elephant goes to the left.
//!    Seats that held back are not named.
//! 9. A Pati is complete if some of the tokens make exactly 1 chariot, 1 elephant, 3 cavalry and 5 infantry.
//! 10. A complete Pati has 7 points, revealed or not.
//! 11. A leader's points go to the player with most tokens on it; a tie gives them to the next, if alone.
//! 12. Most points win; a tie lets the next win, if alone; else the game is a draw.
//! 13. Decision: a round without a pick ends the game.
//!
//! Everybody saw the tokens behind a screen when their dice were taken. Views hide them all the same, as a screen does.
//!
//! 14. Decision: the option `components` replaces the tables of dice and leaders, whose pictures are lost.
//!
//! Version 1 has no `askEveryone` and no `components`, calls both endings by leaders 'filled', names the seats that held a Pati back, and
//! refuses two moves by other rules: see [`Edition`].

mod components;
mod event;
mod judgement;
mod leaders;
mod rulebook;
mod scores;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod view;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use self::components::DICE;
pub use self::components::{Face, Leader, LeaderCard, Token, Unit};
pub use self::event::Event;
use self::leaders::{InPlay, reveal_leaders};
use self::rulebook::{CLOSED, COMPLETE, DEAD_END, END, PICK, RAJA, ROUND, SETUP, WHERE};
use self::scores::PATI_POINTS;
pub use self::scores::{Details, LeaderScore, Score, Verdict};
pub use self::tables::{Components, DieEntry, LeaderEntry, Name, Table, Tables};
use self::tokens::Tokens;
pub use self::tokens::{PATI, Parts};
pub use self::view::{Answer, DieView, LeaderView, PatiView, PlayerView, SpaceView, TokensLeft, View};
use crate::small::small;
use crate::{
    About, BySeat, Chance, Component, Illegal, Outcome, Rules, Seat, Seats, Sink, Standing, TokenType, Unreadable,
    Viewer, first_seat, places_by,
};

/// A game of Mahabharata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mahabharata {
    /// Public: the leaders in play, in the order of revealing.
    leaders: Vec<InPlay>,
    /// Public: the leaders revealed at the start and set aside.
    discarded: Vec<Leader>,
    /// Shown to its own player. Others see only how many tokens it has.
    players: BySeat<Player>,
    /// Public.
    round: u16,
    /// Public: the seat that picks first in this round.
    elephant: Seat,
    /// Public: by number; `None` once taken.
    dice: [Option<Face>; DICE],
    /// Public: how many picks of this round have been made or skipped.
    picks: u8,
    phase: Phase,
    /// Public.
    #[serde(skip)]
    edition: Edition,
    /// Public. Part of the options, not of the saved state.
    #[serde(skip)]
    tables: Tables,
}

/// The differences between versions of the rules. Version 1 asks nobody without a complete Pati, has one name for both
/// endings by leaders, names the seats that held a Pati back, and names other rules in two refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    version: u32,
    ask_everyone: bool,
}

impl Default for Edition {
    fn default() -> Edition {
        Edition { version: 1, ask_everyone: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Player {
    /// Not yet placed.
    pool: Tokens,
    /// Behind the screen.
    screen: Tokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    Picking,
    Answering {
        /// Public: the seats that may reveal.
        asked: Seats,
        /// Secret until all have answered: each player's own. That a seat has answered is public.
        reveal: Seats,
        /// Secret, as above.
        hold: Seats,
    },
    /// Public, all of it.
    Over {
        reason: Reason,
        revealed: Seats,
    },
}

/// The cause of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// Every space of every leader was filled.
    LeadersFilled,
    /// At least one player revealed a Pati.
    PatiRevealed,
    /// A round passed without a pick.
    DeadEnd,
    /// Some spaces are empty, and nobody has a token left for any of them.
    LeadersClosed,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    /// The seat that has the elephant first. If left out, it is drawn.
    pub first_seat: Option<Seat>,
    /// Whether every seat is asked about its Pati after every round. By default only seats with a complete Pati are.
    /// Version 1 has no such option.
    #[serde(deserialize_with = "crate::rules::given", skip_serializing_if = "Option::is_none")]
    pub ask_everyone: Option<bool>,
    /// Tables in place of the built-in ones. Version 1 has no such option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Components>,
}

impl Options {
    /// The tables of a game with these options, which [`Rules::check_options`] accepted.
    pub fn tables(&self) -> Tables {
        Tables::of(self.components.as_ref()).unwrap_or_default()
    }
}

/// Notation: `d3 screen`, `d3 l1.2`, with the token for a Raja `d3 CAVALRY2 l1.2`; `reveal`, `hold`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Take a die and place a token.
    Pick {
        die: u8,
        /// The token to place; only for a Raja, because other dice determine it.
        token: Option<Token>,
        to: Place,
    },
    /// Reveal one's Pati and end the game.
    Reveal,
    /// Hold it back.
    Hold,
}

/// The destination of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind one's own screen.
    Screen,
    Space {
        leader: u8,
        space: u8,
    },
}

impl Rules for Mahabharata {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = View;
    type Details = Details;
    type Edition = Edition;

    const SEATS: RangeInclusive<u8> = 2..=4;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=2;

    fn about(version: u32) -> About {
        rulebook::about(version)
    }

    fn unknown_option(options: &Options, version: u32) -> Option<&'static str> {
        let given = [("askEveryone", options.ask_everyone.is_some()), ("components", options.components.is_some())];
        given.into_iter().find(|(_, is_given)| version < 2 && *is_given).map(|(name, _)| name)
    }

    fn complete(options: Options, version: u32) -> Options {
        Options { ask_everyone: options.ask_everyone.or((version >= 2).then_some(false)), ..options }
    }

    fn check_options(options: &Options, _version: u32, seats: u8) -> Result<(), Illegal> {
        first_seat::check(options.first_seat, seats, SETUP)?;
        Tables::of(options.components.as_ref()).map(drop)
    }

    fn components(options: &Options, _version: u32) -> Vec<Component> {
        options.tables().about()
    }

    fn own_components(options: &Options) -> Option<serde_json::Value> {
        options.components.as_ref().map(Components::to_value)
    }

    fn setup(options: &Options, version: u32, seats: u8, chance: &mut Chance) -> Mahabharata {
        let tables = Tables::of(options.components.as_ref()).expect("the tables were checked with the options");
        let mut leaders = Leader::ALL;
        chance.shuffle(&mut leaders);
        let (in_play, discarded) = reveal_leaders(&leaders, &tables);
        let elephant = first_seat::chosen_or_drawn(options.first_seat, seats, chance);
        Mahabharata {
            leaders: in_play.into_iter().map(|leader| InPlay::new(leader, &tables)).collect(),
            discarded,
            players: BySeat::each(seats, |_| Player { pool: Tokens::POOL, screen: Tokens::default() }),
            round: 0,
            elephant,
            dice: tables.roll(chance).map(Some),
            picks: 0,
            phase: Phase::Picking,
            edition: Edition { version, ask_everyone: options.ask_everyone.unwrap_or(false) },
            tables,
        }
    }

    fn rules_version(&self) -> u32 {
        self.edition.version
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn with_edition(self, edition: Edition) -> Mahabharata {
        Mahabharata { edition, ..self }
    }

    fn with_components_of(self, options: &Options) -> Result<Mahabharata, Illegal> {
        Ok(Mahabharata { tables: Tables::of(options.components.as_ref())?, ..self })
    }

    fn to_act(&self) -> Seats {
        match self.phase {
            Phase::Picking => self.picker().map(Seats::one).unwrap_or_default(),
            Phase::Answering { asked, reveal, hold } => asked.without(reveal).without(hold),
            Phase::Over { .. } => Seats::NONE,
        }
    }

    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let mine = self.to_act().contains(seat);
        let picking = self.phase == Phase::Picking;
        let dice = if mine && picking { 0..DICE } else { 0..0 };
        let answers = if mine && !picking { self.answers_of(seat) } else { &[] };
        dice.flat_map(move |die| self.picks_of(seat, die)).chain(answers.iter().copied())
    }

    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.phase != Phase::Picking {
            return *chance.pick(self.answers_of(seat));
        }
        let ways = self.ways(seat);
        let mut chosen = chance.below(ways.iter().sum());
        let mut die = 0;
        while chosen >= ways[die] {
            chosen -= ways[die];
            die += 1;
        }
        self.picks_of(seat, die).nth(chosen as usize).expect("the number drawn is below the number of ways")
    }

    fn check(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        match (self.phase, *mv) {
            (Phase::Over { .. }, _) => Err(Illegal::new(END, "The game is over.")),
            (Phase::Answering { asked, .. }, Move::Pick { .. }) => {
                let rule = if self.edition.version == 1 || asked.contains(seat) { END } else { ROUND };
                Err(Illegal::new(
                    rule,
                    "All picks of this round are made: players now reveal or hold back their Patis.",
                ))
            }
            (Phase::Answering { asked, .. }, _) if !asked.contains(seat) => {
                Err(Illegal::new(COMPLETE, "Your Pati is not complete."))
            }
            (Phase::Answering { .. }, _) if !self.to_act().contains(seat) => {
                Err(Illegal::new(END, "You have already answered."))
            }
            (Phase::Answering { .. }, Move::Reveal) if !self.has_complete_pati(seat) => {
                Err(Illegal::new(COMPLETE, "Your Pati is not complete: you can only hold it back.").at(0))
            }
            (Phase::Answering { .. }, _) => Ok(()),
            (Phase::Picking, Move::Reveal | Move::Hold) => {
                Err(Illegal::new(END, "You can reveal or hold back a Pati only when all picks of the round are made.")
                    .at(0))
            }
            (Phase::Picking, Move::Pick { die, token, to }) => match self.picker() {
                Some(picker) if picker == seat => self.check_pick(seat, die, token, to),
                Some(picker) => Err(Illegal::new(ROUND, format!("It is seat {picker}'s turn to pick."))),
                None => Err(Illegal::new(ROUND, "All picks of this round are made.")),
            },
        }
    }

    fn make(&mut self, seat: Seat, mv: &Move, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        match *mv {
            Move::Pick { die, token, to } => {
                self.pick(seat, die, token, to, seen);
                self.go_on(chance, seen);
            }
            Move::Reveal | Move::Hold => {
                self.answer(seat, *mv == Move::Reveal, seen);
                if self.phase == Phase::Picking {
                    self.begin_round(chance, seen);
                    self.go_on(chance, seen);
                }
            }
        }
    }

    fn standing(&self) -> Standing<Details> {
        let details = self.score();
        let rank = |seat: Seat| (details.winner == Some(seat), details.scores[seat].points);
        let places = places_by(self.seats(), |a, b| rank(b).cmp(&rank(a)));
        Standing { places, details }
    }

    fn outcome(&self) -> Option<Outcome<Details>> {
        let Phase::Over { reason, .. } = self.phase else { return None };
        let standing = self.standing();
        let winners = standing.details.winner.map(Seats::one).unwrap_or_default();
        let rule = match reason {
            Reason::LeadersFilled | Reason::LeadersClosed | Reason::PatiRevealed => END,
            Reason::DeadEnd => DEAD_END,
        };
        Some(standing.ended(rule, winners))
    }

    fn view(&self, viewer: Viewer) -> View {
        let asked = match self.phase {
            Phase::Answering { asked, .. } => asked,
            Phase::Picking | Phase::Over { .. } => Seats::NONE,
        };
        let (reason, revealed) = self.ended();
        View {
            round: self.round,
            elephant: self.elephant,
            dice: self.dice_left().map(|(die, face)| self.die_view(die, face)).collect(),
            picks: (self.picks..2 * self.seats()).map(|pick| self.snake(pick)).collect(),
            leaders: self.leaders.iter().map(|in_play| in_play.view(&self.tables)).collect(),
            discarded: self.discarded.iter().map(|leader| self.tables.name(*leader)).collect(),
            players: Seat::all(self.seats()).map(|seat| self.view_player(seat, viewer)).collect(),
            asked,
            pending: asked.and(self.to_act()),
            revealed,
            reason,
            tables: self.tables.clone(),
        }
    }

    /// Pending answers of others are redrawn: a seat with a complete Pati may have given either.
    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Mahabharata {
        let mut other = self.clone();
        if let Phase::Answering { reveal, hold, .. } = &mut other.phase {
            for seat in Seat::all(self.seats()).filter(|seat| !viewer.sees(*seat)) {
                if (reveal.contains(seat) || hold.contains(seat)) && self.has_complete_pati(seat) {
                    let (from, to) =
                        if chance.happens(1, 2) { (&mut *hold, &mut *reveal) } else { (&mut *reveal, &mut *hold) };
                    from.remove(seat);
                    to.insert(seat);
                }
            }
        }
        other
    }

    fn is_open(mv: &Move) -> bool {
        match mv {
            Move::Pick { .. } => true,
            Move::Reveal | Move::Hold => false,
        }
    }

    fn describe(&self, _seat: Seat, mv: &Move) -> String {
        let Move::Pick { die, token, to } = *mv else {
            return if *mv == Move::Reveal { "Reveal your Pati" } else { "Hold your Pati back" }.into();
        };
        let face = self.face(die);
        let taken = match face {
            Some(face) => format!("Take die {die} ({face})"),
            None => format!("Take die {die}"),
        };
        let placed = match (token, face) {
            (Some(token), _) | (None, Some(Face::Shows(token))) => token.to_string(),
            (None, _) => "a token".into(),
        };
        match to {
            Place::Screen => format!("{taken} and put {placed} behind your screen"),
            Place::Space { leader, space } => match self.leaders.get(usize::from(leader)) {
                Some(InPlay { leader: card, .. }) => {
                    let name = &self.tables.leader(*card).name;
                    format!("{taken} and put {placed} on space {space} of leader {leader}, {name}")
                }
                None => format!("{taken} and put {placed} on space {space} of leader {leader}"),
            },
        }
    }

    fn describe_token(&self, _seat: Seat, prefix: &[&str], token: &str) -> (TokenType, String) {
        match (prefix, token) {
            ([], "reveal") => (TokenType::Verb, "Reveal your Pati".into()),
            ([], "hold") => (TokenType::Verb, "Hold your Pati back".into()),
            ([], die) => {
                let face = die.strip_prefix('d').and_then(read_number).and_then(|die| self.face(die));
                let face = face.map(|face| format!(" ({face})")).unwrap_or_default();
                (TokenType::Card, format!("Take die {}{face}", die.trim_start_matches('d')))
            }
            (_, to) => match read_place(to) {
                Some(Place::Screen) => (TokenType::Place, "Put the token behind your screen".into()),
                Some(Place::Space { leader, space }) => {
                    let in_play = self.leaders.get(usize::from(leader));
                    let name = in_play.map(|in_play| format!(", {}", self.tables.leader(in_play.leader).name));
                    let name = name.unwrap_or_default();
                    (TokenType::Place, format!("Put the token on space {space} of leader {leader}{name}"))
                }
                None => (TokenType::Card, format!("Choose the token {token}")),
            },
        }
    }
}

impl Face {
    /// mbh.3, mbh.5: whether the die can place this token.
    fn places(self, token: Token) -> bool {
        match self {
            Face::Shows(shown) => shown == token,
            Face::Raja => true,
        }
    }
}

impl Mahabharata {
    fn seats(&self) -> u8 {
        self.players.seats()
    }

    /// mbh.2: the seat with this pick of a round, counted from 0: there and back again.
    fn snake(&self, pick: u8) -> Seat {
        let steps = pick.min(2 * self.seats() - 1 - pick);
        Seat::new((self.elephant.number() + steps) % self.seats())
    }

    /// The seat with the next pick of this round; `None` when all are made.
    fn picker(&self) -> Option<Seat> {
        (self.picks < 2 * self.seats()).then(|| self.snake(self.picks))
    }

    /// The face of a die that is still on the table.
    fn face(&self, die: u8) -> Option<Face> {
        self.dice.get(usize::from(die)).copied().flatten()
    }

    fn dice_left(&self) -> impl Iterator<Item = (u8, Face)> + '_ {
        (0..).zip(&self.dice).filter_map(|(die, face)| face.map(|face| (die, face)))
    }

    /// Every way to pick this die.
    fn picks_of(&self, seat: Seat, die: usize) -> impl Iterator<Item = Move> + '_ {
        self.dice[die].into_iter().flat_map(move |face| {
            let pool = &self.players[seat].pool;
            let tokens = Token::ALL.into_iter().filter(move |token| face.places(*token) && pool.has(*token));
            tokens.flat_map(move |token| {
                let screen = (face != Face::Raja).then_some(Place::Screen);
                let named = (face == Face::Raja).then_some(token);
                let places = screen.into_iter().chain(self.open_spaces(seat, token.unit()));
                places.map(move |to| Move::Pick { die: small(die), token: named, to })
            })
        })
    }

    /// mbh.4, mbh.6: the leader spaces with this icon where the seat can place.
    fn open_spaces(&self, seat: Seat, unit: Unit) -> impl Iterator<Item = Place> + '_ {
        (0..).zip(&self.leaders).flat_map(move |(leader, in_play)| {
            let spaces = (0..).zip(&in_play.spaces);
            let open = spaces.filter(move |(_, space)| space.unit == unit && space.is_open_to(seat));
            open.map(move |(space, _)| Place::Space { leader, space })
        })
    }

    /// The number of ways in which the seat can pick each die.
    fn ways(&self, seat: Seat) -> [u32; DICE] {
        let mut open = [0; Unit::ALL.len()];
        for space in self.leaders.iter().flat_map(|in_play| &in_play.spaces) {
            open[space.unit as usize] += u32::from(space.is_open_to(seat));
        }
        let pool = &self.players[seat].pool;
        let on_leaders = |token: Token| if pool.has(token) { open[token.unit() as usize] } else { 0 };
        self.dice.map(|face| match face {
            None => 0,
            Some(Face::Shows(token)) => u32::from(pool.has(token)) + on_leaders(token),
            Some(Face::Raja) => Token::ALL.into_iter().map(on_leaders).sum(),
        })
    }

    /// mbh.3 to mbh.6, for the seat whose pick it is.
    fn check_pick(&self, seat: Seat, die: u8, token: Option<Token>, to: Place) -> Result<(), Illegal> {
        let Some(face) = self.face(die) else {
            return Err(Illegal::new(PICK, format!("There is no die {die} on the table.")).at(0));
        };
        let pool = &self.players[seat].pool;
        let (token, rule, at) = match (face, token) {
            (Face::Shows(token), None) if pool.has(token) => (token, WHERE, 1),
            (Face::Shows(token), None) => {
                return Err(Illegal::new(PICK, format!("You have no {token} left.")).at(0));
            }
            (Face::Shows(shown), Some(_)) => {
                return Err(
                    Illegal::new(PICK, format!("Die {die} shows {shown}: you name a token only for a Raja.")).at(1)
                );
            }
            (Face::Raja, None) => {
                return Err(Illegal::new(RAJA, "Name the token that the Raja places, and a leader space.").at(1));
            }
            (Face::Raja, Some(token)) if pool.has(token) => (token, RAJA, 2),
            (Face::Raja, Some(token)) => {
                let rule = if self.edition.version == 1 { RAJA } else { PICK };
                return Err(Illegal::new(rule, format!("You have no {token} left.")).at(1));
            }
        };
        let Place::Space { leader, space } = to else {
            return match face {
                Face::Shows(_) => Ok(()),
                Face::Raja => Err(Illegal::new(RAJA, "A Raja cannot place a token behind your screen.").at(at)),
            };
        };
        let Some(in_play) = self.leaders.get(usize::from(leader)) else {
            let last = self.leaders.len() - 1;
            return Err(Illegal::new(rule, format!("The leaders in play are 0 to {last}.")).at(at));
        };
        let name = &self.tables.leader(in_play.leader).name;
        let Some(there) = in_play.spaces.get(usize::from(space)) else {
            let last = in_play.spaces.len() - 1;
            return Err(Illegal::new(rule, format!("The spaces of {name} are 0 to {last}.")).at(at));
        };
        if there.unit != token.unit() {
            let text = format!("Space {space} of {name} is for {}, not for {}.", there.unit, token.unit());
            return Err(Illegal::new(rule, text).at(at));
        }
        match there.owner {
            Some(owner) if owner != seat => {
                Err(Illegal::new(CLOSED, format!("Seat {owner} has a token on space {space} of {name}.")).at(at))
            }
            _ => Ok(()),
        }
    }

    /// mbh.3 to mbh.6
    fn pick(&mut self, seat: Seat, die: u8, named: Option<Token>, to: Place, seen: &mut impl Sink<Event>) {
        let face = self.dice[usize::from(die)].take().expect("the die is on the table");
        let token = match face {
            Face::Shows(token) => token,
            Face::Raja => named.expect("a token is named for a Raja"),
        };
        let player = &mut self.players[seat];
        player.pool.take(token);
        match to {
            Place::Screen => {
                player.screen.add(token);
                seen.see(|| Event::Screened { seat, die, token });
            }
            Place::Space { leader, space } => {
                let InPlay { leader: card, spaces } = &mut self.leaders[usize::from(leader)];
                let there = &mut spaces[usize::from(space)];
                there.owner = Some(seat);
                there.stack.add(token);
                let name = || self.tables.name(*card);
                seen.see(|| Event::Placed { seat, die, face, token, leader, name: name(), space });
            }
        }
        self.picks += 1;
    }

    /// Goes on to the next decision, or to the end of the game.
    fn go_on(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        loop {
            self.skip(seen);
            if self.picker().is_some() {
                return;
            }
            self.end_round(seen);
            if self.phase != Phase::Picking {
                return;
            }
            // A round without a pick ends the game, so this repeats at most once.
            self.begin_round(chance, seen);
        }
    }

    /// mbh.7
    fn skip(&mut self, seen: &mut impl Sink<Event>) {
        while let Some(seat) = self.picker() {
            if self.can_pick(seat) {
                return;
            }
            self.picks += 1;
            seen.see(|| Event::Skipped { seat });
        }
    }

    /// mbh.7: whether any of the dice left can be placed. A plain one always can where the pool has its token.
    fn can_pick(&self, seat: Seat) -> bool {
        let pool = &self.players[seat].pool;
        let raja_finds = |token: &Token| pool.has(*token) && self.open_spaces(seat, token.unit()).next().is_some();
        self.dice_left().any(|(_, face)| match face {
            Face::Shows(token) => pool.has(token),
            Face::Raja => Token::ALL.iter().any(raja_finds),
        })
    }

    fn has_complete_pati(&self, seat: Seat) -> bool {
        self.players[seat].screen.parts().are_complete()
    }

    /// mbh.8: the possible answers of a seat that is asked.
    fn answers_of(&self, seat: Seat) -> &'static [Move] {
        if self.has_complete_pati(seat) { &[Move::Reveal, Move::Hold] } else { &[Move::Hold] }
    }

    /// mbh.8, mbh.13: all picks of the round are made.
    fn end_round(&mut self, seen: &mut impl Sink<Event>) {
        let is_asked = |seat: &Seat| self.edition.ask_everyone || self.has_complete_pati(*seat);
        let asked: Seats = Seat::all(self.seats()).filter(is_asked).collect();
        if let Some(reason) = self.ended_by_leaders() {
            self.end(reason, Seats::NONE, seen);
        } else if self.dice.iter().all(Option::is_some) {
            self.end(Reason::DeadEnd, Seats::NONE, seen);
        } else if !asked.is_empty() {
            self.phase = Phase::Answering { asked, reveal: Seats::NONE, hold: Seats::NONE };
            seen.see(|| Event::Asked { seats: asked });
        }
    }

    /// mbh.8: whether every space has a token, or nobody has one to put on those that are empty.
    fn ended_by_leaders(&self) -> Option<Reason> {
        let in_a_pool = Unit::ALL.map(|unit| self.players.values().any(|player| player.pool.has_unit(unit)));
        let spaces = || self.leaders.iter().flat_map(|in_play| &in_play.spaces);
        let is_filled = spaces().all(|space| space.owner.is_some());
        let is_closed = spaces().all(|space| space.owner.is_some() || !in_a_pool[space.unit as usize]);
        match (is_filled, is_closed) {
            (true, _) => Some(Reason::LeadersFilled),
            (false, true) if self.edition.version == 1 => Some(Reason::LeadersFilled),
            (false, true) => Some(Reason::LeadersClosed),
            (false, false) => None,
        }
    }

    /// mbh.8: when all have answered, the game ends if a seat reveals; otherwise a new round begins. Seats that held back
    /// are not named.
    fn answer(&mut self, seat: Seat, reveals: bool, seen: &mut impl Sink<Event>) {
        let Phase::Answering { reveal, hold, .. } = &mut self.phase else { return };
        if reveals {
            reveal.insert(seat);
        } else {
            hold.insert(seat);
        }
        let (revealed, held) = (*reveal, *hold);
        seen.see(|| Event::Answered { seat });
        if !self.to_act().is_empty() {
            return;
        }
        seen.see(|| Event::AnswersShown { revealed, held: (self.edition.version == 1).then_some(held) });
        if revealed.is_empty() {
            self.phase = Phase::Picking;
        } else {
            self.end(Reason::PatiRevealed, revealed, seen);
        }
    }

    /// mbh.2: the elephant goes to the left and all dice are rolled.
    fn begin_round(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let dice = self.tables.roll(chance);
        self.round += 1;
        self.elephant = self.elephant.left(self.seats());
        self.dice = dice.map(Some);
        self.picks = 0;
        seen.see(|| Event::RoundBegan { seat: self.elephant, round: self.round, dice: dice.to_vec() });
    }

    fn end(&mut self, reason: Reason, revealed: Seats, seen: &mut impl Sink<Event>) {
        self.phase = Phase::Over { reason, revealed };
        seen.see(|| Event::Ended { reason, points: self.score().scores.map(|score| score.points) });
    }

    /// The cause of the end, if the game has ended, and the seats that revealed a Pati.
    fn ended(&self) -> (Option<Reason>, Seats) {
        match self.phase {
            Phase::Over { reason, revealed } => (Some(reason), revealed),
            Phase::Picking | Phase::Answering { .. } => (None, Seats::NONE),
        }
    }

    /// mbh.10 to mbh.12
    fn score(&self) -> Details {
        let (reason, revealed) = self.ended();
        let leaders: Vec<LeaderScore> = self
            .leaders
            .iter()
            .map(|in_play| {
                let influence = BySeat::each(self.seats(), |seat| in_play.influence(seat));
                let points = self.tables.leader(in_play.leader).points;
                LeaderScore::new(self.tables.name(in_play.leader), points, influence)
            })
            .collect();
        let scores = BySeat::each(self.seats(), |seat| {
            let pati = if self.has_complete_pati(seat) { PATI_POINTS } else { 0 };
            let taken = leaders.iter().filter(|leader| leader.taker == Some(seat));
            let leaders = taken.map(|leader| leader.points).sum();
            Score { leaders, pati, points: leaders + pati }
        });
        let (verdict, tied, winner) = Verdict::of(&scores.map(|score| score.points));
        Details { reason, revealed, leaders, scores, verdict, tied, winner }
    }

    fn die_view(&self, die: u8, face: Face) -> DieView {
        DieView { die, unit: self.tables.kind_of_die(die.into()).0, face }
    }

    fn view_player(&self, seat: Seat, viewer: Viewer) -> PlayerView {
        let Player { pool, screen } = &self.players[seat];
        let own = viewer.sees(seat);
        let parts = screen.parts();
        let answer = match self.phase {
            Phase::Answering { reveal, .. } if reveal.contains(seat) => Some(Answer::Reveal),
            Phase::Answering { hold, .. } if hold.contains(seat) => Some(Answer::Hold),
            _ => None,
        };
        let left = |token: Token| TokensLeft { token, left: pool.count(token) };
        PlayerView {
            left: pool.len(),
            screened: screen.len(),
            pool: own.then(|| Token::ALL.map(left).to_vec()),
            pati: own.then(|| PatiView { tokens: screen.sorted(), parts, complete: parts.are_complete() }),
            answer: answer.filter(|_| own),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pick { die, token: None, to } => write!(f, "d{die} {to}"),
            Move::Pick { die, token: Some(token), to } => write!(f, "d{die} {token} {to}"),
            Move::Reveal => f.write_str("reveal"),
            Move::Hold => f.write_str("hold"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Screen => f.write_str("screen"),
            Place::Space { leader, space } => write!(f, "l{leader}.{space}"),
        }
    }
}

impl FromStr for Move {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Move, Unreadable> {
        let mut tokens = text.split(' ');
        let read = match (tokens.next(), tokens.next(), tokens.next(), tokens.next()) {
            (Some("reveal"), None, ..) => Some(Move::Reveal),
            (Some("hold"), None, ..) => Some(Move::Hold),
            (Some(die), Some(to), None, _) => read_pick(die, None, to),
            (Some(die), Some(token), Some(to), None) => read_pick(die, Some(token), to),
            _ => None,
        };
        read.ok_or_else(|| Unreadable::expected("'d3 screen', 'd3 l1.2', 'd3 CAVALRY2 l1.2', 'reveal' or 'hold'", text))
    }
}

fn read_pick(die: &str, token: Option<&str>, to: &str) -> Option<Move> {
    let die = read_number(die.strip_prefix('d')?)?;
    let token = token.map(Token::from_str).transpose().ok()?;
    Some(Move::Pick { die, token, to: read_place(to)? })
}

fn read_place(text: &str) -> Option<Place> {
    match text.strip_prefix('l') {
        None => (text == "screen").then_some(Place::Screen),
        Some(place) => {
            let (leader, space) = place.split_once('.')?;
            Some(Place::Space { leader: read_number(leader)?, space: read_number(space)? })
        }
    }
}

/// Digits, with no 0 before others, so that a number is written in one way only.
fn read_number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?
}
