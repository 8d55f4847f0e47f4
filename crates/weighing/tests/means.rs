//! Metrics that are means: what is weighed, and how the one judge takes it.

use statera_kernels::{Correction as Flat, Method, batch_means, prediction, student, weighted_mean, welch};
use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Columns, Estimand, Limits, NONE, Observations};
use statera_weighing::{
    Assignment, Correction, Design, MetricRule, PairedOmnibus, Pairing, Policy, Reason, Row, Scale,
    ScaleChoice, Verdict, Warning, weigh,
};

/// A value: mean, samples, block or [`NONE`], run.
type Given = (f64, f64, u32, u32);

fn observed(sides: &[&[Given]]) -> Observations {
    let metric = Metric { estimand: Estimand::Mean, ..Metric::new("m", "s", Quantity::Time) };
    let mut columns = Columns {
        sources: (0..sides.len()).map(|side| (format!("side{side}"), side)).collect(),
        contexts: (0..sides.len() as u32).map(|side| (side, Vec::new())).collect(),
        benchmarks: vec!["B".to_owned()],
        metrics: vec![metric],
        blocks: (0..100).map(|block| format!("h{block}")).collect(),
        ..Columns::default()
    };
    for (side, values) in sides.iter().enumerate() {
        for &(value, weight, block, run) in *values {
            columns.benchmark.push(0);
            columns.metric.push(0);
            columns.context.push(side as u32);
            columns.value.push(value);
            columns.weight.push(weight);
            columns.block.push(block);
            columns.process.push(run);
        }
    }
    Observations::of_columns(columns, &Limits::default()).unwrap()
}

fn rows(sides: &[&[Given]], margin: f64, correction: Correction) -> Vec<Row> {
    let observations = observed(sides);
    let variants = sides.len() as u32;
    let layout = Assignment {
        variant_of_context: (0..variants).map(Some).collect(),
        group_of_context: vec![0; sides.len()],
        block_of_context: None,
        metrics: vec![Some(MetricRule {
            better: Some(Better::Lower),
            margin: margin.into(),
            margin_exact: 0.0.into(),
            assumed_exact: false,
            may_be_exact: false,
        })],
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants,
        groups: 1,
        work_of_group: Vec::new(),
        pairs: (1..variants).map(|contender| (0, contender)).collect(),
        factorial: false,
        pairing: Pairing::Auto,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false; sides.len()],
    };
    let policy = Policy {
        alpha: 0.05,
        correction,
        scale: ScaleChoice::Auto,
        power: 0.8,
        omnibus: PairedOmnibus::Friedman,
        resamples: 100,
        relabelings: 1000,
        seed: 1,
        session: 0.0,
        mean: false,
    };
    weigh(&observations, &layout, &policy).unwrap().rows
}

fn row(old: &[Given], new: &[Given], margin: f64) -> Row {
    rows(&[old, new], margin, Correction::Auto)[0]
}

/// Values that go up and down without a pattern of their own.
fn wave(count: u32, level: f64, run: u32) -> Vec<Given> {
    let value = |k: u32| level + f64::from(k * 7919 % 101) / 100.0;
    (0..count).map(|k| (value(k), f64::from(1 + k % 3), NONE, run)).collect()
}

fn columns(side: &[Given]) -> (Vec<f64>, Vec<f64>) {
    side.iter().map(|given| (given.0, given.1)).unzip()
}

fn mean(side: &[Given]) -> f64 {
    let (values, weights) = columns(side);
    weighted_mean(&values, &weights)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * a.abs().max(b.abs()), "{a} and {b}");
}

#[test]
fn a_series_is_weighed_by_batches_around_the_change_of_its_means() {
    let (old, new) = (wave(90, 10.0, 0), wave(130, 11.0, 1));
    let found = row(&old, &new, 0.02);
    assert_eq!(
        (found.design, found.scale, found.verdict),
        (Design::Series, Scale::Difference, Verdict::Differs)
    );
    assert_eq!((found.baseline.units, found.contender.units, found.baseline.values), (90, 130, 180));
    assert!(found.warns(Warning::OneProcess));
    let (old, new) = (columns(&old), columns(&new));
    let expected = welch(&batch_means(&old.0, &old.1), &batch_means(&new.0, &new.1), 0.95).unwrap();
    close(found.change, weighted_mean(&new.0, &new.1) - weighted_mean(&old.0, &old.1));
    close(found.p.unwrap(), expected.test.p);
    let moved = found.change - expected.shift.estimate;
    close(found.change_low, expected.shift.interval.low + moved);
    close(found.change_high, expected.shift.interval.high + moved);
}

