//! What users are told is true as often as it should be, and no verdict contradicts its own interval.

#[path = "../examples/calibrate/comparison.rs"]
mod comparison;
#[path = "../examples/calibrate/labelled.rs"]
mod labelled;
#[expect(dead_code, reason = "only the simulation of coverage needs medians")]
#[path = "../examples/calibrate/noise.rs"]
pub mod noise;

use comparison::{Asked, DEFAULT, MARGIN, called, compared, inspected};
use noise::{Noise, Numbers};
use rayon::prelude::*;
use statera_kernels::Correction as Flat;
use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Limits, Measurement, Observations, Sheet, Source};
use statera_weighing::inspection::Defect;
use statera_weighing::{
    Assignment, Correction, Design, MetricRule, PairedOmnibus, Pairing, Policy, Reason, Row, Scale,
    ScaleChoice, Verdict, Warning, weigh,
};

const ALPHA: f64 = 0.05;

/// Weighs two variants of which nothing changed.
fn unchanged(noise: Noise, pairing: Pairing, numbers: &mut Numbers, benchmarks: usize, n: usize) -> Vec<Row> {
    let drawn = noise.draw(numbers, 2, benchmarks, n);
    let times: Vec<Vec<Vec<f64>>> =
        drawn.iter().map(|side| side.iter().map(|values| noise.times(values, 1e-3, 0.1)).collect()).collect();
    compared(&times, Asked { pairing, ..DEFAULT }).rows
}

/// Share of repetitions for which something holds.
fn share(repetitions: u64, holds: impl Fn(&mut Numbers) -> bool + Sync) -> f64 {
    let held = (0..repetitions).into_par_iter().filter(|&i| holds(&mut Numbers::new(7, i))).count();
    held as f64 / repetitions as f64
}

/// The most that may be found of an event of this probability.
fn most(probability: f64, repetitions: u64) -> f64 {
    probability + 3.0 * (probability * (1.0 - probability) / repetitions as f64).sqrt()
}

/// Weighs two variants whose runs have this noise and standard deviation, of which nothing changed.
fn warned(noise: Noise, sd: f64, n: usize, warning: Warning) -> f64 {
    share(1000, |numbers| {
        let drawn = noise.draw(numbers, 2, 1, n);
        let times: Vec<Vec<Vec<f64>>> =
            drawn.iter().map(|side| vec![noise.times(&side[0], 1e-3, sd)]).collect();
        compared(&times, DEFAULT).rows[0].warns(warning)
    })
}

#[test]
fn warnings_about_values_ride_on_one_unchanged_row_in_fifty_at_most() {
    for n in [8, 9, 10, 20, 50, 200] {
        for noise in [Noise::Normal, Noise::Lognormal] {
            let found = warned(noise, 0.1, n, Warning::Outliers);
            let most = if noise == Noise::Normal { 0.02 } else { 0.05 };
            assert!(found <= most, "outliers of {noise:?}, {n} runs: {found}");
        }
        for noise in [Noise::Normal, Noise::Lognormal, Noise::HeavyTailed, Noise::Bimodal] {
            let found = warned(noise, 0.1, n, Warning::MediansDisagree);
            assert!(found <= 0.02, "medians of {noise:?}, {n} runs: {found}");
        }
    }
}

#[test]
fn steps_of_a_timer_count_if_they_are_not_small_beside_the_margin() {
    assert!(warned(Noise::Quantised, 0.001, 50, Warning::FewDistinct) <= 0.0);
    assert!(warned(Noise::Quantised, 0.1, 50, Warning::FewDistinct) >= 1.0);
}

#[test]
fn unchanged_benchmarks_are_called_changed_in_one_of_twenty_at_most() {
    let repetitions = 1500;
    for (noise, pairing) in [
        (Noise::Normal, Pairing::Auto),
        (Noise::Lognormal, Pairing::Auto),
        (Noise::HeavyTailed, Pairing::Auto),
        (Noise::Quantised, Pairing::Auto),
        (Noise::Rounds, Pairing::Order),
    ] {
        for n in [5, 8, 20, 50] {
            let found =
                share(repetitions, |numbers| unchanged(noise, pairing, numbers, 1, n).iter().any(called));
            assert!(found <= most(ALPHA, repetitions), "{noise:?}, {n} runs: {found}");
            assert!(n < 8 || found > 0.01, "{noise:?}, {n} runs: {found} is too seldom to be a test");
        }
    }
}

