//! Secrets in the running service: pending choices, hands, and what players have to remember.

use serde_json::{Value, json};

use crate::support::database::twin_of;
use crate::support::mara::{after_a_peek, known_tiles};
use crate::support::service::seats_to_act;
use crate::support::tags::without_tags;
use crate::support::{Dice, Person, Service, stories};

stories!(
    choices_of_several_seats_at_once_all_succeed,
    a_pending_choice_survives_a_restart,
    nobody_can_tell_what_another_seat_chose,
    secret_moves_are_shown_to_their_mover_and_to_all_after_the_end,
    a_peek_is_forgotten_when_the_turn_ends,
    a_notepad_keeps_what_was_peeked_at,
);

async fn first_move(service: &Service, who: &Person, id: &str) -> Value {
    service.ask(who, "legalMoves", json!({ "gameId": id, "limit": 1 })).await["items"][0].clone()
}

async fn choices_of_several_seats_at_once_all_succeed(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({}), 4).await;
    for _ in 0..3 {
        let version = service.game(&people[0], &id).await["version"].clone();
        let mut asks = Vec::new();
        for person in &people {
            let notation = first_move(&service, person, &id).await["notation"].clone();
            // All decide on the same version: the choices of others in the meantime make nobody stale.
            asks.push(json!({ "gameId": id, "notation": notation, "expectedVersion": version }));
        }
        let answers = tokio::join!(
            service.ask(&people[0], "playMove", asks[0].clone()),
            service.ask(&people[1], "playMove", asks[1].clone()),
            service.ask(&people[2], "playMove", asks[2].clone()),
            service.ask(&people[3], "playMove", asks[3].clone()),
        );
        let mut versions: Vec<i64> = [answers.0, answers.1, answers.2, answers.3]
            .iter()
            .map(|answer| answer["version"].as_i64().unwrap())
            .collect();
        versions.sort_unstable();
        let first = version.as_i64().unwrap() + 1;
        assert_eq!(versions, (first..first + 4).collect::<Vec<_>>(), "each is an entry of its own");
    }
}

async fn a_pending_choice_survives_a_restart(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({}), 3).await;
    let chosen = first_move(&service, &people[1], &id).await;
    service.play(&people[1], &id, chosen["notation"].as_str().unwrap()).await;
    let before = service.game(&people[1], &id).await;
    let service = service.restarted(&[]).await;
    assert_eq!(service.game(&people[1], &id).await, before);
    let again = service.refusal(&people[1], "playMove", json!({ "gameId": id, "notation": chosen["notation"] })).await;
    assert_eq!((again.code.as_str(), again.rule.as_deref()), ("NOT_YOUR_TURN", Some("mahola.11")));
    for seat in [0, 2] {
        let notation = first_move(&service, &people[seat], &id).await["notation"].clone();
        service.play(&people[seat], &id, notation.as_str().unwrap()).await;
    }
    assert_eq!(seats_to_act(&service.game(&people[0], &id).await), [0, 1, 2], "all have chosen: the next choice opens");
}

/// Removes what differs between any two games: ids, times, commitments.
fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (name, value) in fields {
                let varies = ["commitment", "at", "id", "createdAt", "startedAt", "endedAt"].contains(&name.as_str());
                if varies { *value = Value::Null } else { mask(value) }
            }
        }
        _ => {}
    }
}

/// Everything that a caller can read of a game, except what differs between any two games.
async fn everything(service: &Service, who: Option<&Person>, id: &str) -> String {
    let token = who.map(|person| person.token.as_str());
    let mut answers = Vec::new();
    for operation in ["game", "legalMoves", "log", "continuations"] {
        match service.client.call(token, None, operation, json!({ "gameId": id })).await {
            Ok(answer) => answers.push(answer),
            Err(refused) => answers.push(json!(format!("{refused:?}"))),
        }
    }
    for ply in 0..=answers[0]["ply"].as_i64().unwrap() {
        let then = service.client.call(token, None, "at", json!({ "gameId": id, "ply": ply })).await;
        answers.push(then.expect("the past can be looked at"));
    }
    let mut request = reqwest::Client::new().get(format!("{}/v1/games/{id}", service.server.address));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.unwrap();
    answers.push(json!(response.headers()["etag"].to_str().unwrap()));
    let games = service.client.call(token, None, "games", json!({})).await.expect("a list");
    let listed = games["items"].as_array().unwrap().iter().find(|game| game["id"] == id).cloned();
    answers.push(listed.expect("it is in the list"));
    let mut answers = Value::Array(answers);
    mask(&mut answers);
    without_tags(&answers.to_string())
}

