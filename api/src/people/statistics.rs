//! Statistics of a player, and of two players against each other.

use domain::Kind;

use super::players::known;
use crate::error::{Error, Result};
use crate::games::scope;
use crate::ids::PlayerId;
use crate::limits::Cost;
use crate::model::{Caller, HeadToHead, Tally};
use crate::service::Maidan;

/// Sums up a player's finished games by kind: those with bots, or the others. Only games that the caller may see count, so
/// that no count reveals others.
pub async fn statistics(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    kind: Option<Kind>,
    with_bots: bool,
) -> Result<Vec<Tally>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let (_, scope) = scope(maidan, caller)?;
    known(maidan, caller, &[player]).await?;
    Ok(maidan.store.tallies(player, scope, kind, with_bots).await?)
}

/// Compares the first player's places with the opponent's, by kind.
pub async fn head_to_head(
    maidan: &Maidan,
    caller: &Caller,
    player: PlayerId,
    opponent: PlayerId,
    kind: Option<Kind>,
    with_bots: bool,
) -> Result<Vec<HeadToHead>> {
    maidan.rates.charge(caller, Cost::Request)?;
    if player == opponent {
        return Err(Error::InvalidInput("opponentId must differ from playerId.".into()));
    }
    let (_, scope) = scope(maidan, caller)?;
    known(maidan, caller, &[player, opponent]).await?;
    Ok(maidan.store.head_to_head(player, opponent, scope, kind, with_bots).await?)
}
