//! GraphQL over WebSocket: the protocol graphql-transport-ws.
//!
//! The library's own implementation has no timeout for the first message, accepts duplicate ids and closes with other
//! codes than the protocol's, so the protocol is implemented here. One task serves a socket: it polls operations only
//! while the socket accepts messages, so nothing accumulates for a client that does not read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, ProtocolError, Session};
use async_graphql::{Response, ServerError, Value as GraphqlValue};
use futures_util::stream::{AbortHandle, Abortable, SelectAll};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

use super::Graphql;
use super::http::{from_parameters, has_request_errors, refused, with_codes};
use crate::audit;
use crate::auth::{self, Credentials, Lease, RENEWAL, TokenWatch};
use crate::cors::Origins;
use crate::error::Error;
use crate::limits::StreamSlot;
use crate::model::Caller;
use crate::service::Maidan;

const PROTOCOL: &str = "graphql-transport-ws";

/// The reason phrase of the handshake, and behind it the header with the protocol. Header names leave the HTTP server in
/// lower case, but Python's gql looks for this one in the case of RFC 6455.
const SWITCHING: &str = "Switching Protocols\r\nSec-WebSocket-Protocol: graphql-transport-ws";

/// The stream that a ticket opens here: a socket, whatever it carries.
const STREAM: &str = "graphql";

/// Timeout for connection_init.
const INIT: Duration = Duration::from_secs(10);
/// The interval of pings, and the silence after which a client counts as gone.
const HEARTBEAT: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(45);
/// Timeout for the close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest id of an operation.
const LONGEST_ID: usize = 128;

/// Why a socket is closed: a close code and a reason.
type End = (u16, Cow<'static, str>);

const BAD_MESSAGE: End = (4400, Cow::Borrowed("Not a message of graphql-transport-ws"));
const BEFORE_INIT: End = (4401, Cow::Borrowed("Unauthorized"));
const WRONG_TOKEN: End = (4403, Cow::Borrowed("Forbidden"));
const TAKEN_OVER: End = (4403, Cow::Borrowed("The ticket has opened another socket"));
const WRONG_PROTOCOL: End = (4406, Cow::Borrowed("Subprotocol not acceptable"));
const NO_INIT: End = (4408, Cow::Borrowed("Connection initialisation timeout"));
const SECOND_INIT: End = (4429, Cow::Borrowed("Too many initialisation requests"));
const TOO_SLOW: End = (4503, Cow::Borrowed("Too slow: resume after the last version that you have seen"));
const TOO_MANY_SOCKETS: End = (4529, Cow::Borrowed("Too many streams"));
const GOING_AWAY: End = (1001, Cow::Borrowed("Going away"));
const TOO_LARGE: End = (1009, Cow::Borrowed("Too large"));
const UNAVAILABLE: End = (1013, Cow::Borrowed("Try again later"));
/// The client is gone: no close frame is sent.
const GONE: End = (0, Cow::Borrowed(""));

/// A message from the client.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum FromClient {
    ConnectionInit { payload: Option<Map<String, Value>> },
    Ping { payload: Option<Map<String, Value>> },
    Pong,
    Subscribe { id: String, payload: Map<String, Value> },
    Complete { id: String },
}

/// A message to the client.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToClient {
    ConnectionAck,
    Pong {
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<Map<String, Value>>,
    },
    Next {
        id: String,
        payload: Response,
    },
    Error {
        id: String,
        payload: Vec<ServerError>,
    },
    Complete {
        id: String,
    },
}

/// Upgrades a request to a WebSocket.
pub async fn open(
    req: HttpRequest,
    payload: Payload,
    maidan: Data<Arc<Maidan>>,
    graphql: Data<Graphql>,
) -> actix_web::Result<HttpResponse> {
    maidan.check_open()?;
    if !req.app_data::<Data<Origins>>().is_some_and(|origins| origins.may_connect(&req)) {
        let error = Error::Forbidden("Pages of this origin may not connect: it is not in MAIDAN_CORS_ORIGINS.");
        return Err(error.into());
    }
    let offered = req.headers().get_all("Sec-WebSocket-Protocol").filter_map(|header| header.to_str().ok());
    let is_known = offered.flat_map(|list| list.split(',')).any(|protocol| protocol.trim() == PROTOCOL);
    // Credentials in connection_init override those of the handshake.
    let handshake = HandshakeCredentials::of(&req);
    let (mut response, session, messages) = actix_ws::handle(&req, payload)?;
    if is_known {
        response.head_mut().reason = Some(SWITCHING);
    }
    let most = maidan.limits.max_body;
    let address = auth::address_of(&maidan, &req);
    let pending = maidan.stream_slots.take_pending(address).ok();
    let may_open = pending.is_some();
    let socket = Socket {
        address,
        pending,
        session,
        messages: messages.max_frame_size(most).aggregate_continuations().max_continuation_size(most),
        maidan: Arc::clone(&maidan),
        graphql,
        handshake,
        opened: None,
        operations: SelectAll::new(),
        handles: HashMap::new(),
    };
    actix_web::rt::spawn(async move {
        match (is_known, may_open) {
            (true, true) => socket.serve().await,
            (true, false) => socket.close(TOO_MANY_SOCKETS).await,
            (false, _) => socket.close(WRONG_PROTOCOL).await,
        }
    });
    Ok(response)
}

