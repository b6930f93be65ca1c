//! The log on the wire.

use async_graphql::{Enum, ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Event, Move, Time, int, seat};
use crate::games;
use crate::model::{self, Entry};

/// What an entry of a log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "model::EntryKind")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EntryType {
    /// The game was opened.
    Opened,
    /// A player took a seat.
    Joined,
    /// A player left its seat before the start.
    Left,
    /// All seats were taken and the game began.
    Started,
    /// A seat made a move, or one was made for it.
    Moved,
    /// A seat gave up.
    Resigned,
    /// The game was called off.
    Cancelled,
    /// The game was called off because nobody completed it in time.
    Expired,
    /// A player added to the game's chance.
    Seeded,
}

/// One entry of a game's log.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// Counts the entries of the game, from 1.
    pub version: i32,
    /// What happened.
    #[serde(rename = "what")]
    pub what: EntryType,
    /// The seat that it concerns.
    pub seat: Option<i32>,
    /// The player that it concerns, by id.
    #[schema(value_type = Option<String>)]
    pub player_id: Option<ID>,
    /// How many moves had been made by then.
    pub ply: i32,
    /// The move, where you may see it: open ones at once, secret ones if they are yours or the game is over.
    #[graphql(name = "move")]
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    /// The move in notation, where you may see it.
    pub notation: Option<String>,
    /// Whether the move is kept from others until the game is over.
    pub secret: bool,
    /// Whether the move was made for a seat that had resigned.
    pub auto: bool,
    /// What everybody saw happen.
    pub events: Vec<Event>,
    /// When it was stored.
    pub at: Time,
}

impl From<games::LogEntry> for LogEntry {
    fn from(logged: games::LogEntry) -> LogEntry {
        let games::LogEntry { entry, mv } = logged;
        let Entry {
            version,
            kind,
            seat: of_seat,
            player,
            ply,
            // Shown by `mv`, and only where the caller may see that.
            notation: _,
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
            auto: is_auto,
            events: events.iter().cloned().map(Event::from).collect(),
            at: at.into(),
        }
    }
}

/// A page of a log, oldest entries first.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// The entries.
    pub items: Vec<LogEntry>,
    /// The version to go on after: pass it as `after`.
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
