use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, VARY};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::Problem;
use super::body::{Body, Parameters, idempotency_key};
use crate::error::{Error, Result};
use crate::games::{self, JoinGame, PlayMove, Snapshot, Table};
use crate::ids::{GameId, PlayerId};
use crate::model::Caller;
use crate::model::GameFilter;
use crate::service::Maidan;
use crate::wire::{
    Continuations, Explanation, Game, GameCount, GamePage, GameResult, GameStatus, Kind, LegalMoves, LogPage, Moment,
    Move, Options, Played, Time, Visibility, choice, game_id_of, options_of, player_id_of,
};

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
    params(("Idempotency-Key" = Option<String>, Header, description = "A name of your own for this request.")),
    responses(
        (status = 201, description = "The game.", body = Game),
        (status = 400, description = "It cannot be set up so: INVALID_INPUT.", body = Problem),
        (status = 401, description = "You sent no token: UNAUTHENTICATED.", body = Problem),
        (status = 409, description = "The key was used otherwise, CONFLICT, or you hold too many tables, LIMIT_REACHED.", body = Problem)
    )
)]
#[post("/v1/games")]
pub async fn create_game(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    Body(ask): Body<CreateGame>,
) -> Result<HttpResponse> {
    let ask = games::CreateGame {
        options: options_of(ask.kind, ask.options)?,
        seats: ask.seats,
        visibility: ask.visibility.into(),
        seat: ask.seat,
        players: ask.players.map(player_ids).transpose()?,
        key: idempotency_key(&req)?,
        origin: None,
        rematch_of: None,
    };
    let table = games::create(&maidan, &caller, ask).await?;
    let game = show(&maidan, table).await?;
    Ok(HttpResponse::Created().insert_header(("Location", format!("/v1/games/{}", *game.id))).json(game))
}

/// A table as its caller may see it.
pub async fn show(maidan: &Maidan, table: Table) -> Result<Game> {
    let snapshot = Snapshot::of(maidan, table).await?;
    snapshot.prepare()?;
    Ok(snapshot.into())
}

fn player_ids(players: Vec<Option<String>>) -> Result<Vec<Option<PlayerId>>> {
    players.iter().map(|id| id.as_deref().map(player_id_of).transpose()).collect()
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
    params(
        ("id" = String, Path, description = "The finished game's id."),
        ("Idempotency-Key" = Option<String>, Header, description = "A name of your own for this request.")
    ),
    request_body = BranchGame,
    responses(
        (status = 201, description = "The practice game.", body = Game),
        (status = 400, description = "There is no such ply: INVALID_INPUT.", body = Problem),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem),
        (status = 409, description = "It is not over, CONFLICT; or it is over at this ply, GAME_OVER.", body = Problem)
    )
)]
#[post("/v1/games/{id}/branch")]
pub async fn branch_game(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<BranchGame>,
) -> Result<HttpResponse> {
    let ask = games::BranchGame {
        game: game_id_of(&id)?,
        ply: ask.ply,
        visibility: ask.visibility.map(Into::into),
        seat: ask.seat,
        players: ask.players.map(player_ids).transpose()?,
        key: idempotency_key(&req)?,
    };
    let table = games::branch(&maidan, &caller, ask).await?;
    let game = show(&maidan, table).await?;
    Ok(HttpResponse::Created().insert_header(("Location", format!("/v1/games/{}", *game.id))).json(game))
}

