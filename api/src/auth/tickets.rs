//! Stream tickets, for clients that cannot send headers when they open a stream.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::model::{At, Caller, OwnedKey, Principal, Ticket};
use crate::secrets::{STREAM_TICKET, fresh_secret};
use crate::service::Maidan;
use crate::store::StoreError;

/// The lifetime of an unused ticket. It is short because tickets are part of URLs, which end up in logs.
const LIFETIME: Duration = Duration::from_secs(30);

/// How long a ticket may resume its stream after the stream was last open.
const RESUMABLE: Duration = Duration::from_secs(120);
/// How often an open stream renews its ticket.
pub const RENEWAL: Duration = Duration::from_secs(30);

/// The expiry of a ticket whose stream is open now, and renews it in time.
pub(super) fn resumable() -> At {
    At::now().plus(RENEWAL + RESUMABLE)
}

/// The claim of an open stream to its ticket.
pub struct Lease {
    pub(super) hash: Vec<u8>,
    /// The number of this opening of the stream.
    pub(super) opening: i32,
}

impl Lease {
    /// Keeps the ticket valid. Returns whether the stream still holds it: a later opening of the same stream takes over.
    pub async fn renew(&self, maidan: &Maidan) -> bool {
        match maidan.store.renew_ticket(&self.hash, self.opening, resumable()).await {
            Ok(is_held) => is_held,
            Err(error) => {
                tracing::debug!(%error, "failed to renew a stream ticket; the next renewal may succeed");
                true
            }
        }
    }
}

/// A new ticket. It is shown only this once.
pub struct IssuedTicket {
    /// `None` if the request is repeated: only a hash of the ticket is stored.
    pub ticket: Option<String>,
    pub expires_at: At,
    /// Whether an earlier request with the same idempotency key issued it.
    pub repeated: bool,
}

/// Issues a ticket that opens one stream, at any replica, on behalf of the caller, and resumes it.
pub async fn issue_ticket(maidan: &Maidan, caller: &Caller, key: Option<&str>) -> Result<IssuedTicket> {
    maidan.rates.charge(caller, Cost::Request)?;
    let no_token = || Error::Unauthenticated("Send a token: Authorization: Bearer … Anonymous callers need no ticket.");
    let token_hash = caller.token_hash.clone().ok_or_else(no_token)?;
    let act_as = match &caller.principal {
        Principal::Player(player) if caller.by_app => Some(player.id),
        _ => None,
    };
    let key = key.map(|key| caller.key(key, "createStreamTicket")).transpose()?;
    if let Some(issued) = issued_before(maidan, key.as_ref()).await? {
        return Ok(issued);
    }
    let (text, hash) = fresh_secret(STREAM_TICKET);
    let now = At::now();
    let expires_at = now.plus(LIFETIME);
    let ticket = Ticket { hash, token_hash, is_app: caller.by_app, act_as, expires_at, openings: 0 };
    match maidan.store.add_ticket(&ticket, key.as_ref(), now).await {
        Ok(()) => Ok(IssuedTicket { ticket: Some(text), expires_at, repeated: false }),
        // A concurrent retry of the same request won.
        Err(StoreError::Taken(_)) => issued_before(maidan, key.as_ref()).await?.ok_or(Error::Internal),
        Err(error) => Err(error.into()),
    }
}

async fn issued_before(maidan: &Maidan, key: Option<&OwnedKey>) -> Result<Option<IssuedTicket>> {
    let earlier = maidan.creation(key).await?;
    Ok(earlier.map(|earlier| IssuedTicket { ticket: None, expires_at: earlier.at.plus(LIFETIME), repeated: true }))
}
