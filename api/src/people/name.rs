//! The names of players. Others see them beside their own, so two names that look the same should be the same, and a name
//! contains no invisible characters.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::error::{Error, Result};

/// The longest name, in characters.
const LONGEST: usize = 60;

/// How deleted players are shown.
pub const DELETED: &str = "Deleted player";

/// A name as it is stored: composed (NFC), without blanks around it.
pub fn player_name(text: &str) -> Result<String> {
    let name: String = text.nfc().collect::<String>().trim().into();
    let is_visible =
        !name.chars().any(is_invisible) && !has_hidden_selector(&name) && !name.chars().all(is_combining_mark);
    if !(1..=LONGEST).contains(&name.chars().count()) || !is_visible {
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
                | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a variation selector follows a letter, a digit or a blank, where it has no effect. After a symbol it makes an
/// emoji of it.
fn has_hidden_selector(name: &str) -> bool {
    const KEYCAP: char = '\u{20e3}';
    let characters: Vec<char> = [' '].into_iter().chain(name.chars()).chain([' ']).collect();
    characters.windows(3).any(|three| match *three {
        [_, '\u{fe0f}', KEYCAP] => false,
        [before, '\u{fe00}'..='\u{fe0f}', _] => {
            before.is_alphanumeric() || before.is_whitespace() || is_combining_mark(before)
        }
        _ => false,
    })
}

/// Whether two names look alike: they differ at most in case, accents, blanks, punctuation, and letters of the same
/// shape.
fn resembles(name: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let letters = name.nfkd().flat_map(char::to_lowercase).map(latin);
        letters.filter(|letter| letter.is_alphanumeric()).collect::<String>()
    };
    plain(name) == plain(other)
}

/// The Latin letter of 'Deleted player' that a letter looks like. A small L looks like a capital i.
fn latin(letter: char) -> char {
    match letter {
        'i' | '1' | '|' | 'ı' | 'ɩ' | 'ι' | 'і' | 'ӏ' | 'ł' | 'ƚ' | 'ꓲ' => 'l',
        'е' | 'є' | 'ε' | 'ҽ' | 'ɛ' | '3' => 'e',
        'а' | 'α' | 'ɑ' | '4' | '@' => 'a',
        'р' | 'ρ' | 'þ' => 'p',
        'у' | 'γ' | 'ү' | 'ყ' | 'ʏ' => 'y',
        'т' | 'τ' | 'ŧ' | '7' => 't',
        'ԁ' | 'đ' | 'ɗ' => 'd',
        'г' | 'ɍ' | 'ʀ' => 'r',
        letter => letter,
    }
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
            "\u{301}\u{308}",
            "Asha\u{fe0f}",
            "As\u{fe00}ha",
            "\u{1d173}Asha",
        ] {
            assert!(player_name(hidden).is_err(), "{hidden:?}");
        }
    }

    #[test]
    fn nobody_is_called_like_a_deleted_player() {
        for taken in [
            "Deleted player",
            "deleted  PLAYER",
            "Ｄeleted player",
            "Deletedplayer",
            "Deleted-player.",
            "DeIeted pIayer",
            "D\u{435}l\u{435}ted \u{440}l\u{430}\u{443}er",
            "Délètëd player",
            "De1eted p1ayer",
        ] {
            assert!(player_name(taken).is_err(), "{taken}");
        }
        for free in
            ["Deleted players", "Delete player", "Пётр", "Игорь", "Γιώργος", "❤\u{fe0f} Asha", "1\u{fe0f}\u{20e3}"]
        {
            assert!(player_name(free).is_ok(), "{free}");
        }
    }
}
