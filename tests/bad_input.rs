//! Invalid input of all kinds gets the right code and status, never a 500, and changes nothing.

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::support::{Service, own_seat, stories};

stories!(what_makes_no_sense_is_refused_and_changes_nothing);

async fn what_makes_no_sense_is_refused_and_changes_nothing(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let before = service.game(&asha, &id).await;
    let kalah = |options: Value| json!({ "kind": "KALAH", "options": { "kalah": options } });
    let mv = |choice: Value| json!({ "gameId": id, "move": choice });
    let unknown_game = "game_ffffffffffffffffffffffffffffffff";
    let cases = [
        ("createGame", json!({ "kind": "CHESS" }), "INVALID_INPUT"),
        ("createGame", json!({}), "INVALID_INPUT"),
        ("createGame", json!({ "kind": 7 }), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": 0 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": 99 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": -1 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": 100_000 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": "six" })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": 6.5 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "pockets": 99_999_999_999_i64 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "seedsPerPocket": 13 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "leftovers": "BURN" })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "firstSeat": 2 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "firstSeat": -1 })), "INVALID_INPUT"),
        ("createGame", kalah(json!({ "holes": 6 })), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "options": {} }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "options": { "go": {} } }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": 2 }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": own_seat(0, 1) }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": own_seat(0, 3) }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": [] }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": own_seat(2, 2) }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": [{ "me": true }, { "me": true }] }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": [{ "me": true }, { "open": false }] }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": [{ "me": true }, { "sofa": true }] }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "seats": [{ "me": true }, {}] }), "INVALID_INPUT"),
        (
            "createGame",
            json!({ "kind": "KALAH", "seats": [{ "me": true, "open": true }, { "open": true }] }),
            "INVALID_INPUT",
        ),
        ("createGame", json!({ "kind": "KALAH", "seats": [{ "me": true }, null] }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "visibility": "SECRET" }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "colour": "red" }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "MAHOLA", "rulesVersion": 1 }), "INVALID_INPUT"),
        ("createGame", json!({ "kind": "KALAH", "idempotencyKey": "x".repeat(65) }), "INVALID_INPUT"),
        ("playMove", mv(json!({ "kalah": { "pocket": "two" } })), "INVALID_INPUT"),
        ("playMove", mv(json!({ "kalah": { "pocket": -1 } })), "INVALID_INPUT"),
        ("playMove", mv(json!({ "kalah": { "pocket": 4000 } })), "INVALID_INPUT"),
        ("playMove", mv(json!({ "kalah": {} })), "INVALID_INPUT"),
        ("playMove", mv(json!({ "chess": { "from": "e2" } })), "INVALID_INPUT"),
        ("playMove", mv(json!({})), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": id }), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": id, "notation": "0", "move": { "kalah": { "pocket": 0 } } }), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": id, "notation": "" }), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": id, "notation": "😀".repeat(500) }), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": id, "notation": "99999999999999999999" }), "INVALID_INPUT"),
        ("playMove", json!({ "gameId": unknown_game, "notation": "0" }), "NOT_FOUND"),
        ("playMove", json!({ "gameId": "nonsense", "notation": "0" }), "NOT_FOUND"),
        ("playMove", json!({ "gameId": ben.id, "notation": "0" }), "NOT_FOUND"),
        ("game", json!({ "gameId": unknown_game }), "NOT_FOUND"),
        ("joinGame", json!({ "gameId": unknown_game }), "NOT_FOUND"),
        ("joinGame", json!({ "code": "" }), "NOT_FOUND"),
        ("joinGame", json!({ "code": "AAAAA\0AAAA" }), "NOT_FOUND"),
        ("joinGame", json!({ "code": "ß".repeat(5000) }), "NOT_FOUND"),
        ("player", json!({ "id": "player_ffffffffffffffffffffffffffffffff" }), "NOT_FOUND"),
        ("player", json!({ "id": "x" }), "NOT_FOUND"),
        ("revokeToken", json!({ "playerId": asha.id, "tokenId": "token_x" }), "NOT_FOUND"),
        ("registerPlayer", json!({ "name": "" }), "INVALID_INPUT"),
        ("registerPlayer", json!({ "name": "x".repeat(61) }), "INVALID_INPUT"),
        ("registerPlayer", json!({ "name": "a\u{7}b" }), "INVALID_INPUT"),
        ("registerPlayer", json!({ "name": "a\0b" }), "INVALID_INPUT"),
        ("registerPlayer", json!({ "name": 5 }), "INVALID_INPUT"),
        ("registerPlayer", json!({}), "INVALID_INPUT"),
        ("explain", json!({ "gameId": id }), "INVALID_INPUT"),
        ("continuations", json!({ "gameId": id, "prefix": ["0 ".repeat(201)] }), "INVALID_INPUT"),
        ("log", json!({ "gameId": id, "first": 5000 }), "INVALID_INPUT"),
        ("games", json!({ "status": "LOST" }), "INVALID_INPUT"),
        ("games", json!({ "createdFrom": "yesterday" }), "INVALID_INPUT"),
        ("games", json!({ "playerId": "me" }), "NOT_FOUND"),
    ];
    for (operation, input, code) in cases {
        let refused = service.refusal(&asha, operation, input.clone()).await;
        assert_eq!(refused.code, code, "{operation} {input}: {refused:?}");
        assert!(refused.text.len() < 500, "a refusal does not throw the input back: {refused:?}");
    }
    // A kind that does not exist is an unknown address in REST and a wrong value in GraphQL.
    let refused = service.refusal(&asha, "kind", json!({ "id": "CHESS" })).await;
    assert!(["NOT_FOUND", "INVALID_INPUT"].contains(&refused.code.as_str()));
    assert_eq!(service.game(&asha, &id).await, before, "nothing has changed");
    assert_eq!(service.ask(&asha, "myGames", json!({})).await["items"].as_array().unwrap().len(), 1);
}

