//! Whole games of every kind, played through the service by clients that do not know the rules.

use domain::Kind;
use serde_json::{Value, json};

use crate::support::graphql::GraphqlClient;
use crate::support::kinds::missing_versions;
use crate::support::rest::RestClient;
use crate::support::service::{seats_to_act, tokens};
use crate::support::tables::own;
use crate::support::{Client, Database, Dice, Person, Service, stories};

stories!(players_who_resign_are_played_for, a_series_is_built_card_by_card_and_faults_are_pointed_at);

/// Stories of whole games, one per kind and rules version. A table has options, seats and a limit of moves.
macro_rules! whole_games {
    ($($story:ident: $Kind:ident by version $version:literal, [$(($options:tt, $seats:literal, $most:ident)),* $(,)?];)*) => {
        stories!($($story,)*);

        $(
            async fn $story(service: Service) {
                $(play_whole(&service, Kind::$Kind, $version, json!($options), $seats, $most).await;)*
            }
        )*

        const PLAYED_WHOLE: &[(Kind, u32)] = &[$((Kind::$Kind, $version)),*];
    };
}

/// Enough moves to reach the end of every game that is played to its end.
const TO_THE_END: usize = 400;
/// A whole game of The Mara takes too long with random moves.
const FOR_A_WHILE: usize = 60;

whole_games!(
    a_table_of_kalah: Kalah by version 1, [
        ({}, 2, TO_THE_END),
        ({ "kalah": { "pockets": 4, "seedsPerPocket": 3 } }, 2, TO_THE_END),
    ];
    a_table_of_mahabharata: Mahabharata by version 2, [
        ({}, 2, TO_THE_END),
        ({ "mahabharata": { "askEveryone": true } }, 3, TO_THE_END),
        ({}, 4, TO_THE_END),
        ({ "mahabharata": { "components": own("MAHABHARATA") } }, 3, TO_THE_END),
    ];
    an_old_table_of_mahabharata: Mahabharata by version 1, [({}, 3, TO_THE_END)];
    a_table_of_mahola: Mahola by version 2, [
        ({ "mahola": { "roundsToWin": 1 } }, 3, TO_THE_END),
        ({ "mahola": { "roundsToWin": 1, "lastPass": false } }, 4, TO_THE_END),
        ({ "mahola": { "roundsToWin": 1, "components": own("MAHOLA") } }, 3, TO_THE_END),
    ];
    an_old_table_of_mahola: Mahola by version 1, [({ "mahola": { "roundsToWin": 1 } }, 3, TO_THE_END)];
    a_table_of_macarena: Macarena by version 2, [
        ({ "macarena": { "maxHands": 1, "firstHandReturns": true } }, 2, TO_THE_END),
        ({ "macarena": { "maxHands": 1, "mirrorTurnDraws": true } }, 5, TO_THE_END),
    ];
    an_old_table_of_macarena: Macarena by version 1, [({ "macarena": { "maxHands": 1 } }, 3, TO_THE_END)];
    a_table_of_the_mara: Mara by version 2, [({ "mara": { "notepads": true, "quietTurnsPerSeat": 10 } }, 3, FOR_A_WHILE)];
    an_old_table_of_the_mara: Mara by version 1, [({ "mara": { "notepads": true } }, 2, FOR_A_WHILE)];
    a_table_of_the_mara_for_families: Mara by version 2, [({ "mara": { "variant": "FAMILY" } }, 2, FOR_A_WHILE)];
);

#[test]
fn every_kind_is_played_whole_by_every_version_of_its_rules() {
    assert_eq!(missing_versions(PLAYED_WHOLE), []);
}

