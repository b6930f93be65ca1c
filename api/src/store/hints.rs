//! Hints between replicas: that games changed, never what. Only Postgres has replicas.

use sqlx::postgres::PgListener;

use super::{Result, Store};

/// The channel of the hints.
const CHANNEL: &str = "maidan_hints";

impl Store {
    /// Whether other processes may share the data and can be sent hints.
    pub fn has_hints(&self) -> bool {
        matches!(self, Store::Postgres(_))
    }

    /// Sends hints to every replica that listens, outside of every change.
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

/// Hints as they arrive. None ever do on SQLite, whose file belongs to one process.
pub struct HintListener(Option<PgListener>);

impl HintListener {
    /// The next one; `None` if some may have been lost.
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
