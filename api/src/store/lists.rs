//! Lists of games, and inboxes.
//!
//! A list first finds the ids of its games, with as few indexes as the filter allows, then reads the games.

use domain::Kind;
use sqlx::AssertSqlSafe;

use super::games::read_with_id;
use super::people::filter_by_scope;
use super::rows::{self, GameRow};
use super::sql::{Sql, bound};
use super::{Result, Store, on};
use crate::ids::{AppId, GameId, PlayerId};
use crate::model::{At, Game, GameFilter, Scope, Status, Version};

/// A page of an app's games, newest first.
#[derive(Clone, Debug)]
pub struct GamePage {
    pub app: AppId,
    pub scope: Scope,
    pub filter: GameFilter,
    /// Only games older than this one, the last of the previous page.
    pub after: Option<GameId>,
    pub limit: i64,
}

/// The running games, as `games g`, that wait for the seat of `seatings s`.
const WAITING: &str = "seatings s JOIN games g ON g.id = s.game_id
     AND NOT s.is_over AND g.status = 'RUNNING' AND ((g.to_act & ~g.bot_seats) >> s.seat) & 1 = 1";

impl Store {
    /// Newest first.
    pub async fn games(&self, page: &GamePage) -> Result<Vec<Game>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(self.game_columns()).push(" FROM (");
        find(&mut sql, page);
        sql.push(") found JOIN games g ON g.id = found.id ORDER BY g.id DESC LIMIT ").bind(page.limit);
        let rows: Vec<GameRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        rows::all(rows)
    }

    /// The number of games. The count stops at the page's limit.
    pub async fn count_games(&self, page: &GamePage) -> Result<i64> {
        let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1 FROM (");
        find(&mut sql, page);
        sql.push(") found LIMIT ").bind(page.limit).push(") counted");
        on!(self.reads, db => bound!(sql, sqlx::query_scalar).fetch_one(db))
    }

    /// The running games that wait for this player, the oldest first.
    pub async fn inbox(&self, player: PlayerId, after: Option<GameId>, limit: i64) -> Result<Vec<Game>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(self.game_columns()).push(" FROM ").push(WAITING).push(" WHERE s.player_id = ").bind(player);
        if let Some(after) = after {
            sql.push(" AND s.game_id > ").bind(after);
        }
        sql.push(" ORDER BY g.id LIMIT ").bind(limit);
        let rows: Vec<GameRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        rows::all(rows)
    }

    /// The running games that wait for this player, except these. The decision that opened first comes first: its time is
    /// that of the entry that opened it, because an index on a time of `games` would change with every move.
    pub async fn waiting_longest(&self, player: PlayerId, exclude: &[GameId], limit: i64) -> Result<Vec<GameId>> {
        let mut sql = Sql::new("SELECT g.id FROM ");
        sql.push(WAITING).push(
            " LEFT JOIN entries e ON e.game_id = g.id
                 AND e.version = CAST(g.decisions ->> CAST(s.seat AS integer) AS integer)
             WHERE s.player_id = ",
        );
        sql.bind(player);
        if !exclude.is_empty() {
            sql.push(" AND s.game_id NOT IN (").bind_list(exclude.iter().copied()).push(")");
        }
        sql.push(" ORDER BY e.at, g.id LIMIT ").bind(limit);
        on!(self.reads, db => bound!(sql, sqlx::query_scalar).fetch_all(db))
    }

    /// The games that wait for each of these players, with their versions.
    pub async fn waiting(&self, players: &[PlayerId]) -> Result<Vec<(PlayerId, GameId, Version)>> {
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT s.player_id, g.id, g.version FROM ");
        sql.push(WAITING).push(" WHERE s.player_id IN (");
        sql.bind_list(players.iter().copied()).push(")");
        on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))
    }

    /// The number of open and of running games in which this player sits.
    pub async fn games_on(&self, player: PlayerId) -> Result<(i64, i64)> {
        // Not a join: without statistics Postgres could choose to read all games for it.
        let sql = "SELECT (SELECT g.status FROM games g WHERE g.id = s.game_id) AS status, count(*)
             FROM seatings s WHERE s.player_id = $1 AND NOT s.is_over GROUP BY 1";
        let counts: Vec<(Status, i64)> = on!(self.reads, db => sqlx::query_as(sql).bind(player).fetch_all(db))?;
        let of = |status| counts.iter().find(|(counted, _)| *counted == status).map_or(0, |(_, games)| *games);
        Ok((of(Status::Open), of(Status::Running)))
    }

    /// The number of this player's open and running games in which a bot has a seat.
    pub async fn games_with_bots(&self, player: PlayerId) -> Result<i64> {
        let sql = "SELECT count(*) FROM seatings s WHERE s.player_id = $1 AND NOT s.is_over
             AND (SELECT g.bot_seats FROM games g WHERE g.id = s.game_id) <> 0";
        on!(self.reads, db => sqlx::query_scalar(sql).bind(player).fetch_one(db))
    }

    pub async fn count_by_status(&self, status: Status) -> Result<i64> {
        let sql = "SELECT count(*) FROM games WHERE status = $1";
        on!(self.reads, db => sqlx::query_scalar(sql).bind(status).fetch_one(db))
    }

    /// The number of open and of running games of every kind, of all apps.
    pub async fn games_under_way(&self) -> Result<Vec<(Kind, &'static str, i64)>> {
        // By the index of each app's games by status.
        let sql = "SELECT g.kind, g.status, count(*) FROM apps a JOIN games g ON g.app_id = a.id
             AND g.status IN ('OPEN', 'RUNNING') GROUP BY g.kind, g.status";
        let counts: Vec<(String, Status, i64)> = on!(self.reads, db => sqlx::query_as(sql).fetch_all(db))?;
        let mut all = Vec::new();
        for kind in Kind::ALL {
            for (status, name) in [(Status::Open, "open"), (Status::Running, "running")] {
                let of = counts.iter().find(|(counted, is, _)| counted == kind.name() && *is == status);
                all.push((*kind, name, of.map_or(0, |(_, _, games)| *games)));
            }
        }
        Ok(all)
    }

    /// The games with a status, in the order of their ids.
    pub async fn games_by_status(
        &self,
        status: Status,
        after: Option<GameId>,
        limit: i64,
    ) -> Result<Vec<(GameId, Result<Game>)>> {
        let mut sql = Sql::new(&self.select_game("WHERE g.status = "));
        sql.bind(status);
        if let Some(after) = after {
            sql.push(" AND g.id > ").bind(after);
        }
        sql.push(" ORDER BY g.id LIMIT ").bind(limit);
        let rows: Vec<GameRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        Ok(rows.into_iter().map(read_with_id).collect())
    }

    /// Open games that have expired.
    pub async fn expired(&self, now: At, limit: i64) -> Result<Vec<Game>> {
        let sql = self.select_game("WHERE g.status = 'OPEN' AND g.expires_at < $1 ORDER BY g.expires_at LIMIT $2");
        let rows: Vec<GameRow> =
            on!(self.reads, db => sqlx::query_as(AssertSqlSafe(sql)).bind(now).bind(limit).fetch_all(db))?;
        // Games that only a later build can read are left to that build. They must not keep others from expiring.
        Ok(rows.into_iter().filter_map(|row| Game::try_from(row).ok()).collect())
    }
}

