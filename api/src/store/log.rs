//! Logs of games.

use domain::Kind;
use sqlx::AssertSqlSafe;

use super::rows::{self, ENTRY, EntryRow, PlayedEntryRow, number};
use super::{Result, Store, on};
use crate::ids::{GameId, PlayerId};
use crate::model::{Entry, PlayedEntry, Version};

impl Store {
    /// A game's entries after a version, in order.
    pub async fn entries(&self, game: GameId, kind: Kind, after: Version, limit: i64) -> Result<Vec<Entry>> {
        let sql = format!("SELECT {ENTRY} FROM entries WHERE game_id = $1 AND version > $2 ORDER BY version LIMIT $3");
        let rows: Vec<EntryRow> = on!(self.reads, db =>
            sqlx::query_as(AssertSqlSafe(sql)).bind(game).bind(after).bind(limit).fetch_all(db))?;
        rows.into_iter().map(|row| row.read(kind)).collect()
    }

    /// All moves and resignations up to this ply and this version, in order.
    pub async fn played_entries(&self, game: GameId, ply: u32, version: Version) -> Result<Vec<PlayedEntry>> {
        let sql = "SELECT version, what, seat, notation, bot_level, bot_version, is_auto, at FROM entries
             WHERE game_id = $1 AND ply <= $2 AND version <= $3 AND what IN ('MOVED', 'RESIGNED') ORDER BY version";
        let rows: Vec<PlayedEntryRow> = on!(self.reads, db =>
            sqlx::query_as(sql).bind(game).bind(number(ply)).bind(version).fetch_all(db))?;
        rows::all(rows)
    }

    /// The entry that a player's request with this idempotency key wrote; without a player, the app's request.
    pub async fn entry_by_key(
        &self,
        game: GameId,
        kind: Kind,
        player: Option<PlayerId>,
        key: &str,
    ) -> Result<Option<Entry>> {
        let sender = if player.is_some() { "player_id = $3" } else { "player_id IS NULL AND $3 IS NULL" };
        let sql = format!("SELECT {ENTRY} FROM entries WHERE game_id = $1 AND key = $2 AND {sender}");
        let row: Option<EntryRow> = on!(self.reads, db =>
            sqlx::query_as(AssertSqlSafe(sql)).bind(game).bind(key).bind(player).fetch_optional(db))?;
        row.map(|row| row.read(kind)).transpose()
    }
}
