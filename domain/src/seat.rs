//! Seats and viewers.
#![expect(clippy::cast_possible_truncation, reason = "a table has at most eight seats, each a bit of a byte")]

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A place at the table, numbered 0, 1, 2 … clockwise: the next seat sits to the *left* of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The largest number of seats of any kind.
    pub const MOST: u8 = 8;

    pub const fn new(number: u8) -> Seat {
        assert!(number < Seat::MOST, "no kind has so many seats");
        Seat(number)
    }

    /// The seat of this number, if a table could have it.
    pub fn numbered(number: i64) -> Option<Seat> {
        u8::try_from(number).ok().filter(|n| *n < Seat::MOST).map(Seat)
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbour on the left: the next seat clockwise.
    pub const fn left(self, seats: u8) -> Seat {
        Seat((self.0 + 1) % seats)
    }

    /// The neighbour on the right: the seat before this one.
    pub const fn right(self, seats: u8) -> Seat {
        Seat((self.0 + seats - 1) % seats)
    }

    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..seats).map(Seat)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;
    fn try_from(number: u8) -> Result<Seat, String> {
        Seat::numbered(number.into()).ok_or_else(|| format!("no table has a seat {number}"))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A set of seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Seat>", from = "Vec<Seat>")]
pub struct Seats(u8);

impl Seats {
    pub const NONE: Seats = Seats(0);

    pub const fn all(seats: u8) -> Seats {
        Seats(((1u16 << seats) - 1) as u8)
    }

    pub const fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    pub const fn and(self, other: Seats) -> Seats {
        Seats(self.0 & other.0)
    }

    pub const fn without(self, other: Seats) -> Seats {
        Seats(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The lowest seat of the set.
    pub fn first(self) -> Option<Seat> {
        (self.0 != 0).then(|| Seat(self.0.trailing_zeros() as u8))
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::all(Seat::MOST).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        let mut set = Seats::NONE;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl From<Seats> for Vec<Seat> {
    fn from(seats: Seats) -> Vec<Seat> {
        seats.iter().collect()
    }
}

impl From<Vec<Seat>> for Seats {
    fn from(seats: Vec<Seat>) -> Seats {
        seats.into_iter().collect()
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::number)).finish()
    }
}

/// One value for each seat of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BySeat<T>(Vec<T>);

impl<T> BySeat<T> {
    pub fn each(seats: u8, value: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat(Seat::all(seats).map(value).collect())
    }

    pub fn seats(&self) -> u8 {
        self.0.len() as u8
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.iter()
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.0.iter_mut()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + Clone {
        Seat::all(self.seats()).zip(self.0.iter())
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Seat, &mut T)> {
        Seat::all(self.seats()).zip(self.0.iter_mut())
    }

    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    pub fn map<U>(&self, value: impl FnMut(&T) -> U) -> BySeat<U> {
        BySeat(self.0.iter().map(value).collect())
    }

    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> From<Vec<T>> for BySeat<T> {
    fn from(values: Vec<T>) -> BySeat<T> {
        BySeat(values)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// Proof that a game is over, needed to see all of it. Only [`crate::Game::over`] returns one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over(pub(crate) ());

/// A viewer of a game. There is no default viewer: every request for a view names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The player of a seat.
    Seat(Seat),
    /// A person who watches and has no seat.
    Spectator,
    /// Everybody, once the game as it is stored is over: all hands are open.
    Open(Over),
}

impl Viewer {
    /// Whether this viewer may know what the player of `seat` knows.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Viewer::Seat(own) => own == seat,
            Viewer::Spectator => false,
            Viewer::Open(_) => true,
        }
    }

    pub fn is_open(self) -> bool {
        matches!(self, Viewer::Open(_))
    }
}
