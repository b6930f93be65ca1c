//! `maidan backup` and `maidan restore`: the embedded database as one file.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::pin::pin;

use tokio::time::interval;

use super::opened;
use super::progress;
use super::verify;
use crate::config::Database;
use crate::store::embedded::{self, Contents, Exclusive};
use crate::store::{self, Store, StoreError};

const ON_POSTGRES: &str = "this command is for the embedded database. For Postgres use pg_dump and pg_restore, as docs/operating.md \
                           describes.";

/// Writes the database into a new file, while servers may use it. The file is complete or does not exist.
pub async fn backup(file: &Path, database: &Database) -> Result<(), String> {
    if !database.is_embedded() {
        return Err(ON_POSTGRES.into());
    }
    drop(opened(database).await?);
    // Reserves the name, which is replaced when the backup is complete.
    let reserved = New::create(file)?;
    let partial = New::create(&beside(file, "partial"))?;
    let path = std::path::absolute(&partial.0).map_err(|error| error.to_string())?;
    let path = path.to_str().ok_or_else(|| format!("{} is not Unicode.", path.display()))?;
    written(&database.data, &partial.0, path).await.map_err(|error| format!("The backup failed: {error}"))?;
    let checked = embedded::check(&partial.0).await;
    let contents = checked.map_err(|problem| format!("The backup failed: the copy {problem}"))?;
    partial.replace(file)?;
    reserved.keep();
    println!("{}: {}", file.display(), described(&contents));
    Ok(())
}

/// Writes the database into `path`, the file `partial`, and prints how far it is.
async fn written(data: &Path, partial: &Path, path: &str) -> store::Result<()> {
    let megabytes = |file: &Path| file.metadata().map_or(0, |metadata| metadata.len() / 1_000_000);
    let mut writing = pin!(embedded::back_up(data, path));
    let mut ticks = interval(progress::INTERVAL);
    ticks.tick().await;
    loop {
        tokio::select! {
            done = &mut writing => return done,
            _ = ticks.tick() => eprintln!("{} of about {} MB written", megabytes(partial), megabytes(data)),
        }
    }
}

/// Puts a backup in the place of the database, which no server may use. Verifies it first.
pub async fn restore(file: &Path, database: &Database, replace: bool, despite_games: bool) -> Result<(), String> {
    if !database.is_embedded() {
        return Err(ON_POSTGRES.into());
    }
    for log in ["wal", "journal"] {
        if beside_with_dash(file, log).exists() {
            return Err(format!("{0} is a database in use, not a backup: {0}-{log} is beside it.", file.display()));
        }
    }
    let data = &database.data;
    let mut old = match data.exists() {
        true => Some(Exclusive::open(data).await.map_err(|error| in_use(data, error))?),
        false if beside_with_dash(data, "wal").exists() => {
            return Err(format!("{0}-wal is there without {0}. Move it away.", data.display()));
        }
        false => None,
    };
    let games = match &mut old {
        Some(old) => old.games().await.map_err(|error| format!("{}: {error}", data.display()))?,
        None => 0,
    };
    if games > 0 && !replace {
        return Err(format!(
            "{} holds {games} games. Add --replace to lose them, after another 'maidan backup'.",
            data.display()
        ));
    }
    let new = New::create(&beside(data, "restoring"))?;
    fs::copy(file, &new.0).map_err(|error| format!("{} cannot be copied: {error}", file.display()))?;
    let contents = embedded::check(&new.0).await.map_err(|problem| format!("{} {problem}", file.display()))?;
    let restored = Database { data: new.0.clone(), ..database.clone() };
    verified(&restored.store()?, file, despite_games).await?;
    // Until the connections of the check are closed, its write-ahead log is a second file.
    let whole = Exclusive::open(&new.0).await.map_err(|error| in_use(&new.0, error))?;
    drop(whole);
    if old.is_none() {
        New::create(data)?.keep();
    }
    new.replace(data)?;
    drop(old);
    println!("{}: {}", data.display(), described(&contents));
    Ok(())
}

async fn verified(store: &Store, file: &Path, despite_games: bool) -> Result<(), String> {
    let other = |error: StoreError| format!("{} is from another version of Maidan: {error}", file.display());
    store.migrate().await.map_err(other)?;
    let verified = verify::stored(store).await?;
    match verified.wrong {
        0 => Ok(()),
        _ if despite_games => Ok(()),
        wrong => Err(format!(
            "{wrong} of {} games are invalid. Add --despite-invalid-games to restore them as they are.",
            verified.games
        )),
    }
}

pub fn in_use(file: &Path, error: StoreError) -> String {
    match error {
        StoreError::Away(_) => format!("{} is in use. Stop the server first.", file.display()),
        error => format!("{} cannot be opened: {error}", file.display()),
    }
}

fn described(Contents { players, games, running }: &Contents) -> String {
    format!("{games} games, of which {running} are running, and {players} players")
}

/// `maidan.db.partial` for `maidan.db`.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    name.into()
}

/// `maidan.db-wal` for `maidan.db`, as SQLite names its files.
fn beside_with_dash(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!("-{suffix}"));
    name.into()
}

/// A file that this command created. Dropping it removes the file, unless it is kept.
struct New(PathBuf);

impl New {
    fn create(file: &Path) -> Result<New, String> {
        match embedded::create_private(file) {
            Ok(_) => Ok(New(file.into())),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(format!("{} exists already.", file.display()))
            }
            Err(error) => Err(format!("{} cannot be created: {error}", file.display())),
        }
    }

    /// Puts the file in the place of another, on disk when this returns.
    fn replace(self, other: &Path) -> Result<(), String> {
        let replaced = || -> std::io::Result<()> {
            File::open(&self.0)?.sync_all()?;
            fs::rename(&self.0, other)?;
            let directory = std::path::absolute(other)?;
            directory.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
        };
        replaced().map_err(|error| format!("{} cannot be written: {error}", other.display()))?;
        self.keep();
        Ok(())
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for New {
    fn drop(&mut self) {
        if self.0.as_os_str().is_empty() {
            return;
        }
        let _ = fs::remove_file(&self.0);
        for log in ["wal", "shm"] {
            let _ = fs::remove_file(beside_with_dash(&self.0, log));
        }
    }
}
