//! The committed contracts match what the server serves, every part of them has a description, and GraphQL and REST
//! offer the same operations.

use std::collections::BTreeSet;

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::server::{Home, repository};
use crate::support::{Database, Service};

fn committed(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

async fn served(service: &Service, path: &str) -> String {
    reqwest::get(format!("{}{path}", service.server.address)).await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn the_committed_contracts_are_what_the_server_serves() {
    let home = Home::new(Database::Sqlite).await;
    let how = "Regenerate it: maidan schema";
    assert_eq!(committed("schema.graphql"), home.read(&["schema", "graphql"]), "{how} graphql > schema.graphql");
    assert_eq!(committed("openapi.json"), home.read(&["schema", "openapi"]), "{how} openapi > openapi.json");

    let service = Service::by_rest(Database::Sqlite).await;
    assert_eq!(served(&service, "/schema.graphql").await, committed("schema.graphql"));
    let openapi: Value = serde_json::from_str(&served(&service, "/openapi.json").await).unwrap();
    let document: Value = serde_json::from_str(&committed("openapi.json")).unwrap();
    assert_eq!(openapi, document);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
}

/// The operations in the table of docs/apis.md that begins with this column.
fn listed(column: &str) -> BTreeSet<String> {
    let document = committed("docs/apis.md");
    let table = document.split(&format!("| {column} |")).nth(1).unwrap_or_else(|| panic!("docs/apis.md: no {column}"));
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    // Names are code; what else a cell says is not.
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(String::from).collect()
}

#[tokio::test]
async fn every_operation_has_its_twin() {
    let document: Value = serde_json::from_str(&committed("openapi.json")).unwrap();
    let mut rest = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has a name"));
            assert!(rest.insert(id.to_string()), "{id} is there twice");
        }
    }
    let graphql: BTreeSet<String> = graphql_operations().await;
    let alone = |of: &BTreeSet<String>, other| of.difference(other).cloned().collect::<BTreeSet<String>>();
    assert_eq!(alone(&graphql, &rest), listed("only in GraphQL"), "docs/apis.md lists the differences");
    assert_eq!(alone(&rest, &graphql), listed("only in REST"), "docs/apis.md lists the differences");
}

/// Fields of the root types, and fields that count as operations: those with arguments, the inbox, records and components.
async fn graphql_operations() -> BTreeSet<String> {
    let mut operations = BTreeSet::new();
    for of in introspected().await {
        let name = of["name"].as_str().unwrap();
        for field in of["fields"].as_array().into_iter().flatten() {
            let field_name = field["name"].as_str().unwrap();
            let takes_arguments = !field["args"].as_array().unwrap().is_empty();
            match name {
                "Query" | "Mutation" | "Subscription" => operations.insert(field_name.to_string()),
                "Me" if field_name == "games" => operations.insert("myGames".to_string()),
                _ if takes_arguments || ["record", "components"].contains(&field_name) => {
                    operations.insert(field_name.to_string())
                }
                _ => false,
            };
        }
    }
    operations
}

async fn introspected() -> Vec<Value> {
    let service = Service::by_graphql(Database::Sqlite).await;
    let query = "{ __schema { types { name kind description fields { name description args { name description } } \
        inputFields { name description } enumValues { name description } } } }";
    let request = Client::new().post(format!("{}/graphql", service.server.address)).json(&json!({ "query": query }));
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    let types = answer["data"]["__schema"]["types"].as_array().unwrap().clone();
    types.into_iter().filter(|of| !of["name"].as_str().unwrap().starts_with("__")).collect()
}

#[tokio::test]
async fn everything_in_the_schema_is_described() {
    let mut bare = Vec::new();
    let is_bare = |thing: &Value| thing["description"].as_str().unwrap_or_default().is_empty();
    for of in introspected().await {
        let name = of["name"].as_str().unwrap().to_string();
        if is_bare(&of) && name != "ID" {
            bare.push(name.clone());
        }
        for list in ["fields", "inputFields", "enumValues"] {
            for part in of[list].as_array().into_iter().flatten() {
                let path = format!("{name}.{}", part["name"].as_str().unwrap());
                if is_bare(part) {
                    bare.push(path.clone());
                }
                for argument in part["args"].as_array().into_iter().flatten() {
                    // The type of a mutation's argument has the description.
                    if is_bare(argument) && argument["name"] != "input" {
                        bare.push(format!("{path}({})", argument["name"].as_str().unwrap()));
                    }
                }
            }
        }
    }
    assert!(bare.is_empty(), "without a description: {bare:#?}");
}

