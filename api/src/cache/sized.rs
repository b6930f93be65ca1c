//! A cache bounded in entries and bytes. It never invalidates: callers must check whether a value is still current.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A value that can be cached. `get` clones it, so cloning should be cheap.
pub trait Cacheable: Clone {
    /// Its approximate size in bytes.
    fn size(&self) -> usize;
}

pub struct SizedCache<Key, Value> {
    generations: Mutex<Generations<Key, Value>>,
    most_entries: usize,
    most_bytes: usize,
}

/// When the young generation is full, it replaces the old one. A hit in the old generation moves the value to the young
/// one.
struct Generations<Key, Value> {
    young: HashMap<Key, Value>,
    old: HashMap<Key, Value>,
    young_bytes: usize,
}

impl<Key: Eq + Hash, Value: Cacheable> SizedCache<Key, Value> {
    pub fn new(most_entries: usize, most_bytes: usize) -> SizedCache<Key, Value> {
        let generations = Generations { young: HashMap::new(), old: HashMap::new(), young_bytes: 0 };
        SizedCache { generations: Mutex::new(generations), most_entries, most_bytes }
    }

    pub fn get<Asked>(&self, key: &Asked) -> Option<Value>
    where
        Key: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let mut generations = self.generations();
        if let Some(value) = generations.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = generations.old.remove_entry(key)?;
        self.put_in(&mut generations, key, value.clone());
        Some(value)
    }

    pub fn put(&self, key: Key, value: Value) {
        self.put_in(&mut self.generations(), key, value);
    }

    pub fn remove<Asked>(&self, key: &Asked)
    where
        Key: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let mut generations = self.generations();
        generations.remove_young(key);
        generations.old.remove(key);
    }

    pub fn clear(&self) {
        let mut generations = self.generations();
        *generations = Generations { young: HashMap::new(), old: HashMap::new(), young_bytes: 0 };
    }

    fn put_in(&self, generations: &mut Generations<Key, Value>, key: Key, value: Value) {
        let size = value.size();
        generations.remove_young(&key);
        if generations.young.len() >= self.most_entries / 2 || generations.young_bytes + size > self.most_bytes / 2 {
            generations.old = std::mem::take(&mut generations.young);
            generations.young_bytes = 0;
        }
        // A value larger than a whole generation is not cached.
        if size <= self.most_bytes / 2 {
            generations.young_bytes += size;
            generations.young.insert(key, value);
        }
    }

    fn generations(&self) -> MutexGuard<'_, Generations<Key, Value>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Key: Eq + Hash, Value: Cacheable> Generations<Key, Value> {
    fn remove_young<Asked>(&mut self, key: &Asked)
    where
        Key: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        if let Some(before) = self.young.remove(key) {
            self.young_bytes -= before.size();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with this size in bytes.
    #[derive(Clone, Debug, PartialEq)]
    struct Box(usize);

    impl Cacheable for Box {
        fn size(&self) -> usize {
            self.0
        }
    }

    fn count(cache: &SizedCache<usize, Box>) -> usize {
        let generations = cache.generations();
        assert_eq!(generations.young_bytes, generations.young.values().map(Box::size).sum::<usize>());
        generations.young.len() + generations.old.len()
    }

    #[test]
    fn a_cache_holds_a_number_of_entries_and_keeps_those_in_use() {
        let cache = SizedCache::new(100, 1_000_000);
        cache.put(0, Box(1));
        for key in 1..200 {
            cache.put(key, Box(1));
            assert_eq!(cache.get(&0), Some(Box(1)));
            assert!(count(&cache) <= 100);
        }
        assert_eq!(cache.get(&1), None);
    }

    #[test]
    fn a_cache_holds_a_number_of_bytes() {
        let cache = SizedCache::new(1000, 100);
        for key in 0..200 {
            cache.put(key, Box(10));
            assert!(count(&cache) <= 10);
        }
        cache.put(300, Box(51));
        assert_eq!(cache.get(&300), None);
        assert!(count(&cache) <= 10);
    }

    #[test]
    fn the_latest_value_counts_and_a_removed_one_is_gone() {
        let cache = SizedCache::new(10, 1000);
        cache.put(1, Box(5));
        cache.put(1, Box(7));
        assert_eq!(cache.get(&1), Some(Box(7)));
        cache.remove(&1);
        assert_eq!(cache.get(&1), None);
        assert_eq!(count(&cache), 0);
    }
}
