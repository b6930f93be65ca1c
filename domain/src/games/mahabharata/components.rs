//! The components: tokens, dice and leaders.
//!
//! The faces of the dice and the leaders are reconstructed: the pictures that showed them are lost. An owner of the printed
//! game can correct them for a game by the option `components`: see [`Tables`](super::tables::Tables).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Unreadable;

/// How many tokens of each kind a player has.
pub const COPIES: u8 = 3;
/// How many dice there are of each kind.
pub const DICE_OF_A_KIND: usize = 2;
pub const DICE: usize = DICE_OF_A_KIND * FACES.len();

/// Name, unit and number of every kind of token, in the order of [`Token::ALL`].
const TOKENS: [(&str, Unit, u8); 10] = [
    ("CHARIOT1", Unit::Chariot, 1),
    ("ELEPHANT1", Unit::Elephant, 1),
    ("CAVALRY1", Unit::Cavalry, 1),
    ("CAVALRY2", Unit::Cavalry, 2),
    ("CAVALRY3", Unit::Cavalry, 3),
    ("INFANTRY1", Unit::Infantry, 1),
    ("INFANTRY2", Unit::Infantry, 2),
    ("INFANTRY3", Unit::Infantry, 3),
    ("INFANTRY4", Unit::Infantry, 4),
    ("INFANTRY5", Unit::Infantry, 5),
];

/// The kinds of dice.
pub const FACES: [(Unit, [Face; 6]); 4] = {
    use Face::{Raja, Shows};
    use Token::*;
    [
        (Unit::Chariot, [Shows(Chariot1), Shows(Chariot1), Shows(Chariot1), Shows(Chariot1), Shows(Chariot1), Raja]),
        (
            Unit::Elephant,
            [Shows(Elephant1), Shows(Elephant1), Shows(Elephant1), Shows(Elephant1), Shows(Elephant1), Raja],
        ),
        (Unit::Cavalry, [Shows(Cavalry1), Shows(Cavalry1), Shows(Cavalry2), Shows(Cavalry2), Shows(Cavalry3), Raja]),
        (
            Unit::Infantry,
            [Shows(Infantry1), Shows(Infantry2), Shows(Infantry3), Shows(Infantry4), Shows(Infantry5), Raja],
        ),
    ]
};

/// The card of a leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderCard {
    /// The name as people write it.
    pub name: Cow<'static, str>,
    pub points: u8,
    /// The icon on each of its spaces: as many as it has points.
    pub spaces: Cow<'static, [Unit]>,
}

/// Every leader, in the order of [`Leader::ALL`].
pub const LEADERS: [LeaderCard; 10] = {
    const C: Unit = Unit::Chariot;
    const E: Unit = Unit::Elephant;
    const V: Unit = Unit::Cavalry;
    const I: Unit = Unit::Infantry;
    const fn card(name: &'static str, points: u8, spaces: &'static [Unit]) -> LeaderCard {
        LeaderCard { name: Cow::Borrowed(name), points, spaces: Cow::Borrowed(spaces) }
    }
    [
        card("Virata", 3, &[C, V, I]),
        card("Jayadratha", 3, &[E, V, I]),
        card("Drupada", 4, &[C, E, V, I]),
        card("Shalya", 4, &[C, C, V, I]),
        card("Kuntibhoja", 4, &[E, E, V, I]),
        card("Drona", 5, &[C, C, E, V, I]),
        card("Karna", 5, &[C, E, E, I, I]),
        card("Krishna", 5, &[C, E, V, V, I]),
        card("Bhishma", 6, &[C, C, E, E, V, I]),
        card("Dhritarashtra", 6, &[C, E, V, V, I, I]),
    ]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Unit {
    Chariot,
    Elephant,
    Cavalry,
    Infantry,
}

impl Unit {
    pub const ALL: [Unit; 4] = [Unit::Chariot, Unit::Elephant, Unit::Cavalry, Unit::Infantry];

    pub(super) fn named(name: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Unit::Chariot => "CHARIOT",
            Unit::Elephant => "ELEPHANT",
            Unit::Cavalry => "CAVALRY",
            Unit::Infantry => "INFANTRY",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of token: a unit, and how many of it the token shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Token {
    Chariot1,
    Elephant1,
    Cavalry1,
    Cavalry2,
    Cavalry3,
    Infantry1,
    Infantry2,
    Infantry3,
    Infantry4,
    Infantry5,
}

impl Token {
    pub const ALL: [Token; TOKENS.len()] = {
        use Token::*;
        [Chariot1, Elephant1, Cavalry1, Cavalry2, Cavalry3, Infantry1, Infantry2, Infantry3, Infantry4, Infantry5]
    };

    /// In notation: unit and number.
    pub fn name(self) -> &'static str {
        TOKENS[self as usize].0
    }

    pub fn unit(self) -> Unit {
        TOKENS[self as usize].1
    }

    /// How many units the token shows.
    pub fn number(self) -> u8 {
        TOKENS[self as usize].2
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Token {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Token, Unreadable> {
        let known = Token::ALL.into_iter().find(|token| token.name() == text);
        known.ok_or_else(|| Unreadable::expected("a token, such as 'CAVALRY2'", text))
    }
}

/// The upper side of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Face {
    Shows(Token),
    /// A token of the picker's choice, for a leader.
    Raja,
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Face::Shows(token) => token.fmt(f),
            Face::Raja => f.write_str("RAJA"),
        }
    }
}

impl From<Face> for String {
    fn from(face: Face) -> String {
        face.to_string()
    }
}

impl TryFrom<String> for Face {
    type Error = Unreadable;
    fn try_from(text: String) -> Result<Face, Unreadable> {
        if text == "RAJA" { Ok(Face::Raja) } else { text.parse().map(Face::Shows) }
    }
}

/// A leader, by its place in the table of leaders. The names are those of the built-in table: the tables of a game say
/// what is on its card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Leader {
    Virata,
    Jayadratha,
    Drupada,
    Shalya,
    Kuntibhoja,
    Drona,
    Karna,
    Krishna,
    Bhishma,
    Dhritarashtra,
}

impl Leader {
    pub const ALL: [Leader; 10] = {
        use Leader::*;
        [Virata, Jayadratha, Drupada, Shalya, Kuntibhoja, Drona, Karna, Krishna, Bhishma, Dhritarashtra]
    };
}
