//! Batching: concurrent requests share a database statement.
//!
//! A commit costs the database nearly the same whether it holds one change or many. While a batch is in flight, new
//! items queue, and the next batch takes all of them. There is no artificial delay: an idle batcher flushes immediately.
//! An additional batch starts while others are in flight once enough items are queued.
//!
//! A batch runs in its own task. Cancelling a request drops its answer, never its item.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{Result, StoreError};

/// The most items of one batch. Larger batches add latency for all items and save hardly anything more.
const MOST_ITEMS: usize = 64;

/// How many queued items start an additional batch while one is in flight. Fewer are cheaper in the next batch.
const WORTH_A_BATCH: usize = 16;

/// The longest queue. Beyond it requests fail with [`StoreError::QueueFull`].
const LONGEST_QUEUE: usize = 1024;

pub struct Batcher<Item, Answer>(Arc<Shared<Item, Answer>>);

struct Shared<Item, Answer> {
    queue: Mutex<Queue<Item, Answer>>,
    most_in_flight: usize,
    run: Box<Run<Item, Answer>>,
    /// Runs the batches, whichever thread starts them.
    runtime: Handle,
}

/// Runs a batch. Returns one answer per item, in order.
type Run<Item, Answer> = dyn Fn(Vec<Item>) -> BoxFuture<'static, Vec<Result<Answer>>> + Send + Sync;

struct Queue<Item, Answer> {
    waiting: VecDeque<Waiting<Item, Answer>>,
    in_flight: usize,
}

struct Waiting<Item, Answer> {
    item: Item,
    answer: oneshot::Sender<Result<Answer>>,
}

impl<Item: Send + 'static, Answer: Send + 'static> Batcher<Item, Answer> {
    /// `run` returns one answer per item of a batch, in order.
    pub fn new<Running>(
        most_in_flight: usize,
        run: impl Fn(Vec<Item>) -> Running + Send + Sync + 'static,
    ) -> Batcher<Item, Answer>
    where
        Running: Future<Output = Vec<Result<Answer>>> + Send + 'static,
    {
        Batcher(Arc::new(Shared {
            queue: Mutex::new(Queue { waiting: VecDeque::new(), in_flight: 0 }),
            most_in_flight,
            run: Box::new(move |items| Box::pin(run(items))),
            runtime: Handle::current(),
        }))
    }

    /// Queues an item and waits for its answer.
    pub async fn submit(&self, item: Item) -> Result<Answer> {
        let (answer, answered) = oneshot::channel();
        {
            let mut queue = self.0.queue();
            if queue.waiting.len() == LONGEST_QUEUE {
                return Err(StoreError::QueueFull);
            }
            queue.waiting.push_back(Waiting { item, answer });
        }
        Shared::start_batch(&self.0);
        answered.await.unwrap_or(Err(StoreError::Away(sqlx::Error::WorkerCrashed)))
    }
}

impl<Item: Send + 'static, Answer: Send + 'static> Shared<Item, Answer> {
    fn queue(&self) -> MutexGuard<'_, Queue<Item, Answer>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a batch if enough items are queued.
    fn start_batch(shared: &Arc<Shared<Item, Answer>>) {
        {
            let mut queue = shared.queue();
            let least = match queue.in_flight {
                0 => 1,
                in_flight if in_flight < shared.most_in_flight => WORTH_A_BATCH,
                _ => return,
            };
            if queue.waiting.len() < least {
                return;
            }
            queue.in_flight += 1;
        }
        let batch = Batch { shared: Arc::clone(shared), has_begun: false };
        shared.runtime.spawn(batch.run());
    }
}

/// A batch in flight.
struct Batch<Item: Send + 'static, Answer: Send + 'static> {
    shared: Arc<Shared<Item, Answer>>,
    has_begun: bool,
}

impl<Item: Send + 'static, Answer: Send + 'static> Batch<Item, Answer> {
    /// Takes all items that are queued when the task begins, including those queued since it was spawned.
    async fn run(mut self) {
        self.has_begun = true;
        let (items, waiting): (Vec<_>, Vec<_>) = {
            let mut queue = self.shared.queue();
            let taken = queue.waiting.len().min(MOST_ITEMS);
            queue.waiting.drain(..taken).map(|one| (one.item, one.answer)).unzip()
        };
        if items.is_empty() {
            return;
        }
        metrics::histogram!("maidan_store_batch_size").record(items.len() as f64);
        let answers = (self.shared.run)(items).await;
        for (answer, waiting) in answers.into_iter().zip(waiting) {
            // Fails if the request was cancelled in the meantime.
            let _: std::result::Result<(), _> = waiting.send(answer);
        }
    }
}

