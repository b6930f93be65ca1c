//! A game: the rules of a kind, together with the rules that all kinds share.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::{
    Bot, BySeat, Chance, Continuation, Continuations, Ending, Entropy, Illegal, Nobody, Outcome, Over, RuleId, Rules,
    Seat, Seats, Sink, Unloadable, Viewer, places_by, saved,
};

/// The largest number of moves in a game.
pub const PLY_LIMIT: u32 = 30_000;

const RESIGNING: RuleId = RuleId("table.1");
const LENGTH: RuleId = RuleId("table.2");
const SEATS: RuleId = RuleId("table.3");
const EDITIONS: RuleId = RuleId("table.4");
const BOTS: RuleId = RuleId("table.5");

/// The rules that all kinds share.
pub const TABLE_RULES: [(RuleId, &str); 5] = [
    (
        RESIGNING,
        "A player may resign at any time after the start. From then on, a bot plays for the seat; in games begun before there were bots, the seat's moves are chosen at random. When only one seat has not resigned, or only bots are left, the game ends and the best of the other seats win.",
    ),
    (LENGTH, "After 30,000 moves a game ends without a winner."),
    (
        SEATS,
        "The number of seats is chosen when the game is opened, within the limits of its kind. Only these seats make moves.",
    ),
    (
        EDITIONS,
        "A game follows one version of its kind's rules from the first move to the last, and has only the options of that version.",
    ),
    (
        BOTS,
        "A seat can be a bot's from the start. Only the bot moves for it, and it knows no more than a player in that seat. At least one seat is a person's.",
    ),
];

/// The bots of a game. They are no part of its saved form: the stored game and the record name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bots {
    /// The seats that bots have from the start.
    pub seats: Seats,
    /// Whether bots play for seats that resign. If not, the moves of these seats are drawn at random.
    pub stand_in: bool,
}

/// Whether a game of this kind can be set up with these options, by this version of its rules.
pub(crate) fn check_options<R: Rules>(options: &R::Options, version: u32, seats: u8) -> Result<(), Illegal> {
    if !R::RULES_VERSIONS.contains(&version) {
        return Err(Illegal::new(EDITIONS, format!("There is no version {version} of the rules.")));
    }
    if let Some(option) = R::unknown_option(options, version) {
        return Err(Illegal::new(EDITIONS, format!("Version {version} of the rules has no option {option}.")));
    }
    R::check_options(options, version, seats)
}

/// A game, in progress or over. Its saved form is only a cache: replaying the moves with the same seed and options
/// gives the same game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Game<R: Rules> {
    rules: R,
    seats: u8,
    ply: u32,
    /// In the order in which they resigned.
    resigned: Vec<Seat>,
    #[serde(skip)]
    bots: Bots,
}

/// One step of a game, as in an entry of its log.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<M, E> {
    pub seat: Seat,
    pub act: Act<M>,
    /// The ply that the game has reached with it.
    pub ply: u32,
    pub events: Vec<E>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Act<M> {
    /// The seat's own decision.
    Moved(M),
    /// A decision of the bot that plays for the seat.
    Bot(M, Bot),
    /// A decision drawn for a seat that has resigned.
    Auto(M),
    Resigned,
}

/// The reason why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("{0}")]
    GameOver(Illegal),
    /// The game is not waiting for this seat.
    #[error("{0}")]
    NotYourTurn(Illegal),
    /// The seat is to act, but this move is not legal.
    #[error("{0}")]
    Illegal(Illegal),
}

impl Refusal {
    pub fn illegal(&self) -> &Illegal {
        let (Refusal::GameOver(illegal) | Refusal::NotYourTurn(illegal) | Refusal::Illegal(illegal)) = self;
        illegal
    }
}

/// The reason why a kind cannot be played with this many seats.
pub(crate) fn wrong_seats<R: Rules>(seats: impl Display) -> String {
    let title = R::about(*R::RULES_VERSIONS.end()).title;
    let (least, most) = (*R::SEATS.start(), *R::SEATS.end());
    let known = match most - least {
        0 => format!("{least}"),
        1 => format!("{least} or {most}"),
        _ => format!("{least} to {most}"),
    };
    format!("{title} has {known} seats, not {seats}.")
}

type Steps<R> = Vec<Step<<R as Rules>::Move, <R as Rules>::Event>>;

impl<R: Rules> Game<R> {
    /// Sets the table up: the deal of ply 0.
    pub fn start(options: &R::Options, seats: u8, version: u32, entropy: &Entropy) -> Result<Game<R>, Illegal> {
        if !R::SEATS.contains(&seats) {
            return Err(Illegal::new(SEATS, wrong_seats::<R>(seats)));
        }
        check_options::<R>(options, version, seats)?;
        Ok(Game::from_position(R::setup(options, version, seats, &mut entropy.table(0)), seats))
    }

