//! Tickets: they open a stream for a client that can send no header with it.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::model::{At, Caller, Principal, Ticket};
use crate::secrets::{STREAM_TICKET, fresh_secret};
use crate::service::Maidan;

/// How long a ticket can be used. It travels in addresses, which end up in logs.
const LIFETIME: Duration = Duration::from_secs(30);

/// A new ticket. The text is shown this once.
pub struct IssuedTicket {
    pub ticket: String,
    pub expires_at: At,
}

/// Makes a ticket that opens one stream, once, at any replica, on behalf of the caller.
pub async fn issue_ticket(maidan: &Maidan, caller: &Caller) -> Result<IssuedTicket> {
    maidan.rates.charge(caller, Cost::Request)?;
    let no_token = || Error::Unauthenticated("Send a token: Authorization: Bearer … Without one no ticket is needed.");
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
