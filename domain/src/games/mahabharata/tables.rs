//! The tables of a game: the built-in ones, or those that the option `components` gives in their place.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::components::{COPIES, DICE, DICE_OF_A_KIND, FACES, Face, LEADERS, Leader, LeaderCard, Token, Unit};
use super::leaders::ALL_POINTS;
use super::rulebook::TABLES;
use super::tokens::Tokens;
use crate::faults::{one_of, out_of_order, quoted, wrong_length};
use crate::small::small;
use crate::{Chance, Component, Illegal};

const FACES_OF_A_DIE: usize = 6;
/// The most characters of a leader's name.
const LONGEST_NAME: usize = 40;
const MOST_POINTS: i32 = 18;
const RAJA: &str = "RAJA";

/// The option `components`, as it was given: [`Tables::of`] checks it. A table that is left out is the built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Components {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<DieEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaders: Option<Vec<LeaderEntry>>,
}

/// Two dice of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DieEntry {
    pub unit: String,
    pub faces: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeaderEntry {
    pub name: String,
    pub points: i32,
    pub spaces: Vec<String>,
}

impl Components {
    /// The built-in tables, in the shape of the option.
    pub fn built_in() -> Components {
        let die = |(unit, faces): &(Unit, [Face; FACES_OF_A_DIE])| DieEntry {
            unit: unit.to_string(),
            faces: faces.iter().map(Face::to_string).collect(),
        };
        let leader = |LeaderCard { name, points, spaces }: &LeaderCard| LeaderEntry {
            name: name.to_string(),
            points: (*points).into(),
            spaces: spaces.iter().map(Unit::to_string).collect(),
        };
        Components {
            dice: Some(BUILT_IN.dice.iter().map(die).collect()),
            leaders: Some(BUILT_IN.leaders.iter().map(leader).collect()),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The tables that a game is played with. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables(
    /// `None` for the built-in ones.
    Option<Arc<Table>>,
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The kinds of dice, two of each.
    dice: [(Unit, [Face; FACES_OF_A_DIE]); Unit::ALL.len()],
    /// In the order of [`Leader::ALL`].
    leaders: [LeaderCard; Leader::ALL.len()],
    has_own_dice: bool,
    has_own_leaders: bool,
}

static BUILT_IN: Table = Table { dice: FACES, leaders: LEADERS, has_own_dice: false, has_own_leaders: false };

impl Deref for Tables {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.0.as_deref().unwrap_or(&BUILT_IN)
    }
}

impl Table {
    /// The kinds of dice, each with its faces. There are two dice of each.
    pub fn dice(&self) -> &[(Unit, [Face; FACES_OF_A_DIE])] {
        &self.dice
    }

    /// The kind of the die with this number.
    pub(super) fn kind_of_die(&self, die: usize) -> &(Unit, [Face; FACES_OF_A_DIE]) {
        &self.dice[die / DICE_OF_A_KIND]
    }

    /// All dice, in the order of their numbers.
    pub(super) fn roll(&self, chance: &mut Chance) -> [Face; DICE] {
        std::array::from_fn(|die| *chance.pick(&self.kind_of_die(die).1))
    }

    pub fn leader(&self, leader: Leader) -> &LeaderCard {
        &self.leaders[leader as usize]
    }

    pub fn name(&self, leader: Leader) -> Name {
        match self.has_own_leaders {
            false => Name::BuiltIn(leader),
            true => Name::Own { own: self.leader(leader).name.to_string() },
        }
    }

    /// The tables in the catalogue.
    pub(super) fn about(&self) -> Vec<Component> {
        let tokens = Token::ALL.iter().map(|token| {
            vec![token.to_string(), token.unit().to_string(), token.number().to_string(), COPIES.to_string()]
        });
        let dice = (0..DICE).map(|die| {
            let (unit, faces) = self.kind_of_die(die);
            [die.to_string(), unit.to_string()].into_iter().chain(faces.iter().map(Face::to_string)).collect()
        });
        let leaders = self.leaders.iter().map(|LeaderCard { name, points, spaces }| {
            let spaces: Vec<&str> = spaces.iter().map(|unit| unit.name()).collect();
            vec![name.to_string(), points.to_string(), spaces.join(" ")]
        });
        vec![
            Component {
                name: "tokens",
                text: "The tokens of each player. The number says how many units a token shows.",
                reconstructed: false,
                columns: vec!["token", "unit", "number", "copies"],
                rows: tokens.collect(),
            },
            Component {
                name: "dice",
                text: "The eight dice, each with its six faces.",
                reconstructed: !self.has_own_dice,
                columns: vec!["die", "unit", "face 0", "face 1", "face 2", "face 3", "face 4", "face 5"],
                rows: dice.collect(),
            },
            Component {
                name: "leaders",
                text: "The leaders with their victory points, and the icons on their spaces, space 0 first.",
                reconstructed: !self.has_own_leaders,
                columns: vec!["leader", "points", "spaces"],
                rows: leaders.collect(),
            },
        ]
    }
}

impl Tables {
    /// mbh.14: the tables of a game with this option, or the first fault of the option.
    pub fn of(components: Option<&Components>) -> Result<Tables, Illegal> {
        let Some(Components { dice, leaders }) = components else { return Ok(Tables::default()) };
        if dice.is_none() && leaders.is_none() {
            return refuse("components needs the table dice, the table leaders, or both.");
        }
        let own_dice = match dice {
            Some(dice) => read_dice(dice)?,
            None => BUILT_IN.dice,
        };
        let own_leaders = match leaders {
            Some(leaders) => read_leaders(leaders)?,
            None => BUILT_IN.leaders.clone(),
        };
        Ok(Tables(Some(Arc::new(Table {
            dice: own_dice,
            leaders: own_leaders,
            has_own_dice: dice.is_some(),
            has_own_leaders: leaders.is_some(),
        }))))
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal::new(TABLES, text.into()))
}

/// mbh.14 (b) to (d)
fn read_dice(entries: &[DieEntry]) -> Result<[(Unit, [Face; FACES_OF_A_DIE]); Unit::ALL.len()], Illegal> {
    if entries.len() != Unit::ALL.len() {
        return refuse(wrong_length("dice", Unit::ALL.len(), entries.len()));
    }
    let mut before = None;
    for (DieEntry { unit, faces }, wanted) in entries.iter().zip(Unit::ALL) {
        if Unit::named(unit) != Some(wanted) {
            return refuse(out_of_order("dice", before, wanted, quoted(unit)));
        }
        if faces.len() != FACES_OF_A_DIE {
            return refuse(format!(
                "In the table dice, {wanted} must have {FACES_OF_A_DIE} faces, not {}.",
                faces.len()
            ));
        }
        before = Some(wanted.to_string());
    }
    let mut dice = FACES;
    for (DieEntry { faces, .. }, (unit, read)) in entries.iter().zip(&mut dice) {
        for (n, (text, face)) in faces.iter().zip(read).enumerate() {
            let Ok(known) = Face::try_from(text.clone()) else {
                let names: Vec<&str> = Token::ALL.iter().map(|token| token.name()).chain([RAJA]).collect();
                return refuse(format!(
                    "In the table dice, face {n} of {unit} must be {}, not {}.",
                    one_of(&names),
                    quoted(text)
                ));
            };
            *face = known;
        }
    }
    let shown = |token: &Token| dice.iter().any(|(_, faces)| faces.contains(&Face::Shows(*token)));
    let most: Tokens =
        Token::ALL.into_iter().filter(shown).flat_map(|token| std::iter::repeat_n(token, COPIES.into())).collect();
    let parts = most.parts();
    let lacks = [parts.chariot, parts.elephant, parts.cavalry, parts.infantry].into_iter().position(|has| !has);
    match lacks {
        None => Ok(dice),
        Some(unit) => refuse(format!(
            "With the table dice, no Pati can be completed: its faces cannot make the {} that a Pati needs of {}.",
            super::PATI[unit],
            Unit::ALL[unit]
        )),
    }
}

/// mbh.14 (e) to (g)
fn read_leaders(entries: &[LeaderEntry]) -> Result<[LeaderCard; Leader::ALL.len()], Illegal> {
    let count = Leader::ALL.len();
    if entries.len() != count {
        return refuse(wrong_length("leaders", count, entries.len()));
    }
    for (n, LeaderEntry { name, .. }) in entries.iter().enumerate() {
        let length = name.chars().count();
        let has_blank_ends = name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace);
        let wrong = |fault: String| refuse(format!("In the table leaders, the name of entry {n} {fault}."));
        if !(1..=LONGEST_NAME).contains(&length) {
            return wrong(format!("must have 1 to {LONGEST_NAME} characters, not {length}"));
        }
        if name.contains(char::is_control) {
            return wrong("has a control character".into());
        }
        if has_blank_ends {
            return wrong("begins or ends with a blank".into());
        }
        if let Some(other) = entries[..n].iter().position(|entry| entry.name == *name) {
            return refuse(format!("In the table leaders, entries {other} and {n} are both named {}.", quoted(name)));
        }
    }
    let mut leaders = LEADERS;
    for (entry, leader) in entries.iter().zip(&mut leaders) {
        *leader = read_leader(entry)?;
    }
    // Bit n stands for: some of the leaders have n points together.
    let sums = leaders.iter().fold(1_u32, |sums, leader| sums | sums << leader.points);
    if sums & (1 << ALL_POINTS) == 0 {
        return refuse(format!("In the table leaders, no leaders have exactly {ALL_POINTS} points together."));
    }
    Ok(leaders)
}

/// mbh.14 (f)
fn read_leader(entry: &LeaderEntry) -> Result<LeaderCard, Illegal> {
    let LeaderEntry { name, points, spaces } = entry;
    let wrong = |fault: String| refuse(format!("In the table leaders, {} {fault}.", quoted(name)));
    if !(1..=MOST_POINTS).contains(points) {
        return wrong(format!("must have 1 to {MOST_POINTS} points, not {points}"));
    }
    if i32::try_from(spaces.len()) != Ok(*points) {
        return wrong(format!("must have as many spaces as points: {points}, not {}", spaces.len()));
    }
    let mut read = Vec::with_capacity(spaces.len());
    for (n, space) in spaces.iter().enumerate() {
        let Some(unit) = Unit::named(space) else {
            return wrong(format!("must have {} on space {n}, not {}", one_of(&Unit::ALL), quoted(space)));
        };
        read.push(unit);
    }
    Ok(LeaderCard { name: Cow::Owned(name.clone()), points: small(spaces.len()), spaces: Cow::Owned(read) })
}

/// What a leader is called. An event is read without the tables of its game, so a leader of an own table has its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name {
    BuiltIn(Leader),
    Own { own: String },
}

impl Name {
    /// The name as people write it.
    pub fn as_str(&self) -> &str {
        match self {
            Name::BuiltIn(leader) => &BUILT_IN.leader(*leader).name,
            Name::Own { own } => own,
        }
    }

    /// The name alone, as outcomes have it: a built-in one in capitals.
    pub(super) fn serialize_plain<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Name::BuiltIn(leader) => leader.serialize(to),
            Name::Own { own } => own.serialize(to),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