stories!(bodies_that_are_no_bodies_are_refused);

async fn bodies_that_are_no_bodies_are_refused(service: Service) {
    let asha = service.guest("Asha").await;
    let client = Client::new();
    let address = &service.server.address;
    let send = async |path: &str, content_type: &str, body: Vec<u8>| {
        let request = client.request(Method::POST, format!("{address}{path}")).bearer_auth(&asha.token);
        let response = request.header("content-type", content_type).body(body).send().await.unwrap();
        let status = response.status().as_u16();
        let answer: Value = response.json().await.unwrap();
        let code = answer["code"].as_str().or(answer["errors"][0]["extensions"]["code"].as_str()).unwrap().to_string();
        (status, code)
    };
    for path in ["/v1/games", "/graphql"] {
        let expect = |status: u16, code: &str| (status, code.to_string());
        let huge = vec![b' '; 10 * 1024 * 1024];
        assert_eq!(send(path, "application/json", huge).await, expect(413, "TOO_LARGE"));
        assert_eq!(send(path, "application/json", b"{".to_vec()).await, expect(400, "INVALID_INPUT"));
        assert_eq!(send(path, "application/json", b"[]".to_vec()).await, expect(400, "INVALID_INPUT"));
        assert_eq!(send(path, "application/json", b"\xff\xfe".to_vec()).await, expect(400, "INVALID_INPUT"));
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000)).into_bytes();
        assert_eq!(send(path, "application/json", deep).await, expect(400, "INVALID_INPUT"));
        assert_eq!(send(path, "text/plain", b"{}".to_vec()).await, expect(415, "UNSUPPORTED_MEDIA_TYPE"));
        let form = b"kind=KALAH".to_vec();
        assert_eq!(send(path, "application/x-www-form-urlencoded", form).await, expect(415, "UNSUPPORTED_MEDIA_TYPE"));
    }
    let response = client.get(format!("{address}/nowhere")).send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert_eq!(response.json::<Value>().await.unwrap()["code"], "NOT_FOUND");
    for parameters in ["first=many", "colour=red", "first=1&first=2"] {
        let response = client.get(format!("{address}/v1/games?{parameters}")).send().await.unwrap();
        assert_eq!(response.status(), 400, "{parameters}");
    }
    let response = client.get(format!("{address}/v1/me")).header("authorization", "Basic eHg=").send().await.unwrap();
    assert_eq!(response.status(), 401);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
}
