//! Limits: sizes, rates and open streams.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::{DefaultKeyedRateLimiter, InsufficientCapacity, Quota, RateLimiter};
use uuid::Uuid;

use crate::audit;
use crate::error::{Error, Result};
use crate::ids::{AppId, PlayerId};
use crate::model::{Caller, Principal};
use crate::request::{self, Rate};

/// The configurable limits.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum size of a request body, in bytes
    #[arg(long, env = "MAIDAN_MAX_BODY", default_value_t = 64 * 1024, value_name = "BYTES")]
    pub max_body: usize,
    /// Time to receive a request body, in seconds
    #[arg(long, env = "MAIDAN_BODY_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub body_seconds: u64,
    /// Maximum number of open connections; fewer if the system allows fewer open files
    #[arg(long, env = "MAIDAN_MAX_CONNECTIONS", default_value_t = 10_000)]
    pub max_connections: usize,
    /// Maximum number of open connections per address, unless they come through a proxy
    #[arg(long, env = "MAIDAN_MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 500)]
    pub max_connections_per_address: usize,
    /// Maximum depth of a GraphQL query
    #[arg(long, env = "MAIDAN_MAX_DEPTH", default_value_t = 16)]
    pub max_depth: usize,
    /// Maximum number of tokens in a GraphQL document
    #[arg(long, env = "MAIDAN_MAX_TOKENS", default_value_t = 4_000)]
    pub max_tokens: usize,
    /// Maximum cost of a GraphQL document: the number of fields in its answer, with lists multiplied by their page size
    #[arg(long, env = "MAIDAN_MAX_COST", default_value_t = 50_000)]
    pub max_cost: usize,
    /// Time to execute a GraphQL query or mutation, in seconds, not counting a wait for a decision
    #[arg(long, env = "MAIDAN_QUERY_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub query_seconds: u64,
    /// Whether GraphQL answers introspection; the schema is at /schema.graphql all the same
    #[arg(long, env = "MAIDAN_INTROSPECTION", value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub introspection: bool,
    /// Maximum number of aliases in a GraphQL query
    #[arg(long, env = "MAIDAN_MAX_ALIASES", default_value_t = 30)]
    pub max_aliases: usize,
    /// Maximum page size of a list
    #[arg(long, env = "MAIDAN_MAX_PAGE", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max_page: u16,
    /// Maximum number of legal moves in a response
    #[arg(long, env = "MAIDAN_MAX_LEGAL_MOVES", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub max_legal_moves: u16,
    /// Maximum number of games per player that have not started
    #[arg(long, env = "MAIDAN_MAX_OPEN_GAMES", default_value_t = 50)]
    pub max_open_games: u32,
    /// Maximum number of open and running games with bots per player
    #[arg(long, env = "MAIDAN_MAX_BOT_GAMES", default_value_t = 20)]
    pub max_bot_games: u32,
    /// Games that wait for bots in this process, with which no more games with bots are opened
    #[arg(long, env = "MAIDAN_MAX_BOT_QUEUE", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub max_bot_queue: u16,
    /// Maximum number of running games per player, in games that players open
    #[arg(long, env = "MAIDAN_MAX_RUNNING_GAMES", default_value_t = 1000)]
    pub max_running_games: u32,
    /// Maximum number of active tokens per player
    #[arg(long, env = "MAIDAN_MAX_TOKENS_PER_PLAYER", default_value_t = 100)]
    pub max_tokens_per_player: u32,
    /// Days until a game with open seats is cancelled
    #[arg(long, env = "MAIDAN_OPEN_GAME_DAYS", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub open_game_days: u16,
    /// Maximum number of open streams (WebSockets, event streams, long polls) per player, or per address without a
    /// token
    #[arg(long, env = "MAIDAN_MAX_STREAMS", default_value_t = 32)]
    pub max_streams: u32,
    /// Maximum number of open streams per address, for all its players together
    #[arg(long, env = "MAIDAN_MAX_ADDRESS_STREAMS", default_value_t = 300)]
    pub max_address_streams: u32,
    /// Maximum number of open streams per app, opened with its key
    #[arg(long, env = "MAIDAN_MAX_APP_STREAMS", default_value_t = 1000)]
    pub max_app_streams: u32,
    /// Maximum number of concurrent operations on one WebSocket
    #[arg(long, env = "MAIDAN_MAX_OPERATIONS", default_value_t = 100)]
    pub max_operations: usize,
    /// Maximum number of missed log entries that a stream sends; clients further behind get only the current game
    #[arg(long, env = "MAIDAN_MAX_CATCH_UP", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub max_catch_up: u16,
    /// Maximum wait of a long poll, in seconds
    #[arg(long, env = "MAIDAN_MAX_WAIT_SECONDS", default_value_t = 60, value_name = "SECONDS")]
    pub max_wait_seconds: u32,
    /// Write timeout of a WebSocket, in seconds; it is closed if its client does not read
    #[arg(long, env = "MAIDAN_WRITE_TIMEOUT_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub write_timeout_seconds: u64,
    /// Requests per second and caller, not counting moves; 0 for no limit
    #[arg(long, env = "MAIDAN_REQUESTS_PER_SECOND", default_value_t = 100)]
    pub requests_per_second: u32,
    /// Requests per second and address, for all its players together; apps' keys are not counted; 0 for no limit
    #[arg(long, env = "MAIDAN_ADDRESS_REQUESTS_PER_SECOND", default_value_t = 500)]
    pub address_requests_per_second: u32,
    /// Replays of a log per second and caller: past positions and records; 0 for no limit
    #[arg(long, env = "MAIDAN_REPLAYS_PER_SECOND", default_value_t = 20)]
    pub replays_per_second: u32,
    /// Moves per second and caller; 0 for no limit
    #[arg(long, env = "MAIDAN_MOVES_PER_SECOND", default_value_t = 50)]
    pub moves_per_second: u32,
    /// Registrations per minute and address; 0 for no limit
    #[arg(long, env = "MAIDAN_REGISTRATIONS_PER_MINUTE", default_value_t = 60)]
    pub registrations_per_minute: u32,
    /// Games opened with bots, and bots seated later, per minute and address; 0 for no limit
    #[arg(long, env = "MAIDAN_BOT_GAMES_PER_MINUTE", default_value_t = 30)]
    pub bot_games_per_minute: u32,
    /// Wrong tokens, and wrong join codes, per minute and address; 0 for no limit
    #[arg(long, env = "MAIDAN_AUTH_FAILURES_PER_MINUTE", default_value_t = 20)]
    pub auth_failures_per_minute: u32,
}

