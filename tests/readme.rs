//! Runs the commands of the README and of the guide word for word, and checks their tables and links.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::server::{Home, repository};
use crate::support::{Database, Server, Service};

/// Blocks that need more than one server or do not end, by how they begin, and the test that covers each.
const ELSEWHERE: [(&str, &str); 14] = [
    // Nearly every test starts the server, and ./test runs them all.
    ("cargo run --release    #", "the_server_and_the_program_say_their_version"),
    ("cargo build --release --features otlp", "a_collector_gets_the_span_of_a_request_in_the_trace_of_its_client"),
    ("docker compose", "the_image_starts_and_checks_itself_by_commands_that_there_are"),
    ("kubectl", "the_manifests_are_valid_and_use_settings_and_commands_that_there_are"),
    ("MAIDAN_URL=", "the_bots_of_the_guide_play_whole_games_against_each_other"),
    ("npx openapi-typescript", "a_whole_game_is_played_through_the_types_of_openapi_typescript"),
    ("pip install 'openapi-generator-cli", "a_whole_game_is_played_through_the_classes_generated_for_kotlin"),
    ("openapi-generator-cli generate -g kotlin", "a_whole_game_is_played_through_the_classes_generated_for_kotlin"),
    ("openapi-generator-cli generate -g swift6", "clients_for_swift_and_dart_have_every_variant_of_every_union"),
    ("openapi-generator-cli generate -g dart-dio", "clients_for_swift_and_dart_have_every_variant_of_every_union"),
    ("printf 'content_type_overrides", "openapi_python_client_drops_nothing_and_its_client_plays"),
    ("maidan restore", "a_backup_of_a_service_under_load_holds_every_acknowledged_move_and_restores"),
    ("maidan copy", "a_service_moves_to_postgres_and_back_without_losing_anything"),
    ("pg_dump", "a_dump_of_postgres_under_load_restores_to_a_database_that_verifies"),
];

fn text(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A block of commands, and the block that shows what they print.
struct Block {
    commands: String,
    output: Option<String>,
}

/// The blocks of a document in a language, each with the text that follows it.
fn fenced<'a>(document: &'a str, language: &str) -> Vec<(&'a str, &'a str)> {
    let opening = format!("```{language}\n");
    document.split(&opening).skip(1).filter_map(|rest| rest.split_once("```\n")).collect()
}

fn blocks(path: &str) -> Vec<Block> {
    let document = text(path);
    let output = |after: &str| {
        let shown = after.strip_prefix("\n```json\n").or(after.strip_prefix("\n```text\n"))?;
        Some(shown.split_once("```")?.0.to_string())
    };
    let blocks = fenced(&document, "sh").into_iter();
    blocks.map(|(commands, after)| Block { commands: commands.to_string(), output: output(after) }).collect()
}

fn is_elsewhere(block: &Block) -> bool {
    ELSEWHERE.iter().any(|(beginning, _)| block.commands.starts_with(beginning))
}

/// Whether a text is what was shown, in which `…` stands for anything within a line.
fn fits(shown: &str, printed: &str) -> bool {
    fn line_fits(shown: &str, printed: &str) -> bool {
        let Some((before, after)) = shown.split_once('…') else { return shown == printed };
        let Some(rest) = printed.strip_prefix(before) else { return false };
        rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| line_fits(after, &rest[at..]))
    }
    shown.lines().count() == printed.lines().count()
        && shown.lines().zip(printed.lines()).all(|(shown, printed)| line_fits(shown, printed))
}

