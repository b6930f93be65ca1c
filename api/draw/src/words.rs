//! Lists, numbers and names in words.

/// 'a', 'a and b', 'a, b and c'.
pub fn and(items: impl IntoIterator<Item = String>) -> String {
    let mut items: Vec<String> = items.into_iter().collect();
    match items.pop() {
        None => "nobody".into(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} and {last}", items.join(", ")),
    }
}

/// '1 card', '3 cards'.
pub fn count(number: impl Into<u32>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// 'a b c', or 'none'.
pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "none".into() } else { items.join(" ") }
}

/// 'RIVER' as 'River'.
pub fn capitalised(word: &impl ToString) -> String {
    let word = word.to_string().to_lowercase();
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Control characters and direction marks become spaces: a name cannot break a line or turn the text around it.
pub fn one_line(name: &str) -> String {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{fffe}' | '\u{ffff}')
    };
    let plain: String = name.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect();
    plain.trim().to_string()
}
