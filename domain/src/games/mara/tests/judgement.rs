//! The knowledge of bots about The Mara.

use super::super::tour;
use super::*;
use crate::Game;
use crate::bot::{Judgement, Level, Strategy};
use crate::games::blindness;

fn best(mara: &Mara, seat: Seat) -> Move {
    let candidates = mara.candidates(seat, 24, &mut Chance::fast(0));
    candidates.into_iter().max_by_key(|mv| mara.promise(seat, mv)).expect("there is a candidate")
}

fn worth(mara: &Mara) -> u32 {
    mara.worth()[ZERO]
}

/// Plays a game by playout moves alone, and returns the rule that ends it.
fn ending(options: &Options, version: u32, seats: u8, seed: u64) -> String {
    let mut chance = Chance::fast(seed);
    let mut mara = Mara::setup(&Mara::complete(options.clone(), version), version, seats, &mut chance);
    while let Some(seat) = mara.to_act().first() {
        let mv = mara.playout_move(seat, &mut chance);
        mara.apply(seat, &mv, &mut chance, &mut Nobody).expect("a playout move is legal");
    }
    mara.outcome().expect("nobody is to act").ending.to_string()
}

#[test]
fn a_seat_judges_only_by_what_it_knows() {
    blindness::check::<Mara>(2);
}

#[test]
fn the_tour_passes_every_tile_once() {
    let passed: BTreeSet<u8> = (0..TOURISTS).map(tour::of_tile).collect();
    assert_eq!(passed.len(), TOURISTS);
    assert_eq!(tour::ahead(28, 1), 3);
}

#[test]
fn a_jeep_beside_a_wanted_animal_that_it_sees_takes_the_photo() {
    let mut mara = standard(2).with_tile(1, "RIVER-BIRD").with_tourists(ZERO, "RIVER-BIRD").with_jeep(ZERO, "p2");
    play(&mut mara, ZERO, "drive p0");
    play(&mut mara, ZERO, "peek");
    assert_eq!(best(&mara, ZERO), mv("photo 1"));
}

#[test]
fn a_jeep_drives_toward_an_animal_that_its_tourists_want() {
    let mut mara = start(Variant::Standard, true, 2).with_tile(1, "RIVER-BIRD").with_tourists(ZERO, "RIVER-BIRD");
    let tile = at(1).tile().unwrap();
    mara.tiles[tile].known_to.insert(ZERO);
    mara = mara.with_jeep(ZERO, "p71");
    assert!(worth(&mara) < worth(&mara.clone().with_jeep(ZERO, "p0")), "nearer is better");
    let steps = |mara: &Mara| tour::TO_TILE[tile][usize::from(mara.jeep(ZERO).number())];
    let mut far = steps(&mara);
    assert!(far > 5);
    while far > 0 {
        let drive = best(&mara, ZERO);
        assert!(matches!(drive, Move::Drive { .. }), "{drive}");
        mara.apply(ZERO, &drive, &mut Chance::fast(0), &mut Nobody).unwrap();
        assert!(steps(&mara) < far, "{drive} goes the wrong way");
        far = steps(&mara);
        mara.mover = ZERO;
    }
    mara.turn = Turn::default();
    assert_eq!(best(&mara, ZERO), Move::Peek);
}

