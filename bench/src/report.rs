//! Prints the results and writes them to a file at the end.

use crate::figures::{self, Times, bytes, grouped, ratio};
use crate::floor::Floor;
use crate::peers::KalahRun;
use crate::play::Played;

/// The columns of the table of moves and reads.
const HEAD: [&str; 10] = [
    "what",
    "per second",
    "p50",
    "p99",
    "p99.9",
    "CPU service",
    "CPU database",
    "CPU clients",
    "written per move",
    "Maidan / this row",
];

#[derive(Default)]
pub struct Report {
    rows: Vec<Vec<String>>,
    sections: String,
}

impl Report {
    /// A row of the table of moves and reads. `ratio` is Maidan's rate divided by this one.
    pub fn row(&mut self, what: &str, rate: f64, times: Option<&Times>, cells: [String; 4], compared: String) {
        let time = |of: fn(&Times) -> String| times.map_or("-".to_string(), of);
        let [service, database, clients, written] = cells;
        let row = vec![
            what.to_string(),
            grouped(rate),
            time(Times::p50),
            time(Times::p99),
            time(Times::p999),
            service,
            database,
            clients,
            written,
            compared,
        ];
        eprintln!("  {}", row.join(" | "));
        self.rows.push(row);
    }

    pub fn played(&mut self, what: &str, played: &Played) {
        let [service, database, clients] = [played.service_cpu, played.database_cpu, played.client_cpu].map(cores);
        let cells = [service, database, clients, bytes(played.written_per_move())];
        self.row(what, played.rate(), Some(&played.times), cells, "-".into());
    }

    pub fn floor(&mut self, what: &str, floor: &Floor, ours: f64) {
        let cells = ["-".to_string(), cores(floor.database_cpu), "-".into(), bytes(floor.written_per_move)];
        self.row(what, floor.rate, floor.times.as_ref(), cells, ratio(ours, floor.rate));
    }

    pub fn kalah(&mut self, what: &str, run: &KalahRun, compared: String) {
        self.row(what, run.rate, Some(&run.times), ["-"; 4].map(String::from), compared);
    }

    /// Something that could not be measured, and why.
    pub fn missing(&mut self, what: &str, why: &str) {
        eprintln!("  {what}: {why}");
        let mut row = vec![format!("{what}: {why}")];
        row.extend(std::iter::repeat_n("-".to_string(), HEAD.len() - 1));
        self.rows.push(row);
    }

    /// A separate table.
    pub fn section(&mut self, title: &str, head: &[&str], rows: &[Vec<String>]) {
        let text = format!("\n## {title}\n\n{}", figures::table(head, rows));
        eprintln!("{text}");
        self.sections.push_str(&text);
    }

    pub fn text(&self, about: &[String]) -> String {
        let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
        let table = if self.rows.is_empty() { String::new() } else { figures::table(&HEAD, &self.rows) };
        format!(
            "# What `./bench/run` measured\n\n{about}\nAll from one run. [README.md](README.md) explains the rows.\n\n\
             ## Moves and reads\n\n{table}{}",
            self.sections
        )
    }
}

/// Processor time as a share of one core.
fn cores(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
