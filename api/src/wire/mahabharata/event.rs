//! What everybody at a table of Mahabharata sees happen, on the wire.

use async_graphql::SimpleObject;
use domain::games::mahabharata;
use serde::Serialize;
use utoipa::ToSchema;

use super::{MahabharataEnding, MahabharataFace, MahabharataToken};
use crate::wire::{Event, seat, seats};

/// A die was taken and its token put behind the screen.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataScreened {
    /// The seat that picked.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The die.
    pub die: i32,
    /// The token.
    pub token: MahabharataToken,
}

/// A die was taken and a token placed on a leader.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPlaced {
    /// The seat that picked.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The die.
    pub die: i32,
    /// What the die showed.
    pub face: MahabharataFace,
    /// The token; that of the die, or the one named for a Raja.
    pub token: MahabharataToken,
    /// The leader's number in this game.
    pub leader: i32,
    /// The leader's name.
    pub name: String,
    /// The space of the leader.
    pub space: i32,
}

/// None of the dice left could be placed: a pick was skipped.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataSkipped {
    /// The seat whose pick it was.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// The round is over, and those with a complete Pati may reveal it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataAsked {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The seats that are asked.
    pub asked: Vec<i32>,
}

/// A player has made up its mind; what it chose is not told yet.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataAnswered {
    /// The seat that answered.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// All who were asked have answered.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataAnswersShown {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The seats that revealed their Pati.
    pub revealed: Vec<i32>,
    /// The seats that held it back.
    pub held: Vec<i32>,
}

/// The elephant went on, and all dice were rolled.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataRoundBegan {
    /// The seat that has the elephant now.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The round, counted from 0.
    pub round: i32,
    /// What the dice show, die 0 first.
    pub faces: Vec<MahabharataFace>,
}

/// The game is over.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataEnded {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// What ended it.
    pub mahabharata_ending: MahabharataEnding,
    /// For each seat its points.
    pub points: Vec<i32>,
}

impl Event {
    pub(in crate::wire) fn of_mahabharata(event: mahabharata::Event) -> Event {
        let text = event.to_string();
        match event {
            mahabharata::Event::Screened { seat: by, die, token } => Event::MahabharataScreened(MahabharataScreened {
                seat: Some(seat(by)),
                text,
                die: die.into(),
                token: token.into(),
            }),
            mahabharata::Event::Placed { seat: by, die, face, token, leader, name, space } => {
                Event::MahabharataPlaced(MahabharataPlaced {
                    seat: Some(seat(by)),
                    text,
                    die: die.into(),
                    face: face.into(),
                    token: token.into(),
                    leader: leader.into(),
                    name: name.to_string(),
                    space: space.into(),
                })
            }
            mahabharata::Event::Skipped { seat: by } => {
                Event::MahabharataSkipped(MahabharataSkipped { seat: Some(seat(by)), text })
            }
            mahabharata::Event::Asked { seats: asked } => {
                Event::MahabharataAsked(MahabharataAsked { seat: None, text, asked: seats(asked) })
            }
            mahabharata::Event::Answered { seat: by } => {
                Event::MahabharataAnswered(MahabharataAnswered { seat: Some(seat(by)), text })
            }
            mahabharata::Event::AnswersShown { revealed, held } => {
                Event::MahabharataAnswersShown(MahabharataAnswersShown {
                    seat: None,
                    text,
                    revealed: seats(revealed),
                    held: seats(held),
                })
            }
            mahabharata::Event::RoundBegan { seat: by, round, dice } => {
                Event::MahabharataRoundBegan(MahabharataRoundBegan {
                    seat: Some(seat(by)),
                    text,
                    round: round.into(),
                    faces: dice.into_iter().map(MahabharataFace::from).collect(),
                })
            }
            mahabharata::Event::Ended { reason, points } => Event::MahabharataEnded(MahabharataEnded {
                seat: None,
                text,
                mahabharata_ending: reason.into(),
                points: points.map(|points| i32::from(*points)).into_vec(),
            }),
        }
    }
}
