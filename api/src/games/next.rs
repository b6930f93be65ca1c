//! The next decision of a player, which bots poll.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use super::table::Table;
use crate::auth::TokenWatch;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::live::Topic;
use crate::model::Caller;
use crate::service::Maidan;

/// A request for the next decision.
pub struct NextDecision {
    /// How many seconds to wait if no decision is open; 0 by default.
    pub wait: Option<i32>,
    /// Games to skip: a game in which the caller cannot or will not decide must not hold up the others.
    pub exclude: Vec<GameId>,
}

/// The game whose decision has waited for the caller the longest. Long poll: waits until there is one; `None` after the
/// timeout.
///
/// A queue, so no game starves: a decision that opens later comes after all that are open.
pub async fn next_decision(maidan: &Arc<Maidan>, caller: &Caller, ask: &NextDecision) -> Result<Option<Table>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let timeout = ask.timeout(maidan)?;
    let most = usize::from(maidan.limits.max_page);
    if ask.exclude.len() > most {
        return Err(Error::InvalidInput(format!("exclude can have at most {most} games.")));
    }
    // Before the first look, so that whatever opens after it wakes.
    let mut subscription = maidan.topics.subscribe(Topic::Inbox(player));
    let table = oldest(maidan, caller, player, &ask.exclude).await?;
    if table.is_some() || timeout.is_zero() {
        return Ok(table);
    }
    let _slot = maidan.stream_slots.take(caller)?;
    let mut closing = maidan.closing.subscribe();
    let mut token = TokenWatch::over(maidan, caller);
    let mut timeout = pin!(tokio::time::sleep(timeout));
    loop {
        tokio::select! {
            () = subscription.changed() => {}
            () = &mut timeout => return Ok(None),
            _ = closing.wait_for(|closing| *closing) => return Ok(None),
            ended = token.ended() => return Err(ended),
        }
        if let Some(table) = oldest(maidan, caller, player, &ask.exclude).await? {
            return Ok(Some(table));
        }
    }
}

impl NextDecision {
    fn timeout(&self, maidan: &Maidan) -> Result<Duration> {
        let most = maidan.limits.max_wait_seconds;
        match u32::try_from(self.wait.unwrap_or(0)) {
            Ok(seconds) if seconds <= most => Ok(Duration::from_secs(seconds.into())),
            _ => Err(Error::InvalidInput(format!("wait must be 0 to {most}."))),
        }
    }
}

async fn oldest(maidan: &Maidan, caller: &Caller, player: PlayerId, exclude: &[GameId]) -> Result<Option<Table>> {
    for id in maidan.store.waiting_longest(player, exclude, maidan.limits.max_page.into()).await? {
        let table = match Table::find(maidan, caller, id).await {
            // The game was deleted, or is hidden by now.
            Err(Error::NotFound(_)) => continue,
            table => table?,
        };
        // It may have changed since the list was read. Nobody can move in a game whose rules this build does not have.
        let waits = table.seat().is_some_and(|seat| table.decision_version(seat).is_some());
        if waits && table.started().is_ok() {
            return Ok(Some(table));
        }
    }
    Ok(None)
}
