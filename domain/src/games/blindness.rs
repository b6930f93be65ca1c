//! Checks that the judgement of a kind reads nothing that the seat cannot know.

use crate::bot::Judgement;
use crate::contract::Promises;
use crate::{Chance, Nobody, Seat, Viewer};

/// Plays games and compares, now and then, the candidates of the seat to act and their promises with those in worlds that
/// the seat cannot distinguish from the true one. Also checks that candidates and playout moves are legal, that there
/// are at most `limit` different ones, and that the shares of a win add up to a whole one, but for rounding.
pub fn check<K: Judgement + Promises>(games: u64) {
    for version in K::RULES_VERSIONS {
        for (table, (options, seats)) in (0..).zip(K::tables(version)) {
            for game in 0..games {
                let mut chance = Chance::fast(1_000 * table + game);
                let options = K::complete(options.clone(), version);
                let mut position = K::setup(&options, version, seats, &mut chance);
                for _ in 0..400 {
                    let acting: Vec<_> = position.to_act().iter().collect();
                    let total: u32 = position.worth().values().sum();
                    assert!((9_980..=10_000).contains(&total), "the shares add up to {total}");
                    if acting.is_empty() {
                        break;
                    }
                    let seat = *chance.pick(&acting);
                    if chance.happens(1, 3) {
                        compare(&position, seat, &mut chance);
                    }
                    let mv = if chance.happens(1, 4) {
                        position.any_move(seat, &mut chance)
                    } else {
                        position.playout_move(seat, &mut chance)
                    };
                    let made = position.apply(seat, &mv, &mut chance, &mut Nobody);
                    made.unwrap_or_else(|illegal| panic!("{mv}: {illegal}"));
                }
            }
        }
    }
}

fn compare<K: Judgement>(position: &K, seat: Seat, chance: &mut Chance) {
    let limit = *chance.pick(&[2, 8, 30]);
    let seed = u64::from(chance.next_u32());
    let judged = |world: &K| -> Vec<(String, u32)> {
        let candidates = world.candidates(seat, limit, &mut Chance::fast(seed));
        candidates.iter().map(|mv| (mv.to_string(), world.promise(seat, mv))).collect()
    };
    let here = judged(position);
    assert!(!here.is_empty() && here.len() <= limit, "{} candidates", here.len());
    for (n, (mv, promise)) in here.iter().enumerate() {
        assert!(*promise <= 1_000);
        assert!(!here[..n].iter().any(|(other, _)| other == mv), "{mv} is named twice");
        let parsed = mv.parse().unwrap_or_else(|_| panic!("{mv} is a move"));
        position.check(seat, &parsed).unwrap_or_else(|illegal| panic!("{mv}: {illegal}"));
    }
    let move_here = position.playout_move(seat, &mut Chance::fast(seed));
    for _ in 0..3 {
        let twin = position.imagine(Viewer::Seat(seat), chance);
        assert_eq!(judged(&twin), here, "a seat judges by what it cannot know");
        assert_eq!(twin.playout_move(seat, &mut Chance::fast(seed)), move_here, "a seat plays by what it cannot know");
    }
}
