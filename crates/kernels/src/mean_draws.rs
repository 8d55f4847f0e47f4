//! Sums of resamples, several draws at a time from a table.
//!
//! With n values, the sums of all n^g draws of g values are tabled, and 32 random bits choose one: the chance of each
//! is right to n^g / 2^32 of itself, at most 2e-6 (n / 2^32 for more than 8,192 values). Values are whole numbers, so
//! that sums are exact: the same values give the same sum in whatever order they are drawn.

use crate::random::Stream;

/// Sums tabled at most. They stay near the processor.
const TABLED: usize = 8192;
/// Resamples that are drawn side by side.
const BLOCK: usize = 256;

/// Draws sums of n out of n values, with repetition.
#[derive(Debug, Default)]
pub(crate) struct MeanDraws {
    /// Sums of all draws of as many values as go into the table; zeros fill it up.
    table: Vec<i64>,
    used: u64,
    /// Sums of all draws of what is left over.
    rest: Vec<i64>,
    /// Draws from the table; the rest takes one more.
    times: u64,
}

impl MeanDraws {
    /// Fills the tables from at least one whole number.
    pub(crate) fn fill(&mut self, values: &[i64]) {
        let n = values.len();
        let (mut at_once, mut size) = (1, n);
        while at_once < n && size * n <= TABLED {
            (at_once, size) = (at_once + 1, size * n);
        }
        self.times = (n / at_once) as u64;
        self.used = size as u64;
        self.rest.clear();
        self.rest.resize(n.pow((n % at_once) as u32), 0);
        sums_of(values, n % at_once, &mut self.rest);
        self.table.resize(size.max(TABLED), 0);
        sums_of(values, at_once, &mut self.table[..size]);
    }

    /// Fills the sums of resamples `first`, `first` + 1 and so on.
    pub(crate) fn sums(&self, stream: Stream, first: u64, sums: &mut [i64]) {
        let small = self.table.first_chunk::<TABLED>().filter(|_| self.table.len() == TABLED);
        for (sums, first) in sums.chunks_mut(BLOCK).zip((first..).step_by(BLOCK)) {
            let place = |bits: u64| ((bits * self.used) >> 32) as usize;
            match small {
                // An index that is masked by the length of an array needs no check.
                Some(table) => self.block(stream, first, sums, |bits| table[place(bits) & (TABLED - 1)]),
                None => self.block(stream, first, sums, |bits| self.table[place(bits)]),
            }
        }
    }

    fn block(&self, stream: Stream, first: u64, sums: &mut [i64], pick: impl Fn(u64) -> i64) {
        let pairs = self.times / 2;
        let odd = self.times % 2 == 1;
        let words = pairs + u64::from(odd || self.rest.len() > 1);
        let both = |bits: u64| pick(bits >> 32) + pick(bits & 0xFFFF_FFFF);
        sums.fill(0);
        let mut word = 0;
        while word < pairs {
            let at = (first * words + word, words);
            word += match pairs - word {
                1 => add::<1>(stream, at, sums, both),
                2 => add::<2>(stream, at, sums, both),
                3 => add::<3>(stream, at, sums, both),
                _ => add::<4>(stream, at, sums, both),
            };
        }
        let at = (first * words + pairs, words);
        let rest = |bits: u64| self.rest[(((bits & 0xFFFF_FFFF) * self.rest.len() as u64) >> 32) as usize];
        match (odd, self.rest.len() > 1) {
            (true, true) => add::<1>(stream, at, sums, |bits| pick(bits >> 32) + rest(bits)),
            (true, false) => add::<1>(stream, at, sums, |bits| pick(bits >> 32)),
            (false, true) => add::<1>(stream, at, sums, rest),
            (false, false) => 0,
        };
    }
}

/// Adds what `WORDS` random words pick to each sum. The words of a sum are `step` apart from those of the one before.
///
/// The number of words is known when compiled, so that those of several sums are computed side by side.
#[inline]
fn add<const WORDS: u64>(
    stream: Stream,
    (first, step): (u64, u64),
    sums: &mut [i64],
    pick: impl Fn(u64) -> i64,
) -> u64 {
    for (sum, first) in sums.iter_mut().zip((0..).map(|i| first + i * step)) {
        for word in 0..WORDS {
            *sum += pick(stream.bits(first + word));
        }
    }
    WORDS
}

/// Sums of all draws of `count` values, into as many places as there are.
fn sums_of(values: &[i64], count: usize, sums: &mut [i64]) {
    sums[0] = 0;
    let mut size = 1;
    for _ in 0..count {
        let (before, after) = sums.split_at_mut(size);
        for (block, value) in after.chunks_exact_mut(size).zip(&values[1..]) {
            for (sum, old) in block.iter_mut().zip(&*before) {
                *sum = old + value;
            }
        }
        for sum in before {
            *sum += values[0];
        }
        size *= values.len();
    }
}
