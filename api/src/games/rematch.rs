//! Rematches: the same players, kind and options, everyone one seat further.

use domain::Seat;

use super::access::Relation;
use super::create::{CreateGame, NewSeat, check_open_games, created_before, open};
use super::join::sit_down;
use super::play::ATTEMPTS;
use super::retry::Done;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::limits::Cost;
use crate::model::{At, BotSettings, Caller, Game, Occupant, OwnedKey, Sitter, Status, Stored};
use crate::service::Maidan;
use crate::store::StoreError;

/// Requests a rematch of a finished game. The first request opens it, and further requests join it; a request of the app
/// seats all players. Concurrent requests result in one rematch.
pub async fn rematch(maidan: &Maidan, caller: &Caller, id: GameId, key: Option<String>) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let own = key.as_deref().map(|key| caller.key(key, &rematch_request(id))).transpose()?;
    for _ in 0..ATTEMPTS {
        let before = Table::find(maidan, caller, id).await?;
        if let Some(done) = created_before(maidan, caller, own.as_ref()).await? {
            return Ok(done);
        }
        if before.relation == Relation::Watching {
            return Err(Error::Forbidden("Only players of this game, or their app, may request a rematch."));
        }
        if before.game().status != Status::Over {
            return Err(Error::Conflict("A rematch is possible only after the game is over.".into()));
        }
        if before.game().origin.is_some() {
            return Err(Error::Conflict("A practice game has no rematch. Branch again instead.".into()));
        }
        let next = maidan.store.rematches(&[id]).await?.pop();
        let answer = match next {
            None => open_rematch(maidan, caller, &before, key.clone()).await?,
            Some((_, next)) => join_rematch(maidan, caller, &before, next, own.as_ref()).await?,
        };
        if let Some(done) = answer {
            return Ok(done);
        }
    }
    Err(Error::Unavailable)
}

/// The request that an idempotency key of a rematch is bound to. The same whether it opens or joins the rematch.
pub(super) fn rematch_request(before: GameId) -> String {
    format!("rematch {before}")
}

/// A player's seat in the rematch: one to the right, so that seat 1 becomes seat 0.
fn rematch_seat(before: &Game, player: PlayerId) -> Option<Seat> {
    Some(before.seat_of(player)?.right(before.seats()))
}

/// The seat reserved for a player in the rematch of a game. Refuses players of no seat, and requests for another seat.
pub(super) async fn reserved_seat(
    maidan: &Maidan,
    before: GameId,
    player: PlayerId,
    asked: Option<i32>,
) -> Result<Option<i32>> {
    let before = maidan.store.game(before).await?.ok_or(Error::Internal)?;
    let seat = rematch_seat(&before, player)
        .ok_or(Error::Forbidden("The seats of a rematch are reserved for the players of the previous game."))?;
    match asked {
        Some(other) if other != i32::from(seat.number()) => {
            Err(Error::Conflict(format!("Seat {seat} is reserved for you.")))
        }
        _ => Ok(Some(seat.number().into())),
    }
}

/// Opens the rematch. `None` if a concurrent request opened it first.
async fn open_rematch(maidan: &Maidan, caller: &Caller, before: &Table, key: Option<String>) -> Result<Option<Done>> {
    let game = before.game();
    let people = maidan.store.players(&game.players().collect::<Vec<_>>()).await?;
    if people.iter().any(|player| player.deleted_at.is_some()) {
        return Err(Error::Conflict("A rematch is impossible: one of the players was deleted.".into()));
    }
    let seats = game.seats();
    let new_seat = |seat: Seat| match (before.seat(), game.occupant(seat.left(seats))) {
        (Some(own), _) if own.right(seats) == seat => NewSeat::Me,
        (_, Some(Occupant::Bot { level })) => NewSeat::Bot(*level),
        (None, Some(Occupant::Player(Sitter { player, .. }))) => NewSeat::Player(*player),
        _ => NewSeat::Open,
    };
    let ask = CreateGame {
        options: before.options()?.clone(),
        rules_version: None,
        seats: Some(Seat::all(seats).map(new_seat).collect()),
        visibility: game.visibility,
        bots: BotSettings { stand_in: game.bots.stand_in.or(BotSettings::default().stand_in), ..game.bots },
        key,
        external_id: None,
        metadata: None,
        origin: None,
        rematch_of: Some(game.id),
    };
    match open(maidan, caller, ask).await {
        Err(Error::Conflict(_)) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Seats the caller in an open rematch or, for the app, the next missing player. `None` if the caller must try again.
async fn join_rematch(
    maidan: &Maidan,
    caller: &Caller,
    before: &Table,
    next: GameId,
    key: Option<&OwnedKey>,
) -> Result<Option<Done>> {
    let next = maidan.store.game(next).await?.filter(|next| next.status != Status::Cancelled);
    let Some(next) = next else { return Ok(None) };
    let own = before.seat().and_then(|seat| before.game().sitter(seat)).map(|sitter| sitter.player);
    let is_missing = |player: &PlayerId| next.seat_of(*player).is_none();
    let missing: Vec<PlayerId> =
        before.game().players().filter(|player| own.is_none_or(|own| own == *player)).filter(is_missing).collect();
    let (Some(player), Status::Open) = (missing.first(), next.status) else {
        // Nobody is missing. The key is stored all the same, so that it cannot be used for another request.
        if let Some(key) = key {
            match maidan.store.add_key(key, next.id.0, At::now()).await {
                Err(StoreError::Taken(_)) => return Ok(None),
                stored => stored?,
            }
        }
        return Table::load(maidan, caller, next).await.map(Done::before).map(Some);
    };
    if own.is_some() {
        check_open_games(maidan, *player).await?;
    }
    let seat = rematch_seat(before.game(), *player).map(|seat| seat.number().into());
    let is_bot = before.game().sitters().any(|(_, sitter)| sitter.player == *player && sitter.is_bot);
    let occupant = Occupant::Player(Sitter::of(*player, is_bot));
    let (mut change, sitting) = sit_down(maidan, next, seat, occupant, At::now()).await?;
    let is_last = missing.len() == 1;
    // With an app's key, each missing player is a change of its own. The last one completes the request.
    change.key = key.filter(|_| is_last).cloned();
    match maidan.commits.change(change, sitting.clone()).await {
        Ok(Stored::Yes) if is_last => Table::seen_by(maidan, caller, sitting).map(Done::now).map(Some),
        Ok(_) | Err(StoreError::Taken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
