//! The knowledge of bots about Mahabharata.
//!
//! A position is worth points: those of each leader, half by who would take them now and half by influence, as far as
//! spaces are still empty; and those of the Pati, by the number of tokens that it still lacks. A pick is as promising as
//! the points that it gains, and takes away from others. Dice that show the same, and spaces that serve as well, are
//! considered once. A Pati is revealed if and only if the game as it would be scored now is won, or at least drawn.

use super::leaders::Space;
use super::*;
use crate::bot::{Judgement, shares};

/// The most seats.
const SEATS: usize = 4;
/// The worth of a Pati by the number of tokens that it lacks, in hundredths of a point.
const PATI_WORTH: [i32; 9] = [700, 520, 390, 290, 220, 160, 110, 70, 40];

impl Judgement for Mahabharata {
    const PLAYOUT_PLIES: u32 = 48;

    fn worth(&self) -> BySeat<u32> {
        if let Phase::Over { .. } = self.phase {
            return shares::decided(self.seats(), self.score().winner.map(Seats::one).unwrap_or_default());
        }
        let mut scores = [0; SEATS];
        for in_play in &self.leaders {
            let (influence, empty) = in_play.influences();
            let points = self.tables.leader(in_play.leader).points;
            for (score, favour) in scores.iter_mut().zip(favours(influence, empty, points)) {
                *score += favour;
            }
        }
        for (score, player) in scores.iter_mut().zip(self.players.values()) {
            *score += player.pati_worth();
        }
        let spaces = self.leaders.iter().flat_map(|in_play| &in_play.spaces);
        let empty = spaces.filter(|space| space.owner.is_none()).count();
        shares::expected(self.seats(), 100 + 15 * i32::from(small(empty)), |seat| scores[seat.index()])
    }

    fn promise(&self, seat: Seat, mv: &Move) -> u32 {
        match *mv {
            Move::Reveal | Move::Hold => {
                let is_good = self.should_reveal(seat) == (*mv == Move::Reveal);
                if is_good { 1_000 } else { 10 }
            }
            Move::Pick { die, token, to } => match (self.face(die), token) {
                (Some(Face::Shows(token)), _) | (Some(Face::Raja), Some(token)) => {
                    u32::try_from(20 + self.gain(seat, token, to)).unwrap_or(0).min(1_000)
                }
                _ => 0,
            },
        }
    }

    fn candidates(&self, seat: Seat, limit: usize, _chance: &mut Chance) -> Vec<Move> {
        if self.phase != Phase::Picking {
            let winner = self.score().winner;
            return match self.answers_of(seat) {
                answers if winner.is_none() => answers.to_vec(),
                _ if self.should_reveal(seat) => vec![Move::Reveal],
                _ => vec![Move::Hold],
            };
        }
        let mut picks = Vec::with_capacity(48);
        self.each_pick(seat, |mv, gain| picks.push((gain, mv)));
        // The sort is stable, so that equals keep their order.
        picks.sort_by_key(|(gain, _)| -gain);
        picks.truncate(limit);
        picks.into_iter().map(|(_, mv)| mv).collect()
    }

    fn playout_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.phase != Phase::Picking {
            return if self.should_reveal(seat) { Move::Reveal } else { Move::Hold };
        }
        let mut best = None;
        self.each_pick(seat, |mv, gain| {
            let gain = i64::from(gain) + i64::from(chance.below(60));
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, mv));
            }
        });
        best.map_or_else(|| self.any_move(seat, chance), |(_, mv)| mv)
    }
}

impl Mahabharata {
    /// Whether ending the game now wins it for the seat, or at least does not lose it. Without a complete Pati never.
    fn should_reveal(&self, seat: Seat) -> bool {
        self.has_complete_pati(seat) && self.score().winner.is_none_or(|winner| winner == seat)
    }

    /// Every pick that is worth considering, with the points in hundredths that it gains.
    fn each_pick(&self, seat: Seat, mut see: impl FnMut(Move, i32)) {
        let player = &self.players[seat];
        let lacks = player.all_lacks();
        let at_leaders: Vec<[i32; 2]> = self.leaders.iter().map(|in_play| self.gains_at(seat, in_play)).collect();
        for (die, face) in self.dice_left() {
            if self.dice[..usize::from(die)].contains(&Some(face)) {
                continue;
            }
            match face {
                Face::Shows(token) if player.pool.has(token) => {
                    see(Move::Pick { die, token: None, to: Place::Screen }, player.gain_behind_screen(&lacks, token));
                    self.each_space(seat, token.unit(), |leader, is_new, to| {
                        see(Move::Pick { die, token: None, to }, at_leaders[leader][usize::from(is_new)]);
                    });
                }
                Face::Shows(_) => {}
                Face::Raja => {
                    for unit in Unit::ALL {
                        let Some(token) = player.spare(unit) else { continue };
                        self.each_space(seat, unit, |leader, is_new, to| {
                            see(Move::Pick { die, token: Some(token), to }, at_leaders[leader][usize::from(is_new)]);
                        });
                    }
                }
            }
        }
    }

