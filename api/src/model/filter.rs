//! Filters of game lists.

use domain::Kind;

use super::{At, GameResult, Status};
use crate::ids::PlayerId;

/// Conditions on games. All must hold; `None` matches every game.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub kind: Option<Kind>,
    pub status: Option<Status>,
    /// Only games in which this player has a seat.
    pub player: Option<PlayerId>,
    /// Only games in which this player is an opponent of `player`.
    pub opponent: Option<PlayerId>,
    /// The result for `player`.
    pub result: Option<GameResult>,
    pub is_practice: Option<bool>,
    /// The app's own id of the game.
    pub external_id: Option<String>,
    pub created_from: Option<At>,
    pub created_before: Option<At>,
    pub ended_from: Option<At>,
    pub ended_before: Option<At>,
}

/// The games of an app that a caller may see.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    All,
    PublicAndOwn(PlayerId),
    Public,
}
