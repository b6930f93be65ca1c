//! Messages without the random tags of versions, which differ even between indistinguishable games.

/// A message without the random tags of versions: `7.00f3a9c1d2` becomes `7`.
pub fn without_tags(message: &str) -> String {
    let mut plain = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(place) = rest.find('.') {
        let (head, tail) = rest.split_at(place);
        plain.push_str(head);
        let is_tag = tail.len() > 10
            && head.ends_with(|c: char| c.is_ascii_digit())
            && tail[1..].bytes().take(10).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            && !tail.as_bytes().get(11).is_some_and(u8::is_ascii_alphanumeric);
        let taken = if is_tag { 11 } else { 1 };
        plain.push_str(if is_tag { "" } else { "." });
        rest = &tail[taken..];
    }
    plain + rest
}
