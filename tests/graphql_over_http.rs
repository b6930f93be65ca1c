//! GraphQL over HTTP: the requirements of the specification, and protection from cross-site requests.

use std::process::Command;
use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::support::server::repository;
use crate::support::{Database, Service};

async fn service() -> Service {
    Service::by_graphql(Database::Sqlite).await
}

async fn post(service: &Service, query: &str) -> Response {
    let request = Client::new().post(format!("{}/graphql", service.server.address));
    let request = request.header("accept", "application/graphql-response+json").json(&json!({ "query": query }));
    request.send().await.unwrap()
}

#[tokio::test]
async fn all_audits_of_graphql_over_http_pass() {
    let service = service().await;
    let peers = repository().join("target/test-peers");
    assert!(peers.join("node_modules").exists(), "run the tests by ./test, which fetches the audit");
    let script = "import { auditServer } from 'graphql-http';
        const results = await auditServer({ url: process.argv[1], fetchFn: fetch });
        const bad = results.filter((result) => result.status !== 'ok');
        for (const result of bad) console.log(result.status, result.id, result.name, result.reason);
        console.log(results.length - bad.length, 'of', results.length);
        process.exit(bad.length || results.length < 61 ? 1 : 0);";
    let url = format!("{}/graphql", service.server.address);
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", script, &url])
        .current_dir(&peers)
        .output()
        .expect("node is there");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test]
async fn a_mutation_comes_by_post_in_json_or_not_at_all() {
    let service = service().await;
    let url = format!("{}/graphql", service.server.address);
    let mutation = r#"mutation { registerPlayer(input: { name: "X" }) { player { id } } }"#;
    let client = Client::new();
    let parameters = serde_urlencoded::to_string([("query", mutation)]).unwrap();
    let by_get = client.get(format!("{url}?{parameters}")).send().await.unwrap();
    assert_eq!(by_get.status(), 405);
    assert_eq!(by_get.headers()["allow"], "POST");
    let named = serde_urlencoded::to_string([
        ("query", format!("query A {{ kinds {{ kind }} }} {}", mutation.replacen("mutation", "mutation B", 1))),
        ("operationName", "B".into()),
    ])
    .unwrap();
    assert_eq!(client.get(format!("{url}?{named}")).send().await.unwrap().status(), 405);
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/graphql"]
    {
        let body = json!({ "query": mutation }).to_string();
        let response = client.post(&url).header("content-type", content_type).body(body).send().await.unwrap();
        assert_eq!(response.status(), 415, "{content_type}");
    }
    let form = client.post(&url).header("content-type", "application/x-www-form-urlencoded").body(parameters);
    assert_eq!(form.send().await.unwrap().status(), 415);
    let batch = client.post(&url).json(&json!([{ "query": mutation }, { "query": mutation }])).send().await.unwrap();
    assert_eq!(batch.status(), 400);
    assert_eq!(client.put(&url).send().await.unwrap().status(), 405);
    let players = post(&service, "{ games { nodes { id } } }").await;
    assert_eq!(players.status(), 200);
}

#[tokio::test]
async fn deep_wide_and_much_aliased_queries_are_refused() {
    let service = service().await;
    let deep = format!("{{ {} name {} }}", "kinds { rules { id ".repeat(25), "} } ".repeat(25));
    let aliased: String = (0..200).map(|i| format!("k{i}: kinds {{ kind }} ")).collect();
    let nested = format!("{{ {}__typename{} }}", "... on Query { ".repeat(500), " }".repeat(500));
    let wide = "{ games(first: 100) { nodes { log(first: 100) { nodes { version what seat ply notation events { text } } } } } }";
    // A product that overflows every integer type.
    let huge = "{ games(first: 2147483647) { nodes { log(first: 2147483647) { nodes { version what seat ply } } } } }";
    // Few fields, but each of them needs a query to the store.
    let many = format!(
        "{{ games(first: 100) {{ nodes {{ {} }} }} }}",
        (0..10).map(|n| format!("log{n}: log(first: 1) {{ pageInfo {{ hasNextPage }} }} ")).collect::<String>()
    );
    for query in [deep, format!("{{ {aliased} }}"), nested, wide.into(), huge.into(), many, "{".repeat(10_000)] {
        let response = post(&service, &query).await;
        assert_eq!(response.status(), 400, "{}", &query[..80]);
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT");
        assert!(answer.get("data").is_none());
    }
    assert_eq!(post(&service, "{ kinds { kind } }").await.status(), 200, "it is well after all that");
}

