//! Weighs observations: from assignment to rows with estimates and verdicts.
//!
//! `observations + assignment + policy → grouping → sample → estimate → correction → advice → judge → rows`.
//! All decisions of users arrive in [`Assignment`] and [`Policy`]; this crate has no defaults.

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
mod spread;
mod suite;
mod suite_order;
mod suite_spread;
mod tail;
mod tally;
mod ties;
mod units;
mod validity;
mod verdict;
mod warnings;

use rayon::prelude::*;
use statera_readers::{Better, Observations};

pub use answer::{Answer, Sizes};
pub use assignment::{Assignment, MetricRule, Pairing};
pub use choice::{Choice, UnknownWord};
pub use draw::PairingFault;
pub use family::{Family, How};
pub use grouping::Job;
pub use interaction::{Interaction, InteractionTest};
pub use level_change::LevelChange;
pub use omnibus::{Omnibus, OmnibusTest};
pub use ordering::{Section, Sort};
pub use own_part::{Shared, own_part};
pub use policy::{Correction, PairedOmnibus, Policy, ScaleChoice};
pub use raw_values::{RawValues, raw_values};
pub use row::{Centre, Design, MeanChange, Noise, Reason, Row, Scale, Side, TailShift, Warning};
pub use spread::Spread;
pub use suite::{SuiteMean, Summary};
pub use suite_order::SuiteOrder;
pub use suite_spread::SuiteSpread;
pub use tail::Tail;
pub use tally::Kind;
pub use verdict::{Facts, Harm, Part, TABLE, Verdict};

/// All rows of a comparison, and the summary of each metric.
#[derive(Debug, Default)]
pub struct Weighing {
    /// One row per group, metric, benchmark and pair of variants.
    pub rows: Vec<Row>,
    /// One per group, metric and pair of variants.
    pub summaries: Vec<Summary>,
    /// The rows that carry a p-value, and how they were corrected together.
    pub family: Family,
    /// The share of alpha that tails and spreads take; 0 if none of them could be significant.
    pub shape_share: f64,
    /// Tests over three or more variants, one per group, metric and benchmark.
    pub omnibus: Vec<Omnibus>,
    /// Comparisons of effects between the groups of a factorial layout.
    pub interactions: Vec<Interaction>,
    /// The jobs that have no row because their other side was measured in other circumstances, each with the variant that
    /// has values.
    pub elsewhere: Vec<(Job, u32)>,
    /// For each metric the direction that is better; `None` if unknown.
    pub directions: Vec<Option<Better>>,
    /// The level of the verdicts.
    pub alpha: f64,
    /// For each metric the margin of equivalence; NaN if it is not compared.
    pub margins: Vec<f64>,
}

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
    let mut omnibus = omnibus::omnibus(observations, assignment, policy, &cells, &rows);
    let family = family::correct(observations, policy, &mut rows, &samples, &widenings, &mut omnibus);
    let shape_share = questions::correct(&mut rows, policy);
    level_change::look(&mut rows, &samples, &assignment.metrics, policy);
    advice::advise(&mut rows, &family, &assignment.metrics, policy);
    session::allow(observations, &cells, &jobs, policy, &mut rows);
    rows.par_iter_mut().for_each(|row| judge::judge(row, &assignment.metrics, policy));
    level_change::explain(&mut rows);
    validity::look(observations, assignment, policy, &mut rows);
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
        directions: rules.iter().map(|rule| rule.and_then(|rule| rule.better)).collect(),
        alpha: statera_kernels::alpha(policy.confidence()),
        margins: rules.iter().map(|rule| rule.map_or(f64::NAN, |rule| rule.margin)).collect(),
    })
}
