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
    (2, 4, 3, 650, [566, 720], 80),
];

pub const MAHABHARATA: &[Measured] = &[
    (2, 1, 0, 987, [959, 1_000], 236),
    (2, 2, 1, 821, [727, 891], 98),
    (2, 3, 2, 708, [624, 780], 120),
    (2, 3, 0, 1_000, [844, 1_000], 34),
    (2, 4, 3, 812, [543, 957], 16),
    (4, 1, 0, 696, [636, 725], 460),
    (4, 2, 1, 351, [278, 407], 184),
    (4, 3, 2, 233, [131, 343], 60),
    (4, 3, 0, 778, [452, 823], 44),
    (4, 4, 3, 312, [0, 583], 8),
];

pub const MAHOLA: &[Measured] = &[
    (3, 1, 0, 764, [613, 819], 72),
    (3, 2, 1, 957, [776, 993], 69),
    (3, 3, 2, 627, [492, 698], 75),
    (3, 3, 0, 1_000, [642, 1_000], 30),
    (3, 4, 3, 583, [380, 687], 36),
    (4, 1, 0, 625, [436, 689], 80),
    (4, 2, 1, 979, [601, 993], 48),
    (4, 3, 2, 479, [239, 605], 48),
    (4, 3, 0, 1_000, [62, 1_000], 8),
];

pub const MACARENA: &[Measured] = &[
    (2, 1, 0, 909, [675, 1_000], 22),
    (2, 2, 1, 700, [591, 790], 80),
    (2, 3, 2, 860, [729, 938], 50),
    (2, 3, 0, 1_000, [753, 1_000], 20),
    (2, 4, 3, 861, [599, 992], 18),
    (5, 1, 0, 845, [583, 849], 100),
    (5, 2, 1, 275, [141, 373], 80),
    (5, 3, 2, 264, [107, 383], 60),
    (5, 3, 0, 1_000, [33, 1_000], 10),
];

pub const MARA: &[Measured] = &[
    (2, 1, 0, 833, [523, 977], 12),
    (2, 2, 1, 840, [712, 918], 50),
    (2, 3, 2, 725, [569, 840], 40),
    (2, 3, 0, 1_000, [704, 1_000], 16),
    (2, 4, 3, 792, [588, 912], 24),
    (4, 1, 0, 906, [54, 906], 8),
    (4, 2, 1, 325, [140, 467], 40),
    (4, 3, 2, 400, [162, 552], 40),
    (4, 3, 0, 1_000, [0, 1_000], 4),
];
