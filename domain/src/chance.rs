//! Reproducible dice, shuffles and deals: the same seed always gives the same results.
//!
//! A stream belongs to one ply. Its key is
//! `HMAC-SHA256(seed, "maidan/v1" ‖ 00 ‖ label ‖ 00 ‖ ply as u32 big-endian ‖ SHA-256(client seeds))`, the
//! client seeds being in seat order, each after a byte with its length (0 for none). The stream is ChaCha20
//! under that key with a zero nonce, read as little-endian `u32`s. [`Chance::below`] and [`Chance::shuffle`]
//! are written out here because libraries may change theirs between releases; ours must not.
//!
//! The label is `table` for the setup and for moves, and `auto` for decisions drawn for a resigned seat. For the
//! decisions of a bot it is the bytes `bot`, 00 and the number of its seat as one byte, so that the text under the HMAC
//! is `"maidan/v1" ‖ 00 ‖ "bot" ‖ 00 ‖ seat ‖ 00 ‖ ply as u32 big-endian ‖ SHA-256(client seeds)`.

use std::fmt;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Seat;

/// The 32 bytes that all randomness of a game is derived from. They reveal every deal and every roll of the dice.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Seed([u8; 32]);

impl Seed {
    pub const fn new(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// The commitment, shown when the game is created, so that the seed cannot be changed afterwards.
    pub fn commitment(&self, game_id: &str) -> Commitment {
        let digest =
            Sha256::new().chain_update(b"maidan/seed").chain_update(game_id.as_bytes()).chain_update(self.0).finalize();
        Commitment(hex(&digest))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.to_hex()
    }
}

impl TryFrom<String> for Seed {
    type Error = String;
    fn try_from(text: String) -> Result<Seed, String> {
        let wrong = || "a seed is 64 hexadecimal digits".to_string();
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Seed(bytes))
    }
}

