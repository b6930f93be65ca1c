//! Postgres, for production and for replicas.
//!
//! Every change is one statement: one round trip, one commit, and no transaction that a cancelled request could leave
//! open. Concurrent moves of different games share a statement.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use sqlx::postgres::PgConnectOptions;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, ConnectOptions, Postgres as Database, Row};
use uuid::Uuid;

use super::batched_reads::BatchedReads;
use super::pool::{Pool, Server};
use super::rows::{Columns, bot_number, events_json, game_columns, number, seat_number};
use super::{Result, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::model::{At, Change, EntryKind, NewEntry, NewGame, OwnedKey, SeatChange, Status, Stored, Version};

pub(super) const GAME: &str = game_columns!("convert_to(g.state, 'UTF8')");

pub struct Postgres {
    pub(super) server: Arc<Server<Database>>,
    pub(super) reads: Pool<Database>,
    pub(super) writes: Pool<Database>,
    /// One connection to send hints, and the settings of the one that listens for them.
    pub(super) hints: Pool<Database>,
    /// For batches of moves.
    pub(super) moves: Pool<Database>,
    pub(super) most_batches: usize,
    /// For batched reads.
    pub(super) lookups: Pool<Database>,
    pub(super) batched: BatchedReads,
}

/// The most batches of moves in flight. Under load they use several backend processes of Postgres.
const MOST_BATCHES: u32 = 4;

/// The most batched reads in flight, over all lookups.
const MOST_READS: u32 = 3;

/// The limits of the connection pools.
#[derive(Clone, Debug)]
pub struct PoolLimits {
    /// At least three: one for moves, one for batched reads, one for everything else.
    pub connections: u32,
    /// Timeout for acquiring a connection.
    pub acquire: Duration,
    /// Timeout of a statement.
    pub statement: Duration,
}

/// The longest time of a batch of moves or lookups, which find everything by primary key.
const BATCH: Duration = Duration::from_secs(2);

impl Postgres {
    /// Connects on first use: an unreachable database delays requests, not the start.
    pub fn connect(url: &str, limits: &PoolLimits) -> Result<Postgres> {
        let hosts = hosts_of(url)?;
        let server = Server::new(limits.acquire);
        let pool = |name, connections, statement: Duration, more: &[(&str, &str)]| {
            let longest = &statement.as_millis().to_string();
            let settings = hosts.iter().map(|host| {
                host.clone()
                    .application_name("maidan")
                    .disable_statement_logging()
                    .options(more.iter().copied())
                    .options([
                        ("statement_timeout", longest),
                        ("lock_timeout", longest),
                        ("idle_in_transaction_session_timeout", longest),
                    ])
            });
            Pool::new(name, &server, connections, statement, settings.collect())
        };
        let most_batches = (limits.connections / 4).clamp(1, MOST_BATCHES);
        let most_reads = (limits.connections / 5).clamp(1, MOST_READS);
        let others = limits.connections.saturating_sub(most_batches + most_reads).max(1);
        let others = pool("others", others, limits.statement, &BY_INDEX);
        let batch = limits.statement.min(BATCH);
        let lookups = pool("lookups", most_reads, batch, &BY_KEY);
        Ok(Postgres {
            reads: others.clone(),
            writes: others,
            hints: pool("hints", 1, batch, &[]),
            moves: pool("moves", most_batches, batch, &BY_KEY),
            most_batches: most_batches as usize,
            batched: BatchedReads::new(&lookups, GAME),
            lookups,
            server,
        })
    }
}

/// The settings for each host of a URL. As for libpq, hosts and their ports are separated by commas.
pub(super) fn hosts_of(url: &str) -> Result<Vec<PgConnectOptions>> {
    let start = url.find("://").map_or(0, |scheme| scheme + 3);
    let end = url[start..].find(['/', '?']).map_or(url.len(), |end| start + end);
    let hosts = url[start..end].rfind('@').map_or(start, |at| start + at + 1);
    let one = |host: &str| format!("{}{host}{}", &url[..hosts], &url[end..]).parse().map_err(StoreError::Failed);
    url[hosts..end].split(',').map(one).collect()
}

/// Forces nested loops over primary keys for batches. They are the best plan whatever Postgres estimates the tables'
/// sizes to be, and all processes lock rows in the same order.
const BY_KEY: [(&str, &str); 4] = [
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("plan_cache_mode", "force_generic_plan"),
];

/// The other statements find their rows by an index, however many there are. On a table without statistics, as after a
/// restore, Postgres might prefer to read it whole for a hash join. Where it has no choice, the nominal cost must not
/// make it compile the statement.
const BY_INDEX: [(&str, &str); 3] = [("enable_seqscan", "off"), ("enable_hashjoin", "off"), ("jit", "off")];

impl Postgres {
    pub(super) async fn insert_game(&self, new: &NewGame) -> Result<()> {
        let game = &*new.game;
        let log = Log::of(&new.entries, Version(0))?;
        let sitters = game.sitters().map(|(seat, sitter)| (seat_number(seat), sitter.player.0));
        let (seats, players): (Vec<i16>, Vec<Uuid>) = sitters.unzip();
        let query = sqlx::query(
            "WITH game AS (
                INSERT INTO games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply,
                    seed, join_code, created_by, opener_id, seating, position, to_act, decisions, created_at, expires_at,
                    started_at, origin, rematch_of, stand_in, bot_pause_ms, bot_seats, tag, changed_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $21, $22, $23,
                    $39, $40, $44, $45, $46, $48, $21)
                RETURNING id, kind, visibility, origin
             ), key AS (
                INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
                SELECT $13, $19::text, $20::bytea, $1, $21 WHERE $19::text IS NOT NULL
             ), sitters AS (
                INSERT INTO seatings (game_id, seat, player_id, kind, is_public, is_practice, with_bots)
                SELECT game.id, s.seat, s.player, game.kind, game.visibility = 'PUBLIC', game.origin IS NOT NULL, $47
                FROM game, unnest($24::smallint[], $25::uuid[]) AS s (seat, player)
             ), metadata AS (
                INSERT INTO game_metadata (game_id, app_id, external_id, metadata, revision)
                SELECT game.id, $2, $41::text, $42::text, $43::integer FROM game WHERE $43::integer IS NOT NULL
             )
             INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, bot_level, bot_version, is_auto,
                is_secret, events, key, key_hash, at, tag)
             SELECT $1, e.*, $21, $48 FROM unnest($26::integer[], $27::text[], $28::smallint[], $29::uuid[], $30::integer[],
                $31::text[], $32::smallint[], $33::smallint[], $34::boolean[], $35::boolean[], $36::jsonb[], $37::text[],
                $38::bytea[]) AS e",
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
        .bind(new.key.as_ref().map(|owned| &owned.key.key))
        .bind(new.key.as_ref().map(|owned| &owned.key.hash))
        .bind(game.created_at)
        .bind(game.expires_at)
        .bind(game.started_at)
        .bind(seats)
        .bind(players);
        let query = log.bind_to(query).bind(game.origin.map(Json)).bind(game.rematch_of);
        let metadata = new.metadata.as_ref();
        let query = query
            .bind(metadata.and_then(|metadata| metadata.external_id.as_deref()))
            .bind(metadata.and_then(|metadata| metadata.json.as_deref()))
            .bind(metadata.map(|metadata| metadata.revision))
            .bind(game.stand_in_column())
            .bind(game.bot_pause_column())
            .bind(game.bot_seats_column())
            .bind(game.is_with_bots())
            .bind(game.tag);
        query.execute(&self.writes).await?;
        Ok(())
    }

    /// Stores one change.
    pub(super) async fn update_game(&self, change: &Change) -> Result<Stored> {
        let game = &change.game;
        let log = Log::of(&change.entries, change.from.version)?;
        let (seating, first) = match change.seating {
            SeatChange::Unchanged | SeatChange::TakenByBot => ("", 17),
            SeatChange::Taken { .. } => (
                ", seating AS (
                        INSERT INTO seatings (game_id, seat, player_id, kind, is_public, is_practice, with_bots)
                        SELECT g.id, $17, $18, g.kind, g.visibility = 'PUBLIC', g.origin IS NOT NULL, $19
                        FROM game JOIN games g ON g.id = game.id
                     )",
                20,
            ),
            SeatChange::Freed { .. } => {
                (", seating AS (DELETE FROM seatings USING game WHERE game_id = id AND seat = $17)", 18)
            }
        };
        let with_bots = if change.is_start() && game.is_with_bots() {
            ", with_bots AS (UPDATE seatings SET with_bots = true FROM game WHERE seatings.game_id = game.id)"
        } else {
            ""
        };
        let over = if matches!(game.status, Status::Over | Status::Cancelled) { OVER } else { "" };
        let p = |n: usize| first + n;
        let key = match change.key {
            None => String::new(),
            Some(_) => format!(
                ", key AS (
                    INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
                    SELECT ${}::uuid, ${}::text, ${}::bytea, game.id, $13 FROM game
                 )",
                p(13),
                p(14),
                p(15),
            ),
        };
        let sql = format!(
            "WITH game AS (
                UPDATE games SET version = $3, ply = $4, status = $5, position = $6, state = NULL, to_act = $7, decisions = $8,
                    seating = $9, outcome = $10, started_at = $11, ended_at = $12, bot_seats = $14,
                    tag = $16, changed_at = $13
                WHERE id = $1 AND version = $2 AND tag = $15 RETURNING id, status, outcome, ended_at
             ){seating}{with_bots}{over}{key}
             INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, bot_level, bot_version, is_auto,
                is_secret, events, key, key_hash, at, tag)
             SELECT game.id, e.*, $13, $16 FROM game, unnest(${}::integer[], ${}::text[], ${}::smallint[], ${}::uuid[],
                ${}::integer[], ${}::text[], ${}::smallint[], ${}::smallint[], ${}::boolean[], ${}::boolean[],
                ${}::jsonb[], ${}::text[], ${}::bytea[]) AS e",
            p(0), p(1), p(2), p(3), p(4), p(5), p(6), p(7), p(8), p(9), p(10), p(11), p(12),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
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
            .bind(change.at)
            .bind(game.bot_seats_column())
            .bind(change.from.tag)
            .bind(game.tag);
        query = match change.seating {
            SeatChange::Unchanged | SeatChange::TakenByBot => query,
            SeatChange::Taken { seat, player } => query.bind(seat_number(seat)).bind(player).bind(game.is_with_bots()),
            SeatChange::Freed { seat } => query.bind(seat_number(seat)),
        };
        query = log.bind_to(query);
        if let Some(OwnedKey { owner, key }) = &change.key {
            query = query.bind(owner).bind(&key.key).bind(&key.hash);
        }
        let done = query.execute(&self.writes).await?;
        Ok(if done.rows_affected() == 0 { Stored::Overtaken } else { Stored::Yes })
    }
}

