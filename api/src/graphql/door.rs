//! GraphQL over HTTP, as its specification has it.
//!
//! The library's own extractors run mutations sent by GET, by a form or as plain text, which lets any web page act
//! for whoever looks at it; so requests are read here. What the library's glue does right, carrying requests and
//! rendering responses, it does behind these guards.

use actix_web::http::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderValue, UPGRADE};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Responder};
use async_graphql::parser::types::{DocumentOperations, ExecutableDocument, OperationType, Selection, SelectionSet};
use async_graphql::{ErrorExtensions, Name, Request, Response, ServerError, Variables};
use async_graphql_actix_web::{GraphQLRequest, GraphQLResponse};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

use super::{Schema, socket};
use crate::app::Maidan;
use crate::body;
use crate::error::Error;
use crate::limits::Limits;

const GRAPHQL_JSON: &str = "application/graphql-response+json";
const PLAIN_JSON: &str = "application/json";

/// The one address of GraphQL.
pub async fn door(req: HttpRequest, payload: Payload, maidan: Data<Arc<Maidan>>, schema: Data<Schema>) -> HttpResponse {
    if req.headers().get(UPGRADE).is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket")) {
        return socket::open(req, payload, maidan, schema).await.unwrap_or_else(|error| error.error_response());
    }
    let Some(media) = accepted(req.headers().get(ACCEPT)) else {
        return HttpResponse::NotAcceptable().content_type("text/plain").body(format!("{GRAPHQL_JSON}, {PLAIN_JSON}"));
    };
    let read = match *req.method() {
        Method::GET => from_query(req.query_string()),
        Method::POST => from_body(&req, payload, maidan.limits.max_body).await,
        _ => return HttpResponse::MethodNotAllowed().insert_header((ALLOW, "GET, POST")).finish(),
    };
    let mut request = match read {
        Ok(GraphQLRequest(request)) => request,
        Err(error) => return turn_away(&req, media, &error),
    };
    let caller = match maidan.identify(&req).await {
        Ok(caller) => caller,
        Err(error) => return turn_away(&req, media, &error),
    };
    match operation(&mut request, &maidan.limits) {
        Err(error) => return answer(&req, media, Response::from_errors(vec![error])),
        Ok(Some(OperationType::Subscription)) => {
            let error = Error::InvalidInput("Subscriptions need a WebSocket: graphql-transport-ws, here.".into());
            return turn_away(&req, media, &error);
        }
        Ok(Some(operation)) if req.method() == Method::GET && operation != OperationType::Query => {
            let mut response = render(&req, media, StatusCode::METHOD_NOT_ALLOWED, refused(&Error::MethodNotAllowed));
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
            return response;
        }
        Ok(_) => {}
    }
    let response = schema.execute(request.data(caller)).await;
    answer(&req, media, response)
}

/// Renders a response with the status that the specification gives it. The draft still moves: all of it is here.
fn answer(req: &HttpRequest, media: &'static str, response: Response) -> HttpResponse {
    let response = with_codes(response);
    let status = match (has_request_errors(&response), media) {
        (true, GRAPHQL_JSON) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    render(req, media, status, response)
}

/// Gives a code to errors of the library's own, which have none: they are all about the request itself.
pub fn with_codes(mut response: Response) -> Response {
    for error in &mut response.errors {
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", "INVALID_INPUT");
        }
    }
    response
}

/// Whether a request was refused before anything of it was executed.
pub fn has_request_errors(response: &Response) -> bool {
    !response.errors.is_empty() && response.errors.iter().all(|error| error.path.is_empty())
}

fn render(req: &HttpRequest, media: &'static str, status: StatusCode, response: Response) -> HttpResponse {
    let mut rendered = if has_request_errors(&response) {
        // A request that was not executed has no data, not even null.
        HttpResponse::Ok().json(serde_json::json!({ "errors": response.errors }))
    } else {
        GraphQLResponse::from(response).respond_to(req)
    };
    *rendered.status_mut() = status;
    let content_type = if media == GRAPHQL_JSON {
        "application/graphql-response+json; charset=utf-8"
    } else {
        "application/json; charset=utf-8"
    };
    rendered.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    rendered
}

/// Refuses a request before anything of it is executed, with the headers that REST sends too.
fn turn_away(req: &HttpRequest, media: &'static str, error: &Error) -> HttpResponse {
    let mut response = render(req, media, error.status(), refused(error));
    error.add_headers(response.headers_mut());
    response
}

pub fn refused(error: &Error) -> Response {
    Response::from_errors(vec![error.extend().into_server_error(Default::default())])
}

