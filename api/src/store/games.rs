//! Games: reading, creating and changing one.

use serde_json::Value;
use sqlx::AssertSqlSafe;
use sqlx::types::Json;

use super::rows::{Columns, GameRow};
use super::sql::{Sql, bound};
use super::{Result, Store, StoreError, execute, on, postgres, sqlite};
use crate::ids::GameId;
use crate::model::{Change, Game, Head, NewGame, Stored, Tag, Version};

impl Store {
    /// Stores a new game. Fails with [`StoreError::Taken`] if its creator has used the idempotency key before, or if the
    /// previous game already has a rematch.
    pub async fn create_game(&self, new: &NewGame) -> Result<()> {
        match self {
            Store::Postgres(db) => db.insert_game(new).await,
            Store::Sqlite(db) => db.insert_game(new).await,
        }
    }

    /// Stores a change in its own commit, by compare-and-set on the version it was decided on.
    pub async fn store_change(&self, change: &Change) -> Result<Stored> {
        match self {
            Store::Postgres(db) => db.update_game(change).await,
            Store::Sqlite(db) => db.store_batch(&[change]).await.swap_remove(0),
        }
    }

    /// Stores changes in one commit, each by compare-and-set on the version it was decided on. A failed change does not
    /// affect the others.
    pub async fn store_batch(&self, changes: &[&Change]) -> Vec<Result<Stored>> {
        match self {
            Store::Postgres(db) => db.store_batch(changes).await,
            Store::Sqlite(db) => db.store_batch(changes).await,
        }
    }

    /// Whether a change may share a commit with others.
    pub fn can_batch(&self, change: &Change) -> bool {
        match self {
            // A change of seats needs a statement of its own.
            Store::Postgres(_) => change.is_move(),
            Store::Sqlite(_) => true,
        }
    }

    /// The most batches of changes in flight.
    pub fn most_batches(&self) -> usize {
        match self {
            Store::Postgres(db) => db.most_batches,
            Store::Sqlite(_) => 1,
        }
    }

    /// Replaces the saved position of a game, unless the game has changed since.
    pub async fn write_back(&self, game: &Game) -> Result<()> {
        let sql = "UPDATE games SET position = $3, state = NULL WHERE id = $1 AND version = $2 AND tag = $4";
        let position = game.position_column();
        execute!(self.writes, sqlx::query(sql).bind(game.id).bind(game.version).bind(position).bind(game.tag)).map(drop)
    }

    pub async fn game(&self, id: GameId) -> Result<Option<Game>> {
        match self {
            Store::Postgres(db) => db.batched.game(id).await,
            Store::Sqlite(db) => {
                let row: Option<GameRow> = sqlx::query_as(AssertSqlSafe(self.select_game("WHERE g.id = $1")))
                    .bind(id)
                    .fetch_optional(&db.reads)
                    .await?;
                row.map(Game::try_from).transpose()
            }
        }
    }

    /// The version of a game and the tag of its last change.
    pub async fn head(&self, id: GameId) -> Result<Option<Head>> {
        match self {
            Store::Postgres(db) => db.batched.head(id).await,
            Store::Sqlite(_) => Ok(self.heads(&[id]).await?.pop().map(|(_, head)| head)),
        }
    }

    /// The versions of these games, with the tags of their last changes.
    pub async fn heads(&self, games: &[GameId]) -> Result<Vec<(GameId, Head)>> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT id, version, tag FROM games WHERE id IN (");
        sql.bind_list(games.iter().copied()).push(")");
        let rows: Vec<(GameId, Version, Tag)> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        Ok(rows.into_iter().map(|(game, version, tag)| (game, Head { version, tag })).collect())
    }

    pub async fn game_by_code(&self, code: &str) -> Result<Option<Game>> {
        let sql = self.select_game("WHERE g.join_code = $1");
        let row: Option<GameRow> =
            on!(self.reads, db => sqlx::query_as(AssertSqlSafe(sql)).bind(code).fetch_optional(db))?;
        row.map(Game::try_from).transpose()
    }

    /// The rematches of these games, unless cancelled, as pairs of game and rematch.
    pub async fn rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        match self {
            Store::Postgres(db) => db.batched.rematches(games).await,
            Store::Sqlite(db) => {
                let mut sql = Sql::new("SELECT rematch_of, id FROM games WHERE rematch_of IN (");
                // Repeats the condition of the partial index, so that SQLite uses it.
                sql.bind_list(games.iter().copied()).push(") AND rematch_of IS NOT NULL AND status <> 'CANCELLED'");
                Ok(bound!(sql, sqlx::query_as).fetch_all(&db.reads).await?)
            }
        }
    }

    /// The stored outcome of a game.
    pub async fn outcome(&self, game: GameId) -> Result<Option<Value>> {
        let sql = "SELECT outcome FROM games WHERE id = $1";
        let row: Option<Option<Json<Value>>> =
            on!(self.reads, db => sqlx::query_scalar(sql).bind(game).fetch_optional(db))?;
        Ok(row.flatten().map(|outcome| outcome.0))
    }

    /// The columns of a game, for a query from `games g`.
    pub(super) fn game_columns(&self) -> &'static str {
        match self {
            Store::Postgres(_) => postgres::GAME,
            Store::Sqlite(_) => sqlite::GAME,
        }
    }

    pub(super) fn select_game(&self, rest: &str) -> String {
        format!("SELECT {} FROM games g {rest}", self.game_columns())
    }
}

/// The game, or why its row is unreadable, with its id.
pub(super) fn read_with_id(row: GameRow) -> (GameId, std::result::Result<Game, StoreError>) {
    (row.id, Game::try_from(row))
}