#[test]
fn unchanged_suites_show_any_change_in_one_of_twenty_at_most() {
    let repetitions = 400;
    for (noise, pairing) in
        [(Noise::Normal, Pairing::Auto), (Noise::Runs, Pairing::Auto), (Noise::Rounds, Pairing::Order)]
    {
        for n in [5, 6, 10] {
            let found =
                share(repetitions, |numbers| unchanged(noise, pairing, numbers, 50, n).iter().any(called));
            assert!(found <= most(ALPHA, repetitions), "{noise:?}, {n} runs: {found}");
        }
    }
}

#[test]
fn values_that_resemble_their_neighbours_are_said_to() {
    let warned = |noise: Noise| {
        share(400, |numbers| {
            let row = unchanged(noise, Pairing::Auto, numbers, 1, 50)[0];
            row.warns(Warning::Autocorrelation) || row.warns(Warning::Drift)
        })
    };
    assert!(warned(Noise::Autocorrelated(5)) > 0.7);
    assert!(warned(Noise::Normal) < 0.02);
}

/// Where the values of a random comparison come from.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Continuous,
    Ties,
    Constant,
    /// Zeros and negative values.
    Signed,
    Huge,
    Tiny,
}

const KINDS: [Kind; 6] = [Kind::Continuous, Kind::Ties, Kind::Constant, Kind::Signed, Kind::Huge, Kind::Tiny];
const CORRECTIONS: [Correction; 5] = [
    Correction::Auto,
    Correction::WestfallYoung,
    Correction::Flat(Flat::None),
    Correction::Flat(Flat::BenjaminiHochberg),
    Correction::Flat(Flat::Holm),
];
const QUANTITIES: [Quantity; 4] = [Quantity::Time, Quantity::Count, Quantity::Throughput, Quantity::Other];

fn one_of<T: Copy>(numbers: &mut Numbers, all: &[T]) -> T {
    all[below(numbers, all.len())]
}

fn below(numbers: &mut Numbers, n: usize) -> usize {
    (numbers.uniform() * n as f64) as usize
}

/// A value of a side that is `shift` above the others.
fn value(kind: Kind, shift: f64, numbers: &mut Numbers) -> f64 {
    let e = shift + numbers.normal();
    match kind {
        Kind::Continuous => (0.02 * e).exp(),
        Kind::Ties => 20.0 + e.round(),
        Kind::Constant => 20.0 + shift.round(),
        Kind::Signed => e.round(),
        Kind::Huge => 1e300 * (0.1 * e).exp(),
        Kind::Tiny => 1e-300 * (0.1 * e).exp(),
    }
}

/// What of a value is known beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Known {
    Nothing,
    Blocks,
    Processes,
}

/// A random comparison of two or three variants, of one benchmark or a few.
fn random(numbers: &mut Numbers) -> (Observations, Assignment, Policy) {
    let kind = one_of(numbers, &KINDS);
    let quantity = if matches!(kind, Kind::Signed) { Quantity::Other } else { one_of(numbers, &QUANTITIES) };
    let known = one_of(numbers, &[Known::Nothing, Known::Blocks, Known::Processes]);
    let variants = 2 + usize::from(numbers.uniform() < 0.3);
    let benchmarks = one_of(numbers, &[1, 1, 3, 12]);
    let equal = numbers.uniform() < 0.6;
    let most = one_of(numbers, &[3, 6, 12, 60]);
    let runs = 1 + below(numbers, most);
    let files = (0..variants).map(|variant| {
        let mut sheet = Sheet::new("file");
        let metric = sheet.metric("m", || Metric::new("m", "", quantity));
        for benchmark in 0..benchmarks {
            let shift = if variant == 1 { one_of(numbers, &[0.0, 0.0, 1.0, 5.0, -5.0]) } else { 0.0 };
            let runs = if equal { runs } else { 1 + below(numbers, most) };
            for run in 0..runs {
                let value = value(kind, shift, numbers);
                let block = run.to_string();
                let block = (known == Known::Blocks).then_some(block.as_str());
                let process = (known == Known::Processes).then_some(run as u32 / 3);
                sheet.push(Measurement {
                    benchmark: &benchmark.to_string(),
                    metric,
                    value,
                    line: 1,
                    block,
                    process,
                    aggregate: None,
                });
            }
        }
        (Source { name: format!("file{variant}"), argument: variant, format: "test", values: 0 }, vec![sheet])
    });
    let observations = Observations::join(files.collect(), &Limits::default()).unwrap();
    let order = equal && numbers.uniform() < 0.2;
    let pairing = if order { Pairing::Order } else { one_of(numbers, &[Pairing::Auto, Pairing::Unpaired]) };
    let assignment = assignment(&observations, variants as u32, pairing);
    let scale = if numbers.uniform() < 0.2 { ScaleChoice::Difference } else { ScaleChoice::Auto };
    let policy = Policy {
        alpha: ALPHA,
        correction: one_of(numbers, &CORRECTIONS),
        scale,
        power: 0.8,
        omnibus: one_of(numbers, &[PairedOmnibus::Friedman, PairedOmnibus::Quade]),
        resamples: 1,
        relabelings: 100,
        seed: 1,
        session: 0.0,
        mean: false,
    };
    (observations, assignment, policy)
}

