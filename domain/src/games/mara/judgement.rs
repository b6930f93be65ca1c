//! The knowledge of bots about The Mara.
//!
//! A seat *hopes*: a tile that it has not seen is one of the animals that its tourists want with a probability that
//! follows from the habitat, and a lodge has tourists that would enlarge its sets. A goal is worth its hope for each
//! action on the way there; the jeep drives to the best one, along the tracks. Without a notepad a seat forgets what
//! it saw, so its attention moves along the [`tour`] of the reserve as turns without a photo pass, and it peeks only
//! in the turn in which it arrived: so it does not look at the same tile without end.
//!
//! The worth of a position is in points: those made, those of tourists on the jeep by the distance to their animals,
//! and those of tourists at the lodges by the distance to them.

use super::score::POINTS;
use super::tour;
use super::tourists::{Animal, Habitat, TOURISTS};
use super::*;
use crate::bot::{Judgement, shares};
use crate::small::small;

/// Tourists to look for at the same time: with a third there would be one action a turn.
const AT_ONCE: u8 = 2;
/// A point that is certain. Divisible by the numbers of tiles of a habitat.
const POINT: u32 = 840;
/// More drives than lead from any place to any other.
const FAR: usize = 14;
/// The promise of the drives toward the best goals, best first.
const GOALS: [u32; 3] = [600, 250, 150];

impl Judgement for Mara {
    const PLAYOUT_PLIES: u32 = 24;

    fn worth(&self) -> BySeat<u32> {
        if self.end.is_some() {
            let best = self.drivers.iter().map(|(seat, _)| self.points(seat)).max();
            let winners = Seat::all(self.seats()).filter(|seat| Some(self.points(*seat)) == best).collect();
            return shares::decided(self.seats(), winners);
        }
        let found: u8 = self.drivers.values().map(|driver| driver.photos.len()).sum();
        let left = i32::from(small(TOURISTS) - found);
        let spread = match self.variant {
            Variant::Standard => 150 + 30 * left,
            Variant::Family => 50 + 10 * left,
        };
        let scores: [i32; 4] = std::array::from_fn(|n| {
            let seat = Seat::new(small(n));
            if n < usize::from(self.seats()) { self.outlook(seat) } else { 0 }
        });
        shares::expected(self.seats(), spread, |seat| scores[seat.index()])
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        match *mv {
            Move::Place { .. } => 100,
            Move::Photo { .. } => 1_000,
            Move::Keep { tourist } => 50 + self.hope_of(seat, tourist) / 4,
            Move::Meet { drop, pick } => {
                let best = self.best_meet(seat, AT_ONCE);
                let home = self.drivers[seat].face_up.and(self.drivers[seat].photos);
                match best {
                    Some(Move::Meet { pick: wanted, .. }) if (drop, pick) == (home, wanted) => 800,
                    Some(Move::Meet { pick: wanted, .. }) if drop == home && pick.len() == wanted.len() => 150,
                    _ if drop == home => 60,
                    _ => 5,
                }
            }
            Move::Peek | Move::Drive { .. } | Move::End => {
                let plan = Plan::of(self, seat);
                let promises = plan.promises(self);
                match *mv {
                    Move::Peek => promises.peek,
                    Move::End => promises.end,
                    Move::Drive { to, .. } => promises.drive(to),
                    _ => 100,
                }
            }
        }
    }

    fn candidates(&self, seat: Seat, limit: usize, _chance: &mut Chance) -> Vec<Move> {
        let mut moves = Vec::with_capacity(limit);
        if self.is_placing() || self.drawn.is_some() {
            moves.extend(self.other_moves(seat).take(limit));
            return moves;
        }
        moves.extend(self.photos(seat).map(|tile| Move::Photo { tile }));
        if self.can_meet(seat) {
            for at_once in [AT_ONCE, AT_ONCE - 1, AT_ONCE + 1] {
                moves.extend(self.best_meet(seat, at_once).filter(|meet| !moves.contains(meet)));
            }
        }
        let plan = Plan::of(self, seat);
        let promises = plan.promises(self);
        if self.actions_left() > 0 {
            let take = self.track_to_take_up(seat);
            if promises.peek > 50 {
                moves.push(Move::Peek);
            }
            let mut named = Places::NONE;
            for (_, drives) in promises.drives {
                moves.extend(drives.without(named).iter().map(|to| Move::Drive { to, take }));
                named = named.or(drives);
            }
        }
        if self.check_end().is_ok() && (promises.end > 50 || moves.is_empty()) {
            moves.push(Move::End);
        }
        if moves.is_empty() {
            moves.extend(self.other_moves(seat));
        }
        moves.truncate(limit);
        moves
    }

    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.is_placing() {
            return self.any_move(seat, chance);
        }
        if let Some([one, two]) = &self.drawn {
            let (a, b) = (self.hope_of(seat, one.tourist), self.hope_of(seat, two.tourist));
            return Move::Keep { tourist: if a + chance.below(200) >= b + 100 { one.tourist } else { two.tourist } };
        }
        if let Some(tile) = self.photos(seat).next() {
            return Move::Photo { tile };
        }
        if self.can_meet(seat)
            && let Some(meet) = self.best_meet(seat, AT_ONCE)
        {
            return meet;
        }
        if self.actions_left() == 0 {
            return Move::End;
        }
        let plan = Plan::of(self, seat);
        let promises = plan.promises(self);
        let (_, drives) = promises.drives[usize::from(promises.peek == 0 && chance.happens(1, 8))];
        if promises.peek > promises.drives[0].0 {
            return Move::Peek;
        }
        if promises.end > promises.drives[0].0 && self.check_end().is_ok() {
            return Move::End;
        }
        let drives = if drives.is_empty() { promises.drives[0].1 } else { drives };
        let drives = if drives.is_empty() { self.reach(seat) } else { drives };
        let to = drives.nth(chance.below(drives.len().into())).expect("a drive leads somewhere");
        Move::Drive { to, take: self.track_to_take_up(seat) }
    }
}

