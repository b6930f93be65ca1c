//! Mahola: dance for a secret character, and pass unwanted cards to your neighbours.
//!
//! 1. In each round every seat is dealt a character and five dance cards, all secret; the rest is the deck.
//! 2. A round has five turns. In each, every seat chooses a card and the end of its tableau where it goes; when all
//!    have chosen, all cards are placed at once. Decision: card and end are chosen together; for the first card of a
//!    tableau either end means the same.
//! 3. Then every seat chooses a card for its left neighbour and another for its right; when all have chosen, they
//!    change hands. A card received in a turn cannot be passed on in the same turn.
//! 4. Then everybody draws a card, seat 0 first, and has five again. That and rule 3 end every turn; with the option
//!    `lastPass` off the fifth turn ends with its placing, and four cards are left in hand.
//! 5. After the fifth turn all characters are shown, and every seat uses its ability or declines; all at once.
//! 6. A card's value is added in the character's colour, counts nothing with its animal, and is subtracted otherwise.
//! 7. Decision: secondary points count once if another card of the tableau shows that dance.
//! 8. Decision: adjacent points count once for each direct neighbour that shows that dance.
//! 9. The highest score gets the round's favor token; tied, the most special dances, then the most secondary matches.
//!    Decision: still tied, nobody gets it.
//! 10. The first seat with enough tokens wins. Decision: rounds and tokens are not limited.
//! 11. Decision: a choice once made is final; others see that it was made, never what it is.
//!
//! Decision: a special dance counts as every dance for the cards that look for one, and has no secondary or adjacent
//! points itself. Positions in a tableau count from the left, 0 first.
//!
//! 12. Decision: the option `components` replaces the tables of cards and characters, whose printed originals are lost.
//!
//! Version 1 has no `lastPass` and no `components`: nothing is passed or drawn in the fifth turn. See [`Edition`].

mod cards;
mod choice;
mod judgement;
mod knowledge;
mod round;
mod rulebook;
mod tableau;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use cards::{Animal, Card, Cards, Character, Colour, Dance, Face};
pub use choice::{Move, Pair};
pub use knowledge::{Given, Received};
pub use round::{Comparison, Criterion, RoundScore, SeatScore};
pub use tableau::{Ability, Because, CardScore, End, Tableau, TableauScore};
pub use tables::{BonusEntry, CardEntry, CharacterEntry, Components, Shown, Table, Tables};

use round::Scored;
use rulebook::{ABILITY, DEAL, END, FINAL, PASS, PLAY};

use crate::small::small;
use crate::{
    About, BySeat, Chance, Component, Illegal, Outcome, RuleId, Rules, Seat, Seats, Sink, Standing, TokenType, Viewer,
    places_by,
};

const HAND: usize = 5;
/// Turns of a round, and cards of a complete tableau.
const TURNS: u8 = 5;
const MOST_ROUNDS_TO_WIN: u8 = 5;

/// A game of Mahola.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mahola {
    rounds_to_win: u8,
    /// Public.
    tokens: BySeat<u8>,
    /// Public. The first is 0.
    round: u32,
    /// Public. The first of a round is 0.
    turn: u8,
    /// Public.
    phase: Phase,
    /// Secret: each player's own, until the fifth turn is over. One that was not dealt is never shown.
    characters: BySeat<Character>,
    /// Secret: each player's own. A card that was chosen stays here until all have chosen.
    hands: BySeat<Cards>,
    /// Public.
    tableaus: BySeat<Tableau>,
    /// Secret: each player's own. It is public whether there is one.
    choices: BySeat<Option<Move>>,
    /// Secret from everybody. The top card is the last.
    deck: Vec<Card>,
    /// The turns of this round so far: partly public, partly secret to the seats involved.
    turns: Vec<Turn>,
    /// Public: cards that abilities took out of tableaus in the last round of the game. Other rounds deal them again.
    out: Cards,
    /// Public: the last round that was scored.
    scored: Option<Box<Scored>>,
    /// Public.
    #[serde(skip)]
    edition: Edition,
    /// Public. Part of the options, not of the saved state.
    #[serde(skip)]
    tables: Tables,
}

