//! The command line.

mod apps;
mod backup;
mod components;
mod copy;
mod draw;
mod games;
mod healthcheck;
mod output;
mod players;
mod progress;
mod rules;
mod serve;
mod settings;
mod variables;
mod verify;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use domain::Kind;

use self::output::Output;
use crate::config::{Config, DEFAULT_LISTEN, Database};
use crate::service::Maidan;
use crate::store::Store;
use crate::{graphql, pages, rest};

/// A rules engine for tabletop games. It stores every game and shows each player exactly what that player may know.
#[derive(Parser)]
#[command(name = "maidan", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub serve: Config,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run the service (the default)
    Serve(Box<Config>),
    /// Migrate the database and exit
    Migrate(Database),
    /// Write the embedded database into a new file, also while the service runs
    Backup {
        /// The file to write; it must not exist
        file: PathBuf,
        #[command(flatten)]
        database: Database,
    },
    /// Verify a backup and replace the embedded database with it, while no server uses it
    Restore {
        /// The backup
        file: PathBuf,
        /// Replace a database that holds games
        #[arg(long)]
        replace: bool,
        /// Restore although games of the backup are invalid or diverge in this build
        #[arg(long)]
        despite_invalid_games: bool,
        #[command(flatten)]
        database: Database,
    },
    /// Copy everything from SQLite to Postgres, or the other way, and verify the copy
    Copy {
        /// sqlite:FILE or postgres://…; no server may use it
        #[arg(long, value_name = "DATABASE")]
        from: String,
        /// sqlite:FILE or postgres://…; a new or empty database
        #[arg(long, value_name = "DATABASE")]
        to: String,
    },
    /// Manage apps, which own players and games
    App {
        #[command(subcommand)]
        what: AppCommand,
    },
    /// Look up, export and delete players of any app
    Player {
        #[command(subcommand)]
        what: players::PlayerCommand,
    },
    /// Look up, export, cancel and delete games of any app
    Game {
        #[command(subcommand)]
        what: games::GameCommand,
    },
    /// Check whether a running service is ready; for containers
    Healthcheck {
        /// Address and port that the service listens on
        #[arg(long, env = "MAIDAN_LISTEN", default_value = DEFAULT_LISTEN)]
        listen: SocketAddr,
    },
    /// Inspect the configuration without running the service
    Config {
        #[command(subcommand)]
        what: ConfigCommand,
    },
    /// Print an API contract, as the server serves it
    Schema {
        /// The contract: GraphQL schema, OpenAPI document, or JSON schema of records
        #[arg(value_enum)]
        of: Contract,
    },
    /// Verify records: commitment, deal and dice, every move, the outcome and the chain
    Verify {
        /// Files with one or more records each; '-' for standard input
        #[arg(required_unless_present = "live", conflicts_with = "live")]
        files: Vec<PathBuf>,
        /// Also derive the moves of bots again, for the versions of bots that this build has
        #[arg(long, conflicts_with = "live")]
        bots: bool,
        /// Instead, replay all running games of the database and list those that this build plays differently
        #[arg(long)]
        live: bool,
        #[command(flatten)]
        database: Database,
    },
    /// Show the built-in tables of a kind, and check tables of your own
    Components {
        #[command(subcommand)]
        what: components::ComponentsCommand,
    },
    /// Print a position of a record as SVG
    Picture {
        #[command(flatten)]
        position: draw::Position,
        #[command(flatten)]
        style: draw::Style,
    },
    /// Print a position of a record as plain text
    Text {
        #[command(flatten)]
        position: draw::Position,
    },
    /// Count the move sequences of a kind, by depth
    Perft {
        #[command(flatten)]
        setup: Setup,
        /// The largest number of moves
        depth: u32,
    },
    /// Play random games of a kind and print statistics
    Playout {
        #[command(flatten)]
        setup: Setup,
        /// Number of games
        #[arg(long, default_value_t = 1000)]
        games: u64,
    },
}

