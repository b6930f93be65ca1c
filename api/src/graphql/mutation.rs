//! Everything that can be done.

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

/// Who is to be registered.
#[derive(InputObject)]
pub struct RegisterPlayerInput {
    /// The name that others see, 1 to 60 characters.
    name: String,
    /// An app's own name for the player. Registering it again changes the name and nothing else.
    external_id: Option<String>,
}

/// For whom a token is made.
#[derive(InputObject)]
pub struct IssueTokenInput {
    /// The player.
    player_id: ID,
    /// After how many seconds it stops working; never, if left out. A token that a player makes for itself never
    /// outlasts the one that it was made with.
    expires_in_seconds: Option<i32>,
}

/// Which token goes out of use.
#[derive(InputObject)]
pub struct RevokeTokenInput {
    /// Whose token it is.
    player_id: ID,
    /// The token's id: token_…
    token_id: ID,
}

/// How a game is opened.
#[derive(InputObject)]
pub struct CreateGameInput {
    /// Which game.
    kind: Kind,
    /// How it is set up; by default as the kind's rulebook says.
    options: Option<Options>,
    /// How many seats; the fewest that the kind allows, if left out.
    seats: Option<i32>,
    /// Who may find it.
    #[graphql(default_with = "Visibility::Public")]
    visibility: Visibility,
    /// The seat that you take, 0 if left out. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to be seated, in seat order; null leaves a seat open. A full table starts at once.
    players: Option<Vec<Option<ID>>>,
    /// A name of your own for this request: sent again, it gives the same game.
    idempotency_key: Option<String>,
}

/// The position from which you want to go on.
#[derive(InputObject)]
pub struct BranchGameInput {
    /// A finished game that you can see.
    game_id: ID,
    /// After which ply of it.
    ply: i32,
    /// Who may find the new game; as the old one, if left out. A branch of a private game is private.
    visibility: Option<Visibility>,
    /// The seat that you take, 0 if left out. Not for apps.
    seat: Option<i32>,
    /// For apps: the players to be seated, in seat order; null leaves a seat open. A full table starts at once.
    players: Option<Vec<Option<ID>>>,
    /// A name of your own for this request: sent again, it gives the same game.
    idempotency_key: Option<String>,
}

/// Which table you sit down at: give the game's id, or the code that you were given.
#[derive(InputObject)]
pub struct JoinGameInput {
    /// A game that you can see.
    game_id: Option<ID>,
    /// The join code of a private game.
    code: Option<String>,
    /// The seat that you want; the first that is open, if left out.
    seat: Option<i32>,
    /// What you add to the game's chance: 1 to 64 visible ASCII characters. Others see it when the game has started.
    client_seed: Option<String>,
}

/// What you add to a game's chance.
#[derive(InputObject)]
pub struct AddClientSeedInput {
    /// The game.
    game_id: ID,
    /// 1 to 64 visible ASCII characters, at random. Others see them when the game has started.
    client_seed: String,
}

/// The move that you make: give it in structure or in notation.
#[derive(InputObject)]
pub struct PlayMoveInput {
    /// The game.
    game_id: ID,
    /// The move in structure.
    #[graphql(name = "move")]
    mv: Option<Move>,
    /// The move in notation.
    notation: Option<String>,
    /// The version on which you decided. If your present decision opened later, the move is refused as STALE.
    expected_version: Option<i32>,
    /// A name of your own for this request: sent again, it is not carried out again.
    idempotency_key: Option<String>,
}

/// The game that you give up.
#[derive(InputObject)]
pub struct ResignInput {
    /// The game.
    game_id: ID,
    /// A name of your own for this request: sent again, it is not carried out again.
    idempotency_key: Option<String>,
}

/// Everything that can be done.
#[Object]
impl Mutation {
    /// Registers a player. An app registers its own; where guests are welcome, anybody registers and gets a token.
    async fn register_player(&self, ctx: &Context<'_>, input: RegisterPlayerInput) -> Result<Registered> {
        let (maidan, caller) = service(ctx)?;
        let (player, issued) = people::register(maidan, caller, input.name, input.external_id).await.coded()?;
        Ok(Registered { player: player.into(), token: issued.map(Token::from) })
    }

    /// Makes a token for a player of your app, or one more for yourself.
    async fn issue_token(&self, ctx: &Context<'_>, input: IssueTokenInput) -> Result<Token> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&input.player_id).coded()?;
        people::issue_token(maidan, caller, player, input.expires_in_seconds).await.map(Token::from).coded()
    }

    /// Takes a token out of use; answers with its id.
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

    /// Makes a ticket that opens one stream, once, as you: for clients that cannot send a header with a stream.
    async fn create_stream_ticket(&self, ctx: &Context<'_>) -> Result<StreamTicket> {
        let (maidan, caller) = service(ctx)?;
        auth::issue_ticket(maidan, caller).await.map(StreamTicket::from).coded()
    }

    /// Deletes a player of your app, or yourself; answers with the id. Name, external id and tokens are forgotten at once;
    /// games not yet started are left or, if the player opened them, called off; running ones are resigned. Games stay
    /// readable, with a nameless player in the seat.
    async fn delete_player(&self, ctx: &Context<'_>, #[graphql(desc = "The player's id.")] id: ID) -> Result<ID> {
        let (maidan, caller) = service(ctx)?;
        people::delete_player(maidan, caller, player_id_of(&id).coded()?).await.coded()?;
        Ok(id)
    }

    /// Opens a game. It starts when its last seat is taken.
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

    /// Opens a practice game that goes on from a position of a finished one, with a new seed. What any seat knew stays,
    /// what nobody knew is drawn anew.
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

    /// Sits down at a table.
    async fn join_game(&self, ctx: &Context<'_>, input: JoinGameInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let how = match (input.game_id, input.code) {
            (Some(id), None) => JoinGame::ById(game_id_of(&id).coded()?),
            (None, Some(code)) => JoinGame::ByCode(code),
            _ => return Err(Error::InvalidInput("Give either gameId or code.".into())).coded(),
        };
        let table = games::join(maidan, caller, how, input.seat, input.client_seed).await.coded()?;
        show(maidan, table).await
    }

    /// Adds to the chance of a game in which you sit and which has not started.
    async fn add_client_seed(&self, ctx: &Context<'_>, input: AddClientSeedInput) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let table = games::add_client_seed(maidan, caller, id, input.client_seed).await.coded()?;
        show(maidan, table).await
    }

    /// Leaves a game that has not started. If you opened it, it is called off.
    async fn leave_game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::leave(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Calls a game off: its opener before the start, its app also while it runs.
    async fn cancel_game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::cancel(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Asks for a rematch of a game that is over and in which you sat: the same people and options, the newest rules,
    /// everybody one seat further on, so that another begins. Who asks first opens it; it starts when all have asked. For
    /// an app's key all sit down at once.
    async fn rematch(&self, ctx: &Context<'_>, #[graphql(desc = "The game that is over.")] id: ID) -> Result<Game> {
        let (maidan, caller) = service(ctx)?;
        let table = games::rematch(maidan, caller, game_id_of(&id).coded()?).await.coded()?;
        show(maidan, table).await
    }

    /// Makes a move. It is stored before anybody hears of it, and with an idempotency key it is made once.
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

    /// Gives up your seat in a running game. What it is to decide from now on is decided at random.
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
