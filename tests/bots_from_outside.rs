//! Bots that others run: each asks for its next decision, waits if there is none, and plays.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::server::repository;
use crate::support::{Database, Person, Replicas, Service, eventually, seated, stories};

stories!(
    the_decision_that_has_waited_longest_comes_first,
    a_next_decision_is_for_players_and_within_limits,
    an_app_asks_for_its_player,
);

async fn next(service: &Service, who: &Person, input: Value) -> Value {
    service.ask(who, "nextDecision", input).await
}

/// The game as this player sees it, with its legal moves.
async fn decision(service: &Service, who: &Person, id: &str) -> Value {
    let mut game = service.game(who, id).await;
    game["legalMoves"] = service.ask(who, "legalMoves", json!({ "gameId": id })).await;
    game
}

async fn the_decision_that_has_waited_longest_comes_first(service: Service) {
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let [asha, ben] = &players;
    assert_eq!(next(&service, asha, json!({})).await, Value::Null, "nothing waits");
    let older = service.kalah_of(&players, json!({})).await;
    let newer = service.kalah_of(&players, json!({})).await;
    let first = next(&service, asha, json!({})).await;
    assert_eq!(first, decision(&service, asha, &older).await);
    assert!(first["myDecision"].is_i64() && first["view"].is_object());
    assert_eq!(next(&service, asha, json!({})).await, first, "until she moves");
    assert_eq!(next(&service, ben, json!({})).await, Value::Null, "it is not his turn");

    service.play(asha, &older, "0").await;
    assert_eq!(next(&service, asha, json!({})).await["id"], newer);
    service.play(ben, &older, "0").await;
    assert_eq!(next(&service, asha, json!({})).await["id"], newer, "the older game has waited for less time");
    let others = next(&service, asha, json!({ "exclude": [newer] })).await;
    assert_eq!(others, decision(&service, asha, &older).await, "a game that is skipped holds up no other");
    assert_eq!(next(&service, asha, json!({ "exclude": [newer, older] })).await, Value::Null);
    service.play(asha, &newer, "0").await;
    assert_eq!(next(&service, asha, json!({})).await["id"], older);
    service.ask(ben, "resign", json!({ "gameId": older })).await;
    assert_eq!(next(&service, asha, json!({})).await, Value::Null, "a game that is over waits for nobody");

    let few = next(&service, ben, json!({ "limit": 2 })).await;
    assert_eq!((&few["id"], &few["legalMoves"]["complete"]), (&json!(newer), &json!(false)));
    assert_eq!(few["legalMoves"]["items"].as_array().unwrap().len(), 2);
}

async fn a_next_decision_is_for_players_and_within_limits(service: Service) {
    let (_, [asha, ben]) = service.kalah(json!({})).await;
    let unknown = |digit: usize| format!("game_{digit:032}");
    let many: Vec<String> = (0..101).map(unknown).collect();
    for bad in [
        json!({ "wait": -1 }),
        json!({ "wait": 61 }),
        json!({ "exclude": ["Kalah"] }),
        json!({ "exclude": [asha.id] }),
        json!({ "exclude": many }),
    ] {
        for who in [&asha, &ben] {
            assert_eq!(service.refusal(who, "nextDecision", bad.clone()).await.code, "INVALID_INPUT", "{bad}");
        }
    }
    assert_eq!(service.refusal(&asha, "nextDecision", json!({ "limit": 0 })).await.code, "INVALID_INPUT");
    assert!(next(&service, &asha, json!({ "exclude": many[1..] })).await.is_object(), "there are no such games");
    let nobody = service.call_as_nobody("nextDecision", json!({})).await;
    assert_eq!(nobody.unwrap_err().code, "UNAUTHENTICATED");
}

async fn an_app_asks_for_its_player(service: Service) {
    let app = service.app("bots");
    let [robo, asha] = [bot(&service, &app, "Robo").await, bot(&service, &app, "Asha").await];
    assert_eq!(service.refusal(&app, "nextDecision", json!({})).await.code, "FORBIDDEN");
    let as_robo =
        |wait: u32| service.client.call(Some(&app.token), Some(&robo.id), "nextDecision", json!({ "wait": wait }));
    assert_eq!(as_robo(0).await, Ok(Value::Null));
    let options = json!({ "kalah": { "firstSeat": 0 } });
    let ask = json!({ "kind": "KALAH", "options": options, "seats": seated(&[&robo.id, &asha.id]) });
    let (woken, game) = tokio::join!(as_robo(60), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        service.ask(&app, "createGame", ask).await
    });
    let woken = woken.expect("it is its player's decision");
    assert_eq!((&woken["id"], &woken["mySeat"]), (&game["id"], &json!(0)));
}

/// A player of the app that is a bot, with a token.
async fn bot(service: &Service, app: &Person, name: &str) -> Person {
    let registered = service.ask(app, "registerPlayer", json!({ "name": name, "isBot": true })).await;
    let id = registered["player"]["id"].as_str().unwrap().to_string();
    let issued = service.ask(app, "issueToken", json!({ "playerId": id })).await;
    Person { id, token: issued["token"].as_str().unwrap().into() }
}