/// The setup of the games of `perft` and `playout`.
#[derive(Args)]
pub struct Setup {
    /// The kind, such as KALAH
    kind: Kind,
    /// Number of seats; by default the fewest that the kind allows
    #[arg(long)]
    seats: Option<u8>,
    /// Version of the rules; by default the newest
    #[arg(long)]
    rules_version: Option<u32>,
    /// The game's options as JSON
    #[arg(long, default_value = "{}", value_parser = json)]
    options: serde_json::Value,
    /// Seed of all random draws
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Subcommand)]
pub enum AppCommand {
    /// Create an app and print its key, which is shown only once
    Create {
        name: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// List the apps
    List {
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Revoke an app: all its keys and all its players' tokens
    Revoke {
        name: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Manage the keys of an app
    Key {
        #[command(subcommand)]
        what: AppKeyCommand,
    },
}

#[derive(Subcommand)]
pub enum AppKeyCommand {
    /// Add a key to an app and print it; it is shown only once
    Add {
        /// The app's name
        app: String,
        /// A name for the key, such as where it is used
        name: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// List the keys of an app
    List {
        /// The app's name
        app: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
    /// Revoke a key of an app; the app, its players and its other keys stay
    Revoke {
        /// The app's name
        app: String,
        /// The key's name
        name: String,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        database: Database,
    },
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Check the configuration and print each setting, with its value and where it is from
    Check {
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Contract {
    Graphql,
    Openapi,
    Record,
}

/// Runs the command that the process was started with.
pub async fn run() -> Result<(), String> {
    let refused = |error: clap::Error| -> ! {
        if error.use_stderr() && serve::logs_json() {
            let setting = variables::variable_of(&error).map(|variable| format!("the setting {variable} is invalid: "));
            serve::print_error(&format!("{}{error}", setting.unwrap_or_default()));
            std::process::exit(error.exit_code());
        }
        if let Some(variable) = variables::variable_of(&error) {
            eprintln!("maidan: the setting {variable} is invalid.");
        }
        error.exit()
    };
    let matches = Cli::command().try_get_matches().unwrap_or_else(|error| refused(error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| refused(error));
    match cli.command.unwrap_or(Command::Serve(Box::new(cli.serve))) {
        Command::Serve(config) => serve::serve(&config).await,
        Command::Migrate(database) => {
            migrated(&database).await?;
            println!("The database is up to date: {}", database.describe());
            Ok(())
        }
        Command::Backup { file, database } => backup::backup(&file, &database).await,
        Command::Restore { file, replace, despite_invalid_games, database } => {
            backup::restore(&file, &database, replace, despite_invalid_games).await
        }
        Command::Copy { from, to } => copy::copy(&from, &to).await,
        Command::App { what } => apps::run(what).await,
        Command::Player { what } => players::run(what).await,
        Command::Game { what } => games::run(what).await,
        Command::Healthcheck { listen } => healthcheck::run(listen),
        Command::Config { what: ConfigCommand::Check { output, config } } => {
            check(&config)?;
            let matches =
                ["config", "check"].iter().try_fold(&matches, |matches, name| matches.subcommand_matches(name));
            settings::print(matches.ok_or("There is no command.")?, &config, output);
            Ok(())
        }
        Command::Schema { of: Contract::Graphql } => {
            print!("{}", graphql::sdl(&defaults().limits));
            Ok(())
        }
        Command::Schema { of: Contract::Openapi } => {
            println!("{}", rest::openapi().to_pretty_json().map_err(|error| error.to_string())?);
            Ok(())
        }
        Command::Schema { of: Contract::Record } => {
            print!("{}", pages::RECORD_SCHEMA);
            Ok(())
        }
        Command::Verify { live: true, database, .. } => verify::live(&database).await,
        Command::Verify { files, bots, .. } => verify::files(&files, bots),
        Command::Components { what } => components::run(what, &defaults().limits),
        Command::Picture { position, style } => draw::picture(&position, &style),
        Command::Text { position } => draw::text(&position),
        Command::Perft { setup, depth } => rules::perft(setup, depth),
        Command::Playout { setup, games } => rules::playout(setup, games),
    }
}

/// The configuration without any flag.
fn defaults() -> Config {
    Cli::parse_from(["maidan"]).serve
}

/// The service of an operator's command: like a server, but without guests.
async fn maidan(database: Database) -> Result<Maidan, String> {
    let config = Config { database, guests: Some(false), no_migrate: false, ..defaults() };
    Maidan::open(&config).await
}

/// Refuses an invalid configuration and unknown `MAIDAN_*` variables.
fn check(config: &Config) -> Result<(), String> {
    variables::check(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))?;
    config.check()
}

/// The store, migrated.
async fn migrated(database: &Database) -> Result<Store, String> {
    let store = database.store()?;
    store.migrate().await.map_err(|error| error.to_string())?;
    store.set_clock().await.map_err(|error| error.to_string())?;
    Ok(store)
}

/// The store of an operator's command, migrated. A database that does not exist, or is empty, is refused: the settings
/// are probably wrong.
async fn existing(database: &Database) -> Result<Store, String> {
    let store = opened(database).await?;
    store.migrate().await.map_err(|error| error.to_string())?;
    Ok(store)
}

/// The store of an operator's command, as it is.
async fn opened(database: &Database) -> Result<Store, String> {
    let place = database.describe();
    let missing =
        || format!("Maidan has no database here: {place}. Check DATABASE_URL and MAIDAN_DATA, or run: maidan migrate");
    // Connecting would create the file.
    if database.is_embedded() && !database.data.exists() {
        return Err(missing());
    }
    let store = database.store()?;
    if store.is_empty().await.map_err(|error| format!("{error} ({place})"))? {
        return Err(missing());
    }
    store.set_clock().await.map_err(|error| format!("{error} ({place})"))?;
    // Scripts read the standard output.
    eprintln!("Database: {place}");
    Ok(store)
}

fn json(text: &str) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
