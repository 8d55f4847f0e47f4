//! Experiments that look at their results several times, and end a benchmark once it is settled: alarms where nothing
//! changed, coverage of the intervals at the end, and the rounds that a change needs.
//!
//! Every round runs both variants back to back, in random order. The noise is that of the machine: it goes on from one
//! invocation to the next, whichever variant it is.

use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Limits, Observations, Sheet, Source};
use statera_weighing::{Assignment, MetricRule, Pairing, Row, Verdict, Weighing, weigh};

use crate::comparison::{DEFAULT, MARGIN, called, policy};
use crate::noise::{Noise, Numbers};
use crate::settings::CENTRE;
use crate::tally::{print, repeated};

/// The looks of an experiment of at most 60 rounds and their shares of alpha, as `statera.experiment.schedule` has them.
const LOOKS: [(usize, f64); 6] = [(9, 0.1), (13, 0.1), (19, 0.1), (28, 0.1), (41, 0.1), (60, 0.5)];
const LIMIT: usize = 60;
/// The looks of an experiment that ends when its intervals are narrow: their ratio, and the share of alpha at each.
const WIDTH_STEP: f64 = 1.1;
const WIDTH_SHARE: f64 = 0.6;
/// The width that is asked for.
const WIDTH: f64 = 0.02;
/// How far a drifting machine goes during all rounds, in standard deviations: 15 % at a noise of 2 %.
const DRIFT: f64 = 7.5;
/// The correlation of the two metrics of an invocation: its time and its time on the processor.
const ALIKE: f64 = 0.8;

/// What disturbs the invocations of an experiment, one after the other.
#[derive(Debug, Clone, Copy)]
enum Machine {
    Steady(Noise),
    Drifting,
}

impl Machine {
    const ALL: [Self; 5] = [
        Self::Steady(Noise::Normal),
        Self::Steady(Noise::Lognormal),
        Self::Steady(Noise::Autocorrelated(5)),
        Self::Steady(Noise::Spiky),
        Self::Drifting,
    ];

    fn name(self) -> String {
        match self {
            Self::Steady(noise) => noise.name(),
            Self::Drifting => "drifting".to_owned(),
        }
    }

    /// The noise of invocations, in the order in which they are made.
    fn invocations(self, numbers: &mut Numbers, count: usize) -> Vec<f64> {
        let noise = if let Self::Steady(noise) = self { noise } else { Noise::Normal };
        let drawn = noise.draw(numbers, 1, 1, count).remove(0).remove(0);
        let slope = if matches!(self, Self::Drifting) { DRIFT / count as f64 } else { 0.0 };
        drawn.iter().enumerate().map(|(place, e)| e + slope * place as f64).collect()
    }
}

/// What is run.
#[derive(Debug, Clone, Copy)]
struct Plan {
    machine: Machine,
    benchmarks: usize,
    metrics: usize,
    sd: f64,
    change: f64,
}

/// The values of a benchmark: by metric, variant and round.
type Values = Vec<[Vec<f64>; 2]>;

impl Plan {
    fn name(&self) -> String {
        let what = match (self.benchmarks, self.metrics) {
            (1, 1) => "one benchmark".to_owned(),
            (1, _) => "one benchmark, time and cpu".to_owned(),
            (count, 1) => format!("{count} benchmarks"),
            (count, _) => format!("{count} benchmarks, time and cpu"),
        };
        format!("{}: {what}", self.machine.name())
    }

    fn draw(&self, numbers: &mut Numbers) -> Vec<Values> {
        (0..self.benchmarks).map(|_| self.benchmark(numbers)).collect()
    }

