//! The tail of a row: whether slow runs (high values, or low ones if more is better) are more frequent on one side.
//!
//! A unit is slow if it lies beyond a fence that is computed from both sides together. The fence does not know which
//! side a unit belongs to, so the number of slow units on a side is hypergeometric if nothing changed, for any
//! distribution.

use statera_kernels as kernels;
use statera_readers::Better;

use crate::assignment::MetricRule;
use crate::dependence::widened;
use crate::row::{Design, Row, Scale, Tail, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// With fewer units a side, no share of slow runs is worth a statement.
pub const UNITS_FROM: usize = 8;
/// The distance of the fence from the median in standard deviations of the good half: normal values cross it once in
/// three million, those of Student's t with 3 degrees of freedom once in 200.
const FENCE: f64 = 5.0;
/// The same for values within runs: there are many, so that some beyond it say nothing yet, and those of a broad
/// distribution do not reach far.
const FENCE_WITHIN: f64 = 3.0;
/// Scales the median absolute deviation to the standard deviation of normal data.
pub const MAD_TO_SD: f64 = 1.4826;
/// The rise of the share of slow runs from which a row is not equivalent: half of 15 points, so that the counts fit a
/// rise by 15 points better than none.
const VISIBLE: f64 = 0.075;
/// With fewer runs a side, the values within them say nothing about runs.
const RUNS_FROM: usize = 4;
/// The p-value up to which shares of slow values differ clearly enough to object to an unchanged row.
const CLEAR: f64 = 0.05;
/// The quantile that slow values move, and the least number of values a side that know it.
const HIGHEST: f64 = 0.99;
const VALUES_FROM: usize = 500;
/// The number of slow units that is added, because independent ones may follow each other by chance more than expected.
const BY_CHANCE: f64 = 1.5;

/// The slow units of a side: which ones, in the order of measurement, and what they add to the mean.
struct Slow {
    count: usize,
    bursts: usize,
    cost: f64,
    units: usize,
}

/// Counts the slow units of a row, and the slow values of its runs, and tests whether they are as frequent on both sides.
/// If there are both, the clearer answer counts, at the price of having asked twice.
pub fn look(row: &mut Row, sample: &Sample, rule: &MetricRule) {
    if row.p.is_none() || !answers(row, sample) {
        return;
    }
    let found = match (of_units(row, sample, rule), of_values(sample, rule)) {
        (Some(units), Some(values)) => Some(clearer(units, values)),
        (units, values) => units.or(values),
    };
    row.tail = found.map(|found| Tail { p: row.spent(found.p), least_p: row.spent(found.least_p), ..found });
}

/// The clearer of two answers, whose p pays for both.
fn clearer(units: Tail, values: Tail) -> Tail {
    let twice = |p: f64| (2.0 * p).min(1.0);
    let found = if values.p < units.p { values } else { units };
    let least_p = twice(units.least_p.min(values.least_p));
    Tail { p: twice(found.p), least_p, objects: units.objects || values.objects, ..found }
}

fn of_units(row: &Row, sample: &Sample, rule: &MetricRule) -> Option<Tail> {
    let paired = sample.design == Design::Paired;
    let few = row.baseline.units.min(row.contender.units) < UNITS_FROM as u32;
    if few || (paired && rule.better.is_none()) {
        return None;
    }
    let fence = Fence::of(sample, rule);
    let sides = if paired {
        let side = |sign: f64| fence.slow(&sample.differences, &|value| sign * fence.sign * value);
        [side(-1.0), side(1.0)]
    } else {
        [&sample.baseline, &sample.contender].map(|units| fence.slow(units, &|value| fence.beyond(value)))
    };
    Some(tail(&sides, paired, fence.margin))
}

/// Compares the shares of slow values of the runs by the Mann-Whitney test: if nothing changed, runs are exchangeable, and
/// the fence does not know to which build a value belongs. None if no value is slow, or runs are few.
fn of_values(sample: &Sample, rule: &MetricRule) -> Option<Tail> {
    if sample.within.iter().any(|side| side.len() < RUNS_FROM) {
        return None;
    }
    let fence = Fence::of_values(sample, rule);
    let sides = sample.within.each_ref().map(|runs| SlowValues::of(runs, &fence));
    let [old, new] = &sides;
    if old.count + new.count == 0 {
        return None;
    }
    let p = kernels::mann_whitney(&old.shares, &new.shares)
        .map_or(1.0, |test| widened(test.p, &[&old.shares, &new.shares]));
    let relevant = (new.cost - old.cost).abs() > fence.margin || p <= CLEAR && fence.moves_highest(sample);
    let more = new.share() > old.share() && new.cost - old.cost > fence.margin;
    Some(Tail {
        slow: [old.count, new.count],
        of: [old.values, new.values],
        of_values: true,
        bursts: sides.each_ref().map(|side| side.shares.iter().filter(|&&share| share > 0.0).count() as u32),
        p: if relevant { p } else { 1.0 },
        least_p: least(&old.shares, &new.shares),
        p_corrected: 1.0,
        objects: more && (p <= CLEAR || new.share() - old.share() >= VISIBLE),
    })
}

/// The smallest p that any split of these shares into sides of these sizes could have.
fn least(old: &[f64], new: &[f64]) -> f64 {
    let mut all = [old, new].concat();
    all.sort_unstable_by(f64::total_cmp);
    let p = |split: usize| {
        let (one, other) = all.split_at(split);
        kernels::mann_whitney(one, other).map_or(1.0, |test| test.p)
    };
    p(old.len()).min(p(new.len()))
}

/// The slow values of the runs of a side.
struct SlowValues {
    /// Of each run, in the order of measurement.
    shares: Vec<f64>,
    count: u32,
    values: u32,
    /// What they add to the mean, as a part of the centre or in the metric's unit.
    cost: f64,
}

impl SlowValues {
    fn of(runs: &[Vec<f64>], fence: &Fence) -> Self {
        let mut found = Self { shares: Vec::with_capacity(runs.len()), count: 0, values: 0, cost: 0.0 };
        for run in runs {
            let mut count = 0_u32;
            for &value in run {
                let distance = fence.beyond(fence.on_scale(value));
                if distance > fence.widths.0 {
                    count += 1;
                    found.cost += if fence.scale == Scale::Ratio { distance.exp_m1() } else { distance };
                }
            }
            found.shares.push(f64::from(count) / run.len() as f64);
            found.count += count;
            found.values += run.len() as u32;
        }
        found.cost /= f64::from(found.values);
        found
    }

    fn share(&self) -> f64 {
        f64::from(self.count) / f64::from(self.values)
    }
}

/// Whether the row is one whose units are independent measurements.
pub fn answers(row: &Row, sample: &Sample) -> bool {
    let design = matches!(sample.design, Design::Paired | Design::Independent | Design::Nested);
    design && !sample.of_means && !row.warns(Warning::OneProcess)
}

fn tail(sides: &[Slow; 2], paired: bool, margin: f64) -> Tail {
    let [old, new] = sides;
    let n = [old.units as u64, new.units as u64];
    let test = |k: [u64; 2]| if paired { signs(k) } else { kernels::fisher(k, n) };
    let plain = test([old.count as u64, new.count as u64]);
    // Slow runs that follow each other may have one cause, so neither count may be needed for the conclusion.
    let apart = test([old.independent(), new.independent()]);
    let more = new.share() - old.share() >= VISIBLE && new.cost - old.cost > margin;
    Tail {
        slow: [old.count as u32, new.count as u32],
        of: [old.units as u32, new.units as u32],
        of_values: false,
        bursts: [old.bursts as u32, new.bursts as u32],
        p: plain.p.max(apart.p),
        least_p: plain.least_p,
        p_corrected: 1.0,
        objects: more,
    }
}

/// The sign test of pairs: if nothing changed, either side of a pair is as likely to be the slow one.
fn signs(k: [u64; 2]) -> kernels::Fisher {
    let two_sided = |fewer: u64| (2.0 * kernels::special::binomial_cdf(fewer, k[0] + k[1], 0.5)).min(1.0);
    kernels::Fisher { p: two_sided(k[0].min(k[1])), least_p: two_sided(0) }
}

/// The fence on the row's scale.
struct Fence {
    /// The median of both sides; 0 for differences of pairs.
    centre: f64,
    /// The distance from the centre beyond which a unit is slow: upwards if high values are bad, downwards if low ones are.
    widths: (f64, f64),
    /// 1 if high values are bad, −1 if low ones are.
    sign: f64,
    /// Whether units beyond either fence count, because the metric has no direction.
    both: bool,
    scale: Scale,
    /// The margin as a part of the centre, or in the metric's unit on the scale of differences.
    margin: f64,
}

impl Fence {
    fn of(sample: &Sample, rule: &MetricRule) -> Self {
        let (centre, above, below, size) = if sample.design == Design::Paired {
            let mut sizes: Vec<f64> = sample.differences.measured.iter().map(|value| value.abs()).collect();
            sizes.sort_unstable_by(f64::total_cmp);
            let deviation = kernels::quantile_sorted(&sizes, 0.5);
            (0.0, deviation, deviation, sample.centres.0.value.abs())
        } else {
            let all = combined(sample);
            let centre = kernels::quantile_sorted(&all, 0.5);
            let below = centre - kernels::quantile_sorted(&all[..all.partition_point(|&v| v <= centre)], 0.5);
            let above = kernels::quantile_sorted(&all[all.partition_point(|&v| v < centre)..], 0.5) - centre;
            (centre, above, below, centre.abs())
        };
        let size = if sample.scale == Scale::Ratio { sample.centres.0.value } else { size };
        Self::around(FENCE, centre, [above, below], size, sample.scale, rule)
    }

    /// The fence of the values within runs: on the ratio scale if they are positive.
    fn of_values(sample: &Sample, rule: &MetricRule) -> Self {
        let mut all = sample.within.concat().concat();
        let positive = all.iter().all(|&value| value > 0.0);
        let scale = if positive { sample.scale } else { Scale::Difference };
        if scale == Scale::Ratio {
            for value in &mut all {
                *value = value.ln();
            }
        }
        let centre = middle(&mut all);
        let (mut low, mut high): (Vec<f64>, Vec<f64>) = all.iter().partition(|&&value| value < centre);
        low.extend(high.iter().copied().filter(|&value| value == centre));
        let deviations = [middle(&mut high) - centre, centre - middle(&mut low)];
        Self::around(FENCE_WITHIN, centre, deviations, sample.centres.0.value, scale, rule)
    }

    /// The fence so many deviations around a centre, from the median distances of what lies above and below it.
    fn around(
        deviations: f64,
        centre: f64,
        [above, below]: [f64; 2],
        size: f64,
        scale: Scale,
        rule: &MetricRule,
    ) -> Self {
        let sign = if rule.better == Some(Better::Higher) { -1.0 } else { 1.0 };
        let least = rule.margin.on(scale, size);
        let margin = if scale == Scale::Ratio { rule.margin.relative(size) } else { least };
        // The bad half may hold the slow runs themselves, so the good half determines the fence on either side.
        let width = |distance: f64| (deviations * MAD_TO_SD * distance).max(least);
        let both = rule.better.is_none();
        let good = if sign > 0.0 { below } else { above };
        let widths = if both { (width(above), width(below)) } else { (width(good), width(good)) };
        Self { centre, widths, sign, both, scale, margin }
    }

    fn on_scale(&self, value: f64) -> f64 {
        if self.scale == Scale::Ratio { value.ln() } else { value }
    }

    /// Whether the outermost hundredth of all values begins elsewhere, by more than the margin.
    fn moves_highest(&self, sample: &Sample) -> bool {
        let ends = sample.within.each_ref().map(|runs| {
            let mut all: Vec<f64> =
                runs.iter().flatten().map(|&value| self.beyond(self.on_scale(value))).collect();
            (all.len() >= VALUES_FROM).then(|| {
                let place = (HIGHEST * all.len() as f64) as usize;
                *all.select_nth_unstable_by(place, f64::total_cmp).1
            })
        });
        let [Some(old), Some(new)] = ends else { return false };
        let moved = (new - old).abs();
        (if self.scale == Scale::Ratio { moved.exp_m1() } else { moved }) > self.margin
    }

    /// How far a value lies from the centre in the bad direction; in both directions relative to their fences if the
    /// metric has none.
    fn beyond(&self, value: f64) -> f64 {
        let distance = value - self.centre;
        if self.both && distance < 0.0 {
            return -distance * self.widths.0 / self.widths.1;
        }
        self.sign * distance
    }

    fn slow(&self, units: &Units, distance: &dyn Fn(f64) -> f64) -> Slow {
        let mut found = Slow { count: 0, bursts: 0, cost: 0.0, units: units.len() };
        let mut before = false;
        for &value in &units.measured {
            let distance = distance(value);
            let slow = distance > self.widths.0;
            if slow {
                found.count += 1;
                found.bursts += usize::from(!before);
                found.cost += if self.scale == Scale::Ratio { distance.exp_m1() } else { distance };
            }
            before = slow;
        }
        found.cost /= units.len() as f64;
        found
    }
}

impl Slow {
    fn share(&self) -> f64 {
        self.count as f64 / self.units as f64
    }

    /// The number of slow units that would form as many bursts if each were independent of the others: among n units k
    /// form k (1 − k / n) bursts.
    fn independent(&self) -> u64 {
        let n = self.units as f64;
        let rest = (1.0 - 4.0 * self.bursts as f64 / n).max(0.0);
        (n * (1.0 - rest.sqrt()) / 2.0 + BY_CHANCE).round().min(self.count as f64) as u64
    }
}

/// The upper median of values, in linear time.
fn middle(values: &mut [f64]) -> f64 {
    let place = values.len() / 2;
    if values.is_empty() { f64::NAN } else { *values.select_nth_unstable_by(place, f64::total_cmp).1 }
}

/// Both sides in ascending order.
pub fn combined(sample: &Sample) -> Vec<f64> {
    let (mut left, mut right) = (&sample.baseline.sorted[..], &sample.contender.sorted[..]);
    let mut all = Vec::with_capacity(left.len() + right.len());
    while let ([first, rest @ ..], [other, others @ ..]) = (left, right) {
        if first <= other {
            all.push(*first);
            left = rest;
        } else {
            all.push(*other);
            right = others;
        }
    }
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    all
}
