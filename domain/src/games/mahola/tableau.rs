//! A row of dance cards: how abilities change it, and its score.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cards::{Card, Character};
use super::tables::{Shown, Tables};
use crate::small::small;

/// The end at which a card is played, or whose card a Maiden exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum End {
    Left,
    Right,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Left => "LEFT",
            End::Right => "RIGHT",
        })
    }
}

/// The cards in front of one seat, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tableau(Vec<Card>);

/// How a character's ability was used. Public once all have decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ability<C = Card> {
    Declined,
    /// The cards at these two positions changed places.
    Swapped {
        first: u8,
        second: u8,
    },
    /// The card at `from` moved to `to`.
    Moved {
        from: u8,
        to: u8,
    },
    /// The card `put` came from the hand to this position; the card `taken` is out.
    Exchanged {
        position: u8,
        put: C,
        taken: C,
    },
}

impl Ability {
    /// As it stands in an event.
    pub(super) fn shown(self, tables: &Tables) -> Ability<Shown> {
        match self {
            Ability::Declined => Ability::Declined,
            Ability::Swapped { first, second } => Ability::Swapped { first, second },
            Ability::Moved { from, to } => Ability::Moved { from, to },
            Ability::Exchanged { position, put, taken } => {
                Ability::Exchanged { position, put: Shown::new(tables, put), taken: Shown::new(tables, taken) }
            }
        }
    }
}

impl Tableau {
    pub fn cards(&self) -> &[Card] {
        &self.0
    }

    /// mahola.2
    pub fn place(&mut self, card: Card, end: End) {
        match end {
            End::Left => self.0.insert(0, card),
            End::Right => self.0.push(card),
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The Chief's.
    pub fn swap(&mut self, first: u8, second: u8) -> Ability {
        self.0.swap(first.into(), second.into());
        Ability::Swapped { first, second }
    }

    /// The Shaman's: moves the card at `from` to `to`.
    pub fn shift(&mut self, from: u8, to: u8) -> Ability {
        let card = self.0.remove(from.into());
        self.0.insert(to.into(), card);
        Ability::Moved { from, to }
    }

    /// The Hunter's, of the middle card.
    pub fn exchange_middle(&mut self, put: Card) -> Ability {
        self.exchange(self.0.len() / 2, put)
    }

    /// The Maiden's.
    pub fn exchange_end(&mut self, end: End, put: Card) -> Ability {
        match end {
            End::Left => self.exchange(0, put),
            End::Right => self.exchange(self.0.len() - 1, put),
        }
    }

    fn exchange(&mut self, position: usize, put: Card) -> Ability {
        let taken = std::mem::replace(&mut self.0[position], put);
        Ability::Exchanged { position: small(position), put, taken }
    }

    /// mahola.6 to mahola.8
    pub fn score(&self, character: Character, tables: &Tables) -> TableauScore {
        let cards: Vec<CardScore> =
            (0..self.0.len()).map(|position| self.card_score(position, character, tables)).collect();
        TableauScore {
            total: cards.iter().map(|card| card.value + card.secondary + card.adjacent).sum(),
            specials: small(self.0.iter().filter(|card| tables.face(**card).is_special()).count()),
            secondary_matches: small(cards.iter().filter(|card| !card.secondary_by.is_empty()).count()),
            cards,
        }
    }

    fn card_score(&self, position: usize, character: Character, tables: &Tables) -> CardScore {
        let card = self.0[position];
        let face = tables.face(card);
        let (value, because) = if face.colour == tables.colour(character) {
            (face.value, Because::Colour)
        } else if face.animal == tables.animal(character) {
            (0, Because::Animal)
        } else {
            (-face.value, Because::Neither)
        };
        let others = |dance| {
            let others = self.0.iter().enumerate().filter(move |(i, _)| *i != position);
            others.filter(move |(_, other)| tables.face(**other).shows(dance)).map(|(i, _)| i)
        };
        let mut score = CardScore {
            card,
            value,
            because,
            secondary: 0,
            secondary_by: Vec::new(),
            adjacent: 0,
            adjacent_by: Vec::new(),
        };
        if let Some((dance, points)) = face.secondary {
            score.secondary_by = others(dance).map(small).collect();
            score.secondary = if score.secondary_by.is_empty() { 0 } else { points };
        }
        if let Some((dance, points)) = face.adjacent {
            score.adjacent_by = others(dance).filter(|i| i.abs_diff(position) == 1).map(small).collect();
            score.adjacent = points * i16::from(small(score.adjacent_by.len()));
        }
        score
    }
}

impl From<Vec<Card>> for Tableau {
    fn from(cards: Vec<Card>) -> Tableau {
        Tableau(cards)
    }
}

/// The score of a tableau for a character, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableauScore {
    /// From left to right.
    pub cards: Vec<CardScore>,
    pub total: i16,
    /// The first tie-break: how many special dances there are.
    pub specials: u8,
    /// The second tie-break: how many cards' secondary points counted.
    pub secondary_matches: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardScore {
    pub card: Card,
    /// The printed value, 0, or the negative printed value.
    pub value: i16,
    pub because: Because,
    pub secondary: i16,
    /// The positions of the cards that show the secondary dance.
    pub secondary_by: Vec<u8>,
    pub adjacent: i16,
    /// The positions of the neighbours that show the adjacent dance.
    pub adjacent_by: Vec<u8>,
}

/// Why a card's value counts as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Because {
    /// The colour is the character's: added.
    Colour,
    /// The colour is not, but the animal is: nothing.
    Animal,
    /// Neither is: subtracted.
    Neither,
}
