//! Deleting a player: erases its name, external id and tokens, then leaves or resigns all its games. The games stay.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use uuid::Uuid;

use super::players::{NO_SUCH_PLAYER, own_player};
use crate::audit;
use crate::error::{Error, Result};
use crate::games::{leave_seat, resign_seat};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{At, Caller, Player, Principal};
use crate::service::Maidan;

/// The most games, or players, of one query.
const PAGE_SIZE: i64 = 100;

/// How long after a deletion `finish_deletions` still looks for games of the player.
const FINISHED_WITHIN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Deletes a player. For its app and the player itself. Idempotent.
pub async fn delete_player(maidan: &Maidan, caller: &Caller, id: PlayerId) -> Result<()> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = own_player(maidan, caller, id).await?;
    audit::done!(caller, player = id, "player deleted");
    delete(maidan, player).await
}

/// Deletes any player. For the operator.
pub async fn delete_any_player(maidan: &Maidan, id: PlayerId) -> Result<()> {
    let player = maidan.store.players(&[id]).await?.pop().ok_or(NO_SUCH_PLAYER)?;
    delete(maidan, player).await
}

/// Finishes interrupted deletions: removes deleted players from open and running games.
pub async fn finish_deletions(maidan: &Maidan) -> Result<()> {
    for player in maidan.store.deleted_in_games(At::now().minus(FINISHED_WITHIN), PAGE_SIZE).await? {
        leave_games(maidan, player).await?;
    }
    Ok(())
}

async fn delete(maidan: &Maidan, player: Player) -> Result<()> {
    // Revokes the tokens first, so that the player cannot join further games.
    maidan.store.delete_player(player.id, At::now()).await?;
    maidan.forget_player(player.id);
    leave_games(maidan, player).await
}

async fn leave_games(maidan: &Maidan, player: Player) -> Result<()> {
    let id = player.id;
    let address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let caller = Caller {
        principal: Principal::Player(player),
        address,
        by_app: false,
        token_hash: None,
        until: None,
        prepaid: false,
    };
    let mut after = GameId(Uuid::nil());
    loop {
        let games = maidan.store.games_still_on(id, after, PAGE_SIZE).await?;
        let Some(last) = games.last() else { return Ok(()) };
        after = *last;
        for game in games {
            leave_game(maidan, &caller, game).await?;
        }
    }
}

/// Leaves a game that has not started, resigns one that has.
async fn leave_game(maidan: &Maidan, caller: &Caller, game: GameId) -> Result<()> {
    let left = match leave_seat(maidan, caller, game, None).await {
        Err(Error::Conflict(_)) => resign_seat(maidan, caller, game, None).await.map(drop),
        left => left.map(drop),
    };
    match left {
        // The player has already resigned, or the game has ended since.
        Err(Error::NotYourTurn(_) | Error::GameOver(_) | Error::Conflict(_) | Error::Forbidden(_)) => Ok(()),
        left => left,
    }
}
