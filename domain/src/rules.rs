//! What a kind of game has to say.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{About, Chance, Illegal, Outcome, Seat, Seats, Standing, Unreadable, Viewer};

/// The rules of one kind. The type itself is the state of a game of that kind: everything on the table and
/// in the hands, the hidden things too.
pub trait Rules: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// One decision of one seat. Its text is its notation: tokens with a space between them, none inside.
    type Move: Clone + Debug + Eq + Display + FromStr<Err = Unreadable> + Send + Sync;
    /// What everybody at the table sees happen. Its text is a sentence about it.
    type Event: Clone + Debug + PartialEq + Display + Serialize + DeserializeOwned + Send + Sync;
    /// What one viewer may know.
    type View: Clone + Debug + PartialEq + Serialize + Send + Sync;
    /// What there is to tell about the score.
    type Details: Clone + Debug + PartialEq + Serialize + Send + Sync;

    /// Which version of the rules a game is played by, and those of its options that version 1 does not have. It is
    /// part of the state, but kept beside it, so that games of version 1 are kept as ever. The default is version 1.
    type Edition: Copy + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    const SEATS: RangeInclusive<u8>;
    /// The versions that this build can play. A new one is added when some game could go differently, end differently
    /// or be refused by another rule. Games keep the version that they were opened with.
    const RULES_VERSIONS: RangeInclusive<u32>;

    /// The kind as it is by this version of its rules.
    fn about(version: u32) -> About;

    /// The name of an option that was chosen and that this version does not have.
    fn unknown_option(_options: &Self::Options, _version: u32) -> Option<&'static str> {
        None
    }
    /// The options with all that was left out, and that this version has, as it is by default.
    fn complete(options: Self::Options, _version: u32) -> Self::Options {
        options
    }
    /// Whether a game can be set up so. The number of seats is one of [`Rules::SEATS`], the version one of
    /// [`Rules::RULES_VERSIONS`], and all options are known to it.
    fn check_options(options: &Self::Options, version: u32, seats: u8) -> Result<(), Illegal>;
    /// The table before the first move, for options that [`Rules::check_options`] accepted.
    fn setup(options: &Self::Options, version: u32, seats: u8, chance: &mut Chance) -> Self;

    /// The version of the rules that this game is played by.
    fn rules_version(&self) -> u32;
    fn edition(&self) -> Self::Edition;
    /// The same position, played by another edition: for a state that was kept without it.
    fn with_edition(self, edition: Self::Edition) -> Self;

    /// The seats whose decision the game waits for: one, several at once, none when it is over.
    fn to_act(&self) -> Seats;
    /// Every legal move of the seat, lazily, in a stable order: some hands have very many.
    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Self::Move> + '_;
    /// A legal move by chance, of a seat that is to act.
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
    /// What may follow the tokens chosen so far. `prefix` are whole tokens of a notation.
    fn continuations(&self, seat: Seat, prefix: &[&str]) -> Continuations {
        follow(self.legal_moves(seat).map(|mv| mv.to_string()), prefix)
    }

    /// How the seats rank as things stand.
    fn standing(&self) -> Standing<Self::Details>;
    /// The end, if it has come.
    fn outcome(&self) -> Option<Outcome<Self::Details>>;

    /// What this viewer may know, built up field by field from nothing.
    fn view(&self, viewer: Viewer) -> Self::View;
    /// A state that this viewer could not tell from this one: everything it cannot know drawn anew. For
    /// [`Viewer::Open`], one that no seat could tell from this one: what any seat knows stays, only what nobody knows,
    /// such as the order of a deck, is drawn anew.
    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Self;
    /// Whether a player may look again, while the game goes on, at what it was shown before. Not where the rules leave it
    /// to the player to remember.
    fn may_look_back(&self) -> bool {
        true
    }
    /// Whether all may see the move at once; a secret one is shown to its mover, and to all after the end.
    fn is_open(mv: &Self::Move) -> bool;
    /// The move in words: 'Sow pocket 3'.
    fn describe(&self, seat: Seat, mv: &Self::Move) -> String;
}

/// Reads an option that later versions of a kind added: left out it is `None`, and null is no value of it.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Where events go. The event is made only if somebody looks.
pub trait Sink<E> {
    fn see(&mut self, event: impl FnOnce() -> E);
}

impl<E> Sink<E> for Vec<E> {
    fn see(&mut self, event: impl FnOnce() -> E) {
        self.push(event());
    }
}

/// Nobody looks: simulation pays nothing for events.
pub struct Nobody;

impl<E> Sink<E> for Nobody {
    fn see(&mut self, _event: impl FnOnce() -> E) {}
}

/// An answer to somebody who builds a move token by token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    /// The tokens that may come next, each once, in the order of the legal moves.
    pub next: Vec<String>,
    /// Whether the tokens so far are a legal move as they stand.
    pub is_move: bool,
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
