//! Players and their tokens.

use std::time::Duration;

use uuid::Uuid;

use super::name::player_name;
use crate::audit;
use crate::error::{Error, Result};
use crate::games::{checked_text, page_size};
use crate::ids::{PlayerId, TokenId};
use crate::limits::Cost;
use crate::model::{ActiveToken, App, At, Caller, NewToken, OwnedKey, Player, Principal};
use crate::secrets::{PLAYER_TOKEN, fresh_secret};
use crate::service::Maidan;
use crate::store::StoreError;

/// A new token. Its text is shown only once.
pub struct Issued {
    pub id: TokenId,
    /// `None` if the request is repeated: only a hash of the token is stored.
    pub token: Option<String>,
    pub expires_at: Option<At>,
    /// Whether an earlier request with the same idempotency key issued it.
    pub repeated: bool,
}

/// A request to register a player.
pub struct RegisterPlayer {
    pub name: String,
    pub external_id: Option<String>,
    /// `None` keeps the value of a player who is registered already; a new player is no bot.
    pub is_bot: Option<bool>,
    pub key: Option<String>,
}

/// A registered player.
pub struct Registered {
    pub player: Player,
    /// A guest's first token.
    pub token: Option<Issued>,
    /// Whether an earlier request with the same idempotency key registered the player.
    pub repeated: bool,
}

/// The caller's own player or app.
pub enum Me {
    Player(Player),
    App(App),
}

pub(super) const NO_SUCH_PLAYER: Error = Error::NotFound("There is no such player.");

pub async fn me(maidan: &Maidan, caller: &Caller) -> Result<Me> {
    maidan.rates.charge(caller, Cost::Request)?;
    match &caller.principal {
        Principal::Player(player) => Ok(Me::Player(player.clone())),
        Principal::App(app) => Ok(Me::App(app.clone())),
        Principal::Anonymous => Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
    }
}

/// Registers a player: an app's own player or, where guests are enabled, a guest. A guest gets a token; an app issues
/// tokens for its players separately.
pub async fn register(maidan: &Maidan, caller: &Caller, ask: RegisterPlayer) -> Result<Registered> {
    let RegisterPlayer { name, external_id, is_bot, key } = ask;
    let (app_id, is_guest) = match (&caller.principal, maidan.guests) {
        (Principal::App(app), _) => {
            maidan.rates.charge(caller, Cost::Request)?;
            (app.id, false)
        }
        (_, Some(guests)) => {
            maidan.rates.charge_registration(caller.address)?;
            if external_id.is_some() {
                return Err(Error::Forbidden("Only an app may set externalId."));
            }
            if is_bot.is_some() {
                return Err(ONLY_AN_APP_SAYS);
            }
            (guests, true)
        }
        (Principal::Player(_), None) => {
            return Err(Error::Forbidden("Guests are disabled: only an app may register players."));
        }
        (Principal::Anonymous, None) => {
            return Err(Error::Unauthenticated("Guests are disabled: register players with an app's key."));
        }
    };
    let name = player_name(&name)?;
    let external_id = external_id.map(|id| checked_text("externalId", &id, 120)).transpose()?;
    if is_guest && key.is_some() {
        return Err(Error::InvalidInput("Only an app can register players with an idempotency key.".into()));
    }
    let mut request = format!("registerPlayer {name:?} {external_id:?}");
    // Keys of requests without it stay valid.
    if let Some(is_bot) = is_bot {
        request = format!("{request} isBot {is_bot}");
    }
    let key = key.map(|key| caller.key(&key, &request)).transpose()?;
    if let Some(registered) = registered_before(maidan, key.as_ref()).await? {
        return Ok(registered);
    }
    let player = Player {
        id: PlayerId::fresh(),
        app_id,
        external_id,
        name,
        is_bot: is_bot.unwrap_or(false),
        created_at: At::now(),
        deleted_at: None,
    };
    let player = match maidan.store.upsert_player(&player, is_bot, key.as_ref()).await {
        // A concurrent retry of the same request won.
        Err(StoreError::Taken(_)) => return registered_before(maidan, key.as_ref()).await?.ok_or(Error::Internal),
        stored => stored?,
    };
    maidan.forget_player(player.id);
    audit::done!(caller, player = player.id, "player registered");
    let token = if is_guest { Some(issue(maidan, player.id, None, None, None, None).await?) } else { None };
    Ok(Registered { player, token, repeated: false })
}

async fn registered_before(maidan: &Maidan, key: Option<&OwnedKey>) -> Result<Option<Registered>> {
    let Some(id) = maidan.creation(key).await?.and_then(|earlier| earlier.object) else { return Ok(None) };
    let player = maidan.store.players(&[PlayerId(id)]).await?.pop().ok_or(Error::Internal)?;
    Ok(Some(Registered { player, token: None, repeated: true }))
}

