//! Bots at the table: seated, playing, standing in, and coming back after a crash.

use serde_json::{Value, json};

use crate::records::record;
use crate::support::database::keys_of_moves;
use crate::support::service::seats_to_act;
use crate::support::{Database, Dice, Person, Server, Service, eventually, seated, stories};

stories!(
    a_game_of_one_player_and_bots_starts_at_once_and_its_bots_play_it_to_the_end,
    a_bot_takes_a_seat_while_the_game_waits,
    a_bot_has_a_place_of_its_own_in_seats_and_log,
    a_bot_plays_on_for_a_player_who_resigns,
    when_the_last_player_resigns_the_bots_are_placed_by_their_standing,
    a_rematch_with_bots_starts_at_once,
    games_with_bots_count_apart,
    a_bot_pauses_if_asked_to,
    seats_and_levels_that_do_not_exist_are_refused,
    an_app_seats_bots_beside_its_players,
    players_who_are_programs_count_as_bots,
    a_bots_move_is_made_after_a_crash,
);

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_string()
}

/// The caller's seat first, then bots of these levels.
fn me_and_bots(levels: &[i32]) -> Value {
    let bots = levels.iter().map(|level| json!({ "bot": { "level": level } }));
    [json!({ "me": true })].into_iter().chain(bots).collect()
}

async fn opened(service: &Service, who: &Person, kind: &str, options: Value, levels: &[i32]) -> String {
    let mut ask = json!({ "kind": kind, "seats": me_and_bots(levels) });
    if options != json!({}) {
        ask["options"] = options;
    }
    let game = service.ask(who, "createGame", ask).await;
    assert_eq!(game["status"], "RUNNING", "nobody else is waited for");
    text(&game["id"])
}

/// Plays the game of one player and bots at random, for this many of the player's moves or to the end.
async fn play_on(service: &Service, who: &Person, id: &str, most: usize) -> Value {
    let mut dice = Dice::new(5);
    for _ in 0..most {
        if service.settled(who, id).await["status"] != "RUNNING" {
            break;
        }
        service.play_any(std::slice::from_ref(who), id, &mut dice).await;
    }
    service.settled(who, id).await
}

