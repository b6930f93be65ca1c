//! Notifies replicas of each other's changes.
//!
//! Replicas share only the database. After its commits a replica sends hints, at most once per tick, on a separate
//! connection and never in the statement of a change. Hints may get lost, so each replica also polls its subscribed
//! topics. With hints disabled it polls more often; nothing else differs.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::topics::{Hint, INACTIVE, Topic, Topics};
use crate::ids::{GameId, PlayerId};
use crate::model::{At, Head, Tag, Version};
use crate::store::{self, Store};

/// The shortest time between two `NOTIFY` statements.
const TICK: Duration = Duration::from_millis(20);
/// Poll intervals with and without hints.
const POLL_WITH_HINTS: Duration = Duration::from_secs(1);
const POLL_WITHOUT_HINTS: Duration = Duration::from_millis(100);
/// How often the clock is set by the database's.
const CLOCK: Duration = Duration::from_secs(10);
/// The wait before reconnecting.
const BACKOFF: Duration = Duration::from_secs(1);
/// The most topics of one query.
const TOPICS_PER_QUERY: usize = 1000;

/// The connection of this replica to the others.
pub struct Replica {
    pub store: Arc<Store>,
    pub topics: Arc<Topics>,
    /// Whether replicas send each other hints.
    pub hints: bool,
}

impl Replica {
    /// Sends, listens and polls until cancelled.
    pub async fn run(self) {
        if self.hints && self.store.has_hints() {
            // A random name, by which this replica recognises its own hints.
            let own = uuid::Uuid::new_v4().simple().to_string();
            let lag = Lag::default();
            tokio::join!(self.send(&own, &lag), self.listen(&own, &lag), self.poll_every(POLL_WITH_HINTS));
        } else {
            // On SQLite there are no other replicas: only tokens can change without a notification.
            let pace = if self.hints { POLL_WITH_HINTS } else { POLL_WITHOUT_HINTS };
            self.poll_every(pace).await;
        }
    }

    async fn send(&self, own: &str, lag: &Lag) {
        loop {
            let started = Instant::now();
            let texts = write(own, &self.topics.unsent().await);
            lag.sending(&texts);
            if let Err(error) = self.store.send_hints(&texts).await {
                tracing::warn!(%error, "failed to send hints; other replicas will find the changes by polling");
            }
            sleep_until(started + TICK).await;
        }
    }

    async fn listen(&self, own: &str, lag: &Lag) {
        loop {
            match self.store.listen_for_hints().await {
                Err(error) => tracing::warn!(%error, "failed to listen for hints; polling instead"),
                Ok(mut hints) => loop {
                    match hints.next().await {
                        Ok(text) => {
                            lag.received(&text);
                            read(own, &text).iter().for_each(|hint| self.topics.receive(hint));
                        }
                        // The poll finds the changes whose hints were lost.
                        Err(error) => {
                            tracing::warn!(%error, "lost the connection that listens for hints; polling instead");
                            break;
                        }
                    }
                },
            }
            sleep(BACKOFF).await;
        }
    }

    async fn poll_every(&self, pace: Duration) {
        let mut ticks = interval(pace);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut clock_set = Instant::now();
        loop {
            ticks.tick().await;
            self.poll().await;
            if clock_set.elapsed() >= CLOCK {
                clock_set = Instant::now();
                if let Err(error) = self.store.set_clock().await {
                    tracing::debug!(%error, "failed to ask the database for the time");
                }
            }
        }
    }

    /// Reads the state of all subscribed topics, and wakes subscribers that missed a change.
    async fn poll(&self) {
        if let Err(error) = self.poll_topics(self.topics.subscribed()).await {
            tracing::warn!(%error, "failed to poll for changes");
        }
    }

