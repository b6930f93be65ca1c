//! What the catalogue says of Mahabharata: options, tables, and the rules by their ids.

use super::components::tables;
use crate::about::Texts;
use crate::{About, Change, OptionAbout, OptionValue, RuleId, first_seat};

pub const SETUP: RuleId = RuleId("mbh.1");
pub const ROUND: RuleId = RuleId("mbh.2");
pub const PICK: RuleId = RuleId("mbh.3");
pub const WHERE: RuleId = RuleId("mbh.4");
pub const RAJA: RuleId = RuleId("mbh.5");
pub const CLOSED: RuleId = RuleId("mbh.6");
pub const SKIPPED: RuleId = RuleId("mbh.7");
pub const END: RuleId = RuleId("mbh.8");
pub const COMPLETE: RuleId = RuleId("mbh.9");
pub const PATI_SCORE: RuleId = RuleId("mbh.10");
pub const FAVOUR: RuleId = RuleId("mbh.11");
pub const WINNER: RuleId = RuleId("mbh.12");
pub const DEAD_END: RuleId = RuleId("mbh.13");

const TEXTS: &Texts = &[
    (
        SETUP,
        "Four leaders are revealed, then one more at a time until some of them have exactly 18 points together. These are in play, the others set aside. If several sets fit, the one with most leaders is taken, then the one revealed earliest.",
    ),
    (
        ROUND,
        "Each round all eight dice are rolled. Picks go from the player with the elephant round to the last, who picks twice in a row, and back again. A pick that is possible must be made.",
    ),
    (
        PICK,
        "A pick takes one die from the table and places a token from your pool with the die's unit and number. You have three tokens of each kind, and none that has run out can be placed.",
    ),
    (WHERE, "The token goes behind your screen or on a leader space with its unit's icon, whatever its number."),
    (
        RAJA,
        "A Raja places any token of your pool that you name, on a leader space with its unit's icon, never behind the screen.",
    ),
    (CLOSED, "Where another player has a token you cannot place one; on your own you may stack."),
    (SKIPPED, "A die that you cannot place cannot be picked. If that is true of every die left, your pick is skipped."),
    (
        END,
        "After a round the game ends if every leader space has a token (LEADERS_FILLED). It also ends if nobody has a token left in the pool for any of the empty spaces (LEADERS_CLOSED). Otherwise all players with a complete Pati are asked; with the option askEveryone all players are. They choose at the same time, in secret, to reveal it or to hold it back; without a complete Pati one can only hold. If anybody reveals, the game ends; else the elephant goes to the left and a new round begins. Players who reveal are announced, players who hold back are not.",
    ),
    (
        COMPLETE,
        "A Pati is complete if some of the tokens behind the screen make exactly 1 chariot, 1 elephant, 3 cavalry and 5 infantry. Other tokens there do no harm.",
    ),
    (PATI_SCORE, "At the end every complete Pati is worth 7 points, revealed or not."),
    (
        FAVOUR,
        "A leader's points go to the player with most tokens on it. If several tie for most, they get nothing, and the points go to the player with the next most tokens, at least one, if nobody ties with that player.",
    ),
    (
        WINNER,
        "Most points win. If several tie for most, the player alone in second place wins, with any points; if nobody is alone there, the game is a draw.",
    ),
    (DEAD_END, "If a round passes without a single pick, the game ends and is scored; nobody is asked about a Pati."),
];

/// Where version 1 says something else.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        PICK,
        "A pick takes one die from the table and places a token from your pool with the die's unit and number. You have three tokens of each kind.",
    ),
    (
        END,
        "After a round the game ends if every leader space has a token; a space whose unit is in nobody's pool any more counts, too. Otherwise all players with a complete Pati choose at the same time, in secret, to reveal it or to hold it back. If anybody reveals, the game ends; else the elephant goes to the left and a new round begins. When all have chosen, those who revealed and those who held back are announced.",
    ),
];

const DECISIONS: &Texts = &[
    (SETUP, "The printed rules do not say which leaders stay when several sets make 18."),
    (ROUND, "The printed rules do not say whether a pick may be declined."),
    (SKIPPED, "The printed rules do not say what happens to a player who can place none of the dice."),
    (
        END,
        "The printed rules do not say what happens when tokens run out and spaces can no longer be filled, nor who is asked about a Pati.",
    ),
    (WINNER, "The printed rules do not say how many points second place needs to win a tie."),
    (DEAD_END, "The printed rules do not say what happens when nobody can place anything."),
];

const CHANGES: [Change; 4] = [
    Change {
        version: 2,
        text: "A game that ends because nobody has a token left for the empty leader spaces says so: LEADERS_CLOSED, no longer LEADERS_FILLED.",
    },
    Change { version: 2, text: "Only the players who reveal a Pati are announced; those who hold back stay unnamed." },
    Change { version: 2, text: "With the option askEveryone every seat is asked about its Pati after every round." },
    Change {
        version: 2,
        text: "A token that has run out is refused by mbh.3, for a Raja too, and a pick of a seat that is not asked, while others answer, by mbh.2.",
    },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let ask_everyone = OptionAbout {
        name: "askEveryone",
        text: "Whether every seat is asked about its Pati after every round. If not, only those with a complete one are.",
        value: OptionValue::Flag { default: false },
    };
    let about = About {
        title: "Mahabharata",
        summary: "Draft dice and place matching tokens: on leaders, whose favour goes to the strongest influence, or behind your screen, where you gather a Pati of 1 chariot, 1 elephant, 3 cavalry and 5 infantry.",
        notation: "`d3 screen` takes die 3 and puts its token behind your screen; `d3 l1.2` puts it on space 2 of leader 1; a Raja names the token: `d3 CAVALRY2 l1.2`. `reveal` and `hold` say what you do with a complete Pati.",
        options: [first_seat::ABOUT].into_iter().chain((version >= 2).then_some(ask_everyone)).collect(),
        components: tables(),
        board: None,
        rules: About::rules(TEXTS, DECISIONS),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}
