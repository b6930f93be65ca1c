//! Looking back: every ply of a game, as it was seen then.

use serde_json::{Value, json};

use crate::support::mara::{after_a_peek, known_tiles};
use crate::support::service::{number, seats_to_act};
use crate::support::{Dice, Person, Service, seated, stories};

stories!(
    every_moment_of_a_game_is_shown_as_it_was,
    what_a_player_is_to_remember_is_not_shown_again,
    a_notepad_is_read_as_it_was,
    a_cancelled_game_keeps_its_secrets,
    there_is_no_past_before_the_start_nor_a_future,
);

async fn at(service: &Service, who: &Person, id: &str, ply: usize) -> Value {
    service.ask(who, "at", json!({ "gameId": id, "ply": ply })).await
}

/// The current views: one for each seat, and the spectator's last.
async fn views(service: &Service, id: &str, people: &[Person]) -> Vec<Value> {
    let mut views = Vec::new();
    for person in people {
        views.push(service.game(person, id).await["view"].clone());
    }
    let watched = service.call_as_nobody("game", json!({ "gameId": id })).await.expect("guests' games can be watched");
    views.push(watched["view"].clone());
    views
}

/// Plays at random, for this many moves or to the end, and keeps all views after each. Seat 2 resigns on the way.
async fn played(service: &Service, id: &str, people: &[Person], most: usize, resigning: bool) -> Vec<Vec<Value>> {
    let mut dice = Dice::new(9);
    let mut seen = vec![views(service, id, people).await];
    for turn in 0..most {
        let game = service.settled(&people[0], id).await;
        let to_act = seats_to_act(&game);
        if to_act.is_empty() {
            break;
        }
        if resigning && turn == 4 {
            service.ask(&people[2], "resign", json!({ "gameId": id })).await;
        } else {
            let seat = to_act[dice.below(to_act.len())];
            let moves = service.ask(&people[seat], "legalMoves", json!({ "gameId": id, "limit": 200 })).await;
            let items = moves["items"].as_array().unwrap();
            let notation = items[dice.below(items.len())]["notation"].as_str().unwrap();
            service.play(&people[seat], id, notation).await;
        }
        // The views while a bot was thinking for a resigned seat are not known.
        let ply = number(&service.settled(&people[0], id).await["ply"]);
        seen.resize(ply + 1, Vec::new());
        if ply.is_multiple_of(3) {
            seen[ply] = views(service, id, people).await;
        }
    }
    seen
}

async fn every_moment_of_a_game_is_shown_as_it_was(service: Service) {
    for (kind, options, seats, most) in [
        ("MAHOLA", json!({ "mahola": { "roundsToWin": 1 } }), 3, 400),
        ("MACARENA", json!({ "macarena": { "maxHands": 1 } }), 3, 12),
    ] {
        let (id, people) = service.table(kind, options, seats).await;
        let seen = played(&service, &id, &people, most, kind == "MAHOLA").await;
        // Only some of them, because each costs many requests.
        let past = seen.iter().enumerate().filter(|(ply, views)| ply % 3 == 0 && !views.is_empty());
        if kind == "MAHOLA" {
            assert_eq!(service.game(&people[0], &id).await["status"], "OVER");
        } else {
            for (ply, views) in past.clone() {
                for (seat, person) in people.iter().enumerate() {
                    let then = at(&service, person, &id, ply).await;
                    assert_eq!(then["view"], views[seat], "ply {ply}");
                    assert_eq!(
                        (&then["ply"], &then["seenBy"], &then["open"]),
                        (&json!(ply), &json!(seat), &json!(false))
                    );
                }
                let watched = service.call_as_nobody("at", json!({ "gameId": id, "ply": ply })).await.unwrap();
                assert_eq!((&watched["view"], &watched["seenBy"]), (&views[seats], &Value::Null), "ply {ply}");
            }
            let others = json!({ "gameId": id, "ply": 1, "seat": 0 });
            assert_eq!(service.refusal(&people[1], "at", others.clone()).await.code, "FORBIDDEN");
            assert_eq!(service.call_as_nobody("at", others.clone()).await.unwrap_err().code, "FORBIDDEN");
            assert_eq!(service.ask(&people[0], "at", others).await, at(&service, &people[0], &id, 1).await);
            for person in &people[1..] {
                service.ask(person, "resign", json!({ "gameId": id })).await;
            }
        }
        // Once the game is over, anybody may view it as any seat, or all of it.
        let last = seen.len() - 1;
        for (ply, views) in past {
            let open = service.call_as_nobody("at", json!({ "gameId": id, "ply": ply })).await.unwrap();
            assert_eq!((&open["open"], &open["seenBy"]), (&json!(true), &Value::Null));
            for (seat, view) in views[..seats].iter().enumerate() {
                // The last view was taken when everything was open.
                if ply < last {
                    let ask = json!({ "gameId": id, "ply": ply, "seat": seat });
                    let then = service.call_as_nobody("at", ask).await.unwrap();
                    assert_eq!((&then["view"], &then["seenBy"]), (view, &json!(seat)), "ply {ply}");
                    assert_ne!(then["view"], open["view"], "hands were hidden");
                }
            }
        }
        let game = service.game(&people[0], &id).await;
        let end = at(&service, &people[1], &id, number(&game["ply"])).await;
        assert_eq!((&end["view"], &end["outcome"]), (&game["view"], &game["outcome"]));
        assert_eq!(end["toAct"], json!([]));
    }
}

