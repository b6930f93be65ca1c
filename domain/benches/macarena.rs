//! Speed of listing the legal moves of the worst hands of La Macarena: hands that grew because everybody passed. For
//! each size, the hand with the most series in seeded games is measured. Ordinary positions of all kinds are in
//! `kinds.rs`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use domain::games::macarena::{Macarena, Move, Options};
use domain::{Chance, Nobody, Rules, Seat};

/// The limit of a list of legal moves, as in the service.
const CUT: usize = 1_000_000;

fn mover(table: &Macarena) -> Seat {
    table.to_act().first().expect("the game is not over")
}

fn count(table: &Macarena, cut: usize) -> usize {
    table.legal_moves(mover(table)).take(cut).count()
}

/// Two players who pass until the player to act holds this many cards.
fn hoarded(seed: u64, cards: u8) -> Macarena {
    let mut chance = Chance::fast(seed);
    let mut table = Macarena::setup(&Options::default(), *Macarena::RULES_VERSIONS.end(), 2, &mut chance);
    for _ in 0..2 * (cards - 15) {
        table.apply(mover(&table), &Move::Pass, &mut chance, &mut Nobody).expect("one may pass");
    }
    table
}

fn most(tables: Vec<Macarena>) -> (Macarena, usize) {
    let counted = tables.into_iter().map(|table| (count(&table, CUT), table));
    let (moves, table) = counted.max_by_key(|(moves, _)| *moves).expect("there are tables");
    (table, moves)
}

fn listing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("legal moves");
    group.sample_size(20);
    for (cards, tried) in [(20, 200), (25, 200), (30, 100), (48, 1)] {
        let (worst, moves) = most((0..tried).map(|seed| hoarded(seed, cards)).collect());
        println!(
            "a hand of {cards}: {moves} moves at most in {tried} hands{}",
            if moves == CUT { ", cut" } else { "" }
        );
        for cut in [1_000, CUT] {
            let listed = cut.min(moves);
            group.throughput(Throughput::Elements(listed as u64));
            group.bench_function(
                BenchmarkId::new(format!("worst hand of {cards}"), format!("first {listed}")),
                |bench| {
                    bench.iter(|| count(black_box(&worst), cut));
                },
            );
        }
    }
    group.finish();
}

criterion_group!(benches, listing);
criterion_main!(benches);
