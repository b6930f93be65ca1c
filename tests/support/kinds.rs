//! The kinds that a test must not leave out.

use domain::Kind;

/// The kinds that a list leaves out.
pub fn missing(listed: impl IntoIterator<Item = Kind>) -> Vec<Kind> {
    let listed: Vec<Kind> = listed.into_iter().collect();
    Kind::ALL.iter().copied().filter(|kind| !listed.contains(kind)).collect()
}
