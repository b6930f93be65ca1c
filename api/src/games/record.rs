//! Records: a finished game as one portable document, and the export of many.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::bot::Level;
use domain::{Entry, Kind, Origin, Record, Seat};
use serde_json::Value;

use super::history::act_of;
use super::list::{read_cursor, visible};
use super::table::Table;
use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::model::{Caller, Game, GameFilter, PlayedEntry, Principal, Status};
use crate::service::Maidan;
use crate::store::{GamePage, Store};

/// The record of a finished game. It names no players.
pub async fn record(maidan: &Maidan, caller: &Caller, table: &Table) -> Result<Record> {
    if table.game().status != Status::Over {
        return Err(Error::Conflict("The record is available only after the game is over.".into()));
    }
    maidan.rates.charge(caller, Cost::Replay)?;
    record_of(&maidan.store, table.game()).await
}

/// The record of a game that is over, whoever asks.
pub async fn record_of(store: &Store, game: &Game) -> Result<Record> {
    let outcome = store.outcome(game.id).await?;
    record_up_to(store, game, game.ply, outcome).await
}

async fn record_up_to(store: &Store, game: &Game, ply: u32, outcome: Option<Value>) -> Result<Record> {
    let origin = match &game.origin {
        None => None,
        Some(origin) => {
            let parent = store.game(origin.game).await?.ok_or(Error::Internal)?;
            let record = Box::pin(record_up_to(store, &parent, origin.ply, None)).await?;
            Some(Origin { ply: origin.ply, record: Box::new(record) })
        }
    };
    let played = store.played_entries(game.id, ply, game.version).await?;
    let (seed, id) = (game.seed.clone(), game.id.to_string());
    let hex = |text: &String| text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let record = Record {
        format: Record::FORMAT,
        kind: game.kind,
        rules_version: game.rules_version,
        options: serde_json::from_str(game.options.get())?,
        seats: game.seats(),
        commitment: Some(seed.commitment(&id)),
        game_id: Some(id),
        seed,
        client_seeds: Seat::all(game.seats()).map(|seat| game.sitter(seat)?.client_seed.as_ref().map(hex)).collect(),
        bots: bots_of(game),
        stand_in: game.bots.stand_in.map(level_of),
        origin,
        moves: Vec::new(),
        entries: played.iter().map(|entry| recorded(game.kind, entry)).collect::<Option<_>>().ok_or(Error::Internal)?,
        outcome,
        hash: None,
    };
    // Hashing a long game takes a while: it must not block other requests.
    tokio::task::spawn_blocking(|| record.sealed()).await.map_err(|_| Error::Internal)
}

/// The levels of the bots in seat order; empty if there are none.
fn bots_of(game: &Game) -> Vec<Option<u32>> {
    if !game.is_with_bots() {
        return Vec::new();
    }
    Seat::all(game.seats()).map(|seat| game.occupant(seat)?.bot().map(level_of)).collect()
}

fn level_of(level: Level) -> u32 {
    level.number().into()
}

fn recorded(kind: Kind, entry: &PlayedEntry) -> Option<Entry> {
    let act = act_of(kind, entry)?;
    Some(Entry { at: Some(entry.at.0.to_string()), ..Entry::of(entry.seat, &act) })
}

/// The most records of one export, and the default.
const MOST: usize = 10_000;
const DEFAULT: usize = 1_000;
/// The number of games per query.
const PAGE_SIZE: i64 = 20;

/// An export in progress, newest game first. It holds one page of games and one record at a time.
pub struct Export {
    maidan: Arc<Maidan>,
    /// `None` if the filter names a player that the app does not have.
    page: Option<GamePage>,
    games: VecDeque<Game>,
    left: usize,
}

/// Exports the records of an app's games, with the filters of the list of games.
pub async fn export(
    maidan: Arc<Maidan>,
    caller: &Caller,
    filter: GameFilter,
    first: Option<i32>,
    after: Option<String>,
) -> Result<Export> {
    maidan.rates.charge(caller, Cost::Request)?;
    match &caller.principal {
        Principal::App(_) => {}
        Principal::Player(_) => return Err(Error::Forbidden("Only an app may export records.")),
        Principal::Anonymous => {
            return Err(Error::Unauthenticated("Send your app's key: Authorization: Bearer mdn_app_…"));
        }
    }
    if filter.status.is_some_and(|status| status != Status::Over) {
        return Err(Error::InvalidInput("Only games with status OVER have records.".into()));
    }
    maidan.rates.charge(caller, Cost::Replay)?;
    let left = match first.map(usize::try_from) {
        None => DEFAULT,
        Some(Ok(first)) if (1..=MOST).contains(&first) => first,
        _ => return Err(Error::InvalidInput(format!("first must be 1 to {MOST}."))),
    };
    let after = read_cursor(after.as_deref())?;
    let filter = GameFilter { status: Some(Status::Over), ..filter };
    let page = visible(&maidan, caller, filter, PAGE_SIZE).await?.map(|page| GamePage { after, ..page });
    let mut export = Export { maidan, page, games: VecDeque::new(), left };
    // Before the stream begins, so that an unavailable database is still reported as an error.
    export.turn_page().await?;
    Ok(export)
}

impl Export {
    pub async fn next(&mut self) -> Result<Option<Record>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.games.is_empty() {
            self.turn_page().await?;
        }
        let Some(game) = self.games.pop_front() else { return Ok(None) };
        self.left -= 1;
        record_of(&self.maidan.store, &game).await.map(Some)
    }

    async fn turn_page(&mut self) -> Result<()> {
        let Some(page) = &mut self.page else { return Ok(()) };
        self.games = self.maidan.store.games(page).await?.into();
        if let Some(last) = self.games.back() {
            page.after = Some(last.id);
        }
        Ok(())
    }
}
