//! The filter of game lists: a GraphQL input, and REST query parameters.

use async_graphql::{ID, InputObject};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{GameResult, GameStatus, Kind, Time, player_id_of};
use crate::error::Result;
use crate::games::checked_external_id;
use crate::ids::PlayerId;
use crate::model::GameFilter;

/// A filter for games. All of its conditions must hold.
#[derive(Default, InputObject, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesFilter {
    /// Only games of this kind.
    kind: Option<Kind>,
    /// Only games with this status.
    status: Option<GameStatus>,
    /// Only games in which this player has a seat.
    #[param(value_type = Option<PlayerId>)]
    player_id: Option<ID>,
    /// Only games in which this player is an opponent of `playerId`.
    #[param(value_type = Option<PlayerId>)]
    opponent_id: Option<ID>,
    /// Only finished games with this result for `playerId`.
    result: Option<GameResult>,
    /// true: only practice games. false: no practice games.
    practice: Option<bool>,
    /// Only the game with this external id.
    #[param(min_length = 1, max_length = 120)]
    external_id: Option<String>,
    /// Only games opened at or after this time.
    created_from: Option<Time>,
    /// Only games opened before this time.
    created_before: Option<Time>,
    /// Only games that ended or were cancelled at or after this time.
    ended_from: Option<Time>,
    /// Only games that ended or were cancelled before this time.
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
            external_id,
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
            external_id: external_id.map(|id| checked_external_id(&id)).transpose()?,
            created_from: created_from.map(Into::into),
            created_before: created_before.map(Into::into),
            ended_from: ended_from.map(Into::into),
            ended_before: ended_before.map(Into::into),
        })
    }
}
