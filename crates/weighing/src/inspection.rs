//! Inspects each sample by itself: is the benchmark fit to be compared, and which changes can its runs detect?

use std::cmp::Ordering;

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::{
    Autocorrelation, Components, Dip, Forecast, Normality, Pilot, RobustComponents, WarmUp,
};
use statera_readers::{Better, Observations};

use crate::assignment::{Assignment, Pairing};
use crate::blocks::{Measured, are_rounds, count_runs, has_blocks, measured, per_run, relative_to_blocks};
use crate::codes::coded;
use crate::grouping::{self, Cells};
use crate::ordering::rank;
use crate::policy::{Policy, ScaleChoice};
use crate::row::{Centre, Scale};
use crate::units::Units;
use crate::warnings::{self, ALIKE, DISTINCT_FROM, ORDER_FROM, PLAIN};

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
        let rule = self.assignment.rule(metric, benchmark);
        let counted = rule.is_some_and(|rule| rule.may_be_exact);
        let measured = measured(self.observations, self.assignment, self.cells, (variant, &[variant]), cell);
        let grouped = Grouped::new(values, &measured, self.assignment.pairing);
        let constant = values.iter().all(|&value| value == values[0]);
        let positive = values.iter().all(|&value| value > 0.0);
        let ratio = positive && self.policy.scale == ScaleChoice::Auto;
        let scale = if ratio { Scale::Ratio } else { Scale::Difference };
        units.set(grouped.units.iter().copied());
        let centre = units.centre(self.policy.confidence());
        let margin = rule.map_or(0.0, |rule| rule.margin.relative(centre.value));
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
        row.defects = defects(&row, counted);
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

// Derives the defects of a benchmark from its numbers: reasons why a comparison of it may not be reliable.

/// The dip test counts below this p-value.
const PLAIN_DIP: f64 = 0.01;
/// The minimum number of units for statements about modes and outliers.
const SHAPE_FROM: u32 = 8;

coded! {
    /// A defect of a row; the worst come first.
    pub enum Defect {
        /// A single unit: no test can be made.
        TooFew = "too-few",
        /// Values that should vary are all equal.
        Constant = "constant",
        /// Runs begin at a level other than that at which they settle.
        WarmUp = "warm-up",
        /// Units rise or fall over the order of measurement.
        Drift = "drift",
        /// The level changes and does not settle.
        Unsteady = "unsteady",
        /// Neighbouring units are correlated.
        Autocorrelation = "autocorrelation",
        /// Several modes.
        SeveralModes = "several-modes",
        /// The clock or the printed digits have steps larger than the margin.
        CoarseClock = "coarse-clock",
        /// So few distinct values that they must be rounded.
        FewDistinct = "few-distinct",
        /// All values come from one process.
        OneProcess = "one-process",
        /// Too few units for a rank test: a comparison uses a t-test.
        FewProcesses = "few-processes",
        /// The smallest detectable change is above the margin.
        Noisy = "noisy",
        /// Blocks measured once each.
        ByBlock = "by-block",
        /// Runs differ by more than their iterations explain.
        RunsDiffer = "runs-differ",
        /// Values far outside.
        Outliers = "outliers",
    }
}

coded! {
    /// The grade of a row.
    pub enum Grade {
        /// Fit to be compared; changes of the margin are detectable.
        Fit = "fit",
        /// Fit to be compared, but changes of the margin are lost in the noise.
        Noisy = "noisy",
        /// The conclusions of a comparison may not hold.
        Doubtful = "doubtful",
        /// No comparison can be significant.
        Unfit = "unfit",
    }
}

impl Defect {
    /// Its bit in [`Inspected::defects`].
    #[must_use]
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The grade of a row that has only this defect.
    #[must_use]
    pub fn grade(self) -> Grade {
        match self {
            Self::TooFew | Self::Constant => Grade::Unfit,
            Self::Noisy => Grade::Noisy,
            Self::ByBlock | Self::RunsDiffer | Self::Outliers => Grade::Fit,
            _ => Grade::Doubtful,
        }
    }
}

