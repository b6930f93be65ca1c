//! The scripts of the pages: their types, the parts that only compute, and the explorer in Chromium.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use crate::records::{finish, record};
use crate::support::peers::{directory, printed, program, script};
use crate::support::server::repository;
use crate::support::{Database, Service};

const DEADLINE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn the_scripts_use_the_api_as_the_openapi_document_describes_it() {
    let web = repository().join("api/web");
    let generated = directory("openapi").join("openapi.d.ts");
    let mut generate = program("openapi-typescript", "openapi-typescript");
    generate.arg(repository().join("openapi.json")).arg("--default-non-nullable=false").arg("--output").arg(&generated);
    printed(generate, DEADLINE).await;
    let text = |path| std::fs::read_to_string(path).expect("the types are text");
    let how = "Regenerate it: target/test-peers/node_modules/.bin/openapi-typescript openapi.json \
        --default-non-nullable=false --output api/web/lib/openapi.d.ts";
    assert!(text(generated) == text(web.join("lib/openapi.d.ts")), "api/web/lib/openapi.d.ts is outdated. {how}");
    let mut check = program("tsc", "typescript");
    check.arg("--project").arg(web);
    printed(check, DEADLINE).await;
}

#[tokio::test]
async fn qr_codes_are_read_by_others() {
    assert_eq!(printed(script("qr.mjs", "jsqr"), DEADLINE).await, "all of them can be read\n");
}

#[tokio::test]
async fn the_proof_of_a_record_finds_every_change() {
    let service = Service::by_rest(Database::Sqlite).await;
    let mut records = Vec::new();
    let (kalah, people) = service.table("KALAH", json!({ "kalah": { "pockets": 3, "seedsPerPocket": 2 } }), 2).await;
    finish(&service, &kalah, &people, 100).await;
    records.push(record(&service, &people[0], &kalah).await);
    let seats = json!([{ "me": true }, { "bot": { "level": 1 } }]);
    let branch = json!({ "gameId": kalah, "ply": 2, "seats": seats });
    let branch = service.ask(&people[0], "branchGame", branch).await["id"].as_str().expect("an id").to_string();
    service.ask(&people[0], "resign", json!({ "gameId": branch })).await;
    records.push(record(&service, &people[0], &branch).await);
    for kind in ["MAHOLA", "MARA"] {
        let (id, people) = service.table(kind, json!({}), 3).await;
        finish(&service, &id, &people, 6).await;
        records.push(record(&service, &people[0], &id).await);
    }
    let file = service.server.home.directory.join("records.ndjson");
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, lines).expect("the directory can be written");
    let mut prove = script("proof.mjs", "typescript");
    prove.arg(file);
    assert_eq!(printed(prove, DEADLINE).await, "4 records are true\n");
}

/// The values of an attribute.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    html.split(&format!(" {name}=\"")).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn the_guide_is_served_and_every_link_in_it_leads_somewhere() {
    let service = Service::by_rest(Database::Sqlite).await;
    let get = async |path: &str| {
        let response = reqwest::get(format!("{}{path}", service.server.address)).await.expect("the server responds");
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.expect("it is text")
    };
    let mut pages = BTreeMap::new();
    let mut left = vec!["/guide".to_string()];
    while let Some(path) = left.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let html = get(&path).await;
        if path.starts_with("/guide") && html.starts_with("<!doctype html>") {
            let links = attributes(&html, "href").into_iter().chain(attributes(&html, "src"));
            let here = links.filter(|link| link.starts_with('/')).filter_map(|link| link.split('#').next());
            left.extend(here.map(String::from));
        }
        pages.insert(path, html);
    }
    for (path, html) in pages.iter().filter(|(path, _)| path.starts_with("/guide/")) {
        for link in attributes(html, "href") {
            let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if page.is_empty() { html } else { pages.get(page).unwrap_or(html) };
            assert!(anchor.is_empty() || attributes(target, "id").contains(&anchor), "{path}: {link}");
        }
        assert_eq!(html.matches("<h1").count(), usize::from(html.starts_with("<!doctype")), "{path}");
    }
    for document in std::fs::read_dir(repository().join("docs")).expect("there is a guide") {
        let name = document.expect("a name").file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".md") {
            assert!(pages.contains_key(&format!("/guide/{name}")), "no page leads to {name}");
        }
    }
    assert!(pages["/guide/live"].contains("<h2 id=\"resume\">Resume</h2>"));
}

#[tokio::test]
async fn the_explorer_plays_and_follows_a_game() {
    let service = Service::by_graphql(Database::Sqlite).await;
    let app = service.app("explorer");
    let asked = json!({ "name": "Asha", "externalId": "asha" });
    let player = service.ask(&app, "registerPlayer", asked).await["player"]["id"].as_str().expect("an id").to_string();
    let mut explorer = script("explorer.mjs", "playwright-core");
    explorer.args([&service.server.address, &app.token, &player]);
    assert_eq!(printed(explorer, DEADLINE).await, "all of it works\n");
}

#[tokio::test]
async fn a_link_shows_a_public_game_and_nothing_of_a_private_one() {
    let service = Service::by_rest(Database::Sqlite).await;
    let asha = service.guest("Asha <b>").await;
    let get = async |path: &str| {
        reqwest::get(format!("{}{path}", service.server.address)).await.expect("the server responds")
    };
    let page = async |path: &str| get(path).await.text().await.expect("a page is text");
    let open = async |visibility: &str| {
        let ask = json!({ "kind": "KALAH", "visibility": visibility });
        service.ask(&asha, "createGame", ask).await["id"].as_str().expect("an id").to_string()
    };
    let (public, private) = (open("PUBLIC").await, open("PRIVATE").await);
    let shown = page(&format!("/play/{public}")).await;
    for tag in [
        r#"<meta property="og:title" content="Kalah">"#.to_string(),
        r#"<meta property="og:description" content="Asha &lt;b&gt;. One seat is free.">"#.into(),
        format!(r#"<meta property="og:url" content="{}/play/{public}">"#, service.server.address),
        format!(r#"<meta property="og:image" content="{}/previews/kalah.png">"#, service.server.address),
    ] {
        assert!(shown.contains(&tag), "{tag} is missing: {shown}");
    }
    assert_eq!(get("/previews/kalah.png").await.headers()["content-type"], "image/png");
    let plain = page("/").await;
    assert!(!plain.contains("og:"));
    for other in [private.as_str(), "game_00000000000000000000000000000000", "game_1", "%3Cb%3E"] {
        assert_eq!(page(&format!("/play/{other}")).await, plain, "{other}");
    }
}
