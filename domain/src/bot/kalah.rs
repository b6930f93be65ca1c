//! The bots of Kalah: alpha-beta with a transposition table and deepening iterations.
//!
//! Nothing is hidden and nothing is drawn in Kalah, so the one imagined world is the game itself. The value of a
//! position is the difference that the two stores still gain from here, from the mover's side. It does not depend on the
//! seeds that are in the stores already, so positions that differ only in these share an entry of the table.

use crate::games::kalah::{Kalah, Move};
use crate::small::small;
use crate::{Chance, Imagination, Nobody, Rules};

/// One seed in the unit of values.
pub const SEED: i32 = 8;
/// More than any game can gain.
const BOUND: i32 = 10_000;
/// Deeper than any game lasts within a budget.
const DEEPEST: u8 = 250;
/// The depth of a value that does not depend on an estimate.
const EXACT: u8 = u8::MAX;
/// The most entries of the transposition table: 16 MB.
const MOST_KNOWN: usize = 1 << 20;

/// How a level departs from the best moves found, of which it takes any: with a probability of `lapses` in 100 it takes
/// one that is at most `slack` worse.
#[derive(Clone, Copy)]
pub struct Temper {
    pub lapses: u32,
    pub slack: i32,
}

/// The move found by visiting at most this many positions.
pub fn decide(imagination: &Imagination<Kalah>, nodes: u32, temper: Temper, chance: &mut Chance) -> Move {
    let position = imagination.imagine(chance);
    let mut moves: Vec<Scored> = ordered(&position, None).map(|mv| Scored { mv, value: 0 }).collect();
    if moves.len() > 1 {
        Lookahead::new(nodes).deepen(&position, &mut moves, temper.slack);
    }
    let best = moves.iter().map(|scored| scored.value).max().unwrap_or(0);
    let slack = if chance.happens(temper.lapses, 100) { temper.slack } else { 0 };
    moves.retain(|scored| scored.value + slack >= best);
    chance.pick(&moves).mv
}

/// A move with its value for the mover.
struct Scored {
    mv: Move,
    value: i32,
}

/// A value, and whether it rests on no estimate.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    exact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Free,
    AtLeast,
    AtMost,
    Exactly,
}

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    value: i16,
    /// [`EXACT`], or how deep the search went.
    depth: u8,
    limit: Limit,
    pocket: u8,
}

struct Lookahead {
    table: Vec<Known>,
    nodes_left: u32,
}

impl Lookahead {
    fn new(nodes: u32) -> Lookahead {
        let free = Known { key: 0, value: 0, depth: 0, limit: Limit::Free, pocket: 0 };
        let entries = (nodes as usize).next_power_of_two().min(MOST_KNOWN);
        Lookahead { table: vec![free; entries], nodes_left: nodes }
    }

    /// Sets the values of the moves and puts the best first. Values more than `slack` below the best are only bounds.
    fn deepen(&mut self, position: &Kalah, moves: &mut [Scored], slack: i32) {
        for depth in 0..DEEPEST {
            let mut exact = true;
            let mut best = -BOUND;
            let mut found: Vec<Option<i32>> = vec![None; moves.len()];
            for (scored, found) in moves.iter().zip(&mut found) {
                let Some(after) = self.after(position, scored.mv, depth, best - slack - 1, BOUND) else { break };
                best = best.max(after.value);
                exact &= after.exact;
                *found = Some(after.value);
            }
            // The best move of the iteration before comes first, so a part of an iteration is as good as a whole one, if
            // it has compared moves: those that it did not reach are no better than the best.
            if found.iter().flatten().count() < 2 {
                break;
            }
            let is_whole = found.iter().all(Option::is_some);
            for (scored, found) in moves.iter_mut().zip(found) {
                scored.value = found.unwrap_or(best - slack - 1);
            }
            moves.sort_by_key(|scored| -scored.value);
            if exact || !is_whole {
                break;
            }
        }
    }

    /// The value of a move for the mover. `None` when the budget is spent. The depth counts turns: a move that earns
    /// another does not use it up.
    fn after(&mut self, position: &Kalah, mv: Move, depth: u8, alpha: i32, beta: i32) -> Option<Found> {
        let seat = position.mover();
        let mut next = position.clone();
        next.make(seat, &mv, &mut Chance::fast(0), &mut Nobody);
        let gained = SEED * (next.lead(seat) - position.lead(seat));
        let Found { value, exact } = if next.mover() == seat {
            self.value(&next, depth.saturating_add(1).min(DEEPEST), alpha - gained, beta - gained)?
        } else {
            let theirs = self.value(&next, depth, gained - beta, gained - alpha)?;
            Found { value: -theirs.value, ..theirs }
        };
        Some(Found { value: gained + value, exact })
    }

