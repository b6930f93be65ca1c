//! La Macarena on the wire.

mod event;
mod settlement;

pub use event::*;
pub use settlement::*;

use async_graphql::{Enum, InputObject, OneofObject, SimpleObject};
use domain::Unreadable;
use domain::games::macarena;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{check_true, named, names, one_of, seat, seat_number, seats};
use crate::Result;

/// The options of a game of La Macarena.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MacarenaOptions", input_name = "MacarenaOptionsInput")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MacarenaOptions {
    /// Whether a card is also drawn for a mirror turn.
    #[graphql(default = false)]
    pub mirror_turn_draws: bool,
    /// Whether elements are also returned after the first hand. Null in games by version 1 of the rules, which does not
    /// have this option.
    #[graphql(default_with = "Some(false)")]
    pub first_hand_returns: Option<bool>,
    /// The most hands, 1 to 200. The game ends after them in any case.
    #[graphql(default = 50)]
    #[schema(minimum = 1, maximum = 200)]
    pub max_hands: i32,
    /// The seat that starts the first hand. Default: drawn at random.
    #[schema(minimum = 0, maximum = 4)]
    pub first_seat: Option<i32>,
}

impl Default for MacarenaOptions {
    fn default() -> MacarenaOptions {
        macarena::Options::default().into()
    }
}

impl From<macarena::Options> for MacarenaOptions {
    fn from(options: macarena::Options) -> MacarenaOptions {
        let macarena::Options { mirror_turn_draws, first_hand_returns, max_hands, first_seat } = options;
        MacarenaOptions {
            mirror_turn_draws,
            first_hand_returns,
            max_hands: max_hands.into(),
            first_seat: first_seat.map(seat),
        }
    }
}

impl MacarenaOptions {
    pub fn read(self) -> Result<macarena::Options> {
        let MacarenaOptions { mirror_turn_draws, first_hand_returns, max_hands, first_seat } = self;
        Ok(macarena::Options {
            mirror_turn_draws,
            first_hand_returns,
            max_hands: u16::try_from(max_hands)
                .map_err(|_| out_of_reach("maxHands", 1, macarena::MOST_HANDS.into(), max_hands))?,
            first_seat: first_seat.map(|seat| seat_number("firstSeat", seat)).transpose()?,
        })
    }
}

/// An element of La Macarena: each card has one, and each can be won as a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "macarena::Element")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MacarenaElement {
    /// Earth: E in the name of a card.
    Earth,
    /// Air: A in the name of a card.
    Air,
    /// Water: W in the name of a card.
    Water,
    /// Fire: F in the name of a card.
    Fire,
}

fn elements(elements: macarena::Elements) -> Vec<MacarenaElement> {
    elements.iter().map(MacarenaElement::from).collect()
}

/// A move of La Macarena: exactly one field, named after the action.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MacarenaMoveInput")]
#[serde(rename_all = "camelCase")]
pub enum MacarenaMove {
    /// Play a series on a well.
    Play(MacarenaPlay),
    /// Play nothing on your normal turn: all your macas come home. Always true.
    Pass(bool),
    /// Do not use your mirror turn. Always true.
    Decline(bool),
    /// Return one of your elements, after a hand that you ended with the most cards.
    Return(MacarenaReturn),
    /// Buy an element with four coins.
    Buy(MacarenaBuy),
}

one_of! {
    /// A move of La Macarena: the field of the action is set, all others are null.
    MacarenaMove {
        /// A series is played on a well.
        play: Play(MacarenaPlay),
        /// True: nothing is played on a normal turn, and all the player's macas come home.
        pass: Pass(bool),
        /// True: the mirror turn is not used.
        decline: Decline(bool),
        /// An element is returned after a hand.
        r#return: Return(MacarenaReturn),
        /// An element is bought with four coins.
        buy: Buy(MacarenaBuy),
    }
}

/// A series of La Macarena.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MacarenaPlay", input_name = "MacarenaPlayInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MacarenaPlay {
    /// The well, 0 to 6.
    pub well: i32,
    /// The cards from your hand, in the order in which they are laid: such as 10W, the ten of water.
    pub cards: Vec<String>,
    /// The well from which a maca moves here, if the series is a mirror and all seven of your macas are out. Otherwise
    /// leave it out.
    pub from: Option<i32>,
}

/// An element to return after a hand of La Macarena.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MacarenaReturn", input_name = "MacarenaReturnInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MacarenaReturn {
    /// One of your own elements.
    pub element: MacarenaElement,
}

