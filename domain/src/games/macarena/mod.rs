//! La Macarena: play series of cards on wells, collect the cards between, and turn elements into amulets.
//!
//! A game is a series of hands. Rules, as `mac.1` to `mac.23`:
//!
//!  1. Each seat starts with one element, drawn for each by itself. Each hand: 104 cards shuffled, 14 to each seat,
//!     seven wells of one face-up card, the rest is the deck; all macas (seven a seat) at home.
//!  2. Turns go to the right (seat i, then i − 1). Decision: each later hand starts one seat further to the right.
//!  3. A turn: a card is drawn, then the player plays a series on one well, or passes.
//!  4. On a normal turn the well has no macas, or one of the player's.
//!  5. A series: the well's top, then cards from the hand. Each step is a ladder step (same element, one rank up or
//!     down, K and A are neighbours), a same-number step (same rank, other element) or, at the end, a mirror.
//!  6. Ladder steps keep their direction; only after a same-number step they may turn round.
//!  7. In a run of same-number steps all elements differ, that of the card it starts from too.
//!  8. The last card lies on top of the well; those before it are collected. What is covered is out of play.
//!  9. A step to an identical card is a mirror: the last step. Alone, it is collected and the well stays as it was.
//!     Decision: as the end of a longer series rule 8 holds; and a mirror is no same-number step.
//! 10. A mirror places a maca at the well. With all seven out, one of another well moves there, and the move names
//!     that well (this very well, if all seven stand here, and nothing moves). Other moves name none.
//! 11. A mirror wins a mirror turn: one more series, on which macas bar no well, or decline. Decision: it draws no
//!     card (option `mirrorTurnDraws`).
//! 12. Macas of several owners may share a well.
//! 13. Pass: all one's macas come home.
//! 14. A maca at each of the seven wells wins the game at once.
//! 15. The hand ends at once when a hand is empty, or when the deck is empty at the end of a turn. After a play:
//!     cards move, the maca is placed, rule 14, empty hand, then the mirror turn.
//! 16. All who hold the most cards return an element of their choice, in secret until all have chosen; without one
//!     all coins; without either nothing. Decision: not after the first hand (option `firstHandReturns`).
//! 17. Hands and collections are shown. One coin per maca at a well; macas go home.
//! 18. One coin for the largest collection, for each that ties. Decision: not if it is empty.
//! 19. One coin for an empty hand.
//! 20. For each element its token to the most cards of it collected; ties by the highest card, and so on, A high.
//!     Decision: fully identical, nobody.
//! 21. A token of an element that one has is a coin instead. Decision: tokens that are needed are paid first: always the
//!     first, in the order EARTH, AIR, WATER, FIRE, whose winner lacks it at that moment; if there is none, the first.
//! 22. Four coins buy an element that one does not have; four elements make an amulet. Decision: awards in the order
//!     of rules 17 to 20, one by one, from the starter to the left or as rule 21 says; all exchanges that one causes are
//!     settled before the next; a choice with one option is no move.
//! 23. Two amulets win with 2–3 seats, one with 4–5. Decision: of several, most amulets, elements, coins; then
//!     shared. After `maxHands` hands the same comparison ends the game.
//!
//! Version 1 has no `firstHandReturns` and always pays elements in the order EARTH, AIR, WATER, FIRE: see [`Edition`].

mod cards;
mod event;
mod judgement;
mod notation;
mod rulebook;
mod series;
mod settlement;
mod view;
mod wells;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::small::small;
use crate::{
    About, BySeat, Chance, Continuations, Illegal, Outcome, Rules, Seat, Seats, Sink, Standing, TokenType, Viewer,
    first_seat, follow, places_by,
};

