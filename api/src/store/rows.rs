//! Rows, and their conversion to and from the model.

use std::time::Duration;

use domain::bot::Level;
use domain::{Bot, BySeat, Kind, Seat, Seats, Seed};
use serde_json::value::RawValue;
use sqlx::types::Json;
use uuid::Uuid;

use super::checksum;
use super::columns::row;
use super::error::{Result, StoreError};
use crate::ids::{AppId, AppKeyId, GameId, PlayerId, TokenId};
use crate::model::{
    ActiveToken, App, AppKey, At, BotSettings, Creation, Entry, EntryKind, Game, HeadToHead, Metadata, Occupant,
    Origin, PlayedEntry, Player, Status, Tag, Tally, Ticket, Version, Visibility,
};

/// The columns of a [`GameRow`], for a query from `games g`. The databases differ in how they cast text to bytes.
macro_rules! game_columns {
    ($bytes_of_state:literal) => {
        concat!(
            "g.id, g.app_id, g.kind, g.rules_version, g.options, g.visibility, g.status, g.version, g.tag, g.ply, g.seed, \
             g.join_code, g.opener_id, g.seating, g.to_act, g.decisions, g.origin, g.created_at, g.changed_at, g.expires_at, \
             g.started_at, g.ended_at, g.rematch_of, g.stand_in, g.bot_pause_ms, g.bot_seats, coalesce(g.position, ",
            $bytes_of_state,
            ") AS position"
        )
    };
}
pub(super) use game_columns;

row! {
    pub struct GameRow {
        pub id: GameId,
        app_id: AppId,
        kind: String,
        rules_version: i32,
        options: Json<Box<RawValue>>,
        visibility: Visibility,
        status: Status,
        version: Version,
        tag: Tag,
        ply: i32,
        seed: Vec<u8>,
        join_code: Option<String>,
        opener_id: Option<PlayerId>,
        seating: Json<Vec<Option<Occupant>>>,
        stand_in: Option<i16>,
        bot_pause_ms: i32,
        bot_seats: i16,
        position: Option<Vec<u8>>,
        to_act: i16,
        decisions: Json<Vec<Option<Version>>>,
        origin: Option<Json<Origin>>,
        created_at: At,
        changed_at: Option<At>,
        expires_at: Option<At>,
        started_at: Option<At>,
        ended_at: Option<At>,
        rematch_of: Option<GameId>,
    }
}

impl TryFrom<GameRow> for Game {
    type Error = StoreError;

    fn try_from(row: GameRow) -> Result<Game> {
        let seed: [u8; 32] = row.seed.try_into().map_err(|_| StoreError::Unreadable("a seed"))?;
        Ok(Game {
            id: row.id,
            app: row.app_id,
            kind: kind(&row.kind)?,
            rules_version: count(row.rules_version, "a rules version")?,
            options: row.options.0.into(),
            visibility: row.visibility,
            status: row.status,
            version: row.version,
            tag: row.tag,
            ply: count(row.ply, "a ply")?,
            seed: Seed::new(seed),
            join_code: row.join_code,
            opener: row.opener_id,
            seating: by_seat(row.seating.0)?,
            bots: BotSettings {
                stand_in: row.stand_in.map(level).transpose()?,
                pause: Duration::from_millis(count(row.bot_pause_ms, "a pause")?.into()),
            },
            bot_seats: seats(row.bot_seats),
            position: row.position.map(|bytes| checksum::open(row.id, row.version, bytes)),
            to_act: seats(row.to_act),
            decisions: by_seat(row.decisions.0)?,
            origin: row.origin.map(|origin| origin.0),
            rematch_of: row.rematch_of,
            created_at: row.created_at,
            changed_at: row.changed_at.unwrap_or(row.created_at),
            expires_at: row.expires_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
        })
    }
}

/// The columns of an [`EntryRow`].
pub const ENTRY: &str = "version, tag, what, seat, player_id, ply, notation, bot_level, bot_version, is_auto, is_secret, events, key_hash, at";

row! {
    pub struct EntryRow {
        version: Version,
        tag: Tag,
        what: EntryKind,
        seat: Option<i16>,
        player_id: Option<PlayerId>,
        ply: i32,
        notation: Option<String>,
        bot_level: Option<i16>,
        bot_version: Option<i16>,
        is_auto: bool,
        is_secret: bool,
        events: Json<Box<RawValue>>,
        key_hash: Option<Vec<u8>>,
        at: At,
    }
}