/// Returns the defects of a row as bits. `counted` means that the metric is a count or a size, for which equal values
/// are not a sign of rounding.
fn defects(row: &Inspected, counted: bool) -> u32 {
    if row.exact {
        return 0;
    }
    let mut found = 0;
    let mut note = |defect: Defect, holds: bool| found |= if holds { defect.bit() } else { 0 };
    note(Defect::TooFew, row.plan.detectable == f64::INFINITY);
    let constant = row.distinct == 1 && row.values > 1;
    note(Defect::Constant, constant && !counted);
    let by_block = row.sampled == Sampled::Blocks;
    note(Defect::ByBlock, by_block);
    if let Some(defect) = in_order(row).filter(|_| !by_block) {
        note(defect, true);
    }
    let dips = row.shape.dip.is_some_and(|dip| dip.p <= PLAIN_DIP) && row.n >= SHAPE_FROM;
    note(Defect::SeveralModes, row.shape.modes > 1 && dips && !counted && !by_block);
    let steps = !counted && !constant && !by_block && row.values >= DISTINCT_FROM as u32;
    note(Defect::CoarseClock, steps && row.resolution > row.margin * row.centre.value.abs());
    note(Defect::FewDistinct, steps && row.rounded);
    let runs = row.runs.map(|runs| runs.count);
    note(Defect::OneProcess, runs == Some(1) && row.values > 1);
    note(Defect::FewProcesses, row.n > 1 && row.n < row.plan.ranks_from);
    note(Defect::Noisy, row.plan.detectable.is_finite() && row.plan.detectable > margin(row));
    let components = row.runs.and_then(|runs| runs.components);
    note(Defect::RunsDiffer, components.is_some_and(|parts| parts.p < PLAIN));
    note(Defect::Outliers, row.shape.outliers > 0 && row.n >= SHAPE_FROM && !by_block);
    found
}

fn margin(row: &Inspected) -> f64 {
    match row.scale {
        Scale::Ratio => row.margin,
        Scale::Difference => row.margin * row.centre.value.abs(),
    }
}

/// Returns the main defect of the order; the others follow from it.
fn in_order(row: &Inspected) -> Option<Defect> {
    let level = row.steadiness;
    if level.runs > 0 && level.warming * 2 >= level.runs {
        return Some(if level.drifts_on { Defect::Drift } else { Defect::WarmUp });
    }
    if row.order.drift.is_some_and(|drift| drift.p < PLAIN) {
        return Some(Defect::Drift);
    }
    if level.runs > 0 && level.unsteady * 2 >= level.runs {
        return Some(Defect::Unsteady);
    }
    row.order.autocorrelation.is_some_and(|found| found.z > ALIKE).then_some(Defect::Autocorrelation)
}

// The order of measurement: drift and autocorrelation.

/// A trend over the order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Spearman's correlation of values and order.
    pub rho: f64,
    /// Two-sided p-value of the hypothesis of no trend.
    pub p: f64,
    /// The change from the median of the first half to that of the second: relative on the ratio scale, otherwise in the
    /// unit.
    pub change: f64,
}

/// Drift and autocorrelation of the units; `None` below eight units and if all are equal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Order {
    /// The trend.
    pub drift: Option<Drift>,
    /// The correlation of each unit with the previous one, on the row's scale.
    pub autocorrelation: Option<Autocorrelation>,
}

impl Order {
    /// Analyses units on the row's scale.
    pub(crate) fn of(units: &Units, scale: Scale) -> Self {
        let values = &units.measured;
        Self { drift: drift(units, scale), autocorrelation: kernels::autocorrelation(values) }
    }
}

fn drift(units: &Units, scale: Scale) -> Option<Drift> {
    let values = &units.measured;
    let p = units.ranking.drift()?;
    let places: Vec<f64> = (0..values.len()).map(|place| place as f64).collect();
    let rho = kernels::order_correlation(values, &places)?.rho;
    let half = values.len() / 2;
    let step = kernels::median(&values[values.len() - half..]) - kernels::median(&values[..half]);
    Some(Drift { rho, p, change: if scale == Scale::Ratio { step.exp_m1() } else { step } })
}

// The order in which inspected rows are shown.

