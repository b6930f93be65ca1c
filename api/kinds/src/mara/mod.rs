//! The Mara on the wire.

mod event;

pub use event::*;

use async_graphql::{Enum, InputObject, OneofObject, SimpleObject};
use domain::Unreadable;
use domain::games::mara;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{check_true, int, named, names, one_of, seat, seat_number, small};
use crate::Result;

/// The options of a game of The Mara.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraOptions", input_name = "MaraOptionsInput")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MaraOptions {
    /// The variant.
    #[graphql(default_with = "MaraVariant::Standard")]
    pub variant: MaraVariant,
    /// Whether a player's view keeps the tiles that the player has peeked at and the cards that it has put under the
    /// deck. Without notepads, they are shown only until the player's turn ends.
    #[graphql(default = false)]
    pub notepads: bool,
    /// The game ends after this many turns per seat in a row without a new photo, 10 to 200. Null in games by version 1
    /// of the rules, which does not have this option: there it is 20.
    #[graphql(default_with = "Some(50)")]
    #[schema(minimum = 10, maximum = 200)]
    pub quiet_turns_per_seat: Option<i32>,
    /// The seat that has the first turn. Default: drawn at random.
    #[schema(minimum = 0, maximum = 3)]
    pub first_seat: Option<i32>,
}

/// A variant of The Mara.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "mara::Variant")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaraVariant {
    /// Tourists wait at lodges, jeeps leave tracks, and photos score by sets.
    Standard,
    /// No tracks and no lodges to return to: tourists come from a deck, and every photo is a point.
    Family,
}

impl Default for MaraOptions {
    fn default() -> MaraOptions {
        mara::Options::default().into()
    }
}

impl From<mara::Options> for MaraOptions {
    fn from(options: mara::Options) -> MaraOptions {
        let mara::Options { variant, notepads, quiet_turns_per_seat, first_seat } = options;
        MaraOptions {
            variant: variant.into(),
            notepads,
            quiet_turns_per_seat: quiet_turns_per_seat.map(i32::from),
            first_seat: first_seat.map(seat),
        }
    }
}

impl MaraOptions {
    pub fn read(self) -> Result<mara::Options> {
        let MaraOptions { variant, notepads, quiet_turns_per_seat, first_seat } = self;
        let quiet_turns = |turns| small("quietTurnsPerSeat", turns);
        Ok(mara::Options {
            variant: variant.into(),
            notepads,
            quiet_turns_per_seat: quiet_turns_per_seat.map(quiet_turns).transpose()?,
            first_seat: first_seat.map(|seat| seat_number("firstSeat", seat)).transpose()?,
        })
    }
}

/// A habitat of The Mara: the back of a tile, which everybody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mara::Habitat")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaraHabitat {
    /// Among trees.
    Grove,
    /// In the bush.
    Bush,
    /// In the grass of the savannah.
    Savannah,
    /// At a waterhole.
    Waterhole,
    /// At the river.
    River,
}

/// An animal of The Mara: the face of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mara::Animal")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaraAnimal {
    /// A carnivore.
    Carnivore,
    /// A herbivore.
    Herbivore,
    /// A primate.
    Primate,
    /// An amphibian.
    Amphibian,
    /// A bird.
    Bird,
    /// An insect.
    Insect,
}

/// A move of The Mara: exactly one field, named after the action.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraMoveInput")]
#[serde(rename_all = "camelCase")]
pub enum MaraMove {
    /// Put your jeep at a lodge, before the first turn.
    Place(MaraPlace),
    /// Drop tourists off at the lodge where your jeep stands, and pick others up.
    Meet(MaraMeet),
    /// Drive to a path or a lodge.
    Drive(MaraDrive),
    /// Look at the face-down tiles beside your jeep: your view shows them until your turn ends. Always true.
    Peek(bool),
    /// Photograph a tile that you have just peeked at.
    Photo(MaraPhoto),
    /// Keep one of two tourists that you have drawn, in the family variant.
    Keep(MaraKeep),
    /// End your turn. Always true.
    End(bool),
}

one_of! {
    /// A move of The Mara: the field of the action is set, all others are null.
    MaraMove {
        /// The jeep is put at a lodge, before the first turn.
        place: Place(MaraPlace),
        /// Tourists are dropped off and picked up at a lodge.
        meet: Meet(MaraMeet),
        /// The jeep drives to a path or a lodge.
        drive: Drive(MaraDrive),
        /// True: the player looks at the face-down tiles beside its jeep.
        peek: Peek(bool),
        /// A tile is photographed.
        photo: Photo(MaraPhoto),
        /// One of two tourists drawn is kept.
        keep: Keep(MaraKeep),
        /// True: the turn ends.
        end: End(bool),
    }
}

