//! The start page: first steps, a table to try, a GraphQL explorer, and a link to the REST docs. It loads nothing from
//! other servers.

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpResponse, Resource, guard};

const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = include_str!("page/index.html");
const CSS: &str = include_str!("page/page.css");
const JS: &str = include_str!("page/page.js");
/// Swagger UI's own page has no viewport, and its tables are wider than a phone.
const DOCS_HTML: &str = include_str!("page/docs.html");
const DOCS_CSS: &str = include_str!("page/docs.css");

/// The JSON schema of records.
pub const RECORD_SCHEMA: &str = include_str!("../../record.schema.json");

pub fn routes(config: &mut ServiceConfig) {
    let file = |path: &str, content_type: &'static str, text: &'static str| {
        page(path).to(move || std::future::ready(render(content_type, text)))
    };
    config
        .service(file("/", "text/html; charset=utf-8", HTML))
        .service(file("/page.css", "text/css; charset=utf-8", CSS))
        .service(file("/page.js", "text/javascript; charset=utf-8", JS))
        .service(
            page("/docs/").to(async || HttpResponse::Ok().content_type("text/html; charset=utf-8").body(DOCS_HTML)),
        )
        .service(file("/docs/docs.css", "text/css; charset=utf-8", DOCS_CSS))
        .service(file("/record.schema.json", "application/schema+json", RECORD_SCHEMA));
}

/// A resource that is read by GET. Other methods are left to the default service.
pub fn page(path: &str) -> Resource {
    web::resource(path).guard(guard::Get())
}

fn render(content_type: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type(content_type).insert_header((CONTENT_SECURITY_POLICY, SECURITY_POLICY)).body(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The text after each `open`, up to the next `close`.
    fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
        text.split(open).skip(1).filter_map(|rest| rest.split(close).next()).collect()
    }

    fn attributes(name: &str) -> Vec<&'static str> {
        between(HTML, &format!(" {name}=\""), '"')
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere() {
        for text in [HTML, CSS, JS] {
            assert!(!text.contains("http://") && !text.contains("https://"), "an address of another server");
        }
        for address in ["src", "href", "action", "srcset"].into_iter().flat_map(attributes) {
            let is_here = address.starts_with('/') && !address.starts_with("//");
            assert!(is_here || address.starts_with('#') || address.starts_with("data:image/"), "{address}");
        }
        assert!(!CSS.contains("url(") && !CSS.contains("@import"));
        for way_out in ["XMLHttpRequest", "EventSource", "sendBeacon", "import(", "import ", "Worker("] {
            assert!(!JS.contains(way_out), "{way_out}");
        }
        let calls: Vec<&str> =
            [" send(", "rest(", "post("].into_iter().flat_map(|call| between(JS, call, ',')).collect();
        let is_ours = |call: &&str| ["'/", "`/", "path", "`${path}/"].iter().any(|start| call.starts_with(start));
        assert!(calls.len() > 5 && calls.iter().all(is_ours), "{calls:?}");
        assert_eq!(between(JS, "fetch(", ','), ["path"], "all requests go through one place");
        assert_eq!(between(JS, "new WebSocket(", ','), ["socketAddress()"]);
        assert!(JS.contains("new URL('/graphql', location.href)"), "sockets go to this server");
    }

    #[test]
    fn nothing_is_inline() {
        assert!(!HTML.contains("<style") && !HTML.contains("javascript:"));
        for tag in between(HTML, "<", '>') {
            let names = tag.split_whitespace().skip(1).filter_map(|word| word.split_once('=')).map(|(name, _)| name);
            for name in names {
                assert!(name != "style" && !name.starts_with("on"), "<{tag}>");
            }
        }
        for script in between(HTML, "<script", '/') {
            assert!(script.ends_with("src=\""), "<script{script}");
        }
        assert!(HTML.contains("src=\"/page.js\"></script>"));
        assert!(SECURITY_POLICY.starts_with("default-src 'none'") && !SECURITY_POLICY.contains("unsafe"));
    }

    #[test]
    fn what_others_wrote_goes_in_as_text() {
        let as_markup = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "eval(",
            "Function(",
            "srcdoc",
        ];
        for way_in in as_markup {
            assert!(!JS.contains(way_in), "{way_in}");
        }
    }

    #[test]
    fn whatever_is_named_by_id_is_there() {
        let ids = attributes("id");
        let known: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), known.len(), "ids are unique");
        let by_script = between(JS, "byId('", '\'');
        assert!(by_script.len() > 20);
        let by_page = ["for", "aria-labelledby", "aria-describedby"].into_iter().flat_map(attributes);
        let by_link = attributes("href").into_iter().filter_map(|address| address.strip_prefix('#'));
        for id in by_script.into_iter().chain(by_page).chain(by_link) {
            assert!(known.contains(id), "nothing has the id {id}");
        }
    }
}