impl Limits {
    /// Maximum nesting of selections in a GraphQL query, fragments included.
    pub fn most_nested(&self) -> usize {
        self.max_depth.max(32)
    }
}

/// An address, or for IPv6 its /64 network, which usually belongs to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    pub fn of(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// The owner of a rate-limit bucket.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Account {
    Player(Uuid),
    App(Uuid),
    Network(Network),
    /// All callers of an address together, whoever they are, except apps.
    Everyone(Network),
}

/// Its id or its address, for the log.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Account::Player(id) => PlayerId(*id).fmt(f),
            Account::App(id) => AppId(*id).fmt(f),
            Account::Network(Network(address)) | Account::Everyone(Network(address)) => address.fmt(f),
        }
    }
}

impl Account {
    fn of(caller: &Caller) -> Account {
        match &caller.principal {
            Principal::Player(player) => Account::Player(player.id.0),
            Principal::App(app) => Account::App(app.id.0),
            Principal::Anonymous => Account::at(caller.address),
        }
    }

    /// The account of an address.
    fn at(address: IpAddr) -> Account {
        Account::Network(Network::of(address))
    }

    /// The account that pays for the caller: the address, since registering players is cheap. For an app that acts
    /// as a player it is the player, since all the app's players share the address of its server.
    fn behind(caller: &Caller) -> Account {
        match &caller.principal {
            Principal::Player(player) if caller.by_app => Account::Player(player.id.0),
            _ => Account::at(caller.address),
        }
    }
}

/// The bucket that a request is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Anything but a move.
    Request,
    /// Separate, so that reads never delay a move.
    Move,
    /// Replays the log of a game, or returns all of it: beside a request, which may ask for several.
    Replay,
}

