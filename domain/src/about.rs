//! What a kind tells about itself, so that a client needs no rules code to offer, draw and explain it.

use crate::RuleId;

/// A kind's entry in the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The name people know: 'La Macarena'.
    pub title: &'static str,
    /// One or two sentences for somebody who has never heard of it.
    pub summary: &'static str,
    /// An example of a move in notation, with what it means.
    pub notation: &'static str,
    pub options: Vec<OptionAbout>,
    pub components: Vec<Component>,
    /// Only where places on a board are joined in a way that a client could not guess.
    pub board: Option<Board>,
    /// In rule order. Every rule id that a refusal can name is among them.
    pub rules: Vec<RuleAbout>,
    /// What this version and those before it changed for players, the oldest first. Empty for version 1.
    pub changes: Vec<Change>,
}

/// Something that goes differently since a version of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub version: u32,
    /// One sentence for somebody who knows the version before.
    pub text: &'static str,
}

/// A choice that is made when a game is opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionAbout {
    /// As it is written in JSON: `seedsPerPocket`.
    pub name: &'static str,
    pub text: &'static str,
    pub value: OptionValue,
}

/// What an option may be, and what it is when left out.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A whole number between two bounds, both possible.
    Whole { least: u32, most: u32, default: u32 },
    /// Yes or no.
    Flag { default: bool },
    /// One of a few words.
    Word { words: &'static [&'static str], default: &'static str },
    /// A seat of the table; left out, chance decides.
    Seat,
}

/// Things in the box, as a table: cards, dice, leaders. Every row has a cell for every column.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    pub name: &'static str,
    pub text: &'static str,
    /// Whether the printed original is lost and this is our best reading of it.
    pub reconstructed: bool,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

/// A board whose geometry matters: what is where, and what is next to what.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Whether the printed original is lost and this is our best reading of it.
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
    /// What lies there, in the kind's own words: TILE, LODGE.
    pub role: &'static str,
}

/// Where a piece can stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub number: u32,
    /// In the kind's own words: PATH, LODGE.
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
    /// Why the rule, or a part of it, is our decision. `None` for a rule that is printed.
    pub decision: Option<&'static str>,
}

/// A table of rules: ids with a sentence about each.
pub type Texts = [(RuleId, &'static str)];

impl About {
    /// Rules from a table of their texts and one of the reasons for our decisions.
    pub fn rules(texts: &Texts, decisions: &Texts) -> Vec<RuleAbout> {
        let why = |id: RuleId| decisions.iter().find(|(decided, _)| *decided == id).map(|(_, why)| *why);
        texts.iter().map(|(id, text)| RuleAbout { id: *id, text, decision: why(*id) }).collect()
    }

    /// The same with the texts of an earlier version in the place of those that changed.
    pub fn with_texts(mut self, texts: &Texts) -> About {
        for rule in &mut self.rules {
            if let Some((_, text)) = texts.iter().find(|(id, _)| *id == rule.id) {
                rule.text = text;
            }
        }
        self
    }
}
