//! How people have done, on the wire.

use async_graphql::SimpleObject;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Kind, int};
use crate::model::{self, Tally};

/// How a player has done in one kind of game. Of the games that you may see those count that are over and were not for
/// practice.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// Which kind of game.
    pub kind: Kind,
    /// How many games were played to their end.
    pub played: i32,
    /// Of these, won alone.
    pub won: i32,
    /// Won together with others.
    pub shared: i32,
    /// Won by nobody.
    pub drawn: i32,
    /// Won by others.
    pub lost: i32,
    /// The place in the average game, 1 the best.
    pub average_place: f64,
    /// How many games in a row, up to the last one to end, were won or shared.
    pub current_streak: i32,
    /// The most games in a row that were won or shared.
    pub longest_streak: i32,
}

/// How a player has done against another one in one kind of game. Of the games that you may see those count that are
/// over and were not for practice.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeadToHead {
    /// Which kind of game.
    pub kind: Kind,
    /// How many games with both of them were played to their end.
    pub played: i32,
    /// In how many the player had a better place than the opponent. With two seats these are the games won.
    pub ahead: i32,
    /// In how many they shared a place.
    pub level: i32,
    /// In how many the opponent had the better place.
    pub behind: i32,
}

impl From<Tally> for Statistics {
    fn from(tally: Tally) -> Statistics {
        let Tally { kind, played, won, shared, drawn, lost, places, current_streak, longest_streak } = tally;
        Statistics {
            kind: kind.into(),
            played: int(played),
            won: int(won),
            shared: int(shared),
            drawn: int(drawn),
            lost: int(lost),
            average_place: places as f64 / played as f64,
            current_streak: int(current_streak),
            longest_streak: int(longest_streak),
        }
    }
}

impl From<model::HeadToHead> for HeadToHead {
    fn from(model::HeadToHead { kind, played, ahead, level, behind }: model::HeadToHead) -> HeadToHead {
        HeadToHead { kind: kind.into(), played: int(played), ahead: int(ahead), level: int(level), behind: int(behind) }
    }
}
