//! A player's knowledge of cards outside its hand, and the games that it can imagine.
//!
//! A player who gives a card away knows where it is until the receiver next passes cards on. From then on the card is
//! with a seat that it can have reached, on a *trail* along the table that does not cross the viewer's own place,
//! because the viewer sees every card that comes back. Trails compete for room: in a turn a seat plays a card, hands
//! one to each neighbour and keeps two. All other cards that the viewer has not seen in this round can be anywhere
//! else.
//!
//! Every past that fits the viewer's observations is equally likely. Pasts differ in which card of a hand was played or
//! passed where. The number of pasts that share a set of trails depends on how many cards outside the trails each seat
//! could choose from. So the trails are drawn with that number as weight, turn by turn ([`Ways`]), and everything else
//! uniformly.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cards::{Card, Cards, Character};
use super::tableau::Ability;
use super::{HAND, Mahola, Passed, Phase, TURNS};
use crate::small::small;
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
    /// The turn in which the viewer saw it again, and the seat that had it until then. The abilities count as a turn
    /// after the last.
    seen: Option<(u8, Seat)>,
    /// The seat that has it after the passing of each turn, from the turn in which it was given to the last before it
    /// is seen.
    at: [Seat; TURNS as usize],
}

impl Trail {
    /// Whether the card is out of the viewer's sight when the cards of this turn have been passed.
    fn covers(&self, turn: usize) -> bool {
        usize::from(self.given.turn) <= turn && self.seen.is_none_or(|(seen, _)| turn < seen.into())
    }
}

/// Two cards are given away in a turn.
const MOST_TRAILS: usize = 2 * TURNS as usize;
/// The seat that has the card of each trail; `None` before it is given away and once it is seen again.
type Holders = [Option<Seat>; MOST_TRAILS];

/// Counts the ways that the cards on trails can have taken.
struct Ways<'a> {
    mahola: &'a Mahola,
    viewer: Seat,
    trails: &'a [Trail],
    /// The number of ways from a turn on, by the seats that have the cards before it.
    counted: BTreeMap<(usize, Holders), u128>,
}

impl Ways<'_> {
    /// Draws one of all ways, uniformly: where every card is after the passing of each turn.
    fn draw(&mut self, chance: &mut Chance) -> Vec<Holders> {
        let mut holders = [None; MOST_TRAILS];
        let mut drawn = Vec::new();
        for turn in 0..self.mahola.turns.len() {
            let mut options = self.after(turn, &holders);
            options.iter_mut().for_each(|(next, ways)| *ways *= self.count(turn + 1, next));
            options.retain(|(_, ways)| *ways > 0);
            let mut chosen = chance.below_wide(options.iter().map(|(_, ways)| ways).sum());
            let is_chosen = |(_, ways): &&(Holders, u128)| {
                let is_below = chosen < *ways;
                chosen = chosen.saturating_sub(*ways);
                is_below
            };
            holders = options.iter().find(is_chosen).expect("the number drawn is below the number of ways").0;
            drawn.push(holders);
        }
        drawn
    }

    /// The number of ways from this turn on.
    fn count(&mut self, turn: usize, holders: &Holders) -> u128 {
        if turn == self.mahola.turns.len() {
            return self.ways_of_abilities(holders);
        }
        if let Some(ways) = self.counted.get(&(turn, *holders)) {
            return *ways;
        }
        let ways = self.after(turn, holders).iter().map(|(next, ways)| ways * self.count(turn + 1, next)).sum();
        self.counted.insert((turn, *holders), ways);
        ways
    }

    /// The places where the cards can be after a turn, each with its number of ways: each seat plays a card and passes
    /// two.
    fn after(&self, turn: usize, holders: &Holders) -> Vec<(Holders, u128)> {
        let mut options = vec![(*holders, 1)];
        for seat in Seat::all(self.mahola.seats()).filter(|seat| *seat != self.viewer) {
            let mut further = Vec::new();
            for (next, ways) in options {
                self.turn_of(seat, turn, holders, next, ways, &mut further);
            }
            options = further;
        }
        if self.mahola.turns[turn].passed.is_some() {
            for (next, _) in &mut options {
                for (holder, trail) in next.iter_mut().zip(self.trails) {
                    if usize::from(trail.given.turn) == turn {
                        *holder = Some(trail.given.to);
                    }
                }
            }
        }
        options
    }

    /// The options of one seat for the cards that it has before its turn.
    fn turn_of(
        &self,
        seat: Seat,
        turn: usize,
        holders: &Holders,
        mut next: Holders,
        mut ways: u128,
        options: &mut Vec<(Holders, u128)>,
    ) {
        let record = &self.mahola.turns[turn];
        let seats = self.mahola.seats();
        let here: Vec<usize> = (0..self.trails.len()).filter(|i| holders[*i] == Some(seat)).collect();
        let mut others = (HAND - here.len()) as u128;
        // The cards from this hand that the viewer saw: the one played, and one passed to the viewer.
        let passes_to_viewer = [seat.left(seats), seat.right(seats)].contains(&self.viewer) && record.passed.is_some();
        let mut unseen_before = 1 + usize::from(passes_to_viewer);
        let mut free = Vec::new();
        for i in here {
            match self.trails[i].seen {
                Some((seen, by)) if usize::from(seen) == turn => {
                    if by != seat {
                        return;
                    }
                    next[i] = None;
                    unseen_before -= 1;
                }
                _ => free.push(i),
            }
        }
        for _ in 0..unseen_before {
            ways *= others;
            others = others.saturating_sub(1);
        }
        let neighbours = [seat.left(seats), seat.right(seats)];
        let to: Vec<Seat> = neighbours.into_iter().filter(|to| *to != self.viewer && record.passed.is_some()).collect();
        pass_on(&to, &free, next, ways, others, options);
    }

    /// An ability can also show a card from the hand.
    fn ways_of_abilities(&self, holders: &Holders) -> u128 {
        let last = self.mahola.turns.len();
        let mut ways = 1;
        for seat in Seat::all(self.mahola.seats()).filter(|seat| *seat != self.viewer) {
            let here = || (0..self.trails.len()).filter(|i| holders[*i] == Some(seat));
            let seen = || here().filter_map(|i| self.trails[i].seen).filter(|(seen, _)| usize::from(*seen) == last);
            if seen().any(|(_, by)| by != seat) {
                return 0;
            }
            if self.mahola.put_from_hand(seat).is_some() && seen().next().is_none() {
                let hand = self.mahola.hands[seat].len() + 1;
                ways *= hand.saturating_sub(here().count()) as u128;
            }
        }
        ways
    }
}

