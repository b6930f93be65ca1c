//! The settlement of a hand: returned elements, awards with their reasons, and how ties were broken.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::cards::{Card, Cards, Element, Elements};
use super::wells::WELLS;
use super::{COINS_FOR_AN_ELEMENT, Event, Macarena, Phase, among};
use crate::small::small;
use crate::{BySeat, Chance, Seat, Seats, Sink};

/// The winnings of a player so far. Public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// Each element at most once, and at rest never all four.
    pub elements: Elements,
    /// At rest 0 to 3.
    pub coins: u8,
    pub amulets: u8,
}

impl Purse {
    /// mac.23: more amulets, then more elements, then more coins. `Less` is better.
    pub fn compare(&self, other: &Purse) -> Ordering {
        let rank = |purse: &Purse| (purse.amulets, purse.elements.len(), purse.coins);
        rank(other).cmp(&rank(self))
    }

    /// mac.21: takes the award for a reason; an element that the player already has is a coin instead.
    fn take(&mut self, reason: &Reason) -> Gain {
        match reason {
            Reason::Macas { macas } => {
                self.coins += macas;
                Gain::Coins { coins: *macas }
            }
            Reason::LargestCollection { .. } | Reason::EmptyHand => {
                self.coins += 1;
                Gain::Coins { coins: 1 }
            }
            Reason::MostOfElement { element, .. } if self.elements.contains(*element) => {
                self.coins += 1;
                Gain::CoinInstead { element: *element }
            }
            Reason::MostOfElement { element, .. } => {
                self.elements = self.elements.with(*element);
                Gain::Element { element: *element }
            }
        }
    }

    /// mac.22: exchanges once, if an exchange is possible without a choice.
    fn exchange(&mut self) -> Option<Exchange> {
        if self.elements.missing().is_empty() {
            self.elements = Elements::NONE;
            self.amulets += 1;
            return Some(Exchange::Amulet);
        }
        let element = self.elements.missing().only().filter(|_| self.must_buy())?;
        Some(self.buy(element))
    }

    /// mac.22: four coins for an element.
    fn buy(&mut self, element: Element) -> Exchange {
        self.coins -= COINS_FOR_AN_ELEMENT;
        self.elements = self.elements.with(element);
        Exchange::Bought { element }
    }

    fn must_buy(self) -> bool {
        self.coins >= COINS_FOR_AN_ELEMENT
    }

    /// mac.16: the gift of a player without a choice, or with this choice.
    fn give_back(&mut self, chosen: Option<Element>) -> Gift {
        match chosen.or(self.elements.only()) {
            Some(element) => {
                self.elements = self.elements.without(element);
                Gift::Element { element }
            }
            None if self.coins > 0 => Gift::Coins { coins: std::mem::take(&mut self.coins) },
            None => Gift::Nothing,
        }
    }
}

/// The end of a hand, from its last card to its last award. Each part is public as soon as it is filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    /// Counted from 0.
    pub hand_number: u16,
    pub end: HandEnd,
    /// mac.16: the players with the most cards in hand, and how many those are.
    pub most_cards: Seats,
    pub cards: u8,
    /// mac.16: their gifts, by seat. Empty until all have chosen, and if nobody has to give anything.
    pub returns: Vec<Return>,
    /// mac.17: the hands and collections. `None` until all have returned their elements.
    pub shown: Option<Shown>,
    /// mac.17 to mac.20: the awards, those already paid first, in the order of payment.
    pub awards: Vec<Award>,
}

/// mac.15: why a hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HandEnd {
    /// This player has no card left in hand.
    EmptyHand { seat: Seat },
    /// The turn that drew the last card is over.
    EmptyDeck,
}

/// mac.16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Return {
    pub seat: Seat,
    pub gift: Gift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Gift {
    Element { element: Element },
    Coins { coins: u8 },
    Nothing,
}

/// mac.17: all cards on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub hands: BySeat<Cards>,
    pub collections: BySeat<Cards>,
}

