//! Input that both APIs read in the same way.

use async_graphql::{ID, OneofObject};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{BotInput, Kind, Move, Options, check_true, level_of};
use crate::error::{Error, Result};
use crate::games::{Choice, NewSeat};
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

/// The occupant of a seat of a new game. Set exactly one field.
#[derive(Clone, Debug, OneofObject, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeatInput {
    /// `true`: you take the seat. A player takes exactly one.
    Me(bool),
    /// The id of the player who takes the seat. Only an app may seat players, and only its own.
    #[schema(value_type = PlayerId)]
    Player(ID),
    /// A bot takes the seat. At least one seat must be for a player.
    Bot(BotInput),
    /// `true`: the seat stays open until somebody joins.
    Open(bool),
}

impl SeatInput {
    fn read(self) -> Result<NewSeat> {
        Ok(match self {
            SeatInput::Me(me) => check_true("me", me).map(|()| NewSeat::Me)?,
            SeatInput::Player(id) => NewSeat::Player(player_id_of(&id)?),
            SeatInput::Bot(BotInput { level }) => NewSeat::Bot(level_of(level)?),
            SeatInput::Open(open) => check_true("open", open).map(|()| NewSeat::Open)?,
        })
    }
}

/// The seats of a new game, if the request lists them.
pub fn seats_of(seats: Option<Vec<SeatInput>>) -> Result<Option<Vec<NewSeat>>> {
    seats.map(|seats| seats.into_iter().map(SeatInput::read).collect()).transpose()
}

/// The games to skip, by their ids.
pub fn excluded<'a>(ids: impl Iterator<Item = &'a str>) -> Result<Vec<GameId>> {
    let unreadable = || Error::InvalidInput("exclude must be ids of games: game_…".into());
    ids.map(|id| id.parse().map_err(|_| unreadable())).collect()
}