    /// All rounds of a benchmark, each of both variants in random order.
    fn benchmark(&self, numbers: &mut Numbers) -> Values {
        let second: Vec<bool> = (0..LIMIT).map(|_| numbers.uniform() < 0.5).collect();
        let first = self.machine.invocations(numbers, 2 * LIMIT);
        let metric = |own: Vec<f64>| {
            let at = |variant: usize, round: usize| {
                let e = own[2 * round + usize::from((variant == 1) != second[round])];
                CENTRE * (self.sd * e).exp() * if variant == 1 { 1.0 + self.change } else { 1.0 }
            };
            [0, 1].map(|variant| (0..LIMIT).map(|round| at(variant, round)).collect())
        };
        let rest = (1.0 - ALIKE * ALIKE).sqrt();
        let mut found = vec![metric(first.clone())];
        for _ in 1..self.metrics {
            let other = self.machine.invocations(numbers, 2 * LIMIT);
            found.push(metric(first.iter().zip(&other).map(|(e, own)| ALIKE * e + rest * own).collect()));
        }
        found
    }
}

/// How an experiment ended.
struct Ended {
    weighing: Weighing,
    /// The rounds of each benchmark.
    rounds: Vec<usize>,
    /// Which of them were settled at their last look.
    settled: Vec<bool>,
}

/// Runs an experiment until each benchmark is settled, or to the last look.
fn run(values: &[Values], looks: &[(usize, f64)], is_settled: &impl Fn(&Row) -> bool) -> Ended {
    let mut last: Vec<(usize, f64)> = vec![looks[0]; values.len()];
    let mut settled = vec![false; values.len()];
    let mut weighing = Weighing::default();
    for &look in looks {
        for (last, settled) in last.iter_mut().zip(&settled) {
            *last = if *settled { *last } else { look };
        }
        weighing = weighed(values, &last);
        for (benchmark, settled) in settled.iter_mut().enumerate() {
            let own = weighing.rows.iter().filter(|row| row.benchmark as usize == benchmark);
            *settled |= own.map(is_settled).reduce(|a, b| a && b).unwrap_or(false);
        }
        if settled.iter().all(|&settled| settled) {
            break;
        }
    }
    Ended { weighing, rounds: last.iter().map(|last| last.0).collect(), settled }
}

/// Whether a look settles a row, so that its benchmark needs no more rounds for it.
fn is_settled(row: &Row) -> bool {
    row.verdict == Verdict::Equivalent || called(row)
}

/// Weighs each benchmark by its rounds and its share of alpha, by pairs of rounds.
fn weighed(values: &[Values], looks: &[(usize, f64)]) -> Weighing {
    let mut files = Vec::new();
    for (variant, benchmark) in (0..2).flat_map(|variant| (0..values.len()).map(move |at| (variant, at))) {
        let source = Source {
            name: format!("{variant} {benchmark}"),
            argument: variant,
            format: "simulated",
            values: 0,
        };
        files.push((source, vec![sheet(&values[benchmark], benchmark, variant, looks[benchmark].0)]));
    }
    let observations = Observations::join(files, &Limits::default()).expect("there is no limit");
    let shares: Vec<f64> = looks.iter().map(|look| look.1).collect();
    weigh(&observations, &assignment(&observations, &shares), &policy(DEFAULT)).expect("values that pair")
}

fn sheet(values: &Values, benchmark: usize, variant: usize, rounds: usize) -> Sheet {
    let mut sheet = Sheet::new("simulated");
    let name = sheet.benchmarks.intern(&benchmark.to_string());
    for (number, sides) in values.iter().enumerate() {
        let unit = ["time", "cpu"][number];
        let metric = sheet.metric(unit, || Metric::new(unit, "s", Quantity::Time));
        for &value in &sides[variant][..rounds] {
            sheet.push_ids(name, metric, value, 1);
        }
    }
    sheet
}

fn assignment(observations: &Observations, shares: &[f64]) -> Assignment {
    let rule = MetricRule {
        better: Some(Better::Lower),
        margin: MARGIN.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact: false,
    };
    let source = |&source: &u32| source as usize;
    let of = &observations.context_source;
    Assignment {
        variant_of_context: of.iter().map(source).map(|at| Some((at / shares.len()) as u32)).collect(),
        group_of_context: vec![0; of.len()],
        block_of_context: None,
        share_of_context: of.iter().map(source).map(|at| shares[at % shares.len()]).collect(),
        metrics: vec![Some(rule); observations.metrics.len()],
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants: 2,
        groups: 1,
        work_of_group: Vec::new(),
        pairs: vec![(0, 1)],
        factorial: false,
        pairing: Pairing::Order,
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; 2],
    }
}