pub use cards::{CARDS, Card, Cards, Element, Elements, RANKS};
pub use event::Event;
use notation::{FROM, WELL, read_well};
use rulebook::{EXCHANGE, GOAL, MIRROR_TURN, ORDER, RETURN, SETUP, SEVEN_WELLS, TURN};
use series::{Laid, Listing, Walk};
pub use settlement::{Award, Decided, Exchange, Gain, Gift, HandEnd, Purse, Reason, Return, Settlement, Shown};
pub use view::{PlayerView, Stage, View, WellView};
pub use wells::WELLS;
use wells::{Well, Wells};

const HAND: usize = 14;
const MACAS: u8 = 7;
const COINS_FOR_AN_ELEMENT: u8 = 4;
/// The largest `maxHands`.
pub const MOST_HANDS: u16 = 200;

/// A game of La Macarena.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Macarena {
    mirror_turn_draws: bool,
    max_hands: u16,
    /// Public; counted from 0.
    hand_number: u16,
    /// Public: the seat that started this hand.
    starter: Seat,
    /// Public, except for what its own fields mark as secret.
    phase: Phase,
    /// Secret: each player's own, until they are shown at the end of the hand.
    hands: BySeat<Cards>,
    /// Secret: the card drawn for the player to act. It is also in that player's hand.
    drawn: Option<Card>,
    /// Public card by card as they are collected, and at the end of the hand; views show only one's own.
    collections: BySeat<Cards>,
    /// Public: how many macas each player has at each well.
    macas: BySeat<[u8; WELLS]>,
    /// Public, except for what their own fields mark as secret.
    wells: [Well; WELLS],
    /// Secret from all; its size is public. The next card is the last.
    deck: Vec<Card>,
    /// Public.
    purses: BySeat<Purse>,
    /// Public: the last hand that ended, or the one that is being settled.
    settlement: Option<Settlement>,
    /// Public.
    #[serde(skip)]
    edition: Edition,
}

/// The differences between versions of the rules. Version 1 pays elements in a fixed order, and nobody returns an
/// element after its first hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    version: u32,
    first_hand_returns: bool,
}

impl Default for Edition {
    fn default() -> Edition {
        Edition { version: 1, first_hand_returns: false }
    }
}

impl Edition {
    /// mac.21: whether elements that their winners lack are paid first.
    fn pays_the_needed_first(self) -> bool {
        self.version >= 2
    }
}

/// The decision that the game is waiting for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Phase {
    /// mac.3 and mac.11.
    Turn { seat: Seat, mirror: bool },
    /// mac.16: `waiting` is public. Secret: each player's own choice.
    Returning { waiting: Seats, chosen: BySeat<Option<Element>> },
    /// mac.22.
    Buying { seat: Seat },
    /// `seven_wells` won by mac.14; else it is mac.23.
    Over { seven_wells: Option<Seat> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    /// Whether a card is drawn for a mirror turn.
    pub mirror_turn_draws: bool,
    /// Whether elements are also returned after the first hand. By default they are not. Version 1 has no such option.
    #[serde(deserialize_with = "crate::rules::given", skip_serializing_if = "Option::is_none")]
    pub first_hand_returns: Option<bool>,
    pub max_hands: u16,
    /// If left out, the starting seat is drawn.
    pub first_seat: Option<Seat>,
}

impl Default for Options {
    fn default() -> Options {
        Options { mirror_turn_draws: false, first_hand_returns: None, max_hands: 50, first_seat: None }
    }
}

/// Notation: `w4 5E 6E 7E`, `w4 5E from2`, `pass`, `decline`, `return WATER`, `buy FIRE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A series on a well. `from` is the well whose maca moves, for a mirror with all seven macas out.
    Play {
        well: u8,
        cards: Vec<Card>,
        from: Option<u8>,
    },
    Pass,
    /// Decline a mirror turn.
    Decline,
    /// The element to return at the end of a hand.
    Return(Element),
    /// The element to buy with four coins.
    Buy(Element),
}

