//! Commands of operators: settings, players and games.

use serde_json::{Value, json};

use crate::records::verified;
use crate::support::server::Home;
use crate::support::{Database, Server, Service, stories};

stories!(an_operator_looks_up_exports_and_deletes_a_player, an_operator_looks_up_cancels_and_deletes_a_game);

fn json_of(home: &Home, arguments: &[&str]) -> Value {
    let printed = home.read(arguments);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {printed}"))
}

fn refused(home: &Home, arguments: &[&str]) -> String {
    let output = home.run(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn config_check_prints_every_setting_and_where_it_is_from_but_no_secret() {
    let home = Home::new(Database::Sqlite).await;
    let secret = "postgres://me:hush@db.example/x";
    let output = home.command().args(["config", "check", "--max-page", "50"]).env("DATABASE_URL", secret).output();
    let output = output.expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for line in [
        "DATABASE_URL = (hidden) (environment)",
        "MAIDAN_MAX_PAGE = 50 (command line)",
        "MAIDAN_LISTEN = 127.0.0.1:8080 (default)",
        "MAIDAN_GUESTS = false (default)",
        "MAIDAN_METRICS_LISTEN = not set (default)",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    assert!(!printed.contains("hush") && !said.contains("hush") && said.contains("db.example/x"), "{said}");
    let settings = json_of(&home, &["config", "check", "--json"]);
    let listed: Vec<&str> = settings.as_array().unwrap().iter().map(|one| one["variable"].as_str().unwrap()).collect();
    let help = home.read(&["--help"]);
    for variable in help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next()) {
        assert!(listed.contains(&variable), "{variable}");
    }
    assert!(!home.directory.join("maidan.db").exists(), "a check creates nothing");
}

#[tokio::test]
async fn the_url_of_the_database_may_be_in_a_file() {
    let home = Home::new(Database::Postgres).await;
    let file = home.directory.join("url");
    std::fs::write(&file, format!("{}\n", home.url.clone().unwrap())).expect("written");
    let file = file.to_str().unwrap().to_string();
    let run = |variables: &[(&str, &str)]| {
        let mut command = home.command();
        command.env_remove("DATABASE_URL").args(["migrate"]).envs(variables.iter().copied());
        let output = command.output().expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (done, said) = run(&[("DATABASE_URL_FILE", &file)]);
    assert!(done && said.contains("Postgres, "), "{said}");
    let (done, said) = run(&[("DATABASE_URL_FILE", &file), ("DATABASE_URL", "postgres://elsewhere/x")]);
    assert!(!done && said.contains("cannot be used with"), "{said}");
    let (done, said) = run(&[("DATABASE_URL_FILE", "/nowhere/url")]);
    assert!(!done && said.contains("DATABASE_URL_FILE") && said.contains("cannot be read"), "{said}");
}

#[tokio::test]
async fn the_server_and_the_program_say_their_version() {
    let home = Home::new(Database::Sqlite).await;
    let server = Server::start(&home, &[]).await;
    let served: Value = reqwest::get(format!("{}/version", server.address)).await.unwrap().json().await.unwrap();
    let printed = home.read(&["--version"]);
    assert_eq!(printed.trim(), format!("maidan {}", served["version"].as_str().unwrap()));
    let newest = domain::Kind::Mara.rules_version();
    assert!(served["rulesVersions"]["MARA"].as_array().unwrap().contains(&json!(newest)), "{served}");
    assert!(served["commit"].is_string());
}

async fn an_operator_looks_up_exports_and_deletes_a_player(service: Service) {
    let home = &service.server.home;
    let app = service.app("club");
    let ask = json!({ "name": "Asha", "externalId": "user-1" });
    let registered = service.ask(&app, "registerPlayer", ask).await["player"]["id"].clone();
    let registered = registered.as_str().unwrap();
    let shown = json_of(home, &["player", "show", "--app", "club", "--external-id", "user-1", "--json"]);
    assert_eq!((&shown["id"], &shown["name"]), (&json!(registered), &json!("Asha")));
    assert_eq!(json_of(home, &["player", "show", registered, "--json"]), shown);
    assert!(home.read(&["player", "show", registered]).contains("Asha"));
    assert!(refused(home, &["player", "show", "--app", "club", "--external-id", "user-2"]).contains("no such player"));
    assert!(refused(home, &["player", "show", "player_1"]).contains("not a player's id"));

    let (id, [asha, ben]) = service.kalah(json!({})).await;
    service.play(&asha, &id, "2").await;
    let exported = json_of(home, &["player", "export", &asha.id]);
    assert_eq!(exported["player"]["id"], json!(asha.id));
    assert_eq!(exported["tokens"].as_array().unwrap().len(), 1);
    let game = &exported["games"][0];
    assert_eq!((&game["id"], &game["status"], &game["seat"]), (&json!(id), &json!("RUNNING"), &json!(0)));
    let entries = game["entries"].as_array().unwrap();
    let moves: Vec<&Value> = entries.iter().filter(|entry| entry["what"] == "MOVED").collect();
    assert!(moves.len() == 1 && moves[0]["notation"] == "2", "{entries:?}");
    let text = exported.to_string();
    assert!(!text.contains(&asha.token) && !text.contains(&ben.id) && !text.contains("seed\""), "{text}");
    assert_eq!(json_of(home, &["player", "delete", &asha.id, "--json"]), json!({ "deleted": asha.id }));
    assert_eq!(service.game(&ben, &id).await["status"], "OVER");
    assert_eq!(json_of(home, &["player", "show", &asha.id, "--json"])["name"], "");
}

async fn an_operator_looks_up_cancels_and_deletes_a_game(service: Service) {
    let home = service.server.home.clone();
    let (id, [asha, ben]) = service.kalah(json!({})).await;
    let shown = json_of(&home, &["game", "show", &id, "--json"]);
    assert_eq!((&shown["status"], &shown["seats"]), (&json!("RUNNING"), &json!([asha.id, ben.id])));
    assert!(!shown.to_string().contains("seed") && !shown.to_string().contains("joinCode"), "{shown}");
    assert!(home.read(&["game", "show", &id]).contains("KALAH"));
    assert!(refused(&home, &["game", "export", &id]).contains("not over"));
    assert!(refused(&home, &["game", "delete", &id]).contains("Cancel it first"));
    assert_eq!(json_of(&home, &["game", "cancel", &id, "--json"]), json!({ "cancelled": id }));
    assert_eq!(service.game(&ben, &id).await["status"], "CANCELLED");
    assert!(refused(&home, &["game", "cancel", &id]).contains("already cancelled"));

    let over = service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    let record = json_of(&home, &["game", "export", &over]);
    assert_eq!(record, service.ask(&asha, "record", json!({ "gameId": over })).await);
    assert!(verified(&service, &[record]).0);
    let branch = json!({ "gameId": over, "ply": 1, "seats": [{ "me": true }, { "open": true }] });
    let branch = service.ask(&asha, "branchGame", branch).await["id"].as_str().unwrap().to_string();
    assert!(refused(&home, &["game", "delete", &over]).contains("branch from it"));
    assert_eq!(json_of(&home, &["game", "delete", &id, "--json"]), json!({ "deleted": id }));
    assert_eq!(service.refusal(&asha, "game", json!({ "gameId": id })).await.code, "NOT_FOUND");
    assert!(refused(&home, &["game", "show", &id]).contains("There is no game"));

    // Ninety days later, the branch is still open.
    let past = match home.url {
        Some(_) => "UPDATE games SET ended_at = ended_at - interval '90 days'",
        None => "UPDATE games SET ended_at = ended_at - 90 * 86400000000",
    };
    let older = service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    home.execute(past).await;
    let recent = service.drawn_kalah_of(&[asha.clone(), ben.clone()]).await;
    let count = ["game", "purge", "--older-than", "60", "--dry-run", "--json"];
    assert_eq!(json_of(&home, &count), json!({ "games": 1 }));
    assert_eq!(json_of(&home, &["game", "purge", "--older-than", "60", "--json"]), json!({ "deleted": 1 }));
    assert_eq!(service.refusal(&asha, "game", json!({ "gameId": older })).await.code, "NOT_FOUND");
    for kept in [&over, &recent, &branch] {
        service.game(&asha, kept).await;
    }
    // Without the branch, the game that it branches from is deleted, too.
    service.ask(&asha, "cancelGame", json!({ "gameId": branch })).await;
    home.execute(past).await;
    assert!(home.read(&["game", "purge", "--older-than", "60"]).starts_with("3 games"));
    assert_eq!(service.refusal(&asha, "game", json!({ "gameId": over })).await.code, "NOT_FOUND");
}