/// The differences between versions of the rules: in version 1 the fifth turn always ends with its placing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    version: u32,
    last_pass: bool,
}

impl Default for Edition {
    fn default() -> Edition {
        Edition { version: 1, last_pass: false }
    }
}

/// The decision that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// Which card goes to which end of the tableau.
    Play,
    /// Which cards go to the neighbours.
    Pass,
    /// Whether and how the character's ability is used.
    Ability,
    /// Nothing: the game is over.
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Turn {
    /// Public.
    played: BySeat<Card>,
    /// `None` until all have chosen the cards to pass, and in a last turn without passing.
    passed: Option<BySeat<Passed>>,
}

/// The cards that one seat gave and drew in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Passed {
    /// Secret: the giver's and its left neighbour's.
    left: Card,
    /// Secret: the giver's and its right neighbour's.
    right: Card,
    /// Secret: that of the seat that drew it.
    drawn: Card,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    pub rounds_to_win: u8,
    /// Whether cards are also passed and drawn in the fifth turn. By default they are. Version 1 has no such option.
    #[serde(deserialize_with = "crate::rules::given", skip_serializing_if = "Option::is_none")]
    pub last_pass: Option<bool>,
    /// Tables in place of the built-in ones. Version 1 has no such option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Components>,
}

impl Options {
    /// The tables of a game with these options, which [`Rules::check_options`] accepted.
    pub fn tables(&self) -> Tables {
        Tables::of(self.components.as_ref()).unwrap_or_default()
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { rounds_to_win: 3, last_pass: None, components: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A new round was dealt.
    Dealt { round: u32 },
    /// A seat made its choice, which is still secret.
    Chose { seat: Seat },
    /// A card was added to a tableau. The first card of a tableau goes to no end.
    Placed { seat: Seat, card: Shown, end: Option<End> },
    /// Everybody handed a card to each neighbour.
    Passed { turn: u8 },
    /// Everybody drew a card.
    Drew { turn: u8, deck_size: u8 },
    /// A character was shown.
    Revealed { seat: Seat, character: Character },
    /// A character's ability was used or declined.
    UsedAbility { seat: Seat, character: Character, ability: Ability<Shown> },
    /// A round is over. Without a winner the favor token goes to nobody.
    Scored { round: u32, scores: BySeat<i16>, winner: Option<Seat>, decided_by: Option<Criterion> },
    /// A seat has enough favor tokens to win.
    Ended { winner: Seat, tokens: BySeat<u8> },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub rounds_to_win: u8,
    /// The first is 0.
    pub round: u32,
    /// The first of a round is 0.
    pub turn: u8,
    pub phase: Phase,
    pub deck_size: u8,
    /// The top first. Only when all hands are open.
    pub deck: Option<Vec<Card>>,
    /// In seat order.
    pub seats: Vec<SeatView>,
    /// The last round that was scored, until the next one is.
    pub last_round: Option<RoundScore>,
    /// Which cards and characters the game has, for drawings.
    #[serde(skip)]
    pub tables: Tables,
}

/// One seat as the viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    pub seat: Seat,
    pub tokens: u8,
    /// Whether it has made its current choice.
    pub has_chosen: bool,
    pub hand_size: u8,
    /// From left to right.
    pub tableau: Tableau,
    /// The viewer's own; all once they are revealed.
    pub character: Option<Character>,
    /// The current score of the tableau, if the character is known.
    pub score: Option<TableauScore>,
    /// Known only to the player of this seat.
    pub private: Option<Private>,
}

/// The knowledge of one player alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Private {
    pub hand: Cards,
    /// The choice it has made, while others have not chosen yet.
    pub choice: Option<Move>,
    /// Cards it gave away in this round and has not seen since.
    pub given: Vec<Given>,
    /// The cards received from the left and the right neighbour when cards were last passed in this round.
    pub received: Vec<Received>,
    /// The card it drew last in this round.
    pub drawn: Option<Card>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// Favor tokens.
    pub tokens: BySeat<u8>,
    /// How many rounds were scored.
    pub rounds: u32,
}

