//! The saved form of a game between two moves: a few hundred bytes.
//!
//! Fields are concatenated without names, so adding, removing or moving a field of a state changes the format. Then
//! [`FORMAT`] must be incremented; games saved in an older format are replayed from their logs. The golden records fail
//! if the increment is forgotten. The first format, JSON, can still be read.
//!
//! Games of rules version 1 are saved without an edition. Games of later versions have a format of their own, in which
//! the edition comes first.
//!
//! Options are not saved with the position: the tables of components that they may give would be rewritten by every move.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Game, Rules};

/// The first byte of a saved game of rules version 1. No JSON begins with it.
const FORMAT: u8 = 1;
/// The first byte of a saved game of a later rules version.
const WITH_EDITION: u8 = 2;

/// The reason why a saved game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum Unloadable {
    #[error("it was saved by another version of this program")]
    OtherFormat,
    #[error("it is played by another version of the rules")]
    OtherVersion,
    #[error("it is damaged")]
    Damaged,
}

pub(crate) fn save<R: Rules>(game: &Game<R>) -> Vec<u8> {
    match game.rules_version() {
        1 => write(FORMAT, game),
        _ => write(WITH_EDITION, &(game.rules().edition(), game)),
    }
}

/// Whether this build knows the format of a saved game. Games in other formats are replayed from their logs.
pub fn is_known_format(saved: &[u8]) -> bool {
    matches!(saved, [FORMAT | WITH_EDITION | b'{', ..])
}

pub(crate) fn load<R: Rules>(options: &R::Options, version: u32, saved: &[u8]) -> Result<Game<R>, Unloadable> {
    let game: Game<R> = match saved {
        [FORMAT, game @ ..] => read(game)?,
        [WITH_EDITION, both @ ..] => {
            let (edition, game): (R::Edition, Game<R>) = read(both)?;
            game.with_edition(edition)
        }
        [b'{', ..] => serde_json::from_slice(saved).map_err(|_| Unloadable::Damaged)?,
        _ => return Err(Unloadable::OtherFormat),
    };
    match game.rules_version() == version && R::RULES_VERSIONS.contains(&version) {
        true => game.with_components_of(options).map_err(|_| Unloadable::Damaged),
        false => Err(Unloadable::OtherVersion),
    }
}

fn write(format: u8, state: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(state, vec![format]).expect("states are plain data")
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unloadable> {
    match postcard::take_from_bytes(bytes) {
        Ok((state, [])) => Ok(state),
        _ => Err(Unloadable::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{Kalah, Mahola};
    use crate::{Entropy, Seed};

    fn load<R: Rules>(version: u32, saved: &[u8]) -> Result<Game<R>, Unloadable> {
        super::load(&R::Options::default(), version, saved)
    }

    fn game<R: Rules>(version: u32, seats: u8) -> Game<R> {
        let entropy = Entropy::new(Seed::new([7; 32]), []);
        Game::start(&R::Options::default(), seats, version, &entropy).expect("the table can be set up")
    }

    #[test]
    fn what_was_kept_is_read_to_its_last_byte_or_not_at_all() {
        let game = game::<Kalah>(1, 2);
        let saved = save(&game);
        assert_eq!(load::<Kalah>(1, &saved).unwrap(), game);
        assert!(matches!(load::<Kalah>(1, &saved[..saved.len() - 1]), Err(Unloadable::Damaged)));
        assert!(matches!(load::<Kalah>(1, &[&saved[..], &[0]].concat()), Err(Unloadable::Damaged)));
        assert!(matches!(load::<Kalah>(1, &[&[9], &saved[1..]].concat()), Err(Unloadable::OtherFormat)));
        assert!(matches!(load::<Kalah>(1, &[]), Err(Unloadable::OtherFormat)));
    }

    #[test]
    fn what_was_kept_as_json_is_read() {
        let game = game::<Kalah>(1, 2);
        assert_eq!(load::<Kalah>(1, &serde_json::to_vec(&game).unwrap()).unwrap(), game);
        assert!(load::<Kalah>(1, b"{").is_err());
    }

    #[test]
    fn a_game_is_read_by_the_version_that_it_is_played_by() {
        let (first, second) = (game::<Mahola>(1, 3), game::<Mahola>(2, 3));
        assert_eq!((save(&first)[0], save(&second)[0]), (FORMAT, WITH_EDITION));
        assert_eq!(load::<Mahola>(1, &save(&first)).unwrap(), first);
        assert_eq!(load::<Mahola>(2, &save(&second)).unwrap(), second);
        assert!(matches!(load::<Mahola>(2, &save(&first)), Err(Unloadable::OtherVersion)));
        assert!(matches!(load::<Mahola>(1, &save(&second)), Err(Unloadable::OtherVersion)));
        assert!(matches!(load::<Kalah>(2, &save(&game::<Kalah>(1, 2))), Err(Unloadable::OtherVersion)));
    }
}
