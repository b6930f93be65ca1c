//! The cost of GraphQL documents is counted and charged before anything is executed.

use futures_util::future::join_all;
use reqwest::Client;
use serde_json::{Value, json};

use crate::support::streams::{EventStream, open_socket, receive, send};
use crate::support::{Database, Dice, Person, Server, Service};

async fn service(variables: &[(&str, &str)]) -> Service {
    Service::with(Database::Sqlite, true, variables).await
}

/// The status, the text and the JSON of a response to a document.
async fn post(service: &Service, who: Option<&Person>, ask: &Value) -> (u16, String, Value) {
    let mut request = Client::new().post(format!("{}/graphql", service.server.address)).json(ask);
    request = request.header("accept", "application/graphql-response+json");
    if let Some(who) = who {
        request = request.bearer_auth(&who.token);
    }
    let response = request.send().await.unwrap();
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    let json = serde_json::from_str(&text).unwrap();
    (status, text, json)
}

async fn cost(service: &Service) -> u64 {
    service.server.count("maidan_graphql_cost_total").await
}

/// Fragments that double what is in the last one.
fn doubled(times: usize, on: &str, inside: &str) -> String {
    let fragments = (0..times).map(|n| format!("fragment F{n} on {on} {{ ...F{0} ...F{0} }} ", n + 1));
    format!("{{ ...F0 }} {} fragment F{times} on {on} {{ {inside} }}", fragments.collect::<String>())
}

const SCHEMA: &str = "__schema { types { name description fields { name description args { name description } } } }";

fn aliased(count: usize, field: &str) -> String {
    format!("{{ {} }}", (0..count).map(|n| format!("f{n}: {field} ")).collect::<String>())
}

/// Documents that would cost seconds or hundreds of megabytes.
fn bombs() -> Vec<(&'static str, Value)> {
    let level = "fields { type { ofType { ";
    let types = format!("types {{ {}name{} }}", level.repeat(7), " } } }".repeat(7));
    let variables = |count| (0..count).map(|n| format!("$v{n}: Int ")).collect::<String>();
    let arguments: String = (0..1500).map(|n| format!("a{n}: 1 ")).collect();
    let documents = [
        ("introspection, doubled twelve times", doubled(12, "Query", SCHEMA)),
        ("introspection, thirty times", aliased(30, SCHEMA)),
        ("introspection, deep", format!("{{ __schema {{ {types} }} }}")),
        ("fields that are nested without end", format!("{}a{}", "{ a ".repeat(5000), "}".repeat(5000))),
        ("values that are nested without end", format!("{{ kind(id: {}) }}", "[".repeat(30_000))),
        ("a string without an end before brackets", format!("{{ kind(id: [\"\"\" a\" {}", "[".repeat(60_000))),
        ("one line with a fault at its end", format!("{{ kind {} ) }}", ",".repeat(60_000))),
        ("many fields", format!("{{ {} }}", "a ".repeat(30_000))),
        ("many fragments", doubled(12, "Query", "kinds { kind }")),
        ("many variables", format!("query({}) {{ kinds {{ kind }} }}", variables(4000))),
        (
            "a long name in many errors",
            format!("query {}({}) {{ kinds {{ kind }} }}", "N".repeat(30_000), variables(90)),
        ),
        ("many conflicts", format!("{{ kinds({arguments}) {{ kind }} {} }}", "kinds { kind } ".repeat(300))),
        ("unknown arguments", format!("{{ kinds({arguments}) {{ kind }} }}")),
        ("unknown fields", format!("{{ {} }}", (0..1000).map(|n| format!("kind{n} ")).collect::<String>())),
        ("unknown types", format!("{{ {} }}", (0..500).map(|n| format!("... on T{n} {{ a }} ")).collect::<String>())),
        ("fragments of fragments", {
            let fragments = (0..300).map(|n| format!("fragment F{n} on Query {{ kinds {{ kind }} }} "));
            let sets = (0..300).map(|n| format!("...F{n} ")).collect::<String>();
            format!("{{ {} }} {}", format!("... {{ {sets} }} ").repeat(4), fragments.collect::<String>())
                + &(0..3).map(|n| format!("query Q{n} {{ {sets} {sets} {sets} {sets} }} ")).collect::<String>()
        }),
    ];
    let mut bombs: Vec<_> = documents.into_iter().map(|(name, query)| (name, json!({ "query": query }))).collect();
    let long: Vec<&str> = vec!["w1"; 10_000];
    let prefix = "$v ".repeat(1000);
    bombs.push((
        "a long variable, many times",
        json!({
            "query": format!(
                "query($v: [String!]!) {{ game(id: \"game_1\") {{ continuations(prefix: [{prefix}]) {{ isMove: prefix }} }} }}"
            ),
            "variables": { "v": long },
        }),
    ));
    bombs
}

