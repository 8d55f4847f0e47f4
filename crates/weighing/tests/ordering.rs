//! Rows made by hand: how far they moved, how bad that is, and in what order they are shown.

use statera_kernels::Method;
use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Limits, Measurement, Observations, ROW, Sheet, Source};
use statera_weighing::inspection::{Costs, InspectionSort, inspect, order, sections};
use statera_weighing::{
    Assignment, Centre, Correction, Design, Kind, MeanChange, MetricRule, Noise, PairedOmnibus, Pairing,
    Policy, Row, Scale, ScaleChoice, Side, Sort, TailShift, Verdict, Warning, Weighing,
};

const COUNT: u32 = 0;
const TIME: u32 = 1;
const RATE: u32 = 2;
const OTHER: u32 = 3;

const SIDE: Side = Side { variant: 0, values: 8, units: 8, centre: Centre { value: 2.0, ..Centre::NONE } };

/// A row of benchmark `benchmark` that moved by `change`.
fn row(benchmark: u32, metric: u32, change: f64, verdict: Verdict) -> Row {
    Row {
        share: 1.0,
        group: 0,
        metric,
        benchmark,
        design: Design::Independent,
        scale: Scale::Ratio,
        baseline: SIDE,
        contender: Side { variant: 1, ..SIDE },
        change,
        change_low: f64::NAN,
        change_high: f64::NAN,
        change_level: f64::NAN,
        change_low_open: false,
        change_high_open: false,
        superiority: f64::NAN,
        statistic: f64::NAN,
        p: None,
        p_corrected: None,
        p_apart: None,
        least_p: f64::NAN,
        session: 0.0,
        effective_units: f64::NAN,
        method: Some(Method::Exact),
        verdict,
        reason: None,
        noise: Noise::NONE,
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        tail: None,
        spread: None,
        mean: None,
        tail_shift: None,
        level_change: None,
        runs_needed_low: f64::NAN,
        runs_needed_high: f64::NAN,
        pairs_dropped: 0,
        warnings: 0,
    }
}

fn weighing(rows: Vec<Row>) -> Weighing {
    let directions = vec![Some(Better::Lower), Some(Better::Lower), Some(Better::Higher), None];
    Weighing {
        alpha: 0.05,
        rows,
        margins: vec![Some(0.02.into()); directions.len()],
        directions,
        ..Weighing::default()
    }
}

/// Benchmarks `b`, `a` and `c`, and one metric of each kind.
fn observations() -> Observations {
    let mut sheet = Sheet::new("file");
    let kinds = [Quantity::Count, Quantity::Time, Quantity::Throughput, Quantity::Other];
    for (name, quantity) in ["count", "time", "rate", "other"].into_iter().zip(kinds) {
        let metric = sheet.metric(name, || Metric::new(name, "", quantity));
        for benchmark in ["b", "a", "c"] {
            sheet.push(Measurement { benchmark, metric, value: 1.0, line: 1, ..ROW });
        }
    }
    let source = Source { name: "file".to_owned(), argument: 0, format: "test", values: 0 };
    Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap()
}

fn ordered(weighing: &Weighing, sort: Sort) -> Vec<u32> {
    weighing.order(&observations(), weighing.all(), sort, false)
}

#[test]
fn doubling_and_halving_move_a_row_as_far() {
    let rise = |change| row(0, TIME, change, Verdict::Changed).rise();
    assert_eq!(rise(1.0), -rise(-0.5));
    assert_eq!(rise(f64::NAN), 0.0);
    let difference = |base: f64, change| {
        let centre = Centre { value: base, ..Centre::NONE };
        let of = row(0, TIME, change, Verdict::Changed);
        Row { scale: Scale::Difference, baseline: Side { centre, ..SIDE }, ..of }.rise()
    };
    assert_eq!(difference(-4.0, 2.0), 0.5);
    assert_eq!(difference(0.0, -1.0), -f64::MAX);
}

#[test]
fn harm_follows_the_direction_of_the_metric() {
    let found = weighing([TIME, RATE, OTHER].map(|metric| row(0, metric, 0.5, Verdict::Changed)).to_vec());
    let harm: Vec<f64> = found.rows.iter().map(|row| found.harm(row)).collect();
    assert!(harm[0] > 0.0 && harm[1] == -harm[0] && harm[2] == 0.0, "{harm:?}");
    assert_eq!(found.harmed(&found.all()), [0]);
    assert_eq!(found.undirected(&found.all()), [2]);
}

