//! Rematches: one per game, no matter who asks and how many ask at once.

use serde_json::{Value, json};

use crate::support::{Person, Service, own_seat, seated, stories};

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

/// The ids of the seated players, in seat order.
fn players_of(game: &Value) -> Vec<Value> {
    game["seats"].as_array().unwrap().iter().map(|seat| seat["player"]["id"].clone()).collect()
}

async fn rematch(service: &Service, who: &Person, id: &str) -> Value {
    service.ask(who, "rematch", json!({ "gameId": id })).await
}

async fn who_asks_for_a_rematch_opens_it_and_the_other_comes_in_by_asking(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let id = service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    let before = service.game(&ben, &id).await;
    assert_eq!((&before["rematch"], &before["rematchOf"]), (&Value::Null, &Value::Null));

    let asked = rematch(&service, &asha, &id).await;
    let next = text(&asked["id"]);
    assert_eq!((&asked["status"], &asked["mySeat"], &asked["rematchOf"]), (&json!("OPEN"), &json!(1), &json!(id)));
    assert_eq!(asked["options"], before["options"]);
    assert_eq!(players_of(&asked), [Value::Null, json!(asha.id)]);
    assert_eq!(rematch(&service, &asha, &id).await["id"], next.as_str(), "to ask twice is to ask once");
    for who in [&ben, &carol] {
        assert_eq!(service.game(who, &id).await["rematch"], next.as_str());
    }
    let listed = service.ask(&carol, "games", json!({ "status": "OVER" })).await;
    assert_eq!(listed["items"][0]["rematch"], next.as_str());

    // The other seat is kept.
    for operation in ["rematch", "joinGame"] {
        let game = if operation == "rematch" { &id } else { &next };
        assert_eq!(service.refusal(&carol, operation, json!({ "gameId": game })).await.code, "FORBIDDEN");
    }
    let elsewhere = json!({ "gameId": next, "seat": 1 });
    assert_eq!(service.refusal(&ben, "joinGame", elsewhere).await.code, "CONFLICT");

    let started = rematch(&service, &ben, &id).await;
    assert_eq!((&started["id"], &started["status"], &started["mySeat"]), (&json!(next), &json!("RUNNING"), &json!(0)));
    assert_eq!(players_of(&started), [json!(ben.id), json!(asha.id)]);
    assert_eq!(started["toAct"], json!([0]), "another begins");
    assert_eq!(rematch(&service, &asha, &id).await["version"], started["version"]);

    // And again, this time by joining.
    service.ask(&asha, "resign", json!({ "gameId": next })).await;
    let third = text(&rematch(&service, &ben, &next).await["id"]);
    let started = service.ask(&asha, "joinGame", json!({ "gameId": third })).await;
    assert_eq!((&started["status"], &started["mySeat"]), (&json!("RUNNING"), &json!(0)));
}

async fn several_who_ask_at_once_land_in_one_game(service: Service) {
    for _ in 0..3 {
        let people = [service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await];
        let [asha, ben, carol] = &people;
        let game = service.ask(asha, "createGame", json!({ "kind": "MAHOLA", "seats": own_seat(0, 3) })).await;
        let id = text(&game["id"]);
        for who in [ben, carol] {
            service.ask(who, "joinGame", json!({ "gameId": id })).await;
        }
        for who in [ben, carol] {
            service.ask(who, "resign", json!({ "gameId": id })).await;
        }
        let answers =
            tokio::join!(rematch(&service, asha, &id), rematch(&service, ben, &id), rematch(&service, carol, &id));
        let next = text(&answers.0["id"]);
        assert!(answers.1["id"] == next.as_str() && answers.2["id"] == next.as_str());
        let game = service.game(asha, &next).await;
        assert_eq!(game["status"], "RUNNING");
        assert_eq!(players_of(&game), [json!(ben.id), json!(carol.id), json!(asha.id)]);
        let log = service.log(asha, &next).await;
        let what: Vec<&str> = log.iter().map(|entry| entry["what"].as_str().unwrap()).collect();
        assert_eq!(what, ["OPENED", "JOINED", "JOINED", "JOINED", "STARTED"]);
        assert_eq!(service.ask(ben, "gameCount", json!({ "playerId": ben.id })).await["count"], 2);
    }
}