/// The credentials of the request that opened the socket.
#[derive(Default)]
struct HandshakeCredentials {
    authorization: Option<String>,
    act_as: Option<String>,
    ticket: Option<String>,
}

impl HandshakeCredentials {
    fn of(req: &HttpRequest) -> HandshakeCredentials {
        let header = |name: &str| req.headers().get(name).and_then(|value| value.to_str().ok()).map(String::from);
        let parameters: Vec<(String, String)> = serde_urlencoded::from_str(req.query_string()).unwrap_or_default();
        HandshakeCredentials {
            authorization: header("Authorization"),
            act_as: header("Maidan-Act-As"),
            ticket: parameters.into_iter().find(|(name, _)| name == "ticket").map(|(_, ticket)| ticket),
        }
    }
}

/// A socket after connection_init.
struct Opened {
    caller: Caller,
    token: TokenWatch,
    /// If a ticket opened the socket.
    lease: Option<Lease>,
    _slot: StreamSlot,
}

struct Socket {
    maidan: Arc<Maidan>,
    graphql: Data<Graphql>,
    address: IpAddr,
    /// Counts the socket until its caller is known.
    pending: Option<StreamSlot>,
    session: Session,
    messages: AggregatedMessageStream,
    handshake: HandshakeCredentials,
    opened: Option<Opened>,
    operations: SelectAll<Pin<Box<dyn Stream<Item = ToClient>>>>,
    handles: HashMap<String, AbortHandle>,
}

impl Socket {
    async fn serve(mut self) {
        let end = match self.run().await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        self.close(end).await;
    }

    async fn close(self, (code, reason): End) {
        // Operations end first. The slot is held until the close frame is written, so that a client that does not read
        // cannot open sockets without limit.
        drop((self.operations, self.handles));
        if code == TOO_SLOW.0 {
            metrics::counter!("maidan_slow_consumers_total").increment(1);
        }
        if code != GONE.0 {
            let reason = CloseReason { code: CloseCode::from(code), description: Some(reason.into()) };
            let _ = timeout(CLOSE_TIMEOUT, self.session.close(Some(reason))).await;
        }
    }

    async fn run(&mut self) -> Result<std::convert::Infallible, End> {
        let init_by = Instant::now() + INIT;
        let mut closing = self.maidan.closing.subscribe();
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut renewal = interval_at(Instant::now() + RENEWAL, RENEWAL);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_received = Instant::now();
        loop {
            let is_open = self.opened.is_some();
            let token_ended = async {
                match &mut self.opened {
                    Some(opened) => opened.token.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                message = self.messages.recv() => {
                    last_received = Instant::now();
                    self.receive(message).await?;
                }
                Some(message) = self.operations.next(), if !self.operations.is_empty() => self.send(message).await?,
                _ = token_ended => return Err(WRONG_TOKEN),
                _ = closing.wait_for(|closing| *closing) => return Err(GOING_AWAY),
                () = sleep_until(init_by), if !is_open => return Err(NO_INIT),
                _ = renewal.tick(), if is_open => {
                    let lease = self.opened.as_ref().and_then(|opened| opened.lease.as_ref());
                    if let Some(lease) = lease && !lease.renew(&self.maidan).await {
                        return Err(TAKEN_OVER);
                    }
                }
                _ = heartbeat.tick() => {
                    if last_received.elapsed() > SILENCE {
                        return Err(GONE);
                    }
                    let write_timeout = self.write_timeout();
                    match timeout(write_timeout, self.session.ping(b"")).await {
                        Ok(Ok(())) => {}
                        Ok(Err(_)) => return Err(GONE),
                        Err(_) => return Err(TOO_SLOW),
                    }
                }
            }
        }
    }

    async fn receive(&mut self, message: Option<Result<AggregatedMessage, ProtocolError>>) -> Result<(), End> {
        let text = match message {
            Some(Ok(AggregatedMessage::Text(text))) => text,
            Some(Ok(AggregatedMessage::Ping(payload))) => {
                return self.session.pong(&payload).await.map_err(|_| GONE);
            }
            Some(Ok(AggregatedMessage::Pong(_))) => return Ok(()),
            Some(Ok(AggregatedMessage::Binary(_))) => return Err(BAD_MESSAGE),
            Some(Err(ProtocolError::Overflow)) => return Err(TOO_LARGE),
            // A close frame is answered with the same code.
            Some(Ok(AggregatedMessage::Close(reason))) => {
                let code = reason.map_or(CloseCode::Normal, |reason| reason.code);
                return Err((code.into(), "".into()));
            }
            Some(Err(_)) | None => return Err(GONE),
        };
        match serde_json::from_str(&text).map_err(|_| BAD_MESSAGE)? {
            FromClient::ConnectionInit { payload } => self.init(payload.unwrap_or_default()).await,
            FromClient::Ping { payload } => self.send(ToClient::Pong { payload }).await,
            FromClient::Pong => Ok(()),
            FromClient::Subscribe { id, payload } => self.subscribe(id, payload).await,
            FromClient::Complete { id } => {
                if let Some(handle) = self.handles.remove(&id) {
                    handle.abort();
                }
                Ok(())
            }
        }
    }

    async fn init(&mut self, payload: Map<String, Value>) -> Result<(), End> {
        if self.opened.is_some() {
            return Err(SECOND_INIT);
        }
        let field = |name: &str| {
            payload.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).and_then(|(_, value)| value.as_str())
        };
        let handshake = std::mem::take(&mut self.handshake);
        let identified = match field("ticket").or(handshake.ticket.as_deref()) {
            Some(ticket) => {
                let redeemed = auth::redeem(&self.maidan, ticket, STREAM, self.address).await;
                redeemed.map(|(caller, lease)| (caller, Some(lease)))
            }
            None => {
                let credentials = Credentials {
                    authorization: field("Authorization").or(handshake.authorization.as_deref()),
                    act_as: field("Maidan-Act-As").or(handshake.act_as.as_deref()),
                };
                auth::identify(&self.maidan, credentials, self.address).await.map(|caller| (caller, None))
            }
        };
        let (caller, lease) = identified.map_err(|error| match error {
            Error::Busy(_) | Error::Unavailable => UNAVAILABLE,
            _ => WRONG_TOKEN,
        })?;
        self.pending = None;
        let slot = self.maidan.stream_slots.take(&caller).map_err(|error| match error {
            Error::Busy(_) => GOING_AWAY,
            _ => TOO_MANY_SOCKETS,
        })?;
        self.opened = Some(Opened { token: TokenWatch::over(&self.maidan, &caller), caller, lease, _slot: slot });
        self.send(ToClient::ConnectionAck).await
    }

