//! How fast moves come.

use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub enum Pace {
    /// Everybody makes the next move when the last one is acknowledged.
    Full,
    /// So many moves per second by all together, whether or not anybody keeps up.
    PerSecond(f64),
}

impl Pace {
    /// The turns of one among so many, all of them evenly spread.
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

/// When one of those who move is to do so.
pub struct Turns {
    due: Instant,
    period: Duration,
    is_paced: bool,
}

impl Turns {
    /// Waits for the next turn; says since when the move has been waited for.
    pub async fn next(&mut self) -> Instant {
        let now = Instant::now();
        if !self.is_paced {
            return now;
        }
        let due = self.due;
        self.due += self.period;
        // Who is late has made its player wait since the move was due; who is early waits for it.
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
