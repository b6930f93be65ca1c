//! The README's own lines, run word for word.

use std::process::Command;

use crate::support::server::{Home, repository};
use crate::support::{Database, Server};

#[tokio::test]
async fn the_game_in_the_readme_is_played_to_its_end() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("there is a README");
    let section = readme.split("## Play a game with curl").nth(1).expect("it plays a game");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks: Vec<&str> = section.split("```sh\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert!(!blocks.is_empty());
    let home = Home::new(Database::Sqlite).await;
    let server = Server::start(&home, &[]).await;
    // Somebody else may be using port 8080 here: that is all that is changed.
    let script = blocks.join("\n").replace("http://127.0.0.1:8080", &server.address);
    let output =
        Command::new("bash").args(["-euo", "pipefail", "-c", &script]).output().expect("bash and curl are there");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(r#""status":"OVER""#) || said.contains(r#""status": "OVER""#), "{said}");
}