/// The hopes of a seat: see the head of this file.
struct Plan {
    seat: Seat,
    here: Place,
    /// The hope of a peek here; 0 where it would show nothing new.
    hope_here: u32,
    /// The best goals, best first, with their hope for each action.
    goals: [(u32, Option<Place>); GOALS.len()],
    /// The places that are so many drives away.
    levels: [Places; FAR],
}

struct Promises {
    peek: u32,
    end: u32,
    drives: [(u32, Places); GOALS.len()],
}

impl Promises {
    fn drive(&self, to: Place) -> u32 {
        self.drives.iter().find(|(_, drives)| drives.contains(to)).map_or(30, |(promise, _)| *promise)
    }
}

impl Plan {
    fn of(mara: &Mara, seat: Seat) -> Plan {
        let here = mara.jeep(seat);
        let hopes = mara.hopes(seat);
        let hope_at = |place: Place| place.tiles().map(|tile| hopes[tile]).sum::<u32>();
        let mut levels = [Places::NONE; FAR];
        let mut reached = Places::one(here);
        levels[0] = reached;
        let hand = mara.hand(seat);
        let weight = |tile: usize| {
            if mara.notepads || mara.tiles[tile].known_to.contains(seat) {
                return 40;
            }
            if here.tiles().any(|seen| seen == tile) {
                return 0;
            }
            let near = 30 - u32::from(tour::ahead(hand, tour::of_tile(tile)));
            40 * near * near * near * near / (30 * 30 * 30 * 30)
        };
        let at_tiles: [u32; TOURISTS] = std::array::from_fn(|tile| hopes[tile] * weight(tile));
        let at_lodges: [u32; LODGES] = std::array::from_fn(|lodge| mara.hope_at_lodge(seat, lodge));
        let most_at_tile = at_tiles.into_iter().max().unwrap_or(0);
        let most = at_lodges.into_iter().max().unwrap_or(0).max(2 * most_at_tile);
        let mut goals = [(0, None); GOALS.len()];
        for drives in 1..FAR {
            // From here on nothing can be worth the way.
            if most / (small_number(drives) + 2) <= goals[GOALS.len() - 1].0 {
                break;
            }
            let level = mara.drives_on(seat, levels[drives - 1]).without(reached);
            if level.is_empty() {
                break;
            }
            reached = reached.or(level);
            levels[drives] = level;
            for place in level.iter() {
                let hope = match place.lodge() {
                    Some(lodge) => at_lodges[lodge],
                    None => place.tiles().map(|tile| at_tiles[tile]).sum(),
                };
                let rate = hope / (small_number(drives) + 2);
                if let Some(worst) = goals.iter().position(|(known, _)| rate > *known) {
                    goals[worst..].rotate_right(1);
                    goals[worst] = (rate, Some(place));
                }
            }
        }
        // A seat that forgets peeks only where it has just arrived. With a single action it peeks every other turn.
        let is_new = mara.notepads
            || mara.turn.actions_left.is_some()
            || (mara.actions_left() == 1 && (mara.turns_without_photo / u16::from(mara.seats())) % 2 == 1);
        let can_peek = is_new && !mara.turn.has_peeked_here && mara.check_peek(seat).is_ok();
        Plan { seat, here, hope_here: if can_peek { 40 * hope_at(here) } else { 0 }, goals, levels }
    }

    /// The drives with which a shortest way to a place begins.
    fn first_drives(&self, mara: &Mara, goal: Place) -> Places {
        let mut drives = self.levels.iter().position(|level| level.contains(goal)).unwrap_or(0);
        let mut places = Places::one(goal);
        while drives > 1 {
            drives -= 1;
            places = mara.drives_on(self.seat, places).and(self.levels[drives]);
        }
        places
    }

