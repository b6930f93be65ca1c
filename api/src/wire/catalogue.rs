//! The catalogue of kinds on the wire.

use async_graphql::SimpleObject;
use domain::{About, OptionValue, RuleAbout, TABLE_RULES};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Kind, int};

/// The reason for the rules that hold for every kind.
const WHY_TABLES_HAVE_RULES: &str = "No rulebook says how a game is played over a server.";

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
    /// The newest version of the rules, which new games are played by. A game keeps its version to its end.
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
    /// The versions of the rules before the newest, the newest first: those of games that began under them.
    pub earlier_versions: Vec<EarlierRules>,
    /// Everything that goes differently for players since version 1, the oldest change first.
    pub changes: Vec<RuleChange>,
}

/// An earlier version of a kind's rules.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierRules {
    /// Its number, as games of this version show it.
    pub rules_version: i32,
    /// The options that its games have.
    pub options: Vec<RulebookOption>,
    /// Every rule of this version.
    pub rules: Vec<Rule>,
}

/// Something that a new version of the rules changed for players.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleChange {
    /// The version that changed it.
    pub rules_version: i32,
    /// The change, for players who know the version before.
    pub text: String,
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
    /// Whether the printed original is lost and this is a careful guess.
    pub reconstructed: bool,
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
    /// Whether the rule, or a part of it, is a decision of ours: the printed rules are silent or unclear there.
    pub decision: bool,
    /// The reason for the decision; null for a printed rule.
    pub why: Option<String>,
}

impl Rulebook {
    pub fn of(kind: domain::Kind) -> Rulebook {
        let newest = kind.rules_version();
        let earlier = (*kind.rules_versions().start()..newest).rev();
        let About { title, summary, notation, options, components, board, rules, changes } = kind.about(newest);
        Rulebook {
            kind: kind.into(),
            title: title.into(),
            summary: summary.into(),
            rules_version: int(newest),
            least_seats: (*kind.seats().start()).into(),
            most_seats: (*kind.seats().end()).into(),
            notation: notation.into(),
            options: options.into_iter().map(RulebookOption::of).collect(),
            components: components.into_iter().map(Component::of).collect(),
            board: board.map(Board::of),
            rules: Rule::all(rules),
            earlier_versions: earlier.map(|version| EarlierRules::of(kind, version)).collect(),
            changes: changes.into_iter().map(RuleChange::of).collect(),
        }
    }
}

impl EarlierRules {
    fn of(kind: domain::Kind, version: u32) -> EarlierRules {
        // The box and the board are the same in every version, and the newest lists all changes.
        let About { title: _, summary: _, notation: _, options, components: _, board: _, rules, changes: _ } =
            kind.about(version);
        EarlierRules {
            rules_version: int(version),
            options: options.into_iter().map(RulebookOption::of).collect(),
            rules: Rule::all(rules),
        }
    }
}

impl RuleChange {
    fn of(domain::Change { version, text }: domain::Change) -> RuleChange {
        RuleChange { rules_version: int(version), text: text.into() }
    }
}

impl Rule {
    /// A kind's own rules, then those of every table.
    fn all(rules: Vec<RuleAbout>) -> Vec<Rule> {
        let of_tables = TABLE_RULES.map(|(id, text)| RuleAbout { id, text, decision: Some(WHY_TABLES_HAVE_RULES) });
        rules.into_iter().chain(of_tables).map(Rule::of).collect()
    }

    fn of(RuleAbout { id, text, decision }: RuleAbout) -> Rule {
        Rule { id: id.to_string(), text: text.into(), decision: decision.is_some(), why: decision.map(String::from) }
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
        let domain::Board { reconstructed, cells, places } = board;
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
        Board { reconstructed, cells: cells.collect(), places: places.collect() }
    }
}
