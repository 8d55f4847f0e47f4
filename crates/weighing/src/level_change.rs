//! A change of level within a build: consecutive units that lie apart from the others of the same build.
//!
//! A build that is fast for a while and then slow has no typical value, and a rank test of all its units says little: the
//! two levels look like noise. What tells them apart is their order. If it says nothing, each choice of m units out of n is
//! equally likely to hold the largest ones, so that the number of these among m consecutive units is hypergeometric.

use statera_kernels as kernels;
use statera_kernels::special::ln_choose;

use crate::assignment::{Assignment, MetricRule};
use crate::policy::Policy;
use crate::row::{Design, LevelChange, Reason, Row, Scale, Warning};
use crate::units::Kept;
use crate::verdict::Verdict;

/// The minimum number of units of a build: of fewer, no order is unlikely enough.
const FROM: usize = 12;
/// The minimum number of units of a level; fewer are outliers.
const SHORTEST: usize = 4;
/// A build that changes more often has no level to speak of; every stretch between two changes is examined.
const MOST_CHANGES: usize = 8;
/// The least distance of two levels, in standard deviations of a unit around its level. A wander of the machine has no
/// levels so clear.
const APART: f64 = 4.0;
/// The median absolute difference of two independent normal values, in standard deviations of one.
const DIFFERENCE: f64 = 0.9539;
/// The median absolute deviation of a normal distribution, likewise.
const DEVIATION: f64 = 0.6745;

/// Finds the levels of all rows, and keeps those that are certain among all builds that were examined (Bonferroni).
pub fn look(rows: &mut [Row], samples: &[Kept], assignment: &Assignment, policy: &Policy) {
    use rayon::prelude::*;
    let found: Vec<(u32, Option<LevelChange>)> = rows
        .par_iter()
        .zip(samples)
        .with_min_len(64)
        .map(|(row, sample)| of_row(row, sample, assignment.rule(row.metric, row.benchmark)))
        .collect();
    let examined: u32 = found.iter().map(|(builds, _)| builds).sum();
    for (row, (_, level)) in rows.iter_mut().zip(found) {
        row.level_change = level.filter(|level| level.p * f64::from(examined) <= policy.alpha);
        if row.level_change.is_some() {
            // It says what these show.
            row.warnings &=
                !(Warning::Drift.bit() | Warning::Autocorrelation.bit() | Warning::SeveralModes.bit());
            row.warn(Warning::LevelChanged);
        }
    }
}

/// An undecided row has the change of level as its reason: more runs would not decide it.
pub fn explain(rows: &mut [Row]) {
    for row in rows.iter_mut().filter(|row| row.level_change.is_some()) {
        if row.verdict == Verdict::Inconclusive && row.reason != Some(Reason::MovesWithAll) {
            row.reason = Some(Reason::LevelChanged);
        }
    }
}

/// The number of builds examined, and the clearest change of level in one of them.
fn of_row(row: &Row, sample: &Kept, rule: Option<MetricRule>) -> (u32, Option<LevelChange>) {
    let Some(rule) =
        rule.filter(|_| row.p.is_some() && !matches!(row.design, Design::Series | Design::Summary))
    else {
        return (0, None);
    };
    let margin = rule.margin.on(row.scale, row.baseline.centre.value);
    let sides = sample.sides_or_differences();
    // Builds in ascending or descending order were sorted by whoever wrote the file.
    if sides.iter().all(|side| side.is_sorted() || side.is_sorted_by(|a, b| a >= b)) {
        return (0, None);
    }
    let examined = sides.iter().filter(|side| side.len() >= FROM).count() as u32;
    let levels = sides.iter().zip([false, true]).filter_map(|(side, contender)| {
        let Stretch { first, last, change, p } = clearest(side, margin)?;
        let change = if row.scale == Scale::Ratio { change.exp_m1() } else { change };
        Some(LevelChange { contender, first: first as u32 + 1, last: last as u32, change, p })
    });
    (examined, levels.min_by(|a, b| a.p.total_cmp(&b.p)))
}