/// The output of `maidan verify --bots`.
fn derived(service: &Service, record: &Value) -> String {
    let file = service.server.home.directory.join("bots.json");
    std::fs::write(&file, record.to_string()).expect("the directory can be written");
    let output = service.server.home.run(&["verify", "--bots", file.to_str().expect("a plain path")]);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn a_game_of_one_player_and_bots_starts_at_once_and_its_bots_play_it_to_the_end(service: Service) {
    let asha = service.guest("Asha").await;
    for (kind, options, levels) in [
        ("KALAH", json!({ "kalah": { "pockets": 4, "seedsPerPocket": 3 } }), &[2][..]),
        ("MAHABHARATA", json!({}), &[1, 1]),
        ("MAHOLA", json!({ "mahola": { "roundsToWin": 1 } }), &[1, 2]),
    ] {
        let id = opened(&service, &asha, kind, options, levels).await;
        let game = play_on(&service, &asha, &id, 500).await;
        assert_eq!(game["status"], "OVER", "{kind}");
        let log = service.log(&asha, &id).await;
        for entry in log.iter().filter(|entry| entry["what"] == "MOVED") {
            let level = match entry["seat"].as_u64().expect("a move has a seat") {
                0 => None,
                seat => Some(levels[usize::try_from(seat).expect("a small number") - 1]),
            };
            assert_eq!(entry["bot"]["level"].as_i64(), level.map(i64::from), "{kind}: {entry}");
            assert_eq!(entry["auto"], false);
        }
        // Every move once, whichever replica computed it.
        let plies: Vec<&Value> =
            log.iter().filter(|entry| entry["what"] == "MOVED").map(|entry| &entry["ply"]).collect();
        let in_order: Vec<Value> = (1..=plies.len()).map(|ply| json!(ply)).collect();
        assert_eq!(plies, in_order.iter().collect::<Vec<_>>());

        let record = record(&service, &asha, &id).await;
        let of_bots = record["entries"].as_array().expect("it has entries").iter();
        let of_bots = of_bots.filter(|entry| entry["kind"] == "BOT_MOVED").count();
        let said = derived(&service, &record);
        assert!(said.contains(&format!("moves of bots: {of_bots} derived again\n")), "{said}");
    }
}

async fn a_bot_takes_a_seat_while_the_game_waits(service: Service) {
    let (asha, ben, carol) = (service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await);
    let seats = json!([{ "me": true }, { "open": true }, { "open": true }]);
    let game = service.ask(&asha, "createGame", json!({ "kind": "MAHOLA", "seats": seats })).await;
    let id = text(&game["id"]);
    let second = json!({ "gameId": id, "seat": 2, "level": 3, "idempotencyKey": "third-seat" });
    let seated = service.ask(&asha, "seatBot", second.clone()).await;
    assert_eq!(seated["status"], "OPEN");
    assert_eq!(seated["seats"][2]["bot"], json!({ "level": 3, "name": "Skilled" }));
    assert_eq!(service.ask(&asha, "seatBot", second.clone()).await["version"], seated["version"], "a retry");

    let taken = json!({ "gameId": id, "seat": 2, "level": 1 });
    assert_eq!(service.refusal(&asha, "seatBot", taken).await.code, "CONFLICT");
    for who in [&ben, &carol] {
        let refused = service.refusal(who, "seatBot", json!({ "gameId": id, "level": 1 })).await;
        assert_eq!(refused.code, "FORBIDDEN", "only the opener may");
    }
    let joined = service.ask(&ben, "joinGame", json!({ "gameId": id })).await;
    assert_eq!((&joined["status"], &joined["mySeat"]), (&json!("RUNNING"), &json!(1)));
    let late = service.refusal(&asha, "seatBot", json!({ "gameId": id, "level": 1 })).await;
    assert_eq!(late.code, "CONFLICT");
    service.settled(&ben, &id).await;
}

async fn a_bot_has_a_place_of_its_own_in_seats_and_log(service: Service) {
    let asha = service.guest("Asha").await;
    let id = opened(&service, &asha, "KALAH", json!({ "kalah": { "firstSeat": 1 } }), &[1]).await;
    let game = service.settled(&asha, &id).await;
    assert_eq!((&game["seats"][0]["bot"], &game["seats"][1]["player"]), (&Value::Null, &Value::Null));
    assert_eq!(game["seats"][1]["bot"], json!({ "level": 1, "name": "Beginner" }));
    assert_eq!((&game["standInLevel"], &game["botPauseMs"]), (&json!(2), &json!(0)));
    let log = service.log(&asha, &id).await;
    let joined: Vec<(&Value, &Value)> =
        log.iter().filter(|entry| entry["what"] == "JOINED").map(|entry| (&entry["seat"], &entry["bot"])).collect();
    assert_eq!(joined, [(&json!(0), &Value::Null), (&json!(1), &json!({ "level": 1, "version": 3 }))]);
    // Requests that only a player may make.
    let moves = service.ask(&asha, "legalMoves", json!({ "gameId": id })).await;
    assert!(!moves["items"].as_array().expect("a list").is_empty());
    let levels = service.ask(&asha, "kind", json!({ "id": "KALAH" })).await["botLevels"].clone();
    let names: Vec<String> = levels.as_array().expect("a list").iter().map(|level| text(&level["name"])).collect();
    assert_eq!(names, ["Beginner", "Casual", "Skilled", "Expert"]);
}

async fn a_bot_plays_on_for_a_player_who_resigns(service: Service) {
    let people = [service.guest("Asha").await, service.guest("Ben").await, service.guest("Carol").await];
    let [asha, ben, carol] = &people;
    let seats = json!([{ "me": true }, { "open": true }, { "open": true }]);
    let ask = json!({ "kind": "MAHABHARATA", "seats": seats, "bots": { "standInLevel": 1 } });
    let id = text(&service.ask(asha, "createGame", ask).await["id"]);
    for who in [ben, carol] {
        service.ask(who, "joinGame", json!({ "gameId": id })).await;
    }
    service.ask(ben, "resign", json!({ "gameId": id })).await;
    let game = service.settled(ben, &id).await;
    assert_eq!((&game["seats"][1]["resigned"], &game["seats"][1]["bot"]["level"]), (&json!(true), &json!(1)));
    assert_eq!(game["myDecision"], Value::Null, "the bot decides");
    assert_eq!(service.ask(ben, "legalMoves", json!({ "gameId": id })).await["items"], json!([]));
    assert_eq!(service.ask(ben, "inbox", json!({})).await["items"], json!([]));
    let mut dice = Dice::new(8);
    while service.settled(asha, &id).await["status"] == "RUNNING" {
        service.play_any(&people, &id, &mut dice).await;
    }
    let outcome = service.game(asha, &id).await["outcome"].clone();
    assert_eq!(outcome["places"][1], 3, "who resigned comes last");
    let record = record(&service, asha, &id).await;
    assert_eq!((&record["standIn"], record.get("bots")), (&json!(1), None));
    assert!(derived(&service, &record).contains("valid; moves of bots:"));
}

async fn when_the_last_player_resigns_the_bots_are_placed_by_their_standing(service: Service) {
    let asha = service.guest("Asha").await;
    let id = opened(&service, &asha, "MAHOLA", json!({}), &[1, 1]).await;
    service.settled(&asha, &id).await;
    let over = service.ask(&asha, "resign", json!({ "gameId": id })).await["game"].clone();
    assert_eq!((&over["status"], &over["outcome"]["ending"]), (&json!("OVER"), &json!("RESIGNATION")));
    assert_eq!(over["outcome"]["places"][0], 3);
    let record = record(&service, &asha, &id).await;
    assert_eq!(record["bots"], json!([null, 1, 1]));
    assert!(derived(&service, &record).contains(": valid; moves of bots:"));
}

async fn a_rematch_with_bots_starts_at_once(service: Service) {
    let asha = service.guest("Asha").await;
    let id = opened(&service, &asha, "MAHOLA", json!({}), &[1, 2]).await;
    service.ask(&asha, "resign", json!({ "gameId": id })).await;
    let next = service.ask(&asha, "rematch", json!({ "gameId": id })).await;
    assert_eq!((&next["status"], &next["mySeat"]), (&json!("RUNNING"), &json!(2)));
    let levels: Vec<&Value> =
        next["seats"].as_array().expect("a list").iter().map(|seat| &seat["bot"]["level"]).collect();
    assert_eq!(levels, [&json!(1), &json!(2), &Value::Null], "everyone one seat further");
}

async fn games_with_bots_count_apart(service: Service) {
    let players = [service.guest("Asha").await, service.guest("Ben").await];
    let [asha, ben] = &players;
    let id = opened(&service, asha, "KALAH", json!({}), &[1]).await;
    service.ask(asha, "resign", json!({ "gameId": id })).await;
    service.drawn_kalah_of(&players).await;
    // The bot sits down last.
    let seats = json!([{ "me": true }, { "open": true }, { "open": true }]);
    let both = text(&service.ask(asha, "createGame", json!({ "kind": "MAHOLA", "seats": seats })).await["id"]);
    service.ask(ben, "joinGame", json!({ "gameId": both })).await;
    service.ask(asha, "seatBot", json!({ "gameId": both, "level": 1 })).await;
    for who in [ben, asha] {
        service.ask(who, "resign", json!({ "gameId": both })).await;
    }
    let played = async |with_bots: bool| {
        let ask = json!({ "playerId": asha.id, "withBots": with_bots });
        let tallies = service.ask(asha, "statistics", ask).await;
        let tallies = tallies.as_array().expect("a list").clone();
        tallies.iter().map(|tally| (text(&tally["kind"]), tally["lost"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(played(false).await, [("KALAH".into(), json!(0))]);
    assert_eq!(played(true).await, [("KALAH".into(), json!(1)), ("MAHOLA".into(), json!(1))]);
    let met = json!({ "playerId": asha.id, "opponentId": ben.id, "withBots": true });
    let met = service.ask(asha, "headToHead", met).await;
    assert_eq!((&met[0]["kind"], &met[0]["ahead"]), (&json!("MAHOLA"), &json!(1)));
}

async fn a_bot_pauses_if_asked_to(service: Service) {
    let asha = service.guest("Asha").await;
    let ask = json!({ "kind": "KALAH", "options": { "kalah": { "firstSeat": 1 } }, "seats": me_and_bots(&[1]),
        "bots": { "pauseMs": 1500 } });
    let opened = service.ask(&asha, "createGame", ask).await;
    let id = text(&opened["id"]);
    assert_eq!((&opened["botPauseMs"], seats_to_act(&opened)), (&json!(1500), vec![1]));
    assert_eq!(seats_to_act(&service.game(&asha, &id).await), [1], "it waits");
    service.settled(&asha, &id).await;
    let log = service.log(&asha, &id).await;
    let at = |entry: &Value| text(&entry["at"]).parse::<jiff::Timestamp>().expect("a time");
    let started = log.iter().position(|entry| entry["what"] == "STARTED").expect("it has started");
    let waited = at(&log[started + 1]).duration_since(at(&log[started]));
    assert!(waited.as_millis() >= 1500, "{waited:?}");
}

async fn seats_and_levels_that_do_not_exist_are_refused(service: Service) {
    let asha = service.guest("Asha").await;
    for level in [0, 5, -1] {
        let ask = json!({ "kind": "KALAH", "seats": me_and_bots(&[level]) });
        assert_eq!(service.refusal(&asha, "createGame", ask).await.code, "INVALID_INPUT");
    }
    for bots in [json!({ "pauseMs": 10_001 }), json!({ "pauseMs": -1 }), json!({ "standInLevel": 9 })] {
        let ask = json!({ "kind": "KALAH", "bots": bots });
        assert_eq!(service.refusal(&asha, "createGame", ask).await.code, "INVALID_INPUT");
    }
    let app = service.app("club");
    let only_bots = json!({ "kind": "KALAH", "seats": [{ "bot": { "level": 1 } }, { "bot": { "level": 2 } }] });
    assert_eq!(service.refusal(&app, "createGame", only_bots).await.code, "FORBIDDEN");
    let open = service.ask(&app, "createGame", json!({ "kind": "KALAH" })).await;
    let bot = json!({ "gameId": open["id"], "level": 1 });
    service.ask(&app, "seatBot", bot.clone()).await;
    assert_eq!(service.refusal(&app, "seatBot", bot).await.code, "FORBIDDEN", "the last seat is for a player");
    let outside = json!({ "gameId": open["id"], "level": 1, "seat": 7 });
    assert_eq!(service.refusal(&app, "seatBot", outside).await.code, "INVALID_INPUT");
}

async fn an_app_seats_bots_beside_its_players(service: Service) {
    let app = service.app("club");
    let devi = service.ask(&app, "registerPlayer", json!({ "name": "Devi" })).await["player"]["id"].clone();
    let seats = json!([{ "bot": { "level": 1 } }, { "player": devi }]);
    let ask = json!({ "kind": "KALAH", "seats": seats, "options": { "kalah": { "firstSeat": 0 } } });
    let game = service.ask(&app, "createGame", ask).await;
    assert_eq!(game["status"], "RUNNING");
    let game = service.settled(&app, &text(&game["id"])).await;
    assert!(game["ply"].as_u64() > Some(0), "the bot began");
}

async fn players_who_are_programs_count_as_bots(service: Service) {
    let app = service.app("club");
    let player = async |name: &str, is_bot: bool| {
        service.ask(&app, "registerPlayer", json!({ "name": name, "isBot": is_bot })).await["player"]["id"].clone()
    };
    let (devi, deep) = (player("Devi", false).await, player("Deep", true).await);
    let game = service.ask(&app, "createGame", json!({ "kind": "KALAH", "seats": seated(&[&devi, &deep]) })).await;
    assert_eq!(game["seats"][1]["player"]["isBot"], true);
    let drawn = text(&service.ask(&app, "text", json!({ "gameId": game["id"] })).await);
    assert!(drawn.contains("Devi") && !drawn.contains("Bot: Devi") && drawn.contains("Bot: Deep"), "{drawn}");
    let resign = json!({ "gameId": game["id"] });
    service.client.call(Some(&app.token), devi.as_str(), "resign", resign).await.expect("an app acts for its players");
    let ask = |with_bots: bool| json!({ "playerId": devi, "withBots": with_bots });
    assert_eq!(service.ask(&app, "statistics", ask(false)).await, json!([]));
    assert_eq!(service.ask(&app, "statistics", ask(true)).await[0]["lost"], 1);
}

async fn a_bots_move_is_made_after_a_crash(mut service: Service) {
    let asha = service.guest("Asha").await;
    let ask = json!({ "kind": "KALAH", "options": { "kalah": { "firstSeat": 1 } }, "seats": me_and_bots(&[1]),
        "bots": { "pauseMs": 3000 } });
    let game = service.ask(&asha, "createGame", ask).await;
    service.server.kill();
    assert_eq!(game["ply"], 0, "it died before the bot had moved");
    let id = text(&game["id"]);
    let service = service.restarted(&[]).await;
    let game = service.settled(&asha, &id).await;
    assert!(game["ply"].as_u64() > Some(0));
}

/// A server whose bots are due takes no notice of how many replicas compute their moves: each is stored once.
#[tokio::test]
async fn of_two_replicas_that_compute_a_move_one_stores_it() {
    let service = Service::with(Database::Postgres, false, &[("MAIDAN_HINTS", "false")]).await;
    let other = Server::start(&service.server.home, &[("MAIDAN_HINTS", "false")]).await;
    let asha = service.guest("Asha").await;
    let id = opened(&service, &asha, "MAHOLA", json!({ "mahola": { "roundsToWin": 1 } }), &[1, 1]).await;
    let elsewhere = Service { client: service.client.connect(&other.address), server: other };
    let mut dice = Dice::new(2);
    for turn in 0..200 {
        // Moves alternate between the replicas, and so do the bots that they make due.
        let at = if turn % 2 == 0 { &service } else { &elsewhere };
        if at.settled(&asha, &id).await["status"] != "RUNNING" {
            break;
        }
        at.play_any(std::slice::from_ref(&asha), &id, &mut dice).await;
    }
    let log = service.log(&asha, &id).await;
    let plies: Vec<u64> = log.iter().filter(|e| e["what"] == "MOVED").filter_map(|e| e["ply"].as_u64()).collect();
    assert_eq!(plies, (1..).take(plies.len()).collect::<Vec<u64>>());
    assert!(derived(&service, &record(&service, &asha, &id).await).contains("derived again\n"));
    // The database itself stores a bot's decision once: every one has a key that names the version it was made on.
    let keys = keys_of_moves(&service, &id).await.into_iter().filter(|(_, seat, _)| *seat != 0);
    let expected = |version: i32| Some(format!("bot {}", version - 1));
    assert!({ keys }.all(|(version, _, key)| key == expected(version)), "a bot's move without its key");
}

#[tokio::test]
async fn another_replica_makes_the_move_of_one_that_died() {
    let mut service = Service::with(Database::Postgres, true, &[]).await;
    let other = Server::start(&service.server.home, &[]).await;
    let elsewhere = Service { client: service.client.connect(&other.address), server: other };
    let asha = service.guest("Asha").await;
    let ask = json!({ "kind": "KALAH", "options": { "kalah": { "firstSeat": 1 } }, "seats": me_and_bots(&[1]),
        "bots": { "pauseMs": 2000 } });
    let id = text(&service.ask(&asha, "createGame", ask).await["id"]);
    service.server.kill();
    assert_eq!(elsewhere.game(&asha, &id).await["ply"], 0, "it died before the bot had moved");
    let game = elsewhere.settled(&asha, &id).await;
    assert!(game["ply"].as_u64() > Some(0));
}

/// On Linux every thread has a priority of its own.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn bots_think_on_so_many_threads_of_the_lowest_priority() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_BOT_THREADS", "2")]).await;
    let asha = service.guest("Asha").await;
    let id = opened(&service, &asha, "KALAH", json!({ "kalah": { "firstSeat": 1 } }), &[1]).await;
    service.settled(&asha, &id).await;
    let tasks = format!("/proc/{}/task", service.server.pid());
    // The names of all threads of the lowest priority, and of all that bots think on.
    let names = || {
        let (mut lowest, mut of_bots) = (Vec::new(), Vec::new());
        for thread in std::fs::read_dir(&tasks).expect("it is running") {
            let stat = std::fs::read_to_string(thread.expect("it is listed").path().join("stat")).unwrap_or_default();
            // The name in parentheses, and after it the fields from the third on; the nineteenth is the nice value.
            let Some((before, after)) = stat.rsplit_once(") ") else { continue };
            let name = before.split_once('(').map_or("", |(_, name)| name).to_string();
            if after.split_whitespace().nth(16) == Some("19") {
                lowest.push(name.clone());
            }
            if name.starts_with("bot-") {
                of_bots.push(name);
            }
        }
        lowest.sort();
        of_bots.sort();
        (lowest, of_bots)
    };
    // A thread lowers its own priority when it begins.
    eventually("both threads have begun", async || names().0.len() >= 2).await;
    let (lowest, of_bots) = names();
    assert_eq!(lowest, of_bots);
    assert_eq!(of_bots, ["bot-0", "bot-1"]);
}

#[tokio::test]
async fn while_too_many_games_wait_for_bots_no_more_are_opened() {
    for by_graphql in [true, false] {
        let service = Service::with(Database::Sqlite, by_graphql, &[("MAIDAN_MAX_BOT_QUEUE", "1")]).await;
        let asha = service.guest("Asha").await;
        let ask = json!({ "kind": "KALAH", "options": { "kalah": { "firstSeat": 1 } }, "seats": me_and_bots(&[1]),
            "bots": { "pauseMs": 10_000 } });
        service.ask(&asha, "createGame", ask.clone()).await;
        assert_eq!(service.refusal(&asha, "createGame", ask).await.code, "LIMIT_REACHED");
        let without = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
        let bot = json!({ "gameId": without["id"], "level": 1 });
        assert_eq!(service.refusal(&asha, "seatBot", bot).await.code, "LIMIT_REACHED");
    }
}

#[tokio::test]
async fn a_player_has_a_limited_number_of_games_with_bots() {
    let service = Service::with(Database::Sqlite, true, &[("MAIDAN_MAX_BOT_GAMES", "2")]).await;
    let (asha, ben) = (service.guest("Asha").await, service.guest("Ben").await);
    let first = opened(&service, &asha, "KALAH", json!({}), &[1]).await;
    opened(&service, &asha, "KALAH", json!({}), &[1]).await;
    let ask = json!({ "kind": "KALAH", "seats": me_and_bots(&[1]) });
    assert_eq!(service.refusal(&asha, "createGame", ask.clone()).await.code, "LIMIT_REACHED");
    let without = service.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let bot = json!({ "gameId": without["id"], "level": 1 });
    assert_eq!(service.refusal(&asha, "seatBot", bot).await.code, "LIMIT_REACHED");
    opened(&service, &ben, "KALAH", json!({}), &[1]).await;
    service.ask(&asha, "resign", json!({ "gameId": first })).await;
    service.ask(&asha, "createGame", ask).await;
}

#[tokio::test]
async fn an_address_opens_a_limited_number_of_games_with_bots_per_minute() {
    let service = Service::with(Database::Sqlite, false, &[("MAIDAN_BOT_GAMES_PER_MINUTE", "2")]).await;
    let ask = json!({ "kind": "KALAH", "seats": me_and_bots(&[1]) });
    for name in ["Asha", "Ben"] {
        let who = service.guest(name).await;
        service.ask(&who, "createGame", ask.clone()).await;
    }
    let carol = service.guest("Carol").await;
    let refused = service.refusal(&carol, "createGame", ask).await;
    assert_eq!(refused.code, "RATE_LIMITED");
    // Others are not affected.
    service.ask(&carol, "createGame", json!({ "kind": "KALAH" })).await;
}