#[tokio::test]
async fn whoever_waits_gets_a_decision_as_soon_as_it_opens() {
    let no_hints = [("MAIDAN_HINTS", "false")];
    for (database, variables) in
        [(Database::Sqlite, &[][..]), (Database::Postgres, &[]), (Database::Postgres, &no_hints)]
    {
        for by_graphql in [true, false] {
            let replicas = Replicas::start(database, by_graphql, variables).await;
            let (here, there) = (replicas.here(), replicas.there());
            let players = [there.guest("Asha").await, there.guest("Ben").await];
            let started = Instant::now();
            assert_eq!(next(here, &players[0], json!({ "wait": 1 })).await, Value::Null);
            assert!(started.elapsed() >= Duration::from_secs(1), "it waits");
            let (woken, id) = tokio::join!(next(here, &players[0], json!({ "wait": 60 })), async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                there.kalah_of(&players, json!({})).await
            });
            assert_eq!(woken, decision(here, &players[0], &id).await);
            let (woken, _) = tokio::join!(next(here, &players[1], json!({ "wait": 60 })), async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                there.play(&players[0], &id, "0").await
            });
            assert_eq!(woken["id"], id);
            assert!(started.elapsed() < Duration::from_secs(30), "nobody waited for a timeout");
        }
    }
}

#[tokio::test]
async fn a_wait_counts_as_a_stream_and_ends_with_its_token_or_server() {
    for by_graphql in [true, false] {
        let variables = [("MAIDAN_MAX_STREAMS", "1")];
        let mut service = Service::with(Database::Sqlite, by_graphql, &variables).await;
        let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
        let issued = service.ask(&asha, "issueToken", json!({ "playerId": asha.id })).await;
        let other = Person { id: asha.id.clone(), token: issued["token"].as_str().unwrap().into() };
        // If the other wait was first, this one tries again.
        let until_ended = async {
            loop {
                let waiting = service.call(&other, "nextDecision", json!({ "wait": 60 })).await;
                if !waiting.as_ref().is_err_and(|refused| refused.code == "LIMIT_REACHED") {
                    return waiting;
                }
            }
        };
        let (waiting, ()) = tokio::join!(until_ended, async {
            eventually("one wait too many", async || {
                let second = service.call(&asha, "nextDecision", json!({ "wait": 1 })).await;
                second.is_err_and(|refused| refused.code == "LIMIT_REACHED")
            })
            .await;
            assert_eq!(next(&service, &asha, json!({})).await, Value::Null, "who does not wait is not counted");
            let revoke = json!({ "playerId": asha.id, "tokenId": issued["id"] });
            service.ask(&asha, "revokeToken", revoke).await;
        });
        assert_eq!(waiting.unwrap_err().code, "UNAUTHENTICATED");

        let waiting = service.client.request(Some(&ben.token), None, "nextDecision", json!({ "wait": 60 })).await;
        let waiting = tokio::spawn(waiting.send());
        tokio::time::sleep(Duration::from_millis(300)).await;
        service.server.tell_to_stop();
        let ended = waiting.await.unwrap().expect("a server that stops answers first");
        assert_eq!(ended.status(), if by_graphql { 200 } else { 204 });
        assert!(service.server.has_ended_well());
    }
}

#[tokio::test]
async fn a_game_by_unknown_rules_holds_up_no_other() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, false, &[]).await;
        let (old, players) = service.kalah(json!({})).await;
        service.server.home.execute("UPDATE games SET rules_version = 99").await;
        let service = service.restarted(&[]).await;
        assert_eq!(service.game(&players[0], &old).await["rulesVersion"], 99);
        assert_eq!(next(&service, &players[0], json!({})).await, Value::Null, "nobody could move there");
        let id = service.kalah_of(&players, json!({})).await;
        assert_eq!(next(&service, &players[0], json!({})).await["id"], id);
    }
}

/// A bot of the guide, as a process. It runs until it is dropped.
struct Bot(Child);

impl Bot {
    fn start(program: &str, file: &str, service: &Service, player: &Person) -> Bot {
        let mut command = Command::new(program);
        command.arg(repository().join("docs/bots").join(file)).stdin(Stdio::null());
        command.env("MAIDAN_URL", &service.server.address).env("MAIDAN_TOKEN", &player.token);
        // A proxy for the world outside must not get between the bot and the server.
        for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(variable);
        }
        Bot(command.spawn().unwrap_or_else(|error| panic!("{program}: {error}")))
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn the_bots_of_the_guide_play_whole_games_against_each_other() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::with(database, false, &[]).await;
        let app = service.app("bots");
        let players = [bot(&service, &app, "Python").await, bot(&service, &app, "JavaScript").await];
        let mut games = Vec::new();
        for kind in ["KALAH", "MAHABHARATA"] {
            let ask = json!({ "kind": kind, "seats": seated(&[&players[0].id, &players[1].id]) });
            games.push(service.ask(&app, "createGame", ask).await["id"].as_str().unwrap().to_string());
        }
        let _bots = [
            Bot::start("python3", "bot.py", &service, &players[0]),
            Bot::start("node", "bot.mjs", &service, &players[1]),
        ];
        for id in &games {
            eventually("the end of the game", async || service.game(&app, id).await["status"] == "OVER").await;
            let log = service.log(&app, id).await;
            for player in &players {
                let is_own = |entry: &&Value| entry["what"] == "MOVED" && entry["playerId"] == player.id.as_str();
                assert!(log.iter().any(|entry| is_own(&entry)), "each has moved: {log:?}");
            }
        }
    }
}
