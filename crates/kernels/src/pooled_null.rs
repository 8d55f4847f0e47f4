//! p-values of many rows from one null distribution: the statistics of all rows under relabelings of their runs.
//!
//! The statistic is Welch's t whose variances are shrunk, each towards those of its build in its pool
//! ([`crate::moderation`]), anew for every relabeling. Under the null hypothesis a row's statistic is exchangeable with
//! its own relabelings, so the share of all relabeled statistics that reach it is, on average over the rows, a p-value;
//! pooling makes it finer than the relabelings of one row could (Storey & Tibshirani 2003; Tusher, Tibshirani & Chu 2001).
//!
//! Two steps come first. Outlying values are drawn in to fences that depend on both builds together and so not on the
//! labels: heavy tails then cost little power, and a relabeling keeps its meaning. And what is relabeled has the same
//! spread in both builds: a mixture of two spreads has lighter tails than the statistic that it must judge (the
//! studentized permutation test of Janssen 1997 is exact only for many runs).

use core::cmp::Ordering;
use core::ops::Range;

use rayon::prelude::*;

use crate::max_t_table::{Prepared, prepare};
use crate::moderation::{Fit, Prior, quick_prior};
use crate::quantile::quantile_sorted;
use crate::relabel::{Relabeling, Relabelings};

/// The number of relabelings per task.
const CHUNK: usize = 16;
/// The number of rows per tile, whose runs stay in the cache during a task.
const TILE: usize = 256;
/// The number of parts per thread, of which the slowest is waited for.
const PARTS: usize = 4;
/// The number of rows, at most, from which a prior is estimated.
const WITNESSES: usize = 256;
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
/// A variance below this fraction of the mean square has lost its digits: it is computed from the values.
const CANCELLED: f64 = 1e-4;
/// A sum of squares below this, with the pool's largest value near 1, has underflowed.
const NOTHING: f64 = 1e-280;
/// How far fences lie beyond the quartiles, in mean distances of the closest third of all pairs: 2.1 standard deviations
/// of normal values.
const REACH: f64 = 7.0;
/// The same for the sizes of differences, which are half as wide.
const REACH_OF_SIZES: f64 = 9.0;
/// The number of values, evenly spaced by rank, whose pairwise distances tell the scale.
const PAIRED_UP: usize = 64;

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

/// The variances of a pool: those of the baseline, of the contender, and of the differences of paired rows.
const KINDS: usize = 3;
const DIFFERENCES: usize = 2;

/// The priors of a pool, by kind.
type Priors = [Prior; KINDS];

/// Numbers of values that are summed: the selected ones and the rest. Differences have no rest.
#[derive(Clone, Copy)]
enum Shape {
    Two([usize; 2]),
    Signs(usize),
}

/// A row with its statistic.
struct Member {
    row: Prepared,
    moments: Moments,
    /// The squared statistic on the common scale, as if neighbours were independent.
    seen: f64,
}

/// What a labeling makes of a row: the squared difference of the means, and the variances of both groups.
#[derive(Clone, Copy)]
struct Moments {
    square: f64,
    variances: [f64; 2],
}

/// Turns moments into a statistic, with the priors of a pool.
struct Judge {
    shape: Shape,
    /// For each group, the factor and the summand that turn its variance into the shrunk one of its mean.
    shrink: [(f64, f64); 2],
    df: [f64; 2],
}

/// Rows of one design and size.
struct Class {
    shape: Shape,
    /// The kinds of the variances of the selected and of the other values.
    kinds: [usize; 2],
    fits: [Fit; 2],
    relabelings: Relabelings,
    /// The rows from which priors are estimated.
    witnesses: Table,
    others: Vec<Table>,
}

/// Rows side by side, run by run, so that the sum of the selected runs is a sum of vectors.
struct Table {
    /// Value i of run k is `runs[k * width + i]`; differences are doubled and negative, and added to `start`.
    runs: Vec<f64>,
    squares: Vec<f64>,
    start: Vec<f64>,
    total: Vec<f64>,
    seen: Vec<f64>,
    pools: Vec<(usize, Range<usize>)>,
}

