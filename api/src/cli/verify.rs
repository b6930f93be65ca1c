//! `maidan verify`: checks records, and replays running games before a deployment.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use domain::Record;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use crate::config::Database;
use crate::error::Error;
use crate::games;
use crate::ids::GameId;
use crate::model::{Game, Position};
use crate::store::{Store, StoreError};

/// Says of every record in the files whether it is true, one after another.
pub fn files(files: &[PathBuf]) -> Result<(), String> {
    let (mut records, mut untrue) = (0, 0);
    for file in files {
        let read: Box<dyn Read> = if file == Path::new("-") {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(File::open(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?)
        };
        let before = records;
        // The text first: a record that cannot be read must not hide those behind it.
        for text in Deserializer::from_reader(BufReader::new(read)).into_iter::<Box<RawValue>>() {
            let record = text.and_then(|text| serde_json::from_str::<Record>(text.get()));
            records += 1;
            let place = format!("{} record {}", file.display(), records - before);
            match record {
                Err(error) => {
                    untrue += 1;
                    println!("{place}: not true: it cannot be read as a record: {error}");
                }
                Ok(record) => {
                    let id = record.game_id.as_deref().unwrap_or("without an id");
                    let game = format!("{place}: {id}, {}", record.kind);
                    match record.verify() {
                        Ok(played) => println!("{game}, {} plies: true", played.ply()),
                        Err(wrong) => {
                            untrue += 1;
                            println!("{game}: not true: {wrong}");
                        }
                    }
                }
            }
        }
        if records == before {
            untrue += 1;
            println!("{}: not true: it holds no record", file.display());
        }
    }
    match untrue {
        0 => {
            println!(
                "Commitments, deals and dice, moves, outcomes and chains are true: {records} of {records} records."
            );
            Ok(())
        }
        _ => Err(format!("{untrue} of {} not true.", records.max(untrue))),
    }
}

/// How many games are looked at together.
const AT_ONCE: i64 = 20;

/// Replays every running game and lists those that this build plays differently.
pub async fn live(database: &Database) -> Result<(), String> {
    let store = database.store()?;
    // This must change nothing: another build is running on these tables.
    if !store.is_migrated().await.map_err(|error| error.to_string())? {
        return Err("The tables lack what this build needs. It only adds to them: run maidan migrate first.".into());
    }
    let (mut games, mut astray, mut after) = (0, 0, None::<GameId>);
    loop {
        let page = store.running(after, AT_ONCE).await.map_err(|error| error.to_string())?;
        let Some((last, _)) = page.last() else { break };
        after = Some(*last);
        for (id, game) in page {
            games += 1;
            let problem = match game {
                Ok(game) => {
                    diverges(&store, &game).await?.map(|why| format!("{} version {}: {why}", game.kind, game.version))
                }
                Err(StoreError::Unreadable(what)) => Some(what.to_string()),
                Err(error) => return Err(error.to_string()),
            };
            if let Some(problem) = problem {
                astray += 1;
                println!("{id} {problem}");
            }
        }
    }
    match astray {
        0 => {
            println!("This build plays all {games} running games as they were played.");
            Ok(())
        }
        _ => Err(format!("{astray} of {games} running games go another way in this build.")),
    }
}

/// Why a game would not go on as it did.
async fn diverges(store: &Store, game: &Game) -> Result<Option<String>, String> {
    let replayed = match games::replay(store, game, game.ply).await {
        Ok(Ok(position)) => position,
        Ok(Err(broken)) => return Ok(Some(broken.to_string())),
        Err(Error::Unavailable) => return Err(Error::Unavailable.to_string()),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let saved = match &game.position {
        // Bytes without a checksum are compared as well: an older build wrote none.
        Some(Position::Saved(saved) | Position::Damaged(saved)) => game.kind.load_game(game.rules_version, saved).ok(),
        None => None,
    };
    Ok(match saved {
        Some(saved) if saved == replayed => None,
        Some(_) => Some("its moves lead to another state".into()),
        None => Some("its state cannot be read".into()),
    })
}
