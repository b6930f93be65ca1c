//! Client seeds: the players' contributions to the randomness of their game, so that nobody can have chosen the deal.

use serde_json::{Value, json};

use crate::support::{Service, own_seat, stories};

stories!(players_add_to_the_chance_of_their_game, a_seed_is_added_by_the_seated_before_the_start,);

/// The visible client seed of each seat.
fn seeds(game: &Value) -> Vec<Value> {
    game["seats"].as_array().unwrap().iter().map(|seat| seat["clientSeed"].clone()).collect()
}

async fn players_add_to_the_chance_of_their_game(service: Service) {
    let (asha, ben, cem) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Cem").await);
    let opened = service.ask(&asha, "createGame", json!({ "kind": "MAHOLA", "seats": own_seat(0, 3) })).await;
    let id = opened["id"].as_str().unwrap();
    let seeded = service.ask(&asha, "addClientSeed", json!({ "gameId": id, "clientSeed": "six-sixes" })).await;
    assert_eq!(seeded["commitment"], opened["commitment"], "the seed was promised before");
    assert_eq!(seeded["version"], opened["version"].as_i64().unwrap() + 1);
    assert_eq!(seeds(&seeded), [json!("six-sixes"), Value::Null, Value::Null]);
    let again = service.ask(&asha, "addClientSeed", json!({ "gameId": id, "clientSeed": "six-sixes" })).await;
    assert_eq!((&again["repeated"], &again["version"]), (&json!(true), &seeded["version"]), "a retry changes nothing");
    service.ask(&asha, "addClientSeed", json!({ "gameId": id, "clientSeed": "seven" })).await;

    // The last player must not be able to choose a seed to its liking, so seeds are hidden until the start.
    let joined = service.ask(&ben, "joinGame", json!({ "gameId": id, "clientSeed": "ben's" })).await;
    assert_eq!(seeds(&joined), [Value::Null, json!("ben's"), Value::Null]);
    let log = service.log(&cem, id).await;
    let kinds: Vec<&str> = log.iter().map(|entry| entry["what"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["OPENED", "JOINED", "SEEDED", "SEEDED", "JOINED"]);
    assert_eq!((&log[2]["seat"], &log[2]["playerId"]), (&json!(0), &json!(asha.id)));
    let list = service.ask(&cem, "games", json!({})).await;
    for hidden in ["six-sixes", "seven", "ben's"] {
        assert!(!json!([log, list]).to_string().contains(hidden), "{hidden}");
    }
    let retry = json!({ "gameId": id, "clientSeed": "ben's" });
    assert_eq!(service.ask(&ben, "joinGame", retry).await["version"], joined["version"]);
    let other = json!({ "gameId": id, "clientSeed": "another" });
    assert_eq!(service.refusal(&ben, "joinGame", other).await.code, "CONFLICT");

    let started = service.ask(&cem, "joinGame", json!({ "gameId": id })).await;
    assert_eq!(started["status"], "RUNNING");
    let all = [json!("seven"), json!("ben's"), Value::Null];
    assert_eq!(seeds(&started), all, "from the start on all can see what went into the deal");
    let service = service.restarted(&[]).await;
    assert_eq!(seeds(&service.call_as_nobody("game", json!({ "gameId": id })).await.unwrap()), all);
}

async fn a_seed_is_added_by_the_seated_before_the_start(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let ask = json!({ "kind": "KALAH", "visibility": "PRIVATE" });
    let opened = service.ask(&asha, "createGame", ask).await;
    let add = |seed: &str| json!({ "gameId": opened["id"], "clientSeed": seed });
    for bad in ["", "two words", "é", "tab\t", "\0", &"x".repeat(65)] {
        assert_eq!(service.refusal(&asha, "addClientSeed", add(bad)).await.code, "INVALID_INPUT", "{bad:?}");
        let join = json!({ "code": opened["joinCode"], "clientSeed": bad });
        assert_eq!(service.refusal(&ben, "joinGame", join).await.code, "INVALID_INPUT", "{bad:?}");
    }
    assert_eq!(service.refusal(&ben, "addClientSeed", add("x")).await.code, "NOT_FOUND");
    assert_eq!(service.call_as_nobody("addClientSeed", add("x")).await.unwrap_err().code, "UNAUTHENTICATED");
    let join = json!({ "code": opened["joinCode"], "clientSeed": "x".repeat(64) });
    let started = service.ask(&ben, "joinGame", join).await;
    assert_eq!(seeds(&started), [Value::Null, json!("x".repeat(64))]);
    assert_eq!(service.refusal(&asha, "addClientSeed", add("x")).await.code, "CONFLICT");

    let watched = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let add = json!({ "gameId": watched["id"], "clientSeed": "x" });
    assert_eq!(service.refusal(&ben, "addClientSeed", add).await.code, "FORBIDDEN", "one must sit there");
}
