//! Pages of lists, each with a link to the next (RFC 8288).

use actix_web::body::BoxBody;
use actix_web::http::header::{HeaderValue, LINK};
use actix_web::{HttpRequest, HttpResponse, Responder};
use serde::Serialize;

use crate::wire::{GamePage, LogPage, PlayerPage, TokenPage};

/// A page of a list.
pub trait Page: Serialize {
    /// The cursor of the last item, if more items follow.
    fn next(&self) -> Option<String>;
}

macro_rules! pages {
    ($($Page:ident),*) => {
        $(
            impl Page for $Page {
                fn next(&self) -> Option<String> {
                    self.end_cursor.as_ref().filter(|_| self.has_more).map(ToString::to_string)
                }
            }
        )*
    };
}

pages!(GamePage, LogPage, PlayerPage, TokenPage);

/// Responds with a page and, if another follows, its address: `Link: </v1/games?after=…>; rel="next"`.
pub struct Paged<T>(pub T);

impl<T: Page> Responder for Paged<T> {
    type Body = BoxBody;

    fn respond_to(self, req: &HttpRequest) -> HttpResponse {
        let next = self.0.next().and_then(|after| next_link(req.path(), req.query_string(), after));
        let mut response = HttpResponse::Ok().json(self.0);
        if let Some(next) = next {
            response.headers_mut().insert(LINK, next);
        }
        response
    }
}

/// The same request, after this cursor.
fn next_link(path: &str, query: &str, after: String) -> Option<HeaderValue> {
    let mut pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).ok()?;
    pairs.retain(|(name, _)| name != "after");
    pairs.push(("after".into(), after));
    let query = serde_urlencoded::to_string(pairs).ok()?;
    HeaderValue::from_str(&format!("<{path}?{query}>; rel=\"next\"")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_repeats_the_request_after_the_last_item() {
        let link = |query| next_link("/v1/games", query, "game_2".into()).expect("a header");
        assert_eq!(link(""), "</v1/games?after=game_2>; rel=\"next\"");
        let filtered = link("first=5&after=game_1&opponentId=a%26b");
        assert_eq!(filtered, "</v1/games?first=5&opponentId=a%26b&after=game_2>; rel=\"next\"");
    }
}