coded! {
    /// The order of inspected rows.
    pub enum InspectionSort {
        /// The order of the benchmarks in the files.
        File = "file",
        /// By the benchmark's name.
        Name = "name",
        /// By defects, the worst first.
        Defects = "defects",
    }
}

/// The inspected rows of one group and metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectionSection {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The numbers of its rows.
    pub rows: Vec<u32>,
}

/// Returns the sections by group and metric (times first).
#[must_use]
pub fn sections(rows: &[Inspected], observations: &Observations) -> Vec<InspectionSection> {
    let key = |index: u32| {
        let row = &rows[index as usize];
        (row.group, row.metric)
    };
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_by_key(|&index| (key(index).0, rank(observations, key(index).1), key(index).1));
    let section = |rows: &[u32]| {
        let (group, metric) = key(rows[0]);
        InspectionSection { group, metric, rows: rows.to_vec() }
    };
    order.chunk_by(|&a, &b| key(a) == key(b)).map(section).collect()
}

/// Sorts some rows.
#[must_use]
pub fn order(
    rows: &[Inspected],
    observations: &Observations,
    mut shown: Vec<u32>,
    sort: InspectionSort,
) -> Vec<u32> {
    let at = |index: u32| &rows[index as usize];
    match sort {
        InspectionSort::File => {}
        InspectionSort::Name => shown.sort_by_key(|&index| observations.benchmarks.get(at(index).benchmark)),
        InspectionSort::Defects => shown.sort_by(|&a, &b| worse(at(a), at(b))),
    }
    shown
}

/// The worse grade comes first, then more defects of that grade, then the larger change that noise hides.
fn worse(a: &Inspected, b: &Inspected) -> Ordering {
    let hidden = |row: &Inspected| Some(row.plan.detectable).filter(|change| !change.is_nan()).unwrap_or(0.0);
    let serious = |row: &Inspected| row.list().filter(|defect| defect.grade() == row.grade()).count();
    b.grade()
        .cmp(&a.grade())
        .then_with(|| serious(b).cmp(&serious(a)))
        .then_with(|| hidden(b).total_cmp(&hidden(a)))
}

// The plan of measurements: from the spread, the change that a comparison with as many units per side can
// detect, and the number of units that smaller changes need.

/// The changes for which the number of units needed is stated.
pub const CHANGES: [f64; 3] = [0.01, 0.02, 0.05];

/// A rank test of so many units can be significant at any level that a policy allows.
const ENOUGH: usize = 64;
/// With fewer processes, their means are compared by a t-test.
const RANKS_FROM: usize = 4;

/// The changes that units can detect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The smallest change that a comparison with as many units detects with the requested power: relative on the ratio
    /// scale, otherwise in the unit. Infinite if none is detectable; NaN if one sample does not suffice to compute it.
    pub detectable: f64,
    /// Number of units per side that detect the changes of [`CHANGES`]; NaN if one sample does not suffice to compute it.
    pub needed: [f64; 3],
    /// The same for the metric's margin.
    pub for_margin: f64,
    /// Number of units per side from which a comparison uses a rank test; with fewer it uses a t-test.
    pub ranks_from: u32,
}

impl Plan {
    /// The plan if nothing is known.
    pub const NONE: Self =
        Self { detectable: f64::NAN, needed: [f64::NAN; 3], for_margin: f64::NAN, ranks_from: 0 };

