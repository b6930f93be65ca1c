//! The table in Chromium: people play whole games on pictures, over a link and in the page of somebody else.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::support::peers::{printed, script};
use crate::support::{Database, Replicas, Server, Service};

const DEADLINE: Duration = Duration::from_secs(900);

/// A service on which one person may have many games with bots.
async fn service(variables: &[(&str, &str)]) -> Service {
    let variables = [variables, &[("MAIDAN_BOT_GAMES_PER_MINUTE", "0"), ("MAIDAN_MAX_BOT_GAMES", "100")]].concat();
    Service::with(Database::Sqlite, false, &variables).await
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port is free").local_addr().expect("it has an address").port()
}

#[tokio::test]
async fn every_kind_is_played_on_its_picture_at_a_desk() {
    let service = service(&[]).await;
    let mut games = script("whole_games.mjs", "playwright-core");
    games.args([&service.server.address, "desktop"]);
    assert_eq!(printed(games, DEADLINE).await, "6 games are over\n");
}

#[tokio::test]
async fn every_kind_is_played_on_its_picture_on_a_phone() {
    let service = service(&[]).await;
    let mut games = script("whole_games.mjs", "playwright-core");
    games.args([&service.server.address, "phone"]);
    assert_eq!(printed(games, DEADLINE).await, "6 games are over\n");
}

#[tokio::test]
async fn a_whole_game_is_played_by_keyboard_alone() {
    let service = service(&[]).await;
    let mut game = script("keyboard.mjs", "playwright-core");
    game.arg(&service.server.address);
    assert_eq!(printed(game, DEADLINE).await, "the game is over\n");
}

#[tokio::test]
async fn the_page_of_somebody_else_shows_a_table() {
    let port = free_port();
    let service = service(&[("MAIDAN_CORS_ORIGINS", &format!("http://127.0.0.1:{port}"))]).await;
    let mut game = script("embed.mjs", "playwright-core");
    game.args([&service.server.address, &port.to_string()]);
    assert_eq!(printed(game, DEADLINE).await, "the game is over\n");
}

#[tokio::test]
async fn the_first_screen_leads_to_every_table() {
    let service = service(&[]).await;
    let mut story = script("lobby.mjs", "playwright-core");
    story.arg(&service.server.address);
    assert_eq!(printed(story, DEADLINE).await, "all of it works\n");
}

#[tokio::test]
async fn a_game_is_looked_back_at_and_played_again_over_plain_http() {
    let service = service(&[]).await;
    let mut story = script("afterwards.mjs", "playwright-core");
    story.arg(&service.server.address);
    assert_eq!(printed(story, DEADLINE).await, "all of it works\n");
}

#[tokio::test]
async fn axe_finds_nothing_on_any_page() {
    let service = service(&[]).await;
    let mut pages = script("access.mjs", "axe-core");
    pages.arg(&service.server.address);
    assert_eq!(printed(pages, DEADLINE).await, "axe finds nothing\n");
}

#[tokio::test]
async fn friends_at_two_replicas_play_through_a_restart() {
    let listen = format!("127.0.0.1:{}", free_port());
    let Replicas(mut replicas) = Replicas::start(Database::Postgres, false, &[]).await;
    let there = replicas.remove(1);
    let home = there.server.home.clone();
    let variables = [("MAIDAN_LISTEN", listen.as_str())];
    let mut here = Server::start(&home, &variables).await;
    let mut story = script("friends.mjs", "playwright-core");
    story.args([&here.address, &there.server.address]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = story.spawn().expect("node is there");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let mut input = child.stdin.take().expect("its input is piped");
    let playing = async {
        while let Some(line) = lines.next_line().await.expect("it prints text") {
            match line.as_str() {
                "kill" => here.kill(),
                "start" => here = Server::start(&home, &variables).await,
                line => return line.to_string(),
            }
            input.write_all(b"done\n").await.expect("it listens");
        }
        "it failed".into()
    };
    let last = tokio::time::timeout(DEADLINE, playing).await.expect("it ends in time");
    assert_eq!(last, "the game is over");
    drop(input);
    assert!(child.wait().await.expect("it ends").success());
}