/// Parameters that say which games are meant, and perhaps more. Query strings cannot hold one struct within another.
macro_rules! which_games {
    ($(#[$doc:meta])* $Parameters:ident { $($(#[$more_doc:meta])* $more:ident: $More:ty,)* }) => {
        $(#[$doc])*
        #[derive(Deserialize, IntoParams)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $Parameters {
            /// Only games of this kind.
            kind: Option<Kind>,
            /// Only games that stand so.
            status: Option<GameStatus>,
            /// Only games in which this player sits.
            player_id: Option<String>,
            /// Only games in which the player of playerId meets this one.
            opponent_id: Option<String>,
            /// Only games that are over and came to this for the player of playerId.
            result: Option<GameResult>,
            /// Only practice games, or only games that are none.
            practice: Option<bool>,
            /// Only games opened at this time or later.
            created_from: Option<Time>,
            /// Only games opened before this time.
            created_before: Option<Time>,
            /// Only games that ended, or were called off, at this time or later.
            ended_from: Option<Time>,
            /// Only games that ended, or were called off, before this time.
            ended_before: Option<Time>,
            $($(#[$more_doc])* pub $more: $More,)*
        }

        impl $Parameters {
            pub fn read(&self) -> Result<GameFilter> {
                Ok(GameFilter {
                    kind: self.kind.map(domain::Kind::from),
                    status: self.status.map(Into::into),
                    player: self.player_id.as_deref().map(player_id_of).transpose()?,
                    opponent: self.opponent_id.as_deref().map(player_id_of).transpose()?,
                    result: self.result.map(Into::into),
                    is_practice: self.practice,
                    created_from: self.created_from.map(Into::into),
                    created_before: self.created_before.map(Into::into),
                    ended_from: self.ended_from.map(Into::into),
                    ended_before: self.ended_before.map(Into::into),
                })
            }
        }
    };
}

which_games!(
    /// Which games a list shows.
    GamesParameters {
        /// How many, 20 if left out.
        first: Option<i32>,
        /// Where the page before ended: its endCursor.
        after: Option<String>,
    }
);

which_games!(
    /// Which games are counted.
    CountParameters {}
);

/// Games that you may see, newest first
///
/// Public ones of your app and your own; for an app's key, all of its own.
#[utoipa::path(
    operation_id = "games",
    tag = "games",
    params(GamesParameters),
    responses(
        (status = 200, description = "A page of games.", body = GamePage),
        (status = 400, description = "The parameters make no sense: INVALID_INPUT.", body = Problem)
    )
)]
#[get("/v1/games")]
pub async fn list_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(parameters): Parameters<GamesParameters>,
) -> Result<Json<GamePage>> {
    let page = games::list(&maidan, &caller, parameters.read()?, parameters.first, parameters.after).await?;
    page.games.iter().try_for_each(Snapshot::prepare)?;
    Ok(Json(page.into()))
}

/// How many games there are of those that you may see
///
/// Counted up to 10,000: what is more is told as 10,000 that is not exact.
#[utoipa::path(
    operation_id = "gameCount",
    tag = "games",
    params(CountParameters),
    responses(
        (status = 200, description = "The count.", body = GameCount),
        (status = 400, description = "The parameters make no sense: INVALID_INPUT.", body = Problem)
    )
)]
#[get("/v1/games/count")]
pub async fn count_games(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Parameters(parameters): Parameters<CountParameters>,
) -> Result<Json<GameCount>> {
    Ok(Json(games::count(&maidan, &caller, parameters.read()?).await?.into()))
}

/// What you have seen of a game, and how long you will wait for more.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameParameters {
    /// The version that you have seen: 304 if there is no later one.
    after: Option<i32>,
    /// For how many seconds to wait for a later version before answering 304.
    wait: Option<u32>,
}

/// A game as you may see it
///
/// The ETag changes whenever anything does; send it back as If-None-Match and be told 304 if nothing has. With `after`
/// and `wait` the answer comes as soon as the game has a later version.
#[utoipa::path(
    operation_id = "game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id."), GameParameters),
    responses(
        (status = 200, description = "The game.", body = Game),
        (status = 304, description = "Nothing has changed."),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem)
    )
)]
#[get("/v1/games/{id}")]
pub async fn one_game(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    id: Path<String>,
    Parameters(parameters): Parameters<GameParameters>,
) -> Result<HttpResponse> {
    let id = game_id_of(&id)?;
    let table = match parameters {
        GameParameters { after: None, wait: None } => games::game(&maidan, &caller, id).await?,
        GameParameters { after: None, wait: Some(_) } => {
            return Err(Error::InvalidInput("wait needs after: the version that you have seen.".into()));
        }
        GameParameters { after: Some(after), wait } => {
            let patience = Duration::from_secs(wait.unwrap_or(0).into());
            match games::wait(&maidan, &caller, id, after, patience).await? {
                Some(table) => table,
                None => return Ok(HttpResponse::NotModified().insert_header((CACHE_CONTROL, "no-store")).finish()),
            }
        }
    };
    let rematch = games::rematch_of(&maidan, &table).await?;
    let etag = etag(&table, rematch);
    let known = req.headers().get(IF_NONE_MATCH).and_then(|header| header.to_str().ok()).unwrap_or_default();
    // A proxy that compresses marks the tag as weak on its way out.
    let is_known = known.split(',').map(str::trim).any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == etag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((ETAG, etag))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .insert_header((VARY, "Authorization, Maidan-Act-As"));
    Ok(if is_known { response.finish() } else { response.json(show(&maidan, table).await?) })
}

