//! A game at an earlier ply, on the wire.

use async_graphql::SimpleObject;
use domain::Viewer;
use serde::Serialize;
use utoipa::ToSchema;

use super::game::Outcome;
use super::{View, int, seat, seats};
use crate::games;

/// A game as it was after a ply.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// How many moves had been made.
    pub ply: i32,
    /// The seats whose decision the game waited for.
    pub to_act: Vec<i32>,
    /// The seats that had given up, the first to do so first.
    pub resigned: Vec<i32>,
    /// The seat that saw it so; null for what somebody without a seat saw, and where all hands are open.
    pub seen_by: Option<i32>,
    /// Whether all hands are open.
    pub open: bool,
    /// What could be seen.
    pub view: View,
    /// How the game ended, if that was its end.
    pub outcome: Option<Outcome>,
}

impl From<games::Moment> for Moment {
    fn from(games::Moment { position, viewer }: games::Moment) -> Moment {
        Moment {
            ply: int(position.ply()),
            to_act: seats(position.to_act()),
            resigned: position.resigned().iter().copied().map(seat).collect(),
            seen_by: if let Viewer::Seat(own) = viewer { Some(seat(own)) } else { None },
            open: viewer.is_open(),
            view: position.view(viewer).into(),
            outcome: position.outcome().map(Outcome::from),
        }
    }
}
