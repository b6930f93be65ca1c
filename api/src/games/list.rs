//! Lists of games, counts and inboxes.

use super::access::scope;
use super::snapshot::Snapshot;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{Caller, GameFilter, Player};
use crate::service::Maidan;
use crate::store::GamePage;

/// Counts stop here: an exact count of more games would be slow, and nobody pages through them.
pub const MOST_COUNTED: i64 = 10_000;

/// A page of games, and whether more follow.
pub struct Page {
    pub games: Vec<Snapshot>,
    pub has_more: bool,
}

pub async fn list(
    maidan: &Maidan,
    caller: &Caller,
    filter: GameFilter,
    first: Option<i32>,
    after: Option<&str>,
) -> Result<Page> {
    maidan.rates.charge(caller, Cost::Request)?;
    let size = page_size(maidan, first)?;
    let after = read_cursor(after)?;
    let mut games = match visible(maidan, caller, filter, i64::from(size) + 1).await? {
        Some(page) => maidan.store.games(&GamePage { after, ..page }).await?,
        None => Vec::new(),
    };
    let has_more = games.len() > usize::from(size);
    games.truncate(size.into());
    let tables = Table::load_all(maidan, caller, games).await?;
    Ok(Page { games: Snapshot::of_all(maidan, tables).await?, has_more })
}

/// The number of games that the caller may see, and whether it is exact: counts stop at [`MOST_COUNTED`].
pub async fn count(maidan: &Maidan, caller: &Caller, filter: GameFilter) -> Result<(i64, bool)> {
    maidan.rates.charge(caller, Cost::Request)?;
    let counted = match visible(maidan, caller, filter, MOST_COUNTED + 1).await? {
        Some(page) => maidan.store.count_games(&page).await?,
        None => 0,
    };
    Ok((counted.min(MOST_COUNTED), counted <= MOST_COUNTED))
}

/// A page within the caller's scope. `None` if the filter names a player that the caller may not know.
pub(super) async fn visible(
    maidan: &Maidan,
    caller: &Caller,
    filter: GameFilter,
    limit: i64,
) -> Result<Option<GamePage>> {
    let (app, scope) = scope(maidan, caller)?;
    let GameFilter { player, opponent, result, .. } = filter;
    if player.is_none() && (opponent.is_some() || result.is_some()) {
        return Err(Error::InvalidInput("opponentId and result require playerId.".into()));
    }
    if player.is_some() && player == opponent {
        return Err(Error::InvalidInput("opponentId must differ from playerId.".into()));
    }
    let own = caller.player().ok().map(|player| player.id);
    let others: Vec<PlayerId> = [player, opponent].into_iter().flatten().filter(|id| Some(*id) != own).collect();
    let found = maidan.store.players(&others).await?;
    let is_known = |id: &PlayerId| {
        found.iter().any(|player: &Player| player.id == *id && player.app_id == app && player.deleted_at.is_none())
    };
    if !others.iter().all(is_known) {
        return Ok(None);
    }
    Ok(Some(GamePage { app, scope, filter, after: None, limit }))
}

/// The games that wait for the caller, oldest first.
pub async fn inbox(maidan: &Maidan, caller: &Caller, first: Option<i32>, after: Option<&str>) -> Result<Page> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let size = page_size(maidan, first)?;
    let mut games = maidan.store.inbox(player, read_cursor(after)?, i64::from(size) + 1).await?;
    let has_more = games.len() > usize::from(size);
    games.truncate(size.into());
    let tables = Table::load_all(maidan, caller, games).await?;
    Ok(Page { games: Snapshot::of_all(maidan, tables).await?, has_more })
}

/// Reads the cursor of a list: the last game of the previous page.
pub(super) fn read_cursor(after: Option<&str>) -> Result<Option<GameId>> {
    let unreadable = || Error::InvalidInput("after is not a cursor of this list.".into());
    after.map(|cursor| cursor.parse().map_err(|_| unreadable())).transpose()
}

/// Checks the size of a page; 20 by default.
pub fn page_size(maidan: &Maidan, first: Option<i32>) -> Result<u16> {
    let most = maidan.limits.max_page;
    match first.map(u16::try_from) {
        None => Ok(most.min(20)),
        Some(Ok(first)) if (1..=most).contains(&first) => Ok(first),
        _ => Err(Error::InvalidInput(format!("first must be 1 to {most}."))),
    }
}