/// Version and viewer, and nothing made from what the viewer may not see. A rematch is no entry of the log of the game
/// before it, so it is named.
fn etag(table: &Table, rematch: Option<GameId>) -> String {
    let seat = table.seat().map(|seat| format!(".{seat}")).unwrap_or_default();
    let rematch = rematch.map(|next| format!(".{next}")).unwrap_or_default();
    format!("\"{}{seat}{rematch}\"", table.game().version)
}

/// Where you want to sit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinOpenly {
    /// The seat that you want; the first that is open, if left out.
    seat: Option<i32>,
    /// What you add to the game's chance: 1 to 64 visible ASCII characters. Others see it when the game has started.
    client_seed: Option<String>,
}

/// Sit down at a table that you can see
#[utoipa::path(
    operation_id = "joinGame",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    request_body = JoinOpenly,
    responses(
        (status = 200, description = "The game; if yours was the last seat, it has started.", body = Game),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem),
        (status = 409, description = "The seat is taken, or the game takes no more players: CONFLICT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/join")]
pub async fn join_game(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<JoinOpenly>,
) -> Result<Json<Game>> {
    let table = games::join(&maidan, &caller, JoinGame::Openly(game_id_of(&id)?), ask.seat, ask.client_seed).await?;
    Ok(Json(show(&maidan, table).await?))
}

/// The code of a private game, and where you want to sit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinByCode {
    /// The join code that you were given.
    code: String,
    /// The seat that you want; the first that is open, if left out.
    seat: Option<i32>,
    /// What you add to the game's chance: 1 to 64 visible ASCII characters. Others see it when the game has started.
    client_seed: Option<String>,
}

/// Sit down at a private table by its code
#[utoipa::path(
    operation_id = "joinGameByCode",
    tag = "games",
    request_body = JoinByCode,
    responses(
        (status = 200, description = "The game; if yours was the last seat, it has started.", body = Game),
        (status = 404, description = "No game has this code: NOT_FOUND.", body = Problem),
        (status = 409, description = "The seat is taken, or the game takes no more players: CONFLICT.", body = Problem),
        (status = 429, description = "Too many wrong codes: RATE_LIMITED.", body = Problem)
    )
)]
#[post("/v1/join")]
pub async fn join_by_code(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    Body(ask): Body<JoinByCode>,
) -> Result<Json<Game>> {
    let table = games::join(&maidan, &caller, JoinGame::ByCode(ask.code), ask.seat, ask.client_seed).await?;
    Ok(Json(show(&maidan, table).await?))
}

/// What you add to a game's chance.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddClientSeed {
    /// 1 to 64 visible ASCII characters, at random. Others see them when the game has started.
    client_seed: String,
}

/// Add to the chance of a game in which you sit and which has not started
#[utoipa::path(
    operation_id = "addClientSeed",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    request_body = AddClientSeed,
    responses(
        (status = 200, description = "The game.", body = Game),
        (status = 400, description = "This can be no seed: INVALID_INPUT.", body = Problem),
        (status = 403, description = "You do not sit there: FORBIDDEN.", body = Problem),
        (status = 409, description = "It has started: CONFLICT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/client-seed")]
pub async fn add_client_seed(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<AddClientSeed>,
) -> Result<Json<Game>> {
    let table = games::add_client_seed(&maidan, &caller, game_id_of(&id)?, ask.client_seed).await?;
    Ok(Json(show(&maidan, table).await?))
}

/// Leave a game that has not started
///
/// If you opened it, it is called off.
#[utoipa::path(
    operation_id = "leaveGame",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    responses(
        (status = 200, description = "The game without you.", body = Game),
        (status = 409, description = "It has started: CONFLICT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/leave")]
pub async fn leave_game(maidan: Data<Arc<Maidan>>, caller: Caller, id: Path<String>) -> Result<Json<Game>> {
    let table = games::leave(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(show(&maidan, table).await?))
}

