//! Watches the token that opened a stream, and its player.

use std::sync::Arc;

use super::identify::renew;
use crate::error::Error;
use crate::live::{INACTIVE, Subscription, Topic};
use crate::model::{Caller, Principal};
use crate::service::Maidan;

/// Resolves when the caller of a stream can no longer be identified: its token expires or is revoked, or its player is
/// deleted. Never for anonymous callers.
pub struct TokenWatch {
    maidan: Arc<Maidan>,
    caller: Caller,
    topics: Vec<Subscription>,
    /// Whether to identify the caller again. It may have changed between its identification and the subscription.
    is_due: bool,
}

impl TokenWatch {
    pub fn over(maidan: &Arc<Maidan>, caller: &Caller) -> TokenWatch {
        let token = caller.token_hash.clone().map(Topic::Token);
        let player = match &caller.principal {
            Principal::Player(player) => Some(Topic::Player(player.id)),
            Principal::App(_) | Principal::Anonymous => None,
        };
        let topics = token.into_iter().chain(player).map(|topic| maidan.topics.subscribe(topic)).collect();
        TokenWatch { maidan: Arc::clone(maidan), caller: caller.clone(), topics, is_due: true }
    }

    /// Waits until the caller can no longer be identified.
    pub async fn ended(&mut self) -> Error {
        loop {
            let is_inactive = self.topics.iter().any(|topic| topic.polled() == INACTIVE);
            if is_inactive || (self.is_due && !self.is_identified().await) {
                return Error::Unauthenticated("The token of this stream has expired or been revoked.");
            }
            self.is_due = false;
            self.changed().await;
            self.is_due = true;
        }
    }

    async fn is_identified(&self) -> bool {
        !matches!(renew(&self.maidan, &self.caller).await, Err(Error::Unauthenticated(_) | Error::NotFound(_)))
    }

    async fn changed(&mut self) {
        match self.topics.as_mut_slice() {
            [] => std::future::pending().await,
            [topic] => topic.changed().await,
            [token, player, ..] => tokio::select! {
                () = token.changed() => {}
                () = player.changed() => {}
            },
        }
    }
}
