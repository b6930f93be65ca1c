//! Twins: a running game and a copy in which everything that one viewer cannot know is redrawn. The same moves are made
//! in both. As long as the viewer's views are equal, every byte that it gets must be equal, over every channel.
//!
//! What differs between any two games is removed first: ids, times, commitments, and names derived from ids.

use std::hash::{DefaultHasher, Hash, Hasher};

use domain::{AnyGame, AnyView, Chance, Kind, Seat, Viewer};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::support::database::{game_of, position_of, put_events, put_position, twin_of};
use crate::support::graphql::GraphqlClient;
use crate::support::kinds::missing_versions;
use crate::support::rest::RestClient;
use crate::support::service::{notations, number, seats_to_act};
use crate::support::streams::Stream;
use crate::support::tags::without_tags;
use crate::support::{Client, Credentials, Database, Dice, Person, Service};

/// Plays every kind beside its twins, for every viewer, on each database.
macro_rules! twins {
    ($($name:ident: $Kind:ident by version $version:literal, $options:tt, $seats:literal;)*) => {
        $(
            mod $name {
                use domain::Kind;
                use serde_json::json;

                use crate::support::Database::{self, Postgres, Sqlite};

                #[tokio::test]
                async fn on_sqlite() {
                    on(Sqlite).await;
                }

                #[tokio::test]
                async fn on_postgres() {
                    on(Postgres).await;
                }

                async fn on(database: Database) {
                    super::nobody_can_tell_twins_apart(database, Kind::$Kind, $version, json!($options), $seats).await;
                }
            }
        )*

        const WITH_TWINS: &[(Kind, u32)] = &[$((Kind::$Kind, $version)),*];
    };
}

twins!(
    kalah: Kalah by version 1, {}, 2;
    mahabharata_1: Mahabharata by version 1, {}, 3;
    mahabharata_2: Mahabharata by version 2, { "mahabharata": { "askEveryone": true } }, 3;
    mahola_1: Mahola by version 1, {}, 3;
    mahola_2: Mahola by version 2, {}, 3;
    mahola_with_its_own_tables: Mahola by version 2, { "mahola": { "components": crate::support::tables::own("MAHOLA") } }, 3;
    mahabharata_with_its_own_tables: Mahabharata by version 2, { "mahabharata": { "components": crate::support::tables::own("MAHABHARATA") } }, 2;
    macarena_1: Macarena by version 1, {}, 2;
    macarena_2: Macarena by version 2, {}, 2;
    the_mara_1: Mara by version 1, {}, 2;
    the_mara_2: Mara by version 2, {}, 2;
    the_mara_for_families_1: Mara by version 1, { "mara": { "variant": "FAMILY" } }, 2;
    the_mara_for_families_2: Mara by version 2, { "mara": { "variant": "FAMILY" } }, 2;
);

#[test]
fn every_kind_is_played_beside_its_twins_by_every_version_of_its_rules() {
    assert_eq!(missing_versions(WITH_TWINS), []);
}

/// The number of moves made in both games, as long as the viewer cannot distinguish them.
const PLIES: usize = 4;
/// The number of moves before a game gets its twin, and of further moves if the twin is identical.
const BEFORE: usize = 10;
const LONGER: usize = 60;
/// The number of legal moves searched for one that is legal in both games.
const LISTED: usize = 200;

async fn nobody_can_tell_twins_apart(database: Database, kind: Kind, version: u32, options: Value, seats: usize) {
    let service = Service::with(database, false, &[]).await;
    let mut compared = 0;
    for place in 0..=seats {
        let seed = place as u64;
        let mut twins = Twins::meet(&service, (kind, version), &options, seats, place, seed, Leak::None).await;
        compared += twins.play(PLIES).await.unwrap_or_else(|leak| {
            panic!("{kind}: {:?} can tell the twins apart. Dice {seed}, {leak}", twins.observer.viewer)
        });
    }
    assert!(compared > seats / 2, "{kind}: only {compared} moves could be compared");
}

/// A leak planted between the service and the viewer, to check that the test finds it.
#[derive(Clone, Copy, PartialEq)]
enum Leak {
    None,
    /// The last entry of the log names a card in another player's hand.
    Event,
    /// The ETag is derived from the state.
    Etag,
    /// A refusal depends on the state.
    Refusal,
}

#[tokio::test]
async fn a_leak_in_an_event_is_found_wherever_events_are_sent() {
    let found = leaks_found(Leak::Event).await;
    for way in ["log by REST", "log by GraphQL", "stream by REST", "stream by GraphQL"] {
        assert!(found.iter().any(|name| name == way), "{way} is not among {found:?}");
    }
}

