//! Lists with pages and filters, the inbox, and open games that expire.

use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::support::{Database, Person, Service, eventually, stories};

stories!(
    lists_come_newest_first_in_pages_without_gaps,
    games_are_found_by_opponent_result_and_end,
    what_nobody_may_see_is_neither_listed_nor_counted,
    the_inbox_holds_exactly_the_games_that_wait,
    the_log_comes_in_pages,
    an_open_game_expires,
);

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_string()).collect()
}

async fn all_pages(service: &Service, who: &Person, operation: &str, filter: Value, first: usize) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut ask = filter.clone();
        ask["first"] = json!(first);
        if !after.is_null() {
            ask["after"] = after;
        }
        let page = service.ask(who, operation, ask).await;
        found.extend(ids(&page));
        assert!(page["items"].as_array().unwrap().len() <= first);
        if page["hasMore"] == false {
            return found;
        }
        after = page["endCursor"].clone();
    }
}

async fn lists_come_newest_first_in_pages_without_gaps(service: Service) {
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let mut opened = Vec::new();
    for _ in 0..7 {
        let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
        opened.push(game["id"].as_str().unwrap().to_string());
    }
    let running = service.kalah_of(&[asha.clone(), ben.clone()], json!({})).await;
    let newest_first: Vec<String> = [running.clone()].into_iter().chain(opened.iter().rev().cloned()).collect();
    for first in [1, 3, 8, 20] {
        assert_eq!(all_pages(&service, &ben, "games", json!({}), first).await, newest_first);
    }
    assert_eq!(all_pages(&service, &ben, "myGames", json!({}), 2).await, [running.as_str()]);
    assert_eq!(all_pages(&service, &ben, "games", json!({ "status": "RUNNING" }), 5).await, [running.as_str()]);
    assert_eq!(all_pages(&service, &ben, "games", json!({ "playerId": ben.id }), 5).await, [running.as_str()]);
    assert_eq!(all_pages(&service, &ben, "games", json!({ "kind": "KALAH" }), 5).await.len(), 8);
    assert_eq!(all_pages(&service, &asha, "myGames", json!({ "status": "OPEN" }), 4).await.len(), 7);

    let fourth = service.game(&asha, &opened[3]).await["createdAt"].clone();
    let later = all_pages(&service, &ben, "games", json!({ "createdFrom": fourth }), 5).await;
    let earlier = all_pages(&service, &ben, "games", json!({ "createdBefore": fourth }), 5).await;
    assert_eq!((later.len(), earlier.len()), (5, 3));

    // Times that only one of the databases can represent.
    let always = json!({ "createdFrom": "-009999-01-03T00:00:00Z", "createdBefore": "9999-12-30T00:00:00Z" });
    assert_eq!(all_pages(&service, &ben, "games", always, 5).await.len(), 8);
    let never = json!({ "createdBefore": "-009999-01-03T00:00:00Z" });
    assert_eq!(all_pages(&service, &ben, "games", never, 5).await.len(), 0);

    for bad in [json!({ "first": 0 }), json!({ "first": 101 }), json!({ "after": "nonsense" })] {
        assert_eq!(service.refusal(&ben, "games", bad).await.code, "INVALID_INPUT");
    }
}

