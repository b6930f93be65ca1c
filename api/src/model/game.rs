//! A game as it is stored, and changes to it.

use std::sync::Arc;
use std::time::Duration;

use domain::bot::Level;
use domain::{AnyOptions, Bots, BySeat, Entropy, Kind, Seat, Seats, Seed};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{At, Entry, Head, NewEntry, OwnedKey, Tag};
use crate::ids::{AppId, GameId, PlayerId};

/// The version of a game: the number of entries in its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub i32);

impl Version {
    /// The version after this many more entries.
    pub fn plus(self, entries: usize) -> Version {
        Version(self.0.saturating_add(i32::try_from(entries).unwrap_or(i32::MAX)))
    }

    /// This version's successors, in order.
    pub fn next(self) -> impl Iterator<Item = Version> {
        (self.0 + 1..).map(Version)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waiting for players.
    Open,
    Running,
    Over,
    Cancelled,
}

impl Status {
    /// Whether anything can still happen in the game.
    pub fn is_on(self) -> bool {
        matches!(self, Status::Open | Status::Running)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Any player of the app may find, watch and join it.
    Public,
    /// Only its players and its app may see it. Others need its join code to join.
    Private,
}

/// The result of a finished game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// The player won alone.
    Won,
    /// The player won together with others.
    Shared,
    /// Nobody won.
    Drawn,
    /// Others won.
    Lost,
}

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Occupant {
    Player(Sitter),
    Bot {
        #[serde(rename = "bot")]
        level: Level,
    },
}

impl Occupant {
    /// The player, unless it is a bot.
    pub fn sitter(&self) -> Option<&Sitter> {
        match self {
            Occupant::Player(sitter) => Some(sitter),
            Occupant::Bot { .. } => None,
        }
    }

    /// The level, if it is a bot.
    pub fn bot(&self) -> Option<Level> {
        match self {
            Occupant::Player(_) => None,
            Occupant::Bot { level } => Some(*level),
        }
    }
}

/// The player of a taken seat.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitter {
    pub player: PlayerId,
    /// The player's contribution to the game's randomness. Secret until the game starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_seed: Option<String>,
    /// Whether the player is a program, by its app's word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bot: bool,
}

impl Sitter {
    /// A player without a client seed.
    pub fn of(player: PlayerId, is_bot: bool) -> Sitter {
        Sitter { player, client_seed: None, is_bot }
    }
}

/// The settings of a game's bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotSettings {
    /// The level of the bot that plays for seats that resign. `None` for games begun before there were bots: the moves of
    /// their resigned seats are drawn at random.
    pub stand_in: Option<Level>,
    /// How long a bot waits before it moves, so that people can follow.
    pub pause: Duration,
}

/// For new games.
impl Default for BotSettings {
    fn default() -> BotSettings {
        BotSettings { stand_in: Some(Level::ALL[1]), pause: Duration::ZERO }
    }
}

/// The position that a practice game continues from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The original game, which is finished.
    pub game: GameId,
    /// The ply of the original game.
    pub ply: u32,
    /// The number of games it descends from: 1, unless the original game is a branch too.
    pub depth: u32,
}

/// The saved position of a game. Secret.
#[derive(Clone)]
pub enum Position {
    Saved(Arc<[u8]>),
    /// The bytes fail their checksum, or were written before there was one. The game is replayed from its log.
    Damaged(Arc<[u8]>),
}

impl Position {
    /// Whether this build can decode it: another build may have saved it in another format. JSON, the first format, has
    /// no checksum, so only decoding shows whether it is intact.
    pub fn is_readable(&self, game: &Game) -> bool {
        match self {
            Position::Saved(bytes) if bytes.first() == Some(&b'{') => {
                game.options().is_ok_and(|options| options.load_game(game.rules_version, bytes).is_ok())
            }
            Position::Saved(bytes) => domain::is_known_format(bytes),
            Position::Damaged(_) => false,
        }
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        match self {
            Position::Saved(bytes) | Position::Damaged(bytes) => bytes.len(),
        }
    }
}

