//! The time of the database.
//!
//! Clocks of replicas differ. On Postgres, every replica therefore asks the database for the time, and counts on from
//! there by its monotonic clock: what one replica issues, another finds valid, and ids and entries of all replicas are in
//! order. Until the database has been asked, and with the embedded database, it is the time of this machine.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use uuid::{ContextV7, Uuid};

static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::start);

/// Microseconds since 1970.
pub fn now() -> i64 {
    CLOCK.now()
}

/// Takes over the time that the database returned to a question that was asked this long ago.
pub fn set(database: i64, asked: Duration) {
    CLOCK.set(database, asked);
}

/// An id that tells its time. Ids of this process are in the order in which they were made.
pub fn fresh_id() -> Uuid {
    CLOCK.fresh_id()
}

struct Clock {
    started: Instant,
    /// The database's time at the start, in microseconds since 1970.
    at_start: AtomicI64,
    /// Orders the ids of one millisecond.
    ids: Mutex<ContextV7>,
}

const UNKNOWN: i64 = i64::MIN;

impl Clock {
    fn start() -> Clock {
        Clock { started: Instant::now(), at_start: AtomicI64::new(UNKNOWN), ids: Mutex::new(ContextV7::new()) }
    }

    fn now(&self) -> i64 {
        match self.at_start.load(Ordering::Relaxed) {
            UNKNOWN => Timestamp::now().as_microsecond(),
            at_start => at_start.saturating_add(micros(self.started.elapsed())),
        }
    }

    fn set(&self, database: i64, asked: Duration) {
        let now = database.saturating_add(micros(asked) / 2);
        let at_start = now.saturating_sub(micros(self.started.elapsed()));
        let known = self.at_start.load(Ordering::Relaxed);
        // A smaller difference may be the time that the answer took.
        if known == UNKNOWN || known.abs_diff(at_start) > micros(asked).unsigned_abs() {
            self.at_start.store(at_start, Ordering::Relaxed);
        }
    }

    fn fresh_id(&self) -> Uuid {
        let micros = self.now().unsigned_abs();
        let nanos = u32::try_from(micros % 1_000_000 * 1_000).unwrap_or_default();
        Uuid::new_v7(uuid::Timestamp::from_unix(&self.ids, micros / 1_000_000, nanos))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_from_what_the_database_said_and_ids_follow_it() {
        let (clock, local, hour) = (Clock::start(), Timestamp::now().as_microsecond(), 3_600_000_000);
        assert!((clock.now() - local).abs() < hour / 2, "nobody has asked the database yet");
        clock.set(local - hour, Duration::from_millis(2));
        let behind = clock.now();
        assert!((local - hour..local - hour / 2).contains(&behind), "it goes on from there");
        clock.set(local - hour - 500, Duration::from_secs(60));
        assert!(clock.now() >= behind, "a difference that the time of the answer explains changes nothing");
        let (one, other) = (clock.fresh_id(), clock.fresh_id());
        assert!(one < other);
        let (seconds, _) = one.get_timestamp().expect("its version has a time").to_unix();
        assert!(seconds.abs_diff(behind.unsigned_abs() / 1_000_000) < 60);
    }
}
