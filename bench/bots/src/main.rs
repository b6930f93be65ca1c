//! Measures how strong and how quick the bots are: level against level, against random moves, and in Kalah against
//! OpenSpiel. See ../README.md.

mod duel;
mod openspiel;
mod player;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use domain::Kind;

use duel::{Duel, Outcomes};
use openspiel::OpenSpiel;
use player::Player;

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Measures Maidan's bots. Prints a Markdown table.
#[derive(Parser)]
struct Flags {
    /// Only these kinds
    #[arg(long, value_delimiter = ',')]
    kind: Vec<Kind>,
    /// Only tables with this many seats, instead of the fewest and the most of each kind
    #[arg(long)]
    seats: Option<u8>,
    /// The pairings: levels 1 to 4 or `random`, such as `4-3`. `4@20000` is level 4 with another budget than its own
    #[arg(long, value_delimiter = ',', default_value = "1-random,2-1,3-2,4-3,3-random")]
    pairs: Vec<String>,
    /// The most seeds per pairing. Every seed is played once from each seat
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// The most seconds per pairing
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first seed, to continue an earlier run
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Print the points of every seed as soon as it is played, to join several runs
    #[arg(long)]
    points: bool,
    /// Games that are played at the same time
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Random moves at the start of a game of Kalah, in which the stronger bots would otherwise repeat themselves
    #[arg(long, default_value_t = 4)]
    opening: usize,
    /// A Python with open_spiel: play Kalah at level 4 against its search, and nothing else
    #[arg(long)]
    openspiel: Option<PathBuf>,
    /// OpenSpiel's simulations per move
    #[arg(long, default_value_t = 10_000)]
    simulations: u32,
}

impl Flags {
    fn play(&self, duel: &Duel, players: impl Fn(u64) -> Result<[Player; 2]> + Sync) -> Result<Outcomes> {
        let seeds = self.from..self.from.saturating_add(self.seeds);
        duel.play(players, seeds, Duration::from_secs(self.seconds), self.threads)
    }
}

fn main() -> ExitCode {
    match run(&Flags::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bots: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<()> {
    let rows = match &flags.openspiel {
        Some(python) => vec![against_openspiel(flags, python)?],
        None => among_bots(flags)?,
    };
    print!("{}", report::table(&rows));
    Ok(())
}

fn among_bots(flags: &Flags) -> Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    for pair in &flags.pairs {
        player::read_pair(pair)?;
    }
    let kinds = if flags.kind.is_empty() { Kind::ALL.to_vec() } else { flags.kind.clone() };
    for kind in kinds {
        let mut tables: Vec<u8> = vec![*kind.seats().start(), *kind.seats().end()];
        tables.dedup();
        let tables = flags.seats.map_or(tables, |seats| vec![seats]);
        for seats in tables.into_iter().filter(|seats| kind.seats().contains(seats)) {
            for pair in &flags.pairs {
                let players = player::read_pair(pair)?;
                eprintln!("{kind}, {seats} seats: {} against {}", players[0], players[1]);
                let opening = if kind == Kind::Kalah { flags.opening } else { 0 };
                let options = kind.default_options();
                let duel = Duel { kind, options, seats, opening, says_points: flags.points };
                let outcomes = flags.play(&duel, |_| player::read_pair(pair))?;
                rows.push(report::row(kind, seats, &players, &outcomes));
            }
        }
    }
    Ok(rows)
}

fn against_openspiel(flags: &Flags, python: &Path) -> Result<Vec<String>> {
    let (kind, options) = (Kind::Kalah, OpenSpiel::options());
    let duel = Duel { kind, options, seats: 2, opening: flags.opening, says_points: flags.points };
    // Each thread's OpenSpiel has a seed of its own, so that no game is played twice.
    let players = |thread: u64| {
        let theirs = OpenSpiel::start(python, flags.simulations, 1 + flags.from + thread)?;
        Ok([Player::read("4")?, Player::OpenSpiel(theirs)])
    };
    let outcomes = flags.play(&duel, players)?;
    Ok(report::row(kind, 2, &players(flags.threads)?, &outcomes))
}
