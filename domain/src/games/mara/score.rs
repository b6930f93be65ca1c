//! mara.13: the points for photos.

use serde::Serialize;

use super::tourists::{Animal, Tourists};

/// The points for a set, by its number of different animals.
pub const POINTS: [u32; Animal::ALL.len() + 1] = [0, 1, 3, 6, 10, 15, 21];

/// The score of a seat, as if the game were over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    pub points: u32,
    pub photos: u8,
    /// The photos split into sets of different animals, the largest first. None in the family variant, where every
    /// photo is a point.
    pub sets: Vec<Vec<Animal>>,
}

/// The points of photos, split in the best way.
pub fn points(photos: Tourists) -> u32 {
    let counts = counts(photos);
    (0..photos.len()).map(|layer| POINTS[counts.iter().filter(|count| **count > layer).count()]).sum()
}

/// The best split: as many different animals as there are into the first set, and again with the rest. A larger set
/// gains more from another animal than a smaller one, so no other split can be better.
pub fn sets(photos: Tourists) -> Vec<Vec<Animal>> {
    let counts = counts(photos);
    let set = |layer| Animal::ALL.into_iter().filter(move |animal| counts[*animal as usize] > layer).collect();
    (0..).map(set).take_while(|set: &Vec<Animal>| !set.is_empty()).collect()
}

/// How many photos there are of each animal.
fn counts(photos: Tourists) -> [u8; Animal::ALL.len()] {
    let mut counts = [0; Animal::ALL.len()];
    for tourist in photos.iter() {
        counts[tourist.animal as usize] += 1;
    }
    counts
}
