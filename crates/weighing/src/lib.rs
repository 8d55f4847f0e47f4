//! From observations to rows: what is compared with what, estimates, verdicts.
//!
//! `observations + layout + policy → grouping → sample → estimate → correction → judge → rows`.
//! Every decision that a user can take arrives in [`Layout`] and [`Policy`]; there is no default here.

mod blocks;
mod estimate;
mod grouping;
mod judge;
mod layout;
mod row;
mod sample;
mod suite;
mod ties;
mod units;
mod warnings;

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_readers::Observations;

pub use layout::{Layout, MetricRule, Pairing, Policy, ScaleChoice};
pub use row::{Centre, Design, Reason, Row, Scale, Side, Verdict, Warning};
pub use sample::PairingFault;
pub use suite::Summary;

/// All rows of a comparison, and the summary of each metric.
#[derive(Debug, Default)]
pub struct Weighing {
    /// One row per group, metric, benchmark and contender.
    pub rows: Vec<Row>,
    /// One per group, metric and contender.
    pub summaries: Vec<Summary>,
    /// How many rows carry a p-value: the family that was corrected.
    pub family: usize,
}

/// Weighs every contender against the baseline.
///
/// # Errors
/// When a pairing was asked for that the data cannot give.
pub fn weigh(
    observations: &Observations,
    layout: &Layout,
    policy: &Policy,
) -> Result<Weighing, PairingFault> {
    let cells = grouping::group(observations, layout);
    let jobs = cells.jobs(layout);
    let rows: Result<Vec<(Row, units::Kept)>, PairingFault> = jobs
        .par_iter()
        .with_min_len(16)
        .map_init(sample::Sample::default, |sample, job| {
            sample::draw(observations, layout, policy, &cells, job, sample)?;
            Ok((estimate::estimate(sample, layout, policy, job), sample.keep()))
        })
        .collect();
    let (mut rows, samples): (Vec<Row>, Vec<units::Kept>) = rows?.into_iter().unzip();
    let family = correct(&mut rows, policy);
    rows.par_iter_mut().for_each(|row| judge::judge(row, &layout.metrics, policy));
    let summaries = suite::summarise(&rows, &samples, policy);
    Ok(Weighing { rows, summaries, family })
}

/// Corrects the p-values of all rows as one family; returns its size.
fn correct(rows: &mut [Row], policy: &Policy) -> usize {
    let p: Vec<f64> = rows.iter().map(|row| row.p.unwrap_or(f64::NAN)).collect();
    let adjusted = kernels::adjust(&p, policy.correction);
    for (row, adjusted) in rows.iter_mut().zip(adjusted) {
        row.p_corrected = row.p.map(|_| adjusted);
    }
    p.iter().filter(|p| !p.is_nan()).count()
}
