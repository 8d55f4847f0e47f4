//! Inspects each sample by itself: is the benchmark fit to be compared, and which changes can its runs detect?

mod defect;
mod order;
mod ordering;
mod plan;
mod runs;
mod shape;
mod summary;

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_readers::Observations;

use crate::assignment::Assignment;
use crate::blocks::measured;
use crate::codes::coded;
use crate::grouping::{self, Cells};
use crate::policy::{Policy, ScaleChoice};
use crate::row::{Centre, Scale};
use crate::units::Units;
use crate::warnings;
use runs::Grouped;

pub use defect::{Defect, Grade};
pub use order::{Drift, Order};
pub use ordering::{InspectionSection, InspectionSort, order, sections};
use plan::Planner;
pub use plan::{CHANGES, Plan};
pub(crate) use runs::warms_up;
pub use runs::{Runs, Steadiness, Worth};
pub use shape::{NormalityTest, Shape};
pub use summary::InspectionSummary;

/// The least number of equal values that makes a count exact.
const EXACT_FROM: usize = 3;

coded! {
    /// The unit of the sample, which would be the unit of a test in a comparison.
    pub enum Sampled {
        /// Values.
        Values = "values",
        /// Processes or runs, each with the median of its values.
        Runs = "runs",
        /// Blocks, each measured once: they differ by their work, not by noise.
        Blocks = "blocks",
    }
}

/// The cost of measuring in seconds, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    /// Of a run before its first iteration: start and warm-up.
    pub run: Option<f64>,
    /// Of an iteration.
    pub iteration: Option<f64>,
    /// For each metric: whether a value is the time that its iteration took, and so the cost of an iteration.
    pub timed: Vec<bool>,
}

/// A benchmark and metric of one variant. Amounts are in the metric's base unit; NaN where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inspected {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The variant's number.
    pub variant: u32,
    /// The unit of the sample.
    pub sampled: Sampled,
    /// The scale on which it would be compared.
    pub scale: Scale,
    /// Whether the metric is deterministic and all values are equal, so that any difference is real.
    pub exact: bool,
    /// Number of values read.
    pub values: u32,
    /// Number of units: values, runs or blocks.
    pub n: u32,
    /// The median of the units.
    pub centre: Centre,
    /// Their interquartile range (quantiles of type 7).
    pub iqr: f64,
    /// Their median absolute deviation, not scaled.
    pub mad: f64,
    /// Their coefficient of variation.
    pub cv: f64,
    /// The shape of their distribution.
    pub shape: Shape,
    /// Drift and autocorrelation in their order of measurement.
    pub order: Order,
    /// Whether values change their level inside runs.
    pub steadiness: Steadiness,
    /// Number of different values.
    pub distinct: u32,
    /// Whether the different values are few, and their steps not small beside the margin.
    pub rounded: bool,
    /// The step of the grid on which all values lie; NaN if there is none.
    pub resolution: f64,
    /// Processes or runs, if the data states them.
    pub runs: Option<Runs>,
    /// The change that the units can detect, and the numbers of units that smaller changes need.
    pub plan: Plan,
    /// The margin of the metric.
    pub margin: f64,
    /// Bits of [`Defect`].
    pub defects: u32,
}

/// Inspects every variant of every benchmark and metric.
#[must_use]
pub fn inspect(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    costs: &Costs,
) -> Vec<Inspected> {
    let cells = grouping::group(observations, assignment);
    let held = |&(cell, variant): &(usize, u32)| !cells.of(variant).values(cell).is_empty();
    let all =
        (0..cells.keys().len()).flat_map(|cell| (0..assignment.variants).map(move |variant| (cell, variant)));
    let places: Vec<(usize, u32)> = all.filter(held).collect();
    let planner = Planner::new(policy);
    let work = Work { observations, assignment, policy, costs, cells: &cells, planner: &planner };
    places
        .par_iter()
        .with_min_len(16)
        .map_init(Units::default, |units, &(cell, variant)| work.one(cell, variant, units))
        .collect()
}

struct Work<'a> {
    observations: &'a Observations,
    assignment: &'a Assignment,
    policy: &'a Policy,
    costs: &'a Costs,
    cells: &'a Cells,
    planner: &'a Planner,
}

impl Work<'_> {
    fn one(&self, cell: usize, variant: u32, units: &mut Units) -> Inspected {
        let (group, metric, benchmark) = self.cells.keys()[cell];
        let values = self.cells.of(variant).values(cell);
        let rule = self.assignment.metrics[metric as usize].as_ref();
        let counted = rule.is_some_and(|rule| rule.may_be_exact);
        let measured = measured(self.observations, self.assignment, self.cells, (variant, &[variant]), cell);
        let grouped = Grouped::new(values, &measured, self.assignment.pairing);
        let constant = values.iter().all(|&value| value == values[0]);
        let positive = values.iter().all(|&value| value > 0.0);
        let ratio = positive && self.policy.scale == ScaleChoice::Auto;
        let scale = if ratio { Scale::Ratio } else { Scale::Difference };
        units.set(grouped.units.iter().copied());
        let centre = units.centre(self.policy.confidence());
        let margin = rule.map_or(0.0, |rule| rule.margin);
        let mut row = Inspected {
            group,
            metric,
            benchmark,
            variant,
            sampled: grouped.sampled,
            scale,
            exact: constant
                && rule.is_some_and(|rule| {
                    rule.assumed_exact || (rule.may_be_exact && values.len() >= EXACT_FROM)
                }),
            values: values.len() as u32,
            n: units.len() as u32,
            centre,
            iqr: kernels::iqr(&units.measured),
            mad: kernels::mad(&units.measured),
            cv: kernels::coefficient_of_variation(&units.measured),
            shape: Shape::of(&units.measured, positive),
            order: Order::default(),
            steadiness: grouped.steadiness(rule.and_then(|rule| rule.better)),
            distinct: kernels::distinct(values) as u32,
            rounded: rounded(values, margin * centre.value.abs()),
            resolution: kernels::timer_resolution(values).unwrap_or(f64::NAN),
            runs: None,
            plan: Plan::NONE,
            margin,
            defects: 0,
        };
        if ratio {
            units.take_logs();
        }
        row.shape.outliers = kernels::outliers_sorted(&units.sorted) as u32;
        row.order = Order::of(units, scale);
        row.runs = grouped.runs(&row, self.costs, self.policy);
        row.plan = Plan::of(&row, units, self.planner);
        row.defects = defect::defects(&row, counted);
        row
    }
}

fn rounded(values: &[f64], margin: f64) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    warnings::rounded(&[&sorted], margin)
}

impl Inspected {
    /// Whether the row has a defect.
    #[must_use]
    pub fn has(&self, defect: Defect) -> bool {
        self.defects & defect.bit() != 0
    }

    /// Its defects, the worst first.
    pub fn list(&self) -> impl Iterator<Item = Defect> + '_ {
        Defect::ALL.into_iter().filter(|&defect| self.has(defect))
    }

    /// The grade of the row, which is that of its worst defect.
    #[must_use]
    pub fn grade(&self) -> Grade {
        self.list().map(Defect::grade).max().unwrap_or(Grade::Fit)
    }
}
