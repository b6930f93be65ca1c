//! Mahola on the wire. Cards are named by their number in the kind's table of cards, as notation writes it.

mod components;
mod event;

use async_graphql::{Enum, InputObject, OneofObject, SimpleObject};
use domain::games::mahola;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use components::*;
pub use event::*;

use super::{check_true, int, named, names, one_of, seat, seats, small};
use crate::Result;

/// The options of a game of Mahola.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaOptions", input_name = "MaholaOptionsInput")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MaholaOptions {
    /// The number of favor tokens that win the game, 1 to 5.
    #[graphql(default = 3)]
    #[schema(minimum = 1, maximum = 5)]
    pub rounds_to_win: i32,
    /// Whether cards are also passed and drawn in the fifth turn. Null in games by version 1 of the rules, which does
    /// not have this option: there they are not.
    #[graphql(default_with = "Some(true)")]
    pub last_pass: Option<bool>,
    /// Tables of cards and characters in place of the built-in ones. Null for the built-in tables.
    pub components: Option<MaholaComponents>,
}

impl Default for MaholaOptions {
    fn default() -> MaholaOptions {
        mahola::Options::default().into()
    }
}

impl From<mahola::Options> for MaholaOptions {
    fn from(mahola::Options { rounds_to_win, last_pass, components }: mahola::Options) -> MaholaOptions {
        let components = components.map(MaholaComponents::from);
        MaholaOptions { rounds_to_win: rounds_to_win.into(), last_pass, components }
    }
}

impl MaholaOptions {
    pub fn read(self) -> Result<mahola::Options> {
        let MaholaOptions { rounds_to_win, last_pass, components } = self;
        let components = components.map(mahola::Components::from);
        Ok(mahola::Options { rounds_to_win: small("roundsToWin", rounds_to_win)?, last_pass, components })
    }
}

/// A move of Mahola, secret until everyone has chosen: exactly one field, named after the action.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaMoveInput")]
#[serde(rename_all = "camelCase")]
pub enum MaholaMove {
    /// Play a card of your hand to an end of your tableau.
    Play(MaholaPlay),
    /// Pass a card to each neighbour.
    Pass(MaholaPass),
    /// The Chief's ability: two cards of your tableau change places.
    Swap(MaholaSwap),
    /// The Shaman's ability: a card of your tableau goes to another position.
    #[graphql(name = "move")]
    #[serde(rename = "move")]
    Shift(MaholaShift),
    /// The Hunter's and the Maiden's ability: a card of your tableau is exchanged for one of your hand.
    Exchange(MaholaExchange),
    /// Always true: leave your tableau as it is.
    Decline(bool),
}

one_of! {
    /// A move of Mahola, secret until everyone has chosen: one field is set, all others are null.
    MaholaMove {
        /// Play a card of the hand to an end of the tableau.
        play: Play(MaholaPlay),
        /// Pass a card to each neighbour.
        pass: Pass(MaholaPass),
        /// The Chief's ability: two cards of the tableau change places.
        swap: Swap(MaholaSwap),
        /// The Shaman's ability: a card of the tableau goes to another position.
        r#move: Shift(MaholaShift),
        /// The Hunter's and the Maiden's ability: a card of the tableau is exchanged for one of the hand.
        exchange: Exchange(MaholaExchange),
        /// True: leave the tableau as it is.
        decline: Decline(bool),
    }
}

/// A card and the end of the tableau where it goes.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaPlay", input_name = "MaholaPlayInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaPlay {
    /// The card, such as "17".
    pub card: String,
    /// The end of the tableau. For its first card both mean the same.
    pub end: MaholaEnd,
}

/// The cards that go to the neighbours.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaPass", input_name = "MaholaPassInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaPass {
    /// The card for the left neighbour, the next seat.
    pub left: String,
    /// The card for the right neighbour, the seat before.
    pub right: String,
}

/// Two cards of a tableau change places.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaSwap", input_name = "MaholaSwapInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaSwap {
    /// The position of the first card; 0 is the leftmost.
    pub first: i32,
    /// The position of the second card.
    pub second: i32,
}

/// A card of a tableau goes to another position.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaShift", input_name = "MaholaShiftInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaShift {
    /// The position of the card; 0 is the leftmost.
    pub from: i32,
    /// Its new position.
    pub to: i32,
}

/// A card of a tableau is exchanged for one of the hand.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaholaExchange", input_name = "MaholaExchangeInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaholaExchange {
    /// For the Maiden, the end where the card goes; null for the Hunter, whose card goes to the middle.
    pub end: Option<MaholaEnd>,
    /// The card of the hand.
    pub card: String,
}

/// An end of a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "mahola::End")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaEnd {
    /// The left end.
    Left,
    /// The right end.
    Right,
}

