//! Two versions of the rules side by side: a game keeps the version that it began with, new games get the newest.

use std::collections::BTreeSet;

use domain::Kind;
use serde_json::{Value, json};

use crate::records::{finish, record, schema, verified};
use crate::support::database::{game_of, twin_of};
use crate::support::schema::mismatch;
use crate::support::{Dice, Service, stories};

stories!(
    a_game_of_version_1_goes_on_by_version_1,
    a_new_game_has_the_options_of_the_newest_version,
    the_last_pass_of_mahola_is_of_version_2_alone,
    a_version_that_the_server_does_not_have_is_refused,
    the_catalogue_has_every_version_and_what_changed,
    rules_that_are_not_printed_say_so,
);

/// The kinds with two versions: the name of the kind's options, the option that version 1 lacks, and its default as
/// JSON.
const NEW_OPTIONS: [(Kind, &str, &str, &str); 4] = [
    (Kind::Mahabharata, "mahabharata", "askEveryone", "false"),
    (Kind::Mahola, "mahola", "lastPass", "true"),
    (Kind::Macarena, "macarena", "firstHandReturns", "false"),
    (Kind::Mara, "mara", "quietTurnsPerSeat", "50"),
];

fn value(json: &str) -> Value {
    serde_json::from_str(json).expect("a default is JSON")
}

#[test]
fn every_kind_with_two_versions_has_an_option_that_the_first_lacks() {
    let with_two = Kind::ALL.iter().copied().filter(|kind| kind.rules_version() == 2);
    assert_eq!(with_two.collect::<Vec<_>>(), NEW_OPTIONS.map(|(kind, ..)| kind));
}

