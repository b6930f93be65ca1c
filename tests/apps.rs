//! Apps: their players and games, and the isolation between two apps.

use serde_json::{Value, json};

use crate::support::{Credentials, Person, Service, own_seat, seated, stories};

stories!(
    an_app_registers_seats_and_acts_for_its_players,
    apps_see_nothing_of_each_other,
    a_revoked_app_is_locked_out_with_its_players,
    a_leaked_key_is_replaced_and_the_app_stays,
    an_app_lists_its_players_and_finds_them_by_its_own_ids,
    an_apps_own_id_of_a_player_is_for_the_app_alone,
    a_guest_renames_itself_and_an_app_its_players,
    an_app_marks_its_bots_and_everybody_sees_it,
    an_app_labels_its_games_and_everybody_at_the_table_reads_it,
    only_its_app_labels_a_game_and_an_external_id_is_taken_once,
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
        json!({ "id": asha.id, "name": "Asha!", "externalId": "asha", "isBot": false, "deleted": false }),
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

async fn a_leaked_key_is_replaced_and_the_app_stays(service: Service) {
    let app = service.app("careful");
    let home = &service.server.home;
    let asha = player_of(&service, &app, "asha").await;
    let printed = home.read(&["app", "key", "add", "careful", "server 2"]);
    let token = printed.lines().find(|line| line.starts_with("mdn_app_")).expect("it prints the key").to_string();
    assert!(!home.run(&["app", "key", "add", "careful", "server 2"]).status.success(), "a name is in use once");
    assert!(!home.run(&["app", "key", "add", "unheard-of", "x"]).status.success());
    assert!(!home.run(&["app", "key", "add", "guests", "x"]).status.success(), "nobody acts for all guests");
    let other = Person { id: app.id.clone(), token };
    assert_eq!(service.ask(&other, "me", json!({})).await, service.ask(&app, "me", json!({})).await);

    let mut stream =
        service.client.follow(Credentials::Token(&app.token), "gameChanged", own_game(&service, &asha).await).await;
    stream.change().await;
    let ticket = service.ask(&app, "createStreamTicket", json!({})).await;
    home.read(&["app", "key", "revoke", "careful", "first"]);
    assert!(!home.run(&["app", "key", "revoke", "careful", "first"]).status.success());
    assert_eq!(stream.refusal().await.code, "UNAUTHENTICATED", "streams end with their key");
    Service::a_moment_later().await;
    assert_eq!(service.refusal(&app, "me", json!({})).await.code, "UNAUTHENTICATED");
    let ticket = Credentials::Ticket(ticket["ticket"].as_str().unwrap());
    let mut late = service.client.follow(ticket, "gameChanged", own_game(&service, &asha).await).await;
    assert_eq!(late.refusal().await.code, "UNAUTHENTICATED", "a ticket is worth no more than its key");
    assert_eq!(service.ask(&other, "me", json!({})).await["app"]["id"], app.id, "the other key goes on");
    assert_eq!(service.ask(&asha, "me", json!({})).await["player"]["id"], asha.id, "and so do the players");

    let listed = home.read(&["app", "key", "list", "careful"]);
    let state = |name: &str| listed.lines().find(|line| line.ends_with(name)).expect(name).contains("active");
    assert_eq!((state("first"), state("server 2"), listed.contains("mdn_app_")), (false, true, false), "{listed}");
    home.read(&["app", "key", "add", "careful", "first"]);
}

/// A game that the player has just opened, as an input.
async fn own_game(service: &Service, player: &Person) -> Value {
    json!({ "gameId": service.ask(player, "createGame", json!({ "kind": "KALAH" })).await["id"] })
}

async fn an_app_lists_its_players_and_finds_them_by_its_own_ids(service: Service) {
    let (app, other) = (service.app("lists"), service.app("elsewhere"));
    let mut ids = Vec::new();
    for name in ["asha", "ben", "cem", "dora", "emil"] {
        ids.push(player_of(&service, &app, name).await.id);
    }
    player_of(&service, &other, "asha").await;
    let gone = player_of(&service, &app, "gone").await;
    service.ask(&app, "deletePlayer", json!({ "playerId": gone.id })).await;

    let (mut found, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut ask = json!({ "first": 2 });
        if after.is_string() {
            ask["after"] = after;
        }
        let page = service.ask(&app, "players", ask).await;
        found.extend(page["items"].as_array().unwrap().iter().map(|player| player["id"].clone()));
        after = page["endCursor"].clone();
        if page["hasMore"] == false {
            break;
        }
    }
    let newest_first: Vec<Value> = ids.iter().rev().map(|id| json!(id)).collect();
    assert_eq!(found, newest_first);

    let page = service.ask(&app, "players", json!({ "externalId": "cem" })).await;
    let cem = json!([{ "id": ids[2], "name": "cem", "externalId": "cem", "isBot": false, "deleted": false }]);
    assert_eq!((&page["items"], &page["hasMore"]), (&cem, &json!(false)));
    for unknown in ["gone", "Cem", "nobody"] {
        assert_eq!(service.ask(&app, "players", json!({ "externalId": unknown })).await["items"], json!([]));
    }
    for bad in
        [json!({ "externalId": "a\0b" }), json!({ "externalId": "" }), json!({ "after": "x" }), json!({ "first": 0 })]
    {
        assert_eq!(service.refusal(&app, "players", bad).await.code, "INVALID_INPUT");
    }
    let asha = player_of(&service, &app, "asha").await;
    assert_eq!(service.refusal(&asha, "players", json!({})).await.code, "FORBIDDEN");
    assert_eq!(service.call_as_nobody("players", json!({})).await.unwrap_err().code, "UNAUTHENTICATED");
}

async fn an_apps_own_id_of_a_player_is_for_the_app_alone(service: Service) {
    let app = service.app("discreet");
    let (asha, ben) = (player_of(&service, &app, "asha-7").await, player_of(&service, &app, "ben").await);
    service.ask(&app, "updatePlayer", json!({ "playerId": asha.id, "name": "Asha" })).await;
    service.noticed_everywhere().await;
    let ask = json!({ "kind": "KALAH", "seats": seated(&[&asha.id, &ben.id]) });
    let id = service.ask(&app, "createGame", ask).await["id"].as_str().unwrap().to_string();
    assert_eq!(service.game(&app, &id).await["seats"][0]["player"]["externalId"], "asha-7");
    assert_eq!(service.ask(&app, "player", json!({ "id": asha.id })).await["externalId"], "asha-7");
    let acting = |operation, input| service.client.call(Some(&app.token), Some(&ben.id), operation, input);
    for who in [&asha, &ben] {
        for (operation, input) in [
            ("game", json!({ "gameId": id })),
            ("games", json!({})),
            ("log", json!({ "gameId": id })),
            ("player", json!({ "id": asha.id })),
            ("me", json!({})),
        ] {
            let seen = service.ask(who, operation, input.clone()).await.to_string();
            assert!(!seen.contains("asha-7"), "{operation}: {seen}");
            let seen = acting(operation, input).await.expect("an app acts for its player").to_string();
            assert!(!seen.contains("asha-7"), "{operation}: {seen}");
        }
    }
}

async fn a_guest_renames_itself_and_an_app_its_players(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let rename = |id: &str, name: &str| json!({ "playerId": id, "name": name });
    let renamed = service.ask(&asha, "updatePlayer", rename(&asha.id, " Asha the Great ")).await;
    assert_eq!((&renamed["name"], &renamed["id"]), (&json!("Asha the Great"), &json!(asha.id)));
    assert_eq!(service.ask(&asha, "me", json!({})).await["player"]["name"], "Asha the Great");
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    assert_eq!(game["seats"][0]["player"]["name"], "Asha the Great");
    assert_eq!(service.refusal(&ben, "updatePlayer", rename(&asha.id, "Ash")).await.code, "FORBIDDEN");
    let nobody = service.call_as_nobody("updatePlayer", rename(&asha.id, "Ash")).await;
    assert_eq!(nobody.unwrap_err().code, "UNAUTHENTICATED");
    for bad in ["", "  ", "a\0b"] {
        assert_eq!(service.refusal(&asha, "updatePlayer", rename(&asha.id, bad)).await.code, "INVALID_INPUT");
    }

    let (app, other) = (service.app("names"), service.app("others"));
    let cem = player_of(&service, &app, "cem").await;
    assert_eq!(service.ask(&app, "updatePlayer", rename(&cem.id, "Cem")).await["externalId"], "cem");
    assert_eq!(service.refusal(&cem, "updatePlayer", rename(&cem.id, "Boss")).await.code, "FORBIDDEN", "apps choose");
    assert_eq!(service.refusal(&other, "updatePlayer", rename(&cem.id, "X")).await.code, "NOT_FOUND");
    service.ask(&app, "deletePlayer", json!({ "playerId": cem.id })).await;
    assert_eq!(service.refusal(&app, "updatePlayer", rename(&cem.id, "X")).await.code, "NOT_FOUND");
}

async fn an_app_marks_its_bots_and_everybody_sees_it(service: Service) {
    let app = service.app("workshop");
    let register = |mut ask: Value| {
        ask["externalId"] = json!("robo");
        service.ask(&app, "registerPlayer", ask)
    };
    let robo = register(json!({ "name": "Robo", "isBot": true })).await["player"].clone();
    assert_eq!(robo["isBot"], true);
    let renamed = register(json!({ "name": "Robo 2" })).await["player"].clone();
    assert_eq!((&renamed["id"], &renamed["isBot"]), (&robo["id"], &json!(true)), "what is left out stays");
    let asha = player_of(&service, &app, "asha").await;
    let token = service.ask(&app, "issueToken", json!({ "playerId": robo["id"] })).await["token"].clone();
    let robo = Person { id: robo["id"].as_str().unwrap().into(), token: token.as_str().unwrap().into() };
    service.noticed_everywhere().await;
    assert_eq!(service.ask(&robo, "me", json!({})).await["player"]["isBot"], true);
    assert_eq!(service.ask(&asha, "player", json!({ "id": robo.id })).await["isBot"], true);
    assert_eq!(service.ask(&asha, "me", json!({})).await["player"]["isBot"], false);
    let ask = json!({ "kind": "KALAH", "seats": seated(&[&asha.id, &robo.id]) });
    let id = service.ask(&app, "createGame", ask).await["id"].as_str().unwrap().to_string();
    for who in [&app, &asha, &robo] {
        let seats = service.game(who, &id).await["seats"].clone();
        assert_eq!((&seats[0]["player"]["isBot"], &seats[1]["player"]["isBot"]), (&json!(false), &json!(true)));
    }

    let update = |id: &str, is_bot: bool| json!({ "playerId": id, "isBot": is_bot });
    let updated = service.ask(&app, "updatePlayer", update(&robo.id, false)).await;
    assert_eq!((&updated["name"], &updated["isBot"]), (&json!("Robo 2"), &json!(false)));
    let updated = service.ask(&app, "updatePlayer", json!({ "playerId": robo.id })).await;
    assert_eq!((&updated["name"], &updated["isBot"]), (&json!("Robo 2"), &json!(false)), "nothing to change");
    assert_eq!(register(json!({ "name": "Robo 3", "isBot": true })).await["player"]["isBot"], true);

    let keyed = |is_bot: bool| json!({ "name": "Key", "isBot": is_bot, "idempotencyKey": "k" });
    let first = service.ask(&app, "registerPlayer", keyed(true)).await;
    assert_eq!(service.ask(&app, "registerPlayer", keyed(true)).await["player"], first["player"]);
    assert_eq!(service.refusal(&app, "registerPlayer", keyed(false)).await.code, "IDEMPOTENCY_KEY_REUSED");

    let guest = service.guest("Guest").await;
    for is_bot in [true, false] {
        let refused = service.call_as_nobody("registerPlayer", json!({ "name": "Bot", "isBot": is_bot })).await;
        assert_eq!(refused.unwrap_err().code, "FORBIDDEN", "nobody vouches for a guest");
        for who in [&guest, &robo] {
            assert_eq!(service.refusal(who, "updatePlayer", update(&who.id, is_bot)).await.code, "FORBIDDEN");
        }
    }
    let acting = service.client.call(Some(&app.token), Some(&robo.id), "updatePlayer", update(&robo.id, false)).await;
    assert_eq!(acting.unwrap_err().code, "FORBIDDEN", "the app acts for itself here");
    let other = service.app("elsewhere");
    assert_eq!(service.refusal(&other, "updatePlayer", update(&robo.id, false)).await.code, "NOT_FOUND");
}

async fn an_app_labels_its_games_and_everybody_at_the_table_reads_it(service: Service) {
    let app = service.app("league");
    let (asha, ben) = (player_of(&service, &app, "asha").await, player_of(&service, &app, "ben").await);
    let round = json!({ "round": 3, "rated": true, "prize": { "points": 2.5 }, "tags": ["final", null] });
    let ask = json!({ "kind": "KALAH", "seats": seated(&[&asha.id, &ben.id]), "externalId": "match 7",
        "metadata": round, "idempotencyKey": "m7" });
    let game = service.ask(&app, "createGame", ask.clone()).await;
    assert_eq!((&game["externalId"], &game["metadata"]), (&json!("match 7"), &round));
    assert_eq!(service.ask(&app, "createGame", ask.clone()).await["id"], game["id"], "a retry finds it");
    let mut other = ask;
    other["metadata"] = json!({ "round": 4 });
    assert_eq!(service.refusal(&app, "createGame", other).await.code, "IDEMPOTENCY_KEY_REUSED");
    let id = game["id"].as_str().unwrap().to_string();
    for who in [&asha, &ben] {
        assert_eq!(service.game(who, &id).await["metadata"], round);
        let listed = service.ask(who, "games", json!({ "externalId": "match 7" })).await;
        assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["metadata"]), (&json!(id), &round));
    }
    assert_eq!(service.ask(&app, "gameCount", json!({ "externalId": "match 8" })).await["count"], 0);
    let played = service.play(&asha_or_ben(&service, &asha, &ben, &id).await, &id, "2").await;
    assert_eq!(played["game"]["metadata"], round, "a move leaves it alone");

    // A field that is left out stays, null removes it, metadata is replaced as a whole, and the version stays.
    let version = service.game(&app, &id).await["version"].clone();
    let tag = etag(&service, &app, &id).await;
    let changed = service.ask(&app, "updateGame", json!({ "gameId": id, "metadata": { "round": 5 } })).await;
    assert_eq!((&changed["externalId"], &changed["metadata"]), (&json!("match 7"), &json!({ "round": 5 })));
    assert_eq!(changed["version"], version);
    assert_ne!(etag(&service, &app, &id).await, tag, "who asks with the old tag is told the new metadata");
    let changed = service.ask(&app, "updateGame", json!({ "gameId": id, "externalId": null })).await;
    assert_eq!((&changed["externalId"], &changed["metadata"]), (&Value::Null, &json!({ "round": 5 })));
    let changed = service.ask(&app, "updateGame", json!({ "gameId": id, "metadata": null })).await;
    assert_eq!((&changed["externalId"], &changed["metadata"]), (&Value::Null, &Value::Null));
    assert_eq!(service.ask(&app, "updateGame", json!({ "gameId": id })).await["version"], version);

    // A game that a player opened can be labelled, too.
    let open = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await["id"].clone();
    assert_eq!(service.ask(&asha, "game", json!({ "gameId": open })).await["metadata"], Value::Null);
    service.ask(&app, "updateGame", json!({ "gameId": open, "externalId": "match 7", "metadata": {} })).await;
    service.noticed_everywhere().await;
    let seen = service.ask(&asha, "game", json!({ "gameId": open })).await;
    assert_eq!((&seen["externalId"], &seen["metadata"]), (&json!("match 7"), &json!({})));
}

