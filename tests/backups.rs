//! Backing up, restoring and moving a database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Connection, Row};

use crate::support::server::Home;
use crate::support::service::number;
use crate::support::{Client, Database, Person, Server, Service, eventually};

/// The error of a command that must fail.
fn refused(home: &Home, arguments: &[&str]) -> String {
    let output = home.run(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are plain")
}

/// Plays until the server is gone or the game is over. Counts the acknowledged moves of the game.
async fn play_on(client: Arc<dyn Client>, game: String, people: [Person; 2], moves: Arc<AtomicUsize>) {
    loop {
        let mut is_over = true;
        for person in &people {
            let token = Some(person.token.as_str());
            let ask = json!({ "gameId": game, "limit": 1 });
            let Ok(legal) = client.call(token, None, "legalMoves", ask).await else { return };
            let Some(mv) = legal["items"].get(0) else { continue };
            is_over = false;
            let ask = json!({ "gameId": game, "notation": mv["notation"] });
            if client.call(token, None, "playMove", ask).await.is_err() {
                return;
            }
            moves.fetch_add(1, Ordering::SeqCst);
        }
        if is_over {
            return;
        }
    }
}

#[tokio::test]
async fn a_backup_of_a_service_under_load_holds_every_acknowledged_move_and_restores() {
    let service = Service::by_rest(Database::Sqlite).await;
    let home = service.server.home.clone();
    let client: Arc<dyn Client> = Arc::from(service.client.connect(&service.server.address));
    let mut games = Vec::new();
    for _ in 0..6 {
        let (id, people) = service.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await;
        let moves = Arc::new(AtomicUsize::new(0));
        let playing = tokio::spawn(play_on(Arc::clone(&client), id.clone(), people.clone(), Arc::clone(&moves)));
        games.push((id, people, moves, playing));
    }
    eventually("moves are made", async || games.iter().all(|(_, _, moves, _)| moves.load(Ordering::SeqCst) >= 5)).await;

    let file = home.directory.join("copy.db");
    let acknowledged: Vec<usize> = games.iter().map(|(_, _, moves, _)| moves.load(Ordering::SeqCst)).collect();
    let (backing_up, arguments) = (home.clone(), ["backup".to_string(), text(&file).to_string()]);
    let printed =
        tokio::task::spawn_blocking(move || backing_up.read(&arguments.iter().map(String::as_str).collect::<Vec<_>>()));
    let printed = printed.await.expect("the backup is made");
    assert!(printed.contains("6 games, of which 6 are running"), "{printed}");
    let mut later: Vec<usize> = games.iter().map(|(_, _, moves, _)| moves.load(Ordering::SeqCst)).collect();
    // One move of each game may have been stored and not yet acknowledged.
    later.iter_mut().for_each(|moves| *moves += 1);
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().expect("there is a file").permissions());
        assert_eq!(mode & 0o077, 0, "the backup holds seeds and hands: {mode:o}");
    }
    assert!(!home.directory.join("copy.db.partial").exists());
    assert!(refused(&home, &["backup", text(&file)]).contains("exists already"));
    assert!(refused(&home, &["restore", text(&file), "--replace"]).contains("in use"));

    // The same service goes on from the backup.
    drop(service.server);
    for (_, _, _, playing) in &mut games {
        playing.await.expect("it ends with the server");
    }
    let complaint = refused(&home, &["restore", text(&file)]);
    assert!(complaint.contains("holds 6 games") && complaint.contains("--replace"), "{complaint}");
    let printed = home.read(&["restore", text(&file), "--replace"]);
    assert!(printed.contains("6 games"), "{printed}");
    let server = Server::start(&home, &[]).await;
    let service = Service { client: service.client.connect(&server.address), server };
    for (index, (id, people, _, _)) in games.iter().enumerate() {
        let log = service.log(&people[0], id).await;
        let moved = log.iter().filter(|entry| entry["what"] == "MOVED").count();
        assert!((acknowledged[index]..=later[index]).contains(&moved), "{moved} {acknowledged:?} {later:?}");
        assert_eq!(number(&service.game(&people[1], id).await["version"]), log.len());
        service.ask(&people[0], "resign", json!({ "gameId": id })).await;
    }
    let printed = home.read(&["verify", "--live"]);
    assert!(printed.contains("all 0 running games"), "{printed}");
}

