//! Watches the token that opened a stream.

use crate::error::Error;
use crate::live::{Subscription, TOKEN_INACTIVE, Topic};
use crate::model::Caller;
use crate::service::Maidan;

/// Resolves when the token of a stream's caller expires or is revoked; never for anonymous callers.
pub struct TokenWatch(Option<Subscription>);

impl TokenWatch {
    pub fn over(maidan: &Maidan, caller: &Caller) -> TokenWatch {
        TokenWatch(caller.token_hash.clone().map(|hash| maidan.topics.subscribe(Topic::Token(hash))))
    }

    /// Waits until the token is no longer active.
    pub async fn ended(&mut self) -> Error {
        match &mut self.0 {
            None => std::future::pending().await,
            Some(token) => {
                while token.polled() != TOKEN_INACTIVE {
                    token.changed().await;
                }
                Error::Unauthenticated("The token of this stream has expired or been revoked.")
            }
        }
    }
}