#[test]
fn no_level_drives_in_circles_past_its_tourists_animals() {
    for notepads in [true, false] {
        for level in Level::ALL {
            let wanted = "RIVER-BIRD BUSH-INSECT";
            let mara = start(Variant::Standard, notepads, 2).with_tourists(ZERO, wanted).with_jeep(ZERO, "p71");
            let mut mara = mara.with_tile(1, "RIVER-BIRD").with_tile(2, "BUSH-INSECT");
            for tile in [1, 2].map(|cell| at(cell).tile().unwrap()) {
                mara.tiles[tile].known_to.insert(ZERO);
            }
            let mut game = Game::from_position(mara, 2);
            let entropy = Entropy::new(Seed::new([4; 32]), []);
            let mut actions = 0;
            while game.rules().drivers[ZERO].photos.is_empty() {
                let seat = game.to_act().first().expect("the game goes on");
                // The other seat lets it work in peace.
                let mv = match seat {
                    ZERO => game.bot_move_within(
                        ZERO,
                        level,
                        Mara::BUDGETS[usize::from(level.number()) - 1].min(300),
                        &entropy,
                    ),
                    _ => game.rules().legal_moves(seat).find(|mv| matches!(mv, Move::End | Move::Drive { .. })),
                };
                let mv = mv.expect("the seat is to act");
                actions += u32::from(seat == ZERO && matches!(mv, Move::Drive { .. } | Move::Peek));
                assert!(actions <= 40, "{level:?}, notepads {notepads}: forty actions without a photo");
                game.play(seat, &mv, &entropy).expect("the move is legal");
            }
        }
    }
}

#[test]
fn a_jeep_without_tourists_picks_up_two_and_an_empty_lodge_is_left() {
    let mara = standard(2);
    assert!(matches!(best(&mara, ZERO), Move::Meet { pick, drop } if pick.len() == 2 && drop.is_empty()));
    let mut empty = mara;
    let waiting = std::mem::take(&mut empty.piles[0]);
    empty.piles[1] = empty.piles[1].or(waiting);
    assert!(matches!(best(&empty, ZERO), Move::Drive { .. }));
}

#[test]
fn a_tourist_for_a_larger_set_is_worth_more() {
    let mara = standard(2).with_photos(ZERO, tourists("RIVER-BIRD BUSH-INSECT"));
    let (set, single) = (tourist("BUSH-PRIMATE"), tourist("BUSH-BIRD"));
    assert_eq!(mara.clone().with_tourists(ZERO, "BUSH-PRIMATE").drivers[ZERO].face_up, Tourists::one(set));
    let other = mara.clone().with_tourists(ZERO, "BUSH-BIRD");
    assert_eq!(other.drivers[ZERO].face_up, Tourists::one(single));
    let near = |mara: Mara, face: &str| worth(&mara.with_tile(1, face).with_jeep(ZERO, "p0"));
    let large = near(mara.with_tourists(ZERO, "BUSH-PRIMATE"), "BUSH-PRIMATE");
    assert!(large > near(other, "BUSH-BIRD"));
}

#[test]
fn a_seat_that_forgets_peeks_where_it_has_just_arrived_and_goes_on_in_its_next_turn() {
    for variant in [Variant::Standard, Variant::Family] {
        let mara = start(variant, false, 2).with_tile(1, "RIVER-BIRD").with_tile(2, "RIVER-INSECT");
        let mut mara = mara.with_tourists(ZERO, "RIVER-PRIMATE RIVER-AMPHIBIAN").with_jeep(ZERO, "p2");
        assert!(matches!(best(&mara, ZERO), Move::Drive { .. }));
        play(&mut mara, ZERO, "drive p0");
        assert_eq!(best(&mara, ZERO), Move::Peek);
        play(&mut mara, ZERO, "peek");
        play(&mut mara, ZERO, "end");
        mara.mover = ZERO;
        assert!(matches!(best(&mara, ZERO), Move::Drive { .. }));
        assert!(!mara.candidates(ZERO, 24, &mut Chance::fast(0)).contains(&Move::Peek));
    }
}

#[test]
fn sensible_games_end_by_photos_and_not_by_the_quiet_turn_limit() {
    for (variant, rule) in [(Variant::Standard, "mara.12"), (Variant::Family, "mara.f4")] {
        for (notepads, least) in [(false, 18), (true, 20)] {
            let options = Options { variant, notepads, ..Options::default() };
            let seeds = (0..20).zip([2, 3, 4].into_iter().cycle());
            let proper = seeds.filter(|(seed, seats)| ending(&options, 2, *seats, *seed) == rule).count();
            assert!(proper >= least, "{variant:?}, notepads {notepads}: {proper} of 20");
        }
    }
}
