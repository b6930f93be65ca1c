//! Games, a file for each thing that is done with them.

pub mod create;
pub mod draw;
pub mod history;
pub mod join;
pub mod list;
pub mod look;
pub mod play;
pub mod update;
