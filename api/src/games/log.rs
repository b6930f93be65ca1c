//! The log of a game, as the caller may read it.

use domain::AnyMove;

use super::list::page_size;
use super::table::Table;
use crate::error::{Error, Result};
use crate::model::{Entry, Version};
use crate::service::Maidan;

/// An entry, with its move if the caller may see it.
pub struct LogEntry {
    pub entry: Entry,
    pub mv: Option<AnyMove>,
}

/// The entries after a version, oldest first, and whether there are more.
pub async fn log(
    maidan: &Maidan,
    table: &Table,
    first: Option<i32>,
    after: Option<i32>,
) -> Result<(Vec<LogEntry>, bool)> {
    let size = page_size(maidan, first)?;
    let after = Version(after.unwrap_or(0));
    if after.0 < 0 {
        return Err(Error::InvalidInput("after must be a version, 0 or more.".into()));
    }
    let game = table.game();
    let mut entries = maidan.store.entries(game.id, game.kind, after, i64::from(size) + 1).await?;
    // Not beyond the version of the table: a response shows one version.
    entries.retain(|entry| entry.version <= game.version);
    let has_more = entries.len() > usize::from(size);
    entries.truncate(size.into());
    let entries = entries.into_iter().map(|entry| table.read_entry(entry)).collect::<Result<_>>()?;
    Ok((entries, has_more))
}

impl Table {
    /// Adds the move that the caller may see. Secret moves are visible only to their player until the game is over.
    pub fn read_entry(&self, entry: Entry) -> Result<LogEntry> {
        let may_see = !entry.is_secret || self.is_over() || (entry.seat.is_some() && entry.seat == self.seat());
        let mv = match &entry.notation {
            Some(notation) if may_see => Some(self.game().kind.read_move(notation).map_err(|_| {
                // Logs the version, not the notation: the move may be secret.
                tracing::error!(game = %self.game().id, version = %entry.version, "failed to read a stored move");
                Error::Internal
            })?),
            _ => None,
        };
        Ok(LogEntry { entry, mv })
    }
}
