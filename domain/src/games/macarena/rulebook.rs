//! What the catalogue says of La Macarena: options, pieces, and the rules by their ids.

use super::wells::WELLS;
use super::{MACAS, MOST_HANDS, cards};
use crate::about::Texts;
use crate::{About, Change, Component, OptionAbout, OptionValue, RuleId, first_seat};

pub const SETUP: RuleId = RuleId("mac.1");
pub const ORDER: RuleId = RuleId("mac.2");
pub const TURN: RuleId = RuleId("mac.3");
pub const BARRED: RuleId = RuleId("mac.4");
pub const SERIES: RuleId = RuleId("mac.5");
pub const LADDER: RuleId = RuleId("mac.6");
pub const SAME_NUMBER: RuleId = RuleId("mac.7");
pub const COLLECTING: RuleId = RuleId("mac.8");
pub const MIRROR: RuleId = RuleId("mac.9");
pub const MACA: RuleId = RuleId("mac.10");
pub const MIRROR_TURN: RuleId = RuleId("mac.11");
pub const SHARED_WELLS: RuleId = RuleId("mac.12");
pub const PASS: RuleId = RuleId("mac.13");
pub const SEVEN_WELLS: RuleId = RuleId("mac.14");
pub const HAND_END: RuleId = RuleId("mac.15");
pub const RETURN: RuleId = RuleId("mac.16");
pub const SHOW: RuleId = RuleId("mac.17");
pub const LARGEST: RuleId = RuleId("mac.18");
pub const EMPTY_HAND: RuleId = RuleId("mac.19");
pub const MOST: RuleId = RuleId("mac.20");
pub const COIN_INSTEAD: RuleId = RuleId("mac.21");
pub const EXCHANGE: RuleId = RuleId("mac.22");
pub const GOAL: RuleId = RuleId("mac.23");

const TEXTS: &Texts = &[
    (
        SETUP,
        "At the start each seat is given one element by chance. For each hand all 104 cards are shuffled, every seat gets 14, seven face-up cards are the wells, and the rest is the deck; all macas are at home.",
    ),
    (
        ORDER,
        "Turns go to the right: after seat 2 comes seat 1. Each hand starts one seat further to the right than the last.",
    ),
    (TURN, "On your turn a card is drawn for you; then you play a series on one of the seven wells, or pass."),
    (BARRED, "On a normal turn you may play on a well without macas, or on one where a maca of yours stands."),
    (
        SERIES,
        "A series goes from the well's top through one or more cards of your hand. Each step is to a neighbour in rank within the element (king and ace are neighbours), to the same rank in another element or, as the last step only, to an identical card.",
    ),
    (LADDER, "Steps in rank keep their direction; after a step to the same rank they may turn round."),
    (
        SAME_NUMBER,
        "While the rank stays the same, no element may come twice, counting the card where that began. A later stretch of equal ranks starts afresh.",
    ),
    (
        COLLECTING,
        "The last card of the series becomes the well's top, the cards before it go to your collection. What a top covers is out of play for this hand.",
    ),
    (
        MIRROR,
        "A step to an identical card is a mirror and ends the series; it is no step to the same rank. A mirror played alone goes to your collection and leaves the well as it was. At the end of a longer series the last card lies on the well, and its twin, played just before it, goes to your collection with the others.",
    ),
    (
        MACA,
        "A mirror puts one of your macas at that well. If all seven are out, one of them must move there, and the move says from which well; with all seven at this very well it names this well, and nothing moves. Otherwise no such well may be named.",
    ),
    (
        MIRROR_TURN,
        "A mirror wins a mirror turn at once: one more series on any well, whatever macas stand there, or you decline it and keep your macas. Nothing is drawn for it unless the option mirrorTurnDraws says so.",
    ),
    (SHARED_WELLS, "Macas of several seats may share a well, and each of their owners may play there."),
    (PASS, "When you pass, all your macas come home."),
    (SEVEN_WELLS, "Whoever has a maca at each of the seven wells has won the game at once."),
    (
        HAND_END,
        "A hand ends at once when somebody has no card left in hand, and after the turn (with its mirror turns) at whose end the deck is empty. After a play cards move first, then the maca is placed, then seven wells win, then an empty hand ends the hand, and only then there is a mirror turn.",
    ),
    (
        RETURN,
        "After every hand but the first (with the option firstHandReturns after the first, too) all who hold the most cards give back one element of their choice, chosen in secret before collections are shown; an only element is given back without asking. Without elements they give all their coins, without either nothing.",
    ),
    (SHOW, "Hands and collections are shown. Every maca at a well earns a coin, then all macas go home."),
    (LARGEST, "The largest collection earns a coin, for each seat that ties, unless it is empty."),
    (EMPTY_HAND, "An empty hand earns a coin."),
    (
        MOST,
        "The most collected cards of an element earn its token. A tie goes to the highest card of the element, the ace above the king, then to the next highest and so on; identical cards earn nobody anything.",
    ),
    (
        COIN_INSTEAD,
        "If you have that element already when it is paid, you get a coin instead. Elements that are needed are paid first: always the first, in the order EARTH, AIR, WATER, FIRE, whose winner does not have it at that moment; when there is none, the first that is left. So an amulet made on the way makes room for what you had.",
    ),
    (
        EXCHANGE,
        "Four coins must buy an element that you do not have, of your choice. Four different elements become an amulet at once. A choice with one option is made without asking. Coins for macas are paid first, then those for the largest collection, then those for an empty hand, each from the hand's starter to the left, then the elements; each award, with all exchanges that it causes, is settled before the next.",
    ),
    (
        GOAL,
        "With two or three seats 2 amulets are needed, with four or five seats 1. Of those who have them when a hand is settled, the most amulets win, then the most elements, then the most coins; equals share. After the last hand (option maxHands) the same comparison decides.",
    ),
];

