//! Estimates a row from its sample: test, typical change, confidence interval, spread.

use statera_kernels as kernels;
use statera_kernels::Comparison;

use crate::advice;
use crate::assignment::Assignment;
use crate::grouping::Job;
use crate::means;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Side, Spread, Verdict, Warning};
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
    if row.p.is_some() {
        row.spread = advice::spread(sample);
    }
    if row.is_beyond_range() {
        row.warn(Warning::BeyondRange);
    }
    // Means are tested neither by ranks nor as if neighbours were independent, so these warnings do not apply.
    if !sample.of_means {
        let counted = assignment.metrics[job.metric as usize].is_some_and(|rule| rule.may_be_exact);
        warnings::look(&mut row, sample, assignment.pairing, counted);
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
        spread: Spread::NONE,
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        runs_needed_low: f64::NAN,
        runs_needed_high: f64::NAN,
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
pub fn shown(scale: Scale, shift: f64) -> f64 {
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