#[test]
fn blocks_that_both_sides_have_are_paired_and_weigh_alike() {
    let old: Vec<Given> = (0..6).map(|k| (f64::from(k), f64::from(1 + k), k as u32, 0)).collect();
    let new: Vec<Given> =
        (1..7).map(|k| (f64::from(k) + 0.5 + 0.01 * f64::from(k % 2), 1.0, k as u32, 1)).collect();
    let found = row(&old, &new, 0.02);
    let differences: Vec<f64> = (1..6).map(|k| 0.5 + 0.01 * f64::from(k % 2)).collect();
    let expected = student(&differences, 0.95).unwrap();
    assert_eq!((found.design, found.baseline.units, found.pairs_dropped), (Design::Paired, 5, 2));
    assert!(found.warns(Warning::PairsDropped));
    assert!((found.p.unwrap() / expected.test.p - 1.0).abs() < 1e-9);
    let width = expected.shift.interval.high - expected.shift.interval.low;
    assert!((found.change_high - found.change_low - width).abs() < 1e-12);
    close(f64::midpoint(found.change_low, found.change_high), found.change);
}

#[test]
fn runs_are_the_unit_where_both_sides_have_several() {
    let side = |levels: &[f64], first: u32| -> Vec<Given> {
        levels.iter().zip(first..).flat_map(|(&level, run)| wave(30, level, run)).collect()
    };
    let (old, new) = (side(&[10.0, 10.1, 10.2], 0), side(&[11.0, 11.1], 3));
    let found = row(&old, &new, 0.02);
    assert_eq!((found.design, found.baseline.units, found.contender.units), (Design::Nested, 3, 2));
    assert!(!found.warns(Warning::OneProcess));
    close(found.change, found.contender.centre.value - found.baseline.centre.value);
    assert!(found.change_low < 0.95 && found.change_high > 0.95);
}

#[test]
fn one_new_run_is_predicted_from_the_spread_of_several() {
    let levels = [10.0, 10.1, 10.3, 9.9];
    let old: Vec<Given> = levels.iter().zip(0..).flat_map(|(&level, run)| wave(30, level, run)).collect();
    for (level, verdict) in [(11.5, Verdict::Worse), (8.0, Verdict::Better), (10.5, Verdict::Inconclusive)] {
        let new = wave(30, level, 9);
        let found = row(&old, &new, 0.02);
        assert_eq!(
            (found.design, found.verdict, found.method),
            (Design::Nested, verdict, Some(Method::Prediction))
        );
        assert_eq!((found.baseline.units, found.contender.units), (4, 1));
        assert!(!found.warns(Warning::OneProcess));
        let means: Vec<f64> = levels.iter().map(|&level| mean(&wave(30, level, 0))).collect();
        let expected = prediction(&means, &[mean(&new)], 0.0, 0.95).unwrap();
        // The four runs, each predicted from the others, say hardly anything against normal ones.
        let ratio = found.p.unwrap() / expected.test.p;
        assert!((1.0..1.3).contains(&ratio), "{ratio}");
        assert!(found.change_low <= expected.shift.interval.low);
        // The other way round, the single run is the baseline's.
        close(row(&new, &old, 0.02).p.unwrap(), found.p.unwrap());
    }
    assert_eq!(row(&old, &wave(30, 10.08, 9), 0.5).verdict, Verdict::Equivalent);
}

#[test]
fn a_run_in_which_something_rare_happened_is_not_another_level() {
    let runs = |count: u32| -> Vec<Given> { (0..count).flat_map(|run| wave(30, 10.0, run)).collect() };
    let near = |mut given: Vec<Given>| {
        for value in &mut given {
            value.0 += f64::from(value.3) / 1000.0;
        }
        given
    };
    let mut rare = wave(30, 10.0, 9);
    rare[17].0 += 100.0;
    let old = near(runs(8));
    assert_eq!(row(&old, &rare, 0.02).verdict, Verdict::Inconclusive);
    let three = [wave(30, 10.0, 10), wave(30, 10.0, 11), rare].concat();
    assert_eq!(row(&old, &three, 0.02).verdict, Verdict::Inconclusive);
    assert_eq!(row(&old, &wave(30, 13.0, 9), 0.02).verdict, Verdict::Worse);
}

#[test]
fn runs_of_two_modes_call_no_run_of_either() {
    let one = |level: f64, run: u32| (level, 100.0, NONE, run);
    let modes = [10.0, 10.01, 10.02, 12.0, 10.03, 10.01, 10.02, 10.0];
    let old: Vec<Given> = modes.iter().zip(0..).map(|(&level, run)| one(level, run)).collect();
    let plain = prediction(&modes, &[12.01], 0.0, 0.95).unwrap();
    let found = row(&old, &[one(12.01, 9)], 0.0001);
    assert!(plain.test.p < found.p.unwrap() && found.p.unwrap() < 1.0);
    assert_eq!(found.verdict, Verdict::Inconclusive);
}

