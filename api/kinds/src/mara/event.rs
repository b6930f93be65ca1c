//! The events of The Mara on the wire.

use domain::games::mara;

use super::{MaraEnd, cell, place};
use crate::{events, int, names};

events! {
    mara::Event;

    /// A jeep was put at its first lodge.
    Placed { seat, lodge } => MaraPlaced {
        /// The seat whose jeep it is.
        seat: Some(seat),
        /// The place of the lodge.
        lodge: i32 = place(lodge),
    }

    /// Tourists got off and on at a lodge.
    Met { seat, lodge, brought_home, left, picked_up } => MaraMet {
        /// The seat that met them.
        seat: Some(seat),
        /// The place of the lodge.
        lodge: i32 = place(lodge),
        /// The tourists who got off with their photo. The player keeps them, face down.
        brought_home: Vec<String> = names(brought_home.iter()),
        /// The tourists who got off without a photo. They now wait at this lodge.
        left_behind: Vec<String> = names(left.iter()),
        /// The tourists who got on.
        picked_up: Vec<String> = names(picked_up.iter()),
    }

    /// A jeep moved.
    Drove { seat, from, to, track_laid, taken_up } => MaraDrove {
        /// The seat whose jeep it is.
        seat: Some(seat),
        /// The place that it left.
        from: i32 = place(from),
        /// The place that it reached.
        to: i32 = place(to),
        /// Whether a track was laid on the path that it left.
        track_laid: bool = track_laid,
        /// The path from which that track was taken up, if the player had none left.
        taken_up: Option<i32> = taken_up.map(place),
    }

    /// A player looked at face-down tiles. Only its own view shows them, until its turn ends.
    Peeked { seat, path, tiles } => MaraPeeked {
        /// The seat that peeked.
        seat: Some(seat),
        /// The path where its jeep stands.
        path: i32 = place(path),
        /// The tiles, by cell.
        tiles: Vec<i32> = tiles.into_iter().map(cell).collect(),
    }

    /// A tile was turned face up permanently.
    Photographed { seat, tile, tourist } => MaraPhotographed {
        /// The seat that took the photo.
        seat: Some(seat),
        /// The tile, by cell.
        tile: i32 = cell(tile),
        /// The tourist who got the photo; it names what the tile shows.
        tourist: String = tourist.to_string(),
    }

    /// A player drew from the deck. The cards are secret.
    Drew { seat, cards } => MaraDrew {
        /// The seat that drew.
        seat: Some(seat),
        /// The number of cards: two to choose from, or the last one.
        cards_drawn: i32 = cards.into(),
    }

    /// A player kept one of the tourists that it had drawn.
    Kept { seat, tourist } => MaraKept {
        /// The seat that keeps it.
        seat: Some(seat),
        /// The tourist.
        tourist: String = tourist.to_string(),
    }

    /// A turn ended.
    TurnEnded { seat } => MaraTurnEnded {
        /// The seat whose turn it was.
        seat: Some(seat),
    }

    /// The game of The Mara is over.
    Ended { end, points } => MaraEnded {
        /// Null: the event concerns everyone.
        seat: None,
        /// Why it is over.
        mara_end: MaraEnd = end.into(),
        /// For each seat its points.
        points: Vec<i32> = points.into_vec().into_iter().map(int).collect(),
    }
}
