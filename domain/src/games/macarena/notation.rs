//! A move as text.

use std::fmt;
use std::str::FromStr;

use super::Move;
use super::cards::CARDS;
use crate::Unreadable;

pub const WELL: &str = "w";
pub const FROM: &str = "from";

/// The number in `w4` or `from2`: digits alone, and no needless zero.
pub fn read_well(token: &str, before: &str) -> Option<u8> {
    let digits = token.strip_prefix(before)?;
    let plain = digits == "0" || (!digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits.parse().ok().filter(|_| plain)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play { well, cards, from } => {
                write!(f, "{WELL}{well}")?;
                cards.iter().try_for_each(|card| write!(f, " {card}"))?;
                from.iter().try_for_each(|from| write!(f, " {FROM}{from}"))
            }
            Move::Pass => f.write_str("pass"),
            Move::Decline => f.write_str("decline"),
            Move::Return(element) => write!(f, "return {element}"),
            Move::Buy(element) => write!(f, "buy {element}"),
        }
    }
}

impl FromStr for Move {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Move, Unreadable> {
        let unreadable =
            || Unreadable::expected("a move such as 'w4 5E 6E', 'pass', 'decline', 'return WATER' or 'buy FIRE'", text);
        let mut tokens = text.split(' ');
        let first = tokens.next().ok_or_else(unreadable)?;
        let mut element = || tokens.next().ok_or_else(unreadable)?.parse();
        let mv = match first {
            "pass" => Move::Pass,
            "decline" => Move::Decline,
            "return" => Move::Return(element()?),
            "buy" => Move::Buy(element()?),
            _ => {
                let well = read_well(first, WELL).ok_or_else(unreadable)?;
                let mut cards = Vec::new();
                let mut from = None;
                for token in tokens.by_ref() {
                    from = read_well(token, FROM);
                    if from.is_some() {
                        break;
                    }
                    if cards.len() == CARDS {
                        return Err(Unreadable(format!("A series has no more than {CARDS} cards.")));
                    }
                    cards.push(token.parse()?);
                }
                Move::Play { well, cards, from }
            }
        };
        match tokens.next() {
            None => Ok(mv),
            Some(_) => Err(unreadable()),
        }
    }
}
