//! Answers given lately. Who asks again what it has asked before gets the same bytes, if nothing has changed since.
//!
//! An answer is kept only if all it tells is how one running game stands for the one who asked. Before it is given
//! again the token has been looked at as ever, and the store has just said that the game's version still stands.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::web::Bytes;

use crate::cache::{Cacheable, SizedCache};
use crate::error::Result;
use crate::games::Snapshot;
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{Caller, Player, Version};
use crate::service::Maidan;

pub struct Answers(SizedCache<Question, Answer>);

const MOST_ANSWERS: usize = 20_000;
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Whatever an answer depends on, but for what the world is like.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Question {
    /// Who asks: the token, and for an app's key the player it acts for.
    token_hash: Option<Vec<u8>>,
    player: Option<PlayerId>,
    /// The media type of the answer.
    media: &'static str,
    /// The request, to the letter.
    text: Bytes,
}

impl Question {
    pub fn new(caller: &Caller, media: &'static str, text: Bytes) -> Question {
        let player = caller.player().ok().map(|player| player.id);
        Question { token_hash: caller.token_hash.clone(), player, media, text }
    }
}

#[derive(Clone)]
struct Answer {
    glimpse: Glimpse,
    body: Bytes,
    question_length: usize,
}

impl Cacheable for Answer {
    fn size(&self) -> usize {
        self.body.len() + self.question_length + 1024
    }
}

impl Default for Answers {
    fn default() -> Answers {
        Answers(SizedCache::new(MOST_ANSWERS, MOST_BYTES))
    }
}

impl Answers {
    /// The answer that was given before, if it still is the answer.
    pub async fn again(&self, maidan: &Maidan, caller: &Caller, question: &Question) -> Result<Option<Bytes>> {
        let Some(Answer { glimpse, body, .. }) = self.0.get(question) else { return Ok(None) };
        Ok(still_stands(maidan, caller, &glimpse).await?.then_some(body))
    }

    pub fn keep(&self, question: Question, witness: &Witness, body: Bytes) {
        if let Some(glimpse) = witness.glimpse() {
            let question_length = question.text.len();
            self.0.put(question, Answer { glimpse: glimpse.clone(), body, question_length });
        }
    }
}

/// Watches what an answer is made from.
#[derive(Default)]
pub struct Witness {
    /// How often the service was turned to.
    turns: AtomicUsize,
    game: OnceLock<Option<Glimpse>>,
}

impl Witness {
    /// A resolver turns to the service, for whatever it may want.
    pub fn turned(&self) {
        self.turns.fetch_add(1, Ordering::Relaxed);
    }

    /// What it wanted was a game.
    pub fn saw(&self, glimpse: Option<Glimpse>) {
        let _ = self.game.set(glimpse);
    }

    /// What the answer was made from, if that was one game on its way and nothing else.
    fn glimpse(&self) -> Option<&Glimpse> {
        self.game.get()?.as_ref().filter(|_| self.turns.load(Ordering::Relaxed) == 1)
    }
}

/// What an answer about a running game depends on.
#[derive(Clone)]
pub struct Glimpse {
    game: GameId,
    version: Version,
    players: Vec<Player>,
}

impl Glimpse {
    /// `None` of a game that is over: it may get a rematch, which changes no version.
    pub fn of(snapshot: &Snapshot) -> Option<Glimpse> {
        let game = snapshot.table.game();
        game.status.is_on().then(|| Glimpse { game: game.id, version: game.version, players: snapshot.players.clone() })
    }
}

async fn still_stands(maidan: &Maidan, caller: &Caller, glimpse: &Glimpse) -> Result<bool> {
    if maidan.games.get(&glimpse.game).map(|sitting| sitting.game.version) != Some(glimpse.version) {
        return Ok(false);
    }
    maidan.rates.charge(caller, Cost::Request)?;
    if maidan.store.version(glimpse.game).await? != Some(glimpse.version) {
        return Ok(false);
    }
    let players = maidan.players(glimpse.players.iter().map(|player| player.id).collect()).await?;
    Ok(players.len() == glimpse.players.len() && players.iter().all(|player| glimpse.players.contains(player)))
}
