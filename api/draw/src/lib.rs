//! Every position as a picture (SVG) and as plain text, so that a client needs no drawing code.
//!
//! A drawing is a pure function of a view and a [`Setting`]. Neither contains a secret that the viewer may not know, so a
//! drawing cannot leak one. The same view and setting always give the same bytes.
//!
//! In a picture, everything that the notation of a move can name has `data-token`, the token of the notation, and
//! `data-type`, the type of that token as in the continuations of a move. A piece of one seat has `data-seat`. The id of
//! an element is its place and its index there (`hand-0-3`, `well-4`), so a client can animate from one picture to the next.

mod icon;
mod kalah;
mod macarena;
mod mahabharata;
mod mahola;
mod mara;
mod seat;
mod setting;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;
mod theme;
mod words;

use domain::{AnyOptions, AnyView};

pub use setting::Setting;
pub use theme::Theme;

/// The position as an SVG document.
pub fn picture(view: &AnyView, setting: &Setting) -> String {
    match view {
        AnyView::Kalah(view) => kalah::picture(view, setting),
        AnyView::Mahabharata(view) => mahabharata::picture(view, setting),
        AnyView::Mahola(view) => mahola::picture(view, setting),
        AnyView::Macarena(view) => macarena::picture(view, setting),
        AnyView::Mara(view) => mara::picture(view, setting),
    }
}

/// The position as plain text, in the words of the rules: for terminals, screen readers and language models.
pub fn text(view: &AnyView, setting: &Setting) -> String {
    match view {
        AnyView::Kalah(view) => kalah::text(view, setting),
        AnyView::Mahabharata(view) => mahabharata::text(view, setting),
        AnyView::Mahola(view) => mahola::text(view, setting),
        AnyView::Macarena(view) => macarena::text(view, setting),
        AnyView::Mara(view) => mara::text(view, setting),
    }
}

/// The components of a game with these options by themselves: its cards, dice or board, with a legend of their signs.
pub fn components(options: &AnyOptions, theme: Theme, width: u32) -> String {
    let setting = Setting { theme, width, ..Setting::default() };
    match options {
        AnyOptions::Kalah(_) => kalah::components(&setting),
        AnyOptions::Mahabharata(options) => mahabharata::components(&options.tables(), &setting),
        AnyOptions::Mahola(options) => mahola::components(&options.tables(), &setting),
        AnyOptions::Macarena(_) => macarena::components(&setting),
        AnyOptions::Mara(_) => mara::components(&setting),
    }
}
