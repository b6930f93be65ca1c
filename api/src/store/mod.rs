//! The database: SQL only. No rules, no permissions, no decisions.
//!
//! Methods are in one file per noun. A statement that both databases accept is written once, and [`on!`] runs it on the
//! database in use. Where the databases differ, the method dispatches to [`Postgres`] or [`Sqlite`].

mod admission;
mod apps;
mod attendance;
mod batch;
mod batched_reads;
mod checksum;
mod columns;
pub mod copy;
pub mod embedded;
mod error;
mod games;
mod hints;
mod keys;
mod leases;
mod lists;
mod log;
mod metadata;
mod migrations;
mod operators;
mod people;
mod pool;
mod postgres;
mod readiness;
mod rows;
mod sql;
mod sqlite;
mod statement;
#[cfg(test)]
mod tests;
mod time;
mod tokens;

pub use batch::Batcher;
pub use error::{Result, StoreError};
pub use lists::GamePage;
pub use postgres::{PoolLimits, Postgres};
pub use readiness::Readiness;
pub use sqlite::Sqlite;

/// The database in use.
pub enum Store {
    Postgres(Postgres),
    Sqlite(Sqlite),
}

/// Runs the same query on the database in use: `on!(self.reads, db => sqlx::query(…).fetch_all(db))`.
macro_rules! on {
    ($store:ident.$pool:ident, $db:ident => $query:expr) => {
        match $store {
            $crate::store::Store::Postgres($crate::store::Postgres { $pool: $db, .. }) => $query.await,
            $crate::store::Store::Sqlite($crate::store::Sqlite { $pool: $db, .. }) => $query.await,
        }
        .map_err($crate::store::StoreError::from)
    };
}
use on;

/// Executes the same statement on the database in use. Returns the number of affected rows.
macro_rules! execute {
    ($store:ident.$pool:ident, $query:expr) => {
        match $store {
            $crate::store::Store::Postgres($crate::store::Postgres { $pool: db, .. }) => {
                $query.execute(db).await.map(|done| done.rows_affected())
            }
            $crate::store::Store::Sqlite($crate::store::Sqlite { $pool: db, .. }) => {
                $query.execute(db).await.map(|done| done.rows_affected())
            }
        }
        .map_err($crate::store::StoreError::from)
    };
}
use execute;

impl Store {
    /// Applies all pending migrations.
    pub async fn migrate(&self) -> Result<()> {
        match self {
            Store::Postgres(db) => {
                // Another process may migrate for as long as it takes.
                let unlimited = [("statement_timeout", "0"), ("lock_timeout", "0")];
                let mut connection = db.writes.connect_with(|settings| settings.options(unlimited)).await?;
                db.migrate(&mut connection, &migrations::postgres()).await?;
            }
            Store::Sqlite(db) => {
                let mut connection = db.writes.connect_with(|settings| settings).await?;
                migrations::sqlite().run(&mut connection).await?;
            }
        }
        Ok(())
    }

    /// Whether no migration has been applied: nobody has used this database for Maidan yet.
    pub async fn is_empty(&self) -> Result<bool> {
        self.ping().await?;
        Ok(self.applied_migrations().await.is_empty())
    }

    /// The versions of the applied migrations. None if there is no table of them.
    async fn applied_migrations(&self) -> Vec<i64> {
        let sql = "SELECT version FROM _sqlx_migrations WHERE success";
        let applied: Result<Vec<i64>> = on!(self.reads, db => sqlx::query_scalar(sql).fetch_all(db));
        applied.unwrap_or_default()
    }

    /// Whether all migrations of this build have been applied.
    pub async fn is_migrated(&self) -> Result<bool> {
        let migrations = match self {
            Store::Postgres(_) => migrations::postgres(),
            Store::Sqlite(_) => migrations::sqlite(),
        };
        let applied = self.applied_migrations().await;
        Ok(migrations.iter().all(|migration| applied.contains(&migration.version)))
    }

    pub async fn ping(&self) -> Result<()> {
        execute!(self.reads, sqlx::query("SELECT 1")).map(drop)
    }
}
