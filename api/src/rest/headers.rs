//! Headers: those that operations read, and those of their answers.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;
use utoipa::openapi::{HeaderBuilder, Object, Ref, RefOr, Type};

use crate::error::{Error, Result};

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again. The answer then has `"repeated": true` and the header Idempotency-Replayed.
    #[param(rename = "Idempotency-Key", value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    header: Option<HeaderValue>,
}

impl IdempotencyKey {
    pub fn read(&self) -> Result<Option<String>> {
        text("Idempotency-Key", self.header.as_ref())
    }
}

/// Never fails: [`IdempotencyKey::read`] refuses a malformed key, so that an invalid token is refused first.
impl FromRequest for IdempotencyKey {
    type Error = Infallible;
    type Future = Ready<std::result::Result<IdempotencyKey, Infallible>>;

    fn from_request(req: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Ok(IdempotencyKey { header: req.headers().get("Idempotency-Key").cloned() }))
    }
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct LastEventId {
    /// The id of the last event that you have seen. It takes precedence over `after`.
    #[param(rename = "Last-Event-ID")]
    pub id: Option<String>,
}

impl LastEventId {
    pub fn of(req: &HttpRequest) -> Result<LastEventId> {
        Ok(LastEventId { id: text("Last-Event-ID", req.headers().get("Last-Event-ID"))? })
    }
}

fn text(name: &str, header: Option<&HeaderValue>) -> Result<Option<String>> {
    let text = header.map(|header| header.to_str().map(String::from)).transpose();
    text.map_err(|_| Error::InvalidInput(format!("{name} cannot be read.")))
}

/// The headers of answers, by name, as the OpenAPI document describes them.
const OF_ANSWERS: [(&str, Type, &str); 7] = [
    ("Link", Type::String, "The address of the next page, with `rel=\"next\"`; absent on the last page."),
    ("RateLimit-Limit", Type::Integer, "How many requests you may send at once; absent without a limit."),
    ("RateLimit-Remaining", Type::Integer, "How many of them are left."),
    ("RateLimit-Reset", Type::Integer, "The number of seconds until all of them are available again."),
    ("Retry-After", Type::Integer, "The number of seconds to wait before a retry."),
    ("WWW-Authenticate", Type::String, "`Bearer`: send a token."),
    ("X-Request-Id", Type::String, "The id of the request in the server's log: yours, if you sent one."),
];

pub fn all() -> impl Iterator<Item = (String, RefOr<utoipa::openapi::Header>)> {
    OF_ANSWERS.into_iter().map(|(name, of, description)| {
        let header = HeaderBuilder::new().schema(Some(Object::with_type(of))).description(Some(description));
        (name.to_string(), header.build().into())
    })
}

/// The headers of every answer.
pub const ALWAYS: [&str; 4] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"];
pub const OF_PAGES: &str = "Link";

/// The other headers of refusals with this status.
pub fn of_refusal(status: u16) -> Option<&'static str> {
    match status {
        401 => Some("WWW-Authenticate"),
        429 | 503 => Some("Retry-After"),
        _ => None,
    }
}

pub fn named(name: &str) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}
