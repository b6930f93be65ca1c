//! Opening a game, and starting it when all seats are taken.

use std::sync::Arc;
use std::time::Duration;

use domain::{AnyGame, AnyOptions, BySeat, Kind, Seat, Seats, Seed};
use serde_json::value::{to_raw_value, to_value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::history::beginning;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{
    At, Caller, EntryKind, Game, IdempotencyKey, NewEntry, NewGame, Origin, Player, Position, Principal, Sitter,
    Sitting, Status, Version, Visibility,
};
use crate::secrets::{fresh_join_code, random_bytes};
use crate::service::Maidan;
use crate::store::StoreError;

/// A request to open a game.
pub struct CreateGame {
    /// Missing options get the defaults of the rules version.
    pub options: AnyOptions,
    /// The parent's, for a branch. By default the newest.
    pub rules_version: Option<u32>,
    pub seats: Option<i32>,
    pub visibility: Visibility,
    /// The caller's seat; 0 by default.
    pub seat: Option<i32>,
    /// The players that an app seats, in seat order; `None` leaves a seat open.
    pub players: Option<Vec<Option<PlayerId>>>,
    pub key: Option<String>,
    /// The position from which a branch begins.
    pub origin: Option<Origin>,
    /// The previous game of a rematch.
    pub rematch_of: Option<GameId>,
}

pub async fn create(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Table> {
    maidan.rates.charge(caller, Cost::Request)?;
    open(maidan, caller, ask).await
}

pub(super) async fn open(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Table> {
    let kind = ask.options.kind();
    let seats = seats_of(kind, ask.seats)?;
    let rules_version = ask.rules_version.unwrap_or(kind.rules_version());
    let checked = ask.options.check(rules_version, seats);
    checked.map_err(|illegal| Error::InvalidInput(illegal.to_string()))?;
    let options = kind.load_options(rules_version, to_value(&ask.options)?)?;
    let (created_by, app, opener) = match &caller.principal {
        Principal::Player(player) => (player.id.0, player.app_id, Some(player.id)),
        Principal::App(app) => (app.id.0, app.id, None),
        Principal::Anonymous => return Err(Error::Unauthenticated("Send a token: Authorization: Bearer mdn_ply_…")),
    };
    let key = ask.key.as_deref().map(|key| idempotency_key(key, &ask.fingerprint(seats))).transpose()?;
    if let Some(table) = created_before(maidan, caller, created_by, key.as_ref()).await? {
        return Ok(table);
    }
    let seating = seating_of(maidan, caller, &ask, seats).await?;
    if let Some(opener) = opener {
        check_open_games(maidan, opener).await?;
    }

    let now = At::now();
    let mut entries = vec![NewEntry::about(EntryKind::Opened, None, opener)];
    for (seat, sitter) in seating.iter() {
        if let Some(sitter) = sitter {
            entries.push(NewEntry::about(EntryKind::Joined, Some(seat), Some(sitter.player)));
        }
    }
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
        ply: 0,
        seed: Seed::new(random_bytes()),
        // The seats of a rematch are reserved for the players of the previous game: there is no join code.
        join_code: (ask.visibility == Visibility::Private && ask.rematch_of.is_none()).then(fresh_join_code),
        opener,
        decisions: seating.map(|_| None),
        seating,
        position: None,
        to_act: Seats::NONE,
        origin: ask.origin,
        rematch_of: ask.rematch_of,
        created_at: now,
        expires_at: Some(now.plus(lifetime)),
        started_at: None,
        ended_at: None,
    };
    let mut started = None;
    if game.is_full() {
        started = Some(start(maidan, &mut game, now).await?);
        entries.push(NewEntry::about(EntryKind::Started, None, None));
    }
    match maidan.commits.create(NewGame { game: Arc::new(game), key: key.clone(), entries }).await {
        Ok(game) => Table::seen_by(maidan, caller, sitting_of(game, started)),
        // A concurrent retry of the same request won.
        Err(StoreError::Taken(_)) if key.is_some() => {
            created_before(maidan, caller, created_by, key.as_ref()).await?.ok_or(Error::Internal)
        }
        Err(StoreError::Taken(_)) if ask.rematch_of.is_some() => {
            Err(Error::Conflict("The game already has a rematch.".into()))
        }
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

/// A client's idempotency key with the hash of its request.
pub fn idempotency_key(key: &str, asked: &str) -> Result<IdempotencyKey> {
    let fits = (1..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if !fits {
        return Err(Error::InvalidInput("An idempotency key must have 1 to 64 visible ASCII characters.".into()));
    }
    Ok(IdempotencyKey { key: key.into(), hash: Sha256::digest(asked.as_bytes()).to_vec() })
}

pub fn key_reused() -> Error {
    Error::Conflict("This idempotency key was used for another request.".into())
}

/// Limits the games not yet started in which a player sits.
pub async fn check_open_games(maidan: &Maidan, player: PlayerId) -> Result<()> {
    let most = maidan.limits.max_open_games;
    if maidan.store.open_games(player).await? >= i64::from(most) {
        return Err(Error::LimitReached(format!(
            "You already sit in {most} games that have not started; that is the limit."
        )));
    }
    Ok(())
}

async fn created_before(
    maidan: &Maidan,
    caller: &Caller,
    created_by: Uuid,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Table>> {
    let Some(key) = key else { return Ok(None) };
    match maidan.store.game_by_key(created_by, &key.key).await? {
        None => Ok(None),
        Some((_, hash)) if hash != key.hash => Err(key_reused()),
        Some((game, _)) => Table::load(maidan, caller, game).await.map(Some),
    }
}

fn seats_of(kind: Kind, asked: Option<i32>) -> Result<u8> {
    let range = kind.seats();
    let seats = asked.unwrap_or(i32::from(*range.start()));
    let known = u8::try_from(seats).ok().filter(|seats| range.contains(seats));
    known.ok_or_else(|| Error::InvalidInput(kind.wrong_seats(seats)))
}

/// The seats that are taken when the game is opened.
async fn seating_of(maidan: &Maidan, caller: &Caller, ask: &CreateGame, seats: u8) -> Result<BySeat<Option<Sitter>>> {
    let mut seating = BySeat::each(seats, |_| None);
    match (&caller.principal, &ask.players) {
        (Principal::Player(player), None) => {
            let seat = ask.seat.unwrap_or(0);
            let own = Seat::numbered(seat.into()).filter(|own| own.number() < seats);
            seating[own.ok_or_else(|| no_such_seat(seats, seat))?] = Some(Sitter::of(player.id));
        }
        (Principal::Player(_), Some(_)) => {
            return Err(Error::Forbidden("Only an app may seat players. Other players join by themselves."));
        }
        (Principal::App(_), None) => {}
        (Principal::App(app), Some(players)) => {
            if players.len() > usize::from(seats) {
                return Err(Error::InvalidInput(format!("players lists {} players for {seats} seats.", players.len())));
            }
            let ids: Vec<PlayerId> = players.iter().flatten().copied().collect();
            let known = maidan.store.players(&ids).await?;
            for (place, (seat, id)) in Seat::all(seats).zip(players).enumerate() {
                let Some(id) = *id else { continue };
                let is_own = |player: &Player| player.app_id == app.id && player.deleted_at.is_none();
                if !known.iter().any(|player| player.id == id && is_own(player)) {
                    return Err(Error::NotFound("Your app has no such player."));
                }
                if players[..place].contains(&Some(id)) {
                    return Err(Error::InvalidInput("A player can take only one seat.".into()));
                }
                seating[seat] = Some(Sitter::of(id));
            }
        }
        (Principal::Anonymous, _) => return Err(Error::Unauthenticated("Send a token: Authorization: Bearer …")),
    }
    Ok(seating)
}

pub fn no_such_seat(seats: u8, seat: i32) -> Error {
    Error::InvalidInput(format!("seat must be 0 to {}, not {seat}.", seats - 1))
}

impl CreateGame {
    /// Two requests with the same fingerprint are the same request.
    fn fingerprint(&self, seats: u8) -> String {
        // The rules version of a branch follows from its origin.
        let CreateGame {
            options,
            rules_version: _,
            seats: _,
            visibility,
            seat,
            players,
            key: _,
            origin,
            rematch_of: _,
        } = self;
        let origin = origin.map(|origin| format!(" {origin:?}")).unwrap_or_default();
        // As JSON, which omits unset options: an option that a later build adds must not change the hash of a retry.
        let options_given = serde_json::to_string(options).unwrap_or_default();
        format!("{} {options_given} {seats} {visibility:?} {seat:?} {players:?}{origin}", options.kind())
    }
}