#[tokio::test]
async fn what_is_not_a_whole_backup_is_not_restored() {
    let service = Service::by_rest(Database::Sqlite).await;
    let home = service.server.home.clone();
    let (id, people) = service.kalah(json!({})).await;
    let path = |name: &str| home.directory.join(name);
    home.read(&["backup", text(&path("good.db"))]);
    // Copied like an ordinary file, without its write-ahead log.
    std::fs::copy(path("maidan.db"), path("live.db")).expect("it is copied");
    std::fs::copy(path("maidan.db-wal"), path("live.db-wal")).expect("it is copied");
    drop(service.server);

    let good = std::fs::read(path("good.db")).expect("a backup");
    std::fs::write(path("short.db"), &good[..good.len() / 2]).expect("written");
    std::fs::write(path("text.db"), "no database").expect("written");
    let mut changed = good.clone();
    let middle = good.len() / 2;
    changed[middle..middle + 4096].fill(0xa5);
    std::fs::write(path("changed.db"), changed).expect("written");
    let before = std::fs::read(path("maidan.db")).expect("there is one");
    for (file, reason) in [
        ("none.db", "cannot be copied"),
        ("text.db", "not a database of Maidan"),
        ("short.db", ""),
        ("changed.db", ""),
        ("live.db", "in use, not a backup"),
    ] {
        let complaint = refused(&home, &["restore", text(&path(file)), "--replace"]);
        assert!(complaint.contains(reason) && complaint.contains(file) || reason.is_empty(), "{file}: {complaint}");
        assert!(!path("maidan.db.restoring").exists(), "{file}");
    }
    assert!(before.len() <= std::fs::read(path("maidan.db")).expect("it is still there").len());

    // A game that breaks the rules is found before anything is replaced.
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", path("good.db").display())).await.expect("it opens");
    sqlx::query("UPDATE games SET ply = ply + 1, position = NULL").execute(&mut db).await.expect("changed");
    db.close().await.expect("closed");
    let complaint = refused(&home, &["restore", text(&path("good.db")), "--replace"]);
    assert!(complaint.contains("1 of 1 games are invalid"), "{complaint}");
    let server = Server::start(&home, &[]).await;
    let service = Service { client: service.client.connect(&server.address), server };
    service.play(&people[0], &id, "2").await;
    drop(service.server);
    home.read(&["restore", text(&path("good.db")), "--replace", "--despite-invalid-games"]);

    let postgres = Home::new(Database::Postgres).await;
    for command in ["backup", "restore"] {
        assert!(refused(&postgres, &[command, "file.db"]).contains("pg_dump"));
    }
    let empty = Home::new(Database::Sqlite).await;
    assert!(refused(&empty, &["backup", "file.db"]).contains("maidan migrate"));
    assert!(!empty.directory.join("file.db").exists() && !empty.directory.join("maidan.db").exists());
}

/// All rows of an embedded database that a copy must have, by table.
async fn rows(file: &Path) -> Vec<(String, Vec<Vec<String>>)> {
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.expect("it opens");
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'
         AND name NOT IN ('_sqlx_migrations', 'stream_tickets', 'leases', 'readiness') AND name NOT LIKE 'sqlite%' ORDER BY name";
    let tables: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut db).await.expect("tables");
    let mut all = Vec::new();
    for table in tables {
        let sql = "SELECT name FROM pragma_table_info($1)";
        let columns: Vec<String> = sqlx::query_scalar(sql).bind(&table).fetch_all(&mut db).await.expect("columns");
        let quoted: Vec<String> = columns.iter().map(|column| format!("quote({column})")).collect();
        let sql = format!("SELECT {} FROM {table} ORDER BY 1, 2", quoted.join(", "));
        let found = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut db).await.expect("rows");
        let read = |row: &SqliteRow| (0..columns.len()).map(|index| plain(row.get(index))).collect();
        all.push((table, found.iter().map(read).collect()));
    }
    all
}

/// A value as SQL, JSON without regard to spaces and the order of keys.
fn plain(value: String) -> String {
    let json = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).map(|text| text.replace("''", "'"));
    match json.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
        Some(json) => json.to_string(),
        None => value,
    }
}

