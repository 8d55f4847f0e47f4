//! Compares a build with itself: how often the current policy reports a change, and how large it seems.
//!
//! Values or runs are dealt to two sides in stretches of neighbours. A test that wrongly assumes independent neighbours
//! then raises the false alarms that it would raise between two builds measured one after the other. Dealing single
//! values would hide that, because a rank test holds its level on values that are exchanged at random.

use std::collections::BTreeMap;

use statera_kernels as kernels;
use statera_kernels::f_distribution::f_upper;
use statera_kernels::{Relabeling, Relabelings};
use statera_readers::{NONE, Observations};

use crate::assignment::{Assignment, Pairing};
use crate::blocks::{Measured, are_rounds, count_runs, measured};
use crate::draw::PairingFault;
use crate::grouping::{Cells, group_keeping};
use crate::policy::Policy;
use crate::row::{Design, Row, Scale};
use crate::weighing::Weighing;

/// The minimum number of stretches to split.
const LEAST_STRETCHES: usize = 4;
/// With fewer processes in all, no margin is advised: the spread between processes is part of what a margin must cover.
const LEAST_PROCESSES: u32 = 4;

/// What was dealt to the two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dealt {
    /// Whether processes or runs were dealt, and not values.
    pub runs: bool,
    /// Into how many stretches of neighbours they were cut; fewer than 4 are too few to be split.
    pub stretches: u32,
    /// How many runs or values a stretch has, for most benchmarks.
    pub length: f64,
    /// How many processes or runs all results have, for most benchmarks; a result that does not state them counts as one.
    pub processes: u32,
}

impl Dealt {
    /// Whether the processes are enough for the advice of a margin.
    #[must_use]
    pub fn advises(&self) -> bool {
        self.processes >= LEAST_PROCESSES
    }
}

/// Two results compared as they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct AsMeasured {
    /// The first result's variant.
    pub baseline: u32,
    /// The second's.
    pub contender: u32,
    /// Rows that could be called changed.
    pub rows: u32,
    /// Rows with p at most alpha, before correction.
    pub significant: u32,
    /// Those that report a change, as they were weighed.
    pub called: Vec<Row>,
}

/// What the splits showed.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfTest {
    /// What was dealt.
    pub dealt: Dealt,
    /// Number of splits used; 0 if there is too little data to split.
    pub splits: u32,
    /// Whether these are all splits.
    pub all: bool,
    /// Splits in which any row was called changed.
    pub suite: Rate,
    /// One a group, metric and benchmark.
    pub rows: Vec<RowRate>,
    /// One a group and metric.
    pub metrics: Vec<MetricRate>,
    /// Pairs of results as they were measured, where there are several.
    pub measured: Vec<AsMeasured>,
}

/// Whether a verdict is a false alarm if nothing changed.
fn called(row: &Row) -> bool {
    row.verdict.is_change()
}

