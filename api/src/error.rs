//! Every way in which a request can fail, with its error code and HTTP status.

use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use async_graphql::ErrorExtensions;
use domain::{Illegal, Refusal, Unreadable};
use serde::Serialize;
use utoipa::ToSchema;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request is malformed, or a value is out of range.
    #[error("{0}")]
    InvalidInput(String),
    /// 400: the rules refuse the options of a new game.
    #[error("{}", .0.text)]
    RefusedOptions(Illegal),
    /// 400: a value of the body or the query string is missing, unknown or of the wrong type.
    #[error("{0}")]
    Unreadable(Fault),
    /// 400: GraphQL only. Clients recognise the code, or exactly this text, and send the query itself.
    #[error("PersistedQueryNotSupported")]
    PersistedQueryNotSupported,
    /// 401: the token is missing, unknown, expired or revoked.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// 403: the caller may see the object, but not do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// 404: the object does not exist, or the caller may not know that it does.
    #[error("{0}")]
    NotFound(&'static str),
    /// 405: the address does not support the method. These are the methods that it supports.
    #[error("This address supports only {0}.")]
    MethodNotAllowed(String),
    /// 408: the body did not arrive in time.
    #[error("The body did not arrive in time. Nothing was executed.")]
    BodyTimeout,
    /// 409: the game does not wait for the caller's seat.
    #[error("{}", .0.text)]
    NotYourTurn(Illegal),
    /// 409: the game is over.
    #[error("{}", .0.text)]
    GameOver(Illegal),
    /// 409: the caller's current decision opened after the expected version.
    #[error("{0}")]
    Stale(String),
    /// 409: the state of the game or seat does not allow the request.
    #[error("{0}")]
    Conflict(String),
    /// 409: this build does not have the game's rules version.
    #[error("{0}")]
    UnknownRules(String),
    /// 409: a limit on how many objects a caller may have at a time.
    #[error("{0}")]
    LimitReached(String),
    /// 413: the request is too large.
    #[error("{0}")]
    TooLarge(String),
    /// 415: not JSON.
    #[error("{0}")]
    UnsupportedMediaType(&'static str),
    /// 422: the idempotency key was used for another request.
    #[error("This idempotency key was used for another request. Send a new one.")]
    KeyReused,
    /// 422: the rules forbid the move.
    #[error("{}", .0.text)]
    IllegalMove(Illegal),
    /// 429: a rate limit.
    #[error("Too many requests. Try again in {} seconds.", .0.as_secs().max(1))]
    RateLimited(Duration),
    /// 503: the server does not take the request now. Nothing was executed.
    #[error("{0}")]
    Busy(&'static str),
    /// 503: the database is unavailable. The outcome of a write in progress is unknown.
    #[error(
        "The database is unavailable. Retry with the same idempotency key: the request will not be executed twice."
    )]
    Unavailable,
    /// 503: the request has used up its time. The outcome of a write in progress is unknown.
    #[error("The request took too long. Retry with the same idempotency key: it will not be executed twice.")]
    TimedOut,
    /// 500: a bug, or corrupt data.
    #[error("Internal error. The operator can find it in the log by the request id.")]
    Internal,
}

/// A value of a request that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A JSON pointer to the value; empty for the whole body.
    pub pointer: String,
    /// What is wrong with it, without a subject: 'must be a whole number'.
    pub detail: String,
}

/// A sentence, with the pointer as a path: 'options.kalah.pockets must be a whole number.'
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Fault { pointer, detail } = self;
        match pointer.strip_prefix('/') {
            None => write!(f, "The body {detail}."),
            Some(pointer) => {
                let path = pointer.replace('/', ".").replace("~1", "/").replace("~0", "~");
                write!(f, "{path} {detail}.")
            }
        }
    }
}

