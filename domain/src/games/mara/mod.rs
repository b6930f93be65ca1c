//! The Mara: drive tourists across the reserve, find the animals they came for, and bring home photos of as many
//! different ones as you can.
//!
//! 1. The 30 tiles are shuffled face down onto their cells. The tourists are sorted by animal into six piles, one
//!    at random to each lodge.
//! 2. In reverse turn order, the first seat last, every seat places its jeep at a lodge without a jeep. Then turns
//!    go clockwise from the first seat.
//! 3. A turn is one task: meet or guide.
//! 4. To meet, the jeep must stand at a lodge. Decision: in the lodge's own place, not on a path next to it.
//! 5. A meet is one move: drop off any face-up tourists, pick up any of this lodge's pile as it was before. A dropped
//!    tourist with a photo is turned face down and kept; one without goes to the pile. Decision: at least one in all.
//!    A tourist that is dropped off cannot be picked up in the same meet: it was not in the pile before.
//! 6. After a meet at most three tourists lie face up in front of the seat.
//! 7. A guide has up to 4, 3, 2 or 1 actions with 0, 1, 2 or 3 face-up tourists when it begins: drives and peeks in
//!    any order. Decision: at least one. Only a drive with the last action ends the turn by itself: if a peek did,
//!    everybody would learn from it whether a photo was possible.
//! 8. A drive goes to a neighbouring place. Another jeep must be skipped and may not be stopped at; tracks of one
//!    colour, anybody's, may be skipped; lodges are not skipped but for a jeep. A drive does not end where it began.
//! 9. Leaving a path without a track lays one of one's 15 there; with none left, one is taken up from the board.
//! 10. A peek, from a path only, shows the mover the tiles beside it. Decision: at least one must lie face down.
//! 11. A tile peeked at in this turn since the jeep last moved may be photographed, freely, for a face-up tourist that
//!     wants it and has no photo: it lies face up from then on.
//! 12. The game ends when the last tile is turned face up, or when a meet leaves its seat without face-up tourists
//!     and there are none at any lodge.
//! 13. Photos are split into sets of different animals, worth 21, 15, 10, 6, 3, 1 for 6 to 1 of them. Most points win;
//!     ties are shared.
//! 14. There is always a legal move: the board is connected, and at most three jeeps stand in the way.
//! 15. Decision: after `quietTurnsPerSeat` turns for each seat in a row without a new photo the game ends and is scored.
//!
//! Version 1 has no such option: its limit is 20 turns for each seat. Only version 2 defines the count in the view after
//! the end. See [`Edition`].
//!
//! Memory: a seat knows the tiles it has peeked at until its turn ends, or for good with the option `notepads`.
//! The family variant is in [`family`].

mod about;
mod board;
mod drive;
mod event;
mod family;
mod judgement;
mod meet;
mod notation;
mod photo;
mod score;
mod set;
mod tour;
mod tourists;
mod view;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use board::{Cell, Place, Places};
pub use event::Event;
pub use notation::Move;
pub use score::Score;
pub use set::Set;
pub use tourists::{Animal, Habitat, Tourist, Tourists};
pub use view::{ChoiceView, DeckView, DriverView, LodgeView, TileView, TouristView, View};

use board::{ALL_LODGES, LODGES};
use family::Card;
use tourists::TOURISTS;

use crate::{
    About, BySeat, Chance, Continuations, Illegal, Outcome, RuleId, Rules, Seat, Seats, Sink, Standing, TokenType,
    Viewer, first_seat, follow, places_by,
};

/// Tracks of each seat.
const TRACKS: u8 = 15;
/// Face-up tourists after a meet.
const MOST_FACE_UP: u8 = 3;
/// Guide actions of a seat without tourists; each face-up tourist costs one.
const MOST_ACTIONS: u8 = 4;
/// Turns of each seat without a new photo that end the game, unless the option says otherwise.
const QUIET_TURNS: u8 = 50;
const QUIET_TURNS_BOUNDS: RangeInclusive<u8> = 10..=200;
/// The same by version 1 of the rules, which has no such option.
const QUIET_TURNS_OF_VERSION_1: u8 = 20;

