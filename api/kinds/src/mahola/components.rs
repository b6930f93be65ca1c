//! The tables of Mahola on the wire: the option `components`.

use async_graphql::{Enum, InputObject, SimpleObject};
use domain::games::mahola;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::MaholaCharacter;
use crate::word::Word;

/// Tables of Mahola in place of the built-in ones: cards, characters or both. Rule mahola.12 says what makes a table.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaComponents", input_name = "MaholaComponentsInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaComponents {
    /// All 44 dance cards, card 1 first; null for the built-in table.
    pub cards: Option<Vec<MaholaCard>>,
    /// All four characters: CHIEF, SHAMAN, HUNTER, MAIDEN; null for the built-in table.
    pub characters: Option<Vec<MaholaCharacterCard>>,
}

/// A dance card.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaCard", input_name = "MaholaCardInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaCard {
    /// Its number, 1 to 44.
    #[schema(minimum = 1, maximum = 44)]
    pub card: i32,
    /// Its dance. A SPECIAL one counts as every dance for the points of other cards.
    #[schema(value_type = MaholaCardDance)]
    pub dance: Word<MaholaCardDance>,
    /// Its colour.
    #[schema(value_type = MaholaColour)]
    pub colour: Word<MaholaColour>,
    /// Its value, 1 to 9.
    #[schema(minimum = 1, maximum = 9)]
    pub value: i32,
    /// Its spirit animal.
    #[schema(value_type = MaholaAnimal)]
    pub animal: Word<MaholaAnimal>,
    /// The dance that another card of the tableau must show for these points; null if the card has none.
    pub secondary: Option<MaholaBonus>,
    /// The dance that a neighbour must show for these points; null if the card has none.
    pub adjacent: Option<MaholaBonus>,
}

/// Points for another dance.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaBonus", input_name = "MaholaBonusInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaBonus {
    /// The dance, one of the eight.
    #[schema(value_type = MaholaCardDance)]
    pub dance: Word<MaholaCardDance>,
    /// The points, 1 to 9.
    #[schema(minimum = 1, maximum = 9)]
    pub points: i32,
}

/// What a character dances for. Its ability is that of its name.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaCharacterCard", input_name = "MaholaCharacterCardInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaCharacterCard {
    /// The character.
    #[schema(value_type = MaholaCharacter)]
    pub character: Word<MaholaCharacter>,
    /// Cards of this colour count for it.
    #[schema(value_type = MaholaColour)]
    pub colour: Word<MaholaColour>,
    /// Cards of another colour with this spirit animal do it no harm.
    #[schema(value_type = MaholaAnimal)]
    pub animal: Word<MaholaAnimal>,
}

/// A dance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaCardDance {
    /// The war dance.
    War,
    /// The gourd dance.
    Gourd,
    /// The spirit dance.
    Spirit,
    /// The hoop dance.
    Hoop,
    /// The fire dance.
    Fire,
    /// The grass dance.
    Grass,
    /// The rain dance.
    Rain,
    /// The sun dance.
    Sun,
    /// A special dance, which counts as every dance. No card gives points for it.
    Special,
}

/// A colour of cards and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaColour {
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
}

/// A spirit animal of cards and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaAnimal {
    /// The bear.
    Bear,
    /// The snake.
    Snake,
    /// The wolf.
    Wolf,
    /// The raven.
    Raven,
}

impl From<mahola::Components> for MaholaComponents {
    fn from(mahola::Components { cards, characters }: mahola::Components) -> MaholaComponents {
        MaholaComponents {
            cards: cards.map(|cards| cards.into_iter().map(MaholaCard::from).collect()),
            characters: characters.map(|characters| characters.into_iter().map(MaholaCharacterCard::from).collect()),
        }
    }
}

impl From<MaholaComponents> for mahola::Components {
    fn from(MaholaComponents { cards, characters }: MaholaComponents) -> mahola::Components {
        mahola::Components {
            cards: cards.map(|cards| cards.into_iter().map(mahola::CardEntry::from).collect()),
            characters: characters.map(|characters| characters.into_iter().map(mahola::CharacterEntry::from).collect()),
        }
    }
}

impl From<mahola::CardEntry> for MaholaCard {
    fn from(entry: mahola::CardEntry) -> MaholaCard {
        let mahola::CardEntry { card, dance, colour, value, animal, secondary, adjacent } = entry;
        MaholaCard {
            card,
            dance: dance.into(),
            colour: colour.into(),
            value,
            animal: animal.into(),
            secondary: secondary.map(MaholaBonus::from),
            adjacent: adjacent.map(MaholaBonus::from),
        }
    }
}

impl From<MaholaCard> for mahola::CardEntry {
    fn from(entry: MaholaCard) -> mahola::CardEntry {
        let MaholaCard { card, dance, colour, value, animal, secondary, adjacent } = entry;
        mahola::CardEntry {
            card,
            dance: dance.into(),
            colour: colour.into(),
            value,
            animal: animal.into(),
            secondary: secondary.map(mahola::BonusEntry::from),
            adjacent: adjacent.map(mahola::BonusEntry::from),
        }
    }
}

impl From<mahola::BonusEntry> for MaholaBonus {
    fn from(mahola::BonusEntry { dance, points }: mahola::BonusEntry) -> MaholaBonus {
        MaholaBonus { dance: dance.into(), points }
    }
}

impl From<MaholaBonus> for mahola::BonusEntry {
    fn from(MaholaBonus { dance, points }: MaholaBonus) -> mahola::BonusEntry {
        mahola::BonusEntry { dance: dance.into(), points }
    }
}

impl From<mahola::CharacterEntry> for MaholaCharacterCard {
    fn from(mahola::CharacterEntry { character, colour, animal }: mahola::CharacterEntry) -> MaholaCharacterCard {
        MaholaCharacterCard { character: character.into(), colour: colour.into(), animal: animal.into() }
    }
}

impl From<MaholaCharacterCard> for mahola::CharacterEntry {
    fn from(MaholaCharacterCard { character, colour, animal }: MaholaCharacterCard) -> mahola::CharacterEntry {
        mahola::CharacterEntry { character: character.into(), colour: colour.into(), animal: animal.into() }
    }
}
