//! The state that all requests share: the database, caches, topics and limits.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::cache::{SizedCache, TtlCache};
use crate::config::{Config, TrustedProxies};
use crate::error::Result;
use crate::ids::{AppId, GameId, PlayerId};
use crate::limits::{Limits, RateLimits, STOPPING, StreamSlots};
use crate::live::{BotQueue, Commits, SharedReads, Topics};
use crate::model::{App, At, Creation, GUESTS, Game, Metadata, OwnedKey, Player, Principal, Sitting};
use crate::store::{self, Readiness, Store, StoreError};

/// Bounds of the game cache: enough for thousands of games, small enough for a small machine.
const MOST_GAMES: usize = 20_000;
const MOST_GAME_BYTES: usize = 64 * 1024 * 1024;

/// The wait before a server that starts tries again to reach its database.
const BACKOFF: Duration = Duration::from_secs(1);
/// The interval of log lines while a starting server waits for its database.
const PATIENCE: Duration = Duration::from_secs(10);

/// The state that all requests share.
pub struct Maidan {
    pub store: Arc<Store>,
    pub readiness: Readiness,
    /// The game cache. An entry may be stale: it is used only after the store has confirmed its version.
    pub games: Arc<SizedCache<GameId, Sitting>>,
    /// The games of this process that wait for a bot's move.
    pub bots: Arc<BotQueue>,
    /// The one way to store a game.
    pub commits: Commits,
    /// Principals by the hash of their token, with the token's expiry. For `auth` alone.
    pub tokens: TtlCache<Vec<u8>, (Principal, Option<At>)>,
    names: TtlCache<PlayerId, Player>,
    /// Games without metadata, so that their absence is not looked up for each answer.
    unlabelled: TtlCache<GameId, ()>,
    pub limits: Limits,
    pub rates: RateLimits,
    pub stream_slots: StreamSlots,
    /// The built-in app in which anyone may register, if guests are allowed.
    pub guests: Option<AppId>,
    pub topics: Arc<Topics>,
    /// The inboxes that streams of this process follow.
    pub inboxes: SharedReads<PlayerId, Arc<[Sitting]>>,
    /// Whether replicas send each other hints.
    pub hints: bool,
    /// Whether this process is shutting down. Streams end first, so that their clients reconnect to another replica.
    pub closing: watch::Sender<bool>,
    /// The proxies that are trusted to report client addresses.
    pub trust_proxy: Option<TrustedProxies>,
}

impl Maidan {
    /// Opens the database and builds the shared state.
    pub async fn open(config: &Config) -> std::result::Result<Maidan, String> {
        let store = config.database.store()?;
        let failed = |error: store::StoreError| format!("{}: {error}", config.database.describe());
        while let Err(error) = prepare(&store, config).await? {
            tracing::warn!(%error, database = config.database.describe(), "waiting for the database");
            tokio::time::sleep(BACKOFF).await;
        }
        let guests = match config.guests() {
            true => Some(guests(&store).await.map_err(failed)?),
            false => None,
        };
        let store = Arc::new(store);
        let games = Arc::new(SizedCache::new(MOST_GAMES, MOST_GAME_BYTES));
        let topics = Arc::new(Topics::new(config.hints && store.has_hints()));
        let bots: Arc<BotQueue> = Arc::default();
        Ok(Maidan {
            commits: Commits::new(Arc::clone(&store), Arc::clone(&games), Arc::clone(&topics), Arc::clone(&bots)),
            bots,
            store,
            readiness: Readiness::default(),
            games,
            topics,
            inboxes: SharedReads::default(),
            tokens: TtlCache::named("tokens"),
            names: TtlCache::named("names"),
            unlabelled: TtlCache::named("games without metadata"),
            limits: config.limits.clone(),
            rates: RateLimits::new(&config.limits),
            stream_slots: StreamSlots::new(&config.limits),
            guests,
            hints: config.hints,
            closing: watch::Sender::new(false),
            trust_proxy: config.trust_proxy,
        })
    }

    /// Begins to stop: open streams end, and no new ones are opened.
    pub fn close(&self) {
        self.stream_slots.close();
        self.closing.send_replace(true);
    }