async fn what_a_player_is_to_remember_is_not_shown_again(service: Service) {
    let (id, people, peeked) = after_a_peek(&service, false).await;
    let ply = number(&peeked["game"]["ply"]);
    let now = at(&service, &people[0], &id, ply).await;
    assert!(!known_tiles(&now).is_empty(), "the turn is not over: the present is shown");
    service.play(&people[0], &id, "end").await;
    let mut ask = json!({ "gameId": id, "ply": ply });
    for seat in [Value::Null, json!(0)] {
        if !seat.is_null() {
            ask["seat"] = seat;
        }
        let then = service.ask(&people[0], "at", ask.clone()).await;
        assert_eq!((known_tiles(&then), &then["seenBy"]), (Vec::new(), &Value::Null), "as somebody who watches saw it");
    }
    service.ask(&people[1], "resign", json!({ "gameId": id })).await;
    let then = service.ask(&people[1], "at", json!({ "gameId": id, "ply": ply, "seat": 0 })).await;
    assert_eq!(known_tiles(&then), known_tiles(&peeked["game"]), "after the end nothing is forgotten");
    assert!(known_tiles(&at(&service, &people[1], &id, 0).await).len() > known_tiles(&then).len());
}

async fn a_notepad_is_read_as_it_was(service: Service) {
    let (id, people, peeked) = after_a_peek(&service, true).await;
    let ply = number(&peeked["game"]["ply"]);
    service.play(&people[0], &id, "end").await;
    assert_eq!(at(&service, &people[0], &id, ply).await["view"], peeked["game"]["view"]);
    assert_eq!(
        known_tiles(&at(&service, &people[0], &id, ply - 1).await),
        Vec::<i64>::new(),
        "it was not known before"
    );
    assert_eq!(known_tiles(&at(&service, &people[1], &id, ply).await), Vec::<i64>::new());
}

async fn a_cancelled_game_keeps_its_secrets(service: Service) {
    let app = service.app("tables");
    let mut people = Vec::new();
    for name in ["Asha", "Ben"] {
        let player = service.ask(&app, "registerPlayer", json!({ "name": name })).await;
        let token = service.ask(&app, "issueToken", json!({ "playerId": player["player"]["id"] })).await;
        let text = |value: &Value| value.as_str().unwrap().to_string();
        people.push(Person { id: text(&player["player"]["id"]), token: text(&token["token"]) });
    }
    let ask = json!({ "kind": "MACARENA", "seats": seated(&[&people[0].id, &people[1].id]) });
    let game = service.ask(&app, "createGame", ask).await;
    let id = game["id"].as_str().unwrap();
    let before = at(&service, &people[0], id, 0).await;
    assert_eq!(service.ask(&app, "cancelGame", json!({ "gameId": id })).await["status"], "CANCELLED");
    assert_eq!(at(&service, &people[0], id, 0).await, before);
    assert_eq!(at(&service, &app, id, 0).await["open"], false);
    let others = json!({ "gameId": id, "ply": 0, "seat": 1 });
    assert_eq!(service.refusal(&people[0], "at", others.clone()).await.code, "FORBIDDEN");
    assert_eq!(service.refusal(&app, "at", others).await.code, "FORBIDDEN");
}

async fn there_is_no_past_before_the_start_nor_a_future(service: Service) {
    let asha = service.guest("Asha").await;
    let open = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "visibility": "PRIVATE" })).await;
    let ask = |id: &Value, ply: i64| json!({ "gameId": id, "ply": ply });
    assert_eq!(service.refusal(&asha, "at", ask(&open["id"], 0)).await.code, "CONFLICT");
    let stranger = service.guest("Stranger").await;
    assert_eq!(service.refusal(&stranger, "at", ask(&open["id"], 0)).await.code, "NOT_FOUND");
    service.ask(&asha, "cancelGame", json!({ "gameId": open["id"] })).await;
    assert_eq!(service.refusal(&asha, "at", ask(&open["id"], 0)).await.code, "CONFLICT");

    let (id, [asha, _]) = service.kalah(json!({})).await;
    let start = at(&service, &asha, &id, 0).await;
    assert_eq!((&start["view"], &start["toAct"]), (&service.game(&asha, &id).await["view"], &json!([0])));
    for ply in [-1, 1, i64::from(i32::MAX), i64::from(i32::MIN)] {
        assert_eq!(service.refusal(&asha, "at", ask(&json!(id), ply)).await.code, "INVALID_INPUT", "{ply}");
    }
    for seat in [-1, 2, 300] {
        let ask = json!({ "gameId": id, "ply": 0, "seat": seat });
        assert_eq!(service.refusal(&asha, "at", ask).await.code, "INVALID_INPUT", "{seat}");
    }
}
