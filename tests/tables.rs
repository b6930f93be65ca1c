//! Games with tables of their own: the option `components` of Mahola and Mahabharata.

use domain::Kind;
use serde_json::{Value, json};

use crate::records::{finish, record, schema, verified};
use crate::support::database::{game_of, position_of, stored_options};
use crate::support::graphql::GraphqlClient;
use crate::support::schema::mismatch;
use crate::support::tables::{built_in, own, without_nulls};
use crate::support::{Client, Database, Dice, Person, Service, stories};

stories!(
    a_game_shows_the_tables_that_it_was_opened_with,
    the_catalogue_has_the_tables_that_the_option_takes,
    own_tables_are_in_the_record_and_kept_by_rematches_and_branches,
    bots_play_with_own_tables,
);

/// The kinds with the option, the name of their options and the most seats.
const KINDS: [(Kind, &str, usize); 2] = [(Kind::Mahabharata, "mahabharata", 2), (Kind::Mahola, "mahola", 3)];

fn with(field: &str, components: &Value) -> Value {
    json!({ field: { "components": components } })
}

#[test]
fn every_kind_with_the_option_is_tested() {
    let takes_tables =
        |kind: &&Kind| kind.about(kind.rules_version()).options.iter().any(|option| option.name == "components");
    assert!(Kind::ALL.iter().filter(takes_tables).eq(KINDS.iter().map(|(kind, ..)| kind)));
}

/// Whether each table is a reconstruction.
fn marks(tables: &Value) -> Vec<(String, bool)> {
    let mark = |table: &Value| {
        (table["name"].as_str().expect("a table has a name").to_string(), table["reconstructed"] == true)
    };
    tables.as_array().expect("tables are a list").iter().map(mark).collect()
}

