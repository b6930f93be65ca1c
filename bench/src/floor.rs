//! The floor: the throughput of Postgres alone. It sends the statement that stores a move directly, one move per
//! transaction, without HTTP, rules or authentication. It stores the same rows as the service.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::postgres::PgConnection;
use sqlx::types::Uuid;
use sqlx::{Connection, Row};
use tokio::task::JoinSet;

use crate::Result;
use crate::club::{Club, Dealt, Table, uuid_of};
use crate::figures::{Times, micros, whole};
use crate::pace::{Pace, Turns};
use crate::plan::{Planned, Stored};
use crate::server::Database;

pub struct Floor {
    /// Moves per second.
    pub rate: f64,
    pub times: Option<Times>,
    pub database_cpu: f64,
    pub written_per_move: f64,
}

/// The counters of the database at the start of the measurement.
struct Meters {
    cpu: Duration,
    written: i64,
    at: Instant,
}

impl Meters {
    async fn read(database: &Database) -> Result<Meters> {
        Ok(Meters { written: database.written().await?, cpu: database.cpu(), at: Instant::now() })
    }

    /// The difference since then.
    async fn since(&self, database: &Database, rate: f64, times: Option<Times>) -> Result<Floor> {
        let now = Meters::read(database).await?;
        let seconds = (now.at - self.at).as_secs_f64();
        Ok(Floor {
            rate,
            times,
            database_cpu: (now.cpu - self.cpu).as_secs_f64() / seconds,
            written_per_move: (now.written - self.written) as f64 / (rate * seconds).max(1.0),
        })
    }
}

/// The service's statement, without the parts that join and end games.
const MOVE: &str = "
    WITH game AS (
        UPDATE games SET version = $3, ply = $4, position = $5, state = NULL, to_act = $6, decisions = $7
        WHERE id = $1 AND version = $2 RETURNING id
    )
    INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events,
        key, key_hash, at)
    SELECT game.id, e.*, now() FROM game, unnest($8::integer[], $9::text[], $10::smallint[], $11::uuid[],
        $12::integer[], $13::text[], $14::boolean[], $15::boolean[], $16::jsonb[], $17::text[], $18::bytea[]) AS e";

/// Measured by this tool, over this many connections, on games that were dealt with their rows.
pub async fn by_hand(
    club: &Club,
    tables: Vec<Table>,
    connections: usize,
    pace: Pace,
    warm_up: Duration,
    time: Duration,
) -> Result<Floor> {
    let mut hands: Vec<Vec<Sitting>> = (0..connections).map(|_| Vec::new()).collect();
    for (n, table) in tables.into_iter().enumerate() {
        let players = table.players.iter().map(|player| uuid_of(&player.id)).collect::<Result<Vec<_>>>()?;
        hands[n % connections].push(Sitting::new(players, table.games));
    }
    let database = &club.database;
    let rows_before = database.logged().await?;
    database.settle().await?;
    let mut connected = Vec::new();
    for hand in hands {
        connected.push((PgConnection::connect(&database.url).await?, hand));
    }
    let begin = Instant::now() + warm_up;
    let end = begin + time;
    let mut working = JoinSet::new();
    for (n, (connection, hand)) in connected.into_iter().enumerate() {
        let turns = pace.turns(Instant::now(), n, connections);
        working.spawn(store(connection, hand, turns, end));
    }
    tokio::time::sleep_until(begin.into()).await;
    let meters = Meters::read(database).await?;
    let mut stored: Vec<(Instant, u32)> = Vec::new();
    while let Some(hand) = working.join_next().await {
        stored.extend(hand??);
    }
    let last = stored.iter().map(|(at, _)| *at).max().unwrap_or(end);
    let times: Vec<u32> = stored.iter().filter(|(at, _)| *at >= meters.at).map(|(_, time)| *time).collect();
    let rate = times.len() as f64 / last.saturating_duration_since(meters.at).as_secs_f64().max(0.001);
    let floor = meters.since(database, rate, Some(Times::of(times))).await?;
    check_log(stored.len() as u64, database.logged().await? - rows_before)?;
    Ok(floor)
}

fn check_log(acknowledged: u64, logged: u64) -> Result<()> {
    match acknowledged == logged {
        true => Ok(()),
        false => Err(format!("{acknowledged} moves were acknowledged, but {logged} are in the log").into()),
    }
}

