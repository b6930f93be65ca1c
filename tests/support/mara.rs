//! Peeking in The Mara.

use serde_json::{Value, json};

use super::service::notations;
use super::{Person, Service};

/// The tiles whose animal the view shows.
pub fn known_tiles(game: &Value) -> Vec<i64> {
    let tiles = game["view"]["tiles"].as_array().expect("a board has tiles");
    tiles.iter().filter(|tile| !tile["animal"].is_null()).map(|tile| tile["cell"].as_i64().unwrap()).collect()
}

/// The first legal move with this prefix.
async fn move_like(service: &Service, who: &Person, id: &str, like: &str) -> String {
    let moves = service.ask(who, "legalMoves", json!({ "gameId": id, "limit": 200 })).await;
    let notations = notations(&moves);
    notations.into_iter().find(|notation| notation.starts_with(like)).unwrap_or_else(|| panic!("no move like {like}"))
}

/// A game of The Mara in which seat 0 has just peeked, by a request with the key `look`.
pub async fn after_a_peek(service: &Service, notepads: bool) -> (String, Vec<Person>, Value) {
    let options = json!({ "mara": { "notepads": notepads, "firstSeat": 0 } });
    let (id, people) = service.table("MARA", options, 2).await;
    for seat in [1, 0] {
        let placing = move_like(service, &people[seat], &id, "place").await;
        service.play(&people[seat], &id, &placing).await;
    }
    let drive = move_like(service, &people[0], &id, "drive p").await;
    service.play(&people[0], &id, &drive).await;
    let ask = json!({ "gameId": id, "notation": "peek", "idempotencyKey": "look" });
    let peeked = service.ask(&people[0], "playMove", ask).await;
    assert!(!known_tiles(&peeked["game"]).is_empty(), "the answer to a peek shows its animals");
    (id, people, peeked)
}
