//! The service under test, as a process, and the database beneath it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgPool, PgPoolOptions};

use crate::Result;
use crate::process;

static DATABASES: AtomicU32 = AtomicU32::new(0);

/// The private Postgres of this run.
#[derive(Clone)]
pub struct Postgres {
    /// Without the name of a database.
    pub url: String,
    pub postmaster: u32,
}

impl Postgres {
    /// Replaces the last database by a new one. Postgres would spend time on the old one, such as for autovacuum.
    pub async fn database(&self) -> Result<Database> {
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("bench_{number}");
        let admin = PgPoolOptions::new().max_connections(1).connect(&format!("{}/postgres", self.url)).await?;
        if let Some(old) = number.checked_sub(1) {
            let drop = format!("DROP DATABASE bench_{old} WITH (FORCE)");
            sqlx::raw_sql(sqlx::AssertSqlSafe(drop)).execute(&admin).await?;
        }
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&admin).await?;
        admin.close().await;
        let url = format!("{}/{name}", self.url);
        let pool = PgPoolOptions::new().max_connections(2).connect(&url).await?;
        Ok(Database { url, pool, postmaster: self.postmaster })
    }
}

/// Direct access to one database, without the service.
#[derive(Clone)]
pub struct Database {
    pub url: String,
    pub pool: PgPool,
    postmaster: u32,
}

impl Database {
    pub fn cpu(&self) -> Duration {
        process::cpu_of_family(self.postmaster)
    }

    /// Bytes of write-ahead log so far.
    pub async fn written(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
            .fetch_one(&self.pool)
            .await?)
    }

    /// Moves in the log, except in games with bots.
    pub async fn logged(&self) -> Result<u64> {
        let sql = "SELECT count(*) FROM entries e JOIN games g ON g.id = e.game_id
             WHERE e.what = 'MOVED' AND g.bot_seats = 0";
        let moves: i64 = sqlx::query_scalar(sql).fetch_one(&self.pool).await?;
        Ok(u64::try_from(moves)?)
    }

    /// Forces a checkpoint, so that earlier writes do not count in the next measurement.
    pub async fn settle(&self) -> Result<()> {
        sqlx::raw_sql("CHECKPOINT").execute(&self.pool).await?;
        Ok(())
    }
}

/// The program to measure.
#[derive(Clone)]
pub struct Program(pub PathBuf);

impl Program {
    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.0);
        // Settings for another server must not change the measurement.
        for (name, _) in std::env::vars() {
            if name.starts_with("MAIDAN_") || name == "DATABASE_URL" {
                command.env_remove(name);
            }
        }
        command.current_dir(directory);
        command
    }

    pub fn size(&self) -> Result<u64> {
        Ok(std::fs::metadata(&self.0)?.len())
    }

    /// Runs it to completion and returns its output.
    pub fn run(&self, database: &Database, arguments: &[&str]) -> Result<String> {
        let directory = std::env::temp_dir();
        let output = self.command(&directory).env("DATABASE_URL", &database.url).args(arguments).output()?;
        if !output.status.success() {
            return Err(format!("maidan {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// A service on Postgres without rate limits.
    pub fn serve(&self, database: &Database) -> Result<Server> {
        let directory = std::env::temp_dir();
        let mut command = self.command(&directory);
        command.env("DATABASE_URL", &database.url);
        Server::start(command)
    }

    /// A service on the embedded database in an empty directory.
    pub fn serve_embedded(&self, directory: &Path) -> Result<Server> {
        Server::start(self.command(directory))
    }
}

/// A running service. Dropping it kills the process.
pub struct Server {
    /// Host and port.
    pub address: String,
    /// From its start until it was ready.
    pub start: Duration,
    child: Child,
}

impl Server {
    fn start(mut command: Command) -> Result<Server> {
        command.env("MAIDAN_LISTEN", "127.0.0.1:0").env("MAIDAN_LOG", "error");
        // Generous timeouts, so that a busy machine slows a run down but does not abort it.
        command.env("MAIDAN_DB_ACQUIRE_MS", "30000").env("MAIDAN_DB_STATEMENT_MS", "30000");
        for limit in [
            "REQUESTS_PER_SECOND",
            "ADDRESS_REQUESTS_PER_SECOND",
            "REPLAYS_PER_SECOND",
            "MOVES_PER_SECOND",
            "REGISTRATIONS_PER_MINUTE",
        ] {
            command.env(format!("MAIDAN_{limit}"), "0");
        }
        // All load comes from one address.
        for limit in ["ADDRESS_STREAMS", "CONNECTIONS_PER_ADDRESS"] {
            command.env(format!("MAIDAN_MAX_{limit}"), "100000");
        }
        let started = Instant::now();
        let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        let address = lines
            .find_map(|line| line.ok()?.split("http://").nth(1).map(|rest| rest.trim_end_matches('/').to_string()));
        // The process keeps printing, so its output must be drained.
        std::thread::spawn(move || lines.for_each(drop));
        let mut server = Server { address: String::new(), start: Duration::ZERO, child };
        server.address = address.ok_or("the service did not print its address")?;
        while !server.is_ready() {
            if started.elapsed() > Duration::from_secs(20) {
                return Err("the service did not become ready".into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        server.start = started.elapsed();
        Ok(server)
    }

    fn is_ready(&self) -> bool {
        use std::io::{Read, Write};
        let ask = || -> std::io::Result<String> {
            let mut stream = std::net::TcpStream::connect(&self.address)?;
            stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn cpu(&self) -> Duration {
        process::cpu(self.pid())
    }

    pub fn memory(&self) -> u64 {
        process::memory(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
