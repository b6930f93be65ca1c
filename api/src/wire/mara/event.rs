//! What everybody sees happen in The Mara.

use async_graphql::SimpleObject;
use domain::games::mara;
use serde::Serialize;
use utoipa::ToSchema;

use super::{MaraEnd, cell, place};
use crate::wire::{Event, names, seat};

/// A jeep was put at its first lodge.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraPlaced {
    /// The seat whose jeep it is.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The place of the lodge.
    pub lodge: i32,
}

/// Tourists got off and on at a lodge.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraMet {
    /// The seat that met them.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The place of the lodge.
    pub lodge: i32,
    /// Those who got off with their photo; the player keeps them, face down.
    pub brought_home: Vec<String>,
    /// Those who got off without a photo; they wait at this lodge now.
    pub left_behind: Vec<String>,
    /// Those who got on.
    pub picked_up: Vec<String>,
}

/// A jeep moved.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraDrove {
    /// The seat whose jeep it is.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The place that it left.
    pub from: i32,
    /// The place where it stands now.
    pub to: i32,
    /// Whether a track was laid on the path that it left.
    pub track_laid: bool,
    /// The path where that track was taken up, if the player had none left.
    pub taken_up: Option<i32>,
}

/// A player looked at face-down tiles. What it saw is in its own view alone, until its turn ends.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraPeeked {
    /// The seat that peeked.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The path where its jeep stands.
    pub path: i32,
    /// The tiles, by cell.
    pub tiles: Vec<i32>,
}

/// A tile was turned face up for good.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraPhotographed {
    /// The seat that took the photo.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The tile, by cell.
    pub tile: i32,
    /// The tourist who has this photo now, and so what the tile shows.
    pub tourist: String,
}

/// A player drew from the deck. What it drew is its own secret.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraDrew {
    /// The seat that drew.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// How many cards: two to choose from, or the last one.
    pub cards_drawn: i32,
}

/// A player kept a tourist whom it had drawn.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraKept {
    /// The seat that keeps it.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// Who it is.
    pub tourist: String,
}

/// A turn ended.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraTurnEnded {
    /// The seat whose turn it was.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// The game of The Mara is over.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraEnded {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// Why it is over.
    pub mara_end: MaraEnd,
    /// For each seat its points.
    pub points: Vec<i32>,
}

impl Event {
    pub(in crate::wire) fn of_mara(event: mara::Event) -> Event {
        let text = event.to_string();
        match event {
            mara::Event::Placed { seat: by, lodge } => {
                Event::MaraPlaced(MaraPlaced { seat: Some(seat(by)), text, lodge: place(lodge) })
            }
            mara::Event::Met { seat: by, lodge, brought_home, left, picked_up } => Event::MaraMet(MaraMet {
                seat: Some(seat(by)),
                text,
                lodge: place(lodge),
                brought_home: names(brought_home.iter()),
                left_behind: names(left.iter()),
                picked_up: names(picked_up.iter()),
            }),
            mara::Event::Drove { seat: by, from, to, track_laid, taken_up } => Event::MaraDrove(MaraDrove {
                seat: Some(seat(by)),
                text,
                from: place(from),
                to: place(to),
                track_laid,
                taken_up: taken_up.map(place),
            }),
            mara::Event::Peeked { seat: by, path, tiles } => Event::MaraPeeked(MaraPeeked {
                seat: Some(seat(by)),
                text,
                path: place(path),
                tiles: tiles.into_iter().map(cell).collect(),
            }),
            mara::Event::Photographed { seat: by, tile, tourist } => Event::MaraPhotographed(MaraPhotographed {
                seat: Some(seat(by)),
                text,
                tile: cell(tile),
                tourist: tourist.to_string(),
            }),
            mara::Event::Drew { seat: by, cards } => {
                Event::MaraDrew(MaraDrew { seat: Some(seat(by)), text, cards_drawn: cards.into() })
            }
            mara::Event::Kept { seat: by, tourist } => {
                Event::MaraKept(MaraKept { seat: Some(seat(by)), text, tourist: tourist.to_string() })
            }
            mara::Event::TurnEnded { seat: by } => Event::MaraTurnEnded(MaraTurnEnded { seat: Some(seat(by)), text }),
            mara::Event::Ended { end, points } => Event::MaraEnded(MaraEnded {
                seat: None,
                text,
                mara_end: end.into(),
                points: points.into_vec().into_iter().map(|points| points as i32).collect(),
            }),
        }
    }
}
