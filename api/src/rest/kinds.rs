//! The kinds of games.

use std::sync::Arc;

use actix_web::get;
use actix_web::web::{Data, Json, Path};

use super::refusals::*;
use crate::error::{Error, Result};
use crate::games;
use crate::model::Caller;
use crate::service::Maidan;
use crate::wire::{Kind, Rulebook};

/// List all kinds of games
///
/// With their seats, options, components, boards and every version of their rules.
#[utoipa::path(
    operation_id = "kinds",
    tag = "kinds",
    responses((status = 200, description = "The kinds.", body = Vec<Rulebook>))
)]
#[get("/v1/kinds")]
pub async fn all_kinds(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<Json<Vec<Rulebook>>> {
    let kinds = games::kinds(&maidan, &caller)?;
    Ok(Json(kinds.iter().map(|kind| Rulebook::of(*kind)).collect()))
}

/// Get one kind of game
#[utoipa::path(
    operation_id = "kind",
    tag = "kinds",
    params(("kind" = Kind, Path, description = "The kind.", example = "KALAH")),
    responses((status = 200, description = "The kind.", body = Rulebook), NoSuchKind)
)]
#[get("/v1/kinds/{kind}")]
pub async fn one_kind(maidan: Data<Arc<Maidan>>, caller: Caller, kind: Path<String>) -> Result<Json<Rulebook>> {
    let known = games::kinds(&maidan, &caller)?.iter().find(|known| known.name() == kind.as_str());
    known.map(|kind| Json(Rulebook::of(*kind))).ok_or(Error::NotFound("There is no such kind of game."))
}
