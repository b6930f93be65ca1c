//! Playing whole games at random: how long they are and how they end.

use std::collections::BTreeMap;

use crate::{Chance, Ending, Illegal, Nobody, PLY_LIMIT, Rules, game};

/// Statistics of many random games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    pub games: u64,
    pub plies: u64,
    pub shortest: u32,
    pub longest: u32,
    /// The number of games with each ending.
    pub endings: BTreeMap<String, u64>,
    /// The number of wins of each seat, alone or shared.
    pub wins: Vec<u64>,
    pub draws: u64,
}

/// Plays `games` games from the start, every decision drawn from `Chance::fast`.
pub fn playout<R: Rules>(
    options: &R::Options,
    version: u32,
    seats: u8,
    games: u64,
    seed: u64,
) -> Result<Playouts, Illegal> {
    game::check_options::<R>(options, version, seats)?;
    let mut chance = Chance::fast(seed);
    let mut played = Playouts { wins: vec![0; seats as usize], shortest: u32::MAX, ..Playouts::default() };
    // There are few different endings, so a short list is enough; they are formatted once, at the end.
    let mut endings: Vec<(Ending, u64)> = Vec::new();
    for _ in 0..games {
        let mut position = R::setup(options, version, seats, &mut chance);
        let mut plies = 0;
        while plies < PLY_LIMIT
            && let Some(seat) = position.to_act().first()
        {
            let mv = position.any_move(seat, &mut chance);
            position.make(seat, &mv, &mut chance, &mut Nobody);
            plies += 1;
        }
        played.games += 1;
        played.plies += u64::from(plies);
        played.shortest = played.shortest.min(plies);
        played.longest = played.longest.max(plies);
        let outcome = position.outcome();
        let ending = outcome.as_ref().map_or(Ending::PlyLimit, |outcome| outcome.ending);
        match endings.iter_mut().find(|(known, _)| *known == ending) {
            Some((_, count)) => *count += 1,
            None => endings.push((ending, 1)),
        }
        if let Some(outcome) = outcome {
            played.draws += u64::from(outcome.winners.is_empty());
            for seat in outcome.winners.iter() {
                played.wins[seat.index()] += 1;
            }
        }
    }
    played.endings = endings.into_iter().map(|(ending, count)| (ending.to_string(), count)).collect();
    Ok(played)
}
