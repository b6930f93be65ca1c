//! The seven wells.
#![expect(clippy::cast_possible_truncation, reason = "there are seven wells, each a bit of a byte")]

use serde::{Deserialize, Serialize};

use super::cards::{Card, Cards};

pub const WELLS: usize = 7;

/// A pile with a face-up card on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Well {
    /// Public.
    pub top: Card,
    /// Public when it was covered; only its size is shown later.
    pub under: Cards,
}

/// A set of wells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wells(u8);

impl Wells {
    pub const NONE: Wells = Wells(0);

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, well: u8) -> bool {
        (well as usize) < WELLS && self.0 & (1 << well) != 0
    }

    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }
}

impl FromIterator<u8> for Wells {
    fn from_iter<I: IntoIterator<Item = u8>>(wells: I) -> Wells {
        Wells(wells.into_iter().filter(|well| (*well as usize) < WELLS).fold(0, |set, well| set | 1 << well))
    }
}

/// Lowest number first.
impl Iterator for Wells {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        let well = (self.0 != 0).then(|| self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(well)
    }
}
