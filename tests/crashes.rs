//! kill -9, restarts, and a database that goes away and comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::{AnyGame, Kind};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::support::database::{game_of, position_of, put_position, put_state, put_stored_position, stored_position};
use crate::support::proxy::Proxy;
use crate::support::server::Home;
use crate::support::service::{number, seats_to_act};
use crate::support::{Client, Database, Dice, Person, Refused, Server, Service, eventually, stories};

stories!(
    what_was_acknowledged_survives_a_kill,
    a_restart_goes_on_where_it_stopped,
    a_position_that_cannot_be_read_is_found_by_the_log,
    a_position_that_was_kept_as_json_is_read,
    sigterm_ends_it_well
);

/// A player's record of its moves: those acknowledged, with the version each reached.
struct Burst {
    game: String,
    acknowledged: Vec<(String, i64)>,
    /// The request that was in flight when the server died.
    lost: Option<Value>,
}

async fn what_was_acknowledged_survives_a_kill(mut service: Service) {
    // Enough for moves to share a batch.
    const TABLES: usize = 16;
    let mut tables = Vec::new();
    for _ in 0..TABLES {
        tables.push(service.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await);
    }
    let client: Arc<dyn Client> = Arc::from(service.client.connect(&service.server.address));
    let played = Arc::new(AtomicUsize::new(0));
    let bursts: Vec<_> = tables
        .into_iter()
        .map(|(id, players)| {
            let client = Arc::clone(&client);
            let (people, played) = (players.clone(), Arc::clone(&played));
            (players, tokio::spawn(async move { burst(&*client, id, &people, &played).await }))
        })
        .collect();
    eventually("some moves are made", async || played.load(Ordering::Relaxed) >= 5 * TABLES).await;
    service.server.kill();
    let service = service.restarted(&[]).await;

    let mut moves = 0;
    for (players, burst) in bursts {
        let burst = burst.await.expect("the burst ends when the server does");
        moves += burst.acknowledged.len();
        let log = service.log(&players[0], &burst.game).await;
        for (key, version) in &burst.acknowledged {
            let entry = &log[usize::try_from(*version - 1).expect("versions begin at 1")];
            assert_eq!(entry["version"], *version);
            assert_eq!(entry["what"], "MOVED", "{key} was acknowledged and is in the log");
        }
        let moved = log.iter().filter(|entry| entry["what"] == "MOVED").count();
        assert!(
            moved == burst.acknowledged.len() || moved == burst.acknowledged.len() + 1,
            "every acknowledged move is there once, and at most the one under way besides"
        );
        // A retry of the lost request with its key is carried out exactly once.
        if let Some(lost) = burst.lost {
            let seat = number(&lost["seat"]);
            let mut ask = lost;
            ask.as_object_mut().unwrap().remove("seat");
            let answer = service.ask(&players[seat], "playMove", ask).await;
            let after = service.log(&players[0], &burst.game).await;
            assert_eq!(after.iter().filter(|entry| entry["what"] == "MOVED").count(), burst.acknowledged.len() + 1);
            assert_eq!(answer["repeated"], moved == burst.acknowledged.len() + 1);
        }
    }
    assert!(moves >= 5 * TABLES);
}

