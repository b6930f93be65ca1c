//! A game as one portable document that anybody can replay and verify.
//!
//! There are two formats. Format 1 has `moves` after the start. Format 2 has `entries` instead, each with its kind, so
//! that the log can hold more than moves. Kinds of entries that are reserved for later are refused by name.
//!
//! Entries (or moves) are chained. The first link is the SHA-256 of `maidan/record`, a zero byte, and the record without
//! its entries, outcome and hashes. Each entry's `hash` is the SHA-256 of the link before, as 32 bytes, and the entry
//! without its hash. The record's `hash` is the SHA-256 of the last link and the outcome. JSON is hashed in the canonical
//! form of RFC 8785: names sorted, no white space. No hash is computed before the game is over: the hash of a secret
//! move would allow guessing it.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::bot::{Level, VERSION};
use crate::chance::hex;
use crate::{Act, AnyGame, AnyMove, Bots, Commitment, Entropy, Kind, PLY_LIMIT, Seat, Seed};

/// Everything that determines a game, and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Record {
    /// One of [`Record::FORMATS`].
    pub format: u32,
    /// The id of the stored game. `None`, like the commitment and the hashes, for a game that was never stored.
    pub game_id: Option<String>,
    pub kind: Kind,
    pub rules_version: u32,
    pub options: Value,
    pub seats: u8,
    /// The commitment to the seed, shown before anybody joined.
    pub commitment: Option<Commitment>,
    pub seed: Seed,
    /// In seat order, in hexadecimal as received; `None` for a player without one.
    pub client_seeds: Vec<Option<String>>,
    /// The levels of the bots, in seat order; `None` for a seat that a player took. Empty if this is not recorded: then a
    /// bot's move is checked like a player's.
    pub bots: Vec<Option<u32>>,
    /// The level of the bot that plays for seats that resign. `None` if their moves are drawn at random.
    pub stand_in: Option<u32>,
    /// For a branch of another game: where it began.
    pub origin: Option<Origin>,
    /// In format 1 only.
    pub moves: Vec<RecordedMove>,
    /// From format 2 on.
    pub entries: Vec<Entry>,
    pub outcome: Option<Value>,
    pub hash: Option<String>,
}

/// The JSON form of a record, with `moves` or with `entries`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    format: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_id: Option<String>,
    kind: Kind,
    rules_version: u32,
    options: Value,
    seats: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commitment: Option<Commitment>,
    seed: Seed,
    client_seeds: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bots: Vec<Option<u32>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    stand_in: Option<u32>,
    origin: Option<Origin>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<RecordedMove>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<Entry>>,
    outcome: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

/// Reads an optional field: it may be left out, but not be null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl From<Record> for Written {
    fn from(record: Record) -> Written {
        let Record { format, game_id, kind, rules_version, options, seats, commitment, seed, client_seeds, .. } =
            record;
        let Record { bots, stand_in, origin, moves, entries, outcome, hash, .. } = record;
        let (moves, entries) = if format == 1 { (Some(moves), None) } else { (None, Some(entries)) };
        Written {
            format,
            game_id,
            kind,
            rules_version,
            options,
            seats,
            commitment,
            seed,
            client_seeds,
            bots,
            stand_in,
            origin,
            moves,
            entries,
            outcome,
            hash,
        }
    }
}

