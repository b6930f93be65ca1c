//! The knowledge of bots about Mahola.

use super::super::judgement::Row;
use super::*;
use crate::bot::Judgement;
use crate::games::blindness;

/// Seat 0 is the Chief and has these cards.
fn chief(in_hand: &[u8], placed: &[u8]) -> Mahola {
    let mut mahola = Mahola::setup(&Options::default(), 2, 3, &mut Chance::fast(0));
    let swapped = Seat::all(3).find(|seat| mahola.characters[*seat] == Character::Chief);
    if let Some(other) = swapped {
        mahola.characters[other] = mahola.characters[ZERO];
    }
    mahola.characters[ZERO] = Character::Chief;
    mahola.hands[ZERO] = cards(in_hand);
    mahola.tableaus[ZERO] = tableau(placed);
    mahola.turn = small(placed.len());
    mahola
}

fn best(mahola: &Mahola) -> Move {
    mahola.candidates(ZERO, 30, &mut Chance::fast(0))[0]
}

#[test]
fn a_seat_judges_only_by_what_it_knows() {
    blindness::check::<Mahola>(1);
}

#[test]
fn a_tried_tableau_has_the_points_of_a_real_one() {
    let mut chance = Chance::fast(5);
    let own = Tables::of(Some(&own_tables::own())).expect("the tables are good");
    for tables in [Tables::default(), own].iter().cycle().take(500) {
        let mut cards: Vec<Card> = Card::all().collect();
        chance.shuffle(&mut cards);
        cards.truncate(1 + chance.index(5));
        let tableau = Tableau::from(cards);
        for character in Character::ALL {
            assert_eq!(
                Row::of(&tableau, tables).points(*character),
                i32::from(tableau.score(*character, tables).total)
            );
        }
    }
}

#[test]
fn a_tried_ability_changes_the_tableau_as_the_real_one_does() {
    let tables = Tables::default();
    let row = |numbers: &[u8]| Row::of(&tableau(numbers), &tables);
    let before = [1, 2, 3, 4, 5];
    for (text, real) in [
        ("swap 0 3", [4, 2, 3, 1, 5]),
        ("move 0 3", [2, 3, 4, 1, 5]),
        ("move 4 1", [1, 5, 2, 3, 4]),
        ("exchange 9", [1, 2, 9, 4, 5]),
        ("exchange LEFT 9", [9, 2, 3, 4, 5]),
        ("exchange RIGHT 9", [1, 2, 3, 4, 9]),
        ("decline", before),
    ] {
        let mv: Move = text.parse().expect("it is a move");
        assert!(row(&before).change(mv) == row(&real), "{text}");
    }
}

#[test]
fn a_card_of_the_own_colour_is_played_and_one_that_harms_is_not() {
    // 5 is RED 5, for the Chief; 40 is GREEN 5 with a WOLF, against him.
    let mahola = chief(&[5, 40], &[]);
    assert_eq!(best(&mahola), Move::Play { card: card(5), end: End::Left });
    let promise = |number| mahola.promise(ZERO, &Move::Play { card: card(number), end: End::Left });
    assert!(promise(5) > 100 && promise(40) < 100);
}

#[test]
fn a_card_goes_to_the_end_where_its_neighbour_pays() {
    // 9 is GOURD with FIRE adjacent: next to 25, a FIRE, and not at the other end.
    let mahola = chief(&[9], &[25, 5]);
    assert_eq!(best(&mahola), Move::Play { card: card(9), end: End::Left });
}

#[test]
fn good_cards_are_kept_and_bad_ones_given_away() {
    let mut mahola = chief(&[5, 25, 40, 10], &[9]);
    mahola.phase = Phase::Pass;
    let Move::Pass { left, right } = best(&mahola) else { panic!("cards are passed now") };
    assert!([left, right].iter().all(|given| [card(40), card(10)].contains(given)), "{left} {right}");
}

#[test]
fn an_ability_that_only_harms_is_declined() {
    let mut mahola = chief(&[], &[5, 29, 9, 25, 13]);
    mahola.phase = Phase::Ability;
    let before = i32::from(mahola.tableaus[ZERO].score(Character::Chief, &mahola.tables).total);
    let mv = best(&mahola);
    let after = Row::of(&mahola.tableaus[ZERO], &mahola.tables).change(mv).points(Character::Chief);
    assert!(after >= before);
    assert!(mahola.legal_moves(ZERO).all(|other| {
        Row::of(&mahola.tableaus[ZERO], &mahola.tables).change(other).points(Character::Chief) <= after
    }));
}

#[test]
fn a_better_tableau_and_more_favor_tokens_are_worth_more() {
    let mahola = chief(&[5, 40], &[9]);
    let better = chief(&[5, 40], &[9, 25]);
    assert!(better.worth()[ZERO] > mahola.worth()[ZERO]);
    let mut favored = mahola.clone();
    favored.tokens[ZERO] = 1;
    assert!(favored.worth()[ZERO] > mahola.worth()[ZERO]);
}