impl Postgres {
    pub(super) async fn delete_player(&self, player: PlayerId, at: At) -> Result<bool> {
        let gone: i64 = sqlx::query_scalar(
            "WITH gone AS (
                UPDATE players SET name = '', external_id = NULL, deleted_at = coalesce(deleted_at, $2) WHERE id = $1
                RETURNING id
             ), tokens AS (
                DELETE FROM tokens USING gone WHERE player_id = gone.id
             ), keys AS (
                DELETE FROM idempotency_keys USING gone WHERE owner_id = gone.id
             )
             SELECT count(*) FROM gone",
        )
        .bind(player)
        .bind(at)
        .fetch_one(&self.writes)
        .await?;
        Ok(gone == 1)
    }
}

/// Writes the results of a game that ends to its seats.
const OVER: &str = ", over AS (
    UPDATE seatings SET is_over = true, ended_at = game.ended_at,
        place = (game.outcome -> 'places' ->> seat::integer)::smallint,
        result = CASE
            WHEN game.outcome IS NULL THEN NULL
            WHEN game.outcome -> 'winners' = '[]' THEN 'DRAWN'
            WHEN NOT game.outcome -> 'winners' @> to_jsonb(seat) THEN 'LOST'
            WHEN jsonb_array_length(game.outcome -> 'winners') > 1 THEN 'SHARED'
            ELSE 'WON'
        END
    FROM game WHERE seatings.game_id = game.id AND game.status IN ('OVER', 'CANCELLED')
 )";