const ONLY_AN_APP_SAYS: Error = Error::Forbidden("Only an app may set isBot.");

/// Changes what is given of a player: a guest renames itself, an app renames its players and says which are bots.
pub async fn update(
    maidan: &Maidan,
    caller: &Caller,
    id: PlayerId,
    name: Option<String>,
    is_bot: Option<bool>,
) -> Result<Player> {
    maidan.rates.charge(caller, Cost::Request)?;
    let name = name.map(|name| player_name(&name)).transpose()?;
    let player = own_player(maidan, caller, id).await?;
    if is_bot.is_some() && !caller.is_app() {
        return Err(ONLY_AN_APP_SAYS);
    }
    if !caller.is_app() && maidan.guests != Some(player.app_id) {
        return Err(Error::Forbidden("Your app chooses your name. Only a guest may rename itself."));
    }
    let updated = maidan.store.update_player(id, name.as_deref(), is_bot).await?;
    maidan.forget_player(id);
    updated.ok_or(NO_SUCH_PLAYER)
}

/// The players of the calling app, newest first, and whether there are more. With an external id: that player alone.
pub async fn players(
    maidan: &Maidan,
    caller: &Caller,
    external_id: Option<String>,
    first: Option<i32>,
    after: Option<&str>,
) -> Result<(Vec<Player>, bool)> {
    maidan.rates.charge(caller, Cost::Request)?;
    let app = match &caller.principal {
        Principal::App(app) => app.id,
        Principal::Player(_) => return Err(Error::Forbidden("Only an app may list its players.")),
        Principal::Anonymous => {
            return Err(Error::Unauthenticated("Send an app's key: Authorization: Bearer mdn_app_…"));
        }
    };
    let external_id = external_id.map(|id| checked_text("externalId", &id, 120)).transpose()?;
    let size = page_size(maidan, first)?;
    let before = match after {
        None => PlayerId(Uuid::max()),
        Some(cursor) => {
            cursor.parse().map_err(|_| Error::InvalidInput("after is not a cursor of this list.".into()))?
        }
    };
    let mut players = maidan.store.players_of_app(app, external_id, before, i64::from(size) + 1).await?;
    let has_more = players.len() > usize::from(size);
    players.truncate(size.into());
    Ok((players, has_more))
}

/// Issues a token for a player. For its app and the player itself; a player's new token expires no later than the one
/// it authenticated with.
pub async fn issue_token(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    seconds: Option<i32>,
    key: Option<&str>,
) -> Result<Issued> {
    maidan.rates.charge(caller, Cost::Request)?;
    check_ownership(maidan, caller, player).await?;
    let lifetime = match seconds {
        None => None,
        Some(seconds) => match u64::try_from(seconds) {
            Ok(seconds) if seconds > 0 => Some(Duration::from_secs(seconds)),
            _ => return Err(Error::InvalidInput("expiresInSeconds must be 1 or more.".into())),
        },
    };
    let key = key.map(|key| caller.key(key, &format!("issueToken {player} {seconds:?}"))).transpose()?;
    if let Some(issued) = issued_before(maidan, key.as_ref()).await? {
        return Ok(issued);
    }
    let issued_with = if caller.by_app { None } else { caller.token_hash.clone() };
    let issued = issue(maidan, player, lifetime, caller.until, issued_with, key.as_ref()).await?;
    audit::done!(caller, player = player, token = issued.id, "token issued");
    Ok(issued)
}

async fn issued_before(maidan: &Maidan, key: Option<&OwnedKey>) -> Result<Option<Issued>> {
    let Some(id) = maidan.creation(key).await?.and_then(|earlier| earlier.object) else { return Ok(None) };
    let ActiveToken { id, expires_at, .. } = maidan.store.token(TokenId(id)).await?.ok_or(NO_SUCH_PLAYER)?;
    Ok(Some(Issued { id, token: None, expires_at, repeated: true }))
}

/// A player's active tokens, newest first, and whether there are more. For its app and the player itself.
pub async fn tokens(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    first: Option<i32>,
    after: Option<&str>,
) -> Result<(Vec<ActiveToken>, bool)> {
    maidan.rates.charge(caller, Cost::Request)?;
    check_ownership(maidan, caller, player).await?;
    let size = page_size(maidan, first)?;
    let before = match after {
        None => TokenId(Uuid::max()),
        Some(cursor) => {
            cursor.parse().map_err(|_| Error::InvalidInput("after is not a cursor of this list.".into()))?
        }
    };
    let mut tokens =
        maidan.store.tokens(player, caller.token_hash.as_deref(), At::now(), before, i64::from(size) + 1).await?;
    let has_more = tokens.len() > usize::from(size);
    tokens.truncate(size.into());
    Ok((tokens, has_more))
}

