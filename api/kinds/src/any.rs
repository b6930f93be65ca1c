//! The list of kinds, [`kinds!`], and the types that it generates.

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
use crate::Result;

macro_rules! kinds {
    ($(
        $(#[$about:meta])*
        $Kind:ident: $field:ident {
            $(#[$about_options:meta])*
            $Options:ident,
            $(#[$about_move:meta])*
            $Move:ident,
            $View:ident,
            $Details:ident,
            [$($Event:ident),* $(,)?],
        }
    )*) => {
        /// A kind of game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
        #[graphql(remote = "domain::Kind")]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum Kind {
            $($(#[$about])* $Kind,)*
        }

        /// The options of a game: exactly one field, named after its kind.
        #[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
        #[graphql(name = "OptionsInput")]
        #[serde(rename_all = "camelCase")]
        pub enum Options {
            $($(#[$about_options])* $Kind($Options),)*
        }

        one_of! {
            /// The options of a game: the field of its kind is set, all others are null.
            Options {
                $($(#[$about_options])* $field: $Kind($Options),)*
            }
        }

        impl Options {
            pub fn read(self) -> Result<AnyOptions> {
                Ok(match self { $(Options::$Kind(options) => AnyOptions::$Kind(options.read()?),)* })
            }
        }

        impl From<AnyOptions> for Options {
            fn from(options: AnyOptions) -> Options {
                match options { $(AnyOptions::$Kind(options) => Options::$Kind(options.into()),)* }
            }
        }

        /// A move: exactly one field, named after its kind.
        #[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
        #[graphql(name = "MoveInput")]
        #[serde(rename_all = "camelCase")]
        pub enum Move {
            $($(#[$about_move])* $Kind($Move),)*
        }

        one_of! {
            /// A move: the field of its kind is set, all others are null.
            Move {
                $($(#[$about_move])* $field: $Kind($Move),)*
            }
        }

        impl Move {
            pub fn read(self) -> Result<AnyMove> {
                Ok(match self { $(Move::$Kind(mv) => AnyMove::$Kind(mv.read()?),)* })
            }
        }

        impl From<AnyMove> for Move {
            fn from(mv: AnyMove) -> Move {
                match mv { $(AnyMove::$Kind(mv) => Move::$Kind(mv.into()),)* }
            }
        }

        /// The position of a game as the caller may see it, in the shape of its kind.
        #[derive(Clone, Debug, Union, Serialize, ToSchema)]
        #[serde(tag = "type")]
        pub enum View {
            $($View($View),)*
        }

        impl From<AnyView> for View {
            fn from(view: AnyView) -> View {
                match view { $(AnyView::$Kind(view) => View::$View(view.into()),)* }
            }
        }

        /// The scoring, in the shape of the game's kind.
        #[derive(Clone, Debug, Union, Serialize, ToSchema)]
        #[serde(tag = "type")]
        pub enum Details {
            $($Details($Details),)*
        }

        impl From<AnyDetails> for Details {
            fn from(details: AnyDetails) -> Details {
                match details { $(AnyDetails::$Kind(details) => Details::$Details(details.into()),)* }
            }
        }

        /// An event that everyone at the table sees.
        #[derive(Clone, Debug, Interface, Serialize, ToSchema)]
        #[graphql(
            field(
                name = "seat",
                ty = "&Option<i32>",
                desc = "The seat concerned; null if the event concerns everyone."
            ),
            field(name = "text", ty = "&String", desc = "The event as a sentence.")
        )]
        #[serde(tag = "type")]
        pub enum Event {
            $($($Event($Event),)*)*
        }

        impl From<AnyEvent> for Event {
            fn from(event: AnyEvent) -> Event {
                match event { $(AnyEvent::$Kind(event) => event.into(),)* }
            }
        }
    };
}

impl Options {
    /// The options without tables of components: for lists, where a hash stands for them.
    pub fn brief(self) -> Options {
        match self {
            Options::Mahabharata(options) => Options::Mahabharata(MahabharataOptions { components: None, ..options }),
            Options::Mahola(options) => Options::Mahola(MaholaOptions { components: None, ..options }),
            options @ (Options::Kalah(_) | Options::Macarena(_) | Options::Mara(_)) => options,
        }
    }
}

// For each kind: options, move, view, details, events. The names are also the type names in GraphQL and JSON.
kinds! {
    /// Kalah, the sowing game for two.
    Kalah: kalah {
        /// Options of Kalah.
        KalahOptions,
        /// A move of Kalah.
        KalahMove,
        KalahView,
        KalahDetails,
        [KalahSowed, KalahMovesAgain, KalahCaptured, KalahCollected, KalahEnded],
    }

    /// Mahabharata, a dice draft for the favour of leaders.
    Mahabharata: mahabharata {
        /// Options of Mahabharata.
        MahabharataOptions,
        /// A move of Mahabharata.
        MahabharataMove,
        MahabharataView,
        MahabharataDetails,
        [
            MahabharataScreened, MahabharataPlaced, MahabharataSkipped, MahabharataAsked, MahabharataAnswered,
            MahabharataAnswersShown, MahabharataRoundBegan, MahabharataEnded,
        ],
    }

    /// Mahola, a dance in which all choose at the same time.
    Mahola: mahola {
        /// Options of Mahola.
        MaholaOptions,
        /// A move of Mahola.
        MaholaMove,
        MaholaView,
        MaholaDetails,
        [
            MaholaDealt, MaholaChose, MaholaPlaced, MaholaPassed, MaholaDrew, MaholaRevealed, MaholaUsedAbility,
            MaholaScored, MaholaEnded,
        ],
    }

    /// La Macarena, the game of ladders and wells for two to five.
    Macarena: macarena {
        /// Options of La Macarena.
        MacarenaOptions,
        /// A move of La Macarena.
        MacarenaMove,
        MacarenaView,
        MacarenaDetails,
        [
            MacarenaHandBegan, MacarenaDrew, MacarenaPlayed, MacarenaMacaPlaced, MacarenaMirrorTurnWon,
            MacarenaDeclined, MacarenaPassed, MacarenaSevenWells, MacarenaHandEnded, MacarenaReturnChosen,
            MacarenaReturned, MacarenaShowed, MacarenaAwarded, MacarenaBought, MacarenaAmuletMade, MacarenaEnded,
        ],
    }

    /// The Mara, the photo safari for two to four.
    Mara: mara {
        /// Options of The Mara.
        MaraOptions,
        /// A move of The Mara.
        MaraMove,
        MaraView,
        MaraDetails,
        [
            MaraPlaced, MaraMet, MaraDrove, MaraPeeked, MaraPhotographed, MaraDrew, MaraKept, MaraTurnEnded,
            MaraEnded,
        ],
    }
}
