//! p-values of many rows from one null distribution: the statistics of all rows under relabelings of their runs.
//!
//! The statistic is a t whose variance is shrunk towards that of its pool ([`crate::moderation`]), anew for every
//! relabeling. Under the null hypothesis a row's statistic is exchangeable with its own relabelings, so the share of
//! all relabeled statistics that reach it is, on average over the rows, a p-value; pooling makes it finer than the
//! relabelings of one row could (Storey & Tibshirani 2003; Tusher, Tibshirani & Chu 2001).
//!
//! Outlying values are drawn in to fences first, which depend on both sides together and so not on the labels: heavy
//! tails then cost little power, and a relabeling keeps its meaning.

use core::cmp::Ordering;

use rayon::prelude::*;

use crate::max_t_table::{Prepared, Table, Work, prepare};
use crate::moderation::{Prior, prior_of_parts};
use crate::quantile::quantile_sorted;
use crate::relabel::{Relabeling, Relabelings};

/// The number of relabelings per task.
const CHUNK: usize = 16;
/// The number of parts per thread, of which the slowest is waited for.
const PARTS: usize = 4;
/// Leading bits of a statistic that tell its bin: neighbouring bins differ by one part in a thousand.
const PRECISION: u32 = 10;
const SHIFT: u32 = 52 - PRECISION;
/// Squared statistics from 1 to 2^12; below and above they need not be told apart.
const BINS: usize = 12 << PRECISION;
/// Statistics that differ by less than this fraction are tied: their runs may have been added in another order.
const TIED: f64 = 1e-9;
/// The most degrees of freedom that a prior is worth where neighbours depend on each other.
const WORTH: f64 = 200.0;
/// The weight of the pool's variance, at most, beside that of the row.
const OTHERS: f64 = 10.0;
/// A prior with more degrees of freedom than this is as good as certain.
const CERTAIN: f64 = 1e6;

/// One row (benchmark and metric).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullRow<'a> {
    /// Values on the scale of the test: the baseline's, then the contender's; or differences, one per block.
    pub values: &'a [f64],
    /// Number of the baseline's values; `None` for differences.
    pub split: Option<usize>,
    /// Rows of the same pool (for example, one metric) shrink their variances together.
    pub pool: usize,
    /// By how much the variance of the mean exceeds what independent values of the same spread would give; 1 if the
    /// values are independent.
    pub inflation: f64,
    /// Degrees of freedom lost to the dependence of neighbours.
    pub lost: f64,
}

/// p-values of many rows from one null distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct PooledNull {
    /// p-value of each row; NaN if its values are all equal (differences: all 0), or too few to have a variance.
    pub p: Vec<f64>,
    /// Number of relabelings of a row, including the observed one; the largest where rows differ.
    pub relabelings: u64,
    /// Whether these are all relabelings of every row; otherwise a seeded sample.
    pub exact: bool,
    /// The smallest p-value that a row can attain.
    pub least_p: f64,
}

/// Rows of one design and size.
struct Class {
    table: Table,
    relabelings: Relabelings,
}

/// The buffers of a thread.
struct Buffers {
    work: Vec<Work>,
    logs: Vec<f64>,
    counts: Vec<u32>,
}

