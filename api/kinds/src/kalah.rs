//! Kalah on the wire.

use async_graphql::{Enum, InputObject, SimpleObject};
use domain::games::kalah;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{events, seat, seat_number, small};
use crate::Result;

/// The options of a game of Kalah.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "KalahOptions", input_name = "KalahOptionsInput")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct KalahOptions {
    /// The number of pockets of each seat, 1 to 12.
    #[graphql(default = 6)]
    #[schema(minimum = 1, maximum = 12)]
    pub pockets: i32,
    /// The number of seeds in each pocket at the start, 1 to 12.
    #[graphql(default = 4)]
    #[schema(minimum = 1, maximum = 12)]
    pub seeds_per_pocket: i32,
    /// The destination of the seeds that are left in a row at the end.
    #[graphql(default_with = "KalahLeftovers::Stay")]
    pub leftovers: KalahLeftovers,
    /// Whether a last seed that falls into the player's own empty pocket goes to the store even if the opposite pocket
    /// is empty.
    #[graphql(default = false)]
    pub empty_capture: bool,
    /// The seat that starts. Default: drawn at random.
    #[schema(minimum = 0, maximum = 1)]
    pub first_seat: Option<i32>,
}

/// The destination of the seeds that are left in a row at the end of a game of Kalah.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "kalah::Leftovers")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum KalahLeftovers {
    /// They count for nobody.
    Stay,
    /// They go to the store of the row's owner.
    Owner,
}

impl Default for KalahOptions {
    fn default() -> KalahOptions {
        kalah::Options::default().into()
    }
}

impl From<kalah::Options> for KalahOptions {
    fn from(options: kalah::Options) -> KalahOptions {
        let kalah::Options { pockets, seeds_per_pocket, leftovers, empty_capture, first_seat } = options;
        KalahOptions {
            pockets: pockets.into(),
            seeds_per_pocket: seeds_per_pocket.into(),
            leftovers: leftovers.into(),
            empty_capture,
            first_seat: first_seat.map(seat),
        }
    }
}

impl KalahOptions {
    pub fn read(self) -> Result<kalah::Options> {
        let KalahOptions { pockets, seeds_per_pocket, leftovers, empty_capture, first_seat } = self;
        Ok(kalah::Options {
            pockets: small("pockets", pockets)?,
            seeds_per_pocket: small("seedsPerPocket", seeds_per_pocket)?,
            leftovers: leftovers.into(),
            empty_capture,
            first_seat: first_seat.map(|seat| seat_number("firstSeat", seat)).transpose()?,
        })
    }
}

/// A move of Kalah: sow one of your pockets.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "KalahMove", input_name = "KalahMoveInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KalahMove {
    /// The pocket, counted from 0 in sowing direction.
    #[schema(minimum = 0, maximum = 255)]
    pub pocket: i32,
}

impl From<kalah::Move> for KalahMove {
    fn from(kalah::Move { pocket }: kalah::Move) -> KalahMove {
        KalahMove { pocket: pocket.into() }
    }
}

impl KalahMove {
    pub fn read(self) -> Result<kalah::Move> {
        Ok(kalah::Move { pocket: small("pocket", self.pocket)? })
    }
}

/// The board of a game of Kalah, the same for everyone.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KalahView {
    /// For each seat the seeds in its pockets, in sowing direction.
    pub pockets: Vec<Vec<i32>>,
    /// For each seat the seeds in its store.
    pub stores: Vec<i32>,
}

impl From<kalah::View> for KalahView {
    fn from(kalah::View { pockets, stores }: kalah::View) -> KalahView {
        KalahView {
            pockets: pockets.into_iter().map(|row| row.into_iter().map(i32::from).collect()).collect(),
            stores: stores.map(i32::from).to_vec(),
        }
    }
}

/// The scoring of a game of Kalah.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KalahDetails {
    /// For each seat the seeds in its store.
    pub stores: Vec<i32>,
}

impl From<kalah::Details> for KalahDetails {
    fn from(kalah::Details { stores }: kalah::Details) -> KalahDetails {
        KalahDetails { stores: stores.map(i32::from).to_vec() }
    }
}

events! {
    kalah::Event;

    /// The seeds of a pocket were sown.
    Sowed { seat, pocket, seeds } => KalahSowed {
        /// The seat that sowed.
        seat: Some(seat),
        /// The pocket that was lifted.
        pocket: i32 = pocket.into(),
        /// The number of seeds in it.
        seeds: i32 = seeds.into(),
    }

    /// The last seed fell into the mover's store, so it moves again.
    MovesAgain { seat } => KalahMovesAgain {
        /// The seat that moves again.
        seat: Some(seat),
    }

    /// The last seed and the seeds opposite went to the mover's store.
    Captured { seat, pocket, seeds } => KalahCaptured {
        /// The seat that captured.
        seat: Some(seat),
        /// The pocket into which the last seed fell.
        pocket: i32 = pocket.into(),
        /// The number of seeds that went to the store.
        seeds: i32 = seeds.into(),
    }

    /// The seeds left in a row at the end went to its owner's store.
    Collected { seat, seeds } => KalahCollected {
        /// The seat that collected.
        seat: Some(seat),
        /// The number of seeds that went to the store.
        seeds: i32 = seeds.into(),
    }

    /// A row was empty, so the game is over.
    Ended { stores } => KalahEnded {
        /// Null: the event concerns everyone.
        seat: None,
        /// For each seat the seeds in its store.
        stores: Vec<i32> = stores.map(i32::from).to_vec(),
    }
}