/// One table: the games that are left, and the position in the current one.
struct Sitting {
    players: Vec<Uuid>,
    games: Vec<Dealt>,
    next: usize,
    version: i32,
}

impl Sitting {
    fn new(players: Vec<Uuid>, games: Vec<Dealt>) -> Sitting {
        Sitting { players, games, next: 0, version: 0 }
    }
}

async fn store(
    mut connection: PgConnection,
    mut sittings: Vec<Sitting>,
    mut turns: Turns,
    end: Instant,
) -> Result<Vec<(Instant, u32)>> {
    let mut stored_moves = Vec::new();
    // One move at each table in turn.
    for n in (0..sittings.len()).cycle() {
        let sitting = &mut sittings[n];
        let Some(game) = sitting.games.last() else {
            eprintln!("  a table has no more games: the floor ends early");
            break;
        };
        let id = uuid_of(&game.id)?;
        if sitting.next == 0 {
            let row =
                sqlx::query("SELECT version FROM games WHERE id = $1").bind(id).fetch_one(&mut connection).await?;
            sitting.version = row.try_get(0)?;
        }
        let planned = &game.moves[sitting.next];
        let stored = planned.stored.as_ref().ok_or("the game was dealt without its rows")?;
        let version = sitting.version + 1;
        let seats = 0..sitting.players.len();
        let decisions: Value = seats.map(|seat| (stored.to_act >> seat & 1 == 1).then_some(version)).collect();
        let sent = turns.next().await;
        if sent >= end {
            break;
        }
        let done = sqlx::query(MOVE)
            .bind(id)
            .bind(sitting.version)
            .bind(version)
            .bind(stored.ply)
            .bind(&stored.position)
            .bind(stored.to_act)
            .bind(decisions)
            .bind(vec![version])
            .bind(vec!["MOVED"])
            .bind(vec![i16::from(planned.seat)])
            .bind(vec![sitting.players[usize::from(planned.seat)]])
            .bind(vec![stored.ply])
            .bind(vec![planned.notation.as_str()])
            .bind(vec![false])
            .bind(vec![stored.is_secret])
            .bind(vec![stored.events.clone()])
            .bind(vec![None::<String>])
            .bind(vec![None::<Vec<u8>>])
            .execute(&mut connection)
            .await?;
        if done.rows_affected() != 1 {
            return Err("a move of the floor was overtaken".into());
        }
        let now = Instant::now();
        stored_moves.push((now, micros(now - sent)));
        sitting.version = version;
        sitting.next += 1;
        // The last move of a game writes more, so the floor leaves it out.
        if sitting.next + 1 >= game.moves.len() {
            sitting.games.pop();
            sitting.next = 0;
        }
    }
    connection.close().await?;
    Ok(stored_moves)
}

/// The number of different rows that pgbench writes, in random order.
const ROWS: usize = 16;

