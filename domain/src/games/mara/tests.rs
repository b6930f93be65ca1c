use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::contract::{self, Promises};
use crate::playout::playout;
use crate::{Entropy, Kind, Nobody, Over, Seed, golden};

mod sensible;

const OPEN: Viewer = Viewer::Open(Over(()));
const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

#[test]
fn the_mara_keeps_the_contract() {
    contract::uphold::<Mara>(contract::games_or(140));
}

#[test]
fn zz_figures() {
    let start = std::time::Instant::now();
    for _ in 0..10000 { std::hint::black_box(Mara::about()); }
    println!("about {:?}", start.elapsed() / 10000);

    for variant in [Variant::Standard, Variant::Family] {
        for seats in 2..=4 {
            let options = Options { variant, ..Options::default() };
            let start = std::time::Instant::now();
            let played = playout::<Mara>(&options, seats, 500, 1).unwrap();
            println!("{variant:?} {seats} {:?} avg {} {:?}", start.elapsed() / 500, played.plies / played.games, played);
        }
    }
    for (options, seats) in Mara::tables() {
        let mut ends = BTreeMap::new();
        let mut plies = 0;
        for game in 0..200 {
            let mut chance = Chance::fast(game);
            let mut mara = Mara::setup(&options, seats, &mut chance);
            while let Some(seat) = mara.to_act().first() {
                let mv = mara.sensible_move(seat, &mut chance);
                mara.apply(seat, &mv, &mut chance, &mut Nobody).unwrap();
                plies += 1;
            }
            *ends.entry(format!("{:?}", mara.end.unwrap())).or_insert(0) += 1;
        }
        println!("{options:?} {seats}: {ends:?} avg {}", plies / 200);
    }
}