    async fn poll_topics(&self, subscribed: Vec<Topic>) -> store::Result<()> {
        let (mut games, mut players, mut tokens, mut connected) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for topic in subscribed {
            match topic {
                Topic::Game(game) => games.push(game),
                Topic::Inbox(player) => players.push(player),
                Topic::Token(hash) => tokens.push(hash),
                Topic::Player(player) => connected.push(player),
            }
        }
        for games in games.chunks(TOPICS_PER_QUERY) {
            for (game, head) in self.store.heads(games).await? {
                self.topics.receive_head(game, head);
            }
        }
        for players in players.chunks(TOPICS_PER_QUERY) {
            let waiting = by_player(self.store.waiting(players).await?);
            for player in players {
                let games = waiting.get(player).map(Vec::as_slice).unwrap_or_default();
                self.topics.receive_state(&Topic::Inbox(*player), fingerprint(games));
            }
        }
        for tokens in tokens.chunks(TOPICS_PER_QUERY) {
            let active = self.store.active_tokens(tokens, At::now()).await?;
            for token in tokens {
                let state = if active.contains(token) { 0 } else { INACTIVE };
                self.topics.receive_state(&Topic::Token(token.clone()), state);
            }
        }
        for players in connected.chunks(TOPICS_PER_QUERY) {
            for player in self.store.players(players).await? {
                let state = if player.deleted_at.is_none() { 0 } else { INACTIVE };
                self.topics.receive_state(&Topic::Player(player.id), state);
            }
        }
        Ok(())
    }
}

/// The games that wait, by player, each list in the same order however they were read.
fn by_player(mut waiting: Vec<(PlayerId, GameId, Version)>) -> HashMap<PlayerId, Vec<(GameId, Version)>> {
    waiting.sort_unstable();
    let mut games: HashMap<PlayerId, Vec<(GameId, Version)>> = HashMap::new();
    for (player, game, version) in waiting {
        games.entry(player).or_default().push((game, version));
    }
    games
}

/// Measures how long a hint takes: the database also returns a replica's own hints, which needs no common clock.
#[derive(Default)]
struct Lag(Mutex<Option<(String, Instant)>>);

/// After this time a hint counts as lost.
const LOST: Duration = Duration::from_secs(10);

impl Lag {
    fn sending(&self, texts: &[String]) {
        let Some(text) = texts.first() else { return };
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if measured.as_ref().is_none_or(|(_, sent)| sent.elapsed() > LOST) {
            *measured = Some((text.clone(), Instant::now()));
        }
    }

    fn received(&self, text: &str) {
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sent)) = measured.take_if(|(sent, _)| sent == text) {
            metrics::histogram!("maidan_hint_lag_seconds").record(sent.elapsed());
        }
    }
}

/// A hash of the games that wait for a player.
fn fingerprint(games: &[(GameId, Version)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    games.hash(&mut hasher);
    hasher.finish()
}

/// Postgres limits the payload of a notification to 8000 bytes.
const LONGEST: usize = 7900;

/// Encodes hints as payloads: the sender's name, then for each game its id, version, tag and players. Usually one payload.
fn write(own: &str, hints: &[Hint]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for Hint { game, head, players } in hints {
        let mut text = format!(" {}:{}.{}", game.0.simple(), head.version, head.tag.0);
        for player in players {
            text.push_str(&format!(":{}", player.0.simple()));
        }
        match texts.last_mut() {
            Some(last) if last.len() + text.len() <= LONGEST => last.push_str(&text),
            _ => texts.push(format!("{own}{text}")),
        }
    }
    texts
}

/// Decodes a payload of another replica. Skips unreadable hints: they may come from a later build.
fn read(own: &str, text: &str) -> Vec<Hint> {
    let mut words = text.split(' ');
    if words.next() == Some(own) {
        return Vec::new();
    }
    let hint = |word: &str| {
        let mut parts = word.split(':');
        let game = GameId(parts.next()?.parse().ok()?);
        let (version, tag) = parts.next()?.split_once('.')?;
        let head = Head { version: Version(version.parse().ok()?), tag: Tag(tag.parse().ok()?) };
        let players = parts.map(|part| part.parse().map(PlayerId)).collect::<Result<_, _>>().ok()?;
        Some(Hint { game, head, players })
    };
    words.filter_map(hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_read_back_for_everybody_but_their_sender() {
        let hint = |version, players: usize| Hint {
            game: GameId::fresh(),
            head: Head { version: Version(version), tag: Tag::fresh() },
            players: (0..players).map(|_| PlayerId::fresh()).collect(),
        };
        let hints: Vec<Hint> = (0..200).zip((0..5).cycle()).map(|(version, players)| hint(version, players)).collect();
        let texts = write("here", &hints);
        assert!(texts.len() > 1 && texts.iter().all(|text| text.len() <= LONGEST), "{} texts", texts.len());
        let received: Vec<Hint> = texts.iter().flat_map(|text| read("there", text)).collect();
        assert_eq!(received, hints);
        assert!(texts.iter().all(|text| read("here", text).is_empty()));
        assert!(read("there", "").is_empty() && read("there", "x y:z 1:2").is_empty());
    }
}