#[tokio::test]
async fn fragments_do_not_make_a_small_query_huge() {
    let service = service().await;
    let doubling: String = (0..30).map(|i| format!("fragment f{i} on Query {{ ...f{0} ...f{0} }} ", i + 1)).collect();
    let doubling = format!("{{ ...f0 }} {doubling} fragment f30 on Query {{ __typename }}");
    let product = format!(
        "{{ ...a }} fragment a on Query {{ {} }} fragment b on Query {{ {} }}",
        "...b ".repeat(5000),
        "__typename ".repeat(2000)
    );
    let endless = "{ ...a } fragment a on Query { ...b ...b } fragment b on Query { ...a ...a }".to_string();
    for query in [doubling, product, endless] {
        let asked = tokio::time::timeout(Duration::from_secs(20), post(&service, &query)).await;
        let response = asked.expect("it is refused before anybody walks through it");
        assert_eq!(response.status(), 400);
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT");
    }
    let fair = "{ ...a ...a } fragment a on Query { kinds { ...b } } fragment b on Rulebook { kind title }";
    assert_eq!(post(&service, fair).await.status(), 200);
}

#[tokio::test]
async fn a_refusal_before_execution_has_its_headers_too() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_AUTH_FAILURES_PER_MINUTE", "1")]).await;
    let ask = async || {
        let request = Client::new().post(format!("{}/graphql", service.server.address)).bearer_auth("wrong");
        request.json(&json!({ "query": "{ kinds { kind } }" })).send().await.unwrap()
    };
    let unknown = ask().await;
    assert_eq!((unknown.status().as_u16(), &unknown.headers()["www-authenticate"]), (401, &"Bearer".parse().unwrap()));
    let hasty = ask().await;
    assert_eq!(hasty.status(), 429);
    let seconds: u64 = hasty.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=61).contains(&seconds));
}

#[tokio::test]
async fn anything_can_be_found_by_its_id() {
    let service = service().await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let query = format!(
        r#"{{ game: node(id: "{id}") {{ id __typename }} player: node(id: "{}") {{ id __typename }} none: node(id: "x_1") {{ id }} }}"#,
        asha.id
    );
    let answer: Value = post(&service, &query).await.json().await.unwrap();
    assert_eq!(answer["data"]["game"], json!({ "id": id, "__typename": "Game" }));
    assert_eq!(answer["data"]["player"], json!({ "id": asha.id, "__typename": "Player" }));
    assert_eq!(answer["data"]["none"], Value::Null);
    assert_eq!(answer["errors"][0]["extensions"]["code"], "NOT_FOUND");
}

#[tokio::test]
async fn only_listed_origins_may_call_from_a_browser() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_CORS_ORIGINS", "https://play.example")]).await;
    let ask = async |origin: &str| {
        let request = Client::new().get(format!("{}/v1/kinds", service.server.address)).header("origin", origin);
        request.send().await.unwrap().headers().get("access-control-allow-origin").cloned()
    };
    assert_eq!(ask("https://play.example").await.unwrap(), "https://play.example");
    assert_eq!(ask("https://evil.example").await, None);
}

#[tokio::test]
async fn errors_point_at_the_query_from_line_1_or_nowhere() {
    let service = service().await;
    let error = async |query: &str| {
        let answer: Value = post(&service, query).await.json().await.unwrap();
        answer["errors"][0].clone()
    };
    assert_eq!(error("{\n  nothing }").await["locations"], json!([{ "line": 2, "column": 3 }]));
    assert_eq!(error("{ kinds ").await["locations"], json!([{ "line": 1, "column": 9 }]));
    let refused = error("{\n\n  me { player { id } } }").await;
    assert_eq!((&refused["locations"], &refused["path"]), (&json!([{ "line": 3, "column": 3 }]), &json!(["me"])));

    let client = reqwest::Client::new();
    let url = format!("{}/graphql", service.server.address);
    for (body, code) in [
        (json!({}), "INVALID_INPUT"),
        (json!({ "query": "subscription { inboxChanged { cursor } }" }), "INVALID_INPUT"),
        (json!({ "extensions": { "persistedQuery": {} } }), "PERSISTED_QUERY_NOT_SUPPORTED"),
    ] {
        let response = client.post(&url).json(&body).send().await.unwrap();
        assert_eq!(response.status(), 400);
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["errors"][0]["locations"], Value::Null, "{answer}");
        assert_eq!(answer["errors"][0]["extensions"]["code"], code);
    }
}

#[tokio::test]
async fn persisted_queries_are_refused_in_the_words_that_clients_know() {
    let service = service().await;
    let by_hash = json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": "0" } } });
    let url = format!("{}/graphql", service.server.address);
    let answer: Value = reqwest::Client::new().post(url).json(&by_hash).send().await.unwrap().json().await.unwrap();
    let error =
        json!({ "message": "PersistedQueryNotSupported", "extensions": { "code": "PERSISTED_QUERY_NOT_SUPPORTED" } });
    assert_eq!(answer, json!({ "errors": [error] }));
}

#[tokio::test]
async fn the_schema_says_how_times_are_written() {
    let service = service().await;
    let answer = post(&service, r#"{ __type(name: "Time") { specifiedByURL } }"#).await;
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["data"]["__type"]["specifiedByURL"], "https://www.rfc-editor.org/rfc/rfc3339");
}
