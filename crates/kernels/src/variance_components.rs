//! Variance components: how much of the spread comes from iterations within a run and how much from runs, and
//! how many of each are worth their cost.
//!
//! One-way random effects by analysis of variance (Searle, Casella & `McCulloch` 1992); costs by Kalibera & Jones 2013.

use core::f64::consts::PI;

use crate::f_distribution::{f_sf, f_upper};
use crate::quantile::{mean, power_of_two_near, quantile_sorted};
use crate::shift::alpha;
use crate::special::norm_quantile;

/// The components of the variance of iterations grouped by run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Components {
    /// Variance of the iterations of one run, in the squared unit of the data.
    pub within: f64,
    /// Variance of the true means of the runs; estimates below 0 become 0.
    pub between: f64,
    /// Intraclass correlation: the fraction of `between` in the sum. NaN if nothing varies.
    pub icc: f64,
    /// Lower end of its interval, at least 0. NaN if nothing varies.
    pub icc_low: f64,
    /// Upper end of its interval.
    pub icc_high: f64,
    /// Number of iterations in all runs.
    pub n: usize,
    /// Number of runs.
    pub groups: usize,
    /// Iterations per run: n₀ = (n − Σ nᵢ² / n) / (groups − 1), which is their number if it is the same in all
    /// runs.
    pub size: f64,
    /// Mean square between runs divided by that within. Infinite if only the runs vary, NaN if nothing does.
    pub f: f64,
    /// P(F > f) if the runs did not differ; 1 if nothing varies.
    pub p: f64,
}

/// Components of the variance of `groups`, one slice of iterations per run; empty runs are left out.
///
/// The interval of the intraclass correlation comes from F. It is exact for normal data and runs of equal size,
/// otherwise an approximation with n₀. `None` for fewer than two runs, or if no run has two iterations.
/// Variances beyond the range of floats overflow; the quantities without a unit do not.
#[must_use]
pub fn variance_components(groups: &[&[f64]], confidence: f64) -> Option<Components> {
    let groups: Vec<&[f64]> = groups.iter().copied().filter(|group| !group.is_empty()).collect();
    let n: usize = groups.iter().map(|group| group.len()).sum();
    if groups.len() < 2 || n == groups.len() {
        return None;
    }
    let unit = unit(&groups);
    let (between, within) = mean_squares(&groups, n, unit);
    let squares: f64 = groups.iter().map(|group| (group.len() as f64).powi(2)).sum();
    let size = (n as f64 - squares / n as f64) / (groups.len() - 1) as f64;
    let part = ((between - within) / size).max(0.0);
    let (df1, df2) = ((groups.len() - 1) as f64, (n - groups.len()) as f64);
    let f = between / within;
    let tail = 0.5 * alpha(confidence);
    let share = |f: f64| at_least(correlation(f, size), 0.0);
    Some(Components {
        within: within * unit * unit,
        between: part * unit * unit,
        icc: part / (part + within),
        icc_low: share(f / f_upper(tail, df1, df2)),
        icc_high: share(f * f_upper(tail, df2, df1)),
        n,
        groups: groups.len(),
        size,
        f,
        p: if f.is_nan() { 1.0 } else { f_sf(f, df1, df2) },
    })
}

/// Intraclass correlation from the ratio of mean squares.
fn correlation(f: f64, size: f64) -> f64 {
    if f.is_infinite() { 1.0 } else { (f - 1.0) / (f - 1.0 + size) }
}

/// The larger of the two; NaN stays NaN.
fn at_least(value: f64, least: f64) -> f64 {
    if value < least { least } else { value }
}

/// A power of two near the largest value, so that no square leaves the range of floats.
fn unit(groups: &[&[f64]]) -> f64 {
    let largest = groups.iter().copied().flatten().fold(0.0_f64, |most, v| most.max(v.abs()));
    if largest == 0.0 { 1.0 } else { power_of_two_near(largest) }
}

