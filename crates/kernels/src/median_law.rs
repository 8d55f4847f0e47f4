//! The complete bootstrap distribution of a median, and of a difference of two: the limit of infinite
//! resampling.

use crate::bootstrap::MedianLaw;
use crate::ranks::{key, value};

/// Levels this close to a step of the distribution function, relative to the tail they cut off, are on the
/// step.
const ON_STEP: f64 = 1e-11;
/// Up to this many outcomes are sorted instead of bisected further.
const FEW: usize = 256;
/// Number of bisections of the interval of numbers; after them, the ordered list of all floats is bisected,
/// which ends after 64.
const HALVINGS: usize = 32;

/// A distribution on finitely many values.
#[derive(Debug, Default)]
pub(crate) struct Law {
    /// Distinct values, ascending.
    values: Vec<f64>,
    /// Their probabilities.
    chances: Vec<f64>,
    /// P(X ≥ value), and 0 at the end.
    at_least: Vec<f64>,
}

impl Law {
    /// Bootstrap distribution of the median of ascending values; `None` for no values, and for even numbers
    /// above 1,000.
    pub(crate) fn of_median(sorted: &[f64]) -> Option<Self> {
        if sorted.is_empty() {
            return None;
        }
        let law = MedianLaw::of(sorted.len());
        let mut outcomes: Vec<(f64, f64)> = law
            .outcomes()?
            .map(|((i, j), chance)| (f64::midpoint(sorted[i as usize], sorted[j as usize]), chance))
            .collect();
        outcomes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut found = Self::default();
        for group in outcomes.chunk_by(|a, b| a.0 == b.0) {
            found.values.push(group[0].0);
            found.chances.push(group.iter().map(|(_, chance)| chance).sum());
        }
        found.at_least = vec![0.0; found.values.len() + 1];
        for i in (0..found.values.len()).rev() {
            found.at_least[i] = found.at_least[i + 1] + found.chances[i];
        }
        Some(found)
    }

    /// P(X < x) + P(X = x) / 2.
    pub(crate) fn share_below(&self, x: f64) -> f64 {
        let first = self.values.partition_point(|v| *v < x);
        let equal = if self.values.get(first) == Some(&x) { self.chances[first] } else { 0.0 };
        1.0 - self.at_least[first] + 0.5 * equal
    }

    /// The smallest value with P(X ≤ value) ≥ `level`; on a step, the mean of it and the next (type 2 of
    /// Hyndman & Fan).
    pub(crate) fn quantile(&self, level: f64) -> f64 {
        if level >= 1.0 {
            // The probabilities may add up to slightly less or more than 1.
            return self.values.last().copied().unwrap_or(f64::NAN);
        }
        quantile_of(self.values.iter().copied().zip(self.chances.iter().copied()), 0.0, level)
    }
}

/// The tolerance between a level and a step that it is on.
fn tolerance(level: f64) -> f64 {
    ON_STEP * level.min(1.0 - level)
}

/// The quantile of ascending outcomes, where `before` is the probability of everything below them.
fn quantile_of(outcomes: impl Iterator<Item = (f64, f64)>, before: f64, level: f64) -> f64 {
    let mut at_most = before;
    let mut on_step: Option<f64> = None;
    let mut last = f64::NAN;
    for (value, chance) in outcomes {
        if let Some(step) = on_step
            && value > step
        {
            return f64::midpoint(step, value);
        }
        at_most += chance;
        last = value;
        if at_most > level + tolerance(level) {
            return on_step.unwrap_or(value);
        }
        if at_most >= level - tolerance(level) {
            on_step = Some(value);
        }
    }
    last
}

/// Distribution of the difference of two independent variables, `y` minus `x`.
#[derive(Debug)]
pub(crate) struct Difference<'a> {
    pub x: &'a Law,
    pub y: &'a Law,
}

