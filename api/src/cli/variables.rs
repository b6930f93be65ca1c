//! The `MAIDAN_*` variables of the environment.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};

use super::Cli;

/// Renamed settings: old and new names.
const RENAMED: [(&str, &str); 3] = [
    ("MAIDAN_PATIENCE_SECONDS", "MAIDAN_WRITE_TIMEOUT_SECONDS"),
    ("MAIDAN_MAX_COMPLEXITY", "MAIDAN_MAX_COST"),
    ("MAIDAN_WRONG_GUESSES_PER_MINUTE", "MAIDAN_AUTH_FAILURES_PER_MINUTE"),
];

/// The environment variable of the flag that a command-line error concerns.
pub fn variable_of(error: &clap::Error) -> Option<String> {
    let ContextValue::String(argument) = error.get(ContextKind::InvalidArg)? else { return None };
    let flag = argument.split_whitespace().next()?.trim_start_matches("--");
    let command = Cli::command();
    let known = command.get_arguments().find(|known| known.get_long() == Some(flag))?;
    known.get_env().map(|name| name.to_string_lossy().into_owned())
}

/// Refuses unknown `MAIDAN_*` variables, so that misspelt ones are noticed.
pub fn check(variables: impl Iterator<Item = String>) -> Result<(), String> {
    let command = Cli::command();
    let known: Vec<String> = command
        .get_arguments()
        .filter_map(|argument| argument.get_env())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let mut variables = variables.filter(|name| name.starts_with("MAIDAN_"));
    let Some(unknown) = variables.find(|name| !known.contains(name)) else { return Ok(()) };
    Err(match RENAMED.iter().find(|(old, _)| *old == unknown) {
        Some((_, new)) => format!("{unknown} is now called {new}."),
        None => format!("{unknown} is not a setting of Maidan. See: maidan --help"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(names: &[&str]) -> String {
        check(names.iter().copied().map(String::from)).expect_err("one of them is not a setting")
    }

    #[test]
    fn a_misspelt_variable_is_named() {
        assert!(refused(&["PATH", "MAIDAN_LISTEN", "MAIDAN_LISTN"]).starts_with("MAIDAN_LISTN is not a setting"));
    }

    #[test]
    fn an_old_name_is_answered_with_the_new_one() {
        for (old, new) in RENAMED {
            assert_eq!(refused(&[old]), format!("{old} is now called {new}."));
            assert_eq!(check([new.to_string()].into_iter()), Ok(()));
        }
    }
}
