//! The settlement of a hand of La Macarena, on the wire.

use async_graphql::{Enum, SimpleObject};
use domain::Seat;
use domain::games::macarena;
use serde::Serialize;
use utoipa::ToSchema;

use super::MacarenaElement;
use crate::{names, seat, seats};

/// The settlement of a hand of La Macarena: returns, shown cards and awards. Each part appears when it happens, and
/// stays until the next hand ends.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaSettlement {
    /// The number of the hand, counted from 0.
    pub hand_number: i32,
    /// Why the hand ended.
    pub hand_end: MacarenaHandEnd,
    /// The seat that has no card left; null if the deck was empty.
    pub went_out: Option<i32>,
    /// The seats with the most cards in hand, which return an element. After the first hand they do so only with the
    /// option firstHandReturns.
    pub most_cards: Vec<i32>,
    /// The number of cards that each of them held.
    pub cards_held: i32,
    /// Their returns, by seat. Empty until all have chosen, and if nobody has to return anything.
    pub returns: Vec<MacarenaGiveBack>,
    /// All hands and collections, by seat; null until all have returned what they must.
    pub shown: Option<Vec<MacarenaShown>>,
    /// All awards: first those that were paid, in the order of payment, then those that are still to be paid.
    pub awards: Vec<MacarenaAward>,
}

/// Why a hand of La Macarena ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MacarenaHandEnd {
    /// A player has no card left in hand.
    EmptyHand,
    /// The turn that drew the last card is over.
    EmptyDeck,
}

/// The return of a seat after a hand of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaGiveBack {
    /// The seat that returned it.
    pub seat: i32,
    /// The gift that it returned.
    pub gift: MacarenaGift,
}

/// A return: an element; without one, all coins; without either, nothing.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaGift {
    /// The element; null if the player had none.
    pub element: Option<MacarenaElement>,
    /// The number of coins returned instead.
    pub coins: i32,
}

/// The cards of one player, shown to all at the end of a hand of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaShown {
    /// The player's seat.
    pub seat: i32,
    /// The cards left in hand, sorted.
    pub hand: Vec<String>,
    /// The cards collected, sorted.
    pub collection: Vec<String>,
}

/// An award at the end of a hand of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaAward {
    /// The seat that gets it; null if nobody does, because the best collections are exactly equal.
    pub seat: Option<i32>,
    /// The achievement that it rewards.
    pub reason: MacarenaReason,
    /// For an award for macas: how many of the seat's macas stood at wells.
    pub macas: Option<i32>,
    /// The size of the largest collection, or the most cards of the element.
    pub cards: Option<i32>,
    /// The element of which the most cards were collected.
    pub element: Option<MacarenaElement>,
    /// All seats with that many cards: more than one is a tie. Empty if nothing is compared.
    pub tied: Vec<i32>,
    /// The tie-break that decided between tied seats; null if there was no tie, or if it could not be broken.
    pub decided: Option<MacarenaDecided>,
    /// The payment; null until the award is paid.
    pub gain: Option<MacarenaGain>,
    /// The exchanges that followed from it, in order.
    pub exchanges: Vec<MacarenaExchange>,
}

/// The achievement that an award of La Macarena rewards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MacarenaReason {
    /// A coin for each maca at a well: mac.17.
    Macas,
    /// A coin for the largest collection: mac.18.
    LargestCollection,
    /// A coin for having no card left in hand: mac.19.
    EmptyHand,
    /// The token of an element for the most cards of it: mac.20.
    MostOfElement,
}

/// The card that decided between players who collected equally many of an element in La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaDecided {
    /// 0 if it was the winner's highest card of the element, 1 if it was the second highest, and so on.
    pub place: i32,
    /// That card.
    pub card: String,
}

/// The payment for an award of La Macarena.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaGain {
    /// The coins.
    pub coins: i32,
    /// The element token.
    pub element: Option<MacarenaElement>,
    /// The element that the player already had, so that it got a coin instead.
    pub instead_of: Option<MacarenaElement>,
}

/// An exchange at the end of a hand of La Macarena: an element bought, or an amulet made.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaExchange {
    /// The element that four coins bought.
    pub bought: Option<MacarenaElement>,
    /// Whether four elements became an amulet.
    pub amulet: bool,
}

impl From<macarena::Settlement> for MacarenaSettlement {
    fn from(settlement: macarena::Settlement) -> MacarenaSettlement {
        let macarena::Settlement { hand_number, end, most_cards, cards, returns, shown, awards } = settlement;
        MacarenaSettlement {
            hand_number: hand_number.into(),
            hand_end: end.into(),
            went_out: went_out(end).map(seat),
            most_cards: seats(most_cards),
            cards_held: cards.into(),
            returns: returns.into_iter().map(MacarenaGiveBack::from).collect(),
            shown: shown.map(MacarenaShown::by_seat),
            awards: awards.into_iter().map(MacarenaAward::from).collect(),
        }
    }
}