/// The units of work that count as one request: the fields of an answer, weighed.
pub const UNITS_PER_REQUEST: usize = 1_000;

/// Rate limits, per process.
pub struct RateLimits {
    requests: Option<RateLimit>,
    /// Registering players is cheap: they share what their address has.
    address_requests: Option<RateLimit>,
    moves: Option<RateLimit>,
    replays: Option<RateLimit>,
    /// The messages of streams: as many as requests, but following games takes nothing from what else a caller may ask.
    messages: Option<RateLimit>,
    address_messages: Option<RateLimit>,
    registrations: Option<RateLimit>,
    bot_games: Option<RateLimit>,
    wrong_tokens: Option<RateLimit>,
    wrong_codes: Option<RateLimit>,
    /// Accounts that have sent too many wrong join codes.
    shut_out: Lockouts,
    /// Accounts that have sent too many documents of GraphQL that were refused.
    unread: Lockouts,
}

/// Accounts whose requests are refused without a look, and until when.
#[derive(Default)]
struct Lockouts(Mutex<HashMap<Account, Instant>>);

impl Lockouts {
    fn check(&self, account: &Account) -> Result<()> {
        let wait = self.until().get(account).map(|until| until.duration_since(Instant::now()));
        match wait {
            Some(wait) if !wait.is_zero() => Err(Error::RateLimited(wait + ROUNDED_UP)),
            _ => Ok(()),
        }
    }

    fn add(&self, account: Account, wait: Duration) {
        self.until().insert(account, Instant::now() + wait);
    }

    fn drop_expired(&self) {
        let now = Instant::now();
        self.until().retain(|_, until| *until > now);
    }

    fn until(&self) -> MutexGuard<'_, HashMap<Account, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Clients are told whole seconds.
const ROUNDED_UP: Duration = Duration::from_millis(999);

type Bucket = DefaultKeyedRateLimiter<Account, StateInformationMiddleware>;

/// A rate limit, by the name of its setting.
struct RateLimit {
    name: &'static str,
    bucket: Bucket,
}

impl RateLimits {
    pub fn new(limits: &Limits) -> RateLimits {
        let bucket = |name, rate: u32, quota: fn(NonZeroU32) -> Quota| {
            let quota = NonZeroU32::new(rate).map(quota)?;
            Some(RateLimit { name, bucket: RateLimiter::keyed(quota).with_middleware() })
        };
        RateLimits {
            requests: bucket("requests_per_second", limits.requests_per_second, Quota::per_second),
            address_requests: bucket(
                "address_requests_per_second",
                limits.address_requests_per_second,
                Quota::per_second,
            ),
            moves: bucket("moves_per_second", limits.moves_per_second, Quota::per_second),
            replays: bucket("replays_per_second", limits.replays_per_second, Quota::per_second),
            messages: bucket("messages", limits.requests_per_second, Quota::per_second),
            address_messages: bucket("address_messages", limits.address_requests_per_second, Quota::per_second),
            registrations: bucket("registrations_per_minute", limits.registrations_per_minute, Quota::per_minute),
            bot_games: bucket("bot_games_per_minute", limits.bot_games_per_minute, Quota::per_minute),
            wrong_tokens: bucket("auth_failures_per_minute", limits.auth_failures_per_minute, Quota::per_minute),
            wrong_codes: bucket("auth_failures_per_minute", limits.auth_failures_per_minute, Quota::per_minute),
            shut_out: Lockouts::default(),
            unread: Lockouts::default(),
        }
    }

    /// Charges a request, unless it is part of a GraphQL document that was charged as a whole.
    pub fn charge(&self, caller: &Caller, cost: Cost) -> Result<()> {
        match caller.prepaid && cost != Cost::Replay {
            true => Ok(()),
            false => self.charge_several(caller, cost, 1),
        }
    }

    /// Charges as much as several requests, or all that a caller can have if that is less.
    pub fn charge_several(&self, caller: &Caller, cost: Cost, count: usize) -> Result<()> {
        let bucket = match cost {
            Cost::Request => &self.requests,
            Cost::Move => &self.moves,
            Cost::Replay => &self.replays,
        };
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        take(bucket, &Account::of(caller), count)?;
        match cost == Cost::Request && !caller.by_app {
            true => take(&self.address_requests, &Account::Everyone(Network::of(caller.address)), count),
            false => Ok(()),
        }
    }

