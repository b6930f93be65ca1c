//! A player's choice and its notation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::cards::Card;
use super::tableau::End;
use super::tables::Tables;
use crate::{Seat, TokenType, Unreadable};

/// A choice. It stays secret until every player has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Move {
    /// Place a card of the hand at an end of the tableau: `play 17 LEFT`.
    Play { card: Card, end: End },
    /// Give a card to the left neighbour and one to the right: `pass 12 5`.
    Pass { left: Card, right: Card },
    /// The Chief: two cards of the tableau change places: `swap 0 3`.
    Swap(Pair),
    /// The Shaman: the card at `from` is put where it then stands at `to`: `move 2 0`.
    Shift { from: u8, to: u8 },
    /// The Hunter, without an end, for the middle card: `exchange 12`. The Maiden: `exchange LEFT 12`.
    Exchange { end: Option<End>, card: Card },
    /// The ability is not used: `decline`.
    Decline,
}

/// Two positions of a tableau, whose order does not matter: the smaller is always the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u8; 2]", from = "[u8; 2]")]
pub struct Pair {
    first: u8,
    second: u8,
}

impl Pair {
    pub fn new(one: u8, other: u8) -> Pair {
        Pair { first: one.min(other), second: one.max(other) }
    }

    pub fn first(self) -> u8 {
        self.first
    }

    pub fn second(self) -> u8 {
        self.second
    }
}

impl From<Pair> for [u8; 2] {
    fn from(pair: Pair) -> [u8; 2] {
        [pair.first, pair.second]
    }
}

impl From<[u8; 2]> for Pair {
    fn from([one, other]: [u8; 2]) -> Pair {
        Pair::new(one, other)
    }
}

impl Move {
    /// The choice in words, for the player of this seat.
    pub fn in_words(&self, seat: Seat, seats: u8, tables: &Tables) -> String {
        let face = |card: &Card| tables.in_words(*card);
        match self {
            Move::Play { card, end } => format!("Play {} to the {end} end", face(card)),
            Move::Pass { left, right } => format!(
                "Pass {} to seat {} on your left and {} to seat {} on your right",
                face(left),
                seat.left(seats),
                face(right),
                seat.right(seats)
            ),
            Move::Swap(pair) => format!("Swap the cards at {} and {}", pair.first, pair.second),
            Move::Shift { from, to } => format!("Move the card at {from} to {to}"),
            Move::Exchange { end: None, card } => format!("Exchange the middle card for {}", face(card)),
            Move::Exchange { end: Some(end), card } => {
                format!("Exchange the card at the {end} end for {}", face(card))
            }
            Move::Decline => "Decline your ability".to_string(),
        }
    }
}

/// A token of a choice in words, for the player of this seat.
pub fn token_in_words(seat: Seat, seats: u8, tables: &Tables, prefix: &[&str], token: &str) -> (TokenType, String) {
    use TokenType::{Card as Piece, Number, Place, Verb};
    let card = || token.parse().map_or_else(|_| token.to_string(), |card| tables.in_words(card));
    match (prefix, token) {
        ([], "play") => (Verb, "Play a card".into()),
        ([], "pass") => (Verb, "Pass a card to each neighbour".into()),
        ([], "swap") => (Verb, "Swap two cards of your tableau".into()),
        ([], "move") => (Verb, "Move a card of your tableau".into()),
        ([], "exchange") => (Verb, "Exchange a card of your tableau".into()),
        ([], "decline") => (Verb, "Decline your ability".into()),
        (["play"], _) => (Piece, format!("Play {}", card())),
        (["play", _], end) => (Place, format!("Play it to the {end} end")),
        (["pass"], _) => (Piece, format!("Pass {} to seat {} on your left", card(), seat.left(seats))),
        (["pass", _], _) => (Piece, format!("Pass {} to seat {} on your right", card(), seat.right(seats))),
        (["swap"], _) => (Number, format!("Swap the card at {token}")),
        (["swap", _], _) => (Number, format!("Swap it with the card at {token}")),
        (["move"], _) => (Number, format!("Move the card at {token}")),
        (["move", _], _) => (Number, format!("Move it to {token}")),
        (["exchange"], end @ ("LEFT" | "RIGHT")) => (Place, format!("Exchange the card at the {end} end")),
        (["exchange"], _) => (Piece, format!("Exchange the middle card for {}", card())),
        (["exchange", _], _) => (Piece, format!("Exchange it for {}", card())),
        _ => (Verb, token.to_string()),
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play { card, end } => write!(f, "play {card} {end}"),
            Move::Pass { left, right } => write!(f, "pass {left} {right}"),
            Move::Swap(pair) => write!(f, "swap {} {}", pair.first, pair.second),
            Move::Shift { from, to } => write!(f, "move {from} {to}"),
            Move::Exchange { end: None, card } => write!(f, "exchange {card}"),
            Move::Exchange { end: Some(end), card } => write!(f, "exchange {end} {card}"),
            Move::Decline => f.write_str("decline"),
        }
    }
}

impl FromStr for Move {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Move, Unreadable> {
        read_move(text).ok_or_else(|| {
            let example =
                "'play 17 LEFT', 'pass 12 5', 'swap 0 3', 'move 2 0', 'exchange 12', 'exchange LEFT 12' or 'decline'";
            Unreadable::expected(example, text)
        })
    }
}

fn read_move(text: &str) -> Option<Move> {
    let mut tokens = text.split(' ');
    let verb = tokens.next()?;
    Some(match (verb, [tokens.next(), tokens.next(), tokens.next()]) {
        ("play", [Some(card), Some(end), None]) => Move::Play { card: read_card(card)?, end: read_end(end)? },
        ("pass", [Some(left), Some(right), None]) => Move::Pass { left: read_card(left)?, right: read_card(right)? },
        ("swap", [Some(one), Some(other), None]) => Move::Swap(Pair::new(read_number(one)?, read_number(other)?)),
        ("move", [Some(from), Some(to), None]) => Move::Shift { from: read_number(from)?, to: read_number(to)? },
        ("exchange", [Some(card), None, None]) => Move::Exchange { end: None, card: read_card(card)? },
        ("exchange", [Some(end), Some(card), None]) => {
            Move::Exchange { end: Some(read_end(end)?), card: read_card(card)? }
        }
        ("decline", [None, None, None]) => Move::Decline,
        _ => return None,
    })
}

/// Digits only, and no zero in front of others.
fn read_number(token: &str) -> Option<u8> {
    let plain = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    token.parse().ok().filter(|_| plain)
}

fn read_card(token: &str) -> Option<Card> {
    token.parse().ok()
}

fn read_end(token: &str) -> Option<End> {
    [End::Left, End::Right].into_iter().find(|end| end.to_string() == token)
}
