//! Times, to the microsecond.

use std::time::Duration;

use jiff::Timestamp;

use crate::clock;

/// A time with the precision of both databases, microseconds, so that a stored time reads back the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At(pub Timestamp);

impl At {
    /// By the database's clock.
    pub fn now() -> At {
        At::from_micros(clock::now())
    }

    pub fn plus(self, duration: Duration) -> At {
        At::from_micros(self.0.as_microsecond().saturating_add(micros(duration)))
    }

    pub fn minus(self, duration: Duration) -> At {
        At::from_micros(self.0.as_microsecond().saturating_sub(micros(duration)))
    }

    pub fn from_micros(micros: i64) -> At {
        At(Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
