//! The bootstrap distribution of a median, without resampling.
//!
//! The median of a resample of n values is order statistic k with a known probability (Maritz & Jarrett 1978);
//! for even n it is the mean of a pair of them with a known probability. A single random number draws it,
//! whatever n.

use std::sync::{Arc, OnceLock};

use crate::random::{Stream, open_unit};
use crate::special::{binomial_cdf, ln_choose};

/// Even samples up to this size use a table of pairs of middle order statistics; beyond it, n over n/2
/// overflows.
const PAIRS_TABLED: usize = 1000;
/// Outcomes with a smaller probability are left out.
const NEVER: f64 = 1e-18;

/// An outcome: the order statistics (from 0) whose mean is the median.
type Pair = (u32, u32);

/// The distribution of the middle order statistics of a resample of n values.
#[derive(Debug)]
pub(crate) struct MedianLaw {
    n: usize,
    outcomes: Vec<Pair>,
    probabilities: Vec<f64>,
    /// Their sum.
    total: f64,
    /// Walker's alias table: the part of 2^32 that keeps its outcome, and the outcome that gets the rest.
    alias: Vec<(u32, u32)>,
    /// ln C(n, n/2), for even n without a table.
    log_choose: f64,
}

impl MedianLaw {
    /// The law for samples of n ≥ 1 values, from a table shared by all threads.
    pub(crate) fn of(n: usize) -> Arc<Self> {
        static SMALL: [OnceLock<Arc<MedianLaw>>; 256] = [const { OnceLock::new() }; 256];
        match SMALL.get(n) {
            Some(cell) => Arc::clone(cell.get_or_init(|| Arc::new(Self::new(n)))),
            None => Arc::new(Self::new(n)),
        }
    }

    fn new(n: usize) -> Self {
        let (outcomes, probabilities) = if n % 2 == 1 {
            single(n, n / 2 + 1)
        } else if n <= PAIRS_TABLED {
            pairs(n)
        } else {
            single(n, n / 2)
        };
        let alias = alias_table(&probabilities);
        let total = probabilities.iter().sum();
        Self { n, outcomes, probabilities, total, alias, log_choose: ln_choose(n as u64, n as u64 / 2) }
    }

    fn tabled(&self) -> bool {
        self.n % 2 == 1 || self.n <= PAIRS_TABLED
    }

    /// Draw number `counter` of the median of a resample of ascending values.
    pub(crate) fn draw(&self, sorted: &[f64], stream: Stream, counter: u64) -> f64 {
        let bits = stream.bits(2 * counter);
        let cell = (((bits >> 32) * self.alias.len() as u64) >> 32) as usize;
        let (stays, other) = self.alias[cell];
        let cell = if (bits as u32) < stays { cell } else { other as usize };
        let (i, j) = self.outcomes[cell];
        let j = if self.tabled() {
            j
        } else {
            self.upper(i, open_unit(stream.bits(2 * counter + 1)), self.probabilities[cell])
        };
        0.5 * (sorted[i as usize] + sorted[j as usize])
    }

    /// The upper middle order statistic given the lower one: P(above j | i) = A ((n − j − 1) / n)^h with A =
    /// C(n, h) (((i + 1)^h − i^h) / n^h) / P(i) and h = n / 2, inverted in logarithms.
    fn upper(&self, i: u32, uniform: f64, probability: f64) -> u32 {
        let (n, h) = (self.n as f64, (self.n / 2) as f64);
        let top = (f64::from(i) + 1.0) / n;
        let log_step = h * top.ln() + (-(h * (-1.0 / (f64::from(i) + 1.0)).ln_1p()).exp()).ln_1p();
        let log_a = self.log_choose + log_step - probability.ln();
        let j = (n - 1.0 - n * ((uniform.ln() - log_a) / h).exp()).ceil();
        (j.max(f64::from(i)) as u32).min(self.n as u32 - 1)
    }

    /// All outcomes with their probabilities; `None` if there are too many for a table.
    pub(crate) fn outcomes(&self) -> Option<impl Iterator<Item = (Pair, f64)>> {
        let outcomes = self.outcomes.iter().copied().zip(self.probabilities.iter().map(|p| p / self.total));
        self.tabled().then_some(outcomes)
    }

    /// Exact bootstrap variance of the median of ascending values (for even n above 1,000, of the lower middle
    /// one).
    #[cfg(test)]
    pub(crate) fn variance(&self, sorted: &[f64]) -> f64 {
        let values: Vec<f64> =
            self.outcomes.iter().map(|&(i, j)| 0.5 * (sorted[i as usize] + sorted[j as usize])).collect();
        let weighted = |of: &dyn Fn(f64) -> f64| -> f64 {
            values.iter().zip(&self.probabilities).map(|(&value, p)| of(value) * p).sum::<f64>() / self.total
        };
        let mean = weighted(&|value| value);
        weighted(&|value| (value - mean).powi(2))
    }
}

