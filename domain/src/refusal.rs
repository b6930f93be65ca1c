//! Refusals: moves and set-ups that the rules forbid, and texts that are no moves.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// The id of a rule, such as `kalah.3`. The catalogue serves its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RuleId(pub &'static str);

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A move or a set-up that the rules forbid: the rule, and one sentence for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text} ({rule})")]
pub struct Illegal {
    pub rule: RuleId,
    pub text: Cow<'static, str>,
    /// The token of the notation that breaks the rule, counted from 0, if there is a single one.
    pub token: Option<usize>,
}

impl Illegal {
    pub fn new(rule: RuleId, text: impl Into<Cow<'static, str>>) -> Illegal {
        Illegal { rule, text: text.into(), token: None }
    }

    /// Points at the token of the notation that breaks the rule.
    pub fn at(mut self, token: usize) -> Illegal {
        self.token = Some(token);
        self
    }
}

/// A text that is not a move of this kind in any position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl Unreadable {
    /// Shows what is expected, and quotes at most 60 characters of the input.
    pub fn expected(example: &str, got: &str) -> Unreadable {
        let got: String = got.chars().take(60).collect();
        Unreadable(format!("Expected {example}, got '{got}'."))
    }
}
