//! Looking at a game: the table, the legal moves, and explanations of refusals.

use domain::{AnyOptions, Component, Continuation, Kind, Listed, Refusal};

use super::play::Choice;
use super::table::{Table, check_rules};
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::Caller;
use crate::service::Maidan;

/// The most tokens of a move.
const MOST_TOKENS: usize = 200;

/// All kinds that this server has.
pub fn kinds(maidan: &Maidan, caller: &Caller) -> Result<&'static [Kind]> {
    maidan.rates.charge(caller, Cost::Request)?;
    Ok(Kind::ALL)
}

pub async fn game(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
    maidan.rates.charge(caller, Cost::Request)?;
    Table::find(maidan, caller, id).await
}

/// The legal moves of the caller's seat, and whether the list is complete.
pub fn legal_moves(maidan: &Maidan, table: &Table, limit: Option<i32>) -> Result<(Vec<Listed>, bool)> {
    let limit = check_limit(maidan, limit)?;
    Ok(match (table.seat(), table.started()) {
        (Some(seat), Ok(position)) => position.legal_moves(seat, limit),
        _ => (Vec::new(), true),
    })
}

/// Checks the most legal moves that a caller asks for; 100 by default.
pub fn check_limit(maidan: &Maidan, limit: Option<i32>) -> Result<usize> {
    let most = usize::from(maidan.limits.max_legal_moves);
    match limit.map(usize::try_from) {
        None => Ok(most.min(100)),
        Some(Ok(limit)) if (1..=most).contains(&limit) => Ok(limit),
        _ => Err(Error::InvalidInput(format!("limit must be 1 to {most}."))),
    }
}

/// Whether a move is legal and, if not, which rule forbids it.
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

/// The tokens that may follow a prefix of a move.
pub fn continuations(table: &Table, prefix: &[String]) -> Result<(Vec<Continuation>, bool)> {
    let seat = table.own_seat()?;
    let tokens: Vec<&str> = prefix.iter().flat_map(|part| part.split_whitespace()).take(MOST_TOKENS + 1).collect();
    if tokens.len() > MOST_TOKENS {
        return Err(Error::InvalidInput(format!("A move can have at most {MOST_TOKENS} tokens.")));
    }
    Ok(table.started()?.continuations(seat, &tokens))
}

/// The components of a game: its own tables, if its options have some, and the built-in ones of its kind.
pub fn components(table: &Table) -> Result<Vec<Component>> {
    let game = table.game();
    // As for the options: of rules that this build does not have, the newest are shown.
    let version = if game.has_known_rules() { game.rules_version } else { game.kind.rules_version() };
    Ok(table.options()?.components(version))
}

impl Table {
    pub fn options(&self) -> Result<&AnyOptions> {
        self.sitting.options().or_else(|error| {
            check_rules(self.game())?;
            Err(error.into())
        })
    }
}