/// An award at the end of a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Award {
    /// `None` if nobody gets it: the best are fully identical.
    pub seat: Option<Seat>,
    pub reason: Reason,
    /// `None` until its turn comes.
    pub gain: Option<Gain>,
    /// mac.22: the exchanges that it caused, in order.
    pub exchanges: Vec<Exchange>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// mac.17: this many macas at wells.
    Macas { macas: u8 },
    /// mac.18: the largest collection, with this many cards. `tied` are all seats with one of this size.
    LargestCollection { cards: u8, tied: Seats },
    /// mac.19.
    EmptyHand,
    /// mac.20: the most cards of the element. `tied` are all seats with this many; `decided` is the card that decided
    /// between them, `None` if one seat alone has the most or the tie is not broken.
    MostOfElement { element: Element, cards: u8, tied: Seats, decided: Option<Decided> },
}

/// mac.20: the card that decided between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// 0 if it was the highest card, 1 if it was the second highest …
    pub place: u8,
    pub card: Card,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Gain {
    Coins {
        coins: u8,
    },
    Element {
        element: Element,
    },
    /// mac.21: a coin for a token that the player had already.
    CoinInstead {
        element: Element,
    },
    /// Nobody gets it.
    Nothing,
}

/// mac.22.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Exchange {
    /// Four coins for an element.
    Bought { element: Element },
    /// Four elements for an amulet.
    Amulet,
}

impl Macarena {
    /// mac.15, and mac.16 for players without a choice.
    pub(super) fn end_hand(&mut self, end: HandEnd, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let hand_number = self.hand_number;
        seen.see(|| Event::HandEnded { hand_number, end });
        self.drawn = None;
        let cards = self.hands.values().map(|hand| hand.len()).max().unwrap_or(0);
        let most_cards: Seats =
            self.hands.iter().filter(|(_, hand)| hand.len() == cards).map(|(seat, _)| seat).collect();
        self.settlement = Some(Settlement {
            hand_number,
            end,
            most_cards,
            cards,
            returns: Vec::new(),
            shown: None,
            awards: Vec::new(),
        });
        if hand_number == 0 && !self.edition.first_hand_returns {
            self.show(chance, seen);
            return;
        }
        let waiting: Seats = most_cards.iter().filter(|seat| self.purses[*seat].elements.len() > 1).collect();
        self.phase = Phase::Returning { waiting, chosen: BySeat::each(self.seats(), |_| None) };
        if waiting.is_empty() {
            self.give_back(chance, seen);
        }
    }

    /// mac.16: a choice, secret until the last.
    pub(super) fn choose_return(
        &mut self,
        seat: Seat,
        element: Element,
        chance: &mut Chance,
        seen: &mut impl Sink<Event>,
    ) {
        let Phase::Returning { waiting, chosen } = &mut self.phase else { return };
        waiting.remove(seat);
        chosen[seat] = Some(element);
        seen.see(|| Event::ReturnChosen { seat });
        if waiting.is_empty() {
            self.give_back(chance, seen);
        }
    }

    /// mac.16: all have chosen.
    fn give_back(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        if let Phase::Returning { chosen, .. } = &self.phase
            && let Some(settlement) = &mut self.settlement
        {
            for seat in settlement.most_cards.iter() {
                let gift = self.purses[seat].give_back(chosen[seat]);
                settlement.returns.push(Return { seat, gift });
                seen.see(|| Event::Returned { seat, gift });
            }
        }
        self.show(chance, seen);
    }

    /// mac.17 to mac.20: the awards, determined from the hands and collections shown.
    fn show(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let shown = Shown { hands: self.hands.clone(), collections: self.collections.clone() };
        let macas = BySeat::each(self.seats(), |seat| self.macas_out(seat));
        self.macas.values_mut().for_each(|macas| *macas = [0; WELLS]);
        if let Some(settlement) = &mut self.settlement {
            settlement.awards = awards(self.starter, &macas, &self.hands, &self.collections);
            if self.edition.pays_the_needed_first() {
                // Elements that nobody wins come last. The sort is stable, so all else keeps its order.
                settlement.awards.sort_by_key(|award| award.seat.is_none());
            }
            seen.see(|| Event::Showed { shown: shown.clone() });
            settlement.shown = Some(shown);
        }
        self.settle(chance, seen);
    }

