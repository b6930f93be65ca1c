//! Players, their tokens and their games.

use std::sync::Arc;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpResponse, delete, get, patch, post};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::body::Body;
use super::headers::IdempotencyKey;
use super::paging::Paged;
use super::path::PlayerPath;
use super::query::{GamesParameters, PageParameters, Parameters};
use super::refusals::*;
use super::show;
use crate::error::{Error, Result};
use crate::games::{self, NextDecision};
use crate::ids::{PlayerId, TokenId};
use crate::model::Caller;
use crate::people;
use crate::service::Maidan;
use crate::wire::{
    Decision, GamePage, HeadToHead, IssuedToken, Kind, LegalMoves, Me, Player, PlayerPage, Registered, Statistics,
    TokenPage, excluded, player_id_of,
};

/// The player to register.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterPlayer {
    /// The name that others see, 1 to 60 characters.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// The app's own id for the player, 1 to 120 characters. Registering the same id again only updates the name and,
    /// if given, `isBot`.
    #[schema(min_length = 1, max_length = 120)]
    external_id: Option<String>,
    /// For apps: whether the player is a bot. Default: false, or as before. Everyone sees it.
    is_bot: Option<bool>,
}

/// Register a player
///
/// An app registers its own players with its key. If the server allows guests, anyone can register, and gets a token.
#[utoipa::path(
    operation_id = "registerPlayer",
    tag = "players",
    params(IdempotencyKey),
    request_body(content = RegisterPlayer, example = json!({ "name": "Asha" })),
    responses(
        (status = 201, description = "The player and, for a guest, its token.", body = Registered),
        InvalidInput, NoGuests, KeyReused
    )
)]
#[post("/v1/players")]
pub async fn register_player(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    key: IdempotencyKey,
    Body(ask): Body<RegisterPlayer>,
) -> Result<HttpResponse> {
    let RegisterPlayer { name, external_id, is_bot } = ask;
    let ask = people::RegisterPlayer { name, external_id, is_bot, key: key.read()? };
    let registered = people::register(&maidan, &caller, ask).await?;
    let repeated = registered.repeated;
    Ok(show::answer(HttpResponse::Created(), repeated, &Registered::seen_by(&caller, registered)))
}

/// Get a player of your app
#[utoipa::path(
    operation_id = "player",
    tag = "players",
    params(PlayerPath),
    responses((status = 200, description = "The player.", body = Player), NoSuchPlayer)
)]
#[get("/v1/players/{id}")]
pub async fn one_player(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<PlayerPath>) -> Result<Json<Player>> {
    let player = people::player(&maidan, &caller, path.player()?).await?;
    Ok(Json(Player::seen_by(&caller, player)))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayersParameters {
    /// Only the player with this external id.
    #[param(min_length = 1, max_length = 120)]
    external_id: Option<String>,
    /// Page size, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    first: Option<i32>,
    /// The endCursor of the previous page.
    after: Option<String>,
}

/// The players of your app, newest first
///
/// For an app's key.
#[utoipa::path(
    operation_id = "players",
    tag = "players",
    params(PlayersParameters),
    responses(
        (status = 200, description = "A page of players.", body = PlayerPage),
        InvalidInput, Unauthenticated, AppsOnly
    )
)]
#[get("/v1/players")]
pub async fn all_players(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(asked): Parameters<PlayersParameters>,
) -> Result<Paged<PlayerPage>> {
    let PlayersParameters { external_id, first, after } = asked;
    let (players, has_more) = people::players(&maidan, &caller, external_id, first, after.as_deref()).await?;
    let items: Vec<Player> = players.into_iter().map(|player| Player::seen_by(&caller, player)).collect();
    Ok(Paged(PlayerPage { end_cursor: items.last().map(|player| player.id.to_string()), items, has_more }))
}

/// The values to change. A value that is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdatePlayer {
    /// The new name that others see, 1 to 60 characters.
    #[schema(min_length = 1, max_length = 60)]
    name: Option<String>,
    /// For apps: whether the player is a bot. Everyone sees it.
    is_bot: Option<bool>,
}

/// Rename a player, or mark it as a bot
///
/// A guest renames itself; an app renames its players, and says which of them are bots.
#[utoipa::path(
    operation_id = "updatePlayer",
    tag = "players",
    params(PlayerPath),
    request_body(content = UpdatePlayer, example = json!({ "name": "Asha the Great" })),
    responses((status = 200, description = "The player.", body = Player), InvalidInput, NotYourPlayer, NoSuchPlayer)
)]
#[patch("/v1/players/{id}")]
pub async fn update_player(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<PlayerPath>,
    Body(ask): Body<UpdatePlayer>,
) -> Result<Json<Player>> {
    let player = people::update(&maidan, &caller, path.player()?, ask.name, ask.is_bot).await?;
    Ok(Json(Player::seen_by(&caller, player)))
}

