//! Cancelling games that nobody completes.

use super::leave::cancelled;
use crate::error::Result;
use crate::model::{At, EntryKind, Sitting};
use crate::service::Maidan;

/// How many games one round cancels at most.
const AT_ONCE: i64 = 500;

/// Cancels open games that have expired; says how many. Any replica may do it: each is done once.
pub async fn expire(maidan: &Maidan) -> Result<usize> {
    let now = At::now();
    let games = maidan.store.expired(now, AT_ONCE).await?;
    for game in &games {
        let change = cancelled(game, EntryKind::Expired, None, now);
        let sitting = Sitting::new(change.game.clone());
        maidan.commits.change(change, sitting).await?;
    }
    Ok(games.len())
}
