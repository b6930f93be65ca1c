//! Databases of each version of the schema: small dumps are committed, and this build migrates each and plays on.
//!
//! After a new migration, `MAIDAN_WRITE_DUMPS=1 ./test dumps` adds dumps of the new version. Committed dumps never change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json, to_string_pretty};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::records::{record, verified};
use crate::support::server::{Home, repository};
use crate::support::service::number;
use crate::support::{Database, Dice, Person, Server, Service};

fn directory() -> PathBuf {
    repository().join("tests/dumps")
}

fn name_of(database: Database) -> &'static str {
    match database {
        Database::Sqlite => "sqlite",
        Database::Postgres => "postgres",
    }
}

/// The number of the newest migration.
fn newest(database: Database) -> u32 {
    let files =
        std::fs::read_dir(repository().join("migrations").join(name_of(database))).expect("there are migrations");
    let numbers = files.filter_map(|file| {
        let name = file.expect("it can be listed").file_name().into_string().ok()?;
        name.split('_').next()?.parse().ok()
    });
    numbers.max().expect("there is a migration")
}

/// The versions of which there are dumps.
fn versions(database: Database) -> BTreeSet<u32> {
    let files = std::fs::read_dir(directory()).expect("there are dumps");
    let names = files.filter_map(|file| file.expect("it can be listed").file_name().into_string().ok());
    let numbers = names
        .filter_map(|name| name.strip_prefix(name_of(database))?.strip_prefix('-')?.strip_suffix(".sql")?.parse().ok());
    numbers.collect()
}

fn path(database: Database, version: u32, ending: &str) -> PathBuf {
    directory().join(format!("{}-{version:04}.{ending}", name_of(database)))
}

fn run(mut command: Command) -> String {
    let output = command.output().expect("the program is installed");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

async fn file(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(false)
        .connect()
        .await
        .expect("it opens")
}

/// All of a database as SQL.
async fn dumped(home: &Home) -> String {
    if let Some(url) = &home.url {
        let mut dump = Command::new("pg_dump");
        dump.args(["--no-owner", "--no-privileges", "--inserts", url]);
        let text = run(dump);
        // Without what other versions of Postgres do not know.
        let kept = text.lines().filter(|line| {
            !line.is_empty() && !["--", "\\", "SET transaction_timeout"].iter().any(|start| line.starts_with(start))
        });
        return kept.map(|line| format!("{line}\n")).collect();
    }
    let copy = home.directory.join("copy.db");
    home.read(&["backup", copy.to_str().expect("test paths are plain")]);
    let mut db = file(&copy).await;
    let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' \
         ORDER BY type = 'table' DESC, name";
    let schema: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(&mut db).await.expect("it has tables");
    let mut text = String::new();
    for (table, sql) in schema {
        text.push_str(&format!("{sql};\n"));
        if !sql.starts_with("CREATE TABLE") {
            continue;
        }
        let sql = "SELECT name FROM pragma_table_info($1)";
        let columns: Vec<String> = sqlx::query_scalar(sql).bind(&table).fetch_all(&mut db).await.expect("columns");
        let quoted: Vec<String> = columns.iter().map(|column| format!("quote({column})")).collect();
        let sql =
            format!("SELECT 'INSERT INTO {table} VALUES (' || {} || ');' FROM {table}", quoted.join(" || ',' || "));
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut db).await.expect("rows");
        rows.iter().for_each(|row| text.push_str(&format!("{row}\n")));
    }
    text
}

async fn load(home: &Home, dump: &Path) {
    match &home.url {
        Some(url) => {
            let mut psql = Command::new("psql");
            psql.args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--file"]).arg(dump).arg(url);
            run(psql);
        }
        None => {
            let text = std::fs::read_to_string(dump).expect("it is committed");
            let mut db = file(&home.directory.join("maidan.db")).await;
            sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut db).await.expect("the dump is SQL");
            db.close().await.expect("it closes");
        }
    }
}

