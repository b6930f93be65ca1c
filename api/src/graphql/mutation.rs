//! The mutations. Each takes one input and answers with one payload.

use async_graphql::{Context, MaybeUndefined, Object, Result};

use super::input::*;
use super::payload::*;
use super::{Coded, service};
use crate::auth;
use crate::error::Error;
use crate::games::{self, Done, JoinGame, PlayMove, Snapshot};
use crate::people;
use crate::service::Maidan;
use crate::wire::{
    Game, Metadata, Player, bot_settings_of, choice, game_id_of, level_of, options_of, player_id_of, seats_of,
};

pub struct Mutation;

/// Everything that changes something.
#[Object]
impl Mutation {
    /// Registers a player. An app registers its own players. If the server allows guests, anyone can register, and gets
    /// a token.
    async fn register_player(&self, ctx: &Context<'_>, input: RegisterPlayerInput) -> Result<RegisterPlayerPayload> {
        let (maidan, caller) = service(ctx)?;
        let RegisterPlayerInput { name, external_id, is_bot, idempotency_key: key } = input;
        let ask = people::RegisterPlayer { name, external_id, is_bot, key };
        let people::Registered { player, token, repeated } = people::register(maidan, caller, ask).await.coded()?;
        let player = Player::seen_by(caller, player);
        Ok(RegisterPlayerPayload { player, token: token.map(Into::into), repeated })
    }

    /// Renames a player: a guest itself, or a player of your app. An app also says which of its players are bots.
    async fn update_player(&self, ctx: &Context<'_>, input: UpdatePlayerInput) -> Result<UpdatePlayerPayload> {
        let (maidan, caller) = service(ctx)?;
        let id = player_id_of(&input.player_id).coded()?;
        let player = people::update(maidan, caller, id, input.name, input.is_bot).await.coded()?;
        Ok(UpdatePlayerPayload { player: Player::seen_by(caller, player) })
    }

    /// Issues a token for a player of your app, or another token for yourself.
    async fn issue_token(&self, ctx: &Context<'_>, input: IssueTokenInput) -> Result<IssueTokenPayload> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&input.player_id).coded()?;
        let key = input.idempotency_key.as_deref();
        let issued = people::issue_token(maidan, caller, player, input.expires_in_seconds, key).await.coded()?;
        Ok(IssueTokenPayload { repeated: issued.repeated, token: issued.into() })
    }

    /// Revokes a token, and all tokens that were issued with it.
    async fn revoke_token(&self, ctx: &Context<'_>, input: RevokeTokenInput) -> Result<RevokeTokenPayload> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&input.player_id).coded()?;
        let token = input
            .token_id
            .parse()
            .map_err(|_| Error::NotFound("The player has no active token with this id."))
            .coded()?;
        people::revoke_token(maidan, caller, player, token).await.coded()?;
        Ok(RevokeTokenPayload { token_id: input.token_id })
    }

    /// Revokes all tokens of a player of your app, or all of your own, also the one of this request.
    async fn revoke_tokens(&self, ctx: &Context<'_>, input: RevokeTokensInput) -> Result<RevokeTokensPayload> {
        let (maidan, caller) = service(ctx)?;
        people::revoke_tokens(maidan, caller, player_id_of(&input.player_id).coded()?).await.coded()?;
        Ok(RevokeTokensPayload { player_id: input.player_id })
    }

    /// Issues a ticket that opens one stream as you, and resumes it, for clients that cannot send headers when they open a
    /// stream.
    async fn create_stream_ticket(
        &self,
        ctx: &Context<'_>,
        input: Option<CreateStreamTicketInput>,
    ) -> Result<CreateStreamTicketPayload> {
        let (maidan, caller) = service(ctx)?;
        let key = input.and_then(|input| input.idempotency_key);
        let issued = auth::issue_ticket(maidan, caller, key.as_deref()).await.coded()?;
        Ok(CreateStreamTicketPayload { repeated: issued.repeated, ticket: issued.into() })
    }

    /// Deletes a player of your app, or yourself. Its name, external id and tokens are deleted
    /// immediately. It resigns its running games and leaves those that have not started; games that it opened are
    /// cancelled. Its games stay readable, with an anonymous player in its seat.
    async fn delete_player(&self, ctx: &Context<'_>, input: DeletePlayerInput) -> Result<DeletePlayerPayload> {
        let (maidan, caller) = service(ctx)?;
        people::delete_player(maidan, caller, player_id_of(&input.player_id).coded()?).await.coded()?;
        Ok(DeletePlayerPayload { player_id: input.player_id })
    }