/// The units `first..last` of a build and how far they lie from the others.
struct Stretch {
    first: usize,
    last: usize,
    change: f64,
    p: f64,
}

fn clearest(values: &[f64], margin: f64) -> Option<Stretch> {
    let n = values.len();
    if n < FROM {
        return None;
    }
    // Two levels of the shortest length lie so far apart that the range shows it; nearly all builds end here.
    let [low, high] = inner_range(values);
    let mut steps: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let middle = steps.len() / 2;
    let noise = *steps.select_nth_unstable_by(middle, f64::total_cmp).1 / DIFFERENCE;
    if high - low <= margin || high - low < APART * noise {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // A clock that rounds makes most neighbours equal.
    let noise = noise.max(kernels::step_sorted(&[&sorted])?);
    let starts = kernels::pelt(values, None, SHORTEST);
    if starts.len() > MOST_CHANGES {
        return None;
    }
    let bounds: Vec<usize> = [0].into_iter().chain(starts).chain([n]).collect();
    let stretches = (0..bounds.len() - 1).flat_map(|i| (i + 1..bounds.len()).map(move |j| (i, j)));
    stretches
        .map(|(i, j)| (bounds[i], bounds[j]))
        .filter(|&(first, last)| last - first < n && n - (last - first) >= SHORTEST)
        // A build that changes once has two stretches; the later is named.
        .filter(|&(first, _)| first > 0)
        .filter_map(|(first, last)| stretch(values, &sorted, first, last, margin, noise))
        .min_by(|a, b| a.p.total_cmp(&b.p))
}

/// The smallest and the largest value but for as many as the shortest level has, less one.
fn inner_range(values: &[f64]) -> [f64; 2] {
    let (mut low, mut high) = ([f64::INFINITY; SHORTEST], [f64::NEG_INFINITY; SHORTEST]);
    for &value in values {
        if value < low[SHORTEST - 1] {
            low[SHORTEST - 1] = value;
            low.sort_unstable_by(f64::total_cmp);
        }
        if value > high[0] {
            high[0] = value;
            high.sort_unstable_by(f64::total_cmp);
        }
    }
    [low[SHORTEST - 1], high[0]]
}

/// A stretch, if it is a level of its own.
fn stretch(
    values: &[f64],
    sorted: &[f64],
    first: usize,
    last: usize,
    margin: f64,
    noise: f64,
) -> Option<Stretch> {
    let own = &values[first..last];
    let others = [&values[..first], &values[last..]].concat();
    let centres = [kernels::median(own), kernels::median(&others)];
    let change = centres[0] - centres[1];
    let deviations: Vec<f64> = own
        .iter()
        .map(|value| (value - centres[0]).abs())
        .chain(others.iter().map(|value| (value - centres[1]).abs()))
        .collect();
    let noise = noise.max(kernels::median(&deviations) / DEVIATION);
    if change.abs() <= margin || change.abs() < APART * noise {
        return None;
    }
    let (n, m) = (values.len(), own.len());
    let inside = if change > 0.0 {
        own.iter().filter(|&&value| value >= sorted[n - m]).count()
    } else {
        own.iter().filter(|&&value| value <= sorted[m - 1]).count()
    };
    // Places of one change of level, or pairs of places, either of them in both directions and with half of alpha.
    let places = if last == n { n } else { n * n / 2 };
    let p = (4.0 * places as f64 * at_least(inside.min(m), m, n)).min(1.0);
    Some(Stretch { first, last, change, p })
}

/// P(at least `hits` of m marked units among m drawn of n).
fn at_least(hits: usize, m: usize, n: usize) -> f64 {
    let ways = |n: usize, k: usize| ln_choose(n as u64, k as u64);
    (hits..=m).filter(|&k| m - k <= n - m).map(|k| (ways(m, k) + ways(n - m, m - k) - ways(n, m)).exp()).sum()
}
