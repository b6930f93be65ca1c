//! A game with everything that a response can show of it.

use super::table::Table;
use crate::error::Result;
use crate::ids::GameId;
use crate::model::{Metadata, Player, Status};
use crate::service::Maidan;

/// A table with the names of its players and its rematch.
pub struct Snapshot {
    pub table: Table,
    /// The players of the table's seats, in no particular order. May include others.
    pub players: Vec<Player>,
    /// The rematch of this game.
    pub rematch: Option<GameId>,
    /// The metadata that the game's app gave to it.
    pub metadata: Option<Metadata>,
    /// Whether to leave out the tables of components that the options may have.
    pub is_brief: bool,
}

impl Snapshot {
    pub async fn of(maidan: &Maidan, table: Table) -> Result<Snapshot> {
        let players = maidan.players(table.game().players().collect()).await?;
        let rematch = rematch_of(maidan, &table).await?;
        let metadata = metadata_of(maidan, &table).await?;
        Ok(Snapshot { table, players, rematch, metadata, is_brief: false })
    }

    /// Snapshots of several tables, with one lookup for all players and one for all rematches.
    pub async fn of_all(maidan: &Maidan, tables: Vec<Table>) -> Result<Vec<Snapshot>> {
        let known = maidan.players(tables.iter().flat_map(|table| table.game().players()).collect()).await?;
        let over = tables.iter().map(Table::game).filter(|game| game.status == Status::Over);
        let rematches = maidan.store.rematches(&over.map(|game| game.id).collect::<Vec<_>>()).await?;
        let metadata = maidan.metadata(tables.iter().map(Table::game)).await?;
        let snapshot = |table: Table| {
            let game = table.game();
            let sits_there = |player: &&Player| game.seat_of(player.id).is_some();
            let players = known.iter().filter(sits_there).cloned().collect();
            let rematch = rematches.iter().find(|(before, _)| *before == game.id).map(|(_, next)| *next);
            let metadata = metadata.iter().find(|(id, _)| *id == game.id).map(|(_, metadata)| metadata.clone());
            Snapshot { table, players, rematch, metadata, is_brief: false }
        };
        Ok(tables.into_iter().map(snapshot).collect())
    }

    /// The same snapshot without tables of components. REST has them where a single game is asked for; in lists and
    /// messages their hash stands for them. In GraphQL a query selects what it wants.
    pub fn brief(self) -> Snapshot {
        Snapshot { is_brief: true, ..self }
    }

    /// Decodes everything that can fail, so that rendering cannot fail.
    pub fn prepare(&self) -> Result<()> {
        self.table.position()?;
        self.table.options()?;
        Ok(())
    }
}

/// The rematch of a finished game.
pub async fn rematch_of(maidan: &Maidan, table: &Table) -> Result<Option<GameId>> {
    match table.game().status {
        Status::Over => Ok(maidan.store.rematches(&[table.game().id]).await?.pop().map(|(_, next)| next)),
        _ => Ok(None),
    }
}

/// The metadata that the game's app gave to it.
pub async fn metadata_of(maidan: &Maidan, table: &Table) -> Result<Option<Metadata>> {
    Ok(maidan.metadata([table.game()].into_iter()).await?.pop().map(|(_, metadata)| metadata))
}
