//! Input that both APIs read in the same way.

use super::{Kind, Move, Options};
use crate::error::{Error, Result};
use crate::games::Choice;
use crate::ids::{GameId, PlayerId};

/// Reads a move, given as an object or in notation.
pub fn choice(mv: Option<Move>, notation: Option<String>) -> Result<Choice> {
    match (mv, notation) {
        (Some(mv), None) => Ok(Choice::Structured(mv.read()?)),
        (None, Some(notation)) => Ok(Choice::Notation(notation)),
        _ => Err(Error::InvalidInput("Pass either move or notation.".into())),
    }
}

pub fn game_id_of(id: &str) -> Result<GameId> {
    id.parse().map_err(|_| Error::NotFound("There is no such game."))
}

pub fn player_id_of(id: &str) -> Result<PlayerId> {
    id.parse().map_err(|_| Error::NotFound("There is no such player."))
}

/// Reads the options of a new game, which must be of its kind.
pub fn options_of(kind: Kind, options: Option<Options>) -> Result<domain::AnyOptions> {
    let kind = domain::Kind::from(kind);
    let Some(options) = options else { return Ok(kind.default_options()) };
    let options = options.read()?;
    if options.kind() != kind {
        return Err(Error::InvalidInput(format!("These are options of {}; the game is {kind}.", options.kind())));
    }
    Ok(options)
}
