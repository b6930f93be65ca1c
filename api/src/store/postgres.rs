//! Postgres: the store for everything that matters.
//!
//! Every change is one statement, so it is one round trip and one commit, and no transaction is ever left open.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, ConnectOptions, FromRow, QueryBuilder, Row};

use super::shared::{ENTRY, GAME, any_of, implement_store, meaning};
use super::*;

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/postgres");

pub struct Postgres {
    reads: PgPool,
    writes: PgPool,
    /// One connection to send hints by and one to hear them: they wait for no request, and no request for them.
    hints: PgPool,
}

/// The channel of the hints between replicas.
const HINTS: &str = "maidan_hints";

/// How a pool of connections behaves.
#[derive(Clone, Debug)]
pub struct PoolLimits {
    pub connections: u32,
    /// How long a request waits for a connection.
    pub acquire: Duration,
    /// How long a statement may run.
    pub statement: Duration,
}

impl Postgres {
    /// Connects when first needed: a database that is away delays requests, not the start.
    pub fn connect(url: &str, limits: &PoolLimits) -> Result<Postgres> {
        let millis = |duration: Duration| duration.as_millis().to_string();
        let options = url.parse::<PgConnectOptions>().map_err(StoreError::Failed)?;
        let options = options.application_name("maidan").disable_statement_logging().options([
            ("statement_timeout", millis(limits.statement)),
            ("lock_timeout", millis(limits.statement)),
            ("idle_in_transaction_session_timeout", millis(limits.statement)),
        ]);
        let pool = |connections| {
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(limits.acquire)
                // A round trip for every request; a broken connection shows itself at its first use.
                .test_before_acquire(false)
                .connect_lazy_with(options.clone())
        };
        let requests = pool(limits.connections);
        Ok(Postgres { reads: requests.clone(), writes: requests, hints: pool(2) })
    }
}

impl Postgres {
    async fn insert_game(&self, new: &NewGame) -> Result<()> {
        let game = &new.game;
        let log = Log::of(&new.entries, 0);
        let sitters: Vec<(i16, PlayerId)> = sitting(game);
        let query = sqlx::query(
            "WITH game AS (
                INSERT INTO games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply,
                    seed, join_code, created_by, opener_id, seating, state, to_act, decisions, create_key, create_hash,
                    created_at, expires_at, started_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                    $22, $23)
             ), sitters AS (
                INSERT INTO seatings (game_id, seat, player_id)
                SELECT $1, s.seat, s.player FROM unnest($24::smallint[], $25::uuid[]) AS s (seat, player)
             )
             INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events,
                key, key_hash, at)
             SELECT $1, e.*, $21 FROM unnest($26::integer[], $27::text[], $28::smallint[], $29::uuid[], $30::integer[],
                $31::text[], $32::boolean[], $33::boolean[], $34::jsonb[], $35::text[], $36::bytea[]) AS e",
        )
        .bind(game.id)
        .bind(game.app_id)
        .bind(&game.kind)
        .bind(game.rules_version)
        .bind(&game.options)
        .bind(game.seats)
        .bind(game.visibility)
        .bind(game.status)
        .bind(game.version)
        .bind(game.ply)
        .bind(&game.seed)
        .bind(&game.join_code)
        .bind(game.created_by)
        .bind(game.opener_id)
        .bind(&game.seating)
        .bind(&game.state)
        .bind(game.to_act)
        .bind(&game.decisions)
        .bind(new.key.as_ref().map(|key| &key.key))
        .bind(new.key.as_ref().map(|key| &key.hash))
        .bind(game.created_at)
        .bind(game.expires_at)
        .bind(game.started_at)
        .bind(sitters.iter().map(|(seat, _)| *seat).collect::<Vec<_>>())
        .bind(sitters.iter().map(|(_, player)| player.0).collect::<Vec<_>>());
        log.bind_to(query).execute(&self.writes).await.map_err(meaning)?;
        Ok(())
    }

    async fn update_game(&self, change: &Change) -> Result<Stored> {
        let game = &change.game;
        let log = Log::of(&change.entries, change.from_version);
        let (seating, first) = match change.seating {
            Seating::Unchanged => ("", 14),
            Seating::Taken { .. } => {
                (", seating AS (INSERT INTO seatings (game_id, seat, player_id) SELECT id, $14, $15 FROM game)", 16)
            }
            Seating::Freed { .. } => {
                (", seating AS (DELETE FROM seatings USING game WHERE game_id = id AND seat = $14)", 15)
            }
        };
        let is_last = matches!(game.status, Status::Over | Status::Cancelled);
        let over = if is_last {
            ", over AS (UPDATE seatings SET is_over = true FROM game WHERE seatings.game_id = game.id)"
        } else {
            ""
        };
        let p = |n: usize| first + n;
        let sql = format!(
            "WITH game AS (
                UPDATE games SET version = $3, ply = $4, status = $5, state = $6, to_act = $7, decisions = $8,
                    seating = $9, outcome = $10, started_at = $11, ended_at = $12
                WHERE id = $1 AND version = $2 RETURNING id
             ){seating}{over}
             INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events,
                key, key_hash, at)
             SELECT game.id, e.*, $13 FROM game, unnest(${}::integer[], ${}::text[], ${}::smallint[], ${}::uuid[],
                ${}::integer[], ${}::text[], ${}::boolean[], ${}::boolean[], ${}::jsonb[], ${}::text[], ${}::bytea[]) AS e",
            p(0), p(1), p(2), p(3), p(4), p(5), p(6), p(7), p(8), p(9), p(10),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(game.id)
            .bind(change.from_version)
            .bind(game.version)
            .bind(game.ply)
            .bind(game.status)
            .bind(&game.state)
            .bind(game.to_act)
            .bind(&game.decisions)
            .bind(&game.seating)
            .bind(change.outcome.as_ref().map(Json))
            .bind(game.started_at)
            .bind(game.ended_at)
            .bind(change.at);
        query = match change.seating {
            Seating::Unchanged => query,
            Seating::Taken { seat, player } => query.bind(seat).bind(player),
            Seating::Freed { seat } => query.bind(seat),
        };
        let done = log.bind_to(query).execute(&self.writes).await.map_err(meaning)?;
        Ok(if done.rows_affected() == 0 { Stored::Overtaken } else { Stored::Yes })
    }
}

