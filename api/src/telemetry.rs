//! Logs, request ids and metrics. No state, view, seed or token is ever logged.

use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::Instrument;
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};
use crate::request::{self, Rate};

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

pub fn start_logging(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_default();
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Pretty => logs.init(),
        LogFormat::Json => logs.json().flatten_event(true).init(),
    }
}

/// Installs the metrics recorder. The handle renders its metrics.
pub fn start_metrics() -> PrometheusHandle {
    let buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
    let batch_size = Matcher::Full("maidan_store_batch_size".into());
    let recorder = PrometheusBuilder::new()
        .set_buckets(&buckets)
        .and_then(|builder| builder.set_buckets_for_metric(batch_size, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]))
        .expect("there are buckets")
        .build_recorder();
    let handle = recorder.handle();
    // Fails only if the process already has a recorder.
    let _ = metrics::set_global_recorder(recorder);
    metrics::describe_counter!("maidan_requests_total", "Requests by method, route and status.");
    metrics::describe_histogram!("maidan_request_duration_seconds", "Request duration, by method and route.");
    metrics::describe_counter!("maidan_moves_total", "Moves stored, by kind of game.");
    metrics::describe_counter!("maidan_bot_moves_total", "Moves of bots stored, by kind of game and level.");
    metrics::describe_histogram!("maidan_bot_think_seconds", "Time a bot takes to choose a move, by kind of game.");
    metrics::describe_gauge!("maidan_bot_queue", "Games that wait for a bot's move, or whose bot is thinking.");
    metrics::describe_counter!(
        "maidan_bot_queue_overflows_total",
        "Games that found the queue of bots full. They are found again within seconds."
    );
    metrics::describe_gauge!("maidan_streams", "Open streams: WebSockets, event streams, long polls.");
    metrics::describe_counter!("maidan_slow_consumers_total", "WebSockets closed because the client did not read.");
    metrics::describe_counter!("maidan_game_cache_total", "Game cache lookups, by result: hit, stale or miss.");
    metrics::describe_counter!(
        "maidan_positions_total",
        "Positions loaded, by source: decoded from the saved position, or replayed from the log."
    );
    metrics::describe_counter!(
        "maidan_wakeups_total",
        "Notifications to subscribers, by source: a local commit, a hint of another replica, or the poll."
    );
    metrics::describe_histogram!("maidan_store_batch_size", "Changes or lookups per database batch.");
    handle
}

/// Folds histogram samples into their buckets every second. They would otherwise accumulate until a scrape.
pub async fn fold_histograms(recorder: PrometheusHandle) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    loop {
        ticks.tick().await;
        recorder.run_upkeep();
    }
}

/// A method as a label. Clients may invent methods, and label values are never freed.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"];
    known.into_iter().find(|known| method == known).unwrap_or("OTHER")
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

/// The client's `traceparent`, if it is valid (W3C Trace Context): version, trace id, parent id and flags.
fn traceparent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(&TRACEPARENT)?.to_str().ok()?;
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let parts: Vec<&str> = text.split('-').collect();
    let [version, trace, parent, flags] = parts[..] else { return None };
    let is_valid = version == "00" && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    (is_valid && !is_zero(trace) && !is_zero(parent)).then(|| text.into())
}

fn trace_id(traceparent: &str) -> Option<&str> {
    traceparent.split('-').nth(1)
}

/// Gives every request an id, a span and a log line, and records its metrics. The response has the id, the client's
/// `traceparent`, and the state of the rate limit.
pub async fn observe<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let id = request_id(req.headers());
    let trace = traceparent(req.headers());
    let method = known_method(req.method());
    let trace_id = trace.as_deref().and_then(trace_id);
    let span = tracing::info_span!("request", id, trace_id, method, path = req.path());
    async move {
        let (answered, rate) = request::scope(id.clone(), next.call(req)).await;
        let seconds = started.elapsed().as_secs_f64();
        let (status, route) = match &answered {
            Ok(response) => {
                (response.status().as_u16(), response.request().match_pattern().unwrap_or_else(|| "none".into()))
            }
            Err(error) => (error.as_response_error().status_code().as_u16(), "none".into()),
        };
        tracing::debug!(status, seconds, "answered");
        metrics::counter!("maidan_requests_total", "method" => method, "route" => route.clone(), "status" => status.to_string())
            .increment(1);
        metrics::histogram!("maidan_request_duration_seconds", "method" => method, "route" => route).record(seconds);
        answered.map(|mut response| {
            let headers = response.headers_mut();
            for (name, text) in [(&REQUEST_ID, Some(id)), (&TRACEPARENT, trace)] {
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
    fn only_a_valid_traceparent_is_passed_on() {
        let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let passed = |value: &str| traceparent(&headers(&TRACEPARENT, value));
        assert_eq!(passed(valid).as_deref(), Some(valid));
        assert_eq!(trace_id(valid), Some("0af7651916cd43dd8448eb211c80319c"));
        let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        for refused in ["", "00-x-y-01", zero, &valid.to_uppercase(), &format!("{valid}-more"), &valid[1..]] {
            assert_eq!(passed(refused), None, "{refused}");
        }
    }
}
