//! What is kept, and the questions that are asked of it. SQL and nothing else: no rule, no permission.
//!
//! [`Store`] has two implementations, [`postgres`] and [`sqlite`]. What they have in common to the letter stands
//! once, in [`shared`].

mod at;
mod ferry;
mod postgres;
mod questions;
mod shared;
mod sqlite;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use domain::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sqlx::types::Json;
use uuid::Uuid;

pub use at::At;
pub use postgres::{PoolLimits, Postgres};
pub use sqlite::Sqlite;

use crate::ids::{AppId, GameId, PlayerId, TokenId};

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Something that must be unique is there already; the constraint says what.
    #[error("{0} forbids it")]
    Taken(String),
    /// The database cannot be reached. Whether a write that was under way is stored is unknown.
    #[error("the database is out of reach: {0}")]
    Away(sqlx::Error),
    /// Too many wait for the database. Nothing was stored.
    #[error("too many wait for the database")]
    Crowded,
    #[error("the database failed: {0}")]
    Failed(sqlx::Error),
    #[error("the migrations failed: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}

pub type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    /// The same for one more who shares the fate.
    fn shared(&self) -> StoreError {
        let told = |error: &sqlx::Error| sqlx::Error::Io(std::io::Error::other(error.to_string()));
        match self {
            StoreError::Taken(constraint) => StoreError::Taken(constraint.clone()),
            StoreError::Away(error) => StoreError::Away(told(error)),
            StoreError::Crowded => StoreError::Crowded,
            StoreError::Failed(error) => StoreError::Failed(told(error)),
            StoreError::Migration(error) => {
                StoreError::Failed(sqlx::Error::Io(std::io::Error::other(error.to_string())))
            }
        }
    }
}

/// An integrator, and what it owns.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct App {
    pub id: AppId,
    pub name: String,
    pub created_at: At,
    pub revoked_at: Option<At>,
}

#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Player {
    pub id: PlayerId,
    pub app_id: AppId,
    pub external_id: Option<String>,
    /// Empty once the player is deleted.
    pub name: String,
    pub created_at: At,
    /// Since when nothing is left of the player but its seats.
    pub deleted_at: Option<At>,
}

/// A token as it is kept: a hash, never the token.
#[derive(Clone, Debug)]
pub struct NewToken {
    pub id: TokenId,
    pub player_id: PlayerId,
    pub hash: Vec<u8>,
    pub created_at: At,
    pub expires_at: Option<At>,
}

/// What opens one stream, once. It stands for the token that asked for it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Ticket {
    pub hash: Vec<u8>,
    pub token_hash: Vec<u8>,
    /// Whether the token is an app's key.
    pub is_app: bool,
    /// The player for whom the app acts.
    pub act_as: Option<PlayerId>,
    pub expires_at: At,
}

/// A token in use, and nothing by which anybody could use it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TokenInUse {
    pub id: TokenId,
    pub created_at: At,
    pub expires_at: Option<At>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Waiting for players.
    Open,
    Running,
    Over,
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Any player of the app may find, watch and join it.
    Public,
    /// Only the seated and the app know of it; a code lets in.
    Private,
}

/// What a game that is over came to for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameResult {
    /// It won alone.
    Won,
    /// It won together with others.
    Shared,
    /// Nobody won.
    Drawn,
    /// Others won.
    Lost,
}

/// What an entry of a log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum What {
    Opened,
    Joined,
    Left,
    Started,
    Moved,
    Resigned,
    Cancelled,
    Expired,
    /// A player added to the game's chance.
    Seeded,
}

/// A seat that is taken.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitter {
    pub player: PlayerId,
    /// What the player added to the game's chance. Secret until the game starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_seed: Option<String>,
}

impl Sitter {
    /// A player who has added nothing.
    pub fn of(player: PlayerId) -> Sitter {
        Sitter { player, client_seed: None }
    }
}

/// Where a practice game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The game that it branched off, which is over.
    pub game: GameId,
    /// After which ply.
    pub ply: i32,
    /// How many games stand behind it: 1, unless that game is a branch, too.
    pub depth: i32,
}

