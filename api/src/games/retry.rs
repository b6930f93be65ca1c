//! Retries: a request that was executed before is not executed again.

use std::sync::Arc;

use domain::Seats;
use domain::bot::Level;

use super::access::{Relation, relation};
use super::table::Table;
use crate::error::Result;
use crate::ids::{GameId, PlayerId};
use crate::model::{Caller, Entry, EntryKind, Game, IdempotencyKey, Occupant, Sitter, Sitting, Status, Version};
use crate::service::Maidan;

/// The game that a request opened or changed.
pub struct Done {
    pub table: Table,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
}

impl Done {
    pub(super) fn now(table: Table) -> Done {
        Done { table, repeated: false }
    }

    pub(super) fn before(table: Table) -> Done {
        Done { table, repeated: true }
    }
}

/// The entry that an earlier request of the player with this key wrote; without a player, a request of the app. Refuses
/// a key that was used for another request.
pub async fn done_before(
    maidan: &Maidan,
    game: &Game,
    player: Option<PlayerId>,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Entry>> {
    let Some(key) = key else { return Ok(None) };
    let entry = maidan.store.entry_by_key(game.id, game.kind, player, &key.key).await?;
    entry.map(|entry| key.check(entry.key_hash.as_deref()).map(|()| entry)).transpose()
}

/// The answer to a change of a game that an earlier request with this key made. Call it after reading the game that the
/// change is decided on: if a concurrent retry makes the change later, the compare-and-set fails.
pub async fn repeated(
    maidan: &Maidan,
    caller: &Caller,
    id: GameId,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Done>> {
    if key.is_none() {
        return Ok(None);
    }
    let player = caller.player().ok().map(|player| player.id);
    let Some(game) = maidan.store.game(id).await?.filter(|game| caller.app_id() == Some(game.app)) else {
        return Ok(None);
    };
    let Some(entry) = done_before(maidan, &game, player, key).await? else { return Ok(None) };
    // A concurrent retry may have made the change after the game was read.
    let game = match entry.version > game.version {
        true => maidan.store.game(id).await?,
        false => Some(game),
    };
    let Some(game) = game else { return Ok(None) };
    if relation(maidan, caller, &game).is_ok() {
        return Table::load(maidan, caller, game).await.map(Done::before).map(Some);
    }
    // The player has left a private game: it gets the game of its first answer, and nothing of what happened since.
    let game = before_start(maidan, game, entry.version).await?;
    let relation = player.and_then(|player| game.seat_of(player)).map_or(Relation::Watching, Relation::Seated);
    Ok(Some(Done::before(Table { sitting: Sitting::new(Arc::new(game)), relation })))
}

/// The most entries that are read to find out who sat in a game.
const MOST_ENTRIES: i32 = 1000;

/// The player who took the seat of an entry JOINED.
fn occupant(entry: &Entry) -> Option<Occupant> {
    match (entry.bot, entry.player) {
        (Some(bot), _) => Level::new(bot.level).map(|level| Occupant::Bot { level }),
        (None, player) => player.map(|player| Occupant::Player(Sitter::of(player, false))),
    }
}

/// The game as it was at a version before its start.
async fn before_start(maidan: &Maidan, game: Game, version: Version) -> Result<Game> {
    let mut seating = game.seating.map(|_| None);
    let limit = version.0.min(MOST_ENTRIES);
    for entry in maidan.store.entries(game.id, game.kind, Version(version.0 - limit), limit.into()).await? {
        let Some(seat) = entry.seat else { continue };
        match entry.kind {
            EntryKind::Joined => seating[seat] = occupant(&entry),
            EntryKind::Left => seating[seat] = None,
            _ => {}
        }
    }
    Ok(Game {
        status: Status::Open,
        version,
        ply: 0,
        decisions: seating.map(|_| None),
        seating,
        position: None,
        to_act: Seats::NONE,
        started_at: None,
        ended_at: None,
        ..game
    })
}
