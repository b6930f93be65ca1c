//! A game as one portable document: whoever has it can play it again and see that all was fair.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Act, AnyGame, AnyStep, Entropy, Kind, Seat, Seed};

/// Everything that a game follows from, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Record {
    /// The version of this form.
    pub format: u32,
    pub kind: Kind,
    pub rules_version: u32,
    pub options: Value,
    pub seats: u8,
    pub seed: Seed,
    /// In seat order, in hexadecimal as they came; `None` where a player added nothing.
    pub client_seeds: Vec<Option<String>>,
    /// For a game that branched off another: that game up to the ply where it did.
    pub origin: Option<Box<Record>>,
    pub moves: Vec<RecordedMove>,
    pub outcome: Option<Value>,
}

/// One step. Exactly one of the last three says what the seat did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum RecordedMove {
    /// A decision of the seat, in notation.
    Moved {
        seat: Seat,
        #[serde(rename = "move")]
        mv: String,
    },
    /// A decision made for a seat that has resigned, in notation.
    Auto {
        seat: Seat,
        auto: String,
    },
    Resigned {
        seat: Seat,
        resigned: bool,
    },
}

/// The first thing in a record that is not as it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (after ply {ply})")]
pub struct Untrue {
    pub ply: u32,
    pub what: String,
}

impl Record {
    pub const FORMAT: u32 = 1;

    /// Plays the record from its seed and says whether everything in it is true.
    pub fn replay(&self) -> Result<AnyGame, Untrue> {
        let mut ply = 0;
        let untrue = |ply: u32, what: String| Untrue { ply, what };
        if self.format != Record::FORMAT {
            return Err(untrue(0, format!("This is format {}; format {} is known here.", self.format, Record::FORMAT)));
        }
        if self.rules_version != self.kind.rules_version() {
            let known = self.kind.rules_version();
            let text = format!("Played by version {} of the rules; version {known} is known here.", self.rules_version);
            return Err(untrue(0, text));
        }
        if self.origin.is_some() {
            return Err(untrue(0, "Games that branched off another cannot be replayed yet.".into()));
        }
        let options = self.kind.load_options(self.options.clone());
        let options = options.map_err(|error| untrue(0, format!("The options cannot be read: {error}.")))?;
        let entropy = self.entropy().map_err(|what| untrue(0, what))?;
        let start = AnyGame::start(&options, self.seats, &entropy);
        let mut game = start.map_err(|illegal| untrue(0, illegal.to_string()))?;

        let mut moves = self.moves.iter();
        while let Some(recorded) = moves.next() {
            let steps = self.step(&mut game, recorded, &entropy).map_err(|what| untrue(ply, what))?;
            // The decisions for resigned seats follow by themselves; the record must tell the same ones.
            for (i, step) in steps.iter().enumerate() {
                let told = if i == 0 { Some(recorded) } else { moves.next() };
                if told != Some(&RecordedMove::of(step)) {
                    return Err(untrue(step.ply, "A decision made for a resigned seat differs.".into()));
                }
            }
            ply = game.ply();
        }
        let outcome = game.outcome().map(|outcome| serde_json::to_value(outcome).unwrap_or_default());
        if outcome != self.outcome {
            return Err(untrue(ply, "The outcome is another one.".into()));
        }
        Ok(game)
    }

    fn step(&self, game: &mut AnyGame, recorded: &RecordedMove, entropy: &Entropy) -> Result<Vec<AnyStep>, String> {
        match recorded {
            RecordedMove::Moved { seat, mv } => {
                let mv = self.kind.read_move(mv).map_err(|unreadable| unreadable.to_string())?;
                game.play(*seat, &mv, entropy).map_err(|refusal| refusal.to_string())
            }
            RecordedMove::Resigned { seat, .. } => game.resign(*seat, entropy).map_err(|refusal| refusal.to_string()),
            RecordedMove::Auto { seat, .. } => Err(format!("Seat {seat} had not resigned.")),
        }
    }

    pub(crate) fn entropy(&self) -> Result<Entropy, String> {
        let mut seeds = Vec::new();
        for seed in &self.client_seeds {
            seeds.push(match seed {
                None => Vec::new(),
                Some(hex) => from_hex(hex).ok_or("A client seed is no hexadecimal text.")?,
            });
        }
        Ok(Entropy::new(self.seed.clone(), seeds.iter().map(Vec::as_slice)))
    }
}

impl RecordedMove {
    /// How a step stands in a record.
    pub fn of(step: &AnyStep) -> RecordedMove {
        let seat = step.seat;
        match &step.act {
            Act::Moved(mv) => RecordedMove::Moved { seat, mv: mv.to_string() },
            Act::Auto(mv) => RecordedMove::Auto { seat, auto: mv.to_string() },
            Act::Resigned => RecordedMove::Resigned { seat, resigned: true },
        }
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}
