//! Resamples of a list of values, drawn with counter-based random numbers.

use rayon::prelude::*;

use crate::random::Stream;

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
