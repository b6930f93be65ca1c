//! Admission: work that would have to wait for long is refused before it begins.

use super::{Result, Store};

impl Store {
    /// Refuses to make something new if it would have to wait for long. On Postgres the connections for that are those of
    /// reads, where the request has already been admitted.
    pub fn check_backlog(&self) -> Result<()> {
        match self {
            Store::Postgres(_) => Ok(()),
            Store::Sqlite(db) => Ok(db.writes.check_backlog()?),
        }
    }
}
