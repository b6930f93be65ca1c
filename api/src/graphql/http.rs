//! GraphQL over HTTP, by its specification.
//!
//! The library's own extractors execute mutations sent by GET, as a form or as plain text, which allows cross-site
//! request forgery. Requests are therefore parsed and checked here; the library's types carry the request and render
//! the response.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HeaderValue, UPGRADE};
use actix_web::web::{BytesMut, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Responder};
use async_graphql::{ErrorExtensions, Request, Response, Variables};
use async_graphql_actix_web::{GraphQLRequest, GraphQLResponse};
use serde_json::{Map, Value, json};

use super::{Graphql, socket};
use crate::auth;
use crate::body;
use crate::error::Error;
use crate::limits::Limits;
use crate::methods;
use crate::request;
use crate::service::Maidan;

/// HEAD is routed as GET.
const METHODS: &str = "GET, HEAD, POST, OPTIONS";
const GRAPHQL_JSON: &str = "application/graphql-response+json";
const PLAIN_JSON: &str = "application/json";

/// The GraphQL endpoint.
pub async fn endpoint(
    req: HttpRequest,
    payload: Payload,
    maidan: Data<Arc<Maidan>>,
    graphql: Data<Graphql>,
) -> HttpResponse {
    if req.headers().get(UPGRADE).is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket")) {
        return socket::open(req, payload, maidan, graphql).await.unwrap_or_else(|error| error.error_response());
    }
    let Some(media) = accepted(req.headers().get(ACCEPT)) else {
        return HttpResponse::NotAcceptable().content_type("text/plain").body(format!("{GRAPHQL_JSON}, {PLAIN_JSON}"));
    };
    match *req.method() {
        Method::GET | Method::POST => {}
        Method::OPTIONS => return methods::options(METHODS),
        _ => return refuse(&req, media, &Error::MethodNotAllowed(METHODS.into())),
    }
    answer(&req, payload, media, &maidan, &graphql).await.unwrap_or_else(|error| refuse(&req, media, &error))
}

/// Executes a request, or refuses it before anything is executed.
async fn answer(
    req: &HttpRequest,
    payload: Payload,
    media: &'static str,
    maidan: &Arc<Maidan>,
    graphql: &Graphql,
) -> Result<HttpResponse, Error> {
    let is_get = req.method() == Method::GET;
    let identified = auth::caller_of(maidan, req).await;
    // A malformed request is refused as such, even if its token is invalid.
    let GraphQLRequest(request) = match is_get {
        true => from_query(req.query_string())?,
        false => from_body(&body_of(req, payload, &maidan.limits).await?)?,
    };
    let caller = identified?;
    let response = graphql.respond(maidan, request, caller, is_get).await?;
    Ok(render(req, media, response))
}

/// The most errors of a response.
const MOST_ERRORS: usize = 20;
/// The longest message of an error, in bytes. The parser repeats the line of the document, which may be all of it.
const LONGEST_MESSAGE: usize = 500;

/// Completes errors. The library's own have no code: all of them concern the request itself. Errors that belong to no
/// place in the query have the position 0:0, but GraphQL counts from 1.
pub fn with_codes(mut response: Response) -> Response {
    response.errors.truncate(MOST_ERRORS);
    for error in &mut response.errors {
        error.locations.retain(|location| location.line > 0);
        if error.message.len() > LONGEST_MESSAGE {
            error.message.truncate(error.message.floor_char_boundary(LONGEST_MESSAGE));
            error.message.push('…');
        }
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", "INVALID_INPUT");
        }
    }
    response
}

/// Whether a request was refused before anything was executed.
pub fn has_request_errors(response: &Response) -> bool {
    !response.errors.is_empty() && response.errors.iter().all(|error| error.path.is_empty())
}

/// Renders a response with the status that the specification requires. The specification is a draft: keep all of it
/// here.
fn render(req: &HttpRequest, media: &'static str, response: Response) -> HttpResponse {
    let response = with_codes(response);
    let code = response.errors.first().and_then(|error| error.extensions.as_ref()?.get("code"));
    if let Some(async_graphql::Value::String(code)) = code {
        request::refused(code);
    }
    let mut rendered = match (has_request_errors(&response), media) {
        (false, _) => GraphQLResponse::from(response).respond_to(req),
        // A request that was not executed has no data, not even null.
        (true, GRAPHQL_JSON) => HttpResponse::BadRequest().json(json!({ "errors": response.errors })),
        (true, _) => HttpResponse::Ok().json(json!({ "errors": response.errors })),
    };
    rendered.headers_mut().insert(CONTENT_TYPE, content_type(media));
    rendered
}

fn content_type(media: &'static str) -> HeaderValue {
    HeaderValue::from_static(match media {
        GRAPHQL_JSON => "application/graphql-response+json; charset=utf-8",
        _ => "application/json; charset=utf-8",
    })
}

