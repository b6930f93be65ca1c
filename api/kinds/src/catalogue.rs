//! The catalogue of kinds on the wire.

use async_graphql::SimpleObject;
use domain::bot::{LevelAbout, Strength};
use domain::games::{mahabharata, mahola};
use domain::{About, OptionValue, RuleAbout, TABLE_RULES};
use serde::Serialize;
use utoipa::ToSchema;

use super::mahabharata::MahabharataComponents;
use super::mahola::MaholaComponents;
use super::{Kind, int};

/// The reason given for the rules that hold for every kind.
const WHY_TABLES_HAVE_RULES: &str = "No rulebook says how a game is played over a server.";

/// A kind of game: its seats, options, components and rules.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rulebook {
    /// The kind's name in this API.
    pub kind: Kind,
    /// The game's title, for display.
    pub title: String,
    /// A short description, for people who do not know the game.
    pub summary: String,
    /// The newest version of the rules, used by new games. A game keeps its version until it ends.
    pub rules_version: i32,
    /// The fewest seats that a game can have.
    pub least_seats: i32,
    /// The most seats that a game can have.
    pub most_seats: i32,
    /// An example of a move in notation.
    pub notation: String,
    /// The options of a new game.
    pub options: Vec<RulebookOption>,
    /// Cards, dice and other components, as tables.
    pub components: Vec<Component>,
    /// The tables that the option `components` can replace, in the shape of that option: a correction is an edit of
    /// them. Null for kinds without this option.
    pub built_in_components: Option<BuiltInComponents>,
    /// The board; null if its geometry does not matter.
    pub board: Option<Board>,
    /// All rules. Refusals name them by id.
    pub rules: Vec<Rule>,
    /// The levels of the bots, the weakest first.
    pub bot_levels: Vec<BotLevel>,
    /// The earlier versions of the rules, newest first. Games that started under them still use them.
    pub earlier_versions: Vec<EarlierRules>,
    /// All changes for players since version 1, oldest first.
    pub changes: Vec<RuleChange>,
}

/// The built-in tables of a kind, in the shape of the option `components`. The field of the kind is set.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuiltInComponents {
    /// Those of Mahabharata.
    pub mahabharata: Option<MahabharataComponents>,
    /// Those of Mahola.
    pub mahola: Option<MaholaComponents>,
}

impl BuiltInComponents {
    fn of(kind: domain::Kind) -> Option<BuiltInComponents> {
        let none = BuiltInComponents { mahabharata: None, mahola: None };
        match kind {
            domain::Kind::Kalah | domain::Kind::Macarena | domain::Kind::Mara => None,
            domain::Kind::Mahabharata => {
                Some(BuiltInComponents { mahabharata: Some(mahabharata::Components::built_in().into()), ..none })
            }
            domain::Kind::Mahola => {
                Some(BuiltInComponents { mahola: Some(mahola::Components::built_in().into()), ..none })
            }
        }
    }
}

/// A level of the bots of a kind.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BotLevel {
    /// The level, from 1, the weakest.
    pub level: i32,
    /// Its name, for display.
    pub name: String,
    /// Its style of play, in a sentence.
    pub text: String,
    /// The budget of one move, in the unit of `budgetUnit`.
    pub budget: i32,
    /// The unit of the budget: ITERATIONS of a search over hidden information, or NODES of a game tree.
    pub budget_unit: String,
    /// Its measured strength: against the level below and against random moves, at tables with the fewest and the most
    /// seats.
    pub strength: Vec<BotStrength>,
}

/// The score of a bot in measured games. It had one seat, its opponent all others. A sole winner gets 1 point, several
/// winners share it, and a draw is shared by all.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BotStrength {
    /// The number of seats at the table.
    pub seats: i32,
    /// The opponent's level; null if it played random moves.
    pub opponent_level: Option<i32>,
    /// The points per game. An equally strong player would score 1 / `seats`.
    pub points: f64,
    /// The lower end of the 95 % confidence interval of `points`.
    pub least_points: f64,
    /// The upper end of the 95 % confidence interval of `points`.
    pub most_points: f64,
    /// The number of games measured.
    pub games: i32,
}

impl BotStrength {
    fn of(strength: Strength) -> BotStrength {
        let Strength { seats, against, points, from, to, games } = strength;
        let share = |thousandths: u16| f64::from(thousandths) / 1_000.0;
        BotStrength {
            seats: seats.into(),
            opponent_level: against.map(|level| level.number().into()),
            points: share(points),
            least_points: share(from),
            most_points: share(to),
            games: int(games),
        }
    }
}

