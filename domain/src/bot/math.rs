//! Integer arithmetic for the search: the same on every machine.

/// log₂(1 + i/32) in 1/1,024, for i from 0 to 32.
const LOG2: [u32; 33] = [
    0, 45, 90, 132, 174, 214, 254, 292, 330, 366, 402, 436, 470, 504, 536, 568, 599, 629, 659, 689, 717, 745, 773, 800,
    827, 853, 879, 904, 929, 953, 977, 1001, 1024,
];

/// log₂ of a positive number in 1/1,024, between the points of a table by straight lines. The log of 0 counts as 0.
pub fn log2(n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    // The fraction after the leading bit, in 2⁻¹⁶.
    let fraction = ((u64::from(n) << 16) >> whole) & 0xFFFF;
    let (cell, within) = ((fraction >> 11) as usize, u32::try_from(fraction & 0x7FF).unwrap_or(0));
    let (low, high) = (LOG2[cell], LOG2[cell + 1]);
    1024 * whole + low + (((high - low) * within) >> 11)
}

/// √(log₂(n) / of) in 1/1,024.
pub fn uncertainty(n: u32, of: u32) -> u32 {
    let square = (u64::from(log2(n)) << 10) / u64::from(of.max(1));
    u32::try_from(square.isqrt()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_at_powers_of_two_and_never_falls() {
        for power in 0..32 {
            assert_eq!(log2(1 << power), 1024 * power);
        }
        assert!((1..100_000u32).all(|n| log2(n) <= log2(n + 1)));
        assert_eq!(log2(0), 0);
        // 3 is 2^1.58496, 1,000,000 is 2^19.93157.
        assert!(log2(3).abs_diff(1623) <= 2 && log2(1_000_000).abs_diff(20_410) <= 2);
    }

    #[test]
    fn uncertainty_falls_with_visits_and_grows_slowly_with_those_elsewhere() {
        assert_eq!(uncertainty(16, 1), 2048);
        assert_eq!(uncertainty(16, 4), 1024);
        assert!(uncertainty(1_000_000, 4) > uncertainty(1_000, 4));
        assert_eq!(uncertainty(1, 0), 0);
    }
}