/// A small database with a bit of everything, and what a client of it knows.
async fn scene(service: &Service) -> Value {
    let app = service.app("club");
    let ask = json!({ "name": "Chitra", "externalId": "user-1" });
    let chitra = service.ask(&app, "registerPlayer", ask).await["player"]["id"].clone();
    let known = |people: &[Person]| -> Value {
        people.iter().map(|person| json!({ "id": person.id, "token": person.token })).collect()
    };
    let mut running = Vec::new();
    for kind in domain::Kind::ALL {
        let (id, people) = service.table(kind.name(), json!({}), usize::from(*kind.seats().start())).await;
        let mut dice = Dice::new(7);
        for _ in 0..6 {
            service.play_any(&people, &id, &mut dice).await;
        }
        running.push(json!({ "id": id, "people": known(&people) }));
    }
    let pair = [service.guest("Asha").await, service.guest("Ben").await];
    let over = service.drawn_kalah_of(&pair).await;
    let seats = json!([{ "me": true }, { "bot": { "level": 1 } }]);
    let solo = service.ask(&pair[0], "createGame", json!({ "kind": "KALAH", "seats": seats })).await["id"].clone();
    let solo = solo.as_str().expect("an id").to_string();
    service.settled(&pair[0], &solo).await;
    running.push(json!({ "id": solo, "people": known(&[pair[0].clone(), pair[0].clone()]) }));
    json!({
        "app": { "key": app.token, "player": chitra },
        "running": running,
        "over": { "id": over, "people": known(&pair), "record": record(service, &pair[0], &over).await },
    })
}

fn people(known: &Value) -> Vec<Person> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let people = known["people"].as_array().expect("a list");
    people.iter().map(|person| Person { id: text(&person["id"]), token: text(&person["token"]) }).collect()
}

/// Migrates a dump, and plays on in each of its games.
async fn brought_up(database: Database, version: u32) {
    let known = std::fs::read_to_string(path(database, version, "json")).expect("it is beside the dump");
    let known: Value = serde_json::from_str(&known).expect("JSON");
    let home = Home::new(database).await;
    load(&home, &path(database, version, "sql")).await;
    home.read(&["migrate"]);
    let said = home.read(&["verify", "--live"]);
    let running = known["running"].as_array().expect("a list");
    assert!(said.contains(&format!("all {} running games", running.len())), "{said}");
    let server = Server::start(&home, &[("MAIDAN_NO_MIGRATE", "true")]).await;
    let service = Service { client: Box::new(crate::support::rest::RestClient::new(&server.address)), server };
    for game in running {
        let (id, people) = (game["id"].as_str().expect("an id"), people(game));
        let before = number(&service.game(&people[0], id).await["version"]);
        service.play_any(&people, id, &mut Dice::new(3)).await;
        assert!(number(&service.game(&people[0], id).await["version"]) > before, "{id}");
    }
    let over = &known["over"];
    let found = record(&service, &people(over)[0], over["id"].as_str().expect("an id")).await;
    assert_eq!(found, over["record"]);
    assert!(verified(&service, &[found]).0);
    let app = Person { id: String::new(), token: known["app"]["key"].as_str().expect("a key").to_string() };
    let found = service.ask(&app, "players", json!({ "externalId": "user-1" })).await;
    assert_eq!(found["items"][0]["id"], known["app"]["player"]);
}

#[tokio::test]
async fn a_database_of_every_earlier_schema_is_brought_up_and_played_on() {
    for database in [Database::Sqlite, Database::Postgres] {
        let newest = newest(database);
        if std::env::var_os("MAIDAN_WRITE_DUMPS").is_some() && !path(database, newest, "sql").exists() {
            let service = Service::with(database, false, &[]).await;
            let known = to_string_pretty(&scene(&service).await).expect("it is JSON");
            let text = dumped(&service.server.home).await;
            std::fs::create_dir_all(directory()).expect("it can be made");
            std::fs::write(path(database, newest, "json"), known + "\n").expect("written");
            std::fs::write(path(database, newest, "sql"), text).expect("written");
        }
        let how = "Add it: MAIDAN_WRITE_DUMPS=1 ./test dumps";
        assert!(path(database, newest, "sql").exists(), "there is no dump of schema {newest} on {database:?}. {how}");
        for version in versions(database) {
            assert!(version <= newest, "{database:?} has no migration {version}: this dump is of another program");
            brought_up(database, version).await;
        }
    }
}

#[tokio::test]
async fn a_build_serves_a_newer_schema_but_does_not_migrate_it() {
    for (database, checksum) in [(Database::Sqlite, "x'00'"), (Database::Postgres, r"'\x00'::bytea")] {
        let service = Service::with(database, false, &[]).await;
        let (id, people) = service.kalah(json!({})).await;
        let home = service.server.home.clone();
        drop(service);
        let columns = "version, description, installed_on, success, checksum, execution_time";
        let values = format!("9999, 'later', CURRENT_TIMESTAMP, TRUE, {checksum}, 1");
        home.execute(&format!("INSERT INTO _sqlx_migrations ({columns}) VALUES ({values})")).await;
        let output = home.run(&["migrate"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("9999"), "{said}");
        let server = Server::start(&home, &[("MAIDAN_NO_MIGRATE", "true")]).await;
        let service = Service { client: Box::new(crate::support::rest::RestClient::new(&server.address)), server };
        service.play(&people[0], &id, "0").await;
    }
}
