use std::collections::BTreeSet;

use super::*;
use crate::asserted::{self, assert_rule};
use crate::contract::{self, Promises};
use crate::evenness::{assert_fits, count, evenly};
use crate::perft::perft;
use crate::playout::playout;
use crate::{AnyGame, Entropy, Kind, Nobody, Over, Seed, golden};

mod judgement;
mod sensible;

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const OPEN: Viewer = Viewer::Open(Over(()));

fn seat(number: u8) -> Viewer {
    Viewer::Seat(Seat::new(number))
}

fn place(text: &str) -> Place {
    text.parse().expect("it is a place")
}

fn at(cell: u8) -> Cell {
    Cell::numbered(cell.into()).expect("it is a cell")
}

fn places(text: &str) -> Places {
    text.split_whitespace().map(place).collect()
}

fn tourist(text: &str) -> Tourist {
    text.parse().expect("it is a tourist")
}

fn tourists(text: &str) -> Tourists {
    text.split_whitespace().map(tourist).collect()
}

fn mv(text: &str) -> Move {
    text.parse().expect("it is a move")
}

/// Seat 0 is to move; seat 0's jeep stands at l72, seat 1's at l73 …
fn start(variant: Variant, notepads: bool, seats: u8) -> Mara {
    let options = Options { variant, notepads, first_seat: Some(ZERO), ..Options::default() };
    let mut mara = Mara::setup(&options, 2, seats, &mut Chance::fast(0));
    for seat in Seat::all(seats).rev() {
        play(&mut mara, seat, &format!("place l{}", 72 + seat.number()));
    }
    mara
}

fn standard(seats: u8) -> Mara {
    start(Variant::Standard, false, seats)
}

fn family(seats: u8) -> Mara {
    start(Variant::Family, false, seats)
}

fn play(mara: &mut Mara, seat: Seat, text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    mara.apply(seat, &mv(text), &mut Chance::fast(0), &mut events)
        .unwrap_or_else(|illegal| panic!("{text}: {illegal}"));
    events
}

fn refused(mara: &Mara, seat: Seat, text: &str) -> Illegal {
    mara.check(seat, &mv(text)).expect_err("the move is illegal")
}

fn refusal(mara: &Mara, seat: Seat, text: &str) -> &'static str {
    refused(mara, seat, text).rule.0
}

fn is_legal(mara: &Mara, seat: Seat, text: &str) -> bool {
    let legal = mara.check(seat, &mv(text)).is_ok();
    assert_eq!(mara.legal_moves(seat).any(|listed| listed == mv(text)), legal, "{text}");
    legal
}

impl Mara {
    fn with_jeep(mut self, seat: Seat, at: &str) -> Mara {
        self.drivers[seat].jeep = Some(place(at));
        self
    }

    fn with_tracks(mut self, seat: Seat, on: &str) -> Mara {
        self.drivers[seat].tracks = places(on);
        self
    }

    /// These tourists lie face up in front of a seat.
    fn with_tourists(mut self, seat: Seat, face_up: &str) -> Mara {
        let face_up = tourists(face_up);
        self.piles.iter_mut().for_each(|pile| *pile = pile.without(face_up));
        self.deck.retain(|card| !face_up.contains(card.tourist));
        self.drivers.values_mut().for_each(|driver| driver.face_up = driver.face_up.without(face_up));
        self.drivers[seat].face_up = face_up;
        self
    }

    /// The tile of this cell changes places with the one that has this face.
    fn with_tile(mut self, cell: u8, face: &str) -> Mara {
        let face = tourist(face);
        let there = at(cell).tile().expect("it is the cell of a tile");
        let here = self.tiles.iter().position(|tile| (tile.habitat, tile.animal) == (face.habitat, face.animal));
        self.tiles.swap(there, here.expect("every face has its tile"));
        self
    }

    /// A seat has photographed these, and has brought those home that do not lie in front of it.
    fn with_photos(mut self, seat: Seat, photos: Tourists) -> Mara {
        self.piles.iter_mut().for_each(|pile| *pile = pile.without(photos));
        self.drivers[seat].photos = photos;
        for tile in self.tiles.iter_mut().filter(|tile| photos.contains(Tourist::new(tile.habitat, tile.animal))) {
            tile.photographer = Some(seat);
        }
        self
    }

    fn animal_seen(&self, viewer: Viewer, cell: u8) -> Option<Animal> {
        self.view(viewer).tiles.iter().find(|tile| tile.cell == at(cell)).expect("it is the cell of a tile").animal
    }

    fn pile(&self, lodge: &str) -> Tourists {
        self.piles[place(lodge).lodge().expect("it is a lodge")]
    }
}

// The contract.

#[test]
fn the_mara_keeps_the_contract() {
    contract::uphold::<Mara>(contract::games_or(80));
}

#[test]
fn golden_records_are_still_true() {
    let table = |variant, notepads, seats| (Options { variant, notepads, ..Options::default() }, seats);
    let tables = [
        table(Variant::Standard, false, 2),
        table(Variant::Standard, true, 3),
        table(Variant::Standard, false, 4),
        table(Variant::Family, true, 2),
        table(Variant::Family, false, 3),
        table(Variant::Family, true, 4),
        table(Variant::Standard, true, 2),
        table(Variant::Standard, true, 3),
    ];
    let games = golden::check::<Mara>(Kind::Mara, "mara", 1, &tables);
    let ends: Vec<End> =
        games.iter().filter_map(|game| if let AnyGame::Mara(game) = game { game.rules().end } else { None }).collect();
    for end in [End::AllPhotographed, End::NoTourists, End::NoPhotos, End::EmptyDeck] {
        assert!(ends.contains(&end), "no golden game ends by {end:?}");
    }
    let quiet =
        |variant, quiet, seats| (Options { variant, quiet_turns_per_seat: Some(quiet), ..Options::default() }, seats);
    let tables = [
        table(Variant::Standard, true, 2),
        table(Variant::Family, true, 3),
        quiet(Variant::Standard, 10, 3),
        quiet(Variant::Family, 10, 2),
    ];
    golden::check::<Mara>(Kind::Mara, "mara", 2, &tables);
}

#[test]
fn every_rule_is_tested() {
    asserted::every_rule_is_tested::<Mara>(include_str!("tests.rs"));
}

#[test]
fn every_ending_is_reached() {
    let mut ends = BTreeSet::new();
    for (options, seats) in Mara::tables(2) {
        for game in 0..10 {
            let mut chance = Chance::fast(game);
            let mut mara = Mara::setup(&options, 2, seats, &mut chance);
            while let Some(seat) = mara.to_act().first() {
                let mv = mara.sensible_move(seat, &mut chance);
                mara.apply(seat, &mv, &mut chance, &mut Nobody).expect("a sensible move is legal");
            }
            let end = mara.end.expect("nobody is to act");
            if end == End::EmptyDeck {
                let photos: u8 = mara.drivers.values().map(|driver| driver.photos.len()).sum();
                assert_eq!(photos, 31 - 2 * seats);
            }
            assert_eq!(mara.outcome().expect("it is over").ending.to_string(), end.rule().0);
            ends.insert(format!("{:?} {end:?}", options.variant));
        }
    }
    let reached: Vec<&str> = ends.iter().map(String::as_str).collect();
    let all =
        ["Family EmptyDeck", "Family NoPhotos", "Standard AllPhotographed", "Standard NoPhotos", "Standard NoTourists"];
    assert_eq!(reached, all);
}

#[test]
fn random_games_always_end() {
    for variant in [Variant::Standard, Variant::Family] {
        for seats in 2..=4 {
            let played =
                playout::<Mara>(&Options { variant, ..Options::default() }, 2, seats, 50, 1).expect("it can be set up");
            assert!(!played.endings.contains_key("PLY_LIMIT"), "{played:?}");
        }
    }
}

// The board.

fn all_places() -> impl Iterator<Item = Place> {
    (0..78).filter_map(Place::numbered)
}

/// How many drives lead from one place to another on an empty board.
fn drives(from: &str, to: &str) -> usize {
    let mut reached = places(from);
    let mut drives = 0;
    while !reached.contains(place(to)) {
        reached = reached.iter().fold(reached, |all, next| all.or(next.neighbours()));
        drives += 1;
    }
    drives
}

#[test]
fn the_board_is_a_hexagon_of_37_cells_with_72_paths_and_6_lodges() {
    let board = Mara::about(2).board.expect("The Mara has a board");
    let with_role = |role| board.cells.iter().filter(|cell| cell.role == role).collect::<Vec<_>>();
    assert_eq!((board.cells.len(), board.places.len()), (37, 78));
    assert_eq!((with_role("TILE").len(), with_role("LODGE").len()), (30, 6));
    assert_eq!(with_role("KILIMANJARO").iter().map(|cell| (cell.q, cell.r)).collect::<Vec<_>>(), [(0, 0)]);
    let corners: Vec<(i32, i32)> = with_role("LODGE").iter().map(|cell| (cell.q, cell.r)).collect();
    assert_eq!(corners, [(-3, 0), (-3, 3), (0, -3), (0, 3), (3, -3), (3, 0)]);
    assert!(board.cells.iter().enumerate().all(|(n, cell)| cell.number as usize == n));
    assert!(board.cells.is_sorted_by_key(|cell| (cell.q, cell.r)));
    assert!(board.cells.iter().all(|cell| cell.q.abs() <= 3 && cell.r.abs() <= 3 && (cell.q + cell.r).abs() <= 3));

    let (paths, lodges) = board.places.split_at(72);
    assert!(paths.iter().all(|path| path.role == "PATH" && path.cells.len() == 2));
    assert!(paths.is_sorted_by_key(|path| (path.cells[0], path.cells[1])));
    assert!(lodges.iter().zip(with_role("LODGE")).all(|(lodge, cell)| lodge.cells == [cell.number]));
    let kilimanjaro = with_role("KILIMANJARO")[0].number;
    assert_eq!(paths.iter().filter(|path| path.cells.contains(&kilimanjaro)).count(), 6);
}

