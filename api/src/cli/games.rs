//! `maidan game`: games of any app.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Subcommand;
use domain::Seat;
use serde_json::{Value, json};

use super::output::Output;
use super::players::time;
use super::progress::Progress;
use super::{existing, maidan};
use crate::config::Database;
use crate::games;
use crate::ids::GameId;
use crate::model::{At, Caller, Game, Occupant, Principal, Status};
use crate::store::{Store, StoreError};

#[derive(Subcommand)]
pub enum GameCommand {
    /// Show a game, without its secrets
    Show {
        /// The game's id: game_…
        id: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Print the record of a finished game, which `maidan verify` checks
    Export {
        /// The game's id: game_…
        id: String,
        #[command(flatten)]
        database: Database,
    },
    /// Cancel an open or running game, as its app can
    Cancel {
        /// The game's id: game_…
        id: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Delete a finished or cancelled game with its log, from lists and statistics, too
    Delete {
        /// The game's id: game_…
        id: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Delete all games that ended long ago, except those from which others branch
    Purge {
        /// Delete games that ended more than this many days ago
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        older_than: u32,
        /// Only count them
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
}

pub async fn run(command: GameCommand) -> Result<(), String> {
    match command {
        GameCommand::Show { id, output, database } => {
            let store = existing(&database).await?;
            output.print(&shown(&find(&store, &id).await?));
            Ok(())
        }
        GameCommand::Export { id, database } => {
            let store = existing(&database).await?;
            let game = find(&store, &id).await?;
            if game.status != Status::Over {
                return Err(format!("{id} is not over: only finished games have records."));
            }
            let record = games::record_of(&store, &game).await.map_err(|error| error.to_string())?;
            println!("{}", serde_json::to_string(&record).map_err(|error| error.to_string())?);
            Ok(())
        }
        GameCommand::Cancel { id, output, database } => {
            let store = existing(&database).await?;
            let game = find(&store, &id).await?;
            let apps = store.apps().await.map_err(|error| error.to_string())?;
            let app = apps.into_iter().find(|app| app.id == game.app).ok_or("Its app is missing.")?;
            drop(store);
            let caller = Caller {
                principal: Principal::App(app),
                address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
                by_app: false,
                token_hash: None,
                until: None,
                prepaid: false,
            };
            let maidan = maidan(database).await?;
            games::cancel(&maidan, &caller, game.id, None).await.map_err(|error| error.to_string())?;
            output.done(&json!({ "cancelled": id }), &format!("{id} is cancelled."));
            Ok(())
        }
        GameCommand::Delete { id, output, database } => {
            let store = existing(&database).await?;
            let game = find(&store, &id).await?;
            if game.status.is_on() {
                return Err(format!("{id} has not ended. Cancel it first: maidan game cancel {id}"));
            }
            if !store.delete_game(game.id).await.map_err(|error| error.to_string())? {
                return Err(format!("{id} is needed by games that branch from it."));
            }
            output.done(&json!({ "deleted": id }), &format!("{id} is deleted."));
            Ok(())
        }
        GameCommand::Purge { older_than, dry_run, output, database } => {
            purge(&existing(&database).await?, older_than, dry_run, output).await.map_err(|error| error.to_string())
        }
    }
}

/// The most games of one commit: it delays moves while it lasts.
const PAGE: i64 = 200;

async fn purge(store: &Store, days: u32, dry_run: bool, output: Output) -> Result<(), StoreError> {
    let before = At::now().minus(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    let games = store.ended_before(before, i64::MAX).await?.len() as u64;
    if dry_run {
        output.done(&json!({ "games": games }), &format!("{games} games ended more than {days} days ago."));
        return Ok(());
    }
    let mut progress = Progress::new("games deleted", i64::try_from(games).unwrap_or(i64::MAX));
    let mut deleted = 0;
    loop {
        // A branch that was deleted frees the game that it branched from.
        let page = store.purge(before, PAGE).await?;
        deleted += page;
        progress.add(usize::try_from(page).unwrap_or(usize::MAX));
        if page == 0 {
            break;
        }
    }
    output.done(&json!({ "deleted": deleted }), &format!("{deleted} games are deleted."));
    Ok(())
}

async fn find(store: &Store, id: &str) -> Result<Game, String> {
    let id: GameId = id.parse().map_err(|_| format!("'{id}' is not a game's id."))?;
    let found = store.game(id).await.map_err(|error| error.to_string())?;
    found.ok_or_else(|| format!("There is no game {id}."))
}

/// Nothing of the seed, the position or the join code.
fn shown(game: &Game) -> Value {
    let seats: Vec<Value> = Seat::all(game.seats())
        .map(|seat| match game.occupant(seat) {
            None => json!("open"),
            Some(Occupant::Bot { level }) => json!(format!("bot of level {}", level.number())),
            Some(Occupant::Player(sitter)) => json!(sitter.player.to_string()),
        })
        .collect();
    let to_act: Vec<u8> =
        Seat::all(game.seats()).filter(|seat| game.to_act.contains(*seat)).map(Seat::number).collect();
    json!({
        "id": game.id.to_string(),
        "app": game.app.to_string(),
        "kind": game.kind.name(),
        "rulesVersion": game.rules_version,
        "visibility": format!("{:?}", game.visibility).to_uppercase(),
        "status": format!("{:?}", game.status).to_uppercase(),
        "version": game.version.0,
        "ply": game.ply,
        "seats": seats,
        "toAct": to_act,
        "origin": game.origin.map(|origin| json!({ "gameId": origin.game.to_string(), "ply": origin.ply })),
        "createdAt": game.created_at.0.to_string(),
        "expiresAt": time(game.expires_at),
        "startedAt": time(game.started_at),
        "endedAt": time(game.ended_at),
    })
}