/// Plays by sending back legal moves, alternately in notation and structured, for this many moves or to the end.
async fn play_whole(service: &Service, kind: Kind, version: u32, options: Value, seats: usize, most: usize) {
    let (id, people) = service.table_by(version, kind, options, seats).await;
    let mut dice = Dice::new(seats as u64);
    let mut game = service.game(&people[0], &id).await;
    for ply in 0..most {
        let to_act = seats_to_act(&game);
        if to_act.is_empty() {
            break;
        }
        let seat = to_act[dice.below(to_act.len())];
        let moves = service.ask(&people[seat], "legalMoves", json!({ "gameId": id, "limit": 200 })).await;
        let items = moves["items"].as_array().unwrap();
        let chosen = &items[dice.below(items.len())];
        assert_eq!(
            service.ask(&people[seat], "explain", json!({ "gameId": id, "move": chosen["move"] })).await["legal"],
            true
        );
        let ask = if ply % 2 == 0 {
            json!({ "gameId": id, "notation": chosen["notation"], "expectedVersion": moves["version"] })
        } else {
            json!({ "gameId": id, "move": chosen["move"] })
        };
        let played = service.ask(&people[seat], "playMove", ask).await;
        for event in played["events"].as_array().unwrap() {
            assert!(!event["text"].as_str().unwrap().is_empty());
        }
        game = played["game"].clone();
        if ply % 10 == 0 {
            graphql_and_rest_answer_alike(service, &id, &people).await;
        }
    }
    graphql_and_rest_answer_alike(service, &id, &people).await;
    if most == TO_THE_END {
        assert_eq!(game["status"], "OVER", "{kind} with {seats} seats ends");
        assert_eq!(game["outcome"]["places"].as_array().unwrap().len(), seats);
        let views: Vec<Value> = vec![
            service.game(&people[0], &id).await["view"].clone(),
            service.game(&people[1], &id).await["view"].clone(),
        ];
        assert_eq!(views[0], views[1], "after the end all is open to all");
    }
}

/// REST and GraphQL give every viewer exactly the same.
async fn graphql_and_rest_answer_alike(service: &Service, id: &str, people: &[Person]) {
    let (rest, graphql) = (RestClient::new(&service.server.address), GraphqlClient::new(&service.server.address));
    let tokens = people.iter().map(|person| Some(person.token.as_str())).chain([None]);
    for token in tokens {
        for operation in ["game", "legalMoves", "log"] {
            let input = json!({ "gameId": id });
            let one = rest.call(token, None, operation, input.clone()).await.expect("REST answers");
            let other = graphql.call(token, None, operation, input).await.expect("GraphQL answers");
            assert_eq!(one, other, "{operation}");
        }
        let input = json!({ "gameId": id, "ply": 0 });
        let one = rest.call(token, None, "at", input.clone()).await.expect("REST answers");
        assert_eq!(one, graphql.call(token, None, "at", input).await.expect("GraphQL answers"));
    }
}

async fn players_who_resign_are_played_for(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({ "mahola": { "roundsToWin": 1 } }), 3).await;
    let resigned = service.ask(&people[1], "resign", json!({ "gameId": id })).await;
    assert_eq!(resigned["game"]["status"], "RUNNING");
    let game = service.settled(&people[0], &id).await;
    assert_eq!(seats_to_act(&game), [0, 2], "a bot has chosen for the seat");
    assert_eq!(game["seats"][1]["bot"]["level"], 2);
    let log = service.log(&people[0], &id).await;
    let moved = log.last().unwrap();
    assert_eq!((&moved["what"], &moved["auto"], &moved["seat"]), (&json!("MOVED"), &json!(false), &json!(1)));
    assert_eq!(moved["bot"], json!({ "level": 2, "version": domain::bot::VERSION }));
    assert_eq!((&moved["secret"], &moved["move"], &moved["notation"]), (&json!(true), &Value::Null, &Value::Null));
    let refused = service.refusal(&people[1], "playMove", json!({ "gameId": id, "notation": "play 1 LEFT" })).await;
    assert_eq!((refused.code.as_str(), refused.rule.as_deref()), ("NOT_YOUR_TURN", Some("table.1")));
    let last = service.ask(&people[2], "resign", json!({ "gameId": id })).await;
    assert_eq!(last["game"]["outcome"]["winners"], json!([0]));
    assert_eq!(last["game"]["outcome"]["places"], json!([1, 3, 2]));
}

