//! Players, apps and tokens on the wire.

use async_graphql::{ID, SimpleObject};
use serde::Serialize;
use utoipa::ToSchema;

use super::Time;
use crate::ids::{AppId, PlayerId, TokenId};
use crate::model;
use crate::people::{self, DELETED};

/// A player.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    /// The player's id: player_…
    #[schema(value_type = PlayerId)]
    pub id: ID,
    /// The name that others see.
    pub name: String,
    /// The app's own id for the player. Only the app sees it.
    pub external_id: Option<String>,
    /// Whether the player is a bot, as set by its app.
    pub is_bot: bool,
    /// Whether the player was deleted. Only its seats in games remain.
    pub deleted: bool,
}

impl Player {
    /// The player as the caller sees it.
    pub fn seen_by(caller: &model::Caller, player: model::Player) -> Player {
        Player::shown(player, caller.is_app())
    }

    /// The player for its app, or for anybody else.
    pub fn shown(player: model::Player, to_app: bool) -> Player {
        let model::Player { id, app_id: _, external_id, name, is_bot, created_at: _, deleted_at } = player;
        let deleted = deleted_at.is_some();
        Player {
            id: ID(id.to_string()),
            name: if deleted { DELETED.into() } else { name },
            external_id: external_id.filter(|_| to_app),
            is_bot,
            deleted,
        }
    }
}

/// An app that owns players and games.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct App {
    /// The app's id: app_…
    #[schema(value_type = AppId)]
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

/// The caller: a player or an app.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The player, if the caller is a player or an app that acts as one.
    pub player: Option<Player>,
    /// The app, if the caller is an app that does not act as a player.
    pub app: Option<App>,
}

impl From<people::Me> for Me {
    fn from(me: people::Me) -> Me {
        match me {
            people::Me::Player(player) => Me { player: Some(Player::shown(player, false)), app: None },
            people::Me::App(app) => Me { player: None, app: Some(app.into()) },
        }
    }
}

/// A new token of a player. Its secret is shown only this once.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// The token's id: token_… Use it to revoke the token.
    #[schema(value_type = TokenId)]
    pub id: ID,
    /// The secret: mdn_ply_… Send it as `Authorization: Bearer mdn_ply_…`. Null if the request is repeated: it is shown
    /// only once.
    pub token: Option<String>,
    /// When the token expires; null if it never does.
    pub expires_at: Option<Time>,
}

impl From<people::Issued> for Token {
    fn from(issued: people::Issued) -> Token {
        let people::Issued { id, token, expires_at, repeated: _ } = issued;
        Token { id: ID(id.to_string()), token, expires_at: expires_at.map(Time::from) }
    }
}

/// An active token. Its secret was shown once, when it was issued.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenInUse {
    /// The token's id: token_… Use it to revoke the token.
    #[schema(value_type = TokenId)]
    pub id: ID,
    /// When the token was issued.
    pub created_at: Time,
    /// When the token expires; null if it never does.
    pub expires_at: Option<Time>,
    /// Whether this request was made with it.
    pub is_current: bool,
}

impl From<model::ActiveToken> for TokenInUse {
    fn from(token: model::ActiveToken) -> TokenInUse {
        let model::ActiveToken { id, created_at, expires_at, is_current } = token;
        let expires_at = expires_at.map(Time::from);
        TokenInUse { id: ID(id.to_string()), created_at: created_at.into(), expires_at, is_current }
    }
}

/// A page of tokens, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPage {
    /// The tokens.
    pub items: Vec<TokenInUse>,
    /// The cursor of the last item. Pass it as `after` to get the next page.
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

/// A page of players, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerPage {
    /// The players.
    pub items: Vec<Player>,
    /// The cursor of the last item. Pass it as `after` to get the next page.
    pub end_cursor: Option<String>,
    /// Whether more players follow.
    pub has_more: bool,
}

/// A newly registered player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registered {
    /// The player.
    pub player: Player,
    /// A guest's first token; null for an app's player, whose tokens the app issues.
    pub token: Option<Token>,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

impl Registered {
    /// A registered player as the caller may see it.
    pub fn seen_by(caller: &model::Caller, registered: people::Registered) -> Registered {
        let people::Registered { player, token, repeated } = registered;
        Registered { player: Player::seen_by(caller, player), token: token.map(Token::from), repeated }
    }
}
