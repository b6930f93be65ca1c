//! Deleting a player: name, external id and tokens go at once; then it leaves or resigns all its games, which stay.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use uuid::Uuid;

use super::players::{NO_SUCH_PLAYER, own_player};
use crate::error::{Error, Result};
use crate::games::{leave_seat, resign_seat};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{At, Caller, Player, Principal};
use crate::service::Maidan;

/// How many games, or players, are looked at together.
const AT_ONCE: i64 = 100;

/// For how long after a deletion it is made sure that the player has left its games.
const CHECKED_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Deletes a player: its app, or the player itself. Repeating it does no harm.
pub async fn delete_player(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<()> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = own_player(maidan, caller, id).await?;
    delete(maidan, player).await
}

/// Deletes any player, for the operator.
pub async fn delete_any_player(maidan: &Maidan, id: PlayerId) -> Result<()> {
    let player = maidan.store.players(&[id]).await?.pop().ok_or(NO_SUCH_PLAYER)?;
    delete(maidan, player).await
}

/// Finishes deletions that were interrupted: removes deleted players from games that are still on.
pub async fn finish_deletions(maidan: &Maidan) -> Result<()> {
    for player in maidan.store.deleted_in_games(At::now().minus(CHECKED_FOR), AT_ONCE).await? {
        leave_games(maidan, player).await?;
    }
    Ok(())
}

async fn delete(maidan: &Maidan, player: Player) -> Result<()> {
    // First of all, so that the player begins nothing new.
    maidan.store.delete_player(player.id, At::now()).await?;
    maidan.forget_player(player.id);
    leave_games(maidan, player).await
}

async fn leave_games(maidan: &Maidan, player: Player) -> Result<()> {
    let id = player.id;
    let address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let caller = Caller { principal: Principal::Player(player), address, by_app: false, token_hash: None, until: None };
    let mut after = GameId(Uuid::nil());
    loop {
        let games = maidan.store.games_still_on(id, after, AT_ONCE).await?;
        let Some(last) = games.last() else { return Ok(()) };
        after = *last;
        for game in games {
            leave_game(maidan, &caller, game).await?;
        }
    }
}

/// Leaves a game that has not started, resigns one that has.
async fn leave_game(maidan: &Maidan, caller: &Caller, game: GameId) -> Result<()> {
    let left = match leave_seat(maidan, caller, game).await {
        Err(Error::Conflict(_)) => resign_seat(maidan, caller, game, None).await.map(drop),
        left => left.map(drop),
    };
    match left {
        // It has resigned before, or the game has ended since.
        Err(Error::NotYourTurn(_) | Error::GameOver(_) | Error::Conflict(_) | Error::Forbidden(_)) => Ok(()),
        left => left,
    }
}