impl Rules for Mahola {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = View;
    type Details = Details;
    type Edition = Edition;

    const SEATS: RangeInclusive<u8> = 3..=4;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=2;

    fn about(version: u32) -> About {
        rulebook::about(version)
    }

    fn unknown_option(options: &Options, version: u32) -> Option<&'static str> {
        let given = [("lastPass", options.last_pass.is_some()), ("components", options.components.is_some())];
        given.into_iter().find(|(_, is_given)| version < 2 && *is_given).map(|(name, _)| name)
    }

    fn complete(options: Options, version: u32) -> Options {
        Options { last_pass: options.last_pass.or((version >= 2).then_some(true)), ..options }
    }

    fn check_options(options: &Options, _version: u32, _seats: u8) -> Result<(), Illegal> {
        match options.rounds_to_win {
            1..=MOST_ROUNDS_TO_WIN => Tables::of(options.components.as_ref()).map(drop),
            n => Err(Illegal::new(DEAL, format!("roundsToWin must be 1 to {MOST_ROUNDS_TO_WIN}, not {n}."))),
        }
    }

    fn components(options: &Options, _version: u32) -> Vec<Component> {
        options.tables().about()
    }

    fn own_components(options: &Options) -> Option<serde_json::Value> {
        options.components.as_ref().map(Components::to_value)
    }

    fn setup(options: &Options, version: u32, seats: u8, chance: &mut Chance) -> Mahola {
        let mut mahola = Mahola {
            rounds_to_win: options.rounds_to_win,
            tokens: BySeat::each(seats, |_| 0),
            round: 0,
            turn: 0,
            phase: Phase::Play,
            characters: BySeat::each(seats, |_| Character::Chief),
            hands: BySeat::each(seats, |_| Cards::NONE),
            tableaus: BySeat::each(seats, |_| Tableau::default()),
            choices: BySeat::each(seats, |_| None),
            deck: Vec::with_capacity(Card::COUNT.into()),
            turns: Vec::with_capacity(TURNS.into()),
            out: Cards::NONE,
            scored: None,
            edition: match version {
                1 => Edition::default(),
                _ => Edition { version, last_pass: options.last_pass.unwrap_or(true) },
            },
            tables: Tables::of(options.components.as_ref()).expect("the tables were checked with the options"),
        };
        mahola.deal(chance);
        mahola
    }

    fn rules_version(&self) -> u32 {
        self.edition.version
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn with_edition(self, edition: Edition) -> Mahola {
        Mahola { edition, ..self }
    }

    fn with_components_of(self, options: &Options) -> Result<Mahola, Illegal> {
        Ok(Mahola { tables: Tables::of(options.components.as_ref())?, ..self })
    }

    fn to_act(&self) -> Seats {
        if self.phase == Phase::Over {
            return Seats::NONE;
        }
        self.choices.iter().filter(|(_, choice)| choice.is_none()).map(|(seat, _)| seat).collect()
    }

    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let count = if self.to_act().contains(seat) { self.count_moves(seat) } else { 0 };
        (0..count).map(move |n| self.nth_move(seat, n))
    }

    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        self.nth_move(seat, chance.index(self.count_moves(seat)))
    }

    fn check(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        if self.phase == Phase::Over {
            return Err(Illegal::new(END, "The game is over: a player has enough favor tokens to win."));
        }
        let Some(choice) = self.choices.get(seat) else {
            return Err(Illegal::new(DEAL, format!("There is no seat {seat} at this table.")));
        };
        if choice.is_some() {
            return Err(Illegal::new(FINAL, "You have already chosen, and a choice is final."));
        }
        match (self.phase, mv) {
            (Phase::Play, Move::Play { card, .. }) => self.check_in_hand(seat, *card, PLAY, 1),
            (Phase::Play, _) => Err(Illegal::new(PLAY, "Play a card to an end of your tableau now.").at(0)),
            (Phase::Pass, Move::Pass { left, right }) => self.check_passing(seat, *left, *right),
            (Phase::Pass, _) => Err(Illegal::new(PASS, "Pass a card to each neighbour now.").at(0)),
            (_, mv) => self.check_ability(seat, *mv),
        }
    }

    fn make(&mut self, seat: Seat, mv: &Move, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        self.choices[seat] = Some(*mv);
        seen.see(|| Event::Chose { seat });
        if self.choices.values().all(Option::is_some) {
            match self.phase {
                Phase::Play => self.place(seen),
                Phase::Pass => self.pass(seen),
                _ => {
                    self.use_abilities(seen);
                    self.give_favor(chance, seen);
                }
            }
        }
    }

    fn standing(&self) -> Standing<Details> {
        let rounds = self.scored.as_ref().map_or(0, |scored| scored.round + 1);
        Standing {
            places: places_by(self.seats(), |a, b| self.tokens[b].cmp(&self.tokens[a])),
            details: Details { tokens: self.tokens.clone(), rounds },
        }
    }

    fn outcome(&self) -> Option<Outcome<Details>> {
        if self.phase != Phase::Over {
            return None;
        }
        let winners = self.tokens.iter().filter(|(_, tokens)| **tokens >= self.rounds_to_win);
        Some(self.standing().ended(END, winners.map(|(seat, _)| seat).collect()))
    }

    fn view(&self, viewer: Viewer) -> View {
        View {
            rounds_to_win: self.rounds_to_win,
            round: self.round,
            turn: self.turn,
            phase: self.phase,
            deck_size: small(self.deck.len()),
            deck: viewer.is_open().then(|| self.deck.iter().rev().copied().collect()),
            seats: Seat::all(self.seats()).map(|seat| self.seat_view(seat, viewer)).collect(),
            last_round: self.scored.as_ref().map(|scored| scored.round_score(&self.tables)),
            tables: self.tables.clone(),
        }
    }

    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Mahola {
        match viewer {
            Viewer::Open(_) => {
                let mut other = self.clone();
                // Version 1 drew branches from the unsorted deck. Replays need the same draw.
                if self.edition.version >= 2 {
                    other.deck.sort_unstable();
                }
                chance.shuffle(&mut other.deck);
                other
            }
            Viewer::Seat(seat) => self.redraw(Some(seat).filter(|seat| seat.number() < self.seats()), chance),
            Viewer::Spectator => self.redraw(None, chance),
        }
    }

    fn is_open(_mv: &Move) -> bool {
        false
    }

    fn describe(&self, seat: Seat, mv: &Move) -> String {
        mv.in_words(seat, self.seats(), &self.tables)
    }

    fn describe_token(&self, seat: Seat, prefix: &[&str], token: &str) -> (TokenType, String) {
        choice::token_in_words(seat, self.seats(), &self.tables, prefix, token)
    }
}

