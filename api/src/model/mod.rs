//! The data model: games, their logs, players, apps and callers.
//!
//! Nothing here depends on SQL, HTTP or GraphQL. `store` reads it from rows.

mod at;
mod caller;
mod cursor;
mod entry;
mod filter;
mod game;
mod key;
mod player;
mod sitting;

pub use at::At;
pub use caller::{Caller, Principal};
pub use cursor::{Cursor, Head, Tag};
pub use entry::{Entry, EntryKind, NewEntry, PlayedEntry};
pub use filter::{GameFilter, Scope};
pub use game::{
    BotSettings, Change, Game, GameResult, Metadata, MetadataChange, NewGame, Occupant, Origin, Position, SeatChange,
    Sitter, Status, Stored, Version, Visibility,
};
pub use key::{Creation, IdempotencyKey, OwnedKey};
pub use player::{ActiveToken, App, AppKey, GUESTS, HeadToHead, NewToken, Player, Tally, Ticket};
pub use sitting::Sitting;
