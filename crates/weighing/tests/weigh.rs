//! Whole comparisons in memory: what the data is, and what is made of it.

use statera_kernels::{Correction as Flat, Method, two_sample};
use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Limits, Measurement, Observations, ROW, Sheet, Source};
use statera_weighing::{
    Assignment, Correction, Design, Family, How, MetricRule, PairedOmnibus, Pairing, Policy, Reason, Scale,
    ScaleChoice, Verdict, Warning, Weighing, weigh,
};

/// A value of the one benchmark: block and process where they are known.
type Given = (f64, Option<&'static str>, Option<u32>);

fn values(numbers: &[f64]) -> Vec<Given> {
    numbers.iter().map(|&number| (number, None, None)).collect()
}

fn observed(sides: [&[Given]; 2], quantity: Quantity) -> Observations {
    let files = sides.into_iter().enumerate().map(|(argument, side)| {
        let mut sheet = Sheet::new("file");
        let metric = sheet.metric("m", || Metric::new("m", "", quantity));
        for &(value, block, process) in side {
            sheet.push(Measurement { benchmark: "B", metric, value, line: 1, block, process, ..ROW });
        }
        (Source { name: format!("file{argument}"), argument, format: "test", values: 0 }, vec![sheet])
    });
    Observations::join(files.collect(), &Limits::default()).unwrap()
}

fn assignment(observations: &Observations, pairing: Pairing) -> Assignment {
    let rule = |metric: &Metric| {
        let (assumed_exact, may_be_exact) = (metric.assumed_exact, metric.may_be_exact);
        let better = Some(Better::Lower);
        Some(MetricRule {
            better,
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
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants: 2,
        groups: 1,
        work_of_group: Vec::new(),
        pairs: vec![(0, 1)],
        factorial: false,
        pairing,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; 2],
    }
}

const POLICY: Policy = Policy {
    alpha: 0.05,
    correction: Correction::Flat(Flat::BenjaminiHochberg),
    scale: ScaleChoice::Auto,
    power: 0.8,
    omnibus: PairedOmnibus::Friedman,
    resamples: 100,
    relabelings: 1000,
    seed: 1,
    session: 0.0,
    mean: false,
};

fn weighed(old: &[Given], new: &[Given], quantity: Quantity) -> Weighing {
    let observations = observed([old, new], quantity);
    weigh(&observations, &assignment(&observations, Pairing::Auto), &POLICY).unwrap()
}

const OLD: [f64; 8] = [1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07];

#[test]
fn independent_values_are_tested_on_their_logarithms() {
    let new = OLD.map(|value| value * 1.2);
    let row = weighed(&values(&OLD), &values(&new), Quantity::Time).rows[0];
    let logs = |values: &[f64]| values.iter().map(|value| value.ln()).collect::<Vec<f64>>();
    let wanted = two_sample(&logs(&OLD), &logs(&new), 0.95).unwrap();
    assert_eq!((row.design, row.scale, row.verdict), (Design::Independent, Scale::Ratio, Verdict::Worse));
    assert_eq!(row.p, Some(wanted.test.p));
    assert_eq!(row.change, wanted.shift.estimate.exp_m1());
    assert_eq!(row.change_low, wanted.shift.interval.low.exp_m1());
    assert!(row.change_low > 0.02 && row.change_high < 0.5);
}

#[test]
fn equal_counts_are_exact_and_have_no_p() {
    let row = weighed(&values(&[100.0; 3]), &values(&[101.0; 3]), Quantity::Count).rows[0];
    assert_eq!((row.design, row.verdict, row.p), (Design::Exact, Verdict::Worse, None));
    let row = weighed(&values(&[100.0; 3]), &values(&[100.0; 3]), Quantity::Count).rows[0];
    assert_eq!((row.verdict, row.change), (Verdict::Equivalent, 0.0));
    let row = weighed(&values(&[100.0; 3]), &values(&[101.0; 3]), Quantity::Time).rows[0];
    assert_ne!(row.design, Design::Exact, "time is never exact");
}

#[test]
fn too_few_values_say_so() {
    let row = weighed(&values(&OLD[..1]), &values(&OLD[5..]), Quantity::Time).rows[0];
    assert_eq!((row.verdict, row.reason), (Verdict::Inconclusive, Some(Reason::TooFewRuns)));
    assert!((row.least_p - 0.5).abs() < 1e-12);
}

#[test]
fn few_values_differ_by_a_t_test_and_are_never_equivalent() {
    let few = |new: &[f64]| weighed(&values(&[1.00, 1.01, 1.02]), &values(new), Quantity::Time).rows[0];
    let row = few(&[10.0, 10.2, 10.5]);
    assert_eq!((row.verdict, row.method), (Verdict::Differs, Some(Method::T)));
    assert!(row.warns(Warning::Parametric) && !row.warns(Warning::LowLevel) && row.least_p == 0.0);
    let row = few(&[1.0101, 1.0102, 1.0103]);
    assert!(row.change_low > -0.0196 && row.change_high < 0.02, "{row:?}");
    assert_eq!((row.verdict, row.reason), (Verdict::Inconclusive, Some(Reason::FewRuns)));
}

#[test]
fn one_value_a_side_is_shown_and_not_judged() {
    let weighing = weighed(&values(&[2.0]), &values(&[3.0]), Quantity::Time);
    let row = weighing.rows[0];
    assert_eq!((row.design, row.verdict, row.p), (Design::Suite, Verdict::Descriptive, None));
    assert_eq!(row.change, 0.5);
    assert_eq!(weighing.summaries[0].quantiles.unwrap()[2], 0.5);
}

#[test]
fn a_side_without_values_is_missing_or_new() {
    assert_eq!(weighed(&values(&OLD), &[], Quantity::Time).rows[0].verdict, Verdict::Missing);
    assert_eq!(weighed(&[], &values(&OLD), Quantity::Time).rows[0].verdict, Verdict::New);
}

#[test]
fn iterations_of_a_process_count_once() {
    let side = |factor: f64| -> Vec<Given> {
        (0..20).map(|i| (factor * (1.0 + f64::from(i % 5) * 0.001), None, Some(i / 5))).collect()
    };
    let row = weighed(&side(1.0), &side(1.1), Quantity::Time).rows[0];
    assert_eq!((row.design, row.baseline.values, row.baseline.units), (Design::Nested, 20, 4));
    let one: Vec<Given> = values(&OLD).into_iter().map(|(value, block, _)| (value, block, Some(0))).collect();
    let row = weighed(&one, &one, Quantity::Time).rows[0];
    assert!(row.warns(Warning::OneProcess));
    assert_ne!(row.verdict, Verdict::Equivalent);
}

/// Values of one process, of a block each.
fn process(factor: f64, number: u32) -> Vec<Given> {
    let value = |i: usize| (factor * (1.0 + 0.001 * i as f64), Some(BLOCKS[i]), Some(number));
    (0..8).map(value).collect()
}

#[test]
fn one_process_a_side_differs_in_every_design() {
    let without_blocks = |side: &[Given]| -> Vec<Given> {
        side.iter().map(|&(value, _, process)| (value, None, process)).collect()
    };
    let (old, new) = (process(1.0, 0), process(1.3, 0));
    let several = [process(1.3, 0), process(1.31, 1)].concat();
    let sides = [
        (old.clone(), new.clone(), Pairing::Auto, Design::Paired),
        (without_blocks(&old), without_blocks(&new), Pairing::Auto, Design::Independent),
        (without_blocks(&old), without_blocks(&new), Pairing::Order, Design::Paired),
        // One side has two processes, the other one.
        (without_blocks(&old), without_blocks(&several), Pairing::Auto, Design::Independent),
    ];
    for (old, new, pairing, design) in sides {
        let observations = observed([&old, &new], Quantity::Time);
        let row = weigh(&observations, &assignment(&observations, pairing), &POLICY).unwrap().rows[0];
        assert_eq!((row.design, row.verdict, row.reason), (design, Verdict::Differs, None), "{row:?}");
        assert!(row.change > 0.29 && row.change_low > 0.0, "{row:?}");
    }
}

#[test]
fn exact_values_of_one_process_keep_their_verdict() {
    let count = |value: f64| vec![(value, None, Some(0)); 3];
    let row = weighed(&count(100.0), &count(101.0), Quantity::Count).rows[0];
    assert_eq!((row.design, row.verdict), (Design::Exact, Verdict::Worse));
}

const BLOCKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

#[test]
fn blocks_pair_whatever_their_order() {
    let side = |factor: f64, turn: usize| -> Vec<Given> {
        (0..8)
            .map(|i| (i + turn) % 8)
            .map(|i| (factor * 10f64.powi(i as i32), Some(BLOCKS[i]), None))
            .collect()
    };
    let row = weighed(&side(1.0, 0), &side(1.05, 3), Quantity::Time).rows[0];
    assert_eq!((row.design, row.verdict), (Design::Paired, Verdict::Worse));
    assert!((row.change - 0.05).abs() < 1e-12);
}

#[test]
fn a_pairing_that_was_asked_for_and_does_not_hold_names_its_keys() {
    let side = |blocks: &[&'static str]| -> Vec<Given> {
        blocks.iter().map(|&block| (1.0, Some(block), None)).collect()
    };
    for (old, new, words) in [
        (&["1", "2"][..], &["1"][..], "missing in the contender, the first is `2`"),
        (&["1"][..], &["1", "2"][..], "missing in the baseline, the first is `2`"),
        (&["1", "1"][..], &["1", "2"][..], "`1` occurs more than once in the baseline"),
    ] {
        let observations = observed([&side(old), &side(new)], Quantity::Time);
        let fault = weigh(&observations, &assignment(&observations, Pairing::Block), &POLICY).unwrap_err();
        assert!(fault.why.contains(words), "{}", fault.why);
    }
}

#[test]
fn zeros_are_compared_by_differences() {
    let zeros: Vec<Given> = values(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let row = weighed(&zeros, &values(&OLD[..6]), Quantity::Time).rows[0];
    assert_eq!(row.scale, Scale::Difference);
    assert!(row.warns(Warning::NoRatio));
}

#[test]
fn the_level_of_one_more_row_is_that_of_the_correction() {
    let level = |how, called| Family { how, size: 50, ..Family::default() }.level(0.05, called);
    let flat = |how, called| level(How::Flat(how), called);
    let relabeled = How::MaxT { relabelings: 252, exact: true };
    for (found, parts) in [
        (flat(Flat::None, 7), 1.0),
        (flat(Flat::Bonferroni, 7), 50.0),
        (flat(Flat::Holm, 0), 50.0),
        (flat(Flat::Hochberg, 25), 25.0),
        (flat(Flat::BenjaminiHochberg, 0), 50.0),
        (flat(Flat::BenjaminiHochberg, 4), 10.0),
        (flat(Flat::BenjaminiHochberg, 50), 1.0),
        (level(relabeled, 0), 50.0),
    ] {
        assert!((found * parts / 0.05 - 1.0).abs() < 1e-12, "{found} {parts}");
    }
    // A p-value exactly at the level is called by the correction itself.
    let mut p = vec![0.9; 50];
    p[..3].copy_from_slice(&[1e-9, 1e-9, flat(Flat::BenjaminiHochberg, 2)]);
    assert!(statera_kernels::adjust(&p, Flat::BenjaminiHochberg)[2] <= 0.05 + 1e-12);
    assert_eq!(Family { how: relabeled, size: 50, ..Family::default() }.own_level(0.05, 0), 0.05);
}