impl Mahola {
    fn seats(&self) -> u8 {
        self.hands.seats()
    }

    /// Whether the fifth turn is over and the characters are revealed.
    fn characters_are_open(&self) -> bool {
        matches!(self.phase, Phase::Ability | Phase::Over)
    }

    fn seat_view(&self, seat: Seat, viewer: Viewer) -> SeatView {
        let tableau = &self.tableaus[seat];
        let character = (viewer.sees(seat) || self.characters_are_open()).then(|| self.characters[seat]);
        SeatView {
            seat,
            tokens: self.tokens[seat],
            has_chosen: self.choices[seat].is_some(),
            hand_size: small(self.hands[seat].len()),
            tableau: tableau.clone(),
            character,
            score: character.map(|character| tableau.score(character, &self.tables)),
            private: viewer.sees(seat).then(|| Private {
                hand: self.hands[seat],
                choice: self.choices[seat],
                given: self.given(seat),
                received: self.received(seat),
                drawn: self.drawn(seat),
            }),
        }
    }

    /// mahola.1
    fn deal(&mut self, chance: &mut Chance) {
        let mut characters = [Character::Chief, Character::Shaman, Character::Hunter, Character::Maiden];
        chance.shuffle(&mut characters);
        self.deck.clear();
        self.deck.extend(Card::all());
        chance.shuffle(&mut self.deck);
        for seat in Seat::all(self.seats()) {
            self.characters[seat] = characters[seat.index()];
            self.hands[seat] = self.deck.drain(self.deck.len() - HAND..).collect();
            self.tableaus[seat].clear();
        }
        self.turns.clear();
        self.turn = 0;
        self.phase = Phase::Play;
    }

