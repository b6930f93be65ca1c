//! HTTP itself: methods, headers and problem documents, as any client, cache or proxy reads them.

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::support::{Database, Service};

async fn service(variables: &[(&str, &str)]) -> Service {
    Service::with(Database::Sqlite, false, variables).await
}

fn request(service: &Service, method: &str, path: &str) -> RequestBuilder {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    Client::new().request(method, format!("{}{path}", service.server.address))
}

async fn send(service: &Service, method: &str, path: &str) -> Response {
    request(service, method, path).send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// A comma-separated header, sorted and in lower case.
fn list(response: &Response, name: &str) -> Vec<String> {
    let mut names: Vec<String> = header(response, name).split(", ").map(str::to_lowercase).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let service = service(&[]).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let game = format!("/v1/games/{id}");
    let stream = format!("{game}/events");
    for path in ["/", "/livez", "/openapi.json", "/v1/kinds", "/graphql?query={__typename}", &game, "/v1/nowhere"] {
        let answer = async |method| request(&service, method, path).bearer_auth(&asha.token).send().await.unwrap();
        let (get, head) = (answer("GET").await, answer("HEAD").await);
        assert_eq!(head.status(), get.status(), "{path}");
        for name in ["content-type", "content-length", "etag", "vary", "cache-control"] {
            assert_eq!(header(&head, name), header(&get, name), "{name} of {path}");
        }
        assert_ne!(header(&head, "content-length"), "0", "{path}");
        assert_eq!(head.text().await.unwrap(), "", "{path}");
    }
    let head = send(&service, "HEAD", &stream).await;
    assert_eq!((head.status().as_u16(), header(&head, "content-type")), (200, "text/event-stream"));
    assert_eq!(head.text().await.unwrap(), "", "it ends at once");
}

#[tokio::test]
async fn a_wrong_method_learns_the_right_ones() {
    let service = service(&[]).await;
    let cases = [
        ("PUT", "/v1/games", "GET, HEAD, POST, OPTIONS"),
        ("GET", "/v1/join", "POST, OPTIONS"),
        ("HEAD", "/v1/games/game_1/moves", "POST, OPTIONS"),
        ("POST", "/v1/players/player_1/tokens/token_1", "DELETE, OPTIONS"),
        ("DELETE", "/", "GET, HEAD, OPTIONS"),
        ("DELETE", "/graphql", "GET, HEAD, POST, OPTIONS"),
    ];
    for (method, path, allow) in cases {
        let refused = send(&service, method, path).await;
        assert_eq!((refused.status().as_u16(), header(&refused, "allow")), (405, allow), "{method} {path}");
        if method != "HEAD" {
            let problem: Value = refused.json().await.unwrap();
            let code = problem.get("code").unwrap_or(&problem["errors"][0]["extensions"]["code"]);
            assert_eq!(code, "METHOD_NOT_ALLOWED", "{method} {path}");
        }
        let options = send(&service, "OPTIONS", path).await;
        assert_eq!((options.status().as_u16(), header(&options, "allow")), (204, allow), "{path}");
    }
    assert_eq!(send(&service, "OPTIONS", "/v1/nowhere").await.status(), 404);
}

#[tokio::test]
async fn a_page_of_another_origin_may_send_and_read_all_headers_of_the_api() {
    let service = service(&[("MAIDAN_CORS_ORIGINS", "https://play.example")]).await;
    let preflight = async |origin: &str| {
        let request = request(&service, "OPTIONS", "/v1/games").header("origin", origin);
        request.header("access-control-request-method", "POST").send().await.unwrap()
    };
    let allowed = preflight("https://play.example").await;
    assert_eq!(allowed.status(), 204);
    assert_eq!(header(&allowed, "access-control-allow-origin"), "https://play.example");
    assert!(list(&allowed, "access-control-allow-methods").contains(&"delete".into()));
    let sent = list(&allowed, "access-control-allow-headers");
    for name in ["authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id", "maidan-act-as"]
    {
        assert!(sent.contains(&name.to_string()), "{name}");
    }
    assert!(["traceparent", "tracestate", "x-request-id"].iter().all(|name| sent.contains(&name.to_string())));
    for name in ["origin", "access-control-request-method", "access-control-request-headers"] {
        assert!(list(&allowed, "vary").contains(&name.to_string()), "{name}");
    }

    let refused = preflight("https://other.example").await;
    assert_eq!((refused.status().as_u16(), header(&refused, "access-control-allow-origin")), (204, ""));

    let get = request(&service, "GET", "/v1/games").header("origin", "https://play.example").send().await.unwrap();
    let read = list(&get, "access-control-expose-headers");
    for name in ["etag", "link", "location", "ratelimit-remaining", "retry-after", "traceparent", "x-request-id"] {
        assert!(read.contains(&name.to_string()), "{name}");
    }
}

#[tokio::test]
async fn vary_names_every_header_that_matters() {
    let origins = [("MAIDAN_CORS_ORIGINS", "https://play.example")];
    let (alone, shared) = (service(&[]).await, service(&origins).await);
    let vary = async |service: &Service, path: &str, encoding: &str| {
        let request = request(service, "GET", path).header("accept-encoding", encoding);
        list(&request.send().await.unwrap(), "vary")
    };
    for encoding in ["gzip", "identity"] {
        assert_eq!(vary(&alone, "/", encoding).await, ["accept-encoding"]);
        let own = ["accept-encoding", "authorization", "maidan-act-as"];
        assert_eq!(vary(&alone, "/v1/kinds", encoding).await, ["accept-encoding"], "the same for everyone");
        assert_eq!(vary(&alone, "/v1/games", encoding).await, own);
        assert_eq!(vary(&alone, "/v1/me", encoding).await, own, "refusals too");
        let graphql = "/graphql?query={__typename}";
        assert_eq!(vary(&alone, graphql, encoding).await, [&["accept"][..], &own].concat());
        assert_eq!(vary(&shared, "/v1/games", encoding).await, [&own[..], &["origin"]].concat());
    }
}

#[tokio::test]
async fn an_etag_is_weak_and_any_matches_a_star() {
    let service = service(&[]).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let get = async |tag: Option<&str>, encoding: &str| {
        let request = request(&service, "GET", &format!("/v1/games/{id}")).bearer_auth(&asha.token);
        let request = request.header("accept-encoding", encoding);
        let request = tag.into_iter().fold(request, |request, tag| request.header("if-none-match", tag));
        request.send().await.unwrap()
    };
    let plain = get(None, "identity").await;
    let tag = header(&plain, "etag");
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(header(&get(None, "gzip").await, "etag"), tag, "the same game, whatever its encoding");
    let strong = tag.trim_start_matches("W/");
    for known in [tag, strong, "*", &format!("\"0\", {tag}")] {
        let same = get(Some(known), "gzip").await;
        assert_eq!((same.status().as_u16(), header(&same, "etag")), (304, tag), "{known}");
    }
    assert_eq!(get(Some("\"0\""), "gzip").await.status(), 200);
}

#[tokio::test]
async fn pages_link_to_the_next_one() {
    let service = service(&[]).await;
    let asha = service.guest("Asha").await;
    for _ in 0..3 {
        service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    }
    let mut path = "/v1/me/games?kind=KALAH&first=2".to_string();
    let mut found = Vec::new();
    loop {
        let response = request(&service, "GET", &path).bearer_auth(&asha.token).send().await.unwrap();
        let link = header(&response, "link").to_string();
        let page: Value = response.json().await.unwrap();
        found.extend(page["items"].as_array().unwrap().iter().map(|game| game["id"].clone()));
        match link.strip_prefix('<').and_then(|rest| rest.strip_suffix(">; rel=\"next\"")) {
            Some(next) => path = next.to_string(),
            None => {
                assert_eq!((link.as_str(), &page["hasMore"]), ("", &json!(false)));
                break;
            }
        }
    }
    assert_eq!(found.len(), 3);
    let log = format!("/v1/games/{}/log?first=1", found[0].as_str().unwrap());
    let response = request(&service, "GET", &log).bearer_auth(&asha.token).send().await.unwrap();
    assert!(header(&response, "link").ends_with("/log?first=1&after=1>; rel=\"next\""));
}

#[tokio::test]
async fn responses_tell_how_much_of_the_rate_limit_is_left() {
    let limits = [("MAIDAN_REQUESTS_PER_SECOND", "5"), ("MAIDAN_MOVES_PER_SECOND", "3")];
    for by_graphql in [false, true] {
        let service = Service::with(Database::Sqlite, by_graphql, &limits).await;
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let ask = async |operation: &str, input: Value| {
            let request = service.client.request(Some(&asha.token), None, operation, input).await;
            request.send().await.unwrap()
        };
        let number = |response: &Response, name: &str| header(response, name).parse::<u32>().unwrap();
        let me = ask("me", json!({})).await;
        assert_eq!(number(&me, "ratelimit-limit"), 5);
        assert!(number(&me, "ratelimit-remaining") < 5 && number(&me, "ratelimit-reset") == 1);
        let mv = ask("playMove", json!({ "gameId": id, "notation": "0" })).await;
        // A GraphQL document that selects everything about a game costs more than a move.
        assert_eq!(number(&mv, "ratelimit-limit"), 3, "moves count apart");
        assert!(number(&mv, "ratelimit-remaining") < 3);
    }
    let service = service(&[("MAIDAN_REGISTRATIONS_PER_MINUTE", "1")]).await;
    service.guest("Asha").await;
    let refused = request(&service, "POST", "/v1/players").json(&json!({ "name": "Ben" })).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), header(&refused, "ratelimit-remaining")), (429, "0"));
    assert_eq!(header(&refused, "ratelimit-reset"), "60");
}