    /// Opens a game. The game starts when its last seat is taken.
    async fn create_game(&self, ctx: &Context<'_>, input: CreateGameInput) -> Result<CreateGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let ask = games::CreateGame {
            options: options_of(input.kind, input.options).coded()?,
            rules_version: None,
            seats: seats_of(input.seats).coded()?,
            visibility: input.visibility.into(),
            bots: bot_settings_of(input.bots.as_ref()).coded()?,
            key: input.idempotency_key,
            external_id: input.external_id,
            metadata: input.metadata.map(|Metadata(fields)| fields),
            origin: None,
            rematch_of: None,
        };
        let done = games::create(maidan, caller, ask).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(CreateGamePayload { game, repeated })
    }

    /// Opens a practice game that continues from a position of a finished game, with a new seed. Everything that at
    /// least one seat knew is kept; everything that nobody knew is drawn again at random.
    async fn branch_game(&self, ctx: &Context<'_>, input: BranchGameInput) -> Result<BranchGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let ask = games::BranchGame {
            game: game_id_of(&input.game_id).coded()?,
            ply: input.ply,
            visibility: input.visibility.map(Into::into),
            seats: seats_of(input.seats).coded()?,
            bots: bot_settings_of(input.bots.as_ref()).coded()?,
            key: input.idempotency_key,
        };
        let done = games::branch(maidan, caller, ask).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(BranchGamePayload { game, repeated })
    }

    /// Gives an open seat of a game that has not started to a bot. For the player who opened the game, and for its app.
    async fn seat_bot(&self, ctx: &Context<'_>, input: SeatBotInput) -> Result<SeatBotPayload> {
        let (maidan, caller) = service(ctx)?;
        let (game, level) = (game_id_of(&input.game_id).coded()?, level_of(input.level).coded()?);
        let done = games::seat_bot(maidan, caller, game, input.seat, level, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(SeatBotPayload { game, repeated })
    }

    /// Changes your app's own id and JSON of a game. The version of the game stays the same, and nobody is notified.
    async fn update_game(&self, ctx: &Context<'_>, input: UpdateGameInput) -> Result<UpdateGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let ask = games::UpdateGame {
            game: game_id_of(&input.game_id).coded()?,
            external_id: given(input.external_id),
            metadata: given(input.metadata.map_value(|Metadata(fields)| fields)),
        };
        let table = games::update(maidan, caller, ask).await.coded()?;
        Ok(UpdateGamePayload { game: Snapshot::of(maidan, table).await.map(Game::from).coded()? })
    }

    /// Takes a seat in a game.
    async fn join_game(&self, ctx: &Context<'_>, input: JoinGameInput) -> Result<JoinGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let how = match (input.game_id, input.code) {
            (Some(id), None) => JoinGame::ById(game_id_of(&id).coded()?),
            (None, Some(code)) => JoinGame::ByCode(code),
            _ => return Err(Error::InvalidInput("Pass either gameId or code.".into())).coded(),
        };
        let done =
            games::join(maidan, caller, how, input.seat, input.client_seed, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(JoinGamePayload { game, repeated })
    }

    /// Contributes to the randomness of a game in which you have a seat and that has not started.
    async fn add_client_seed(&self, ctx: &Context<'_>, input: AddClientSeedInput) -> Result<AddClientSeedPayload> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let done =
            games::add_client_seed(maidan, caller, id, input.client_seed, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(AddClientSeedPayload { game, repeated })
    }

    /// Leaves a game that has not started. If you opened the game, it is cancelled.
    async fn leave_game(&self, ctx: &Context<'_>, input: LeaveGameInput) -> Result<LeaveGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let done = games::leave(maidan, caller, id, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(LeaveGamePayload { game, repeated })
    }

    /// Cancels a game. The player who opened it may cancel it before the start; its app may cancel it until it is over.
    async fn cancel_game(&self, ctx: &Context<'_>, input: CancelGameInput) -> Result<CancelGamePayload> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let done = games::cancel(maidan, caller, id, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(CancelGamePayload { game, repeated })
    }

    /// Asks for a rematch of a finished game in which you had a seat: the same players and options, the newest rules,
    /// and everyone one seat further on, so that another player starts. The first request opens the rematch; it starts
    /// when all players have asked. With an app's key, it starts immediately.
    async fn rematch(&self, ctx: &Context<'_>, input: RematchInput) -> Result<RematchPayload> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        let done = games::rematch(maidan, caller, id, input.idempotency_key).await.coded()?;
        let (game, repeated) = show(maidan, done).await?;
        Ok(RematchPayload { game, repeated })
    }

    /// Makes a move. The move is stored before anyone is notified. With an idempotency key, retries are safe.
    async fn play_move(&self, ctx: &Context<'_>, input: PlayMoveInput) -> Result<PlayMovePayload> {
        let (maidan, caller) = service(ctx)?;
        let ask = PlayMove {
            game: game_id_of(&input.game_id).coded()?,
            choice: choice(input.mv, input.notation).coded()?,
            expected_version: input.expected_version,
            key: input.idempotency_key,
        };
        games::play(maidan, caller, ask).await.map(Into::into).coded()
    }

    /// Resigns a running game. From then on, a bot of the game's `standInLevel` plays for your seat.
    async fn resign(&self, ctx: &Context<'_>, input: ResignInput) -> Result<ResignPayload> {
        let (maidan, caller) = service(ctx)?;
        let id = game_id_of(&input.game_id).coded()?;
        games::resign(maidan, caller, id, input.idempotency_key).await.map(Into::into).coded()
    }
}

/// A value to change: `None` if it is left out, `Some(None)` if it is null.
fn given<T>(value: MaybeUndefined<T>) -> Option<Option<T>> {
    match value {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(None),
        MaybeUndefined::Value(value) => Some(Some(value)),
    }
}

/// The game as its caller may see it, and whether the request is repeated.
async fn show(maidan: &Maidan, Done { table, repeated }: Done) -> Result<(Game, bool)> {
    Ok((Snapshot::of(maidan, table).await.map(Game::from).coded()?, repeated))
}
