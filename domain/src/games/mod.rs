//! The games, each in a file of its own, written in the order of a rulebook.

pub mod kalah;
pub mod mara;

/// The types that hold the rules, by the name of their kind.
pub mod rules {
    pub use super::kalah::Kalah;
    pub use super::mara::Mara;
}
