//! The caller of a request.

use std::net::IpAddr;

use super::{App, At, IdempotencyKey, OwnedKey, Player};
use crate::error::{Error, Result};
use crate::ids::AppId;

/// The sender of a request, and its address.
#[derive(Clone, Debug)]
pub struct Caller {
    pub principal: Principal,
    pub address: IpAddr,
    /// Whether an app's key was sent.
    pub by_app: bool,
    /// The hash of the token or key. A stream is closed when it becomes inactive.
    pub token_hash: Option<Vec<u8>>,
    /// When the token expires; `None` if it never does.
    pub until: Option<At>,
    /// Whether the GraphQL document of this request has been charged, and its parts are not charged again.
    pub prepaid: bool,
}

#[derive(Clone, Debug)]
pub enum Principal {
    /// No token was sent.
    Anonymous,
    /// A player's token, or an app's key that acts as a player.
    Player(Player),
    /// An app's key.
    App(App),
}

impl Caller {
    /// The player, or a refusal if the caller is none.
    pub fn player(&self) -> Result<&Player> {
        match &self.principal {
            Principal::Player(player) => Ok(player),
            Principal::App(_) => Err(Error::Forbidden(
                "Only players can do this. To act as a player, an app sends the header Maidan-Act-As.",
            )),
            Principal::Anonymous => {
                Err(Error::Unauthenticated("Send a player's token: Authorization: Bearer mdn_ply_…"))
            }
        }
    }

    /// The idempotency key of a request that makes something. It belongs to the player or app, whatever the token.
    pub fn key(&self, key: &str, request: &str) -> Result<OwnedKey> {
        let owner = match &self.principal {
            Principal::Player(player) => player.id.0,
            Principal::App(app) => app.id.0,
            Principal::Anonymous => {
                return Err(Error::Unauthenticated("An idempotency key needs a token: Authorization: Bearer …"));
            }
        };
        Ok(OwnedKey { owner, key: IdempotencyKey::new(key, request)? })
    }

    /// Whether the caller is an app that acts for itself.
    pub fn is_app(&self) -> bool {
        matches!(self.principal, Principal::App(_))
    }

    /// The app that the caller belongs to.
    pub fn app_id(&self) -> Option<AppId> {
        match &self.principal {
            Principal::Player(player) => Some(player.app_id),
            Principal::App(app) => Some(app.id),
            Principal::Anonymous => None,
        }
    }
}
