//! A move, and how it is written.

use std::fmt;
use std::str::FromStr;

use super::board::{Cell, Place};
use super::tourists::{Tourist, Tourists};
use crate::Unreadable;

/// One decision. Notation: `place l72`, `meet drop RIVER-BIRD pick BUSH-INSECT GROVE-BIRD`, `drive p17`,
/// `drive p17 take p3`, `peek`, `photo 12`, `keep RIVER-BIRD`, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Put the jeep at a lodge, before the first turn.
    Place { lodge: Place },
    /// The whole task: drop tourists off, pick tourists up. Both are sets: no order, none twice.
    Meet { drop: Tourists, pick: Tourists },
    /// Drive to a place; `take` is the mover's own track to take up when none is left.
    Drive { to: Place, take: Option<Place> },
    /// Look at the tiles beside the jeep.
    Peek,
    /// Turn over the tile of this cell.
    Photo { tile: Cell },
    /// Of two tourists drawn, keep this one (family variant).
    Keep { tourist: Tourist },
    /// End the turn.
    End,
}

impl Move {
    /// The token of a meet that names the `n`th tourist dropped off.
    pub(super) fn drop_token(n: usize) -> usize {
        2 + n
    }

    /// The token of a meet that names the `n`th tourist picked up, after this many dropped off.
    pub(super) fn pick_token(dropped: u8, n: usize) -> usize {
        let before = if dropped == 0 { 0 } else { 1 + usize::from(dropped) };
        2 + before + n
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place { lodge } => write!(f, "place {lodge}"),
            Move::Meet { drop, pick } => {
                f.write_str("meet")?;
                for (verb, tourists) in [("drop", drop), ("pick", pick)].into_iter().filter(|(_, set)| !set.is_empty())
                {
                    write!(f, " {verb}")?;
                    tourists.iter().try_for_each(|tourist| write!(f, " {tourist}"))?;
                }
                Ok(())
            }
            Move::Drive { to, take: None } => write!(f, "drive {to}"),
            Move::Drive { to, take: Some(track) } => write!(f, "drive {to} take {track}"),
            Move::Peek => f.write_str("peek"),
            Move::Photo { tile } => write!(f, "photo {tile}"),
            Move::Keep { tourist } => write!(f, "keep {tourist}"),
            Move::End => f.write_str("end"),
        }
    }
}

impl FromStr for Move {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Move, Unreadable> {
        let (verb, rest) = text.split_once(' ').map_or((text, None), |(verb, rest)| (verb, Some(rest)));
        match (verb, rest) {
            ("place", Some(lodge)) => Ok(Move::Place { lodge: lodge.parse()? }),
            ("meet", rest) => read_meet(rest, text),
            ("drive", Some(rest)) => match rest.split_once(" take ") {
                None => Ok(Move::Drive { to: rest.parse()?, take: None }),
                Some((to, track)) => Ok(Move::Drive { to: to.parse()?, take: Some(track.parse()?) }),
            },
            ("peek", None) => Ok(Move::Peek),
            ("photo", Some(tile)) => Ok(Move::Photo { tile: tile.parse()? }),
            ("keep", Some(tourist)) => Ok(Move::Keep { tourist: tourist.parse()? }),
            ("end", None) => Ok(Move::End),
            _ => Err(Unreadable::expected("place, meet, drive, peek, photo, keep or end, such as 'drive p17'", text)),
        }
    }
}

/// `drop` and at least one tourist, `pick` and at least one tourist, in this order; either may be left out.
fn read_meet(rest: Option<&str>, text: &str) -> Result<Move, Unreadable> {
    let wrong = || Unreadable::expected("a meet, such as 'meet drop RIVER-BIRD pick BUSH-INSECT GROVE-BIRD'", text);
    let (mut drop, mut pick) = (Tourists::NONE, Tourists::NONE);
    let mut tokens = rest.into_iter().flat_map(|rest| rest.split(' ')).peekable();
    for (verb, named) in [("drop", &mut drop), ("pick", &mut pick)] {
        if tokens.next_if_eq(&verb).is_none() {
            continue;
        }
        while let Some(token) = tokens.next_if(|token| *token != "pick") {
            let tourist: Tourist = token.parse()?;
            if named.contains(tourist) {
                return Err(wrong());
            }
            named.insert(tourist);
        }
        if named.is_empty() {
            return Err(wrong());
        }
    }
    match tokens.next() {
        None => Ok(Move::Meet { drop, pick }),
        Some(_) => Err(wrong()),
    }
}