    fn count_moves(&self, seat: Seat) -> usize {
        let hand = self.hands[seat].len();
        let cards = usize::from(TURNS);
        match self.phase {
            Phase::Play => 2 * hand,
            Phase::Pass => hand * hand.saturating_sub(1),
            Phase::Ability => match self.characters[seat] {
                Character::Chief => cards * (cards - 1) / 2 + 1,
                Character::Shaman => cards * (cards - 1) + 1,
                Character::Hunter => hand + 1,
                Character::Maiden => 2 * hand + 1,
            },
            Phase::Over => 0,
        }
    }

    /// Move `n` of those that [`Mahola::count_moves`] counts. The last way to use an ability is to decline.
    fn nth_move(&self, seat: Seat, n: usize) -> Move {
        let card = |n| self.hands[seat].iter().nth(n).expect("a move is counted for each card of the hand");
        let end = if n.is_multiple_of(2) { End::Left } else { End::Right };
        // Two different things out of `of`: the second skips the first.
        let two = |of: usize| {
            let (first, second) = (n / (of - 1), n % (of - 1));
            (first, second + usize::from(second >= first))
        };
        match self.phase {
            Phase::Play => Move::Play { card: card(n / 2), end },
            Phase::Pass => {
                let (left, right) = two(self.hands[seat].len());
                Move::Pass { left: card(left), right: card(right) }
            }
            _ if n + 1 == self.count_moves(seat) => Move::Decline,
            _ => match self.characters[seat] {
                Character::Chief => {
                    let mut pairs = (0..TURNS).flat_map(|first| (first + 1..TURNS).map(move |second| (first, second)));
                    let (first, second) = pairs.nth(n).expect("a move is counted for each pair");
                    Move::Swap(Pair::new(first, second))
                }
                Character::Shaman => {
                    let (from, to) = two(TURNS.into());
                    Move::Shift { from: small(from), to: small(to) }
                }
                Character::Hunter => Move::Exchange { end: None, card: card(n) },
                Character::Maiden => Move::Exchange { end: Some(end), card: card(n / 2) },
            },
        }
    }

    fn check_in_hand(&self, seat: Seat, card: Card, rule: RuleId, token: usize) -> Result<(), Illegal> {
        if self.hands[seat].contains(card) {
            Ok(())
        } else {
            Err(Illegal::new(rule, format!("Card {card} is not in your hand.")).at(token))
        }
    }

    /// mahola.2: all cards are placed at once.
    fn place(&mut self, seen: &mut impl Sink<Event>) {
        let seats = self.seats();
        let played = BySeat::each(seats, |seat| {
            let Some(Move::Play { card, end }) = self.choices[seat].take() else {
                unreachable!("everybody has chosen a card to play");
            };
            let end_shown = Some(end).filter(|_| !self.tableaus[seat].cards().is_empty());
            self.hands[seat].remove(card);
            self.tableaus[seat].place(card, end);
            seen.see(|| Event::Placed { seat, card: Shown::new(&self.tables, card), end: end_shown });
            card
        });
        self.turns.push(Turn { played, passed: None });
        if self.turn + 1 < TURNS || self.edition.last_pass {
            self.phase = Phase::Pass;
        } else {
            self.reveal_characters(seen);
        }
    }