/// The starting place of a jeep of The Mara.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraPlace", input_name = "MaraPlaceInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaraPlace {
    /// A lodge without a jeep, 72 to 77.
    pub lodge: i32,
}

/// A meeting with tourists of The Mara, at least one in all. A tourist is named by what it wants to see: RIVER-BIRD.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraMeet", input_name = "MaraMeetInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaraMeet {
    /// The tourists who get off, from your face-up ones: each once, in any order.
    #[graphql(default)]
    #[serde(default)]
    pub drop: Vec<String>,
    /// The tourists who get on, from this lodge's: each once, in any order.
    #[graphql(default)]
    #[serde(default)]
    pub pick: Vec<String>,
}

/// A drive of The Mara.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraDrive", input_name = "MaraDriveInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaraDrive {
    /// The destination: a path, 0 to 71, or a lodge, 72 to 77.
    pub to: i32,
    /// The path from which you take up one of your tracks, if you must leave a track and have none left. Otherwise
    /// leave it out.
    pub take: Option<i32>,
}

/// A photo of The Mara.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraPhoto", input_name = "MaraPhotoInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaraPhoto {
    /// The tile, by the number of its cell.
    pub tile: i32,
}

/// A tourist of The Mara to keep.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MaraKeep", input_name = "MaraKeepInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaraKeep {
    /// One of the two that you have drawn, such as RIVER-BIRD.
    pub tourist: String,
}

impl From<mara::Move> for MaraMove {
    fn from(mv: mara::Move) -> MaraMove {
        match mv {
            mara::Move::Place { lodge } => MaraMove::Place(MaraPlace { lodge: place(lodge) }),
            mara::Move::Meet { drop, pick } => {
                MaraMove::Meet(MaraMeet { drop: names(drop.iter()), pick: names(pick.iter()) })
            }
            mara::Move::Drive { to, take } => MaraMove::Drive(MaraDrive { to: place(to), take: take.map(place) }),
            mara::Move::Peek => MaraMove::Peek(true),
            mara::Move::Photo { tile } => MaraMove::Photo(MaraPhoto { tile: cell(tile) }),
            mara::Move::Keep { tourist } => MaraMove::Keep(MaraKeep { tourist: tourist.to_string() }),
            mara::Move::End => MaraMove::End(true),
        }
    }
}

impl MaraMove {
    pub fn read(self) -> Result<mara::Move> {
        Ok(match self {
            MaraMove::Place(MaraPlace { lodge }) => mara::Move::Place { lodge: place_number("lodge", lodge)? },
            MaraMove::Meet(MaraMeet { drop, pick }) => {
                mara::Move::Meet { drop: tourists("drop", &drop)?, pick: tourists("pick", &pick)? }
            }
            MaraMove::Drive(MaraDrive { to, take }) => mara::Move::Drive {
                to: place_number("to", to)?,
                take: take.map(|take| place_number("take", take)).transpose()?,
            },
            MaraMove::Peek(yes) => check_true("peek", yes).map(|()| mara::Move::Peek)?,
            MaraMove::Photo(MaraPhoto { tile }) => mara::Move::Photo {
                tile: mara::Cell::numbered(tile.into())
                    .ok_or_else(|| Unreadable(format!("tile is not a cell of the board: {tile}.")))?,
            },
            MaraMove::Keep(MaraKeep { tourist }) => mara::Move::Keep { tourist: named("tourist", &tourist)? },
            MaraMove::End(yes) => check_true("end", yes).map(|()| mara::Move::End)?,
        })
    }
}

fn place_number(field: &str, number: i32) -> Result<mara::Place> {
    mara::Place::numbered(number.into())
        .ok_or_else(|| Unreadable(format!("{field} is not a place of the board: {number}.")))
}

/// Reads tourists, each of them once.
fn tourists(field: &str, names: &[String]) -> Result<mara::Tourists> {
    let mut tourists = mara::Tourists::NONE;
    for name in names {
        let tourist: mara::Tourist = named(field, name)?;
        if tourists.contains(tourist) {
            return Err(Unreadable(format!("{field} names {tourist} twice.")));
        }
        tourists.insert(tourist);
    }
    Ok(tourists)
}

fn place(place: mara::Place) -> i32 {
    place.number().into()
}

fn cell(cell: mara::Cell) -> i32 {
    cell.number().into()
}

