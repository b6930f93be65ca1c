//! Progress of long commands, on the standard error output.

use std::time::{Duration, Instant};

pub const INTERVAL: Duration = Duration::from_secs(2);

/// Counts processed items, and prints the count every two seconds.
pub struct Progress {
    /// The items and the action: 'games verified'.
    what: String,
    done: u64,
    total: u64,
    printed: Instant,
}

impl Progress {
    pub fn new(what: impl Into<String>, total: i64) -> Progress {
        Progress { what: what.into(), done: 0, total: total.unsigned_abs(), printed: Instant::now() }
    }

    pub fn add(&mut self, more: usize) {
        self.done += more as u64;
        if self.printed.elapsed() >= INTERVAL {
            self.printed = Instant::now();
            eprintln!("{} of {} {}", self.done, self.total, self.what);
        }
    }
}
