//! The kinds of games.

use std::sync::{Arc, LazyLock};

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};

use super::games::draw::{StyleParameters, svg};
use super::query::Parameters;
use super::refusals::*;
use crate::error::{Error, Result};
use crate::games;
use crate::model::Caller;
use crate::public::Document;
use crate::service::Maidan;
use crate::wire::{Kind, Rulebook};

/// List all kinds of games
///
/// With their seats, options, components, boards and every version of their rules.
#[utoipa::path(
    operation_id = "kinds",
    tag = "kinds",
    responses(
        (status = 200, description = "The kinds.", body = Vec<Rulebook>),
        (status = 304, description = "Nothing has changed.")
    )
)]
#[get("/v1/kinds")]
pub async fn all_kinds(maidan: Data<Arc<Maidan>>, req: HttpRequest, caller: Caller) -> Result<HttpResponse> {
    games::kinds(&maidan, &caller)?;
    Ok(ALL.answer(&req))
}

/// All kinds, and each of them.
static ALL: LazyLock<Document> =
    LazyLock::new(|| Document::json(&domain::Kind::ALL.iter().map(|kind| Rulebook::of(*kind)).collect::<Vec<_>>()));
static EACH: LazyLock<Vec<(domain::Kind, Document)>> =
    LazyLock::new(|| domain::Kind::ALL.iter().map(|kind| (*kind, Document::json(&Rulebook::of(*kind)))).collect());

/// Get one kind of game
#[utoipa::path(
    operation_id = "kind",
    tag = "kinds",
    params(("kind" = Kind, Path, description = "The kind.", example = "KALAH")),
    responses(
        (status = 200, description = "The kind.", body = Rulebook),
        (status = 304, description = "Nothing has changed."),
        NoSuchKind
    )
)]
#[get("/v1/kinds/{kind}")]
pub async fn one_kind(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    kind: Path<String>,
) -> Result<HttpResponse> {
    games::kinds(&maidan, &caller)?;
    let kind = named(&kind)?;
    let document = EACH.iter().find(|(known, _)| *known == kind).map(|(_, document)| document);
    Ok(document.ok_or(Error::Internal)?.answer(&req))
}

fn named(kind: &str) -> Result<domain::Kind> {
    let known = domain::Kind::ALL.iter().find(|known| known.name() == kind);
    known.copied().ok_or(Error::NotFound("There is no such kind of game."))
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
    let style = parameters.style()?;
    let (mut response, picture) = svg(games::kind_picture(&maidan, &caller, named(&kind)?, style)?);
    Ok(response.insert_header((CACHE_CONTROL, "public, max-age=3600")).body(picture))
}
