//! What each benchmark did apart from what all benchmarks of a suite share.
//!
//! On a bad day the machine moves all benchmarks of a run together, and hides what one of them did. The factor of a run is
//! the median of the benchmarks' deviations, of which each leaves itself out; divided by it, values show what a benchmark
//! did by itself. A change of everything is then gone, so that no gate may ask these values.

use statera_kernels as kernels;
use statera_readers::{Estimand, Observations, Quantity};

use crate::assignment::Assignment;
use crate::grouping::{Cells, group_keeping};

/// The fewest benchmarks that tell what they share.
const FROM: usize = 10;

/// What the benchmarks of a metric share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The variant's number.
    pub variant: u32,
    /// By how much all of them differ from the baseline together, relative.
    pub change: f64,
    /// Number of benchmarks whose values were divided.
    pub rows: u32,
}

/// Returns the observations without what the benchmarks of each group and metric share, and what that is: one for each
/// variant but the baseline. No machine changes counts and sizes, which stay as they are. So do benchmarks that have other
/// numbers of runs than most, or values that are not above zero, and those of a metric with fewer than ten.
#[must_use]
pub fn own_part(observations: &Observations, assignment: &Assignment) -> (Observations, Vec<Shared>) {
    let cells = group_keeping(observations, assignment, true);
    let baseline = assignment.pairs.first().map_or(0, |pair| pair.0);
    let (mut found, mut shared) = (observations.clone(), Vec::new());
    let mut order: Vec<usize> = (0..cells.keys().len()).collect();
    let place = |cell: usize| (cells.keys()[cell].0, cells.keys()[cell].1);
    order.sort_by_key(|&cell| place(cell));
    for own in order.chunk_by(|&a, &b| place(a) == place(b)) {
        let (group, metric) = place(own[0]);
        let about = &observations.metrics[metric as usize];
        let is_timed = matches!(about.quantity, Quantity::Time | Quantity::Throughput);
        if assignment.metrics[metric as usize].is_none() || !is_timed || about.estimand == Estimand::Mean {
            continue;
        }
        let Some(suite) = Suite::of(own, &cells, assignment.variants) else { continue };
        let base = suite.mean_factors(baseline);
        for variant in 0..assignment.variants {
            let change =
                kernels::median(&zipped(&suite.mean_factors(variant), &base, |own, base| own - base));
            suite.divide(variant, &base, &cells, &mut found.value);
            if variant != baseline {
                shared.push(Shared {
                    group,
                    metric,
                    variant,
                    change: change.exp_m1(),
                    rows: suite.rows.len() as u32,
                });
            }
        }
    }
    (found, shared)
}

fn zipped(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    a.iter().zip(b).map(|(&a, &b)| of(a, b)).collect()
}

/// The benchmarks of a group and metric that were measured in the same runs.
struct Suite {
    rows: Vec<usize>,
    /// The factor of each benchmark, for each variant and run: the median deviation of the others.
    factors: Vec<Vec<Vec<f64>>>,
}

impl Suite {
    /// `None` if they are too few.
    fn of(own: &[usize], cells: &Cells, variants: u32) -> Option<Self> {
        let counts =
            |&cell: &usize| (0..variants).map(|v| cells.of(v).values(cell).len()).collect::<Vec<usize>>();
        let positive =
            |&cell: &usize| (0..variants).all(|v| cells.of(v).values(cell).iter().all(|&value| value > 0.0));
        let mut rows: Vec<usize> = own.iter().copied().filter(positive).collect();
        rows.retain(|cell| counts(cell).iter().all(|&count| count > 0));
        rows.sort_by_key(counts);
        let same = rows.chunk_by(|a, b| counts(a) == counts(b)).max_by_key(|same| same.len());
        let rows = same.filter(|same| same.len() >= FROM)?.to_vec();
        let logs = |cell: usize, v: u32| {
            cells.of(v).values(cell).iter().map(|value| value.ln()).collect::<Vec<f64>>()
        };
        let levels: Vec<f64> = rows
            .iter()
            .map(|&cell| {
                kernels::mean(&(0..variants).map(|v| kernels::median(&logs(cell, v))).collect::<Vec<f64>>())
            })
            .collect();
        let factors = (0..variants).map(|v| {
            let of_rows: Vec<Vec<f64>> = rows.iter().map(|&cell| logs(cell, v)).collect();
            let of_run =
                |run: usize| of_rows.iter().zip(&levels).map(|(own, level)| own[run] - level).collect();
            let runs = of_rows.first().map_or(0, Vec::len);
            (0..runs).map(of_run).map(|deviations: Vec<f64>| medians_of_others(&deviations)).collect()
        });
        Some(Self { factors: factors.collect(), rows })
    }

    /// For each benchmark the mean factor over the runs of a variant.
    fn mean_factors(&self, variant: u32) -> Vec<f64> {
        let runs = &self.factors[variant as usize];
        (0..self.rows.len()).map(|i| runs.iter().map(|run| run[i]).sum::<f64>() / runs.len() as f64).collect()
    }

    /// Divides the values of a variant by their factors, beside those of the baseline, whose level stays.
    fn divide(&self, variant: u32, base: &[f64], cells: &Cells, values: &mut [f64]) {
        for (i, &cell) in self.rows.iter().enumerate() {
            for (&at, run) in cells.of(variant).rows(cell).iter().zip(&self.factors[variant as usize]) {
                values[at as usize] *= (base[i] - run[i]).exp();
            }
        }
    }
}

/// For each value the median of the others.
fn medians_of_others(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let others = sorted.len() - 1;
    values
        .iter()
        .map(|value| {
            let own = sorted.partition_point(|other| other.total_cmp(value).is_lt());
            let at = |rank: usize| sorted[if rank < own { rank } else { rank + 1 }];
            f64::midpoint(at((others - 1) / 2), at(others / 2))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::medians_of_others;

    #[test]
    fn a_value_is_no_part_of_the_median_of_the_others() {
        assert_eq!(medians_of_others(&[3.0, 1.0, 2.0]), [1.5, 2.5, 2.0]);
        assert_eq!(medians_of_others(&[4.0, 1.0, 2.0, 2.0]), [2.0; 4]);
    }
}
