//! Batched reads on Postgres: concurrent lookups of the same sort share one statement.
//!
//! Nearly every request makes these lookups, and each sort has its own batcher. Batching saves statements and moves
//! sending and decoding off the web workers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use sqlx::postgres::{PgHasArrayType, PgRow};
use sqlx::{AssertSqlSafe, Encode, FromRow, Postgres, Row, Type};

use super::batch::Batcher;
use super::pool::Pool;
use super::rows::{GameRow, PLAYER, PlayerRow};
use super::{Result, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::model::{At, Game, Head, Player};

pub struct BatchedReads {
    heads: Lookup<GameId, Head>,
    games: Lookup<GameId, Game>,
    rematches: Lookup<GameId, GameId>,
    players: Lookup<PlayerId, Player>,
    tokens: Lookup<Vec<u8>, (Player, Option<At>)>,
}

/// Takes keys. Returns the rows found, each with its key; missing keys are left out.
type Lookup<Key, Found> = Batcher<Vec<Key>, Vec<(Key, Found)>>;

impl BatchedReads {
    /// `game` lists the columns of a game.
    pub fn new(pool: &Pool<Postgres>, game: &str) -> BatchedReads {
        BatchedReads {
            heads: lookup(pool, "SELECT id, version, tag FROM games WHERE id = ANY($1)", |row| {
                Ok(Head { version: row.try_get(1)?, tag: row.try_get(2)? })
            }),
            games: lookup(pool, &format!("SELECT g.id AS key, {game} FROM games g WHERE g.id = ANY($1)"), |row| {
                Game::try_from(GameRow::from_row(row)?).map_err(|error| sqlx::Error::Decode(error.into()))
            }),
            rematches: lookup(
                pool,
                "SELECT rematch_of, id FROM games
                 WHERE rematch_of = ANY($1) AND rematch_of IS NOT NULL AND status <> 'CANCELLED'",
                |row| row.try_get(1),
            ),
            players: lookup(
                pool,
                &format!("SELECT p.id AS key, {PLAYER} FROM players p WHERE p.id = ANY($1)"),
                |row| PlayerRow::from_row(row).map(Player::from),
            ),
            tokens: lookup(
                pool,
                &format!(
                    "SELECT t.hash, t.expires_at, {PLAYER}
                     FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
                     WHERE t.hash = ANY($1) AND t.revoked_at IS NULL AND p.deleted_at IS NULL AND a.revoked_at IS NULL"
                ),
                |row| Ok((PlayerRow::from_row(row)?.into(), row.try_get(1)?)),
            ),
        }
    }

    pub async fn head(&self, game: GameId) -> Result<Option<Head>> {
        one(self.heads.submit(vec![game]).await)
    }

    pub async fn game(&self, id: GameId) -> Result<Option<Game>> {
        one(self.games.submit(vec![id]).await)
    }

    pub async fn rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>> {
        self.rematches.submit(games.to_vec()).await
    }

    pub async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>> {
        let found = self.players.submit(ids.to_vec()).await?;
        Ok(found.into_iter().map(|(_, player)| player).collect())
    }

    pub async fn player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>> {
        let found = one(self.tokens.submit(vec![hash.to_vec()]).await)?;
        Ok(found.filter(|(_, until)| until.is_none_or(|until| until > now)))
    }
}

/// A batched lookup. `sql` takes an array of keys. The first column of its rows is the key; `read` decodes the rest.
fn lookup<Key, Found>(pool: &Pool<Postgres>, sql: &str, read: fn(&PgRow) -> sqlx::Result<Found>) -> Lookup<Key, Found>
where
    Key: Clone + Eq + Hash + Send + Sync + Unpin + 'static,
    Key: PgHasArrayType + Type<sqlx::Postgres> + for<'q> Encode<'q, sqlx::Postgres>,
    Key: for<'r> sqlx::Decode<'r, sqlx::Postgres>,
    Found: Clone + Send + 'static,
{
    let (pool, sql) = (pool.clone(), Arc::<str>::from(sql));
    Batcher::new(1, move |asked: Vec<Vec<Key>>| {
        let (pool, sql) = (pool.clone(), Arc::clone(&sql));
        async move {
            let keys: Vec<Key> = asked.iter().flatten().cloned().collect();
            let rows = sqlx::query(AssertSqlSafe(sql)).bind(keys).fetch_all(&pool).await;
            let found = rows.and_then(|rows| rows.iter().map(|row| Ok((row.try_get(0)?, read(row)))).collect());
            match found {
                Ok(found) => asked.into_iter().map(|keys| rows_for(&found, keys)).collect(),
                Err(error) => {
                    let error = StoreError::from(error);
                    asked.iter().map(|_| Err(error.duplicate())).collect()
                }
            }
        }
    })
}

/// Picks the rows of one request from those of the batch. An unreadable row fails only the requests for its key.
fn rows_for<Key, Found>(found: &HashMap<Key, sqlx::Result<Found>>, keys: Vec<Key>) -> Result<Vec<(Key, Found)>>
where
    Key: Eq + Hash,
    Found: Clone,
{
    let mut own = Vec::with_capacity(keys.len());
    for key in keys {
        match found.get(&key) {
            None => {}
            Some(Ok(found)) => own.push((key, found.clone())),
            Some(Err(error)) => return Err(StoreError::Failed(sqlx::Error::Decode(error.to_string().into()))),
        }
    }
    Ok(own)
}

fn one<Key, Found>(found: Result<Vec<(Key, Found)>>) -> Result<Option<Found>> {
    Ok(found?.pop().map(|(_, found)| found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_gets_its_own_rows_and_an_unreadable_row_fails_no_other() {
        let found = HashMap::from([(1, Ok("Asha")), (2, Err(sqlx::Error::RowNotFound)), (3, Ok("Usha"))]);
        assert_eq!(rows_for(&found, vec![3, 4, 1]).unwrap(), [(3, "Usha"), (1, "Asha")]);
        assert_eq!(rows_for(&found, vec![4]).unwrap(), []);
        assert!(matches!(rows_for(&found, vec![1, 2]), Err(StoreError::Failed(_))));
    }
}
