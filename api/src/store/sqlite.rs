//! SQLite, the embedded default: one file, one writer, durable commits. Concurrent changes share a commit.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;

use domain::Seat;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::types::Json;
use sqlx::{ConnectOptions, Executor, Sqlite as Database};
use uuid::Uuid;

use super::embedded::create_private;
use super::pool::{Lent, Pool, Server};
use super::rows::{Columns, bot_number, events_json, game_columns, number, seat_number};
use super::{PoolLimits, Result, StoreError};
use crate::ids::PlayerId;
use crate::model::{At, Change, Game, NewEntry, NewGame, OwnedKey, SeatChange, Status, Stored, Version};

pub(super) const GAME: &str = game_columns!("CAST(g.state AS blob)");

pub struct Sqlite {
    pub(super) server: Arc<Server<Database>>,
    pub(super) reads: Pool<Database>,
    /// SQLite has one writer at a time. A pool of one connection queues writers instead of failing with `SQLITE_BUSY`.
    pub(super) writes: Pool<Database>,
}

impl Sqlite {
    pub fn open(file: &Path, limits: &PoolLimits) -> Sqlite {
        // If it cannot be created, connecting reports the reason.
        let _ = create_private(file);
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(limits.acquire)
            .disable_statement_logging();
        let server = Server::new(limits.acquire);
        let pool = |name, connections| Pool::new(name, &server, connections, limits.statement, vec![options.clone()]);
        Sqlite { reads: pool("reads", 4), writes: pool("writes", 1), server }
    }

    pub(super) async fn insert_game(&self, new: &NewGame) -> Result<()> {
        self.writes.in_time(self.insert_in_transaction(new)).await
    }

    async fn insert_in_transaction(&self, new: &NewGame) -> Result<()> {
        let game = &*new.game;
        let mut tx = Transaction::begin(&self.writes).await?;
        sqlx::query(
            "INSERT INTO games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply,
                seed, join_code, created_by, opener_id, seating, position, to_act, decisions, created_at, expires_at,
                started_at, origin, rematch_of, stand_in, bot_pause_ms, bot_seats, tag, changed_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23, $24, $25, $26, $27, $19)",
        )
        .bind(game.id)
        .bind(game.app)
        .bind(game.kind.name())
        .bind(game.rules_version_column())
        .bind(Json(&*game.options))
        .bind(game.seats_column())
        .bind(game.visibility)
        .bind(game.status)
        .bind(game.version)
        .bind(game.ply_column())
        .bind(game.seed.bytes().as_slice())
        .bind(&game.join_code)
        .bind(game.created_by())
        .bind(game.opener)
        .bind(Json(&game.seating))
        .bind(game.position_column())
        .bind(game.to_act_column())
        .bind(Json(&game.decisions))
        .bind(game.created_at)
        .bind(game.expires_at)
        .bind(game.started_at)
        .bind(game.origin.map(Json))
        .bind(game.rematch_of)
        .bind(game.stand_in_column())
        .bind(game.bot_pause_column())
        .bind(game.bot_seats_column())
        .bind(game.tag)
        .execute(&mut *tx)
        .await?;
        if let Some(key) = &new.key {
            write_key(&mut tx, key, Some(game.id.0), game.created_at).await?;
        }
        for (seat, sitter) in game.sitters() {
            take_seat(&mut tx, game, seat, sitter.player).await?;
        }
        if let Some(metadata) = &new.metadata {
            let sql = "INSERT INTO game_metadata (game_id, app_id, external_id, metadata, revision) VALUES ($1, $2, $3, $4, $5)";
            sqlx::query(sql)
                .bind(game.id)
                .bind(game.app)
                .bind(&metadata.external_id)
                .bind(&metadata.json)
                .bind(metadata.revision)
                .execute(&mut *tx)
                .await?;
        }
        write_log(&mut tx, game, Version(0), &new.entries, game.created_at).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn delete_player(&self, player: PlayerId, at: At) -> Result<bool> {
        let mut tx = Transaction::begin(&self.writes).await?;
        let deleted = sqlx::query(
            "UPDATE players SET name = '', external_id = NULL, deleted_at = coalesce(deleted_at, $2) WHERE id = $1",
        )
        .bind(player)
        .bind(at)
        .execute(&mut *tx)
        .await?;
        sqlx::query("DELETE FROM tokens WHERE player_id = $1").bind(player).execute(&mut *tx).await?;
        sqlx::query("DELETE FROM idempotency_keys WHERE owner_id = $1").bind(player).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(deleted.rows_affected() == 1)
    }

    /// Stores changes in one commit, each under its own savepoint: a rejected change does not affect the others.
    pub(super) async fn store_batch(&self, changes: &[&Change]) -> Vec<Result<Stored>> {
        match self.writes.in_time(self.store_in_transaction(changes)).await {
            Ok(answers) => answers,
            Err(error) => changes.iter().map(|_| Err(StoreError::duplicate(&error))).collect(),
        }
    }

    async fn store_in_transaction(&self, changes: &[&Change]) -> Result<Vec<Result<Stored>>> {
        let mut answers = Vec::with_capacity(changes.len());
        let mut tx = Transaction::begin(&self.writes).await?;
        for change in changes {
            tx.execute("SAVEPOINT change").await?;
            let answer = store(&mut tx, change).await;
            if !matches!(answer, Ok(Stored::Yes))
                && let Err(lost) = tx.execute("ROLLBACK TO change").await
            {
                // SQLite has rolled back the whole transaction by itself.
                return Err(answer.err().unwrap_or(lost.into()));
            }
            tx.execute("RELEASE change").await?;
            answers.push(answer);
        }
        tx.commit().await?;
        Ok(answers)
    }
}

