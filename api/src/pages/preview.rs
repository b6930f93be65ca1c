//! Link previews: the page of a game has its title, its players and a picture of its kind for those who show links to it
//! (Open Graph). They ask without a token, so only what anybody may see is there: the page of any other game, and of
//! none, is the same.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data};

use super::files::{self, File};
use crate::auth::{Credentials, address_of, identify};
use crate::error::Result;
use crate::games::{self, Headline};
use crate::service::Maidan;

/// The page of a game: the file, with a preview if anybody may see the game.
pub async fn with_preview(req: &HttpRequest, file: &File) -> Option<File> {
    let maidan = Arc::clone(req.app_data::<Data<Arc<Maidan>>>()?);
    let headline = headline(&maidan, req).await.ok()?;
    let tags = tags(&headline, origin(req, maidan.trust_proxy.is_some()).as_deref(), req.path());
    let (head, rest) = std::str::from_utf8(&file.bytes).ok()?.split_once("</head>")?;
    file.with(Bytes::from(format!("{head}{tags}</head>{rest}")))
}

async fn headline(maidan: &Maidan, req: &HttpRequest) -> Result<Headline> {
    let caller = identify(maidan, Credentials::default(), address_of(maidan, req)).await?;
    let id = req.match_info().get("game").unwrap_or_default();
    let id = id.parse().map_err(|_| crate::error::Error::NotFound("There is no such game."))?;
    games::headline(maidan, &caller, id).await
}

/// The server's address, as the client knows it; `None` if it is not an address.
fn origin(req: &HttpRequest, is_behind_proxy: bool) -> Option<String> {
    let info = req.connection_info();
    let (scheme, host) = match is_behind_proxy {
        true => (info.scheme().to_string(), info.host().to_string()),
        false => ("http".into(), req.headers().get("host")?.to_str().ok()?.to_string()),
    };
    let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    (["http", "https"].contains(&scheme.as_str()) && host.chars().all(is_host)).then(|| format!("{scheme}://{host}"))
}

fn tags(Headline { kind, title, text }: &Headline, origin: Option<&str>, path: &str) -> String {
    let mut facts = vec![
        ("og:site_name", "Maidan".to_string()),
        ("og:type", "website".into()),
        ("og:title", title.clone()),
        ("og:description", text.clone()),
    ];
    if let Some(origin) = origin {
        facts.push(("og:url", format!("{origin}{path}")));
        let picture = format!("previews/{}.png", kind.name().to_lowercase());
        if files::all().any(|file| file.name == picture) {
            facts.push(("og:image", format!("{origin}/{picture}")));
            facts.push(("og:image:width", "1200".into()));
            facts.push(("og:image:height", "630".into()));
            facts.push(("og:image:alt", format!("A position of {title}")));
        }
    }
    let tag = |(name, text): &(&str, String)| format!("  <meta property=\"{name}\" content=\"{}\">\n", escaped(text));
    facts.iter().map(tag).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use domain::Kind;

    use super::*;

    #[test]
    fn a_name_cannot_leave_its_attribute() {
        let text = r#""><script>alert(1)</script> & more"#.to_string();
        let headline = Headline { kind: Kind::Kalah, title: "Kalah".into(), text };
        let tags = tags(&headline, Some("http://127.0.0.1"), "/play/game_1");
        assert!(!tags.contains("<script") && tags.contains("&quot;&gt;&lt;script&gt;") && tags.contains("&amp; more"));
        assert_eq!(tags.lines().count(), tags.matches("<meta ").count());
    }
}