#[test]
fn places_next_to_each_other_are_as_many_and_as_far_as_they_should_be() {
    let degrees = |n| all_places().filter(|place| place.neighbours().len() == n).count();
    assert_eq!((degrees(4), degrees(3), degrees(2)), (54, 12, 12));
    for place in all_places() {
        assert!(!place.neighbours().contains(place));
        assert!(place.neighbours().iter().all(|next| next.neighbours().contains(place)));
    }
    assert_eq!(places("l72").flood(all_places().collect()).len(), 78, "the board is connected");
    let neighbours = [("l72", "l73"), ("l73", "l75"), ("l75", "l77"), ("l77", "l76"), ("l76", "l74"), ("l74", "l72")];
    assert!(neighbours.iter().all(|(from, to)| drives(from, to) == 5));
    let opposite = [("l72", "l77"), ("l73", "l76"), ("l74", "l75")];
    assert!(opposite.iter().all(|(from, to)| drives(from, to) == 11));
}

#[test]
fn two_paths_meet_where_three_cells_touch() {
    assert_eq!(place("p26").cells().collect::<Vec<_>>(), [at(11), at(18)]);
    assert_eq!(place("p26").neighbours(), places("p24 p25 p28 p37"));
    assert_eq!(place("p0").neighbours(), places("p2 p3"));
    assert_eq!(place("l72").neighbours(), places("p1 p5"));
    assert_eq!(place("p26").tiles().count(), 1, "Kilimanjaro is no tile");
}

#[test]
fn the_catalogue_shows_all_tiles_and_tourists_and_what_sets_are_worth() {
    let about = Mara::about(2);
    let rows =
        |name| about.components.iter().find(|table| table.name == name).expect("the table is there").rows.clone();
    assert_eq!((rows("Habitat tiles").len(), rows("Tourists").len()), (30, 30));
    assert_eq!(rows("Sets")[0], ["6", "21"]);
    assert_eq!(rows("Actions"), [["0", "4"], ["1", "3"], ["2", "2"], ["3", "1"]]);
    assert_eq!(about.rules.len(), 15 + 4, "those of the family variant are among them");
}

// The rules, in order.

#[test]
fn tiles_lie_face_down_and_each_lodge_has_the_tourists_of_one_animal() {
    let mara = standard(4);
    let faces: BTreeSet<Tourist> = mara.tiles.iter().map(|tile| Tourist::new(tile.habitat, tile.animal)).collect();
    assert_rule!("mara.1", faces.len(), 30);
    assert!(mara.view(Viewer::Spectator).tiles.iter().all(|tile| tile.animal.is_none() && tile.photographer.is_none()));
    let animals: BTreeSet<Animal> =
        mara.piles.iter().map(|pile| pile.first().expect("nobody is met yet").animal).collect();
    assert_eq!(animals.len(), 6);
    for pile in mara.piles {
        assert_eq!(pile.len(), 5);
        assert!(pile.iter().all(|tourist| tourist.animal == pile.first().unwrap().animal));
    }
    assert!(mara.drivers.values().all(|driver| driver.face_up.is_empty() && driver.tracks.is_empty()));
    assert_eq!(mara.view(Viewer::Spectator).drivers[ONE].tracks_left, 15);
}

#[test]
fn a_first_seat_that_is_not_at_the_table_is_refused() {
    let options = |n| Options { first_seat: Some(Seat::new(n)), ..Options::default() };
    assert_eq!(Mara::check_options(&options(2), 2, 2).expect_err("there is no seat 2").rule.0, "mara.1");
    assert_eq!(Mara::check_options(&options(3), 2, 4), Ok(()));
    let last_to_act = |seed| Mara::setup(&Options::default(), 2, 3, &mut Chance::fast(seed)).mover;
    assert_eq!((0..30).map(last_to_act).collect::<BTreeSet<_>>().len(), 3, "left out, it is drawn");
}

#[test]
fn jeeps_are_placed_in_reverse_turn_order_each_at_a_lodge_of_its_own() {
    let options = Options { first_seat: Some(ONE), ..Options::default() };
    let mut mara = Mara::setup(&options, 2, 3, &mut Chance::fast(0));
    assert_eq!(mara.to_act(), Seats::one(ZERO), "the seat before the first seat begins");
    assert_eq!(mara.legal_moves(ZERO).count(), 6);
    assert_eq!(refusal(&mara, ZERO, "place p3"), "mara.2");
    assert_eq!(refusal(&mara, ZERO, "drive p1"), "mara.2");
    assert_eq!(refusal(&mara, ONE, "place l72"), "mara.2");
    assert_eq!(play(&mut mara, ZERO, "place l72"), [Event::Placed { seat: ZERO, lodge: place("l72") }]);
    assert_eq!(mara.to_act(), Seats::one(TWO));
    assert_eq!(refusal(&mara, TWO, "place l72"), "mara.2");
    play(&mut mara, TWO, "place l77");
    assert!(mara.view(Viewer::Spectator).is_placing);
    play(&mut mara, ONE, "place l75");
    assert!(!mara.view(Viewer::Spectator).is_placing);
    assert_eq!(mara.to_act(), Seats::one(ONE), "the first seat has the first turn");
    assert_eq!(refusal(&mara, ONE, "place l73"), "mara.2");
    assert_eq!(refusal(&mara, TWO, "drive p69"), "mara.2");
    let pick = mara.pile("l75").first().unwrap();
    play(&mut mara, ONE, &format!("meet pick {pick}"));
    assert_eq!(mara.to_act(), Seats::one(TWO), "turns go clockwise");
}

#[test]
fn a_turn_is_one_task() {
    let mara = standard(2);
    let pick = mara.pile("l72").first().unwrap();
    let mut there_and_back = mara.clone();
    play(&mut there_and_back, ZERO, "drive p1");
    play(&mut there_and_back, ZERO, "drive l72");
    assert_eq!(refusal(&there_and_back, ZERO, &format!("meet pick {pick}")), "mara.3");
    assert_eq!(refusal(&mara, ZERO, "keep RIVER-BIRD"), "mara.3");
    let mut met = mara;
    let events = play(&mut met, ZERO, &format!("meet pick {pick}"));
    assert_eq!(events.last(), Some(&Event::TurnEnded { seat: ZERO }));
    assert_eq!(met.to_act(), Seats::one(ONE));
}

#[test]
fn tourists_are_met_at_a_lodge_and_not_on_a_path_next_to_it() {
    let mara = standard(2).with_jeep(ZERO, "p1");
    let pick = mara.pile("l72").first().unwrap();
    assert_eq!(refusal(&mara, ZERO, &format!("meet pick {pick}")), "mara.4");
    assert!(is_legal(&mara.with_jeep(ZERO, "l72"), ZERO, &format!("meet pick {pick}")));
}

#[test]
fn a_meet_names_own_tourists_and_those_of_the_lodge() {
    let mara = standard(2).with_tourists(ZERO, "BUSH-BIRD RIVER-BIRD").with_tourists(ONE, "GROVE-BIRD");
    assert_eq!(refusal(&mara, ZERO, "meet"), "mara.5");
    assert_eq!(refusal(&mara, ZERO, "meet drop GROVE-BIRD"), "mara.5");
    assert_eq!(refusal(&mara, ZERO, "meet pick GROVE-BIRD"), "mara.5");
    assert_eq!(refusal(&mara, ZERO, "meet drop RIVER-BIRD pick RIVER-BIRD"), "mara.5", "it was not in the pile before");
    let elsewhere = mara.pile("l74").first().unwrap();
    assert_eq!(refusal(&mara, ZERO, &format!("meet pick {elsewhere}")), "mara.5");
    let here = mara.pile("l72").first().unwrap();
    let blamed = refused(&mara, ZERO, &format!("meet drop BUSH-BIRD RIVER-BIRD pick {elsewhere}")).token;
    assert_eq!(blamed, Some(5));
    assert_eq!(refused(&mara, ZERO, &format!("meet pick {elsewhere}")).token, Some(2));
    assert_eq!(refused(&mara, ZERO, &format!("meet drop GROVE-BIRD pick {here}")).token, Some(2));
}

