//! Summaries of a metric over all its rows: geometric mean of ratios, counts per verdict, quantiles of the changes.

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::special::norm_quantile;
use statera_kernels::{RowSample, Shift};

use crate::assignment::Pairing;
use crate::codes::coded;
use crate::common_part;
use crate::dependence::widened;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Warning};
use crate::spread::UNITS_FROM;
use crate::units::Kept;
use crate::verdict::Verdict;

/// The levels of the quantiles of a suite's changes.
pub const QUANTILES: [f64; 6] = [0.10, 0.25, 0.50, 0.75, 0.95, 0.99];
/// An interval of logarithms narrower than this is due to rounding errors.
const LEAST_WIDTH: f64 = 1e-12;

coded! {
    /// Whether the mean of a suite has an interval, and why not.
    pub enum Known {
        /// From the values of whole runs.
        Runs = "runs",
        /// So few runs that they cannot attain the level.
        TooFew = "too-few",
        /// The values do not vary from run to run.
        Exact = "exact",
        /// One value a side.
        Single = "single",
        /// One process a side, which does not show how processes differ.
        OneProcess = "one-process",
    }
}

/// The geometric mean of the ratios of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Contender / baseline: the geometric mean of 1 + typical change over the rows.
    pub ratio: f64,
    /// Lower end of its interval; NaN without one.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of rows.
    pub rows: usize,
    /// What the interval is known from.
    pub known: Known,
    /// Whether the suite moved as a whole: its interval excludes no change, and the course of what its runs have in common
    /// does not explain it.
    pub certain: bool,
}

impl SuiteMean {
    /// Widens the interval by an error, half its width in logarithms, that all rows share.
    fn allow(&mut self, error: f64) {
        let widened =
            |end: f64, way: f64| (self.ratio.ln() + way * (end / self.ratio).ln().hypot(error)).exp();
        (self.low, self.high) = (widened(self.low, -1.0), widened(self.high, 1.0));
    }
}

/// The summary of a group, metric and pair of variants.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The baseline's number.
    pub baseline: u32,
    /// The contender's number.
    pub contender: u32,
    /// The number of its first row.
    pub first: u32,
    /// The geometric mean of ratios over the rows that have one; `None` if there is no such row.
    pub mean: Option<SuiteMean>,
    /// Rows per verdict, in the order of [`crate::Verdict`].
    pub verdicts: [u32; Verdict::ALL.len()],
    /// Rows without a ratio (zero or negative values), which the mean leaves out.
    pub without_ratio: u32,
    /// Quantiles (type 7) of the relative changes at [`QUANTILES`]; for suites of single values.
    pub quantiles: Option<[f64; 6]>,
    /// The arithmetic mean of the relative changes; for suites of single values.
    pub mean_change: f64,
    /// Whether nearly all rows moved by much the same amount: the machine, or a change that touches everything.
    pub moves_as_one: bool,
    /// The spread of the rows, where all together vary more in one build.
    pub spread: Option<SuiteSpread>,
    /// How the runs of both builds vary together in their order, where pairs would narrow the intervals.
    pub order: Option<SuiteOrder>,
    /// Minimum, median and maximum of the smallest relative changes that the inconclusive rows could have detected;
    /// `None` if there is no such row on the ratio scale.
    pub detectable: Option<[f64; 3]>,
}

/// Returns one summary for each group, metric and pair of variants.
pub fn summarise(rows: &[Row], samples: &[Kept], pairing: Pairing, policy: &Policy) -> Vec<Summary> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&i| key(&rows[i]));
    let sections: Vec<&[usize]> = order.chunk_by(|&i, &j| key(&rows[i]) == key(&rows[j])).collect();
    sections
        .into_par_iter()
        .map(|own| {
            let asks = pairing == Pairing::Auto;
            let order = if asks { suite_order(own, rows, samples, policy) } else { None };
            Summary { order, ..one(key(&rows[own[0]]), own, rows, samples, policy) }
        })
        .collect()
}

/// Group, metric, baseline, contender.
type Key = (u32, u32, u32, u32);

fn key(row: &Row) -> Key {
    (row.group, row.metric, row.baseline.variant, row.contender.variant)
}

