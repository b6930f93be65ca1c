//! Two servers on one database: each caches games, and neither may ever serve an old state.

use serde_json::json;

use crate::support::client::Answer;
use crate::support::service::number;
use crate::support::{Credentials, Person, Replicas, Service};

async fn play(service: &Service, who: &Person, id: &str, notation: &str, key: &str) -> Answer {
    let ask = json!({ "gameId": id, "notation": notation, "idempotencyKey": key });
    service.call(who, "playMove", ask).await
}

async fn a_game_is_played_to_its_end_at_two_servers_in_turn(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = here.kalah(json!({})).await;
    let services = [here, there];
    for ply in 0.. {
        let (near, far) = (services[ply % 2], services[(ply + 1) % 2]);
        let game = near.game(&players[0], &id).await;
        assert_eq!(game, far.game(&players[0], &id).await);
        assert_eq!(game["ply"], ply);
        if game["status"] == "OVER" {
            break;
        }
        let who = &players[number(&game["toAct"][0])];
        let ask = json!({ "gameId": id, "limit": 1 });
        let moves = far.call(who, "legalMoves", ask).await.expect("there are moves");
        let notation = moves["items"][0]["notation"].as_str().expect("a move has a notation");
        let played = play(near, who, &id, notation, &format!("ply-{ply}")).await.expect("it is legal");
        assert_eq!(played["repeated"], false);
        // The response was lost: a retry at the other server returns the result.
        let repeated = play(far, who, &id, notation, &format!("ply-{ply}")).await.expect("it was done");
        assert_eq!(repeated["repeated"], true);
        assert_eq!(repeated["version"], played["version"]);
        assert_eq!(repeated["game"], played["game"]);
    }
}

async fn what_was_seen_before_is_no_reason_to_refuse(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, [asha, ben]) = here.kalah(json!({})).await;
    // Both servers have seen the table with Asha to move.
    for service in [here, there] {
        assert_eq!(service.game(&ben, &id).await["toAct"], json!([0]));
    }
    play(here, &asha, &id, "0", "a").await.expect("it is her turn");
    play(there, &ben, &id, "0", "b").await.expect("by now it is his turn");
    let refused = play(here, &ben, &id, "1", "c").await.expect_err("he has just moved");
    assert_eq!(refused.code, "NOT_YOUR_TURN");
    let refused = play(here, &ben, &id, "1", "b").await.expect_err("that was another move");
    assert_eq!(refused.code, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(here.game(&asha, &id).await["version"], there.game(&asha, &id).await["version"]);
}

async fn one_request_sent_to_both_at_once_is_carried_out_once(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    for round in 0..10 {
        let (id, [asha, _]) = here.kalah(json!({})).await;
        if round % 2 == 0 {
            here.game(&asha, &id).await;
            there.game(&asha, &id).await;
        }
        let (one, other, third) = tokio::join!(
            play(here, &asha, &id, "0", "once"),
            play(there, &asha, &id, "0", "once"),
            play(here, &asha, &id, "0", "once"),
        );
        let answers = [one, other, third].map(|answer| answer.expect("every request gets the result"));
        assert!(answers.iter().all(|answer| answer["version"] == 5));
        assert_eq!(answers.iter().filter(|answer| answer["repeated"] == false).count(), 1);
        assert_eq!(there.game(&asha, &id).await["version"], 5);
    }
}

async fn a_table_that_fills_at_one_server_is_full_at_the_other(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (asha, ben) = (here.guest("Asha").await, here.guest("Ben").await);
    let game = here.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let id = game["id"].as_str().expect("a game has an id");
    for service in [here, there] {
        assert_eq!(service.game(&ben, id).await["status"], "OPEN");
    }
    let ask = json!({ "gameId": id });
    there.call(&ben, "joinGame", ask.clone()).await.expect("a seat is open");
    assert_eq!(here.game(&ben, id).await["status"], "RUNNING");
    let carol = here.guest("Carol").await;
    let refused = here.call(&carol, "joinGame", ask).await.expect_err("it is full");
    assert_eq!(refused.code, "CONFLICT");
}

