//! How a player has done, and how two have done against each other.

use domain::Kind;

use super::players::known;
use crate::error::{Error, Result};
use crate::games::scope;
use crate::ids::PlayerId;
use crate::limits::Cost;
use crate::model::{Caller, HeadToHead, Tally};
use crate::service::Maidan;

/// A player's games that are over, kind by kind: of those that the caller may see, so that no count tells of others.
pub async fn statistics(maidan: &Maidan, caller: &Caller, player: PlayerId, kind: Option<Kind>) -> Result<Vec<Tally>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let (_, scope) = scope(maidan, caller)?;
    known(maidan, caller, &[player]).await?;
    Ok(maidan.store.tallies(player, scope, kind).await?)
}

/// The games in which two players met, kind by kind, as the first of them did.
pub async fn head_to_head(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    opponent: PlayerId,
    kind: Option<Kind>,
) -> Result<Vec<HeadToHead>> {
    maidan.rates.charge(caller, Cost::Request)?;
    if player == opponent {
        return Err(Error::InvalidInput("opponentId must be somebody else than playerId.".into()));
    }
    let (_, scope) = scope(maidan, caller)?;
    known(maidan, caller, &[player, opponent]).await?;
    Ok(maidan.store.head_to_head(player, opponent, scope, kind).await?)
}