/// Every way to hand a card to each of these neighbours: a card on a trail, or one of the `free` others.
fn pass_on(to: &[Seat], free: &[usize], next: Holders, ways: u128, others: u128, options: &mut Vec<(Holders, u128)>) {
    let Some((first, rest)) = to.split_first() else {
        if ways > 0 {
            options.push((next, ways));
        }
        return;
    };
    pass_on(rest, free, next, ways * others, others.saturating_sub(1), options);
    for (n, i) in free.iter().enumerate() {
        let mut passed = next;
        passed[*i] = Some(*first);
        let left: Vec<usize> = free.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, i)| *i).collect();
        pass_on(rest, &left, passed, ways, others, options);
    }
}

impl Mahola {
    /// The cards that the seat gave away in this round and has not seen since, first given first.
    pub(super) fn given(&self, seat: Seat) -> Vec<Given> {
        self.trails(seat).into_iter().filter(|trail| trail.seen.is_none()).map(|trail| trail.given).collect()
    }

    /// The cards received when cards were last passed, that of the left neighbour first.
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

    /// A game that `viewer`, or a spectator for `None`, cannot distinguish from this one.
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

    /// Every card that the seat gave away in this round, once for each time, and where it was next seen.
    fn trails(&self, seat: Seat) -> Vec<Trail> {
        let (left, right) = (seat.left(self.seats()), seat.right(self.seats()));
        let mut trails = Vec::new();
        for (turn, passed) in self.passings() {
            for (to, card) in [(left, passed[seat].left), (right, passed[seat].right)] {
                trails.push(Trail {
                    given: Given { turn: small(turn), to, card },
                    seen: self.next_seen(seat, card, turn),
                    at: [to; TURNS as usize],
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
            player.or(giver).map(|seat| (small(turn), seat))
        });
        in_turns.or_else(|| {
            let exchanger = Seat::all(self.seats()).find(|seat| self.put_from_hand(*seat) == Some(card));
            exchanger.map(|seat| (small(self.turns.len()), seat))
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

    /// The turns in which cards were passed, with the cards.
    fn passings(&self) -> impl DoubleEndedIterator<Item = (usize, &BySeat<Passed>)> {
        self.turns.iter().enumerate().filter_map(|(turn, record)| record.passed.as_ref().map(|passed| (turn, passed)))
    }

    /// Draws a trail for every card that fits where it was seen and leaves room for all others.
    fn settle(&self, trails: &mut [Trail], viewer: Seat, chance: &mut Chance) {
        let drawn = Ways { mahola: self, viewer, trails, counted: BTreeMap::new() }.draw(chance);
        for (turn, holders) in drawn.iter().enumerate() {
            for (trail, holder) in trails.iter_mut().zip(holders) {
                if let Some(seat) = holder {
                    trail.at[turn] = *seat;
                }
            }
        }
    }

    /// Redeals the cards that the viewer has not seen. Cards it gave away follow their trails.
    fn redraw_hands(&mut self, viewer: Option<Seat>, trails: &[Trail], chance: &mut Chance) {
        let passed = self.passings().count();
        let out: Cards = trails.iter().filter(|trail| trail.seen.is_none()).map(|trail| trail.given.card).collect();
        let mut unseen = std::mem::take(&mut self.deck);
        for (_, hand) in self.hands.iter().filter(|(seat, _)| Some(*seat) != viewer) {
            unseen.extend(hand.iter().filter(|card| !out.contains(*card)));
        }
        // Sorted first, so that the draw depends on nothing but what the viewer knows.
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

    /// Invents the cards that were passed and drawn, going back from the present hands, so that the imagined game has a
    /// past that fits what the viewer knows of it.
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
