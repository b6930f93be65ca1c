//! Who may see a game, and as whom. The one place that decides it.

use domain::Seat;

use crate::app::Maidan;
use crate::auth::{Caller, Principal};
use crate::error::{Error, Result};
use crate::store::{Sight, StoredGame, Visibility};

/// What a caller is to a game.
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

/// What the caller is to the game. A game that it may not see does not exist for it.
pub fn relation(maidan: &Maidan, caller: &Caller, game: &StoredGame) -> Result<Relation> {
    let is_public = game.visibility == Visibility::Public;
    match &caller.principal {
        Principal::App(app) if app.id == game.app_id => Ok(Relation::Owner),
        Principal::Player(player) if player.app_id == game.app_id => {
            let seat =
                game.seating.iter().position(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.player == player.id));
            match seat {
                Some(seat) => Ok(Relation::Seated(Seat::new(seat as u8))),
                None if is_public => Ok(Relation::Watching),
                None => Err(NO_SUCH_GAME),
            }
        }
        Principal::Anonymous if is_public && maidan.guests == Some(game.app_id) => Ok(Relation::Watching),
        _ => Err(NO_SUCH_GAME),
    }
}

/// Which games of which app a list shows the caller.
pub fn sight(maidan: &Maidan, caller: &Caller) -> Result<(crate::ids::AppId, Sight)> {
    match &caller.principal {
        Principal::App(app) => Ok((app.id, Sight::All)),
        Principal::Player(player) => Ok((player.app_id, Sight::PublicAndOwn(player.id))),
        Principal::Anonymous => match maidan.guests {
            Some(guests) => Ok((guests, Sight::Public)),
            None => Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
        },
    }
}
