//! Estimates a row from its sample: test, typical change, confidence interval, spread.

use statera_kernels as kernels;
use statera_kernels::Comparison;

use crate::assignment::Assignment;
use crate::dependence::Widening;
use crate::grouping::Job;
use crate::mean_change::mean_change;
use crate::policy::Policy;
use crate::row::{Design, Noise, Reason, Row, Side, Warning};
use crate::sample::Sample;
use crate::units::Units;
use crate::verdict::Verdict;
use crate::{advice, means, shape_warnings, spread, tail, warnings};

/// Computes a row except for its correction and its verdict. The row may spend a share of alpha; `widening` says how much
/// its units depend on each other.
pub fn estimate(
    sample: &Sample,
    assignment: &Assignment,
    policy: &Policy,
    job: &Job,
    share: f64,
    widening: Option<Widening>,
) -> Row {
    let policy = &policy.at(share);
    let mut row = Row { share, ..blank(sample, job) };
    let widening = widening.unwrap_or(Widening::none(row.units_a_side()));
    let confidence = 1.0 - widening.before(policy.alpha);
    match sample.design {
        _ if sample.of_means => means::estimate(&mut row, sample, policy),
        Design::OneSided | Design::Series => {}
        Design::Exact | Design::Suite => plain_change(&mut row, sample),
        Design::Summary => {
            plain_change(&mut row, sample);
            let found = sample.means.map(|[old, new]| kernels::welch_of_means(old, new, confidence));
            row.reason = Some(Reason::NoSpread);
            take(&mut row, found.flatten(), policy);
        }
        Design::Paired => {
            take(&mut row, kernels::one_sample(&sample.differences.sorted, confidence), policy);
        }
        Design::Nested | Design::Independent => {
            let found = kernels::two_sample(&sample.baseline.sorted, &sample.contender.sorted, confidence);
            take(&mut row, found.map(|found| widening.applied(found)), policy);
        }
    }
    // The deviation of samples within a process does not show what more processes would find.
    if row.p.is_some() && sample.design != Design::Summary {
        row.noise = advice::noise(sample);
    }
    if widening.matters() {
        row.effective_units = widening.effective;
        // More runs mend the loss of degrees of freedom, but not the dependence.
        row.noise.sd *= widening.inflation.sqrt();
        row.noise.few = widening.factor / widening.inflation.sqrt();
    }
    let rule = assignment.rule(job.metric, job.benchmark);
    let rule = rule.as_ref();
    if row.is_beyond_range() {
        row.warn(Warning::BeyondRange);
    }
    if let Some(rule) = rule {
        tail::look(&mut row, sample, rule);
        spread::look(&mut row, sample, rule);
    }
    if policy.mean {
        row.mean = mean_change(sample, policy);
    }
    // Means are tested neither by ranks nor as if neighbours were independent, so these warnings do not apply.
    if !sample.of_means {
        warnings::look(&mut row, sample, assignment.pairing, rule);
        let counted = rule.is_some_and(|rule| rule.may_be_exact);
        shape_warnings::look(&mut row, sample, rule.and_then(|rule| rule.better), counted);
    }
    row
}

fn blank(sample: &Sample, job: &Job) -> Row {
    let units = |side: &Units, count: usize| match sample.design {
        Design::Paired => sample.differences.len(),
        _ if sample.of_means || sample.design == Design::Summary => count,
        _ => side.len(),
    };
    Row {
        group: job.group,
        metric: job.metric,
        benchmark: job.benchmark,
        share: 1.0,
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
        p_apart: None,
        least_p: f64::NAN,
        session: 0.0,
        effective_units: f64::NAN,
        method: None,
        verdict: Verdict::Inconclusive,
        reason: Some(Reason::NotComputable),
        noise: Noise::NONE,
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        tail: None,
        spread: None,
        level_change: None,
        mean: None,
        tail_shift: None,
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

/// Takes the result of a test into a row, if it can be computed. The policy is that of the row's share of alpha.
pub fn take(row: &mut Row, comparison: Option<Comparison>, policy: &Policy) {
    let Some(Comparison { test, shift, superiority }) = comparison else { return };
    let usable = test.p.is_finite()
        && shift.estimate.is_finite()
        && !shift.interval.low.is_nan()
        && !shift.interval.high.is_nan();
    if !usable {
        return;
    }
    row.change = row.scale.change(shift.estimate);
    row.change_low = row.scale.change(shift.interval.low);
    row.change_high = row.scale.change(shift.interval.high);
    row.change_level = shift.interval.level;
    (row.change_low_open, row.change_high_open) = (shift.low_open, shift.high_open);
    row.superiority = superiority;
    row.statistic = test.statistic;
    row.p = Some(row.spent(test.p));
    row.least_p = row.spent(test.least_p);
    row.method = Some(test.method);
    row.reason = None;
    if row.change_level < policy.confidence() - 1e-9 {
        row.warn(Warning::LowLevel);
    }
}
