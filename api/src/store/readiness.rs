//! Whether the database serves what requests need: every pool, and a write.

use std::time::Duration;

use futures_util::future::try_join3;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Result, Store, StoreError};
use crate::model::At;

/// How long a successful check holds, unless a connection breaks.
const RECENT: Duration = Duration::from_secs(1);

/// The last check. Concurrent probes share one, so that probes cost the database at most one write per second.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, Result<()>)>>);

impl Readiness {
    pub async fn check(&self, store: &Store) -> Result<()> {
        let asked = Instant::now();
        let mut last = self.0.lock().await;
        if let Some((at, outcome)) = &*last {
            let is_recent = outcome.is_ok() && at.elapsed() < RECENT && Some(*at) > store.broken();
            if is_recent || *at > asked {
                return outcome.as_ref().copied().map_err(StoreError::duplicate);
            }
        }
        let outcome = store.check().await;
        let answer = outcome.as_ref().copied().map_err(StoreError::duplicate);
        *last = Some((Instant::now(), outcome));
        answer
    }
}

impl Store {
    async fn check(&self) -> Result<()> {
        let write = "INSERT INTO readiness (id, at) VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at";
        match self {
            Store::Postgres(db) => {
                let read = async |pool| sqlx::query("SELECT 1").execute(pool).await;
                let written = sqlx::query(write).bind(At::now()).execute(&db.moves);
                try_join3(read(&db.reads), read(&db.lookups), written).await?;
            }
            Store::Sqlite(db) => {
                sqlx::query("SELECT 1").execute(&db.reads).await?;
                sqlx::query(write).bind(At::now()).execute(&db.writes).await?;
            }
        }
        Ok(())
    }

    /// When a connection was last found to be broken.
    fn broken(&self) -> Option<Instant> {
        match self {
            Store::Postgres(db) => db.server.broken(),
            Store::Sqlite(db) => db.server.broken(),
        }
    }

    /// Closes connections that have been idle for long.
    pub fn close_idle(&self) {
        match self {
            Store::Postgres(db) => db.server.close_idle(),
            Store::Sqlite(db) => db.server.close_idle(),
        }
    }
}