#[test]
fn who_has_a_photo_is_brought_home_and_who_has_none_waits_at_this_lodge() {
    let mut mara = standard(2)
        .with_tourists(ZERO, "GROVE-CARNIVORE BUSH-CARNIVORE")
        .with_photos(ZERO, tourists("GROVE-CARNIVORE"));
    let pick = mara.pile("l72").first().unwrap();
    let before = mara.pile("l72");
    let events = play(&mut mara, ZERO, &format!("meet drop GROVE-CARNIVORE BUSH-CARNIVORE pick {pick}"));
    assert_rule!(
        "mara.5",
        events[0],
        Event::Met {
            seat: ZERO,
            lodge: place("l72"),
            brought_home: tourists("GROVE-CARNIVORE"),
            left: tourists("BUSH-CARNIVORE"),
            picked_up: Tourists::one(pick),
        }
    );
    assert_eq!(mara.pile("l72"), before.without(Tourists::one(pick)).or(tourists("BUSH-CARNIVORE")));
    let seen = &mara.view(Viewer::Spectator).drivers[ZERO];
    assert_eq!(seen.face_down, tourists("GROVE-CARNIVORE"));
    assert_eq!(seen.face_up, [TouristView { tourist: pick, has_photo: false }]);
    assert_eq!(seen.score.points, 1, "photos count whether or not their tourist is home");
}

#[test]
fn nobody_leaves_a_lodge_with_more_than_three_tourists() {
    let mara =
        standard(2).with_tourists(ZERO, "GROVE-CARNIVORE BUSH-CARNIVORE").with_photos(ZERO, tourists("BUSH-CARNIVORE"));
    let pile: Vec<Tourist> = mara.pile("l72").iter().collect();
    let (one, two) = (pile[0], pile[1]);
    assert_eq!(refusal(&mara, ZERO, &format!("meet pick {one} {two}")), "mara.6");
    assert!(is_legal(&mara, ZERO, &format!("meet pick {one}")));
    assert!(is_legal(&mara, ZERO, &format!("meet drop BUSH-CARNIVORE pick {one} {two}")));
}

#[test]
fn legal_meets_are_all_that_are_accepted_and_each_is_listed_once() {
    for (face_up, photos) in
        [("", ""), ("RIVER-BIRD", "RIVER-BIRD"), ("GROVE-BIRD RIVER-BIRD RIVER-INSECT", "GROVE-BIRD")]
    {
        let mut mara = standard(2).with_tourists(ZERO, face_up).with_photos(ZERO, tourists(photos));
        mara.piles[0] = mara.piles[0].or(tourists("BUSH-PRIMATE"));
        let (mine, pile) = mara.at_the_lodge(ZERO);
        let subsets = |set: Tourists| -> Vec<Tourists> {
            let all: Vec<Tourist> = set.iter().collect();
            (0..1u32 << all.len())
                .map(|bits| (0..all.len()).filter(|n| bits >> n & 1 == 1).map(|n| all[n]).collect())
                .collect()
        };
        let mut accepted = BTreeSet::new();
        for drop in subsets(mine) {
            for pick in subsets(pile.or(mine)) {
                let meet = Move::Meet { drop, pick };
                if mara.check(ZERO, &meet).is_ok() {
                    accepted.insert(meet.to_string());
                }
            }
        }
        let listed: Vec<String> =
            mara.legal_moves(ZERO).filter(|mv| matches!(mv, Move::Meet { .. })).map(|mv| mv.to_string()).collect();
        assert_eq!(listed.len(), accepted.len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), accepted);
    }
}

#[test]
fn continuations_of_a_move_are_what_its_list_tells() {
    let full = standard(2).with_tourists(ZERO, "GROVE-BIRD RIVER-BIRD RIVER-INSECT");
    let out_of_tracks = with_all_tracks().with_jeep(ZERO, "p37");
    for mara in [standard(2), full, out_of_tracks, family(3)] {
        let notations: Vec<String> = mara.legal_moves(ZERO).map(|mv| mv.to_string()).collect();
        let mut prefixes: BTreeSet<Vec<&str>> = BTreeSet::new();
        for notation in &notations {
            let tokens: Vec<&str> = notation.split(' ').collect();
            prefixes.extend((0..=tokens.len()).map(|n| tokens[..n].to_vec()));
        }
        prefixes.extend([vec!["meet", "x"], vec!["meet", "pick", "pick"], vec!["meet", "drop", "drop"], vec!["fly"]]);
        for prefix in prefixes {
            assert_eq!(mara.continuations(ZERO, &prefix), follow(notations.iter().cloned(), &prefix), "{prefix:?}");
        }
        assert_eq!(mara.continuations(ONE, &[]), Continuations::default());
        assert_eq!(mara.continuations(ONE, &["meet"]), Continuations::default());
    }
}

#[test]
fn the_longest_pile_can_still_be_met_token_by_token() {
    let mut mara = standard(2).with_tourists(ZERO, "GROVE-BIRD RIVER-BIRD RIVER-INSECT");
    let all = mara.piles.iter().fold(Tourists::NONE, |all, pile| all.or(*pile));
    mara.piles = [all, Tourists::NONE, Tourists::NONE, Tourists::NONE, Tourists::NONE, Tourists::NONE];
    let picks = |n: usize| match n {
        0 => 1,
        1 => 1 + 27,
        2 => 1 + 27 + 351,
        _ => 1 + 27 + 351 + 2925,
    };
    let meets = 3 * picks(1) + 3 * picks(2) + picks(3);
    assert_eq!(mara.meets(ZERO).count(), meets);
    let answer = mara.continuations(ZERO, &["meet", "drop", "GROVE-BIRD", "RIVER-BIRD", "pick"]);
    assert_eq!((answer.next.len(), answer.is_move), (27, false));
}

#[test]
fn a_guide_has_fewer_actions_the_more_tourists_it_has() {
    let held = ["", "RIVER-BIRD", "RIVER-BIRD BUSH-BIRD", "RIVER-BIRD BUSH-BIRD GROVE-BIRD"];
    for (face_up, actions) in held.into_iter().zip([4, 3, 2, 1]) {
        let mut mara = standard(2).with_tourists(ZERO, face_up);
        let route = ["drive p1", "drive p2", "drive p3", "drive p4"];
        for (used, drive) in route[..actions].iter().enumerate() {
            let view = mara.view(Viewer::Spectator);
            assert_rule!("mara.7", (usize::from(view.actions_left), view.is_guiding), (actions - used, used > 0));
            assert_eq!(mara.to_act(), Seats::one(ZERO));
            play(&mut mara, ZERO, drive);
        }
        assert_eq!(mara.to_act(), Seats::one(ONE), "a drive with the last action ends the turn");
    }
}

#[test]
fn a_turn_ends_after_one_action_at_least_and_by_itself_only_after_a_drive() {
    let mut mara = standard(2).with_jeep(ZERO, "p1").with_tourists(ZERO, "RIVER-BIRD BUSH-BIRD GROVE-BIRD");
    assert_eq!(refusal(&mara, ZERO, "end"), "mara.7");
    play(&mut mara, ZERO, "peek");
    assert_eq!(mara.to_act(), Seats::one(ZERO), "nobody can tell from the end of a turn what was seen");
    assert_eq!(refusal(&mara, ZERO, "drive p2"), "mara.7");
    assert_eq!(refusal(&mara, ZERO, "peek"), "mara.7");
    assert!(is_legal(&mara, ZERO, "end"));
    assert_eq!(play(&mut mara, ZERO, "end"), [Event::TurnEnded { seat: ZERO }]);
    assert_eq!(mara.to_act(), Seats::one(ONE));
    play(&mut mara, ONE, "drive p4");
    play(&mut mara, ONE, "end");
    assert_eq!(mara.to_act(), Seats::one(ZERO));
}

#[test]
fn a_drive_goes_to_a_neighbour_and_not_back_to_where_it_began() {
    let mara = standard(2).with_jeep(ZERO, "p8");
    assert_eq!(mara.reach(ZERO), places("p1 p2 p10 p12"));
    assert_eq!(refusal(&mara, ZERO, "drive p8"), "mara.8");
    let far = refused(&mara, ZERO, "drive p21");
    assert_eq!((far.rule.0, far.token), ("mara.8", Some(1)));
    assert!(far.text.contains("not next to"), "{far}");
    let mut mara = mara;
    play(&mut mara, ZERO, "drive p1");
    play(&mut mara, ZERO, "drive p8");
    assert_eq!(mara.jeep(ZERO), place("p8"), "a later drive may return");
}

#[test]
fn tracks_of_one_colour_may_be_skipped_whoever_owns_them() {
    let mara = standard(2).with_tracks(ONE, "p1 p8");
    assert_rule!(
        "mara.8",
        mara.reach(ZERO),
        places("p1 p2 p5 p8 p10 p12"),
        "the run may turn, and it may stop on a track"
    );
    assert_eq!(mara.clone().with_tracks(ZERO, "p1 p8").with_tracks(ONE, "").reach(ZERO), mara.reach(ZERO));
    let two_colours = standard(2).with_tracks(ZERO, "p1").with_tracks(ONE, "p8");
    let illegal = refused(&two_colours, ZERO, "drive p10");
    assert_eq!(illegal.rule.0, "mara.8");
    assert!(illegal.text.contains("different colours"), "{illegal}");
    assert!(is_legal(&two_colours, ZERO, "drive p8"));
}

#[test]
fn a_lodge_is_skipped_only_if_a_jeep_stands_there() {
    let mara = standard(3).with_jeep(ZERO, "p1").with_jeep(ONE, "p8").with_tracks(ZERO, "p5");
    assert!(is_legal(&mara, ZERO, "drive l72"));
    assert!(!is_legal(&mara, ZERO, "drive p5"));
    let mara = mara.with_jeep(TWO, "l72");
    assert!(!is_legal(&mara, ZERO, "drive l72"));
    assert!(is_legal(&mara, ZERO, "drive p5") && is_legal(&mara, ZERO, "drive p9"));
}

