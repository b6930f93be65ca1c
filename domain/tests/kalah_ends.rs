//! The strongest bot of Kalah plays endgames without a mistake. The judge is an exhaustive search with rules of its own,
//! which shares no code with the bot.
#![expect(clippy::disallowed_types, reason = "a memory of known values, whose order is never used")]

use std::collections::HashMap;

use domain::bot::Level;
use domain::contract::games_or;
use domain::games::kalah::{Kalah, Leftovers, Move, Options};
use domain::{Chance, Entropy, Game, Seed, Viewer};

const POCKETS: usize = 6;
const MOST_SEEDS: u8 = 16;

/// The mover's six pockets, then the other's.
type Rows = [u8; 2 * POCKETS];

struct Judge {
    leftovers: Leftovers,
    empty_capture: bool,
    values: HashMap<Rows, i8>,
}

/// What a move leads to: the change of the stores' difference for the mover, the rows as the next mover sees them, and
/// whether that is the same player.
struct After {
    gained: i8,
    rows: Rows,
    again: bool,
    over: bool,
}

impl Judge {
    /// Sows by hand: 0 to 5 are the mover's pockets, 6 its store, 7 to 12 the other's pockets.
    fn sow(&self, rows: &Rows, pocket: usize) -> After {
        let mut circle = [0u8; 13];
        circle[..6].copy_from_slice(&rows[..6]);
        circle[7..].copy_from_slice(&rows[6..]);
        let mut hand = std::mem::take(&mut circle[pocket]);
        let mut at = pocket;
        while hand > 0 {
            at = (at + 1) % 13;
            circle[at] += 1;
            hand -= 1;
        }
        let again = at == 6;
        if at < 6 && circle[at] == 1 {
            let across = 12 - at;
            if circle[across] > 0 || self.empty_capture {
                circle[6] += circle[across] + 1;
                circle[across] = 0;
                circle[at] = 0;
            }
        }
        let mut gained = i8::try_from(circle[6]).unwrap();
        let sum = |row: &[u8]| i8::try_from(row.iter().sum::<u8>()).unwrap();
        let (own, other) = (sum(&circle[..6]), sum(&circle[7..]));
        let over = own == 0 || other == 0;
        if over && self.leftovers == Leftovers::Owner {
            gained += own - other;
        }
        let mut rows = [0; 12];
        let (first, second) = if again { (0, 6) } else { (6, 0) };
        rows[first..first + 6].copy_from_slice(&circle[..6]);
        rows[second..second + 6].copy_from_slice(&circle[7..]);
        After { gained, rows, again, over }
    }

    /// The difference of the stores that a move leads to, if both play on without a mistake.
    fn value_of(&mut self, rows: &Rows, pocket: usize) -> i8 {
        let After { gained, rows, again, over } = self.sow(rows, pocket);
        match (over, again) {
            (true, _) => gained,
            (false, true) => gained + self.value(&rows),
            (false, false) => gained - self.value(&rows),
        }
    }

    fn value(&mut self, rows: &Rows) -> i8 {
        if let Some(value) = self.values.get(rows) {
            return *value;
        }
        let pockets = (0..POCKETS).filter(|pocket| rows[*pocket] > 0);
        let best = pockets.map(|pocket| self.value_of(rows, pocket)).max().expect("a row that moves is not empty");
        self.values.insert(*rows, best);
        best
    }
}

/// Positions that play leads to, random and by bots in turn, with few seeds in the rows.
fn endgames(options: &Options, count: u64) -> Vec<(Game<Kalah>, Rows, Entropy)> {
    let mut found = Vec::new();
    for number in 0.. {
        let mut chance = Chance::fast(number);
        let entropy = Entropy::new(Seed::new(std::array::from_fn(|_| chance.next_u32().to_le_bytes()[0])), []);
        let mut game: Game<Kalah> = Game::start(options, 2, 1, &entropy).expect("the options are good");
        while let Some(seat) = game.to_act().first() {
            let view = game.view(Viewer::Spectator);
            let [own, other] = [seat, seat.left(2)].map(|seat| &view.pockets[seat.index()]);
            let mut rows: Rows = [0; 12];
            rows.iter_mut().zip(own.iter().chain(other)).for_each(|(to, from)| *to = u8::try_from(*from).unwrap());
            let seeds: u8 = rows.iter().sum();
            if seeds <= MOST_SEEDS && game.legal_moves(seat, 2).0.len() > 1 && chance.happens(1, 4) {
                found.push((game.clone(), rows, entropy.clone()));
                if found.len() as u64 >= count {
                    return found;
                }
            }
            let moves = game.legal_moves(seat, 12).0;
            let mv = match number % 2 {
                0 => *chance.pick(&moves),
                _ => game.bot_move(seat, Level::ALL[1], &entropy).expect("the seat is to act"),
            };
            game.play(seat, &mv, &entropy).expect("the move is legal");
        }
    }
    found
}

fn mistakes(options: &Options, count: u64) -> usize {
    let mut judge =
        Judge { leftovers: options.leftovers, empty_capture: options.empty_capture, values: HashMap::new() };
    let is_mistake = |(game, rows, entropy): &(Game<Kalah>, Rows, Entropy)| {
        let seat = game.to_act().first().expect("it is not over");
        let Move { pocket } = game.bot_move(seat, Level::ALL[3], entropy).expect("the seat is to act");
        judge.value_of(rows, usize::from(pocket)) != judge.value(rows)
    };
    endgames(options, count).iter().map(is_mistake).filter(|wrong| *wrong).count()
}

#[test]
fn the_strongest_bot_keeps_the_exact_value_of_endgames() {
    let count = games_or(200);
    for leftovers in [Leftovers::Stay, Leftovers::Owner] {
        for empty_capture in [false, true] {
            let options = Options { leftovers, empty_capture, ..Options::default() };
            let wrong = mistakes(&options, count);
            assert!(wrong as u64 * 100 <= count, "{wrong} of {count} mistakes with {options:?}");
        }
    }
}

#[test]
fn the_judge_knows_a_solved_board() {
    // Kalah of six pockets with one seed each is a win for the first player; with all of a row's seeds going to its owner
    // the known difference is 2.
    let mut judge = Judge { leftovers: Leftovers::Owner, empty_capture: false, values: HashMap::new() };
    assert_eq!(judge.value(&[1; 12]), 2);
}