#[tokio::test]
async fn a_service_moves_to_postgres_and_back_without_losing_anything() {
    let service = Service::by_rest(Database::Sqlite).await;
    let embedded = service.server.home.clone();
    let app = service.app("club");
    let labelled = json!({ "kind": "MARA", "externalId": "table-1", "metadata": { "room": "blue" } });
    let labelled = service.ask(&app, "createGame", labelled).await["id"].clone();
    let (running, people) = service.table("MACARENA", json!({}), 3).await;
    let (over, both) = service.kalah(json!({ "pockets": 2, "seedsPerPocket": 1, "firstSeat": 0 })).await;
    for (seat, notation) in [(0, "0"), (1, "1"), (1, "0"), (0, "1")] {
        service.play(&both[seat], &over, notation).await;
    }
    let retry = json!({ "kind": "KALAH", "idempotencyKey": "once" });
    let opened = service.ask(&people[0], "createGame", retry.clone()).await["id"].clone();
    let record = service.ask(&both[0], "record", json!({ "gameId": over })).await;
    let hand = service.game(&people[1], &running).await;

    let (postgres, other) = (Home::new(Database::Postgres).await, Home::new(Database::Sqlite).await);
    let url = postgres.url.clone().expect("it is on Postgres");
    let (first, last) = (embedded.directory.join("maidan.db"), other.directory.join("maidan.db"));
    let (from, back) = (format!("sqlite:{}", first.display()), format!("sqlite:{}", last.display()));
    let there = ["copy", "--from", &from, "--to", &url];
    assert!(refused(&embedded, &there).contains("in use"));
    drop(service.server);
    let printed = embedded.read(&there);
    assert!(printed.contains("2 running and finished games are valid"), "{printed}");
    assert!(refused(&embedded, &there).contains("not empty"));

    let server = Server::start(&postgres, &[]).await;
    let service = Service { client: service.client.connect(&server.address), server };
    let and_back = ["copy", "--from", &url, "--to", &back];
    assert!(refused(&postgres, &and_back).contains("in use"));
    assert_eq!(service.game(&people[1], &running).await, hand, "the same hand, by the same token");
    assert_eq!(service.ask(&both[1], "record", json!({ "gameId": over })).await, record);
    assert_eq!(service.ask(&people[0], "createGame", retry).await["id"], opened, "keys are copied");
    let found = service.ask(&app, "games", json!({ "externalId": "table-1" })).await;
    assert_eq!((&found["items"][0]["id"], &found["items"][0]["metadata"]["room"]), (&labelled, &json!("blue")));
    let before = rows(&first).await;
    drop(service.server);

    postgres.read(&and_back);
    let after = rows(&last).await;
    assert_eq!(before.len(), after.len());
    for (before, after) in before.into_iter().zip(after) {
        assert_eq!(before, after);
    }
    let server = Server::start(&other, &[]).await;
    let service = Service { client: service.client.connect(&server.address), server };
    service.play_any(&people, &running, &mut crate::support::Dice::new(1)).await;
    for (from, to) in [(from.as_str(), back.as_str()), (&url, &url), ("maidan.db", &url)] {
        refused(&embedded, &["copy", "--from", from, "--to", to]);
    }
    let missing: PathBuf = embedded.directory.join("missing.db");
    let complaint = refused(&embedded, &["copy", "--from", &format!("sqlite:{}", missing.display()), "--to", &url]);
    assert!(complaint.contains("maidan migrate") && !missing.exists(), "{complaint}");
}

#[tokio::test]
async fn a_dump_of_postgres_under_load_restores_to_a_database_that_verifies() {
    let service = Service::by_rest(Database::Postgres).await;
    let (id, people) = service.kalah(json!({ "pockets": 12, "seedsPerPocket": 12 })).await;
    let client: Arc<dyn Client> = Arc::from(service.client.connect(&service.server.address));
    let moves = Arc::new(AtomicUsize::new(0));
    let playing = tokio::spawn(play_on(client, id.clone(), people.clone(), Arc::clone(&moves)));
    eventually("moves are made", async || moves.load(Ordering::SeqCst) >= 5).await;
    let acknowledged = moves.load(Ordering::SeqCst);
    let (home, restored) = (service.server.home.clone(), Home::new(Database::Postgres).await);
    let (from, to) = (home.url.clone().expect("on Postgres"), restored.url.clone().expect("on Postgres"));
    let dump = text(&home.directory.join("maidan.dump")).to_string();
    for (program, arguments) in [
        ("pg_dump", vec!["--format=custom".to_string(), format!("--file={dump}"), from]),
        ("pg_restore", vec!["--no-owner".into(), "--exit-on-error".into(), format!("--dbname={to}"), dump]),
    ] {
        let ran = tokio::process::Command::new(program).args(&arguments).output().await.expect("it is installed");
        assert!(ran.status.success(), "{program}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    drop(service.server);
    playing.await.expect("it ends with the server");
    let printed = restored.read(&["verify", "--live"]);
    assert!(printed.contains("all 1 running games"), "{printed}");
    let server = Server::start(&restored, &[]).await;
    let service = Service { client: service.client.connect(&server.address), server };
    let log = service.log(&people[0], &id).await;
    assert!(log.iter().filter(|entry| entry["what"] == "MOVED").count() >= acknowledged);
}