#[test]
fn a_jeep_must_be_skipped_whatever_lies_under_it() {
    let mara = standard(2).with_jeep(ONE, "p1");
    let illegal = refused(&mara, ZERO, "drive p1");
    assert_eq!(illegal.rule.0, "mara.8");
    assert!(illegal.text.contains("Seat 1's jeep"), "{illegal}");
    assert_eq!(mara.reach(ZERO), places("p2 p5 p8"));
}

#[test]
fn one_drive_passes_a_jeep_and_the_two_tracks_behind_it() {
    let mara = standard(2).with_jeep(ONE, "p1").with_tracks(ONE, "p8 p10");
    assert!(is_legal(&mara, ZERO, "drive p21"));
}

#[test]
fn a_jeep_neither_sets_nor_breaks_the_colour_of_a_run() {
    // Seat 1's jeep stands on a track of seat 0; behind it are two tracks of seat 1.
    let mara = standard(3).with_jeep(ONE, "p1").with_tracks(ZERO, "p1").with_tracks(ONE, "p8 p10");
    assert!(is_legal(&mara, ZERO, "drive p21"));
    assert!(!is_legal(&mara, ZERO, "drive p25"));
    // Jeep, track, jeep, track of the same colour.
    let mara = standard(3).with_jeep(ONE, "p1").with_tracks(ONE, "p8 p21").with_jeep(TWO, "p10");
    assert!(
        is_legal(&mara, ZERO, "drive p12") && is_legal(&mara, ZERO, "drive p21") && is_legal(&mara, ZERO, "drive p25")
    );
    assert!(!is_legal(&mara, ZERO, "drive p10"));
    let mara = mara.with_tracks(ONE, "p8").with_tracks(TWO, "p21");
    assert!(is_legal(&mara, ZERO, "drive p21"));
    assert!(!is_legal(&mara, ZERO, "drive p25"), "the tracks before and behind the jeep are of two colours");
}

#[test]
fn jeeps_on_both_paths_of_a_lodge_do_not_lock_it() {
    let mara = standard(3).with_jeep(ONE, "p1").with_jeep(TWO, "p5");
    assert_eq!(mara.reach(ZERO), places("p2 p7 p8 p9"));
}

#[test]
fn leaving_a_bare_path_lays_a_track() {
    let mut mara = standard(2);
    let left = |mara: &Mara| mara.view(Viewer::Spectator).drivers[ZERO].tracks_left;
    let events = play(&mut mara, ZERO, "drive p1");
    let drove = |from, to, track_laid| Event::Drove {
        seat: ZERO,
        from: place(from),
        to: place(to),
        track_laid,
        taken_up: None,
    };
    assert_rule!("mara.9", (events, left(&mara)), (vec![drove("l72", "p1", false)], 15));
    let events = play(&mut mara, ZERO, "drive p8");
    assert_eq!((events, left(&mara)), (vec![drove("p1", "p8", true)], 14));
    assert_eq!(mara.drivers[ZERO].tracks, places("p1"));
    assert!(is_legal(&mara, ZERO, "drive l72"), "the track laid in this turn can be skipped");
    play(&mut mara, ZERO, "drive p1");
    let events = play(&mut mara, ZERO, "drive p2");
    assert_eq!((&events[0], left(&mara)), (&drove("p1", "p2", false), 13));
    assert_eq!(mara.drivers[ZERO].tracks, places("p1 p8"));
}

/// Seat 0 has laid all its tracks, the last at p25.
fn with_all_tracks() -> Mara {
    standard(2).with_tracks(ZERO, "p1 p8 p10 p21 p25 p47 p59 p61 p69 p4 p14 p17 p30 p33 p63")
}

#[test]
fn without_a_track_left_one_is_taken_up_and_named() {
    let mara = with_all_tracks().with_tracks(ONE, "p0").with_jeep(ZERO, "p37");
    assert_eq!(mara.tracks_left(ZERO), 0);
    assert_eq!(refusal(&mara, ZERO, "drive p26"), "mara.9");
    assert_eq!(refusal(&mara, ZERO, "drive p26 take p0"), "mara.9", "that is another seat's");
    assert_eq!(refused(&mara, ZERO, "drive p26 take p2").token, Some(3));
    assert_eq!(refusal(&mara, ZERO, "drive p0 take p4"), "mara.8", "faults are named in the order of the rules");
    for track in ["p63", "p25", "p21"] {
        // Also one on the run just skipped, or at the destination.
        let mut mara = mara.clone();
        let events = play(&mut mara, ZERO, &format!("drive p21 take {track}"));
        let taken_up = Some(place(track));
        let (from, to) = (place("p37"), place("p21"));
        assert_eq!(events[0], Event::Drove { seat: ZERO, from, to, track_laid: true, taken_up });
        assert!(mara.drivers[ZERO].tracks.contains(from) && !mara.drivers[ZERO].tracks.contains(place(track)));
        assert_eq!(mara.tracks_left(ZERO), 0);
    }
    let drives = mara.legal_moves(ZERO).filter(|mv| matches!(mv, Move::Drive { .. })).count();
    assert_eq!(drives, 15 * usize::from(mara.reach(ZERO).len()));
}

#[test]
fn no_track_is_named_where_none_is_needed() {
    let at_a_lodge = with_all_tracks();
    assert_eq!(refusal(&at_a_lodge, ZERO, "drive p1 take p8"), "mara.9");
    let on_a_track = with_all_tracks().with_tracks(ONE, "p37").with_jeep(ZERO, "p37");
    assert_eq!(refusal(&on_a_track, ZERO, "drive p26 take p8"), "mara.9");
    let with_tracks_left = standard(2).with_tracks(ZERO, "p8").with_jeep(ZERO, "p37");
    assert_eq!(refusal(&with_tracks_left, ZERO, "drive p26 take p8"), "mara.9");
    assert!(is_legal(&on_a_track, ZERO, "drive p26"));
}

#[test]
fn a_peek_is_from_a_path_with_a_face_down_tile() {
    let mara = standard(2).with_tile(1, "RIVER-BIRD").with_tile(5, "BUSH-BIRD");
    assert_eq!(refusal(&mara, ZERO, "peek"), "mara.10");
    let mara = mara.with_jeep(ZERO, "p1");
    assert!(is_legal(&mara, ZERO, "peek"));
    let mut one_left = mara.clone().with_photos(ONE, tourists("RIVER-BIRD"));
    assert!(is_legal(&one_left, ZERO, "peek"));
    assert_eq!(
        play(&mut one_left, ZERO, "peek"),
        [Event::Peeked { seat: ZERO, path: place("p1"), tiles: vec![at(5)] }]
    );
    let none_left = mara.with_photos(ONE, tourists("RIVER-BIRD BUSH-BIRD"));
    assert_eq!(refusal(&none_left, ZERO, "peek"), "mara.10");
    let mut at_kilimanjaro = standard(2).with_jeep(ZERO, "p26");
    play(&mut at_kilimanjaro, ZERO, "peek");
    assert_eq!(at_kilimanjaro.view(Viewer::Spectator).peeked, [at(11)]);
}

#[test]
fn a_photo_needs_a_peek_since_the_jeep_last_moved_and_a_tourist_who_wants_it() {
    let mara = standard(2)
        .with_tile(1, "RIVER-BIRD")
        .with_tile(5, "BUSH-BIRD")
        .with_tourists(ZERO, "RIVER-BIRD RIVER-INSECT")
        .with_jeep(ZERO, "p1");
    assert_eq!(refusal(&mara, ZERO, "photo 1"), "mara.11", "it has not been peeked at");
    assert_eq!(refusal(&mara, ZERO, "photo 18"), "mara.11", "that is Kilimanjaro");
    assert_eq!(refusal(&mara, ZERO, "photo 0"), "mara.11", "that is a lodge");
    let mut seen = mara;
    play(&mut seen, ZERO, "peek");
    assert!(is_legal(&seen, ZERO, "photo 1"));
    assert_eq!(refusal(&seen, ZERO, "photo 5"), "mara.11", "nobody wants it");
    assert_eq!(refusal(&seen, ZERO, "photo 6"), "mara.11", "it lies elsewhere");

    let mut moved = seen.clone();
    moved.turn.actions_left = Some(3);
    play(&mut moved, ZERO, "drive p2");
    assert_eq!(refusal(&moved, ZERO, "photo 1"), "mara.11", "a tile known from earlier must be peeked at again");
    play(&mut moved, ZERO, "peek");
    assert!(is_legal(&moved, ZERO, "photo 1"));

    let mut taken = seen;
    let events = play(&mut taken, ZERO, "photo 1");
    assert_eq!(events, [Event::Photographed { seat: ZERO, tile: at(1), tourist: tourist("RIVER-BIRD") }]);
    assert_eq!(refusal(&taken, ZERO, "photo 1"), "mara.11", "it has been photographed");
    let view = taken.view(seat(1));
    assert_eq!((taken.animal_seen(seat(1), 1), view.drivers[ZERO].score.photos), (Some(Animal::Bird), 1));
    assert_eq!(view.tiles[0].photographer, Some(ZERO));
    assert!(view.drivers[ZERO].face_up.contains(&TouristView { tourist: tourist("RIVER-BIRD"), has_photo: true }));
}

