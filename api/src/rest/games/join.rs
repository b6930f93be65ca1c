//! Games that have not started: joining, leaving, calling off.

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

/// Where you want to sit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinOpenly {
    /// The seat that you want; the first that is open, if left out.
    seat: Option<i32>,
    /// What you add to the game's chance: 1 to 64 visible ASCII characters. Others see it when the game has started.
    client_seed: Option<String>,
}

/// Sit down at a table that you can see
#[utoipa::path(
    operation_id = "joinGame",
    tag = "games",
    params(GamePath),
    request_body = JoinOpenly,
    responses(
        (status = 200, description = "The game; if yours was the last seat, it has started.", body = Game),
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

/// The code of a private game, and where you want to sit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinByCode {
    /// The join code that you were given.
    code: String,
    /// The seat that you want; the first that is open, if left out.
    seat: Option<i32>,
    /// What you add to the game's chance: 1 to 64 visible ASCII characters. Others see it when the game has started.
    client_seed: Option<String>,
}

/// Sit down at a private table by its code
#[utoipa::path(
    operation_id = "joinGameByCode",
    tag = "games",
    request_body = JoinByCode,
    responses(
        (status = 200, description = "The game; if yours was the last seat, it has started.", body = Game),
        InvalidInput, NoSuchCode, CannotJoin, RateLimited
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

/// What you add to a game's chance.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddClientSeed {
    /// 1 to 64 visible ASCII characters, at random. Others see them when the game has started.
    client_seed: String,
}

/// Add to the chance of a game in which you sit and which has not started
#[utoipa::path(
    operation_id = "addClientSeed",
    tag = "games",
    params(GamePath),
    request_body = AddClientSeed,
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
/// If you opened it, it is called off.
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

/// Call a game off
///
/// Its opener may before the start, its app also while it runs.
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