impl TryFrom<Written> for Record {
    type Error = String;
    fn try_from(written: Written) -> Result<Record, String> {
        let Written { format, game_id, kind, rules_version, options, seats, commitment, seed, client_seeds, .. } =
            written;
        let Written { bots, stand_in, origin, moves, entries, outcome, hash, .. } = written;
        if format == 1 && (!bots.is_empty() || stand_in.is_some()) {
            return Err("a record of format 1 has no bots".into());
        }
        if !bots.is_empty() && bots.len() != usize::from(seats) {
            return Err("'bots' must have one level, or null, for each seat".into());
        }
        let (moves, entries) = match (format, moves, entries) {
            (1, Some(moves), None) => (moves, Vec::new()),
            (1, ..) => return Err("a record of format 1 has 'moves' and no 'entries'".into()),
            (2, None, Some(entries)) => (Vec::new(), entries),
            (2, ..) => return Err("a record of format 2 has 'entries' and no 'moves'".into()),
            _ => return Err(unknown_format(format)),
        };
        Ok(Record {
            format,
            game_id,
            kind,
            rules_version,
            options,
            seats,
            commitment,
            seed,
            client_seeds,
            bots,
            stand_in,
            origin,
            moves,
            entries,
            outcome,
            hash,
        })
    }
}

fn unknown_format(format: u32) -> String {
    let (first, last) = (Record::FORMATS.start(), Record::FORMATS.end());
    format!("The record has format {format}; this version of Maidan knows formats {first} to {last}.")
}

/// The parent of a branch, and the ply at which the branch begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    pub ply: u32,
    /// The parent up to that ply, without its outcome.
    pub record: Box<Record>,
}

/// One entry of the log after the start: format 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Box<RawValue>")]
pub struct Entry {
    pub kind: EntryKind,
    /// The seat that the entry is about.
    pub seat: Seat,
    /// The decision in notation, for all kinds that make a move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// For a bot's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<Bot>,
    /// When it was stored, by RFC 3339. The replay ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EntryKind {
    /// A decision of the seat's player.
    Moved,
    /// A decision of the bot that plays for the seat.
    BotMoved,
    /// A decision drawn at random for a resigned seat.
    AutoMoved,
    /// The seat resigned.
    Resigned,
}

impl EntryKind {
    /// Kinds that later versions of the program may write. This one cannot replay them.
    pub const RESERVED: [&str; 4] = ["TIMED_OUT", "HANDED_BACK", "PAUSED", "RESUMED"];
}

/// The bot that chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bot {
    /// The playing strength.
    pub level: u32,
    /// The version of its program.
    pub version: u32,
}

/// An entry of a known kind, as parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    kind: EntryKind,
    seat: Seat,
    #[serde(rename = "move", default, deserialize_with = "present")]
    mv: Option<String>,
    #[serde(default, deserialize_with = "present")]
    bot: Option<Bot>,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    hash: Option<String>,
}

/// The part of an entry that is parsed first, to learn its kind.
#[derive(Deserialize)]
struct KindOfEntry {
    #[serde(default)]
    kind: String,
}

impl TryFrom<Box<RawValue>> for Entry {
    type Error = String;
    fn try_from(written: Box<RawValue>) -> Result<Entry, String> {
        // The kind is parsed first: entries of later programs may have any shape. From the text, not from a `Value`, in
        // which the last of two fields with the same name would win.
        let KindOfEntry { kind } = serde_json::from_str(written.get()).map_err(|error| error.to_string())?;
        if EntryKind::RESERVED.contains(&kind.as_str()) {
            return Err(format!("entries of the kind {kind} are reserved: this version of Maidan cannot replay them"));
        }
        let written: WrittenEntry = serde_json::from_str(written.get()).map_err(|error| error.to_string())?;
        let WrittenEntry { kind, seat, mv, bot, at, hash } = written;
        Ok(Entry { kind, seat, mv, bot, at, hash })
    }
}

/// One step of format 1. It has exactly one of `mv`, `auto` and `resigned`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedMove {
    pub seat: Seat,
    /// A decision of the seat, in notation.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// A decision drawn for a resigned seat, in notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<String>,
    /// `true`, or left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<bool>,
    /// When it was stored, by RFC 3339. The replay ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// The first error found when a record is verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (after ply {ply})")]
pub struct Untrue {
    pub ply: u32,
    pub what: String,
}

/// The moves of bots that were derived again from what their seats knew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Moves that the bots of this build choose, too.
    pub confirmed: u32,
    /// Moves of other versions of the bots, or of records that do not name their bots.
    pub not_checked: u32,
}