    /// mahola.3
    fn check_passing(&self, seat: Seat, left: Card, right: Card) -> Result<(), Illegal> {
        self.check_in_hand(seat, left, PASS, 1)?;
        self.check_in_hand(seat, right, PASS, 2)?;
        if left == right {
            return Err(Illegal::new(PASS, "You cannot pass the same card to both neighbours.").at(2));
        }
        Ok(())
    }

    /// mahola.3 and mahola.4: all cards change hands at once, then everybody draws.
    fn pass(&mut self, seen: &mut impl Sink<Event>) {
        let seats = self.seats();
        let passed = BySeat::each(seats, |seat| {
            let Some(Move::Pass { left, right }) = self.choices[seat].take() else {
                unreachable!("everybody has chosen what to pass");
            };
            self.hands[seat].remove(left);
            self.hands[seat].remove(right);
            let drawn = self.deck.pop().expect("five draws for each of four seats leave cards in the deck");
            Passed { left, right, drawn }
        });
        for (seat, passed) in passed.iter() {
            self.hands[seat.left(seats)].insert(passed.left);
            self.hands[seat.right(seats)].insert(passed.right);
            self.hands[seat].insert(passed.drawn);
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.passed = Some(passed);
        }
        seen.see(|| Event::Passed { turn: self.turn });
        seen.see(|| Event::Drew { turn: self.turn, deck_size: small(self.deck.len()) });
        if self.turn + 1 < TURNS {
            self.phase = Phase::Play;
            self.turn += 1;
        } else {
            self.reveal_characters(seen);
        }
    }

    /// mahola.5: the fifth turn is over.
    fn reveal_characters(&mut self, seen: &mut impl Sink<Event>) {
        self.phase = Phase::Ability;
        for (seat, character) in self.characters.iter() {
            seen.see(|| Event::Revealed { seat, character: *character });
        }
    }

    /// mahola.5
    fn check_ability(&self, seat: Seat, mv: Move) -> Result<(), Illegal> {
        let illegal = |text: &'static str, token| Err(Illegal::new(ABILITY, text).at(token));
        let no_position = "The positions of a tableau are 0 to 4.";
        let character = self.characters[seat];
        match (character, mv) {
            (_, Move::Decline) => Ok(()),
            (Character::Chief, Move::Swap(pair)) => match (pair.first(), pair.second()) {
                (TURNS.., _) => illegal(no_position, 1),
                (_, TURNS..) => illegal(no_position, 2),
                (first, second) if first == second => illegal("The Chief swaps two different cards.", 2),
                _ => Ok(()),
            },
            (Character::Shaman, Move::Shift { from, to }) => match (from, to) {
                (TURNS.., _) => illegal(no_position, 1),
                (_, TURNS..) => illegal(no_position, 2),
                (from, to) if from == to => illegal("The Shaman moves a card to another position.", 2),
                _ => Ok(()),
            },
            (Character::Hunter, Move::Exchange { end: None, card }) => self.check_in_hand(seat, card, ABILITY, 1),
            (Character::Hunter, Move::Exchange { end: Some(_), .. }) => {
                illegal("The Hunter exchanges the middle card: name only the card from your hand.", 1)
            }
            (Character::Maiden, Move::Exchange { end: Some(_), card }) => self.check_in_hand(seat, card, ABILITY, 2),
            (Character::Maiden, Move::Exchange { end: None, .. }) => {
                illegal("The Maiden exchanges an end card: name the end, LEFT or RIGHT, before the card.", 1)
            }
            _ => {
                Err(Illegal::new(ABILITY, format!("You are the {character}: {}, or decline.", character.ability()))
                    .at(0))
            }
        }
    }