/// Weighs a build against itself in at most `splits` ways; all variants are results of this build.
///
/// # Errors
/// If the data do not allow the pairing that was requested.
pub fn self_test(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    splits: usize,
) -> Result<SelfTest, PairingFault> {
    let several = assignment.files_are_runs.contains(&true);
    // As in a comparison, one result of several runs makes a single file of another one run.
    let assignment =
        &Assignment { files_are_runs: vec![several; assignment.files_are_runs.len()], ..assignment.clone() };
    let cells = group_keeping(observations, assignment, true);
    let deck = Deck::new(observations, assignment, &cells);
    let dealt = Dealt {
        runs: deck.runs,
        stretches: deck.stretches as u32,
        length: deck.length,
        processes: deck.processes as u32,
    };
    let (mut tally, mut pairs) = (Tally::default(), Tally::default());
    let measured = as_measured(observations, assignment, policy, splits, &mut pairs)?;
    let sides = Relabeling::TwoSample { m: deck.stretches / 2, n: deck.stretches.div_ceil(2) };
    let enough = deck.stretches >= LEAST_STRETCHES;
    let Some(relabelings) = enough.then(|| Relabelings::new(sides, splits, policy.seed)).flatten() else {
        return Ok(tally.finish(policy, dealt, true, measured, &pairs));
    };
    let (mut copy, both) = (copied(observations), assignment_of_two(assignment, &deck));
    let mut fault = None;
    relabelings.each(0..relabelings.looked_at, |selected| {
        if fault.is_some() {
            return;
        }
        deal(&mut copy, observations, &deck, selected);
        match crate::weigh(&copy, &both, policy) {
            Ok(weighing) => tally.take(&weighing, policy),
            Err(found) => fault = Some(found),
        }
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(tally.finish(policy, dealt, relabelings.exact, measured, &pairs)),
    }
}

/// The assignment of the copy: every context twice, once a side.
fn assignment_of_two(assignment: &Assignment, deck: &Deck) -> Assignment {
    let side = |side: u32| assignment.variant_of_context.iter().map(move |variant| variant.map(|_| side));
    let twice = |list: &[u32]| list.iter().chain(list).copied().collect();
    Assignment {
        variant_of_context: side(0).chain(side(1)).collect(),
        group_of_context: twice(&assignment.group_of_context),
        block_of_context: assignment
            .block_of_context
            .as_ref()
            .map(|blocks| blocks.iter().chain(blocks).copied().collect()),
        share_of_context: [&assignment.share_of_context[..]; 2].concat(),
        stratum_of_context: twice(&assignment.stratum_of_context),
        variants: 2,
        pairs: vec![(0, 1)],
        factorial: false,
        pairing: if deck.rounds { Pairing::Unpaired } else { assignment.pairing },
        files_are_runs: vec![assignment.files_are_runs.contains(&true); 2],
        ..assignment.clone()
    }
}

/// Every pair of results as it was measured, at most `most` of them; `tally` notes each like a split.
fn as_measured(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    most: usize,
    tally: &mut Tally,
) -> Result<Vec<AsMeasured>, PairingFault> {
    let pairs = (0..assignment.variants)
        .flat_map(|baseline| (baseline + 1..assignment.variants).map(move |other| (baseline, other)));
    let mut one = |(baseline, contender): (u32, u32)| {
        let of = |variant: Option<u32>| match variant {
            Some(own) if own == baseline => Some(0),
            Some(own) if own == contender => Some(1),
            _ => None,
        };
        let pair = Assignment {
            variant_of_context: assignment.variant_of_context.iter().map(|&variant| of(variant)).collect(),
            variants: 2,
            pairs: vec![(0, 1)],
            factorial: false,
            files_are_runs: vec![assignment.files_are_runs.contains(&true); 2],
            ..assignment.clone()
        };
        let weighing = crate::weigh(observations, &pair, policy)?;
        tally.take(&weighing, policy);
        let rows = weighing.rows;
        Ok(AsMeasured {
            baseline,
            contender,
            rows: rows.iter().filter(|row| row.p.is_some() || called(row)).count() as u32,
            significant: rows.iter().filter(|row| significant(row, policy)).count() as u32,
            called: rows.into_iter().filter(called).collect(),
        })
    };
    pairs.take(most).map(&mut one).collect()
}

// Cutting results into stretches, and dealing the stretches to two sides.

/// Results are cut into at most so many stretches in all: ten have 126 splits.
const MOST_STRETCHES: usize = 10;
/// A stretch of values has at least so many: dealt one by one, neighbours would be torn apart.
const LEAST_VALUES: usize = 2;

/// Every observation with its stretch.
struct Deck {
    /// Whether processes or runs are dealt.
    pub(crate) runs: bool,
    /// Whether these are rounds, which a split separates, so that they pair nothing.
    pub(crate) rounds: bool,
    /// How many stretches there are.
    pub(crate) stretches: usize,
    /// Runs or values in one, for most benchmarks.
    pub(crate) length: f64,
    /// How many processes or runs all results have, for most benchmarks; a result that does not state them counts as one.
    pub(crate) processes: usize,
    /// The stretch of each observation, or [`NONE`] where it takes no part.
    stretch: Vec<u32>,
}

/// A cell's observations of one variant, each with the number of its run or value, from 0 in the order of measurement.
struct Hand {
    cell: usize,
    variant: u32,
    rows: Vec<u32>,
    places: Vec<usize>,
    units: usize,
    runs: bool,
    rounds: bool,
}

impl Deck {
    /// Cuts each result into as many stretches. The k-th runs of all benchmarks go together.
    pub(crate) fn new(observations: &Observations, assignment: &Assignment, cells: &Cells) -> Self {
        let pairs = (0..cells.keys().len()).flat_map(|cell| (0..assignment.variants).map(move |v| (cell, v)));
        let hands: Vec<Hand> = pairs
            .map(|(cell, variant)| hand(observations, assignment, cells, cell, variant))
            .filter(|hand| hand.units > 0)
            .collect();
        let size = typical(hands.iter().map(|hand| hand.units).collect());
        let runs = hands.iter().filter(|hand| hand.runs).count() * 2 > hands.len();
        let rounds = hands.iter().any(|hand| hand.rounds);
        let each = stretches(assignment.variants as usize, size, if runs { 1 } else { LEAST_VALUES });
        let mut stretch = vec![NONE; observations.len()];
        for hand in &hands {
            for (&row, &place) in hand.rows.iter().zip(&hand.places) {
                stretch[row as usize] = hand.variant * each as u32 + (place * each / hand.units) as u32;
            }
        }
        let length = size as f64 / each as f64;
        let processes = typical(processes(&hands, cells.keys().len()));
        Self { runs, rounds, stretches: each * assignment.variants as usize, length, processes, stretch }
    }
}

/// The number of processes or runs of each cell over all results.
fn processes(hands: &[Hand], cells: usize) -> Vec<usize> {
    let mut counts = vec![0; cells];
    for hand in hands {
        counts[hand.cell] += if hand.runs { hand.units } else { 1 };
    }
    counts
}

/// The size of which, or above, half of all units are: benchmarks with few of them do not decide for the others.
fn typical(mut sizes: Vec<usize>) -> usize {
    sizes.sort_unstable();
    let half = sizes.iter().sum::<usize>().div_ceil(2);
    let mut sum = 0;
    let reaches = |&size: &usize| {
        sum += size;
        sum >= half
    };
    sizes.iter().copied().find(reaches).unwrap_or(0)
}

/// Stretches a result, so that there are few in all, no one is too short, and their number is even if it can be.
fn stretches(results: usize, units: usize, least: usize) -> usize {
    let most = (units / least).min(MOST_STRETCHES / results.max(1)).max(1);
    if results * most % 2 == 1 && most > 1 { most - 1 } else { most }
}

fn hand(
    observations: &Observations,
    assignment: &Assignment,
    cells: &Cells,
    cell: usize,
    variant: u32,
) -> Hand {
    let rows = cells.of(variant).rows(cell).to_vec();
    let measured = measured(observations, assignment, cells, (variant, &[variant]), cell);
    if count_runs(&measured).is_none() {
        let units = rows.len();
        return Hand { cell, variant, rows, places: (0..units).collect(), units, runs: false, rounds: false };
    }
    let (places, units) = run_numbers(&measured);
    Hand { cell, variant, rows, places, units, runs: true, rounds: are_rounds(&measured) }
}

/// The number of each value's run, from 0 in the order in which the runs appear.
fn run_numbers(measured: &[Measured]) -> (Vec<usize>, usize) {
    let mut numbers = std::collections::HashMap::new();
    let mut places = Vec::with_capacity(measured.len());
    for value in measured {
        let next = numbers.len();
        places.push(*numbers.entry((value.stratum, value.run)).or_insert(next));
    }
    (places, numbers.len())
}

/// A copy in which every context stands twice, once for each side.
pub(crate) fn copied(observations: &Observations) -> Observations {
    let mut copy = observations.clone();
    copy.contexts.double();
    copy.context_source.extend_from_within(..);
    copy
}

/// Gives the observations of the selected stretches to the first side, and the others to the second.
fn deal(copy: &mut Observations, observations: &Observations, deck: &Deck, selected: &[usize]) {
    let contexts = observations.contexts.len() as u32;
    let mut first = vec![false; deck.stretches];
    for &stretch in selected {
        first[stretch] = true;
    }
    let given = copy.context.iter_mut().zip(&observations.context).zip(&deck.stretch);
    for ((context, &own), &stretch) in given {
        let second = stretch != NONE && !first[stretch as usize];
        *context = if second { own + contexts } else { own };
    }
}

// Splits to rates: how often a row is called changed, how far it seems to move, and the margin that would
// hold it.

/// The level of the noise floor.
const FLOOR: f64 = 0.95;
/// The rate of false alarms that a margin is to hold.
const HELD: f64 = 0.05;

/// How often something happened, with the interval of Clopper & Pearson (1934) for the number of independent trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How often it happened.
    pub count: u64,
    /// How often it could have.
    pub trials: u64,
    /// How many of these trials are independent of each other.
    pub independent: f64,
    /// Lower end of the interval of the probability; NaN without trials.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Rate {
    /// The rate of `count` in `trials`, of which only so many are independent of each other.
    fn of(count: u64, trials: u64, independent: f64, policy: &Policy) -> Self {
        let independent = independent.min(trials as f64);
        if trials == 0 {
            return Self { count, trials, independent, low: f64::NAN, high: f64::NAN };
        }
        let tail = 0.5 * kernels::alpha(policy.confidence());
        let k = independent * count as f64 / trials as f64;
        let rest = independent - k;
        // Quantiles of the beta distribution, by those of F.
        let low = |f: f64| k / (k + (rest + 1.0) * f);
        let high = |f: f64| (k + 1.0) * f / (rest + (k + 1.0) * f);
        Self {
            count,
            trials,
            independent,
            low: if count == 0 { 0.0 } else { low(f_upper(tail, 2.0 * (rest + 1.0), 2.0 * k)) },
            high: if count == trials { 1.0 } else { high(f_upper(tail, 2.0 * (k + 1.0), 2.0 * rest)) },
        }
    }
}