const SETUP: RuleId = RuleId("mara.1");
const TURNS: RuleId = RuleId("mara.2");
const ONE_TASK: RuleId = RuleId("mara.3");
const AT_A_LODGE: RuleId = RuleId("mara.4");
const MEET: RuleId = RuleId("mara.5");
const THREE_TOURISTS: RuleId = RuleId("mara.6");
const ACTIONS: RuleId = RuleId("mara.7");
const DRIVE: RuleId = RuleId("mara.8");
const LAY_A_TRACK: RuleId = RuleId("mara.9");
const PEEK: RuleId = RuleId("mara.10");
const PHOTO: RuleId = RuleId("mara.11");
const END: RuleId = RuleId("mara.12");
const SCORE: RuleId = RuleId("mara.13");
const ALWAYS_A_MOVE: RuleId = RuleId("mara.14");
const NO_PHOTOS: RuleId = RuleId("mara.15");

/// A game of The Mara.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mara {
    variant: Variant,
    notepads: bool,
    /// In the order of their cells. Habitats are public; each tile lists the seats that know its animal. Boxed, because
    /// `AnyGame` is as large as its largest kind.
    tiles: Box<[Tile; TOURISTS]>,
    /// Public: the tourists at each lodge. Empty in the family variant.
    piles: [Tourists; LODGES],
    /// Public.
    drivers: BySeat<Driver>,
    /// From the top down. Their number is public; each card lists the seats that know it. Empty in the standard game.
    deck: Vec<Card>,
    /// The two cards that the mover must choose from, sorted. Secret: the mover's own. It is public that there is a pair.
    drawn: Option<[Card; 2]>,
    /// Public, as are all that follow.
    mover: Seat,
    turn: Turn,
    turns_without_photo: u16,
    end: Option<End>,
    #[serde(skip)]
    edition: Edition,
}

/// The differences between versions of the rules: how long players may go without a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    version: u32,
    quiet_turns_per_seat: u8,
}

impl Default for Edition {
    fn default() -> Edition {
        Edition { version: 1, quiet_turns_per_seat: QUIET_TURNS_OF_VERSION_1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tile {
    /// Public: the back.
    habitat: Habitat,
    /// Secret until it is photographed, except to the seats that know it.
    animal: Animal,
    /// Public. With one, the tile lies face up permanently.
    photographer: Option<Seat>,
    /// Public: the seats that have peeked at it and remember it. Without notepads only the mover does.
    known_to: Seats,
}

/// The pieces of a seat: public.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Driver {
    /// None before it is placed.
    jeep: Option<Place>,
    tracks: Places,
    /// Tourists that lie face up in front of the seat, with or without a photo.
    face_up: Tourists,
    /// Tourists of the seat that have their photo, face up or face down.
    photos: Tourists,
}

/// The mover's progress in this turn: public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Turn {
    /// None until the guide begins.
    actions_left: Option<u8>,
    has_peeked: bool,
    /// Whether it has peeked since the jeep last moved.
    has_peeked_here: bool,
    has_photo: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    pub variant: Variant,
    /// Whether players keep what they have peeked at.
    pub notepads: bool,
    /// The number of turns in a row per seat without a new photo that ends the game. By default 50. Version 1 has no such
    /// option.
    #[serde(deserialize_with = "crate::rules::given", skip_serializing_if = "Option::is_none")]
    pub quiet_turns_per_seat: Option<u8>,
    /// If left out, the starting seat is drawn.
    pub first_seat: Option<Seat>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Variant {
    #[default]
    Standard,
    Family,
}

/// The cause of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum End {
    /// mara.12: the last tile was turned face up.
    AllPhotographed,
    /// mara.12: a meet left nobody to guide.
    NoTourists,
    /// mara.15: too long without a photo.
    NoPhotos,
    /// mara.f4: a seat must draw, and there is no card.
    EmptyDeck,
}

impl End {
    fn rule(self) -> RuleId {
        match self {
            End::AllPhotographed | End::NoTourists => END,
            End::NoPhotos => NO_PHOTOS,
            End::EmptyDeck => family::EMPTY_DECK,
        }
    }

