use std::sync::Arc;

use actix_web::web::{Bytes, Data, Json, Path};
use actix_web::{HttpResponse, get};
use futures_util::stream;

use super::Problem;
use super::body::Parameters;
use super::games::GamesParameters;
use crate::error::{Error, Result};
use crate::games;
use crate::model::Caller;
use crate::service::Maidan;
use crate::wire::{Record, game_id_of};

/// A finished game as one portable document
///
/// Its shape is described by /record.schema.json; `maidan verify` says whether it is true. Who may see the game may see
/// its record.
#[utoipa::path(
    operation_id = "record",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    responses(
        (status = 200, description = "The record.", body = Record),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem),
        (status = 409, description = "It is not over: CONFLICT.", body = Problem)
    )
)]
#[get("/v1/games/{id}/record")]
pub async fn one_record(maidan: Data<Arc<Maidan>>, caller: Caller, id: Path<String>) -> Result<Json<Record>> {
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(Record(games::record(&maidan, &table).await?)))
}

/// Records of your app's finished games, a line each, newest game first
///
/// For an app's key. 1000 if `first` is left out, 10,000 at the most; go on with the last line's gameId as `after`. If
/// something fails on the way, the connection breaks off: a response that came to its end is whole.
#[utoipa::path(
    operation_id = "records",
    tag = "games",
    params(GamesParameters),
    responses(
        (status = 200, description = "Newline-delimited JSON: a record in every line.", content_type = "application/x-ndjson", body = String),
        (status = 400, description = "The parameters make no sense: INVALID_INPUT.", body = Problem),
        (status = 403, description = "You are a player: FORBIDDEN.", body = Problem)
    )
)]
#[get("/v1/records")]
pub async fn records(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(parameters): Parameters<GamesParameters>,
) -> Result<HttpResponse> {
    let filter = parameters.read()?;
    let export = games::export(Arc::clone(&maidan), &caller, filter, parameters.first, parameters.after).await?;
    let lines = stream::try_unfold(export, async |mut export: games::Export| {
        let Some(record) = export.next().await? else { return Ok(None) };
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        Ok::<_, Error>(Some((Bytes::from(line), export)))
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").streaming(lines))
}