impl BotLevel {
    fn of(about: LevelAbout) -> BotLevel {
        let LevelAbout { level, name, text, budget, unit, strength } = about;
        BotLevel {
            level: level.number().into(),
            name: name.into(),
            text: text.into(),
            budget: int(budget),
            budget_unit: unit.to_uppercase(),
            strength: strength.into_iter().map(BotStrength::of).collect(),
        }
    }
}

/// An earlier version of a kind's rules.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierRules {
    /// The version number.
    pub rules_version: i32,
    /// The options of games of this version.
    pub options: Vec<RulebookOption>,
    /// All rules of this version.
    pub rules: Vec<Rule>,
}

/// A change that a new version of the rules made for players.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleChange {
    /// The version that made the change.
    pub rules_version: i32,
    /// The change, for players who know the previous version.
    pub text: String,
}

/// An option of a new game.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulebookOption {
    /// The option's name in the options of a new game.
    pub name: String,
    /// The effect of the option.
    pub text: String,
    /// The type of its value: WHOLE_NUMBER, FLAG, WORD, SEAT or COMPONENTS.
    pub value: String,
    /// The default value as JSON; null if it is drawn at random, and for COMPONENTS, whose default are the built-in
    /// tables.
    pub default: Option<String>,
    /// The least value of a WHOLE_NUMBER.
    pub least: Option<i32>,
    /// The greatest value of a WHOLE_NUMBER.
    pub most: Option<i32>,
    /// The possible values of a WORD.
    pub words: Option<Vec<String>>,
}

/// A set of components, as a table.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// The name of the components.
    pub name: String,
    /// A description.
    pub text: String,
    /// Whether this is a reconstruction because the printed original is lost.
    pub reconstructed: bool,
    /// The column names.
    pub columns: Vec<String>,
    /// The rows, with one cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// A board: its cells, its places and their neighbours.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// Whether this is a reconstruction because the printed original is lost.
    pub reconstructed: bool,
    /// The hexagons.
    pub cells: Vec<BoardCell>,
    /// The places where pieces can stand.
    pub places: Vec<BoardPlace>,
}

/// A hexagon of a board, in axial coordinates.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardCell {
    /// Its number.
    pub number: i32,
    /// The axial coordinate q.
    pub q: i32,
    /// The axial coordinate r.
    pub r: i32,
    /// Its role on the board.
    pub role: String,
}

/// A place where a piece can stand.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardPlace {
    /// Its number.
    pub number: i32,
    /// Its role on the board.
    pub role: String,
    /// The cells it touches, by number.
    pub cells: Vec<i32>,
    /// The places one step away, by number.
    pub neighbours: Vec<i32>,
}

/// A rule. Refusals name it by its id.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The id, such as kalah.3. Rules whose id begins with `table` hold for every kind.
    pub id: String,
    /// The rule, in brief.
    pub text: String,
    /// Whether the rule, or part of it, is this service's own decision, because the printed rules are silent or
    /// unclear.
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
            components: components.into_iter().map(Component::from).collect(),
            built_in_components: BuiltInComponents::of(kind),
            board: board.map(Board::of),
            rules: Rule::all(rules),
            bot_levels: kind.bot_levels().into_iter().map(BotLevel::of).collect(),
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
            OptionValue::Components => about.value = "COMPONENTS".into(),
            OptionValue::Whole { least, most, default } => {
                about.value = "WHOLE_NUMBER".into();
                about.default = Some(default.to_string());
                about.least = Some(int(least));
                about.most = Some(int(most));
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

impl From<domain::Component> for Component {
    fn from(component: domain::Component) -> Component {
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
        let numbers = |list: Vec<u32>| list.into_iter().map(int).collect();
        let domain::Board { reconstructed, cells, places } = board;
        let cells = cells.into_iter().map(|domain::Cell { number, q, r, role }| BoardCell {
            number: int(number),
            q,
            r,
            role: role.into(),
        });
        let places = places.into_iter().map(|domain::Place { number, role, cells, neighbours }| BoardPlace {
            number: int(number),
            role: role.into(),
            cells: numbers(cells),
            neighbours: numbers(neighbours),
        });
        Board { reconstructed, cells: cells.collect(), places: places.collect() }
    }
}
