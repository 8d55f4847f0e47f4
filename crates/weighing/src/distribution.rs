//! Where in the distribution the variants differ: quantiles of each variant, and the shift function of each pair.

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_readers::Observations;

use crate::layout::Layout;

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
    /// How many values.
    pub n: u32,
    /// Their median.
    pub median: f64,
    /// Their interquartile range.
    pub iqr: f64,
    /// The quantiles asked for.
    pub at: Vec<f64>,
}

/// The quantiles of every variant of every cell.
pub fn quantiles(observations: &Observations, layout: &Layout, levels: &[f64]) -> Vec<Quantiles> {
    let cells = crate::grouping::group(observations, layout);
    let one = |cell: usize| {
        let (group, metric, benchmark) = cells.keys()[cell];
        let cells = &cells;
        (0..layout.variants).filter_map(move |variant| {
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