/// Runs all blocks of a document in one shell beside a server. A document of the guide goes on from the README.
async fn run(path: &str) {
    /// Printed between blocks.
    const NEXT: &str = "\u{1e}\n";
    let before = if path == "README.md" { Vec::new() } else { blocks("README.md") };
    let here = before.len();
    let mut all = before;
    all.extend(blocks(path));
    let home = Home::new(Database::Sqlite).await;
    let server = Server::start(&home, &[]).await;
    let mut script = String::new();
    for block in &all {
        if !is_elsewhere(block) {
            script.push_str(&block.commands);
        }
        script.push_str("printf '\\x1e\\n'\n");
    }
    // Port 8080 may be in use here, and the program is built already. Nothing else is changed.
    let script = script.replace("http://127.0.0.1:8080", &server.address).replace("cargo run --release --", "maidan");
    let program = Path::new(env!("CARGO_BIN_EXE_maidan")).parent().expect("it lies in a directory");
    let path_variable = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    for (name, _) in std::env::vars() {
        let is_proxy = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].contains(&name.as_str());
        if name.starts_with("MAIDAN_") || name == "DATABASE_URL" || is_proxy {
            bash.env_remove(name);
        }
    }
    bash.args(["-euo", "pipefail", "-c", &script]).current_dir(&home.directory);
    bash.env("PATH", path_variable).env("MAIDAN_DATA", home.directory.join("maidan.db"));
    let output = bash.output().expect("bash is there");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{path}: {printed}{}", String::from_utf8_lossy(&output.stderr));
    for (block, printed) in all.iter().zip(printed.split(NEXT)).skip(here) {
        let refusal = printed.lines().find(|line| line.contains("urn:maidan:") || line.contains(r#""errors":"#));
        match &block.output {
            Some(shown) => assert!(fits(shown, printed), "{path} shows\n{shown}but this is printed:\n{printed}"),
            None => assert_eq!(refusal, None, "{path}: {}", block.commands),
        }
    }
}

macro_rules! documents {
    ($($test:ident: $path:literal;)*) => {
        /// All documents whose commands are run.
        const DOCUMENTS: &[&str] = &[$($path),*];
        $(
            #[tokio::test]
            async fn $test() {
                run($path).await;
            }
        )*
    };
}

documents! {
    the_game_in_the_readme_is_played_to_its_end: "README.md";
    the_commands_for_contributors_work: "CONTRIBUTING.md";
    the_commands_about_alerts_work: "docs/alerts.md";
    the_commands_about_the_apis_work: "docs/apis.md";
    the_commands_about_apps_work: "docs/apps.md";
    the_commands_about_bots_work: "docs/bots.md";
    the_commands_about_clients_work: "docs/clients.md";
    the_commands_about_components_work: "docs/components.md";
    the_commands_about_concepts_work: "docs/concepts.md";
    the_commands_about_configuration_work: "docs/configuration.md";
    the_commands_about_deployment_work: "docs/deployment.md";
    the_commands_about_errors_work: "docs/errors.md";
    the_commands_about_history_work: "docs/history.md";
    the_commands_about_live_updates_work: "docs/live.md";
    the_commands_about_operating_work: "docs/operating.md";
    the_commands_about_playing_work: "docs/playing.md";
    the_commands_about_scale_work: "docs/scale.md";
}

/// The documents of the guide, by their paths.
fn guide() -> BTreeSet<String> {
    let files = std::fs::read_dir(repository().join("docs")).expect("there is a guide");
    let names = files.map(|file| file.expect("it can be listed").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect()
}

#[test]
fn every_document_of_the_guide_is_run_and_named_by_the_readme() {
    let run: BTreeSet<String> =
        DOCUMENTS.iter().filter(|path| path.starts_with("docs/")).map(|path| (*path).to_string()).collect();
    assert_eq!(run, guide());
    let readme = text("README.md");
    for path in guide() {
        assert!(readme.contains(&format!("({path})")), "README.md does not name {path}");
    }
}

#[test]
fn every_exception_is_in_a_document_and_has_a_test() {
    let all: Vec<Block> = DOCUMENTS.iter().flat_map(|path| blocks(path)).collect();
    let files = std::fs::read_dir(repository().join("tests")).expect("there are tests");
    let tests: String =
        files.filter_map(|file| std::fs::read_to_string(file.expect("it can be listed").path()).ok()).collect();
    for (beginning, test) in ELSEWHERE {
        assert!(all.iter().any(|block| block.commands.starts_with(beginning)), "no block begins with {beginning}");
        assert!(tests.contains(&format!("fn {test}(")), "there is no test {test}");
    }
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(path: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let document = text(path);
    let mut headings = Vec::new();
    for line in document.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            headings.push(line.trim_start_matches('#').trim().to_lowercase());
        }
    }
    let slug = |heading: &String| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || ['-', '_', ' '].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.iter().map(slug).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    for path in DOCUMENTS.iter().copied().chain(["ARCHITECTURE.md", "CHANGELOG.md"]) {
        let document = text(path);
        for link in document.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let directory = Path::new(path).parent().expect("a file lies in a directory");
            let target = if file.is_empty() { path.into() } else { directory.join(file) };
            assert!(repository().join(&target).exists(), "{path}: {link}");
            // A path as people write it, without a detour by the parent.
            let target = target.to_string_lossy().replace("docs/../", "");
            assert!(anchor.is_empty() || anchors(&target).contains(anchor), "{path}: {link}");
        }
    }
}

