//! Players who follow their game live: how long until a move is known at the whole table?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::Result;
use crate::club::{Club, Dealt, Table};
use crate::figures::{Times, micros};
use crate::http::Connection;
use crate::pace::{Pace, Turns};
use crate::play::move_request;
use crate::websocket::contains;
use crate::{events, websocket};

/// How players follow their game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// GraphQL's `gameChanged`.
    WebSocket,
    /// REST's stream of events.
    Events,
}

/// The subscription of a client that shows the board. The version comes first, where the tool looks for it.
const FOLLOW: &str = "subscription($id: ID!) { gameChanged(id: $id) { version entries { events { text } } \
    game { status toAct view { ... on KalahView { pockets stores } } } } }";

pub struct Live {
    pub moves: u64,
    pub seconds: f64,
    /// From sending a move until a player's socket received it.
    pub delivered: Times,
    /// From sending a move until every player's socket had received it.
    pub received_by_all: Times,
    /// Memory of the service per socket, with its subscription.
    pub per_socket: f64,
    pub sockets: usize,
}

impl Live {
    pub fn rate(&self) -> f64 {
        self.moves as f64 / self.seconds
    }
}

/// A player's socket received this version at this time.
struct Receipt {
    player: usize,
    version: i64,
    at: Instant,
}

/// A table whose players all have a socket.
struct Followed {
    table: Table,
    address: String,
    streams: Vec<OpenStream>,
    receipts: UnboundedReceiver<Result<Receipt>>,
    /// Subscriptions so far.
    count: usize,
}

/// A player's open stream.
enum OpenStream {
    WebSocket(websocket::Speaker),
    Events(events::Speaker),
}

pub async fn follow(
    club: &mut Club,
    tables: Vec<Table>,
    way: Way,
    pace: Pace,
    warm_up: Duration,
    time: Duration,
) -> Result<Live> {
    club.database.settle().await?;
    let before = club.server.memory();
    let mut followed = Vec::new();
    for table in tables {
        followed.push(Followed::open(&club.server.address, table, way).await?);
    }
    let sockets: usize = followed.iter().map(|followed| followed.streams.len()).sum();
    for followed in &mut followed {
        followed.subscribe().await?;
    }
    let per_socket = club.server.memory().saturating_sub(before) as f64 / sockets.max(1) as f64;
    let count = followed.len();
    let begin = Instant::now() + warm_up;
    let end = begin + time;
    let stop = Arc::new(AtomicBool::new(false));
    let mut playing = JoinSet::new();
    for (n, followed) in followed.into_iter().enumerate() {
        let turns = pace.turns(Instant::now(), n, count);
        playing.spawn(followed.play(turns, begin, end, stop.clone()));
    }
    let (mut delivered, mut received_by_all, mut acknowledged) = (Vec::new(), Vec::new(), 0);
    let mut last = end;
    while let Some(table) = playing.join_next().await {
        let played = table??;
        acknowledged += played.acknowledged;
        delivered.extend(played.delivered);
        received_by_all.extend(played.received_by_all);
        last = last.min(played.until);
    }
    club.acknowledged += acknowledged;
    club.check_log().await?;
    let seconds = last.saturating_duration_since(begin).as_secs_f64().max(0.001);
    Ok(Live {
        moves: received_by_all.len() as u64,
        seconds,
        delivered: Times::of(delivered),
        received_by_all: Times::of(received_by_all),
        per_socket,
        sockets,
    })
}

/// The measurements at one table.
struct AtTable {
    acknowledged: u64,
    delivered: Vec<u32>,
    received_by_all: Vec<u32>,
    until: Instant,
}

impl Followed {
    async fn open(address: &str, table: Table, way: Way) -> Result<Followed> {
        let (sender, receipts) = unbounded_channel();
        let mut streams = Vec::new();
        for (n, player) in table.players.iter().enumerate() {
            let forward = Forward { player: n, sender: sender.clone() };
            match way {
                Way::WebSocket => {
                    let (speaker, mut listener) = websocket::connect(address, &player.token).await?;
                    streams.push(OpenStream::WebSocket(speaker));
                    tokio::spawn(async move { while forward.accept(listener.hear().await) {} });
                }
                Way::Events => {
                    let (speaker, mut listener) = events::connect(address, &player.token).await?;
                    streams.push(OpenStream::Events(speaker));
                    tokio::spawn(async move { while forward.accept(listener.hear().await) {} });
                }
            }
        }
        Ok(Followed { table, address: address.into(), streams, receipts, count: 0 })
    }

