//! Statistics of players, per kind and head to head.

use serde_json::{Value, json};

use crate::support::server::repository;
use crate::support::{Person, Service, own_seat, seated, stories};

stories!(
    a_players_games_are_summed_up_by_kind,
    two_players_are_compared_by_their_places,
    statistics_tell_nothing_of_games_that_one_may_not_see,
    games_from_before_are_summed_up_alike,
    practice_games_count_nowhere,
);

/// A game of Kalah that the second player resigns.
async fn won_by(service: &Service, winner: &Person, loser: &Person) -> String {
    let id = service.kalah_of(&[winner.clone(), loser.clone()], json!({})).await;
    service.ask(loser, "resign", json!({ "gameId": id })).await;
    id
}

/// A game of Mahola in which players resign from the end of the list on.
async fn mahola(service: &Service, best_first: [&Person; 3]) -> String {
    let game = service.ask(best_first[0], "createGame", json!({ "kind": "MAHOLA", "seats": own_seat(0, 3) })).await;
    let id = game["id"].as_str().unwrap().to_string();
    for who in &best_first[1..] {
        service.ask(who, "joinGame", json!({ "gameId": id })).await;
    }
    for who in best_first[1..].iter().rev() {
        service.ask(who, "resign", json!({ "gameId": id })).await;
    }
    id
}

async fn statistics(service: &Service, who: &Person, of: &Person) -> Value {
    service.ask(who, "statistics", json!({ "playerId": of.id })).await
}

async fn a_players_games_are_summed_up_by_kind(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    assert_eq!(statistics(&service, &asha, &asha).await, json!([]));
    for (winner, loser) in [(&asha, &ben), (&asha, &ben), (&asha, &ben), (&ben, &asha), (&asha, &ben)] {
        won_by(&service, winner, loser).await;
    }
    service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    won_by(&service, &asha, &carol).await;
    won_by(&service, &asha, &carol).await;
    mahola(&service, [&ben, &asha, &carol]).await;
    mahola(&service, [&ben, &carol, &asha]).await;
    // Running and cancelled games do not count.
    service.kalah_of(&[asha.clone(), ben.clone()], json!({})).await;
    let open = service.ask(&asha, "createGame", json!({ "kind": "MARA" })).await;
    service.ask(&asha, "cancelGame", json!({ "gameId": open["id"] })).await;

    let kalah = json!({ "kind": "KALAH", "played": 8, "won": 6, "shared": 0, "drawn": 1, "lost": 1,
        "averagePlace": 1.125, "currentStreak": 2, "longestStreak": 3 });
    let mahola = json!({ "kind": "MAHOLA", "played": 2, "won": 0, "shared": 0, "drawn": 0, "lost": 2,
        "averagePlace": 2.5, "currentStreak": 0, "longestStreak": 0 });
    for who in [&asha, &carol] {
        assert_eq!(statistics(&service, who, &asha).await, json!([kalah, mahola]));
        let of_kalah = service.ask(who, "statistics", json!({ "playerId": asha.id, "kind": "KALAH" })).await;
        assert_eq!(of_kalah, json!([kalah]));
    }
    let bens = statistics(&service, &ben, &ben).await;
    assert_eq!((&bens[0]["currentStreak"], &bens[0]["longestStreak"]), (&json!(0), &json!(1)), "a draw ends a streak");
    assert_eq!((&bens[1]["currentStreak"], &bens[1]["averagePlace"]), (&json!(2), &json!(1.0)));

    for unknown in [format!("player_{}", "0".repeat(32)), "nobody".to_string()] {
        assert_eq!(service.refusal(&asha, "statistics", json!({ "playerId": unknown })).await.code, "NOT_FOUND");
    }
    let stranger = service.app("elsewhere");
    assert_eq!(service.refusal(&stranger, "statistics", json!({ "playerId": asha.id })).await.code, "NOT_FOUND");
}

async fn two_players_are_compared_by_their_places(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    won_by(&service, &asha, &ben).await;
    won_by(&service, &asha, &ben).await;
    won_by(&service, &ben, &asha).await;
    won_by(&service, &ben, &carol).await;
    service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    mahola(&service, [&carol, &asha, &ben]).await;
    let meet = async |who: &Person, player: &Person, opponent: &Person| {
        service.ask(who, "headToHead", json!({ "playerId": player.id, "opponentId": opponent.id })).await
    };
    let kalah = json!({ "kind": "KALAH", "played": 4, "ahead": 2, "level": 1, "behind": 1 });
    let mahola = json!({ "kind": "MAHOLA", "played": 1, "ahead": 1, "level": 0, "behind": 0 });
    assert_eq!(meet(&carol, &asha, &ben).await, json!([kalah, mahola]));
    let other_way = meet(&carol, &ben, &asha).await;
    assert_eq!((&other_way[0]["ahead"], &other_way[0]["behind"]), (&json!(1), &json!(2)));
    let of_mahola = json!({ "playerId": asha.id, "opponentId": ben.id, "kind": "MAHOLA" });
    assert_eq!(service.ask(&ben, "headToHead", of_mahola).await, json!([mahola]));

    let itself = json!({ "playerId": asha.id, "opponentId": asha.id });
    assert_eq!(service.refusal(&asha, "headToHead", itself).await.code, "INVALID_INPUT");
    let nobody = json!({ "playerId": asha.id, "opponentId": format!("player_{}", "0".repeat(32)) });
    assert_eq!(service.refusal(&asha, "headToHead", nobody).await.code, "NOT_FOUND");
}

