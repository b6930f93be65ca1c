//! Statistical tests of random draws: whether each outcome is as frequent as it should be.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Outcomes that are expected fewer times than this are counted together.
const RARE: u128 = 5;

/// Panics if the counts do not fit the weights, by a chi-square test that fair draws fail once in a million times.
pub fn assert_fits<K: Ord + Debug>(came: &BTreeMap<K, u64>, weights: &BTreeMap<K, u128>) {
    let odd = came.keys().find(|outcome| !weights.contains_key(outcome));
    assert!(odd.is_none(), "{odd:?} cannot come");
    let (draws, all): (u128, u128) = (came.values().map(|n| u128::from(*n)).sum(), weights.values().sum());
    let mut cells: Vec<(u128, u128)> = Vec::new();
    let mut rare = (0, 0);
    for (outcome, weight) in weights {
        let times = came.get(outcome).copied().unwrap_or(0).into();
        if draws * weight < RARE * all {
            rare = (rare.0 + times, rare.1 + weight);
        } else {
            cells.push((times, *weight));
        }
    }
    cells.extend((draws * rare.1 >= RARE * all).then_some(rare));
    // The sum of (times − expected)² ÷ expected, in thousandths.
    let deviation =
        |(times, weight): &(u128, u128)| (times * all).abs_diff(draws * weight).pow(2) * 1000 / (draws * weight * all);
    let deviations: u128 = cells.iter().map(deviation).sum();
    // P(chi² ≥ f + 2√(fx) + 2x) ≤ exp(−x), for f degrees of freedom; x = 14.
    let freedom = cells.len().saturating_sub(1) as u128;
    let limit = 1000 * (freedom + 2 * ((14 * freedom).isqrt() + 1) + 28);
    assert!(deviations <= limit, "{deviations} thousandths exceed {limit}: {came:?} for {weights:?}");
}

/// Draws this many times and counts each outcome.
pub fn count<K: Ord>(draws: u32, mut draw: impl FnMut() -> K) -> BTreeMap<K, u64> {
    let mut came = BTreeMap::new();
    (0..draws).for_each(|_| *came.entry(draw()).or_default() += 1);
    came
}

/// The same weight for each outcome.
pub fn evenly<K: Ord>(outcomes: impl IntoIterator<Item = K>) -> BTreeMap<K, u128> {
    outcomes.into_iter().map(|outcome| (outcome, 1)).collect()
}

#[test]
fn a_loaded_die_is_found_out_and_a_fair_one_is_not() {
    let mut chance = crate::Chance::fast(1);
    let fair = count(6000, || chance.below(6));
    assert_fits(&fair, &evenly(0..6));
    let loaded = count(6000, || chance.below(7) % 6);
    assert!(std::panic::catch_unwind(|| assert_fits(&loaded, &evenly(0..6))).is_err());
    assert_fits(&loaded, &(0..6).map(|face| (face, if face == 0 { 2 } else { 1 })).collect());
}
