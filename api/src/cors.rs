//! Calls from web pages of other origins (CORS), and the headers on which responses depend (Vary).

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, HOST,
    HeaderValue, ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
/// The request headers that clients may send.
const REQUEST_HEADERS: &str = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, \
    Maidan-Act-As, traceparent, tracestate, X-Request-Id";
/// The response headers that scripts may read.
const RESPONSE_HEADERS: &str = "Allow, ETag, Idempotency-Replayed, Link, Location, RateLimit-Limit, \
    RateLimit-Remaining, RateLimit-Reset, Retry-After, traceparent, WWW-Authenticate, X-Request-Id";
/// How long a browser may remember the answer to a preflight request, in seconds.
const MAX_AGE: &str = "3600";

/// The origins that may call.
pub struct Origins(Vec<String>);

impl Origins {
    pub fn new(origins: &[String]) -> Origins {
        Origins(origins.to_vec())
    }

    fn are_any(&self) -> bool {
        self.0.iter().any(|origin| origin == "*")
    }

    /// The Access-Control-Allow-Origin header for this origin; `None` if it may not call.
    fn allow(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        match self.are_any() {
            true => Some(HeaderValue::from_static("*")),
            false => self.0.iter().any(|known| known.as_bytes() == origin.as_bytes()).then(|| origin.clone()),
        }
    }

    /// Whether a page may open a WebSocket: one of this server, or of an origin that may call. Browsers send no preflight
    /// request for it.
    pub fn may_connect(&self, req: &HttpRequest) -> bool {
        let Some(origin) = req.headers().get(ORIGIN) else { return true };
        let of_server = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
        let host = req.headers().get(HOST).and_then(|host| host.to_str().ok());
        (of_server.is_some() && of_server == host) || self.allow(origin).is_some()
    }

    /// The headers on which the response at a path depends. Everything may be compressed.
    fn vary(&self, path: &str) -> String {
        let mut vary = match path {
            "/graphql" => "Accept, Accept-Encoding, Authorization, Maidan-Act-As".to_string(),
            path if path.starts_with("/v1/") => "Accept-Encoding, Authorization, Maidan-Act-As".to_string(),
            _ => "Accept-Encoding".to_string(),
        };
        if !self.0.is_empty() && !self.are_any() {
            vary.push_str(", Origin");
        }
        vary
    }
}

/// Answers preflight requests, and adds the headers of CORS and Vary to every response. A preflight request of an
/// origin that may not call is answered like any OPTIONS request: without these headers, the browser makes no call.
pub async fn apply<B: MessageBody + 'static>(
    origins: Data<Origins>,
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    let allowed = req.headers().get(ORIGIN).and_then(|origin| origins.allow(origin));
    let is_preflight = req.method() == Method::OPTIONS && req.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut vary = origins.vary(req.path());
    let mut response = match allowed.is_some() && is_preflight {
        true => req.into_response(preflight()).map_into_right_body(),
        false => next.call(req).await?.map_into_left_body(),
    };
    let depends_on_caller = vary.contains("Authorization");
    if is_preflight {
        vary.push_str(", Access-Control-Request-Method, Access-Control-Request-Headers");
    }
    let headers = response.headers_mut();
    let is_public = |value: &HeaderValue| value.as_bytes().starts_with(b"public");
    // Public documents set their own `Cache-Control`. An answer without one, such as a health check, is not kept.
    match headers.get(CACHE_CONTROL).is_some_and(is_public) {
        true => vary = vary.replace(", Authorization, Maidan-Act-As", ""),
        false if depends_on_caller => {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        }
        false if !headers.contains_key(CACHE_CONTROL) => {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        false => {}
    }
    if let Ok(vary) = HeaderValue::from_str(&vary) {
        headers.insert(VARY, vary);
    }
    if let Some(origin) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(RESPONSE_HEADERS));
    }
    Ok(response)
}

fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, METHODS))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}
