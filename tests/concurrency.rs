//! Concurrent requests: each decision is made once, and every request gets a response.

use serde_json::json;

use crate::support::{Service, stories};

stories!(
    two_requests_for_one_decision_give_one_success_and_one_refusal,
    one_request_sent_many_times_at_once_is_carried_out_once,
    the_last_seat_is_taken_by_one,
    one_game_is_opened_by_one_key,
);

async fn two_requests_for_one_decision_give_one_success_and_one_refusal(service: Service) {
    for _ in 0..5 {
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let mv = |notation: &str| json!({ "gameId": id, "notation": notation, "expectedVersion": 4 });
        let (one, two) =
            tokio::join!(service.call(&asha, "playMove", mv("0")), service.call(&asha, "playMove", mv("1")),);
        let refusals: Vec<_> = [&one, &two].into_iter().filter_map(|answer| answer.as_ref().err()).collect();
        assert_eq!(refusals.len(), 1, "{one:?} {two:?}");
        assert!(["NOT_YOUR_TURN", "STALE"].contains(&refusals[0].code.as_str()), "{refusals:?}");
        assert_eq!(service.game(&asha, &id).await["ply"], 1);
    }
}

async fn one_request_sent_many_times_at_once_is_carried_out_once(service: Service) {
    for _ in 0..5 {
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let ask = json!({ "gameId": id, "notation": "0", "idempotencyKey": "once" });
        let answers = tokio::join!(
            service.ask(&asha, "playMove", ask.clone()),
            service.ask(&asha, "playMove", ask.clone()),
            service.ask(&asha, "playMove", ask.clone()),
            service.ask(&asha, "playMove", ask.clone()),
            service.ask(&asha, "playMove", ask.clone()),
        );
        let answers = [answers.0, answers.1, answers.2, answers.3, answers.4];
        assert!(answers.iter().all(|answer| answer["version"] == 5), "all get the same result");
        assert!(answers.iter().all(|answer| answer["game"]["version"] == 5), "and see what came of it");
        assert_eq!(answers.iter().filter(|answer| answer["repeated"] == false).count(), 1);
        assert_eq!(service.game(&asha, &id).await["version"], 5);
    }
}

async fn the_last_seat_is_taken_by_one(service: Service) {
    let asha = service.guest("Asha").await;
    let (ben, carol) = (service.guest("Ben").await, service.guest("Carol").await);
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let ask = json!({ "gameId": game["id"] });
    let (one, two) =
        tokio::join!(service.call(&ben, "joinGame", ask.clone()), service.call(&carol, "joinGame", ask.clone()));
    let refusals: Vec<_> = [&one, &two].into_iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert_eq!(refusals.len(), 1, "{one:?} {two:?}");
    assert_eq!(refusals[0].code, "CONFLICT");
    let log = service.log(&asha, game["id"].as_str().unwrap()).await;
    assert_eq!(log.iter().filter(|entry| entry["what"] == "STARTED").count(), 1);
}

async fn one_game_is_opened_by_one_key(service: Service) {
    let asha = service.guest("Asha").await;
    let ask = json!({ "kind": "KALAH", "idempotencyKey": "once" });
    let (one, two, three) = tokio::join!(
        service.ask(&asha, "createGame", ask.clone()),
        service.ask(&asha, "createGame", ask.clone()),
        service.ask(&asha, "createGame", ask.clone()),
    );
    assert!(one["id"] == two["id"] && two["id"] == three["id"]);
    assert_eq!(service.ask(&asha, "myGames", json!({})).await["items"].as_array().unwrap().len(), 1);
}
