//! `maidan components`: tables of components in the shape of the option, without a server.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use domain::Kind;
use serde_json::{Map, Value, json};

use crate::limits::Limits;
use crate::wire::{Options, Rulebook};

#[derive(Subcommand)]
pub enum ComponentsCommand {
    /// Print the built-in tables of a kind, to be corrected
    Show { kind: Kind },
    /// Check the tables of a file by the rules: whether a game can be opened with them
    Check {
        /// A file with the value of the option components; '-' for standard input
        file: PathBuf,
        /// The kind of game; by default the kind whose tables these are
        #[arg(long)]
        kind: Option<Kind>,
    },
}

pub fn run(what: ComponentsCommand, limits: &Limits) -> Result<(), String> {
    match what {
        ComponentsCommand::Show { kind } => {
            let tables = Rulebook::of(kind).built_in_components.ok_or_else(|| no_tables(kind))?;
            // Not through a `Value`, which would sort the fields.
            let text = match (tables.mahabharata, tables.mahola) {
                (Some(tables), _) => serde_json::to_string_pretty(&tables),
                (None, tables) => serde_json::to_string_pretty(&tables),
            };
            println!("{}", text.map_err(|error| error.to_string())?);
            Ok(())
        }
        ComponentsCommand::Check { file, kind } => check(&file, kind, limits),
    }
}

/// The built-in tables of a kind, in the shape of the option. `None` if the kind has no such option.
fn built_in(kind: Kind) -> Option<Map<String, Value>> {
    let book = serde_json::to_value(Rulebook::of(kind)).ok()?;
    match &book["builtInComponents"][field(kind)] {
        Value::Object(tables) => Some(tables.clone()),
        _ => None,
    }
}

/// The field of a kind in options.
fn field(kind: Kind) -> String {
    kind.name().to_lowercase()
}

fn no_tables(kind: Kind) -> String {
    let kinds: Vec<&str> = Kind::ALL.iter().filter(|kind| built_in(**kind).is_some()).map(|kind| kind.name()).collect();
    format!("{kind} has no option components; these kinds have: {}.", kinds.join(", "))
}

fn check(file: &Path, kind: Option<Kind>, limits: &Limits) -> Result<(), String> {
    let name = file.display();
    let mut read: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(|error| format!("{name} cannot be read: {error}"))?)
    };
    let mut text = String::new();
    // No more than a request can have: a larger file is not read to its end.
    let most = u64::try_from(limits.max_body).unwrap_or(u64::MAX);
    read.by_ref().take(most.saturating_add(1)).read_to_string(&mut text).map_err(|error| format!("{name}: {error}"))?;
    if text.len() > limits.max_body {
        return Err(format!("{name} has more than {most} bytes, the most that a request can have."));
    }
    let components: Value = serde_json::from_str(&text).map_err(|error| format!("{name} is not JSON: {error}"))?;
    let kind = match kind {
        Some(kind) => kind,
        None => kind_of(&components).ok_or_else(|| {
            format!("{name} has no table by which its kind could be told: name it, such as --kind MAHOLA.")
        })?,
    };
    let tables = built_in(kind).ok_or_else(|| no_tables(kind))?;
    let options = json!({ field(kind): { "components": components } });
    let options: Options =
        serde_json::from_value(options).map_err(|error| format!("{name} is not a table of {kind}: {error}"))?;
    let options = options.read().map_err(|unreadable| format!("{name}: {unreadable}"))?;
    let refused = |illegal: domain::Illegal| format!("{name}: {illegal}");
    options.check(kind.rules_version(), *kind.seats().start()).map_err(refused)?;
    let own = |table: &&String| !components[table.as_str()].is_null();
    let (own, other): (Vec<&String>, Vec<&String>) = tables.keys().partition(own);
    let listed = |tables: Vec<&String>| tables.iter().map(|table| table.as_str()).collect::<Vec<_>>().join(", ");
    let built_in = if other.is_empty() { String::new() } else { format!("; built-in: {}", listed(other)) };
    println!("{name}: valid for {kind}: {}{built_in}", listed(own));
    println!("componentsHash: {}", options.components_hash().unwrap_or_default());
    Ok(())
}

/// The kind that has one of these tables.
fn kind_of(components: &Value) -> Option<Kind> {
    let given = components.as_object()?;
    let has_one =
        |kind: &&Kind| built_in(**kind).is_some_and(|tables| tables.keys().any(|table| given.contains_key(table)));
    Kind::ALL.iter().find(has_one).copied()
}