/// A game as it is stored, without its log. Holds secrets: the seed and the position.
#[derive(Clone)]
pub struct Game {
    pub id: GameId,
    pub app: AppId,
    pub kind: Kind,
    /// The version of the rules that the game uses.
    pub rules_version: u32,
    /// As JSON: a build that does not have the rules version may not be able to read them.
    pub options: Arc<RawValue>,
    pub visibility: Visibility,
    pub status: Status,
    pub version: Version,
    /// The tag of the last change.
    pub tag: Tag,
    pub ply: u32,
    pub seed: Seed,
    pub join_code: Option<String>,
    /// The player who opened it; `None` if its app did.
    pub opener: Option<PlayerId>,
    /// `None` where a seat is open.
    pub seating: BySeat<Option<Occupant>>,
    pub bots: BotSettings,
    /// The seats that bots play for now: their own, and those of players who resigned.
    pub bot_seats: Seats,
    /// `None` until the game starts.
    pub position: Option<Position>,
    pub to_act: Seats,
    /// For each seat the version at which its current decision opened.
    pub decisions: BySeat<Option<Version>>,
    /// For a practice game: the position that it continues from.
    pub origin: Option<Origin>,
    /// The game that this one is a rematch of.
    pub rematch_of: Option<GameId>,
    pub created_at: At,
    /// The time of the last change.
    pub changed_at: At,
    pub expires_at: Option<At>,
    pub started_at: Option<At>,
    pub ended_at: Option<At>,
}

impl Game {
    pub fn head(&self) -> Head {
        Head { version: self.version, tag: self.tag }
    }

    /// The time for a change that is made now. Clocks of replicas differ, but entries never run backwards.
    pub fn now(&self) -> At {
        At::now().max(self.changed_at)
    }

    pub fn seats(&self) -> u8 {
        self.seating.seats()
    }

    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seating.get(seat)?.as_ref()
    }

    /// The player of the seat. `None` if it is open or a bot's.
    pub fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.occupant(seat)?.sitter()
    }

    /// The players, with their seats.
    pub fn sitters(&self) -> impl Iterator<Item = (Seat, &Sitter)> {
        self.seating.iter().filter_map(|(seat, occupant)| Some((seat, occupant.as_ref()?.sitter()?)))
    }

    pub fn players(&self) -> impl Iterator<Item = PlayerId> {
        self.sitters().map(|(_, sitter)| sitter.player)
    }

    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        self.sitters().find(|(_, sitter)| sitter.player == player).map(|(seat, _)| seat)
    }

    /// The bots of the game, for its rules.
    pub fn bots(&self) -> Bots {
        let is_bot = |(seat, occupant): (Seat, &Option<Occupant>)| occupant.as_ref()?.bot().map(|_| seat);
        Bots { seats: self.seating.iter().filter_map(is_bot).collect(), stand_in: self.bots.stand_in.is_some() }
    }

    /// The level of the bot that plays for the seat now.
    pub fn bot_at(&self, seat: Seat) -> Option<Level> {
        let own = self.occupant(seat).and_then(Occupant::bot);
        own.or(self.bots.stand_in.filter(|_| self.bot_seats.contains(seat)))
    }

    /// Whether a bot had a seat from the start. Such games have statistics of their own.
    pub fn is_with_bots(&self) -> bool {
        !self.bots().seats.is_empty() || self.sitters().any(|(_, sitter)| sitter.is_bot)
    }

    /// The seats of the game whose bots must decide now.
    pub fn due_from_bots(&self) -> Seats {
        match self.status {
            Status::Running => self.to_act.and(self.bot_seats),
            Status::Open | Status::Over | Status::Cancelled => Seats::NONE,
        }
    }

    pub fn is_full(&self) -> bool {
        self.seating.values().all(Option::is_some)
    }

    /// The id of the player or app that opened it.
    pub fn created_by(&self) -> Uuid {
        self.opener.map_or(self.app.0, |player| player.0)
    }

    /// Whether this build has the game's rules version.
    pub fn has_known_rules(&self) -> bool {
        self.kind.rules_versions().contains(&self.rules_version)
    }

    /// The options, read by the game's own rules version or, if this build does not have it, by the newest one.
    pub fn options(&self) -> Result<AnyOptions, serde_json::Error> {
        let version = if self.has_known_rules() { self.rules_version } else { self.kind.rules_version() };
        self.kind.load_options(version, serde_json::from_str(self.options.get())?)
    }

    /// The source of the game's randomness. The only place where the seeds are combined. Call it when all seats are
    /// taken.
    pub fn entropy(&self) -> Entropy {
        let added = Seat::all(self.seats())
            .map(|seat| self.sitter(seat).and_then(|sitter| sitter.client_seed.as_deref()).unwrap_or_default());
        Entropy::new(self.seed.clone(), added.map(str::as_bytes))
    }
}

