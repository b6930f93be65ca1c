//! The entries of a game's log.

use std::sync::Arc;

use domain::{AnyEvent, Bot, Seat};

use super::{At, IdempotencyKey, Tag, Version};
use crate::ids::PlayerId;

/// The type of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Opened,
    Joined,
    Left,
    Started,
    Moved,
    Resigned,
    Cancelled,
    Expired,
    /// A player contributed to the game's randomness.
    Seeded,
}

/// An entry of a game's log.
#[derive(Clone, Debug)]
pub struct Entry {
    pub version: Version,
    /// The tag of the change that wrote the entry.
    pub tag: Tag,
    pub kind: EntryKind,
    pub seat: Option<Seat>,
    pub player: Option<PlayerId>,
    pub ply: u32,
    /// If `is_secret`, only its player may see it until the game is over.
    pub notation: Option<String>,
    /// The bot that made the move or, for JOINED, took the seat.
    pub bot: Option<Bot>,
    pub is_auto: bool,
    pub is_secret: bool,
    /// Shared by all readers of the entry in this process.
    pub events: Arc<[AnyEvent]>,
    /// The hash of the request that wrote this entry, if it had an idempotency key.
    pub key_hash: Option<Vec<u8>>,
    pub at: At,
}

/// A move or a resignation from a game's log: enough to replay the game.
#[derive(Clone, Debug)]
pub struct PlayedEntry {
    pub version: Version,
    pub kind: EntryKind,
    pub seat: Seat,
    pub notation: Option<String>,
    pub bot: Option<Bot>,
    pub is_auto: bool,
    pub at: At,
}

/// An entry to store. Its position in the change determines its version.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub kind: EntryKind,
    pub seat: Option<Seat>,
    pub player: Option<PlayerId>,
    pub ply: u32,
    pub notation: Option<String>,
    pub bot: Option<Bot>,
    pub is_auto: bool,
    pub is_secret: bool,
    pub events: Arc<[AnyEvent]>,
    pub key: Option<IdempotencyKey>,
}

impl NewEntry {
    /// An entry about a seat and its player, without a move.
    pub fn about(kind: EntryKind, seat: Option<Seat>, player: Option<PlayerId>) -> NewEntry {
        NewEntry {
            kind,
            seat,
            player,
            ply: 0,
            notation: None,
            bot: None,
            is_auto: false,
            is_secret: false,
            events: Arc::default(),
            key: None,
        }
    }

    /// The entry as it will be stored.
    pub fn stored(&self, version: Version, tag: Tag, at: At) -> Entry {
        let NewEntry { kind, seat, player, ply, notation, bot, is_auto, is_secret, events, key } = self.clone();
        let key_hash = key.map(|key| key.hash);
        Entry { version, tag, kind, seat, player, ply, notation, bot, is_auto, is_secret, events, key_hash, at }
    }
}
