//! Topics, to which the streams of this process subscribe.
//!
//! A notification only wakes. It says *that* something changed, never what: the subscriber reads the log as its own
//! viewer. A lost notification delays a read and a repeated one costs a read; neither can show wrong data.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::ids::{GameId, PlayerId};
use crate::model::{Game, Head, Tag, Version};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A game. Notifies of every new version.
    Game(GameId),
    /// The games that wait for a player. Notifies when one is added or removed.
    Inbox(PlayerId),
    /// A token, by its hash. Notifies when it expires or is revoked.
    Token(Vec<u8>),
    /// A player who is connected. Notifies when the player is deleted and, in this process, when it or one of its tokens
    /// changes.
    Player(PlayerId),
}

/// A game has changed. `players` are those whose inboxes may have changed with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub game: GameId,
    pub head: Head,
    pub players: Vec<PlayerId>,
}

impl Hint {
    pub fn about(game: &Game) -> Hint {
        Hint { game: game.id, head: game.head(), players: game.players().collect() }
    }
}

/// The most unsent hints. Beyond it other replicas find the changes by polling.
const MOST_UNSENT: usize = 10_000;

/// The polled state of a token that is no longer active, or of a player who is deleted; 0 is an active one.
pub const INACTIVE: u64 = 1;

/// The source of a notification.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A commit of this process.
    Commit,
    /// Another replica's hint.
    Hint,
    /// The poll, which finds changes whose hints were lost.
    Poll,
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Source::Commit => "commit",
            Source::Hint => "hint",
            Source::Poll => "poll",
        }
    }
}

/// The last known state of a topic.
#[derive(Clone, Copy, Default)]
struct State {
    /// Counts notifications; for a game it is the version.
    count: u64,
    /// For a game: the tag of that version.
    tag: Tag,
    /// Whether a commit of this process made that version.
    is_own: bool,
    /// A lower version that the last poll found.
    lower: Option<Head>,
    /// The state that the poll last saw: a hash of an inbox, or whether a token is active.
    polled: u64,
    /// For an inbox: the time of the last notification.
    notified: Option<Instant>,
}

pub struct Topics {
    topics: Mutex<HashMap<Topic, watch::Sender<State>>>,
    /// Hints for other replicas: the latest one of each game.
    unsent: Mutex<HashMap<GameId, Hint>>,
    has_unsent: Notify,
    has_replicas: bool,
}

impl Topics {
    /// `has_replicas`: whether to collect hints for other replicas.
    pub fn new(has_replicas: bool) -> Topics {
        Topics { topics: Mutex::default(), unsent: Mutex::default(), has_unsent: Notify::new(), has_replicas }
    }

    /// Whether a stream of this process follows the game.
    pub fn is_followed(&self, game: GameId) -> bool {
        self.topics().contains_key(&Topic::Game(game))
    }

    /// Subscribes to notifications from now on.
    pub fn subscribe(self: &Arc<Topics>, topic: Topic) -> Subscription {
        let receiver = self.topics().entry(topic.clone()).or_default().subscribe();
        Subscription { topics: Arc::clone(self), topic, receiver }
    }

    /// Announces a committed change: in this process immediately, to other replicas within a tick.
    pub fn announce(&self, hint: Hint) {
        self.notify(&hint, Source::Commit);
        let mut unsent = lock(&self.unsent);
        if self.has_replicas && unsent.len() < MOST_UNSENT {
            unsent.insert(hint.game, hint);
            self.has_unsent.notify_one();
        }
    }

    /// Handles another replica's hint.
    pub fn receive(&self, hint: &Hint) {
        self.notify(hint, Source::Hint);
    }

    fn notify(&self, hint: &Hint, source: Source) {
        let topics = self.topics();
        if let Some(game) = topics.get(&Topic::Game(hint.game)) {
            notify_version(game, hint.head, source);
        }
        for player in &hint.players {
            if let Some(inbox) = topics.get(&Topic::Inbox(*player)) {
                inbox.send_modify(|state| {
                    state.count += 1;
                    state.notified = Some(Instant::now());
                });
            }
        }
    }

