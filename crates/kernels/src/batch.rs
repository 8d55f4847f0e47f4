//! Many rows at once, on all cores. Row i of a sample is `values[offsets[i]..offsets[i + 1]]`; the number of rows is
//! one less than the number of offsets. Offsets that do not fit give None for their row.

use rayon::prelude::*;

use crate::{Comparison, Test, Zeros, mann_whitney, one_sample, signed_rank, two_sample};

/// Rows that one task takes at least: a row costs microseconds, handing it over about one.
const CHUNK: usize = 32;

/// [`mann_whitney()`] of each row.
#[must_use]
pub fn mann_whitney_batch(
    x: &[f64],
    x_offsets: &[usize],
    y: &[f64],
    y_offsets: &[usize],
) -> Vec<Option<Test>> {
    each(rows(x_offsets).min(rows(y_offsets)), |i| mann_whitney(row(x, x_offsets, i)?, row(y, y_offsets, i)?))
}

/// [`two_sample()`] of each row.
#[must_use]
pub fn two_sample_batch(
    x: &[f64],
    x_offsets: &[usize],
    y: &[f64],
    y_offsets: &[usize],
    confidence: f64,
) -> Vec<Option<Comparison>> {
    each(rows(x_offsets).min(rows(y_offsets)), |i| {
        two_sample(row(x, x_offsets, i)?, row(y, y_offsets, i)?, confidence)
    })
}

/// [`signed_rank()`] of each row.
#[must_use]
pub fn signed_rank_batch(d: &[f64], offsets: &[usize], zeros: Zeros) -> Vec<Option<Test>> {
    each(rows(offsets), |i| signed_rank(row(d, offsets, i)?, zeros))
}

/// [`one_sample()`] of each row.
#[must_use]
pub fn one_sample_batch(d: &[f64], offsets: &[usize], confidence: f64) -> Vec<Option<Comparison>> {
    each(rows(offsets), |i| one_sample(row(d, offsets, i)?, confidence))
}

fn rows(offsets: &[usize]) -> usize {
    offsets.len().saturating_sub(1)
}

fn row<'a>(values: &'a [f64], offsets: &[usize], i: usize) -> Option<&'a [f64]> {
    values.get(offsets[i]..offsets[i + 1])
}

fn each<T: Send>(rows: usize, work: impl Fn(usize) -> Option<T> + Sync + Send) -> Vec<Option<T>> {
    (0..rows).into_par_iter().with_min_len(CHUNK).map(work).collect()
}
