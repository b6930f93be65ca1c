//! The files of `deploy/`, as far as they can be checked without a cluster.

use std::process::Command;

use serde_json::Value;

use crate::support::Database;
use crate::support::server::{Home, repository};

/// The manifests, each valid by the schemas of Kubernetes.
fn manifests() -> Vec<Value> {
    let python = repository().join("target/test-python/bin/python");
    let output = Command::new(python)
        .args(["tests/clients/kubernetes.py", "deploy/kubernetes"])
        .current_dir(repository())
        .output()
        .expect("./test sets Python up");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("JSON is text");
    printed.lines().map(|line| serde_json::from_str(line).expect("a line is a manifest")).collect()
}

fn of_kind<'a>(manifests: &'a [Value], kind: &str) -> Vec<&'a Value> {
    manifests.iter().filter(|manifest| manifest["kind"] == kind).collect()
}

/// The pods that a manifest describes.
fn pods(manifest: &Value) -> Vec<&Value> {
    ["/spec/template/spec", "/spec/jobTemplate/spec/template/spec"]
        .iter()
        .filter_map(|at| manifest.pointer(at))
        .collect()
}

fn containers(pod: &Value) -> impl Iterator<Item = &Value> {
    ["initContainers", "containers"].into_iter().flat_map(|list| pod[list].as_array().into_iter().flatten())
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().expect("an argument is a text")).collect()
}

/// The value of a setting in a container, without those that come from elsewhere.
fn variables(container: &Value) -> Vec<(&str, &str)> {
    let all = container["env"].as_array().into_iter().flatten();
    all.filter_map(|one| Some((one["name"].as_str()?, one["value"].as_str()?))).collect()
}

#[tokio::test]
async fn the_manifests_are_valid_and_use_settings_and_commands_that_there_are() {
    let manifests = manifests();
    let home = Home::new(Database::Sqlite).await;
    let url = home.directory.join("url");
    std::fs::write(&url, "postgres://maidan@db/maidan").expect("written");
    let mut commands = Vec::new();
    for pod in manifests.iter().flat_map(pods) {
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        assert_eq!(pod["automountServiceAccountToken"], false);
        for container in containers(pod) {
            let context = &container["securityContext"];
            assert_eq!(
                (&context["readOnlyRootFilesystem"], &context["allowPrivilegeEscalation"]),
                (&true.into(), &false.into())
            );
            assert_eq!(texts(&context["capabilities"]["drop"]), ["ALL"]);
            assert!(
                container["resources"]["limits"]["memory"].is_string()
                    && container["resources"]["requests"]["cpu"].is_string()
            );
            let mut command = home.command();
            command.args(["config", "check"]).envs(variables(container)).env("DATABASE_URL_FILE", &url);
            let checked = command.output().expect("the program runs");
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
            let arguments = texts(&container["args"]);
            let mut with_help = arguments.clone();
            with_help.push("--help");
            assert!(home.read(&with_help).contains("Usage: maidan"), "{arguments:?}");
            commands.push(arguments.join(" "));
        }
    }
    for command in ["serve", "migrate", "verify --live", "game purge --older-than 365"] {
        assert!(commands.iter().any(|one| one == command), "{command} is not in {commands:?}");
    }
}

#[tokio::test]
async fn a_pod_has_time_to_drain_and_is_probed_where_the_server_answers() {
    let manifests = manifests();
    let [deployment] = of_kind(&manifests, "Deployment")[..] else { panic!("one deployment") };
    let pod = pods(deployment)[0];
    let container = containers(pod).next().expect("a container");
    let seconds = |name: &str| -> u64 {
        let value = variables(container).into_iter().find(|(variable, _)| *variable == name).expect("it is set").1;
        value.parse().expect("seconds")
    };
    let needed = seconds("MAIDAN_DRAIN_SECONDS") + seconds("MAIDAN_SHUTDOWN_SECONDS");
    assert!(pod["terminationGracePeriodSeconds"].as_u64().expect("it is set") > needed);
    for (probe, path) in [("startupProbe", "/readyz"), ("readinessProbe", "/readyz"), ("livenessProbe", "/livez")] {
        assert_eq!(container[probe]["httpGet"]["path"], path);
        assert_eq!(container[probe]["httpGet"]["port"], "metrics");
    }
    // Otherwise traffic ends before the server stops to take it.
    let probe = &container["readinessProbe"];
    let notices = probe["periodSeconds"].as_u64().unwrap() * probe["failureThreshold"].as_u64().unwrap();
    assert!(notices < seconds("MAIDAN_DRAIN_SECONDS"));
    let [budget] = of_kind(&manifests, "PodDisruptionBudget")[..] else { panic!("one budget") };
    assert_eq!(budget["spec"]["selector"], deployment["spec"]["selector"]);
    for service in of_kind(&manifests, "Service") {
        assert_eq!(service["spec"]["selector"], deployment["spec"]["selector"]["matchLabels"]);
        let port = &service["spec"]["ports"][0]["targetPort"];
        assert!(container["ports"].as_array().unwrap().iter().any(|named| named["name"] == *port), "{port}");
    }
}

#[test]
fn the_container_of_compose_has_time_to_drain() {
    let text = std::fs::read_to_string(repository().join("compose.yaml")).expect("it is committed");
    let grace = text.lines().find_map(|line| line.trim().strip_prefix("stop_grace_period: ")?.strip_suffix('s'));
    let grace: u64 = grace.expect("it is set, in seconds").parse().expect("a number");
    let output =
        Command::new(env!("CARGO_BIN_EXE_maidan")).args(["config", "check"]).env_clear().output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let default = |name: &str| -> u64 {
        let line = printed.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).expect("a setting");
        line.split(' ').next().unwrap_or_default().parse().expect("seconds")
    };
    assert!(grace > default("MAIDAN_DRAIN_SECONDS") + default("MAIDAN_SHUTDOWN_SECONDS"));
}
