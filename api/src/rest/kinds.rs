//! The kinds of games.

use std::sync::Arc;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpResponse, get};
use serde::Deserialize;
use utoipa::IntoParams;

use super::games::draw::svg;
use super::query::Parameters;
use super::refusals::*;
use crate::error::{Error, Result};
use crate::games::{self, Style};
use crate::model::Caller;
use crate::service::Maidan;
use crate::wire::{Kind, Rulebook, Theme};

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
    games::kinds(&maidan, &caller)?;
    Ok(Json(Rulebook::of(named(&kind)?)))
}

fn named(kind: &str) -> Result<domain::Kind> {
    let known = domain::Kind::ALL.iter().find(|known| known.name() == kind);
    known.copied().ok_or(Error::NotFound("There is no such kind of game."))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StyleParameters {
    /// The colours. Default: LIGHT.
    theme: Option<Theme>,
    /// The width in pixels, 240 to 4096. Narrow pictures have one column. Default: 960.
    #[param(minimum = 240, maximum = 4096)]
    width: Option<i32>,
}

/// Get the cards, dice or board of a kind as a picture
#[utoipa::path(
    operation_id = "kindPicture",
    tag = "kinds",
    params(("kind" = Kind, Path, description = "The kind.", example = "KALAH"), StyleParameters),
    responses(
        (status = 200, description = "The picture.", content_type = "image/svg+xml", body = String),
        InvalidInput, NoSuchKind
    )
)]
#[get("/v1/kinds/{kind}/picture.svg")]
pub async fn kind_picture(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    kind: Path<String>,
    Parameters(parameters): Parameters<StyleParameters>,
) -> Result<HttpResponse> {
    let style = Style::new(parameters.theme.map(Into::into), parameters.width)?;
    let (mut response, picture) = svg(games::kind_picture(&maidan, &caller, named(&kind)?, style)?);
    Ok(response.insert_header((CACHE_CONTROL, "public, max-age=3600")).body(picture))
}
