//! Times the phases of a comparison of two Go result files: `cargo run --release -p statera-weighing --example phases OLD NEW`.

use std::path::PathBuf;
use std::time::Instant;

use statera_kernels::{Correction, Zeros};
use statera_readers::Options;
use statera_weighing::{Layout, MetricRule, Pairing, Policy, ScaleChoice, weigh};

fn main() {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let start = Instant::now();
    let observations = match statera_readers::read(&paths, &Options::default()) {
        Ok(observations) => observations,
        Err(failure) => return eprintln!("{failure:?}"),
    };
    println!("read   {:?}, {} values", start.elapsed(), observations.len());
    let contexts = observations.contexts.len();
    let argument = |context: usize| observations.sources[observations.context_source[context] as usize].argument as u32;
    let rule = |may_be_exact| MetricRule { better: None, margin: 0.02, margin_exact: 0.0, assumed_exact: false, may_be_exact };
    let layout = Layout {
        variant_of_context: (0..contexts).map(|context| Some(argument(context))).collect(),
        group_of_context: vec![0; contexts],
        block_of_context: None,
        metrics: observations.metrics.iter().map(|metric| Some(rule(metric.may_be_exact))).collect(),
        benchmarks: Vec::new(),
        variants: 2,
        groups: 1,
        baseline: 0,
        pairing: Pairing::Auto,
        files_are_runs: vec![false; 2],
    };
    let policy = Policy {
        alpha: 0.05,
        correction: Correction::BenjaminiHochberg,
        zeros: Zeros::Drop,
        scale: ScaleChoice::Auto,
        power: 0.8,
        resamples: 2000,
        seed: 1,
    };
    let start = Instant::now();
    let weighing = weigh(&observations, &layout, &policy).unwrap_or_default();
    println!("weigh  {:?}, {} rows", start.elapsed(), weighing.rows.len());
}
