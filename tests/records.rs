//! Finished games as documents: made, checked, exported, tampered with; and games that go on from them.

use std::path::PathBuf;

use reqwest::Client;
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::kinds::{Dice, seats_to_act, table};
use crate::support::schema::mismatch;
use crate::support::server::repository;
use crate::support::{Database, Person, World, stories};

stories!(
    a_record_of_every_kind_is_true,
    a_record_is_there_when_the_game_is_over_for_those_who_see_it,
    what_was_added_to_the_chance_is_in_the_deal,
    a_branch_goes_on_from_a_position,
    what_cannot_be_branched,
    a_branch_of_a_branch_has_its_limit,
);

fn schema() -> Value {
    let text = std::fs::read_to_string(repository().join("record.schema.json")).expect("the schema is committed");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// Plays by chance, for so many moves or to the end; then all but one resign.
async fn finish(world: &World, id: &str, people: &[Person], most: usize) -> Value {
    let mut dice = Dice::new(11);
    for _ in 0..most {
        let game = world.game(&people[0], id).await;
        let to_act = seats_to_act(&game);
        if to_act.is_empty() {
            break;
        }
        let seat = to_act[dice.below(to_act.len())];
        let moves = world.ask(&people[seat], "legalMoves", json!({ "gameId": id, "limit": 50 })).await;
        let items = moves["items"].as_array().unwrap();
        world.play(&people[seat], id, items[dice.below(items.len())]["notation"].as_str().unwrap()).await;
    }
    for person in &people[1..] {
        if world.game(person, id).await["status"] != "OVER" {
            world.ask(person, "resign", json!({ "gameId": id })).await;
        }
    }
    world.game(&people[0], id).await
}

async fn record(world: &World, who: &Person, id: &str) -> Value {
    world.ask(who, "record", json!({ "gameId": id })).await
}

/// What `maidan verify` says of these documents, in one file, and whether it ended well.
fn verified(world: &World, records: &[Value]) -> (bool, String) {
    let file: PathBuf = world.server.home.directory.join("records.ndjson");
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, lines).expect("the directory can be written");
    let output = world.server.home.run(&["verify", file.to_str().unwrap()]);
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

async fn a_record_of_every_kind_is_true(world: World) {
    let schema = schema();
    let mut records = Vec::new();
    for (kind, options, seats, most) in [
        ("KALAH", json!({ "kalah": { "pockets": 3, "seedsPerPocket": 2 } }), 2, 100),
        ("MAHABHARATA", json!({}), 3, 12),
        ("MAHOLA", json!({}), 3, 10),
        ("MACARENA", json!({}), 3, 6),
        ("MARA", json!({}), 2, 6),
        ("MARA", json!({ "mara": { "variant": "FAMILY" } }), 3, 6),
    ] {
        let (id, people) = table(&world, kind, options, seats).await;
        let game = finish(&world, &id, &people, most).await;
        let told = record(&world, &people[1], &id).await;
        assert_eq!(mismatch(&schema, &told), None, "{told}");
        assert_eq!((&told["gameId"], &told["kind"]), (&json!(id), &json!(kind)));
        assert_eq!((&told["seed"], &told["commitment"]), (&game["seed"], &game["commitment"]));
        assert_eq!(told["outcome"]["places"], game["outcome"]["places"]);
        let steps = told["moves"].as_array().unwrap();
        assert_eq!(steps.iter().filter(|step| step["resigned"].is_null()).count() as i64, game["ply"]);
        records.push(told);
    }
    let (is_true, said) = verified(&world, &records);
    assert!(is_true && said.lines().count() == 7 && said.contains("6 of 6 records"), "{said}");

    let mut forged = records[0].clone();
    forged["moves"][2]["at"] = json!("2026-01-01T00:00:00Z");
    records.insert(1, forged);
    let (is_true, said) = verified(&world, &records);
    assert!(!is_true, "{said}");
    let wrong: Vec<&str> = said.lines().filter(|line| line.contains("not true")).collect();
    assert!(wrong.len() == 1 && wrong[0].contains("record 2") && wrong[0].contains("(after ply 2)"), "{said}");
    assert!(mismatch(&schema, &json!({})).is_some());
}

async fn a_record_is_there_when_the_game_is_over_for_those_who_see_it(world: World) {
    let people = [world.guest("Asha").await, world.guest("Ben").await];
    let opened = world.ask(&people[0], "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let id = opened["id"].as_str().unwrap();
    let ask = json!({ "gameId": id });
    assert_eq!(world.refusal(&people[0], "record", ask.clone()).await.code, "CONFLICT");
    world.ask(&people[1], "joinGame", json!({ "code": opened["joinCode"] })).await;
    assert_eq!(world.refusal(&people[0], "record", ask.clone()).await.code, "CONFLICT");
    world.ask(&people[0], "resign", ask.clone()).await;
    let told = record(&world, &people[1], id).await;
    assert_eq!(told, record(&world, &people[0], id).await, "it is the same for all");
    let text = told.to_string();
    assert!(!text.contains(&people[0].id) && !text.contains("Asha"), "a record names nobody");
    let stranger = world.guest("Stranger").await;
    assert_eq!(world.refusal(&stranger, "record", ask.clone()).await.code, "NOT_FOUND");
    assert_eq!(world.call_as_nobody("record", ask).await.unwrap_err().code, "NOT_FOUND");
}

async fn what_was_added_to_the_chance_is_in_the_deal(world: World) {
    let people = [world.guest("Asha").await, world.guest("Ben").await];
    let opened = world.ask(&people[0], "createGame", json!({ "kind": "MACARENA" })).await;
    let id = opened["id"].as_str().unwrap();
    world.ask(&people[0], "addClientSeed", json!({ "gameId": id, "clientSeed": "lucky" })).await;
    world.ask(&people[1], "joinGame", json!({ "gameId": id, "clientSeed": "~!7" })).await;
    finish(&world, id, &people, 4).await;
    let told = record(&world, &people[0], id).await;
    assert_eq!(told["clientSeeds"], json!(["6c75636b79", "7e2137"]));
    let (is_true, said) = verified(&world, std::slice::from_ref(&told));
    assert!(is_true, "{said}");
    for other in [Value::Null, json!("6c75636b7a")] {
        let mut forged = told.clone();
        forged["clientSeeds"][0] = other;
        let (is_true, said) = verified(&world, &[forged]);
        assert!(!is_true && said.contains("(after ply 0)"), "{said}");
    }
}

async fn a_branch_goes_on_from_a_position(world: World) {
    for (kind, options, seats) in [
        ("KALAH", json!({}), 2),
        ("MAHABHARATA", json!({}), 2),
        ("MAHOLA", json!({}), 3),
        ("MACARENA", json!({}), 2),
        ("MARA", json!({ "mara": { "notepads": true } }), 2),
    ] {
        let (parent, people) = table(&world, kind, options, seats).await;
        finish(&world, &parent, &people, 8).await;
        let stranger = world.guest("Stranger").await;
        let ask = json!({ "gameId": parent, "ply": 5, "seat": 1, "idempotencyKey": "practice" });
        let opened = world.ask(&stranger, "branchGame", ask.clone()).await;
        assert_eq!(world.ask(&stranger, "branchGame", ask).await, opened, "a retry gives the same game");
        assert_eq!((&opened["status"], &opened["mySeat"], &opened["view"]), (&json!("OPEN"), &json!(1), &Value::Null));
        assert_eq!(opened["origin"], json!({ "gameId": parent, "ply": 5 }));
        let id = opened["id"].as_str().unwrap();
        let mut others = people[..seats - 1].to_vec();
        for person in &others {
            world.ask(person, "joinGame", json!({ "gameId": id, "clientSeed": "again" })).await;
        }
        others.insert(1, stranger);
        let running = world.game(&others[0], id).await;
        assert_eq!((&running["status"], &running["ply"]), (&json!("RUNNING"), &json!(0)), "plies count from 0");
        for (seat, person) in others.iter().enumerate() {
            let ask = json!({ "gameId": parent, "ply": 5, "seat": seat });
            let then = world.ask(person, "at", ask).await;
            let now = world.game(person, id).await;
            assert_eq!((&now["view"], &now["toAct"]), (&then["view"], &then["toAct"]), "{kind}: what seat {seat} knew");
            assert_eq!(world.ask(person, "at", json!({ "gameId": id, "ply": 0 })).await["view"], now["view"]);
        }
        let over = finish(&world, id, &others, 5).await;
        assert_ne!(over["seed"], world.game(&people[0], &parent).await["seed"]);
        let told = record(&world, &others[0], id).await;
        assert_eq!(mismatch(&schema(), &told), None);
        assert_eq!((&told["origin"]["record"]["gameId"], &told["origin"]["ply"]), (&json!(parent), &json!(5)));
        let (is_true, said) = verified(&world, std::slice::from_ref(&told));
        assert!(is_true, "{said}");
        let mut forged = told;
        forged["origin"]["record"]["moves"][1]["at"] = json!("2026-01-01T00:00:00Z");
        let (is_true, said) = verified(&world, &[forged]);
        assert!(!is_true && said.contains("that it branched off"), "{said}");
    }
}

async fn what_cannot_be_branched(world: World) {
    let (id, people) =
        table(&world, "KALAH", json!({ "kalah": { "pockets": 1, "seedsPerPocket": 1, "firstSeat": 0 } }), 2).await;
    let branch = |ply: i64| json!({ "gameId": id, "ply": ply });
    assert_eq!(world.refusal(&people[0], "branchGame", branch(0)).await.code, "CONFLICT", "it is not over");
    world.play(&people[0], &id, "0").await;
    let refused = world.refusal(&people[0], "branchGame", branch(1)).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("GAME_OVER", Some("kalah.7")));
    for ply in [-1, 2] {
        assert_eq!(world.refusal(&people[0], "branchGame", branch(ply)).await.code, "INVALID_INPUT");
    }
    assert_eq!(world.call_as_nobody("branchGame", branch(0)).await.unwrap_err().code, "UNAUTHENTICATED");
    assert_eq!(world.ask(&people[0], "branchGame", branch(0)).await["status"], "OPEN");

    // What is private stays so.
    let opened = world.ask(&people[0], "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    world.ask(&people[1], "joinGame", json!({ "code": opened["joinCode"] })).await;
    world.ask(&people[1], "resign", json!({ "gameId": opened["id"] })).await;
    let mut ask = json!({ "gameId": opened["id"], "ply": 0 });
    let stranger = world.guest("Stranger").await;
    assert_eq!(world.refusal(&stranger, "branchGame", ask.clone()).await.code, "NOT_FOUND");
    let branch = world.ask(&people[0], "branchGame", ask.clone()).await;
    assert_eq!(branch["visibility"], "PRIVATE");
    assert!(branch["joinCode"].is_string());
    ask["visibility"] = json!("PUBLIC");
    assert_eq!(world.refusal(&people[0], "branchGame", ask).await.code, "FORBIDDEN");
}

async fn a_branch_of_a_branch_has_its_limit(world: World) {
    let app = world.app("practice");
    let mut players = Vec::new();
    for name in ["Asha", "Ben"] {
        players.push(world.ask(&app, "registerPlayer", json!({ "name": name })).await["player"]["id"].clone());
    }
    let ask = json!({ "kind": "MACARENA", "players": players });
    let mut game = world.ask(&app, "createGame", ask).await;
    let resign = async |id: &Value| {
        let ask = json!({ "gameId": id });
        world.door.call(Some(&app.token), players[0].as_str(), "resign", ask).await.expect("it runs");
    };
    for _ in 0..8 {
        resign(&game["id"]).await;
        let ask = json!({ "gameId": game["id"], "ply": 0, "players": players });
        game = world.ask(&app, "branchGame", ask).await;
        assert_eq!(game["status"], "RUNNING", "an app that seats all starts it");
    }
    resign(&game["id"]).await;
    let told = record(&world, &app, game["id"].as_str().unwrap()).await;
    let (is_true, said) = verified(&world, std::slice::from_ref(&told));
    assert!(is_true, "{said}");
    let ask = json!({ "gameId": game["id"], "ply": 0, "players": players });
    assert_eq!(world.refusal(&app, "branchGame", ask).await.code, "LIMIT_REACHED");
}

#[tokio::test]
async fn the_schema_of_a_record_is_what_the_server_serves() {
    let world = World::by_rest(Database::Sqlite).await;
    let committed = std::fs::read_to_string(repository().join("record.schema.json")).unwrap();
    assert_eq!(world.server.home.read(&["schema", "record"]), committed);
    let response = reqwest::get(format!("{}/record.schema.json", world.server.address)).await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/schema+json");
    assert_eq!(response.text().await.unwrap(), committed);
}

#[tokio::test]
async fn an_app_exports_its_records_line_by_line() {
    for database in [Database::Sqlite, Database::Postgres] {
        let world = World::by_rest(database).await;
        let (app, other) = (world.app("one"), world.app("other"));
        let get = async |who: &Person, query: &str| {
            let url = format!("{}/v1/records?{query}", world.server.address);
            let response = Client::new().get(url).bearer_auth(&who.token).send().await.unwrap();
            (response.status().as_u16(), response.text().await.unwrap())
        };
        let mut players = Vec::new();
        for name in ["Asha", "Ben"] {
            players.push(world.ask(&app, "registerPlayer", json!({ "name": name })).await["player"]["id"].clone());
        }
        let mut ids = Vec::new();
        for n in 0..45 {
            let kind = if n % 3 == 0 { "MAHABHARATA" } else { "KALAH" };
            let ask = json!({ "kind": kind, "visibility": "PRIVATE", "players": players });
            let game = world.ask(&app, "createGame", ask).await;
            if n != 7 {
                let ask = json!({ "gameId": game["id"] });
                world.door.call(Some(&app.token), players[0].as_str(), "resign", ask).await.unwrap();
                ids.insert(0, game["id"].clone());
            }
        }
        let lines =
            |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
        let told = |text: &str| -> Vec<Value> { lines(text).iter().map(|record| record["gameId"].clone()).collect() };
        let (status, text) = get(&app, "").await;
        assert_eq!((status, told(&text)), (200, ids.clone()), "finished games, newest first");
        let (is_true, said) = verified(&world, &lines(&text));
        assert!(is_true && said.contains("44 of 44"), "{said}");
        assert_eq!(told(&get(&app, "status=OVER&kind=KALAH").await.1).len(), 29);
        assert_eq!(told(&get(&app, "first=5").await.1), ids[..5]);
        let next = format!("first=30&after={}", ids[4].as_str().unwrap());
        assert_eq!(told(&get(&app, &next).await.1), ids[5..35]);
        let mine = format!("playerId={}", players[0].as_str().unwrap());
        assert_eq!(told(&get(&app, &mine).await.1).len(), 44);
        assert_eq!(get(&other, "").await, (200, String::new()), "apps see nothing of each other");
        let guest = world.guest("Guest").await;
        assert_eq!(get(&guest, "").await.0, 403);
        for bad in ["first=0", "first=10001", "status=OPEN", "after=x", "colour=red"] {
            assert_eq!(get(&app, bad).await.0, 400, "{bad}");
        }
        let nobody = reqwest::get(format!("{}/v1/records", world.server.address)).await.unwrap();
        assert_eq!(nobody.status(), 401);
    }
}

/// Changes a row of the database behind the service's back.
async fn meddle(world: &World, sql: &str) {
    let query = sqlx::AssertSqlSafe(sql.to_string());
    match &world.server.home.url {
        Some(url) => {
            sqlx::PgConnection::connect(url).await.unwrap().execute(query).await.unwrap();
        }
        None => {
            let file = format!("sqlite:{}", world.server.home.directory.join("maidan.db").display());
            sqlx::SqliteConnection::connect(&file).await.unwrap().execute(query).await.unwrap();
        }
    }
}

#[tokio::test]
async fn running_games_are_played_again_before_a_deploy() {
    for database in [Database::Sqlite, Database::Postgres] {
        let world = World::by_rest(database).await;
        let live = || {
            let output = world.server.home.run(&["verify", "--live"]);
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        assert!(live().0, "nothing runs");
        let (mut ids, mut tables) = (Vec::new(), Vec::new());
        for _ in 0..23 {
            let (id, players) = world.kalah(json!({})).await;
            world.play(&players[0], &id, "0").await;
            ids.push(id);
            tables.push(players);
        }
        let (is_well, said) = live();
        assert!(is_well && said.contains("all 23 running games"), "{said}");

        // A log that this build would refuse, rules that it does not have, a state that the moves do not lead to.
        let version = "version = (SELECT max(version) FROM entries e WHERE e.game_id = entries.game_id)";
        let nth = |n: usize| format!("(SELECT id FROM games ORDER BY id LIMIT 1 OFFSET {n})");
        meddle(&world, &format!("UPDATE entries SET notation = '6' WHERE game_id = {} AND {version}", nth(1))).await;
        meddle(&world, &format!("UPDATE games SET rules_version = 7 WHERE id = {}", nth(2))).await;
        world.play(&tables[21][1], &ids[21], "0").await;
        let other = format!("(SELECT position FROM games WHERE id = {})", nth(21));
        meddle(&world, &format!("UPDATE games SET position = {other} WHERE id = {}", nth(22))).await;
        let (is_well, said) = live();
        assert!(!is_well && said.lines().count() == 3, "{said}");
        for (id, why) in
            [(&ids[1], "refused by kalah.2"), (&ids[2], "version 7 of the rules"), (&ids[22], "another state")]
        {
            assert!(said.lines().any(|line| line.contains(id.as_str()) && line.contains(why)), "{why}: {said}");
        }

        // Rules that this build does not have are a refusal, not a fault; and such a game does not spoil a list. A server
        // that has just been deployed finds them so.
        let world = world.restarted(&[]).await;
        let [asha, ben] = &tables[2];
        let looked = world.game(asha, &ids[2]).await;
        assert_eq!((&looked["view"], &looked["rulesVersion"]), (&Value::Null, &json!(7)));
        for (operation, ask) in [
            ("playMove", json!({ "gameId": ids[2], "notation": "0" })),
            ("resign", json!({ "gameId": ids[2] })),
            ("at", json!({ "gameId": ids[2], "ply": 0 })),
            ("explain", json!({ "gameId": ids[2], "notation": "0" })),
        ] {
            let refused = world.refusal(ben, operation, ask).await;
            assert_eq!(refused.code, "UNKNOWN_RULES", "{operation}");
            assert!(refused.text.contains("version 7") && refused.text.contains("version 1"), "{refused:?}");
        }
        assert_eq!(world.ask(asha, "myGames", json!({})).await["items"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn verify_says_what_it_cannot_read() {
    let world = World::by_rest(Database::Sqlite).await;
    let home = &world.server.home;
    let file = home.directory.join("no-record.json");
    for text in ["", "{}", "nonsense", r#"{"format": 1, "kind": "CHESS"}"#] {
        std::fs::write(&file, text).unwrap();
        let output = home.run(&["verify", file.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success() && said.contains("not true"), "{text}: {said}");
    }
    assert!(!home.run(&["verify", "there-is-no-such-file"]).status.success());
    assert!(!home.run(&["verify"]).status.success());
    let bare = repository().join("domain/golden/kalah-0.json");
    let output = home.run(&["verify", bare.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("It has no game's id."), "a record says whose it is");
    let golden = repository().join("domain/golden/mara-7-branch.json");
    let read = std::fs::File::open(golden).unwrap();
    let output = home.command().args(["verify", "-"]).stdin(read).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