async fn a_game_shows_the_tables_that_it_was_opened_with(service: Service) {
    for (kind, field, seats) in KINDS {
        let given = own(kind.name());
        let (id, people) = service.table(kind.name(), with(field, &given), seats).await;
        let game = service.game(&people[1], &id).await;
        assert_eq!(without_nulls(game["options"][field]["components"].clone()), given, "as they were given");
        let hash = game["componentsHash"].as_str().expect("the tables have a hash");
        assert!(hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let tables = service.ask(&people[0], "components", json!({ "gameId": id })).await;
        let mut own_marks = marks(&tables).into_iter().filter(|(name, _)| name != "tokens");
        assert!(own_marks.all(|(_, reconstructed)| !reconstructed), "{tables}");

        // Beside a game with the built-in tables, and one with half of them.
        let (plain, others) = service.table(kind.name(), json!({}), seats).await;
        let game = service.game(&others[0], &plain).await;
        assert_eq!((&game["componentsHash"], &game["options"][field]["components"]), (&Value::Null, &Value::Null));
        let tables = service.ask(&others[0], "components", json!({ "gameId": plain })).await;
        let book = service.call_as_nobody("kind", json!({ "id": kind.name() })).await.expect("it is a kind");
        assert_eq!(tables, book["components"], "the tables of the kind");
        let (first, rest) = given.as_object().and_then(|tables| tables.iter().next()).expect("there are tables");
        let half = service.table(kind.name(), with(field, &json!({ first: rest, })), seats).await.0;
        let tables = service.call_as_nobody("components", json!({ "gameId": half })).await.expect("it is public");
        let given_marks: Vec<String> = marks(&tables)
            .into_iter()
            .filter(|(name, is_ours)| !is_ours && name != "tokens")
            .map(|mark| mark.0)
            .collect();
        assert_eq!(given_marks, [first.as_str()], "the other table is the built-in one");

        // The position has no table, and the log reads the same to everyone.
        let size = position_of(&service, &id).await.len();
        assert!(size < 1_000, "{kind}: a position of {size} bytes");
        assert_eq!(stored_options(&service, &id).await["components"], given);
        let picture = async |game: &str| {
            let ask = json!({ "gameId": game, "width": 480 });
            service.ask(&people[0], "componentsPicture", ask).await.to_string()
        };
        let (own_picture, plain_picture) = (picture(&id).await, picture(&plain).await);
        assert!(own_picture.contains("<svg") && own_picture != plain_picture, "{kind}");
        match kind {
            Kind::Mahola => assert!(own_picture.contains("Card 1 (WAR, RED 9, SNAKE, SUN +2 adjacent)")),
            _ => assert!(own_picture.contains("Rāja &lt;0&gt; &amp; his brothers")),
        }
        let words = words_of_a_turn(&service, kind, &id, &people).await;
        match kind {
            Kind::Mahola => assert!(words.iter().all(|text| says_its_own_value(text)), "{words:?}"),
            _ => assert!(words.iter().all(|text| text.contains("his brothers")), "{words:?}"),
        }
    }
}

/// Everything that is said about cards or leaders when each seat has moved once.
async fn words_of_a_turn(service: &Service, kind: Kind, id: &str, people: &[Person]) -> Vec<String> {
    let mut words = Vec::new();
    for _ in people {
        let game = service.game(&people[0], id).await;
        let seat = game["toAct"][0].as_u64().expect("somebody is to act");
        let person = &people[usize::try_from(seat).expect("seats are few")];
        let moves = service.ask(person, "legalMoves", json!({ "gameId": id, "limit": 500 })).await;
        let items = moves["items"].as_array().expect("a list");
        let named = |mv: &&Value| kind == Kind::Mahola || mv["notation"].as_str().is_some_and(|mv| mv.contains(" l"));
        let chosen = items.iter().find(named).expect("there is such a move");
        words.push(chosen["text"].as_str().expect("a text").to_string());
        service.play(person, id, chosen["notation"].as_str().expect("a text")).await;
    }
    let is_told = |event: &&Value| matches!(event["type"].as_str(), Some("MaholaPlaced" | "MahabharataPlaced"));
    for entry in service.log(&people[0], id).await {
        let told = entry["events"].as_array().expect("a list").iter().filter(is_told);
        words.extend(told.map(|event| event["text"].as_str().expect("a text").to_string()));
    }
    let text = service.ask(&people[0], "text", json!({ "gameId": id })).await;
    let text = text.as_str().expect("a text");
    let lines = text.lines().filter(|line| match kind {
        Kind::Mahola => line.starts_with("    ") && line.contains('('),
        _ => line.contains(" point"),
    });
    words.extend(lines.map(String::from));
    assert!(words.len() > 2 * people.len(), "{words:?}");
    words
}

/// Whether a text about a card of Mahola has the value that the own table gives it: 10 less the built-in one.
fn says_its_own_value(text: &str) -> bool {
    let own = own("MAHOLA");
    let cards = own["cards"].as_array().expect("cards are a list");
    let (before, face) = text.split_once(" (").expect("a face is in brackets");
    let number: usize = before.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a card has a number");
    face.contains(&format!(
        "{} {},",
        cards[number - 1]["colour"].as_str().expect("a colour"),
        cards[number - 1]["value"]
    ))
}

async fn the_catalogue_has_the_tables_that_the_option_takes(service: Service) {
    let asha = service.guest("Asha").await;
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("anybody may read the rules");
    for book in kinds.as_array().expect("a list") {
        let Some(&(kind, field, _)) = KINDS.iter().find(|(kind, ..)| book["kind"] == kind.name()) else {
            assert_eq!(book["builtInComponents"], Value::Null);
            continue;
        };
        let tables = &book["builtInComponents"][field];
        assert_eq!(without_nulls(tables.clone()), built_in(kind.name()));
        let about =
            book["options"].as_array().and_then(|options| options.iter().find(|about| about["name"] == "components"));
        assert_eq!(about.map(|about| (&about["value"], &about["default"])), Some((&json!("COMPONENTS"), &Value::Null)));
        // What is served is accepted as it is: a correction is an edit of it.
        let ask = json!({ "kind": kind.name(), "options": with(field, tables) });
        let game = service.ask(&asha, "createGame", ask).await;
        assert_eq!(&game["options"][field]["components"], tables);
        service.ask(&asha, "leaveGame", json!({ "gameId": game["id"] })).await;
        for nothing in [json!({ field: { "components": null } }), json!({ field: {} })] {
            let game = service.ask(&asha, "createGame", json!({ "kind": kind.name(), "options": nothing })).await;
            assert_eq!((&game["componentsHash"], &game["options"][field]["components"]), (&Value::Null, &Value::Null));
            service.ask(&asha, "leaveGame", json!({ "gameId": game["id"] })).await;
        }
    }
}

async fn own_tables_are_in_the_record_and_kept_by_rematches_and_branches(service: Service) {
    for (kind, field, seats) in KINDS {
        let given = own(kind.name());
        let (id, people) = service.table(kind.name(), with(field, &given), seats).await;
        let over = finish(&service, &id, &people, 9).await;
        let exported = record(&service, &people[0], &id).await;
        assert_eq!((&exported["options"]["components"], mismatch(&schema(), &exported)), (&given, None));

        let branch = service.ask(&people[0], "branchGame", json!({ "gameId": id, "ply": 4 })).await;
        assert_eq!(branch["options"], over["options"], "{kind}");
        let practice = branch["id"].as_str().expect("an id").to_string();
        for person in &people[1..] {
            service.ask(person, "joinGame", json!({ "gameId": practice })).await;
        }
        let mut dice = Dice::new(3);
        for _ in 0..4 {
            service.play_any(&people, &practice, &mut dice).await;
        }
        assert_eq!(game_of(&service, kind, &practice).await.ply(), 4, "it is loaded with its tables");
        finish(&service, &practice, &people, 0).await;
        let branched = record(&service, &people[0], &practice).await;
        assert_eq!(branched["origin"]["record"]["options"]["components"], given);
        let (is_true, said) = verified(&service, &[exported.clone(), branched]);
        assert!(is_true, "{kind}: {said}");

        let again = service.ask(&people[0], "rematch", json!({ "gameId": id })).await;
        assert_eq!(
            (&again["options"], &again["componentsHash"]),
            (&over["options"], &over["componentsHash"]),
            "{kind}"
        );

        // A table in a record that was changed, and one that is no table.
        let mut forged = exported.clone();
        let change = if kind == Kind::Mahola { "/components/cards/5/value" } else { "/components/leaders/5/points" };
        *forged["options"].pointer_mut(change).expect("it is there") = json!(7);
        let mut broken = exported.clone();
        broken["options"]["components"] = json!({});
        let (is_true, said) = verified(&service, &[forged, broken]);
        assert!(!is_true && said.lines().filter(|line| line.contains("invalid")).count() == 2, "{said}");
        let rule = if kind == Kind::Mahola { "mahola.12" } else { "mbh.14" };
        assert!(said.contains(rule), "{said}");
    }
    let output = service.server.home.run(&["verify", "--live"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

async fn bots_play_with_own_tables(service: Service) {
    let asha = service.guest("Asha").await;
    for (kind, field, seats) in KINDS {
        let bots: Vec<Value> = (1..seats).map(|_| json!({ "bot": { "level": 2 } })).collect();
        let seats: Vec<Value> = [vec![json!({ "me": true })], bots].concat();
        let ask = json!({ "kind": kind.name(), "seats": seats, "options": with(field, &own(kind.name())) });
        let game = service.ask(&asha, "createGame", ask).await;
        let id = game["id"].as_str().expect("an id").to_string();
        let people = [asha.clone()];
        let mut dice = Dice::new(4);
        for _ in 0..3 {
            let game = service.settled(&asha, &id).await;
            if !game["toAct"].as_array().expect("a list").is_empty() {
                service.play_any(&people, &id, &mut dice).await;
            }
        }
        service.settled(&asha, &id).await;
        service.ask(&asha, "resign", json!({ "gameId": id })).await;
        let exported = record(&service, &asha, &id).await;
        let file = service.server.home.directory.join("bots.json");
        std::fs::write(&file, exported.to_string()).expect("the directory can be written");
        let file = file.to_str().expect("a path").to_string();
        let output = service.server.home.run(&["verify", "--bots", &file]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("derived again"), "{kind}: {said}");
    }
}

/// A fault of a table: the change to the built-in ones at a place, whether the schema of GraphQL refuses it, too, and
/// a part of the sentence.
type Fault = (&'static str, Value, bool, &'static str);

fn faults_of_mahola() -> Vec<Fault> {
    vec![
        ("/cards/43", Value::Null, false, "must have 44 entries, not 43"),
        ("/cards/7/card", json!(7), false, "After card 7, the table cards must have card 8, not card 7."),
        ("/cards/2/value", json!(0), false, "card 3 must be a whole number from 1 to 9, not 0"),
        ("/cards/2/animal", json!("FOX"), true, "the animal of card 3"),
        ("/cards/2/secondary", json!({ "dance": "SPECIAL", "points": 1 }), false, "the dance of secondary of card 3"),
        ("/characters/2/colour", json!("RED"), false, "CHIEF and HUNTER have the same colour"),
    ]
}

fn faults_of_mahabharata() -> Vec<Fault> {
    let of_four = |_: usize| json!({ "points": 4, "spaces": ["CHARIOT", "CHARIOT", "CHARIOT", "CHARIOT"] });
    let mut leaders: Vec<Value> = (0..10).map(of_four).collect();
    leaders.iter_mut().enumerate().for_each(|(n, leader)| leader["name"] = json!(format!("Leader {n}")));
    vec![
        ("/leaders/9", Value::Null, false, "must have 10 entries, not 9"),
        ("/leaders/1/name", json!("Virata"), false, "entries 0 and 1 are both named"),
        ("/leaders/2/spaces", json!(["CHARIOT", "CAVALRY", "INFANTRY"]), false, "as many spaces as points: 4, not 3"),
        ("/leaders", json!(leaders), false, "no leaders have exactly 18 points together"),
        ("/dice/0/faces", json!(["RAJA", "RAJA", "RAJA", "CHARIOT1", "CHARIOT1"]), false, "must have 6 faces, not 5"),
        ("/dice/0/faces/1", json!("CHARIOT2"), true, "face 1 of CHARIOT"),
        ("/dice/1/faces", json!(["RAJA", "RAJA", "RAJA", "RAJA", "RAJA", "RAJA"]), false, "needs of ELEPHANT"),
        (
            "/dice/2/faces",
            json!(["CAVALRY2", "CAVALRY2", "CAVALRY2", "CAVALRY2", "CAVALRY2", "RAJA"]),
            false,
            "needs of CAVALRY",
        ),
    ]
}

/// The built-in tables with another value at a place; null removes it.
fn changed(kind: &str, place: &str, value: &Value) -> Value {
    let mut tables = built_in(kind);
    match (value, place.rsplit_once('/')) {
        (Value::Null, Some((list, _))) => {
            tables.pointer_mut(list).and_then(Value::as_array_mut).expect("it is a list").pop();
        }
        (value, Some((object, name))) if !name.bytes().all(|digit| digit.is_ascii_digit()) => {
            tables.pointer_mut(object).expect("it is an object")[name] = value.clone();
        }
        (value, _) => *tables.pointer_mut(place).expect("it is there") = value.clone(),
    }
    tables
}

#[tokio::test]
async fn a_table_that_is_wrong_opens_no_game_and_the_refusal_names_the_rule() {
    for by_graphql in [false, true] {
        let service = Service::with(Database::Sqlite, by_graphql, &[]).await;
        let asha = service.guest("Asha").await;
        let refused = async |kind: &str, field: &str, tables: Value| {
            let ask = json!({ "kind": kind, "options": with(field, &tables) });
            let refused = service.refusal(&asha, "createGame", ask).await;
            assert_eq!(refused.code, "INVALID_INPUT", "{refused:?}");
            refused
        };
        let all = [
            ("MAHOLA", "mahola", "mahola.12", faults_of_mahola()),
            ("MAHABHARATA", "mahabharata", "mbh.14", faults_of_mahabharata()),
        ];
        for (kind, field, rule, faults) in all {
            for (place, value, is_of_schema, said) in faults {
                let refused = refused(kind, field, changed(kind, place, &value)).await;
                // Names are enum values in GraphQL: its schema refuses an unknown one first.
                if by_graphql && is_of_schema {
                    assert_eq!(refused.rule, None, "{refused:?}");
                } else {
                    assert_eq!(refused.rule.as_deref(), Some(rule), "{refused:?}");
                    assert!(refused.text.contains(said), "{refused:?}");
                }
            }
            let empty = refused(kind, field, json!({})).await;
            assert_eq!(empty.rule.as_deref(), Some(rule), "{empty:?}");
            // What is no table at all is refused like any other input.
            for odd in [json!([]), json!({ "wells": [] }), json!("built-in"), json!({ "leaders": 7, "cards": 7 })] {
                assert_eq!(refused(kind, field, odd).await.rule, None);
            }
        }
        let fine = json!(["INFANTRY1", "INFANTRY2", "INFANTRY1", "INFANTRY2", "INFANTRY1", "INFANTRY2"]);
        let tables = changed("MAHABHARATA", "/dice/3/faces", &fine);
        let ask = json!({ "kind": "MAHABHARATA", "options": with("mahabharata", &tables) });
        service.ask(&asha, "createGame", ask).await;
        let listed = service.ask(&asha, "myGames", json!({})).await;
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "refused tables opened no game");
    }
}

#[tokio::test]
async fn lists_and_answers_to_moves_have_the_hash_by_rest_and_what_is_selected_by_graphql() {
    let service = Service::with(Database::Sqlite, false, &[]).await;
    let (id, people) = service.table("MAHOLA", with("mahola", &own("MAHOLA")), 3).await;
    let game = service.game(&people[0], &id).await;
    let listed = service.ask(&people[0], "myGames", json!({})).await["items"][0].take();
    let moves = service.ask(&people[0], "legalMoves", json!({ "gameId": id })).await;
    let played = service.play(&people[0], &id, moves["items"][0]["notation"].as_str().expect("a text")).await;
    for brief in [&listed, &played["game"]] {
        assert_eq!(brief["options"]["mahola"]["components"], Value::Null);
        assert_eq!(brief["componentsHash"], game["componentsHash"]);
    }
    let graphql = GraphqlClient::new(&service.server.address);
    let call = graphql.call(Some(&people[0].token), None, "myGames", json!({}));
    let selected = call.await.expect("it answers")["items"][0].take();
    assert_eq!(selected["options"], game["options"]);
}

#[tokio::test]
async fn a_retry_with_other_tables_is_another_request() {
    let service = Service::with(Database::Sqlite, false, &[]).await;
    let asha = service.guest("Asha").await;
    let ask = |tables: Value| json!({ "kind": "MAHOLA", "options": with("mahola", &tables), "idempotencyKey": "one-game-please" });
    let game = service.ask(&asha, "createGame", ask(own("MAHOLA"))).await;
    let again = service.ask(&asha, "createGame", ask(own("MAHOLA"))).await;
    assert_eq!((&again["id"], &again["repeated"]), (&game["id"], &json!(true)));
    let refused = service.refusal(&asha, "createGame", ask(built_in("MAHOLA"))).await;
    assert_eq!(refused.code, "IDEMPOTENCY_KEY_REUSED");
}
