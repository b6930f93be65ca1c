//! Pools of database connections in which every wait has a deadline.
//!
//! A statement runs in a task that owns its connection: it finishes even if the request that asked for it is cancelled.
//! The same task enforces the deadline. A connection that misses its deadline, breaks or turns out to be read-only is
//! closed and not used again. The connections that were opened before it are suspects and are closed, too; otherwise each
//! of them would cost a request.
//!
//! If more is asked of a pool than it can do, a request is refused when it first asks, before it has cost anything. A
//! request that has been admitted goes on.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{self, BoxFuture};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt, TryFutureExt, TryStreamExt};
use sqlx::{ConnectOptions, Connection, Database, Either, Error, Execute, Executor, Result, SqlStr};
use tokio::runtime::Handle;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::statement;
use crate::request;

/// Added to the deadline of a statement: a database that works gives up first, so that the outcome is known.
const GRACE: Duration = Duration::from_millis(500);
/// An unused connection is closed after this time, so that other replicas can have it.
const LONGEST_IDLE: Duration = Duration::from_secs(60);
/// A connection is replaced after this time, so that connections follow the address of the database.
const LONGEST_LIFE: Duration = Duration::from_secs(30 * 60);
/// The shortest time between two suspicions: a database that stays read-only costs few reconnects.
const BETWEEN_SUSPICIONS: Duration = Duration::from_secs(1);
/// After the database had no connection left, a pool that has some opens no more for this time.
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);
/// The wait before a pool without any tries again.
const BACKOFF: Duration = Duration::from_millis(20);

/// A request is refused if it would have to wait longer than this part of the deadline of an acquisition: it needs several.
const LONGEST_QUEUE: u32 = 4;
/// It is also refused if nobody has been lent a connection for this part: something hangs.
const LONGEST_STALL: u32 = 2;

/// Returns a row if the host accepts writes.
const WRITABLE: &str = "SELECT 1 WHERE current_setting('transaction_read_only') = 'off'";

pub type Settings<DB> = <<DB as Database>::Connection as Connection>::Options;

/// What all pools of one database share.
pub struct Server<DB: Database> {
    acquire: Duration,
    state: Mutex<State<DB>>,
    /// The number of pools that wait for their only connection, because the database has none left.
    starving: Arc<AtomicUsize>,
    /// The host that was connected to last.
    host: AtomicUsize,
    /// Runs the statements: the web workers have runtimes of their own.
    runtime: Handle,
}

struct State<DB: Database> {
    /// The connections of all pools that are not in use, each with the name of its pool.
    idle: Vec<(&'static str, Open<DB>)>,
    /// Connections opened before this time are suspects.
    suspected: Option<Instant>,
    /// When a connection was last found to be broken.
    broken: Option<Instant>,
    /// When the database last had no connection left.
    full_since: Option<Instant>,
}

/// An open connection.
struct Open<DB: Database> {
    connection: DB::Connection,
    opened: Instant,
    used: Instant,
    _counted: Counted,
}

impl<DB: Database> Server<DB> {
    /// `acquire` is the longest wait for a connection.
    pub fn new(acquire: Duration) -> Arc<Server<DB>> {
        let state = State { idle: Vec::new(), suspected: None, broken: None, full_since: None };
        Arc::new(Server {
            acquire,
            state: Mutex::new(state),
            starving: Arc::default(),
            host: AtomicUsize::new(0),
            runtime: Handle::current(),
        })
    }

    /// When a connection was last found to be broken.
    pub fn broken(&self) -> Option<Instant> {
        self.state().broken
    }

    /// Closes the connections that have been idle for long.
    pub fn close_idle(&self) {
        self.state().idle.retain(|(_, open)| open.used.elapsed() < LONGEST_IDLE);
    }

    /// Makes all open connections suspects.
    fn suspect(&self) {
        let mut state = self.state();
        let now = Instant::now();
        state.broken = Some(now);
        if state.suspected.is_none_or(|before| now - before >= BETWEEN_SUSPICIONS) {
            state.suspected = Some(now);
            state.idle.clear();
        }
    }

    fn is_full(&self) -> bool {
        self.state().full_since.is_some_and(|since| since.elapsed() < BETWEEN_ATTEMPTS)
    }

