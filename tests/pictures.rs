//! Positions as pictures and as plain text.

use domain::Kind;
use reqwest::Client;
use serde_json::{Value, json};

use crate::support::graphql::GraphqlClient;
use crate::support::rest::RestClient;
use crate::support::server::{Home, repository};
use crate::support::{Client as _, Credentials, Database, Dice, Person, Service, own_seat, stories};

stories!(
    every_kind_is_drawn_for_its_seats_and_for_spectators,
    a_game_that_has_not_started_has_no_picture,
    a_picture_has_bounds,
);

fn text_of(answer: &Value) -> &str {
    answer.as_str().expect("a drawing is text")
}

async fn drawn(service: &Service, who: &Person, operation: &str, input: Value) -> String {
    text_of(&service.ask(who, operation, input).await).to_string()
}

async fn every_kind_is_drawn_for_its_seats_and_for_spectators(service: Service) {
    for kind in Kind::ALL {
        let seats = usize::from(*kind.seats().start());
        let (id, people) = service.table(kind.name(), json!({}), seats).await;
        let mut dice = Dice::new(5);
        for _ in 0..5 {
            service.play_any(&people, &id, &mut dice).await;
        }
        let ask = json!({ "gameId": id, "theme": "DARK", "width": 360 });
        let (own, said) = drawn_and_said(&service, &people[1], &ask).await;
        assert!(own.starts_with("<svg") && own.contains("data-token") && own.contains("(you)"), "{kind}: {own}");
        assert!(said.to_lowercase().contains("seat 1 (") && said.contains(", you)"), "{kind}: {said}");
        let watched = service.call_as_nobody("picture", ask.clone()).await.expect("guests' games can be watched");
        assert!(!text_of(&watched).contains("(you)"));
        assert_eq!(own, drawn(&service, &people[1], "picture", with_seat(&ask, 1)).await, "{kind}");
        for operation in ["picture", "text"] {
            let other = json!({ "gameId": id, "seat": 0 });
            assert_eq!(service.refusal(&people[1], operation, other.clone()).await.code, "FORBIDDEN", "{kind}");
            assert_eq!(service.call_as_nobody(operation, other).await.unwrap_err().code, "FORBIDDEN", "{kind}");
            assert_alike(&service, &people[1], operation, json!({ "gameId": id })).await;
            let past = json!({ "gameId": id, "ply": 2 });
            let other = json!({ "gameId": id, "ply": 2, "seat": 0 });
            let at = format!("{operation}At");
            assert_alike(&service, &people[1], &at, past).await;
            assert_eq!(service.refusal(&people[1], &at, other).await.code, "FORBIDDEN", "{kind}");
        }
        let now = json!({ "gameId": id, "ply": service.game(&people[1], &id).await["ply"] });
        assert_eq!(said, drawn(&service, &people[1], "textAt", now).await, "{kind}");

        for person in &people[1..] {
            service.ask(person, "resign", json!({ "gameId": id })).await;
        }
        // After the end everything is open, and every seat's view.
        let (open, _) = drawn_and_said(&service, &people[0], &ask).await;
        assert!(open.contains("won"), "{kind}");
        let (seat, _) = drawn_and_said(&service, &people[0], &with_seat(&ask, 1)).await;
        let watched = service.call_as_nobody("picture", with_seat(&ask, 1)).await.expect("it is over");
        assert_eq!(seat, text_of(&watched), "{kind}");

        let whole = drawn(&service, &people[0], "kindPicture", json!({ "id": kind.name(), "theme": "LIGHT" })).await;
        assert!(whole.starts_with("<svg"), "{kind}");
    }
}

fn with_seat(ask: &Value, seat: usize) -> Value {
    let mut ask = ask.clone();
    ask["seat"] = seat.into();
    ask
}

async fn drawn_and_said(service: &Service, who: &Person, ask: &Value) -> (String, String) {
    let mut said = ask.clone();
    said.as_object_mut().expect("an input").retain(|name, _| ["gameId", "seat"].contains(&name.as_str()));
    (drawn(service, who, "picture", ask.clone()).await, drawn(service, who, "text", said).await)
}

/// GraphQL and REST draw the same.
async fn assert_alike(service: &Service, who: &Person, operation: &str, input: Value) {
    let (rest, graphql) = (RestClient::new(&service.server.address), GraphqlClient::new(&service.server.address));
    let one = rest.call(Some(&who.token), None, operation, input.clone()).await.expect("REST answers");
    let other = graphql.call(Some(&who.token), None, operation, input).await.expect("GraphQL answers");
    assert_eq!(one, other, "{operation}");
}

