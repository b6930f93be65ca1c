//! A game as it was last seen here, so that it need not be read and set up anew.
//!
//! Nothing on the shelf is believed. A look is answered from it only when the store has just said that the version
//! still stands, and a move decided on it is stored only by the compare-and-set on its version. No version of a game
//! comes twice, so what has the right version is right, whichever process made it.

use std::sync::Arc;

use domain::{AnyGame, Kind};

use super::history::after;
use super::table::{kind_of, mind_rules};
use crate::app::Maidan;
use crate::error::Result;
use crate::ids::GameId;
use crate::shelf::{Keepable, Shelf};
use crate::store::{Entry, StoredGame};

/// A stored game with its rules in hand. Holds secrets.
#[derive(Clone)]
pub struct Sitting {
    pub stored: Arc<StoredGame>,
    pub kind: Kind,
    /// `None` until the game starts.
    pub game: Option<Arc<AnyGame>>,
    /// The end of the log, if this process wrote it and somebody follows the game here.
    pub latest: Option<Arc<[Entry]>>,
}

/// Games as they were last seen here.
pub type Sittings = Shelf<GameId, Sitting>;

/// The most that is kept: enough for thousands of tables, and no more than a small machine can spare.
const MOST_GAMES: usize = 20_000;
const MOST_BYTES: usize = 64 * 1024 * 1024;

pub fn no_sittings() -> Sittings {
    Shelf::new(MOST_GAMES, MOST_BYTES)
}

impl Sitting {
    /// A stored game, set up from its position; from its log where this build cannot read that.
    pub async fn of(maidan: &Maidan, stored: impl Into<Arc<StoredGame>>) -> Result<Sitting> {
        let stored = stored.into();
        let kind = kind_of(&stored)?;
        // What other rules led to is not looked at: it could be read wrongly.
        let position = stored.position.as_deref().filter(|_| mind_rules(&stored, kind).is_ok());
        let game = match position.map(|position| kind.load_game(position)) {
            None => None,
            Some(Ok(game)) => Some(game),
            Some(Err(why)) => {
                tracing::warn!(game = %stored.id, %why, "a stored position cannot be read: its log is played again");
                Some(after(&*maidan.store, &stored, kind, stored.ply).await?)
            }
        };
        Ok(Sitting { stored, kind, game: game.map(Arc::new), latest: None })
    }
}

impl Keepable for Sitting {
    /// The position as it is kept, about four times that for what it is set up with, and the rest.
    fn size(&self) -> usize {
        let log: usize =
            self.latest.iter().flat_map(|entries| entries.iter()).map(|entry| entry.events.get().len()).sum();
        5 * self.stored.position.as_ref().map_or(0, Vec::len)
            + size_of::<AnyGame>()
            + size_of::<StoredGame>()
            + log
            + 512
    }
}