/// The number of independent splits among the splits of so many stretches. A split is a contrast of the stretches, and
/// no more than `stretches` − 1 contrasts can be orthogonal.
fn independent_splits(dealt: Dealt) -> f64 {
    f64::from(dealt.stretches.max(2) - 1)
}

/// How many times as much the number of alarms varies from split to split as it would if rows were independent of each
/// other: 1 at least, and `rows` at most, where all move together.
fn overdispersion(counts: &[u64], rows: f64) -> f64 {
    let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let rate = kernels::mean(&counts) / rows;
    let expected = rows * rate * (1.0 - rate);
    let found = kernels::sd(&counts).powi(2) / expected;
    if found > 1.0 { found.min(rows) } else { 1.0 }
}

/// A benchmark over all splits. Changes are sizes: relative on the ratio scale, else in the metric's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowRate {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The scale of its changes.
    pub scale: Scale,
    /// Splits in which it was called better, worse or changed.
    pub called: Rate,
    /// Splits in which p was at most alpha, before correction.
    pub significant: u64,
    /// The 95 % quantile of the size of the typical change between the two sides; NaN where there was none.
    pub floor: f64,
    /// The largest.
    pub largest: f64,
}

/// The margins that would hold the rates of a metric: the larger of those over all splits and those over all pairs of
/// results as measured. NaN where a rate is at most 5 % without one, and where no margin is advised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins {
    /// The margin at which at most 5 % of `called` would be left.
    pub called: f64,
    /// The margin of a gate (the whole interval beyond it) at which at most 5 % would be left.
    pub gate: f64,
    /// The margin at which at most 5 % of the splits would have any.
    pub any: f64,
    /// The same for a gate.
    pub gate_any: f64,
    /// The 95 % quantile of the size of the typical changes of all rows, relative; NaN if no row has ratios.
    pub floor: f64,
}

