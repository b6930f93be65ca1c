//! Whole games, refusals, retries and resigning.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::service::{notations, number, tokens};
use crate::support::{Service, own_seat, stories};

stories!(
    a_whole_game_is_played_to_its_end,
    every_refusal_has_a_code_a_rule_and_a_sentence,
    a_retry_gets_the_same_result_with_the_view_of_now,
    a_stale_decision_is_not_taken_for_the_present_one,
    resigning_ends_a_game_for_two,
    moves_are_built_token_by_token,
    seats_are_taken_and_left_before_the_start,
    a_finished_table_shows_its_seed,
);

async fn a_whole_game_is_played_to_its_end(service: Service) {
    let (id, players) = service.kalah(json!({ "pockets": 4, "seedsPerPocket": 3 })).await;
    let mut turn = 0;
    let last = loop {
        let game = service.game(&players[0], &id).await;
        if game["status"] == "OVER" {
            break game;
        }
        let seat = number(&game["toAct"][0]);
        let waiting = service.ask(&players[1 - seat], "legalMoves", json!({ "gameId": id })).await;
        assert_eq!(waiting["items"], json!([]), "nobody moves out of turn");
        let moves = service.ask(&players[seat], "legalMoves", json!({ "gameId": id })).await;
        let items = moves["items"].as_array().expect("there are moves");
        let chosen = &items[turn % items.len()];
        // Alternately in notation and as structured moves, exactly as they were offered.
        let ask = if turn % 2 == 0 {
            json!({ "gameId": id, "notation": chosen["notation"] })
        } else {
            json!({ "gameId": id, "move": chosen["move"] })
        };
        let played = service.ask(&players[seat], "playMove", ask).await;
        assert_eq!(played["repeated"], false);
        assert_eq!(played["version"], game["version"].as_i64().unwrap() + 1);
        turn += 1;
    };
    assert_eq!(last["ply"], turn);
    assert_eq!(last["toAct"], json!([]));
    let outcome = &last["outcome"];
    assert_eq!(outcome["ending"], "kalah.7");
    assert_eq!(outcome["details"]["type"], "KalahDetails");
    assert_eq!(outcome["details"]["stores"], last["view"]["stores"]);

    let log = service.log(&players[1], &id).await;
    let versions: Vec<i64> = log.iter().map(|entry| entry["version"].as_i64().unwrap()).collect();
    assert_eq!(versions, (1..=last["version"].as_i64().unwrap()).collect::<Vec<_>>());
    let kinds: Vec<&str> = log.iter().take(4).map(|entry| entry["what"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["OPENED", "JOINED", "JOINED", "STARTED"]);
    assert_eq!(log.iter().filter(|entry| entry["what"] == "MOVED").count(), turn);
    assert_eq!(log.last().unwrap()["events"].as_array().unwrap().last().unwrap()["type"], "KalahEnded");
}

async fn every_refusal_has_a_code_a_rule_and_a_sentence(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let mv = |notation: &str| json!({ "gameId": id, "notation": notation });

    let refused = service.refusal(&ben, "playMove", mv("0")).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("NOT_YOUR_TURN", Some("kalah.2")));
    let refused = service.refusal(&asha, "playMove", mv("6")).await;
    assert_eq!(
        (refused.code.as_str(), refused.rule.as_deref(), refused.token),
        ("ILLEGAL_MOVE", Some("kalah.2"), Some(0))
    );
    service.play(&asha, &id, "2").await;
    let refused = service.refusal(&asha, "playMove", mv("2")).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("ILLEGAL_MOVE", Some("kalah.3")));
    assert!(refused.text.contains("Pocket 2"), "{refused:?}");

    let explained = service.ask(&asha, "explain", mv("2")).await;
    assert_eq!(
        explained,
        json!({ "legal": false, "code": "ILLEGAL_MOVE", "rule": "kalah.3", "text": "Pocket 2 is empty.", "token": 0 })
    );
    let explained = service.ask(&asha, "explain", json!({ "gameId": id, "move": { "kalah": { "pocket": 3 } } })).await;
    assert_eq!(explained["legal"], true);
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("all may look");
    let rules = kinds[0]["rules"].as_array().expect("a kind has rules").clone();
    assert!(rules.iter().any(|rule| rule["id"] == "kalah.3"), "the rule can be looked up");

    let refused = service.refusal(&asha, "playMove", mv("all of them")).await;
    assert_eq!(refused.code, "INVALID_INPUT");
    assert_eq!(service.game(&asha, &id).await["version"], 5, "refusals store nothing");

    // The smallest board: after one seed each, the rows are empty.
    let players = [asha, ben];
    let id = service.kalah_of(&players, json!({ "pockets": 1, "seedsPerPocket": 1 })).await;
    let played = service.play(&players[0], &id, "0").await;
    assert_eq!(played["game"]["status"], "OVER");
    let refused = service.refusal(&players[1], "playMove", json!({ "gameId": id, "notation": "0" })).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("GAME_OVER", Some("kalah.7")));
}

