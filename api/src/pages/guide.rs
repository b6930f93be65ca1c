//! The guide: README.md and `docs/`, rendered as pages once. A debug build reads the documents from disk.

use std::sync::{Arc, LazyLock};

use actix_web::web::Bytes;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use super::files::File;

/// The documents in the order of the navigation, and the pictures, by their paths in the repository.
macro_rules! sources {
    ($($path:literal)*) => {
        const PATHS: &[&str] = &[$($path),*];
        #[cfg(not(debug_assertions))]
        const CONTENTS: &[&[u8]] = &[$(include_bytes!(concat!("../../../", $path))),*];
    };
}

// A test compares the list with the directory.
sources! {
    "README.md"
    "docs/concepts.md"
    "docs/playing.md"
    "docs/bots.md"
    "docs/components.md"
    "docs/live.md"
    "docs/history.md"
    "docs/apps.md"
    "docs/errors.md"
    "docs/apis.md"
    "docs/clients.md"
    "docs/configuration.md"
    "docs/deployment.md"
    "docs/operating.md"
    "docs/alerts.md"
    "docs/scale.md"
    "docs/pictures/kalah.svg"
    "docs/pictures/macarena.svg"
    "docs/pictures/mahabharata.svg"
    "docs/pictures/mahola.svg"
    "docs/pictures/mara.svg"
}

#[cfg(not(debug_assertions))]
fn read(index: usize) -> Bytes {
    Bytes::from_static(CONTENTS[index])
}

#[cfg(debug_assertions)]
fn read(index: usize) -> Bytes {
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
    std::fs::read(format!("{repository}{}", PATHS[index])).map(Bytes::from).unwrap_or_default()
}

/// What is served from the repository beside the guide, at its root.
const CONTRACTS: [&str; 3] = ["openapi.json", "schema.graphql", "record.schema.json"];

/// Where a file of the repository is served; `None` if it is not.
fn address(path: &str) -> Option<String> {
    if CONTRACTS.contains(&path) {
        return Some(format!("/{path}"));
    }
    if !PATHS.contains(&path) {
        return None;
    }
    let name = path.strip_suffix(".md").unwrap_or(path);
    Some(format!("/guide/{}", name.strip_prefix("docs/").unwrap_or_default()))
}

/// A link of a document, as the server's pages have it; `None` if it leads to a file that is not served.
fn resolve(from: &str, link: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with('#') {
        return Some(link.to_string());
    }
    let (file, anchor) = link.split_once('#').map_or((link, String::new()), |(file, name)| (file, format!("#{name}")));
    let directory = from.rsplit_once('/').map_or("", |(directory, _)| directory);
    let path = match file.strip_prefix("../") {
        Some(path) => path.to_string(),
        None if directory.is_empty() => file.to_string(),
        None => format!("{directory}/{file}"),
    };
    Some(address(&path)? + &anchor)
}

/// The id of a heading, as code hosts make it: links of the documents use it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || ['-', '_', ' '].contains(letter));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The text between an event and the end of its element.
fn text_of(events: &[Event]) -> String {
    let inside = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect()
}

fn is_heading(event: &Event) -> bool {
    matches!(event, Event::Start(Tag::Heading { .. }))
}