/// Where version 1 says something else.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        RETURN,
        "After every hand but the first, all who hold the most cards give back one element of their choice, chosen in secret before collections are shown; an only element is given back without asking. Without elements they give all their coins, without either nothing.",
    ),
    (
        COIN_INSTEAD,
        "If you have that element already when it is paid, you get a coin instead. Elements are paid in the order EARTH, AIR, WATER, FIRE.",
    ),
];

const DECISIONS: &Texts = &[
    (ORDER, "The printed rules do not say who starts a later hand."),
    (
        MIRROR,
        "The printed rules do not say clearly which of the two twins stays on the well, nor whether a mirror is a same-number step.",
    ),
    (MACA, "The printed rules do not say what happens when all seven macas stand at this very well."),
    (MIRROR_TURN, "The printed rules do not say whether a mirror turn draws a card, or how it is declined."),
    (HAND_END, "The printed rules do not say what comes first when one play does several of these things."),
    (RETURN, "The printed rules have nobody give anything after the first hand, though everybody holds a token then."),
    (LARGEST, "The printed rules do not say what happens when nobody has collected a card."),
    (MOST, "The printed rules do not say who wins an element when the cards are identical."),
    (
        COIN_INSTEAD,
        "The printed rules give a coin for an element that is not needed, and do not say in which order elements are paid.",
    ),
    (EXCHANGE, "The printed rules do not say in which order awards are paid and exchanged."),
    (GOAL, "The printed rules do not say who wins when several reach the goal at once, and set no limit of hands."),
];

const CHANGES: [Change; 3] = [
    Change {
        version: 2,
        text: "At the end of a hand you are paid the elements that you lack first, so that an amulet made on the way makes room for the others; they used to be paid in a fixed order, and some were lost to a coin.",
    },
    Change {
        version: 2,
        text: "A settlement lists its awards in the order in which they were paid; elements that nobody wins come last.",
    },
    Change { version: 2, text: "With the option firstHandReturns elements are returned after the first hand, too." },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let pieces = [("wells", WELLS.to_string()), ("macas of each seat", MACAS.to_string())];
    let about = About {
        title: "La Macarena",
        summary: "Lay ladders and equal numbers on seven wells, collect the cards between, guard wells with your macas, and be the first to turn the four elements into amulets.",
        notation: "`w4 5E 6E 7E` plays three cards on well 4; `w4 5E from2` is a mirror whose maca comes from well 2; `pass`; `decline`; `return WATER`; `buy FIRE`.",
        options: [OptionAbout {
            name: "mirrorTurnDraws",
            text: "Whether a card is drawn for a mirror turn, too.",
            value: OptionValue::Flag { default: false },
        }]
        .into_iter()
        .chain((version >= 2).then_some(OptionAbout {
            name: "firstHandReturns",
            text: "Whether those with the most cards return an element after the first hand, too.",
            value: OptionValue::Flag { default: false },
        }))
        .chain([
            OptionAbout {
                name: "maxHands",
                text: "After so many hands the game ends, whatever has been won.",
                value: OptionValue::Whole { least: 1, most: MOST_HANDS.into(), default: 50 },
            },
            first_seat::ABOUT,
        ])
        .collect(),
        components: vec![
            cards::component(),
            Component {
                name: "Pieces",
                text: "Elements, coins and amulets are not limited.",
                reconstructed: false,
                columns: vec!["piece", "number"],
                rows: pieces.map(|(piece, number)| vec![piece.to_string(), number]).into(),
            },
        ],
        board: None,
        rules: About::rules(TEXTS, DECISIONS),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}
