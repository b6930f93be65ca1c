//! The checksum at the end of a saved position, over its bytes, the game's id and its version.
//!
//! A position is a cache of the log. If the checksum does not match, because the bytes are damaged or belong to another
//! game or version, the position is not decoded but replayed from the log.

use sha2::{Digest, Sha256};

use crate::ids::GameId;
use crate::model::{Position, Version};

const LENGTH: usize = 8;

/// The bytes to store.
pub fn seal(game: GameId, version: Version, position: &Position) -> Option<Vec<u8>> {
    let Position::Saved(bytes) = position else { return None };
    // JSON gets no checksum: `open` would read it as part of the text.
    if bytes.first() == Some(&b'{') {
        return Some(bytes.to_vec());
    }
    let mut sealed = Vec::with_capacity(bytes.len() + LENGTH);
    sealed.extend_from_slice(bytes);
    sealed.extend_from_slice(&checksum(game, version, bytes));
    Some(sealed)
}

/// The position in stored bytes.
pub fn open(game: GameId, version: Version, mut stored: Vec<u8>) -> Position {
    // The first format was JSON, without a checksum.
    if stored.first() == Some(&b'{') {
        return Position::Saved(stored.into());
    }
    match stored.len().checked_sub(LENGTH) {
        Some(length) if stored[length..] == checksum(game, version, &stored[..length]) => {
            stored.truncate(length);
            Position::Saved(stored.into())
        }
        _ => Position::Damaged(stored.into()),
    }
}

fn checksum(game: GameId, Version(version): Version, bytes: &[u8]) -> [u8; LENGTH] {
    let digest = Sha256::new()
        .chain_update(bytes)
        .chain_update(game.0.as_bytes())
        .chain_update(version.to_be_bytes())
        .finalize();
    let mut sum = [0; LENGTH];
    sum.copy_from_slice(&digest[..LENGTH]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_flipped_bit_goes_unnoticed_nor_another_game_or_version() {
        let (game, version) = (GameId::fresh(), Version(7));
        let sealed = seal(game, version, &Position::Saved(b"\x01seeds".as_slice().into())).expect("it is sound");
        assert!(matches!(open(game, version, sealed.clone()), Position::Saved(bytes) if *bytes == *b"\x01seeds"));
        assert!(matches!(open(GameId::fresh(), version, sealed.clone()), Position::Damaged(_)));
        assert!(matches!(open(game, Version(8), sealed.clone()), Position::Damaged(_)));
        for bit in 0..8 * sealed.len() {
            let mut flipped = sealed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(open(game, version, flipped), Position::Damaged(_)), "bit {bit}");
        }
        assert!(matches!(open(game, version, Vec::new()), Position::Damaged(_)));
    }

    #[test]
    fn a_position_that_was_kept_as_json_stays_as_it_is() {
        let (game, json) = (GameId::fresh(), br#"{"seeds":4}"#.as_slice());
        let stored = seal(game, Version(7), &Position::Saved(json.into())).expect("it is sound");
        assert_eq!(stored, json);
        assert!(matches!(open(game, Version(8), stored), Position::Saved(bytes) if *bytes == *json));
    }
}
