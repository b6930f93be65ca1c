//! Idempotency keys: repeating a request with the same key does not execute it again.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{At, Version};
use crate::error::{Error, Result};

/// An idempotency key. Its scope is one game and one player for a change of a game, and one player or app for
/// everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub key: String,
    /// A hash of the request, so that the key cannot be used for another one.
    pub hash: Vec<u8>,
}

impl IdempotencyKey {
    /// The key of a request. Two requests with the same text are the same request.
    pub fn new(key: &str, request: &str) -> Result<IdempotencyKey> {
        let fits = (1..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        if !fits {
            return Err(Error::InvalidInput("An idempotency key must have 1 to 64 visible ASCII characters.".into()));
        }
        Ok(IdempotencyKey { key: key.into(), hash: Sha256::digest(request.as_bytes()).to_vec() })
    }

    /// The key of a bot's decision: the version that it was made on. It has a space, so that no request can use it.
    pub fn of_bot(decided_on: Version, notation: &str) -> IdempotencyKey {
        IdempotencyKey { key: format!("bot {decided_on}"), hash: Sha256::digest(notation.as_bytes()).to_vec() }
    }

    /// Refuses the key if the earlier request that used it was another one.
    pub fn check(&self, earlier: Option<&[u8]>) -> Result<()> {
        if earlier == Some(&self.hash) { Ok(()) } else { Err(Error::KeyReused) }
    }
}

/// The key of a request that makes something, and the player or app that sent it.
#[derive(Clone, Debug)]
pub struct OwnedKey {
    pub owner: Uuid,
    pub key: IdempotencyKey,
}

/// The object that an earlier request with a key made.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The hash of the request.
    pub hash: Vec<u8>,
    /// The id of the object; `None` for a ticket.
    pub object: Option<Uuid>,
    pub at: At,
}