    /// Handles the polled state of a game.
    pub fn receive_head(&self, game: GameId, head: Head) {
        if let Some(topic) = self.topics().get(&Topic::Game(game)) {
            notify_version(topic, head, Source::Poll);
        }
    }

    /// Notifies the subscribers of a player in this process.
    pub fn notify_player(&self, player: PlayerId) {
        if let Some(topic) = self.topics().get(&Topic::Player(player)) {
            topic.send_modify(|state| state.count += 1);
        }
    }

    /// Handles the polled state of an inbox, a token or a player.
    pub fn receive_state(&self, topic: &Topic, polled: u64) {
        if let Some(topic) = self.topics().get(topic) {
            topic.send_if_modified(|state| {
                let is_new = state.polled != polled;
                if is_new {
                    let notified = Some(Instant::now());
                    *state = State { count: state.count + 1, polled, notified, ..*state };
                }
                is_new
            });
        }
    }

    /// All topics with a subscriber.
    pub fn subscribed(&self) -> Vec<Topic> {
        let mut topics = self.topics();
        // If the last two subscribers leave at the same time, neither removes the topic.
        topics.retain(|_, topic| topic.receiver_count() > 0);
        topics.keys().cloned().collect()
    }

    /// Takes the unsent hints. Waits until there is at least one.
    pub async fn unsent(&self) -> Vec<Hint> {
        loop {
            let unsent: Vec<Hint> = lock(&self.unsent).drain().map(|(_, hint)| hint).collect();
            if !unsent.is_empty() {
                return unsent;
            }
            self.has_unsent.notified().await;
        }
    }

    fn topics(&self) -> MutexGuard<'_, HashMap<Topic, watch::Sender<State>>> {
        lock(&self.topics)
    }
}

