//! The games, each in a file of its own, written in the order of a rulebook.

#[cfg(test)]
mod blindness;
pub mod kalah;
pub mod macarena;
pub mod mahabharata;
pub mod mahola;
pub mod mara;

/// The types that hold the rules, by the name of their kind: `with_rules!` finds them here.
pub mod rules {
    pub use super::kalah::Kalah;
    pub use super::macarena::Macarena;
    pub use super::mahabharata::Mahabharata;
    pub use super::mahola::Mahola;
    pub use super::mara::Mara;
}
