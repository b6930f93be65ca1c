//! Leaving a game before its start, and cancelling one.

use std::sync::Arc;

use domain::Seat;

use super::access::Relation;
use super::play::ATTEMPTS;
use super::retry::{Done, repeated};
use super::table::Table;
use crate::audit;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{
    At, Caller, Change, EntryKind, Game, IdempotencyKey, NewEntry, SeatChange, Sitting, Status, Stored, Tag,
};
use crate::service::Maidan;

/// Leaves a game that has not started. If its opener leaves, the game is cancelled.
pub async fn leave(maidan: &Maidan, caller: &Caller, id: GameId, key: Option<String>) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    leave_seat(maidan, caller, id, key).await
}

/// Like `leave`, but not rate limited.
pub async fn leave_seat(maidan: &Maidan, caller: &Caller, id: GameId, key: Option<String>) -> Result<Done> {
    let player = caller.player()?.id;
    let key = key.map(|key| IdempotencyKey::new(&key, "leaveGame")).transpose()?;
    change(maidan, caller, id, key, |table| {
        let seat = table.own_seat()?;
        let game = table.game();
        if game.status != Status::Open {
            return Err(Error::Conflict("The game has started: resign instead of leaving.".into()));
        }
        let now = game.now();
        if game.opener == Some(player) {
            return Ok(cancelled(game, EntryKind::Left, Some(seat), now));
        }
        let mut left = Game { version: game.version.plus(1), tag: Tag::fresh(), changed_at: now, ..game.clone() };
        left.seating[seat] = None;
        Ok(Change {
            game: Arc::new(left),
            from: game.head(),
            outcome: None,
            seating: SeatChange::Freed { seat },
            entries: vec![NewEntry::about(EntryKind::Left, Some(seat), Some(player))],
            key: None,
            at: now,
        })
    })
    .await
}

/// Cancels a game. For its opener before the start, and for its app until the end.
pub async fn cancel(maidan: &Maidan, caller: &Caller, id: GameId, key: Option<String>) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let key = key.map(|key| IdempotencyKey::new(&key, "cancelGame")).transpose()?;
    let player = caller.player().ok().map(|player| player.id);
    let done = change(maidan, caller, id, key, |table| {
        let game = table.game();
        let is_opener = matches!(table.relation, Relation::Seated(_)) && game.opener.is_some() && game.opener == player;
        let cancelled = || {
            let mut change = cancelled(game, EntryKind::Cancelled, None, At::now());
            change.entries[0].player = player;
            Ok(change)
        };
        match (table.relation, game.status) {
            (_, Status::Over) => Err(Error::Conflict("The game is over.".into())),
            (_, Status::Cancelled) => Err(Error::Conflict("The game is already cancelled.".into())),
            (Relation::Owner, Status::Open | Status::Running) => cancelled(),
            (_, Status::Open) if is_opener => cancelled(),
            (_, Status::Open) => {
                Err(Error::Forbidden("Only the player who opened the game, or the app, may cancel it."))
            }
            (_, Status::Running) => Err(Error::Forbidden("Only the app may cancel a game that has started.")),
        }
    })
    .await?;
    if !done.repeated {
        audit::done!(caller, game = id, "game cancelled");
    }
    Ok(done)
}

/// The change that cancels an open or running game. If its opener leaves, the entry LEFT comes first.
pub fn cancelled(game: &Game, why: EntryKind, seat: Option<Seat>, at: At) -> Change {
    let at = at.max(game.changed_at);
    let mut entries = match why {
        EntryKind::Left => {
            vec![NewEntry::about(EntryKind::Left, seat, game.opener), NewEntry::about(EntryKind::Cancelled, None, None)]
        }
        why => vec![NewEntry::about(why, seat, None)],
    };
    entries.iter_mut().for_each(|entry| entry.ply = game.ply);
    let cancelled = Game {
        version: game.version.plus(entries.len()),
        tag: Tag::fresh(),
        changed_at: at,
        status: Status::Cancelled,
        to_act: domain::Seats::NONE,
        decisions: game.decisions.map(|_| None),
        ended_at: Some(at),
        ..game.clone()
    };
    Change {
        game: Arc::new(cancelled),
        from: game.head(),
        outcome: None,
        seating: SeatChange::Unchanged,
        entries,
        key: None,
        at,
    }
}

async fn change(
    maidan: &Maidan,
    caller: &Caller,
    id: GameId,
    key: Option<IdempotencyKey>,
    decide: impl Fn(&Table) -> Result<Change>,
) -> Result<Done> {
    for _ in 0..ATTEMPTS {
        // A player who has left a private game no longer sees it, but a retry must get its answer.
        let table = Table::find(maidan, caller, id).await;
        if let Some(done) = repeated(maidan, caller, id, key.as_ref()).await? {
            return Ok(done);
        }
        let table = table?;
        let mut change = decide(&table)?;
        change.entries[0].key.clone_from(&key);
        let sitting = Sitting::new(Arc::clone(&change.game));
        if maidan.commits.change(change, sitting.clone()).await? == Stored::Yes {
            // A player who leaves a private game still gets this last state of it.
            return Ok(Done::now(Table::seen_by(maidan, caller, sitting.clone()).unwrap_or_else(|_| Table {
                sitting,
                relation: match table.relation {
                    Relation::Seated(_) => Relation::Watching,
                    relation => relation,
                },
            })));
        }
    }
    Err(Error::Unavailable)
}
