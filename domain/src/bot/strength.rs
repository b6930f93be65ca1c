//! The strength of the bots, as `bench/bots` measured it: the numbers of `bench/BOTS.md`, which a test there compares.

use super::Level;

/// The result of a level at a table against an opponent that sat in all other seats. A sole winner gets one point, k
/// winners share it, and a draw is shared by all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    pub seats: u8,
    /// `None` for moves chosen at random.
    pub against: Option<Level>,
    /// Points per game, in thousandths.
    pub points: u16,
    /// The 95 % interval of the points, in thousandths.
    pub from: u16,
    pub to: u16,
    pub games: u32,
}

/// A measurement as the tables below have it: seats, level, the level that it played against (0 for random moves),
/// points, the interval, games.
pub type Measured = (u8, u8, u8, u16, [u16; 2], u32);

/// The measurements of a level.
pub fn of(level: Level, measured: &[Measured]) -> Vec<Strength> {
    let own = measured.iter().filter(|(_, number, ..)| *number == level.number());
    let strength = |&(seats, _, against, points, [from, to], games): &Measured| Strength {
        seats,
        against: Level::new(against.into()),
        points,
        from,
        to,
        games,
    };
    own.map(strength).collect()
}

pub const KALAH: &[Measured] = &[
    (2, 1, 0, 998, [997, 999], 9_020),
    (2, 2, 1, 743, [732, 754], 4_322),
    (2, 3, 2, 703, [678, 727], 762),
    (2, 3, 0, 1_000, [988, 1_000], 506),
    (2, 4, 3, 700, [363, 923], 10),
];

pub const MAHABHARATA: &[Measured] = &[
    (2, 1, 0, 987, [959, 1_000], 236),
    (2, 2, 1, 821, [727, 891], 98),
    (2, 3, 2, 632, [494, 744], 38),
    (2, 3, 0, 1_000, [844, 1_000], 34),
    (2, 4, 3, 1_000, [13, 1_000], 2),
    (4, 1, 0, 696, [636, 725], 460),
    (4, 2, 1, 351, [278, 407], 184),
    (4, 3, 2, 233, [131, 343], 60),
    (4, 3, 0, 778, [452, 823], 44),
    (4, 4, 3, 312, [0, 583], 8),
];

pub const MAHOLA: &[Measured] = &[
    (3, 1, 0, 1_000, [795, 1_000], 60),
    (3, 2, 1, 333, [90, 577], 18),
    (3, 3, 2, 556, [121, 767], 9),
    (3, 3, 0, 1_000, [253, 1_000], 9),
    (3, 4, 3, 667, [0, 907], 3),
    (4, 1, 0, 1_000, [615, 1_000], 48),
    (4, 2, 1, 333, [0, 577], 12),
    (4, 3, 2, 250, [0, 630], 4),
    (4, 3, 0, 1_000, [62, 1_000], 8),
];

pub const MACARENA: &[Measured] = &[
    (2, 1, 0, 909, [675, 1_000], 22),
    (2, 2, 1, 600, [316, 827], 10),
    (2, 3, 2, 667, [233, 967], 6),
    (2, 3, 0, 1_000, [13, 1_000], 2),
    (2, 4, 3, 500, [0, 1_000], 2),
    (5, 1, 0, 845, [583, 849], 100),
    (5, 2, 1, 344, [144, 442], 45),
    (5, 3, 2, 273, [25, 449], 25),
    (5, 3, 0, 1_000, [33, 1_000], 10),
];

pub const MARA: &[Measured] = &[
    (2, 1, 0, 833, [523, 977], 12),
    (2, 2, 1, 688, [322, 928], 8),
    (2, 3, 2, 750, [156, 1_000], 4),
    (2, 3, 0, 1_000, [13, 1_000], 2),
    (2, 4, 3, 750, [156, 1_000], 4),
    (4, 1, 0, 906, [54, 906], 8),
    (4, 2, 1, 333, [15, 557], 12),
    (4, 3, 2, 500, [7, 660], 8),
    (4, 3, 0, 1_000, [0, 1_000], 4),
    (4, 4, 3, 312, [0, 596], 8),
];