    fn state(&self) -> MutexGuard<'_, State<DB>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of a number, as long as it lives.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn among(number: &Arc<AtomicUsize>) -> Counted {
        number.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(number))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Connections to a database, all with the same settings.
pub struct Pool<DB: Database>(Arc<Inner<DB>>);

struct Inner<DB: Database> {
    name: &'static str,
    server: Arc<Server<DB>>,
    /// For each host of the database.
    settings: Vec<Settings<DB>>,
    permits: Arc<Semaphore>,
    most: u32,
    /// The number of acquisitions that wait.
    waiting: Arc<AtomicUsize>,
    /// When a connection was last borrowed, or when the first of those that wait began to.
    last_lent: Mutex<Instant>,
    /// For how long a connection is borrowed on average, in microseconds.
    average: AtomicU64,
    /// The number of open connections.
    open: Arc<AtomicUsize>,
    returned: Notify,
    statement: Duration,
}

impl<DB: Database> Clone for Pool<DB> {
    fn clone(&self) -> Pool<DB> {
        Pool(Arc::clone(&self.0))
    }
}

impl<DB: Database> fmt::Debug for Pool<DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl<DB: Database> Pool<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    /// `statement` is the longest time of a statement, `settings` are those of each host of the database.
    pub fn new(
        name: &'static str,
        server: &Arc<Server<DB>>,
        most: u32,
        statement: Duration,
        settings: Vec<Settings<DB>>,
    ) -> Pool<DB> {
        for kind in ["no connection", "broken connection", "overload"] {
            metrics::counter!("maidan_store_errors_total", "pool" => name, "kind" => kind).increment(0);
        }
        Pool(Arc::new(Inner {
            name,
            server: Arc::clone(server),
            settings,
            permits: Arc::new(Semaphore::new(most as usize)),
            most,
            waiting: Arc::default(),
            last_lent: Mutex::new(Instant::now()),
            average: AtomicU64::new(0),
            open: Arc::default(),
            returned: Notify::new(),
            statement: statement + GRACE,
        }))
    }

    /// Borrows a connection. [`Lent::release`] returns it; dropping it closes it.
    pub async fn acquire(&self) -> Result<Lent<DB>> {
        self.acquire_as(self.0.queue()).await
    }

    async fn acquire_as(&self, queued: Counted) -> Result<Lent<DB>> {
        let Inner { server, permits, name, .. } = &*self.0;
        let started = Instant::now();
        let acquiring = async {
            let permit = Arc::clone(permits).acquire_owned().await.map_err(|_| Error::PoolClosed)?;
            let open = self.take_or_connect().await?;
            self.0.lent();
            Ok(Lent { open: Some(open), pool: self.clone(), since: InUse::now(name), _permit: permit })
        };
        let acquired = timeout(server.acquire, acquiring).await.unwrap_or(Err(Error::PoolTimedOut));
        drop(queued);
        metrics::histogram!("maidan_store_wait_seconds", "pool" => *name).record(started.elapsed());
        if acquired.is_err() {
            metrics::counter!("maidan_store_errors_total", "pool" => *name, "kind" => "no connection").increment(1);
        }
        acquired
    }

    /// Refuses work if it would have to wait for long.
    pub fn check_backlog(&self) -> Result<()> {
        let Inner { server, name, .. } = &*self.0;
        let (queue, stall) = self.0.backlog();
        if queue <= server.acquire / LONGEST_QUEUE && stall <= server.acquire / LONGEST_STALL {
            return Ok(());
        }
        metrics::counter!("maidan_store_errors_total", "pool" => *name, "kind" => "overload").increment(1);
        Err(Error::Io(std::io::ErrorKind::ResourceBusy.into()))
    }

    async fn take_or_connect(&self) -> Result<Open<DB>> {
        let Inner { name, server, open: number, returned, .. } = &*self.0;
        let mut starving = None;
        loop {
            if let Some(open) = self.take_idle() {
                return Ok(open);
            }
            let has_none = number.load(Ordering::Relaxed) == 0;
            if has_none || !server.is_full() {
                match self.connect(|settings| settings).await {
                    Ok(connection) => {
                        let (opened, _counted) = (Instant::now(), Counted::among(number));
                        return Ok(Open { connection, opened, used: opened, _counted });
                    }
                    Err(error) if is_full(&error) => server.state().full_since = Some(Instant::now()),
                    Err(error) => return Err(error),
                }
            }
            // The other pools of this process give up connections as long as a pool has none.
            if has_none {
                if starving.is_none() {
                    tracing::warn!(pool = name, "the database has no connection left; waiting for one");
                    starving = Some(Counted::among(&server.starving));
                }
                server.state().idle.retain(|(pool, _)| pool == name);
            }
            let _ = timeout(BACKOFF, returned.notified()).await;
        }
    }

