//! graphql-transport-ws: the requirements of the protocol, and the limits of a socket.

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::support::server::repository;
use crate::support::service::number;
use crate::support::streams::{open_socket, receive, send, socket};
use crate::support::{Database, Service, eventually};

async fn service() -> Service {
    Service::by_graphql(Database::Sqlite).await
}

fn subscribe(id: &str, query: &str) -> Value {
    json!({ "type": "subscribe", "id": id, "payload": { "query": query } })
}

const INBOX: &str = "subscription { inboxChanged { cursor } }";

#[tokio::test]
async fn whoever_breaks_the_protocol_learns_how() {
    let service = service().await;
    let asha = service.guest("Asha").await;
    let init = json!({ "type": "connection_init", "payload": { "Authorization": format!("Bearer {}", asha.token) } });
    let wrong = json!({ "type": "connection_init", "payload": { "Authorization": "Bearer mdn_ply_x" } });
    let cases: [(&str, Vec<Value>, u16); 10] = [
        ("an operation before the first message", vec![subscribe("1", INBOX)], 4401),
        ("two first messages", vec![init.clone(), init.clone()], 4429),
        ("an id that is in use", vec![init.clone(), subscribe("1", INBOX), subscribe("1", INBOX)], 4409),
        ("no object", vec![json!("xx")], 4400),
        ("a type that there is not", vec![init.clone(), json!({ "type": "foo" })], 4400),
        ("no id", vec![init.clone(), json!({ "type": "subscribe", "payload": { "query": INBOX } })], 4400),
        ("an empty id", vec![init.clone(), subscribe("", INBOX)], 4400),
        ("a payload that is no object", vec![json!({ "type": "connection_init", "payload": 1 })], 4400),
        ("a wrong token", vec![wrong], 4403),
        ("a message that is too large", vec![init.clone(), subscribe("1", &"x".repeat(70_000))], 1009),
    ];
    for (case, messages, code) in cases {
        let mut socket = socket(&service.server.address).await;
        for message in messages {
            // The socket may be closed before the last one is sent.
            let _ = socket.send(Message::text(message.to_string())).await;
        }
        let end = loop {
            match receive(&mut socket).await {
                Ok(message) => assert_eq!(message["type"], "connection_ack", "{case}"),
                Err(code) => break code,
            }
        };
        assert_eq!(end, code, "{case}");
    }
}

#[tokio::test]
async fn who_says_nothing_is_not_waited_for() {
    let service = service().await;
    let mut socket = socket(&service.server.address).await;
    assert_eq!(receive(&mut socket).await, Err(4408));
}

#[tokio::test]
async fn another_protocol_is_not_spoken() {
    let service = service().await;
    let url = format!("{}/graphql", service.server.address.replacen("http", "ws", 1));
    let mut socket = tokio_tungstenite::connect_async(url.into_client_request().unwrap()).await.unwrap().0;
    assert_eq!(receive(&mut socket).await, Err(4406));
}

