//! Shares of a win, from scores.

use super::judgement::WIN;
use crate::{BySeat, Seat, Seats};

/// The shares when the game is over. No winners are a draw.
pub fn decided(seats: u8, winners: Seats) -> BySeat<u32> {
    let winners = if winners.is_empty() { Seats::all(seats) } else { winners };
    let share = WIN / u32::from(winners.len());
    BySeat::each(seats, |seat| if winners.contains(seat) { share } else { 0 })
}

/// The shares that seats with these expected scores can hope for. A lead as large as `spread` wins three times in four
/// against one opponent; against several, a seat must beat each of them.
pub fn expected(seats: u8, spread: i32, score: impl Fn(Seat) -> i32) -> BySeat<u32> {
    const ONE: i64 = 1 << 20;
    let spread = i64::from(spread.max(1));
    let beats = |seat: Seat, other: Seat| {
        let lead = i64::from(score(seat)) - i64::from(score(other));
        ONE / 2 + ONE / 2 * lead / (lead.abs() + spread)
    };
    let chances = BySeat::each(seats, |seat| {
        let others = Seat::all(seats).filter(|other| *other != seat);
        others.fold(ONE * ONE, |chance, other| (chance * beats(seat, other) / ONE).max(1))
    });
    let all: i64 = chances.values().sum();
    chances.map(|chance| u32::try_from(i64::from(WIN) * chance / all).unwrap_or(WIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_share_and_a_draw_is_shared_by_all() {
        assert_eq!(decided(3, Seats::one(Seat::new(1))), BySeat::from(vec![0, 10_000, 0]));
        assert_eq!(decided(3, [Seat::new(0), Seat::new(2)].into_iter().collect()), BySeat::from(vec![5_000, 0, 5_000]));
        assert_eq!(decided(4, Seats::NONE), BySeat::from(vec![2_500; 4]));
    }

    #[test]
    fn a_lead_is_worth_more_than_an_even_share() {
        let shares = expected(2, 100, |seat| if seat.number() == 0 { 150 } else { 50 });
        assert_eq!(shares, BySeat::from(vec![7_500, 2_500]));
        let even = expected(4, 100, |_| 7);
        assert_eq!(even, BySeat::from(vec![2_500; 4]));
    }
}
