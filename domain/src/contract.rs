//! The contract of every kind, checked by seeded random play.
//!
//! 1. `to_act` is empty exactly when there is an outcome; a seat to act has a legal move, others have none.
//! 2. Every listed move is accepted; a move not listed is refused with a rule that the kind serves; a refused move
//!    changes nothing; notation reads back to the same move; continuations lead along every legal move, each token
//!    with words of its own.
//! 3. Saved and loaded again, the state is the same. Seed, options and moves replay to the same game.
//! 4. No piece appears or disappears.
//! 5. No leak: what a viewer cannot know can be redrawn without that viewer noticing (a–d below), and what nobody
//!    knows without anybody noticing (e).
//! 7. `imagine` depends on nothing but what the viewer knows: imagining an imagined game for the same viewer with the same
//!    chance gives the same game again.
//!
//! The sixth promise, that each fact a player learns is shown by a view, is one test per fact beside each kind.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Chance, Entropy, Game, Illegal, Nobody, Over, PLY_LIMIT, RuleId, Rules, Seat, Seed, Viewer, game};

/// The parts of a kind that the check needs besides its rules.
pub trait Promises: Rules {
    /// Options and numbers of seats worth testing, for this version of the rules.
    fn tables(version: u32) -> Vec<(Self::Options, u8)>;
    /// Every piece of the game, counted: the same from the first move to the last.
    fn inventory(&self) -> BTreeMap<String, u32>;
    /// An arbitrary move: mostly illegal, sometimes legal.
    fn arbitrary_move(&self, chance: &mut Chance) -> Self::Move;
    /// A sensible move that makes progress. Random if that is good enough.
    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Self::Move {
        self.any_move(seat, chance)
    }
    /// The pieces that no seat can locate, in order, in groups within which they could be swapped: the deck, the tiles of
    /// one colour.
    fn hidden_from_all(&self) -> BTreeMap<String, Vec<String>> {
        BTreeMap::new()
    }
    /// The pieces that the viewer cannot locate, each with its place: ("hand 1", "7 of clubs").
    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)>;
    /// Every place where those pieces could be, as far as the viewer knows.
    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)>;
}

/// A broken promise, and where to find it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("promise {promise} is broken in game {game} (version {version}, seats {seats}), ply {ply}: {text}")]
pub struct Broken {
    /// `1` to `4`, `5a` to `5e`, `7`.
    pub promise: &'static str,
    pub game: u64,
    pub version: u32,
    pub seats: u8,
    pub ply: u32,
    pub text: String,
}

/// The number of legal moves of a seat that are checked.
const LISTED: usize = 500;
/// The number of arbitrary moves tried on a position.
const ARBITRARY: usize = 8;
/// The number of moves that an imagined game is played beside the real one.
const PLAYED_ON: usize = 6;
/// How often a position is imagined to check that everything unknown is redrawn.
const IMAGININGS: usize = 1000;
/// The viewer that knows what any seat knows.
const ALL_SEATS: Viewer = Viewer::Open(Over(()));

/// Plays `games` seeded games by each version of the rules and reports the first promise that does not hold.
pub fn check<R: Promises>(games: u64) -> Result<(), Broken> {
    for version in R::RULES_VERSIONS {
        let tables = R::tables(version);
        assert!(!tables.is_empty(), "a kind has tables to play at");
        for (game, (options, seats)) in (0..games).zip(tables.iter().cycle()) {
            Sitting::<R>::new(game, options, version, *seats).run(game < 2 * tables.len() as u64)?;
        }
    }
    Ok(())
}

/// [`check`] for tests: panics with the broken promise.
pub fn uphold<R: Promises>(games: u64) {
    if let Err(broken) = check::<R>(games) {
        panic!("{broken}");
    }
}

