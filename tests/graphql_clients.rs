//! Client libraries and code generators of others, with the committed schema and the running server.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::support::server::repository;
use crate::support::{Database, Service};

/// A directory of its own for a client: the files of tests/clients/NAME, the committed schema, and npm's packages.
struct Project {
    directory: PathBuf,
}

impl Project {
    fn new(name: &str, packages: &str) -> Project {
        let source = repository().join("tests/clients").join(name);
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clients-{name}"));
        // Removes the files of an earlier run.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(directory.join("generated")).expect("target can be written");
        for file in std::fs::read_dir(source).expect("the client is there") {
            let file = file.expect("it can be listed");
            std::fs::copy(file.path(), directory.join(file.file_name())).expect("target can be written");
        }
        std::fs::copy(repository().join("schema.graphql"), directory.join("schema.graphql"))
            .expect("there is a schema");
        let packages = fetched(packages);
        std::os::unix::fs::symlink(packages, directory.join("node_modules")).expect("target can be written");
        Project { directory }
    }

    async fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> String {
        run(&self.directory, program.as_ref(), arguments).await
    }
}

/// A path below target that ./test has filled.
fn fetched(path: &str) -> PathBuf {
    let path = repository().join("target").join(path);
    assert!(path.exists(), "{} is missing: run the tests by ./test, which fetches it", path.display());
    path
}

fn python() -> PathBuf {
    fetched("test-python/bin/python")
}

/// The output of a program. It must succeed within a minute.
async fn run(directory: &Path, program: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdin(Stdio::null()).kill_on_drop(true);
    // A proxy for the world outside must not get between the client and the server.
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(variable);
    }
    let output = tokio::time::timeout(Duration::from_secs(60), command.output()).await;
    let output = output.expect("it ends within a minute").unwrap_or_else(|error| panic!("{program:?}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{program:?}: {printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

async fn service() -> (Service, String) {
    let service = Service::by_graphql(Database::Sqlite).await;
    let url = format!("{}/graphql", service.server.address);
    (service, url)
}

#[tokio::test]
async fn relay_pages_through_every_list() {
    let project = Project::new("relay", "test-peers/node_modules");
    project.run("node_modules/.bin/relay-compiler", &[]).await;
    let made = std::fs::read_to_string(project.directory.join("generated/Lists_log.graphql.ts")).expect("it is made");
    assert!(made.contains(r#""kind": "LinkedField""#) && made.contains("readonly notation: string | null"), "{made}");
}

#[tokio::test]
async fn a_game_is_played_by_types_of_graphql_codegen() {
    let (_service, url) = service().await;
    let project = Project::new("codegen", "test-peers/codegen/node_modules");
    project.run("node_modules/.bin/graphql-codegen", &["--config", "codegen.yml"]).await;
    project.run("node_modules/.bin/tsc", &[]).await;
    assert!(project.run("node", &["built/play.js", &url]).await.starts_with("over after"));
}

#[tokio::test]
async fn a_game_is_played_by_a_client_of_ariadne_codegen() {
    let (_service, url) = service().await;
    let project = Project::new("ariadne", "test-peers/node_modules");
    project.run(fetched("test-python/bin/ariadne-codegen"), &[]).await;
    assert!(project.run(python(), &["play.py", &url]).await.starts_with("over after"));
}

#[tokio::test]
async fn pythons_gql_subscribes() {
    let (_service, url) = service().await;
    let printed = run(repository(), &python(), &["tests/clients/subscribe.py", &url]).await;
    assert_eq!(printed, "subscribed by WebsocketsTransport\nsubscribed by AIOHTTPWebsocketsTransport\n");
}

#[tokio::test]
async fn apollo_goes_on_without_persisted_queries() {
    let (_service, url) = service().await;
    let script = std::fs::read_to_string(repository().join("tests/clients/persisted.mjs")).expect("it is there");
    let peers = fetched("test-peers");
    assert!(peers.join("node_modules/@apollo/client").exists(), "run the tests by ./test, which fetches the client");
    let arguments = ["--input-type=module", "--eval", &script, "persisted.mjs", &url];
    assert_eq!(run(&peers, Path::new("node"), &arguments).await, "KALAH Kalah hash query query\n");
}