#[test]
fn a_metric_of_one_value_a_run_is_judged_between_runs_only() {
    let runs = |levels: &[f64], first: u32| -> Vec<Given> {
        levels.iter().zip(first..).map(|(&level, run)| (level, 100.0, NONE, run)).collect()
    };
    let found = row(&runs(&[10.0], 0), &runs(&[11.0], 1), 0.02);
    assert_eq!((found.design, found.verdict, found.p), (Design::Suite, Verdict::Descriptive, None));
    assert!((found.change - 1.0).abs() < 1e-12 && found.change_low.is_nan());
    let old = runs(&[10.0, 10.1, 9.9], 0);
    assert_eq!(row(&old, &runs(&[12.0], 3), 0.02).verdict, Verdict::Worse);
    assert_eq!(row(&old, &runs(&[12.0, 12.1], 3), 0.02).verdict, Verdict::Worse);
}

#[test]
fn what_is_withheld_has_a_reason_and_a_change() {
    let block = |value: f64, block: u32, run: u32| (value, 1.0, block, run);
    let walk: Vec<Given> = (0..100).map(|k| (f64::from(k), 1.0, NONE, 1)).collect();
    let flat = |level: f64, run: u32| vec![(level, 1.0, NONE, run); 30];
    let cases = [
        (wave(19, 10.0, 0), wave(90, 11.0, 1), Reason::TooFewValues),
        (wave(90, 10.0, 0), walk, Reason::TooDependent),
        (flat(1.0, 0), flat(2.0, 1), Reason::NoSpread),
        (
            vec![block(1.0, 0, 0), block(2.0, 1, 0)],
            vec![block(3.0, 1, 1), block(3.0, 2, 1)],
            Reason::TooFewPairs,
        ),
        // The one side is known by its blocks, the other as a series.
        (vec![block(1.0, 0, 0), block(2.0, 1, 0)], wave(90, 10.0, 1), Reason::TooFewPairs),
    ];
    for (old, new, reason) in cases {
        let found = row(&old, &new, 0.02);
        assert_eq!((found.verdict, found.reason, found.p), (Verdict::Inconclusive, Some(reason), None));
        assert!(found.change > 0.0 && found.change_low.is_nan());
    }
}

#[test]
fn the_margin_is_of_the_baselines_mean_and_one_run_shows_no_equivalence() {
    let (old, new) = (wave(90, 10.0, 0), wave(90, 10.1, 1));
    assert_eq!(row(&old, &new, 0.5).reason, Some(Reason::OneProcess));
    let twice = |run: u32, level: f64| [wave(90, level, run), wave(90, level + 0.001, run + 1)].concat();
    assert_eq!(row(&twice(0, 10.0), &twice(2, 10.1), 0.5).verdict, Verdict::Equivalent);
    assert_eq!(row(&twice(0, 10.0), &twice(2, 10.1), 0.001).verdict, Verdict::Worse);
}

#[test]
fn several_variants_are_corrected_flat_as_there_is_no_test_of_all_means() {
    let sides = [wave(90, 10.0, 0), wave(90, 10.02, 1), wave(90, 10.1, 2)];
    let sides: Vec<&[Given]> = sides.iter().map(Vec::as_slice).collect();
    let auto = rows(&sides, 0.02, Correction::Auto);
    let flat = rows(&sides, 0.02, Correction::Flat(Flat::BenjaminiHochberg));
    assert_eq!(auto.len(), 2);
    assert_eq!(
        auto.iter().map(|row| row.p_corrected).collect::<Vec<_>>(),
        flat.iter().map(|row| row.p_corrected).collect::<Vec<_>>()
    );
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let whole = || Columns {
        sources: vec![("s".to_owned(), 0)],
        contexts: vec![(0, Vec::new())],
        benchmarks: vec!["B".to_owned()],
        metrics: vec![Metric::new("m", "s", Quantity::Time)],
        benchmark: vec![0],
        metric: vec![0],
        context: vec![0],
        value: vec![1.0],
        ..Columns::default()
    };
    let why =
        |columns: Columns| Observations::of_columns(columns, &Limits::default()).unwrap_err().to_string();
    assert!(Observations::of_columns(whole(), &Limits::default()).is_ok());
    assert!(why(Columns { metric: vec![1], ..whole() }).contains("there is no metric 1"));
    assert!(why(Columns { block: vec![0], ..whole() }).contains("there is no block 0"));
    assert!(why(Columns { context: vec![], ..whole() }).contains("the column context has 0 values"));
    assert!(why(Columns { weight: vec![0.0], ..whole() }).contains("not of 0"));
    assert!(why(Columns { weight: vec![1.0, 1.0], ..whole() }).contains("the column weight has 2 values"));
    assert!(why(Columns { value: vec![f64::NAN], ..whole() }).contains("NaN is not a value"));
    let none = Limits { values: 0, ..Limits::default() };
    assert!(Observations::of_columns(whole(), &none).unwrap_err().to_string().contains("values=0"));
    assert!(why(Columns { contexts: vec![(1, Vec::new())], ..whole() }).contains("order of their sources"));
}