/// Plays as fast as possible until the server is gone.
async fn burst(client: &dyn Client, game: String, players: &[Person; 2], played: &AtomicUsize) -> Burst {
    let mut burst = Burst { game: game.clone(), acknowledged: Vec::new(), lost: None };
    loop {
        let mut ask = None;
        for (seat, player) in players.iter().enumerate() {
            match client.call(Some(&player.token), None, "legalMoves", json!({ "gameId": game, "limit": 1 })).await {
                Ok(moves) if moves["items"].get(0).is_some() => {
                    let key = format!("move-{}", burst.acknowledged.len());
                    let notation = moves["items"][0]["notation"].clone();
                    ask = Some((
                        seat,
                        key.clone(),
                        json!({ "gameId": game, "notation": notation, "idempotencyKey": key }),
                    ));
                    break;
                }
                Ok(_) => {}
                Err(_) => return burst,
            }
        }
        let Some((seat, key, ask)) = ask else { return burst };
        match client.call(Some(&players[seat].token), None, "playMove", ask.clone()).await {
            Ok(answer) => {
                burst.acknowledged.push((key, answer["version"].as_i64().unwrap()));
                played.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {
                let mut lost = ask;
                lost["seat"] = json!(seat);
                burst.lost = Some(lost);
                return burst;
            }
        }
    }
}

async fn a_restart_goes_on_where_it_stopped(service: Service) {
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    service.play(&asha, &id, "0").await;
    let before = service.game(&ben, &id).await;
    let service = service.restarted(&[]).await;
    assert_eq!(service.game(&ben, &id).await, before);
    service.play(&ben, &id, "0").await;
}

/// A running game of La Macarena, with the views of its players.
async fn under_way(service: &Service, version: u32) -> (String, Vec<Person>, Vec<Value>) {
    let (id, people) = service.table_by(version, Kind::Macarena, json!({}), 3).await;
    let mut dice = Dice::new(3);
    for turn in 0..20 {
        if turn == 12 {
            service.ask(&people[2], "resign", json!({ "gameId": id })).await;
        }
        let seat = seats_to_act(&service.settled(&people[0], &id).await)[0];
        let moves = service.ask(&people[seat], "legalMoves", json!({ "gameId": id })).await;
        let items = moves["items"].as_array().unwrap();
        let notation = items[dice.below(items.len())]["notation"].as_str().unwrap();
        service.play(&people[seat], &id, notation).await;
    }
    service.settled(&people[0], &id).await;
    let seen = seen_by(service, &id, &people).await;
    (id, people, seen)
}

async fn seen_by(service: &Service, id: &str, people: &[Person]) -> Vec<Value> {
    let mut seen = Vec::new();
    for person in people {
        seen.push(service.game(person, id).await);
    }
    seen
}

async fn a_position_that_cannot_be_read_is_found_by_the_log(mut service: Service) {
    let (id, people, before) = under_way(&service, Kind::Macarena.rules_version()).await;
    let stored = stored_position(&service, &id).await;
    // In the format of a later build, and damaged.
    let unknown = [&[250], &position_of(&service, &id).await[1..]].concat();
    for (position, is_damaged) in
        [(unknown, false), (stored[..stored.len() / 2].to_vec(), true), (vec![250; 9], true), (Vec::new(), true)]
    {
        match is_damaged {
            true => put_stored_position(&service, &id, position).await,
            false => put_position(&service, &id, position).await,
        }
        service = service.restarted(&[]).await;
        assert_eq!(seen_by(&service, &id, &people).await, before);
        let listed = service.ask(&people[0], "myGames", json!({})).await;
        assert_eq!(listed["items"][0]["view"], before[0]["view"]);
    }
    let seat = seats_to_act(&before[0])[0];
    let moves = service.ask(&people[seat], "legalMoves", json!({ "gameId": id })).await;
    service.play(&people[seat], &id, moves["items"][0]["notation"].as_str().unwrap()).await;
    let kept = game_of(&service, Kind::Macarena, &id).await;
    assert_eq!(kept.rules_version(), Kind::Macarena.rules_version(), "the next move keeps it well");
}

async fn a_position_that_was_kept_as_json_is_read(service: Service) {
    // No game of rules version 2 was ever saved in this format.
    let (id, people, before) = under_way(&service, 1).await;
    let AnyGame::Macarena(game) = game_of(&service, Kind::Macarena, &id).await else {
        panic!("it is a game of La Macarena")
    };
    put_state(&service, &id, &serde_json::to_string(&game).unwrap()).await;
    let service = service.restarted(&[]).await;
    assert_eq!(seen_by(&service, &id, &people).await, before);
    service.server.home.run(&["verify", "--live"]).status.success().then_some(()).expect("it is what the log leads to");
}

#[tokio::test]
async fn a_request_that_panics_is_answered_and_the_game_stays_usable() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, false, &[]).await;
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let before = service.game(&asha, &id).await;
        let AnyGame::Kalah(game) = game_of(&service, Kind::Kalah, &id).await else { panic!("it is a game of Kalah") };
        let state = serde_json::to_value(&game).expect("a state is JSON");
        // More pockets than the board has places.
        let mut impossible = state.clone();
        impossible["rules"]["pockets"] = json!(200);
        put_state(&service, &id, &impossible.to_string()).await;
        // The panic is meant: its backtrace would look like a fault of the tests.
        let service = service.restarted(&[("RUST_BACKTRACE", "0")]).await;
        let cases =
            [(format!("/v1/games/{id}"), ""), ("/graphql".to_string(), "#"), ("/graphql".to_string(), "# long")];
        for (path, comment) in cases {
            let is_graphql = !comment.is_empty();
            // Long documents are executed by threads of their own.
            let comment = comment.repeat(if comment == "#" { 1 } else { 500 });
            let (client, url) = (reqwest::Client::new(), format!("{}{path}", service.server.address));
            let query = json!({ "query": format!("{{ game(id: \"{id}\") {{ view {{ ... on KalahView {{ pockets }} }} }} }} {comment}") });
            let request = if is_graphql { client.post(url).json(&query) } else { client.get(url) };
            let request = request.bearer_auth(&asha.token).header("X-Request-Id", "panics-1");
            let answer = request.send().await.expect("the connection is not dropped");
            assert_eq!(answer.status(), 500, "{path}");
            assert_eq!(answer.headers()["x-request-id"], "panics-1");
            let problem: Value = answer.json().await.expect("it is a problem");
            assert_eq!(
                (&problem["code"], &problem["instance"]),
                (&json!("INTERNAL"), &json!("urn:maidan:request:panics-1"))
            );
        }
        put_state(&service, &id, &state.to_string()).await;
        assert_eq!(service.game(&asha, &id).await, before, "the game is usable without a restart");
        service.play(&asha, &id, "0").await;
    }
}

