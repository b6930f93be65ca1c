//! The log on the wire.

use async_graphql::{Enum, ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::{EntryBot, Event, Move, Time, int, seat};
use crate::games;
use crate::ids::PlayerId;
use crate::model::{self, Entry};

/// The type of a log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "model::EntryKind")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EntryType {
    /// The game was opened.
    Opened,
    /// A player or a bot took a seat.
    Joined,
    /// A player left its seat before the start.
    Left,
    /// All seats were taken and the game began.
    Started,
    /// A seat, or the bot that plays for it, made a move.
    Moved,
    /// A seat resigned.
    Resigned,
    /// The game was cancelled.
    Cancelled,
    /// The game was cancelled because not all seats were taken in time.
    Expired,
    /// A player contributed to the game's randomness.
    Seeded,
}

/// One entry of a game's log.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// The number of the entry, counted from 1.
    pub version: i32,
    /// The kind of change.
    #[serde(rename = "what")]
    pub what: EntryType,
    /// The seat concerned.
    pub seat: Option<i32>,
    /// The id of the player concerned. When a bot takes a seat, the player who seated it; null if the app did.
    #[schema(value_type = Option<PlayerId>)]
    pub player_id: Option<ID>,
    /// The number of moves made by then.
    pub ply: i32,
    /// The move, if you may see it: an open move immediately, a secret move if it is yours or the game is over.
    #[graphql(name = "move")]
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    /// The move in notation, if you may see it.
    pub notation: Option<String>,
    /// Whether the move is hidden from others until the game is over.
    pub secret: bool,
    /// The bot that made the move or took the seat; null if none did.
    pub bot: Option<EntryBot>,
    /// Whether the move was drawn at random for a seat that had resigned, in a game begun before there were bots.
    pub auto: bool,
    /// The events, which everyone at the table sees.
    pub events: Vec<Event>,
    /// When it was stored.
    pub at: Time,
}

impl From<games::LogEntry> for LogEntry {
    fn from(logged: games::LogEntry) -> LogEntry {
        let games::LogEntry { entry, mv } = logged;
        let Entry {
            version,
            // Part of cursors only.
            tag: _,
            kind,
            seat: of_seat,
            player,
            ply,
            // Rendered from `mv`, and only if the caller may see the move.
            notation: _,
            bot,
            is_auto,
            is_secret,
            events,
            key_hash: _,
            at,
        } = entry;
        LogEntry {
            version: version.0,
            what: kind.into(),
            seat: of_seat.map(seat),
            player_id: player.map(|id| ID(id.to_string())),
            ply: int(ply),
            notation: mv.as_ref().map(ToString::to_string),
            mv: mv.map(Move::from),
            secret: is_secret,
            bot: bot.map(EntryBot::from),
            auto: is_auto,
            events: events.iter().cloned().map(Event::from).collect(),
            at: at.into(),
        }
    }
}

/// A page of a log, oldest entry first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// The entries.
    pub items: Vec<LogEntry>,
    /// The version of the last entry. Pass it as `after` to get the next page.
    pub end_cursor: Option<i32>,
    /// Whether more entries follow.
    pub has_more: bool,
}

impl From<(Vec<games::LogEntry>, bool)> for LogPage {
    fn from((entries, has_more): (Vec<games::LogEntry>, bool)) -> LogPage {
        let items: Vec<LogEntry> = entries.into_iter().map(LogEntry::from).collect();
        LogPage { end_cursor: items.last().map(|entry| entry.version), items, has_more }
    }
}