#[test]
fn everything_in_the_openapi_is_described() {
    let document: Value = serde_json::from_str(&committed("openapi.json")).unwrap();
    let mut bare = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if operation["summary"].as_str().unwrap_or_default().is_empty() {
                bare.push(format!("{method} {path}"));
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let shared = parameter["$ref"].as_str().and_then(|at| document.pointer(at.trim_start_matches('#')));
                let parameter = shared.unwrap_or(parameter);
                if parameter["description"].as_str().unwrap_or_default().is_empty() {
                    bare.push(format!("{method} {path} {}", parameter["name"]));
                }
            }
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if schema["description"].as_str().unwrap_or_default().is_empty() {
            bare.push(name.clone());
        }
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            // For a nullable field the description is beside its type.
            let described = property.to_string().contains("\"description\"");
            if !described {
                bare.push(format!("{name}.{field}"));
            }
        }
    }
    assert!(bare.is_empty(), "without a description: {bare:#?}");
}

#[tokio::test]
async fn the_start_page_and_the_docs_load_nothing_from_elsewhere() {
    let service = Service::by_rest(Database::Sqlite).await;
    let response = reqwest::get(format!("{}/", service.server.address)).await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_string();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let page = response.text().await.unwrap();
    assert!(page.contains("<title>Maidan"));
    for path in
        ["/", "/app.css", "/app.js", "/docs/", "/docs/docs.css", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"]
    {
        let response = reqwest::get(format!("{}{path}", service.server.address)).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    let metrics = reqwest::get(&service.server.metrics).await.unwrap().text().await.unwrap();
    assert!(metrics.contains("maidan_requests_total"), "{metrics}");
}

#[tokio::test]
async fn metrics_go_by_their_new_names_alone() {
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::by_rest(database).await;
        let (id, [asha, _]) = service.kalah(json!({})).await;
        service.play(&asha, &id, "0").await;
        service.game(&asha, &id).await;
        let metrics = reqwest::get(&service.server.metrics).await.unwrap().text().await.unwrap();
        let has = |name: &str| metrics.lines().any(|line| line.starts_with(name));
        for name in ["maidan_request_duration_seconds", "maidan_store_batch_size", "maidan_game_cache_total"] {
            assert!(has(name), "{name} is missing");
        }
        for old in ["maidan_request_seconds", "maidan_crossing_size", "maidan_looks_total", "maidan_slow_readers_total"]
        {
            assert!(!has(old) && !metrics.contains(&format!("# HELP {old}")), "{old} is still there");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_known_is_not_sent_again() {
    let service = Service::by_rest(Database::Sqlite).await;
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let get = async |token: &str, etag: Option<&str>| {
        let mut request = Client::new().get(format!("{}/v1/games/{id}", service.server.address)).bearer_auth(token);
        if let Some(etag) = etag {
            request = request.header("if-none-match", etag);
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.headers()["etag"].to_str().unwrap().to_string())
    };
    let (status, etag) = get(&asha.token, None).await;
    assert_eq!(status, 200);
    assert_eq!(get(&asha.token, Some(&etag)).await, (304, etag.clone()));
    assert_eq!(get(&asha.token, Some(&format!("\"0\", {etag}"))).await.0, 304);
    let (status, bens) = get(&ben.token, Some(&etag)).await;
    assert_eq!(status, 200, "another viewer, another answer");
    assert_ne!(bens, etag);
    service.play(&asha, &id, "0").await;
    assert_eq!(get(&asha.token, Some(&etag)).await.0, 200);
    service.ask(&ben, "resign", json!({ "gameId": id })).await;
    let (_, over) = get(&asha.token, None).await;
    assert_eq!(get(&asha.token, Some(&over)).await.0, 304);
    service.ask(&ben, "rematch", json!({ "gameId": id })).await;
    assert_eq!(get(&asha.token, Some(&over)).await.0, 200, "it shows the rematch");
}