/// Computes the p-value of each row from the pooled null distribution of all rows.
///
/// Rows may have different sizes: statistics are brought to one scale by their degrees of freedom (Wallace 1959). Each
/// row is relabeled in all ways if there are at most `samples`, otherwise in `samples` ways drawn with `seed`. The
/// digits do not depend on the number of threads. `None` if no row has a variance.
#[must_use]
pub fn pooled_null(rows: &[NullRow<'_>], samples: usize, seed: u64) -> Option<PooledNull> {
    let classes = classes(rows, samples, seed);
    let number = classes.iter().map(|class| class.relabelings.looked_at).max()?;
    let size: usize = classes.iter().map(|class| class.table.places.len()).sum();
    let pools = pools(&classes);
    let observed = observed(rows, &classes, &pools);
    let chunks = number.div_ceil(CHUNK);
    // Each part has bins of its own, which are cleared and added up: few parts a thread.
    let least = chunks / (PARTS * rayon::current_num_threads());
    let counts = (0..chunks)
        .into_par_iter()
        .with_min_len(least.max(1))
        .fold(
            || Buffers::new(classes.len()),
            |mut buffers, chunk| {
                for label in chunk * CHUNK..((chunk + 1) * CHUNK).min(number) {
                    buffers.count(&classes, &pools, label);
                }
                buffers
            },
        )
        .map(|buffers| buffers.counts)
        .reduce(|| vec![0; BINS], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
    let all = (number * size) as f64;
    let reached = from_the_top(&counts);
    let p = observed
        .iter()
        .map(|&u| if u.is_nan() { f64::NAN } else { reached[bin(u * (1.0 - TIED))] as f64 / all });
    Some(PooledNull {
        p: p.collect(),
        relabelings: classes.iter().map(|class| class.relabelings.stand_for).max().unwrap_or(0),
        exact: classes.iter().all(|class| class.relabelings.exact),
        least_p: 1.0 / all,
    })
}

/// Groups the rows by design and size.
fn classes(rows: &[NullRow<'_>], samples: usize, seed: u64) -> Vec<Class> {
    let mut prepared = prepare(rows.iter().map(|row| (row.values, row.pool, row.split.is_none())));
    let design = |row: &Prepared| (rows[row.place].split, row.values.len());
    prepared
        .par_iter_mut()
        .for_each_init(Vec::new, |scratch, row| fence(&mut row.values, rows[row.place].split, scratch));
    prepared.sort_by_key(|row| (design(row), row.place));
    let mut classes = Vec::new();
    let mut left = prepared.into_iter().peekable();
    while let Some(first) = left.next() {
        let (split, count) = design(&first);
        let mut members = vec![first];
        while let Some(next) = left.next_if(|row| design(row) == (split, count)) {
            members.push(next);
        }
        let relabeling = match split {
            Some(m) => Relabeling::TwoSample { m, n: count - m },
            None => Relabeling::Signs { n: count },
        };
        let table = Table::new(members, relabeling);
        let both = table.zip(Relabelings::new(relabeling, samples, seed));
        classes.extend(both.map(|(table, relabelings)| Class { table, relabelings }));
    }
    classes.retain(|class| !class.table.places.is_empty());
    classes
}

/// Draws outlying values in to fences around the middle of both sides together, or around 0 for differences.
///
/// The fences lie 1 + 30 / N times the distance of two quantiles beyond them: the quartiles, or closer to the extremes
/// where one side is so small that it would lie beyond the quartiles, so that a shift of all its values remains.
fn fence(values: &mut [f64], split: Option<usize>, sorted: &mut Vec<f64>) {
    let count = values.len() as f64;
    let reach = 1.0 + 30.0 / count;
    sorted.clear();
    sorted.extend(values.iter().map(|v| if split.is_some() { *v } else { v.abs() }));
    sorted.sort_unstable_by(f64::total_cmp);
    let (low, high) = if let Some(m) = split {
        let level = (0.5 * (m.min(values.len() - m)) as f64 / count).min(0.25);
        let (low, high) = (quantile_sorted(sorted, level), quantile_sorted(sorted, 1.0 - level));
        (low - reach * (high - low), high + reach * (high - low))
    } else {
        let high = (1.0 + reach) * quantile_sorted(sorted, 0.75);
        (-high, high)
    };
    // If most values are equal, the others are all that is known.
    if low >= high || (sorted[0] >= low && sorted[sorted.len() - 1] <= high) {
        return;
    }
    for v in values.iter_mut() {
        *v = v.clamp(low, high);
    }
    if split.is_some() {
        let mean = values.iter().sum::<f64>() / count;
        for v in values.iter_mut() {
            *v -= mean;
        }
    }
}

/// A part of a pool: its class, and its place there.
type Part = (usize, core::ops::Range<usize>);

fn pools(classes: &[Class]) -> Vec<Vec<Part>> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (at, class) in classes.iter().enumerate() {
        parts.extend(class.table.pools.iter().map(|(pool, range)| (*pool, (at, range.clone()))));
    }
    parts.sort_by_key(|(pool, (class, _))| (*pool, *class));
    let groups = parts.chunk_by(|a, b| a.0 == b.0);
    groups.map(|group| group.iter().map(|(_, part)| part.clone()).collect()).collect()
}

/// The rows' squared statistics on the common scale; NaN for a row without variance.
fn observed(rows: &[NullRow<'_>], classes: &[Class], pools: &[Vec<Part>]) -> Vec<f64> {
    let mut buffers = Buffers::new(classes.len());
    let mut found = vec![f64::NAN; rows.len()];
    buffers.relabel(classes, 0);
    for pool in pools {
        let shared = buffers.prior(classes, pool);
        for (class, range) in pool {
            let (table, work) = (&classes[*class].table, &buffers.work[*class]);
            let prior = limited(shared, table.df);
            let (own, common) = prior.weights(table.df);
            for at in range.clone() {
                let row = &rows[table.places[at]];
                let square = work.statistics[at] / (own * work.variances[at] + common);
                found[table.places[at]] =
                    common_scale(square / row.inflation, left(table.df, row.lost, prior.df));
            }
        }
    }
    found
}

/// Leaves a row's own variance some weight, however alike the variances of the pool are.
///
/// A relabeling mixes the sides of a row that changed. Its variance is then large, and without it half of a huge change
/// would look as significant as the whole.
fn limited(prior: Prior, df: f64) -> Prior {
    Prior { df: prior.df.min(OTHERS * df), ..prior }
}

/// The degrees of freedom of a row that lost some to the dependence of neighbours.
///
/// The prior was fitted as if no row had lost any. It then takes the rows' variances for more certain than they are, and
/// the more were lost, the less it is worth.
fn left(df: f64, lost: f64, prior: f64) -> f64 {
    if lost <= 0.0 {
        return df + prior;
    }
    let left = (df - lost).max(1.0);
    left + prior.min(WORTH) * (left / df).powi(6)
}

impl Buffers {
    fn new(classes: usize) -> Self {
        Self {
            work: (0..classes).map(|_| Work::default()).collect(),
            logs: Vec::new(),
            counts: vec![0; BINS],
        }
    }

    /// Relabels every class; a class with fewer relabelings begins again.
    fn relabel(&mut self, classes: &[Class], label: usize) {
        for (class, work) in classes.iter().zip(&mut self.work) {
            let own = label % class.relabelings.looked_at;
            class.relabelings.each(own..own + 1, |selected| class.table.squares(selected, work));
        }
    }

    fn prior(&mut self, classes: &[Class], pool: &[Part]) -> Prior {
        let work = &self.work;
        let parts = pool
            .iter()
            .map(|(class, range)| (&classes[*class].table.fit, &work[*class].variances[range.clone()]));
        prior_of_parts(parts, &mut self.logs)
    }

    /// Counts the statistics of a relabeling by bin.
    fn count(&mut self, classes: &[Class], pools: &[Vec<Part>], label: usize) {
        self.relabel(classes, label);
        for pool in pools {
            let shared = self.prior(classes, pool);
            for (class, range) in pool {
                let (table, work) = (&classes[*class].table, &self.work[*class]);
                let prior = limited(shared, table.df);
                let (own, common) = prior.weights(table.df);
                let df = table.df + prior.df;
                for (between, variance) in
                    work.statistics[range.clone()].iter().zip(&work.variances[range.clone()])
                {
                    let square = between / (own * variance + common);
                    // The common scale never enlarges a statistic.
                    let at = if square <= 1.0 { 0 } else { bin(common_scale(square, df)) };
                    self.counts[at] += 1;
                }
            }
        }
    }
}

/// The squared normal quantile that corresponds to a squared t with `df` degrees of freedom (Wallace 1959), to within a
/// hundredth.
fn common_scale(square: f64, df: f64) -> f64 {
    if df >= CERTAIN || square.is_nan() {
        return square;
    }
    let factor = (8.0 * df + 1.0) / (8.0 * df + 3.0);
    factor * factor * df * (square / df).ln_1p()
}

fn bin(u: f64) -> usize {
    let first = 1.0_f64.to_bits() >> SHIFT;
    match u.partial_cmp(&1.0) {
        Some(Ordering::Greater) => ((u.to_bits() >> SHIFT) - first).min(BINS as u64 - 1) as usize,
        _ => 0,
    }
}

/// For each bin, the number of statistics in it and above.
fn from_the_top(counts: &[u32]) -> Vec<u64> {
    let mut reached: Vec<u64> = counts.iter().map(|&count| u64::from(count)).collect();
    let mut sum = 0;
    for count in reached.iter_mut().rev() {
        sum += *count;
        *count = sum;
    }
    reached
}