impl Move {
    /// To play nothing.
    fn idle(mirror: bool) -> Move {
        if mirror { Move::Decline } else { Move::Pass }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The number of hands played, including an unfinished last one.
    pub hands_played: u16,
    pub purses: BySeat<Purse>,
    /// The seat that won with a maca at each well.
    pub seven_wells: Option<Seat>,
}

impl Rules for Macarena {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = View;
    type Details = Details;
    type Edition = Edition;

    const SEATS: RangeInclusive<u8> = 2..=5;
    const RULES_VERSIONS: RangeInclusive<u32> = 1..=2;

    fn about(version: u32) -> About {
        rulebook::about(version)
    }

    fn unknown_option(options: &Options, version: u32) -> Option<&'static str> {
        (version < 2 && options.first_hand_returns.is_some()).then_some("firstHandReturns")
    }

    fn complete(options: Options, version: u32) -> Options {
        Options { first_hand_returns: options.first_hand_returns.or((version >= 2).then_some(false)), ..options }
    }

    fn check_options(options: &Options, _version: u32, seats: u8) -> Result<(), Illegal> {
        if !(1..=MOST_HANDS).contains(&options.max_hands) {
            let text = format!("maxHands must be 1 to {MOST_HANDS}, not {}.", options.max_hands);
            return Err(Illegal::new(SETUP, text));
        }
        first_seat::check(options.first_seat, seats, SETUP)
    }

    fn setup(options: &Options, version: u32, seats: u8, chance: &mut Chance) -> Macarena {
        let starter = first_seat::chosen_or_drawn(options.first_seat, seats, chance);
        let purses = BySeat::each(seats, |_| Purse {
            elements: Elements::one(*chance.pick(&Element::ALL)),
            coins: 0,
            amulets: 0,
        });
        let unopened = Well { top: Card::new(0, Element::Earth), under: Cards::default() };
        let mut table = Macarena {
            mirror_turn_draws: options.mirror_turn_draws,
            max_hands: options.max_hands,
            hand_number: 0,
            starter,
            phase: Phase::Turn { seat: starter, mirror: false },
            hands: BySeat::each(seats, |_| Cards::default()),
            drawn: None,
            collections: BySeat::each(seats, |_| Cards::default()),
            macas: BySeat::each(seats, |_| [0; WELLS]),
            wells: [unopened; WELLS],
            deck: Vec::new(),
            purses,
            settlement: None,
            edition: Edition { version, first_hand_returns: options.first_hand_returns.unwrap_or(false) },
        };
        table.deal(chance);
        table.draw(starter);
        table
    }

    fn rules_version(&self) -> u32 {
        self.edition.version
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn with_edition(self, edition: Edition) -> Macarena {
        Macarena { edition, ..self }
    }

    fn to_act(&self) -> Seats {
        match &self.phase {
            Phase::Turn { seat, .. } | Phase::Buying { seat } => Seats::one(*seat),
            Phase::Returning { waiting, .. } => *waiting,
            Phase::Over { .. } => Seats::NONE,
        }
    }

    /// Pass and decline come first, then the series as [`Listing`] lists them.
    fn legal_moves(&self, seat: Seat) -> impl Iterator<Item = Move> + '_ {
        let mut few = Vec::new();
        let mut series = None;
        if self.to_act().contains(seat) {
            match self.phase {
                Phase::Turn { mirror, .. } => {
                    few.push(Move::idle(mirror));
                    let sources = std::array::from_fn(|well| self.sources(seat, small(well)));
                    series = Some(Listing::new(self.hands[seat], self.tops(seat, mirror), sources));
                }
                Phase::Returning { .. } => few.extend(self.purses[seat].elements.iter().map(Move::Return)),
                Phase::Buying { .. } => few.extend(self.purses[seat].elements.missing().iter().map(Move::Buy)),
                Phase::Over { .. } => {}
            }
        }
        few.into_iter().chain(series.into_iter().flatten())
    }

