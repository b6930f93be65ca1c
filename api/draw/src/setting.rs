//! The data of a drawing besides the view: all of it is public.

use domain::{Seat, Seats};

use crate::Theme;
use crate::words::one_line;

/// The letters of a name in the title of a piece.
const SHORT: usize = 16;

#[derive(Clone, Debug)]
pub struct Setting {
    /// The viewer's seat, drawn at the bottom. `None` for a spectator, who sees seat 0 there.
    pub seat: Option<Seat>,
    /// The players' names by seat. A seat without a name is called by its number.
    pub names: Vec<Option<String>>,
    /// Empty when the game is over.
    pub to_act: Seats,
    /// Empty while the game goes on, and for a draw.
    pub winners: Seats,
    pub theme: Theme,
    /// In pixels. Narrow pictures have one column, wide pictures two.
    pub width: u32,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            seat: None,
            names: Vec::new(),
            to_act: Seats::NONE,
            winners: Seats::NONE,
            theme: Theme::Light,
            width: Setting::DEFAULT_WIDTH,
        }
    }
}

impl Setting {
    pub const LEAST_WIDTH: u32 = 240;
    pub const MOST_WIDTH: u32 = 4096;
    pub const DEFAULT_WIDTH: u32 = 960;
    /// From this width on a picture has two columns.
    const WIDE: u32 = 720;

    pub(crate) fn width(&self) -> u32 {
        self.width.clamp(Setting::LEAST_WIDTH, Setting::MOST_WIDTH)
    }

    pub(crate) fn is_wide(&self) -> bool {
        self.width() >= Setting::WIDE
    }

    /// The seat drawn at the bottom of a table with this many seats.
    pub(crate) fn bottom(&self, seats: u8) -> Seat {
        self.seat.filter(|seat| seat.number() < seats).unwrap_or(Seat::new(0))
    }

    /// The other seats, clockwise from the left of the one at the bottom.
    pub(crate) fn others(&self, seats: u8) -> Vec<Seat> {
        let mut seat = self.bottom(seats);
        let next = || {
            seat = seat.left(seats);
            seat
        };
        std::iter::repeat_with(next).take(usize::from(seats.saturating_sub(1))).collect()
    }

    /// The player's name, or 'Seat 2'. Control characters, which could disturb a line of text, become spaces.
    pub(crate) fn name(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).and_then(Option::as_deref).map(one_line);
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Seat {seat}"))
    }

    /// The start of the player's name, for titles that many pieces have.
    pub(crate) fn short_name(&self, seat: Seat) -> String {
        let name = self.name(seat);
        if name.chars().count() <= SHORT { name } else { name.chars().take(SHORT - 1).chain(['…']).collect() }
    }

    /// The seat with its player's name, for text: 'seat 2 (Ana)'.
    pub(crate) fn called(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).and_then(Option::as_deref).map(one_line);
        let you = if self.seat == Some(seat) { ", you" } else { "" };
        match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("seat {seat} ({name}{you})"),
            None if you.is_empty() => format!("seat {seat}"),
            None => format!("seat {seat} (you)"),
        }
    }

    /// Several seats: 'seat 0 (Ana) and seat 2'.
    pub(crate) fn all_called(&self, seats: Seats) -> String {
        crate::words::and(seats.iter().map(|seat| self.called(seat)))
    }

    /// The players who are to act, or that the game is over.
    pub(crate) fn status(&self) -> String {
        let names = |seats: Seats| crate::words::and(seats.iter().map(|seat| self.name(seat)));
        match (self.to_act.is_empty(), self.winners.len()) {
            (false, _) => format!("{} to act", names(self.to_act)),
            (true, 0) => "Game over".into(),
            (true, 1) => format!("{} won", names(self.winners)),
            (true, _) => format!("{} shared the win", names(self.winners)),
        }
    }

    /// The lines of text that every kind has.
    pub(crate) fn status_line(&self) -> String {
        match (self.to_act.is_empty(), self.winners.is_empty()) {
            (false, _) => format!("To act: {}.", self.all_called(self.to_act)),
            (true, true) => "The game is over.".into(),
            (true, false) => format!("The game is over. Won by {}.", self.all_called(self.winners)),
        }
    }
}
