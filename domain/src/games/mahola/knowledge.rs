//! What a player knows of cards that are not in its hand, and the games it can imagine.
//!
//! Who gives a card away knows where it is until that seat next passes cards on. From then on it is with a seat that
//! it can have reached, on a *trail* that leads along the table without crossing the viewer's own place, for what
//! comes back is seen. Trails compete for room: in a turn a seat hands one card to each neighbour and keeps two. All
//! other cards that the viewer has not seen in this round can be anywhere else.

use serde::Serialize;

use super::cards::{Card, Cards, Character};
use super::tableau::Ability;
use super::{Mahola, PASSING_TURNS, Passed, Phase};
use crate::{BySeat, Chance, Rules, Seat};

/// A card that a seat gave away in this round and has not seen since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    pub turn: u8,
    pub to: Seat,
    pub card: Card,
}

/// A card that a neighbour handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Received {
    pub from: Seat,
    pub card: Card,
}

/// The way of a card after the viewer gave it away.
struct Trail {
    given: Given,
    /// The turn in which the viewer saw it again, and who had it until then.
    seen: Option<(u8, Seat)>,
    /// Who has it after the passing of each turn, from the turn in which it was given to the last before it is seen.
    at: [Seat; PASSING_TURNS],
}

impl Trail {
    /// Whether the card is out of the viewer's sight when the cards of this turn have been passed.
    fn covers(&self, turn: usize) -> bool {
        usize::from(self.given.turn) <= turn && self.seen.is_none_or(|(seen, _)| turn < seen.into())
    }

    /// Whether a card that `seat` has after the passing of `turn` can still be where it was seen. Nothing goes
    /// through the viewer's place, so the way from seat to seat is that between their distances from the viewer.
    fn can_go_on(&self, seat: Seat, turn: usize, distance: impl Fn(Seat) -> u8) -> bool {
        self.seen.is_none_or(|(seen, last)| {
            let passings = usize::from(seen) - 1 - turn;
            usize::from(distance(seat).abs_diff(distance(last))) <= passings
        })
    }
}

impl Mahola {
    /// The cards that the seat gave away in this round and has not seen since, first given first.
    pub(super) fn given(&self, seat: Seat) -> Vec<Given> {
        self.trails(seat).into_iter().filter(|trail| trail.seen.is_none()).map(|trail| trail.given).collect()
    }

    /// What the neighbours handed over when cards were last passed: the left one's first.
    pub(super) fn received(&self, seat: Seat) -> Vec<Received> {
        let (left, right) = (seat.left(self.seats()), seat.right(self.seats()));
        self.turns.iter().rev().find_map(|turn| turn.passed.as_ref()).map_or(Vec::new(), |passed| {
            vec![Received { from: left, card: passed[left].right }, Received { from: right, card: passed[right].left }]
        })
    }

    /// The card that the seat drew last.
    pub(super) fn drawn(&self, seat: Seat) -> Option<Card> {
        self.turns.iter().rev().find_map(|turn| turn.passed.as_ref()).map(|passed| passed[seat].drawn)
    }

    /// A game that `viewer`, or somebody without a seat, could not tell from this one.
    pub(super) fn redraw(&self, viewer: Option<Seat>, chance: &mut Chance) -> Mahola {
        let mut other = self.clone();
        if !self.characters_are_open() {
            other.redraw_characters(viewer, chance);
        }
        let mut trails = viewer.map_or(Vec::new(), |viewer| self.trails(viewer));
        if let Some(viewer) = viewer {
            self.settle(&mut trails, viewer, chance);
        }
        other.redraw_hands(viewer, &trails, chance);
        other.redraw_passing(viewer, &trails, chance);
        for seat in Seat::all(self.seats()).filter(|seat| Some(*seat) != viewer) {
            if other.choices[seat].is_some() {
                other.choices[seat] = Some(other.any_move(seat, chance));
            }
        }
        other
    }

