//! Which state of which history: versions, with a random tag for each change.
//!
//! A database that is set back, by an asynchronous failover or a restore, counts the same versions again with other
//! content. The tag of the last change distinguishes the two histories.

use std::fmt;
use std::str::FromStr;

use super::Version;
use crate::error::Error;

/// Drawn at random for each change. Game states from before there were tags have 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub i64);

/// The number of bits that cursors carry.
const SHORT: i64 = (1 << 40) - 1;

impl Tag {
    pub fn fresh() -> Tag {
        Tag(rand::random())
    }

    fn short(self) -> i64 {
        self.0 & SHORT
    }
}

/// The short form.
impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010x}", self.short())
    }
}

/// The state of a game: its version, and the tag of the change that led to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Head {
    pub version: Version,
    pub tag: Tag,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.version, self.tag)
    }
}

/// The state that a client has seen: `7.00f3a9c1d2`, or only its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub version: Version,
    tag: Option<i64>,
}

impl Cursor {
    /// Whether the client has seen the state with this tag, at the version of the cursor.
    pub fn fits(&self, tag: Tag) -> bool {
        self.tag.is_none_or(|seen| seen == tag.short())
    }

    /// Whether the client has seen this state.
    pub fn is_at(&self, head: Head) -> bool {
        self.version == head.version && self.fits(head.tag)
    }
}

impl From<Head> for Cursor {
    fn from(head: Head) -> Cursor {
        Cursor { version: head.version, tag: Some(head.tag.short()) }
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor, Error> {
        let read = || {
            let (version, tag) = match text.split_once('.') {
                None => (text, None),
                Some((version, tag)) => (version, Some(i64::from_str_radix(tag, 16).ok()?)),
            };
            let version = version.parse().ok().filter(|version| *version >= 0)?;
            Some(Cursor { version: Version(version), tag })
        };
        read().ok_or_else(|| Error::InvalidInput("after must be a cursor, or a version, 0 or more.".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_fits_its_own_history_and_a_bare_version_any() {
        let head = Head { version: Version(7), tag: Tag(-3) };
        let cursor: Cursor = head.to_string().parse().expect("it is a cursor");
        assert_eq!(cursor, Cursor::from(head));
        assert!(cursor.is_at(head) && !cursor.is_at(Head { tag: Tag(3), ..head }));
        assert!(!cursor.is_at(Head { version: Version(8), ..head }));
        let bare: Cursor = "7".parse().expect("it is a version");
        assert!(bare.is_at(head) && bare.is_at(Head { tag: Tag(3), ..head }));
        for wrong in ["", "-1", "7.", "7.x", "x", "7.1.2"] {
            assert!(wrong.parse::<Cursor>().is_err(), "{wrong}");
        }
    }
}