#[tokio::test]
async fn a_client_that_asks_for_http_2_is_answered_and_learns_that_its_connection_ends() {
    let service = service(&[]).await;
    let upgrade =
        [("connection", "Upgrade, HTTP2-Settings"), ("upgrade", "h2c"), ("http2-settings", "AAMAAABkAAQCAAAA")];
    let mut asked = request(&service, "POST", "/v1/players").json(&json!({ "name": "Asha" }));
    for (name, value) in upgrade {
        asked = asked.header(name, value);
    }
    let response = asked.send().await.unwrap();
    assert_eq!((response.status().as_u16(), header(&response, "connection")), (201, "close"));
}

#[tokio::test]
async fn a_request_keeps_the_id_and_the_trace_that_its_client_gave_it() {
    let service = service(&[]).await;
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for path in ["/v1/me", "/graphql?query={me{id}}"] {
        let request = request(&service, "GET", path).header("x-request-id", "order-17").header("traceparent", trace);
        let response = request.send().await.unwrap();
        assert_eq!((header(&response, "x-request-id"), header(&response, "traceparent")), ("order-17", trace));
    }
    let strange = request(&service, "GET", "/v1/me").header("x-request-id", "a b").header("traceparent", "00-1-2-3");
    let response = strange.send().await.unwrap();
    assert_eq!((header(&response, "x-request-id").len(), header(&response, "traceparent")), (32, ""));
    let id = header(&response, "x-request-id").to_string();
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["instance"], format!("urn:maidan:request:{id}"), "the problem names its request");
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_explained_value_by_value() {
    let service = service(&[]).await;
    let asha = service.guest("Asha").await;
    let refusal = async |method: &str, path: &str, body: &str| {
        let request = request(&service, method, path).bearer_auth(&asha.token);
        let request = request.header("content-type", "application/json").body(body.to_string());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400, "{path} {body}");
        response.json::<Value>().await.unwrap()
    };
    let problem = refusal("POST", "/v1/games", r#"{"kind": "KALAH", "options": {"kalah": {"pockets": "six"}}}"#).await;
    assert_eq!(problem["detail"], "options.kalah.pockets must be a whole number.");
    let error = json!({ "pointer": "/options/kalah/pockets", "detail": "must be a whole number" });
    assert_eq!((&problem["errors"], &problem["code"]), (&json!([error]), &json!("INVALID_INPUT")));
    let problem = refusal("GET", "/v1/games?status=LOST", "").await;
    assert_eq!(problem["errors"][0]["pointer"], "/status");

    let bodies =
        ["{", "[]", "7", "null", "{\"kind\":\"CHESS\"}", "{\"kind\":null}", "{\"kind\":{}}", "{\"x\":1}", "\u{0}"];
    for body in bodies {
        let detail = refusal("POST", "/v1/games", body).await["detail"].to_string();
        for word in ["expected", "variant", "column", "struct", "EOF", "i32", "line "] {
            assert!(!detail.contains(word), "the parser's words: {detail}");
        }
    }
}

