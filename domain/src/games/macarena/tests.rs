use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::contract::{self, Promises};
use crate::{Entropy, Game, Kind, Nobody, Over, Seed, golden};

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

impl Promises for Macarena {
    fn tables() -> Vec<(Options, u8)> {
        let table = |mirror_turn_draws, max_hands, first_seat, seats| {
            (Options { mirror_turn_draws, max_hands, first_seat }, seats)
        };
        vec![
            table(false, 3, None, 2),
            table(true, 2, Some(ONE), 3),
            table(false, 3, None, 4),
            table(false, 4, Some(ZERO), 5),
            table(true, 1, None, 2),
        ]
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let mut cards: Vec<Card> = self.deck.clone();
        cards.extend(self.hands.values().chain(self.collections.values()).flat_map(|cards| cards.iter()));
        cards.extend(self.wells.iter().flat_map(|well| well.under.iter().chain([well.top])));
        let mut counts = BTreeMap::new();
        for card in cards {
            *counts.entry(card.to_string()).or_insert(0) += 1;
        }
        counts
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Move {
        let element = *chance.pick(&Element::ALL);
        let seat = Seat::new(chance.below(self.seats().into()) as u8);
        match chance.below(10) {
            0 => Move::Pass,
            1 => Move::Decline,
            2 => Move::Return(element),
            3 => Move::Buy(element),
            4 => match self.to_act().first() {
                Some(seat) => self.any_move(seat, chance),
                None => Move::Pass,
            },
            _ => {
                let faces: Vec<Card> = if chance.happens(1, 2) || self.hands[seat].is_empty() {
                    Card::faces().collect()
                } else {
                    self.hands[seat].into()
                };
                let cards = (0..chance.below(5)).map(|_| *chance.pick(&faces)).collect();
                let from = chance.happens(1, 6).then(|| chance.below(9) as u8);
                Move::Play { well: chance.below(9) as u8, cards, from }
            }
        }
    }

    /// Mirrors, and the longest of a few series.
    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let worth = |mv: &Move| match mv {
            Move::Play { well, cards, .. } => {
                let is_mirror = ends_in_mirror(self.wells[*well as usize].top, cards);
                cards.len() + if is_mirror { 20 } else { 0 }
            }
            _ => 0,
        };
        let few: Vec<Move> = (0..8).map(|_| self.any_move(seat, chance)).collect();
        few.into_iter().max_by_key(worth).expect("there are eight")
    }

    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let mut unknown: BTreeSet<_> = self.deck.iter().map(|card| ("deck".into(), card.to_string())).collect();
        let are_shown =
            self.settlement.as_ref().is_some_and(|end| end.shown.is_some() && end.hand_number == self.hand_number);
        for (seat, hand) in self.hands.iter().filter(|(seat, _)| !are_shown && !viewer.sees(*seat)) {
            unknown.extend(hand.iter().map(|card| (format!("hand {seat}"), card.to_string())));
        }
        if let Phase::Returning { chosen, .. } = &self.phase {
            for (seat, choice) in chosen.iter().filter(|(seat, _)| !viewer.sees(*seat)) {
                unknown.extend(choice.iter().map(|element| (format!("return {seat}"), element.to_string())));
            }
        }
        unknown
    }

    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let unknown = self.unknown(viewer);
        let is_return = |place: &str| place.starts_with("return");
        let places: BTreeSet<&String> = unknown.iter().map(|(place, _)| place).collect();
        let cards: BTreeSet<&String> =
            unknown.iter().filter(|(place, _)| !is_return(place)).map(|(_, card)| card).collect();
        let mut possible = BTreeSet::new();
        for place in places {
            let pieces: Vec<String> = match place.strip_prefix("return ") {
                None => cards.iter().map(|card| (*card).clone()).collect(),
                Some(seat) => {
                    let seat = Seat::new(seat.parse().expect("it is the number of a seat"));
                    self.purses[seat].elements.iter().map(|element| element.to_string()).collect()
                }
            };
            possible.extend(pieces.into_iter().map(|piece| (place.clone(), piece)));
        }
        possible
    }
}

#[test]
fn the_contract_holds() {
    contract::uphold::<Macarena>(contract::games_or(100));
}

#[test]
fn adhoc_playouts() {
    for seats in 2..=5 {
        let t = std::time::Instant::now();
        let n = 300;
        let p = crate::playout::playout::<Macarena>(&Options::default(), seats, n, 1).unwrap();
        let s = t.elapsed().as_secs_f64();
        println!("{seats}: {p:?} avg {} games/s {} plies/s {}", p.plies / n, n as f64 / s, p.plies as f64 / s);
    }
}