    /// Computes the plan of a row from its units on the row's scale.
    pub(crate) fn of(row: &Inspected, units: &Units, planner: &Planner) -> Self {
        if row.exact {
            return Self { detectable: 0.0, needed: [1.0; 3], for_margin: 1.0, ranks_from: 0 };
        }
        let n = units.len();
        // The spread of blocks is that of the work, which pairing removes; equal values have no spread.
        if row.sampled == Sampled::Blocks || (n > 1 && units.sorted[0] == units.sorted[n - 1]) {
            return Self::NONE;
        }
        let pilot =
            Pilot { spread: kernels::pooled_spread(&[&units.sorted]), df: n.max(2) - 1, paired: false };
        if pilot.spread.is_nan() {
            return Self { detectable: f64::INFINITY, ..Self::NONE };
        }
        let of_means = row.sampled == Sampled::Runs && n < RANKS_FROM;
        // The t-test of means decides; the t-test of few values does not, so the forecast of runs is for ranks.
        let least = if of_means { 2 } else { planner.least_runs };
        let ranks_from = if of_means { planner.least_runs.max(RANKS_FROM) } else { planner.least_runs };
        let shift = planner.forecast.detectable(&pilot, n, n);
        let needed = |change: f64| {
            let change = match row.scale {
                Scale::Ratio => change.ln_1p(),
                Scale::Difference => change * row.centre.value.abs(),
            };
            let needed = || planner.forecast.needed(&pilot, change, least).runs;
            if change > 0.0 { needed() } else { f64::NAN }
        };
        let detectable = if row.scale == Scale::Ratio { shift.exp_m1() } else { shift };
        let for_margin = needed(row.margin);
        Self { detectable, needed: CHANGES.map(needed), for_margin, ranks_from: ranks_from as u32 }
    }
}

/// The forecasts of a benchmark by itself, made once for all rows.
#[derive(Debug)]
pub(crate) struct Planner {
    forecast: Forecast,
    /// Units per side with which a rank test can be significant.
    least_runs: usize,
}

impl Planner {
    /// The forecasts of a policy.
    pub(crate) fn new(policy: &Policy) -> Self {
        let alpha = kernels::alpha(policy.confidence());
        let least_runs = kernels::least_runs(alpha, 1, ENOUGH).unwrap_or(ENOUGH);
        Self { forecast: Forecast::new(alpha, policy.power), least_runs }
    }
}

// Values by run: the unit, the steadiness of the runs, and the components of the variance.

/// The minimum distance of change points; closer ones are noise.
const MIN_SEGMENT: usize = 2;
/// The p-value below which levels differ; it is strict because change points are chosen where levels differ most.
const SHIFTING: f64 = 1e-4;
/// A warm-up takes at most one value in this many; a later change is not a warm-up.
const WARM_UP_SHARE: usize = 3;
/// The number of batches whose means tell a trend.
const TREND_BATCHES: usize = 50;
/// A first level that differs by less than this share of the steady one is a change of level like others.
const LEAST_WARM_UP: f64 = 0.05;

/// The values of a row as a comparison would group them.
struct Grouped {
    /// The unit of the sample.
    sampled: Sampled,
    /// The units, in the order of measurement.
    pub(crate) units: Vec<f64>,
    /// The number of processes or runs, if the data states it.
    count: Option<usize>,
    /// The values run by run, without the differences between blocks; a single run if runs are unknown.
    series: Vec<Vec<f64>>,
    /// Whether the series are logarithms.
    logs: bool,
    /// Whether every value is a run of its own, so that there is no warm-up.
    apart: bool,
}

/// The changes of level within one run.
enum Change {
    None,
    WarmUp(WarmUp),
    Other,
}

/// The changes of level within runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steadiness {
    /// Number of runs long enough to judge.
    pub runs: u32,
    /// Number of those runs that begin at a level other than that at which they end.
    pub warming: u32,
    /// Number of those runs that change their level without reaching a steady one.
    pub unsteady: u32,
    /// Number of values before the steady state: the median of the runs that warm up. NaN if none does.
    pub end: f64,
    /// The level before the steady state relative to the level in it, likewise: 0.2 means 20 % more at first.
    pub relative: f64,
    /// Whether the values of a single run continue to rise or fall in their steady state.
    pub drifts_on: bool,
}

/// The processes or runs, and the components of their variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Runs {
    /// Their number.
    pub count: u32,
    /// The components of the variance on the row's scale; `None` for a single run, or one value per run.
    pub components: Option<Components>,
    /// The same by run medians and differences of pairs, from which the numbers below follow.
    pub robust: Option<RobustComponents>,
    /// The cost of a run, in iterations, from which the present number of iterations per run is worthwhile. NaN if
    /// unknown.
    pub break_even: f64,
    /// The best numbers, if both costs are known.
    pub worth: Option<Worth>,
}

