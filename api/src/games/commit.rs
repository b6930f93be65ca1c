//! The one way by which a game gets into the store: committed, then announced.

use crate::app::Maidan;
use crate::news::Hint;
use crate::store::{Change, NewGame, Result, Stored, StoredGame};

pub async fn commit(maidan: &Maidan, change: &Change) -> Result<Stored> {
    let stored = maidan.store.change(change).await?;
    if stored == Stored::Yes {
        announce(maidan, &change.game);
    }
    Ok(stored)
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
