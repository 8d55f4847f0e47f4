//! Weighs observations: from assignment to rows with estimates and verdicts.
//!
//! `observations + assignment + policy → grouping → sample → estimate → correction → advice → judge → rows`.
//! All decisions of users arrive in [`Assignment`] and [`Policy`]; this crate has no defaults.
//!
//! One judge (`judge.rs`): no other code calls a row better or worse. A new verdict touches the judge, the table
//! (`verdict.rs`), its text in the catalogue and its tests; nothing else lists verdicts. Runs of a cluster become
//! observations (`cluster/observations.py`), in which each value is a mean and has its number of samples, and pass
//! through the same stages.
//!
//! A metric states which of its parameters is compared (`readers/metric.rs`, `Estimand`): the typical value, by
//! ranks; or the mean over all samples (`means.rs`), by runs, otherwise by blocks that both sides have, otherwise as
//! a series in batches.
//!
//! All p-values of a comparison are one family, whatever is displayed (docs/decisions).
//!
//! One correction for any number of runs, rows and variants (`family.rs`, `kernels/pooled_null.rs`), so that no
//! verdict depends on a threshold of these numbers. Nothing in it depends on an outcome.
//!
//! A metric knows more than a row: the variance of few units (`few_units.rs`), the dependence of neighbours
//! (`dependence.rs`) and what the runs of all benchmarks have in common (`common_part.rs`) are estimated over all
//! rows of the metric.
//!
//! A single run against several is predicted from them, and they show how often such a prediction fails
//! (`single_run.rs`).
//!
//! What runs cannot show is allowed for, and said (`session.rs`): builds measured in one session each. The allowance
//! enters interval and verdict; the row's p remains what its runs show. The sessions of one build measure it
//! (`comparison/weighing/self_test.py`).
//!
//! What is shown because it was called is corrected for that (`selection.rs`): the last step widens the intervals of
//! called rows, so that verdicts and forecasts never depend on it.
//!
//! Own parts are other values, not another judge (`own_part.rs`): `--apart` divides the observations before they are
//! weighed. No gate takes them.
//!
//! A build has one level (`level_change.rs`): where it has two, the row says so instead of a typical change. What no
//! row shows and all together do belongs to the summary of the metric, and the answer states it: a spread,
//! a shift, an order of the runs (`suite.rs`).
//!
//! Failures come first (`validity.rs`): a metric's role says that it counts failures (`readers/metric.rs`, `Role`),
//! and where the contender fails more, no other row of the benchmark is better.
//!
//! A row has three questions (`judge.rs`): the typical value decides better or worse; tail and spread (`tail.rs`,
//! `spread.rs`, `questions.rs`) can object to "equivalent".
//!
//! Pooling creates strata, not runs. Files that differ in a factor that the user pooled are not runs of the same
//! thing: a block belongs to its level, and one process at each level is one process (`blocks.rs`).

mod advice;
mod answer;
mod assignment;
mod blocks;
mod choice;
mod codes;
mod common_part;
mod dependence;
pub mod distribution;
mod draw;
mod estimate;
mod family;
mod few_units;
mod grouping;
pub mod inspection;
mod interaction;
mod judge;
mod level_change;
mod levels;
mod margin;
mod mean_change;
mod means;
mod omnibus;
mod ordering;
mod own_part;
mod policy;
mod questions;
mod raw_values;
mod row;
mod sample;
mod selection;
pub mod self_test;
mod session;
mod severity;
mod shape_warnings;
mod share;
mod single_run;
mod spread;
mod suite;
mod tail;
mod tally;
mod units;
mod validity;
mod verdict;
mod warnings;
mod weighing;

use rayon::prelude::*;
use statera_readers::Observations;