impl From<mahola::Move> for MaholaMove {
    fn from(mv: mahola::Move) -> MaholaMove {
        match mv {
            mahola::Move::Play { card, end } => {
                MaholaMove::Play(MaholaPlay { card: card.to_string(), end: end.into() })
            }
            mahola::Move::Pass { left, right } => {
                MaholaMove::Pass(MaholaPass { left: left.to_string(), right: right.to_string() })
            }
            mahola::Move::Swap(pair) => {
                MaholaMove::Swap(MaholaSwap { first: pair.first().into(), second: pair.second().into() })
            }
            mahola::Move::Shift { from, to } => MaholaMove::Shift(MaholaShift { from: from.into(), to: to.into() }),
            mahola::Move::Exchange { end, card } => {
                MaholaMove::Exchange(MaholaExchange { end: end.map(MaholaEnd::from), card: card.to_string() })
            }
            mahola::Move::Decline => MaholaMove::Decline(true),
        }
    }
}

impl MaholaMove {
    pub fn read(self) -> Result<mahola::Move> {
        Ok(match self {
            MaholaMove::Play(MaholaPlay { card, end }) => {
                mahola::Move::Play { card: named("card", &card)?, end: end.into() }
            }
            MaholaMove::Pass(MaholaPass { left, right }) => {
                mahola::Move::Pass { left: named("left", &left)?, right: named("right", &right)? }
            }
            MaholaMove::Swap(MaholaSwap { first, second }) => {
                mahola::Move::Swap(mahola::Pair::new(small("first", first)?, small("second", second)?))
            }
            MaholaMove::Shift(MaholaShift { from, to }) => {
                mahola::Move::Shift { from: small("from", from)?, to: small("to", to)? }
            }
            MaholaMove::Exchange(MaholaExchange { end, card }) => {
                mahola::Move::Exchange { end: end.map(mahola::End::from), card: named("card", &card)? }
            }
            MaholaMove::Decline(yes) => {
                check_true("decline", yes)?;
                mahola::Move::Decline
            }
        })
    }
}

/// The position of a game of Mahola, as you may see it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaView {
    /// The number of favor tokens that win the game.
    pub rounds_to_win: i32,
    /// The round, counted from 0.
    pub round: i32,
    /// The turn of this round, counted from 0.
    pub turn: i32,
    /// The decision that is due.
    pub mahola_phase: MaholaPhase,
    /// The number of cards in the deck.
    pub deck_size: i32,
    /// The cards of the deck, the top first. Null until the game is over.
    pub deck: Option<Vec<String>>,
    /// The players, in seat order.
    pub players: Vec<MaholaPlayer>,
    /// The last round that was scored, kept until the next one is; null before the first.
    pub last_round: Option<MaholaRound>,
}

/// The decision that is due in a game of Mahola.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahola::Phase")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaPhase {
    /// Which card goes to which end of the tableau.
    Play,
    /// Which cards go to the neighbours.
    Pass,
    /// Whether and how the character's ability is used.
    Ability,
    /// Nothing: the game is over.
    Over,
}

/// A player as you may see it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaPlayer {
    /// The player's seat.
    pub seat: i32,
    /// The number of favor tokens that the player has.
    pub favor_tokens: i32,
    /// Whether the player has made the choice that is due. The choice itself is secret.
    pub has_chosen: bool,
    /// The number of cards in the hand.
    pub hand_size: i32,
    /// The cards of the tableau, from left to right.
    pub tableau: Vec<String>,
    /// The character. Your own at any time, everyone's after the fifth turn of a round; null otherwise.
    pub character: Option<MaholaCharacter>,
    /// The score of the tableau as it is; null while you do not know the character.
    pub tableau_score: Option<MaholaTableauScore>,
    /// The cards in the hand, sorted. Null unless it is yours, or the game is over.
    pub hand: Option<Vec<String>>,
    /// The player's choice, while others have not chosen yet. Null unless it is yours, or the game ended before all had
    /// chosen.
    pub choice: Option<MaholaMove>,
    /// The cards that the player gave away in this round and has not seen since. Null unless they are yours, or the
    /// game is over.
    pub given: Option<Vec<MaholaGiven>>,
    /// The cards received when cards were last passed in this round, the left neighbour's first. Null unless they are
    /// yours, or the game is over.
    pub received: Option<Vec<MaholaReceived>>,
    /// The card that the player drew last in this round. Null if there is none, or if you may not know it.
    pub drawn: Option<String>,
}

/// The character that a player dances for in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahola::Character")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaCharacter {
    /// May swap two cards of the tableau. Red, with the bear, unless the game has a table of its own.
    Chief,
    /// May move a card of the tableau. Blue, with the snake, unless the game has a table of its own.
    Shaman,
    /// May exchange the middle card of the tableau. Yellow, with the wolf, unless the game has a table of its own.
    Hunter,
    /// May exchange an end card of the tableau. Green, with the raven, unless the game has a table of its own.
    Maiden,
}

