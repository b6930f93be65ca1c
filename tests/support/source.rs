//! Rust sources as tokens, and the paths in them.

/// A name or a sign of a source. Comments, lifetimes and the text of literals are left out.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

pub fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let start = at;
        let next = |ahead: usize| chars.get(start + ahead).copied().unwrap_or('\0');
        let mut text = String::new();
        match (next(0), next(1)) {
            ('/', '/') => at = position(&chars, at, |at| chars[at] == '\n'),
            ('/', '*') => at = end_of_comment(&chars, at),
            ('"', _) => at = end_of_string(&chars, at + 1),
            ('\'', '\\') => at = position(&chars, at + 3, |at| chars[at] == '\'') + 1,
            ('\'', _) if next(2) == '\'' => at += 3,
            ('\'', _) => at = position(&chars, at + 1, |at| !is_name(chars[at])),
            (':', ':') => {
                text.push_str("::");
                at += 2;
            }
            (c, _) if is_name(c) => {
                at = position(&chars, at, |at| !is_name(chars[at]));
                text.extend(&chars[start..at]);
                // What looks like a name may open a literal: r"…", br#"…"#, b"…", b'…'.
                let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
                let quote = chars.get(at + hashes).copied();
                if ["r", "br", "cr"].contains(&text.as_str()) && quote == Some('"') {
                    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                    at = position(&chars, at + hashes + 1, |at| chars[at..].starts_with(&end)) + end.len();
                    text.clear();
                } else if ["b", "c"].contains(&text.as_str()) && hashes == 0 && matches!(quote, Some('"' | '\'')) {
                    // The literal itself comes next.
                    text.clear();
                }
            }
            (c, _) => {
                if !c.is_whitespace() {
                    text.push(c);
                }
                at += 1;
            }
        }
        at = at.min(chars.len());
        if !text.is_empty() {
            tokens.push(Token { text, line });
        }
        line += chars[start..at].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

/// The first position from here on where a condition holds, or the end.
fn position(chars: &[char], from: usize, holds: impl Fn(usize) -> bool) -> usize {
    (from..chars.len()).find(|at| holds(*at)).unwrap_or(chars.len())
}

/// Block comments `/* … */` may be nested.
fn end_of_comment(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < chars.len() {
        match &chars[at..chars.len().min(at + 2)] {
            ['/', '*'] => (at, depth) = (at + 2, depth + 1),
            ['*', '/'] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn end_of_string(chars: &[char], start: usize) -> usize {
    let mut at = start;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The tokens without items marked `#[cfg(test)]`, and the names of such items that are modules in separate files.
pub fn outside_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut files, mut at) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        let rest = &tokens[at..];
        if !(rest.len() > MARK.len() && rest.iter().zip(MARK).all(|(token, mark)| token.text == mark)) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let item = &rest[MARK.len()..];
        // An item ends with its braces, or without any by a semicolon.
        let mut depth = 0;
        let length = item.iter().position(|token| {
            depth += match token.text.as_str() {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
            depth == 0 && ["}", ";"].contains(&token.text.as_str())
        });
        let length = length.map_or(item.len(), |last| last + 1);
        if let [.., before, name, end] = &item[..length]
            && before.text == "mod"
            && end.text == ";"
        {
            files.push(name.text.clone());
        }
        at += MARK.len() + length;
    }
    (kept, files)
}

/// A path as it is written, with the inline modules around it.
#[derive(Debug, PartialEq, Eq)]
pub struct Path {
    pub inside: Vec<String>,
    pub segments: Vec<String>,
    pub line: usize,
    pub is_macro: bool,
}

/// Every path of two segments or more. `use a::{b, c::d}` is two of them.
pub fn paths(tokens: &[Token]) -> Vec<Path> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let (mut found, mut braces, mut at) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        match text(at) {
            "{" => braces.push((at > 1 && text(at - 2) == "mod").then(|| text(at - 1).to_string())),
            "}" => drop(braces.pop()),
            // `pub(in crate::games)` is a visibility, not a use.
            "in" if text(at + 1) == "crate" && at > 0 && text(at - 1) == "(" => at += 1,
            _ if text(at + 1) == "::" && is_segment(text(at)) => {
                let inside: Vec<String> = braces.iter().flatten().cloned().collect();
                expand(tokens, &mut at, &inside, &[], &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn is_segment(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Expands a path, including its braces.
fn expand(tokens: &[Token], at: &mut usize, inside: &[String], prefix: &[String], found: &mut Vec<Path>) {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut segments = prefix.to_vec();
    let line = tokens[*at].line;
    while is_segment(text(*at)) {
        segments.push(text(*at).to_string());
        *at += 1;
        if text(*at) != "::" {
            break;
        }
        *at += 1;
        if text(*at) == "{" {
            *at += 1;
            while *at < tokens.len() && text(*at) != "}" {
                match is_segment(text(*at)) {
                    true => expand(tokens, at, inside, &segments, found),
                    false => *at += 1,
                }
            }
            *at += 1;
            return;
        }
    }
    found.push(Path { inside: inside.to_vec(), segments, line, is_macro: text(*at) == "!" });
}
