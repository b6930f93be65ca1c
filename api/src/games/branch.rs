//! Going on, for practice, from a position of a finished game.

use domain::Record;

use super::create::{CreateGame, create};
use super::history::after;
use super::table::{Table, entropy_of};
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{Origin, Status, Visibility};

/// What somebody asks for who branches a game.
pub struct BranchGame {
    pub game: GameId,
    /// After which ply of it.
    pub ply: i32,
    /// As that of the game, if left out.
    pub visibility: Option<Visibility>,
    /// Where the brancher sits down; seat 0 if it does not say.
    pub seat: Option<i32>,
    /// Whom an app seats, in seat order; `None` leaves a seat open.
    pub players: Option<Vec<Option<PlayerId>>>,
    pub key: Option<String>,
}

/// Opens a practice game. It starts, like any other, when its last seat is taken.
pub async fn branch(maidan: &Maidan, caller: &Caller, ask: BranchGame) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let parent = Table::find(maidan, caller, ask.game).await?;
    parent.mind_rules()?;
    if parent.stored.status != Status::Over {
        return Err(Error::Conflict("A game can be branched when it is over.".into()));
    }
    let (ply, last) = (ask.ply, parent.stored.ply);
    if !(0..=last).contains(&ply) {
        return Err(Error::InvalidInput(format!("The game has the plies 0 to {last}; there is no ply {ply}.")));
    }
    let visibility = ask.visibility.unwrap_or(parent.stored.visibility);
    if parent.stored.visibility == Visibility::Private && visibility == Visibility::Public {
        return Err(Error::Forbidden("A branch of a private game is private: it tells about that game."));
    }
    let depth = parent.stored.origin.as_ref().map_or(0, |origin| origin.depth) + 1;
    if depth as usize > Record::MOST_BRANCHES {
        let most = Record::MOST_BRANCHES;
        return Err(Error::LimitReached(format!("{most} games stand behind this one; that is the limit.")));
    }
    // Whether anything can go on from there; the real draw is made when the branch starts.
    after(&*maidan.store, &parent.stored, parent.kind, ply).await?.branch(&entropy_of(&parent.stored)?)?;
    let ask = CreateGame {
        options: parent.options()?,
        seats: Some(parent.stored.seats.into()),
        visibility,
        seat: ask.seat,
        players: ask.players,
        key: ask.key,
        rematch_of: None,
        origin: Some(Origin { game: parent.stored.id, ply, depth }),
    };
    create(maidan, caller, ask).await
}
