//! W3C trace context, and, in a build with the feature `otlp`, spans for an OpenTelemetry collector. The variables
//! `OTEL_…` of the OpenTelemetry specification say where spans go.

use actix_web::http::header::{HeaderMap, HeaderName};
use tracing::Span;
#[cfg(not(feature = "otlp"))]
pub use without_exporter::*;

#[cfg(feature = "otlp")]
pub use self::exporter::*;

pub static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The variables that name a collector.
const COLLECTORS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

fn names_a_collector() -> bool {
    COLLECTORS.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// The client's `traceparent`, if it is valid: version, trace id, parent id and flags.
pub fn traceparent(headers: &HeaderMap) -> Option<String> {
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

/// The span of a request, and the `traceparent` of its response: that of this server if it exports spans, otherwise that of
/// the client.
pub struct Traced {
    pub span: Span,
    pub traceparent: Option<String>,
}

/// Probes come often, and nobody looks for them: they are not exported.
pub fn of_probe(id: &str, headers: &HeaderMap, path: &str) -> Traced {
    Traced { span: tracing::debug_span!("request", id, path), traceparent: traceparent(headers) }
}

#[cfg(not(feature = "otlp"))]
mod without_exporter {
    use tracing::Span;
    use tracing_subscriber::layer::Identity;

    use super::{HeaderMap, Traced, names_a_collector, traceparent};

    pub fn layer() -> Option<Identity> {
        None
    }

    /// Says that no spans are exported, if the operator expects it.
    pub fn announce() {
        if names_a_collector() {
            tracing::warn!(
                "this build exports no spans: build it with the feature otlp, or unset OTEL_EXPORTER_OTLP_ENDPOINT"
            );
        }
    }

    pub fn of_request(id: &str, headers: &HeaderMap, method: &str, path: &str) -> Traced {
        let traceparent = traceparent(headers);
        let trace_id = traceparent.as_deref().and_then(|text| text.split('-').nth(1));
        let span = tracing::info_span!("request", id, trace_id, method, path);
        Traced { span, traceparent }
    }

    pub fn ended(_: &Span, _: &str, _: u16, _: &str) {}

    pub async fn stop() {}
}

#[cfg(feature = "otlp")]
mod exporter {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    use std::time::Duration;

    use opentelemetry::KeyValue;
    use opentelemetry::propagation::TextMapPropagator;
    use opentelemetry::trace::{TraceContextExt, TracerProvider};
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::propagation::TraceContextPropagator;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing::field::Empty;
    use tracing::level_filters::LevelFilter;
    use tracing::{Level, Metadata, Span};
    use tracing_opentelemetry::OpenTelemetrySpanExt;
    use tracing_subscriber::filter::FilterExt;
    use tracing_subscriber::filter::{Targets, filter_fn};
    use tracing_subscriber::layer::{Filter, Layer};
    use tracing_subscriber::registry::Registry;

    use super::{HeaderMap, Traced, names_a_collector, traceparent};
    use crate::version::VERSION;

    /// The longest wait for the last spans when the server stops.
    const PATIENCE: Duration = Duration::from_secs(5);

    static PROVIDER: OnceLock<Result<SdkTracerProvider, String>> = OnceLock::new();

    /// The exporter, if a collector is named. Made on a thread of its own: its client blocks.
    fn provider() -> Option<&'static SdkTracerProvider> {
        if !names_a_collector() {
            return None;
        }
        let made = PROVIDER.get_or_init(|| {
            let made = std::thread::spawn(|| SpanExporter::builder().with_http().build()).join();
            let exporter = made.map_err(|_| "its thread panicked".to_string())?.map_err(|error| error.to_string())?;
            let mut resource = Resource::builder().with_attribute(KeyValue::new("service.version", VERSION));
            if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
                resource = resource.with_service_name("maidan");
            }
            Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build())
        });
        made.as_ref().ok()
    }

    /// Exports the spans of requests, whatever the level of the log.
    pub fn layer() -> Option<impl Layer<Registry>> {
        let tracer = provider()?.tracer("maidan");
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Some(layer.with_filter(of_requests()))
    }

    fn of_requests() -> impl Filter<Registry> {
        let ours = Targets::new().with_target("maidan", Level::INFO).with_default(LevelFilter::OFF);
        ours.and(filter_fn(is_span))
    }

    fn is_span(metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
    }

    pub fn announce() {
        if let Some(Err(error)) = PROVIDER.get() {
            tracing::warn!(error, "no spans are exported");
        }
    }

    pub fn of_request(id: &str, headers: &HeaderMap, method: &str, path: &str) -> Traced {
        let span = tracing::info_span!("request", id, trace_id = Empty, method, path, otel.kind = "server");
        let given = traceparent(headers);
        if let Some(traceparent) = &given {
            let mut carrier = HashMap::from([("traceparent".to_string(), traceparent.clone())]);
            if let Some(state) = headers.get("tracestate").and_then(|state| state.to_str().ok()) {
                carrier.insert("tracestate".into(), state.into());
            }
            // Fails only if nothing is exported.
            let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
        }
        let context = span.context();
        let own = context.span().span_context().clone();
        let traceparent = match own.is_valid() {
            true => {
                let flags = own.trace_flags().to_u8();
                Some(format!("00-{}-{}-{flags:02x}", own.trace_id(), own.span_id()))
            }
            false => given,
        };
        if let Some(trace) = traceparent.as_deref().and_then(|text| text.split('-').nth(1)) {
            span.record("trace_id", trace);
        }
        Traced { span, traceparent }
    }

    /// Describes the span by what became of the request.
    pub fn ended(span: &Span, operation: &str, status: u16, code: &str) {
        // A recorded field would name only a span that has not begun.
        span.context().span().update_name(operation.to_string());
        span.set_attribute("http.response.status_code", i64::from(status));
        span.set_attribute("maidan.code", code.to_string());
        if status >= 500 {
            span.set_status(opentelemetry::trace::Status::error(code.to_string()));
        }
    }

    /// Sends the last spans.
    pub async fn stop() {
        if let Some(Ok(provider)) = PROVIDER.get() {
            let stopped = tokio::task::spawn_blocking(|| provider.shutdown_with_timeout(PATIENCE)).await;
            if !matches!(stopped, Ok(Ok(()))) {
                tracing::warn!("the last spans were not exported");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn only_a_valid_traceparent_is_passed_on() {
        let headers = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(TRACEPARENT.clone(), HeaderValue::from_str(value).expect("a header"));
            headers
        };
        let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let passed = |value: &str| traceparent(&headers(value));
        assert_eq!(passed(valid).as_deref(), Some(valid));
        assert_eq!(of_request("1", &headers(valid), "GET", "/").traceparent.as_deref(), Some(valid));
        let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        for refused in ["", "00-x-y-01", zero, &valid.to_uppercase(), &format!("{valid}-more"), &valid[1..]] {
            assert_eq!(passed(refused), None, "{refused}");
        }
    }
}
