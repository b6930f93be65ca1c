//! The knowledge of bots about La Macarena.
//!
//! A position is worth what lies in the purses (four elements make an amulet, four coins an element) and what the hand
//! under way promises: elements by the cards collected, a coin for the largest collection and for each maca at a well,
//! an element lost with the most cards in hand, and the game itself with macas at nearly all wells.
//!
//! A series is as promising as the cards that it collects, those of elements that the seat lacks and can still win
//! first; a mirror for its maca and its mirror turn. Series are found by a search of bounded size, never by listing all.

use super::*;
use crate::bot::{Judgement, shares};

/// The most seats.
const SEATS: usize = 5;
/// The most cards that a considered series has.
const LONGEST: usize = 24;
/// How many series a search looks at, on each well: for candidates, and in a playout.
const MANY: u32 = 120;
const FEW: u32 = 25;

const AMULET: i32 = 1_000;
const ELEMENTS: [i32; 5] = [0, 200, 430, 690, AMULET];
const COIN: i32 = 60;
/// The value added by macas at so many different wells: seven win the game.
const WELLS_REACHED: [i32; WELLS + 1] = [0, 0, 10, 40, 120, 350, 1_000, 4_000];

impl Judgement for Macarena {
    const PLAYOUT_PLIES: u32 = 60;

    fn worth(&self) -> BySeat<u32> {
        if let Some(outcome) = self.outcome() {
            return shares::decided(self.seats(), outcome.winners);
        }
        let mut scores = [0; SEATS];
        for (score, purse) in scores.iter_mut().zip(self.purses.values()) {
            *score = purse.worth();
        }
        if let Phase::Turn { .. } = self.phase {
            self.add_hopes(&mut scores);
        }
        shares::expected(self.seats(), 450, |seat| scores[seat.index()])
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        match mv {
            // An element that the collection wins comes back at once.
            Move::Return(element) if self.leads(seat, *element) => 600,
            Move::Buy(element) if !self.leads(seat, *element) => 400,
            Move::Return(_) | Move::Buy(_) => 100,
            Move::Pass | Move::Decline => 15,
            Move::Play { well, cards, .. } => {
                let value = self.value(seat, &self.needs(seat), *well, cards);
                (20 + 4 * value).min(1_000)
            }
        }
    }

    fn candidates(&self, seat: Seat, limit: usize, _chance: &mut Chance) -> Vec<Move> {
        let Phase::Turn { mirror, .. } = self.phase else {
            return self.legal_moves(seat).take(limit).collect();
        };
        let mut found = Vec::with_capacity(64);
        self.each_series(seat, mirror, MANY, |value, well, cards| found.push((value, self.series(seat, well, cards))));
        // The sort is stable, so that equals keep their order.
        found.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        found.truncate(limit.saturating_sub(1));
        let mut moves: Vec<Move> = found.into_iter().map(|(_, mv)| mv).collect();
        moves.push(Move::idle(mirror));
        moves
    }

    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let Phase::Turn { mirror, .. } = self.phase else {
            let few: Vec<Move> = self.legal_moves(seat).collect();
            let best = few.iter().max_by_key(|mv| self.promise(seat, mv) + chance.below(50)).cloned();
            return best.unwrap_or_else(|| self.any_move(seat, chance));
        };
        let mut best = (0, None);
        let (mut laid, mut length) = ([self.wells[0].top; LONGEST], 0);
        self.each_series(seat, mirror, FEW, |value, well, cards| {
            let value = 1 + value + chance.below(6);
            if value > best.0 {
                best = (value, Some(well));
                length = cards.len();
                laid[..length].copy_from_slice(cards);
            }
        });
        match best {
            (_, Some(well)) => self.series(seat, well, &laid[..length]),
            (_, None) => Move::idle(mirror),
        }
    }
}

impl Purse {
    fn worth(self) -> i32 {
        AMULET * i32::from(self.amulets) + ELEMENTS[usize::from(self.elements.len())] + COIN * i32::from(self.coins)
    }
}

impl Macarena {
    /// How many cards of an element a seat has collected.
    fn collected(&self, seat: Seat, element: Element) -> i32 {
        let suit = cards::Faces::of_elements(Elements::one(element));
        let collection = self.collections[seat];
        let once = collection.faces().and(suit);
        let twice = once.filter(|card| collection.count(*card) > 1).count();
        i32::from(small(twice + once.count()))
    }

    fn most_of_others(&self, seat: Seat, element: Element) -> i32 {
        let others = Seat::all(self.seats()).filter(|other| *other != seat);
        others.map(|other| self.collected(other, element)).max().unwrap_or(0)
    }

    fn leads(&self, seat: Seat, element: Element) -> bool {
        self.collected(seat, element) > self.most_of_others(seat, element)
    }

