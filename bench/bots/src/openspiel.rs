//! OpenSpiel's search as an opponent in Kalah.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use domain::games::kalah::{Leftovers, Move, Options};
use domain::{AnyMove, AnyOptions, Seat};

use crate::Result;

/// OpenSpiel's program, by its path from the top of the repository.
const SCRIPT: &str = "bench/peers/openspiel_player.py";
/// OpenSpiel's numbers of the first pocket of each seat.
const FIRST_POCKETS: [u8; 2] = [1, 8];

pub struct OpenSpiel {
    pub simulations: u32,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl OpenSpiel {
    pub fn start(python: &Path, simulations: u32, seed: u64) -> Result<OpenSpiel> {
        let mut command = Command::new(python);
        command
            .arg(SCRIPT)
            .arg(simulations.to_string())
            .arg(seed.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let input = process.stdin.take().ok_or("its input is piped")?;
        let output = BufReader::new(process.stdout.take().ok_or("its output is piped")?);
        Ok(OpenSpiel { simulations, process, input, output })
    }

    /// The options by which OpenSpiel plays, found by comparing random games: the seeds left in a row count for its owner
    /// at the end, nothing is captured across from an empty pocket, and its first player begins.
    pub fn options() -> AnyOptions {
        let first_seat = Some(Seat::new(0));
        AnyOptions::Kalah(Options {
            leftovers: Leftovers::Owner,
            empty_capture: false,
            first_seat,
            ..Options::default()
        })
    }

    /// Its move after these.
    pub fn choose(&mut self, played: &[(Seat, AnyMove)]) -> Result<AnyMove> {
        let action = |(seat, mv): &(Seat, AnyMove)| match mv {
            AnyMove::Kalah(Move { pocket }) => (FIRST_POCKETS[seat.index()] + pocket).to_string(),
            _ => unreachable!("it only plays Kalah"),
        };
        let actions: Vec<String> = played.iter().map(action).collect();
        writeln!(self.input, "{}", actions.join(" "))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let action: u8 = line.trim().parse().map_err(|_| "OpenSpiel does not answer with an action")?;
        let first = FIRST_POCKETS.into_iter().rfind(|first| action >= *first).ok_or("there is no such pocket")?;
        Ok(AnyMove::Kalah(Move { pocket: action - first }))
    }
}

impl Drop for OpenSpiel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
