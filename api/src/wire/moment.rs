//! A game at an earlier ply, on the wire.

use std::sync::Arc;

use async_graphql::SimpleObject;
use domain::Viewer;
use serde::Serialize;
use utoipa::ToSchema;

use super::game::Outcome;
use super::{View, int, seat, seats};
use crate::games;

/// A game as it was after a ply.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// The number of moves made.
    pub ply: i32,
    /// The seats whose decision the game waited for.
    pub to_act: Vec<i32>,
    /// The seats that had resigned, in the order of resigning.
    pub resigned: Vec<i32>,
    /// The seat whose view this is; null for a spectator's view, and if everything is visible.
    pub seen_by: Option<i32>,
    /// Whether everything is visible.
    pub open: bool,
    /// The position, as that seat or spectator saw it.
    pub view: View,
    /// The outcome, if the game was over after this ply.
    pub outcome: Option<Outcome>,
    #[graphql(skip)]
    #[serde(skip)]
    #[schema(ignore)]
    pub moment: Arc<games::Moment>,
}

impl From<games::Moment> for Moment {
    fn from(moment: games::Moment) -> Moment {
        let games::Moment { position, viewer, seat: _, names: _ } = &moment;
        Moment {
            ply: int(position.ply()),
            to_act: seats(position.to_act()),
            resigned: position.resigned().iter().copied().map(seat).collect(),
            seen_by: if let Viewer::Seat(own) = viewer { Some(seat(*own)) } else { None },
            open: viewer.is_open(),
            view: position.view(*viewer).into(),
            outcome: position.outcome().map(Outcome::from),
            moment: Arc::new(moment),
        }
    }
}
