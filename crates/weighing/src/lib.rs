//! Weighs observations: from assignment to rows with estimates and verdicts.
//!
//! `observations + assignment + policy → grouping → sample → estimate → correction → judge → rows`.
//! All decisions of users arrive in [`Assignment`] and [`Policy`]; this crate has no defaults.

mod assignment;
mod blocks;
mod choice;
mod codes;
pub mod distribution;
mod draw;
mod estimate;
mod family;
mod grouping;
pub mod inspection;
mod interaction;
mod judge;
mod means;
mod omnibus;
mod ordering;
mod policy;
mod raw_values;
mod row;
mod sample;
pub mod self_test;
mod severity;
mod suite;
mod tally;
mod ties;
mod units;
mod warnings;

use rayon::prelude::*;
use statera_readers::{Better, Observations};

pub use assignment::{Assignment, MetricRule, Pairing};
pub use choice::{Choice, UnknownWord};
pub use draw::PairingFault;
pub use family::{Family, How};
pub use grouping::Job;
pub use interaction::{Interaction, InteractionTest};
pub use omnibus::{Omnibus, OmnibusTest};
pub use ordering::{Section, Sort};
pub use policy::{Correction, PairedOmnibus, Policy, ScaleChoice};
pub use raw_values::{RawValues, raw_values};
pub use row::{Centre, Design, Reason, Row, Scale, Side, Verdict, Warning};
pub use suite::{SuiteMean, Summary};
pub use tally::Kind;

/// All rows of a comparison, and the summary of each metric.
#[derive(Debug, Default)]
pub struct Weighing {
    /// One row per group, metric, benchmark and pair of variants.
    pub rows: Vec<Row>,
    /// One per group, metric and pair of variants.
    pub summaries: Vec<Summary>,
    /// The rows that carry a p-value, and how they were corrected together.
    pub family: Family,
    /// Tests over three or more variants, one per group, metric and benchmark.
    pub omnibus: Vec<Omnibus>,
    /// Comparisons of effects between the groups of a factorial layout.
    pub interactions: Vec<Interaction>,
    /// The jobs that have no row because their other side was measured in other circumstances, each with the variant that
    /// has values.
    pub elsewhere: Vec<(Job, u32)>,
    /// For each metric the direction that is better; `None` if unknown.
    pub directions: Vec<Option<Better>>,
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
    let rows: Result<Vec<(Row, units::Kept)>, PairingFault> = jobs
        .par_iter()
        .with_min_len(16)
        .map_init(sample::Sample::default, |sample, job| {
            draw::draw(observations, assignment, policy, &cells, job, sample)?;
            Ok((estimate::estimate(sample, assignment, policy, job), sample.keep()))
        })
        .collect();
    let (mut rows, samples): (Vec<Row>, Vec<units::Kept>) = rows?.into_iter().unzip();
    let mut omnibus = omnibus::omnibus(observations, assignment, policy, &cells, &rows);
    let family = family::correct(observations, assignment, policy, &cells, &jobs, &mut rows, &mut omnibus);
    rows.par_iter_mut().for_each(|row| judge::judge(row, &assignment.metrics, policy));
    let summaries = suite::summarise(&rows, &samples, policy);
    let interactions = interaction::interactions(observations, assignment, policy, &cells, &jobs, &rows);
    let directions = assignment.metrics.iter().map(|rule| rule.and_then(|rule| rule.better)).collect();
    Ok(Weighing { rows, summaries, family, omnibus, interactions, elsewhere, directions })
}