    pub fn charge_registration(&self, address: IpAddr) -> Result<()> {
        take(&self.registrations, &Account::at(address), 1)
    }

    /// Call before a player opens a game with bots. The account is the address, since registering players is cheap.
    pub fn charge_bots(&self, caller: &Caller) -> Result<()> {
        take(&self.bot_games, &Account::behind(caller), 1)
    }

    /// Call after a wrong token.
    pub fn charge_wrong_token(&self, address: IpAddr) -> Result<()> {
        take(&self.wrong_tokens, &Account::at(address), 1)
    }

    /// Call before looking up a join code. Codes are short: if only wrong codes were refused, an attacker could keep
    /// guessing until one succeeds.
    pub fn check_shut_out(&self, caller: &Caller) -> Result<()> {
        self.shut_out.check(&Account::behind(caller))
    }

    /// Call after a wrong join code.
    pub fn charge_wrong_code(&self, caller: &Caller) -> Result<()> {
        let account = Account::behind(caller);
        take(&self.wrong_codes, &account, 1).inspect_err(|refused| {
            if let Error::RateLimited(wait) = refused {
                self.shut_out.add(account, *wait);
            }
        })
    }

    /// Call before reading a document of GraphQL: reading takes time, whatever becomes of it.
    pub fn check_may_read(&self, caller: &Caller) -> Result<()> {
        self.unread.check(&Account::of(caller))
    }

    /// Call after a document was refused. It counts as several requests. Once these are used up, the caller's documents
    /// are not read for a while.
    pub fn charge_refused_document(&self, caller: &Caller, requests: usize) {
        if let Err(Error::RateLimited(wait)) = self.charge_several(caller, Cost::Request, requests) {
            self.unread.add(Account::of(caller), wait);
        }
    }

    /// Waits until the caller may be sent further messages of streams. Apps may be sent any number: one app follows the
    /// games of many players.
    pub async fn pace(&self, caller: &Caller, messages: usize) {
        let (Ok(count), false) = (u32::try_from(messages), caller.by_app) else { return };
        let own = (&self.messages, Account::of(caller));
        let of_address = (&self.address_messages, Account::Everyone(Network::of(caller.address)));
        for (bucket, account) in [own, of_address] {
            while let Err(Error::RateLimited(wait)) = take(bucket, &account, count) {
                tokio::time::sleep(wait.saturating_sub(ROUNDED_UP)).await;
            }
        }
    }

    /// Drops the accounts of idle callers, so that they do not accumulate.
    pub fn drop_idle(&self) {
        let RateLimits {
            requests,
            address_requests,
            moves,
            replays,
            messages,
            address_messages,
            registrations,
            bot_games,
            wrong_tokens,
            wrong_codes,
            shut_out,
            unread,
        } = self;
        let buckets = [
            requests,
            address_requests,
            moves,
            replays,
            messages,
            address_messages,
            registrations,
            bot_games,
            wrong_tokens,
            wrong_codes,
        ];
        for RateLimit { bucket, .. } in buckets.into_iter().flatten() {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
        shut_out.drop_expired();
        unread.drop_expired();
    }
}

/// The refusal of a server that is about to stop.
pub const STOPPING: Error = Error::Busy("This server is about to stop. Try again: another one answers.");

/// The number of open streams of each caller, in this process.
#[derive(Clone)]
pub struct StreamSlots(Arc<Slots>);

struct Slots {
    /// Whether no stream is opened any more.
    is_closed: AtomicBool,
    taken: Mutex<HashMap<Account, u32>>,
    most: u32,
    most_per_app: u32,
    most_per_address: u32,
}

/// An open stream. Dropping it frees the slot.
pub struct StreamSlot {
    slots: StreamSlots,
    accounts: Vec<Account>,
}

impl StreamSlots {
    pub fn new(limits: &Limits) -> StreamSlots {
        let Limits { max_streams, max_app_streams, max_address_streams, .. } = *limits;
        StreamSlots(Arc::new(Slots {
            is_closed: AtomicBool::new(false),
            taken: Mutex::default(),
            most: max_streams,
            most_per_app: max_app_streams,
            most_per_address: max_address_streams,
        }))
    }

