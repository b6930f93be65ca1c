//! What everybody at a table of Mahola sees happen, on the wire.

use async_graphql::SimpleObject;
use domain::games::mahola;
use serde::Serialize;
use utoipa::ToSchema;

use super::{MaholaAbility, MaholaCharacter, MaholaCriterion, MaholaEnd};
use crate::wire::{Event, seat};

/// A new round was dealt.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaDealt {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The round, counted from 0.
    pub round: i32,
}

/// A player made its choice; what it is nobody else knows yet.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaChose {
    /// The seat that chose.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// A card was added to a tableau.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaPlaced {
    /// The seat whose tableau it is.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The card.
    pub card: String,
    /// The end where it was placed; null for the first card of a tableau.
    pub tableau_end: Option<MaholaEnd>,
}

/// Everybody handed a card to each neighbour.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaPassed {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The turn, counted from 0.
    pub turn: i32,
}

/// Everybody drew a card.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaDrew {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The turn, counted from 0.
    pub turn: i32,
    /// How many cards the deck has now.
    pub deck_size: i32,
}

/// A character was shown.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaRevealed {
    /// The seat that danced for it.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The character.
    pub character: MaholaCharacter,
}

/// A character's ability was used or declined.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaUsedAbility {
    /// The seat that danced for it.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The character.
    pub character: MaholaCharacter,
    /// What became of its ability.
    pub ability: MaholaAbility,
}

/// A round is over.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaScored {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The round, counted from 0.
    pub round: i32,
    /// For each seat its score.
    pub points: Vec<i32>,
    /// The seat that got the favor token; null if nobody did.
    pub winner: Option<i32>,
    /// What the winner was best in; null if nobody got the token.
    pub decided_by: Option<MaholaCriterion>,
}

/// Somebody has all the favor tokens it takes: the game is over.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaEnded {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The seats that won: one.
    pub winners: Vec<i32>,
    /// For each seat its favor tokens.
    pub favor_tokens: Vec<i32>,
}

impl Event {
    pub(in crate::wire) fn of_mahola(event: mahola::Event) -> Event {
        let text = event.to_string();
        match event {
            mahola::Event::Dealt { round } => Event::MaholaDealt(MaholaDealt { seat: None, text, round: round as i32 }),
            mahola::Event::Chose { seat: by } => Event::MaholaChose(MaholaChose { seat: Some(seat(by)), text }),
            mahola::Event::Placed { seat: by, card, end } => Event::MaholaPlaced(MaholaPlaced {
                seat: Some(seat(by)),
                text,
                card: card.to_string(),
                tableau_end: end.map(MaholaEnd::from),
            }),
            mahola::Event::Passed { turn } => Event::MaholaPassed(MaholaPassed { seat: None, text, turn: turn.into() }),
            mahola::Event::Drew { turn, deck_size } => {
                Event::MaholaDrew(MaholaDrew { seat: None, text, turn: turn.into(), deck_size: deck_size.into() })
            }
            mahola::Event::Revealed { seat: by, character } => {
                Event::MaholaRevealed(MaholaRevealed { seat: Some(seat(by)), text, character: character.into() })
            }
            mahola::Event::UsedAbility { seat: by, character, ability } => {
                Event::MaholaUsedAbility(MaholaUsedAbility {
                    seat: Some(seat(by)),
                    text,
                    character: character.into(),
                    ability: ability.into(),
                })
            }
            mahola::Event::Scored { round, scores, winner, decided_by } => Event::MaholaScored(MaholaScored {
                seat: None,
                text,
                round: round as i32,
                points: scores.map(|score| i32::from(*score)).into_vec(),
                winner: winner.map(seat),
                decided_by: decided_by.map(MaholaCriterion::from),
            }),
            mahola::Event::Ended { winner, tokens } => Event::MaholaEnded(MaholaEnded {
                seat: None,
                text,
                winners: vec![seat(winner)],
                favor_tokens: tokens.map(|tokens| i32::from(*tokens)).into_vec(),
            }),
        }
    }
}
