//! Carries together what waits at the same time.
//!
//! A commit costs the database nearly the same whether it holds one change or many. So while a boat is under way
//! whatever comes gathers on the quay, and the next one takes all of it. Nobody waits for company: who comes to an idle
//! ferry leaves at once, alone. A second boat sets out beside the first when there is a load for it.
//!
//! A crossing is a task of its own. A request that is cancelled leaves the quay without an answer, but what it sent
//! crosses all the same.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{Result, StoreError};

/// The most that crosses together: beyond it a crossing takes longer for everybody and saves hardly anything more.
const MOST_ABOARD: usize = 64;

/// How much must wait for one more boat to set out. For less it would only take from the load of the next one.
const WORTH_A_BOAT: usize = 16;

/// The most that waits on a quay. Who finds it full is told to come again later.
const MOST_WAITING: usize = 1024;

pub struct Ferry<Cargo, Answer>(Arc<Harbour<Cargo, Answer>>);

struct Harbour<Cargo, Answer> {
    quay: Mutex<Quay<Cargo, Answer>>,
    boats: usize,
    cross: Box<Cross<Cargo, Answer>>,
    /// Where boats sail, whoever sends for one.
    water: Handle,
}

/// Answers for everything aboard, in order.
type Cross<Cargo, Answer> = dyn Fn(Vec<Cargo>) -> BoxFuture<'static, Vec<Result<Answer>>> + Send + Sync;

struct Quay<Cargo, Answer> {
    waiting: VecDeque<Waiting<Cargo, Answer>>,
    under_way: usize,
}

struct Waiting<Cargo, Answer> {
    cargo: Cargo,
    answer: oneshot::Sender<Result<Answer>>,
}

impl<Cargo: Send + 'static, Answer: Send + 'static> Ferry<Cargo, Answer> {
    /// A ferry of so many boats. `cross` answers for everything aboard, in order.
    pub fn new<Crossing>(
        boats: usize,
        cross: impl Fn(Vec<Cargo>) -> Crossing + Send + Sync + 'static,
    ) -> Ferry<Cargo, Answer>
    where
        Crossing: Future<Output = Vec<Result<Answer>>> + Send + 'static,
    {
        Ferry(Arc::new(Harbour {
            quay: Mutex::new(Quay { waiting: VecDeque::new(), under_way: 0 }),
            boats,
            cross: Box::new(move |cargo| Box::pin(cross(cargo))),
            water: Handle::current(),
        }))
    }

    pub async fn carry(&self, cargo: Cargo) -> Result<Answer> {
        let (answer, answered) = oneshot::channel();
        {
            let mut quay = self.0.quay();
            if quay.waiting.len() == MOST_WAITING {
                return Err(StoreError::Crowded);
            }
            quay.waiting.push_back(Waiting { cargo, answer });
        }
        Harbour::send_a_boat(&self.0);
        answered.await.unwrap_or(Err(StoreError::Away(sqlx::Error::WorkerCrashed)))
    }
}

impl<Cargo: Send + 'static, Answer: Send + 'static> Harbour<Cargo, Answer> {
    fn quay(&self) -> MutexGuard<'_, Quay<Cargo, Answer>> {
        self.quay.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends one more boat if there is a load for it.
    fn send_a_boat(harbour: &Arc<Harbour<Cargo, Answer>>) {
        {
            let mut quay = harbour.quay();
            let least = match quay.under_way {
                0 => 1,
                under_way if under_way < harbour.boats => WORTH_A_BOAT,
                _ => return,
            };
            if quay.waiting.len() < least {
                return;
            }
            quay.under_way += 1;
        }
        let boat = Boat(Arc::clone(harbour));
        harbour.water.spawn(boat.cross());
    }
}

/// A boat under way.
struct Boat<Cargo: Send + 'static, Answer: Send + 'static>(Arc<Harbour<Cargo, Answer>>);

impl<Cargo: Send + 'static, Answer: Send + 'static> Boat<Cargo, Answer> {
    /// Takes all who are there when it casts off, not only those who were when it was sent for.
    async fn cross(self) {
        let (cargo, waiting): (Vec<_>, Vec<_>) = {
            let mut quay = self.0.quay();
            let aboard = quay.waiting.len().min(MOST_ABOARD);
            quay.waiting.drain(..aboard).map(|one| (one.cargo, one.answer)).unzip()
        };
        if cargo.is_empty() {
            return;
        }
        metrics::histogram!("maidan_crossing_size").record(cargo.len() as f64);
        let answers = (self.0.cross)(cargo).await;
        for (answer, waiting) in answers.into_iter().zip(waiting) {
            // Whoever went away in the meantime does not want it any more.
            let _: std::result::Result<(), _> = waiting.send(answer);
        }
    }
}

