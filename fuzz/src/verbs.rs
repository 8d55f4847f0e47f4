//! A comparison from bytes to text: two files are read, weighed and written as every kind of table.

use std::collections::HashMap;
use std::path::Path;

use statera_kernels::Correction as Flat;
use statera_readers::metric::Metric;
use statera_readers::source::Content;
use statera_readers::{Observations, Options, Source, detection};
use statera_tables::field::Names;
use statera_tables::{CELLS, ROW_FIELDS, Subject, cell, comma_separated, json_rows, markdown};
use statera_weighing::{
    Assignment, Correction, MetricRule, PairedOmnibus, Pairing, Policy, Row, ScaleChoice, Weighing, weigh,
};

/// The separator of the two files; without it both sides are the same.
const BETWEEN: &[u8] = b"\n=====\n";

const POLICY: Policy = Policy {
    alpha: 0.05,
    correction: Correction::Auto,
    scale: ScaleChoice::Auto,
    power: 0.8,
    omnibus: PairedOmnibus::Friedman,
    resamples: 20,
    relabelings: 100,
    seed: 1,
    session: 0.005,
    mean: true,
};

/// Compares the two files contained in the bytes.
///
/// # Panics
/// If a table is inconsistent; that is the purpose.
pub fn compare(bytes: &[u8]) {
    let at = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (old, new) = at.map_or((bytes, bytes), |at| (&bytes[..at], &bytes[at + BETWEEN.len()..]));
    let Some(observations) = read([old, new]) else { return };
    for (pairing, correction) in [
        (Pairing::Auto, Correction::Auto),
        (Pairing::Unpaired, Correction::WestfallYoung),
        (Pairing::Unpaired, Correction::Flat(Flat::Holm)),
    ] {
        let policy = Policy { correction, ..POLICY };
        // Blocks that contradict each other are a fault of the input, which is told.
        if let Ok(weighing) = weigh(&observations, &assignment(&observations, pairing), &policy) {
            check(&observations, &weighing);
        }
    }
}

fn read(files: [&[u8]; 2]) -> Option<Observations> {
    let options = Options::default();
    let mut read = Vec::new();
    for (argument, bytes) in files.into_iter().enumerate() {
        let content = Content::from_bytes(bytes).ok()?;
        let format = detection::detect(&content.head, Path::new("")).ok()?;
        let sheets = format.sheets("file", Path::new("file"), &content, &options).ok()?;
        read.push((
            Source { name: format!("file{argument}"), argument, format: format.name, values: 0 },
            sheets,
        ));
    }
    Observations::join(read, &options.limits).ok()
}

fn assignment(observations: &Observations, pairing: Pairing) -> Assignment {
    let rule = |metric: &Metric| {
        let (assumed_exact, may_be_exact) = (metric.assumed_exact, metric.may_be_exact);
        Some(MetricRule {
            better: metric.better,
            margin: 0.02.into(),
            margin_exact: 0.0.into(),
            assumed_exact,
            may_be_exact,
        })
    };
    Assignment {
        variant_of_context: observations.context_source.iter().map(|&source| Some(source)).collect(),
        group_of_context: vec![0; observations.contexts.len()],
        block_of_context: None,
        metrics: observations.metrics.iter().map(rule).collect(),
        own_margins: HashMap::new(),
        benchmarks: Vec::new(),
        variants: 2,
        groups: 1,
        work_of_group: vec![0],
        pairs: vec![(0, 1)],
        factorial: false,
        pairing,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; 2],
    }
}

fn check(observations: &Observations, weighing: &Weighing) {
    for row in &weighing.rows {
        let inside = row.change_low.is_nan() || row.change_high.is_nan() || row.change_low <= row.change_high;
        assert!(inside, "an interval from {} to {}", row.change_low, row.change_high);
        for p in [row.p, row.p_corrected].into_iter().flatten() {
            assert!((0.0..=1.0).contains(&p), "a p-value of {p}");
        }
    }
    let labels = ["old".to_owned(), "new".to_owned()];
    let names = Names { observations, labels: &labels, groups: &[String::new()] };
    let rows: Vec<&Row> = weighing.rows.iter().collect();
    let count = rows.len();
    let subject = Subject { names, weighing, confidence: POLICY.confidence(), mean: true };
    let json = json_rows(&ROW_FIELDS, &rows, &names);
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("rows are JSON");
    assert_eq!(json.len(), count);
    for row in &rows {
        for name in CELLS {
            let text = cell(row, name, &subject).unwrap_or_default();
            is_printable(&text);
            assert!(!text.contains('\n'), "a cell of two lines: {text}");
            let span = markdown::code_in_table(&text);
            assert!(!span.replace("\\|", "").contains('|'), "a row of Markdown is torn: {span}");
        }
    }
    let comma = comma_separated(&ROW_FIELDS, &rows, &names, false);
    let rows = csv::ReaderBuilder::new().has_headers(false).from_reader(comma.as_bytes()).into_records();
    let rows: Result<Vec<_>, _> = rows.collect();
    assert_eq!(rows.expect("rows of CSV have one length").len(), count + 1);
}

fn is_printable(text: &str) {
    let control = text.chars().find(|&each| each != '\n' && each.is_control());
    assert!(control.is_none(), "{control:?} in a table");
}
