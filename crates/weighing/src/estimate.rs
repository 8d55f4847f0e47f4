//! Estimates a row from its sample: test, typical change, confidence interval, detectable change.

use statera_kernels as kernels;
use statera_kernels::Comparison;

use crate::assignment::Assignment;
use crate::dependence::Widening;
use crate::grouping::Job;
use crate::mean_change::mean_change;
use crate::means;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Side, Verdict, Warning};
use crate::sample::Sample;
use crate::tail;
use crate::units::Units;
use crate::warnings;
use crate::{shape_warnings, spread};

/// Computes a row except for its correction and its verdict; `widening` says how much its units depend on each other.
pub fn estimate(
    sample: &Sample,
    assignment: &Assignment,
    policy: &Policy,
    job: &Job,
    widening: Option<Widening>,
) -> Row {
    let mut row = blank(sample, job);
    let widening = widening.unwrap_or(Widening::none(row.units_a_side()));
    let confidence = 1.0 - widening.before(policy.alpha);
    match sample.design {
        _ if sample.of_means => means::estimate(&mut row, sample, policy),
        Design::OneSided | Design::Series => {}
        Design::Exact | Design::Suite => plain_change(&mut row, sample),
        Design::Paired => {
            take(&mut row, kernels::one_sample(&sample.differences.sorted, confidence), policy);
        }
        Design::Nested | Design::Independent => {
            let found = kernels::two_sample(&sample.baseline.sorted, &sample.contender.sorted, confidence);
            take(&mut row, found.map(|found| widened(found, &widening)), policy);
        }
    }
    if widening.matters() {
        row.effective_units = widening.effective;
    }
    let margin = assignment.metrics[job.metric as usize].map_or(0.0, |rule| rule.margin);
    what_runs_show(&mut row, sample, policy, margin);
    if row.is_beyond_range() {
        row.warn(Warning::BeyondRange);
    }
    if let Some(rule) = &assignment.metrics[job.metric as usize] {
        tail::look(&mut row, sample, rule);
        spread::look(&mut row, sample, rule);
    }
    if policy.mean {
        row.mean = mean_change(sample, policy);
    }
    // Means are tested neither by ranks nor as if neighbours were independent, so these warnings do not apply.
    if !sample.of_means {
        let counted = assignment.metrics[job.metric as usize].is_some_and(|rule| rule.may_be_exact);
        warnings::look(&mut row, sample, assignment.pairing, counted);
        let better = assignment.metrics[job.metric as usize].and_then(|rule| rule.better);
        shape_warnings::look(&mut row, sample, better, counted);
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
        effective_units: f64::NAN,
        method: None,
        verdict: Verdict::Inconclusive,
        reason: Some(Reason::NotComputable),
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        tail: None,
        spread: None,
        mean: None,
        tail_shift: None,
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

/// Widens a comparison whose interval was already computed at the level that widening asks for.
fn widened(mut found: Comparison, widening: &Widening) -> Comparison {
    found.test.p = widening.p(found.test.p);
    found.test.least_p = widening.p(found.test.least_p);
    found.shift.interval.level = 1.0 - widening.p(1.0 - found.shift.interval.level);
    found
}

/// Takes the result of a test into a row, if it can be computed.
pub fn take(row: &mut Row, comparison: Option<Comparison>, policy: &Policy) {
    let Some(Comparison { test, shift, superiority }) = comparison else { return };
    let usable = test.p.is_finite()
        && shift.estimate.is_finite()
        && !shift.interval.low.is_nan()
        && !shift.interval.high.is_nan();
    if !usable {
        return;
    }
    row.change = shown(row.scale, shift.estimate);
    row.change_low = shown(row.scale, shift.interval.low);
    row.change_high = shown(row.scale, shift.interval.high);
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
    let units =
        if sample.design == Design::Paired { sample.differences.len() as f64 } else { row.units_a_side() };
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