/// The numbers of runs and iterations with the lowest cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// Iterations per run.
    pub iterations: f64,
    /// Runs per side with this number of iterations that detect a change of the margin.
    pub runs: f64,
    /// Their cost in seconds.
    pub seconds: f64,
    /// The cost with the present number of iterations per run, in seconds.
    pub seconds_now: f64,
}

impl Grouped {
    /// Groups the values of a row; `measured` is empty if blocks and runs are unknown.
    pub(crate) fn new(values: &[f64], measured: &[Measured], pairing: Pairing) -> Self {
        let count = count_runs(measured);
        // Rounds repeat the same work, so that nothing but noise distinguishes them.
        let blocks = pairing != Pairing::Unpaired && has_blocks(measured) && !are_rounds(measured);
        let several = count.is_some_and(|runs| runs > 1);
        if !several || count >= Some(values.len()) {
            let sampled = if blocks { Sampled::Blocks } else { Sampled::Values };
            let (units, series) = (values.to_vec(), vec![values.to_vec()]);
            return Self { sampled, units, count, series, logs: false, apart: several };
        }
        let relative = if blocks { relative_to_blocks(&[measured]) } else { None };
        let logs = relative.is_some();
        let (taken, size) = match relative {
            Some((mut sides, size)) => (sides.pop().unwrap_or_default(), size),
            None => (measured.to_vec(), 0.0),
        };
        let units = per_run(&taken);
        let units = if logs { units.into_iter().map(|log| (log + size).exp()).collect() } else { units };
        Self { sampled: Sampled::Runs, units, count, series: by_run(&taken), logs, apart: false }
    }

    /// Looks for a warm-up and for changes of level in every run; `better` distinguishes a warm-up from a slowdown.
    fn steadiness(&self, better: Option<Better>) -> Steadiness {
        let mut found = Steadiness {
            runs: 0,
            warming: 0,
            unsteady: 0,
            end: f64::NAN,
            relative: f64::NAN,
            drifts_on: false,
        };
        if self.sampled == Sampled::Blocks {
            return found;
        }
        let (mut ends, mut sizes) = (Vec::new(), Vec::new());
        for series in self.series.iter().filter(|series| series.len() >= ORDER_FROM) {
            let plain: Vec<f64> =
                series.iter().map(|&value| if self.logs { value.exp() } else { value }).collect();
            found.runs += 1;
            match change(&plain, better) {
                Change::None => {}
                Change::WarmUp(_) if self.apart => found.unsteady += 1,
                Change::WarmUp(warm_up) => {
                    found.warming += 1;
                    ends.push(warm_up.end as f64);
                    sizes.push(warm_up.relative);
                    found.drifts_on |= self.series.len() == 1 && drifts(&plain, &warm_up);
                }
                Change::Other => found.unsteady += 1,
            }
        }
        (found.end, found.relative) = (kernels::median(&ends), kernels::median(&sizes));
        found
    }

    /// Returns the runs, if the data states them.
    pub(crate) fn runs(&self, row: &Inspected, costs: &Costs, policy: &Policy) -> Option<Runs> {
        let count = self.count? as u32;
        let mut runs = Runs { count, components: None, robust: None, break_even: f64::NAN, worth: None };
        if self.sampled != Sampled::Runs {
            return Some(runs);
        }
        let to_logs = row.scale == Scale::Ratio && !self.logs;
        let scaled: Vec<Vec<f64>> = self
            .series
            .iter()
            .map(|series| series.iter().map(|&value| if to_logs { value.ln() } else { value }).collect())
            .collect();
        let groups: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
        runs.components = kernels::variance_components(&groups, policy.confidence());
        runs.robust = kernels::robust_components(&groups);
        if let (Some(components), Some(RobustComponents { within, between, .. })) =
            (runs.components, runs.robust)
        {
            runs.break_even = components.size.powi(2) * between / within;
            // A few slow iterations would make the variance within runs seem large, and iterations useful.
            runs.worth = worth(row, &Components { within, between, ..components }, costs, policy);
        }
        Some(runs)
    }
}

