//! boardgame.io on its own server, for comparison.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::figures::Times;
use crate::live::Way;

/// The server for games of Kalah in which both players receive every move.
#[derive(Clone, Copy)]
pub enum Host {
    Maidan(Way),
    BoardgameIo { on_postgres: bool },
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Host::Maidan(Way::WebSocket) => "Kalah, delivered to both players by WebSocket",
            Host::Maidan(Way::Events) => "Kalah, delivered to both players by event stream",
            Host::BoardgameIo { on_postgres: false } => "Kalah by boardgame.io in memory",
            Host::BoardgameIo { on_postgres: true } => "Kalah by boardgame.io on Postgres",
        })
    }
}

/// One such measurement.
pub struct KalahRun {
    pub tables: usize,
    pub rate: f64,
    /// From sending a move until both players have received it.
    pub times: Times,
}

/// Upper bounds of its moves per second, in memory and on Postgres: games are prepared for this many.
const MOST_IN_MEMORY: f64 = 6000.0;
const MOST_ON_POSTGRES: f64 = 800.0;
/// Moves of a short game.
const SHORT_GAME: f64 = 25.0;

/// The directories of its packages and of our files for it.
pub struct BoardgameIo {
    pub packages: PathBuf,
    pub files: PathBuf,
}

impl BoardgameIo {
    fn node(&self, script: &str) -> Result<Command> {
        let packages = self.packages.join("node_modules").canonicalize();
        let packages = packages.map_err(|_| "it is not installed")?;
        let mut command = Command::new("node");
        command.env("NODE_PATH", packages).arg(self.files.join(script));
        // Otherwise its servers log every request.
        command.env("NODE_ENV", "production").stdin(Stdio::null()).stderr(Stdio::piped());
        Ok(command)
    }

    /// Plays Kalah at this many tables, with both players connected. Games are created before the measurement, like ours.
    pub fn play(&self, database: Option<&str>, tables: usize, time: Duration) -> Result<KalahRun> {
        let ports = [free_port()?.to_string(), free_port()?.to_string()];
        let mut command = self.node("server.js")?;
        command.args(&ports).args(database).stdout(Stdio::piped());
        let mut server = Peer(command.spawn()?);
        wait_until_ready(&mut server.0)?;
        let most = if database.is_some() { MOST_ON_POSTGRES } else { MOST_IN_MEMORY };
        let games = most * 1.25 * time.as_secs_f64() / SHORT_GAME / tables as f64;
        let numbers = [tables.to_string(), time.as_secs_f64().to_string(), games.ceil().to_string()];
        let output = self.node("load.js")?.args(&ports).args(numbers).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(said.lines().next().unwrap_or("it fails").to_string().into());
        }
        let micros: Vec<u32> = serde_json::from_slice(&output.stdout)?;
        let times = Times::of(micros);
        Ok(KalahRun { tables, rate: times.count() as f64 / time.as_secs_f64(), times })
    }
}

/// Kills the process when dropped.
struct Peer(Child);

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_until_ready(server: &mut Child) -> Result<()> {
    let mut lines = BufReader::new(server.stdout.take().expect("its output is piped")).lines();
    let is_ready = lines.any(|line| line.is_ok_and(|line| line == "ready"));
    std::thread::spawn(move || lines.for_each(drop));
    // The other pipe must be drained, too.
    if let Some(stderr) = server.stderr.take() {
        std::thread::spawn(move || BufReader::new(stderr).lines().for_each(drop));
    }
    if is_ready { Ok(()) } else { Err("its server does not start".into()) }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