#[tokio::test]
async fn a_token_without_bearer_is_told_so() {
    let service = service(&[]).await;
    let asha = service.guest("Asha").await;
    let refused = request(&service, "GET", "/v1/me").header("authorization", &asha.token).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), header(&refused, "www-authenticate")), (401, "Bearer"));
    let problem: Value = refused.json().await.unwrap();
    assert!(problem["detail"].as_str().unwrap().contains("Authorization: Bearer"), "{problem}");
}

#[tokio::test]
async fn a_wrong_number_of_seats_is_refused_with_the_right_one() {
    let service = service(&[]).await;
    let asha = service.guest("Asha").await;
    let seats = json!([{ "me": true }, { "open": true }, { "open": true }]);
    let refused = service.refusal(&asha, "createGame", json!({ "kind": "KALAH", "seats": seats })).await;
    assert_eq!(refused.text, "Kalah has 2 seats, not 3.");
}

#[tokio::test]
async fn pages_are_small_kept_and_open_to_every_origin() {
    let service = service(&[("MAIDAN_CORS_ORIGINS", "https://play.example")]).await;
    let get = async |path: &str, name: &'static str, value: &str| {
        request(&service, "GET", path).header(name, value).send().await.unwrap()
    };
    for path in ["/", "/play/game_1", "/icon.svg"] {
        let plain = get(path, "origin", "https://elsewhere.example").await;
        assert_eq!((plain.status().as_u16(), header(&plain, "access-control-allow-origin")), (200, "*"), "{path}");
        assert_eq!(header(&plain, "cache-control"), "no-cache", "{path}");
        let policy = header(&plain, "content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        let tag = header(&plain, "etag").to_string();
        let small = get(path, "accept-encoding", "gzip").await;
        assert_eq!((header(&small, "content-encoding"), header(&small, "etag")), ("gzip", tag.as_str()), "{path}");
        let known = get(path, "if-none-match", &tag).await;
        assert_eq!((known.status().as_u16(), header(&known, "etag")), (304, tag.as_str()), "{path}");
        assert!(small.bytes().await.unwrap().len() < plain.bytes().await.unwrap().len(), "{path}");
        let refused = send(&service, "POST", path).await;
        assert_eq!((refused.status().as_u16(), header(&refused, "allow")), (405, "GET, HEAD, OPTIONS"), "{path}");
    }
}
