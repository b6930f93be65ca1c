//! Apps, their players, and the tokens that identify them.

use domain::Kind;

use super::At;
use crate::ids::{AppId, AppKeyId, PlayerId, TokenId};

/// The name of the built-in app in which anyone may register.
pub const GUESTS: &str = "guests";

/// An app: it owns players and games, and sees nothing of other apps.
#[derive(Clone, Debug)]
pub struct App {
    pub id: AppId,
    pub name: String,
    pub created_at: At,
    pub revoked_at: Option<At>,
}

/// A key of an app. It holds nothing that could be used to authenticate.
#[derive(Clone, Debug)]
pub struct AppKey {
    pub id: AppKeyId,
    pub app_id: AppId,
    /// The operator's name for it, unique among the app's active keys.
    pub name: String,
    pub created_at: At,
    pub revoked_at: Option<At>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: PlayerId,
    pub app_id: AppId,
    pub external_id: Option<String>,
    /// Empty once the player is deleted.
    pub name: String,
    /// Whether it is a program, as its app says. A guest never is.
    pub is_bot: bool,
    /// When the player was deleted. Only its seats remain.
    pub deleted_at: Option<At>,
    pub created_at: At,
}

/// A token to store: its hash, never its secret.
#[derive(Clone, Debug)]
pub struct NewToken {
    pub id: TokenId,
    pub player_id: PlayerId,
    pub hash: Vec<u8>,
    /// The hash of the player's own token with which it is issued. It is revoked with that one.
    pub issued_with: Option<Vec<u8>>,
    pub created_at: At,
    pub expires_at: Option<At>,
}

/// A token that has neither expired nor been revoked, without its secret.
#[derive(Clone, Debug)]
pub struct ActiveToken {
    pub id: TokenId,
    pub created_at: At,
    pub expires_at: Option<At>,
    /// Whether the request that asks was made with it.
    pub is_current: bool,
}

/// A ticket that opens one stream on behalf of a token, and resumes it.
#[derive(Clone, Debug)]
pub struct Ticket {
    pub hash: Vec<u8>,
    pub token_hash: Vec<u8>,
    /// Whether the token is an app's key.
    pub is_app: bool,
    /// The player that the app acts as.
    pub act_as: Option<PlayerId>,
    pub expires_at: At,
    /// How often it has opened its stream.
    pub openings: i32,
}

/// A player's results in one kind.
#[derive(Clone, Debug)]
pub struct Tally {
    pub kind: Kind,
    pub played: i64,
    pub won: i64,
    pub shared: i64,
    pub drawn: i64,
    pub lost: i64,
    /// The sum of all places.
    pub places: i64,
    /// The number of most recent games in a row that were won or shared.
    pub current_streak: i64,
    pub longest_streak: i64,
}

/// The results of one player against another in one kind.
#[derive(Clone, Debug)]
pub struct HeadToHead {
    pub kind: Kind,
    pub played: i64,
    pub ahead: i64,
    pub level: i64,
    pub behind: i64,
}
