//! Whole comparisons in memory, as `statera compare` makes them.

use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Estimand, Limits, Observations, Sheet, Source};
use statera_weighing::inspection::{Costs, Inspected, inspect};
use statera_weighing::{
    Assignment, Correction, MetricRule, PairedOmnibus, Pairing, Policy, Row, ScaleChoice, Verdict, Weighing,
    weigh,
};

/// What is asked of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// What pairs with what.
    pub pairing: Pairing,
    /// How p-values are corrected.
    pub correction: Correction,
    /// Values of one process; `None` where nobody says.
    pub iterations: Option<usize>,
    /// Whether the metric is a mean, as those of a cluster's runs are.
    pub means: bool,
}

/// The margin of times.
pub const MARGIN: f64 = 0.02;

/// What statera does unless it is told otherwise.
pub const DEFAULT: Asked =
    Asked { pairing: Pairing::Auto, correction: Correction::Auto, iterations: None, means: false };

/// The defaults of the settings.
pub fn policy(asked: Asked) -> Policy {
    Policy {
        alpha: 0.05,
        correction: asked.correction,
        scale: ScaleChoice::Auto,
        power: 0.8,
        omnibus: PairedOmnibus::Friedman,
        resamples: 1,
        relabelings: 10_000,
        seed: 20_260_101,
        session: 0.0,
        mean: false,
    }
}

/// Weighs `values[variant][benchmark][run]`, every variant against every later one.
pub fn compared(values: &[Vec<Vec<f64>>], asked: Asked) -> Weighing {
    let files = values.iter().enumerate().map(|(argument, benchmarks)| {
        let source = Source { name: format!("file{argument}"), argument, format: "simulated", values: 0 };
        (source, vec![sheet(benchmarks, asked)])
    });
    let observations = Observations::join(files.collect(), &Limits::default()).expect("there is no limit");
    let assignment = assignment(&observations, values.len() as u32, asked.pairing);
    weigh(&observations, &assignment, &policy(asked)).expect("values that pair")
}

/// Inspects the values of one benchmark in one run.
pub fn inspected(values: &[f64]) -> Inspected {
    let source = Source { name: "file".to_owned(), argument: 0, format: "simulated", values: 0 };
    let sheets = vec![(source, vec![sheet(&[values.to_vec()], DEFAULT)])];
    let observations = Observations::join(sheets, &Limits::default()).expect("there is no limit");
    let assignment = assignment(&observations, 1, Pairing::Auto);
    inspect(&observations, &assignment, &policy(DEFAULT), &Costs::default())[0]
}

fn sheet(benchmarks: &[Vec<f64>], asked: Asked) -> Sheet {
    let mut sheet = Sheet::new("simulated");
    let metric = sheet.metric("sec/op", || {
        let estimand = if asked.means { Estimand::Mean } else { Estimand::Typical };
        Metric { estimand, ..Metric::new("sec/op", "s", Quantity::Time) }
    });
    for (number, values) in benchmarks.iter().enumerate() {
        let benchmark = sheet.benchmarks.intern(&number.to_string());
        for (run, &value) in values.iter().enumerate() {
            sheet.push_ids(benchmark, metric, value, 1);
            if let Some(iterations) = asked.iterations {
                sheet.process.push((run / iterations) as u32);
            }
        }
    }
    sheet
}

fn assignment(observations: &Observations, variants: u32, pairing: Pairing) -> Assignment {
    let rule = MetricRule {
        better: Some(Better::Lower),
        margin: MARGIN.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact: false,
    };
    let contexts = observations.contexts.len();
    Assignment {
        variant_of_context: observations.context_source.iter().map(|&source| Some(source)).collect(),
        group_of_context: vec![0; contexts],
        block_of_context: None,
        metrics: vec![Some(rule); observations.metrics.len()],
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants,
        groups: 1,
        work_of_group: Vec::new(),
        pairs: (0..variants).flat_map(|a| (a + 1..variants).map(move |b| (a, b))).collect(),
        factorial: false,
        pairing,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; variants as usize],
    }
}

/// Whether the row is called changed by a test that is promised its level; one process a side and few runs are not.
pub fn called(row: &Row) -> bool {
    row.verdict.is_change() && row.verdict != Verdict::Differs
}