/// Whether a series begins on a worse level and settles within its first third.
pub(crate) fn warms_up(series: &[f64], better: Option<Better>) -> bool {
    matches!(change(series, better), Change::WarmUp(_))
}

/// Whether the values after a warm-up continue to rise or fall, by half as much as it or more. The trend is that of the
/// means of batches: neighbours that resemble each other are not a trend.
fn drifts(series: &[f64], warm_up: &WarmUp) -> bool {
    let steady = &series[warm_up.end..];
    let means: Vec<f64> = steady.chunks(steady.len().div_ceil(TREND_BATCHES)).map(kernels::mean).collect();
    let quarter = steady.len().div_ceil(4);
    let (first, last) = (&steady[..quarter], &steady[steady.len() - quarter..]);
    let moved = kernels::median(last) - kernels::median(first);
    kernels::drift(&means).is_some_and(|p| p < PLAIN)
        && 2.0 * moved.abs() >= (warm_up.level_before - warm_up.level_after).abs()
}

fn change(series: &[f64], better: Option<Better>) -> Change {
    let starts = kernels::pelt(series, None, MIN_SEGMENT);
    if starts.is_empty() || !differ(series, &starts) {
        return Change::None;
    }
    let slow = |warm_up: &WarmUp| match better {
        Some(Better::Lower) => warm_up.level_before > warm_up.level_after,
        Some(Better::Higher) => warm_up.level_before < warm_up.level_after,
        None => true,
    };
    let matters = |warm_up: &WarmUp| {
        (warm_up.level_before - warm_up.level_after).abs() >= LEAST_WARM_UP * warm_up.level_after.abs()
    };
    kernels::warm_up_within(series, series.len() / WARM_UP_SHARE)
        .filter(|found| slow(found) && matters(found))
        .map_or(Change::Other, Change::WarmUp)
}

/// Whether the levels of the segments differ significantly (analysis of variance).
fn differ(series: &[f64], starts: &[usize]) -> bool {
    let ends = starts.iter().copied().chain([series.len()]);
    let segments: Vec<&[f64]> =
        [0].iter().chain(starts).zip(ends).map(|(&start, end)| &series[start..end]).collect();
    kernels::variance_components(&segments, 0.95).is_some_and(|parts| parts.p < SHIFTING)
}

/// Returns the values run by run; runs are in the order of their first value.
fn by_run(measured: &[Measured]) -> Vec<Vec<f64>> {
    let mut place = std::collections::HashMap::new();
    let mut runs: Vec<Vec<f64>> = Vec::new();
    for value in measured {
        let at = *place.entry(value.run).or_insert(runs.len());
        if at == runs.len() {
            runs.push(Vec::new());
        }
        runs[at].push(value.value);
    }
    runs
}

fn worth(row: &Inspected, components: &Components, costs: &Costs, policy: &Policy) -> Option<Worth> {
    let timed = costs.timed.get(row.metric as usize).copied().unwrap_or(false);
    let iteration = costs.iteration.or_else(|| timed.then_some(row.centre.value))?;
    let run = costs.run?;
    let change = match row.scale {
        Scale::Ratio => row.margin.ln_1p(),
        Scale::Difference => row.margin * row.centre.value.abs(),
    };
    if !(change > 0.0 && iteration > 0.0) {
        return None;
    }
    let needed = |iterations: f64| {
        kernels::runs_for(components, iterations, change, policy.confidence(), policy.power).ceil()
    };
    let seconds = |iterations: f64| needed(iterations) * (run + iterations * iteration);
    let best = kernels::worth(components, run, iteration);
    // If runs do not differ, a second one has neither benefit nor loss.
    let best = if best.is_finite() { best.round().max(1.0) } else { components.size.round() };
    Some(Worth {
        iterations: best,
        runs: needed(best),
        seconds: seconds(best),
        seconds_now: seconds(components.size.round().max(1.0)),
    })
}

// The shape of a sample: normality, skewness, modes, outliers.

coded! {
    /// The test of normality that was used.
    pub enum NormalityTest {
        /// Up to 5,000 values.
        ShapiroWilk = "shapiro-wilk",
        /// Above 5,000 values.
        AndersonDarling = "anderson-darling",
    }
}

