//! One run against several: how far runs of one build lie apart that are not normally distributed.
//!
//! A single run is not an average, so nothing makes its mean normal, and the prediction interval by t is too narrow
//! where some runs are slow or runs have two modes. The several runs show it: each of them is predicted from the others,
//! and the p-values of all rows together would be uniform if runs were normal. Where small ones are too frequent, the
//! p-values of the single run are replaced by the frequency with which the several runs have such p-values.

use statera_kernels as kernels;
use statera_kernels::Method;

use crate::means::least;
use crate::policy::Policy;
use crate::row::{Reason, Row};
use crate::units::Kept;

/// The p-values up to which the distribution is estimated: it is the tail that a correction for many rows asks about.
const SMALL: f64 = 0.05;

/// The number of uniform p-values below `SMALL` that count as seen: with few runs and rows the estimate stays close to
/// normal runs.
const SEEN: f64 = 2.0;

/// The least number of runs of which each is predicted from the others: where two remain, they are often equal by chance,
/// which says nothing about the third.
const FEWEST: usize = 4;

/// Of n uniform p-values the least is about 1 / n. One below this share of it counts as this share, so that a metric of
/// few different values does not decide for all.
const LEAST: f64 = 0.01;

/// The distribution of small p-values: P(p ≤ x) = height · (x / SMALL)^power up to SMALL, and in proportion above.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Frequency {
    height: f64,
    power: f64,
}

impl Frequency {
    /// Estimates the distribution by maximum likelihood (Hill 1975), never as better than uniform.
    fn of(every: &[f64]) -> Self {
        let small: Vec<f64> = every.iter().copied().filter(|p| *p <= SMALL).collect();
        let seen = small.len() as f64 + SEEN;
        let least = LEAST / every.len() as f64;
        let logs: f64 = small.iter().map(|p| (SMALL / p.max(least)).ln().max(0.0)).sum();
        let share = seen / (every.len() as f64 * SMALL + SEEN);
        Self { height: SMALL * share.clamp(1.0, 1.0 / SMALL), power: (seen / (logs + SEEN)).min(1.0) }
    }

    /// The frequency of p-values up to `p`.
    fn at(self, p: f64) -> f64 {
        let below = (p / SMALL).min(1.0).powf(self.power);
        (self.height * below * (p / SMALL).max(1.0)).min(1.0)
    }

    /// The p-value up to which they have this frequency.
    fn inverse(self, frequency: f64) -> f64 {
        let share = frequency / self.height;
        SMALL * if share < 1.0 { share.powf(1.0 / self.power) } else { share }
    }
}

/// Corrects the rows that a prediction interval decides, those of each pair of variants together.
pub fn correct(rows: &mut [Row], samples: &[Kept], policy: &Policy) {
    let pair = |row: &Row| (row.group, row.baseline.variant, row.contender.variant);
    let mut order: Vec<usize> =
        (0..rows.len()).filter(|&i| rows[i].method == Some(Method::Prediction)).collect();
    order.sort_by_key(|&i| pair(&rows[i]));
    let pairs: Vec<Vec<usize>> =
        order.chunk_by(|&i, &j| pair(&rows[i]) == pair(&rows[j])).map(<[usize]>::to_vec).collect();
    for members in pairs {
        let every: Vec<f64> = members.iter().flat_map(|&i| of_each(&samples[i])).collect();
        let frequency = Frequency::of(&every);
        for i in members {
            again(&mut rows[i], &samples[i], frequency, policy);
        }
    }
}

/// The p-values of each of the several runs, predicted from the others.
fn of_each(sample: &Kept) -> Vec<f64> {
    let Some((old, new)) = sample.both() else { return Vec::new() };
    let [before, after] = sample.errors();
    let (runs, errors) = if old.len() == 1 { (new, after) } else { (old, before) };
    if runs.len() < FEWEST {
        return Vec::new();
    }
    let without = |values: &[f64], place: usize| -> Vec<f64> {
        values.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, value)| *value).collect()
    };
    let one = |place: usize| {
        let others = without(runs, place);
        let known = least(&without(errors, place)).max(errors.get(place).copied().unwrap_or(0.0));
        kernels::prediction(&others, &runs[place..=place], known, 0.95).map(|found| found.test.p)
    };
    (0..runs.len()).filter_map(one).collect()
}

fn again(row: &mut Row, sample: &Kept, frequency: Frequency, policy: &Policy) {
    let Some((old, new)) = sample.both() else { return };
    let policy = policy.at(row.share);
    let known = sample.errors().map(least);
    let level = 1.0 - frequency.inverse(policy.alpha);
    let Some(found) = kernels::prediction(old, new, known[0].max(known[1]), level) else { return };
    let moved = row.change - found.shift.estimate;
    row.p = Some(row.spent(frequency.at(found.test.p)));
    (row.change_low, row.change_high) = (found.shift.interval.low + moved, found.shift.interval.high + moved);
    if !(row.change_low.is_finite() && row.change_high.is_finite()) {
        (row.p, row.method, row.reason) = (None, None, Some(Reason::NotComputable));
    }
}

#[cfg(test)]
mod tests {
    use super::{Frequency, SMALL};

    #[test]
    fn uniform_p_values_stay_as_they_are() {
        let even: Vec<f64> = (0..1000).map(|k| (f64::from(k) + 0.5) / 1000.0).collect();
        for every in [&even[..], &[]] {
            let frequency = Frequency::of(every);
            for p in [1e-12, 0.001, 0.05, 0.3, 1.0] {
                assert!((frequency.at(p) / p - 1.0).abs() < 0.02 * (p.ln().abs() + 1.0), "{p} {frequency:?}");
            }
        }
    }

    #[test]
    fn p_values_that_are_small_too_often_count_for_less() {
        // Squares of uniform values: a tenth of them is below 0.01.
        let squares: Vec<f64> = (0..1000).map(|k| ((f64::from(k) + 0.5) / 1000.0).powi(2)).collect();
        let frequency = Frequency::of(&squares);
        for p in [1e-6, 1e-4, 0.01, 0.04] {
            assert!((frequency.at(p) / p.sqrt() - 1.0).abs() < 0.25, "{p} {frequency:?}");
        }
        for p in [1e-6, 0.01, SMALL - 1e-9, SMALL + 1e-9, 0.4] {
            assert!((frequency.inverse(frequency.at(p)) / p - 1.0).abs() < 1e-9 || frequency.at(p) == 1.0);
        }
        assert!((frequency.at(SMALL - 1e-9) - frequency.at(SMALL + 1e-9)).abs() < 1e-8);
    }
}