    /// Draws a well, or to play nothing; then card by card, with stopping as one more possibility.
    fn any_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let Phase::Turn { mirror, .. } = self.phase else {
            let few: Vec<Move> = self.legal_moves(seat).collect();
            return chance.pick(&few).clone();
        };
        let mut hand = self.hands[seat];
        let mut starts = [None; WELLS + 1];
        let mut choices = 1;
        for (well, top) in (0..).zip(self.tops(seat, mirror)) {
            if let Some(walk) = top.map(Walk::from).filter(|walk| !walk.next(hand).is_empty()) {
                starts[choices] = Some((well, walk));
                choices += 1;
            }
        }
        let Some((well, mut walk)) = starts[chance.index(choices)] else {
            return Move::idle(mirror);
        };
        let mut cards = Vec::new();
        loop {
            let mut next = walk.next(hand);
            let may_stop = u32::from(!cards.is_empty());
            let drawn = chance.below(next.len() + may_stop) as usize;
            let Some(card) = next.nth(drawn) else { break };
            let Ok(step) = walk.step(card) else { break };
            walk = step;
            hand.take(card);
            cards.push(card);
        }
        let mut sources = if walk.is_mirror() { self.sources(seat, well) } else { Wells::NONE };
        let from = match sources.len() {
            0 => None,
            n => sources.nth(chance.below(n.into()) as usize),
        };
        Move::Play { well, cards, from }
    }

    fn check(&self, seat: Seat, mv: &Move) -> Result<(), Illegal> {
        match &self.phase {
            Phase::Over { seven_wells: Some(winner) } => {
                let text = format!("The game is over: seat {winner} has a maca at each well.");
                return Err(Illegal::new(SEVEN_WELLS, text));
            }
            Phase::Over { seven_wells: None } => return Err(Illegal::new(GOAL, "The game is over.")),
            _ => {}
        }
        if !self.to_act().contains(seat) {
            return Err(Illegal::new(ORDER, format!("The game is waiting for {}.", among(self.to_act()))));
        }
        match (&self.phase, mv) {
            (Phase::Turn { mirror, .. }, Move::Play { well, cards, from }) => {
                self.check_series(seat, *mirror, *well, cards, *from)
            }
            (Phase::Turn { mirror: false, .. }, Move::Pass) | (Phase::Turn { mirror: true, .. }, Move::Decline) => {
                Ok(())
            }
            (Phase::Turn { mirror: false, .. }, _) => {
                Err(Illegal::new(TURN, "It is your turn: play a series on a well, or pass.").at(0))
            }
            (Phase::Turn { mirror: true, .. }, _) => {
                Err(Illegal::new(MIRROR_TURN, "This is your mirror turn: play a series on a well, or decline.").at(0))
            }
            (Phase::Returning { .. }, Move::Return(element)) if self.purses[seat].elements.contains(*element) => Ok(()),
            (Phase::Returning { .. }, Move::Return(element)) => {
                Err(Illegal::new(RETURN, format!("You have no {element} to return.")).at(1))
            }
            (Phase::Returning { .. }, _) => {
                Err(Illegal::new(RETURN, "You have the most cards in hand: return one of your elements.").at(0))
            }
            (Phase::Buying { .. }, Move::Buy(element)) if !self.purses[seat].elements.contains(*element) => Ok(()),
            (Phase::Buying { .. }, Move::Buy(element)) => {
                Err(Illegal::new(EXCHANGE, format!("You have {element} already: buy another element.")).at(1))
            }
            (Phase::Buying { .. }, _) => {
                Err(Illegal::new(EXCHANGE, "You have four coins: buy an element that you do not have.").at(0))
            }
            (Phase::Over { .. }, _) => Err(Illegal::new(GOAL, "The game is over.")),
        }
    }

    fn make(&mut self, seat: Seat, mv: &Move, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        match mv {
            Move::Play { well, cards, from } => self.play(seat, *well, cards, *from, chance, seen),
            Move::Pass => self.pass(seat, chance, seen),
            Move::Decline => {
                seen.see(|| Event::Declined { seat });
                self.end_turn(seat, chance, seen);
            }
            Move::Return(element) => self.choose_return(seat, *element, chance, seen),
            Move::Buy(element) => self.buy(seat, *element, chance, seen),
        }
    }

    fn continuations(&self, seat: Seat, prefix: &[&str]) -> Continuations {
        let mirror = match self.phase {
            Phase::Turn { seat: mover, mirror } if mover == seat => mirror,
            // Elements are few.
            _ => return follow(self.legal_moves(seat).map(|mv| mv.to_string()), prefix),
        };
        let mut hand = self.hands[seat];
        let tops = self.tops(seat, mirror);
        let idle = Move::idle(mirror).to_string();
        let start = |well: u8| tops.get(well as usize).copied().flatten().map(Walk::from);
        let mut answer = Continuations::default();
        let Some((first, laid)) = prefix.split_first() else {
            answer.next.push(idle);
            let playable =
                (0..small(WELLS)).filter(|well| start(*well).is_some_and(|walk| !walk.next(hand).is_empty()));
            answer.next.extend(playable.map(|well| format!("{WELL}{well}")));
            return answer;
        };
        if *first == idle {
            answer.is_move = laid.is_empty();
            return answer;
        }
        let Some((well, mut walk)) = read_well(first, WELL).and_then(|well| Some((well, start(well)?))) else {
            return answer;
        };
        let sources = self.sources(seat, well);
        for (i, token) in laid.iter().enumerate() {
            let step = token.parse().ok().filter(|card| hand.take(*card)).and_then(|card| walk.step(card).ok());
            let Some(step) = step else {
                let is_last = i + 1 == laid.len();
                answer.is_move =
                    is_last && walk.is_mirror() && read_well(token, FROM).is_some_and(|from| sources.contains(from));
                return answer;
            };
            walk = step;
        }
        if walk.is_mirror() && !sources.is_empty() {
            answer.next.extend(sources.map(|from| format!("{FROM}{from}")));
        } else {
            answer.is_move = !laid.is_empty();
            answer.next.extend(walk.next(hand).map(|card| card.to_string()));
        }
        answer
    }

    fn standing(&self) -> Standing<Details> {
        let seven_wells = match self.phase {
            Phase::Over { seven_wells } => seven_wells,
            _ => None,
        };
        let places = places_by(self.seats(), |a, b| {
            let by_wells = (seven_wells == Some(b)).cmp(&(seven_wells == Some(a)));
            by_wells.then_with(|| self.purses[a].compare(&self.purses[b]))
        });
        let details = Details { hands_played: self.hand_number + 1, purses: self.purses.clone(), seven_wells };
        Standing { places, details }
    }

    fn outcome(&self) -> Option<Outcome<Details>> {
        let Phase::Over { seven_wells } = self.phase else { return None };
        let standing = self.standing();
        let winners = standing.places.iter().filter(|(_, place)| **place == 1).map(|(seat, _)| seat).collect();
        Some(standing.ended(if seven_wells.is_some() { SEVEN_WELLS } else { GOAL }, winners))
    }

    fn view(&self, viewer: Viewer) -> View {
        let sees_all = viewer.is_open();
        let (stage, turn) = match self.phase {
            Phase::Turn { seat, mirror: false } => (Stage::NormalTurn, Some(seat)),
            Phase::Turn { seat, mirror: true } => (Stage::MirrorTurn, Some(seat)),
            Phase::Returning { .. } => (Stage::Returning, None),
            Phase::Buying { seat } => (Stage::Buying, Some(seat)),
            Phase::Over { .. } => (Stage::Over, None),
        };
        let well = |(number, well): (usize, &Well)| WellView {
            top: well.top,
            macas: self.macas.map(|macas| macas[number]),
            under_size: well.under.len(),
            under: sees_all.then_some(well.under),
        };
        let player = |seat: Seat| {
            let mine = viewer.sees(seat);
            let Purse { elements, coins, amulets } = self.purses[seat];
            PlayerView {
                hand_size: self.hands[seat].len(),
                hand: mine.then_some(self.hands[seat]),
                drawn: self.drawn.filter(|_| mine && turn == Some(seat)),
                collection_size: self.collections[seat].len(),
                collection: mine.then_some(self.collections[seat]),
                macas_at_home: MACAS - self.macas_out(seat),
                elements,
                coins,
                amulets,
                chosen_return: match &self.phase {
                    Phase::Returning { chosen, .. } if mine => chosen[seat],
                    _ => None,
                },
            }
        };
        View {
            hand_number: self.hand_number,
            max_hands: self.max_hands,
            goal: self.goal(),
            starter: self.starter,
            stage,
            turn,
            returning: match self.phase {
                Phase::Returning { waiting, .. } => waiting,
                _ => Seats::NONE,
            },
            wells: self.wells.iter().enumerate().map(well).collect(),
            deck_size: small(self.deck.len()),
            deck: sees_all.then(|| self.deck.iter().rev().copied().collect()),
            players: BySeat::each(self.seats(), player),
            settlement: self.settlement.clone(),
        }
    }

    /// Redraws other hands, the deck, and pending choices of elements to return. Collections and the cards under wells
    /// stay, because everybody saw them being played. Once hands are shown, only the deck is unknown.
    fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Macarena {
        let mut other = self.clone();
        let hands_are_shown = matches!(self.phase, Phase::Buying { .. } | Phase::Over { seven_wells: None });
        let hidden = |seat: &Seat| !hands_are_shown && !viewer.sees(*seat);
        for seat in Seat::all(self.seats()).filter(hidden) {
            other.deck.extend(self.hands[seat].iter());
        }
        // Sorted first, so that the draw depends on nothing but what the viewer knows. Version 1 drew branches from the
        // unsorted deck, and replays need the same draw.
        if !viewer.is_open() || self.edition.version >= 2 {
            other.deck.sort_unstable();
        }
        chance.shuffle(&mut other.deck);
        for seat in Seat::all(self.seats()).filter(hidden) {
            let size = self.hands[seat].len() as usize;
            other.hands[seat] = other.deck.drain(other.deck.len() - size..).collect();
        }
        match &mut other.phase {
            Phase::Turn { seat, .. } if hidden(seat) => {
                let hand: Vec<Card> = other.hands[*seat].into();
                other.drawn = self.drawn.map(|_| *chance.pick(&hand));
            }
            Phase::Returning { chosen, .. } => {
                for (seat, choice) in chosen.iter_mut().filter(|(seat, _)| hidden(seat)) {
                    let elements: Vec<Element> = self.purses[seat].elements.into();
                    *choice = choice.map(|_| *chance.pick(&elements));
                }
            }
            _ => {}
        }
        other
    }

    fn is_open(mv: &Move) -> bool {
        match mv {
            Move::Play { .. } | Move::Pass | Move::Decline | Move::Buy(_) => true,
            Move::Return(_) => false,
        }
    }

    fn describe(&self, _seat: Seat, mv: &Move) -> String {
        match mv {
            Move::Play { well, cards, from } => {
                let top = self.wells.get(*well as usize).map(|well| well.top);
                let mirror = if top.is_some_and(|top| ends_in_mirror(top, cards)) { ", a mirror" } else { "" };
                let from = from.map(|from| format!(", with the maca of well {from}")).unwrap_or_default();
                format!("Play {} on well {well}{mirror}{from}", Laid(cards))
            }
            Move::Pass => "Pass".into(),
            Move::Decline => "Decline the mirror turn".into(),
            Move::Return(element) => format!("Return {element}"),
            Move::Buy(element) => format!("Buy {element} with four coins"),
        }
    }

    fn describe_token(&self, _seat: Seat, prefix: &[&str], token: &str) -> (TokenType, String) {
        let well = |before: &str| read_well(token, before);
        match (prefix, token) {
            ([], "pass") => (TokenType::Verb, "Pass".into()),
            ([], "decline") => (TokenType::Verb, "Decline the mirror turn".into()),
            ([], "return") => (TokenType::Verb, "Return an element".into()),
            ([], "buy") => (TokenType::Verb, "Buy an element with four coins".into()),
            ([], _) => match well(WELL).and_then(|well| Some((well, self.wells.get(usize::from(well))?.top))) {
                Some((well, top)) => (TokenType::Place, format!("Play on well {well}, on {top}")),
                None => (TokenType::Place, format!("Play on well {token}")),
            },
            (["return"], element) => (TokenType::Card, format!("Return {element}")),
            (["buy"], element) => (TokenType::Card, format!("Buy {element}")),
            (_, card) => match well(FROM) {
                Some(from) => (TokenType::Place, format!("Take the maca of well {from}")),
                None => (TokenType::Card, format!("Lay {card}")),
            },
        }
    }
}

