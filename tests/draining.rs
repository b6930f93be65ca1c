//! SIGTERM: a server goes on answering until nobody asks it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;

use crate::support::balancer::Balancer;
use crate::support::rest::RestClient;
use crate::support::service::seats_to_act;
use crate::support::streams::Update;
use crate::support::{Client, Database, Person, Server, Service, eventually};

#[tokio::test]
async fn a_draining_server_answers_requests_and_opens_no_streams() {
    for database in [Database::Sqlite, Database::Postgres] {
        let mut service = Service::with(database, false, &[("MAIDAN_DRAIN_SECONDS", "3600")]).await;
        let (id, [asha, _]) = service.kalah(json!({})).await;
        let mut stream = service.follow(&asha, &id, None).await;
        stream.change().await;
        let client = reqwest::Client::new();
        let get = async |path: &str| {
            let request = client.get(format!("{}{path}", service.server.address)).bearer_auth(&asha.token);
            request.send().await.expect("it is answered")
        };
        let ready = get("/readyz").await;
        assert_eq!((ready.status().as_u16(), ready.headers().get("connection")), (200, None));

        service.server.tell_to_stop();
        assert!(matches!(stream.next().await, Update::Ended(_)), "streams end first");
        let ready = get("/readyz").await;
        assert_eq!(ready.status(), 503);
        assert_eq!(ready.headers()["connection"], "close");
        for path in
            [format!("/v1/games/{id}/events"), "/v1/me/events".into(), format!("/v1/games/{id}?after=1&wait=60")]
        {
            let refused = get(&path).await;
            assert_eq!(refused.status(), 503, "{path}");
            assert!(refused.headers().contains_key("retry-after"), "{path}");
        }
        let upgrade = client.get(format!("{}/graphql", service.server.address)).header("Connection", "Upgrade");
        let upgrade = upgrade.header("Upgrade", "websocket").header("Sec-WebSocket-Version", "13");
        let upgrade = upgrade.header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
        let upgrade = upgrade.header("Sec-WebSocket-Protocol", "graphql-transport-ws").send().await;
        assert_eq!(upgrade.expect("it is answered").status(), 503);
        assert_eq!(get("/livez").await.status(), 200, "it is alive");
        let game = get(&format!("/v1/games/{id}")).await;
        assert_eq!((game.status().as_u16(), &game.headers()["connection"]), (200, &"close".parse().unwrap()));
        service.play(&asha, &id, "0").await;

        service.server.tell_to_stop();
        assert!(service.server.has_ended_well(), "a second signal ends the wait");
    }
}

/// Plays until it is stopped. Counts requests, and those without an answer.
async fn play_on(client: RestClient, id: String, players: [Person; 2], count: Arc<Count>) {
    for n in 0.. {
        if count.is_over.load(Ordering::Relaxed) {
            return;
        }
        let call = async |who: usize, operation: &str, input| {
            count.requests.fetch_add(1, Ordering::Relaxed);
            let answer = client.call(Some(&players[who].token), None, operation, input).await;
            if let Err(refused) = &answer {
                count.lost.lock().unwrap().push(format!("{operation}: {refused:?}"));
            }
            answer
        };
        let Ok(game) = call(0, "game", json!({ "gameId": id })).await else { continue };
        // The game may be over.
        let Some(&seat) = seats_to_act(&game).first() else { continue };
        let Ok(moves) = call(seat, "legalMoves", json!({ "gameId": id, "limit": 1 })).await else { continue };
        let notation = &moves["items"][0]["notation"];
        let input = json!({ "gameId": id, "notation": notation, "idempotencyKey": format!("move-{n}") });
        let _ = call(seat, "playMove", input).await;
    }
}

#[derive(Default)]
struct Count {
    is_over: AtomicBool,
    requests: AtomicUsize,
    lost: std::sync::Mutex<Vec<String>>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_behind_a_load_balancer_loses_no_request() {
    let variables = [("MAIDAN_DRAIN_SECONDS", "2")];
    let first = Service::with(Database::Postgres, false, &variables).await;
    let home = first.server.home.clone();
    let mut tables = Vec::new();
    for _ in 0..4 {
        tables.push(first.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await);
    }
    let balancer = Balancer::start().await;
    let mut servers = vec![first.server, Server::start(&home, &variables).await];
    let is_ready = async |server: &Server| {
        balancer.add(&server.address);
        eventually("the server is ready", async || balancer.is_ready(&server.address)).await;
    };
    for server in &servers {
        is_ready(server).await;
    }
    let count = Arc::new(Count::default());
    let players: Vec<_> = tables
        .into_iter()
        .map(|(id, players)| tokio::spawn(play_on(RestClient::new(&balancer.address), id, players, Arc::clone(&count))))
        .collect();
    for _ in 0..2 {
        let next = Server::start(&home, &variables).await;
        is_ready(&next).await;
        let mut old = servers.remove(0);
        servers.push(next);
        old.tell_to_stop();
        let ended = tokio::task::spawn_blocking(move || (old.has_ended_well(), old.address.clone()));
        let (is_well, address) = ended.await.expect("it ends");
        assert!(is_well);
        balancer.remove(&address);
    }
    let before = count.requests.load(Ordering::Relaxed);
    eventually("play goes on", async || count.requests.load(Ordering::Relaxed) > before + 50).await;
    count.is_over.store(true, Ordering::Relaxed);
    for player in players {
        player.await.expect("it plays");
    }
    let (requests, lost) = (count.requests.load(Ordering::Relaxed), count.lost.lock().unwrap());
    assert!(requests > 300, "{requests}");
    assert!(lost.is_empty(), "of {requests} requests {} were lost: {:?}", lost.len(), lost.first());
}
