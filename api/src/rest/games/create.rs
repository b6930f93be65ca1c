//! Opening games: new ones, rematches, branches.

use std::sync::Arc;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::games;
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::headers::IdempotencyKey;
use crate::rest::path::GamePath;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{
    BotSettingsInput, ChangedGame, Kind, Metadata, Options, SeatInput, Visibility, bot_settings_of, options_of,
    seats_of,
};

/// The game to open.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateGame {
    /// The kind of game.
    kind: Kind,
    /// The options. Default: those of the kind's rulebook.
    options: Option<Options>,
    /// The seats in order, one element per seat. Default: the fewest seats of the kind; a player takes the first, an
    /// app leaves all open. If all seats are taken, the game starts immediately.
    seats: Option<Vec<SeatInput>>,
    /// The visibility of the game: it decides who may see and join it.
    #[serde(default)]
    visibility: Visibility,
    /// The settings of the game's bots.
    bots: Option<BotSettingsInput>,
    /// For apps: your own id of the game, unique within your app, 1 to 120 characters.
    #[schema(min_length = 1, max_length = 120)]
    external_id: Option<String>,
    /// For apps: your own JSON about the game, shown to everyone who may see the game.
    metadata: Option<Metadata>,
}

/// Open a game
///
/// The game starts when its last seat is taken. With an Idempotency-Key, a retry returns the same game.
#[utoipa::path(
    operation_id = "createGame",
    tag = "games",
    request_body(content = CreateGame, example = json!({ "kind": "KALAH", "options": { "kalah": { "pockets": 6, "seedsPerPocket": 4 } } })),
    params(IdempotencyKey),
    responses((status = 201, description = "The game.", body = ChangedGame, headers(("Location" = String, description = "The address of the game."))), InvalidInput, CannotCreate, KeyReused)
)]
#[post("/v1/games")]
pub async fn create_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    key: IdempotencyKey,
    Body(ask): Body<CreateGame>,
) -> Result<HttpResponse> {
    let ask = games::CreateGame {
        options: options_of(ask.kind, ask.options)?,
        rules_version: None,
        seats: seats_of(ask.seats)?,
        visibility: ask.visibility.into(),
        bots: bot_settings_of(ask.bots.as_ref())?,
        key: key.read()?,
        external_id: ask.external_id,
        metadata: ask.metadata.map(|Metadata(fields)| fields),
        origin: None,
        rematch_of: None,
    };
    let done = games::create(&maidan, &caller, ask).await?;
    show::created(&maidan, done).await
}

/// The position to continue from.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BranchGame {
    /// The ply to continue after.
    ply: i32,
    /// The visibility of the new game. Default: as the original game. A branch of a private game must be private.
    visibility: Option<Visibility>,
    /// The seats in order, as many as the original game has. Default: a player takes the first, an app leaves all
    /// open. If all seats are taken, the game starts immediately.
    seats: Option<Vec<SeatInput>>,
    /// The settings of the game's bots.
    bots: Option<BotSettingsInput>,
}

/// Open a practice game from a position of a finished game
///
/// The new game has a new seed. Everything that at least one seat knew is kept; everything that nobody knew is drawn
/// again at random. The game starts when its last seat is taken. With an Idempotency-Key, a retry returns the same
/// game.
#[utoipa::path(
    operation_id = "branchGame",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body(content = BranchGame, example = json!({ "ply": 2 })),
    responses((status = 201, description = "The practice game.", body = ChangedGame, headers(("Location" = String, description = "The address of the game."))), InvalidInput, NoSuchGame, CannotBranch, KeyReused)
)]
#[post("/v1/games/{id}/branch")]
pub async fn branch_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
    Body(ask): Body<BranchGame>,
) -> Result<HttpResponse> {
    let ask = games::BranchGame {
        game: path.game()?,
        ply: ask.ply,
        visibility: ask.visibility.map(Into::into),
        seats: seats_of(ask.seats)?,
        bots: bot_settings_of(ask.bots.as_ref())?,
        key: key.read()?,
    };
    let done = games::branch(&maidan, &caller, ask).await?;
    show::created(&maidan, done).await
}

/// Ask for a rematch of a finished game in which you had a seat
///
/// The same players and options, the newest rules, and everyone one seat further on, so that another player starts. The
/// first request opens the rematch; it starts when all players have asked. With an app's key, it starts immediately.
#[utoipa::path(
    operation_id = "rematch",
    tag = "games",
    params(GamePath, IdempotencyKey),
    responses(
        (status = 200, description = "The rematch. It has started if you were the last to ask.", body = ChangedGame),
        NotSeated, NoSuchGame, CannotRematch, KeyReused
    )
)]
#[post("/v1/games/{id}/rematch")]
pub async fn ask_for_rematch(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<GamePath>,
    key: IdempotencyKey,
) -> Result<HttpResponse> {
    let done = games::rematch(&maidan, &caller, path.game()?, key.read()?).await?;
    show::changed(&maidan, done).await
}