impl Macarena {
    fn seats(&self) -> u8 {
        self.hands.seats()
    }

    /// mac.23.
    fn goal(&self) -> u8 {
        if self.seats() <= 3 { 2 } else { 1 }
    }

    fn macas_out(&self, seat: Seat) -> u8 {
        self.macas[seat].iter().sum()
    }

    /// mac.4, mac.11, mac.12: whether macas keep the player off the well.
    fn is_barred(&self, seat: Seat, mirror: bool, well: usize) -> bool {
        !mirror && self.macas[seat][well] == 0 && self.macas.values().any(|macas| macas[well] > 0)
    }

    /// The tops of the wells on which the player may play.
    fn tops(&self, seat: Seat, mirror: bool) -> [Option<Card>; WELLS] {
        std::array::from_fn(|well| (!self.is_barred(seat, mirror, well)).then_some(self.wells[well].top))
    }

    /// mac.10: the wells from which a maca can move to this one, if it has to come from a well.
    fn sources(&self, seat: Seat, well: u8) -> Wells {
        if self.macas_out(seat) < MACAS {
            return Wells::NONE;
        }
        let all_here = self.macas[seat].get(well as usize) == Some(&MACAS);
        (0..small(WELLS)).filter(|from| self.macas[seat][*from as usize] > 0 && (*from != well || all_here)).collect()
    }

