//! The knowledge of bots about Mahola.
//!
//! A tableau is worth its points and those that the best cards of the hand can still add. From these follow the chances
//! to win the round, and with the favor tokens those to win the game. Choices that are made but still secret count as if
//! they were carried out: the world is imagined, and otherwise no choice would seem to change anything.
//!
//! A card is as good to play, or to keep, as the points that it adds. A card that is given away costs what it is worth
//! here and half of what it is worth there. A neighbour's character is guessed from its tableau.

use super::cards::Dance;
use super::*;
use crate::bot::{Judgement, shares};

/// The most seats.
const SEATS: usize = 4;
/// The share that the best cards of a hand are expected to add, in percent of the points that they would add now.
const KEPT: [i32; 5] = [85, 60, 45, 30, 20];

impl Judgement for Mahola {
    const PLAYOUT_PLIES: u32 = 40;

    fn worth(&self) -> BySeat<u32> {
        let seats = self.seats();
        if self.phase == Phase::Over {
            let winners = self.tokens.iter().filter(|(_, tokens)| **tokens >= self.rounds_to_win);
            return shares::decided(seats, winners.map(|(seat, _)| seat).collect());
        }
        let mut outlooks = [0; SEATS];
        for seat in Seat::all(seats) {
            outlooks[seat.index()] = self.outlook(seat);
        }
        let turns = i32::from(TURNS - self.turn) - i32::from(self.phase == Phase::Pass);
        let spread = if self.phase == Phase::Ability { 30 } else { 200 + 80 * turns };
        let round = shares::expected(seats, spread, |seat| outlooks[seat.index()]);
        self.after_round(&round)
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        promised(self.gains(seat)(*mv))
    }

    fn candidates(&self, seat: Seat, limit: usize, _chance: &mut Chance) -> Vec<Move> {
        let gain = self.gains(seat);
        let mut moves: Vec<(i32, Move)> = self.legal_moves(seat).map(|mv| (-gain(mv), mv)).collect();
        if self.tableaus[seat].cards().is_empty() {
            // The first card goes to no end.
            moves.retain(|(_, mv)| !matches!(mv, Move::Play { end: End::Right, .. }));
        }
        // The sort is stable, so that equals keep their order.
        moves.sort_by_key(|(loss, _)| *loss);
        moves.truncate(limit);
        moves.into_iter().map(|(_, mv)| mv).collect()
    }

    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        let gain = self.gains(seat);
        let best = self.legal_moves(seat).max_by_key(|mv| 100 * gain(*mv) + i32::from(small(chance.index(150))));
        best.unwrap_or_else(|| self.any_move(seat, chance))
    }
}

/// The promise of a move that gains so many points.
fn promised(gain: i32) -> u32 {
    u32::try_from(100 + 45 * gain).unwrap_or(0).clamp(5, 1_000)
}

/// A dance card as a tableau counts it. Sets of dances are bits, because tableaus are tried out by the million.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Dancer {
    /// Its value for each character, in their order.
    values: [i16; Character::ALL.len()],
    shows: u8,
    secondary: (u8, i16),
    adjacent: (u8, i16),
}

impl Dancer {
    fn of(card: Card, tables: &Table) -> Dancer {
        let face = tables.face(card);
        let value = |character: &Character| match () {
            () if face.colour == tables.colour(*character) => face.value,
            () if face.animal == tables.animal(*character) => 0,
            () => -face.value,
        };
        let mut values = [0; Character::ALL.len()];
        values.iter_mut().zip(Character::ALL.iter().map(value)).for_each(|(to, value)| *to = value);
        let bits = |dances: Option<(Dance, i16)>| dances.map_or((0, 0), |(dance, points)| (1 << dance as u8, points));
        Dancer {
            values,
            shows: face.dance.map_or(u8::MAX, |dance| 1 << dance as u8),
            secondary: bits(face.secondary),
            adjacent: bits(face.adjacent),
        }
    }
}

/// A tableau that is tried out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row<'a> {
    tables: &'a Table,
    /// Cards beyond the length show no dance.
    cards: [Dancer; TURNS as usize + 1],
    length: usize,
}

impl<'a> Row<'a> {
    pub(super) fn of(tableau: &Tableau, tables: &'a Table) -> Row<'a> {
        let mut row = Row { tables, cards: Default::default(), length: 0 };
        for card in tableau.cards().iter().take(TURNS.into()) {
            row.insert(row.length, *card);
        }
        row
    }

    fn insert(&mut self, position: usize, card: Card) {
        self.cards[position..=self.length].rotate_right(1);
        self.cards[position] = Dancer::of(card, self.tables);
        self.length += 1;
    }

    fn play(mut self, card: Card, end: End) -> Row<'a> {
        if self.length < self.cards.len() {
            self.insert(if end == End::Left { 0 } else { self.length }, card);
        }
        self
    }

