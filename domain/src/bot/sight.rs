//! A seat's information set as one number: a hash of its view.

use postcard::ser_flavors::Flavor;
use serde::Serialize;

use crate::{Rules, Seat, Viewer};

/// A hash of what the seat sees. Equal for all worlds in which it sees the same.
pub fn sight<R: Rules>(world: &R, seat: Seat) -> u64 {
    let hash = Fnv(0xCBF2_9CE4_8422_2325 ^ u64::from(seat.number()));
    hash_of(&world.view(Viewer::Seat(seat)), hash)
}

fn hash_of(value: &impl Serialize, hash: Fnv) -> u64 {
    postcard::serialize_with_flavor(value, hash).expect("views are plain data")
}

/// FNV-1a of 64 bits over the bytes of a compact encoding, which is never stored.
struct Fnv(u64);

impl Flavor for Fnv {
    type Output = u64;

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        Ok(())
    }

    /// The low bits of an FNV hash are weaker than the high ones, so they are mixed at the end.
    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0 ^ (self.0 >> 32))
    }
}
