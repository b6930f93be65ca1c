//! Lists of games.

use std::sync::Arc;

use actix_web::get;
use actix_web::web::{Data, Json};

use crate::error::Result;
use crate::games;
use crate::model::Caller;
use crate::rest::paging::Paged;
use crate::rest::query::{GamesParameters, Parameters};
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{GameCount, GamePage, GamesFilter};

/// List the games that you may see, newest first
///
/// Your own games and your app's public ones. With an app's key: all games of the app.
#[utoipa::path(
    operation_id = "games",
    tag = "games",
    params(GamesParameters),
    responses((status = 200, description = "A page of games.", body = GamePage), InvalidInput)
)]
#[get("/v1/games")]
pub async fn list_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    GamesParameters { filter, page }: GamesParameters,
) -> Result<Paged<GamePage>> {
    let page = games::list(&maidan, &caller, filter.read()?, page.first, page.after.as_deref()).await?;
    show::page(page)
}

/// Count the games that you may see
///
/// Counts stop at 10,000; then `isExact` is false.
#[utoipa::path(
    operation_id = "gameCount",
    tag = "games",
    params(GamesFilter),
    responses((status = 200, description = "The count.", body = GameCount), InvalidInput)
)]
#[get("/v1/games/count")]
pub async fn count_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(filter): Parameters<GamesFilter>,
) -> Result<Json<GameCount>> {
    Ok(Json(games::count(&maidan, &caller, filter.read()?).await?.into()))
}