#[tokio::test]
async fn a_leak_in_an_etag_is_found() {
    assert_eq!(leaks_found(Leak::Etag).await, ["game by REST", "picture by REST", "text by REST"]);
}

#[tokio::test]
async fn a_leak_in_the_text_of_a_refusal_is_found() {
    let found = leaks_found(Leak::Refusal).await;
    for way in ["playMove by REST", "playMove by GraphQL"] {
        assert!(found.iter().any(|name| name.starts_with(way)), "{way} is not among {found:?}");
    }
    assert!(found.iter().all(|name| name.starts_with("playMove")), "{found:?}");
}

/// The channels that show the leak.
async fn leaks_found(leak: Leak) -> Vec<String> {
    let service = Service::with(Database::Sqlite, false, &[]).await;
    let mut twins = Twins::meet(&service, (Kind::Macarena, 2), &json!({}), 2, 0, 3, leak).await;
    twins.ask_everything().await;
    let found = twins.differences();
    assert!(twins.play(0).await.is_err(), "whoever compares at all finds it");
    found
}

/// A game and its twin, and a viewer of both.
struct Twins<'a> {
    observer: Observer<'a>,
    people: Vec<Person>,
    games: [Observed; 2],
    /// The viewer's inbox, over each channel. Both games are in it.
    inboxes: Vec<(&'static str, Stream)>,
    /// Moves that were legal at some time, for requests about moves.
    known_moves: Vec<String>,
    dice: Dice,
}

