//! When the machine itself stands still. A machine that is rented stops now and then, with everything on it, for longer
//! than any move takes; who reads the slowest times wants to know.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often is looked.
const BLINK: Duration = Duration::from_millis(1);

/// A thread that is woken later than this was not kept waiting by other threads: even among many that are busy its
/// turn comes sooner.
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
            "Stops of the whole machine for {} ms or more: {}, at the longest {longest} ms",
            STOP.as_millis(),
            stops.len()
        )
    }
}
