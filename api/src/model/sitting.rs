//! A game together with its decoded position.

use std::sync::{Arc, OnceLock};

use domain::{AnyEvent, AnyGame, AnyOptions};

use super::{Entry, Game, Head, Position};
use crate::cache::Cacheable;
use crate::error::{Error, Result};

/// A game whose position and options are decoded on first use. Cheap to clone: clones share the decoded values. Holds
/// secrets.
#[derive(Clone)]
pub struct Sitting {
    pub game: Arc<Game>,
    /// Holds `None` if the position cannot be decoded.
    position: Arc<OnceLock<Option<AnyGame>>>,
    options: Arc<OnceLock<AnyOptions>>,
    /// The newest log entries and the state before them, if this process has written or read them while the game has
    /// subscribers here.
    pub latest: Option<(Head, Arc<[Entry]>)>,
}

impl Sitting {
    pub fn new(game: impl Into<Arc<Game>>) -> Sitting {
        Sitting { game: game.into(), position: Arc::default(), options: Arc::default(), latest: None }
    }

    /// A game whose position is already decoded.
    pub fn with_position(game: impl Into<Arc<Game>>, position: AnyGame) -> Sitting {
        let position = Arc::new(OnceLock::from(Some(position)));
        Sitting { game: game.into(), position, options: Arc::default(), latest: None }
    }

    /// The same game after a change, with its new position.
    pub fn changed(&self, game: Arc<Game>, position: AnyGame) -> Sitting {
        Sitting { options: Arc::clone(&self.options), ..Sitting::with_position(game, position) }
    }

    /// The options, by rules that this build has.
    pub fn options(&self) -> std::result::Result<&AnyOptions, serde_json::Error> {
        match self.options.get() {
            Some(options) => Ok(options),
            None => {
                let options = self.game.options()?;
                Ok(self.options.get_or_init(|| options))
            }
        }
    }

    /// The same game with its newest log entries.
    pub fn with_latest(self, before: Head, entries: &[Entry]) -> Sitting {
        Sitting { latest: Some((before, entries.into())), ..self }
    }

    /// The position. `None` until the game starts, and if this build does not have its rules version.
    pub fn position(&self) -> Result<Option<&AnyGame>> {
        // A position of unknown rules could be decoded wrongly.
        let Some(saved) = self.game.position.as_ref().filter(|_| self.game.has_known_rules()) else { return Ok(None) };
        let decoded = self.position.get_or_init(|| {
            let Position::Saved(saved) = saved else { return None };
            metrics::counter!("maidan_positions_total", "source" => "decoded").increment(1);
            let position = self.options().ok()?.load_game(self.game.rules_version, saved).ok()?;
            Some(position.with_bots(self.game.bots()))
        });
        match decoded {
            Some(position) => Ok(Some(position)),
            None => {
                tracing::error!(game = %self.game.id, "a saved position cannot be decoded");
                Err(Error::Internal)
            }
        }
    }
}

impl Cacheable for Sitting {
    /// An estimate: the saved position, about four times that for the decoded one, the options in three forms, and the
    /// rest.
    fn size(&self) -> usize {
        let size_of_entry = |entry: &Entry| 256 + entry.events.len() * (size_of::<AnyEvent>() + 64);
        let log: usize = self.latest.iter().flat_map(|(_, entries)| entries.iter()).map(size_of_entry).sum();
        let position = self.game.position.as_ref().map_or(0, Position::size);
        5 * position + 3 * self.game.options.get().len() + size_of::<AnyGame>() + size_of::<Game>() + log + 512
    }
}
