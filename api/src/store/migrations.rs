//! The migrations of each database, in order. They are part of the program.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

macro_rules! migrations {
    ($database:literal: $($file:literal),* $(,)?) => {
        Migrator::with_migrations(vec![$(
            migration($file, include_str!(concat!("../../../migrations/", $database, "/", $file, ".sql"))),
        )*])
    };
}

pub fn postgres() -> Migrator {
    migrations!(
        "postgres": "0001_first", "0002_streams", "0003_records", "0004_questions", "0005_moves", "0006_keys",
        "0007_apps", "0008_resume", "0009_bots", "0010_players_who_are_bots", "0011_readiness", "0012_tags",
        "0013_issued_by",
    )
}

pub fn sqlite() -> Migrator {
    migrations!(
        "sqlite": "0001_first", "0002_streams", "0003_records", "0004_questions", "0005_moves", "0006_keys",
        "0007_apps", "0008_resume", "0009_bots", "0010_players_who_are_bots", "0011_readiness", "0012_tags",
        "0013_issued_by",
    )
}

fn migration(file: &'static str, sql: &'static str) -> Migration {
    let (version, name) = file.split_once('_').expect("a file is named by number and title");
    let version = version.parse().expect("a file is named by number and title");
    Migration::new(version, name.into(), MigrationType::Simple, SqlStr::from_static(sql), false)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names of the files that lie in a directory of `migrations`.
    fn files(database: &str) -> BTreeSet<String> {
        let directory = format!("{}/../migrations/{database}", env!("CARGO_MANIFEST_DIR"));
        let entries = std::fs::read_dir(directory).expect("the migrations lie beside the crate");
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("plain")).collect()
    }

    fn embedded(migrator: &Migrator) -> BTreeSet<String> {
        migrator.iter().map(|migration| format!("{:04}_{}.sql", migration.version, migration.description)).collect()
    }

    #[test]
    fn every_migration_is_part_of_the_program() {
        assert_eq!(embedded(&postgres()), files("postgres"));
        assert_eq!(embedded(&sqlite()), files("sqlite"));
    }
}
