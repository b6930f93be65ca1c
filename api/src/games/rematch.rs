//! Playing again: the same people, kind and options, everybody one seat further on.

use domain::Seat;

use super::access::Relation;
use super::create::{CreateGame, check_open_games, open};
use super::join::sit_down;
use super::play::ATTEMPTS;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{At, Caller, Game, Sitter, Status, Stored};
use crate::service::Maidan;
use crate::store::StoreError;

/// Asks for a rematch of a game that is over. The first to ask opens it, the others join it by asking; for the app's key
/// everybody is seated at once. However many ask at the same time, there is one rematch.
pub async fn rematch(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.rates.charge(caller, Cost::Request)?;
    for _ in 0..ATTEMPTS {
        let before = Table::find(maidan, caller, id).await?;
        if before.relation == Relation::Watching {
            return Err(Error::Forbidden("A rematch is for those who sat at the table, and for their app."));
        }
        if before.game().status != Status::Over {
            return Err(Error::Conflict("A rematch follows a game that is over.".into()));
        }
        if before.game().origin.is_some() {
            return Err(Error::Conflict("A practice game has no rematch: branch again.".into()));
        }
        let next = maidan.store.rematches(&[id]).await?.pop();
        let answer = match next {
            None => open_again(maidan, caller, &before).await?,
            Some((_, next)) => come_in(maidan, caller, &before, next).await?,
        };
        if let Some(table) = answer {
            return Ok(table);
        }
    }
    Err(Error::Unavailable)
}

/// Everybody moves on to the seat before, so that whoever sat in seat 1 sits in seat 0.
fn seat_again(before: &Game, player: PlayerId) -> Option<Seat> {
    Some(before.seat_of(player)?.right(before.seats()))
}

/// The seat that is kept for a player at the rematch of a game, where it asks for one.
pub(super) async fn kept_seat(
    maidan: &Maidan,
    before: GameId,
    player: PlayerId,
    asked: Option<i32>,
) -> Result<Option<i32>> {
    let before = maidan.store.game(before).await?.ok_or(Error::Internal)?;
    let seat = seat_again(&before, player)
        .ok_or(Error::Forbidden("The seats of a rematch are kept for those who sat at the table before."))?;
    match asked {
        Some(other) if other != i32::from(seat.number()) => {
            Err(Error::Conflict(format!("The seat that is kept for you is seat {seat}.")))
        }
        _ => Ok(Some(seat.number().into())),
    }
}

/// Opens the rematch; `None` if another request did first.
async fn open_again(maidan: &Maidan, caller: &Caller, before: &Table) -> Result<Option<Table>> {
    let game = before.game();
    let people = maidan.store.players(&game.players().collect::<Vec<_>>()).await?;
    if people.iter().any(|player| player.deleted_at.is_some()) {
        return Err(Error::Conflict("There is no rematch: one of the players was deleted.".into()));
    }
    let seats = game.seats();
    let again = |seat: Seat| game.sitter(seat.left(seats)).map(|sitter| sitter.player);
    let (seat, players) = match before.seat() {
        Some(own) => (Some(own.right(seats).number().into()), None),
        None => (None, Some(Seat::all(seats).map(again).collect())),
    };
    let ask = CreateGame {
        options: before.options()?.clone(),
        rules_version: None,
        seats: Some(seats.into()),
        visibility: game.visibility,
        seat,
        players,
        key: None,
        origin: None,
        rematch_of: Some(game.id),
    };
    match open(maidan, caller, ask).await {
        Err(Error::Conflict(_)) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Joins an open rematch: the caller or, for the app, the next missing player. `None` if there is more to do.
async fn come_in(maidan: &Maidan, caller: &Caller, before: &Table, next: GameId) -> Result<Option<Table>> {
    let next = maidan.store.game(next).await?.filter(|next| next.status != Status::Cancelled);
    let Some(next) = next else { return Ok(None) };
    let own = before.seat().and_then(|seat| before.game().sitter(seat)).map(|sitter| sitter.player);
    let is_missing = |player: &PlayerId| next.seat_of(*player).is_none();
    let missing: Vec<PlayerId> =
        before.game().players().filter(|player| own.is_none_or(|own| own == *player)).filter(is_missing).collect();
    let (Some(player), Status::Open) = (missing.first(), next.status) else {
        return Table::load(maidan, caller, next).await.map(Some);
    };
    if own.is_some() {
        check_open_games(maidan, *player).await?;
    }
    let seat = seat_again(before.game(), *player).map(|seat| seat.number().into());
    let sitter = Sitter { player: *player, client_seed: None };
    let (change, sitting) = sit_down(maidan, next, seat, sitter, At::now()).await?;
    match maidan.commits.change(change, sitting.clone()).await {
        Ok(Stored::Yes) if missing.len() == 1 => Table::seen_by(maidan, caller, sitting).map(Some),
        Ok(_) | Err(StoreError::Taken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
