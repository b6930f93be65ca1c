//! Queries that are the same for both databases, to the letter.

use sqlx::QueryBuilder;

use crate::store::StoreError;

/// Columns of a `StoredGame`. The bytes of a text are written otherwise in each database.
macro_rules! game_columns {
    ($bytes_of_state:literal) => {
        concat!(
            "g.id, g.app_id, g.kind, g.rules_version, g.options, g.seats, g.visibility, g.status, g.version, g.ply, \
             g.seed, g.join_code, g.created_by, g.opener_id, g.seating, g.to_act, g.decisions, g.origin, g.created_at, \
             g.expires_at, g.started_at, g.ended_at, g.rematch_of, coalesce(g.position, ",
            $bytes_of_state,
            ") AS position"
        )
    };
}

/// Columns of a `Player`.
pub(super) const PLAYER: &str = "p.id, p.app_id, p.external_id, p.name, p.created_at, p.deleted_at";

/// Columns of an `Entry`.
pub(super) const ENTRY: &str =
    "version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key_hash, at";

/// Database errors by what they mean to the caller. Constraints are told by name.
pub(super) fn meaning(error: sqlx::Error) -> StoreError {
    use sqlx::Error::*;
    match &error {
        Database(db) if db.is_unique_violation() => {
            // Postgres names the constraint; SQLite lists its columns.
            StoreError::Taken(db.constraint().unwrap_or(db.message()).to_string())
        }
        Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed | Protocol(_) => StoreError::Away(error),
        Database(db) => match db.code().as_deref() {
            // Connection exceptions, operator intervention, not enough resources, a statement or lock that timed
            // out, a transaction that gave way to another, a server that was the primary and takes no writes now.
            Some(code)
                if ["08", "53", "57", "40"].iter().any(|class| code.starts_with(class) && code.len() == 5)
                    || ["55P03", "25006"].contains(&code) =>
            {
                StoreError::Away(error)
            }
            // SQLite: busy, locked, no room on the disk.
            Some("5" | "6" | "13" | "261" | "262" | "517" | "773") => StoreError::Away(error),
            _ => StoreError::Failed(error),
        },
        _ => StoreError::Failed(error),
    }
}

/// Pushes a list of values. Neither database takes lists as one value in the same words.
pub(super) fn any_of<Db, T>(query: &mut QueryBuilder<Db>, values: &[T])
where
    Db: sqlx::Database,
    T: Clone + for<'q> sqlx::Encode<'q, Db> + sqlx::Type<Db>,
{
    let mut list = query.separated(", ");
    for value in values {
        list.push_bind(value.clone());
    }
}

