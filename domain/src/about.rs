//! The catalogue entry of a kind: everything a client needs to offer, draw and explain it without rules code.

use crate::RuleId;

/// A kind's entry in the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The name people know: 'La Macarena'.
    pub title: &'static str,
    /// One or two sentences for people who have never heard of it.
    pub summary: &'static str,
    /// Examples of moves in notation, each with its meaning.
    pub notation: &'static str,
    pub options: Vec<OptionAbout>,
    pub components: Vec<Component>,
    /// Only where places on a board are joined in a way that a client could not guess.
    pub board: Option<Board>,
    /// In rule order. Every rule id that a refusal can name is among them.
    pub rules: Vec<RuleAbout>,
    /// The changes for players up to this version, the oldest first. Empty for version 1.
    pub changes: Vec<Change>,
}

/// A difference for players that a version of the rules introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub version: u32,
    /// For players who know the version before.
    pub text: &'static str,
}

/// A choice that is made when a game is opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionAbout {
    /// The name in JSON: `seedsPerPocket`.
    pub name: &'static str,
    pub text: &'static str,
    pub value: OptionValue,
}

/// The possible values of an option, and its default.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A whole number between two bounds, both included.
    Whole { least: u32, most: u32, default: u32 },
    /// Yes or no.
    Flag { default: bool },
    /// One of a few words.
    Word { words: &'static [&'static str], default: &'static str },
    /// A seat of the table. Without one, chance decides.
    Seat,
    /// Tables of components, in place of the built-in ones. By default there are none.
    Components,
}

/// Things in the box, as a table: cards, dice, leaders. Every row has a cell for every column.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    pub name: &'static str,
    pub text: &'static str,
    /// Whether the printed original is lost and this is our reconstruction.
    pub reconstructed: bool,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

/// A board whose geometry matters: its cells, and the places that are next to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Whether the printed original is lost and this is our reconstruction.
    pub reconstructed: bool,
    pub cells: Vec<Cell>,
    pub places: Vec<Place>,
}

/// A cell of a board of hexagons, in axial coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub number: u32,
    pub q: i32,
    pub r: i32,
    /// The thing that lies there, in the words of the kind: TILE, LODGE.
    pub role: &'static str,
}

/// A place where a piece can stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub number: u32,
    /// In the words of the kind: PATH, LODGE.
    pub role: &'static str,
    /// The cells it touches, by number.
    pub cells: Vec<u32>,
    /// The places one step away, by number.
    pub neighbours: Vec<u32>,
}

/// A rule with its id and a short text.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleAbout {
    pub id: RuleId,
    pub text: &'static str,
    /// Why the rule, or a part of it, is our decision. `None` if the rule is printed in the rulebook.
    pub decision: Option<&'static str>,
}

/// Texts by rule id.
pub type Texts = [(RuleId, &'static str)];

impl About {
    /// The rules with these texts, and the reasons for our decisions.
    pub fn rules(texts: &Texts, decisions: &Texts) -> Vec<RuleAbout> {
        let why = |id: RuleId| decisions.iter().find(|(decided, _)| *decided == id).map(|(_, why)| *why);
        texts.iter().map(|(id, text)| RuleAbout { id: *id, text, decision: why(*id) }).collect()
    }

    /// The same entry with these texts of an earlier version.
    pub fn with_texts(mut self, texts: &Texts) -> About {
        for rule in &mut self.rules {
            if let Some((_, text)) = texts.iter().find(|(id, _)| *id == rule.id) {
                rule.text = text;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::OptionValue;
    use crate::Kind;

    /// The rules that are, at least in part, our decision.
    fn decided(kind: Kind, version: u32) -> Vec<&'static str> {
        kind.about(version).rules.iter().filter(|rule| rule.decision.is_some()).map(|rule| rule.id.0).collect()
    }

    fn ids(prefix: &str, numbers: &str) -> Vec<String> {
        numbers.split(' ').map(|number| format!("{prefix}.{number}")).collect()
    }

    #[test]
    fn every_rule_that_is_not_printed_says_so_and_why() {
        assert_eq!(decided(Kind::Kalah, 1), ids("kalah", "4 7 8"));
        assert_eq!(decided(Kind::Mahola, 1), ids("mahola", "2 4 5 7 8 9 10 11"));
        assert_eq!(decided(Kind::Mahola, 2), ids("mahola", "2 5 7 8 9 10 11 12"), "the fifth turn is as printed");
        for version in 1..=2 {
            let of_mahabharata = if version == 1 { "1 2 7 8 12 13" } else { "1 2 7 8 12 13 14" };
            assert_eq!(decided(Kind::Mahabharata, version), ids("mbh", of_mahabharata));
            assert_eq!(decided(Kind::Macarena, version), ids("mac", "2 9 10 11 15 16 18 20 21 22 23"));
            assert_eq!(decided(Kind::Mara, version), ids("mara", "1 4 5 7 8 9 10 11 12 14 15 f2 f3"));
        }
    }

    #[test]
    fn each_version_is_served_with_its_own_options_texts_and_changes() {
        for kind in Kind::ALL.iter().filter(|kind| kind.rules_version() == 2) {
            let (first, second) = (kind.about(1), kind.about(2));
            let takes_tables = second.options.iter().any(|option| option.value == OptionValue::Components);
            let more = if takes_tables { 2 } else { 1 };
            assert_eq!(second.options.len(), first.options.len() + more, "{kind}");
            assert_ne!(first.rules, second.rules, "{kind}");
            assert!(first.changes.is_empty(), "{kind}");
            assert!(!second.changes.is_empty() && second.changes.iter().all(|change| change.version == 2), "{kind}");
        }
        assert!(Kind::Kalah.about(1).changes.is_empty());
    }

    #[test]
    fn what_had_to_be_reconstructed_says_so() {
        let tables = |kind: Kind| {
            let components = kind.about(kind.rules_version()).components;
            components.iter().filter(|table| table.reconstructed).map(|table| table.name).collect::<BTreeSet<_>>()
        };
        assert_eq!(tables(Kind::Mahabharata), BTreeSet::from(["dice", "leaders"]));
        assert_eq!(tables(Kind::Mahola).len(), 2);
        assert!(tables(Kind::Kalah).is_empty() && tables(Kind::Macarena).is_empty() && tables(Kind::Mara).is_empty());
        assert!(Kind::Mara.about(2).board.expect("The Mara has a board").reconstructed);
    }
}
