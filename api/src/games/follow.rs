//! Following a game, or everything that waits for a player, without gaps.
//!
//! Whatever wakes a follower, what it is told is what the store has: the entries after the version it has seen, and its
//! own view as it is now. So it does not matter whether news came once, twice or late, or which replica it came from.
//! What this process itself put into the log a moment ago it need not read from there.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use sha2::{Digest, Sha256};

use super::log::LogEntry;
use super::sitting::Sitting;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::{Cost, Place};
use crate::news::{Follower, TOKEN_GONE, Topic};
use crate::store::Status;

/// How long a stream waits for a database that is away before it looks again.
const PAUSE: Duration = Duration::from_millis(500);

/// What became of a game since its follower last looked.
pub struct GameChange {
    /// The version that the follower had seen.
    pub after: i32,
    /// The entries from there to the table's version; none in a first look and in a resync.
    pub entries: Vec<LogEntry>,
    /// Whether so much has happened that the entries were left out.
    pub resync: bool,
    /// The table as it is now.
    pub table: Table,
}

/// What became of a player's inbox since its follower last looked.
pub struct InboxChange {
    /// A name for what waits now: with it a new stream knows what its client has seen.
    pub cursor: String,
    /// Whether the client's cursor was another one: these are then all the games that wait.
    pub resync: bool,
    /// Games with a decision that the client has not been told of, the oldest first.
    pub opened: Vec<Table>,
    /// Games that wait no longer.
    pub closed: Vec<GameId>,
    /// How many games wait now.
    pub waiting: usize,
}

/// Changes of a game, beginning after a version, or with the game as it stands. Ends with the game; `None` if it has
/// ended already and the caller has seen that.
pub async fn follow(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: Option<i32>,
) -> Result<Option<impl Stream<Item = Result<GameChange>> + Send + use<>>> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let mut following = Following {
        ears: Ears { news: maidan.news.follow(Topic::Game(id)), token: Watch::over(maidan, caller), has_news: false },
        maidan: Arc::clone(maidan),
        caller: caller.clone(),
        id,
        seen: after,
        may_go_on: true,
    };
    // What cannot be followed is refused before anything is streamed.
    let first = following.look().await?;
    if first.is_none() && !following.may_go_on {
        return Ok(None);
    }
    Ok(Some(unfold((Some(following), first), |(following, first)| async move {
        let mut following = following?;
        let change = match first {
            Some(change) => Ok(change),
            None => following.next().await,
        };
        let goes_on = change.is_ok() && following.may_go_on;
        Some((change, (goes_on.then_some(following), None)))
    })))
}

/// The game as soon as its version is higher than the one that the caller has seen; `None` if that takes too long.
pub async fn wait(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    id: GameId,
    after: i32,
    patience: Duration,
) -> Result<Option<Table>> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let most = Duration::from_secs(maidan.limits.max_wait_seconds.into());
    if patience > most {
        return Err(Error::InvalidInput(format!("wait is {} at the most.", most.as_secs())));
    }
    let _place = Place::take(maidan, caller)?;
    let mut closing = maidan.closing.subscribe();
    let mut news = maidan.news.follow(Topic::Game(id));
    let mut token = Watch::over(maidan, caller);
    let mut time_is_up = pin!(tokio::time::sleep(patience));
    loop {
        let table = Table::find(maidan, caller, id).await?;
        mind_cursor(after, table.stored.version)?;
        if table.stored.version > after {
            return Ok(Some(table));
        }
        tokio::select! {
            () = news.news() => {}
            () = &mut time_is_up => return Ok(None),
            _ = closing.wait_for(|closing| *closing) => return Ok(None),
            ended = token.ended() => return Err(ended),
        }
    }
}

/// Changes of the caller's inbox, beginning after a cursor, or with all that waits.
pub async fn follow_inbox(
    maidan: &Arc<Maidan>,
    caller: &Caller,
    after: Option<String>,
) -> Result<impl Stream<Item = Result<InboxChange>> + Send + use<>> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = caller.player()?.id;
    let following = FollowingInbox {
        ears: Ears {
            news: maidan.news.follow(Topic::Inbox(player)),
            token: Watch::over(maidan, caller),
            has_news: true,
        },
        maidan: Arc::clone(maidan),
        caller: caller.clone(),
        known: Vec::new(),
        cursor: after,
    };
    Ok(unfold(Some(following), |following| async move {
        let mut following = following?;
        let change = following.next().await;
        let goes_on = change.is_ok();
        Some((change, goes_on.then_some(following)))
    }))
}

/// Somebody who looks whenever there may be something new.
trait Follow: Send {
    type Change: Send;

    fn ears(&mut self) -> &mut Ears;

    /// What has happened since the last look, if anything has.
    fn look(&mut self) -> impl Future<Output = Result<Option<Self::Change>>> + Send;

