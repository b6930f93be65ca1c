//! The metadata that an app gives to its games.

use std::sync::Arc;

use actix_web::patch;
use actix_web::web::{Data, Json, Path};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::error::Result;
use crate::games;
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::path::GamePath;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{Game, Metadata};

/// The values to change. A field that is left out keeps its value; null removes it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateGame {
    /// Your own id of the game, unique within your app, 1 to 120 characters.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 120)]
    external_id: Option<Option<String>>,
    /// Your own JSON about the game, shown to everyone who may see the game. It replaces the former JSON.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Metadata>)]
    metadata: Option<Option<Metadata>>,
}

/// Tells null from a field that is left out.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> std::result::Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Change your own id and JSON of a game
///
/// For the game's app. The version of the game stays the same, and nobody is notified.
#[utoipa::path(
    operation_id = "updateGame",
    tag = "games",
    params(GamePath),
    request_body(content = UpdateGame, example = json!({ "externalId": "match-7", "metadata": { "round": 3 } })),
    responses(
        (status = 200, description = "The current game.", body = Game),
        InvalidInput, AppsOnly, NoSuchGame, ExternalIdTaken
    )
)]
#[patch("/v1/games/{id}")]
pub async fn update_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Body(ask): Body<UpdateGame>,
) -> Result<Json<Game>> {
    let metadata = ask.metadata.map(|metadata| metadata.map(|Metadata(fields)| fields));
    let ask = games::UpdateGame { game: path.game()?, external_id: ask.external_id, metadata };
    let table = games::update(&maidan, &caller, ask).await?;
    Ok(Json(show::game(&maidan, table).await?))
}
