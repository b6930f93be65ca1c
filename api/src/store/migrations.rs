//! The migrations of each database, in order. They are part of the program.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

macro_rules! migrations {
    ($database:literal: $($version:literal $name:literal),* $(,)?) => {
        Migrator::with_migrations(vec![$(
            migration(
                $version,
                $name,
                include_str!(concat!("../../../migrations/", $database, "/000", $version, "_", $name, ".sql")),
            ),
        )*])
    };
}

pub fn postgres() -> Migrator {
    migrations!("postgres": 1 "first", 2 "streams", 3 "records", 4 "questions", 5 "moves", 6 "keys", 7 "apps", 8 "resume", 9 "bots")
}

pub fn sqlite() -> Migrator {
    migrations!("sqlite": 1 "first", 2 "streams", 3 "records", 4 "questions", 5 "moves", 6 "keys", 7 "apps", 8 "resume", 9 "bots")
}

fn migration(version: i64, name: &'static str, sql: &'static str) -> Migration {
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
