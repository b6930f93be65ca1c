//! Tokens are a player's sessions: whoever holds one that ends can do nothing more with it, not even on an open socket.

use serde_json::{Value, json};

use crate::support::streams::{Socket, open_socket, receive, send};
use crate::support::{Database, Person, Server, Service, stories};

stories!(
    a_token_that_a_token_issued_ends_with_it,
    a_player_sees_and_ends_its_own_sessions,
    a_player_has_a_limited_number_of_tokens,
);

fn bearer(player: &str, issued: &Value) -> Person {
    Person { id: player.into(), token: issued["token"].as_str().unwrap().into() }
}

async fn a_token_that_a_token_issued_ends_with_it(service: Service) {
    let asha = service.guest("Asha").await;
    let mine = json!({ "playerId": asha.id });
    let child = service.ask(&asha, "issueToken", mine.clone()).await;
    let second = bearer(&asha.id, &child);
    let third = bearer(&asha.id, &service.ask(&second, "issueToken", mine.clone()).await);
    let other = bearer(&asha.id, &service.ask(&asha, "issueToken", mine.clone()).await);
    service.ask(&asha, "revokeToken", json!({ "playerId": asha.id, "tokenId": child["id"] })).await;
    service.noticed_everywhere().await;
    for gone in [&second, &third] {
        assert_eq!(service.refusal(gone, "me", json!({})).await.code, "UNAUTHENTICATED");
    }
    service.ask(&other, "me", json!({})).await;
    service.ask(&asha, "me", json!({})).await;

    // A token that an app issues does not depend on the app's key; one that its player issues with it does.
    let app = service.app("club");
    let player = service.ask(&app, "registerPlayer", json!({ "name": "Ben" })).await["player"]["id"].clone();
    let first = service.ask(&app, "issueToken", json!({ "playerId": player })).await;
    let ben = bearer(player.as_str().unwrap(), &first);
    let second = bearer(&ben.id, &service.ask(&ben, "issueToken", json!({ "playerId": player })).await);
    service.ask(&app, "revokeToken", json!({ "playerId": player, "tokenId": first["id"] })).await;
    service.noticed_everywhere().await;
    assert_eq!(service.refusal(&second, "me", json!({})).await.code, "UNAUTHENTICATED");
}

async fn a_player_sees_and_ends_its_own_sessions(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let mine = json!({ "playerId": asha.id });
    let phone = bearer(&asha.id, &service.ask(&asha, "issueToken", mine.clone()).await);
    for (who, current) in [(&asha, [false, true]), (&phone, [true, false])] {
        let sessions = service.ask(who, "tokens", mine.clone()).await;
        let items = sessions["items"].as_array().unwrap();
        assert_eq!(items.iter().map(|item| item["isCurrent"].as_bool().unwrap()).collect::<Vec<_>>(), current);
    }
    assert_eq!(service.refusal(&ben, "revokeTokens", mine.clone()).await.code, "FORBIDDEN");
    service.ask(&phone, "revokeTokens", mine.clone()).await;
    service.noticed_everywhere().await;
    for gone in [&asha, &phone] {
        assert_eq!(service.refusal(gone, "me", json!({})).await.code, "UNAUTHENTICATED");
    }
    service.ask(&ben, "me", json!({})).await;

    let app = service.app("club");
    let player = service.ask(&app, "registerPlayer", json!({ "name": "Carol" })).await["player"]["id"].clone();
    let carol = bearer(player.as_str().unwrap(), &service.ask(&app, "issueToken", json!({ "playerId": player })).await);
    service.ask(&app, "revokeTokens", json!({ "playerId": player })).await;
    service.noticed_everywhere().await;
    assert_eq!(service.refusal(&carol, "me", json!({})).await.code, "UNAUTHENTICATED");
    assert_eq!(service.refusal(&app, "revokeTokens", mine).await.code, "NOT_FOUND", "of another app");
}

