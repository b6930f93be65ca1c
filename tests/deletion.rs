//! Deleting players: what is erased, what stays, and who may do it.

use serde_json::{Value, json};

use crate::support::{Person, Service, seated, stories};

stories!(
    nothing_is_left_of_a_deleted_player_but_its_seats,
    a_guest_deletes_itself_and_nobody_else,
    a_deletion_that_was_interrupted_is_finished,
    the_operator_deletes_any_player,
);

async fn player_of(service: &Service, app: &Person, name: &str) -> Person {
    let registered = service.ask(app, "registerPlayer", json!({ "name": name, "externalId": name })).await;
    let id = registered["player"]["id"].as_str().unwrap().to_string();
    let token = service.ask(app, "issueToken", json!({ "playerId": id })).await;
    Person { id, token: token["token"].as_str().unwrap().into() }
}

async fn open(service: &Service, who: &Person, kind: &str) -> String {
    service.ask(who, "createGame", json!({ "kind": kind })).await["id"].as_str().unwrap().to_string()
}

async fn nothing_is_left_of_a_deleted_player_but_its_seats(service: Service) {
    let app = service.app("club");
    let (asha, ben) = (player_of(&service, &app, "asha").await, player_of(&service, &app, "ben").await);
    let people = [asha.clone(), ben.clone()];
    let over = service.drawn_kalah_of(&people).await;
    let running = service.kalah_of(&people, json!({})).await;
    let resigned = open(&service, &ben, "MAHOLA").await;
    let carol = player_of(&service, &app, "carol").await;
    for who in [&asha, &carol] {
        service.ask(who, "joinGame", json!({ "gameId": resigned })).await;
    }
    service.ask(&asha, "resign", json!({ "gameId": resigned })).await;
    let opened = open(&service, &asha, "KALAH").await;
    let joined = open(&service, &ben, "MAHOLA").await;
    service.ask(&asha, "joinGame", json!({ "gameId": joined })).await;

    service.ask(&app, "deletePlayer", json!({ "playerId": asha.id })).await;
    service.ask(&app, "deletePlayer", json!({ "playerId": asha.id })).await;

    assert_eq!(service.refusal(&asha, "me", json!({})).await.code, "UNAUTHENTICATED");
    for (operation, input) in [
        ("player", json!({ "id": asha.id })),
        ("statistics", json!({ "playerId": asha.id })),
        ("headToHead", json!({ "playerId": ben.id, "opponentId": asha.id })),
        ("issueToken", json!({ "playerId": asha.id })),
        ("createGame", json!({ "kind": "KALAH", "seats": seated(&[&asha.id, &ben.id]) })),
    ] {
        assert_eq!(service.refusal(&app, operation, input).await.code, "NOT_FOUND", "{operation}");
    }
    let acting = service.client.call(Some(&app.token), Some(&asha.id), "me", json!({})).await.unwrap_err();
    assert_eq!(acting.code, "NOT_FOUND");
    assert_eq!(service.ask(&app, "games", json!({ "playerId": asha.id })).await["items"], json!([]));

    // Her games can still be read, and nobody else gets her seat.
    let nameless =
        json!({ "id": asha.id, "name": "Deleted player", "externalId": null, "isBot": false, "deleted": true });
    let game = service.game(&ben, &over).await;
    assert_eq!((&game["status"], &game["seats"][0]["player"]), (&json!("OVER"), &nameless));
    assert_eq!(service.log(&ben, &over).await.len(), 8);
    assert_eq!(service.ask(&ben, "statistics", json!({ "playerId": ben.id })).await[0]["played"], 2);

    let game = service.game(&ben, &running).await;
    assert_eq!((&game["status"], &game["outcome"]["winners"]), (&json!("OVER"), &json!([1])));
    assert_eq!((&game["seats"][0]["player"], &game["seats"][0]["resigned"]), (&nameless, &json!(true)));
    assert_eq!(service.log(&ben, &running).await.last().unwrap()["what"], "RESIGNED");
    assert_eq!(service.game(&ben, &resigned).await["status"], "RUNNING");

    assert_eq!(service.game(&ben, &opened).await["status"], "CANCELLED");
    let game = service.game(&ben, &joined).await;
    assert_eq!((&game["status"], &game["seats"][1]["player"]), (&json!("OPEN"), &Value::Null));
    assert_eq!(service.log(&ben, &joined).await.last().unwrap()["what"], "LEFT");

    let again = player_of(&service, &app, "asha").await;
    assert_ne!(again.id, asha.id, "whoever comes back is somebody new");
    assert_eq!(service.ask(&again, "statistics", json!({ "playerId": again.id })).await, json!([]));
}

async fn a_guest_deletes_itself_and_nobody_else(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let ask = json!({ "playerId": asha.id });
    assert_eq!(service.refusal(&ben, "deletePlayer", ask.clone()).await.code, "FORBIDDEN");
    let elsewhere = service.app("elsewhere");
    assert_eq!(service.refusal(&elsewhere, "deletePlayer", ask.clone()).await.code, "NOT_FOUND");
    let nobody = service.call_as_nobody("deletePlayer", ask.clone()).await.unwrap_err();
    assert_eq!(nobody.code, "UNAUTHENTICATED");
    service.ask(&asha, "deletePlayer", ask.clone()).await;
    assert_eq!(service.refusal(&asha, "deletePlayer", ask).await.code, "UNAUTHENTICATED");
    assert_eq!(service.ask(&ben, "me", json!({})).await["player"]["name"], "Ben");
}

async fn a_deletion_that_was_interrupted_is_finished(service: Service) {
    let (id, [_, ben]) = service.kalah(json!({})).await;
    // Asha is deleted, and then the power fails.
    let now = if service.server.home.url.is_some() { "now()" } else { "1000000 * unixepoch()" };
    service.server.home.execute(&format!("UPDATE players SET name = '', deleted_at = {now} WHERE name = 'Asha'")).await;
    Service::a_moment_later().await;
    assert_eq!(service.game(&ben, &id).await["seats"][0]["player"]["deleted"], true);
    let service = service.restarted(&[]).await;
    while service.game(&ben, &id).await["status"] != "OVER" {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(service.log(&ben, &id).await.last().unwrap()["what"], "RESIGNED");
}

async fn the_operator_deletes_any_player(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let home = &service.server.home;
    assert!(home.read(&["player", "delete", &asha.id]).contains(&asha.id));
    home.read(&["player", "delete", &asha.id]);
    Service::a_moment_later().await;
    assert_eq!(service.refusal(&asha, "me", json!({})).await.code, "UNAUTHENTICATED");
    assert_eq!(service.game(&ben, &id).await["status"], "OVER");
    for unknown in ["nobody", &format!("player_{}", "0".repeat(32))] {
        assert!(!home.run(&["player", "delete", unknown]).status.success());
    }
}
