//! The trait that every kind of game implements.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{About, Chance, Component, Illegal, Outcome, Seat, Seats, Standing, Unreadable, Viewer};

/// The rules of one kind. The type itself is the state of a game of that kind: everything on the table and
/// in the hands, including everything hidden.
pub trait Rules: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// One decision of one seat. Its text is its notation: tokens with a space between them, none inside.
    type Move: Clone + Debug + Eq + Display + FromStr<Err = Unreadable> + Send + Sync;
    /// An event that everybody at the table sees. Its text is a sentence about it.
    type Event: Clone + Debug + PartialEq + Display + Serialize + DeserializeOwned + Send + Sync;
    /// The table as one viewer may know it.
    type View: Clone + Debug + PartialEq + Serialize + Send + Sync;
    /// The score in detail.
    type Details: Clone + Debug + PartialEq + Serialize + Send + Sync;

    /// The version of the rules that a game is played by, and the options that version 1 does not have. It is saved
    /// beside the rest of the state, so that the saved form of version 1 games never changes. The default is version 1.
    type Edition: Copy + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    const SEATS: RangeInclusive<u8>;
    /// The versions that this build can play. A new one is added when some game could go differently, end differently
    /// or be refused by another rule. Games keep the version that they were opened with.
    const RULES_VERSIONS: RangeInclusive<u32>;

    /// The catalogue entry for this version of the rules.
    fn about(version: u32) -> About;

    /// The tables of components of a game with these options, which [`Rules::check_options`] accepted.
    fn components(_options: &Self::Options, version: u32) -> Vec<Component> {
        Self::about(version).components
    }
    /// The tables that these options give in place of the built-in ones, as they were given.
    fn own_components(_options: &Self::Options) -> Option<serde_json::Value> {
        None
    }

    /// The name of a chosen option that this version does not have, if there is one.
    fn unknown_option(_options: &Self::Options, _version: u32) -> Option<&'static str> {
        None
    }
    /// The options, with defaults filled in for those of this version that were left out.
    fn complete(options: Self::Options, _version: u32) -> Self::Options {
        options
    }
    /// Whether a game can be set up with these options. The caller has checked that the number of seats is in
    /// [`Rules::SEATS`], that the version is in [`Rules::RULES_VERSIONS`], and that it has all the options.
    fn check_options(options: &Self::Options, version: u32, seats: u8) -> Result<(), Illegal>;
    /// The table before the first move, for options that [`Rules::check_options`] accepted.
    fn setup(options: &Self::Options, version: u32, seats: u8, chance: &mut Chance) -> Self;

    /// The version of the rules that this game is played by.
    fn rules_version(&self) -> u32;
    fn edition(&self) -> Self::Edition;
    /// The same position with this edition, for a state that was saved without one.
    fn with_edition(self, edition: Self::Edition) -> Self;
    /// The same position with the tables of components that these options give. They are never saved with the state,
    /// which every move rewrites: a state that was loaded has the built-in tables.
    fn with_components_of(self, _options: &Self::Options) -> Result<Self, Illegal> {
        Ok(self)
    }

    /// The seats that the game is waiting for: one, several at once, or none when it is over.
    fn to_act(&self) -> Seats;
    /// Every legal move of the seat, in a stable order. Lazy, because some hands have very many.
    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Self::Move> + '_;
    /// A random legal move of a seat that is to act.
    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Self::Move {
        let moves: Vec<Self::Move> = self.legal_moves(seat).collect();
        chance.pick(&moves).clone()
    }
    /// Whether the move may be made, or which rule it breaks.
    fn check(&self, seat: Seat, mv: &Self::Move) -> Result<(), Illegal>;
    /// Makes a move that [`Rules::check`] accepts: one that was checked, listed or drawn by [`Rules::any_move`].
    fn make(&mut self, seat: Seat, mv: &Self::Move, chance: &mut Chance, seen: &mut impl Sink<Self::Event>);
    /// Makes the move or names the rule that it breaks. On an error nothing has changed.
    fn apply(
        &mut self,
        seat: Seat,
        mv: &Self::Move,
        chance: &mut Chance,
        seen: &mut impl Sink<Self::Event>,
    ) -> Result<(), Illegal> {
        self.check(seat, mv)?;
        self.make(seat, mv, chance, seen);
        Ok(())
    }
    /// The tokens that may follow `prefix`, which consists of whole tokens of a notation.
    fn continuations(&self, seat: Seat, prefix: &[&str]) -> Continuations {
        follow(self.legal_moves(seat).map(|mv| mv.to_string()), prefix)
    }

    /// The current ranking of the seats.
    fn standing(&self) -> Standing<Self::Details>;
    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome<Self::Details>>;

    /// The table as this viewer may know it, built up field by field from nothing.
    fn view(&self, viewer: Viewer) -> Self::View;
    /// A state that this viewer cannot distinguish from this one: everything it cannot know is redrawn. For
    /// [`Viewer::Open`], a state that no seat can distinguish from this one: everything that any seat knows stays, and
    /// only what nobody knows, such as the order of a deck, is redrawn.
    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Self;
    /// Whether a player may review earlier views while the game goes on. False if the rules test the players' memory.
    fn may_look_back(&self) -> bool {
        true
    }
    /// Whether everybody may see the move at once. A secret move is shown only to its mover until the game is over.
    fn is_open(mv: &Self::Move) -> bool;
    /// The move in words: 'Sow pocket 3'.
    fn describe(&self, seat: Seat, mv: &Self::Move) -> String;
    /// A token that [`Rules::continuations`] lists after `prefix`: its type, and what it means in words.
    fn describe_token(&self, seat: Seat, prefix: &[&str], token: &str) -> (TokenType, String);
}

/// Reads an option that a later version of a kind added: `None` if it is left out; null is refused.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A receiver of events. Events are created lazily, for receivers that keep them.
pub trait Sink<E> {
    fn see(&mut self, event: impl FnOnce() -> E);
}

impl<E> Sink<E> for Vec<E> {
    fn see(&mut self, event: impl FnOnce() -> E) {
        self.push(event());
    }
}

/// Discards events without creating them, for simulations.
pub struct Nobody;

impl<E> Sink<E> for Nobody {
    fn see(&mut self, _event: impl FnOnce() -> E) {}
}

/// The possible continuations of a move that is built token by token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    /// The tokens that may come next, each once, in the order of the legal moves.
    pub next: Vec<String>,
    /// Whether the tokens so far already form a legal move.
    pub is_move: bool,
}

/// The kind of thing that a token of a notation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenType {
    /// A card or another piece, such as a die.
    Card,
    /// A place on the board or at the table.
    Place,
    /// An action.
    Verb,
    /// A number, such as a position in a row of cards.
    Number,
}

/// A token that may come next, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    pub token: String,
    pub text: String,
    pub token_type: TokenType,
}

/// Continuations read off a list of notations.
pub fn follow(notations: impl Iterator<Item = String>, prefix: &[&str]) -> Continuations {
    let mut answer = Continuations::default();
    for notation in notations {
        let mut tokens = notation.split(' ');
        if !prefix.iter().all(|token| tokens.next() == Some(token)) {
            continue;
        }
        match tokens.next() {
            None => answer.is_move = true,
            Some(token) if answer.next.iter().any(|known| known == token) => {}
            Some(token) => answer.next.push(token.to_string()),
        }
    }
    answer
}
