//! Apps: their players and games, and the isolation between two apps.

use serde_json::{Value, json};

use crate::support::{Person, Service, own_seat, seated, stories};

stories!(
    an_app_registers_seats_and_acts_for_its_players,
    apps_see_nothing_of_each_other,
    a_revoked_app_is_locked_out_with_its_players,
);

async fn player_of(service: &Service, app: &Person, name: &str) -> Person {
    let registered = service.ask(app, "registerPlayer", json!({ "name": name, "externalId": name })).await;
    let id = registered["player"]["id"].as_str().unwrap().to_string();
    assert_eq!(registered["token"], Value::Null, "an app issues tokens when it wants");
    let token = service.ask(app, "issueToken", json!({ "playerId": id })).await;
    Person { id, token: token["token"].as_str().unwrap().into() }
}

async fn an_app_registers_seats_and_acts_for_its_players(service: Service) {
    let app = service.app("chess club");
    assert_eq!(service.ask(&app, "me", json!({})).await["app"]["id"], app.id.as_str());
    let (asha, ben) = (player_of(&service, &app, "asha").await, player_of(&service, &app, "ben").await);
    let renamed = service.ask(&app, "registerPlayer", json!({ "name": "Asha!", "externalId": "asha" })).await;
    assert_eq!(
        renamed["player"],
        json!({ "id": asha.id, "name": "Asha!", "deleted": false }),
        "an upsert by the app's own id"
    );

    // All seated in one call: the game starts at once.
    let ask = json!({ "kind": "KALAH", "options": { "kalah": { "firstSeat": 1 } }, "visibility": "PRIVATE",
        "seats": seated(&[&asha.id, &ben.id]), "idempotencyKey": "match-7" });
    let game = service.ask(&app, "createGame", ask.clone()).await;
    assert_eq!((&game["status"], &game["mySeat"]), (&json!("RUNNING"), &Value::Null));
    let id = game["id"].as_str().unwrap();
    assert_eq!(service.ask(&app, "createGame", ask).await["id"], id);
    assert_eq!(game["seats"][0]["player"]["name"], "Asha!");

    // An app's key alone may watch; on behalf of a player it may play.
    let refused = service.refusal(&app, "playMove", json!({ "gameId": id, "notation": "0" })).await;
    assert_eq!(refused.code, "FORBIDDEN");
    let acting = service
        .client
        .call(Some(&app.token), Some(&ben.id), "playMove", json!({ "gameId": id, "notation": "0" }))
        .await;
    assert_eq!(acting.expect("an app may act for its player")["game"]["mySeat"], 1);
    let refused = service.client.call(Some(&asha.token), Some(&ben.id), "me", json!({})).await.unwrap_err();
    assert_eq!(refused.code, "FORBIDDEN", "a player acts for itself alone");

    assert_eq!(service.ask(&asha, "inbox", json!({})).await["items"][0]["id"], id);
    let cancelled = service.ask(&app, "cancelGame", json!({ "gameId": id })).await;
    assert_eq!(cancelled["status"], "CANCELLED");
    assert_eq!(cancelled["seed"], Value::Null, "a game called off was not played out: its secrets stay");
    assert_eq!(service.ask(&asha, "inbox", json!({})).await["items"], json!([]));
    let log = service.log(&asha, id).await;
    let last = log.last().unwrap();
    assert_eq!((&last["what"], &last["ply"]), (&json!("CANCELLED"), &json!(1)), "after one move");

    for (seats, code) in [
        (seated(&[&asha.id, &asha.id]), "INVALID_INPUT"),
        (seated(&[&asha.id, &ben.id, &asha.id]), "INVALID_INPUT"),
        (seated(&["player_00000000000000000000000000000000", &ben.id]), "NOT_FOUND"),
        (seated(&["nobody", &ben.id]), "NOT_FOUND"),
        (own_seat(0, 2), "INVALID_INPUT"),
    ] {
        let refused = service.refusal(&app, "createGame", json!({ "kind": "KALAH", "seats": seats })).await;
        assert_eq!(refused.code, code);
    }
    let seats = json!([{ "player": asha.id }, { "me": true }]);
    let refused = service.refusal(&asha, "createGame", json!({ "kind": "KALAH", "seats": seats })).await;
    assert_eq!(refused.code, "FORBIDDEN", "players seat nobody but themselves");
    let open = json!({ "kind": "KALAH", "seats": [{ "open": true }, { "player": ben.id }] });
    let game = service.ask(&app, "createGame", open).await;
    assert_eq!(game["seats"][0]["player"], Value::Null);
    assert_eq!((&game["status"], &game["seats"][1]["player"]["id"]), (&json!("OPEN"), &json!(ben.id)));
    let empty = service.ask(&app, "createGame", json!({ "kind": "MAHOLA" })).await;
    assert_eq!(empty["seats"].as_array().unwrap().len(), 3, "the fewest, all open");
    assert!(empty["seats"].as_array().unwrap().iter().all(|seat| seat["player"].is_null()));
}

async fn apps_see_nothing_of_each_other(service: Service) {
    let (here, there) = (service.app("here"), service.app("there"));
    let (asha, ben) = (player_of(&service, &here, "asha").await, player_of(&service, &there, "ben").await);
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let id = game["id"].as_str().unwrap();
    for who in [&ben, &there] {
        assert_eq!(service.refusal(who, "game", json!({ "gameId": id })).await.code, "NOT_FOUND");
        assert_eq!(service.refusal(who, "player", json!({ "id": asha.id })).await.code, "NOT_FOUND");
        assert_eq!(service.ask(who, "games", json!({})).await["items"], json!([]));
    }
    assert_eq!(service.refusal(&ben, "joinGame", json!({ "gameId": id })).await.code, "NOT_FOUND");
    assert_eq!(service.refusal(&there, "cancelGame", json!({ "gameId": id })).await.code, "NOT_FOUND");
    assert_eq!(service.refusal(&there, "issueToken", json!({ "playerId": asha.id })).await.code, "NOT_FOUND");
    let acting = service.client.call(Some(&there.token), Some(&asha.id), "me", json!({})).await.unwrap_err();
    assert_eq!(acting.code, "NOT_FOUND");
    assert_eq!(service.call_as_nobody("game", json!({ "gameId": id })).await.unwrap_err().code, "NOT_FOUND");

    // The code of a private game works only for players of the same app.
    let private = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let refused = service.refusal(&ben, "joinGame", json!({ "code": private["joinCode"] })).await;
    assert_eq!(refused.code, "NOT_FOUND");
    assert_eq!(service.ask(&here, "games", json!({})).await["items"].as_array().unwrap().len(), 2);
}

async fn a_revoked_app_is_locked_out_with_its_players(service: Service) {
    let app = service.app("short-lived");
    let asha = player_of(&service, &app, "asha").await;
    let home = &service.server.home;
    assert!(home.read(&["app", "list"]).contains("active"));
    assert!(!home.run(&["app", "create", "short-lived"]).status.success(), "a name is given once");
    home.read(&["app", "revoke", "short-lived"]);
    assert!(!home.run(&["app", "revoke", "short-lived"]).status.success());
    assert!(home.read(&["app", "list"]).contains("revoked"));
    Service::a_moment_later().await;
    for who in [&app, &asha] {
        assert_eq!(service.refusal(who, "me", json!({})).await.code, "UNAUTHENTICATED");
    }
}
