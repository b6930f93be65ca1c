//! The names of players. Others see them beside their own, so two names that look the same should be the same, and a name
//! contains no invisible characters.

use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, Result};

/// The longest name, in characters.
const LONGEST: usize = 60;

/// How deleted players are shown.
pub const DELETED: &str = "Deleted player";

/// A name as it is stored: composed (NFC), without blanks around it.
pub fn player_name(text: &str) -> Result<String> {
    let name: String = text.nfc().collect::<String>().trim().into();
    if !(1..=LONGEST).contains(&name.chars().count()) || name.chars().any(is_invisible) {
        return Err(Error::InvalidInput(format!(
            "name must have 1 to {LONGEST} visible characters: no control characters, none without width, and none that \
             change the direction of writing."
        )));
    }
    if resembles(&name, DELETED) {
        return Err(Error::InvalidInput(format!("Nobody can be called {DELETED}.")));
    }
    Ok(name)
}

/// Whether a character is a control character, has no width or only seems to be a blank, or changes the direction.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
                | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether two names differ at most in case, blanks and forms of the same letters.
fn resembles(name: &str, other: &str) -> bool {
    let plain = |name: &str| name.nfkc().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase();
    plain(name) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_composed_and_has_no_blanks_around_it() {
        assert_eq!(player_name(" Jose\u{301} ").ok().as_deref(), Some("Jos\u{e9}"));
        assert_eq!(player_name("आशा 🎲").ok().as_deref(), Some("आशा 🎲"));
        assert!(player_name(&"é".repeat(60)).is_ok() && player_name(&"é".repeat(61)).is_err());
        assert!(player_name(&"e\u{301}".repeat(60)).is_ok(), "counted as it is stored");
    }

    #[test]
    fn a_name_can_be_seen_and_reads_as_it_is_written() {
        for hidden in [
            "",
            "   ",
            "\u{a0}\u{2003}",
            "\u{3164}",
            "\u{2800}",
            "As\u{200b}ha",
            "\u{202e}ahsA",
            "A\u{7}",
            "A\u{2066}b",
        ] {
            assert!(player_name(hidden).is_err(), "{hidden:?}");
        }
    }

    #[test]
    fn nobody_is_called_like_a_deleted_player() {
        for taken in ["Deleted player", "deleted  PLAYER", "Ｄeleted player", "Deletedplayer"] {
            assert!(player_name(taken).is_err(), "{taken}");
        }
        assert!(player_name("Deleted players").is_ok());
    }
}
