//! Estimates a row from its sample: test, typical change, confidence interval, detectable change.

use statera_kernels as kernels;
use statera_kernels::Comparison;

use crate::assignment::Assignment;
use crate::grouping::Job;
use crate::means;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Side, Verdict, Warning};
use crate::sample::Sample;
use crate::units::Units;
use crate::warnings;

/// With fewer processes per side, a rank test cannot be significant, and their values are compared by a t-test.
const RANKS_FROM: usize = 4;

/// Computes a row except for its correction and its verdict.
pub fn estimate(sample: &Sample, assignment: &Assignment, policy: &Policy, job: &Job) -> Row {
    let mut row = blank(sample, job);
    match sample.design {
        _ if sample.of_means => means::estimate(&mut row, sample, policy),
        Design::OneSided | Design::Series => {}
        Design::Exact | Design::Suite => plain_change(&mut row, sample),
        Design::Paired => tested(
            &mut row,
            sample,
            policy,
            kernels::one_sample(&sample.differences.sorted, policy.confidence()),
        ),
        Design::Nested if sample.baseline.len().min(sample.contender.len()) < RANKS_FROM => {
            tested(
                &mut row,
                sample,
                policy,
                kernels::welch(&sample.baseline.measured, &sample.contender.measured, policy.confidence()),
            );
        }
        Design::Nested | Design::Independent => {
            tested(
                &mut row,
                sample,
                policy,
                kernels::two_sample(&sample.baseline.sorted, &sample.contender.sorted, policy.confidence()),
            );
        }
    }
    let rule = assignment.metrics[job.metric as usize].as_ref();
    let margin = rule.map_or(0.0, |rule| rule.margin);
    what_runs_show(&mut row, sample, policy, margin);
    if row.is_beyond_range() {
        row.warn(Warning::BeyondRange);
    }
    // Means are tested neither by ranks nor as if neighbours were independent, so these warnings do not apply.
    if !sample.of_means {
        warnings::look(&mut row, sample, assignment.pairing, rule);
    }
    row
}

fn blank(sample: &Sample, job: &Job) -> Row {
    let units = |side: &Units, count: usize| match sample.design {
        Design::Paired => sample.differences.len(),
        _ if sample.of_means => count,
        _ => side.len(),
    };
    Row {
        group: job.group,
        metric: job.metric,
        benchmark: job.benchmark,
        design: sample.design,
        scale: sample.scale,
        baseline: Side {
            variant: job.baseline,
            values: counted(sample.values.0),
            units: units(&sample.baseline, sample.counts.0) as u32,
            centre: sample.centres.0,
        },
        contender: Side {
            variant: job.contender,
            values: counted(sample.values.1),
            units: units(&sample.contender, sample.counts.1) as u32,
            centre: sample.centres.1,
        },
        change: f64::NAN,
        change_low: f64::NAN,
        change_high: f64::NAN,
        change_level: f64::NAN,
        change_low_open: false,
        change_high_open: false,
        superiority: f64::NAN,
        statistic: f64::NAN,
        p: None,
        p_corrected: None,
        least_p: f64::NAN,
        method: None,
        verdict: Verdict::Inconclusive,
        reason: Some(Reason::NotComputable),
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        pairs_dropped: sample.pairs_dropped as u32,
        warnings: sample.warnings,
    }
}

/// A number of samples that a row can state.
fn counted(samples: usize) -> u32 {
    u32::try_from(samples).unwrap_or(u32::MAX)
}

fn plain_change(row: &mut Row, sample: &Sample) {
    row.change = row.centres_change();
    if sample.baseline.measured == sample.contender.measured {
        row.change = 0.0;
    }
}

/// Converts a shift to the row's scale as users read it: relative on the ratio scale.
fn shown(scale: Scale, shift: f64) -> f64 {
    match scale {
        Scale::Ratio => shift.exp_m1(),
        Scale::Difference => shift,
    }
}

fn tested(row: &mut Row, sample: &Sample, policy: &Policy, comparison: Option<Comparison>) {
    let Some(Comparison { test, shift, superiority }) = comparison else { return };
    let usable = test.p.is_finite()
        && shift.estimate.is_finite()
        && !shift.interval.low.is_nan()
        && !shift.interval.high.is_nan();
    if !usable {
        return;
    }
    row.change = shown(sample.scale, shift.estimate);
    row.change_low = shown(sample.scale, shift.interval.low);
    row.change_high = shown(sample.scale, shift.interval.high);
    row.change_level = shift.interval.level;
    (row.change_low_open, row.change_high_open) = (shift.low_open, shift.high_open);
    row.superiority = superiority;
    row.statistic = test.statistic;
    row.p = Some(test.p);
    row.least_p = test.least_p;
    row.method = Some(test.method);
    row.reason = None;
    if row.change_level < policy.confidence() - 1e-9 {
        row.warn(Warning::LowLevel);
    }
}

/// Computes the smallest change that these runs could have detected, and the runs needed for the margin. Both follow
/// from the width of the interval, that is from the spread, and not from the observed change.
fn what_runs_show(row: &mut Row, sample: &Sample, policy: &Policy, margin: f64) {
    if row.p.is_none() {
        return;
    }
    let units = units_a_side(row, sample);
    let half = half_width(row, sample, policy);
    if !half.is_finite() || units < 1.0 {
        return;
    }
    let detectable = kernels::detectable(half, policy.confidence(), policy.power);
    row.detectable = shown(sample.scale, detectable);
    let margin = match sample.scale {
        Scale::Ratio => margin.ln_1p(),
        Scale::Difference => margin * row.baseline.centre.value.abs(),
    };
    // For a series the number of values needed depends on the range of their dependence.
    if margin > 0.0 && sample.design != Design::Series {
        row.runs_needed =
            kernels::runs_needed(units.round() as usize, half, margin, policy.confidence(), policy.power)
                .ceil();
    }
}

/// Returns the number of units per side as if both sides had the same.
fn units_a_side(row: &Row, sample: &Sample) -> f64 {
    match sample.design {
        Design::Paired => sample.differences.len() as f64,
        _ => 2.0 / (1.0 / f64::from(row.baseline.units) + 1.0 / f64::from(row.contender.units)),
    }
}

/// Returns half the interval's width on the scale of the test; it is computed from the standard deviations if the
/// interval does not reach its level.
fn half_width(row: &Row, sample: &Sample, policy: &Policy) -> f64 {
    if !row.warns(Warning::LowLevel) {
        return match sample.scale {
            Scale::Ratio => (row.change_high.ln_1p() - row.change_low.ln_1p()) / 2.0,
            Scale::Difference => (row.change_high - row.change_low) / 2.0,
        };
    }
    let z = kernels::special::norm_quantile(1.0 - policy.alpha / 2.0);
    let part = |side: &Units| kernels::sd(&side.measured).powi(2) / side.len() as f64;
    match sample.design {
        Design::Paired => z * part(&sample.differences).sqrt(),
        _ => z * (part(&sample.baseline) + part(&sample.contender)).sqrt(),
    }
}