/// Any alarm, intervals that hold the change, rounds, and rows that later rows revised after their benchmark was settled.
fn counts(plan: &Plan, ended: &Ended, is_settled: impl Fn(&Row) -> bool) -> [u64; 4] {
    let rows = &ended.weighing.rows;
    let holds = |row: &&Row| row.change_low <= plan.change && plan.change <= row.change_high;
    let revised = |row: &&Row| ended.settled[row.benchmark as usize] && !is_settled(row);
    [
        u64::from(rows.iter().any(called)),
        rows.iter().filter(holds).count() as u64,
        ended.rounds.iter().sum::<usize>() as u64,
        rows.iter().filter(revised).count() as u64,
    ]
}

fn count(
    table: &str,
    plan: &Plan,
    looks: &[(usize, f64)],
    is_settled: impl Fn(&Row) -> bool + Sync,
    repetitions: u64,
) {
    let (row, column) = (plan.name(), (1000.0 * plan.sd).round() / 10.0);
    let one =
        |numbers: &mut Numbers| counts(plan, &run(&plan.draw(numbers), looks, &is_settled), &is_settled);
    let [any, held, rounds, revised] = repeated(repetitions, &format!("{table} {row} {column}"), one);
    let benchmarks = repetitions * plan.benchmarks as u64;
    print(table, &row, column, "any", any, repetitions);
    print(table, &row, column, "held", held, benchmarks * plan.metrics as u64);
    print(table, &row, column, "rounds", rounds, benchmarks);
    print(table, &row, column, "revised", revised, benchmarks * plan.metrics as u64);
}

/// Nothing changed: how often is anything called changed, and do the intervals at the end hold 0? The noise of 10 % is so
/// wide that the margin hides nothing; at 2 % most benchmarks end as equivalent.
pub fn unchanged(repetitions: u64) {
    for machine in Machine::ALL {
        for (benchmarks, metrics, sd) in [(1, 1, 0.02), (1, 1, 0.1), (1, 2, 0.1), (20, 1, 0.1)] {
            let plan = Plan { machine, benchmarks, metrics, sd, change: 0.0 };
            let repetitions = if benchmarks == 1 { repetitions } else { repetitions.div_ceil(4) };
            count("looks", &plan, &LOOKS, is_settled, repetitions);
        }
    }
}

/// 5 % slower: the rounds until it is known, and whether the intervals hold it.
pub fn changed(repetitions: u64) {
    for machine in Machine::ALL {
        for (metrics, sd) in [(1, 0.02), (2, 0.02), (1, 0.05)] {
            let plan = Plan { machine, benchmarks: 1, metrics, sd, change: 0.05 };
            count("looks-changed", &plan, &LOOKS, is_settled, repetitions);
        }
    }
}

/// Until the interval is narrow: do the intervals at the end hold the change?
pub fn narrow(repetitions: u64) {
    let is_narrow = |row: &Row| (1.0 + row.change_high) / (1.0 + row.change_low) - 1.0 < WIDTH;
    for (table, share) in [("looks-width", WIDTH_SHARE), ("looks-width-whole", 1.0)] {
        let mut looks = vec![(LOOKS[0].0, share)];
        while let Some(&(rounds, _)) = looks.last().filter(|look| look.0 < LIMIT) {
            let next = (rounds as f64 * WIDTH_STEP).round() as usize;
            looks.push((next.clamp(rounds + 1, LIMIT), share));
        }
        for machine in Machine::ALL {
            for sd in [0.01, 0.015, 0.02] {
                let plan = Plan { machine, benchmarks: 1, metrics: 1, sd, change: 0.0 };
                count(table, &plan, &looks, is_narrow, repetitions);
            }
        }
    }
}
