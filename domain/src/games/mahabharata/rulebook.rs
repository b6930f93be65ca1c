//! The catalogue entry of Mahabharata: options, tables, and the rules by their ids.

use super::tables::Tables;
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
pub const TABLES: RuleId = RuleId("mbh.14");

const TEXTS: &Texts = &[
    (
        SETUP,
        "Four leaders are revealed, then one more at a time until some of the revealed leaders have exactly 18 points together. That set is in play; the others are set aside. If several sets fit, the one with the most leaders is kept, and among those the one revealed earliest.",
    ),
    (
        ROUND,
        "Each round, all eight dice are rolled. Players pick in turn, from the player with the elephant round to the last, who picks twice in a row, and then back to the first. A player who can pick must pick.",
    ),
    (
        PICK,
        "A pick takes one die from the table and places a token with the same unit and number from your pool. You have three tokens of each kind; a kind that has run out cannot be placed.",
    ),
    (WHERE, "The token goes behind your screen, or on a leader space with its unit's icon, whatever its number."),
    (
        RAJA,
        "A Raja places any token of your pool that you name. It goes on a leader space with its unit's icon, never behind your screen.",
    ),
    (CLOSED, "You cannot place a token on a space where another player has one. You may stack tokens on your own."),
    (
        SKIPPED,
        "A die that you cannot place cannot be picked. If you can place none of the dice left, your pick is skipped.",
    ),
    (
        END,
        "After a round, the game ends if every leader space has a token (LEADERS_FILLED), or if nobody has a token left in the pool for any of the empty spaces (LEADERS_CLOSED). Otherwise every player with a complete Pati chooses whether to reveal it or hold it back; with the option askEveryone, all players are asked, and a player without a complete Pati can only hold. They choose at the same time, in secret. If anybody reveals, the game ends; if not, the elephant moves one seat to the left and a new round begins. Players who reveal are named; players who hold back are not.",
    ),
    (
        COMPLETE,
        "A Pati is complete if some of the tokens behind the screen make exactly 1 chariot, 1 elephant, 3 cavalry and 5 infantry. Extra tokens there do no harm.",
    ),
    (PATI_SCORE, "At the end, every complete Pati is worth 7 points, revealed or not."),
    (
        FAVOUR,
        "A leader's points go to the player with the most tokens on it. Players who tie for the most get nothing; the points then go to the player with the next most tokens, at least one, unless several players tie for that, too.",
    ),
    (
        WINNER,
        "The player with the most points wins. If several tie for the most, the player alone in second place wins, with any number of points; if nobody is alone there, the game is a draw.",
    ),
    (
        DEAD_END,
        "If nobody can pick a single die in a round, the game ends and is scored. Nobody is asked about a Pati.",
    ),
    (
        TABLES,
        "The option components replaces the table dice, the table leaders, or both. The dice are CHARIOT, ELEPHANT, CAVALRY and INFANTRY in this order, two of each, each with six faces: one of the ten tokens or RAJA. A Pati can be completed with the tokens that the faces show, at most three of each. There are ten leaders with different names of 1 to 40 characters, each with 1 to 18 points and as many spaces. Some of them have exactly 18 points together.",
    ),
];

/// The rules that version 1 words differently.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        PICK,
        "A pick takes one die from the table and places a token with the same unit and number from your pool. You have three tokens of each kind.",
    ),
    (
        END,
        "After a round, the game ends if every leader space has a token; a space that nobody has a token left for counts as filled. Otherwise all players with a complete Pati choose at the same time, in secret, whether to reveal it or hold it back. If anybody reveals, the game ends; if not, the elephant moves one seat to the left and a new round begins. When all have chosen, both the players who revealed and those who held back are named.",
    ),
];

const DECISIONS: &Texts = &[
    (SETUP, "The rulebook does not say which leaders to keep when several sets make 18."),
    (ROUND, "The rulebook does not say whether a player may decline a pick."),
    (SKIPPED, "The rulebook does not say what happens to a player who cannot place any of the dice."),
    (
        END,
        "The rulebook does not say what happens when tokens run out and some spaces can no longer be filled, or who is asked about a Pati.",
    ),
    (WINNER, "The rulebook does not say how many points second place needs to win a tie."),
    (DEAD_END, "The rulebook does not say what happens when nobody can place a token."),
    (TABLES, "The faces of the dice and the leader cards are lost. An owner of the box can put them right."),
];

const CHANGES: [Change; 5] = [
    Change {
        version: 2,
        text: "A game that ends because nobody has a token left for the empty leader spaces ends with LEADERS_CLOSED. In version 1 it ended with LEADERS_FILLED.",
    },
    Change {
        version: 2,
        text: "Only players who reveal a Pati are named. Version 1 also named the players who held back.",
    },
    Change {
        version: 2,
        text: "With the new option askEveryone, every seat is asked about its Pati after every round.",
    },
    Change { version: 2, text: "The new option components replaces the tables of dice and leaders." },
    Change {
        version: 2,
        text: "A Raja that names a token which has run out is refused by mbh.3, no longer by mbh.5. While players choose what to do with their Patis, a pick by a seat that is not asked is refused by mbh.2, no longer by mbh.8.",
    },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let ask_everyone = OptionAbout {
        name: "askEveryone",
        text: "Whether every seat is asked about its Pati after every round. If not, only seats with a complete Pati are asked.",
        value: OptionValue::Flag { default: false },
    };
    let components = OptionAbout {
        name: "components",
        text: "Tables of dice, leaders or both in place of the built-in ones, which are reconstructions.",
        value: OptionValue::Components,
    };
    let texts = if version == 1 { &TEXTS[..TEXTS.len() - 1] } else { TEXTS };
    let about = About {
        title: "Mahabharata",
        summary: "Draft dice and place matching tokens: on leaders, to win their favour with the most tokens, or behind your screen, to gather a Pati of 1 chariot, 1 elephant, 3 cavalry and 5 infantry.",
        notation: "`d3 screen` takes die 3 and puts its token behind your screen; `d3 l1.2` puts it on space 2 of leader 1; for a Raja you name the token: `d3 CAVALRY2 l1.2`. After a round, `reveal` shows your complete Pati and `hold` holds it back.",
        options: if version == 1 { vec![first_seat::ABOUT] } else { vec![first_seat::ABOUT, ask_everyone, components] },
        components: Tables::default().about(),
        board: None,
        rules: About::rules(texts, DECISIONS),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}