    /// A game that begins with this position.
    pub fn from_position(rules: R, seats: u8) -> Game<R> {
        Game { rules, seats, ply: 0, resigned: Vec::new(), bots: Bots::default() }
    }

    /// The same game with these bots. A game that was just set up or loaded has none.
    pub fn with_bots(self, bots: Bots) -> Game<R> {
        Game { bots, ..self }
    }

    /// The saved form of the game.
    pub fn save(&self) -> Vec<u8> {
        saved::save(self)
    }

    /// Loads a saved game with these options, of this version of the rules.
    pub fn load(options: &R::Options, version: u32, saved: &[u8]) -> Result<Game<R>, Unloadable> {
        saved::load(options, version, saved)
    }

    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The version of the rules.
    pub fn rules_version(&self) -> u32 {
        self.rules.rules_version()
    }

    pub(crate) fn with_edition(self, edition: R::Edition) -> Game<R> {
        Game { rules: self.rules.with_edition(edition), ..self }
    }

    pub(crate) fn with_components_of(self, options: &R::Options) -> Result<Game<R>, Illegal> {
        Ok(Game { rules: self.rules.with_components_of(options)?, ..self })
    }

    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// The number of moves made.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// In the order in which they resigned.
    pub fn resigned(&self) -> &[Seat] {
        &self.resigned
    }

    /// The seats that the game is waiting for.
    pub fn to_act(&self) -> Seats {
        if self.is_over() { Seats::NONE } else { self.rules.to_act() }
    }

    /// Makes a seat's move, and then the moves due from resigned seats.
    pub fn play(&mut self, seat: Seat, mv: &R::Move, entropy: &Entropy) -> Result<Steps<R>, Refusal> {
        self.explain(seat, mv)?;
        let mut steps = Vec::new();
        self.take(seat, Act::Moved(mv.clone()), entropy, &mut steps);
        self.decide_for_the_resigned(entropy, &mut steps);
        Ok(steps)
    }

    /// Makes the move of a bot for its seat, or for a resigned seat that it plays for.
    pub fn play_bot(&mut self, seat: Seat, mv: &R::Move, bot: Bot, entropy: &Entropy) -> Result<Steps<R>, Refusal> {
        self.explain_bot(seat, mv)?;
        let mut steps = Vec::new();
        self.take(seat, Act::Bot(mv.clone(), bot), entropy, &mut steps);
        self.decide_for_the_resigned(entropy, &mut steps);
        Ok(steps)
    }

    /// Resigns a seat. A bot makes its later decisions or, in a game without stand-ins, they are drawn at random.
    pub fn resign(&mut self, seat: Seat, entropy: &Entropy) -> Result<Steps<R>, Refusal> {
        self.give_up(seat)?;
        let mut steps = vec![Step { seat, act: Act::Resigned, ply: self.ply, events: Vec::new() }];
        self.decide_for_the_resigned(entropy, &mut steps);
        Ok(steps)
    }

    /// Replays one step of a log or a record. Moves drawn for resigned seats are steps of their own.
    pub fn retrace(&mut self, seat: Seat, act: &Act<R::Move>, entropy: &Entropy) -> Result<(), Refusal> {
        let due = self.due_from_the_resigned();
        let refuse = |text: String| Err(Refusal::NotYourTurn(Illegal::new(RESIGNING, text)));
        match act {
            Act::Auto(_) if due != Some(seat) => return refuse(format!("No automatic move is due for seat {seat}.")),
            Act::Auto(mv) => {
                let drawn = self.rules.any_move(seat, &mut entropy.auto(self.ply + 1));
                if drawn != *mv {
                    return refuse(format!(
                        "The automatic move of resigned seat {seat} must be '{drawn}', not '{mv}'."
                    ));
                }
            }
            _ if let Some(due) = due => {
                return refuse(format!("The automatic move of resigned seat {due} is missing."));
            }
            Act::Moved(mv) => self.explain(seat, mv)?,
            Act::Bot(mv, _) => self.explain_bot(seat, mv)?,
            Act::Resigned => return self.give_up(seat),
        }
        self.make(seat, act, entropy, &mut Nobody);
        Ok(())
    }

    /// A new game that continues from this position. Everything that any seat knows stays; everything else is redrawn. No seat has
    /// resigned in it, and its plies count from 0.
    pub fn branch(&self, entropy: &Entropy) -> Result<Game<R>, Refusal> {
        if let Some(Outcome { ending: Ending::Rule(rule), .. }) = self.rules.outcome() {
            return Err(Refusal::GameOver(Illegal::new(
                rule,
                "The game is over: no game can continue from this position.",
            )));
        }
        // The proof is safe to make here: the position is played on from, and no viewer sees it as open.
        let position = self.rules.imagine(Viewer::Open(Over(())), &mut entropy.table(0));
        Ok(Game::from_position(position, self.seats))
    }

