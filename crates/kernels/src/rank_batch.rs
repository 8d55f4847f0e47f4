//! The rank tests of several samples, of blocks, and of two samples of unequal spread, for many groups on all cores.
//!
//! Offsets mark where things end and the next begin, as in [`crate::batch`]; those that do not fit give None for their
//! group. Every thread has buffers of its own, so nothing is allocated but the outcomes.

use rayon::prelude::*;

use crate::brunner_munzel::{BrunnerMunzel, brunner_munzel};
use crate::friedman::{Friedman, friedman};
use crate::kruskal_wallis::{KruskalWallis, of_samples};
use crate::quade::{Quade, quade};

/// Groups that one task takes at least: a group costs about a microsecond, as handing it over does.
const CHUNK: usize = 64;

/// [`kruskal_wallis()`](crate::kruskal_wallis()) of each group of `k` samples.
///
/// Sample i is `values[offsets[i]..offsets[i + 1]]`, and group g has the samples `g * k..(g + 1) * k`. Samples that do
/// not fill a group at the end are left out.
#[must_use]
pub fn kruskal_wallis_batch(values: &[f64], offsets: &[usize], k: usize) -> Vec<Option<KruskalWallis>> {
    let samples = offsets.len().saturating_sub(1);
    each(samples.checked_div(k).unwrap_or(0), |group| {
        let bounds = offsets[group * k..=(group + 1) * k].windows(2);
        let fits = bounds.clone().all(|ends| values.get(ends[0]..ends[1]).is_some());
        if fits { of_samples(bounds.map(|ends| &values[ends[0]..ends[1]])) } else { None }
    })
}

/// [`friedman()`] of each group, a table of `treatments` columns in `values[offsets[g]..offsets[g + 1]]`.
#[must_use]
pub fn friedman_batch(values: &[f64], offsets: &[usize], treatments: usize) -> Vec<Option<Friedman>> {
    each(offsets.len().saturating_sub(1), |g| friedman(values.get(offsets[g]..offsets[g + 1])?, treatments))
}

/// [`quade()`] of each group, a table of `treatments` columns in `values[offsets[g]..offsets[g + 1]]`.
#[must_use]
pub fn quade_batch(values: &[f64], offsets: &[usize], treatments: usize) -> Vec<Option<Quade>> {
    each(offsets.len().saturating_sub(1), |g| quade(values.get(offsets[g]..offsets[g + 1])?, treatments))
}

/// [`brunner_munzel()`] of each pair of samples.
#[must_use]
pub fn brunner_munzel_batch(
    x: &[f64],
    x_offsets: &[usize],
    y: &[f64],
    y_offsets: &[usize],
    confidence: f64,
) -> Vec<Option<BrunnerMunzel>> {
    let pairs = x_offsets.len().min(y_offsets.len()).saturating_sub(1);
    each(pairs, |i| {
        let x = x.get(x_offsets[i]..x_offsets[i + 1])?;
        let y = y.get(y_offsets[i]..y_offsets[i + 1])?;
        brunner_munzel(x, y, confidence)
    })
}

fn each<T: Send>(groups: usize, work: impl Fn(usize) -> Option<T> + Sync + Send) -> Vec<Option<T>> {
    (0..groups).into_par_iter().with_min_len(CHUNK).map(work).collect()
}