impl Derived {
    fn check(&mut self, game: &AnyGame, seat: Seat, act: &Act<AnyMove>, entropy: &Entropy) -> Result<(), String> {
        let known = match act {
            Act::Bot(mv, Bot { level, version: VERSION }) => Level::new(*level).map(|level| (mv, level)),
            _ => None,
        };
        let Some((mv, level)) = known else {
            self.not_checked += 1;
            return Ok(());
        };
        match game.bot_move(seat, level, entropy) {
            Some(derived) if derived == *mv => {
                self.confirmed += 1;
                Ok(())
            }
            Some(derived) => Err(format!("The bot of seat {seat} chooses '{derived}', not '{mv}'.")),
            None => Err(format!("The bot of seat {seat} has no decision to make.")),
        }
    }
}

impl Record {
    /// The formats that can be read. Records in all of them stay valid.
    pub const FORMATS: RangeInclusive<u32> = 1..=2;
    /// The newest of them.
    pub const FORMAT: u32 = 2;
    /// The longest chain of branches: a branch of a branch of a branch …
    pub const MOST_BRANCHES: usize = 8;

    /// Verifies the record of a stored game: that it is complete, and that the commitment, the deal and the dice, every
    /// move, the outcome and the hash chain are right.
    pub fn verify(&self) -> Result<AnyGame, Untrue> {
        self.check_completeness()?;
        if self.outcome.is_none() {
            return Err(Untrue { ply: 0, what: "The record has no outcome.".into() });
        }
        self.replay()
    }

    /// Verifies the record, and derives the moves of its bots again. This takes as long as the bots thought.
    pub fn verify_bots(&self) -> Result<(AnyGame, Derived), Untrue> {
        self.verify()?;
        let mut derived = Derived::default();
        let game = self.replay_branch(0, Some(&mut derived))?;
        Ok((game, derived))
    }

    /// Replays the record from its seed and checks everything in it.
    pub fn replay(&self) -> Result<AnyGame, Untrue> {
        self.replay_branch(0, None)
    }

    /// The position after this many moves. [`Record::replay`] checks the record as a whole.
    pub fn position_at(&self, ply: u32) -> Result<AnyGame, Untrue> {
        let untrue = |ply: u32, what: String| Untrue { ply, what };
        let entropy = self.entropy().map_err(|what| untrue(0, what))?;
        let mut game = self.beginning(&entropy, 0)?;
        for step in self.steps() {
            if game.ply() == ply {
                break;
            }
            let (seat, act) = self.act(&step, &game).map_err(|what| untrue(game.ply(), what))?;
            game.retrace(seat, &act, &entropy).map_err(|refusal| untrue(game.ply(), refusal.to_string()))?;
        }
        match game.ply() {
            last if last < ply => Err(untrue(last, format!("There is no ply {ply}: the record has {last}."))),
            _ => Ok(game),
        }
    }

    fn check_completeness(&self) -> Result<(), Untrue> {
        let parts = [
            (self.game_id.is_some(), "game id"),
            (self.commitment.is_some(), "commitment"),
            (self.hash.is_some(), "hash chain"),
        ];
        if let Some((_, part)) = parts.iter().find(|(is_there, _)| !is_there) {
            return Err(Untrue { ply: 0, what: format!("The record has no {part}.") });
        }
        self.origin.as_ref().map_or(Ok(()), |origin| origin.record.check_completeness())
    }

