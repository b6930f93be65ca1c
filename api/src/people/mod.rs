//! Players: registration, tokens, statistics and deletion.

mod deletion;
mod name;
mod players;
mod statistics;

pub use deletion::{delete_any_player, delete_player, finish_deletions};
pub use name::DELETED;
pub use players::{
    Issued, Me, RegisterPlayer, Registered, issue_token, me, player, players, register, revoke_token, revoke_tokens,
    tokens, update,
};
pub use statistics::{head_to_head, statistics};
