//! Records of finished games: exporting, verifying and tampering; and branches that continue from them.

use std::path::PathBuf;

use domain::Kind;
use reqwest::Client;
use serde_json::{Value, json};

use crate::support::database::{position_of, put_position};
use crate::support::kinds::missing;
use crate::support::schema::mismatch;
use crate::support::server::repository;
use crate::support::service::{number, seats_to_act};
use crate::support::{Database, Dice, Person, Service, own_seat, seated, stories};

stories!(
    a_record_of_every_kind_is_true,
    a_record_is_there_when_the_game_is_over_for_those_who_see_it,
    what_was_added_to_the_chance_is_in_the_deal,
    a_branch_goes_on_from_a_position,
    what_cannot_be_branched,
    a_branch_of_a_branch_has_its_limit,
);

pub fn schema() -> Value {
    let text = std::fs::read_to_string(repository().join("record.schema.json")).expect("the schema is committed");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// Plays at random, for this many moves or to the end; then all but one resign.
pub async fn finish(service: &Service, id: &str, people: &[Person], most: usize) -> Value {
    let mut dice = Dice::new(11);
    for _ in 0..most {
        let game = service.game(&people[0], id).await;
        let to_act = seats_to_act(&game);
        if to_act.is_empty() {
            break;
        }
        let seat = to_act[dice.below(to_act.len())];
        let moves = service.ask(&people[seat], "legalMoves", json!({ "gameId": id, "limit": 50 })).await;
        let items = moves["items"].as_array().unwrap();
        service.play(&people[seat], id, items[dice.below(items.len())]["notation"].as_str().unwrap()).await;
    }
    for person in &people[1..] {
        if service.game(person, id).await["status"] != "OVER" {
            service.ask(person, "resign", json!({ "gameId": id })).await;
        }
    }
    service.game(&people[0], id).await
}

pub async fn record(service: &Service, who: &Person, id: &str) -> Value {
    service.ask(who, "record", json!({ "gameId": id })).await
}

/// Whether `maidan verify` succeeds on these documents in one file, and its output.
pub fn verified(service: &Service, records: &[Value]) -> (bool, String) {
    let file: PathBuf = service.server.home.directory.join("records.ndjson");
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, lines).expect("the directory can be written");
    let output = service.server.home.run(&["verify", file.to_str().unwrap()]);
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

async fn a_record_of_every_kind_is_true(service: Service) {
    let schema = schema();
    let mut records = Vec::new();
    let tables = [
        (Kind::Kalah, json!({ "kalah": { "pockets": 3, "seedsPerPocket": 2 } }), 2, 100),
        (Kind::Mahabharata, json!({}), 3, 12),
        (Kind::Mahola, json!({}), 3, 10),
        (Kind::Macarena, json!({}), 3, 6),
        (Kind::Mara, json!({}), 2, 6),
        (Kind::Mara, json!({ "mara": { "variant": "FAMILY" } }), 3, 6),
    ];
    assert_eq!(missing(tables.iter().map(|table| table.0)), []);
    for (kind, options, seats, most) in tables {
        let (id, people) = service.table(kind.name(), options, seats).await;
        let game = finish(&service, &id, &people, most).await;
        let exported = record(&service, &people[1], &id).await;
        assert_eq!(mismatch(&schema, &exported), None, "{exported}");
        assert_eq!((&exported["gameId"], &exported["kind"]), (&json!(id), &json!(kind.name())));
        assert_eq!((&exported["seed"], &exported["commitment"]), (&game["seed"], &game["commitment"]));
        assert_eq!(exported["outcome"]["places"], game["outcome"]["places"]);
        assert_eq!((&exported["format"], &exported["rulesVersion"]), (&json!(2), &json!(kind.rules_version())));
        let entries = exported["entries"].as_array().unwrap();
        assert_eq!(entries.iter().filter(|entry| entry["kind"] != "RESIGNED").count(), number(&game["ply"]));
        records.push(exported);
    }
    let (is_true, said) = verified(&service, &records);
    assert!(is_true && said.lines().count() == 7 && said.contains("6 of 6 records"), "{said}");

    let mut forged = records[0].clone();
    forged["entries"][2]["at"] = json!("2026-01-01T00:00:00Z");
    records.insert(1, forged);
    let (is_true, said) = verified(&service, &records);
    assert!(!is_true, "{said}");
    let wrong: Vec<&str> = said.lines().filter(|line| line.contains("invalid")).collect();
    assert!(wrong.len() == 1 && wrong[0].contains("record 2") && wrong[0].contains("(after ply 2)"), "{said}");
    assert!(mismatch(&schema, &json!({})).is_some());
}

async fn a_record_is_there_when_the_game_is_over_for_those_who_see_it(service: Service) {
    let people = [service.guest("Asha").await, service.guest("Ben").await];
    let opened = service.ask(&people[0], "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let id = opened["id"].as_str().unwrap();
    let ask = json!({ "gameId": id });
    assert_eq!(service.refusal(&people[0], "record", ask.clone()).await.code, "CONFLICT");
    service.ask(&people[1], "joinGame", json!({ "code": opened["joinCode"] })).await;
    assert_eq!(service.refusal(&people[0], "record", ask.clone()).await.code, "CONFLICT");
    service.ask(&people[0], "resign", ask.clone()).await;
    let exported = record(&service, &people[1], id).await;
    assert_eq!(exported, record(&service, &people[0], id).await, "it is the same for all");
    let text = exported.to_string();
    assert!(!text.contains(&people[0].id) && !text.contains("Asha"), "a record names nobody");
    let stranger = service.guest("Stranger").await;
    assert_eq!(service.refusal(&stranger, "record", ask.clone()).await.code, "NOT_FOUND");
    assert_eq!(service.call_as_nobody("record", ask).await.unwrap_err().code, "NOT_FOUND");
}

async fn what_was_added_to_the_chance_is_in_the_deal(service: Service) {
    let people = [service.guest("Asha").await, service.guest("Ben").await];
    let opened = service.ask(&people[0], "createGame", json!({ "kind": "MACARENA" })).await;
    let id = opened["id"].as_str().unwrap();
    service.ask(&people[0], "addClientSeed", json!({ "gameId": id, "clientSeed": "lucky" })).await;
    service.ask(&people[1], "joinGame", json!({ "gameId": id, "clientSeed": "~!7" })).await;
    finish(&service, id, &people, 4).await;
    let exported = record(&service, &people[0], id).await;
    assert_eq!(exported["clientSeeds"], json!(["6c75636b79", "7e2137"]));
    let (is_true, said) = verified(&service, std::slice::from_ref(&exported));
    assert!(is_true, "{said}");
    for other in [Value::Null, json!("6c75636b7a")] {
        let mut forged = exported.clone();
        forged["clientSeeds"][0] = other;
        let (is_true, said) = verified(&service, &[forged]);
        assert!(!is_true && said.contains("(after ply 0)"), "{said}");
    }
}

async fn a_branch_goes_on_from_a_position(service: Service) {
    let tables = [
        (Kind::Kalah, json!({}), 2),
        (Kind::Mahabharata, json!({}), 2),
        (Kind::Mahola, json!({}), 3),
        (Kind::Macarena, json!({}), 2),
        (Kind::Mara, json!({ "mara": { "notepads": true } }), 2),
    ];
    assert_eq!(missing(tables.iter().map(|table| table.0)), []);
    for (kind, options, seats) in tables {
        let (parent, people) = service.table(kind.name(), options, seats).await;
        finish(&service, &parent, &people, 8).await;
        let stranger = service.guest("Stranger").await;
        let ask = json!({ "gameId": parent, "ply": 5, "seats": own_seat(1, seats), "idempotencyKey": "practice" });
        let opened = service.ask(&stranger, "branchGame", ask.clone()).await;
        assert_eq!(service.ask(&stranger, "branchGame", ask).await["id"], opened["id"], "a retry gives the same game");
        assert_eq!((&opened["status"], &opened["mySeat"], &opened["view"]), (&json!("OPEN"), &json!(1), &Value::Null));
        assert_eq!(opened["origin"], json!({ "gameId": parent, "ply": 5 }));
        let id = opened["id"].as_str().unwrap();
        let mut others = people[..seats - 1].to_vec();
        for person in &others {
            service.ask(person, "joinGame", json!({ "gameId": id, "clientSeed": "again" })).await;
        }
        others.insert(1, stranger);
        let running = service.game(&others[0], id).await;
        assert_eq!((&running["status"], &running["ply"]), (&json!("RUNNING"), &json!(0)), "plies count from 0");
        for (seat, person) in others.iter().enumerate() {
            let ask = json!({ "gameId": parent, "ply": 5, "seat": seat });
            let then = service.ask(person, "at", ask).await;
            let now = service.game(person, id).await;
            assert_eq!((&now["view"], &now["toAct"]), (&then["view"], &then["toAct"]), "{kind}: what seat {seat} knew");
            assert_eq!(service.ask(person, "at", json!({ "gameId": id, "ply": 0 })).await["view"], now["view"]);
        }
        let over = finish(&service, id, &others, 5).await;
        assert_ne!(over["seed"], service.game(&people[0], &parent).await["seed"]);
        let exported = record(&service, &others[0], id).await;
        assert_eq!(mismatch(&schema(), &exported), None);
        assert_eq!((&exported["origin"]["record"]["gameId"], &exported["origin"]["ply"]), (&json!(parent), &json!(5)));
        let (is_true, said) = verified(&service, std::slice::from_ref(&exported));
        assert!(is_true, "{said}");
        let mut forged = exported;
        forged["origin"]["record"]["entries"][1]["at"] = json!("2026-01-01T00:00:00Z");
        let (is_true, said) = verified(&service, &[forged]);
        assert!(!is_true && said.contains("In the parent game"), "{said}");
    }
}

async fn what_cannot_be_branched(service: Service) {
    let (id, people) =
        service.table("KALAH", json!({ "kalah": { "pockets": 1, "seedsPerPocket": 1, "firstSeat": 0 } }), 2).await;
    let branch = |ply: i64| json!({ "gameId": id, "ply": ply });
    assert_eq!(service.refusal(&people[0], "branchGame", branch(0)).await.code, "CONFLICT", "it is not over");
    service.play(&people[0], &id, "0").await;
    let refused = service.refusal(&people[0], "branchGame", branch(1)).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("GAME_OVER", Some("kalah.7")));
    for ply in [-1, 2] {
        assert_eq!(service.refusal(&people[0], "branchGame", branch(ply)).await.code, "INVALID_INPUT");
    }
    assert_eq!(service.call_as_nobody("branchGame", branch(0)).await.unwrap_err().code, "UNAUTHENTICATED");
    assert_eq!(service.ask(&people[0], "branchGame", branch(0)).await["status"], "OPEN");

    // Private games stay private.
    let opened = service.ask(&people[0], "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    service.ask(&people[1], "joinGame", json!({ "code": opened["joinCode"] })).await;
    service.ask(&people[1], "resign", json!({ "gameId": opened["id"] })).await;
    let mut ask = json!({ "gameId": opened["id"], "ply": 0 });
    let stranger = service.guest("Stranger").await;
    assert_eq!(service.refusal(&stranger, "branchGame", ask.clone()).await.code, "NOT_FOUND");
    let branch = service.ask(&people[0], "branchGame", ask.clone()).await;
    assert_eq!(branch["visibility"], "PRIVATE");
    assert!(branch["joinCode"].is_string());
    ask["visibility"] = json!("PUBLIC");
    assert_eq!(service.refusal(&people[0], "branchGame", ask).await.code, "FORBIDDEN");
}

async fn a_branch_of_a_branch_has_its_limit(service: Service) {
    let app = service.app("practice");
    let mut players = Vec::new();
    for name in ["Asha", "Ben"] {
        players.push(service.ask(&app, "registerPlayer", json!({ "name": name })).await["player"]["id"].clone());
    }
    let ask = json!({ "kind": "MACARENA", "seats": seated(&players) });
    let mut game = service.ask(&app, "createGame", ask).await;
    let resign = async |id: &Value| {
        let ask = json!({ "gameId": id });
        service.client.call(Some(&app.token), players[0].as_str(), "resign", ask).await.expect("it runs");
    };
    for _ in 0..8 {
        resign(&game["id"]).await;
        let ask = json!({ "gameId": game["id"], "ply": 0, "seats": seated(&players) });
        game = service.ask(&app, "branchGame", ask).await;
        assert_eq!(game["status"], "RUNNING", "an app that seats all starts it");
    }
    resign(&game["id"]).await;
    let exported = record(&service, &app, game["id"].as_str().unwrap()).await;
    let (is_true, said) = verified(&service, std::slice::from_ref(&exported));
    assert!(is_true, "{said}");
    let ask = json!({ "gameId": game["id"], "ply": 0, "seats": seated(&players) });
    assert_eq!(service.refusal(&app, "branchGame", ask).await.code, "LIMIT_REACHED");
}

#[tokio::test]
async fn the_schema_of_a_record_is_what_the_server_serves() {
    let service = Service::by_rest(Database::Sqlite).await;
    let committed = std::fs::read_to_string(repository().join("record.schema.json")).unwrap();
    assert_eq!(service.server.home.read(&["schema", "record"]), committed);
    let response = reqwest::get(format!("{}/record.schema.json", service.server.address)).await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/schema+json");
    assert_eq!(response.text().await.unwrap(), committed);
}

#[tokio::test]
async fn an_app_exports_its_records_line_by_line() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::by_rest(database).await;
        let (app, other) = (service.app("one"), service.app("other"));
        let get = async |who: &Person, query: &str| {
            let url = format!("{}/v1/records?{query}", service.server.address);
            let response = Client::new().get(url).bearer_auth(&who.token).send().await.unwrap();
            (response.status().as_u16(), response.text().await.unwrap())
        };
        let mut players = Vec::new();
        for name in ["Asha", "Ben"] {
            players.push(service.ask(&app, "registerPlayer", json!({ "name": name })).await["player"]["id"].clone());
        }
        let mut ids = Vec::new();
        for n in 0..45 {
            let kind = if n % 3 == 0 { "MAHABHARATA" } else { "KALAH" };
            let ask = json!({ "kind": kind, "visibility": "PRIVATE", "seats": seated(&players) });
            let game = service.ask(&app, "createGame", ask).await;
            if n != 7 {
                let ask = json!({ "gameId": game["id"] });
                service.client.call(Some(&app.token), players[0].as_str(), "resign", ask).await.unwrap();
                ids.insert(0, game["id"].clone());
            }
        }
        let lines =
            |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
        let game_ids =
            |text: &str| -> Vec<Value> { lines(text).iter().map(|record| record["gameId"].clone()).collect() };
        let (status, text) = get(&app, "").await;
        assert_eq!((status, game_ids(&text)), (200, ids.clone()), "finished games, newest first");
        let (is_true, said) = verified(&service, &lines(&text));
        assert!(is_true && said.contains("44 of 44"), "{said}");
        assert_eq!(game_ids(&get(&app, "status=OVER&kind=KALAH").await.1).len(), 29);
        assert_eq!(game_ids(&get(&app, "first=5").await.1), ids[..5]);
        let next = format!("first=30&after={}", ids[4].as_str().unwrap());
        assert_eq!(game_ids(&get(&app, &next).await.1), ids[5..35]);
        let mine = format!("playerId={}", players[0].as_str().unwrap());
        assert_eq!(game_ids(&get(&app, &mine).await.1).len(), 44);
        assert_eq!(get(&other, "").await, (200, String::new()), "apps see nothing of each other");
        let guest = service.guest("Guest").await;
        assert_eq!(get(&guest, "").await.0, 403);
        for bad in ["first=0", "first=10001", "status=OPEN", "after=x", "colour=red"] {
            assert_eq!(get(&app, bad).await.0, 400, "{bad}");
        }
        let nobody = reqwest::get(format!("{}/v1/records", service.server.address)).await.unwrap();
        assert_eq!(nobody.status(), 401);
    }
}

