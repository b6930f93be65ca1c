//! Calling off games that nobody completes.

use super::commit::commit;
use super::leave::called_off;
use crate::app::Maidan;
use crate::error::Result;
use crate::store::{At, What};

/// How many games one round calls off at most.
const AT_ONCE: i64 = 500;

/// Calls off open games whose time has run out; says how many. Any replica may do it: each is done once.
pub async fn expire(maidan: &Maidan) -> Result<usize> {
    let now = At::now();
    let games = maidan.store.expired(now, AT_ONCE).await?;
    for game in &games {
        commit(maidan, called_off(game, What::Expired, None, now)).await?;
    }
    Ok(games.len())
}
