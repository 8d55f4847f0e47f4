//! Normality and quantiles of many groups at once, on all cores. Group i is `values[offsets[i]..offsets[i +
//! 1]]`; the number of groups is one less than the number of offsets. Invalid offsets give `None` or NaN for
//! their group.

use std::sync::Arc;

use rayon::prelude::*;

use crate::harrell_davis::HarrellDavisWeights;
use crate::ranks::{key, value};
use crate::shapiro_wilk::{Normality, Scratch};

/// Minimum number of groups per task: a group costs less than a microsecond, handing it over about one.
const CHUNK: usize = 256;

/// [`shapiro_wilk`](crate::shapiro_wilk()) of each group.
#[must_use]
pub fn shapiro_wilk_batch(values: &[f64], offsets: &[usize]) -> Vec<Option<Normality>> {
    (0..offsets.len().saturating_sub(1))
        .into_par_iter()
        .with_min_len(CHUNK)
        .map_init(Scratch::default, |scratch, i| scratch.test(values.get(offsets[i]..offsets[i + 1])?))
        .collect()
}

/// [`harrell_davis`](crate::harrell_davis()) of each group, whose values may be in any order, at each level:
/// all levels of the first group, then all of the second.
#[must_use]
pub fn harrell_davis_batch(values: &[f64], offsets: &[usize], levels: &[f64]) -> Vec<f64> {
    let mut estimates = vec![f64::NAN; offsets.len().saturating_sub(1) * levels.len()];
    if levels.is_empty() {
        return estimates;
    }
    estimates.par_chunks_mut(levels.len()).enumerate().with_min_len(CHUNK).for_each_init(
        Group::default,
        |scratch, (i, row)| {
            if let Some(group) = values.get(offsets[i]..offsets[i + 1]) {
                scratch.estimate(group, levels, row);
            }
        },
    );
    estimates
}

/// What a thread reuses from one group to the next.
#[derive(Default)]
struct Group {
    keys: Vec<i64>,
    sorted: Vec<f64>,
    weights: Option<Arc<HarrellDavisWeights>>,
}

impl Group {
    fn estimate(&mut self, group: &[f64], levels: &[f64], estimates: &mut [f64]) {
        self.keys.clear();
        self.keys.extend(group.iter().map(|&v| key(v)));
        self.keys.sort_unstable();
        self.sorted.clear();
        self.sorted.extend(self.keys.iter().map(|&k| value(k)));
        let weights = match &mut self.weights {
            Some(weights) if weights.size() == group.len() => weights,
            other => other.insert(HarrellDavisWeights::of(group.len(), levels)),
        };
        weights.apply_into(&self.sorted, estimates);
    }
}