#[test]
fn both_tiles_of_a_last_peek_may_be_photographed() {
    let mut mara = standard(2)
        .with_tile(1, "RIVER-BIRD")
        .with_tile(5, "BUSH-BIRD")
        .with_tourists(ZERO, "RIVER-BIRD BUSH-BIRD GROVE-BIRD")
        .with_jeep(ZERO, "p1");
    play(&mut mara, ZERO, "peek");
    assert_rule!(
        "mara.11",
        mara.legal_moves(ZERO).map(|mv| mv.to_string()).collect::<Vec<_>>(),
        ["photo 1", "photo 5", "end"]
    );
    assert_eq!(mara.describe(ZERO, &mv("photo 5")), "Photograph the bush bird at 5");
    play(&mut mara, ZERO, "photo 5");
    play(&mut mara, ZERO, "photo 1");
    assert_eq!(mara.view(Viewer::Spectator).drivers[ZERO].score.points, 2);
    assert_eq!(refusal(&mara, ZERO, "peek"), "mara.7");
    play(&mut mara, ZERO, "end");
}

fn all_but(text: &str) -> Tourists {
    Tourist::all().collect::<Tourists>().without(tourists(text))
}

#[test]
fn the_thirtieth_photo_ends_the_game_at_once() {
    let mut mara = standard(2)
        .with_tile(1, "RIVER-BIRD")
        .with_tourists(ZERO, "RIVER-BIRD")
        .with_photos(ONE, all_but("RIVER-BIRD"))
        .with_jeep(ZERO, "p1");
    mara.turns_without_photo = 7;
    play(&mut mara, ZERO, "peek");
    let events = play(&mut mara, ZERO, "photo 1");
    assert_eq!(mara.turns_without_photo, 0, "a turn with a photo is no quiet one");
    let points = BySeat::from(vec![1, 4 * 21 + 15]);
    assert_eq!(events.last(), Some(&Event::Ended { end: End::AllPhotographed, points }));
    let outcome = mara.outcome().expect("it is over");
    assert_eq!((outcome.ending.to_string().as_str(), outcome.winners), ("mara.12", Seats::one(ONE)));
    assert_eq!(refusal(&mara, ZERO, "end"), "mara.12");
    assert_eq!(refusal(&mara, ONE, "drive p1"), "mara.12");
    assert_eq!(mara.legal_moves(ZERO).count(), 0);
    assert_eq!(mara.view(Viewer::Spectator).mover, None);
}

#[test]
fn a_meet_that_leaves_nobody_to_guide_ends_the_game() {
    let home = all_but("GROVE-BIRD BUSH-BIRD RIVER-BIRD");
    let mara =
        standard(2).with_tourists(ZERO, "GROVE-BIRD").with_tourists(ONE, "BUSH-BIRD RIVER-BIRD").with_photos(ONE, home);
    let mut left = mara.clone();
    play(&mut left, ZERO, "meet drop GROVE-BIRD");
    assert_eq!(left.outcome(), None, "a tourist waits at a lodge");
    let mut over = mara.with_photos(ZERO, tourists("GROVE-BIRD"));
    let events = play(&mut over, ZERO, "meet drop GROVE-BIRD");
    assert!(matches!(events.last(), Some(Event::Ended { end: End::NoTourists, .. })));
    assert_eq!(over.outcome().expect("it is over").ending.to_string(), "mara.12");
}

#[test]
fn photos_are_scored_in_sets_of_different_animals() {
    let four_kinds = "GROVE-BIRD BUSH-BIRD SAVANNAH-BIRD RIVER-BIRD GROVE-INSECT GROVE-PRIMATE GROVE-CARNIVORE";
    assert_rule!("mara.13", score::points(tourists(four_kinds)), 13);
    let rulebook =
        "GROVE-BIRD BUSH-BIRD RIVER-BIRD GROVE-INSECT BUSH-INSECT GROVE-PRIMATE BUSH-PRIMATE GROVE-CARNIVORE";
    assert_eq!(score::points(tourists(rulebook)), 17);
    assert_eq!(score::sets(tourists(rulebook)).iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 1]);
    let one_habitat = Animal::ALL.map(|animal| Tourist::new(Habitat::River, animal));
    let worth: Vec<u32> = (0..=6).map(|n| score::points(one_habitat[..n].iter().copied().collect())).collect();
    assert_eq!(worth, [0, 1, 3, 6, 10, 15, 21]);
}

/// The best of all ways to split photos into sets of different animals, tried one by one.
fn best_split(photos: &[Tourist], sets: &mut Vec<Vec<Animal>>) -> u32 {
    let Some((photo, rest)) = photos.split_first() else {
        return sets.iter().map(|set| [0, 1, 3, 6, 10, 15, 21][set.len()]).sum();
    };
    let mut best = 0;
    for n in 0..=sets.len() {
        if n == sets.len() {
            sets.push(Vec::new());
        }
        if !sets[n].contains(&photo.animal) {
            sets[n].push(photo.animal);
            best = best.max(best_split(rest, sets));
            sets[n].pop();
        }
        sets.retain(|set| !set.is_empty());
    }
    best
}

#[test]
fn no_split_is_better_than_ours() {
    // Every choice of up to three photos of each animal, eight in all at most.
    let mut counts = [0usize; 6];
    let mut splits = 0;
    loop {
        let total: usize = counts.iter().sum();
        if total <= 8 {
            let photos: Vec<Tourist> = (0..6)
                .flat_map(|animal| Habitat::ALL[..counts[animal]].iter().map(move |habitat| (habitat, animal)))
                .map(|(habitat, animal)| Tourist::new(*habitat, Animal::ALL[animal]))
                .collect();
            let set: Tourists = photos.iter().copied().collect();
            assert_rule!("mara.13", score::points(set), best_split(&photos, &mut Vec::new()), "{photos:?}");
            let by_sets: u32 = score::sets(set).iter().map(|set| score::POINTS[set.len()]).sum();
            assert_eq!(score::points(set), by_sets);
            splits += 1;
        }
        let Some(next) = counts.iter().position(|count| *count < 3) else { break };
        counts[..next].fill(0);
        counts[next] += 1;
    }
    assert!(splits > 1000, "{splits}");
}

#[test]
fn equal_points_share_the_win() {
    let mut mara = standard(3)
        .with_photos(ZERO, tourists("GROVE-BIRD BUSH-INSECT"))
        .with_photos(TWO, tourists("RIVER-BIRD RIVER-INSECT"))
        .with_photos(ONE, tourists("SAVANNAH-BIRD BUSH-BIRD"));
    mara.finish(End::NoPhotos, &mut Nobody);
    let outcome = mara.outcome().expect("it is over");
    assert_rule!("mara.13", outcome.winners, [ZERO, TWO].into_iter().collect());
    assert_eq!(outcome.places.into_vec(), [1, 3, 1]);
    let points: Vec<u32> = outcome.details.scores.values().map(|score| score.points).collect();
    assert_eq!(points, [3, 2, 3]);
}

#[test]
fn there_is_always_a_drive() {
    // Wherever a jeep stands, and however three others stand round it.
    let mut chance = Chance::fast(1);
    for from in all_places() {
        let near: Vec<Place> = from.neighbours().flood(from.neighbours()).without(Places::one(from)).iter().collect();
        for _ in 0..50 {
            let mut mara = standard(4);
            mara.drivers[ZERO].jeep = Some(from);
            let mut others = near.clone();
            chance.shuffle(&mut others);
            for n in 1..4 {
                mara.drivers[Seat::new(n)].jeep = Some(others[usize::from(n) - 1]);
            }
            assert_rule!("mara.14", mara.reach(ZERO).is_empty(), false);
        }
    }
}

#[test]
fn fifty_turns_of_each_seat_without_a_photo_end_the_game() {
    for (variant, seats) in [(Variant::Standard, 2), (Variant::Family, 3)] {
        let mut mara = start(variant, false, seats);
        let limit = 50 * u16::from(seats);
        assert_eq!(mara.view(Viewer::Spectator).most_turns_without_photo, limit);
        for turn in 0..limit {
            assert_eq!(mara.outcome(), None);
            assert_eq!(mara.turns_without_photo, turn, "placing a jeep is no turn");
            let mover = mara.mover;
            while mara.mover == mover && mara.end.is_none() {
                let to = mara.reach(mover).first().unwrap();
                let take = mara.must_take_up(mover).then(|| mara.drivers[mover].tracks.first().unwrap());
                play(&mut mara, mover, &Move::Drive { to, take }.to_string());
            }
        }
        assert_eq!(mara.outcome().expect("it is over").ending.to_string(), "mara.15");
        assert_eq!(refusal(&mara, ZERO, "end"), "mara.15");
    }
}

#[test]
fn a_turn_with_a_photo_counts_none() {
    let mut mara = standard(2).with_tile(1, "RIVER-BIRD").with_tourists(ZERO, "RIVER-BIRD").with_jeep(ZERO, "p1");
    mara.turns_without_photo = 99;
    play(&mut mara, ZERO, "peek");
    let mut missed = mara.clone();
    play(&mut missed, ZERO, "end");
    assert_rule!("mara.15", missed.end, Some(End::NoPhotos));
    play(&mut mara, ZERO, "photo 1");
    assert_eq!(mara.turns_without_photo, 99, "it is looked at when the turn ends");
    play(&mut mara, ZERO, "end");
    assert_eq!((mara.end, mara.turns_without_photo), (None, 0));
}

