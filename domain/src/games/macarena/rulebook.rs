//! The catalogue entry of La Macarena: options, pieces, and the rules by their ids.

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
        "At the start of the game, each seat gets one element at random. For each hand, all 104 cards are shuffled: every seat gets 14, seven lie face up as the wells, and the rest is the deck. All macas are at home.",
    ),
    (
        ORDER,
        "Turns go to the right: after seat 2 comes seat 1. Each hand starts one seat further to the right than the hand before.",
    ),
    (TURN, "On your turn, a card is drawn for you. Then you play a series on one of the seven wells, or pass."),
    (BARRED, "On a normal turn, you may play on a well that has no macas or at least one maca of yours."),
    (
        SERIES,
        "A series continues from the well's top card with one or more cards from your hand. Each card must be next in rank to the one before in the same element (king and ace are neighbours), or have the same rank in another element. The last card may also be identical to the one before.",
    ),
    (
        LADDER,
        "Steps in rank keep going up or keep going down. They may change direction only after a step to the same rank.",
    ),
    (
        SAME_NUMBER,
        "While the rank stays the same, no element may appear twice, counting the card before the first such step. Only the current stretch of equal ranks counts.",
    ),
    (
        COLLECTING,
        "The last card of the series becomes the well's top card, and the cards before it go to your collection. The card it covers is out of play for the rest of the hand.",
    ),
    (
        MIRROR,
        "A step to an identical card is a mirror and ends the series; it is not a step to the same rank. A mirror played alone goes to your collection, and the well stays as it is. At the end of a longer series, the last card lies on the well, and its twin, played just before it, goes to your collection with the other cards.",
    ),
    (
        MACA,
        "A mirror puts one of your macas at that well. If all seven are at wells, one of them must move there, and the move names the well it comes from. If all seven are at this very well, the move names this well, and nothing moves. In any other move no such well may be named.",
    ),
    (
        MIRROR_TURN,
        "A mirror wins a mirror turn at once: one more series on any well, whatever macas are there. You may decline it and keep your macas. No card is drawn for it, unless the option mirrorTurnDraws is on.",
    ),
    (SHARED_WELLS, "Macas of several seats may share a well, and each of their owners may play there."),
    (PASS, "When you pass, all your macas come home."),
    (SEVEN_WELLS, "A player with a maca at each of the seven wells wins the game at once."),
    (
        HAND_END,
        "A hand ends at once when a player has no cards left in hand. It also ends if the deck is empty at the end of a turn, including its mirror turns. A play is resolved in this order: the cards move, the maca is placed, macas at all seven wells win the game, an empty hand ends the hand, and only then does a mirror turn begin.",
    ),
    (
        RETURN,
        "After every hand but the first (with the option firstHandReturns, after the first, too), each player with the most cards in hand gives back one element. They choose it in secret, before collections are shown; a player with one element gives it back without being asked. A player without elements gives back all coins; a player with neither gives nothing.",
    ),
    (SHOW, "Hands and collections are shown. Every maca at a well earns its owner a coin; then all macas go home."),
    (LARGEST, "The largest collection earns a coin, unless it is empty. If several seats tie, each of them gets one."),
    (EMPTY_HAND, "An empty hand earns a coin."),
    (
        MOST,
        "The player who collected the most cards of an element gets its token. If players tie, the highest card of that element decides, ace high, then the next highest, and so on. If their cards are identical, nobody gets the token.",
    ),
    (
        COIN_INSTEAD,
        "If you already have an element when you are paid it, you get a coin instead. Elements that their winners lack are paid first, in the order EARTH, AIR, WATER, FIRE, and this is checked again before each payment; then come the others in the same order. So an amulet made on the way makes room for elements that you had.",
    ),
    (
        EXCHANGE,
        "When you have four coins, you must buy an element that you do not have; which one is your choice. Four different elements become an amulet at once. A choice with only one option is made for you. Coins for macas are paid first, then those for the largest collection, then those for an empty hand, each from the seat that started the hand to the left; the elements come last. Each award, with all exchanges it causes, is settled before the next is paid.",
    ),
    (
        GOAL,
        "The goal is 2 amulets with two or three seats, and 1 with four or five. Players who have reached it when a hand is settled win. If several have, the one with the most amulets wins, then the most elements, then the most coins; if they still tie, they share the win. After the last hand (option maxHands), the same comparison decides among all players.",
    ),
];

