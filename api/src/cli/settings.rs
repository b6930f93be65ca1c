//! `maidan config check`: each setting, its value and where it is from.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory};
use serde_json::{Value, json};

use super::Cli;
use super::output::Output;
use crate::config::Config;

/// A setting. `value` is `None` if it has none.
struct Setting {
    variable: String,
    value: Option<String>,
    from: &'static str,
}

pub fn print(matches: &ArgMatches, config: &Config, output: Output) {
    let command = Cli::command();
    let settings = command.get_arguments().filter_map(|argument| Setting::of(argument, matches, Some(config)));
    let settings: Vec<Value> = settings
        .map(|Setting { variable, value, from }| json!({ "variable": variable, "value": value, "from": from }))
        .collect();
    output.print_all(&settings, |setting| {
        let text = |name: &str| setting[name].as_str().unwrap_or("not set").to_string();
        format!("{} = {} ({})", text("variable"), text("value"), text("from"))
    });
    eprintln!("Database: {}", config.database.describe());
    eprintln!("The configuration is valid.");
}

/// The settings of this process that are not defaults, with their values, without secrets.
pub fn changed() -> Vec<String> {
    let command = Cli::command();
    let Ok(matches) = command.clone().try_get_matches() else { return Vec::new() };
    let matches = matches.subcommand_matches("serve").unwrap_or(&matches);
    let changed = command.get_arguments().filter_map(|argument| {
        let Setting { variable, value, from } = Setting::of(argument, matches, None)?;
        (from != "default").then(|| format!("{variable}={}", value.unwrap_or_default()))
    });
    changed.collect()
}

impl Setting {
    /// `None` for an argument that is no setting.
    fn of(argument: &Arg, matches: &ArgMatches, config: Option<&Config>) -> Option<Setting> {
        let variable = argument.get_env()?.to_string_lossy().into_owned();
        let id = argument.get_id().as_str();
        let values = matches.try_get_raw(id).ok().flatten();
        let value = values.map(|values| {
            let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
            values.join(",")
        });
        let from = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => "command line",
            Some(ValueSource::EnvVariable) => "environment",
            _ => "default",
        };
        let value = match value {
            Some(_) if argument.is_hide_env_values_set() => Some("(hidden)".into()),
            // The default depends on the database.
            None if variable == "MAIDAN_GUESTS" => config.map(|config| config.guests().to_string()),
            value => value,
        };
        Some(Setting { variable, value, from })
    }
}
