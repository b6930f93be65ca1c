//! The kinds side by side: a line for each in every list.

use async_graphql::{Enum, Interface, Object, OneofObject, Union};
use domain::{AnyDetails, AnyEvent, AnyMove, AnyOptions, AnyView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::kalah::*;
use crate::error::Result;

/// Which game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "domain::Kind")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Kind {
    /// Kalah, the sowing game for two.
    Kalah,
}

/// How a game is set up: one field, named after its kind.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "OptionsInput")]
#[serde(rename_all = "camelCase")]
pub enum Options {
    /// Options of Kalah.
    Kalah(KalahOptions),
}

/// How a game is set up: the field of its kind is set, the others are null.
#[Object]
impl Options {
    /// Options of Kalah.
    async fn kalah(&self) -> Option<&KalahOptions> {
        let Options::Kalah(options) = self;
        Some(options)
    }
}

impl Options {
    pub fn read(self) -> Result<AnyOptions> {
        Ok(match self {
            Options::Kalah(options) => AnyOptions::Kalah(options.read()?),
        })
    }
}

impl From<AnyOptions> for Options {
    fn from(options: AnyOptions) -> Options {
        match options {
            AnyOptions::Kalah(options) => Options::Kalah(options.into()),
        }
    }
}

/// A move: one field, named after its kind.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MoveInput")]
#[serde(rename_all = "camelCase")]
pub enum Move {
    /// A move of Kalah.
    Kalah(KalahMove),
}

/// A move: the field of its kind is set, the others are null.
#[Object]
impl Move {
    /// A move of Kalah.
    async fn kalah(&self) -> Option<&KalahMove> {
        let Move::Kalah(mv) = self;
        Some(mv)
    }
}

impl Move {
    pub fn read(self) -> Result<AnyMove> {
        Ok(match self {
            Move::Kalah(mv) => AnyMove::Kalah(mv.read()?),
        })
    }
}

impl From<AnyMove> for Move {
    fn from(mv: AnyMove) -> Move {
        match mv {
            AnyMove::Kalah(mv) => Move::Kalah(mv.into()),
        }
    }
}

/// What the caller may know of a running or finished game, in the shape of its kind.
#[derive(Clone, Debug, Union, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum View {
    #[serde(rename = "KalahView")]
    Kalah(KalahView),
}

impl From<AnyView> for View {
    fn from(view: AnyView) -> View {
        match view {
            AnyView::Kalah(view) => View::Kalah(view.into()),
        }
    }
}

/// How a game was scored, in the shape of its kind.
#[derive(Clone, Debug, Union, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum Details {
    #[serde(rename = "KalahDetails")]
    Kalah(KalahDetails),
}

impl From<AnyDetails> for Details {
    fn from(details: AnyDetails) -> Details {
        match details {
            AnyDetails::Kalah(details) => Details::Kalah(details.into()),
        }
    }
}

/// Something that everybody at the table sees happen.
#[derive(Clone, Debug, Interface, Serialize, ToSchema)]
#[graphql(
    field(name = "seat", ty = "&Option<i32>", desc = "The seat that it concerns; null where it concerns everybody."),
    field(name = "text", ty = "&String", desc = "What happened, in a sentence.")
)]
#[serde(tag = "type")]
pub enum Event {
    KalahSowed(KalahSowed),
    KalahMovesAgain(KalahMovesAgain),
    KalahCaptured(KalahCaptured),
    KalahCollected(KalahCollected),
    KalahEnded(KalahEnded),
}

impl From<AnyEvent> for Event {
    fn from(event: AnyEvent) -> Event {
        match event {
            AnyEvent::Kalah(event) => Event::of_kalah(event),
        }
    }
}
