//! The start page: a greeting, an explorer for GraphQL, and the way to the REST docs. It loads nothing from elsewhere.

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::web::{self, ServiceConfig};

const ONLY_FROM_HERE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'";

pub fn routes(config: &mut ServiceConfig) {
    let file = |content_type: &'static str, text: &'static str| {
        web::get().to(move || std::future::ready(render(content_type, text)))
    };
    config
        .route("/", file("text/html; charset=utf-8", include_str!("page/index.html")))
        .route("/page.css", file("text/css; charset=utf-8", include_str!("page/page.css")))
        .route("/page.js", file("text/javascript; charset=utf-8", include_str!("page/page.js")));
}

fn render(content_type: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type(content_type).insert_header((CONTENT_SECURITY_POLICY, ONLY_FROM_HERE)).body(text)
}
