//! Making a move: exactly once, stored before anybody hears of it.

use std::sync::Arc;

use domain::{AnyEvent, AnyGame, AnyMove, AnyStep, Seat};

use super::commit::commit_sitting;
use super::create::{idempotency_key, key_was_used_otherwise};
use super::table::{Table, entropy_of};
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::store::{Change, Entry, IdempotencyKey, Status, StoreError};

/// How often a decision is taken again that somebody else's was faster than.
pub const ATTEMPTS: usize = 8;

/// A move as a client sends it.
pub enum Choice {
    Structured(AnyMove),
    Notation(String),
}

pub struct PlayMove {
    pub game: GameId,
    pub choice: Choice,
    /// The version on which the player decided. A decision that opened later is not meant.
    pub expected_version: Option<i32>,
    pub key: Option<String>,
}

/// What a move came to.
pub struct Played {
    /// The version that the move reached.
    pub version: i32,
    /// What everybody saw happen.
    pub events: Vec<AnyEvent>,
    /// Whether this answers a request that had been carried out before.
    pub repeated: bool,
    /// The game as it is now.
    pub table: Table,
}

pub async fn play(maidan: &Maidan, caller: &Caller, ask: PlayMove) -> Result<Played> {
    maidan.buckets.charge(caller, Cost::Move)?;
    act(maidan, caller, ask.game, ask.key.as_deref(), |table, seat| {
        let mv = ask.choice.read(table)?;
        Ok((format!("move {mv}"), Deed::Move(seat, mv, ask.expected_version)))
    })
    .await
}

/// Gives up the caller's seat.
pub async fn resign(maidan: &Maidan, caller: &Caller, game: GameId, key: Option<String>) -> Result<Played> {
    maidan.buckets.charge(caller, Cost::Move)?;
    give_up(maidan, caller, game, key).await
}

pub(super) async fn give_up(maidan: &Maidan, caller: &Caller, game: GameId, key: Option<String>) -> Result<Played> {
    act(maidan, caller, game, key.as_deref(), |_, seat| Ok(("resign".to_string(), Deed::Resign(seat)))).await
}

/// What a seat does.
enum Deed {
    Move(Seat, AnyMove, Option<i32>),
    Resign(Seat),
}

async fn act(
    maidan: &Maidan,
    caller: &Caller,
    game: GameId,
    key: Option<&str>,
    read: impl Fn(&Table, Seat) -> Result<(String, Deed)>,
) -> Result<Played> {
    // The table as it was last seen here saves the look: storing confirms that it still stands so. What would be
    // refused there may be right by now, or may have been done before.
    if let Some(seen) = maidan.sittings.get(&game) {
        let decided = Table::at(maidan, caller, seen).and_then(|table| {
            let seat = table.own_seat()?;
            let (asked, deed) = read(&table, seat)?;
            let key = key.map(|key| idempotency_key(key, &asked)).transpose()?;
            decide(table, deed, key)
        });
        if let Ok(decision) = decided
            && let Some(played) = decision.store(maidan).await?
        {
            return Ok(played);
        }
    }
    for _ in 0..ATTEMPTS {
        let table = Table::find(maidan, caller, game).await?;
        let seat = table.own_seat()?;
        let (asked, deed) = read(&table, seat)?;
        let key = key.map(|key| idempotency_key(key, &asked)).transpose()?;
        // Before any refusal: a retry must not be told that it is not its turn any more.
        if let Some(entry) = done_before(maidan, &table, seat, key.as_ref()).await? {
            if entry.version > table.stored.version {
                // The same request was carried out since the table was looked at: the answer shows what came of it.
                continue;
            }
            let events = table.kind.load_events(entry.events.get())?;
            return Ok(Played { version: entry.version, events, repeated: true, table });
        }
        if let Some(played) = decide(table, deed, key)?.store(maidan).await? {
            return Ok(played);
        }
    }
    Err(Error::Unavailable)
}

/// What comes of a deed by the rules, not yet stored.
struct Decision {
    table: Table,
    next: AnyGame,
    steps: Vec<AnyStep>,
    change: Change,
}

fn decide(table: Table, deed: Deed, key: Option<IdempotencyKey>) -> Result<Decision> {
    let mut next: AnyGame = table.started()?.clone();
    let entropy = entropy_of(&table.stored)?;
    let steps = match deed {
        Deed::Move(seat, mv, expected) => {
            mind_version(&table, seat, expected)?;
            next.play(seat, &mv, &entropy)?
        }
        Deed::Resign(seat) => next.resign(seat, &entropy)?,
    };
    let change = table.after_steps(&next, &steps, key)?;
    Ok(Decision { table, next, steps, change })
}

impl Decision {
    /// Stores it. `None` if somebody else was faster, perhaps this very request by another way: look again, decide
    /// again.
    async fn store(self, maidan: &Maidan) -> Result<Option<Played>> {
        let Decision { mut table, next, mut steps, change } = self;
        let version = change.from_version + 1;
        table.latest = maidan.news.is_followed(change.game.id).then(|| change.log().into());
        table.stored = Arc::clone(&change.game);
        table.game = Some(Arc::new(next));
        match commit_sitting(maidan, change, table.sitting()).await {
            Ok(true) => {}
            Ok(false) | Err(StoreError::Taken(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        metrics::counter!("maidan_moves_total", "kind" => table.kind.name()).increment(1);
        let events = steps.swap_remove(0).events;
        Ok(Some(Played { version, events, repeated: false, table }))
    }
}

async fn done_before(
    maidan: &Maidan,
    table: &Table,
    seat: Seat,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Entry>> {
    let Some(key) = key else { return Ok(None) };
    match maidan.store.entry_by_key(table.stored.id, seat.number().into(), &key.key).await? {
        Some(entry) if entry.key_hash.as_deref() != Some(key.hash.as_slice()) => Err(key_was_used_otherwise()),
        entry => Ok(entry),
    }
}

/// A player who decided on an older version may have meant another decision. What others chose since does not matter.
fn mind_version(table: &Table, seat: Seat, expected: Option<i32>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    if table.stored.status != Status::Running {
        return Ok(());
    }
    if expected > table.stored.version {
        let version = table.stored.version;
        return Err(Error::InvalidInput(format!(
            "expectedVersion is {expected}, but the game is at version {version}."
        )));
    }
    match table.decision_version(seat) {
        Some(opened) if expected < opened => Err(Error::Stale(format!(
            "Your present decision opened at version {opened}, after version {expected}. Look again."
        ))),
        _ => Ok(()),
    }
}

impl Choice {
    /// The move that is meant, if it is one of the table's kind.
    pub fn read(&self, table: &Table) -> Result<AnyMove> {
        match self {
            Choice::Structured(mv) if mv.kind() != table.kind => {
                Err(Error::InvalidInput(format!("This is a move of {}; the game is {}.", mv.kind(), table.kind)))
            }
            Choice::Structured(mv) => Ok(mv.clone()),
            Choice::Notation(text) => {
                table.kind.read_move(text).map_err(|unreadable| Error::InvalidInput(unreadable.to_string()))
            }
        }
    }
}