impl Margins {
    const NONE: Self =
        Self { called: f64::NAN, gate: f64::NAN, any: f64::NAN, gate_any: f64::NAN, floor: f64::NAN };

    fn larger(&self, other: &Self) -> Self {
        Self {
            called: self.called.max(other.called),
            gate: self.gate.max(other.gate),
            any: self.any.max(other.any),
            gate_any: self.gate_any.max(other.gate_any),
            floor: self.floor.max(other.floor),
        }
    }
}

/// All benchmarks of a metric over all splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricRate {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// Rows that could be called changed in some split.
    pub rows: u32,
    /// Rows and splits in which they were called better, worse or changed.
    pub called: Rate,
    /// The same with p at most alpha, before correction.
    pub significant: Rate,
    /// Splits in which any of its rows was called changed.
    pub any: Rate,
    /// The margins that would hold 5 %, and the noise floor.
    pub margins: Margins,
    /// The 95 % quantile of the size of the change of the geometric mean.
    pub mean_floor: f64,
}

/// Group, metric and benchmark.
type Key = (u32, u32, u32);

/// What was seen of a row, split by split.
#[derive(Debug, Default)]
struct Seen {
    difference: bool,
    trials: u64,
    significant: u64,
    changes: Vec<f64>,
    /// For each alarm the margin that would have silenced it, and that of a gate.
    alarms: Vec<(f64, f64)>,
}

/// What was seen of a metric, split by split.
#[derive(Debug, Default)]
struct SeenMetric {
    splits: u64,
    /// For each split with an alarm the margins that would have silenced all of its alarms.
    alarms: Vec<(f64, f64)>,
    /// For each split the number of rows called changed, and of those with p at most alpha.
    called: Vec<u64>,
    significant: Vec<u64>,
    means: Vec<f64>,
}

