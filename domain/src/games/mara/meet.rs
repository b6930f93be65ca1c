//! mara.3 to mara.6: meeting tourists.

use super::family;
use super::{AT_A_LODGE, End, Event, MEET, MOST_FACE_UP, Mara, Move, ONE_TASK, THREE_TOURISTS, Tourists, Variant};
use crate::{Chance, Continuations, Illegal, Seat, Sink};

impl Mara {
    /// Whether the mover may meet and there are tourists to drop off or pick up.
    pub(super) fn can_meet(&self, seat: Seat) -> bool {
        let can = self.variant == Variant::Standard && self.turn.actions_left.is_none() && self.jeep(seat).is_lodge();
        can && self.at_the_lodge(seat) != (Tourists::NONE, Tourists::NONE)
    }

    /// The seat's face-up tourists, and those of the lodge where its jeep is, if it is at one.
    pub(super) fn at_the_lodge(&self, seat: Seat) -> (Tourists, Tourists) {
        let pile = self.jeep(seat).lodge().map_or(Tourists::NONE, |lodge| self.piles[lodge]);
        (self.drivers[seat].face_up, pile)
    }

    pub(super) fn check_meet(&self, seat: Seat, drop: Tourists, pick: Tourists) -> Result<(), Illegal> {
        if self.variant == Variant::Family {
            return Err(Illegal::new(family::DEAL, "In the family variant no tourists wait at the lodges.").at(0));
        }
        if self.turn.actions_left.is_some() {
            return Err(Illegal::new(
                ONE_TASK,
                "You have begun to guide in this turn: you can meet tourists in a later one.",
            )
            .at(0));
        }
        if !self.jeep(seat).is_lodge() {
            return Err(Illegal::new(AT_A_LODGE, "Your jeep must be at a lodge to meet tourists.").at(0));
        }
        if drop.is_empty() && pick.is_empty() {
            return Err(Illegal::new(MEET, "Name at least one tourist to drop off or to pick up.").at(0));
        }
        let (face_up, pile) = self.at_the_lodge(seat);
        if let Some((n, tourist)) = drop.iter().enumerate().find(|(_, tourist)| !face_up.contains(*tourist)) {
            let text = format!("The {} is not one of your face-up tourists.", tourist.words());
            return Err(Illegal::new(MEET, text).at(Move::drop_token(n)));
        }
        if let Some((n, tourist)) = pick.iter().enumerate().find(|(_, tourist)| !pile.contains(*tourist)) {
            let text = format!("The {} is not at this lodge.", tourist.words());
            return Err(Illegal::new(MEET, text).at(Move::pick_token(drop.len(), n)));
        }
        if face_up.len() - drop.len() + pick.len() > MOST_FACE_UP {
            return Err(Illegal::new(THREE_TOURISTS, "You may have at most three face-up tourists after a meet.").at(0));
        }
        Ok(())
    }

    pub(super) fn meet(&mut self, seat: Seat, drop: Tourists, pick: Tourists, seen: &mut impl Sink<Event>) {
        let place = self.jeep(seat);
        let lodge = place.lodge().expect("a meet is at a lodge");
        let driver = &mut self.drivers[seat];
        let (brought_home, left) = (drop.and(driver.photos), drop.without(driver.photos));
        driver.face_up = driver.face_up.without(drop).or(pick);
        self.piles[lodge] = self.piles[lodge].without(pick).or(left);
        seen.see(|| Event::Met { seat, lodge: place, brought_home, left, picked_up: pick });
        if self.drivers[seat].face_up.is_empty() && self.piles.iter().all(|pile| pile.is_empty()) {
            self.finish(End::NoTourists, seen);
        } else {
            self.end_turn(seat, seen);
        }
    }

    pub(super) fn meets(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let can_meet = self.end.is_none() && seat == self.mover && !self.is_placing() && self.can_meet(seat);
        let (face_up, pile) = if can_meet { self.at_the_lodge(seat) } else { Default::default() };
        face_up.parts(MOST_FACE_UP).flat_map(move |drop| {
            let picks = pile.parts(MOST_FACE_UP - face_up.len() + drop.len());
            picks.filter(move |pick| !(drop.is_empty() && pick.is_empty())).map(move |pick| Move::Meet { drop, pick })
        })
    }

    /// The meets that begin with these tokens, token by token: `drop` and `pick` in this order, tourists sorted.
    pub(super) fn meets_that_follow(&self, seat: Seat, tokens: &[&str]) -> Continuations {
        let none = Continuations::default();
        if self.meets(seat).next().is_none() {
            return none;
        }
        let (face_up, pile) = self.at_the_lodge(seat);
        let (mut drop, mut pick) = (Tourists::NONE, Tourists::NONE);
        // The part being named, and the tourists that may be named next.
        let (mut dropping, mut picking, mut open) = (false, false, Tourists::NONE);
        for token in tokens {
            match *token {
                "drop" if !dropping && !picking => (dropping, open) = (true, face_up),
                "pick" if !picking && dropping != drop.is_empty() => (picking, open) = (true, pile),
                token => {
                    let Some(tourist) = token.parse().ok().filter(|tourist| open.contains(*tourist)) else {
                        return none;
                    };
                    open = open.after(tourist);
                    if picking { pick.insert(tourist) } else { drop.insert(tourist) }
                }
            }
        }
        let room = MOST_FACE_UP + drop.len() - face_up.len();
        if pick.len() > room || (picking && room == 0) {
            return none;
        }
        let mut next = Vec::new();
        if !picking && dropping != drop.is_empty() && room > 0 && !pile.is_empty() {
            next.push("pick".into());
        }
        if !dropping && !picking && !face_up.is_empty() {
            next.push("drop".into());
        }
        if !picking || pick.len() < room {
            next.extend(open.iter().map(|tourist| tourist.to_string()));
        }
        Continuations { next, is_move: if picking { !pick.is_empty() } else { !drop.is_empty() } }
    }

    pub(super) fn any_meet(&self, seat: Seat, chance: &mut Chance) -> Option<Move> {
        let (face_up, mut pile) = self.at_the_lodge(seat);
        let drop: Tourists = face_up.iter().filter(|_| chance.happens(1, 2)).collect();
        let room = MOST_FACE_UP - face_up.len() + drop.len();
        let mut pick = Tourists::NONE;
        for _ in 0..chance.below(u32::from(room.min(pile.len())) + 1) {
            let tourist = pile.nth(chance.below(pile.len().into()))?;
            pile.remove(tourist);
            pick.insert(tourist);
        }
        (!drop.is_empty() || !pick.is_empty()).then_some(Move::Meet { drop, pick })
    }
}
