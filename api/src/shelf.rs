//! Things kept at hand, so that they need not be made again: games, GraphQL's texts and answers.
//!
//! A shelf forgets, and it knows nothing of the world. Whoever takes something from it finds out whether it still
//! holds.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What may stand on a shelf. It is given out by cloning, so that should cost little.
pub trait Keepable: Clone {
    /// Roughly how many bytes it takes.
    fn size(&self) -> usize;
}

pub struct Shelf<Name, Thing> {
    rows: Mutex<Rows<Name, Thing>>,
    most_things: usize,
    most_bytes: usize,
}

/// When the front row is full, it becomes the back row, and what stood there is forgotten. What is asked for comes to
/// the front again.
struct Rows<Name, Thing> {
    front: HashMap<Name, Thing>,
    back: HashMap<Name, Thing>,
    bytes_in_front: usize,
}

impl<Name: Eq + Hash, Thing: Keepable> Shelf<Name, Thing> {
    pub fn new(most_things: usize, most_bytes: usize) -> Shelf<Name, Thing> {
        let rows = Rows { front: HashMap::new(), back: HashMap::new(), bytes_in_front: 0 };
        Shelf { rows: Mutex::new(rows), most_things, most_bytes }
    }

    pub fn get<Asked>(&self, name: &Asked) -> Option<Thing>
    where
        Name: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let mut rows = self.rows();
        if let Some(thing) = rows.front.get(name) {
            return Some(thing.clone());
        }
        let (name, thing) = rows.back.remove_entry(name)?;
        self.put_in(&mut rows, name, thing.clone());
        Some(thing)
    }

    pub fn put(&self, name: Name, thing: Thing) {
        self.put_in(&mut self.rows(), name, thing);
    }

    pub fn remove<Asked>(&self, name: &Asked)
    where
        Name: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let mut rows = self.rows();
        rows.take_from_front(name);
        rows.back.remove(name);
    }

    fn put_in(&self, rows: &mut Rows<Name, Thing>, name: Name, thing: Thing) {
        let size = thing.size();
        rows.take_from_front(&name);
        if rows.front.len() >= self.most_things / 2 || rows.bytes_in_front + size > self.most_bytes / 2 {
            rows.back = std::mem::take(&mut rows.front);
            rows.bytes_in_front = 0;
        }
        // What would fill more than a row is not worth it.
        if size <= self.most_bytes / 2 {
            rows.bytes_in_front += size;
            rows.front.insert(name, thing);
        }
    }

    fn rows(&self) -> MutexGuard<'_, Rows<Name, Thing>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Name: Eq + Hash, Thing: Keepable> Rows<Name, Thing> {
    fn take_from_front<Asked>(&mut self, name: &Asked)
    where
        Name: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        if let Some(before) = self.front.remove(name) {
            self.bytes_in_front -= before.size();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thing of so many bytes.
    #[derive(Clone, Debug, PartialEq)]
    struct Box(usize);

    impl Keepable for Box {
        fn size(&self) -> usize {
            self.0
        }
    }

    fn count(shelf: &Shelf<usize, Box>) -> usize {
        let rows = shelf.rows();
        assert_eq!(rows.bytes_in_front, rows.front.values().map(Box::size).sum::<usize>());
        rows.front.len() + rows.back.len()
    }

    #[test]
    fn a_shelf_holds_a_number_of_things_and_keeps_those_that_are_asked_for() {
        let shelf = Shelf::new(100, 1_000_000);
        shelf.put(0, Box(1));
        for name in 1..200 {
            shelf.put(name, Box(1));
            assert_eq!(shelf.get(&0), Some(Box(1)));
            assert!(count(&shelf) <= 100);
        }
        assert_eq!(shelf.get(&1), None);
    }

    #[test]
    fn a_shelf_holds_a_number_of_bytes() {
        let shelf = Shelf::new(1000, 100);
        for name in 0..200 {
            shelf.put(name, Box(10));
            assert!(count(&shelf) <= 10);
        }
        shelf.put(300, Box(51));
        assert_eq!(shelf.get(&300), None);
        assert!(count(&shelf) <= 10);
    }

    #[test]
    fn the_latest_counts_and_what_is_removed_is_not_seen_again() {
        let shelf = Shelf::new(10, 1000);
        shelf.put(1, Box(5));
        shelf.put(1, Box(7));
        assert_eq!(shelf.get(&1), Some(Box(7)));
        shelf.remove(&1);
        assert_eq!(shelf.get(&1), None);
        assert_eq!(count(&shelf), 0);
    }
}
