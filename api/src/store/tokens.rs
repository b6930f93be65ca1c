//! Players' tokens, and stream tickets.

use sqlx::{AssertSqlSafe, FromRow, Row};

use super::rows::{PLAYER, PlayerRow, TicketRow, TokenRow};
use super::sql::{Sql, bound};
use super::sqlite::{Transaction, write_key};
use super::{Result, Store, execute, on};
use crate::ids::{PlayerId, TokenId};
use crate::model::{ActiveToken, At, NewToken, OwnedKey, Player, Ticket};

impl Store {
    /// Stores a token, and the key of the request for it. Returns whether it did: not if the player has `most` active
    /// tokens, or the token that it is issued with is no longer active. Fails with [`super::StoreError::Taken`] if the key
    /// has been used.
    pub async fn add_token(&self, token: &NewToken, most: u32, key: Option<&OwnedKey>) -> Result<bool> {
        let insert = "INSERT INTO tokens (id, player_id, hash, created_at, expires_at, issued_by)
             SELECT $1, $2, $3, $4, $5, (SELECT id FROM tokens WHERE hash = $6)
             WHERE (NOT $7 OR EXISTS (SELECT 1 FROM tokens WHERE hash = $6 AND revoked_at IS NULL))
               AND $8 > (SELECT count(*) FROM tokens
                         WHERE player_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $4))";
        macro_rules! token {
            ($sql:expr) => {
                sqlx::query($sql)
                    .bind(token.id)
                    .bind(token.player_id)
                    .bind(&token.hash)
                    .bind(token.created_at)
                    .bind(token.expires_at)
                    .bind(&token.issued_with)
                    .bind(token.issued_with.is_some())
                    .bind(i64::from(most))
            };
        }
        let Some(owned @ OwnedKey { owner, key }) = key else {
            return Ok(execute!(self.writes, token!(insert))? == 1);
        };
        match self {
            Store::Postgres(db) => {
                let sql = format!(
                    "WITH token AS ({insert} RETURNING id, created_at)
                     INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
                     SELECT $9, $10, $11, id, created_at FROM token"
                );
                let query = token!(AssertSqlSafe(sql)).bind(owner).bind(&key.key).bind(&key.hash);
                Ok(query.execute(&db.writes).await?.rows_affected() == 1)
            }
            Store::Sqlite(db) => {
                let mut tx = Transaction::begin(&db.writes).await?;
                let is_added = token!(insert).execute(&mut *tx).await?.rows_affected() == 1;
                if is_added {
                    write_key(&mut tx, owned, Some(token.id.0), token.created_at).await?;
                }
                tx.commit().await?;
                Ok(is_added)
            }
        }
    }

    /// A token, active or not.
    pub async fn token(&self, id: TokenId) -> Result<Option<ActiveToken>> {
        let sql = "SELECT id, created_at, expires_at, false AS is_current FROM tokens WHERE id = $1";
        let row: Option<TokenRow> = on!(self.reads, db => sqlx::query_as(sql).bind(id).fetch_optional(db))?;
        Ok(row.map(ActiveToken::from))
    }

    /// A player's active tokens older than this one, newest first. `current` is the hash of the caller's own.
    pub async fn tokens(
        &self,
        player: PlayerId,
        current: Option<&[u8]>,
        now: At,
        before: TokenId,
        limit: i64,
    ) -> Result<Vec<ActiveToken>> {
        let sql = "SELECT id, created_at, expires_at, coalesce(hash = $5, false) AS is_current FROM tokens
             WHERE player_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) AND id < $3
             ORDER BY id DESC LIMIT $4";
        let rows: Vec<TokenRow> = on!(self.reads, db =>
            sqlx::query_as(sql).bind(player).bind(now).bind(before).bind(limit).bind(current).fetch_all(db))?;
        Ok(rows.into_iter().map(ActiveToken::from).collect())
    }

    /// Revokes a token, and all that were issued with it. Returns whether it was active.
    pub async fn revoke_token(&self, player: PlayerId, token: TokenId, at: At) -> Result<bool> {
        let sql = "WITH RECURSIVE issued (id) AS (
                SELECT id FROM tokens WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL
                UNION SELECT t.id FROM tokens t JOIN issued i ON t.issued_by = i.id WHERE t.player_id = $2
             )
             UPDATE tokens SET revoked_at = $3 WHERE id IN (SELECT id FROM issued) AND revoked_at IS NULL";
        Ok(execute!(self.writes, sqlx::query(sql).bind(token).bind(player).bind(at))? > 0)
    }

    /// Revokes all tokens of a player.
    pub async fn revoke_tokens(&self, player: PlayerId, at: At) -> Result<()> {
        let sql = "UPDATE tokens SET revoked_at = $2 WHERE player_id = $1 AND revoked_at IS NULL";
        execute!(self.writes, sqlx::query(sql).bind(player).bind(at)).map(drop)
    }

    /// The player of an active token, and the token's expiry.
    pub async fn player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>> {
        match self {
            Store::Postgres(db) => db.batched.player_by_token(hash, now).await,
            Store::Sqlite(db) => {
                let sql = format!(
                    "SELECT {PLAYER}, t.expires_at
                     FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
                     WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
                       AND p.deleted_at IS NULL AND a.revoked_at IS NULL"
                );
                let row = sqlx::query(AssertSqlSafe(sql)).bind(hash).bind(now).fetch_optional(&db.reads).await?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some((PlayerRow::from_row(&row)?.into(), row.try_get("expires_at")?)))
            }
        }
    }

    /// The active ones of these tokens and app keys, by hash.
    pub async fn active_tokens(&self, hashes: &[Vec<u8>], now: At) -> Result<Vec<Vec<u8>>> {
        if hashes.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new(
            "SELECT t.hash FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
             WHERE t.revoked_at IS NULL AND a.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ",
        );
        sql.bind(now).push(") AND t.hash IN (").bind_list(hashes.iter().cloned());
        sql.push(
            ") UNION ALL SELECT k.hash FROM app_keys k JOIN apps a ON a.id = k.app_id
             WHERE k.revoked_at IS NULL AND a.revoked_at IS NULL AND k.hash IN (",
        );
        sql.bind_list(hashes.iter().cloned()).push(")");
        on!(self.reads, db => bound!(sql, sqlx::query_scalar).fetch_all(db))
    }

    /// Stores a ticket, and the key of the request for it. Fails with [`super::StoreError::Taken`] if the key has been
    /// used.
    pub async fn add_ticket(&self, ticket: &Ticket, key: Option<&OwnedKey>, at: At) -> Result<()> {
        let insert =
            "INSERT INTO stream_tickets (hash, token_hash, is_app, act_as, expires_at) VALUES ($1, $2, $3, $4, $5)";
        macro_rules! ticket {
            ($sql:expr) => {
                sqlx::query($sql)
                    .bind(&ticket.hash)
                    .bind(&ticket.token_hash)
                    .bind(ticket.is_app)
                    .bind(ticket.act_as)
                    .bind(ticket.expires_at)
            };
        }
        let Some(owned @ OwnedKey { owner, key }) = key else {
            return execute!(self.writes, ticket!(insert)).map(drop);
        };
        match self {
            Store::Postgres(db) => {
                let sql = format!(
                    "WITH ticket AS ({insert})
                     INSERT INTO idempotency_keys (owner_id, key, hash, created_at) VALUES ($6, $7, $8, $9)"
                );
                let query = ticket!(AssertSqlSafe(sql)).bind(owner).bind(&key.key).bind(&key.hash).bind(at);
                query.execute(&db.writes).await?;
            }
            Store::Sqlite(db) => {
                let mut tx = Transaction::begin(&db.writes).await?;
                ticket!(insert).execute(&mut *tx).await?;
                write_key(&mut tx, owned, None, at).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }

    /// Opens a stream with a ticket, which is valid until then, unless it has expired or belongs to another stream.
    pub async fn redeem_ticket(&self, hash: &[u8], stream: &str, now: At, until: At) -> Result<Option<Ticket>> {
        let sql = "UPDATE stream_tickets SET stream = $2, openings = openings + 1, expires_at = $4
             WHERE hash = $1 AND expires_at > $3 AND (stream IS NULL OR stream = $2)
             RETURNING hash, token_hash, is_app, act_as, expires_at, openings";
        let row: Option<TicketRow> = on!(self.writes, db =>
            sqlx::query_as(sql).bind(hash).bind(stream).bind(now).bind(until).fetch_optional(db))?;
        Ok(row.map(Ticket::from))
    }

    /// Keeps a ticket valid until then. Returns whether this opening was its latest.
    pub async fn renew_ticket(&self, hash: &[u8], opening: i32, until: At) -> Result<bool> {
        let sql = "UPDATE stream_tickets SET expires_at = $3 WHERE hash = $1 AND openings = $2";
        Ok(execute!(self.writes, sqlx::query(sql).bind(hash).bind(opening).bind(until))? == 1)
    }

    /// Deletes tickets that expired, unused or after their stream.
    pub async fn delete_expired_tickets(&self, now: At) -> Result<()> {
        let sql = "DELETE FROM stream_tickets WHERE expires_at <= $1";
        execute!(self.writes, sqlx::query(sql).bind(now)).map(drop)
    }
}