/// The rules that version 1 words differently.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        RETURN,
        "After every hand but the first, each player with the most cards in hand gives back one element. They choose it in secret, before collections are shown; a player with one element gives it back without being asked. A player without elements gives back all coins; a player with neither gives nothing.",
    ),
    (
        COIN_INSTEAD,
        "If you already have an element when you are paid it, you get a coin instead. Elements are paid in the order EARTH, AIR, WATER, FIRE.",
    ),
];

const DECISIONS: &Texts = &[
    (ORDER, "The rulebook does not say who starts the later hands."),
    (
        MIRROR,
        "The rulebook does not say clearly which of the twins stays on the well, or whether a mirror is a step to the same rank.",
    ),
    (MACA, "The rulebook does not say what happens when all seven macas are already at this well."),
    (
        MIRROR_TURN,
        "The rulebook does not say whether a card is drawn for a mirror turn, or how a mirror turn is declined.",
    ),
    (HAND_END, "The rulebook does not say which of these comes first when one play causes several."),
    (
        RETURN,
        "By the rulebook, nobody gives anything back after the first hand, although every player holds an element then.",
    ),
    (LARGEST, "The rulebook does not say what happens when nobody has collected any cards."),
    (MOST, "The rulebook does not say who gets an element when the tied cards are identical."),
    (
        COIN_INSTEAD,
        "The rulebook gives a coin for an element that is not needed, but does not say in which order elements are paid.",
    ),
    (EXCHANGE, "The rulebook does not say in which order awards are paid and exchanges are made."),
    (
        GOAL,
        "The rulebook does not say who wins when several players reach the goal at once, and does not limit the number of hands.",
    ),
];

const CHANGES: [Change; 3] = [
    Change {
        version: 2,
        text: "At the end of a hand, elements that their winners lack are paid first, so that an amulet made on the way makes room for the others. Version 1 paid them in a fixed order, and some became coins.",
    },
    Change {
        version: 2,
        text: "A settlement lists its awards in the order of payment. Elements that nobody wins come last.",
    },
    Change {
        version: 2,
        text: "With the new option firstHandReturns, elements are also given back after the first hand.",
    },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let pieces = [("wells", WELLS.to_string()), ("macas of each seat", MACAS.to_string())];
    let about = About {
        title: "La Macarena",
        summary: "Play series of ladders and equal numbers on seven wells, collect the cards between, guard wells with your macas, and be the first to turn the four elements into amulets.",
        notation: "`w4 5E 6E 7E` plays three cards on well 4; `w4 5E from2` is a mirror whose maca comes from well 2; `pass`; `decline`; `return WATER`; `buy FIRE`.",
        options: [OptionAbout {
            name: "mirrorTurnDraws",
            text: "Whether a card is also drawn for a mirror turn.",
            value: OptionValue::Flag { default: false },
        }]
        .into_iter()
        .chain((version >= 2).then_some(OptionAbout {
            name: "firstHandReturns",
            text: "Whether players with the most cards in hand also give back an element after the first hand.",
            value: OptionValue::Flag { default: false },
        }))
        .chain([
            OptionAbout {
                name: "maxHands",
                text: "The largest number of hands. After the last one, the game ends even if nobody has reached the goal.",
                value: OptionValue::Whole { least: 1, most: MOST_HANDS.into(), default: 50 },
            },
            first_seat::ABOUT,
        ])
        .collect(),
        components: vec![
            cards::component(),
            Component {
                name: "Pieces",
                text: "The supply of elements, coins and amulets is unlimited.",
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
