//! Server-sent events (`text/event-stream`), and the tickets that open a stream.

use std::fmt::Display;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING};
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use utoipa::openapi::{Object, Ref, RefOr, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::Problem;
use super::headers::LastEventId;
use super::path::GamePath;
use super::query::Parameters;
use super::refusals::*;
use crate::auth;
use crate::error::{Error, Result};
use crate::games::{self, Snapshot};
use crate::limits::StreamSlot;
use crate::model::Caller;
use crate::service::Maidan;
use crate::wire::{GameChange, InboxChange, StreamTicket};

/// How often an idle stream sends a comment. Only a write notices that the client is gone and frees its slot.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The delay before a browser reconnects, in milliseconds.
const RETRY: u32 = 1000;

/// Issue a ticket that opens one stream
///
/// A browser's EventSource cannot send a token. It sends a ticket instead: `?ticket=…`. A ticket works once, within 30
/// seconds, at any replica. WebSockets accept tickets too.
#[utoipa::path(
    operation_id = "createStreamTicket",
    tag = "streams",
    responses((status = 201, description = "The ticket. It is shown only this once.", body = StreamTicket))
)]
#[post("/v1/me/stream-tickets")]
pub async fn create_stream_ticket(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<HttpResponse> {
    let issued = auth::issue_ticket(&maidan, &caller).await?;
    Ok(HttpResponse::Created().json(StreamTicket::from(issued)))
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

/// Stream the changes of a game, without gaps
///
/// The first event has the current game or, with `after`, all entries since that version. Event ids are versions. A
/// `change` event carries a GameChange. A `resync` event carries a GameChange without entries, because you were too far
/// behind. An `error` event carries a Problem and is the last one. The stream ends when the game is over; a
/// reconnecting browser then gets 204 and stops.
#[utoipa::path(
    operation_id = "gameChanged",
    tag = "streams",
    params(GamePath, StreamParameters, LastEventId),
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
    Parameters(parameters): Parameters<StreamParameters>,
) -> Result<HttpResponse> {
    let caller = auth::subscriber_of(&maidan, &req, parameters.ticket.as_deref()).await?;
    let id = path.game()?;
    let after = seen(&req, parameters.after)?;
    let after =
        after.map(|id| id.parse().map_err(|_| Error::InvalidInput("after must be a version, 0 or more.".into())));
    let after: Option<i32> = after.transpose()?;
    let slot = maidan.stream_slots.take(&caller)?;
    let Some(changes) = games::follow(&maidan, &caller, id, after).await? else {
        return Ok(HttpResponse::NoContent().finish());
    };
    let events = changes.map(|change| {
        let change = change?;
        change.game.prepare()?;
        let change = GameChange::from(change);
        let name = if change.resync { "resync" } else { "change" };
        Ok(Event::new(&change.version, name, &change))
    });
    Ok(open(&maidan, slot, events))
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
    let caller = auth::subscriber_of(&maidan, &req, parameters.ticket.as_deref()).await?;
    let slot = maidan.stream_slots.take(&caller)?;
    let changes = games::follow_inbox(&maidan, &caller, seen(&req, parameters.after)?).await?;
    let events = changes.map(|change| {
        let change = change?;
        change.opened.iter().try_for_each(Snapshot::prepare)?;
        let change = InboxChange::from(change);
        let name = if change.resync { "resync" } else { "change" };
        Ok(Event::new(&change.cursor, name, &change))
    });
    Ok(open(&maidan, slot, events))
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
    events: Events,
    heartbeat: Interval,
    closing: watch::Receiver<bool>,
    _slot: StreamSlot,
}

fn open(maidan: &Maidan, slot: StreamSlot, events: impl Stream<Item = Result<Event>> + 'static) -> HttpResponse {
    let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stream = OpenStream { events: Box::pin(events), heartbeat, closing: maidan.closing.subscribe(), _slot: slot };
    let chunks = stream::unfold(Some(stream), |stream| async move {
        let mut stream = stream?;
        let OpenStream { events, heartbeat, closing, .. } = &mut stream;
        let (chunk, goes_on) = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return None,
            event = events.next() => match event {
                None => return None,
                Some(Ok(event)) => (event.0, true),
                Some(Err(error)) => (Event::last("error", &Problem::from(&error)).0, false),
            },
            _ = heartbeat.tick() => (": still here\n\n".to_string(), true),
        };
        Some((Ok::<_, Error>(Bytes::from(chunk)), goes_on.then_some(stream)))
    });
    let hello = stream::once(async { Ok(Bytes::from(format!("retry: {RETRY}\n\n"))) });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((CACHE_CONTROL, "no-store"))
        // Compression or buffering would delay an event until the next one.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(hello.chain(chunks))
}