    /// mac.1: the cards of a hand.
    fn deal(&mut self, chance: &mut Chance) {
        let mut deck = Card::shuffled(chance);
        let mut cards = deck.drain(deck.len() - HAND * self.hands.seats() as usize - WELLS..);
        for hand in self.hands.values_mut() {
            *hand = cards.by_ref().take(HAND).collect();
        }
        for (well, top) in self.wells.iter_mut().zip(cards) {
            *well = Well { top, under: Cards::default() };
        }
        self.deck = deck;
        self.collections.values_mut().for_each(|collection| *collection = Cards::default());
    }

    /// mac.3: false if the deck is empty.
    fn draw(&mut self, seat: Seat) -> bool {
        self.drawn = self.deck.pop();
        self.drawn.is_some_and(|card| self.hands[seat].put(card))
    }

    /// mac.5 to mac.11, and mac.15 for what comes after.
    fn play(
        &mut self,
        seat: Seat,
        well: u8,
        cards: &[Card],
        from: Option<u8>,
        chance: &mut Chance,
        seen: &mut impl Sink<Event>,
    ) {
        let pile = &mut self.wells[well as usize];
        let is_mirror = ends_in_mirror(pile.top, cards);
        let (collected, covered) = match cards {
            [_] if is_mirror => (cards, None),
            [collected @ .., last] => (collected, Some(std::mem::replace(&mut pile.top, *last))),
            [] => (cards, None),
        };
        for card in cards {
            self.hands[seat].take(*card);
        }
        for card in collected {
            self.collections[seat].put(*card);
        }
        if let Some(covered) = covered {
            pile.under.put(covered);
        }
        let top = pile.top;
        seen.see(|| Event::Played {
            seat,
            well,
            cards: cards.to_vec(),
            mirror: is_mirror,
            top,
            covered,
            collected: collected.to_vec(),
        });
        if is_mirror {
            self.place_maca(seat, well, from, seen);
            if self.macas[seat].iter().all(|macas| *macas > 0) {
                seen.see(|| Event::SevenWells { seat });
                self.drawn = None;
                self.end(Some(seat), seen);
                return;
            }
        }
        if self.hands[seat].is_empty() {
            self.end_hand(HandEnd::EmptyHand { seat }, chance, seen);
        } else if is_mirror {
            self.win_mirror_turn(seat, seen);
        } else {
            self.end_turn(seat, chance, seen);
        }
    }

