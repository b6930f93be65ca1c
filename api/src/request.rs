//! The request that the current task answers: its id, the rate limit that it was charged to, and whether it was
//! admitted.
//!
//! Use cases charge rate limits and know no HTTP; errors become responses without access to the request. Both reach the
//! request through the task.

use std::cell::{Cell, RefCell};

tokio::task_local! {
    static CURRENT: Current;
}

struct Current {
    id: String,
    noted: RefCell<Noted>,
    is_admitted: Cell<bool>,
}

/// Facts that were noted while a request was answered, for its headers, log line and metrics.
#[derive(Default)]
pub struct Noted {
    /// The state of the rate limit that the request was charged to; of several, the one with the fewest requests left.
    pub rate: Option<Rate>,
    /// The id of the caller; `None` for an anonymous one.
    pub caller: Option<String>,
    /// The code with which the request was refused.
    pub code: Option<String>,
    /// The operation of GraphQL.
    pub operation: Option<String>,
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

/// Answers a request. Returns the answer, and the facts that were noted meanwhile.
pub async fn scope<F: Future>(id: String, answer: F) -> (F::Output, Noted) {
    let current = Current { id, noted: RefCell::default(), is_admitted: Cell::new(false) };
    let answer = async { (answer.await, CURRENT.with(|current| current.noted.take())) };
    CURRENT.scope(current, answer).await
}

/// The id of the current request; `None` outside of one, such as in the body of a stream.
pub fn id() -> Option<String> {
    CURRENT.try_with(|current| current.id.clone()).ok()
}

/// Asks whether the server can take the current request, until it has been admitted once. Work outside of a request is
/// always admitted: it has been begun by one.
pub fn admit<E>(check: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    if CURRENT.try_with(|current| current.is_admitted.get()).unwrap_or(true) {
        return Ok(());
    }
    check()?;
    CURRENT.with(|current| current.is_admitted.set(true));
    Ok(())
}

/// Admits the current request, however busy the server is.
pub fn admit_always() {
    let _ = CURRENT.try_with(|current| current.is_admitted.set(true));
}

/// Notes that the current request was charged.
pub fn charged(rate: Rate) {
    note(|noted| {
        if noted.rate.is_none_or(|known| rate.remaining <= known.remaining) {
            noted.rate = Some(rate);
        }
    });
}

/// Notes who sends the current request.
pub fn identified(caller: String) {
    note(|noted| noted.caller = Some(caller));
}

/// Notes that the current request is refused. The first code counts.
pub fn refused(code: impl Into<String>) {
    note(|noted| {
        noted.code.get_or_insert_with(|| code.into());
    });
}

/// Notes the operation of GraphQL that the current request executes. It must be one of a fixed list.
pub fn executes(operation: String) {
    note(|noted| noted.operation = Some(operation));
}

fn note(change: impl FnOnce(&mut Noted)) {
    // Messages of a WebSocket are answered outside of a request.
    let _ = CURRENT.try_with(|current| change(&mut current.noted.borrow_mut()));
}
