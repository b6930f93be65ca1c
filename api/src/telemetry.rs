//! Logs, request ids and metrics. No state, view, seed or token is ever logged.

use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::Instrument;
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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

/// Gives every request an id, a span and a log line, and records its metrics.
pub async fn observe<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let id = format!("{:032x}", rand::random::<u128>());
    let method = known_method(req.method());
    let span = tracing::info_span!("request", id, method, path = req.path());
    async move {
        let answered = next.call(req).await;
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
            if let Ok(value) = HeaderValue::from_str(&id) {
                response.headers_mut().insert(REQUEST_ID.clone(), value);
            }
            response
        })
    }
    .instrument(span)
    .await
}
