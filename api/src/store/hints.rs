//! Hints between replicas. A hint says that games changed, never what changed. Only Postgres has replicas.

use std::time::Duration;

use sqlx::Executor;
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::time::timeout;

use super::{Result, Store, StoreError};

/// The channel of `NOTIFY`.
const CHANNEL: &str = "maidan_hints";

/// The longest time to connect, or to check the connection.
const LISTEN: Duration = Duration::from_secs(5);
/// A connection on which no hint has arrived for this time is checked.
const SILENCE: Duration = Duration::from_secs(10);

impl Store {
    /// Whether the database can have replicas, and carry hints between them.
    pub fn has_hints(&self) -> bool {
        matches!(self, Store::Postgres(_))
    }

    /// Sends hints to every listening replica, never in the statement of a change.
    pub async fn send_hints(&self, hints: &[String]) -> Result<()> {
        if let Store::Postgres(db) = self {
            sqlx::query("SELECT pg_notify($1, hint) FROM unnest($2::text[]) AS hint")
                .bind(CHANNEL)
                .bind(hints)
                .execute(&db.hints)
                .await?;
        }
        Ok(())
    }

    pub async fn listen_for_hints(&self) -> Result<HintListener> {
        match self {
            Store::Postgres(db) => {
                let options = PgPoolOptions::new().max_connections(1).acquire_timeout(LISTEN);
                let connecting = async {
                    let pool = options.connect_with(db.hints.settings()).await?;
                    let mut listener = PgListener::connect_with(&pool).await?;
                    listener.listen(CHANNEL).await?;
                    Ok(HintListener(Some(listener)))
                };
                timeout(LISTEN, connecting).await.unwrap_or(Err(StoreError::Away(sqlx::Error::PoolTimedOut)))
            }
            Store::Sqlite(_) => Ok(HintListener(None)),
        }
    }
}

/// Receives hints. On SQLite, whose file belongs to one process, none ever arrive.
pub struct HintListener(Option<PgListener>);

impl HintListener {
    /// The next hint. Fails if the connection is lost or silent: hints may have been lost.
    pub async fn next(&mut self) -> Result<String> {
        let Some(listener) = &mut self.0 else { return std::future::pending().await };
        loop {
            if let Ok(received) = timeout(SILENCE, listener.try_recv()).await {
                let lost = || StoreError::Away(sqlx::Error::Io(std::io::ErrorKind::ConnectionAborted.into()));
                return received?.map(|hint| hint.payload().to_string()).ok_or_else(lost);
            }
            let checking = timeout(LISTEN, listener.execute("SELECT 1")).await;
            checking.unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        }
    }
}