    /// mac.10.
    fn place_maca(&mut self, seat: Seat, well: u8, from: Option<u8>, seen: &mut impl Sink<Event>) {
        if let Some(from) = from {
            self.macas[seat][from as usize] -= 1;
        }
        self.macas[seat][well as usize] += 1;
        seen.see(|| Event::MacaPlaced { seat, well, from });
    }

    /// mac.11.
    fn win_mirror_turn(&mut self, seat: Seat, seen: &mut impl Sink<Event>) {
        self.phase = Phase::Turn { seat, mirror: true };
        self.drawn = None;
        seen.see(|| Event::MirrorTurnWon { seat });
        if self.mirror_turn_draws && self.draw(seat) {
            seen.see(|| Event::Drew { seat });
        }
    }

    /// mac.13.
    fn pass(&mut self, seat: Seat, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let macas = self.macas_out(seat);
        self.macas[seat] = [0; WELLS];
        seen.see(|| Event::Passed { seat, macas });
        self.end_turn(seat, chance, seen);
    }

    /// mac.2, mac.15.
    fn end_turn(&mut self, seat: Seat, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        if self.deck.is_empty() {
            self.end_hand(HandEnd::EmptyDeck, chance, seen);
        } else {
            self.begin_turn(seat.right(self.seats()), seen);
        }
    }

