//! The rules of Maidan's games, and nothing else: no clock, no entropy, no file, no network. Seeds and
//! moves come in, values go out.
//!
//! Read [`Rules`] first: the trait that every kind of game implements. [`Game`] wraps a kind with what every
//! sitting shares (plies, resigning, the ply limit) and is the only interface for service, replay and verification.
//! [`contract`] states what every kind promises and checks it by random play.

mod about;
mod any;
#[cfg(test)]
mod asserted;
pub mod bot;
mod chance;
pub mod contract;
#[cfg(test)]
mod evenness;
mod faults;
mod first_seat;
mod game;
pub mod games;
#[cfg(test)]
mod golden;
mod imagination;
mod outcome;
pub mod perft;
pub mod playout;
mod record;
mod refusal;
mod rules;
mod saved;
mod seat;
mod small;

pub use about::{About, Board, Cell, Change, Component, OptionAbout, OptionValue, Place, RuleAbout};
pub use any::{AnyDetails, AnyEvent, AnyGame, AnyMove, AnyOptions, AnyOutcome, AnyStep, AnyView, Kind, Listed};
pub use chance::{Chance, Commitment, Entropy, Seed};
pub use game::{Act, Bots, Game, PLY_LIMIT, Refusal, Step, TABLE_RULES};
pub use imagination::Imagination;
pub use outcome::{Ending, Outcome, Standing, places_by};
pub use record::{Bot, Derived, Entry, EntryKind, Origin, Record, RecordedMove, Untrue};
pub use refusal::{Illegal, RuleId, Unreadable};
pub use rules::{Continuation, Continuations, Nobody, Rules, Sink, TokenType, follow};
pub use saved::{Unloadable, is_known_format};
pub use seat::{BySeat, Over, Seat, Seats, Viewer};
