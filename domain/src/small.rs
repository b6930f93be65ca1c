//! Numbers at a table fit a byte.

/// A number of things at a table, or the index of one among them, as states, moves and views hold it. No kind has 256
/// of anything.
#[expect(clippy::cast_possible_truncation, reason = "no kind has 256 of anything")]
pub const fn small(number: usize) -> u8 {
    debug_assert!(number <= u8::MAX as usize, "no kind has 256 of anything");
    number as u8
}