/// Delete a player
///
/// An app deletes its own players; a player deletes itself. The name, external id and tokens are deleted immediately.
/// The player resigns its running games and leaves those that have not started; games that it opened are cancelled. Its
/// games stay readable, with an anonymous player in its seat.
#[utoipa::path(
    operation_id = "deletePlayer",
    tag = "players",
    params(PlayerPath),
    responses((status = 204, description = "The player is deleted."), NotYourPlayer, NoSuchPlayer)
)]
#[delete("/v1/players/{id}")]
pub async fn delete_player(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<PlayerPath>) -> Result<HttpResponse> {
    people::delete_player(&maidan, &caller, path.player()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StatisticsParameters {
    /// Only this kind.
    kind: Option<Kind>,
    /// Whether to count the games in which a bot had a seat, instead of the others.
    #[serde(default)]
    #[param(required = false, default = false)]
    with_bots: bool,
}

/// Get the results of a player, by kind
///
/// They count the finished games that you may see, except practice games. Games with bots are counted separately.
#[utoipa::path(
    operation_id = "statistics",
    tag = "players",
    params(PlayerPath, StatisticsParameters),
    responses(
        (status = 200, description = "The results in each kind that the player has played.", body = Vec<Statistics>),
        InvalidInput, NoSuchPlayer
    )
)]
#[get("/v1/players/{id}/statistics")]
pub async fn statistics(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<PlayerPath>,
    Parameters(parameters): Parameters<StatisticsParameters>,
) -> Result<Json<Vec<Statistics>>> {
    let StatisticsParameters { kind, with_bots } = parameters;
    let tallies = people::statistics(&maidan, &caller, path.player()?, kind.map(Into::into), with_bots).await?;
    Ok(Json(tallies.into_iter().map(Statistics::from).collect()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
pub struct HeadToHeadPath {
    /// The player whose results are returned.
    #[param(value_type = PlayerId)]
    id: String,
    /// The opponent.
    #[param(value_type = PlayerId)]
    opponent_id: String,
}

/// Get the results of two players against each other, by kind
///
/// They count the finished games that you may see, except practice games. Games with bots are counted separately.
#[utoipa::path(
    operation_id = "headToHead",
    tag = "players",
    params(HeadToHeadPath, StatisticsParameters),
    responses(
        (status = 200, description = "The results in each kind that they have played together.", body = Vec<HeadToHead>),
        InvalidInput, NoSuchPlayer
    )
)]
#[get("/v1/players/{id}/head-to-head/{opponentId}")]
pub async fn head_to_head(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<HeadToHeadPath>,
    Parameters(parameters): Parameters<StatisticsParameters>,
) -> Result<Json<Vec<HeadToHead>>> {
    let (player, opponent) = (player_id_of(&path.id)?, player_id_of(&path.opponent_id)?);
    let StatisticsParameters { kind, with_bots } = parameters;
    let meetings = people::head_to_head(&maidan, &caller, player, opponent, kind.map(Into::into), with_bots).await?;
    Ok(Json(meetings.into_iter().map(HeadToHead::from).collect()))
}

/// The token to issue.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IssueToken {
    /// Lifetime in seconds. Default: the token never expires. A token that a player issues for itself expires no later
    /// than the token of the request.
    #[schema(minimum = 1)]
    expires_in_seconds: Option<i32>,
}

/// Issue a token for a player
///
/// An app issues tokens for its own players; a player for itself.
#[utoipa::path(
    operation_id = "issueToken",
    tag = "players",
    params(PlayerPath, IdempotencyKey),
    request_body(content = IssueToken, example = json!({ "expiresInSeconds": 3600 })),
    responses(
        (status = 201, description = "The token. Its secret is shown only this once.", body = IssuedToken),
        InvalidInput, NotYourPlayer, NoSuchPlayer, KeyReused
    )
)]
#[post("/v1/players/{id}/tokens")]
pub async fn issue_token(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<PlayerPath>,
    key: IdempotencyKey,
    Body(ask): Body<IssueToken>,
) -> Result<HttpResponse> {
    let (player, key) = (path.player()?, key.read()?);
    let issued = people::issue_token(&maidan, &caller, player, ask.expires_in_seconds, key.as_deref()).await?;
    let repeated = issued.repeated;
    Ok(show::answer(HttpResponse::Created(), repeated, &IssuedToken { object: issued.into(), repeated }))
}

