//! `maidan copy`: moves a service from one kind of database to the other.

use std::path::Path;
use std::time::{Duration, Instant};

use super::backup::in_use;
use super::progress::Progress;
use super::{defaults, opened, verify};
use crate::config::Database;
use crate::store::StoreError;
use crate::store::copy::{self, End};
use crate::store::embedded::Exclusive;

/// How long to wait for the last connections of a process that is ending.
const PATIENCE: Duration = Duration::from_secs(3);

/// Copies everything, and verifies the copy. The source is not changed, and the target has all rows or none.
pub async fn copy(from: &str, to: &str) -> Result<(), String> {
    let (source, target) = (place(from)?, place(to)?);
    if source.is_embedded() == target.is_embedded() {
        return Err("Copy from sqlite: to postgres://, or the other way. To duplicate a database of one kind use \
                    'maidan backup' or pg_dump."
            .into());
    }
    let store = opened(&source).await?;
    if !store.is_migrated().await.map_err(|error| error.to_string())? {
        return Err(format!("{} is not migrated to this build. Run maidan migrate first.", source.describe()));
    }
    drop(store);
    eprintln!("Target: {}", target.describe());
    let failed = |error: StoreError| format!("{}: {error}", target.describe());
    let store = target.store()?;
    store.migrate().await.map_err(failed)?;
    drop(store);

    let (mut reading, mut writing) = (end(&source).await?, end(&target).await?);
    for end in [&mut reading, &mut writing] {
        end.begin().await.map_err(|error| error.to_string())?;
    }
    if writing.rows().await.map_err(failed)? > 0 {
        return Err(format!("{} is not empty. Copy into a new database.", target.describe()));
    }
    let mut progress = Progress::new("rows copied", reading.rows().await.map_err(|error| error.to_string())?);
    let copied = copy::copy(&mut reading, &mut writing, |rows| progress.add(rows)).await?;
    writing.commit().await.map_err(failed)?;
    for copied in copied {
        println!("{:<17} {:>12} rows", copied.table, copied.rows);
    }
    let verified = verify::stored(&target.store()?).await?;
    match verified.wrong {
        0 => {
            println!("The copy is complete, and its {} running and finished games are valid.", verified.games);
            Ok(())
        }
        wrong => Err(format!(
            "The copy is complete, but {wrong} of {} games are invalid, as they probably are in {}.",
            verified.games,
            source.describe()
        )),
    }
}

/// `sqlite:FILE` or the URL of Postgres.
fn place(text: &str) -> Result<Database, String> {
    let database = defaults().database;
    match text.strip_prefix("sqlite:") {
        Some(file) => {
            let data = Path::new(file.trim_start_matches("//")).into();
            Ok(Database { database_url: None, database_url_file: None, data, ..database })
        }
        None if text.starts_with("postgres://") || text.starts_with("postgresql://") => {
            Ok(Database { database_url: Some(text.to_string().into()), ..database })
        }
        None => Err("A database is sqlite:FILE or postgres://…".into()),
    }
}

/// A connection to a database that no server uses.
async fn end(database: &Database) -> Result<End, String> {
    let Some(url) = database.url() else {
        let locked = Exclusive::open(&database.data).await;
        return locked.map(|Exclusive(db)| End::Sqlite(db)).map_err(|error| in_use(&database.data, error));
    };
    let failed = |error: StoreError| format!("{}: {error}", database.describe());
    let mut db = copy::connect(url).await.map_err(failed)?;
    let started = Instant::now();
    while copy::is_in_use(&mut db).await.map_err(failed)? {
        if started.elapsed() > PATIENCE {
            return Err(format!("{} is in use. Stop all servers first.", database.describe()));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(End::Postgres(db))
}