/// Selects the ids of a page's games, newest first within each part of a union.
fn find(sql: &mut Sql, page: &GamePage) {
    match (page.filter.player, page.scope) {
        (Some(player), scope) => {
            sql.push("SELECT s.game_id AS id FROM seatings s");
            find_seats(sql, page, player);
            filter_by_scope(sql, player, scope);
            end_part(sql, page, "s.game_id");
        }
        (None, Scope::All) => {
            sql.push("SELECT g.id FROM games g WHERE g.app_id = ").bind(page.app);
            find_games(sql, page);
        }
        (None, Scope::Public) => {
            sql.push("SELECT g.id FROM games g WHERE g.app_id = ").bind(page.app);
            sql.push(" AND g.visibility = 'PUBLIC'");
            find_games(sql, page);
        }
        // Two parts with an index each: no single index covers 'public or mine'.
        (None, Scope::PublicAndOwn(own)) => {
            sql.push("SELECT id FROM (SELECT g.id FROM games g WHERE g.app_id = ").bind(page.app);
            sql.push(" AND g.visibility = 'PUBLIC'");
            find_games(sql, page);
            sql.push(") public UNION ALL SELECT id FROM (SELECT s.game_id AS id FROM seatings s");
            find_seats(sql, page, own);
            sql.push(" AND NOT s.is_public");
            end_part(sql, page, "s.game_id");
            sql.push(") own");
        }
    }
}

