//! A game in two lines, for previews of links.

use domain::{AnyGame, Kind};

use super::draw::names;
use super::look;
use crate::error::Result;
use crate::ids::GameId;
use crate::model::{Caller, Status};
use crate::service::Maidan;

pub struct Headline {
    pub kind: Kind,
    /// The name of the kind.
    pub title: String,
    /// The players, and the state of the game.
    pub text: String,
}

/// A game in two lines, as the caller may see it.
pub async fn headline(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Headline> {
    let table = look::game(maidan, caller, id).await?;
    let game = table.game();
    let names = names(maidan, &table).await?;
    let name = |seat: usize| names.get(seat).cloned().flatten().unwrap_or_else(|| format!("Seat {seat}"));
    let taken: Vec<String> =
        game.seating.values().zip(0..).filter(|(occupant, _)| occupant.is_some()).map(|(_, seat)| name(seat)).collect();
    let free = names.len() - taken.len();
    let state = match game.status {
        Status::Open if free == 1 => "One seat is free.".to_string(),
        Status::Open => format!("{free} seats are free."),
        Status::Running => format!("Move {}.", game.ply + 1),
        Status::Cancelled => "The game was cancelled.".into(),
        Status::Over => {
            let outcome = table.position()?.and_then(AnyGame::outcome);
            let winners = outcome.map(|outcome| outcome.winners).unwrap_or_default();
            let winners: Vec<String> = winners.iter().map(|seat| name(seat.index())).collect();
            match winners.len() {
                0 => "A draw.".to_string(),
                1 => format!("{} won.", winners[0]),
                _ => format!("{} won together.", winners.join(" and ")),
            }
        }
    };
    let title = game.kind.about(game.kind.rules_version()).title.to_string();
    Ok(Headline { kind: game.kind, title, text: format!("{}. {state}", taken.join(", ")) })
}
