//! Caches, connections from pages of other origins, names of players, and the audit log.

use std::io::{Read, Write};
use std::process::Stdio;

use reqwest::Client;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::support::server::Home;
use crate::support::{Database, Service, eventually, stories};

stories!(names_can_be_seen_and_read,);

async fn names_can_be_seen_and_read(service: Service) {
    let asha = service.guest("Jose\u{301}").await;
    assert_eq!(service.ask(&asha, "me", json!({})).await["player"]["name"], "Jos\u{e9}");
    for name in ["\u{3164}", "A\u{200b}sha", "\u{202e}ahsA", "deleted PLAYER", " \u{a0} "] {
        let rename = json!({ "playerId": asha.id, "name": name });
        assert_eq!(service.refusal(&asha, "updatePlayer", rename).await.code, "INVALID_INPUT", "{name:?}");
        let registered = service.call_as_nobody("registerPlayer", json!({ "name": name })).await;
        assert_eq!(registered.unwrap_err().code, "INVALID_INPUT", "{name:?}");
    }
}

#[tokio::test]
async fn answers_to_one_caller_are_kept_for_nobody_else() {
    let service = Service::by_rest(Database::Sqlite).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let (client, address) = (Client::new(), &service.server.address);
    let (game, inbox, tokens) =
        (format!("/v1/games/{id}"), "/v1/me/inbox".to_string(), format!("/v1/players/{}/tokens", asha.id));
    for path in
        [game, inbox, tokens, "/v1/me/next".into(), "/v1/nothing".into(), "/graphql?query={me{__typename}}".into()]
    {
        let response = client.get(format!("{address}{path}")).bearer_auth(&asha.token).send().await.unwrap();
        assert_eq!(response.headers()["cache-control"], "private, no-store", "{path}");
        assert!(response.headers()["vary"].to_str().unwrap().contains("Authorization"), "{path}");
    }
    let issued =
        client.post(format!("{address}/v1/players/{}/tokens", asha.id)).bearer_auth(&asha.token).json(&json!({}));
    assert_eq!(issued.send().await.unwrap().headers()["cache-control"], "private, no-store");
    let docs = ["/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/docs/swagger-initializer.js"];
    for path in ["/v1/kinds", "/v1/kinds/KALAH", "/openapi.json", "/schema.graphql"].into_iter().chain(docs) {
        let get = async |etag: &str| {
            client.get(format!("{address}{path}")).header("if-none-match", etag).send().await.unwrap()
        };
        let response = get("\"0\"").await;
        assert_eq!(response.status(), 200, "{path}");
        assert!(response.headers()["cache-control"].to_str().unwrap().starts_with("public, max-age="), "{path}");
        assert!(!response.headers()["vary"].to_str().unwrap().contains("Authorization"), "{path}");
        let etag = response.headers()["etag"].to_str().unwrap().to_string();
        assert_eq!(get(&etag).await.status(), 304, "{path}");
    }
    let docs = client.get(format!("{address}/docs/")).send().await.unwrap();
    let policy = docs.headers()["content-security-policy"].to_str().unwrap().to_string();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
}

