//! Joining, leaving and cancelling games.

use std::sync::Arc;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::games::{self, JoinGame};
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::headers::IdempotencyKey;
use crate::rest::path::GamePath;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{ChangedGame, level_of};

/// The seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinOpenly {
    /// The seat to take. Default: the first open seat.
    #[schema(minimum = 0)]
    seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: Option<String>,
}

/// Take a seat in a game that you may see
#[utoipa::path(
    operation_id = "joinGame",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body(content = JoinOpenly, example = json!({ "seat": 1, "clientSeed": "c2d9a6b1f0e47738" })),
    responses(
        (status = 200, description = "The game. It has started if yours was the last seat.", body = ChangedGame),
        InvalidInput, NoSuchGame, CannotJoin, KeyReused
    )
)]
#[post("/v1/games/{id}/join")]
pub async fn join_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
    Body(ask): Body<JoinOpenly>,
) -> Result<HttpResponse> {
    let done =
        games::join(&maidan, &caller, JoinGame::ById(path.game()?), ask.seat, ask.client_seed, key.read()?).await?;
    show::changed(&maidan, done).await
}

/// The join code of a private game, and the seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinByCode {
    /// The join code of the game.
    code: String,
    /// The seat to take. Default: the first open seat.
    #[schema(minimum = 0)]
    seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: Option<String>,
}

/// Take a seat in a private game by its join code
#[utoipa::path(
    operation_id = "joinGameByCode",
    tag = "games",
    params(IdempotencyKey),
    request_body(content = JoinByCode, example = json!({ "code": "K7QW2MZP4A" })),
    responses(
        (status = 200, description = "The game. It has started if yours was the last seat.", body = ChangedGame),
        InvalidInput, NoSuchCode, CannotJoin, KeyReused
    )
)]
#[post("/v1/join")]
pub async fn join_by_code(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    key: IdempotencyKey,
    Body(ask): Body<JoinByCode>,
) -> Result<HttpResponse> {
    let done =
        games::join(&maidan, &caller, JoinGame::ByCode(ask.code), ask.seat, ask.client_seed, key.read()?).await?;
    show::changed(&maidan, done).await
}

/// Your contribution to a game's randomness.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddClientSeed {
    /// 1 to 64 random visible ASCII characters. Others see them once the game has started.
    #[schema(min_length = 1, max_length = 64, pattern = "^[!-~]+$")]
    client_seed: String,
}

/// Contribute to the randomness of a game that has not started
#[utoipa::path(
    operation_id = "addClientSeed",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body(content = AddClientSeed, example = json!({ "clientSeed": "c2d9a6b1f0e47738" })),
    responses(
        (status = 200, description = "The game.", body = ChangedGame),
        InvalidInput, NotSeated, NoSuchGame, HasStarted, KeyReused
    )
)]
#[post("/v1/games/{id}/client-seed")]
pub async fn add_client_seed(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
    Body(ask): Body<AddClientSeed>,
) -> Result<HttpResponse> {
    let done = games::add_client_seed(&maidan, &caller, path.game()?, ask.client_seed, key.read()?).await?;
    show::changed(&maidan, done).await
}

/// The seat that a bot takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeatBot {
    /// The seat. Default: the first open seat.
    #[schema(minimum = 0)]
    seat: Option<i32>,
    /// The level of the bot, from 1, the weakest, to 4.
    #[schema(minimum = 1, maximum = 4)]
    level: i32,
}

/// Give an open seat to a bot
///
/// For the player who opened the game, and for its app. The game starts when its last seat is taken.
#[utoipa::path(
    operation_id = "seatBot",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body(content = SeatBot, example = json!({ "level": 2 })),
    responses(
        (status = 200, description = "The game. It has started if this was the last seat.", body = ChangedGame),
        InvalidInput, NotYourTable, NoSuchGame, CannotSeatBot, KeyReused
    )
)]
#[post("/v1/games/{id}/bots")]
pub async fn seat_bot(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
    Body(ask): Body<SeatBot>,
) -> Result<HttpResponse> {
    let level = level_of(ask.level)?;
    let done = games::seat_bot(&maidan, &caller, path.game()?, ask.seat, level, key.read()?).await?;
    show::changed(&maidan, done).await
}

/// Leave a game that has not started
///
/// If you opened the game, it is cancelled.
#[utoipa::path(
    operation_id = "leaveGame",
    tag = "games",
    params(GamePath, IdempotencyKey),
    responses(
        (status = 200, description = "The game without you.", body = ChangedGame),
        NotSeated, NoSuchGame, HasStarted, KeyReused
    )
)]
#[post("/v1/games/{id}/leave")]
pub async fn leave_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
) -> Result<HttpResponse> {
    let done = games::leave(&maidan, &caller, path.game()?, key.read()?).await?;
    show::changed(&maidan, done).await
}

/// Cancel a game
///
/// The player who opened it may cancel it before the start; its app may cancel it until it is over.
#[utoipa::path(
    operation_id = "cancelGame",
    tag = "games",
    params(GamePath, IdempotencyKey),
    responses(
        (status = 200, description = "The game, cancelled.", body = ChangedGame),
        NotYourGame, NoSuchGame, IsOver, KeyReused
    )
)]
#[post("/v1/games/{id}/cancel")]
pub async fn cancel_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
) -> Result<HttpResponse> {
    let done = games::cancel(&maidan, &caller, path.game()?, key.read()?).await?;
    show::changed(&maidan, done).await
}
