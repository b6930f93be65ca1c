//! What players add to the chance of their game, so that nobody can have chosen it.

use std::sync::Arc;

use domain::Seat;

use super::commit::commit;
use super::play::ATTEMPTS;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::store::{At, Change, NewEntry, Seating, Status, StoredGame, What};

/// Adds to the chance of a game that has not started, or adds something else than before.
pub async fn add_client_seed(maidan: &Maidan, caller: &Caller, id: GameId, seed: String) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let seed = Some(fitting_seed(seed)?);
    for _ in 0..ATTEMPTS {
        let table = Table::find(maidan, caller, id).await?;
        let seat = table.own_seat()?;
        let mut game = StoredGame::clone(&table.stored);
        let Some(sitter) = game.seating[seat.index()].as_mut() else { return Err(Error::Internal) };
        if sitter.client_seed == seed {
            // A retry finds what it brought.
            return Ok(table);
        }
        if table.stored.status != Status::Open {
            return Err(Error::Conflict(
                "Seeds are added before the start, and this game has started or is over.".into(),
            ));
        }
        sitter.client_seed.clone_from(&seed);
        let from_version = game.version;
        game.version += 1;
        let change = Change {
            game: Arc::new(game),
            from_version,
            outcome: None,
            seating: Seating::Unchanged,
            // That the seat added something, not what.
            entries: vec![NewEntry::about(What::Seeded, Some(seat.number().into()), Some(player))],
            at: At::now(),
        };
        if let Some(game) = commit(maidan, change).await? {
            return Table::of(maidan, game, table.relation).await;
        }
    }
    Err(Error::Unavailable)
}

/// Letters, digits and signs only: there is one way to write each as bytes.
pub fn fitting_seed(seed: String) -> Result<String> {
    let fits = (1..=64).contains(&seed.len()) && seed.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(seed) } else { Err(Error::InvalidInput("A client seed has 1 to 64 visible ASCII characters.".into())) }
}

impl Table {
    /// What the player of a seat added, where the caller may know it: who saw all other seeds before the last one
    /// comes in could choose that one to its liking.
    pub fn client_seed(&self, seat: Seat) -> Option<String> {
        let may_see = self.stored.started_at.is_some() || self.seat() == Some(seat);
        self.stored.sitter(seat).filter(|_| may_see)?.client_seed.clone()
    }
}