async fn a_retry_gets_the_same_result_with_the_view_of_now(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let ask = json!({ "gameId": id, "notation": "0", "idempotencyKey": "first" });
    let first = service.ask(&asha, "playMove", ask.clone()).await;
    let again = service.ask(&asha, "playMove", ask.clone()).await;
    assert_eq!(again["repeated"], true);
    assert_eq!((&again["version"], &again["events"]), (&first["version"], &first["events"]));

    // Much later, a retry still gets the original result, with the current game.
    service.play(&ben, &id, "0").await;
    let later = service.ask(&asha, "playMove", ask).await;
    assert_eq!((&later["version"], &later["events"]), (&first["version"], &first["events"]));
    assert_eq!(later["game"]["version"], first["version"].as_i64().unwrap() + 1);
    assert_eq!(later["game"]["view"], service.game(&asha, &id).await["view"]);

    let other = json!({ "gameId": id, "notation": "1", "idempotencyKey": "first" });
    assert_eq!(service.refusal(&asha, "playMove", other).await.code, "IDEMPOTENCY_KEY_REUSED");
    // Keys are per player: another player may use the same key.
    let bens = json!({ "gameId": id, "notation": "0", "idempotencyKey": "first" });
    assert_eq!(service.refusal(&ben, "playMove", bens).await.code, "NOT_YOUR_TURN");
    // A refusal stores nothing, so the key can still be used for a legal move.
    let illegal = json!({ "gameId": id, "notation": "0", "idempotencyKey": "second" });
    assert_eq!(service.refusal(&asha, "playMove", illegal).await.code, "ILLEGAL_MOVE");
    let legal = json!({ "gameId": id, "notation": "1", "idempotencyKey": "second" });
    assert_eq!(service.ask(&asha, "playMove", legal).await["repeated"], false);

    let open = json!({ "kind": "KALAH", "idempotencyKey": "table" });
    let one = service.ask(&asha, "createGame", open.clone()).await;
    let two = service.ask(&asha, "createGame", open).await;
    assert_eq!((&one["id"], &two["repeated"]), (&two["id"], &json!(true)), "one request, one game");
    let other = json!({ "kind": "KALAH", "visibility": "PRIVATE", "idempotencyKey": "table" });
    assert_eq!(service.refusal(&asha, "createGame", other).await.code, "IDEMPOTENCY_KEY_REUSED");
    let bad = json!({ "kind": "KALAH", "idempotencyKey": "with space" });
    assert_eq!(service.refusal(&asha, "createGame", bad).await.code, "INVALID_INPUT");
}

async fn a_stale_decision_is_not_taken_for_the_present_one(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let mv = |notation: &str, version: i64| json!({ "gameId": id, "notation": notation, "expectedVersion": version });
    let seen = service.game(&asha, &id).await;
    assert_eq!(seen["myDecision"], 4);
    service.ask(&asha, "playMove", mv("2", 4)).await;
    // Pocket 2 earned another turn: that is a new decision, so a move for the old version is stale.
    assert_eq!(service.refusal(&asha, "playMove", mv("3", 4)).await.code, "STALE");
    service.ask(&asha, "playMove", mv("3", 5)).await;
    assert_eq!(service.refusal(&ben, "playMove", mv("0", 99)).await.code, "INVALID_INPUT");
    service.ask(&ben, "playMove", mv("0", 6)).await;
}

async fn resigning_ends_a_game_for_two(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let ask = json!({ "gameId": id, "idempotencyKey": "enough" });
    let resigned = service.ask(&ben, "resign", ask.clone()).await;
    let game = &resigned["game"];
    assert_eq!((&game["status"], &game["outcome"]["ending"]), (&json!("OVER"), &json!("RESIGNATION")));
    assert_eq!(game["outcome"]["winners"], json!([0]));
    assert_eq!(game["outcome"]["places"], json!([1, 2]));
    assert_eq!(game["seats"][1]["resigned"], true);
    assert_eq!(service.ask(&ben, "resign", ask).await["repeated"], true);
    let refused = service.refusal(&asha, "playMove", json!({ "gameId": id, "notation": "0" })).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("GAME_OVER", Some("table.1")));
    assert_eq!(service.refusal(&asha, "resign", json!({ "gameId": id })).await.code, "GAME_OVER");
    assert_eq!(service.log(&asha, &id).await.last().unwrap()["what"], "RESIGNED");
}

