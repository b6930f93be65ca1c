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
        "The 30 habitat tiles are shuffled face down onto the board. The tourists are sorted by animal into six piles, and a pile is put at random to each lodge.",
    ),
    (
        TURNS,
        "Before the first turn every seat places its jeep at a lodge without a jeep, in reverse turn order, so that the first seat is last. Then turns go clockwise, beginning with the first seat.",
    ),
    (ONE_TASK, "A turn is one task: either to meet or to guide."),
    (AT_A_LODGE, "Tourists can be met only while the jeep stands at a lodge."),
    (
        MEET,
        "A meet drops off any of the seat's face-up tourists and picks up any of those at this lodge, at least one in all. A dropped tourist with a photo is turned face down and kept; one without a photo stays at this lodge and can be picked up in a later turn.",
    ),
    (THREE_TOURISTS, "After a meet the seat may have three face-up tourists at most, with or without a photo."),
    (
        ACTIONS,
        "A guide has up to 4, 3, 2 or 1 actions with 0, 1, 2 or 3 face-up tourists when it begins, and uses at least one. Each action is a drive or a peek. The turn ends by itself after a drive with the last action; otherwise the player ends it.",
    ),
    (
        DRIVE,
        "A drive goes to a neighbouring path or lodge. Other jeeps must be skipped and cannot be stopped at, whatever track lies under them: a skipped jeep neither sets nor breaks the colour of a run. Paths with tracks of one colour, whoever owns them, may be skipped, too, and the run may turn; lodges may not. A drive does not end where it began; a later one in the turn may return there.",
    ),
    (
        LAY_A_TRACK,
        "Leaving a path without a track lays one of the seat's 15 tracks there. A seat that has none left takes up one of its own from the board, and says which; otherwise none is named. That track may lie on the run just skipped or at the destination: where a drive can lead is judged before it, on the tracks as they lie then.",
    ),
    (
        PEEK,
        "From a path, a peek shows the mover alone the animals of the face-down tiles beside it. There must be at least one.",
    ),
    (
        PHOTO,
        "A tile that was peeked at in this turn, since the jeep last moved, may be photographed if it shows what a face-up tourist of the seat without a photo wants to see. It costs no action. The tile stays face up for the rest of the game.",
    ),
    (
        END,
        "The game ends at once when all 30 tiles are face up, or when a meet leaves its seat without face-up tourists and no tourist is at any lodge.",
    ),
    (
        SCORE,
        "Photos are split into sets of different animals in the best way: sets of 6, 5, 4, 3, 2 and 1 are worth 21, 15, 10, 6, 3 and 1 points. Most points win; ties are shared.",
    ),
    (ALWAYS_A_MOVE, "There is always a legal move: some drive can always be made."),
    (
        NO_PHOTOS,
        "When as many turns in a row as the option quietTurnsPerSeat allows, times the number of seats, have passed without a new photo, the game ends and is scored, in both variants. Whole turns are counted, when they end, the one in which the game ends like any other; a turn with a photo sets the count back to 0, and placing a jeep is no turn. If a meet ends the game by mara.12, that is the ending, whatever the count.",
    ),
    (
        family::DEAL,
        "Family variant: there are no tracks, no tourists at the lodges and no meets; a drive that names a track is refused. The tourists are a shuffled deck, and every seat starts with two of them face up.",
    ),
    (
        family::TWO_ACTIONS,
        "Family variant: a turn is exactly two actions, two drives or one drive and one peek in either order. It ends by itself after a drive that was the second action; after a peek the player ends it.",
    ),
    (
        family::CHOICE,
        "Family variant: a photo turns its tourist face down at once. The player draws two cards, which nobody else sees, keeps one of them face up and puts the other under the deck before doing anything else. The last card is kept without a choice. The new tourist may be photographed with the same peek.",
    ),
    (
        family::EMPTY_DECK,
        "Family variant: the game ends at once when a player must draw and the deck is empty. Most photos win; ties are shared.",
    ),
];

