//! Stream tickets, for clients that cannot send headers when they open a stream.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::model::{At, Caller, Principal, Ticket};
use crate::secrets::{STREAM_TICKET, fresh_secret};
use crate::service::Maidan;

/// The lifetime of a ticket. It is short because tickets are part of URLs, which end up in logs.
const LIFETIME: Duration = Duration::from_secs(30);

/// A new ticket. It is shown only this once.
pub struct IssuedTicket {
    pub ticket: String,
    pub expires_at: At,
}

/// Issues a single-use ticket that opens one stream, at any replica, on behalf of the caller.
pub async fn issue_ticket(maidan: &Maidan, caller: &Caller) -> Result<IssuedTicket> {
    maidan.rates.charge(caller, Cost::Request)?;
    let no_token = || Error::Unauthenticated("Send a token: Authorization: Bearer … Anonymous callers need no ticket.");
    let token_hash = caller.token_hash.clone().ok_or_else(no_token)?;
    let act_as = match &caller.principal {
        Principal::Player(player) if caller.by_app => Some(player.id),
        _ => None,
    };
    let (text, hash) = fresh_secret(STREAM_TICKET);
    let expires_at = At::now().plus(LIFETIME);
    maidan.store.add_ticket(&Ticket { hash, token_hash, is_app: caller.by_app, act_as, expires_at }).await?;
    Ok(IssuedTicket { ticket: text, expires_at })
}
