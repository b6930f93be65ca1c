use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::asserted::{self, assert_rule};
use crate::contract::{self, Promises};
use crate::evenness::{assert_fits, count};
use crate::playout::playout;
use crate::{Continuations, Entropy, Game, Kind, Nobody, Seed, golden};
use Character::{Chief, Hunter, Maiden, Shaman};

mod judgement;
mod own_tables;

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

type Pieces = BTreeSet<(String, String)>;
/// The places of the cards that a viewer gave away.
type Whereabouts = BTreeMap<Card, Seat>;

impl Promises for Mahola {
    fn tables(version: u32) -> Vec<(Options, u8)> {
        let mut tables = vec![(Options::default(), 3), (Options::default(), 4), (rounds(1), 4), (rounds(5), 3)];
        if version >= 2 {
            tables.push((Options { last_pass: Some(false), ..Options::default() }, 4));
            tables.push((own_tables::with(own_tables::own()), 3));
        }
        tables
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let mut cards: Vec<Card> = self.deck.clone();
        cards.extend(self.out.iter());
        cards.extend(self.hands.values().flat_map(|hand| hand.iter()));
        cards.extend(self.tableaus.values().flat_map(Tableau::cards));
        let different: Cards = cards.iter().copied().collect();
        let characters: BTreeSet<&Character> = self.characters.values().collect();
        BTreeMap::from([
            ("cards".into(), small(cards.len()).into()),
            ("different cards".into(), small(different.len()).into()),
            ("different characters".into(), small(characters.len()).into()),
        ])
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Move {
        let end = *chance.pick(&[End::Left, End::Right]);
        let position = |chance: &mut Chance| small(chance.index(7));
        match chance.below(8) {
            0 | 1 => Move::Play { card: any_card(chance), end },
            2 | 3 => Move::Pass { left: any_card(chance), right: any_card(chance) },
            4 => Move::Swap(Pair::new(position(chance), position(chance))),
            5 => Move::Shift { from: position(chance), to: position(chance) },
            6 => Move::Exchange { end: Some(end).filter(|_| chance.happens(1, 2)), card: any_card(chance) },
            _ => Move::Decline,
        }
    }

    /// Makes the best of its own tableau and passes at random.
    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.phase == Phase::Pass {
            return self.any_move(seat, chance);
        }
        let worth = |mv: &Move| {
            let mut tableau = self.tableaus[seat].clone();
            match *mv {
                Move::Play { card, end } => tableau.place(card, end),
                Move::Swap(pair) => _ = tableau.swap(pair.first(), pair.second()),
                Move::Shift { from, to } => _ = tableau.shift(from, to),
                Move::Exchange { end: None, card } => _ = tableau.exchange_middle(card),
                Move::Exchange { end: Some(end), card } => _ = tableau.exchange_end(end, card),
                Move::Pass { .. } | Move::Decline => {}
            }
            tableau.score(self.characters[seat], &self.tables).total
        };
        self.legal_moves(seat).max_by_key(worth).expect("a seat to act has a move")
    }

    fn hidden_from_all(&self) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([("deck".into(), self.deck.iter().map(ToString::to_string).collect())])
    }

    fn unknown(&self, viewer: Viewer) -> Pieces {
        let mut unknown: Pieces = self.deck.iter().map(|card| ("deck".into(), card.to_string())).collect();
        for seat in self.others(viewer) {
            unknown.extend(self.hands[seat].iter().map(|card| (format!("hand {seat}"), card.to_string())));
            if !self.characters_are_open() {
                unknown.insert((format!("character {seat}"), self.characters[seat].to_string()));
            }
            unknown.extend(self.choices[seat].iter().flat_map(|mv| choice_pieces(seat, *mv)));
        }
        if !self.characters_are_open() {
            let undealt = Character::ALL.iter().filter(|one| self.characters.values().all(|dealt| dealt != *one));
            unknown.extend(undealt.map(|character| ("undealt".into(), character.to_string())));
        }
        unknown
    }

    fn possible(&self, viewer: Viewer) -> Pieces {
        let own = Seat::all(self.seats()).find(|seat| viewer.sees(*seat));
        let whereabouts = own.map_or(BTreeSet::from([Whereabouts::new()]), |own| self.whereabouts(own));
        let given: Cards = whereabouts.iter().flat_map(|one| one.keys().copied()).collect();
        let mut seen: Cards = own.map_or(Cards::NONE, |own| self.hands[own]);
        self.tableaus.values().flat_map(Tableau::cards).for_each(|card| seen.insert(*card));
        let fresh: Cards = Card::all().filter(|card| !seen.contains(*card) && !given.contains(*card)).collect();

        let mut possible: Pieces = fresh.iter().map(|card| ("deck".into(), card.to_string())).collect();
        for seat in self.others(viewer) {
            let with = |one: &Whereabouts| one.values().filter(|at| **at == seat).count();
            let mut hand: Cards = given.iter().filter(|card| whereabouts.iter().any(|one| one[card] == seat)).collect();
            if whereabouts.iter().any(|one| with(one) < self.hands[seat].len()) {
                fresh.iter().for_each(|card| hand.insert(card));
            }
            possible.extend(hand.iter().map(|card| (format!("hand {seat}"), card.to_string())));
            if self.choices[seat].is_some() {
                possible.extend(self.choices_from(seat, hand));
            }
        }
        if !self.characters_are_open() {
            let hidden = Character::ALL.iter().filter(|one| own.is_none_or(|own| self.characters[own] != **one));
            for character in hidden {
                possible.extend(self.others(viewer).map(|seat| (format!("character {seat}"), character.to_string())));
                if self.seats() == 3 {
                    possible.insert(("undealt".into(), character.to_string()));
                }
            }
        }
        possible
    }
}

impl Mahola {
    fn others(&self, viewer: Viewer) -> impl Iterator<Item = Seat> {
        Seat::all(self.seats()).filter(move |seat| !viewer.sees(*seat))
    }

    /// Every way in which the cards that `viewer` gave away can lie now, by playing through this round with all that
    /// it has seen: an honest account, turn by turn, with all ways side by side.
    fn whereabouts(&self, viewer: Seat) -> BTreeSet<Whereabouts> {
        let seats = self.seats();
        let mut ways = BTreeSet::from([Whereabouts::new()]);
        for turn in &self.turns {
            ways = ways.into_iter().filter_map(|way| after_playing(way, &turn.played, viewer)).collect();
            let Some(passed) = &turn.passed else { continue };
            let to_viewer = |seat: Seat| match seat {
                seat if seat.right(seats) == viewer => Some(passed[seat].right),
                seat if seat.left(seats) == viewer => Some(passed[seat].left),
                _ => None,
            };
            for seat in Seat::all(seats).filter(|seat| *seat != viewer) {
                ways = ways.into_iter().filter_map(|way| after_giving_back(way, seat, to_viewer(seat))).collect();
            }
            ways = ways.into_iter().flat_map(|way| after_passing(&way, viewer, seats)).collect();
            ways = ways
                .into_iter()
                .map(|mut way| {
                    way.insert(passed[viewer].left, viewer.left(seats));
                    way.insert(passed[viewer].right, viewer.right(seats));
                    way
                })
                .collect();
        }
        ways
    }

    /// The possible pending choices of a seat, with any of these cards in its hand.
    fn choices_from(&self, seat: Seat, hand: Cards) -> Pieces {
        let ends = [End::Left, End::Right];
        let moves: Vec<Move> = match (self.phase, self.characters[seat]) {
            (Phase::Play, _) => hand.iter().flat_map(|card| ends.map(|end| Move::Play { card, end })).collect(),
            (Phase::Pass, _) => {
                let places = [format!("choice {seat} left"), format!("choice {seat} right")];
                return hand.iter().flat_map(|card| places.clone().map(|place| (place, card.to_string()))).collect();
            }
            (_, Chief | Shaman) => (0..self.count_moves(seat)).map(|n| self.nth_move(seat, n)).collect(),
            (_, Hunter) => hand.iter().map(|card| Move::Exchange { end: None, card }).chain([Move::Decline]).collect(),
            (_, Maiden) => hand
                .iter()
                .flat_map(|card| ends.map(|end| Move::Exchange { end: Some(end), card }))
                .chain([Move::Decline])
                .collect(),
        };
        moves.iter().flat_map(|mv| choice_pieces(seat, *mv)).collect()
    }
}

fn after_playing(mut way: Whereabouts, played: &BySeat<Card>, viewer: Seat) -> Option<Whereabouts> {
    for (seat, card) in played.iter().filter(|(seat, _)| *seat != viewer) {
        if way.remove(card).is_some_and(|at| at != seat) {
            return None;
        }
    }
    Some(way)
}

fn after_giving_back(mut way: Whereabouts, seat: Seat, card: Option<Card>) -> Option<Whereabouts> {
    match card.and_then(|card| way.remove(&card)) {
        Some(at) if at != seat => None,
        _ => Some(way),
    }
}

/// Every way to pass what is left: two stay, one goes to each neighbour, none to the viewer.
fn after_passing(way: &Whereabouts, viewer: Seat, seats: u8) -> Vec<Whereabouts> {
    let mut ways = vec![(Whereabouts::new(), BTreeMap::new())];
    for (card, at) in way {
        let mut longer = Vec::new();
        for (moved, used) in ways {
            for to in [*at, at.left(seats), at.right(seats)] {
                let room = if to == *at { 2 } else { 1 };
                let mut used: BTreeMap<(Seat, Seat), u8> = used.clone();
                let count = used.entry((*at, to)).or_default();
                *count += 1;
                if *count <= room && to != viewer {
                    let mut moved: Whereabouts = moved.clone();
                    moved.insert(*card, to);
                    longer.push((moved, used));
                }
            }
        }
        ways = longer;
    }
    ways.into_iter().map(|(moved, _)| moved).collect()
}