/// The shape of a sample's distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The test of normality.
    pub test: NormalityTest,
    /// Normality of the values; `None` for fewer than three and if all are equal.
    pub normality: Option<Normality>,
    /// Normality of their logarithms; `None` also if a value is not positive.
    pub log_normality: Option<Normality>,
    /// Adjusted Fisher-Pearson coefficient; NaN for fewer than three values and if all are equal.
    pub skewness: f64,
    /// The dip test, with ties spread over a tick.
    pub dip: Option<Dip>,
    /// Number of peaks of the density if the dip test finds more than one mode, otherwise 1.
    pub modes: u32,
    /// Number of values beyond five scaled median absolute deviations, computed separately for each side of the median,
    /// on the row's scale.
    pub outliers: u32,
}

/// The maximum number of values for Royston's approximation.
const MOST_SHAPIRO_WILK: usize = 5000;

impl Shape {
    /// Computes everything except outliers, which are found on the row's scale.
    pub(crate) fn of(values: &[f64], positive: bool) -> Self {
        let test = if values.len() > MOST_SHAPIRO_WILK {
            NormalityTest::AndersonDarling
        } else {
            NormalityTest::ShapiroWilk
        };
        let normality = |values: &[f64]| match test {
            NormalityTest::ShapiroWilk => kernels::shapiro_wilk(values),
            NormalityTest::AndersonDarling => kernels::anderson_darling(values),
        };
        let logs = || values.iter().map(|value| value.ln()).collect::<Vec<f64>>();
        Self {
            test,
            normality: normality(values),
            log_normality: positive.then(|| normality(&logs())).flatten(),
            skewness: kernels::skewness(values),
            dip: kernels::dip(&kernels::spread_ties(values)),
            modes: kernels::modes(values) as u32,
            outliers: 0,
        }
    }
}

// The summary of a metric's rows: their grades, their normality, and the change that half of them can detect.

/// The rows of a metric in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InspectionSummary {
    /// Number of rows of each grade, in the order of [`Grade`].
    pub grades: [u32; Grade::ALL.len()],
    /// Number of rows with a test of normality.
    pub tested: u32,
    /// Number of those rows with p above alpha.
    pub normal: u32,
    /// Number of rows with a test of normality of their logarithms.
    pub log_tested: u32,
    /// Number of those rows with p above alpha.
    pub log_normal: u32,
    /// Number of rows with so many values that Anderson-Darling replaced Shapiro-Wilk.
    pub large: u32,
    /// The change that half of the rows with ratios can detect; NaN if there is none.
    pub detectable: f64,
    /// Number of units per side with which half of these rows detect their margin; NaN if there is none.
    pub for_margin: f64,
}

impl InspectionSummary {
    /// Summarises rows.
    #[must_use]
    pub fn of(rows: &[&Inspected], alpha: f64) -> Self {
        let mut grades = [0; Grade::ALL.len()];
        for row in rows {
            grades[row.grade() as usize] += 1;
        }
        let count = |of: &dyn Fn(&Inspected) -> bool| rows.iter().filter(|row| of(row)).count() as u32;
        let passes = |found: Option<Normality>| found.is_some_and(|found| found.p > alpha);
        Self {
            grades,
            tested: count(&|row| row.shape.normality.is_some()),
            normal: count(&|row| passes(row.shape.normality)),
            log_tested: count(&|row| row.shape.log_normality.is_some()),
            log_normal: count(&|row| passes(row.shape.log_normality)),
            large: count(&|row| {
                row.shape.test == NormalityTest::AndersonDarling && row.shape.normality.is_some()
            }),
            detectable: middle(rows, |row| row.plan.detectable),
            for_margin: middle(rows, |row| row.plan.for_margin),
        }
    }
}

/// The median over the rows with ratios that are not exact.
fn middle(rows: &[&Inspected], of: fn(&Inspected) -> f64) -> f64 {
    let ratios = rows.iter().filter(|row| row.scale == Scale::Ratio && !row.exact);
    let found: Vec<f64> = ratios.map(|row| of(row)).filter(|number| number.is_finite()).collect();
    kernels::median(&found)
}
