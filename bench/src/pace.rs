//! The pace of moves: closed loop or fixed rate.

use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub enum Pace {
    /// Closed loop: each table makes its next move when the last one is acknowledged.
    Full,
    /// Open loop: this many moves per second in total, whether or not the service keeps up.
    PerSecond(f64),
}

impl Pace {
    /// The turns of one table among this many, evenly spread.
    pub fn turns(self, begin: Instant, n: usize, count: usize) -> Turns {
        match self {
            Pace::Full => Turns { due: begin, period: Duration::ZERO, is_paced: false },
            Pace::PerSecond(rate) => {
                let period = Duration::from_secs_f64(count as f64 / rate);
                Turns { due: begin + period.mul_f64(n as f64 / count as f64), period, is_paced: true }
            }
        }
    }
}

/// The times at which one table makes its moves.
pub struct Turns {
    due: Instant,
    period: Duration,
    is_paced: bool,
}

impl Turns {
    /// Waits for the next turn and returns the time at which the move was due.
    pub async fn next(&mut self) -> Instant {
        let now = Instant::now();
        if !self.is_paced {
            return now;
        }
        let due = self.due;
        self.due += self.period;
        // Latency counts from when the move was due, so a late table does not hide its delay.
        if due <= now {
            return due;
        }
        tokio::time::sleep_until(due.into()).await;
        Instant::now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_is_late_has_been_waited_for_since_the_move_was_due() {
        let begin = Instant::now() - Duration::from_secs(10);
        let mut turns = Pace::PerSecond(2.0).turns(begin, 1, 2);
        assert_eq!(turns.next().await, begin + Duration::from_millis(500));
        assert_eq!(turns.next().await, begin + Duration::from_millis(1500));
        let mut turns = Pace::PerSecond(200.0).turns(Instant::now(), 1, 2);
        let due = turns.due;
        assert!(turns.next().await >= due);
        let mut turns = Pace::Full.turns(begin, 1, 2);
        assert!(turns.next().await > begin + Duration::from_secs(9));
    }
}
