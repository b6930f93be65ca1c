//! Finds the rules that a test file asserts.
//!
//! A rule counts only where its id is compared: as a string in the first argument of `assert!` or in the first two of
//! `assert_eq!` and `assert_ne!`, or as the rule that [`assert_rule!`] names. A comment, a message or any other string
//! does not count.

use std::collections::BTreeSet;

use crate::Rules;

/// Panics if the kind serves a rule that no assertion in the given tests names.
pub fn every_rule_is_tested<R: Rules>(source_of_tests: &str) {
    let compared = compared_strings(source_of_tests);
    let untested: Vec<&str> = R::about(*R::RULES_VERSIONS.end())
        .rules
        .iter()
        .map(|rule| rule.id.0)
        .filter(|id| !compared.contains(id))
        .collect();
    assert!(untested.is_empty(), "no assertion names {untested:?}");
}

/// `assert_eq!` for a rule that refuses no move by itself. The message names the rule.
macro_rules! assert_rule {
    ($rule:literal, $left:expr, $right:expr $(,)?) => {
        assert_eq!($left, $right, "{} does not hold", $rule)
    };
    ($rule:literal, $left:expr, $right:expr, $($message:tt)+) => {
        assert_eq!($left, $right, "{} does not hold: {}", $rule, format_args!($($message)+))
    };
}
pub(crate) use assert_rule;

/// The macros that count, and how many of their arguments do.
const ASSERTIONS: [(&str, usize); 4] = [("assert", 1), ("assert_eq", 2), ("assert_ne", 2), ("assert_rule", 1)];

/// A token of the source.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Literal(&'a str),
    Sign(char),
}

/// Every string that an assertion in the source compares.
fn compared_strings(source: &str) -> BTreeSet<&str> {
    let tokens = tokens(source);
    let mut compared = BTreeSet::new();
    for (n, window) in tokens.windows(3).enumerate() {
        let [Token::Word(word), Token::Sign('!'), Token::Sign('(')] = window else { continue };
        if let Some((_, arguments)) = ASSERTIONS.iter().find(|(name, _)| name == word) {
            compared.extend(strings_of_arguments(&tokens[n + 3..], *arguments));
        }
    }
    compared
}

/// The strings in the first arguments of a call. The tokens start after the opening parenthesis.
fn strings_of_arguments<'a>(tokens: &[Token<'a>], arguments: usize) -> Vec<&'a str> {
    let (mut depth, mut passed, mut strings) = (0, 0, Vec::new());
    for token in tokens {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => break,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(',') if depth == 0 => passed += 1,
            Token::Literal(text) => strings.push(*text),
            _ => {}
        }
        if passed == arguments {
            break;
        }
    }
    strings
}

/// Tokenizes the source: words, strings and signs, without comments and white space.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |end| end + 2),
            '"' => {
                let length = length_of_string(rest);
                tokens.push(Token::Literal(rest[1..length].trim_end_matches('"')));
                length
            }
            '\'' => length_of_character(rest),
            _ if first.is_alphanumeric() || first == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            _ if first.is_whitespace() => first.len_utf8(),
            sign => {
                tokens.push(Token::Sign(sign));
                sign.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a string literal, with both quotation marks.
fn length_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The length of a character literal such as `'('`; 1 for the mark of a lifetime.
fn length_of_character(text: &str) -> usize {
    let mut behind = text.chars().skip(1);
    match (behind.next(), behind.next()) {
        (Some('\\'), Some(_)) => text[3..].find('\'').map_or(text.len(), |end| 3 + end + 1),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(source: &str) -> Vec<&str> {
        compared_strings(source).into_iter().collect()
    }

    #[test]
    fn what_an_assertion_compares_counts() {
        assert_eq!(compared(r#"assert_eq!(refusal(&game, (1, 2)), "toy.1");"#), ["toy.1"]);
        assert_eq!(compared(r#"assert_eq!(refused, ("toy.1", None), "it is");"#), ["toy.1"]);
        assert_eq!(compared(r#"assert!(matches!(game.play(), Err(i) if i.rule.0 == "toy.1"));"#), ["toy.1"]);
        assert_eq!(compared(r#"assert_rule!("toy.4", game.row(ONE), [2, 2]);"#), ["toy.4"]);
    }

    #[test]
    fn a_comment_counts_for_nothing() {
        assert!(compared("// \"toy.1\"\nassert_eq!(1, 1);").is_empty());
        assert!(compared("assert_eq!(1, /* \"toy.1\" */ 1); // assert_eq!(rule, \"toy.1\")").is_empty());
    }

    #[test]
    fn a_string_that_no_assertion_compares_counts_for_nothing() {
        assert!(compared(r#"let rule = "toy.1"; println!("toy.1"); assert!(true);"#).is_empty());
        assert!(compared(r#"assert_eq!(1, 1, "toy.1"); assert!(holds, "{}", "toy.1");"#).is_empty());
        assert!(compared(r#"assert!(holds); let text = "assert_eq!(rule, \"toy.1\")";"#).is_empty());
    }

    #[test]
    fn marks_inside_of_strings_and_characters_do_not_confuse() {
        assert_eq!(
            compared(r#"assert_eq!(first('('), "("); let a: &'a str = ")"; assert_eq!(x, "toy.2");"#),
            ["(", "toy.2"]
        );
        assert_eq!(compared(r#"assert_eq!(c('\''), "it \"is\" //"); assert_eq!(c('\n'), "toy.3")"#).len(), 2);
    }
}
