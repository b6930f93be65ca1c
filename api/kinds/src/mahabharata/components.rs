//! The tables of Mahabharata on the wire: the option `components`.

use async_graphql::{InputObject, SimpleObject};
use domain::games::mahabharata;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MahabharataFace, MahabharataUnit};
use crate::word::Word;

/// Tables of Mahabharata in place of the built-in ones: dice, leaders or both. Rule mbh.14 says what makes a table.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataComponents", input_name = "MahabharataComponentsInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MahabharataComponents {
    /// The four kinds of dice, CHARIOT, ELEPHANT, CAVALRY and INFANTRY, with two dice of each; null for the built-in
    /// table.
    pub dice: Option<Vec<MahabharataDieFaces>>,
    /// The ten leaders; null for the built-in table.
    pub leaders: Option<Vec<MahabharataLeaderCard>>,
}

/// A kind of die. There are two dice of each.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataDieFaces", input_name = "MahabharataDieFacesInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MahabharataDieFaces {
    /// The unit that names the die. Its faces may show any unit.
    #[schema(value_type = MahabharataUnit)]
    pub unit: Word<MahabharataUnit>,
    /// The six faces.
    #[schema(value_type = Vec<MahabharataFace>)]
    pub faces: Vec<Word<MahabharataFace>>,
}

/// The card of a leader.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataLeaderCard", input_name = "MahabharataLeaderCardInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MahabharataLeaderCard {
    /// The leader's name, 1 to 40 characters.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// Its victory points, 1 to 18.
    #[schema(minimum = 1, maximum = 18)]
    pub points: i32,
    /// The icons of its spaces, space 0 first: as many as it has points.
    #[schema(value_type = Vec<MahabharataUnit>)]
    pub spaces: Vec<Word<MahabharataUnit>>,
}

/// Names as texts, or the other way round.
fn each<T, U: From<T>>(words: Vec<T>) -> Vec<U> {
    words.into_iter().map(U::from).collect()
}

impl From<mahabharata::Components> for MahabharataComponents {
    fn from(mahabharata::Components { dice, leaders }: mahabharata::Components) -> MahabharataComponents {
        MahabharataComponents { dice: dice.map(each), leaders: leaders.map(each) }
    }
}

impl From<MahabharataComponents> for mahabharata::Components {
    fn from(MahabharataComponents { dice, leaders }: MahabharataComponents) -> mahabharata::Components {
        mahabharata::Components { dice: dice.map(each), leaders: leaders.map(each) }
    }
}

impl From<mahabharata::DieEntry> for MahabharataDieFaces {
    fn from(mahabharata::DieEntry { unit, faces }: mahabharata::DieEntry) -> MahabharataDieFaces {
        MahabharataDieFaces { unit: unit.into(), faces: each(faces) }
    }
}

impl From<MahabharataDieFaces> for mahabharata::DieEntry {
    fn from(MahabharataDieFaces { unit, faces }: MahabharataDieFaces) -> mahabharata::DieEntry {
        mahabharata::DieEntry { unit: unit.into(), faces: each(faces) }
    }
}

impl From<mahabharata::LeaderEntry> for MahabharataLeaderCard {
    fn from(mahabharata::LeaderEntry { name, points, spaces }: mahabharata::LeaderEntry) -> MahabharataLeaderCard {
        MahabharataLeaderCard { name, points, spaces: each(spaces) }
    }
}

impl From<MahabharataLeaderCard> for mahabharata::LeaderEntry {
    fn from(MahabharataLeaderCard { name, points, spaces }: MahabharataLeaderCard) -> mahabharata::LeaderEntry {
        mahabharata::LeaderEntry { name, points, spaces: each(spaces) }
    }
}
