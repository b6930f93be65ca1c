//! Generated secrets: app keys, tokens and tickets, which are shown once and stored as hashes; and join codes.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

pub const APP_KEY: &str = "mdn_app_";
pub const PLAYER_TOKEN: &str = "mdn_ply_";
pub const STREAM_TICKET: &str = "mdn_tkt_";
const SECRET_LENGTH: usize = 52;

/// A new secret, and the hash to store.
pub fn fresh_secret(prefix: &str) -> (String, Vec<u8>) {
    let secret = format!("{prefix}{}", base32(&random_bytes::<32>()));
    let hash = hash_of(&secret);
    (secret, hash)
}

/// A new join code of a private game: ten letters and digits.
pub fn fresh_join_code() -> String {
    base32(&random_bytes::<8>())[..10].to_uppercase()
}

/// Whether a text has the form of a join code.
pub fn is_join_code(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
}

/// Random bytes from the operating system.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

pub fn hash_of(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// Whether a text has the form of a secret with this prefix.
pub fn is_secret(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .is_some_and(|secret| secret.len() == SECRET_LENGTH && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Lower-case base32 without padding, with the alphabet of RFC 4648.
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    let (mut buffer, mut bits) = (0u32, 0);
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(LETTERS[(buffer >> bits & 31) as usize] as char);
        }
        buffer &= (1 << bits) - 1;
    }
    if bits > 0 {
        text.push(LETTERS[(buffer << (5 - bits) & 31) as usize] as char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_is_what_everybody_means_by_it() {
        assert_eq!(base32(b"foobar"), "mzxw6ytboi");
        assert_eq!(base32(b"f"), "my");
        assert_eq!(base32(&[0; 32]).len(), SECRET_LENGTH);
    }

    #[test]
    fn secrets_are_long_fresh_and_kept_as_hashes() {
        let (one, hash) = fresh_secret(PLAYER_TOKEN);
        let (two, _) = fresh_secret(PLAYER_TOKEN);
        assert_ne!(one, two);
        assert_eq!(one.len(), PLAYER_TOKEN.len() + SECRET_LENGTH);
        assert_eq!(hash, hash_of(&one));
        assert!(is_join_code(&fresh_join_code()));
        assert!(!is_join_code("AAAAA") && !is_join_code("AAAAAAAAA\0") && !is_join_code("aaaaaaaaaa"));
    }
}