    /// mac.22: pays one award after the other until a player has to choose.
    pub(super) fn settle(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        if let Some(Settlement { awards, .. }) = &mut self.settlement {
            let mut paid = awards.iter().filter(|award| award.gain.is_some()).count();
            loop {
                if let Some(award) = paid.checked_sub(1).map(|last| &mut awards[last])
                    && let Some(seat) = award.seat
                {
                    while let Some(exchange) = award.exchange(&mut self.purses) {
                        seen.see(|| Event::exchanged(seat, exchange));
                    }
                    if self.purses[seat].must_buy() {
                        self.phase = Phase::Buying { seat };
                        return;
                    }
                }
                if paid == awards.len() {
                    break;
                }
                if self.edition.pays_the_needed_first() {
                    bring_the_needed_forward(&mut awards[paid..], &self.purses);
                }
                awards[paid].pay(&mut self.purses);
                seen.see(|| Event::Awarded { award: awards[paid].clone() });
                paid += 1;
            }
        }
        self.conclude(chance, seen);
    }

    /// mac.22: a choice, after which the settlement continues.
    pub(super) fn buy(&mut self, seat: Seat, element: Element, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let exchange = self.purses[seat].buy(element);
        let awards = self.settlement.as_mut().map(|settlement| settlement.awards.iter_mut());
        if let Some(award) = awards.into_iter().flatten().rfind(|award| award.gain.is_some()) {
            award.exchanges.push(exchange);
        }
        seen.see(|| Event::exchanged(seat, exchange));
        self.settle(chance, seen);
    }
}

impl Award {
    fn to(seat: Option<Seat>, reason: Reason) -> Award {
        Award { seat, reason, gain: None, exchanges: Vec::new() }
    }

    /// mac.21: pays it out, if its turn has not come before.
    fn pay(&mut self, purses: &mut BySeat<Purse>) {
        self.gain = Some(match self.seat {
            Some(seat) => purses[seat].take(&self.reason),
            None => Gain::Nothing,
        });
    }

    /// mac.22: exchanges once, if it is possible without a choice.
    fn exchange(&mut self, purses: &mut BySeat<Purse>) -> Option<Exchange> {
        let exchange = purses[self.seat?].exchange()?;
        self.exchanges.push(exchange);
        Some(exchange)
    }
}

/// mac.21: the next award to pay: coins first, then an element that its winner lacks, then the others.
fn bring_the_needed_forward(unpaid: &mut [Award], purses: &BySeat<Purse>) {
    let is_element = |award: &Award| matches!(award.reason, Reason::MostOfElement { .. });
    let is_needed = |award: &Award| match (award.seat, &award.reason) {
        (Some(seat), Reason::MostOfElement { element, .. }) => !purses[seat].elements.contains(*element),
        _ => false,
    };
    if unpaid.iter().all(is_element)
        && let Some(needed) = unpaid.iter().position(is_needed)
    {
        unpaid[..=needed].rotate_right(1);
    }
}

/// All awards of a hand: mac.17 to mac.20, from the starter to the left or by element.
fn awards(starter: Seat, macas: &BySeat<u8>, hands: &BySeat<Cards>, collections: &BySeat<Cards>) -> Vec<Award> {
    let seats = hands.seats();
    let round = || std::iter::successors(Some(starter), |seat| Some(seat.left(seats))).take(seats.into());
    let mut awards = Vec::new();
    for seat in round().filter(|seat| macas[*seat] > 0) {
        awards.push(Award::to(Some(seat), Reason::Macas { macas: macas[seat] }));
    }
    let largest = collections.values().map(|cards| cards.len()).max().unwrap_or(0);
    let tied: Seats = Seat::all(seats).filter(|seat| collections[*seat].len() == largest).collect();
    for seat in round().filter(|seat| largest > 0 && tied.contains(*seat)) {
        awards.push(Award::to(Some(seat), Reason::LargestCollection { cards: largest, tied }));
    }
    for seat in round().filter(|seat| hands[*seat].is_empty()) {
        awards.push(Award::to(Some(seat), Reason::EmptyHand));
    }
    awards.extend(Element::ALL.map(|element| most_of(element, collections)));
    awards
}

