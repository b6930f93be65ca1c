//! mara.10 and mara.11: peeks and photos.

use super::{Cell, End, Event, Mara, PEEK, PHOTO, Place, Tile, Tourist, Variant};
use crate::{Illegal, Seat, Sink};

impl Mara {
    pub(super) fn check_peek(&self, seat: Seat) -> Result<(), Illegal> {
        self.check_actions()?;
        let place = self.jeep(seat);
        if place.is_lodge() {
            return Err(Illegal::new(PEEK, "You cannot peek from a lodge: drive to a path first.").at(0));
        }
        if place.tiles().all(|tile| self.tiles[tile].photographer.is_some()) {
            return Err(Illegal::new(PEEK, "No tile beside your jeep is face down.").at(0));
        }
        if self.variant == Variant::Family {
            return self.check_second_peek();
        }
        Ok(())
    }

    pub(super) fn peek(&mut self, seat: Seat, seen: &mut impl Sink<Event>) {
        self.use_action();
        self.turn.has_peeked = true;
        self.turn.has_peeked_here = true;
        let path = self.jeep(seat);
        for tile in path.tiles() {
            let tile = &mut self.tiles[tile];
            if tile.photographer.is_none() {
                tile.known_to.insert(seat);
            }
        }
        seen.see(|| Event::Peeked { seat, path, tiles: self.peeked_tiles().map(Cell::of_tile).collect() });
    }

    /// The face-down tiles that the mover has peeked at since its jeep last moved.
    pub(super) fn peeked_tiles(&self) -> impl Iterator<Item = usize> + '_ {
        let here = self.drivers[self.mover].jeep.filter(|_| self.turn.has_peeked_here);
        let tiles = here.into_iter().flat_map(Place::tiles);
        tiles.filter(|tile| self.tiles[*tile].photographer.is_none())
    }

    /// Whether a face-up tourist of the seat without a photo wants this tile.
    pub(super) fn is_wanted(&self, seat: Seat, tile: usize) -> bool {
        let driver = &self.drivers[seat];
        let Tile { habitat, animal, .. } = self.tiles[tile];
        driver.face_up.without(driver.photos).contains(Tourist { habitat, animal })
    }

    pub(super) fn photos(&self, seat: Seat) -> impl Iterator<Item = Cell> + '_ {
        self.peeked_tiles().filter(move |tile| self.is_wanted(seat, *tile)).map(Cell::of_tile)
    }

    pub(super) fn check_photo(&self, seat: Seat, cell: Cell) -> Result<(), Illegal> {
        let refused = |text| Err(Illegal::new(PHOTO, text).at(1));
        let Some(tile) = cell.tile() else {
            return refused(format!("There is no tile at {cell}."));
        };
        if self.tiles[tile].photographer.is_some() {
            return refused(format!("The tile at {cell} has already been photographed."));
        }
        // The next refusal would reveal the tile's animal, so only a seat that has peeked at it may get it.
        if !self.peeked_tiles().any(|peeked| peeked == tile) {
            return refused(format!("Peek at {cell} first: you have not done so since your jeep last moved."));
        }
        if !self.is_wanted(seat, tile) {
            return refused(format!("None of your face-up tourists without a photo wants to see the tile at {cell}."));
        }
        Ok(())
    }

    pub(super) fn photograph(&mut self, seat: Seat, cell: Cell, seen: &mut impl Sink<Event>) {
        let tile = &mut self.tiles[cell.tile().expect("a tile was photographed")];
        tile.photographer = Some(seat);
        let tourist = Tourist { habitat: tile.habitat, animal: tile.animal };
        self.drivers[seat].photos.insert(tourist);
        self.turn.has_photo = true;
        seen.see(|| Event::Photographed { seat, tile: cell, tourist });
        match self.variant {
            Variant::Standard if self.tiles.iter().all(|tile| tile.photographer.is_some()) => {
                self.finish(End::AllPhotographed, seen);
            }
            Variant::Standard => {}
            Variant::Family => self.draw(seat, tourist, seen),
        }
    }
}
