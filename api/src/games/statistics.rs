//! How a player has done, and how two have done against each other.

use domain::Kind;

use super::access::sight;
use super::players::known;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::PlayerId;
use crate::limits::Cost;
use crate::store::{Meetings, Tally};

/// A player's games that are over, kind by kind: of those that the caller may see, so that no count tells of others.
pub async fn statistics(maidan: &Maidan, caller: &Caller, player: PlayerId, kind: Option<Kind>) -> Result<Vec<Tally>> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let (_, sight) = sight(maidan, caller)?;
    known(maidan, caller, &[player]).await?;
    Ok(maidan.store.tallies(player, sight, kind.map(Kind::name)).await?)
}

/// The games in which two players met, kind by kind, as the first of them did.
pub async fn head_to_head(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    opponent: PlayerId,
    kind: Option<Kind>,
) -> Result<Vec<Meetings>> {
    maidan.buckets.charge(caller, Cost::Request)?;
    if player == opponent {
        return Err(Error::InvalidInput("opponentId must be somebody else than playerId.".into()));
    }
    let (_, sight) = sight(maidan, caller)?;
    known(maidan, caller, &[player, opponent]).await?;
    Ok(maidan.store.meetings(player, opponent, sight, kind.map(Kind::name)).await?)
}