/// The number of games a test plays: `MAIDAN_CONTRACT_GAMES`, or this default.
#[expect(clippy::disallowed_methods, reason = "a switch for tests, not read by any rule")]
pub fn games_or(default: u64) -> u64 {
    std::env::var("MAIDAN_CONTRACT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(default)
}

struct Sitting<R: Promises> {
    game: u64,
    version: u32,
    seats: u8,
    options: R::Options,
    entropy: Entropy,
    /// The rules that the kind serves. Cached, because building a catalogue entry with many cards is slow.
    served: Vec<RuleId>,
    /// Decides what is played and which positions are checked closely.
    whim: Chance,
    ply: u32,
}

impl<R: Promises> Sitting<R> {
    fn new(game: u64, options: &R::Options, version: u32, seats: u8) -> Sitting<R> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&game.to_be_bytes());
        Sitting {
            game,
            version,
            seats,
            options: options.clone(),
            entropy: Entropy::new(Seed::new(seed), []),
            served: R::about(version).rules.iter().map(|rule| rule.id).collect(),
            whim: Chance::fast(game),
            ply: 0,
        }
    }

    fn broken(&self, promise: &'static str, text: impl Into<String>) -> Broken {
        let Sitting { game, version, seats, ply, .. } = *self;
        Broken { promise, game, version, seats, ply, text: text.into() }
    }

    fn run(&mut self, imagine_widely: bool) -> Result<(), Broken> {
        game::check_options::<R>(&self.options, self.version, self.seats)
            .map_err(|illegal| self.broken("1", format!("the table cannot be set up: {illegal}")))?;
        let mut state = R::setup(&self.options, self.version, self.seats, &mut self.entropy.table(0));
        let inventory = state.inventory();
        let mut played: Vec<(Seat, R::Move)> = Vec::new();
        let mut seen_events: Vec<String> = Vec::new();
        let sensible = self.game % 2 == 1;
        let wide_at = self.whim.below(40);

        while self.ply < PLY_LIMIT {
            self.turns_and_moves(&state)?;
            self.saved_and_loaded(&state)?;
            if state.inventory() != inventory {
                return Err(self.broken("4", format!("{inventory:?} became {:?}", state.inventory())));
            }
            let seat_to_act = self.seat_to_act(&state);
            // Near the start, now and then, and after the end, when hands still stay closed.
            if self.ply < 4 || seat_to_act.is_none() || self.whim.happens(1, 8) {
                self.no_leak(&state)?;
            }
            let Some(seat) = seat_to_act else { break };
            if imagine_widely && (self.ply == 3 || self.ply == wide_at) {
                self.redrawn_everywhere(&state)?;
                self.redrawn_for_all(&state)?;
            }
            let mv = if sensible && self.whim.happens(3, 4) {
                state.sensible_move(seat, &mut self.whim)
            } else {
                state.any_move(seat, &mut self.whim)
            };
            let mut events = Vec::new();
            let done = state.apply(seat, &mv, &mut self.entropy.table(self.ply + 1), &mut events);
            done.map_err(|illegal| {
                self.broken("2", format!("a move offered by chance, '{mv}', is refused: {illegal}"))
            })?;
            played.push((seat, mv));
            seen_events.push(json(&events));
            self.ply += 1;
        }
        self.replayed(&state, &played, &seen_events)
    }

    /// A random seat to act.
    fn seat_to_act(&mut self, state: &R) -> Option<Seat> {
        let seats: Vec<Seat> = state.to_act().into();
        (!seats.is_empty()).then(|| *self.whim.pick(&seats))
    }

    /// Promises 1 and 2.
    fn turns_and_moves(&mut self, state: &R) -> Result<(), Broken> {
        let to_act = state.to_act();
        if to_act.is_empty() != state.outcome().is_some() {
            return Err(self.broken("1", "a game must wait for a seat exactly as long as it has no outcome"));
        }
        for seat in Seat::all(self.seats) {
            let mut moves: Vec<R::Move> = state.legal_moves(seat).take(LISTED + 1).collect();
            if moves.is_empty() == to_act.contains(seat) {
                return Err(self.broken("1", format!("seat {seat} has {} moves; to act are {to_act:?}", moves.len())));
            }
            let complete = moves.len() <= LISTED;
            moves.truncate(LISTED);
            for _ in 0..ARBITRARY {
                let mv = state.arbitrary_move(&mut self.whim);
                self.listed_or_refused(state, seat, &mv, &moves, complete)?;
            }
            if to_act.contains(seat) {
                self.listed_moves(state, seat, &moves)?;
            }
        }
        Ok(())
    }

    fn listed_moves(&mut self, state: &R, seat: Seat, moves: &[R::Move]) -> Result<(), Broken> {
        let mut notations = BTreeSet::new();
        for mv in moves {
            if let Err(illegal) = state.check(seat, mv) {
                return Err(self.broken("2", format!("'{mv}' is listed and refused: {illegal}")));
            }
            let notation = mv.to_string();
            if notation.parse().as_ref() != Ok(mv) {
                return Err(self.broken("2", format!("'{notation}' does not read back to {mv:?}")));
            }
            if !notations.insert(notation) {
                return Err(self.broken("2", format!("'{mv}' is listed twice")));
            }
        }
        let mv = self.whim.pick(moves).to_string();
        let tokens: Vec<&str> = mv.split(' ').collect();
        for known in 0..=tokens.len() {
            let answer = state.continuations(seat, &tokens[..known]);
            let leads_on = match tokens.get(known) {
                Some(token) => answer.next.iter().any(|next| next == token),
                None => answer.is_move,
            };
            if !leads_on {
                return Err(self.broken("2", format!("continuations stop after {known} tokens of '{mv}'")));
            }
            let mut texts = BTreeSet::new();
            for token in &answer.next {
                let (_, text) = state.describe_token(seat, &tokens[..known], token);
                if text == *token || !texts.insert(text) {
                    return Err(self.broken("2", format!("the token '{token}' after {known} of '{mv}' lacks words")));
                }
            }
        }
        Ok(())
    }

    fn listed_or_refused(
        &self,
        state: &R,
        seat: Seat,
        mv: &R::Move,
        listed: &[R::Move],
        complete: bool,
    ) -> Result<(), Broken> {
        let notation = mv.to_string();
        if notation.parse().as_ref() != Ok(mv) {
            return Err(self.broken("2", format!("'{notation}' does not read back to {mv:?}")));
        }
        let mut tried = state.clone();
        match tried.apply(seat, mv, &mut Chance::fast(0), &mut Nobody) {
            Ok(()) if complete && !listed.contains(mv) => {
                Err(self.broken("2", format!("'{mv}' of seat {seat} is accepted but not listed")))
            }
            Ok(()) => Ok(()),
            Err(Illegal { rule, .. }) if !self.served.contains(&rule) => {
                Err(self.broken("2", format!("'{mv}' is refused by {rule}, which the kind does not serve")))
            }
            Err(illegal) if state.check(seat, mv).as_ref() != Err(&illegal) => {
                Err(self.broken("2", format!("apply and check differ about '{mv}'")))
            }
            Err(_) if tried != *state => Err(self.broken("2", format!("the refused move '{mv}' changed the game"))),
            Err(_) => Ok(()),
        }
    }

    /// Promise 3, first half.
    fn saved_and_loaded(&self, state: &R) -> Result<(), Broken> {
        let game = Game::from_position(state.clone(), self.seats);
        match Game::load(&self.options, self.version, &game.save()) {
            Ok(loaded) if loaded == game => Ok(()),
            Ok(_) => Err(self.broken("3", "saved and loaded again, the state is another one")),
            Err(error) => Err(self.broken("3", format!("a saved state cannot be loaded: {error}"))),
        }
    }

    /// Promise 3, second half.
    fn replayed(&mut self, last: &R, played: &[(Seat, R::Move)], seen_events: &[String]) -> Result<(), Broken> {
        let mut state = R::setup(&self.options, self.version, self.seats, &mut self.entropy.table(0));
        for ((ply, (seat, mv)), seen) in (0..).zip(played).zip(seen_events) {
            let mut events = Vec::new();
            state.make(*seat, mv, &mut self.entropy.table(ply + 1), &mut events);
            if json(&events) != *seen {
                self.ply = ply;
                return Err(self.broken("3", format!("'{mv}' replays to other events")));
            }
        }
        if state != *last {
            return Err(self.broken("3", "the same moves replay to another state"));
        }
        Ok(())
    }

    /// Promise 5, parts a to c.
    fn no_leak(&mut self, state: &R) -> Result<(), Broken> {
        for viewer in self.viewers() {
            let other = state.imagine(viewer, &mut self.whim);
            if other.inventory() != state.inventory() {
                return Err(self.broken("4", format!("imagining for {viewer:?} makes or loses pieces")));
            }
            self.looks_the_same(state, &other, viewer)?;
            self.imagined_from_what_is_known(state, &other, viewer)?;
            self.plays_the_same(state.clone(), other, viewer)?;
        }
        self.nobody_notices(state)?;
        self.secret_choices_look_alike(state)
    }

    /// Promise 7.
    fn imagined_from_what_is_known(&mut self, state: &R, other: &R, viewer: Viewer) -> Result<(), Broken> {
        let luck = u64::from(self.whim.next_u32());
        if state.imagine(viewer, &mut Chance::fast(luck)) == other.imagine(viewer, &mut Chance::fast(luck)) {
            return Ok(());
        }
        Err(self.broken("7", format!("what {viewer:?} imagines depends on what it cannot know")))
    }

    /// 5e, first half: a game in which only what nobody knows is redrawn looks the same to everybody.
    fn nobody_notices(&mut self, state: &R) -> Result<(), Broken> {
        let other = state.imagine(ALL_SEATS, &mut self.whim);
        if other.inventory() != state.inventory() {
            return Err(self.broken("4", "imagining for all seats makes or loses pieces"));
        }
        // What nobody knows is redrawn when a game is branched, and older versions must keep their draw.
        if self.version == *R::RULES_VERSIONS.end() {
            self.imagined_from_what_is_known(state, &other, ALL_SEATS)?;
        }
        for viewer in self.viewers() {
            self.looks_the_same(state, &other, viewer).map_err(|broken| Broken { promise: "5e", ..broken })?;
        }
        let viewer = *self.whim.pick(&self.viewers());
        self.plays_the_same(state.clone(), other, viewer).map_err(|broken| Broken { promise: "5e", ..broken })
    }

    /// 5e, second half: everything that nobody knows is redrawn.
    fn redrawn_for_all(&mut self, state: &R) -> Result<(), Broken> {
        let mut possible = BTreeSet::new();
        for (group, pieces) in state.hidden_from_all() {
            for place in 0..pieces.len() {
                possible.extend(pieces.iter().map(|piece| (group.clone(), place, piece.clone())));
            }
        }
        let mut drawn = BTreeSet::new();
        for _ in 0..IMAGININGS {
            for (group, pieces) in state.imagine(ALL_SEATS, &mut self.whim).hidden_from_all() {
                drawn.extend(pieces.into_iter().enumerate().map(|(place, piece)| (group.clone(), place, piece)));
            }
        }
        match possible.symmetric_difference(&drawn).next() {
            None => Ok(()),
            Some((group, place, piece)) => {
                Err(self.broken("5e", format!("nobody knows where in {group} {piece} lies, but is it at {place}?")))
            }
        }
    }

    fn viewers(&self) -> Vec<Viewer> {
        Seat::all(self.seats).map(Viewer::Seat).chain([Viewer::Spectator]).collect()
    }

    /// 5a: view, seats to act, outcome, legal moves, continuations and refusals are byte for byte the same.
    fn looks_the_same(&mut self, state: &R, other: &R, viewer: Viewer) -> Result<(), Broken> {
        let (view, twin) = (json(&state.view(viewer)), json(&other.view(viewer)));
        if view != twin {
            return Err(self.broken("5a", format!("the view of {viewer:?} differs:\n{view}\n{twin}")));
        }
        if state.to_act() != other.to_act() || state.outcome() != other.outcome() {
            return Err(self.broken("5a", format!("to_act or the outcome differ for {viewer:?}")));
        }
        let Viewer::Seat(seat) = viewer else { return Ok(()) };
        let listed = |state: &R| -> Vec<(String, String)> {
            let moves = state.legal_moves(seat).take(LISTED);
            moves.map(|mv| (mv.to_string(), state.describe(seat, &mv))).collect()
        };
        if listed(state) != listed(other) {
            return Err(self.broken("5a", format!("the legal moves of seat {seat} reveal what it cannot know")));
        }
        if state.to_act().contains(seat) {
            let notation = state.any_move(seat, &mut self.whim).to_string();
            let tokens: Vec<&str> = notation.split(' ').collect();
            let said = |state: &R, known: usize| -> Vec<_> {
                let prefix = &tokens[..known];
                let next = state.continuations(seat, prefix).next;
                next.into_iter().map(|token| (state.describe_token(seat, prefix, &token), token)).collect()
            };
            if (0..=tokens.len()).any(|known| said(state, known) != said(other, known)) {
                let text = format!("the continuations of seat {seat} towards '{notation}' reveal what it cannot know");
                return Err(self.broken("5a", text));
            }
        }
        for _ in 0..ARBITRARY {
            let mv = state.arbitrary_move(&mut self.whim);
            if state.check(seat, &mv) != other.check(seat, &mv) {
                return Err(
                    self.broken("5a", format!("the refusal of '{mv}' of seat {seat} reveals what it cannot know"))
                );
            }
        }
        Ok(())
    }

    /// 5b: as long as the viewer's views stay equal, so do the events it is shown.
    fn plays_the_same(&mut self, mut state: R, mut other: R, viewer: Viewer) -> Result<(), Broken> {
        for _ in 0..PLAYED_ON {
            let Some(seat) = self.seat_to_act(&state).filter(|seat| other.to_act().contains(*seat)) else { break };
            let mv = state.any_move(seat, &mut self.whim);
            if other.check(seat, &mv).is_err() {
                break;
            }
            let luck = u64::from(self.whim.next_u32());
            let (mut seen, mut twin_seen) = (Vec::new(), Vec::new());
            state.make(seat, &mv, &mut Chance::fast(luck), &mut seen);
            other.make(seat, &mv, &mut Chance::fast(luck), &mut twin_seen);
            if json(&state.view(viewer)) != json(&other.view(viewer)) {
                break;
            }
            if json(&seen) != json(&twin_seen) {
                let (seen, twin) = (json(&seen), json(&twin_seen));
                return Err(self.broken("5b", format!("the events of '{mv}' differ for {viewer:?}:\n{seen}\n{twin}")));
            }
            if state.to_act() != other.to_act() {
                return Err(self.broken("5b", format!("to_act after '{mv}' reveals too much to {viewer:?}")));
            }
            if state.outcome().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// 5c: two different secret choices look the same to everybody else while others still have to choose.
    fn secret_choices_look_alike(&mut self, state: &R) -> Result<(), Broken> {
        for seat in state.to_act().iter() {
            let (one, two) = (state.any_move(seat, &mut self.whim), state.any_move(seat, &mut self.whim));
            if one == two || R::is_open(&one) || R::is_open(&two) {
                continue;
            }
            let after = |mv: &R::Move| {
                let (mut next, mut seen) = (state.clone(), Vec::new());
                next.make(seat, mv, &mut Chance::fast(1), &mut seen);
                (next, json(&seen))
            };
            let ((first, seen), (second, twin_seen)) = (after(&one), after(&two));
            let mut rest = state.to_act();
            rest.remove(seat);
            if rest.is_empty() || first.to_act() != rest || second.to_act() != rest {
                continue;
            }
            for viewer in self.viewers().into_iter().filter(|viewer| *viewer != Viewer::Seat(seat)) {
                if seen != twin_seen || json(&first.view(viewer)) != json(&second.view(viewer)) {
                    let text = format!("{viewer:?} can tell whether seat {seat} chose '{one}' or '{two}'");
                    return Err(self.broken("5c", text));
                }
            }
        }
        Ok(())
    }

    /// 5d: every unknown piece is seen in every place where it can be, and nowhere else.
    fn redrawn_everywhere(&mut self, state: &R) -> Result<(), Broken> {
        for viewer in self.viewers() {
            let possible = state.possible(viewer);
            let mut drawn = BTreeSet::new();
            for _ in 0..IMAGININGS {
                drawn.extend(state.imagine(viewer, &mut self.whim).unknown(viewer));
            }
            if let Some((place, piece)) = possible.difference(&drawn).next() {
                return Err(self.broken("5d", format!("{viewer:?} never imagines {piece} at {place}")));
            }
            if let Some((place, piece)) = drawn.difference(&possible).next() {
                return Err(self.broken("5d", format!("{viewer:?} imagines {piece} at {place}, where it cannot be")));
            }
        }
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("states, views and events are plain data")
}