/// List the active tokens of a player, newest first
///
/// For the player and its app. The secrets are shown only when tokens are issued.
#[utoipa::path(
    operation_id = "tokens",
    tag = "players",
    params(PlayerPath, PageParameters),
    responses(
        (status = 200, description = "A page of tokens.", body = TokenPage),
        InvalidInput, NotYourPlayer, NoSuchPlayer
    )
)]
#[get("/v1/players/{id}/tokens")]
pub async fn tokens(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<PlayerPath>,
    Parameters(page): Parameters<PageParameters>,
) -> Result<Paged<TokenPage>> {
    Ok(Paged(people::tokens(&maidan, &caller, path.player()?, page.first, page.after.as_deref()).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
pub struct TokenPath {
    /// The player's id.
    #[param(value_type = PlayerId)]
    id: String,
    /// The token's id: token_…
    #[param(value_type = TokenId)]
    token_id: String,
}

/// Revoke a token, and all tokens that were issued with it
#[utoipa::path(
    operation_id = "revokeToken",
    tag = "players",
    params(TokenPath),
    responses((status = 204, description = "The token is revoked."), NoSuchToken)
)]
#[delete("/v1/players/{id}/tokens/{tokenId}")]
pub async fn revoke_token(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<TokenPath>) -> Result<HttpResponse> {
    let token = path.token_id.parse().map_err(|_| Error::NotFound("The player has no active token with this id."))?;
    people::revoke_token(&maidan, &caller, player_id_of(&path.id)?, token).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Revoke all tokens of a player
///
/// For the player and its app. Also revokes the token of this request.
#[utoipa::path(
    operation_id = "revokeTokens",
    tag = "players",
    params(PlayerPath),
    responses((status = 204, description = "The tokens are revoked."), NotYourPlayer, NoSuchPlayer)
)]
#[delete("/v1/players/{id}/tokens")]
pub async fn revoke_tokens(maidan: Data<Arc<Maidan>>, caller: Caller, path: Path<PlayerPath>) -> Result<HttpResponse> {
    people::revoke_tokens(&maidan, &caller, path.player()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Get the player or app that your token identifies
#[utoipa::path(
    operation_id = "me",
    tag = "players",
    responses((status = 200, description = "The player or the app.", body = Me))
)]
#[get("/v1/me")]
pub async fn me(maidan: Data<Arc<Maidan>>, caller: Caller) -> Result<Json<Me>> {
    Ok(Json(people::me(&maidan, &caller).await?.into()))
}

/// List your own games, newest first
#[utoipa::path(
    operation_id = "myGames",
    tag = "players",
    params(GamesParameters),
    responses((status = 200, description = "A page of games.", body = GamePage), InvalidInput)
)]
#[get("/v1/me/games")]
pub async fn my_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    GamesParameters { filter, page }: GamesParameters,
) -> Result<Paged<GamePage>> {
    let mut which = filter.read()?;
    which.player = Some(caller.player()?.id);
    let page = games::list(&maidan, &caller, which, page.first, page.after.as_deref()).await?;
    show::page(page)
}

/// List the running games that wait for your decision, oldest first
#[utoipa::path(
    operation_id = "inbox",
    tag = "players",
    params(PageParameters),
    responses((status = 200, description = "A page of games.", body = GamePage), InvalidInput)
)]
#[get("/v1/me/inbox")]
pub async fn inbox(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(page): Parameters<PageParameters>,
) -> Result<Paged<GamePage>> {
    let page = games::inbox(&maidan, &caller, page.first, page.after.as_deref()).await?;
    show::page(page)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NextDecisionParameters {
    /// Seconds to wait for a decision before responding with 204, at most 60. Default: 0.
    #[param(minimum = 0, maximum = 60)]
    wait: Option<i32>,
    /// Most legal moves to return, 1 to 1000. Default: 100.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i32>,
    /// Ids of games to skip, separated by commas, at most 100: games in which you cannot or will not decide now.
    #[serde(default)]
    exclude: String,
}

/// Get the decision that has waited for you the longest
///
/// The response is the game with your legal moves: all that a bot needs to move. With `wait`, the request is a long
/// poll: the response comes as soon as a game waits for you, and a request that waits counts as a stream. Until you have
/// moved, the same decision comes again.
#[utoipa::path(
    operation_id = "nextDecision",
    tag = "players",
    params(NextDecisionParameters),
    responses(
        (status = 200, description = "The game, and your legal moves.", body = Decision),
        (status = 204, description = "No game waits for you."),
        InvalidInput, TooManyStreams
    )
)]
#[get("/v1/me/next")]
pub async fn next_decision(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(parameters): Parameters<NextDecisionParameters>,
) -> Result<HttpResponse> {
    let NextDecisionParameters { wait, limit, exclude } = parameters;
    // Checked at once, not only after the wait.
    games::check_limit(&maidan, limit)?;
    let exclude = excluded(exclude.split(',').filter(|id| !id.is_empty()))?;
    let Some(table) = games::next_decision(&maidan, &caller, &NextDecision { wait, exclude }).await? else {
        return Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish());
    };
    let legal_moves = LegalMoves::of(&table, games::legal_moves(&maidan, &table, limit)?);
    let game = show::game(&maidan, table).await?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(Decision { game, legal_moves }))
}