async fn a_game_of_version_1_goes_on_by_version_1(service: Service) {
    let live = || {
        let output = service.server.home.run(&["verify", "--live"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    let mut dice = Dice::new(5);
    for (kind, field, option, default) in NEW_OPTIONS {
        let (id, people) = service.table_by(1, kind, json!({}), usize::from(*kind.seats().start())).await;
        for _ in 0..6 {
            service.play_any(&people, &id, &mut dice).await;
        }
        let game = service.game(&people[0], &id).await;
        assert_eq!((&game["rulesVersion"], &game["options"][field][option]), (&json!(1), &Value::Null), "{kind}");
        assert_eq!(game_of(&service, kind, &id).await.rules_version(), 1, "{kind} is kept as version 1 keeps it");
        // Beside a game of the newest version.
        let (newest, others) = service.table(kind.name(), json!({}), people.len()).await;
        service.play_any(&others, &newest, &mut dice).await;
        live();

        finish(&service, &id, &people, 4).await;
        let exported = record(&service, &people[0], &id).await;
        assert_eq!((&exported["format"], &exported["rulesVersion"]), (&json!(2), &json!(1)));
        assert_eq!(exported["options"].get(option), None, "{kind}: a record has the options of its version");
        assert_eq!(mismatch(&schema(), &exported), None);

        let branch = service.ask(&people[0], "branchGame", json!({ "gameId": id, "ply": 2 })).await;
        assert_eq!((&branch["rulesVersion"], &branch["options"]), (&json!(1), &game["options"]), "{kind}");
        let practice = branch["id"].as_str().unwrap();
        for person in &people[1..] {
            service.ask(person, "joinGame", json!({ "gameId": practice })).await;
        }
        service.play_any(&people, practice, &mut dice).await;
        live();
        finish(&service, practice, &people, 2).await;
        let branched = record(&service, &people[0], practice).await;
        assert_eq!(branched["rulesVersion"], 1);
        let (is_true, said) = verified(&service, &[exported, branched]);
        assert!(is_true, "{kind}: {said}");

        let again = service.ask(&people[0], "rematch", json!({ "gameId": id })).await;
        assert_eq!((&again["rulesVersion"], &again["options"][field][option]), (&json!(2), &value(default)), "{kind}");
    }
}

async fn a_new_game_has_the_options_of_the_newest_version(service: Service) {
    let asha = service.guest("Asha").await;
    for (kind, field, option, default) in NEW_OPTIONS {
        let default = value(default);
        let other = default.as_bool().map_or(json!(10), |default| json!(!default));
        for (options, shown) in [
            (Value::Null, default.clone()),
            (json!({ field: {} }), default.clone()),
            (json!({ field: { option: null } }), default.clone()),
            (json!({ field: { option: other } }), other.clone()),
        ] {
            let mut ask = json!({ "kind": kind.name() });
            if !options.is_null() {
                ask["options"] = options;
            }
            let game = service.ask(&asha, "createGame", ask).await;
            assert_eq!((&game["rulesVersion"], &game["options"][field][option]), (&json!(2), &shown), "{kind}");
            service.ask(&asha, "leaveGame", json!({ "gameId": game["id"] })).await;
        }
    }
    for (turns, is_fine) in [(9, false), (10, true), (200, true), (201, false), (300, false), (-1, false)] {
        let ask = json!({ "kind": "MARA", "options": { "mara": { "quietTurnsPerSeat": turns } } });
        match service.call(&asha, "createGame", ask).await {
            Ok(game) => assert_eq!((is_fine, &game["options"]["mara"]["quietTurnsPerSeat"]), (true, &json!(turns))),
            Err(refused) => assert_eq!((is_fine, refused.code.as_str()), (false, "INVALID_INPUT")),
        }
    }
}

async fn the_last_pass_of_mahola_is_of_version_2_alone(service: Service) {
    for (version, options, turns) in [(1, json!({}), 4), (2, json!({}), 5), (2, json!({ "lastPass": false }), 4)] {
        let (id, people) = service.table_by(version, Kind::Mahola, json!({ "mahola": options }), 3).await;
        let mut dice = Dice::new(2);
        let has_scored =
            |events: &Value| events.as_array().unwrap().iter().any(|event| event["type"] == "MaholaScored");
        let mut passed = BTreeSet::new();
        loop {
            service.play_any(&people, &id, &mut dice).await;
            let log = service.log(&people[0], &id).await;
            let events = &log.last().unwrap()["events"];
            passed.extend(
                events
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|event| event["type"] == "MaholaPassed")
                    .map(|event| event["turn"].as_u64().unwrap()),
            );
            if has_scored(events) {
                break;
            }
        }
        assert_eq!(passed.len(), turns, "version {version}, {options}: cards are passed in the turns {passed:?}");
    }
}

async fn a_version_that_the_server_does_not_have_is_refused(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({}), 3).await;
    let later = twin_of(&service, &id).await;
    // Ids are ordered by time, so this is the twin.
    let sql = "UPDATE games SET rules_version = 3 WHERE id = (SELECT id FROM games ORDER BY id DESC LIMIT 1)";
    service.server.home.execute(sql).await;
    let game = service.game(&people[0], &later).await;
    assert_eq!((&game["rulesVersion"], &game["view"]), (&json!(3), &Value::Null));
    let refused = service.refusal(&people[0], "resign", json!({ "gameId": later })).await;
    assert_eq!(refused.code, "UNKNOWN_RULES");
    assert!(refused.text.contains("version 3") && refused.text.contains("versions 1 to 2"), "{refused:?}");
    let output = service.server.home.run(&["verify", "--live"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && said.lines().count() == 1 && said.contains(&later), "{said}");
}

/// The value of a field of each item.
fn each(items: &Value, field: &str) -> Vec<Value> {
    items.as_array().unwrap().iter().map(|item| item[field].clone()).collect()
}

async fn the_catalogue_has_every_version_and_what_changed(service: Service) {
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("anybody may read the rules");
    for book in kinds.as_array().unwrap() {
        let Some((_, _, option, default)) = NEW_OPTIONS.iter().find(|(kind, ..)| book["kind"] == kind.name()) else {
            assert_eq!((&book["kind"], &book["rulesVersion"]), (&json!("KALAH"), &json!(1)));
            assert_eq!((&book["earlierVersions"], &book["changes"]), (&json!([]), &json!([])));
            continue;
        };
        let kind = &book["kind"];
        assert_eq!(
            (&book["rulesVersion"], &each(&book["earlierVersions"], "rulesVersion")[..]),
            (&json!(2), &[json!(1)][..])
        );
        let first = &book["earlierVersions"][0];
        assert!(!each(&first["options"], "name").contains(&json!(option)), "{kind}");
        let newest = book["options"].as_array().unwrap();
        let about = newest.iter().find(|about| about["name"] == *option).expect("the newest version has it");
        assert_eq!(about["default"], *default, "{kind}");
        assert_ne!(first["rules"], book["rules"], "{kind}");
        assert!(!each(&book["changes"], "text").is_empty(), "{kind}");
        assert!(each(&book["changes"], "rulesVersion").iter().all(|version| *version == 2), "{kind}");
        let one = service.call_as_nobody("kind", json!({ "id": kind })).await.expect("it is a kind");
        assert_eq!(one, *book);
    }
}

async fn rules_that_are_not_printed_say_so(service: Service) {
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("anybody may read the rules");
    for book in kinds.as_array().unwrap() {
        let earlier = book["earlierVersions"].as_array().unwrap().iter().map(|version| &version["rules"]);
        for rules in earlier.chain([&book["rules"]]) {
            let decisions = each(rules, "decision");
            assert!(decisions.contains(&json!(true)) && decisions.contains(&json!(false)), "{}", book["kind"]);
            for rule in rules.as_array().unwrap() {
                assert_eq!(rule["decision"] == true, rule["why"].is_string(), "{rule}");
                assert!(rule["decision"] == true || !rule["id"].as_str().unwrap().starts_with("table"), "{rule}");
            }
        }
        // The Mara's board is lost; the other kinds need none.
        let is_mara = book["kind"] == "MARA";
        assert_eq!(book["board"]["reconstructed"], if is_mara { json!(true) } else { Value::Null });
    }
    let decision = |rules: &Value, id: &str| {
        let rule = rules.as_array().unwrap().iter().find(|rule| rule["id"] == id).expect("there is such a rule");
        rule["decision"].clone()
    };
    let mahola = kinds.as_array().unwrap().iter().find(|book| book["kind"] == "MAHOLA").unwrap();
    assert_eq!(decision(&mahola["rules"], "mahola.4"), false, "the fifth turn is as printed");
    assert_eq!(decision(&mahola["earlierVersions"][0]["rules"], "mahola.4"), true, "in version 1 it was not");
}
