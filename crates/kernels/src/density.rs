//! Kernel density estimate with a Gaussian kernel, summed over all values.

use rayon::prelude::*;

use crate::ranks::{key, value};

/// Maximum number of points served by one exponential: the error of its neighbours grows with the square of
/// their number.
const BLOCK: usize = 64;
/// Maximum width of such a block, in bandwidths.
const BLOCK_WIDTH: f64 = 4.0;
/// Distance in bandwidths beyond which a value contributes nothing that a float can hold.
const FAR: f64 = 39.0;
/// Number of values processed together: a single one would wait for each of its multiplications.
const LANES: usize = 8;
/// Minimum number of terms per task: handing a task over costs microseconds.
const TASK: usize = 50_000;

/// The density at `points` equidistant places from `from` to `to`, both included: the mean of normal densities
/// around the values, with `bandwidth` as their standard deviation. Per unit of the data.
///
/// NaN at every place for no values, for a bandwidth that is not positive, and if anything is not finite.
#[must_use]
pub fn density(values: &[f64], bandwidth: f64, from: f64, to: f64, points: usize) -> Vec<f64> {
    let finite = |v: f64| v.is_finite();
    let usable = bandwidth > 0.0 && [bandwidth, to - from].into_iter().all(finite);
    if !usable || values.is_empty() || !values.iter().copied().all(finite) {
        return vec![f64::NAN; points];
    }
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    // Sorted, so that distant values can be left out and the order of the sample does not matter.
    keys.sort_unstable();
    let sorted: Vec<f64> = keys.into_iter().map(value).collect();
    let gaps = points.saturating_sub(1).max(1) as f64;
    let kernel = Kernel { sorted: &sorted, bandwidth, step: (to - from) / gaps / bandwidth };
    let size =
        if kernel.step == 0.0 { BLOCK } else { ((BLOCK_WIDTH / kernel.step.abs()) as usize).clamp(1, BLOCK) };
    let mut found = vec![0.0; points];
    let task = (TASK / (size * sorted.len())).max(1);
    found.par_chunks_mut(size).enumerate().with_min_len(task).for_each(|(block, sums)| {
        let place = |k: usize| from + (to - from) * ((block * size + k) as f64 / gaps);
        kernel.add(place(0), place(sums.len() - 1), sums);
        let scale = sorted.len() as f64 * bandwidth * (2.0 * core::f64::consts::PI).sqrt();
        for sum in sums {
            *sum /= scale;
        }
    });
    found
}

struct Kernel<'a> {
    sorted: &'a [f64],
    bandwidth: f64,
    /// Distance of neighbouring places, in bandwidths; negative if the places descend.
    step: f64,
}

impl Kernel<'_> {
    /// Adds exp(−d²/2) of each value's distance d, in bandwidths, to the sums at the places from `first` to
    /// `last`.
    ///
    /// Each value starts at the closer end of the block, so that its terms only decrease.
    fn add(&self, first: f64, last: f64, sums: &mut [f64]) {
        let (low, high) = (first.min(last), first.max(last));
        let reach = FAR * self.bandwidth;
        let near = |limit: f64| self.sorted.partition_point(|&v| v < limit);
        let middle = near(0.5 * low + 0.5 * high);
        let (below, above) = (
            &self.sorted[near(low - reach).min(middle)..middle],
            &self.sorted[middle..near(high + reach).max(middle)],
        );
        let step = self.step.abs();
        let mut upwards = [[0.0; LANES]; BLOCK];
        walk(below.iter().map(|v| (low - v) / self.bandwidth), step, &mut upwards[..sums.len()]);
        let mut downwards = [[0.0; LANES]; BLOCK];
        walk(above.iter().map(|v| (v - high) / self.bandwidth), step, &mut downwards[..sums.len()]);
        let count = sums.len();
        for (k, sum) in sums.iter_mut().enumerate() {
            let up = if self.step < 0.0 { count - 1 - k } else { k };
            *sum = total(&upwards[up]) + total(&downwards[count - 1 - up]);
        }
    }
}

/// Adds the terms of values with the given `distances` from the first place, which grow by `step` from one
/// place to the next: exp(−(d + s)²/2) = exp(−d²/2) · exp(−ds − s²/2), and the last factor shrinks by exp(−s²)
/// each time.
fn walk(mut distances: impl ExactSizeIterator<Item = f64>, step: f64, sums: &mut [[f64; LANES]]) {
    let fall = (-step * step).exp();
    while distances.len() > 0 {
        let (mut terms, mut factors) = ([0.0; LANES], [0.0; LANES]);
        for (lane, d) in distances.by_ref().take(LANES).enumerate() {
            terms[lane] = (-0.5 * d * d).exp();
            factors[lane] = (-d * step - 0.5 * step * step).exp();
        }
        for sum in &mut *sums {
            for lane in 0..LANES {
                sum[lane] += terms[lane];
                terms[lane] *= factors[lane];
                factors[lane] *= fall;
            }
        }
    }
}

fn total(lanes: &[f64; LANES]) -> f64 {
    lanes.iter().sum()
}
