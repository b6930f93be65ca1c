//! The questions that come with nearly every request, asked of Postgres for all who wait at the same time.
//!
//! Each sort of question has a ferry of its own. That saves statements, and a request that waits for an answer waits for
//! nothing else: the statement is sent and read away from the workers, who have other requests to see to.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use sqlx::postgres::{PgHasArrayType, PgPool, PgRow};
use sqlx::{AssertSqlSafe, Encode, FromRow, Row, Type};

use super::ferry::Ferry;
use super::shared::{PLAYER, meaning};
use super::{At, GameId, Player, PlayerId, Result, StoreError, StoredGame};

pub struct Questions {
    versions: Asking<GameId, i32>,
    games: Asking<GameId, StoredGame>,
    rematches: Asking<GameId, GameId>,
    players: Asking<PlayerId, Player>,
    tokens: Asking<Vec<u8>, (Player, Option<At>)>,
}

/// Carries keys over, and back what is found by them.
type Asking<Key, Found> = Ferry<Vec<Key>, Vec<(Key, Found)>>;

impl Questions {
    /// Asked over these connections. `game` is the columns of a game.
    pub fn new(pool: &PgPool, game: &str) -> Questions {
        Questions {
            versions: asking(pool, "SELECT id, version FROM games WHERE id = ANY($1)", |row| row.try_get(1)),
            games: asking(pool, &format!("SELECT g.id AS key, {game} FROM games g WHERE g.id = ANY($1)"), |row| {
                StoredGame::from_row(row)
            }),
            rematches: asking(
                pool,
                "SELECT rematch_of, id FROM games
                 WHERE rematch_of = ANY($1) AND rematch_of IS NOT NULL AND status <> 'CANCELLED'",
                |row| row.try_get(1),
            ),
            players: asking(
                pool,
                &format!("SELECT p.id AS key, {PLAYER} FROM players p WHERE p.id = ANY($1)"),
                |row| Player::from_row(row),
            ),
            tokens: asking(
                pool,
                &format!(
                    "SELECT t.hash, t.expires_at, {PLAYER}
                     FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
                     WHERE t.hash = ANY($1) AND t.revoked_at IS NULL AND p.deleted_at IS NULL AND a.revoked_at IS NULL"
                ),
                |row| Ok((Player::from_row(row)?, row.try_get(1)?)),
            ),
        }
    }

    pub async fn version(&self, game: GameId) -> Result<Option<i32>> {
        one(self.versions.carry(vec![game]).await)
    }

    pub async fn game(&self, id: GameId) -> Result<Option<StoredGame>> {
        one(self.games.carry(vec![id]).await)
    }

    pub async fn rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>> {
        self.rematches.carry(games.to_vec()).await
    }

    pub async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>> {
        let found = self.players.carry(ids.to_vec()).await?;
        Ok(found.into_iter().map(|(_, player)| player).collect())
    }

    pub async fn player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>> {
        let found = one(self.tokens.carry(vec![hash.to_vec()]).await)?;
        Ok(found.filter(|(_, until)| until.is_none_or(|until| until > now)))
    }
}

/// A ferry for one sort of question. `sql` takes all keys at once; its rows begin with the key, and `read` reads the
/// rest.
fn asking<Key, Found>(pool: &PgPool, sql: &str, read: fn(&PgRow) -> sqlx::Result<Found>) -> Asking<Key, Found>
where
    Key: Clone + Eq + Hash + Send + Sync + Unpin + 'static,
    Key: PgHasArrayType + Type<sqlx::Postgres> + for<'q> Encode<'q, sqlx::Postgres>,
    Key: for<'r> sqlx::Decode<'r, sqlx::Postgres>,
    Found: Clone + Send + 'static,
{
    let (pool, sql) = (pool.clone(), Arc::<str>::from(sql));
    Ferry::new(1, move |asked: Vec<Vec<Key>>| {
        let (pool, sql) = (pool.clone(), Arc::clone(&sql));
        async move {
            let keys: Vec<Key> = asked.iter().flatten().cloned().collect();
            let rows = sqlx::query(AssertSqlSafe(sql)).bind(keys).fetch_all(&pool).await;
            let found = rows.and_then(|rows| rows.iter().map(|row| Ok((row.try_get(0)?, read(row)))).collect());
            match found {
                Ok(found) => asked.into_iter().map(|keys| those_of(&found, keys)).collect(),
                Err(error) => {
                    let error = meaning(error);
                    asked.iter().map(|_| Err(error.shared())).collect()
                }
            }
        }
    })
}

/// What one has asked for, out of what was found for all. A row that cannot be read is trouble for those who want it.
fn those_of<Key, Found>(found: &HashMap<Key, sqlx::Result<Found>>, keys: Vec<Key>) -> Result<Vec<(Key, Found)>>
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
    fn everybody_gets_what_it_asked_for_and_a_row_that_cannot_be_read_troubles_nobody_else() {
        let found = HashMap::from([(1, Ok("Asha")), (2, Err(sqlx::Error::RowNotFound)), (3, Ok("Usha"))]);
        assert_eq!(those_of(&found, vec![3, 4, 1]).unwrap(), [(3, "Usha"), (1, "Asha")]);
        assert_eq!(those_of(&found, vec![4]).unwrap(), []);
        assert!(matches!(those_of(&found, vec![1, 2]), Err(StoreError::Failed(_))));
    }
}