    /// Refuses all further streams.
    pub fn close(&self) {
        self.0.is_closed.store(true, Ordering::Relaxed);
    }

    /// Counts a stream for its caller and, unless an app's key was sent, for the caller's address.
    pub fn take(&self, caller: &Caller) -> Result<StreamSlot> {
        if self.0.is_closed.load(Ordering::Relaxed) {
            return Err(STOPPING);
        }
        let mut slot = self.empty_slot();
        slot.add(Account::of(caller))?;
        if !caller.by_app {
            slot.add(Account::Everyone(Network::of(caller.address)))?;
        }
        Ok(slot)
    }

    /// Counts a stream whose caller is not known yet.
    pub fn take_pending(&self, address: IpAddr) -> Result<StreamSlot> {
        let mut slot = self.empty_slot();
        slot.add(Account::Everyone(Network::of(address)))?;
        Ok(slot)
    }

    fn empty_slot(&self) -> StreamSlot {
        metrics::gauge!("maidan_streams").increment(1);
        StreamSlot { slots: self.clone(), accounts: Vec::new() }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Account, u32>> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamSlot {
    fn add(&mut self, account: Account) -> Result<()> {
        let Slots { most, most_per_app, most_per_address, .. } = *self.slots.0;
        let (most, whose) = match account {
            Account::App(_) => (most_per_app, "You have"),
            Account::Player(_) | Account::Network(_) => (most, "You have"),
            Account::Everyone(_) => (most_per_address, "Your address has"),
        };
        let mut taken = self.slots.taken();
        let count = taken.entry(account.clone()).or_default();
        if *count >= most {
            audit::limit_reached("streams", &account.to_string());
            return Err(Error::LimitReached(format!("{whose} {most} streams open; that is the limit.")));
        }
        *count += 1;
        self.accounts.push(account);
        Ok(())
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        metrics::gauge!("maidan_streams").decrement(1);
        let mut taken = self.slots.taken();
        for account in &self.accounts {
            if let Some(count) = taken.get_mut(account) {
                *count -= 1;
                if *count == 0 {
                    taken.remove(account);
                }
            }
        }
    }
}

/// Takes several cells out of a bucket, or all that it can hold if that is less.
fn take(limit: &Option<RateLimit>, account: &Account, count: u32) -> Result<()> {
    let (Some(RateLimit { name, bucket }), Some(count)) = (limit, NonZeroU32::new(count)) else { return Ok(()) };
    let taken = bucket.check_key_n(account, count).or_else(|InsufficientCapacity(most)| {
        bucket.check_key_n(account, NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN))
    });
    let (quota, remaining, taken) = match taken {
        Ok(Ok(state)) => (state.quota(), state.remaining_burst_capacity(), Ok(())),
        Ok(Err(not_until)) => {
            audit::limit_reached(name, &account.to_string());
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            (not_until.quota(), 0, Err(Error::RateLimited(wait + ROUNDED_UP)))
        }
        Err(InsufficientCapacity(_)) => return Err(Error::RateLimited(Duration::from_secs(1))),
    };
    let limit = quota.burst_size().get();
    let until_full = quota.replenish_interval() * limit.saturating_sub(remaining);
    let reset = until_full.as_secs() + u64::from(until_full.subsec_nanos() > 0);
    request::charged(Rate { limit, remaining, reset });
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_shares_a_bucket_and_addresses_of_ipv4_do_not() {
        let account = |address: &str| Account::at(address.parse().expect("an address"));
        assert!(account("2001:db8:1:2::3") == account("2001:db8:1:2:ffff::9"));
        assert!(account("2001:db8:1:2::3") != account("2001:db8:1:3::3"));
        assert!(account("::ffff:192.0.2.1") == account("192.0.2.1"));
        assert!(account("::ffff:192.0.2.1") != account("::ffff:192.0.2.2"));
    }
}