/// The rows of the tables of a document that begin with these columns, cell by cell.
fn rows(path: &str, head: &str) -> Vec<Vec<String>> {
    let document = text(path);
    let tables: Vec<&str> = document.split(head).skip(1).collect();
    assert!(!tables.is_empty(), "{path} has no table {head}");
    let lines = tables.iter().flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with('|')));
    lines
        .map(|line| {
            let line = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")).unwrap_or(line);
            line.split(" | ").map(|cell| cell.trim().replace('`', "")).collect()
        })
        .collect()
}

#[tokio::test]
async fn the_readme_lists_every_kind_with_its_seats() {
    let service = Service::by_rest(Database::Sqlite).await;
    let kinds = service.call_as_nobody("kinds", json!({})).await.expect("anybody may ask");
    let served: Vec<(String, String)> = kinds
        .as_array()
        .expect("a list")
        .iter()
        .map(|kind| {
            let (least, most) = (&kind["leastSeats"], &kind["mostSeats"]);
            let seats = if least == most { least.to_string() } else { format!("{least}–{most}") };
            (kind["kind"].as_str().unwrap().to_string(), seats)
        })
        .collect();
    let listed: Vec<(String, String)> = rows("README.md", "| kind | seats | what it is |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    assert_eq!(listed, served);
    let noted = rows("docs/concepts.md", "| kind | notation | structured |");
    assert_eq!(noted.len(), served.len(), "every kind has a notation");
    for row in noted {
        let seats = if row[0] == "MAHOLA" { 3 } else { 2 };
        let (id, people) = service.table(&row[0], json!({}), seats).await;
        let structured: Value = serde_json::from_str(&row[2]).unwrap_or_else(|error| panic!("{row:?}: {error}"));
        let one = service.ask(&people[0], "explain", json!({ "gameId": id, "notation": row[1] })).await;
        let other = service.ask(&people[0], "explain", json!({ "gameId": id, "move": structured })).await;
        assert_eq!(one, other, "{row:?}");
    }
}

#[test]
fn the_guide_shows_the_bots_as_they_are() {
    let guide = text("docs/bots.md");
    for (language, file) in [("python", "bot.py"), ("js", "bot.mjs")] {
        let bot = text(&format!("docs/bots/{file}"));
        assert!(guide.contains(&format!("```{language}\n{bot}```\n")), "docs/bots.md differs from docs/bots/{file}");
    }
}

/// A setting of `maidan --help`: its variable, and its default if it has one.
fn settings(help: &str) -> Vec<(String, String)> {
    let lines = help.lines().filter_map(|line| line.split_once("[env: "));
    lines
        .map(|(_, rest)| {
            let variable = rest.split(['=', ']']).next().unwrap_or_default();
            let default = rest.split_once("[default: ").and_then(|(_, rest)| rest.split(']').next());
            (variable.to_string(), default.unwrap_or_default().to_string())
        })
        .collect()
}

#[tokio::test]
async fn the_guide_lists_every_setting_with_its_default() {
    let settings = settings(&Home::new(Database::Sqlite).await.read(&["--help"]));
    assert!(settings.len() > 40);
    let path = "docs/configuration.md";
    let mut listed = rows(path, "| variable | default | meaning |");
    listed.extend(rows(path, "| variable | default | limit |"));
    for (variable, default) in &settings {
        let row = listed.iter().find(|row| row[0] == *variable).unwrap_or_else(|| panic!("{path}: no {variable}"));
        // Flags have no default in the help, and that of some settings depends on others.
        assert!(default.is_empty() || row[1] == *default, "{path}: {variable} is {default} by default");
    }
    let known: BTreeSet<&str> = settings.iter().map(|(variable, _)| variable.as_str()).collect();
    for row in &listed {
        assert!(known.contains(row[0].as_str()), "{path}: there is no setting {}", row[0]);
    }
}

#[test]
fn the_guide_lists_every_error_code() {
    let document: Value = serde_json::from_str(&text("openapi.json")).expect("it is JSON");
    let codes = document.pointer("/components/schemas/ErrorCode/enum").expect("codes are an enum");
    let codes: BTreeSet<&str> = codes.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let rows = rows("docs/errors.md", "| code | status | meaning |");
    let listed = rows.iter().flat_map(|row| row[0].split(", ").zip(row[1].split(", "))).collect::<Vec<_>>();
    // GraphQL alone refuses hashes in place of queries.
    let of_rest: BTreeSet<&str> =
        listed.iter().map(|(code, _)| *code).filter(|code| *code != "PERSISTED_QUERY_NOT_SUPPORTED").collect();
    assert_eq!(of_rest, codes.iter().copied().filter(|code| *code != "PERSISTED_QUERY_NOT_SUPPORTED").collect());
    assert!(listed.iter().all(|(_, status)| status.parse::<u16>().is_ok()), "{listed:?}");
}