/// Outcomes and probabilities of the `rank`-th (from 1) order statistic of a resample.
fn single(n: usize, rank: usize) -> (Vec<Pair>, Vec<f64>) {
    let nf = n as f64;
    // P(X_(rank) ≤ i) = P(at least `rank` of n draws are ≤ i).
    let at_most = |i: usize| 1.0 - binomial_cdf(rank as u64 - 1, n as u64, (i as f64 + 1.0) / nf);
    let mut before = 0.0;
    let mut found = (Vec::new(), Vec::new());
    for i in 0..n {
        let now = at_most(i);
        if now - before > NEVER {
            found.0.push((i as u32, i as u32));
            found.1.push(now - before);
        }
        before = now;
    }
    found
}

/// Outcomes and probabilities of both middle order statistics of a resample of an even number of values.
fn pairs(n: usize) -> (Vec<Pair>, Vec<f64>) {
    let (nf, h) = (n as f64, (n / 2) as i32);
    let choose = ln_choose(n as u64, n as u64 / 2).exp();
    let step = |k: usize| ((k as f64 + 1.0) / nf).powi(h) - (k as f64 / nf).powi(h);
    let (lower, marginal) = single(n, n / 2);
    let mut found = (Vec::new(), Vec::new());
    for ((i, _), probability) in lower.into_iter().zip(marginal) {
        // h values at most i, including i, and h values at least j, including j.
        let apart = |j: usize| choose * step(i as usize) * step(n - 1 - j);
        let mut rest = probability;
        // Probabilities fall with the distance.
        for (j, chance) in
            (i as usize + 1..n).map(|j| (j, apart(j))).take_while(|(_, chance)| *chance > NEVER)
        {
            found.0.push((i, j as u32));
            found.1.push(chance);
            rest -= chance;
        }
        found.0.push((i, i));
        found.1.push(rest.max(0.0));
    }
    found
}

/// Walker's alias method (1974), by Vose's construction (1991).
fn alias_table(probabilities: &[f64]) -> Vec<(u32, u32)> {
    let count = probabilities.len();
    let total: f64 = probabilities.iter().sum();
    let mut scaled: Vec<f64> = probabilities.iter().map(|p| p / total * count as f64).collect();
    let mut table: Vec<(u32, u32)> = (0..count as u32).map(|i| (u32::MAX, i)).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..count).partition(|&i| scaled[i] < 1.0);
    while let (Some(&light), Some(&heavy)) = (small.last(), large.last()) {
        small.pop();
        table[light] = ((scaled[light] * 4_294_967_296.0) as u32, heavy as u32);
        scaled[heavy] -= 1.0 - scaled[light];
        if scaled[heavy] < 1.0 {
            large.pop();
            small.push(heavy);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{MedianLaw, Stream};

    /// All n^n resamples of a small sample.
    fn enumerated(values: &[f64]) -> (f64, f64) {
        let n = values.len();
        let all = n.pow(n as u32);
        let medians: Vec<f64> = (0..all)
            .map(|code| {
                let mut drawn: Vec<f64> = (0..n).map(|i| values[code / n.pow(i as u32) % n]).collect();
                drawn.sort_by(f64::total_cmp);
                f64::midpoint(drawn[(n - 1) / 2], drawn[n / 2])
            })
            .collect();
        let mean = medians.iter().sum::<f64>() / all as f64;
        (mean, medians.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / all as f64)
    }

    #[test]
    fn the_variance_is_that_of_all_resamples() {
        for n in 1..=6 {
            let values: Vec<f64> = (1..=n).map(|i| f64::from(i * i)).collect();
            let ours = MedianLaw::of(values.len()).variance(&values);
            let expected = enumerated(&values).1;
            assert!((ours - expected).abs() <= 1e-12 * expected, "{n}: {ours} {expected}");
        }
    }

    #[test]
    fn draws_have_that_variance() {
        for n in [1, 2, 5, 8, 101, 200, 1200] {
            let values: Vec<f64> = (0..n).map(f64::from).collect();
            let law = MedianLaw::of(values.len());
            let stream = Stream::new(1, 2, 3);
            let draws: Vec<f64> = (0..40_000).map(|i| law.draw(&values, stream, i)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            let middle = f64::from(n - 1) / 2.0;
            let expected = law.variance(&values);
            assert!((mean - middle).abs() <= 0.03 * expected.sqrt(), "{n}: {mean}");
            assert!((variance - expected).abs() <= 0.05 * expected, "{n}: {variance} {expected}");
        }
    }
}