/// An element to buy in La Macarena.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MacarenaBuy", input_name = "MacarenaBuyInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MacarenaBuy {
    /// An element that you do not have.
    pub element: MacarenaElement,
}

impl From<macarena::Move> for MacarenaMove {
    fn from(mv: macarena::Move) -> MacarenaMove {
        match mv {
            macarena::Move::Play { well, cards, from } => {
                MacarenaMove::Play(MacarenaPlay { well: well.into(), cards: names(cards), from: from.map(i32::from) })
            }
            macarena::Move::Pass => MacarenaMove::Pass(true),
            macarena::Move::Decline => MacarenaMove::Decline(true),
            macarena::Move::Return(element) => MacarenaMove::Return(MacarenaReturn { element: element.into() }),
            macarena::Move::Buy(element) => MacarenaMove::Buy(MacarenaBuy { element: element.into() }),
        }
    }
}

impl MacarenaMove {
    pub fn read(self) -> Result<macarena::Move> {
        Ok(match self {
            MacarenaMove::Play(MacarenaPlay { well, cards, from }) => {
                if cards.len() > macarena::CARDS {
                    return Err(Unreadable(format!("A series has no more than {} cards.", macarena::CARDS)));
                }
                macarena::Move::Play {
                    well: well_number("well", well)?,
                    cards: cards.iter().map(|card| named("cards", card)).collect::<Result<_>>()?,
                    from: from.map(|from| well_number("from", from)).transpose()?,
                }
            }
            MacarenaMove::Pass(yes) => check_true("pass", yes).map(|()| macarena::Move::Pass)?,
            MacarenaMove::Decline(yes) => check_true("decline", yes).map(|()| macarena::Move::Decline)?,
            MacarenaMove::Return(MacarenaReturn { element }) => macarena::Move::Return(element.into()),
            MacarenaMove::Buy(MacarenaBuy { element }) => macarena::Move::Buy(element.into()),
        })
    }
}

fn well_number(field: &str, number: i32) -> Result<u8> {
    u8::try_from(number).map_err(|_| out_of_reach(field, 0, macarena::WELLS - 1, number))
}

fn out_of_reach(field: &str, least: usize, most: usize, number: i32) -> Unreadable {
    Unreadable(format!("{field} must be {least} to {most}, not {number}."))
}

/// The kind of decision that a game of La Macarena waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "macarena::Stage")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MacarenaPhase {
    /// The mover plays a series on a well that is not guarded against it, or passes.
    NormalTurn,
    /// The mover plays a series on any well, or declines.
    MirrorTurn,
    /// Players choose in secret which element they return.
    Returning,
    /// The mover chooses which element its four coins buy.
    Buying,
    /// Nothing: the game has ended by its rules.
    Over,
}

/// The position of a game of La Macarena, as you may see it. Cards are named by rank and element: 10W is the ten of
/// water, AE the ace of earth.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaView {
    /// The number of the hand, counted from 0.
    pub hand_number: i32,
    /// The number of hands after which the game ends.
    pub max_hands: i32,
    /// The number of amulets that wins.
    pub goal: i32,
    /// The seat that started this hand.
    pub starter: i32,
    /// The kind of decision that the game waits for.
    pub macarena_phase: MacarenaPhase,
    /// The seat whose turn it is, or that has to buy. Null while elements are returned, and after the game has ended by
    /// its rules.
    pub mover: Option<i32>,
    /// The seats that have not yet chosen the element that they return.
    pub returning: Vec<i32>,
    /// The seven wells; moves name them by their position here, from 0.
    pub wells: Vec<MacarenaWell>,
    /// The number of cards in the deck.
    pub deck_size: i32,
    /// The deck, the next card first; null until the game is over.
    pub deck: Option<Vec<String>>,
    /// The players, by seat.
    pub players: Vec<MacarenaPlayer>,
    /// The settlement of the last hand, or of the hand that is being settled; null during the first hand.
    pub settlement: Option<MacarenaSettlement>,
}

/// A well of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaWell {
    /// The card on top, on which series are played.
    pub top: String,
    /// For each seat how many of its macas stand here.
    pub macas: Vec<i32>,
    /// The number of cards under the top, out of play for this hand.
    pub under_size: i32,
    /// Those cards, sorted; null until the game is over.
    pub under: Option<Vec<String>>,
}