/// A viewer.
struct Observer<'a> {
    service: &'a Service,
    clients: [(&'static str, Box<dyn Client>); 2],
    kind: Kind,
    viewer: Viewer,
    token: Option<String>,
    leak: Leak,
}

/// One of the two games, and everything the viewer got from it since the last comparison.
struct Observed {
    id: String,
    commitment: String,
    streams: Vec<(&'static str, Stream)>,
    /// The channel and the raw message.
    messages: Vec<(String, String)>,
    /// A digest of what the viewer cannot know.
    secret: String,
}

/// The seat of a place at the table.
fn seat_at(place: usize) -> Seat {
    Seat::new(u8::try_from(place).expect("tables are small"))
}

impl<'a> Twins<'a> {
    /// Plays a game to a random version, and stores a twin beside it for the player of a place; the place after the
    /// last seat is a spectator's.
    async fn meet(
        service: &'a Service,
        (kind, version): (Kind, u32),
        options: &Value,
        seats: usize,
        place: usize,
        seed: u64,
        leak: Leak,
    ) -> Twins<'a> {
        let mut dice = Dice::new(seed);
        let viewer = if place < seats { Viewer::Seat(seat_at(place)) } else { Viewer::Spectator };
        let (id, people, imagined) = loop {
            let (id, people) = service.table_by(version, kind, options.clone(), seats).await;
            if let Some(imagined) = imagined(service, kind, viewer, &id, &people, &mut dice).await {
                break (id, people, imagined);
            }
        };
        let twin = twin_of(service, &id).await;
        put_position(service, &twin, imagined.save()).await;
        let token = match people.get(place) {
            Some(person) => Some(person.token.clone()),
            // A registered player without a seat, or an anonymous caller.
            None if dice.below(2) == 0 => Some(service.guest("Watcher").await.token),
            None => None,
        };
        let address = &service.server.address;
        let clients: [(_, Box<dyn Client>); 2] =
            [("REST", Box::new(RestClient::new(address))), ("GraphQL", Box::new(GraphqlClient::new(address)))];
        let observer = Observer { service, clients, kind, viewer, token, leak };
        let games = [observer.open(id).await, observer.open(twin).await];
        let mut twins = Twins { observer, people, games, inboxes: Vec::new(), known_moves: Vec::new(), dice };
        if place < seats {
            twins.open_inboxes().await;
        }
        twins
    }

    /// Reads both games and makes moves in both. Returns the number of moves made while the games differed, or the first
    /// difference that the viewer got.
    async fn play(&mut self, plies: usize) -> Result<usize, String> {
        let mut compared = 0;
        self.ask_everything().await;
        self.compare(0)?;
        for ply in 1..=plies {
            if !self.play_in_both().await {
                break;
            }
            self.listen().await;
            self.ask_everything().await;
            self.compare(ply)?;
            let [one, other] = self.states().await;
            compared += usize::from(one != other || may_be_the_same(self.observer.kind));
        }
        Ok(compared)
    }

    async fn open_inboxes(&mut self) {
        let waits = self.waits(0).await;
        for (name, client) in &self.observer.clients {
            let mut inbox = client.follow(self.observer.credentials(), "inboxChanged", json!({})).await;
            if waits {
                // Both games at once: nothing to compare.
                inbox.raw().await;
            }
            self.inboxes.push((name, inbox));
        }
    }

    /// Makes a move that is legal in both games. False if there is none or the views differ afterwards.
    async fn play_in_both(&mut self) -> bool {
        let game = self.observer.game(&self.games[0].id).await;
        let mut seats = seats_to_act(&game);
        let (seat, notation) = loop {
            if seats.is_empty() {
                return false;
            }
            let seat = seats.swap_remove(self.dice.below(seats.len()));
            let mut common = self.legal_moves(0, seat).await;
            let others = self.legal_moves(1, seat).await;
            common.retain(|notation| others.contains(notation));
            if !common.is_empty() {
                break (seat, common.swap_remove(self.dice.below(common.len())));
            }
        };
        self.known_moves.push(notation.clone());
        let by = self.dice.below(2);
        for index in [0, 1] {
            let poll = json!({ "gameId": self.games[index].id, "after": game["version"], "wait": 60 });
            let poll = self.observer.request(0, "game", poll).await;
            let poll = tokio::spawn(send(poll));
            let waited = self.waits(index).await;
            let ask = json!({ "gameId": self.games[index].id, "notation": notation });
            let is_own = self.observer.viewer == Viewer::Seat(seat_at(seat));
            if is_own {
                self.observer.ask(&mut self.games[index], by, "playMove", ask).await;
            } else {
                self.observer.service.ask(&self.people[seat], "playMove", ask).await;
            }
            let polled = poll.await.expect("a poll is answered");
            self.games[index].record("long poll".into(), &polled.to_string());
            let waits = self.waits(index).await;
            if waited != waits || (is_own && waits) {
                for (name, inbox) in &mut self.inboxes {
                    let message = inbox_alone(&inbox.raw().await);
                    self.games[index].record(format!("inbox by {name}"), &message);
                }
            }
        }
        let [one, other] = &self.games;
        self.observer.game(&one.id).await["view"] == self.observer.game(&other.id).await["view"]
    }

    /// Whether a game waits for the viewer.
    async fn waits(&self, index: usize) -> bool {
        let game = self.observer.game(&self.games[index].id).await;
        !game["mySeat"].is_null() && seats_to_act(&game).contains(&number(&game["mySeat"]))
    }

    async fn legal_moves(&self, index: usize, seat: usize) -> Vec<String> {
        let ask = json!({ "gameId": self.games[index].id, "limit": LISTED });
        notations(&self.observer.service.ask(&self.people[seat], "legalMoves", ask).await)
    }

    async fn states(&self) -> [AnyGame; 2] {
        let Observer { service, kind, .. } = self.observer;
        [game_of(service, kind, &self.games[0].id).await, game_of(service, kind, &self.games[1].id).await]
    }

    /// Receives the last move from the streams.
    async fn listen(&mut self) {
        for game in &mut self.games {
            game.listen().await;
        }
    }

    /// Makes every kind of request to both games.
    async fn ask_everything(&mut self) {
        let states = self.states().await;
        for state in &states {
            for seat in Seat::all(state.seats()) {
                let (moves, _) = state.legal_moves(seat, 20);
                let some = (!moves.is_empty()).then(|| moves[self.dice.below(moves.len())].notation.clone());
                self.known_moves.extend(some);
            }
        }
        let about = self.known_moves[self.dice.below(self.known_moves.len())].clone();
        let may_be_legal = |notation: &str| match self.observer.viewer {
            Viewer::Seat(seat) => {
                let mv = self.observer.kind.read_move(notation).expect("a move was written by its kind");
                states.iter().any(|state| state.explain(seat, &mv).is_ok())
            }
            _ => false,
        };
        let is_illegal = !may_be_legal(&about);
        let list = ["games", "myGames", "inbox"][self.dice.below(3)];
        for game in &mut self.games {
            if self.observer.leak != Leak::None {
                let mut hasher = DefaultHasher::new();
                position_of(self.observer.service, &game.id).await.hash(&mut hasher);
                game.secret = format!("{:x}", hasher.finish());
            }
            for by in [0, 1] {
                self.observer.ask(game, by, "game", json!({})).await;
                self.observer.ask(game, by, "legalMoves", json!({ "limit": 30 })).await;
                self.observer.ask(game, by, "log", json!({})).await;
                self.observer.ask(game, by, "picture", json!({ "width": 360 })).await;
                self.observer.ask(game, by, "text", json!({})).await;
                self.observer.ask(game, by, "continuations", json!({ "prefix": [] })).await;
                let first = about.split(' ').next();
                self.observer.ask(game, by, "continuations", json!({ "prefix": [first] })).await;
                let most = about.rsplit_once(' ').map_or("", |(most, _)| most);
                self.observer.ask(game, by, "continuations", json!({ "prefix": [most] })).await;
                self.observer.ask(game, by, "explain", json!({ "notation": about })).await;
                // A decision on version 0 is always stale.
                self.observer.ask(game, by, "playMove", json!({ "notation": about, "expectedVersion": 0 })).await;
                if is_illegal {
                    self.observer.ask(game, by, "playMove", json!({ "notation": about })).await;
                }
                self.observer.look_up(game, by, list).await;
            }
        }
    }

    /// The channels over which the viewer got different bytes from the two games.
    fn differences(&self) -> Vec<String> {
        let [one, other] = &self.games;
        assert_eq!(one.messages.len(), other.messages.len(), "both are asked the same");
        let pairs = one.messages.iter().zip(&other.messages);
        let mut found: Vec<String> = pairs.filter(|(one, other)| one != other).map(|(one, _)| one.0.clone()).collect();
        found.dedup();
        found
    }

    /// The first difference since the last comparison; there must be none.
    fn compare(&mut self, ply: usize) -> Result<(), String> {
        let [one, other] = &mut self.games;
        let (here, there) = (std::mem::take(&mut one.messages), std::mem::take(&mut other.messages));
        assert_eq!(here.len(), there.len(), "both are asked the same");
        for (here, there) in here.iter().zip(&there) {
            if here != there {
                let (name, here, there) = (&here.0, &here.1, &there.1);
                let alike = here.bytes().zip(there.bytes()).take_while(|(one, other)| one == other).count();
                let near = |text: &str| {
                    let bytes = &text.as_bytes()[alike.saturating_sub(80)..text.len().min(alike + 120)];
                    String::from_utf8_lossy(bytes).into_owned()
                };
                return Err(format!("ply {ply}, {name}:\n…{}…\n…{}…", near(here), near(there)));
            }
        }
        Ok(())
    }
}

/// A state that the viewer cannot distinguish from the game at a random version. It differs from the real one, unless
/// there is nothing to redraw. `None` if the game ended before.
async fn imagined(
    service: &Service,
    kind: Kind,
    viewer: Viewer,
    id: &str,
    people: &[Person],
    dice: &mut Dice,
) -> Option<AnyGame> {
    let before = dice.below(BEFORE);
    for played in 0..before + LONGER {
        let game = game_of(service, kind, id).await;
        if played >= before {
            let other = game.imagine(viewer, &mut Chance::fast(dice.below(1 << 20) as u64));
            if other != game || may_be_the_same(kind) {
                return Some(other);
            }
        }
        let seats: Vec<Seat> = game.to_act().into();
        if seats.is_empty() {
            break;
        }
        let seat = seats[dice.below(seats.len())];
        let (moves, _) = game.legal_moves(seat, LISTED);
        service.play(&people[seat.index()], id, &moves[dice.below(moves.len())].notation).await;
    }
    None
}

/// In Kalah nothing is hidden; in Mahabharata only answers at the very end, for a moment.
fn may_be_the_same(kind: Kind) -> bool {
    matches!(kind, Kind::Kalah | Kind::Mahabharata)
}

impl Observer<'_> {
    fn credentials(&self) -> Credentials<'_> {
        self.token.as_deref().map_or(Credentials::None, Credentials::Token)
    }

    /// Starts viewing a game, with its whole log.
    async fn open(&self, id: String) -> Observed {
        if self.leak == Leak::Event {
            let AnyView::Macarena(view) = game_of(self.service, self.kind, &id).await.view(Viewer::Seat(Seat::new(1)))
            else {
                panic!("the leak is planted in La Macarena")
            };
            let hidden = view.players[Seat::new(1)].hand;
            let event = json!({ "handBegan": { "handNumber": 0, "starter": 0, "wells": hidden } });
            put_events(self.service, &id, json!([event])).await;
        }
        let commitment = self.game(&id).await["commitment"].as_str().expect("a seed is committed to").to_string();
        let mut game = Observed { id, commitment, streams: Vec::new(), messages: Vec::new(), secret: String::new() };
        for (name, client) in &self.clients {
            let input = json!({ "gameId": game.id, "after": 0 });
            game.streams.push((name, client.follow(self.credentials(), "gameChanged", input).await));
        }
        game.listen().await;
        game
    }

    /// The game as the viewer sees it.
    async fn game(&self, id: &str) -> Value {
        let call = self.service.client.call(self.token.as_deref(), None, "game", json!({ "gameId": id }));
        call.await.expect("anybody may look at the game")
    }

    async fn request(&self, by: usize, operation: &str, input: Value) -> RequestBuilder {
        self.clients[by].1.request(self.token.as_deref(), None, operation, input).await
    }

    /// Sends a request about a game and keeps the response.
    async fn ask(&self, game: &mut Observed, by: usize, operation: &str, mut input: Value) {
        let about = input["notation"].as_str().map_or(String::new(), |notation| format!(" of {notation}"));
        input["gameId"] = game.id.clone().into();
        let mut answer = send(self.request(by, operation, input).await).await;
        match self.leak {
            Leak::None | Leak::Event => {}
            Leak::Etag => {
                let tags = answer.headers.iter_mut().filter(|(name, _)| name == "etag");
                tags.for_each(|(_, tag)| tag.push_str(&game.secret));
            }
            Leak::Refusal => {
                for sentence in ["\"detail\":\"", "\"message\":\""] {
                    answer.body = answer.body.replace(sentence, &format!("{sentence}Because of {}: ", game.secret));
                }
            }
        }
        game.record(format!("{operation} by {}{about}", self.clients[by].0), &answer.to_string());
    }

    /// The game as lists show it, extracted because lists show both twins.
    async fn look_up(&self, game: &mut Observed, by: usize, list: &str) {
        let (name, client) = &self.clients[by];
        let list = if self.token.is_some() { list } else { "games" };
        let page = client.call(self.token.as_deref(), None, list, json!({})).await.expect("a list");
        let item = page["items"].as_array().expect("a page has items").iter().find(|item| item["id"] == *game.id);
        game.record(format!("{list} by {name}"), &item.unwrap_or(&Value::Null).to_string());
    }
}

