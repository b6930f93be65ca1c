use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::asserted::{self, assert_rule};
use crate::contract::{self, Promises};
use crate::evenness::{assert_fits, count, evenly};
use crate::playout::playout;
use crate::{Entropy, Game, Kind, Nobody, Over, Refusal, RuleId, Seed, golden};

mod judgement;

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

impl Promises for Macarena {
    fn tables(version: u32) -> Vec<(Options, u8)> {
        let table = |mirror_turn_draws, max_hands, first_seat, seats: u8| {
            let first_hand_returns = Some(seats % 2 == 1).filter(|_| version >= 2);
            (Options { mirror_turn_draws, first_hand_returns, max_hands, first_seat }, seats)
        };
        vec![
            table(false, 3, None, 2),
            table(true, 2, Some(ONE), 3),
            table(false, 3, None, 4),
            table(false, 4, Some(ZERO), 5),
            table(true, 1, None, 2),
        ]
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let mut cards: Vec<Card> = self.deck.clone();
        cards.extend(self.hands.values().chain(self.collections.values()).flat_map(|cards| cards.iter()));
        cards.extend(self.wells.iter().flat_map(|well| well.under.iter().chain([well.top])));
        let mut counts = BTreeMap::new();
        for card in cards {
            *counts.entry(card.to_string()).or_insert(0) += 1;
        }
        counts
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Move {
        let element = *chance.pick(&Element::ALL);
        let seat = Seat::new(small(chance.index(self.seats().into())));
        match chance.below(10) {
            0 => Move::Pass,
            1 => Move::Decline,
            2 => Move::Return(element),
            3 => Move::Buy(element),
            4 => match self.to_act().first() {
                Some(seat) => self.any_move(seat, chance),
                None => Move::Pass,
            },
            _ => {
                let faces: Vec<Card> = if chance.happens(1, 2) || self.hands[seat].is_empty() {
                    Card::faces().collect()
                } else {
                    self.hands[seat].into()
                };
                let cards = (0..chance.below(5)).map(|_| *chance.pick(&faces)).collect();
                let from = chance.happens(1, 6).then(|| small(chance.index(9)));
                Move::Play { well: small(chance.index(9)), cards, from }
            }
        }
    }

    /// Mirrors, and the longest of a few series.
    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let worth = |mv: &Move| match mv {
            Move::Play { well, cards, .. } => {
                let is_mirror = ends_in_mirror(self.wells[*well as usize].top, cards);
                cards.len() + if is_mirror { 20 } else { 0 }
            }
            _ => 0,
        };
        let few: Vec<Move> = (0..8).map(|_| self.any_move(seat, chance)).collect();
        few.into_iter().max_by_key(worth).expect("there are eight")
    }

    fn hidden_from_all(&self) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([("deck".into(), self.deck.iter().map(ToString::to_string).collect())])
    }

    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let mut unknown: BTreeSet<_> = self.deck.iter().map(|card| ("deck".into(), card.to_string())).collect();
        let are_shown =
            self.settlement.as_ref().is_some_and(|end| end.shown.is_some() && end.hand_number == self.hand_number);
        for (seat, hand) in self.hands.iter().filter(|(seat, _)| !are_shown && !viewer.sees(*seat)) {
            unknown.extend(hand.iter().map(|card| (format!("hand {seat}"), card.to_string())));
        }
        if let Phase::Returning { chosen, .. } = &self.phase {
            for (seat, choice) in chosen.iter().filter(|(seat, _)| !viewer.sees(*seat)) {
                unknown.extend(choice.iter().map(|element| (format!("return {seat}"), element.to_string())));
            }
        }
        unknown
    }

    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let unknown = self.unknown(viewer);
        let is_return = |place: &str| place.starts_with("return");
        let places: BTreeSet<&String> = unknown.iter().map(|(place, _)| place).collect();
        let cards: BTreeSet<&String> =
            unknown.iter().filter(|(place, _)| !is_return(place)).map(|(_, card)| card).collect();
        let mut possible = BTreeSet::new();
        for place in places {
            let pieces: Vec<String> = match place.strip_prefix("return ") {
                None => cards.iter().map(|card| (*card).clone()).collect(),
                Some(seat) => {
                    let seat = Seat::new(seat.parse().expect("it is the number of a seat"));
                    self.purses[seat].elements.iter().map(|element| element.to_string()).collect()
                }
            };
            possible.extend(pieces.into_iter().map(|piece| (place.clone(), piece)));
        }
        possible
    }
}

#[test]
fn the_contract_holds() {
    contract::uphold::<Macarena>(contract::games_or(100));
}

#[test]
fn golden_records_replay() {
    let drawing =
        |max_hands| Options { mirror_turn_draws: true, max_hands, first_seat: Some(ONE), ..Options::default() };
    let tables = [
        (Options { max_hands: 6, ..Options::default() }, 2),
        (Options { max_hands: 8, ..Options::default() }, 3),
        (Options::default(), 4),
        (Options::default(), 5),
        (drawing(3), 2),
        (drawing(200), 5),
    ];
    golden::check::<Macarena>(Kind::Macarena, "macarena", 1, &tables);
    let returning = Options { first_hand_returns: Some(true), max_hands: 4, ..Options::default() };
    let tables = [
        (Options { max_hands: 3, ..Options::default() }, 2),
        (returning, 3),
        (Options::default(), 4),
        (Options { mirror_turn_draws: true, ..Options::default() }, 5),
    ];
    golden::check::<Macarena>(Kind::Macarena, "macarena", 2, &tables);
}

#[test]
fn every_rule_is_tested() {
    asserted::every_rule_is_tested::<Macarena>(include_str!("tests.rs"));
}

#[test]
fn random_games_always_end() {
    for seats in Macarena::SEATS {
        let played =
            playout::<Macarena>(&Options::default(), 2, seats, 40, seats.into()).expect("the options are good");
        assert!(played.endings.keys().all(|ending| ending == "mac.14" || ending == "mac.23"), "{played:?}");
        assert!(played.longest < 3000, "{played:?}");
    }
}

// Tables built by hand.

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("it is a card")).collect()
}

fn pile(text: &str) -> Cards {
    cards(text).try_into().expect("there are two copies of each")
}

fn elements(letters: &str) -> Elements {
    let element = |letter| Element::ALL.into_iter().find(|element| element.letter() == letter);
    letters.chars().map(|letter| element(letter).expect("it is an element")).fold(Elements::NONE, Elements::with)
}

fn purse(letters: &str, coins: u8, amulets: u8) -> Purse {
    Purse { elements: elements(letters), coins, amulets }
}

/// These tops on the first wells and these hands; the rest of the cards are the deck. Seat 0 has drawn and is to act.
/// Nobody has anything.
fn table(tops: &str, hands: &[&str]) -> Macarena {
    let options = Options { first_seat: Some(ZERO), ..Options::default() };
    let mut table = Macarena::setup(&options, 2, small(hands.len()), &mut Chance::fast(0));
    let mut rest: Cards = Card::faces().chain(Card::faces()).collect();
    let mut take = |card: Card| {
        assert!(rest.take(card), "there is no more {card}");
        card
    };
    for (seat, hand) in table.hands.iter_mut() {
        *hand = cards(hands[seat.index()]).into_iter().map(&mut take).collect();
    }
    let tops: Vec<Card> = cards(tops).into_iter().map(&mut take).collect();
    let mut deck: Vec<Card> = rest.into();
    let others = deck.split_off(deck.len() - (WELLS - tops.len()));
    for (well, top) in table.wells.iter_mut().zip(tops.into_iter().chain(others)) {
        well.top = top;
    }
    table.deck = deck;
    table.drawn = None;
    table.purses = BySeat::each(table.seats(), |_| Purse::default());
    table
}

/// The deck is empty, seat 0 is to act, and what it does ends the hand.
fn last_turn(hand_number: u16, hands: &[&str], collections: &[&str]) -> Macarena {
    let mut table = table("", hands);
    let mut rest: Cards = table.deck.drain(..).collect();
    for well in &mut table.wells {
        rest.put(well.top);
    }
    for (seat, collection) in table.collections.iter_mut() {
        *collection = pile(collections.get(seat.index()).copied().unwrap_or_default());
        assert!(collection.iter().all(|card| rest.take(card)), "a card is used twice");
    }
    let mut rest: Vec<Card> = rest.into();
    for well in &mut table.wells {
        well.top = rest.pop().expect("not all cards are in hands and collections");
    }
    table.wells[0].under = rest.into_iter().collect();
    table.hand_number = hand_number;
    table
}

fn play(table: &mut Macarena, seat: Seat, mv: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mv: Move = mv.parse().expect("the move can be read");
    if let Err(illegal) = table.apply(seat, &mv, &mut Chance::fast(9), &mut events) {
        panic!("'{mv}' is refused: {illegal}");
    }
    events
}

/// The rule that forbids the move, and the token that it points at.
#[track_caller]
fn refused(table: &Macarena, seat: Seat, mv: &str) -> (&'static str, Option<usize>) {
    let mv: Move = mv.parse().expect("the move can be read");
    let illegal = table.check(seat, &mv).expect_err("the move is not legal");
    (illegal.rule.0, illegal.token)
}

fn listed(table: &Macarena, seat: Seat) -> Vec<String> {
    table.legal_moves(seat).map(|mv| mv.to_string()).collect()
}

fn is_turn_of(table: &Macarena, seat: Seat) -> bool {
    table.phase == Phase::Turn { seat, mirror: false }
}

fn is_mirror_turn_of(table: &Macarena, seat: Seat) -> bool {
    table.phase == Phase::Turn { seat, mirror: true }
}

fn settlement(table: &Macarena) -> &Settlement {
    table.settlement.as_ref().expect("a hand has ended")
}

/// Each award with its winner, without the elements that nobody collected.
fn gains(table: &Macarena) -> Vec<(u8, Gain)> {
    let awards = settlement(table).awards.iter();
    awards.filter_map(|award| Some((award.seat?.number(), award.gain?))).collect()
}

fn exchanges(table: &Macarena) -> Vec<Exchange> {
    settlement(table).awards.iter().flat_map(|award| award.exchanges.clone()).collect()
}

fn award_of(table: &Macarena, element: Element) -> Award {
    let is_of = |award: &&Award| matches!(award.reason, Reason::MostOfElement { element: e, .. } if e == element);
    settlement(table).awards.iter().find(is_of).expect("there is one for each element").clone()
}

