//! What an operator can set: flags and `MAIDAN_*` variables, all in one place.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use domain::Kind;

use crate::limits::Limits;
use crate::store::{PoolLimits, Postgres, Sqlite, Store};

/// A rules engine for tabletop games that keeps every game and shows each player exactly what it may know.
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
    /// Open the service (the default)
    Serve(Box<Config>),
    /// Bring the database's tables up to date and stop
    Migrate(Database),
    /// Apps that own players and games
    App {
        #[command(subcommand)]
        what: AppCommand,
    },
    /// Players of any app
    Player {
        #[command(subcommand)]
        what: PlayerCommand,
    },
    /// Ask a running service whether it is ready; for containers
    Healthcheck {
        /// Where the service listens
        #[arg(long, env = "MAIDAN_LISTEN", default_value = DEFAULT_LISTEN)]
        listen: SocketAddr,
    },
    /// Look at the configuration without opening the service
    Config {
        #[command(subcommand)]
        what: ConfigCommand,
    },
    /// Print the API's contract, as it is served
    Schema {
        #[arg(value_enum)]
        of: Contract,
    },
    /// Say whether records are true: commitment, deal and dice, every move, the outcome and the chain
    Verify {
        /// Records, one or more to a file; '-' for standard input
        #[arg(required_unless_present = "live", conflicts_with = "live")]
        files: Vec<PathBuf>,
        /// Play all running games of the database again instead, and list those that this build plays otherwise
        #[arg(long)]
        live: bool,
        #[command(flatten)]
        database: Database,
    },
    /// Count the move sequences of a kind, depth by depth
    Perft {
        kind: Kind,
        depth: u32,
        /// Number of seats; the fewest that the kind allows, if left out
        #[arg(long)]
        seats: Option<u8>,
        /// The game's options as JSON
        #[arg(long, default_value = "{}", value_parser = json)]
        options: serde_json::Value,
        /// Fixes every deal and die
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Play random games of a kind and print how they went
    Playout {
        kind: Kind,
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// Number of seats; the fewest that the kind allows, if left out
        #[arg(long)]
        seats: Option<u8>,
        /// The game's options as JSON
        #[arg(long, default_value = "{}", value_parser = json)]
        options: serde_json::Value,
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
}

#[derive(Subcommand)]
pub enum AppCommand {
    /// Make an app and print its key, which is shown this once
    Create {
        name: String,
        #[command(flatten)]
        database: Database,
    },
    /// List the apps
    List {
        #[command(flatten)]
        database: Database,
    },
    /// Take an app's key and all its players' tokens out of use
    Revoke {
        name: String,
        #[command(flatten)]
        database: Database,
    },
}

#[derive(Subcommand)]
pub enum PlayerCommand {
    /// Forget a player's name, external id and tokens, and get it up from every table
    Delete {
        /// The player's id: player_…
        id: String,
        #[command(flatten)]
        database: Database,
    },
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Say whether the configuration is good, and what it comes to
    Check(Box<Config>),
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Contract {
    Graphql,
    Openapi,
    Record,
}

const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "MAIDAN_LISTEN", default_value = DEFAULT_LISTEN)]
    pub listen: SocketAddr,
    /// Address and port for /metrics; without it they are served beside everything else
    #[arg(long, env = "MAIDAN_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Whether anyone may register a player in the built-in app 'guests'; by default only on the embedded database
    #[arg(long, env = "MAIDAN_GUESTS", value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub guests: Option<bool>,
    /// Do not touch the tables at start; stop if they are not up to date
    #[arg(long, env = "MAIDAN_NO_MIGRATE")]
    pub no_migrate: bool,
    /// Whether replicas send each other hints by Postgres' LISTEN and NOTIFY; without, they look more often
    #[arg(long, env = "MAIDAN_HINTS", value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub hints: bool,
    /// Web origins that browsers may call from, comma-separated; '*' for any
    #[arg(long, env = "MAIDAN_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// Believe the proxy in front about where requests come from (Forwarded, X-Forwarded-For)
    #[arg(long, env = "MAIDAN_TRUST_PROXY")]
    pub trust_proxy: bool,
    /// How logs are written
    #[arg(long, env = "MAIDAN_LOG_FORMAT", value_enum, default_value_t = LogFormat::Pretty)]
    pub log_format: LogFormat,
    /// What is logged: a level, or directives such as 'info,maidan=debug'
    #[arg(long, env = "MAIDAN_LOG", default_value = "info")]
    pub log: String,
    /// Seconds that requests under way get to finish at shutdown
    #[arg(long, env = "MAIDAN_SHUTDOWN_SECONDS", default_value_t = 10)]
    pub shutdown_seconds: u64,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Pretty,
    Json,
}