fn notify_version(game: &watch::Sender<State>, head: Head, source: Source) {
    let version = u64::try_from(head.version.0).unwrap_or_default();
    let mut is_first = false;
    let is_new = game.send_if_modified(|state| {
        is_first = state.count == 0;
        let is_new = match version.cmp(&state.count) {
            Ordering::Greater => true,
            Ordering::Equal => head.tag != state.tag,
            // Late, unless the database was set back: then the next poll, or a commit of this process, finds it again.
            Ordering::Less => source == Source::Commit || (source == Source::Poll && state.lower == Some(head)),
        };
        if source == Source::Poll {
            state.lower = (version < state.count).then_some(head);
        }
        if is_new {
            *state = State { count: version, tag: head.tag, is_own: source == Source::Commit, lower: None, ..*state };
        }
        is_new
    });
    // The first poll of a topic only learns the version of its game: subscribers read again, but no hint was lost.
    if is_new && !(is_first && source == Source::Poll) {
        metrics::counter!("maidan_wakeups_total", "by" => source.name()).increment(1);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A subscription to a topic.
pub struct Subscription {
    topics: Arc<Topics>,
    topic: Topic,
    receiver: watch::Receiver<State>,
}

impl Subscription {
    /// Waits for the next notification.
    pub async fn changed(&mut self) {
        if self.receiver.changed().await.is_err() {
            // Unreachable: a topic lives as long as its subscribers.
            std::future::pending::<()>().await;
        }
    }

    /// The latest state of the game, if a commit of this process made it.
    pub fn own_head(&self) -> Option<Head> {
        let state = *self.receiver.borrow();
        let version = i32::try_from(state.count).ok().filter(|_| state.is_own).map(Version)?;
        Some(Head { version, tag: state.tag })
    }

    /// The time of the last notification of an inbox: a read that began later has seen what it was about.
    pub fn notified(&self) -> Option<Instant> {
        self.receiver.borrow().notified
    }

    /// The state that the poll last saw.
    pub fn polled(&self) -> u64 {
        self.receiver.borrow().polled
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut topics = self.topics.topics();
        // The last subscriber removes the topic.
        if topics.get(&self.topic).is_some_and(|topic| topic.receiver_count() <= 1) {
            topics.remove(&self.topic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn head(version: i32) -> Head {
        Head { version: Version(version), tag: Tag(7) }
    }

    async fn is_woken(subscription: &mut Subscription) -> bool {
        tokio::time::timeout(Duration::from_millis(20), subscription.changed()).await.is_ok()
    }

    #[actix_web::test]
    async fn a_notification_wakes_once_and_an_old_one_does_not() {
        let topics = Arc::new(Topics::new(true));
        let (game, player) = (GameId::fresh(), PlayerId::fresh());
        let mut table = topics.subscribe(Topic::Game(game));
        let mut inbox = topics.subscribe(Topic::Inbox(player));
        let hint = |version| Hint { game, head: head(version), players: vec![player] };
        assert!(!is_woken(&mut table).await);
        topics.announce(hint(3));
        assert!(is_woken(&mut table).await && is_woken(&mut inbox).await);
        assert!(!is_woken(&mut table).await);
        topics.receive(&hint(3));
        topics.receive_head(game, head(2));
        assert!(!is_woken(&mut table).await);
        topics.receive_head(game, head(4));
        assert!(is_woken(&mut table).await);
    }

    #[actix_web::test]
    async fn a_database_that_was_set_back_is_noticed() {
        let topics = Arc::new(Topics::new(true));
        let game = GameId::fresh();
        let mut table = topics.subscribe(Topic::Game(game));
        topics.receive_head(game, head(5));
        assert!(is_woken(&mut table).await);
        topics.receive_head(game, head(3));
        assert!(!is_woken(&mut table).await, "a late poll");
        topics.receive_head(game, head(3));
        assert!(is_woken(&mut table).await, "found twice");
        topics.receive_head(game, Head { tag: Tag(8), ..head(3) });
        assert!(is_woken(&mut table).await, "another history of the same version");
        topics.announce(Hint { game, head: head(2), players: Vec::new() });
        assert!(is_woken(&mut table).await, "this process has stored it");
    }

    #[actix_web::test]
    async fn a_commit_of_this_process_is_known_until_another_process_commits() {
        let topics = Arc::new(Topics::new(true));
        let game = GameId::fresh();
        let mut table = topics.subscribe(Topic::Game(game));
        let hint = |version| Hint { game, head: head(version), players: Vec::new() };
        assert_eq!(table.own_head(), None);
        topics.announce(hint(3));
        assert_eq!(table.own_head(), Some(head(3)));
        topics.receive(&hint(3));
        assert_eq!(table.own_head(), Some(head(3)), "its own hint may come back to it");
        topics.receive(&hint(4));
        assert_eq!(table.own_head(), None);
        topics.announce(hint(5));
        assert!(is_woken(&mut table).await);
        assert_eq!(table.own_head(), Some(head(5)));
    }

    #[actix_web::test]
    async fn a_poll_wakes_when_it_finds_a_change() {
        let topics = Arc::new(Topics::new(true));
        let topic = Topic::Token(vec![1]);
        let mut token = topics.subscribe(topic.clone());
        topics.receive_state(&topic, 0);
        assert!(!is_woken(&mut token).await);
        topics.receive_state(&topic, 1);
        assert!(is_woken(&mut token).await);
        topics.receive_state(&topic, 1);
        assert!(!is_woken(&mut token).await);
    }

    #[actix_web::test]
    async fn a_topic_goes_with_its_last_subscriber() {
        let topics = Arc::new(Topics::new(true));
        let topic = Topic::Game(GameId::fresh());
        let (one, two) = (topics.subscribe(topic.clone()), topics.subscribe(topic));
        drop(one);
        assert_eq!(topics.subscribed().len(), 1);
        drop(two);
        assert!(topics.subscribed().is_empty());
    }

    #[actix_web::test]
    async fn of_each_game_the_latest_hint_is_sent() {
        let topics = Topics::new(true);
        let game = GameId::fresh();
        for version in [1, 2, 3] {
            topics.announce(Hint { game, head: head(version), players: Vec::new() });
        }
        let unsent = topics.unsent().await;
        assert_eq!(unsent, [Hint { game, head: head(3), players: Vec::new() }]);
    }
}
