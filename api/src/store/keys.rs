//! Idempotency keys of requests that make something. Those of changes of a game are in its log.

use uuid::Uuid;

use super::rows::CreationRow;
use super::{Result, Store, execute, on};
use crate::model::{At, Creation, OwnedKey};

impl Store {
    /// What an earlier request of this player or app with this key made.
    pub async fn creation(&self, owner: Uuid, key: &str) -> Result<Option<Creation>> {
        let sql = "SELECT hash, object_id, created_at FROM idempotency_keys WHERE owner_id = $1 AND key = $2";
        let row: Option<CreationRow> =
            on!(self.reads, db => sqlx::query_as(sql).bind(owner).bind(key).fetch_optional(db))?;
        Ok(row.map(Creation::from))
    }

    /// Stores the key of a request that found what it would have made.
    pub async fn add_key(&self, OwnedKey { owner, key }: &OwnedKey, object: Uuid, at: At) -> Result<()> {
        let sql =
            "INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at) VALUES ($1, $2, $3, $4, $5)";
        execute!(self.writes, sqlx::query(sql).bind(owner).bind(&key.key).bind(&key.hash).bind(object).bind(at))
            .map(drop)
    }

    /// Deletes keys that are older than this, at most so many.
    pub async fn delete_old_keys(&self, before: At, most: i64) -> Result<()> {
        let sql = "DELETE FROM idempotency_keys WHERE (owner_id, key) IN
             (SELECT owner_id, key FROM idempotency_keys WHERE created_at < $1 LIMIT $2)";
        execute!(self.writes, sqlx::query(sql).bind(before).bind(most)).map(drop)
    }
}