impl EntryRow {
    /// Decodes the entry; events depend on the kind of the game.
    pub fn read(self, kind: Kind) -> Result<Entry> {
        let events = kind.load_events(self.events.get()).map_err(|_| StoreError::Unreadable("events"))?;
        Ok(Entry {
            version: self.version,
            tag: self.tag,
            kind: self.what,
            seat: self.seat.map(seat).transpose()?,
            player: self.player_id,
            ply: count(self.ply, "a ply")?,
            notation: self.notation,
            bot: bot(self.bot_level, self.bot_version)?,
            is_auto: self.is_auto,
            is_secret: self.is_secret,
            events: events.into(),
            key_hash: self.key_hash,
            at: self.at,
        })
    }
}

row! {
    pub struct PlayedEntryRow {
        version: Version,
        what: EntryKind,
        seat: i16,
        notation: Option<String>,
        bot_level: Option<i16>,
        bot_version: Option<i16>,
        is_auto: bool,
        at: At,
    }
}

impl TryFrom<PlayedEntryRow> for PlayedEntry {
    type Error = StoreError;

    fn try_from(row: PlayedEntryRow) -> Result<PlayedEntry> {
        let PlayedEntryRow { version, what, seat: number, notation, bot_level, bot_version, is_auto, at } = row;
        let bot = bot(bot_level, bot_version)?;
        Ok(PlayedEntry { version, kind: what, seat: seat(number)?, notation, bot, is_auto, at })
    }
}

row! {
    pub struct AppRow {
        id: AppId,
        name: String,
        created_at: At,
        revoked_at: Option<At>,
    }
}

impl From<AppRow> for App {
    fn from(AppRow { id, name, created_at, revoked_at }: AppRow) -> App {
        App { id, name, created_at, revoked_at }
    }
}

row! {
    pub struct AppKeyRow {
        id: AppKeyId,
        app_id: AppId,
        name: String,
        created_at: At,
        revoked_at: Option<At>,
    }
}

impl From<AppKeyRow> for AppKey {
    fn from(AppKeyRow { id, app_id, name, created_at, revoked_at }: AppKeyRow) -> AppKey {
        AppKey { id, app_id, name, created_at, revoked_at }
    }
}

row! {
    pub struct MetadataRow {
        game_id: GameId,
        external_id: Option<String>,
        metadata: Option<String>,
        revision: i32,
    }
}

impl MetadataRow {
    pub fn read(self) -> (GameId, Metadata) {
        let MetadataRow { game_id, external_id, metadata, revision } = self;
        (game_id, Metadata { external_id, json: metadata, revision })
    }
}

/// The columns of a [`PlayerRow`], for a query from `players p`.
pub const PLAYER: &str = "p.id, p.app_id, p.external_id, p.name, p.is_bot, p.created_at, p.deleted_at";

row! {
    #[derive(Clone)]
    pub struct PlayerRow {
        id: PlayerId,
        app_id: AppId,
        external_id: Option<String>,
        name: String,
        is_bot: bool,
        created_at: At,
        deleted_at: Option<At>,
    }
}

impl From<PlayerRow> for Player {
    fn from(row: PlayerRow) -> Player {
        let PlayerRow { id, app_id, external_id, name, is_bot, created_at, deleted_at } = row;
        Player { id, app_id, external_id, name, is_bot, created_at, deleted_at }
    }
}

row! {
    pub struct TokenRow {
        id: TokenId,
        created_at: At,
        expires_at: Option<At>,
        is_current: bool,
    }
}

impl From<TokenRow> for ActiveToken {
    fn from(TokenRow { id, created_at, expires_at, is_current }: TokenRow) -> ActiveToken {
        ActiveToken { id, created_at, expires_at, is_current }
    }
}

row! {
    pub struct CreationRow {
        hash: Vec<u8>,
        object_id: Option<Uuid>,
        created_at: At,
    }
}

impl From<CreationRow> for Creation {
    fn from(CreationRow { hash, object_id, created_at }: CreationRow) -> Creation {
        Creation { hash, object: object_id, at: created_at }
    }
}

row! {
    pub struct TicketRow {
        hash: Vec<u8>,
        token_hash: Vec<u8>,
        is_app: bool,
        act_as: Option<PlayerId>,
        expires_at: At,
        openings: i32,
    }
}

impl From<TicketRow> for Ticket {
    fn from(TicketRow { hash, token_hash, is_app, act_as, expires_at, openings }: TicketRow) -> Ticket {
        Ticket { hash, token_hash, is_app, act_as, expires_at, openings }
    }
}

row! {
    pub struct TallyRow {
        kind: String,
        played: i64,
        won: i64,
        shared: i64,
        drawn: i64,
        lost: i64,
        places: i64,
        current_streak: i64,
        longest_streak: i64,
    }
}

impl TryFrom<TallyRow> for Tally {
    type Error = StoreError;