fn coins(coins: u8) -> Gain {
    Gain::Coins { coins }
}

fn token(element: Element) -> Gain {
    Gain::Element { element }
}

// A hand.

#[test]
fn each_hand_deals_fourteen_cards_and_seven_wells() {
    for seats in Macarena::SEATS {
        let table = Macarena::setup(&Options::default(), 2, seats, &mut Chance::fast(seats.into()));
        for seat in Seat::all(seats) {
            let drawn = u8::from(seat == table.starter);
            assert_eq!(table.hands[seat].len(), 14 + drawn, "the starter has drawn");
            assert_eq!(table.purses[seat].elements.len(), 1);
            assert_eq!((table.purses[seat].coins, table.purses[seat].amulets), (0, 0));
            assert_eq!(table.macas_out(seat), 0);
            assert!(table.collections[seat].is_empty());
        }
        assert_eq!(table.deck.len(), CARDS - 14 * seats as usize - WELLS - 1);
        assert!(table.inventory().values().all(|copies| *copies == 2));
        assert_eq!(table.inventory().len(), 52);
    }
}

#[test]
fn elements_at_the_start_are_drawn_for_each_seat_by_itself() {
    let mut seen = BTreeSet::new();
    let mut chance = Chance::fast(3);
    for _ in 0..300 {
        let table = Macarena::setup(&Options::default(), 2, 2, &mut chance);
        seen.insert((table.purses[ZERO].elements, table.purses[ONE].elements));
    }
    assert_eq!(seen.len(), 16, "every pair, equal ones too");
}

