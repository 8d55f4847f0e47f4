//! Values by run: the unit, the steadiness of the runs, and the components of the variance.

use statera_kernels as kernels;
use statera_kernels::{Components, RobustComponents, WarmUp};
use statera_readers::Better;

use crate::assignment::Pairing;
use crate::blocks::{Measured, are_rounds, count_runs, has_blocks, per_run, relative_to_blocks};
use crate::inspection::{Costs, Inspected, Sampled};
use crate::policy::Policy;
use crate::row::Scale;
use crate::warnings::{self, ORDER_FROM};

/// The minimum distance of change points; closer ones are noise.
const MIN_SEGMENT: usize = 2;
/// The p-value below which levels differ; it is strict because change points are chosen where levels differ most.
const PLAIN: f64 = 1e-4;
/// A warm-up takes at most one value in this many; a later change is not a warm-up.
const WARM_UP_SHARE: usize = 3;
/// The number of batches whose means tell a trend.
const TREND_BATCHES: usize = 50;
/// A first level that differs by less than this share of the steady one is a change of level like others.
const LEAST_WARM_UP: f64 = 0.05;

/// The values of a row as a comparison would group them.
pub struct Grouped {
    /// The unit of the sample.
    pub sampled: Sampled,
    /// The units, in the order of measurement.
    pub units: Vec<f64>,
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
    pub fn new(values: &[f64], measured: &[Measured], pairing: Pairing) -> Self {
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
    pub fn steadiness(&self, better: Option<Better>) -> Steadiness {
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
    pub fn runs(&self, row: &Inspected, costs: &Costs, policy: &Policy) -> Option<Runs> {
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
pub fn warms_up(series: &[f64], better: Option<Better>) -> bool {
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
    kernels::drift(&means).is_some_and(|p| p < warnings::PLAIN)
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
    kernels::variance_components(&segments, 0.95).is_some_and(|parts| parts.p < PLAIN)
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
