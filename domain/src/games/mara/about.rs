//! The catalogue entry of The Mara.

use super::score::POINTS;
use super::tourists::{Animal, Tourist};
use super::{
    ACTIONS, ALWAYS_A_MOVE, AT_A_LODGE, DRIVE, END, LAY_A_TRACK, MEET, MOST_ACTIONS, MOST_FACE_UP, NO_PHOTOS, ONE_TASK,
    PEEK, PHOTO, QUIET_TURNS, QUIET_TURNS_BOUNDS, SCORE, SETUP, THREE_TOURISTS, TURNS, board, family,
};
use crate::about::Texts;
use crate::{About, Change, Component, OptionAbout, OptionValue, first_seat};

const TEXTS: &Texts = &[
    (
        SETUP,
        "The 30 habitat tiles are shuffled and laid face down on the board. The tourists are sorted by animal into six piles, and each lodge gets one pile at random.",
    ),
    (
        TURNS,
        "Before the first turn, every seat places its jeep at a lodge without a jeep, in reverse turn order, so that the first seat places last. Turns then go clockwise, beginning with the first seat.",
    ),
    (ONE_TASK, "In a turn you do one task: you meet tourists, or you guide."),
    (AT_A_LODGE, "You can meet tourists only while your jeep is at a lodge."),
    (
        MEET,
        "In a meet you drop off any of your face-up tourists and pick up any of the tourists at this lodge, at least one in all. A tourist with a photo is turned face down when dropped off, and kept. One without a photo stays at this lodge and can be picked up in a later turn.",
    ),
    (THREE_TOURISTS, "After a meet you may have at most three face-up tourists, with or without a photo."),
    (
        ACTIONS,
        "A guide has up to 4, 3, 2 or 1 actions with 0, 1, 2 or 3 face-up tourists at its start, and uses at least one. Each action is a drive or a peek. The turn ends by itself when a drive uses the last action; otherwise the player ends it.",
    ),
    (
        DRIVE,
        "A drive goes to a neighbouring path or lodge. A drive cannot stop at another jeep and must skip it, whatever track lies under it: a skipped jeep neither sets nor breaks the colour of a run. A drive may also skip paths with tracks of a single colour, no matter whose, and may change direction on the way. Lodges may not be skipped, unless a jeep is there. A drive does not end where it began, but a later drive in the same turn may return there.",
    ),
    (
        LAY_A_TRACK,
        "When a jeep leaves a path without a track, it lays one of its 15 tracks there. A seat with no tracks left takes up one of its own tracks from the board and names it; in any other drive no track may be named. That track may lie on the run just skipped or at the destination, because the destination is checked before the drive, with the tracks as they lie then.",
    ),
    (
        PEEK,
        "On a path, a peek shows you alone the animals of the face-down tiles beside it. There must be at least one.",
    ),
    (
        PHOTO,
        "You may photograph a tile that you have peeked at in this turn, since your jeep last moved, if it shows the animal and habitat that one of your face-up tourists without a photo wants to see. A photo costs no action. The tile stays face up for the rest of the game.",
    ),
    (
        END,
        "The game ends at once when all 30 tiles are face up. It also ends when, after a meet, the player has no face-up tourists and no tourists are left at any lodge.",
    ),
    (
        SCORE,
        "Photos are split into sets of different animals in the best possible way. Sets of 6, 5, 4, 3, 2 and 1 are worth 21, 15, 10, 6, 3 and 1 points. The most points win; players who tie share the win.",
    ),
    (ALWAYS_A_MOVE, "There is always a legal move, because some drive is always possible."),
    (
        NO_PHOTOS,
        "In both variants, the game ends and is scored after too many turns in a row without a new photo: the option quietTurnsPerSeat, times the number of seats. A turn is counted when it ends, and the turn in which the game ends is counted like any other. A turn with a photo resets the count to 0; placing a jeep is not a turn. If a meet ends the game by mara.12, mara.12 is the ending, whatever the count.",
    ),
    (
        family::DEAL,
        "Family variant: there are no tracks, no tourists at the lodges and no meets. A drive that names a track is refused. The tourists form a shuffled deck, and every seat starts with two of them face up.",
    ),
    (
        family::TWO_ACTIONS,
        "Family variant: a turn has exactly two actions: two drives, or a drive and a peek in either order. The turn ends by itself if the second action is a drive; after a peek the player ends it.",
    ),
    (
        family::CHOICE,
        "Family variant: a photo turns its tourist face down at once. Before doing anything else, the player draws two cards that nobody else sees, keeps one of them face up and puts the other under the deck. If only one card is left, it is kept without a choice. The same peek also allows a photo for the new tourist.",
    ),
    (
        family::EMPTY_DECK,
        "Family variant: the game ends at once if the deck is empty when a player must draw. The most photos win; players who tie share the win.",
    ),
];

