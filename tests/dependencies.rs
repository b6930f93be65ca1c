//! The dependencies keep the rules of deny.toml: licences, sources and bans, checked without a network.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::support::server::repository;

/// Every package that this machine's build may use, as cargo describes it.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("rustc prints text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    // Only this platform's: packages of others are not downloaded.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", host])
        .current_dir(repository())
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a package has a name")
}

/// The quoted words of a list in deny.toml, comments left out.
fn listed(list: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(repository().join("deny.toml")).expect("deny.toml is readable");
    let lines: String = text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let (_, rest) = lines.split_once(&format!("{list} = [")).unwrap_or_else(|| panic!("deny.toml has no {list}"));
    let (items, _) = rest.split_once(']').expect("the list ends");
    items.split('"').skip(1).step_by(2).map(String::from).collect()
}

/// Whether an SPDX expression can be satisfied by these licences. Old packages write `/` for OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (satisfied, read) = any_of(&words, allowed);
    assert_eq!(read, words.len(), "not an SPDX expression: {expression}");
    satisfied
}

/// Reads `a OR b`; whether it is satisfied, and how many words were read. AND binds closer.
fn any_of(words: &[&str], allowed: &BTreeSet<String>) -> (bool, usize) {
    let (mut satisfied, mut read) = all_of(words, allowed);
    while words.get(read) == Some(&"OR") {
        let (next, more) = all_of(&words[read + 1..], allowed);
        satisfied |= next;
        read += 1 + more;
    }
    (satisfied, read)
}

/// Reads `a AND b`.
fn all_of(words: &[&str], allowed: &BTreeSet<String>) -> (bool, usize) {
    let (mut satisfied, mut read) = one(words, allowed);
    while words.get(read) == Some(&"AND") {
        let (next, more) = one(&words[read + 1..], allowed);
        satisfied &= next;
        read += 1 + more;
    }
    (satisfied, read)
}

/// Reads a licence, or an expression in brackets.
fn one(words: &[&str], allowed: &BTreeSet<String>) -> (bool, usize) {
    match words {
        ["(", inner @ ..] => {
            let (satisfied, read) = any_of(inner, allowed);
            assert_eq!(inner.get(read), Some(&")"), "a bracket is not closed: {words:?}");
            (satisfied, read + 2)
        }
        [licence, "WITH", exception, ..] => (allowed.contains(&format!("{licence} WITH {exception}")), 3),
        [licence, ..] => (allowed.contains(*licence), 1),
        [] => panic!("a licence is missing"),
    }
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let allowed = listed("allow");
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(|licence| is_allowed(licence, &allowed)))
        .map(|package| format!("{}: {}", name(package), package["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn every_allowed_licence_is_used() {
    let used: Vec<String> =
        packages().iter().filter_map(|package| package["license"].as_str().map(String::from)).collect();
    for licence in listed("allow") {
        assert!(used.iter().any(|expression| expression.contains(&licence)), "{licence} is allowed for nothing");
    }
}

#[test]
fn every_dependency_comes_from_the_one_registry() {
    let packages = packages();
    let sources: BTreeSet<&str> = packages.iter().filter_map(|package| package["source"].as_str()).collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources.iter().all(|source| source.starts_with("registry+")), "{sources:?}");
}

#[test]
fn no_dependency_is_banned() {
    // Not from the metadata, which names optional packages that no feature turns on.
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--workspace", "--prefix", "none", "--format", "{p}"])
        .current_dir(repository())
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).expect("cargo prints text");
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("domain"), "{names:?}");
    let banned = listed("deny");
    let found: Vec<&String> = banned.iter().filter(|name| names.contains(name.as_str())).collect();
    assert!(!banned.is_empty() && found.is_empty(), "{found:?}");
}

#[test]
fn licence_expressions_are_read_as_spdx_means_them() {
    let allowed = BTreeSet::from(["MIT".to_string(), "ISC".to_string()]);
    for expression in ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "MIT AND (ISC OR GPL-3.0)", "GPL-3.0 AND ISC OR MIT"] {
        assert!(is_allowed(expression, &allowed), "{expression}");
    }
    for expression in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "GPL-3.0 AND (MIT OR ISC)"] {
        assert!(!is_allowed(expression, &allowed), "{expression}");
    }
}
