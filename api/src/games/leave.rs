//! Getting up before the start, and calling a game off.

use std::sync::Arc;

use super::access::Relation;
use super::commit::commit;
use super::play::ATTEMPTS;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::store::{At, Change, NewEntry, Seating, Status, StoredGame, What};

/// Leaves a game that has not started. When its opener leaves, it is called off.
pub async fn leave(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    get_up(maidan, caller, id).await
}

pub(super) async fn get_up(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    let player = caller.player()?.id;
    change(maidan, caller, id, |table| {
        let seat = table.own_seat()?;
        if table.stored.status != Status::Open {
            return Err(Error::Conflict("A game that has started is not left but resigned.".into()));
        }
        if table.stored.opener_id == Some(player) {
            return Ok(called_off(&table.stored, What::Left, Some(seat.number().into()), At::now()));
        }
        let mut game = StoredGame::clone(&table.stored);
        game.seating[seat.index()] = None;
        game.version += 1;
        Ok(Change {
            game: Arc::new(game),
            from_version: table.stored.version,
            outcome: None,
            seating: Seating::Freed { seat: seat.number().into() },
            entries: vec![NewEntry::about(What::Left, Some(seat.number().into()), Some(player))],
            at: At::now(),
        })
    })
    .await
}

/// Calls a game off: its opener before the start, its app at any time before the end.
pub async fn cancel(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    change(maidan, caller, id, |table| {
        let is_opener = matches!(table.relation, Relation::Seated(_))
            && table.stored.opener_id.is_some()
            && table.stored.opener_id == caller.player().ok().map(|player| player.id);
        match (table.relation, table.stored.status) {
            (_, Status::Over) => Err(Error::Conflict("The game is over.".into())),
            (_, Status::Cancelled) => Err(Error::Conflict("The game was cancelled already.".into())),
            (Relation::Owner, Status::Open | Status::Running) => {
                Ok(called_off(&table.stored, What::Cancelled, None, At::now()))
            }
            (_, Status::Open) if is_opener => Ok(called_off(&table.stored, What::Cancelled, None, At::now())),
            (_, Status::Open) => Err(Error::Forbidden("Only the opener or the app may cancel a game.")),
            (_, Status::Running) => Err(Error::Forbidden("Only the app may cancel a game that has started.")),
        }
    })
    .await
}

/// The change that ends an open or running game without a result. Somebody who left is told before the end.
pub fn called_off(stored: &StoredGame, why: What, seat: Option<i16>, at: At) -> Change {
    let mut entries = Vec::new();
    if why == What::Left {
        entries.push(NewEntry::about(What::Left, seat, stored.opener_id));
        entries.push(NewEntry::about(What::Cancelled, None, None));
    } else {
        entries.push(NewEntry::about(why, seat, None));
    }
    entries.iter_mut().for_each(|entry| entry.ply = stored.ply);
    let mut game = stored.clone();
    game.version += entries.len() as i32;
    game.status = Status::Cancelled;
    game.to_act = 0;
    game.decisions.iter_mut().for_each(|decision| *decision = None);
    game.ended_at = Some(at);
    Change {
        game: Arc::new(game),
        from_version: stored.version,
        outcome: None,
        seating: Seating::Unchanged,
        entries,
        at,
    }
}

async fn change(
    maidan: &Maidan,
    caller: &Caller,
    id: GameId,
    decide: impl Fn(&Table) -> Result<Change>,
) -> Result<Table> {
    for _ in 0..ATTEMPTS {
        let table = Table::find(maidan, caller, id).await?;
        let relation = table.relation;
        let change = decide(&table)?;
        if let Some(game) = commit(maidan, change).await? {
            // Whoever left a private game may see this last page of it.
            return match Table::seen_by(maidan, caller, Arc::clone(&game)).await {
                Err(_) if let Relation::Seated(_) = relation => Table::of(maidan, game, Relation::Watching).await,
                Err(_) => Table::of(maidan, game, relation).await,
                seen => seen,
            };
        }
    }
    Err(Error::Unavailable)
}
