//! Retries: a request that was executed before is not executed again.

use crate::error::Result;
use crate::ids::PlayerId;
use crate::model::{Entry, Game, IdempotencyKey};
use crate::service::Maidan;

/// The entry that an earlier request of the player with this key wrote; without a player, a request of the app. Refuses
/// a key that was used for another request.
pub async fn done_before(
    maidan: &Maidan,
    game: &Game,
    player: Option<PlayerId>,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Entry>> {
    let Some(key) = key else { return Ok(None) };
    let entry = maidan.store.entry_by_key(game.id, game.kind, player, &key.key).await?;
    entry.map(|entry| key.check(entry.key_hash.as_deref()).map(|()| entry)).transpose()
}
