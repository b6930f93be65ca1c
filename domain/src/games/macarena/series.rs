//! A series: the cards played on a well's top, step by step, and the list of all series in a hand.

use std::fmt;

use super::cards::{Card, Cards, Elements, Faces};
use super::rulebook::{BARRED, LADDER, MACA, MIRROR, MIRROR_TURN, SAME_NUMBER, SERIES, TURN};
use super::wells::{WELLS, Wells};
use super::{Macarena, Move};
use crate::small::small;
use crate::{Illegal, Seat};

/// The state of a series after some of its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    last: Card,
    run: Run,
}

/// The kind of the current run of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// Nothing is laid yet.
    Start,
    Up,
    Down,
    /// The same number, in these elements so far.
    Same(Elements),
    /// The last step was a mirror.
    Mirror,
}

/// Why a card cannot come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// mac.5: it is no step at all.
    NoStep,
    /// mac.6: the ladder turns round.
    TurnsRound,
    /// mac.7: the run has that element already.
    SameElement,
    /// mac.9: the series ended with the mirror before.
    AfterMirror,
}

impl Walk {
    /// The beginning of a series on a well with this top.
    pub fn from(top: Card) -> Walk {
        Walk { last: top, run: Run::Start }
    }

    pub fn last(self) -> Card {
        self.last
    }

    pub fn is_mirror(self) -> bool {
        self.run == Run::Mirror
    }

    /// mac.5, mac.6, mac.7, mac.9: lays one more card.
    pub fn step(self, card: Card) -> Result<Walk, Fault> {
        let run = if self.run == Run::Mirror {
            return Err(Fault::AfterMirror);
        } else if card == self.last {
            Run::Mirror
        } else if card == self.last.up() {
            if self.run == Run::Down {
                return Err(Fault::TurnsRound);
            }
            Run::Up
        } else if card == self.last.down() {
            if self.run == Run::Up {
                return Err(Fault::TurnsRound);
            }
            Run::Down
        } else if card.rank() == self.last.rank() {
            let used = self.used();
            if used.contains(card.element()) {
                return Err(Fault::SameElement);
            }
            Run::Same(used.with(card.element()))
        } else {
            return Err(Fault::NoStep);
        };
        Ok(Walk { last: card, run })
    }

    /// The cards of a hand that may come next: those for which [`Walk::step`] finds no fault.
    pub fn next(self, hand: Cards) -> Faces {
        let ladder = match self.run {
            Run::Mirror => return Faces::NONE,
            Run::Up => Faces::one(self.last.up()),
            Run::Down => Faces::one(self.last.down()),
            Run::Start | Run::Same(_) => Faces::one(self.last.up()).or(Faces::one(self.last.down())),
        };
        let same = Faces::of_rank(self.last).without(Faces::of_elements(self.used()));
        ladder.or(same).or(Faces::one(self.last)).and(hand.faces())
    }

    /// mac.7: the elements of the run of same numbers that this card belongs to, or begins.
    fn used(self) -> Elements {
        match self.run {
            Run::Same(used) => used,
            _ => Elements::one(self.last.element()),
        }
    }
}

impl Macarena {
    /// mac.4 to mac.10, in this order; but a card that is not in hand before any step.
    pub(super) fn check_series(
        &self,
        seat: Seat,
        mirror: bool,
        well: u8,
        cards: &[Card],
        from: Option<u8>,
    ) -> Result<(), Illegal> {
        let Some(top) = self.wells.get(well as usize).map(|well| well.top) else {
            let rule = if mirror { MIRROR_TURN } else { TURN };
            return Err(Illegal::new(rule, format!("The wells are 0 to {}.", WELLS - 1)).at(0));
        };
        if self.is_barred(seat, mirror, well as usize) {
            let text = format!("Well {well} is guarded by macas, none of them yours.");
            return Err(Illegal::new(BARRED, text).at(0));
        }
        let mut hand = self.hands[seat];
        if let Some(i) = cards.iter().position(|card| !hand.take(*card)) {
            let text = match self.hands[seat].count(cards[i]) {
                0 => format!("You do not have {} in hand.", cards[i]),
                1 => format!("You have {} in hand only once.", cards[i]),
                _ => format!("You have {} in hand only twice.", cards[i]),
            };
            return Err(Illegal::new(SERIES, text).at(i + 1));
        }
        let mut walk = Walk::from(top);
        for (i, card) in cards.iter().enumerate() {
            let before = walk.last();
            let fault = |rule, text| Illegal::new(rule, text).at(i + 1);
            walk = walk.step(*card).map_err(|wrong| match wrong {
                Fault::NoStep => {
                    fault(SERIES, format!("{card} is neither next to {before} in rank nor the same number."))
                }
                Fault::TurnsRound => {
                    fault(LADDER, format!("{card} changes the direction of the ladder; that is possible only after a step to the same number."))
                }
                Fault::SameElement => {
                    let element = card.element();
                    fault(SAME_NUMBER, format!("{card} is the second {element} card in this run of the same number."))
                }
                Fault::AfterMirror => fault(MIRROR, format!("{before} is a mirror: no card may follow it.")),
            })?;
            if walk.is_mirror() && i + 1 < cards.len() {
                return Err(fault(MIRROR, format!("{card} on {before} is a mirror: it must be the last card.")));
            }
        }
        if cards.is_empty() {
            return Err(Illegal::new(SERIES, "A series needs at least one card from your hand.").at(0));
        }
        self.check_source(seat, well, walk.is_mirror(), cards.len(), from)
    }

