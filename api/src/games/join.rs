//! Joining a game.

use std::sync::Arc;

use domain::Seat;

use super::access::{NO_SUCH_GAME, Relation, relation};
use super::create::{ONLY_BOTS, check_open_games, joined, no_such_seat, sitting_of, start};
use super::play::ATTEMPTS;
use super::rematch::reserved_seat;
use super::retry::{Done, repeated};
use super::seed::check_client_seed;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{
    At, Caller, Change, EntryKind, Game, IdempotencyKey, NewEntry, Occupant, SeatChange, Sitter, Sitting, Status,
    Stored, Tag,
};
use crate::secrets::is_join_code;
use crate::service::Maidan;
use crate::store::StoreError;

/// How a player finds the game.
pub enum JoinGame {
    /// By id: a game that the player may see.
    ById(GameId),
    /// By the join code of a private game.
    ByCode(String),
}

pub async fn join(
    maidan: &Maidan,
    caller: &Caller,
    how: JoinGame,
    seat: Option<i32>,
    client_seed: Option<String>,
    key: Option<String>,
) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let player = caller.player()?;
    let client_seed = client_seed.map(check_client_seed).transpose()?;
    let sitter = Sitter { client_seed, ..Sitter::of(player.id, player.is_bot) };
    let request = format!("joinGame {} {seat:?} {:?}", how.name(), sitter.client_seed);
    let key = key.map(|key| IdempotencyKey::new(&key, &request)).transpose()?;
    for _ in 0..ATTEMPTS {
        let game = find(maidan, caller, &how).await?;
        if let Some(done) = repeated(maidan, caller, game.id, key.as_ref()).await? {
            return Ok(done);
        }
        if let Ok(Relation::Seated(own)) = relation(maidan, caller, &game) {
            // A retry: the caller already sits here.
            return match seat {
                Some(other) if other != i32::from(own.number()) => {
                    Err(Error::Conflict(format!("You already sit at this table, in seat {own}.")))
                }
                _ if sitter.client_seed.is_some() && game.sitter(own) != Some(&sitter) => {
                    Err(Error::Conflict("You already sit at this table. Use addClientSeed to change your seed.".into()))
                }
                _ => Table::load(maidan, caller, game).await.map(Done::before),
            };
        }
        let now = At::now();
        let seat = match game.rematch_of {
            Some(before) => reserved_seat(maidan, before, player.id, seat).await?,
            None => seat,
        };
        let occupant = Occupant::Player(sitter.clone());
        let (mut change, sitting) = sit_down(maidan, game, seat, occupant, now).await?;
        change.entries[0].key = key.clone();
        check_open_games(maidan, player.id).await?;
        match maidan.commits.change(change, sitting.clone()).await {
            Ok(Stored::Yes) => return Table::seen_by(maidan, caller, sitting).map(Done::now),
            // Decided again, on the newer version.
            Ok(Stored::Overtaken) | Err(StoreError::Taken(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Unavailable)
}

impl JoinGame {
    fn name(&self) -> &'static str {
        match self {
            JoinGame::ById(_) => "by id",
            JoinGame::ByCode(_) => "by code",
        }
    }
}

async fn find(maidan: &Maidan, caller: &Caller, how: &JoinGame) -> Result<Game> {
    match how {
        JoinGame::ById(id) => {
            let game = maidan.store.game(*id).await?.ok_or(NO_SUCH_GAME)?;
            relation(maidan, caller, &game)?;
            Ok(game)
        }
        JoinGame::ByCode(code) => {
            maidan.rates.check_shut_out(caller)?;
            let code = code.trim().to_uppercase();
            // A malformed code is not sent to the database: Postgres rejects some strings.
            let found = if is_join_code(&code) { maidan.store.game_by_code(&code).await? } else { None };
            let found = found.filter(|game| caller.app_id() == Some(game.app));
            if found.is_none() {
                maidan.rates.charge_wrong_code(caller)?;
            }
            found.ok_or(Error::NotFound("No game has this join code."))
        }
    }
}

/// The change by which a player or a bot takes a seat, and the game after it. Taking the last seat starts the game.
pub(super) async fn sit_down(
    maidan: &Maidan,
    mut game: Game,
    seat: Option<i32>,
    occupant: Occupant,
    now: At,
) -> Result<(Change, Sitting)> {
    let (from, now) = (game.head(), now.max(game.changed_at));
    if game.status != Status::Open || game.expires_at.is_some_and(|expiry| expiry < now) {
        return Err(Error::Conflict("The game is no longer open for players.".into()));
    }
    let seat = match seat {
        None => {
            game.seating.iter().find(|(_, occupant)| occupant.is_none()).map(|(seat, _)| seat).ok_or(Error::Internal)?
        }
        Some(number) => {
            let seat = Seat::numbered(number.into()).filter(|seat| seat.number() < game.seats());
            let seat = seat.ok_or_else(|| no_such_seat(game.seats(), number))?;
            if game.occupant(seat).is_some() {
                return Err(Error::Conflict(format!("Seat {seat} is taken.")));
            }
            seat
        }
    };
    let seating = match &occupant {
        Occupant::Player(Sitter { player, .. }) => SeatChange::Taken { seat, player: *player },
        Occupant::Bot { .. } => SeatChange::TakenByBot,
    };
    let joined = joined(seat, &occupant, None);
    game.seating[seat] = Some(occupant);
    game.bot_seats = game.bots().seats;
    if game.players().next().is_none() && game.is_full() {
        return Err(ONLY_BOTS);
    }
    game.version = game.version.plus(1);
    (game.tag, game.changed_at) = (Tag::fresh(), now);
    let mut entries = vec![joined];
    let mut started = None;
    if game.is_full() {
        started = Some(start(maidan, &mut game, now).await?);
        entries.push(NewEntry::about(EntryKind::Started, None, None));
    }
    let game = Arc::new(game);
    let change = Change { game: Arc::clone(&game), from, outcome: None, seating, entries, key: None, at: now };
    Ok((change, sitting_of(game, started)))
}
