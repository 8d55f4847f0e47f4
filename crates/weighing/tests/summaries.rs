//! Values that summarise samples which the file does not have: one a side is compared by its deviation and number.

use statera_kernels::{Correction as Flat, MeanOf, Method, mean, sd, welch_of_means};
use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Aggregate, Limits, Measurement, Observations, ROW, Sheet, Source};
use statera_weighing::{
    Assignment, Correction, Design, MetricRule, PairedOmnibus, Pairing, Policy, Reason, Row, Scale,
    ScaleChoice, Verdict, Warning, weigh,
};

use crate::calibration::noise::{Noise, Numbers};

/// A value with the number and the deviation of its samples.
type Given = (f64, Option<f64>, Option<f64>);

/// The sheet of a side: for each benchmark its values.
fn sheet(benchmarks: &[Vec<Given>], quantity: Quantity) -> Sheet {
    let mut sheet = Sheet::new("f");
    let metric = sheet.metric("m", || Metric::new("m", "s", quantity));
    for (nth, values) in benchmarks.iter().enumerate() {
        for &(value, count, deviation) in values {
            let benchmark = &format!("B{nth}");
            let aggregate = Some(Aggregate { count, deviation });
            sheet.push(Measurement { benchmark, metric, value, aggregate, ..ROW });
        }
    }
    sheet
}

