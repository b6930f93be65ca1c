//! Errors of the store.

use std::io::ErrorKind;

use crate::error::Error;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique value is taken. Holds the name of the constraint.
    #[error("unique constraint violated: {0}")]
    Taken(String),
    /// The database is unreachable or overloaded. The outcome of a write in flight is unknown.
    #[error("the database is unavailable: {0}")]
    Away(sqlx::Error),
    /// The queue for the database is full. Nothing was stored.
    #[error("the queue for the database is full")]
    QueueFull,
    /// A row holds a value that this build cannot read.
    #[error("unreadable value in the database: {0}")]
    Unreadable(&'static str),
    #[error("database error: {0}")]
    Failed(sqlx::Error),
    #[error("migration failed: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}

pub type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    /// The same error for another request of the same batch.
    pub fn duplicate(&self) -> StoreError {
        let text = |error: &dyn std::error::Error| sqlx::Error::Io(std::io::Error::other(error.to_string()));
        match self {
            StoreError::Taken(constraint) => StoreError::Taken(constraint.clone()),
            StoreError::Away(error) => StoreError::Away(text(error)),
            StoreError::QueueFull => StoreError::QueueFull,
            StoreError::Unreadable(value) => StoreError::Unreadable(value),
            StoreError::Failed(error) => StoreError::Failed(text(error)),
            StoreError::Migration(error) => StoreError::Failed(text(error)),
        }
    }

    /// Whether the database rejected the statement because of a value in it, or because of a conflicting transaction.
    /// Then nothing was stored, and retrying the changes one by one may succeed.
    pub fn is_rejection(&self) -> bool {
        match self {
            StoreError::Taken(_) | StoreError::Failed(sqlx::Error::Database(_)) => true,
            StoreError::Away(sqlx::Error::Database(error)) => error.code().is_some_and(|code| code.starts_with("40")),
            _ => false,
        }
    }
}

/// Whether SQLite may succeed later: its code, without the details, is busy, locked, read-only, input or output, disk full,
/// or cannot open.
fn is_passing(code: &str) -> bool {
    code.len() < 5 && code.parse().is_ok_and(|code: u32| [5, 6, 8, 10, 13, 14].contains(&(code & 0xff)))
}

/// Classifies database errors by their meaning to the caller.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        use sqlx::Error::*;
        match &error {
            Database(db) if db.is_unique_violation() => {
                // Postgres names the constraint; SQLite lists its columns.
                StoreError::Taken(db.constraint().unwrap_or(db.message()).to_string())
            }
            // The pool has too much to do: see `Pool::check_backlog`.
            Io(error) if error.kind() == ErrorKind::ResourceBusy => StoreError::QueueFull,
            Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed | Protocol(_) => StoreError::Away(error),
            Database(db) => match db.code().as_deref() {
                // Connection exceptions, operator intervention, insufficient resources, a statement or lock that timed
                // out, a transaction that was rolled back for another, a former primary that is read-only now.
                Some(code)
                    if ["08", "53", "57", "40"].iter().any(|class| code.starts_with(class) && code.len() == 5)
                        || ["55P03", "25006"].contains(&code) =>
                {
                    StoreError::Away(error)
                }
                Some(code) if is_passing(code) => StoreError::Away(error),
                _ => StoreError::Failed(error),
            },
            _ => StoreError::Failed(error),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::Away(cause) => {
                tracing::warn!(%cause, "database unavailable");
                Error::Unavailable
            }
            StoreError::QueueFull => {
                tracing::debug!("the queue for the database is full; refusing the request");
                Error::Busy("The server has more requests than it can serve. Nothing was executed: try again.")
            }
            StoreError::Taken(_) | StoreError::Unreadable(_) | StoreError::Failed(_) | StoreError::Migration(_) => {
                tracing::error!(%error, "database operation failed");
                Error::Internal
            }
        }
    }
}