fn one(key: Key, own: &[usize], rows: &[Row], samples: &[Kept], policy: &Policy) -> Summary {
    let mut verdicts = [0; Verdict::ALL.len()];
    for &i in own {
        verdicts[rows[i].verdict as usize] += 1;
    }
    let both: Vec<usize> = own.iter().copied().filter(|&i| rows[i].design != Design::OneSided).collect();
    let ratios: Vec<usize> = both.iter().copied().filter(|&i| rows[i].scale == Scale::Ratio).collect();
    let single = !ratios.is_empty()
        && ratios.iter().all(|&i| matches!(rows[i].design, Design::Suite | Design::Summary));
    let changes: Vec<f64> = ratios.iter().map(|&i| rows[i].change).collect();
    let mean = (!ratios.is_empty()).then(|| {
        let logs: Vec<f64> = ratios.iter().map(|&i| log_ratio(&rows[i])).collect();
        let parts: Vec<RowSample<'_>> = ratios.iter().map(|&i| samples[i].sample()).collect();
        // The rows of single values vary together from run to run, and one run does not show by how much.
        let suite = if single { None } else { kernels::run_by_run(&parts, policy.confidence()) };
        let one_process = ratios.iter().all(|&i| rows[i].warns(Warning::OneProcess));
        let mut mean = match suite {
            _ if single => geometric_mean(&logs, None, Known::Single),
            _ if one_process => geometric_mean(&logs, None, Known::OneProcess),
            None => geometric_mean(&logs, None, Known::TooFew),
            Some(Shift { interval, .. }) if interval.high - interval.low < LEAST_WIDTH => {
                geometric_mean(&logs, None, Known::Exact)
            }
            found => geometric_mean(&logs, found, Known::Runs),
        };
        let explained = || common_part::change(rows, samples, &ratios).is_some_and(|p| p > policy.alpha);
        let session = ratios.iter().map(|&i| rows[i].session).fold(0.0, f64::max);
        if session > 0.0 {
            mean.allow(session * std::f64::consts::SQRT_2 * -norm_quantile(0.5 * policy.alpha));
        }
        let moved_exactly = mean.known == Known::Exact && mean.ratio != 1.0;
        mean.certain = moved_exactly || (mean.low > 1.0 || mean.high < 1.0) && !explained();
        mean
    });
    // A shift of the whole suite would be a deviation of the build that has fewer runs.
    let moved = mean.is_some_and(|mean| mean.low > 1.0 || mean.high < 1.0);
    let mut sorted = changes.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    Summary {
        group: key.0,
        metric: key.1,
        baseline: key.2,
        contender: key.3,
        first: own[0] as u32,
        mean,
        verdicts,
        without_ratio: (both.len() - ratios.len()) as u32,
        quantiles: single.then(|| QUANTILES.map(|level| kernels::quantile_sorted(&sorted, level))),
        mean_change: if single { kernels::mean(&changes) } else { f64::NAN },
        // A machine changes no count that is exact.
        moves_as_one: moves_as_one(&sorted) && ratios.iter().any(|&i| rows[i].design != Design::Exact),
        spread: if moved { None } else { suite_spread(&ratios, rows, samples, policy.alpha) },
        order: None,
        detectable: detectable(&ratios, rows),
    }
}

/// Returns the geometric mean of ratios, given as logarithms, with the interval of the suite run by run. The estimate of
/// that differs a little from the mean, and the interval is wider by the distance on the side of the mean.
fn geometric_mean(logs: &[f64], suite: Option<Shift>, known: Known) -> SuiteMean {
    let mean = kernels::mean(logs);
    let (low, high) = suite.map_or((f64::NAN, f64::NAN), |Shift { estimate, interval, .. }| {
        let apart = mean - estimate;
        (interval.low + apart.min(0.0), interval.high + apart.max(0.0))
    });
    SuiteMean { ratio: mean.exp(), low: low.exp(), high: high.exp(), rows: logs.len(), known, certain: false }
}

/// Returns the logarithm of a row's ratio; it is computed from the centres if the ratio itself overflows.
fn log_ratio(row: &Row) -> f64 {
    let log = row.change.ln_1p();
    if log.is_finite() { log } else { row.contender.centre.value.ln() - row.baseline.centre.value.ln() }
}

