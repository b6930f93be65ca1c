//! A finished game as one portable document, and many of them, one after another.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::{Kind, Origin, Record, RecordedMove};
use serde_json::Value;

use super::history::act_of;
use super::list::{WhichGames, filter, read_cursor};
use super::table::{Table, seed_of};
use crate::app::Maidan;
use crate::auth::{Caller, Principal};
use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::store::{GameFilter, Made, Status, Store, StoredGame};

/// The record of a game that is over. It names nobody: who sat where is not part of what the game follows from.
pub async fn record(maidan: &Maidan, table: &Table) -> Result<Record> {
    if table.stored.status != Status::Over {
        return Err(Error::Conflict("A game has its record when it is over.".into()));
    }
    told(&*maidan.store, &table.stored, table.kind).await
}

/// A finished game as it is told.
async fn told(store: &dyn Store, stored: &StoredGame, kind: Kind) -> Result<Record> {
    let outcome = store.outcome(stored.id).await?;
    told_up_to(store, stored, kind, stored.ply, outcome).await
}

async fn told_up_to(
    store: &dyn Store,
    stored: &StoredGame,
    kind: Kind,
    ply: i32,
    outcome: Option<Value>,
) -> Result<Record> {
    let origin = match &stored.origin {
        None => None,
        Some(origin) => {
            let parent = store.game(origin.game).await?.ok_or(Error::Internal)?;
            let record = Box::pin(told_up_to(store, &parent, kind, origin.ply, None)).await?;
            Some(Origin { ply: origin.ply as u32, record: Box::new(record) })
        }
    };
    let made = store.made(stored.id, ply, stored.version).await?;
    let (seed, id) = (seed_of(stored)?, stored.id.to_string());
    let hex = |text: &String| text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let record = Record {
        format: Record::FORMAT,
        kind,
        rules_version: stored.rules_version as u32,
        options: stored.options.0.clone(),
        seats: stored.seats as u8,
        commitment: Some(seed.commitment(&id)),
        game_id: Some(id),
        seed,
        client_seeds: stored.seating.iter().map(|sitter| sitter.as_ref()?.client_seed.as_ref().map(hex)).collect(),
        origin,
        moves: made.iter().map(|made| step(kind, made)).collect::<Option<_>>().ok_or(Error::Internal)?,
        outcome,
        hash: None,
    };
    // Chaining a long game takes a while: others are served meanwhile.
    actix_web::rt::task::spawn_blocking(|| record.sealed()).await.map_err(|_| Error::Internal)
}

fn step(kind: Kind, made: &Made) -> Option<RecordedMove> {
    let (seat, act) = act_of(kind, made)?;
    Some(RecordedMove { at: Some(made.at.0.to_string()), ..RecordedMove::of(seat, &act) })
}

/// The most records of one answer, and how many it has if nobody says.
const MOST: usize = 10_000;
const USUAL: usize = 1_000;
/// How many games are held at a time, while records are made one by one.
const AT_ONCE: i64 = 20;

/// Records on their way, newest game first. No more than a page of games and one record are held at a time.
pub struct Export {
    maidan: Arc<Maidan>,
    /// `None` if it is about somebody who is not there.
    filter: Option<GameFilter>,
    page: VecDeque<StoredGame>,
    left: usize,
}

/// The records of an app's own games, by the filter of the list of games.
pub async fn export(
    maidan: Arc<Maidan>,
    caller: &Caller,
    which: WhichGames,
    first: Option<i32>,
    after: Option<String>,
) -> Result<Export> {
    maidan.buckets.charge(caller, Cost::Request)?;
    match &caller.principal {
        Principal::App(_) => {}
        Principal::Player(_) => return Err(Error::Forbidden("Only an app exports the records of its games.")),
        Principal::Anonymous => {
            return Err(Error::Unauthenticated("Send your app's key: Authorization: Bearer mdn_app_…"));
        }
    }
    if which.status.is_some_and(|status| status != Status::Over) {
        return Err(Error::InvalidInput("Only games that are OVER have a record.".into()));
    }
    let left = match first.map(usize::try_from) {
        None => USUAL,
        Some(Ok(first)) if (1..=MOST).contains(&first) => first,
        _ => return Err(Error::InvalidInput(format!("first must be 1 to {MOST}."))),
    };
    let after = read_cursor(after)?;
    let filter = filter(&maidan, caller, WhichGames { status: Some(Status::Over), ..which }, AT_ONCE).await?;
    let filter = filter.map(|filter| GameFilter { after, ..filter });
    let mut export = Export { maidan, filter, page: VecDeque::new(), left };
    // Here and not while it streams: a database that is away can still be told.
    export.turn_page().await?;
    Ok(export)
}

impl Export {
    pub async fn next(&mut self) -> Result<Option<Record>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.page.is_empty() {
            self.turn_page().await?;
        }
        let Some(stored) = self.page.pop_front() else { return Ok(None) };
        self.left -= 1;
        let kind: Kind = stored.kind.parse().map_err(|_| Error::Internal)?;
        told(&*self.maidan.store, &stored, kind).await.map(Some)
    }

    async fn turn_page(&mut self) -> Result<()> {
        let Some(filter) = &mut self.filter else { return Ok(()) };
        self.page = self.maidan.store.games(filter).await?.into();
        if let Some(last) = self.page.back() {
            filter.after = Some(last.id);
        }
        Ok(())
    }
}