#[test]
fn quiet_turns_are_an_option_and_twenty_for_each_seat_in_version_1() {
    let limit = |quiet, version, seats| {
        let options = Options { quiet_turns_per_seat: quiet, ..Options::default() };
        Mara::setup(&options, version, seats, &mut Chance::fast(0)).view(Viewer::Spectator).most_turns_without_photo
    };
    assert_eq!((limit(None, 2, 2), limit(None, 2, 4)), (100, 200), "fifty for each seat");
    assert_eq!((limit(Some(10), 2, 2), limit(Some(200), 2, 4)), (20, 800));
    assert_eq!((limit(None, 1, 2), limit(None, 1, 4)), (40, 80));
    let options = |quiet| Options { quiet_turns_per_seat: Some(quiet), ..Options::default() };
    for quiet in [0, 9, 201, 255] {
        assert_eq!(Mara::check_options(&options(quiet), 2, 2).expect_err("out of bounds").rule.0, "mara.1");
    }
    assert!([10, 50, 200].into_iter().all(|quiet| Mara::check_options(&options(quiet), 2, 2).is_ok()));
    assert_eq!(Mara::unknown_option(&options(50), 1), Some("quietTurnsPerSeat"));
    assert_eq!(Mara::unknown_option(&options(50), 2), None);
}

/// The next turn is the last but for a photo.
fn on_the_brink(variant: Variant) -> Mara {
    let mut mara = start(variant, false, 2).with_edition(Edition { version: 2, quiet_turns_per_seat: 10 });
    mara.turns_without_photo = 19;
    mara
}

#[test]
fn the_twentieth_quiet_turn_of_two_seats_with_ten_each_ends_the_game() {
    let mut mara = on_the_brink(Variant::Standard);
    let pick = mara.pile("l72").first().unwrap();
    play(&mut mara, ZERO, &format!("meet pick {pick}"));
    assert_rule!("mara.15", (mara.end, mara.turns_without_photo), (Some(End::NoPhotos), 20));

    let mut mara = on_the_brink(Variant::Standard)
        .with_tile(1, "RIVER-BIRD")
        .with_tourists(ZERO, "RIVER-BIRD")
        .with_jeep(ZERO, "p1");
    for mv in ["peek", "photo 1", "end"] {
        play(&mut mara, ZERO, mv);
    }
    assert_eq!((mara.end, mara.turns_without_photo), (None, 0), "the game goes on");
}

#[test]
fn the_turn_in_which_the_game_ends_is_counted_like_any_other() {
    let last_meet = |mara: &Mara| {
        let mut mara = mara.clone().with_tourists(ZERO, "GROVE-BIRD").with_photos(ZERO, Tourist::all().collect());
        play(&mut mara, ZERO, "meet drop GROVE-BIRD");
        (mara.end, mara.turns_without_photo)
    };
    let mara = on_the_brink(Variant::Standard);
    assert_eq!(last_meet(&mara), (Some(End::NoTourists), 20), "the meet is the ending, whatever the count");
    assert_eq!(last_meet(&mara.with_edition(Edition::default())), (Some(End::NoTourists), 19), "version 1 left it out");

    let mut mara = family_with(false, 0);
    mara.turns_without_photo = 19;
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    assert_eq!((mara.end, mara.turns_without_photo), (Some(End::EmptyDeck), 0));
}

// The family variant.

/// Seat 0 stands between a river bird and a bush bird and wants both. The deck has `cards` cards.
fn family_with(notepads: bool, cards: usize) -> Mara {
    let mut mara = start(Variant::Family, notepads, 2)
        .with_tile(1, "RIVER-BIRD")
        .with_tile(5, "BUSH-BIRD")
        .with_tourists(ZERO, "RIVER-BIRD BUSH-BIRD")
        .with_jeep(ZERO, "p1");
    mara.deck.truncate(cards);
    mara
}

#[test]
fn the_family_deals_two_tourists_to_each_and_has_no_tracks_and_no_meets() {
    let mut mara = family(3);
    let view = mara.view(Viewer::Spectator);
    assert!(view.drivers.values().all(|driver| driver.face_up.len() == 2 && driver.tracks_left == 0));
    assert!(view.lodges.iter().all(|lodge| lodge.tourists.is_empty()));
    assert_eq!((view.deck_size, view.deck.len()), (24, 0));
    let mine = mara.drivers[ZERO].face_up.first().unwrap();
    assert_eq!(refusal(&mara, ZERO, &format!("meet drop {mine}")), "mara.f1");
    assert_eq!(refusal(&mara, ZERO, "drive p1 take p3"), "mara.f1");
    play(&mut mara, ZERO, "drive p1");
    play(&mut mara, ZERO, "drive p2");
    assert!(mara.drivers.values().all(|driver| driver.tracks.is_empty()));
}

#[test]
fn a_family_turn_is_two_actions_and_one_of_them_a_drive() {
    let mara = family(2).with_jeep(ZERO, "p1");
    assert_eq!(refusal(&mara, ZERO, "end"), "mara.f2");
    let mut drives = mara.clone();
    play(&mut drives, ZERO, "drive p2");
    assert_eq!(refusal(&drives, ZERO, "end"), "mara.f2");
    play(&mut drives, ZERO, "drive p3");
    assert_eq!(drives.to_act(), Seats::one(ONE));

    let mut peek_first = mara.clone();
    play(&mut peek_first, ZERO, "peek");
    assert_eq!(refusal(&peek_first, ZERO, "peek"), "mara.f2");
    assert_eq!(refusal(&peek_first, ZERO, "end"), "mara.f2");
    play(&mut peek_first, ZERO, "drive p2");
    assert_eq!(peek_first.to_act(), Seats::one(ONE));

    let mut peek_last = mara;
    play(&mut peek_last, ZERO, "drive p2");
    play(&mut peek_last, ZERO, "peek");
    assert_eq!(peek_last.to_act(), Seats::one(ZERO));
    assert_eq!(refusal(&peek_last, ZERO, "drive p3"), "mara.f2");
    assert_eq!(refusal(&peek_last, ZERO, "peek"), "mara.f2");
    play(&mut peek_last, ZERO, "end");
    assert_eq!(peek_last.to_act(), Seats::one(ONE));
}

#[test]
fn a_family_drive_still_skips_jeeps() {
    let mara = family(3).with_jeep(ONE, "p1").with_jeep(TWO, "p5");
    assert_rule!("mara.8", mara.reach(ZERO), places("p2 p7 p8 p9"));
    assert_eq!(refusal(&mara, ZERO, "drive p1"), "mara.8");
    let far = refused(&mara, ZERO, "drive p10");
    assert_eq!(far.rule.0, "mara.8");
    assert!(!far.text.contains("track"), "there are none to speak of: {far}");
}

#[test]
fn a_photo_of_the_family_draws_two_and_keeps_one() {
    let mut mara = family_with(false, 10);
    let (top, second) = (mara.deck[0].tourist, mara.deck[1].tourist);
    play(&mut mara, ZERO, "peek");
    assert_eq!(refusal(&mara, ZERO, &format!("keep {top}")), "mara.f3", "nothing has been drawn");
    let events = play(&mut mara, ZERO, "photo 1");
    assert_eq!(events[1..], [Event::Drew { seat: ZERO, cards: 2 }]);
    assert_eq!(mara.view(seat(1)).drivers[ZERO].face_down, tourists("RIVER-BIRD"));
    assert_eq!(mara.view(seat(1)).drivers[ZERO].face_up.len(), 1);
    for other in ["drive p2", "peek", "photo 5", "end", "meet"] {
        assert_eq!(refusal(&mara, ZERO, other), "mara.f3");
    }
    let third = mara.deck[0].tourist;
    assert_eq!(refusal(&mara, ZERO, &format!("keep {third}")), "mara.f3");
    let mut choices: Vec<String> = mara.legal_moves(ZERO).map(|mv| mv.to_string()).collect();
    choices.sort();
    let mut drawn = [format!("keep {top}"), format!("keep {second}")];
    drawn.sort();
    assert_eq!(choices, drawn);
    assert!(!Mara::is_open(&mv(&drawn[0])), "what is kept is told by the event");

    let events = play(&mut mara, ZERO, &format!("keep {top}"));
    assert_eq!(events, [Event::Kept { seat: ZERO, tourist: top }]);
    assert!(mara.drivers[ZERO].face_up.contains(top));
    assert_eq!(mara.deck.last().expect("the deck has cards").tourist, second);
    assert_eq!(mara.deck.len(), 9);
    assert!(is_legal(&mara, ZERO, "photo 5"), "several photos may follow one peek");
}

#[test]
fn a_new_tourist_may_be_photographed_with_the_same_peek() {
    let mut mara = family_with(false, 10).with_tourists(ZERO, "RIVER-BIRD GROVE-INSECT");
    mara.drivers[ONE].face_up.remove(tourist("BUSH-BIRD"));
    mara.deck[0].tourist = tourist("BUSH-BIRD");
    play(&mut mara, ZERO, "peek");
    assert!(!is_legal(&mara, ZERO, "photo 5"));
    play(&mut mara, ZERO, "photo 1");
    play(&mut mara, ZERO, "keep BUSH-BIRD");
    assert!(is_legal(&mara, ZERO, "photo 5"));
}

