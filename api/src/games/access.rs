//! Who may see a game, and as whom. The one place that decides it.

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
    /// Somebody who may watch.
    Watching,
    /// The key of the app that owns the game: watches everything, may cancel.
    Owner,
}

pub const NO_SUCH_GAME: Error = Error::NotFound("There is no such game.");

/// The caller's relation to the game. A game that it may not see does not exist for it.
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

/// Which games of which app a list shows the caller.
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
