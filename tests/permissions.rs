//! Permissions of players, spectators and strangers, and the tokens that authenticate them.

use serde_json::{Value, json};

use crate::support::{Person, Service, eventually, stories};

stories!(
    a_private_game_does_not_exist_for_strangers,
    spectators_watch_and_touch_nothing,
    garbled_expired_and_revoked_tokens_are_refused_alike,
    no_token_makes_one_that_outlasts_it,
    a_player_finds_its_tokens_in_use_and_not_what_they_say,
);

async fn a_private_game_does_not_exist_for_strangers(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let id = game["id"].as_str().unwrap();
    let code = game["joinCode"].as_str().expect("a private game has a code");
    assert_eq!(code.len(), 10);

    let operations = [
        ("game", json!({ "gameId": id })),
        ("joinGame", json!({ "gameId": id })),
        ("leaveGame", json!({ "gameId": id })),
        ("seatBot", json!({ "gameId": id, "level": 1 })),
        ("cancelGame", json!({ "gameId": id })),
        ("legalMoves", json!({ "gameId": id })),
        ("explain", json!({ "gameId": id, "notation": "0" })),
        ("continuations", json!({ "gameId": id, "prefix": [] })),
        ("playMove", json!({ "gameId": id, "notation": "0" })),
        ("resign", json!({ "gameId": id })),
        ("log", json!({ "gameId": id })),
        ("rematch", json!({ "gameId": id })),
    ];
    let unknown = format!("game_{}", "0".repeat(32));
    for (operation, input) in operations {
        let private = service.refusal(&carol, operation, input.clone()).await;
        let mut elsewhere = input;
        elsewhere["gameId"] = json!(unknown);
        let absent = service.refusal(&carol, operation, elsewhere).await;
        assert_eq!(private.code, "NOT_FOUND", "{operation}");
        assert_eq!(private, absent, "{operation} tells a hidden game from none");
    }
    assert_eq!(service.call_as_nobody("game", json!({ "gameId": id })).await.unwrap_err().code, "NOT_FOUND");
    let listed = service.ask(&carol, "games", json!({})).await;
    assert_eq!(listed["items"], json!([]));

    assert_eq!(service.refusal(&ben, "joinGame", json!({ "code": "AAAAAAAAAA" })).await.code, "NOT_FOUND");
    let joined = service.ask(&ben, "joinGame", json!({ "code": code.to_lowercase() })).await;
    assert_eq!((&joined["status"], &joined["joinCode"]), (&json!("RUNNING"), &Value::Null));
    assert_eq!(service.refusal(&carol, "joinGame", json!({ "code": code })).await.code, "CONFLICT");
    assert_eq!(service.ask(&ben, "games", json!({})).await["items"][0]["id"], id);
}

async fn spectators_watch_and_touch_nothing(service: Service) {
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let carol = service.guest("Carol").await;
    let seen = service.game(&carol, &id).await;
    assert_eq!(seen["mySeat"], Value::Null);
    assert_eq!(seen["view"], service.game(&asha, &id).await["view"]);
    assert_eq!(service.ask(&carol, "legalMoves", json!({ "gameId": id })).await["items"], json!([]));
    for operation in ["playMove", "explain"] {
        let refused = service.refusal(&carol, operation, json!({ "gameId": id, "notation": "0" })).await;
        assert_eq!(refused.code, "FORBIDDEN");
    }
    assert_eq!(service.refusal(&carol, "resign", json!({ "gameId": id })).await.code, "FORBIDDEN");
    assert_eq!(service.refusal(&carol, "joinGame", json!({ "gameId": id })).await.code, "CONFLICT");

    // If guests are enabled, their public games can be watched without a token.
    let watched = service.call_as_nobody("game", json!({ "gameId": id })).await.expect("anybody may watch");
    assert_eq!(watched["view"], seen["view"]);
    let log = service.call_as_nobody("log", json!({ "gameId": id })).await.expect("anybody may read");
    assert_eq!(log["items"].as_array().unwrap().len(), 4);
    for (operation, input) in [
        ("playMove", json!({ "gameId": id, "notation": "0" })),
        ("createGame", json!({ "kind": "KALAH" })),
        ("me", json!({})),
        ("inbox", json!({})),
    ] {
        let refused = service.call_as_nobody(operation, input).await.unwrap_err();
        assert!(["UNAUTHENTICATED", "FORBIDDEN"].contains(&refused.code.as_str()), "{operation}: {refused:?}");
    }
}