/// Call a game off
///
/// Its opener may before the start, its app also while it runs.
#[utoipa::path(
    operation_id = "cancelGame",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    responses(
        (status = 200, description = "The game, cancelled.", body = Game),
        (status = 403, description = "It is not yours to cancel: FORBIDDEN.", body = Problem),
        (status = 409, description = "It is over: CONFLICT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/cancel")]
pub async fn cancel_game(maidan: Data<Arc<Maidan>>, caller: Caller, id: Path<String>) -> Result<Json<Game>> {
    let table = games::cancel(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(show(&maidan, table).await?))
}

/// Ask for a rematch of a game that is over and in which you sat
///
/// The same people and options, everybody one seat further on, so that another begins. Who asks first opens it; it
/// starts when all have asked. For an app's key all sit down at once.
#[utoipa::path(
    operation_id = "rematch",
    tag = "games",
    params(("id" = String, Path, description = "The id of the game that is over.")),
    responses(
        (status = 200, description = "The rematch; if you were the last to ask, it has started.", body = Game),
        (status = 403, description = "You did not sit at the table: FORBIDDEN.", body = Problem),
        (status = 409, description = "The game is not over, or a player was deleted: CONFLICT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/rematch")]
pub async fn ask_for_rematch(maidan: Data<Arc<Maidan>>, caller: Caller, id: Path<String>) -> Result<Json<Game>> {
    let table = games::rematch(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(show(&maidan, table).await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalMovesParameters {
    /// How many at the most, 100 if left out.
    limit: Option<i32>,
}

/// The legal moves of your seat
#[utoipa::path(
    operation_id = "legalMoves",
    tag = "games",
    params(("id" = String, Path, description = "The game's id."), LegalMovesParameters),
    responses(
        (status = 200, description = "The moves; none while the game does not wait for you.", body = LegalMoves),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem)
    )
)]
#[get("/v1/games/{id}/legal-moves")]
pub async fn legal_moves(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Parameters(parameters): Parameters<LegalMovesParameters>,
) -> Result<Json<LegalMoves>> {
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    let moves = games::legal_moves(&maidan, &table, parameters.limit)?;
    Ok(Json(LegalMoves::of(&table, moves)))
}

/// A move, in structure or in notation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Explain {
    /// The move in structure.
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
}

/// Whether you may make a move now, and if not, why
#[utoipa::path(
    operation_id = "explain",
    tag = "games",
    params(("id" = String, Path, description = "The game's id.")),
    request_body = Explain,
    responses(
        (status = 200, description = "Whether it is legal, or the rule that it breaks.", body = Explanation),
        (status = 400, description = "This is no move of this kind: INVALID_INPUT.", body = Problem)
    )
)]
#[post("/v1/games/{id}/explain")]
pub async fn explain(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<Explain>,
) -> Result<Json<Explanation>> {
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    let explanation = games::explain(&table, &choice(ask.mv, ask.notation)?)?;
    Ok(Json(explanation.into()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ContinuationsParameters {
    /// The tokens chosen so far, with spaces between them.
    #[serde(default)]
    prefix: String,
}

/// What may follow the tokens of a move that you are building
#[utoipa::path(
    operation_id = "continuations",
    tag = "games",
    params(("id" = String, Path, description = "The game's id."), ContinuationsParameters),
    responses((status = 200, description = "The tokens that may come next.", body = Continuations))
)]
#[get("/v1/games/{id}/continuations")]
pub async fn continuations(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Parameters(parameters): Parameters<ContinuationsParameters>,
) -> Result<Json<Continuations>> {
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    let prefix: Vec<String> = parameters.prefix.split_whitespace().map(String::from).collect();
    Ok(Json(games::continuations(&table, &prefix)?.into()))
}

/// The move that you make, in structure or in notation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayMoveBody {
    /// The move in structure.
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
    /// The version on which you decided. If your present decision opened later, the move is refused as STALE.
    expected_version: Option<i32>,
}