    /// As [`Mahola::use_abilities`] does.
    pub(super) fn change(mut self, mv: Move) -> Row<'a> {
        let tables = self.tables;
        let dancer = |card| Dancer::of(card, tables);
        let last = self.length.saturating_sub(1);
        match mv {
            Move::Play { card, end } => return self.play(card, end),
            Move::Swap(pair) => self.cards.swap(pair.first().into(), pair.second().into()),
            Move::Shift { from, to } if from < to => self.cards[from.into()..=to.into()].rotate_left(1),
            Move::Shift { from, to } => self.cards[to.into()..=from.into()].rotate_right(1),
            Move::Exchange { end: None, card } => self.cards[self.length / 2] = dancer(card),
            Move::Exchange { end: Some(End::Left), card } => self.cards[0] = dancer(card),
            Move::Exchange { end: Some(End::Right), card } => self.cards[last] = dancer(card),
            Move::Pass { .. } | Move::Decline => {}
        }
        self
    }

    /// mahola.6 to mahola.8, as [`Tableau::score`] adds them up.
    pub(super) fn points(&self, character: Character) -> i32 {
        let cards = &self.cards[..self.length];
        // The dances that some card shows, and those that several show.
        let (mut once, mut twice) = (0, 0);
        for card in cards {
            twice |= once & card.shows;
            once |= card.shows;
        }
        let mut points = 0;
        let mut before = 0;
        for (position, card) in cards.iter().enumerate() {
            points += card.values[character as usize];
            let (secondary, bonus) = card.secondary;
            let by_others = if card.shows & secondary == 0 { once } else { twice };
            if by_others & secondary != 0 {
                points += bonus;
            }
            let (adjacent, bonus) = card.adjacent;
            let after = cards.get(position + 1).map_or(0, |next| next.shows);
            points += bonus * (i16::from(before & adjacent != 0) + i16::from(after & adjacent != 0));
            before = card.shows;
        }
        points.into()
    }

    /// The most points that a card adds at either end.
    fn best_gain(&self, card: Card, character: Character) -> i32 {
        let gain = |end| self.play(card, end).points(character) - self.points(character);
        gain(End::Left).max(gain(End::Right))
    }
}

impl Mahola {
    /// The points that a move of the seat gains, compared with an ordinary one.
    fn gains(&self, seat: Seat) -> impl Fn(Move) -> i32 {
        let row = Row::of(&self.tableaus[seat], &self.tables);
        let character = self.characters[seat];
        let now = row.points(character);
        // For each card in hand, what it costs to give it to the left and to the right.
        let mut costs = [[0; 2]; Card::COUNT as usize + 1];
        if self.phase == Phase::Pass {
            let seats = self.seats();
            for card in self.hands[seat].iter() {
                let kept = 2 * self.use_of(seat, &row, card);
                let gift = |to: Seat| self.gift(seat, to, card);
                costs[usize::from(card.number())] = [kept + gift(seat.left(seats)), kept + gift(seat.right(seats))];
            }
        }
        move |mv| match mv {
            Move::Pass { left, right } => {
                (10 - costs[usize::from(left.number())][0] - costs[usize::from(right.number())][1]) / 2
            }
            _ => row.change(mv).points(character) - now,
        }
    }

    /// The use of a card in hand after the cards are passed.
    fn use_of(&self, seat: Seat, row: &Row, card: Card) -> i32 {
        let character = self.characters[seat];
        if self.turn + 1 < TURNS {
            return row.best_gain(card, character).max(-2);
        }
        let exchanges = |end| row.change(Move::Exchange { end, card }).points(character) - row.points(character);
        match character {
            Character::Hunter => exchanges(None).max(0),
            Character::Maiden => exchanges(Some(End::Left)).max(exchanges(Some(End::Right))).max(0),
            Character::Chief | Character::Shaman => 0,
        }
    }

    /// The use of a card at another seat, whose character is guessed: the one for which it has played best.
    fn gift(&self, seat: Seat, to: Seat, card: Card) -> i32 {
        let row = Row::of(&self.tableaus[to], &self.tables);
        let others = Character::ALL.iter().filter(|character| **character != self.characters[seat]);
        let guess = others.max_by_key(|character| row.points(**character)).copied().unwrap_or(Character::Chief);
        row.best_gain(card, guess).max(0)
    }

    /// The points that a seat can expect at the end of the round, in hundredths.
    fn outlook(&self, seat: Seat) -> i32 {
        let seats = self.seats();
        let (mut row, mut hand) = (Row::of(&self.tableaus[seat], &self.tables), self.hands[seat]);
        let character = self.characters[seat];
        match self.choices[seat] {
            Some(Move::Play { card, end }) => {
                row = row.play(card, end);
                hand.remove(card);
            }
            Some(Move::Pass { left, right }) => {
                hand.remove(left);
                hand.remove(right);
            }
            Some(mv) => row = row.change(mv),
            None => {}
        }
        if let Some(Move::Pass { left, .. }) = self.choices[seat.right(seats)] {
            hand.insert(left);
        }
        if let Some(Move::Pass { right, .. }) = self.choices[seat.left(seats)] {
            hand.insert(right);
        }
        let now = 100 * row.points(character);
        let left = usize::from(TURNS).saturating_sub(row.length);
        if self.phase == Phase::Ability {
            return now;
        }
        let mut gains = [-1; 12];
        for (gain, card) in gains.iter_mut().zip(hand.iter()) {
            *gain = row.best_gain(card, character);
        }
        gains.sort_unstable_by_key(|gain| -gain);
        now + gains.iter().zip(KEPT).take(left).map(|(gain, kept)| gain * kept).sum::<i32>()
    }

    /// The shares of the game, by the chances to win this round. Each favor token that a seat lacks halves its chances.
    fn after_round(&self, round: &BySeat<u32>) -> BySeat<u32> {
        let lacks = |seat: Seat| self.rounds_to_win.saturating_sub(self.tokens[seat]);
        let mut chances = BySeat::each(self.seats(), |_| 0);
        for (winner, wins) in round.iter() {
            if lacks(winner) <= 1 {
                chances[winner] += wins;
                continue;
            }
            let weight = |seat: Seat| 1u32 << (8 - lacks(seat) + u8::from(seat == winner));
            let all: u32 = Seat::all(self.seats()).map(weight).sum();
            for (seat, chance) in chances.iter_mut() {
                *chance += wins * weight(seat) / all;
            }
        }
        chances
    }
}
