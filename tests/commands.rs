//! The program's own commands and its configuration.

use domain::Kind;
use serde_json::Value;

use crate::support::server::Home;
use crate::support::streams::DEADLINE;
use crate::support::{Database, Server};

async fn home() -> Home {
    Home::new(Database::Sqlite).await
}

#[tokio::test]
async fn perft_counts_as_others_do() {
    let printed = home().await.read(&["perft", "KALAH", "7"]);
    let counts: Vec<&str> = printed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(counts[..7], ["6", "35", "185", "942", "4690", "23233", "114430"]);
    let small = home().await.read(&["perft", "kalah", "2", "--options", r#"{"pockets": 1, "seedsPerPocket": 2}"#]);
    assert!(small.contains("1"));
}

#[tokio::test]
async fn playout_plays_the_same_games_for_the_same_seed() {
    let home = home().await;
    let stable = |text: String| text.lines().filter(|line| !line.starts_with("speed")).collect::<Vec<_>>().join("\n");
    let arguments = ["playout", "KALAH", "--games", "50", "--seats", "2", "--seed", "7"];
    let (one, two) = (stable(home.read(&arguments)), stable(home.read(&arguments)));
    assert_eq!(one, two);
    assert!(one.contains("kalah.7"), "{one}");
    for bad in [
        ["playout", "CHESS"].as_slice(),
        &["playout", "KALAH", "--seats", "3"],
        &["perft", "KALAH", "1", "--options", "{\"x\":1}"],
    ] {
        assert!(!home.run(bad).status.success(), "{bad:?}");
    }
}

#[tokio::test]
async fn tables_of_components_are_shown_and_checked_without_a_server() {
    let home = home().await;
    let file = home.directory.join("tables.json");
    let check = |text: &str, more: &[&str]| {
        std::fs::write(&file, text).expect("the directory can be written");
        let arguments = [&["components", "check", file.to_str().expect("a path")][..], more].concat();
        let output = home.run(&arguments);
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    for (kind, tables) in [("MAHOLA", "cards, characters"), ("MAHABHARATA", "dice, leaders")] {
        let shown = home.read(&["components", "show", kind]);
        let (is_valid, said) = check(&shown, &[]);
        assert!(is_valid && said.contains(&format!("valid for {kind}: {tables}\ncomponentsHash: ")), "{said}");
        let mut half: Value = serde_json::from_str(&shown).expect("it is JSON");
        let (first, second) = tables.split_once(", ").expect("there are two tables");
        half[second].take();
        let (is_valid, said) = check(&half.to_string(), &[]);
        assert!(is_valid && said.contains(&format!("{first}; built-in: {second}")), "{said}");
    }
    let mut cards: Value = serde_json::from_str(&home.read(&["components", "show", "mahola"])).expect("it is JSON");
    cards["cards"][6]["animal"] = "FOX".into();
    let wrong = [
        (
            cards.to_string(),
            vec![],
            "the animal of card 7 must be BEAR, SNAKE, WOLF or RAVEN, not \"FOX\". (mahola.12)",
        ),
        (
            "{}".into(),
            vec!["--kind", "MAHABHARATA"],
            "components needs the table dice, the table leaders, or both. (mbh.14)",
        ),
        ("{}".into(), vec![], "name it, such as --kind MAHOLA"),
        ("{".into(), vec![], "is not JSON"),
        (r#"{"cards": 7}"#.into(), vec![], "is not a table of MAHOLA"),
        (r#"{"cards": []}"#.into(), vec!["--kind", "KALAH"], "KALAH has no option components"),
        (" ".repeat(100_000), vec![], "has more than 65536 bytes"),
    ];
    for (text, more, why) in wrong {
        let (is_valid, said) = check(&text, &more);
        assert!(!is_valid && said.contains(why), "{said}");
    }
}

#[tokio::test]
async fn random_games_of_every_kind_and_version_end_at_every_table() {
    let home = home().await;
    for kind in Kind::ALL {
        for (version, seats) in
            kind.rules_versions().flat_map(|version| kind.seats().map(move |seats| (version, seats)))
        {
            let (version, seats) = (version.to_string(), seats.to_string());
            let arguments =
                ["playout", kind.name(), "--games", "3", "--rules-version", &version, "--seats", &seats, "--seed", "5"];
            let printed = home.read(&arguments);
            let first = format!("{kind}, version {version} of the rules, {seats} seats: 3 games");
            assert_eq!(printed.lines().next(), Some(first.as_str()));
            assert!(!printed.contains("PLY_LIMIT"), "{printed}");
        }
    }
    let newest = home.read(&["playout", "MAHOLA", "--games", "1"]);
    assert!(newest.starts_with("MAHOLA, version 2 of the rules"), "{newest}");
    let counted = |version: &str| {
        let printed = home.read(&["perft", "MAHABHARATA", "2", "--rules-version", version]);
        printed.lines().take(2).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(counted("1"), counted("2"), "the versions differ only at the end of a round");
    for bad in
        [["playout", "KALAH", "--rules-version", "2"].as_slice(), &["perft", "MARA", "1", "--rules-version", "0"]]
    {
        let output = home.run(bad);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("no version"), "{said}");
    }
}

#[tokio::test]
async fn a_bad_setting_stops_the_start_and_is_named() {
    let home = home().await;
    for (name, value) in [
        ("MAIDAN_LISTEN", "everywhere"),
        ("MAIDAN_LISTN", "127.0.0.1:0"),
        ("MAIDAN_MAX_PAGE", "0"),
        ("MAIDAN_GUESTS", "perhaps"),
        ("MAIDAN_LOG", "[["),
        ("MAIDAN_CORS_ORIGINS", "example.org"),
        ("DATABASE_URL", "mysql://localhost"),
    ] {
        for arguments in [["serve"].as_slice(), &["config", "check"]] {
            let output = home.command().args(arguments).env(name, value).output().unwrap();
            assert!(!output.status.success(), "{name}={value}");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains(name), "{name}={value}: {said}");
        }
    }
    home.read(&["config", "check"]);
}

#[tokio::test]
async fn a_setting_by_its_old_name_stops_the_start_and_the_new_name_is_given() {
    let home = home().await;
    for (old, new) in [
        ("MAIDAN_PATIENCE_SECONDS", "MAIDAN_WRITE_TIMEOUT_SECONDS"),
        ("MAIDAN_WRONG_GUESSES_PER_MINUTE", "MAIDAN_AUTH_FAILURES_PER_MINUTE"),
    ] {
        for arguments in [["serve"].as_slice(), &["config", "check"]] {
            // The old name is refused even if the new one is also set.
            for variables in [&[old][..], &[old, new]] {
                let mut command = home.command();
                command
                    .args(arguments)
                    .env("MAIDAN_LISTEN", "127.0.0.1:0")
                    .envs(variables.iter().map(|name| (name, "5")));
                let ended = tokio::process::Command::from(command).kill_on_drop(true).output();
                let output = tokio::time::timeout(DEADLINE, ended).await.expect("it does not start").unwrap();
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(!output.status.success() && said.contains(old) && said.contains(new), "{arguments:?}: {said}");
            }
        }
        let output = home.command().args(["config", "check"]).env(new, "5").output().unwrap();
        assert!(output.status.success(), "{new}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn operator_commands_refuse_a_database_that_does_not_exist_and_name_the_one_they_use() {
    let commands = [
        ["app", "create", "club"].as_slice(),
        &["app", "list"],
        &["app", "revoke", "club"],
        &["app", "key", "list", "club"],
        &["player", "delete", "player_00000000000000000000000000000000"],
        &["verify", "--live"],
    ];
    for database in [Database::Sqlite, Database::Postgres] {
        let home = Home::new(database).await;
        let place = home.url.as_deref().map_or("maidan.db", |url| url.rsplit('/').next().unwrap_or_default());
        for command in commands {
            let output = home.run(command);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains(place) && said.contains("maidan migrate"), "{said}");
        }
        assert!(!home.directory.join("maidan.db").exists(), "no file is made");
        home.read(&["migrate"]);
        let output = home.run(&["app", "create", "club"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.contains(place), "{said}");
        assert!(home.read(&["app", "list"]).contains("club"));
    }
}

#[tokio::test]
async fn healthcheck_says_whether_the_service_is_ready() {
    let home = home().await;
    let server = Server::start(&home, &[]).await;
    let listen = server.address.trim_start_matches("http://").to_string();
    assert_eq!(home.read(&["healthcheck", "--listen", &listen]).trim(), "ready");
    drop(server);
    assert!(!home.run(&["healthcheck", "--listen", &listen]).status.success());
}

#[tokio::test]
async fn without_leave_to_migrate_an_empty_database_stops_the_start() {
    for database in [Database::Sqlite, Database::Postgres] {
        let home = Home::new(database).await;
        let mut command = home.command();
        let output = command.args(["serve", "--no-migrate"]).env("MAIDAN_LISTEN", "127.0.0.1:0").output().unwrap();
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("maidan migrate"));
        home.read(&["migrate"]);
        home.read(&["migrate"]);
        let server = Server::start(&home, &[("MAIDAN_NO_MIGRATE", "true")]).await;
        assert_eq!(reqwest::get(format!("{}/readyz", server.address)).await.unwrap().status(), 200);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_of_the_embedded_database_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = home().await;
    let _server = Server::start(&home, &[]).await;
    for file in std::fs::read_dir(&home.directory).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[tokio::test]
async fn metrics_have_a_port_of_their_own_with_health_checks() {
    let server = Server::start(&home().await, &[]).await;
    assert_eq!(reqwest::get(format!("{}/metrics", server.address)).await.unwrap().status(), 404);
    let metrics = server.metrics.trim_end_matches("/metrics");
    for path in ["metrics", "livez", "readyz"] {
        assert_eq!(reqwest::get(format!("{metrics}/{path}")).await.unwrap().status(), 200, "{path}");
    }
}

#[tokio::test]
async fn guests_are_not_welcome_on_postgres_unless_invited() {
    let home = Home::new(Database::Postgres).await;
    let printed = home.read(&["config", "check"]);
    assert!(printed.contains("MAIDAN_GUESTS = false (default)"), "{printed}");
    let server = Server::start(&home, &[("MAIDAN_GUESTS", "false")]).await;
    let client = reqwest::Client::new();
    let ask = client.post(format!("{}/v1/players", server.address)).json(&serde_json::json!({ "name": "X" }));
    assert_eq!(ask.send().await.unwrap().status(), 401);
    assert_eq!(client.get(format!("{}/v1/games", server.address)).send().await.unwrap().status(), 401);
    assert_eq!(client.get(format!("{}/v1/kinds", server.address)).send().await.unwrap().status(), 200);
}
