//! Carries together what waits at the same time.
//!
//! A commit costs the database nearly the same whether it holds one change or many. So while one crossing is under
//! way whatever comes gathers on the quay, and the next crossing takes all of it. Nobody waits for company: who comes
//! to an idle ferry leaves at once, alone.
//!
//! A crossing is a task of its own. A request that is cancelled leaves the quay without an answer, but what it sent
//! crosses all the same.

use std::future::Future;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use tokio::sync::{mpsc, oneshot};

use super::{Result, StoreError};
use crate::ids::GameId;

/// The most that crosses together: beyond it a crossing takes longer for everybody and saves hardly anything more.
const MOST_ABOARD: usize = 64;

/// The most that waits on a quay. Who finds it full is told to come again later.
const MOST_WAITING: usize = 1024;

pub struct Ferry<Cargo, Answer> {
    quays: Vec<mpsc::Sender<Waiting<Cargo, Answer>>>,
}

struct Waiting<Cargo, Answer> {
    cargo: Cargo,
    answer: oneshot::Sender<Result<Answer>>,
}

impl<Cargo: Send + 'static, Answer: Send + 'static> Ferry<Cargo, Answer> {
    /// A ferry of so many boats. `cross` answers for everything aboard, in order.
    pub fn new<Cross, Crossing>(boats: usize, cross: Cross) -> Ferry<Cargo, Answer>
    where
        Cross: Fn(Vec<Cargo>) -> Crossing + Clone + Send + 'static,
        Crossing: Future<Output = Vec<Result<Answer>>> + Send + 'static,
    {
        let quays = (0..boats).map(|_| {
            let (quay, waiting) = mpsc::channel(MOST_WAITING);
            tokio::spawn(go_to_and_fro(waiting, cross.clone()));
            quay
        });
        Ferry { quays: quays.collect() }
    }

    /// Carries something about a game. A game always takes the same boat, so no two crossings of this process are
    /// about the same game at once.
    pub async fn carry(&self, game: GameId, cargo: Cargo) -> Result<Answer> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(game);
        let quay = &self.quays[hash as usize % self.quays.len()];
        let (answer, answered) = oneshot::channel();
        quay.try_send(Waiting { cargo, answer }).map_err(|_| StoreError::Crowded)?;
        answered.await.unwrap_or(Err(StoreError::Away(sqlx::Error::WorkerCrashed)))
    }
}

async fn go_to_and_fro<Cargo, Answer, Crossing>(
    mut quay: mpsc::Receiver<Waiting<Cargo, Answer>>,
    cross: impl Fn(Vec<Cargo>) -> Crossing,
) where
    Answer: Send + 'static,
    Crossing: Future<Output = Vec<Result<Answer>>> + Send + 'static,
{
    let mut aboard = Vec::with_capacity(MOST_ABOARD);
    while quay.recv_many(&mut aboard, MOST_ABOARD).await > 0 {
        metrics::histogram!("maidan_crossing_size").record(aboard.len() as f64);
        let (cargo, waiting): (Vec<_>, Vec<_>) = aboard.drain(..).map(|one| (one.cargo, one.answer)).unzip();
        // In a task of its own: a crossing that breaks must not sink the boat. Who is left without an answer
        // learns that nobody knows.
        let answers = tokio::spawn(cross(cargo)).await.unwrap_or_default();
        for (answer, waiting) in answers.into_iter().zip(waiting) {
            // Whoever went away in the meantime does not want it any more.
            let _ = waiting.send(answer);
        }
    }
}