impl Postgres {
    /// Stores moves in one statement. If the database rejects it, stores them one by one, so that one move cannot fail
    /// the others.
    pub(super) async fn store_batch(&self, changes: &[&Change]) -> Vec<Result<Stored>> {
        let mut answers: Vec<Result<Stored>> = changes.iter().map(|_| Ok(Stored::Overtaken)).collect();
        // Sorted by id, the order in which all processes lock games. A second change of the same game was decided on the
        // same version: it loses the compare-and-set.
        let mut batch: BTreeMap<GameId, (usize, &Change)> = BTreeMap::new();
        for (place, change) in changes.iter().enumerate() {
            batch.entry(change.game.id).or_insert((place, change));
        }
        match self.store_moves(batch.values().map(|(_, change)| *change)).await {
            Ok(stored) => {
                for game in stored {
                    answers[batch[&game].0] = Ok(Stored::Yes);
                }
            }
            Err(error) if batch.len() > 1 && error.is_rejection() => {
                for (place, change) in batch.values() {
                    let stored = self.store_moves([*change].into_iter()).await;
                    answers[*place] =
                        stored.map(|games| if games.is_empty() { Stored::Overtaken } else { Stored::Yes });
                }
            }
            Err(error) => {
                for (place, _) in batch.values() {
                    answers[*place] = Err(error.duplicate());
                }
            }
        }
        answers
    }

