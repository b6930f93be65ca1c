//! Following a game, or everything that waits for a player, without gaps.
//!
//! Whatever wakes a follower, it delivers what the store has: the entries after the version that its client has seen,
//! and its own view as it is now. So it does not matter whether a notification came once, twice or late, or from which
//! replica. Entries that this process has just written or read are taken from the cache.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use sha2::{Digest, Sha256};

use super::log::LogEntry;
use super::snapshot::Snapshot;
use super::table::Table;
use crate::auth::TokenWatch;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::live::{Subscription, Topic};
use crate::model::{Caller, Entry, Sitting, Version};
use crate::service::Maidan;

/// How long a stream waits before it retries while the database is away.
const BACKOFF: Duration = Duration::from_millis(500);

/// What became of a game since its follower last looked.
pub struct GameChange {
    /// The version that the client had seen.
    pub after: Version,
    /// The entries from there to the table's version; none in a first look and in a resync.
    pub entries: Vec<LogEntry>,
    /// Whether the client was so far behind that the entries were left out.
    pub resync: bool,
    /// The game as it is now.
    pub game: Snapshot,
}

/// What became of a player's inbox since its follower last looked.
pub struct InboxChange {
    /// Names what waits now: a new stream continues from it.
    pub cursor: String,
    /// Whether the client's cursor was another one: `opened` then has every game that waits.
    pub resync: bool,
    /// Games with a decision that the client has not seen, the oldest first.
    pub opened: Vec<Snapshot>,
    /// Games that wait no longer.
    pub closed: Vec<GameId>,
    /// How many games wait now.
    pub waiting: usize,
}

/// Changes of a game, beginning after a version, or with the game as it is. Ends with the game; `None` if it has ended
/// already and the caller has seen that.
pub async fn follow(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: Option<i32>,
) -> Result<Option<impl Stream<Item = Result<GameChange>> + Send + use<>>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let mut follower = GameFollower {
        wakeup: Wakeup::new(maidan, caller, Topic::Game(id)),
        maidan: Arc::clone(maidan),
        caller: caller.clone(),
        id,
        seen: after.map(Version),
        may_go_on: true,
    };
    // A game that cannot be followed is refused before anything is streamed.
    let first = follower.look().await?;
    if first.is_none() && !follower.may_go_on {
        return Ok(None);
    }
    Ok(Some(unfold((Some(follower), first), |(follower, first)| async move {
        let mut follower = follower?;
        let change = match first {
            Some(change) => Ok(change),
            None => follower.next().await,
        };
        let goes_on = change.is_ok() && follower.may_go_on;
        Some((change, (goes_on.then_some(follower), None)))
    })))
}