    fn value(&mut self, position: &Kalah, depth: u8, alpha: i32, beta: i32) -> Option<Found> {
        if position.is_over() {
            return Some(Found { value: 0, exact: true });
        }
        if depth == 0 {
            return Some(Found { value: position.estimate(), exact: false });
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let key = key(position);
        let slot = usize::try_from(key & 0xFFFF_FFFF).unwrap_or(0) & (self.table.len() - 1);
        let known = self.table[slot];
        let is_known = known.limit != Limit::Free && known.key == key;
        if is_known && known.depth >= depth {
            let value = i32::from(known.value);
            let is_enough = match known.limit {
                Limit::Exactly => true,
                Limit::AtLeast => value >= beta,
                Limit::AtMost => value <= alpha,
                Limit::Free => false,
            };
            if is_enough {
                return Some(Found { value, exact: known.depth == EXACT });
            }
        }
        let mut best = Found { value: -BOUND, exact: true };
        let mut pocket = 0;
        let mut floor = alpha;
        for mv in ordered(position, is_known.then_some(known.pocket)) {
            let first = best.value == -BOUND;
            let mut found = self.after(position, mv, depth - 1, floor, if first { beta } else { floor + 1 })?;
            if !first && found.value > floor && found.value < beta {
                found = self.after(position, mv, depth - 1, floor, beta)?;
            }
            best.exact &= found.exact;
            if found.value > best.value {
                best.value = found.value;
                pocket = mv.pocket;
                floor = floor.max(found.value);
            }
            if floor >= beta {
                // The move is good enough by itself, so the value rests on it alone.
                best.exact = found.exact;
                break;
            }
        }
        let limit = match best.value {
            value if value >= beta => Limit::AtLeast,
            value if value <= alpha => Limit::AtMost,
            _ => Limit::Exactly,
        };
        let value = i16::try_from(best.value).unwrap_or(i16::MAX);
        let depth = if best.exact { EXACT } else { depth };
        self.table[slot] = Known { key, value, depth, limit, pocket };
        Some(best)
    }
}

/// The moves, the most promising first: `first`, then those that move again, captures by size, and the rest from the
/// pocket next to the store.
fn ordered(position: &Kalah, first: Option<u8>) -> impl Iterator<Item = Move> + use<> {
    let mut moves = [(0, 0); 12];
    let mut count = 0;
    let [own, other] = position.rows();
    for (place, seeds) in own.iter().enumerate().rev().filter(|(_, seeds)| **seeds > 0) {
        let (pocket, last) = (small(place), place + usize::from(*seeds));
        let capture = match own.get(last) {
            Some(0) => i32::from(other[own.len() - 1 - last]),
            _ => 0,
        };
        let again = if last == own.len() { 500 } else { 0 };
        let known = if first == Some(pocket) { 1_000 } else { 0 };
        let order = known + again + capture;
        // Insertion keeps equals in their order.
        let mut at = count;
        while at > 0 && moves[at - 1].0 < order {
            moves[at] = moves[at - 1];
            at -= 1;
        }
        moves[at] = (order, pocket);
        count += 1;
    }
    moves.into_iter().take(count).map(|(_, pocket)| Move { pocket })
}

/// A hash of both rows, the mover's first.
fn key(position: &Kalah) -> u64 {
    let [own, other] = position.rows();
    let mut hash = 0x9E37_79B9_7F4A_7C15;
    for four in own.chunks(4).chain(other.chunks(4)) {
        let word = four.iter().fold(0, |word: u64, seeds| (word << 16) | u64::from(*seeds));
        hash = (hash ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bot::Level;
    use crate::{Entropy, Game, Seat, Seed};

    fn entropy(of: u8) -> Entropy {
        Entropy::new(Seed::new([of; 32]), [])
    }

    /// A position in which seat 0 is to move.
    fn position(own: [u16; 6], other: [u16; 6], leftovers: &str) -> Game<Kalah> {
        let mut board = [0; 26];
        board[..6].copy_from_slice(&own);
        board[7..13].copy_from_slice(&other);
        let saved = json!({
            "pockets": 6, "leftovers": leftovers, "empty_capture": false,
            "board": board, "mover": 0, "over": false,
        });
        Game::from_position(serde_json::from_value(saved).expect("it is a position"), 2)
    }

    fn choices(game: &Game<Kalah>, level: Level) -> impl Iterator<Item = u8> {
        (0..5).map(move |seed| game.bot_move(Seat::new(0), level, &entropy(seed)).expect("it is to move").pocket)
    }

    #[test]
    fn no_level_ignores_a_free_capture() {
        for leftovers in ["STAY", "OWNER"] {
            let game = position([1, 0, 0, 4, 4, 4], [2, 2, 2, 2, 15, 0], leftovers);
            for level in Level::ALL {
                assert_eq!(choices(&game, level).find(|pocket| *pocket != 0), None, "{level:?} {leftovers}");
            }
        }
    }

    #[test]
    fn the_worth_of_seeds_in_a_row_follows_the_option() {
        let worth = |leftovers: &str| {
            let game = position([4, 4, 4, 4, 4, 4], [1, 0, 0, 0, 0, 0], leftovers);
            game.rules().estimate()
        };
        assert!(worth("OWNER") > worth("STAY"));
    }

    #[test]
    fn every_size_of_board_is_played_to_its_end() {
        for (pockets, seeds_per_pocket) in [(1, 1), (1, 12), (2, 3), (12, 1), (12, 12)] {
            for empty_capture in [false, true] {
                let options = serde_json::from_value(json!({
                    "pockets": pockets, "seedsPerPocket": seeds_per_pocket, "emptyCapture": empty_capture,
                }));
                let entropy = entropy(9);
                let options = options.expect("the options are good");
                let mut game: Game<Kalah> = Game::start(&options, 2, 1, &entropy).expect("the options are good");
                while let Some(seat) = game.to_act().first() {
                    let mv = game.bot_move_within(seat, Level::ALL[3], 300, &entropy).expect("the seat is to act");
                    game.play(seat, &mv, &entropy).expect("bots make legal moves");
                }
            }
        }
    }
}