/// What a labeling makes of the rows of a table.
#[derive(Default)]
struct Labeled {
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// The squared differences of the means.
    differences: Vec<f64>,
    variances: [Vec<f64>; 2],
}

/// The buffers of a thread.
struct Buffers {
    witnesses: Vec<Labeled>,
    others: Labeled,
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
    let mut members = members(rows);
    let pools = members.chunk_by(|a, b| a.row.pool == b.row.pool).count();
    let mut observed = vec![f64::NAN; rows.len()];
    let mut witnesses = Vec::new();
    for pool in members.chunk_by_mut(|a, b| a.row.pool == b.row.pool) {
        let shown = shown(pool);
        let priors = observed_priors(rows, pool, &shown);
        pool.par_iter_mut().for_each(|member| member.judge(rows, &priors));
        for member in &*pool {
            observed[member.row.place] = widened(&rows[member.row.place], member, &priors);
        }
        witnesses.extend(shown);
    }
    let classes = classes(rows, members, &witnesses, samples, seed);
    let number = classes.iter().map(|class| class.relabelings.looked_at).max()?;
    let size: usize = classes.iter().map(Class::len).sum();
    let chunks = number.div_ceil(CHUNK);
    // Each part has bins of its own, which are cleared and added up: few parts a thread.
    let least = chunks / (PARTS * rayon::current_num_threads());
    let counts = (0..chunks)
        .into_par_iter()
        .with_min_len(least.max(1))
        .fold(
            || Buffers::new(classes.len()),
            |mut buffers, chunk| {
                buffers.count(&classes, pools, chunk * CHUNK..((chunk + 1) * CHUNK).min(number));
                buffers
            },
        )
        .map(|buffers| buffers.counts)
        .reduce(|| vec![0; BINS], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
    let all = (number * size) as f64;
    let reached = from_the_top(&counts);
    let p = observed
        .iter()
        .map(|&u| if u.is_nan() { f64::NAN } else { reached[bin(u * (1.0 - TIED))].max(1) as f64 / all });
    Some(PooledNull {
        p: p.collect(),
        relabelings: classes.iter().map(|class| class.relabelings.stand_for).max().unwrap_or(0),
        exact: classes.iter().all(|class| class.relabelings.exact),
        least_p: 1.0 / all,
    })
}

/// The rows that vary, with their values drawn in to the fences, by pool; pools are numbered from 0.
fn members(rows: &[NullRow<'_>]) -> Vec<Member> {
    let mut prepared = prepare(rows.iter().map(|row| (row.values, row.pool, row.split.is_none())));
    prepared.par_iter_mut().for_each_init(Default::default, |scratch, row| {
        fence(&mut row.values, rows[row.place].split, scratch);
    });
    prepared.retain(|row| {
        let possible = match rows[row.place].split {
            Some(m) => m > 0 && m < row.values.len() && row.values.len() > 2,
            None => row.values.len() > 1,
        };
        possible && sum_of_squares(&row.values) > NOTHING
    });
    prepared.sort_by_key(|row| (row.pool, row.place));
    let mut numbers = 0..;
    let mut pools: Vec<Member> = Vec::with_capacity(prepared.len());
    let mut last = None;
    for mut row in prepared {
        let number = match last {
            Some((pool, number)) if pool == row.pool => number,
            _ => numbers.next().unwrap_or(0),
        };
        last = Some((row.pool, number));
        row.pool = number;
        let moments = Moments::observed(&row.values, rows[row.place].split);
        pools.push(Member { row, moments, seen: f64::NAN });
    }
    pools
}

/// Which rows of a pool tell its priors: all of them, or of many so many, evenly spaced by their sums of squares, so that
/// the order of rows does not matter.
fn shown(pool: &[Member]) -> Vec<bool> {
    if pool.len() <= WITNESSES {
        return vec![true; pool.len()];
    }
    let mut order: Vec<(f64, usize)> =
        pool.iter().enumerate().map(|(at, member)| (sum_of_squares(&member.row.values), at)).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut shown = vec![false; pool.len()];
    for i in 0..WITNESSES {
        shown[order[(2 * i + 1) * pool.len() / (2 * WITNESSES)].1] = true;
    }
    shown
}

/// The priors of the variances as they were measured.
fn observed_priors(rows: &[NullRow<'_>], pool: &[Member], shown: &[bool]) -> Priors {
    let mut parts: Vec<((usize, usize), f64)> = Vec::new();
    for (member, _) in pool.iter().zip(shown).filter(|(_, shown)| **shown) {
        let count = member.row.values.len();
        match rows[member.row.place].split {
            Some(m) => {
                for (kind, size) in [m, count - m].into_iter().enumerate().filter(|(_, size)| *size > 1) {
                    parts.push(((kind, size - 1), member.moments.variances[kind]));
                }
            }
            None => parts.push(((DIFFERENCES, count - 1), member.moments.variances[0])),
        }
    }
    parts.sort_by_key(|(key, _)| *key);
    let keys: Vec<(usize, Fit, Vec<f64>)> = parts
        .chunk_by(|a, b| a.0 == b.0)
        .map(|part| (part[0].0.0, Fit::new(part[0].0.1 as f64), part.iter().map(|(_, v)| *v).collect()))
        .collect();
    let mut logs = Vec::new();
    core::array::from_fn(|kind| {
        let parts = keys.iter().filter(|(of, _, _)| *of == kind).map(|(_, fit, values)| (fit, &values[..]));
        quick_prior(parts, &mut logs)
    })
}

impl Member {
    /// Computes the observed statistic, then gives both builds the same spread.
    fn judge(&mut self, rows: &[NullRow<'_>], priors: &Priors) {
        let split = rows[self.row.place].split;
        let (shape, kinds) = shape(split, self.row.values.len(), false);
        let judge = Judge::new(shape, kinds, priors);
        self.seen = judge.common(&self.moments);
        if let (Some(m), Shape::Two([a, b])) = (split, shape) {
            let [v, w] = judge.variances(&self.moments);
            let ratio = ((v * a as f64) / (w * b as f64)).powf(0.25);
            if ratio.is_finite() && ratio > 0.0 && a > 1 && b > 1 {
                let (old, new) = self.row.values.split_at_mut(m);
                spread(old, 1.0 / ratio);
                spread(new, ratio);
                centre(&mut self.row.values);
            }
        }
    }
}

/// The statistic of a row whose neighbours depend on each other.
fn widened(row: &NullRow<'_>, member: &Member, priors: &Priors) -> f64 {
    if row.lost <= 0.0 && row.inflation == 1.0 {
        return member.seen;
    }
    let (shape, kinds) = shape(row.split, row.values.len(), false);
    let mut judge = Judge::new(shape, kinds, priors);
    let all: f64 = shape.sizes().iter().map(|size| size.saturating_sub(1) as f64).sum();
    for (group, size) in shape.sizes().into_iter().enumerate() {
        if size > 1 {
            let own = size as f64 - 1.0;
            judge.df[group] = left(own, row.lost * own / all, judge.df[group] - own);
        }
    }
    let (square, df) = judge.square(&member.moments);
    common_scale(square / row.inflation, df)
}

/// The shape of a row, and the kinds of its groups: the baseline's values first, or those of the smaller build.
fn shape(split: Option<usize>, count: usize, smaller_first: bool) -> (Shape, [usize; 2]) {
    match split {
        None => (Shape::Signs(count), [DIFFERENCES; 2]),
        Some(m) if smaller_first && m > count - m => (Shape::Two([count - m, m]), [1, 0]),
        Some(m) => (Shape::Two([m, count - m]), [0, 1]),
    }
}

/// Groups the rows by design and size.
fn classes(
    rows: &[NullRow<'_>],
    members: Vec<Member>,
    witnesses: &[bool],
    samples: usize,
    seed: u64,
) -> Vec<Class> {
    let design = |member: &Member| (rows[member.row.place].split, member.row.values.len());
    let mut all: Vec<(Member, bool)> = members.into_iter().zip(witnesses.iter().copied()).collect();
    // Stable: the rows of a design remain in the order of pools.
    all.sort_by_key(|(member, _)| design(member));
    let mut classes = Vec::new();
    for class in all.chunk_by(|a, b| design(&a.0) == design(&b.0)) {
        let (split, count) = design(&class[0].0);
        let (shape, kinds) = shape(split, count, true);
        let relabeling = match shape {
            Shape::Two([m, n]) => Relabeling::TwoSample { m, n },
            Shape::Signs(n) => Relabeling::Signs { n },
        };
        let of = |shown: bool| {
            class.iter().filter(move |(_, witness)| *witness == shown).map(|(member, _)| member)
        };
        let others: Vec<&Member> = of(false).collect();
        let tiles = others.chunk_by(|a, b| a.row.pool == b.row.pool).flat_map(|pool| pool.chunks(TILE));
        let turn = if kinds == [1, 0] { split.unwrap_or(0) } else { 0 };
        let found = Relabelings::new(relabeling, samples, seed);
        classes.extend(found.map(|relabelings| Class {
            shape,
            kinds,
            fits: shape.sizes().map(|size| Fit::new(size.saturating_sub(1).max(1) as f64)),
            relabelings,
            witnesses: Table::new(&of(true).collect::<Vec<_>>(), shape, turn),
            others: tiles.map(|tile| Table::new(tile, shape, turn)).collect(),
        }));
    }
    classes
}

/// Draws outlying values in to fences around the middle of both builds together, or around 0 for differences.
///
/// A fence lies some mean distances of the closest third of all pairs beyond a quartile, or beyond a quantile closer to
/// the extremes where one build is so small that it would lie beyond the quartiles: then a shift of all its values
/// remains. Most of the closest pairs are of one build, whatever the builds differ by, so a shift widens the fences only
/// by itself: one slow run beside it is drawn in.
fn fence(values: &mut [f64], split: Option<usize>, (sorted, distances): &mut (Vec<f64>, Vec<f64>)) {
    let count = values.len() as f64;
    sorted.clear();
    sorted.extend(values.iter().map(|v| if split.is_some() { *v } else { v.abs() }));
    sorted.sort_unstable_by(f64::total_cmp);
    let scale = closest_third(sorted, distances);
    let (low, high) = if let Some(m) = split {
        let level = (0.5 * (m.min(values.len() - m)) as f64 / count).min(0.25);
        let (low, high) = (quantile_sorted(sorted, level), quantile_sorted(sorted, 1.0 - level));
        (low - REACH * scale, high + REACH * scale)
    } else {
        let high = quantile_sorted(sorted, 0.75) + REACH_OF_SIZES * scale;
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
        centre(values);
    }
}

/// The mean distance of the closest third of all pairs of sorted values.
fn closest_third(sorted: &[f64], distances: &mut Vec<f64>) -> f64 {
    distances.clear();
    if sorted.len() <= PAIRED_UP {
        pairs(sorted, distances);
    } else {
        let last = (PAIRED_UP - 1) as f64;
        let thin: [f64; PAIRED_UP] = core::array::from_fn(|i| quantile_sorted(sorted, i as f64 / last));
        pairs(&thin, distances);
    }
    let third = ((distances.len() + 1) / 3).max(1);
    if distances.len() < third {
        return 0.0;
    }
    distances.select_nth_unstable_by(third - 1, f64::total_cmp);
    distances[..third].sort_unstable_by(f64::total_cmp);
    distances[..third].iter().sum::<f64>() / third as f64
}

fn pairs(sorted: &[f64], distances: &mut Vec<f64>) {
    for (i, low) in sorted.iter().enumerate() {
        distances.extend(sorted[i + 1..].iter().map(|high| high - low));
    }
}

/// Multiplies the deviations from the mean.
fn spread(values: &mut [f64], factor: f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    for v in values.iter_mut() {
        *v = mean + (*v - mean) * factor;
    }
}

fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    for v in values.iter_mut() {
        *v -= mean;
    }
}

fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum()
}

impl Shape {
    /// The numbers of values of both groups; 0 for the second of differences.
    fn sizes(self) -> [usize; 2] {
        match self {
            Self::Two(sizes) => sizes,
            Self::Signs(count) => [count, 0],
        }
    }
}

impl Moments {
    /// Those of the labels as measured.
    fn observed(values: &[f64], split: Option<usize>) -> Self {
        let (first, rest) = values.split_at(split.unwrap_or(values.len()));
        let [(mean, variance), (other, of_rest)] = [first, rest].map(mean_and_variance);
        Self { square: (mean - other) * (mean - other), variances: [variance, of_rest] }
    }
}

/// Mean and variance; 0 for a variance of fewer than two values.
fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let Some(first) = values.first() else { return (0.0, 0.0) };
    let count = values.len() as f64;
    let off = values.iter().map(|v| v - first).sum::<f64>() / count;
    let squares: f64 = values.iter().map(|v| (v - first - off) * (v - first - off)).sum();
    (first + off, if values.len() > 1 { squares / (count - 1.0) } else { 0.0 })
}

impl Judge {
    fn new(shape: Shape, kinds: [usize; 2], priors: &Priors) -> Self {
        let sizes = shape.sizes();
        let group = |group: usize| {
            if sizes[group] < 2 {
                return ((0.0, 0.0), 0.0);
            }
            let (size, df) = (sizes[group] as f64, sizes[group] as f64 - 1.0);
            let prior = limited(priors[kinds[group]], df);
            let (own, common) = prior.weights(df);
            ((own / size, common / size), df + prior.df)
        };
        let [(first, df), (second, df_of_second)] = [group(0), group(1)];
        Self { shape, shrink: [first, second], df: [df, df_of_second] }
    }

    /// The shrunk variances of the means of both groups.
    fn variances(&self, moments: &Moments) -> [f64; 2] {
        core::array::from_fn(|group| {
            let (own, common) = self.shrink[group];
            own * moments.variances[group] + common
        })
    }

    /// The squared statistic, and its degrees of freedom (Welch 1947).
    fn square(&self, moments: &Moments) -> (f64, f64) {
        let [v, w] = self.variances(moments);
        match self.shape {
            Shape::Signs(_) => (moments.square / v, self.df[0]),
            // One value has no variance: it is taken for that of the other build.
            Shape::Two([1, n]) => (moments.square / (w * (1.0 + n as f64)), self.df[1]),
            Shape::Two([m, 1]) => (moments.square / (v * (1.0 + m as f64)), self.df[0]),
            Shape::Two(_) => {
                let both = v + w;
                if both == 0.0 {
                    // Both builds are constant, and differ.
                    return (f64::INFINITY, self.df[0] + self.df[1]);
                }
                (moments.square / both, both * both / (v * v / self.df[0] + w * w / self.df[1]))
            }
        }
    }

    fn common(&self, moments: &Moments) -> f64 {
        let (square, df) = self.square(moments);
        common_scale(square, df)
    }
}

impl Class {
    /// The group whose variances are of a kind; `None` if there is none, or if it has no variance.
    fn group(&self, kind: usize) -> Option<usize> {
        let sizes = self.shape.sizes();
        (0..2).find(|&group| self.kinds[group] == kind && sizes[group] > 1)
    }

    fn len(&self) -> usize {
        self.witnesses.width() + self.others.iter().map(Table::width).sum::<usize>()
    }

    /// Calls `work` with the selected runs of a relabeling; a class with fewer relabelings begins again.
    fn relabel(&self, label: usize, work: impl FnMut(&[usize])) {
        let own = label % self.relabelings.looked_at;
        self.relabelings.each(own..own + 1, work);
    }

    /// Counts the statistics of a relabeling by bin. Those of the observed labels are known: they are of values whose
    /// spreads are not yet equal.
    fn count(&self, table: &Table, label: usize, labeled: &Labeled, priors: &[Priors], counts: &mut [u32]) {
        if label.is_multiple_of(self.relabelings.looked_at) {
            table.seen.iter().for_each(|&u| counts[bin(u)] += 1);
            return;
        }
        for (pool, range) in &table.pools {
            let judge = Judge::new(self.shape, self.kinds, &priors[*pool]);
            let group = |group: usize| labeled.variances[group][range.clone()].iter();
            let squares = labeled.differences[range.clone()].iter();
            // The common scale never enlarges a statistic.
            let mut one = |variances: [f64; 2], square: f64| {
                let (square, df) = judge.square(&Moments { square, variances });
                counts[if square <= 1.0 { 0 } else { bin(common_scale(square, df)) }] += 1;
            };
            match self.shape {
                Shape::Signs(_) => squares.zip(group(0)).for_each(|(&square, &v)| one([v, 0.0], square)),
                Shape::Two(_) => {
                    squares.zip(group(0).zip(group(1))).for_each(|(&square, (&v, &w))| one([v, w], square));
                }
            }
        }
    }
}

impl Table {
    /// Rows of one shape, ordered by pool. The values of the second build come first if `turn` of the first precede them.
    fn new(rows: &[&Member], shape: Shape, turn: usize) -> Self {
        let width = rows.len();
        let [m, n] = shape.sizes();
        let signs = matches!(shape, Shape::Signs(_));
        let mut runs = vec![0.0; (m + n) * width];
        for (at, member) in rows.iter().enumerate() {
            let values = &member.row.values;
            for (run, value) in values[turn..].iter().chain(&values[..turn]).enumerate() {
                runs[run * width + at] = if signs { -2.0 * value } else { *value };
            }
        }
        let mut pools: Vec<(usize, Range<usize>)> = Vec::new();
        for pool in rows.chunk_by(|a, b| a.row.pool == b.row.pool) {
            let first = pools.last().map_or(0, |(_, range)| range.end);
            pools.push((pool[0].row.pool, first..first + pool.len()));
        }
        Self {
            squares: if signs { Vec::new() } else { runs.iter().map(|v| v * v).collect() },
            runs,
            start: rows.iter().map(|m| if signs { m.row.values.iter().sum() } else { 0.0 }).collect(),
            total: rows.iter().map(|member| sum_of_squares(&member.row.values)).collect(),
            seen: rows.iter().map(|member| member.seen).collect(),
            pools,
        }
    }

    fn width(&self) -> usize {
        self.total.len()
    }

    /// Computes the moments of a relabeling.
    fn moments(&self, selected: &[usize], shape: Shape, work: &mut Labeled) {
        add(&mut work.sums, &self.start, &self.runs, selected);
        work.differences.clear();
        work.variances.iter_mut().for_each(Vec::clear);
        match shape {
            Shape::Signs(count) => self.of_signs(count as f64, selected, work),
            Shape::Two(sizes) => {
                add(&mut work.squares, &self.start, &self.squares, selected);
                self.of_groups(sizes.map(|size| size as f64), selected, work);
            }
        }
    }

    fn of_signs(&self, count: f64, selected: &[usize], work: &mut Labeled) {
        work.differences.extend(work.sums.iter().map(|sum| (sum / count) * (sum / count)));
        let sums = work.differences.iter().zip(&self.total);
        work.variances[0].extend(sums.map(|(mean, total)| (total - count * mean) / (count - 1.0)));
        for at in 0..self.width() {
            if work.variances[0][at] * (count - 1.0) < CANCELLED * self.total[at] {
                work.variances[0][at] = self.restored(at, selected, true)[0];
            }
        }
    }

    fn of_groups(&self, [m, n]: [f64; 2], selected: &[usize], work: &mut Labeled) {
        let factor = (m + n) / (m * n);
        work.differences.extend(work.sums.iter().map(|sum| (factor * sum) * (factor * sum)));
        let mut cancelled = false;
        for (group, size) in [m, n].into_iter().enumerate() {
            // One value has no variance.
            let (of, possible) = if size > 1.0 { (1.0 / (size - 1.0), true) } else { (0.0, false) };
            let sums = work.sums.iter().zip(&work.squares).zip(&self.total);
            work.variances[group].extend(sums.map(|((sum, square), total)| {
                let square = if group == 0 { *square } else { total - square };
                let within = square - sum * sum / size;
                cancelled |= possible && within < CANCELLED * square;
                within * of
            }));
        }
        if cancelled {
            self.restore(selected, [m, n], work);
        }
    }

    /// Computes variances from the values where the difference of sums of squares lost its digits.
    fn restore(&self, selected: &[usize], sizes: [f64; 2], work: &mut Labeled) {
        for at in 0..self.width() {
            let squares = [work.squares[at], self.total[at] - work.squares[at]];
            let lost = |group: usize| {
                let within = work.variances[group][at] * (sizes[group] - 1.0);
                sizes[group] > 1.0 && within < CANCELLED * squares[group]
            };
            if lost(0) || lost(1) {
                let [v, w] = self.restored(at, selected, false);
                (work.variances[0][at], work.variances[1][at]) = (v, w);
            }
        }
    }

    fn restored(&self, at: usize, selected: &[usize], signs: bool) -> [f64; 2] {
        let width = self.width();
        let mut groups: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        let mut next = selected.iter().peekable();
        for (run, value) in self.runs[at..].iter().step_by(width).enumerate() {
            let is_selected = next.next_if(|k| **k == run).is_some();
            if signs {
                groups[0].push(if is_selected { 0.5 * value } else { -0.5 * value });
            } else {
                groups[usize::from(!is_selected)].push(*value);
            }
        }
        groups.map(|values| mean_and_variance(&values).1)
    }
}

/// Adds the selected runs up, row by row.
fn add(sums: &mut Vec<f64>, start: &[f64], runs: &[f64], selected: &[usize]) {
    let width = start.len();
    let run = |k: usize| &runs[k * width..(k + 1) * width];
    sums.clear();
    sums.extend_from_slice(start);
    let (twos, one) = selected.as_chunks::<2>();
    for &[j, k] in twos {
        sums.iter_mut().zip(run(j)).zip(run(k)).for_each(|((sum, a), b)| *sum += a + b);
    }
    for &k in one {
        sums.iter_mut().zip(run(k)).for_each(|(sum, a)| *sum += a);
    }
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
            witnesses: (0..classes).map(|_| Labeled::default()).collect(),
            others: Labeled::default(),
            logs: Vec::new(),
            counts: vec![0; BINS],
        }
    }

