//! Runs the commands of the README word for word.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::server::{Home, repository};
use crate::support::{Database, Server, Service};

#[tokio::test]
async fn the_game_in_the_readme_is_played_to_its_end() {
    let readme = readme();
    let section = readme.split("## Play a game with curl").nth(1).expect("it plays a game");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks: Vec<&str> = section.split("```sh\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert!(!blocks.is_empty());
    let home = Home::new(Database::Sqlite).await;
    let server = Server::start(&home, &[]).await;
    // Port 8080 may be in use here. Only the port is changed.
    let script = blocks.join("\n").replace("http://127.0.0.1:8080", &server.address);
    let output =
        Command::new("bash").args(["-euo", "pipefail", "-c", &script]).output().expect("bash and curl are there");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(r#""status":"OVER""#) || said.contains(r#""status": "OVER""#), "{said}");
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).expect("there is a README")
}

/// The rows of the table that begins with these columns, cell by cell.
fn rows(head: &str) -> Vec<Vec<String>> {
    let readme = readme();
    let table = readme.split(head).nth(1).unwrap_or_else(|| panic!("no table {head}"));
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    lines.map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().replace('`', "")).collect()).collect()
}

#[tokio::test]
async fn the_readme_lists_every_kind_with_its_seats() {
    let service = Service::by_rest(Database::Sqlite).await;
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("anybody may ask");
    let served: Vec<(String, String)> = kinds
        .as_array()
        .expect("a list")
        .iter()
        .map(|kind| {
            let (least, most) = (&kind["leastSeats"], &kind["mostSeats"]);
            let seats = if least == most { least.to_string() } else { format!("{least}–{most}") };
            (kind["kind"].as_str().unwrap().to_string(), seats)
        })
        .collect();
    let listed: Vec<(String, String)> =
        rows("| kind | seats | what it is |").into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    assert_eq!(listed, served);
    for row in rows("| kind | notation | structured |") {
        let seats = if row[0] == "MAHOLA" { 3 } else { 2 };
        let (id, people) = service.table(&row[0], json!({}), seats).await;
        let structured: Value = serde_json::from_str(&row[2]).unwrap_or_else(|error| panic!("{row:?}: {error}"));
        let one = service.ask(&people[0], "explain", json!({ "gameId": id, "notation": row[1] })).await;
        let other = service.ask(&people[0], "explain", json!({ "gameId": id, "move": structured })).await;
        assert_eq!(one, other, "{row:?}");
    }
}

#[test]
fn the_readme_shows_the_bots_as_they_are() {
    let readme = readme();
    for (language, file) in [("python", "bot.py"), ("js", "bot.mjs")] {
        let bot = std::fs::read_to_string(repository().join("docs/bots").join(file)).expect("there is a bot");
        assert!(readme.contains(&format!("```{language}\n{bot}```\n")), "README.md differs from docs/bots/{file}");
    }
}

#[tokio::test]
async fn the_readme_names_every_setting() {
    let help = Home::new(Database::Sqlite).await.read(&["--help"]);
    let settings = help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next());
    let readme = readme();
    let forgotten: Vec<&str> = settings.filter(|setting| !readme.contains(&format!("`{setting}`"))).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}
