//! A client that disconnects right after sending a move leaves nobody waiting. Every stored move is announced by its
//! commit, so that the poll that recovers lost hints finds nothing to do.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::MaybeTlsStream;

use crate::support::graphql::GraphqlClient;
use crate::support::rest::RestClient;
use crate::support::service::seats_to_act;
use crate::support::streams::{Socket, Stream, open_socket, receive, send};
use crate::support::{Client, Credentials, Database, Person, Service};

/// How a request is cancelled.
#[derive(Clone, Copy)]
enum Way {
    /// By REST, and the connection is reset.
    HttpReset,
    /// By GraphQL over a WebSocket, and the connection is reset.
    SocketReset,
    /// By GraphQL over a WebSocket, and `complete` is sent for the operation.
    OperationCompleted,
}

macro_rules! cancelled {
    ($($name:ident: $way:ident;)*) => {
        $(
            mod $name {
                use super::{Way, nobody_waits_for_a_stored_move};
                use crate::support::Database::{Postgres, Sqlite};

                #[tokio::test]
                async fn on_sqlite() {
                    nobody_waits_for_a_stored_move(Sqlite, Way::$way).await;
                }

                #[tokio::test]
                async fn on_postgres() {
                    nobody_waits_for_a_stored_move(Postgres, Way::$way).await;
                }
            }
        )*
    };
}

cancelled!(
    a_move_whose_connection_is_reset: HttpReset;
    a_move_whose_websocket_is_reset: SocketReset;
    a_move_whose_operation_is_completed: OperationCompleted;
);

/// The number of moves, each cancelled a little later than the one before.
const MOVES: u32 = 30;
const LATER: Duration = Duration::from_micros(100);

/// The poll may read a version in the moment between its commit and its announcement, and then wakes the followers first.
/// A service that does not announce the moves of cancelled requests leaves about ten of them to the poll.
const EARLY_POLLS: u64 = 2;

async fn nobody_waits_for_a_stored_move(database: Database, way: Way) {
    let service = Service::with(database, false, &[]).await;
    let (id, players) = service.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await;
    let mut followers = followers(&service, &players[1], &id).await;
    let mut stored = 0;
    for n in 0..MOVES {
        let seat = seats_to_act(&service.game(&players[0], &id).await)[0];
        let moves = service.ask(&players[seat], "legalMoves", json!({ "gameId": id, "limit": 1 })).await;
        let notation = moves["items"][0]["notation"].clone();
        let input = json!({ "gameId": id, "notation": notation, "idempotencyKey": format!("move-{n}") });
        way.cancel(&service, &players[seat], &input, LATER * n).await;
        // A retry makes the move if the cancelled request did not.
        let retried = service.ask(&players[seat], "playMove", input).await;
        stored += u32::from(retried["repeated"] == true);
        // The next move waits until this one has arrived; otherwise its announcement would deliver both.
        for follower in &mut followers {
            follower.catch_up(retried["version"].as_i64().expect("a version")).await;
        }
    }
    let woken_by = async |cause: &str| service.server.count(&format!(r#"maidan_wakeups_total{{by="{cause}"}}"#)).await;
    let (commits, polls) = (woken_by("commit").await, woken_by("poll").await);
    assert!(commits > 0, "commits wake followers");
    assert!(polls <= EARLY_POLLS, "{stored} cancelled moves were stored, and {polls} of them found by the poll");
}

async fn followers(service: &Service, who: &Person, id: &str) -> [Follower; 2] {
    let address = &service.server.address;
    let seen = service.game(who, id).await["version"].as_i64().expect("a version");
    let input = json!({ "gameId": id, "after": seen });
    let credentials = Credentials::Token(&who.token);
    let events = RestClient::new(address).follow(credentials, "gameChanged", input.clone()).await;
    let socket = GraphqlClient::new(address).follow(credentials, "gameChanged", input).await;
    [events, socket].map(|stream| Follower { stream, seen })
}

/// A follower that receives every version of a game in order.
struct Follower {
    stream: Stream,
    seen: i64,
}

impl Follower {
    async fn catch_up(&mut self, version: i64) {
        while self.seen < version {
            let change = self.stream.change().await;
            assert_eq!((&change["after"], &change["resync"]), (&json!(self.seen), &json!(false)));
            self.seen = change["version"].as_i64().expect("a version");
        }
        assert_eq!(self.seen, version);
    }
}

impl Way {
    /// Sends a move and cancels the request after this delay.
    async fn cancel(self, service: &Service, who: &Person, input: &Value, after: Duration) {
        let address = &service.server.address;
        match self {
            Way::HttpReset => {
                let mut connection = TcpStream::connect(address.trim_start_matches("http://")).await.expect("a port");
                connection.write_all(post(who, input).as_bytes()).await.expect("it reads");
                pause(after).await;
                reset(&connection);
            }
            Way::SocketReset => {
                let mut socket = open_socket(address, Some(&who.token)).await;
                subscribe(&mut socket, input).await;
                pause(after).await;
                let MaybeTlsStream::Plain(connection) = socket.get_ref() else { panic!("no TLS here") };
                reset(connection);
            }
            Way::OperationCompleted => {
                let mut socket = open_socket(address, Some(&who.token)).await;
                subscribe(&mut socket, input).await;
                pause(after).await;
                send(&mut socket, json!({ "type": "complete", "id": "1" })).await;
                // A response to the next message shows that the server has read this one.
                send(&mut socket, json!({ "type": "ping" })).await;
                while receive(&mut socket).await.expect("it stays open")["type"] != "pong" {}
            }
        }
    }
}

/// The complete HTTP request for a move by REST.
fn post(who: &Person, input: &Value) -> String {
    let text = |name: &str| input[name].as_str().expect("a text");
    let body = json!({ "notation": input["notation"] }).to_string();
    format!(
        "POST /v1/games/{}/moves HTTP/1.1\r\nHost: maidan\r\nAuthorization: Bearer {}\r\nIdempotency-Key: {}\r\n\
        Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        text("gameId"),
        who.token,
        text("idempotencyKey"),
        body.len()
    )
}

/// Plays a move over a WebSocket.
async fn subscribe(socket: &mut Socket, input: &Value) {
    let query = "mutation($input: PlayMoveInput!) { playMove(input: $input) { version } }";
    let payload = json!({ "query": query, "variables": { "input": input } });
    send(socket, json!({ "type": "subscribe", "id": "1", "payload": payload })).await;
}

/// Makes closing the connection send a reset: unread data is lost, and the server notices at once.
fn reset(connection: &TcpStream) {
    connection.set_zero_linger().expect("a connection can be reset");
}

/// Waits with microsecond precision, unlike timers.
async fn pause(time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        tokio::task::yield_now().await;
    }
}
