//! The metadata that an app gives to its games: an external id and a JSON object.

use serde_json::{Map, Value};

use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{Caller, Metadata, MetadataChange};
use crate::service::Maidan;
use crate::store::StoreError;

/// The most bytes of metadata, as JSON.
pub const MOST_METADATA: usize = 4096;

/// A request to change the metadata of a game. `None` keeps a value, `Some(None)` removes it.
pub struct UpdateGame {
    pub game: GameId,
    pub external_id: Option<Option<String>>,
    pub metadata: Option<Option<Map<String, Value>>>,
}

/// Replaces external id and metadata of a game. For the game's app.
pub async fn update(maidan: &Maidan, caller: &Caller, ask: UpdateGame) -> Result<Table> {
    maidan.rates.charge(caller, Cost::Request)?;
    let change = MetadataChange {
        external_id: ask.external_id.map(|id| id.map(|id| checked_external_id(&id)).transpose()).transpose()?,
        json: ask.metadata.map(|metadata| metadata.as_ref().map(checked_json).transpose()).transpose()?,
    };
    let table = Table::find(maidan, caller, ask.game).await?;
    if !table.is_owner() {
        return Err(Error::Forbidden("Only the game's app may change its externalId and metadata."));
    }
    let game = table.game();
    if change != MetadataChange::default() {
        maidan.store.change_metadata(game.id, game.app, &change).await.map_err(taken)?;
        maidan.forget_metadata(game.id);
    }
    Ok(table)
}

/// The metadata of a game that an app opens.
pub(super) fn of_new_game(
    caller: &Caller,
    external_id: Option<&str>,
    metadata: Option<&Map<String, Value>>,
) -> Result<Option<Metadata>> {
    if external_id.is_none() && metadata.is_none() {
        return Ok(None);
    }
    if !caller.is_app() {
        return Err(Error::Forbidden("Only an app may give a game an externalId or metadata."));
    }
    let external_id = external_id.map(checked_external_id).transpose()?;
    Ok(Some(Metadata { external_id, json: metadata.map(checked_json).transpose()?, revision: 1 }))
}

/// The refusal of an external id that another game has.
pub(super) fn taken(error: StoreError) -> Error {
    match error {
        StoreError::Taken(_) => Error::Conflict("Another game of your app has this externalId.".into()),
        error => error.into(),
    }
}

/// Reads an app's own id of a player or a game.
pub fn checked_external_id(id: &str) -> Result<String> {
    checked_text("externalId", id, 120)
}

/// Trims a text and checks its length and characters.
pub fn checked_text(what: &str, text: &str, most: usize) -> Result<String> {
    let text = text.trim().to_string();
    let length = text.chars().count();
    if !(1..=most).contains(&length) || text.chars().any(char::is_control) {
        return Err(Error::InvalidInput(format!(
            "{what} must have 1 to {most} characters, none of them a control character."
        )));
    }
    Ok(text)
}

fn checked_json(metadata: &Map<String, Value>) -> Result<String> {
    let json = serde_json::to_string(metadata)?;
    if json.len() > MOST_METADATA {
        let length = json.len();
        return Err(Error::InvalidInput(format!(
            "metadata must have at most {MOST_METADATA} bytes as JSON, not {length}."
        )));
    }
    Ok(json)
}
