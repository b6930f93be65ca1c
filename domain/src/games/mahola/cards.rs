//! The components: 44 dance cards and four characters.
//!
//! The printed faces are lost and the tables at the end are our reconstruction. An owner of the printed game can correct
//! them for a game by the option `components`: see [`Tables`](super::tables::Tables).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Unreadable;
use crate::small::small;

use Animal::*;
use Colour::*;
use Dance::*;

/// Defines an enum whose values are written in capitals, in JSON and in text.
macro_rules! words {
    ($(#[$about:meta])* $Name:ident { $($Word:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $Name { $(#[serde(rename = $text)] $Word,)* }

        impl $Name {
            pub const ALL: &[$Name] = &[$($Name::$Word,)*];

            /// Reads a name in capitals.
            pub(super) fn named(name: &str) -> Option<$Name> {
                match name { $($text => Some($Name::$Word),)* _ => None }
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($Name::$Word => $text,)* })
            }
        }
    };
}

words!(Colour { Red = "RED", Blue = "BLUE", Yellow = "YELLOW", Green = "GREEN", });
words!(Animal { Bear = "BEAR", Snake = "SNAKE", Wolf = "WOLF", Raven = "RAVEN", });
words!(Dance {
    War = "WAR",
    Gourd = "GOURD",
    Spirit = "SPIRIT",
    Hoop = "HOOP",
    Fire = "FIRE",
    Grass = "GRASS",
    Rain = "RAIN",
    Sun = "SUN",
});
words!(
    /// The character that a player dances for, dealt each round.
    Character { Chief = "CHIEF", Shaman = "SHAMAN", Hunter = "HUNTER", Maiden = "MAIDEN", }
);

impl Character {
    /// The ability: what the character may do to its own tableau after the fifth turn.
    pub const fn ability(self) -> &'static str {
        match self {
            Character::Chief => "swap two cards of the tableau",
            Character::Shaman => "move one card of the tableau to another position",
            Character::Hunter => "exchange the middle card of the tableau for a card from the hand",
            Character::Maiden => "exchange one of the two end cards of the tableau for a card from the hand",
        }
    }
}

/// The face of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// `None` for a special dance, which counts as every dance when other cards look for one.
    pub dance: Option<Dance>,
    pub colour: Colour,
    pub value: i16,
    pub animal: Animal,
    /// Points if this dance is shown by another card of the tableau.
    pub secondary: Option<(Dance, i16)>,
    /// Points for each direct neighbour that shows this dance.
    pub adjacent: Option<(Dance, i16)>,
}

impl Face {
    /// The card with the main part of this face: '17 (HOOP, RED 2, WOLF)'.
    pub fn in_words(&self, card: Card) -> String {
        let Face { dance, colour, value, animal, .. } = self;
        match dance {
            Some(dance) => format!("{card} ({dance}, {colour} {value}, {animal})"),
            None => format!("{card} (special, {colour} {value}, {animal})"),
        }
    }

    pub const fn is_special(&self) -> bool {
        self.dance.is_none()
    }

    pub fn shows(&self, dance: Dance) -> bool {
        self.dance.is_none_or(|own| own == dance)
    }
}

const fn ordinary(
    dance: Dance,
    colour: Colour,
    value: i16,
    animal: Animal,
    secondary: (Dance, i16),
    adjacent: (Dance, i16),
) -> Face {
    Face { dance: Some(dance), colour, value, animal, secondary: Some(secondary), adjacent: Some(adjacent) }
}

const fn special(colour: Colour, value: i16, animal: Animal) -> Face {
    Face { dance: None, colour, value, animal, secondary: None, adjacent: None }
}