/// The metadata that an app gives to its game. It is stored beside the game, and is no part of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The app's own id of the game, unique within the app.
    pub external_id: Option<String>,
    /// A JSON object.
    pub json: Option<String>,
    /// Counts the changes.
    pub revision: i32,
}

impl Metadata {
    /// Differs for different metadata. A revision alone could come twice, with other content, after the database was set
    /// back.
    pub fn tag(&self) -> String {
        let Metadata { external_id, json, revision } = self;
        let digest = Sha256::digest(format!("{revision} {external_id:?} {json:?}"));
        digest[..5].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A change of [`Metadata`]: `None` keeps a value, `Some(None)` removes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetadataChange {
    pub external_id: Option<Option<String>>,
    pub json: Option<Option<String>>,
}

/// A new game to store.
pub struct NewGame {
    pub game: Arc<Game>,
    pub key: Option<OwnedKey>,
    pub metadata: Option<Metadata>,
    /// OPENED, then JOINED for each player and, if all seats are taken, STARTED.
    pub entries: Vec<NewEntry>,
}

/// The change of a seat.
#[derive(Clone, Copy, Debug)]
pub enum SeatChange {
    Unchanged,
    Taken {
        seat: Seat,
        player: PlayerId,
    },
    /// A bot took a seat. It has no row among those of players.
    TakenByBot,
    Freed {
        seat: Seat,
    },
}

/// A change of a game: the new values of its row and the log entries, stored in one commit.
pub struct Change {
    /// The game after the change.
    pub game: Arc<Game>,
    /// The expected state of the compare-and-set: if the stored one differs, nothing is stored.
    pub from: Head,
    /// The outcome, if the change ends the game.
    pub outcome: Option<serde_json::Value>,
    pub seating: SeatChange,
    pub entries: Vec<NewEntry>,
    /// The key of a request that made the game or joined it, such as a request for a rematch.
    pub key: Option<OwnedKey>,
    pub at: At,
}

impl Change {
    /// The entries as they will be stored.
    pub fn log(&self) -> Vec<Entry> {
        self.entries
            .iter()
            .zip(self.from.version.next())
            .map(|(entry, version)| entry.stored(version, self.game.tag, self.at))
            .collect()
    }

    /// Whether the change consists only of moves, and of resignations after which no bot takes over.
    pub fn is_move(&self) -> bool {
        use super::EntryKind::{Moved, Resigned};
        matches!(self.game.status, Status::Running | Status::Over)
            && matches!(self.seating, SeatChange::Unchanged)
            && self.key.is_none()
            && self.entries.iter().all(|entry| match entry.kind {
                Moved => true,
                Resigned => self.game.bots.stand_in.is_none(),
                _ => false,
            })
    }

    /// Whether the change starts the game.
    pub fn is_start(&self) -> bool {
        self.entries.iter().any(|entry| entry.kind == super::EntryKind::Started)
    }
}

/// Whether a change was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    Yes,
    /// The compare-and-set failed: load the game and decide again.
    Overtaken,
}