/// Where Postgres is. May hold a password, so it is never printed.
#[derive(Clone)]
pub struct DatabaseUrl(String);

impl From<String> for DatabaseUrl {
    fn from(url: String) -> DatabaseUrl {
        DatabaseUrl(url)
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("postgres://…")
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Database")]
pub struct Database {
    /// postgres://… ; without it everything is kept in the embedded database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<DatabaseUrl>,
    /// File of the embedded database
    #[arg(long, env = "MAIDAN_DATA", default_value = "maidan.db", value_name = "FILE")]
    pub data: PathBuf,
    /// Most connections to Postgres
    #[arg(long, env = "MAIDAN_DB_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub db_connections: u32,
    /// Milliseconds that a request waits for a connection
    #[arg(long, env = "MAIDAN_DB_ACQUIRE_MS", default_value_t = 2000)]
    pub db_acquire_ms: u64,
    /// Milliseconds that a statement may run
    #[arg(long, env = "MAIDAN_DB_STATEMENT_MS", default_value_t = 5000)]
    pub db_statement_ms: u64,
}

impl Database {
    pub fn is_embedded(&self) -> bool {
        self.database_url.is_none()
    }

    /// The store that these settings name. Nothing is connected yet.
    pub fn store(&self) -> Result<Box<dyn Store>, String> {
        let acquire = Duration::from_millis(self.db_acquire_ms);
        match &self.database_url {
            None => Ok(Box::new(Sqlite::open(&self.data, acquire))),
            Some(DatabaseUrl(url)) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                let limits = PoolLimits {
                    connections: self.db_connections,
                    acquire,
                    statement: Duration::from_millis(self.db_statement_ms),
                };
                let postgres = Postgres::connect(url, &limits);
                Ok(Box::new(postgres.map_err(|_| "DATABASE_URL is no address of a Postgres database.".to_string())?))
            }
            Some(_) => Err("DATABASE_URL must begin with postgres:// ; leave it out for the embedded database.".into()),
        }
    }

    /// For people; never with a password.
    pub fn describe(&self) -> String {
        match &self.database_url {
            None => format!("SQLite, {}", self.data.display()),
            Some(DatabaseUrl(url)) => {
                let place = url.rsplit('@').next().unwrap_or_default();
                format!("Postgres, {}", place.split('?').next().unwrap_or_default().trim_start_matches("postgres://"))
            }
        }
    }
}

impl Config {
    pub fn guests(&self) -> bool {
        self.guests.unwrap_or(self.database.is_embedded())
    }

    /// What the types of the settings cannot check.
    pub fn check(&self) -> Result<(), String> {
        self.database.store()?;
        tracing_subscriber::EnvFilter::try_new(&self.log)
            .map_err(|error| format!("MAIDAN_LOG cannot be read: {error}"))?;
        for origin in &self.cors_origins {
            let scheme = origin.starts_with("http://") || origin.starts_with("https://");
            if origin != "*" && (!scheme || origin.ends_with('/')) {
                return Err(format!("MAIDAN_CORS_ORIGINS: '{origin}' is no origin such as https://example.org"));
            }
        }
        Ok(())
    }
}

fn json(text: &str) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_str(text)
}

/// The variable behind the flag that an error of the command line is about.
pub fn variable_of(error: &clap::Error) -> Option<String> {
    let ContextValue::String(argument) = error.get(ContextKind::InvalidArg)? else { return None };
    let flag = argument.split_whitespace().next()?.trim_start_matches("--");
    let command = Cli::command();
    let known = command.get_arguments().find(|known| known.get_long() == Some(flag))?;
    known.get_env().map(|name| name.to_string_lossy().into_owned())
}

/// A `MAIDAN_*` variable that no setting has: a slip of the pen that would otherwise go unnoticed.
pub fn unknown_variable(variables: impl Iterator<Item = String>) -> Option<String> {
    let command = Cli::command();
    let known: Vec<String> = command
        .get_arguments()
        .filter_map(|argument| argument.get_env())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    variables.filter(|name| name.starts_with("MAIDAN_")).find(|name| !known.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_misspelt_variable_is_named() {
        let variables = ["PATH", "MAIDAN_LISTEN", "MAIDAN_LISTN"].map(String::from);
        assert_eq!(unknown_variable(variables.into_iter()), Some("MAIDAN_LISTN".to_string()));
    }

    #[test]
    fn a_password_is_not_described() {
        let url = Some(DatabaseUrl("postgres://me:secret@db:5432/maidan?sslmode=require".into()));
        let cli = Cli::parse_from(["maidan"]);
        let database = Database { database_url: url, ..cli.serve.database };
        assert_eq!(database.describe(), "Postgres, db:5432/maidan");
    }
}