    /// mac.10.
    fn check_source(
        &self,
        seat: Seat,
        well: u8,
        is_mirror: bool,
        cards: usize,
        from: Option<u8>,
    ) -> Result<(), Illegal> {
        let sources = if is_mirror { self.sources(seat, well) } else { Wells::NONE };
        match from {
            None if sources.is_empty() => Ok(()),
            Some(from) if sources.contains(from) => Ok(()),
            None => Err(Illegal::new(
                MACA,
                "All your macas are at wells: name the well from which one moves to this mirror.",
            )
            .at(cards)),
            Some(_) if !is_mirror => {
                Err(Illegal::new(MACA, "No maca moves: this series does not end in a mirror.").at(cards + 1))
            }
            Some(_) if sources.is_empty() => {
                Err(Illegal::new(MACA, "You still have a maca at home: name no well.").at(cards + 1))
            }
            Some(from) if from == well => {
                Err(Illegal::new(MACA, "The maca must come from another well, unless all seven are here.")
                    .at(cards + 1))
            }
            Some(from) => Err(Illegal::new(MACA, format!("You have no maca at well {from}.")).at(cards + 1)),
        }
    }
}

/// Every series that a hand can lay, shortest first, and those of one length well by well.
///
/// Each length is searched again from the wells, so that only one branch is in memory. Every card laid on the way ends a
/// shorter series that was already listed, so the search for the next length costs no more than the list so far.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The cards of the hand that are not in the branch.
    hand: Cards,
    /// The wells' tops; `None` where the hand has no series of this length.
    tops: [Option<Card>; WELLS],
    /// For a mirror at each well, the wells that a maca can come from. Empty if a maca is at home.
    sources: [Wells; WELLS],
    length: usize,
    well: usize,
    /// Whether this well has a series of this length.
    found: bool,
    /// The well's top and the cards laid on it, each with the cards still to be tried after it.
    branch: Vec<(Walk, Faces)>,
    /// A mirror that is listed once for each source, with the sources left.
    mirror: Option<(Card, Wells)>,
}

impl Listing {
    /// `tops` are the tops of the wells on which may be played.
    pub fn new(hand: Cards, tops: [Option<Card>; WELLS], sources: [Wells; WELLS]) -> Listing {
        let mut listing =
            Listing { hand, tops, sources, length: 1, well: 0, found: false, branch: Vec::new(), mirror: None };
        listing.enter();
        listing
    }

    fn enter(&mut self) {
        self.found = false;
        if let Some(top) = self.tops[self.well] {
            let walk = Walk::from(top);
            self.branch.push((walk, walk.next(self.hand)));
        }
    }

    /// On to the next well, or to the first one and series that are longer by one. False when there are no more.
    fn go_on(&mut self) -> bool {
        if !self.found {
            self.tops[self.well] = None;
        }
        self.well += 1;
        if self.well == WELLS {
            if self.tops.iter().all(Option::is_none) {
                self.well = WELLS - 1;
                return false;
            }
            self.well = 0;
            self.length += 1;
        }
        self.enter();
        true
    }

    fn listed(&self, last: Card, from: Option<u8>) -> Move {
        let mut cards = Vec::with_capacity(self.length);
        cards.extend(self.branch[1..].iter().map(|(walk, _)| walk.last()));
        cards.push(last);
        Move::Play { well: small(self.well), cards, from }
    }
}

impl Iterator for Listing {
    type Item = Move;
    fn next(&mut self) -> Option<Move> {
        loop {
            if let Some((card, mut sources)) = self.mirror.take()
                && let Some(from) = sources.next()
            {
                self.mirror = Some((card, sources));
                return Some(self.listed(card, Some(from)));
            }
            let laid = self.branch.len();
            let Some((walk, untried)) = self.branch.last_mut() else {
                if self.go_on() {
                    continue;
                }
                return None;
            };
            let Some(card) = untried.next() else {
                // The branch's root is the well's own card, which goes back to no hand.
                if let Some((walk, _)) = self.branch.pop().filter(|_| laid > 1) {
                    self.hand.put(walk.last());
                }
                continue;
            };
            let is_mirror = card == walk.last();
            if laid == self.length {
                self.found = true;
                if is_mirror && !self.sources[self.well].is_empty() {
                    self.mirror = Some((card, self.sources[self.well]));
                    continue;
                }
                return Some(self.listed(card, None));
            }
            if is_mirror {
                continue;
            }
            if let Ok(walk) = walk.step(card) {
                self.hand.take(card);
                self.branch.push((walk, walk.next(self.hand)));
            }
        }
    }
}

/// Cards as a series shows them: `5E 6E 7E`.
pub struct Laid<'a>(pub &'a [Card]);

impl fmt::Display for Laid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.0.iter().enumerate() {
            write!(f, "{}{card}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