/// The kind of operation that would be executed. `None`: there is none of that name, which execution will say.
pub fn operation(request: &mut Request, limits: &Limits) -> Result<Option<OperationType>, ServerError> {
    let name = request.operation_name.clone();
    let document = request.parsed_query()?;
    mind_size(document, limits)?;
    let operation = match (&document.operations, name) {
        (DocumentOperations::Single(operation), _) => &operation.node,
        (DocumentOperations::Multiple(operations), Some(name)) => match operations.get(name.as_str()) {
            Some(operation) => &operation.node,
            None => return Ok(None),
        },
        (DocumentOperations::Multiple(_), None) => return Ok(None),
    };
    let ty = operation.ty;
    // The library's count of complexity stumbles over a variable that may be left out and was; null means the same.
    let optional: Vec<Name> = operation
        .variable_definitions
        .iter()
        .map(|definition| &definition.node)
        .filter(|variable| variable.var_type.node.nullable && variable.default_value.is_none())
        .map(|variable| variable.name.node.clone())
        .collect();
    for name in optional {
        request.variables.entry(name).or_insert(async_graphql::Value::Null);
    }
    Ok(Some(ty))
}

/// Refuses what fragments within fragments make too large. The library walks all of a query, every fragment as often
/// as it is named, before it counts anything: thirty lines that each name the next one twice would keep it for hours.
fn mind_size(document: &ExecutableDocument, limits: &Limits) -> Result<(), ServerError> {
    let mut known = HashMap::new();
    let mut total = 0_usize;
    for (_, operation) in document.operations.iter() {
        let set = &operation.node.selection_set.node;
        total = total.saturating_add(size(document, set, limits.most_nested() + 1, &mut known)?);
    }
    if total > limits.max_complexity {
        let most = limits.max_complexity;
        return Err(ServerError::new(format!("The query comes to more than {most} fields."), None));
    }
    Ok(())
}

/// How many fields a selection comes to with its fragments in place. Each fragment is looked into once.
fn size<'a>(
    document: &'a ExecutableDocument,
    set: &'a SelectionSet,
    levels: usize,
    known: &mut HashMap<&'a Name, usize>,
) -> Result<usize, ServerError> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(ServerError::new("The query is nested too deeply, or a fragment contains itself.", None));
    };
    let mut total = 0_usize;
    for selection in &set.items {
        let inside = match &selection.node {
            Selection::Field(field) => match &field.node.selection_set.node {
                leaf if leaf.items.is_empty() => 0,
                set => size(document, set, levels, known)?,
            },
            Selection::InlineFragment(fragment) => size(document, &fragment.node.selection_set.node, levels, known)?,
            Selection::FragmentSpread(spread) => {
                let name = &spread.node.fragment_name.node;
                match (known.get(name), document.fragments.get(name)) {
                    (Some(inside), _) => *inside,
                    (None, None) => 0,
                    (None, Some(fragment)) => {
                        let inside = size(document, &fragment.node.selection_set.node, levels, known)?;
                        known.insert(name, inside);
                        inside
                    }
                }
            }
        };
        total = total.saturating_add(inside).saturating_add(1);
    }
    Ok(total)
}

/// The better of the two media types by what the client accepts; `None` if it accepts neither.
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

async fn from_body(req: &HttpRequest, payload: Payload, most: usize) -> Result<GraphQLRequest, Error> {
    if !body::is_json(req) {
        return Err(Error::UnsupportedMediaType("Send application/json in UTF-8."));
    }
    let body = body::read(payload, most).await?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(parameters)) => from_parameters(parameters),
        Ok(Value::Array(_)) => Err(Error::InvalidInput("One request at a time: batches are not taken.".into())),
        Ok(_) => Err(Error::InvalidInput("The body must be a JSON object.".into())),
        Err(_) => Err(Error::InvalidInput("The body is no JSON.".into())),
    }
}

pub fn from_parameters(mut parameters: Map<String, Value>) -> Result<GraphQLRequest, Error> {
    let mut text = |name: &str| match parameters.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::InvalidInput(format!("{name} must be a string."))),
    };
    let query = text("query")?.ok_or(Error::InvalidInput("query is missing.".into()))?;
    let operation_name = text("operationName")?;
    let mut object = |name: &str| match parameters.remove(name) {
        None | Some(Value::Null) => Ok(Value::Object(Map::new())),
        Some(Value::Object(object)) => Ok(Value::Object(object)),
        Some(_) => Err(Error::InvalidInput(format!("{name} must be a JSON object."))),
    };
    let variables = Variables::from_json(object("variables")?);
    object("extensions")?;
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
