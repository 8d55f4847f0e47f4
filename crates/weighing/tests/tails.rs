//! The questions of tail and spread: when they object to an equivalent row, and when they must not.

use statera_readers::metric::{Better, Metric, Quantity};
use statera_readers::{Limits, Observations, Sheet, Source};
use statera_weighing::{
    Assignment, Correction, Design, MetricRule, PairedOmnibus, Pairing, Policy, Reason, Row, ScaleChoice,
    Verdict, Warning, Weighing, weigh,
};

/// What a comparison is asked for.
#[derive(Clone, Copy)]
struct Asked {
    better: Option<Better>,
    pairing: Pairing,
    one_process: bool,
}

const LOWER: Asked = Asked { better: Some(Better::Lower), pairing: Pairing::Unpaired, one_process: false };

fn weighed(benchmarks: &[[Vec<f64>; 2]], asked: Asked) -> Weighing {
    let files = (0..2).map(|side| {
        let mut sheet = Sheet::new("file");
        let metric = sheet.metric("m", || Metric::new("m", "s", Quantity::Time));
        for (number, sides) in benchmarks.iter().enumerate() {
            let benchmark = sheet.benchmarks.intern(&number.to_string());
            for &value in &sides[side] {
                sheet.push_ids(benchmark, metric, value, 1);
                if asked.one_process {
                    sheet.process.push(0);
                }
            }
        }
        (Source { name: format!("file{side}"), argument: side, format: "test", values: 0 }, vec![sheet])
    });
    let observations = Observations::join(files.collect(), &Limits::default()).unwrap();
    let rule = MetricRule {
        better: asked.better,
        margin: 0.02.into(),
        margin_exact: 0.0.into(),
        assumed_exact: false,
        may_be_exact: false,
    };
    let assignment = Assignment {
        variant_of_context: observations.context_source.iter().map(|&source| Some(source)).collect(),
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
        pairing: asked.pairing,
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
        resamples: 500,
        relabelings: 1000,
        seed: 1,
        session: 0.0,
        mean: false,
    };
    weigh(&observations, &assignment, &policy).unwrap()
}

fn row(old: &[f64], new: &[f64], asked: Asked) -> Row {
    weighed(&[[old.to_vec(), new.to_vec()]], asked).rows[0]
}

/// Values about 1 without chance: their quantiles are those of a normal distribution, in an order without a trend.
fn quiet(count: usize, sd: f64) -> Vec<f64> {
    // A step of nearly the golden section, coprime to the count, visits every place.
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let step = (count * 5 / 8..count).find(|&step| gcd(step, count) == 1).unwrap_or(1);
    let level = |i: usize| ((i * step % count) as f64 + 0.5) / count as f64;
    (0..count).map(|i| (sd * statera_kernels::special::norm_quantile(level(i))).exp()).collect()
}

/// The same with slow values at some places.
fn slow(count: usize, places: &[usize], times: f64) -> Vec<f64> {
    let mut values = quiet(count, 0.005);
    for &place in places {
        values[place] *= times;
    }
    values
}

const ELEVEN: [usize; 11] = [1, 4, 9, 12, 16, 18, 23, 27, 30, 34, 38];

#[test]
fn slow_runs_that_a_typical_value_hides_are_worse_in_the_tail() {
    let found = row(&slow(40, &[7], 2.0), &slow(40, &ELEVEN, 2.0), LOWER);
    assert_eq!((found.verdict, found.reason), (Verdict::TailWorse, None));
    assert_eq!(found.tail.unwrap().slow, [1, 11]);
    assert!(found.change_high < 0.02, "the typical value is equivalent");
    let mean = found.mean.unwrap();
    assert!(mean.low > 0.05 && mean.change > 0.2 && mean.high < 0.5);
    let shift = found.tail_shift.unwrap();
    assert!((shift.level - 0.875).abs() < 1e-12 && shift.low > 0.3 && shift.change > 0.8);
    assert!(found.worse_beyond(Some(0.05), LOWER.better) && !found.worse_beyond(Some(1.5), LOWER.better));
}

#[test]
fn swapping_the_sides_mirrors_the_verdict_and_so_does_the_direction() {
    let (few, many) = (slow(40, &[7], 2.0), slow(40, &ELEVEN, 2.0));
    assert_eq!(row(&many, &few, LOWER).verdict, Verdict::TailBetter);
    let higher = Asked { better: Some(Better::Higher), ..LOWER };
    let inverse = |values: &[f64]| values.iter().map(|value| 1.0 / value).collect::<Vec<f64>>();
    assert_eq!(row(&inverse(&few), &inverse(&many), higher).verdict, Verdict::TailWorse);
    assert_eq!(row(&few, &many, Asked { better: None, ..LOWER }).verdict, Verdict::ShapeChanged);
}

#[test]
fn a_tail_speaks_also_where_the_typical_value_is_undecided() {
    let old = quiet(40, 0.04);
    // The runs that are not slow are faster, so that the typical value stays.
    let mut new: Vec<f64> = quiet(40, 0.04).iter().map(|value| value * 0.98).collect();
    for place in ELEVEN {
        new[place] *= 3.0;
    }
    let found = row(&old, &new, LOWER);
    assert_eq!((found.verdict, found.reason), (Verdict::TailWorse, Some(Reason::Noise)));
}