async fn a_database_that_was_set_back_is_not_taken_for_itself(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, [asha, ben]) = here.kalah(json!({})).await;
    let mut stream = here.follow(&asha, &id, None).await;
    let version = stream.change().await["version"].as_i64().expect("a version");
    let home = &here.server.home;
    for table in ["games", "entries"] {
        home.execute(&format!("CREATE TABLE {table}_before AS SELECT * FROM {table}")).await;
    }
    here.play(&asha, &id, "0").await;
    let lost = stream.change().await;
    let (url, client) = (format!("{}/v1/games/{id}", here.server.address), reqwest::Client::new());
    let get = async |query: &str, etag: &str| {
        let request = client.get(format!("{url}{query}")).bearer_auth(&asha.token).header("If-None-Match", etag);
        request.send().await.expect("it answers")
    };
    let etag = get("", "").await.headers()["etag"].to_str().expect("it is text").to_string();
    assert_eq!(get("", &etag).await.status(), 304);

    // As after a failover to a replica that did not yet have the last move. Then the game takes another course.
    home.execute("DELETE FROM entries WHERE NOT EXISTS (SELECT 1 FROM entries_before b WHERE b.game_id = entries.game_id AND b.version = entries.version)").await;
    home.execute(
        "UPDATE games SET version = b.version, tag = b.tag, ply = b.ply, position = b.position, to_act = b.to_act,
            decisions = b.decisions, changed_at = b.changed_at FROM games_before b WHERE b.id = games.id",
    )
    .await;
    there.play(&asha, &id, "1").await;
    let now = there.game(&asha, &id).await;
    assert_eq!((&now["version"], &now["ply"]), (&lost["version"], &json!(1)), "the same version, another game");
    assert_ne!(now["view"], lost["game"]["view"]);

    assert_eq!(here.game(&asha, &id).await, now, "the cached game is not taken for it");
    let mut change = stream.change().await;
    assert_eq!(change["resync"], true, "an open stream notices");
    // It may have been quick enough to see the moment before the other move.
    while change["game"] != now {
        change = stream.change().await;
    }
    assert_eq!(get("", &etag).await.status(), 200, "the game of the old tag is not this one");
    let cursor = lost["cursor"].as_str().expect("a change has a cursor").to_string();
    assert_eq!(get(&format!("?after={cursor}&wait=60"), "").await.status(), 200, "a long poll answers at once");
    for seen in [cursor, (version + 50).to_string()] {
        for service in [here, there] {
            let input = json!({ "gameId": id, "after": seen });
            let mut again = service.client.follow(Credentials::Token(&asha.token), "gameChanged", input).await;
            let first = again.change().await;
            assert_eq!((&first["resync"], &first["game"]), (&json!(true), &now), "from {seen}");
        }
    }
    // From before the failover the log goes on.
    let input = json!({ "gameId": id, "after": version });
    let mut again = here.client.follow(Credentials::Token(&ben.token), "gameChanged", input).await;
    let first = again.change().await;
    assert_eq!((&first["resync"], first["entries"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    here.play(&ben, &id, "0").await;
    assert_eq!(stream.change().await["resync"], false);
}

async fn metadata_of_a_database_that_was_set_back_has_another_etag(replicas: Replicas) {
    let here = replicas.here();
    let app = here.app("club");
    let game = here.ask(&app, "createGame", json!({ "kind": "KALAH", "metadata": { "round": 1 } })).await;
    let id = game["id"].as_str().expect("a game has an id");
    let (url, client) = (format!("{}/v1/games/{id}", here.server.address), reqwest::Client::new());
    let get = async |etag: &str| {
        let request = client.get(&url).bearer_auth(&app.token).header("If-None-Match", etag);
        request.send().await.expect("it answers")
    };
    let home = &here.server.home;
    home.execute("CREATE TABLE metadata_before AS SELECT * FROM game_metadata").await;
    here.ask(&app, "updateGame", json!({ "gameId": id, "metadata": { "round": 2 } })).await;
    let etag = get("").await.headers()["etag"].to_str().expect("it is text").to_string();
    assert_eq!(get(&etag).await.status(), 304);
    home.execute("DELETE FROM game_metadata").await;
    home.execute("INSERT INTO game_metadata SELECT * FROM metadata_before").await;
    here.ask(&app, "updateGame", json!({ "gameId": id, "metadata": { "round": 3 } })).await;
    let answer = get(&etag).await;
    assert_eq!(answer.status(), 200, "it is the second change in this history, too, but another one");
}

macro_rules! at_two_servers {
    ($($story:ident),* $(,)?) => {
        $(
            mod $story {
                use crate::support::{Database, Replicas};

                #[tokio::test]
                async fn by_graphql() {
                    super::$story(Replicas::start(Database::Postgres, true, &[]).await).await;
                }

                #[tokio::test]
                async fn by_rest() {
                    super::$story(Replicas::start(Database::Postgres, false, &[]).await).await;
                }
            }
        )*
    };
}

at_two_servers!(
    a_game_is_played_to_its_end_at_two_servers_in_turn,
    what_was_seen_before_is_no_reason_to_refuse,
    one_request_sent_to_both_at_once_is_carried_out_once,
    a_table_that_fills_at_one_server_is_full_at_the_other,
    a_database_that_was_set_back_is_not_taken_for_itself,
    metadata_of_a_database_that_was_set_back_has_another_etag,
);
