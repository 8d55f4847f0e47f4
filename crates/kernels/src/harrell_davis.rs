//! Harrell-Davis estimator of quantiles (1982): the mean of the order statistics, each weighted by the
//! probability that it is the quantile of a resample.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::special::beta_fraction;

/// Smaller weights are left out: they are below the rounding error of the middle weight.
const NEVER: f64 = 1e-17;
/// Number of sets of weights cached for later calls; a full cache is emptied.
const KEPT: usize = 256;

/// Estimates quantile `p` of ascending values: a mean of all of them, weighted by the beta distribution with
/// (n + 1)p and (n + 1)(1 − p). The smallest value for p ≤ 0 and the largest for p ≥ 1; NaN for no values and
/// for NaN.
#[must_use]
pub fn harrell_davis(sorted: &[f64], p: f64) -> f64 {
    let weights = HarrellDavisWeights::of(sorted.len(), &[p]);
    weights.rows[0].apply(sorted)
}

/// The reusable weights of samples of one size for a list of quantiles.
#[derive(Debug)]
pub struct HarrellDavisWeights {
    n: usize,
    rows: Vec<Row>,
}

/// Weights of the order statistics from index `start` on; empty if the estimate is NaN.
#[derive(Debug)]
struct Row {
    start: usize,
    weights: Vec<f64>,
}

/// Sample size and the bits of each level.
type Key = (usize, Vec<u64>);

impl HarrellDavisWeights {
    /// The weights of samples of `n` values for quantiles `levels`; recent ones are cached for all threads.
    #[must_use]
    pub fn of(n: usize, levels: &[f64]) -> Arc<Self> {
        static TABLE: Mutex<Option<HashMap<Key, Arc<HarrellDavisWeights>>>> = Mutex::new(None);
        let key = (n, levels.iter().map(|p| p.to_bits()).collect());
        let kept =
            TABLE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().get(&key).cloned();
        kept.unwrap_or_else(|| {
            // Computed without holding the lock, so that other sizes need not wait.
            let made = Arc::new(Self { n, rows: levels.iter().map(|&p| Row::new(n, p)).collect() });
            let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
            let table = table.get_or_insert_default();
            if table.len() >= KEPT {
                table.clear();
            }
            Arc::clone(table.entry(key).or_insert(made))
        })
    }

    /// The sample size that the weights are for.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Estimates the quantiles from ascending values, one per level; NaN if the sample has a different size.
    #[must_use]
    pub fn apply(&self, sorted: &[f64]) -> Vec<f64> {
        let mut estimates = vec![f64::NAN; self.rows.len()];
        self.apply_into(sorted, &mut estimates);
        estimates
    }

    /// [`Self::apply`] into a buffer with room for one estimate per level; the rest of the buffer is unchanged.
    pub fn apply_into(&self, sorted: &[f64], estimates: &mut [f64]) {
        for (estimate, row) in estimates.iter_mut().zip(&self.rows) {
            *estimate = if sorted.len() == self.n { row.apply(sorted) } else { f64::NAN };
        }
    }
}

impl Row {
    fn new(n: usize, p: f64) -> Self {
        let one = |start| Self { start, weights: vec![1.0] };
        match n.checked_sub(1) {
            None => Self { start: 0, weights: vec![] },
            Some(_) if p.is_nan() => Self { start: 0, weights: vec![] },
            // A level that is 0 except for rounding would leave the range of floats.
            Some(last) if p <= NEVER || last == 0 => one(0),
            Some(last) if p >= 1.0 => one(last),
            Some(_) => Self::between(n, p),
        }
    }

    /// Differences of the beta distribution function at i/n, each computed on the side of the middle where it
    /// is small.
    fn between(n: usize, p: f64) -> Self {
        let beta = Beta::of(n, p);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut outer = beta.lower(beta.middle);
        for i in (0..beta.middle).rev() {
            let inner = outer;
            outer = beta.lower(i);
            before.push(inner - outer);
            if outer < NEVER {
                break;
            }
        }
        outer = beta.upper(beta.middle);
        for i in beta.middle + 1..=n {
            let inner = outer;
            outer = beta.upper(i);
            after.push(inner - outer);
            if outer < NEVER {
                break;
            }
        }
        let start = beta.middle - before.len();
        let weights: Vec<f64> = before.into_iter().rev().chain(after).collect();
        let total: f64 = weights.iter().sum();
        Self { start, weights: weights.into_iter().map(|w| w / total).collect() }
    }

    fn apply(&self, sorted: &[f64]) -> f64 {
        let values = &sorted[self.start..self.start + self.weights.len()];
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return f64::NAN;
        };
        // A mean lies between its values; rounding must not move it outside, nor away from equal values.
        dot(values, &self.weights).max(low).min(high)
    }
}

/// Sum of products in four lanes: a single one would wait for each addition.
fn dot(values: &[f64], weights: &[f64]) -> f64 {
    let (a, b) = (values.chunks_exact(4), weights.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(v, w)| v * w).sum();
    let mut strands = [0.0; 4];
    for (a, b) in a.zip(b) {
        for (strand, (v, w)) in strands.iter_mut().zip(a.iter().zip(b)) {
            *strand += v * w;
        }
    }
    (strands[0] + strands[2]) + (strands[1] + strands[3]) + rest
}

/// The beta distribution with (n + 1)p and (n + 1)(1 − p) at the points i/n, for n ≥ 2.
///
/// Its constant needs no gamma function: both tails at one point add up to 1.
struct Beta {
    n: f64,
    a: f64,
    b: f64,
    /// The point next to the mean.
    middle: usize,
    /// The factor that turns the tails into probabilities.
    scale: f64,
}

impl Beta {
    fn of(n: usize, p: f64) -> Self {
        let size = n as f64;
        let middle = (size * p).round().clamp(1.0, size - 1.0) as usize;
        let mut beta = Self { n: size, a: p * (size + 1.0), b: (1.0 - p) * (size + 1.0), middle, scale: 1.0 };
        beta.scale = 1.0 / (beta.lower(middle) + beta.upper(middle));
        beta
    }

    /// P(X ≤ i/n).
    fn lower(&self, i: usize) -> f64 {
        self.tail(i as f64 / self.n, (self.n - i as f64) / self.n, self.a, self.b, false)
    }

    /// P(X > i/n).
    fn upper(&self, i: usize) -> f64 {
        self.tail((self.n - i as f64) / self.n, i as f64 / self.n, self.b, self.a, true)
    }

    /// The tail at x = 1 − y of the beta distribution with a and b; `swapped` if x is counted from 1.
    fn tail(&self, x: f64, y: f64, a: f64, b: f64, swapped: bool) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let middle = self.middle as f64 / self.n;
        let (x0, y0) = if swapped { (1.0 - middle, middle) } else { (middle, 1.0 - middle) };
        // Relative to the middle, so that neither power leaves the range of floats.
        let front = (a * (x / x0).ln() + b * (y / y0).ln()).exp();
        self.scale * front * beta_fraction(x, y, a, b)
    }
}
