//! mara.8 and mara.9: drives and tracks.

use super::family;
use super::{DRIVE, Event, LAY_A_TRACK, Mara, Place, Places, Variant};
use crate::{Illegal, Seat, Sink};

impl Mara {
    pub(super) fn other_jeeps(&self, seat: Seat) -> Places {
        self.drivers.iter().filter(|(other, _)| *other != seat).filter_map(|(_, driver)| driver.jeep).collect()
    }

    /// The places where one drive can end.
    pub(super) fn reach(&self, seat: Seat) -> Places {
        let from = self.jeep(seat);
        let jeeps = self.other_jeeps(seat);
        let mut reach = from.neighbours().flood(jeeps);
        for driver in self.drivers.values().filter(|driver| !driver.tracks.is_empty()) {
            reach = reach.or(from.neighbours().flood(jeeps.or(driver.tracks)));
        }
        reach.without(jeeps).without(Places::one(from))
    }

    /// Whether a drive leaves a path without a track while the seat has no track to lay.
    pub(super) fn must_take_up(&self, seat: Seat) -> bool {
        self.lays_track(seat) && self.tracks_left(seat) == 0
    }

    pub(super) fn lays_track(&self, seat: Seat) -> bool {
        let from = self.jeep(seat);
        let is_bare = || !self.drivers.values().any(|driver| driver.tracks.contains(from));
        self.variant == Variant::Standard && !from.is_lodge() && is_bare()
    }

    pub(super) fn check_drive(&self, seat: Seat, to: Place, take: Option<Place>) -> Result<(), Illegal> {
        self.check_actions()?;
        let from = self.jeep(seat);
        let jeeps = self.other_jeeps(seat);
        if to == from {
            return Err(Illegal::new(DRIVE, "A drive cannot end where it began.").at(1));
        }
        if let Some((other, _)) = self.drivers.iter().find(|(_, driver)| driver.jeep == Some(to)) {
            let text = format!("Seat {other}'s jeep is at {to}; you can only drive past it.");
            return Err(Illegal::new(DRIVE, text).at(1));
        }
        if !from.neighbours().contains(to) && !self.reach(seat).contains(to) {
            let tracks = self.drivers.values().fold(Places::NONE, |all, driver| all.or(driver.tracks));
            let text = if from.neighbours().flood(jeeps.or(tracks)).contains(to) {
                format!(
                    "{to} can be reached only over tracks of different colours, but one drive skips tracks of one colour."
                )
            } else if self.variant == Variant::Family {
                format!("{to} is not next to {from}, and no run of jeeps leads there.")
            } else {
                format!("{to} is not next to {from}, and no run of tracks or jeeps leads there.")
            };
            return Err(Illegal::new(DRIVE, text).at(1));
        }
        match take {
            Some(_) if self.variant == Variant::Family => {
                Err(Illegal::new(family::DEAL, "There are no tracks in the family variant.").at(2))
            }
            Some(_) if !self.must_take_up(seat) => {
                let text = if self.lays_track(seat) {
                    "You have tracks left: take none up."
                } else {
                    "This drive lays no track: take none up."
                };
                Err(Illegal::new(LAY_A_TRACK, text).at(2))
            }
            Some(track) if !self.drivers[seat].tracks.contains(track) => {
                Err(Illegal::new(LAY_A_TRACK, format!("You have no track on {track}.")).at(3))
            }
            None if self.must_take_up(seat) => {
                let text = format!("You have no track left to lay on {from}: name one of your tracks to take up.");
                Err(Illegal::new(LAY_A_TRACK, text))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn drive(&mut self, seat: Seat, to: Place, take: Option<Place>, seen: &mut impl Sink<Event>) {
        let from = self.jeep(seat);
        let track_laid = self.lays_track(seat);
        self.use_action();
        self.turn.has_peeked_here = false;
        let driver = &mut self.drivers[seat];
        if let Some(track) = take {
            driver.tracks.remove(track);
        }
        if track_laid {
            driver.tracks.insert(from);
        }
        driver.jeep = Some(to);
        seen.see(|| Event::Drove { seat, from, to, track_laid, taken_up: take });
        if self.actions_left() == 0 {
            self.end_turn(seat, seen);
        }
    }
}
