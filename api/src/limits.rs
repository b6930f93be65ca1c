//! Limits: sizes, rates and open streams.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::model::{Caller, Principal};
use crate::request::{self, Rate};

/// The configurable limits.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum size of a request body, in bytes
    #[arg(long, env = "MAIDAN_MAX_BODY", default_value_t = 64 * 1024, value_name = "BYTES")]
    pub max_body: usize,
    /// Maximum depth of a GraphQL query
    #[arg(long, env = "MAIDAN_MAX_DEPTH", default_value_t = 16)]
    pub max_depth: usize,
    /// Maximum complexity of a GraphQL query: its number of fields, with lists multiplied by their page size
    #[arg(long, env = "MAIDAN_MAX_COMPLEXITY", default_value_t = 50_000)]
    pub max_complexity: usize,
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
    /// Days until a game with open seats is cancelled
    #[arg(long, env = "MAIDAN_OPEN_GAME_DAYS", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub open_game_days: u16,
    /// Maximum number of open streams (WebSockets, event streams, long polls) per player, or per address without a
    /// token
    #[arg(long, env = "MAIDAN_MAX_STREAMS", default_value_t = 32)]
    pub max_streams: u32,
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

/// The owner of a rate-limit bucket.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Account {
    Player(Uuid),
    App(Uuid),
    Address(IpAddr),
}

impl Account {
    fn of(caller: &Caller) -> Account {
        match &caller.principal {
            Principal::Player(player) => Account::Player(player.id.0),
            Principal::App(app) => Account::App(app.id.0),
            Principal::Anonymous => Account::at(caller.address),
        }
    }

    /// The account of an address. IPv6 addresses share the account of their /64 network, which usually belongs to one
    /// customer.
    fn at(address: IpAddr) -> Account {
        Account::Address(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// The account of whoever is behind the caller: the address, since registering players is cheap. For an app that acts
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
}

/// Rate limits, per process.
pub struct RateLimits {
    requests: Option<Bucket>,
    moves: Option<Bucket>,
    registrations: Option<Bucket>,
    bot_games: Option<Bucket>,
    wrong_tokens: Option<Bucket>,
    wrong_codes: Option<Bucket>,
    /// Accounts that have sent too many wrong join codes, and until when they are locked out.
    shut_out: Mutex<HashMap<Account, Instant>>,
}

type Bucket = DefaultKeyedRateLimiter<Account, StateInformationMiddleware>;

impl RateLimits {
    pub fn new(limits: &Limits) -> RateLimits {
        let bucket = |rate: u32, quota: fn(NonZeroU32) -> Quota| {
            NonZeroU32::new(rate).map(quota).map(|quota| RateLimiter::keyed(quota).with_middleware())
        };
        RateLimits {
            requests: bucket(limits.requests_per_second, Quota::per_second),
            moves: bucket(limits.moves_per_second, Quota::per_second),
            registrations: bucket(limits.registrations_per_minute, Quota::per_minute),
            bot_games: bucket(limits.bot_games_per_minute, Quota::per_minute),
            wrong_tokens: bucket(limits.auth_failures_per_minute, Quota::per_minute),
            wrong_codes: bucket(limits.auth_failures_per_minute, Quota::per_minute),
            shut_out: Mutex::default(),
        }
    }

    pub fn charge(&self, caller: &Caller, cost: Cost) -> Result<()> {
        take(if cost == Cost::Move { &self.moves } else { &self.requests }, &Account::of(caller))
    }

    pub fn charge_registration(&self, address: IpAddr) -> Result<()> {
        take(&self.registrations, &Account::at(address))
    }

    /// Call before a player opens a game with bots. The account is the address, since registering players is cheap.
    pub fn charge_bots(&self, caller: &Caller) -> Result<()> {
        take(&self.bot_games, &Account::behind(caller))
    }

    /// Call after a wrong token.
    pub fn charge_wrong_token(&self, address: IpAddr) -> Result<()> {
        take(&self.wrong_tokens, &Account::at(address))
    }

    /// Call before looking up a join code. Codes are short: if only wrong codes were refused, an attacker could keep
    /// guessing until one succeeds.
    pub fn check_shut_out(&self, caller: &Caller) -> Result<()> {
        let wait = self.shut_out().get(&Account::behind(caller)).map(|until| until.duration_since(Instant::now()));
        match wait {
            Some(wait) if !wait.is_zero() => Err(Error::RateLimited(wait + Duration::from_millis(999))),
            _ => Ok(()),
        }
    }

    /// Call after a wrong join code.
    pub fn charge_wrong_code(&self, caller: &Caller) -> Result<()> {
        let account = Account::behind(caller);
        take(&self.wrong_codes, &account).inspect_err(|refused| {
            if let Error::RateLimited(wait) = refused {
                self.shut_out().insert(account, Instant::now() + *wait);
            }
        })
    }

    fn shut_out(&self) -> MutexGuard<'_, HashMap<Account, Instant>> {
        self.shut_out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the accounts of idle callers, so that they do not accumulate.
    pub fn drop_idle(&self) {
        let RateLimits { requests, moves, registrations, bot_games, wrong_tokens, wrong_codes, .. } = self;
        let buckets = [requests, moves, registrations, bot_games, wrong_tokens, wrong_codes];
        for bucket in buckets.into_iter().flatten() {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
        let now = Instant::now();
        self.shut_out().retain(|_, until| *until > now);
    }
}

/// The number of open streams of each caller, in this process.
#[derive(Clone)]
pub struct StreamSlots(Arc<Slots>);

struct Slots {
    taken: Mutex<HashMap<Account, u32>>,
    most: u32,
    most_per_app: u32,
}

/// An open stream. Dropping it frees the slot.
pub struct StreamSlot {
    slots: StreamSlots,
    account: Account,
}

impl StreamSlots {
    pub fn new(limits: &Limits) -> StreamSlots {
        let Limits { max_streams, max_app_streams, .. } = *limits;
        StreamSlots(Arc::new(Slots { taken: Mutex::default(), most: max_streams, most_per_app: max_app_streams }))
    }

    pub fn take(&self, caller: &Caller) -> Result<StreamSlot> {
        let account = Account::of(caller);
        let most = match account {
            Account::App(_) => self.0.most_per_app,
            Account::Player(_) | Account::Address(_) => self.0.most,
        };
        let mut taken = self.taken();
        let count = taken.entry(account.clone()).or_default();
        if *count >= most {
            return Err(Error::LimitReached(format!("You have {most} streams open; that is the limit.")));
        }
        *count += 1;
        metrics::gauge!("maidan_streams").increment(1);
        Ok(StreamSlot { slots: self.clone(), account })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Account, u32>> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        metrics::gauge!("maidan_streams").decrement(1);
        let mut taken = self.slots.taken();
        if let Some(count) = taken.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.account);
            }
        }
    }
}

fn take(bucket: &Option<Bucket>, account: &Account) -> Result<()> {
    let Some(bucket) = bucket else { return Ok(()) };
    let (quota, remaining, taken) = match bucket.check_key(account) {
        Ok(state) => (state.quota(), state.remaining_burst_capacity(), Ok(())),
        Err(not_until) => {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            (not_until.quota(), 0, Err(Error::RateLimited(wait + Duration::from_millis(999))))
        }
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