#[tokio::test]
async fn no_document_costs_more_than_its_limit_and_no_answer_lists_more_than_twenty_errors() {
    let service = service(&[]).await;
    for (name, ask) in bombs() {
        let (status, text, answer) = post(&service, None, &ask).await;
        assert_eq!(status, 400, "{name}: {}", &text[..text.len().min(300)]);
        assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT", "{name}");
        assert!(answer["errors"].as_array().unwrap().len() <= 20, "{name}");
        assert!(text.len() < 10_000, "{name}: {} bytes", text.len());
    }
    // One of them costs less than the limit, is charged, and then refused for its depth.
    assert!(cost(&service).await < 10_000, "nothing was executed");

    // By GET and by WebSocket, too.
    let mut socket = open_socket(&service.server.address, None).await;
    for (name, ask) in bombs() {
        send(&mut socket, json!({ "type": "subscribe", "id": "1", "payload": ask })).await;
        let answer = receive(&mut socket).await.unwrap();
        assert_eq!(answer["type"], "error", "{name}");
        let query = ask["query"].as_str().unwrap();
        if query.len() < 10_000 && ask.get("variables").is_none() {
            let url = format!("{}/graphql", service.server.address);
            let response = Client::new().get(url).query(&[("query", query)]).send().await.unwrap();
            let answer: Value = response.json().await.unwrap();
            assert!(answer.get("data").is_none(), "{name}");
        }
    }
    assert!(cost(&service).await < 30_000, "the same one came three times");
}

/// The number of fields in an answer.
fn fields_of(answer: &Value) -> u64 {
    match answer {
        Value::Object(fields) => fields.values().map(|value| 1 + fields_of(value)).sum(),
        Value::Array(items) => items.iter().map(fields_of).sum(),
        _ => 0,
    }
}

#[tokio::test]
async fn the_cost_covers_the_fields_of_the_answer() {
    let service = service(&[]).await;
    let tools = "query { __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...T } \
        directives { name description locations args { ...I } } } } \
        fragment T on __Type { kind name description fields(includeDeprecated: true) { name description args { ...I } \
        type { ...R } isDeprecated deprecationReason } inputFields { ...I } interfaces { ...R } \
        enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...R } } \
        fragment I on __InputValue { name description type { ...R } defaultValue } \
        fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
        ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";
    let mut asks = vec![
        ("what tools ask", None, tools.to_string()),
        ("introspection of one type", None, "{ __type(name: \"Game\") { fields { name args { name } } } }".into()),
    ];
    asks.push(("kinds", None, "{ kinds { kind title rules { id text } } }".into()));
    for kind in ["KALAH", "MARA", "MACARENA", "MAHOLA", "MAHABHARATA"] {
        let (_, people) = service.table(kind, json!({}), if kind == "KALAH" { 2 } else { 3 }).await;
        asks.push((kind, Some(people[0].clone()), String::new()));
    }
    for (name, who, query) in asks {
        let before = cost(&service).await;
        let answer = match (&who, query.is_empty()) {
            // All fields of a game, as the client of these tests asks for them.
            (Some(who), true) => service.ask(who, "myGames", json!({ "first": 1 })).await,
            _ => {
                let (status, text, answer) = post(&service, who.as_ref(), &json!({ "query": query })).await;
                assert_eq!(status, 200, "{name}: {}", &text[..text.len().min(300)]);
                answer["data"].clone()
            }
        };
        let (fields, cost) = (fields_of(&answer), cost(&service).await - before);
        assert!(cost >= fields, "{name} costs {cost} and has {fields} fields");
        assert!(cost < 20 * fields + 1000, "{name} costs {cost}, which is far more than its {fields} fields");
    }
}

