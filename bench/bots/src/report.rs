//! Results as a Markdown table.

use domain::Kind;

use crate::duel::Outcomes;
use crate::player::Player;

const HEAD: [&str; 9] =
    ["kind", "seats", "player", "against", "points per game", "95 %", "fair share", "games", "median per move"];

pub fn row(kind: Kind, seats: u8, [one, other]: &[Player; 2], outcomes: &Outcomes) -> Vec<String> {
    let (mean, low, high) = interval(&outcomes.points, seats);
    let [ours, theirs] = outcomes.times.each_ref().map(|times| median(times));
    let row = vec![
        kind.to_string(),
        seats.to_string(),
        one.to_string(),
        other.to_string(),
        format!("{mean:.3}"),
        format!("{low:.3} to {high:.3}"),
        format!("{:.3}", 1.0 / f64::from(seats)),
        outcomes.games.to_string(),
        format!("{} / {}", millis(ours), millis(theirs)),
    ];
    eprintln!("  {}, {} moves per game", row[4..].join(", "), outcomes.moves / outcomes.games.max(1));
    row
}

pub fn table(rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(HEAD.to_vec());
    text.push_str(&line(vec!["---", "--:", "---", "---", "--:", "--:", "--:", "--:", "--:"]));
    rows.iter().for_each(|row| text.push_str(&line(row.iter().map(String::as_str).collect())));
    text
}

/// The mean and its 95 % interval. Seeds are independent; the games of one seed are not. The interval is that of these
/// seeds and as many more as there are seats, one with all points and the others with none: a few seeds that all end
/// alike prove little.
fn interval(points: &[f64], seats: u8) -> (f64, f64, f64) {
    let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
    let more: Vec<f64> = (0..seats).map(|n| f64::from(u8::from(n == 0))).chain(points.iter().copied()).collect();
    let count = more.len() as f64;
    let centre = more.iter().sum::<f64>() / count;
    let variance = more.iter().map(|points| (points - centre).powi(2)).sum::<f64>() / (count - 1.0);
    let half = 1.96 * (variance / count).sqrt();
    (mean, (centre - half).clamp(0.0, mean), (centre + half).clamp(mean, 1.0))
}

fn median(times: &[u64]) -> u64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

fn millis(micros: u64) -> String {
    format!("{}.{} ms", micros / 1000, micros % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use domain::bot::{Strength, VERSION};

    use super::*;

    #[test]
    fn an_interval_is_narrower_with_more_seeds() {
        let (mean, low, high) = interval(&[0.0, 1.0, 0.5, 0.5], 2);
        assert!((mean - 0.5).abs() < 1e-9 && high - low > 0.5);
        let many: Vec<f64> = [0.0, 1.0, 0.5, 0.5].repeat(100);
        let (_, from, to) = interval(&many, 2);
        assert!(low < from && to < high && to - from < 0.1);
    }

    #[test]
    fn two_seeds_that_are_won_prove_little_and_a_hundred_much() {
        let (mean, low, high) = interval(&[1.0, 1.0], 2);
        assert!((mean - 1.0).abs() < 1e-9 && low < 0.5 && high > 0.99);
        assert!(interval(&[1.0; 100], 2).1 > 0.9);
    }

    #[test]
    fn a_median_is_a_time_that_was_measured() {
        assert_eq!(median(&[5, 1, 9]), 5);
        assert_eq!((median(&[]), millis(12_345)), (0, "12.3 ms".to_string()));
    }

    #[test]
    fn the_catalogue_serves_what_the_table_says() {
        let table = include_str!("../../BOTS.md");
        assert!(table.contains(&format!("version {VERSION} of the bots")), "the table is of an earlier version");
        for kind in Kind::ALL {
            for about in kind.bot_levels() {
                for Strength { seats, against, points, from, to, games } in about.strength {
                    let against = against.map_or("random".into(), |level| format!("level {}", level.number()));
                    let [points, from, to] = [points, from, to].map(|share| f64::from(share) / 1_000.0);
                    let level = about.level.number();
                    let row = format!(
                        "| {kind} | {seats} | level {level} | {against} | {points:.3} | {from:.3} to {to:.3} | {:.3} | {games} |",
                        1.0 / f64::from(seats)
                    );
                    assert!(table.contains(&row), "bench/BOTS.md has no row {row}");
                }
            }
        }
    }
}
