//! Records of finished games.

use std::sync::Arc;

use actix_web::web::{Bytes, Data, Json, Path};
use actix_web::{HttpResponse, get};
use futures_util::stream;
use utoipa::IntoParams;

use super::path::GamePath;
use super::query::GamesParameters;
use super::refusals::*;
use crate::error::{Error, Result};
use crate::games;
use crate::model::Caller;
use crate::service::Maidan;
use crate::wire::{GamesFilter, Record};

/// Get a finished game as one portable document
///
/// /record.schema.json describes the document; `maidan verify` checks it. Everyone who may see the game may see its
/// record.
#[utoipa::path(
    operation_id = "record",
    tag = "games",
    params(GamePath),
    responses((status = 200, description = "The record.", body = Record), NoSuchGame, NotOver)
)]
#[get("/v1/games/{id}/record")]
pub async fn one_record(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<GamePath>) -> Result<Json<Record>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    Ok(Json(Record(games::record(&maidan, &caller, &table).await?)))
}

/// The part of an export. [`GamesParameters`] reads it; this describes it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described")]
struct ExportParameters {
    /// The number of records, 1 to 10,000. Default: 1000.
    #[param(minimum = 1, maximum = 10_000)]
    first: Option<i32>,
    /// The gameId of the last line of the previous export.
    after: Option<String>,
}

/// Export the records of your app's finished games, newest game first
///
/// Needs an app's key. If the export fails, the connection is aborted: a response that ends normally is complete.
#[utoipa::path(
    operation_id = "records",
    tag = "games",
    params(GamesFilter, ExportParameters),
    responses(
        (status = 200, description = "Newline-delimited JSON: one record per line.", content_type = "application/x-ndjson", body = String),
        InvalidInput, AppsOnly
    )
)]
#[get("/v1/records")]
pub async fn records(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    GamesParameters { filter, page }: GamesParameters,
) -> Result<HttpResponse> {
    let export = games::export(Arc::clone(&maidan), &caller, filter.read()?, page.first, page.after).await?;
    let lines = stream::try_unfold(export, async |mut export: games::Export| {
        let Some(record) = export.next().await? else { return Ok(None) };
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        Ok::<_, Error>(Some((Bytes::from(line), export)))
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").streaming(lines))
}
