//! Makes the bots' moves.
//!
//! The process whose commit made a bot due computes its move, on a thread of the lowest priority. If that process dies,
//! the holder of a lease on the game's slice finds the game a few seconds later.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::games::{self, BotTurn};
use crate::ids::GameId;
use crate::service::Maidan;

/// How often a bot's decision is made again after losing the compare-and-set.
const ATTEMPTS: usize = 8;
/// How often this process looks for games that wait for a bot.
const SEARCH: Duration = Duration::from_secs(1);
/// How long a lease lasts without renewal.
const LEASE: Duration = Duration::from_secs(5);
/// A game that has waited this long for a bot was forgotten: its process died, or its queue was full.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3);
/// The most forgotten games of one search.
const MOST_FORGOTTEN: i64 = 500;

/// Starts the threads and the search. The tasks run until they are aborted.
pub fn start(maidan: &Arc<Maidan>, threads: u8) -> std::io::Result<Vec<JoinHandle<()>>> {
    let mut tasks = vec![tokio::spawn(search(Arc::clone(maidan)))];
    for number in 0..threads {
        let thinker = Thinker::start(number)?;
        tasks.push(tokio::spawn(serve(Arc::clone(maidan), thinker)));
    }
    Ok(tasks)
}

/// Makes the moves of one game after the other.
async fn serve(maidan: Arc<Maidan>, thinker: Thinker) {
    loop {
        let (game, app) = maidan.bots.next().await;
        // A panic must not end this task.
        let made = AssertUnwindSafe(make_move(&maidan, &thinker, game)).catch_unwind().await;
        if let Err(error) = made.unwrap_or(Err(Error::Internal)) {
            tracing::warn!(%game, %error, "failed to make a bot's move; trying again in a few seconds");
        }
        maidan.bots.done(game, app);
    }
}

/// Makes one move. Its commit puts the game into the queue again if another bot is due.
async fn make_move(maidan: &Maidan, thinker: &Thinker, game: GameId) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(turn) = games::bot_turn(maidan, game).await? else { return Ok(()) };
        let (kind, level) = (turn.kind().name(), turn.level().number().to_string());
        let started = Instant::now();
        let Some((turn, mv)) = thinker.think(turn).await? else { return Ok(()) };
        metrics::histogram!("maidan_bot_think_seconds", "kind" => kind).record(started.elapsed().as_secs_f64());
        if turn.play(maidan, &mv).await? {
            metrics::counter!("maidan_bot_moves_total", "kind" => kind, "level" => level).increment(1);
            return Ok(());
        }
    }
    Err(Error::Unavailable)
}

/// Looks for games that were forgotten.
async fn search(maidan: Arc<Maidan>) {
    let own = Uuid::new_v4();
    let mut ticks = interval(SEARCH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = find_forgotten(&maidan, own).await {
            tracing::debug!(%error, "failed to look for games that wait for a bot");
        }
    }
}

async fn find_forgotten(maidan: &Maidan, own: Uuid) -> Result<()> {
    let slices = maidan.store.take_leases("bots", own, LEASE).await?;
    if slices.is_empty() {
        return Ok(());
    }
    for (game, app) in maidan.store.games_waiting_for_bots(&slices, FORGOTTEN_AFTER, MOST_FORGOTTEN).await? {
        maidan.bots.add(game, app);
    }
    Ok(())
}

type Thought = Result<Option<(BotTurn, domain::AnyMove)>>;

/// A thread of the lowest priority on which bots think, one at a time.
struct Thinker(mpsc::Sender<(BotTurn, oneshot::Sender<Thought>)>);

impl Thinker {
    fn start(number: u8) -> std::io::Result<Thinker> {
        let (send, mut turns) = mpsc::channel::<(BotTurn, oneshot::Sender<Thought>)>(1);
        std::thread::Builder::new().name(format!("bot-{number}")).spawn(move || {
            lower_priority();
            while let Some((turn, answer)) = turns.blocking_recv() {
                let thought = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    let mv = turn.think()?;
                    Ok(mv.map(|mv| (turn, mv)))
                }));
                let _ = answer.send(thought.unwrap_or_else(|_| {
                    tracing::error!("a bot panicked");
                    Err(Error::Internal)
                }));
            }
        })?;
        Ok(Thinker(send))
    }

    async fn think(&self, turn: BotTurn) -> Thought {
        let (answer, thought) = oneshot::channel();
        self.0.send((turn, answer)).await.map_err(|_| Error::Internal)?;
        thought.await.map_err(|_| Error::Internal)?
    }
}

/// Lowers the priority of the calling thread, so that thinking uses only processor time that requests leave. On Linux a
/// thread has a priority of its own; elsewhere all threads of the process would get it.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        tracing::debug!(%error, "failed to lower the priority of a bot's thread");
    }
}
