//! The request that the current task answers: its id, and the rate limit that it was charged to.
//!
//! Use cases charge rate limits and know no HTTP; errors become responses without access to the request. Both reach the
//! request through the task.

use std::cell::Cell;

tokio::task_local! {
    static CURRENT: Current;
}

struct Current {
    id: String,
    rate: Cell<Option<Rate>>,
}

/// The state of a rate limit after a request was charged to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The most requests at once.
    pub limit: u32,
    /// The requests that are left now.
    pub remaining: u32,
    /// The seconds until the whole limit is available again.
    pub reset: u64,
}

/// Answers a request. Returns the answer, and the state of the rate limit that the request was charged to; of several,
/// the one with the fewest requests left.
pub async fn scope<F: Future>(id: String, answer: F) -> (F::Output, Option<Rate>) {
    let current = Current { id, rate: Cell::default() };
    let answer = async { (answer.await, CURRENT.with(|current| current.rate.get())) };
    CURRENT.scope(current, answer).await
}

/// The id of the current request; `None` outside of one, such as in the body of a stream.
pub fn id() -> Option<String> {
    CURRENT.try_with(|current| current.id.clone()).ok()
}

/// Notes that the current request was charged.
pub fn charged(rate: Rate) {
    // Messages of a WebSocket are charged outside of a request.
    let _ = CURRENT.try_with(|current| {
        if current.rate.get().is_none_or(|known| rate.remaining <= known.remaining) {
            current.rate.set(Some(rate));
        }
    });
}
