//! Games of one player against another, with the same seeds from every seat.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// Whether to print the points of every seed as soon as it is played.
    pub says_points: bool,
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

impl Outcomes {
    fn add(&mut self, more: Outcomes) {
        self.points.extend(more.points);
        self.games += more.games;
        self.moves += more.moves;
        for (times, more) in self.times.iter_mut().zip(more.times) {
            times.extend(more);
        }
    }
}

impl Duel {
    /// Plays until seeds or time run out, always whole rounds over the seats, and at least one. Each thread plays with
    /// players of its own, made by `players` from the number of the thread.
    pub fn play(
        &self,
        players: impl Fn(u64) -> Result<[Player; 2]> + Sync,
        seeds: Range<u64>,
        limit: Duration,
        threads: u64,
    ) -> Result<Outcomes> {
        let began = Instant::now();
        let next = AtomicU64::new(seeds.start);
        let work = |thread: u64| -> Result<Outcomes> {
            let mut players = players(thread)?;
            let mut outcomes = Outcomes::default();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= seeds.end || (seed > seeds.start && began.elapsed() > limit) {
                    return Ok(outcomes);
                }
                let mut sum = 0.0;
                for seat in Seat::all(self.seats) {
                    sum += self.game(&mut players, seat, seed, &mut outcomes)?;
                }
                let points = sum / f64::from(self.seats);
                outcomes.points.push(points);
                if self.says_points {
                    eprintln!("  seed {seed}: {points:.4}");
                }
            }
        };
        std::thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> = (0..threads.max(1)).map(|thread| scope.spawn(move || work(thread))).collect();
            let mut all = Outcomes::default();
            for thread in running {
                all.add(thread.join().map_err(|_| "a game panicked")??);
            }
            Ok(all)
        })
    }

    /// The points of the first player, who sits in `own`.
    fn game(&self, players: &mut [Player; 2], own: Seat, seed: u64, outcomes: &mut Outcomes) -> Result<f64> {
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
