//! The tables of a game: the built-in ones, or those that the option `components` gives in their place.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cards::{Animal, CHARACTERS, Card, Character, Colour, Dance, FACES, Face};
use super::rulebook::TABLES;
use crate::faults::{one_of, out_of_order, quoted, wrong_length};
use crate::{Component, Illegal};

/// The largest value of a card, and the most points for another dance.
const MOST: i32 = 9;
/// The name of a special dance, which no card can look for.
const SPECIAL: &str = "SPECIAL";

/// The option `components`, as it was given: [`Tables::of`] checks it. A table that is left out is the built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Components {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<Vec<CharacterEntry>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardEntry {
    pub card: i32,
    pub dance: String,
    pub colour: String,
    pub value: i32,
    pub animal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secondary: Option<BonusEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjacent: Option<BonusEntry>,
}

/// Points for another dance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BonusEntry {
    pub dance: String,
    pub points: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CharacterEntry {
    pub character: String,
    pub colour: String,
    pub animal: String,
}

impl Components {
    /// The built-in tables, in the shape of the option.
    pub fn built_in() -> Components {
        let bonus = |bonus: Option<(Dance, i16)>| {
            bonus.map(|(dance, points)| BonusEntry { dance: dance.to_string(), points: points.into() })
        };
        let card = |card: Card| {
            let Face { dance, colour, value, animal, secondary, adjacent } = *BUILT_IN.face(card);
            CardEntry {
                card: card.number().into(),
                dance: dance.map_or(SPECIAL.into(), |dance| dance.to_string()),
                colour: colour.to_string(),
                value: value.into(),
                animal: animal.to_string(),
                secondary: bonus(secondary),
                adjacent: bonus(adjacent),
            }
        };
        let character = |character: &Character| CharacterEntry {
            character: character.to_string(),
            colour: BUILT_IN.colour(*character).to_string(),
            animal: BUILT_IN.animal(*character).to_string(),
        };
        Components {
            cards: Some(Card::all().map(card).collect()),
            characters: Some(Character::ALL.iter().map(character).collect()),
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
    /// Card 1 first.
    faces: [Face; Card::COUNT as usize],
    /// Colour and animal, in the order of [`Character::ALL`].
    characters: [(Colour, Animal); 4],
    has_own_cards: bool,
    has_own_characters: bool,
}

static BUILT_IN: Table =
    Table { faces: FACES, characters: CHARACTERS, has_own_cards: false, has_own_characters: false };

impl Deref for Tables {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.0.as_deref().unwrap_or(&BUILT_IN)
    }
}

impl Table {
    pub fn face(&self, card: Card) -> &Face {
        &self.faces[usize::from(card.number()) - 1]
    }

    /// Cards of this colour count for the character.
    pub fn colour(&self, character: Character) -> Colour {
        self.characters[character as usize].0
    }

    /// Cards of another colour with this animal do the character no harm.
    pub fn animal(&self, character: Character) -> Animal {
        self.characters[character as usize].1
    }

    /// The card with the main part of its face: '17 (HOOP, RED 2, WOLF)'.
    pub fn in_words(&self, card: Card) -> String {
        self.face(card).in_words(card)
    }

    /// Whether the game has a table of cards of its own.
    pub(super) fn has_own_cards(&self) -> bool {
        self.has_own_cards
    }

