//! A game as it is now.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{Error, Result};
use crate::games::{self, Table};
use crate::ids::GameId;
use crate::model::{Caller, Metadata};
use crate::rest::path::GamePath;
use crate::rest::query::Parameters;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{Component, Game};

/// The version that the caller has seen, and how long to wait for a later one.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameParameters {
    /// The version, or the cursor of a stream, that you have seen. If the game still has this version, the response is 304.
    after: Option<String>,
    /// Seconds to wait for a later version before responding with 304, at most 60. Needs `after`.
    #[param(maximum = 60)]
    wait: Option<u32>,
}

/// Get a game, as you may see it
///
/// The ETag changes with every change of the game: send it as If-None-Match to get 304 if nothing has changed. With
/// `after` and `wait`, the request is a long poll: the response comes as soon as the game has a later version.
#[utoipa::path(
    operation_id = "game",
    tag = "games",
    params(
        GamePath, GameParameters,
        ("If-None-Match" = Option<String>, Header, description = "The ETag of the last response. If nothing has changed since, the response is 304.")
    ),
    responses(
        (status = 200, description = "The game.", body = Game, headers(("ETag" = String, description = "The version of the game as you see it."))),
        (status = 304, description = "Nothing has changed.", headers(("ETag" = String, description = "The version of the game as you see it."))),
        InvalidInput, NoSuchGame
    )
)]
#[get("/v1/games/{id}")]
pub async fn one_game(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<GameParameters>,
) -> Result<HttpResponse> {
    let id = path.game()?;
    let table = match parameters {
        GameParameters { after: None, wait: None } => games::game(&maidan, &caller, id).await?,
        GameParameters { after: None, wait: Some(_) } => {
            return Err(Error::InvalidInput("wait needs after: the last version that you have seen.".into()));
        }
        GameParameters { after: Some(after), wait } => {
            let after = after.parse()?;
            let timeout = Duration::from_secs(wait.unwrap_or(0).into());
            match games::wait(&maidan, &caller, id, after, timeout).await? {
                Some(table) => table,
                None => return Ok(HttpResponse::NotModified().insert_header((CACHE_CONTROL, "no-store")).finish()),
            }
        }
    };
    let rematch = games::rematch_of(&maidan, &table).await?;
    let metadata = games::metadata_of(&maidan, &table).await?;
    let etag = etag(&table, rematch, metadata.as_ref());
    let is_known = is_known(&req, &etag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, format!("W/{etag}"))).insert_header((CACHE_CONTROL, "private, no-cache"));
    Ok(if is_known { response.finish() } else { response.json(show::game(&maidan, table).await?) })
}

/// Get the components of a game
///
/// Its cards, dice and other components, as tables. A table that the options of the game gave has `reconstructed` false.
#[utoipa::path(
    operation_id = "components",
    tag = "games",
    params(GamePath),
    responses((status = 200, description = "The tables.", body = Vec<Component>), InvalidInput, NoSuchGame)
)]
#[get("/v1/games/{id}/components")]
pub async fn components(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
) -> Result<Json<Vec<Component>>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    Ok(Json(games::components(&table)?.into_iter().map(Component::from).collect()))
}

/// Whether the client has this version, or any: `If-None-Match: *`.
pub fn is_known(req: &HttpRequest, etag: &str) -> bool {
    let lists = req.headers().get_all(IF_NONE_MATCH).filter_map(|header| header.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// The tag, without `W/`. It is sent as a weak tag: compressed or not, the bytes differ and the tag does not.
///
/// Version, tag and viewer: nothing derived from hidden information. A rematch does not change the version of the game
/// before it, so its id is part of the tag; nor does metadata, whose own tag is.
pub fn etag(table: &Table, rematch: Option<GameId>, metadata: Option<&Metadata>) -> String {
    let seat = match table.seat() {
        Some(seat) => format!(".{seat}"),
        None if table.is_owner() => ".app".into(),
        None => String::new(),
    };
    let metadata = metadata.map(|metadata| format!(".m{}", metadata.tag())).unwrap_or_default();
    let rematch = rematch.map(|next| format!(".{next}")).unwrap_or_default();
    format!("\"{}{seat}{rematch}{metadata}\"", table.game().head())
}
