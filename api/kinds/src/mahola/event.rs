//! The events of Mahola on the wire.

use domain::games::mahola;

use super::{MaholaAbility, MaholaCharacter, MaholaCriterion, MaholaEnd};
use crate::{events, int, seat};

events! {
    mahola::Event;

    /// A new round was dealt.
    Dealt { round } => MaholaDealt {
        /// Null: the event concerns everyone.
        seat: None,
        /// The round, counted from 0.
        round: i32 = int(round),
    }

    /// A player has chosen. The choice stays secret until everyone has chosen.
    Chose { seat } => MaholaChose {
        /// The seat that chose.
        seat: Some(seat),
    }

    /// A card was added to a tableau.
    Placed { seat, card, end } => MaholaPlaced {
        /// The seat whose tableau it is.
        seat: Some(seat),
        /// The card.
        card: String = mahola::Card::from(card).to_string(),
        /// The end where it was placed; null for the first card of a tableau.
        tableau_end: Option<MaholaEnd> = end.map(MaholaEnd::from),
    }

    /// Everyone passed a card to each neighbour.
    Passed { turn } => MaholaPassed {
        /// Null: the event concerns everyone.
        seat: None,
        /// The turn, counted from 0.
        turn: i32 = turn.into(),
    }

    /// Everyone drew a card.
    Drew { turn, deck_size } => MaholaDrew {
        /// Null: the event concerns everyone.
        seat: None,
        /// The turn, counted from 0.
        turn: i32 = turn.into(),
        /// The number of cards in the deck now.
        deck_size: i32 = deck_size.into(),
    }

    /// A character was shown.
    Revealed { seat, character } => MaholaRevealed {
        /// The seat that danced for it.
        seat: Some(seat),
        /// The character.
        character: MaholaCharacter = character.into(),
    }

    /// A character's ability was used or declined.
    UsedAbility { seat, character, ability } => MaholaUsedAbility {
        /// The seat that danced for it.
        seat: Some(seat),
        /// The character.
        character: MaholaCharacter = character.into(),
        /// The use of its ability.
        ability: MaholaAbility = ability.into(),
    }

    /// A round is over.
    Scored { round, scores, winner, decided_by } => MaholaScored {
        /// Null: the event concerns everyone.
        seat: None,
        /// The round, counted from 0.
        round: i32 = int(round),
        /// For each seat its score.
        points: Vec<i32> = scores.map(|score| i32::from(*score)).into_vec(),
        /// The seat that got the favor token; null if nobody did.
        winner: Option<i32> = winner.map(seat),
        /// The criterion that decided; null if nobody got the token.
        decided_by: Option<MaholaCriterion> = decided_by.map(MaholaCriterion::from),
    }

    /// A player has enough favor tokens to win: the game is over.
    Ended { winner, tokens } => MaholaEnded {
        /// Null: the event concerns everyone.
        seat: None,
        /// The seat that won, as a list of one.
        winners: Vec<i32> = vec![seat(winner)],
        /// For each seat its favor tokens.
        favor_tokens: Vec<i32> = tokens.map(|tokens| i32::from(*tokens)).into_vec(),
    }
}