/// Every path of the API and of the pages, as an anonymous client, a player and an app ask for it.
#[tokio::test]
async fn every_answer_says_who_may_keep_it() {
    let service = Service::by_rest(Database::Sqlite).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let app = service.app("club");
    let (client, address) = (Client::new(), &service.server.address);
    let openapi: Value = client.get(format!("{address}/openapi.json")).send().await.unwrap().json().await.unwrap();
    let of_api = openapi["paths"].as_object().unwrap().keys().cloned();
    let others =
        ["/", "/app.css", "/app.js", "/embed.js", "/explorer/", "/start/", "/docs", "/docs/", "/docs/docs.css"]
            .into_iter()
            .chain(["/docs/nothing.js", "/docs/swagger-nothing.js", "/play/game_1", "/record.schema.json", "/nowhere"])
            .chain(["/livez", "/readyz", "/version", "/metrics", "/graphql?query={__typename}", "/graphql?query={"]);
    let mut seen = 0;
    for path in of_api.chain(others.map(String::from)) {
        let path = path.replace("{id}", if path.starts_with("/v1/players") { &asha.id } else { &id });
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            for token in ["", &asha.token, &app.token, "mdn_ply_x"] {
                // Streams and long polls are read up to their head.
                let request = client.request(method.parse().unwrap(), format!("{address}{path}"));
                let request = if token.is_empty() { request } else { request.bearer_auth(token) };
                // Nothing is deleted or made: the body is of the wrong type.
                let request = if method == "DELETE" { request.header("maidan-act-as", "nobody") } else { request };
                let response = request.send().await.unwrap();
                let header =
                    |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_string();
                let (cache, vary) = (header("cache-control"), header("vary"));
                let is_api = path.starts_with("/v1/") || path.starts_with("/graphql");
                let is_private = cache == "private, no-store" && vary.contains("Authorization");
                let is_public = cache.starts_with("public, max-age=") || cache == "no-cache" || cache == "no-store";
                let is_same_for_all = path.starts_with("/v1/kinds");
                assert!(
                    is_private || (is_public && (!is_api || is_same_for_all)),
                    "{method} {path}: {cache:?}, Vary: {vary:?}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
    let metrics = client.get(format!("{address}/metrics")).send().await.unwrap();
    assert_eq!(metrics.status(), 404, "they are elsewhere");
}

#[tokio::test]
async fn a_page_of_another_origin_opens_no_socket() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_CORS_ORIGINS", "https://club.example")]).await;
    let open = async |origin: Option<&str>| {
        let url = format!("{}/graphql", service.server.address.replacen("http", "ws", 1));
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        tokio_tungstenite::connect_async(request).await.is_ok()
    };
    assert!(open(None).await, "programs send none");
    assert!(open(Some(&service.server.address)).await, "its own pages");
    assert!(open(Some("https://club.example")).await);
    for other in ["https://evil.example", "null", "https://club.example.evil.example"] {
        assert!(!open(Some(other)).await, "{other}");
    }
}

#[tokio::test]
async fn sockets_without_a_first_message_are_limited_by_address() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_MAX_ADDRESS_STREAMS", "3")]).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(crate::support::streams::socket(&service.server.address).await);
    }
    let mut refused = crate::support::streams::socket(&service.server.address).await;
    assert_eq!(crate::support::streams::receive(&mut refused).await, Err(4529));
    drop(open);
    eventually("there is room again", async || {
        let mut socket = crate::support::streams::socket(&service.server.address).await;
        crate::support::streams::send(&mut socket, json!({ "type": "connection_init" })).await;
        crate::support::streams::receive(&mut socket).await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn all_players_of_an_address_share_its_requests_and_apps_do_not() {
    let service = Service::with(Database::Sqlite, false, &[("MAIDAN_ADDRESS_REQUESTS_PER_SECOND", "5")]).await;
    let app = service.app("club");
    let mut people = Vec::new();
    for n in 0..4 {
        people.push(service.guest(&format!("Guest {n}")).await);
    }
    let mut refused = 0;
    for _ in 0..20 {
        for person in &people {
            refused += u32::from(service.call(person, "me", json!({})).await.is_err());
        }
    }
    assert!(refused > 0);
    for _ in 0..20 {
        service.ask(&app, "me", json!({})).await;
    }
}

#[tokio::test]
async fn the_log_says_who_did_what_without_secrets() {
    let home = Home::new(Database::Sqlite).await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let mut command = home.command();
    command.env("MAIDAN_LISTEN", &address).env("MAIDAN_LOG_FORMAT", "json").env("MAIDAN_MAX_TOKENS_PER_PLAYER", "2");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (client, address) = (Client::new(), format!("http://{address}"));
    eventually("it answers", async || client.get(format!("{address}/livez")).send().await.is_ok()).await;
    for _ in 0..5 {
        let mut garbage = std::net::TcpStream::connect(address.trim_start_matches("http://")).unwrap();
        garbage.write_all(b"\x16\x03\x01 this is not HTTP\r\n\r\n").unwrap();
        // It is refused and closed.
        let _ = garbage.read_to_end(&mut Vec::new());
    }
    let post = async |path: &str, token: &str, body: Value| -> Value {
        let request = client.post(format!("{address}{path}")).json(&body);
        let request = if token.is_empty() { request } else { request.bearer_auth(token) };
        request.send().await.unwrap().json().await.unwrap()
    };
    let asha = post("/v1/players", "", json!({ "name": "Asha" })).await;
    let (id, token) = (asha["player"]["id"].as_str().unwrap(), asha["token"]["token"].as_str().unwrap());
    let issued = post(&format!("/v1/players/{id}/tokens"), token, json!({})).await;
    let (issued_id, issued_token) = (issued["id"].as_str().unwrap(), issued["token"].as_str().unwrap());
    assert_eq!(post(&format!("/v1/players/{id}/tokens"), token, json!({})).await["code"], "LIMIT_REACHED");
    let game = post("/v1/games", token, json!({ "kind": "KALAH" })).await["id"].as_str().unwrap().to_string();
    post(&format!("/v1/games/{game}/cancel"), token, json!({})).await;
    let wrong = format!("mdn_ply_{}", "x".repeat(52));
    post("/v1/games", &wrong, json!({ "kind": "KALAH" })).await;
    let player = format!("{address}/v1/players/{id}");
    client.delete(format!("{player}/tokens/{issued_id}")).bearer_auth(token).send().await.unwrap();
    client.delete(&player).bearer_auth(token).send().await.unwrap();
    child.kill().unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    child.wait().unwrap();
    assert!(!log.contains("stream error"), "requests that are not HTTP do not fill the log: {log}");
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let said = |what: &str, field: &str, value: &str| {
        lines.iter().any(|line| line["target"] == "maidan::audit" && line["message"] == what && line[field] == value)
    };
    assert!(said("player registered", "player", id), "{log}");
    assert!(said("token issued", "token", issued_id) && said("token revoked", "token", issued_id), "{log}");
    assert!(said("limit reached", "limit", "tokens_per_player") && said("limit reached", "account", id), "{log}");
    assert!(said("game cancelled", "game", &game) && said("game cancelled", "actor", id), "{log}");
    assert!(said("authentication failed", "address", "127.0.0.1") && said("player deleted", "player", id), "{log}");
    for secret in [token, issued_token, wrong.as_str(), "Asha"] {
        assert!(!log.contains(secret), "{log}");
    }
}