    fn replay_branch(&self, depth: usize, mut derived: Option<&mut Derived>) -> Result<AnyGame, Untrue> {
        let untrue = |ply: u32, what: String| Untrue { ply, what };
        if depth > Record::MOST_BRANCHES {
            return Err(untrue(0, format!("The game has more than {} ancestors.", Record::MOST_BRANCHES)));
        }
        if !Record::FORMATS.contains(&self.format) {
            return Err(untrue(0, unknown_format(self.format)));
        }
        let known = self.kind.rules_versions();
        if !known.contains(&self.rules_version) {
            let (least, most, version) = (known.start(), known.end(), self.rules_version);
            let text = format!(
                "The game follows version {version} of the rules; this version of Maidan knows {least} to {most}."
            );
            return Err(untrue(0, text));
        }
        if self.moves.len() + self.entries.len() > PLY_LIMIT as usize + usize::from(Seat::MOST) {
            return Err(untrue(0, "The record has more entries than a game can have.".into()));
        }
        if let Some(commitment) = &self.commitment
            && *commitment != self.seed.commitment(self.game_id.as_deref().unwrap_or_default())
        {
            return Err(untrue(0, "The commitment does not match the seed and the game id.".into()));
        }
        let entropy = self.entropy().map_err(|what| untrue(0, what))?;
        let mut game = self.beginning(&entropy, depth)?;

        let mut link = self.hash.is_some().then(|| self.first_link());
        for step in self.steps() {
            let ply = game.ply();
            let (seat, act) = self.act(&step, &game).map_err(|what| untrue(ply, what))?;
            if let Some(derived) = derived.as_deref_mut().filter(|_| step.is_bots()) {
                derived.check(&game, seat, &act, &entropy).map_err(|what| untrue(ply, what))?;
            }
            game.retrace(seat, &act, &entropy).map_err(|refusal| untrue(ply, refusal.to_string()))?;
            if let Some(before) = &mut link {
                *before = step.link(before);
                if step.hash() != Some(hex(before).as_str()) {
                    return Err(untrue(
                        ply,
                        "The hash chain is broken: this move, its time or an earlier part of the record was changed."
                            .into(),
                    ));
                }
            }
        }
        let ply = game.ply();
        if depth == 0
            && let Some(seat) = game.due_from_the_resigned()
        {
            return Err(untrue(ply, format!("The automatic move of resigned seat {seat} is missing.")));
        }
        let outcome = game.outcome().map(|outcome| serde_json::to_value(outcome).unwrap_or_default());
        // The record of a parent stops at a ply and has no outcome.
        if depth == 0 && outcome != self.outcome {
            return Err(untrue(ply, "The outcome does not match the moves.".into()));
        }
        if let Some(last) = link
            && self.hash.as_deref() != Some(hex(&self.last_link(&last)).as_str())
        {
            return Err(untrue(
                ply,
                "The hash chain is broken at its end: the outcome or the hash was changed.".into(),
            ));
        }
        Ok(game)
    }

    /// The bots that the record names.
    fn bots(&self) -> Bots {
        let is_bot = |seat: &Seat| self.bots.get(seat.index()).copied().flatten().is_some();
        Bots { seats: Seat::all(self.seats).filter(is_bot).collect(), stand_in: self.stand_in.is_some() }
    }

    /// The seat of a step, and what it did. A bot must have the level that the record names for it. If the record names
    /// no bots, a bot's move counts as the seat's own.
    pub(crate) fn act(&self, step: &Step<'_>, game: &AnyGame) -> Result<(Seat, Act<AnyMove>), String> {
        let (seat, act) = step.act(self.kind)?;
        let Act::Bot(mv, bot) = act else { return Ok((seat, act)) };
        if self.bots.is_empty() && self.stand_in.is_none() {
            return Ok((seat, Act::Moved(mv)));
        }
        let named = match game.resigned().contains(&seat) {
            true => self.stand_in,
            false => self.bots.get(seat.index()).copied().flatten(),
        };
        match named {
            Some(level) if level != bot.level => {
                Err(format!("The bot of seat {seat} has level {level}, not {}.", bot.level))
            }
            _ => Ok((seat, Act::Bot(mv, bot))),
        }
    }

