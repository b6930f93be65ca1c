//! Permissions: decides who may see a game, and as which viewer. Nothing else does.

use domain::Seat;

use crate::error::{Error, Result};
use crate::ids::AppId;
use crate::model::{Caller, Game, Principal, Scope, Visibility};
use crate::service::Maidan;

/// The caller's relation to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The player of this seat.
    Seated(Seat),
    /// A spectator.
    Watching,
    /// The app that owns the game: a spectator that may cancel it.
    Owner,
}

pub const NO_SUCH_GAME: Error = Error::NotFound("There is no such game.");

/// The caller's relation to the game. `NotFound` if the caller may not see it.
pub fn relation(maidan: &Maidan, caller: &Caller, game: &Game) -> Result<Relation> {
    let is_public = game.visibility == Visibility::Public;
    match &caller.principal {
        Principal::App(app) if app.id == game.app => Ok(Relation::Owner),
        Principal::Player(player) if player.app_id == game.app => match game.seat_of(player.id) {
            Some(seat) => Ok(Relation::Seated(seat)),
            None if is_public => Ok(Relation::Watching),
            None => Err(NO_SUCH_GAME),
        },
        Principal::Anonymous if is_public && maidan.guests == Some(game.app) => Ok(Relation::Watching),
        _ => Err(NO_SUCH_GAME),
    }
}

/// The games that lists show the caller: their app and scope.
pub fn scope(maidan: &Maidan, caller: &Caller) -> Result<(AppId, Scope)> {
    match &caller.principal {
        Principal::App(app) => Ok((app.id, Scope::All)),
        Principal::Player(player) => Ok((player.app_id, Scope::PublicAndOwn(player.id))),
        Principal::Anonymous => match maidan.guests {
            Some(guests) => Ok((guests, Scope::Public)),
            None => Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
        },
    }
}
