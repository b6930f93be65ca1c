//! The typical load of an app at every table: a move, a read of the game by both players, a poll with an ETag, a list of
//! ids, and another read.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::Kind;
use serde_json::json;
use tokio::task::JoinSet;

use crate::Result;
use crate::club::{Club, Table};
use crate::figures::{Times, micros};
use crate::graphql::Types;
use crate::http::{Connection, request};
use crate::play::move_request;

pub struct Mixed {
    /// Rounds of six requests, per second.
    pub rate: f64,
    /// Of a round.
    pub times: Times,
}

/// Plays rounds at all tables for a time, in dealt games with more moves than needed.
pub async fn mix(club: &mut Club, tables: Vec<Table>, time: Duration) -> Result<Mixed> {
    let mut connection = Connection::open(&club.server.address).await?;
    let mut looks = BTreeMap::new();
    for kind in Kind::ALL {
        looks.insert(*kind, Arc::new(Types::of(*kind, &mut connection).await?.look()));
    }
    let warm = Instant::now() + time / 5;
    let end = warm + time;
    let mut players = JoinSet::new();
    for table in tables {
        let (look, address) = (Arc::clone(&looks[&table.kind]), club.server.address.clone());
        players.spawn(async move {
            let mut connection = Connection::open(&address).await?;
            let (mut times, mut made) = (Vec::new(), 0);
            for game in table.games.iter().rev() {
                // OPENED, a JOINED for each, STARTED; then an entry for every move.
                let started = table.players.len() + 2;
                for (n, planned) in game.moves.iter().enumerate() {
                    let begun = Instant::now();
                    if begun >= end {
                        return Result::Ok((times, made));
                    }
                    round(&mut connection, &table, game, planned, started + n + 1, &look).await?;
                    made += 1;
                    if begun >= warm {
                        times.push(micros(begun.elapsed()));
                    }
                }
            }
            Err("the dealt games were too few".into())
        });
    }
    let mut times = Vec::new();
    while let Some(player) = players.join_next().await {
        let (more, made) = player??;
        times.extend(more);
        club.acknowledged += made;
    }
    let times = Times::of(times);
    Ok(Mixed { rate: times.count() as f64 / time.as_secs_f64(), times })
}

async fn round(
    connection: &mut Connection,
    table: &Table,
    game: &crate::club::Dealt,
    planned: &crate::plan::Planned,
    version: usize,
    look: &str,
) -> Result<()> {
    let mover = usize::from(planned.seat);
    let other = (mover + 1) % table.players.len();
    let token = |seat: usize| &table.players[seat].token;
    let ask = json!({ "query": look, "variables": { "id": game.id } }).to_string();
    let ids = json!({ "query": "{ games(first: 20) { nodes { id } } }" }).to_string();
    let tag = format!("If-None-Match: \"{version}.{other}\"\r\n");
    let requests = [
        (move_request(None, None, &game.id, token(mover), &planned.notation), 200),
        (request("POST", "/graphql", token(mover), "", &ask), 200),
        (request("POST", "/graphql", token(other), "", &ask), 200),
        (request("GET", &format!("/v1/games/{}", game.id), token(other), &tag, ""), 304),
        (request("POST", "/graphql", token(mover), "", &ids), 200),
        (request("POST", "/graphql", token(mover), "", &ask), 200),
    ];
    for (request, status) in requests {
        let answer = connection.ask(&request).await?;
        if answer.status != status || answer.body.starts_with(b"{\"data\":null") {
            let (got, text) = (answer.status, String::from_utf8_lossy(answer.body));
            return Err(format!("expected {status}, but got {got}: {text}").into());
        }
    }
    Ok(())
}