#[tokio::test]
async fn what_is_written_twice_is_executed_once() {
    let service = service(&[]).await;
    let asha = service.guest("Asha").await;
    let opened = "createGame(input: { kind: KALAH }) { game { id } }";
    let other = opened.replace("id }", "status }");
    let twice =
        format!("mutation {{ {opened} ...F ... on Mutation {{ {opened} }} }} fragment F on Mutation {{ {other} }}");
    let (status, text, answer) = post(&service, Some(&asha), &json!({ "query": twice })).await;
    assert_eq!(status, 200, "{text}");
    let game = &answer["data"]["createGame"]["game"];
    assert!(game["id"].is_string() && game["status"] == "OPEN", "{answer}");
    let games = service.ask(&asha, "myGames", json!({})).await;
    assert_eq!(games["items"].as_array().unwrap().len(), 1, "one game");

    // A field that is selected in several places is merged, and costs once.
    let id = game["id"].as_str().unwrap();
    let spread = "...A ...B ...A ... on Query { ...B } kinds { kind }";
    let query = format!(
        "query($on: Boolean = true, $off: Boolean!) {{ {spread} \
         node(id: \"{id}\") {{ id ... on Game {{ status seats {{ number: seat }} }} ... on Player {{ name }} \
           ... on Node {{ id ... on Game {{ seats {{ player {{ id }} }} }} }} }} \
         kinds @skip(if: $off) {{ text: title }} \
         kinds @include(if: $on) {{ last: title }} \
         kinds @include(if: $off) {{ never: title @skip(if: true) }} }} \
         fragment A on Query {{ kinds {{ title }} me {{ player {{ id }} }} }} \
         fragment B on Query {{ kinds {{ kind title }} me {{ player {{ name }} }} }}"
    );
    let before = cost(&service).await;
    let ask = json!({ "query": query, "variables": { "off": false } });
    let (status, text, answer) = post(&service, Some(&asha), &ask).await;
    assert_eq!(status, 200, "{text}");
    let data = &answer["data"];
    assert_eq!(data["me"]["player"], json!({ "id": asha.id, "name": "Asha" }));
    assert_eq!(data["kinds"][0].as_object().unwrap().keys().collect::<Vec<_>>(), ["kind", "last", "text", "title"]);
    assert_eq!(data["node"]["seats"][0]["player"]["id"], json!(asha.id));
    assert_eq!(data["node"].as_object().unwrap().len(), 3, "{data}");
    assert!(cost(&service).await - before < 400);

    // 512 times by fragments: as much as once.
    let once = post(&service, None, &json!({ "query": "{ kinds { kind } }" })).await.2;
    let (status, _, many) = post(&service, None, &json!({ "query": doubled(9, "Query", "kinds { kind }") })).await;
    assert_eq!((status, many), (200, once));

    for differs in
        ["{ kinds { kind } kinds: kind(id: KALAH) { kind } }", "{ kind(id: MARA) { kind } kind(id: KALAH) { kind } }"]
    {
        let (status, _, answer) = post(&service, None, &json!({ "query": differs })).await;
        assert_eq!(status, 400);
        assert!(answer["errors"][0]["message"].as_str().unwrap().contains("conflict"), "{answer}");
    }
}

#[tokio::test]
async fn every_document_is_charged_by_its_cost_before_it_runs() {
    let service = service(&[("MAIDAN_REQUESTS_PER_SECOND", "20"), ("MAIDAN_MOVES_PER_SECOND", "3")]).await;
    let (id, [asha, _]) = service.kalah(json!({})).await;
    let url = format!("{}/graphql", service.server.address);
    let left = async |query: &str| {
        let response = Client::new().get(&url).query(&[("query", query)]).send().await.unwrap();
        let left = response.headers()["ratelimit-remaining"].to_str().unwrap().parse::<u32>().unwrap();
        (response.status().as_u16(), left)
    };
    // A document without any lookup counts as a request, an expensive one as many, however it comes.
    let (status, _) = left("{ __typename }").await;
    assert_eq!(status, 200);
    let expensive = format!("{{ {SCHEMA} }}");
    // All at once: one after the other, on a slow machine, each may find a full allowance.
    let statuses = join_all((0..20).map(|_| left(&expensive))).await;
    assert!(statuses.iter().any(|(status, _)| *status == 429), "{statuses:?}");
    let mut socket = open_socket(&service.server.address, None).await;
    for id in 0..20 {
        let payload = json!({ "query": expensive });
        send(&mut socket, json!({ "type": "subscribe", "id": id.to_string(), "payload": payload })).await;
    }
    let mut ends = Vec::new();
    while ends.len() < 20 {
        let answer = receive(&mut socket).await.unwrap();
        match answer["type"].as_str() {
            Some("error") => ends.push(answer["payload"][0]["extensions"]["code"].clone()),
            Some("complete") => ends.push(Value::Null),
            _ => {}
        }
    }
    assert!(ends.contains(&json!("RATE_LIMITED")), "{ends:?}");
    // The player has limits of its own, and reading never costs it its turn.
    for _ in 0..20 {
        post(&service, Some(&asha), &json!({ "query": "{ me { player { id } } }" })).await;
    }
    service.play(&asha, &id, "2").await;
}