    /// mahola.5: all abilities are carried out together.
    fn use_abilities(&mut self, seen: &mut impl Sink<Event>) {
        let seats = self.seats();
        let abilities = BySeat::each(seats, |seat| {
            let tableau = &mut self.tableaus[seat];
            let ability = match self.choices[seat].take() {
                Some(Move::Swap(pair)) => tableau.swap(pair.first(), pair.second()),
                Some(Move::Shift { from, to }) => tableau.shift(from, to),
                Some(Move::Exchange { end: None, card }) => tableau.exchange_middle(card),
                Some(Move::Exchange { end: Some(end), card }) => tableau.exchange_end(end, card),
                _ => Ability::Declined,
            };
            if let Ability::Exchanged { put, taken, .. } = ability {
                self.hands[seat].remove(put);
                self.out.insert(taken);
            }
            let character = self.characters[seat];
            seen.see(|| Event::UsedAbility { seat, character, ability: ability.shown(&self.tables) });
            ability
        });
        self.scored = Some(Box::new(Scored {
            round: self.round,
            characters: self.characters.clone(),
            abilities,
            tableaus: self.tableaus.clone(),
        }));
    }

    /// mahola.9 and mahola.10: the favor token, and then the end or another round.
    fn give_favor(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let scores = BySeat::each(self.seats(), |seat| self.tableaus[seat].score(self.characters[seat], &self.tables));
        let won = round::winner(&round::compare(&scores));
        seen.see(|| Event::Scored {
            round: self.round,
            scores: scores.map(|score| score.total),
            winner: won.map(|(seat, _)| seat),
            decided_by: won.map(|(_, by)| by),
        });
        if let Some((winner, _)) = won {
            self.tokens[winner] += 1;
            if self.tokens[winner] >= self.rounds_to_win {
                self.phase = Phase::Over;
                seen.see(|| Event::Ended { winner, tokens: self.tokens.clone() });
                return;
            }
        }
        self.out = Cards::NONE;
        self.round += 1;
        self.deal(chance);
        seen.see(|| Event::Dealt { round: self.round });
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Dealt { round } => write!(f, "Round {round} was dealt."),
            Event::Chose { seat } => write!(f, "Seat {seat} has chosen."),
            Event::Placed { seat, card, end: None } => {
                write!(f, "Seat {seat} placed {} as its first card.", card.in_words())
            }
            Event::Placed { seat, card, end: Some(end) } => {
                write!(f, "Seat {seat} placed {} at the {end} end.", card.in_words())
            }
            Event::Passed { .. } => f.write_str("Everybody passed a card to each neighbour."),
            Event::Drew { deck_size, .. } => write!(f, "Everybody drew a card; {deck_size} are left in the deck."),
            Event::Revealed { seat, character } => write!(f, "Seat {seat} is the {character}."),
            Event::UsedAbility { seat, character, ability } => {
                write!(f, "Seat {seat}, the {character}, ")?;
                match ability {
                    Ability::Declined => f.write_str("did not use its ability."),
                    Ability::Swapped { first, second } => write!(f, "swapped the cards at {first} and {second}."),
                    Ability::Moved { from, to } => write!(f, "moved the card at {from} to {to}."),
                    Ability::Exchanged { position, put, taken } => {
                        write!(f, "exchanged {} at {position} for {}.", taken.in_words(), put.in_words())
                    }
                }
            }
            Event::Scored { round, scores, winner, decided_by } => {
                let scores: Vec<String> = scores.values().map(i16::to_string).collect();
                write!(f, "Round {round} was scored {}: ", scores.join(", "))?;
                match (winner, decided_by) {
                    (Some(winner), Some(by)) => write!(f, "seat {winner} got the favor token for {by}."),
                    _ => f.write_str("nobody got the favor token."),
                }
            }
            Event::Ended { winner, tokens } => {
                write!(f, "The game is over: seat {winner} won with {} favor tokens.", tokens[*winner])
            }
        }
    }
}