#[tokio::test]
async fn a_socket_carries_queries_mutations_and_their_errors_too() {
    let service = service().await;
    let asha = service.guest("Asha").await;
    let mut socket = open_socket(&service.server.address, Some(&asha.token)).await;
    send(&mut socket, json!({ "type": "ping", "payload": { "n": 1 } })).await;
    assert_eq!(receive(&mut socket).await, Ok(json!({ "type": "pong", "payload": { "n": 1 } })));

    send(&mut socket, subscribe("q", "{ me { player { id } } }")).await;
    let next = receive(&mut socket).await.unwrap();
    assert_eq!((&next["type"], &next["payload"]["data"]["me"]["player"]["id"]), (&json!("next"), &json!(asha.id)));
    assert_eq!(receive(&mut socket).await, Ok(json!({ "type": "complete", "id": "q" })));

    let create = "mutation { createGame(input: { kind: KALAH }) { game { id } } }";
    send(&mut socket, subscribe("q", create)).await;
    assert!(receive(&mut socket).await.unwrap()["payload"]["data"]["createGame"]["game"]["id"].is_string());
    assert_eq!(receive(&mut socket).await.unwrap()["type"], "complete");

    for wrong in ["{ me { id }", "{ nothing }", "subscription { inboxChanged { nothing } }", "{ kinds { kind } me }"] {
        send(&mut socket, subscribe("q", wrong)).await;
        let error = receive(&mut socket).await.unwrap();
        assert_eq!((&error["type"], &error["id"]), (&json!("error"), &json!("q")), "{wrong}");
        assert_eq!(error["payload"][0]["extensions"]["code"], "INVALID_INPUT", "{wrong}");
    }
    // A field that fails is part of a result, as over HTTP.
    send(&mut socket, subscribe("q", r#"{ game(id: "game_x") { id } }"#)).await;
    let next = receive(&mut socket).await.unwrap();
    assert_eq!(next["payload"]["errors"][0]["extensions"]["code"], "NOT_FOUND");
    assert_eq!(receive(&mut socket).await.unwrap()["type"], "complete");
}

#[tokio::test]
async fn an_operation_that_is_completed_says_no_more_and_its_id_is_free() {
    let service = service().await;
    let (id, players) = service.kalah(json!({})).await;
    let mut socket = open_socket(&service.server.address, Some(&players[0].token)).await;
    let follow = format!(r#"subscription {{ gameChanged(id: "{id}") {{ version }} }}"#);
    for _ in 0..3 {
        send(&mut socket, subscribe("1", &follow)).await;
        assert_eq!(receive(&mut socket).await.unwrap()["type"], "next");
        send(&mut socket, json!({ "type": "complete", "id": "1" })).await;
    }
    service.play(&players[0], &id, "0").await;
    send(&mut socket, json!({ "type": "ping" })).await;
    assert_eq!(receive(&mut socket).await, Ok(json!({ "type": "pong" })), "nothing was said in between");
}

#[tokio::test]
async fn one_socket_follows_several_games_and_no_more_than_allowed() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_MAX_OPERATIONS", "3")]).await;
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let mut socket = open_socket(&service.server.address, Some(&players[0].token)).await;
    let mut games = Vec::new();
    for n in 0..4 {
        let id = service.kalah_of(&players, json!({})).await;
        send(
            &mut socket,
            subscribe(&n.to_string(), &format!(r#"subscription {{ gameChanged(id: "{id}") {{ version }} }}"#)),
        )
        .await;
        let message = receive(&mut socket).await.unwrap();
        if n < 3 {
            assert_eq!(message["type"], "next");
        } else {
            assert_eq!(message["payload"][0]["extensions"]["code"], "LIMIT_REACHED");
        }
        games.push(id);
    }
    for n in [2, 0, 1] {
        service.play(&players[0], &games[n], "0").await;
        assert_eq!(receive(&mut socket).await.unwrap()["id"], n.to_string());
    }
}

#[tokio::test]
async fn who_does_not_read_is_cut_off() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_WRITE_TIMEOUT_SECONDS", "1")]).await;
    let mut socket = open_socket(&service.server.address, None).await;
    // Long responses that the client does not read: more than the buffers of both sides hold.
    let kinds = (0..25).map(|n| format!("k{n}: kinds {{ kind rules {{ id text }} }}")).collect::<Vec<_>>().join(" ");
    for n in 0..90 {
        send(&mut socket, subscribe(&n.to_string(), &format!("{{ {kinds} }}"))).await;
    }
    eventually("a client that does not read is cut off", async || {
        service.server.count("maidan_slow_consumers_total").await == 1
    })
    .await;
    let (mut answers, mut end) = (0, None);
    while end.is_none() {
        match receive(&mut socket).await {
            Ok(message) => answers += usize::from(message["type"] == "next"),
            Err(code) => end = Some(code),
        }
    }
    assert!(answers < 90, "not everything was kept for it");
    assert_eq!(end, Some(4503), "when it reads again, it reads why");
}

#[tokio::test]
async fn a_subscription_is_not_for_http() {
    let service = service().await;
    let request = reqwest::Client::new().post(format!("{}/graphql", service.server.address));
    let answer: Value = request.json(&json!({ "query": INBOX })).send().await.unwrap().json().await.unwrap();
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT");
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("WebSocket"));
}

/// The most common client library follows a game, loses its connection, reconnects, and misses nothing.
#[tokio::test]
async fn the_usual_client_works() {
    let service = service().await;
    let (id, players) = service.kalah(json!({})).await;
    let peers = repository().join("target/test-peers");
    assert!(peers.join("node_modules/graphql-ws").exists(), "run the tests by ./test, which fetches the client");
    let script = r#"import { createClient } from 'graphql-ws';
        import WebSocket from 'ws';
        const [url, token, id] = process.argv.slice(1);
        let socket;
        class Remembered extends WebSocket { constructor(...args) { super(...args); socket = this; } }
        const client = createClient({
          url, webSocketImpl: Remembered, retryAttempts: 0, connectionParams: { Authorization: `Bearer ${token}` },
        });
        let seen = null;
        const versions = [];
        const follow = () => new Promise((done, failed) => client.subscribe(
          { query: 'subscription($id: ID!, $after: Int) { gameChanged(id: $id, after: $after) { version entries { version } game { status } } }',
            variables: { id, after: seen } },
          { next: ({ data, errors }) => {
              if (errors) return failed(errors);
              seen = data.gameChanged.version;
              versions.push(...data.gameChanged.entries.map((entry) => entry.version));
              console.log('seen', seen);
            },
            error: failed, complete: done }));
        await new Promise((done) => {
          const unsubscribe = client.subscribe(
            { query: 'subscription($id: ID!) { gameChanged(id: $id) { version } }', variables: { id } },
            { next: ({ data }) => { seen = data.gameChanged.version; unsubscribe(); }, error: console.error, complete: done });
        });
        const first = seen;
        console.log('seen', seen);
        const interval = setInterval(() => { if (versions.length == 3) { clearInterval(interval); socket.close(4205, 'a break'); } }, 10);
        const pause = () => new Promise((rested) => setTimeout(rested, 100));
        await follow().catch(async () => { await pause(); await follow(); });
        await client.dispose();
        const wanted = Array.from({ length: seen - first }, (_, n) => first + 1 + n);
        console.log(JSON.stringify(versions) === JSON.stringify(wanted) ? 'complete' : `wrong: ${versions}`);"#;
    let url = format!("{}/graphql", service.server.address.replacen("http", "ws", 1));
    let mut child = tokio::process::Command::new("node")
        .args(["--input-type=module", "--eval", script, &url, &players[0].token, &id])
        .current_dir(&peers)
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("node is there");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = Vec::new();
    // One move for each update that it reports; then the end.
    for n in 0.. {
        let Some(line) = lines.next_line().await.unwrap() else { break };
        said.push(line);
        if n < 8 {
            let seat = number(&service.game(&players[0], &id).await["toAct"][0]);
            let moves = service.ask(&players[seat], "legalMoves", json!({ "gameId": id })).await;
            service.play(&players[seat], &id, moves["items"][0]["notation"].as_str().unwrap()).await;
        } else if n == 8 {
            service.ask(&players[1], "resign", json!({ "gameId": id })).await;
        }
    }
    assert_eq!(said.last().map(String::as_str), Some("complete"), "{said:?}");
    assert!(child.wait().await.unwrap().success());
}