/// A card that a player gave away.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaGiven {
    /// The turn in which it was given.
    pub turn: i32,
    /// The seat that got it.
    pub to: i32,
    /// The card.
    pub card: String,
}

/// A card that a player received.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaReceived {
    /// The seat that it came from.
    pub from: i32,
    /// The card.
    pub card: String,
}

impl From<mahola::View> for MaholaView {
    fn from(view: mahola::View) -> MaholaView {
        // The tables are among the options of the game.
        let mahola::View { rounds_to_win, round, turn, phase, deck_size, deck, seats, last_round, tables: _ } = view;
        MaholaView {
            rounds_to_win: rounds_to_win.into(),
            round: int(round),
            turn: turn.into(),
            mahola_phase: phase.into(),
            deck_size: deck_size.into(),
            deck: deck.map(names),
            players: seats.into_iter().map(MaholaPlayer::from).collect(),
            last_round: last_round.map(MaholaRound::from),
        }
    }
}

impl From<mahola::SeatView> for MaholaPlayer {
    fn from(view: mahola::SeatView) -> MaholaPlayer {
        let mahola::SeatView { seat: of, tokens, has_chosen, hand_size, tableau, character, score, private } = view;
        let player = MaholaPlayer {
            seat: seat(of),
            favor_tokens: tokens.into(),
            has_chosen,
            hand_size: hand_size.into(),
            tableau: names(tableau.cards()),
            character: character.map(MaholaCharacter::from),
            tableau_score: score.map(MaholaTableauScore::from),
            hand: None,
            choice: None,
            given: None,
            received: None,
            drawn: None,
        };
        let Some(mahola::Private { hand, choice, given, received, drawn }) = private else { return player };
        let given = given.into_iter().map(|mahola::Given { turn, to, card }| MaholaGiven {
            turn: turn.into(),
            to: seat(to),
            card: card.to_string(),
        });
        let received = received
            .into_iter()
            .map(|mahola::Received { from, card }| MaholaReceived { from: seat(from), card: card.to_string() });
        MaholaPlayer {
            hand: Some(names(hand.iter())),
            choice: choice.map(MaholaMove::from),
            given: Some(given.collect()),
            received: Some(received.collect()),
            drawn: drawn.map(|card| card.to_string()),
            ..player
        }
    }
}

/// The score of a tableau for its character, and how it comes about.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaTableauScore {
    /// The score of each card, from left to right.
    pub card_scores: Vec<MaholaCardScore>,
    /// The score.
    pub total: i32,
    /// The number of special dances: the first tie-break.
    pub specials: i32,
    /// The number of cards whose secondary points counted: the second tie-break.
    pub secondary_matches: i32,
}

/// The score of a card of a tableau, and how it comes about.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaCardScore {
    /// The card.
    pub card: String,
    /// The way in which its value counts: the printed value, zero, or the printed value negated.
    pub value: i32,
    /// Why its value counts this way.
    pub because: MaholaBecause,
    /// Its secondary points, 0 if they do not count.
    pub secondary: i32,
    /// The positions of the cards that show its secondary dance.
    pub secondary_by: Vec<i32>,
    /// Its adjacent points, for one neighbour or both.
    pub adjacent: i32,
    /// The positions of the neighbours that show its adjacent dance.
    pub adjacent_by: Vec<i32>,
}

/// Why a card's value counts as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahola::Because")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaBecause {
    /// Its colour is the character's: the value is added.
    Colour,
    /// Its animal is the character's, its colour is not: the value counts zero.
    Animal,
    /// Neither is the character's: the value is subtracted.
    Neither,
}

impl From<mahola::TableauScore> for MaholaTableauScore {
    fn from(score: mahola::TableauScore) -> MaholaTableauScore {
        let mahola::TableauScore { cards, total, specials, secondary_matches } = score;
        MaholaTableauScore {
            card_scores: cards.into_iter().map(MaholaCardScore::from).collect(),
            total: total.into(),
            specials: specials.into(),
            secondary_matches: secondary_matches.into(),
        }
    }
}

impl From<mahola::CardScore> for MaholaCardScore {
    fn from(score: mahola::CardScore) -> MaholaCardScore {
        let mahola::CardScore { card, value, because, secondary, secondary_by, adjacent, adjacent_by } = score;
        MaholaCardScore {
            card: card.to_string(),
            value: value.into(),
            because: because.into(),
            secondary: secondary.into(),
            secondary_by: secondary_by.into_iter().map(i32::from).collect(),
            adjacent: adjacent.into(),
            adjacent_by: adjacent_by.into_iter().map(i32::from).collect(),
        }
    }
}