/// Card 1 first: dance, colour, value, animal, secondary, adjacent.
pub(super) const FACES: [Face; Card::COUNT as usize] = [
    ordinary(War, Red, 1, Snake, (Gourd, 3), (Sun, 2)),
    ordinary(War, Blue, 2, Raven, (Spirit, 3), (Rain, 2)),
    ordinary(War, Yellow, 3, Snake, (Hoop, 2), (Grass, 2)),
    ordinary(War, Green, 4, Bear, (Fire, 1), (Hoop, 1)),
    ordinary(War, Red, 5, Wolf, (Grass, 1), (Spirit, 1)),
    ordinary(Gourd, Blue, 1, Wolf, (Spirit, 3), (War, 2)),
    ordinary(Gourd, Yellow, 2, Bear, (Hoop, 3), (Sun, 2)),
    ordinary(Gourd, Green, 3, Wolf, (Fire, 2), (Rain, 2)),
    ordinary(Gourd, Red, 4, Snake, (Grass, 1), (Fire, 1)),
    ordinary(Gourd, Blue, 5, Raven, (Rain, 1), (Hoop, 1)),
    ordinary(Spirit, Yellow, 1, Raven, (Hoop, 3), (Gourd, 2)),
    ordinary(Spirit, Green, 2, Snake, (Fire, 3), (War, 2)),
    ordinary(Spirit, Red, 3, Raven, (Grass, 2), (Sun, 2)),
    ordinary(Spirit, Blue, 4, Wolf, (Rain, 1), (Grass, 1)),
    ordinary(Spirit, Yellow, 5, Bear, (Sun, 1), (Fire, 1)),
    ordinary(Hoop, Green, 1, Bear, (Fire, 3), (Spirit, 2)),
    ordinary(Hoop, Red, 2, Wolf, (Grass, 3), (Gourd, 2)),
    ordinary(Hoop, Blue, 3, Bear, (Rain, 2), (War, 2)),
    ordinary(Hoop, Yellow, 4, Raven, (Sun, 1), (Rain, 1)),
    ordinary(Hoop, Green, 5, Snake, (War, 1), (Grass, 1)),
    ordinary(Fire, Red, 1, Wolf, (Grass, 3), (Hoop, 2)),
    ordinary(Fire, Blue, 2, Bear, (Rain, 3), (Spirit, 2)),
    ordinary(Fire, Yellow, 3, Raven, (Sun, 2), (Gourd, 2)),
    ordinary(Fire, Green, 4, Snake, (War, 1), (Sun, 1)),
    ordinary(Fire, Red, 5, Raven, (Gourd, 1), (Rain, 1)),
    ordinary(Grass, Blue, 1, Raven, (Rain, 3), (Fire, 2)),
    ordinary(Grass, Yellow, 2, Snake, (Sun, 3), (Hoop, 2)),
    ordinary(Grass, Green, 3, Bear, (War, 2), (Spirit, 2)),
    ordinary(Grass, Red, 4, Wolf, (Gourd, 1), (War, 1)),
    ordinary(Grass, Blue, 5, Bear, (Spirit, 1), (Sun, 1)),
    ordinary(Rain, Yellow, 1, Bear, (Sun, 3), (Grass, 2)),
    ordinary(Rain, Green, 2, Wolf, (War, 3), (Fire, 2)),
    ordinary(Rain, Red, 3, Snake, (Gourd, 2), (Hoop, 2)),
    ordinary(Rain, Blue, 4, Raven, (Spirit, 1), (Gourd, 1)),
    ordinary(Rain, Yellow, 5, Snake, (Hoop, 1), (War, 1)),
    ordinary(Sun, Green, 1, Snake, (War, 3), (Rain, 2)),
    ordinary(Sun, Red, 2, Raven, (Gourd, 3), (Grass, 2)),
    ordinary(Sun, Blue, 3, Wolf, (Spirit, 2), (Fire, 2)),
    ordinary(Sun, Yellow, 4, Bear, (Hoop, 1), (Spirit, 1)),
    ordinary(Sun, Green, 5, Wolf, (Fire, 1), (Gourd, 1)),
    special(Red, 4, Bear),
    special(Blue, 4, Snake),
    special(Yellow, 4, Wolf),
    special(Green, 4, Raven),
];

/// Colour and animal of each character, in the order of [`Character::ALL`].
pub(super) const CHARACTERS: [(Colour, Animal); 4] = [(Red, Bear), (Blue, Snake), (Yellow, Wolf), (Green, Raven)];

/// A dance card, by its number in the table: 1 to 44. There is one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Card(u8);

impl Card {
    pub const COUNT: u8 = 44;

    pub fn numbered(number: u8) -> Option<Card> {
        (1..=Card::COUNT).contains(&number).then_some(Card(number))
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    pub fn all() -> impl Iterator<Item = Card> {
        (1..=Card::COUNT).map(Card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Digits only, and no zero in front of others.
impl FromStr for Card {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Card, Unreadable> {
        let card = text.parse().ok().and_then(Card::numbered).filter(|card| card.to_string() == text);
        card.ok_or_else(|| Unreadable::expected("a card, such as '17'", text))
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> u8 {
        card.0
    }
}

impl TryFrom<u8> for Card {
    type Error = String;
    fn try_from(number: u8) -> Result<Card, String> {
        Card::numbered(number).ok_or_else(|| format!("cards are numbered 1 to {}", Card::COUNT))
    }
}

/// A set of cards, such as a hand; always in the order of their numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Card>", from = "Vec<Card>")]
pub struct Cards(u64);

impl Cards {
    pub const NONE: Cards = Cards(0);

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 & (1 << card.0) != 0
    }

    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let card = (rest != 0).then(|| Card(small(rest.trailing_zeros() as usize)));
            rest &= rest.wrapping_sub(1);
            card
        })
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        let mut set = Cards::NONE;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl From<Cards> for Vec<Card> {
    fn from(cards: Cards) -> Vec<Card> {
        cards.iter().collect()
    }
}

impl From<Vec<Card>> for Cards {
    fn from(cards: Vec<Card>) -> Cards {
        cards.into_iter().collect()
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Card::number)).finish()
    }
}
