//! Repetitions on all cores, and what is printed of them.

use std::fmt::Display;

use rayon::prelude::*;

use crate::noise::Numbers;

/// Adds up what each of `repetitions` gives; the same for any number of threads, since sums are of whole numbers.
pub fn repeated<const K: usize>(
    repetitions: u64,
    experiment: &str,
    one: impl Fn(&mut Numbers) -> [u64; K] + Sync,
) -> [u64; K] {
    let seed = experiment.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (0..repetitions)
        .into_par_iter()
        .map(|repetition| one(&mut Numbers::new(seed, repetition)))
        .reduce(|| [0; K], |a, b| std::array::from_fn(|k| a[k] + b[k]))
}

/// Prints a line: table, row, column, what was counted, how many, of how many.
pub fn print(table: &str, row: &str, column: impl Display, counted: &str, count: u64, of: u64) {
    println!("{table}\t{row}\t{column}\t{counted}\t{count}\t{of}");
}
