//! The file of the embedded database as a whole: backups while it is in use, and exclusive use.
//!
//! Each function has a connection of its own: none of this waits for the pools of a server.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode};
use sqlx::{ConnectOptions, Connection, Executor};

use super::{Result, StoreError};

/// Creates a file readable by its owner only, because seeds and hands are secrets. Fails if it exists.
pub fn create_private(file: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Writes the database as of one moment into another file, which is empty or does not exist. Servers may go on writing.
pub async fn back_up(file: &Path, into: &str) -> Result<()> {
    let mut db = options(file).connect().await?;
    sqlx::query("VACUUM INTO $1").bind(into).execute(&mut db).await?;
    db.close().await?;
    Ok(())
}

/// What a database holds.
pub struct Contents {
    pub players: i64,
    pub games: i64,
    pub running: i64,
}

/// Checks a file that nobody uses: its pages, indexes and references. Changes nothing. The error is a predicate of the
/// file.
pub async fn check(file: &Path) -> std::result::Result<Contents, String> {
    let unreadable = |error: sqlx::Error| format!("is not a database of Maidan: {error}");
    let mut db = options(file).read_only(true).immutable(true).connect().await.map_err(unreadable)?;
    let contents = contents(&mut db).await.map_err(unreadable)?;
    for pragma in ["PRAGMA integrity_check(1)", "PRAGMA foreign_key_check"] {
        let problems = db.fetch_all(pragma).await.map_err(unreadable)?;
        let is_ok = |row| sqlx::Row::try_get::<String, _>(row, 0).is_ok_and(|text| text == "ok");
        if !problems.iter().all(is_ok) {
            return Err(format!("is damaged: {pragma} finds {} problems.", problems.len()));
        }
    }
    Ok(contents)
}

async fn contents(db: &mut SqliteConnection) -> sqlx::Result<Contents> {
    let count = "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM games),
             (SELECT count(*) FROM games WHERE status = 'RUNNING')";
    let (players, games, running) = sqlx::query_as(count).fetch_one(db).await?;
    Ok(Contents { players, games, running })
}

/// A database that no other process uses, and that none can use until this is dropped.
pub struct Exclusive(pub SqliteConnection);

/// How long to wait for the last connections of a process that is ending.
const PATIENCE: Duration = Duration::from_secs(3);

impl Exclusive {
    /// Fails with [`StoreError::Away`] if another process uses the database.
    pub async fn open(file: &Path) -> Result<Exclusive> {
        let started = std::time::Instant::now();
        loop {
            match Exclusive::lock(file).await.map_err(StoreError::from) {
                Err(StoreError::Away(_)) if started.elapsed() < PATIENCE => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                locked => return locked.map(Exclusive),
            }
        }
    }

    /// Without a write-ahead log, so that the database is one file.
    async fn lock(file: &Path) -> sqlx::Result<SqliteConnection> {
        let options = options(file).locking_mode(SqliteLockingMode::Exclusive).busy_timeout(Duration::ZERO);
        let mut db = options.connect().await?;
        db.execute("PRAGMA journal_mode = DELETE").await?;
        db.execute("BEGIN EXCLUSIVE").await?;
        Ok(db)
    }

    /// The number of games; none if the file is not a database of Maidan.
    pub async fn games(&mut self) -> Result<i64> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'games'";
        let tables: i64 = sqlx::query_scalar(sql).fetch_one(&mut self.0).await?;
        Ok(if tables == 0 { 0 } else { contents(&mut self.0).await?.games })
    }
}

/// Marks an embedded database as in use, for as long as it lives. The pools of an idle server have no connection open.
pub struct InUse {
    _connection: SqliteConnection,
}

impl InUse {
    pub async fn mark(file: &Path) -> Result<InUse> {
        let mut connection = options(file).connect().await?;
        // With a write-ahead log, a connection that has read keeps its shared lock.
        connection.execute("SELECT count(*) FROM sqlite_schema").await?;
        Ok(InUse { _connection: connection })
    }
}

/// An existing file.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).create_if_missing(false).disable_statement_logging()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{PoolLimits, Sqlite, Store};

    #[tokio::test]
    async fn a_database_that_is_marked_as_in_use_cannot_be_opened_for_exclusive_use() {
        let file = std::env::temp_dir().join(format!("maidan_in_use_{}.db", std::process::id()));
        let second = Duration::from_secs(5);
        let limits = PoolLimits { connections: 3, acquire: second, statement: second };
        let store = Store::Sqlite(Sqlite::open(&file, &limits));
        store.migrate().await.expect("it is new");
        drop(store);
        let mark = InUse::mark(&file).await.expect("it exists");
        assert!(matches!(Exclusive::open(&file).await, Err(StoreError::Away(_))));
        drop(mark);
        let exclusive = Exclusive::open(&file).await.expect("nobody uses it now");
        assert!(matches!(InUse::mark(&file).await, Err(StoreError::Away(_))), "nor can it be used meanwhile");
        drop(exclusive);
        std::fs::remove_file(&file).expect("it is one file again");
    }
}
