//! Checks that a test covers all kinds and rules versions.

use domain::Kind;

/// The kinds missing from a list.
pub fn missing(listed: impl IntoIterator<Item = Kind>) -> Vec<Kind> {
    let listed: Vec<Kind> = listed.into_iter().collect();
    Kind::ALL.iter().copied().filter(|kind| !listed.contains(kind)).collect()
}

/// The rules versions missing from a list.
pub fn missing_versions(listed: &[(Kind, u32)]) -> Vec<(Kind, u32)> {
    let all = Kind::ALL.iter().flat_map(|kind| kind.rules_versions().map(|version| (*kind, version)));
    all.filter(|each| !listed.contains(each)).collect()
}