impl From<macarena::HandEnd> for MacarenaHandEnd {
    fn from(end: macarena::HandEnd) -> MacarenaHandEnd {
        match end {
            macarena::HandEnd::EmptyHand { seat: _ } => MacarenaHandEnd::EmptyHand,
            macarena::HandEnd::EmptyDeck => MacarenaHandEnd::EmptyDeck,
        }
    }
}

/// The seat that has no card left.
pub(super) fn went_out(end: macarena::HandEnd) -> Option<Seat> {
    match end {
        macarena::HandEnd::EmptyHand { seat } => Some(seat),
        macarena::HandEnd::EmptyDeck => None,
    }
}

impl From<macarena::Return> for MacarenaGiveBack {
    fn from(macarena::Return { seat: by, gift }: macarena::Return) -> MacarenaGiveBack {
        MacarenaGiveBack { seat: seat(by), gift: gift.into() }
    }
}

impl From<macarena::Gift> for MacarenaGift {
    fn from(gift: macarena::Gift) -> MacarenaGift {
        match gift {
            macarena::Gift::Element { element } => MacarenaGift { element: Some(element.into()), coins: 0 },
            macarena::Gift::Coins { coins } => MacarenaGift { element: None, coins: coins.into() },
            macarena::Gift::Nothing => MacarenaGift { element: None, coins: 0 },
        }
    }
}

impl MacarenaShown {
    pub(super) fn by_seat(shown: macarena::Shown) -> Vec<MacarenaShown> {
        let macarena::Shown { hands, collections } = shown;
        let cards = hands.iter().zip(collections.values());
        let shown = cards.map(|((owner, hand), collection)| MacarenaShown {
            seat: seat(owner),
            hand: names(hand.iter()),
            collection: names(collection.iter()),
        });
        shown.collect()
    }
}

impl From<macarena::Award> for MacarenaAward {
    fn from(award: macarena::Award) -> MacarenaAward {
        let macarena::Award { seat: winner, reason, gain, exchanges } = award;
        let mut award = MacarenaAward {
            seat: winner.map(seat),
            reason: MacarenaReason::EmptyHand,
            macas: None,
            cards: None,
            element: None,
            tied: Vec::new(),
            decided: None,
            gain: gain.map(MacarenaGain::from),
            exchanges: exchanges.into_iter().map(MacarenaExchange::from).collect(),
        };
        match reason {
            macarena::Reason::Macas { macas } => {
                award.reason = MacarenaReason::Macas;
                award.macas = Some(macas.into());
            }
            macarena::Reason::LargestCollection { cards, tied } => {
                award.reason = MacarenaReason::LargestCollection;
                award.cards = Some(cards.into());
                award.tied = seats(tied);
            }
            macarena::Reason::EmptyHand => award.reason = MacarenaReason::EmptyHand,
            macarena::Reason::MostOfElement { element, cards, tied, decided } => {
                award.reason = MacarenaReason::MostOfElement;
                award.cards = Some(cards.into());
                award.element = Some(element.into());
                award.tied = seats(tied);
                award.decided = decided.map(MacarenaDecided::from);
            }
        }
        award
    }
}

impl From<macarena::Decided> for MacarenaDecided {
    fn from(macarena::Decided { place, card }: macarena::Decided) -> MacarenaDecided {
        MacarenaDecided { place: place.into(), card: card.to_string() }
    }
}

impl From<macarena::Gain> for MacarenaGain {
    fn from(gain: macarena::Gain) -> MacarenaGain {
        match gain {
            macarena::Gain::Coins { coins } => MacarenaGain { coins: coins.into(), element: None, instead_of: None },
            macarena::Gain::Element { element } => {
                MacarenaGain { coins: 0, element: Some(element.into()), instead_of: None }
            }
            macarena::Gain::CoinInstead { element } => {
                MacarenaGain { coins: 1, element: None, instead_of: Some(element.into()) }
            }
            macarena::Gain::Nothing => MacarenaGain { coins: 0, element: None, instead_of: None },
        }
    }
}

impl From<macarena::Exchange> for MacarenaExchange {
    fn from(exchange: macarena::Exchange) -> MacarenaExchange {
        match exchange {
            macarena::Exchange::Bought { element } => MacarenaExchange { bought: Some(element.into()), amulet: false },
            macarena::Exchange::Amulet => MacarenaExchange { bought: None, amulet: true },
        }
    }
}
