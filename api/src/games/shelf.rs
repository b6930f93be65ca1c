//! Games as they were last seen here, so that they need not be read and set up anew.
//!
//! Nothing on the shelf is believed. A look is answered from it only when the store has just said that the version
//! still stands, and a move decided on it is stored only by the compare-and-set on its version. No version of a game
//! comes twice, so what has the right version is right, whichever process made it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{AnyGame, Kind};

use super::history::after;
use super::table::{kind_of, mind_rules};
use crate::app::Maidan;
use crate::error::Result;
use crate::ids::GameId;
use crate::store::StoredGame;

/// A stored game with its rules in hand. Holds secrets.
#[derive(Clone)]
pub struct Sitting {
    pub stored: Arc<StoredGame>,
    pub kind: Kind,
    /// `None` until the game starts.
    pub game: Option<Arc<AnyGame>>,
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
        Ok(Sitting { stored, kind, game: game.map(Arc::new) })
    }

    /// Roughly how many bytes it takes: the position as it is kept, the same set up, and the rest.
    fn size(&self) -> usize {
        8 * self.stored.position.as_ref().map_or(0, Vec::len) + 1024
    }
}

/// The most that is kept: enough for thousands of tables, and no more than a small machine can spare.
const MOST_GAMES: usize = 20_000;
const MOST_BYTES: usize = 64 * 1024 * 1024;

#[derive(Default)]
pub struct Shelf {
    rows: Mutex<Rows>,
}

/// When the front row is full, it becomes the back row, and what stood there is forgotten. What is asked for comes to
/// the front again.
#[derive(Default)]
struct Rows {
    front: HashMap<GameId, Sitting>,
    back: HashMap<GameId, Sitting>,
    bytes_in_front: usize,
}

impl Shelf {
    /// The game as it was when it was last seen here. It may have moved on since.
    pub fn last_seen(&self, id: GameId) -> Option<Sitting> {
        let mut rows = self.rows();
        if let Some(sitting) = rows.front.get(&id) {
            return Some(sitting.clone());
        }
        let sitting = rows.back.remove(&id)?;
        rows.put(sitting.clone());
        Some(sitting)
    }

    pub fn put(&self, sitting: Sitting) {
        self.rows().put(sitting);
    }

    pub fn remove(&self, id: GameId) {
        let mut rows = self.rows();
        rows.take_from_front(id);
        rows.back.remove(&id);
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rows {
    fn put(&mut self, sitting: Sitting) {
        let (id, size) = (sitting.stored.id, sitting.size());
        self.take_from_front(id);
        if self.front.len() >= MOST_GAMES / 2 || self.bytes_in_front + size > MOST_BYTES / 2 {
            self.back = std::mem::take(&mut self.front);
            self.bytes_in_front = 0;
        }
        self.bytes_in_front += size;
        self.front.insert(id, sitting);
    }

    fn take_from_front(&mut self, id: GameId) {
        if let Some(before) = self.front.remove(&id) {
            self.bytes_in_front -= before.size();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{At, Status, Visibility};
    use sqlx::types::Json;

    fn sitting(version: i32, letters: usize) -> Sitting {
        let stored = StoredGame {
            id: GameId::fresh(),
            app_id: crate::ids::AppId::fresh(),
            kind: "KALAH".into(),
            rules_version: 1,
            options: Json(serde_json::Value::Null),
            seats: 2,
            visibility: Visibility::Public,
            status: Status::Open,
            version,
            ply: 0,
            seed: Vec::new(),
            origin: None,
            rematch_of: None,
            join_code: None,
            created_by: uuid::Uuid::nil(),
            opener_id: None,
            seating: Json(Vec::new()),
            position: Some(vec![0; letters]),
            to_act: 0,
            decisions: Json(Vec::new()),
            created_at: At::now(),
            expires_at: None,
            started_at: None,
            ended_at: None,
        };
        Sitting { stored: Arc::new(stored), kind: Kind::ALL[0], game: None }
    }

    fn count(shelf: &Shelf) -> usize {
        let rows = shelf.rows();
        rows.front.len() + rows.back.len()
    }

    #[test]
    fn a_shelf_holds_a_number_of_games_and_keeps_those_that_are_asked_for() {
        let shelf = Shelf::default();
        let favourite = sitting(1, 0);
        shelf.put(favourite.clone());
        for _ in 0..2 * MOST_GAMES {
            shelf.put(sitting(1, 0));
            assert!(shelf.last_seen(favourite.stored.id).is_some());
        }
        assert!(count(&shelf) <= MOST_GAMES);
    }

    #[test]
    fn a_shelf_holds_a_number_of_bytes() {
        let shelf = Shelf::default();
        for _ in 0..200 {
            shelf.put(sitting(1, 1024 * 1024));
        }
        assert!(count(&shelf) <= MOST_BYTES / (2 * 1024 * 1024));
        let front = shelf.rows().front.values().map(Sitting::size).sum::<usize>();
        assert_eq!(shelf.rows().bytes_in_front, front);
    }

    #[test]
    fn what_is_removed_is_not_seen_again() {
        let shelf = Shelf::default();
        let game = sitting(1, 10);
        shelf.put(game.clone());
        shelf.remove(game.stored.id);
        assert!(shelf.last_seen(game.stored.id).is_none());
        assert_eq!(shelf.rows().bytes_in_front, 0);
    }
}
