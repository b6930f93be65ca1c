//! The games of this process that wait for a bot's move.
//!
//! A queue for each app, served in turn, so that an app with many bots does not delay the bots of others. A game is in the
//! queue at most once. If the queue is full, a game is left out: the process that holds its lease finds it later.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::ids::{AppId, GameId};
use crate::model::Game;

/// The most games in the queue, in progress, or waiting for the end of a pause.
const MOST_GAMES: usize = 10_000;

#[derive(Default)]
pub struct BotQueue {
    state: Mutex<State>,
    has_games: Notify,
}

#[derive(Default)]
struct State {
    /// The games of each app, the longest-waiting first. No queue is empty.
    queues: HashMap<AppId, VecDeque<GameId>>,
    /// The apps that have a queue, in the order in which they are served.
    turns: VecDeque<AppId>,
    /// Every game that is known here.
    games: HashMap<GameId, Progress>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// In the queue, or before it, while its bot pauses.
    Waits,
    /// Its bot is thinking, or its move is being stored.
    Moves,
    /// The same, and its bots are due again afterwards.
    MovesAgain,
}

impl BotQueue {
    /// Adds a game that was just committed, if it waits for a bot, at the end of the bot's pause.
    pub fn committed(self: &Arc<BotQueue>, game: &Game, runtime: &Handle) {
        if game.due_from_bots().is_empty() {
            return;
        }
        let (id, app, pause) = (game.id, game.app, game.bots.pause);
        if pause.is_zero() {
            self.add(id, app);
        } else if self.state().register(id) {
            let queue = Arc::clone(self);
            runtime.spawn(async move {
                tokio::time::sleep(pause).await;
                queue.state().enqueue(id, app);
                queue.has_games.notify_one();
            });
        }
    }

    /// Adds a game whose bot may move now.
    pub fn add(&self, game: GameId, app: AppId) {
        let mut state = self.state();
        if state.register(game) {
            state.enqueue(game, app);
            self.has_games.notify_one();
        }
    }

    /// The next game. Call [`BotQueue::done`] when its bots have moved.
    pub async fn next(&self) -> (GameId, AppId) {
        loop {
            let notified = self.has_games.notified();
            if let Some(next) = self.state().take() {
                // A permit may stand for several games.
                self.has_games.notify_one();
                return next;
            }
            notified.await;
        }
    }

    /// The game is no longer in progress. If its bots became due again meanwhile, it goes to the end of the queue.
    pub fn done(&self, game: GameId, app: AppId) {
        let mut state = self.state();
        if state.games.remove(&game) == Some(Progress::MovesAgain) && state.register(game) {
            state.enqueue(game, app);
            self.has_games.notify_one();
        }
    }

    /// The number of games in the queue, in progress, or waiting for the end of a pause.
    pub fn count(&self) -> usize {
        self.state().games.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the game is to be enqueued: it was not known, and there is room for it.
    fn register(&mut self, game: GameId) -> bool {
        if let Some(progress) = self.games.get_mut(&game) {
            if *progress == Progress::Moves {
                *progress = Progress::MovesAgain;
            }
            return false;
        }
        if self.games.len() >= MOST_GAMES {
            metrics::counter!("maidan_bot_queue_overflows_total").increment(1);
            return false;
        }
        self.games.insert(game, Progress::Waits);
        self.gauge();
        true
    }

    fn enqueue(&mut self, game: GameId, app: AppId) {
        let queue = self.queues.entry(app).or_default();
        if queue.is_empty() {
            self.turns.push_back(app);
        }
        queue.push_back(game);
    }

    fn take(&mut self) -> Option<(GameId, AppId)> {
        let app = self.turns.pop_front()?;
        let queue = self.queues.get_mut(&app)?;
        let game = queue.pop_front()?;
        if queue.is_empty() {
            self.queues.remove(&app);
        } else {
            self.turns.push_back(app);
        }
        self.games.insert(game, Progress::Moves);
        self.gauge();
        Some((game, app))
    }

    #[expect(clippy::cast_precision_loss, reason = "at most ten thousand")]
    fn gauge(&self) {
        metrics::gauge!("maidan_bot_queue").set(self.games.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &BotQueue) -> Vec<(GameId, AppId)> {
        std::iter::from_fn(|| queue.state().take()).collect()
    }

    #[test]
    fn apps_are_served_in_turn_however_many_games_one_has() {
        let queue = BotQueue::default();
        let (large, small) = (AppId::fresh(), AppId::fresh());
        for _ in 0..3 {
            queue.add(GameId::fresh(), large);
        }
        queue.add(GameId::fresh(), small);
        let apps: Vec<AppId> = drain(&queue).into_iter().map(|(_, app)| app).collect();
        assert_eq!(apps, [large, small, large, large]);
    }

    #[test]
    fn a_game_is_in_the_queue_once_and_again_after_a_move_that_makes_a_bot_due() {
        let queue = BotQueue::default();
        let (game, app) = (GameId::fresh(), AppId::fresh());
        queue.add(game, app);
        queue.add(game, app);
        assert_eq!(drain(&queue), [(game, app)]);
        queue.add(game, app);
        assert_eq!(drain(&queue), [], "it is in progress");
        queue.done(game, app);
        assert_eq!(drain(&queue), [(game, app)]);
        queue.done(game, app);
        assert_eq!(drain(&queue), []);
    }

    #[test]
    fn a_full_queue_takes_no_more_games() {
        let queue = BotQueue::default();
        let app = AppId::fresh();
        for _ in 0..MOST_GAMES + 5 {
            queue.add(GameId::fresh(), app);
        }
        assert_eq!(queue.count(), MOST_GAMES);
        assert_eq!(drain(&queue).len(), MOST_GAMES);
    }
}
