//! The mutations.

use async_graphql::{Context, ID, InputObject, Object, Result};

use super::{Coded, service};
use crate::auth;
use crate::error::Error;
use crate::games::{self, JoinGame, PlayMove, Snapshot, Table};
use crate::ids::PlayerId;
use crate::people;
use crate::service::Maidan;
use crate::wire::{
    Game, Kind, Move, Options, Played, Registered, StreamTicket, Token, Visibility, choice, game_id_of, options_of,
    player_id_of,
};

pub struct Mutation;

/// The player to register.
#[derive(InputObject)]
pub struct RegisterPlayerInput {
    /// The name that others see, 1 to 60 characters.
    name: String,
    /// The app's own id for the player. Registering the same id again only updates the name.
    external_id: Option<String>,
}

/// The token to issue.
#[derive(InputObject)]
pub struct IssueTokenInput {
    /// The player.
    player_id: ID,
    /// Lifetime in seconds. Default: the token never expires. A token that a player issues for itself expires no later
    /// than the token of the request.
    expires_in_seconds: Option<i32>,
}

/// The token to revoke.
#[derive(InputObject)]
pub struct RevokeTokenInput {
    /// The player who owns the token.
    player_id: ID,
    /// The token's id: token_…
    token_id: ID,
}

/// The game to open.
#[derive(InputObject)]
pub struct CreateGameInput {
    /// The kind of game.
    kind: Kind,
    /// The options. Default: those of the kind's rulebook.
    options: Option<Options>,
    /// The number of seats. Default: the fewest that the kind allows.
    seats: Option<i32>,
    /// Who may see and join the game.
    #[graphql(default_with = "Visibility::Public")]
    visibility: Visibility,
    /// The seat that you take. Default: 0. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to seat, in seat order; null leaves a seat open. If all seats are taken, the game starts
    /// immediately.
    players: Option<Vec<Option<ID>>>,
    /// Idempotency key: repeating a request with the same key returns the original game.
    idempotency_key: Option<String>,
}

/// The position to continue from.
#[derive(InputObject)]
pub struct BranchGameInput {
    /// A finished game that you may see.
    game_id: ID,
    /// The ply to continue after.
    ply: i32,
    /// Who may see and join the new game. Default: as the original game. A branch of a private game must be private.
    visibility: Option<Visibility>,
    /// The seat that you take. Default: 0. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to seat, in seat order; null leaves a seat open. If all seats are taken, the game starts
    /// immediately.
    players: Option<Vec<Option<ID>>>,
    /// Idempotency key: repeating a request with the same key returns the original game.
    idempotency_key: Option<String>,
}

/// The game to join: pass either `gameId` or `code`.
#[derive(InputObject)]
pub struct JoinGameInput {
    /// A game that you may see.
    game_id: Option<ID>,
    /// The join code of a private game.
    code: Option<String>,
    /// The seat to take. Default: the first open seat.
    seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    client_seed: Option<String>,
}

/// Your contribution to a game's randomness.
#[derive(InputObject)]
pub struct AddClientSeedInput {
    /// The game.
    game_id: ID,
    /// 1 to 64 random visible ASCII characters. Others see them once the game has started.
    client_seed: String,
}

/// The move to make: pass either `move` or `notation`.
#[derive(InputObject)]
pub struct PlayMoveInput {
    /// The game.
    game_id: ID,
    /// The move as an object.
    #[graphql(name = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
    /// The version that you decided on. If your current decision opened after it, the move is refused as STALE.
    expected_version: Option<i32>,
    /// Idempotency key: repeating a request with the same key does not execute it again, and returns the original
    /// version and events.
    idempotency_key: Option<String>,
}

/// The game to resign.
#[derive(InputObject)]
pub struct ResignInput {
    /// The game.
    game_id: ID,
    /// Idempotency key: repeating a request with the same key does not execute it again, and returns the original
    /// version and events.
    idempotency_key: Option<String>,
}

/// Everything that changes something.
#[Object]
impl Mutation {
    /// Registers a player. An app registers its own players. If the server allows guests, anyone can register, and gets
    /// a token.
    async fn register_player(&self, ctx: &Context<'_>, input: RegisterPlayerInput) -> Result<Registered> {
        let (maidan, caller) = service(ctx)?;
        let (player, issued) = people::register(maidan, caller, input.name, input.external_id).await.coded()?;
        Ok(Registered { player: player.into(), token: issued.map(Token::from) })
    }

    /// Issues a token for a player of your app, or another token for yourself.
    async fn issue_token(&self, ctx: &Context<'_>, input: IssueTokenInput) -> Result<Token> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&input.player_id).coded()?;
        people::issue_token(maidan, caller, player, input.expires_in_seconds).await.map(Token::from).coded()
    }

    /// Revokes a token and returns its id.
    async fn revoke_token(&self, ctx: &Context<'_>, input: RevokeTokenInput) -> Result<ID> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&input.player_id).coded()?;
        let token = input
            .token_id
            .parse()
            .map_err(|_| Error::NotFound("The player has no active token with this id."))
            .coded()?;
        people::revoke_token(maidan, caller, player, token).await.coded()?;
        Ok(input.token_id)
    }

