//! The knowledge of bots about La Macarena.

use super::*;
use crate::bot::Judgement;
use crate::games::blindness;

fn best(table: &Macarena, seat: Seat) -> String {
    let candidates = table.candidates(seat, 24, &mut Chance::fast(0));
    let best = candidates.into_iter().rev().max_by_key(|mv| table.promise(seat, mv));
    best.expect("there is a candidate").to_string()
}

fn mv(text: &str) -> Move {
    text.parse().expect("it is a move")
}

#[test]
fn a_seat_judges_only_by_what_it_knows() {
    blindness::check::<Macarena>(1);
}

#[test]
fn the_longest_series_is_the_first_candidate() {
    let table = table("4E", &["5E 6E 7E 8E 2W", "2W 2A"]);
    let candidates = table.candidates(ZERO, 24, &mut Chance::fast(0));
    assert_eq!(candidates[0], mv("w0 5E 6E 7E 8E"));
    assert_eq!(candidates.last(), Some(&Move::Pass));
}

#[test]
fn a_mirror_is_worth_more_than_a_short_series() {
    let table = table("4E", &["4E 5E 6E QF", "2W 2A"]);
    assert!(table.promise(ZERO, &mv("w0 4E")) > table.promise(ZERO, &mv("w0 5E 6E")));
    assert!(table.promise(ZERO, &mv("w0 5E")) > table.promise(ZERO, &Move::Pass));
}

#[test]
fn the_seventh_well_is_taken() {
    let mut table = table("4E", &["4E 5E 6E 7E 8E 9E QF", "2W 2A"]);
    table.macas[ZERO] = [0, 1, 1, 1, 1, 1, 1];
    assert_eq!(best(&table, ZERO), "w0 4E");
}

#[test]
fn cards_of_an_element_that_is_lacked_are_worth_more() {
    let mut table = table("4E 4A", &["5E 6E 5A 6A QF", "2W 2F"]);
    table.purses[ZERO] = purse("E", 0, 0);
    assert!(table.promise(ZERO, &mv("w1 5A 6A")) > table.promise(ZERO, &mv("w0 5E 6E")));
}

#[test]
fn an_element_that_comes_back_is_returned() {
    let mut table = last_turn(1, &["2W 3W", "2F"], &["5E 6E 7E", "9A"]);
    table.purses[ZERO] = purse("EA", 0, 0);
    play(&mut table, ZERO, "pass");
    assert_eq!(best(&table, ZERO), "return EARTH");
}

#[test]
fn a_fuller_purse_is_worth_more() {
    let mut table = table("4E", &["5E 6E", "2W 2A"]);
    let mut before = table.worth()[ZERO];
    for (letters, coins, amulets) in [("", 1, 0), ("E", 0, 0), ("EA", 0, 0), ("EA", 3, 0), ("EAW", 0, 0), ("", 0, 1)] {
        table.purses[ZERO] = purse(letters, coins, amulets);
        assert!(table.worth()[ZERO] > before, "{letters} {coins} {amulets}");
        before = table.worth()[ZERO];
    }
}

#[test]
fn a_hand_of_forty_cards_has_few_candidates() {
    let mut table = table("4E", &["5E", "2W"]);
    let drawn: Vec<Card> = table.deck.drain(..60).collect();
    drawn.into_iter().for_each(|card| assert!(table.hands[ZERO].put(card)));
    assert_eq!(table.candidates(ZERO, 24, &mut Chance::fast(0)).len(), 24);
}
