use std::sync::Arc;

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpResponse, delete, get, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Problem;
use super::body::{Body, Parameters};
use super::games::GamesParameters;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::games;
use crate::wire::{GamePage, Me, Player, Registered, Token, player_id_of};

/// Who is to be registered.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterPlayer {
    /// The name that others see, 1 to 60 characters.
    name: String,
    /// An app's own name for the player. Registering it again changes the name and nothing else.
    external_id: Option<String>,
}

/// Register a player
///
/// An app registers its own with its key. Where guests are welcome, anybody registers and gets a token at once.
#[utoipa::path(
    operation_id = "registerPlayer",
    tag = "players",
    request_body = RegisterPlayer,
    responses(
        (status = 201, description = "The player, and for a guest its token.", body = Registered),
        (status = 401, description = "Guests are not welcome here: UNAUTHENTICATED.", body = Problem),
        (status = 429, description = "Too many registrations: RATE_LIMITED.", body = Problem)
    )
)]
#[post("/v1/players")]
pub async fn register_player(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Body(ask): Body<RegisterPlayer>,
) -> Result<HttpResponse> {
    let (player, issued) = games::register(&maidan, &caller, ask.name, ask.external_id).await?;
    Ok(HttpResponse::Created().json(Registered { player: player.into(), token: issued.map(Token::from) }))
}

/// A player of your app
#[utoipa::path(
    operation_id = "player",
    tag = "players",
    params(("id" = String, Path, description = "The player's id.")),
    responses(
        (status = 200, description = "The player.", body = Player),
        (status = 404, description = "Your app has no such player: NOT_FOUND.", body = Problem)
    )
)]
#[get("/v1/players/{id}")]
pub async fn one_player(maidan: Data<Arc<Maidan>>, caller: Caller, id: Path<String>) -> Result<Json<Player>> {
    let player = games::player(&maidan, &caller, player_id_of(&id)?).await?;
    Ok(Json(player.into()))
}

/// For how long a token is to work.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IssueToken {
    /// After how many seconds it stops working; never, if left out. A token that a player makes for itself never
    /// outlasts the one that it was made with.
    expires_in_seconds: Option<i32>,
}

/// Make a token for a player
///
/// An app does it for its own players; a player for itself.
#[utoipa::path(
    operation_id = "issueToken",
    tag = "players",
    params(("id" = String, Path, description = "The player's id.")),
    request_body = IssueToken,
    responses(
        (status = 201, description = "The token. It is shown this once.", body = Token),
        (status = 403, description = "It is not your player: FORBIDDEN.", body = Problem),
        (status = 404, description = "Your app has no such player: NOT_FOUND.", body = Problem)
    )
)]
#[post("/v1/players/{id}/tokens")]
pub async fn issue_token(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<IssueToken>,
) -> Result<HttpResponse> {
    let issued = games::issue_token(&maidan, &caller, player_id_of(&id)?, ask.expires_in_seconds).await?;
    Ok(HttpResponse::Created().json(Token::from(issued)))
}

/// Take a token out of use
#[utoipa::path(
    operation_id = "revokeToken",
    tag = "players",
    params(
        ("id" = String, Path, description = "The player's id."),
        ("tokenId" = String, Path, description = "The token's id: token_…")
    ),
    responses(
        (status = 204, description = "The token does not work any more."),
        (status = 404, description = "The player has no such token in use: NOT_FOUND.", body = Problem)
    )
)]
#[delete("/v1/players/{id}/tokens/{tokenId}")]
pub async fn revoke_token(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<(String, String)>,
) -> Result<HttpResponse> {
    let (player, token) = path.into_inner();
    let token = token.parse().map_err(|_| Error::NotFound("The player has no such token in use."))?;
    games::revoke_token(&maidan, &caller, player_id_of(&player)?, token).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Who you are, by your token
#[utoipa::path(
    operation_id = "me",
    tag = "players",
    responses(
        (status = 200, description = "The player or the app.", body = Me),
        (status = 401, description = "You sent no token: UNAUTHENTICATED.", body = Problem)
    )
)]
#[get("/v1/me")]
pub async fn me(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<Json<Me>> {
    Ok(Json(games::me(&maidan, &caller).await?.into()))
}

/// Your own games, newest first
#[utoipa::path(
    operation_id = "myGames",
    tag = "players",
    params(GamesParameters),
    responses((status = 200, description = "A page of games.", body = GamePage))
)]
#[get("/v1/me/games")]
pub async fn my_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(parameters): Parameters<GamesParameters>,
) -> Result<Json<GamePage>> {
    let mut ask = parameters.read()?;
    ask.player = Some(caller.player()?.id);
    let page = games::list(&maidan, &caller, ask).await?;
    Ok(Json(GamePage::show(&maidan, page).await?))
}

/// The running games that wait for you, the oldest first
#[utoipa::path(
    operation_id = "inbox",
    tag = "players",
    responses((status = 200, description = "The games.", body = GamePage))
)]
#[get("/v1/me/inbox")]
pub async fn inbox(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<Json<GamePage>> {
    let page = games::inbox(&maidan, &caller).await?;
    Ok(Json(GamePage::show(&maidan, page).await?))
}
