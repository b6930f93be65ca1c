//! The order in which a jeep sweeps the reserve: round Mount Kilimanjaro, from the inside out.
//!
//! A seat without a notepad forgets what it has seen. It still finds every animal if the tiles that it cares for most
//! move along this order with time: then it comes back to a tile only after it has been everywhere else.

use super::board::{CELLS, CENTRE, COORDINATES, Cell, LODGES, NEIGHBOURS, PATHS, PLACES, Places, distance};
use super::tourists::TOURISTS;
use crate::small::small;

/// Whether a cell comes before another in the direction of the tour, which begins to the right of the centre.
const fn is_before(a: usize, b: usize) -> bool {
    let ((aq, ar), (bq, br)) = (COORDINATES[a], COORDINATES[b]);
    let (a_below, b_below) = (ar < 0 || (ar == 0 && aq < 0), br < 0 || (br == 0 && bq < 0));
    let turn = aq * br - bq * ar;
    if a_below != b_below {
        b_below
    } else if turn == 0 {
        distance(a, CENTRE) < distance(b, CENTRE)
    } else {
        turn > 0
    }
}

/// The place of each tile in the tour, 0 to 29.
pub fn of_tile(tile: usize) -> u8 {
    PASSED[Cell::of_tile(tile).number() as usize]
}

/// The tile that was passed last in each cell.
static PASSED: [u8; CELLS] = {
    let mut passed = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut before, mut tile) = (0, 0);
        while tile < TOURISTS {
            let other = Cell::of_tile(tile).number() as usize;
            before += (other == cell || is_before(other, cell)) as usize;
            tile += 1;
        }
        passed[cell] = small((before + TOURISTS - 1) % TOURISTS);
        cell += 1;
    }
    passed
};

/// How far ahead `to` is of `from`, 0 to 29.
pub fn ahead(from: u8, to: u8) -> u8 {
    (to + small(TOURISTS) - from) % small(TOURISTS)
}

/// The steps from each place to the nearest path beside each tile, on a board without tracks.
pub static TO_TILE: [[u8; PLACES]; TOURISTS] = {
    let mut steps = [[0; PLACES]; TOURISTS];
    let mut tile = 0;
    while tile < TOURISTS {
        steps[tile] = steps_to(Places::beside(Cell::of_tile(tile)));
        tile += 1;
    }
    steps
};

/// The steps from each place to each lodge, on a board without tracks.
pub static TO_LODGE: [[u8; PLACES]; LODGES] = {
    let mut steps = [[0; PLACES]; LODGES];
    let mut lodge = 0;
    while lodge < LODGES {
        steps[lodge] = steps_to(Places::of_bits(1 << (PATHS + lodge)));
        lodge += 1;
    }
    steps
};

const fn steps_to(goal: Places) -> [u8; PLACES] {
    let mut steps = [0; PLACES];
    let (mut reached, mut level, mut distance) = (goal, goal, 0);
    while !level.is_empty() {
        let mut next = Places::NONE;
        while !level.is_empty() {
            let place = level.bits().trailing_zeros() as usize;
            level = level.without(Places::of_bits(1 << place));
            steps[place] = distance;
            next = next.or(NEIGHBOURS[place]);
        }
        level = next.without(reached);
        reached = reached.or(next);
        distance += 1;
    }
    steps
}
