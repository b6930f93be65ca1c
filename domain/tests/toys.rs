//! Tests the contract check itself: a small correct game passes, and the same game with a flaw fails.
//!
//! The game: twelve cards, three to each seat, the rest is the deck. In each of three tricks every seat chooses
//! a card in secret; when all have chosen, the cards are shown and the highest takes the trick.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use domain::contract::{self, Promises};
use domain::{
    About, Act, Bot, Bots, BySeat, Chance, Entropy, Game, Illegal, Outcome, Refusal, RuleId, Rules, Seat, Seats, Seed,
    Sink, Standing, Step, TokenType, Unreadable, Viewer, places_by,
};
use serde::{Deserialize, Serialize};

const CARDS: u8 = 12;
const HAND: usize = 3;

const OWN_CARD: RuleId = RuleId("tricks.1");
const ONE_CHOICE: RuleId = RuleId("tricks.2");
const THREE_TRICKS: RuleId = RuleId("tricks.3");

const HONEST: u8 = 0;
const LEAK_IN_VIEW: u8 = 1;
const LEAK_IN_EVENTS: u8 = 2;
const LEAK_IN_LEGAL_MOVES: u8 = 3;
const IMAGINE_IS_A_CLONE: u8 = 4;
const LOSES_A_PIECE: u8 = 5;
const LEAK_OF_A_CHOICE: u8 = 6;
const FORGETS_WHAT_A_SEAT_KNOWS: u8 = 7;
const KEEPS_WHAT_NOBODY_KNOWS: u8 = 8;
const SHUFFLES_THE_TRUE_ORDER: u8 = 9;
const BRANCHES_FROM_THE_TRUE_ORDER: u8 = 10;
const LEAK_IN_CONTINUATIONS: u8 = 11;

