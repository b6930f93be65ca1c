//! Playing again: one rematch per game, whoever asks and however many at once.

use serde_json::{Value, json};

use crate::support::{Person, World, stories};

stories!(
    who_asks_for_a_rematch_opens_it_and_the_other_comes_in_by_asking,
    several_who_ask_at_once_land_in_one_game,
    a_rematch_of_a_private_game_is_private,
    an_app_starts_a_rematch_at_once,
    a_rematch_follows_a_game_that_is_over,
);

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_string()
}

/// The ids of those who sit there, in seat order.
fn seated(game: &Value) -> Vec<Value> {
    game["seats"].as_array().unwrap().iter().map(|seat| seat["player"]["id"].clone()).collect()
}

async fn rematch(world: &World, who: &Person, id: &str) -> Value {
    world.ask(who, "rematch", json!({ "gameId": id })).await
}

async fn who_asks_for_a_rematch_opens_it_and_the_other_comes_in_by_asking(world: World) {
    let (asha, ben, carol) = (world.guest("Asha").await, world.guest("Ben").await, world.guest("Carol").await);
    let id = world.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    let before = world.game(&ben, &id).await;
    assert_eq!((&before["rematch"], &before["rematchOf"]), (&Value::Null, &Value::Null));

    let asked = rematch(&world, &asha, &id).await;
    let next = text(&asked["id"]);
    assert_eq!((&asked["status"], &asked["mySeat"], &asked["rematchOf"]), (&json!("OPEN"), &json!(1), &json!(id)));
    assert_eq!(asked["options"], before["options"]);
    assert_eq!(seated(&asked), [Value::Null, json!(asha.id)]);
    assert_eq!(rematch(&world, &asha, &id).await["id"], next.as_str(), "to ask twice is to ask once");
    for who in [&ben, &carol] {
        assert_eq!(world.game(who, &id).await["rematch"], next.as_str());
    }
    let listed = world.ask(&carol, "games", json!({ "status": "OVER" })).await;
    assert_eq!(listed["items"][0]["rematch"], next.as_str());

    // The other seat is kept.
    for operation in ["rematch", "joinGame"] {
        let game = if operation == "rematch" { &id } else { &next };
        assert_eq!(world.refusal(&carol, operation, json!({ "gameId": game })).await.code, "FORBIDDEN");
    }
    let elsewhere = json!({ "gameId": next, "seat": 1 });
    assert_eq!(world.refusal(&ben, "joinGame", elsewhere).await.code, "CONFLICT");

    let started = rematch(&world, &ben, &id).await;
    assert_eq!((&started["id"], &started["status"], &started["mySeat"]), (&json!(next), &json!("RUNNING"), &json!(0)));
    assert_eq!(seated(&started), [json!(ben.id), json!(asha.id)]);
    assert_eq!(started["toAct"], json!([0]), "another begins");
    assert_eq!(rematch(&world, &asha, &id).await["version"], started["version"]);

    // And again, this time by joining.
    world.ask(&asha, "resign", json!({ "gameId": next })).await;
    let third = text(&rematch(&world, &ben, &next).await["id"]);
    let started = world.ask(&asha, "joinGame", json!({ "gameId": third })).await;
    assert_eq!((&started["status"], &started["mySeat"]), (&json!("RUNNING"), &json!(0)));
}

async fn several_who_ask_at_once_land_in_one_game(world: World) {
    for _ in 0..3 {
        let people = [world.guest("Asha").await, world.guest("Ben").await, world.guest("Carol").await];
        let [asha, ben, carol] = &people;
        let game = world.ask(asha, "createGame", json!({ "kind": "MAHOLA", "seats": 3 })).await;
        let id = text(&game["id"]);
        for who in [ben, carol] {
            world.ask(who, "joinGame", json!({ "gameId": id })).await;
        }
        for who in [ben, carol] {
            world.ask(who, "resign", json!({ "gameId": id })).await;
        }
        let answers = tokio::join!(rematch(&world, asha, &id), rematch(&world, ben, &id), rematch(&world, carol, &id));
        let next = text(&answers.0["id"]);
        assert!(answers.1["id"] == next.as_str() && answers.2["id"] == next.as_str());
        let game = world.game(asha, &next).await;
        assert_eq!(game["status"], "RUNNING");
        assert_eq!(seated(&game), [json!(ben.id), json!(carol.id), json!(asha.id)]);
        let log = world.log(asha, &next).await;
        let what: Vec<&str> = log.iter().map(|entry| entry["what"].as_str().unwrap()).collect();
        assert_eq!(what, ["OPENED", "JOINED", "JOINED", "JOINED", "STARTED"]);
        assert_eq!(world.ask(ben, "gameCount", json!({ "playerId": ben.id })).await["count"], 2);
    }
}