/// Refuses a request before anything is executed, with the same headers as REST.
fn refuse(req: &HttpRequest, media: &'static str, error: &Error) -> HttpResponse {
    let mut response = render(req, media, refused(error));
    *response.status_mut() = error.status();
    error.add_headers(response.headers_mut());
    response
}

pub fn refused(error: &Error) -> Response {
    Response::from_errors(vec![error.extend().into_server_error(Default::default())])
}

/// The media type that the client prefers; `None` if it accepts neither.
fn accepted(header: Option<&HeaderValue>) -> Option<&'static str> {
    let Some(header) = header else { return Some(PLAIN_JSON) };
    let text = header.to_str().ok()?;
    let (mut best, mut best_quality) = (None, 0.0);
    for range in text.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let parameters: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
        let charset = parameters.iter().find_map(|parameter| parameter.strip_prefix("charset="));
        if charset.is_some_and(|charset| charset.trim_matches('"') != "utf-8") {
            continue;
        }
        let quality: f32 = parameters
            .iter()
            .find_map(|parameter| parameter.strip_prefix("q="))
            .map_or(1.0, |q| q.parse().unwrap_or(0.0));
        let media = match name.as_str() {
            GRAPHQL_JSON => GRAPHQL_JSON,
            PLAIN_JSON | "application/*" | "*/*" => PLAIN_JSON,
            _ => continue,
        };
        if quality > best_quality {
            (best, best_quality) = (Some(media), quality);
        }
    }
    best
}

fn from_query(query: &str) -> Result<GraphQLRequest, Error> {
    let unreadable = |_| Error::InvalidInput("The query string cannot be read.".into());
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).map_err(unreadable)?;
    let mut parameters = Map::new();
    for (name, text) in pairs {
        let value = match name.as_str() {
            "variables" | "extensions" if !text.is_empty() => serde_json::from_str(&text)
                .map_err(|_| Error::InvalidInput(format!("{name} must be a JSON object.")))?,
            "variables" | "extensions" => Value::Null,
            _ => Value::String(text),
        };
        parameters.insert(name, value);
    }
    from_parameters(parameters)
}

async fn body_of(req: &HttpRequest, payload: Payload, limits: &Limits) -> Result<BytesMut, Error> {
    if !body::is_json(req) {
        return Err(Error::UnsupportedMediaType("Send application/json in UTF-8."));
    }
    body::read(payload, limits).await
}

fn from_body(body: &[u8]) -> Result<GraphQLRequest, Error> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(parameters)) => from_parameters(parameters),
        Ok(Value::Array(_)) => Err(Error::InvalidInput("Batched requests are not supported.".into())),
        Ok(_) => Err(Error::InvalidInput("The body must be a JSON object.".into())),
        Err(_) => Err(Error::InvalidInput("The body is not valid JSON.".into())),
    }
}

pub fn from_parameters(mut parameters: Map<String, Value>) -> Result<GraphQLRequest, Error> {
    let mut text = |name: &str| match parameters.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::InvalidInput(format!("{name} must be a string."))),
    };
    let query = text("query")?;
    let operation_name = text("operationName")?;
    let mut object = |name: &str| match parameters.remove(name) {
        None | Some(Value::Null) => Ok(Value::Object(Map::new())),
        Some(Value::Object(object)) => Ok(Value::Object(object)),
        Some(_) => Err(Error::InvalidInput(format!("{name} must be a JSON object."))),
    };
    let variables = Variables::from_json(object("variables")?);
    let extensions = object("extensions")?;
    let query = match query {
        Some(query) => query,
        None if extensions.get("persistedQuery").is_some() => return Err(Error::PersistedQueryNotSupported),
        None => return Err(Error::InvalidInput("query is missing.".into())),
    };
    let mut request = Request::new(query).variables(variables);
    request.operation_name = operation_name;
    Ok(GraphQLRequest(request))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(header: &'static str) -> Option<&'static str> {
        accepted(Some(&HeaderValue::from_static(header)))
    }

    #[test]
    fn the_client_gets_the_media_type_that_it_likes_best() {
        assert_eq!(accepted(None), Some(PLAIN_JSON));
        assert_eq!(accepts("*/*"), Some(PLAIN_JSON));
        assert_eq!(accepts("application/json;q=0.5, application/graphql-response+json"), Some(GRAPHQL_JSON));
        assert_eq!(accepts("application/graphql-response+json;q=0.1, application/json"), Some(PLAIN_JSON));
        assert_eq!(accepts("application/graphql-response+json; charset=utf-8"), Some(GRAPHQL_JSON));
        assert_eq!(accepts("text/html"), None);
        assert_eq!(accepts("application/json;q=0"), None);
    }
}
