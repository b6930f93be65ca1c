//! What the service keeps, in the words of the table: games, their logs, the people who play them, and callers.
//!
//! Nothing here knows SQL, HTTP or GraphQL. Scalars derive how a column holds them; everything larger is read from rows
//! inside `store`.

mod at;
mod caller;
mod entry;
mod filter;
mod game;
mod player;
mod sitting;

pub use at::At;
pub use caller::{Caller, Principal};
pub use entry::{Entry, EntryKind, NewEntry, PlayedEntry};
pub use filter::{GameFilter, Scope};
pub use game::{
    Change, Game, GameResult, IdempotencyKey, NewGame, Origin, Position, SeatChange, Sitter, Status, Stored, Version,
    Visibility,
};
pub use player::{ActiveToken, App, GUESTS, HeadToHead, NewToken, Player, Tally, Ticket};
pub use sitting::Sitting;
