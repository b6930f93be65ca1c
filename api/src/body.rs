//! Reads a request's body, up to the size limit and in time.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::web::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout_at};

use crate::error::{Error, Result};
use crate::limits::Limits;

/// How long a body may take to begin. From then on it must arrive at the least rate.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes per second.
const LEAST_RATE: u32 = 1_000;

/// The whole body, if it is within the size limit and arrives in time.
pub async fn read(
    mut payload: impl Stream<Item = std::result::Result<Bytes, PayloadError>> + Unpin,
    limits: &Limits,
) -> Result<BytesMut> {
    let (started, most) = (Instant::now(), limits.max_body);
    let deadline = started + Duration::from_secs(limits.body_seconds);
    let mut body = BytesMut::new();
    loop {
        let received = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let is_due = started + PATIENCE + Duration::from_secs(1) * received / LEAST_RATE;
        let chunk = timeout_at(is_due.min(deadline), payload.next()).await.map_err(|_| Error::BodyTimeout)?;
        let Some(chunk) = chunk else { break };
        let chunk = chunk.map_err(|_| Error::InvalidInput("The body is incomplete.".into()))?;
        if body.len() + chunk.len() > most {
            return Err(Error::TooLarge(format!("The body is larger than {most} bytes.")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Whether the content type is JSON in UTF-8. Browsers send forms and plain text across origins without a preflight.
pub fn is_json(req: &HttpRequest) -> bool {
    is_json_type(req.headers().get(CONTENT_TYPE))
}

fn is_json_type(header: Option<&HeaderValue>) -> bool {
    let Some(text) = header.and_then(|header| header.to_str().ok()) else { return false };
    let text = text.to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    parts.next() == Some("application/json")
        && parts
            .filter_map(|parameter| parameter.strip_prefix("charset="))
            .all(|charset| charset.trim_matches('"') == "utf-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_in_utf_8_is_json() {
        let json = |text| is_json_type(Some(&HeaderValue::from_static(text)));
        assert!(json("application/json") && json("Application/JSON; charset=UTF-8"));
        assert!(
            !json("text/plain")
                && !json("application/x-www-form-urlencoded")
                && !json("application/json; charset=latin1")
        );
        assert!(!is_json_type(None));
    }
}
