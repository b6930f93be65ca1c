//! Detects pauses of the whole machine. A rented machine pauses now and then for longer than any move takes, which
//! explains some of the slowest times.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The interval between checks.
const BLINK: Duration = Duration::from_millis(1);

/// A thread that wakes up later than this was not delayed by other threads: even on a busy machine it is scheduled
/// sooner.
const STOP: Duration = Duration::from_millis(25);

#[derive(Clone, Default)]
pub struct Stops(Arc<Mutex<Vec<Duration>>>);

impl Stops {
    /// Watches until the program ends.
    pub fn watch() -> Stops {
        let stops = Stops::default();
        let seen = stops.clone();
        std::thread::spawn(move || {
            loop {
                let before = Instant::now();
                std::thread::sleep(BLINK);
                let asleep = before.elapsed();
                if asleep >= STOP {
                    seen.0.lock().unwrap_or_else(PoisonError::into_inner).push(asleep);
                }
            }
        });
        stops
    }

    pub fn describe(&self) -> String {
        let stops = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = stops.iter().max().map_or(0, Duration::as_millis);
        format!(
            "Pauses of the whole machine of {} ms or more: {}, the longest {longest} ms",
            STOP.as_millis(),
            stops.len()
        )
    }
}
