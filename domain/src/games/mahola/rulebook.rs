//! What the catalogue says of Mahola: options, cards, and the rules by their ids.

use super::{MOST_ROUNDS_TO_WIN, cards};
use crate::about::Texts;
use crate::{About, Change, OptionAbout, OptionValue, RuleId};

pub const DEAL: RuleId = RuleId("mahola.1");
pub const PLAY: RuleId = RuleId("mahola.2");
pub const PASS: RuleId = RuleId("mahola.3");
pub const DRAW: RuleId = RuleId("mahola.4");
pub const ABILITY: RuleId = RuleId("mahola.5");
pub const VALUE: RuleId = RuleId("mahola.6");
pub const SECONDARY: RuleId = RuleId("mahola.7");
pub const ADJACENT: RuleId = RuleId("mahola.8");
pub const FAVOR: RuleId = RuleId("mahola.9");
pub const END: RuleId = RuleId("mahola.10");
pub const FINAL: RuleId = RuleId("mahola.11");

const TEXTS: &Texts = &[
    (DEAL, "In each round everybody is dealt a character and five dance cards, in secret. The rest is the deck."),
    (
        PLAY,
        "In each of five turns everybody chooses, in secret, a card from the hand and the end of the own tableau where it goes, never between two cards. When all have chosen, the cards are placed at once. For the first card both ends mean the same.",
    ),
    (
        PASS,
        "Then everybody chooses, in secret, a card for the left neighbour and another for the right. When all have chosen, the cards change hands. What is received in a turn cannot be passed on in it.",
    ),
    (
        DRAW,
        "Then everybody draws a card, seat 0 first, and has five again. Passing and drawing end every turn, the fifth too. With the option lastPass switched off the fifth turn ends when its cards are placed, and four cards are left in hand.",
    ),
    (
        ABILITY,
        "After the fifth turn the characters are shown. Everybody chooses, in secret, whether and how to use the character's ability on the own tableau; all are carried out together. The Hunter and the Maiden take a card from the hand as it is then, with what was received and drawn in the fifth turn.",
    ),
    (
        VALUE,
        "A card's value is added if its colour is the character's. Otherwise it counts nothing if its animal is the character's, and is subtracted if not.",
    ),
    (
        SECONDARY,
        "A card's secondary points count once if another card of the tableau shows that dance. A special dance shows every dance.",
    ),
    (
        ADJACENT,
        "A card's adjacent points count for each of its direct neighbours that shows that dance. A special dance shows every dance.",
    ),
    (
        FAVOR,
        "The highest score gets the round's favor token. Among those tied the most special dances decide, then the most cards whose secondary points counted. If that leaves several, nobody gets the token.",
    ),
    (END, "Whoever first has as many favor tokens as it takes wins the game. Until then new rounds are dealt."),
    (FINAL, "A choice is final once it is made. Others see that it was made, not what it is."),
];

/// Where version 1 says something else.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        DRAW,
        "Then everybody draws a card, seat 0 first, and has five again. In the fifth turn nothing is passed or drawn.",
    ),
    (
        ABILITY,
        "After the fifth turn the characters are shown. Everybody chooses, in secret, whether and how to use the character's ability on the own tableau; all are carried out together. The Hunter and the Maiden take one of the four cards left in hand.",
    ),
];

const DECISIONS: &Texts = &[
    (PLAY, "The printed rules do not say when the end of the tableau is chosen."),
    (ABILITY, "The printed abilities are lost with the cards; these, and their being used at the same time, are ours."),
    (SECONDARY, "The card faces are lost: how a secondary dance is matched is our reading."),
    (ADJACENT, "The card faces are lost: how adjacent dances count is our reading."),
    (FAVOR, "The printed rules do not say what happens when the last comparison is tied."),
    (END, "The printed rules do not say how many rounds there can be; a tied round gives no token."),
    (FINAL, "On paper one could change one's mind until all have chosen."),
];

/// What was our decision in version 1 and is played as printed since.
const DECISIONS_OF_VERSION_1: &Texts =
    &[(DRAW, "The hands are thrown in soon after the fifth turn, so that cards passed then seemed of no use.")];

const CHANGES: [Change; 2] = [
    Change {
        version: 2,
        text: "Cards are passed and drawn in the fifth turn, too, as printed; the Hunter and the Maiden choose from five cards, no longer four.",
    },
    Change { version: 2, text: "With the option lastPass switched off the fifth turn is as short as it was." },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let rounds_to_win = OptionAbout {
        name: "roundsToWin",
        text: "How many favor tokens win the game.",
        value: OptionValue::Whole { least: 1, most: MOST_ROUNDS_TO_WIN.into(), default: 3 },
    };
    let last_pass = OptionAbout {
        name: "lastPass",
        text: "Whether cards are passed and drawn in the fifth turn, too, as printed. If not, it ends when its cards are placed.",
        value: OptionValue::Flag { default: true },
    };
    let about = About {
        title: "Mahola",
        summary: "Everybody lays out a dance for a secret character and passes unwanted cards to both neighbours. The best dance of a round earns a favor token.",
        notation: "`play 17 LEFT` plays card 17 to the left end of your tableau; `pass 12 5` passes card 12 to the left and card 5 to the right. Abilities, with positions counted from 0: `swap 0 3` (Chief), `move 2 0` (Shaman), `exchange 12` (Hunter), `exchange LEFT 12` (Maiden), or `decline`.",
        options: [rounds_to_win].into_iter().chain((version >= 2).then_some(last_pass)).collect(),
        components: vec![cards::about_cards(), cards::about_characters()],
        board: None,
        rules: About::rules(TEXTS, &decisions(version)),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}

fn decisions(version: u32) -> Vec<(RuleId, &'static str)> {
    if version == 1 { [DECISIONS, DECISIONS_OF_VERSION_1].concat() } else { DECISIONS.to_vec() }
}
