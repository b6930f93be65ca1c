//! The size of a document before it is parsed: its tokens, its nesting and its longest name.
//!
//! The parser needs memory for every token and stack for every bracket. Validation compares tokens with each other, and
//! repeats names in its errors. A document within these limits costs little, whatever it says.

use async_graphql::ServerError;

use crate::limits::Limits;

/// The most brackets that may be open at the same time.
const MOST_NESTED: usize = 64;
/// The longest name, in bytes. The longest name of the schema has 27.
const LONGEST_NAME: usize = 128;

/// Refuses a document that is too large to parse. Text that is no token is left to the parser.
pub fn check(text: &str, limits: &Limits) -> Result<(), ServerError> {
    let bytes = text.as_bytes();
    let (mut at, mut tokens, mut nested) = (0, 0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        let length = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => {
                at += 1;
                continue;
            }
            b'#' => {
                at += until(&bytes[at..], |byte| matches!(byte, b'\r' | b'\n'));
                continue;
            }
            b'"' => string(&bytes[at..]).ok_or_else(|| refusal("A string has no end.".into()))?,
            b'.' if bytes[at..].starts_with(SPREAD) => SPREAD.len(),
            byte if is_word(*byte) => {
                let length = word(&bytes[at..]);
                if length > LONGEST_NAME {
                    return Err(refusal(format!("A name or number is longer than {LONGEST_NAME} bytes.")));
                }
                length
            }
            b'{' | b'(' | b'[' => {
                nested += 1;
                1
            }
            b'}' | b')' | b']' => {
                nested = nested.saturating_sub(1);
                1
            }
            _ => 1,
        };
        at += length;
        tokens += 1;
        if tokens > limits.max_tokens {
            return Err(refusal(format!("The document has more than {} tokens.", limits.max_tokens)));
        }
        if nested > MOST_NESTED {
            return Err(refusal("The document is nested too deeply.".into()));
        }
    }
    Ok(())
}

fn refusal(text: String) -> ServerError {
    ServerError::new(text, None)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'+')
}

const SPREAD: &[u8] = b"...";

/// The length of a name or a number. They may follow each other without a space: `a...b`, `1-1`.
fn word(bytes: &[u8]) -> usize {
    let is_number = bytes[0].is_ascii_digit() || bytes[0] == b'-';
    let ends = |at: &usize| match bytes[*at] {
        b'+' | b'-' => !(is_number && matches!(bytes[*at - 1], b'e' | b'E')),
        b'.' => bytes[*at..].starts_with(SPREAD),
        byte => !is_word(byte),
    };
    (1..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// The number of bytes before the first that ends a token.
fn until(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| ends(*byte)).unwrap_or(bytes.len())
}

/// The length of a string, quotes included; `None` if it does not end. The parser would look for other tokens inside.
fn string(bytes: &[u8]) -> Option<usize> {
    let (quotes, escape): (&[u8], usize) = match bytes {
        [b'"', b'"', b'"', ..] => (b"\"\"\"", 4),
        [b'"', b'"', ..] => return Some(2),
        _ => (b"\"", 2),
    };
    let is_block = quotes.len() > 1;
    let mut at = quotes.len();
    loop {
        match bytes.get(at)? {
            _ if bytes[at..].starts_with(quotes) => return Some(at + quotes.len()),
            b'\n' | b'\r' if !is_block => return None,
            b'\\' if !is_block || bytes[at + 1..].starts_with(quotes) => at += escape,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        limits: Limits,
    }

    fn is_fine(text: &str, max_tokens: usize) -> bool {
        check(text, &Limits { max_tokens, ..Flags::parse_from(["maidan"]).limits }).is_ok()
    }

    #[test]
    fn tokens_are_counted_and_what_is_between_them_is_not() {
        let text =
            "query($a: Int = -1.5e3) { a(b: \"x \\\" {\", c: \"\"\"{ \\\"\"\" \" {{\"\"\", d: \"\") ...F } # {{{{ b";
        let tokens = 30;
        assert!(is_fine(text, tokens) && !is_fine(text, 20));
        assert!(is_fine(&format!("{{ a {} }}", " ,\n# b b b\n".repeat(5000)), 3));
        let glued = "{ a(b: [1-1-1e-1-1]) ...F...F...F }";
        assert!(is_fine(glued, 19) && !is_fine(glued, 18));
    }

    #[test]
    fn a_string_without_an_end_hides_no_brackets() {
        let nested = "[".repeat(100);
        for open in ["\"", "\"a\n\"", "\"\"\" a\" ", "\"\"\" \\\"\"\" "] {
            assert!(!is_fine(&format!("{{ a(b: [{open}{nested}"), 1000), "{open}");
        }
        assert!(is_fine(&format!("{{ a(b: \"{nested}\", c: \"\"\"{nested}\"\"\") }}"), 1000));
    }

    #[test]
    fn a_document_is_not_nested_without_end_and_has_no_endless_names() {
        assert!(is_fine(&"{a".repeat(64), 1000) && !is_fine(&"{a".repeat(65), 1000));
        assert!(is_fine(&"{ a(b: [1]) }".repeat(100), 1000));
        assert!(is_fine(&"a".repeat(128), 10) && !is_fine(&"a".repeat(129), 10));
    }
}
