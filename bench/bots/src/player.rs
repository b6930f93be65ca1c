//! The players at a table.

use std::fmt;

use domain::bot::Level;
use domain::{AnyGame, AnyMove, Chance, Entropy, Seat};

use crate::Result;
use crate::openspiel::OpenSpiel;

pub enum Player {
    /// A level, and another budget than the level's.
    Bot(Level, Option<u32>),
    Random,
    OpenSpiel(OpenSpiel),
}

/// Legal moves beyond these are never chosen at random.
const MOST: usize = 2_000;

impl Player {
    pub fn read(name: &str) -> Result<Player> {
        if name == "random" {
            return Ok(Player::Random);
        }
        let (level, budget) = match name.split_once('@') {
            Some((level, budget)) => (level, Some(budget.parse()?)),
            None => (name, None),
        };
        let level = level.parse().ok().and_then(Level::new);
        let level = level.ok_or_else(|| format!("'{name}' is neither a level nor 'random'"))?;
        Ok(Player::Bot(level, budget))
    }

    /// The move for a seat that is to act. `played` are all moves of the game so far.
    pub fn choose(
        &mut self,
        game: &AnyGame,
        seat: Seat,
        entropy: &Entropy,
        played: &[(Seat, AnyMove)],
        chance: &mut Chance,
    ) -> Result<AnyMove> {
        match self {
            Player::Bot(level, None) => Ok(game.bot_move(seat, *level, entropy).ok_or("the seat is not to act")?),
            Player::Bot(level, Some(budget)) => {
                Ok(game.bot_move_within(seat, *level, *budget, entropy).ok_or("the seat is not to act")?)
            }
            Player::Random => Ok(chance.pick(&game.legal_moves(seat, MOST).0).mv.clone()),
            Player::OpenSpiel(peer) => peer.choose(played),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Bot(level, None) => write!(f, "level {}", level.number()),
            Player::Bot(level, Some(budget)) => write!(f, "level {} with a budget of {budget}", level.number()),
            Player::Random => f.write_str("random"),
            Player::OpenSpiel(peer) => write!(f, "OpenSpiel, {} simulations", peer.simulations),
        }
    }
}

/// Reads `4-3`, `1-random` or `4@20000-4`.
pub fn read_pair(text: &str) -> Result<[Player; 2]> {
    let (one, other) = text.split_once('-').ok_or_else(|| format!("'{text}' is not a pair such as 4-3"))?;
    Ok([Player::read(one)?, Player::read(other)?])
}
