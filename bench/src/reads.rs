//! Reading: a game with its view and legal moves, held against a handler that does nothing but answer.

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
use crate::figures::Times;
use crate::graphql::Types;
use crate::http::{Connection, request};
use crate::play::move_request;

/// When set, this program is the bare handler, and this is how many bytes it answers with.
pub const BARE: &str = "BENCH_BARE";

pub struct Reads {
    pub rate: f64,
    pub times: Times,
    /// Bytes of an answer's body, on average.
    pub size: usize,
}

/// A request, and where in it a number stands by which no two are the same to the letter.
#[derive(Clone)]
pub struct Question {
    bytes: Vec<u8>,
    number: Option<usize>,
}

const NUMBER: &str = "0000000000";

impl Question {
    pub fn again(bytes: Vec<u8>) -> Question {
        Question { bytes, number: None }
    }

    fn anew(bytes: Vec<u8>) -> Question {
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

/// What each table's player who is to act would ask, once its game is under way, in several ways.
pub async fn questions(club: &mut Club, tables: &[Table]) -> Result<Vec<(&'static str, Vec<Question>)>> {
    let mut connection = Connection::open(&club.server.address).await?;
    let mut queries = BTreeMap::new();
    for kind in Kind::ALL {
        queries.insert(*kind, Types::of(*kind, &mut connection).await?.look());
    }
    let (mut again, mut anew, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        let game = table.games.last().ok_or("the table has no game")?;
        let played = (game.moves.len() / 2).min(30);
        for planned in &game.moves[..played] {
            let token = &table.players[usize::from(planned.seat)].token;
            let request = move_request(None, None, &game.id, token, &planned.notation);
            if !connection.ask(&request).await?.is_good() {
                return Err("a move that was planned is refused".into());
            }
            club.acknowledged += 1;
        }
        let token = &table.players[usize::from(game.moves[played].seat)].token;
        let ask = json!({ "query": queries[&table.kind], "variables": { "id": game.id } });
        again.push(Question::again(request("POST", "/graphql", token, "", &ask.to_string())));
        let mut ask = ask;
        ask["extensions"] = json!({ "number": NUMBER });
        anew.push(Question::anew(request("POST", "/graphql", token, "", &ask.to_string())));
        rest.push(Question::again(request("GET", &format!("/v1/games/{}", game.id), token, "", "")));
    }
    Ok(vec![
        ("game, view and legal moves by GraphQL, asked again", again),
        ("game, view and legal moves by GraphQL, asked anew", anew),
        ("game and view by REST", rest),
    ])
}

/// Asks over so many connections, each question in its turn.
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
                    times.push(sent.elapsed().as_micros() as u32);
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

/// The bare handler, as a process of its own like the service. It is ended when this goes.
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

/// Reads what is sent and answers with so many bytes, for ever.
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