/// mac.20.
fn most_of(element: Element, collections: &BySeat<Cards>) -> Award {
    let sorted = collections.map(|cards| cards.from_the_top(element));
    let cards = sorted.values().map(Vec::len).max().unwrap_or(0);
    let tied: Seats = sorted.iter().filter(|(_, own)| own.len() == cards).map(|(seat, _)| seat).collect();
    let heights = |seat: Seat| sorted[seat].iter().map(|card| card.height());
    let mut ranked: Vec<Seat> = tied.into();
    ranked.sort_by(|a, b| heights(*b).cmp(heights(*a)));
    let (winner, decided) = match ranked[..] {
        [only] => (Some(only), None),
        [first, second, ..] => {
            let place = heights(first).zip(heights(second)).position(|(one, other)| one != other);
            let decided = place.map(|place| Decided { place: small(place), card: sorted[first][place] });
            (decided.map(|_| first), decided)
        }
        [] => (None, None),
    };
    Award::to(winner, Reason::MostOfElement { element, cards: small(cards), tied, decided })
}

impl fmt::Display for Gift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gift::Element { element } => write!(f, "{element}"),
            Gift::Coins { coins: 1 } => f.write_str("its only coin"),
            Gift::Coins { coins } => write!(f, "all its {coins} coins"),
            Gift::Nothing => f.write_str("nothing, having neither element nor coin"),
        }
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gain::Coins { coins: 1 } => f.write_str("a coin"),
            Gain::Coins { coins } => write!(f, "{coins} coins"),
            Gain::Element { element } => write!(f, "{element}"),
            Gain::CoinInstead { element } => write!(f, "a coin instead of a second {element}"),
            Gain::Nothing => f.write_str("nothing"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Macas { macas: 1 } => f.write_str("one maca at a well"),
            Reason::Macas { macas } => write!(f, "{macas} macas at wells"),
            Reason::LargestCollection { cards, tied } if tied.len() > 1 => {
                write!(f, "the largest collection, of {cards}, shared by {}", among(*tied))
            }
            Reason::LargestCollection { cards, .. } => write!(f, "the largest collection, of {cards}"),
            Reason::EmptyHand => f.write_str("an empty hand"),
            Reason::MostOfElement { element, cards, tied, decided } => {
                write!(f, "the most cards of {element}, {cards}")?;
                match decided {
                    Some(Decided { card, .. }) => {
                        write!(f, ", tied among {}, decided by {card}", among(*tied))
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for Award {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gain = self.gain.unwrap_or(Gain::Nothing);
        match (self.seat, &self.reason) {
            (Some(seat), reason) => write!(f, "Seat {seat} got {gain} for {reason}."),
            (None, Reason::MostOfElement { element, cards: 0, .. }) => {
                write!(f, "Nobody got {element}: nobody collected cards of it.")
            }
            // There are two copies of each card: of three who tie, the two best have the same and the others do not.
            (None, Reason::MostOfElement { element, tied, .. }) if tied.len() > 2 => {
                write!(f, "Nobody got {element}: the best of {} collected the same cards of it.", among(*tied))
            }
            (None, Reason::MostOfElement { element, tied, .. }) => {
                write!(f, "Nobody got {element}: {} collected the same cards of it.", among(*tied))
            }
            (None, reason) => write!(f, "Nobody got anything for {reason}."),
        }
    }
}
