//! A game as it is kept between two moves: a few hundred bytes, for machines alone.
//!
//! Fields stand one behind the other, without names. Whoever adds, takes away or moves a field of a state changes what
//! the bytes mean: [`FORMAT`] rises then, and what was kept before is not read but played again from its log. The
//! golden records notice when it should have risen. JSON, as games were kept at first, is read as well.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The first byte of what is kept. No JSON begins with it.
const FORMAT: u8 = 1;

/// Why a game cannot be set up from what was kept of it.
#[derive(Debug, thiserror::Error)]
pub enum Unloadable {
    #[error("it was kept by another version of this program")]
    OtherFormat,
    #[error("it is damaged")]
    Damaged,
}

pub(crate) fn save(state: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(state, vec![FORMAT]).expect("states are plain data")
}

/// Whether this build knows the format of a saved game. What it does not know is replayed from its log.
pub fn is_known_format(saved: &[u8]) -> bool {
    matches!(saved, [FORMAT, ..] | [b'{', ..])
}

pub(crate) fn load<T: DeserializeOwned>(saved: &[u8]) -> Result<T, Unloadable> {
    match saved {
        [FORMAT, state @ ..] => match postcard::take_from_bytes(state) {
            Ok((state, [])) => Ok(state),
            _ => Err(Unloadable::Damaged),
        },
        [b'{', ..] => serde_json::from_slice(saved).map_err(|_| Unloadable::Damaged),
        _ => Err(Unloadable::OtherFormat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_read_to_its_last_byte_or_not_at_all() {
        let state = (7u8, "seeds".to_string(), vec![Some(1u32), None]);
        type State = (u8, String, Vec<Option<u32>>);
        let saved = save(&state);
        assert_eq!(load::<State>(&saved).unwrap(), state);
        assert!(matches!(load::<State>(&saved[..saved.len() - 1]), Err(Unloadable::Damaged)));
        assert!(matches!(load::<State>(&[&saved[..], &[0]].concat()), Err(Unloadable::Damaged)));
        assert!(matches!(load::<State>(&[&[FORMAT + 1], &saved[1..]].concat()), Err(Unloadable::OtherFormat)));
        assert!(matches!(load::<State>(&[]), Err(Unloadable::OtherFormat)));
    }

    #[test]
    fn what_was_kept_as_json_is_read() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct State {
            seeds: u8,
        }
        assert_eq!(load::<State>(br#"{"seeds":4}"#).unwrap(), State { seeds: 4 });
        assert!(load::<State>(b"{").is_err());
    }
}
