//! Logs, request ids and the metrics of requests. No state, view, seed or token is ever logged.

use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::ResponseError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use futures_util::FutureExt;
use metrics_exporter_prometheus::PrometheusHandle;
use tracing::field::{Field, Visit};
use tracing::{Event, Instrument, Metadata};
use tracing_subscriber::filter::FilterExt;
use tracing_subscriber::layer::{self, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt, registry};

use crate::config::{Config, LogFormat};
use crate::error::Error;
use crate::request::{self, Noted, Rate};
use crate::service::Maidan;
use crate::traces::{self, TRACEPARENT, Traced};

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

pub fn start_logging(config: &Config) {
    let mut filter = EnvFilter::try_new(&config.log).unwrap_or_default();
    if !config.log_requests
        && let Ok(off) = format!("{ACCESS}=off").parse()
    {
        filter = filter.add_directive(off);
    }
    // Colours are for people.
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let logs = registry().with(traces::layer());
    let filter = filter.and(MalformedHttp);
    match config.log_format {
        LogFormat::Pretty => logs.with(lines.with_filter(filter)).init(),
        LogFormat::Json => logs.with(lines.json().flatten_event(true).with_filter(filter)).init(),
    }
    if config.log_format == LogFormat::Json {
        // The default hook would print plain lines.
        std::panic::set_hook(Box::new(log_panic));
    }
    traces::announce();
}

/// A message that is no literal may hold anything, so it is not logged.
fn log_panic(panic: &PanicHookInfo) {
    let message = panic.payload().downcast_ref::<&'static str>().copied();
    let place = panic.location().map(ToString::to_string);
    tracing::error!(message, place, "a panic");
}

/// Keeps the HTTP library from writing a line for each malformed request, and counts them instead.
struct MalformedHttp;

/// Malformed requests since the last line about them.
static MALFORMED: AtomicU64 = AtomicU64::new(0);

impl<S> layer::Filter<S> for MalformedHttp {
    fn enabled(&self, _: &Metadata<'_>, _: &layer::Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &layer::Context<'_, S>) -> bool {
        let mut message = Message(false);
        if event.metadata().target() == "actix_http::h1::dispatcher" {
            event.record(&mut message);
        }
        if message.0 {
            MALFORMED.fetch_add(1, Ordering::Relaxed);
        }
        !message.0
    }
}

/// Whether the message of an event says that a request cannot be read.
struct Message(bool);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0 |= field.name() == "message" && format!("{value:?}").starts_with("stream error");
    }
}

/// Folds histogram samples into their buckets every second, and counts malformed requests. They would otherwise accumulate until a scrape.
pub async fn fold_histograms(recorder: PrometheusHandle) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    loop {
        ticks.tick().await;
        recorder.run_upkeep();
        let malformed = MALFORMED.swap(0, Ordering::Relaxed);
        if malformed > 0 {
            metrics::counter!("maidan_malformed_requests_total").increment(malformed);
            tracing::debug!(malformed, "received requests that are not HTTP");
        }
    }
}

/// The operation of a request as a label: a method and a route, or an operation of GraphQL. Clients may invent methods and
/// paths, and label values are never freed.
fn operation(method: &Method, route: Option<&str>, status: u16, noted: Option<String>) -> String {
    const METHODS: [&str; 5] = ["GET", "POST", "DELETE", "PUT", "PATCH"];
    // HEAD is answered like GET.
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    match (noted, route) {
        (Some(noted), _) => noted,
        (None, Some(route)) if METHODS.contains(&method) && ![404, 405].contains(&status) => {
            format!("{method} {route}")
        }
        // An unknown path or method.
        _ => "other".into(),
    }
}

/// Probes, which would fill the log.
fn is_probe(path: &str) -> bool {
    ["/livez", "/readyz", "/metrics"].contains(&path)
}

/// The longest id that a client may give to its request.
const LONGEST_ID: usize = 128;

/// The client's own id of the request, or a new one. An id is part of log lines and of problem URNs, so it consists of
/// characters that mean nothing there.
fn request_id(headers: &HeaderMap) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/+=".contains(&byte);
    let given = headers.get(&REQUEST_ID).and_then(|value| value.to_str().ok());
    match given.filter(|id| (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(is_plain)) {
        Some(id) => id.into(),
        None => format!("{:032x}", rand::random::<u128>()),
    }
}