    /// The seats to act whose decisions players make.
    pub fn due_from_players(&self) -> Seats {
        self.to_act().without(self.bot_seats())
    }

    /// The seats to act whose decisions bots make.
    pub fn due_from_bots(&self) -> Seats {
        self.to_act().and(self.bot_seats())
    }

    /// The seats that bots play for now: their own, and those of players who resigned.
    pub fn bot_seats(&self) -> Seats {
        let mut seats = self.bots.seats;
        if self.bots.stand_in {
            self.resigned.iter().for_each(|seat| seats.insert(*seat));
        }
        seats
    }

    /// The resigned seat for which a move must be drawn now.
    pub fn due_from_the_resigned(&self) -> Option<Seat> {
        if self.resigned.is_empty() || self.bots.stand_in {
            return None;
        }
        self.to_act().and(self.resigned.iter().copied().collect()).first()
    }

    /// Whether the player of the seat may make the move now, and if not, why.
    pub fn explain(&self, seat: Seat, mv: &R::Move) -> Result<(), Refusal> {
        self.explain_if(seat, mv, || {
            if self.resigned.contains(&seat) {
                Err(self.has_resigned(seat))
            } else if self.bots.seats.contains(seat) {
                Err(Refusal::NotYourTurn(Illegal::new(BOTS, format!("A bot plays in seat {seat}."))))
            } else {
                Ok(())
            }
        })
    }

    /// Whether a bot may make the move for the seat now, and if not, why.
    pub fn explain_bot(&self, seat: Seat, mv: &R::Move) -> Result<(), Refusal> {
        self.explain_if(seat, mv, || match self.bot_seats().contains(seat) {
            true => Ok(()),
            false => Err(Refusal::NotYourTurn(Illegal::new(BOTS, format!("No bot plays for seat {seat}.")))),
        })
    }

    fn explain_if(
        &self,
        seat: Seat,
        mv: &R::Move,
        may_act: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.check_seat(seat)?;
        let verdict = self.rules.check(seat, mv);
        if let Some(refusal) = self.ended() {
            return Err(match verdict {
                Err(illegal) if self.rules.outcome().is_some() => Refusal::GameOver(illegal),
                _ => refusal,
            });
        }
        may_act()?;
        match verdict {
            Ok(()) => Ok(()),
            Err(illegal) if self.rules.to_act().contains(seat) => Err(Refusal::Illegal(illegal)),
            Err(illegal) => Err(Refusal::NotYourTurn(illegal)),
        }
    }

    /// The first legal moves of a seat's player, and whether these are all of them.
    pub fn legal_moves(&self, seat: Seat, limit: usize) -> (Vec<R::Move>, bool) {
        if !self.due_from_players().contains(seat) {
            return (Vec::new(), true);
        }
        let mut moves: Vec<R::Move> = self.rules.legal_moves(seat).take(limit.saturating_add(1)).collect();
        let complete = moves.len() <= limit;
        moves.truncate(limit);
        (moves, complete)
    }

    /// The tokens that may follow those of `prefix`, and whether these already form a legal move.
    pub fn continuations(&self, seat: Seat, prefix: &[&str]) -> (Vec<Continuation>, bool) {
        if !self.due_from_players().contains(seat) {
            return (Vec::new(), false);
        }
        let Continuations { next, is_move } = self.rules.continuations(seat, prefix);
        let in_words = |token: String| {
            let (token_type, text) = self.rules.describe_token(seat, prefix, &token);
            Continuation { token, text, token_type }
        };
        (next.into_iter().map(in_words).collect(), is_move)
    }

    pub fn view(&self, viewer: Viewer) -> R::View {
        self.rules.view(viewer)
    }

    /// A game that this viewer cannot distinguish from this one: everything it cannot know is redrawn.
    pub fn imagine(&self, viewer: Viewer, chance: &mut Chance) -> Game<R> {
        Game { rules: self.rules.imagine(viewer, chance), resigned: self.resigned.clone(), ..*self }
    }

    pub fn is_over(&self) -> bool {
        self.ply >= PLY_LIMIT || self.is_resigned() || self.rules.outcome().is_some()
    }

    /// The proof that the game is over, needed to see all hands.
    pub fn over(&self) -> Option<Over> {
        self.is_over().then_some(Over(()))
    }

