//! Making a move: exactly once, and committed before anyone is notified.

use std::sync::Arc;

use domain::{AnyEvent, AnyGame, AnyMove, Seat};

use super::access::Relation;
use super::retry::done_before;
use super::snapshot::Snapshot;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{Caller, Change, IdempotencyKey, Sitting, Status, Stored, Version};
use crate::service::Maidan;
use crate::store::StoreError;

/// How often a decision is retried after losing the compare-and-set.
pub const ATTEMPTS: usize = 8;

/// A move as a client sends it.
pub enum Choice {
    Structured(AnyMove),
    Notation(String),
}

pub struct PlayMove {
    pub game: GameId,
    pub choice: Choice,
    /// The version that the player decided on. The move is stale if the decision opened later.
    pub expected_version: Option<i32>,
    pub key: Option<String>,
}

/// The result of a move.
pub struct Played {
    /// The version after the move.
    pub version: Version,
    /// The events that everyone at the table sees.
    pub events: Arc<[AnyEvent]>,
    /// Whether an earlier request with the same idempotency key made the move.
    pub repeated: bool,
    /// The game as it is now.
    pub game: Snapshot,
}

pub async fn play(maidan: &Maidan, caller: &Caller, ask: PlayMove) -> Result<Played> {
    maidan.rates.charge(caller, Cost::Move)?;
    act(maidan, caller, ask.game, ask.key.as_deref(), |table, seat| {
        let mv = ask.choice.read(table)?;
        Ok((format!("move {mv}"), Action::Move(seat, mv, ask.expected_version.map(Version))))
    })
    .await
}

/// Resigns the caller's seat.
pub async fn resign(maidan: &Maidan, caller: &Caller, game: GameId, key: Option<String>) -> Result<Played> {
    maidan.rates.charge(caller, Cost::Move)?;
    resign_seat(maidan, caller, game, key).await
}

/// Like `resign`, but not rate limited.
pub async fn resign_seat(maidan: &Maidan, caller: &Caller, game: GameId, key: Option<String>) -> Result<Played> {
    act(maidan, caller, game, key.as_deref(), |_, seat| Ok(("resign".to_string(), Action::Resign(seat)))).await
}

/// The action of a seat.
enum Action {
    Move(Seat, AnyMove, Option<Version>),
    Resign(Seat),
}

async fn act(
    maidan: &Maidan,
    caller: &Caller,
    game: GameId,
    key: Option<&str>,
    read: impl Fn(&Table, Seat) -> Result<(String, Action)>,
) -> Result<Played> {
    // Deciding on the cached game saves a read: the compare-and-set confirms its version. A refusal is not final here:
    // the cached game may be outdated, or this may be a retry.
    if let Some(cached) = maidan.games.get(&game) {
        let decided = Table::seen_by(maidan, caller, cached).and_then(|table| {
            let seat = table.own_seat()?;
            let (asked, action) = read(&table, seat)?;
            let key = key.map(|key| IdempotencyKey::new(key, &asked)).transpose()?;
            decide(&table, action, key)
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
        let (asked, action) = read(&table, seat)?;
        let key = key.map(|key| IdempotencyKey::new(key, &asked)).transpose()?;
        // Before any refusal: a retry must get its result, not NOT_YOUR_TURN.
        let player = caller.player()?.id;
        if let Some(entry) = done_before(maidan, table.game(), Some(player), key.as_ref()).await? {
            if entry.version > table.game().version {
                // A concurrent retry made the move after the table was read: read it again, to show the result.
                continue;
            }
            let game = Snapshot::of(maidan, table).await?;
            return Ok(Played { version: entry.version, events: entry.events, repeated: true, game });
        }
        if let Some(played) = decide(&table, action, key)?.store(maidan).await? {
            return Ok(played);
        }
    }
    Err(Error::Unavailable)
}

/// An action that the rules allow, not yet stored.
struct Decision {
    seat: Seat,
    change: Change,
    /// The game after the change.
    sitting: Sitting,
}

fn decide(table: &Table, action: Action, key: Option<IdempotencyKey>) -> Result<Decision> {
    let mut position: AnyGame = table.started()?.clone();
    let entropy = table.game().entropy();
    let (seat, steps) = match action {
        Action::Move(seat, mv, expected) => {
            check_version(table, seat, expected)?;
            (seat, position.play(seat, &mv, &entropy)?)
        }
        Action::Resign(seat) => (seat, position.resign(seat, &entropy)?),
    };
    let (change, sitting) = table.after_steps(position, steps, key)?;
    Ok(Decision { seat, change, sitting })
}

impl Decision {
    /// Stores the decision. `None` after a lost compare-and-set, perhaps against a retry of the same request: load the
    /// game and decide again.
    async fn store(self, maidan: &Maidan) -> Result<Option<Played>> {
        let Decision { seat, change, sitting } = self;
        let (version, events) = (change.from.version.plus(1), Arc::clone(&change.entries[0].events));
        let Some(sitting) = store(maidan, change, sitting).await? else { return Ok(None) };
        metrics::counter!("maidan_moves_total", "kind" => sitting.game.kind.name()).increment(1);
        let table = Table { sitting, relation: Relation::Seated(seat) };
        let game = Snapshot::of(maidan, table).await?;
        Ok(Some(Played { version, events, repeated: false, game }))
    }
}

/// Stores a change that the rules allow. Returns the game after it, or `None` after a lost compare-and-set.
pub(super) async fn store(maidan: &Maidan, change: Change, mut sitting: Sitting) -> Result<Option<Sitting>> {
    if maidan.topics.is_followed(sitting.game.id) {
        sitting = sitting.with_latest(change.from, &change.log());
    }
    match maidan.commits.change(change, sitting.clone()).await {
        Ok(Stored::Yes) => Ok(Some(sitting)),
        Ok(Stored::Overtaken) | Err(StoreError::Taken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Refuses a move if the seat's decision opened after the version that the player decided on. Choices of other seats
/// since then do not matter.
fn check_version(table: &Table, seat: Seat, expected: Option<Version>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    let (status, version) = (table.game().status, table.game().version);
    if status != Status::Running {
        return Ok(());
    }
    if expected > version {
        return Err(Error::InvalidInput(format!(
            "expectedVersion is {expected}, but the game is at version {version}."
        )));
    }
    match table.decision_version(seat) {
        Some(opened) if expected < opened => Err(Error::Stale(format!(
            "Your current decision opened at version {opened}, after expectedVersion {expected}. Load the game again."
        ))),
        _ => Ok(()),
    }
}

impl Choice {
    /// Reads the move. It must be of the table's kind.
    pub fn read(&self, table: &Table) -> Result<AnyMove> {
        let kind = table.game().kind;
        match self {
            Choice::Structured(mv) if mv.kind() != kind => {
                Err(Error::InvalidInput(format!("The move is for {}, but the game is {kind}.", mv.kind())))
            }
            Choice::Structured(mv) => Ok(mv.clone()),
            Choice::Notation(text) => {
                kind.read_move(text).map_err(|unreadable| Error::InvalidInput(unreadable.to_string()))
            }
        }
    }
}