    fn promises(&self, mara: &Mara) -> Promises {
        let best = self.goals[0].0;
        let drives = std::array::from_fn(|n| {
            let (rate, goal) = self.goals[n];
            // A seat that forgets follows one plan, or it would go to and fro.
            let goal = goal.filter(|_| mara.notepads || rate * 3 >= best * 2);
            (GOALS[n], goal.map_or(Places::NONE, |goal| self.first_drives(mara, goal)))
        });
        let peek = match self.hope_here / 2 {
            0 => 0,
            rate if rate >= best => 900,
            rate => 60 + 500 * rate / best.max(1),
        };
        // A seat that forgets would not know whether it has peeked where its turn ended, so it stops before its goal.
        let is_at_the_goal = |place: Place| mara.hopes_beside(self.seat, place);
        let arrives = drives[0].1.iter().any(is_at_the_goal);
        let stops = !mara.notepads && mara.actions_left() == 1 && mara.turn.actions_left.is_some() && arrives;
        let waits = self.here.is_lodge() && mara.hope_at_lodge(self.seat, self.here.lodge().unwrap_or(0)) / 2 > best;
        let end = match mara.actions_left() {
            0 => 900,
            _ if stops || waits => 700,
            _ => 20,
        };
        Promises { peek, end, drives }
    }
}

impl Mara {
    /// The places where one more drive can end.
    fn drives_on(&self, seat: Seat, from: Places) -> Places {
        let jeeps = self.other_jeeps(seat);
        let near = from.iter().fold(Places::NONE, |near, place| near.or(place.neighbours()));
        let mut reach = near.flood(jeeps);
        for driver in self.drivers.values().filter(|driver| !driver.tracks.is_empty()) {
            reach = reach.or(near.flood(jeeps.or(driver.tracks)));
        }
        reach.without(jeeps)
    }

    /// The position on the tour where a seat that forgets looks for animals now.
    fn hand(&self, seat: Seat) -> u8 {
        let tiles = TOURISTS;
        let found: usize = self.drivers.values().map(|driver| usize::from(driver.photos.len())).sum();
        let turns = usize::from(self.turns_without_photo / u16::from(self.seats()));
        let speed = if self.variant == Variant::Family { 1 } else { 2 };
        let start = tiles / usize::from(self.seats()) * seat.index();
        small((start + 7 * found + speed * turns) % tiles)
    }

    /// The points that a photo of this animal would add to these.
    fn gain(&self, photos: Tourists, animal: Animal) -> u32 {
        if self.variant == Variant::Family {
            return 1;
        }
        let count = |animal: Animal| photos.and(Tourists::wanting(animal)).len();
        let has = count(animal);
        let others = Animal::ALL.into_iter().filter(|other| count(*other) > has).count();
        POINTS[others + 1] - POINTS[others]
    }

    /// How many tiles of each habitat lie face down and are unknown to a seat.
    fn unknown(&self, seat: Seat) -> [u32; Habitat::ALL.len()] {
        let mut unknown = [0; Habitat::ALL.len()];
        for tile in self.tiles.iter().filter(|tile| tile.photographer.is_none() && !tile.known_to.contains(seat)) {
            unknown[tile.habitat as usize] += 1;
        }
        unknown
    }

    /// For each tile the points, in 1/[`POINT`], that a peek can be expected to lead to.
    fn hopes(&self, seat: Seat) -> [u32; TOURISTS] {
        let driver = &self.drivers[seat];
        let mut wanted = driver.face_up.without(driver.photos);
        let mut hopes = [0; TOURISTS];
        for (n, tile) in self.tiles.iter().enumerate().filter(|(_, tile)| tile.known_to.contains(seat)) {
            let tourist = Tourist::new(tile.habitat, tile.animal);
            if wanted.contains(tourist) {
                wanted.remove(tourist);
                hopes[n] = POINT * self.gain(driver.photos, tile.animal);
            }
        }
        let mut of_habitat = [0; Habitat::ALL.len()];
        for tourist in wanted.iter() {
            of_habitat[tourist.habitat as usize] += POINT * self.gain(driver.photos, tourist.animal);
        }
        let unknown = self.unknown(seat);
        for (n, tile) in self.tiles.iter().enumerate() {
            let habitat = tile.habitat as usize;
            if of_habitat[habitat] > 0 && tile.photographer.is_none() && !tile.known_to.contains(seat) {
                hopes[n] = of_habitat[habitat] / unknown[habitat].max(1);
            }
        }
        hopes
    }

    fn hopes_beside(&self, seat: Seat, place: Place) -> bool {
        let hopes = self.hopes(seat);
        place.tiles().any(|tile| hopes[tile] > 0)
    }

