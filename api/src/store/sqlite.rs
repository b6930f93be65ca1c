//! SQLite: the store that needs nothing installed. One file, one writer, every commit on the disk before it counts.
//! Changes that wait at the same time share a commit.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::types::Json;
use sqlx::{Acquire, AssertSqlSafe, ConnectOptions, FromRow, QueryBuilder, Row};

use super::ferry::Ferry;
use super::shared::{ENTRY, PLAYER, any_of, game_columns, implement_store, meaning};
use super::*;

const GAME: &str = game_columns!("CAST(g.state AS blob)");

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

pub struct Sqlite {
    reads: SqlitePool,
    /// SQLite has one writer at a time; a queue of our own is kinder than its busy errors.
    writes: SqlitePool,
    changes: Ferry<Change, Stored>,
}

impl Sqlite {
    pub fn open(file: &Path, acquire: Duration) -> Sqlite {
        keep_private(file);
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(acquire)
            .disable_statement_logging();
        let pool = |connections| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(acquire)
                .test_before_acquire(false)
                .connect_lazy_with(options.clone())
        };
        let writes = pool(1);
        let writer = writes.clone();
        let changes = Ferry::new(1, move |changes| store_together(writer.clone(), changes));
        Sqlite { reads: pool(4), writes, changes }
    }
}

impl Sqlite {
    async fn insert_game(&self, new: &NewGame) -> Result<()> {
        let game = &new.game;
        let mut tx = self.writes.begin_with("BEGIN IMMEDIATE").await.map_err(meaning)?;
        sqlx::query(
            "INSERT INTO games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply,
                seed, join_code, created_by, opener_id, seating, position, to_act, decisions, create_key, create_hash,
                created_at, expires_at, started_at, origin, rematch_of)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23, $24, $25)",
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
        .bind(&game.position)
        .bind(game.to_act)
        .bind(&game.decisions)
        .bind(new.key.as_ref().map(|key| &key.key))
        .bind(new.key.as_ref().map(|key| &key.hash))
        .bind(game.created_at)
        .bind(game.expires_at)
        .bind(game.started_at)
        .bind(game.origin)
        .bind(game.rematch_of)
        .execute(&mut *tx)
        .await
        .map_err(meaning)?;
        for (seat, sitter) in game.seating.iter().enumerate() {
            if let Some(sitter) = sitter {
                take_seat(&mut tx, game.id, seat as i16, sitter.player).await?;
            }
        }
        write_log(&mut tx, game.id, 0, &new.entries, game.created_at).await?;
        tx.commit().await.map_err(meaning)
    }

    async fn find_version(&self, id: GameId) -> Result<Option<i32>> {
        sqlx::query_scalar("SELECT version FROM games WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.reads)
            .await
            .map_err(meaning)
    }

    async fn find_game(&self, id: GameId) -> Result<Option<StoredGame>> {
        sqlx::query_as(AssertSqlSafe(format!("SELECT {GAME} FROM games g WHERE g.id = $1")))
            .bind(id)
            .fetch_optional(&self.reads)
            .await
            .map_err(meaning)
    }

    async fn find_rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>> {
        let mut query = QueryBuilder::new("SELECT rematch_of, id FROM games WHERE rematch_of IN (");
        any_of(&mut query, games);
        // In the words of the index, which holds no others.
        query.push(") AND rematch_of IS NOT NULL AND status <> 'CANCELLED'");
        query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
    }

    async fn find_players(&self, ids: &[PlayerId]) -> Result<Vec<Player>> {
        let mut query = QueryBuilder::new("SELECT ");
        query.push(PLAYER).push(" FROM players p WHERE p.id IN (");
        any_of(&mut query, ids);
        query.push(")");
        query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
    }

    async fn find_player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>> {
        let row = sqlx::query(AssertSqlSafe(format!(
            "SELECT {PLAYER}, t.expires_at
             FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
             WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
               AND p.deleted_at IS NULL AND a.revoked_at IS NULL",
        )))
        .bind(hash)
        .bind(now)
        .fetch_optional(&self.reads)
        .await
        .map_err(meaning)?;
        let Some(row) = row else { return Ok(None) };
        let player = Player::from_row(&row).map_err(meaning)?;
        Ok(Some((player, row.try_get("expires_at").map_err(meaning)?)))
    }

    async fn update_game(&self, change: Change) -> Result<Stored> {
        self.changes.carry(change).await
    }
}

/// The file belongs to one process: there is nobody to send hints to.
impl Sqlite {
    fn can_notify(&self) -> bool {
        false
    }

    async fn notify(&self, _hints: &[String]) -> Result<()> {
        Ok(())
    }

    async fn listen(&self) -> Result<Box<dyn Hints>> {
        Ok(Box::new(Silence))
    }
}

/// No hints, for ever.
struct Silence;

#[async_trait]
impl Hints for Silence {
    async fn next(&mut self) -> Result<Option<String>> {
        std::future::pending().await
    }
}

