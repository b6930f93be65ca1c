//! A round after its end: the dances, the comparison, and the winner of the favor token.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cards::Character;
use super::tableau::{Ability, Tableau, TableauScore};
use super::tables::Tables;
use crate::{BySeat, Seat, Seats};

/// A round after its end. All of it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Scored {
    pub round: u32,
    pub characters: BySeat<Character>,
    pub abilities: BySeat<Ability>,
    /// After the abilities.
    pub tableaus: BySeat<Tableau>,
}

impl Scored {
    pub fn round_score(&self, tables: &Tables) -> RoundScore {
        let score = |seat| self.tableaus[seat].score(self.characters[seat], tables);
        let scores = BySeat::each(self.tableaus.seats(), score);
        let comparisons = compare(&scores);
        let winner = winner(&comparisons).map(|(seat, _)| seat);
        let seats = Seat::all(scores.seats()).zip(scores.into_vec()).map(|(seat, score)| SeatScore {
            seat,
            character: self.characters[seat],
            ability: self.abilities[seat],
            tableau: self.tableaus[seat].clone(),
            score,
        });
        RoundScore { round: self.round, seats: seats.collect(), comparisons, winner }
    }
}

/// How a round ended, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoundScore {
    pub round: u32,
    /// In seat order.
    pub seats: Vec<SeatScore>,
    /// By score, then the tie-breaks that were needed.
    pub comparisons: Vec<Comparison>,
    /// The seat that got the favor token; `None` if all comparisons were tied.
    pub winner: Option<Seat>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatScore {
    pub seat: Seat,
    pub character: Character,
    pub ability: Ability,
    /// After the ability.
    pub tableau: Tableau,
    pub score: TableauScore,
}

/// The criteria by which tableaus are compared, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Criterion {
    Score,
    Specials,
    SecondaryMatches,
}

impl Criterion {
    pub const ALL: [Criterion; 3] = [Criterion::Score, Criterion::Specials, Criterion::SecondaryMatches];

    fn of(self, score: &TableauScore) -> i16 {
        match self {
            Criterion::Score => score.total,
            Criterion::Specials => score.specials.into(),
            Criterion::SecondaryMatches => score.secondary_matches.into(),
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Criterion::Score => "the highest score",
            Criterion::Specials => "the most special dances",
            Criterion::SecondaryMatches => "the most secondary matches",
        })
    }
}

/// One comparison of the seats that were still tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub by: Criterion,
    pub best: i16,
    /// The seats that reached it. A single seat has won the round.
    pub seats: Seats,
}

/// mahola.9: the comparisons that were needed, at least one and at most three.
pub fn compare(scores: &BySeat<TableauScore>) -> Vec<Comparison> {
    let mut tied = Seats::all(scores.seats());
    let mut comparisons = Vec::new();
    for by in Criterion::ALL {
        let best = tied.iter().map(|seat| by.of(&scores[seat])).max().unwrap_or_default();
        tied = tied.iter().filter(|seat| by.of(&scores[*seat]) == best).collect();
        comparisons.push(Comparison { by, best, seats: tied });
        if tied.len() == 1 {
            break;
        }
    }
    comparisons
}

/// The winner and the criterion that decided, if the last comparison left a single seat.
pub fn winner(comparisons: &[Comparison]) -> Option<(Seat, Criterion)> {
    let last = comparisons.last().filter(|last| last.seats.len() == 1)?;
    Some((last.seats.first()?, last.by))
}
