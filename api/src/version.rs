//! The version of this build.

use domain::{Kind, bot};
use serde_json::{Map, Value, json};

/// The commit of this build, if `MAIDAN_COMMIT` was set when it was built.
const COMMIT: Option<&str> = option_env!("MAIDAN_COMMIT");

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub fn commit() -> &'static str {
    COMMIT.filter(|commit| !commit.is_empty()).unwrap_or("unknown")
}

/// The response of `/version`: the build, and the rules that it knows.
pub fn document() -> Value {
    let versions = |kind: &Kind| (kind.name().to_string(), kind.rules_versions().collect::<Vec<u32>>().into());
    let rules: Map<String, Value> = Kind::ALL.iter().map(versions).collect();
    json!({ "version": VERSION, "commit": commit(), "rulesVersions": rules, "botVersion": bot::VERSION })
}
