//! Players, apps and tokens on the wire.

use async_graphql::{ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::Time;
use crate::model;
use crate::people;

/// A person who plays.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    /// The player's id: player_…
    #[schema(value_type = String)]
    pub id: ID,
    /// The name that others see.
    pub name: String,
    /// Whether the player was deleted. Nothing is left of it but its seats.
    pub deleted: bool,
}

impl From<model::Player> for Player {
    fn from(player: model::Player) -> Player {
        let model::Player { id, app_id: _, external_id: _, name, created_at: _, deleted_at } = player;
        let deleted = deleted_at.is_some();
        Player { id: ID(id.to_string()), name: if deleted { "Deleted player".into() } else { name }, deleted }
    }
}

/// An app that owns players and games.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct App {
    /// The app's id: app_…
    #[schema(value_type = String)]
    pub id: ID,
    /// The name that the operator gave it.
    pub name: String,
}

impl From<model::App> for App {
    fn from(app: model::App) -> App {
        let model::App { id, name, created_at: _, revoked_at: _ } = app;
        App { id: ID(id.to_string()), name }
    }
}

/// Who is asking: a player or an app.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Set if a player asks, or an app that acts for one.
    pub player: Option<Player>,
    /// Set if an app asks.
    pub app: Option<App>,
}

impl From<people::Me> for Me {
    fn from(me: people::Me) -> Me {
        match me {
            people::Me::Player(player) => Me { player: Some(player.into()), app: None },
            people::Me::App(app) => Me { player: None, app: Some(app.into()) },
        }
    }
}

/// A token that lets somebody act as a player. The text is shown this once.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// The token's id, by which it can be revoked: token_…
    #[schema(value_type = String)]
    pub id: ID,
    /// The secret itself: mdn_ply_… Send it as `Authorization: Bearer mdn_ply_…`.
    pub token: String,
    /// When it stops working; null for never.
    pub expires_at: Option<Time>,
}

impl From<people::Issued> for Token {
    fn from(issued: people::Issued) -> Token {
        let people::Issued { id, token, expires_at } = issued;
        Token { id: ID(id.to_string()), token, expires_at: expires_at.map(Time::from) }
    }
}

/// A token in use. What it says was shown once, when it was made.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenInUse {
    /// The token's id, by which it can be revoked: token_…
    #[schema(value_type = String)]
    pub id: ID,
    /// When it was made.
    pub created_at: Time,
    /// When it stops working; null for never.
    pub expires_at: Option<Time>,
}

impl From<model::ActiveToken> for TokenInUse {
    fn from(token: model::ActiveToken) -> TokenInUse {
        let model::ActiveToken { id, created_at, expires_at } = token;
        TokenInUse { id: ID(id.to_string()), created_at: created_at.into(), expires_at: expires_at.map(Time::from) }
    }
}

/// A page of tokens, the newest first.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPage {
    /// The tokens.
    pub items: Vec<TokenInUse>,
    /// Where this page ends: pass it as `after` for the next.
    pub end_cursor: Option<String>,
    /// Whether more tokens follow.
    pub has_more: bool,
}

impl From<(Vec<model::ActiveToken>, bool)> for TokenPage {
    fn from((tokens, has_more): (Vec<model::ActiveToken>, bool)) -> TokenPage {
        let items: Vec<TokenInUse> = tokens.into_iter().map(TokenInUse::from).collect();
        TokenPage { end_cursor: items.last().map(|token| token.id.to_string()), items, has_more }
    }
}

/// A player that was just registered.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registered {
    /// The player.
    pub player: Player,
    /// A guest's first token; null for an app's player, whose tokens the app issues.
    pub token: Option<Token>,
}
