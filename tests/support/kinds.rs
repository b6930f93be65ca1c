//! The kinds, and the versions of their rules, that a test must not leave out.

use domain::Kind;

/// The kinds that a list leaves out.
pub fn missing(listed: impl IntoIterator<Item = Kind>) -> Vec<Kind> {
    let listed: Vec<Kind> = listed.into_iter().collect();
    Kind::ALL.iter().copied().filter(|kind| !listed.contains(kind)).collect()
}

/// The versions of the rules that a list leaves out.
pub fn missing_versions(listed: &[(Kind, u32)]) -> Vec<(Kind, u32)> {
    let all = Kind::ALL.iter().flat_map(|kind| kind.rules_versions().map(|version| (*kind, version)));
    all.filter(|each| !listed.contains(each)).collect()
}