/// Mean squares between and within groups, of values divided by `unit`.
fn mean_squares(groups: &[&[f64]], n: usize, unit: f64) -> (f64, f64) {
    let scaled: Vec<Vec<f64>> = groups.iter().map(|group| group.iter().map(|v| v / unit).collect()).collect();
    let means: Vec<f64> = scaled.iter().map(|group| centre(group)).collect();
    let first = means[0];
    let weighted = means.iter().zip(&scaled).map(|(m, group)| (m - first) * group.len() as f64);
    let grand = first + weighted.sum::<f64>() / n as f64;
    let squared = |v: f64, from: f64| (v - from) * (v - from);
    let between: f64 =
        means.iter().zip(&scaled).map(|(&m, group)| squared(m, grand) * group.len() as f64).sum();
    let within: f64 =
        means.iter().zip(&scaled).map(|(&m, group)| group.iter().map(|&v| squared(v, m)).sum::<f64>()).sum();
    (between / (groups.len() - 1) as f64, within / (n - groups.len()) as f64)
}

/// Mean, exact if all values are equal.
fn centre(values: &[f64]) -> f64 {
    let from = values.first().copied().unwrap_or(f64::NAN);
    from + mean(&values.iter().map(|v| v - from).collect::<Vec<_>>())
}

/// Variance components of equally sized levels, from the innermost (iterations) outwards (processes, runs and so on).
///
/// `counts` holds the number of units of each level in one unit of the next, innermost first, and `values` is
/// in that order: the iterations of a process are adjacent. Unbiased (Kalibera & Jones 2013); estimates below 0
/// become 0. `None` if the product of the counts is not the number of values, or if one is below 2.
#[must_use]
pub fn nested_components(values: &[f64], counts: &[usize]) -> Option<Vec<f64>> {
    let total = counts.iter().try_fold(1_usize, |product, &count| product.checked_mul(count))?;
    if counts.is_empty() || counts.iter().any(|&count| count < 2) || total != values.len() {
        return None;
    }
    let unit = unit(&[values]);
    let mut means: Vec<f64> = values.iter().map(|v| v / unit).collect();
    // The part of the variance of the means that comes from the level below.
    let mut from_below = 0.0;
    let mut components = Vec::with_capacity(counts.len());
    for &count in counts {
        let groups: Vec<&[f64]> = means.chunks(count).collect();
        let spread = groups.iter().map(|group| variance(group)).sum::<f64>() / groups.len() as f64;
        components.push((spread - from_below).max(0.0) * unit * unit);
        from_below = spread / count as f64;
        means = groups.iter().map(|group| centre(group)).collect();
    }
    Some(components)
}

fn variance(values: &[f64]) -> f64 {
    let from = centre(values);
    values.iter().map(|v| (v - from) * (v - from)).sum::<f64>() / (values.len() - 1) as f64
}

/// Iterations per run that give the shortest interval for the time spent: √(cost of a run / cost of an
/// iteration · within / between), at least 1 (Kalibera & Jones 2013).
///
/// `cost_run` is the cost of a run before its first iteration (start, warm-up), in the same unit as
/// `cost_iteration`. Not rounded. Infinite if the runs do not differ: then one run with all iterations is best.
#[must_use]
pub fn worth(components: &Components, cost_run: f64, cost_iteration: f64) -> f64 {
    repetitions(components.within, components.between, cost_iteration, cost_run)
}

/// The same for any two neighbouring levels of [`nested_components`]; each cost is that of one more unit,
/// without what it contains.
#[must_use]
pub fn repetitions(inner: f64, outer: f64, cost_inner: f64, cost_outer: f64) -> f64 {
    if inner == 0.0 {
        return 1.0;
    }
    at_least((cost_outer / cost_inner * (inner / outer)).sqrt(), 1.0)
}

/// Runs per side, with `iterations` each, that detect a `change` of the mean with probability `power`.
///
/// In the unit of the data; two-sided, normal approximation with Guenther's correction (1981) for the estimated
/// spread. Infinite for a change of 0, at least 2, not rounded.
#[must_use]
pub fn runs_for(components: &Components, iterations: f64, change: f64, confidence: f64, power: f64) -> f64 {
    let z = -norm_quantile(0.5 * alpha(confidence));
    let detected = at_least(z + norm_quantile(power), 0.0);
    let runs = 2.0 * run_variance(components, iterations) * (detected / change).powi(2);
    at_least(runs + 0.25 * z * z, 2.0)
}

/// Variance of the mean of a run.
fn run_variance(components: &Components, iterations: f64) -> f64 {
    components.between + components.within / iterations
}

// The spread of two sides together, which outliers change no more than they change a rank test.

