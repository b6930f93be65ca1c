//! The log of a game, as the caller may read it.

use domain::{AnyEvent, AnyMove};

use super::list::page_size;
use super::table::Table;
use crate::app::Maidan;
use crate::error::{Error, Result};
use crate::store::Entry;

/// One entry, with the move where the caller may see it.
pub struct LogEntry {
    pub entry: Entry,
    pub mv: Option<AnyMove>,
    pub events: Vec<AnyEvent>,
}

/// The entries after a version, oldest first, and whether there are more.
pub async fn log(
    maidan: &Maidan,
    table: &Table,
    first: Option<i32>,
    after: Option<i32>,
) -> Result<(Vec<LogEntry>, bool)> {
    let size = page_size(maidan, first)?;
    let after = after.unwrap_or(0);
    if after < 0 {
        return Err(Error::InvalidInput("after is a version, 0 or more.".into()));
    }
    // No further than the caller's table: what is shown beside the log and the log itself tell the same.
    let mut entries = maidan.store.entries(table.stored.id, after, size as i64 + 1).await?;
    entries.retain(|entry| entry.version <= table.stored.version);
    let has_more = entries.len() > size;
    entries.truncate(size);
    let entries = entries.into_iter().map(|entry| table.read_entry(entry)).collect::<Result<_>>()?;
    Ok((entries, has_more))
}

impl Table {
    /// Open moves are for all, secret ones for their mover, and for all once the game is over.
    pub fn read_entry(&self, entry: Entry) -> Result<LogEntry> {
        let own = self.seat().map(|seat| i16::from(seat.number()));
        let may_see = !entry.is_secret || self.is_over() || entry.seat == own;
        let mv = match &entry.notation {
            Some(notation) if may_see => Some(self.kind.read_move(notation).map_err(|_| {
                // Where it is, not what it says: it may be a secret move.
                tracing::error!(game = %self.stored.id, version = entry.version, "a stored move cannot be read");
                Error::Internal
            })?),
            _ => None,
        };
        let events = self.kind.load_events(entry.events.get())?;
        Ok(LogEntry { entry, mv, events })
    }
}
