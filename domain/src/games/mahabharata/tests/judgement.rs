//! The knowledge of bots about Mahabharata.

use super::*;
use crate::bot::{Judgement, Level};
use crate::games::blindness;

fn candidates(game: &Mahabharata, seat: Seat) -> Vec<Move> {
    game.candidates(seat, 30, &mut Chance::fast(0))
}

#[test]
fn a_seat_judges_only_by_what_it_knows() {
    blindness::check::<Mahabharata>(4);
}

#[test]
fn a_pati_that_wins_is_revealed() {
    let game = asked(2, &[0]);
    assert_eq!(game.score().winner, Some(ZERO), "7 points to none");
    assert_eq!(candidates(&game, ZERO), [Move::Reveal]);
    assert_eq!(game.promise(ZERO, &Move::Reveal), 1_000);
    assert!((0..20).all(|seed| game.playout_move(ZERO, &mut Chance::fast(seed)) == Move::Reveal));
}

#[test]
fn no_level_holds_back_a_pati_that_wins() {
    for (seats, seed) in [(2, 0), (3, 1), (4, 2)] {
        let game = Game::from_position(asked(seats, &[0]), seats);
        let entropy = Entropy::new(Seed::new([seed; 32]), []);
        for level in Level::ALL {
            assert_eq!(game.bot_move(ZERO, level, &entropy), Some(Move::Reveal), "{level:?}");
        }
    }
}

#[test]
fn a_pati_that_loses_is_held_back() {
    let mut game = asked(2, &[0]);
    for leader in 0..game.leaders.len() {
        let last = game.leaders[leader].spaces.len() - 1;
        influence(&mut game, ONE, leader, last, 1);
    }
    assert_eq!(game.score().winner, Some(ONE), "18 points to 7");
    assert_eq!(candidates(&game, ZERO), [Move::Hold]);
}

#[test]
fn the_nearer_a_pati_the_better() {
    let mut game = table(2, "CHARIOT1 ELEPHANT1 CAVALRY1 CAVALRY2 INFANTRY1 INFANTRY2 INFANTRY4 RAJA");
    let mut before = game.worth()[ZERO];
    for tokens in ["CHARIOT1", "ELEPHANT1", "CAVALRY3", "INFANTRY5"] {
        screen(&mut game, ZERO, tokens);
        assert!(game.worth()[ZERO] > before, "{tokens}");
        before = game.worth()[ZERO];
    }
    let lacks = |names: &str| {
        let player = Player { pool: Tokens::POOL, screen: tokens(names) };
        player.lacks(Unit::Infantry, 5)
    };
    assert_eq!([lacks("INFANTRY2 INFANTRY3"), lacks("INFANTRY4"), lacks("")], [0, 1, 1]);
    assert_eq!(lacks("INFANTRY4 INFANTRY4"), 1);
}

#[test]
fn a_token_that_the_pati_does_not_need_is_not_put_behind_the_screen() {
    let mut game = table(2, "CHARIOT1 ELEPHANT1 CAVALRY1 CAVALRY2 INFANTRY1 INFANTRY2 INFANTRY4 RAJA");
    screen(&mut game, ZERO, "CHARIOT1");
    let to_screen: Move = "d0 screen".parse().unwrap();
    let to_leader = candidates(&game, ZERO).into_iter().find(|mv| mv.to_string().starts_with("d0 l"));
    assert!(game.promise(ZERO, &to_screen) < game.promise(ZERO, &to_leader.expect("a leader has a chariot")));
}

#[test]
fn dice_that_show_the_same_are_considered_once() {
    let game = table(2, "CHARIOT1 CHARIOT1 ELEPHANT1 CAVALRY2 CAVALRY2 INFANTRY1 INFANTRY2 RAJA");
    let named = candidates(&game, ZERO);
    assert!(!named.iter().any(|mv| matches!(mv, Move::Pick { die: 1 | 4, .. })));
}