/// `SHA-256("maidan/seed" ‖ game id ‖ seed)` in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(String);

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |four_bits: u8| char::from(DIGITS[usize::from(four_bits)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A game's seed together with the client seeds of its players: the source of its streams.
#[derive(Clone, Debug)]
pub struct Entropy {
    seed: Seed,
    clients: [u8; 32],
}

impl Entropy {
    /// The longest client seed, in bytes: its length has to fit one byte.
    pub const CLIENT_SEED_MAX: usize = 255;

    /// `client_seeds` are in seat order; an empty one counts as none.
    pub fn new<'a>(seed: Seed, client_seeds: impl IntoIterator<Item = &'a [u8]>) -> Entropy {
        let mut digest = Sha256::new();
        for client in client_seeds {
            let client = &client[..client.len().min(Entropy::CLIENT_SEED_MAX)];
            digest.update([u8::try_from(client.len()).expect("the line above cuts it to 255 bytes")]);
            digest.update(client);
        }
        Entropy { seed, clients: digest.finalize().into() }
    }

    /// The stream of the setup (ply 0), or of the move that leads to `ply`.
    pub fn table(&self, ply: u32) -> Chance {
        self.stream(Label::Table, ply)
    }

    /// The stream of a decision that is drawn for a resigned seat and leads to `ply`.
    pub fn auto(&self, ply: u32) -> Chance {
        self.stream(Label::Auto, ply)
    }

    /// The stream of a bot that decides for the seat on the move that leads to `ply`. It is not the stream of the move
    /// itself: a bot foresees no dice and no cards.
    pub fn bot(&self, seat: Seat, ply: u32) -> Chance {
        self.stream(Label::Bot(seat), ply)
    }

    fn stream(&self, label: Label, ply: u32) -> Chance {
        Chance(Source::Unopened { seed: self.seed.0, clients: self.clients, label, ply })
    }
}

/// The purpose of a stream.
#[derive(Clone, Copy)]
enum Label {
    Table,
    Auto,
    Bot(Seat),
}

/// SplitMix64: one addition, two multiplications.
#[inline]
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A reproducible stream of random numbers.
pub struct Chance(Source);

enum Source {
    /// The key is computed at the first draw, because most moves draw nothing.
    Unopened {
        seed: [u8; 32],
        clients: [u8; 32],
        label: Label,
        ply: u32,
    },
    Open(Box<Keystream>),
    Fast(u64),
}

struct Keystream {
    cipher: ChaCha20,
    block: [u8; 64],
    used: usize,
}

impl Keystream {
    fn open(seed: &[u8; 32], clients: &[u8; 32], label: Label, ply: u32) -> Keystream {
        let mac =
            Hmac::<Sha256>::new_from_slice(seed).expect("HMAC takes a key of any length").chain_update(b"maidan/v1\0");
        let mac = match label {
            Label::Table => mac.chain_update(b"table"),
            Label::Auto => mac.chain_update(b"auto"),
            Label::Bot(seat) => mac.chain_update(b"bot\0").chain_update([seat.number()]),
        };
        let mac = mac.chain_update(b"\0").chain_update(ply.to_be_bytes()).chain_update(clients);
        let key: [u8; 32] = mac.finalize().into_bytes().into();
        let cipher = ChaCha20::new(&key.into(), &[0; 12].into());
        Keystream { cipher, block: [0; 64], used: 64 }
    }

    fn next(&mut self) -> u32 {
        if self.used == self.block.len() {
            self.block = [0; 64];
            self.cipher.apply_keystream(&mut self.block);
            self.used = 0;
        }
        let word = &self.block[self.used..self.used + 4];
        self.used += 4;
        u32::from_le_bytes([word[0], word[1], word[2], word[3]])
    }
}

impl Chance {
    /// A quick stream for simulation; never for a stored game.
    pub const fn fast(seed: u64) -> Chance {
        Chance(Source::Fast(seed))
    }

    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        match &mut self.0 {
            Source::Fast(state) => (split_mix(state) >> 32) as u32,
            _ => self.next_of_stream(),
        }
    }

    fn next_of_stream(&mut self) -> u32 {
        match &mut self.0 {
            Source::Fast(state) => (split_mix(state) >> 32) as u32,
            Source::Open(stream) => stream.next(),
            Source::Unopened { seed, clients, label, ply } => {
                let mut stream = Box::new(Keystream::open(seed, clients, *label, *ply));
                let first = stream.next();
                self.0 = Source::Open(stream);
                first
            }
        }
    }

    /// A number from 0 to n − 1, all equally likely. With one possibility nothing is drawn.
    ///
    /// Words at or above the largest multiple of `n` that fits 32 bits are drawn again; the rest modulo `n`.
    /// A stream for simulation saves the divisions: it scales 64 bits down, and is even to one part in 2³².
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to choose from.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the product is below `n` times 2⁶⁴")]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there must be something to choose from");
        match &mut self.0 {
            _ if n == 1 => 0,
            Source::Fast(state) => ((u128::from(split_mix(state)) * u128::from(n)) >> 64) as u32,
            _ => self.below_by_division(n),
        }
    }

    /// As [`Chance::below`], for numbers that may need more than 32 bits.
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to choose from.
    pub fn below_wide(&mut self, n: u128) -> u128 {
        if let Ok(n) = u32::try_from(n) {
            return self.below(n).into();
        }
        let limit = u128::MAX - (u128::MAX % n + 1) % n;
        loop {
            let wide = (0..4).fold(0, |wide, _| (wide << 32) | u128::from(self.next_u32()));
            if wide <= limit {
                return wide % n;
            }
        }
    }

    fn below_by_division(&mut self, n: u32) -> u32 {
        let limit = u32::MAX - (u32::MAX % n + 1) % n;
        loop {
            let word = self.next_u32();
            if word <= limit {
                return word % n;
            }
        }
    }

    /// The index of one of `len` things, as [`Chance::below`] draws it.
    ///
    /// # Panics
    /// If `len` is 0: there is nothing to choose from.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "nothing in a game has 2³² elements")]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// A random element of a list that is not empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }

    /// Fisher–Yates, from the last place down: place i is swapped with one of the places 0 to i.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.index(i + 1));
        }
    }

    /// True with a probability of `n` in `of`.
    pub fn happens(&mut self, n: u32, of: u32) -> bool {
        self.below(of) < n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::small;

    fn counting_seed() -> Seed {
        Seed::new(std::array::from_fn(small))
    }

    fn alone() -> Entropy {
        Entropy::new(counting_seed(), [])
    }

    #[test]
    fn the_table_stream_is_the_same_for_ever() {
        let mut chance = alone().table(0);
        let words: Vec<u32> = (0..4).map(|_| chance.next_u32()).collect();
        assert_eq!(words, GOLDEN_TABLE_0);
    }

    #[test]
    fn plies_labels_and_client_seeds_make_streams_of_their_own() {
        let first = |mut chance: Chance| chance.next_u32();
        let with = Entropy::new(counting_seed(), [b"abc".as_slice(), b"".as_slice()]);
        let other = Entropy::new(counting_seed(), [b"ab".as_slice(), b"c".as_slice()]);
        let words = [first(alone().table(1)), first(alone().auto(1)), first(with.table(1)), first(other.table(1))];
        assert_eq!(words, GOLDEN_FIRST_WORDS);
    }

    #[test]
    fn every_bot_has_a_stream_of_its_own_and_it_is_the_same_for_ever() {
        let words = |mut chance: Chance| [(); 4].map(|()| chance.next_u32());
        let with = Entropy::new(counting_seed(), [b"abc".as_slice(), b"".as_slice()]);
        let (zero, one) = (Seat::new(0), Seat::new(1));
        let streams = [alone().bot(zero, 1), alone().bot(one, 1), with.bot(one, 258)];
        assert_eq!(streams.map(words), GOLDEN_BOTS);
    }

    #[test]
    fn below_is_the_same_for_ever() {
        let mut chance = alone().table(7);
        let numbers: Vec<u32> = (0..12).map(|_| chance.below(6)).collect();
        assert_eq!(numbers, GOLDEN_BELOW_6);
    }

    #[test]
    fn the_shuffle_is_the_same_for_ever() {
        let mut cards: Vec<u8> = (0..10).collect();
        alone().table(3).shuffle(&mut cards);
        assert_eq!(cards, GOLDEN_SHUFFLE);
    }

    #[test]
    fn below_accepts_exactly_a_multiple_of_its_bound() {
        // For n = 3 the only word drawn again is 2³² − 1; for a power of two none is.
        for (n, limit) in [(3u32, u32::MAX - 1), (4, u32::MAX), (1 << 31, u32::MAX), (u32::MAX, u32::MAX - 1)] {
            assert_eq!(u32::MAX - (u32::MAX % n + 1) % n, limit);
        }
    }

    #[test]
    fn every_order_of_three_cards_comes_up_equally_often() {
        let mut chance = Chance::fast(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            let mut cards = [0, 1, 2];
            chance.shuffle(&mut cards);
            *seen.entry(cards).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_seed_is_read_back_from_its_digits_and_never_printed_by_debug() {
        let seed = counting_seed();
        assert_eq!(Seed::try_from(seed.to_hex()), Ok(seed.clone()));
        assert_eq!(format!("{seed:?}"), "Seed(secret)");
        assert!(Seed::try_from("xyz".to_string()).is_err());
        assert!(Seed::try_from("é".repeat(32)).is_err());
    }

    #[test]
    fn a_commitment_binds_the_seed_to_its_game() {
        let seed = counting_seed();
        assert_eq!(seed.commitment("game_1").to_string(), GOLDEN_COMMITMENT);
        assert_ne!(seed.commitment("game_1"), seed.commitment("game_2"));
    }

    // Computed once with an independent implementation (Python's hmac and hashlib, and ChaCha20 by RFC 8439).
    const GOLDEN_TABLE_0: [u32; 4] = [2480529295, 4254692114, 3599730545, 3358847984];
    const GOLDEN_FIRST_WORDS: [u32; 4] = [502419222, 4244414013, 4066781878, 2973083972];
    const GOLDEN_BOTS: [[u32; 4]; 3] = [
        [1647075685, 1141175989, 2322389323, 3812949698],
        [3636931468, 1317679058, 1119091224, 2816810738],
        [1481537460, 425039365, 1124538999, 2710814553],
    ];
    const GOLDEN_BELOW_6: [u32; 12] = [5, 0, 2, 4, 1, 0, 5, 4, 4, 5, 3, 2];
    const GOLDEN_SHUFFLE: [u8; 10] = [2, 5, 6, 1, 9, 3, 0, 7, 8, 4];
    const GOLDEN_COMMITMENT: &str = "e666896c781c9f2bb2e66c46bd95211d64dc7f7bbd6590f886f28444608ab276";
}