/// Revokes a token. For the player's app and the player itself.
pub async fn revoke_token(maidan: &Maidan, caller: &Caller, player: PlayerId, token: TokenId) -> Result<()> {
    maidan.rates.charge(caller, Cost::Request)?;
    check_ownership(maidan, caller, player).await?;
    let is_revoked = maidan.store.revoke_token(player, token, At::now()).await?;
    maidan.forget_player(player);
    match is_revoked {
        true => {
            audit::done!(caller, player = player, token = token, "token revoked");
            Ok(())
        }
        false => Err(Error::NotFound("The player has no active token with this id.")),
    }
}

/// Revokes all tokens of a player, also the one of this request. For the player's app and the player itself.
pub async fn revoke_tokens(maidan: &Maidan, caller: &Caller, player: PlayerId) -> Result<()> {
    maidan.rates.charge(caller, Cost::Request)?;
    check_ownership(maidan, caller, player).await?;
    maidan.store.revoke_tokens(player, At::now()).await?;
    maidan.forget_player(player);
    audit::done!(caller, player = player, "all tokens revoked");
    Ok(())
}

/// A player of the caller's own app.
pub async fn player(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<Player> {
    maidan.rates.charge(caller, Cost::Request)?;
    known(maidan, caller, &[id]).await?.pop().ok_or(NO_SUCH_PLAYER)
}

/// These players, if all of them belong to the caller's app and none is deleted.
pub(super) async fn known(maidan: &Maidan, caller: &Caller, ids: &[PlayerId]) -> Result<Vec<Player>> {
    let app = caller.app_id().or(maidan.guests).ok_or(NO_SUCH_PLAYER)?;
    let found = maidan.store.players(ids).await?;
    let is_active = |player: &Player| player.app_id == app && player.deleted_at.is_none();
    let is_known = |id: &PlayerId| found.iter().any(|player| player.id == *id && is_active(player));
    if ids.iter().all(is_known) { Ok(found) } else { Err(NO_SUCH_PLAYER) }
}

async fn issue(
    maidan: &Maidan,
    player_id: PlayerId,
    lifetime: Option<Duration>,
    no_later_than: Option<At>,
    issued_with: Option<Vec<u8>>,
    key: Option<&OwnedKey>,
) -> Result<Issued> {
    let (token, hash) = fresh_secret(PLAYER_TOKEN);
    let now = At::now();
    let expires_at = lifetime.map(|lifetime| now.plus(lifetime)).into_iter().chain(no_later_than).min();
    let new = NewToken { id: TokenId::fresh(), player_id, hash, issued_with, created_at: now, expires_at };
    let most = maidan.limits.max_tokens_per_player;
    match maidan.store.add_token(&new, most, key).await {
        Ok(false) => Err(why_not_issued(maidan, &new, most).await?),
        Ok(true) => Ok(Issued { id: new.id, token: Some(token), expires_at, repeated: false }),
        // A concurrent retry of the same request won.
        Err(StoreError::Taken(_)) => issued_before(maidan, key).await?.ok_or(Error::Internal),
        Err(error) => Err(error.into()),
    }
}

/// The reason why a token was not stored.
async fn why_not_issued(maidan: &Maidan, token: &NewToken, most: u32) -> Result<Error> {
    let with: Vec<Vec<u8>> = token.issued_with.iter().cloned().collect();
    let active = maidan.store.active_tokens(&with, token.created_at).await?;
    Ok(match active.len() == with.len() {
        true => {
            audit::limit_reached("tokens_per_player", &token.player_id.to_string());
            Error::LimitReached(format!("The player has {most} active tokens; that is the limit. Revoke some."))
        }
        false => Error::Unauthenticated("The token is unknown, expired or revoked."),
    })
}

/// Refuses players that are neither the caller nor its app's, and deleted ones.
async fn check_ownership(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<()> {
    let player = own_player(maidan, caller, id).await?;
    if player.deleted_at.is_some() { Err(NO_SUCH_PLAYER) } else { Ok(()) }
}

/// The caller itself, or a player of the calling app, deleted or not.
pub(super) async fn own_player(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<Player> {
    match &caller.principal {
        Principal::Player(player) if player.id == id => Ok(player.clone()),
        Principal::App(app) => {
            let found = maidan.store.players(&[id]).await?.pop();
            found.filter(|player| player.app_id == app.id).ok_or(NO_SUCH_PLAYER)
        }
        Principal::Player(_) => Err(Error::Forbidden("Only the player itself, or its app, may do this.")),
        Principal::Anonymous => Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
    }
}
