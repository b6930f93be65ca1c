//! The reserve: a hexagon of 37 cells with side 4, and the 78 places where a jeep can stand.
//!
//! The centre is Mount Kilimanjaro, the six corners are the lodges, the other 30 cells are the tiles. A path is
//! the edge between two neighbouring tiles, Kilimanjaro counting as one. Two paths are next to each other when
//! they meet in a corner point; a lodge is next to the paths whose two tiles both touch it.
//!
//! Numbers: cells by (q, r); paths 0 to 71 by their two cells, the smaller first; lodges 72 to 77 by cell.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::set::{Numbered, Set};
use super::tourists::TOURISTS;
use crate::small::small;
use crate::{Board, Unreadable};

pub const CELLS: usize = 37;
const RADIUS: i8 = 3;
pub const PATHS: usize = 72;
pub const LODGES: usize = 6;
pub const PLACES: usize = PATHS + LODGES;

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Cell(u8);

/// A place where a jeep can stand: a path or a lodge. Notation: `p17`, `l72`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Place(u8);

pub type Places = Set<Place>;

/// The six lodges.
pub const ALL_LODGES: Places = Set::of_bits(((1 << LODGES) - 1) << PATHS);

/// Axial coordinates of each cell.
pub const COORDINATES: [(i8, i8); CELLS] = {
    let mut cells = [(0, 0); CELLS];
    let (mut q, mut n) = (-RADIUS, 0);
    while q <= RADIUS {
        let mut r = -RADIUS;
        while r <= RADIUS {
            if (q + r).abs() <= RADIUS {
                cells[n] = (q, r);
                n += 1;
            }
            r += 1;
        }
        q += 1;
    }
    cells
};

pub const fn distance(a: usize, b: usize) -> i8 {
    let (q, r) = (COORDINATES[a].0 - COORDINATES[b].0, COORDINATES[a].1 - COORDINATES[b].1);
    (q.abs() + r.abs() + (q + r).abs()) / 2
}

const fn touch(a: usize, b: usize) -> bool {
    distance(a, b) == 1
}

pub const CENTRE: usize = CELLS / 2;

const fn is_corner(cell: usize) -> bool {
    let (q, r) = COORDINATES[cell];
    q.abs() + r.abs() + (q + r).abs() == 2 * RADIUS && (q == 0 || r == 0 || q + r == 0)
}

/// The cell of each lodge.
const LODGE_CELLS: [usize; LODGES] = {
    let mut lodges = [0; LODGES];
    let (mut cell, mut n) = (0, 0);
    while cell < CELLS {
        if is_corner(cell) {
            lodges[n] = cell;
            n += 1;
        }
        cell += 1;
    }
    lodges
};

/// The cell of each tile.
const TILE_CELLS: [u8; TOURISTS] = {
    let mut tiles = [0; TOURISTS];
    let (mut cell, mut n) = (0, 0);
    while cell < CELLS {
        if cell != CENTRE && !is_corner(cell) {
            tiles[n] = small(cell);
            n += 1;
        }
        cell += 1;
    }
    tiles
};

/// Which tile lies on each cell, counting tiles in the order of their cells.
const TILES: [Option<u8>; CELLS] = {
    let mut tiles = [None; CELLS];
    let mut n = 0;
    while n < TOURISTS {
        tiles[TILE_CELLS[n] as usize] = Some(small(n));
        n += 1;
    }
    tiles
};

/// The two cells of each path.
const PATH_CELLS: [[usize; 2]; PATHS] = {
    let mut paths = [[0; 2]; PATHS];
    let (mut a, mut n) = (0, 0);
    while a < CELLS {
        let mut b = a + 1;
        while b < CELLS {
            if touch(a, b) && !is_corner(a) && !is_corner(b) {
                paths[n] = [a, b];
                n += 1;
            }
            b += 1;
        }
        a += 1;
    }
    paths
};

/// Whether two paths meet in a corner point: they share a cell, and their other cells touch.
const fn paths_meet(one: [usize; 2], two: [usize; 2]) -> bool {
    let ([a, b], [c, d]) = (one, two);
    (a == c && b != d && touch(b, d))
        || (a == d && b != c && touch(b, c))
        || (b == c && a != d && touch(a, d))
        || (b == d && a != c && touch(a, c))
}

/// The places next to each place.
pub static NEIGHBOURS: [Places; PLACES] = {
    let mut bits = [0u128; PLACES];
    let mut path = 0;
    while path < PATHS {
        let cells = PATH_CELLS[path];
        let mut other = 0;
        while other < PATHS {
            if paths_meet(cells, PATH_CELLS[other]) {
                bits[path] |= 1 << other;
            }
            other += 1;
        }
        let mut lodge = 0;
        while lodge < LODGES {
            if touch(cells[0], LODGE_CELLS[lodge]) && touch(cells[1], LODGE_CELLS[lodge]) {
                bits[path] |= 1 << (PATHS + lodge);
                bits[PATHS + lodge] |= 1 << path;
            }
            lodge += 1;
        }
        path += 1;
    }
    let mut neighbours = [Set::NONE; PLACES];
    let mut place = 0;
    while place < PLACES {
        neighbours[place] = Set::of_bits(bits[place]);
        place += 1;
    }
    neighbours
};

