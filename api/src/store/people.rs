//! Players, and players' statistics.

use domain::Kind;
use sqlx::AssertSqlSafe;

use super::rows::{self, HeadToHeadRow, PLAYER, PlayerRow, TallyRow};
use super::sql::{Sql, bound};
use super::sqlite::{Transaction, write_key};
use super::{Result, Store, on};
use crate::ids::{AppId, GameId, PlayerId};
use crate::model::{At, HeadToHead, OwnedKey, Player, Scope, Tally};

impl Store {
    /// Stores a player, and the key of its registration. A player with the same external id in the same app keeps its id
    /// and gets the new name; without `is_bot` it stays a bot or not. Fails with [`super::StoreError::Taken`] if the key
    /// has been used.
    pub async fn upsert_player(&self, player: &Player, is_bot: Option<bool>, key: Option<&OwnedKey>) -> Result<Player> {
        let insert = "INSERT INTO players (id, app_id, external_id, name, created_at, is_bot)
             VALUES ($1, $2, $3, $4, $5, coalesce($6, false))
             ON CONFLICT (app_id, external_id) DO UPDATE SET
                name = excluded.name, is_bot = coalesce($6, players.is_bot)
             RETURNING id, app_id, external_id, name, is_bot, created_at, deleted_at";
        macro_rules! player {
            ($sql:expr) => {
                sqlx::query_as::<_, PlayerRow>($sql)
                    .bind(player.id)
                    .bind(player.app_id)
                    .bind(&player.external_id)
                    .bind(&player.name)
                    .bind(player.created_at)
                    .bind(is_bot)
            };
        }
        let Some(owned @ OwnedKey { owner, key }) = key else {
            let row: PlayerRow = on!(self.writes, db => player!(insert).fetch_one(db))?;
            return Ok(row.into());
        };
        match self {
            Store::Postgres(db) => {
                let sql = format!(
                    "WITH player AS ({insert}), key AS (
                        INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
                        SELECT $7, $8, $9, id, $10 FROM player
                     )
                     SELECT * FROM player"
                );
                let query = player!(AssertSqlSafe(sql)).bind(owner).bind(&key.key).bind(&key.hash).bind(At::now());
                Ok(query.fetch_one(&db.writes).await?.into())
            }
            Store::Sqlite(db) => {
                let mut tx = Transaction::begin(&db.writes).await?;
                let player = Player::from(player!(insert).fetch_one(&mut *tx).await?);
                write_key(&mut tx, owned, Some(player.id.0), At::now()).await?;
                tx.commit().await?;
                Ok(player)
            }
        }
    }

    /// Changes what is given of a player who is not deleted.
    pub async fn update_player(
        &self,
        player: PlayerId,
        name: Option<&str>,
        is_bot: Option<bool>,
    ) -> Result<Option<Player>> {
        let sql = "UPDATE players SET name = coalesce($2, name), is_bot = coalesce($3, is_bot)
             WHERE id = $1 AND deleted_at IS NULL
             RETURNING id, app_id, external_id, name, is_bot, created_at, deleted_at";
        let row: Option<PlayerRow> =
            on!(self.writes, db => sqlx::query_as(sql).bind(player).bind(name).bind(is_bot).fetch_optional(db))?;
        Ok(row.map(Player::from))
    }

    /// The players of an app before this one, newest first; of all of them, or the one with this external id.
    pub async fn players_of_app(
        &self,
        app: AppId,
        external_id: Option<String>,
        before: PlayerId,
        limit: i64,
    ) -> Result<Vec<Player>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(PLAYER).push(" FROM players p WHERE p.deleted_at IS NULL AND p.app_id = ").bind(app);
        if let Some(external_id) = external_id {
            sql.push(" AND p.external_id = ").bind(external_id);
        }
        sql.push(" AND p.id < ").bind(before).push(" ORDER BY p.id DESC LIMIT ").bind(limit);
        let rows: Vec<PlayerRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        Ok(rows.into_iter().map(Player::from).collect())
    }

    pub async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        match self {
            Store::Postgres(db) => db.batched.players(ids).await,
            Store::Sqlite(db) => {
                let mut sql = Sql::new("SELECT ");
                sql.push(PLAYER).push(" FROM players p WHERE p.id IN (").bind_list(ids.iter().copied()).push(")");
                let rows: Vec<PlayerRow> = bound!(sql, sqlx::query_as).fetch_all(&db.reads).await?;
                Ok(rows.into_iter().map(Player::from).collect())
            }
        }
    }

    /// Erases a player's name, external id, tokens and idempotency keys. Returns whether the player exists, deleted or not.
    pub async fn delete_player(&self, player: PlayerId, at: At) -> Result<bool> {
        match self {
            Store::Postgres(db) => db.delete_player(player, at).await,
            Store::Sqlite(db) => db.delete_player(player, at).await,
        }
    }

    /// Players deleted since a time who still sit in open or running games.
    pub async fn deleted_in_games(&self, since: At, limit: i64) -> Result<Vec<Player>> {
        let sql = format!(
            "SELECT {PLAYER} FROM players p WHERE p.deleted_at >= $1
             AND EXISTS (SELECT 1 FROM seatings s WHERE s.player_id = p.id AND NOT s.is_over) LIMIT $2"
        );
        let rows: Vec<PlayerRow> =
            on!(self.reads, db => sqlx::query_as(AssertSqlSafe(sql)).bind(since).bind(limit).fetch_all(db))?;
        Ok(rows.into_iter().map(Player::from).collect())
    }

    /// The open and running games of a player, after this one in the order of their ids.
    pub async fn games_still_on(&self, player: PlayerId, after: GameId, limit: i64) -> Result<Vec<GameId>> {
        let sql = "SELECT game_id FROM seatings WHERE player_id = $1 AND NOT is_over AND game_id > $2
             ORDER BY game_id LIMIT $3";
        on!(self.reads, db => sqlx::query_scalar(sql).bind(player).bind(after).bind(limit).fetch_all(db))
    }

    /// Sums up a player's finished games within a scope, by kind: those in which a bot had a seat, or the others. Practice
    /// games do not count.
    pub async fn tallies(
        &self,
        player: PlayerId,
        scope: Scope,
        kind: Option<Kind>,
        with_bots: bool,
    ) -> Result<Vec<Tally>> {
        // `setbacks` counts the games not won, from the last game backwards. It is 0 throughout the current streak and
        // constant within every other streak.
        let mut sql = Sql::new(
            "WITH results AS (
                SELECT s.kind, s.place, s.result,
                    sum(CASE WHEN s.result IN ('WON', 'SHARED') THEN 0 ELSE 1 END) OVER (
                        PARTITION BY s.kind ORDER BY s.ended_at DESC, s.game_id DESC ROWS UNBOUNDED PRECEDING
                    ) AS setbacks
                FROM seatings s WHERE s.player_id = ",
        );
        sql.bind(player);
        filter_by_finished(&mut sql, kind, with_bots);
        filter_by_scope(&mut sql, player, scope);
        sql.push(
            "), streaks AS (
                SELECT kind, setbacks, count(*) AS played, sum(place) AS places,
                    count(CASE WHEN result = 'WON' THEN 1 END) AS won,
                    count(CASE WHEN result = 'SHARED' THEN 1 END) AS shared,
                    count(CASE WHEN result = 'DRAWN' THEN 1 END) AS drawn,
                    count(CASE WHEN result = 'LOST' THEN 1 END) AS lost
                FROM results GROUP BY kind, setbacks
             )
             SELECT kind, CAST(sum(played) AS bigint) AS played, CAST(sum(places) AS bigint) AS places,
                CAST(sum(won) AS bigint) AS won, CAST(sum(shared) AS bigint) AS shared,
                CAST(sum(drawn) AS bigint) AS drawn, CAST(sum(lost) AS bigint) AS lost,
                max(CASE WHEN setbacks = 0 THEN won + shared ELSE 0 END) AS current_streak,
                max(won + shared) AS longest_streak
             FROM streaks GROUP BY kind ORDER BY kind",
        );
        let rows: Vec<TallyRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        rows::all(rows)
    }

    /// Compares the places of two players in the finished games that they played together, by kind.
    pub async fn head_to_head(
        &self,
        player: PlayerId,
        opponent: PlayerId,
        scope: Scope,
        kind: Option<Kind>,
        with_bots: bool,
    ) -> Result<Vec<HeadToHead>> {
        let mut sql = Sql::new(
            "SELECT s.kind, count(*) AS played,
                count(CASE WHEN s.place < o.place THEN 1 END) AS ahead,
                count(CASE WHEN s.place = o.place THEN 1 END) AS level,
                count(CASE WHEN s.place > o.place THEN 1 END) AS behind
             FROM seatings s JOIN seatings o ON o.game_id = s.game_id AND o.player_id = ",
        );
        sql.bind(opponent).push(" WHERE s.player_id = ").bind(player);
        filter_by_finished(&mut sql, kind, with_bots);
        filter_by_scope(&mut sql, player, scope);
        sql.push(" GROUP BY s.kind ORDER BY s.kind");
        let rows: Vec<HeadToHeadRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        rows::all(rows)
    }
}

/// Only games that count: finished and not practice. Games with bots count apart from the others.
fn filter_by_finished(sql: &mut Sql, kind: Option<Kind>, with_bots: bool) {
    sql.push(" AND s.result IS NOT NULL AND NOT s.is_practice");
    sql.push(if with_bots { " AND s.with_bots" } else { " AND NOT s.with_bots" });
    if let Some(kind) = kind {
        sql.push(" AND s.kind = ").bind(kind.name());
    }
}

/// Only games within a scope.
pub(super) fn filter_by_scope(sql: &mut Sql, player: PlayerId, scope: Scope) {
    match scope {
        Scope::All => {}
        Scope::Public => {
            sql.push(" AND s.is_public");
        }
        Scope::PublicAndOwn(own) if own == player => {}
        Scope::PublicAndOwn(own) => {
            sql.push(
                " AND (s.is_public OR EXISTS (SELECT 1 FROM seatings w WHERE w.game_id = s.game_id AND w.player_id = ",
            )
            .bind(own)
            .push("))");
        }
    }
}