/// Everything seen so far.
#[derive(Debug, Default)]
struct Tally {
    splits: u64,
    any: u64,
    rows: BTreeMap<Key, Seen>,
    metrics: BTreeMap<(u32, u32), SeenMetric>,
}

/// Whether p is at most alpha before correction.
pub(crate) fn significant(row: &Row, policy: &Policy) -> bool {
    row.p.is_some_and(|p| p <= kernels::alpha(policy.confidence()))
}

impl Tally {
    /// Notes one split.
    pub(crate) fn take(&mut self, weighing: &Weighing, policy: &Policy) {
        self.splits += 1;
        self.any += u64::from(weighing.rows.iter().any(called));
        let mut worst: BTreeMap<(u32, u32), (f64, f64)> = BTreeMap::new();
        let mut counts: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        for row in &weighing.rows {
            let seen = self.rows.entry((row.group, row.metric, row.benchmark)).or_default();
            seen.difference |= row.scale == Scale::Difference;
            seen.trials += u64::from(row.p.is_some() || called(row));
            seen.significant += u64::from(significant(row, policy));
            let count = counts.entry((row.group, row.metric)).or_default();
            count.0 += u64::from(called(row));
            count.1 += u64::from(significant(row, policy));
            if !row.change.is_nan() && row.design != Design::OneSided {
                seen.changes.push(size(row.change, row.scale));
            }
            if called(row) {
                let silenced = silencing(row);
                seen.alarms.push(silenced);
                let most = worst.entry((row.group, row.metric)).or_insert((0.0, 0.0));
                *most = (most.0.max(silenced.0), most.1.max(silenced.1));
            }
        }
        for summary in &weighing.summaries {
            let seen = self.metrics.entry((summary.group, summary.metric)).or_default();
            seen.splits += 1;
            let key = (summary.group, summary.metric);
            seen.alarms.extend(worst.get(&key));
            let (called, significant) = counts.get(&key).copied().unwrap_or_default();
            seen.called.push(called);
            seen.significant.push(significant);
            seen.means.extend(summary.mean.map(|mean| size(mean.ratio - 1.0, Scale::Ratio)));
        }
    }

    /// Counts; `pairs` has seen the pairs of results as measured.
    fn finish(
        self,
        policy: &Policy,
        dealt: Dealt,
        all: bool,
        measured: Vec<AsMeasured>,
        pairs: &Self,
    ) -> SelfTest {
        let independent = independent_splits(dealt);
        let one = |(&(group, metric, benchmark), seen): (&Key, &Seen)| RowRate {
            group,
            metric,
            benchmark,
            scale: if seen.difference { Scale::Difference } else { Scale::Ratio },
            called: Rate::of(seen.alarms.len() as u64, seen.trials, independent, policy),
            significant: seen.significant,
            floor: quantile(&seen.changes, FLOOR),
            largest: quantile(&seen.changes, 1.0),
        };
        // The sides of a split mix processes that a comparison keeps apart, so that splits alone show too little.
        let advised = |(group, metric): (u32, u32)| {
            let both = || self.margins(group, metric).larger(&pairs.margins(group, metric));
            if dealt.advises() { both() } else { Margins::NONE }
        };
        let metric = |(&key, seen): (&(u32, u32), &SeenMetric)| MetricRate {
            margins: advised(key),
            ..self.metric(key, seen, dealt, policy)
        };
        SelfTest {
            dealt,
            splits: self.splits as u32,
            all,
            suite: Rate::of(self.any, self.splits, independent, policy),
            rows: self.rows.iter().map(one).collect(),
            metrics: self.metrics.iter().map(metric).collect(),
            measured,
        }
    }

    fn metric(
        &self,
        (group, metric): (u32, u32),
        seen: &SeenMetric,
        dealt: Dealt,
        policy: &Policy,
    ) -> MetricRate {
        let rows = self.rows_of(group, metric);
        let trials = rows.iter().map(|row| row.trials).sum();
        let alarms = rows.iter().map(|row| row.alarms.len() as u64).sum();
        let significant = rows.iter().map(|row| row.significant).sum();
        let tested = rows.iter().filter(|row| row.trials > 0).count();
        let splits = independent_splits(dealt);
        let independent = |counts: &[u64]| splits * tested as f64 / overdispersion(counts, tested as f64);
        MetricRate {
            group,
            metric,
            rows: tested as u32,
            called: Rate::of(alarms, trials, independent(&seen.called), policy),
            significant: Rate::of(significant, trials, independent(&seen.significant), policy),
            any: Rate::of(seen.alarms.len() as u64, seen.splits, splits, policy),
            margins: Margins::NONE,
            mean_floor: quantile(&seen.means, FLOOR),
        }
    }