/// Filters games by their own rows.
fn find_games(sql: &mut Sql, page: &GamePage) {
    let filter = &page.filter;
    if let Some(kind) = filter.kind {
        sql.push(" AND g.kind = ").bind(kind.name());
    }
    if let Some(status) = filter.status {
        sql.push(" AND g.status = ").bind(status);
    }
    if let Some(is_practice) = filter.is_practice {
        sql.push(if is_practice { " AND g.origin IS NOT NULL" } else { " AND g.origin IS NULL" });
    }
    filter_by_times(sql, filter, "g");
    end_part(sql, page, "g.id");
}

/// Filters games by a player's seats: an index-only scan, unless the filter needs a column that only `games` has.
fn find_seats(sql: &mut Sql, page: &GamePage, player: PlayerId) {
    let filter = &page.filter;
    let is_on = filter.status.is_some_and(Status::is_on);
    if is_on || filter.created_from.is_some() || filter.created_before.is_some() {
        sql.push(" JOIN games g ON g.id = s.game_id");
    }
    if let Some(opponent) = filter.opponent {
        sql.push(" JOIN seatings o ON o.game_id = s.game_id AND o.player_id = ").bind(opponent);
    }
    sql.push(" WHERE s.player_id = ").bind(player);
    if let Some(kind) = filter.kind {
        sql.push(" AND s.kind = ").bind(kind.name());
    }
    match filter.status {
        None => {}
        Some(Status::Over) => {
            sql.push(" AND s.result IS NOT NULL");
        }
        Some(Status::Cancelled) => {
            sql.push(" AND s.is_over AND s.result IS NULL");
        }
        Some(status) => {
            sql.push(" AND NOT s.is_over AND g.status = ").bind(status);
        }
    }
    if let Some(result) = filter.result {
        sql.push(" AND s.result = ").bind(result);
    }
    if let Some(is_practice) = filter.is_practice {
        sql.push(if is_practice { " AND s.is_practice" } else { " AND NOT s.is_practice" });
    }
    filter_by_times(sql, filter, "s");
}

fn filter_by_times(sql: &mut Sql, filter: &GameFilter, ended: &str) {
    if let Some(from) = filter.created_from {
        sql.push(" AND g.created_at >= ").bind(from);
    }
    if let Some(before) = filter.created_before {
        sql.push(" AND g.created_at < ").bind(before);
    }
    if let Some(from) = filter.ended_from {
        sql.push(&format!(" AND {ended}.ended_at >= ")).bind(from);
    }
    if let Some(before) = filter.ended_before {
        sql.push(&format!(" AND {ended}.ended_at < ")).bind(before);
    }
}

fn end_part(sql: &mut Sql, page: &GamePage, id: &str) {
    let filter = &page.filter;
    if let Some(external_id) = &filter.external_id {
        sql.push(&format!(" AND {id} = (SELECT game_id FROM game_metadata WHERE app_id = ")).bind(page.app);
        sql.push(" AND external_id = ").bind(external_id.clone()).push(")");
    }
    // Ids are ordered by time, so a range of ids skips games outside the range of time.
    if let Some(from) = filter.created_from {
        sql.push(&format!(" AND {id} >= ")).bind(GameId::opened_about(from.0, -1));
    }
    for before in [filter.created_before, filter.ended_before].into_iter().flatten() {
        sql.push(&format!(" AND {id} < ")).bind(GameId::opened_about(before.0, 1));
    }
    if let Some(after) = page.after {
        sql.push(&format!(" AND {id} < ")).bind(after);
    }
    sql.push(&format!(" ORDER BY {id} DESC LIMIT ")).bind(page.limit);
}