#[tokio::test]
async fn past_positions_and_records_have_a_limit_of_their_own() {
    for by_graphql in [true, false] {
        let service = Service::with(Database::Sqlite, by_graphql, &[("MAIDAN_REPLAYS_PER_SECOND", "3")]).await;
        let (id, [asha, ben]) = service.kalah(json!({})).await;
        service.play(&asha, &id, "2").await;
        let mut codes = Vec::new();
        for _ in 0..30 {
            let asked = service.call(&asha, "at", json!({ "gameId": id, "ply": 0 })).await;
            codes.extend(asked.err().map(|refused| refused.code));
        }
        assert!(!codes.is_empty() && codes.iter().all(|code| code == "RATE_LIMITED"), "{codes:?}");
        service.ask(&asha, "me", json!({})).await;
        service.ask(&ben, "at", json!({ "gameId": id, "ply": 0 })).await;

        // A branch replays its parent, too.
        let over = service.drawn_kalah_of(&[asha.clone(), ben]).await;
        let mut codes = Vec::new();
        for _ in 0..30 {
            let asked = service.call(&asha, "branchGame", json!({ "gameId": over, "ply": 2 })).await;
            codes.extend(asked.err().map(|refused| refused.code));
        }
        assert!(codes.contains(&"RATE_LIMITED".to_string()), "{codes:?}");
    }
}

#[tokio::test]
async fn documents_that_are_refused_are_charged_and_then_not_read() {
    let slow = [("MAIDAN_REQUESTS_PER_SECOND", "5")];
    let service = Service::with(Database::Sqlite, true, &slow).await;
    let asha = service.guest("Asha").await;
    for refused in ["{ kinds".to_string(), "{ a }".repeat(1000), format!("{{ {} }}", "kind0 ".repeat(1000))] {
        let ask = json!({ "query": refused });
        let answers = join_all((0..40).map(|_| post(&service, None, &ask))).await;
        let codes: Vec<_> = answers.iter().map(|(_, _, answer)| &answer["errors"][0]["extensions"]["code"]).collect();
        assert!(codes.contains(&&json!("RATE_LIMITED")), "{codes:?}");
        // Others are read.
        let (status, text, _) = post(&service, Some(&asha), &json!({ "query": "{ me { player { id } } }" })).await;
        assert_eq!(status, 200, "{text}");
    }
    let service = Service::with(Database::Sqlite, true, &slow).await;
    let mut socket = open_socket(&service.server.address, None).await;
    for id in 0..40 {
        let ask = json!({ "type": "subscribe", "id": id.to_string(), "payload": { "query": "{ kinds" } });
        send(&mut socket, ask).await;
    }
    let mut codes = Vec::new();
    for _ in 0..40 {
        codes.push(receive(&mut socket).await.unwrap()["payload"][0]["extensions"]["code"].clone());
    }
    assert!(codes.contains(&json!("RATE_LIMITED")), "{codes:?}");
}

#[tokio::test]
async fn the_messages_of_a_stream_are_charged_by_their_cost() {
    let reached = r#"maidan_limits_reached_total{limit="messages"}"#;
    let service = Service::with(Database::Postgres, true, &[]).await;
    let (id, people) = service.table("MARA", json!({}), 2).await;
    let mut dice = Dice::new(1);

    // Ten requests each.
    let service = service.restarted(&[("MAIDAN_REQUESTS_PER_SECOND", "20")]).await;
    let pictures: String = (0..20).map(|n| format!("p{n}: picture(width: {}) ", 300 + n)).collect();
    let mut socket = open_socket(&service.server.address, Some(&people[0].token)).await;
    let query = format!("subscription {{ gameChanged(id: \"{id}\") {{ version game {{ {pictures} }} }} }}");
    send(&mut socket, json!({ "type": "subscribe", "id": "1", "payload": { "query": query } })).await;
    let seen = receive(&mut socket).await.unwrap();
    assert!(seen["payload"]["data"]["gameChanged"]["game"]["p19"].is_string(), "{seen}");
    assert_eq!(service.server.count(reached).await, 0, "the subscription paid for the first one");
    for _ in 0..4 {
        service.play_any(&people, &id, &mut dice).await;
        assert_eq!(receive(&mut socket).await.unwrap()["type"], "next");
    }
    assert!(service.server.count(reached).await > 0, "the others wait until they are paid for");

    let service = service.restarted(&[("MAIDAN_REQUESTS_PER_SECOND", "1")]).await;
    let url = format!("{}/v1/games/{id}/events?picture=LIGHT", service.server.address);
    let mut events = EventStream::new(Client::new().get(url).send().await.unwrap());
    // The players use another server, without limits.
    let other = Server::start(&service.server.home, &[]).await;
    let players = Service { client: service.client.connect(&other.address), server: other };
    for _ in 0..6 {
        assert!(events.event().await.is_some());
        players.play_any(&people, &id, &mut dice).await;
    }
    assert!(service.server.count(reached).await > 0);
}