/// A game as it is stored. Holds secrets: the seed and the state.
#[derive(Clone, sqlx::FromRow)]
pub struct StoredGame {
    pub id: GameId,
    pub app_id: AppId,
    pub kind: String,
    pub rules_version: i32,
    pub options: Json<Value>,
    pub seats: i16,
    pub visibility: Visibility,
    pub status: Status,
    pub version: i32,
    pub ply: i32,
    pub seed: Vec<u8>,
    pub join_code: Option<String>,
    /// The id of the player or app that opened it.
    pub created_by: Uuid,
    pub opener_id: Option<PlayerId>,
    /// In seat order; `None` where a seat is open.
    pub seating: Json<Vec<Option<Sitter>>>,
    /// As the game keeps itself between moves. `None` until it starts.
    pub position: Option<Vec<u8>>,
    pub to_act: i16,
    pub decisions: Json<Vec<Option<i32>>>,
    /// For a practice game: the position from which it goes on.
    pub origin: Option<Json<Origin>>,
    pub created_at: At,
    pub expires_at: Option<At>,
    pub started_at: Option<At>,
    pub ended_at: Option<At>,
    /// The game that the same people played before this one.
    pub rematch_of: Option<GameId>,
}

impl StoredGame {
    /// Who sits there.
    pub fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seating.get(seat.index())?.as_ref()
    }
}

/// A game to be stored for the first time.
pub struct NewGame {
    pub game: StoredGame,
    pub key: Option<IdempotencyKey>,
    /// OPENED first, then who joined and, if the table is full, STARTED.
    pub entries: Vec<NewEntry>,
}

/// An entry of a game's log.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Entry {
    pub version: i32,
    pub what: What,
    pub seat: Option<i16>,
    pub player_id: Option<PlayerId>,
    pub ply: i32,
    pub notation: Option<String>,
    pub is_auto: bool,
    pub is_secret: bool,
    /// As text: read when somebody asks.
    pub events: Json<Box<RawValue>>,
    pub key_hash: Option<Vec<u8>>,
    pub at: At,
}

/// What a seat did, out of a game's log: all that it takes to play the game again.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Made {
    pub version: i32,
    pub what: What,
    pub seat: i16,
    pub notation: Option<String>,
    pub is_auto: bool,
    pub at: At,
}

/// An entry to be stored. Its version follows from its place.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub what: What,
    pub seat: Option<i16>,
    pub player_id: Option<PlayerId>,
    pub ply: i32,
    pub notation: Option<String>,
    pub is_auto: bool,
    pub is_secret: bool,
    pub events: Box<RawValue>,
    pub key: Option<IdempotencyKey>,
}

impl NewEntry {
    /// An entry about a seat and its player, in which nothing was moved.
    pub fn about(what: What, seat: Option<i16>, player_id: Option<PlayerId>) -> NewEntry {
        NewEntry {
            what,
            seat,
            player_id,
            ply: 0,
            notation: None,
            is_auto: false,
            is_secret: false,
            events: RawValue::from_string("[]".into()).expect("this is JSON"),
            key: None,
        }
    }
}

/// A client's name for a request, and a hash of what it asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub key: String,
    pub hash: Vec<u8>,
}

/// What becomes of a seat in a change.
#[derive(Clone, Copy, Debug)]
pub enum Seating {
    Unchanged,
    Taken { seat: i16, player: PlayerId },
    Freed { seat: i16 },
}

/// A change of a game: new values for its row and the entries that tell of it, in one commit.
pub struct Change {
    pub game: Arc<StoredGame>,
    /// The version that the change was decided on. If the game has moved on, nothing is stored.
    pub from_version: i32,
    pub outcome: Option<Value>,
    pub seating: Seating,
    pub entries: Vec<NewEntry>,
    pub at: At,
}

