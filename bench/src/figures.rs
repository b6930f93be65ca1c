//! Latencies, and formatting of numbers and tables.

use std::time::Duration;

/// Latencies.
#[derive(Default)]
pub struct Times {
    /// In microseconds.
    sorted: Vec<u32>,
}

impl Times {
    pub fn of(mut micros: Vec<u32>) -> Times {
        micros.sort_unstable();
        Times { sorted: micros }
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The quantile at `share`.
    pub fn within(&self, share: f64) -> Duration {
        let rank = whole((share * self.sorted.len() as f64).ceil());
        let micros = self.sorted.get(rank.max(1) - 1).copied().unwrap_or(0);
        Duration::from_micros(micros.into())
    }

    pub fn p50(&self) -> String {
        millis(self.within(0.50))
    }

    pub fn p99(&self) -> String {
        millis(self.within(0.99))
    }

    pub fn p999(&self) -> String {
        millis(self.within(0.999))
    }
}

/// Microseconds. More than an hour and eleven minutes count as that.
pub fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

/// A count that was computed from rates and shares, without its fraction.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and a count is positive")]
pub fn whole(count: f64) -> usize {
    count as usize
}

pub fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1000.0;
    if millis < 10.0 { format!("{millis:.2} ms") } else { format!("{millis:.1} ms") }
}

/// 1234567 as 1,234,567.
pub fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if number <= -0.5 { format!("-{text}") } else { text }
}

pub fn ratio(ours: f64, theirs: f64) -> String {
    if theirs > 0.0 { format!("{:.2}", ours / theirs) } else { "-".into() }
}

pub fn bytes(count: f64) -> String {
    match count {
        n if n >= 1024.0 * 1024.0 => format!("{:.1} MiB", n / 1024.0 / 1024.0),
        n if n >= 10.0 * 1024.0 => format!("{:.1} KiB", n / 1024.0),
        n => format!("{} B", grouped(n)),
    }
}

/// A Markdown table with padded columns.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            if column == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
        });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let rules = widths.iter().enumerate().map(|(column, width)| {
        if column == 0 { "-".repeat(*width) } else { format!("{}:", "-".repeat(width.max(&2) - 1)) }
    });
    let mut text = line(head.to_vec());
    text.push_str(&format!("| {} |\n", rules.collect::<Vec<_>>().join(" | ")));
    rows.iter().for_each(|row| text.push_str(&line(row.iter().map(String::as_str).collect())));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_time_that_was_measured() {
        let times = Times::of((1..=1000).rev().collect());
        assert_eq!(times.within(0.50), Duration::from_micros(500));
        assert_eq!(times.within(0.99), Duration::from_micros(990));
        assert_eq!(times.within(0.999), Duration::from_micros(999));
        assert_eq!(times.within(1.0), Duration::from_micros(1000));
        assert_eq!(Times::of(vec![7]).within(0.5), Duration::from_micros(7));
        assert_eq!(Times::default().within(0.99), Duration::ZERO);
    }

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([0.0, 999.4, 1000.0, 1234567.0, -1000.0].map(grouped), ["0", "999", "1,000", "1,234,567", "-1,000"]);
    }

    #[test]
    fn a_table_is_markdown() {
        let rows = [vec!["moves".to_string(), "12".to_string()], vec!["é".to_string(), "3".to_string()]];
        assert_eq!(table(&["what", "n"], &rows), "| what  |  n |\n| ----- | -: |\n| moves | 12 |\n| é     |  3 |\n");
    }
}