    /// Counts the statistics of some relabelings by bin.
    fn count(&mut self, classes: &[Class], pools: usize, labels: Range<usize>) {
        let mut priors = vec![[Prior::NONE; KINDS]; pools * labels.len()];
        for (label, priors) in labels.clone().zip(priors.chunks_mut(pools)) {
            self.witness(classes, label, priors);
        }
        let Self { others, counts, .. } = self;
        for class in classes {
            for tile in &class.others {
                for (label, priors) in labels.clone().zip(priors.chunks(pools)) {
                    class.relabel(label, |selected| tile.moments(selected, class.shape, others));
                    class.count(tile, label, others, priors, counts);
                }
            }
        }
    }

    /// Estimates the priors of a relabeling, and counts the statistics of the rows that tell them.
    fn witness(&mut self, classes: &[Class], label: usize, priors: &mut [Priors]) {
        for (class, work) in classes.iter().zip(&mut self.witnesses) {
            class.relabel(label, |selected| class.witnesses.moments(selected, class.shape, work));
        }
        let work = &self.witnesses;
        for (pool, priors) in priors.iter_mut().enumerate() {
            for (kind, prior) in priors.iter_mut().enumerate() {
                let parts = classes.iter().zip(work).filter_map(|(class, work)| {
                    let group = class.group(kind)?;
                    let at = class.witnesses.pools.binary_search_by_key(&pool, |(pool, _)| *pool).ok()?;
                    let range = class.witnesses.pools[at].1.clone();
                    Some((&class.fits[group], &work.variances[group][range]))
                });
                *prior = quick_prior(parts, &mut self.logs);
            }
        }
        for (class, work) in classes.iter().zip(work) {
            class.count(&class.witnesses, label, work, priors, &mut self.counts);
        }
    }
}

/// The squared normal quantile that corresponds to a squared t with `df` degrees of freedom (Wallace 1959), to within a
/// hundredth.
pub(crate) fn common_scale(square: f64, df: f64) -> f64 {
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