    fn try_from(row: TallyRow) -> Result<Tally> {
        let TallyRow { kind: name, played, won, shared, drawn, lost, places, current_streak, longest_streak } = row;
        Ok(Tally { kind: kind(&name)?, played, won, shared, drawn, lost, places, current_streak, longest_streak })
    }
}

row! {
    pub struct HeadToHeadRow {
        kind: String,
        played: i64,
        ahead: i64,
        level: i64,
        behind: i64,
    }
}

impl TryFrom<HeadToHeadRow> for HeadToHead {
    type Error = StoreError;

    fn try_from(HeadToHeadRow { kind: name, played, ahead, level, behind }: HeadToHeadRow) -> Result<HeadToHead> {
        Ok(HeadToHead { kind: kind(&name)?, played, ahead, level, behind })
    }
}

/// Converts all rows; fails if one is unreadable.
pub fn all<Row, Model>(rows: Vec<Row>) -> Result<Vec<Model>>
where
    Model: TryFrom<Row>,
    StoreError: From<Model::Error>,
{
    rows.into_iter().map(|row| Model::try_from(row).map_err(StoreError::from)).collect()
}

fn kind(name: &str) -> Result<Kind> {
    name.parse().map_err(|_| StoreError::Unreadable("an unknown kind of game"))
}

fn level(number: i16) -> Result<Level> {
    u32::try_from(number).ok().and_then(Level::new).ok_or(StoreError::Unreadable("the level of a bot"))
}

/// The bot of an entry. A build that has other levels or versions may have written it.
fn bot(level: Option<i16>, version: Option<i16>) -> Result<Option<Bot>> {
    let (Some(level), Some(version)) = (level, version) else { return Ok(None) };
    let number = |number: i16| u32::try_from(number).map_err(|_| StoreError::Unreadable("a bot"));
    Ok(Some(Bot { level: number(level)?, version: number(version)? }))
}

fn seat(number: i16) -> Result<Seat> {
    Seat::numbered(number.into()).ok_or(StoreError::Unreadable("a seat"))
}

fn count(number: i32, what: &'static str) -> Result<u32> {
    u32::try_from(number).map_err(|_| StoreError::Unreadable(what))
}

fn by_seat<T>(values: Vec<T>) -> Result<BySeat<T>> {
    if values.len() > usize::from(Seat::MOST) {
        return Err(StoreError::Unreadable("a list of seats"));
    }
    Ok(values.into())
}

/// A set of seats from a bit mask.
fn seats(bits: i16) -> Seats {
    Seat::all(Seat::MOST).filter(|seat| bits & (1 << seat.number()) != 0).collect()
}

/// A set of seats as a bit mask.
fn bits(seats: Seats) -> i16 {
    seats.iter().map(|seat| 1 << seat.number()).sum()
}

/// The values of columns.
pub trait Columns {
    fn seats_column(&self) -> i16;
    fn to_act_column(&self) -> i16;
    fn stand_in_column(&self) -> Option<i16>;
    fn bot_pause_column(&self) -> i32;
    fn bot_seats_column(&self) -> i16;
    fn rules_version_column(&self) -> i32;
    fn ply_column(&self) -> i32;
    fn position_column(&self) -> Option<Vec<u8>>;
}

impl Columns for Game {
    fn seats_column(&self) -> i16 {
        self.seats().into()
    }

    fn to_act_column(&self) -> i16 {
        bits(self.to_act)
    }

    fn stand_in_column(&self) -> Option<i16> {
        self.bots.stand_in.map(|level| level.number().into())
    }

    fn bot_pause_column(&self) -> i32 {
        i32::try_from(self.bots.pause.as_millis()).unwrap_or(i32::MAX)
    }

    fn bot_seats_column(&self) -> i16 {
        bits(self.bot_seats)
    }

    fn rules_version_column(&self) -> i32 {
        number(self.rules_version)
    }

    fn ply_column(&self) -> i32 {
        number(self.ply)
    }

    fn position_column(&self) -> Option<Vec<u8>> {
        self.position.as_ref().and_then(|position| checksum::seal(self.id, self.version, position))
    }
}

/// A count as a column value. The ply limit keeps it far below the maximum of the column.
pub fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The level or version of a bot as a column value.
pub fn bot_number(number: u32) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

pub fn seat_number(seat: Seat) -> i16 {
    seat.number().into()
}

/// Events as JSON, for the log.
pub fn events_json(events: &[domain::AnyEvent]) -> Result<Json<Box<RawValue>>> {
    if events.is_empty() {
        return Ok(Json(RawValue::from_string("[]".into()).expect("this is JSON")));
    }
    serde_json::value::to_raw_value(events).map(Json).map_err(|_| StoreError::Unreadable("events"))
}