async fn nobody_can_tell_what_another_seat_chose(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({}), 3).await;
    let twin = twin_of(&service, &id).await;
    let mut dice = Dice::new(5);
    for round in 0..6 {
        // Seat 1 chooses differently in the two games; until all have chosen nobody else can tell.
        let moves = service.ask(&people[1], "legalMoves", json!({ "gameId": id })).await;
        let items = moves["items"].as_array().unwrap();
        let (here, there) = (&items[dice.below(items.len())], &items[dice.below(items.len())]);
        service.play(&people[1], &id, here["notation"].as_str().unwrap()).await;
        service.play(&people[1], &twin, there["notation"].as_str().unwrap()).await;
        let others = [None, Some(&people[0]), Some(&people[2])];
        for who in others {
            assert_eq!(everything(&service, who, &id).await, everything(&service, who, &twin).await, "round {round}");
        }
        let notation = first_move(&service, &people[0], &id).await["notation"].clone();
        for game in [&id, &twin] {
            service.play(&people[0], game, notation.as_str().unwrap()).await;
        }
        for who in [None, Some(&people[2])] {
            assert_eq!(everything(&service, who, &id).await, everything(&service, who, &twin).await, "round {round}");
        }
        if here != there {
            break;
        }
        let notation = first_move(&service, &people[2], &id).await["notation"].clone();
        for game in [&id, &twin] {
            service.play(&people[2], game, notation.as_str().unwrap()).await;
        }
    }
}

async fn secret_moves_are_shown_to_their_mover_and_to_all_after_the_end(service: Service) {
    let (id, people) = service.table("MAHOLA", json!({ "mahola": { "roundsToWin": 1 } }), 3).await;
    let chosen = first_move(&service, &people[0], &id).await;
    service.play(&people[0], &id, chosen["notation"].as_str().unwrap()).await;
    let last = async |who: &Person| service.log(who, &id).await.last().unwrap().clone();
    let own = last(&people[0]).await;
    assert_eq!((&own["notation"], &own["move"]), (&chosen["notation"], &chosen["move"]));
    let others = last(&people[1]).await;
    assert_eq!((&others["notation"], &others["move"], &others["secret"]), (&Value::Null, &Value::Null, &json!(true)));
    service.ask(&people[1], "resign", json!({ "gameId": id })).await;
    service.ask(&people[2], "resign", json!({ "gameId": id })).await;
    let log = service.log(&people[1], &id).await;
    let entry = log.iter().find(|entry| entry["version"] == own["version"]).unwrap();
    assert_eq!(entry["notation"], chosen["notation"], "after the end all is shown to all");
}

/// Nobody but the mover is shown anything, in any request.
async fn others_know_nothing(service: &Service, id: &str, other: &Person) {
    assert_eq!(known_tiles(&service.game(other, id).await), Vec::<i64>::new());
    let watched = service.call_as_nobody("game", json!({ "gameId": id })).await.unwrap();
    assert_eq!(known_tiles(&watched), Vec::<i64>::new());
}

/// The log names no animal to any reader.
async fn the_log_names_no_animal(service: &Service, id: &str, people: &[Person]) {
    for person in people {
        let log = Value::from(service.log(person, id).await).to_string();
        for animal in ["CARNIVORE", "HERBIVORE", "PRIMATE", "AMPHIBIAN", "BIRD", "INSECT"] {
            assert!(!log.contains(animal), "{log}");
        }
    }
}

async fn a_peek_is_forgotten_when_the_turn_ends(service: Service) {
    let (id, people, peeked) = after_a_peek(&service, false).await;
    let known = known_tiles(&peeked["game"]);
    assert_eq!(known_tiles(&service.game(&people[0], &id).await), known, "it can be read until the turn ends");
    others_know_nothing(&service, &id, &people[1]).await;
    the_log_names_no_animal(&service, &id, &people).await;

    let ended = service.play(&people[0], &id, "end").await;
    assert_eq!(known_tiles(&ended["game"]), Vec::<i64>::new());
    assert_eq!(known_tiles(&service.game(&people[0], &id).await), Vec::<i64>::new());
    // A retry of the old request gets its events again, with the current view.
    let ask = json!({ "gameId": id, "notation": "peek", "idempotencyKey": "look" });
    let again = service.ask(&people[0], "playMove", ask).await;
    assert_eq!((&again["repeated"], &again["events"]), (&json!(true), &peeked["events"]));
    assert_eq!(known_tiles(&again["game"]), Vec::<i64>::new());
    let listed = service.ask(&people[0], "myGames", json!({})).await;
    assert_eq!(known_tiles(&listed["items"][0]), Vec::<i64>::new());
    others_know_nothing(&service, &id, &people[1]).await;
    the_log_names_no_animal(&service, &id, &people).await;
    let service = service.restarted(&[]).await;
    assert_eq!(known_tiles(&service.game(&people[0], &id).await), Vec::<i64>::new());
}

async fn a_notepad_keeps_what_was_peeked_at(service: Service) {
    let (id, people, peeked) = after_a_peek(&service, true).await;
    service.play(&people[0], &id, "end").await;
    let later = service.game(&people[0], &id).await;
    assert_eq!(later["view"]["tiles"], peeked["game"]["view"]["tiles"], "it stays in that player's view for good");
    others_know_nothing(&service, &id, &people[1]).await;
    the_log_names_no_animal(&service, &id, &people).await;
}
