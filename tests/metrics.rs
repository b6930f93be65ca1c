//! Metrics: what they count, that clients cannot lengthen them, and that alerts and the dashboard ask for what is served.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::server::repository;
use crate::support::{Database, Service, eventually};

async fn served(service: &Service) -> String {
    let response = reqwest::get(&service.server.metrics).await.expect("it answers");
    response.text().await.expect("metrics are text")
}

/// At one server, because each counts what it does itself.
#[tokio::test]
async fn operators_see_what_players_do() {
    for database in [Database::Sqlite, Database::Postgres] {
        for by_graphql in [true, false] {
            players_are_counted(Service::with(database, by_graphql, &[]).await).await;
        }
    }
}

async fn players_are_counted(service: Service) {
    let server = &service.server;
    let count = async |series: &str| server.count(series).await;
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    service.play(&asha, &id, "0").await;
    service.refusal(&asha, "playMove", json!({ "gameId": id, "notation": "0" })).await;
    service.ask(&ben, "resign", json!({ "gameId": id })).await;
    assert_eq!(count(r#"maidan_games_started_total{kind="KALAH"}"#).await, 1);
    assert_eq!(count(r#"maidan_games_ended_total{kind="KALAH",as="over"}"#).await, 1);
    let metrics = served(&service).await;
    let moved = ["POST /v1/games/{id}/moves", "mutation playMove"];
    let has = |code: &str| {
        moved.iter().any(|of| metrics.contains(&format!(r#"maidan_requests_total{{operation="{of}",code="{code}"}}"#)))
    };
    assert!(has("OK") && has("NOT_YOUR_TURN"), "{metrics}");
    for name in [
        "maidan_store_seconds_bucket",
        "maidan_store_wait_seconds_bucket",
        r#"maidan_store_statement_seconds_bucket{statement="INSERT players""#,
        r#"maidan_cache_total{cache="tokens",result="miss"}"#,
        "maidan_build_info{",
    ] {
        assert!(metrics.contains(name), "{name}");
    }
}

/// Requests that name what does not exist, different ones for each round.
async fn nonsense(service: &Service, round: usize) {
    let client = Client::new();
    let url = |path: String| format!("{}{path}", service.server.address);
    for number in 0..20 {
        let made_up = format!("x{round}y{number}");
        for path in
            [format!("/{made_up}"), format!("/v1/games/{made_up}"), format!("/v1/{made_up}/moves"), "/v1/games".into()]
        {
            for method in [made_up.to_uppercase().as_str(), "GET", "POST", "OPTIONS", "TRACE"] {
                let method = Method::from_bytes(method.as_bytes()).expect("a token");
                let request = client.request(method, url(path.clone())).header("x-request-id", &made_up);
                request.bearer_auth(&made_up).send().await.expect("it answers");
            }
        }
        for query in [
            format!("query {made_up} {{ kinds {{ kind }} }}"),
            format!("{{ {made_up} }}"),
            format!("mutation {{ {made_up} }}"),
            format!("{{ {made_up}: kind(id: {made_up}) {{ kind }} }}"),
            made_up.clone(),
        ] {
            client.post(url("/graphql".into())).json(&json!({ "query": query })).send().await.expect("it answers");
        }
    }
}

#[tokio::test]
async fn clients_cannot_add_series() {
    let service = Service::by_rest(Database::Sqlite).await;
    nonsense(&service, 1).await;
    let series = async || {
        let metrics = served(&service).await;
        let lines = metrics.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_string())).collect::<BTreeSet<String>>()
    };
    // The first time, the request for the metrics is not among them.
    series().await;
    let before = series().await;
    nonsense(&service, 2).await;
    let after = series().await;
    let added: Vec<&String> = after.difference(&before).filter(|name| name.starts_with("maidan_requests")).collect();
    assert!(added.is_empty(), "{added:?}");
    assert!(after.len() < 600, "{} series", after.len());
    assert!(!after.iter().any(|name| name.contains("x1y") || name.contains("X1Y")));
}

/// A service that has done a little of everything.
async fn busy(database: Database) -> Service {
    let service = Service::with(database, false, &[]).await;
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let mut stream = service.follow(&ben, &id, None).await;
    service.play(&asha, &id, "0").await;
    stream.next().await;
    let seats = json!([{ "bot": { "level": 1 } }, { "me": true }]);
    let solo = json!({ "kind": "KALAH", "seats": seats, "options": { "kalah": { "firstSeat": 0 } } });
    service.ask(&asha, "createGame", solo).await;
    // A bot's move is counted after it was committed.
    let counted = async {
        while service.server.count("maidan_bot_moves_total").await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), counted).await.expect("a bot moves");
    service
}

#[tokio::test]
async fn promtool_finds_no_fault_with_the_metrics() {
    let metrics = served(&busy(Database::Postgres).await).await;
    let mut command = tokio::process::Command::new("promtool");
    command.args(["check", "metrics"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut check = command.spawn().expect("promtool is installed");
    check.stdin.take().expect("piped").write_all(metrics.as_bytes()).await.expect("it reads");
    let output = check.wait_with_output().await.expect("it ends");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && said.trim().is_empty(), "{said}");
}

/// The metrics of an expression, each with the labels by which it is selected.
fn selected(expression: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(start) = ["maidan_", "process_"].iter().filter_map(|prefix| rest.find(prefix)).min() {
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_string();
        rest = &rest[end..];
        let mut labels = BTreeSet::new();
        if let Some(inside) = rest.strip_prefix('{') {
            // Values are quoted, and may hold braces.
            for (index, part) in inside.split('"').enumerate() {
                if index % 2 == 0 {
                    let label = part.trim_start_matches(['}', ',', ' ']).trim_end_matches(['=', '~', '!', ' ']);
                    if part.starts_with('}') {
                        break;
                    }
                    labels.insert(label.to_string());
                }
            }
        }
        found.push((name, labels));
    }
    found
}

fn committed(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The alerts by name, with their expressions.
fn alerts() -> BTreeMap<String, String> {
    let text = committed("deploy/prometheus/alerts.yml");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let named = lines.iter().enumerate().filter_map(|(index, line)| Some((index, line.strip_prefix("- alert: ")?)));
    let expression =
        |index: usize| lines[index + 1].strip_prefix("expr: ").expect("the expression follows").to_string();
    named.map(|(index, name)| (name.to_string(), expression(index))).collect()
}

#[tokio::test]
async fn alerts_and_the_dashboard_ask_for_metrics_that_are_served() {
    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let service = busy(Database::Postgres).await;
    // A hint is sent after the commit, and measured when it comes back.
    eventually("a hint is measured", async || served(&service).await.contains("maidan_hint_lag_seconds_bucket")).await;
    let metrics = served(&service).await;
    for line in metrics.lines().filter(|line| line.starts_with("maidan_") || line.starts_with("process_")) {
        let series = line.rsplit_once(' ').expect("a value").0;
        for (name, of) in selected(series) {
            labels.entry(name).or_default().extend(of);
        }
    }
    let dashboard: Value = serde_json::from_str(&committed("deploy/grafana/maidan.json")).expect("JSON");
    let mut expressions: Vec<String> = alerts().into_values().collect();
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().into_iter().flatten() {
            expressions.push(target["expr"].as_str().expect("an expression").into());
        }
    }
    assert!(expressions.len() > 20);
    for expression in expressions {
        for (name, by) in selected(&expression) {
            let known = labels.get(&name).unwrap_or_else(|| panic!("{name} is not served: {expression}"));
            let by: BTreeSet<String> =
                by.into_iter().filter(|label| !["job", "instance"].contains(&label.as_str())).collect();
            assert!(by.is_subset(known), "{expression}: {name} has {known:?}");
        }
    }
}

#[tokio::test]
async fn every_alert_is_valid_and_explained() {
    let mut check = tokio::process::Command::new("promtool");
    check.args(["check", "rules", "deploy/prometheus/alerts.yml"]).current_dir(repository());
    let output = check.output().await.expect("promtool is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let guide = committed("docs/alerts.md");
    for name in alerts().keys() {
        let paragraph =
            guide.split(&format!("## {name}\n")).nth(1).unwrap_or_else(|| panic!("{name} is not explained"));
        let paragraph = paragraph.split("\n## ").next().unwrap_or_default();
        assert!(paragraph.contains("**What to do:**") && paragraph.len() > 120, "{name}");
    }
    let explained = guide.matches("\n## Maidan").count();
    assert_eq!(explained, alerts().len(), "no paragraph is about an alert that does not exist");
}
