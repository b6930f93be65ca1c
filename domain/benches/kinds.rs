//! Speed of the rules of each kind on one core: whole random games, listing legal moves, making a move.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use domain::playout::playout;
use domain::{Chance, Kind, Nobody, Rules, Seat, with_rules};

/// The limit of a list of legal moves, as in the service.
const CUT: usize = 1000;

/// One position from each of many random games, with the seat to act.
fn positions<R: Rules>(version: u32, seats: u8) -> Vec<(R, Seat)> {
    let position = |seed| {
        let mut chance = Chance::fast(seed);
        let mut table = R::setup(&R::Options::default(), version, seats, &mut chance);
        for _ in 0..chance.below(60) {
            let seat = table.to_act().first().expect("the game is not over");
            let mut next = table.clone();
            let mv = next.any_move(seat, &mut chance);
            next.make(seat, &mv, &mut chance, &mut Nobody);
            if next.outcome().is_none() {
                table = next;
            }
        }
        let seat = table.to_act().first().expect("the game is not over");
        (table, seat)
    };
    (0..200).map(position).collect()
}

fn of_kind<R: Rules>(criterion: &mut Criterion, kind: Kind) {
    let (version, seats) = (kind.rules_version(), *kind.seats().start());
    let positions = positions::<R>(version, seats);
    let mut group = criterion.benchmark_group("rules");
    group.sample_size(20);

    let games = 20;
    group.throughput(Throughput::Elements(games));
    group.bench_function(BenchmarkId::new("random games", kind), |bench| {
        let mut seed = 0;
        bench.iter(|| {
            seed += 1;
            playout::<R>(&R::Options::default(), version, seats, games, seed).expect("the kind's own options are good")
        });
    });

    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(BenchmarkId::new("legal moves", kind), |bench| {
        bench.iter(|| {
            let count = |(table, seat): &(R, Seat)| table.legal_moves(*seat).take(CUT).count();
            black_box(&positions).iter().map(count).sum::<usize>()
        });
    });

    let mut chance = Chance::fast(1);
    let moves: Vec<R::Move> = positions.iter().map(|(table, seat)| table.any_move(*seat, &mut chance)).collect();
    group.bench_function(BenchmarkId::new("apply", kind), |bench| {
        bench.iter_batched_ref(
            || positions.clone(),
            |tables| {
                for ((table, seat), mv) in tables.iter_mut().zip(&moves) {
                    table.apply(*seat, mv, &mut chance, &mut Nobody).expect("any_move is legal");
                }
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn kinds(criterion: &mut Criterion) {
    for kind in Kind::ALL {
        with_rules!(*kind, R => of_kind::<R>(criterion, *kind));
    }
}

criterion_group!(benches, kinds);
criterion_main!(benches);