#[test]
fn rows_are_found_by_verdict() {
    let found = weighing(Verdict::ALL.map(|verdict| row(0, TIME, 0.1, verdict)).to_vec());
    assert_eq!(
        found.with_verdict(&[Verdict::Worse, Verdict::New]),
        [Verdict::Worse as u32, Verdict::New as u32]
    );
    let all = found.order(&observations(), found.all(), Sort::File, true);
    assert_eq!(
        all,
        found.with_verdict(&[
            Verdict::Invalid,
            Verdict::Better,
            Verdict::Worse,
            Verdict::Changed,
            Verdict::Differs,
            Verdict::TailWorse,
            Verdict::TailBetter,
            Verdict::ShapeChanged,
            Verdict::Missing,
            Verdict::New,
        ])
    );
}

#[test]
fn a_gate_counts_what_is_worse_beyond_its_margin() {
    let interval =
        |low, high| Row { change_low: low, change_high: high, ..row(0, TIME, 0.1, Verdict::Worse) };
    let found = weighing(vec![interval(0.04, 0.2), interval(0.06, 0.2)]);
    assert_eq!(found.worse_beyond(Some(0.05)), [1]);
    assert_eq!(found.worse_beyond(None), [0, 1]);
}

#[test]
fn a_gate_that_accepts_one_process_counts_what_differs_for_the_worse() {
    let interval = |metric, low: f64, high: f64| Row {
        change_low: low,
        change_high: high,
        ..row(0, metric, f64::midpoint(low, high), Verdict::Differs)
    };
    let rows = [
        interval(TIME, 0.04, 0.2),
        interval(TIME, 0.06, 0.2),
        interval(TIME, -0.2, -0.1),
        interval(RATE, -0.2, -0.1),
        interval(OTHER, 0.1, 0.2),
    ];
    let found = weighing(rows.to_vec());
    assert_eq!((found.worse_beyond(None), found.worse_beyond(Some(0.05))), (vec![0, 1, 3], vec![1, 3]));
}

#[test]
fn a_gate_counts_a_tail_by_its_mean_or_its_quantile() {
    let tail = row(0, TIME, 0.0, Verdict::TailWorse);
    let far = MeanChange { change: 0.2, low: 0.06, high: 0.3 };
    let tail_shift = Some(TailShift { level: 0.9, change: 0.9, low: 0.06, high: 1.1 });
    let (mean, near) = (Some(far), Some(MeanChange { low: 0.04, ..far }));
    let rows =
        vec![tail, Row { mean, ..tail }, Row { mean: near, ..tail }, Row { tail_shift, mean: near, ..tail }];
    assert_eq!(weighing(rows).worse_beyond(Some(0.05)), [1, 3]);
}

#[test]
fn the_most_urgent_verdicts_come_first() {
    let found = weighing(Verdict::ALL.map(|verdict| row(0, TIME, 0.1, verdict)).to_vec());
    let worst: Vec<Verdict> =
        ordered(&found, Sort::Worst).iter().map(|&index| found.rows[index as usize].verdict).collect();
    assert_eq!(worst[..4], [Verdict::Invalid, Verdict::Worse, Verdict::TailWorse, Verdict::Missing]);
    assert_eq!(
        worst[4..9],
        [Verdict::Changed, Verdict::ShapeChanged, Verdict::Better, Verdict::TailBetter, Verdict::New,]
    );
}

#[test]
fn each_order_puts_its_own_first() {
    let mut rows = vec![
        row(0, COUNT, 9.0, Verdict::Worse),
        row(1, TIME, -0.2, Verdict::Better),
        row(2, TIME, 0.3, Verdict::Worse),
        row(0, OTHER, 0.1, Verdict::Missing),
    ];
    for (row, p) in rows.iter_mut().zip([Some(0.3), Some(0.1), None, Some(0.2)]) {
        row.p_corrected = p;
    }
    let found = weighing(rows);
    assert_eq!(ordered(&found, Sort::File), [0, 1, 2, 3]);
    assert_eq!(ordered(&found, Sort::Name), [1, 0, 3, 2]);
    assert_eq!(ordered(&found, Sort::Effect), [2, 1, 0, 3]);
    assert_eq!(ordered(&found, Sort::Gain), [1, 2, 0, 3]);
    assert_eq!(ordered(&found, Sort::Rise), [0, 2, 3, 1]);
    assert_eq!(ordered(&found, Sort::Fall), [1, 3, 2, 0]);
    assert_eq!(ordered(&found, Sort::P), [1, 3, 0, 2]);
    assert_eq!(ordered(&found, Sort::Worst), [0, 2, 3, 1]);
}

