//! Reads a request's body, up to the size limit.

use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::web::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

use crate::error::{Error, Result};

/// The whole body, if it is no larger than `most` bytes.
pub async fn read(
    mut payload: impl Stream<Item = std::result::Result<Bytes, PayloadError>> + Unpin,
    most: usize,
) -> Result<BytesMut> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
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
