//! The one way by which a game gets into the store: committed, then announced.

use std::sync::Arc;

use super::sitting::Sitting;
use crate::app::Maidan;
use crate::news::Hint;
use crate::store::{Change, NewGame, Result, Stored, StoredGame};

/// The game as it stands by this change. `None` if somebody else was faster: load again, decide again.
pub async fn commit(maidan: &Maidan, change: Change) -> Result<Option<Arc<StoredGame>>> {
    let game = Arc::clone(&change.game);
    Ok(match maidan.store.change(change).await? {
        Stored::Overtaken => None,
        Stored::Yes => {
            announce(maidan, &game);
            Some(game)
        }
    })
}

/// The same where the game is set up already: those who are woken find it at hand. Whether it was stored.
pub async fn commit_sitting(maidan: &Maidan, change: Change, sitting: Sitting) -> Result<bool> {
    let game = Arc::clone(&change.game);
    Ok(match maidan.store.change(change).await? {
        Stored::Overtaken => false,
        Stored::Yes => {
            maidan.sittings.put(game.id, sitting);
            announce(maidan, &game);
            true
        }
    })
}

pub async fn commit_new(maidan: &Maidan, new: &NewGame) -> Result<()> {
    maidan.store.create_game(new).await?;
    announce(maidan, &new.game);
    Ok(())
}

fn announce(maidan: &Maidan, game: &StoredGame) {
    let players = game.seating.iter().flatten().map(|sitter| sitter.player).collect();
    maidan.news.announce(Hint { game: game.id, version: game.version, players });
}
