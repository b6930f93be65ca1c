//! Streams, the same by GraphQL and by REST: a WebSocket or server-sent events.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Response;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::client::Refused;
use super::graphql::to_rest;

/// Much longer than anything takes on the slowest machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// One message of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    Change(Value),
    Refused(Refused),
    /// The end; a socket may give a reason.
    Ended(Option<u16>),
}

pub enum Stream {
    Socket(SocketStream),
    Events(EventStream),
    /// Refused before it began.
    Nothing(Update),
}

impl Stream {
    /// The next update.
    pub async fn next(&mut self) -> Update {
        tokio::time::timeout(DEADLINE, self.receive()).await.expect("a stream sends something in time")
    }

    /// The next update, which must be a change.
    pub async fn change(&mut self) -> Value {
        match self.next().await {
            Update::Change(change) => change,
            other => panic!("expected a change, got {other:?}"),
        }
    }

    /// The next raw message.
    pub async fn raw(&mut self) -> String {
        let raw = async {
            match self {
                Stream::Socket(SocketStream { socket, .. }) => receive_text(socket).await.ok(),
                Stream::Events(events) => events.event().await,
                Stream::Nothing(_) => None,
            }
        };
        let raw = tokio::time::timeout(DEADLINE, raw).await.expect("a stream sends something in time");
        raw.expect("a stream goes on")
    }

    /// The next update, which must be a refusal.
    pub async fn refusal(&mut self) -> Refused {
        match self.next().await {
            Update::Refused(refused) => refused,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    /// Whether no update arrives for a while.
    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(400), self.receive()).await.is_err()
    }

    async fn receive(&mut self) -> Update {
        match self {
            Stream::Socket(socket) => socket.next().await,
            Stream::Events(events) => events.next().await,
            Stream::Nothing(update) => update.clone(),
        }
    }
}

/// Server-sent events.
pub struct EventStream {
    response: Response,
    text: String,
}

impl EventStream {
    pub fn new(response: Response) -> EventStream {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        EventStream { response, text: String::new() }
    }

    async fn next(&mut self) -> Update {
        match self.event().await {
            Some(event) => read_event(&event).expect("it has data"),
            // A clean end and a broken connection are the same to a client.
            None => Update::Ended(None),
        }
    }

    /// The next event that is neither a comment nor a retry hint.
    pub async fn event(&mut self) -> Option<String> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                if read_event(&event).is_some() {
                    return Some(event);
                }
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.text.push_str(std::str::from_utf8(&chunk).expect("events are text")),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Reads an event; `None` for a comment or a retry hint.
fn read_event(event: &str) -> Option<Update> {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = field("data")?;
    let data: Value = serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"));
    match field("event") {
        Some("error") => Some(Update::Refused(Refused::from_problem(&data))),
        name => {
            assert_eq!(name, Some(if data["resync"] == true { "resync" } else { "change" }));
            let cursor = data.get("cursor").unwrap_or(&data["version"]);
            let cursor = cursor.as_str().map_or(cursor.to_string(), String::from);
            assert_eq!(field("id"), Some(cursor.as_str()), "the id is what to go on after");
            Some(Update::Change(data))
        }
    }
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A new socket for graphql-transport-ws.
pub async fn socket(address: &str) -> Socket {
    let url = format!("{}/graphql", address.replacen("http", "ws", 1));
    let mut request = url.into_client_request().expect("an address");
    request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().expect("a header"));
    // Messages leave at once: Nagle's algorithm would hold the second one back until the first is acknowledged.
    connect_async_with_config(request, None, true).await.expect("it takes sockets").0
}

/// A socket after connection_init, with a token or anonymous.
pub async fn open_socket(address: &str, token: Option<&str>) -> Socket {
    let mut socket = socket(address).await;
    let payload = token.map_or(json!({}), |token| json!({ "Authorization": format!("Bearer {token}") }));
    send(&mut socket, json!({ "type": "connection_init", "payload": payload })).await;
    assert_eq!(receive(&mut socket).await, Ok(json!({ "type": "connection_ack" })));
    socket
}

pub async fn send(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("it listens");
}

/// The next message, or the code by which the socket was closed.
pub async fn receive(socket: &mut Socket) -> Result<Value, u16> {
    receive_text(socket).await.map(|text| serde_json::from_str(&text).expect("messages are JSON"))
}

async fn receive_text(socket: &mut Socket) -> Result<String, u16> {
    loop {
        let message = tokio::time::timeout(DEADLINE, socket.next()).await.expect("a socket sends something in time");
        match message {
            Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
            Some(Ok(Message::Close(frame))) => return Err(frame.map_or(1005, |frame| frame.code.into())),
            Some(Ok(_)) => {}
            None | Some(Err(SocketError::ConnectionClosed | SocketError::AlreadyClosed)) => return Err(1006),
            Some(Err(_)) => return Err(1006),
        }
    }
}

/// One subscription on its own socket.
pub struct SocketStream {
    socket: Socket,
    field: String,
    types: Arc<BTreeMap<String, Value>>,
}

impl SocketStream {
    /// Opens a socket with this first message and subscribes.
    pub async fn open(
        address: &str,
        init: Value,
        (field, query, variables): (&str, String, Value),
        types: Arc<BTreeMap<String, Value>>,
    ) -> Stream {
        let mut socket = socket(address).await;
        send(&mut socket, json!({ "type": "connection_init", "payload": init })).await;
        match receive(&mut socket).await {
            Ok(message) => assert_eq!(message, json!({ "type": "connection_ack" })),
            Err(code) => return Stream::Nothing(closed(code)),
        }
        let payload = json!({ "query": query, "variables": variables });
        send(&mut socket, json!({ "type": "subscribe", "id": "1", "payload": payload })).await;
        Stream::Socket(SocketStream { socket, field: field.into(), types })
    }

    async fn next(&mut self) -> Update {
        let mut message = match receive(&mut self.socket).await {
            Ok(message) => message,
            Err(code) => return closed(code),
        };
        match message["type"].as_str() {
            Some("next") => {
                let change = message["payload"]["data"][&self.field].take();
                Update::Change(to_rest(&self.types, change))
            }
            Some("error") => Update::Refused(Refused::from_error(&message["payload"][0])),
            Some("complete") => Update::Ended(None),
            _ => panic!("an unexpected message: {message}"),
        }
    }
}

/// The refusal that REST would send for a close code.
fn closed(code: u16) -> Update {
    let refused = |code: &str| Update::Refused(Refused { code: code.into(), rule: None, token: None, text: "".into() });
    match code {
        4403 => refused("UNAUTHENTICATED"),
        4529 => refused("LIMIT_REACHED"),
        code => Update::Ended(Some(code)),
    }
}