#[test]
fn sections_begin_with_times() {
    let rows = [COUNT, TIME, OTHER, TIME].map(|metric| row(0, metric, 0.1, Verdict::Changed));
    let sections = weighing(rows.to_vec()).sections(&observations());
    let of: Vec<(u32, Vec<u32>)> = sections.into_iter().map(|each| (each.metric, each.rows)).collect();
    assert_eq!(of, [(TIME, vec![1, 3]), (COUNT, vec![0]), (OTHER, vec![2])]);
}

/// A layout with one variant, and a rule of 2 % for every metric.
fn alone(observations: &Observations) -> Assignment {
    let rule = MetricRule {
        better: Some(Better::Lower),
        margin: 0.02.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact: false,
    };
    Assignment {
        variant_of_context: vec![Some(0); observations.contexts.len()],
        group_of_context: vec![0; observations.contexts.len()],
        block_of_context: None,
        metrics: vec![Some(rule); observations.metrics.len()],
        own_margins: statera_weighing::OwnMargins::new(),
        benchmarks: Vec::new(),
        variants: 1,
        groups: 1,
        work_of_group: vec![0],
        pairs: Vec::new(),
        factorial: false,
        pairing: Pairing::Auto,
        share_of_context: Vec::new(),
        stratum_of_context: Vec::new(),
        strata: 1,
        files_are_runs: vec![false],
    }
}

#[test]
fn inspected_rows_stand_by_metric_and_the_worst_first() {
    const POLICY: Policy = Policy {
        alpha: 0.05,
        correction: Correction::Auto,
        scale: ScaleChoice::Auto,
        power: 0.8,
        omnibus: PairedOmnibus::Friedman,
        resamples: 10,
        relabelings: 10,
        seed: 1,
        session: 0.0,
        mean: false,
    };
    let mut sheet = Sheet::new("file");
    for (name, quantity) in [("count", Quantity::Count), ("time", Quantity::Time)] {
        let metric = sheet.metric(name, || Metric::new(name, "", quantity));
        for (benchmark, spread, values) in [("b", 0.001, 8), ("a", 0.5, 8), ("c", 0.001, 2)] {
            for k in 0..values {
                let value = 1.0 + spread * f64::from(k * 5 % 8);
                sheet.push(Measurement { benchmark, metric, value, line: 1, ..ROW });
            }
        }
    }
    let source = Source { name: "file".to_owned(), argument: 0, format: "test", values: 0 };
    let observations = Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap();
    let rows = inspect(&observations, &alone(&observations), &POLICY, &Costs::default());
    let of = sections(&rows, &observations);
    assert_eq!(of.iter().map(|each| each.metric).collect::<Vec<_>>(), [1, 0]);
    let names = |sort| -> Vec<&str> {
        let shown = order(&rows, &observations, of[0].rows.clone(), sort);
        shown.iter().map(|&row| observations.benchmarks.get(rows[row as usize].benchmark)).collect()
    };
    assert_eq!(names(InspectionSort::File), ["b", "a", "c"]);
    assert_eq!(names(InspectionSort::Name), ["a", "b", "c"]);
    assert_eq!(names(InspectionSort::Defects), ["c", "a", "b"], "unfit, noisy, fit");
}

#[test]
fn what_occurs_is_counted() {
    let mut rows = vec![row(0, TIME, 0.1, Verdict::Changed); 3];
    rows[1].method = None;
    rows[2].benchmark = 1;
    rows[2].warn(Warning::Drift);
    let found = weighing(rows);
    let kind = |method, rows| Kind { design: Design::Independent, method, scale: Scale::Ratio, rows };
    assert_eq!(found.kinds(), [kind(Some(Method::Exact), 2), kind(None, 1)]);
    assert_eq!(found.distinct_benchmarks(&found.all()), 2);
    let drifting = found.warning_counts().into_iter().find(|count| count.0 == Warning::Drift);
    assert_eq!(drifting, Some((Warning::Drift, 1)));
}