#[tokio::test]
async fn running_games_are_played_again_before_a_deploy() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::by_rest(database).await;
        let live = || {
            let output = service.server.home.run(&["verify", "--live"]);
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        assert!(live().0, "nothing runs");
        let (mut ids, mut tables) = (Vec::new(), Vec::new());
        for _ in 0..23 {
            let (id, players) = service.kalah(json!({})).await;
            service.play(&players[0], &id, "0").await;
            ids.push(id);
            tables.push(players);
        }
        let (is_well, said) = live();
        assert!(is_well && said.contains("all 23 running games"), "{said}");

        // A log that this build refuses, a rules version that it does not have, a state that does not follow from the moves.
        let version = "version = (SELECT max(version) FROM entries e WHERE e.game_id = entries.game_id)";
        let nth = |n: usize| format!("(SELECT id FROM games ORDER BY id LIMIT 1 OFFSET {n})");
        service
            .server
            .home
            .execute(&format!("UPDATE entries SET notation = '6' WHERE game_id = {} AND {version}", nth(1)))
            .await;
        service.server.home.execute(&format!("UPDATE games SET rules_version = 7 WHERE id = {}", nth(2))).await;
        service.play(&tables[21][1], &ids[21], "0").await;
        put_position(&service, &ids[22], position_of(&service, &ids[21]).await).await;
        let (is_well, said) = live();
        assert!(!is_well && said.lines().count() == 3, "{said}");
        for (id, why) in
            [(&ids[1], "breaks rule kalah.2"), (&ids[2], "version 7 of the rules"), (&ids[22], "another position")]
        {
            assert!(said.lines().any(|line| line.contains(id.as_str()) && line.contains(why)), "{why}: {said}");
        }

        // An unknown rules version is a refusal, not an internal error, and such a game does not break a list. A newly
        // deployed server may find such games.
        let service = service.restarted(&[]).await;
        let [asha, ben] = &tables[2];
        let looked = service.game(asha, &ids[2]).await;
        assert_eq!((&looked["view"], &looked["rulesVersion"]), (&Value::Null, &json!(7)));
        for (operation, ask) in [
            ("playMove", json!({ "gameId": ids[2], "notation": "0" })),
            ("resign", json!({ "gameId": ids[2] })),
            ("at", json!({ "gameId": ids[2], "ply": 0 })),
            ("explain", json!({ "gameId": ids[2], "notation": "0" })),
        ] {
            let refused = service.refusal(ben, operation, ask).await;
            assert_eq!(refused.code, "UNKNOWN_RULES", "{operation}");
            assert!(refused.text.contains("version 7") && refused.text.contains("version 1"), "{refused:?}");
        }
        assert_eq!(service.ask(asha, "myGames", json!({})).await["items"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn verify_says_what_it_cannot_read() {
    let service = Service::by_rest(Database::Sqlite).await;
    let home = &service.server.home;
    let file = home.directory.join("no-record.json");
    for text in ["", "{}", "nonsense", r#"{"format": 1, "kind": "CHESS"}"#] {
        std::fs::write(&file, text).unwrap();
        let output = home.run(&["verify", file.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success() && said.contains("invalid"), "{text}: {said}");
    }
    // Records after an unreadable one are still verified.
    let golden = std::fs::read_to_string(repository().join("domain/golden/mara-7-branch.json")).unwrap();
    std::fs::write(&file, format!("{{\"format\": 3}}\n{golden}\n{golden}")).unwrap();
    let output = home.run(&["verify", file.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && said.contains("record 3") && said.matches(": valid").count() == 2, "{said}");
    assert!(!home.run(&["verify", "there-is-no-such-file"]).status.success());
    assert!(!home.run(&["verify"]).status.success());
    let bare = repository().join("domain/golden/kalah-0.json");
    let output = home.run(&["verify", bare.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("The record has no game id."), "a record names its game");
    // Format 1 with rules version 1, format 2 with rules version 2.
    for golden in ["mara-7-branch.json", "mara-v2-3-branch.json", "kalah-f2-0-branch.json"] {
        let read = std::fs::File::open(repository().join("domain/golden").join(golden)).unwrap();
        let output = home.command().args(["verify", "-"]).stdin(read).output().unwrap();
        assert!(output.status.success(), "{golden}: {}", String::from_utf8_lossy(&output.stdout));
    }
}
