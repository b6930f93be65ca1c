//! The table as one viewer may know it.

use serde::Serialize;

use super::{Face, Name, Parts, Reason, Tables, Token, Unit};
use crate::{Seat, Seats};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub round: u16,
    /// The seat that picks first in this round.
    pub elephant: Seat,
    /// The dice that are left.
    pub dice: Vec<DieView>,
    /// The remaining picks of this round, the next first.
    pub picks: Vec<Seat>,
    /// Those in play, in the order of revealing.
    pub leaders: Vec<LeaderView>,
    /// Those revealed at the start and set aside.
    pub discarded: Vec<Name>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// The seats asked to reveal or hold a Pati; empty while dice are picked and after the end.
    pub asked: Seats,
    /// Those of them that have not answered yet.
    pub pending: Seats,
    /// The seats that ended the game by revealing a Pati; empty before, and if it ended otherwise.
    pub revealed: Seats,
    /// The cause of the end; `None` before.
    pub reason: Option<Reason>,
    /// Which dice and leaders the game has, for drawings.
    #[serde(skip)]
    pub tables: Tables,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DieView {
    pub die: u8,
    /// The kind of the die.
    pub unit: Unit,
    pub face: Face,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaderView {
    pub leader: Name,
    pub points: u8,
    pub spaces: Vec<SpaceView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpaceView {
    pub unit: Unit,
    /// The owner of the tokens here; `None` for an empty space.
    pub owner: Option<Seat>,
    /// Sorted.
    pub stack: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerView {
    /// How many tokens are left in the pool.
    pub left: u8,
    /// How many tokens are behind the screen.
    pub screened: u8,
    /// All kinds of tokens. `None` unless it is the viewer's own.
    pub pool: Option<Vec<TokensLeft>>,
    /// `None` unless it is the viewer's own.
    pub pati: Option<PatiView>,
    /// The answer that this player has given, while others have not answered. `None` unless it is the viewer's own.
    pub answer: Option<Answer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokensLeft {
    pub token: Token,
    pub left: u8,
}

/// The tokens behind a screen, and the parts of a Pati that they make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatiView {
    /// Sorted.
    pub tokens: Vec<Token>,
    pub parts: Parts,
    pub complete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Answer {
    Reveal,
    Hold,
}