    fn redraw_characters(&mut self, viewer: Option<Seat>, chance: &mut Chance) {
        let own = viewer.map(|viewer| self.characters[viewer]);
        let mut left: Vec<Character> = Character::ALL.iter().copied().filter(|one| Some(*one) != own).collect();
        chance.shuffle(&mut left);
        let others = self.characters.iter_mut().filter(|(seat, _)| Some(*seat) != viewer);
        for ((_, character), drawn) in others.zip(left) {
            *character = drawn;
        }
    }

    /// Every card that the seat gave away in this round, as often as it did, and where it was next seen.
    fn trails(&self, seat: Seat) -> Vec<Trail> {
        let (left, right) = (seat.left(self.seats()), seat.right(self.seats()));
        let mut trails = Vec::new();
        for (turn, passed) in self.passings() {
            for (to, card) in [(left, passed[seat].left), (right, passed[seat].right)] {
                trails.push(Trail {
                    given: Given { turn: turn as u8, to, card },
                    seen: self.next_seen(seat, card, turn),
                    at: [to; PASSING_TURNS],
                });
            }
        }
        trails
    }

    /// The turn after `given` in which the card was played, or handed to the viewer, and by whom.
    fn next_seen(&self, viewer: Seat, card: Card, given: usize) -> Option<(u8, Seat)> {
        let (left, right) = (viewer.left(self.seats()), viewer.right(self.seats()));
        let in_turns = self.turns.iter().enumerate().skip(given + 1).find_map(|(turn, record)| {
            let player = record.played.iter().find(|(_, played)| **played == card).map(|(seat, _)| seat);
            let giver = record.passed.as_ref().and_then(|passed| match card {
                card if card == passed[left].right => Some(left),
                card if card == passed[right].left => Some(right),
                _ => None,
            });
            player.or(giver).map(|seat| (turn as u8, seat))
        });
        in_turns.or_else(|| {
            let exchanger = Seat::all(self.seats()).find(|seat| self.put_from_hand(*seat) == Some(card));
            exchanger.map(|seat| (self.turn, seat))
        })
    }

    /// The card that the seat's ability brought from its hand, when the last round has been scored.
    fn put_from_hand(&self, seat: Seat) -> Option<Card> {
        let scored = self.scored.as_ref().filter(|_| self.phase == Phase::Over)?;
        match scored.abilities[seat] {
            Ability::Exchanged { put, .. } => Some(put),
            _ => None,
        }
    }

    /// The turns in which cards were passed, with what was passed.
    fn passings(&self) -> impl DoubleEndedIterator<Item = (usize, &BySeat<Passed>)> {
        self.turns.iter().enumerate().filter_map(|(turn, record)| record.passed.as_ref().map(|passed| (turn, passed)))
    }

    /// Draws a way for every card that leads to where it was seen and leaves room for all others.
    fn settle(&self, trails: &mut [Trail], viewer: Seat, chance: &mut Chance) {
        // Whoever comes first has the freer choice, so let chance decide who does.
        chance.shuffle(trails);
        let mut steps = Vec::new();
        for (turn, _) in self.passings() {
            let travels = |trail: &Trail| usize::from(trail.given.turn) < turn && trail.covers(turn);
            steps.extend((0..trails.len()).filter(|i| travels(&trails[*i])).map(|i| (turn, i)));
        }
        let settled = self.settle_from(0, &steps, trails, viewer, chance);
        assert!(settled, "the cards did go some way");
    }

    fn settle_from(
        &self,
        next: usize,
        steps: &[(usize, usize)],
        trails: &mut [Trail],
        viewer: Seat,
        chance: &mut Chance,
    ) -> bool {
        let Some(&(turn, i)) = steps.get(next) else { return true };
        let seats = self.seats();
        let distance = |seat: Seat| (seat.number() + seats - viewer.number()) % seats;
        let here = trails[i].at[turn - 1];
        // Of the hand that is left after playing two cards stay and one goes to each side.
        let mut ways = [here, here, here.left(seats), here.right(seats)];
        chance.shuffle(&mut ways);
        for there in ways {
            let taken = steps[..next].iter().filter(|(other_turn, other)| {
                *other_turn == turn && trails[*other].at[turn - 1] == here && trails[*other].at[turn] == there
            });
            let room = if there == here { 2 } else { 1 };
            if there == viewer || taken.count() >= room || !trails[i].can_go_on(there, turn, distance) {
                continue;
            }
            trails[i].at[turn] = there;
            if self.settle_from(next + 1, steps, trails, viewer, chance) {
                return true;
            }
        }
        false
    }