    /// The position before the first move.
    pub(crate) fn beginning(&self, entropy: &Entropy, depth: usize) -> Result<AnyGame, Untrue> {
        let untrue = |what: String| Untrue { ply: 0, what };
        let Some(origin) = &self.origin else {
            let options = self.kind.load_options(self.rules_version, self.options.clone());
            let options = options.map_err(|error| untrue(format!("The options cannot be read: {error}.")))?;
            let game = AnyGame::start(&options, self.seats, self.rules_version, entropy);
            return game.map(|game| game.with_bots(self.bots())).map_err(|illegal| untrue(illegal.to_string()));
        };
        let Origin { ply, record: parent } = origin;
        let in_parent = |what: String| format!("In the parent game: {what}");
        let game = parent
            .replay_branch(depth + 1, None)
            .map_err(|Untrue { ply, what }| Untrue { ply, what: in_parent(what) })?;
        if parent.outcome.is_some() {
            return Err(untrue(in_parent(
                "The record must stop where the branch begins, but it has an outcome.".into(),
            )));
        }
        let same = |record: &Record| (record.kind, record.rules_version, record.options.clone(), record.seats);
        if same(self) != same(parent) {
            return Err(untrue("The branch and its parent differ in kind, rules version, options or seats.".into()));
        }
        if game.ply() != *ply {
            return Err(untrue(in_parent(format!(
                "The record ends at ply {}, but the branch begins at ply {ply}.",
                game.ply()
            ))));
        }
        let game = game.branch(entropy).map_err(|refusal| untrue(in_parent(refusal.to_string())))?;
        Ok(game.with_bots(self.bots()))
    }

    /// The steps after the start, in either format.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.moves.iter().map(Step::Move).chain(self.entries.iter().map(Step::Entry))
    }

    /// The record with its hash chain.
    pub fn sealed(mut self) -> Record {
        let mut link = self.first_link();
        for recorded in &mut self.moves {
            link = Step::Move(recorded).link(&link);
            recorded.hash = Some(hex(&link));
        }
        for entry in &mut self.entries {
            link = Step::Entry(entry).link(&link);
            entry.hash = Some(hex(&link));
        }
        self.hash = Some(hex(&self.last_link(&link)));
        self
    }

    fn first_link(&self) -> Link {
        let mut head = serde_json::to_value(self).unwrap_or_default();
        if let Some(head) = head.as_object_mut() {
            ["moves", "entries", "outcome", "hash"].iter().for_each(|part| drop(head.remove(*part)));
        }
        Sha256::new().chain_update(b"maidan/record\0").chain_update(canonical(&head)).finalize().into()
    }

    fn last_link(&self, before: &Link) -> Link {
        let outcome = canonical(self.outcome.as_ref().unwrap_or(&Value::Null));
        Sha256::new().chain_update(before).chain_update(outcome).finalize().into()
    }

    pub(crate) fn entropy(&self) -> Result<Entropy, String> {
        if self.client_seeds.len() != usize::from(self.seats) {
            return Err("There must be one client seed, or null, for each seat.".into());
        }
        let mut seeds = Vec::new();
        for seed in &self.client_seeds {
            seeds.push(match seed {
                None => Vec::new(),
                Some(text) => from_hex(text).ok_or("A client seed must be 1 to 255 bytes in hexadecimal.")?,
            });
        }
        Ok(Entropy::new(self.seed.clone(), seeds.iter().map(Vec::as_slice)))
    }
}

type Link = [u8; 32];

