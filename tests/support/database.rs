//! Stored games, read and written directly in the database.

use domain::{AnyGame, AnyOptions, Kind};
use serde_json::{Map, Value, json, to_value};
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use super::Service;

/// Runs a statement on the service's database, of either kind.
macro_rules! behind {
    ($service:expr, $db:ident => $then:expr) => {
        match &$service.server.home.url {
            Some(url) => {
                let mut $db = PgConnection::connect(url).await.expect("Postgres answers");
                $then.expect("the statement is carried out")
            }
            None => {
                let file = format!("sqlite:{}", $service.server.home.directory.join("maidan.db").display());
                let mut $db = SqliteConnection::connect(&file).await.expect("the file is there");
                $then.expect("the statement is carried out")
            }
        }
    };
}

fn key(id: &str) -> Uuid {
    id.trim_start_matches("game_").parse().expect("a game's id")
}

/// Stores a game a second time, under another id: its twin, with the same seed and the same hands.
pub async fn twin_of(service: &Service, id: &str) -> String {
    let twin = Uuid::now_v7();
    let copies = [
        (
            "games",
            "id",
            "app_id, kind, rules_version, options, seats, visibility, status, version, ply, seed, join_code, \
            created_by, opener_id, seating, stand_in, bot_pause_ms, bot_seats, position, to_act, decisions, outcome, created_at, expires_at, \
            started_at, ended_at",
        ),
        (
            "seatings",
            "game_id",
            "seat, player_id, is_over, kind, is_public, is_practice, with_bots, place, result, ended_at",
        ),
        (
            "entries",
            "game_id",
            "version, what, seat, player_id, ply, notation, bot_level, bot_version, is_auto, is_secret, events, key, \
            key_hash, at",
        ),
    ];
    for (name, column, rest) in copies {
        let sql = format!("INSERT INTO {name} ({column}, {rest}) SELECT $1, {rest} FROM {name} WHERE {column} = $2");
        behind!(service, db => sqlx::query(AssertSqlSafe(sql)).bind(twin).bind(key(id)).execute(&mut db).await.map(drop));
    }
    let twin = format!("game_{}", twin.simple());
    put_position(service, &twin, position_of(service, id).await).await;
    twin
}

/// Turns a game that has just started into one that began under version 1 of its rules. It gets another id: servers may
/// have cached it. There is no position, so the server deals again, by version 1.
pub async fn version_1_of(service: &Service, kind: Kind, id: &str) -> String {
    let first = twin_of(service, id).await;
    let known =
        to_value(kind.load_options(1, json!({})).expect("all options have defaults")).expect("options are JSON");
    let sql = "SELECT options FROM games WHERE id = $1";
    let Json(mut options): Json<Map<String, Value>> =
        behind!(service, db => sqlx::query_scalar(sql).bind(key(&first)).fetch_one(&mut db).await);
    options.retain(|name, _| known.get(name).is_some());
    let sql = "UPDATE games SET rules_version = 1, options = $1, stand_in = NULL WHERE id = $2";
    behind!(service, db => sqlx::query(sql).bind(Json(&options)).bind(key(&first)).execute(&mut db).await.map(drop));
    put_stored_position(service, &first, Vec::new()).await;
    for (name, column) in [("entries", "game_id"), ("seatings", "game_id"), ("games", "id")] {
        let sql = format!("DELETE FROM {name} WHERE {column} = $1");
        behind!(service, db => sqlx::query(AssertSqlSafe(sql)).bind(key(id)).execute(&mut db).await.map(drop));
    }
    first
}

/// The version of the rules that a game is played by.
pub async fn rules_version_of(service: &Service, id: &str) -> u32 {
    let sql = "SELECT rules_version FROM games WHERE id = $1";
    let version: i32 = behind!(service, db => sqlx::query_scalar(sql).bind(key(id)).fetch_one(&mut db).await);
    u32::try_from(version).expect("versions begin at 1")
}

/// The options of a game as they are stored.
pub async fn stored_options(service: &Service, id: &str) -> Value {
    let sql = "SELECT options FROM games WHERE id = $1";
    let Json(options): Json<Value> =
        behind!(service, db => sqlx::query_scalar(sql).bind(key(id)).fetch_one(&mut db).await);
    options
}

/// The game that its stored position and options make, secrets included.
pub async fn game_of(service: &Service, kind: Kind, id: &str) -> AnyGame {
    let version = rules_version_of(service, id).await;
    let options: AnyOptions =
        kind.load_options(version, stored_options(service, id).await).expect("stored options can be read");
    options.load_game(version, &position_of(service, id).await).expect("a stored game can be read")
}

/// The length of the checksum behind a position: the start of SHA-256 over the position, the game's id and its version.
const CHECKSUM: usize = 8;

/// The position of a game as `domain` saved it, secrets included.
pub async fn position_of(service: &Service, id: &str) -> Vec<u8> {
    let mut stored = stored_position(service, id).await;
    stored.truncate(stored.len().saturating_sub(CHECKSUM));
    stored
}

/// Replaces a game's position, with a valid checksum. The game must not be in any cache yet.
pub async fn put_position(service: &Service, id: &str, position: Vec<u8>) {
    let sql = "SELECT version FROM games WHERE id = $1";
    let version: i32 = behind!(service, db => sqlx::query_scalar(sql).bind(key(id)).fetch_one(&mut db).await);
    let sum =
        Sha256::new().chain_update(&position).chain_update(key(id)).chain_update(version.to_be_bytes()).finalize();
    put_stored_position(service, id, [&position[..], &sum[..CHECKSUM]].concat()).await;
}

/// The version, the seat and the idempotency key of every move of a game.
pub async fn keys_of_moves(service: &Service, id: &str) -> Vec<(i32, i16, Option<String>)> {
    let sql = "SELECT version, seat, key FROM entries WHERE game_id = $1 AND what = 'MOVED' ORDER BY version";
    behind!(service, db => sqlx::query_as(sql).bind(key(id)).fetch_all(&mut db).await)
}

/// The bytes that are stored for a position.
pub async fn stored_position(service: &Service, id: &str) -> Vec<u8> {
    let sql = "SELECT position FROM games WHERE id = $1";
    behind!(service, db => sqlx::query_scalar(sql).bind(key(id)).fetch_one(&mut db).await)
}

/// Stores any bytes for a position.
pub async fn put_stored_position(service: &Service, id: &str, position: Vec<u8>) {
    let sql = "UPDATE games SET position = $1 WHERE id = $2";
    behind!(service, db => sqlx::query(sql).bind(position).bind(key(id)).execute(&mut db).await.map(drop));
}

/// Stores a position in the first format: as JSON, in another column.
pub async fn put_state(service: &Service, id: &str, state: &str) {
    let sql = "UPDATE games SET state = $1, position = NULL WHERE id = $2";
    behind!(service, db => sqlx::query(sql).bind(state).bind(key(id)).execute(&mut db).await.map(drop));
}

/// Replaces the events of the last entry of a game's log.
pub async fn put_events(service: &Service, id: &str, events: Value) {
    let sql = "UPDATE entries SET events = $1 WHERE game_id = $2 \
        AND version = (SELECT version FROM games WHERE id = $2)";
    behind!(service, db => sqlx::query(sql).bind(Json(&events)).bind(key(id)).execute(&mut db).await.map(drop));
}
