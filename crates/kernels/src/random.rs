//! Counter-based random numbers: any element of a stream is computed directly, in any order and on any thread.

/// The golden ratio in 64 bits, the step of `SplitMix64` (Steele, Lea & Flood 2014).
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A stream of random numbers, identified by a seed and two labels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of a seed, a row and a side.
    pub(crate) fn new(seed: u64, row: u64, side: u64) -> Self {
        Self(mix(
            mix(mix(seed.wrapping_add(STEP)) ^ row.wrapping_mul(STEP)).wrapping_add(side.wrapping_mul(STEP))
        ))
    }

    /// Random bits number `counter`.
    pub(crate) fn bits(self, counter: u64) -> u64 {
        mix(self.0.wrapping_add(counter.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// A second set of random bits number `counter`, for loops that do little but draw: a single
    /// multiplication, as in Wang Yi's wyrand.
    pub(crate) fn quick_bits(self, counter: u64) -> u64 {
        let state = self.0.wrapping_add(counter.wrapping_mul(0xA076_1D64_78BD_642F));
        let product = u128::from(state) * u128::from(state ^ 0xE703_7ED1_A0B4_28DB);
        (product >> 64) as u64 ^ product as u64
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// An integer below `n`, for `n` below 2^32, from 64 random bits.
pub(crate) fn below(bits: u64, n: usize) -> usize {
    ((u128::from(bits) * n as u128) >> 64) as usize
}

/// A number in (0, 1) from 64 random bits.
pub(crate) fn open_unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}