/// An error code, for programs. GraphQL has the same code as `extensions.code`. More codes may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorCode)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    InvalidInput,
    /// By GraphQL alone.
    PersistedQueryNotSupported,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    BodyTimeout,
    NotYourTurn,
    GameOver,
    Stale,
    Conflict,
    UnknownRules,
    LimitReached,
    TooLarge,
    UnsupportedMediaType,
    IdempotencyKeyReused,
    IllegalMove,
    RateLimited,
    Unavailable,
    Internal,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Error {
    pub fn code(&self) -> Code {
        match self {
            Error::InvalidInput(_) | Error::RefusedOptions(_) | Error::Unreadable(_) => Code::InvalidInput,
            Error::PersistedQueryNotSupported => Code::PersistedQueryNotSupported,
            Error::Unauthenticated(_) => Code::Unauthenticated,
            Error::Forbidden(_) => Code::Forbidden,
            Error::NotFound(_) => Code::NotFound,
            Error::MethodNotAllowed(_) => Code::MethodNotAllowed,
            Error::BodyTimeout => Code::BodyTimeout,
            Error::NotYourTurn(_) => Code::NotYourTurn,
            Error::GameOver(_) => Code::GameOver,
            Error::Stale(_) => Code::Stale,
            Error::Conflict(_) => Code::Conflict,
            Error::UnknownRules(_) => Code::UnknownRules,
            Error::LimitReached(_) => Code::LimitReached,
            Error::TooLarge(_) => Code::TooLarge,
            Error::UnsupportedMediaType(_) => Code::UnsupportedMediaType,
            Error::KeyReused => Code::IdempotencyKeyReused,
            Error::IllegalMove(_) => Code::IllegalMove,
            Error::RateLimited(_) => Code::RateLimited,
            Error::Busy(_) | Error::Unavailable | Error::TimedOut => Code::Unavailable,
            Error::Internal => Code::Internal,
        }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Error::InvalidInput(_)
            | Error::RefusedOptions(_)
            | Error::Unreadable(_)
            | Error::PersistedQueryNotSupported => StatusCode::BAD_REQUEST,
            Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Error::Forbidden(_) => StatusCode::FORBIDDEN,
            Error::NotFound(_) => StatusCode::NOT_FOUND,
            Error::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Error::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Error::NotYourTurn(_)
            | Error::GameOver(_)
            | Error::Stale(_)
            | Error::Conflict(_)
            | Error::UnknownRules(_)
            | Error::LimitReached(_) => StatusCode::CONFLICT,
            Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::UnsupportedMediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Error::KeyReused | Error::IllegalMove(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Error::Busy(_) | Error::Unavailable | Error::TimedOut => StatusCode::SERVICE_UNAVAILABLE,
            Error::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The rule that a move, or an option, breaks.
    pub fn illegal(&self) -> Option<&Illegal> {
        match self {
            Error::NotYourTurn(illegal)
            | Error::GameOver(illegal)
            | Error::IllegalMove(illegal)
            | Error::RefusedOptions(illegal) => Some(illegal),
            _ => None,
        }
    }

    /// The number of seconds to wait before a retry.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Error::RateLimited(wait) => Some(wait.as_secs().max(1)),
            Error::Busy(_) | Error::Unavailable | Error::TimedOut => Some(1),
            _ => None,
        }
    }

    /// The value of the request that cannot be read.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Error::Unreadable(fault) => Some(fault),
            _ => None,
        }
    }

    /// Adds Retry-After, WWW-Authenticate or Allow.
    pub fn add_headers(&self, headers: &mut HeaderMap) {
        if let Error::MethodNotAllowed(methods) = self
            && let Ok(methods) = HeaderValue::from_str(methods)
        {
            headers.insert(ALLOW, methods);
        }
        if let Some(seconds) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match refusal {
            Refusal::GameOver(illegal) => Error::GameOver(illegal),
            Refusal::NotYourTurn(illegal) => Error::NotYourTurn(illegal),
            Refusal::Illegal(illegal) => Error::IllegalMove(illegal),
        }
    }
}

/// Input that is no move, option or component of a kind.
impl From<Unreadable> for Error {
    fn from(Unreadable(text): Unreadable) -> Error {
        Error::InvalidInput(text)
    }
}

/// A stored value that this build cannot read.
impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        // Without the message: it quotes the value, which may be secret.
        tracing::error!(problem = ?error.classify(), column = error.column(), "a stored value cannot be read");
        Error::Internal
    }
}

impl ErrorExtensions for Error {
    fn extend(&self) -> async_graphql::Error {
        async_graphql::Error::new(self.to_string()).extend_with(|_, extensions| {
            extensions.set("code", self.code().to_string());
            if let Some(illegal) = self.illegal() {
                extensions.set("rule", illegal.rule.0);
                if let Some(token) = illegal.token {
                    extensions.set("token", token);
                }
            }
            if let Some(seconds) = self.retry_after() {
                extensions.set("retryAfter", seconds);
            }
        })
    }
}