/// A transaction. Unless it is committed its connection is closed: SQLite rolls back by itself when the disk is full, for
/// instance, and then nobody knows what state the connection is in.
pub(super) struct Transaction(Lent<Database>);

impl Transaction {
    pub(super) async fn begin(pool: &Pool<Database>) -> Result<Transaction> {
        let mut connection = pool.acquire().await?;
        connection.execute("BEGIN IMMEDIATE").await?;
        Ok(Transaction(connection))
    }

    pub(super) async fn commit(mut self) -> Result<()> {
        self.0.execute("COMMIT").await?;
        self.0.release();
        Ok(())
    }
}

impl Deref for Transaction {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.0
    }
}

async fn store(tx: &mut Transaction, change: &Change) -> Result<Stored> {
    let game = &change.game;
    let done = sqlx::query(
        "UPDATE games SET version = $3, ply = $4, status = $5, position = $6, state = NULL, to_act = $7, decisions = $8,
            seating = $9, outcome = $10, started_at = $11, ended_at = $12, bot_seats = $13, tag = $14, changed_at = $15
         WHERE id = $1 AND version = $2 AND tag = $16",
    )
    .bind(game.id)
    .bind(change.from.version)
    .bind(game.version)
    .bind(game.ply_column())
    .bind(game.status)
    .bind(game.position_column())
    .bind(game.to_act_column())
    .bind(Json(&game.decisions))
    .bind(Json(&game.seating))
    .bind(change.outcome.as_ref().map(Json))
    .bind(game.started_at)
    .bind(game.ended_at)
    .bind(game.bot_seats_column())
    .bind(game.tag)
    .bind(change.at)
    .bind(change.from.tag)
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(Stored::Overtaken);
    }
    match change.seating {
        SeatChange::Unchanged | SeatChange::TakenByBot => {}
        SeatChange::Taken { seat, player } => take_seat(tx, game, seat, player).await?,
        SeatChange::Freed { seat } => {
            sqlx::query("DELETE FROM seatings WHERE game_id = $1 AND seat = $2")
                .bind(game.id)
                .bind(seat_number(seat))
                .execute(&mut **tx)
                .await?;
        }
    }
    if change.is_start() && game.is_with_bots() {
        sqlx::query("UPDATE seatings SET with_bots = 1 WHERE game_id = $1").bind(game.id).execute(&mut **tx).await?;
    }
    if matches!(game.status, Status::Over | Status::Cancelled) {
        sqlx::query(
            "UPDATE seatings SET is_over = 1, ended_at = $2, place = json_extract($3, '$.places[' || seat || ']'),
                    result = CASE
                        WHEN $3 IS NULL THEN NULL
                        WHEN json_array_length($3, '$.winners') = 0 THEN 'DRAWN'
                        WHEN seat NOT IN (SELECT value FROM json_each($3, '$.winners')) THEN 'LOST'
                        WHEN json_array_length($3, '$.winners') > 1 THEN 'SHARED'
                        ELSE 'WON'
                    END
                 WHERE game_id = $1",
        )
        .bind(game.id)
        .bind(game.ended_at)
        .bind(change.outcome.as_ref().map(Json))
        .execute(&mut **tx)
        .await?;
    }
    if let Some(key) = &change.key {
        write_key(tx, key, Some(game.id.0), change.at).await?;
    }
    write_log(tx, game, change.from.version, &change.entries, change.at).await?;
    Ok(Stored::Yes)
}

async fn take_seat(tx: &mut Transaction, game: &Game, seat: Seat, player: PlayerId) -> Result<()> {
    sqlx::query(
        "INSERT INTO seatings (game_id, seat, player_id, kind, is_public, is_practice, with_bots)
         SELECT id, $2, $3, kind, visibility = 'PUBLIC', origin IS NOT NULL, $4 FROM games WHERE id = $1",
    )
    .bind(game.id)
    .bind(seat_number(seat))
    .bind(player)
    .bind(game.is_with_bots())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Stores an idempotency key in the transaction that makes its object.
pub(super) async fn write_key(tx: &mut Transaction, key: &OwnedKey, object: Option<Uuid>, at: At) -> Result<()> {
    let OwnedKey { owner, key } = key;
    sqlx::query(
        "INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(owner)
    .bind(&key.key)
    .bind(&key.hash)
    .bind(object)
    .bind(at)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn write_log(tx: &mut Transaction, game: &Game, version: Version, entries: &[NewEntry], at: At) -> Result<()> {
    for (entry, version) in entries.iter().zip(version.next()) {
        sqlx::query(
            "INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, bot_level, bot_version, is_auto,
                is_secret, events, key, key_hash, at, tag)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        )
        .bind(game.id)
        .bind(version)
        .bind(entry.kind)
        .bind(entry.seat.map(seat_number))
        .bind(entry.player)
        .bind(number(entry.ply))
        .bind(&entry.notation)
        .bind(entry.bot.map(|bot| bot_number(bot.level)))
        .bind(entry.bot.map(|bot| bot_number(bot.version)))
        .bind(entry.is_auto)
        .bind(entry.is_secret)
        .bind(events_json(&entry.events)?)
        .bind(entry.key.as_ref().map(|key| &key.key))
        .bind(entry.key.as_ref().map(|key| &key.hash))
        .bind(at)
        .bind(game.tag)
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