async fn asha_or_ben(service: &Service, asha: &Person, ben: &Person, id: &str) -> Person {
    if service.game(asha, id).await["toAct"] == json!([0]) { asha.clone() } else { ben.clone() }
}

async fn etag(service: &Service, who: &Person, id: &str) -> String {
    let request = reqwest::Client::new().get(format!("{}/v1/games/{id}", service.server.address));
    let response = request.bearer_auth(&who.token).send().await.unwrap();
    response.headers()["etag"].to_str().unwrap().to_string()
}

async fn only_its_app_labels_a_game_and_an_external_id_is_taken_once(service: Service) {
    let (app, other) = (service.app("ours"), service.app("theirs"));
    let asha = player_of(&service, &app, "asha").await;
    let label = |id: &str| json!({ "kind": "KALAH", "externalId": id });
    let one = service.ask(&app, "createGame", label("one")).await["id"].clone();
    let two = service.ask(&app, "createGame", label("two")).await["id"].clone();
    let theirs = service.ask(&other, "createGame", label("one")).await;
    assert_eq!(theirs["externalId"], "one", "each app has its own ids");
    assert_eq!(service.refusal(&app, "createGame", label("one")).await.code, "CONFLICT");
    let mut keyed = label("one");
    keyed["idempotencyKey"] = json!("again");
    assert_eq!(service.refusal(&app, "createGame", keyed).await.code, "CONFLICT");
    let rename = json!({ "gameId": two, "externalId": "one" });
    assert_eq!(service.refusal(&app, "updateGame", rename).await.code, "CONFLICT");

    assert_eq!(service.refusal(&asha, "createGame", label("three")).await.code, "FORBIDDEN");
    let said = json!({ "kind": "KALAH", "metadata": {} });
    assert_eq!(service.refusal(&asha, "createGame", said).await.code, "FORBIDDEN");
    let change = json!({ "gameId": one, "metadata": { "winner": "asha" } });
    assert_eq!(service.refusal(&asha, "updateGame", change.clone()).await.code, "FORBIDDEN");
    let acting = service.client.call(Some(&app.token), Some(&asha.id), "updateGame", change.clone()).await;
    assert_eq!(acting.unwrap_err().code, "FORBIDDEN", "the app acts for itself here");
    assert_eq!(service.refusal(&other, "updateGame", change.clone()).await.code, "NOT_FOUND");
    assert_eq!(service.call_as_nobody("updateGame", change).await.unwrap_err().code, "NOT_FOUND");

    let fits = json!({ "text": "x".repeat(4096 - r#"{"text":""}"#.len()) });
    let ask = |metadata: &Value| json!({ "gameId": one, "metadata": metadata });
    assert_eq!(service.ask(&app, "updateGame", ask(&fits)).await["metadata"], fits);
    let too_long = json!({ "text": "x".repeat(4097 - r#"{"text":""}"#.len()) });
    for bad in [too_long, json!([]), json!("text"), json!(7)] {
        assert_eq!(service.refusal(&app, "updateGame", ask(&bad)).await.code, "INVALID_INPUT", "{bad}");
    }
    for bad in ["", "a\0b", &"x".repeat(121)] {
        let refused = service.refusal(&app, "updateGame", json!({ "gameId": one, "externalId": bad })).await;
        assert_eq!(refused.code, "INVALID_INPUT");
    }
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
