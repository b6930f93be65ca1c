//! The types of both APIs: GraphQL takes its types from here, REST its JSON.
//!
//! No type of the rules is a type of the API. Every conversion destructures the rules' value without `..`, so that a
//! new field does not compile until its place on the wire is decided.

mod catalogue;
mod change;
mod deferred;
mod entry;
mod events;
mod filter;
mod game;
mod input;
mod kalah;
mod kinds;
mod macarena;
mod mahabharata;
mod mahola;
mod mara;
mod moment;
mod one_of;
mod person;
mod record;
mod statistics;
mod time;

pub use catalogue::Rulebook;
pub use change::{GameChange, InboxChange, StreamTicket};
pub use entry::{LogEntry, LogPage};
pub use filter::GamesFilter;
pub use game::{
    Continuations, Explanation, Game, GameCount, GamePage, GameResult, GameStatus, LegalMoves, Played, Visibility,
};
pub use input::{choice, game_id_of, options_of, player_id_of};
pub use kinds::{Details, Event, Kind, Move, Options, View};
pub use moment::Moment;
pub use person::{Me, Player, Registered, Token, TokenInUse, TokenPage};
pub use record::Record;
pub use statistics::{HeadToHead, Statistics};
pub use time::Time;

use events::events;
use one_of::one_of;

use std::str::FromStr;

use domain::{Seat, Seats, Unreadable};

use crate::error::{Error, Result};

/// A seat as a number.
pub fn seat(seat: Seat) -> i32 {
    seat.number().into()
}

/// Reads a small number. The refusal names the field.
pub fn small(field: &str, number: i32) -> Result<u8> {
    u8::try_from(number).map_err(|_| Error::InvalidInput(format!("{field} must be 0 to 255, not {number}.")))
}

/// Reads a seat.
pub fn seat_number(field: &str, number: i32) -> Result<Seat> {
    Seat::numbered(number.into()).ok_or_else(|| Error::InvalidInput(format!("{field} is not a seat: {number}.")))
}

/// A count as GraphQL's Int. No count here comes near its limit.
pub fn int(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

/// Seats as numbers, in order.
pub fn seats(seats: Seats) -> Vec<i32> {
    seats.iter().map(seat).collect()
}

/// Components by their names in notation, such as cards.
pub fn names<T: ToString>(things: impl IntoIterator<Item = T>) -> Vec<String> {
    things.into_iter().map(|thing| thing.to_string()).collect()
}

/// Reads a component, such as a card, by its name in notation.
pub fn named<T: FromStr<Err = Unreadable>>(field: &str, name: &str) -> Result<T> {
    name.parse().map_err(|Unreadable(text)| Error::InvalidInput(format!("{field}: {text}")))
}

/// Reads an action without arguments, which can only be `true`.
pub fn check_true(action: &str, value: bool) -> Result<()> {
    if value { Ok(()) } else { Err(Error::InvalidInput(format!("{action} can only be true; leave it out otherwise."))) }
}
