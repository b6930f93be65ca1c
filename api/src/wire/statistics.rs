//! How people have done, on the wire.

use async_graphql::SimpleObject;
use serde::Serialize;
use utoipa::ToSchema;

use super::Kind;
use crate::error::{Error, Result};
use crate::store::{Meetings, Tally};

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

impl TryFrom<Tally> for Statistics {
    type Error = Error;

    fn try_from(tally: Tally) -> Result<Statistics> {
        let Tally { kind, played, won, shared, drawn, lost, places, current_streak, longest_streak } = tally;
        Ok(Statistics {
            kind: known(&kind)?,
            played: played as i32,
            won: won as i32,
            shared: shared as i32,
            drawn: drawn as i32,
            lost: lost as i32,
            average_place: places as f64 / played as f64,
            current_streak: current_streak as i32,
            longest_streak: longest_streak as i32,
        })
    }
}

impl TryFrom<Meetings> for HeadToHead {
    type Error = Error;

    fn try_from(meetings: Meetings) -> Result<HeadToHead> {
        let Meetings { kind, played, ahead, level, behind } = meetings;
        Ok(HeadToHead {
            kind: known(&kind)?,
            played: played as i32,
            ahead: ahead as i32,
            level: level as i32,
            behind: behind as i32,
        })
    }
}

impl Statistics {
    pub fn all(tallies: Vec<Tally>) -> Result<Vec<Statistics>> {
        tallies.into_iter().map(Statistics::try_from).collect()
    }
}

impl HeadToHead {
    pub fn all(meetings: Vec<Meetings>) -> Result<Vec<HeadToHead>> {
        meetings.into_iter().map(HeadToHead::try_from).collect()
    }
}

/// A kind as the store names it.
fn known(kind: &str) -> Result<Kind> {
    kind.parse::<domain::Kind>().map(Kind::from).map_err(|_| {
        tracing::error!(kind, "a stored game is of a kind that this build does not know");
        Error::Internal
    })
}