impl Change {
    /// Its entries as they will be read from the log.
    pub fn log(&self) -> Vec<Entry> {
        let entry = |(entry, version): (&NewEntry, i32)| {
            let NewEntry { what, seat, player_id, ply, notation, is_auto, is_secret, events, key } = entry.clone();
            let (events, key_hash) = (Json(events), key.map(|key| key.hash));
            Entry { version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key_hash, at: self.at }
        };
        self.entries.iter().zip(self.from_version + 1..).map(entry).collect()
    }
}

/// Whether a change was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    Yes,
    /// Somebody else was faster: load again, decide again.
    Overtaken,
}

/// Which games a list shows.
#[derive(Clone, Debug)]
pub struct GameFilter {
    pub app_id: AppId,
    /// Games that this player may see: the public ones and its own. `None`: the app itself asks, and sees all.
    pub visible_to: Sight,
    /// Only games in which this player of the app sits.
    pub player: Option<PlayerId>,
    /// Only games in which the player meets this one.
    pub opponent: Option<PlayerId>,
    pub kind: Option<String>,
    pub status: Option<Status>,
    /// What the game came to for the player.
    pub result: Option<GameResult>,
    pub is_practice: Option<bool>,
    pub created_from: Option<At>,
    pub created_before: Option<At>,
    pub ended_from: Option<At>,
    pub ended_before: Option<At>,
    /// Only games older than this one: where the page before ended.
    pub after: Option<GameId>,
    pub limit: i64,
}

/// A player's games of one kind that are over, summed up.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Tally {
    pub kind: String,
    pub played: i64,
    pub won: i64,
    pub shared: i64,
    pub drawn: i64,
    pub lost: i64,
    /// The sum of all places.
    pub places: i64,
    /// Games won or shared in a row, up to the last one.
    pub current_streak: i64,
    pub longest_streak: i64,
}

/// Two players' games of one kind against each other, summed up for the first of them.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Meetings {
    pub kind: String,
    pub played: i64,
    pub ahead: i64,
    pub level: i64,
    pub behind: i64,
}

/// Whose eyes a list is for.
#[derive(Clone, Copy, Debug)]
pub enum Sight {
    All,
    PublicAndOwn(PlayerId),
    Public,
}

#[async_trait]
pub trait Store: Send + Sync {
    /// Brings the tables up to date.
    async fn migrate(&self) -> Result<()>;
    /// Whether all migrations of this build have been applied.
    async fn is_migrated(&self) -> Result<bool>;
    async fn ping(&self) -> Result<()>;

    async fn create_app(&self, app: &App, key_hash: &[u8]) -> Result<()>;
    /// Makes the app of that name, without a key that anybody has, unless it is there.
    async fn ensure_app(&self, app: &App, key_hash: &[u8]) -> Result<App>;
    async fn apps(&self) -> Result<Vec<App>>;
    async fn revoke_app(&self, name: &str, at: At) -> Result<bool>;
    async fn app_by_key(&self, hash: &[u8]) -> Result<Option<App>>;

    /// Stores a player; one with the same external id in the same app keeps its id and gets the new name.
    async fn upsert_player(&self, player: &Player) -> Result<Player>;
    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>>;
    /// Forgets a player's name, external id and tokens; says whether there is or was such a player.
    async fn delete_player(&self, player: PlayerId, at: At) -> Result<bool>;
    /// Players who were deleted since a time and sit in games that are still on.
    async fn deleted_at_tables(&self, since: At, limit: i64) -> Result<Vec<Player>>;
    /// The games still on in which this player sits, after this one in the order of their ids.
    async fn games_still_on(&self, player: PlayerId, after: GameId, limit: i64) -> Result<Vec<GameId>>;
    async fn add_token(&self, token: &NewToken) -> Result<()>;
    /// A player's tokens in use before this one, the newest first.
    async fn tokens(&self, player: PlayerId, now: At, before: TokenId, limit: i64) -> Result<Vec<TokenInUse>>;
    async fn revoke_token(&self, player: PlayerId, token: TokenId, at: At) -> Result<bool>;
    /// The player of a token in use, and when the token stops working.
    async fn player_by_token(&self, hash: &[u8], now: At) -> Result<Option<(Player, Option<At>)>>;
    /// Which of these tokens and apps' keys are in use.
    async fn tokens_in_use(&self, hashes: &[Vec<u8>], now: At) -> Result<Vec<Vec<u8>>>;
    async fn add_ticket(&self, ticket: &Ticket) -> Result<()>;
    /// Gives a ticket out of the store, once, if its time has not run out.
    async fn redeem_ticket(&self, hash: &[u8], now: At) -> Result<Option<Ticket>>;
    /// Throws away tickets that nobody redeemed in time.
    async fn drop_old_tickets(&self, now: At) -> Result<()>;

