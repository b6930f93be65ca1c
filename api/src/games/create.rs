//! Opening a game, and starting it when all seats are taken.

use std::sync::Arc;
use std::time::Duration;

use domain::bot::{Level, VERSION};
use domain::{AnyGame, AnyOptions, Bot, BySeat, Kind, Seat, Seats, Seed};
use serde_json::value::{to_raw_value, to_value};
use serde_json::{Map, Value};

use super::history::beginning;
use super::metadata::{of_new_game, taken};
use super::rematch::rematch_request;
use super::retry::Done;
use super::table::Table;
use crate::audit;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{
    At, BotSettings, Caller, EntryKind, Game, NewEntry, NewGame, Occupant, Origin, OwnedKey, Player, Position,
    Principal, Sitter, Sitting, Status, Tag, Version, Visibility,
};
use crate::secrets::{fresh_join_code, random_bytes};
use crate::service::Maidan;
use crate::store::StoreError;

/// A seat of a game that is being opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewSeat {
    /// The caller's own.
    Me,
    /// Taken by a player whom the app seats.
    Player(PlayerId),
    /// A bot's.
    Bot(Level),
    /// Free for anybody to take.
    Open,
}

/// The longest pause before a bot's move.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(10);

pub(super) const ONLY_BOTS: Error = Error::Forbidden("At least one seat must be for a player.");

/// A request to open a game.
pub struct CreateGame {
    /// Missing options get the defaults of the rules version.
    pub options: AnyOptions,
    /// The parent's, for a branch. By default the newest.
    pub rules_version: Option<u32>,
    /// The seats in order. If left out, there are the fewest that the kind has.
    pub seats: Option<Vec<NewSeat>>,
    pub visibility: Visibility,
    pub bots: BotSettings,
    pub key: Option<String>,
    /// For apps: the app's own id of the game.
    pub external_id: Option<String>,
    /// For apps: the app's own JSON about the game.
    pub metadata: Option<Map<String, Value>>,
    /// The position from which a branch begins.
    pub origin: Option<Origin>,
    /// The previous game of a rematch.
    pub rematch_of: Option<GameId>,
}

pub async fn create(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    open(maidan, caller, ask).await
}

