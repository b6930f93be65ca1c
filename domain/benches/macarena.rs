//! How long it takes to list the legal moves of La Macarena.
//!
//! Positions are drawn from seeded games: the first deal, positions in the middle of random games, and hands that
//! grew because everybody passed. Of each size the hand with the most series found is measured by itself.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use domain::games::macarena::{Macarena, Move, Options};
use domain::{Chance, Nobody, Rules, Seat};

/// A list longer than this is cut, here as by whoever asks.
const CUT: usize = 1_000_000;

fn deal(seed: u64) -> Macarena {
    Macarena::setup(&Options::default(), 2 + (seed % 4) as u8, &mut Chance::fast(seed))
}

fn mover(table: &Macarena) -> Seat {
    table.to_act().first().expect("the game is not over")
}

fn count(table: &Macarena, cut: usize) -> usize {
    table.legal_moves(mover(table)).take(cut).count()
}

fn first_deals() -> Vec<Macarena> {
    (0..500).map(deal).collect()
}

/// One position from the middle of each of many random games.
fn random_positions() -> Vec<Macarena> {
    let position = |seed| {
        let (mut table, mut chance) = (deal(seed), Chance::fast(seed));
        for _ in 0..chance.below(60) {
            let mut next = table.clone();
            let mv = next.any_move(mover(&next), &mut chance);
            next.apply(mover(&table), &mv, &mut chance, &mut Nobody).expect("the move is legal");
            if next.outcome().is_none() {
                table = next;
            }
        }
        table
    };
    (0..500).map(position).collect()
}

/// Two players who pass until the one to act holds so many cards.
fn hoarded(seed: u64, cards: u8) -> Macarena {
    let mut chance = Chance::fast(seed);
    let mut table = Macarena::setup(&Options::default(), 2, &mut chance);
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
    for (name, tables) in [("first deals", first_deals()), ("random positions", random_positions())] {
        let moves: Vec<usize> = tables.iter().map(|table| count(table, CUT)).collect();
        let (sum, largest) = (moves.iter().sum::<usize>(), moves.iter().max().copied().unwrap_or(0));
        println!("{name}: {} positions, {} moves on average, {largest} at most", tables.len(), sum / tables.len());
        group.throughput(Throughput::Elements(tables.len() as u64));
        group.bench_function(BenchmarkId::new("all", name), |bench| {
            bench.iter(|| tables.iter().map(|table| count(black_box(table), CUT)).sum::<usize>());
        });
        let (worst, moves) = most(tables);
        group.throughput(Throughput::Elements(moves as u64));
        group.bench_function(BenchmarkId::new(format!("worst of {moves}"), name), |bench| {
            bench.iter(|| count(black_box(&worst), CUT));
        });
    }
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
