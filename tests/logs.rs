//! The server's log: lines that programs can read, and no secrets.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::server::Home;
use crate::support::{Database, eventually};

/// Runs a server with these variables while a guest registers, asks for what does not exist, and probes. Returns all that
/// the server printed, and the guest's token.
async fn logged(variables: &[(&str, &str)]) -> (String, String) {
    let home = Home::new(Database::Sqlite).await;
    let (out, err) = (home.directory.join("out"), home.directory.join("err"));
    let mut command = home.command();
    command.env("MAIDAN_LISTEN", "127.0.0.1:0").env("MAIDAN_DRAIN_SECONDS", "0").envs(variables.iter().copied());
    let mut child =
        command.stdout(Stdio::piped()).stderr(File::create(&err).expect("created")).spawn().expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut printed = String::new();
    let address = lines.find_map(|line| {
        let line = line.ok()?;
        printed.push_str(&line);
        printed.push('\n');
        let rest = line.split("http://").nth(1)?;
        Some(rest.split(['/', '"']).next().unwrap_or_default().to_string())
    });
    let address = format!("http://{}", address.expect("it says where it listens"));
    let client = Client::new();
    let registered = client.post(format!("{address}/v1/players")).json(&json!({ "name": "Asha" })).send().await;
    let registered: Value = registered.expect("it answers").json().await.expect("JSON");
    let token = registered["token"]["token"].as_str().expect("a token").to_string();
    let ask = client.get(format!("{address}/v1/games/game_1")).bearer_auth(&token).header("x-request-id", "ask-1");
    assert_eq!(ask.send().await.expect("it answers").status(), 404);
    client.get(format!("{address}/readyz")).send().await.expect("it answers");
    let stop = std::process::Command::new("kill").arg(child.id().to_string()).status().expect("kill is there");
    assert!(stop.success());
    printed.extend(lines.map_while(Result::ok).map(|line| line + "\n"));
    child.wait().expect("it ends");
    std::fs::write(out, &printed).expect("written");
    (printed + &std::fs::read_to_string(err).expect("the log"), token)
}

#[tokio::test]
async fn with_json_every_line_is_json_and_every_request_has_one() {
    let (printed, token) = logged(&[("MAIDAN_LOG_FORMAT", "json"), ("MAIDAN_MAX_PAGE", "50")]).await;
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(lines[0]["message"], "Maidan is running");
    assert!(lines[0]["version"].is_string() && lines[0]["settings"].to_string().contains("MAIDAN_MAX_PAGE=50"));
    let requests: Vec<&Value> = lines.iter().filter(|line| line["target"] == "maidan::access").collect();
    assert_eq!(requests.len(), 2, "a probe has no line: {printed}");
    let asked = requests.iter().find(|line| line["span"]["id"] == "ask-1").expect("a line with the request's id");
    assert_eq!((&asked["code"], &asked["status"]), (&json!("NOT_FOUND"), &json!(404)));
    assert!(asked["caller"].as_str().is_some_and(|caller| caller.starts_with("player_")), "{asked}");
    assert!(asked["ms"].is_number() && asked["operation"].is_string(), "{asked}");
    assert!(!printed.contains(&token) && !printed.contains("Asha"));
}

#[tokio::test]
async fn with_json_an_error_at_the_start_is_json_too() {
    let home = Home::new(Database::Sqlite).await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("it is bound").to_string();
    for (name, value) in
        [("MAIDAN_LISTEN", address.as_str()), ("MAIDAN_CORS_ORIGINS", "example.org"), ("MAIDAN_MAX_PAGE", "0")]
    {
        let mut command = home.command();
        let output = command.env("MAIDAN_LOG_FORMAT", "json").env(name, value).output().expect("the program runs");
        assert!(!output.status.success(), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(lines.iter().any(|line| line["level"] == "ERROR" && line.to_string().contains(name)), "{said}");
    }
}

#[tokio::test]
async fn a_log_in_a_file_has_no_colours_and_the_lines_of_requests_can_be_left_out() {
    let (printed, _) = logged(&[]).await;
    assert!(!printed.contains('\u{1b}'), "{printed}");
    assert!(printed.contains(" is running.") && printed.contains("ask-1"), "{printed}");
    let (printed, _) = logged(&[("MAIDAN_LOG_REQUESTS", "false")]).await;
    assert!(!printed.contains("ask-1"), "{printed}");
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_named_with_the_cause() {
    let home = Home::new(Database::Sqlite).await;
    let url = "postgres://me:hush@127.0.0.1:1/games";
    let err = home.directory.join("err");
    let mut command = home.command();
    command.env("DATABASE_URL", url).env("MAIDAN_LISTEN", "127.0.0.1:0").stdout(Stdio::null());
    let mut child = command.stderr(File::create(&err).expect("created")).spawn().expect("the program starts");
    let said = || std::fs::read_to_string(&err).unwrap_or_default();
    // It waits until the database is there.
    eventually("the database is named", async || said().contains("127.0.0.1:1/games") && said().contains("refused"))
        .await;
    child.kill().expect("it still waits");
    child.wait().expect("it ends");
    assert!(!said().contains("hush"), "{}", said());
}