/// One step of a record.
pub(crate) enum Step<'a> {
    Move(&'a RecordedMove),
    Entry(&'a Entry),
}

impl Step<'_> {
    /// The seat, and what it did.
    pub(crate) fn act(&self, kind: Kind) -> Result<(Seat, Act<AnyMove>), String> {
        let read = |notation: &String| {
            let mv = kind.read_move(notation).map_err(|unreadable| unreadable.to_string())?;
            // Each move has only one notation, so that a game has only one record.
            if mv.to_string() == *notation { Ok(mv) } else { Err(format!("The notation must be '{mv}'.")) }
        };
        match self {
            Step::Move(RecordedMove { seat, mv, auto, resigned, .. }) => {
                let act = match (mv, auto, resigned) {
                    (Some(mv), None, None) => Act::Moved(read(mv)?),
                    (None, Some(auto), None) => Act::Auto(read(auto)?),
                    (None, None, Some(true)) => Act::Resigned,
                    _ => return Err("A step has exactly one of 'move', 'auto' and 'resigned': true.".into()),
                };
                Ok((*seat, act))
            }
            Step::Entry(Entry { kind, seat, mv, bot, .. }) => {
                let act = match (kind, mv, bot) {
                    (EntryKind::Moved, Some(mv), None) => Act::Moved(read(mv)?),
                    (EntryKind::BotMoved, Some(mv), Some(bot)) => Act::Bot(read(mv)?, *bot),
                    (EntryKind::AutoMoved, Some(mv), None) => Act::Auto(read(mv)?),
                    (EntryKind::Resigned, None, None) => Act::Resigned,
                    _ => {
                        return Err(
                            "An entry has a 'move' unless it is a resignation, and a 'bot' only if a bot moved.".into(),
                        );
                    }
                };
                Ok((*seat, act))
            }
        }
    }

    fn is_bots(&self) -> bool {
        matches!(self, Step::Entry(Entry { kind: EntryKind::BotMoved, .. }))
    }

    fn hash(&self) -> Option<&str> {
        match self {
            Step::Move(recorded) => recorded.hash.as_deref(),
            Step::Entry(entry) => entry.hash.as_deref(),
        }
    }

    fn link(&self, before: &Link) -> Link {
        let entry = match self {
            Step::Move(recorded) => serde_json::to_value(RecordedMove { hash: None, ..(*recorded).clone() }),
            Step::Entry(entry) => serde_json::to_value(Entry { hash: None, ..(*entry).clone() }),
        };
        Sha256::new().chain_update(before).chain_update(canonical(&entry.unwrap_or_default())).finalize().into()
    }
}

impl Entry {
    /// A seat's act, without a time.
    pub fn of<M: ToString>(seat: Seat, act: &Act<M>) -> Entry {
        let (kind, mv, bot) = match act {
            Act::Moved(mv) => (EntryKind::Moved, Some(mv.to_string()), None),
            Act::Bot(mv, bot) => (EntryKind::BotMoved, Some(mv.to_string()), Some(*bot)),
            Act::Auto(mv) => (EntryKind::AutoMoved, Some(mv.to_string()), None),
            Act::Resigned => (EntryKind::Resigned, None, None),
        };
        Entry { kind, seat, mv, bot, at: None, hash: None }
    }

    /// The same move, made by a bot.
    pub fn by(self, bot: Bot) -> Entry {
        Entry { kind: EntryKind::BotMoved, bot: Some(bot), ..self }
    }
}

impl RecordedMove {
    /// A seat's act, without a time.
    pub fn of<M: ToString>(seat: Seat, act: &Act<M>) -> RecordedMove {
        let mut recorded = RecordedMove { seat, mv: None, auto: None, resigned: None, at: None, hash: None };
        match act {
            // Format 1 has no bots.
            Act::Moved(mv) | Act::Bot(mv, _) => recorded.mv = Some(mv.to_string()),
            Act::Auto(mv) => recorded.auto = Some(mv.to_string()),
            Act::Resigned => recorded.resigned = Some(true),
        }
        recorded
    }
}

/// The SHA-256 of canonical JSON, in hexadecimal.
pub(crate) fn hash_of(value: &Value) -> String {
    hex(&Sha256::digest(canonical(value)))
}

/// Canonical JSON by RFC 8785, for values without fractions.
fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            let fields =
                names.into_iter().map(|name| format!("{}:{}", Value::from(name.as_str()), canonical(&fields[name])));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        simple => simple.to_string(),
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let fits = text.len().is_multiple_of(2) && (2..=2 * Entropy::CLIENT_SEED_MAX).contains(&text.len());
    if !fits || !text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}
