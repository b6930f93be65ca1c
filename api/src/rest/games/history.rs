//! A game's past: its log, and the game as it was.

use std::sync::Arc;

use actix_web::get;
use actix_web::web::{Data, Json, Path};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{Error, Result};
use crate::games;
use crate::ids::GameId;
use crate::model::Caller;
use crate::rest::paging::Paged;
use crate::rest::path::GamePath;
use crate::rest::query::Parameters;
use crate::rest::refusals::*;
use crate::service::Maidan;
use crate::wire::{LogPage, Moment, game_id_of};

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogParameters {
    /// Page size, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    first: Option<i32>,
    /// Only entries after this version.
    #[param(minimum = 0)]
    after: Option<i32>,
}

/// List the log of a game, oldest entry first
///
/// Everyone sees open moves. Secret moves are visible to their player, and to everyone once the game is over.
#[utoipa::path(
    operation_id = "log",
    tag = "games",
    params(GamePath, LogParameters),
    responses((status = 200, description = "A page of entries.", body = LogPage), InvalidInput, NoSuchGame)
)]
#[get("/v1/games/{id}/log")]
pub async fn log(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<LogParameters>,
) -> Result<Paged<LogPage>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    Ok(Paged(games::log(&maidan, &table, parameters.first, parameters.after).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PlyPath {
    /// The game's id.
    #[param(value_type = GameId)]
    id: String,
    /// The number of moves made; 0 is the initial position.
    #[param(value_type = i32, minimum = 0, example = 0)]
    ply: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtParameters {
    /// View as this seat: your own, or any seat when the game is over. Default: your own; everything when the game is
    /// over.
    #[param(minimum = 0)]
    pub seat: Option<i32>,
}

impl PlyPath {
    pub fn game(&self) -> Result<GameId> {
        game_id_of(&self.id)
    }

    pub fn ply(&self) -> Result<i32> {
        self.ply.parse().map_err(|_| Error::InvalidInput("The ply must be a number, 0 or more.".into()))
    }
}

/// Get a game as it was after a ply
///
/// While the game runs, you see what you could see at that ply. When it is over, you see everything, or what one seat
/// saw. In The Mara without notepads, past plies of a running game are shown as spectators saw them.
#[utoipa::path(
    operation_id = "at",
    tag = "games",
    params(PlyPath, AtParameters),
    responses(
        (status = 200, description = "The game after that ply.", body = Moment),
        InvalidInput, NotYourSeat, NoSuchGame, NotStarted
    )
)]
#[get("/v1/games/{id}/at/{ply}")]
pub async fn at(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<PlyPath>,
    Parameters(parameters): Parameters<AtParameters>,
) -> Result<Json<Moment>> {
    let ply = path.ply()?;
    let table = games::game(&maidan, &caller, path.game()?).await?;
    Ok(Json(games::at(&maidan, &caller, &table, ply, parameters.seat).await?.into()))
}
