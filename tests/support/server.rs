//! The service as a process.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{Connection, Executor};

static COUNT: AtomicU32 = AtomicU32::new(0);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}

/// The data of a service; a new one is empty.
#[derive(Clone)]
pub struct Home {
    pub directory: PathBuf,
    /// `None` for the embedded database.
    pub url: Option<String>,
}

impl Home {
    pub async fn new(database: Database) -> Home {
        let name = format!("maidan_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let directory = std::env::temp_dir().join(&name);
        std::fs::create_dir_all(&directory).expect("the temporary directory can be written");
        let url = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                let server = postgres();
                let mut admin =
                    sqlx::PgConnection::connect(&format!("{server}/postgres")).await.expect("Postgres answers");
                admin
                    .execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
                    .await
                    .expect("a database is made");
                Some(format!("{server}/{name}"))
            }
        };
        Home { directory, url }
    }

    /// Changes the data without the service, as the passing of time or an older version would.
    pub async fn execute(&self, sql: &str) {
        let sql = sqlx::AssertSqlSafe(sql.to_string());
        match &self.url {
            Some(url) => {
                let mut db = sqlx::PgConnection::connect(url).await.expect("Postgres answers");
                db.execute(sql).await.expect("it is done");
            }
            None => {
                let file = format!("sqlite:{}", self.directory.join("maidan.db").display());
                let mut db = sqlx::SqliteConnection::connect(&file).await.expect("there is a file");
                db.execute(sql).await.expect("it is done");
            }
        }
    }

    /// The program with this home, ready for arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maidan"));
        // The environment of the tester must not change the tests.
        for (name, _) in std::env::vars() {
            if name.starts_with("MAIDAN_") || name == "DATABASE_URL" {
                command.env_remove(name);
            }
        }
        command.env("MAIDAN_DATA", self.directory.join("maidan.db")).current_dir(&self.directory);
        if let Some(url) = &self.url {
            command.env("DATABASE_URL", url);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        // The command has its data directory from its variables; the rules tools need none.
        self.command().args(arguments).output().expect("the program runs")
    }

    /// Runs the program, which must succeed, and returns its output.
    pub fn read(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it prints text")
    }
}

fn postgres() -> String {
    std::env::var("MAIDAN_TEST_POSTGRES")
        .expect("half of these tests need Postgres: run them by ./test, which starts one")
}

/// A running service. Dropping it kills the process.
pub struct Server {
    pub address: String,
    /// The address of its metrics.
    pub metrics: String,
    pub home: Home,
    child: Child,
}

impl Server {
    /// A service on a free port, with these variables set.
    pub async fn start(home: &Home, variables: &[(&str, &str)]) -> Server {
        let mut command = home.command();
        command
            .env("MAIDAN_LISTEN", "127.0.0.1:0")
            .env("MAIDAN_METRICS_LISTEN", "127.0.0.1:0")
            .env("MAIDAN_GUESTS", "true")
            .env("MAIDAN_LOG", "error");
        // Stories send many requests; those about limits set their own.
        command.env("MAIDAN_REQUESTS_PER_SECOND", "0").env("MAIDAN_MOVES_PER_SECOND", "0");
        command.env("MAIDAN_REPLAYS_PER_SECOND", "0").env("MAIDAN_ADDRESS_REQUESTS_PER_SECOND", "0");
        command.env("MAIDAN_REGISTRATIONS_PER_MINUTE", "0").env("MAIDAN_AUTH_FAILURES_PER_MINUTE", "0");
        command.env("MAIDAN_DRAIN_SECONDS", "0");
        command.envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        let mut addresses = lines.by_ref().filter_map(|line| Some(line.ok()?.split_once("http://")?.1.to_string()));
        let address = addresses.next().expect("it says where it listens").trim_end_matches('/').to_string();
        let metrics = addresses.find(|address| address.ends_with("/metrics")).expect("it says where metrics are");
        // The process keeps printing, so its output must be drained.
        std::thread::spawn(move || lines.for_each(drop));
        Server { address: format!("http://{address}"), metrics: format!("http://{metrics}"), home: home.clone(), child }
    }

    /// The value of an exported counter, by its name, or by name and labels: `name{label="value"}`. The name alone gives the
    /// sum of its series, or 0 if there are none yet.
    pub async fn count(&self, counter: &str) -> u64 {
        let response = reqwest::get(&self.metrics).await.expect("it answers");
        let exported = response.text().await.expect("metrics are text");
        let series = exported.lines().filter_map(|line| line.rsplit_once(' '));
        let of_counter = series.filter(|(series, _)| *series == counter || series.split('{').next() == Some(counter));
        of_counter.map(|(_, value)| value.parse::<u64>().expect("a counter is a whole number")).sum()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// kill -9.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it can be waited for");
    }

    /// Sends SIGTERM; returns whether the process exited successfully.
    pub fn terminate(&mut self) -> bool {
        self.tell_to_stop();
        self.has_ended_well()
    }

    /// SIGTERM.
    pub fn tell_to_stop(&self) {
        let killed = Command::new("kill").arg(self.pid().to_string()).status().expect("kill is there");
        assert!(killed.success());
    }

    /// Waits for the exit; returns whether it was successful.
    pub fn has_ended_well(&mut self) -> bool {
        self.child.wait().expect("it can be waited for").success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}
