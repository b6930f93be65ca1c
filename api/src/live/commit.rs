//! Every change of a game goes through here: commit, update the cache, announce.
//!
//! All three run in one task that no request owns. If the client disconnects or the request is cancelled, only its answer
//! is lost: every committed change is announced.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::bot_queue::BotQueue;
use super::topics::{Hint, Topics};
use crate::cache::SizedCache;
use crate::ids::GameId;
use crate::model::{Change, EntryKind, Game, NewEntry, NewGame, Sitting, Status, Stored};
use crate::store::{Batcher, Result, Store, StoreError};

pub struct Commits {
    shared: Arc<Shared>,
    batches: Batcher<Commit, Stored>,
}

struct Shared {
    store: Arc<Store>,
    games: Arc<SizedCache<GameId, Sitting>>,
    topics: Arc<Topics>,
    bots: Arc<BotQueue>,
    /// Runs the commits that are not batched.
    runtime: Handle,
}

/// A change, and the game as it is after the change.
struct Commit {
    change: Change,
    sitting: Sitting,
}

impl Commits {
    pub fn new(
        store: Arc<Store>,
        games: Arc<SizedCache<GameId, Sitting>>,
        topics: Arc<Topics>,
        bots: Arc<BotQueue>,
    ) -> Commits {
        let shared = Arc::new(Shared { store, games, topics, bots, runtime: Handle::current() });
        let batching = Arc::clone(&shared);
        let batches = Batcher::new(shared.store.most_batches(), move |commits| {
            let shared = Arc::clone(&batching);
            async move { shared.commit_batch(commits).await }
        });
        Commits { shared, batches }
    }

    /// Stores a change. `sitting` is the game after the change.
    pub async fn change(&self, change: Change, sitting: Sitting) -> Result<Stored> {
        let commit = Commit { change, sitting };
        if self.shared.store.can_batch(&commit.change) {
            return self.batches.submit(commit).await;
        }
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let stored = shared.store.store_change(&commit.change).await?;
            if stored == Stored::Yes {
                count(&commit.change.game, &commit.change.entries);
                shared.publish(commit.sitting);
            }
            Ok(stored)
        })
        .await
    }

    /// Stores a new game.
    pub async fn create(&self, new: NewGame) -> Result<Arc<Game>> {
        self.shared.store.check_backlog()?;
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            shared.store.create_game(&new).await?;
            count(&new.game, &new.entries);
            shared.announce(&new.game);
            Ok(new.game)
        })
        .await
    }

    /// Runs a commit to completion, even if its request is cancelled.
    async fn detached<T: Send + 'static>(&self, commit: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
        self.shared.runtime.spawn(commit).await.unwrap_or(Err(StoreError::Away(sqlx::Error::WorkerCrashed)))
    }
}

impl Shared {
    async fn commit_batch(&self, commits: Vec<Commit>) -> Vec<Result<Stored>> {
        let changes: Vec<&Change> = commits.iter().map(|commit| &commit.change).collect();
        let answers = self.store.store_batch(&changes).await;
        for (commit, answer) in commits.into_iter().zip(&answers) {
            if let Ok(Stored::Yes) = answer {
                count(&commit.change.game, &commit.change.entries);
                self.publish(commit.sitting);
            }
        }
        answers
    }

    /// Updates the cache, then announces the change, so that woken followers find the game in the cache.
    fn publish(&self, sitting: Sitting) {
        let game = Arc::clone(&sitting.game);
        self.games.put(game.id, sitting);
        self.announce(&game);
    }

    /// Wakes the followers of a committed game and, if it waits for one, a bot.
    fn announce(&self, game: &Game) {
        self.topics.announce(Hint::about(game));
        self.bots.committed(game, &self.runtime);
    }
}

/// Counts games that are opened, start or end.
fn count(game: &Game, entries: &[NewEntry]) {
    let kind = game.kind.name();
    for entry in entries {
        match entry.kind {
            EntryKind::Opened => metrics::counter!("maidan_games_opened_total", "kind" => kind).increment(1),
            EntryKind::Started => metrics::counter!("maidan_games_started_total", "kind" => kind).increment(1),
            _ => {}
        }
    }
    let ending = match game.status {
        Status::Open | Status::Running => return,
        Status::Over => "over",
        Status::Cancelled => "cancelled",
    };
    metrics::counter!("maidan_games_ended_total", "kind" => kind, "as" => ending).increment(1);
}