impl Observed {
    /// Keeps a message, without what differs between any two games.
    fn record(&mut self, way: String, message: &str) {
        let message = without_tags(message).replace(&self.id, "this game").replace(&self.commitment, "a commitment");
        let parts = message.split('"').map(|part| if is_time(part) { "a time" } else { part });
        self.messages.push((way, parts.collect::<Vec<_>>().join("\"")));
    }

    async fn listen(&mut self) {
        let mut received = Vec::new();
        for (name, stream) in &mut self.streams {
            received.push((format!("stream by {name}"), stream.raw().await));
        }
        received.into_iter().for_each(|(way, message)| self.record(way, &message));
    }
}

/// As in 2026-01-31T18:30:00.123456Z.
fn is_time(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b"-:.TZ".contains(&byte);
    text.len() >= 20 && text.as_bytes()[10] == b'T' && text.ends_with('Z') && text.bytes().all(is_part)
}

/// An inbox without the parts that depend on all its games: their number, and the name derived from their ids.
fn inbox_alone(message: &str) -> String {
    let mut rest = message.to_string();
    for before in ["\"cursor\":\"", "\"waiting\":", "id: "] {
        if let Some((head, tail)) = rest.split_once(before) {
            rest = format!("{head}{before}{}", tail.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
        }
    }
    rest
}

/// A raw response.
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

async fn send(request: RequestBuilder) -> Answer {
    let response = request.send().await.expect("it answers");
    let status = response.status().as_u16();
    let headers = response.headers().iter();
    let text = |value: &reqwest::header::HeaderValue| value.to_str().expect("a header is text").to_string();
    let mut headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_string(), text(value))).filter(|(name, _)| name != "date").collect();
    headers.sort();
    // The order of these depends on the server's thread.
    for (_, names) in headers.iter_mut().filter(|(name, _)| name == "access-control-expose-headers") {
        let mut sorted: Vec<&str> = names.split(", ").collect();
        sorted.sort_unstable();
        *names = sorted.join(", ");
    }
    let mut body = response.text().await.expect("an answer has a body");
    // Times vary in length, so a content-length that fits the body is not compared.
    headers.retain(|(name, value)| name != "content-length" || *value != body.len().to_string());
    if let Some(place) = headers.iter().position(|(name, _)| name == "x-request-id") {
        body = body.replace(&headers.remove(place).1, "this request");
    }
    Answer { status, headers, body }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} {:?}", self.status, self.headers)?;
        f.write_str(&self.body)
    }
}
