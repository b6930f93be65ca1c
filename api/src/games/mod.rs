//! What can be done at a table, whoever asks and by whichever door. No HTTP, no SQL.

mod access;
mod branch;
mod commit;
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
mod players;
mod record;
mod seed;
mod shelf;
mod table;
mod tickets;

pub use branch::{BranchGame, branch};
pub use create::{CreateGame, create};
pub use expire::expire;
pub use follow::{GameChange, InboxChange, Watch, follow, follow_inbox, wait};
pub use history::{Moment, at, replay};
pub use join::{JoinGame, join};
pub use leave::{cancel, leave};
pub use list::{ListGames, Page, inbox, list};
pub use log::{LogEntry, log};
pub use look::{Explanation, continuations, explain, game, kinds, legal_moves};
pub use play::{Choice, PlayMove, Played, play, resign};
pub use players::{Issued, Me, issue_token, me, player, players, register, revoke_token};
pub use record::{Export, export, record};
pub use seed::add_client_seed;
pub use shelf::Shelf;
pub use table::{Table, seed_of};
pub use tickets::{IssuedTicket, issue_ticket};
