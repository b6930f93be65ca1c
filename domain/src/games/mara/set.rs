//! A small set of numbered things: places of the board, tourists.
#![expect(clippy::cast_possible_truncation, reason = "a set has at most 128 things")]

use std::fmt;
use std::marker::PhantomData;

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A thing with a number below 128. The trait is private, so that numbers from outside are always checked first.
pub trait Numbered: Copy {
    fn number(self) -> u8;
    /// The thing of a number that some thing has given.
    fn of(number: u8) -> Self;
}

/// A set, in the order of the numbers.
pub struct Set<T>(u128, PhantomData<T>);

impl<T> Set<T> {
    pub const NONE: Set<T> = Set::of_bits(0);

    pub(super) const fn of_bits(bits: u128) -> Set<T> {
        Set(bits, PhantomData)
    }

    pub(super) const fn bits(self) -> u128 {
        self.0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    pub const fn or(self, other: Set<T>) -> Set<T> {
        Set::of_bits(self.0 | other.0)
    }

    pub const fn and(self, other: Set<T>) -> Set<T> {
        Set::of_bits(self.0 & other.0)
    }

    pub const fn without(self, other: Set<T>) -> Set<T> {
        Set::of_bits(self.0 & !other.0)
    }
}

impl<T: Numbered> Set<T> {
    pub fn one(thing: T) -> Set<T> {
        Set::of_bits(1 << thing.number())
    }

    pub fn contains(self, thing: T) -> bool {
        self.0 & (1 << thing.number()) != 0
    }

    pub fn insert(&mut self, thing: T) {
        self.0 |= 1 << thing.number();
    }

    pub fn remove(&mut self, thing: T) {
        self.0 &= !(1 << thing.number());
    }

    pub fn first(self) -> Option<T> {
        (self.0 != 0).then(|| T::of(self.0.trailing_zeros() as u8))
    }

    /// Takes the first thing out.
    pub fn take_first(&mut self) -> Option<T> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// The thing at index `n`.
    pub fn nth(self, n: u32) -> Option<T> {
        self.iter().nth(n as usize)
    }

    /// Those with a higher number than this one.
    pub fn after(self, thing: T) -> Set<T> {
        Set::of_bits(self.0 & (u128::MAX << thing.number() << 1))
    }

    pub fn iter(self) -> impl Iterator<Item = T> + Clone {
        let mut rest = self;
        std::iter::from_fn(move || rest.take_first())
    }

    /// Every part of the set with at most three things, and at most `most`: first none, then by the lowest.
    pub fn parts(self, most: u8) -> impl Iterator<Item = Set<T>> {
        let if_room = move |taken: u8, set: Set<T>| if taken < most { set } else { Set::NONE };
        let ones = if_room(0, self).iter();
        std::iter::once(Set::NONE).chain(ones.flat_map(move |a| {
            let one = Set::one(a);
            let twos = if_room(1, self.after(a)).iter();
            std::iter::once(one).chain(twos.flat_map(move |b| {
                let two = one.or(Set::one(b));
                let threes = if_room(2, self.after(b)).iter();
                std::iter::once(two).chain(threes.map(move |c| two.or(Set::one(c))))
            }))
        }))
    }
}

impl<T> Clone for Set<T> {
    fn clone(&self) -> Set<T> {
        *self
    }
}

impl<T> Copy for Set<T> {}

impl<T> Default for Set<T> {
    fn default() -> Set<T> {
        Set::NONE
    }
}

impl<T> PartialEq for Set<T> {
    fn eq(&self, other: &Set<T>) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Set<T> {}

impl<T: Numbered + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Numbered> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Set<T> {
        let mut set = Set::NONE;
        things.into_iter().for_each(|thing| set.insert(thing));
        set
    }
}

impl<T: Numbered + Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len().into()))?;
        self.iter().try_for_each(|thing| list.serialize_element(&thing))?;
        list.end()
    }
}

impl<'de, T: Numbered + Deserialize<'de>> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Set<T>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
