//! Lists of games, newest first, in pages; and the games that wait for a player.

use domain::Kind;

use super::access::sight;
use super::players::known;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{At, GameFilter, GameResult, Status};

/// How far games are counted. Nobody reads on to the end of a longer list, and counting it would take long.
pub const COUNTED: i64 = 10_000;

/// What somebody looks for.
#[derive(Default)]
pub struct WhichGames {
    pub kind: Option<Kind>,
    pub status: Option<Status>,
    pub player: Option<PlayerId>,
    pub opponent: Option<PlayerId>,
    pub result: Option<GameResult>,
    pub is_practice: Option<bool>,
    pub created_from: Option<At>,
    pub created_before: Option<At>,
    pub ended_from: Option<At>,
    pub ended_before: Option<At>,
}

/// Some games, and whether older ones follow.
pub struct Page {
    pub tables: Vec<Table>,
    pub has_more: bool,
}

pub async fn list(
    maidan: &Maidan,
    caller: &Caller,
    which: WhichGames,
    first: Option<i32>,
    after: Option<String>,
) -> Result<Page> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let size = page_size(maidan, first)?;
    let after = read_cursor(after)?;
    let mut games = match filter(maidan, caller, which, size as i64 + 1).await? {
        Some(filter) => maidan.store.games(&GameFilter { after, ..filter }).await?,
        None => Vec::new(),
    };
    let has_more = games.len() > size;
    games.truncate(size);
    let tables = Table::all_seen_by(maidan, caller, games).await?;
    Ok(Page { tables, has_more })
}

/// How many games there are of those that the caller may see. What is more than [`COUNTED`] is not told.
pub async fn count(maidan: &Maidan, caller: &Caller, which: WhichGames) -> Result<(i64, bool)> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let counted = match filter(maidan, caller, which, COUNTED + 1).await? {
        Some(filter) => maidan.store.count_games(&filter).await?,
        None => 0,
    };
    Ok((counted.min(COUNTED), counted <= COUNTED))
}

/// The question as the store understands it; `None` if it is about somebody whom the caller cannot know.
pub(super) async fn filter(
    maidan: &Maidan,
    caller: &Caller,
    which: WhichGames,
    limit: i64,
) -> Result<Option<GameFilter>> {
    let (app_id, visible_to) = sight(maidan, caller)?;
    let WhichGames { kind, status, player, opponent, result, is_practice, .. } = which;
    if player.is_none() && (opponent.is_some() || result.is_some()) {
        return Err(Error::InvalidInput("opponentId and result are those of a player: give playerId, too.".into()));
    }
    if player.is_some() && player == opponent {
        return Err(Error::InvalidInput("opponentId must be somebody else than playerId.".into()));
    }
    let own = caller.player().ok().map(|player| player.id);
    let others: Vec<PlayerId> = [player, opponent].into_iter().flatten().filter(|id| Some(*id) != own).collect();
    match known(maidan, caller, &others).await {
        Ok(_) => {}
        Err(Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    Ok(Some(GameFilter {
        app_id,
        visible_to,
        player,
        opponent,
        kind: kind.map(|kind| kind.name().to_string()),
        status,
        result,
        is_practice,
        created_from: which.created_from,
        created_before: which.created_before,
        ended_from: which.ended_from,
        ended_before: which.ended_before,
        after: None,
        limit,
    }))
}

/// The games that wait for the caller, the oldest first.
pub async fn inbox(maidan: &Maidan, caller: &Caller) -> Result<Page> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let size = usize::from(maidan.limits.max_page);
    let mut games = maidan.store.inbox(player, size as i64 + 1).await?;
    let has_more = games.len() > size;
    games.truncate(size);
    let tables = Table::all_seen_by(maidan, caller, games).await?;
    Ok(Page { tables, has_more })
}

/// Where the page before ended.
pub(super) fn read_cursor(after: Option<String>) -> Result<Option<GameId>> {
    let unreadable = || Error::InvalidInput("after is no cursor of this list.".into());
    after.map(|cursor| cursor.parse().map_err(|_| unreadable())).transpose()
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