    /// For each leader an empty space with this icon and one of the seat's own: others serve as well. With the leader's
    /// index, and whether the space is empty.
    fn each_space(&self, seat: Seat, unit: Unit, mut see: impl FnMut(usize, bool, Place)) {
        for (leader, in_play) in self.leaders.iter().enumerate() {
            for owner in [None, Some(seat)] {
                let serves = |space: &Space| space.unit == unit && space.owner == owner;
                if let Some(space) = in_play.spaces.iter().position(serves) {
                    see(leader, owner.is_none(), Place::Space { leader: small(leader), space: small(space) });
                }
            }
        }
    }

    /// The points in hundredths that a token brings there, those that it takes from others included.
    fn gain(&self, seat: Seat, token: Token, to: Place) -> i32 {
        match to {
            Place::Screen => {
                let player = &self.players[seat];
                player.gain_behind_screen(&player.all_lacks(), token)
            }
            Place::Space { leader, space } => {
                let in_play = &self.leaders[usize::from(leader)];
                let is_new = in_play.spaces[usize::from(space)].owner.is_none();
                self.gains_at(seat, in_play)[usize::from(is_new)]
            }
        }
    }

    /// The gain of a token on a space of the seat's own, and on an empty one.
    fn gains_at(&self, seat: Seat, in_play: &InPlay) -> [i32; 2] {
        let points = self.tables.leader(in_play.leader).points;
        let (mut influence, empty) = in_play.influences();
        let before = favours(influence, empty, points);
        influence[seat.index()] += 1;
        let others = i32::from(self.seats()) - 1;
        [0, 1].map(|is_new| {
            let after = favours(influence, empty - is_new, points);
            let change = |n: usize| after[n] - before[n];
            let taken: i32 = (0..SEATS).filter(|n| *n != seat.index()).map(|n| -change(n)).sum();
            // A space that is taken is closed to others.
            change(seat.index()) + taken / others + 10 * is_new
        })
    }
}

impl InPlay {
    /// The influence of each seat, and the number of empty spaces.
    fn influences(&self) -> ([i32; SEATS], i32) {
        let (mut influence, mut empty) = ([0; SEATS], 0);
        for space in &self.spaces {
            match space.owner {
                Some(owner) => influence[owner.index()] += i32::from(space.stack.len()),
                None => empty += 1,
            }
        }
        (influence, empty)
    }
}

/// The hundredths of points that each seat can expect from a leader.
fn favours(influence: [i32; SEATS], empty: i32, points: u8) -> [i32; SEATS] {
    let points = 100 * i32::from(points);
    let alone = |level: i32| {
        let mut with = influence.iter().enumerate().filter(|(_, has)| **has == level && level > 0);
        with.next().filter(|_| with.next().is_none()).map(|(seat, _)| seat)
    };
    let most = influence.into_iter().max().unwrap_or(0);
    let next = influence.into_iter().filter(|has| *has < most).max().unwrap_or(0);
    let taker = alone(most).or_else(|| alone(next));
    let weight = |seat: usize| {
        let squared = 4 * influence[seat] * influence[seat];
        // A tie for most gives the points away.
        if influence[seat] == most && taker != Some(seat) { squared / 2 } else { squared }
    };
    let all: i32 = (0..SEATS).map(weight).sum::<i32>() + 3 * empty + 2;
    std::array::from_fn(|seat| {
        let now = if taker == Some(seat) { points } else { 0 };
        now / 2 + points * weight(seat) / all / 2
    })
}

impl Player {
    /// The token of a unit that the seat can spare most easily, for a Raja.
    fn spare(&self, unit: Unit) -> Option<Token> {
        let of_unit = Token::ALL.into_iter().filter(|token| token.unit() == unit && self.pool.has(*token));
        of_unit.max_by_key(|token| (self.pool.count(*token), *token))
    }

    fn pati_worth(&self) -> i32 {
        worth_of_pati(&self.all_lacks())
    }

    fn all_lacks(&self) -> [usize; 4] {
        std::array::from_fn(|unit| self.lacks(Unit::ALL[unit], PATI[unit]))
    }

    /// The gain of a token behind the screen for a Pati that lacks so many tokens of each unit.
    fn gain_behind_screen(&self, lacks: &[usize; 4], token: Token) -> i32 {
        let mut after = self.clone();
        after.pool.take(token);
        after.screen.add(token);
        let unit = token.unit();
        let mut lacks_after = *lacks;
        lacks_after[unit as usize] = after.lacks(unit, PATI[unit as usize]);
        worth_of_pati(&lacks_after) - worth_of_pati(lacks)
    }

    /// How many more tokens behind the screen make exactly so many of a unit: 0, 1, 2, or 4 for more or if it is impossible.
    pub(super) fn lacks(&self, unit: Unit, units: u8) -> usize {
        let of_unit = || Token::ALL.into_iter().filter(move |token| token.unit() == unit);
        // Bit n stands for: n can be made.
        let mut sums: u16 = 1;
        for token in of_unit() {
            for _ in 0..self.screen.count(token) {
                sums |= sums << token.number();
            }
        }
        for lacks in 0..3 {
            if sums & (1 << units) != 0 {
                return lacks;
            }
            let more = of_unit().filter(|token| self.pool.has(*token));
            sums |= more.fold(0, |more, token| more | sums << token.number());
        }
        4
    }
}

fn worth_of_pati(lacks: &[usize; 4]) -> i32 {
    PATI_WORTH[lacks.iter().sum::<usize>().min(PATI_WORTH.len() - 1)]
}