/// The kind of decision that a game of The Mara waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaraPhase {
    /// The mover puts its jeep at a lodge.
    Placing,
    /// The mover begins its turn.
    Turn,
    /// The mover has begun to guide: it drives, peeks, photographs, or ends its turn.
    Guiding,
    /// The mover has drawn two tourists and keeps one of them.
    Keeping,
    /// Nothing: the game has ended by its rules.
    Over,
}

/// Why a game of The Mara is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mara::End")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MaraEnd {
    /// The last tile was turned face up: mara.12.
    AllPhotographed,
    /// After a meeting, nobody was left to guide: mara.12.
    NoTourists,
    /// Too many turns passed without a new photo: mara.15.
    NoPhotos,
    /// A player had to draw and there was no card: mara.f4.
    EmptyDeck,
}

/// The position of a game of The Mara, as you may see it. The kind's rulebook has the board, with its cells and places.
/// A tourist is named by what it wants to see: RIVER-BIRD.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraView {
    /// The variant.
    pub variant: MaraVariant,
    /// Whether tiles that a player has peeked at stay in its view.
    pub notepads: bool,
    /// The kind of decision that the game waits for.
    pub mara_phase: MaraPhase,
    /// The seat whose turn it is; null after the game has ended by its rules.
    pub mover: Option<i32>,
    /// The number of actions that the mover has left in this turn. Before it guides: the number that it would have.
    pub actions_left: i32,
    /// The face-down tiles, by cell, that the mover has peeked at since its jeep last moved. It may photograph these.
    pub peeked: Vec<i32>,
    /// The tiles, in the order of their cells.
    pub tiles: Vec<MaraTile>,
    /// The lodges, in the order of their places.
    pub lodges: Vec<MaraLodge>,
    /// The players, by seat.
    pub players: Vec<MaraPlayer>,
    /// The number of cards in the deck; 0 in the standard game.
    pub deck_size: i32,
    /// The cards of the deck that you have seen and may still know, from the top down. All cards when the game is over.
    pub known_deck: Vec<MaraDeckCard>,
    /// The two tourists that the mover has drawn and must choose from; null if there are none.
    pub drawn_pair: Option<MaraDrawnPair>,
    /// The number of turns in a row without a new photo.
    pub turns_without_photo: i32,
    /// The number of such turns that ends the game.
    pub most_turns_without_photo: i32,
    /// Why the game has ended by its rules; null otherwise.
    pub mara_end: Option<MaraEnd>,
}

/// A tile of The Mara.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraTile {
    /// The number of its cell.
    pub cell: i32,
    /// The habitat of its animal.
    pub habitat: MaraHabitat,
    /// The animal; null if you do not know it.
    pub animal: Option<MaraAnimal>,
    /// The seat that photographed it, so that it lies face up; null while it lies face down.
    pub photographer: Option<i32>,
}

/// A lodge of The Mara.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraLodge {
    /// The number of its place.
    pub place: i32,
    /// The tourists who wait there; nobody in the family variant.
    pub tourists: Vec<String>,
}

/// A player of The Mara: all of it is public.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraPlayer {
    /// The player's seat.
    pub seat: i32,
    /// The place of its jeep; null before it is put there.
    pub jeep: Option<i32>,
    /// The paths on which its tracks lie.
    pub tracks: Vec<i32>,
    /// The number of tracks that it has left to lay.
    pub tracks_left: i32,
    /// The tourists on its jeep: they lie face up.
    pub passengers: Vec<MaraPassenger>,
    /// The tourists who got home with their photo: they lie face down.
    pub brought_home: Vec<String>,
    /// The score of its photos so far.
    pub score_so_far: MaraScore,
}

/// A tourist on a jeep of The Mara.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraPassenger {
    /// The tourist: RIVER-BIRD wants to see the bird at the river.
    pub tourist: String,
    /// Whether it has its photo.
    pub has_photo: bool,
}

/// The score of a player's photos in The Mara.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraScore {
    /// The player's seat.
    pub seat: i32,
    /// The points.
    pub points: i32,
    /// The number of photos.
    pub photos: i32,
    /// The best division of the photos into sets of different animals, largest set first. Empty in the family variant,
    /// where every photo is a point.
    pub sets: Vec<Vec<MaraAnimal>>,
}

/// A card of the deck of The Mara that you know.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraDeckCard {
    /// The number of cards on top of it.
    pub depth: i32,
    /// The tourist.
    pub tourist: String,
}

