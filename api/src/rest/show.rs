//! Responses with games. Everything that can fail is decoded before the response is written.

use actix_web::web::Json;

use super::paging::Paged;
use crate::error::Result;
use crate::games::{self, Page, Snapshot, Table};
use crate::service::Maidan;
use crate::wire::{Game, GamePage, Played};

/// A table as its caller may see it.
pub async fn game(maidan: &Maidan, table: Table) -> Result<Game> {
    let snapshot = Snapshot::of(maidan, table).await?;
    snapshot.prepare()?;
    Ok(snapshot.into())
}

pub fn page(page: Page) -> Result<Paged<GamePage>> {
    page.games.iter().try_for_each(Snapshot::prepare)?;
    Ok(Paged(page.into()))
}

pub fn played(played: games::Played) -> Result<Json<Played>> {
    played.game.prepare()?;
    Ok(Json(played.into()))
}