fn rows_of(old: &[Vec<Given>], new: &[Vec<Given>], quantity: Quantity) -> Vec<Row> {
    let file = |side: &[Vec<Given>], argument| {
        let source = Source { name: format!("f{argument}"), argument, format: "f", values: 0 };
        (source, vec![sheet(side, quantity)])
    };
    let observations = Observations::join(vec![file(old, 0), file(new, 1)], &Limits::default()).unwrap();
    let variant = |&source: &u32| Some(source);
    let rule = MetricRule {
        better: Some(Better::Lower),
        margin: 0.01.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact: false,
    };
    let layout = Assignment {
        variant_of_context: observations.context_source.iter().map(variant).collect(),
        group_of_context: vec![0; observations.contexts.len()],
        block_of_context: None,
        metrics: vec![Some(rule)],
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
        correction: Correction::Flat(Flat::None),
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

fn row(old: &[Given], new: &[Given]) -> Row {
    rows_of(&[old.to_vec()], &[new.to_vec()], Quantity::Time)[0]
}

const OLD: Given = (2.0, Some(10.0), Some(0.1));
const NEW: Given = (2.4, Some(40.0), Some(0.2));

fn of((mean, count, deviation): Given) -> MeanOf {
    MeanOf::summary(mean, deviation.unwrap(), count.unwrap()).unwrap()
}

#[test]
fn one_mean_a_side_is_compared_by_welch_on_logarithms() {
    let found = row(&[OLD], &[NEW]);
    assert_eq!((found.design, found.scale, found.method), (Design::Summary, Scale::Ratio, Some(Method::T)));
    // The error of a logarithm: 0.1 / √10 / 2 and 0.2 / √40 / 2.4.
    let logs = [of(OLD), of(NEW)].map(MeanOf::log);
    assert!((logs[0].error - 0.1 / 10_f64.sqrt() / 2.0).abs() < 1e-15);
    let want = welch_of_means(logs[0], logs[1], 0.95).unwrap();
    assert_eq!((found.p, found.statistic), (Some(want.test.p), want.test.statistic));
    assert!((found.change - 0.2).abs() < 1e-12);
    assert_eq!(found.change_low.to_bits(), want.shift.interval.low.exp_m1().to_bits());
    assert_eq!((found.baseline.units, found.contender.units), (10, 40));
    assert!(found.baseline.centre.low < 2.0 && 2.0 < found.baseline.centre.high);
    // What one process shows never makes a row better or worse.
    assert_eq!(found.verdict, Verdict::Differs);
    assert!(found.warns(Warning::OneProcess) && found.warns(Warning::FromSummary));
    assert!(found.runs_needed.is_nan() && found.detectable.is_nan());
}

#[test]
fn means_that_are_not_positive_are_compared_on_the_plain_scale() {
    let (old, new) = ((-1.0, Some(10.0), Some(0.1)), NEW);
    let found = rows_of(&[vec![old]], &[vec![new]], Quantity::Other)[0];
    assert_eq!((found.design, found.scale), (Design::Summary, Scale::Difference));
    let want = welch_of_means(of(old), of(new), 0.95).unwrap();
    assert_eq!((found.p, found.change_high), (Some(want.test.p), want.shift.interval.high));
}

#[test]
fn without_a_deviation_or_a_number_one_value_a_side_is_not_judged() {
    for other in
        [(2.4, Some(40.0), None), (2.4, None, Some(0.2)), (2.4, Some(1.0), Some(0.2)), (2.4, None, None)]
    {
        for (old, new) in [(OLD, other), (other, NEW), (other, other)] {
            let found = row(&[old], &[new]);
            assert_eq!((found.design, found.verdict, found.p), (Design::Suite, Verdict::Descriptive, None));
        }
    }
}

#[test]
fn means_without_spread_have_no_p_unless_they_are_equal() {
    let still = |mean| (mean, Some(9.0), Some(0.0));
    let found = row(&[still(1.0)], &[still(2.0)]);
    assert_eq!((found.p, found.reason, found.change), (None, Some(Reason::NoSpread), 1.0));
    let found = row(&[still(1.0)], &[still(1.0)]);
    assert_eq!((found.p, found.change), (Some(1.0), 0.0));
}

#[test]
fn of_several_summaries_a_side_the_summaries_are_the_sample() {
    let several = |level: f64| (0..6).map(|k| (level + f64::from(k), Some(50.0), Some(0.1))).collect();
    let (old, new): (Vec<Given>, Vec<Given>) = (several(100.0), several(200.0));
    let found = row(&old, &new);
    let bare = |side: &[Given]| side.iter().map(|given| (given.0, Some(1.0), None)).collect::<Vec<_>>();
    let samples = row(&bare(&old), &bare(&new));
    assert_eq!((found.design, found.verdict), (Design::Independent, Verdict::Worse));
    assert_eq!((found.p, found.change, found.warnings), (samples.p, samples.change, samples.warnings));
}

/// The share of unchanged rows with p ≤ 0.05, each from `n` samples a side.
fn false_alarms(noise: Noise, sd_of_logs: f64, n: usize) -> f64 {
    const ROWS: usize = 4000;
    let mut numbers = Numbers::new(11, n as u64);
    let mut side = || -> Vec<Vec<Given>> {
        let drawn = noise.draw(&mut numbers, 1, ROWS, n);
        let summary = |values: &Vec<f64>| {
            let times = noise.times(values, 1e-3, sd_of_logs);
            vec![(mean(&times), Some(n as f64), Some(sd(&times)))]
        };
        drawn[0].iter().map(summary).collect()
    };
    let (old, new) = (side(), side());
    let rows = rows_of(&old, &new, Quantity::Time);
    rows.iter().filter(|row| row.p.is_some_and(|p| p <= 0.05)).count() as f64 / ROWS as f64
}

#[test]
fn false_alarms_stay_near_alpha() {
    for n in [5, 20, 100] {
        for (noise, sd_of_logs, most) in [
            (Noise::Normal, 0.1, 0.06),
            (Noise::Lognormal, 0.1, 0.06),
            (Noise::HeavyTailed, 0.1, 0.06),
            (Noise::Spiky, 0.1, 0.07),
            // So skewed that the largest values are hundreds of times the smallest.
            (Noise::Normal, 1.0, 0.10),
        ] {
            let found = false_alarms(noise, sd_of_logs, n);
            assert!(found <= most, "{noise:?} with {sd_of_logs}, {n} samples: {found}");
        }
    }
}
