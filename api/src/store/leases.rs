//! Leases: each gives one process a slice of a task for a short time, so that not all do the same work. Acting never
//! depends on a lease; it is always a compare-and-set. The database's clock decides when a lease has expired.

use std::time::Duration;

use sqlx::Row;
use uuid::Uuid;

use super::{Result, Store};
use crate::ids::{AppId, GameId};
use crate::model::At;

/// The number of slices. A game belongs to the slice of the first hexadecimal digit of its id's last byte: the first
/// bytes of an id are a time.
const SLICES: i16 = 16;

impl Store {
    /// Takes every slice of the task that is free, and renews those that `holder` has. Returns the slices that it holds.
    pub async fn take_leases(&self, task: &str, holder: Uuid, lease: Duration) -> Result<Vec<i16>> {
        let slices: Vec<i16> = (0..SLICES).collect();
        let milliseconds = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
        match self {
            Store::Postgres(db) => {
                let rows = sqlx::query(
                    "INSERT INTO leases (task, slice, holder, until)
                     SELECT $1, slice, $2, now() + $4 * interval '1 millisecond' FROM unnest($3::smallint[]) AS slice
                     ON CONFLICT (task, slice) DO UPDATE SET holder = excluded.holder, until = excluded.until
                     WHERE leases.holder = excluded.holder OR leases.until < now()
                     RETURNING slice",
                )
                .bind(task)
                .bind(holder)
                .bind(slices)
                .bind(milliseconds)
                .fetch_all(&db.writes)
                .await?;
                rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
            }
            // The file belongs to one process, which needs no lease.
            Store::Sqlite(_) => Ok(slices),
        }
    }

    /// Running games of these slices that have waited for a bot for at least `waited` longer than their bots pause.
    pub async fn games_waiting_for_bots(
        &self,
        slices: &[i16],
        waited: Duration,
        limit: i64,
    ) -> Result<Vec<(GameId, AppId)>> {
        let waited = i64::try_from(waited.as_millis()).unwrap_or(i64::MAX);
        let digits: Vec<String> = slices.iter().map(|slice| format!("{slice:x}")).collect();
        match self {
            Store::Postgres(db) => Ok(sqlx::query_as(
                "SELECT g.id, g.app_id FROM games g JOIN entries e ON e.game_id = g.id AND e.version = g.version
                 WHERE g.status = 'RUNNING' AND g.bot_seats <> 0 AND (g.to_act & g.bot_seats) <> 0
                    AND substr(g.id::text, 35, 1) = ANY($1)
                    AND e.at < now() - ($2 + g.bot_pause_ms) * interval '1 millisecond'
                 ORDER BY g.id LIMIT $3",
            )
            .bind(digits)
            .bind(waited)
            .bind(limit)
            .fetch_all(&db.reads)
            .await?),
            Store::Sqlite(db) => Ok(sqlx::query_as(
                "SELECT g.id, g.app_id FROM games g JOIN entries e ON e.game_id = g.id AND e.version = g.version
                 WHERE g.status = 'RUNNING' AND g.bot_seats <> 0 AND (g.to_act & g.bot_seats) <> 0
                    AND e.at < $1 - ($2 + g.bot_pause_ms) * 1000
                 ORDER BY g.id LIMIT $3",
            )
            .bind(At::now())
            .bind(waited)
            .bind(limit)
            .fetch_all(&db.reads)
            .await?),
        }
    }
}