fn detectable(ratios: &[usize], rows: &[Row]) -> Option<[f64; 3]> {
    let undecided = ratios.iter().map(|&i| &rows[i]).filter(|row| row.verdict == Verdict::Inconclusive);
    let mut sorted: Vec<f64> = undecided.map(|row| row.detectable).filter(|size| size.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    Some([least, kernels::quantile_sorted(&sorted, 0.5), most])
}

/// Whether there are ten rows or more, of which nine in ten moved in one direction, by a similar amount.
fn moves_as_one(sorted: &[f64]) -> bool {
    let n = sorted.len();
    if n < 10 {
        return false;
    }
    let down = sorted.iter().filter(|&&change| change < 0.0).count();
    let up = sorted.iter().filter(|&&change| change > 0.0).count();
    let middle = kernels::quantile_sorted(sorted, 0.5).abs();
    let spread = kernels::quantile_sorted(sorted, 0.75) - kernels::quantile_sorted(sorted, 0.25);
    down.max(up) * 10 >= n * 9 && spread < middle
}

// Whether the k-th runs of both builds vary together, over a whole suite: the builds alternated, or shared a
// disturbance.
//
// Pairs of such runs differ by less than the runs, but only who measured knows whether they belong together.
// So nothing is paired; the answer states by how much it would narrow the intervals.

/// The minimum number of rows for a statement about all of them.
const ORDER_ROWS: usize = 3;
/// Of large suites so many rows tell enough.
const ROWS_TO: usize = 1000;
/// Of long series so many runs do, and of many rows so many show the width of pairs.
const RUNS_TO: usize = 200;
const WIDTHS_TO: usize = 100;
/// The p-value at which the runs count as related.
const CERTAIN: f64 = 0.01;
/// Intervals that become narrower by less are not worth a word.
const WORTH: f64 = 0.1;

/// How the runs of two builds vary together in their order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteOrder {
    /// The mean over rows of the rank correlation between the k-th runs.
    pub rho: f64,
    /// Its p-value, by joint permutations of the runs of all rows.
    pub p: f64,
    /// The width of the intervals of pairs over that of the rows: the median over rows.
    pub width: f64,
    /// Number of rows.
    pub rows: u32,
}

/// Tests the rows that have as many runs in both builds, as most of them have. `None` if their runs are not related, or if
/// pairs would not narrow the intervals.
fn suite_order(own: &[usize], rows: &[Row], samples: &[Kept], policy: &Policy) -> Option<SuiteOrder> {
    let possible = |&&i: &&usize| {
        let row = &rows[i];
        // The values of one process are no runs that could have alternated.
        let has_runs = row.design == Design::Independent && !row.warns(Warning::OneProcess);
        has_runs && row.scale == Scale::Ratio && row.p.is_some()
    };
    let both: Vec<(usize, &[f64], &[f64])> = own
        .iter()
        .filter(possible)
        .filter_map(|&i| samples[i].both().map(|(old, new)| (i, old, new)))
        .filter(|(_, old, new)| old.len() == new.len())
        .collect();
    let runs = usual(both.iter().map(|(_, old, _)| old.len()))?;
    let alike: Vec<_> = both.into_iter().filter(|(_, old, _)| old.len() == runs).collect();
    let step = alike.len().div_ceil(ROWS_TO).max(1);
    let told: Vec<_> = alike.into_iter().step_by(step).collect();
    if told.len() < ORDER_ROWS {
        return None;
    }
    let first = runs.min(RUNS_TO);
    let found =
        kernels::joint_order(told.iter().map(|(_, old, new)| (&old[..first], &new[..first])), policy.seed)?;
    if found.p > CERTAIN {
        return None;
    }
    let of_some = told.iter().step_by(told.len().div_ceil(WIDTHS_TO));
    let widths: Vec<f64> =
        of_some.filter_map(|&(i, old, new)| narrowed(&rows[i], old, new, policy)).collect();
    let width = kernels::median(&widths);
    (width <= 1.0 - WORTH).then_some(SuiteOrder {
        rho: found.rho,
        p: found.p,
        width,
        rows: told.len() as u32,
    })
}

/// The most frequent number.
fn usual(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let mut sorted: Vec<usize> = numbers.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}