    /// Deals anew what the viewer has not seen; cards it gave away are where their trails lead.
    fn redraw_hands(&mut self, viewer: Option<Seat>, trails: &[Trail], chance: &mut Chance) {
        let passed = self.passings().count();
        let out: Cards = trails.iter().filter(|trail| trail.seen.is_none()).map(|trail| trail.given.card).collect();
        let mut unseen = std::mem::take(&mut self.deck);
        for (_, hand) in self.hands.iter().filter(|(seat, _)| Some(*seat) != viewer) {
            unseen.extend(hand.iter().filter(|card| !out.contains(*card)));
        }
        // A fixed order first: what is drawn must depend on nothing but what the viewer knows.
        unseen.sort_unstable();
        chance.shuffle(&mut unseen);
        for (seat, hand) in self.hands.iter_mut().filter(|(seat, _)| Some(*seat) != viewer) {
            let size = hand.len();
            let here = trails.iter().filter(|trail| trail.seen.is_none() && trail.at[passed - 1] == seat);
            *hand = here.map(|trail| trail.given.card).collect();
            let fresh = unseen.len() - (size - hand.len());
            unseen.drain(fresh..).for_each(|card| hand.insert(card));
        }
        self.deck = unseen;
    }

    /// Makes up who passed and drew what, back from the hands as they are now, so that the imagined players have a
    /// past of their own that fits what the viewer knows of it.
    fn redraw_passing(&mut self, viewer: Option<Seat>, trails: &[Trail], chance: &mut Chance) {
        let seats = self.seats();
        let mut hands = self.hands.clone();
        for (seat, hand) in hands.iter_mut() {
            self.put_from_hand(seat).into_iter().for_each(|card| hand.insert(card));
        }
        for (turn, record) in self.turns.iter_mut().enumerate().rev() {
            if let Some(passed) = &mut record.passed {
                for seat in Seat::all(seats).filter(|seat| Some(*seat) != viewer) {
                    let here = || trails.iter().filter(|trail| trail.covers(turn) && trail.at[turn] == seat);
                    let known: Cards = here().map(|trail| trail.given.card).collect();
                    let mut free: Vec<Card> = hands[seat].iter().filter(|card| !known.contains(*card)).collect();
                    chance.shuffle(&mut free);
                    let mut came_from = |giver: Seat| {
                        let trail = here()
                            .find(|trail| usize::from(trail.given.turn) < turn && trail.at[turn - 1] == giver)
                            .map(|trail| trail.given.card);
                        trail.or_else(|| free.pop()).expect("trails leave room for what else came")
                    };
                    let (left, right) = (seat.left(seats), seat.right(seats));
                    if Some(left) != viewer {
                        passed[left].right = came_from(left);
                    }
                    if Some(right) != viewer {
                        passed[right].left = came_from(right);
                    }
                    passed[seat].drawn = free.pop().expect("a drawn card is on no trail");
                }
                for seat in Seat::all(seats) {
                    let (left, right) = (seat.left(seats), seat.right(seats));
                    for card in [passed[seat].drawn, passed[left].right, passed[right].left] {
                        hands[seat].remove(card);
                    }
                }
                for seat in Seat::all(seats) {
                    hands[seat].insert(passed[seat].left);
                    hands[seat].insert(passed[seat].right);
                }
            }
            for seat in Seat::all(seats) {
                hands[seat].insert(record.played[seat]);
            }
        }
    }
}
