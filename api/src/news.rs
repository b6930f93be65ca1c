//! Who in this process waits for news of what.
//!
//! News only wakes. It says *that* something changed, never what: whoever is woken reads the log for itself, with its
//! own eyes. News that is lost or comes twice therefore delays or costs a look, and never shows anything wrong.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::ids::{GameId, PlayerId};

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A game that gets another version.
    Game(GameId),
    /// Another game that waits for this player, or one that does so no longer.
    Inbox(PlayerId),
    /// A token, by its hash, that stops working.
    Token(Vec<u8>),
}

/// That a game changed, and whose inbox that may concern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub game: GameId,
    pub version: i32,
    pub players: Vec<PlayerId>,
}

/// The most hints that wait to be sent. What is more is left to healing.
const MOST_UNSENT: usize = 10_000;

/// What healing sees of a token that has stopped working; 0 is one that works.
pub const TOKEN_GONE: u64 = 1;

/// What a topic was last heard to be.
#[derive(Clone, Copy, Default)]
struct Heard {
    /// Counts up with every piece of news; for a game it is the version.
    count: u64,
    /// Whether it was this process that brought the game to that version.
    is_own: bool,
    /// What healing last saw, in a number.
    seen: u64,
}

pub struct News {
    topics: Mutex<HashMap<Topic, watch::Sender<Heard>>>,
    /// Hints for other replicas, the latest of each game.
    unsent: Mutex<HashMap<GameId, Hint>>,
    something_to_send: Notify,
    has_others: bool,
}

impl News {
    /// With other replicas to be told, or without.
    pub fn new(has_others: bool) -> News {
        News { topics: Mutex::default(), unsent: Mutex::default(), something_to_send: Notify::new(), has_others }
    }

    /// Whether anybody follows a game here.
    pub fn is_followed(&self, game: GameId) -> bool {
        self.topics().contains_key(&Topic::Game(game))
    }

    /// Waits for news of a topic from now on.
    pub fn follow(self: &Arc<News>, topic: Topic) -> Follower {
        let receiver = self.topics().entry(topic.clone()).or_default().subscribe();
        Follower { news: Arc::clone(self), topic, receiver }
    }

    /// Tells of a change that has been stored: here at once, to other replicas soon.
    pub fn announce(&self, hint: Hint) {
        self.wake(&hint, true);
        let mut unsent = lock(&self.unsent);
        if self.has_others && unsent.len() < MOST_UNSENT {
            unsent.insert(hint.game, hint);
            self.something_to_send.notify_one();
        }
    }

    /// Hears of a change that another replica has stored.
    pub fn hear(&self, hint: &Hint) {
        self.wake(hint, false);
    }

    /// Wakes those who wait here for what the hint is about.
    fn wake(&self, hint: &Hint, is_own: bool) {
        let topics = self.topics();
        if let Some(game) = topics.get(&Topic::Game(hint.game)) {
            hear_version(game, hint.version, is_own);
        }
        for player in &hint.players {
            if let Some(inbox) = topics.get(&Topic::Inbox(*player)) {
                inbox.send_modify(|heard| heard.count += 1);
            }
        }
    }

    /// A game is found to be at this version.
    pub fn heal_game(&self, game: GameId, version: i32) {
        if let Some(topic) = self.topics().get(&Topic::Game(game)) {
            hear_version(topic, version, false);
        }
    }

    /// Of an inbox or a token this is found: if it is something else than before, that is news.
    pub fn heal(&self, topic: &Topic, seen: u64) {
        if let Some(topic) = self.topics().get(topic) {
            topic.send_if_modified(|heard| {
                let is_new = heard.seen != seen;
                if is_new {
                    *heard = Heard { count: heard.count + 1, seen, ..*heard };
                }
                is_new
            });
        }
    }

    /// Everything that somebody waits for here.
    pub fn followed(&self) -> Vec<Topic> {
        self.topics().keys().cloned().collect()
    }

    /// The hints that have come together, as soon as there are some.
    pub async fn unsent(&self) -> Vec<Hint> {
        loop {
            let unsent: Vec<Hint> = lock(&self.unsent).drain().map(|(_, hint)| hint).collect();
            if !unsent.is_empty() {
                return unsent;
            }
            self.something_to_send.notified().await;
        }
    }

    fn topics(&self) -> MutexGuard<'_, HashMap<Topic, watch::Sender<Heard>>> {
        lock(&self.topics)
    }
}

