//! Lists of games, newest first, in pages; and the games that wait for a player.

use domain::Kind;

use super::access::sight;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{At, GameFilter, Status};

/// What somebody looks for.
#[derive(Default)]
pub struct ListGames {
    pub kind: Option<Kind>,
    pub status: Option<Status>,
    pub player: Option<PlayerId>,
    pub created_from: Option<At>,
    pub created_before: Option<At>,
    pub first: Option<i32>,
    pub after: Option<String>,
}

/// Some games, and whether older ones follow.
pub struct Page {
    pub tables: Vec<Table>,
    pub has_more: bool,
}

pub async fn list(maidan: &Maidan, caller: &Caller, ask: ListGames) -> Result<Page> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let size = page_size(maidan, ask.first)?;
    let filter = filter_of(maidan, caller, ask, size as i64 + 1)?;
    let mut games = maidan.store.games(&filter).await?;
    let has_more = games.len() > size;
    games.truncate(size);
    let tables = games.into_iter().map(|stored| Table::seen_by(maidan, caller, stored)).collect::<Result<_>>()?;
    Ok(Page { tables, has_more })
}

/// What the store is asked for, so that the caller finds what it looks for and may see.
pub fn filter_of(maidan: &Maidan, caller: &Caller, ask: ListGames, limit: i64) -> Result<GameFilter> {
    let (app_id, visible_to) = sight(maidan, caller)?;
    let after: Option<GameId> = ask
        .after
        .map(|cursor| cursor.parse().map_err(|_| Error::InvalidInput("after is no cursor of this list.".into())))
        .transpose()?;
    Ok(GameFilter {
        app_id,
        visible_to,
        player: ask.player,
        kind: ask.kind.map(|kind| kind.name().to_string()),
        status: ask.status,
        created_from: ask.created_from,
        created_before: ask.created_before,
        after,
        limit,
    })
}

/// The games that wait for the caller, the oldest first.
pub async fn inbox(maidan: &Maidan, caller: &Caller) -> Result<Page> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let size = usize::from(maidan.limits.max_page);
    let mut games = maidan.store.inbox(player, size as i64 + 1).await?;
    let has_more = games.len() > size;
    games.truncate(size);
    let tables = games.into_iter().map(|stored| Table::seen_by(maidan, caller, stored)).collect::<Result<_>>()?;
    Ok(Page { tables, has_more })
}

/// How many items a page has.
pub fn page_size(maidan: &Maidan, first: Option<i32>) -> Result<usize> {
    let most = usize::from(maidan.limits.max_page);
    match first.map(usize::try_from) {
        None => Ok(most.min(20)),
        Some(Ok(first)) if (1..=most).contains(&first) => Ok(first),
        _ => Err(Error::InvalidInput(format!("first must be 1 to {most}."))),
    }
}
