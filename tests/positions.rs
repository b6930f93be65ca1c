//! Saved positions: decoded on demand, and replaced when they cannot be read.

use serde_json::{Value, json};

use crate::support::database::{put_position, put_stored_position, stored_position};
use crate::support::{Database, Person, Service, eventually, stories};

stories!(an_unreadable_position_is_replayed_once_and_written_back);

const REPLAYED: &str = r#"maidan_positions_total{source="replayed"}"#;
const DECODED: &str = r#"maidan_positions_total{source="decoded"}"#;

/// Running games of two players, with no move or a few.
async fn games(service: &Service, players: &[Person; 2], count: usize) -> Vec<String> {
    let mut games = Vec::new();
    for n in 0..count {
        let id = service.kalah_of(players, json!({})).await;
        for (seat, notation) in [(0, "0"), (1, "0"), (0, "1")].into_iter().take(n % 4) {
            service.play(&players[seat], &id, notation).await;
        }
        games.push(id);
    }
    games
}

/// The same bytes with one bit in the middle flipped.
fn flipped(stored: &[u8]) -> Vec<u8> {
    let mut flipped = stored.to_vec();
    flipped[stored.len() / 2] ^= 1;
    flipped
}

/// The views in a list of games, newest first.
async fn listed_views(service: &Service, who: &Person) -> Vec<Value> {
    let page = service.ask(who, "myGames", json!({})).await;
    page["items"].as_array().expect("a page has items").iter().map(|game| game["view"].clone()).collect()
}

async fn an_unreadable_position_is_replayed_once_and_written_back(service: Service) {
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let games = games(&service, &players, 8).await;
    let views = listed_views(&service, &players[0]).await;
    let damaged = &games[..5];
    let mut positions = Vec::new();
    for (n, id) in damaged.iter().enumerate() {
        let stored = stored_position(&service, id).await;
        match n {
            0 => put_stored_position(&service, id, stored[..stored.len() / 2].to_vec()).await,
            1 => put_stored_position(&service, id, Vec::new()).await,
            // One flipped bit: it may decode, but to the position of another game.
            2 => put_stored_position(&service, id, flipped(&stored)).await,
            // Valid, but in a format that this build does not know.
            _ => put_position(&service, id, vec![250; 9]).await,
        }
        positions.push(stored);
    }

    let service = service.restarted(&[]).await;
    assert_eq!(listed_views(&service, &players[0]).await, views);
    assert_eq!(service.server.count(REPLAYED).await, damaged.len() as u64);
    assert_eq!(listed_views(&service, &players[0]).await, views);
    assert_eq!(service.server.count(REPLAYED).await, damaged.len() as u64, "once is enough");

    for (id, position) in damaged.iter().zip(&positions) {
        let is_written_back = async || stored_position(&service, id).await == *position;
        eventually("a replayed position is written back", is_written_back).await;
    }
    let service = service.restarted(&[]).await;
    assert_eq!(listed_views(&service, &players[0]).await, views);
    assert_eq!(service.server.count(REPLAYED).await, 0, "nothing is left to replay");
}

#[tokio::test]
async fn a_list_of_ids_decodes_no_position() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, true, &[]).await;
        let players = [service.guest("Asha").await, service.guest("Ben").await];
        let games = games(&service, &players, 20).await;
        // A server that was just started has cached nothing.
        let service = service.restarted(&[]).await;
        let listed = service.query(&players[0], "{ games(first: 20) { nodes { id } } }").await;
        let newest_first: Vec<Value> = games.iter().rev().map(|id| json!({ "id": id })).collect();
        assert_eq!(listed["games"]["nodes"], json!(newest_first));
        assert_eq!(service.server.count("maidan_positions_total").await, 0);

        let views = "{ games(first: 20) { nodes { id view { __typename } } } }";
        let listed = service.query(&players[0], views).await;
        let typenames = listed["games"]["nodes"].as_array().expect("a list").iter().map(|game| &game["view"]);
        assert!(typenames.eq([&json!({ "__typename": "KalahView" }); 20]), "{listed}");
        assert_eq!(service.server.count(DECODED).await, 20);
    }
}