    /// Stores moves, each by compare-and-set on the version it was decided on. Returns the games whose move was stored.
    async fn store_moves<'a>(&self, changes: impl Iterator<Item = &'a Change> + Clone) -> Result<Vec<GameId>> {
        let games = || changes.clone().map(|change| &change.game);
        let mut log = Log::default();
        let (mut of_games, mut at, mut tags) = (Vec::new(), Vec::new(), Vec::new());
        for change in changes.clone() {
            log.add(&change.entries, change.from.version)?;
            of_games.resize(log.versions.len(), change.game.id.0);
            at.resize(log.versions.len(), change.at);
            tags.resize(log.versions.len(), change.game.tag);
        }
        // Few moves end a game: the others are sent without the columns that only an ending changes.
        let is_last = games().any(|game| game.status == Status::Over);
        let (set, arrays, columns, over) = if is_last {
            (
                ", status = m.status, outcome = m.outcome, ended_at = m.ended_at",
                ", $27::text[], $28::jsonb[], $29::timestamptz[]",
                ", status, outcome, ended_at",
                OVER,
            )
        } else {
            ("", "", "", "")
        };
        let sql = format!(
            "WITH game AS (
                UPDATE games SET version = m.version, ply = m.ply, position = m.position, state = NULL,
                    to_act = m.to_act, decisions = m.decisions, tag = m.tag, changed_at = m.changed_at{set}
                FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::bytea[], $6::smallint[],
                    $7::jsonb[], $23::bigint[], $24::bigint[], $25::timestamptz[]{arrays})
                    AS m (id, from_version, version, ply, position, to_act, decisions, from_tag, tag, changed_at{columns})
                WHERE games.id = m.id AND games.version = m.from_version AND games.tag = m.from_tag
                RETURNING games.id, games.status, games.outcome, games.ended_at
             ){over}, log AS (
                INSERT INTO entries (game_id, at, version, what, seat, player_id, ply, notation, bot_level, bot_version,
                    is_auto, is_secret, events, key, key_hash, tag)
                SELECT * FROM unnest($8::uuid[], $9::timestamptz[], $10::integer[], $11::text[], $12::smallint[],
                    $13::uuid[], $14::integer[], $15::text[], $16::smallint[], $17::smallint[], $18::boolean[],
                    $19::boolean[], $20::jsonb[], $21::text[], $22::bytea[], $26::bigint[]) AS e (game_id, at, version, what, seat,
                    player_id, ply, notation, bot_level, bot_version, is_auto, is_secret, events, key, key_hash, tag)
                -- Not a join: with nested loops it would compare every entry with every game.
                WHERE (e.game_id IN (SELECT id FROM game)) IS TRUE
             )
             SELECT id FROM game",
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(games().map(|game| game.id.0).collect::<Vec<_>>())
            .bind(changes.clone().map(|change| change.from.version).collect::<Vec<_>>())
            .bind(games().map(|game| game.version).collect::<Vec<_>>())
            .bind(games().map(|game| game.ply_column()).collect::<Vec<_>>())
            .bind(games().map(|game| game.position_column()).collect::<Vec<_>>())
            .bind(games().map(|game| game.to_act_column()).collect::<Vec<_>>())
            .bind(games().map(|game| Json(&game.decisions)).collect::<Vec<_>>())
            .bind(of_games)
            .bind(at);
        let mut query = log
            .bind_to(query)
            .bind(changes.clone().map(|change| change.from.tag).collect::<Vec<_>>())
            .bind(games().map(|game| game.tag).collect::<Vec<_>>())
            .bind(changes.clone().map(|change| change.at).collect::<Vec<_>>())
            .bind(tags);
        if is_last {
            query = query
                .bind(games().map(|game| game.status).collect::<Vec<_>>())
                .bind(changes.clone().map(|change| change.outcome.as_ref().map(Json)).collect::<Vec<_>>())
                .bind(games().map(|game| game.ended_at).collect::<Vec<_>>());
        }
        let stored = query.fetch_all(&self.moves).await?;
        stored.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}