async fn a_player_has_a_limited_number_of_tokens(service: Service) {
    let service = service.restarted(&[("MAIDAN_MAX_TOKENS_PER_PLAYER", "3")]).await;
    let asha = service.guest("Asha").await;
    let mine = json!({ "playerId": asha.id });
    let brief = json!({ "playerId": asha.id, "expiresInSeconds": 3600, "idempotencyKey": "a" });
    service.ask(&asha, "issueToken", brief.clone()).await;
    let third = service.ask(&asha, "issueToken", mine.clone()).await;
    assert_eq!(service.refusal(&asha, "issueToken", mine.clone()).await.code, "LIMIT_REACHED");
    let keyed = json!({ "playerId": asha.id, "idempotencyKey": "b" });
    assert_eq!(service.refusal(&asha, "issueToken", keyed.clone()).await.code, "LIMIT_REACHED");
    assert_eq!(service.ask(&asha, "issueToken", brief).await["repeated"], true);
    service.ask(&asha, "revokeToken", json!({ "playerId": asha.id, "tokenId": third["id"] })).await;
    assert_eq!(service.ask(&asha, "issueToken", keyed).await["repeated"], false);
}

/// Sends an operation on a socket. Returns its data, or the code with which the socket was closed.
async fn operate(socket: &mut Socket, query: &str) -> Result<Value, u16> {
    send(socket, json!({ "type": "subscribe", "id": "1", "payload": { "query": query } })).await;
    let answer = receive(socket).await?;
    assert_eq!(answer["type"], "next", "{answer}");
    receive(socket).await?;
    Ok(answer["payload"]["data"].clone())
}

#[tokio::test]
async fn an_open_socket_is_of_no_use_after_its_token_is_revoked() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, true, &[]).await;
        let asha = service.guest("Asha").await;
        let mine = json!({ "playerId": asha.id });
        let issued = service.ask(&asha, "issueToken", mine.clone()).await;
        let stolen = issued["token"].as_str().unwrap();
        let more = format!("mutation {{ issueToken(input: {{ playerId: \"{}\" }}) {{ token {{ token }} }} }}", asha.id);
        let mut socket = open_socket(&service.server.address, Some(stolen)).await;
        operate(&mut socket, &more).await.expect("it is active");
        let revoke = json!({ "playerId": asha.id, "tokenId": issued["id"] });
        service.ask(&asha, "revokeToken", revoke).await;
        assert_eq!(operate(&mut socket, &more).await, Err(4403), "at once, at the replica that revoked");
        let tokens = service.ask(&asha, "tokens", mine.clone()).await;
        assert_eq!(tokens["items"].as_array().unwrap().len(), 1, "nor does a token live on that it has issued");

        // At another replica within two seconds, without any token made in between that outlives it.
        if database == Database::Postgres {
            let other = Server::start(&service.server.home, &[]).await;
            let issued = service.ask(&asha, "issueToken", mine.clone()).await;
            let mut socket = open_socket(&other.address, issued["token"].as_str()).await;
            operate(&mut socket, &more).await.expect("it is active");
            service.ask(&asha, "revokeToken", json!({ "playerId": asha.id, "tokenId": issued["id"] })).await;
            let ended = async {
                while operate(&mut socket, &more).await.is_ok_and(|data| data["issueToken"].is_null()) {
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                }
            };
            tokio::time::timeout(std::time::Duration::from_secs(30), ended).await.expect("the socket ends");
            let tokens = service.ask(&asha, "tokens", mine).await;
            assert_eq!(tokens["items"].as_array().unwrap().len(), 1, "{tokens}");
        }
    }
}

#[tokio::test]
async fn an_app_acts_no_more_for_a_player_who_is_deleted() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, true, &[]).await;
        let app = service.app("club");
        let player = service.ask(&app, "registerPlayer", json!({ "name": "Ben" })).await["player"]["id"].clone();
        let player = player.as_str().unwrap();
        let open = async || {
            let mut socket = crate::support::streams::socket(&service.server.address).await;
            let payload = json!({ "Authorization": format!("Bearer {}", app.token), "Maidan-Act-As": player });
            send(&mut socket, json!({ "type": "connection_init", "payload": payload })).await;
            assert_eq!(receive(&mut socket).await.unwrap()["type"], "connection_ack");
            socket
        };
        let (mut idle, mut busy) = (open().await, open().await);
        let create = "mutation { createGame(input: { kind: KALAH }) { game { id } } }";
        operate(&mut busy, create).await.expect("the player is there");
        service.ask(&app, "deletePlayer", json!({ "playerId": player })).await;
        assert_eq!(operate(&mut busy, create).await, Err(4403));
        assert_eq!(receive(&mut idle).await, Err(4403), "without doing anything, too");
    }
}
