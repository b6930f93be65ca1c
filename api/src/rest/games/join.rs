//! Joining, leaving and cancelling games.

use std::sync::Arc;

use actix_web::post;
use actix_web::web::{Data, Json, Path};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::games::{self, JoinGame};
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::path::GamePath;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::Game;

/// The seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinOpenly {
    /// The seat to take. Default: the first open seat.
    #[schema(minimum = 0)]
    seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: Option<String>,
}

/// Take a seat in a game that you may see
#[utoipa::path(
    operation_id = "joinGame",
    tag = "games",
    params(GamePath),
    request_body(content = JoinOpenly, example = json!({ "seat": 1, "clientSeed": "c2d9a6b1f0e47738" })),
    responses(
        (status = 200, description = "The game. It has started if yours was the last seat.", body = Game),
        InvalidInput, NoSuchGame, CannotJoin
    )
)]
#[post("/v1/games/{id}/join")]
pub async fn join_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Body(ask): Body<JoinOpenly>,
) -> Result<Json<Game>> {
    let table = games::join(&maidan, &caller, JoinGame::ById(path.game()?), ask.seat, ask.client_seed).await?;
    Ok(Json(show::game(&maidan, table).await?))
}

/// The join code of a private game, and the seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinByCode {
    /// The join code of the game.
    code: String,
    /// The seat to take. Default: the first open seat.
    #[schema(minimum = 0)]
    seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: Option<String>,
}

/// Take a seat in a private game by its join code
#[utoipa::path(
    operation_id = "joinGameByCode",
    tag = "games",
    request_body(content = JoinByCode, example = json!({ "code": "K7QW2MZP4A" })),
    responses(
        (status = 200, description = "The game. It has started if yours was the last seat.", body = Game),
        InvalidInput, NoSuchCode, CannotJoin
    )
)]
#[post("/v1/join")]
pub async fn join_by_code(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Body(ask): Body<JoinByCode>,
) -> Result<Json<Game>> {
    let table = games::join(&maidan, &caller, JoinGame::ByCode(ask.code), ask.seat, ask.client_seed).await?;
    Ok(Json(show::game(&maidan, table).await?))
}

/// Your contribution to a game's randomness.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddClientSeed {
    /// 1 to 64 random visible ASCII characters. Others see them once the game has started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: String,
}

/// Contribute to the randomness of a game that has not started
#[utoipa::path(
    operation_id = "addClientSeed",
    tag = "games",
    params(GamePath),
    request_body(content = AddClientSeed, example = json!({ "clientSeed": "c2d9a6b1f0e47738" })),
    responses((status = 200, description = "The game.", body = Game), InvalidInput, NotSeated, NoSuchGame, HasStarted)
)]
#[post("/v1/games/{id}/client-seed")]
pub async fn add_client_seed(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Body(ask): Body<AddClientSeed>,
) -> Result<Json<Game>> {
    let table = games::add_client_seed(&maidan, &caller, path.game()?, ask.client_seed).await?;
    Ok(Json(show::game(&maidan, table).await?))
}

/// Leave a game that has not started
///
/// If you opened the game, it is cancelled.
#[utoipa::path(
    operation_id = "leaveGame",
    tag = "games",
    params(GamePath),
    responses((status = 200, description = "The game without you.", body = Game), NotSeated, NoSuchGame, HasStarted)
)]
#[post("/v1/games/{id}/leave")]
pub async fn leave_game(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<GamePath>) -> Result<Json<Game>> {
    let table = games::leave(&maidan, &caller, path.game()?).await?;
    Ok(Json(show::game(&maidan, table).await?))
}

/// Cancel a game
///
/// The player who opened it may cancel it before the start; its app may cancel it until it is over.
#[utoipa::path(
    operation_id = "cancelGame",
    tag = "games",
    params(GamePath),
    responses((status = 200, description = "The game, cancelled.", body = Game), NotYourGame, NoSuchGame, IsOver)
)]
#[post("/v1/games/{id}/cancel")]
pub async fn cancel_game(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<GamePath>) -> Result<Json<Game>> {
    let table = games::cancel(&maidan, &caller, path.game()?).await?;
    Ok(Json(show::game(&maidan, table).await?))
}
