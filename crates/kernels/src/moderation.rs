//! Shrinks the variances of many rows towards what they have in common (Smyth 2004, computed like limma).
//!
//! The rows' true variances are modelled as draws from a scaled inverse chi-squared distribution: s0² times d0
//! over a chi-squared variable with d0 degrees of freedom. Both are estimated from the mean and variance of the
//! logarithms of the observed variances.

use crate::special::{digamma, trigamma, trigamma_inverse};

/// Variances below this fraction of their median are raised to it before taking logarithms.
const FLOOR: f64 = 1e-5;
/// Fewer rows reveal nothing about how variances differ.
const LEAST_ROWS: usize = 3;

/// What the variances of many rows have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Degrees of freedom d0 of the common variance: 0 if it carries no information, infinite if the rows
    /// differ no more than by chance.
    pub df: f64,
    /// The common variance s0², in the unit of the variances.
    pub variance: f64,
}

/// Estimates the prior from variances that all have `df` degrees of freedom.
///
/// With fewer than three variances, or none above 0, d0 is 0: nothing is shrunk. A variance far below the
/// others, or 0, would dominate the logarithms, so it is first raised to 1e-5 times the median variance. If
/// more than half are 0, so that the median is 0, the median of the positive ones is used; limma uses 1 there,
/// which depends on the unit. No value may be negative; `df` is positive.
#[must_use]
pub fn prior(variances: &[f64], df: f64) -> Prior {
    prior_of_parts([(&Fit::new(df), variances)].into_iter(), &mut Vec::new())
}

impl Prior {
    /// The prior without information.
    pub const NONE: Self = Self { df: 0.0, variance: 0.0 };

    /// A shrunk variance with `df` degrees of freedom: (d0 s0² + d s²) / (d0 + d).
    #[must_use]
    pub fn shrink(&self, variance: f64, df: f64) -> f64 {
        let (own, common) = self.weights(df);
        own * variance + common
    }

    /// The factor and the summand that turn a variance into the shrunk one.
    pub(crate) fn weights(&self, df: f64) -> (f64, f64) {
        if self.df == f64::INFINITY {
            return (0.0, self.variance);
        }
        let all = self.df + df;
        (df / all, self.df / all * self.variance)
    }
}

/// What chance alone does to the logarithm of a variance with some number of degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// The difference between the logarithm of the true variance and the mean of ln s².
    bias: f64,
    /// The variance of ln s².
    noise: f64,
}

impl Fit {
    pub(crate) fn new(df: f64) -> Self {
        let half = 0.5 * df;
        Self { bias: half.ln() - digamma(half), noise: trigamma(half) }
    }
}

/// [`prior`] of variances in parts, each with its own degrees of freedom; `logs` is a buffer.
pub(crate) fn prior_of_parts<'a, Parts>(parts: Parts, logs: &mut Vec<f64>) -> Prior
where
    Parts: Iterator<Item = (&'a Fit, &'a [f64])> + Clone,
{
    prior_by(f64::ln, parts, logs)
}

/// The same to nine digits, for the priors of many relabelings.
pub(crate) fn quick_prior<'a, Parts>(parts: Parts, logs: &mut Vec<f64>) -> Prior
where
    Parts: Iterator<Item = (&'a Fit, &'a [f64])> + Clone,
{
    prior_by(quick_ln, parts, logs)
}

/// The logarithm of a positive normal number, to within 1e-9: by its exponent and the series of the inverse hyperbolic
/// tangent. Several at a time are computed at once.
fn quick_ln(x: f64) -> f64 {
    const HALF_ROOT: u64 = 0x3FE6_A09E_667F_3BCD;
    let bits = x.to_bits();
    let exponent = (bits.wrapping_sub(HALF_ROOT) as i64) >> 52;
    let mantissa = f64::from_bits(bits.wrapping_sub((exponent << 52) as u64));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let series = 1.0 + z * (1.0 / 3.0 + z * (0.2 + z * (1.0 / 7.0 + z * (1.0 / 9.0))));
    exponent as f64 * core::f64::consts::LN_2 + 2.0 * s * series
}

fn prior_by<'a, Parts>(ln: impl Fn(f64) -> f64, parts: Parts, logs: &mut Vec<f64>) -> Prior
where
    Parts: Iterator<Item = (&'a Fit, &'a [f64])> + Clone,
{
    let count: usize = parts.clone().map(|(_, variances)| variances.len()).sum();
    if count < LEAST_ROWS {
        return Prior::NONE;
    }
    let floor = floor(parts.clone().map(|(_, variances)| variances), logs);
    if floor.is_nan() {
        return Prior::NONE;
    }
    logs.clear();
    let mut noise = 0.0;
    for (fit, variances) in parts.clone() {
        logs.extend(variances.iter().map(|v| ln(v.max(floor)) + fit.bias));
        noise += fit.noise * variances.len() as f64;
    }
    let count = count as f64;
    let mean = sum(logs, |z| z) / count;
    let spread = sum(logs, |z| (z - mean) * (z - mean)) / (count - 1.0) - noise / count;
    if spread <= 0.0 {
        let total: f64 = parts.map(|(_, variances)| sum(variances, |v| v.max(floor))).sum();
        return Prior { df: f64::INFINITY, variance: total / count };
    }
    let half = trigamma_inverse(spread);
    Prior { df: 2.0 * half, variance: (mean + digamma(half) - half.ln()).exp() }
}

/// The value that small variances are raised to: 0 if none is small, NaN if all are 0.
fn floor<'a>(parts: impl Iterator<Item = &'a [f64]> + Clone, scratch: &mut Vec<f64>) -> f64 {
    let (least, most) = parts
        .clone()
        .flatten()
        .fold((f64::INFINITY, 0.0_f64), |(least, most), &v| (least.min(v), most.max(v)));
    if most == 0.0 {
        return f64::NAN;
    }
    // The median is at most the maximum, so usually it need not be computed.
    if least >= FLOOR * most {
        return 0.0;
    }
    scratch.clear();
    parts.for_each(|variances| scratch.extend_from_slice(variances));
    let mut centre = median_of(scratch);
    if centre == 0.0 {
        scratch.retain(|&v| v > 0.0);
        centre = median_of(scratch);
    }
    FLOOR * centre
}

/// Median of values that may be reordered; 0 for no values.
fn median_of(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (before, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if even { f64::midpoint(before.iter().copied().fold(0.0, f64::max), upper) } else { upper }
}

/// Sums in four lanes: a single one would wait for each addition.
fn sum(values: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0; 4];
    let (fours, rest) = values.as_chunks::<4>();
    for four in fours {
        for (lane, &v) in lanes.iter_mut().zip(four) {
            *lane += term(v);
        }
    }
    let rest: f64 = rest.iter().map(|&v| term(v)).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::quick_ln;

    #[test]
    fn a_quick_logarithm_has_nine_digits() {
        for i in -9000..9000 {
            let x = (f64::from(i) * 0.0771).exp();
            if x.is_normal() {
                assert!((quick_ln(x) - x.ln()).abs() <= 1e-9 * x.ln().abs().max(1.0), "{x}");
            }
        }
    }
}