/// The game as soon as its version is higher than the one that the caller has seen; `None` after the timeout.
pub async fn wait(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: i32,
    timeout: Duration,
) -> Result<Option<Table>> {
    maidan.rates.charge(caller, Cost::Request)?;
    let most = Duration::from_secs(maidan.limits.max_wait_seconds.into());
    if timeout > most {
        return Err(Error::InvalidInput(format!("wait is {} at the most.", most.as_secs())));
    }
    let _slot = maidan.stream_slots.take(caller)?;
    let mut closing = maidan.closing.subscribe();
    let mut subscription = maidan.topics.subscribe(Topic::Game(id));
    let mut token = TokenWatch::over(maidan, caller);
    let mut timeout = pin!(tokio::time::sleep(timeout));
    loop {
        let table = Table::find(maidan, caller, id).await?;
        check_cursor(Version(after), table.game().version)?;
        if table.game().version > Version(after) {
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

/// Changes of the caller's inbox, beginning after a cursor, or with everything that waits.
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

/// Looks whenever there may be a change.
trait Follower: Send {
    type Change: Send;

    fn wakeup(&mut self) -> &mut Wakeup;

    /// What has happened since the last look, if anything has.
    fn look(&mut self) -> impl Future<Output = Result<Option<Self::Change>>> + Send;

    fn next(&mut self) -> impl Future<Output = Result<Self::Change>> + Send {
        async {
            loop {
                self.wakeup().wait().await?;
                match self.look().await {
                    Ok(Some(change)) => return Ok(change),
                    Ok(None) => {}
                    Err(Error::Unavailable) => {
                        self.wakeup().is_due = true;
                        tokio::time::sleep(BACKOFF).await;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// What wakes a follower: a notification, or the end of its token.
struct Wakeup {
    subscription: Subscription,
    token: TokenWatch,
    /// Whether a look is due without a notification.
    is_due: bool,
}

impl Wakeup {
    fn new(maidan: &Maidan, caller: &Caller, topic: Topic) -> Wakeup {
        let subscription = maidan.topics.subscribe(topic);
        Wakeup { subscription, token: TokenWatch::over(maidan, caller), is_due: false }
    }

    /// Waits for a notification. An error if the token is no longer active.
    async fn wait(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.is_due) {
            tokio::select! {
                () = self.subscription.changed() => {}
                ended = self.token.ended() => return Err(ended),
            }
        }
        Ok(())
    }
}

struct GameFollower {
    maidan: Arc<Maidan>,
    caller: Caller,
    id: GameId,
    /// The version that the client has seen; `None` before it has seen any.
    seen: Option<Version>,
    /// Whether anything more can happen in this game.
    may_go_on: bool,
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
        let version = table.game().version;
        self.may_go_on = table.game().status.is_on();
        let Some(after) = self.seen else {
            self.seen = Some(version);
            let game = Snapshot::of(&self.maidan, table).await?;
            return Ok(Some(GameChange { after: version, entries: Vec::new(), resync: false, game }));
        };
        check_cursor(after, version)?;
        if version == after {
            return Ok(None);
        }
        let resync = version.0 - after.0 > i32::from(self.maidan.limits.max_catch_up);
        let entries = match resync {
            true => Vec::new(),
            false => entries_between(&self.maidan, &table, after).await?,
        };
        let entries = entries.into_iter().map(|entry| table.read_entry(entry)).collect::<Result<_>>()?;
        let game = Snapshot::of(&self.maidan, table).await?;
        self.seen = Some(version);
        Ok(Some(GameChange { after, entries, resync, game }))
    }
}

impl GameFollower {
    /// The game as this process has just stored it, if that is what woke the follower: the store has confirmed this
    /// version since the last look and need not be asked again.
    fn just_stored(&self) -> Option<Sitting> {
        let (seen, stored) = (self.seen?, self.wakeup.subscription.own_version()?);
        let sitting = self.maidan.games.get(&self.id)?;
        (seen < stored && sitting.game.version == stored).then_some(sitting)
    }
}

/// The entries after a version, up to the table's own: the view and the entries end at the same version. The first
/// follower reads them from the store, and all others of the same game find them in the cache.
async fn entries_between(maidan: &Maidan, table: &Table, after: Version) -> Result<Vec<Entry>> {
    let covers = |entries: &&Arc<[Entry]>| entries.first().is_some_and(|first| first.version <= after.plus(1));
    if let Some(latest) = table.sitting.latest.as_ref().filter(covers) {
        return Ok(latest.iter().filter(|entry| entry.version > after).cloned().collect());
    }
    let game = table.game();
    let entries = maidan.store.entries(game.id, game.kind, after, i64::from(game.version.0 - after.0)).await?;
    if maidan.games.get(&game.id).is_some_and(|cached| cached.game.version == game.version) {
        maidan.games.put(game.id, table.sitting.clone().with_latest(entries.as_slice()));
    }
    Ok(entries)
}

struct InboxFollower {
    maidan: Arc<Maidan>,
    caller: Caller,
    /// What the client has seen: the games that wait, each with the version at which its decision opened.
    known: Vec<(GameId, Version)>,
    /// The client's cursor, until it has been compared.
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
        let games = self.maidan.store.inbox(player, self.maidan.limits.max_page.into()).await?;
        let tables = Table::load_all(&self.maidan, &self.caller, games).await?;
        let waits = |table: &Table| {
            let opened = table.seat().and_then(|seat| table.decision_version(seat));
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

/// Nobody can have seen a version that does not exist yet.
fn check_cursor(after: Version, version: Version) -> Result<()> {
    match after {
        Version(..0) => Err(Error::InvalidInput("after is a version, 0 or more.".into())),
        after if after > version => {
            Err(Error::InvalidInput(format!("after is {after}, but the game is at version {version}.")))
        }
        _ => Ok(()),
    }
}

/// A short name for what waits, made only of what its player sees.
fn cursor_of(waiting: &[(GameId, Version)]) -> String {
    let text: String = waiting.iter().map(|(game, opened)| format!("{game}:{opened} ")).collect();
    Sha256::digest(text.as_bytes())[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}