async fn a_game_that_has_not_started_has_no_picture(service: Service) {
    let asha = service.guest("Asha").await;
    let open = service.ask(&asha, "createGame", json!({ "kind": "KALAH", "seats": own_seat(0, 2) })).await;
    for operation in ["picture", "text"] {
        let refusal = service.refusal(&asha, operation, json!({ "gameId": open["id"] })).await;
        assert_eq!(refusal.code, "CONFLICT", "{operation}");
    }
}

async fn a_picture_has_bounds(service: Service) {
    let (id, [asha, _]) = service.kalah(json!({})).await;
    for width in [-1, 0, 239, 4097] {
        let refusal = service.refusal(&asha, "picture", json!({ "gameId": id, "width": width })).await;
        assert_eq!(refusal.code, "INVALID_INPUT", "{width}");
        let refusal = service.refusal(&asha, "kindPicture", json!({ "id": "KALAH", "width": width })).await;
        assert_eq!(refusal.code, "INVALID_INPUT", "{width}");
    }
    for seat in [-1, 2] {
        let refusal = service.refusal(&asha, "picture", json!({ "gameId": id, "seat": seat })).await;
        assert_eq!(refusal.code, "INVALID_INPUT", "{seat}");
    }
    let (narrow, wide) = (json!({ "gameId": id, "width": 240 }), json!({ "gameId": id, "width": 4096 }));
    assert!(drawn(&service, &asha, "picture", narrow).await.contains("width=\"240\""));
    assert!(drawn(&service, &asha, "picture", wide).await.contains("width=\"4096\""));
}

/// GraphQL selects `game { picture }` in the subscription.
#[tokio::test]
async fn a_stream_brings_pictures_if_asked_for() {
    let service = Service::by_rest(Database::Sqlite).await;
    let (id, people) = service.kalah(json!({ "firstSeat": 0 })).await;
    let follow =
        async |input: Value| service.client.follow(Credentials::Token(&people[1].token), "gameChanged", input).await;
    let ask = json!({ "gameId": id, "picture": "DARK", "width": 360 });
    let mut stream = follow(ask).await;
    let style = json!({ "gameId": id, "theme": "DARK", "width": 360 });
    assert_eq!(stream.change().await["picture"], drawn(&service, &people[1], "picture", style.clone()).await);
    service.play(&people[0], &id, "0").await;
    let change = stream.change().await;
    assert_eq!(change["entries"][0]["notation"], "0");
    assert_eq!(change["picture"], drawn(&service, &people[1], "picture", style).await);

    assert_eq!(follow(json!({ "gameId": id })).await.change().await["picture"], Value::Null);
    let open = service.ask(&people[1], "createGame", json!({ "kind": "KALAH", "seats": own_seat(0, 2) })).await;
    let waiting = json!({ "gameId": open["id"], "picture": "LIGHT" });
    assert_eq!(follow(waiting).await.change().await["picture"], Value::Null, "it has not started");
    let wide = json!({ "gameId": id, "picture": "LIGHT", "width": 5000 });
    assert_eq!(follow(wide).await.refusal().await.code, "INVALID_INPUT");
}

#[tokio::test]
async fn a_picture_is_inert_and_not_sent_twice() {
    let service = Service::by_rest(Database::Sqlite).await;
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let get = async |path: &str, who: &Person, etag: Option<&str>| {
        let request = Client::new().get(format!("{}/v1/{path}", service.server.address)).bearer_auth(&who.token);
        let request = if let Some(etag) = etag { request.header("if-none-match", etag) } else { request };
        let response = request.send().await.expect("it answers");
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().expect("text").to_string());
        let known = (header("content-type"), header("content-security-policy"), header("etag"));
        (response.status().as_u16(), known)
    };
    let game = format!("games/{id}/picture.svg?theme=dark&width=400");
    let (status, (media, policy, etag)) = get(&game, &asha, None).await;
    assert_eq!((status, media.as_deref()), (200, Some("image/svg+xml")));
    assert_eq!(policy.as_deref(), Some("default-src 'none'; sandbox"));
    assert_eq!(get(&game, &asha, etag.as_deref()).await.0, 304);
    assert_eq!(get(&game, &ben, etag.as_deref()).await.0, 200, "another viewer, another picture");
    service.play(&asha, &id, "0").await;
    assert_eq!(get(&game, &asha, etag.as_deref()).await.0, 200);
    let (status, (media, ..)) = get(&format!("games/{id}/text"), &asha, None).await;
    assert_eq!((status, media.as_deref()), (200, Some("text/plain; charset=utf-8")));
    let (status, (media, policy, _)) = get("kinds/MARA/picture.svg", &asha, None).await;
    assert_eq!((status, media.as_deref(), policy.is_some()), (200, Some("image/svg+xml"), true));
    assert_eq!(get("kinds/CHESS/picture.svg", &asha, None).await.0, 404);
}

