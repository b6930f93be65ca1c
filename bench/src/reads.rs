//! Reads of a game with its view and legal moves, compared with a bare handler.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use actix_web::{App, HttpResponse, HttpServer, web};
use domain::Kind;
use serde_json::json;
use tokio::task::JoinSet;

use crate::Result;
use crate::club::{Club, Table};
use crate::figures::{Times, micros};
use crate::graphql::Types;
use crate::http::{Connection, request};
use crate::play::move_request;

/// When set, this program is the bare handler, and this is the size of its responses in bytes.
pub const BARE: &str = "BENCH_BARE";

pub struct Reads {
    pub rate: f64,
    pub times: Times,
    /// Average size of a response body, in bytes.
    pub size: usize,
}

/// A request, and the position of the number in it that makes every copy distinct.
#[derive(Clone)]
pub struct Question {
    bytes: Vec<u8>,
    number: Option<usize>,
}

const NUMBER: &str = "0000000000";

impl Question {
    pub fn repeated(bytes: Vec<u8>) -> Question {
        Question { bytes, number: None }
    }

    fn distinct(bytes: Vec<u8>) -> Question {
        let number = bytes.windows(NUMBER.len()).position(|window| window == NUMBER.as_bytes());
        Question { bytes, number }
    }

    fn next(&mut self, count: usize) -> &[u8] {
        if let Some(place) = self.number {
            self.bytes[place..place + NUMBER.len()].copy_from_slice(format!("{count:010}").as_bytes());
        }
        &self.bytes
    }
}

/// The requests of each table's player to act, in a running game, in several variants.
pub async fn questions(club: &mut Club, tables: &[Table]) -> Result<Vec<(&'static str, Vec<Question>)>> {
    let mut connection = Connection::open(&club.server.address).await?;
    let mut queries = BTreeMap::new();
    for kind in Kind::ALL {
        queries.insert(*kind, Types::of(*kind, &mut connection).await?.look());
    }
    let (mut repeated, mut distinct, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        let game = table.games.last().ok_or("the table has no game")?;
        let played = (game.moves.len() / 2).min(30);
        for planned in &game.moves[..played] {
            let token = &table.players[usize::from(planned.seat)].token;
            let request = move_request(None, None, &game.id, token, &planned.notation);
            if !connection.ask(&request).await?.is_good() {
                return Err("a planned move was refused".into());
            }
            club.acknowledged += 1;
        }
        let token = &table.players[usize::from(game.moves[played].seat)].token;
        let ask = json!({ "query": queries[&table.kind], "variables": { "id": game.id } });
        repeated.push(Question::repeated(request("POST", "/graphql", token, "", &ask.to_string())));
        let mut ask = ask;
        ask["extensions"] = json!({ "number": NUMBER });
        distinct.push(Question::distinct(request("POST", "/graphql", token, "", &ask.to_string())));
        rest.push(Question::repeated(request("GET", &format!("/v1/games/{}", game.id), token, "", "")));
    }
    Ok(vec![
        ("game, view and legal moves by GraphQL, repeated requests", repeated),
        ("game, view and legal moves by GraphQL, distinct requests", distinct),
        ("game and view by REST", rest),
    ])
}

/// Sends the requests in turn over this many connections.
pub async fn read(address: &str, questions: &[Question], connections: usize, time: Duration) -> Result<Reads> {
    let warm = Instant::now() + time / 5;
    let end = warm + time;
    let mut readers = JoinSet::new();
    for n in 0..connections {
        let (mut connection, mut questions) = (Connection::open(address).await?, questions.to_vec());
        readers.spawn(async move {
            let (mut times, mut size) = (Vec::new(), 0);
            let many = questions.len();
            for count in 0.. {
                let question = questions[(n + count) % many].next(connections * count + n);
                let sent = Instant::now();
                if sent >= end {
                    break;
                }
                let answer = connection.ask(question).await?;
                if !answer.is_good() || answer.body.starts_with(b"{\"data\":null") {
                    return Err(String::from_utf8_lossy(answer.body).into_owned().into());
                }
                if sent >= warm {
                    times.push(micros(sent.elapsed()));
                    size += answer.body.len();
                }
            }
            Result::Ok((times, size))
        });
    }
    let (mut times, mut size) = (Vec::new(), 0);
    while let Some(reader) = readers.join_next().await {
        let (more, bytes) = reader??;
        times.extend(more);
        size += bytes;
    }
    let times = Times::of(times);
    Ok(Reads { rate: times.count() as f64 / time.as_secs_f64(), size: size / times.count().max(1), times })
}

/// The bare handler, as a separate process like the service. Dropping it kills the process.
pub struct Bare {
    pub address: String,
    child: Child,
}

impl Bare {
    pub fn start(size: usize) -> Result<Bare> {
        let mut command = Command::new(std::env::current_exe()?);
        command.env(BARE, size.to_string()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut bare = Bare { address: String::new(), child: command.spawn()? };
        BufReader::new(bare.child.stdout.take().expect("its output is piped")).read_line(&mut bare.address)?;
        bare.address.truncate(bare.address.trim_end().len());
        Ok(bare)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves responses of this many bytes for ever.
pub fn serve_bare(size: usize) -> std::io::Result<()> {
    actix_web::rt::System::new().block_on(async move {
        let answer = web::Bytes::from(vec![b' '; size]);
        let app = move || {
            let answer = answer.clone();
            let handler = move |_body: web::Bytes| {
                let answer = answer.clone();
                async move { HttpResponse::Ok().content_type("application/json").body(answer) }
            };
            App::new().default_service(web::to(handler))
        };
        let server = HttpServer::new(app).bind(("127.0.0.1", 0))?;
        println!("{}", server.addrs()[0]);
        server.run().await
    })
}
