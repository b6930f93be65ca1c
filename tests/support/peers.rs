//! Programs from npm that ./test has fetched, and scripts that use them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;

use super::server::repository;

/// The directory of the packages; a package must be there.
fn packages(name: &str) -> PathBuf {
    let peers = repository().join("target/test-peers");
    assert!(
        peers.join("node_modules").join(name).exists(),
        "{name} is missing: run the tests by ./test, which fetches it"
    );
    peers
}

/// A script of tests/clients/pages that uses this package.
pub fn script(name: &str, package: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(repository().join("tests/clients/pages").join(name)).current_dir(packages(package)).kill_on_drop(true);
    command.env("MAIDAN_TEST_CHROMIUM", std::env::var("MAIDAN_TEST_CHROMIUM").unwrap_or("/usr/bin/chromium".into()));
    // A proxy for the world outside must not get between the client and the server.
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(variable);
    }
    command
}

/// A program of a package.
pub fn program(name: &str, package: &str) -> Command {
    let mut command = Command::new(packages(package).join("node_modules/.bin").join(name));
    command.kill_on_drop(true);
    command
}

/// The output of a command. It must succeed in time.
pub async fn printed(mut command: Command, deadline: Duration) -> String {
    let output = tokio::time::timeout(deadline, command.output()).await;
    let output = output.unwrap_or_else(|_| panic!("{command:?} does not end")).expect("node is there");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

/// A directory of its own, empty.
pub fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Removes the files of an earlier run.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("target can be written");
    directory
}
