//! Draws the sample of a row: finds the design of its data and takes its units from it.

use statera_readers::{Estimand, Observations};

use crate::assignment::{Assignment, MetricRule, Pairing};
use crate::blocks::{against_blocks, check_blocks, count_runs, has_blocks, measured, per_run};
use crate::grouping::{Cells, Job};
use crate::means;
use crate::policy::Policy;
use crate::row::{Design, Warning};
use crate::sample::Sample;

/// The least number of equal values a side that makes a count exact.
const EXACT_FROM: usize = 3;

/// A pairing that was asked for and does not hold.
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
/// When a pairing was asked for that the row cannot give.
pub fn draw(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    job: &Job,
    sample: &mut Sample,
) -> Result<(), PairingFault> {
    let old = cells.of(job.base).values(job.cell);
    let new = cells.of(job.contender).values(job.cell);
    let rule = assignment.metrics[job.metric as usize].as_ref();
    sample.reset(old.len(), new.len());
    let runs = |variant: u32| measured(observations, assignment, cells, variant, job.cell);
    if observations.metrics[job.metric as usize].estimand == Estimand::Mean {
        means::draw(sample, &runs(job.base), &runs(job.contender), assignment.pairing);
        return Ok(());
    }
    if old.is_empty() || new.is_empty() {
        sample.take(old, new, policy);
        return Ok(());
    }
    if rule.is_some_and(|rule| is_exact(rule, old, new, &mut sample.warnings)) {
        sample.design = Design::Exact;
        sample.take(old, new, policy);
        return Ok(());
    }
    let (measured_old, measured_new) = (runs(job.base), runs(job.contender));
    let fault = |why: String| PairingFault { benchmark: job.benchmark, metric: job.metric, why };
    let paired = match assignment.pairing {
        Pairing::Unpaired => false,
        Pairing::Order => {
            if old.len() != new.len() {
                return Err(fault(format!(
                    "there are {} values and {} values, which cannot be paired by order",
                    old.len(),
                    new.len()
                )));
            }
            sample.design = Design::Paired;
            sample.pair(old, new, policy);
            return Ok(());
        }
        Pairing::Block => {
            check_blocks(observations, assignment, &measured_old, &measured_new).map_err(fault)?;
            true
        }
        Pairing::Auto => has_blocks(&measured_old) && has_blocks(&measured_new),
    };
    let (runs_old, runs_new) = (count_runs(&measured_old), count_runs(&measured_new));
    let one_process = |side: Option<usize>, values: usize| side == Some(1) && values > 1;
    if one_process(runs_old, old.len()) || one_process(runs_new, new.len()) {
        sample.warnings |= Warning::OneProcess.bit();
    }
    let several = runs_old.is_some_and(|runs| runs > 1) && runs_new.is_some_and(|runs| runs > 1);
    if paired && several {
        let relative = against_blocks(&[&measured_old, &measured_new]);
        sample.nest([&relative[0], &relative[1]], runs_old, runs_new, policy);
    } else if paired {
        sample.design = Design::Paired;
        let (_, old, new) = sample.match_blocks(&measured_old, &measured_new);
        sample.pair(&old, &new, policy);
    } else if several && (runs_old < Some(old.len()) || runs_new < Some(new.len())) {
        sample.nest([&per_run(&measured_old), &per_run(&measured_new)], runs_old, runs_new, policy);
    } else {
        sample.design = if old.len() == 1 && new.len() == 1 { Design::Suite } else { Design::Independent };
        sample.take(old, new, policy);
    }
    Ok(())
}

fn is_exact(rule: &MetricRule, old: &[f64], new: &[f64], warnings: &mut u32) -> bool {
    let constant = |values: &[f64]| values.iter().all(|&value| value == values[0]);
    let agrees = constant(old) && constant(new);
    if rule.assumed_exact && !agrees {
        *warnings |= Warning::ExactVaries.bit();
    }
    agrees
        && (rule.assumed_exact || (rule.may_be_exact && old.len() >= EXACT_FROM && new.len() >= EXACT_FROM))
}
