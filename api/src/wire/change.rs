//! The messages of streams, and tickets for them.

use async_graphql::{ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Game, LogEntry, Time, int};
use crate::auth::IssuedTicket;
use crate::games;
use crate::ids::GameId;

/// A change of a game: the log entries since the previous message, and the current game.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameChange {
    /// The version before this change. In the first message of a stream without a cursor it equals `version`.
    pub after: i32,
    /// The version after this change.
    pub version: i32,
    /// The cursor of this change. Pass it as `after` to resume.
    pub cursor: String,
    /// Whether entries are left out, because you were too far behind or the server's database was set back. Read the log
    /// to get them.
    pub resync: bool,
    /// All log entries after `after`, up to `version`, in order.
    pub entries: Vec<LogEntry>,
    /// The current game, as you may see it.
    pub game: Game,
    /// The picture of the game, as you may see it, as SVG. Null unless the stream was opened with `picture`, and before
    /// the game has started.
    #[graphql(skip)]
    pub picture: Option<String>,
}

impl From<games::GameChange> for GameChange {
    fn from(games::GameChange { after, entries, resync, game }: games::GameChange) -> GameChange {
        GameChange {
            after: after.0,
            version: game.table.game().version.0,
            cursor: game.table.game().head().to_string(),
            resync,
            entries: entries.into_iter().map(LogEntry::from).collect(),
            game: game.into(),
            picture: None,
        }
    }
}

/// A change of your inbox.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxChange {
    /// The cursor of this change. Pass it as `after` to resume.
    pub cursor: String,
    /// Whether the inbox changed while you were disconnected. `opened` then has all games that wait for you.
    pub resync: bool,
    /// The games that have begun to wait for your decision, oldest first.
    pub opened: Vec<Game>,
    /// The ids of the games that no longer wait for you.
    #[schema(value_type = Vec<GameId>)]
    pub closed: Vec<ID>,
    /// The number of games that wait for you, at most one page.
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

/// A ticket that opens one stream, for clients that cannot send headers when they open it. It may open the same stream
/// again until two minutes after the stream was last open.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamTicket {
    /// The ticket: mdn_tkt_… Send it as the query parameter `ticket` of the stream. Null if the request is repeated: it
    /// is shown only once.
    pub ticket: Option<String>,
    /// When the ticket expires if it is not used.
    pub expires_at: Time,
}

impl From<IssuedTicket> for StreamTicket {
    fn from(IssuedTicket { ticket, expires_at, repeated: _ }: IssuedTicket) -> StreamTicket {
        StreamTicket { ticket, expires_at: expires_at.into() }
    }
}