    /// The worth of a tourist to look for: rare habitats are searched sooner, known animals at once.
    fn hope_of(&self, seat: Seat, tourist: Tourist) -> u32 {
        let driver = &self.drivers[seat];
        let is_known = |tile: &Tile| {
            (tile.habitat, tile.animal) == (tourist.habitat, tourist.animal) && tile.known_to.contains(seat)
        };
        let tiles = if self.tiles.iter().any(is_known) { 1 } else { self.unknown(seat)[tourist.habitat as usize] };
        POINT * self.gain(driver.photos.or(driver.face_up), tourist.animal) / (tiles + 2)
    }

    /// The tourists that a seat would pick up here, so that it looks for `at_once`.
    fn best_picks(&self, seat: Seat, lodge: usize, at_once: u8) -> (Tourists, u32) {
        let driver = &self.drivers[seat];
        let room = at_once.saturating_sub(driver.face_up.without(driver.photos).len());
        let mut pile = self.piles[lodge];
        let (mut picks, mut hope) = (Tourists::NONE, 0);
        for _ in 0..room.min(pile.len()) {
            let best = pile.iter().max_by_key(|tourist| self.hope_of(seat, *tourist));
            let best = best.expect("the pile is not empty");
            pile.remove(best);
            picks.insert(best);
            hope += self.hope_of(seat, best);
        }
        (picks, hope)
    }

    /// Brings home tourists with a photo, and picks up others until there are `at_once` to look for.
    fn best_meet(&self, seat: Seat, at_once: u8) -> Option<Move> {
        let driver = &self.drivers[seat];
        let drop = driver.face_up.and(driver.photos);
        let (pick, _) = self.best_picks(seat, self.jeep(seat).lodge()?, at_once);
        (!drop.is_empty() || !pick.is_empty()).then_some(Move::Meet { drop, pick })
    }

    /// The hope of driving to a lodge, by the same measure as that of a peek.
    fn hope_at_lodge(&self, seat: Seat, lodge: usize) -> u32 {
        if self.variant == Variant::Family {
            return 0;
        }
        let driver = &self.drivers[seat];
        let (_, hope) = self.best_picks(seat, lodge, AT_ONCE);
        hope * 16 + u32::from(driver.face_up.and(driver.photos).len()) * POINT * 3
    }

    /// A track that few others continue, if the next drive must take one up.
    fn track_to_take_up(&self, seat: Seat) -> Option<Place> {
        let tracks = self.drivers[seat].tracks;
        let continued = |track: &Place| track.neighbours().and(tracks).len();
        if self.must_take_up(seat) { tracks.iter().min_by_key(continued) } else { None }
    }

    /// The points that a seat can expect, in hundredths, from where its animals really are.
    fn outlook(&self, seat: Seat) -> i32 {
        let driver = &self.drivers[seat];
        let hundred = |points: u32| i32::try_from(points * 100).unwrap_or(i32::MAX);
        let mut photos = driver.photos;
        let mut outlook = hundred(self.points(seat));
        let Some(here) = driver.jeep else { return outlook };
        let wanted = driver.face_up.without(driver.photos);
        let steps_to = |steps: &[u8; board::PLACES]| i32::from(steps[usize::from(here.number())]);
        for (n, tile) in self.tiles.iter().enumerate().filter(|(_, tile)| tile.photographer.is_none()) {
            let tourist = Tourist::new(tile.habitat, tile.animal);
            if !wanted.contains(tourist) {
                continue;
            }
            let steps = steps_to(&tour::TO_TILE[n]);
            let is_mover = self.mover == seat;
            let likely = match steps {
                0 if is_mover && self.turn.has_peeked_here => 97,
                0 if is_mover && self.turn.actions_left.is_some() && self.actions_left() > 0 => 80,
                _ if tile.known_to.contains(seat) => 90 - 3 * steps,
                _ => (65 - 3 * steps).max(20),
            };
            outlook += hundred(self.gain(photos, tile.animal)) / 100 * likely;
            photos.insert(tourist);
        }
        if self.variant == Variant::Standard && wanted.len() < AT_ONCE {
            let at_lodge = |lodge: usize| {
                let best = self.piles[lodge].iter().map(|tourist| self.gain(photos, tourist.animal)).max();
                hundred(best.unwrap_or(0)) / 100 * (45 - 3 * steps_to(&tour::TO_LODGE[lodge]))
            };
            outlook += (0..LODGES).map(at_lodge).max().unwrap_or(0) * i32::from(AT_ONCE - wanted.len());
        }
        let baggage = driver.face_up.and(driver.photos).len();
        outlook - 12 * i32::from(baggage)
    }
}

fn small_number(drives: usize) -> u32 {
    u32::from(small(drives))
}
