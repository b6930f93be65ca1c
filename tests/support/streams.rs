//! Streams, the same by both doors: a WebSocket by GraphQL's, events by REST's.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Response;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::client::Refused;
use super::graphql::as_rest_says;

/// Much longer than anything takes, on the slowest machine: who waits this long waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a stream says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Change(Value),
    Refused(Refused),
    /// It is over; a socket may say why.
    Ended(Option<u16>),
}

pub enum Stream {
    Socket(SocketStream),
    Events(EventStream),
    /// It was refused before it began, or there was nothing to begin with.
    Nothing(Said),
}

impl Stream {
    /// What it says next, sooner or later.
    pub async fn next(&mut self) -> Said {
        tokio::time::timeout(PATIENCE, self.heard()).await.expect("a stream says something")
    }

    /// The next change, which must come.
    pub async fn change(&mut self) -> Value {
        match self.next().await {
            Said::Change(change) => change,
            other => panic!("no change but {other:?}"),
        }
    }

    /// What it says next, to the letter.
    pub async fn letter(&mut self) -> String {
        let letter = async {
            match self {
                Stream::Socket(SocketStream { socket, .. }) => hear_text(socket).await.ok(),
                Stream::Events(events) => events.event().await,
                Stream::Nothing(_) => None,
            }
        };
        let letter = tokio::time::timeout(PATIENCE, letter).await.expect("a stream says something");
        letter.expect("a stream goes on")
    }

    /// The refusal with which it must end.
    pub async fn refusal(&mut self) -> Refused {
        match self.next().await {
            Said::Refused(refused) => refused,
            other => panic!("no refusal but {other:?}"),
        }
    }

    /// Says nothing for a while.
    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(400), self.heard()).await.is_err()
    }

    async fn heard(&mut self) -> Said {
        match self {
            Stream::Socket(socket) => socket.next().await,
            Stream::Events(events) => events.next().await,
            Stream::Nothing(said) => said.clone(),
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

    async fn next(&mut self) -> Said {
        match self.event().await {
            Some(event) => read_event(&event).expect("it has data"),
            // Ended well, or broken off: to somebody who listens it is the same.
            None => Said::Ended(None),
        }
    }

    /// The next event that is more than a remark or a hint to the browser.
    async fn event(&mut self) -> Option<String> {
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

/// What an event says; `None` for a remark or a hint to the browser.
fn read_event(event: &str) -> Option<Said> {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = field("data")?;
    let data: Value = serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"));
    match field("event") {
        Some("error") => Some(Said::Refused(Refused::told_by(&data))),
        name => {
            assert_eq!(name, Some(if data["resync"] == true { "resync" } else { "change" }));
            let cursor = data.get("cursor").unwrap_or(&data["version"]);
            let cursor = cursor.as_str().map_or(cursor.to_string(), String::from);
            assert_eq!(field("id"), Some(cursor.as_str()), "the id is what to go on after");
            Some(Said::Change(data))
        }
    }
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A socket for graphql-transport-ws on which nothing has been said.
pub async fn socket(address: &str) -> Socket {
    let url = format!("{}/graphql", address.replacen("http", "ws", 1));
    let mut request = url.into_client_request().expect("an address");
    request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().expect("a header"));
    connect_async(request).await.expect("it takes sockets").0
}

pub async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("it listens");
}

/// The next message, or the code by which the socket was closed.
pub async fn hear(socket: &mut Socket) -> Result<Value, u16> {
    hear_text(socket).await.map(|text| serde_json::from_str(&text).expect("messages are JSON"))
}

async fn hear_text(socket: &mut Socket) -> Result<String, u16> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("a socket says something");
        match message {
            Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
            Some(Ok(Message::Close(frame))) => return Err(frame.map_or(1005, |frame| frame.code.into())),
            Some(Ok(_)) => {}
            None | Some(Err(SocketError::ConnectionClosed | SocketError::AlreadyClosed)) => return Err(1006),
            Some(Err(_)) => return Err(1006),
        }
    }
}

/// One subscription on a socket of its own.
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
        say(&mut socket, json!({ "type": "connection_init", "payload": init })).await;
        match hear(&mut socket).await {
            Ok(message) => assert_eq!(message, json!({ "type": "connection_ack" })),
            Err(code) => return Stream::Nothing(closed(code)),
        }
        let payload = json!({ "query": query, "variables": variables });
        say(&mut socket, json!({ "type": "subscribe", "id": "1", "payload": payload })).await;
        Stream::Socket(SocketStream { socket, field: field.into(), types })
    }

    async fn next(&mut self) -> Said {
        let mut message = match hear(&mut self.socket).await {
            Ok(message) => message,
            Err(code) => return closed(code),
        };
        match message["type"].as_str() {
            Some("next") => {
                let change = message["payload"]["data"][&self.field].take();
                Said::Change(as_rest_says(&self.types, change))
            }
            Some("error") => Said::Refused(Refused::told_in(&message["payload"][0])),
            Some("complete") => Said::Ended(None),
            _ => panic!("an unexpected message: {message}"),
        }
    }
}

/// What a close code means where REST would send a refusal.
fn closed(code: u16) -> Said {
    let refused = |code: &str| Said::Refused(Refused { code: code.into(), rule: None, token: None, text: "".into() });
    match code {
        4403 => refused("UNAUTHENTICATED"),
        4529 => refused("LIMIT_REACHED"),
        code => Said::Ended(Some(code)),
    }
}
