//! Streams: following a game or an inbox without gaps.
//!
//! A woken follower always delivers the state of the store: the entries after the version that its client has seen, and
//! its current view. So it does not matter whether a notification came once, twice or late, or from which replica.
//! Entries that this process has just written or read come from the cache.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::history::restore;
use super::log::LogEntry;
use super::snapshot::Snapshot;
use super::table::Table;
use crate::auth::TokenWatch;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::{Cost, UNITS_PER_REQUEST};
use crate::live::{SharedRead, Subscription, Topic};
use crate::model::{Caller, Cursor, Entry, Head, Sitting, Tag, Version};
use crate::service::Maidan;

/// The wait before a stream retries while the database is unavailable.
const BACKOFF: Duration = Duration::from_millis(500);

/// The changes of a game since the client last saw it.
pub struct GameChange {
    /// The version that the client had seen.
    pub after: Version,
    /// The entries after that version, up to the game's. Empty in a first message and in a resync.
    pub entries: Vec<LogEntry>,
    /// Whether the entries are omitted, because the client was too far behind or has seen another history.
    pub resync: bool,
    /// The game as it is now.
    pub game: Snapshot,
}

/// The changes of a player's inbox since the client last saw it.
pub struct InboxChange {
    /// Identifies the state of the inbox: a new stream resumes from it.
    pub cursor: String,
    /// Whether the client's cursor was outdated. Then `opened` has all games that wait.
    pub resync: bool,
    /// Games with a decision that the client has not seen, oldest first.
    pub opened: Vec<Snapshot>,
    /// Games that no longer wait.
    pub closed: Vec<GameId>,
    /// The number of games that wait now.
    pub waiting: usize,
}

/// Streams the changes of a game after a version; without one, begins with the current game. The stream ends with the
/// game. `None` if the game is over and the caller has seen its end.
pub async fn follow(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: Option<Cursor>,
) -> Result<Option<impl Stream<Item = Result<GameChange>> + Send + use<>>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let mut follower = GameFollower {
        wakeup: Wakeup::new(maidan, caller, Topic::Game(id)),
        maidan: Arc::clone(maidan),
        caller: caller.clone(),
        id,
        seen: after,
        is_on: true,
    };
    // An error is returned before the stream begins.
    let first = follower.look().await?;
    if first.is_none() && !follower.is_on {
        return Ok(None);
    }
    Ok(Some(unfold((Some(follower), first), |(follower, first)| async move {
        let mut follower = follower?;
        let change = match first {
            Some(change) => Ok(change),
            None => follower.next().await,
        };
        let goes_on = change.is_ok() && follower.is_on;
        Some((change, (goes_on.then_some(follower), None)))
    })))
}

/// Long poll: waits until the game is no longer at `after`. `None` after the timeout.
pub async fn wait(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: Cursor,
    timeout: Duration,
) -> Result<Option<Table>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let most = Duration::from_secs(maidan.limits.max_wait_seconds.into());
    if timeout > most {
        return Err(Error::InvalidInput(format!("wait must be at most {}.", most.as_secs())));
    }
    let _slot = maidan.stream_slots.take(caller)?;
    let mut closing = maidan.closing.subscribe();
    let mut subscription = maidan.topics.subscribe(Topic::Game(id));
    let mut token = TokenWatch::over(maidan, caller);
    let mut timeout = pin!(tokio::time::sleep(timeout));
    loop {
        let table = Table::find(maidan, caller, id).await?;
        if !after.is_at(table.game().head()) {
            return Ok(Some(table));
        }
        tokio::select! {
            () = subscription.changed() => {}
            () = &mut timeout => return Ok(None),
            _ = closing.wait_for(|closing| *closing) => return Ok(None),
            ended = token.ended() => return Err(ended),
        }
    }
}

/// Streams the changes of the caller's inbox after a cursor; without one, begins with all games that wait.
pub async fn follow_inbox(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    after: Option<String>,
) -> Result<impl Stream<Item = Result<InboxChange>> + Send + use<>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let mut follower = InboxFollower {
        wakeup: Wakeup::new(maidan, caller, Topic::Inbox(player)),
        maidan: Arc::clone(maidan),
        caller: caller.clone(),
        inbox: maidan.inboxes.of(player),
        known: Vec::new(),
        cursor: after,
    };
    follower.wakeup.is_due = true;
    Ok(unfold(Some(follower), |follower| async move {
        let mut follower = follower?;
        let change = follower.next().await;
        let goes_on = change.is_ok();
        Some((change, goes_on.then_some(follower)))
    }))
}