/// Implements [`Store`](super::Store) for a type with the pools `reads` and `writes`. What the databases do differently
/// are its methods `insert_game`, `update_game`, `forget_player`, `find_…`, `can_notify`, `notify` and `listen`.
macro_rules! implement_store {
    ($Store:ty, $Db:ty) => {
        #[async_trait]
        impl Store for $Store {
            async fn migrate(&self) -> Result<()> {
                Ok(MIGRATIONS.run(&self.writes).await?)
            }

            async fn create_game(&self, new: &NewGame) -> Result<()> {
                self.insert_game(new).await
            }

            async fn change(&self, change: Change) -> Result<Stored> {
                self.update_game(change).await
            }

            async fn ping(&self) -> Result<()> {
                sqlx::query("SELECT 1").execute(&self.reads).await.map_err(meaning)?;
                Ok(())
            }

            async fn is_migrated(&self) -> Result<bool> {
                let applied: Vec<i64> = sqlx::query_scalar("SELECT version FROM _sqlx_migrations WHERE success")
                    .fetch_all(&self.reads)
                    .await
                    .unwrap_or_default();
                Ok(MIGRATIONS.iter().all(|migration| applied.contains(&migration.version)))
            }

            async fn create_app(&self, app: &App, key_hash: &[u8]) -> Result<()> {
                sqlx::query("INSERT INTO apps (id, name, key_hash, created_at) VALUES ($1, $2, $3, $4)")
                    .bind(app.id)
                    .bind(&app.name)
                    .bind(key_hash)
                    .bind(app.created_at)
                    .execute(&self.writes)
                    .await
                    .map_err(meaning)?;
                Ok(())
            }

            async fn ensure_app(&self, app: &App, key_hash: &[u8]) -> Result<App> {
                sqlx::query(
                    "INSERT INTO apps (id, name, key_hash, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING",
                )
                .bind(app.id)
                .bind(&app.name)
                .bind(key_hash)
                .bind(app.created_at)
                .execute(&self.writes)
                .await
                .map_err(meaning)?;
                sqlx::query_as("SELECT id, name, created_at, revoked_at FROM apps WHERE name = $1")
                    .bind(&app.name)
                    .fetch_one(&self.writes)
                    .await
                    .map_err(meaning)
            }

            async fn apps(&self) -> Result<Vec<App>> {
                sqlx::query_as("SELECT id, name, created_at, revoked_at FROM apps ORDER BY id")
                    .fetch_all(&self.reads)
                    .await
                    .map_err(meaning)
            }

            async fn revoke_app(&self, name: &str, at: At) -> Result<bool> {
                let done = sqlx::query("UPDATE apps SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL")
                    .bind(name)
                    .bind(at)
                    .execute(&self.writes)
                    .await
                    .map_err(meaning)?;
                Ok(done.rows_affected() == 1)
            }

            async fn app_by_key(&self, hash: &[u8]) -> Result<Option<App>> {
                sqlx::query_as(
                    "SELECT id, name, created_at, revoked_at FROM apps WHERE key_hash = $1 AND revoked_at IS NULL",
                )
                .bind(hash)
                .fetch_optional(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn upsert_player(&self, player: &Player) -> Result<Player> {
                sqlx::query_as(
                    "INSERT INTO players (id, app_id, external_id, name, created_at) VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (app_id, external_id) DO UPDATE SET name = excluded.name
                     RETURNING id, app_id, external_id, name, created_at, deleted_at",
                )
                .bind(player.id)
                .bind(player.app_id)
                .bind(&player.external_id)
                .bind(&player.name)
                .bind(player.created_at)
                .fetch_one(&self.writes)
                .await
                .map_err(meaning)
            }

            async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>> {
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                self.find_players(ids).await
            }

            async fn delete_player(&self, player: PlayerId, at: At) -> Result<bool> {
                self.forget_player(player, at).await
            }

            async fn deleted_at_tables(&self, since: At, limit: i64) -> Result<Vec<Player>> {
                sqlx::query_as(AssertSqlSafe(format!(
                    "SELECT {PLAYER} FROM players p WHERE p.deleted_at >= $1
                     AND EXISTS (SELECT 1 FROM seatings s WHERE s.player_id = p.id AND NOT s.is_over) LIMIT $2"
                )))
                .bind(since)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn games_still_on(&self, player: PlayerId, after: GameId, limit: i64) -> Result<Vec<GameId>> {
                sqlx::query_scalar(
                    "SELECT game_id FROM seatings WHERE player_id = $1 AND NOT is_over AND game_id > $2
                     ORDER BY game_id LIMIT $3",
                )
                .bind(player)
                .bind(after)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn add_token(&self, token: &NewToken) -> Result<()> {
                sqlx::query("INSERT INTO tokens (id, player_id, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)")
                    .bind(token.id)
                    .bind(token.player_id)
                    .bind(&token.hash)
                    .bind(token.created_at)
                    .bind(token.expires_at)
                    .execute(&self.writes)
                    .await
                    .map_err(meaning)?;
                Ok(())
            }

            async fn tokens(&self, player: PlayerId, now: At, before: TokenId, limit: i64) -> Result<Vec<TokenInUse>> {
                sqlx::query_as(
                    "SELECT id, created_at, expires_at FROM tokens
                     WHERE player_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) AND id < $3
                     ORDER BY id DESC LIMIT $4",
                )
                .bind(player)
                .bind(now)
                .bind(before)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn revoke_token(&self, player: PlayerId, token: TokenId, at: At) -> Result<bool> {
                let done = sqlx::query(
                    "UPDATE tokens SET revoked_at = $3 WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL",
                )
                .bind(token)
                .bind(player)
                .bind(at)
                .execute(&self.writes)
                .await
                .map_err(meaning)?;
                Ok(done.rows_affected() == 1)
            }

            async fn player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>> {
                self.find_player_by_token(hash, now).await
            }

            async fn tokens_in_use(&self, hashes: &[Vec<u8>], now: At) -> Result<Vec<Vec<u8>>> {
                if hashes.is_empty() {
                    return Ok(Vec::new());
                }
                let mut query = QueryBuilder::<$Db>::new(
                    "SELECT t.hash FROM tokens t JOIN players p ON p.id = t.player_id JOIN apps a ON a.id = p.app_id
                     WHERE t.revoked_at IS NULL AND a.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ",
                );
                query.push_bind(now).push(") AND t.hash IN (");
                any_of(&mut query, hashes);
                query.push(") UNION ALL SELECT key_hash FROM apps WHERE revoked_at IS NULL AND key_hash IN (");
                any_of(&mut query, hashes);
                query.push(")");
                query.build_query_scalar().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn add_ticket(&self, ticket: &Ticket) -> Result<()> {
                sqlx::query(
                    "INSERT INTO stream_tickets (hash, token_hash, is_app, act_as, expires_at) VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(&ticket.hash)
                .bind(&ticket.token_hash)
                .bind(ticket.is_app)
                .bind(ticket.act_as)
                .bind(ticket.expires_at)
                .execute(&self.writes)
                .await
                .map_err(meaning)?;
                Ok(())
            }

            async fn redeem_ticket(&self, hash: &[u8], now: At) -> Result<Option<Ticket>> {
                sqlx::query_as(
                    "DELETE FROM stream_tickets WHERE hash = $1 AND expires_at > $2
                     RETURNING hash, token_hash, is_app, act_as, expires_at",
                )
                .bind(hash)
                .bind(now)
                .fetch_optional(&self.writes)
                .await
                .map_err(meaning)
            }

            async fn drop_old_tickets(&self, now: At) -> Result<()> {
                sqlx::query("DELETE FROM stream_tickets WHERE expires_at <= $1")
                    .bind(now)
                    .execute(&self.writes)
                    .await
                    .map_err(meaning)?;
                Ok(())
            }

            async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, i32)>> {
                if games.is_empty() {
                    return Ok(Vec::new());
                }
                let mut query = QueryBuilder::<$Db>::new("SELECT id, version FROM games WHERE id IN (");
                any_of(&mut query, games);
                query.push(")");
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn waiting(&self, players: &[PlayerId]) -> Result<Vec<(PlayerId, GameId, i32)>> {
                if players.is_empty() {
                    return Ok(Vec::new());
                }
                let mut query = QueryBuilder::<$Db>::new(
                    "SELECT s.player_id, g.id, g.version FROM seatings s JOIN games g ON g.id = s.game_id
                     WHERE NOT s.is_over AND g.status = 'RUNNING' AND (g.to_act >> s.seat) & 1 = 1 AND s.player_id IN (",
                );
                any_of(&mut query, players);
                query.push(")");
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            fn takes_hints(&self) -> bool {
                self.can_notify()
            }

            async fn send_hints(&self, hints: &[String]) -> Result<()> {
                self.notify(hints).await
            }

            async fn hear_hints(&self) -> Result<Box<dyn Hints>> {
                self.listen().await
            }

            async fn game(&self, id: GameId) -> Result<Option<StoredGame>> {
                self.find_game(id).await
            }

            async fn version(&self, id: GameId) -> Result<Option<i32>> {
                self.find_version(id).await
            }

            async fn game_by_code(&self, code: &str) -> Result<Option<StoredGame>> {
                sqlx::query_as(AssertSqlSafe(format!("SELECT {GAME} FROM games g WHERE g.join_code = $1")))
                    .bind(code)
                    .fetch_optional(&self.reads)
                    .await
                    .map_err(meaning)
            }

            async fn game_by_key(&self, created_by: Uuid, key: &str) -> Result<Option<(StoredGame, Vec<u8>)>> {
                let sql = format!("SELECT {GAME}, g.create_hash FROM games g WHERE g.created_by = $1 AND g.create_key = $2");
                let row = sqlx::query(AssertSqlSafe(sql))
                    .bind(created_by)
                    .bind(key)
                    .fetch_optional(&self.reads)
                    .await
                    .map_err(meaning)?;
                let Some(row) = row else { return Ok(None) };
                let game = StoredGame::from_row(&row).map_err(meaning)?;
                Ok(Some((game, row.try_get("create_hash").map_err(meaning)?)))
            }

            async fn rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>> {
                if games.is_empty() {
                    return Ok(Vec::new());
                }
                self.find_rematches(games).await
            }

            async fn entries(&self, game: GameId, after: i32, limit: i64) -> Result<Vec<Entry>> {
                sqlx::query_as(AssertSqlSafe(format!(
                    "SELECT {ENTRY} FROM entries WHERE game_id = $1 AND version > $2 ORDER BY version LIMIT $3"
                )))
                .bind(game)
                .bind(after)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn made(&self, game: GameId, ply: i32, version: i32) -> Result<Vec<Made>> {
                sqlx::query_as(
                    "SELECT version, what, seat, notation, is_auto, at FROM entries
                     WHERE game_id = $1 AND ply <= $2 AND version <= $3 AND what IN ('MOVED', 'RESIGNED') ORDER BY version",
                )
                .bind(game)
                .bind(ply)
                .bind(version)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn entry_by_key(&self, game: GameId, seat: i16, key: &str) -> Result<Option<Entry>> {
                sqlx::query_as(AssertSqlSafe(format!(
                    "SELECT {ENTRY} FROM entries WHERE game_id = $1 AND seat = $2 AND key = $3"
                )))
                .bind(game)
                .bind(seat)
                .bind(key)
                .fetch_optional(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn games(&self, filter: &GameFilter) -> Result<Vec<StoredGame>> {
                let mut query = QueryBuilder::<$Db>::new("SELECT ");
                query.push(GAME).push(" FROM (");
                <$Store>::find(&mut query, filter);
                query.push(") found JOIN games g ON g.id = found.id ORDER BY g.id DESC LIMIT ").push_bind(filter.limit);
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn count_games(&self, filter: &GameFilter) -> Result<i64> {
                let mut query = QueryBuilder::<$Db>::new("SELECT count(*) FROM (SELECT 1 FROM (");
                <$Store>::find(&mut query, filter);
                query.push(") found LIMIT ").push_bind(filter.limit).push(") counted");
                query.build_query_scalar().fetch_one(&self.reads).await.map_err(meaning)
            }

            async fn tallies(&self, player: PlayerId, sight: Sight, kind: Option<&str>) -> Result<Vec<Tally>> {
                // From the last game back, `setbacks` counts those not won: it is 0 throughout the present streak, and
                // every other streak lies between two of its steps.
                let mut query = QueryBuilder::<$Db>::new(
                    "WITH results AS (
                        SELECT s.kind, s.place, s.result,
                            sum(CASE WHEN s.result IN ('WON', 'SHARED') THEN 0 ELSE 1 END) OVER (
                                PARTITION BY s.kind ORDER BY s.ended_at DESC, s.game_id DESC ROWS UNBOUNDED PRECEDING
                            ) AS setbacks
                        FROM seatings s WHERE s.player_id = ",
                );
                query.push_bind(player);
                <$Store>::mind_played(&mut query, kind);
                <$Store>::mind_sight(&mut query, player, sight);
                query.push(
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
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn meetings(
                &self,
                player: PlayerId,
                opponent: PlayerId,
                sight: Sight,
                kind: Option<&str>,
            ) -> Result<Vec<Meetings>> {
                let mut query = QueryBuilder::<$Db>::new(
                    "SELECT s.kind, count(*) AS played,
                        count(CASE WHEN s.place < o.place THEN 1 END) AS ahead,
                        count(CASE WHEN s.place = o.place THEN 1 END) AS level,
                        count(CASE WHEN s.place > o.place THEN 1 END) AS behind
                     FROM seatings s JOIN seatings o ON o.game_id = s.game_id AND o.player_id = ",
                );
                query.push_bind(opponent).push(" WHERE s.player_id = ").push_bind(player);
                <$Store>::mind_played(&mut query, kind);
                <$Store>::mind_sight(&mut query, player, sight);
                query.push(" GROUP BY s.kind ORDER BY s.kind");
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn inbox(&self, player: PlayerId, limit: i64) -> Result<Vec<StoredGame>> {
                sqlx::query_as(AssertSqlSafe(format!(
                    "SELECT {GAME} FROM seatings s JOIN games g ON g.id = s.game_id
                     WHERE s.player_id = $1 AND NOT s.is_over AND g.status = 'RUNNING' AND (g.to_act >> s.seat) & 1 = 1
                     ORDER BY g.id LIMIT $2"
                )))
                .bind(player)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn open_games(&self, player: PlayerId) -> Result<i64> {
                sqlx::query_scalar(
                    "SELECT count(*) FROM seatings s JOIN games g ON g.id = s.game_id
                     WHERE s.player_id = $1 AND NOT s.is_over AND g.status = 'OPEN'",
                )
                .bind(player)
                .fetch_one(&self.reads)
                .await
                .map_err(meaning)
            }

            async fn running(&self, after: Option<GameId>, limit: i64) -> Result<Vec<StoredGame>> {
                let mut query = QueryBuilder::<$Db>::new("SELECT ");
                query.push(GAME).push(" FROM games g WHERE g.status = 'RUNNING'");
                if let Some(after) = after {
                    query.push(" AND g.id > ").push_bind(after);
                }
                query.push(" ORDER BY g.id LIMIT ").push_bind(limit);
                query.build_query_as().fetch_all(&self.reads).await.map_err(meaning)
            }

            async fn outcome(&self, game: GameId) -> Result<Option<Value>> {
                let row: Option<Option<Json<Value>>> = sqlx::query_scalar("SELECT outcome FROM games WHERE id = $1")
                    .bind(game)
                    .fetch_optional(&self.reads)
                    .await
                    .map_err(meaning)?;
                Ok(row.flatten().map(|outcome| outcome.0))
            }

            async fn expired(&self, now: At, limit: i64) -> Result<Vec<StoredGame>> {
                sqlx::query_as(AssertSqlSafe(format!(
                    "SELECT {GAME} FROM games g WHERE g.status = 'OPEN' AND g.expires_at < $1 ORDER BY g.expires_at LIMIT $2"
                )))
                .bind(now)
                .bind(limit)
                .fetch_all(&self.reads)
                .await
                .map_err(meaning)
            }
        }

        /// How games are found: first their ids, by as few indexes as the question allows, then the games.
        impl $Store {
            /// The ids of the games that a filter lets through, the newest first within each part.
            fn find(query: &mut QueryBuilder<$Db>, filter: &GameFilter) {
                match (filter.player, filter.visible_to) {
                    (Some(player), sight) => {
                        query.push("SELECT s.game_id AS id FROM seatings s");
                        <$Store>::find_seats(query, filter, player);
                        <$Store>::mind_sight(query, player, sight);
                        <$Store>::end_part(query, filter, "s.game_id");
                    }
                    (None, Sight::All) => {
                        query.push("SELECT g.id FROM games g WHERE g.app_id = ").push_bind(filter.app_id);
                        <$Store>::find_tables(query, filter);
                    }
                    (None, Sight::Public) => {
                        query.push("SELECT g.id FROM games g WHERE g.app_id = ").push_bind(filter.app_id);
                        query.push(" AND g.visibility = 'PUBLIC'");
                        <$Store>::find_tables(query, filter);
                    }
                    // Two parts, each by an index of its own: no index finds what is public or one's own.
                    (None, Sight::PublicAndOwn(own)) => {
                        query.push("SELECT id FROM (SELECT g.id FROM games g WHERE g.app_id = ").push_bind(filter.app_id);
                        query.push(" AND g.visibility = 'PUBLIC'");
                        <$Store>::find_tables(query, filter);
                        query.push(") public UNION ALL SELECT id FROM (SELECT s.game_id AS id FROM seatings s");
                        <$Store>::find_seats(query, filter, own);
                        query.push(" AND NOT s.is_public");
                        <$Store>::end_part(query, filter, "s.game_id");
                        query.push(") own");
                    }
                }
            }

            /// Games by what stands in their own rows.
            fn find_tables(query: &mut QueryBuilder<$Db>, filter: &GameFilter) {
                if let Some(kind) = &filter.kind {
                    query.push(" AND g.kind = ").push_bind(kind.clone());
                }
                if let Some(status) = filter.status {
                    query.push(" AND g.status = ").push_bind(status);
                }
                if let Some(is_practice) = filter.is_practice {
                    query.push(if is_practice { " AND g.origin IS NOT NULL" } else { " AND g.origin IS NULL" });
                }
                <$Store>::mind_times(query, filter, "g");
                <$Store>::end_part(query, filter, "g.id");
            }

            /// Games by what stands with a player's seats: one index has it all, unless it is asked for what only the
            /// game knows.
            fn find_seats(query: &mut QueryBuilder<$Db>, filter: &GameFilter, player: PlayerId) {
                let is_on = matches!(filter.status, Some(Status::Open | Status::Running));
                if is_on || filter.created_from.is_some() || filter.created_before.is_some() {
                    query.push(" JOIN games g ON g.id = s.game_id");
                }
                if let Some(opponent) = filter.opponent {
                    query.push(" JOIN seatings o ON o.game_id = s.game_id AND o.player_id = ").push_bind(opponent);
                }
                query.push(" WHERE s.player_id = ").push_bind(player);
                if let Some(kind) = &filter.kind {
                    query.push(" AND s.kind = ").push_bind(kind.clone());
                }
                match filter.status {
                    None => {}
                    Some(Status::Over) => {
                        query.push(" AND s.result IS NOT NULL");
                    }
                    Some(Status::Cancelled) => {
                        query.push(" AND s.is_over AND s.result IS NULL");
                    }
                    Some(status) => {
                        query.push(" AND NOT s.is_over AND g.status = ").push_bind(status);
                    }
                }
                if let Some(result) = filter.result {
                    query.push(" AND s.result = ").push_bind(result);
                }
                if let Some(is_practice) = filter.is_practice {
                    query.push(if is_practice { " AND s.is_practice" } else { " AND NOT s.is_practice" });
                }
                <$Store>::mind_times(query, filter, "s");
            }

            /// Of a player's games those that count: over, and not for practice.
            fn mind_played(query: &mut QueryBuilder<$Db>, kind: Option<&str>) {
                query.push(" AND s.result IS NOT NULL AND NOT s.is_practice");
                if let Some(kind) = kind {
                    query.push(" AND s.kind = ").push_bind(kind.to_string());
                }
            }

            /// Of a player's games those that somebody may see.
            fn mind_sight(query: &mut QueryBuilder<$Db>, player: PlayerId, sight: Sight) {
                match sight {
                    Sight::All => {}
                    Sight::Public => {
                        query.push(" AND s.is_public");
                    }
                    Sight::PublicAndOwn(own) if own == player => {}
                    Sight::PublicAndOwn(own) => {
                        query
                            .push(" AND (s.is_public OR EXISTS (SELECT 1 FROM seatings w WHERE w.game_id = s.game_id AND w.player_id = ")
                            .push_bind(own)
                            .push("))");
                    }
                }
            }

            fn mind_times(query: &mut QueryBuilder<$Db>, filter: &GameFilter, ended: &str) {
                if let Some(from) = filter.created_from {
                    query.push(" AND g.created_at >= ").push_bind(from);
                }
                if let Some(before) = filter.created_before {
                    query.push(" AND g.created_at < ").push_bind(before);
                }
                if let Some(from) = filter.ended_from {
                    query.push(format!(" AND {ended}.ended_at >= ")).push_bind(from);
                }
                if let Some(before) = filter.ended_before {
                    query.push(format!(" AND {ended}.ended_at < ")).push_bind(before);
                }
            }

            fn end_part(query: &mut QueryBuilder<$Db>, filter: &GameFilter, id: &str) {
                // Ids tell the time: whatever the order is by, what lies outside of it need not be walked through.
                if let Some(from) = filter.created_from {
                    query.push(format!(" AND {id} >= ")).push_bind(GameId::opened_about(from.0, -1));
                }
                for before in [filter.created_before, filter.ended_before].into_iter().flatten() {
                    query.push(format!(" AND {id} < ")).push_bind(GameId::opened_about(before.0, 1));
                }
                if let Some(after) = filter.after {
                    query.push(format!(" AND {id} < ")).push_bind(after);
                }
                query.push(format!(" ORDER BY {id} DESC LIMIT ")).push_bind(filter.limit);
            }
        }
    };
}

pub(super) use {game_columns, implement_store};
