//! Sitting down at a table.

use std::sync::Arc;

use super::access::{NO_SUCH_GAME, Relation, relation};
use super::commit::commit;
use super::create::{mind_open_games, no_such_seat, start};
use super::play::ATTEMPTS;
use super::rematch::kept_seat;
use super::seed::fitting_seed;
use super::table::{Table, kind_of};
use crate::app::Maidan;
use crate::auth::{self, Caller};
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::store::{At, Change, NewEntry, Seating, Sitter, Status, StoreError, StoredGame, What};

/// How a player comes to a table.
pub enum JoinGame {
    /// A game that the player can see.
    Openly(GameId),
    /// A game whose code the player was given.
    ByCode(String),
}

pub async fn join(
    maidan: &Maidan,
    caller: &Caller,
    how: JoinGame,
    seat: Option<i32>,
    client_seed: Option<String>,
) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    let player = caller.player()?;
    let sitter = Sitter { player: player.id, client_seed: client_seed.map(fitting_seed).transpose()? };
    for _ in 0..ATTEMPTS {
        let stored = find(maidan, caller, &how).await?;
        if let Ok(Relation::Seated(own)) = relation(maidan, caller, &stored) {
            // A retry finds its seat taken by itself.
            return match seat {
                Some(other) if other != i32::from(own.number()) => {
                    Err(Error::Conflict(format!("You sit at this table already, in seat {own}.")))
                }
                _ if sitter.client_seed.is_some() && stored.sitter(own) != Some(&sitter) => {
                    Err(Error::Conflict("You sit at this table already; addClientSeed changes your seed.".into()))
                }
                _ => Table::of(maidan, stored, Relation::Seated(own)).await,
            };
        }
        let now = At::now();
        let seat = match stored.rematch_of {
            Some(before) => kept_seat(maidan, before, player.id, seat).await?,
            None => seat,
        };
        let change = sit_down(maidan, stored, seat, sitter.clone(), now).await?;
        mind_open_games(maidan, player.id).await?;
        match commit(maidan, change).await {
            Ok(Some(game)) => return Table::seen_by(maidan, caller, game).await,
            Ok(None) | Err(StoreError::Taken(_)) => continue,
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Unavailable)
}

async fn find(maidan: &Maidan, caller: &Caller, how: &JoinGame) -> Result<StoredGame> {
    match how {
        JoinGame::Openly(id) => {
            let stored = maidan.store.game(*id).await?.ok_or(NO_SUCH_GAME)?;
            relation(maidan, caller, &stored)?;
            Ok(stored)
        }
        JoinGame::ByCode(code) => {
            maidan.buckets.mind_shut_out(caller)?;
            let code = code.trim().to_uppercase();
            // What cannot be a code is not looked for: there are texts that Postgres does not take.
            let found = if auth::is_join_code(&code) { maidan.store.game_by_code(&code).await? } else { None };
            let found = found.filter(|stored| caller.app_id() == Some(stored.app_id));
            if found.is_none() {
                maidan.buckets.charge_wrong_code(caller)?;
            }
            found.ok_or(Error::NotFound("No game has this code."))
        }
    }
}

/// The change by which a player takes a seat; the last seat taken starts the game.
pub(super) async fn sit_down(
    maidan: &Maidan,
    stored: StoredGame,
    seat: Option<i32>,
    sitter: Sitter,
    now: At,
) -> Result<Change> {
    let from_version = stored.version;
    if stored.status != Status::Open || stored.expires_at.is_some_and(|expiry| expiry < now) {
        return Err(Error::Conflict("This game takes no more players.".into()));
    }
    let seat = match seat {
        None => stored.seating.iter().position(Option::is_none).ok_or(Error::Internal)?,
        Some(seat) => {
            match usize::try_from(seat).ok().and_then(|index| stored.seating.get(index).map(|s| (index, s))) {
                None => return Err(no_such_seat(stored.seats as u8, seat)),
                Some((_, Some(_))) => return Err(Error::Conflict(format!("Seat {seat} is taken."))),
                Some((index, None)) => index,
            }
        }
    };
    let mut game = stored;
    let player = sitter.player;
    game.seating[seat] = Some(sitter);
    game.version += 1;
    let mut entries = vec![NewEntry::about(What::Joined, Some(seat as i16), Some(player))];
    if game.seating.iter().all(Option::is_some) {
        let kind = kind_of(&game)?;
        start(maidan, &mut game, kind, now).await?;
        entries.push(NewEntry::about(What::Started, None, None));
    }
    let seating = Seating::Taken { seat: seat as i16, player };
    Ok(Change { game: Arc::new(game), from_version, outcome: None, seating, entries, at: now })
}
