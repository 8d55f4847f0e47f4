//! The tail of a row: whether slow runs (high values, or low ones if more is better) are more frequent on one side.
//!
//! A unit is slow if it lies beyond a fence that is computed from both sides together. The fence does not know which
//! side a unit belongs to, so the number of slow units on a side is hypergeometric if nothing changed, for any
//! distribution.

use statera_kernels as kernels;
use statera_readers::Better;

use crate::assignment::MetricRule;
use crate::row::{Design, Row, Scale, Tail, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// With fewer units a side, no share of slow runs is worth a statement.
pub const UNITS_FROM: usize = 8;
/// The distance of the fence from the median in standard deviations of the good half: normal values cross it once in
/// three million, those of Student's t with 3 degrees of freedom once in 200.
const FENCE: f64 = 5.0;
/// Scales the median absolute deviation to the standard deviation of normal data.
pub const MAD_TO_SD: f64 = 1.4826;
/// The rise of the share of slow runs from which a row is not equivalent: half of 15 points, so that the counts fit a
/// rise by 15 points better than none.
const VISIBLE: f64 = 0.075;
/// The number of slow units that is added, because independent ones may follow each other by chance more than expected.
const BY_CHANCE: f64 = 1.5;

/// The slow units of a side: which ones, in the order of measurement, and what they add to the mean.
struct Slow {
    count: usize,
    bursts: usize,
    cost: f64,
    units: usize,
}

/// Counts the slow units of a row, and tests whether they are as frequent on both sides.
pub fn look(row: &mut Row, sample: &Sample, rule: &MetricRule) {
    let paired = sample.design == Design::Paired;
    let few = row.baseline.units.min(row.contender.units) < UNITS_FROM as u32;
    if row.p.is_none() || few || !answers(row, sample) || (paired && rule.better.is_none()) {
        return;
    }
    let fence = Fence::of(sample, rule);
    let sides = if paired {
        let side = |sign: f64| fence.slow(&sample.differences, &|value| sign * fence.sign * value);
        [side(-1.0), side(1.0)]
    } else {
        [&sample.baseline, &sample.contender].map(|units| fence.slow(units, &|value| fence.beyond(value)))
    };
    let found = tail(&sides, paired, fence.margin);
    row.tail = Some(Tail { p: row.spent(found.p), least_p: row.spent(found.least_p), ..found });
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
        let sign = if rule.better == Some(Better::Higher) { -1.0 } else { 1.0 };
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
        let least = rule.margin.on(sample.scale, size);
        let margin = if sample.scale == Scale::Ratio { rule.margin.relative(size) } else { least };
        // The bad half may hold the slow runs themselves, so the good half determines the fence on either side.
        let width = |deviation: f64| (FENCE * MAD_TO_SD * deviation).max(least);
        let both = rule.better.is_none();
        let good = if sign > 0.0 { below } else { above };
        let widths = if both { (width(above), width(below)) } else { (width(good), width(good)) };
        Self { centre, widths, sign, both, scale: sample.scale, margin }
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