async fn garbled_expired_and_revoked_tokens_are_refused_alike(service: Service) {
    let asha = service.guest("Asha").await;
    let me = service.ask(&asha, "me", json!({})).await;
    assert_eq!(me["player"]["id"], asha.id.as_str());

    let short = service.ask(&asha, "issueToken", json!({ "playerId": asha.id, "expiresInSeconds": 1 })).await;
    let other = service.ask(&asha, "issueToken", json!({ "playerId": asha.id })).await;
    let bearer = |token: &Value| Person { id: asha.id.clone(), token: token["token"].as_str().unwrap().into() };
    assert_eq!(service.ask(&bearer(&other), "me", json!({})).await, me);
    let revoke = json!({ "playerId": asha.id, "tokenId": other["id"] });
    service.ask(&asha, "revokeToken", revoke.clone()).await;
    service.noticed_everywhere().await;
    assert_eq!(service.refusal(&bearer(&other), "me", json!({})).await.code, "UNAUTHENTICATED");
    assert_eq!(service.refusal(&asha, "revokeToken", revoke).await.code, "NOT_FOUND");
    let has_expired = async || service.call(&bearer(&short), "me", json!({})).await.is_err();
    eventually("a token expires", has_expired).await;

    let unknown = format!("mdn_ply_{}", "a".repeat(52));
    let mut refusals = Vec::new();
    for token in [short["token"].as_str().unwrap(), other["token"].as_str().unwrap(), &unknown, "mdn_ply_short", "x"] {
        let stranger = Person { id: String::new(), token: token.into() };
        refusals.push(service.refusal(&stranger, "me", json!({})).await);
        // A bad token is refused even if none is needed.
        refusals.push(service.refusal(&stranger, "kind", json!({ "id": "KALAH" })).await);
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(refusals[0].code, "UNAUTHENTICATED");

    let ben = service.guest("Ben").await;
    assert_eq!(service.refusal(&ben, "issueToken", json!({ "playerId": asha.id })).await.code, "FORBIDDEN");
    for seconds in [0, -5] {
        let ask = json!({ "playerId": asha.id, "expiresInSeconds": seconds });
        assert_eq!(service.refusal(&asha, "issueToken", ask).await.code, "INVALID_INPUT");
    }
}

async fn a_player_finds_its_tokens_in_use_and_not_what_they_say(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let mine = json!({ "playerId": asha.id });
    let kept = service.ask(&asha, "issueToken", json!({ "playerId": asha.id, "expiresInSeconds": 3600 })).await;
    let gone = service.ask(&asha, "issueToken", mine.clone()).await;
    service.ask(&asha, "revokeToken", json!({ "playerId": asha.id, "tokenId": gone["id"] })).await;
    let page = service.ask(&asha, "tokens", mine.clone()).await;
    let items = page["items"].as_array().unwrap();
    assert_eq!((items.len(), &page["hasMore"]), (2, &json!(false)));
    assert_eq!((&items[0]["id"], &items[0]["expiresAt"]), (&kept["id"], &kept["expiresAt"]));
    assert_eq!(items[1]["expiresAt"], Value::Null);
    assert!(items.iter().all(|token| token["createdAt"].is_string()));
    assert!(!page.to_string().contains("mdn_"), "{page}");

    let first = service.ask(&asha, "tokens", json!({ "playerId": asha.id, "first": 1 })).await;
    assert_eq!((&first["items"][0], &first["hasMore"]), (&items[0], &json!(true)));
    let ask = json!({ "playerId": asha.id, "first": 1, "after": first["endCursor"] });
    assert_eq!(service.ask(&asha, "tokens", ask).await["items"], json!([items[1]]));

    assert_eq!(service.refusal(&ben, "tokens", mine.clone()).await.code, "FORBIDDEN");
    assert_eq!(service.call_as_nobody("tokens", mine.clone()).await.unwrap_err().code, "UNAUTHENTICATED");
    let elsewhere = service.app("elsewhere");
    assert_eq!(service.refusal(&elsewhere, "tokens", mine).await.code, "NOT_FOUND");
    for bad in [json!({ "playerId": asha.id, "first": 0 }), json!({ "playerId": asha.id, "after": "x" })] {
        assert_eq!(service.refusal(&asha, "tokens", bad).await.code, "INVALID_INPUT");
    }
}

async fn no_token_makes_one_that_outlasts_it(service: Service) {
    let asha = service.guest("Asha").await;
    let issue = async |token: &str, input: Value| {
        let bearer = Person { id: asha.id.clone(), token: token.into() };
        service.ask(&bearer, "issueToken", input).await
    };
    let hour = issue(&asha.token, json!({ "playerId": asha.id, "expiresInSeconds": 3600 })).await;
    let (hours, end) = (hour["token"].as_str().unwrap(), &hour["expiresAt"]);
    assert!(end.is_string());
    for ask in [json!({ "playerId": asha.id }), json!({ "playerId": asha.id, "expiresInSeconds": 1_000_000 })] {
        assert_eq!(&issue(hours, ask).await["expiresAt"], end);
    }
    let sooner = issue(hours, json!({ "playerId": asha.id, "expiresInSeconds": 60 })).await;
    assert!(sooner["expiresAt"].as_str() < end.as_str());
    assert_eq!(issue(&asha.token, json!({ "playerId": asha.id })).await["expiresAt"], Value::Null);
}