thread_local! {
    /// The number of calls of `check` in this test.
    static CHECKS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tricks<const FLAW: u8> {
    hands: BySeat<Vec<u8>>,
    chosen: BySeat<Option<u8>>,
    deck: Vec<u8>,
    shown: Vec<u8>,
    taken: BySeat<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Card(u8);

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Card {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<Card, Unreadable> {
        text.parse().map(Card).map_err(|_| Unreadable::expected("a card", text))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Chose { seat: Seat, card: Option<u8> },
    Shown { cards: Vec<u8> },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct View {
    hand: Option<Vec<u8>>,
    own_choice: Option<u8>,
    have_chosen: Vec<bool>,
    shown: Vec<u8>,
    taken: Vec<u8>,
    leak: Option<u8>,
}

impl<const FLAW: u8> Rules for Tricks<FLAW> {
    type Options = ();
    type Move = Card;
    type Event = Event;
    type View = View;
    type Details = ();
    type Edition = ();

    const SEATS: RangeInclusive<u8> = 2..=3;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=1;

    fn about(_version: u32) -> About {
        About {
            title: "Tricks",
            summary: "A toy.",
            notation: "`7` chooses card 7.",
            options: Vec::new(),
            components: Vec::new(),
            board: None,
            changes: Vec::new(),
            rules: About::rules(
                &[
                    (OWN_CARD, "Choose a card of your hand."),
                    (ONE_CHOICE, "One choice a trick."),
                    (THREE_TRICKS, "Three tricks."),
                ],
                &[],
            ),
        }
    }

    fn check_options(_options: &(), _version: u32, _seats: u8) -> Result<(), Illegal> {
        Ok(())
    }

    fn setup(_options: &(), _version: u32, seats: u8, chance: &mut Chance) -> Self {
        let mut deck: Vec<u8> = (0..CARDS).collect();
        chance.shuffle(&mut deck);
        let hands = BySeat::each(seats, |_| {
            let mut hand = deck.split_off(deck.len() - HAND);
            hand.sort_unstable();
            hand
        });
        Tricks {
            hands,
            chosen: BySeat::each(seats, |_| None),
            deck,
            shown: Vec::new(),
            taken: BySeat::each(seats, |_| 0),
        }
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn edition(&self) {}

    fn with_edition(self, _edition: ()) -> Self {
        self
    }

    fn to_act(&self) -> Seats {
        if self.is_over() {
            return Seats::NONE;
        }
        self.chosen.iter().filter(|(_, choice)| choice.is_none()).map(|(seat, _)| seat).collect()
    }

    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Card> + '_ {
        let mut cards = if self.to_act().contains(seat) { self.hands[seat].clone() } else { Vec::new() };
        if FLAW == LEAK_IN_LEGAL_MOVES && self.hands[seat.left(self.hands.seats())].contains(&0) {
            cards.reverse();
        }
        cards.into_iter().map(Card)
    }

    fn check(&self, seat: Seat, mv: &Card) -> Result<(), Illegal> {
        CHECKS.set(CHECKS.get() + 1);
        if self.is_over() {
            return Err(Illegal::new(THREE_TRICKS, "All tricks have been played."));
        }
        if self.chosen[seat].is_some() {
            return Err(Illegal::new(ONE_CHOICE, "You have chosen."));
        }
        if !self.hands[seat].contains(&mv.0) {
            return Err(Illegal::new(OWN_CARD, "That is not a card of yours."));
        }
        Ok(())
    }

    fn make(&mut self, seat: Seat, mv: &Card, _chance: &mut Chance, seen: &mut impl Sink<Event>) {
        self.hands[seat].retain(|card| *card != mv.0);
        self.chosen[seat] = Some(mv.0);
        seen.see(|| Event::Chose { seat, card: (FLAW == LEAK_IN_EVENTS).then(|| *self.deck.first().unwrap()) });
        if self.chosen.values().all(Option::is_some) {
            let cards: Vec<u8> = self.chosen.values_mut().filter_map(Option::take).collect();
            let best = Seat::all(self.taken.seats()).max_by_key(|seat| cards[seat.index()]).expect("somebody plays");
            self.taken[best] += 1;
            self.shown.extend(&cards);
            if FLAW == LOSES_A_PIECE && self.shown.len() > 4 {
                self.shown.pop();
            }
            seen.see(|| Event::Shown { cards });
        }
    }

    fn standing(&self) -> Standing<()> {
        let places = places_by(self.taken.seats(), |a, b| self.taken[b].cmp(&self.taken[a]));
        Standing { places, details: () }
    }

    fn outcome(&self) -> Option<Outcome<()>> {
        self.is_over().then(|| {
            let standing = self.standing();
            let winners = standing.places.iter().filter(|(_, place)| **place == 1).map(|(seat, _)| seat).collect();
            standing.ended(THREE_TRICKS, winners)
        })
    }

    fn view(&self, viewer: Viewer) -> View {
        let own = Seat::all(self.hands.seats()).find(|seat| viewer == Viewer::Seat(*seat));
        View {
            hand: own.map(|seat| self.hands[seat].clone()),
            own_choice: own.and_then(|seat| self.chosen[seat]),
            have_chosen: self.chosen.values().map(Option::is_some).collect(),
            shown: self.shown.clone(),
            taken: self.taken.clone().into_vec(),
            leak: match FLAW {
                LEAK_IN_VIEW => self.deck.first().copied(),
                LEAK_OF_A_CHOICE => self.chosen.values().flatten().next().map(|card| card % 2),
                _ => None,
            },
        }
    }

    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Self {
        let mut other = self.clone();
        if FLAW == IMAGINE_IS_A_CLONE {
            return other;
        }
        if FLAW == KEEPS_WHAT_NOBODY_KNOWS && viewer.is_open() {
            return other;
        }
        let forgets = FLAW == FORGETS_WHAT_A_SEAT_KNOWS && viewer.is_open();
        let hidden = |seat: Seat| forgets || !viewer.sees(seat);
        let mut pool = std::mem::take(&mut other.deck);
        for seat in Seat::all(self.hands.seats()).filter(|seat| hidden(*seat)) {
            pool.append(&mut other.hands[seat]);
            pool.extend(other.chosen[seat]);
        }
        if FLAW != SHUFFLES_THE_TRUE_ORDER && !(FLAW == BRANCHES_FROM_THE_TRUE_ORDER && viewer.is_open()) {
            pool.sort_unstable();
        }
        chance.shuffle(&mut pool);
        for seat in Seat::all(self.hands.seats()).filter(|seat| hidden(*seat)) {
            let mut hand = pool.split_off(pool.len() - self.hands[seat].len());
            hand.sort_unstable();
            other.hands[seat] = hand;
            if self.chosen[seat].is_some() {
                other.chosen[seat] = pool.pop();
            }
        }
        other.deck = pool;
        other
    }

    fn is_open(_mv: &Card) -> bool {
        false
    }

    fn describe(&self, _seat: Seat, mv: &Card) -> String {
        format!("Choose card {mv}")
    }

    fn describe_token(&self, _seat: Seat, _prefix: &[&str], token: &str) -> (TokenType, String) {
        match self.deck.last() {
            Some(card) if FLAW == LEAK_IN_CONTINUATIONS => {
                (TokenType::Card, format!("Choose card {token}, not {card}"))
            }
            _ => (TokenType::Card, format!("Choose card {token}")),
        }
    }
}

impl<const FLAW: u8> Tricks<FLAW> {
    fn is_over(&self) -> bool {
        self.hands.values().all(Vec::is_empty) && self.chosen.values().all(Option::is_none)
    }
}

impl<const FLAW: u8> Promises for Tricks<FLAW> {
    fn tables(_version: u32) -> Vec<((), u8)> {
        vec![((), 2), ((), 3)]
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let hands: usize = self.hands.values().map(Vec::len).sum();
        let chosen = self.chosen.values().flatten().count();
        let cards = hands + chosen + self.deck.len() + self.shown.len();
        BTreeMap::from([("cards".into(), u32::try_from(cards).expect("there are twelve"))])
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Card {
        Card(u8::try_from(chance.below(u32::from(CARDS) + 2)).expect("there are twelve cards"))
    }

    fn hidden_from_all(&self) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([("deck".into(), self.deck.iter().map(ToString::to_string).collect())])
    }

    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let mut unknown: BTreeSet<_> = self.deck.iter().map(|card| ("deck".into(), card.to_string())).collect();
        for (seat, hand) in self.hands.iter().filter(|(seat, _)| !viewer.sees(*seat)) {
            unknown.extend(hand.iter().map(|card| (format!("hand {seat}"), card.to_string())));
            unknown.extend(self.chosen[seat].iter().map(|card| (format!("choice {seat}"), card.to_string())));
        }
        unknown
    }

    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let unknown = self.unknown(viewer);
        let places: BTreeSet<&String> = unknown.iter().map(|(place, _)| place).collect();
        let cards = unknown.iter().map(|(_, card)| card);
        cards.flat_map(|card| places.iter().map(|place| ((*place).clone(), card.clone()))).collect()
    }
}

fn broken<const FLAW: u8>() -> &'static str {
    contract::check::<Tricks<FLAW>>(50).expect_err("the flaw is found").promise
}

#[test]
fn an_honest_game_of_simultaneous_choices_keeps_the_contract() {
    contract::uphold::<Tricks<HONEST>>(200);
}

#[test]
fn a_leak_in_the_view_is_caught() {
    assert_eq!(broken::<LEAK_IN_VIEW>(), "5a");
}

#[test]
fn a_leak_in_the_events_is_caught() {
    // Compared with an imagined game, or with a branch.
    assert!(["5b", "5e"].contains(&broken::<LEAK_IN_EVENTS>()));
}

#[test]
fn a_leak_in_the_legal_moves_is_caught() {
    assert_eq!(broken::<LEAK_IN_LEGAL_MOVES>(), "5a");
}

#[test]
fn a_leak_in_the_words_of_a_continuation_is_caught() {
    assert_eq!(broken::<LEAK_IN_CONTINUATIONS>(), "5a");
}

#[test]
fn a_leak_of_a_pending_choice_is_caught() {
    assert!(["5a", "5c"].contains(&broken::<LEAK_OF_A_CHOICE>()));
}

#[test]
fn an_imagination_that_only_copies_is_caught() {
    assert_eq!(broken::<IMAGINE_IS_A_CLONE>(), "5d");
}

#[test]
fn a_branch_that_forgets_what_a_seat_knows_is_caught() {
    assert_eq!(broken::<FORGETS_WHAT_A_SEAT_KNOWS>(), "5e");
}

#[test]
fn a_branch_that_keeps_what_nobody_knows_is_caught() {
    assert_eq!(broken::<KEEPS_WHAT_NOBODY_KNOWS>(), "5e");
}

#[test]
fn an_imagination_that_depends_on_what_its_viewer_cannot_know_is_caught() {
    assert_eq!(broken::<SHUFFLES_THE_TRUE_ORDER>(), "7");
    assert_eq!(broken::<BRANCHES_FROM_THE_TRUE_ORDER>(), "7");
}

#[test]
fn a_lost_piece_is_caught() {
    assert_eq!(broken::<LOSES_A_PIECE>(), "4");
}

fn sitting(seats: u8) -> (Game<Tricks<HONEST>>, Entropy) {
    let entropy = Entropy::new(Seed::new([7; 32]), []);
    (Game::start(&(), seats, 1, &entropy).expect("the table can be set up"), entropy)
}

fn first_card(game: &Game<Tricks<HONEST>>, seat: u8) -> Card {
    game.legal_moves(Seat::new(seat), 1).0.remove(0)
}

#[test]
fn the_last_seat_left_has_won_and_the_last_to_resign_comes_next() {
    let (mut game, entropy) = sitting(3);
    game.resign(Seat::new(2), &entropy).expect("one may resign at any time");
    assert_eq!(game.outcome(), None);
    let steps = game.resign(Seat::new(0), &entropy).expect("one may resign at any time");
    assert_eq!(steps.len(), 1, "nothing is decided for anybody after the end");
    let outcome = game.outcome().expect("one seat is left");
    assert_eq!(outcome.ending.to_string(), "RESIGNATION");
    assert_eq!(outcome.winners, Seats::one(Seat::new(1)));
    assert_eq!(outcome.places.into_vec(), [2, 1, 3]);
    let refusal = game.play(Seat::new(1), &Card(0), &entropy).expect_err("the game is over");
    assert!(matches!(&refusal, Refusal::GameOver(illegal) if illegal.rule.0 == "table.1"));
    assert!(matches!(game.resign(Seat::new(1), &entropy), Err(Refusal::GameOver(_))));
}

#[test]
fn decisions_of_a_resigned_seat_are_made_for_it_at_once_and_it_comes_last() {
    let (mut game, entropy) = sitting(3);
    let steps = game.resign(Seat::new(1), &entropy).expect("one may resign at any time");
    assert_eq!(steps.len(), 2, "its pending choice is made at once");
    assert!(matches!(
        game.explain(Seat::new(1), &Card(0)),
        Err(Refusal::NotYourTurn(illegal)) if illegal.rule.0 == "table.1"
    ));
    while !game.is_over() {
        for seat in [0, 2] {
            let card = first_card(&game, seat);
            game.play(Seat::new(seat), &card, &entropy).expect("the card is in hand");
            assert!(!game.to_act().contains(Seat::new(1)), "nobody ever waits for a resigned seat");
        }
    }
    let outcome = game.outcome().expect("all tricks are played");
    assert_eq!(outcome.ending.to_string(), "tricks.3");
    assert_eq!(outcome.places[Seat::new(1)], 3);
    assert!(!outcome.winners.is_empty() && !outcome.winners.contains(Seat::new(1)));
}

const BOT: Bot = Bot { level: 2, version: 1 };

/// The card that the seat would play first, if it were a player's.
fn any_card(game: &Game<Tricks<HONEST>>, seat: Seat) -> Card {
    game.rules().legal_moves(seat).next().expect("the seat is to act")
}

#[test]
fn only_its_bot_moves_for_a_bots_seat() {
    let (game, entropy) = sitting(3);
    let one = Seat::new(1);
    let mut game = game.with_bots(Bots { seats: Seats::one(one), stand_in: true });
    assert_eq!((game.due_from_bots(), game.bot_seats()), (Seats::one(one), Seats::one(one)));
    assert_eq!(game.legal_moves(one, 10), (Vec::new(), true), "the list is for players");
    let card = any_card(&game, one);
    for refusal in [game.play(one, &card, &entropy), game.resign(one, &entropy)] {
        assert!(matches!(refusal, Err(Refusal::NotYourTurn(illegal)) if illegal.rule.0 == "table.5"));
    }
    let zero = any_card(&game, Seat::new(0));
    let refusal = game.play_bot(Seat::new(0), &zero, BOT, &entropy).expect_err("a player sits there");
    assert!(matches!(&refusal, Refusal::NotYourTurn(illegal) if illegal.rule.0 == "table.5"));
    let steps = game.play_bot(one, &card, BOT, &entropy).expect("the card is in hand");
    assert!(matches!(steps[..], [Step { act: Act::Bot(..), ply: 1, .. }]));
    assert_eq!(game.due_from_bots(), Seats::NONE);
}

#[test]
fn a_bot_plays_for_a_seat_that_resigns() {
    let (game, entropy) = sitting(3);
    let one = Seat::new(1);
    let mut game = game.with_bots(Bots { seats: Seats::NONE, stand_in: true });
    let steps = game.resign(one, &entropy).expect("one may resign at any time");
    assert_eq!(steps.len(), 1, "its choice is the bot's, and waits for it");
    assert_eq!((game.due_from_bots(), game.due_from_the_resigned()), (Seats::one(one), None));
    while !game.is_over() {
        for seat in game.to_act().iter() {
            let card = any_card(&game, seat);
            let played = match seat == one {
                true => game.play_bot(seat, &card, BOT, &entropy),
                false => game.play(seat, &card, &entropy),
            };
            played.expect("the card is in hand");
        }
    }
    assert_eq!(game.outcome().expect("all tricks are played").places[one], 3, "it had resigned");
}

#[test]
fn when_the_last_player_resigns_the_bots_are_placed_by_their_standing() {
    let (game, entropy) = sitting(3);
    let bots: Seats = [Seat::new(1), Seat::new(2)].into_iter().collect();
    let mut game = game.with_bots(Bots { seats: bots, stand_in: true });
    assert!(!game.is_over());
    let steps = game.resign(Seat::new(0), &entropy).expect("one may resign at any time");
    assert_eq!(steps.len(), 1);
    let outcome = game.outcome().expect("no player is left");
    assert_eq!((outcome.ending.to_string().as_str(), outcome.winners), ("RESIGNATION", bots));
    assert_eq!(outcome.places.into_vec(), [3, 1, 1]);
    assert_eq!(game.due_from_bots(), Seats::NONE, "the game is over");
}

#[test]
fn a_log_with_bots_is_retraced_by_the_same_bots_alone() {
    let (mut game, entropy) = sitting(2);
    let one = Seat::new(1);
    let mut with_bot = game.clone().with_bots(Bots { seats: Seats::one(one), stand_in: true });
    let act = Act::Bot(any_card(&game, one), BOT);
    with_bot.retrace(one, &act, &entropy).expect("a bot sits there");
    assert!(matches!(game.retrace(one, &act, &entropy), Err(Refusal::NotYourTurn(_))));
    let Act::Bot(card, _) = act else { unreachable!("it was just made") };
    assert!(with_bot.retrace(one, &Act::Moved(card), &entropy).is_err(), "no player sits there");
}

/// The number of checks that `act` needs.
fn checks(act: impl FnOnce()) -> u32 {
    let before = CHECKS.get();
    act();
    CHECKS.get() - before
}

#[test]
fn a_move_is_checked_once_when_it_is_played_and_once_when_it_is_replayed() {
    let (mut game, entropy) = sitting(2);
    let (mut replay, card) = (game.clone(), first_card(&game, 0));
    assert_eq!(checks(|| drop(game.play(Seat::new(0), &card, &entropy).expect("the card is in hand"))), 1);
    let act = Act::Moved(card.clone());
    assert_eq!(checks(|| replay.retrace(Seat::new(0), &act, &entropy).expect("it was played")), 1);
    assert_eq!(replay, game);
    assert_eq!(checks(|| drop(game.play(Seat::new(0), &card, &entropy).expect_err("it has chosen"))), 1);
}

#[test]
fn a_move_that_was_drawn_for_a_resigned_seat_is_not_checked() {
    let (mut game, entropy) = sitting(3);
    let mut replay = game.clone();
    let mut steps = Vec::new();
    assert_eq!(checks(|| steps = game.resign(Seat::new(1), &entropy).expect("one may resign at any time")), 0);
    assert_eq!(steps.len(), 2, "a choice was due");
    for step in &steps {
        assert_eq!(checks(|| replay.retrace(step.seat, &step.act, &entropy).expect("it was so")), 0);
    }
    assert_eq!(replay, game);
}

#[test]
fn a_second_choice_is_out_of_turn_and_a_card_not_in_hand_is_illegal() {
    let (mut game, entropy) = sitting(2);
    let card = first_card(&game, 0);
    game.play(Seat::new(0), &card, &entropy).expect("the card is in hand");
    assert!(matches!(game.play(Seat::new(0), &card, &entropy), Err(Refusal::NotYourTurn(i)) if i.rule == ONE_CHOICE));
    assert!(matches!(game.play(Seat::new(1), &Card(99), &entropy), Err(Refusal::Illegal(i)) if i.rule == OWN_CARD));
    assert_eq!(game.ply(), 1);
}

#[test]
fn a_seat_that_is_not_at_the_table_is_refused() {
    let (mut game, entropy) = sitting(2);
    assert!(
        matches!(game.play(Seat::new(5), &Card(0), &entropy), Err(Refusal::NotYourTurn(i)) if i.rule.0 == "table.3")
    );
    assert!(matches!(game.resign(Seat::new(5), &entropy), Err(Refusal::NotYourTurn(i)) if i.rule.0 == "table.3"));
    let crowd = Game::<Tricks<HONEST>>::start(&(), 4, 1, &entropy);
    assert_eq!(crowd.expect_err("three is the most").rule.0, "table.3");
}

#[test]
fn nobody_sees_all_before_the_end() {
    let (mut game, entropy) = sitting(2);
    assert_eq!(game.over(), None);
    game.resign(Seat::new(0), &entropy).expect("one may resign at any time");
    assert!(game.over().is_some());
}