/// Measured by `pgbench -M prepared`, on as many games, with rows from the games of `sample`.
pub async fn by_pgbench(
    pgbench: &Path,
    database: &Database,
    sample: &[Table],
    connections: usize,
    warm_up: Duration,
    time: Duration,
) -> Result<Floor> {
    let each = sample.len().div_ceil(connections);
    let moves: Vec<_> = sample.iter().flat_map(|table| &table.games).flat_map(|game| &game.moves).collect();
    let rows: Vec<_> = moves.iter().filter_map(|planned| Some((*planned, planned.stored.as_ref()?))).collect();
    if rows.len() < ROWS {
        return Err("no game was dealt with its rows".into());
    }

    // Games of its own, numbered, so that pgbench finds them.
    let place = Uuid::new_v4().simple().to_string();
    let prefix = format!("{}-{}-4{}-8{}-", &place[..8], &place[8..12], &place[13..16], &place[17..20]);
    let copies = i32::try_from(each * connections)?;
    let columns = "app_id, kind, rules_version, options, seats, visibility, status, seed, created_by, opener_id, \
        seating, position, to_act, decisions, created_at, started_at";
    sqlx::query(sqlx::AssertSqlSafe(format!(
        "INSERT INTO games (id, version, ply, {columns})
         SELECT ($1 || lpad(n::text, 12, '0'))::uuid, 0, 0, {columns}
         FROM generate_series(0, $2 - 1) AS n, (SELECT * FROM games WHERE id = $3) AS one"
    )))
    .bind(&prefix)
    .bind(copies)
    .bind(uuid_of(&sample[0].games[0].id)?)
    .execute(&database.pool)
    .await?;

    let player = uuid_of(&sample[0].players[0].id)?;
    let scripts = std::env::temp_dir().join(format!("maidan-floor-{}", std::process::id()));
    std::fs::create_dir_all(&scripts)?;
    let mut command = Command::new(pgbench);
    for (n, (planned, stored)) in rows.iter().step_by(rows.len() / ROWS).enumerate() {
        let path = scripts.join(format!("{n}.sql"));
        std::fs::write(&path, script(&prefix, each, player, planned, stored))?;
        command.arg("-f").arg(&path);
    }
    let rows_before = database.logged().await?;
    database.settle().await?;
    let warm_up = warm_up.as_secs().max(1);
    let seconds = warm_up + time.as_secs().max(1);
    command.args(["-n", "-M", "prepared", "-D", "turn=0", "-j", "2", "-P", "1"]);
    command.args(["-c", &connections.to_string(), "-T", &seconds.to_string()]);
    command.arg(&database.url);
    let working = tokio::task::spawn_blocking(move || command.output());
    tokio::time::sleep(Duration::from_secs(warm_up)).await;
    let meters = Meters::read(database).await?;
    let output = working.await??;
    std::fs::remove_dir_all(&scripts)?;
    let (printed, progress) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(format!("pgbench: {progress}").into());
    }
    let rates: Vec<f64> = progress.lines().filter_map(|line| number_after(line, " s, ")).collect();
    let counted = rates.get(usize::try_from(warm_up)?..).unwrap_or_default();
    let rate = counted.iter().sum::<f64>() / counted.len().max(1) as f64;
    let floor = meters.since(database, rate, None).await?;
    let moves = number_after(&printed, "actually processed: ").ok_or("pgbench printed no number of transactions")?;
    check_log(whole(moves) as u64, database.logged().await? - rows_before)?;
    Ok(floor)
}

/// The pgbench script of one move: for the next game, with this row.
fn script(prefix: &str, each: usize, player: Uuid, planned: &Planned, stored: &Stored) -> String {
    let quoted = |text: &str| text.replace('\'', "''");
    let position: String = stored.position.iter().map(|byte| format!("{byte:02x}")).collect();
    // pgbench reads a colon before a word as a variable, even in quotes. A space after it does not change the jsonb.
    let events = quoted(&stored.events.to_string()).replace(':', ": ");
    let notation = quoted(&planned.notation).replace(':', ";");
    format!(
        "\\set number :client_id * {each} + :turn % {each}
\\set from :turn / {each}
\\set to :from + 1
WITH game AS (
    UPDATE games SET version = :to::integer, ply = :to::integer, position = '\\x{position}', state = NULL, to_act = 1,
        decisions = to_jsonb(ARRAY[:to::integer, NULL])
    WHERE id = ('{prefix}' || lpad(:number::text, 12, '0'))::uuid AND version = :from::integer RETURNING id
)
INSERT INTO entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key, key_hash, at)
SELECT game.id, e.*, now() FROM game, unnest(ARRAY[:to::integer], ARRAY['MOVED'], ARRAY[0::smallint], ARRAY['{player}'::uuid],
    ARRAY[:to::integer], ARRAY['{notation}'], ARRAY[false], ARRAY[false], ARRAY['{events}'::jsonb], ARRAY[NULL::text], ARRAY[NULL::bytea]) AS e;
\\set turn :turn + 1
"
    )
}

fn number_after(text: &str, words: &str) -> Option<f64> {
    let rest = text.split(words).nth(1)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pgbench_prints_is_understood() {
        let printed = "number of transactions actually processed: 45023\nlatency average = 1.7 ms\n";
        assert_eq!(number_after(printed, "actually processed: "), Some(45023.0));
        let progress = "progress: 2.0 s, 9004.5 tps, lat 1.776 ms stddev 0.560, 0 failed";
        assert_eq!(number_after(progress, " s, "), Some(9004.5));
        assert_eq!(number_after(printed, "none"), None);
    }
}