async fn moves_are_built_token_by_token(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let start = service.ask(&asha, "continuations", json!({ "gameId": id, "prefix": [] })).await;
    assert_eq!(start["isMove"], false);
    assert_eq!(tokens(&start), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(start["next"][3], json!({ "token": "3", "text": "Sow pocket 3", "type": "PLACE" }));
    let done = service.ask(&asha, "continuations", json!({ "gameId": id, "prefix": ["3"] })).await;
    assert_eq!(done, json!({ "next": [], "isMove": true }));
    let waiting = service.ask(&ben, "continuations", json!({ "gameId": id, "prefix": [] })).await;
    assert_eq!(waiting, json!({ "next": [], "isMove": false }));

    let cut = service.ask(&asha, "legalMoves", json!({ "gameId": id, "limit": 2 })).await;
    assert_eq!((notations(&cut), &cut["complete"]), (vec!["0".into(), "1".into()], &json!(false)));
    assert_eq!(service.ask(&asha, "legalMoves", json!({ "gameId": id, "limit": 6 })).await["complete"], true);
    for limit in [0, -1, 100_000] {
        let refused = service.refusal(&asha, "legalMoves", json!({ "gameId": id, "limit": limit })).await;
        assert_eq!(refused.code, "INVALID_INPUT");
    }
}

async fn seats_are_taken_and_left_before_the_start(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "seats": own_seat(1, 2) })).await;
    let id = game["id"].as_str().unwrap().to_string();
    assert_eq!((&game["status"], &game["mySeat"], &game["view"]), (&json!("OPEN"), &json!(1), &Value::Null));
    let wanted = |seat: i64| json!({ "gameId": id, "seat": seat });
    assert_eq!(service.refusal(&ben, "joinGame", wanted(1)).await.code, "CONFLICT");
    assert_eq!(service.refusal(&ben, "joinGame", wanted(2)).await.code, "INVALID_INPUT");
    assert_eq!(service.refusal(&ben, "leaveGame", json!({ "gameId": id })).await.code, "FORBIDDEN");
    assert_eq!(service.refusal(&ben, "cancelGame", json!({ "gameId": id })).await.code, "FORBIDDEN");
    assert_eq!(service.refusal(&asha, "playMove", json!({ "gameId": id, "notation": "0" })).await.code, "CONFLICT");

    // When the opener leaves, the game is cancelled.
    let left = service.ask(&asha, "leaveGame", json!({ "gameId": id })).await;
    assert_eq!(left["status"], "CANCELLED");
    assert_eq!(service.refusal(&ben, "joinGame", json!({ "gameId": id })).await.code, "CONFLICT");
    let whats: Vec<Value> = service.log(&asha, &id).await.iter().map(|entry| entry["what"].clone()).collect();
    assert_eq!(whats, ["OPENED", "JOINED", "LEFT", "CANCELLED"]);

    // After the start players resign instead. Joining again is accepted.
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    assert_eq!(service.refusal(&ben, "leaveGame", json!({ "gameId": id })).await.code, "CONFLICT");
    assert_eq!(service.refusal(&asha, "cancelGame", json!({ "gameId": id })).await.code, "FORBIDDEN");
    assert_eq!(service.ask(&ben, "joinGame", json!({ "gameId": id })).await["mySeat"], 1);
}

async fn a_finished_table_shows_its_seed(service: Service) {
    let (id, [asha, _]) = service.kalah(json!({ "pockets": 1, "seedsPerPocket": 1 })).await;
    let running = service.game(&asha, &id).await;
    assert_eq!(running["seed"], Value::Null, "the seed is a secret while the game runs");
    let over = service.play(&asha, &id, "0").await["game"].clone();
    assert_eq!(over["commitment"], running["commitment"]);
    let seed = over["seed"].as_str().expect("the seed is shown");
    let bytes: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&seed[2 * i..2 * i + 2], 16).unwrap()).collect();
    let digest = Sha256::new().chain_update("maidan/seed").chain_update(&id).chain_update(bytes).finalize();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(over["commitment"], hex.as_str(), "it is the seed that was promised");
}
