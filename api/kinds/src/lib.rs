//! Every kind of game on the wire: its options, moves, views, details and events, for GraphQL and JSON alike.
//!
//! No type of the rules is a type of the API. Every conversion takes the rules' value apart field by field, so that
//! a new field does not compile until somebody decides where it goes.
//!
//! This crate knows the rules and nothing of the service. It is a crate of its own because these types generate much code,
//! which need not be compiled again when the service changes.

mod any;
mod catalogue;
mod events;
mod kalah;
mod macarena;
mod mahabharata;
mod mahola;
mod mara;
mod one_of;
mod word;

pub use any::{Details, Event, Kind, Move, Options, View};
pub use catalogue::{Component, Rulebook};

use std::str::FromStr;

use domain::{Seat, Seats, Unreadable};

use events::events;
use one_of::one_of;

/// Input is read, or refused with a sentence.
type Result<T> = std::result::Result<T, Unreadable>;

/// A seat as a number.
pub fn seat(seat: Seat) -> i32 {
    seat.number().into()
}

/// Reads a small number. The refusal names the field.
pub fn small(field: &str, number: i32) -> Result<u8> {
    u8::try_from(number).map_err(|_| Unreadable(format!("{field} must be 0 to 255, not {number}.")))
}

/// Reads a seat.
pub fn seat_number(field: &str, number: i32) -> Result<Seat> {
    Seat::numbered(number.into()).ok_or_else(|| Unreadable(format!("{field} is not a seat: {number}.")))
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
    name.parse().map_err(|Unreadable(text)| Unreadable(format!("{field}: {text}")))
}

/// Reads an action without arguments, which can only be `true`.
pub fn check_true(action: &str, value: bool) -> Result<()> {
    if value { Ok(()) } else { Err(Unreadable(format!("{action} can only be true; leave it out otherwise."))) }
}
