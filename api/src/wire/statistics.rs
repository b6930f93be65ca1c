//! Statistics on the wire.

use async_graphql::SimpleObject;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Kind, int};
use crate::model::{self, Tally};

/// The results of a player in one kind of game. They count the finished games that you may
/// see, except practice games; games with bots are counted separately.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// The kind of game.
    pub kind: Kind,
    /// The number of finished games.
    pub played: i32,
    /// Games that the player won alone.
    pub won: i32,
    /// Games that the player won together with others.
    pub shared: i32,
    /// Games that nobody won.
    pub drawn: i32,
    /// Games that others won.
    pub lost: i32,
    /// The average place; 1 is the best.
    pub average_place: f64,
    /// The current streak: how many of the most recent games in a row were won or shared.
    pub current_streak: i32,
    /// The longest streak of games won or shared.
    pub longest_streak: i32,
}

/// The results of a player against an opponent in one kind of game. They count the finished games that you may see,
/// except practice games; games with bots are counted separately.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeadToHead {
    /// The kind of game.
    pub kind: Kind,
    /// The number of finished games in which both had a seat.
    pub played: i32,
    /// Games in which the player placed better than the opponent. With two seats, these are the games won.
    pub ahead: i32,
    /// Games in which they shared a place.
    pub level: i32,
    /// Games in which the opponent placed better.
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
