//! Deleting a player: who it was is forgotten at once; then it gets up from every table. Its games stay.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use uuid::Uuid;

use super::leave::get_up;
use super::play::give_up;
use super::players::{NO_SUCH_PLAYER, own_player};
use crate::app::Maidan;
use crate::auth::{Caller, Principal};
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{At, Player};

/// How many games, or players, are looked at in one go.
const AT_ONCE: i64 = 100;

/// For how long it is looked after that deleted players have got up.
const LOOKED_AFTER: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Deletes a player: its app, or the player itself. To ask again does no harm.
pub async fn delete_player(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<()> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = own_player(maidan, caller, id).await?;
    forget(maidan, player).await
}

/// Deletes any player, for the operator.
pub async fn delete_any_player(maidan: &Maidan, id: PlayerId) -> Result<()> {
    let player = maidan.store.players(&[id]).await?.pop().ok_or(NO_SUCH_PLAYER)?;
    forget(maidan, player).await
}

/// Lets deleted players get up who still sit at tables because something came between; says how many there were.
pub async fn see_off_the_deleted(maidan: &Maidan) -> Result<usize> {
    let players = maidan.store.deleted_at_tables(At::now().minus(LOOKED_AFTER), AT_ONCE).await?;
    let count = players.len();
    for player in players {
        get_up_everywhere(maidan, player).await?;
    }
    Ok(count)
}

async fn forget(maidan: &Maidan, player: Player) -> Result<()> {
    // First of all, so that the player begins nothing new.
    maidan.store.delete_player(player.id, At::now()).await?;
    maidan.forget_player(player.id);
    get_up_everywhere(maidan, player).await
}

async fn get_up_everywhere(maidan: &Maidan, player: Player) -> Result<()> {
    let id = player.id;
    let address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let gone = Caller { principal: Principal::Player(player), address, by_app: false, token_hash: None, until: None };
    let mut after = GameId(Uuid::nil());
    loop {
        let games = maidan.store.games_still_on(id, after, AT_ONCE).await?;
        let Some(last) = games.last() else { return Ok(()) };
        after = *last;
        for game in games {
            get_up_from(maidan, &gone, game).await?;
        }
    }
}

/// Leaves a game that has not started, resigns one that has.
async fn get_up_from(maidan: &Maidan, gone: &Caller, game: GameId) -> Result<()> {
    let left = match get_up(maidan, gone, game).await {
        Err(Error::Conflict(_)) => give_up(maidan, gone, game, None).await.map(drop),
        left => left.map(drop),
    };
    match left {
        // It has resigned before, or the game has ended since.
        Err(Error::NotYourTurn(_) | Error::GameOver(_) | Error::Conflict(_) | Error::Forbidden(_)) => Ok(()),
        left => left,
    }
}