async fn sigterm_ends_it_well(mut service: Service) {
    service.guest("Asha").await;
    assert!(service.server.terminate(), "it stops by itself and says that all is well");
}

async fn the_database_goes_away_and_comes_back(by_graphql: bool) {
    let (proxy, home) = Proxy::before(&Home::new(Database::Postgres).await).await;
    let server = Server::start(&home, &[("MAIDAN_DB_ACQUIRE_MS", "1000")]).await;
    let address = server.address.clone();
    let client: Box<dyn Client> = if by_graphql {
        Box::new(crate::support::graphql::GraphqlClient::new(&address))
    } else {
        Box::new(crate::support::rest::RestClient::new(&address))
    };
    let service = Service { server, client };
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    service.play(&asha, &id, "0").await;
    let ready = async || reqwest::get(format!("{address}/readyz")).await.unwrap().status().as_u16();
    assert_eq!(ready().await, 200);

    proxy.cut(true);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let ask = json!({ "gameId": id, "notation": "0", "idempotencyKey": "away" });
    let refused: Refused = service.refusal(&ben, "playMove", ask.clone()).await;
    assert_eq!(refused.code, "UNAVAILABLE");
    assert!(refused.text.contains("idempotency key"), "{refused:?}");
    assert_eq!(ready().await, 503);
    let live = reqwest::get(format!("{address}/livez")).await.unwrap().status();
    assert_eq!(live, 200, "a service without its database is alive, though not ready");
    let response = reqwest::get(format!("{address}/v1/games")).await.unwrap();
    assert_eq!(response.status(), 503);
    assert!(response.headers().contains_key("retry-after"));

    proxy.cut(false);
    eventually("the service is ready again", async || ready().await == 200).await;
    loop {
        match service.call(&ben, "playMove", ask.clone()).await {
            Ok(played) => {
                assert_eq!(played["game"]["ply"], 2, "the move is made once");
                break;
            }
            // Connections that broke while idle fail at their first use.
            Err(refused) => assert_eq!(refused.code, "UNAVAILABLE"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_goes_away_and_comes_back_by_graphql() {
    the_database_goes_away_and_comes_back(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_goes_away_and_comes_back_by_rest() {
    the_database_goes_away_and_comes_back(false).await;
}

#[tokio::test]
async fn a_read_only_database_is_reported_as_unavailable() {
    let service = Service::by_rest(Database::Postgres).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let ask = json!({ "gameId": id, "notation": "0", "idempotencyKey": "away" });
    let url = service.server.home.url.clone().unwrap();
    let name = url.rsplit('/').next().unwrap();
    let mut admin = sqlx::PgConnection::connect(&url).await.unwrap();
    // As after a failover: existing connections to the old primary can still read.
    let mut turn = async |setting: &str| {
        let all_others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()";
        admin.execute(AssertSqlSafe(format!("ALTER DATABASE {name} {setting}"))).await.unwrap();
        admin.execute(all_others).await.unwrap();
    };
    turn("SET default_transaction_read_only = on").await;
    eventually("reads go on", async || service.call(&asha, "me", json!({})).await.is_ok()).await;
    for _ in 0..20 {
        assert_eq!(service.refusal(&asha, "playMove", ask.clone()).await.code, "UNAVAILABLE");
    }
    turn("RESET default_transaction_read_only").await;
    let played = loop {
        if let Ok(played) = service.call(&asha, "playMove", ask.clone()).await {
            break played;
        }
    };
    assert_eq!(played["game"]["ply"], 1);
}
