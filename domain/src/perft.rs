//! Counting move sequences: the quickest proof that two programs play by the same rules.

use crate::{Chance, Entropy, Illegal, Nobody, Rules, game};

/// The number of sequences of 1, 2 … `depth` moves from the start, with all chance fixed by the entropy.
/// Where several seats are to act at once, the lowest of them moves first, so that no order counts twice.
/// A game that ends early counts for the depths that it reached.
pub fn perft<R: Rules>(
    options: &R::Options,
    version: u32,
    seats: u8,
    depth: u32,
    entropy: &Entropy,
) -> Result<Vec<u64>, Illegal> {
    game::check_options::<R>(options, version, seats)?;
    let start = R::setup(options, version, seats, &mut entropy.table(0));
    let mut counts = vec![0; depth as usize];
    count(&start, 1, &mut counts, entropy);
    Ok(counts)
}

fn count<R: Rules>(position: &R, ply: u32, counts: &mut [u64], entropy: &Entropy) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    let Some(seat) = position.to_act().first() else { return };
    if deeper.is_empty() {
        *here += position.legal_moves(seat).count() as u64;
        return;
    }
    for mv in position.legal_moves(seat) {
        *here += 1;
        let mut next = position.clone();
        let mut chance: Chance = entropy.table(ply);
        next.make(seat, &mv, &mut chance, &mut Nobody);
        count(&next, ply + 1, deeper, entropy);
    }
}
