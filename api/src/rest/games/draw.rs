//! A game as a picture and as plain text.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get};
use serde::Deserialize;
use utoipa::IntoParams;

use super::history::{AtParameters, PlyPath};
use super::look::{etag, is_known};
use crate::error::Result;
use crate::games::{self, Moment, Style, Table};
use crate::model::Caller;
use crate::rest::path::GamePath;
use crate::rest::query::Parameters;
use crate::rest::refusals::*;
use crate::service::Maidan;
use crate::wire::Theme;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PictureParameters {
    /// View as this seat: your own, or any seat when the game is over. Default: your own; everything when the game is
    /// over.
    #[param(minimum = 0)]
    seat: Option<i32>,
    /// The colours. Default: LIGHT.
    theme: Option<Theme>,
    /// The width in pixels, 240 to 4096. Narrow pictures have one column. Default: 960.
    #[param(minimum = 240, maximum = 4096)]
    width: Option<i32>,
}

impl PictureParameters {
    fn style(&self) -> Result<Style> {
        Style::new(self.theme.map(Into::into), self.width)
    }
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

impl StyleParameters {
    pub fn style(&self) -> Result<Style> {
        Style::new(self.theme.map(Into::into), self.width)
    }
}

/// Get a game as a picture, as you may see it
///
/// Everything that a move can name has `data-token`, the token of the notation, and a title. Ids name places and the
/// index of a piece there, so that a client can animate from one picture to the next.
#[utoipa::path(
    operation_id = "picture",
    tag = "games",
    params(GamePath, PictureParameters),
    responses(
        (status = 200, description = "The picture.", content_type = "image/svg+xml", body = String, headers(("ETag" = String, description = "The version of the game as you see it."))),
        (status = 304, description = "Nothing has changed."),
        InvalidInput, NotYourSeat, NoSuchGame, NotStarted
    )
)]
#[get("/v1/games/{id}/picture.svg")]
pub async fn picture(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<PictureParameters>,
) -> Result<HttpResponse> {
    let style = parameters.style()?;
    let table = games::game(&maidan, &caller, path.game()?).await?;
    unless_known(&req, &table, async |table| {
        games::now(&maidan, &caller, table, parameters.seat).await.map(|moment| svg(moment.picture(style)))
    })
    .await
}

/// Get the components of a game as a picture
///
/// Its cards, dice or board with a legend: those of its own tables, if its options gave some.
#[utoipa::path(
    operation_id = "componentsPicture",
    tag = "games",
    params(GamePath, StyleParameters),
    responses(
        (status = 200, description = "The picture.", content_type = "image/svg+xml", body = String),
        InvalidInput, NoSuchGame
    )
)]
#[get("/v1/games/{id}/components.svg")]
pub async fn components_picture(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<StyleParameters>,
) -> Result<HttpResponse> {
    let style = parameters.style()?;
    let table = games::game(&maidan, &caller, path.game()?).await?;
    let (mut response, drawn) = svg(games::components_picture(&table, style)?);
    Ok(response.insert_header((CACHE_CONTROL, "private, max-age=3600")).body(drawn))
}

/// Get a game as plain text, as you may see it
///
/// For terminals, screen readers and language models.
#[utoipa::path(
    operation_id = "text",
    tag = "games",
    params(GamePath, AtParameters),
    responses(
        (status = 200, description = "The text.", content_type = "text/plain", body = String, headers(("ETag" = String, description = "The version of the game as you see it."))),
        (status = 304, description = "Nothing has changed."),
        InvalidInput, NotYourSeat, NoSuchGame, NotStarted
    )
)]
#[get("/v1/games/{id}/text")]
pub async fn text(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<AtParameters>,
) -> Result<HttpResponse> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    unless_known(&req, &table, async |table| {
        games::now(&maidan, &caller, table, parameters.seat).await.map(|moment| plain(&moment))
    })
    .await
}

/// Get a game as a picture, as it was after a ply
#[utoipa::path(
    operation_id = "pictureAt",
    tag = "games",
    params(PlyPath, PictureParameters),
    responses(
        (status = 200, description = "The picture.", content_type = "image/svg+xml", body = String, headers(("ETag" = String, description = "The version of the game as you see it."))),
        (status = 304, description = "Nothing has changed."),
        InvalidInput, NotYourSeat, NoSuchGame, NotStarted
    )
)]
#[get("/v1/games/{id}/at/{ply}/picture.svg")]
pub async fn picture_at(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    path: Path<PlyPath>,
    Parameters(parameters): Parameters<PictureParameters>,
) -> Result<HttpResponse> {
    let (style, ply) = (parameters.style()?, path.ply()?);
    let table = games::game(&maidan, &caller, path.game()?).await?;
    unless_known(&req, &table, async |table| {
        games::at(&maidan, &caller, table, ply, parameters.seat).await.map(|moment| svg(moment.picture(style)))
    })
    .await
}

/// Get a game as plain text, as it was after a ply
#[utoipa::path(
    operation_id = "textAt",
    tag = "games",
    params(PlyPath, AtParameters),
    responses(
        (status = 200, description = "The text.", content_type = "text/plain", body = String, headers(("ETag" = String, description = "The version of the game as you see it."))),
        (status = 304, description = "Nothing has changed."),
        InvalidInput, NotYourSeat, NoSuchGame, NotStarted
    )
)]
#[get("/v1/games/{id}/at/{ply}/text")]
pub async fn text_at(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    path: Path<PlyPath>,
    Parameters(parameters): Parameters<AtParameters>,
) -> Result<HttpResponse> {
    let ply = path.ply()?;
    let table = games::game(&maidan, &caller, path.game()?).await?;
    unless_known(&req, &table, async |table| {
        games::at(&maidan, &caller, table, ply, parameters.seat).await.map(|moment| plain(&moment))
    })
    .await
}

/// A drawing of the game, or 304 if the client has this version. The address names seat, theme and width, so the tag
/// need not.
async fn unless_known(
    req: &HttpRequest,
    table: &Table,
    draw: impl AsyncFnOnce(&Table) -> Result<(HttpResponseBuilder, String)>,
) -> Result<HttpResponse> {
    let tag = etag(table, None, None);
    let (mut response, body) = if is_known(req, &tag) {
        (HttpResponse::NotModified(), None)
    } else {
        draw(table).await.map(|(response, body)| (response, Some(body)))?
    };
    response.insert_header((ETAG, format!("W/{tag}"))).insert_header((CACHE_CONTROL, "private, no-cache"));
    Ok(match body {
        Some(body) => response.body(body),
        None => response.finish(),
    })
}

/// A picture. Opened by itself it may load nothing and run nothing.
pub fn svg(drawn: String) -> (HttpResponseBuilder, String) {
    let mut response = HttpResponse::Ok();
    response.content_type("image/svg+xml").insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"));
    (response, drawn)
}

fn plain(moment: &Moment) -> (HttpResponseBuilder, String) {
    let mut response = HttpResponse::Ok();
    response.content_type("text/plain; charset=utf-8");
    (response, moment.text())
}