/// Where version 1 says something else.
const TEXTS_OF_VERSION_1: &Texts = &[(
    NO_PHOTOS,
    "The game ends and is scored after 20 turns for each seat in a row without a new photo, in both variants. Whole turns are counted, when they end; a turn with a photo sets the count back to 0, and placing a jeep is no turn. If a meet ends the game by mara.12, that is the ending, whatever the count.",
)];

const DECISIONS: &Texts = &[
    (SETUP, "The picture of the board is lost; the numbers of tiles, lodges and paths fit this one."),
    (
        AT_A_LODGE,
        "The printed words 'adjacent to a lodge' are read by the printed example, where the jeep is at the lodge.",
    ),
    (MEET, "The printed rules do not say whether a meet may do nothing at all."),
    (
        ACTIONS,
        "The printed rules do not say whether a guide task may do nothing at all; a turn that ended by itself would tell what a peek showed.",
    ),
    (DRIVE, "The printed rules do not say how skipped jeeps and runs of one colour go together."),
    (LAY_A_TRACK, "The printed rules do not say when a track that is moved stops counting."),
    (PEEK, "The printed rules do not say whether one may peek where nothing is face down."),
    (PHOTO, "The printed rules do not say how long a peek allows a photo."),
    (END, "Nothing can be scored after the last photo, so the game ends with it and not with the task."),
    (ALWAYS_A_MOVE, "Follows from the board; said so that nobody waits for a move that does not exist."),
    (NO_PHOTOS, "The printed rules know no end for players who take no photos any more."),
    (family::TWO_ACTIONS, "The printed rules do not say whether both actions must be used."),
    (family::CHOICE, "The printed rules do not say who sees the cards drawn, or what happens with one card left."),
];

const CHANGES: [Change; 2] = [
    Change {
        version: 2,
        text: "Players may go on for longer without a photo: 50 turns for each seat, or as many as the option quietTurnsPerSeat says, no longer 20.",
    },
    Change {
        version: 2,
        text: "The turn in which the game ends counts among the turns without a photo like any other.",
    },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let about = About {
        title: "The Mara",
        summary: "Drive tourists across a reserve, find the hidden animals they came to see, and collect photos of as many different ones as you can.",
        notation: "`drive p17` drives to path 17; `place l72`, `meet drop RIVER-BIRD pick BUSH-INSECT GROVE-BIRD`, `drive p17 take p3` (moving your track from path 3), `peek`, `photo 12` (the tile of cell 12), `keep RIVER-BIRD` (family variant) and `end` are the others.",
        options: [
            OptionAbout {
                name: "variant",
                text: "STANDARD, or FAMILY: no tracks and no lodges to return to; tourists come from a deck, and every photo is a point.",
                value: OptionValue::Word { words: &["STANDARD", "FAMILY"], default: "STANDARD" },
            },
            OptionAbout {
                name: "notepads",
                text: "Whether a player's view keeps the tiles it has peeked at and the cards it has put under the deck. Without notepads they are shown until the player's turn ends, and never again.",
                value: OptionValue::Flag { default: false },
            },
        ]
        .into_iter()
        .chain((version >= 2).then_some(OptionAbout {
            name: "quietTurnsPerSeat",
            text: "The game ends when so many turns for each seat in a row have passed without a new photo.",
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
            text: "One for each tile: the animal that the tourist wants to see, and where.",
            reconstructed: false,
            columns: vec!["habitat", "animal"],
            rows: faces(),
        },
        Component {
            name: "Sets",
            text: "What a set of photos of different animals is worth.",
            reconstructed: false,
            columns: vec!["animals", "points"],
            rows: sizes.map(|size| vec![size.to_string(), POINTS[size].to_string()]).collect(),
        },
        Component {
            name: "Actions",
            text: "How many actions a guide has, by the tourists that lie face up when it begins.",
            reconstructed: false,
            columns: vec!["tourists", "actions"],
            rows: tourists.map(|n| vec![n.to_string(), (MOST_ACTIONS - n).to_string()]).collect(),
        },
    ]
}
