//! The answers of mutations. Each mutation has a type of its own, so that any of them can gain a field.

use async_graphql::{ID, SimpleObject};

use crate::games;
use crate::wire::{Event, Game, Played, Player, StreamTicket, Token};

/// The answer to `registerPlayer`.
#[derive(SimpleObject)]
pub struct RegisterPlayerPayload {
    /// The player.
    pub player: Player,
    /// A guest's first token; null for an app's player, whose tokens the app issues.
    pub token: Option<Token>,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `updatePlayer`.
#[derive(SimpleObject)]
pub struct UpdatePlayerPayload {
    /// The player.
    pub player: Player,
}

/// The answer to `issueToken`.
#[derive(SimpleObject)]
pub struct IssueTokenPayload {
    /// The token.
    pub token: Token,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `revokeToken`.
#[derive(SimpleObject)]
pub struct RevokeTokenPayload {
    /// The revoked token's id.
    pub token_id: ID,
}

/// The answer to `revokeTokens`.
#[derive(SimpleObject)]
pub struct RevokeTokensPayload {
    /// The id of the player whose tokens are revoked.
    pub player_id: ID,
}

/// The answer to `createStreamTicket`.
#[derive(SimpleObject)]
pub struct CreateStreamTicketPayload {
    /// The ticket.
    pub ticket: StreamTicket,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `deletePlayer`.
#[derive(SimpleObject)]
pub struct DeletePlayerPayload {
    /// The deleted player's id.
    pub player_id: ID,
}

/// The answer to `createGame`.
#[derive(SimpleObject)]
pub struct CreateGamePayload {
    /// The new game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `updateGame`.
#[derive(SimpleObject)]
pub struct UpdateGamePayload {
    /// The current game.
    pub game: Game,
}

/// The answer to `branchGame`.
#[derive(SimpleObject)]
pub struct BranchGamePayload {
    /// The practice game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `joinGame`.
#[derive(SimpleObject)]
pub struct JoinGamePayload {
    /// The current game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `addClientSeed`.
#[derive(SimpleObject)]
pub struct AddClientSeedPayload {
    /// The current game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `seatBot`.
#[derive(SimpleObject)]
pub struct SeatBotPayload {
    /// The current game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `leaveGame`.
#[derive(SimpleObject)]
pub struct LeaveGamePayload {
    /// The current game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `cancelGame`.
#[derive(SimpleObject)]
pub struct CancelGamePayload {
    /// The cancelled game.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `rematch`.
#[derive(SimpleObject)]
pub struct RematchPayload {
    /// The rematch.
    pub game: Game,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

/// The answer to `playMove`.
#[derive(SimpleObject)]
pub struct PlayMovePayload {
    /// The game's version after the move.
    pub version: i32,
    /// The events of the move, which everyone at the table sees.
    pub events: Vec<Event>,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
    /// The current game.
    pub game: Game,
}

/// The answer to `resign`.
#[derive(SimpleObject)]
pub struct ResignPayload {
    /// The game's version after the resignation.
    pub version: i32,
    /// The events of the resignation, which everyone at the table sees.
    pub events: Vec<Event>,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
    /// The current game.
    pub game: Game,
}

impl From<games::Played> for PlayMovePayload {
    fn from(played: games::Played) -> PlayMovePayload {
        let Played { version, events, repeated, game } = played.into();
        PlayMovePayload { version, events, repeated, game }
    }
}

impl From<games::Played> for ResignPayload {
    fn from(played: games::Played) -> ResignPayload {
        let Played { version, events, repeated, game } = played.into();
        ResignPayload { version, events, repeated, game }
    }
}
