//! Executes requests, over HTTP and over WebSockets: reads the document, charges its cost, then runs it.
//!
//! Documents that are long or expensive run on threads of their own, so that the web workers, which also answer health
//! checks, are never busy with one.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::parser::types::OperationType;
use async_graphql::{Request, Response};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, Stream, StreamExt};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinError;
use tokio::time::timeout;
use tracing::Instrument;

use super::Graphql;
use super::cost::Cost as DocumentCost;
use super::document::Operation;
use super::http::refused;
use crate::error::{Error, Result};
use crate::games;
use crate::limits::{Cost, UNITS_PER_REQUEST};
use crate::model::Caller;
use crate::request;
use crate::service::Maidan;

/// The longest document that a web worker parses and validates itself, in bytes.
const LONGEST_LIGHT: usize = 2_000;
/// The highest cost that a web worker executes itself.
const MOST_LIGHT: usize = 2_000;

/// The requests that a refused document counts as, and how many bytes of it count as another.
const REQUESTS_PER_REFUSAL: usize = 5;
const BYTES_PER_REQUEST: usize = 2_000;

/// The most heavy documents that are executed or wait for it.
const MOST_HEAVY: usize = 1_000;

/// The threads for heavy documents.
pub struct HeavyThreads {
    /// `None` while it is dropped.
    runtime: Option<Runtime>,
    waiting: Arc<Semaphore>,
}

impl HeavyThreads {
    pub fn start() -> std::io::Result<HeavyThreads> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.thread_name("graphql").enable_all().build()?;
        Ok(HeavyThreads { runtime: Some(runtime), waiting: Arc::new(Semaphore::new(MOST_HEAVY)) })
    }

    /// Does the work, including a wait for a thread, within its time.
    async fn run<T: Send + 'static>(
        &self,
        budget: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        let busy = || Error::Busy("Too many expensive documents are being executed. Try again.");
        let permit = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| busy())?;
        let runtime = self.runtime.as_ref().ok_or_else(busy)?;
        // Charges reach the request through its task, so the work runs in the request's scope.
        let id = request::id().unwrap_or_default();
        let work = async move {
            let _permit = permit;
            request::scope(id, work).await
        };
        let mut working = runtime.spawn(work.instrument(tracing::Span::current()));
        let done = timeout(budget, &mut working).await.map_err(|_| {
            working.abort();
            Error::TimedOut
        });
        let (answer, noted) = done?.map_err(panicked_or_ended)?;
        noted.rate.into_iter().for_each(request::charged);
        Ok(answer)
    }

    /// Computes the responses of a subscription on these threads, at most one before it is asked for.
    fn stream(&self, mut responses: BoxStream<'static, Response>) -> impl Stream<Item = Response> + use<> {
        let (sender, mut receiver) = mpsc::channel(1);
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                while let Ok(permit) = sender.reserve().await {
                    let next = AssertUnwindSafe(responses.next()).catch_unwind();
                    let next = tokio::select! {
                        next = next => next,
                        () = sender.closed() => return,
                    };
                    match next {
                        Ok(Some(response)) => permit.send(response),
                        Ok(None) => return,
                        Err(_) => return permit.send(refused(&Error::Internal)),
                    }
                }
            });
        }
        stream::poll_fn(move |cx| receiver.poll_recv(cx))
    }
}

/// A panic goes on in the task of the request, which knows what to do about it.
fn panicked_or_ended(error: JoinError) -> Error {
    if error.is_panic() {
        std::panic::resume_unwind(error.into_panic());
    }
    Error::Internal
}

impl Drop for HeavyThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The responses of an operation, each with whether it belongs to a subscription.
pub type Responses = Pin<Box<dyn Stream<Item = (Response, bool)>>>;

impl Graphql {
    /// Executes a request by HTTP. By GET, only queries are executed.
    pub async fn respond(
        &self,
        maidan: &Arc<Maidan>,
        request: Request,
        caller: Caller,
        is_get: bool,
    ) -> Result<Response> {
        let (request, operation) = match self.read(maidan, request, &caller).await? {
            Ok(read) => read,
            Err(response) => return Ok(*response),
        };
        if let Some(name) = operation.and_then(|operation| operation.name(&self.types)) {
            request::executes(name);
        }
        match operation.map(|operation| operation.ty) {
            Some(OperationType::Subscription) => {
                return Err(Error::InvalidInput(
                    "Subscriptions need a WebSocket at this address, with the protocol graphql-transport-ws.".into(),
                ));
            }
            Some(OperationType::Mutation) if is_get => return Err(Error::MethodNotAllowed("POST".into())),
            _ => {}
        }
        self.execute(maidan, request, operation, caller).await
    }

