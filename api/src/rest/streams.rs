//! Server-sent events (`text/event-stream`), and the tickets that open a stream.

use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING};
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use utoipa::openapi::{Object, Ref, RefOr, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::Problem;
use super::headers::{IdempotencyKey, LastEventId};
use super::path::GamePath;
use super::query::Parameters;
use super::refusals::*;
use super::show;
use crate::auth::{self, Lease, RENEWAL};
use crate::error::{Error, Result};
use crate::games::{self, Snapshot, Style};
use crate::limits::StreamSlot;
use crate::model::Caller;
use crate::request;
use crate::service::Maidan;
use crate::wire::{GameChange, InboxChange, IssuedStreamTicket, Theme};

const EVENT_STREAM: &str = "text/event-stream";

/// How often an idle stream sends a comment. Only a write notices that the client is gone and frees its slot.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// What an event costs, in units: about as much as a subscription of GraphQL to the same fields.
const EVENT: usize = 300;
const PICTURE: usize = 500;

/// The delay before a browser reconnects, in milliseconds.
const RETRY: u32 = 1000;

/// Issue a ticket that opens one stream
///
/// A browser's EventSource cannot send a token. It sends a ticket instead: `?ticket=…`. A ticket opens one stream, within
/// 30 seconds, at any replica. It may open that same stream again until two minutes after the stream was last open, as
/// an EventSource does when its connection breaks. WebSockets accept tickets too.
#[utoipa::path(
    operation_id = "createStreamTicket",
    tag = "streams",
    params(IdempotencyKey),
    responses(
        (status = 201, description = "The ticket. It is shown only this once.", body = IssuedStreamTicket),
        KeyReused
    )
)]
#[post("/v1/me/stream-tickets")]
pub async fn create_stream_ticket(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    key: IdempotencyKey,
) -> Result<HttpResponse> {
    let issued = auth::issue_ticket(&maidan, &caller, key.read()?.as_deref()).await?;
    let repeated = issued.repeated;
    Ok(show::answer(HttpResponse::Created(), repeated, &IssuedStreamTicket { object: issued.into(), repeated }))
}

/// The cursor and the ticket of a stream.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamParameters {
    /// The id of the last event that you have seen. Browsers send it as Last-Event-ID when they reconnect.
    after: Option<String>,
    /// A ticket, if the client cannot send a token.
    ticket: Option<String>,
}

/// The cursor and the ticket of a game's stream, and whether it has pictures.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameStreamParameters {
    /// The id of the last event that you have seen. Browsers send it as Last-Event-ID when they reconnect.
    after: Option<String>,
    /// A ticket, if the client cannot send a token.
    ticket: Option<String>,
    /// Adds the picture of the game to each event, in these colours.
    picture: Option<Theme>,
    /// The width of the pictures in pixels, 240 to 4096. Default: 960.
    #[param(minimum = 240, maximum = 4096)]
    width: Option<i32>,
}

/// Stream the changes of a game, without gaps
///
/// The first event has the current game or, with `after`, all entries since that version. Event ids are cursors. A
/// `change` event carries a GameChange. A `resync` event carries a GameChange without entries, because you were too far
/// behind or the server's database was set back. An `error` event carries a Problem and is the last one. The stream ends when the game is over; a
/// reconnecting browser then gets 204 and stops.
#[utoipa::path(
    operation_id = "gameChanged",
    tag = "streams",
    params(GamePath, GameStreamParameters, LastEventId),
    responses(
        (status = 200, description = "The stream.", body = GameEvents, content_type = "text/event-stream"),
        (status = 204, description = "The game is over, and you have seen its last version."),
        InvalidInput, NoSuchGame, TooManyStreams
    )
)]
#[get("/v1/games/{id}/events")]
pub async fn game_changed(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<GameStreamParameters>,
) -> Result<HttpResponse> {
    or_try_again(&req, follow_game(&maidan, &req, &path, parameters).await)
}