impl Cell {
    /// The cell of this number, if the board has it.
    pub fn numbered(number: i64) -> Option<Cell> {
        u8::try_from(number).ok().filter(|n| usize::from(*n) < CELLS).map(Cell)
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    /// The cell of a tile, counting tiles in the order of their cells.
    pub(super) const fn of_tile(index: usize) -> Cell {
        Cell(TILE_CELLS[index])
    }

    /// The tile that lies there, counting tiles in the order of their cells. None for lodges and Kilimanjaro.
    pub(super) fn tile(self) -> Option<usize> {
        TILES[usize::from(self.0)].map(usize::from)
    }
}

impl Place {
    /// The place of this number, if the board has it.
    pub fn numbered(number: i64) -> Option<Place> {
        u8::try_from(number).ok().filter(|n| usize::from(*n) < PLACES).map(Place)
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    /// The index of the lodge, 0 to 5.
    pub(super) fn lodge(self) -> Option<usize> {
        usize::from(self.0).checked_sub(PATHS)
    }

    pub fn is_lodge(self) -> bool {
        self.lodge().is_some()
    }

    /// The places one step away.
    pub fn neighbours(self) -> Places {
        NEIGHBOURS[usize::from(self.0)]
    }

    /// The cells it touches: a path's two, a lodge's own.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let (cells, n) = match self.lodge() {
            None => (PATH_CELLS[usize::from(self.0)], 2),
            Some(lodge) => ([LODGE_CELLS[lodge]; 2], 1),
        };
        cells.into_iter().take(n).map(|cell| Cell(small(cell)))
    }

    /// The tiles on both sides of a path.
    pub(super) fn tiles(self) -> impl Iterator<Item = usize> {
        self.cells().filter_map(Cell::tile)
    }
}

impl Places {
    /// The paths beside a tile.
    pub(super) const fn beside(tile: Cell) -> Places {
        let (mut bits, mut path) = (0, 0);
        while path < PATHS {
            let [a, b] = PATH_CELLS[path];
            if a == tile.0 as usize || b == tile.0 as usize {
                bits |= 1 << path;
            }
            path += 1;
        }
        Places::of_bits(bits)
    }

    /// All places that can be reached from these over places that may be skipped.
    pub(super) fn flood(self, skippable: Places) -> Places {
        let mut reached = self;
        let mut ahead = self.and(skippable);
        while let Some(place) = ahead.take_first() {
            let new = place.neighbours().without(reached);
            reached = reached.or(new);
            ahead = ahead.or(new.and(skippable));
        }
        reached
    }
}

/// The whole geometry, so that a client can draw and route.
pub fn about() -> Board {
    let role = |cell: usize| match cell {
        CENTRE => "KILIMANJARO",
        cell if is_corner(cell) => "LODGE",
        _ => "TILE",
    };
    let cells = COORDINATES.iter().enumerate().map(|(number, (q, r))| crate::Cell {
        number: small(number).into(),
        q: (*q).into(),
        r: (*r).into(),
        role: role(number),
    });
    let places = (0..small(PLACES)).map(Place).map(|place| crate::Place {
        number: place.0.into(),
        role: if place.is_lodge() { "LODGE" } else { "PATH" },
        cells: place.cells().map(|cell| cell.0.into()).collect(),
        neighbours: place.neighbours().iter().map(|next| next.0.into()).collect(),
    });
    Board { reconstructed: true, cells: cells.collect(), places: places.collect() }
}

impl Numbered for Place {
    fn number(self) -> u8 {
        self.0
    }

    fn of(number: u8) -> Place {
        Place(number)
    }
}

impl From<Place> for u8 {
    fn from(place: Place) -> u8 {
        place.0
    }
}

impl TryFrom<u8> for Place {
    type Error = &'static str;
    fn try_from(number: u8) -> Result<Place, &'static str> {
        Place::numbered(number.into()).ok_or("the places are 0 to 77")
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> u8 {
        cell.0
    }
}

impl TryFrom<u8> for Cell {
    type Error = &'static str;
    fn try_from(number: u8) -> Result<Cell, &'static str> {
        Cell::numbered(number.into()).ok_or("the cells are 0 to 36")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_lodge() { 'l' } else { 'p' }, self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A number without signs or leading zeros, so that each has one notation.
fn number(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain)
}

impl FromStr for Place {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Place, Unreadable> {
        let of_role = |digits: &str, is_lodge| {
            number(digits).and_then(Place::numbered).filter(|place| place.is_lodge() == is_lodge)
        };
        let read = match (text.strip_prefix('p'), text.strip_prefix('l')) {
            (Some(digits), _) => of_role(digits, false),
            (_, Some(digits)) => of_role(digits, true),
            _ => None,
        };
        read.ok_or_else(|| Unreadable::expected("a path, p0 to p71, or a lodge, l72 to l77", text))
    }
}

impl FromStr for Cell {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Cell, Unreadable> {
        let read = number(text).and_then(Cell::numbered);
        read.ok_or_else(|| Unreadable::expected("the number of a cell, 0 to 36", text))
    }
}
