//! The use cases of games, shared by both APIs. No HTTP, no SQL.

mod access;
mod branch;
mod create;
mod expire;
mod follow;
mod history;
mod join;
mod leave;
mod list;
mod log;
mod look;
mod play;
mod record;
mod rematch;
mod retry;
mod seed;
mod snapshot;
mod table;

pub use access::scope;
pub use branch::{BranchGame, branch};
pub use create::{CreateGame, NewSeat, create};
pub use expire::expire;
pub use follow::{GameChange, InboxChange, follow, follow_inbox, wait};
pub use history::{Moment, at, replay};
pub use join::{JoinGame, join};
pub use leave::{cancel, leave, leave_seat};
pub use list::{Page, count, inbox, list, page_size};
pub use log::{LogEntry, log};
pub use look::{Explanation, continuations, explain, game, kinds, legal_moves};
pub use play::{Choice, PlayMove, Played, play, resign, resign_seat};
pub use record::{Export, export, record};
pub use rematch::rematch;
pub use seed::add_client_seed;
pub use snapshot::{Snapshot, rematch_of};
pub use table::Table;