/// Paces the messages of a stream by their cost in units: opening the stream paid for the first one. A client that
/// follows more than its rate limit allows gets its messages later, and then each covers more.
pub fn paced<S: Stream + Send + Unpin>(
    maidan: Arc<Maidan>,
    caller: Caller,
    units: usize,
    messages: S,
) -> impl Stream<Item = S::Item> + Send + use<S>
where
    S::Item: Send,
{
    unfold((messages, maidan, caller, None::<usize>), move |(mut messages, maidan, caller, unpaid)| async move {
        let unpaid = match unpaid {
            None => 0,
            Some(unpaid) => {
                let unpaid = unpaid + units;
                maidan.rates.pace(&caller, unpaid / UNITS_PER_REQUEST).await;
                unpaid % UNITS_PER_REQUEST
            }
        };
        let message = messages.next().await?;
        Some((message, (messages, maidan, caller, Some(unpaid))))
    })
}

/// Reads the store whenever there may be a change.
trait Follower: Send {
    type Change: Send;

    fn wakeup(&mut self) -> &mut Wakeup;

    /// The changes since the last call; `None` if there are none.
    fn look(&mut self) -> impl Future<Output = Result<Option<Self::Change>>> + Send;

    fn next(&mut self) -> impl Future<Output = Result<Self::Change>> + Send {
        async {
            loop {
                self.wakeup().wait().await?;
                match self.look().await {
                    Ok(Some(change)) => return Ok(change),
                    Ok(None) => {}
                    Err(Error::Unavailable | Error::Busy(_)) => {
                        self.wakeup().is_due = true;
                        tokio::time::sleep(BACKOFF).await;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// Wakes a follower at a notification, and when its token is no longer active.
struct Wakeup {
    subscription: Subscription,
    token: TokenWatch,
    /// Whether to read the store without waiting for a notification.
    is_due: bool,
    /// What is read must be as of this time or later.
    since: Instant,
}

impl Wakeup {
    fn new(maidan: &Arc<Maidan>, caller: &Caller, topic: Topic) -> Wakeup {
        let subscription = maidan.topics.subscribe(topic);
        Wakeup { subscription, token: TokenWatch::over(maidan, caller), is_due: false, since: Instant::now() }
    }

    /// Waits for a notification. Fails when the token is no longer active.
    async fn wait(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_due) {
            self.since = Instant::now();
            return Ok(());
        }
        tokio::select! {
            () = self.subscription.changed() => {}
            ended = self.token.ended() => return Err(ended),
        }
        self.since = self.subscription.notified().unwrap_or_else(Instant::now);
        Ok(())
    }
}

struct GameFollower {
    maidan: Arc<Maidan>,
    caller: Caller,
    id: GameId,
    /// The state that the client has seen; `None` before the first message.
    seen: Option<Cursor>,
    /// Whether the game is open or running.
    is_on: bool,
    wakeup: Wakeup,
}

impl Follower for GameFollower {
    type Change = GameChange;

    fn wakeup(&mut self) -> &mut Wakeup {
        &mut self.wakeup
    }

    async fn look(&mut self) -> Result<Option<GameChange>> {
        let table = match self.just_stored() {
            Some(sitting) => Table::seen_by(&self.maidan, &self.caller, sitting)?,
            None => Table::find(&self.maidan, &self.caller, self.id).await?,
        };
        let head = table.game().head();
        self.is_on = table.game().status.is_on();
        let Some(after) = self.seen else {
            self.seen = Some(head.into());
            let game = Snapshot::of(&self.maidan, table).await?;
            return Ok(Some(GameChange { after: head.version, entries: Vec::new(), resync: false, game }));
        };
        if after.is_at(head) {
            return Ok(None);
        }
        let is_near = (1..=i32::from(self.maidan.limits.max_catch_up)).contains(&(head.version.0 - after.version.0));
        let entries = match is_near {
            true => entries_since(&self.maidan, &table, after).await?,
            // Too far behind, or ahead: the client has seen a history that is lost.
            false => None,
        };
        let (resync, after) = (entries.is_none(), after.version);
        let entries =
            entries.unwrap_or_default().into_iter().map(|entry| table.read_entry(entry)).collect::<Result<_>>()?;
        let game = Snapshot::of(&self.maidan, table).await?;
        self.seen = Some(head.into());
        Ok(Some(GameChange { after, entries, resync, game }))
    }
}

impl GameFollower {
    /// The cached game, if a commit of this process woke the follower: the store has just confirmed this version and
    /// need not be queried again.
    fn just_stored(&self) -> Option<Sitting> {
        let (seen, stored) = (self.seen?, self.wakeup.subscription.own_head()?);
        let sitting = self.maidan.games.get(&self.id)?;
        (!seen.is_at(stored) && sitting.game.head() == stored).then_some(sitting)
    }
}

/// The entries after what the client has seen, up to the table's own version, so that view and entries end at the same
/// one. `None` if the client has seen another history. The first follower reads them from the store; the others of the
/// same game find them in the cache.
async fn entries_since(maidan: &Maidan, table: &Table, after: Cursor) -> Result<Option<Vec<Entry>>> {
    let Cursor { version, .. } = after;
    if let Some((before, latest)) = &table.sitting.latest
        && before.version <= version
    {
        let seen = latest.iter().find(|entry| entry.version == version).map_or(before.tag, |entry| entry.tag);
        let rest = || latest.iter().filter(|entry| entry.version > version).cloned().collect();
        return Ok(after.fits(seen).then(rest));
    }
    let game = table.game();
    // With the entry that the client saw last: its tag distinguishes the histories.
    let count = i64::from(game.version.0 - version.0) + 1;
    let mut entries = maidan.store.entries(game.id, game.kind, Version(version.0 - 1), count).await?;
    let seen = match entries.first() {
        Some(first) if first.version == version => entries.remove(0).tag,
        _ => Tag::default(),
    };
    if !after.fits(seen) {
        return Ok(None);
    }
    if maidan.games.get(&game.id).is_some_and(|cached| cached.game.head() == game.head()) {
        let before = Head { version, tag: seen };
        maidan.games.put(game.id, table.sitting.clone().with_latest(before, entries.as_slice()));
    }
    Ok(Some(entries))
}

struct InboxFollower {
    maidan: Arc<Maidan>,
    caller: Caller,
    /// Shared by all streams of the player.
    inbox: Arc<SharedRead<Arc<[Sitting]>>>,
    /// The games that wait, as the client has seen them, each with the version at which its decision opened.
    known: Vec<(GameId, Version)>,
    /// The client's cursor, until the first comparison.
    cursor: Option<String>,
    wakeup: Wakeup,
}

impl Follower for InboxFollower {
    type Change = InboxChange;

    fn wakeup(&mut self) -> &mut Wakeup {
        &mut self.wakeup
    }

    async fn look(&mut self) -> Result<Option<InboxChange>> {
        let player = self.caller.player()?.id;
        let sittings = self.inbox.as_of(self.wakeup.since, waiting(&self.maidan, player)).await?;
        let tables = sittings.iter().map(|sitting| Table::seen_by(&self.maidan, &self.caller, sitting.clone()));
        let tables = tables.collect::<Result<Vec<Table>>>()?;
        let waits = |table: &Table| {
            let opened = table.own_decision();
            (table.game().id, opened.unwrap_or_default())
        };
        let now: Vec<(GameId, Version)> = tables.iter().map(waits).collect();
        let cursor = cursor_of(&now);
        let resync = match &self.cursor {
            Some(seen) if *seen == cursor => {
                (self.cursor, self.known) = (None, now);
                return Ok(None);
            }
            Some(_) => true,
            None => false,
        };
        if !resync && now == self.known {
            return Ok(None);
        }
        let opened = tables.into_iter().filter(|table| !self.known.contains(&waits(table))).collect();
        let opened = Snapshot::of_all(&self.maidan, opened).await?;
        let closed = self.known.iter().map(|(game, _)| *game).filter(|game| !now.iter().any(|(id, _)| id == game));
        let (closed, waiting) = (closed.collect(), now.len());
        (self.cursor, self.known) = (None, now);
        Ok(Some(InboxChange { cursor, resync, opened, closed, waiting }))
    }
}

/// The games that wait for a player, the oldest first.
async fn waiting(maidan: &Maidan, player: PlayerId) -> Result<Arc<[Sitting]>> {
    let mut sittings = Vec::new();
    for game in maidan.store.inbox(player, None, maidan.limits.max_page.into()).await? {
        sittings.push(restore(&maidan.store, game).await?);
    }
    Ok(sittings.into())
}

/// A hash of the inbox. It covers only what the player may see.
fn cursor_of(waiting: &[(GameId, Version)]) -> String {
    let text: String = waiting.iter().map(|(game, opened)| format!("{game}:{opened} ")).collect();
    Sha256::digest(text.as_bytes())[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}
