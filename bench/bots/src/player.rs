//! Who sits at a table.

use std::fmt;

use domain::bot::Level;
use domain::{AnyGame, AnyMove, Chance, Entropy, Seat};

use crate::Result;
use crate::openspiel::OpenSpiel;

pub enum Player {
    Bot(Level),
    Random,
    OpenSpiel(OpenSpiel),
}

/// Legal moves beyond these are never chosen at random.
const MOST: usize = 2_000;

impl Player {
    pub fn read(name: &str) -> Result<Player> {
        let level = || Level::new(name.parse().ok()?);
        match name {
            "random" => Ok(Player::Random),
            _ => level().map(Player::Bot).ok_or_else(|| format!("'{name}' is neither a level nor 'random'").into()),
        }
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
            Player::Bot(level) => Ok(game.bot_move(seat, *level, entropy).ok_or("the seat is not to act")?),
            Player::Random => Ok(chance.pick(&game.legal_moves(seat, MOST).0).mv.clone()),
            Player::OpenSpiel(peer) => peer.choose(played),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Bot(level) => write!(f, "level {}", level.number()),
            Player::Random => f.write_str("random"),
            Player::OpenSpiel(peer) => write!(f, "OpenSpiel, {} simulations", peer.simulations),
        }
    }
}

/// Reads `4-3` or `1-random`.
pub fn read_pair(text: &str) -> Result<(Player, Player)> {
    let (one, other) = text.split_once('-').ok_or_else(|| format!("'{text}' is not a pair such as 4-3"))?;
    Ok((Player::read(one)?, Player::read(other)?))
}
