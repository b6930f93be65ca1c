//! `maidan player`: players of any app.

use clap::Subcommand;
use serde_json::{Value, json};
use uuid::Uuid;

use super::apps;
use super::output::Output;
use super::{existing, maidan};
use crate::config::Database;
use crate::ids::{GameId, PlayerId, TokenId};
use crate::model::{At, GameResult, Player};
use crate::people;
use crate::store::Store;

#[derive(Subcommand)]
pub enum PlayerCommand {
    /// Show a player: by its id, or by its app and external id
    Show {
        /// The player's id: player_…
        #[arg(required_unless_present = "external_id", conflicts_with = "external_id")]
        id: Option<String>,
        /// The name of the player's app
        #[arg(long, requires = "external_id")]
        app: Option<String>,
        /// The app's own id of the player
        #[arg(long, requires = "app")]
        external_id: Option<String>,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Print all stored data of a player, as JSON: its tokens, its seats, and its entries in the logs of games
    Export {
        /// The player's id: player_…
        id: String,
        #[command(flatten)]
        database: Database,
    },
    /// Delete a player's name, external id and tokens; it resigns or leaves all its games
    Delete {
        /// The player's id: player_…
        id: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
}

pub async fn run(command: PlayerCommand) -> Result<(), String> {
    match command {
        PlayerCommand::Show { id: Some(id), output, database, .. } => {
            let store = existing(&database).await?;
            output.print(&shown(&find(&store, &id).await?));
            Ok(())
        }
        PlayerCommand::Show { app, external_id, output, database, .. } => {
            let store = existing(&database).await?;
            let (app, external_id) = (app.unwrap_or_default(), external_id.unwrap_or_default());
            let app = apps::find(&store, &app).await?;
            let found = store.players_of_app(app.id, Some(external_id), PlayerId(Uuid::max()), 1).await;
            let found = found.map_err(|error| error.to_string())?.pop();
            let player = found.ok_or_else(|| format!("'{}' has no such player.", app.name))?;
            output.print(&shown(&player));
            Ok(())
        }
        PlayerCommand::Export { id, database } => {
            let store = existing(&database).await?;
            export(&store, &find(&store, &id).await?).await
        }
        PlayerCommand::Delete { id, output, database } => {
            let player = read_id(&id)?;
            existing(&database).await?;
            let maidan = maidan(database).await?;
            people::delete_any_player(&maidan, player).await.map_err(|error| error.to_string())?;
            output.done(&json!({ "deleted": id }), &format!("{id} is deleted. Only its seats in games remain."));
            Ok(())
        }
    }
}

fn read_id(id: &str) -> Result<PlayerId, String> {
    id.parse().map_err(|_| format!("'{id}' is not a player's id."))
}

async fn find(store: &Store, id: &str) -> Result<Player, String> {
    let found = store.players(&[read_id(id)?]).await.map_err(|error| error.to_string())?.pop();
    found.ok_or_else(|| format!("There is no player {id}."))
}

pub fn time(at: Option<At>) -> Option<String> {
    at.map(|at| at.0.to_string())
}

fn shown(player: &Player) -> Value {
    let Player { id, app_id, external_id, name, is_bot, deleted_at, created_at } = player;
    json!({
        "id": id.to_string(),
        "app": app_id.to_string(),
        "externalId": external_id,
        "name": name,
        "isBot": is_bot,
        "createdAt": created_at.0.to_string(),
        "deletedAt": time(*deleted_at),
    })
}

/// The number of rows of one query.
const PAGE: i64 = 500;

/// Prints one JSON object, part by part: a player may have very many games.
async fn export(store: &Store, player: &Player) -> Result<(), String> {
    let failed = |error: crate::store::StoreError| error.to_string();
    let tokens = store.tokens(player.id, None, At::now(), TokenId(Uuid::max()), PAGE).await.map_err(failed)?;
    let tokens: Vec<Value> = tokens
        .iter()
        .map(|token| {
            json!({
                "id": token.id.to_string(),
                "createdAt": token.created_at.0.to_string(),
                "expiresAt": time(token.expires_at),
            })
        })
        .collect();
    println!("{{\"player\": {},\n\"tokens\": {},\n\"games\": [", shown(player), Value::from(tokens));
    let (mut after, mut is_first) = (GameId(Uuid::nil()), true);
    loop {
        let seats = store.seats_of(player.id, after, PAGE).await.map_err(failed)?;
        let Some(last) = seats.last() else { break };
        after = last.game_id;
        for seat in seats {
            let game = store.game(seat.game_id).await.map_err(failed)?;
            let sitter = game.as_ref().and_then(|game| game.sitter(game.seat_of(player.id)?));
            let entries = store.entries_by(player.id, seat.game_id).await.map_err(failed)?;
            let entries: Vec<Value> = entries
                .iter()
                .map(|entry| {
                    json!({
                        "version": entry.version,
                        "what": entry.what,
                        "ply": entry.ply,
                        "notation": entry.notation,
                        "at": entry.at.0.to_string(),
                    })
                })
                .collect();
            let game = json!({
                "id": seat.game_id.to_string(),
                "kind": seat.kind,
                "status": format!("{:?}", seat.status).to_uppercase(),
                "visibility": format!("{:?}", seat.visibility).to_uppercase(),
                "seat": seat.seat,
                "clientSeed": sitter.and_then(|sitter| sitter.client_seed.clone()),
                "place": seat.place,
                "result": seat.result.map(result),
                "createdAt": seat.created_at.0.to_string(),
                "startedAt": time(seat.started_at),
                "endedAt": time(seat.ended_at),
                "entries": entries,
            });
            println!("{}{game}", if is_first { "" } else { "," });
            is_first = false;
        }
    }
    println!("]}}");
    Ok(())
}

fn result(result: GameResult) -> String {
    format!("{result:?}").to_uppercase()
}