async fn games_are_found_by_opponent_result_and_end(service: Service) {
    let people = [service.guest("Asha").await, service.guest("Ben").await];
    let [asha, ben] = &people;
    let carol = service.guest("Carol").await;
    let won = service.kalah_of(&people, json!({})).await;
    service.ask(ben, "resign", json!({ "gameId": won })).await;
    let lost = service.kalah_of(&people, json!({})).await;
    service.ask(asha, "resign", json!({ "gameId": lost })).await;
    let drawn = service.drawn_kalah_of(&people).await;
    let running = service.kalah_of(&people, json!({})).await;
    let with_carol = service.kalah_of(&[asha.clone(), carol.clone()], json!({})).await;
    service.ask(&carol, "resign", json!({ "gameId": with_carol })).await;
    let open = service.ask(asha, "createGame", json!({ "kind": "KALAH" })).await["id"].as_str().unwrap().to_string();
    service.ask(asha, "cancelGame", json!({ "gameId": open })).await;

    let found = async |who: &Person, filter: Value| {
        let found = all_pages(&service, who, "games", filter.clone(), 2).await;
        let count = service.ask(who, "gameCount", filter).await;
        assert_eq!(count, json!({ "count": found.len(), "isExact": true }));
        found
    };
    for who in [asha, ben, &carol] {
        let of_asha = async |mut filter: Value| {
            filter["playerId"] = json!(asha.id);
            found(who, filter).await
        };
        assert_eq!(of_asha(json!({})).await.len(), 6);
        assert_eq!(of_asha(json!({ "result": "WON" })).await, [with_carol.as_str(), won.as_str()]);
        assert_eq!(of_asha(json!({ "result": "WON", "opponentId": ben.id })).await, [won.as_str()]);
        assert_eq!(of_asha(json!({ "result": "LOST" })).await, [lost.as_str()]);
        assert_eq!(of_asha(json!({ "result": "DRAWN" })).await, [drawn.as_str()]);
        assert_eq!(of_asha(json!({ "result": "SHARED" })).await.len(), 0);
        assert_eq!(of_asha(json!({ "opponentId": ben.id })).await.len(), 4);
        assert_eq!(of_asha(json!({ "opponentId": ben.id, "status": "RUNNING" })).await, [running.as_str()]);
        assert_eq!(of_asha(json!({ "status": "CANCELLED" })).await, [open.as_str()]);
        assert_eq!(of_asha(json!({ "status": "OVER", "kind": "KALAH" })).await.len(), 4);
        assert_eq!(of_asha(json!({ "kind": "MARA" })).await.len(), 0);
        assert_eq!(of_asha(json!({ "practice": false })).await.len(), 6);
        assert_eq!(of_asha(json!({ "practice": true })).await.len(), 0);
        let end = service.game(who, &drawn).await["endedAt"].clone();
        assert_eq!(of_asha(json!({ "endedFrom": end })).await.len(), 3);
        assert_eq!(of_asha(json!({ "endedBefore": end })).await.len(), 2);
        assert_eq!(found(who, json!({ "endedBefore": end })).await, [lost.as_str(), won.as_str()]);
        assert_eq!(found(who, json!({ "endedFrom": end, "status": "OVER" })).await.len(), 2);
        let start = service.game(who, &running).await["createdAt"].clone();
        assert_eq!(of_asha(json!({ "createdBefore": start })).await.len(), 3);
        assert_eq!(found(who, json!({ "createdFrom": start, "practice": false })).await.len(), 3);
    }
    let nobody = format!("player_{}", "0".repeat(32));
    assert_eq!(found(asha, json!({ "playerId": nobody })).await.len(), 0);
    for bad in [
        json!({ "opponentId": ben.id }),
        json!({ "result": "WON" }),
        json!({ "playerId": asha.id, "opponentId": asha.id }),
    ] {
        assert_eq!(service.refusal(asha, "games", bad.clone()).await.code, "INVALID_INPUT");
        assert_eq!(service.refusal(asha, "gameCount", bad).await.code, "INVALID_INPUT");
    }
}

async fn what_nobody_may_see_is_neither_listed_nor_counted(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let private = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    service.ask(&ben, "joinGame", json!({ "code": private["joinCode"] })).await;
    service.ask(&ben, "resign", json!({ "gameId": private["id"] })).await;
    let public = service.kalah_of(&[asha.clone(), ben.clone()], json!({})).await;
    for (who, sees) in [(&asha, 2), (&ben, 2), (&carol, 1)] {
        for filter in [json!({}), json!({ "playerId": asha.id }), json!({ "playerId": asha.id, "opponentId": ben.id })]
        {
            assert_eq!(all_pages(&service, who, "games", filter.clone(), 1).await.len(), sees);
            assert_eq!(service.ask(who, "gameCount", filter).await["count"], sees);
        }
        let won = json!({ "playerId": asha.id, "result": "WON" });
        assert_eq!(service.ask(who, "gameCount", won).await["count"], sees - 1);
    }
    let seen = service.call_as_nobody("games", json!({})).await.expect("guests' games can be watched");
    assert_eq!(ids(&seen), [public.as_str()]);
    assert_eq!(service.call_as_nobody("gameCount", json!({})).await.expect("and counted")["count"], 1);
}

async fn the_inbox_holds_exactly_the_games_that_wait(service: Service) {
    let (one, [asha, ben]) = service.kalah(json!({})).await;
    let two = service.kalah_of(&[asha.clone(), ben.clone()], json!({})).await;
    service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let inbox = async |who: &Person| ids(&service.ask(who, "inbox", json!({})).await);
    assert_eq!(inbox(&asha).await, [one.as_str(), two.as_str()]);
    assert_eq!(all_pages(&service, &asha, "inbox", json!({}), 1).await, [one.as_str(), two.as_str()]);
    assert_eq!(inbox(&ben).await, Vec::<String>::new());
    service.play(&asha, &one, "0").await;
    assert_eq!(inbox(&asha).await, [two.as_str()]);
    assert_eq!(inbox(&ben).await, [one.as_str()]);
    service.ask(&ben, "resign", json!({ "gameId": one })).await;
    assert_eq!(inbox(&ben).await, Vec::<String>::new());
}