/// `node docs/pictures/previews.mjs` makes them.
#[test]
fn every_kind_has_a_preview_for_links() {
    for kind in Kind::ALL {
        let path = format!("api/web/previews/{}.png", kind.name().to_lowercase());
        let png = std::fs::read(repository().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(png.starts_with(b"\x89PNG") && png.len() < 150_000, "{path} has {} bytes", png.len());
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((number(16), number(20)), (1200, 630), "{path}");
    }
}

/// The pictures of the README and the guide: record, ply and seat. `MAIDAN_WRITE_PICTURES=1 ./test pictures` writes them.
const IN_THE_GUIDE: [(&str, &str, &str, &str); 5] = [
    ("kalah", "kalah-f2-0", "12", "0"),
    ("mahabharata", "mahabharata-v2-1", "20", "0"),
    ("mahola", "mahola-v2-0", "24", "0"),
    ("macarena", "macarena-v2-1", "20", "0"),
    ("mara", "mara-v2-0", "160", "0"),
];

/// Positions that differ from those of the guide: narrow and dark, of other options, with all seats, at the end. Name,
/// record and what is asked for.
const SNAPSHOTS: [(&str, &str, &str); 6] = [
    ("kalah-of-twelve", "kalah-f2-2", "--ply 100 --seat 1 --theme dark --width 360"),
    ("mahabharata-asks", "mahabharata-v2-2", "--ply 68 --seat 2 --theme dark --width 360"),
    ("mahola-ability", "mahola-v2-1", "--ply 40 --seat 2 --width 360"),
    ("macarena-of-five", "macarena-v2-3", "--ply 40 --seat 1 --theme dark --width 360"),
    ("mara-family", "mara-v2-1", "--ply 200 --seat 0 --width 360"),
    ("mara-over", "mara-v2-2", "--theme dark --width 1600"),
];

#[tokio::test]
async fn chosen_positions_are_drawn_and_said_as_before() {
    let home = Home::new(Database::Sqlite).await;
    for (name, record, style) in SNAPSHOTS {
        let record = repository().join(format!("domain/golden/{record}.json"));
        let record = record.to_str().expect("the path is text");
        let style: Vec<&str> = style.split(' ').collect();
        let position = style.iter().position(|word| *word == "--theme" || *word == "--width").expect("it has a width");
        let of = |command, style: &[&str]| home.read(&[&[command, record][..], style].concat());
        for (ending, drawn) in [("svg", of("picture", &style)), ("txt", of("text", &style[..position]))] {
            let path = repository().join(format!("tests/pictures/{name}.{ending}"));
            if std::env::var_os("MAIDAN_WRITE_PICTURES").is_some() {
                std::fs::write(&path, &drawn).expect("it can be written");
            }
            let committed = std::fs::read_to_string(&path).unwrap_or_default();
            let how = "If you like the new one better: MAIDAN_WRITE_PICTURES=1 ./test pictures";
            assert!(committed == drawn, "{} is another picture. {how}", path.display());
        }
    }
}

#[tokio::test]
async fn the_pictures_of_the_guide_are_what_the_program_draws() {
    let home = Home::new(Database::Sqlite).await;
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).expect("there is a guide");
    let (readme, guide) = (read("README.md"), read("docs/playing.md"));
    for (kind, record, ply, seat) in IN_THE_GUIDE {
        let record = repository().join(format!("domain/golden/{record}.json"));
        let record = record.to_str().expect("the path is text");
        let drawn = home.read(&["picture", record, "--ply", ply, "--seat", seat]);
        let path = format!("docs/pictures/{kind}.svg");
        if std::env::var_os("MAIDAN_WRITE_PICTURES").is_some() {
            std::fs::create_dir_all(repository().join("docs/pictures")).expect("it can be made");
            std::fs::write(repository().join(&path), &drawn).expect("it can be written");
        }
        let committed = std::fs::read_to_string(repository().join(&path)).unwrap_or_default();
        assert_eq!(committed, drawn, "{path} is stale");
        assert!(guide.contains(&format!("(pictures/{kind}.svg)")), "the guide shows {path}");
        assert!(readme.contains(&format!("({path})")), "the README shows {path}");
        let said = home.read(&["text", record, "--ply", ply]);
        assert!(said.lines().count() > 4, "{said}");
    }
}
