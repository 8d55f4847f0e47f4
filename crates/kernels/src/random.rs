//! Counter-based random numbers: any element of a stream is computed directly, in any order and on any thread.

use rayon::prelude::*;

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

// Resamples of a list of values, drawn with counter-based random numbers.

/// Number of resamples per task.
const CHUNK: usize = 256;

/// Calls `take` with n positions in a list of n values, drawn with replacement: resample `number` of a stream.
///
/// Each 64 random bits give two positions; the probability of each is accurate to a relative error of n / 2^32.
pub(crate) fn places(stream: Stream, number: u64, n: usize, mut take: impl FnMut(usize)) {
    let words = n.div_ceil(2) as u64;
    let place = |half: u64| ((half * n as u64) >> 32) as usize;
    for word in 0..words {
        let bits = stream.bits(number * words + word);
        take(place(bits >> 32));
        if 2 * word + 1 < n as u64 {
            take(place(bits & 0xFFFF_FFFF));
        }
    }
}

/// Writes resample `number` of `values` to `drawn`.
pub(crate) fn resample(values: &[f64], stream: Stream, number: u64, drawn: &mut Vec<f64>) {
    drawn.clear();
    places(stream, number, values.len(), |i| drawn.push(values[i]));
}

/// A buffer for ascending resamples of ascending values: draws are counted instead of sorted.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    counts: Vec<u32>,
    drawn: Vec<f64>,
}

impl Sorted {
    /// Discards the draws; the next ones are from `n` positions.
    pub(crate) fn start(&mut self, n: usize) {
        self.counts.clear();
        self.counts.resize(n, 0);
    }

    /// Draws the value at a position.
    pub(crate) fn take(&mut self, place: usize) {
        self.counts[place] += 1;
    }

    /// The drawn values, for the given ascending values.
    pub(crate) fn drawn(&mut self, sorted: &[f64]) -> &[f64] {
        self.drawn.clear();
        for (&value, &count) in sorted.iter().zip(&self.counts) {
            self.drawn.extend(core::iter::repeat_n(value, count as usize));
        }
        &self.drawn
    }

    /// Draws resample `number` of n values.
    pub(crate) fn resample(&mut self, stream: Stream, number: u64, n: usize) {
        self.start(n);
        places(stream, number, n, |place| self.take(place));
    }
}

/// Computes `count` replicates on all cores; `work` receives the number of each and a reusable buffer.
pub(crate) fn replicates<Room: Default>(
    count: usize,
    work: impl Fn(u64, &mut Room) -> f64 + Sync,
) -> Vec<f64> {
    let mut found = vec![0.0; count];
    found.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, found)| {
        let mut room = Room::default();
        for (replicate, number) in found.iter_mut().zip((chunk * CHUNK) as u64..) {
            *replicate = work(number, &mut room);
        }
    });
    found
}