/// A pending choice as pieces. The pairs of cards that can be passed are too many to see them all.
fn choice_pieces(seat: Seat, mv: Move) -> Vec<(String, String)> {
    match mv {
        Move::Pass { left, right } => {
            vec![(format!("choice {seat} left"), left.to_string()), (format!("choice {seat} right"), right.to_string())]
        }
        mv => vec![(format!("choice {seat}"), mv.to_string())],
    }
}

fn rounds(rounds_to_win: u8) -> Options {
    Options { rounds_to_win, ..Options::default() }
}

fn any_card(chance: &mut Chance) -> Card {
    card(1 + small(chance.index(Card::COUNT.into())))
}

fn card(number: u8) -> Card {
    Card::numbered(number).expect("there is such a card")
}

/// A card of the built-in table in an event.
fn shown(number: u8) -> Shown {
    Shown::BuiltIn(card(number))
}

fn cards(numbers: &[u8]) -> Cards {
    numbers.iter().map(|number| card(*number)).collect()
}

fn tableau(numbers: &[u8]) -> Tableau {
    Tableau::from(numbers.iter().map(|number| card(*number)).collect::<Vec<_>>())
}

fn numbers(tableau: &Tableau) -> Vec<u8> {
    tableau.cards().iter().map(|card| card.number()).collect()
}

fn table(seats: u8, seed: u64) -> Mahola {
    Mahola::setup(&Options::default(), 2, seats, &mut Chance::fast(seed))
}

/// A table whose hands are known; card 1 lies on top of the deck if nobody has it, then card 2 …
fn with_hands(hands: &[[u8; 5]]) -> Mahola {
    let mut mahola = table(small(hands.len()), 0);
    let held: Cards = hands.iter().flatten().map(|number| card(*number)).collect();
    for (seat, hand) in Seat::all(mahola.seats()).zip(hands) {
        mahola.hands[seat] = cards(hand);
    }
    mahola.deck = Card::all().filter(|card| !held.contains(*card)).collect();
    mahola.deck.reverse();
    mahola
}

const WITHOUT_LAST_PASS: Edition = Edition { version: 2, last_pass: false };

/// The four seats' hands of most tests: seat 0 has 1 to 5, seat 1 has 6 to 10 …
const HANDS: [[u8; 5]; 4] = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20]];

/// The end of a short fifth turn: characters are open and abilities are to be chosen.
fn showdown(seats: &[(Character, [u8; 5], [u8; 4])]) -> Mahola {
    let mut mahola = table(small(seats.len()), 0).with_edition(WITHOUT_LAST_PASS);
    mahola.turn = TURNS - 1;
    mahola.phase = Phase::Ability;
    let mut used = Cards::NONE;
    for (seat, (character, laid, hand)) in Seat::all(mahola.seats()).zip(seats) {
        mahola.characters[seat] = *character;
        mahola.tableaus[seat] = tableau(laid);
        mahola.hands[seat] = cards(hand);
        laid.iter().chain(hand).for_each(|number| used.insert(card(*number)));
    }
    mahola.deck = Card::all().filter(|card| !used.contains(*card)).collect();
    mahola
}

/// Three seats that have danced; seat 0 as it is given.
fn solo(character: Character, laid: [u8; 5], hand: [u8; 4]) -> Mahola {
    let mut others = Character::ALL.iter().copied().filter(|one| *one != character);
    let mut next = || others.next().expect("there are four characters");
    let mut spare = Card::all().map(Card::number).filter(|number| !laid.contains(number) && !hand.contains(number));
    let mut nine = || {
        let mut number = || spare.next().expect("there are 44 cards");
        (std::array::from_fn(|_| number()), std::array::from_fn(|_| number()))
    };
    let ((laid_1, hand_1), (laid_2, hand_2)) = (nine(), nine());
    showdown(&[(character, laid, hand), (next(), laid_1, hand_1), (next(), laid_2, hand_2)])
}

fn mv(notation: &str) -> Move {
    notation.parse().expect("the notation is readable")
}

fn choose(mahola: &mut Mahola, seat: Seat, notation: &str) -> Vec<Event> {
    let mut events = Vec::new();
    mahola.apply(seat, &mv(notation), &mut Chance::fast(1), &mut events).expect("the move is legal");
    events
}

/// Everybody's choice, in seat order; the events of the last one.
fn all_choose(mahola: &mut Mahola, notations: &[&str]) -> Vec<Event> {
    let seats = Seat::all(mahola.seats());
    seats.zip(notations).map(|(seat, notation)| choose(mahola, seat, notation)).last().expect("somebody plays")
}

fn all_decline(mahola: &mut Mahola) -> Vec<Event> {
    all_choose(mahola, &["decline"; 4])
}

fn all_choose_anything(mahola: &mut Mahola, chance: &mut Chance) {
    for seat in Seat::all(mahola.seats()) {
        let mv = mahola.any_move(seat, chance);
        mahola.apply(seat, &mv, chance, &mut Nobody).expect("any move is legal");
    }
}

fn refused(mahola: &Mahola, seat: Seat, notation: &str) -> (&'static str, Option<usize>) {
    let illegal = mahola.check(seat, &mv(notation)).expect_err("the move is illegal");
    (illegal.rule.0, illegal.token)
}

fn hand_sizes(mahola: &Mahola) -> Vec<usize> {
    mahola.hands.values().map(|hand| hand.len()).collect()
}

fn private(mahola: &Mahola, seat: Seat) -> Private {
    mahola.view(Viewer::Seat(seat)).seats.swap_remove(seat.index()).private.expect("one's own things are shown")
}

fn last_round(mahola: &Mahola) -> RoundScore {
    mahola.view(Viewer::Spectator).last_round.expect("a round was scored")
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is plain data")
}

// The contract.

#[test]
fn mahola_keeps_the_contract() {
    contract::uphold::<Mahola>(contract::games_or(120));
}

#[test]
fn golden_records_are_still_true() {
    let tables = [(Options::default(), 3), (Options::default(), 4), (rounds(1), 4), (rounds(5), 3)];
    golden::check::<Mahola>(Kind::Mahola, "mahola", 1, &tables);
    let short = Options { last_pass: Some(false), ..Options::default() };
    golden::check::<Mahola>(Kind::Mahola, "mahola", 2, &[(rounds(2), 3), (rounds(2), 4), (rounds(1), 4), (short, 3)]);
    let own = [(own_tables::with(own_tables::own()), 3)];
    golden::check_format::<Mahola>(Kind::Mahola, "mahola-own", 2, 2, &own);
}

#[test]
fn every_rule_is_tested() {
    asserted::every_rule_is_tested::<Mahola>(concat!(include_str!("tests.rs"), include_str!("tests/own_tables.rs")));
}

#[test]
fn random_games_always_end() {
    for seats in Mahola::SEATS {
        for rounds_to_win in [1, 3, 5] {
            let played = playout::<Mahola>(&rounds(rounds_to_win), 2, seats, 200, 7).expect("the options are good");
            assert_eq!(played.endings, BTreeMap::from([("mahola.10".to_string(), 200)]));
            assert_eq!((played.draws, played.wins.iter().sum::<u64>()), (0, 200));
        }
    }
}

// The box.