async fn the_log_comes_in_pages(service: Service) {
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let page = service.ask(&asha, "log", json!({ "gameId": id, "first": 3 })).await;
    assert_eq!((&page["endCursor"], &page["hasMore"]), (&json!(3), &json!(true)));
    let rest = service.ask(&asha, "log", json!({ "gameId": id, "first": 3, "after": 3 })).await;
    assert_eq!((&rest["endCursor"], &rest["hasMore"]), (&json!(4), &json!(false)));
    let none = service.ask(&asha, "log", json!({ "gameId": id, "after": 99 })).await;
    assert_eq!((&none["items"], &none["endCursor"]), (&json!([]), &Value::Null));
    assert_eq!(service.refusal(&asha, "log", json!({ "gameId": id, "after": -1 })).await.code, "INVALID_INPUT");
}

#[tokio::test]
async fn a_connection_says_where_its_page_is() {
    let service = Service::by_graphql(Database::Sqlite).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let ask = format!(
        r#"{{ game(id: "{id}") {{ all: log {{ nodes {{ version }} edges {{ cursor node {{ version }} }} }}
            page: log(first: 2, after: "1") {{ nodes {{ version }} pageInfo {{ ...where }} }}
            none: log(after: "9") {{ nodes {{ version }} pageInfo {{ ...where }} }}
            first: log {{ pageInfo {{ hasPreviousPage }} }} }} }}
        fragment where on PageInfo {{ hasPreviousPage hasNextPage startCursor endCursor }}"#
    );
    let game = service.query(&asha, &ask).await["game"].take();
    let versions = |nodes: &Value| -> Vec<i64> {
        nodes.as_array().unwrap().iter().map(|entry| entry["version"].as_i64().unwrap()).collect()
    };
    assert_eq!(versions(&game["all"]["nodes"]), [1, 2, 3, 4]);
    for edge in game["all"]["edges"].as_array().unwrap() {
        assert_eq!(edge["cursor"], edge["node"]["version"].to_string(), "an entry's cursor is its version");
    }
    assert_eq!(versions(&game["page"]["nodes"]), [2, 3]);
    let middle = json!({ "hasPreviousPage": true, "hasNextPage": true, "startCursor": "2", "endCursor": "3" });
    assert_eq!(game["page"]["pageInfo"], middle);
    let beyond = json!({ "hasPreviousPage": true, "hasNextPage": false, "startCursor": null, "endCursor": null });
    assert_eq!(game["none"]["pageInfo"], beyond);
    assert_eq!(game["first"]["pageInfo"]["hasPreviousPage"], false);

    let nonsense = format!(r#"{{ game(id: "{id}") {{ log(after: "nonsense") {{ nodes {{ version }} }} }} }}"#);
    let ask = reqwest::Client::new().post(format!("{}/graphql", service.server.address));
    let answer: Value = ask.json(&json!({ "query": nonsense })).send().await.unwrap().json().await.unwrap();
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT");
}

async fn an_open_game_expires(service: Service) {
    let asha = service.guest("Asha").await;
    let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let id = game["id"].as_str().unwrap().to_string();
    // A week passes.
    let home = service.server.home.clone();
    match &home.url {
        Some(url) => {
            let mut db = sqlx::PgConnection::connect(url).await.unwrap();
            db.execute("UPDATE games SET expires_at = now() - interval '1 hour'").await.unwrap();
        }
        None => {
            let file = format!("sqlite:{}", home.directory.join("maidan.db").display());
            let mut db = sqlx::SqliteConnection::connect(&file).await.unwrap();
            db.execute("UPDATE games SET expires_at = 1").await.unwrap();
        }
    }
    let ben = service.guest("Ben").await;
    assert_eq!(service.refusal(&ben, "joinGame", json!({ "gameId": id })).await.code, "CONFLICT");
    // The service looks for such games when it starts, and every minute.
    let service = service.restarted(&[]).await;
    let is_cancelled = async || service.game(&asha, &id).await["status"] == "CANCELLED";
    eventually("an open game expires", is_cancelled).await;
    assert_eq!(service.log(&asha, &id).await.last().unwrap()["what"], "EXPIRED");
}
