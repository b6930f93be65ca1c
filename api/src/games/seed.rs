//! Client seeds: players add to the randomness of their game, so that the server alone cannot choose it.

use std::sync::Arc;

use domain::Seat;

use super::play::ATTEMPTS;
use super::retry::{Done, repeated};
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{
    Caller, Change, EntryKind, Game, IdempotencyKey, NewEntry, Occupant, SeatChange, Sitting, Status, Stored, Tag,
};
use crate::service::Maidan;

/// Adds or replaces the caller's client seed. Only before the game starts.
pub async fn add_client_seed(
    maidan: &Maidan,
    caller: &Caller,
    id: GameId,
    seed: String,
    key: Option<String>,
) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let seed = Some(check_client_seed(seed)?);
    let key = key.map(|key| IdempotencyKey::new(&key, &format!("addClientSeed {seed:?}"))).transpose()?;
    for _ in 0..ATTEMPTS {
        let table = Table::find(maidan, caller, id).await;
        if let Some(done) = repeated(maidan, caller, id, key.as_ref()).await? {
            return Ok(done);
        }
        let table = table?;
        let seat = table.own_seat()?;
        let mut game = Game::clone(table.game());
        let Some(Occupant::Player(sitter)) = game.seating[seat].as_mut() else { return Err(Error::Internal) };
        let has_started = table.game().status != Status::Open;
        // A retry without a key. A new key must be stored, so that its retry cannot replace a later seed.
        if sitter.client_seed == seed && (key.is_none() || has_started) {
            return Ok(Done::before(table));
        }
        if has_started {
            return Err(Error::Conflict("A client seed can be added only before the game starts.".into()));
        }
        sitter.client_seed.clone_from(&seed);
        let (from, now) = (game.head(), game.now());
        game.version = from.version.plus(1);
        (game.tag, game.changed_at) = (Tag::fresh(), now);
        let game = Arc::new(game);
        let change = Change {
            game: Arc::clone(&game),
            from,
            outcome: None,
            seating: SeatChange::Unchanged,
            // The entry does not contain the seed.
            entries: vec![NewEntry {
                key: key.clone(),
                ..NewEntry::about(EntryKind::Seeded, Some(seat), Some(player))
            }],
            key: None,
            at: now,
        };
        let sitting = Sitting::new(game);
        if maidan.commits.change(change, sitting.clone()).await? == Stored::Yes {
            return Ok(Done::now(Table { sitting, relation: table.relation }));
        }
    }
    Err(Error::Unavailable)
}

/// Allows visible ASCII only, which has a single encoding as bytes.
pub fn check_client_seed(seed: String) -> Result<String> {
    let fits = (1..=64).contains(&seed.len()) && seed.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        Ok(seed)
    } else {
        Err(Error::InvalidInput("A client seed must have 1 to 64 visible ASCII characters.".into()))
    }
}

impl Table {
    /// The client seed of a seat, if the caller may see it. It is hidden from others before the start: a player who knows
    /// all other seeds could choose the last one to their advantage.
    pub fn client_seed(&self, seat: Seat) -> Option<String> {
        let may_see = self.game().started_at.is_some() || self.seat() == Some(seat);
        self.game().sitter(seat).filter(|_| may_see)?.client_seed.clone()
    }
}
