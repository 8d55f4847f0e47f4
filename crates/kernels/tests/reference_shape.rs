//! The shape of one sample: agreement with R and `SciPy` on the cases under tests/reference, 1e-9 relative or better.

use crate::common::{agree, cases, number, numbers, sample};
use serde_json::{Value, json};
use statera_kernels::{
    HarrellDavisWeights, Normality, anderson_darling, bandwidth_nrd0, bandwidth_sj, coefficient_of_variation,
    density, dip, excess_kurtosis, harrell_davis, harrell_davis_batch, quantile_interval, shapiro_wilk,
    skewness, trimmed_mean,
};

/// A test and its case agree; where the peer refuses, there is no test.
#[track_caller]
fn normality_agrees(ours: Option<Normality>, statistic: &Value, p: &Value, case: &Value) {
    match ours {
        None => assert!(number(p).is_nan(), "{case}"),
        Some(test) => {
            agree(test.statistic, number(statistic), 1e-9, case);
            agree(test.p, number(p), 1e-9, case);
        }
    }
}

#[test]
fn shapiro_wilk_agrees() {
    for case in cases("shapiro_wilk") {
        normality_agrees(shapiro_wilk(&sample(&case["values"])), &case["w"], &case["p"], &case);
    }
}

#[test]
fn anderson_darling_agrees() {
    for case in cases("anderson_darling") {
        normality_agrees(anderson_darling(&sample(&case["values"])), &case["a"], &case["p"], &case);
    }
}

#[test]
fn the_dip_agrees() {
    let (mut near, mut anywhere) = (0.0_f64, 0.0_f64);
    for case in cases("dip") {
        let mut values = sample(&case["values"]);
        if !case["second"].is_null() {
            values.extend(sample(&case["second"]));
        }
        let ours = dip(&values).expect("a dip");
        agree(ours.dip, number(&case["dip"]), 1e-9, &case);
        // Another simulation. The smallest possible dip has p = 1; the peer, whose table is flat there, has
        // less.
        let theirs = number(&case["p"]);
        if ours.p < 1.0 {
            let apart = (ours.p - theirs).abs();
            anywhere = anywhere.max(apart);
            near = if theirs <= 0.1 { near.max(apart) } else { near };
        }
    }
    // The peer has fewer levels and no rows for 11 and 12 values, and interpolates linearly.
    assert!(
        near < 0.006 && anywhere < 0.035,
        "p differs by {near} where it is small, by {anywhere} elsewhere"
    );
}

#[test]
fn harrell_davis_agrees() {
    for case in cases("harrell_davis") {
        let (values, levels) = (sample(&case["values"]), numbers(&case["p"]));
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let weights = HarrellDavisWeights::of(sorted.len(), &levels);
        let together = weights.apply(&sorted);
        assert_eq!(together, harrell_davis_batch(&values, &[0, values.len()], &levels));
        for ((p, ours), expected) in levels.iter().zip(together).zip(numbers(&case["quantiles"])) {
            // The peer's weights are differences of numbers near 1, so it is accurate only to 1e-15 of the
            // largest value.
            let slack = 1e-15 * sorted[0].abs().max(sorted[sorted.len() - 1].abs());
            assert!(
                (ours - expected).abs() <= 1e-9 * expected.abs() + slack,
                "{p} {ours} {expected}: {case}"
            );
            assert_eq!(ours, harrell_davis(&sorted, *p));
        }
    }
}

#[test]
fn densities_and_bandwidths_agree() {
    for case in cases("density") {
        let values = sample(&case["values"]);
        agree(bandwidth_nrd0(&values), number(&case["nrd0"]), 1e-9, &case);
        agree(bandwidth_sj(&values).unwrap_or(f64::NAN), number(&case["sj"]), 1e-9, &case);
        let mut recipe = case["values"].clone();
        recipe["scale"] = json!(1.0);
        let expected = numbers(&case["density"]);
        let at = |name: &str| number(&case[name]);
        let ours = density(&sample(&recipe), at("bandwidth"), at("from"), at("to"), expected.len());
        for (ours, theirs) in ours.into_iter().zip(expected) {
            agree(ours, theirs, 1e-9, &case);
        }
    }
}

#[test]
fn moments_agree() {
    for case in cases("moments") {
        let values = sample(&case["values"]);
        // A symmetric sample has skewness 0, which leaves no digits to compare.
        let near = |ours: f64, name: &str| {
            let theirs = number(&case[name]);
            let same = ours.is_nan() && theirs.is_nan();
            assert!(same || (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1e-3), "{name} {ours}: {case}");
        };
        near(skewness(&values), "skewness");
        near(excess_kurtosis(&values), "excess_kurtosis");
        for (share, expected) in numbers(&case["shares"]).into_iter().zip(numbers(&case["trimmed_means"])) {
            agree(trimmed_mean(&values, share), expected, 1e-9, &case);
        }
        agree(coefficient_of_variation(&values), number(&case["variation"]), 1e-9, &case);
    }
}

#[test]
fn quantile_intervals_agree() {
    for case in cases("quantile_interval") {
        let count = case["n"].as_u64().expect("a size");
        let values: Vec<f64> = (0..count).map(|i| i as f64).collect();
        let ours = quantile_interval(&values, number(&case["p"]), number(&case["confidence"]));
        assert_eq!(ours.map(|i| i.low), case["low"].as_f64(), "{case}");
        assert_eq!(ours.map(|i| i.high), case["high"].as_f64(), "{case}");
        let level = number(&case["level"]);
        assert!(ours.map_or(level.is_nan(), |i| (i.level - level).abs() <= 1e-12), "{case} {ours:?}");
    }
}
