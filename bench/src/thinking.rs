//! A bot's thread that is always busy, and a process that burns as much: what the moves of people are measured beside.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::Result;
use crate::club::{Club, Player};
use crate::http::{Connection, request};
use crate::process;

/// When set, this program burns a core until its input ends.
pub const BURN: &str = "BENCH_BURN";
/// Games of one player and three bots of the highest level. While some wait for the player, bots think in others.
const GAMES: usize = 8;
/// The service's first thread for bots; it has no other.
const THREAD: &str = "bot-0";

/// Games in which bots are always due.
pub struct Thinking {
    pid: u32,
    player: JoinHandle<Result<()>>,
}

impl Thinking {
    pub async fn start(club: &Club) -> Result<Thinking> {
        let player = club.register(1).await?.remove(0);
        let bot = || json!({ "bot": { "level": 4 } });
        let seats = json!([{ "player": player.id }, bot(), bot(), bot()]);
        let ask = ("/v1/games".to_string(), json!({ "kind": "MARA", "seats": seats }));
        club.ask_all(vec![ask; GAMES]).await?;
        let connection = Connection::open(&club.server.address).await?;
        Ok(Thinking { pid: club.server.pid(), player: tokio::spawn(play(connection, player)) })
    }

    /// Processor time of the bots' thread.
    pub fn cpu(&self) -> Duration {
        process::cpu_of_thread_named(self.pid, THREAD)
    }

    /// Fails if the games have not gone on.
    pub async fn stop(self) -> Result<()> {
        match self.player.is_finished() {
            true => Err(self.player.await?.err().unwrap_or_else(|| "the games with bots have ended".into())),
            false => {
                self.player.abort();
                Ok(())
            }
        }
    }
}

/// Makes the first legal move in each game that waits for the player.
async fn play(mut connection: Connection, player: Player) -> Result<()> {
    loop {
        let next = request("GET", "/v1/me/next?wait=20&limit=1", &player.token, "", "");
        let answer = connection.ask(&next).await?;
        if answer.status == 204 {
            return Err("for twenty seconds no bot has moved".into());
        }
        let game: Value = serde_json::from_slice(answer.body)?;
        let (id, notation) = (&game["id"], &game["legalMoves"]["items"][0]["notation"]);
        let (Some(id), true) = (id.as_str(), notation.is_string()) else {
            return Err(format!("no decision: {} {game}", answer.status).into());
        };
        let body = json!({ "notation": notation }).to_string();
        let mv = request("POST", &format!("/v1/games/{id}/moves"), &player.token, "", &body);
        let answer = connection.ask(&mv).await?;
        if !answer.is_good() {
            return Err(format!("{notation}: {} {}", answer.status, String::from_utf8_lossy(answer.body)).into());
        }
    }
}

/// A process of idle priority that burns one core. Dropping it ends the process.
pub struct Burner(Child);

impl Burner {
    pub fn start() -> Result<Burner> {
        let mut command = Command::new("chrt");
        command.args(["--idle", "0"]).arg(std::env::current_exe()?).env(BURN, "1").stdin(Stdio::piped());
        Ok(Burner(command.spawn().map_err(|error| format!("chrt: {error}"))?))
    }

    /// Its processor time.
    pub fn cpu(&self) -> Duration {
        process::cpu(self.0.id())
    }
}

impl Drop for Burner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Burns a core for as long as the input is open: until the process that holds the other end is gone.
pub fn burn() {
    let input = std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
    });
    while !input.is_finished() {
        std::hint::spin_loop();
    }
}
