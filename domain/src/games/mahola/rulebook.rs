//! The catalogue entry of Mahola: options, cards, and the rules by their ids.

use super::{MOST_ROUNDS_TO_WIN, Tables};
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
pub const TABLES: RuleId = RuleId("mahola.12");

const TEXTS: &Texts = &[
    (
        DEAL,
        "Each round, every player is dealt a character and five dance cards, in secret. The remaining cards are the deck.",
    ),
    (
        PLAY,
        "A round has five turns. In each turn, every player secretly chooses a card from hand and an end of their own tableau, left or right; a card never goes between two others. When all have chosen, all cards are placed at once. For the first card, both ends mean the same.",
    ),
    (
        PASS,
        "Then every player secretly chooses one card for the left neighbour and another for the right. When all have chosen, the cards change hands. A card received in a turn cannot be passed on in the same turn.",
    ),
    (
        DRAW,
        "Then every player draws a card, seat 0 first, and has five again. Every turn ends with passing and drawing, the fifth included. With the option lastPass off, the fifth turn ends once its cards are placed, and four cards are left in hand.",
    ),
    (
        ABILITY,
        "After the fifth turn the characters are shown. Every player secretly chooses whether and how to use the character's ability on their own tableau; then all abilities are carried out together. The Hunter and the Maiden take a card from their hand as it is then, including the cards received and drawn in the fifth turn.",
    ),
    (
        VALUE,
        "If a card has the character's colour, its value is added. If not, it counts nothing if it shows the character's animal, and is subtracted otherwise.",
    ),
    (
        SECONDARY,
        "A card's secondary points count once if another card in the tableau shows that dance. A special dance shows every dance.",
    ),
    (
        ADJACENT,
        "A card's adjacent points count once for each card right next to it that shows that dance. A special dance shows every dance.",
    ),
    (
        FAVOR,
        "The player with the highest score gets the round's favor token. If players tie, the one with the most special dances gets it; if they still tie, the one with the most cards that scored secondary points. If the tie remains, nobody gets the token.",
    ),
    (
        END,
        "The first player to collect the required number of favor tokens (option roundsToWin) wins the game. Until then, new rounds are dealt.",
    ),
    (FINAL, "A choice is final. Other players see that you have chosen, but not what."),
    (
        TABLES,
        "The option components replaces the table cards, the table characters, or both. The cards are 1 to 44 in this order. Each has a dance, one of the eight or SPECIAL, a colour, a value of 1 to 9 and an animal; secondary and adjacent each name one of the eight dances with 1 to 9 points, or are left out. Every dance, colour and animal is on some card. The characters are CHIEF, SHAMAN, HUNTER and MAIDEN in this order; no two have the same colour or the same animal.",
    ),
];

/// The rules that version 1 words differently.
const TEXTS_OF_VERSION_1: &Texts = &[
    (
        DRAW,
        "Then every player draws a card, seat 0 first, and has five again. In the fifth turn no cards are passed or drawn.",
    ),
    (
        ABILITY,
        "After the fifth turn the characters are shown. Every player secretly chooses whether and how to use the character's ability on their own tableau; then all abilities are carried out together. The Hunter and the Maiden take one of the four cards left in hand.",
    ),
];

const DECISIONS: &Texts = &[
    (PLAY, "The rulebook does not say when a player chooses the end of the tableau."),
    (
        ABILITY,
        "The printed abilities are lost, like the cards. We designed these, and decided that all are used at the same time.",
    ),
    (SECONDARY, "The card faces are lost. How a secondary dance is matched is our reading."),
    (ADJACENT, "The card faces are lost. How adjacent dances count is our reading."),
    (FAVOR, "The rulebook does not say what happens if the last comparison is tied, too."),
    (END, "The rulebook does not say how many rounds there can be. A tied round gives no token."),
    (FINAL, "At a real table, players could change a choice until everybody has chosen."),
    (TABLES, "The card faces are lost. An owner of the box can put them right."),
];

/// Our decisions in version 1 that later versions play as printed.
const DECISIONS_OF_VERSION_1: &Texts =
    &[(DRAW, "Hands are discarded soon after the fifth turn, so passing cards in it seemed pointless.")];

const CHANGES: [Change; 3] = [
    Change {
        version: 2,
        text: "Cards are also passed and drawn in the fifth turn, as printed. The Hunter and the Maiden therefore choose from five cards, no longer from four.",
    },
    Change { version: 2, text: "With the new option lastPass off, the fifth turn is as short as in version 1." },
    Change { version: 2, text: "The new option components replaces the tables of cards and characters." },
];

/// The entry in the catalogue.
pub fn about(version: u32) -> About {
    let rounds_to_win = OptionAbout {
        name: "roundsToWin",
        text: "The number of favor tokens that wins the game.",
        value: OptionValue::Whole { least: 1, most: MOST_ROUNDS_TO_WIN.into(), default: 3 },
    };
    let last_pass = OptionAbout {
        name: "lastPass",
        text: "Whether cards are also passed and drawn in the fifth turn, as printed. If not, that turn ends once its cards are placed.",
        value: OptionValue::Flag { default: true },
    };
    let components = OptionAbout {
        name: "components",
        text: "Tables of cards, characters or both in place of the built-in ones, which are reconstructions.",
        value: OptionValue::Components,
    };
    let texts = if version == 1 { &TEXTS[..TEXTS.len() - 1] } else { TEXTS };
    let about = About {
        title: "Mahola",
        summary: "Lay out a dance for your secret character, and pass unwanted cards to both neighbours. The best dance of each round earns a favor token.",
        notation: "`play 17 LEFT` plays card 17 to the left end of your tableau; `pass 12 5` passes card 12 to the left and card 5 to the right. Abilities, with positions counted from 0: `swap 0 3` (Chief), `move 2 0` (Shaman), `exchange 12` (Hunter), `exchange LEFT 12` (Maiden), or `decline`.",
        options: if version == 1 { vec![rounds_to_win] } else { vec![rounds_to_win, last_pass, components] },
        components: Tables::default().about(),
        board: None,
        rules: About::rules(texts, &decisions(version)),
        changes: CHANGES.into_iter().filter(|change| change.version <= version).collect(),
    };
    if version == 1 { about.with_texts(TEXTS_OF_VERSION_1) } else { about }
}

fn decisions(version: u32) -> Vec<(RuleId, &'static str)> {
    if version == 1 { [DECISIONS, DECISIONS_OF_VERSION_1].concat() } else { DECISIONS.to_vec() }
}