    fn text(self) -> &'static str {
        match self {
            End::AllPhotographed => "Every animal has been photographed.",
            End::NoTourists => "There are no tourists left to guide.",
            End::NoPhotos => "Too many turns have passed without a photo.",
            End::EmptyDeck => "There is no tourist left to draw.",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    pub scores: BySeat<Score>,
}

impl Rules for Mara {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = View;
    type Details = Details;
    type Edition = Edition;

    const SEATS: RangeInclusive<u8> = 2..=4;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=2;

    fn about(version: u32) -> About {
        about::about(version)
    }

    fn unknown_option(options: &Options, version: u32) -> Option<&'static str> {
        (version < 2 && options.quiet_turns_per_seat.is_some()).then_some("quietTurnsPerSeat")
    }

    fn complete(options: Options, version: u32) -> Options {
        let quiet_turns_per_seat = options.quiet_turns_per_seat.or((version >= 2).then_some(QUIET_TURNS));
        Options { quiet_turns_per_seat, ..options }
    }

    fn check_options(options: &Options, _version: u32, seats: u8) -> Result<(), Illegal> {
        if let Some(turns) = options.quiet_turns_per_seat.filter(|turns| !QUIET_TURNS_BOUNDS.contains(turns)) {
            let (least, most) = (QUIET_TURNS_BOUNDS.start(), QUIET_TURNS_BOUNDS.end());
            return Err(Illegal::new(SETUP, format!("quietTurnsPerSeat must be {least} to {most}, not {turns}.")));
        }
        first_seat::check(options.first_seat, seats, SETUP)
    }

    fn setup(options: &Options, version: u32, seats: u8, chance: &mut Chance) -> Mara {
        let mut faces: Vec<Tourist> = Tourist::all().collect();
        chance.shuffle(&mut faces);
        let tile = |n: usize| Tile {
            habitat: faces[n].habitat,
            animal: faces[n].animal,
            photographer: None,
            known_to: Seats::NONE,
        };
        let mut mara = Mara {
            variant: options.variant,
            notepads: options.notepads,
            tiles: Box::new(std::array::from_fn(tile)),
            piles: [Tourists::NONE; LODGES],
            drivers: BySeat::each(seats, |_| Driver::default()),
            deck: Vec::new(),
            drawn: None,
            mover: Seat::new(0),
            turn: Turn::default(),
            turns_without_photo: 0,
            end: None,
            edition: match version {
                1 => Edition::default(),
                _ => Edition { version, quiet_turns_per_seat: options.quiet_turns_per_seat.unwrap_or(QUIET_TURNS) },
            },
        };
        match options.variant {
            Variant::Standard => {
                let mut animals = Animal::ALL;
                chance.shuffle(&mut animals);
                let wants = |animal| Habitat::ALL.into_iter().map(move |habitat| Tourist { habitat, animal });
                mara.piles = animals.map(|animal| wants(animal).collect());
            }
            Variant::Family => mara.deal(chance),
        }
        let first = first_seat::chosen_or_drawn(options.first_seat, seats, chance);
        mara.mover = first.right(seats);
        mara
    }