    /// How the game ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome<R::Details>> {
        if self.is_resigned() {
            let standing = self.rules.standing();
            let places = self.resigned_last(&standing.places);
            let winners = best(&places);
            return Some(Outcome { ending: Ending::Resignation, winners, places, details: standing.details });
        }
        if let Some(outcome) = self.rules.outcome() {
            let places = self.resigned_last(&outcome.places);
            let winners = match outcome.winners.and(self.active()) {
                // All winners by the rules have resigned: the best of the other seats win.
                none if none.is_empty() && !outcome.winners.is_empty() => best(&places),
                winners => winners,
            };
            return Some(Outcome { winners, places, ..outcome });
        }
        (self.ply >= PLY_LIMIT).then(|| {
            let standing = self.rules.standing();
            Outcome {
                ending: Ending::PlyLimit,
                winners: Seats::NONE,
                places: self.resigned_last(&standing.places),
                details: standing.details,
            }
        })
    }

    /// Whether resignations have ended the game: one seat is left, or no person.
    fn is_resigned(&self) -> bool {
        let active = self.active();
        active.len() == 1 || (!self.resigned.is_empty() && active.without(self.bots.seats).is_empty())
    }

    /// The seats that have not resigned.
    fn active(&self) -> Seats {
        Seats::all(self.seats).without(self.resigned.iter().copied().collect())
    }

    /// Resigned seats rank below all others; among them, a later resignation ranks higher.
    fn resigned_last(&self, places: &BySeat<u8>) -> BySeat<u8> {
        let rank = |seat: Seat| match self.resigned.iter().rposition(|gone| *gone == seat) {
            None => (0, places[seat] as usize),
            Some(order) => (1, self.resigned.len() - order),
        };
        places_by(self.seats, |a, b| rank(a).cmp(&rank(b)))
    }

    fn ended(&self) -> Option<Refusal> {
        let text = |rule, text: &'static str| Some(Refusal::GameOver(Illegal::new(rule, text)));
        if self.active().len() == 1 {
            text(RESIGNING, "The game is over: all seats but one have resigned.")
        } else if self.is_resigned() {
            text(RESIGNING, "The game is over: all players have resigned, and only bots are left.")
        } else if let Some(Outcome { ending: Ending::Rule(rule), .. }) = self.rules.outcome() {
            text(rule, "The game is over.")
        } else if self.ply >= PLY_LIMIT {
            text(LENGTH, "The game is over: it reached the limit of 30,000 moves.")
        } else {
            None
        }
    }

    /// Rules are only ever called with seats of the table.
    fn check_seat(&self, seat: Seat) -> Result<(), Refusal> {
        match seat.number() < self.seats {
            true => Ok(()),
            false => Err(Refusal::NotYourTurn(Illegal::new(SEATS, format!("There is no seat {seat} at this table.")))),
        }
    }

    fn has_resigned(&self, seat: Seat) -> Refusal {
        Refusal::NotYourTurn(Illegal::new(RESIGNING, format!("Seat {seat} has resigned.")))
    }

    fn give_up(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_seat(seat)?;
        if let Some(refusal) = self.ended() {
            return Err(refusal);
        }
        if self.bots.seats.contains(seat) {
            return Err(Refusal::NotYourTurn(Illegal::new(BOTS, "A bot does not resign.")));
        }
        if self.resigned.contains(&seat) {
            return Err(self.has_resigned(seat));
        }
        self.resigned.push(seat);
        Ok(())
    }

    /// Makes a move that was checked, or drawn for a resigned seat.
    fn make(&mut self, seat: Seat, act: &Act<R::Move>, entropy: &Entropy, seen: &mut impl Sink<R::Event>) {
        if let Act::Moved(mv) | Act::Bot(mv, _) | Act::Auto(mv) = act {
            self.rules.make(seat, mv, &mut entropy.table(self.ply + 1), seen);
            self.ply += 1;
        }
    }

    fn take(&mut self, seat: Seat, act: Act<R::Move>, entropy: &Entropy, steps: &mut Steps<R>) {
        let mut events = Vec::new();
        self.make(seat, &act, entropy, &mut events);
        steps.push(Step { seat, act, ply: self.ply, events });
    }

    fn decide_for_the_resigned(&mut self, entropy: &Entropy, steps: &mut Steps<R>) {
        while let Some(seat) = self.due_from_the_resigned() {
            let mv = self.rules.any_move(seat, &mut entropy.auto(self.ply + 1));
            self.take(seat, Act::Auto(mv), entropy, steps);
        }
    }
}

/// The seats in the first place.
fn best(places: &BySeat<u8>) -> Seats {
    places.iter().filter(|(_, place)| **place == 1).map(|(seat, _)| seat).collect()
}