/// Two drawn cards of The Mara, one of which will be kept.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraDrawnPair {
    /// The seat that chooses.
    pub seat: i32,
    /// The cards of the pair that you know: both if you choose, otherwise only cards that you put under the deck
    /// yourself and have noted.
    pub tourists: Vec<String>,
}

impl From<mara::View> for MaraView {
    fn from(view: mara::View) -> MaraView {
        let mara::View {
            variant,
            notepads,
            tiles,
            lodges,
            drivers,
            deck_size,
            deck,
            choice,
            mover,
            is_placing,
            is_guiding,
            actions_left,
            peeked,
            turns_without_photo,
            most_turns_without_photo,
            end,
        } = view;
        let mara_phase = if end.is_some() {
            MaraPhase::Over
        } else if is_placing {
            MaraPhase::Placing
        } else if choice.is_some() {
            MaraPhase::Keeping
        } else if is_guiding {
            MaraPhase::Guiding
        } else {
            MaraPhase::Turn
        };
        MaraView {
            variant: variant.into(),
            notepads,
            mara_phase,
            mover: mover.map(seat),
            actions_left: actions_left.into(),
            peeked: peeked.into_iter().map(cell).collect(),
            tiles: tiles.into_iter().map(MaraTile::from).collect(),
            lodges: lodges.into_iter().map(MaraLodge::from).collect(),
            players: (0..).zip(drivers.into_vec()).map(|(seat, driver)| MaraPlayer::of(seat, driver)).collect(),
            deck_size: deck_size.into(),
            known_deck: deck.into_iter().map(MaraDeckCard::from).collect(),
            drawn_pair: choice.map(MaraDrawnPair::from),
            turns_without_photo: turns_without_photo.into(),
            most_turns_without_photo: most_turns_without_photo.into(),
            mara_end: end.map(MaraEnd::from),
        }
    }
}

impl From<mara::TileView> for MaraTile {
    fn from(tile: mara::TileView) -> MaraTile {
        let mara::TileView { cell, habitat, animal, photographer } = tile;
        MaraTile {
            cell: self::cell(cell),
            habitat: habitat.into(),
            animal: animal.map(MaraAnimal::from),
            photographer: photographer.map(seat),
        }
    }
}

impl From<mara::LodgeView> for MaraLodge {
    fn from(mara::LodgeView { place, tourists }: mara::LodgeView) -> MaraLodge {
        MaraLodge { place: self::place(place), tourists: names(tourists.iter()) }
    }
}

impl MaraPlayer {
    fn of(seat: i32, driver: mara::DriverView) -> MaraPlayer {
        let mara::DriverView { jeep, tracks, tracks_left, face_up, face_down, score } = driver;
        MaraPlayer {
            seat,
            jeep: jeep.map(place),
            tracks: tracks.iter().map(place).collect(),
            tracks_left: tracks_left.into(),
            passengers: face_up.into_iter().map(MaraPassenger::from).collect(),
            brought_home: names(face_down.iter()),
            score_so_far: MaraScore::of(seat, score),
        }
    }
}

impl From<mara::TouristView> for MaraPassenger {
    fn from(mara::TouristView { tourist, has_photo }: mara::TouristView) -> MaraPassenger {
        MaraPassenger { tourist: tourist.to_string(), has_photo }
    }
}

impl MaraScore {
    fn of(seat: i32, score: mara::Score) -> MaraScore {
        let mara::Score { points, photos, sets } = score;
        let sets = sets.into_iter().map(|set| set.into_iter().map(MaraAnimal::from).collect());
        MaraScore { seat, points: int(points), photos: photos.into(), sets: sets.collect() }
    }
}

impl From<mara::DeckView> for MaraDeckCard {
    fn from(mara::DeckView { depth, tourist }: mara::DeckView) -> MaraDeckCard {
        MaraDeckCard { depth: depth.into(), tourist: tourist.to_string() }
    }
}

impl From<mara::ChoiceView> for MaraDrawnPair {
    fn from(mara::ChoiceView { seat: chooser, tourists }: mara::ChoiceView) -> MaraDrawnPair {
        MaraDrawnPair { seat: seat(chooser), tourists: names(tourists) }
    }
}

/// The scoring of a game of The Mara.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaraDetails {
    /// The score of each player's photos, by seat.
    pub players: Vec<MaraScore>,
}

impl From<mara::Details> for MaraDetails {
    fn from(mara::Details { scores }: mara::Details) -> MaraDetails {
        MaraDetails { players: (0..).zip(scores.into_vec()).map(|(seat, score)| MaraScore::of(seat, score)).collect() }
    }
}
