//! The pages for browsers: the start page, the guide, the docs, and everything that they load. They load nothing from other
//! servers.

mod files;
mod guide;
mod preview;

use std::sync::Arc;

use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETag,
    Encoding, Header, HeaderName, IfNoneMatch,
};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Resource, guard};

use self::files::File;
pub use self::files::compress;

/// Pages of other origins embed a table by its scripts, never one of these pages in a frame.
const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page on which games are played.
const TABLE: &str = "index.html";

/// Swagger UI's page has styles inside.
const DOCS: &str = "docs/";
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The JSON schema of records.
pub const RECORD_SCHEMA: &str = include_str!("../../../record.schema.json");

pub fn routes(config: &mut ServiceConfig) {
    for file in files::all() {
        config.service(serve(&file.path(), file));
        if file.name == TABLE {
            config.service(page("/play/{game}").to(async |req: HttpRequest| {
                let file = files::current(file);
                match preview::with_preview(&req, &file).await {
                    Some(file) => answer(&req, &file),
                    None => answer(&req, &file),
                }
            }));
        }
        if let Some(directory) = directory(file) {
            let path = file.path();
            config.service(page(&directory).to(move || std::future::ready(web::Redirect::to(path.clone()))));
        }
    }
    for file in guide::all() {
        config.service(serve(&guide::path(file), file));
        if let Some(directory) = directory(file) {
            config.service(page(&directory).to(async || web::Redirect::to("/guide/")));
        }
    }
    config.service(
        page("/record.schema.json")
            .to(async || HttpResponse::Ok().content_type("application/schema+json").body(RECORD_SCHEMA)),
    );
}

/// The path of a directory with an index, without its slash.
fn directory(file: &File) -> Option<String> {
    file.name.strip_suffix("/index.html").map(|directory| format!("/{directory}"))
}

/// The paths of all pages.
pub fn paths() -> impl Iterator<Item = String> {
    let files = files::all().flat_map(|file| directory(file).into_iter().chain([file.path()]));
    let guide = guide::all().map(|file| guide::path(file)).chain(["/guide".to_string()]);
    files.chain(guide).chain(["/play/{game}".to_string(), "/record.schema.json".to_string()])
}

/// A resource that is read by GET. Other methods are left to the default service.
pub fn page(path: &str) -> Resource {
    web::resource(path).guard(guard::Get())
}

fn serve(path: &str, file: &'static Arc<File>) -> Resource {
    page(path).to(async |req: HttpRequest| answer(&req, &files::current(file)))
}

/// Files are public, so that pages of every origin may load them. Browsers keep them but ask whether they are current:
/// modules of two versions must not meet.
fn answer(req: &HttpRequest, file: &File) -> HttpResponse {
    let known = match IfNoneMatch::parse(req) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&file.tag)),
        Err(_) => false,
    };
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header(ETag(file.tag.clone()))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"));
    if known {
        return response.finish();
    }
    let policy = if file.name.starts_with(DOCS) { DOCS_POLICY } else { SECURITY_POLICY };
    response.insert_header((CONTENT_SECURITY_POLICY, policy));
    response.content_type(file.content_type);
    match &file.gzip {
        Some(gzip) if takes_gzip(req) => response.insert_header((CONTENT_ENCODING, "gzip")).body(gzip.clone()),
        _ => response.body(file.bytes.clone()),
    }
}

fn takes_gzip(req: &HttpRequest) -> bool {
    let offered = [Encoding::gzip(), Encoding::identity()];
    let accepted = req.get_header::<AcceptEncoding>();
    accepted.is_some_and(|accepted| accepted.negotiate(offered.iter()) == Some(Encoding::gzip()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::str::from_utf8;

    use super::*;

    /// The text after each `open`, up to the next `close`.
    fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
        text.split(open).skip(1).filter_map(|rest| rest.split(close).next()).collect()
    }

    fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
        between(html, &format!(" {name}=\""), '"')
    }

    /// Our files with this ending and their text. Swagger UI's page is not ours.
    fn texts(ending: &str) -> Vec<(&'static str, &'static str)> {
        let ours = files::all().filter(|file| file.name.ends_with(ending) && !file.name.starts_with(DOCS));
        let texts: Vec<_> =
            ours.map(|file| (file.name.as_str(), from_utf8(&file.bytes).expect("it is text"))).collect();
        assert!(!texts.is_empty(), "{ending}");
        texts
    }

    /// A script without the comments that hold its types, which import other types.
    fn without_types(js: &str) -> String {
        let mut parts = js.split("/**");
        let first = parts.next().unwrap_or_default().to_string();
        first + &parts.filter_map(|part| part.split_once("*/")).map(|(_, code)| code).collect::<String>()
    }

    fn is_here(address: &str) -> bool {
        address.starts_with('/') && !address.starts_with("//")
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for ending in [".html", ".css", ".js"] {
            for (name, text) in texts(ending) {
                // The names of XML's own languages are no addresses.
                let text = text.replace("http://www.w3.org/", "");
                assert!(
                    !text.contains("http://") && !text.contains("https://"),
                    "{name}: an address of another server"
                );
            }
        }
        for (name, html) in texts(".html") {
            for address in ["src", "href", "action", "srcset"].into_iter().flat_map(|name| attributes(html, name)) {
                assert!(is_here(address) || address.starts_with('#'), "{name}: {address}");
            }
        }
        for (name, css) in texts(".css") {
            assert!(!css.contains("url(") && !css.contains("@import"), "{name}");
        }
        for (name, js) in texts(".js") {
            let imported = [between(js, " from '", '\''), between(js, "import '", '\'')].concat();
            for module in imported {
                assert!(module.starts_with("./") || module.starts_with("../"), "{name}: {module}");
            }
            let code = without_types(js);
            for way_out in ["XMLHttpRequest", "sendBeacon", "import(", "importScripts"] {
                assert!(!code.contains(way_out), "{name}: {way_out}");
            }
        }
    }

    #[test]
    fn nothing_is_inline() {
        for (name, html) in texts(".html") {
            assert!(!html.contains("<style") && !html.contains("javascript:"), "{name}");
            for tag in between(html, "<", '>') {
                let names =
                    tag.split_whitespace().skip(1).filter_map(|word| word.split_once('=')).map(|(name, _)| name);
                for attribute in names {
                    assert!(attribute != "style" && !attribute.starts_with("on"), "{name}: <{tag}>");
                }
            }
            for script in between(html, "<script", '/') {
                assert!(script.ends_with("src=\""), "{name}: <script{script}");
            }
        }
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
        for (name, js) in texts(".js") {
            for way_in in as_markup {
                // A picture is markup that our own server drew. One place reads it, and refuses scripts.
                let is_picture = name == "table/picture.js" && way_in == "DOMParser" && js.matches(way_in).count() == 1;
                assert!(is_picture || !js.contains(way_in), "{name}: {way_in}");
            }
        }
    }

    #[test]
    fn whatever_a_page_names_by_id_is_there() {
        for (name, html) in texts(".html") {
            let ids = attributes(html, "id");
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), known.len(), "{name}: ids are unique");
            let by_page = ["for", "aria-labelledby", "aria-describedby"];
            let by_page = by_page.into_iter().flat_map(|attribute| attributes(html, attribute));
            let by_link = attributes(html, "href").into_iter().filter_map(|address| address.strip_prefix('#'));
            for id in by_page.chain(by_link) {
                assert!(known.contains(id), "{name}: nothing has the id {id}");
            }
        }
    }
}
