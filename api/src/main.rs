//! Maidan: the service. See ARCHITECTURE.md for the map.

mod app;
mod auth;
mod body;
mod config;
mod error;
mod games;
mod graphql;
mod ids;
mod limits;
mod news;
mod page;
mod recent;
mod replicas;
mod rest;
mod rules_tools;
mod shelf;
mod store;
mod telemetry;
mod verify;
mod wire;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use app::{Application, Maidan};
use config::{AppCommand, Cli, Command, Config, ConfigCommand, Contract, Database, PlayerCommand};
use ids::AppId;
use mimalloc::MiMalloc;
use store::{At, Store, StoreError};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[actix_web::main]
async fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        if let Some(variable) = config::variable_of(&error) {
            eprintln!("maidan: the setting {variable} is bad.");
        }
        error.exit()
    });
    let command = cli.command.unwrap_or(Command::Serve(Box::new(cli.serve)));
    match run(command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("maidan: {text}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> Result<(), String> {
    match command {
        Command::Serve(config) => serve(&config).await,
        Command::Migrate(database) => {
            connect(&database).await?;
            println!("The tables are up to date: {}", database.describe());
            Ok(())
        }
        Command::App { what } => apps(what).await,
        Command::Player { what: PlayerCommand::Delete { id, database } } => delete_player(&id, database).await,
        Command::Healthcheck { listen } => healthcheck(listen),
        Command::Config { what: ConfigCommand::Check(config) } => {
            check(&config)?;
            println!("{config:#?}");
            println!("The configuration is good.");
            Ok(())
        }
        Command::Schema { of: Contract::Graphql } => {
            print!("{}", graphql::sdl(&Cli::parse_from(["maidan"]).serve.limits));
            Ok(())
        }
        Command::Schema { of: Contract::Openapi } => {
            println!("{}", rest::openapi().to_pretty_json().map_err(|error| error.to_string())?);
            Ok(())
        }
        Command::Schema { of: Contract::Record } => {
            print!("{}", page::RECORD_SCHEMA);
            Ok(())
        }
        Command::Verify { live: true, database, .. } => verify::live(&database).await,
        Command::Verify { files, .. } => verify::files(&files),
        Command::Perft { kind, depth, seats, options, seed } => rules_tools::perft(kind, depth, seats, options, seed),
        Command::Playout { kind, games, seats, options, seed } => {
            rules_tools::playout(kind, games, seats, options, seed)
        }
    }
}

async fn serve(config: &Config) -> Result<(), String> {
    check(config)?;
    telemetry::start_logging(config);
    let application = Application::build(config).await?;
    let here = format!("http://{}", application.address);
    println!("Maidan is open.");
    println!("  start page and explorer  {here}/");
    println!("  GraphQL                  {here}/graphql");
    println!("  REST docs                {here}/docs/");
    println!("  database                 {}", config.database.describe());
    println!("  guests                   {}", if config.guests() { "welcome" } else { "not welcome" });
    // Somebody may be reading this through a pipe.
    std::io::stdout().flush().map_err(|error| error.to_string())?;
    application.run_until_stopped().await.map_err(|error| error.to_string())
}

fn check(config: &Config) -> Result<(), String> {
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    if let Some(name) = config::unknown_variable(variables) {
        return Err(format!("{name} is no setting of Maidan. See: maidan --help"));
    }
    config.check()
}

/// A store that is up to date.
async fn connect(database: &Database) -> Result<Box<dyn Store>, String> {
    let store = database.store()?;
    store.migrate().await.map_err(|error| error.to_string())?;
    Ok(store)
}

async fn apps(what: AppCommand) -> Result<(), String> {
    match what {
        AppCommand::Create { name, database } => {
            let name = name.trim().to_string();
            if name.is_empty() || name.len() > 60 || name == app::GUESTS {
                return Err("An app's name has 1 to 60 characters, and 'guests' is taken.".into());
            }
            let (key, hash) = auth::fresh_secret(auth::APP_KEY);
            let app = store::App { id: AppId::fresh(), name, created_at: At::now(), revoked_at: None };
            match connect(&database).await?.create_app(&app, &hash).await {
                Ok(()) => {
                    println!("{}  {}", app.id, app.name);
                    println!("{key}");
                    println!(
                        "This key is shown once. It acts for the app and all its players: keep it on your servers."
                    );
                    Ok(())
                }
                Err(StoreError::Taken(_)) => Err(format!("There is an app called '{}' already.", app.name)),
                Err(error) => Err(error.to_string()),
            }
        }
        AppCommand::List { database } => {
            for app in connect(&database).await?.apps().await.map_err(|error| error.to_string())? {
                let state = if app.revoked_at.is_some() { "revoked" } else { "in use" };
                println!("{}  {:<8}  {}  {}", app.id, state, app.created_at.0, app.name);
            }
            Ok(())
        }
        AppCommand::Revoke { name, database } => {
            match connect(&database).await?.revoke_app(&name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    println!("The key of '{name}' and the tokens of its players do not work any more.");
                    Ok(())
                }
                false => Err(format!("There is no app in use called '{name}'.")),
            }
        }
    }
}

async fn delete_player(id: &str, database: Database) -> Result<(), String> {
    let player = id.parse().map_err(|_| format!("'{id}' is no player's id."))?;
    let config = Config { database, guests: Some(false), no_migrate: false, ..Cli::parse_from(["maidan"]).serve };
    let maidan = Maidan::open(&config).await?;
    games::delete_any_player(&maidan, player).await.map_err(|error| error.to_string())?;
    println!("{id} is deleted: nothing is left of it but its seats.");
    Ok(())
}

/// Asks /readyz by hand: a container needs no other program for it.
fn healthcheck(listen: SocketAddr) -> Result<(), String> {
    let mut address = listen;
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() });
    }
    let ask = || -> std::io::Result<String> {
        let patience = Duration::from_secs(3);
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let answer = ask().map_err(|error| format!("{address} does not answer: {error}"))?;
    if !answer.starts_with("HTTP/1.1 200") {
        return Err(format!("not ready: {}", answer.lines().next().unwrap_or_default()));
    }
    println!("ready");
    Ok(())
}