/// The target of the line of each request.
const ACCESS: &str = "maidan::access";

/// Gives every request an id, a span and a log line, and records its metrics. The response has the id, a `traceparent`, and
/// the state of the rate limit.
pub async fn observe<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let id = request_id(req.headers());
    let method = req.method().clone();
    let is_probe = is_probe(req.path());
    let Traced { span, traceparent } = match is_probe {
        true => traces::of_probe(&id, req.headers(), req.path()),
        false => traces::of_request(&id, req.headers(), method.as_str(), req.path()),
    };
    let current = span.clone();
    let maidan = req.app_data::<Data<Arc<Maidan>>>().map(|maidan| Arc::clone(maidan));
    async move {
        let answer = async {
            // A panic would close the connection without an answer.
            let answered = AssertUnwindSafe(next.call(req)).catch_unwind().await;
            answered.unwrap_or_else(|_| {
                tracing::error!("a request panicked");
                // A cached position may be the cause.
                if let Some(maidan) = maidan {
                    maidan.games.clear();
                }
                let mut response = Error::Internal.error_response();
                if let Ok(id) = HeaderValue::from_str(&id) {
                    response.headers_mut().insert(REQUEST_ID.clone(), id);
                }
                Err(InternalError::from_response("a request panicked", response).into())
            })
        };
        let (answered, noted) = request::scope(id.clone(), answer).await;
        let Noted { rate, caller, code, operation: noted } = noted;
        let elapsed = started.elapsed();
        let (status, route) = match &answered {
            Ok(response) => (response.status().as_u16(), response.request().match_pattern()),
            Err(error) => (error.as_response_error().status_code().as_u16(), None),
        };
        let code = code.unwrap_or_else(|| if status < 400 { "OK".into() } else { status.to_string() });
        let route = operation(&method, route.as_deref(), status, noted);
        let (ms, caller) = (elapsed.as_secs_f64() * 1000.0, caller.as_deref());
        if is_probe {
            tracing::debug!(target: ACCESS, operation = route, status, code, ms, "answered");
        } else {
            tracing::info!(target: ACCESS, operation = route, status, code, ms, caller, "answered");
        }
        traces::ended(&current, &route, status, &code);
        metrics::counter!("maidan_requests_total", "operation" => route.clone(), "code" => code).increment(1);
        metrics::histogram!("maidan_request_duration_seconds", "operation" => route).record(elapsed);
        answered.map(|mut response| {
            let headers = response.headers_mut();
            for (name, text) in [(&REQUEST_ID, Some(id)), (&TRACEPARENT, traceparent)] {
                if let Some(value) = text.and_then(|text| HeaderValue::from_str(&text).ok()) {
                    headers.insert(name.clone(), value);
                }
            }
            if let Some(Rate { limit, remaining, reset }) = rate {
                headers.insert(RATE_LIMIT.clone(), limit.into());
                headers.insert(RATE_REMAINING.clone(), remaining.into());
                headers.insert(RATE_RESET.clone(), reset.into());
            }
            response
        })
    }
    .instrument(span)
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name.clone(), HeaderValue::from_str(value).expect("a header"));
        headers
    }

    #[test]
    fn a_request_keeps_its_clients_id_if_it_is_plain_and_short() {
        let id = |value: &str| request_id(&headers(&REQUEST_ID, value));
        assert_eq!(id("order-17:retry/2"), "order-17:retry/2");
        for refused in ["", "two words", "a\"b", &"x".repeat(129)] {
            let id = id(refused);
            assert!(id.len() == 32 && id != refused, "{refused}");
        }
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }

    #[test]
    fn invented_methods_and_paths_are_one_operation() {
        let of = |method: &str, route, status| {
            operation(&Method::from_bytes(method.as_bytes()).expect("a token"), route, status, None)
        };
        assert_eq!(of("HEAD", Some("/v1/games"), 200), "GET /v1/games");
        for (method, route, status) in
            [("FROB", Some("/v1/games"), 405), ("GET", None, 404), ("PUT", Some("/livez"), 405)]
        {
            assert_eq!(of(method, route, status), "other");
        }
    }
}