    /// Stores a new game. With an idempotency key that its opener has used before, or as a second rematch of one game:
    /// [`StoreError::Taken`].
    async fn create_game(&self, new: &NewGame) -> Result<()>;
    async fn game(&self, id: GameId) -> Result<Option<StoredGame>>;
    /// How far a game has come. Whatever changes a game raises its version.
    async fn version(&self, id: GameId) -> Result<Option<i32>>;
    async fn game_by_code(&self, code: &str) -> Result<Option<StoredGame>>;
    /// The game that this player, or this app, opened with this key, and the hash of what it asked for.
    async fn game_by_key(&self, created_by: Uuid, key: &str) -> Result<Option<(StoredGame, Vec<u8>)>>;
    /// The rematches of these games that were not called off: each game with the one after it.
    async fn rematches(&self, games: &[GameId]) -> Result<Vec<(GameId, GameId)>>;
    /// Stores a change if the game is still at the version it was decided on.
    async fn change(&self, change: Change) -> Result<Stored>;

    /// The versions that these games are at.
    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, i32)>>;
    async fn entries(&self, game: GameId, after: i32, limit: i64) -> Result<Vec<Entry>>;
    /// Every move and resignation up to this ply and this version.
    async fn made(&self, game: GameId, ply: i32, version: i32) -> Result<Vec<Made>>;
    async fn entry_by_key(&self, game: GameId, seat: i16, key: &str) -> Result<Option<Entry>>;

    /// How many games a filter lets through, counted no further than its limit.
    async fn count_games(&self, filter: &GameFilter) -> Result<i64>;
    /// Newest first.
    async fn games(&self, filter: &GameFilter) -> Result<Vec<StoredGame>>;
    /// A player's games that are over and that somebody may see, kind by kind. No practice games.
    async fn tallies(&self, player: PlayerId, sight: Sight, kind: Option<&str>) -> Result<Vec<Tally>>;
    /// The same for the games in which the player met another one.
    async fn meetings(
        &self,
        player: PlayerId,
        opponent: PlayerId,
        sight: Sight,
        kind: Option<&str>,
    ) -> Result<Vec<Meetings>>;
    /// The running games that wait for this player, the oldest first.
    async fn inbox(&self, player: PlayerId, limit: i64) -> Result<Vec<StoredGame>>;
    /// The games that wait for each of these players, with their versions.
    async fn waiting(&self, players: &[PlayerId]) -> Result<Vec<(PlayerId, GameId, i32)>>;
    /// How many games this player has opened or joined that have not started.
    async fn open_games(&self, player: PlayerId) -> Result<i64>;
    /// Running games of all apps, by id, after this one.
    async fn running(&self, after: Option<GameId>, limit: i64) -> Result<Vec<StoredGame>>;
    /// How a game ended, as it was stored then.
    async fn outcome(&self, game: GameId) -> Result<Option<Value>>;
    /// Open games whose time has run out.
    async fn expired(&self, now: At, limit: i64) -> Result<Vec<StoredGame>>;

    /// Whether other processes may share the data, and can be sent hints.
    fn takes_hints(&self) -> bool;
    /// Sends hints to all who hear them, outside of every change.
    async fn send_hints(&self, hints: &[String]) -> Result<()>;
    async fn hear_hints(&self) -> Result<Box<dyn Hints>>;
}

/// Hints as they come in.
#[async_trait]
pub trait Hints: Send {
    /// The next one; `None` if some may have been lost.
    async fn next(&mut self) -> Result<Option<String>>;
}