/// The views of all kinds can be asked for in one query: equal names have equal types.
#[tokio::test]
async fn one_query_selects_the_views_of_all_kinds() {
    let service = Service::by_graphql(Database::Sqlite).await;
    for kind in Kind::ALL {
        service.table(kind.name(), json!({}), usize::from(*kind.seats().start())).await;
    }
    let page = service.call_as_nobody("games", json!({ "first": Kind::ALL.len() })).await.expect("anybody may watch");
    let mut found: Vec<String> =
        page["items"].as_array().unwrap().iter().map(|game| game["view"]["type"].to_string()).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), Kind::ALL.len(), "each kind has a view of its own: {found:?}");
}

async fn a_series_is_built_card_by_card_and_faults_are_pointed_at(service: Service) {
    let (id, people) = service.table("MACARENA", json!({ "macarena": { "firstSeat": 1 } }), 2).await;
    let player = &people[1];
    let next =
        async |prefix: Vec<&str>| service.ask(player, "continuations", json!({ "gameId": id, "prefix": prefix })).await;
    let explain =
        async |notation: String| service.ask(player, "explain", json!({ "gameId": id, "notation": notation })).await;

    let start = next(vec![]).await;
    assert_eq!(start["next"][0], json!({ "token": "pass", "text": "Pass", "type": "VERB" }), "passing comes first");
    assert_eq!(start["isMove"], false);
    for (well, about) in tokens(&start).iter().zip(start["next"].as_array().unwrap()).skip(1) {
        assert_eq!(about["type"], "PLACE");
        let cards = next(vec![well]).await;
        for (card, about) in tokens(&cards).iter().zip(cards["next"].as_array().unwrap()) {
            assert_eq!((&about["type"], &about["text"]), (&json!("CARD"), &json!(format!("Lay {card}"))));
            assert_eq!(next(vec![well, card]).await["isMove"], true, "one card is a series: {well} {card}");
            assert_eq!(explain(format!("{well} {card}")).await["legal"], true);
        }
    }

    let game = service.game(player, &id).await;
    let hands: Vec<&Value> =
        game["view"]["players"].as_array().unwrap().iter().filter(|seat| !seat["hand"].is_null()).collect();
    assert_eq!(hands.len(), 1, "one sees one's own hand");
    let hand = game["view"]["hand"].as_array().or(hands[0]["hand"].as_array()).expect("a hand");
    let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    let deck = ranks.iter().flat_map(|rank| ["E", "A", "W", "F"].map(|element| format!("{rank}{element}")));
    let missing =
        deck.into_iter().find(|card| !hand.iter().any(|held| held == card.as_str())).expect("nobody holds all");
    let wrong = explain(format!("w0 {missing}")).await;
    assert_eq!((&wrong["legal"], &wrong["rule"], &wrong["token"]), (&json!(false), &json!("mac.5"), &json!(1)));
    let refused =
        service.refusal(player, "playMove", json!({ "gameId": id, "notation": format!("w0 {missing}") })).await;
    assert_eq!(
        (refused.code.as_str(), refused.rule.as_deref(), refused.token),
        ("ILLEGAL_MOVE", Some("mac.5"), Some(1))
    );
    let long = format!("w0 {}", vec!["5E"; 2000].join(" "));
    let refused = service.refusal(player, "playMove", json!({ "gameId": id, "notation": long })).await;
    assert!(["ILLEGAL_MOVE", "INVALID_INPUT"].contains(&refused.code.as_str()));

    let one = service.ask(player, "legalMoves", json!({ "gameId": id, "limit": 1 })).await;
    assert_eq!((&one["items"][0]["notation"], &one["complete"]), (&json!("pass"), &json!(false)));
}