    /// The expectation of each seat from the current hand.
    fn add_hopes(&self, scores: &mut [i32; SEATS]) {
        let left = i32::from(small(self.deck.len())) / i32::from(self.seats());
        for element in Element::ALL {
            let mut counts = [0; SEATS];
            for seat in Seat::all(self.seats()) {
                counts[seat.index()] = self.collected(seat, element);
            }
            let all: i32 = counts.iter().map(|count| count * count).sum::<i32>() + 4 + left;
            for (seat, purse) in self.purses.iter() {
                let has = usize::from(purse.elements.len());
                let prize = if purse.elements.contains(element) { COIN } else { ELEMENTS[has + 1] - ELEMENTS[has] };
                let count = counts[seat.index()];
                scores[seat.index()] += prize * count * count / all;
            }
        }
        let sizes = || self.collections.values().map(|cards| i32::from(cards.len()));
        let all = sizes().map(|size| size * size).sum::<i32>() + 4 + left;
        let most = self.hands.values().map(|hand| hand.len()).max().unwrap_or(0);
        let returns = self.hand_number > 0 || self.edition.first_hand_returns;
        for ((seat, hand), size) in self.hands.iter().zip(sizes()) {
            let score = &mut scores[seat.index()];
            *score += COIN * size * size / all;
            *score += COIN / 2 * i32::from(self.macas_out(seat));
            *score += WELLS_REACHED[self.macas[seat].iter().filter(|macas| **macas > 0).count()];
            *score -= 3 * i32::from(hand.len());
            if hand.len() == most && returns {
                *score -= if self.purses[seat].elements.is_empty() { 20 } else { 1_500 / (10 + left) };
            }
            if hand.len() < 5 {
                *score += COIN / 2 - 6 * i32::from(hand.len());
            }
        }
    }

    /// The worth of a card of each element in the seat's collection.
    fn needs(&self, seat: Seat) -> [u32; Element::ALL.len()] {
        Element::ALL.map(|element| {
            let lead = self.collected(seat, element) - self.most_of_others(seat, element);
            match lead {
                _ if self.purses[seat].elements.contains(element) => 7,
                7.. => 6,
                ..=-7 => 5,
                _ => 14,
            }
        })
    }

    /// How good a series is for the seat.
    fn value(&self, seat: Seat, needs: &[u32; Element::ALL.len()], well: u8, cards: &[Card]) -> u32 {
        let Some(top) = self.wells.get(usize::from(well)).map(|well| well.top) else { return 0 };
        let is_mirror = ends_in_mirror(top, cards);
        let collected = match cards {
            [_] if is_mirror => cards,
            [collected @ .., _] => collected,
            [] => cards,
        };
        let gain: u32 = collected.iter().map(|card| needs[card.element() as usize]).sum();
        let shed = 3 * u32::from(small(cards.len()));
        let empties = if cards.len() == usize::from(self.hands[seat].len()) { 15 } else { 0 };
        let maca = match self.macas[seat][usize::from(well)] {
            _ if !is_mirror => 0,
            0 => {
                let reached = self.macas[seat].iter().filter(|macas| **macas > 0).count();
                if reached + 1 == WELLS { 1_000 } else { 45 + 5 * u32::from(small(reached)) }
            }
            _ => 35,
        };
        gain + shed + empties + maca
    }

    /// Series with their values, at most `most` on each well.
    fn each_series(&self, seat: Seat, mirror: bool, most: u32, mut see: impl FnMut(u32, u8, &[Card])) {
        let needs = self.needs(seat);
        for (well, top) in (0..).zip(self.tops(seat, mirror)) {
            let Some(top) = top else { continue };
            let mut hand = self.hands[seat];
            let start = Walk::from(top);
            let mut laid = [top; LONGEST];
            // Each card laid, with the cards still to be tried after it; the first is the well's own.
            let mut branch = [(start, start.next(hand)); LONGEST + 1];
            let (mut length, mut left) = (0, most);
            while left > 0 {
                let (walk, untried) = &mut branch[length];
                let walk = *walk;
                let Some((card, step)) = untried.next().and_then(|card| Some((card, walk.step(card).ok()?))) else {
                    let Some(shorter) = length.checked_sub(1) else { break };
                    length = shorter;
                    hand.put(laid[length]);
                    continue;
                };
                laid[length] = card;
                let cards = &laid[..=length];
                see(self.value(seat, &needs, well, cards), well, cards);
                left -= 1;
                if !step.is_mirror() && length + 1 < LONGEST {
                    hand.take(card);
                    length += 1;
                    branch[length] = (step, step.next(hand));
                }
            }
        }
    }

    /// The move that lays these cards. A maca that has to move comes from the well with the most of them.
    fn series(&self, seat: Seat, well: u8, cards: &[Card]) -> Move {
        let is_mirror = ends_in_mirror(self.wells[usize::from(well)].top, cards);
        let sources = if is_mirror { self.sources(seat, well) } else { Wells::NONE };
        let from = sources.max_by_key(|from| (self.macas[seat][usize::from(*from)], std::cmp::Reverse(*from)));
        Move::Play { well, cards: cards.to_vec(), from }
    }
}