    /// Fails if the server is about to stop.
    pub fn check_open(&self) -> Result<()> {
        if self.is_closing() { Err(STOPPING) } else { Ok(()) }
    }

    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// The players with these ids, in no particular order, at most two seconds stale.
    pub async fn players(&self, mut ids: Vec<PlayerId>) -> Result<Vec<Player>> {
        ids.sort_unstable();
        ids.dedup();
        let mut players = Vec::with_capacity(ids.len());
        ids.retain(|id| match self.names.get(id) {
            Some(player) => {
                players.push(player);
                false
            }
            None => true,
        });
        let lookup = self.names.lookup();
        for player in self.store.players(&ids).await? {
            self.names.put(&lookup, player.id, player.clone());
            players.push(player);
        }
        Ok(players)
    }

    /// The object that an earlier request with this key made. Refuses a key that was used for another request.
    pub async fn creation(&self, key: Option<&OwnedKey>) -> Result<Option<Creation>> {
        let Some(OwnedKey { owner, key }) = key else { return Ok(None) };
        let earlier = self.store.creation(*owner, &key.key).await?;
        earlier.map(|earlier| key.check(Some(&earlier.hash)).map(|()| earlier)).transpose()
    }

    /// The metadata of these games. Its absence may be two seconds stale.
    pub async fn metadata(&self, games: impl Iterator<Item = &Game>) -> Result<Vec<(GameId, Metadata)>> {
        // Games of guests have no metadata: there is no app that could set it.
        let of_apps = games.filter(|game| self.guests != Some(game.app)).map(|game| game.id);
        let ids: Vec<GameId> = of_apps.filter(|id| self.unlabelled.get(id).is_none()).collect();
        let lookup = self.unlabelled.lookup();
        let found = self.store.metadata(&ids).await?;
        for id in ids.iter().filter(|id| !found.iter().any(|(labelled, _)| labelled == *id)) {
            self.unlabelled.put(&lookup, *id, ());
        }
        Ok(found)
    }

    /// Invalidates the cache entry of a game's metadata. Call it after the metadata has changed in the store.
    pub fn forget_metadata(&self, id: GameId) {
        self.unlabelled.invalidate(|game, ()| *game == id);
    }

    /// Invalidates the cache entries of a player, and has its streams identify themselves again. Call it after the player or its tokens have changed in the store.
    pub fn forget_player(&self, id: PlayerId) {
        self.tokens.invalidate(|_, (principal, _)| matches!(principal, Principal::Player(player) if player.id == id));
        self.names.invalidate(|player, _| *player == id);
        self.topics.notify_player(id);
    }
}

/// Migrates the database, or checks that it is migrated. The inner error is one that passes: the database is unreachable,
/// or has no connection left.
async fn prepare(store: &Store, config: &Config) -> std::result::Result<store::Result<()>, String> {
    let mut migrating = pin!(async {
        // Fails if the database is unreachable, which `is_migrated` would take for missing tables.
        store.ping().await?;
        let is_migrated = match config.no_migrate {
            true => store.is_migrated().await?,
            false => store.migrate().await.map(|()| true)?,
        };
        store.set_clock().await?;
        Ok(is_migrated)
    });
    let prepared = loop {
        match timeout(PATIENCE, &mut migrating).await {
            Ok(prepared) => break prepared,
            // Another process may migrate a large database for long.
            Err(_) => tracing::info!("still migrating, or waiting for another process that migrates"),
        }
    };
    match prepared {
        Ok(true) => Ok(Ok(())),
        Ok(false) => Err("The database is not up to date, and --no-migrate is set. Run: maidan migrate".into()),
        Err(error @ StoreError::Away(_)) => Ok(Err(error)),
        Err(error) => Err(error.to_string()),
    }
}

/// The guests' app. It has no key: nobody can act for all guests.
async fn guests(store: &Store) -> store::Result<AppId> {
    let app = App { id: AppId::fresh(), name: GUESTS.into(), created_at: At::now(), revoked_at: None };
    Ok(store.ensure_app(&app).await?.id)
}