    /// Does work that borrows connections, within the deadlines of an acquisition and a statement.
    pub async fn in_time<T, E: From<Error>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        match timeout(self.0.server.acquire + self.0.statement, work).await {
            Ok(done) => done,
            Err(_) => {
                self.0.server.suspect();
                Err(timed_out().into())
            }
        }
    }

    /// Opens a connection outside of the pool, whose statements have no deadline here.
    pub async fn connect_with(&self, change: impl Fn(Settings<DB>) -> Settings<DB>) -> Result<DB::Connection> {
        timeout(self.0.server.acquire, self.connect(change)).await.unwrap_or(Err(Error::PoolTimedOut))
    }

    /// The settings for the host that was connected to last.
    pub fn settings(&self) -> Settings<DB> {
        self.0.settings[self.0.server.host.load(Ordering::Relaxed)].clone()
    }

    /// Opens a connection. Of several hosts it takes the first that accepts writes, beginning with the last that did.
    async fn connect(&self, change: impl Fn(Settings<DB>) -> Settings<DB>) -> Result<DB::Connection> {
        let Inner { server, settings, .. } = &*self.0;
        if let [only] = &settings[..] {
            return change(only.clone()).connect().await;
        }
        let (hosts, last) = (settings.len(), server.host.load(Ordering::Relaxed));
        let share = server.acquire / u32::try_from(hosts).unwrap_or(u32::MAX);
        let mut failure = Error::PoolTimedOut;
        for host in (0..hosts).map(|n| (last + n) % hosts) {
            let connecting = async {
                let mut connection = change(settings[host].clone()).connect().await?;
                match connection.fetch_optional(WRITABLE).await? {
                    Some(_) => Ok(connection),
                    None => Err(Error::Io(std::io::Error::other("no host of the database accepts writes"))),
                }
            };
            match timeout(share, connecting).await {
                Ok(Ok(connection)) => {
                    server.host.store(host, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok(Err(error)) => failure = error,
                Err(_) => {}
            }
        }
        Err(failure)
    }

    fn take_idle(&self) -> Option<Open<DB>> {
        let mut state = self.0.server.state();
        loop {
            let place = state.idle.iter().rposition(|(pool, _)| *pool == self.0.name)?;
            let (_, open) = state.idle.remove(place);
            if Some(open.opened) >= state.suspected && open.opened.elapsed() < LONGEST_LIFE {
                return Some(open);
            }
        }
    }

    /// Runs a statement in a task of its own, and collects its rows.
    fn run<'q>(&self, mut query: impl Execute<'q, DB>) -> BoxFuture<'static, Result<Vec<Step<DB>>>> {
        let arguments = query.take_arguments().map_err(Error::Encode);
        let (pool, sql) = (self.clone(), query.sql());
        let admitted = request::admit(|| self.check_backlog());
        // Counted before the next request asks.
        let queued = self.0.queue();
        let running = async move {
            admitted?;
            let statement = (sql, arguments?);
            let runtime = pool.0.server.runtime.clone();
            let task = runtime.spawn(async move { pool.acquire_as(queued).await?.run(statement).await });
            task.await.unwrap_or(Err(Error::WorkerCrashed))
        };
        running.boxed()
    }
}

/// A row, or the end of a statement.
type Step<DB> = Either<<DB as Database>::QueryResult, <DB as Database>::Row>;

/// A connection in use.
pub struct Lent<DB: Database> {
    /// `None` only while it is dropped.
    open: Option<Open<DB>>,
    pool: Pool<DB>,
    since: InUse,
    _permit: OwnedSemaphorePermit,
}

/// Measures the use of a connection.
struct InUse {
    pool: &'static str,
    began: Instant,
}

impl InUse {
    fn now(pool: &'static str) -> InUse {
        metrics::gauge!("maidan_store_connections_in_use", "pool" => pool).increment(1);
        InUse { pool, began: Instant::now() }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        metrics::gauge!("maidan_store_connections_in_use", "pool" => self.pool).decrement(1);
        metrics::histogram!("maidan_store_seconds", "pool" => self.pool).record(self.began.elapsed());
    }
}