impl Postgres {
    fn can_notify(&self) -> bool {
        true
    }

    async fn notify(&self, hints: &[String]) -> Result<()> {
        sqlx::query("SELECT pg_notify($1, hint) FROM unnest($2::text[]) AS hint")
            .bind(HINTS)
            .bind(hints)
            .execute(&self.hints)
            .await
            .map_err(meaning)?;
        Ok(())
    }

    async fn listen(&self) -> Result<Box<dyn Hints>> {
        let mut listener = PgListener::connect_with(&self.hints).await.map_err(meaning)?;
        listener.listen(HINTS).await.map_err(meaning)?;
        Ok(Box::new(listener))
    }
}

#[async_trait]
impl Hints for PgListener {
    async fn next(&mut self) -> Result<Option<String>> {
        let heard = self.try_recv().await.map_err(meaning)?;
        Ok(heard.map(|notification| notification.payload().to_string()))
    }
}

implement_store!(Postgres, sqlx::Postgres);

fn sitting(game: &StoredGame) -> Vec<(i16, PlayerId)> {
    let seats = game.seating.iter().enumerate();
    seats.filter_map(|(seat, sitter)| sitter.map(|sitter| (seat as i16, sitter.player))).collect()
}

type Statement<'q> = sqlx::query::Query<'q, sqlx::Postgres, sqlx::postgres::PgArguments>;

/// Entries turned on their side: a column each, as `unnest` wants them, so that one statement takes any number.
#[derive(Default)]
struct Log {
    versions: Vec<i32>,
    whats: Vec<What>,
    seats: Vec<Option<i16>>,
    players: Vec<Option<uuid::Uuid>>,
    plies: Vec<i32>,
    notations: Vec<Option<String>>,
    autos: Vec<bool>,
    secrets: Vec<bool>,
    events: Vec<Json<Value>>,
    keys: Vec<Option<String>>,
    hashes: Vec<Option<Vec<u8>>>,
}

impl Log {
    fn of(entries: &[NewEntry], version: i32) -> Log {
        let mut log = Log::default();
        for (entry, version) in entries.iter().zip(version + 1..) {
            log.versions.push(version);
            log.whats.push(entry.what);
            log.seats.push(entry.seat);
            log.players.push(entry.player_id.map(|id| id.0));
            log.plies.push(entry.ply);
            log.notations.push(entry.notation.clone());
            log.autos.push(entry.is_auto);
            log.secrets.push(entry.is_secret);
            log.events.push(Json(entry.events.clone()));
            log.keys.push(entry.key.as_ref().map(|key| key.key.clone()));
            log.hashes.push(entry.key.as_ref().map(|key| key.hash.clone()));
        }
        log
    }

    fn bind_to(self, query: Statement<'_>) -> Statement<'_> {
        query
            .bind(self.versions)
            .bind(self.whats)
            .bind(self.seats)
            .bind(self.players)
            .bind(self.plies)
            .bind(self.notations)
            .bind(self.autos)
            .bind(self.secrets)
            .bind(self.events)
            .bind(self.keys)
            .bind(self.hashes)
    }
}
