//! The cards of La Macarena: two copies of thirteen ranks in four elements.
//!
//! An owner of the printed game can correct them here and nowhere else.
#![expect(clippy::cast_possible_truncation, reason = "there are 52 faces, each a bit of a set")]

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Chance, Component, Unreadable};

pub const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
pub const COPIES: u8 = 2;
/// The number of different cards.
pub const FACES: u8 = RANKS.len() as u8 * Element::ALL.len() as u8;
/// All cards of the box.
pub const CARDS: usize = FACES as usize * COPIES as usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Element {
    Earth,
    Air,
    Water,
    Fire,
}

impl Element {
    pub const ALL: [Element; 4] = [Element::Earth, Element::Air, Element::Water, Element::Fire];

    pub const fn name(self) -> &'static str {
        ["EARTH", "AIR", "WATER", "FIRE"][self as usize]
    }

    /// Its letter in a card's name.
    pub const fn letter(self) -> char {
        ['E', 'A', 'W', 'F'][self as usize]
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Element {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Element, Unreadable> {
        let known = Element::ALL.into_iter().find(|element| element.name() == text);
        known.ok_or_else(|| Unreadable::expected("EARTH, AIR, WATER or FIRE", text))
    }
}

/// A set of elements.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(into = "Vec<Element>", from = "Vec<Element>")]
pub struct Elements(u8);

impl Elements {
    pub const NONE: Elements = Elements(0);

    pub const fn one(element: Element) -> Elements {
        Elements(1 << element as u8)
    }

    pub const fn contains(self, element: Element) -> bool {
        self.0 & (1 << element as u8) != 0
    }

    pub const fn with(self, element: Element) -> Elements {
        Elements(self.0 | 1 << element as u8)
    }

    pub const fn without(self, element: Element) -> Elements {
        Elements(self.0 & !(1 << element as u8))
    }

    /// Those that are not in this set.
    pub const fn missing(self) -> Elements {
        Elements(!self.0 & 0b1111)
    }

    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The element, if it is the only one.
    pub fn only(self) -> Option<Element> {
        self.iter().next().filter(|_| self.len() == 1)
    }

    pub fn iter(self) -> impl Iterator<Item = Element> + Clone {
        Element::ALL.into_iter().filter(move |element| self.contains(*element))
    }
}

impl From<Elements> for Vec<Element> {
    fn from(elements: Elements) -> Vec<Element> {
        elements.iter().collect()
    }
}

impl From<Vec<Element>> for Elements {
    fn from(elements: Vec<Element>) -> Elements {
        elements.into_iter().fold(Elements::NONE, Elements::with)
    }
}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A card by its face; the two copies are indistinguishable. Its text is rank and element: `10W`, `AE`, `KF`.
///
/// Cards sort by element and then by rank, the ace lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// `rank` counts from the ace, 0, to the king, 12.
    pub const fn new(rank: u8, element: Element) -> Card {
        assert!(rank < RANKS.len() as u8, "there are thirteen ranks");
        Card(element as u8 * RANKS.len() as u8 + rank)
    }

    pub const fn rank(self) -> u8 {
        self.0 % RANKS.len() as u8
    }

    pub const fn element(self) -> Element {
        Element::ALL[(self.0 / RANKS.len() as u8) as usize]
    }

    /// The card one rank up in the same element; after the king comes the ace.
    pub const fn up(self) -> Card {
        if self.rank() as usize == RANKS.len() - 1 { Card(self.0 + 1 - RANKS.len() as u8) } else { Card(self.0 + 1) }
    }

    /// The card one rank down in the same element; below the ace comes the king.
    pub const fn down(self) -> Card {
        if self.rank() == 0 { Card(self.0 + RANKS.len() as u8 - 1) } else { Card(self.0 - 1) }
    }

    /// The rank for comparisons: 2 is lowest, the ace is above the king.
    pub const fn height(self) -> u8 {
        if self.rank() == 0 { RANKS.len() as u8 } else { self.rank() }
    }

    pub fn faces() -> impl Iterator<Item = Card> + Clone {
        (0..FACES).map(Card)
    }

    /// All cards, shuffled.
    pub fn shuffled(chance: &mut Chance) -> Vec<Card> {
        let mut cards: Vec<Card> = Card::faces().chain(Card::faces()).collect();
        chance.shuffle(&mut cards);
        cards
    }

    const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", RANKS[self.rank() as usize], self.element().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Card, Unreadable> {
        let read = || {
            let element = Element::ALL.into_iter().find(|element| text.ends_with(element.letter()))?;
            let rank = RANKS.iter().position(|rank| *rank == &text[..text.len() - 1])?;
            Some(Card::new(rank as u8, element))
        };
        read().ok_or_else(|| Unreadable::expected("a card such as '10W' or 'AE'", text))
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Card;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as 10W")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Card, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A set of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faces(u64);

impl Faces {
    pub const NONE: Faces = Faces(0);

    pub const fn one(card: Card) -> Faces {
        Faces(card.bit())
    }

    /// The four cards of a card's rank.
    pub const fn of_rank(card: Card) -> Faces {
        const ACES: u64 = 1 | 1 << RANKS.len() | 1 << (2 * RANKS.len()) | 1 << (3 * RANKS.len());
        Faces(ACES << card.rank())
    }

    /// All cards of these elements.
    pub const fn of_elements(elements: Elements) -> Faces {
        const SUIT: u64 = (1 << RANKS.len()) - 1;
        let (mut faces, mut element) = (0, 0);
        while element < Element::ALL.len() {
            if elements.contains(Element::ALL[element]) {
                faces |= SUIT << (element * RANKS.len());
            }
            element += 1;
        }
        Faces(faces)
    }

    pub const fn or(self, other: Faces) -> Faces {
        Faces(self.0 | other.0)
    }

    pub const fn and(self, other: Faces) -> Faces {
        Faces(self.0 & other.0)
    }

    pub const fn without(self, other: Faces) -> Faces {
        Faces(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 & card.bit() != 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

/// Lowest card first.
impl Iterator for Faces {
    type Item = Card;
    fn next(&mut self) -> Option<Card> {
        let card = (self.0 != 0).then(|| Card(self.0.trailing_zeros() as u8))?;
        self.0 &= self.0 - 1;
        Some(card)
    }
}

/// Cards whose order does not matter: a hand, a collection, the cards under a well.
#[derive(Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "Vec<Card>", try_from = "Vec<Card>")]
pub struct Cards {
    /// Faces of which there is at least one copy.
    any: u64,
    /// Faces of which there are both copies.
    both: u64,
}

impl Cards {
    pub const fn len(self) -> u8 {
        (self.any.count_ones() + self.both.count_ones()) as u8
    }

    pub const fn is_empty(self) -> bool {
        self.any == 0
    }

    pub const fn faces(self) -> Faces {
        Faces(self.any)
    }

    pub const fn count(self, card: Card) -> u8 {
        (self.any & card.bit() != 0) as u8 + (self.both & card.bit() != 0) as u8
    }

    /// Adds a card; false if both copies are there already.
    pub const fn put(&mut self, card: Card) -> bool {
        let bit = card.bit();
        if self.both & bit != 0 {
            return false;
        }
        self.both |= self.any & bit;
        self.any |= bit;
        true
    }

    /// Removes a card; false if there is none.
    pub const fn take(&mut self, card: Card) -> bool {
        let bit = card.bit();
        if self.both & bit != 0 {
            self.both &= !bit;
            return true;
        }
        let had = self.any & bit != 0;
        self.any &= !bit;
        had
    }

    /// Sorted, each copy by itself.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        self.faces().flat_map(move |card| std::iter::repeat_n(card, self.count(card) as usize))
    }

    /// Those of one element, the highest first.
    pub fn from_the_top(self, element: Element) -> Vec<Card> {
        let mut cards: Vec<Card> = self.iter().filter(|card| card.element() == element).collect();
        cards.sort_by_key(|card| std::cmp::Reverse(card.height()));
        cards
    }
}

impl FromIterator<Card> for Cards {
    /// Third copies are left out; a box has none.
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        let mut pile = Cards::default();
        for card in cards {
            pile.put(card);
        }
        pile
    }
}

impl From<Cards> for Vec<Card> {
    fn from(cards: Cards) -> Vec<Card> {
        cards.iter().collect()
    }
}

impl TryFrom<Vec<Card>> for Cards {
    type Error = &'static str;
    fn try_from(cards: Vec<Card>) -> Result<Cards, &'static str> {
        let mut pile = Cards::default();
        match cards.into_iter().all(|card| pile.put(card)) {
            true => Ok(pile),
            false => Err("there are two copies of a card, not three"),
        }
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The cards in the catalogue.
pub fn component() -> Component {
    let row =
        |element: Element| vec![element.letter().to_string(), element.to_string(), RANKS.join(" "), COPIES.to_string()];
    Component {
        name: "Cards",
        text: "A card is named by its rank and the letter of its element: 10W is the ten of water, AA the ace of air. The two copies of a card have the same name.",
        reconstructed: false,
        columns: vec!["letter", "element", "ranks", "copies"],
        rows: Element::ALL.into_iter().map(row).collect(),
    }
}
