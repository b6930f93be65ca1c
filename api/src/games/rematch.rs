//! Playing again: the same people, kind and options, everybody one seat further on.

use domain::Seat;

use super::access::Relation;
use super::commit::commit;
use super::create::{CreateGame, mind_open_games, open};
use super::join::sit_down;
use super::play::ATTEMPTS;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{At, Sitter, Status, StoreError, StoredGame};

/// Asks for a rematch of a game that is over. Who asks first opens it, and the others come in by asking, too; for the
/// key of the app all sit down at once. However many ask at the same time, there is one.
pub async fn rematch(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    for _ in 0..ATTEMPTS {
        let before = Table::find(maidan, caller, id).await?;
        if before.relation == Relation::Watching {
            return Err(Error::Forbidden("A rematch is for those who sat at the table, and for their app."));
        }
        if before.stored.status != Status::Over {
            return Err(Error::Conflict("A rematch follows a game that is over.".into()));
        }
        if before.stored.origin.is_some() {
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

/// The rematches of these tables: each game with the one after it.
pub async fn rematches(maidan: &Maidan, tables: &[Table]) -> Result<Vec<(GameId, GameId)>> {
    let over = tables.iter().filter(|table| table.stored.status == Status::Over);
    let ids: Vec<GameId> = over.map(|table| table.stored.id).collect();
    Ok(maidan.store.rematches(&ids).await?)
}

/// Everybody moves on to the seat before, so that whoever sat in seat 1 sits in seat 0.
fn seat_again(before: &StoredGame, player: PlayerId) -> Option<Seat> {
    let seat =
        before.seating.iter().position(|sitter| sitter.as_ref().is_some_and(|sitter| sitter.player == player))?;
    Some(Seat::new(seat as u8).right(before.seats as u8))
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

/// Opens the rematch; `None` if somebody else was faster.
async fn open_again(maidan: &Maidan, caller: &Caller, before: &Table) -> Result<Option<Table>> {
    let people = maidan.store.players(&before.players().collect::<Vec<_>>()).await?;
    if people.iter().any(|player| player.deleted_at.is_some()) {
        return Err(Error::Conflict("There is no rematch: one of the players was deleted.".into()));
    }
    let seats = before.stored.seats as u8;
    let again = |seat: Seat| before.stored.seating[seat.left(seats).index()].as_ref().map(|sitter| sitter.player);
    let (seat, players) = match before.seat() {
        Some(own) => (Some(own.right(seats).number().into()), None),
        None => (None, Some(Seat::all(seats).map(again).collect())),
    };
    let ask = CreateGame {
        options: before.options()?,
        seats: Some(seats.into()),
        visibility: before.stored.visibility,
        seat,
        players,
        key: None,
        origin: None,
        rematch_of: Some(before.stored.id),
    };
    match open(maidan, caller, ask).await {
        Err(Error::Conflict(_)) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Sits down at a rematch that is open: the caller or, for the app, the next of those who are missing. `None` if there
/// is more to do.
async fn come_in(maidan: &Maidan, caller: &Caller, before: &Table, next: GameId) -> Result<Option<Table>> {
    let next = maidan.store.game(next).await?.filter(|next| next.status != Status::Cancelled);
    let Some(next) = next else { return Ok(None) };
    let own = before.seat().and_then(|seat| before.stored.seating[seat.index()].as_ref()).map(|sitter| sitter.player);
    let is_missing = |player: &PlayerId| next.seating.iter().flatten().all(|sitter| sitter.player != *player);
    let missing: Vec<PlayerId> =
        before.players().filter(|player| own.is_none_or(|own| own == *player)).filter(is_missing).collect();
    let (Some(player), Status::Open) = (missing.first(), next.status) else {
        return Table::seen_by(maidan, caller, next).await.map(Some);
    };
    if own.is_some() {
        mind_open_games(maidan, *player).await?;
    }
    let seat = seat_again(&before.stored, *player).map(|seat| seat.number().into());
    let sitter = Sitter { player: *player, client_seed: None };
    let change = sit_down(maidan, next, seat, sitter, At::now()).await?;
    match commit(maidan, change).await {
        Ok(Some(game)) if missing.len() == 1 => Table::seen_by(maidan, caller, game).await.map(Some),
        Ok(_) | Err(StoreError::Taken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