/// Values are pulled in to this many standard deviations from their side's median, if there are many values.
const CLIP: f64 = 4.0;
/// With few values the deviation from the median is uncertain: the limit is wider by this over the degrees of
/// freedom.
const WIDER: f64 = 5.0;
/// Standard deviation of normal data over the median of its absolute deviations.
const PER_DEVIATION: f64 = 1.482_602_218_505_602;
/// Standard deviation of normal data over the mean difference of its pairs: √π / 2.
const PER_PAIR: f64 = 0.886_226_925_452_758;

/// The standard deviation of normal data whose pairs would differ as much, in the unit of the data.
///
/// Gini's mean difference within the sides, with values far from their side's median pulled in: to 4 (1 + 5 / df)
/// scaled median absolute deviations, taken over all sides. The power of a rank test at any number of values follows
/// from it within a few points for normal, skewed, heavy-tailed and spiky data. `sides` are ascending; NaN if no side
/// has two values.
#[must_use]
pub fn pooled_spread(sides: &[&[f64]]) -> f64 {
    let reach = reach(sides);
    let (mut sum, mut pairs) = (0.0, 0.0);
    for side in sides.iter().filter(|side| !side.is_empty()) {
        let (n, centre) = (side.len() as f64, middle(side));
        // The k-th value is the larger of k pairs and the smaller of the others.
        let above = side
            .iter()
            .enumerate()
            .map(|(k, value)| (value - centre).clamp(-reach, reach) * (2.0 * k as f64 - n + 1.0));
        sum += above.sum::<f64>();
        pairs += n * (n - 1.0) / 2.0;
    }
    PER_PAIR * sum / pairs
}

/// The largest distance from the median that counts; infinite if more than half of all values equal it.
fn reach(sides: &[&[f64]]) -> f64 {
    let mut away: Vec<f64> = Vec::with_capacity(sides.iter().map(|side| side.len()).sum());
    for side in sides.iter().filter(|side| !side.is_empty()) {
        let centre = middle(side);
        away.extend(side.iter().map(|value| (value - centre).abs()));
    }
    let df = away.len() as f64 - sides.iter().filter(|side| !side.is_empty()).count() as f64;
    if df <= 0.0 || away.iter().any(|distance| distance.is_nan()) {
        return f64::INFINITY;
    }
    away.sort_unstable_by(f64::total_cmp);
    let deviation = PER_DEVIATION * middle(&away);
    if deviation > 0.0 { CLIP * (1.0 + WIDER / df) * deviation } else { f64::INFINITY }
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
}

// Components of the variance by run medians and differences of pairs, which a few slow iterations do not
// change.

/// The robust components of the variance of iterations grouped by run, in the squared unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RobustComponents {
    /// Variance of normal iterations of one run that differ as much from each other as these do.
    pub within: f64,
    /// Variance of the true medians of the runs; estimates below 0 become 0.
    pub between: f64,
    /// The fraction of `between` in the sum. NaN if nothing varies.
    pub share: f64,
}

/// Robust components of the variance of `groups`, one slice of iterations per run; empty runs are left out.
///
/// `within` is the square of [`pooled_spread`] of the iterations, `between` that of the medians of the runs less the
/// variance that iterations give to a median. `None` for fewer than two runs, or if no run has two iterations.
#[must_use]
pub fn robust_components(groups: &[&[f64]]) -> Option<RobustComponents> {
    let sorted: Vec<Vec<f64>> =
        groups.iter().filter(|group| !group.is_empty()).map(|g| ascending(g)).collect();
    if sorted.len() < 2 || sorted.iter().all(|group| group.len() < 2) {
        return None;
    }
    let sides: Vec<&[f64]> = sorted.iter().map(Vec::as_slice).collect();
    let medians: Vec<f64> = sides.iter().map(|group| quantile_sorted(group, 0.5)).collect();
    let within = pooled_spread(&sides).powi(2);
    let from_within = sides.iter().map(|group| of_a_median(group.len())).sum::<f64>() / sides.len() as f64;
    let between = (pooled_spread(&[&ascending(&medians)]).powi(2) - from_within * within).max(0.0);
    Some(RobustComponents { within, between, share: between / (between + within) })
}

/// The variance of the median of n normal values of variance 1, about π / 2n for large n and within 0.05 for small n.
fn of_a_median(n: usize) -> f64 {
    PI / (2.0 * n as f64 + PI - 2.0)
}

fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}