/// A player of La Macarena, as you may see it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaPlayer {
    /// The player's seat.
    pub seat: i32,
    /// The number of cards in the player's hand.
    pub hand_size: i32,
    /// Those cards, sorted; null for the hands of others until the game is over.
    pub hand: Option<Vec<String>>,
    /// The card drawn for this turn, which is also in the hand. Null for others, and if none was drawn.
    pub drawn: Option<String>,
    /// The number of cards that the player has collected in this hand.
    pub collection_size: i32,
    /// Those cards, sorted; null for the collections of others until the game is over.
    pub collection: Option<Vec<String>>,
    /// The number of the seven macas that stand at no well.
    pub macas_at_home: i32,
    /// The element tokens, at most one of each.
    pub elements: Vec<MacarenaElement>,
    /// The coins.
    pub coins: i32,
    /// The amulets.
    pub amulets: i32,
    /// The element that you chose to return, while others still choose. Null otherwise, and for others.
    pub chosen_return: Option<MacarenaElement>,
}

impl From<macarena::View> for MacarenaView {
    fn from(view: macarena::View) -> MacarenaView {
        let macarena::View {
            hand_number,
            max_hands,
            goal,
            starter,
            stage,
            turn,
            returning,
            wells,
            deck_size,
            deck,
            players,
            settlement,
        } = view;
        MacarenaView {
            hand_number: hand_number.into(),
            max_hands: max_hands.into(),
            goal: goal.into(),
            starter: seat(starter),
            macarena_phase: stage.into(),
            mover: turn.map(seat),
            returning: seats(returning),
            wells: wells.into_iter().map(MacarenaWell::from).collect(),
            deck_size: deck_size.into(),
            deck: deck.map(names),
            players: (0..).zip(players.into_vec()).map(|(seat, player)| MacarenaPlayer::of(seat, &player)).collect(),
            settlement: settlement.map(MacarenaSettlement::from),
        }
    }
}

impl From<macarena::WellView> for MacarenaWell {
    fn from(well: macarena::WellView) -> MacarenaWell {
        let macarena::WellView { top, macas, under_size, under } = well;
        MacarenaWell {
            top: top.to_string(),
            macas: macas.into_vec().into_iter().map(i32::from).collect(),
            under_size: under_size.into(),
            under: under.map(|cards| names(cards.iter())),
        }
    }
}

impl MacarenaPlayer {
    fn of(seat: i32, player: &macarena::PlayerView) -> MacarenaPlayer {
        let macarena::PlayerView {
            hand_size,
            hand,
            drawn,
            collection_size,
            collection,
            macas_at_home,
            elements,
            coins,
            amulets,
            chosen_return,
        } = *player;
        MacarenaPlayer {
            seat,
            hand_size: hand_size.into(),
            hand: hand.map(|cards| names(cards.iter())),
            drawn: drawn.map(|card| card.to_string()),
            collection_size: collection_size.into(),
            collection: collection.map(|cards| names(cards.iter())),
            macas_at_home: macas_at_home.into(),
            elements: self::elements(elements),
            coins: coins.into(),
            amulets: amulets.into(),
            chosen_return: chosen_return.map(MacarenaElement::from),
        }
    }
}

/// The scoring of a game of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaDetails {
    /// The number of hands played, including an unfinished last hand.
    pub hands_played: i32,
    /// The players' winnings, by seat.
    pub players: Vec<MacarenaPurse>,
    /// The seat that won by a maca at each of the seven wells; null if nobody did.
    pub seven_wells: Option<i32>,
}

/// The winnings of a player of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaPurse {
    /// The player's seat.
    pub seat: i32,
    /// The amulets, which are compared first.
    pub amulets: i32,
    /// The element tokens, whose number is compared next.
    pub elements: Vec<MacarenaElement>,
    /// The coins, which are compared last.
    pub coins: i32,
}

impl From<macarena::Details> for MacarenaDetails {
    fn from(details: macarena::Details) -> MacarenaDetails {
        let macarena::Details { hands_played, purses, seven_wells } = details;
        let purse = |(seat, purse)| {
            let macarena::Purse { elements, coins, amulets } = purse;
            MacarenaPurse { seat, amulets: amulets.into(), elements: self::elements(elements), coins: coins.into() }
        };
        MacarenaDetails {
            hands_played: hands_played.into(),
            players: (0..).zip(purses.into_vec()).map(purse).collect(),
            seven_wells: seven_wells.map(seat),
        }
    }
}
