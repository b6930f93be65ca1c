//! A request with an idempotency key is executed once, however often it is sent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Client, Database, Person, Server, Service, eventually, stories};

stories!(
    every_request_is_executed_once,
    concurrent_retries_are_executed_once,
    a_retry_after_a_crash_is_executed_once,
    a_late_retry_does_not_take_the_seat_again,
    who_left_a_private_game_learns_nothing_more_of_it,
    a_seat_that_was_left_can_be_taken_with_the_same_key,
    keys_belong_to_their_player_or_app,
    keys_that_made_something_are_kept_for_thirty_days,
);

/// A request, and another one in the scope of its key.
struct Case {
    what: &'static str,
    who: Person,
    operation: &'static str,
    input: Value,
    other: (&'static str, Value),
}

/// Every operation that takes a key, each ready to be called.
async fn cases(service: &Service) -> Vec<Case> {
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let [asha, ben] = &players;
    let app = service.app("club");
    let member = |name: &str| json!({ "name": name });
    let chandra = service.ask(&app, "registerPlayer", member("Chandra")).await["player"]["id"].clone();
    let devi = service.ask(&app, "registerPlayer", member("Devi")).await["player"]["id"].clone();
    let finished = async || service.drawn_kalah_of(&players).await;
    let open = async |who: &Person, visibility: &str| {
        service.ask(who, "createGame", json!({ "kind": "KALAH", "visibility": visibility })).await
    };
    let of = |id: &str| json!({ "gameId": id });
    let id = |game: &Value| json!({ "gameId": game["id"] });

    let practice = |ply: i32, game: &str| json!({ "gameId": game, "ply": ply });
    let (branched, asked_first, asked_next) = (finished().await, finished().await, finished().await);
    service.ask(asha, "rematch", of(&asked_next)).await;
    let others = finished().await;
    let seats = json!([{ "player": chandra }, { "player": devi }]);
    let clubs = service.ask(&app, "createGame", json!({ "kind": "KALAH", "seats": seats })).await;
    let chandras = service.client.call(Some(&app.token), chandra.as_str(), "resign", id(&clubs)).await;
    assert_eq!(chandras.expect("an app acts for its players")["game"]["status"], "OVER");

    let public = open(asha, "PUBLIC").await;
    let private = open(asha, "PRIVATE").await;
    let by_code = json!({ "code": private["joinCode"] });
    let seeded = open(asha, "PUBLIC").await;
    let seed = |text: &str| json!({ "gameId": seeded["id"], "clientSeed": text });
    // With a seat left, so that the bot does not move between two requests.
    let seats = json!([{ "me": true }, { "open": true }, { "open": true }]);
    let with_bot = service.ask(asha, "createGame", json!({ "kind": "MAHOLA", "seats": seats })).await;
    let bot = |level: i32| json!({ "gameId": with_bot["id"], "level": level });
    let left = open(asha, "PUBLIC").await;
    let cancelled = open(asha, "PUBLIC").await;
    let apps = open(&app, "PRIVATE").await;
    let moved = service.kalah_of(&players, json!({})).await;
    let resigned = service.kalah_of(&players, json!({})).await;
    let mv = |notation: &str| json!({ "gameId": moved, "notation": notation });
    let token = |seconds: i32| json!({ "playerId": chandra, "expiresInSeconds": seconds });
    let kalah = json!({ "kind": "KALAH" });

    let case = |what, who: &Person, operation, input, other| Case { what, who: who.clone(), operation, input, other };
    vec![
        case("a game", asha, "createGame", kalah.clone(), ("createGame", json!({ "kind": "MARA" }))),
        case("an app's game", &app, "createGame", kalah.clone(), ("registerPlayer", member("Esha"))),
        case("a branch", asha, "branchGame", practice(1, &branched), ("branchGame", practice(2, &branched))),
        case("a rematch, opened", asha, "rematch", of(&asked_first), ("rematch", of(&others))),
        case("a rematch, joined", ben, "rematch", of(&asked_next), ("rematch", of(&others))),
        case("an app's rematch", &app, "rematch", id(&clubs), ("createGame", kalah.clone())),
        case("a seat", ben, "joinGame", id(&public), ("joinGame", json!({ "gameId": public["id"], "seat": 1 }))),
        case("a seat by code", ben, "joinGame", by_code, ("resign", id(&private))),
        case("a client seed", asha, "addClientSeed", seed("a"), ("addClientSeed", seed("b"))),
        case("a bot's seat", asha, "seatBot", bot(1), ("seatBot", bot(2))),
        case("leaving", asha, "leaveGame", id(&left), ("cancelGame", id(&left))),
        case("cancelling", asha, "cancelGame", id(&cancelled), ("leaveGame", id(&cancelled))),
        case("an app that cancels", &app, "cancelGame", id(&apps), ("createGame", json!({}))),
        case("a move", asha, "playMove", mv("0"), ("playMove", mv("1"))),
        case("resigning", ben, "resign", of(&resigned), ("playMove", json!({ "gameId": resigned, "notation": "0" }))),
        case("a player", &app, "registerPlayer", member("Esha"), ("registerPlayer", member("Gita"))),
        case("a token", &app, "issueToken", token(60), ("issueToken", token(61))),
        case("a ticket", asha, "createStreamTicket", json!({}), ("createGame", kalah)),
    ]
}

fn with_key(mut input: Value, key: &str) -> Value {
    input["idempotencyKey"] = key.into();
    input
}

/// The parts of an answer that tell one object from another.
fn identity(answer: &Value) -> Value {
    json!([answer["id"], answer["player"]["id"], answer["game"]["id"], answer["expiresAt"]])
}

/// The text of the token or ticket.
fn secret(answer: &Value) -> Option<&Value> {
    answer.get("token").or(answer.get("ticket")).filter(|_| answer.get("player").is_none())
}

async fn every_request_is_executed_once(service: Service) {
    for (number, case) in cases(&service).await.into_iter().enumerate() {
        let Case { what, who, operation, input, other: (other, other_input) } = case;
        let ask = with_key(input, &format!("key-{number}"));
        let first = service.ask(&who, operation, ask.clone()).await;
        assert_eq!(first["repeated"], false, "{what}");
        assert!(secret(&first).is_none_or(Value::is_string), "{what}: the secret is shown once");
        for _ in 0..2 {
            let again = service.ask(&who, operation, ask.clone()).await;
            assert_eq!(again["repeated"], true, "{what}");
            assert_eq!(identity(&again), identity(&first), "{what}");
            assert_eq!(again["version"], first["version"], "{what}: nothing has changed");
            assert!(secret(&again).is_none_or(Value::is_null), "{what}: the secret is not shown again");
        }
        // The app's only change of a game is to cancel it, so its key has no other request to be used for.
        if what != "an app that cancels" {
            let reused = service.refusal(&who, other, with_key(other_input, &format!("key-{number}"))).await;
            assert_eq!(reused.code, "IDEMPOTENCY_KEY_REUSED", "{what}");
        }
        let bad = service.refusal(&who, operation, with_key(ask, "with space")).await;
        assert_eq!(bad.code, "INVALID_INPUT", "{what}");
    }
}

async fn concurrent_retries_are_executed_once(service: Service) {
    // On Postgres at two replicas. The embedded database has one.
    let other = match service.server.home.url {
        Some(_) => Some(Server::start(&service.server.home, &[]).await),
        None => None,
    };
    let there = service.client.connect(other.as_ref().map_or(&service.server.address, |other| &other.address));
    for (number, Case { what, who, operation, input, .. }) in cases(&service).await.into_iter().enumerate() {
        let ask = with_key(input, &format!("key-{number}"));
        let (here, there, token) = (&service.client, &there, Some(who.token.as_str()));
        let answers = tokio::join!(
            here.call(token, None, operation, ask.clone()),
            there.call(token, None, operation, ask.clone()),
            here.call(token, None, operation, ask.clone()),
            there.call(token, None, operation, ask.clone()),
        );
        let answers = [answers.0, answers.1, answers.2, answers.3].map(|answer| answer.expect("all are answered"));
        assert_eq!(answers.iter().filter(|answer| answer["repeated"] == false).count(), 1, "{what}: {answers:?}");
        assert!(answers.iter().all(|answer| identity(answer) == identity(&answers[0])), "{what}: {answers:?}");
        assert!(answers.iter().all(|answer| answer["version"] == answers[0]["version"]), "{what}: {answers:?}");
        let secrets = answers.iter().filter_map(secret).filter(|secret| secret.is_string());
        assert_eq!(secrets.count(), usize::from(secret(&answers[0]).is_some()), "{what}: one gets the secret");
    }
}

/// Opens games and has them joined until the server is gone. Returns the answers.
async fn open_and_join(
    client: &dyn Client,
    [asha, ben]: &[Person; 2],
    batch: usize,
    opened: &AtomicUsize,
) -> Vec<Value> {
    let mut answers = Vec::new();
    loop {
        let key = format!("{batch}-{}", answers.len());
        let open = with_key(json!({ "kind": "KALAH" }), &key);
        let Ok(game) = client.call(Some(&asha.token), None, "createGame", open).await else { return answers };
        let join = with_key(json!({ "gameId": game["id"] }), &key);
        let joined = client.call(Some(&ben.token), None, "joinGame", join).await;
        answers.push(game["id"].clone());
        opened.fetch_add(1, Ordering::Relaxed);
        if joined.is_err() {
            return answers;
        }
    }
}

async fn a_retry_after_a_crash_is_executed_once(mut service: Service) {
    const BATCHES: usize = 4;
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let opened = AtomicUsize::new(0);
    let client = service.client.connect(&service.server.address);
    let mut acknowledged = Vec::new();
    let crash = async {
        eventually("games are opened", async || opened.load(Ordering::Relaxed) >= 3 * BATCHES).await;
        service.server.kill();
    };
    let burst = async |batch| open_and_join(&*client, &players, batch, &opened).await;
    let (one, two, three, four, ()) = tokio::join!(burst(0), burst(1), burst(2), burst(3), crash);
    acknowledged.extend([one, two, three, four]);

    let service = service.restarted(&[]).await;
    let mut games = 0;
    for (batch, ids) in acknowledged.iter().enumerate() {
        // The last request of each batch may or may not have been executed.
        for number in 0..=ids.len() {
            let key = format!("{batch}-{number}");
            let game = service.ask(&players[0], "createGame", with_key(json!({ "kind": "KALAH" }), &key)).await;
            assert!(ids.get(number).is_none_or(|id| *id == game["id"]), "an acknowledged game is the same");
            assert!(number == ids.len() || game["repeated"] == true);
            let join = with_key(json!({ "gameId": game["id"] }), &key);
            assert_eq!(service.ask(&players[1], "joinGame", join).await["status"], "RUNNING");
            let log = service.log(&players[0], game["id"].as_str().unwrap()).await;
            let whats: Vec<&Value> = log.iter().map(|entry| &entry["what"]).collect();
            assert_eq!(whats, ["OPENED", "JOINED", "JOINED", "STARTED"]);
            games += 1;
        }
    }
    let count = service.ask(&players[0], "gameCount", json!({ "playerId": players[0].id })).await;
    assert_eq!(count["count"], games, "one game for each key");
}

async fn a_late_retry_does_not_take_the_seat_again(service: Service) {
    let app = service.app("club");
    let ben = member(&service, &app, "Ben").await;
    let game = service.ask(&app, "createGame", json!({ "kind": "KALAH" })).await;
    let join = with_key(json!({ "gameId": game["id"], "seat": 0 }), "join");
    let leave = with_key(json!({ "gameId": game["id"] }), "leave");
    assert_eq!(service.ask(&ben, "joinGame", join.clone()).await["mySeat"], 0);
    // Without a key too, joining again returns the game.
    let again = service.ask(&ben, "joinGame", json!({ "gameId": game["id"] })).await;
    assert_eq!((&again["repeated"], &again["mySeat"]), (&json!(true), &json!(0)));
    assert_eq!(service.ask(&ben, "leaveGame", leave.clone()).await["mySeat"], Value::Null);
    let late = service.ask(&ben, "joinGame", join).await;
    assert_eq!((&late["repeated"], &late["mySeat"]), (&json!(true), &Value::Null), "the seat stays free");
    // And the other way round: a retry of leaving does not leave again.
    service.ask(&ben, "joinGame", json!({ "gameId": game["id"] })).await;
    let late = service.ask(&ben, "leaveGame", leave).await;
    assert_eq!((&late["repeated"], &late["mySeat"]), (&json!(true), &json!(0)));
}

async fn who_left_a_private_game_learns_nothing_more_of_it(service: Service) {
    let app = service.app("club");
    let [ben, chandra, devi] = [
        member(&service, &app, "Ben").await,
        member(&service, &app, "Chandra").await,
        member(&service, &app, "Devi").await,
    ];
    let game = service.ask(&app, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let by_code = json!({ "code": game["joinCode"] });
    let leave = with_key(json!({ "gameId": game["id"] }), "leave");
    let join = with_key(by_code.clone(), "join");
    let joined = service.ask(&ben, "joinGame", join.clone()).await;
    let left = service.ask(&ben, "leaveGame", leave.clone()).await;
    service.ask(&chandra, "joinGame", by_code.clone()).await;
    assert_eq!(service.ask(&devi, "joinGame", by_code).await["status"], "RUNNING");
    assert_eq!(service.refusal(&ben, "game", json!({ "gameId": game["id"] })).await.code, "NOT_FOUND");
    for (operation, ask, mut first) in [("leaveGame", leave, left), ("joinGame", join, joined)] {
        let late = service.ask(&ben, operation, ask).await;
        first["repeated"] = json!(true);
        assert_eq!(late, first, "the same answer as the first time");
    }
    let other = with_key(json!({ "gameId": game["id"] }), "other");
    assert_eq!(service.refusal(&ben, "leaveGame", other).await.code, "NOT_FOUND");
}

async fn a_seat_that_was_left_can_be_taken_with_the_same_key(service: Service) {
    let app = service.app("club");
    let [ben, chandra] = [member(&service, &app, "Ben").await, member(&service, &app, "Chandra").await];
    let game = service.ask(&app, "createGame", json!({ "kind": "KALAH" })).await;
    let join = with_key(json!({ "gameId": game["id"], "seat": 0 }), "join");
    service.ask(&ben, "joinGame", join.clone()).await;
    service.ask(&ben, "leaveGame", json!({ "gameId": game["id"] })).await;
    let joined = service.ask(&chandra, "joinGame", join).await;
    assert_eq!((&joined["repeated"], &joined["mySeat"]), (&json!(false), &json!(0)));
}

async fn keys_belong_to_their_player_or_app(service: Service) {
    let app = service.app("club");
    let ben = member(&service, &app, "Ben").await;
    let asha = service.guest("Asha").await;
    let ask = with_key(json!({ "kind": "KALAH" }), "mine");
    let ids = [
        service.ask(&asha, "createGame", ask.clone()).await["id"].clone(),
        service.ask(&ben, "createGame", ask.clone()).await["id"].clone(),
        service.ask(&app, "createGame", ask.clone()).await["id"].clone(),
    ];
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    // All tokens of a player share its keys, and so does the app that acts as the player.
    let other = service.ask(&ben, "issueToken", json!({ "playerId": ben.id })).await;
    let bens = Person { id: ben.id.clone(), token: other["token"].as_str().unwrap().into() };
    assert_eq!(service.ask(&bens, "createGame", ask.clone()).await["id"], ids[1]);
    let acting = service.client.call(Some(&app.token), Some(&ben.id), "createGame", ask).await;
    assert_eq!(acting.expect("an app acts for its players")["id"], ids[1]);
    // Guests have no identity before they register.
    let guest = service.call_as_nobody("registerPlayer", with_key(json!({ "name": "Chandra" }), "me")).await;
    assert_eq!(guest.expect_err("a key needs an owner").code, "INVALID_INPUT");
    // A repeated registration does not bring back an old name.
    let register = |name: &str, key: &str| with_key(json!({ "name": name, "externalId": "7" }), key);
    let first = service.ask(&app, "registerPlayer", register("Devi", "one")).await;
    service.ask(&app, "registerPlayer", register("Devika", "two")).await;
    let late = service.ask(&app, "registerPlayer", register("Devi", "one")).await;
    assert_eq!((&late["player"]["id"], &late["player"]["name"]), (&first["player"]["id"], &json!("Devika")));
}

async fn keys_that_made_something_are_kept_for_thirty_days(service: Service) {
    let asha = service.guest("Asha").await;
    let ask = |key: &str| with_key(json!({ "kind": "KALAH" }), key);
    let old = service.ask(&asha, "createGame", ask("old")).await;
    let young = service.ask(&asha, "createGame", ask("young")).await;
    let days = |days: u64| match service.server.home.url {
        Some(_) => format!("created_at - interval '{days} days'"),
        None => format!("created_at - {}", Duration::from_secs(days * 24 * 60 * 60).as_micros()),
    };
    for (key, age) in [("old", days(31)), ("young", days(29))] {
        let sql = format!("UPDATE idempotency_keys SET created_at = {age} WHERE key = '{key}'");
        service.server.home.execute(&sql).await;
    }
    // The server deletes old keys when it starts, and every minute.
    let service = service.restarted(&[]).await;
    assert_eq!(service.ask(&asha, "createGame", ask("young")).await["id"], young["id"]);
    let is_forgotten = async || service.ask(&asha, "createGame", ask("old")).await["id"] != old["id"];
    eventually("the old key is deleted", is_forgotten).await;
}

/// A player of an app, with a token.
async fn member(service: &Service, app: &Person, name: &str) -> Person {
    let player = service.ask(app, "registerPlayer", json!({ "name": name })).await["player"]["id"].clone();
    let token = service.ask(app, "issueToken", json!({ "playerId": player })).await["token"].clone();
    Person { id: player.as_str().unwrap().into(), token: token.as_str().unwrap().into() }
}

/// Over HTTP a repeated answer has a header, and a reused key has its own status.
#[tokio::test]
async fn rest_marks_a_repeated_answer_by_a_header() {
    let service = Service::by_rest(Database::Sqlite).await;
    let asha = service.guest("Asha").await;
    let send = async |body: Value| {
        let url = format!("{}/v1/games", service.server.address);
        let request = reqwest::Client::new().post(url).bearer_auth(&asha.token).header("Idempotency-Key", "once");
        let response = request.json(&body).send().await.expect("it answers");
        (response.status().as_u16(), response.headers().get("Idempotency-Replayed").cloned())
    };
    assert_eq!(send(json!({ "kind": "KALAH" })).await, (201, None));
    assert_eq!(send(json!({ "kind": "KALAH" })).await, (201, Some("true".parse().unwrap())));
    assert_eq!(send(json!({ "kind": "MARA" })).await, (422, None));
}
