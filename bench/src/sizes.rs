//! Sizes of logs and positions, and the duration of the start.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::Row;

use crate::Result;
use crate::club::{Club, Table};
use crate::figures::{bytes, grouped};
use crate::server::{Database, Program};

/// The size of a game's log, per kind, from games that were played: rows for a table of five columns.
pub async fn logs(database: &Database) -> Result<Vec<Vec<String>>> {
    let rows = sqlx::query(
        "SELECT kind, count(*) FILTER (WHERE status = 'OVER') AS ended,
            (avg(ply) FILTER (WHERE status = 'OVER'))::float8 AS moves,
            (avg(log) FILTER (WHERE status = 'OVER'))::float8 AS log,
            (sum(log) / sum(ply))::float8 AS per_move, avg(length(position))::float8 AS position
         FROM (SELECT g.kind, g.status, g.ply, g.position, sum(pg_column_size(e.*)) AS log
               FROM games g JOIN entries e ON e.game_id = g.id WHERE g.ply > 0 GROUP BY g.id) AS played
         GROUP BY kind ORDER BY kind",
    )
    .fetch_all(&database.pool)
    .await?;
    rows.iter()
        .map(|row| {
            let average = |name: &str| Result::Ok(row.try_get::<Option<f64>, _>(name)?);
            let or_dash = |value: Option<f64>, show: fn(f64) -> String| value.map_or("-".to_string(), show);
            Ok(vec![
                row.try_get("kind")?,
                or_dash(average("moves")?, grouped),
                or_dash(average("per_move")?, bytes),
                or_dash(average("log")?, bytes),
                or_dash(average("position")?, bytes),
            ])
        })
        .collect()
}

/// Deals games until there are this many.
pub async fn fill(club: &Club, tables: &[Table], from: usize, to: usize) -> Result<()> {
    let ask = |table: &Table| {
        let seats: Vec<Value> = table.players.iter().map(|player| json!({ "player": player.id })).collect();
        ("/v1/games".to_string(), json!({ "kind": table.kind, "seats": seats }))
    };
    let asks: Vec<_> = tables.iter().cycle().take(to - from).map(ask).collect();
    // In parts, because the responses are held until a part is done.
    for part in asks.chunks(5000) {
        club.ask_all(part.to_vec()).await?;
    }
    Ok(())
}

/// Stores this many finished games by copying one, which is faster than playing them. Their ids are consecutive, like
/// ids that begin with the time.
pub async fn fill_by_copying(club: &Club, count: usize) -> Result<()> {
    let tables = club.tables(&[domain::Kind::Mahola], 1).await?;
    fill(club, &tables, 0, 1).await?;
    let columns = "app_id, kind, rules_version, options, seats, visibility, version, ply, seed, created_by, opener_id, \
        seating, position, to_act, decisions, created_at, started_at";
    let sql = format!(
        "INSERT INTO games (id, status, ended_at, {columns})
         SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'OVER', now(), {columns}
         FROM games, generate_series(1, $1) AS n"
    );
    let database = &club.database.pool;
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(i32::try_from(count)?).execute(database).await?;
    let seats = "INSERT INTO seatings (game_id, seat, player_id, is_over, kind, is_public, is_practice, place, result, ended_at)
        SELECT id, seat - 1, (sitter ->> 'player')::uuid, true, kind, true, false, seat, 'DRAWN', ended_at
        FROM games, jsonb_array_elements(seating) WITH ORDINALITY AS sitting (sitter, seat) WHERE status = 'OVER'";
    sqlx::query(seats).execute(database).await?;
    club.database.settle().await
}

/// From the start of the program on this database until it is ready; the median of several.
pub fn start_on(program: &Program, database: &Database, times: usize) -> Result<Duration> {
    let mut starts = (0..times).map(|_| Ok(program.serve(database)?.start)).collect::<Result<Vec<_>>>()?;
    starts.sort();
    Ok(starts[times / 2])
}

/// From the start of the program on an empty embedded database until it is ready; the median of several.
pub fn start_embedded(program: &Program, times: usize) -> Result<Duration> {
    let mut starts = Vec::new();
    for n in 0..times {
        let directory = std::env::temp_dir().join(format!("start-{n}"));
        std::fs::create_dir(&directory)?;
        starts.push(program.serve_embedded(&directory)?.start);
        std::fs::remove_dir_all(&directory)?;
    }
    starts.sort();
    Ok(starts[times / 2])
}
