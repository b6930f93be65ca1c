//! A server, a client of it, and people who play.

use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use domain::Kind;
use serde_json::{Value, json};

use super::client::{Answer, Client, Credentials, Refused, RoundRobin};
use super::database::version_1_of;
use super::dice::Dice;
use super::graphql::GraphqlClient;
use super::rest::RestClient;
use super::server::{Database, Home, Server};
use super::streams::Stream;

pub struct Service {
    pub server: Server,
    pub client: Box<dyn Client>,
}

/// The seats of a new game of which the caller takes one and leaves the others open.
pub fn own_seat(own: usize, seats: usize) -> Value {
    (0..seats).map(|seat| if seat == own { json!({ "me": true }) } else { json!({ "open": true }) }).collect()
}

/// The tokens that continuations list.
pub fn tokens(continuations: &Value) -> Vec<String> {
    let next = continuations["next"].as_array().expect("continuations are a list");
    next.iter().map(|next| next["token"].as_str().expect("a token is a text").to_string()).collect()
}

/// The seats of a new game that an app fills with these players.
pub fn seated<T: serde::Serialize>(players: &[T]) -> Value {
    players.iter().map(|player| json!({ "player": player })).collect()
}

/// A caller with a token.
#[derive(Clone, Debug)]
pub struct Person {
    pub id: String,
    pub token: String,
}

impl Service {
    pub async fn by_graphql(database: Database) -> Service {
        Service::by(true, database).await
    }

    pub async fn by_rest(database: Database) -> Service {
        Service::by(false, database).await
    }

    /// `MAIDAN_TEST_REPLICAS=2` runs the stories on Postgres at two servers that send each other no hints.
    async fn by(graphql: bool, database: Database) -> Service {
        const NO_HINTS: &[(&str, &str)] = &[("MAIDAN_HINTS", "false")];
        match at_two_servers() && database == Database::Postgres {
            true => Service::with(database, graphql, NO_HINTS).await.at_two_servers(NO_HINTS).await,
            false => Service::with(database, graphql, &[]).await,
        }
    }

    pub async fn with(database: Database, by_graphql: bool, variables: &[(&str, &str)]) -> Service {
        let home = Home::new(database).await;
        let server = Server::start(&home, variables).await;
        let client: Box<dyn Client> = if by_graphql {
            Box::new(GraphqlClient::new(&server.address))
        } else {
            Box::new(RestClient::new(&server.address))
        };
        Service { server, client }
    }

    /// Adds a second server on the same data; calls alternate between them.
    async fn at_two_servers(self, variables: &[(&str, &str)]) -> Service {
        let other = Server::start(&self.server.home, variables).await;
        let clients = [self.client.connect(&self.server.address), self.client.connect(&other.address)];
        Service {
            client: Box::new(RoundRobin { clients, calls: AtomicUsize::new(0), _other: other }),
            server: self.server,
        }
    }

    /// Other processes notice revocations and new names within two seconds.
    pub async fn a_moment_later() {
        tokio::time::sleep(Duration::from_millis(2050)).await;
    }

    /// Waits for that if the story runs at two servers.
    pub async fn noticed_everywhere(&self) {
        if at_two_servers() {
            Service::a_moment_later().await;
        }
    }

    /// A new server on the same data, as after a restart.
    pub async fn restarted(self, variables: &[(&str, &str)]) -> Service {
        let home = self.server.home.clone();
        drop(self.server);
        let server = Server::start(&home, variables).await;
        Service { client: self.client.connect(&server.address), server }
    }

    pub async fn call(&self, who: &Person, operation: &str, input: Value) -> Answer {
        self.client.call(Some(&who.token), None, operation, input).await
    }

    pub async fn call_as_nobody(&self, operation: &str, input: Value) -> Answer {
        self.client.call(None, None, operation, input).await
    }

    /// The data of a GraphQL query, given as text, that must succeed.
    pub async fn query(&self, who: &Person, query: &str) -> Value {
        let url = format!("{}/graphql", self.server.address);
        let request = reqwest::Client::new().post(url).bearer_auth(&who.token).json(&json!({ "query": query }));
        let mut answer: Value = request.send().await.expect("it answers").json().await.expect("answers are JSON");
        assert_eq!(answer["errors"], Value::Null, "{query}");
        answer["data"].take()
    }

    /// The result of a call that must succeed.
    pub async fn ask(&self, who: &Person, operation: &str, input: Value) -> Value {
        self.call(who, operation, input).await.unwrap_or_else(|refused| panic!("{operation} is refused: {refused:?}"))
    }

    /// The refusal of a call that must fail.
    pub async fn refusal(&self, who: &Person, operation: &str, input: Value) -> Refused {
        match self.call(who, operation, input).await {
            Err(refused) => refused,
            Ok(answer) => panic!("{operation} is not refused: {answer}"),
        }
    }

    pub async fn guest(&self, name: &str) -> Person {
        let answer = self.call_as_nobody("registerPlayer", json!({ "name": name })).await.expect("guests are welcome");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        Person { id: text(&answer["player"]["id"]), token: text(&answer["token"]["token"]) }
    }

    /// A new app, created by the operator; its key is returned as a person.
    pub fn app(&self, name: &str) -> Person {
        let printed = self.server.home.read(&["app", "create", name]);
        let id = printed.split_whitespace().next().expect("it prints the id").to_string();
        let token = printed.lines().find(|line| line.starts_with("mdn_app_")).expect("it prints the key").to_string();
        Person { id, token }
    }