    fn rules_version(&self) -> u32 {
        self.edition.version
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn with_edition(self, edition: Edition) -> Mara {
        Mara { edition, ..self }
    }

    fn to_act(&self) -> Seats {
        if self.end.is_some() { Seats::NONE } else { Seats::one(self.mover) }
    }

    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        // Meets come last: a list that is cut short still shows everything else.
        self.other_moves(seat).chain(self.meets(seat))
    }

    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.is_placing() {
            let lodges = self.free_lodges();
            let lodge = lodges.nth(chance.below(lodges.len().into()));
            return Move::Place { lodge: lodge.expect("there are more lodges than jeeps") };
        }
        if let Some(pair) = &self.drawn {
            return Move::Keep { tourist: chance.pick(pair).tourist };
        }
        // Draws until the move is possible. A drive or the end of the turn always is.
        loop {
            match chance.below(5) {
                0 if self.can_meet(seat) => {
                    if let Some(meet) = self.any_meet(seat, chance) {
                        return meet;
                    }
                }
                1 if self.actions_left() > 0 => {
                    let reach = self.reach(seat);
                    let to = reach.nth(chance.below(reach.len().into())).expect("a drive leads somewhere");
                    let tracks = self.drivers[seat].tracks;
                    let take = self.must_take_up(seat).then(|| tracks.nth(chance.below(tracks.len().into())));
                    return Move::Drive { to, take: take.flatten() };
                }
                2 if self.check_peek(seat).is_ok() => return Move::Peek,
                3 => {
                    let (tile, other) = (self.photos(seat).next(), self.photos(seat).nth(1));
                    if let Some(tile) = if chance.happens(1, 2) { tile } else { other.or(tile) } {
                        return Move::Photo { tile };
                    }
                }
                4 if self.check_end().is_ok() => return Move::End,
                _ => {}
            }
        }
    }

    fn check(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        self.check_turn(seat, mv)?;
        match *mv {
            Move::Place { lodge } => self.check_place(lodge),
            Move::Meet { drop, pick } => self.check_meet(seat, drop, pick),
            Move::Drive { to, take } => self.check_drive(seat, to, take),
            Move::Peek => self.check_peek(seat),
            Move::Photo { tile } => self.check_photo(seat, tile),
            Move::Keep { tourist } => self.check_keep(tourist),
            Move::End => self.check_end(),
        }
    }

    fn make(&mut self, seat: Seat, mv: &Move, _chance: &mut Chance, seen: &mut impl Sink<Event>) {
        match *mv {
            Move::Place { lodge } => self.place(seat, lodge, seen),
            Move::Meet { drop, pick } => self.meet(seat, drop, pick, seen),
            Move::Drive { to, take } => self.drive(seat, to, take, seen),
            Move::Peek => self.peek(seat, seen),
            Move::Photo { tile } => self.photograph(seat, tile, seen),
            Move::Keep { tourist } => self.keep(seat, tourist, seen),
            Move::End => self.end_turn(seat, seen),
        }
    }

    fn continuations(&self, seat: Seat, prefix: &[&str]) -> Continuations {
        match prefix {
            ["meet", tokens @ ..] => self.meets_that_follow(seat, tokens),
            _ => {
                let mut answer = follow(self.other_moves(seat).map(|mv| mv.to_string()), prefix);
                if prefix.is_empty() && self.meets(seat).next().is_some() {
                    answer.next.push("meet".into());
                }
                answer
            }
        }
    }

    fn standing(&self) -> Standing<Details> {
        let points = BySeat::each(self.seats(), |seat| self.points(seat));
        Standing {
            places: places_by(self.seats(), |a, b| points[b].cmp(&points[a])),
            details: Details { scores: BySeat::each(self.seats(), |seat| self.score(seat)) },
        }
    }

    fn outcome(&self) -> Option<Outcome<Details>> {
        self.end.map(|end| {
            let standing = self.standing();
            let winners = standing.places.iter().filter(|(_, place)| **place == 1).map(|(seat, _)| seat).collect();
            standing.ended(end.rule(), winners)
        })
    }

