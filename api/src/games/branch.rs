//! Branching: a practice game from a position of a finished game.

use domain::Record;

use super::create::{CreateGame, NewSeat, create, default_seats};
use super::history::after;
use super::retry::Done;
use super::table::{Table, check_rules};
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{BotSettings, Caller, Origin, Status, Visibility};
use crate::service::Maidan;

/// A request to branch a game.
pub struct BranchGame {
    pub game: GameId,
    /// The ply after which the branch begins.
    pub ply: i32,
    /// By default that of the parent game.
    pub visibility: Option<Visibility>,
    /// The seats in order: as many as the parent game has.
    pub seats: Option<Vec<NewSeat>>,
    pub bots: BotSettings,
    pub key: Option<String>,
}

/// Opens a practice game. It starts, like any other, when its last seat is taken.
pub async fn branch(maidan: &Maidan, caller: &Caller, ask: BranchGame) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let parent = Table::find(maidan, caller, ask.game).await?;
    let game = parent.game();
    check_rules(game)?;
    if game.status != Status::Over {
        return Err(Error::Conflict("A game can be branched only after it is over.".into()));
    }
    let (asked, last) = (ask.ply, game.ply);
    let ply = u32::try_from(asked)
        .ok()
        .filter(|ply| *ply <= last)
        .ok_or_else(|| Error::InvalidInput(format!("ply must be 0 to {last}, not {asked}.")))?;
    let count = game.seats();
    let seats = ask.seats.unwrap_or_else(|| default_seats(caller, count));
    if seats.len() != usize::from(count) {
        return Err(Error::InvalidInput(format!("The game has {count} seats; the list has {}.", seats.len())));
    }
    let visibility = ask.visibility.unwrap_or(game.visibility);
    if game.visibility == Visibility::Private && visibility == Visibility::Public {
        return Err(Error::Forbidden("A branch of a private game must be private, because it reveals that game."));
    }
    let depth = game.origin.map_or(0, |origin| origin.depth) + 1;
    if depth as usize > Record::MOST_BRANCHES {
        let most = Record::MOST_BRANCHES;
        return Err(Error::LimitReached(format!("A branch can have at most {most} ancestors.")));
    }
    // Checks that the game can be branched there. The branch redraws hidden information itself when it starts.
    maidan.rates.charge(caller, Cost::Replay)?;
    after(&maidan.store, game, ply).await?.branch(&game.entropy())?;
    let ask = CreateGame {
        options: game.options()?,
        rules_version: Some(game.rules_version),
        seats: Some(seats),
        visibility,
        bots: ask.bots,
        key: ask.key,
        external_id: None,
        metadata: None,
        rematch_of: None,
        origin: Some(Origin { game: game.id, ply, depth }),
    };
    create(maidan, caller, ask).await
}