async fn statistics_tell_nothing_of_games_that_one_may_not_see(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let private = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    service.ask(&ben, "joinGame", json!({ "code": private["joinCode"] })).await;
    service.ask(&ben, "resign", json!({ "gameId": private["id"] })).await;
    let meeting = json!({ "playerId": asha.id, "opponentId": ben.id });
    for who in [&asha, &ben] {
        assert_eq!(statistics(&service, who, &asha).await[0]["won"], 1, "who sat there counts it");
        assert_eq!(service.ask(who, "headToHead", meeting.clone()).await[0]["ahead"], 1);
    }
    assert_eq!(statistics(&service, &carol, &asha).await, json!([]));
    assert_eq!(service.ask(&carol, "headToHead", meeting.clone()).await, json!([]));
    let nobodys = service.call_as_nobody("statistics", json!({ "playerId": asha.id })).await;
    assert_eq!(nobodys.expect("anybody may ask about guests"), json!([]));

    // An app sees all its games.
    let app = service.app("club");
    let mut ids = Vec::new();
    for name in ["dora", "emil"] {
        let registered = service.ask(&app, "registerPlayer", json!({ "name": name })).await;
        ids.push(registered["player"]["id"].as_str().unwrap().to_string());
    }
    let game = service
        .ask(&app, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE", "seats": seated(&ids) }))
        .await;
    let resign = json!({ "gameId": game["id"] });
    service.client.call(Some(&app.token), Some(&ids[0]), "resign", resign).await.expect("an app acts for its players");
    assert_eq!(service.ask(&app, "statistics", json!({ "playerId": ids[1] })).await[0]["won"], 1);
}

async fn practice_games_count_nowhere(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let id = won_by(&service, &asha, &ben).await;
    service.server.home.execute("UPDATE seatings SET is_practice = true").await;
    assert_eq!(statistics(&service, &ben, &asha).await, json!([]));
    let meeting = json!({ "playerId": asha.id, "opponentId": ben.id });
    assert_eq!(service.ask(&asha, "headToHead", meeting).await, json!([]));
    for (practice, found) in [(true, 1), (false, 0)] {
        let filter = json!({ "playerId": asha.id, "practice": practice });
        assert_eq!(service.ask(&ben, "gameCount", filter).await["count"], found, "but they can be found");
    }
    assert_eq!(service.ask(&ben, "myGames", json!({ "practice": true })).await["items"][0]["id"], id.as_str());
}

/// Games that ended before results were stored with the seats: the migration derives them from the outcomes.
async fn games_from_before_are_summed_up_alike(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    won_by(&service, &asha, &ben).await;
    service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    let shared = mahola(&service, [&asha, &ben, &carol]).await;
    service.ask(&ben, "createGame", json!({ "kind": "KALAH" })).await;
    let before = [statistics(&service, &asha, &asha).await, statistics(&service, &ben, &ben).await];

    let home = &service.server.home;
    home.execute("UPDATE seatings SET kind = '', place = NULL, result = NULL, ended_at = NULL").await;
    assert_eq!(statistics(&service, &asha, &asha).await, json!([]));
    let folder = if home.url.is_some() { "postgres" } else { "sqlite" };
    let file = repository().join("migrations").join(folder).join("0004_questions.sql");
    let migration = std::fs::read_to_string(file).expect("there is such a migration");
    let start = migration.find("UPDATE seatings").expect("it fills the seats");
    let filling = &migration[start..=start + migration[start..].find(';').expect("a statement ends")];
    home.execute(filling).await;
    assert_eq!([statistics(&service, &asha, &asha).await, statistics(&service, &ben, &ben).await], before);

    // A shared win, which some kinds have.
    let id = shared.trim_start_matches("game_");
    let outcome = r#"{"winners": [0, 2], "places": [1, 3, 1]}"#;
    let (id, outcome) = match folder {
        "postgres" => (format!("'{id}'::uuid"), format!("'{outcome}'::jsonb")),
        _ => (format!("x'{id}'"), format!("'{outcome}'")),
    };
    home.execute(&format!("UPDATE games SET outcome = {outcome} WHERE id = {id}")).await;
    home.execute(filling).await;
    let [ashas, bens] = [statistics(&service, &asha, &asha).await, statistics(&service, &ben, &ben).await];
    assert_eq!((&ashas[1]["won"], &ashas[1]["shared"], &ashas[1]["currentStreak"]), (&json!(0), &json!(1), &json!(1)));
    assert_eq!((&bens[1]["lost"], &bens[1]["averagePlace"]), (&json!(1), &json!(3.0)));
}