async fn a_rematch_of_a_private_game_is_private(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let id = text(&game["id"]);
    service.ask(&ben, "joinGame", json!({ "code": game["joinCode"] })).await;
    service.ask(&ben, "resign", json!({ "gameId": id })).await;
    let asked = rematch(&service, &ben, &id).await;
    assert_eq!((&asked["visibility"], &asked["joinCode"]), (&json!("PRIVATE"), &Value::Null));
    let next = text(&asked["id"]);
    for game in [&id, &next] {
        assert_eq!(service.refusal(&carol, "game", json!({ "gameId": game })).await.code, "NOT_FOUND");
        assert_eq!(service.refusal(&carol, "rematch", json!({ "gameId": game })).await.code, "NOT_FOUND");
    }
    assert_eq!(service.game(&asha, &id).await["rematch"], next.as_str());
    assert_eq!(rematch(&service, &asha, &id).await["status"], "RUNNING");
}

async fn an_app_starts_a_rematch_at_once(service: Service) {
    let app = service.app("club");
    let mut ids = Vec::new();
    for name in ["asha", "ben", "carol"] {
        let registered = service.ask(&app, "registerPlayer", json!({ "name": name })).await;
        ids.push(text(&registered["player"]["id"]));
    }
    let as_player = async |player: &str, operation: &str, id: &str| {
        let input = json!({ "gameId": id });
        service
            .client
            .call(Some(&app.token), Some(player), operation, input)
            .await
            .expect("an app acts for its players")
    };
    let over = async || {
        let game = service.ask(&app, "createGame", json!({ "kind": "MAHOLA", "seats": seated(&ids) })).await;
        let id = text(&game["id"]);
        as_player(&ids[0], "resign", &id).await;
        as_player(&ids[1], "resign", &id).await;
        id
    };
    let id = over().await;
    let game = rematch(&service, &app, &id).await;
    assert_eq!(game["status"], "RUNNING");
    assert_eq!(players_of(&game), [json!(ids[1]), json!(ids[2]), json!(ids[0])]);
    assert_eq!(rematch(&service, &app, &id).await["id"], game["id"]);

    // If one of them has already asked, the app seats the others.
    let id = over().await;
    let asked = as_player(&ids[2], "rematch", &id).await;
    assert_eq!(asked["status"], "OPEN");
    let game = rematch(&service, &app, &id).await;
    assert_eq!((&game["id"], &game["status"]), (&asked["id"], &json!("RUNNING")));
}

async fn a_rematch_follows_a_game_that_is_over(service: Service) {
    let people = [service.guest("Asha").await, service.guest("Ben").await];
    let [asha, ben] = &people;
    let open = text(&service.ask(asha, "createGame", json!({ "kind": "KALAH" })).await["id"]);
    let id = service.kalah_of(&people, json!({})).await;
    for game in [&open, &id] {
        assert_eq!(service.refusal(asha, "rematch", json!({ "gameId": game })).await.code, "CONFLICT");
    }
    service.ask(asha, "cancelGame", json!({ "gameId": open })).await;
    assert_eq!(service.refusal(asha, "rematch", json!({ "gameId": open })).await.code, "CONFLICT");
    service.ask(ben, "resign", json!({ "gameId": id })).await;

    // A player can cancel the rematch, and then it can be requested again.
    let first = text(&rematch(&service, asha, &id).await["id"]);
    service.ask(asha, "leaveGame", json!({ "gameId": first })).await;
    assert_eq!(service.game(ben, &id).await["rematch"], Value::Null);
    let second = rematch(&service, ben, &id).await;
    assert_ne!(second["id"], first.as_str());
    assert_eq!(rematch(&service, asha, &id).await["id"], second["id"]);

    let last = service.drawn_kalah_of(&people).await;
    service.ask(ben, "deletePlayer", json!({ "playerId": ben.id })).await;
    assert_eq!(service.refusal(asha, "rematch", json!({ "gameId": last })).await.code, "CONFLICT");
}
