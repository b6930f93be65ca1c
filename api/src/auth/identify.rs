//! Identifies the caller. Tokens, keys and tickets are checked only here.

use std::net::IpAddr;

use super::tickets::{Lease, resumable};
use crate::audit;
use crate::error::{Error, Result};
use crate::ids::PlayerId;
use crate::model::{App, At, Caller, Player, Principal};
use crate::request;
use crate::secrets::{APP_KEY, PLAYER_TOKEN, STREAM_TICKET, hash_of, is_secret};
use crate::service::Maidan;

/// The credentials of a request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credentials<'a> {
    /// The Authorization header.
    pub authorization: Option<&'a str>,
    /// The Maidan-Act-As header.
    pub act_as: Option<&'a str>,
}

/// The caller with these credentials, or a refusal. A wrong token is charged to the address.
pub async fn identify(maidan: &Maidan, credentials: Credentials<'_>, address: IpAddr) -> Result<Caller> {
    let (principal, until, token_hash) = match credentials.authorization {
        None => (Principal::Anonymous, None, None),
        Some(header) => {
            let hash = token_in(bearer_in(header)?);
            let known = match &hash {
                Some((hash, is_app)) => principal_of(maidan, hash, *is_app).await?,
                None => None,
            };
            if known.is_none() {
                audit::failed_authentication(address);
                maidan.rates.charge_wrong_token(address)?;
            }
            let (principal, until) = known.ok_or(Error::Unauthenticated(INACTIVE_TOKEN))?;
            (principal, until, hash.map(|(hash, _)| hash))
        }
    };
    let by_app = matches!(principal, Principal::App(_));
    let principal = match (credentials.act_as, principal) {
        (None, principal) => principal,
        (Some(id), Principal::App(app)) => {
            let id = id.parse().map_err(|_| NO_SUCH_PLAYER)?;
            Principal::Player(own_player(maidan, &app, id).await?)
        }
        (Some(_), _) => return Err(Error::Forbidden("Only an app's key may act as a player.")),
    };
    match &principal {
        Principal::Player(player) => request::identified(player.id.to_string()),
        Principal::App(app) => request::identified(app.id.to_string()),
        Principal::Anonymous => {}
    }
    Ok(Caller { principal, address, by_app, token_hash, until, prepaid: false })
}

/// The same caller, identified again: for the operations of a socket, which its credentials may not outlive.
pub async fn renew(maidan: &Maidan, caller: &Caller) -> Result<Caller> {
    let Some(hash) = &caller.token_hash else { return Ok(caller.clone()) };
    let (principal, until) =
        principal_of(maidan, hash, caller.by_app).await?.ok_or(Error::Unauthenticated(INACTIVE_TOKEN))?;
    let principal = match (&caller.principal, principal) {
        (Principal::Player(player), Principal::App(app)) => {
            Principal::Player(own_player(maidan, &app, player.id).await?)
        }
        (_, principal) => principal,
    };
    Ok(Caller { principal, until, ..caller.clone() })
}

/// Opens a stream with a ticket, as the caller who asked for the ticket, if its token is still active. A ticket that has
/// opened a stream opens only that one again.
pub async fn redeem(maidan: &Maidan, text: &str, stream: &str, address: IpAddr) -> Result<(Caller, Lease)> {
    let ticket = match is_secret(text, STREAM_TICKET) {
        true => maidan.store.redeem_ticket(&hash_of(text), stream, At::now(), resumable()).await?,
        false => None,
    };
    let known = match &ticket {
        Some(ticket) => principal_of(maidan, &ticket.token_hash, ticket.is_app).await?,
        None => None,
    };
    let (Some(ticket), Some((principal, until))) = (ticket, known) else {
        audit::failed_authentication(address);
        maidan.rates.charge_wrong_token(address)?;
        return Err(Error::Unauthenticated("The ticket is unknown or expired, or has opened another stream."));
    };
    let principal = match (ticket.act_as, principal) {
        (Some(id), Principal::App(app)) => Principal::Player(own_player(maidan, &app, id).await?),
        (_, principal) => principal,
    };
    let caller = Caller {
        principal,
        address,
        by_app: ticket.is_app,
        token_hash: Some(ticket.token_hash),
        until,
        prepaid: false,
    };
    Ok((caller, Lease { hash: ticket.hash, opening: ticket.openings }))
}

/// The token in an Authorization header.
fn bearer_in(header: &str) -> Result<&str> {
    let scheme = header.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("Bearer "));
    scheme.map(|_| header[7..].trim()).ok_or(Error::Unauthenticated(
        "The Authorization header must be the word Bearer, a space, and the token: Authorization: Bearer mdn_…",
    ))
}

/// The hash of a token, and whether it is an app's key. Malformed tokens never reach the database.
fn token_in(token: &str) -> Option<(Vec<u8>, bool)> {
    let is_app = is_secret(token, APP_KEY);
    (is_app || is_secret(token, PLAYER_TOKEN)).then(|| (hash_of(token), is_app))
}

/// The principal of an active token, and when the token expires.
async fn principal_of(maidan: &Maidan, hash: &[u8], is_app: bool) -> Result<Option<(Principal, Option<At>)>> {
    let now = At::now();
    if let Some((principal, until)) = maidan.tokens.get(hash) {
        return Ok(until.is_none_or(|until| until > now).then_some((principal, until)));
    }
    let lookup = maidan.tokens.lookup();
    let known = if is_app {
        maidan.store.app_by_key(hash).await?.map(|app| (Principal::App(app), None))
    } else {
        let known = maidan.store.player_by_token(hash, now).await?;
        known.map(|(player, until)| (Principal::Player(player), until))
    };
    if let Some(known) = &known {
        maidan.tokens.put(&lookup, hash.to_vec(), known.clone());
    }
    Ok(known)
}

const INACTIVE_TOKEN: &str = "The token is unknown, expired or revoked.";

const NO_SUCH_PLAYER: Error = Error::NotFound("Your app has no such player.");

async fn own_player(maidan: &Maidan, app: &App, id: PlayerId) -> Result<Player> {
    let player = maidan.players(vec![id]).await?.pop();
    player.filter(|player| player.app_id == app.id && player.deleted_at.is_none()).ok_or(NO_SUCH_PLAYER)
}
