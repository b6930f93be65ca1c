//! Looking at a game: the table, what may be done at it, and why not.

use domain::{Continuations, Kind, Listed, Refusal};

use super::play::Choice;
use super::players::players;
use super::table::Table;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::store::{Player, Status};

/// The most tokens of a move that are looked at.
const MOST_TOKENS: usize = 200;

/// Every kind that can be played here.
pub fn kinds(maidan: &Maidan, caller: &Caller) -> Result<&'static [Kind]> {
    maidan.buckets.charge(caller, Cost::Request)?;
    Ok(Kind::ALL)
}

pub async fn game(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.buckets.charge(caller, Cost::Request)?;
    Table::find(maidan, caller, id).await
}

/// What somebody saw of a running game: while its version stands and its players are called as before, whatever was
/// told of it is still true.
#[derive(Clone)]
pub struct Glimpse {
    game: GameId,
    version: i32,
    players: Vec<Player>,
}

impl Glimpse {
    /// `None` of a game that is over: it may get a rematch, which changes no version.
    pub fn of(table: &Table, players: &[Player]) -> Option<Glimpse> {
        let is_on = matches!(table.stored.status, Status::Open | Status::Running);
        is_on.then(|| Glimpse { game: table.stored.id, version: table.stored.version, players: players.to_vec() })
    }
}

/// Whether what the caller saw still stands. If so, this was a look at the game, and counts as one.
pub async fn still_stands(maidan: &Maidan, caller: &Caller, glimpse: &Glimpse) -> Result<bool> {
    let last_seen = maidan.sittings.get(&glimpse.game).map(|sitting| sitting.stored.version);
    if last_seen != Some(glimpse.version) {
        return Ok(false);
    }
    maidan.buckets.charge(caller, Cost::Request)?;
    if maidan.store.version(glimpse.game).await? != last_seen {
        return Ok(false);
    }
    let players = players(maidan, glimpse.players.iter().map(|player| player.id).collect()).await?;
    metrics::counter!("maidan_looks_total", "found" => "told before").increment(1);
    Ok(players.len() == glimpse.players.len() && players.iter().all(|player| glimpse.players.contains(player)))
}

/// The legal moves of the caller's own seat, and whether these are all.
pub fn legal_moves(maidan: &Maidan, table: &Table, limit: Option<i32>) -> Result<(Vec<Listed>, bool)> {
    let most = usize::from(maidan.limits.max_legal_moves);
    let limit = match limit {
        None => most.min(100),
        Some(limit) => match usize::try_from(limit) {
            Ok(limit) if (1..=most).contains(&limit) => limit,
            _ => return Err(Error::InvalidInput(format!("limit must be 1 to {most}."))),
        },
    };
    Ok(match (table.seat(), table.started()) {
        (Some(seat), Ok(game)) => game.legal_moves(seat, limit),
        _ => (Vec::new(), true),
    })
}

/// Whether a move may be made, and if not, which rule says so.
pub enum Explanation {
    Legal,
    Refused(Refusal),
}

pub fn explain(table: &Table, choice: &Choice) -> Result<Explanation> {
    let seat = table.own_seat()?;
    let mv = choice.read(table)?;
    Ok(match table.started()?.explain(seat, &mv) {
        Ok(()) => Explanation::Legal,
        Err(refusal) => Explanation::Refused(refusal),
    })
}

/// What may follow the tokens that the caller has chosen so far.
pub fn continuations(table: &Table, prefix: &[String]) -> Result<Continuations> {
    let seat = table.own_seat()?;
    let tokens: Vec<&str> = prefix.iter().flat_map(|part| part.split_whitespace()).take(MOST_TOKENS + 1).collect();
    if tokens.len() > MOST_TOKENS {
        return Err(Error::InvalidInput(format!("A move has at most {MOST_TOKENS} tokens.")));
    }
    Ok(table.started()?.continuations(seat, &tokens))
}