    fn view(&self, viewer: Viewer) -> View {
        self.seen_by(viewer)
    }

    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Mara {
        let mut other = self.clone();
        let is_hidden = |known_to: Seats| !known_to.iter().any(|seat| viewer.sees(seat));
        // Sorted first, so that the draw depends on nothing but what the viewer knows. Version 1 drew branches from the
        // unsorted tiles and deck, and replays need the same draw.
        let in_fixed_order = !viewer.is_open() || self.edition.version >= 2;
        for habitat in Habitat::ALL {
            let is_unknown =
                |tile: &Tile| tile.habitat == habitat && tile.photographer.is_none() && is_hidden(tile.known_to);
            let mut animals: Vec<Animal> =
                self.tiles.iter().filter(|tile| is_unknown(tile)).map(|tile| tile.animal).collect();
            if in_fixed_order {
                animals.sort_unstable();
            }
            chance.shuffle(&mut animals);
            let unknown = other.tiles.iter_mut().filter(|tile| is_unknown(tile));
            unknown.zip(animals).for_each(|(tile, animal)| tile.animal = animal);
        }
        other.redraw_cards(is_hidden, in_fixed_order, chance);
        other
    }

    /// Without notepads, players must remember what they saw.
    fn may_look_back(&self) -> bool {
        self.notepads
    }

    fn is_open(mv: &Move) -> bool {
        !matches!(mv, Move::Keep { .. })
    }

    fn describe(&self, seat: Seat, mv: &Move) -> String {
        match *mv {
            Move::Place { lodge } => format!("Place your jeep at {lodge}"),
            Move::Meet { drop, pick } if pick.is_empty() => format!("Drop off {}", event::list(drop)),
            Move::Meet { drop, pick } if drop.is_empty() => format!("Pick up {}", event::list(pick)),
            Move::Meet { drop, pick } => format!("Drop off {}; pick up {}", event::list(drop), event::list(pick)),
            Move::Drive { to, take: None } => format!("Drive to {to}"),
            Move::Drive { to, take: Some(track) } => format!("Drive to {to}, taking up your track on {track}"),
            Move::Peek => "Peek at the tiles beside your jeep".into(),
            Move::Photo { tile } => {
                match tile.tile().map(|n| &self.tiles[n]).filter(|known| known.known_to.contains(seat)) {
                    Some(Tile { habitat, animal, .. }) => {
                        format!("Photograph the {} at {tile}", Tourist::new(*habitat, *animal).words())
                    }
                    None => format!("Photograph the tile at {tile}"),
                }
            }
            Move::Keep { tourist } => format!("Keep the {}", tourist.words()),
            Move::End => "End your turn".into(),
        }
    }

    fn describe_token(&self, seat: Seat, prefix: &[&str], token: &str) -> (TokenType, String) {
        use TokenType::{Card as Piece, Place, Verb};
        let whole = |verb: &str| match format!("{verb} {token}").parse() {
            Ok(mv) => self.describe(seat, &mv),
            Err(_) => token.to_string(),
        };
        let tourist = || token.parse().map_or_else(|_| token.to_string(), Tourist::words);
        match (prefix, token) {
            ([], "place") => (Verb, "Place your jeep".into()),
            ([], "meet") => (Verb, "Meet the tourists at the lodge".into()),
            ([], "drive") => (Verb, "Drive".into()),
            ([], "peek") => (Verb, "Peek at the tiles beside your jeep".into()),
            ([], "photo") => (Verb, "Photograph a tile".into()),
            ([], "keep") => (Verb, "Keep one of the tourists that you drew".into()),
            ([], "end") => (Verb, "End your turn".into()),
            ([verb @ ("place" | "drive" | "photo")], _) => (Place, whole(verb)),
            (["keep"], _) => (Piece, whole("keep")),
            (["drive", _], "take") => (Verb, "Take up one of your tracks".into()),
            (["drive", ..], track) => (Place, format!("Take up your track on {track}")),
            (["meet", ..], "drop") => (Verb, "Drop off tourists".into()),
            (["meet", ..], "pick") => (Verb, "Pick up tourists".into()),
            (["meet", named @ ..], _) if named.contains(&"pick") => (Piece, format!("Pick up the {}", tourist())),
            (["meet", ..], _) => (Piece, format!("Drop off the {}", tourist())),
            _ => (Verb, token.to_string()),
        }
    }
}

