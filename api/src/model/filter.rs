//! Which games a list shows.

use domain::Kind;

use super::{At, GameResult, Status};
use crate::ids::PlayerId;

/// Narrows a list of games. What is `None` does not narrow.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub kind: Option<Kind>,
    pub status: Option<Status>,
    /// Only games in which this player sits.
    pub player: Option<PlayerId>,
    /// Only games in which the player meets this one.
    pub opponent: Option<PlayerId>,
    /// The result for the player.
    pub result: Option<GameResult>,
    pub is_practice: Option<bool>,
    pub created_from: Option<At>,
    pub created_before: Option<At>,
    pub ended_from: Option<At>,
    pub ended_before: Option<At>,
}

/// Which of an app's games a caller may see.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    All,
    PublicAndOwn(PlayerId),
    Public,
}