#[test]
fn the_last_card_is_no_choice_and_then_the_deck_is_empty() {
    let mut mara = family_with(false, 1);
    let last = mara.deck[0].tourist;
    play(&mut mara, ZERO, "peek");
    let events = play(&mut mara, ZERO, "photo 1");
    assert_rule!(
        "mara.f3",
        events[1..],
        [Event::Drew { seat: ZERO, cards: 1 }, Event::Kept { seat: ZERO, tourist: last }]
    );
    assert!(mara.drivers[ZERO].face_up.contains(last));
    assert_eq!(mara.view(seat(1)).deck_size, 0);
    let events = play(&mut mara, ZERO, "photo 5");
    assert_eq!(events[1], Event::Ended { end: End::EmptyDeck, points: BySeat::from(vec![2, 0]) });
    let outcome = mara.outcome().expect("it is over");
    assert_eq!((outcome.ending.to_string().as_str(), outcome.winners), ("mara.f4", Seats::one(ZERO)));
    assert_eq!(outcome.details.scores[ZERO], Score { points: 2, photos: 2, sets: Vec::new() });
    assert_eq!(refusal(&mara, ZERO, "drive p2"), "mara.f4");
}

#[test]
fn with_two_cards_left_the_one_not_kept_is_the_last() {
    let mut mara = family_with(false, 2);
    let (one, two) = (mara.deck[0].tourist, mara.deck[1].tourist);
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    play(&mut mara, ZERO, &format!("keep {one}"));
    let events = play(&mut mara, ZERO, "photo 5");
    assert_rule!("mara.f3", events.last(), Some(&Event::Kept { seat: ZERO, tourist: two }));
}

#[test]
fn several_faults_are_named_in_order() {
    let mut mara = family_with(false, 10);
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    assert_eq!(refusal(&mara, ONE, "peek"), "mara.2", "the turn comes before the pair");
    assert_eq!(refusal(&mara, ZERO, "place l73"), "mara.2");
    assert_eq!(refusal(&mara, ZERO, "meet"), "mara.f3", "the pair comes before the move's own rules");
    mara.finish(End::NoPhotos, &mut Nobody);
    assert_eq!(refusal(&mara, ONE, "peek"), "mara.15", "the end comes before the turn");

    let mut mara = standard(2).with_jeep(ZERO, "p1").with_tourists(ZERO, "RIVER-BIRD BUSH-BIRD GROVE-BIRD");
    play(&mut mara, ZERO, "peek");
    assert_eq!(refusal(&mara, ZERO, "drive p50 take p3"), "mara.7", "no action left comes before the drive's rules");
    assert_eq!(refusal(&mara, ZERO, "meet"), "mara.3", "a meet needs no action");
    assert_eq!(refusal(&mara, ZERO, "photo 12"), "mara.11", "nor does a photo");
}

// What a player learns, and who sees it.

#[test]
fn a_peek_is_seen_by_the_mover_until_its_turn_ends() {
    let mut mara = standard(2).with_jeep(ZERO, "p1");
    let beside: Vec<Animal> = place("p1").tiles().map(|tile| mara.tiles[tile].animal).collect();
    let events = play(&mut mara, ZERO, "peek");
    let told = serde_json::to_string(&events).unwrap() + &events[0].to_string();
    assert!(Animal::ALL.iter().all(|animal| !told.to_uppercase().contains(animal.name())), "{told}");
    for (cell, animal) in [(1, beside[0]), (5, beside[1])] {
        assert_eq!(mara.animal_seen(seat(0), cell), Some(animal));
        assert_eq!(mara.animal_seen(seat(1), cell), None);
        assert_eq!(mara.animal_seen(Viewer::Spectator, cell), None);
    }
    assert_eq!(mara.animal_seen(seat(0), 6), None);
    play(&mut mara, ZERO, "drive p2");
    assert_eq!(mara.animal_seen(seat(0), 5), Some(beside[1]), "it is still the same turn");
    play(&mut mara, ZERO, "end");
    assert_eq!(mara.animal_seen(seat(0), 1), None);
    assert!(mara.tiles.iter().all(|tile| tile.known_to.is_empty()), "the state has forgotten, too");
    assert_eq!(mara.animal_seen(OPEN, 1), Some(beside[0]), "after the end all is open");
}

#[test]
fn a_drive_that_ends_the_turn_ends_the_memory() {
    let mut mara = standard(2).with_jeep(ZERO, "p1").with_tourists(ZERO, "RIVER-BIRD BUSH-BIRD");
    play(&mut mara, ZERO, "peek");
    assert!(mara.animal_seen(seat(0), 1).is_some());
    play(&mut mara, ZERO, "drive p2");
    assert_eq!(mara.mover, ONE);
    assert_eq!(mara.animal_seen(seat(0), 1), None);
}

#[test]
fn with_notepads_a_peek_is_kept_for_good_and_for_the_peeker_alone() {
    let mut mara = start(Variant::Standard, true, 2).with_jeep(ZERO, "p1");
    let animal = mara.tiles[at(1).tile().unwrap()].animal;
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "end");
    play(&mut mara, ONE, "drive p4");
    play(&mut mara, ONE, "end");
    assert_eq!(mara.animal_seen(seat(0), 1), Some(animal));
    assert_eq!(mara.animal_seen(seat(1), 1), None);
    assert_eq!(mara.animal_seen(Viewer::Spectator, 1), None);
    let imagined: BTreeSet<Animal> =
        (0..50).map(|n| mara.imagine(seat(0), &mut Chance::fast(n)).tiles[at(1).tile().unwrap()].animal).collect();
    assert_eq!(imagined, BTreeSet::from([animal]));
}

#[test]
fn without_notepads_an_earlier_peek_is_imagined_anew() {
    let mut mara = standard(2).with_jeep(ZERO, "p1");
    play(&mut mara, ZERO, "peek");
    let imagined = |mara: &Mara, viewer| -> usize {
        let animals: BTreeSet<Animal> =
            (0..200).map(|n| mara.imagine(viewer, &mut Chance::fast(n)).tiles[at(1).tile().unwrap()].animal).collect();
        animals.len()
    };
    assert_eq!((imagined(&mara, seat(0)), imagined(&mara, seat(1)), imagined(&mara, OPEN)), (1, 6, 1));
    play(&mut mara, ZERO, "end");
    assert_eq!((imagined(&mara, seat(0)), imagined(&mara, Viewer::Spectator), imagined(&mara, OPEN)), (6, 6, 6));
}

#[test]
fn a_drawn_pair_is_seen_by_its_player_alone() {
    let mut mara = family_with(false, 10);
    let mut pair = [mara.deck[0].tourist, mara.deck[1].tourist];
    pair.sort();
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    let choice = |viewer| mara.view(viewer).choice.expect("a pair was drawn");
    assert_eq!(choice(seat(0)), ChoiceView { seat: ZERO, tourists: pair.to_vec() });
    assert_eq!(choice(OPEN).tourists, pair);
    for viewer in [seat(1), Viewer::Spectator] {
        assert_eq!(choice(viewer), ChoiceView { seat: ZERO, tourists: Vec::new() });
    }
}

#[test]
fn the_card_under_the_deck_is_remembered_as_a_peek_is() {
    for notepads in [false, true] {
        let mut mara = family_with(notepads, 10);
        let (kept, buried) = (mara.deck[0].tourist, mara.deck[1].tourist);
        play(&mut mara, ZERO, "peek");
        play(&mut mara, ZERO, "photo 1");
        let events = play(&mut mara, ZERO, &format!("keep {kept}"));
        assert!(!serde_json::to_string(&events).unwrap().contains(&buried.to_string()));
        let under = vec![DeckView { depth: 8, tourist: buried }];
        assert_eq!(mara.view(seat(0)).deck, under);
        assert_eq!(mara.view(seat(1)).deck, []);
        assert_eq!(mara.view(Viewer::Spectator).deck, []);
        play(&mut mara, ZERO, "drive p2");
        assert_eq!(mara.view(seat(0)).deck, if notepads { under } else { Vec::new() });
        assert_eq!(mara.view(OPEN).deck.len(), 9);
    }
}

#[test]
fn who_noted_a_card_knows_it_when_another_seat_draws_it() {
    // Seat 0 puts a card under a deck of three; seat 1 draws it next, together with one that seat 0 does not know.
    let mut mara = family_with(true, 10).with_tile(2, "GROVE-BIRD").with_tourists(ONE, "GROVE-BIRD GROVE-INSECT");
    mara = mara.with_jeep(ONE, "p0");
    mara.deck.truncate(3);
    let (kept, noted, other) = (mara.deck[0].tourist, mara.deck[1].tourist, mara.deck[2].tourist);
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    play(&mut mara, ZERO, &format!("keep {kept}"));
    play(&mut mara, ZERO, "drive p8");
    play(&mut mara, ONE, "peek");
    play(&mut mara, ONE, "photo 2");
    assert_eq!(mara.view(seat(0)).choice.expect("a pair was drawn").tourists, [noted]);
    let mut possible = mara.clone();
    possible.deck = vec![Card { tourist: tourist("RIVER-PRIMATE"), known_to: Seats::NONE }];
    let seen: BTreeSet<Vec<Tourist>> = (0..50)
        .map(|n| possible.imagine(seat(0), &mut Chance::fast(n)).drawn.unwrap().map(|card| card.tourist).to_vec())
        .collect();
    assert_eq!(seen.len(), 2, "one of the pair is known, the other is not");
    assert!(seen.iter().all(|pair| pair.contains(&noted)));
    play(&mut mara, ONE, &format!("keep {other}"));
    assert_eq!(mara.view(seat(0)).deck, [DeckView { depth: 0, tourist: noted }]);
    assert_eq!(mara.view(seat(1)).deck, [DeckView { depth: 0, tourist: noted }]);
}

