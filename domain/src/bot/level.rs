//! The playing strength of a bot.

use serde::{Deserialize, Serialize};

/// The playing strength of a bot: 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u32")]
pub struct Level(u8);

impl Level {
    pub const ALL: [Level; 4] = [Level(1), Level(2), Level(3), Level(4)];

    pub fn new(n: u32) -> Option<Level> {
        Level::ALL.into_iter().find(|level| u32::from(level.0) == n)
    }

    pub fn number(self) -> u8 {
        self.0
    }

    /// A name for people.
    pub fn name(self) -> &'static str {
        ["Beginner", "Casual", "Skilled", "Expert"][self.index()]
    }

    /// One sentence about how it plays.
    pub(super) fn text(self) -> &'static str {
        [
            "Looks at the next move only and often takes one that is not the best, but sees what is obvious.",
            "Looks a little ahead and now and then takes a move that is not the best.",
            "Looks ahead and plays the best move that it finds.",
            "Thinks as long as it usefully can and plays the best move that it finds.",
        ][self.index()]
    }

    /// 0 to 3.
    pub(super) fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

impl TryFrom<u32> for Level {
    type Error = String;
    fn try_from(n: u32) -> Result<Level, String> {
        Level::new(n).ok_or_else(|| format!("bots have levels 1 to 4, not {n}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_written_as_its_number_and_no_other_number_is_one() {
        for (n, level) in (1..).zip(Level::ALL) {
            assert_eq!(serde_json::to_string(&level).unwrap(), n.to_string());
            assert_eq!(serde_json::from_str::<Level>(&n.to_string()).unwrap(), level);
            assert_eq!(Level::new(n), Some(level));
        }
        for wrong in ["0", "5", "257", "-1", "1.5", "\"1\""] {
            assert!(serde_json::from_str::<Level>(wrong).is_err(), "{wrong}");
        }
    }
}