fn hear_version(game: &watch::Sender<Heard>, version: i32, is_own: bool) {
    let version = u64::try_from(version).unwrap_or_default();
    game.send_if_modified(|heard| {
        let is_new = version > heard.count;
        if is_new {
            (heard.count, heard.is_own) = (version, is_own);
        }
        is_new
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody who waits for news of a topic.
pub struct Follower {
    news: Arc<News>,
    topic: Topic,
    receiver: watch::Receiver<Heard>,
}

impl Follower {
    /// Waits until there is news that this follower has not taken notice of.
    pub async fn news(&mut self) {
        if self.receiver.changed().await.is_err() {
            // The topic lives as long as its followers: there is nothing to come, and nobody to tell.
            std::future::pending::<()>().await;
        }
    }

    /// The version that the game has just been brought to by this process, if that is the latest that was heard of it.
    pub fn own_version(&self) -> Option<i32> {
        let heard = *self.receiver.borrow();
        i32::try_from(heard.count).ok().filter(|_| heard.is_own)
    }

    /// What healing last saw of the topic, whether or not that is news.
    pub fn seen(&self) -> u64 {
        self.receiver.borrow().seen
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut topics = self.news.topics();
        // The last one out, this one, closes the topic.
        if topics.get(&self.topic).is_some_and(|topic| topic.receiver_count() <= 1) {
            topics.remove(&self.topic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn is_woken(follower: &mut Follower) -> bool {
        tokio::time::timeout(Duration::from_millis(20), follower.news()).await.is_ok()
    }

    #[actix_web::test]
    async fn news_wakes_once_and_old_news_does_not() {
        let news = Arc::new(News::new(true));
        let (game, player) = (GameId::fresh(), PlayerId::fresh());
        let mut table = news.follow(Topic::Game(game));
        let mut inbox = news.follow(Topic::Inbox(player));
        let hint = |version| Hint { game, version, players: vec![player] };
        assert!(!is_woken(&mut table).await);
        news.announce(hint(3));
        assert!(is_woken(&mut table).await && is_woken(&mut inbox).await);
        assert!(!is_woken(&mut table).await);
        news.hear(&hint(3));
        news.heal_game(game, 2);
        assert!(!is_woken(&mut table).await);
        news.heal_game(game, 4);
        assert!(is_woken(&mut table).await);
    }

    #[actix_web::test]
    async fn what_this_process_stored_last_is_known_until_another_does() {
        let news = Arc::new(News::new(true));
        let game = GameId::fresh();
        let mut table = news.follow(Topic::Game(game));
        let hint = |version| Hint { game, version, players: Vec::new() };
        assert_eq!(table.own_version(), None);
        news.announce(hint(3));
        assert_eq!(table.own_version(), Some(3));
        news.hear(&hint(3));
        assert_eq!(table.own_version(), Some(3), "its own hint comes back to it, perhaps");
        news.hear(&hint(4));
        assert_eq!(table.own_version(), None);
        news.announce(hint(5));
        assert!(is_woken(&mut table).await);
        assert_eq!(table.own_version(), Some(5));
    }

    #[actix_web::test]
    async fn healing_wakes_when_it_finds_something_else() {
        let news = Arc::new(News::new(true));
        let topic = Topic::Token(vec![1]);
        let mut token = news.follow(topic.clone());
        news.heal(&topic, 0);
        assert!(!is_woken(&mut token).await);
        news.heal(&topic, 1);
        assert!(is_woken(&mut token).await);
        news.heal(&topic, 1);
        assert!(!is_woken(&mut token).await);
    }

    #[actix_web::test]
    async fn a_topic_goes_with_its_last_follower() {
        let news = Arc::new(News::new(true));
        let topic = Topic::Game(GameId::fresh());
        let (one, two) = (news.follow(topic.clone()), news.follow(topic));
        drop(one);
        assert_eq!(news.followed().len(), 1);
        drop(two);
        assert!(news.followed().is_empty());
    }

    #[actix_web::test]
    async fn of_each_game_the_latest_hint_is_sent() {
        let news = News::new(true);
        let game = GameId::fresh();
        for version in [1, 2, 3] {
            news.announce(Hint { game, version, players: Vec::new() });
        }
        let unsent = news.unsent().await;
        assert_eq!(unsent, [Hint { game, version: 3, players: Vec::new() }]);
    }
}
