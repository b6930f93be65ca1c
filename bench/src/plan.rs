//! Games planned ahead.
//!
//! The tool reads the seeds of games from its own database and plays them by the rules before the measurement, so that
//! the clients only have to send the moves.

use domain::{Act, Chance, Entropy, Game, Kind, Rules, Seed, with_rules};
use serde_json::Value;

/// One move of a planned game.
pub struct Planned {
    pub seat: u8,
    pub notation: String,
    /// The rows that the service would store; only for measurements without a service.
    pub stored: Option<Stored>,
}

/// The row of a move.
pub struct Stored {
    pub position: Vec<u8>,
    pub to_act: i16,
    pub ply: i32,
    pub is_secret: bool,
    pub events: Value,
}

/// The first `most` moves of the game that a server dealt from `seed`, played at random.
pub fn plan(kind: Kind, seats: u8, seed: [u8; 32], most: usize, with_rows: bool) -> Vec<Planned> {
    with_rules!(kind, R => plan_of::<R>(seats, seed, most, with_rows))
}

fn plan_of<R: Rules>(seats: u8, seed: [u8; 32], most: usize, with_rows: bool) -> Vec<Planned> {
    let nothing_added = std::iter::repeat_n([].as_slice(), seats.into());
    let entropy = Entropy::new(Seed::new(seed), nothing_added);
    let mut dice = Chance::fast(u64::from_le_bytes(seed[..8].try_into().expect("a seed has 32 bytes")));
    let mut game = Game::<R>::start(&R::Options::default(), seats, *R::RULES_VERSIONS.end(), &entropy)
        .expect("the server dealt it");
    let mut moves = Vec::new();
    while moves.len() < most
        && let Some(seat) = game.to_act().first()
    {
        let mv = game.rules().any_move(seat, &mut dice);
        let steps = game.play(seat, &mv, &entropy).expect("any_move is legal");
        let row = || {
            let step = &steps[0];
            let secret = matches!(&step.act, Act::Moved(mv) if !R::is_open(mv));
            Stored {
                position: game.save(),
                to_act: game.to_act().iter().map(|seat| 1 << seat.number()).sum(),
                ply: i32::try_from(step.ply).expect("the ply limit is far lower"),
                is_secret: secret,
                events: serde_json::to_value(&step.events).expect("events are plain data"),
            }
        };
        moves.push(Planned { seat: seat.number(), notation: mv.to_string(), stored: with_rows.then(row) });
    }
    moves
}

/// The approximate number of moves in a random game of the kind.
pub fn length(kind: Kind, most: usize) -> usize {
    let seats = *kind.seats().start();
    let games = 5;
    let moves: usize = (1..=games).map(|n| plan(kind, seats, [n; 32], most, false).len()).sum();
    (moves / usize::from(games)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_ends_with_its_game_or_where_it_is_cut() {
        let plan = super::plan(Kind::Kalah, 2, [1; 32], 10_000, true);
        let last = plan.last().and_then(|planned| planned.stored.as_ref()).expect("rows were asked for");
        assert!(last.to_act == 0 && usize::try_from(last.ply) == Ok(plan.len()));
        assert_eq!(super::plan(Kind::Mara, 2, [1; 32], 10, false).len(), 10);
    }
}
