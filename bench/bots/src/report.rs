//! Results as a Markdown table.

use domain::Kind;

use crate::duel::Outcomes;
use crate::player::Player;

const HEAD: [&str; 9] =
    ["kind", "seats", "player", "against", "points per game", "95 %", "fair share", "games", "median per move"];

pub fn row(kind: Kind, seats: u8, [one, other]: [&Player; 2], outcomes: &Outcomes) -> Vec<String> {
    let (mean, half) = interval(&outcomes.points);
    let [ours, theirs] = outcomes.times.each_ref().map(|times| median(times));
    let row = vec![
        kind.to_string(),
        seats.to_string(),
        one.to_string(),
        other.to_string(),
        format!("{mean:.3}"),
        format!("{:.3} to {:.3}", (mean - half).max(0.0), (mean + half).min(1.0)),
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

/// The mean and half the width of its 95 % interval. Seeds are independent; the games of one seed are not.
fn interval(points: &[f64]) -> (f64, f64) {
    let count = points.len().max(1) as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

fn median(times: &[u128]) -> u128 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

fn millis(micros: u128) -> String {
    format!("{}.{} ms", micros / 1000, micros % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_narrower_with_more_seeds() {
        let (mean, half) = interval(&[0.0, 1.0, 0.5, 0.5]);
        assert!((mean - 0.5).abs() < 1e-9 && half > 0.3);
        let many: Vec<f64> = [0.0, 1.0, 0.5, 0.5].repeat(100);
        assert!(interval(&many).1 < half / 9.0);
    }

    #[test]
    fn a_median_is_a_time_that_was_measured() {
        assert_eq!(median(&[5, 1, 9]), 5);
        assert_eq!((median(&[]), millis(12_345)), (0, "12.3 ms".to_string()));
    }
}