/// A scored round, and how its winner was found.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaRound {
    /// The round, counted from 0.
    pub round: i32,
    /// The players' dances, in seat order.
    pub players: Vec<MaholaDance>,
    /// The comparisons that found the winner: the scores, then the tie-breaks that were needed.
    pub comparisons: Vec<MaholaComparison>,
    /// The seat that got the favor token; null if a tie remained after all comparisons.
    pub winner: Option<i32>,
}

/// A player's dance in a round, and its score.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaDance {
    /// The player's seat.
    pub seat: i32,
    /// The character that the player danced for.
    pub character: MaholaCharacter,
    /// The use of the character's ability.
    pub ability: MaholaAbility,
    /// The cards of the tableau after the ability, from left to right.
    pub tableau: Vec<String>,
    /// The score of the tableau.
    pub tableau_score: MaholaTableauScore,
}

/// The use of a character's ability: either `declined` is true, or one of the other fields is set.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaAbility {
    /// Whether the tableau was left as it was.
    pub declined: bool,
    /// The Chief's: the cards at these positions changed places.
    pub swapped: Option<MaholaSwap>,
    /// The Shaman's: a card moved from one position to another.
    pub moved: Option<MaholaShift>,
    /// The Hunter's and the Maiden's: a card was exchanged for one of the hand.
    pub exchanged: Option<MaholaExchanged>,
}

/// A card of a tableau was exchanged for one of the hand.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaExchanged {
    /// The position in the tableau; 0 is the leftmost.
    pub position: i32,
    /// The card that came from the hand.
    pub put: String,
    /// The card that left the tableau.
    pub taken: String,
}

/// A comparison of the seats that were still tied.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaComparison {
    /// The quantity that was compared.
    pub by: MaholaCriterion,
    /// The best value.
    pub best: i32,
    /// The seats that reached it. A single seat has won the round.
    pub seats: Vec<i32>,
}

/// The criteria by which tableaus are compared, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahola::Criterion")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaholaCriterion {
    /// The score.
    Score,
    /// The number of special dances.
    Specials,
    /// The number of cards whose secondary points counted.
    SecondaryMatches,
}

impl From<mahola::RoundScore> for MaholaRound {
    fn from(mahola::RoundScore { round, seats: dances, comparisons, winner }: mahola::RoundScore) -> MaholaRound {
        let comparisons = comparisons.into_iter().map(|mahola::Comparison { by, best, seats: reached }| {
            MaholaComparison { by: by.into(), best: best.into(), seats: seats(reached) }
        });
        MaholaRound {
            round: int(round),
            players: dances.into_iter().map(MaholaDance::from).collect(),
            comparisons: comparisons.collect(),
            winner: winner.map(seat),
        }
    }
}

impl From<mahola::SeatScore> for MaholaDance {
    fn from(score: mahola::SeatScore) -> MaholaDance {
        let mahola::SeatScore { seat: of, character, ability, tableau, score } = score;
        MaholaDance {
            seat: seat(of),
            character: character.into(),
            ability: ability.into(),
            tableau: names(tableau.cards()),
            tableau_score: score.into(),
        }
    }
}

impl<C: Into<mahola::Card>> From<mahola::Ability<C>> for MaholaAbility {
    fn from(ability: mahola::Ability<C>) -> MaholaAbility {
        let declined = MaholaAbility { declined: true, swapped: None, moved: None, exchanged: None };
        let used = MaholaAbility { declined: false, ..declined.clone() };
        match ability {
            mahola::Ability::Declined => declined,
            mahola::Ability::Swapped { first, second } => {
                MaholaAbility { swapped: Some(MaholaSwap { first: first.into(), second: second.into() }), ..used }
            }
            mahola::Ability::Moved { from, to } => {
                MaholaAbility { moved: Some(MaholaShift { from: from.into(), to: to.into() }), ..used }
            }
            mahola::Ability::Exchanged { position, put, taken } => MaholaAbility {
                exchanged: Some(MaholaExchanged {
                    position: position.into(),
                    put: put.into().to_string(),
                    taken: taken.into().to_string(),
                }),
                ..used
            },
        }
    }
}

/// The scoring of a game of Mahola.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaholaDetails {
    /// For each seat its favor tokens.
    pub favor_tokens: Vec<i32>,
    /// The number of rounds that were scored.
    pub rounds: i32,
}

impl From<mahola::Details> for MaholaDetails {
    fn from(mahola::Details { tokens, rounds }: mahola::Details) -> MaholaDetails {
        MaholaDetails { favor_tokens: tokens.map(|tokens| i32::from(*tokens)).into_vec(), rounds: int(rounds) }
    }
}
