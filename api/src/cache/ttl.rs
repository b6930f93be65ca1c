//! A cache with a time to live, for answers that may be two seconds old: the principal of a token, the name of a player.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::Counter;

/// The longest time to live. A change by another process takes effect here within this time, as the README promises.
const LONGEST: Duration = Duration::from_secs(2);

/// The shortest time to live. It is random between the two, so that entries made together do not expire together.
const SHORTEST: Duration = Duration::from_secs(1);

const MOST_ENTRIES: usize = 20_000;

pub struct TtlCache<Key, Value> {
    inner: Mutex<Inner<Key, Value>>,
    hits: Counter,
    misses: Counter,
}

struct Inner<Key, Value> {
    /// Values with their expiry.
    entries: HashMap<Key, (Value, Instant)>,
    /// The number of calls to `invalidate`.
    invalidations: u64,
}

/// A lookup in flight. Its answer is not cached if there was an invalidation since: it may be outdated.
pub struct Lookup {
    at: Instant,
    invalidations: u64,
}

impl<Key, Value> TtlCache<Key, Value> {
    /// `name` is what its metrics call it.
    pub fn named(name: &'static str) -> TtlCache<Key, Value> {
        let count = |result: &'static str| metrics::counter!("maidan_cache_total", "cache" => name, "result" => result);
        TtlCache {
            inner: Mutex::new(Inner { entries: HashMap::new(), invalidations: 0 }),
            hits: count("hit"),
            misses: count("miss"),
        }
    }
}

impl<Key: Eq + Hash, Value: Clone> TtlCache<Key, Value> {
    pub fn get<Asked>(&self, key: &Asked) -> Option<Value>
    where
        Key: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let inner = self.inner();
        let found = inner.entries.get(key).filter(|(_, expiry)| Instant::now() < *expiry);
        if found.is_some() { &self.hits } else { &self.misses }.increment(1);
        found.map(|(value, _)| value.clone())
    }

    /// Call this before querying the store.
    pub fn lookup(&self) -> Lookup {
        Lookup { at: Instant::now(), invalidations: self.inner().invalidations }
    }

    pub fn put(&self, lookup: &Lookup, key: Key, value: Value) {
        let mut inner = self.inner();
        if inner.invalidations != lookup.invalidations {
            return;
        }
        if inner.entries.len() >= MOST_ENTRIES {
            let now = Instant::now();
            inner.entries.retain(|_, (_, expiry)| now < *expiry);
        }
        if inner.entries.len() >= MOST_ENTRIES {
            inner.entries.clear();
        }
        let expiry = lookup.at + rand::random_range(SHORTEST..LONGEST);
        inner.entries.insert(key, (value, expiry));
    }

    /// Call this after changing the store. Drops the matching entries, and keeps lookups in flight from being cached.
    pub fn invalidate(&self, which: impl Fn(&Key, &Value) -> bool) {
        let mut inner = self.inner();
        inner.invalidations += 1;
        inner.entries.retain(|key, (value, _)| !which(key, value));
    }

    fn inner(&self) -> MutexGuard<'_, Inner<Key, Value>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_was_in_flight_during_an_invalidation_is_not_cached() {
        let names = TtlCache::named("test");
        names.put(&names.lookup(), 1, "Asha");
        assert_eq!(names.get(&1), Some("Asha"));
        let lookup = names.lookup();
        names.invalidate(|player, _| *player == 1);
        names.put(&lookup, 1, "Asha");
        assert_eq!(names.get(&1), None);
        names.put(&names.lookup(), 1, "Usha");
        assert_eq!(names.get(&1), Some("Usha"));
    }

    #[test]
    fn an_expired_answer_is_none() {
        let names = TtlCache::named("test");
        let lookup = Lookup { at: Instant::now() - LONGEST, ..names.lookup() };
        names.put(&lookup, 1, "Asha");
        assert_eq!(names.get(&1), None);
    }

    #[test]
    fn the_number_of_entries_is_bounded() {
        let names = TtlCache::named("test");
        for player in 0..3 * MOST_ENTRIES {
            names.put(&names.lookup(), player, "Asha");
        }
        assert!(names.inner().entries.len() <= MOST_ENTRIES);
    }
}