#[test]
fn codes_are_words_and_lead_back() {
    for verdict in Verdict::ALL {
        assert_eq!(Verdict::of(verdict.code()), Some(verdict));
    }
    assert_eq!(Verdict::of("one value"), None);
    assert_eq!(Warning::BeyondRange.bit(), 1 << 13);
}

#[test]
fn the_most_urgent_row_speaks_for_its_benchmark() {
    let found = weighing(vec![
        row(0, TIME, -0.2, Verdict::Better),
        row(0, COUNT, 0.3, Verdict::Worse),
        row(1, TIME, 0.1, Verdict::Worse),
        row(2, TIME, 0.0, Verdict::Equivalent),
        row(2, RATE, 0.0, Verdict::Inconclusive),
    ]);
    let answer = found.answer(&observations(), false);
    // Of equally urgent rows those of a time come first, although the count rose more.
    assert_eq!(answer.leads, [2, 1, 4]);
    assert_eq!(answer.counts[Verdict::Worse as usize], 2);
    assert_eq!(answer.counts[Verdict::Inconclusive as usize], 1);
    assert!(!answer.slower, "a count is not slower");
    let metrics = found.answer(&observations(), true);
    assert_eq!(metrics.counts.iter().sum::<u32>(), 3);
    let mut elsewhere = found.rows.clone();
    elsewhere[0].group = 1;
    let answer = weighing(elsewhere).answer(&observations(), false);
    assert_eq!(answer.leads, [2, 1, 0, 4], "a benchmark has an answer in each group");
    assert!(answer.faster && !answer.slower);
}

#[test]
fn an_answer_states_what_intervals_exclude_and_what_the_undecided_could_have_shown() {
    let with = |low, high, of: Row| Row { change_low: low, change_high: high, ..of };
    let undecided = Row { detectable: 0.25, ..row(1, RATE, 0.0, Verdict::Inconclusive) };
    let rows = vec![
        with(-0.1, 0.02, row(0, TIME, 0.0, Verdict::Equivalent)),
        with(-0.2, 0.1, undecided),
        with(-0.3, -0.2, row(2, TIME, 0.0, Verdict::Equivalent)),
    ];
    let answer = weighing(rows).answer(&observations(), false);
    assert_eq!(
        answer.detectable.map(|found| (found.least, found.most, found.subjects)),
        Some((0.25, 0.25, 1))
    );
    let excluded = answer.excluded.unwrap();
    // A rate that falls by a fifth costs a quarter more; an interval on the good side excludes every harm.
    assert_eq!((excluded.least, excluded.subjects), (0.0, 3));
    assert!((excluded.most - 0.25).abs() < 1e-12, "{excluded:?}");
    assert!(answer.slower && answer.faster);
}

#[test]
fn what_an_interval_leaves_open_no_other_row_of_the_benchmark_excludes() {
    let with = |low, high, of: Row| Row { change_low: low, change_high: high, ..of };
    let undecided = |metric| Row { detectable: 0.2, ..row(0, metric, 0.0, Verdict::Inconclusive) };
    let rate = Row { detectable: 0.6, ..undecided(RATE) };
    let rows = vec![
        with(-0.1, 0.02, undecided(TIME)),
        with(-0.5, 0.3, rate),
        with(-0.9, 9.0, undecided(COUNT)),
        row(0, COUNT, 0.0, Verdict::Missing),
    ];
    let answer = weighing(rows.clone()).answer(&observations(), false);
    // A rate that falls by half costs twice as much; a count is no time.
    assert_eq!(answer.excluded.map(|found| (found.least, found.most)), Some((1.0, 1.0)));
    assert_eq!(answer.detectable.map(|found| found.most), Some(0.6));
    assert_eq!((answer.leads.len(), answer.lacking, answer.counts[Verdict::Missing as usize]), (1, 1, 0));
    let open = with(f64::NAN, f64::NAN, rows[1]);
    let answer = weighing(vec![rows[0], open]).answer(&observations(), false);
    assert_eq!(answer.excluded, None, "a row without an interval excludes nothing");
}

#[test]
fn nothing_is_answered_without_rows() {
    let answer = weighing(vec![]).answer(&observations(), false);
    assert_eq!((answer.leads.len(), answer.detectable, answer.excluded), (0, None, None));
}