async fn a_rematch_of_a_private_game_is_private(world: World) {
    let (asha, ben, carol) = (world.guest("Asha").await, world.guest("Ben").await, world.guest("Carol").await);
    let game = world.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let id = text(&game["id"]);
    world.ask(&ben, "joinGame", json!({ "code": game["joinCode"] })).await;
    world.ask(&ben, "resign", json!({ "gameId": id })).await;
    let asked = rematch(&world, &ben, &id).await;
    assert_eq!((&asked["visibility"], &asked["joinCode"]), (&json!("PRIVATE"), &Value::Null));
    let next = text(&asked["id"]);
    for game in [&id, &next] {
        assert_eq!(world.refusal(&carol, "game", json!({ "gameId": game })).await.code, "NOT_FOUND");
        assert_eq!(world.refusal(&carol, "rematch", json!({ "gameId": game })).await.code, "NOT_FOUND");
    }
    assert_eq!(world.game(&asha, &id).await["rematch"], next.as_str());
    assert_eq!(rematch(&world, &asha, &id).await["status"], "RUNNING");
}

async fn an_app_starts_a_rematch_at_once(world: World) {
    let app = world.app("club");
    let mut ids = Vec::new();
    for name in ["asha", "ben", "carol"] {
        let registered = world.ask(&app, "registerPlayer", json!({ "name": name })).await;
        ids.push(text(&registered["player"]["id"]));
    }
    let as_player = async |player: &str, operation: &str, id: &str| {
        let input = json!({ "gameId": id });
        world.door.call(Some(&app.token), Some(player), operation, input).await.expect("an app acts for its players")
    };
    let over = async || {
        let game = world.ask(&app, "createGame", json!({ "kind": "MAHOLA", "seats": 3, "players": ids })).await;
        let id = text(&game["id"]);
        as_player(&ids[0], "resign", &id).await;
        as_player(&ids[1], "resign", &id).await;
        id
    };
    let id = over().await;
    let game = rematch(&world, &app, &id).await;
    assert_eq!(game["status"], "RUNNING");
    assert_eq!(seated(&game), [json!(ids[1]), json!(ids[2]), json!(ids[0])]);
    assert_eq!(rematch(&world, &app, &id).await["id"], game["id"]);

    // Where one of them has asked already, the app brings the others.
    let id = over().await;
    let asked = as_player(&ids[2], "rematch", &id).await;
    assert_eq!(asked["status"], "OPEN");
    let game = rematch(&world, &app, &id).await;
    assert_eq!((&game["id"], &game["status"]), (&asked["id"], &json!("RUNNING")));
}

async fn a_rematch_follows_a_game_that_is_over(world: World) {
    let people = [world.guest("Asha").await, world.guest("Ben").await];
    let [asha, ben] = &people;
    let open = text(&world.ask(asha, "createGame", json!({ "kind": "KALAH" })).await["id"]);
    let id = world.kalah_of(&people, json!({})).await;
    for game in [&open, &id] {
        assert_eq!(world.refusal(asha, "rematch", json!({ "gameId": game })).await.code, "CONFLICT");
    }
    world.ask(asha, "cancelGame", json!({ "gameId": open })).await;
    assert_eq!(world.refusal(asha, "rematch", json!({ "gameId": open })).await.code, "CONFLICT");
    world.ask(ben, "resign", json!({ "gameId": id })).await;

    // Whoever thinks better of it calls it off, and it can be asked for anew.
    let first = text(&rematch(&world, asha, &id).await["id"]);
    world.ask(asha, "leaveGame", json!({ "gameId": first })).await;
    assert_eq!(world.game(ben, &id).await["rematch"], Value::Null);
    let second = rematch(&world, ben, &id).await;
    assert_ne!(second["id"], first.as_str());
    assert_eq!(rematch(&world, asha, &id).await["id"], second["id"]);

    let last = world.drawn_kalah_of(&people).await;
    world.ask(ben, "deletePlayer", json!({ "id": ben.id })).await;
    assert_eq!(world.refusal(asha, "rematch", json!({ "gameId": last })).await.code, "CONFLICT");
}
