//! Expiry: cancels games that did not start in time.

use super::leave::cancelled;
use crate::error::Result;
use crate::model::{At, EntryKind, Sitting};
use crate::service::Maidan;

/// The most games of one run.
const MOST_GAMES: i64 = 500;

/// Cancels expired open games. Returns how many. Replicas may run it at the same time: each game is cancelled once.
pub async fn expire(maidan: &Maidan) -> Result<usize> {
    let now = At::now();
    let games = maidan.store.expired(now, MOST_GAMES).await?;
    for game in &games {
        let change = cancelled(game, EntryKind::Expired, None, now);
        let sitting = Sitting::new(change.game.clone());
        maidan.commits.change(change, sitting).await?;
    }
    Ok(games.len())
}