/// Make a move
///
/// It is stored before anybody hears of it, and with an Idempotency-Key it is made once.
#[utoipa::path(
    operation_id = "playMove",
    tag = "games",
    params(
        ("id" = String, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, description = "A name of your own for this request.")
    ),
    request_body = PlayMoveBody,
    responses(
        (status = 200, description = "What came of it, and the game as it is now.", body = Played),
        (status = 409, description = "NOT_YOUR_TURN, GAME_OVER, STALE or CONFLICT.", body = Problem),
        (status = 422, description = "The rules forbid it: ILLEGAL_MOVE with the rule's id.", body = Problem),
        (status = 503, description = "The database is away: UNAVAILABLE. Retry with your key.", body = Problem)
    )
)]
#[post("/v1/games/{id}/moves")]
pub async fn play_move(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    id: Path<String>,
    Body(ask): Body<PlayMoveBody>,
) -> Result<Json<Played>> {
    let ask = PlayMove {
        game: game_id_of(&id)?,
        choice: choice(ask.mv, ask.notation)?,
        expected_version: ask.expected_version,
        key: idempotency_key(&req)?,
    };
    let played = games::play(&maidan, &caller, ask).await?;
    played.game.prepare()?;
    Ok(Json(played.into()))
}

/// Give up your seat in a running game
///
/// What it is to decide from now on is decided at random.
#[utoipa::path(
    operation_id = "resign",
    tag = "games",
    params(
        ("id" = String, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, description = "A name of your own for this request.")
    ),
    responses(
        (status = 200, description = "The game as it is now.", body = Played),
        (status = 409, description = "GAME_OVER, or you have resigned already: NOT_YOUR_TURN.", body = Problem)
    )
)]
#[post("/v1/games/{id}/resign")]
pub async fn resign(
    maidan: Data<Arc<Maidan>>,
    req: HttpRequest,
    caller: Caller,
    id: Path<String>,
) -> Result<Json<Played>> {
    let played = games::resign(&maidan, &caller, game_id_of(&id)?, idempotency_key(&req)?).await?;
    played.game.prepare()?;
    Ok(Json(played.into()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtParameters {
    /// Whose eyes to see it with. All hands are open in a finished game, if left out.
    seat: Option<i32>,
}

/// A game as it was after a ply
///
/// While it goes on you see what you could see then; once it is over, everything, or what a seat saw. In The Mara
/// without notepads past plies are shown as to somebody without a seat until then.
#[utoipa::path(
    operation_id = "at",
    tag = "games",
    params(
        ("id" = String, Path, description = "The game's id."),
        ("ply" = i32, Path, description = "After how many moves; 0 is the beginning."),
        AtParameters
    ),
    responses(
        (status = 200, description = "The game as it was.", body = Moment),
        (status = 400, description = "There is no such ply: INVALID_INPUT.", body = Problem),
        (status = 403, description = "What another seat saw is shown when the game is over: FORBIDDEN.", body = Problem),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem),
        (status = 409, description = "It has not started: CONFLICT.", body = Problem)
    )
)]
#[get("/v1/games/{id}/at/{ply}")]
pub async fn at(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    path: Path<(String, String)>,
    Parameters(parameters): Parameters<AtParameters>,
) -> Result<Json<Moment>> {
    let (id, ply) = path.into_inner();
    let ply = ply.parse().map_err(|_| Error::InvalidInput("The ply is a number, 0 or more.".into()))?;
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(games::at(&maidan, &table, ply, parameters.seat).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogParameters {
    /// How many entries, 20 if left out.
    first: Option<i32>,
    /// Only entries after this version.
    after: Option<i32>,
}

/// The log of a game, oldest entries first
///
/// Open moves are shown to all, secret ones to their mover, and to all once the game is over.
#[utoipa::path(
    operation_id = "log",
    tag = "games",
    params(("id" = String, Path, description = "The game's id."), LogParameters),
    responses(
        (status = 200, description = "A page of entries.", body = LogPage),
        (status = 404, description = "There is no such game that you may see: NOT_FOUND.", body = Problem)
    )
)]
#[get("/v1/games/{id}/log")]
pub async fn log(
    maidan: Data<Arc<Maidan>>,
    caller: Caller,
    id: Path<String>,
    Parameters(parameters): Parameters<LogParameters>,
) -> Result<Json<LogPage>> {
    let table = games::game(&maidan, &caller, game_id_of(&id)?).await?;
    Ok(Json(games::log(&maidan, &table, parameters.first, parameters.after).await?.into()))
}