/// Back, or lost with all aboard, who then learn that nobody knows: either way the next one may set out.
impl<Cargo: Send + 'static, Answer: Send + 'static> Drop for Boat<Cargo, Answer> {
    fn drop(&mut self) {
        self.0.quay().under_way -= 1;
        Harbour::send_a_boat(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::{Semaphore, mpsc};
    use tokio::task::JoinSet;

    use super::*;

    type Numbers = Ferry<usize, usize>;

    /// A ferry that answers with what it carried, when it is let across; and the loads that it set out with.
    fn ferry(boats: usize) -> (Arc<Numbers>, Arc<Semaphore>, mpsc::UnboundedReceiver<Vec<usize>>) {
        let (loads, seen) = mpsc::unbounded_channel();
        let lock = Arc::new(Semaphore::new(0));
        let gate = Arc::clone(&lock);
        let ferry = Ferry::new(boats, move |cargo: Vec<usize>| {
            loads.send(cargo.clone()).expect("the test listens");
            let gate = Arc::clone(&gate);
            async move {
                gate.acquire().await.expect("it stays open").forget();
                assert!(!cargo.contains(&13), "this one sinks");
                cargo.into_iter().map(Ok).collect()
            }
        });
        (Arc::new(ferry), lock, seen)
    }

    fn send(ferry: &Arc<Numbers>, cargo: std::ops::Range<usize>) -> JoinSet<Result<usize>> {
        let carry = |one| {
            let ferry = Arc::clone(ferry);
            async move { ferry.carry(one).await }
        };
        cargo.map(carry).collect()
    }

    #[tokio::test]
    async fn who_comes_to_an_idle_ferry_leaves_at_once_and_the_next_boat_takes_all_who_came_since() {
        let (ferry, lock, mut loads) = ferry(2);
        let mut first = send(&ferry, 0..1);
        assert_eq!(loads.recv().await, Some(vec![0]));
        let mut others = send(&ferry, 1..6);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(loads.is_empty(), "five are no load for a second boat");
        lock.add_permits(1);
        assert_eq!(first.join_next().await.unwrap().unwrap().unwrap(), 0);
        assert_eq!(loads.recv().await.unwrap().len(), 5);
        lock.add_permits(1);
        let mut answers = Vec::new();
        while let Some(answer) = others.join_next().await {
            answers.push(answer.unwrap().unwrap());
        }
        answers.sort_unstable();
        assert_eq!(answers, [1, 2, 3, 4, 5]);
    }

    #[tokio::test]
    async fn a_second_boat_sets_out_with_a_load_and_there_is_no_third() {
        let (ferry, lock, mut loads) = ferry(2);
        let first = send(&ferry, 20..21);
        assert_eq!(loads.recv().await.unwrap().len(), 1);
        let others = send(&ferry, 100..100 + WORTH_A_BOAT);
        assert_eq!(loads.recv().await.unwrap().len(), WORTH_A_BOAT);
        let more = send(&ferry, 200..200 + 2 * MOST_ABOARD);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(loads.is_empty(), "both are under way");
        lock.add_permits(10);
        assert_eq!(loads.recv().await.unwrap().len(), MOST_ABOARD);
        for crossing in [first, others, more] {
            assert!(crossing.join_all().await.iter().all(Result::is_ok));
        }
    }

    #[tokio::test]
    async fn a_boat_that_sinks_takes_nobody_but_its_own_passengers() {
        let (ferry, lock, _loads) = ferry(2);
        lock.add_permits(10);
        assert!(matches!(ferry.carry(13).await, Err(StoreError::Away(_))));
        assert_eq!(ferry.carry(14).await.unwrap(), 14);
    }

    #[tokio::test]
    async fn a_request_that_is_cancelled_crosses_all_the_same() {
        let (ferry, lock, mut loads) = ferry(1);
        let waiting = tokio::spawn({
            let ferry = Arc::clone(&ferry);
            async move { ferry.carry(1).await }
        });
        assert_eq!(loads.recv().await, Some(vec![1]));
        waiting.abort();
        lock.add_permits(2);
        assert_eq!(ferry.carry(2).await.unwrap(), 2);
        assert_eq!(loads.recv().await, Some(vec![2]));
    }
}