pub(super) async fn open(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Done> {
    let kind = ask.options.kind();
    let seats = match &ask.seats {
        Some(seats) => seats.clone(),
        None => default_seats(caller, *kind.seats().start()),
    };
    let count = seat_count(kind, seats.len())?;
    let rules_version = ask.rules_version.unwrap_or(kind.rules_version());
    ask.options.check(rules_version, count).map_err(Error::RefusedOptions)?;
    let options = kind.load_options(rules_version, to_value(&ask.options)?)?;
    let (app, opener) = match &caller.principal {
        Principal::Player(player) => (player.app_id, Some(player.id)),
        Principal::App(app) => (app.id, None),
        Principal::Anonymous => return Err(Error::Unauthenticated("Send a token: Authorization: Bearer mdn_ply_…")),
    };
    let key = ask.key.as_deref().map(|key| caller.key(key, &ask.fingerprint(&seats))).transpose()?;
    if let Some(done) = created_before(maidan, caller, key.as_ref()).await? {
        return Ok(done);
    }
    let seating = seating_of(maidan, caller, &seats, count).await?;
    let metadata = of_new_game(caller, ask.external_id.as_deref(), ask.metadata.as_ref())?;
    if let Some(opener) = opener {
        check_open_games(maidan, opener).await?;
    }
    let bots: Seats = seating.iter().filter_map(|(seat, occupant)| occupant.as_ref()?.bot().map(|_| seat)).collect();
    if !bots.is_empty() {
        check_bots(maidan, caller).await?;
    }

    let now = At::now();
    let mut entries = vec![NewEntry::about(EntryKind::Opened, None, opener)];
    entries.extend(seating.iter().filter_map(|(seat, occupant)| Some(joined(seat, occupant.as_ref()?, opener))));
    let lifetime = Duration::from_secs(u64::from(maidan.limits.open_game_days) * 24 * 60 * 60);
    let mut game = Game {
        id: GameId::fresh(),
        app,
        kind,
        rules_version,
        options: to_raw_value(&options)?.into(),
        visibility: ask.visibility,
        status: Status::Open,
        version: Version::default().plus(entries.len()),
        tag: Tag::fresh(),
        ply: 0,
        seed: Seed::new(random_bytes()),
        // The seats of a rematch are reserved for the players of the previous game: there is no join code.
        join_code: (ask.visibility == Visibility::Private && ask.rematch_of.is_none()).then(fresh_join_code),
        opener,
        decisions: seating.map(|_| None),
        seating,
        bots: ask.bots,
        bot_seats: bots,
        position: None,
        to_act: Seats::NONE,
        origin: ask.origin,
        rematch_of: ask.rematch_of,
        created_at: now,
        changed_at: now,
        expires_at: Some(now.plus(lifetime)),
        started_at: None,
        ended_at: None,
    };
    let mut started = None;
    if game.is_full() {
        started = Some(start(maidan, &mut game, now).await?);
        entries.push(NewEntry::about(EntryKind::Started, None, None));
    }
    let new = NewGame { game: Arc::new(game), key: key.clone(), metadata, entries };
    match maidan.commits.create(new).await {
        Ok(game) => Table::seen_by(maidan, caller, sitting_of(game, started)).map(Done::now),
        Err(error @ StoreError::Taken(_)) => match created_before(maidan, caller, key.as_ref()).await? {
            // A concurrent retry of the same request won.
            Some(done) => Ok(done),
            None if ask.rematch_of.is_some() => Err(Error::Conflict("The game already has a rematch.".into())),
            None => Err(taken(error)),
        },
        Err(error) => Err(error.into()),
    }
}

/// Deals and starts the game. Raises its version by one, for the entry STARTED.
pub async fn start(maidan: &Maidan, game: &mut Game, now: At) -> Result<AnyGame> {
    let position = beginning(&maidan.store, game).await?;
    let version = game.version.plus(1);
    game.version = version;
    game.status = Status::Running;
    game.started_at = Some(now);
    game.position = Some(Position::Saved(position.save().into()));
    game.to_act = position.to_act();
    game.decisions = BySeat::each(game.seats(), |seat| position.to_act().contains(seat).then_some(version));
    Ok(position)
}

/// The sitting of a game, with its position if it has just started.
pub fn sitting_of(game: Arc<Game>, started: Option<AnyGame>) -> Sitting {
    match started {
        Some(position) => Sitting::with_position(game, position),
        None => Sitting::new(game),
    }
}

/// The entry JOINED of a player, or of a bot that a player has seated.
pub(super) fn joined(seat: Seat, occupant: &Occupant, seated_by: Option<PlayerId>) -> NewEntry {
    let bot = occupant.bot().map(|level| Bot { level: level.number().into(), version: VERSION });
    let player = occupant.sitter().map_or(seated_by, |sitter| Some(sitter.player));
    NewEntry { bot, ..NewEntry::about(EntryKind::Joined, Some(seat), player) }
}

/// Limits the games with bots: thinking takes processor time.
pub(super) async fn check_bots(maidan: &Maidan, caller: &Caller) -> Result<()> {
    if maidan.bots.count() >= usize::from(maidan.limits.max_bot_queue) {
        audit::limit_reached("bots", &audit::actor(caller));
        return Err(Error::LimitReached("Too many bots are thinking. Try again in a minute.".into()));
    }
    let Principal::Player(player) = &caller.principal else { return Ok(()) };
    maidan.rates.charge_bots(caller)?;
    let most = maidan.limits.max_bot_games;
    if maidan.store.games_with_bots(player.id).await? >= i64::from(most) {
        audit::limit_reached("bot_games", &player.id.to_string());
        return Err(Error::LimitReached(format!("You already play {most} games with bots; that is the limit.")));
    }
    Ok(())
}

/// Limits the games in which a player sits: those that have not started, and those that run.
pub async fn check_open_games(maidan: &Maidan, player: PlayerId) -> Result<()> {
    let (open, running) = maidan.store.games_on(player).await?;
    let most = maidan.limits.max_open_games;
    if open >= i64::from(most) {
        audit::limit_reached("open_games", &player.to_string());
        return Err(Error::LimitReached(format!(
            "You already sit in {most} games that have not started; that is the limit."
        )));
    }
    let most = maidan.limits.max_running_games;
    if running >= i64::from(most) {
        audit::limit_reached("running_games", &player.to_string());
        return Err(Error::LimitReached(format!("You already play {most} games; that is the limit.")));
    }
    Ok(())
}

/// The game that an earlier request with this key opened or, for a rematch, joined.
pub(super) async fn created_before(maidan: &Maidan, caller: &Caller, key: Option<&OwnedKey>) -> Result<Option<Done>> {
    match maidan.creation(key).await?.and_then(|earlier| earlier.object) {
        None => Ok(None),
        Some(game) => Table::find(maidan, caller, GameId(game)).await.map(Done::before).map(Some),
    }
}

/// The seats of a new game if the request names none: a player takes the first, an app none.
pub fn default_seats(caller: &Caller, count: u8) -> Vec<NewSeat> {
    let mut seats = vec![NewSeat::Open; count.into()];
    if let (Principal::Player(_), Some(first)) = (&caller.principal, seats.first_mut()) {
        *first = NewSeat::Me;
    }
    seats
}

fn seat_count(kind: Kind, asked: usize) -> Result<u8> {
    let range = kind.seats();
    let known = u8::try_from(asked).ok().filter(|count| range.contains(count));
    known.ok_or_else(|| Error::InvalidInput(kind.wrong_seats(asked)))
}

/// The seats that are taken when the game is opened.
async fn seating_of(
    maidan: &Maidan,
    caller: &Caller,
    seats: &[NewSeat],
    count: u8,
) -> Result<BySeat<Option<Occupant>>> {
    if seats.iter().all(|seat| matches!(seat, NewSeat::Bot(_))) {
        return Err(ONLY_BOTS);
    }
    let own = match &caller.principal {
        Principal::Player(player) => {
            if seats.iter().any(|seat| matches!(seat, NewSeat::Player(_))) {
                return Err(Error::Forbidden("Only an app may seat players. Other players join by themselves."));
            }
            if seats.iter().filter(|seat| **seat == NewSeat::Me).count() != 1 {
                return Err(Error::InvalidInput("Take one seat of the list yourself: { me: true }.".into()));
            }
            Some(Sitter::of(player.id, player.is_bot))
        }
        Principal::App(_) if seats.contains(&NewSeat::Me) => {
            return Err(Error::InvalidInput("An app takes no seat itself: seat a player, or leave it open.".into()));
        }
        Principal::App(_) => None,
        Principal::Anonymous => return Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
    };
    let players = seated_players(maidan, caller, seats).await?;
    let occupant = |seat: &NewSeat| match seat {
        NewSeat::Me => own.clone().map(Occupant::Player),
        NewSeat::Player(id) => {
            let is_bot = players.iter().any(|player| player.id == *id && player.is_bot);
            Some(Occupant::Player(Sitter::of(*id, is_bot)))
        }
        NewSeat::Bot(level) => Some(Occupant::Bot { level: *level }),
        NewSeat::Open => None,
    };
    Ok(BySeat::each(count, |seat| seats.get(seat.index()).and_then(occupant)))
}

/// The players whom an app seats. They must be its own, and each must have one seat.
async fn seated_players(maidan: &Maidan, caller: &Caller, seats: &[NewSeat]) -> Result<Vec<Player>> {
    let Principal::App(app) = &caller.principal else { return Ok(Vec::new()) };
    let player = |seat: &NewSeat| if let NewSeat::Player(id) = seat { Some(*id) } else { None };
    let ids: Vec<PlayerId> = seats.iter().filter_map(player).collect();
    let known = maidan.store.players(&ids).await?;
    for (place, id) in ids.iter().enumerate() {
        let is_own = |player: &Player| player.app_id == app.id && player.deleted_at.is_none();
        if !known.iter().any(|player| player.id == *id && is_own(player)) {
            return Err(Error::NotFound("Your app has no such player."));
        }
        if ids[..place].contains(id) {
            return Err(Error::InvalidInput("A player can take only one seat.".into()));
        }
    }
    Ok(known)
}

pub fn no_such_seat(seats: u8, seat: i32) -> Error {
    Error::InvalidInput(format!("seat must be 0 to {}, not {seat}.", seats - 1))
}

impl CreateGame {
    /// Two requests with the same fingerprint are the same request.
    fn fingerprint(&self, seats: &[NewSeat]) -> String {
        // The rules version of a branch follows from its origin.
        let CreateGame {
            options,
            rules_version: _,
            seats: _,
            visibility,
            bots,
            key: _,
            external_id,
            metadata,
            origin,
            rematch_of,
        } = self;
        if let Some(before) = rematch_of {
            return rematch_request(*before);
        }
        let origin = origin.map(|origin| format!(" {origin:?}")).unwrap_or_default();
        // As JSON, which omits unset options: an option that a later build adds must not change the hash of a retry.
        let options_given = serde_json::to_string(options).unwrap_or_default();
        let said = match (external_id, metadata) {
            (None, None) => String::new(),
            said => format!(" {said:?}"),
        };
        // Left out if it is as before there were bots: a retry of such a request must have the same hash.
        let bots = if *bots == BotSettings::default() { String::new() } else { format!(" {bots:?}") };
        format!("createGame {} {options_given} {seats:?} {visibility:?}{bots}{origin}{said}", options.kind())
    }
}
