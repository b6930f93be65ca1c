//! The inputs of mutations.

use async_graphql::{ID, InputObject, MaybeUndefined};

use crate::wire::{BotSettingsInput, Kind, Metadata, Move, Options, SeatInput, Visibility};

/// The player to register.
#[derive(InputObject)]
pub struct RegisterPlayerInput {
    /// The name that others see, 1 to 60 characters.
    pub name: String,
    /// The app's own id for the player. Registering the same id again only updates the name and, if given, `isBot`.
    pub external_id: Option<String>,
    /// For apps: whether the player is a bot. Default: false, or as before. Everyone sees it.
    pub is_bot: Option<bool>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again. For apps.
    pub idempotency_key: Option<String>,
}

/// The values of a player to change. A field that is left out keeps its value.
#[derive(InputObject)]
pub struct UpdatePlayerInput {
    /// The player.
    pub player_id: ID,
    /// The new name that others see, 1 to 60 characters.
    pub name: Option<String>,
    /// For apps: whether the player is a bot. Everyone sees it.
    pub is_bot: Option<bool>,
}

/// The token to issue.
#[derive(InputObject)]
pub struct IssueTokenInput {
    /// The player.
    pub player_id: ID,
    /// Lifetime in seconds. Default: the token never expires. A token that a player issues for itself expires no later
    /// than the token of the request.
    pub expires_in_seconds: Option<i32>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The ticket to issue.
#[derive(InputObject)]
pub struct CreateStreamTicketInput {
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The token to revoke.
#[derive(InputObject)]
pub struct RevokeTokenInput {
    /// The player who owns the token.
    pub player_id: ID,
    /// The token's id: token_…
    pub token_id: ID,
}

/// The token to revoke.
#[derive(InputObject)]
pub struct RevokeTokensInput {
    /// The player whose tokens are revoked.
    pub player_id: ID,
}

/// The game to open.
#[derive(InputObject)]
pub struct CreateGameInput {
    /// The kind of game.
    pub kind: Kind,
    /// The options. Default: those of the kind's rulebook.
    pub options: Option<Options>,
    /// The seats in order, one element per seat. Default: the fewest seats of the kind; a player takes the first, an
    /// app leaves all open. If all seats are taken, the game starts immediately.
    pub seats: Option<Vec<SeatInput>>,
    /// The visibility of the game: it decides who may see and join it.
    #[graphql(default_with = "Visibility::Public")]
    pub visibility: Visibility,
    /// The settings of the game's bots.
    pub bots: Option<BotSettingsInput>,
    /// For apps: your own id of the game, unique within your app, 1 to 120 characters.
    pub external_id: Option<String>,
    /// For apps: your own JSON about the game, shown to everyone who may see the game.
    pub metadata: Option<Metadata>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The values of a game to change. A field that is left out keeps its value; null removes it.
#[derive(InputObject)]
pub struct UpdateGameInput {
    /// The game.
    pub game_id: ID,
    /// Your own id of the game, unique within your app, 1 to 120 characters.
    pub external_id: MaybeUndefined<String>,
    /// Your own JSON about the game, shown to everyone who may see the game. It replaces the former JSON.
    pub metadata: MaybeUndefined<Metadata>,
}

/// The position to continue from.
#[derive(InputObject)]
pub struct BranchGameInput {
    /// A finished game that you may see.
    pub game_id: ID,
    /// The ply to continue after.
    pub ply: i32,
    /// The visibility of the new game. Default: as the original game. A branch of a private game must be private.
    pub visibility: Option<Visibility>,
    /// The seats in order, as many as the original game has. Default: a player takes the first, an app leaves all
    /// open. If all seats are taken, the game starts immediately.
    pub seats: Option<Vec<SeatInput>>,
    /// The settings of the game's bots.
    pub bots: Option<BotSettingsInput>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The seat that a bot takes.
#[derive(InputObject)]
pub struct SeatBotInput {
    /// A game that you opened, or that belongs to your app.
    pub game_id: ID,
    /// The seat. Default: the first open seat.
    pub seat: Option<i32>,
    /// The level of the bot, from 1, the weakest, to 4.
    pub level: i32,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The game to join: pass either `gameId` or `code`.
#[derive(InputObject)]
pub struct JoinGameInput {
    /// A game that you may see.
    pub game_id: Option<ID>,
    /// The join code of a private game.
    pub code: Option<String>,
    /// The seat to take. Default: the first open seat.
    pub seat: Option<i32>,
    /// Your contribution to the game's randomness: 1 to 64 visible ASCII characters. Others see it once the game has
    /// started.
    pub client_seed: Option<String>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// Your contribution to a game's randomness.
#[derive(InputObject)]
pub struct AddClientSeedInput {
    /// The game.
    pub game_id: ID,
    /// 1 to 64 random visible ASCII characters. Others see them once the game has started.
    pub client_seed: String,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The move to make: pass either `move` or `notation`.
#[derive(InputObject)]
pub struct PlayMoveInput {
    /// The game.
    pub game_id: ID,
    /// The move as an object.
    #[graphql(name = "move")]
    pub mv: Option<Move>,
    /// The move in notation.
    pub notation: Option<String>,
    /// The version that you decided on. If your current decision opened after it, the move is refused as STALE.
    pub expected_version: Option<i32>,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The game to resign.
#[derive(InputObject)]
pub struct ResignInput {
    /// The game.
    pub game_id: ID,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The player to delete.
#[derive(InputObject)]
pub struct DeletePlayerInput {
    /// The player's id.
    pub player_id: ID,
}

/// The game to leave.
#[derive(InputObject)]
pub struct LeaveGameInput {
    /// The game.
    pub game_id: ID,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The game to cancel.
#[derive(InputObject)]
pub struct CancelGameInput {
    /// The game.
    pub game_id: ID,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}

/// The game to play again.
#[derive(InputObject)]
pub struct RematchInput {
    /// The finished game.
    pub game_id: ID,
    /// Idempotency key, 1 to 64 visible ASCII characters: repeating the request with the same key does not execute it
    /// again.
    pub idempotency_key: Option<String>,
}
