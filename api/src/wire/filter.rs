//! Which games a list shows, as GraphQL's input and as REST's query parameters.

use async_graphql::{ID, InputObject};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{GameResult, GameStatus, Kind, Time, player_id_of};
use crate::error::Result;
use crate::model::GameFilter;

/// Which games a list shows.
#[derive(Default, InputObject, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesFilter {
    /// Only games of this kind.
    kind: Option<Kind>,
    /// Only games that stand so.
    status: Option<GameStatus>,
    /// Only games in which this player sits.
    #[param(value_type = Option<String>)]
    player_id: Option<ID>,
    /// Only games in which the player of playerId meets this one.
    #[param(value_type = Option<String>)]
    opponent_id: Option<ID>,
    /// Only games that are over and came to this for the player of playerId.
    result: Option<GameResult>,
    /// Only practice games, or only games that are none.
    practice: Option<bool>,
    /// Only games opened at this time or later.
    created_from: Option<Time>,
    /// Only games opened before this time.
    created_before: Option<Time>,
    /// Only games that ended, or were called off, at this time or later.
    ended_from: Option<Time>,
    /// Only games that ended, or were called off, before this time.
    ended_before: Option<Time>,
}

impl GamesFilter {
    pub fn read(self) -> Result<GameFilter> {
        let GamesFilter {
            kind,
            status,
            player_id,
            opponent_id,
            result,
            practice,
            created_from,
            created_before,
            ended_from,
            ended_before,
        } = self;
        Ok(GameFilter {
            kind: kind.map(domain::Kind::from),
            status: status.map(Into::into),
            player: player_id.map(|id| player_id_of(&id)).transpose()?,
            opponent: opponent_id.map(|id| player_id_of(&id)).transpose()?,
            result: result.map(Into::into),
            is_practice: practice,
            created_from: created_from.map(Into::into),
            created_before: created_before.map(Into::into),
            ended_from: ended_from.map(Into::into),
            ended_before: ended_before.map(Into::into),
        })
    }
}
