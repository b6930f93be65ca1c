//! Games of one player against another, with the same seeds from every seat.

use std::time::{Duration, Instant};

use domain::{AnyGame, AnyMove, AnyOptions, Chance, Entropy, Kind, Outcome, Seat, Seed};
use rustix::time::{ClockId, clock_gettime};

use crate::Result;
use crate::player::Player;

pub struct Duel {
    pub kind: Kind,
    pub options: AnyOptions,
    pub seats: u8,
    /// The number of random moves that a game begins with, the same from every seat.
    pub opening: usize,
}

/// The result of one player against another that sat in all other seats.
#[derive(Default)]
pub struct Outcomes {
    /// For each seed, the mean of the first player's points over all seats.
    pub points: Vec<f64>,
    pub games: u64,
    pub moves: u64,
    /// The processor time of every decision of each player, in microseconds. Other load on the machine does not count.
    pub times: [Vec<u64>; 2],
}

impl Duel {
    /// Plays until seeds or time run out, always whole rounds over the seats, and at least one.
    pub fn play(&self, mut players: [&mut Player; 2], from: u64, seeds: u64, limit: Duration) -> Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        let began = Instant::now();
        for seed in from..from + seeds {
            let mut sum = 0.0;
            for seat in Seat::all(self.seats) {
                sum += self.game(&mut players, seat, seed, &mut outcomes)?;
            }
            outcomes.points.push(sum / f64::from(self.seats));
            if began.elapsed() > limit {
                break;
            }
        }
        Ok(outcomes)
    }

    /// The points of the first player, who sits in `own`.
    fn game(&self, players: &mut [&mut Player; 2], own: Seat, seed: u64, outcomes: &mut Outcomes) -> Result<f64> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_be_bytes());
        let entropy = Entropy::new(Seed::new(bytes), []);
        let mut chance = Chance::fast(seed);
        let mut game = AnyGame::start(&self.options, self.seats, self.kind.rules_version(), &entropy)?;
        let mut played: Vec<(Seat, AnyMove)> = Vec::new();
        while let Some(seat) = game.to_act().first() {
            if played.len() < self.opening {
                let mv = Player::Random.choose(&game, seat, &entropy, &played, &mut chance)?;
                game.play(seat, &mv, &entropy)?;
                played.push((seat, mv));
                continue;
            }
            let player = usize::from(seat != own);
            let began = processor_time();
            let mv = players[player].choose(&game, seat, &entropy, &played, &mut chance)?;
            outcomes.times[player].push(processor_time() - began);
            game.play(seat, &mv, &entropy)?;
            played.push((seat, mv));
            outcomes.moves += 1;
        }
        outcomes.games += 1;
        let Outcome { winners, .. } = game.outcome().ok_or("a game that waits for nobody is over")?;
        Ok(match winners.len() {
            0 => 1.0 / f64::from(self.seats),
            count if winners.contains(own) => 1.0 / f64::from(count),
            _ => 0.0,
        })
    }
}

/// How long this thread has computed, in microseconds.
fn processor_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000).unwrap_or(0)
}