    /// mac.3.
    fn begin_turn(&mut self, seat: Seat, seen: &mut impl Sink<Event>) {
        self.phase = Phase::Turn { seat, mirror: false };
        self.draw(seat);
        seen.see(|| Event::Drew { seat });
    }

    /// mac.23.
    fn conclude(&mut self, chance: &mut Chance, seen: &mut impl Sink<Event>) {
        let is_reached = self.purses.values().any(|purse| purse.amulets >= self.goal());
        if is_reached || self.hand_number + 1 >= self.max_hands {
            self.end(None, seen);
            return;
        }
        self.hand_number += 1;
        self.starter = self.starter.right(self.seats());
        self.deal(chance);
        let (hand_number, starter) = (self.hand_number, self.starter);
        seen.see(|| Event::HandBegan { hand_number, starter, wells: self.wells.iter().map(|well| well.top).collect() });
        self.begin_turn(starter, seen);
    }

    /// mac.14, mac.23.
    fn end(&mut self, seven_wells: Option<Seat>, seen: &mut impl Sink<Event>) {
        self.phase = Phase::Over { seven_wells };
        seen.see(|| Event::Ended { winners: self.outcome().map(|outcome| outcome.winners).unwrap_or_default() });
    }
}

/// mac.9.
fn ends_in_mirror(top: Card, cards: &[Card]) -> bool {
    match cards {
        [] => false,
        [only] => *only == top,
        [.., twin, last] => twin == last,
    }
}

/// 'seat 1', 'seats 0, 2 and 3'.
fn among(seats: Seats) -> String {
    let names: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
    match &names[..] {
        [] => "nobody".into(),
        [only] => format!("seat {only}"),
        [most @ .., last] => format!("seats {} and {last}", most.join(", ")),
    }
}
