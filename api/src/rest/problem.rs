//! Refusals as problem+json (RFC 9457).

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Code, Error, Fault};
use crate::request;

/// The refusal of a request, with its reason.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URN for the code.
    pub r#type: String,
    /// The HTTP status as a phrase.
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The reason, as a sentence for people.
    pub detail: String,
    /// This occurrence: `urn:maidan:request:`, followed by the request's X-Request-Id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The error code, for programs. The same as GraphQL's `extensions.code`.
    pub code: Code,
    /// For a refused move, or refused options of a new game, the id of the rule that it breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// For a refused move, the index of the token in the notation that breaks the rule, from 0, if a single token does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<usize>,
    /// The number of seconds to wait before a retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The values of the body or of the query string that cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<InvalidValue>,
}

/// A value of a request that cannot be read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvalidValue {
    /// A JSON pointer (RFC 6901) to the value in the body, such as `/options/kalah/pockets`; for a parameter of the
    /// query string, `/` and its name. Empty for the whole body.
    pub pointer: String,
    /// The fault of the value, such as `must be a whole number`.
    pub detail: String,
}

impl Problem {
    /// The refusal of the request with this id.
    pub fn of(error: &Error, request: Option<&str>) -> Problem {
        let illegal = error.illegal();
        Problem {
            r#type: format!("urn:maidan:{}", error.code()),
            title: error.status().canonical_reason().unwrap_or_default().into(),
            status: error.status().as_u16(),
            detail: error.to_string(),
            instance: request.map(|id| format!("urn:maidan:request:{id}")),
            code: error.code(),
            rule: illegal.map(|illegal| illegal.rule.0),
            token: illegal.and_then(|illegal| illegal.token),
            retry_after: error.retry_after(),
            errors: error.fault().into_iter().map(InvalidValue::from).collect(),
        }
    }
}

impl From<&Fault> for InvalidValue {
    fn from(Fault { pointer, detail }: &Fault) -> InvalidValue {
        InvalidValue { pointer: pointer.clone(), detail: detail.clone() }
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        self.status()
    }

    fn error_response(&self) -> HttpResponse {
        request::refused(self.code().to_string());
        let mut response = HttpResponse::build(self.status()).json(Problem::of(self, request::id().as_deref()));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        self.add_headers(headers);
        response
    }
}
