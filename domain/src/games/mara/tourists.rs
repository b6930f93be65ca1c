//! Animals, habitats and tourists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::set::{Numbered, Set};
use crate::Unreadable;
use crate::small::small;

/// The habitat of an animal: the back of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Habitat {
    Grove,
    Bush,
    Savannah,
    Waterhole,
    River,
}

/// An animal: the face of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Animal {
    Carnivore,
    Herbivore,
    Primate,
    Amphibian,
    Bird,
    Insect,
}

impl Habitat {
    pub const ALL: [Habitat; 5] =
        [Habitat::Grove, Habitat::Bush, Habitat::Savannah, Habitat::Waterhole, Habitat::River];

    pub const fn name(self) -> &'static str {
        match self {
            Habitat::Grove => "GROVE",
            Habitat::Bush => "BUSH",
            Habitat::Savannah => "SAVANNAH",
            Habitat::Waterhole => "WATERHOLE",
            Habitat::River => "RIVER",
        }
    }
}

impl Animal {
    pub const ALL: [Animal; 6] =
        [Animal::Carnivore, Animal::Herbivore, Animal::Primate, Animal::Amphibian, Animal::Bird, Animal::Insect];

    pub const fn name(self) -> &'static str {
        match self {
            Animal::Carnivore => "CARNIVORE",
            Animal::Herbivore => "HERBIVORE",
            Animal::Primate => "PRIMATE",
            Animal::Amphibian => "AMPHIBIAN",
            Animal::Bird => "BIRD",
            Animal::Insect => "INSECT",
        }
    }
}

/// A card: a tourist who wants to see this animal in this habitat. There is one of each, and one tile of each.
/// Notation: `RIVER-BIRD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Tourist {
    pub habitat: Habitat,
    pub animal: Animal,
}

/// Tourists of a pile, or in front of a seat: their order never matters.
pub type Tourists = Set<Tourist>;

/// How many tourists, and tiles, there are.
pub const TOURISTS: usize = Habitat::ALL.len() * Animal::ALL.len();

impl Tourist {
    pub const fn new(habitat: Habitat, animal: Animal) -> Tourist {
        Tourist { habitat, animal }
    }

    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Tourist> {
        (0..small(TOURISTS)).map(Tourist::of)
    }

    /// For sentences: `river bird`.
    pub fn words(self) -> String {
        format!("{} {}", self.habitat.name(), self.animal.name()).to_lowercase()
    }
}

impl Tourists {
    /// Those who want to see this animal, wherever it lives.
    pub(super) const fn wanting(animal: Animal) -> Tourists {
        let (mut bits, mut habitat) = (0, 0);
        while habitat < Habitat::ALL.len() {
            bits |= 1 << (habitat * Animal::ALL.len() + animal as usize);
            habitat += 1;
        }
        Tourists::of_bits(bits)
    }
}

impl Numbered for Tourist {
    fn number(self) -> u8 {
        self.habitat as u8 * small(Animal::ALL.len()) + self.animal as u8
    }

    fn of(number: u8) -> Tourist {
        let animals = Animal::ALL.len();
        Tourist::new(Habitat::ALL[usize::from(number) / animals], Animal::ALL[usize::from(number) % animals])
    }
}

impl fmt::Display for Tourist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.habitat.name(), self.animal.name())
    }
}

impl FromStr for Tourist {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Tourist, Unreadable> {
        let read = || {
            let (habitat, animal) = text.split_once('-')?;
            let habitat = Habitat::ALL.into_iter().find(|known| known.name() == habitat)?;
            let animal = Animal::ALL.into_iter().find(|known| known.name() == animal)?;
            Some(Tourist { habitat, animal })
        };
        read().ok_or_else(|| Unreadable::expected("a tourist, such as 'RIVER-BIRD'", text))
    }
}

impl From<Tourist> for String {
    fn from(tourist: Tourist) -> String {
        tourist.to_string()
    }
}

impl TryFrom<String> for Tourist {
    type Error = Unreadable;
    fn try_from(text: String) -> Result<Tourist, Unreadable> {
        text.parse()
    }
}
