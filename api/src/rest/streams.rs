//! Streams of events, as browsers read them (`text/event-stream`), and tickets to open them with.

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
use utoipa::IntoParams;

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
/// The reconnection time of a browser, in milliseconds.
const RETRY: u32 = 1000;

/// Make a ticket that opens one stream
///
/// A browser's EventSource can send no token. It sends this instead, once, within half a minute, to any replica:
/// `?ticket=…`. A WebSocket takes it too.
#[utoipa::path(
    operation_id = "createStreamTicket",
    tag = "streams",
    responses((status = 201, description = "The ticket. It is shown this once.", body = StreamTicket), Unauthenticated)
)]
#[post("/v1/me/stream-tickets")]
pub async fn create_stream_ticket(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<HttpResponse> {
    let issued = auth::issue_ticket(&maidan, &caller).await?;
    Ok(HttpResponse::Created().json(StreamTicket::from(issued)))
}

/// Where a stream begins.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamParameters {
    /// What you have seen: the id of the last event. A browser that comes back sends it as Last-Event-ID.
    after: Option<String>,
    /// A ticket, if you cannot send a token.
    ticket: Option<String>,
}

/// Follow a game, without gaps
///
/// Begins with the game as it stands, or with every entry after the version that you have seen. Ids are versions. An
/// event `change` has a GameChange; `resync` has one without entries, because you were too far behind; `error` has a
/// Problem, and is the last. When the game has come to its end the stream does, too, and 204 tells a browser not to
/// come back.
#[utoipa::path(
    operation_id = "gameChanged",
    tag = "streams",
    params(GamePath, StreamParameters, LastEventId),
    responses(
        (status = 200, description = "The stream.", body = GameChange, content_type = "text/event-stream"),
        (status = 204, description = "The game is over, and you have seen its end."),
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
        Ok(Event::new(change.version.to_string(), name, &change))
    });
    Ok(open(&maidan, slot, events))
}

/// Follow your inbox
///
/// Begins with all that waits for you, if anything does and you have not seen it. An event `change` or `resync` has an
/// InboxChange; its id is the cursor. `error` has a Problem, and is the last.
#[utoipa::path(
    operation_id = "inboxChanged",
    tag = "streams",
    params(StreamParameters, LastEventId),
    responses(
        (status = 200, description = "The stream.", body = InboxChange, content_type = "text/event-stream"),
        InvalidInput, Unauthenticated, TooManyStreams
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
        Ok(Event::new(change.cursor.clone(), name, &change))
    });
    Ok(open(&maidan, slot, events))
}

/// What the client says it has seen. A browser that comes back knows better than the address it first called.
fn seen(req: &HttpRequest, after: Option<String>) -> Result<Option<String>> {
    match LastEventId::of(req)?.id {
        None => Ok(after),
        Some(id) => Ok(Some(id).filter(|id| !id.is_empty())),
    }
}

/// One event, as text.
struct Event(String);

impl Event {
    fn new(id: String, name: &str, content: &impl Serialize) -> Event {
        Event(format!("id: {id}\n{}", Event::last(name, content).0))
    }

    /// An event that nobody goes on after.
    fn last(name: &str, content: &impl Serialize) -> Event {
        // JSON has no line breaks of its own, which would end the event.
        let content = serde_json::to_string(content).unwrap_or_default();
        Event(format!("event: {name}\ndata: {content}\n\n"))
    }
}

type Events = Pin<Box<dyn Stream<Item = Result<Event>>>>;

/// An open stream. It is polled for more only when the client has taken what it was sent.
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
        // Compressed or gathered, an event would wait for the next one.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(hello.chain(chunks))
}
