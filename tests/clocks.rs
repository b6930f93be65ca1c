//! Replicas whose clocks differ: the database's decides.

use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::rest::RestClient;
use crate::support::server::Home;
use crate::support::{Credentials, Database, Person, Server, Service, eventually};

const DAYS: i64 = 24 * 60 * 60;

/// Sets the clock of a program that loads it.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    const char *skew = getenv("CLOCK_SKEW");
    int failed = real(clock, time);
    if (!failed && skew && clock == CLOCK_REALTIME) time->tv_sec += atol(skew);
    return failed;
}
"#;

fn shim(home: &Home) -> PathBuf {
    let (source, library) = (home.directory.join("clock.c"), home.directory.join("clock.so"));
    std::fs::write(&source, SHIM).expect("the directory can be written");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl").status();
    assert!(built.expect("there is a C compiler").success());
    library
}

async fn with_clock_ahead_by(home: &Home, shim: &Path, seconds: i64) -> Service {
    let (shim, skew) = (shim.display().to_string(), seconds.to_string());
    let server = Server::start(home, &[("LD_PRELOAD", &shim), ("CLOCK_SKEW", &skew)]).await;
    Service { client: Box::new(RestClient::new(&server.address)), server }
}

/// How many seconds the clock of the service's machine is ahead of this one's.
async fn skew_of(service: &Service) -> f64 {
    let last_run = "maidan_maintenance_last_run_timestamp_seconds ";
    let metrics = async || reqwest::get(&service.server.metrics).await.expect("it answers").text().await.expect("text");
    eventually("it has done its maintenance", async || metrics().await.contains(last_run)).await;
    let text = metrics().await;
    let time = text.lines().find_map(|line| line.strip_prefix(last_run)).expect("it is exported");
    let time: f64 = time.parse().expect("a number");
    time - f64::from(u32::try_from(Timestamp::now().as_second()).expect("before 2106"))
}

fn time_of(value: &Value) -> Timestamp {
    value.as_str().expect("a time is text").parse().expect("a time")
}

fn is_now(value: &Value) -> bool {
    (time_of(value).as_second() - Timestamp::now().as_second()).abs() < 120
}

async fn opens_a_stream(service: &Service, ticket: &Value, game: &str) {
    let ticket = ticket["ticket"].as_str().expect("it is issued");
    let mut stream = service.client.follow(Credentials::Ticket(ticket), "gameChanged", json!({ "gameId": game })).await;
    stream.change().await;
}

#[tokio::test]
async fn replicas_whose_clocks_are_days_apart_agree_on_what_has_expired_and_what_came_first() {
    let home = Home::new(Database::Postgres).await;
    let shim = shim(&home);
    let behind = with_clock_ahead_by(&home, &shim, -10 * DAYS).await;
    let asha = behind.guest("Asha").await;
    // It expires in seven days.
    let open = behind.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let ahead = with_clock_ahead_by(&home, &shim, 10 * DAYS).await;
    for (service, days) in [(&behind, -10.0), (&ahead, 10.0)] {
        let skew = skew_of(service).await / 86_400.0;
        assert!((skew - days).abs() < 0.5, "its machine is {skew} days ahead");
    }
    let id = open["id"].as_str().expect("a game has an id");
    assert_eq!(ahead.game(&asha, id).await["status"], "OPEN", "it has not expired");
    assert!(is_now(&open["createdAt"]), "{open}");

    let ben: Person = ahead.guest("Ben").await;
    ahead.ask(&ben, "joinGame", json!({ "gameId": id })).await;
    for (here, there) in [(&behind, &ahead), (&ahead, &behind)] {
        let ticket = here.ask(&asha, "createStreamTicket", json!({})).await;
        assert!(is_now(&ticket["expiresAt"]), "{ticket}");
        opens_a_stream(there, &ticket, id).await;
    }
    // Each move is made at the other one.
    let services = [&behind, &ahead];
    for turn in 0..8 {
        let service = services[turn % 2];
        let game = service.game(&asha, id).await;
        let seat = crate::support::service::seats_to_act(&game)[0];
        let who = [&asha, &ben][seat];
        let moves = service.ask(who, "legalMoves", json!({ "gameId": id, "limit": 1 })).await;
        service.play(who, id, moves["items"][0]["notation"].as_str().expect("a move")).await;
    }
    let log = behind.log(&asha, id).await;
    let times: Vec<Timestamp> = log.iter().map(|entry| time_of(&entry["at"])).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(log.iter().all(|entry| is_now(&entry["at"])), "{times:?}");
    // Ids begin with the milliseconds of their creation: lists are in that order, whichever replica made them.
    for service in services {
        let game = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
        let digits = game["id"].as_str().and_then(|id| id.get(5..17)).expect("a game has an id");
        let made = i64::from_str_radix(digits, 16).expect("it begins with a time");
        assert!((made - Timestamp::now().as_millisecond()).abs() < 120_000, "{game}");
    }
}
