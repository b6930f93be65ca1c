//! The Mara for the contract, and a simple player that makes progress: it picks tourists up, drives
//! to tiles of the habitats they want, peeks, photographs, and brings them home.

use std::collections::{BTreeMap, BTreeSet};

use super::super::set::Numbered;
use super::super::*;
use crate::contract::Promises;
use crate::small::small;

impl Promises for Mara {
    fn tables(version: u32) -> Vec<(Options, u8)> {
        let table = |variant, notepads, quiet, first_seat, seats| {
            let quiet_turns_per_seat = Some(quiet).filter(|_| version >= 2);
            (Options { variant, notepads, quiet_turns_per_seat, first_seat }, seats)
        };
        vec![
            table(Variant::Standard, false, 10, None, 2),
            table(Variant::Family, false, 10, None, 3),
            table(Variant::Standard, true, 50, Some(Seat::new(2)), 3),
            table(Variant::Family, true, 20, Some(Seat::new(1)), 2),
            table(Variant::Standard, false, 20, Some(Seat::new(0)), 4),
            table(Variant::Family, true, 10, None, 4),
            table(Variant::Standard, true, 20, None, 2),
        ]
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let mut pieces = BTreeMap::new();
        let mut count = |name: &str, n: u8| *pieces.entry(name.to_string()).or_insert(0) += u32::from(n);
        let faces: Tourists = self.tiles.iter().map(|tile| Tourist::new(tile.habitat, tile.animal)).collect();
        count("different tiles", faces.len());
        let piles = self.piles.iter().copied();
        let seats = self.drivers.values().map(|driver| driver.face_up.or(driver.photos));
        let cards = self.deck.iter().chain(self.drawn.iter().flatten()).map(|card| Tourists::one(card.tourist));
        let mut seen = Tourists::NONE;
        for tourists in piles.chain(seats).chain(cards) {
            count("tourists", tourists.len());
            seen = seen.or(tourists);
        }
        count("different tourists", seen.len());
        let mut tracked = Places::NONE;
        for (seat, driver) in self.drivers.iter() {
            count("tracks", self.tracks_left(seat) + driver.tracks.len());
            count("paths with two tracks", tracked.and(driver.tracks).len());
            tracked = tracked.or(driver.tracks);
        }
        pieces
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Move {
        let place = |chance: &mut Chance| Place::numbered(chance.below(78).into()).unwrap();
        let tourist = |chance: &mut Chance| Tourist::of(small(chance.index(30)));
        let driver = &self.drivers[self.mover];
        let near = |chance: &mut Chance| match driver.jeep.map(Place::neighbours) {
            Some(near) if chance.happens(1, 2) => near.nth(chance.below(near.len().into())).unwrap(),
            _ => place(chance),
        };
        match chance.below(8) {
            0 => Move::Place { lodge: place(chance) },
            1 => {
                let pile = driver.jeep.and_then(Place::lodge).map_or(Tourists::NONE, |lodge| self.piles[lodge]);
                let some = |from: Tourists, chance: &mut Chance| -> Tourists {
                    let named: Tourists = from.iter().filter(|_| chance.happens(1, 3)).collect();
                    if chance.happens(1, 5) { named.or(Tourists::one(tourist(chance))) } else { named }
                };
                Move::Meet { drop: some(driver.face_up, chance), pick: some(pile, chance) }
            }
            2 | 3 => Move::Drive { to: near(chance), take: chance.happens(1, 4).then(|| near(chance)) },
            4 => Move::Peek,
            5 => {
                let cells: Vec<Cell> = driver.jeep.into_iter().flat_map(Place::cells).collect();
                let any = Cell::numbered(chance.below(37).into()).unwrap();
                Move::Photo {
                    tile: if cells.is_empty() { any } else { *chance.pick(&[any, cells[0], cells[cells.len() - 1]]) },
                }
            }
            6 => Move::Keep { tourist: tourist(chance) },
            _ => Move::End,
        }
    }

    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if chance.happens(1, 4) || self.is_placing() || self.drawn.is_some() {
            return self.any_move(seat, chance);
        }
        if let Some(tile) = self.photos(seat).next() {
            return Move::Photo { tile };
        }
        if self.can_meet(seat)
            && let Some(meet) = self.sensible_meet(seat, chance)
        {
            return meet;
        }
        if self.actions_left() == 0 {
            return Move::End;
        }
        let here = self.jeep(seat);
        let mut goals = self.goals(seat);
        if goals.contains(here) {
            if here.is_lodge() && self.check_end().is_ok() {
                return Move::End;
            }
            // Without notepads it may have been here before.
            let is_new = self.turn.actions_left.is_some() || chance.happens(1, 2);
            if is_new && !self.turn.has_peeked_here && self.check_peek(seat).is_ok() {
                return Move::Peek;
            }
        }
        goals.remove(here);
        if !self.notepads && !goals.is_empty() {
            // Nor can it know where else it has been: it goes on to another part of the reserve now and then.
            let leg =
                u32::from(self.turns_without_photo / (2 * u16::from(self.seats()))) * 5 + u32::from(seat.number());
            goals = goals.nth(leg % u32::from(goals.len())).map(Places::one).unwrap();
        }
        let reach = self.reach(seat);
        let mut nearer = goals;
        while nearer.and(reach).is_empty() && !nearer.is_empty() {
            nearer = nearer.iter().fold(nearer, |all, place| all.or(place.neighbours()));
        }
        let best = if nearer.is_empty() { reach } else { nearer.and(reach) };
        let tracks = self.drivers[seat].tracks;
        let take = self.must_take_up(seat).then(|| tracks.nth(chance.below(tracks.len().into())).unwrap());
        Move::Drive { to: best.nth(chance.below(best.len().into())).unwrap(), take }
    }

