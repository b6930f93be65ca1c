//! The events of Mahabharata on the wire.

use domain::games::mahabharata;

use super::{MahabharataEnding, MahabharataFace, MahabharataToken};
use crate::{events, seats};

events! {
    mahabharata::Event;

    /// A die was taken and its token put behind the screen.
    Screened { seat, die, token } => MahabharataScreened {
        /// The seat that picked.
        seat: Some(seat),
        /// The die.
        die: i32 = die.into(),
        /// The token.
        token: MahabharataToken = token.into(),
    }

    /// A die was taken and a token placed on a leader.
    Placed { seat, die, face, token, leader, name, space } => MahabharataPlaced {
        /// The seat that picked.
        seat: Some(seat),
        /// The die.
        die: i32 = die.into(),
        /// The number that the die showed.
        face: MahabharataFace = face.into(),
        /// The token; that of the die, or the one named for a Raja.
        token: MahabharataToken = token.into(),
        /// The leader's number in this game.
        leader: i32 = leader.into(),
        /// The leader's name.
        name: String = name.to_string(),
        /// The space of the leader.
        space: i32 = space.into(),
    }

    /// A pick was skipped because none of the dice left could be placed.
    Skipped { seat } => MahabharataSkipped {
        /// The seat whose pick it was.
        seat: Some(seat),
    }

    /// The round is over, and players are asked about their Pati: those with a complete one or, with the option
    /// askEveryone, all.
    Asked { seats } => MahabharataAsked {
        /// Null: the event concerns everyone.
        seat: None,
        /// The seats that are asked.
        asked: Vec<i32> = crate::seats(seats),
    }

    /// A player has answered. The answer stays secret until all have answered.
    Answered { seat } => MahabharataAnswered {
        /// The seat that answered.
        seat: Some(seat),
    }

    /// All players who were asked have answered.
    AnswersShown { revealed, held } => MahabharataAnswersShown {
        /// Null: the event concerns everyone.
        seat: None,
        /// The seats that revealed their Pati.
        revealed: Vec<i32> = seats(revealed),
        /// The seats that held it back. Null except by version 1 of the rules.
        held: Option<Vec<i32>> = held.map(seats),
    }

    /// The elephant moved on, and all dice were rolled.
    RoundBegan { seat, round, dice } => MahabharataRoundBegan {
        /// The seat that has the elephant now.
        seat: Some(seat),
        /// The round, counted from 0.
        round: i32 = round.into(),
        /// The numbers of the dice, die 0 first.
        faces: Vec<MahabharataFace> = dice.into_iter().map(MahabharataFace::from).collect(),
    }

    /// The game is over.
    Ended { reason, points } => MahabharataEnded {
        /// Null: the event concerns everyone.
        seat: None,
        /// The cause of its end.
        mahabharata_ending: MahabharataEnding = reason.into(),
        /// For each seat its points.
        points: Vec<i32> = points.map(|points| i32::from(*points)).into_vec(),
    }
}
