//! Opening a table, and starting the game when it is full.

use domain::{AnyOptions, Kind, Seat};
use serde_json::to_value;
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use std::time::Duration;

use super::commit::commit_new;
use super::history::beginning;
use super::table::{Table, seat_bits};
use crate::app::Maidan;
use crate::auth::{self, Caller, Principal};
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::store::{
    At, IdempotencyKey, NewEntry, NewGame, Origin, Player, Sitter, Status, StoreError, StoredGame, Visibility, What,
};

/// What somebody asks for who opens a game.
pub struct CreateGame {
    pub options: AnyOptions,
    pub seats: Option<i32>,
    pub visibility: Visibility,
    /// Where the opener sits down; seat 0 if it does not say.
    pub seat: Option<i32>,
    /// Whom an app seats, in seat order; `None` leaves a seat open.
    pub players: Option<Vec<Option<PlayerId>>>,
    pub key: Option<String>,
    /// For a branch: the position from which it goes on.
    pub origin: Option<Origin>,
    /// The game that the same people played before.
    pub rematch_of: Option<GameId>,
}

pub async fn create(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    open(maidan, caller, ask).await
}

pub(super) async fn open(maidan: &Maidan, caller: &Caller, ask: CreateGame) -> Result<Table> {
    let kind = ask.options.kind();
    let seats = seats_of(kind, ask.seats)?;
    ask.options.check(seats).map_err(|illegal| Error::InvalidInput(illegal.to_string()))?;
    let (created_by, app_id, opener) = match &caller.principal {
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
        mind_open_games(maidan, opener).await?;
    }

    let now = At::now();
    let mut entries = vec![NewEntry::about(What::Opened, None, opener)];
    for (seat, sitter) in seating.iter().enumerate() {
        if let Some(sitter) = sitter {
            entries.push(NewEntry::about(What::Joined, Some(seat as i16), Some(sitter.player)));
        }
    }
    let mut game = StoredGame {
        id: GameId::fresh(),
        app_id,
        kind: kind.name().into(),
        rules_version: kind.rules_version() as i32,
        options: Json(to_value(&ask.options)?),
        seats: seats.into(),
        visibility: ask.visibility,
        status: Status::Open,
        version: entries.len() as i32,
        ply: 0,
        seed: auth::random_bytes::<32>().to_vec(),
        // The seats of a rematch are kept for those who sat there before: nobody comes in by a code.
        join_code: (ask.visibility == Visibility::Private && ask.rematch_of.is_none()).then(auth::fresh_join_code),
        created_by,
        opener_id: opener,
        seating: Json(seating),
        position: None,
        to_act: 0,
        decisions: Json(vec![None; seats.into()]),
        origin: ask.origin.map(Json),
        created_at: now,
        expires_at: Some(now.plus(Duration::from_secs(u64::from(maidan.limits.open_game_days) * 24 * 60 * 60))),
        started_at: None,
        ended_at: None,
        rematch_of: ask.rematch_of,
    };
    if game.seating.iter().all(Option::is_some) {
        start(maidan, &mut game, kind, now).await?;
        entries.push(NewEntry::about(What::Started, None, None));
    }
    let new = NewGame { game, key: key.clone(), entries };
    match commit_new(maidan, &new).await {
        Ok(()) => Table::seen_by(maidan, caller, new.game).await,
        // The same request was faster by another way.
        Err(StoreError::Taken(_)) if key.is_some() => {
            created_before(maidan, caller, created_by, key.as_ref()).await?.ok_or(Error::Internal)
        }
        Err(StoreError::Taken(_)) if ask.rematch_of.is_some() => {
            Err(Error::Conflict("There is a rematch already.".into()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Deals, and makes the stored game a running one; its version counts the entry that says so.
pub async fn start(maidan: &Maidan, game: &mut StoredGame, kind: Kind, now: At) -> Result<()> {
    let started = beginning(&*maidan.store, game, kind).await?;
    let seats = game.seats as u8;
    game.version += 1;
    game.status = Status::Running;
    game.started_at = Some(now);
    game.position = Some(started.save());
    game.to_act = seat_bits(&started);
    let version = game.version;
    game.decisions = Json(Seat::all(seats).map(|seat| started.to_act().contains(seat).then_some(version)).collect());
    Ok(())
}

/// Checks a client's key and binds it to what the request asks for.
pub fn idempotency_key(key: &str, asked: &str) -> Result<IdempotencyKey> {
    let fits = (1..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if !fits {
        return Err(Error::InvalidInput("An idempotency key has 1 to 64 visible ASCII characters.".into()));
    }
    Ok(IdempotencyKey { key: key.into(), hash: Sha256::digest(asked.as_bytes()).to_vec() })
}

pub fn key_was_used_otherwise() -> Error {
    Error::Conflict("This idempotency key was used for another request.".into())
}

/// A player may not hold too many tables open.
pub async fn mind_open_games(maidan: &Maidan, player: PlayerId) -> Result<()> {
    let most = maidan.limits.max_open_games;
    if maidan.store.open_games(player).await? >= i64::from(most) {
        return Err(Error::LimitReached(format!("You sit at {most} tables that have not started; that is the limit.")));
    }
    Ok(())
}

async fn created_before(
    maidan: &Maidan,
    caller: &Caller,
    created_by: uuid::Uuid,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Table>> {
    let Some(key) = key else { return Ok(None) };
    match maidan.store.game_by_key(created_by, &key.key).await? {
        None => Ok(None),
        Some((_, hash)) if hash != key.hash => Err(key_was_used_otherwise()),
        Some((stored, _)) => Table::seen_by(maidan, caller, stored).await.map(Some),
    }
}

fn seats_of(kind: Kind, asked: Option<i32>) -> Result<u8> {
    let range = kind.seats();
    let seats = asked.unwrap_or(i32::from(*range.start()));
    u8::try_from(seats).ok().filter(|seats| range.contains(seats)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        Error::InvalidInput(format!("{kind} has {least} to {most} seats, not {seats}."))
    })
}

/// Who sits where from the start.
async fn seating_of(maidan: &Maidan, caller: &Caller, ask: &CreateGame, seats: u8) -> Result<Vec<Option<Sitter>>> {
    let mut seating = vec![None; seats.into()];
    match (&caller.principal, &ask.players) {
        (Principal::Player(player), None) => {
            let seat = ask.seat.unwrap_or(0);
            let place = usize::try_from(seat).ok().and_then(|seat| seating.get_mut(seat));
            *place.ok_or_else(|| no_such_seat(seats, seat))? = Some(Sitter::of(player.id));
        }
        (Principal::Player(_), Some(_)) => {
            return Err(Error::Forbidden("Only an app may seat players; others join by themselves."));
        }
        (Principal::App(_), None) => {}
        (Principal::App(app), Some(players)) => {
            if players.len() > usize::from(seats) {
                return Err(Error::InvalidInput(format!("There are {} players for {seats} seats.", players.len())));
            }
            let ids: Vec<PlayerId> = players.iter().flatten().copied().collect();
            let known = maidan.store.players(&ids).await?;
            for (seat, id) in players.iter().enumerate() {
                let Some(id) = *id else { continue };
                let is_own = |player: &Player| player.app_id == app.id && player.deleted_at.is_none();
                if !known.iter().any(|player| player.id == id && is_own(player)) {
                    return Err(Error::NotFound("Your app has no such player."));
                }
                if players[..seat].contains(&Some(id)) {
                    return Err(Error::InvalidInput("One player has one seat.".into()));
                }
                seating[seat] = Some(Sitter::of(id));
            }
        }
        (Principal::Anonymous, _) => return Err(Error::Unauthenticated("Send a token.")),
    }
    Ok(seating)
}

pub fn no_such_seat(seats: u8, seat: i32) -> Error {
    Error::InvalidInput(format!("The seats are 0 to {}; there is no seat {seat}.", seats - 1))
}

impl CreateGame {
    /// What makes two requests the same.
    fn fingerprint(&self, seats: u8) -> String {
        let CreateGame { options, seats: _, visibility, seat, players, key: _, origin, rematch_of: _ } = self;
        let origin = origin.map(|origin| format!(" {origin:?}")).unwrap_or_default();
        format!("{} {options:?} {seats} {visibility:?} {seat:?} {players:?}{origin}", options.kind())
    }
}
