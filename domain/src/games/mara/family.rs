//! The family variant, as far as it differs. mara.1 for the tiles, 2, 8 for jeeps, 10, 11, 14 and 15 apply unchanged.
//!
//! - f1. There are no tracks, no piles at the lodges and no meets. The 30 tourists are a shuffled deck; every seat
//!   has two of them face up.
//! - f2. A turn is exactly two actions, at most one of them a peek. It ends by itself after a drive that was the second.
//! - f3. A photo turns its tourist face down at once. The seat draws two, keeps one face up, and puts the other under
//!   the deck, which it remembers as it would a peek. With one card left there is nothing to choose.
//! - f4. The game ends when a seat must draw and the deck is empty. Most photos win; ties are shared.

use serde::{Deserialize, Serialize};

use super::{End, Event, Mara, Move, ONE_TASK, Tourist, Tourists, Variant};
use crate::{Chance, Illegal, RuleId, Seat, Seats, Sink};

/// Tourists in front of each seat.
const DEALT: usize = 2;
pub(super) const ACTIONS_A_TURN: u8 = 2;

pub(super) const DEAL: RuleId = RuleId("mara.f1");
pub(super) const TWO_ACTIONS: RuleId = RuleId("mara.f2");
pub(super) const CHOICE: RuleId = RuleId("mara.f3");
pub(super) const EMPTY_DECK: RuleId = RuleId("mara.f4");

/// A card of the deck, or drawn from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    /// Secret, except to the seats that know it.
    pub tourist: Tourist,
    /// Public: the seats that put it under the deck and remember it, or have drawn it.
    pub known_to: Seats,
}

impl Mara {
    /// mara.f1
    pub(super) fn deal(&mut self, chance: &mut Chance) {
        let mut deck: Vec<Tourist> = Tourist::all().collect();
        chance.shuffle(&mut deck);
        let mut cards = deck.into_iter();
        for driver in self.drivers.values_mut() {
            driver.face_up = cards.by_ref().take(DEALT).collect::<Tourists>();
        }
        self.deck = cards.map(|tourist| Card { tourist, known_to: Seats::NONE }).collect();
    }

    /// mara.f2
    pub(super) fn check_second_peek(&self) -> Result<(), Illegal> {
        if self.turn.has_peeked {
            return Err(
                Illegal::new(TWO_ACTIONS, "You can peek only once a turn: your other action must be a drive.").at(0)
            );
        }
        Ok(())
    }

    /// mara.f3: a pair that was drawn comes before everything else.
    pub(super) fn check_choice(&self, mv: &Move) -> Result<(), Illegal> {
        match mv {
            Move::Keep { .. } => Ok(()),
            _ if self.drawn.is_some() => {
                Err(Illegal::new(CHOICE, "First choose one of the two tourists you drew.").at(0))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_keep(&self, tourist: Tourist) -> Result<(), Illegal> {
        if self.variant == Variant::Standard {
            return Err(
                Illegal::new(ONE_TASK, "Tourists are drawn in the family variant only; here you meet them.").at(0)
            );
        }
        let Some(pair) = &self.drawn else {
            return Err(Illegal::new(CHOICE, "You have no drawn tourists to choose from.").at(0));
        };
        if !pair.iter().any(|card| card.tourist == tourist) {
            return Err(Illegal::new(CHOICE, format!("You did not draw the {}.", tourist.words())).at(1));
        }
        Ok(())
    }

    /// mara.f3 and mara.f4: after a photo.
    pub(super) fn draw(&mut self, seat: Seat, photographed: Tourist, seen: &mut impl Sink<Event>) {
        self.drivers[seat].face_up.remove(photographed);
        let mut cards = self.deck.drain(..self.deck.len().min(2));
        match (cards.next(), cards.next()) {
            (None, _) => {
                drop(cards);
                self.finish(End::EmptyDeck, seen);
            }
            (Some(Card { tourist, .. }), None) => {
                self.drivers[seat].face_up.insert(tourist);
                seen.see(|| Event::Drew { seat, cards: 1 });
                seen.see(|| Event::Kept { seat, tourist });
            }
            (Some(one), Some(two)) => {
                let mut pair = [one, two];
                pair.sort_unstable_by_key(|card| card.tourist);
                pair.iter_mut().for_each(|card| card.known_to.insert(seat));
                self.drawn = Some(pair);
                seen.see(|| Event::Drew { seat, cards: 2 });
            }
        }
    }

    pub(super) fn keep(&mut self, seat: Seat, tourist: Tourist, seen: &mut impl Sink<Event>) {
        let pair = self.drawn.take().into_iter().flatten();
        self.deck.extend(pair.filter(|card| card.tourist != tourist));
        self.drivers[seat].face_up.insert(tourist);
        seen.see(|| Event::Kept { seat, tourist });
    }

    /// Shuffles the cards that are hidden from a viewer among their places. Which seat knows which place stays the same.
    pub(super) fn redraw_cards(
        &mut self,
        is_hidden: impl Fn(Seats) -> bool,
        in_fixed_order: bool,
        chance: &mut Chance,
    ) {
        if let Some(pair) = self.drawn.as_mut().filter(|pair| pair.iter().all(|card| is_hidden(card.known_to))) {
            // The pair is sorted, so its order would reveal which tourist is the greater: that is hidden, too.
            pair.sort_unstable_by_key(|card| Vec::from(card.known_to));
        }
        let mut hidden: Vec<&mut Card> = self
            .deck
            .iter_mut()
            .chain(self.drawn.iter_mut().flatten())
            .filter(|card| is_hidden(card.known_to))
            .collect();
        let mut tourists: Vec<Tourist> = hidden.iter().map(|card| card.tourist).collect();
        if in_fixed_order {
            tourists.sort_unstable();
        }
        chance.shuffle(&mut tourists);
        hidden.iter_mut().zip(tourists).for_each(|(card, tourist)| card.tourist = tourist);
        if let Some(pair) = &mut self.drawn {
            pair.sort_unstable_by_key(|card| card.tourist);
        }
    }
}
