//! Following games and inboxes: no update is missed or sent twice, at any replica.
//!
//! On Postgres every story is played through one replica and followed through another, with hints between them and
//! without.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::support::streams::Update;
use crate::support::{Credentials, Database, Dice, Person, Refused, Replicas, Server, Service, eventually};

/// Runs stories six times: by GraphQL and by REST, on SQLite, on Postgres, and on Postgres without hints.
macro_rules! live_stories {
    ($($story:ident),* $(,)?) => {
        $(
            mod $story {
                use crate::support::Replicas;
                use crate::support::Database::{Postgres, Sqlite};

                const NO_HINTS: &[(&str, &str)] = &[("MAIDAN_HINTS", "false")];

                #[tokio::test]
                async fn by_graphql_on_sqlite() {
                    super::$story(Replicas::start(Sqlite, true, &[]).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_sqlite() {
                    super::$story(Replicas::start(Sqlite, false, &[]).await).await;
                }

                #[tokio::test]
                async fn by_graphql_on_postgres() {
                    super::$story(Replicas::start(Postgres, true, &[]).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_postgres() {
                    super::$story(Replicas::start(Postgres, false, &[]).await).await;
                }

                #[tokio::test]
                async fn by_graphql_without_hints() {
                    super::$story(Replicas::start(Postgres, true, NO_HINTS).await).await;
                }

                #[tokio::test]
                async fn by_rest_without_hints() {
                    super::$story(Replicas::start(Postgres, false, NO_HINTS).await).await;
                }
            }
        )*
    };
}

live_stories!(
    a_follower_gets_every_entry_once_and_in_order,
    what_is_seen_live_is_what_the_log_says,
    whoever_comes_back_has_missed_nothing,
    a_stream_begins_with_the_game_as_it_stands,
    a_stream_that_makes_no_sense_is_refused,
    an_inbox_tells_what_opens_and_what_closes,
    a_token_that_is_revoked_ends_its_streams,
    a_token_that_expires_ends_its_streams,
    a_ticket_opens_a_stream_and_resumes_it_at_any_replica,
    whoever_leaves_a_private_table_hears_no_more_of_it,
);

/// The entries of a log after this version.
fn after(version: i64, log: &[Value]) -> &[Value] {
    &log[usize::try_from(version).expect("versions begin at 1")..]
}

fn versions(entries: &Value) -> Vec<i64> {
    entries.as_array().unwrap().iter().map(|entry| entry["version"].as_i64().unwrap()).collect()
}

async fn a_follower_gets_every_entry_once_and_in_order(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({ "pockets": 3, "seedsPerPocket": 2 })).await;
    let watcher = there.guest("Watcher").await;
    let start = there.game(&players[0], &id).await["version"].as_i64().unwrap();
    let mut streams = vec![
        (here.follow(&players[0], &id, Some(0)).await, &players[0], 0, Vec::new()),
        (here.follow(&players[1], &id, Some(start)).await, &players[1], start, Vec::new()),
        (here.follow(&watcher, &id, Some(0)).await, &watcher, 0, Vec::new()),
    ];
    let mut dice = Dice::new(7);
    while there.game(&players[0], &id).await["status"] == "RUNNING" {
        there.play_any(&players, &id, &mut dice).await;
    }
    for (stream, who, from, entries) in &mut streams {
        let mut seen = *from;
        loop {
            let change = match stream.next().await {
                Update::Change(change) => change,
                said => {
                    assert_eq!(said, Update::Ended(None), "with the game the stream ends");
                    break;
                }
            };
            assert_eq!(change["after"], seen, "it goes on where it was");
            assert_eq!(change["resync"], false);
            let version = change["version"].as_i64().unwrap();
            assert_eq!(versions(&change["entries"]), (seen + 1..=version).collect::<Vec<_>>());
            assert_eq!(change["game"]["version"], version, "the view is of where the entries end");
            entries.extend(change["entries"].as_array().unwrap().iter().cloned());
            seen = version;
        }
        assert_eq!(*entries, after(*from, &there.log(who, &id).await), "live is what the log says");
        let mut again = here.follow(who, &id, Some(seen)).await;
        assert_eq!(again.next().await, Update::Ended(None), "there is nothing to come");
    }
}

async fn what_is_seen_live_is_what_the_log_says(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, people) = there.table("MAHOLA", json!({}), 3).await;
    let mut streams = Vec::new();
    for person in &people {
        streams.push(here.follow(person, &id, Some(0)).await);
    }
    let mut dice = Dice::new(3);
    for _ in 0..12 {
        there.play_any(&people, &id, &mut dice).await;
    }
    for (person, stream) in people.iter().zip(&mut streams) {
        let log = there.log(person, &id).await;
        let mut seen = Vec::new();
        let mut last = Value::Null;
        while seen.len() < log.len() {
            last = stream.change().await;
            seen.extend(last["entries"].as_array().unwrap().iter().cloned());
        }
        assert_eq!(seen, log);
        assert_eq!(last["game"], there.game(person, &id).await, "the view is the one that a look would show");
        let secret = |entry: &&Value| entry["secret"] == true && entry["notation"].is_null();
        assert!(seen.iter().any(|entry| secret(&entry)), "others' choices are entries, and what they are is hidden");
    }
}

async fn whoever_comes_back_has_missed_nothing(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let mut dice = Dice::new(11);
    let mut seen = here.follow(&players[0], &id, None).await.change().await["version"].as_i64().unwrap();
    for away in [1, 3, 2] {
        for _ in 0..away {
            there.play_any(&players, &id, &mut dice).await;
        }
        // Alternately at the two replicas.
        let service = if away == 3 { there } else { here };
        let change = service.follow(&players[0], &id, Some(seen)).await.change().await;
        assert_eq!((&change["after"], &change["resync"]), (&json!(seen), &json!(false)));
        assert_eq!(versions(&change["entries"]), (seen + 1..=seen + away).collect::<Vec<_>>());
        seen += away;
    }
    let mut stream = here.follow(&players[0], &id, Some(seen)).await;
    assert!(stream.is_silent().await, "all has been seen");
    there.play_any(&players, &id, &mut dice).await;
    assert_eq!(stream.change().await["after"], seen);
}

async fn a_stream_begins_with_the_game_as_it_stands(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let mut stream = here.follow(&players[0], &id, None).await;
    let first = stream.change().await;
    assert_eq!(first["game"], there.game(&players[0], &id).await);
    assert_eq!((&first["after"], &first["entries"]), (&first["version"], &json!([])));
    assert!(stream.is_silent().await);
    there.play(&players[0], &id, "0").await;
    let second = stream.change().await;
    assert_eq!(second["after"], first["version"]);
    assert_eq!(second["entries"][0]["notation"], "0");

    // Anybody may watch the public games of guests.
    let mut watching = here.client.follow(Credentials::None, "gameChanged", json!({ "gameId": id })).await;
    let watched = watching.change().await;
    assert_eq!((&watched["version"], &watched["game"]["mySeat"]), (&second["version"], &Value::Null));
}

async fn a_stream_that_makes_no_sense_is_refused(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let refused = async |who: &Person, id: &str, after: Option<i64>| here.follow(who, id, after).await.refusal().await;
    for after in [-1, i64::from(i32::MIN), i64::from(i32::MAX) + 1] {
        assert_eq!(refused(&players[0], &id, Some(after)).await.code, "INVALID_INPUT", "after {after}");
    }
    for id in ["game_00000000000000000000000000000000", "game_", "Kalah"] {
        assert_eq!(refused(&players[0], id, None).await.code, "NOT_FOUND", "{id}");
    }
    let private = there.ask(&players[0], "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let private = private["id"].as_str().unwrap();
    assert_eq!(refused(&players[1], private, None).await.code, "NOT_FOUND");
    let mut nobody = here.client.follow(Credentials::None, "inboxChanged", json!({})).await;
    assert_eq!(nobody.refusal().await.code, "UNAUTHENTICATED");
    let wrong = format!("mdn_ply_{}", "a".repeat(52));
    for credentials in [Credentials::Token(&wrong), Credentials::Ticket(&wrong), Credentials::Ticket("x")] {
        let mut stream = here.client.follow(credentials, "gameChanged", json!({ "gameId": id })).await;
        assert_eq!(stream.refusal().await.code, "UNAUTHENTICATED");
    }
}

async fn an_inbox_tells_what_opens_and_what_closes(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let players = [there.guest("Asha").await, there.guest("Ben").await];
    let mut inbox = here.follow_inbox(&players[0], None).await;
    assert!(inbox.is_silent().await, "nothing waits for a new player");
    let id = there.kalah_of(&players, json!({})).await;
    let opened = inbox.change().await;
    assert_eq!(opened["opened"][0], there.game(&players[0], &id).await);
    assert_eq!((&opened["waiting"], &opened["closed"], &opened["resync"]), (&json!(1), &json!([]), &json!(false)));
    there.play(&players[0], &id, "0").await;
    let closed = inbox.change().await;
    assert_eq!((&closed["closed"], &closed["opened"]), (&json!([id]), &json!([])));
    there.play(&players[1], &id, "0").await;
    let again = inbox.change().await;
    assert_eq!(again["opened"][0]["id"], id.as_str());
    let cursor = again["cursor"].as_str().unwrap();

    let mut resumed = here.follow_inbox(&players[0], Some(cursor)).await;
    assert!(resumed.is_silent().await, "all has been seen");
    let resync = there.follow_inbox(&players[0], closed["cursor"].as_str()).await.change().await;
    assert_eq!((&resync["resync"], &resync["opened"][0]["id"]), (&json!(true), &json!(id)));
    assert_eq!(resync["cursor"], cursor);
    there.ask(&players[1], "resign", json!({ "gameId": id })).await;
    for stream in [&mut inbox, &mut resumed] {
        assert_eq!(stream.change().await["closed"], json!([id]), "a game that is over waits for nobody");
    }
}

async fn a_token_that_is_revoked_ends_its_streams(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let issued = there.ask(&players[0], "issueToken", json!({ "playerId": players[0].id })).await;
    let other = Person { id: players[0].id.clone(), token: issued["token"].as_str().unwrap().into() };
    let mut game = here.follow(&other, &id, None).await;
    let mut inbox = here.follow_inbox(&other, None).await;
    let mut unharmed = here.follow(&players[0], &id, None).await;
    for stream in [&mut game, &mut inbox, &mut unharmed] {
        stream.change().await;
    }
    there.ask(&players[0], "revokeToken", json!({ "playerId": other.id, "tokenId": issued["id"] })).await;
    for stream in [&mut game, &mut inbox] {
        assert_eq!(stream.refusal().await.code, "UNAUTHENTICATED");
    }
    there.play(&players[0], &id, "0").await;
    assert_eq!(unharmed.change().await["entries"][0]["notation"], "0", "the player's other token works on");
}

async fn a_token_that_expires_ends_its_streams(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let ask = json!({ "playerId": players[0].id, "expiresInSeconds": 3 });
    let issued = there.ask(&players[0], "issueToken", ask).await;
    let brief = Person { id: players[0].id.clone(), token: issued["token"].as_str().unwrap().into() };
    let mut stream = here.follow(&brief, &id, None).await;
    stream.change().await;
    assert_eq!(stream.refusal().await.code, "UNAUTHENTICATED");
}

/// Many streams of one inbox cost the database no more than one.
#[tokio::test]
async fn the_streams_of_an_inbox_read_it_together() {
    const STREAMS: u64 = 60;
    const STATEMENTS: &str = r#"maidan_store_seconds_count{pool="others"}"#;
    let service = Service::with(Database::Postgres, false, &[("MAIDAN_MAX_STREAMS", "100")]).await;
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    service.play(&asha, &id, "1").await;
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        streams.push(service.follow_inbox(&asha, None).await);
    }
    let before = service.server.count(STATEMENTS).await;
    service.play(&ben, &id, "0").await;
    for stream in &mut streams {
        assert_eq!(stream.change().await["waiting"], 1);
    }
    // The poll reads in the meantime, too.
    let statements = service.server.count(STATEMENTS).await - before;
    assert!(statements < STREAMS / 2, "{statements} statements for {STREAMS} streams");
}

async fn a_ticket_opens_a_stream_and_resumes_it_at_any_replica(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let ticket = there.ask(&players[0], "createStreamTicket", json!({})).await;
    let ticket = ticket["ticket"].as_str().unwrap();
    let mut stream = here.client.follow(Credentials::Ticket(ticket), "gameChanged", json!({ "gameId": id })).await;
    let first = stream.change().await;
    assert_eq!(first["game"]["mySeat"], 0, "it opens as the one who asked for it");
    drop(stream);
    there.play(&players[0], &id, "0").await;
    let resume = json!({ "gameId": id, "after": first["version"] });
    let mut resumed = there.client.follow(Credentials::Ticket(ticket), "gameChanged", resume.clone()).await;
    assert_eq!(resumed.change().await["after"], first["version"], "it goes on where it was");
    let tokens = there.ask(&players[0], "tokens", json!({ "playerId": players[0].id })).await;
    let revoke = json!({ "playerId": players[0].id, "tokenId": tokens["items"][0]["id"] });
    there.ask(&players[0], "revokeToken", revoke).await;
    Service::a_moment_later().await;
    let mut again = here.client.follow(Credentials::Ticket(ticket), "gameChanged", resume).await;
    assert_eq!(again.refusal().await.code, "UNAUTHENTICATED", "it works as long as its token");
    let nobody = here.call_as_nobody("createStreamTicket", json!({})).await;
    assert_eq!(nobody.unwrap_err().code, "UNAUTHENTICATED");

    // An app may give a ticket to one of its players.
    let app = there.app("tickets");
    let player = there.ask(&app, "registerPlayer", json!({ "name": "Ines" })).await["player"]["id"].clone();
    let player = player.as_str().unwrap();
    let ask = json!({ "kind": "KALAH", "seats": [{ "player": player }, { "open": true }] });
    let game = there.ask(&app, "createGame", ask).await["id"].clone();
    let ticket = there.client.call(Some(&app.token), Some(player), "createStreamTicket", json!({})).await.unwrap();
    let credentials = Credentials::Ticket(ticket["ticket"].as_str().unwrap());
    let mut stream = here.client.follow(credentials, "gameChanged", json!({ "gameId": game })).await;
    assert_eq!(stream.change().await["game"]["mySeat"], 0);
}

async fn whoever_leaves_a_private_table_hears_no_more_of_it(replicas: Replicas) {
    let (here, there) = (replicas.here(), replicas.there());
    let players = [there.guest("Asha").await, there.guest("Ben").await];
    let ask = json!({ "kind": "MAHOLA", "visibility": "PRIVATE" });
    let game = there.ask(&players[0], "createGame", ask).await;
    let id = game["id"].as_str().unwrap();
    there.ask(&players[1], "joinGame", json!({ "code": game["joinCode"] })).await;
    let mut stream = here.follow(&players[1], id, None).await;
    stream.change().await;
    there.ask(&players[1], "leaveGame", json!({ "gameId": id })).await;
    assert_eq!(stream.refusal().await.code, "NOT_FOUND");
}

#[tokio::test]
async fn a_ticket_resumes_only_its_own_stream_on_sqlite() {
    a_ticket_resumes_only_its_own_stream_and_only_for_a_while(Database::Sqlite).await;
}

#[tokio::test]
async fn a_ticket_resumes_only_its_own_stream_on_postgres() {
    a_ticket_resumes_only_its_own_stream_and_only_for_a_while(Database::Postgres).await;
}

async fn a_ticket_resumes_only_its_own_stream_and_only_for_a_while(database: Database) {
    let service = Service::by_rest(database).await;
    let (id, players) = service.kalah(json!({})).await;
    let ticket = service.ask(&players[0], "createStreamTicket", json!({})).await;
    let credentials = Credentials::Ticket(ticket["ticket"].as_str().unwrap());
    let follow =
        async |operation: &str, id: &str| service.client.follow(credentials, operation, json!({ "gameId": id })).await;
    let mut stream = follow("gameChanged", &id).await;
    stream.change().await;
    let other = service.kalah_of(&players, json!({})).await;
    assert_eq!(follow("gameChanged", &other).await.refusal().await.code, "UNAUTHENTICATED", "another game");
    let mut inbox = service.client.follow(credentials, "inboxChanged", json!({})).await;
    assert_eq!(inbox.refusal().await.code, "UNAUTHENTICATED", "the inbox");

    let mut again = follow("gameChanged", &id).await;
    again.change().await;
    assert_eq!(stream.next().await, Update::Ended(None), "the later opening takes over");
    assert!(again.is_silent().await);

    let past = match database {
        Database::Sqlite => "0",
        Database::Postgres => "now() - interval '1 second'",
    };
    let sql = format!("UPDATE stream_tickets SET expires_at = {past}");
    service.server.home.execute(&sql).await;
    assert_eq!(follow("gameChanged", &id).await.refusal().await.code, "UNAUTHENTICATED", "too late");
}

#[tokio::test]
async fn an_event_source_is_never_refused_for_a_reason_that_will_pass() {
    let service = Service::with(Database::Sqlite, false, &[("MAIDAN_REQUESTS_PER_SECOND", "1")]).await;
    let client = reqwest::Client::new();
    let open = async |accepted: &str| {
        let url = format!("{}/v1/games/game_00000000000000000000000000000000/events", service.server.address);
        client.get(url).header("accept", accepted).send().await.unwrap()
    };
    eventually("a refusal of other clients", async || open("*/*").await.status() == 429).await;
    eventually("a stream that ends at once", async || {
        let response = open("text/event-stream").await;
        response.status() == 200 && response.text().await.unwrap() == "retry: 1000\n\n"
    })
    .await;
    assert!([404, 200].contains(&open("text/event-stream").await.status().as_u16()), "never 429");
}

#[tokio::test]
async fn whoever_is_far_behind_is_brought_up_to_date_at_once() {
    for by_graphql in [true, false] {
        let service = Service::with(Database::Sqlite, by_graphql, &[("MAIDAN_MAX_CATCH_UP", "3")]).await;
        let (id, players) = service.kalah(json!({})).await;
        let start = service.game(&players[0], &id).await["version"].as_i64().unwrap();
        let mut dice = Dice::new(1);
        for _ in 0..3 {
            service.play_any(&players, &id, &mut dice).await;
        }
        let near = service.follow(&players[1], &id, Some(start)).await.change().await;
        assert_eq!((&near["resync"], near["entries"].as_array().unwrap().len()), (&json!(false), 3));
        service.play_any(&players, &id, &mut dice).await;
        let mut stream = service.follow(&players[1], &id, Some(start)).await;
        let far = stream.change().await;
        assert_eq!((&far["resync"], &far["entries"]), (&json!(true), &json!([])));
        assert_eq!(far["game"], service.game(&players[1], &id).await);
        service.play_any(&players, &id, &mut dice).await;
        assert_eq!(stream.change().await["after"], far["version"], "from there it goes on");
    }
}

#[tokio::test]
async fn nobody_has_more_streams_than_allowed() {
    for by_graphql in [true, false] {
        let variables = [("MAIDAN_MAX_STREAMS", "2"), ("MAIDAN_MAX_APP_STREAMS", "3")];
        let service = Service::with(Database::Sqlite, by_graphql, &variables).await;
        let (id, players) = service.kalah(json!({})).await;
        let mut open = Vec::new();
        for _ in 0..2 {
            open.push(service.follow(&players[0], &id, None).await);
            open.last_mut().unwrap().change().await;
        }
        assert_eq!(service.follow(&players[0], &id, None).await.refusal().await.code, "LIMIT_REACHED");
        service.follow(&players[1], &id, None).await.change().await;
        open.pop();
        // The server notices when it next sends something.
        let mut attempts = 0;
        while let Update::Refused(_) = service.follow(&players[0], &id, None).await.next().await {
            attempts += 1;
            assert!(attempts < 3000, "a place that is left is free again");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Long poll: the game as soon as it has a later version, or 304 after the timeout.
async fn poll(service: &Service, who: &Person, path: &str) -> (u16, Value) {
    let request = reqwest::Client::new().get(format!("{}{path}", service.server.address)).bearer_auth(&who.token);
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or_default())
}

#[tokio::test]
async fn a_long_poll_answers_as_soon_as_there_is_something_new() {
    let no_hints = [("MAIDAN_HINTS", "false")];
    for (database, variables) in
        [(Database::Sqlite, &[][..]), (Database::Postgres, &[]), (Database::Postgres, &no_hints)]
    {
        let replicas = Replicas::start(database, false, variables).await;
        let (here, there) = (replicas.here(), replicas.there());
        let (id, players) = there.kalah(json!({})).await;
        let version = there.game(&players[0], &id).await["version"].as_i64().unwrap();
        let path = format!("/v1/games/{id}?after={version}&wait=60");
        let (polled, _) = tokio::join!(poll(here, &players[0], &path), async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            there.play(&players[0], &id, "0").await
        });
        assert_eq!((polled.0, &polled.1["version"]), (200, &json!(version + 1)));
        assert_eq!(polled.1, here.game(&players[0], &id).await);
        let behind = poll(here, &players[0], &path).await;
        assert_eq!((behind.0, behind.1), polled, "who is behind need not wait");
        let now = format!("/v1/games/{id}?after={}", version + 1);
        for wait in ["", "&wait=0", "&wait=1"] {
            assert_eq!(poll(here, &players[0], &format!("{now}{wait}")).await.0, 304, "wait {wait}");
        }
        let ahead = poll(here, &players[0], &format!("/v1/games/{id}?after=99&wait=60")).await;
        assert_eq!((ahead.0, ahead.1), polled, "a cursor ahead of the log gets the game as it is");
        for wrong in ["wait=1", "after=-1", "after=1&wait=61", "after=x", "after=1&wait=-1"] {
            let (status, problem) = poll(here, &players[0], &format!("/v1/games/{id}?{wrong}")).await;
            assert_eq!((status, &problem["code"]), (400, &json!("INVALID_INPUT")), "{wrong}");
        }
    }
}

#[tokio::test]
async fn a_listener_that_loses_its_connection_loses_no_move() {
    let replicas = Replicas::start(Database::Postgres, true, &[]).await;
    let (here, there) = (replicas.here(), replicas.there());
    let (id, players) = there.kalah(json!({})).await;
    let mut stream = here.follow(&players[0], &id, None).await;
    let mut seen = stream.change().await["version"].clone();
    let mut db = sqlx::PgConnection::connect(here.server.home.url.as_ref().unwrap()).await.unwrap();
    let mut dice = Dice::new(5);
    for _ in 0..5 {
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE 'LISTEN%'";
        db.execute(cut).await.unwrap();
        there.play_any(&players, &id, &mut dice).await;
        let change = stream.change().await;
        assert_eq!(change["after"], seen);
        seen = change["version"].clone();
    }
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams_and_another_goes_on() {
    for by_graphql in [true, false] {
        for hints in ["true", "false"] {
            let variables = [("MAIDAN_HINTS", hints)];
            rolling_restart(Replicas::start(Database::Postgres, by_graphql, &variables).await, &variables).await;
        }
    }
}

/// Two replicas are replaced one after the other while a game is played and followed.
async fn rolling_restart(replicas: Replicas, variables: &[(&str, &str)]) {
    let Replicas(mut services) = replicas;
    let (id, players) = services[0].kalah(json!({ "pockets": 8, "seedsPerPocket": 8 })).await;
    let start = services[0].game(&players[0], &id).await["version"].as_i64().unwrap();
    let mut dice = Dice::new(9);
    let mut entries: Vec<Value> = Vec::new();
    let mut seen = start;
    let mut stream = services[0].follow(&players[1], &id, Some(seen)).await;
    for round in 0..4 {
        let stopping = round % 2;
        let staying = 1 - stopping;
        for _ in 0..3 {
            services[staying].play_any(&players, &id, &mut dice).await;
        }
        let home = services[stopping].server.home.clone();
        services[stopping].server.tell_to_stop();
        // The stream delivers everything that is pending and then ends cleanly.
        loop {
            match stream.next().await {
                Update::Change(change) => {
                    assert_eq!(change["after"], seen);
                    entries.extend(change["entries"].as_array().unwrap().iter().cloned());
                    seen = change["version"].as_i64().unwrap();
                }
                Update::Ended(code) => {
                    assert!(matches!(code, None | Some(1001)), "{code:?}");
                    break;
                }
                Update::Refused(Refused { code, .. }) => panic!("{code}"),
            }
        }
        assert!(services[stopping].server.has_ended_well());
        services[staying].play_any(&players, &id, &mut dice).await;
        stream = services[staying].follow(&players[1], &id, Some(seen)).await;
        let server = Server::start(&home, variables).await;
        let client = services[stopping].client.connect(&server.address);
        services[stopping] = Service { server, client };
    }
    for _ in 0..2 {
        services[0].play_any(&players, &id, &mut dice).await;
    }
    let log = services[0].log(&players[1], &id).await;
    let expected = after(start, &log);
    while entries.len() < expected.len() {
        let change = stream.change().await;
        entries.extend(change["entries"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(entries, expected, "through all of it, every entry once and in order");
}
