//! Work that may take any time, such as a migration: it goes on as long as Postgres works on it.

use std::pin::pin;
use std::time::Duration;

use sqlx::PgConnection;
use sqlx::migrate::{MigrateError, Migrator};
use tokio::time::timeout;

use super::{Postgres, Result, StoreError};

/// How often to ask whether Postgres still works on it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most questions in a row that may remain without an answer.
const MOST_FAILURES: u32 = 3;

impl Postgres {
    /// Migrates on a connection whose statements have no deadline.
    pub(super) async fn migrate(&self, connection: &mut PgConnection, migrator: &Migrator) -> Result<()> {
        let asking = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut *connection);
        let backend = self.writes.in_time(asking).await?;
        self.attend(backend, async { migrator.run(connection).await.map_err(passing) }).await
    }

    /// Does work on the connection of this backend. Fails if the connection has gone silent: the backend has ended, or it
    /// waits for a statement that does not arrive.
    async fn attend(&self, backend: i32, work: impl Future<Output = Result<()>>) -> Result<()> {
        let mut work = pin!(work);
        let mut failures = 0;
        loop {
            if let Ok(done) = timeout(PATIENCE, &mut work).await {
                return done;
            }
            match self.is_at_work(backend).await {
                Ok(true) => failures = 0,
                Ok(false) => {
                    // It may hold locks, and does not know that nobody listens.
                    let end = sqlx::query("SELECT pg_terminate_backend($1)").bind(backend);
                    let _ = end.execute(&self.writes).await;
                    return Err(StoreError::Away(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())));
                }
                Err(error) => {
                    failures += 1;
                    if failures == MOST_FAILURES {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Whether a backend executes a statement, or has just done so.
    async fn is_at_work(&self, backend: i32) -> Result<bool> {
        let sql = "SELECT count(*) > 0 FROM pg_stat_activity
             WHERE pid = $1 AND coalesce(state NOT LIKE 'idle%' OR state_change > clock_timestamp() - interval '5 s', true)";
        Ok(sqlx::query_scalar(sql).bind(backend).fetch_one(&self.writes).await?)
    }
}

/// A database that goes away during a migration is no reason to give up.
fn passing(error: MigrateError) -> StoreError {
    let (MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _)) = &error else { return error.into() };
    let is_passing = match cause {
        sqlx::Error::Database(db) => {
            db.code().is_some_and(|code| ["08", "53", "57", "40"].iter().any(|class| code.starts_with(class)))
        }
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        _ => false,
    };
    match error {
        MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _) if is_passing => {
            StoreError::from(cause)
        }
        error => error.into(),
    }
}