/// Frees the slot. After a panic the waiting requests get `Away`: the outcome is unknown.
impl<Item: Send + 'static, Answer: Send + 'static> Drop for Batch<Item, Answer> {
    fn drop(&mut self) {
        self.shared.queue().in_flight -= 1;
        // A batch that never began was dropped by a runtime that is shutting down, which would drop the next one, too.
        if self.has_begun {
            Shared::start_batch(&self.shared);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::{Semaphore, mpsc};
    use tokio::task::JoinSet;

    use super::*;

    type Numbers = Batcher<usize, usize>;

    /// A batcher that echoes its items, one batch per permit; the permits; and the batches that it ran.
    fn batcher(most_in_flight: usize) -> (Arc<Numbers>, Arc<Semaphore>, mpsc::UnboundedReceiver<Vec<usize>>) {
        let (batches, seen) = mpsc::unbounded_channel();
        let lock = Arc::new(Semaphore::new(0));
        let gate = Arc::clone(&lock);
        let batcher = Batcher::new(most_in_flight, move |items: Vec<usize>| {
            batches.send(items.clone()).expect("the test listens");
            let gate = Arc::clone(&gate);
            async move {
                gate.acquire().await.expect("it stays open").forget();
                assert!(!items.contains(&13), "this one panics");
                items.into_iter().map(Ok).collect()
            }
        });
        (Arc::new(batcher), lock, seen)
    }

    fn submit(batcher: &Arc<Numbers>, items: std::ops::Range<usize>) -> JoinSet<Result<usize>> {
        let one = |item| {
            let batcher = Arc::clone(batcher);
            async move { batcher.submit(item).await }
        };
        items.map(one).collect()
    }

    #[tokio::test]
    async fn an_idle_batcher_flushes_at_once_and_the_next_batch_takes_all_that_queued_since() {
        let (batcher, lock, mut batches) = batcher(2);
        let mut first = submit(&batcher, 0..1);
        assert_eq!(batches.recv().await, Some(vec![0]));
        let mut others = submit(&batcher, 1..6);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(batches.is_empty(), "five are too few for a second batch");
        lock.add_permits(1);
        assert_eq!(first.join_next().await.unwrap().unwrap().unwrap(), 0);
        assert_eq!(batches.recv().await.unwrap().len(), 5);
        lock.add_permits(1);
        let mut answers = Vec::new();
        while let Some(answer) = others.join_next().await {
            answers.push(answer.unwrap().unwrap());
        }
        answers.sort_unstable();
        assert_eq!(answers, [1, 2, 3, 4, 5]);
    }

    #[tokio::test]
    async fn a_second_batch_starts_when_enough_wait_and_there_is_no_third() {
        let (batcher, lock, mut batches) = batcher(2);
        let first = submit(&batcher, 20..21);
        assert_eq!(batches.recv().await.unwrap().len(), 1);
        let others = submit(&batcher, 100..100 + WORTH_A_BATCH);
        assert_eq!(batches.recv().await.unwrap().len(), WORTH_A_BATCH);
        let more = submit(&batcher, 200..200 + 2 * MOST_ITEMS);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(batches.is_empty(), "both are in flight");
        lock.add_permits(10);
        assert_eq!(batches.recv().await.unwrap().len(), MOST_ITEMS);
        for batch in [first, others, more] {
            assert!(batch.join_all().await.iter().all(Result::is_ok));
        }
    }

    #[tokio::test]
    async fn a_batch_that_panics_fails_only_its_own_items() {
        let (batcher, lock, _batches) = batcher(2);
        lock.add_permits(10);
        assert!(matches!(batcher.submit(13).await, Err(StoreError::Away(_))));
        assert_eq!(batcher.submit(14).await.unwrap(), 14);
    }

    #[tokio::test]
    async fn an_item_whose_request_is_cancelled_runs_all_the_same() {
        let (batcher, lock, mut batches) = batcher(1);
        let waiting = tokio::spawn({
            let batcher = Arc::clone(&batcher);
            async move { batcher.submit(1).await }
        });
        assert_eq!(batches.recv().await, Some(vec![1]));
        waiting.abort();
        lock.add_permits(2);
        assert_eq!(batcher.submit(2).await.unwrap(), 2);
        assert_eq!(batches.recv().await, Some(vec![2]));
    }
}