impl<DB: Database> Lent<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    async fn run(mut self, statement: (SqlStr, Option<DB::Arguments>)) -> Result<Vec<Step<DB>>> {
        let (name, began) = (statement::name(statement.0.as_str()), Instant::now());
        let running = timeout(self.pool.0.statement, self.fetch_many(statement).try_collect::<Vec<_>>());
        let done = running.await.unwrap_or_else(|_| Err(timed_out()));
        metrics::histogram!("maidan_store_statement_seconds", "statement" => name).record(began.elapsed());
        match &done {
            Err(error) if is_broken_by(error) => {
                let pool = self.pool.0.name;
                metrics::counter!("maidan_store_errors_total", "pool" => pool, "kind" => "broken connection")
                    .increment(1);
                self.pool.0.server.suspect();
            }
            Err(error) if !is_sound_after(error) => {}
            _ => self.release(),
        }
        done
    }

    /// Returns the connection to its pool. It must not be in a transaction.
    pub fn release(mut self) {
        let Inner { name, server, open: number, returned, .. } = &*self.pool.0;
        let is_spare = server.starving.load(Ordering::Relaxed) > 0 && number.load(Ordering::Relaxed) > 1;
        if let Some(mut open) = self.open.take().filter(|_| !is_spare) {
            open.used = Instant::now();
            server.state().idle.push((name, open));
            returned.notify_one();
        }
    }
}

impl<DB: Database> Drop for Lent<DB> {
    fn drop(&mut self) {
        let last = u64::try_from(self.since.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let average = self.pool.0.average.load(Ordering::Relaxed);
        // The last ten or so count.
        self.pool.0.average.store(average / 10 * 9 + last / 10, Ordering::Relaxed);
    }
}

impl<DB: Database> Inner<DB> {
    /// Counts somebody who waits for a connection.
    fn queue(&self) -> Counted {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            self.lent();
        }
        Counted::among(&self.waiting)
    }

    /// Notes that somebody has a connection, or begins to wait for one.
    fn lent(&self) {
        *self.last_lent.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// About how long somebody who asks for a connection now would wait, and for how long nobody has been lent one although
    /// somebody waits: of statements that hang it is not known how long they take.
    fn backlog(&self) -> (Duration, Duration) {
        let waiting = self.waiting.load(Ordering::Relaxed) as u64;
        if waiting == 0 {
            return (Duration::ZERO, Duration::ZERO);
        }
        let work = waiting.saturating_mul(self.average.load(Ordering::Relaxed));
        let stall = self.last_lent.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        (Duration::from_micros(work / u64::from(self.most.max(1))), stall)
    }
}

impl<DB: Database> Deref for Lent<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        &self.open.as_ref().expect("it is lent until it is released").connection
    }
}

impl<DB: Database> DerefMut for Lent<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        &mut self.open.as_mut().expect("it is lent until it is released").connection
    }
}

/// Runs sqlx's queries: `query.fetch_all(&pool)`.
impl<'p, DB: Database> Executor<'p> for &'p Pool<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    type Database = DB;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Step<DB>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, DB>,
    {
        let steps = self.run(query).map_ok(|steps| stream::iter(steps.into_iter().map(Ok)));
        steps.try_flatten_stream().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<DB::Row>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, DB>,
    {
        self.run(query).map_ok(|steps| steps.into_iter().find_map(Either::right)).boxed()
    }

    fn prepare_with<'e>(self, _: SqlStr, _: &'e [DB::TypeInfo]) -> BoxFuture<'e, Result<DB::Statement>>
    where
        'p: 'e,
    {
        // A prepared statement belongs to a connection, which a pool does not keep.
        future::ready(Err(Error::InvalidArgument("a pool prepares no statements".into()))).boxed()
    }
}

fn timed_out() -> Error {
    Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "the database did not answer in time"))
}

/// The code of an error that the database itself reports. SQLSTATEs have five characters, SQLite's codes fewer.
fn code_of(error: &Error) -> Option<String> {
    error.as_database_error()?.code().map(String::from)
}

/// Whether the database only rejected the statement.
fn is_sound_after(error: &Error) -> bool {
    match code_of(error) {
        // 19 is a violated constraint. After other errors SQLite may have rolled back by itself.
        Some(code) if code.len() < 5 => code.parse().is_ok_and(|code: u32| code & 0xff == 19),
        Some(_) => true,
        None => matches!(error, Error::Encode(_)),
    }
}

/// Whether the connection is lost or turned read-only, and others probably, too.
fn is_broken_by(error: &Error) -> bool {
    match code_of(error) {
        Some(code) => code.len() == 5 && ["08", "25", "57P"].iter().any(|class| code.starts_with(class)),
        None => matches!(error, Error::Io(_) | Error::Tls(_) | Error::Protocol(_)),
    }
}

/// Whether the database has no connection left.
fn is_full(error: &Error) -> bool {
    code_of(error).is_some_and(|code| code == "53300")
}
