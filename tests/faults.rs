//! Faults that leave the process running: it is back by itself, within seconds of its database.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::support::proxy::Proxy;
use crate::support::rest::RestClient;
use crate::support::server::Home;
use crate::support::service::seats_to_act;
use crate::support::{Database, Person, Server, Service, eventually};

/// Longer than any deadline of the service, and much shorter than a connection without a deadline would hang.
const ANSWERED: Duration = Duration::from_secs(15);

/// A service that reaches its database through a proxy.
async fn behind_a_proxy(variables: &[(&str, &str)]) -> (Proxy, Service) {
    let (proxy, home) = Proxy::before(&Home::new(Database::Postgres).await).await;
    let server = Server::start(&home, variables).await;
    let client = Box::new(RestClient::new(&server.address));
    (proxy, Service { server, client })
}

impl Service {
    async fn readiness(&self) -> u16 {
        let probe = reqwest::get(format!("{}/readyz", self.server.address));
        let answer = tokio::time::timeout(ANSWERED, probe).await.expect("a probe is answered in time");
        answer.expect("the service listens").status().as_u16()
    }
}

/// A long game, and how often its moves were refused because of the database.
struct Match {
    id: String,
    players: [Person; 2],
    moves: usize,
    refusals: usize,
}

impl Match {
    async fn begin(service: &Service) -> Match {
        let (id, players) = service.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await;
        Match { id, players, moves: 0, refusals: 0 }
    }