    fn hidden_from_all(&self) -> BTreeMap<String, Vec<String>> {
        let groups = self.unknown_groups(super::OPEN).into_iter().enumerate();
        groups.map(|(n, group)| (format!("group {n}"), group.into_iter().map(|(_, piece)| piece).collect())).collect()
    }

    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        self.unknown_groups(viewer).into_iter().flatten().collect()
    }

    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let mut possible = BTreeSet::new();
        for group in self.unknown_groups(viewer) {
            for (place, _) in &group {
                possible.extend(group.iter().map(|(_, piece)| (place.clone(), piece.clone())));
            }
        }
        possible
    }
}

impl Mara {
    /// The pieces that a viewer cannot place, in groups that can change places among themselves: the face-down tiles
    /// of each habitat; the cards drawn or in the deck.
    fn unknown_groups(&self, viewer: Viewer) -> Vec<Vec<(String, String)>> {
        let knows = |known_to: Seats| known_to.iter().any(|seat| viewer.sees(seat));
        let mut groups = Vec::new();
        for habitat in Habitat::ALL {
            let mut group = Vec::new();
            for (n, tile) in self.tiles.iter().enumerate() {
                if tile.habitat == habitat && tile.photographer.is_none() && !knows(tile.known_to) {
                    group.push((format!("cell {}", Cell::of_tile(n)), Tourist::new(habitat, tile.animal).to_string()));
                }
            }
            groups.push(group);
        }
        let deck = self.deck.iter().enumerate().map(|(depth, card)| (format!("deck {depth}"), card));
        let drawn = self.drawn.iter().flatten().map(|card| ("drawn".to_string(), card));
        let hidden = deck.chain(drawn).filter(|(_, card)| !knows(card.known_to));
        groups.push(hidden.map(|(place, card)| (place, card.tourist.to_string())).collect());
        groups
    }

    /// Brings home tourists with a photo, and picks up to two others.
    fn sensible_meet(&self, seat: Seat, chance: &mut Chance) -> Option<Move> {
        let (face_up, mut pile) = self.at_the_lodge(seat);
        let drop = face_up.and(self.drivers[seat].photos);
        let mut pick = Tourists::NONE;
        while face_up.len() - drop.len() + pick.len() < 2 && !pile.is_empty() {
            let tourist = pile.nth(chance.below(pile.len().into())).unwrap();
            pile.remove(tourist);
            pick.insert(tourist);
        }
        (!drop.is_empty() || !pick.is_empty()).then_some(Move::Meet { drop, pick })
    }

    /// The place where the seat would like to be, by its own knowledge.
    fn goals(&self, seat: Seat) -> Places {
        let driver = &self.drivers[seat];
        let wanted = driver.face_up.without(driver.photos);
        let everywhere = || (0..78).filter_map(Place::numbered);
        if wanted.is_empty() {
            let waits = |place: &Place| place.lodge().is_some_and(|lodge| !self.piles[lodge].is_empty());
            let free = |place: &Place| place.is_lodge() && !self.other_jeeps(seat).contains(*place);
            let lodges: Places = everywhere().filter(free).filter(waits).collect();
            return if lodges.is_empty() { everywhere().filter(free).collect() } else { lodges };
        }
        let is_known = |tile: usize| self.tiles[tile].known_to.contains(seat);
        let is_hidden = |tile: usize| self.tiles[tile].photographer.is_none();
        let found = |tile: usize| is_hidden(tile) && is_known(tile) && self.is_wanted(seat, tile);
        let may_be = |tile: usize| {
            let is_habitat = wanted.iter().any(|tourist| tourist.habitat == self.tiles[tile].habitat);
            is_hidden(tile) && !is_known(tile) && is_habitat
        };
        let sure: Places = everywhere().filter(|place| place.tiles().any(found)).collect();
        if sure.is_empty() { everywhere().filter(|place| place.tiles().any(may_be)).collect() } else { sure }
    }
}