/// The document as HTML. What it has of HTML itself is shown as text.
fn rendered(path: &str, markdown: &str) -> String {
    let events: Vec<Event> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut shown = Vec::with_capacity(events.len());
    let mut is_link = false;
    for (index, event) in events.iter().enumerate() {
        match event.clone() {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = Some(anchor(&text_of(&events[index..])).into());
                shown.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let address = resolve(path, &dest_url);
                is_link = address.is_some();
                if let Some(address) = address {
                    shown.push(Event::Start(Tag::Link { link_type, dest_url: address.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) if !is_link => {}
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = resolve(path, &dest_url).unwrap_or_default().into();
                shown.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
            }
            // What may be wider than the page can be scrolled, by keyboard too.
            Event::Start(Tag::CodeBlock(_)) => shown.push(Event::Html("<pre tabindex=\"0\"><code>".into())),
            Event::End(TagEnd::CodeBlock) => shown.push(Event::Html("</code></pre>\n".into())),
            Event::Start(Tag::Table(columns)) => {
                shown.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                shown.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                shown.push(Event::End(TagEnd::Table));
                shown.push(Event::Html("</div>\n".into()));
            }
            Event::Html(text) | Event::InlineHtml(text) => shown.push(Event::Text(text)),
            other => shown.push(other),
        }
    }
    let mut page = String::new();
    html::push_html(&mut page, shown.into_iter());
    page
}

/// The first heading of a document.
fn title(markdown: &str) -> String {
    let events: Vec<Event> = Parser::new(markdown).collect();
    let first = events.iter().position(is_heading).unwrap_or(0);
    text_of(&events[first..])
}

/// All pages and pictures of the guide.
pub fn all() -> impl Iterator<Item = &'static Arc<File>> {
    static ALL: LazyLock<Vec<Arc<File>>> = LazyLock::new(|| {
        let documents: Vec<(&str, String)> = (0..PATHS.len())
            .filter(|index| PATHS[*index].ends_with(".md"))
            .map(|index| (PATHS[index], String::from_utf8_lossy(&read(index)).into_owned()))
            .collect();
        let chapters: Vec<(String, String)> =
            documents.iter().map(|(path, text)| (address(path).unwrap_or_default(), title(text))).collect();
        let pages = documents.iter().zip(&chapters).map(|((path, text), (address, title))| {
            let page = page(&chapters, address, title, &rendered(path, text));
            (format!("{}.html", if address.ends_with('/') { "/guide/index" } else { address }), page.into())
        });
        let pictures = (0..PATHS.len())
            .filter(|index| PATHS[*index].ends_with(".svg"))
            .filter_map(|index| Some((address(PATHS[index])?, read(index))));
        let files = pages.chain(pictures).collect::<Vec<(String, Bytes)>>();
        files
            .into_iter()
            .filter_map(|(name, bytes)| File::new(name.trim_start_matches('/'), bytes).map(Arc::new))
            .collect()
    });
    ALL.iter()
}

/// Where a page or picture of the guide is served.
pub fn path(file: &File) -> String {
    let path = file.path();
    path.strip_suffix(".html").map(String::from).unwrap_or(path)
}

fn page(chapters: &[(String, String)], here: &str, title: &str, body: &str) -> String {
    let entry = |(address, title): &(String, String)| {
        let current = if address == here { " aria-current=\"page\"" } else { "" };
        let name = if address == "/guide/" { "Overview" } else { title };
        format!("<li><a href=\"{address}\"{current}>{name}</a></li>")
    };
    let chapters: String = chapters.iter().map(entry).collect();
    let title = if here == "/guide/" { "Guide" } else { title };
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="theme-color" content="#f4ecdf" media="(prefers-color-scheme: light)">
  <meta name="theme-color" content="#1a1613" media="(prefers-color-scheme: dark)">
  <title>{title} · Maidan</title>
  <link rel="icon" type="image/svg+xml" href="/icon.svg">
  <link rel="apple-touch-icon" href="/icons/apple.png">
  <link rel="manifest" href="/app.webmanifest">
  <link rel="stylesheet" href="/app.css">
  <link rel="stylesheet" href="/guide/guide.css">
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <a class="name" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true"><circle cx="9.5" cy="20.5" r="7"/><circle cx="23" cy="22" r="6"/><circle cx="17.5" cy="8.5" r="6.2"/></svg>
      Maidan
    </a>
    <nav aria-label="Site">
      <a href="/">Play</a>
      <a href="/start/">For developers</a>
      <a href="/guide/" aria-current="true">Guide</a>
      <a href="/explorer/">Explorer</a>
      <a href="/docs/">REST docs</a>
    </nav>
  </header>
  <div class="guide">
    <nav aria-label="Guide"><ul class="chapters">{chapters}</ul></nav>
    <main id="main" tabindex="-1">
{body}    </main>
  </div>
</body>
</html>
"##
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_document_and_every_picture_is_part_of_the_guide() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let names = |directory: &str| -> Vec<String> {
            let files = std::fs::read_dir(docs.join(directory)).expect("it can be listed");
            files
                .map(|file| format!("docs/{directory}{}", file.expect("a name").file_name().to_string_lossy()))
                .collect()
        };
        let there: BTreeSet<String> = names("")
            .into_iter()
            .chain(names("pictures/"))
            .filter(|name| name.ends_with(".md") || name.ends_with(".svg"))
            .chain(["README.md".to_string()])
            .collect();
        assert_eq!(PATHS.iter().map(|path| (*path).to_string()).collect::<BTreeSet<_>>(), there);
        assert_eq!(all().count(), PATHS.len());
    }

    #[test]
    fn links_lead_to_what_the_server_has_and_other_links_are_text() {
        for (from, link, there) in [
            ("README.md", "docs/live.md", Some("/guide/live")),
            ("README.md", "docs/pictures/mara.svg", Some("/guide/pictures/mara.svg")),
            ("docs/live.md", "apps.md#keys", Some("/guide/apps#keys")),
            ("docs/live.md", "#resume", Some("#resume")),
            ("docs/live.md", "../README.md#start-it", Some("/guide/#start-it")),
            ("docs/apis.md", "../openapi.json", Some("/openapi.json")),
            ("docs/apis.md", "../bench/RESULTS.md", None),
            ("README.md", "https://example.org/", Some("https://example.org/")),
        ] {
            assert_eq!(resolve(from, link).as_deref(), there, "{from}: {link}");
        }
        let page = rendered("docs/apis.md", "# One `two`\n\n[here](live.md) [away](../bench/x.md) <b>bold</b>\n");
        assert!(page.contains("<h1 id=\"one-two\">One <code>two</code></h1>"), "{page}");
        assert!(page.contains("<a href=\"/guide/live\">here</a> away &lt;b&gt;bold&lt;/b&gt;"), "{page}");
    }
}
