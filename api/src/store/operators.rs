//! Reading and deleting for operators: across all apps, whatever callers may see.

use sqlx::AssertSqlSafe;

use super::columns::row;
use super::sql::{Sql, bound};
use super::sqlite::Transaction;
use super::{Result, Store, on};
use crate::ids::{GameId, PlayerId};
use crate::model::{At, GameResult, Status, Visibility};

row! {
    /// A seat of a player, and its game.
    pub struct SeatOfPlayer {
        pub game_id: GameId,
        pub seat: i16,
        pub kind: String,
        pub status: Status,
        pub visibility: Visibility,
        pub place: Option<i16>,
        pub result: Option<GameResult>,
        pub created_at: At,
        pub started_at: Option<At>,
        pub ended_at: Option<At>,
    }
}

row! {
    /// An entry of a game's log by one player.
    pub struct EntryByPlayer {
        pub version: i32,
        pub what: String,
        pub ply: i32,
        pub notation: Option<String>,
        pub at: At,
    }
}

/// The ids, as `doomed`, of games that may be deleted: they have ended, and no branch needs them for its beginning.
fn doomed(origin: &str) -> String {
    format!(
        "SELECT g.id FROM apps a JOIN games g ON g.app_id = a.id
         WHERE g.ended_at IS NOT NULL AND g.status IN ('OVER', 'CANCELLED')
         AND g.id NOT IN (SELECT {origin} FROM games c WHERE c.origin IS NOT NULL)"
    )
}

/// The parent of a branch `c`, as an id.
const ORIGIN_IN_POSTGRES: &str = "CAST(c.origin ->> 'game' AS uuid)";
const ORIGIN_IN_SQLITE: &str = "unhex(c.origin ->> 'game', '-')";

impl Store {
    /// The seats of a player after this game, in the order of the games' ids.
    pub async fn seats_of(&self, player: PlayerId, after: GameId, limit: i64) -> Result<Vec<SeatOfPlayer>> {
        let sql =
            "SELECT s.game_id, s.seat, s.kind, g.status, g.visibility, s.place, s.result, g.created_at, g.started_at,
                g.ended_at
             FROM seatings s JOIN games g ON g.id = s.game_id
             WHERE s.player_id = $1 AND s.game_id > $2 ORDER BY s.game_id LIMIT $3";
        on!(self.reads, db => sqlx::query_as(sql).bind(player).bind(after).bind(limit).fetch_all(db))
    }

    /// What a player did in a game, in order.
    pub async fn entries_by(&self, player: PlayerId, game: GameId) -> Result<Vec<EntryByPlayer>> {
        let sql = "SELECT version, what, ply, notation, at FROM entries
             WHERE game_id = $1 AND player_id = $2 ORDER BY version";
        on!(self.reads, db => sqlx::query_as(sql).bind(game).bind(player).fetch_all(db))
    }

    /// Deletes a game that has ended, with its log. Returns whether there was such a game. One from which others branch
    /// stays.
    pub async fn delete_game(&self, id: GameId) -> Result<bool> {
        let mut sql = Sql::new(&self.doomed());
        sql.push(" AND g.id = ").bind(id);
        Ok(self.delete_games(sql).await? == 1)
    }

    /// The games that ended before a time, oldest first, as far as they may be deleted.
    pub async fn ended_before(&self, before: At, limit: i64) -> Result<Vec<GameId>> {
        let sql = format!("{} AND g.ended_at < $1 ORDER BY g.ended_at LIMIT $2", self.doomed());
        on!(self.reads, db => sqlx::query_scalar(AssertSqlSafe(sql)).bind(before).bind(limit).fetch_all(db))
    }

    /// Deletes up to `limit` games that ended before a time, with their logs. Returns how many.
    pub async fn purge(&self, before: At, limit: i64) -> Result<u64> {
        let mut sql = Sql::new(&self.doomed());
        sql.push(" AND g.ended_at < ").bind(before).push(" ORDER BY g.ended_at LIMIT ").bind(limit);
        self.delete_games(sql).await
    }

    fn doomed(&self) -> String {
        doomed(match self {
            Store::Postgres(_) => ORIGIN_IN_POSTGRES,
            Store::Sqlite(_) => ORIGIN_IN_SQLITE,
        })
    }

    /// Deletes the games whose ids a query selects, in one commit.
    async fn delete_games(&self, doomed: Sql) -> Result<u64> {
        match self {
            Store::Postgres(db) => {
                let mut sql = Sql::new("WITH doomed AS (");
                sql.push(&doomed.text).push(
                    "), log AS (DELETE FROM entries USING doomed WHERE game_id = doomed.id
                     ), seats AS (DELETE FROM seatings USING doomed WHERE game_id = doomed.id
                     ), metadata AS (DELETE FROM game_metadata USING doomed WHERE game_id = doomed.id
                     ) DELETE FROM games USING doomed WHERE games.id = doomed.id",
                );
                sql.values = doomed.values;
                Ok(bound!(sql, sqlx::query).execute(&db.writes).await?.rows_affected())
            }
            Store::Sqlite(db) => {
                let mut tx = Transaction::begin(&db.writes).await?;
                let ids: Vec<GameId> = bound!(doomed, sqlx::query_scalar).fetch_all(&mut *tx).await?;
                let mut deleted = 0;
                for id in ids {
                    for table in ["entries", "seatings", "game_metadata"] {
                        let sql = AssertSqlSafe(format!("DELETE FROM {table} WHERE game_id = $1"));
                        sqlx::query(sql).bind(id).execute(&mut *tx).await?;
                    }
                    let sql = "DELETE FROM games WHERE id = $1";
                    deleted += sqlx::query(sql).bind(id).execute(&mut *tx).await?.rows_affected();
                }
                tx.commit().await?;
                Ok(deleted)
            }
        }
    }
}