    /// A game that two guests have just started; seat 0 is to move. Options go to the kind Kalah.
    pub async fn kalah(&self, options: Value) -> (String, [Person; 2]) {
        let players = [self.guest("Asha").await, self.guest("Ben").await];
        let id = self.kalah_of(&players, options).await;
        (id, players)
    }

    pub async fn kalah_of(&self, players: &[Person; 2], mut options: Value) -> String {
        options["firstSeat"] = json!(0);
        let ask = json!({ "kind": "KALAH", "options": { "kalah": options } });
        let game = self.ask(&players[0], "createGame", ask).await;
        let id = game["id"].as_str().expect("a game has an id").to_string();
        let game = self.ask(&players[1], "joinGame", json!({ "gameId": id })).await;
        assert_eq!(game["status"], "RUNNING");
        id
    }

    /// A table of guests that has just started.
    pub async fn table(&self, kind: &str, options: Value, seats: usize) -> (String, Vec<Person>) {
        let mut people = Vec::new();
        for seat in 0..seats {
            people.push(self.guest(&format!("Player {seat}")).await);
        }
        let mut ask = json!({ "kind": kind, "seats": own_seat(0, seats) });
        if options != json!({}) {
            ask["options"] = options;
        }
        let mut game = self.ask(&people[0], "createGame", ask).await;
        let id = game["id"].as_str().unwrap().to_string();
        for person in &people[1..] {
            game = self.ask(person, "joinGame", json!({ "gameId": id })).await;
        }
        assert_eq!(game["status"], "RUNNING");
        (id, people)
    }

    /// A table of guests that has just started, by any version of the kind's rules.
    pub async fn table_by(&self, version: u32, kind: Kind, options: Value, seats: usize) -> (String, Vec<Person>) {
        let (id, people) = self.table(kind.name(), options, seats).await;
        if version == kind.rules_version() {
            return (id, people);
        }
        let id = version_1_of(self, kind, &id).await;
        assert_eq!(self.game(&people[0], &id).await["rulesVersion"], version, "whoever looks first has it dealt");
        (id, people)
    }

    /// A very short game that nobody wins.
    pub async fn drawn_kalah_of(&self, players: &[Person; 2]) -> String {
        let id = self.kalah_of(players, json!({ "pockets": 3, "seedsPerPocket": 1 })).await;
        for (seat, notation) in [(0, "2"), (0, "1"), (1, "2"), (1, "1")] {
            self.play(&players[seat], &id, notation).await;
        }
        id
    }

    pub async fn game(&self, who: &Person, id: &str) -> Value {
        self.ask(who, "game", json!({ "gameId": id })).await
    }

    /// The game once no bot is due any more.
    pub async fn settled(&self, who: &Person, id: &str) -> Value {
        for _ in 0..1500 {
            let game = self.game(who, id).await;
            let is_bots = |seat: &usize| game["seats"][*seat]["bot"] != Value::Null;
            if game["status"] != "RUNNING" || !seats_to_act(&game).iter().any(is_bots) {
                return game;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("a bot does not move in {id}");
    }

    pub async fn play(&self, who: &Person, id: &str, notation: &str) -> Value {
        self.ask(who, "playMove", json!({ "gameId": id, "notation": notation })).await
    }

    /// Makes a random legal move for a seat that is to act.
    pub async fn play_any(&self, people: &[Person], id: &str, dice: &mut Dice) {
        let to_act = seats_to_act(&self.settled(&people[0], id).await);
        let seat = to_act[dice.below(to_act.len())];
        let moves = self.ask(&people[seat], "legalMoves", json!({ "gameId": id, "limit": 50 })).await;
        let moves = moves["items"].as_array().unwrap();
        let notation = moves[dice.below(moves.len())]["notation"].as_str().unwrap();
        self.play(&people[seat], id, notation).await;
    }

    /// Follows a game, from a version on or from now.
    pub async fn follow(&self, who: &Person, id: &str, after: Option<i64>) -> Stream {
        let mut input = json!({ "gameId": id });
        if let Some(after) = after {
            input["after"] = after.into();
        }
        self.client.follow(Credentials::Token(&who.token), "gameChanged", input).await
    }

    pub async fn follow_inbox(&self, who: &Person, after: Option<&str>) -> Stream {
        let input = after.map_or(json!({}), |after| json!({ "after": after }));
        self.client.follow(Credentials::Token(&who.token), "inboxChanged", input).await
    }

    /// The whole log of a game.
    pub async fn log(&self, who: &Person, id: &str) -> Vec<Value> {
        let mut entries: Vec<Value> = Vec::new();
        loop {
            let after = entries.last().map_or(json!(0), |entry| entry["version"].clone());
            let page = self.ask(who, "log", json!({ "gameId": id, "first": 50, "after": after })).await;
            entries.extend(page["items"].as_array().expect("a page has items").iter().cloned());
            if page["hasMore"] == false {
                return entries;
            }
        }
    }
}

fn at_two_servers() -> bool {
    std::env::var("MAIDAN_TEST_REPLICAS").is_ok_and(|count| count == "2")
}

/// The notations of the legal moves in a response.
pub fn notations(moves: &Value) -> Vec<String> {
    let items = moves["items"].as_array().expect("there is a list");
    items.iter().map(|item| item["notation"].as_str().expect("a move has a notation").to_string()).collect()
}

/// A count or an index in a response.
pub fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).expect("a response has a number here")
}

/// The seats that a game is waiting for.
pub fn seats_to_act(game: &Value) -> Vec<usize> {
    game["toAct"].as_array().unwrap().iter().map(number).collect()
}
