//! The container files, as far as they can be checked without building an image.

use std::collections::BTreeMap;

use crate::support::Database;
use crate::support::server::{Home, repository};

fn file(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The Dockerfile's instructions, without comments and with continued lines joined.
fn instructions() -> Vec<(String, String)> {
    let text = file("Dockerfile").replace("\\\n", " ");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once(' ').unwrap_or_else(|| panic!("an instruction alone: {line}")))
        .map(|(name, rest)| (name.to_uppercase(), rest.trim().to_string()))
        .collect()
}

/// The instructions of the shipped image, from the last FROM on.
fn final_stage() -> Vec<(String, String)> {
    let all = instructions();
    let last = all.iter().rposition(|(name, _)| name == "FROM").expect("it starts from an image");
    all[last..].to_vec()
}

/// The last instruction of this name in the shipped image, which is the effective one.
fn shipped(instruction: &str) -> String {
    let found = final_stage().into_iter().rfind(|(name, _)| name == instruction);
    found.unwrap_or_else(|| panic!("the image has no {instruction}")).1
}

/// `["maidan", "serve"]`, with or without words before it.
fn words(text: &str) -> Vec<String> {
    let list = &text[text.find('[').unwrap_or_else(|| panic!("not a list of words: {text}"))..];
    serde_json::from_str(list).unwrap_or_else(|error| panic!("{list}: {error}"))
}

/// A block of compose.yaml: the lines under this path of keys, without comments.
fn compose(path: &[&str]) -> Vec<String> {
    let text = file("compose.yaml");
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    lines.retain(|line| !line.trim().is_empty());
    let depth = |line: &str| line.len() - line.trim_start().len();
    for key in path {
        let outermost = depth(lines.first().unwrap_or_else(|| panic!("nothing at {path:?}")));
        let start = lines.iter().position(|line| depth(line) == outermost && line.trim() == format!("{key}:"));
        let start = start.unwrap_or_else(|| panic!("compose.yaml has no {key} of {path:?}"));
        lines = lines[start + 1..].iter().copied().take_while(|line| depth(line) > outermost).collect();
    }
    lines.into_iter().map(|line| line.trim().to_string()).collect()
}

/// Whether a pattern of .dockerignore hides this path: by a name, or by a `*` at either end of one.
fn hides(pattern: &str, path: &str) -> bool {
    assert!(!pattern.contains(['!', '?', '[', '/']), "this test cannot read {pattern}");
    let first = path.split('/').next().unwrap_or_default();
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(rest), Some(_)) => first.contains(rest.trim_end_matches('*')),
        (Some(end), None) => first.ends_with(end),
        (None, Some(start)) => first.starts_with(start),
        (None, None) => first == pattern,
    }
}

#[test]
fn all_that_the_image_is_built_from_is_here_and_not_hidden() {
    let ignored = file(".dockerignore");
    let mut copied = Vec::new();
    for (name, rest) in instructions() {
        if name != "COPY" || rest.contains("--from=") {
            continue;
        }
        let mut paths: Vec<&str> = rest.split_whitespace().filter(|word| !word.starts_with("--")).collect();
        paths.pop().expect("it is copied somewhere");
        for path in paths {
            assert!(repository().join(path).exists(), "COPY {path}: there is no such thing");
            for pattern in ignored.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                assert!(!hides(pattern, path), "COPY {path}: .dockerignore hides it by {pattern}");
            }
            copied.push(path.to_string());
        }
    }
    // The workspace's members, the lock file for --locked, and files outside their crate that the sources include.
    for needed in ["Cargo.toml", "Cargo.lock", "README.md", "docs", "domain", "api", "bench", "migrations", "tests"] {
        assert!(copied.iter().any(|path| path == needed), "{needed} is not copied");
    }
    assert!(hides("*.db*", "maidan.db-wal") && hides("target", "target/release") && !hides("target", "tests"));
}

#[test]
fn the_image_runs_as_a_user_of_its_own() {
    let user = shipped("USER");
    let name = user.split(':').next().unwrap_or_default();
    assert!(!["", "root", "0"].contains(&name), "USER {user}");
}

#[test]
fn nothing_in_the_image_asks_for_a_shell() {
    let stage = final_stage();
    assert_eq!(stage[0], ("FROM".to_string(), "scratch".to_string()));
    for (name, rest) in &stage {
        assert_ne!(name, "RUN", "{rest}");
    }
    // The image has no /etc/passwd, so users must be numeric.
    assert!(shipped("USER").chars().all(|character| character.is_ascii_digit() || character == ':'));
}

#[tokio::test]
async fn the_image_starts_and_checks_itself_by_commands_that_there_are() {
    let home = Home::new(Database::Sqlite).await;
    let (entry, serve) = (words(&shipped("ENTRYPOINT")), words(&shipped("CMD")));
    let check = words(&shipped("HEALTHCHECK"));
    assert_eq!((entry, &check[0]), (vec!["maidan".to_string()], &"maidan".to_string()));
    for arguments in [&serve[..], &check[1..]] {
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.push("--help");
        assert!(home.read(&arguments).contains("Usage: maidan"), "{arguments:?}");
    }
}

#[tokio::test]
async fn every_variable_that_the_container_sets_is_a_good_setting() {
    let image = shipped("ENV");
    let image = image.split_whitespace().filter_map(|pair| pair.split_once('='));
    let environment = compose(&["services", "maidan", "environment"]);
    let composed = environment.iter().filter_map(|line| line.split_once(": "));
    let variables: BTreeMap<&str, &str> =
        image.chain(composed).map(|(name, value)| (name, value.trim_matches('"'))).collect();
    assert!(variables.contains_key("MAIDAN_LISTEN") && variables.contains_key("DATABASE_URL"), "{variables:?}");
    let home = Home::new(Database::Sqlite).await;
    let output = home.command().args(["config", "check"]).envs(&variables).output().expect("the program runs");
    assert!(output.status.success(), "{variables:?}: {}", String::from_utf8_lossy(&output.stderr));
    let exposed = shipped("EXPOSE");
    let exposed = exposed.split(' ').next().unwrap_or_default();
    assert!(variables["MAIDAN_LISTEN"].ends_with(&format!(":{exposed}")), "EXPOSE {exposed}");
    assert!(compose(&["services", "maidan", "ports"]).iter().any(|port| port.contains(&format!(":{exposed}\""))));
}

#[test]
fn the_image_is_built_by_the_rust_that_the_workspace_names() {
    let manifest = file("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("it names one");
    let (_, from) = instructions().into_iter().find(|(name, _)| name == "FROM").expect("it starts from an image");
    assert!(from.starts_with(&format!("rust:{}-", version.trim_matches('"'))), "FROM {from}, rust-version {version}");
}

#[test]
fn maidan_waits_until_its_postgres_is_healthy() {
    let waits = compose(&["services", "maidan", "depends_on", "postgres"]);
    assert_eq!(waits, ["condition: service_healthy"]);
    let health = compose(&["services", "postgres", "healthcheck"]);
    // While the database is initialized, a temporary server answers on the Unix socket only.
    assert!(health.iter().any(|line| line.starts_with("test: ") && line.contains("pg_isready -h ")), "{health:?}");
    let url = compose(&["services", "maidan", "environment"]);
    assert!(url.iter().any(|line| line.starts_with("DATABASE_URL: postgres://") && line.contains("@postgres:5432/")));
}