#[tokio::test]
async fn a_document_may_be_nested_as_deeply_as_the_limits_allow() {
    let service = service(&[]).await;
    let nested = |open: &str, inside: &str, close: &str, times: usize| {
        format!("{}{inside}{}", open.repeat(times), close.repeat(times))
    };
    let fragments: String = (0..28).map(|n| format!("fragment F{n} on Query {{ ...F{} }} ", n + 1)).collect::<String>()
        + "fragment F28 on Query { kinds { kind } }";
    let deep = |levels: usize| (0..levels).fold(json!(1), |inside, _| json!([inside]));
    let documents = [
        (200, json!({ "query": nested("{ ... ", "{ kinds { kind } }", "}", 29) })),
        (200, json!({ "query": format!("{{ ...F0 }} {fragments}") })),
        (400, json!({ "query": nested("{ a ", "{ a }", "}", 63) })),
        (400, json!({ "query": nested("{ ... ", "{ a }", "}", 63) })),
        (400, json!({ "query": format!("{{ kind(id: {}) {{ kind }} }}", nested("[", "", "]", 61)) })),
        (400, json!({ "query": format!("{{ kind(id: {}) {{ kind }} }}", nested("{ a: ", "1", "}", 61)) })),
        (400, json!({ "query": format!("query($a: {}) {{ kind(id: $a) {{ kind }} }}", nested("[", "Int", "]", 62)) })),
        (
            400,
            json!({ "query": format!("query($a: Int = {}) {{ kind(id: $a) {{ kind }} }}", nested("[", "1", "]", 62)) }),
        ),
        (400, json!({ "query": "query($a: Kind!) { kind(id: $a) { kind } }", "variables": { "a": deep(120) } })),
    ];
    for (status, ask) in documents {
        let (answered, text, _) = post(&service, None, &ask).await;
        assert_eq!(answered, status, "{ask}: {text}");
    }
    let app = service.app("club");
    let url = format!("{}/v1/games", service.server.address);
    for levels in [100, 120, 1000] {
        let body = format!("{{\"kind\": \"KALAH\", \"metadata\": {{\"a\": {}}}}}", nested("[", "", "]", levels));
        let request = Client::new().post(&url).bearer_auth(&app.token).header("content-type", "application/json");
        assert!(request.body(body).send().await.unwrap().status().as_u16() < 500, "{levels}");
    }
    assert_eq!(reqwest::get(format!("{}/livez", service.server.address)).await.unwrap().status(), 200);
}

#[tokio::test]
async fn introspection_can_be_turned_off() {
    let service = service(&[("MAIDAN_INTROSPECTION", "false")]).await;
    for query in ["{ __schema { types { name } } }", "{ ... { __type(name: \"Game\") { name } } }"] {
        let (status, text, _) = post(&service, None, &json!({ "query": query })).await;
        assert_eq!(status, 400, "{text}");
    }
    assert_eq!(post(&service, None, &json!({ "query": "{ __typename }" })).await.0, 200);
    let schema = reqwest::get(format!("{}/schema.graphql", service.server.address)).await.unwrap();
    assert!(schema.text().await.unwrap().contains("type Query"));
}

#[tokio::test]
async fn health_checks_are_answered_while_expensive_documents_come_in() {
    let service = service(&[]).await;
    let expensive = format!("{{ a: {SCHEMA} b: {SCHEMA} }}");
    let (address, url) = (service.server.address.clone(), format!("{}/graphql", service.server.address));
    let asked: Vec<_> = (0..40)
        .map(|_| {
            let request = Client::new().post(&url).json(&json!({ "query": expensive }));
            tokio::spawn(async move { request.send().await.unwrap().status().as_u16() })
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(reqwest::get(format!("{address}/livez")).await.unwrap().status(), 200);
        assert_eq!(reqwest::get(format!("{address}/readyz")).await.unwrap().status(), 200);
    }
    for asked in asked {
        assert_eq!(asked.await.unwrap(), 200);
    }
}
