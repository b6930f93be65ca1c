//! A bot knows no more than its seat may: it chooses the same move in the game and in every game that its seat cannot
//! distinguish from it.

use super::Level;
use super::strategy::Strategy;
use crate::contract::{Promises, games_or};
use crate::games::rules::{Kalah, Macarena, Mahabharata, Mahola, Mara};
use crate::{Chance, Entropy, Game, Rules, Seat, Seed, Viewer};

/// The number of games that each position is compared with.
const TWINS: usize = 3;
/// A budget that is quick to test with, of iterations or nodes.
const BUDGET: u32 = 24;

/// A position in which a bot chose by hidden information.
#[derive(Debug)]
struct Peeked {
    #[expect(dead_code, reason = "shown by Debug where a test fails")]
    at: String,
}

/// Compares what is chosen at `positions` positions with what is chosen in their twins.
fn check<R: Promises>(
    positions: u64,
    chooses: impl Fn(&Game<R>, Seat, Level, &Entropy) -> Option<R::Move>,
) -> Result<(), Peeked> {
    let tables: Vec<(u32, R::Options, u8)> = R::RULES_VERSIONS
        .flat_map(|version| R::tables(version).into_iter().map(move |(options, seats)| (version, options, seats)))
        .collect();
    let mut checked = 0;
    for (number, (version, options, seats)) in (0..).zip(tables.iter().cycle()) {
        let mut whim = Chance::fast(number);
        let entropy = Entropy::new(Seed::new(std::array::from_fn(|_| whim.next_u32().to_le_bytes()[0])), []);
        let mut game: Game<R> = Game::start(options, *seats, *version, &entropy).expect("the table can be set up");
        // Every game is compared a few times, so that many games and all stages of them are.
        let mut left = 4;
        while left > 0 && !game.is_over() {
            let to_act: Vec<Seat> = game.to_act().into();
            let seat = *whim.pick(&to_act);
            if whim.happens(1, 6) {
                let level = Level::ALL[whim.index(Level::ALL.len())];
                let chosen = chooses(&game, seat, level, &entropy);
                for _ in 0..TWINS {
                    let twin = game.imagine(Viewer::Seat(seat), &mut whim);
                    if chooses(&twin, seat, level, &entropy) != chosen {
                        let ply = game.ply();
                        return Err(Peeked { at: format!("table {number}, ply {ply}, seat {seat}, {level:?}") });
                    }
                }
                left -= 1;
                checked += 1;
                if checked == positions {
                    return Ok(());
                }
            }
            let mv = match number % 2 {
                0 => game.rules().any_move(seat, &mut whim),
                _ => game.rules().sensible_move(seat, &mut whim),
            };
            game.play(seat, &mv, &entropy).expect("the move is legal");
        }
    }
    Ok(())
}

fn is_honest<R: Promises + Strategy>() {
    check::<R>(games_or(200), |game, seat, level, entropy| game.bot_move_within(seat, level, BUDGET, entropy))
        .expect("a bot knows no more than its seat may");
}

/// A choice that depends on the whole position, hidden parts included.
fn peek<R: Rules>(game: &Game<R>, seat: Seat) -> Option<R::Move> {
    let sum = game.save().into_iter().fold(0, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    let moves = game.legal_moves(seat, 10).0;
    (!moves.is_empty()).then(|| Chance::fast(sum).pick(&moves).clone())
}

fn peeking_is_caught<R: Promises>() {
    check::<R>(200, |game, seat, _level, _entropy| peek(game, seat)).expect_err("this bot looks at hidden cards");
}

#[test]
fn a_bot_of_kalah_is_honest() {
    is_honest::<Kalah>();
}

#[test]
fn a_bot_of_mahabharata_knows_no_more_than_its_seat_may() {
    is_honest::<Mahabharata>();
}

#[test]
fn a_bot_of_mahola_knows_no_more_than_its_seat_may() {
    is_honest::<Mahola>();
}

#[test]
fn a_bot_of_la_macarena_knows_no_more_than_its_seat_may() {
    is_honest::<Macarena>();
}

#[test]
fn a_bot_of_the_mara_knows_no_more_than_its_seat_may() {
    is_honest::<Mara>();
}

#[test]
fn a_bot_that_peeks_is_caught() {
    peeking_is_caught::<Mahabharata>();
    peeking_is_caught::<Mahola>();
    peeking_is_caught::<Macarena>();
    peeking_is_caught::<Mara>();
}