#[test]
fn every_colour_dance_and_animal_is_on_as_many_cards_as_the_table_promises() {
    let tables = Tables::default();
    let ordinary: Vec<&Face> = Card::all().map(|card| tables.face(card)).filter(|face| !face.is_special()).collect();
    let special: Vec<&Face> = Card::all().map(|card| tables.face(card)).filter(|face| face.is_special()).collect();
    assert_eq!((ordinary.len(), special.len()), (40, 4));
    for character in Character::ALL {
        let (colour, animal) = (tables.colour(*character), tables.animal(*character));
        let mut values: Vec<i16> =
            ordinary.iter().filter(|face| face.colour == colour).map(|face| face.value).collect();
        values.sort_unstable();
        assert_eq!(values, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(ordinary.iter().filter(|face| face.animal == animal).count(), 10);
        assert!(!ordinary.iter().any(|face| face.animal == animal && face.colour == colour));
        assert_eq!(special.iter().filter(|face| face.animal == animal && face.colour == colour).count(), 1);
    }
    for dance in Dance::ALL {
        let mut values: Vec<i16> =
            ordinary.iter().filter(|face| face.dance == Some(*dance)).map(|face| face.value).collect();
        values.sort_unstable();
        assert_eq!(values, [1, 2, 3, 4, 5]);
        assert!(!ordinary.iter().any(|face| {
            face.dance == Some(*dance)
                && [face.secondary, face.adjacent].iter().flatten().any(|(other, _)| other == dance)
        }));
    }
    assert!(special.iter().all(|face| (face.value, face.secondary, face.adjacent) == (4, None, None)));
}

#[test]
fn the_catalogue_shows_the_cards_and_characters_as_reconstructed() {
    let about = Mahola::about(2);
    let [cards, characters] = about.components.as_slice() else { panic!("there are two tables") };
    assert!(cards.reconstructed && characters.reconstructed);
    assert_eq!((cards.rows.len(), characters.rows.len()), (44, 4));
    for table in &about.components {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
    }
    assert_eq!(cards.rows[16], ["17", "HOOP", "RED", "2", "WOLF", "GRASS", "3", "GOURD", "2"]);
    assert_eq!(cards.rows[43], ["44", "SPECIAL", "GREEN", "4", "RAVEN", "", "", "", ""]);
    assert_eq!(characters.rows[2][..3], ["HUNTER", "YELLOW", "WOLF"]);
    let ids: Vec<String> = about.rules.iter().map(|rule| rule.id.to_string()).collect();
    assert_eq!(ids, (1..=12).map(|n| format!("mahola.{n}")).collect::<Vec<_>>());
}

// Notation.

#[test]
fn moves_are_read_as_they_are_written() {
    let texts = ["play 17 LEFT", "play 44 RIGHT", "pass 12 5", "swap 0 3", "move 2 0", "exchange 12", "decline"];
    for text in texts.iter().chain(&["exchange LEFT 12", "exchange RIGHT 1"]) {
        assert_eq!(mv(text).to_string(), *text);
    }
    assert_eq!(mv("swap 3 0"), mv("swap 0 3"), "the order of a pair does not matter");
    assert_eq!(Pair::from([4, 1]), Pair::new(1, 4));
    let saved: Move = serde_json::from_str(r#"{"swap":[3,0]}"#).expect("a pair is two positions");
    assert_eq!(saved.to_string(), "swap 0 3");
}

#[test]
fn other_texts_are_no_moves() {
    let long = "play ".repeat(100_000);
    let texts = [
        "",
        " ",
        "play",
        "play 17",
        "play LEFT 17",
        "play 17 left",
        "play 17  LEFT",
        " play 17 LEFT",
        "play 17 LEFT ",
        "play 0 LEFT",
        "play 45 LEFT",
        "play 017 LEFT",
        "play +1 LEFT",
        "play -1 LEFT",
        "play 300 LEFT",
        "play 99999999999999999999 LEFT",
        "play １７ LEFT",
        "pass 1",
        "pass 1 2 3",
        "pass 1 x",
        "swap 0",
        "swap 0 256",
        "move 0 00",
        "exchange",
        "exchange UP 3",
        "exchange LEFT",
        "exchange 3 LEFT",
        "decline 1",
        "DECLINE",
        "né",
        "play\t17\tLEFT",
        &long,
    ];
    for text in texts {
        assert!(text.parse::<Move>().is_err(), "{:?}", text.chars().take(40).collect::<String>());
    }
}

#[test]
fn a_move_can_be_built_token_by_token() {
    let mahola = with_hands(&HANDS);
    let next = |prefix: &[&str]| mahola.continuations(ONE, prefix);
    assert_eq!(next(&[]).next, ["play"]);
    assert_eq!(next(&["play"]).next, ["6", "7", "8", "9", "10"]);
    assert_eq!(next(&["play", "8"]).next, ["LEFT", "RIGHT"]);
    assert_eq!(next(&["play", "8", "LEFT"]), Continuations { next: Vec::new(), is_move: true });
    assert_eq!(next(&["play", "1"]), Continuations::default());
    let mahola = solo(Maiden, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    assert_eq!(mahola.continuations(ZERO, &[]).next, ["exchange", "decline"]);
    assert_eq!(mahola.continuations(ZERO, &["exchange", "LEFT"]).next, ["6", "7", "8", "9"]);
}

// mahola.1

#[test]
fn everybody_is_dealt_a_character_and_five_cards() {
    for seats in [3, 4] {
        let mahola = table(seats, 5);
        assert_eq!(hand_sizes(&mahola), vec![5; seats.into()]);
        assert_eq!(mahola.deck.len(), 44 - 5 * usize::from(seats));
        assert_eq!(mahola.inventory()["different cards"], 44);
        assert_eq!(mahola.inventory()["different characters"], u32::from(seats));
        assert_eq!(mahola.to_act(), Seats::all(seats));
    }
}

#[test]
fn options_out_of_bounds_are_refused() {
    for rounds_to_win in [0, 6, 255] {
        let illegal = Mahola::check_options(&rounds(rounds_to_win), 2, 3).expect_err("it is out of bounds");
        assert_eq!(illegal.rule.0, "mahola.1");
    }
    for rounds_to_win in 1..=5 {
        assert_eq!(Mahola::check_options(&rounds(rounds_to_win), 2, 4), Ok(()));
    }
    assert_eq!(serde_json::from_str::<Options>("{}").expect("all has a default"), rounds(3));
    assert!(serde_json::from_str::<Options>(r#"{"firstSeat":0}"#).is_err(), "nobody starts");
}

#[test]
fn a_seat_that_is_not_at_the_table_cannot_choose() {
    let mahola = table(3, 0);
    assert_eq!(refused(&mahola, THREE, "play 1 LEFT").0, "mahola.1");
    assert_eq!(mahola.legal_moves(THREE).count(), 0);
    mahola.describe(Seat::new(7), &mv("swap 200 100"));
    assert_eq!(mahola.view(Viewer::Seat(THREE)), mahola.view(Viewer::Spectator));
    mahola.imagine(Viewer::Seat(THREE), &mut Chance::fast(0));
}

#[test]
fn every_round_is_dealt_from_all_cards_and_characters() {
    let mut mahola = solo(Chief, [1, 9, 37, 13, 33], [21, 25, 29, 17]);
    let events = all_decline(&mut mahola);
    assert_eq!(events.last(), Some(&Event::Dealt { round: 1 }));
    assert_eq!((mahola.round, mahola.turn, mahola.phase), (1, 0, Phase::Play));
    assert_eq!(hand_sizes(&mahola), [5, 5, 5]);
    assert_eq!(mahola.deck.len(), 29);
    assert_eq!(mahola.inventory()["different cards"], 44);
    assert!(mahola.tableaus.values().all(|tableau| tableau.cards().is_empty()));
    assert!(mahola.turns.is_empty());
}

// mahola.2

#[test]
fn cards_are_placed_when_all_have_chosen_and_only_at_the_ends() {
    let mut mahola = with_hands(&HANDS[..3]);
    assert_eq!(choose(&mut mahola, ONE, "play 7 RIGHT"), [Event::Chose { seat: ONE }]);
    choose(&mut mahola, ZERO, "play 1 LEFT");
    assert!(mahola.tableaus.values().all(|tableau| tableau.cards().is_empty()));
    assert_eq!(mahola.to_act(), Seats::one(TWO));
    let events = choose(&mut mahola, TWO, "play 11 LEFT");
    let first = |seat, number| Event::Placed { seat, card: shown(number), end: None };
    assert_eq!(events, [Event::Chose { seat: TWO }, first(ZERO, 1), first(ONE, 7), first(TWO, 11)]);
    assert_eq!(mahola.phase, Phase::Pass);
    all_choose(&mut mahola, &["pass 4 5", "pass 9 10", "pass 14 15"]);

    let events = all_choose(&mut mahola, &["play 2 LEFT", "play 6 RIGHT", "play 12 LEFT"]);
    assert!(events.contains(&Event::Placed { seat: ONE, card: shown(6), end: Some(End::Right) }));
    let laid: Vec<Vec<u8>> = mahola.tableaus.values().map(numbers).collect();
    assert_eq!(laid, [[2, 1], [7, 6], [12, 11]]);
}

#[test]
fn for_the_first_card_either_end_means_the_same() {
    let (mut left, mut right) = (with_hands(&HANDS), with_hands(&HANDS));
    let events = all_choose(&mut left, &["play 1 LEFT", "play 6 LEFT", "play 11 LEFT", "play 16 LEFT"]);
    let twins = all_choose(&mut right, &["play 1 RIGHT", "play 6 RIGHT", "play 11 RIGHT", "play 16 RIGHT"]);
    assert_eq!((left, events), (right, twins));
}

#[test]
fn only_a_card_of_the_hand_can_be_played_and_nothing_else_be_done() {
    let mahola = with_hands(&HANDS);
    assert_eq!(refused(&mahola, ZERO, "play 6 LEFT"), ("mahola.2", Some(1)));
    assert_eq!(refused(&mahola, ZERO, "play 44 LEFT"), ("mahola.2", Some(1)));
    for other in ["pass 1 2", "swap 0 1", "move 0 1", "exchange 1", "exchange LEFT 1", "decline"] {
        assert_eq!(refused(&mahola, ZERO, other), ("mahola.2", Some(0)));
    }
}

#[test]
fn each_card_can_be_played_to_either_end() {
    let mahola = with_hands(&HANDS);
    let listed: Vec<String> = mahola.legal_moves(TWO).map(|mv| mv.to_string()).take(3).collect();
    assert_eq!(listed, ["play 11 LEFT", "play 11 RIGHT", "play 12 LEFT"]);
    assert_eq!(mahola.legal_moves(TWO).count(), 10);
    assert_eq!(mahola.describe(TWO, &mv("play 11 LEFT")), "Play 11 (SPIRIT, YELLOW 1, RAVEN) to the LEFT end");
}

// mahola.3

/// The same hands after everybody played its first card.
fn passing(seats: usize) -> Mahola {
    let mut mahola = with_hands(&HANDS[..seats]);
    all_choose(&mut mahola, &["play 1 LEFT", "play 6 LEFT", "play 11 LEFT", "play 16 LEFT"][..seats]);
    mahola
}

#[test]
fn a_card_goes_to_each_neighbour_at_four_seats() {
    let mut mahola = passing(4);
    all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13", "pass 17 18"]);
    // Everybody also drew: 21, 22, 23 and 24 lay on top of the deck.
    assert_eq!(mahola.hands[ZERO], cards(&[4, 5, 8, 17, 21]));
    assert_eq!(mahola.hands[ONE], cards(&[9, 10, 2, 13, 22]));
    assert_eq!(mahola.hands[TWO], cards(&[14, 15, 7, 18, 23]));
    assert_eq!(mahola.hands[THREE], cards(&[19, 20, 12, 3, 24]));
}

#[test]
fn with_three_players_both_neighbours_get_a_card_too() {
    let mut mahola = passing(3);
    all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13"]);
    assert_eq!(mahola.hands[ZERO], cards(&[4, 5, 8, 12, 16]));
    assert_eq!(mahola.hands[ONE], cards(&[9, 10, 2, 13, 17]));
    assert_eq!(mahola.hands[TWO], cards(&[14, 15, 7, 3, 18]));
}

#[test]
fn two_different_cards_of_the_hand_are_passed_and_nothing_else_is_done() {
    let mahola = passing(4);
    assert_eq!(refused(&mahola, ZERO, "pass 1 2"), ("mahola.3", Some(1)), "card 1 lies in the tableau");
    assert_eq!(refused(&mahola, ZERO, "pass 2 6"), ("mahola.3", Some(2)));
    assert_eq!(refused(&mahola, ZERO, "pass 30 31"), ("mahola.3", Some(1)));
    assert_eq!(refused(&mahola, ZERO, "pass 2 2"), ("mahola.3", Some(2)));
    for other in ["play 2 LEFT", "swap 0 1", "move 0 1", "exchange 2", "decline"] {
        assert_eq!(refused(&mahola, ZERO, other), ("mahola.3", Some(0)));
    }
    assert_eq!(mahola.legal_moves(ZERO).count(), 12);
}

#[test]
fn a_card_received_in_the_same_turn_cannot_be_passed_on() {
    let mut mahola = passing(4);
    choose(&mut mahola, ZERO, "pass 2 3");
    // Seat 1 is going to get card 2, and has not got it yet.
    assert_eq!(refused(&mahola, ONE, "pass 2 7"), ("mahola.3", Some(1)));
    assert!(!mahola.hands[ONE].contains(card(2)));
}

#[test]
fn the_words_of_passing_name_the_neighbours() {
    let text = passing(4).describe(ZERO, &mv("pass 2 3"));
    assert_eq!(
        text,
        "Pass 2 (WAR, BLUE 2, RAVEN) to seat 1 on your left and 3 (WAR, YELLOW 3, SNAKE) to seat 3 on your right"
    );
}

// mahola.4

/// Five turns at random, with everything that hands and deck should have on the way.
fn play_five_turns(seats: u8, edition: Edition) -> Mahola {
    let mut chance = Chance::fast(3);
    let mut mahola = table(seats, 9).with_edition(edition);
    let mut deck = 44 - 5 * usize::from(seats);
    for turn in 0..TURNS {
        assert_eq!((mahola.turn, mahola.phase), (turn, Phase::Play));
        assert_eq!(hand_sizes(&mahola), vec![5; seats.into()]);
        all_choose_anything(&mut mahola, &mut chance);
        assert_eq!(hand_sizes(&mahola), vec![4; seats.into()]);
        assert_eq!(mahola.deck.len(), deck);
        if turn + 1 < TURNS || edition.last_pass {
            assert_eq!(mahola.phase, Phase::Pass);
            all_choose_anything(&mut mahola, &mut chance);
            deck -= usize::from(seats);
            assert_eq!(mahola.deck.len(), deck);
        }
    }
    assert_eq!(mahola.phase, Phase::Ability);
    assert!(mahola.tableaus.values().all(|tableau| tableau.cards().len() == 5));
    mahola
}

#[test]
fn every_turn_ends_with_passing_and_drawing_the_fifth_too() {
    for (seats, deck) in [(3, 14), (4, 4)] {
        let mahola = play_five_turns(seats, table(seats, 0).edition());
        assert_rule!("mahola.4", (hand_sizes(&mahola), mahola.deck.len()), (vec![5; seats.into()], deck));
    }
}

#[test]
fn without_last_pass_the_fifth_turn_ends_with_its_reveal_as_in_version_1() {
    for edition in [WITHOUT_LAST_PASS, Edition::default()] {
        for seats in [3, 4] {
            assert_eq!(hand_sizes(&play_five_turns(seats, edition)), vec![4; seats.into()]);
        }
    }
}

#[test]
fn last_pass_is_an_option_of_version_2() {
    let options = Options { last_pass: Some(true), ..Options::default() };
    assert_eq!((Mahola::unknown_option(&options, 1), Mahola::unknown_option(&options, 2)), (Some("lastPass"), None));
    let last_pass =
        |options: &Options, version| Mahola::setup(options, version, 3, &mut Chance::fast(0)).edition.last_pass;
    assert!(last_pass(&Options::default(), 2) && !last_pass(&Options::default(), 1));
    assert!(!last_pass(&Options { last_pass: Some(false), ..Options::default() }, 2));
}

#[test]
fn cards_are_drawn_in_seat_order_from_the_top_of_the_deck() {
    let mut mahola = passing(3);
    let events = all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13"]);
    let drawn: Vec<Option<u8>> = Seat::all(3).map(|seat| private(&mahola, seat).drawn.map(Card::number)).collect();
    assert_eq!(drawn, [Some(16), Some(17), Some(18)]);
    assert_eq!(events[1..], [Event::Passed { turn: 0 }, Event::Drew { turn: 0, deck_size: 26 }]);
}

// mahola.5

#[test]
fn characters_are_shown_after_the_fifth_turn_and_not_before() {
    for seats in [3, 4] {
        let mut chance = Chance::fast(8);
        let mut mahola = table(seats, 2);
        while mahola.phase != Phase::Ability {
            for viewer in Seat::all(seats) {
                for other in mahola.view(Viewer::Seat(viewer)).seats {
                    assert_eq!(other.character.is_some(), other.seat == viewer);
                    assert_eq!(other.score.is_some(), other.seat == viewer);
                }
            }
            all_choose_anything(&mut mahola, &mut chance);
        }
        for other in mahola.view(Viewer::Spectator).seats {
            assert_eq!(other.character, Some(mahola.characters[other.seat]));
            let score = mahola.tableaus[other.seat].score(mahola.characters[other.seat], &mahola.tables);
            assert_eq!(other.score, Some(score));
        }
    }
}

#[test]
fn abilities_choose_from_the_hand_as_it_is_after_the_last_passing() {
    let moves = |edition| {
        let mut mahola = play_five_turns(4, edition);
        mahola.characters = BySeat::from(vec![Hunter, Maiden, Chief, Shaman]);
        Seat::all(4).map(|seat| mahola.legal_moves(seat).count()).collect::<Vec<_>>()
    };
    assert_rule!("mahola.5", moves(table(4, 0).edition()), [6, 11, 11, 21]);
    assert_eq!(moves(WITHOUT_LAST_PASS), [5, 9, 11, 21]);
}

#[test]
fn the_hunter_may_put_in_the_card_that_was_passed_to_it_last() {
    let mut chance = Chance::fast(1);
    let mut mahola = table(4, 6);
    mahola.characters = BySeat::from(vec![Hunter, Maiden, Chief, Shaman]);
    while mahola.phase != Phase::Ability {
        all_choose_anything(&mut mahola, &mut chance);
    }
    let Received { from, card } = private(&mahola, ZERO).received[0];
    assert_eq!((from, mahola.turn), (ONE, TURNS - 1));
    all_choose(&mut mahola, &[&format!("exchange {card}"), "decline", "decline", "decline"]);
    assert_eq!(last_round(&mahola).seats[0].tableau.cards()[2], card);
}

#[test]
fn the_reveal_of_characters_is_told_to_all() {
    let mut mahola = solo(Chief, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    mahola.phase = Phase::Play;
    mahola.tableaus.values_mut().for_each(|tableau| *tableau = Tableau::default());
    let events = all_choose(&mut mahola, &["play 6 LEFT", "play 15 LEFT", "play 24 LEFT"]);
    let revealed = |seat, character| Event::Revealed { seat, character };
    assert_eq!(events[4..], [revealed(ZERO, Chief), revealed(ONE, Shaman), revealed(TWO, Hunter)]);
}

#[test]
fn the_chief_swaps_two_cards_in_either_order() {
    for notation in ["swap 0 3", "swap 3 0"] {
        let mut mahola = solo(Chief, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
        all_choose(&mut mahola, &[notation, "decline", "decline"]);
        let chief = last_round(&mahola).seats.swap_remove(0);
        assert_eq!(numbers(&chief.tableau), [4, 2, 3, 1, 5]);
        assert_eq!(chief.ability, Ability::Swapped { first: 0, second: 3 });
    }
    let mahola = solo(Chief, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    let listed: Vec<String> = mahola.legal_moves(ZERO).map(|mv| mv.to_string()).collect();
    assert_eq!(listed.len(), 11);
    assert_eq!((listed[0].as_str(), listed[9].as_str(), listed[10].as_str()), ("swap 0 1", "swap 3 4", "decline"));
    assert_eq!(refused(&mahola, ZERO, "swap 2 2"), ("mahola.5", Some(2)));
    assert_eq!(refused(&mahola, ZERO, "swap 0 5"), ("mahola.5", Some(2)));
    assert_eq!(refused(&mahola, ZERO, "swap 255 9"), ("mahola.5", Some(1)));
}

#[test]
fn the_shaman_moves_a_card_to_where_it_then_stands() {
    for (notation, laid) in
        [("move 0 4", [2, 3, 4, 5, 1]), ("move 4 0", [5, 1, 2, 3, 4]), ("move 1 2", [1, 3, 2, 4, 5])]
    {
        let mut mahola = solo(Shaman, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
        all_choose(&mut mahola, &[notation, "decline", "decline"]);
        assert_eq!(numbers(&last_round(&mahola).seats[0].tableau), laid);
    }
    let mahola = solo(Shaman, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    assert_eq!(mahola.legal_moves(ZERO).count(), 21);
    assert_eq!(refused(&mahola, ZERO, "move 2 2"), ("mahola.5", Some(2)));
    assert_eq!(refused(&mahola, ZERO, "move 5 2"), ("mahola.5", Some(1)));
    assert_eq!(refused(&mahola, ZERO, "move 2 99"), ("mahola.5", Some(2)));
}

#[test]
fn the_hunter_exchanges_the_middle_card_for_one_from_hand() {
    let mut mahola = solo(Hunter, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    mahola.rounds_to_win = 1;
    assert_eq!(mahola.legal_moves(ZERO).count(), 5);
    assert_eq!(refused(&mahola, ZERO, "exchange 10"), ("mahola.5", Some(1)));
    assert_eq!(refused(&mahola, ZERO, "exchange LEFT 6"), ("mahola.5", Some(1)));
    let events = all_choose(&mut mahola, &["exchange 7", "decline", "decline"]);
    let hunter = last_round(&mahola).seats.swap_remove(0);
    assert_eq!(numbers(&hunter.tableau), [1, 2, 7, 4, 5]);
    let ability = Ability::Exchanged { position: 2, put: shown(7), taken: shown(3) };
    assert_eq!(hunter.ability.shown(&mahola.tables), ability);
    assert!(events.contains(&Event::UsedAbility { seat: ZERO, character: Hunter, ability }));
}

#[test]
fn the_maiden_exchanges_an_end_card_for_one_from_hand() {
    for (notation, laid, taken) in [("exchange LEFT 7", [7, 2, 3, 4, 5], 1), ("exchange RIGHT 7", [1, 2, 3, 4, 7], 5)] {
        let mut mahola = solo(Maiden, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
        all_choose(&mut mahola, &[notation, "decline", "decline"]);
        let maiden = last_round(&mahola).seats.swap_remove(0);
        assert_eq!(numbers(&maiden.tableau), laid);
        assert!(matches!(maiden.ability, Ability::Exchanged { taken: out, .. } if out == card(taken)));
    }
    let mahola = solo(Maiden, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    assert_eq!(mahola.legal_moves(ZERO).count(), 9);
    assert_eq!(refused(&mahola, ZERO, "exchange 6"), ("mahola.5", Some(1)));
    assert_eq!(refused(&mahola, ZERO, "exchange RIGHT 1"), ("mahola.5", Some(2)), "card 1 lies in the tableau");
}

#[test]
fn a_card_taken_out_of_the_last_tableau_is_out() {
    let mut mahola = solo(Maiden, [40, 20, 24, 8, 36], [44, 28, 12, 16]);
    mahola.rounds_to_win = 1;
    all_choose(&mut mahola, &["exchange RIGHT 44", "decline", "decline"]);
    assert_eq!(mahola.phase, Phase::Over);
    assert_eq!(mahola.hands[ZERO], cards(&[28, 12, 16]));
    assert_eq!(mahola.out, cards(&[36]));
    assert_eq!(mahola.inventory()["different cards"], 44);
}

#[test]
fn a_declined_ability_changes_nothing() {
    for character in [Chief, Shaman, Hunter, Maiden] {
        let mut mahola = solo(character, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
        let events = all_decline(&mut mahola);
        let score = last_round(&mahola).seats.swap_remove(0);
        assert_eq!((numbers(&score.tableau), score.ability), (vec![1, 2, 3, 4, 5], Ability::Declined));
        assert!(events.contains(&Event::UsedAbility { seat: ZERO, character, ability: Ability::Declined }));
    }
}

#[test]
fn each_ability_can_change_the_score_or_leave_it() {
    let total = |character, laid, hand, notation: &str| {
        let mut mahola = solo(character, laid, hand);
        all_choose(&mut mahola, &[notation, "decline", "decline"]);
        last_round(&mahola).seats[0].score.total
    };
    // Card 1 looks for a SUN beside it, and card 37 is one.
    let chief = |notation| total(Chief, [1, 9, 37, 5, 33], [2, 3, 4, 6], notation);
    assert_eq!([chief("decline"), chief("swap 1 2"), chief("swap 2 3")], [23, 25, 23]);
    // Card 6 looks for a WAR beside it, and card 2 is one.
    let shaman = |notation| total(Shaman, [6, 10, 26, 14, 2], [1, 3, 4, 5], notation);
    assert_eq!([shaman("decline"), shaman("move 4 1"), shaman("move 2 1")], [20, 22, 19]);
    // The special dance of its own colour, and a card that is as bad as the one it replaces.
    let hunter = |notation| total(Hunter, [11, 15, 9, 35, 39], [43, 10, 1, 2], notation);
    assert_eq!([hunter("decline"), hunter("exchange 43"), hunter("exchange 10")], [12, 27, 12]);
    let maiden = |notation| total(Maiden, [5, 20, 24, 8, 36], [44, 13, 1, 2], notation);
    assert_eq!([maiden("decline"), maiden("exchange LEFT 44"), maiden("exchange LEFT 13")], [15, 25, 15]);
    assert_eq!(maiden("exchange RIGHT 1"), 13);
}

#[test]
fn an_ability_of_another_character_or_another_phase_is_refused() {
    let own = [(Chief, "swap 0 1"), (Shaman, "move 0 1"), (Hunter, "exchange 6"), (Maiden, "exchange LEFT 6")];
    for (character, _) in own {
        let mahola = solo(character, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
        for (other, notation) in own {
            let verdict = mahola.check(ZERO, &mv(notation));
            assert_eq!(verdict.is_ok(), other == character, "{character} {notation}");
            assert!(other == character || refused(&mahola, ZERO, notation).0 == "mahola.5");
        }
        assert_eq!(refused(&mahola, ZERO, "play 6 LEFT"), ("mahola.5", Some(0)));
        assert_eq!(refused(&mahola, ZERO, "pass 6 7"), ("mahola.5", Some(0)));
    }
}

#[test]
fn abilities_are_carried_out_together_when_all_have_chosen() {
    let mut mahola = solo(Chief, [1, 2, 3, 4, 5], [6, 7, 8, 9]);
    assert_eq!(choose(&mut mahola, ZERO, "swap 0 4"), [Event::Chose { seat: ZERO }]);
    assert_eq!(numbers(&mahola.tableaus[ZERO]), [1, 2, 3, 4, 5]);
    assert_eq!(mahola.to_act().len(), 2);
}

// mahola.6 to mahola.8

#[test]
fn a_value_is_added_by_colour_nothing_by_animal_and_subtracted_otherwise() {
    let value = |character, number| {
        let score = tableau(&[number]).score(character, &Tables::default());
        assert_rule!("mahola.6", score.total, score.cards[0].value);
        (score.cards[0].value, score.cards[0].because)
    };
    assert_eq!(value(Chief, 9), (4, Because::Colour));
    assert_eq!(value(Shaman, 9), (0, Because::Animal));
    assert_eq!(value(Hunter, 9), (-4, Because::Neither));
    assert_eq!(value(Maiden, 9), (-4, Because::Neither));
    assert_eq!(value(Maiden, 44), (4, Because::Colour), "the colour comes before the animal");
    assert_eq!(value(Chief, 44), (-4, Because::Neither), "a special dance is a card like any other here");
}

#[test]
fn secondary_points_count_once_if_another_card_shows_the_dance() {
    // Card 1 looks for GOURD.
    let secondary = |laid: &[u8]| {
        let score = tableau(laid).score(Chief, &Tables::default());
        (score.cards[0].secondary, score.cards[0].secondary_by.clone())
    };
    assert_rule!("mahola.7", secondary(&[1, 2]), (0, vec![]));
    assert_eq!(secondary(&[1, 2, 9]), (3, vec![2]));
    assert_eq!(secondary(&[1, 9, 6]), (3, vec![1, 2]), "two of them count once");
    assert_eq!(secondary(&[1, 2, 41]), (3, vec![2]), "a special dance shows every dance");
    assert_eq!(secondary(&[41, 42, 43]), (0, vec![]), "and looks for none");
}

#[test]
fn adjacent_points_count_for_each_neighbour_that_shows_the_dance() {
    // Card 1 looks for SUN.
    let adjacent = |laid: &[u8], position: usize| {
        let score = tableau(laid).score(Chief, &Tables::default());
        (score.cards[position].adjacent, score.cards[position].adjacent_by.clone())
    };
    assert_rule!("mahola.8", adjacent(&[1, 9, 37], 0), (0, vec![]));
    assert_eq!(adjacent(&[1, 37, 9], 0), (2, vec![1]));
    assert_eq!(adjacent(&[36, 1, 37], 1), (4, vec![0, 2]));
    assert_eq!(adjacent(&[36, 1, 41], 1), (4, vec![0, 2]), "a special dance shows every dance");
    assert_eq!(adjacent(&[36, 41, 37], 1), (0, vec![]), "and looks for none");
    assert_eq!(adjacent(&[36, 37, 9, 1], 3), (0, vec![]), "only direct neighbours count");
}

#[test]
fn the_worked_case_scores_13_and_15_after_a_swap() {
    let mut laid = tableau(&[1, 9, 37]);
    let score = laid.score(Chief, &Tables::default());
    let parts: Vec<(i16, i16, i16)> =
        score.cards.iter().map(|card| (card.value, card.secondary, card.adjacent)).collect();
    assert_eq!(parts, [(1, 3, 0), (4, 0, 0), (2, 3, 0)]);
    assert_eq!((score.total, score.secondary_matches, score.specials), (13, 2, 0));
    laid.swap(1, 2);
    assert_eq!(numbers(&laid), [1, 37, 9]);
    assert_eq!(laid.score(Chief, &Tables::default()).total, 15);
}

// mahola.9

/// Three seats, of which the first two reach the same score and the third, better in all else, a lower one.
fn tied(laid: [[u8; 5]; 3]) -> (RoundScore, Vec<u8>, Vec<Event>) {
    let used: Cards = laid.iter().flatten().map(|number| card(*number)).collect();
    let mut spare = Card::all().filter(|card| !used.contains(*card)).map(Card::number);
    let mut hand = || std::array::from_fn(|_| spare.next().expect("there are 44 cards"));
    let mut mahola = showdown(&[(Chief, laid[0], hand()), (Shaman, laid[1], hand()), (Hunter, laid[2], hand())]);
    let events = all_decline(&mut mahola);
    (last_round(&mahola), mahola.tokens.clone().into_vec(), events)
}

fn comparison(by: Criterion, best: i16, seats: &[Seat]) -> Comparison {
    Comparison { by, best, seats: seats.iter().copied().collect() }
}

#[test]
fn the_highest_score_gets_the_favor_token() {
    let mut mahola = solo(Chief, [1, 9, 37, 13, 33], [21, 25, 29, 17]);
    let events = all_decline(&mut mahola);
    let round = last_round(&mahola);
    assert_rule!("mahola.9", round.winner, Some(ZERO));
    assert_eq!(round.comparisons.len(), 1);
    assert_eq!(round.comparisons[0].seats, Seats::one(ZERO));
    assert_eq!(mahola.tokens.clone().into_vec(), [1, 0, 0]);
    let scores = BySeat::from(round.seats.iter().map(|seat| seat.score.total).collect::<Vec<_>>());
    let (winner, decided_by) = (Some(ZERO), Some(Criterion::Score));
    assert!(events.contains(&Event::Scored { round: 0, scores, winner, decided_by }));
}

#[test]
fn a_tie_goes_to_the_most_special_dances() {
    let (round, tokens, _) = tied([[38, 28, 13, 39, 21], [31, 24, 30, 44, 2], [23, 36, 42, 43, 20]]);
    let by_score = comparison(Criterion::Score, 13, &[ZERO, ONE]);
    assert_eq!(round.comparisons, [by_score, comparison(Criterion::Specials, 1, &[ONE])]);
    assert_eq!(round.seats[2].score.specials, 2, "who is not tied is not compared");
    assert_eq!((round.winner, tokens), (Some(ONE), vec![0, 1, 0]));
}

#[test]
fn a_tie_of_specials_goes_to_the_most_secondary_matches() {
    let (round, tokens, events) = tied([[20, 31, 5, 38, 11], [37, 24, 17, 7, 33], [34, 25, 10, 14, 1]]);
    let expected = [
        comparison(Criterion::Score, 5, &[ZERO, ONE]),
        comparison(Criterion::Specials, 0, &[ZERO, ONE]),
        comparison(Criterion::SecondaryMatches, 4, &[ZERO]),
    ];
    assert_eq!(round.comparisons, expected);
    assert_eq!(round.seats[2].score.secondary_matches, 5, "who is not tied is not compared");
    assert_eq!((round.winner, tokens), (Some(ZERO), vec![1, 0, 0]));
    let by = Some(Criterion::SecondaryMatches);
    assert!(events.iter().any(|event| matches!(event, Event::Scored { decided_by, .. } if *decided_by == by)));
}

#[test]
fn after_all_three_ties_nobody_gets_the_token() {
    let (round, tokens, events) = tied([[43, 5, 17, 25, 11], [42, 38, 39, 32, 2], [40, 31, 8, 36, 44]]);
    assert_eq!(round.comparisons.len(), 3);
    assert_eq!(round.comparisons[2], comparison(Criterion::SecondaryMatches, 4, &[ZERO, ONE]));
    assert_eq!((round.winner, tokens), (None, vec![0, 0, 0]));
    assert_eq!(events.last(), Some(&Event::Dealt { round: 1 }), "the game goes on");
}

#[test]
fn tableaus_are_compared_as_they_are_after_the_abilities() {
    for (notation, scores, winner) in [("decline", [12, 23], ONE), ("exchange 43", [27, 23], ZERO)] {
        let mut mahola = showdown(&[
            (Hunter, [11, 15, 10, 35, 39], [43, 13, 2, 3]),
            (Chief, [1, 9, 37, 5, 33], [4, 6, 7, 14]),
            (Shaman, [12, 20, 24, 8, 36], [16, 17, 18, 19]),
        ]);
        all_choose(&mut mahola, &[notation, "decline", "decline"]);
        let round = last_round(&mahola);
        assert_eq!([round.seats[0].score.total, round.seats[1].score.total], scores);
        assert_eq!(round.winner, Some(winner));
    }
}

// mahola.10

#[test]
fn the_first_with_enough_tokens_wins_the_game() {
    let mut mahola = solo(Chief, [1, 9, 37, 13, 33], [21, 25, 29, 17]);
    mahola.tokens = BySeat::from(vec![2, 2, 1]);
    let events = all_decline(&mut mahola);
    let tokens = BySeat::from(vec![3, 2, 1]);
    assert_rule!("mahola.10", events.last(), Some(&Event::Ended { winner: ZERO, tokens: tokens.clone() }));
    assert_eq!(mahola.to_act(), Seats::NONE);
    let outcome = mahola.outcome().expect("it is over");
    assert_eq!(outcome.ending.to_string(), "mahola.10");
    assert_eq!(outcome.winners, Seats::one(ZERO));
    assert_eq!(outcome.places.into_vec(), [1, 2, 3]);
    assert_eq!(outcome.details, Details { tokens, rounds: 1 });
    for notation in ["decline", "play 21 LEFT", "pass 21 25"] {
        assert_eq!(refused(&mahola, ZERO, notation).0, "mahola.10");
        assert_eq!(refused(&mahola, TWO, notation).0, "mahola.10");
    }
}

#[test]
fn with_too_few_tokens_another_round_is_dealt() {
    let mut mahola = solo(Chief, [1, 9, 37, 13, 33], [21, 25, 29, 17]);
    mahola.rounds_to_win = 2;
    all_decline(&mut mahola);
    assert_eq!((mahola.outcome(), mahola.round), (None, 1));
    assert_eq!(mahola.standing().places.into_vec(), [1, 2, 2]);
    assert_eq!(mahola.standing().details.rounds, 1);
}

#[test]
fn a_resigned_seat_goes_on_at_random_and_comes_last() {
    let entropy = Entropy::new(Seed::new([4; 32]), []);
    let mut game = Game::<Mahola>::start(&rounds(1), 3, 2, &entropy).expect("the options are good");
    game.resign(ONE, &entropy).expect("one may resign at any time");
    let mut chance = Chance::fast(0);
    while let Some(seat) = game.to_act().first() {
        assert_ne!(seat, ONE);
        let mv = game.rules().any_move(seat, &mut chance);
        game.play(seat, &mv, &entropy).expect("any move is legal");
    }
    let outcome = game.outcome().expect("it is over");
    assert_eq!(outcome.places[ONE], 3);
    assert!(!outcome.winners.contains(ONE) && !outcome.winners.is_empty());
}

// mahola.11

#[test]
fn a_choice_is_final() {
    let mut mahola = with_hands(&HANDS);
    choose(&mut mahola, ONE, "play 7 RIGHT");
    for notation in ["play 7 RIGHT", "play 8 LEFT", "play 44 LEFT", "pass 6 7", "decline"] {
        assert_rule!("mahola.11", refused(&mahola, ONE, notation).0, "mahola.11");
    }
    assert_eq!(mahola.legal_moves(ONE).count(), 0);
    assert_eq!(mahola.to_act(), [ZERO, TWO, THREE].into_iter().collect());
}

#[test]
fn others_see_that_a_seat_has_chosen_and_not_what() {
    let mut chance = Chance::fast(21);
    let mut mahola = table(4, 77);
    // Play, pass and ability choices alike, in every turn of a round.
    while mahola.round == 0 {
        let moves: Vec<Move> = mahola.legal_moves(ONE).collect();
        let mut shown = BTreeSet::new();
        for mv in moves {
            let (mut after, mut events) = (mahola.clone(), Vec::new());
            after.apply(ONE, &mv, &mut Chance::fast(0), &mut events).expect("it is listed");
            let others = [Viewer::Seat(ZERO), Viewer::Seat(TWO), Viewer::Seat(THREE), Viewer::Spectator];
            let views: Vec<String> = others.iter().map(|viewer| json(&after.view(*viewer))).collect();
            assert!(after.view(Viewer::Spectator).seats[1].has_chosen);
            assert_eq!(private(&after, ONE).choice, Some(mv));
            assert!(!Mahola::is_open(&mv));
            shown.insert((json(&events), views));
        }
        assert_eq!(shown.len(), 1, "all choices look the same");
        all_choose_anything(&mut mahola, &mut chance);
    }
}

// What a player learns, and the view that shows it.

#[test]
fn a_view_shows_the_table_to_everybody() {
    let mut mahola = passing(4);
    choose(&mut mahola, TWO, "pass 12 13");
    let view = mahola.view(Viewer::Spectator);
    assert_eq!((view.rounds_to_win, view.round, view.turn, view.phase), (3, 0, 0, Phase::Pass));
    assert_eq!((view.deck_size, &view.deck, &view.last_round), (24, &None, &None));
    let chosen: Vec<bool> = view.seats.iter().map(|seat| seat.has_chosen).collect();
    assert_eq!(chosen, [false, false, true, false]);
    let laid: Vec<Vec<u8>> = view.seats.iter().map(|seat| numbers(&seat.tableau)).collect();
    assert_eq!(laid, [[1], [6], [11], [16]]);
    assert!(view.seats.iter().all(|seat| (seat.tokens, seat.hand_size) == (0, 4)));
    assert!(view.seats.iter().all(|seat| seat.private.is_none() && seat.character.is_none() && seat.score.is_none()));
}

#[test]
fn a_player_sees_its_hand_its_character_and_what_its_tableau_is_worth_now() {
    let mut mahola = passing(4);
    mahola.characters = BySeat::from(vec![Hunter, Chief, Shaman, Maiden]);
    let view = mahola.view(Viewer::Seat(ONE));
    assert_eq!(private(&mahola, ONE).hand, cards(&[7, 8, 9, 10]));
    assert_eq!(view.seats[1].character, Some(Chief));
    assert_eq!(view.seats[1].score.as_ref().map(|score| score.total), Some(-1), "card 6 is blue");
    for other in [0, 2, 3] {
        assert!(view.seats[other].private.is_none() && view.seats[other].character.is_none());
    }
}

#[test]
fn a_player_sees_its_own_pending_choice_and_its_hand_stays_whole_until_all_have_chosen() {
    let mut mahola = passing(4);
    choose(&mut mahola, TWO, "pass 12 13");
    let own = private(&mahola, TWO);
    assert_eq!((own.choice, own.hand), (Some(mv("pass 12 13")), cards(&[12, 13, 14, 15])));
}

#[test]
fn a_player_sees_what_it_received_from_whom_and_what_it_drew() {
    let mut mahola = passing(4);
    assert_eq!((private(&mahola, ZERO).received, private(&mahola, ZERO).drawn), (vec![], None));
    all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13", "pass 17 18"]);
    let own = private(&mahola, ZERO);
    let received = [Received { from: ONE, card: card(8) }, Received { from: THREE, card: card(17) }];
    assert_eq!((own.received, own.drawn), (received.to_vec(), Some(card(21))));
    // It stays in view while the next cards are played.
    all_choose(&mut mahola, &["play 8 LEFT", "play 9 LEFT", "play 14 LEFT", "play 19 LEFT"]);
    assert_eq!((private(&mahola, ZERO).received, private(&mahola, ZERO).drawn), (received.to_vec(), Some(card(21))));
}

#[test]
fn a_player_sees_what_it_gave_until_it_sees_the_card_again() {
    let given = |mahola: &Mahola| -> Vec<(u8, u8, u8)> {
        let given = private(mahola, ZERO).given;
        given.iter().map(|given| (given.turn, given.to.number(), given.card.number())).collect()
    };
    let mut mahola = passing(4);
    assert_eq!(given(&mahola), []);
    all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13", "pass 17 18"]);
    assert_eq!(given(&mahola), [(0, 1, 2), (0, 3, 3)]);
    // Seat 3 plays card 3: everybody sees it.
    all_choose(&mut mahola, &["play 4 LEFT", "play 9 LEFT", "play 14 LEFT", "play 3 LEFT"]);
    assert_eq!(given(&mahola), [(0, 1, 2)]);
    // Seat 1 hands card 2 back, and seat 0 gives two more.
    all_choose(&mut mahola, &["pass 5 8", "pass 10 2", "pass 15 7", "pass 19 20"]);
    assert_eq!(given(&mahola), [(1, 1, 5), (1, 3, 8)]);
    // A card that is given again is listed again.
    all_choose(&mut mahola, &["play 17 LEFT", "play 13 LEFT", "play 18 LEFT", "play 12 LEFT"]);
    all_choose(&mut mahola, &["pass 21 2", "pass 22 26", "pass 23 10", "pass 24 28"]);
    assert_eq!(given(&mahola), [(1, 1, 5), (1, 3, 8), (2, 1, 21), (2, 3, 2)]);
}

#[test]
fn the_full_scoring_stays_in_view_until_the_next_round_is_scored() {
    let mut mahola = solo(Chief, [1, 9, 37, 13, 33], [21, 25, 29, 17]);
    all_choose(&mut mahola, &["swap 1 2", "decline", "decline"]);
    let round = last_round(&mahola);
    let characters: Vec<Character> = round.seats.iter().map(|seat| seat.character).collect();
    assert_eq!((round.round, characters), (0, vec![Chief, Shaman, Hunter]));
    assert_eq!(numbers(&round.seats[0].tableau), [1, 37, 9, 13, 33]);
    assert_eq!(round.seats[0].score, tableau(&[1, 37, 9, 13, 33]).score(Chief, &Tables::default()));
    let mut chance = Chance::fast(2);
    while mahola.round == 1 && mahola.phase != Phase::Over {
        assert_eq!(last_round(&mahola), round);
        all_choose_anything(&mut mahola, &mut chance);
    }
    assert_eq!(last_round(&mahola).round, 1);
}

#[test]
fn what_was_given_received_and_drawn_is_forgotten_with_the_round() {
    let mut chance = Chance::fast(5);
    let mut mahola = table(3, 5);
    while mahola.round == 0 {
        all_choose_anything(&mut mahola, &mut chance);
    }
    let own = private(&mahola, ZERO);
    assert_eq!((own.given, own.received, own.drawn, own.choice), (vec![], vec![], None, None));
}

#[test]
fn when_the_game_is_over_all_is_open() {
    let mut chance = Chance::fast(0);
    for (seed, version) in (0..60).flat_map(|seed| [(seed, 1), (seed, 2)]) {
        let entropy = Entropy::new(Seed::new([seed; 32]), []);
        let (options, seats) = (rounds(1), 3 + seed % 2);
        let mut game = Game::<Mahola>::start(&options, seats, version, &entropy).expect("the options are good");
        while let Some(seat) = game.to_act().first() {
            let mv = game.rules().any_move(seat, &mut chance);
            game.play(seat, &mv, &entropy).expect("any move is legal");
        }
        let open = Viewer::Open(game.over().expect("it is over"));
        let view = game.view(open);
        assert_eq!(view.deck.as_ref().map(Vec::len), Some(view.deck_size.into()));
        assert!(view.seats.iter().all(|seat| seat.private.is_some() && seat.character.is_some()));
        let other = Mahola { deck: game.rules().deck.clone(), ..game.rules().imagine(open, &mut Chance::fast(0)) };
        assert_eq!(other, *game.rules(), "the deck's order is all that nobody knew");
        // To a player the others' last hands stay closed, and can still be imagined.
        for own in Seat::all(seats) {
            let viewer = Viewer::Seat(own);
            assert!(game.view(viewer).seats.iter().all(|seat| seat.private.is_some() == (seat.seat == own)));
            let other = game.rules().imagine(viewer, &mut chance);
            assert_eq!(json(&other.view(viewer)), json(&game.view(viewer)));
            assert!(past_is_sound(&other), "seed {seed}, version {version}, seat {own}");
        }
    }
}

// Imagination.

/// Whether the passing and drawing of this round, undone turn by turn, leads back to a deal.
fn past_is_sound(mahola: &Mahola) -> bool {
    let seats = mahola.seats();
    let mut hands = mahola.hands.clone();
    for (seat, scored) in Seat::all(seats).zip(mahola.scored.iter().flat_map(|scored| scored.abilities.values())) {
        if let (Phase::Over, Ability::Exchanged { put, .. }) = (mahola.phase, scored) {
            hands[seat].insert(*put);
        }
    }
    let mut dealt_or_drawn: Vec<Card> = mahola.deck.clone();
    for turn in mahola.turns.iter().rev() {
        if let Some(passed) = &turn.passed {
            for seat in Seat::all(seats) {
                let came = [passed[seat.left(seats)].right, passed[seat.right(seats)].left, passed[seat].drawn];
                if hands[seat].len() != 5 || came.iter().any(|card| !hands[seat].contains(*card)) {
                    return false;
                }
                came.iter().for_each(|card| hands[seat].remove(*card));
                dealt_or_drawn.push(passed[seat].drawn);
            }
            for seat in Seat::all(seats) {
                hands[seat].insert(passed[seat].left);
                hands[seat].insert(passed[seat].right);
            }
        }
        for seat in Seat::all(seats) {
            if hands[seat].len() != 4 || hands[seat].contains(turn.played[seat]) {
                return false;
            }
            hands[seat].insert(turn.played[seat]);
        }
    }
    dealt_or_drawn.extend(hands.values().flat_map(|hand| hand.iter()));
    let different: Cards = dealt_or_drawn.iter().copied().collect();
    hands.values().all(|hand| hand.len() == 5) && dealt_or_drawn.len() == 44 && different.len() == 44
}

/// A position after so many choices. If `secretive`, the others keep from seat 0 what it gave them, as far as they can,
/// so that much is out of its sight; otherwise all choose at random, so that much is seen again.
fn position(seats: u8, seed: u64, plies: usize, secretive: bool) -> Mahola {
    let mut chance = Chance::fast(seed);
    let mut mahola = table(seats, seed);
    for _ in 0..plies {
        let seat = *chance.pick(&Vec::from(mahola.to_act()));
        let given: Cards = mahola.given(ZERO).iter().map(|given| given.card).collect();
        let tells = |mv: &Move| match *mv {
            Move::Play { card, .. } => given.contains(card),
            Move::Pass { left, .. } if seat.left(seats) == ZERO => given.contains(left),
            Move::Pass { right, .. } if seat.right(seats) == ZERO => given.contains(right),
            _ => false,
        };
        let quiet: Vec<Move> = mahola.legal_moves(seat).filter(|mv| secretive && !tells(mv)).collect();
        let mv = if quiet.is_empty() { mahola.any_move(seat, &mut chance) } else { *chance.pick(&quiet) };
        mahola.apply(seat, &mv, &mut chance, &mut Nobody).expect("the move is legal");
    }
    mahola
}

/// Positions from all parts of a round, at three and four seats, of both sorts.
fn positions() -> impl Iterator<Item = (u64, Mahola)> {
    (0..240).map(|seed| {
        let seats = 3 + (seed % 2) as u8;
        let plies = Chance::fast(seed).below(10 * u32::from(seats)) as usize;
        (seed, position(seats, seed, plies, seed % 4 < 2))
    })
}

#[test]
fn a_card_just_given_is_imagined_with_its_receiver_alone() {
    let mut mahola = passing(4);
    all_choose(&mut mahola, &["pass 2 3", "pass 7 8", "pass 12 13", "pass 17 18"]);
    let mut chance = Chance::fast(0);
    for _ in 0..200 {
        let other = mahola.imagine(Viewer::Seat(ZERO), &mut chance);
        assert!(other.hands[ONE].contains(card(2)) && other.hands[THREE].contains(card(3)));
    }
    // One turn later it is there still, or with the seat beyond; never back unseen, never in the deck.
    all_choose(&mut mahola, &["play 4 LEFT", "play 9 LEFT", "play 14 LEFT", "play 19 LEFT"]);
    all_choose(&mut mahola, &["pass 5 8", "pass 10 22", "pass 15 7", "pass 20 24"]);
    let mut places = BTreeSet::new();
    for _ in 0..200 {
        let other = mahola.imagine(Viewer::Seat(ZERO), &mut chance);
        places.extend(Seat::all(4).filter(|seat| other.hands[*seat].contains(card(2))));
        assert!(!other.deck.contains(&card(2)) && !other.hands[ZERO].contains(card(2)));
    }
    assert_eq!(places, BTreeSet::from([ONE, TWO]));
}

#[test]
fn with_all_eight_cards_out_at_three_seats_the_others_hold_nothing_else() {
    // After the fifth placing the two others have four cards each: just those that seat 0 gave and never saw again.
    let mut found = 0;
    for seed in 0..400 {
        let mahola = position(3, seed, 27, true);
        if mahola.given(ZERO).len() == 8 {
            let given: Cards = mahola.given(ZERO).iter().map(|given| given.card).collect();
            let other = mahola.imagine(Viewer::Seat(ZERO), &mut Chance::fast(seed));
            let held: Cards = [ONE, TWO].iter().flat_map(|seat| other.hands[*seat].iter()).collect();
            assert_eq!(held, given);
            found += 1;
        }
    }
    assert!(found > 0, "such rounds are played");
}

#[test]
fn given_cards_are_imagined_wherever_they_can_be_and_nowhere_else() {
    let viewer = Viewer::Seat(ZERO);
    let mut chance = Chance::fast(11);
    for (seed, seats) in (0..40u8).flat_map(|seed| [(seed, 3), (seed, 4)]) {
        let plies = usize::from(seats * (4 + seed % 6) + seed % seats);
        let mahola = position(seats, seed.into(), plies, seed % 2 == 0);
        let given: BTreeSet<String> = mahola.given(ZERO).iter().map(|given| given.card.to_string()).collect();
        let of_given = |pieces: Pieces| -> Pieces {
            let in_hands = pieces.into_iter().filter(|(place, _)| !place.starts_with("choice"));
            in_hands.filter(|(_, piece)| given.contains(piece)).collect()
        };
        let mut drawn = Pieces::new();
        for _ in 0..2000 {
            drawn.extend(of_given(mahola.imagine(viewer, &mut chance).unknown(viewer)));
        }
        assert_eq!(drawn, of_given(mahola.possible(viewer)), "seed {seed}, {seats} seats, {plies} plies");
    }
}

/// A hand as its viewer sees it: cards that it gave away, and others. Sorted.
type Hand = Vec<Option<Card>>;

/// In how many ways the cards that seat 0 gave away can have come to lie where they lie: each seat has played and passed
/// any of the cards of its hand, one by one, and what seat 0 saw of it fits.
fn all_pasts(mahola: &Mahola) -> BTreeMap<Whereabouts, u128> {
    let seats = mahola.seats();
    let others: Vec<Seat> = Seat::all(seats).filter(|seat| *seat != ZERO).collect();
    let mut pasts: BTreeMap<Vec<Hand>, u128> = BTreeMap::from([(vec![vec![None; 5]; seats.into()], 1)]);
    for turn in &mahola.turns {
        let mut further: BTreeMap<Vec<Hand>, u128> = BTreeMap::new();
        for (hands, ways) in &pasts {
            let tracked: Cards = hands.iter().flatten().flatten().copied().collect();
            // The card that is seen, as it must have lain in the hand.
            let seen = |card: Card| Some(card).filter(|card| tracked.contains(*card));
            let mut choices = vec![(vec![Hand::new(); seats.into()], *ways)];
            for seat in &others {
                let mut longer = Vec::new();
                for (kept, left, right) in
                    ways_to_play_and_pass(&hands[seat.index()], |n, card| match (n, &turn.passed) {
                        (0, _) => card == seen(turn.played[*seat]),
                        (_, None) => true,
                        (1, Some(passed)) => seat.left(seats) != ZERO || card == seen(passed[*seat].left),
                        (_, Some(passed)) => seat.right(seats) != ZERO || card == seen(passed[*seat].right),
                    })
                {
                    for (next, ways) in &choices {
                        let mut next: Vec<Hand> = next.clone();
                        next[seat.index()].extend(&kept);
                        match turn.passed {
                            Some(_) => {
                                next[seat.left(seats).index()].push(left);
                                next[seat.right(seats).index()].push(right);
                            }
                            None => next[seat.index()].extend([left, right]),
                        }
                        longer.push((next, *ways));
                    }
                }
                choices = longer;
            }
            for (mut next, ways) in choices {
                next[0].clear();
                if let Some(passed) = &turn.passed {
                    next[ZERO.left(seats).index()].push(Some(passed[ZERO].left));
                    next[ZERO.right(seats).index()].push(Some(passed[ZERO].right));
                    others.iter().for_each(|seat| next[seat.index()].push(None));
                }
                next.iter_mut().for_each(|hand| hand.sort_unstable());
                *further.entry(next).or_default() += ways;
            }
        }
        pasts = further;
    }
    let mut counted = BTreeMap::new();
    for (hands, ways) in pasts {
        let whereabouts: Whereabouts = Seat::all(seats)
            .flat_map(|seat| hands[seat.index()].iter().flatten().map(move |card| (*card, seat)).collect::<Vec<_>>())
            .collect();
        *counted.entry(whereabouts).or_default() += ways;
    }
    counted
}

/// Every way to play one card of a hand (0) and choose another for the left (1) and a third for the right (2).
fn ways_to_play_and_pass(
    hand: &Hand,
    fits: impl Fn(usize, Option<Card>) -> bool,
) -> Vec<(Hand, Option<Card>, Option<Card>)> {
    let mut ways = Vec::new();
    for play in (0..5).filter(|n| fits(0, hand[*n])) {
        for left in (0..5).filter(|n| *n != play && fits(1, hand[*n])) {
            for right in (0..5).filter(|n| *n != play && *n != left && fits(2, hand[*n])) {
                let kept = (0..5).filter(|n| ![play, left, right].contains(n)).map(|n| hand[n]).collect();
                ways.push((kept, hand[left], hand[right]));
            }
        }
    }
    ways
}

#[test]
fn every_past_that_fits_is_imagined_as_often_as_any_other() {
    let mut chance = Chance::fast(12);
    let mut looked_at = 0;
    for seed in 0..24u8 {
        // Three seats through four passings, four seats through two.
        let (seats, turns) = if seed % 3 == 0 { (4, 2) } else { (3, 2 + seed % 3) };
        let mahola = position(seats, seed.into(), usize::from(2 * seats * turns), seed % 2 == 0);
        let pasts = all_pasts(&mahola);
        let given: Cards = mahola.given(ZERO).iter().map(|given| given.card).collect();
        let came = count(3000, || -> Whereabouts {
            let other = mahola.imagine(Viewer::Seat(ZERO), &mut chance);
            let with = |card: Card| Seat::all(seats).find(|seat| other.hands[*seat].contains(card));
            given.iter().map(|card| (card, with(card).expect("it is in no deck"))).collect()
        });
        assert_fits(&came, &pasts);
        looked_at += usize::from(pasts.len() > 3);
    }
    assert!(looked_at > 10, "many positions leave much open: {looked_at}");
}

#[test]
fn an_imagined_game_has_a_past_and_can_be_imagined_again_by_anybody() {
    let mut chance = Chance::fast(5);
    for (_, mahola) in positions() {
        let seats = mahola.seats();
        assert!(past_is_sound(&mahola), "the real past is");
        for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator]) {
            let other = mahola.imagine(viewer, &mut chance);
            assert!(past_is_sound(&other));
            for second in Seat::all(seats).map(Viewer::Seat) {
                let third = other.imagine(second, &mut chance);
                assert!(past_is_sound(&third));
                assert_eq!(json(&third.view(second)), json(&other.view(second)));
            }
        }
    }
}

#[test]
fn what_is_imagined_depends_on_nothing_but_what_the_viewer_knows() {
    let mut chance = Chance::fast(6);
    for (seed, mahola) in positions() {
        let seats = mahola.seats();
        for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator]) {
            let other = mahola.imagine(viewer, &mut chance);
            let (first, second) = (&mut Chance::fast(seed), &mut Chance::fast(seed));
            assert_eq!(mahola.imagine(viewer, first), other.imagine(viewer, second));
        }
    }
}

#[test]
fn events_are_sentences() {
    let mut chance = Chance::fast(1);
    let mut mahola = table(4, 1);
    while mahola.phase != Phase::Over {
        let seat = mahola.to_act().first().expect("it is not over");
        let mv = mahola.sensible_move(seat, &mut chance);
        let mut events = Vec::new();
        mahola.apply(seat, &mv, &mut chance, &mut events).expect("the move is legal");
        for event in events {
            let text = event.to_string();
            assert!(text.ends_with('.') && text.len() > 10, "{text}");
            let saved: Event = serde_json::from_str(&json(&event)).expect("an event is plain data");
            assert_eq!(saved, event);
        }
    }
}