type Statement<'q> = sqlx::query::Query<'q, sqlx::Postgres, sqlx::postgres::PgArguments>;

/// Entries as column arrays for `unnest`: one statement stores any number.
#[derive(Default)]
struct Log<'a> {
    versions: Vec<Version>,
    kinds: Vec<EntryKind>,
    seats: Vec<Option<i16>>,
    players: Vec<Option<Uuid>>,
    plies: Vec<i32>,
    notations: Vec<Option<&'a str>>,
    bot_levels: Vec<Option<i16>>,
    bot_versions: Vec<Option<i16>>,
    autos: Vec<bool>,
    secrets: Vec<bool>,
    events: Vec<Json<Box<RawValue>>>,
    keys: Vec<Option<&'a str>>,
    hashes: Vec<Option<&'a [u8]>>,
}

impl<'a> Log<'a> {
    fn of(entries: &'a [NewEntry], version: Version) -> Result<Log<'a>> {
        let mut log = Log::default();
        log.add(entries, version)?;
        Ok(log)
    }

    fn add(&mut self, entries: &'a [NewEntry], version: Version) -> Result<()> {
        for (entry, version) in entries.iter().zip(version.next()) {
            self.versions.push(version);
            self.kinds.push(entry.kind);
            self.seats.push(entry.seat.map(seat_number));
            self.players.push(entry.player.map(|id| id.0));
            self.plies.push(number(entry.ply));
            self.notations.push(entry.notation.as_deref());
            self.bot_levels.push(entry.bot.map(|bot| bot_number(bot.level)));
            self.bot_versions.push(entry.bot.map(|bot| bot_number(bot.version)));
            self.autos.push(entry.is_auto);
            self.secrets.push(entry.is_secret);
            self.events.push(events_json(&entry.events)?);
            self.keys.push(entry.key.as_ref().map(|key| key.key.as_str()));
            self.hashes.push(entry.key.as_ref().map(|key| key.hash.as_slice()));
        }
        Ok(())
    }

    fn bind_to<'q>(self, query: Statement<'q>) -> Statement<'q>
    where
        'a: 'q,
    {
        query
            .bind(self.versions)
            .bind(self.kinds)
            .bind(self.seats)
            .bind(self.players)
            .bind(self.plies)
            .bind(self.notations)
            .bind(self.bot_levels)
            .bind(self.bot_versions)
            .bind(self.autos)
            .bind(self.secrets)
            .bind(self.events)
            .bind(self.keys)
            .bind(self.hashes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_may_have_several_hosts() {
        let hosts = |url: &str| -> Vec<(String, u16, Option<String>)> {
            let hosts = hosts_of(url).expect("it is a URL");
            hosts.iter().map(|at| (at.get_host().into(), at.get_port(), at.get_database().map(String::from))).collect()
        };
        let host = |name: &str, port| (name.to_string(), port, Some("maidan".to_string()));
        assert_eq!(hosts("postgres://me:a%40b@one/maidan?sslmode=disable"), [host("one", 5432)]);
        let several = hosts("postgres://me@one:5433,two,three:5434/maidan?application_name=a,b");
        assert_eq!(several, [host("one", 5433), host("two", 5432), host("three", 5434)]);
    }
}