/// The rules that version 1 words differently.
const TEXTS_OF_VERSION_1: &Texts = &[(
    NO_PHOTOS,
    "In both variants, the game ends and is scored after too many turns in a row without a new photo: 20 times the number of seats. A turn is counted when it ends. A turn with a photo resets the count to 0; placing a jeep is not a turn. If a meet ends the game by mara.12, mara.12 is the ending, whatever the count.",
)];

const DECISIONS: &Texts = &[
    (SETUP, "The picture of the board is lost. This board fits the printed numbers of tiles, lodges and paths."),
    (
        AT_A_LODGE,
        "The rulebook says 'adjacent to a lodge', but in its example the jeep is at the lodge. We follow the example.",
    ),
    (MEET, "The rulebook does not say whether a meet may drop off and pick up nobody."),
    (
        ACTIONS,
        "The rulebook does not say whether a guide may use no action. A turn that ended by itself after a peek would reveal what the peek showed.",
    ),
    (DRIVE, "The rulebook does not say how skipped jeeps combine with runs of one colour."),
    (LAY_A_TRACK, "The rulebook does not say from when on a track that is moved no longer counts."),
    (PEEK, "The rulebook does not say whether a player may peek where no tile is face down."),
    (PHOTO, "The rulebook does not say how long after a peek a photo may be taken."),
    (END, "Nothing can score after the last photo, so the game ends with that photo and not with the task."),
    (ALWAYS_A_MOVE, "This follows from the board. It is listed so that nobody waits for a move that does not exist."),
    (NO_PHOTOS, "The rulebook has no ending for players who stop taking photos."),
    (family::TWO_ACTIONS, "The rulebook does not say whether both actions must be used."),
    (family::CHOICE, "The rulebook does not say who sees the drawn cards, or what happens when one card is left."),
];

const CHANGES: [Change; 2] = [
    Change {
        version: 2,
        text: "Players may go on for longer without a photo: 50 turns per seat, or as many as the new option quietTurnsPerSeat allows. In version 1 the limit was 20.",
    },
    Change { version: 2, text: "The turn in which the game ends is also counted among the turns without a photo." },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let about = About {
        title: "The Mara",
        summary: "Drive tourists across a reserve, find the hidden animals they came to see, and collect photos of as many different animals as you can.",
        notation: "`drive p17` drives to path 17. The other moves: `place l72`, `meet drop RIVER-BIRD pick BUSH-INSECT GROVE-BIRD`, `drive p17 take p3` (moving your track from path 3), `peek`, `photo 12` (the tile on cell 12), `keep RIVER-BIRD` (family variant) and `end`.",
        options: [
            OptionAbout {
                name: "variant",
                text: "STANDARD or FAMILY. In the family variant there are no tracks and no tourists at the lodges; tourists come from a deck, and every photo is a point.",
                value: OptionValue::Word { words: &["STANDARD", "FAMILY"], default: "STANDARD" },
            },
            OptionAbout {
                name: "notepads",
                text: "Whether your view keeps showing the tiles you have peeked at and the cards you have put under the deck. Without notepads you see them until your turn ends, and never again.",
                value: OptionValue::Flag { default: false },
            },
        ]
        .into_iter()
        .chain((version >= 2).then_some(OptionAbout {
            name: "quietTurnsPerSeat",
            text: "The game ends after this many turns in a row per seat without a new photo.",
            value: OptionValue::Whole {
                least: (*QUIET_TURNS_BOUNDS.start()).into(),
                most: (*QUIET_TURNS_BOUNDS.end()).into(),
                default: QUIET_TURNS.into(),
            },
        }))
        .chain([first_seat::ABOUT])
        .collect(),
        components: components(),
        board: Some(board::about()),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
        rules: About::rules(TEXTS, DECISIONS),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}

fn components() -> Vec<Component> {
    let faces = || Tourist::all().map(|face| vec![face.habitat.name().into(), face.animal.name().into()]).collect();
    let sizes = (1..=Animal::ALL.len()).rev();
    let tourists = 0..=MOST_FACE_UP;
    vec![
        Component {
            name: "Habitat tiles",
            text: "One of each habitat and animal. The back shows the habitat.",
            reconstructed: false,
            columns: vec!["habitat", "animal"],
            rows: faces(),
        },
        Component {
            name: "Tourists",
            text: "One for each tile: the animal that the tourist wants to see, and its habitat.",
            reconstructed: false,
            columns: vec!["habitat", "animal"],
            rows: faces(),
        },
        Component {
            name: "Sets",
            text: "The points for a set of photos of different animals.",
            reconstructed: false,
            columns: vec!["animals", "points"],
            rows: sizes.map(|size| vec![size.to_string(), POINTS[size].to_string()]).collect(),
        },
        Component {
            name: "Actions",
            text: "The actions of a guide, by the number of face-up tourists at its start.",
            reconstructed: false,
            columns: vec!["tourists", "actions"],
            rows: tourists.map(|n| vec![n.to_string(), (MOST_ACTIONS - n).to_string()]).collect(),
        },
    ]
}