    /// Makes a move, however often the service reports an unreachable database. Every request is answered.
    async fn play(&mut self, service: &Service) {
        let key = format!("move-{}", self.moves);
        loop {
            let asking = self.try_to_play(service, &key);
            match tokio::time::timeout(ANSWERED, asking).await.expect("every request is answered in time") {
                Ok(()) => break,
                Err(code) => assert_eq!(code, "UNAVAILABLE"),
            }
            self.refusals += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.moves += 1;
    }

    async fn try_to_play(&self, service: &Service, key: &str) -> Result<(), String> {
        let input = json!({ "gameId": self.id });
        let game = service.call(&self.players[0], "game", input).await.map_err(|refused| refused.code)?;
        let player = &self.players[seats_to_act(&game)[0]];
        let input = json!({ "gameId": self.id, "limit": 1 });
        let moves = service.call(player, "legalMoves", input).await.map_err(|refused| refused.code)?;
        let input = json!({ "gameId": self.id, "notation": moves["items"][0]["notation"], "idempotencyKey": key });
        service.call(player, "playMove", input).await.map(drop).map_err(|refused| refused.code)
    }

    /// Plays some moves, each of which must be made at the first attempt.
    async fn goes_on(&mut self, service: &Service) {
        let refusals = self.refusals;
        for _ in 0..30 {
            self.play(service).await;
        }
        assert_eq!(self.refusals, refusals, "no move is refused any more");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_replaced() {
    let (proxy, service) = behind_a_proxy(&[]).await;
    let mut game = Match::begin(&service).await;
    for round in 0..2 {
        game.goes_on(&service).await;
        proxy.silence();
        let silent_since = Instant::now();
        game.play(&service).await;
        println!("round {round}: the first move after {:?}", silent_since.elapsed());
        // The deadline of one connection exposes the others.
        eventually("all connections are replaced", async || {
            let refusals = game.refusals;
            for _ in 0..10 {
                game.play(&service).await;
            }
            game.refusals == refusals
        })
        .await;
        assert_eq!(service.readiness().await, 200);
    }
    game.goes_on(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_database_is_reported_and_its_thaw_noticed() {
    let (proxy, service) = behind_a_proxy(&[]).await;
    let mut game = Match::begin(&service).await;
    game.goes_on(&service).await;
    assert_eq!(service.readiness().await, 200);
    proxy.freeze(true);
    for attempt in 0..3 {
        let asking = game.try_to_play(&service, "frozen");
        let answer = tokio::time::timeout(ANSWERED, asking).await.expect("a request does not wait for the thaw");
        assert_eq!(answer, Err("UNAVAILABLE".to_string()), "attempt {attempt}");
    }
    assert_eq!(service.readiness().await, 503);
    proxy.freeze(false);
    eventually("the service is ready again", async || service.readiness().await == 200).await;
    game.play(&service).await;
    game.goes_on(&service).await;
}

#[tokio::test]
async fn connections_that_turned_read_only_are_replaced() {
    let service = Service::by_rest(Database::Postgres).await;
    let mut game = Match::begin(&service).await;
    let url = service.server.home.url.clone().expect("it is Postgres");
    let name = url.rsplit('/').next().expect("it has a name");
    let mut admin = PgConnection::connect(&url).await.expect("Postgres answers");
    let mut set = async |setting: &str| {
        let sql = format!("ALTER DATABASE {name} {setting}");
        admin.execute(AssertSqlSafe(sql)).await.expect("it is done");
        if setting.starts_with("SET") {
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
            admin.execute(others).await.expect("it is done");
        }
    };
    set("SET default_transaction_read_only = on").await;
    // Fills the pools with connections that can only read.
    for attempt in 0..20 {
        let refused = game.try_to_play(&service, "read-only").await;
        assert_eq!(refused, Err("UNAVAILABLE".to_string()), "attempt {attempt}");
    }
    assert_eq!(service.readiness().await, 503, "it can only read");
    // These connections stay read-only: the database can be written by new ones alone.
    set("RESET default_transaction_read_only").await;
    game.play(&service).await;
    game.goes_on(&service).await;
    assert_eq!(service.readiness().await, 200);
}

#[tokio::test]
async fn of_several_hosts_the_one_that_accepts_writes_is_used() {
    let home = Home::new(Database::Postgres).await;
    let url = home.url.clone().expect("it is Postgres");
    let (start, rest) = url.split_once('@').expect("the address names a user");
    let (host, name) = rest.split_once('/').expect("the address names a database");
    let (proxy, _) = Proxy::before(&home).await;
    proxy.cut(true);
    let hosts = format!("{start}@127.0.0.1:{},{host}/{name}", proxy.port);
    let server = Server::start(&Home { url: Some(hosts), ..home }, &[]).await;
    let service = Service { client: Box::new(RestClient::new(&server.address)), server };
    Match::begin(&service).await.goes_on(&service).await;
    assert!(proxy.opened() > 0, "the first host was tried");
    assert_eq!(service.readiness().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_reach_its_database_waits_for_it() {
    let (proxy, home) = Proxy::before(&Home::new(Database::Postgres).await).await;
    proxy.cut(true);
    let starting = tokio::spawn(async move { Server::start(&home, &[]).await });
    eventually("it tries again", async || proxy.opened() >= 3).await;
    assert!(!starting.is_finished(), "it has neither started nor given up");
    proxy.cut(false);
    let server = starting.await.expect("it starts");
    let service = Service { client: Box::new(RestClient::new(&server.address)), server };
    Match::begin(&service).await.goes_on(&service).await;
    assert_eq!(service.readiness().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_waits_for_the_migration_of_another_and_notices_a_connection_that_went_silent() {
    let home = Home::new(Database::Postgres).await;
    home.read(&["migrate"]);
    let (proxy, behind) = Proxy::before(&home).await;
    let (mut other, mut admin) = (connect(&home).await, connect(&home).await);
    other.execute("BEGIN; LOCK TABLE _sqlx_migrations").await.expect("nobody else migrates");
    let starting = tokio::spawn(async move { Server::start(&behind, &[]).await });
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("it waits for the other migration", async || {
        sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut admin).await.expect("it counts") > 0
    })
    .await;
    // Nobody tells it that the other has finished.
    proxy.silence();
    assert!(!starting.is_finished(), "it has neither started nor given up");
    other.execute("COMMIT").await.expect("the other has finished");
    let started = tokio::time::timeout(Duration::from_secs(60), starting).await.expect("it does not wait for ever");
    let server = started.expect("it starts");
    let service = Service { client: Box::new(RestClient::new(&server.address)), server };
    Match::begin(&service).await.goes_on(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_survives_that_its_database_ends_connections_during_a_migration() {
    let home = Home::new(Database::Postgres).await;
    home.read(&["migrate"]);
    let (mut other, mut admin) = (connect(&home).await, connect(&home).await);
    other.execute("BEGIN; LOCK TABLE _sqlx_migrations").await.expect("nobody else migrates");
    let starting = tokio::spawn({
        let home = home.clone();
        async move { Server::start(&home, &[]).await }
    });
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for _ in 0..2 {
        eventually("it waits for the other migration", async || {
            sqlx::query_scalar::<_, i64>(end).fetch_one(&mut admin).await.expect("it counts") > 0
        })
        .await;
    }
    other.execute("COMMIT").await.expect("the other has finished");
    let server = starting.await.expect("it starts");
    let service = Service { client: Box::new(RestClient::new(&server.address)), server };
    Match::begin(&service).await.goes_on(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_does_not_wait_for_ever_for_a_frozen_database() {
    let home = Home::new(Database::Postgres).await;
    home.read(&["migrate"]);
    let (proxy, behind) = Proxy::before(&home).await;
    proxy.freeze(true);
    for arguments in [&["app", "list"][..], &["migrate"], &["verify", "--live"], &["config", "check"]] {
        let mut command = behind.command();
        command.args(arguments);
        let running = tokio::task::spawn_blocking(move || command.output());
        let output = tokio::time::timeout(4 * ANSWERED, running).await.unwrap_or_else(|_| panic!("{arguments:?} ends"));
        let output = output.expect("it ends").expect("the program runs");
        assert_eq!(output.status.success(), arguments[0] == "config", "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_beyond_what_the_database_can_do_are_refused_early_and_moves_go_on() {
    // One connection for all but moves and lookups.
    let variables = [("MAIDAN_DB_CONNECTIONS", "3"), ("MAIDAN_MAX_OPEN_GAMES", "100000")];
    let (proxy, service) = behind_a_proxy(&variables).await;
    let mut game = Match::begin(&service).await;
    let asha = service.guest("Asha").await;
    let client = reqwest::Client::new();
    let create = async || {
        let request = client.post(format!("{}/v1/games", service.server.address)).bearer_auth(&asha.token);
        let answer = request.json(&json!({ "kind": "KALAH" })).send().await.expect("every request is answered");
        (answer.status().as_u16(), answer.headers().contains_key("retry-after"))
    };
    proxy.delay(Duration::from_millis(25));
    for _ in 0..15 {
        assert_eq!(create().await, (201, false), "one after the other they are served");
    }
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        let crowd = futures_util::future::join_all((0..150).map(|_| create()));
        let (crowd, ()) = futures_util::future::join(crowd, game.play(&service)).await;
        outcomes.extend(crowd);
    }
    let made = outcomes.iter().filter(|outcome| **outcome == (201, false)).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == (503, true)).count();
    assert_eq!(made + refused, outcomes.len(), "{outcomes:?}");
    assert!(made >= 3 && refused > made, "{made} made, {refused} refused");
    let count = async |kind: &str| {
        let series = format!(r#"maidan_store_errors_total{{pool="others",kind="{kind}"}}"#);
        service.server.count(&series).await
    };
    assert!(count("overload").await > 0);
    assert_eq!(count("no connection").await, 0, "nobody waits in vain");
    assert_eq!(service.readiness().await, 200, "it serves what it can");
    proxy.delay(Duration::ZERO);
    for _ in 0..30 {
        assert_eq!(create().await, (201, false), "the crowd has left nothing behind");
    }
    game.goes_on(&service).await;
}

#[tokio::test]
async fn pools_share_the_few_connections_that_there_are() {
    let home = Home::new(Database::Postgres).await;
    let url = home.url.clone().expect("it is Postgres");
    let (server, name) = url.rsplit_once('/').expect("it has a name");
    let (_, host) = server.split_once('@').expect("the address names a user");
    let mut admin = PgConnection::connect(&url).await.expect("Postgres answers");
    for sql in [
        format!("CREATE ROLE {name} LOGIN CONNECTION LIMIT 5"),
        format!("GRANT ALL ON DATABASE {name} TO {name}"),
        format!("GRANT ALL ON SCHEMA public TO {name}"),
    ] {
        admin.execute(AssertSqlSafe(sql)).await.expect("it is done");
    }
    // It would open 18.
    let few = Home { url: Some(format!("postgres://{name}@{host}/{name}")), ..home };
    let server = Server::start(&few, &[]).await;
    let service = Service { client: Box::new(RestClient::new(&server.address)), server };
    // Creating games takes as many connections as there are, before the first move needs one.
    let people = [service.guest("Asha").await, service.guest("Ben").await];
    let creating = (0..40).map(|_| service.call(&people[0], "createGame", json!({ "kind": "KALAH" })));
    futures_util::future::join_all(creating).await;
    let mut game = Match::begin(&service).await;
    game.play(&service).await;
    game.goes_on(&service).await;
    assert_eq!(service.readiness().await, 200);
}

async fn connect(home: &Home) -> PgConnection {
    PgConnection::connect(home.url.as_ref().expect("it is Postgres")).await.expect("Postgres answers")
}

/// Ends the service's connections, which open again. By then Postgres has counted everything that they did.
async fn end_connections(admin: &mut PgConnection) {
    let others =
        "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let pids: Vec<i32> = sqlx::query_scalar(others).fetch_one(&mut *admin).await.expect("there are some");
    let end = "SELECT count(pg_terminate_backend(pid)) FROM unnest($1::integer[]) AS pid";
    sqlx::query(end).bind(&pids).execute(&mut *admin).await.expect("they are told to end");
    eventually("the connections end", async || {
        let left = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1)";
        sqlx::query_scalar::<_, i64>(left).bind(&pids).fetch_one(&mut *admin).await.expect("it counts") == 0
    })
    .await;
}

#[tokio::test]
async fn tables_without_statistics_are_read_by_their_indexes() {
    let variables = [("MAIDAN_MAX_OPEN_GAMES", "5000"), ("MAIDAN_MAX_RUNNING_GAMES", "5000")];
    let service = Service::with(Database::Postgres, false, &variables).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let home = &service.server.home;
    let mut admin = PgConnection::connect(home.url.as_ref().expect("it is Postgres")).await.expect("Postgres answers");
    // As after a restore: many rows, and no statistics.
    for table in ["games", "seatings", "entries"] {
        home.execute(&format!("ALTER TABLE {table} SET (autovacuum_enabled = false)")).await;
    }
    home.execute(
        "INSERT INTO games SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid()))).*
         FROM games g, generate_series(1, 2000)",
    )
    .await;
    let id = id.trim_start_matches("game_");
    home.execute(&format!(
        "INSERT INTO seatings SELECT (jsonb_populate_record(s, jsonb_build_object('game_id', g.id, 'player_id',
            CASE WHEN g.id < '40000000-0000-0000-0000-000000000000' THEN s.player_id ELSE gen_random_uuid() END))).*
         FROM seatings s, games g WHERE s.game_id = '{id}' AND g.id <> '{id}'",
    ))
    .await;
    home.execute(&format!(
        "INSERT INTO entries SELECT (jsonb_populate_record(e, jsonb_build_object('game_id', g.id))).*
         FROM entries e, games g WHERE e.game_id = '{id}' AND g.id <> '{id}'",
    ))
    .await;
    end_connections(&mut admin).await;

    let scanned =
        "SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables WHERE relname IN ('games', 'seatings', 'entries')";
    let before: i64 = sqlx::query_scalar(scanned).fetch_one(&mut admin).await.expect("it counts");
    let mut stream = service.follow_inbox(&asha, None).await;
    stream.change().await;
    for _ in 0..50 {
        service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
        service.ask(&asha, "inbox", json!({ "first": 5 })).await;
        service.ask(&asha, "nextDecision", json!({})).await;
    }
    end_connections(&mut admin).await;
    let after: i64 = sqlx::query_scalar(scanned).fetch_one(&mut admin).await.expect("it counts");
    assert_eq!(after, before, "no table is read whole");
}