/// The width of the interval of a row's pairs over that of the row; `None` if either has no width.
fn narrowed(row: &Row, old: &[f64], new: &[f64], policy: &Policy) -> Option<f64> {
    let mut differences: Vec<f64> = new.iter().zip(old).map(|(new, old)| new - old).collect();
    differences.sort_unstable_by(f64::total_cmp);
    let paired = kernels::one_sample(&differences, policy.at(row.share).confidence())?.shift.interval;
    let width = (paired.high - paired.low) / (row.change_high.ln_1p() - row.change_low.ln_1p());
    (width.is_finite() && width > 0.0).then_some(width)
}

// The spread of a suite: whether the values of all rows together vary more in one build.
//
// Five runs of a row say little about its spread, those of fifty rows much. As rows share their runs, the run
// is the unit: each has the mean over rows of the ranks of its deviations, and these means are compared like
// the values of a row.

/// The minimum number of rows for a statement about all of them.
const SPREAD_ROWS: usize = 10;
/// The share of alpha that the statement may spend.
const SHARE: f64 = 0.1;
/// A difference of spreads by less than this factor is of no use to anybody.
const LEAST: f64 = 1.25;

/// The spread of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteSpread {
    /// The standard deviation of the contender's runs over that of the baseline's: the median over rows, without the bias of
    /// few runs.
    pub ratio: f64,
    /// The two-sided p-value of their difference (Mann-Whitney over runs).
    pub p: f64,
    /// Number of rows.
    pub rows: u32,
}

/// Compares the spreads of the rows that show no change, which would be a deviation itself. `None` if they do not differ by
/// a quarter, or not certainly.
fn suite_spread(own: &[usize], rows: &[Row], samples: &[Kept], alpha: f64) -> Option<SuiteSpread> {
    let still: Vec<(&[f64], &[f64], f64)> = own
        .iter()
        .filter(|&&i| is_still(&rows[i]))
        .filter_map(|&i| samples[i].both())
        .filter(|(old, new)| old.len().min(new.len()) >= UNITS_FROM as usize)
        .map(|(old, new)| (old, new, size(new) - size(old)))
        .filter(|(_, _, log)| log.is_finite())
        .collect();
    let ratio = kernels::median(&still.iter().map(|(_, _, log)| *log).collect::<Vec<f64>>()).exp();
    // Most suites end here, before anything is ranked.
    if still.len() < SPREAD_ROWS || ratio.max(1.0 / ratio) < LEAST {
        return None;
    }
    let ranked: Vec<(Vec<f64>, usize)> =
        still.iter().map(|(old, new, _)| (ranks_of_distances(&[*old, *new].concat()), old.len())).collect();
    let by_run = |sides: Vec<&[f64]>| kernels::means_by_run(&sides, sides.len());
    let old = by_run(ranked.iter().map(|(ranks, split)| &ranks[..*split]).collect());
    let new = by_run(ranked.iter().map(|(ranks, split)| &ranks[*split..]).collect());
    let p = widened(kernels::mann_whitney(&old, &new)?.p, &[&old, &new]);
    (p <= SHARE * alpha).then_some(SuiteSpread { ratio, p, rows: still.len() as u32 })
}

fn is_still(row: &Row) -> bool {
    let unmoved = !matches!(row.reason, Some(Reason::MovesWithAll | Reason::LevelChanged));
    matches!(row.design, Design::Independent | Design::Nested)
        && row.p.is_some()
        && unmoved
        && matches!(row.verdict, Verdict::Equivalent | Verdict::Inconclusive | Verdict::ShapeChanged)
}

/// The logarithm of a build's standard deviation, without the bias of few normal values.
fn size(values: &[f64]) -> f64 {
    let half = 0.5 * (values.len() as f64 - 1.0);
    kernels::sd(values).ln() - 0.5 * (kernels::special::digamma(half) - half.ln())
}

/// The ranks of the distances of values from their median, ties by their middle, as shares of their number.
fn ranks_of_distances(values: &[f64]) -> Vec<f64> {
    let centre = kernels::median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let mut sorted = distances.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |value: f64| {
        let below = sorted.partition_point(|&other| other < value);
        let upto = sorted.partition_point(|&other| other <= value);
        0.5 * (below + upto) as f64 / sorted.len() as f64
    };
    distances.into_iter().map(rank).collect()
}