pub use answer::{Answer, Sizes};
pub use assignment::{Assignment, MetricRule, Pairing};
pub use choice::{Choice, UnknownWord};
pub use draw::PairingFault;
pub use family::{Family, How};
pub use grouping::Job;
pub use interaction::{Interaction, InteractionTest};
pub use margin::{Margin, OwnMargins};
pub use omnibus::{Omnibus, OmnibusTest};
pub use ordering::{Section, Sort};
pub use own_part::{Shared, own_part};
pub use policy::{Correction, PairedOmnibus, Policy, ScaleChoice};
pub use raw_values::{RawValues, raw_values};
pub use row::{
    Centre, Design, LevelChange, MeanChange, Noise, Reason, Row, Scale, Side, Spread, Tail, TailShift,
    Warning,
};
pub use suite::SuiteOrder;
pub use suite::SuiteSpread;
pub use suite::{SuiteMean, Summary};
pub use tally::Kind;
pub use verdict::{Facts, Harm, Part, TABLE, Verdict};
pub use weighing::Weighing;

/// Weighs the pairs of variants.
///
/// # Errors
/// If the data do not allow the pairing that was requested.
pub fn weigh(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
) -> Result<Weighing, PairingFault> {
    let cells = grouping::group(observations, assignment);
    let (jobs, elsewhere) = cells.jobs(assignment);
    let one = |sample: &mut sample::Sample, job: &Job, widening| {
        let share = share::of(observations, assignment, &cells, job.cell, &[job.baseline, job.contender]);
        draw::draw(observations, assignment, &policy.at(share), &cells, job, sample)?;
        Ok(estimate::estimate(sample, assignment, policy, job, share, widening))
    };
    let rows: Result<Vec<(Row, units::Kept)>, PairingFault> = jobs
        .par_iter()
        .with_min_len(16)
        .map_init(sample::Sample::default, |sample, job| Ok((one(sample, job, None)?, sample.keep())))
        .collect();
    let (mut rows, samples): (Vec<Row>, Vec<units::Kept>) = rows?.into_iter().unzip();
    let widenings = dependence::widenings(&rows, &samples, policy.alpha);
    rows.par_iter_mut()
        .zip(&jobs)
        .zip(&widenings)
        .filter(|(_, widening)| widening.matters())
        .try_for_each_init(sample::Sample::default, |sample, ((row, job), widening)| {
            *row = one(sample, job, Some(*widening))?;
            Ok(())
        })?;
    few_units::decide(&mut rows, &samples, policy);
    single_run::correct(&mut rows, &samples, policy);
    let mut omnibus = omnibus::omnibus(observations, assignment, policy, &cells, &rows);
    let family = family::correct(observations, policy, &mut rows, &samples, &widenings, &mut omnibus);
    let shape_share = questions::correct(&mut rows, policy);
    level_change::look(&mut rows, &samples, assignment, policy);
    advice::advise(&mut rows, &family, assignment, policy);
    session::allow(observations, &cells, &jobs, policy, &mut rows);
    rows.par_iter_mut().for_each(|row| judge::judge(row, assignment, policy));
    level_change::explain(&mut rows);
    let failing = validity::look(observations, assignment, policy, &mut rows, &samples);
    levels::mark(&mut rows, &cells, assignment);
    questions::detail(observations, assignment, policy, &cells, &jobs, &mut rows);
    let summaries = suite::summarise(&rows, &samples, assignment.pairing, policy);
    let interactions = interaction::interactions(observations, assignment, policy, &cells, &jobs, &rows);
    selection::adjust(&mut rows, &family, policy);
    let rules = &assignment.metrics;
    Ok(Weighing {
        rows,
        summaries,
        family,
        shape_share,
        omnibus,
        interactions,
        elsewhere,
        failing,
        directions: rules.iter().map(|rule| rule.and_then(|rule| rule.better)).collect(),
        alpha: statera_kernels::alpha(policy.confidence()),
        margins: rules.iter().map(|rule| rule.map(|rule| rule.margin)).collect(),
        own_margins: assignment.own_margins.clone(),
    })
}
