//! Hints between replicas. A hint says that games changed, never what changed. Only Postgres has replicas.

use sqlx::postgres::PgListener;

use super::{Result, Store};

/// The channel of `NOTIFY`.
const CHANNEL: &str = "maidan_hints";

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
                let mut listener = PgListener::connect_with(&db.hints).await?;
                listener.listen(CHANNEL).await?;
                Ok(HintListener(Some(listener)))
            }
            Store::Sqlite(_) => Ok(HintListener(None)),
        }
    }
}

/// Receives hints. On SQLite, whose file belongs to one process, none ever arrive.
pub struct HintListener(Option<PgListener>);

impl HintListener {
    /// The next hint. `None` after a reconnect: hints may have been lost.
    pub async fn next(&mut self) -> Result<Option<String>> {
        match &mut self.0 {
            Some(listener) => {
                let notification = listener.try_recv().await?;
                Ok(notification.map(|notification| notification.payload().to_string()))
            }
            None => std::future::pending().await,
        }
    }
}
