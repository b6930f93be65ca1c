//! Many tables playing at once, and the measurements.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use domain::Kind;
use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::Result;
use crate::club::{Club, Table};
use crate::figures::{Times, micros};
use crate::graphql::Types;
use crate::http::{Connection, request};
use crate::pace::{Pace, Turns};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Api {
    Rest,
    Graphql,
}

#[derive(Clone)]
pub struct Session {
    pub api: Api,
    pub pace: Pace,
    pub warm_up: Duration,
    pub time: Duration,
    /// Whether every move carries an idempotency key.
    pub keys: bool,
}

/// The measurements of a session.
pub struct Played {
    pub moves: u64,
    pub seconds: f64,
    pub times: Times,
    /// Share of one core.
    pub service_cpu: f64,
    pub database_cpu: f64,
    pub client_cpu: f64,
    /// Bytes of write-ahead log.
    pub written: f64,
}

impl Played {
    pub fn rate(&self) -> f64 {
        self.moves as f64 / self.seconds
    }

    pub fn written_per_move(&self) -> f64 {
        self.written / self.moves.max(1) as f64
    }
}

/// One acknowledged move: the time since the start, and its latency, in microseconds.
type Acknowledged = (u32, u32);

pub async fn play(club: &mut Club, tables: Vec<Table>, session: &Session) -> Result<Played> {
    let mut mutations: BTreeMap<Kind, Arc<String>> = BTreeMap::new();
    if session.api == Api::Graphql {
        let mut connection = Connection::open(&club.server.address).await?;
        for kind in Kind::ALL {
            mutations.insert(*kind, Arc::new(Types::of(*kind, &mut connection).await?.play_move()));
        }
    }
    club.database.settle().await?;
    let count = tables.len();
    let stop = Arc::new(Stop::default());
    let begin = Instant::now() + Duration::from_millis(50);
    let mut players = JoinSet::new();
    for (n, table) in tables.into_iter().enumerate() {
        let connection = Connection::open(&club.server.address).await?;
        let (stop, session) = (stop.clone(), session.clone());
        let mutation = mutations.get(&table.kind).cloned();
        let turns = session.pace.turns(begin, n, count);
        players.spawn(sit(table, connection, session, mutation, turns, begin, stop));
    }
    stop.sleep(begin + session.warm_up - Instant::now()).await;
    let before = Reading::take(club).await?;
    stop.sleep(session.time).await;
    let after = Reading::take(club).await?;
    stop.now();
    let mut acknowledged: Vec<Acknowledged> = Vec::new();
    while let Some(table) = players.join_next().await {
        acknowledged.extend(table??);
    }
    club.acknowledged += acknowledged.len() as u64;
    club.check_log().await?;
    let within = |at: &u32| {
        let at = begin + Duration::from_micros((*at).into());
        before.at <= at && at < after.at
    };
    let times: Vec<u32> = acknowledged.iter().filter(|(at, _)| within(at)).map(|(_, time)| *time).collect();
    let seconds = (after.at - before.at).as_secs_f64();
    let share = |of: fn(&Reading) -> Duration| (of(&after) - of(&before)).as_secs_f64() / seconds;
    Ok(Played {
        moves: times.len() as u64,
        seconds,
        times: Times::of(times),
        service_cpu: share(|reading| reading.service),
        database_cpu: share(|reading| reading.database),
        client_cpu: share(|reading| reading.client),
        written: (after.written - before.written) as f64,
    })
}

/// The meters at one moment.
struct Reading {
    at: Instant,
    service: Duration,
    database: Duration,
    client: Duration,
    written: i64,
}

impl Reading {
    async fn take(club: &Club) -> Result<Reading> {
        let written = club.database.written().await?;
        Ok(Reading {
            at: Instant::now(),
            service: club.server.cpu(),
            database: club.database.cpu(),
            client: crate::process::cpu(std::process::id()),
            written,
        })
    }
}

/// When to stop: after the time, or when a table has played all games that were dealt for it.
#[derive(Default)]
struct Stop {
    is_now: AtomicBool,
    dry: AtomicU32,
    wake: Notify,
}

impl Stop {
    fn now(&self) {
        self.is_now.store(true, Ordering::Relaxed);
    }

    fn is_now(&self) -> bool {
        self.is_now.load(Ordering::Relaxed)
    }

    fn ran_dry(&self) {
        self.dry.fetch_add(1, Ordering::Relaxed);
        self.wake.notify_one();
    }

    async fn sleep(&self, time: Duration) {
        if self.dry.load(Ordering::Relaxed) > 0 {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            () = self.wake.notified() => eprintln!("  a table has no more games: this session ends early"),
        }
    }
}

async fn sit(
    mut table: Table,
    mut connection: Connection,
    session: Session,
    mutation: Option<Arc<String>>,
    mut turns: Turns,
    begin: Instant,
    stop: Arc<Stop>,
) -> Result<Vec<Acknowledged>> {
    let mut acknowledged = Vec::new();
    tokio::time::sleep_until(begin.into()).await;
    while let Some(game) = table.games.pop() {
        for (ply, planned) in game.moves.iter().enumerate() {
            if stop.is_now() {
                return Ok(acknowledged);
            }
            let token = &table.players[usize::from(planned.seat)].token;
            let key = session.keys.then_some(ply);
            let mutation = mutation.as_deref().map(String::as_str);
            let request = move_request(mutation, key, &game.id, token, &planned.notation);
            let sent = turns.next().await;
            let answer = connection.ask(&request).await?;
            let is_error = session.api == Api::Graphql && answer.body.windows(9).any(|part| part == b"\"errors\":");
            if !answer.is_good() || is_error {
                let body = String::from_utf8_lossy(answer.body);
                return Err(format!("{} {}: {} {body}", table.kind, planned.notation, answer.status).into());
            }
            let now = Instant::now();
            let at = micros(now.saturating_duration_since(begin));
            acknowledged.push((at, micros(now - sent)));
        }
    }
    stop.ran_dry();
    Ok(acknowledged)
}

/// By GraphQL if there is a mutation, otherwise by REST.
pub fn move_request(mutation: Option<&str>, key: Option<usize>, game: &str, token: &str, notation: &str) -> Vec<u8> {
    let key = key.map(|ply| format!("ply-{ply}"));
    match mutation {
        None => {
            let more = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
            let body = json!({ "notation": notation }).to_string();
            request("POST", &format!("/v1/games/{game}/moves"), token, &more, &body)
        }
        Some(mutation) => {
            let input = json!({ "gameId": game, "notation": notation, "idempotencyKey": key });
            let body = json!({ "query": mutation, "variables": { "input": input } });
            request("POST", "/graphql", token, "", &body.to_string())
        }
    }
}
