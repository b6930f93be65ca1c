//! Sentences about the faults of a table that the option `components` gives.

use std::fmt::Display;

/// The most characters that a sentence repeats of a name.
const QUOTED: usize = 40;

/// A name as it was given, in quotation marks: at most 40 characters, without any that could disturb the text.
pub fn quoted(name: &str) -> String {
    let rest = if name.chars().count() > QUOTED { "…" } else { "" };
    let start: String = name.chars().take(QUOTED).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    format!("\"{start}{rest}\"")
}

/// 'BEAR, SNAKE, WOLF or RAVEN'.
pub fn one_of(names: &[impl Display]) -> String {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// An entry that is not the one that belongs there: 'After card 7, the table cards must have card 8, not card 7.'
pub fn out_of_order(table: &str, before: Option<String>, wanted: impl Display, given: impl Display) -> String {
    match before {
        None => format!("The table {table} must begin with {wanted}, not {given}."),
        Some(before) => format!("After {before}, the table {table} must have {wanted}, not {given}."),
    }
}

/// A table with another number of entries than it must have.
pub fn wrong_length(table: &str, wanted: usize, given: usize) -> String {
    format!("The table {table} must have {wanted} entries, not {given}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_repeated_in_part_and_without_line_breaks() {
        assert_eq!(quoted("FOX"), "\"FOX\"");
        assert_eq!(quoted("a\nb\u{7}"), "\"a\u{fffd}b\u{fffd}\"");
        assert_eq!(quoted(&"é".repeat(41)), format!("\"{}…\"", "é".repeat(40)));
    }

    #[test]
    fn alternatives_are_a_list_with_an_or() {
        assert_eq!(one_of(&["A", "B", "C"]), "A, B or C");
        assert_eq!(one_of(&["A"]), "A");
    }
}
