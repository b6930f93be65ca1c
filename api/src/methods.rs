//! HTTP methods: HEAD wherever GET is, OPTIONS everywhere, and 405 with Allow for the others.

use actix_web::body::{self, BodySize, BoxBody, MessageBody};
use actix_web::dev::{ResourceDef, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use utoipa::openapi::{OpenApi, PathItem};

use crate::error::{Error, Result};

const ALL: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// The methods of each path: those of the OpenAPI document, and GET for the other pages.
pub struct Methods(Vec<(ResourceDef, Vec<&'static str>)>);

impl Methods {
    pub fn new(openapi: &OpenApi, pages: &[String]) -> Methods {
        let operations =
            openapi.paths.paths.iter().map(|(path, item)| (ResourceDef::new(path.as_str()), methods(item)));
        let pages = pages.iter().map(|path| (ResourceDef::new(path.as_str()), vec!["GET", "HEAD"]));
        Methods(operations.chain(pages).collect())
    }

    /// The Allow header of a path; `None` if nothing is there.
    fn allow(&self, path: &str) -> Option<String> {
        let matching: Vec<_> = self.0.iter().filter(|(known, _)| known.is_match(path)).collect();
        let allows =
            |method: &&str| *method == "OPTIONS" || matching.iter().any(|(_, methods)| methods.contains(method));
        let allowed: Vec<&str> = ALL.into_iter().filter(allows).collect();
        (!matching.is_empty()).then(|| allowed.join(", "))
    }
}

/// The methods of a path of the OpenAPI document.
fn methods(item: &PathItem) -> Vec<&'static str> {
    let operations = [
        ("GET", &item.get),
        ("HEAD", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
    ];
    operations.into_iter().filter(|(_, operation)| operation.is_some()).map(|(method, _)| method).collect()
}

/// Answers a request that no route takes: OPTIONS, a wrong method, or a path where nothing is.
pub async fn no_route(req: HttpRequest, methods: Data<Methods>) -> Result<HttpResponse> {
    let allow = methods.allow(req.path()).ok_or(Error::NotFound("There is no resource at this address."))?;
    match *req.method() {
        Method::OPTIONS => Ok(options(&allow)),
        _ => Err(Error::MethodNotAllowed(allow)),
    }
}

/// The answer to OPTIONS.
pub fn options(allow: &str) -> HttpResponse {
    let mut response = HttpResponse::NoContent().finish();
    if let Ok(allow) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}

/// Routes HEAD as GET. The server sends no body in response to HEAD; a stream, which would not end, is dropped here.
pub async fn head_as_get(
    mut req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> std::result::Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let is_head = req.method() == Method::HEAD;
    if is_head {
        req.head_mut().method = Method::GET;
    }
    let response = next.call(req).await?.map_into_boxed_body();
    Ok(response.map_body(|_, body| match body.size() {
        BodySize::Stream if is_head => BoxBody::new(body::None::new()),
        _ => body,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_allows_the_methods_of_all_its_routes() {
        let methods = Methods::new(&crate::rest::openapi(), &["/livez".to_string()]);
        let allow = |path| methods.allow(path).unwrap_or_default();
        assert_eq!(allow("/v1/games"), "GET, HEAD, POST, OPTIONS");
        assert_eq!(allow("/v1/join"), "POST, OPTIONS");
        assert_eq!(allow("/v1/players/player_1/tokens/token_1"), "DELETE, OPTIONS");
        assert_eq!(allow("/livez"), "GET, HEAD, OPTIONS");
        assert_eq!(methods.allow("/v1/nowhere"), None);
    }
}
