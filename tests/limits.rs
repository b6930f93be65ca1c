//! Rate limits, size limits and counts.

use serde_json::json;

use crate::support::{Database, Service};

async fn graphql_and_rest(variables: &[(&str, &str)]) -> [Service; 2] {
    [Service::with(Database::Sqlite, true, variables).await, Service::with(Database::Sqlite, false, variables).await]
}

#[tokio::test]
async fn reading_never_costs_a_player_its_turn() {
    for service in graphql_and_rest(&[("MAIDAN_REQUESTS_PER_SECOND", "2"), ("MAIDAN_MOVES_PER_SECOND", "5")]).await {
        let (id, [asha, _]) = service.kalah(json!({})).await;
        for (operation, input) in [("me", json!({})), ("kind", json!({ "id": "KALAH" }))] {
            let mut refused = None;
            for _ in 0..60 {
                if let Err(refusal) = service.call(&asha, operation, input.clone()).await {
                    refused = Some(refusal);
                    break;
                }
            }
            assert_eq!(refused.expect("sixty requests at once are too many").code, "RATE_LIMITED", "{operation}");
        }
        service.play(&asha, &id, "2").await;
    }
}

#[tokio::test]
async fn moves_have_a_limit_of_their_own() {
    for service in graphql_and_rest(&[("MAIDAN_MOVES_PER_SECOND", "1")]).await {
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let mut codes = Vec::new();
        for _ in 0..12 {
            let refused = service.call(&asha, "playMove", json!({ "gameId": id, "notation": "9" })).await.unwrap_err();
            codes.push(refused.code);
        }
        assert_eq!(codes[0], "ILLEGAL_MOVE");
        assert!(codes.contains(&"RATE_LIMITED".to_string()), "{codes:?}");
    }
}

#[tokio::test]
async fn registrations_and_guesses_are_limited_by_address() {
    let variables = [("MAIDAN_REGISTRATIONS_PER_MINUTE", "3"), ("MAIDAN_AUTH_FAILURES_PER_MINUTE", "4")];
    for service in graphql_and_rest(&variables).await {
        let asha = service.guest("Asha").await;
        service.guest("Ben").await;
        service.guest("Carol").await;
        let refused = service.call_as_nobody("registerPlayer", json!({ "name": "Dan" })).await.unwrap_err();
        assert_eq!(refused.code, "RATE_LIMITED");
        let mut codes = Vec::new();
        for _ in 0..6 {
            codes.push(service.refusal(&asha, "joinGame", json!({ "code": "AAAAAAAAAA" })).await.code);
        }
        assert_eq!(codes[0], "NOT_FOUND");
        assert_eq!(codes[5], "RATE_LIMITED", "codes cannot be guessed by trying: {codes:?}");

        // Nor by further attempts: even the right code is not checked now, and it stays valid.
        let private = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
        let code = json!({ "code": private["joinCode"] });
        assert_eq!(service.refusal(&asha, "joinGame", code.clone()).await.code, "RATE_LIMITED");

        // An app's server acts for many players: failed attempts of one do not count against another.
        let app = service.app("club");
        let dan = service.ask(&app, "registerPlayer", json!({ "name": "Dan" })).await["player"]["id"].clone();
        let joined = service.client.call(Some(&app.token), dan.as_str(), "joinGame", code).await;
        assert_eq!(joined.unwrap_err().code, "NOT_FOUND", "looked at, and another app's");
    }
}

#[tokio::test]
async fn a_refusal_for_haste_says_when_to_come_back() {
    let service = Service::with(Database::Sqlite, false, &[("MAIDAN_REGISTRATIONS_PER_MINUTE", "1")]).await;
    service.guest("Asha").await;
    let client = reqwest::Client::new();
    let ask = client.post(format!("{}/v1/players", service.server.address)).json(&json!({ "name": "Ben" }));
    let response = ask.send().await.unwrap();
    assert_eq!(response.status(), 429);
    let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(response.headers()["content-type"], "application/problem+json");
}

#[tokio::test]
async fn a_player_holds_only_so_many_tables_open() {
    for service in graphql_and_rest(&[("MAIDAN_MAX_OPEN_GAMES", "2")]).await {
        let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
        let open = json!({ "kind": "KALAH" });
        let first = service.ask(&asha, "createGame", open.clone()).await;
        service.ask(&asha, "createGame", open.clone()).await;
        assert_eq!(service.refusal(&asha, "createGame", open.clone()).await.code, "LIMIT_REACHED");
        service.ask(&ben, "joinGame", json!({ "gameId": first["id"] })).await;
        service.ask(&asha, "createGame", open).await;
    }
}

#[tokio::test]
async fn methods_that_clients_make_up_are_counted_as_one() {
    let service = Service::with(Database::Sqlite, false, &[]).await;
    let (client, address) = (reqwest::Client::new(), &service.server.address);
    for name in ["FROB", "NICATE"] {
        let method = reqwest::Method::from_bytes(name.as_bytes()).unwrap();
        assert_eq!(client.request(method, format!("{address}/v1/games")).send().await.unwrap().status(), 405);
    }
    let counted = client.get(&service.server.metrics).send().await.unwrap().text().await.unwrap();
    assert!(counted.contains(r#"operation="other""#) && !counted.contains("FROB"), "{counted}");
}
