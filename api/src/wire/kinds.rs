//! The kinds side by side: a line for each in every list.

use async_graphql::{Enum, Interface, OneofObject, Union};
use domain::{AnyDetails, AnyEvent, AnyMove, AnyOptions, AnyView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::kalah::*;
use super::macarena::*;
use super::mahabharata::*;
use super::mahola::*;
use super::mara::*;
use super::one_of;
use crate::error::Result;

/// Which game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "domain::Kind")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Kind {
    /// Kalah, the sowing game for two.
    Kalah,
    /// Mahabharata, a dice draft for the favour of leaders.
    Mahabharata,
    /// Mahola, a dance in which all choose at the same time.
    Mahola,
    /// La Macarena, the game of ladders and wells for two to five.
    Macarena,
    /// The Mara, the photo safari for two to four.
    Mara,
}

/// How a game is set up: one field, named after its kind.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "OptionsInput")]
#[serde(rename_all = "camelCase")]
pub enum Options {
    /// Options of Kalah.
    Kalah(KalahOptions),
    /// Options of Mahabharata.
    Mahabharata(MahabharataOptions),
    /// Options of Mahola.
    Mahola(MaholaOptions),
    /// Options of La Macarena.
    Macarena(MacarenaOptions),
    /// Options of The Mara.
    Mara(MaraOptions),
}

one_of! {
    /// How a game is set up: the field of its kind is set, the others are null.
    Options {
        /// Options of Kalah.
        kalah: Kalah(KalahOptions),
        /// Options of Mahabharata.
        mahabharata: Mahabharata(MahabharataOptions),
        /// Options of Mahola.
        mahola: Mahola(MaholaOptions),
        /// Options of La Macarena.
        macarena: Macarena(MacarenaOptions),
        /// Options of The Mara.
        mara: Mara(MaraOptions),
    }
}

impl Options {
    pub fn read(self) -> Result<AnyOptions> {
        Ok(match self {
            Options::Kalah(options) => AnyOptions::Kalah(options.read()?),
            Options::Mahabharata(options) => AnyOptions::Mahabharata(options.read()?),
            Options::Mahola(options) => AnyOptions::Mahola(options.read()?),
            Options::Macarena(options) => AnyOptions::Macarena(options.read()?),
            Options::Mara(options) => AnyOptions::Mara(options.read()?),
        })
    }
}

impl From<AnyOptions> for Options {
    fn from(options: AnyOptions) -> Options {
        match options {
            AnyOptions::Kalah(options) => Options::Kalah(options.into()),
            AnyOptions::Mahabharata(options) => Options::Mahabharata(options.into()),
            AnyOptions::Mahola(options) => Options::Mahola(options.into()),
            AnyOptions::Macarena(options) => Options::Macarena(options.into()),
            AnyOptions::Mara(options) => Options::Mara(options.into()),
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
    /// A move of Mahabharata.
    Mahabharata(MahabharataMove),
    /// A move of Mahola.
    Mahola(MaholaMove),
    /// A move of La Macarena.
    Macarena(MacarenaMove),
    /// A move of The Mara.
    Mara(MaraMove),
}

one_of! {
    /// A move: the field of its kind is set, the others are null.
    Move {
        /// A move of Kalah.
        kalah: Kalah(KalahMove),
        /// A move of Mahabharata.
        mahabharata: Mahabharata(MahabharataMove),
        /// A move of Mahola.
        mahola: Mahola(MaholaMove),
        /// A move of La Macarena.
        macarena: Macarena(MacarenaMove),
        /// A move of The Mara.
        mara: Mara(MaraMove),
    }
}

impl Move {
    pub fn read(self) -> Result<AnyMove> {
        Ok(match self {
            Move::Kalah(mv) => AnyMove::Kalah(mv.read()?),
            Move::Mahabharata(mv) => AnyMove::Mahabharata(mv.read()?),
            Move::Mahola(mv) => AnyMove::Mahola(mv.read()?),
            Move::Macarena(mv) => AnyMove::Macarena(mv.read()?),
            Move::Mara(mv) => AnyMove::Mara(mv.read()?),
        })
    }
}

impl From<AnyMove> for Move {
    fn from(mv: AnyMove) -> Move {
        match mv {
            AnyMove::Kalah(mv) => Move::Kalah(mv.into()),
            AnyMove::Mahabharata(mv) => Move::Mahabharata(mv.into()),
            AnyMove::Mahola(mv) => Move::Mahola(mv.into()),
            AnyMove::Macarena(mv) => Move::Macarena(mv.into()),
            AnyMove::Mara(mv) => Move::Mara(mv.into()),
        }
    }
}

/// What the caller may know of a running or finished game, in the shape of its kind.
#[derive(Clone, Debug, Union, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum View {
    #[serde(rename = "KalahView")]
    Kalah(KalahView),
    #[serde(rename = "MahabharataView")]
    Mahabharata(MahabharataView),
    #[serde(rename = "MaholaView")]
    Mahola(MaholaView),
    #[serde(rename = "MacarenaView")]
    Macarena(MacarenaView),
    #[serde(rename = "MaraView")]
    Mara(MaraView),
}

impl From<AnyView> for View {
    fn from(view: AnyView) -> View {
        match view {
            AnyView::Kalah(view) => View::Kalah(view.into()),
            AnyView::Mahabharata(view) => View::Mahabharata(view.into()),
            AnyView::Mahola(view) => View::Mahola(view.into()),
            AnyView::Macarena(view) => View::Macarena(view.into()),
            AnyView::Mara(view) => View::Mara(view.into()),
        }
    }
}

/// How a game was scored, in the shape of its kind.
#[derive(Clone, Debug, Union, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum Details {
    #[serde(rename = "KalahDetails")]
    Kalah(KalahDetails),
    #[serde(rename = "MahabharataDetails")]
    Mahabharata(MahabharataDetails),
    #[serde(rename = "MaholaDetails")]
    Mahola(MaholaDetails),
    #[serde(rename = "MacarenaDetails")]
    Macarena(MacarenaDetails),
    #[serde(rename = "MaraDetails")]
    Mara(MaraDetails),
}

