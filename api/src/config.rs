//! The configuration: flags and `MAIDAN_*` environment variables.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::limits::Limits;
use crate::store::{PoolLimits, Postgres, Sqlite, Store};

pub const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "MAIDAN_LISTEN", default_value = DEFAULT_LISTEN)]
    pub listen: SocketAddr,
    /// Address and port for /metrics, /livez and /readyz; by default metrics are not served
    #[arg(long, env = "MAIDAN_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Whether anyone may register as a guest, in the built-in app 'guests'; by default only with the embedded database
    #[arg(long, env = "MAIDAN_GUESTS", value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub guests: Option<bool>,
    /// Do not migrate the database at startup; exit if it is not up to date
    #[arg(long, env = "MAIDAN_NO_MIGRATE")]
    pub no_migrate: bool,
    /// Whether replicas notify each other of changes by Postgres LISTEN/NOTIFY; without it they poll more often
    #[arg(long, env = "MAIDAN_HINTS", value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub hints: bool,
    /// Web origins that may call the API from a browser, comma-separated; '*' for any
    #[arg(long, env = "MAIDAN_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// The header in which reverse proxies report the client's address, X-Forwarded-For or Forwarded, and the number of
    /// proxies if there are several: X-Forwarded-For:2. All connections must come through them
    #[arg(long, env = "MAIDAN_TRUST_PROXY", value_name = "HEADER[:PROXIES]")]
    pub trust_proxy: Option<TrustedProxies>,
    /// Log format
    #[arg(long, env = "MAIDAN_LOG_FORMAT", value_enum, default_value_t = LogFormat::Pretty)]
    pub log_format: LogFormat,
    /// Log filter: a level, or directives such as 'info,maidan=debug'
    #[arg(long, env = "MAIDAN_LOG", default_value = "info")]
    pub log: String,
    /// Whether to log a line for each request, at level info
    #[arg(long, env = "MAIDAN_LOG_REQUESTS", value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub log_requests: bool,
    /// Threads on which bots think, beside those that serve requests and with the lowest priority
    #[arg(long, env = "MAIDAN_BOT_THREADS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub bot_threads: u8,
    /// Seconds for which an idle connection of a client stays open; longer than proxies keep theirs
    #[arg(long, env = "MAIDAN_KEEP_ALIVE_SECONDS", default_value_t = 75, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub keep_alive_seconds: u64,
    /// Seconds for which requests are still answered after SIGTERM, until load balancers have noticed it
    #[arg(long, env = "MAIDAN_DRAIN_SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub drain_seconds: u64,
    /// Seconds to wait for requests in progress at shutdown
    #[arg(long, env = "MAIDAN_SHUTDOWN_SECONDS", default_value_t = 10)]
    pub shutdown_seconds: u64,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub limits: Limits,
}

/// The reverse proxies between clients and this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxies {
    pub header: ForwardingHeader,
    /// Each appends the address of its own client to the header.
    pub count: NonZeroUsize,
}

/// A header in which proxies report addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForwardingHeader {
    XForwardedFor,
    Forwarded,
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<TrustedProxies, String> {
        let (name, count) = text.split_once(':').unwrap_or((text, "1"));
        let header = match name.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => ForwardingHeader::XForwardedFor,
            "forwarded" => ForwardingHeader::Forwarded,
            _ => return Err("name the header that your proxy sets: X-Forwarded-For or Forwarded".into()),
        };
        let count = count.parse().map_err(|_| "the number of proxies must be 1 or more".to_string())?;
        Ok(TrustedProxies { header, count })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Pretty,
    Json,
}

/// The URL of Postgres. It may hold a password, so it is never printed.
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

/// Reads a URL from a file; a newline at the end does not count.
fn url_in(file: &str) -> Result<DatabaseUrl, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("the file cannot be read: {error}"))?;
    match text.trim() {
        "" => Err("the file is empty".into()),
        url => Ok(DatabaseUrl(url.into())),
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Database")]
pub struct Database {
    /// Connection URL of Postgres, postgres://…; without it, the embedded database is used
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<DatabaseUrl>,
    /// File with the connection URL of Postgres, such as a mounted secret
    #[arg(long, env = "DATABASE_URL_FILE", value_name = "FILE", value_parser = url_in, conflicts_with = "database_url")]
    pub database_url_file: Option<DatabaseUrl>,
    /// File of the embedded database
    #[arg(long, env = "MAIDAN_DATA", default_value = "maidan.db", value_name = "FILE")]
    pub data: PathBuf,
    /// Maximum number of connections to Postgres
    #[arg(long, env = "MAIDAN_DB_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub db_connections: u32,
    /// Milliseconds to wait for a free connection
    #[arg(long, env = "MAIDAN_DB_ACQUIRE_MS", default_value_t = 2000)]
    pub db_acquire_ms: u64,
    /// Statement timeout, in milliseconds
    #[arg(long, env = "MAIDAN_DB_STATEMENT_MS", default_value_t = 5000)]
    pub db_statement_ms: u64,
}

impl Database {
    pub fn is_embedded(&self) -> bool {
        self.url().is_none()
    }

    /// The URL of Postgres, which may hold a password.
    pub fn url(&self) -> Option<&str> {
        let url = self.database_url.as_ref().or(self.database_url_file.as_ref());
        url.map(|DatabaseUrl(url)| url.as_str())
    }

    /// The store that these settings describe. Does not connect yet.
    pub fn store(&self) -> Result<Store, String> {
        let limits = PoolLimits {
            connections: self.db_connections,
            acquire: Duration::from_millis(self.db_acquire_ms),
            statement: Duration::from_millis(self.db_statement_ms),
        };
        match self.url() {
            None => Ok(Store::Sqlite(Sqlite::open(&self.data, &limits))),
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                let postgres = Postgres::connect(url, &limits);
                Ok(Store::Postgres(postgres.map_err(|_| "DATABASE_URL is not a valid Postgres URL.".to_string())?))
            }
            Some(_) => {
                Err("DATABASE_URL must begin with postgres://. Leave it out to use the embedded database.".into())
            }
        }
    }

    /// The database for display, without a password.
    pub fn describe(&self) -> String {
        match self.url() {
            None => {
                let file = std::path::absolute(&self.data).unwrap_or_else(|_| self.data.clone());
                format!("SQLite, {}", file.display())
            }
            Some(url) => {
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

    /// Checks what the types of the settings cannot.
    pub fn check(&self) -> Result<(), String> {
        // The store of an embedded database creates its file.
        if !self.database.is_embedded() {
            self.database.store()?;
        }
        tracing_subscriber::EnvFilter::try_new(&self.log)
            .map_err(|error| format!("MAIDAN_LOG is not a valid log filter: {error}"))?;
        for origin in &self.cors_origins {
            let scheme = origin.starts_with("http://") || origin.starts_with("https://");
            if origin != "*" && (!scheme || origin.ends_with('/')) {
                return Err(format!("MAIDAN_CORS_ORIGINS: '{origin}' is not an origin such as https://example.org"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        database: Database,
    }

    #[test]
    fn a_password_is_not_described() {
        let url = Some(DatabaseUrl("postgres://me:secret@db:5432/maidan?sslmode=require".into()));
        let database = Database { database_url: url, ..Flags::parse_from(["maidan"]).database };
        assert_eq!(database.describe(), "Postgres, db:5432/maidan");
    }
}
