//! Tickets: what opens a stream for a client that cannot send a header with it.

use std::time::Duration;

use crate::app::Maidan;
use crate::auth::{self, Caller, Principal};
use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::store::{At, Ticket};

/// How long a ticket waits to be used. It travels in addresses, which get written down in many places.
const LIFETIME: Duration = Duration::from_secs(30);

/// A ticket that was just made. The text is shown this once.
pub struct IssuedTicket {
    pub ticket: String,
    pub expires_at: At,
}

/// Makes a ticket that opens one stream, once, at any replica, as the one who asks for it.
pub async fn issue_ticket(maidan: &Maidan, caller: &Caller) -> Result<IssuedTicket> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let nobody = || Error::Unauthenticated("Send a token: Authorization: Bearer … Without one no ticket is needed.");
    let token_hash = caller.token_hash.clone().ok_or_else(nobody)?;
    let act_as = match &caller.principal {
        Principal::Player(player) if caller.by_app => Some(player.id),
        _ => None,
    };
    let (text, hash) = auth::fresh_secret(auth::STREAM_TICKET);
    let expires_at = At::now().plus(LIFETIME);
    maidan.store.add_ticket(&Ticket { hash, token_hash, is_app: caller.by_app, act_as, expires_at }).await?;
    Ok(IssuedTicket { ticket: text, expires_at })
}
