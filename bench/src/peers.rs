//! boardgame.io, on a server of its own.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::figures::Times;

/// Where its packages are installed and where our files for it lie.
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
        // Its servers log every request otherwise.
        command.env("NODE_ENV", "production").stdin(Stdio::null()).stderr(Stdio::piped());
        Ok(command)
    }

    /// Kalah at so many tables, both players connected; times are until both were told of a move.
    pub fn play(&self, database: Option<&str>, tables: usize, time: Duration) -> Result<(f64, Times)> {
        let ports = [free_port()?.to_string(), free_port()?.to_string()];
        let mut command = self.node("server.js")?;
        command.args(&ports).args(database).stdout(Stdio::piped());
        let mut server = Peer(command.spawn()?);
        wait_until_ready(&mut server.0)?;
        let seconds = time.as_secs_f64().to_string();
        let output = self.node("load.js")?.args(&ports).args([tables.to_string(), seconds]).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(said.lines().next().unwrap_or("it fails").to_string().into());
        }
        let micros: Vec<u32> = serde_json::from_slice(&output.stdout)?;
        let times = Times::of(micros);
        Ok((times.count() as f64 / time.as_secs_f64(), times))
    }
}

/// It is ended when this goes.
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
    // What it has to say on the other pipe must find a reader, too.
    if let Some(stderr) = server.stderr.take() {
        std::thread::spawn(move || BufReader::new(stderr).lines().for_each(drop));
    }
    if is_ready { Ok(()) } else { Err("its server does not start".into()) }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
