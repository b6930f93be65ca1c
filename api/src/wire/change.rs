//! What streams carry.

use async_graphql::{ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Game, LogEntry, Time, int};
use crate::auth::IssuedTicket;
use crate::games;

/// What became of a game since you last heard of it: a range of its log, and the game as it is now.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameChange {
    /// The version that you had seen. In the first message of a stream without a cursor it is the game's own.
    pub after: i32,
    /// The version that you have seen now: go on after this one.
    pub version: i32,
    /// Whether you were so far behind that the entries are left out. Read the log if you want them.
    pub resync: bool,
    /// Every entry of the log after `after`, up to `version`, in order.
    pub entries: Vec<LogEntry>,
    /// The game as you may see it now.
    pub game: Game,
}

impl From<games::GameChange> for GameChange {
    fn from(games::GameChange { after, entries, resync, game }: games::GameChange) -> GameChange {
        GameChange {
            after: after.0,
            version: game.table.game().version.0,
            resync,
            entries: entries.into_iter().map(LogEntry::from).collect(),
            game: game.into(),
        }
    }
}

/// What became of your inbox since you last heard of it.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxChange {
    /// A name for what you have seen now: go on after this one.
    pub cursor: String,
    /// Whether something had changed while you were away: `opened` then has all the games that wait for you.
    pub resync: bool,
    /// Games in which a decision of yours has opened, the oldest first, each as you may see it now.
    pub opened: Vec<Game>,
    /// The ids of games that wait for you no longer.
    #[schema(value_type = Vec<String>)]
    pub closed: Vec<ID>,
    /// How many games wait for you, as far as a page reaches.
    pub waiting: i32,
}

impl From<games::InboxChange> for InboxChange {
    fn from(change: games::InboxChange) -> InboxChange {
        let games::InboxChange { cursor, resync, opened, closed, waiting } = change;
        InboxChange {
            cursor,
            resync,
            opened: opened.into_iter().map(Game::from).collect(),
            closed: closed.into_iter().map(|id| ID(id.to_string())).collect(),
            waiting: int(waiting),
        }
    }
}

/// Opens one stream, once, for a client that cannot send a header with it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamTicket {
    /// The ticket: mdn_tkt_… Send it as the parameter `ticket` of the stream's address.
    pub ticket: String,
    /// Until when it must be used.
    pub expires_at: Time,
}

impl From<IssuedTicket> for StreamTicket {
    fn from(IssuedTicket { ticket, expires_at }: IssuedTicket) -> StreamTicket {
        StreamTicket { ticket, expires_at: expires_at.into() }
    }
}