impl Sqlite {
    async fn forget_player(&self, player: PlayerId, at: At) -> Result<bool> {
        let mut tx = self.writes.begin_with("BEGIN IMMEDIATE").await.map_err(meaning)?;
        let gone = sqlx::query(
            "UPDATE players SET name = '', external_id = NULL, deleted_at = coalesce(deleted_at, $2) WHERE id = $1",
        )
        .bind(player)
        .bind(at)
        .execute(&mut *tx)
        .await
        .map_err(meaning)?;
        let tokens = sqlx::query("DELETE FROM tokens WHERE player_id = $1").bind(player);
        tokens.execute(&mut *tx).await.map_err(meaning)?;
        tx.commit().await.map_err(meaning)?;
        Ok(gone.rows_affected() == 1)
    }
}

implement_store!(Sqlite, sqlx::Sqlite);

/// Seeds and hands are secrets: a new file is for its owner alone. If it cannot be made, connecting will say why.
fn keep_private(file: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file);
}

type Tx<'a> = sqlx::Transaction<'a, sqlx::Sqlite>;

/// Stores changes in one commit. Each has a savepoint of its own: what one of them comes to does not touch the others.
async fn store_together(writes: SqlitePool, changes: Vec<Change>) -> Vec<Result<Stored>> {
    let committed = async {
        let mut answers = Vec::with_capacity(changes.len());
        let mut tx = writes.begin_with("BEGIN IMMEDIATE").await.map_err(meaning)?;
        for change in &changes {
            let mut part = tx.begin().await.map_err(meaning)?;
            let answer = store(&mut part, change).await;
            let kept = if let Ok(Stored::Yes) = answer { part.commit().await } else { part.rollback().await };
            kept.map_err(meaning)?;
            answers.push(answer);
        }
        tx.commit().await.map_err(meaning)?;
        Ok(answers)
    };
    match committed.await {
        Ok(answers) => answers,
        Err(error) => changes.iter().map(|_| Err(StoreError::shared(&error))).collect(),
    }
}

async fn store(tx: &mut Tx<'_>, change: &Change) -> Result<Stored> {
    let game = &change.game;
    let done = sqlx::query(
        "UPDATE games SET version = $3, ply = $4, status = $5, position = $6, state = NULL, to_act = $7, decisions = $8,
            seating = $9, outcome = $10, started_at = $11, ended_at = $12
         WHERE id = $1 AND version = $2",
    )
    .bind(game.id)
    .bind(change.from_version)
    .bind(game.version)
    .bind(game.ply)
    .bind(game.status)
    .bind(&game.position)
    .bind(game.to_act)
    .bind(&game.decisions)
    .bind(&game.seating)
    .bind(change.outcome.as_ref().map(Json))
    .bind(game.started_at)
    .bind(game.ended_at)
    .execute(&mut **tx)
    .await
    .map_err(meaning)?;
    if done.rows_affected() == 0 {
        return Ok(Stored::Overtaken);
    }
    match change.seating {
        Seating::Unchanged => {}
        Seating::Taken { seat, player } => take_seat(tx, game.id, seat, player).await?,
        Seating::Freed { seat } => {
            sqlx::query("DELETE FROM seatings WHERE game_id = $1 AND seat = $2")
                .bind(game.id)
                .bind(seat)
                .execute(&mut **tx)
                .await
                .map_err(meaning)?;
        }
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
        .await
        .map_err(meaning)?;
    }
    write_log(tx, game.id, change.from_version, &change.entries, change.at).await?;
    Ok(Stored::Yes)
}

async fn take_seat(tx: &mut Tx<'_>, game: GameId, seat: i16, player: PlayerId) -> Result<()> {
    sqlx::query(
        "INSERT INTO seatings (game_id, seat, player_id, kind, is_public, is_practice)
         SELECT id, $2, $3, kind, visibility = 'PUBLIC', origin IS NOT NULL FROM games WHERE id = $1",
    )
    .bind(game)
    .bind(seat)
    .bind(player)
    .execute(&mut **tx)
    .await
    .map_err(meaning)?;
    Ok(())
}

async fn write_log(tx: &mut Tx<'_>, game: GameId, version: i32, entries: &[NewEntry], at: At) -> Result<()> {
    for (entry, version) in entries.iter().zip(version + 1..) {
        sqlx::query(
            "INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events,
                key, key_hash, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        )
        .bind(game)
        .bind(version)
        .bind(entry.what)
        .bind(entry.seat)
        .bind(entry.player_id)
        .bind(entry.ply)
        .bind(&entry.notation)
        .bind(entry.is_auto)
        .bind(entry.is_secret)
        .bind(Json(&entry.events))
        .bind(entry.key.as_ref().map(|key| &key.key))
        .bind(entry.key.as_ref().map(|key| &key.hash))
        .bind(at)
        .execute(&mut **tx)
        .await
        .map_err(meaning)?;
    }
    Ok(())
}