    /// Issues a single-use ticket that opens one stream as you, for clients that cannot send headers when they open a
    /// stream.
    async fn create_stream_ticket(&self, ctx: &Context<'_>) -> Result<StreamTicket> {
        let (maidan, caller) = service(ctx)?;
        auth::issue_ticket(maidan, caller).await.map(StreamTicket::from).coded()
    }

    /// Deletes a player of your app, or yourself, and returns the id. Its name, external id and tokens are deleted
    /// immediately. It resigns its running games and leaves those that have not started; games that it opened are
    /// cancelled. Its games stay readable, with an anonymous player in its seat.
    async fn delete_player(&self, ctx: &Context<'_>, #[graphql(desc = "The player's id.")] id: ID) -> Result<ID> {
        let (maidan, caller) = service(ctx)?;
        people::delete_player(maidan, caller, player_id_of(&id).coded()?).await.coded()?;
        Ok(id)
    }

    /// Opens a game. The game starts when its last seat is taken.
    async fn create_game(&self, ctx: &Context<'_>, input: CreateGameInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let ask = games::CreateGame {
            options: options_of(input.kind, input.options).coded()?,
            rules_version: None,
            seats: input.seats,
            visibility: input.visibility.into(),
            seat: input.seat,
            players: input.players.map(player_ids).transpose().coded()?,
            key: input.idempotency_key,
            origin: None,
            rematch_of: None,
        };
        let table = games::create(maidan, caller, ask).await.coded()?;
        show(maidan, table).await
    }

    /// Opens a practice game that continues from a position of a finished game, with a new seed. Everything that at
    /// least one seat knew is kept; everything that nobody knew is drawn again at random.
    async fn branch_game(&self, ctx: &Context<'_>, input: BranchGameInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let ask = games::BranchGame {
            game: game_id_of(&input.game_id).coded()?,
            ply: input.ply,
            visibility: input.visibility.map(Into::into),
            seat: input.seat,
            players: input.players.map(player_ids).transpose().coded()?,
            key: input.idempotency_key,
        };
        let table = games::branch(maidan, caller, ask).await.coded()?;
        show(maidan, table).await
    }

    /// Takes a seat in a game.
    async fn join_game(&self, ctx: &Context<'_>, input: JoinGameInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let how = match (input.game_id, input.code) {
            (Some(id), None) => JoinGame::ById(game_id_of(&id).coded()?),
            (None, Some(code)) => JoinGame::ByCode(code),
            _ => return Err(Error::InvalidInput("Pass either gameId or code.".into())).coded(),
        };
        let table = games::join(maidan, caller, how, input.seat, input.client_seed).await.coded()?;
        show(maidan, table).await
    }

    /// Contributes to the randomness of a game in which you have a seat and that has not started.
    async fn add_client_seed(&self, ctx: &Context<'_>, input: AddClientSeedInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let table = games::add_client_seed(maidan, caller, id, input.client_seed).await.coded()?;
        show(maidan, table).await
    }

    /// Leaves a game that has not started. If you opened the game, it is cancelled.
    async fn leave_game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::leave(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Cancels a game. The player who opened it may cancel it before the start; its app may cancel it until it is over.
    async fn cancel_game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::cancel(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Asks for a rematch of a finished game in which you had a seat: the same players and options, the newest rules,
    /// and everyone one seat further on, so that another player starts. The first request opens the rematch; it starts
    /// when all players have asked. With an app's key, it starts immediately.
    async fn rematch(&self, ctx: &Context<'_>, #[graphql(desc = "The finished game's id.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::rematch(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Makes a move. The move is stored before anyone is notified. With an idempotency key, retries are safe.
    async fn play_move(&self, ctx: &Context<'_>, input: PlayMoveInput) -> Result<Played> {
        let (maidan, caller) = service(ctx)?;
        let ask = PlayMove {
            game: game_id_of(&input.game_id).coded()?,
            choice: choice(input.mv, input.notation).coded()?,
            expected_version: input.expected_version,
            key: input.idempotency_key,
        };
        games::play(maidan, caller, ask).await.map(Played::from).coded()
    }

    /// Resigns a running game. From then on, your seat's decisions are made at random.
    async fn resign(&self, ctx: &Context<'_>, input: ResignInput) -> Result<Played> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        games::resign(maidan, caller, id, input.idempotency_key).await.map(Played::from).coded()
    }
}

/// A table as its caller may see it.
async fn show(maidan: &Maidan, table: Table) -> Result<Game> {
    Snapshot::of(maidan, table).await.map(Game::from).coded()
}

fn player_ids(players: Vec<Option<ID>>) -> crate::error::Result<Vec<Option<PlayerId>>> {
    players.iter().map(|id| id.as_ref().map(|id| player_id_of(id)).transpose()).collect()
}
