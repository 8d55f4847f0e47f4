//! Draws the sample of a row: determines the design of its data, and takes its units accordingly.

use statera_readers::{Estimand, Observations};

use crate::assignment::{Assignment, MetricRule, Pairing};
use crate::blocks::{
    against_blocks, are_rounds, check_blocks, count_runs, measured, pair_by_blocks, values_of_blocks,
    values_of_runs,
};
use crate::grouping::{Cells, Job};
use crate::means;
use crate::policy::Policy;
use crate::row::{Design, Warning};
use crate::sample::Sample;

/// The minimum number of equal values per side for a count to be exact.
const EXACT_FROM: usize = 3;

/// A pairing that was requested but that the data do not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairingFault {
    /// The benchmark's number.
    pub benchmark: u32,
    /// The metric's number.
    pub metric: u32,
    /// What is wrong, in words.
    pub why: String,
}

/// Draws the sample of a row.
///
/// # Errors
/// If the row does not allow the pairing that was requested.
pub fn draw(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    job: &Job,
    sample: &mut Sample,
) -> Result<(), PairingFault> {
    let baseline = cells.of(job.baseline).values(job.cell);
    let contender = cells.of(job.contender).values(job.cell);
    let rule = assignment.metrics[job.metric as usize].as_ref();
    sample.reset(baseline.len(), contender.len());
    let both = [job.baseline, job.contender];
    let runs = |variant: u32| measured(observations, assignment, cells, (variant, &both), job.cell);
    if observations.metrics[job.metric as usize].estimand == Estimand::Mean {
        means::draw(sample, &runs(job.baseline), &runs(job.contender), assignment.pairing);
        return Ok(());
    }
    if baseline.is_empty() || contender.is_empty() {
        sample.take(baseline, contender, policy);
        return Ok(());
    }
    if rule.is_some_and(|rule| is_exact(rule, baseline, contender, &mut sample.warnings)) {
        sample.design = Design::Exact;
        sample.take(baseline, contender, policy);
        return Ok(());
    }
    let (measured_baseline, measured_contender) = (runs(job.baseline), runs(job.contender));
    let of_blocks = || (values_of_blocks(&measured_baseline), values_of_blocks(&measured_contender));
    let (runs_baseline, runs_contender) = (count_runs(&measured_baseline), count_runs(&measured_contender));
    let one_process = |side: Option<usize>, values: usize| side == Some(1) && values > 1;
    if one_process(runs_baseline, baseline.len()) || one_process(runs_contender, contender.len()) {
        sample.warnings |= Warning::OneProcess.bit();
    }
    let fault = |why: String| PairingFault { benchmark: job.benchmark, metric: job.metric, why };
    let paired = match assignment.pairing {
        Pairing::Unpaired => false,
        Pairing::Order => {
            if baseline.len() != contender.len() {
                return Err(fault(format!(
                    "there are {} values and {} values, which cannot be paired by order",
                    baseline.len(),
                    contender.len()
                )));
            }
            sample.design = Design::Paired;
            sample.pair(baseline, contender, policy);
            return Ok(());
        }
        Pairing::Block => {
            let (baseline, contender) = of_blocks();
            check_blocks(observations, assignment, &baseline, &contender).map_err(fault)?;
            true
        }
        Pairing::Auto => pair_by_blocks(&[&measured_baseline, &measured_contender]),
    };
    let several = runs_baseline.is_some_and(|runs| runs > 1) && runs_contender.is_some_and(|runs| runs > 1);
    let rounds = || are_rounds(&measured_baseline) && are_rounds(&measured_contender);
    if paired && several && !rounds() {
        let relative = against_blocks(&[&measured_baseline, &measured_contender]);
        sample.nest([&relative[0], &relative[1]], policy);
    } else if paired {
        sample.design = Design::Paired;
        let (baseline, contender) = of_blocks();
        let (_, baseline, contender) = sample.match_blocks(&baseline, &contender);
        sample.pair(&baseline, &contender, policy);
    } else if several && (runs_baseline < Some(baseline.len()) || runs_contender < Some(contender.len())) {
        sample.nest_runs([&measured_baseline, &measured_contender].map(|side| values_of_runs(side)), policy);
        sample.note_rounding([baseline, contender]);
    } else {
        let single = baseline.len() == 1 && contender.len() == 1;
        sample.design = if single { Design::Suite } else { Design::Independent };
        sample.is_series = !several;
        sample.take(baseline, contender, policy);
        if let ([baseline], [contender]) = (&measured_baseline[..], &measured_contender[..]) {
            sample.summarise(baseline, contender, policy);
        }
    }
    Ok(())
}

fn is_exact(rule: &MetricRule, baseline: &[f64], contender: &[f64], warnings: &mut u32) -> bool {
    let constant = |values: &[f64]| values.iter().all(|&value| value == values[0]);
    let agrees = constant(baseline) && constant(contender);
    if rule.assumed_exact && !agrees {
        *warnings |= Warning::ExactVaries.bit();
    }
    agrees
        && (rule.assumed_exact
            || (rule.may_be_exact && baseline.len() >= EXACT_FROM && contender.len() >= EXACT_FROM))
}
