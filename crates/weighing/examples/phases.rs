//! Times the phases of a comparison of two Go result files:
//! `cargo run --release -p statera-weighing --example phases OLD NEW [--digest]`. The digest of all rows tells whether
//! a change of the code has changed a number.

use std::path::PathBuf;
use std::time::Instant;

use statera_readers::Options;
use statera_weighing::{
    Assignment, Correction, MetricRule, PairedOmnibus, Pairing, Policy, ScaleChoice, Weighing, weigh,
};

fn main() {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let digests = paths.last().is_some_and(|last| last.as_os_str() == "--digest") && paths.pop().is_some();
    let start = Instant::now();
    let observations = match statera_readers::read(&paths, &Options::default()) {
        Ok(observations) => observations,
        Err(failure) => return eprintln!("{failure:?}"),
    };
    println!("read   {:?}, {} values", start.elapsed(), observations.len());
    let contexts = observations.contexts.len();
    let argument =
        |context: usize| observations.sources[observations.context_source[context] as usize].argument as u32;
    let rule = |may_be_exact| MetricRule {
        better: None,
        margin: 0.02.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact,
    };
    let assignment = Assignment {
        variant_of_context: (0..contexts).map(|context| Some(argument(context))).collect(),
        group_of_context: vec![0; contexts],
        block_of_context: None,
        metrics: observations.metrics.iter().map(|metric| Some(rule(metric.may_be_exact))).collect(),
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants: 2,
        groups: 1,
        work_of_group: Vec::new(),
        pairs: vec![(0, 1)],
        factorial: false,
        pairing: Pairing::Auto,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; 2],
    };
    let policy = Policy {
        alpha: 0.05,
        correction: Correction::Auto,
        scale: ScaleChoice::Auto,
        power: 0.8,
        omnibus: PairedOmnibus::Friedman,
        resamples: 2000,
        relabelings: 10_000,
        seed: 1,
        session: 0.0,
        mean: false,
    };
    let start = Instant::now();
    let weighing = weigh(&observations, &assignment, &policy).unwrap_or_default();
    println!("weigh  {:?}, {} rows", start.elapsed(), weighing.rows.len());
    if digests {
        println!("digest {:016x}", digest(&weighing));
    }
}

/// FNV-1a over the bits of every number of every row and summary.
fn digest(weighing: &Weighing) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut note = |bits: u64| {
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for row in &weighing.rows {
        let p = [row.p, row.p_corrected].map(|p| p.unwrap_or(-1.0));
        let sides = [row.baseline.centre, row.contender.centre].map(|c| [c.value, c.low, c.high, c.level]);
        let own = [
            row.change,
            row.change_low,
            row.change_high,
            row.change_level,
            row.superiority,
            row.statistic,
            row.least_p,
        ];
        let planned = [row.detectable, row.runs_needed, row.runs_needed_low, row.runs_needed_high];
        let numbers = own.iter().chain(&p).chain(sides.as_flattened()).chain(&planned);
        numbers.for_each(|number| note(number.to_bits()));
        let flags = u64::from(row.change_low_open) << 33 | u64::from(row.change_high_open) << 32;
        note(flags | u64::from(row.warnings));
        note(
            (row.design as u64) << 16
                | (row.verdict as u64) << 8
                | row.reason.map_or(0, |reason| reason as u64 + 1),
        );
    }
    for summary in &weighing.summaries {
        let mean = summary.mean.map_or([f64::NAN; 3], |mean| [mean.ratio, mean.low, mean.high]);
        for number in mean {
            note(number.to_bits());
        }
        summary.verdicts.iter().for_each(|&count| note(u64::from(count)));
    }
    hash
}