    /// Executes a request of a WebSocket.
    pub async fn respond_all(&self, maidan: &Arc<Maidan>, request: Request, caller: Caller) -> Responses {
        let one = |response| -> Responses { Box::pin(stream::once(async move { (response, false) })) };
        let (request, operation) = match self.read(maidan, request, &caller).await {
            Ok(Ok(read)) => read,
            Ok(Err(response)) => return one(*response),
            Err(error) => return one(refused(&error)),
        };
        if let Some(Operation { ty: OperationType::Subscription, cost, .. }) = operation {
            let is_heavy = is_heavy(&request, cost);
            let caller = match charge(maidan, caller, cost) {
                Ok(caller) => caller,
                Err(error) => return one(refused(&error)),
            };
            let responses = self.schema.execute_stream(request.data(caller.clone()));
            let responses = games::paced(Arc::clone(maidan), caller, cost.units, responses);
            return match is_heavy {
                true => Box::pin(self.heavy.stream(responses.boxed()).map(|response| (response, true))),
                false => Box::pin(responses.map(|response| (response, true))),
            };
        }
        one(self.execute(maidan, request, operation, caller).await.unwrap_or_else(|error| refused(&error)))
    }

    /// Reads a document. The inner error is the response to a document that is not executed.
    async fn read(
        &self,
        maidan: &Arc<Maidan>,
        mut request: Request,
        caller: &Caller,
    ) -> Result<std::result::Result<(Request, Option<Operation>), Box<Response>>> {
        let (documents, types) = (Arc::clone(&self.documents), Arc::clone(&self.types));
        let budget = Duration::from_secs(maidan.limits.query_seconds);
        let (maidan, caller, length) = (Arc::clone(maidan), caller.clone(), request.query.len());
        let read = move || -> Result<std::result::Result<_, Box<Response>>> {
            // Just before the work, since many documents may have waited for it together.
            maidan.rates.check_may_read(&caller)?;
            Ok(match documents.read(&mut request, &types, &maidan.limits) {
                Ok(operation) => Ok((request, operation)),
                Err(error) => {
                    let requests = REQUESTS_PER_REFUSAL + length / BYTES_PER_REQUEST;
                    maidan.rates.charge_refused_document(&caller, requests);
                    Err(Box::new(Response::from_errors(vec![error])))
                }
            })
        };
        match length > LONGEST_LIGHT {
            true => self.heavy.run(budget, async move { read() }).await?,
            false => read(),
        }
    }

    /// Charges the cost of a query or mutation and executes it, for a limited time.
    async fn execute(
        &self,
        maidan: &Maidan,
        request: Request,
        operation: Option<Operation>,
        caller: Caller,
    ) -> Result<Response> {
        let cost = operation.map(|operation| operation.cost).unwrap_or_default();
        let is_heavy = is_heavy(&request, cost);
        let request = request.data(charge(maidan, caller, cost)?);
        let waits = if cost.waits { maidan.limits.max_wait_seconds.into() } else { 0 };
        let budget = Duration::from_secs(maidan.limits.query_seconds + waits);
        let schema = self.schema.clone();
        let execution = async move { timeout(budget, schema.execute(request)).await };
        let executed = if is_heavy { self.heavy.run(budget, execution).await? } else { execution.await };
        executed.map_err(|_| Error::TimedOut)
    }
}

/// Whether a web worker should leave a document to others.
fn is_heavy(request: &Request, cost: DocumentCost) -> bool {
    request.query.len() > LONGEST_LIGHT || cost.units > MOST_LIGHT
}

/// Charges a document before it is executed. Moves, and the registrations of guests, have limits of their own.
fn charge(maidan: &Maidan, caller: Caller, cost: DocumentCost) -> Result<Caller> {
    metrics::counter!("maidan_graphql_cost_total").increment(u64::try_from(cost.units).unwrap_or(u64::MAX));
    let by_units = cost.units.div_ceil(UNITS_PER_REQUEST);
    let registrations = if caller.is_app() { 0 } else { cost.registrations };
    let requests = cost.calls - cost.moves - registrations;
    if cost.moves > 0 {
        let is_all = cost.moves == cost.calls;
        maidan.rates.charge_several(&caller, Cost::Move, if is_all { cost.moves.max(by_units) } else { cost.moves })?;
    }
    let is_charged = cost.moves + registrations > 0;
    if requests > 0 || !is_charged {
        maidan.rates.charge_several(&caller, Cost::Request, requests.max(by_units))?;
    }
    Ok(Caller { prepaid: true, ..caller })
}
