//! Differences along the distribution: quantiles of each variant, and the shift function of each pair of variants.

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::ShiftPoint;
use statera_readers::Observations;

use crate::assignment::Assignment;
use crate::draw::{PairingFault, draw};
use crate::policy::Policy;
use crate::row::{Design, Row, Scale};
use crate::sample::Sample;

/// The quantiles of one variant's values of a benchmark and metric (type 7).
#[derive(Debug, Clone, PartialEq)]
pub struct Quantiles {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The variant's number.
    pub variant: u32,
    /// The number of values.
    pub n: u32,
    /// Their median.
    pub median: f64,
    /// Their interquartile range.
    pub iqr: f64,
    /// The quantiles at the requested levels.
    pub at: Vec<f64>,
}

/// The shift function of a row with simultaneous bands.
#[derive(Debug, Clone, PartialEq)]
pub struct ShiftFunction {
    /// The row's number.
    pub row: u32,
    /// One point per level; changes are relative on the ratio scale.
    pub points: Vec<ShiftPoint>,
}

/// Returns the quantiles of every variant of every cell.
#[must_use]
pub fn quantiles(observations: &Observations, assignment: &Assignment, levels: &[f64]) -> Vec<Quantiles> {
    let cells = crate::grouping::group(observations, assignment);
    let one = |cell: usize| {
        let (group, metric, benchmark) = cells.keys()[cell];
        let cells = &cells;
        (0..assignment.variants).filter_map(move |variant| {
            let mut sorted = cells.of(variant).values(cell).to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            (!sorted.is_empty()).then(|| Quantiles {
                group,
                metric,
                benchmark,
                variant,
                n: sorted.len() as u32,
                median: kernels::quantile_sorted(&sorted, 0.5),
                iqr: kernels::quantile_sorted(&sorted, 0.75) - kernels::quantile_sorted(&sorted, 0.25),
                at: levels.iter().map(|&level| kernels::quantile_sorted(&sorted, level)).collect(),
            })
        })
    };
    (0..cells.keys().len()).into_par_iter().flat_map_iter(one).collect()
}

/// Returns the shift function of every row that has a test, at these levels.
///
/// # Errors
/// If the data do not allow the pairing that was requested.
pub fn shift_functions(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    rows: &[Row],
    levels: &[f64],
) -> Result<Vec<ShiftFunction>, PairingFault> {
    let cells = crate::grouping::group(observations, assignment);
    let (jobs, _) = cells.jobs(assignment);
    let mut found = Vec::new();
    let mut sample = Sample::default();
    for (i, (job, row)) in jobs.iter().zip(rows).enumerate().filter(|(_, (_, row))| row.p.is_some()) {
        draw(observations, assignment, policy, &cells, job, &mut sample)?;
        if let Some(points) = shift_at(&sample, row, &policy.at(row.share), levels) {
            found.push(ShiftFunction { row: i as u32, points });
        }
    }
    Ok(found)
}

/// Returns the shift function of a sample. The kernel takes values, but on the ratio scale the sample holds logarithms.
pub(crate) fn shift_at(
    sample: &Sample,
    row: &Row,
    policy: &Policy,
    levels: &[f64],
) -> Option<Vec<ShiftPoint>> {
    let log = row.scale == Scale::Ratio;
    let plain = |values: &[f64]| -> Vec<f64> {
        values.iter().map(|&value| if log { value.exp() } else { value }).collect()
    };
    let (baseline, contender) = (plain(&sample.baseline.measured), plain(&sample.contender.measured));
    let paired = row.design == Design::Paired;
    let seed = policy.seed;
    kernels::shift_function(
        &baseline,
        &contender,
        paired,
        log,
        levels,
        policy.confidence(),
        policy.resamples,
        seed,
    )
}
