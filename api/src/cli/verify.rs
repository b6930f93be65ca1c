//! `maidan verify`: checks records, and replays running games before a deployment.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use domain::{Derived, Record, Untrue};
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::opened;
use super::progress::Progress;
use crate::config::Database;
use crate::error::Error;
use crate::games;
use crate::ids::GameId;
use crate::model::{Game, Position, Status};
use crate::store::{Store, StoreError};

/// Verifies every record in the files and prints a line for each. With `bots`, derives the moves of bots again.
pub fn files(files: &[PathBuf], bots: bool) -> Result<(), String> {
    let (mut records, mut invalid) = (0, 0);
    for file in files {
        let read: Box<dyn Read> = if file == Path::new("-") {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(File::open(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?)
        };
        let before = records;
        // Split first: an unreadable record must not hide the records after it.
        for text in Deserializer::from_reader(BufReader::new(read)).into_iter::<Box<RawValue>>() {
            let record = text.and_then(|text| serde_json::from_str::<Record>(text.get()));
            records += 1;
            let place = format!("{} record {}", file.display(), records - before);
            match record {
                Err(error) => {
                    invalid += 1;
                    println!("{place}: invalid: not a record: {error}");
                }
                Ok(record) => {
                    let id = record.game_id.as_deref().unwrap_or("no id");
                    let game = format!("{place}: {id}, {}", record.kind);
                    match checked(&record, bots) {
                        Ok(found) => println!("{game}, {found}"),
                        Err(wrong) => {
                            invalid += 1;
                            println!("{game}: invalid: {wrong}");
                        }
                    }
                }
            }
        }
        if records == before {
            invalid += 1;
            println!("{}: invalid: it holds no record", file.display());
        }
    }
    match invalid {
        0 => {
            println!(
                "Commitments, deals and dice, moves, outcomes and chains are valid: {records} of {records} records."
            );
            Ok(())
        }
        _ => Err(format!("{invalid} of {} records are invalid.", records.max(invalid))),
    }
}

/// The findings in a valid record.
fn checked(record: &Record, bots: bool) -> Result<String, Untrue> {
    if !bots {
        return Ok(format!("{} plies: valid", record.verify()?.ply()));
    }
    let (played, Derived { confirmed, not_checked }) = record.verify_bots()?;
    let others = if not_checked == 0 { String::new() } else { format!(", {not_checked} not checked") };
    Ok(format!("{} plies: valid; moves of bots: {confirmed} derived again{others}", played.ply()))
}

/// The number of games in one page.
const PAGE: i64 = 20;

/// Replays every running game and lists those that this build plays differently.
pub async fn live(database: &Database) -> Result<(), String> {
    let store = opened(database).await?;
    // Read only: another build is running on this database.
    if !store.is_migrated().await.map_err(|error| error.to_string())? {
        return Err(
            "The database is not migrated to this build. Run maidan migrate first: it only adds to the tables.".into(),
        );
    }
    let Verified { games, wrong } = games_with(&store, Status::Running).await?;
    match wrong {
        0 => {
            println!("This build replays all {games} running games exactly.");
            Ok(())
        }
        _ => Err(format!("{wrong} of {games} running games diverge in this build.")),
    }
}

/// The number of games that were verified, and of those that are wrong.
pub struct Verified {
    pub games: usize,
    pub wrong: usize,
}

/// Verifies all that a database holds: replays the running games, and checks the records of the finished ones. Prints a
/// line for each game that is wrong.
pub async fn stored(store: &Store) -> Result<Verified, String> {
    let running = games_with(store, Status::Running).await?;
    let over = games_with(store, Status::Over).await?;
    Ok(Verified { games: running.games + over.games, wrong: running.wrong + over.wrong })
}

async fn games_with(store: &Store, status: Status) -> Result<Verified, String> {
    let total = store.count_by_status(status).await.map_err(|error| error.to_string())?;
    let mut progress = Progress::new("games verified", total);
    let (mut games, mut wrong, mut after) = (0, 0, None::<GameId>);
    loop {
        let page = store.games_by_status(status, after, PAGE).await.map_err(|error| error.to_string())?;
        let Some((last, _)) = page.last() else { return Ok(Verified { games, wrong }) };
        after = Some(*last);
        progress.add(page.len());
        for (id, game) in page {
            games += 1;
            let problem = match game {
                Ok(game) => {
                    let problem = match status {
                        Status::Over => untrue(store, &game).await?,
                        _ => diverges(store, &game).await?,
                    };
                    problem.map(|why| format!("{} version {}: {why}", game.kind, game.version))
                }
                Err(StoreError::Unreadable(what)) => Some(what.to_string()),
                Err(error) => return Err(error.to_string()),
            };
            if let Some(problem) = problem {
                wrong += 1;
                println!("{id} {problem}");
            }
        }
    }
}

/// The fault of a finished game's record; `None` if it is valid.
async fn untrue(store: &Store, game: &Game) -> Result<Option<String>, String> {
    let record = match games::record_of(store, game).await {
        Ok(record) => record,
        Err(Error::Unavailable) => return Err(Error::Unavailable.to_string()),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let verified = tokio::task::spawn_blocking(move || record.verify().map(drop));
    let verified = verified.await.map_err(|error| error.to_string())?;
    Ok(verified.err().map(|wrong| wrong.to_string()))
}

/// The difference between a game as it was played and as this build replays it; `None` if there is none.
async fn diverges(store: &Store, game: &Game) -> Result<Option<String>, String> {
    let replayed = match games::replay(store, game, game.ply).await {
        Ok(Ok(position)) => position,
        Ok(Err(broken)) => return Ok(Some(broken.to_string())),
        Err(Error::Unavailable) => return Err(Error::Unavailable.to_string()),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let saved = match &game.position {
        // Positions without a checksum are compared too: older builds wrote none.
        Some(Position::Saved(saved) | Position::Damaged(saved)) => {
            let options = game.options().ok();
            let position = options.and_then(|options| options.load_game(game.rules_version, saved).ok());
            position.map(|position| position.with_bots(game.bots()))
        }
        None => None,
    };
    Ok(match saved {
        Some(saved) if saved == replayed => None,
        Some(_) => Some("its moves lead to another position".into()),
        None => Some("its saved position cannot be read".into()),
    })
}