#[test]
fn options_out_of_bounds_are_refused() {
    let rule = |options: Options, seats| Macarena::check_options(&options, 2, seats).expect_err("it is refused").rule.0;
    let bounded = |max_hands| Options { max_hands, ..Options::default() };
    let starting = |seat| Options { first_seat: Some(seat), ..Options::default() };
    assert_eq!(rule(bounded(0), 2), "mac.1");
    assert_eq!(rule(bounded(201), 2), "mac.1");
    assert_eq!(rule(starting(TWO), 2), "mac.1");
    assert!(Macarena::check_options(&bounded(1), 2, 2).is_ok());
    assert!(Macarena::check_options(&bounded(200), 2, 5).is_ok());
    assert!(Macarena::check_options(&starting(TWO), 2, 3).is_ok());
    assert!(serde_json::from_str::<Options>(r#"{"mirrorTurnDraws":true,"maxHands":7,"firstSeat":1}"#).is_ok());
    assert!(serde_json::from_str::<Options>(r#"{"hands":7}"#).is_err());
}

#[test]
fn turns_go_to_the_right() {
    let mut table = table("4E", &["5E KE", "6E KE", "7E QE"]);
    assert!(is_turn_of(&table, ZERO));
    assert_eq!(refused(&table, ONE, "w0 6E"), ("mac.2", None));
    assert_eq!(refused(&table, TWO, "pass"), ("mac.2", None));
    play(&mut table, ZERO, "w0 5E");
    assert!(is_turn_of(&table, TWO), "seat 2 sits to the right of seat 0");
    play(&mut table, TWO, "pass");
    assert!(is_turn_of(&table, ONE));
    play(&mut table, ONE, "pass");
    assert!(is_turn_of(&table, ZERO));
}

#[test]
fn a_seat_that_is_not_at_the_table_is_out_of_turn() {
    let table = table("4E", &["5E", "6E"]);
    assert_eq!(refused(&table, Seat::new(7), "pass"), ("mac.2", None));
    assert_eq!(table.legal_moves(Seat::new(7)).count(), 0);
    assert_eq!(table.continuations(Seat::new(7), &[]), Continuations::default());
}

#[test]
fn later_hands_start_one_seat_further_to_the_right() {
    let mut table = last_turn(0, &["2E", "3E", "4E"], &[]);
    assert_eq!(table.starter, ZERO);
    let events = play(&mut table, ZERO, "pass");
    assert_eq!((table.hand_number, table.starter), (1, TWO));
    assert!(is_turn_of(&table, TWO));
    assert!(
        events.iter().any(|event| matches!(event, Event::HandBegan { hand_number: 1, starter, .. } if *starter == TWO))
    );
    assert_eq!(events.last(), Some(&Event::Drew { seat: TWO }));
    assert_eq!(table.hands[TWO].len(), 15);
}

#[test]
fn a_turn_draws_a_card_before_the_decision() {
    let mut table = table("4E", &["5E KE", "6E KE"]);
    table.deck.push(cards("9W")[0]);
    let events = play(&mut table, ZERO, "pass");
    assert_eq!(events, [Event::Passed { seat: ZERO, macas: 0 }, Event::Drew { seat: ONE }]);
    assert_eq!(table.hands[ONE], pile("6E KE 9W"));
    assert_eq!(listed(&table, ONE)[0], "pass");
}

#[test]
fn on_a_normal_turn_one_plays_or_passes() {
    let table = table("4E", &["5E KE", "6E KE"]);
    for other in ["decline", "return FIRE", "buy FIRE", "w7 5E", "w255 5E"] {
        assert_eq!(refused(&table, ZERO, other), ("mac.3", Some(0)), "{other}");
    }
}

#[test]
fn macas_of_others_bar_a_well_on_a_normal_turn() {
    let mut table = table("4E", &["5E KE", "6E KE", "7E QE"]);
    table.macas[ONE][0] = 1;
    assert_eq!(refused(&table, ZERO, "w0 5E"), ("mac.4", Some(0)));
    assert!(!listed(&table, ZERO).contains(&"w0 5E".to_string()));
    assert_eq!(table.continuations(ZERO, &["w0"]), Continuations::default());
    assert_eq!(refused(&table, ZERO, "w0 9A 9A"), ("mac.4", Some(0)), "before what is in hand");
}

#[test]
fn each_owner_of_macas_at_a_shared_well_may_play_there() {
    let mut table = table("4E", &["5E KE", "6E KE", "7E QE"]);
    table.macas[ONE][0] = 2;
    table.macas[ZERO][0] = 1;
    play(&mut table, ZERO, "w0 5E");
    assert_rule!("mac.12", refused(&table, TWO, "w0 7E"), ("mac.4", Some(0)));
    play(&mut table, TWO, "pass");
    play(&mut table, ONE, "w0 6E");
}

// A series.

/// Plays the series on a well with this top; the player has exactly these cards and a king too many.
fn on(top: &str, series: &str) -> Macarena {
    let mut table = table(top, &[&format!("{series} KW"), "KA"]);
    play(&mut table, ZERO, &format!("w0 {series}"));
    table
}

#[track_caller]
fn wrong(top: &str, series: &str) -> (&'static str, Option<usize>) {
    refused(&table(top, &[&format!("{series} KW"), "KA"]), ZERO, &format!("w0 {series}"))
}

#[test]
fn a_ladder_leaves_its_last_card_and_collects_the_rest() {
    let table = on("4E", "5E 6E 7E");
    assert_eq!(table.wells[0].top, cards("7E")[0]);
    assert_eq!(table.wells[0].under, pile("4E"));
    assert_eq!(table.collections[ZERO], pile("5E 6E"));
    assert_eq!(table.hands[ZERO], pile("KW"));
}

#[test]
fn one_single_card_collects_nothing() {
    let table = on("4E", "3E");
    assert_rule!("mac.8", table.wells[0].top, cards("3E")[0]);
    assert!(table.collections[ZERO].is_empty());
    assert!(is_turn_of(&table, ONE), "and it is no mirror");
}

#[test]
fn what_is_played_is_public_as_it_is_played() {
    let mut table = table("4E", &["5E 6E 7E KW", "KA"]);
    let events = play(&mut table, ZERO, "w0 5E 6E 7E");
    let played = Event::Played {
        seat: ZERO,
        well: 0,
        cards: cards("5E 6E 7E"),
        mirror: false,
        top: cards("7E")[0],
        covered: Some(cards("4E")[0]),
        collected: cards("5E 6E"),
    };
    assert_eq!(events[0], played);
    assert_eq!(played.to_string(), "Seat 0 played 5E 6E 7E on well 0, and collected 5E 6E.");
    let view = table.view(Viewer::Seat(ONE));
    assert_eq!((view.players[ZERO].collection_size, view.players[ZERO].collection), (2, None));
}

#[test]
fn king_and_ace_are_neighbours_both_ways() {
    on("KF", "AF 2F");
    on("2W", "AW KW QW");
    on("AA", "KA");
    on("KE", "AE");
}

#[test]
fn a_ladder_may_go_all_the_way_round() {
    let table = on("5E", "6E 7E 8E 9E 10E JE QE KE AE 2E 3E 4E 5E 6E");
    assert_eq!(table.collections[ZERO].len(), 13);
    assert!(is_turn_of(&table, ONE), "the second copies are no mirror");
}

#[test]
fn same_numbers_have_different_elements() {
    on("9A", "9E 9W 9F");
    assert_eq!(wrong("9A", "9E 9W 9F 9A"), ("mac.7", Some(4)));
    assert_eq!(wrong("9A", "9E 9A 9W 9F"), ("mac.7", Some(2)));
    assert_eq!(wrong("9A", "9E 9W 9A 9F"), ("mac.7", Some(3)));
    assert_eq!(wrong("9A", "9E 9W 9E"), ("mac.7", Some(3)));
    assert_eq!(wrong("8A", "9A 9E 9W 9A"), ("mac.7", Some(4)), "the run starts from the first nine");
}

#[test]
fn a_later_run_of_same_numbers_may_use_a_second_copy() {
    let table = on("9A", "9E 10E 10A 9A");
    assert!(is_turn_of(&table, ONE), "it is no mirror");
    on("9A", "9E 10E 10A 9A 9W");
}

#[test]
fn a_ladder_turns_round_only_after_a_same_number() {
    on("5E", "6E 6W 5W");
    assert_eq!(wrong("5E", "6E 5E"), ("mac.6", Some(2)));
    assert_eq!(wrong("5E", "4E 3E 4E"), ("mac.6", Some(3)));
    assert_eq!(wrong("KE", "AE KE"), ("mac.6", Some(2)), "round the corner, too");
    assert_eq!(wrong("5E", "6E 6W 5W 6W"), ("mac.6", Some(4)));
}

#[test]
fn every_step_is_to_a_neighbour_or_the_same_number() {
    assert_eq!(wrong("4E", "6E"), ("mac.5", Some(1)));
    assert_eq!(wrong("4E", "5A"), ("mac.5", Some(1)), "a neighbour in another element");
    assert_eq!(wrong("4E", "5E 7E"), ("mac.5", Some(2)));
    assert_eq!(wrong("QE", "AE"), ("mac.5", Some(1)));
    assert_eq!(wrong("4E", "5E 6E 8W 8W"), ("mac.5", Some(3)));
}

#[test]
fn a_series_needs_cards_and_they_must_be_in_hand() {
    let table = table("4E", &["5E 6E KW", "KA"]);
    assert_eq!(refused(&table, ZERO, "w0"), ("mac.5", Some(0)));
    assert_eq!(refused(&table, ZERO, "w0 5E 6E 7E"), ("mac.5", Some(3)));
    assert_eq!(refused(&table, ZERO, "w0 5E 5E"), ("mac.5", Some(2)), "the second copy is not in hand");
    assert_eq!(refused(&table, ZERO, "w0 KW 9A"), ("mac.5", Some(2)), "before the first bad step");
    let many = format!("w0{}", " 5E".repeat(CARDS));
    assert_eq!(refused(&table, ZERO, &many), ("mac.5", Some(2)));
}

#[test]
fn combinations_of_ladders_and_same_numbers_are_legal() {
    on("2E", "2F 3F 4F 4A 5A");
    let table = on("4A", "4W 5W 6W 6A 6E 7E 7E");
    assert!(is_mirror_turn_of(&table, ZERO));
}

// Mirrors and macas.

#[test]
fn a_mirror_alone_is_collected_and_leaves_the_well_as_it_was() {
    let mut table = table("9A", &["9A KW", "KA"]);
    let events = play(&mut table, ZERO, "w0 9A");
    assert_eq!((table.wells[0].top, table.wells[0].under), (cards("9A")[0], Cards::default()));
    assert_eq!(table.collections[ZERO], pile("9A"));
    assert_eq!(table.macas[ZERO], [1, 0, 0, 0, 0, 0, 0]);
    assert!(is_mirror_turn_of(&table, ZERO));
    assert!(matches!(
        &events[..],
        [
            Event::Played { mirror: true, covered: None, .. },
            Event::MacaPlaced { well: 0, from: None, .. },
            Event::MirrorTurnWon { .. },
        ]
    ));
}

#[test]
fn a_mirror_at_the_end_of_a_series_leaves_one_copy_and_collects_its_twin() {
    let table = on("5E", "6E 6E");
    assert_eq!(table.wells[0].top, cards("6E")[0]);
    assert_eq!(table.wells[0].under, pile("5E"));
    assert_eq!(table.collections[ZERO], pile("6E"));
    assert_eq!(table.macas[ZERO][0], 1);
    assert!(is_mirror_turn_of(&table, ZERO));
}

#[test]
fn a_mirror_is_no_same_number_step() {
    assert!(is_mirror_turn_of(&on("5E", "5W 5W"), ZERO));
}

#[test]
fn nothing_follows_a_mirror() {
    assert_eq!(wrong("5E", "6E 6E 7E"), ("mac.9", Some(2)));
    assert_eq!(wrong("5E", "5E 6E"), ("mac.9", Some(1)));
    assert_eq!(wrong("9A", "9E 9E 9W"), ("mac.9", Some(2)));
}

#[test]
fn a_source_is_named_only_if_all_macas_are_out() {
    let mut table = table("9A", &["9A 9E KW", "KA"]);
    table.macas[ZERO] = [0, 3, 3, 0, 0, 0, 0];
    assert_eq!(refused(&table, ZERO, "w0 9A from1"), ("mac.10", Some(2)), "one is at home");
    table.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    assert_eq!(refused(&table, ZERO, "w0 9A"), ("mac.10", Some(1)), "it must be named");
    assert_eq!(refused(&table, ZERO, "w0 9A from0"), ("mac.10", Some(2)), "another well");
    assert_eq!(refused(&table, ZERO, "w0 9A from3"), ("mac.10", Some(2)), "where no maca of yours stands");
    assert_eq!(refused(&table, ZERO, "w0 9A from7"), ("mac.10", Some(2)));
    assert_eq!(refused(&table, ZERO, "w0 9A from255"), ("mac.10", Some(2)));
    assert_eq!(refused(&table, ZERO, "w0 9E from1"), ("mac.10", Some(2)), "no mirror");
    assert_eq!(refused(&table, ZERO, "w0 9E KW from1"), ("mac.5", Some(2)), "the series comes first");
    let mirrors: Vec<String> = listed(&table, ZERO).into_iter().filter(|mv| mv.contains("from")).collect();
    assert_eq!(mirrors, ["w0 9A from1", "w0 9A from2"]);
}

#[test]
fn with_seven_macas_out_one_of_them_moves() {
    let mut table = table("9A", &["9A KW", "KA"]);
    table.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    let events = play(&mut table, ZERO, "w0 9A from2");
    assert_eq!(table.macas[ZERO], [1, 3, 3, 0, 0, 0, 0]);
    assert_eq!(events[1], Event::MacaPlaced { seat: ZERO, well: 0, from: Some(2) });
    assert!(is_mirror_turn_of(&table, ZERO));
}

#[test]
fn with_seven_macas_at_this_very_well_nothing_moves() {
    let mut table = table("9A", &["9A KW", "KA"]);
    table.macas[ZERO] = [7, 0, 0, 0, 0, 0, 0];
    assert_eq!(refused(&table, ZERO, "w0 9A"), ("mac.10", Some(1)));
    assert_eq!(refused(&table, ZERO, "w0 9A from1"), ("mac.10", Some(2)));
    play(&mut table, ZERO, "w0 9A from0");
    assert_eq!(table.macas[ZERO], [7, 0, 0, 0, 0, 0, 0]);
    assert!(is_mirror_turn_of(&table, ZERO));
}

#[test]
fn an_only_source_is_named_all_the_same() {
    let mut table = table("9A", &["9A KW", "KA"]);
    table.macas[ZERO] = [0, 7, 0, 0, 0, 0, 0];
    assert_eq!(refused(&table, ZERO, "w0 9A"), ("mac.10", Some(1)));
    assert!(listed(&table, ZERO).contains(&"w0 9A from1".to_string()));
}

#[test]
fn no_well_is_barred_in_a_mirror_turn() {
    let mut table = table("9A 4E", &["9A 5E KW", "KA 6E"]);
    table.macas[ONE][1] = 1;
    assert_eq!(refused(&table, ZERO, "w1 5E"), ("mac.4", Some(0)));
    play(&mut table, ZERO, "w0 9A");
    play(&mut table, ZERO, "w1 5E");
    assert!(is_turn_of(&table, ONE), "the mirror turn was the end of the turn");
}

#[test]
fn a_mirror_in_a_mirror_turn_wins_another_and_shares_the_well() {
    let mut table = table("9A 4E", &["9A 4E KW", "KA 6E"]);
    table.macas[ONE][1] = 1;
    play(&mut table, ZERO, "w0 9A");
    play(&mut table, ZERO, "w1 4E");
    assert_eq!(table.macas[ZERO], [1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(table.macas[ONE][1], 1);
    assert!(is_mirror_turn_of(&table, ZERO));
}

#[test]
fn declining_a_mirror_turn_is_no_pass() {
    let mut table = table("9A", &["9A KW", "KA"]);
    play(&mut table, ZERO, "w0 9A");
    for other in ["pass", "return FIRE", "buy FIRE", "w7 KW"] {
        assert_eq!(refused(&table, ZERO, other), ("mac.11", Some(0)), "{other}");
    }
    assert_eq!(listed(&table, ZERO)[0], "decline");
    let events = play(&mut table, ZERO, "decline");
    assert_eq!(events, [Event::Declined { seat: ZERO }, Event::Drew { seat: ONE }]);
    assert_eq!(table.macas[ZERO][0], 1, "the maca stays");
    assert!(is_turn_of(&table, ONE));
}

#[test]
fn a_mirror_turn_draws_a_card_only_by_option() {
    let mirror = |draws: bool, deck: &str| {
        let mut table = table("9A", &["9A KW", "KA"]);
        table.mirror_turn_draws = draws;
        table.deck = cards(deck);
        let events = play(&mut table, ZERO, "w0 9A");
        (table.hands[ZERO], table.view(Viewer::Seat(ZERO)).players[ZERO].drawn, events.len())
    };
    assert_eq!(mirror(false, "2E 3E"), (pile("KW"), None, 3));
    assert_eq!(mirror(true, "2E 3E"), (pile("KW 3E"), Some(cards("3E")[0]), 4));
    assert_eq!(mirror(true, ""), (pile("KW"), None, 3), "there is nothing to draw");
}

#[test]
fn passing_sends_all_macas_home() {
    let mut table = table("9A", &["9E KW", "KA"]);
    table.macas[ZERO] = [0, 2, 1, 0, 0, 0, 0];
    table.macas[ONE] = [0, 1, 0, 0, 0, 0, 0];
    let events = play(&mut table, ZERO, "pass");
    assert_rule!("mac.13", events[0], Event::Passed { seat: ZERO, macas: 3 });
    assert_eq!((table.macas_out(ZERO), table.macas_out(ONE)), (0, 1), "only one's own");
}

#[test]
fn playing_keeps_macas_where_they_are() {
    let mut table = table("9A", &["9E KW", "KA"]);
    table.macas[ZERO] = [0, 2, 1, 0, 0, 0, 0];
    play(&mut table, ZERO, "w0 9E");
    assert_eq!(table.macas[ZERO], [0, 2, 1, 0, 0, 0, 0]);
}

#[test]
fn a_maca_at_each_well_wins_at_once() {
    let mut table = table("9A", &["9A KW", "KA", "QA"]);
    table.macas[ZERO] = [0, 1, 1, 1, 1, 1, 1];
    table.purses = vec![purse("", 0, 0), purse("E", 0, 1), purse("EA", 0, 1)].into();
    let events = play(&mut table, ZERO, "w0 9A");
    assert_eq!(events[2..], [Event::SevenWells { seat: ZERO }, Event::Ended { winners: Seats::one(ZERO) }]);
    let outcome = table.outcome().expect("the game is over");
    assert_eq!(outcome.ending.to_string(), "mac.14");
    assert_eq!(outcome.winners, Seats::one(ZERO));
    assert_eq!(outcome.places.into_vec(), [1, 3, 2], "the others by what they have");
    assert_eq!(outcome.details.seven_wells, Some(ZERO));
    for seat in Seat::all(3) {
        assert_eq!(refused(&table, seat, "pass"), ("mac.14", None));
        assert_eq!(listed(&table, seat), [""; 0]);
    }
    assert_eq!(table.view(Viewer::Spectator).stage, Stage::Over);
}

#[test]
fn a_maca_at_each_well_wins_in_a_mirror_turn_too() {
    let mut table = table("9A 4E", &["9A 4E KW", "KA"]);
    table.macas[ZERO] = [0, 0, 1, 1, 1, 1, 1];
    play(&mut table, ZERO, "w0 9A");
    assert!(table.outcome().is_none());
    play(&mut table, ZERO, "w1 4E");
    assert_eq!(table.outcome().expect("the game is over").ending.to_string(), "mac.14");
}

#[test]
fn a_maca_that_moves_can_complete_the_seven_wells() {
    let mut table = table("9A", &["9A KW", "KA"]);
    table.macas[ZERO] = [0, 2, 1, 1, 1, 1, 1];
    let mut other = table.clone();
    play(&mut table, ZERO, "w0 9A from1");
    assert!(table.outcome().is_some());
    play(&mut other, ZERO, "w0 9A from2");
    assert!(other.outcome().is_none(), "well 2 is without one now");
}

#[test]
fn seven_wells_come_before_an_empty_hand() {
    let mut table = table("9A", &["9A", "KA"]);
    table.macas[ZERO] = [0, 1, 1, 1, 1, 1, 1];
    play(&mut table, ZERO, "w0 9A");
    assert_eq!(table.outcome().expect("the game is over").ending.to_string(), "mac.14");
    assert_eq!(table.settlement, None, "the hand is not settled");
}

#[test]
fn a_hand_ends_at_once_when_somebody_goes_out() {
    let mut table = table("9A", &["9E", "KA"]);
    let events = play(&mut table, ZERO, "w0 9E");
    assert_rule!("mac.15", events[1], Event::HandEnded { hand_number: 0, end: HandEnd::EmptyHand { seat: ZERO } });
    assert_eq!(settlement(&table).end, HandEnd::EmptyHand { seat: ZERO });
    assert_eq!(table.hand_number, 1);
}

#[test]
fn going_out_with_a_mirror_turn_won_ends_the_hand_all_the_same() {
    for draws in [false, true] {
        let mut table = table("9A", &["9A", "KA"]);
        table.mirror_turn_draws = draws;
        let events = play(&mut table, ZERO, "w0 9A");
        assert!(!events.contains(&Event::MirrorTurnWon { seat: ZERO }));
        assert_eq!(settlement(&table).end, HandEnd::EmptyHand { seat: ZERO });
        // One maca, the only collected card, an empty hand, the most of AIR.
        assert_eq!(gains(&table), [(0, coins(1)), (0, coins(1)), (0, coins(1)), (0, token(Element::Air))]);
    }
}

#[test]
fn a_hand_ends_with_the_turn_that_drew_the_last_card() {
    for mv in ["pass", "w0 9E"] {
        let mut table = table("9A", &["9E KW", "KA"]);
        table.deck.clear();
        play(&mut table, ZERO, mv);
        assert_eq!(settlement(&table).end, HandEnd::EmptyDeck, "{mv}");
    }
}

#[test]
fn mirror_turns_belong_to_the_turn_that_drew_the_last_card() {
    for mv in ["decline", "w1 5E"] {
        let mut table = table("9A 4E", &["9A 5E KW", "KA"]);
        table.deck.clear();
        play(&mut table, ZERO, "w0 9A");
        assert!(is_mirror_turn_of(&table, ZERO) && table.settlement.is_none());
        play(&mut table, ZERO, mv);
        assert_eq!(settlement(&table).end, HandEnd::EmptyDeck, "{mv}");
    }
}

// The end of a hand.

#[test]
fn nobody_returns_anything_after_the_first_hand() {
    let mut table = last_turn(0, &["2E 3E", "4E"], &[]);
    table.purses = vec![purse("EA", 1, 0), purse("E", 0, 0)].into();
    play(&mut table, ZERO, "pass");
    assert_eq!(table.hand_number, 1);
    assert_eq!((settlement(&table).most_cards, settlement(&table).cards), (Seats::one(ZERO), 2));
    assert_eq!(settlement(&table).returns, []);
    assert_eq!(table.purses[ZERO], purse("EA", 1, 0));
}

#[test]
fn the_player_with_the_most_cards_returns_an_element_of_its_choice() {
    let mut table = last_turn(1, &["2E 3E", "4E"], &[]);
    table.purses = vec![purse("EA", 1, 0), purse("EF", 0, 0)].into();
    play(&mut table, ZERO, "pass");
    assert_eq!(table.to_act(), Seats::one(ZERO));
    assert_eq!(listed(&table, ZERO), ["return EARTH", "return AIR"]);
    assert_eq!(refused(&table, ZERO, "return FIRE"), ("mac.16", Some(1)));
    for other in ["pass", "decline", "buy FIRE", "w0 2E"] {
        assert_eq!(refused(&table, ZERO, other), ("mac.16", Some(0)), "{other}");
    }
    assert_eq!(refused(&table, ONE, "return EARTH"), ("mac.2", None), "it has fewer cards");
    assert_eq!(settlement(&table).shown, None, "before collections are shown");
    play(&mut table, ZERO, "return AIR");
    assert_eq!(table.purses[ZERO], purse("E", 1, 0));
    let gift = Gift::Element { element: Element::Air };
    assert_eq!(settlement(&table).returns, [Return { seat: ZERO, gift }]);
    assert!(settlement(&table).shown.is_some());
    assert_eq!(table.hand_number, 2);
}

#[test]
fn tied_players_choose_at_once_and_in_secret() {
    let mut table = last_turn(1, &["2E 3E", "4E 5E", "6E", "7E 8E"], &[]);
    table.purses = vec![purse("EA", 0, 0), purse("WF", 0, 0), purse("WF", 0, 0), purse("EAW", 0, 0)].into();
    play(&mut table, ZERO, "pass");
    assert_eq!(table.to_act(), [ZERO, ONE, THREE].into_iter().collect());
    let events = play(&mut table, ONE, "return FIRE");
    assert_eq!(events, [Event::ReturnChosen { seat: ONE }], "what it is stays secret");
    assert_eq!(table.purses[ONE], purse("WF", 0, 0), "nothing is given before all have chosen");
    assert_eq!(refused(&table, ONE, "return WATER"), ("mac.2", None), "one choice each");
    let chosen = |table: &Macarena, viewer| table.view(viewer).players[ONE].chosen_return;
    assert_eq!(chosen(&table, Viewer::Seat(ONE)), Some(Element::Fire), "it sees its own");
    assert_eq!(chosen(&table, Viewer::Seat(ZERO)), None);
    assert_eq!(chosen(&table, Viewer::Spectator), None);
    assert_eq!(chosen(&table, Viewer::Open(Over(()))), Some(Element::Fire));
    assert_eq!(table.view(Viewer::Spectator).returning, [ZERO, THREE].into_iter().collect());
    play(&mut table, THREE, "return EARTH");
    let events = play(&mut table, ZERO, "return EARTH");
    let gift = |element| Gift::Element { element };
    assert_eq!(
        events[1..4],
        [
            Event::Returned { seat: ZERO, gift: gift(Element::Earth) },
            Event::Returned { seat: ONE, gift: gift(Element::Fire) },
            Event::Returned { seat: THREE, gift: gift(Element::Earth) },
        ]
    );
    assert_eq!(table.purses[ONE], purse("W", 0, 0));
    assert_eq!(table.purses[TWO], purse("WF", 0, 0));
}

#[test]
fn a_return_is_a_secret_move_and_all_others_are_open() {
    assert!(!Macarena::is_open(&Move::Return(Element::Fire)));
    for mv in ["pass", "decline", "buy FIRE", "w0 5E"] {
        assert!(Macarena::is_open(&mv.parse().expect("it is a move")), "{mv}");
    }
}

#[test]
fn a_return_without_a_choice_is_made_by_itself() {
    let mut table = last_turn(1, &["2E 3E", "4E 5E", "6E 7E", "8E 9E"], &[]);
    table.purses = vec![purse("F", 2, 0), purse("", 3, 0), purse("", 0, 1), purse("AW", 0, 0)].into();
    play(&mut table, ZERO, "pass");
    assert_eq!(table.to_act(), Seats::one(THREE), "only one has something to choose");
    assert_eq!(table.purses[ZERO], purse("F", 2, 0), "all give at the same time");
    play(&mut table, THREE, "return AIR");
    let gifts: Vec<Gift> = settlement(&table).returns.iter().map(|given| given.gift).collect();
    let element = |element| Gift::Element { element };
    assert_eq!(gifts, [element(Element::Fire), Gift::Coins { coins: 3 }, Gift::Nothing, element(Element::Air)]);
    let left = vec![purse("", 2, 0), purse("", 0, 0), purse("", 0, 1), purse("W", 0, 0)];
    // An amulet wins with four seats, so the game is over and nothing was dealt since.
    assert_eq!(table.purses, left.into());
}

#[test]
fn hands_and_collections_are_shown_after_the_returns() {
    let mut table = last_turn(1, &["2E 3E", "4E"], &["5E 6E", "7W"]);
    let events = play(&mut table, ZERO, "pass");
    let shown =
        Shown { hands: vec![pile("2E 3E"), pile("4E")].into(), collections: vec![pile("5E 6E"), pile("7W")].into() };
    assert!(events.contains(&Event::Showed { shown: shown.clone() }));
    assert_eq!(settlement(&table).shown, Some(shown));
}

#[test]
fn every_maca_at_a_well_earns_a_coin_and_goes_home() {
    let mut table = last_turn(0, &["9E 2E", "3E", "4E"], &[]);
    table.wells[0] = Well { top: cards("9A")[0], ..table.wells[0] };
    table.macas = vec![[0, 2, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0], [0; 7]].into();
    play(&mut table, ZERO, "w0 9E");
    assert_rule!("mac.17", gains(&table), [(0, coins(2)), (1, coins(1))]);
    assert_eq!(settlement(&table).awards[0].reason, Reason::Macas { macas: 2 });
    assert_eq!(table.purses, vec![purse("", 2, 0), purse("", 1, 0), purse("", 0, 0)].into());
    assert!(Seat::all(3).all(|seat| table.macas_out(seat) == 0));
}

#[test]
fn the_largest_collection_earns_a_coin_for_each_that_ties() {
    let mut table = last_turn(0, &["2E", "3E", "4E"], &["5E 6E", "5W", "7A 8A"]);
    play(&mut table, ZERO, "pass");
    let tied: Seats = [ZERO, TWO].into_iter().collect();
    let largest = Reason::LargestCollection { cards: 2, tied };
    let awards = &settlement(&table).awards;
    assert_rule!("mac.18", (awards[0].seat, &awards[0].reason, awards[0].gain), (Some(ZERO), &largest, Some(coins(1))));
    assert_eq!((awards[1].seat, &awards[1].reason, awards[1].gain), (Some(TWO), &largest, Some(coins(1))));
    assert_eq!(awards.len(), 6, "the rest are the elements");
    assert_eq!(awards[0].to_string(), "Seat 0 got a coin for the largest collection, of 2, shared by seats 0 and 2.");
}

#[test]
fn empty_collections_earn_nothing() {
    let mut table = last_turn(0, &["2E", "3E"], &[]);
    play(&mut table, ZERO, "pass");
    assert_eq!(gains(&table), []);
    assert_eq!(settlement(&table).awards.len(), 4, "the elements, which nobody gets");
    assert!(settlement(&table).awards.iter().all(|award| award.gain == Some(Gain::Nothing)));
    let text = "Nobody got EARTH: nobody collected cards of it.";
    assert_eq!(award_of(&table, Element::Earth).to_string(), text);
}

#[test]
fn an_empty_hand_earns_a_coin() {
    let mut table = table("9A", &["9E", "KA"]);
    play(&mut table, ZERO, "w0 9E");
    assert_rule!("mac.19", gains(&table), [(0, coins(1))]);
    assert_eq!(settlement(&table).awards[0].reason, Reason::EmptyHand);
}

#[test]
fn awards_go_from_the_starter_to_the_left() {
    let mut table = last_turn(0, &["2E", "3E", "4E"], &["5E 6E", "7A 8A", "9W 10W"]);
    table.starter = ONE;
    table.macas = vec![[0; 7], [1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]].into();
    play(&mut table, ZERO, "pass");
    let seats: Vec<u8> = gains(&table).into_iter().map(|(seat, _)| seat).collect();
    assert_eq!(seats, [1, 2, 1, 2, 0, 0, 1, 2], "macas, collections, then EARTH, AIR, WATER");
}

#[test]
fn the_most_cards_of_an_element_earn_its_token() {
    let mut table = last_turn(0, &["2E", "3E"], &["5E 6E AW", "KE 7W 8W"]);
    play(&mut table, ZERO, "pass");
    assert_rule!("mac.20", award_of(&table, Element::Earth).seat, Some(ZERO), "two small ones are more than a king");
    assert_eq!(award_of(&table, Element::Water).seat, Some(ONE));
    let most = Reason::MostOfElement { element: Element::Water, cards: 2, tied: Seats::one(ONE), decided: None };
    assert_eq!(award_of(&table, Element::Water).reason, most);
    assert_eq!((award_of(&table, Element::Fire).seat, award_of(&table, Element::Air).seat), (None, None));
    assert_eq!(table.purses, vec![purse("E", 1, 0), purse("W", 1, 0)].into());
}

/// The winner of EARTH for these collections, and the card that decided.
fn earth(collections: &[&str]) -> (Option<u8>, Option<(u8, String)>) {
    let hands = ["2F", "3F", "4F", "5F"];
    let mut table = last_turn(0, &hands[..collections.len()], collections);
    play(&mut table, ZERO, "pass");
    let award = award_of(&table, Element::Earth);
    let Reason::MostOfElement { decided, .. } = award.reason else { unreachable!("it is for the most cards") };
    (award.seat.map(Seat::number), decided.map(|decided| (decided.place, decided.card.to_string())))
}

#[test]
fn tied_players_compare_their_highest_cards() {
    let by = |place, card: &str| Some((place, card.to_string()));
    assert_eq!(earth(&["2E AE", "KE QE"]), (Some(0), by(0, "AE")), "the ace is above the king");
    assert_eq!(earth(&["2E 3E", "3E 4E"]), (Some(1), by(0, "4E")));
    assert_eq!(earth(&["KE 2E", "KE 3E"]), (Some(1), by(1, "3E")), "the second highest decides");
    assert_eq!(earth(&["KE 9E 2E", "KE 9E 3E"]), (Some(1), by(2, "3E")));
    assert_eq!(earth(&["KE KE 2E", "AE 4E 3E"]), (Some(1), by(0, "AE")));
    assert_eq!(earth(&["5E 4E", "KE 3E", "KE 2E"]), (Some(1), by(1, "3E")), "three ties, two with a king");
    assert_eq!(earth(&["5E 4E", "5E 4E", "6E 2E"]), (Some(2), by(0, "6E")), "below the best, equals do not matter");
    assert_eq!(earth(&["10E", "9E", "5E 4E", "5E 6E"]), (Some(3), by(0, "6E")));
}

#[test]
fn nobody_gets_a_token_for_identical_cards() {
    assert_eq!(earth(&["KE 2E", "KE 2E"]), (None, None));
    assert_eq!(earth(&["KE 2E", "KE 2E", "AE"]), (None, None), "nor does a third with fewer");
    let mut table = last_turn(0, &["2F", "3F"], &["KE", "KE"]);
    play(&mut table, ZERO, "pass");
    assert_eq!(award_of(&table, Element::Earth).gain, Some(Gain::Nothing));
    assert_eq!(
        award_of(&table, Element::Earth).to_string(),
        "Nobody got EARTH: seats 0 and 1 collected the same cards of it."
    );
}

#[test]
fn a_third_with_as_many_but_lower_cards_is_not_said_to_have_the_same() {
    assert_eq!(earth(&["KE 2E", "KE 2E", "QE 3E"]), (None, None));
    let mut table = last_turn(0, &["2F", "3F", "4F"], &["KE 2E", "KE 2E", "QE 3E"]);
    play(&mut table, ZERO, "pass");
    assert_eq!(
        award_of(&table, Element::Earth).to_string(),
        "Nobody got EARTH: the best of seats 0, 1 and 2 collected the same cards of it."
    );
}

#[test]
fn a_second_token_of_an_element_is_a_coin_instead() {
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE", ""]);
    table.purses[ZERO] = purse("E", 0, 0);
    play(&mut table, ZERO, "pass");
    assert_rule!("mac.21", gains(&table), [(0, coins(1)), (0, Gain::CoinInstead { element: Element::Earth })]);
    assert_eq!(table.purses[ZERO], purse("E", 2, 0));
}

#[test]
fn elements_that_nobody_wins_come_last_but_in_version_1() {
    use Element::*;
    for (version, order) in [(2, [Water, Earth, Air, Fire]), (1, [Earth, Air, Water, Fire])] {
        let mut table = last_turn(0, &["2F", "3F"], &["", "KW QW"]);
        table.edition.version = version;
        play(&mut table, ZERO, "pass");
        assert_eq!(order_of_awards(&table), order, "version {version}");
    }
}

/// The payment of each element, won by these seats in the order EARTH, AIR, WATER, FIRE, for players with these purses.
fn settle(purses: &[Purse], winners: [Option<u8>; 4], version: u32) -> (Macarena, Vec<Event>) {
    let mut table = last_turn(1, &vec!["KE"; 2][..purses.len()], &[]);
    table.edition.version = version;
    table.purses = BySeat::from(purses.to_vec());
    let mut awards: Vec<Award> = (Element::ALL.into_iter().zip(winners))
        .map(|(element, winner)| Award {
            seat: winner.map(Seat::new),
            reason: Reason::MostOfElement { element, cards: 1, tied: Seats::NONE, decided: None },
            gain: None,
            exchanges: Vec::new(),
        })
        .collect();
    if version >= 2 {
        awards.sort_by_key(|award| award.seat.is_none());
    }
    let (end, most_cards) = (HandEnd::EmptyDeck, Seats::NONE);
    table.settlement =
        Some(Settlement { hand_number: 1, end, most_cards, cards: 0, returns: Vec::new(), shown: None, awards });
    let mut events = Vec::new();
    table.settle(&mut Chance::fast(0), &mut events);
    (table, events)
}

/// The elements in the order in which they stand in the settlement.
fn order_of_awards(table: &Macarena) -> Vec<Element> {
    let element = |award: &Award| match award.reason {
        Reason::MostOfElement { element, .. } => Some(element),
        _ => None,
    };
    settlement(table).awards.iter().filter_map(element).collect()
}

#[test]
fn elements_that_are_needed_are_paid_first() {
    use Element::*;
    // EARTH, AIR and WATER are there; EARTH and FIRE are won.
    let (table, _) = settle(&[purse("EAW", 0, 0), purse("", 0, 0)], [Some(0), None, None, Some(0)], 2);
    assert_rule!("mac.21", table.purses[ZERO], purse("E", 0, 1));
    assert_eq!(order_of_awards(&table), [Fire, Earth, Air, Water], "elements that nobody wins come last");
    // All four are won, and two are there.
    let (table, _) = settle(&[purse("EA", 0, 0), purse("", 0, 0)], [Some(0); 4], 2);
    assert_eq!((table.purses[ZERO], order_of_awards(&table)), (purse("EA", 0, 1), vec![Water, Fire, Earth, Air]));
    // Nothing that is won is lacked, but the fourth coin buys the last element.
    let (table, _) = settle(&[purse("EAW", 3, 0), purse("", 0, 0)], [Some(0), Some(0), None, None], 2);
    assert_eq!(table.purses[ZERO], purse("A", 0, 1));
    let gained: Vec<Gain> = settlement(&table).awards.iter().filter_map(|award| award.gain).collect();
    assert_eq!(gained[..2], [Gain::CoinInstead { element: Earth }, token(Air)]);
}

#[test]
fn version_1_pays_elements_in_a_fixed_order_whoever_has_what() {
    use Element::*;
    let (table, _) = settle(&[purse("EAW", 0, 0), purse("", 0, 0)], [Some(0), None, None, Some(0)], 1);
    assert_eq!((table.purses[ZERO], order_of_awards(&table)), (purse("", 1, 1), vec![Earth, Air, Water, Fire]));
}

#[test]
fn a_purchase_is_made_before_the_next_award_is_paid_to_anybody() {
    use Element::*;
    let (mut table, events) = settle(&[purse("E", 3, 0), purse("EA", 0, 0)], [Some(0), Some(1), Some(0), Some(1)], 2);
    let paid: Vec<Option<Seat>> = events
        .iter()
        .filter_map(|event| if let Event::Awarded { award } = event { Some(award.seat) } else { None })
        .collect();
    assert_eq!(paid, [Some(ZERO), Some(ONE), Some(ZERO)], "WATER, FIRE and EARTH as a coin");
    assert_eq!(order_of_awards(&table), [Water, Fire, Earth, Air]);
    assert_eq!(listed(&table, ZERO), ["buy AIR", "buy FIRE"]);
    assert_rule!("mac.22", table.purses[ONE], purse("EAF", 0, 0), "AIR is still to be paid");
    play(&mut table, ZERO, "buy FIRE");
    assert_eq!(table.purses, BySeat::from(vec![purse("EWF", 0, 0), purse("EAF", 1, 0)]));
    assert!(settlement(&table).awards.iter().all(|award| award.gain.is_some()));
}

#[test]
fn awards_that_are_still_unpaid_follow_in_the_order_of_their_elements() {
    use Element::*;
    let (table, _) = settle(&[purse("EA", 3, 0), purse("AWF", 0, 0)], [Some(0), Some(1), None, Some(1)], 2);
    assert_eq!(listed(&table, ZERO), ["buy WATER", "buy FIRE"], "EARTH was the fourth coin");
    assert_eq!(order_of_awards(&table), [Earth, Air, Fire, Water]);
    let is_paid: Vec<bool> = settlement(&table).awards.iter().map(|award| award.gain.is_some()).collect();
    assert_eq!(is_paid, [true, false, false, false]);
}

#[test]
fn with_first_hand_returns_the_first_hand_is_like_the_others() {
    let mut table = last_turn(0, &["KE QE", "KA"], &[]);
    table.edition.first_hand_returns = true;
    table.purses = BySeat::from(vec![purse("EA", 0, 0), purse("W", 0, 0)]);
    play(&mut table, ZERO, "pass");
    assert_rule!("mac.16", listed(&table, ZERO), ["return EARTH", "return AIR"]);
    play(&mut table, ZERO, "return AIR");
    assert_eq!(table.purses[ZERO], purse("E", 0, 0));
    // The token of the start is the only one: it is returned without asking.
    let mut table = last_turn(0, &["KE QE", "KA"], &[]);
    table.edition.first_hand_returns = true;
    table.purses = BySeat::from(vec![purse("E", 0, 0), purse("W", 0, 0)]);
    play(&mut table, ZERO, "pass");
    assert_eq!((table.purses[ZERO], table.hand_number), (purse("", 0, 0), 1));
}

#[test]
fn first_hand_returns_is_an_option_of_version_2() {
    let options = Options { first_hand_returns: Some(true), ..Options::default() };
    assert_eq!(Macarena::unknown_option(&options, 1), Some("firstHandReturns"));
    assert_eq!(Macarena::unknown_option(&options, 2), None);
    assert!(Macarena::setup(&options, 2, 2, &mut Chance::fast(0)).edition.first_hand_returns);
}

#[test]
fn four_coins_buy_an_element_of_choice() {
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE", ""]);
    table.purses[ZERO] = purse("E", 3, 0);
    let events = play(&mut table, ZERO, "pass");
    assert!(!events.iter().any(|event| matches!(event, Event::HandBegan { .. })), "the settling waits");
    assert_eq!(table.to_act(), Seats::one(ZERO));
    assert_eq!(listed(&table, ZERO), ["buy AIR", "buy WATER", "buy FIRE"]);
    assert_eq!(refused(&table, ZERO, "buy EARTH"), ("mac.22", Some(1)));
    for other in ["pass", "decline", "return EARTH", "w0 2F"] {
        assert_eq!(refused(&table, ZERO, other), ("mac.22", Some(0)), "{other}");
    }
    assert_eq!(refused(&table, ONE, "buy FIRE"), ("mac.2", None));
    let view = table.view(Viewer::Spectator);
    assert_eq!((view.stage, view.turn), (Stage::Buying, Some(ZERO)));
    assert_eq!(view.settlement.expect("it is under way").awards[1].gain, None, "EARTH comes after the coin");
    let events = play(&mut table, ZERO, "buy WATER");
    assert_eq!(events[0], Event::Bought { seat: ZERO, element: Element::Water });
    assert_eq!(gains(&table), [(0, coins(1)), (0, Gain::CoinInstead { element: Element::Earth })]);
    assert_eq!(table.purses[ZERO], purse("EW", 1, 0));
    assert_eq!(exchanges(&table), [Exchange::Bought { element: Element::Water }]);
    assert_eq!(table.hand_number, 1, "and the next hand begins");
}

#[test]
fn an_only_missing_element_is_bought_by_itself_and_makes_an_amulet() {
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE", ""]);
    table.purses[ZERO] = purse("EAW", 3, 0);
    let events = play(&mut table, ZERO, "pass");
    assert!(events.contains(&Event::Bought { seat: ZERO, element: Element::Fire }));
    assert!(events.contains(&Event::AmuletMade { seat: ZERO }));
    assert_eq!(gains(&table), [(0, coins(1)), (0, token(Element::Earth))], "EARTH is missing again by then");
    assert_eq!(exchanges(&table), [Exchange::Bought { element: Element::Fire }, Exchange::Amulet]);
    assert_eq!(table.purses[ZERO], purse("E", 0, 1));
}

#[test]
fn four_elements_become_an_amulet_at_once() {
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE 2A", "KE KA 2A QA"]);
    table.purses[ZERO] = purse("AWF", 0, 0);
    play(&mut table, ZERO, "pass");
    // EARTH makes the amulet.
    assert_eq!(table.purses[ZERO], purse("", 0, 1));
    assert_eq!(exchanges(&table), [Exchange::Amulet]);
}

#[test]
fn buying_and_amulets_repeat_until_neither_applies() {
    let mut table = last_turn(0, &["2F", "3F"], &[]);
    table.macas[ZERO] = [2, 0, 0, 0, 0, 0, 5];
    table.purses[ZERO] = purse("AW", 3, 0);
    play(&mut table, ZERO, "pass");
    assert_eq!(table.hand_number, 1, "passing brought them home");

    let mut table = last_turn(0, &["2F 9E", "3F"], &[]);
    table.wells[0] = Well { top: cards("9A")[0], ..table.wells[0] };
    table.macas[ZERO] = [2, 0, 0, 0, 0, 0, 5];
    table.purses[ZERO] = purse("AW", 3, 0);
    play(&mut table, ZERO, "w0 9E");
    assert_eq!(table.purses[ZERO], purse("AW", 10, 0), "an exchange under way");
    assert_eq!(listed(&table, ZERO), ["buy EARTH", "buy FIRE"]);
    play(&mut table, ZERO, "buy FIRE");
    let bought = |element| Exchange::Bought { element };
    // The missing EARTH follows by itself.
    assert_eq!(exchanges(&table), [bought(Element::Fire), bought(Element::Earth), Exchange::Amulet]);
    assert_eq!(table.purses[ZERO], purse("", 2, 1));

    let mut table = last_turn(0, &["2F 9E", "3F"], &[]);
    table.wells[0] = Well { top: cards("9A")[0], ..table.wells[0] };
    table.macas[ZERO] = [2, 0, 0, 0, 0, 0, 5];
    table.purses[ZERO] = purse("AWF", 3, 0);
    play(&mut table, ZERO, "w0 9E");
    assert_eq!(exchanges(&table), [bought(Element::Earth), Exchange::Amulet], "and now there is a choice");
    assert_eq!(listed(&table, ZERO).len(), 4);
    play(&mut table, ZERO, "buy EARTH");
    assert_eq!(exchanges(&table), [bought(Element::Earth), Exchange::Amulet, bought(Element::Earth)]);
    assert_eq!(table.purses[ZERO], purse("E", 2, 1));
}

#[test]
fn an_exchange_is_told_with_the_award_that_caused_it() {
    // The coin for the collection leaves three, the coin instead of EARTH makes four.
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE", ""]);
    table.purses[ZERO] = purse("EA", 2, 0);
    play(&mut table, ZERO, "pass");
    play(&mut table, ZERO, "buy FIRE");
    assert_eq!(settlement(&table).awards[0].exchanges, []);
    let earth = award_of(&table, Element::Earth);
    assert_eq!(earth.exchanges, [Exchange::Bought { element: Element::Fire }]);
}

#[test]
fn two_amulets_win_with_two_or_three_seats_and_one_with_more() {
    for (seats, amulets, is_over) in [(2, 1, false), (3, 1, false), (3, 2, true), (4, 1, true), (5, 1, true)] {
        let hands = ["2F", "3F", "4F", "5F", "6F"];
        let mut table = last_turn(0, &hands[..seats], &["KE QE"]);
        table.purses[ZERO] = purse("AWF", 0, amulets - 1);
        play(&mut table, ZERO, "pass");
        assert_eq!(table.purses[ZERO], purse("", 1, amulets));
        assert_eq!(table.outcome().is_some(), is_over, "{seats} seats, {amulets}");
        if let Some(outcome) = table.outcome() {
            assert_eq!((outcome.ending.to_string().as_str(), outcome.winners), ("mac.23", Seats::one(ZERO)));
            assert_eq!(refused(&table, ONE, "pass"), ("mac.23", None));
        }
    }
}

/// Three players at the end of the last hand, in which nobody got anything.
fn ranked(purses: [Purse; 3], max_hands: u16) -> (Vec<u8>, Vec<Seat>) {
    let mut table = last_turn(0, &["2F", "3F", "4F"], &[]);
    table.max_hands = max_hands;
    table.purses = purses.to_vec().into();
    play(&mut table, ZERO, "pass");
    let outcome = table.outcome().expect("the game is over");
    assert_eq!(outcome.ending.to_string(), "mac.23");
    (outcome.places.into_vec(), outcome.winners.into())
}

#[test]
fn several_at_the_goal_compare_amulets_elements_and_coins() {
    let at = |a, b, c| ranked([a, b, c], 50);
    assert_eq!(at(purse("EAW", 3, 2), purse("", 0, 3), purse("E", 0, 0)), (vec![2, 1, 3], vec![ONE]));
    assert_eq!(at(purse("", 3, 2), purse("E", 0, 2), purse("EAW", 0, 1)), (vec![2, 1, 3], vec![ONE]));
    assert_eq!(at(purse("A", 1, 2), purse("E", 0, 2), purse("", 0, 0)), (vec![1, 2, 3], vec![ZERO]));
    assert_eq!(at(purse("A", 1, 2), purse("E", 1, 2), purse("EA", 0, 1)), (vec![1, 1, 3], vec![ZERO, ONE]));
}

#[test]
fn after_the_last_hand_everybody_is_ranked() {
    let at = |a, b, c| ranked([a, b, c], 1);
    assert_eq!(at(purse("", 0, 0), purse("E", 0, 0), purse("", 1, 0)), (vec![3, 1, 2], vec![ONE]));
    assert_eq!(at(purse("", 0, 0), purse("", 0, 0), purse("", 0, 0)), (vec![1, 1, 1], vec![ZERO, ONE, TWO]));
    assert_eq!(at(purse("E", 2, 1), purse("E", 2, 1), purse("EA", 0, 0)), (vec![1, 1, 3], vec![ZERO, ONE]));
}

#[test]
fn players_who_always_pass_come_to_an_end() {
    for seats in Macarena::SEATS {
        let options = Options { max_hands: 3, ..Options::default() };
        let mut table = Macarena::setup(&options, 2, seats, &mut Chance::fast(1));
        let mut chance = Chance::fast(2);
        let mut plies = 0;
        while let Some(seat) = table.to_act().first() {
            let mv = table.legal_moves(seat).next().expect("a seat to act has a move");
            table.apply(seat, &mv, &mut chance, &mut Nobody).expect("it is listed");
            plies += 1;
        }
        assert!(plies < 3 * CARDS, "{plies}");
        assert_eq!(table.standing().details.hands_played, 3);
    }
}

// What players learn.

#[test]
fn a_player_sees_its_own_hand_and_the_card_it_drew() {
    let mut table = table("4E", &["5E KE", "KE 6E"]);
    table.deck.push(cards("AW")[0]);
    play(&mut table, ZERO, "pass");
    let own = table.view(Viewer::Seat(ONE)).players[ONE].clone();
    assert_eq!((own.hand_size, own.hand, own.drawn), (3, Some(pile("6E KE AW")), Some(cards("AW")[0])));
    let json = serde_json::to_value(&own).expect("a view is plain data");
    assert_eq!(json["hand"], serde_json::json!(["6E", "KE", "AW"]), "sorted");
    for viewer in [Viewer::Seat(ZERO), Viewer::Spectator] {
        let other = table.view(viewer).players[ONE].clone();
        assert_eq!((other.hand_size, other.hand, other.drawn), (3, None, None));
    }
}

#[test]
fn a_player_sees_its_own_collection_and_others_only_its_size() {
    let table = on("4E", "5E 6E 7E");
    let player = |viewer| table.view(viewer).players[ZERO].clone();
    assert_eq!(player(Viewer::Seat(ZERO)).collection, Some(pile("5E 6E")));
    for viewer in [Viewer::Seat(ONE), Viewer::Spectator] {
        assert_eq!((player(viewer).collection, player(viewer).collection_size), (None, 2));
    }
}

#[test]
fn everybody_sees_wells_macas_tokens_and_sizes() {
    let mut table = table("4E", &["5E KE", "6E KE"]);
    table.macas[ONE] = [0, 2, 0, 0, 0, 0, 0];
    table.purses[ONE] = purse("EF", 3, 1);
    play(&mut table, ZERO, "w0 5E");
    for viewer in [Viewer::Seat(ZERO), Viewer::Seat(ONE), Viewer::Spectator] {
        let view = table.view(viewer);
        assert_eq!((view.wells[0].top, view.wells[0].under_size), (cards("5E")[0], 1));
        assert_eq!(view.wells[0].under, None);
        assert_eq!(view.wells[1].macas, vec![0, 2].into());
        assert_eq!(view.deck_size as usize, table.deck.len());
        assert_eq!(view.deck, None);
        let PlayerView { elements: tokens, coins, amulets, macas_at_home, .. } = view.players[ONE];
        assert_eq!((tokens, coins, amulets, macas_at_home), (elements("EF"), 3, 1, 5));
        assert_eq!((view.hand_number, view.goal, view.starter, view.turn), (0, 2, ZERO, Some(ONE)));
        assert_eq!(view.stage, Stage::NormalTurn);
    }
}

#[test]
fn a_view_tells_a_mirror_turn_from_a_normal_one() {
    assert_eq!(on("5E", "6E 6E").view(Viewer::Spectator).stage, Stage::MirrorTurn);
    assert_eq!(on("5E", "6E").view(Viewer::Spectator).stage, Stage::NormalTurn);
}

#[test]
fn a_settlement_is_shown_until_the_next_hand_ends() {
    let mut table = last_turn(0, &["2F", "3F"], &["KE QE", ""]);
    play(&mut table, ZERO, "pass");
    let first = settlement(&table).clone();
    assert_eq!(first.hand_number, 0);
    let mut chance = Chance::fast(4);
    while table.hand_number == 1 && matches!(table.phase, Phase::Turn { .. }) {
        for viewer in [Viewer::Seat(ZERO), Viewer::Seat(ONE), Viewer::Spectator] {
            assert_eq!(table.view(viewer).settlement.as_ref(), Some(&first));
        }
        let seat = table.to_act().first().expect("it is somebody's turn");
        table.apply(seat, &Move::Pass, &mut chance, &mut Nobody).expect("one may pass");
    }
    assert_eq!(settlement(&table).hand_number, 1);
}

#[test]
fn after_the_end_all_is_open() {
    let table = on("4E", "5E 6E 7E");
    let view = table.view(Viewer::Open(Over(())));
    assert_eq!(view.players.map(|player| player.hand), table.hands.map(|hand| Some(*hand)));
    assert_eq!(view.players[ZERO].collection, Some(pile("5E 6E")));
    assert_eq!(view.wells[0].under, Some(pile("4E")));
    let mut deck = view.deck.expect("it is open");
    deck.reverse();
    assert_eq!(deck, table.deck);
}

// What players cannot know.

#[test]
fn pending_returns_are_imagined_anew() {
    let mut table = last_turn(1, &["2E 3E", "4E 5E"], &["6E", "7E"]);
    table.purses = vec![purse("EA", 0, 0), purse("AWF", 0, 0)].into();
    play(&mut table, ZERO, "pass");
    play(&mut table, ONE, "return FIRE");
    for viewer in [Viewer::Seat(ZERO), Viewer::Spectator] {
        let mut drawn = BTreeSet::new();
        for n in 0..200 {
            let other = table.imagine(viewer, &mut Chance::fast(n));
            assert_eq!(other.view(viewer), table.view(viewer));
            assert_eq!(other.collections, table.collections);
            drawn.extend(other.unknown(viewer));
        }
        assert_eq!(drawn, table.possible(viewer));
        assert!(drawn.contains(&("return 1".into(), "AIR".into())));
    }
    let own = table.imagine(Viewer::Seat(ONE), &mut Chance::fast(1));
    assert_eq!(own.phase, table.phase, "one knows one's own choice");
}

#[test]
fn what_was_shown_is_not_imagined_anew() {
    let mut table = table("9A", &["9E", "KA QA"]);
    table.purses[ZERO] = purse("E", 3, 0);
    play(&mut table, ZERO, "w0 9E");
    assert_eq!(table.phase, Phase::Buying { seat: ZERO });
    for viewer in [Viewer::Seat(ZERO), Viewer::Seat(ONE), Viewer::Spectator] {
        let mut other = table.imagine(viewer, &mut Chance::fast(5));
        assert_ne!(other.deck, table.deck, "the deck is never shown");
        other.deck = table.deck.clone();
        assert_eq!(other, table);
    }
}

#[test]
fn every_world_that_fits_is_imagined_as_often_as_any_other() {
    // Seat 1 has two cards and the deck two more: any two of the four, and the others in either order.
    let mut table = last_turn(1, &["KE", "QA JW"], &[]);
    table.deck = cards("2A 3A");
    let mut chance = Chance::fast(4);
    let came = count(6000, || {
        let other = table.imagine(Viewer::Seat(ZERO), &mut chance);
        (Vec::from(other.hands[ONE]), other.deck)
    });
    let four = cards("2A 3A QA JW");
    let mut worlds = BTreeSet::new();
    for order in permutations(&four) {
        let mut hand = order[..2].to_vec();
        hand.sort_unstable();
        worlds.insert((hand, order[2..].to_vec()));
    }
    assert_eq!(worlds.len(), 12);
    assert_fits(&came, &evenly(worlds));
}

#[test]
fn a_card_that_was_drawn_is_imagined_as_any_of_the_hand_with_two_copies_twice() {
    let mut table = last_turn(1, &["KE KE QE", "JW"], &[]);
    table.drawn = Some(cards("QE")[0]);
    let mut chance = Chance::fast(5);
    let came = count(4000, || {
        let other = table.imagine(Viewer::Seat(ONE), &mut chance);
        other.drawn.map(|card| card.to_string())
    });
    assert_fits(&came, &BTreeMap::from([(Some("KE".into()), 2), (Some("QE".into()), 1)]));
}

fn permutations(cards: &[Card]) -> Vec<Vec<Card>> {
    let Some((first, rest)) = cards.split_first() else { return vec![Vec::new()] };
    let with_first = |order: Vec<Card>| {
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat()).collect::<Vec<_>>()
    };
    permutations(rest).into_iter().flat_map(with_first).collect()
}

#[test]
fn other_hands_are_imagined_anew_and_one_s_own_is_kept() {
    let table = Macarena::setup(&Options::default(), 2, 3, &mut Chance::fast(8));
    let viewer = Viewer::Seat(ZERO);
    let other = table.imagine(viewer, &mut Chance::fast(1));
    assert_eq!(other.hands[ZERO], table.hands[ZERO]);
    assert_ne!((other.hands[ONE], other.hands[TWO]), (table.hands[ONE], table.hands[TWO]));
    assert_eq!(other.hands.map(|hand| hand.len()), table.hands.map(|hand| hand.len()));
    let drawn = other.drawn.expect("the starter has drawn");
    assert!(other.hands[other.starter].count(drawn) > 0);
}

// Listing, continuing, drawing at random.

/// Every series of at most this length that [`Rules::check`] accepts, found by trying all cards.
fn tried(table: &Macarena, seat: Seat, longest: usize) -> BTreeSet<String> {
    let mut accepted = BTreeSet::new();
    for well in 0..small(WELLS) {
        let mut lengths = vec![Vec::new()];
        for _ in 0..longest {
            let longer = lengths.iter().flat_map(|cards: &Vec<Card>| {
                table.hands[seat].faces().map(|card| cards.iter().copied().chain([card]).collect::<Vec<Card>>())
            });
            lengths = longer.collect();
            for cards in &lengths {
                for from in std::iter::once(None).chain((0..8).map(Some)) {
                    let mv = Move::Play { well, cards: cards.clone(), from };
                    if table.check(seat, &mv).is_ok() {
                        accepted.insert(mv.to_string());
                    }
                }
            }
        }
    }
    accepted
}

fn cards_of(mv: &str) -> usize {
    mv.split(' ').filter(|token| token.parse::<Card>().is_ok()).count()
}

#[test]
fn the_list_is_all_that_the_check_accepts() {
    let mut crowded = table("9A 5E 5W 7E 10F 9W 4A", &["9A 9E 9W 5E 6E 6E 5W KW", "KA"]);
    crowded.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    let mut barred = table("9A 5E 5W 6E 10F 9W 4A", &["9A 9E 10E 10A 9F 10F 5W 6W", "KA"]);
    barred.macas[ONE] = [0, 3, 0, 0, 1, 0, 0];
    for table in [crowded, barred] {
        let listed = listed(&table, ZERO);
        let short: BTreeSet<String> = listed.iter().filter(|mv| (1..=4).contains(&cards_of(mv))).cloned().collect();
        assert_eq!(short, tried(&table, ZERO, 4));
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "each once");
    }
}

#[test]
fn the_list_begins_with_pass_and_goes_by_length_and_well() {
    for seed in 0..20 {
        let table = Macarena::setup(&Options::default(), 2, 2, &mut Chance::fast(seed));
        let listed = listed(&table, table.starter);
        assert_eq!(listed[0], "pass");
        let order: Vec<(usize, String)> =
            listed[1..].iter().map(|mv| (cards_of(mv), mv.split(' ').next().unwrap_or_default().into())).collect();
        assert!(order.is_sorted(), "{listed:?}");
    }
}

#[test]
fn continuations_are_those_of_the_list() {
    let mut tables: Vec<Macarena> =
        (0..12).map(|seed| Macarena::setup(&Options::default(), 2, 2, &mut Chance::fast(seed))).collect();
    let mut crowded = table("9A 5E 5W 7E 10F 9W 4A", &["9A 9E 9W 5E 6E 6E 5W KW", "KA"]);
    crowded.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    tables.push(crowded);
    tables.push(on("5E", "6E 6E"));
    let mut returning = last_turn(1, &["2E 3E", "4E"], &[]);
    returning.purses[ZERO] = purse("EA", 0, 0);
    play(&mut returning, ZERO, "pass");
    tables.push(returning);
    for table in tables {
        let seat = table.to_act().first().expect("somebody is to act");
        let all = listed(&table, seat);
        for mv in &all {
            let tokens: Vec<&str> = mv.split(' ').collect();
            for known in 0..=tokens.len() {
                let prefix = &tokens[..known];
                assert_eq!(table.continuations(seat, prefix), follow(all.iter().cloned(), prefix), "{prefix:?}");
            }
        }
    }
}

#[test]
fn nothing_continues_what_is_no_beginning_of_a_move() {
    let mut table = table("9A 5E", &["9A 9E 6E 6E KW", "KA"]);
    table.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    let many = vec!["9E"; 100_000];
    for prefix in [
        &["w9"][..],
        &["w00"],
        &["W0"],
        &["w0", "KW"],
        &["w0", "9F"],
        &["w0", ""],
        &["w0", "9A", "9E"],
        &["w0", "from1"],
        &["w0", "9A", "from0"],
        &["w0", "9A", "from1", "from1"],
        &["w0", "9A", "from1", "9E"],
        &["w0", "9E", "from1"],
        &["pass", "pass"],
        &["decline"],
        &["return"],
        &["é"],
        &many,
    ] {
        assert_eq!(table.continuations(ZERO, prefix), Continuations::default(), "{:?}", &prefix[..prefix.len().min(5)]);
    }
    assert!(table.continuations(ZERO, &["w0", "9A", "from1"]).is_move);
    assert_eq!(table.continuations(ZERO, &["w0", "9A"]).next, ["from1", "from2"]);
}

#[test]
fn every_legal_move_can_be_drawn() {
    let mut table = table("9A 5E 5W", &["9A 9E 9W 6E 6E 5W", "KA"]);
    table.macas[ZERO] = [0, 3, 4, 0, 0, 0, 0];
    let mut chance = Chance::fast(1);
    let drawn: BTreeSet<String> = (0..20_000).map(|_| table.any_move(ZERO, &mut chance).to_string()).collect();
    assert_eq!(drawn, listed(&table, ZERO).into_iter().collect());
}

#[test]
fn a_very_long_list_is_cut_and_still_offers_every_well() {
    // Nearly half of all cards in one hand.
    let mut table = Macarena::setup(&Options::default(), 2, 2, &mut Chance::fast(5));
    let mut chance = Chance::fast(6);
    while table.deck.len() > 1 {
        let seat = table.to_act().first().expect("somebody is to act");
        table.apply(seat, &Move::Pass, &mut chance, &mut Nobody).expect("one may pass");
    }
    let seat = table.to_act().first().expect("somebody is to act");
    assert!(table.hands[seat].len() > 45);
    let game = Game::from_position(table, 2);
    let (moves, complete) = game.legal_moves(seat, 1000);
    assert_eq!((moves.len(), complete), (1000, false));
    let wells: BTreeSet<u8> =
        moves.iter().filter_map(|mv| if let Move::Play { well, .. } = mv { Some(*well) } else { None }).collect();
    let playable = game.continuations(seat, &[]).0.len() - 1;
    assert_eq!(wells.len(), playable);
    assert_eq!(game.rules().legal_moves(seat).take(200_000).count(), 200_000);
}

// Notation.

#[test]
fn moves_read_back_as_they_are_written() {
    for text in ["w4 5E 6E 7E", "w4 5E from2", "w0 10W AA KF", "w255", "pass", "decline", "return WATER", "buy FIRE"] {
        let mv: Move = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(mv.to_string(), text);
    }
}

#[test]
fn other_texts_cannot_be_read() {
    let long = format!("w0{}", " 5E".repeat(CARDS + 1));
    let huge = "w0 5E ".repeat(100_000);
    for text in [
        "",
        " ",
        "w",
        "4",
        "w4 ",
        " w4",
        "w4  5E",
        "w04 5E",
        "w+4 5E",
        "w256 5E",
        "w-1",
        "W4 5E",
        "w4 5e",
        "w4 1E",
        "w4 11E",
        "w4 E",
        "w4 A",
        "w4 5",
        "w4 5X",
        "w4 from2 5E",
        "w4 5E from",
        "w4 5E from02",
        "w4 5E from2 from2",
        "w4 5E from999",
        "pass pass",
        "Pass",
        "decline now",
        "return",
        "return water",
        "return WATER FIRE",
        "buy",
        "buy E",
        "return WATER ",
        "é",
        "w4 5É",
        "wé",
        "w4 é",
        "w٤ 5E",
        "w4\u{a0}5E",
        "w4\t5E",
        "w4 5E\n",
        long.as_str(),
        huge.as_str(),
    ] {
        let error = text.parse::<Move>().expect_err("it is no move");
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[test]
fn cards_are_named_by_rank_and_element() {
    let names: BTreeSet<String> = Card::faces().map(|card| card.to_string()).collect();
    assert_eq!(names.len(), 52);
    for card in Card::faces() {
        assert_eq!(card.to_string().parse(), Ok(card));
    }
    let ace_of_air: Card = "AA".parse().expect("it is a card");
    assert_eq!((ace_of_air.rank(), ace_of_air.element()), (0, Element::Air));
}

#[test]
fn moves_are_described_in_words() {
    let table = table("4E", &["5E 4E KW", "KA"]);
    let words = |mv: &str| table.describe(ZERO, &mv.parse().expect("it is a move"));
    assert_eq!(words("w0 5E"), "Play 5E on well 0");
    assert_eq!(words("w0 4E"), "Play 4E on well 0, a mirror");
    assert_eq!(words("w0 4E from2"), "Play 4E on well 0, a mirror, with the maca of well 2");
    assert_eq!(words("w99 4E"), "Play 4E on well 99");
    assert_eq!(words("buy FIRE"), "Buy FIRE with four coins");
}

#[test]
fn a_refusal_reaches_the_player_with_its_rule_and_card() {
    let entropy = Entropy::new(Seed::new([1; 32]), []);
    let mut game = Game::from_position(table("5E", &["6E 5E KW", "KA"]), 2);
    let refusal = game.play(ZERO, &"w0 6E 5E".parse().expect("it is a move"), &entropy).expect_err("it turns round");
    let Refusal::Illegal(illegal) = refusal else { panic!("{refusal}") };
    assert_eq!((illegal.rule, illegal.token), (RuleId("mac.6"), Some(2)));
    assert_eq!(
        illegal.text,
        "5E changes the direction of the ladder; that is possible only after a step to the same number."
    );
    assert_eq!(game.ply(), 0);
}

#[test]
fn events_are_told_in_sentences() {
    let mut table = last_turn(1, &["2F 4F", "3F"], &["KE QE", "JE 2E"]);
    table.purses = vec![purse("EA", 3, 0), purse("", 0, 0)].into();
    let mut sentences: Vec<String> = Vec::new();
    for mv in ["pass", "return AIR", "buy FIRE"] {
        sentences.extend(play(&mut table, ZERO, mv).iter().map(Event::to_string));
    }
    assert_eq!(
        sentences[..10],
        [
            "Seat 0 passed.",
            "Hand 1 ended: the deck is empty.",
            "Seat 0 has chosen an element to return.",
            "Seat 0 returned AIR.",
            "Hands and collections were shown.",
            "Seat 0 got a coin for the largest collection, of 2, shared by seats 0 and 1.",
            "Seat 0 bought FIRE with four coins.",
            "Seat 1 got a coin for the largest collection, of 2, shared by seats 0 and 1.",
            "Seat 0 got a coin instead of a second EARTH for the most cards of EARTH, 2, tied among seats 0 and 1, decided by KE.",
            "Nobody got AIR: nobody collected cards of it.",
        ]
    );
}