    /// Subscribes all players to the next game and waits for its first state. False if there is no game left.
    async fn subscribe(&mut self) -> Result<bool> {
        let Some(game) = self.table.games.last() else { return Ok(false) };
        self.count += 1;
        for stream in &mut self.streams {
            match stream {
                OpenStream::WebSocket(speaker) => {
                    speaker.subscribe(self.count, FOLLOW, json!({ "id": game.id })).await?;
                }
                OpenStream::Events(speaker) => speaker.follow(&game.id).await?,
            }
        }
        self.all_received(0, |_| ()).await?;
        Ok(true)
    }

    /// Waits until every player's socket has received this version, and passes on the time of each.
    async fn all_received(&mut self, version: i64, mut each: impl FnMut(Instant)) -> Result<()> {
        let mut waiting: Vec<bool> = vec![true; self.streams.len()];
        while waiting.contains(&true) {
            let receipt = tokio::time::timeout(Duration::from_secs(20), self.receipts.recv()).await;
            let receipt =
                receipt.map_err(|_| "a move was not received within 20 seconds")?.ok_or("a socket ended")??;
            if receipt.version >= version && waiting[receipt.player] {
                waiting[receipt.player] = false;
                each(receipt.at);
            }
        }
        Ok(())
    }

    /// Plays until `end`. Each move waits until all have received the last one and its turn has come.
    async fn play(mut self, mut turns: Turns, begin: Instant, end: Instant, stop: Arc<AtomicBool>) -> Result<AtTable> {
        let mut at = AtTable { acknowledged: 0, delivered: Vec::new(), received_by_all: Vec::new(), until: end };
        // Opened only now, because the service closes connections that are idle for a few seconds.
        let mut connection = Connection::open(&self.address).await?;
        while let Some(Dealt { id, moves }) = self.table.games.pop() {
            for planned in &moves {
                let sent = turns.next().await;
                if sent >= end || stop.load(Ordering::Relaxed) {
                    at.until = sent;
                    return Ok(at);
                }
                let token = &self.table.players[usize::from(planned.seat)].token;
                let answer = connection.ask(&move_request(None, None, &id, token, &planned.notation)).await?;
                let version = version_in(answer.body).filter(|_| answer.is_good());
                let version = version.ok_or_else(|| String::from_utf8_lossy(answer.body).into_owned())?;
                at.acknowledged += 1;
                let mut times = Vec::new();
                self.all_received(version, |at| times.push(micros(at - sent))).await?;
                if sent >= begin {
                    at.received_by_all.extend(times.iter().max());
                    at.delivered.extend(times);
                }
            }
            if !self.subscribe().await? {
                break;
            }
        }
        // This table has no games left: the measurement ends for all tables.
        stop.store(true, Ordering::Relaxed);
        at.until = Instant::now().min(end);
        Ok(at)
    }
}

/// Forwards the versions that a player's socket receives.
struct Forward {
    player: usize,
    sender: UnboundedSender<Result<Receipt>>,
}

impl Forward {
    /// Forwards a message; false after an error or once nobody receives.
    fn accept(&self, heard: std::io::Result<&[u8]>) -> bool {
        let receipt = match heard {
            Err(error) => Err(error.into()),
            Ok(message) => match version_in(message) {
                Some(version) => Ok(Receipt { player: self.player, version, at: Instant::now() }),
                None if contains(message, b"error") => Err(String::from_utf8_lossy(message).into_owned().into()),
                // A game has ended, or the server sent a ping.
                None => return true,
            },
        };
        let is_end = receipt.is_err();
        self.sender.send(receipt).is_ok() && !is_end
    }
}

/// The first version in a message.
fn version_in(message: &[u8]) -> Option<i64> {
    let name = b"\"version\":";
    let begin = message.windows(name.len()).position(|window| window == name)? + name.len();
    let digits = message[begin..].iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(None, |number, digit| Some(number.unwrap_or(0) * 10 + i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_tells_its_version() {
        assert_eq!(version_in(br#"{"id":"1","type":"next","payload":{"data":{"gameChanged":{"version":17,"#), Some(17));
        assert_eq!(version_in(br#"{"id":"1","type":"complete"}"#), None);
    }
}