    fn next(&mut self) -> impl Future<Output = Result<Self::Change>> + Send {
        async {
            loop {
                self.ears().wait().await?;
                match self.look().await {
                    Ok(Some(change)) => return Ok(change),
                    Ok(None) => {}
                    Err(Error::Unavailable) => {
                        self.ears().has_news = true;
                        tokio::time::sleep(PAUSE).await;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// What a follower listens for.
struct Ears {
    news: Follower,
    token: Watch,
    /// Whether there may be something that was not looked at.
    has_news: bool,
}

impl Ears {
    /// Waits for news. An error if the token stops working.
    async fn wait(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.has_news) {
            tokio::select! {
                () = self.news.news() => {}
                ended = self.token.ended() => return Err(ended),
            }
        }
        Ok(())
    }
}

struct Following {
    maidan: Arc<Maidan>,
    caller: Caller,
    id: GameId,
    /// The version that the follower has seen; `None` before it has seen any.
    seen: Option<i32>,
    /// Whether anything more can happen in this game.
    may_go_on: bool,
    ears: Ears,
}

impl Follow for Following {
    type Change = GameChange;

    fn ears(&mut self) -> &mut Ears {
        &mut self.ears
    }

    async fn look(&mut self) -> Result<Option<GameChange>> {
        let table = match self.just_stored() {
            Some(sitting) => Table::at(&self.maidan, &self.caller, sitting)?,
            None => Table::find(&self.maidan, &self.caller, self.id).await?,
        };
        let version = table.stored.version;
        self.may_go_on = matches!(table.stored.status, Status::Open | Status::Running);
        let Some(after) = self.seen else {
            self.seen = Some(version);
            return Ok(Some(GameChange { after: version, entries: Vec::new(), resync: false, table }));
        };
        mind_cursor(after, version)?;
        if version == after {
            return Ok(None);
        }
        let most = self.maidan.limits.max_catch_up;
        let resync = version - after > i32::from(most);
        let entries = if resync {
            Vec::new()
        } else {
            // The game may have moved on since it was read: the view and the entries end at the same version.
            let entries = match table.latest_after(after) {
                Some(latest) => latest,
                None => self.maidan.store.entries(self.id, after, i64::from(version - after)).await?,
            };
            entries.into_iter().map(|entry| table.read_entry(entry)).collect::<Result<_>>()?
        };
        self.seen = Some(version);
        Ok(Some(GameChange { after, entries, resync, table }))
    }
}

impl Following {
    /// The game as this process has just stored it, if that is the news: then the store has said yes to this version
    /// since the follower last looked, and need not be asked again.
    fn just_stored(&self) -> Option<Sitting> {
        let (seen, stored) = (self.seen?, self.ears.news.own_version()?);
        let sitting = self.maidan.sittings.get(&self.id)?;
        (seen < stored && sitting.stored.version == stored).then_some(sitting)
    }
}

struct FollowingInbox {
    maidan: Arc<Maidan>,
    caller: Caller,
    /// What the client has been told: the games that wait, each with the version at which its decision opened.
    known: Vec<(GameId, i32)>,
    /// What the client says it has seen, until that has been compared.
    cursor: Option<String>,
    ears: Ears,
}

impl Follow for FollowingInbox {
    type Change = InboxChange;

    fn ears(&mut self) -> &mut Ears {
        &mut self.ears
    }

    async fn look(&mut self) -> Result<Option<InboxChange>> {
        let player = self.caller.player()?.id;
        let most = usize::from(self.maidan.limits.max_page);
        let games = self.maidan.store.inbox(player, most as i64).await?;
        let tables = Table::all_seen_by(&self.maidan, &self.caller, games).await?;
        let waits = |table: &Table| {
            let opened = table.seat().and_then(|seat| table.decision_version(seat));
            (table.stored.id, opened.unwrap_or_default())
        };
        let now: Vec<(GameId, i32)> = tables.iter().map(waits).collect();
        let cursor = cursor_of(&now);
        let known = std::mem::replace(&mut self.known, now);
        let resync = match self.cursor.take() {
            Some(seen) if seen == cursor => return Ok(None),
            Some(_) => true,
            None => false,
        };
        if !resync && known == self.known {
            return Ok(None);
        }
        let opened = tables.into_iter().filter(|table| !known.contains(&waits(table))).collect();
        let closed = known.iter().map(|(game, _)| *game).filter(|game| !self.known.iter().any(|(id, _)| id == game));
        Ok(Some(InboxChange { cursor, resync, opened, closed: closed.collect(), waiting: self.known.len() }))
    }
}

/// Nobody can have seen what has not happened.
fn mind_cursor(after: i32, version: i32) -> Result<()> {
    match after {
        after if after < 0 => Err(Error::InvalidInput("after is a version, 0 or more.".into())),
        after if after > version => {
            Err(Error::InvalidInput(format!("after is {after}, but the game is at version {version}.")))
        }
        _ => Ok(()),
    }
}

/// A short name for what waits. It is made of what its player sees, and of nothing else.
fn cursor_of(waiting: &[(GameId, i32)]) -> String {
    let text: String = waiting.iter().map(|(game, opened)| format!("{game}:{opened} ")).collect();
    Sha256::digest(text.as_bytes())[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An eye on the token by which a stream was opened.
pub struct Watch(Option<Follower>);

impl Watch {
    pub fn over(maidan: &Arc<Maidan>, caller: &Caller) -> Watch {
        Watch(caller.token_hash.clone().map(|hash| maidan.news.follow(Topic::Token(hash))))
    }

    /// Waits until the token stops working.
    pub async fn ended(&mut self) -> Error {
        match &mut self.0 {
            None => std::future::pending().await,
            Some(token) => {
                while token.seen() != TOKEN_GONE {
                    token.news().await;
                }
                Error::Unauthenticated("The token by which this was opened has expired or been revoked.")
            }
        }
    }
}
