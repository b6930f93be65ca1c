//! Reads that several subscribers of a topic share: one notification wakes all of them, and one of them reads for all.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::time::Instant;

/// The shared reads of each key, as long as somebody uses them.
pub struct SharedReads<Key, Value>(Mutex<HashMap<Key, Weak<SharedRead<Value>>>>);

/// The last read, with the time at which it began. The lock is held while somebody reads.
pub struct SharedRead<Value>(tokio::sync::Mutex<Option<(Instant, Value)>>);

impl<Key, Value> Default for SharedReads<Key, Value> {
    fn default() -> SharedReads<Key, Value> {
        SharedReads(Mutex::default())
    }
}

impl<Key: Eq + Hash, Value: Clone> SharedReads<Key, Value> {
    pub fn of(&self, key: Key) -> Arc<SharedRead<Value>> {
        let mut reads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = reads.get(&key).and_then(Weak::upgrade) {
            return read;
        }
        reads.retain(|_, read| read.strong_count() > 0);
        let read = Arc::new(SharedRead(tokio::sync::Mutex::default()));
        reads.insert(key, Arc::downgrade(&read));
        read
    }
}

impl<Value: Clone> SharedRead<Value> {
    /// The value as of this time or later. Reads it unless another subscriber has begun to since then.
    pub async fn as_of<E>(&self, time: Instant, read: impl Future<Output = Result<Value, E>>) -> Result<Value, E> {
        let mut last = self.0.lock().await;
        if let Some((began, value)) = &*last
            && *began >= time
        {
            return Ok(value.clone());
        }
        let began = Instant::now();
        let value = read.await?;
        *last = Some((began, value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn one_subscriber_reads_for_all_that_were_woken_and_for_nobody_who_needs_more() {
        let (reads, count) = (SharedReads::default(), AtomicUsize::new(0));
        let read = async || {
            tokio::task::yield_now().await;
            Ok::<_, ()>(count.fetch_add(1, Ordering::Relaxed))
        };
        let woken = Instant::now();
        let shared = reads.of("Asha");
        let values = join_all((0..50).map(|_| shared.as_of(woken, read()))).await;
        assert!(values.iter().all(|value| *value == Ok(0)), "{values:?}");
        assert_eq!(reads.of("Asha").as_of(woken, read()).await, Ok(0));
        assert_eq!(shared.as_of(Instant::now(), read()).await, Ok(1), "that read began before");
        assert_eq!(reads.of("Ben").as_of(woken, read()).await, Ok(2), "another key");
        let failed = reads.of("Asha").as_of(Instant::now(), async { Err(()) }).await;
        assert_eq!((failed, shared.as_of(woken, read()).await), (Err(()), Ok(1)), "a failure replaces nothing");
        drop(shared);
        assert_eq!(reads.of("Asha").as_of(woken, read()).await, Ok(3), "nobody used it any more");
    }
}