async fn follow_game(
    maidan: &Arc<Maidan>,
    req: &HttpRequest,
    path: &GamePath,
    parameters: GameStreamParameters,
) -> Result<HttpResponse> {
    let id = path.game()?;
    let style = Style::new(parameters.picture.map(Into::into), parameters.width)?;
    let style = parameters.picture.is_some().then_some(style);
    let ticket = parameters.ticket.as_deref();
    let (caller, lease) = auth::subscriber_of(maidan, req, ticket, &id.to_string()).await?;
    let after = seen(req, parameters.after)?;
    let after = after.map(|cursor| cursor.parse()).transpose()?;
    let slot = maidan.stream_slots.take(&caller)?;
    let Some(changes) = games::follow(maidan, &caller, id, after).await? else {
        return Ok(HttpResponse::NoContent().finish());
    };
    let units = EVENT + if style.is_some() { PICTURE } else { 0 };
    let changes = games::paced(Arc::clone(maidan), caller.clone(), units, Box::pin(changes));
    let drawer = (Arc::clone(maidan), caller);
    let events = changes.then(move |change| {
        let (maidan, caller) = drawer.clone();
        async move {
            let change = change?;
            change.game.prepare()?;
            let table = &change.game.table;
            let picture = match style {
                Some(style) if table.position()?.is_some() => {
                    Some(games::now(&maidan, &caller, table, None).await?.picture(style))
                }
                _ => None,
            };
            let change = games::GameChange { game: change.game.brief(), ..change };
            let change = GameChange { picture, ..GameChange::from(change) };
            let name = if change.resync { "resync" } else { "change" };
            Ok(Event::new(&change.cursor, name, &change))
        }
    });
    Ok(open(maidan, slot, lease, events))
}

/// Stream the changes of your inbox
///
/// The first event has all games that wait for you, if there are any that you have not seen. `change` and `resync`
/// events carry an InboxChange; the event id is its cursor. An `error` event carries a Problem and is the last one.
#[utoipa::path(
    operation_id = "inboxChanged",
    tag = "streams",
    params(StreamParameters, LastEventId),
    responses(
        (status = 200, description = "The stream.", body = InboxEvents, content_type = "text/event-stream"),
        InvalidInput, TooManyStreams
    )
)]
#[get("/v1/me/events")]
pub async fn inbox_changed(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    Parameters(parameters): Parameters<StreamParameters>,
) -> Result<HttpResponse> {
    or_try_again(&req, follow_inbox(&maidan, &req, parameters).await)
}

async fn follow_inbox(maidan: &Arc<Maidan>, req: &HttpRequest, parameters: StreamParameters) -> Result<HttpResponse> {
    let (caller, lease) = auth::subscriber_of(maidan, req, parameters.ticket.as_deref(), "inbox").await?;
    let slot = maidan.stream_slots.take(&caller)?;
    let changes = games::follow_inbox(maidan, &caller, seen(req, parameters.after)?).await?;
    let changes = games::paced(Arc::clone(maidan), caller, EVENT, Box::pin(changes));
    let events = changes.map(|change| {
        let change = change?;
        change.opened.iter().try_for_each(Snapshot::prepare)?;
        let opened = change.opened.into_iter().map(Snapshot::brief).collect();
        let change = InboxChange::from(games::InboxChange { opened, ..change });
        let name = if change.resync { "resync" } else { "change" };
        Ok(Event::new(&change.cursor, name, &change))
    });
    Ok(open(maidan, slot, lease, events))
}

/// A browser's EventSource gives up at any status but 200. Instead of a refusal that will pass, it gets a stream that
/// ends at once, and comes back.
fn or_try_again(req: &HttpRequest, opened: Result<HttpResponse>) -> Result<HttpResponse> {
    let headers = req.headers();
    let is_event_source = headers.get(ACCEPT).is_some_and(|accepted| accepted == EVENT_STREAM);
    match opened {
        Err(error @ (Error::Busy(_) | Error::Unavailable | Error::RateLimited(_)))
            if is_event_source && !headers.contains_key(AUTHORIZATION) =>
        {
            let retry = error.retry_after().unwrap_or(1) * 1000;
            let mut response = HttpResponse::Ok();
            Ok(response
                .content_type(EVENT_STREAM)
                .insert_header((CACHE_CONTROL, "no-store"))
                .body(format!("retry: {retry}\n\n")))
        }
        opened => opened,
    }
}

/// The cursor that the client sent. Last-Event-ID wins: a reconnecting browser repeats the original address, with its
/// old `after`.
fn seen(req: &HttpRequest, after: Option<String>) -> Result<Option<String>> {
    match LastEventId::of(req)?.id {
        None => Ok(after),
        Some(id) => Ok(Some(id).filter(|id| !id.is_empty())),
    }
}