    async fn subscribe(&mut self, id: String, payload: Map<String, Value>) -> Result<(), End> {
        let Some(Opened { caller, .. }) = &self.opened else { return Err(BEFORE_INIT) };
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(BAD_MESSAGE);
        }
        if self.handles.contains_key(&id) {
            return Err((4409, format!("Subscriber for {id:.80} already exists").into()));
        }
        let most = self.maidan.limits.max_operations;
        if self.handles.len() >= most {
            audit::limit_reached("operations", &audit::actor(caller));
            let error = Error::LimitReached(format!("This socket has {most} operations open; that is the limit."));
            return self.send(failed(id, refused(&error))).await;
        }
        // Each operation is identified like a request.
        let caller = match auth::renew(&self.maidan, &caller.clone()).await {
            Ok(caller) => caller,
            Err(error @ (Error::Unavailable | Error::Busy(_))) => return self.send(failed(id, refused(&error))).await,
            Err(_) => return Err(WRONG_TOKEN),
        };
        let request = match from_parameters(payload) {
            Err(error) => return self.send(failed(id, refused(&error))).await,
            Ok(request) => request.0,
        };
        let (graphql, maidan) = (self.graphql.clone(), Arc::clone(&self.maidan));
        let responses = stream::once(async move { graphql.respond_all(&maidan, request, caller).await }).flatten();
        let (handle, registration) = AbortHandle::new_pair();
        self.handles.insert(id.clone(), handle);
        let own = id.clone();
        let answers = responses.map(move |(response, is_subscription)| {
            let is_empty = response.data == GraphqlValue::Null;
            // Request errors, and errors that end a subscription, are `error` messages; all others are part of a
            // result.
            match has_request_errors(&response) || (is_subscription && is_empty && response.is_err()) {
                true => failed(own.clone(), response),
                false => ToClient::Next { id: own.clone(), payload: with_codes(response) },
            }
        });
        let own = id.clone();
        let answers = AssertUnwindSafe(answers)
            .catch_unwind()
            .map(move |answer| answer.unwrap_or_else(|_| failed(own.clone(), refused(&Error::Internal))));
        let answers = answers.chain(stream::once(async move { ToClient::Complete { id } }));
        self.operations.push(Box::pin(Abortable::new(answers, registration)));
        Ok(())
    }

    async fn send(&mut self, message: ToClient) -> Result<(), End> {
        match &message {
            ToClient::Complete { id } => drop(self.handles.remove(id)),
            ToClient::Error { id, .. } => {
                if let Some(handle) = self.handles.remove(id) {
                    handle.abort();
                }
            }
            _ => {}
        }
        let text = serde_json::to_string(&message).map_err(|_| UNAVAILABLE)?;
        match timeout(self.write_timeout(), self.session.text(text)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(GONE),
            Err(_) => Err(TOO_SLOW),
        }
    }

    fn write_timeout(&self) -> Duration {
        Duration::from_secs(self.maidan.limits.write_timeout_seconds)
    }
}

/// The message that ends an operation with an error.
fn failed(id: String, response: Response) -> ToClient {
    ToClient::Error { id, payload: with_codes(response).errors }
}