impl From<AnyDetails> for Details {
    fn from(details: AnyDetails) -> Details {
        match details {
            AnyDetails::Kalah(details) => Details::Kalah(details.into()),
            AnyDetails::Mahabharata(details) => Details::Mahabharata(details.into()),
            AnyDetails::Mahola(details) => Details::Mahola(details.into()),
            AnyDetails::Macarena(details) => Details::Macarena(details.into()),
            AnyDetails::Mara(details) => Details::Mara(details.into()),
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
    MahabharataScreened(MahabharataScreened),
    MahabharataPlaced(MahabharataPlaced),
    MahabharataSkipped(MahabharataSkipped),
    MahabharataAsked(MahabharataAsked),
    MahabharataAnswered(MahabharataAnswered),
    MahabharataAnswersShown(MahabharataAnswersShown),
    MahabharataRoundBegan(MahabharataRoundBegan),
    MahabharataEnded(MahabharataEnded),
    MaholaDealt(MaholaDealt),
    MaholaChose(MaholaChose),
    MaholaPlaced(MaholaPlaced),
    MaholaPassed(MaholaPassed),
    MaholaDrew(MaholaDrew),
    MaholaRevealed(MaholaRevealed),
    MaholaUsedAbility(MaholaUsedAbility),
    MaholaScored(MaholaScored),
    MaholaEnded(MaholaEnded),
    MacarenaHandBegan(MacarenaHandBegan),
    MacarenaDrew(MacarenaDrew),
    MacarenaPlayed(MacarenaPlayed),
    MacarenaMacaPlaced(MacarenaMacaPlaced),
    MacarenaMirrorTurnWon(MacarenaMirrorTurnWon),
    MacarenaDeclined(MacarenaDeclined),
    MacarenaPassed(MacarenaPassed),
    MacarenaSevenWells(MacarenaSevenWells),
    MacarenaHandEnded(MacarenaHandEnded),
    MacarenaReturnChosen(MacarenaReturnChosen),
    MacarenaReturned(MacarenaReturned),
    MacarenaShowed(MacarenaShowed),
    MacarenaAwarded(MacarenaAwarded),
    MacarenaBought(MacarenaBought),
    MacarenaAmuletMade(MacarenaAmuletMade),
    MacarenaEnded(MacarenaEnded),
    MaraPlaced(MaraPlaced),
    MaraMet(MaraMet),
    MaraDrove(MaraDrove),
    MaraPeeked(MaraPeeked),
    MaraPhotographed(MaraPhotographed),
    MaraDrew(MaraDrew),
    MaraKept(MaraKept),
    MaraTurnEnded(MaraTurnEnded),
    MaraEnded(MaraEnded),
}

impl From<AnyEvent> for Event {
    fn from(event: AnyEvent) -> Event {
        match event {
            AnyEvent::Kalah(event) => event.into(),
            AnyEvent::Mahabharata(event) => event.into(),
            AnyEvent::Mahola(event) => event.into(),
            AnyEvent::Macarena(event) => event.into(),
            AnyEvent::Mara(event) => event.into(),
        }
    }
}