    /// The margins of a metric by what was seen here.
    fn margins(&self, group: u32, metric: u32) -> Margins {
        let Some(seen) = self.metrics.get(&(group, metric)) else { return Margins::NONE };
        let rows = self.rows_of(group, metric);
        let trials = rows.iter().map(|row| row.trials).sum();
        let alarms: Vec<(f64, f64)> = rows.iter().flat_map(|row| row.alarms.iter().copied()).collect();
        let relative = rows.iter().filter(|row| row.trials > 0 && !row.difference);
        let changes: Vec<f64> = relative.flat_map(|row| row.changes.iter().copied()).collect();
        let (called, gate) = holding(&alarms, trials);
        let (any, gate_any) = holding(&seen.alarms, seen.splits);
        Margins { called, gate, any, gate_any, floor: quantile(&changes, FLOOR) }
    }

    fn rows_of(&self, group: u32, metric: u32) -> Vec<&Seen> {
        self.rows.range((group, metric, 0)..=(group, metric, u32::MAX)).map(|(_, seen)| seen).collect()
    }
}

/// The size of a change, the same whichever side is the baseline.
fn size(change: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Ratio => change.ln_1p().abs().exp_m1(),
        Scale::Difference => change.abs(),
    }
}

/// The margin that would have made an alarm equivalent, and the margin of a gate that would have let it pass: the far
/// and the near end of the interval.
fn silencing(row: &Row) -> (f64, f64) {
    let (low, high) = if row.design == Design::Exact {
        (row.change, row.change)
    } else {
        (row.change_low, row.change_high)
    };
    let unit = match row.scale {
        Scale::Ratio => 1.0,
        Scale::Difference => row.baseline.centre.value.abs(),
    };
    let (a, b) = (size(low, row.scale) / unit, size(high, row.scale) / unit);
    (a.max(b), a.min(b))
}

/// The least margins that leave at most 5 % of the trials with an alarm; NaN where there are no more than that.
fn holding(alarms: &[(f64, f64)], trials: u64) -> (f64, f64) {
    let left = (HELD * trials as f64 + 1e-9).floor() as usize;
    let nth = |of: fn(&(f64, f64)) -> f64| {
        let mut margins: Vec<f64> = alarms.iter().map(of).collect();
        margins.sort_unstable_by(|a, b| b.total_cmp(a));
        margins.get(left).copied().unwrap_or(f64::NAN)
    };
    (nth(|margins| margins.0), nth(|margins| margins.1))
}

fn quantile(values: &[f64], level: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    kernels::quantile_sorted(&sorted, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_cut_into_few_even_stretches() {
        let cut = |results, units, least| stretches(results, units, least);
        assert_eq!(
            [cut(1, 20, 2), cut(2, 20, 2), cut(1, 10, 2), cut(1, 8, 2), cut(1, 3, 2)],
            [10, 5, 4, 4, 1]
        );
        assert_eq!([cut(1, 4, 1), cut(2, 4, 1), cut(3, 9, 1), cut(20, 1, 1), cut(1, 0, 1)], [4, 4, 2, 1, 1]);
        assert_eq!(cut(0, 5, 1), 5);
    }

    #[test]
    fn benchmarks_with_few_units_do_not_decide_for_the_others() {
        assert_eq!(typical(vec![2, 13, 2, 13, 2]), 13);
        assert_eq!(typical(vec![20, 20, 20]), 20);
        assert_eq!(typical(vec![1, 2, 3]), 2);
        assert_eq!(typical(vec![1, 2, 2, 3]), 2);
        assert_eq!(typical(Vec::new()), 0);
    }

    #[test]
    fn a_margin_leaves_one_alarm_in_twenty() {
        let alarms = [(0.04, 0.01), (0.06, 0.005), (0.05, 0.02)];
        assert_eq!(holding(&alarms, 20), (0.05, 0.01));
        assert_eq!(holding(&alarms, 10), (0.06, 0.02));
        assert!(holding(&alarms, 60).0.is_nan());
    }
}