fn assignment(observations: &Observations, variants: u32, pairing: Pairing) -> Assignment {
    let rule = |metric: &Metric| MetricRule {
        better: metric.better,
        margin: MARGIN.into(),
        margin_exact: 0.0.into(),
        assumed_exact: metric.assumed_exact,
        may_be_exact: metric.may_be_exact,
    };
    Assignment {
        variant_of_context: observations.context_source.iter().map(|&source| Some(source)).collect(),
        group_of_context: vec![0; observations.contexts.len()],
        block_of_context: None,
        metrics: observations.metrics.iter().map(|metric| Some(rule(metric))).collect(),
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

/// Holds a row against what its verdict means.
fn check(row: &Row, better: Option<Better>) {
    let (from, to) = if row.design == Design::Exact {
        (row.change, row.change)
    } else {
        (row.change_low, row.change_high)
    };
    let tested = matches!(row.design, Design::Paired | Design::Independent | Design::Nested);
    if let (Some(p), Some(corrected)) = (row.p, row.p_corrected) {
        // The search for the level of two stages rounds.
        assert!(
            tested && corrected >= p * (1.0 - 1e-12) && from <= row.change && row.change <= to,
            "{row:?}"
        );
        assert!(p <= ALPHA || (from <= 0.0 && 0.0 <= to), "p > alpha, and 0 outside: {row:?}");
        assert!(p > ALPHA || row.reason != Some(Reason::Noise), "{row:?}");
    }
    let up = match (row.verdict, better) {
        (Verdict::Worse, Some(Better::Lower)) | (Verdict::Better, Some(Better::Higher)) => Some(true),
        (Verdict::Better, Some(Better::Lower)) | (Verdict::Worse, Some(Better::Higher)) => Some(false),
        (Verdict::Better | Verdict::Worse, None) => panic!("a direction that nobody gave: {row:?}"),
        (Verdict::Changed | Verdict::Differs, _) => Some(to > 0.0),
        _ => None,
    };
    let weak = row.warns(Warning::OneProcess) || row.warns(Warning::Parametric);
    assert_eq!(row.verdict == Verdict::Differs, row.verdict.is_change() && weak, "{row:?}");
    if let Some(up) = up {
        assert!(if up { from >= 0.0 && to > 0.0 } else { to <= 0.0 && from < 0.0 }, "{row:?}");
        let significant = row.p_corrected.is_some_and(|p| p <= ALPHA);
        assert!(significant || row.design == Design::Exact, "{row:?}");
        assert!(tested || row.design == Design::Exact, "{row:?}");
    }
    if row.verdict == Verdict::Equivalent {
        let margin = if row.design == Design::Exact { 0.0 } else { MARGIN };
        let (low, high) = match row.scale {
            Scale::Ratio => (1.0 / (1.0 + margin) - 1.0, margin),
            Scale::Difference => {
                (-margin * row.baseline.centre.value.abs(), margin * row.baseline.centre.value.abs())
            }
        };
        assert!(low <= from && to <= high, "{row:?}");
        assert!(!weak && !row.warns(Warning::LowLevel), "{row:?}");
    }
}

#[test]
fn no_verdict_contradicts_its_own_interval() {
    let seen: Vec<(Design, Scale, Verdict)> = (0..20_000)
        .into_par_iter()
        .flat_map_iter(|i| {
            let (observations, assignment, policy) = random(&mut Numbers::new(11, i));
            let rows = weigh(&observations, &assignment, &policy).expect("values that pair").rows;
            for row in &rows {
                check(row, assignment.metrics[0].and_then(|rule| rule.better));
            }
            rows.into_iter().map(|row| (row.design, row.scale, row.verdict))
        })
        .collect();
    for design in [Design::Paired, Design::Independent, Design::Nested, Design::Exact] {
        for verdict in [Verdict::Better, Verdict::Worse, Verdict::Changed, Verdict::Equivalent] {
            // A metric without direction is never taken for exact.
            if (design, verdict) != (Design::Exact, Verdict::Changed) {
                let found = seen.iter().any(|&(d, _, v)| (d, v) == (design, verdict));
                assert!(found, "no {verdict:?} among the rows of the design {design:?}");
            }
        }
    }
    for scale in [Scale::Ratio, Scale::Difference] {
        assert!(seen.iter().any(|row| row.1 == scale && row.2 == Verdict::Changed));
    }
    assert!(seen.iter().any(|row| row.2 == Verdict::Descriptive));
    assert!(seen.iter().any(|row| row.2 == Verdict::Differs));
}

#[test]
fn values_that_depend_on_the_one_before_widen_the_interval_of_every_row() {
    let mut numbers = Numbers::new(3, 1);
    let drawn = Noise::Autocorrelated(7).draw(&mut numbers, 2, 20, 20);
    let times: Vec<Vec<Vec<f64>>> =
        drawn.iter().map(|side| side.iter().map(|v| Noise::Normal.times(v, 1e-3, 0.05)).collect()).collect();
    let shuffled: Vec<Vec<Vec<f64>>> = times
        .iter()
        .map(|side| side.iter().map(|values| (0..20).map(|i| values[i * 7 % 20]).collect()).collect())
        .collect();
    let (dependent, plain) = (compared(&times, DEFAULT).rows, compared(&shuffled, DEFAULT).rows);
    for (row, plain) in dependent.iter().zip(&plain) {
        assert!(row.effective_units < 12.0 && row.p > plain.p, "{row:?}");
        let width = |row: &Row| row.change_high.ln_1p() - row.change_low.ln_1p();
        assert!(width(row) > 1.4 * width(plain), "{} {}", width(row), width(plain));
        // The order of measurement changes neither the estimate nor the centres.
        assert_eq!((row.change, row.baseline.centre.value), (plain.change, plain.baseline.centre.value));
    }
    // Sorted values tell nothing about their order of measurement.
    let sorted: Vec<Vec<Vec<f64>>> = times
        .iter()
        .map(|side| {
            let mut side = side.clone();
            for values in &mut side {
                values.sort_by(f64::total_cmp);
            }
            side
        })
        .collect();
    assert!(compared(&sorted, DEFAULT).rows.iter().all(|row| row.effective_units.is_nan()));
}

/// The row of the first benchmark, which became slower by `change` against noise as large as the margin.
fn first(numbers: &mut Numbers, benchmarks: usize, n: usize, change: f64) -> Row {
    let mut drawn = Noise::Normal.draw(numbers, 2, benchmarks, n);
    for (side, slower) in drawn.iter_mut().zip([0.0, change]) {
        for (benchmark, values) in side.iter_mut().enumerate() {
            let slower = if benchmark == 0 { slower } else { 0.0 };
            *values = Noise::Normal.times(values, 1e-3 * (1.0 + slower), MARGIN);
        }
    }
    compared(&drawn, DEFAULT).rows[0]
}

#[test]
fn the_runs_needed_find_a_change_of_the_margin_as_often_as_promised() {
    for (benchmarks, repetitions) in [(1, 600), (50, 200)] {
        for n in [4, 5, 10] {
            let found = share(repetitions, |numbers| {
                let runs = first(numbers, benchmarks, n, 0.0).runs_needed as usize;
                runs > 0 && first(numbers, benchmarks, runs, MARGIN).verdict == Verdict::Worse
            });
            assert!((0.70..0.92).contains(&found), "{benchmarks} rows, pilot of {n}: {found}");
        }
    }
}

#[test]
fn a_warm_up_is_found_where_experts_see_one_and_seldom_where_they_do_not() {
    // How many series of each label, and in how many a warm-up is reported.
    let mut counts = [[0_u32; 2]; 3];
    for repetition in 0..300 {
        let mut numbers = Numbers::new(11, repetition);
        let (values, end) = labelled::series(&mut numbers, 600);
        let seen = labelled::experts(&values, end);
        counts[seen][0] += 1;
        counts[seen][1] += u32::from(inspected(&values).has(Defect::WarmUp));
    }
    let share = |seen: usize| f64::from(counts[seen][1]) / f64::from(counts[seen][0]);
    assert!(share(0) < 0.03 && share(1) < 0.15 && share(2) > 0.7, "{counts:?}");
}