impl Difference<'_> {
    /// P(y − x ≤ d), or P(y − x < d) if `strict`, and the number of outcomes that make it up.
    fn at_most(&self, d: f64, strict: bool) -> (f64, usize) {
        let (mut chance, mut outcomes, mut first) = (0.0, 0, 0);
        let a = &self.x.values;
        for (b, p) in self.y.values.iter().zip(&self.y.chances) {
            // The larger y, the larger x must be.
            while first < a.len() && (b - a[first] > d || (strict && b - a[first] == d)) {
                first += 1;
            }
            chance += p * self.x.at_least[first];
            outcomes += a.len() - first;
        }
        (chance, outcomes)
    }

    /// P(y − x < d) + P(y − x = d) / 2.
    pub(crate) fn share_below(&self, d: f64) -> f64 {
        f64::midpoint(self.at_most(d, true).0, self.at_most(d, false).0)
    }

    /// The quantile, as defined by [`Law::quantile`]: bisection until few outcomes are left.
    pub(crate) fn quantile(&self, level: f64) -> f64 {
        let ends = |law: &Law| law.values.first().copied().zip(law.values.last().copied());
        let (Some((x_low, x_high)), Some((y_low, y_high))) = (ends(self.x), ends(self.y)) else {
            return f64::NAN;
        };
        if level <= 0.0 || level >= 1.0 {
            return if level <= 0.0 { y_low - x_high } else { y_high - x_low };
        }
        // The remaining outcomes are above `low` and at most `high`, or follow on a step.
        let (mut low, mut high) = ((y_low - x_high).next_down(), y_high - x_low);
        let (mut below, mut upto) = ((0.0, 0), self.at_most(high, false));
        let near = tolerance(level);
        for halving in 0.. {
            let gap = key(high).wrapping_sub(key(low)) as u64;
            if upto.1 - below.1 <= FEW || gap <= 1 {
                break;
            }
            let mut middle = f64::midpoint(low, high);
            if halving >= HALVINGS || middle <= low || middle >= high {
                middle = value(key(low).wrapping_add((gap / 2) as i64));
            }
            let there = self.at_most(middle, false);
            if there.0 > level + near {
                (high, upto) = (middle, there);
            } else if there.0 < level - near {
                (low, below) = (middle, there);
            } else {
                return self.on_step(middle);
            }
        }
        let mut left = self.between(low, high);
        left.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        quantile_of(left.into_iter(), below.0, level)
    }

    /// Mean of the largest outcome that is at most `d` and the smallest one above it.
    fn on_step(&self, d: f64) -> f64 {
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
        let a = &self.x.values;
        let mut first = 0;
        for b in &self.y.values {
            while first < a.len() && b - a[first] > d {
                first += 1;
            }
            if first > 0 {
                upper = upper.min(b - a[first - 1]);
            }
            if first < a.len() {
                lower = lower.max(b - a[first]);
            }
        }
        if upper == f64::INFINITY { lower } else { f64::midpoint(lower, upper) }
    }

    /// Outcomes above `low` and at most `high`, with their probabilities.
    fn between(&self, low: f64, high: f64) -> Vec<(f64, f64)> {
        let (mut from, mut to) = (0, 0);
        let a = &self.x.values;
        let mut found = Vec::new();
        for (b, p) in self.y.values.iter().zip(&self.y.chances) {
            while from < a.len() && b - a[from] > high {
                from += 1;
            }
            while to < a.len() && b - a[to] > low {
                to += 1;
            }
            found.extend((from..to).map(|i| (b - a[i], p * self.x.chances[i])));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, Law, quantile_of};
    use crate::random::{Stream, below};

    #[test]
    fn quantiles_of_a_difference_are_those_of_all_its_outcomes() {
        let mut halved = 0;
        for case in 0..60 {
            let stream = Stream::new(case, 0, 0);
            let span = [3, 20, 1 << 40][case as usize % 3];
            let spread = [1.0, 1e-250, 1e60][case as usize / 3 % 3];
            let sorted = |n: u64| {
                let value = |i| below(stream.bits(case * 100 + n + i), span) as f64 * spread;
                // A single remote value: bisecting numbers alone would take long.
                let mut values: Vec<f64> = (0..n).map(value).chain([1e9 * spread * span as f64]).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let (x, y) = (sorted(9 + 2 * (case % 6)), sorted(10 + case % 10));
            let (x, y) = (Law::of_median(&x).expect("a law"), Law::of_median(&y).expect("a law"));
            let law = Difference { x: &x, y: &y };
            let mut all: Vec<(f64, f64)> = Vec::new();
            for (b, p) in y.values.iter().zip(&y.chances) {
                all.extend(x.values.iter().zip(&x.chances).map(|(a, q)| (b - a, p * q)));
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            halved += u32::from(all.len() > 256);
            for level in [0.0, 1e-9, 0.0123, 0.025, 0.3, 0.5, 0.9, 0.975, 0.99999] {
                assert_eq!(
                    law.quantile(level),
                    quantile_of(all.iter().copied(), 0.0, level),
                    "{case} {level}"
                );
            }
            assert_eq!(law.quantile(1.0), all[all.len() - 1].0);
            let (middle, _) = all[all.len() / 2];
            let chance = |f: &dyn Fn(f64) -> bool| -> f64 {
                all.iter().filter(|(v, _)| f(*v)).map(|(_, chance)| chance).sum()
            };
            let share = chance(&|v| v < middle) + 0.5 * chance(&|v| v == middle);
            assert!((law.share_below(middle) - share).abs() < 1e-13);
        }
        assert!(halved > 30);
    }
}
