//! Legal moves, and making one.

use std::sync::Arc;

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpResponse, get, post};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::Result;
use crate::games::{self, PlayMove};
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::headers::IdempotencyKey;
use crate::rest::path::GamePath;
use crate::rest::query::Parameters;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{Continuations, Explanation, LegalMoves, Move, Played, choice};

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalMovesParameters {
    /// Most moves to return, 1 to 1000. Default: 100.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i32>,
}

/// List the legal moves of your seat
#[utoipa::path(
    operation_id = "legalMoves",
    tag = "games",
    params(GamePath, LegalMovesParameters),
    responses(
        (status = 200, description = "The moves. Empty while the game does not wait for you.", body = LegalMoves),
        InvalidInput, NoSuchGame
    )
)]
#[get("/v1/games/{id}/legal-moves")]
pub async fn legal_moves(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<LegalMovesParameters>,
) -> Result<Json<LegalMoves>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    let moves = games::legal_moves(&maidan, &table, parameters.limit)?;
    Ok(Json(LegalMoves::of(&table, moves)))
}

/// The move to explain: either `move` or `notation`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(min_properties = 1)]
pub struct Explain {
    /// The move as an object.
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
}

/// Explain whether a move is legal now, and if not, why
#[utoipa::path(
    operation_id = "explain",
    tag = "games",
    params(GamePath),
    request_body(content = Explain, example = json!({ "notation": "2" })),
    responses(
        (status = 200, description = "Whether the move is legal, or the rule that it breaks.", body = Explanation),
        InvalidInput, NotSeated, NoSuchGame
    )
)]
#[post("/v1/games/{id}/explain")]
pub async fn explain(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Body(ask): Body<Explain>,
) -> Result<Json<Explanation>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    let explanation = games::explain(&table, &choice(ask.mv, ask.notation)?)?;
    Ok(Json(explanation.into()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ContinuationsParameters {
    /// The tokens chosen so far, separated by spaces.
    #[serde(default)]
    prefix: String,
}

/// List the tokens that may follow those of an incomplete move
#[utoipa::path(
    operation_id = "continuations",
    tag = "games",
    params(GamePath, ContinuationsParameters),
    responses(
        (status = 200, description = "The tokens that may come next.", body = Continuations),
        InvalidInput, NotSeated, NoSuchGame
    )
)]
#[get("/v1/games/{id}/continuations")]
pub async fn continuations(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    Parameters(parameters): Parameters<ContinuationsParameters>,
) -> Result<Json<Continuations>> {
    let table = games::game(&maidan, &caller, path.game()?).await?;
    let prefix: Vec<String> = parameters.prefix.split_whitespace().map(String::from).collect();
    Ok(Json(games::continuations(&table, &prefix)?.into()))
}

/// The move to make: either `move` or `notation`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(min_properties = 1)]
pub struct PlayMoveBody {
    /// The move as an object.
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
    /// The version that you decided on. If your current decision opened after it, the move is refused as STALE.
    #[schema(minimum = 0)]
    expected_version: Option<i32>,
}

/// Make a move
///
/// The move is stored before anyone is notified. With an Idempotency-Key, retries are safe.
#[utoipa::path(
    operation_id = "playMove",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body(content = PlayMoveBody, example = json!({ "move": { "kalah": { "pocket": 2 } } })),
    responses(
        (status = 200, description = "The events of the move, and the current game.", body = Played),
        InvalidInput, NotSeated, NoSuchGame, CannotPlay, IllegalMove
    )
)]
#[post("/v1/games/{id}/moves")]
pub async fn play_move(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
    Body(ask): Body<PlayMoveBody>,
) -> Result<HttpResponse> {
    let ask = PlayMove {
        game: path.game()?,
        choice: choice(ask.mv, ask.notation)?,
        expected_version: ask.expected_version,
        key: key.read()?,
    };
    let played = games::play(&maidan, &caller, ask).await?;
    show::played(played)
}

/// Resign a running game
///
/// From then on, a bot of the game's `standInLevel` plays for your seat.
#[utoipa::path(
    operation_id = "resign",
    tag = "games",
    params(GamePath, IdempotencyKey),
    responses(
        (status = 200, description = "The current game.", body = Played),
        InvalidInput, NotSeated, NoSuchGame, CannotResign, KeyReused
    )
)]
#[post("/v1/games/{id}/resign")]
pub async fn resign(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
) -> Result<HttpResponse> {
    let played = games::resign(&maidan, &caller, path.game()?, key.read()?).await?;
    show::played(played)
}