/// The schema of a stream: text whose events have JSON of one type as data.
macro_rules! stream_schemas {
    ($($Events:ident: $Change:ident, $about:literal,)*) => {
        $(
            #[doc = $about]
            struct $Events;

            impl PartialSchema for $Events {
                fn schema() -> RefOr<Schema> {
                    let mut text = Object::with_type(Type::String);
                    text.description = Some($about.into());
                    text.content_media_type = "text/event-stream".into();
                    text.content_schema = Some(Box::new(Ref::from_schema_name($Change::name()).into()));
                    text.into()
                }
            }

            impl ToSchema for $Events {
                fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                    schemas.push(($Change::name().into(), $Change::schema()));
                    $Change::schemas(schemas);
                }
            }
        )*
    };
}

stream_schemas! {
    GameEvents: GameChange, "Server-sent events. The data of `change` and `resync` is a GameChange in JSON, that of `error` a Problem.",
    InboxEvents: InboxChange, "Server-sent events. The data of `change` and `resync` is an InboxChange in JSON, that of `error` a Problem.",
}

/// A server-sent event, as text.
struct Event(String);

impl Event {
    fn new(id: &impl Display, name: &str, content: &impl Serialize) -> Event {
        Event(format!("id: {id}\n{}", Event::last(name, content).0))
    }

    /// An event without an id: clients do not resume after it.
    fn last(name: &str, content: &impl Serialize) -> Event {
        // Compact JSON has no line breaks, which would end the event.
        let content = serde_json::to_string(content).unwrap_or_default();
        Event(format!("event: {name}\ndata: {content}\n\n"))
    }
}

type Events = Pin<Box<dyn Stream<Item = Result<Event>>>>;

/// An open stream. It is polled only when the client has taken the previous chunk.
struct OpenStream {
    maidan: Arc<Maidan>,
    events: Events,
    heartbeat: Interval,
    closing: watch::Receiver<bool>,
    /// If a ticket opened the stream.
    lease: Option<Lease>,
    renewal: Interval,
    /// The request that opened the stream, for its last event.
    request: Option<String>,
    _slot: StreamSlot,
}

fn open(
    maidan: &Arc<Maidan>,
    slot: StreamSlot,
    lease: Option<Lease>,
    events: impl Stream<Item = Result<Event>> + 'static,
) -> HttpResponse {
    let every = |pace: Duration| {
        let mut ticks = interval_at(Instant::now() + pace, pace);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    };
    let stream = OpenStream {
        maidan: Arc::clone(maidan),
        // A panic would close the connection without a last event.
        events: AssertUnwindSafe(events)
            .catch_unwind()
            .map(|event| event.unwrap_or(Err(Error::Internal)))
            .boxed_local(),
        heartbeat: every(HEARTBEAT),
        closing: maidan.closing.subscribe(),
        lease,
        renewal: every(RENEWAL),
        request: request::id(),
        _slot: slot,
    };
    let chunks = stream::unfold(Some(stream), |stream| async move {
        let mut stream = stream?;
        let (chunk, goes_on) = stream.next().await?;
        Some((Ok::<_, Error>(Bytes::from(chunk)), goes_on.then_some(stream)))
    });
    let hello = stream::once(async { Ok(Bytes::from(format!("retry: {RETRY}\n\n"))) });
    HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .insert_header((CACHE_CONTROL, "no-store"))
        // Compression or buffering would delay an event until the next one.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(hello.chain(chunks))
}

impl OpenStream {
    /// The next text to send, and whether the stream goes on after it. `None` at the end.
    async fn next(&mut self) -> Option<(String, bool)> {
        loop {
            tokio::select! {
                biased;
                _ = self.closing.wait_for(|closing| *closing) => return None,
                event = self.events.next() => return match event? {
                    Ok(event) => Some((event.0, true)),
                    Err(error) => {
                        let problem = Problem::of(&error, self.request.as_deref());
                        Some((Event::last("error", &problem).0, false))
                    }
                },
                _ = self.heartbeat.tick() => return Some((": still here\n\n".to_string(), true)),
                _ = self.renewal.tick(), if self.lease.is_some() => {
                    let is_held = match &self.lease {
                        Some(lease) => lease.renew(&self.maidan).await,
                        None => true,
                    };
                    if !is_held {
                        return None;
                    }
                }
            }
        }
    }
}
