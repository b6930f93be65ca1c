//! The rules alone, on one core: random games of every kind, and Kalah beside OpenSpiel's. Measured in processor time,
//! so that other load on the machine does not count.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use domain::playout::{Playouts, playout};
use domain::{Kind, Rules, with_rules};

use crate::Result;
use crate::process::cpu_of_thread;

pub struct Speed {
    pub games: f64,
    pub moves: f64,
}

/// Plays whole random games of a kind for about this long, with the fewest seats.
pub fn random_games(kind: Kind, time: Duration) -> Result<Speed> {
    let play = |games| with_rules!(kind, R => play::<R>(*kind.seats().start(), games));
    // A batch takes a fiftieth of the time, so that the clock is checked often enough.
    let mut games = 1;
    let part = loop {
        let began = cpu_of_thread();
        play(games)?;
        if cpu_of_thread() - began > time / 50 {
            break games;
        }
        games *= 2;
    };
    let (mut games, mut moves, began) = (0, 0, cpu_of_thread());
    while cpu_of_thread() - began < time {
        let played = play(part)?;
        games += played.games;
        moves += played.plies;
    }
    let seconds = (cpu_of_thread() - began).as_secs_f64();
    Ok(Speed { games: games as f64 / seconds, moves: moves as f64 / seconds })
}

fn play<R: Rules>(seats: u8, games: u64) -> Result<Playouts> {
    playout::<R>(&R::Options::default(), *R::RULES_VERSIONS.end(), seats, games, 1)
        .map_err(|illegal| illegal.to_string().into())
}

/// Random games of Kalah per second of processor time by OpenSpiel, in its C++.
pub fn openspiel(python: &Path, script: &Path, time: Duration) -> Result<f64> {
    let output = Command::new(python).arg(script).arg(time.as_secs_f64().to_string()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("it fails").to_string().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