#[test]
fn slow_runs_in_bursts_count_once_each() {
    let bursts = [3, 4, 5, 17, 18, 19, 31, 32, 33];
    let apart = [1, 5, 9, 13, 17, 21, 25, 29, 33];
    let old = slow(40, &[], 2.0);
    assert_eq!(row(&old, &slow(40, &apart, 2.0), LOWER).verdict, Verdict::TailWorse);
    let found = row(&old, &slow(40, &bursts, 2.0), LOWER);
    assert_eq!((found.verdict, found.reason), (Verdict::Inconclusive, Some(Reason::TailUndecided)));
    assert_eq!(found.tail.unwrap().bursts, [0, 3]);
}

#[test]
fn a_few_slow_runs_withhold_equivalence_but_only_if_they_are_the_contenders() {
    let (none, two) = (slow(10, &[], 2.0), slow(10, &[2, 6], 2.0));
    let found = row(&none, &two, LOWER);
    assert_eq!((found.verdict, found.reason), (Verdict::Inconclusive, Some(Reason::TailUndecided)));
    assert_eq!(row(&two, &none, LOWER).verdict, Verdict::Equivalent);
    assert_eq!(row(&two, &two, LOWER).verdict, Verdict::Equivalent);
    // One run at ten per cent costs less than the margin.
    assert_eq!(row(&none, &slow(10, &[2], 1.1), LOWER).verdict, Verdict::Equivalent);
}

#[test]
fn pairs_are_slow_on_a_side_whatever_the_sizes_of_their_blocks() {
    let sizes: Vec<f64> = (0..40).map(|i| 10f64.powi(i % 7)).collect();
    let side = |places: &[usize], turn: usize| -> Vec<f64> {
        let mut noise = quiet(40, 0.01);
        noise.rotate_left(turn);
        for &place in places {
            noise[place] *= 2.0;
        }
        noise.iter().zip(&sizes).map(|(value, size)| value * size).collect()
    };
    let by_order = Asked { pairing: Pairing::Order, ..LOWER };
    let found = row(&side(&[], 0), &side(&ELEVEN, 13), by_order);
    assert_eq!((found.design, found.verdict), (Design::Paired, Verdict::TailWorse));
    assert_eq!(found.tail.unwrap().slow, [0, 11]);
    assert_eq!(row(&side(&ELEVEN, 0), &side(&ELEVEN, 13), by_order).verdict, Verdict::Equivalent);
}

#[test]
fn one_process_says_nothing_of_the_tail() {
    let found = row(&slow(40, &[], 2.0), &slow(40, &ELEVEN, 2.0), Asked { one_process: true, ..LOWER });
    assert!(found.warns(Warning::OneProcess));
    assert_eq!(found.tail, None);
}

#[test]
fn a_wider_spread_changes_the_shape_only_if_it_exceeds_the_margin() {
    let found = row(&quiet(40, 0.01), &quiet(40, 0.04), LOWER);
    assert_eq!((found.verdict, found.reason), (Verdict::ShapeChanged, None));
    let sizes = found.spread.unwrap().sizes;
    assert!((sizes[0] - 0.01).abs() < 0.001 && (sizes[1] - 0.04).abs() < 0.004, "{sizes:?}");
    assert_eq!(row(&quiet(40, 0.001), &quiet(40, 0.004), LOWER).verdict, Verdict::Equivalent);
}

#[test]
fn quiet_rows_cost_the_typical_values_nothing() {
    let sides = [quiet(20, 0.01), quiet(20, 0.01).iter().map(|value| value * 1.03).collect()];
    let alone = weighed(std::slice::from_ref(&sides), LOWER);
    assert_eq!(alone.shape_share, 0.0);
    let loud = [slow(20, &[], 2.0), slow(20, &[1, 3, 5, 7, 9, 11, 13, 15], 2.0)];
    let both = weighed(&[sides.clone(), loud], LOWER);
    assert_eq!(both.shape_share, 0.1);
    // The rest of alpha is left to the typical values.
    let p = alone.rows[0].p.unwrap();
    assert!(both.rows[0].p_corrected.unwrap() >= p / 0.9);
    assert_eq!(alone.rows[0].p_corrected, Some(p));
}

#[test]
fn only_rows_that_could_be_significant_are_corrected_together() {
    let loud = [slow(40, &[], 2.0), slow(40, &ELEVEN, 2.0)];
    let few = [slow(40, &[3], 2.0), slow(40, &[3, 8], 2.0)];
    let mut rows = vec![few; 60];
    rows.push(loud);
    let found = weighed(&rows, LOWER).rows;
    let tail = found[60].tail.unwrap();
    assert!((tail.p_corrected - tail.p / 0.075).abs() < 1e-12);
    assert_eq!(found[60].verdict, Verdict::TailWorse);
    assert_eq!(found[0].tail.unwrap().p_corrected, 1.0);
}

#[test]
fn modes_and_a_slow_beginning_are_warned_of() {
    let modes: Vec<f64> = quiet(40, 0.01).iter().enumerate().map(|(i, v)| v * [1.0, 1.5][i % 2]).collect();
    let warming: Vec<f64> =
        quiet(40, 0.01).iter().enumerate().map(|(i, v)| if i < 8 { v * 1.3 } else { *v }).collect();
    let plain = quiet(40, 0.01);
    let warned = |new: &[f64], warning| row(&plain, new, LOWER).warns(warning);
    assert!(warned(&modes, Warning::SeveralModes) && !warned(&modes, Warning::WarmUp));
    assert!(warned(&warming, Warning::WarmUp) && !warned(&warming, Warning::SeveralModes));
    assert!(!warned(&plain, Warning::SeveralModes) && !warned(&plain, Warning::WarmUp));
    // Values that begin fast and settle are not a warm-up.
    let settling: Vec<f64> = warming.iter().map(|value| 1.0 / value).collect();
    assert!(!warned(&settling, Warning::WarmUp));
}
