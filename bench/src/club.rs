//! A service with an app, its players, and games dealt for them.

use std::sync::Arc;

use domain::Kind;
use serde_json::{Value, json};
use sqlx::types::Uuid;
use tokio::task::JoinSet;

use crate::Result;
use crate::http::{Connection, request};
use crate::plan::{self, Planned};
use crate::server::{Database, Program, Server};

/// The largest number of moves played of a game, so that long kinds do not outweigh the others.
pub const MOST_MOVES: usize = 400;

/// Connections for the setup before the measurement.
const HANDS: usize = 16;

pub struct Club {
    pub server: Server,
    pub database: Database,
    key: String,
    /// Acknowledged moves of all phases.
    pub acknowledged: u64,
}

#[derive(Clone)]
pub struct Player {
    pub id: String,
    pub token: String,
}

/// A table at which the same players play one game after the other.
pub struct Table {
    pub kind: Kind,
    pub players: Vec<Player>,
    pub games: Vec<Dealt>,
}

/// A running game with its planned moves.
pub struct Dealt {
    pub id: String,
    pub moves: Vec<Planned>,
}

impl Club {
    pub async fn open(program: &Program, database: Database) -> Result<Club> {
        program.run(&database, &["migrate"])?;
        let printed = program.run(&database, &["app", "create", "bench"])?;
        let key = printed.lines().find(|line| line.starts_with("mdn_app_")).ok_or("no key was printed")?.to_string();
        let server = program.serve(&database)?;
        Ok(Club { server, database, key, acknowledged: 0 })
    }

    /// Sends requests as the app, several at a time, and returns the responses in the order of the requests.
    pub async fn ask_all(&self, asks: Vec<(String, Value)>) -> Result<Vec<Value>> {
        let asks = Arc::new(asks);
        let mut hands = JoinSet::new();
        for hand in 0..HANDS {
            let (asks, key, address) = (asks.clone(), self.key.clone(), self.server.address.clone());
            hands.spawn(async move {
                let mut connection = Connection::open(&address).await?;
                let mut answers = Vec::new();
                for n in (hand..asks.len()).step_by(HANDS) {
                    let (path, body) = &asks[n];
                    let answer = connection.ask(&request("POST", path, &key, "", &body.to_string())).await?;
                    if !answer.is_good() {
                        let text = String::from_utf8_lossy(answer.body).into_owned();
                        return Err(format!("{path} returned {} {text}", answer.status).into());
                    }
                    answers.push((n, serde_json::from_slice::<Value>(answer.body)?));
                }
                Result::Ok(answers)
            });
        }
        let mut answers = Vec::new();
        while let Some(hand) = hands.join_next().await {
            answers.extend(hand??);
        }
        answers.sort_by_key(|(n, _)| *n);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    pub async fn register(&self, count: usize) -> Result<Vec<Player>> {
        let names = (0..count).map(|n| ("/v1/players".to_string(), json!({ "name": format!("Player {n}") })));
        let registered = self.ask_all(names.collect()).await?;
        let ids: Vec<String> = registered.iter().map(|answer| text(&answer["player"]["id"])).collect();
        let tokens = ids.iter().map(|id| (format!("/v1/players/{id}/tokens"), json!({})));
        let tokens = self.ask_all(tokens.collect()).await?;
        Ok(ids.into_iter().zip(&tokens).map(|(id, token)| Player { id, token: text(&token["token"]) }).collect())
    }

    /// Tables with players, with the kinds in turn.
    pub async fn tables(&self, kinds: &[Kind], count: usize) -> Result<Vec<Table>> {
        let kinds: Vec<Kind> = kinds.iter().copied().cycle().take(count).collect();
        let seats = |kind: Kind| usize::from(*kind.seats().start());
        let mut players = self.register(kinds.iter().copied().map(seats).sum()).await?.into_iter();
        let table =
            |kind: Kind| Table { kind, players: players.by_ref().take(seats(kind)).collect(), games: Vec::new() };
        Ok(kinds.into_iter().map(table).collect())
    }

    /// Deals enough games for `moves` moves, the same number at every table.
    pub async fn deal(&self, tables: &mut [Table], moves: usize, with_rows: bool) -> Result<()> {
        let each = moves / tables.len() + 1;
        let mut lengths: Vec<(Kind, usize)> = Vec::new();
        for table in tables.iter() {
            if !lengths.iter().any(|(kind, _)| *kind == table.kind) {
                lengths.push((table.kind, plan::length(table.kind, MOST_MOVES)));
            }
        }
        let games = |kind: Kind| {
            let length = lengths.iter().find(|(known, _)| *known == kind).map_or(1, |(_, length)| *length);
            each / length + 2
        };
        let mut asks = Vec::new();
        for table in tables.iter() {
            let seats: Vec<Value> = table.players.iter().map(|player| json!({ "player": player.id })).collect();
            let ask = json!({ "kind": table.kind, "seats": seats });
            asks.extend(std::iter::repeat_n(("/v1/games".to_string(), ask), games(table.kind)));
        }
        let answers = self.ask_all(asks).await?;
        let mut ids = answers.iter().map(|answer| text(&answer["id"]));
        let wanted: Vec<Vec<String>> =
            tables.iter().map(|table| ids.by_ref().take(games(table.kind)).collect()).collect();
        for (table, ids) in tables.iter_mut().zip(wanted) {
            let seeds = self.seeds(&ids).await?;
            let seats = u8::try_from(table.players.len())?;
            let games = ids.into_iter().zip(seeds).map(|(id, seed)| {
                let moves = plan::plan(table.kind, seats, seed, MOST_MOVES, with_rows);
                Dealt { id, moves }
            });
            table.games = games.collect();
            // They are played from the end of the list.
            table.games.reverse();
        }
        Ok(())
    }

    /// The seeds of games, from the database.
    async fn seeds(&self, ids: &[String]) -> Result<Vec<[u8; 32]>> {
        let uuids = ids.iter().map(|id| uuid_of(id)).collect::<Result<Vec<Uuid>>>()?;
        let sql =
            "SELECT seed FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, n) JOIN games USING (id) ORDER BY n";
        let seeds: Vec<Vec<u8>> = sqlx::query_scalar(sql).bind(uuids).fetch_all(&self.database.pool).await?;
        seeds.into_iter().map(|seed| Ok(seed.as_slice().try_into()?)).collect()
    }

    /// Fails unless the log has exactly the acknowledged moves.
    pub async fn check_log(&self) -> Result<()> {
        let (logged, acknowledged) = (self.database.logged().await?, self.acknowledged);
        if logged != acknowledged {
            return Err(format!("{acknowledged} moves were acknowledged, but {logged} are in the log").into());
        }
        Ok(())
    }
}

pub fn uuid_of(id: &str) -> Result<Uuid> {
    Ok(Uuid::try_parse(id.rsplit('_').next().unwrap_or_default())?)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
