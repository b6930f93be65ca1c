//! The table as one viewer may know it.

use serde::Serialize;

use super::board::{Cell, Place, Places};
use super::score::Score;
use super::tourists::{Animal, Habitat, Tourist, Tourists};
use super::{End, Mara, Variant};
use crate::small::small;
use crate::{BySeat, Seat, Seats, Viewer};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub variant: Variant,
    pub notepads: bool,
    /// In the order of their cells.
    pub tiles: Vec<TileView>,
    /// In the order of their places. Their piles are empty in the family variant.
    pub lodges: Vec<LodgeView>,
    pub drivers: BySeat<DriverView>,
    /// How many cards the deck has. 0 in the standard game.
    pub deck_size: u8,
    /// Those cards of the deck that the viewer has seen and may still know, from the top down.
    pub deck: Vec<DeckView>,
    /// The seat that has drawn cards and must choose, if any.
    pub choice: Option<ChoiceView>,
    /// The seat whose turn it is. None when the game is over.
    pub mover: Option<Seat>,
    /// Whether jeeps are still being placed.
    pub is_placing: bool,
    /// Whether the mover has begun to guide: it cannot meet any more in this turn.
    pub is_guiding: bool,
    /// The guide actions that the mover has left in this turn; before it guides, as many as it would have.
    pub actions_left: u8,
    /// The tiles that the mover has peeked at in this turn since its jeep last moved, and that lie face down still.
    pub peeked: Vec<Cell>,
    /// How many turns in a row have passed without a new photo, and how many end the game.
    pub turns_without_photo: u16,
    pub most_turns_without_photo: u16,
    pub end: Option<End>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TileView {
    pub cell: Cell,
    pub habitat: Habitat,
    /// None where the viewer does not know it.
    pub animal: Option<Animal>,
    /// The seat that photographed it. The tile is face up then.
    pub photographer: Option<Seat>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LodgeView {
    pub place: Place,
    pub tourists: Tourists,
}

/// The pieces of a seat. All of it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DriverView {
    /// None before it is placed.
    pub jeep: Option<Place>,
    /// The paths on which the seat's tracks lie.
    pub tracks: Places,
    pub tracks_left: u8,
    /// Tourists on the jeep.
    pub face_up: Vec<TouristView>,
    /// Tourists brought home; each has its photo.
    pub face_down: Tourists,
    /// As if the game were over now.
    pub score: Score,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TouristView {
    pub tourist: Tourist,
    pub has_photo: bool,
}

/// A card of the deck that the viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeckView {
    /// How many cards lie on top of it.
    pub depth: u8,
    pub tourist: Tourist,
}

/// A pair that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChoiceView {
    pub seat: Seat,
    /// The cards of the pair that the viewer knows: both for the seat that chooses; for other seats only a card that they
    /// put under the deck themselves and have noted.
    pub tourists: Vec<Tourist>,
}

impl Mara {
    pub(super) fn seen_by(&self, viewer: Viewer) -> View {
        let may_know = |known: Seats| viewer.is_open() || known.iter().any(|seat| viewer.sees(seat));
        View {
            variant: self.variant,
            notepads: self.notepads,
            tiles: (self.tiles.iter().enumerate())
                .map(|(n, tile)| TileView {
                    cell: Cell::of_tile(n),
                    habitat: tile.habitat,
                    animal: (tile.photographer.is_some() || may_know(tile.known_to)).then_some(tile.animal),
                    photographer: tile.photographer,
                })
                .collect(),
            lodges: (super::board::ALL_LODGES.iter().zip(&self.piles))
                .map(|(place, pile)| LodgeView { place, tourists: *pile })
                .collect(),
            drivers: BySeat::each(self.seats(), |seat| {
                let driver = &self.drivers[seat];
                let face_up = driver.face_up.iter();
                DriverView {
                    jeep: driver.jeep,
                    tracks: driver.tracks,
                    tracks_left: self.tracks_left(seat),
                    face_up: face_up
                        .map(|tourist| TouristView { tourist, has_photo: driver.photos.contains(tourist) })
                        .collect(),
                    face_down: driver.photos.without(driver.face_up),
                    score: self.score(seat),
                }
            }),
            deck_size: small(self.deck.len()),
            deck: (0..)
                .zip(&self.deck)
                .filter(|(_, card)| may_know(card.known_to))
                .map(|(depth, card)| DeckView { depth, tourist: card.tourist })
                .collect(),
            choice: self.drawn.as_ref().map(|pair| ChoiceView {
                seat: self.mover,
                tourists: pair.iter().filter(|card| may_know(card.known_to)).map(|card| card.tourist).collect(),
            }),
            mover: self.end.is_none().then_some(self.mover),
            is_placing: self.is_placing(),
            is_guiding: self.turn.actions_left.is_some(),
            actions_left: if self.is_placing() || self.end.is_some() { 0 } else { self.actions_left() },
            peeked: self.peeked_tiles().map(Cell::of_tile).collect(),
            turns_without_photo: self.turns_without_photo,
            most_turns_without_photo: self.most_turns_without_photo(),
            end: self.end,
        }
    }
}
