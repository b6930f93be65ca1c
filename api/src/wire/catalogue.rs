//! The catalogue of kinds on the wire.

use async_graphql::SimpleObject;
use domain::{About, OptionValue, TABLE_RULES};
use serde::Serialize;
use utoipa::ToSchema;

use super::Kind;

/// A kind of game: who can play it, how it can be set up, what is in the box, and its rules by id.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rulebook {
    /// The kind's name in this API.
    pub kind: Kind,
    /// The name that people know.
    pub title: String,
    /// What it is about, for somebody who has never heard of it.
    pub summary: String,
    /// The version of these rules. A game keeps the version it was started with.
    pub rules_version: i32,
    /// The fewest seats that a table can have.
    pub least_seats: i32,
    /// The most seats that a table can have.
    pub most_seats: i32,
    /// An example of a move in notation.
    pub notation: String,
    /// What can be chosen when a game is opened.
    pub options: Vec<RulebookOption>,
    /// Cards, dice and other things in the box, as tables.
    pub components: Vec<Component>,
    /// The board, where its geometry matters.
    pub board: Option<Board>,
    /// Every rule, by the id that refusals name.
    pub rules: Vec<Rule>,
}

/// A choice that is made when a game is opened.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulebookOption {
    /// Its name among the options of a new game.
    pub name: String,
    /// What it changes.
    pub text: String,
    /// Its type: WHOLE_NUMBER, FLAG, WORD or SEAT.
    pub value: String,
    /// What it is when left out, as JSON writes it; null where chance decides.
    pub default: Option<String>,
    /// The least, of a whole number.
    pub least: Option<i32>,
    /// The most, of a whole number.
    pub most: Option<i32>,
    /// The words to choose from.
    pub words: Option<Vec<String>>,
}

/// Things in the box, as a table.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// What they are.
    pub name: String,
    /// What there is to say about them.
    pub text: String,
    /// Whether the printed original is lost and this is a careful guess.
    pub reconstructed: bool,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows; each has a cell for every column.
    pub rows: Vec<Vec<String>>,
}

/// A board: what is where, and what is next to what.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// The hexagons.
    pub cells: Vec<BoardCell>,
    /// Where pieces can stand.
    pub places: Vec<BoardPlace>,
}

/// A hexagon of a board, in axial coordinates.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardCell {
    /// Its number.
    pub number: i32,
    /// Its column.
    pub q: i32,
    /// Its slanted row.
    pub r: i32,
    /// What lies there.
    pub role: String,
}

/// A place where a piece can stand.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardPlace {
    /// Its number.
    pub number: i32,
    /// What it is.
    pub role: String,
    /// The cells it touches, by number.
    pub cells: Vec<i32>,
    /// The places one step away, by number.
    pub neighbours: Vec<i32>,
}

/// A rule, by the id that refusals name.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Such as kalah.3. Ids that begin with `table` hold for every kind.
    pub id: String,
    /// The rule in short.
    pub text: String,
}

impl Rulebook {
    pub fn of(kind: domain::Kind) -> Rulebook {
        let About { title, summary, notation, options, components, board, rules } = kind.about();
        let table_rules = TABLE_RULES.iter().map(|(id, text)| Rule { id: id.to_string(), text: text.to_string() });
        let rules = rules.into_iter().map(|rule| Rule { id: rule.id.to_string(), text: rule.text.into() });
        Rulebook {
            kind: kind.into(),
            title: title.into(),
            summary: summary.into(),
            rules_version: kind.rules_version() as i32,
            least_seats: (*kind.seats().start()).into(),
            most_seats: (*kind.seats().end()).into(),
            notation: notation.into(),
            options: options.into_iter().map(RulebookOption::of).collect(),
            components: components.into_iter().map(Component::of).collect(),
            board: board.map(Board::of),
            rules: rules.chain(table_rules).collect(),
        }
    }
}

impl RulebookOption {
    fn of(option: domain::OptionAbout) -> RulebookOption {
        let domain::OptionAbout { name, text, value } = option;
        let mut about = RulebookOption {
            name: name.into(),
            text: text.into(),
            value: "SEAT".into(),
            default: None,
            least: None,
            most: None,
            words: None,
        };
        match value {
            OptionValue::Seat => {}
            OptionValue::Whole { least, most, default } => {
                about.value = "WHOLE_NUMBER".into();
                about.default = Some(default.to_string());
                about.least = Some(least as i32);
                about.most = Some(most as i32);
            }
            OptionValue::Flag { default } => {
                about.value = "FLAG".into();
                about.default = Some(default.to_string());
            }
            OptionValue::Word { words, default } => {
                about.value = "WORD".into();
                about.default = Some(format!("\"{default}\""));
                about.words = Some(words.iter().map(ToString::to_string).collect());
            }
        }
        about
    }
}

impl Component {
    fn of(component: domain::Component) -> Component {
        let domain::Component { name, text, reconstructed, columns, rows } = component;
        Component {
            name: name.into(),
            text: text.into(),
            reconstructed,
            columns: columns.into_iter().map(String::from).collect(),
            rows,
        }
    }
}

impl Board {
    fn of(board: domain::Board) -> Board {
        let numbers = |list: Vec<u32>| list.into_iter().map(|number| number as i32).collect();
        let domain::Board { cells, places } = board;
        let cells = cells.into_iter().map(|domain::Cell { number, q, r, role }| BoardCell {
            number: number as i32,
            q,
            r,
            role: role.into(),
        });
        let places = places.into_iter().map(|domain::Place { number, role, cells, neighbours }| BoardPlace {
            number: number as i32,
            role: role.into(),
            cells: numbers(cells),
            neighbours: numbers(neighbours),
        });
        Board { cells: cells.collect(), places: places.collect() }
    }
}