impl Mara {
    fn seats(&self) -> u8 {
        self.drivers.seats()
    }

    fn is_placing(&self) -> bool {
        self.drivers.values().any(|driver| driver.jeep.is_none())
    }

    fn jeep(&self, seat: Seat) -> Place {
        self.drivers[seat].jeep.expect("every jeep is placed before the first turn")
    }

    fn tracks_left(&self, seat: Seat) -> u8 {
        match self.variant {
            Variant::Standard => TRACKS - self.drivers[seat].tracks.len(),
            Variant::Family => 0,
        }
    }

    /// The actions that the mover has left; before it guides, as many as it would have.
    fn actions_left(&self) -> u8 {
        let at_first = || match self.variant {
            Variant::Standard => MOST_ACTIONS - self.drivers[self.mover].face_up.len(),
            Variant::Family => family::ACTIONS_A_TURN,
        };
        self.turn.actions_left.unwrap_or_else(at_first)
    }

    fn most_turns_without_photo(&self) -> u16 {
        u16::from(self.edition.quiet_turns_per_seat) * u16::from(self.seats())
    }

    // Every legal move.

    /// All moves but meets, which can be very many.
    fn other_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let is_mover = self.end.is_none() && seat == self.mover;
        let is_in_turn = is_mover && !self.is_placing() && self.drawn.is_none();
        let lodges = if is_mover && self.is_placing() { self.free_lodges() } else { Places::NONE };
        let pair = self.drawn.iter().flatten().filter(move |_| is_mover);
        let reach = if is_in_turn && self.actions_left() > 0 { self.reach(seat) } else { Places::NONE };
        let takes = if is_in_turn && self.must_take_up(seat) { self.drivers[seat].tracks } else { Places::NONE };
        let drives = reach.iter().flat_map(move |to| {
            let plain = takes.is_empty().then_some(Move::Drive { to, take: None });
            plain.into_iter().chain(takes.iter().map(move |track| Move::Drive { to, take: Some(track) }))
        });
        let peek = (is_in_turn && self.check_peek(seat).is_ok()).then_some(Move::Peek);
        let photos = is_in_turn.then(|| self.photos(seat)).into_iter().flatten();
        let end = (is_in_turn && self.check_end().is_ok()).then_some(Move::End);
        (lodges.iter().map(|lodge| Move::Place { lodge }))
            .chain(pair.map(|card| Move::Keep { tourist: card.tourist }))
            .chain(drives)
            .chain(peek)
            .chain(photos.map(|tile| Move::Photo { tile }))
            .chain(end)
    }

    // Turns.

    /// Checks for all moves: whether the game is over, whether it is this seat's turn, and whether it must first place its
    /// jeep or choose a card.
    fn check_turn(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        if let Some(end) = self.end {
            return Err(Illegal::new(end.rule(), format!("The game is over. {}", end.text())));
        }
        if seat != self.mover {
            return Err(Illegal::new(TURNS, format!("It is seat {}'s turn.", self.mover)));
        }
        match (self.is_placing(), mv) {
            (true, Move::Place { .. }) => return Ok(()),
            (true, _) => return Err(Illegal::new(TURNS, "Place your jeep at a lodge first.").at(0)),
            (false, Move::Place { .. }) => return Err(Illegal::new(TURNS, "All jeeps have been placed.").at(0)),
            (false, _) => {}
        }
        self.check_choice(mv)
    }

    // mara.2: placing jeeps.

    fn free_lodges(&self) -> Places {
        ALL_LODGES.without(self.drivers.values().filter_map(|driver| driver.jeep).collect())
    }

    fn check_place(&self, lodge: Place) -> Result<(), Illegal> {
        if !lodge.is_lodge() {
            return Err(Illegal::new(TURNS, format!("{lodge} is a path; jeeps start at a lodge.")).at(1));
        }
        if !self.free_lodges().contains(lodge) {
            return Err(Illegal::new(TURNS, format!("There is already a jeep at {lodge}.")).at(1));
        }
        Ok(())
    }

    fn place(&mut self, seat: Seat, lodge: Place, seen: &mut impl Sink<Event>) {
        self.drivers[seat].jeep = Some(lodge);
        seen.see(|| Event::Placed { seat, lodge });
        // The last to place its jeep is the first to have a turn.
        if self.is_placing() {
            self.mover = seat.right(self.seats());
        }
    }

    // mara.7: guide.

    fn check_actions(&self) -> Result<(), Illegal> {
        match (self.actions_left(), self.variant) {
            (1.., _) => Ok(()),
            (0, Variant::Standard) => Err(Illegal::new(ACTIONS, "You have no actions left in this turn.").at(0)),
            (0, Variant::Family) => Err(Illegal::new(family::TWO_ACTIONS, "You have used both actions.").at(0)),
        }
    }

    fn use_action(&mut self) {
        self.turn.actions_left = Some(self.actions_left() - 1);
    }

    fn check_end(&self) -> Result<(), Illegal> {
        match (self.variant, self.turn.actions_left) {
            (Variant::Standard, None) => {
                Err(Illegal::new(ACTIONS, "Meet, drive or peek before you end your turn.").at(0))
            }
            (Variant::Family, None | Some(1..)) => {
                Err(Illegal::new(family::TWO_ACTIONS, "Use both actions before you end your turn.").at(0))
            }
            _ => Ok(()),
        }
    }

    // mara.12 to mara.15: the end.

    fn end_turn(&mut self, seat: Seat, seen: &mut impl Sink<Event>) {
        seen.see(|| Event::TurnEnded { seat });
        if !self.notepads {
            self.forget(seat);
        }
        self.count_turn();
        self.turn = Turn::default();
        self.mover = seat.left(self.seats());
        if self.turns_without_photo >= self.most_turns_without_photo() {
            self.finish(End::NoPhotos, seen);
        }
    }

    /// mara.15: a turn is over.
    fn count_turn(&mut self) {
        self.turns_without_photo = if self.turn.has_photo { 0 } else { self.turns_without_photo + 1 };
    }

    /// Without notepads, views never show again what a player saw in an earlier turn, so the state forgets it.
    fn forget(&mut self, seat: Seat) {
        self.tiles.iter_mut().for_each(|tile| tile.known_to.remove(seat));
        self.deck.iter_mut().for_each(|card| card.known_to.remove(seat));
    }

    fn finish(&mut self, end: End, seen: &mut impl Sink<Event>) {
        self.end = Some(end);
        // The turn in which the game ends counts like any other; version 1 left it out.
        if end != End::NoPhotos && self.edition.version >= 2 {
            self.count_turn();
        }
        self.turn = Turn::default();
        seen.see(|| Event::Ended { end, points: BySeat::each(self.seats(), |seat| self.points(seat)) });
    }

    fn points(&self, seat: Seat) -> u32 {
        let photos = self.drivers[seat].photos;
        match self.variant {
            Variant::Standard => score::points(photos),
            Variant::Family => photos.len().into(),
        }
    }

    fn score(&self, seat: Seat) -> Score {
        let photos = self.drivers[seat].photos;
        let sets = match self.variant {
            Variant::Standard => score::sets(photos),
            Variant::Family => Vec::new(),
        };
        Score { points: self.points(seat), photos: photos.len(), sets }
    }
}