    /// The tables in the catalogue.
    pub(super) fn about(&self) -> Vec<Component> {
        let words = |points: Option<(Dance, i16)>| match points {
            Some((dance, points)) => [dance.to_string(), points.to_string()],
            None => [String::new(), String::new()],
        };
        let card = |card: Card| {
            let face = self.face(card);
            let [secondary, secondary_points] = words(face.secondary);
            let [adjacent, adjacent_points] = words(face.adjacent);
            vec![
                card.to_string(),
                face.dance.map_or(SPECIAL.to_string(), |dance| dance.to_string()),
                face.colour.to_string(),
                face.value.to_string(),
                face.animal.to_string(),
                secondary,
                secondary_points,
                adjacent,
                adjacent_points,
            ]
        };
        let character = |character: &Character| {
            let (colour, animal) = (self.colour(*character), self.animal(*character));
            vec![character.to_string(), colour.to_string(), animal.to_string(), character.ability().to_string()]
        };
        vec![
            Component {
                name: "cards",
                text: "The dance cards, one of each. A special dance counts as every dance for the points of other cards.",
                reconstructed: !self.has_own_cards,
                columns: vec![
                    "card",
                    "dance",
                    "colour",
                    "value",
                    "animal",
                    "secondary",
                    "secondaryPoints",
                    "adjacent",
                    "adjacentPoints",
                ],
                rows: Card::all().map(card).collect(),
            },
            Component {
                name: "characters",
                text: "The characters, one of each. After the fifth turn, each may use its ability on its own tableau.",
                reconstructed: !self.has_own_characters,
                columns: vec!["character", "colour", "animal", "ability"],
                rows: Character::ALL.iter().map(character).collect(),
            },
        ]
    }
}

impl Tables {
    /// mahola.12: the tables of a game with this option, or the first fault of the option.
    pub fn of(components: Option<&Components>) -> Result<Tables, Illegal> {
        let Some(Components { cards, characters }) = components else { return Ok(Tables::default()) };
        if cards.is_none() && characters.is_none() {
            return refuse("components needs the table cards, the table characters, or both.");
        }
        let faces = match cards {
            Some(cards) => read_cards(cards)?,
            None => BUILT_IN.faces,
        };
        let own_characters = match characters {
            Some(characters) => read_characters(characters)?,
            None => BUILT_IN.characters,
        };
        Ok(Tables(Some(Arc::new(Table {
            faces,
            characters: own_characters,
            has_own_cards: cards.is_some(),
            has_own_characters: characters.is_some(),
        }))))
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal::new(TABLES, text.into()))
}

/// mahola.12 (b) to (e)
fn read_cards(entries: &[CardEntry]) -> Result<[Face; Card::COUNT as usize], Illegal> {
    let count = usize::from(Card::COUNT);
    if entries.len() != count {
        return refuse(wrong_length("cards", count, entries.len()));
    }
    for (number, entry) in (1..).zip(entries) {
        if entry.card != number {
            let before = (number > 1).then(|| format!("card {}", number - 1));
            return refuse(out_of_order("cards", before, format!("card {number}"), format!("card {}", entry.card)));
        }
    }
    let mut faces = FACES;
    for (face, entry) in faces.iter_mut().zip(entries) {
        *face = read_face(entry)?;
    }
    for (face, entry) in faces.iter_mut().zip(entries) {
        face.secondary = read_bonus(entry.card, "secondary", entry.secondary.as_ref())?;
        face.adjacent = read_bonus(entry.card, "adjacent", entry.adjacent.as_ref())?;
    }
    let nowhere = |what: String| refuse(format!("In the table cards, no card shows {what}."));
    if let Some(dance) = Dance::ALL.iter().find(|dance| faces.iter().all(|face| face.dance != Some(**dance))) {
        return nowhere(format!("the dance {dance}"));
    }
    if let Some(colour) = Colour::ALL.iter().find(|colour| faces.iter().all(|face| face.colour != **colour)) {
        return nowhere(format!("the colour {colour}"));
    }
    if let Some(animal) = Animal::ALL.iter().find(|animal| faces.iter().all(|face| face.animal != **animal)) {
        return nowhere(format!("the animal {animal}"));
    }
    Ok(faces)
}

/// mahola.12 (c): a face, still without points for other dances.
fn read_face(entry: &CardEntry) -> Result<Face, Illegal> {
    let CardEntry { card, dance, colour, value, animal, secondary: _, adjacent: _ } = entry;
    let wrong = |field: &str, known: String, given: String| {
        refuse(format!("In the table cards, the {field} of card {card} must be {known}, not {given}."))
    };
    let dance = match Dance::named(dance) {
        None if dance != SPECIAL => {
            let known: Vec<String> = Dance::ALL.iter().map(Dance::to_string).chain([SPECIAL.into()]).collect();
            return wrong("dance", one_of(&known), quoted(dance));
        }
        dance => dance,
    };
    let Some(colour) = Colour::named(colour) else { return wrong("colour", one_of(Colour::ALL), quoted(colour)) };
    let Some(value) = read_points(*value) else { return wrong("value", numbers(), value.to_string()) };
    let Some(animal) = Animal::named(animal) else { return wrong("animal", one_of(Animal::ALL), quoted(animal)) };
    Ok(Face { dance, colour, value, animal, secondary: None, adjacent: None })
}

/// mahola.12 (d)
fn read_bonus(card: i32, field: &str, entry: Option<&BonusEntry>) -> Result<Option<(Dance, i16)>, Illegal> {
    let Some(BonusEntry { dance, points }) = entry else { return Ok(None) };
    let wrong = |part: &str, known: String, given: String| {
        refuse(format!("In the table cards, the {part} of {field} of card {card} must be {known}, not {given}."))
    };
    let Some(dance) = Dance::named(dance) else { return wrong("dance", one_of(Dance::ALL), quoted(dance)) };
    match read_points(*points) {
        Some(points) => Ok(Some((dance, points))),
        None => wrong("points", numbers(), points.to_string()),
    }
}

/// 1 to 9.
fn read_points(points: i32) -> Option<i16> {
    i16::try_from(points).ok().filter(|_| (1..=MOST).contains(&points))
}

fn numbers() -> String {
    format!("a whole number from 1 to {MOST}")
}

/// mahola.12 (f)
fn read_characters(entries: &[CharacterEntry]) -> Result<[(Colour, Animal); 4], Illegal> {
    let count = Character::ALL.len();
    if entries.len() != count {
        return refuse(wrong_length("characters", count, entries.len()));
    }
    let mut characters = CHARACTERS;
    let mut before = None;
    for (entry, character) in entries.iter().zip(Character::ALL) {
        if Character::named(&entry.character) != Some(*character) {
            return refuse(out_of_order("characters", before, character, quoted(&entry.character)));
        }
        before = Some(character.to_string());
    }
    for (n, (entry, character)) in entries.iter().zip(Character::ALL).enumerate() {
        let wrong = |field: &str, known: String, given: &str| {
            let place = format!("In the table characters, the {field} of {character}");
            refuse(format!("{place} must be {known}, not {}.", quoted(given)))
        };
        let Some(colour) = Colour::named(&entry.colour) else {
            return wrong("colour", one_of(Colour::ALL), &entry.colour);
        };
        let Some(animal) = Animal::named(&entry.animal) else {
            return wrong("animal", one_of(Animal::ALL), &entry.animal);
        };
        let twice = |what: String, other: Character| {
            refuse(format!("In the table characters, {other} and {character} have the same {what}."))
        };
        for (other, before) in Character::ALL.iter().zip(&characters[..n]) {
            if before.0 == colour {
                return twice(format!("colour, {colour}"), *other);
            }
            if before.1 == animal {
                return twice(format!("animal, {animal}"), *other);
            }
        }
        characters[n] = (colour, animal);
    }
    Ok(characters)
}

/// A card in an event. An event is read without the tables of its game, so a card of an own table brings its face along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Shown {
    BuiltIn(Card),
    Own {
        card: Card,
        /// `None` for a special dance.
        dance: Option<Dance>,
        colour: Colour,
        value: i16,
        animal: Animal,
    },
}

impl Shown {
    pub(super) fn new(tables: &Tables, card: Card) -> Shown {
        if !tables.has_own_cards() {
            return Shown::BuiltIn(card);
        }
        let Face { dance, colour, value, animal, .. } = *tables.face(card);
        Shown::Own { card, dance, colour, value, animal }
    }

    /// As [`Table::in_words`].
    pub(super) fn in_words(self) -> String {
        match self {
            Shown::BuiltIn(card) => BUILT_IN.in_words(card),
            Shown::Own { card, dance, colour, value, animal } => {
                Face { dance, colour, value, animal, secondary: None, adjacent: None }.in_words(card)
            }
        }
    }
}

impl From<Shown> for Card {
    fn from(shown: Shown) -> Card {
        let (Shown::BuiltIn(card) | Shown::Own { card, .. }) = shown;
        card
    }
}
