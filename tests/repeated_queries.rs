//! The same GraphQL query from different callers, and again after something has changed.

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::{Database, Person, Service, seated};

/// The same query text for all callers.
const LOOK: &str = "query($id: ID!) { game(id: $id) { version toAct mySeat rematch seats { player { name } } \
    view { ... on MacarenaView { players { hand } } ... on KalahView { pockets } } legalMoves { items { notation } } } }";

async fn databases() -> [Service; 2] {
    [Service::with(Database::Sqlite, true, &[]).await, Service::with(Database::Postgres, true, &[]).await]
}

async fn asked(service: &Service, who: Option<&Person>, act_as: Option<&str>, query: &str, id: &str) -> Value {
    let mut request = Client::new().post(format!("{}/graphql", service.server.address));
    if let Some(who) = who {
        request = request.bearer_auth(&who.token);
    }
    if let Some(player) = act_as {
        request = request.header("maidan-act-as", player);
    }
    let ask = json!({ "query": query, "variables": { "id": id } });
    request.json(&ask).send().await.unwrap().json().await.unwrap()
}

async fn look(service: &Service, who: &Person, id: &str) -> Value {
    let mut answer = asked(service, Some(who), None, LOOK, id).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"]["game"].take()
}

#[tokio::test]
async fn a_repeated_query_gets_the_same_answer_until_something_changes() {
    for service in databases().await {
        let (id, [asha, ben]) = service.kalah(json!({})).await;
        let first = look(&service, &asha, &id).await;
        assert_eq!(look(&service, &asha, &id).await, first);
        assert_eq!(look(&service, &asha, &id).await, first);
        service.play(&asha, &id, "0").await;
        let second = look(&service, &asha, &id).await;
        assert_eq!(
            (&second["version"], &second["toAct"]),
            (&json!(first["version"].as_i64().unwrap() + 1), &json!([1]))
        );
        // Changes stored by another server are seen here at once, too.
        if service.server.home.url.is_some() {
            let other = crate::support::Server::start(&service.server.home, &[]).await;
            let there = service.client.connect(&other.address);
            let ask = json!({ "gameId": id, "notation": "0" });
            assert_eq!(look(&service, &asha, &id).await, second);
            there.call(Some(&ben.token), None, "playMove", ask).await.expect("it is his turn");
            assert_ne!(look(&service, &asha, &id).await["version"], second["version"]);
        }
    }
}

#[tokio::test]
async fn everybody_gets_an_answer_of_their_own() {
    for service in databases().await {
        let (id, people) = service.table("MACARENA", json!({}), 3).await;
        let hands = |game: &Value| -> Vec<bool> {
            let players = game["view"]["players"].as_array().unwrap();
            players.iter().map(|player| !player["hand"].is_null()).collect()
        };
        for _ in 0..3 {
            for (seat, person) in people.iter().enumerate() {
                let game = look(&service, person, &id).await;
                assert_eq!(game["mySeat"], seat);
                let own: Vec<bool> = (0..3).map(|other| other == seat).collect();
                assert_eq!(hands(&game), own, "the same words, and only the own hand");
            }
            let watched = asked(&service, None, None, LOOK, &id).await;
            assert_eq!(hands(&watched["data"]["game"]), [false; 3]);
        }
    }
}

#[tokio::test]
async fn an_app_that_acts_for_one_player_does_not_get_what_another_saw() {
    for service in databases().await {
        let app = service.app("club");
        let mut players = Vec::new();
        for name in ["asha", "ben"] {
            let registered = service.ask(&app, "registerPlayer", json!({ "name": name, "externalId": name })).await;
            players.push(registered["player"]["id"].as_str().unwrap().to_string());
        }
        let ask = json!({ "kind": "MACARENA", "seats": seated(&players) });
        let id = service.ask(&app, "createGame", ask).await["id"].as_str().unwrap().to_string();
        for _ in 0..2 {
            for (seat, player) in players.iter().enumerate() {
                let seen = asked(&service, Some(&app), Some(player), LOOK, &id).await;
                assert_eq!(seen["data"]["game"]["mySeat"], seat);
                assert!(seen["data"]["game"]["view"]["players"][1 - seat]["hand"].is_null());
            }
            let seen = asked(&service, Some(&app), None, LOOK, &id).await;
            assert_eq!(seen["data"]["game"]["mySeat"], Value::Null);
        }
        // A new name is not a move, but must show all the same.
        service.ask(&app, "registerPlayer", json!({ "name": "Asha!", "externalId": "asha" })).await;
        let seen = asked(&service, Some(&app), None, LOOK, &id).await;
        assert_eq!(seen["data"]["game"]["seats"][0]["player"]["name"], "Asha!");
    }
}

#[tokio::test]
async fn what_does_not_follow_from_the_game_alone_is_looked_up_again() {
    for service in databases().await {
        let (id, players) = service.kalah(json!({})).await;
        let asha = &players[0];
        let played = "query($id: ID!) { game(id: $id) { version seats { player { statistics { played } } } } }";
        let twice = "query($id: ID!) { game(id: $id) { version } me { inbox { nodes { id } } } }";
        let before = asked(&service, Some(asha), None, played, &id).await;
        assert_eq!(before["data"]["game"]["seats"][0]["player"]["statistics"], json!([]));
        assert_eq!(
            asked(&service, Some(asha), None, twice, &id).await["data"]["me"]["inbox"]["nodes"],
            json!([{ "id": id }])
        );
        let other = service.drawn_kalah_of(&players).await;
        let after = asked(&service, Some(asha), None, played, &id).await;
        assert_eq!(after["data"]["game"]["seats"][0]["player"]["statistics"], json!([{ "played": 1 }]));
        let third = service.kalah_of(&players, json!({})).await;
        let inbox = asked(&service, Some(asha), None, twice, &id).await;
        assert_eq!(inbox["data"]["me"]["inbox"]["nodes"], json!([{ "id": id }, { "id": third }]));

        // A rematch does not change the version of a finished game.
        assert_eq!(look(&service, asha, &other).await["rematch"], Value::Null);
        assert_eq!(look(&service, asha, &other).await["rematch"], Value::Null);
        let rematch = service.ask(asha, "rematch", json!({ "gameId": other })).await;
        assert_eq!(look(&service, asha, &other).await["rematch"], rematch["id"]);
    }
}

#[tokio::test]
async fn whoever_may_not_ask_any_more_gets_nothing() {
    for service in databases().await {
        let (id, [asha, _]) = service.kalah(json!({})).await;
        look(&service, &asha, &id).await;
        look(&service, &asha, &id).await;
        let spare = service.ask(&asha, "issueToken", json!({ "playerId": asha.id })).await;
        let spare = Person { id: asha.id.clone(), token: spare["token"].as_str().unwrap().into() };
        let tokens = service.ask(&spare, "tokens", json!({ "playerId": asha.id })).await;
        let first = tokens["items"].as_array().unwrap().last().unwrap()["id"].clone();
        service.ask(&spare, "revokeToken", json!({ "playerId": asha.id, "tokenId": first })).await;
        let refused = asked(&service, Some(&asha), None, LOOK, &id).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
        assert_eq!(refused.get("data"), None);
    }
}

#[tokio::test]
async fn asking_again_counts_as_asking() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_REQUESTS_PER_SECOND", "5")]).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let mut refused = Value::Null;
    for _ in 0..2000 {
        let answer = asked(&service, Some(&asha), None, LOOK, &id).await;
        if answer["errors"] != Value::Null {
            refused = answer;
            break;
        }
    }
    assert_eq!(refused["errors"][0]["extensions"]["code"], "RATE_LIMITED");
}