#[test]
fn every_hidden_card_is_imagined_everywhere_but_for_those_noted() {
    let mut mara = family_with(true, 10);
    let (kept, noted) = (mara.deck[0].tourist, mara.deck[1].tourist);
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    play(&mut mara, ZERO, &format!("keep {kept}"));
    play(&mut mara, ZERO, "photo 5");
    for viewer in [seat(0), seat(1), Viewer::Spectator] {
        let mut drawn = BTreeSet::new();
        for n in 0..1000 {
            let other = mara.imagine(viewer, &mut Chance::fast(n));
            assert_eq!(other.view(viewer), mara.view(viewer));
            assert_eq!(other.inventory(), mara.inventory());
            drawn.extend(other.unknown(viewer));
        }
        assert_eq!(drawn, mara.possible(viewer));
        let in_the_deck = |(place, piece): &(String, String)| place.starts_with("deck") && *piece == noted.to_string();
        assert_eq!(drawn.iter().any(in_the_deck), viewer != seat(0));
    }
}

#[test]
fn the_view_shows_what_lies_on_the_table() {
    let mara = standard(2).with_jeep(ZERO, "p8").with_tracks(ZERO, "p1 p2").with_tourists(ONE, "RIVER-BIRD");
    let view = mara.view(Viewer::Spectator);
    assert_eq!(view.tiles.len(), 30);
    assert!(view.tiles.iter().zip(mara.tiles.iter()).all(|(seen, tile)| seen.habitat == tile.habitat));
    assert_eq!((view.drivers[ZERO].jeep, view.drivers[ONE].jeep), (Some(place("p8")), Some(place("l73"))));
    assert_eq!((view.drivers[ZERO].tracks, view.drivers[ZERO].tracks_left), (places("p1 p2"), 13));
    assert_eq!(view.drivers[ONE].face_up, [TouristView { tourist: tourist("RIVER-BIRD"), has_photo: false }]);
    assert_eq!(view.lodges.len(), 6);
    assert!(view.lodges.iter().all(|lodge| lodge.tourists == mara.pile(&lodge.place.to_string())));
    assert_eq!((view.mover, view.actions_left, view.is_guiding), (Some(ZERO), 4, false));
    let json = serde_json::to_value(&view).unwrap();
    assert_eq!(json["drivers"][0]["jeep"], 8);
    assert_eq!(json["drivers"][1]["faceUp"][0]["tourist"], "RIVER-BIRD");
    assert_eq!(json["variant"], "STANDARD");
}

// Notation, and words.

#[test]
fn moves_are_written_and_read_back() {
    let texts = [
        "place l72",
        "meet",
        "meet drop RIVER-BIRD",
        "meet pick BUSH-INSECT RIVER-BIRD",
        "meet drop RIVER-BIRD pick GROVE-BIRD BUSH-INSECT",
        "drive p17",
        "drive l73",
        "drive p0 take p71",
        "peek",
        "photo 12",
        "keep WATERHOLE-AMPHIBIAN",
        "end",
    ];
    for text in texts {
        assert_eq!(mv(text).to_string(), text);
    }
    assert_eq!(mv("meet pick RIVER-BIRD BUSH-INSECT").to_string(), "meet pick BUSH-INSECT RIVER-BIRD");
}

#[test]
fn what_is_no_move_is_not_read() {
    let long = format!("meet drop{}", " RIVER-BIRD".repeat(100_000));
    let texts = [
        "",
        " ",
        "end ",
        " end",
        "END",
        "end now",
        "peek 3",
        "fly",
        "place",
        "place 72",
        "place l71",
        "place l78",
        "place p72",
        "drive",
        "drive p",
        "drive p-1",
        "drive p+1",
        "drive p01",
        "drive p72",
        "drive l17",
        "drive p99999999999999999999",
        "drive p1 take",
        "drive p1 take ",
        "drive p1 take p2 take p3",
        "drive p1  take p2",
        "drive p1 p2",
        "drive p٣",
        "photo",
        "photo 37",
        "photo 012",
        "photo -1",
        "photo 1 2",
        "keep",
        "keep RIVER",
        "keep river-bird",
        "keep RIVER-BIRD ",
        "meet drop",
        "meet pick",
        "meet RIVER-BIRD",
        "meet drop pick RIVER-BIRD",
        "meet pick RIVER-BIRD drop BUSH-BIRD",
        "meet drop RIVER-BIRD RIVER-BIRD",
        "meet drop RIVER-BIRD pick",
        "meet pick RIVER-BIRD pick BUSH-BIRD",
        "meet  pick RIVER-BIRD",
        "meet ",
        "meet drop RIVER-BIRD ",
        "é",
        &long,
    ];
    for text in texts {
        assert!(text.parse::<Move>().is_err(), "{text:?}");
    }
    assert!(long.parse::<Move>().unwrap_err().0.len() < 300);
}

#[test]
fn moves_and_events_have_words() {
    let mara = standard(2);
    let words = |text| mara.describe(ZERO, &mv(text));
    assert_eq!(
        words("meet drop RIVER-BIRD pick GROVE-BIRD BUSH-INSECT"),
        "Drop off the river bird; pick up the grove bird and the bush insect"
    );
    assert_eq!(words("drive p17 take p3"), "Drive to p17, taking up your track on p3");
    assert_eq!(words("photo 12"), "Photograph the tile at 12", "nobody is told what it has not seen");
    let mut mara = mara;
    assert_eq!(play(&mut mara, ZERO, "drive p1")[0].to_string(), "Seat 0 drove from l72 to p1.");
    assert_eq!(play(&mut mara, ZERO, "peek")[0].to_string(), "Seat 0 peeked from p1 at 1 and 5.");
    assert_eq!(play(&mut mara, ZERO, "drive p2")[0].to_string(), "Seat 0 drove from p1 to p2, leaving a track.");
    let events = play(&mut mara, ZERO, "end");
    let json = serde_json::to_string(&events).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Event>>(&json).unwrap(), events);
}

#[test]
fn move_sequences_are_as_many_as_before() {
    let entropy = Entropy::new(Seed::new([0; 32]), []);
    let count = |variant, depth| {
        let options = Options { variant, first_seat: Some(ZERO), ..Options::default() };
        perft::<Mara>(&options, 1, 2, depth, &entropy).expect("the options are good")
    };
    assert_eq!(count(Variant::Standard, 4), [6, 30, 810, 20550]);
    assert_eq!(count(Variant::Family, 5), [6, 30, 60, 240, 430]);
}

// Imagination.

#[test]
fn animals_that_fit_are_imagined_as_often_as_each_other() {
    // Three river tiles lie face down, and seat 1 has peeked at one of them.
    let rivers = |animals: [Animal; 3]| animals.map(|animal| Tourist::new(Habitat::River, animal));
    let hidden: Tourists = rivers([Animal::Bird, Animal::Insect, Animal::Primate]).into_iter().collect();
    let mut mara = standard(2).with_photos(
        ZERO,
        Animal::ALL.iter().map(|animal| Tourist::new(Habitat::River, *animal)).collect::<Tourists>().without(hidden),
    );
    let places: Vec<usize> = (0..TOURISTS)
        .filter(|n| mara.tiles[*n].habitat == Habitat::River && mara.tiles[*n].photographer.is_none())
        .collect();
    mara.tiles[places[0]].known_to = Seats::one(ONE);
    let mut chance = Chance::fast(2);
    let came = count(3000, || {
        let other = mara.imagine(seat(0), &mut chance);
        places.iter().map(|n| other.tiles[*n].animal).collect::<Vec<_>>()
    });
    assert_eq!(came.len(), 6);
    assert_fits(&came, &evenly(came.keys().cloned()));
}

#[test]
fn a_pair_that_another_seat_drew_is_imagined_as_often_as_any_other_that_fits() {
    let mut mara = family_with(true, 4);
    mara.deck[3].known_to = Seats::one(ONE);
    let four: Vec<Tourist> = mara.deck.iter().map(|card| card.tourist).collect();
    play(&mut mara, ZERO, "peek");
    play(&mut mara, ZERO, "photo 1");
    let mut chance = Chance::fast(3);
    let mut world = |viewer| {
        let other = mara.imagine(viewer, &mut chance);
        let drawn = other.drawn.expect("a pair was drawn").map(|card| card.tourist);
        (drawn, other.deck.iter().map(|card| card.tourist).collect::<Vec<_>>())
    };
    let came = count(6000, || world(Viewer::Spectator));
    assert_eq!(came.len(), 12, "two of four, and the others in either order");
    assert_fits(&came, &evenly(came.keys().cloned()));
    let came = count(3000, || world(seat(1)));
    assert!(came.keys().all(|(_, deck)| deck[1] == four[3]), "it put that card under the deck itself");
    assert_eq!(came.len(), 3);
    assert_fits(&came, &evenly(came.keys().cloned()));
}
