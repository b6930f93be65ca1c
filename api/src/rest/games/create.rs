//! Opening games: new ones, rematches, branches.

use std::sync::Arc;

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::games::{self, Table};
use crate::ids::PlayerId;
use crate::model::Caller;
use crate::rest::body::Body;
use crate::rest::headers::IdempotencyKey;
use crate::rest::path::GamePath;
use crate::rest::refusals::*;
use crate::rest::show;
use crate::service::Maidan;
use crate::wire::{Game, Kind, Options, Visibility, options_of, player_id_of};

/// How a game is opened.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateGame {
    /// Which game.
    kind: Kind,
    /// How it is set up; by default as the kind's rulebook says.
    options: Option<Options>,
    /// How many seats; the fewest that the kind allows, if left out.
    seats: Option<i32>,
    /// Who may find it.
    #[serde(default)]
    visibility: Visibility,
    /// The seat that you take, 0 if left out. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to be seated, in seat order; null leaves a seat open. A full table starts at once.
    players: Option<Vec<Option<String>>>,
}

/// Open a game
///
/// It starts when its last seat is taken. With an Idempotency-Key, a retry gives the same game.
#[utoipa::path(
    operation_id = "createGame",
    tag = "games",
    request_body = CreateGame,
    params(IdempotencyKey),
    responses((status = 201, description = "The game.", body = Game), InvalidInput, Unauthenticated, CannotCreate)
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
        seats: ask.seats,
        visibility: ask.visibility.into(),
        seat: ask.seat,
        players: ask.players.map(player_ids).transpose()?,
        key: key.read()?,
        origin: None,
        rematch_of: None,
    };
    let table = games::create(&maidan, &caller, ask).await?;
    created(&maidan, table).await
}

/// The position from which you want to go on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BranchGame {
    /// After which ply of the game.
    ply: i32,
    /// Who may find the new game; as the old one, if left out. A branch of a private game is private.
    visibility: Option<Visibility>,
    /// The seat that you take, 0 if left out. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to be seated, in seat order; null leaves a seat open. A full table starts at once.
    players: Option<Vec<Option<String>>>,
}

/// Go on, for practice, from a position of a finished game
///
/// The new game has a new seed. What any seat knew stays, what nobody knew is drawn anew. It starts when its last seat is
/// taken. With an Idempotency-Key, a retry gives the same game.
#[utoipa::path(
    operation_id = "branchGame",
    tag = "games",
    params(GamePath, IdempotencyKey),
    request_body = BranchGame,
    responses((status = 201, description = "The practice game.", body = Game), InvalidInput, NoSuchGame, CannotBranch)
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
        seat: ask.seat,
        players: ask.players.map(player_ids).transpose()?,
        key: key.read()?,
    };
    let table = games::branch(&maidan, &caller, ask).await?;
    created(&maidan, table).await
}

/// Ask for a rematch of a game that is over and in which you sat
///
/// The same people and options, the newest rules, everybody one seat further on, so that another begins. Who asks first
/// opens it; it starts when all have asked. For an app's key all sit down at once.
#[utoipa::path(
    operation_id = "rematch",
    tag = "games",
    params(GamePath),
    responses(
        (status = 200, description = "The rematch; if you were the last to ask, it has started.", body = Game),
        NotSeated, NoSuchGame, CannotRematch
    )
)]
#[post("/v1/games/{id}/rematch")]
pub async fn ask_for_rematch(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<GamePath>) -> Result<Json<Game>> {
    let table = games::rematch(&maidan, &caller, path.game()?).await?;
    Ok(Json(show::game(&maidan, table).await?))
}

async fn created(maidan: &Maidan, table: Table) -> Result<HttpResponse> {
    let game = show::game(maidan, table).await?;
    Ok(HttpResponse::Created().insert_header(("Location", format!("/v1/games/{}", *game.id))).json(game))
}

fn player_ids(players: Vec<Option<String>>) -> Result<Vec<Option<PlayerId>>> {
    players.iter().map(|id| id.as_deref().map(player_id_of).transpose()).collect()
}
