//! Agreement with R on the cases under tests/reference: change points, equivalence, variance components, and
//! the first kernels' tests, which `SciPy` alone had covered.

use crate::common::{agree, cases, number, numbers, sample};
use serde_json::Value;
use statera_kernels::f_distribution::f_upper;
use statera_kernels::{
    Comparison, Components, Correction, Method, Zeros, adjust, autocorrelation, drift, geometric_mean, iqr,
    mad, mann_whitney, mean, median, median_interval, nested_components, one_sample, order_correlation, pelt,
    quantile_sorted, runs_for, sd, signed_rank, tost_paired, tost_rank, tost_signed_rank, tost_welch,
    two_sample, variance_components, welch,
};

/// Asserts agreement of a difference of larger numbers, relative to the largest of them.
#[track_caller]
fn near(ours: f64, theirs: f64, tolerance: f64, size: f64, case: &dyn std::fmt::Debug) {
    let same = ours == theirs || (ours.is_nan() && theirs.is_nan());
    assert!(same || (ours - theirs).abs() <= tolerance * size, "{ours:e} is not {theirs:e}: {case:?}");
}

fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, v| most.max(v.abs()))
}

#[test]
fn change_points_agree() {
    let all = cases("pelt");
    assert!(all.len() >= 200);
    for case in all {
        let mut values = sample(&case["noise"]);
        for step in case["steps"].as_array().expect("steps") {
            let (start, by) = (number(&step[0]) as usize, number(&step[1]));
            values[start..].iter_mut().for_each(|v| *v += by);
        }
        let least = number(&case["min_segment"]) as usize;
        let found = pelt(&values, case["penalty"].as_f64(), least);
        let expected: Vec<usize> = numbers(&case["changes"]).iter().map(|&v| v as usize).collect();
        assert_eq!(found, expected, "{case}");
    }
}

#[test]
fn equivalence_agrees() {
    let all = cases("equivalence");
    for kind in ["welch", "paired", "rank", "signed_rank"] {
        assert!(all.iter().filter(|case| case["kind"] == kind).count() >= 200);
    }
    for case in all {
        let (x, y) = (sample(&case["x"]), sample(&case["y"]));
        let (margin, confidence) = (numbers(&case["margin"]), 1.0 - number(&case["alpha"]));
        let (low, high) = (margin[0], margin[1]);
        let ours = match case["kind"].as_str().expect("a kind") {
            "welch" => tost_welch(&x, &y, low, high, confidence),
            "paired" => tost_paired(&y, low, high, confidence),
            "rank" => tost_rank(&x, &y, low, high, confidence),
            _ => tost_signed_rank(&y, low, high, confidence),
        };
        let ours = ours.expect("a test");
        agree(ours.p_low, number(&case["p_low"]), 1e-9, &case);
        agree(ours.p_high, number(&case["p_high"]), 1e-9, &case);
        if case["low"].is_null() {
            assert!(ours.low <= ours.high, "{case}");
        } else {
            let width = ours.high - ours.low;
            near(ours.low, number(&case["low"]), 1e-10, width, &case);
            near(ours.high, number(&case["high"]), 1e-10, width, &case);
        }
        assert_eq!(ours.p, ours.p_low.max(ours.p_high));
    }
}

#[test]
fn variance_components_agree() {
    for case in cases("variance_components") {
        if case["kind"] == "nested" {
            nested_agree(&case);
            continue;
        }
        let runs: Vec<Vec<f64>> = case["runs"].as_array().expect("runs").iter().map(sample).collect();
        let groups: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let ours = variance_components(&groups, number(&case["confidence"])).expect("components");
        let expected = |name: &str| number(&case[name]);
        // A mean square that is 0 except for rounding is compared relative to the values.
        let rounding = size(&runs.concat()).powi(2);
        near(ours.within, expected("within"), 1e-9, expected("within").max(1e-14 * rounding), &case);
        near(
            ours.between,
            expected("between"),
            1e-9,
            expected("between_square").max(1e-14 * rounding),
            &case,
        );
        agree(ours.size, expected("size"), 1e-12, &case);
        if expected("between_square") > 1e-14 * rounding {
            agree(ours.p, expected("p"), 1e-9, &case);
            agree(ours.f, expected("f"), 1e-9, &case);
        }
        near(ours.icc, expected("icc"), 1e-9, 1.0, &case);
        near(ours.icc_low, expected("icc_low").max(0.0), 1e-9, 1.0, &case);
        near(ours.icc_high, expected("icc_high").max(0.0), 1e-9, 1.0, &case);
    }
}

/// The normal approximation with Guenther's correction, compared with the exact power of Student's t.
#[test]
fn planned_runs_agree() {
    for case in cases("planning") {
        let expected = |name: &str| number(&case[name]);
        let (within, between) = (expected("within"), expected("between"));
        let some = variance_components(&[&[1.0, 2.0], &[1.0, 2.0]], 0.95).expect("components");
        let components = Components { within, between, ..some };
        let (iterations, change) = (expected("iterations"), expected("change"));
        let ours = runs_for(&components, iterations, change, expected("confidence"), expected("power"));
        near(ours, expected("runs"), 1.0, 0.01 * ours + 0.3, &case);
    }
}

fn nested_agree(case: &Value) {
    let counts: Vec<usize> = numbers(&case["counts"]).iter().map(|&v| v as usize).collect();
    let mut values = sample(&case["values"]);
    let mut below = 1;
    for (count, shifts) in counts.iter().zip(case["shifts"].as_array().expect("shifts")) {
        below *= count;
        for (value, i) in values.iter_mut().zip(0..) {
            *value += number(&shifts[i / below]);
        }
    }
    let ours = nested_components(&values, &counts).expect("components");
    let squares = numbers(&case["squares"]);
    for (level, (found, expected)) in ours.iter().zip(numbers(&case["components"])).enumerate() {
        near(*found, expected, 1e-9, squares[level].max(size(&values).powi(2) * 1e-14), case);
    }
}

#[test]
fn f_quantiles_agree() {
    for case in cases("f_upper") {
        let ours = f_upper(number(&case["tail"]), number(&case["df1"]), number(&case["df2"]));
        agree(ours, number(&case["f"]), 1e-9, &case);
    }
}

#[test]
fn mann_whitney_agrees() {
    for case in cases("mann_whitney_r") {
        let test = mann_whitney(&sample(&case["x"]), &sample(&case["y"])).expect("a test");
        assert_eq!(test.method == Method::Exact, case["exact"].as_bool().expect("a flag"));
        agree(test.statistic, number(&case["statistic"]), 0.0, &case);
        agree(test.p, number(&case["p"]), 1e-9, &case);
    }
}

#[test]
fn signed_rank_agrees() {
    for case in cases("signed_rank_r") {
        let zeros = if case["zeros"] == "pratt" { Zeros::Pratt } else { Zeros::Drop };
        let test = signed_rank(&sample(&case["d"]), zeros).expect("a test");
        assert_eq!(test.method == Method::Exact, case["exact"].as_bool().expect("a flag"));
        agree(test.statistic, number(&case["statistic"]), 0.0, &case);
        agree(test.p, number(&case["p"]), 1e-9, &case);
    }
}

#[test]
fn hodges_lehmann_agrees() {
    let all = cases("hodges_lehmann");
    for case in &all {
        let (x, y, confidence) = (sample(&case["x"]), sample(&case["y"]), number(&case["confidence"]));
        let single = x.is_empty();
        let ours: Comparison =
            if single { one_sample(&y, confidence) } else { two_sample(&x, &y, confidence) }
                .expect("a comparison");
        let (shift, most) = (ours.shift, size(&x).max(size(&y)));
        near(shift.estimate, number(&case["estimate"]), 1e-12, most, case);
        let Some(low) = case.get("low").map(number) else {
            continue;
        };
        let high = number(&case["high"]);
        // If the level cannot be attained nothing is rejected, not even 0, which then belongs to our interval.
        let kept = ours.test.p > statera_kernels::alpha(confidence);
        let (low, high) = if kept { (low.min(0.0), high.max(0.0)) } else { (low, high) };
        let ends = shift.interval;
        // A shift equal to a difference drops it, and p can be larger there: such points are in our hull, not
        // in R's.
        let point =
            |end: f64| single && y.contains(&end) && dropped_p(&y, end) > statera_kernels::alpha(confidence);
        if !(ends.low < low && point(ends.low)) {
            near(ends.low, low, 1e-12, most, case);
        }
        if !(ends.high > high && point(ends.high)) {
            near(ends.high, high, 1e-12, most, case);
        }
    }
    let with_ends = |one: bool, by: &str| {
        all.iter().filter(|case| (case["x"]["n"] == 0) == one && case["by"] == by).count()
    };
    assert!(with_ends(true, "R") >= 200 && with_ends(false, "R") >= 200);
    assert!(with_ends(true, "definition") >= 100 && with_ends(false, "definition") >= 100);
}

fn dropped_p(d: &[f64], shift: f64) -> f64 {
    signed_rank(&d.iter().map(|v| v - shift).collect::<Vec<_>>(), Zeros::Drop).expect("a test").p
}

#[test]
fn welch_agrees() {
    for case in cases("welch_r") {
        let (x, y) = (sample(&case["x"]), sample(&case["y"]));
        let ours = welch(&x, &y, number(&case["confidence"])).expect("a test");
        agree(ours.test.statistic, number(&case["statistic"]), 1e-9, &case);
        agree(ours.test.p, number(&case["p"]), 1e-9, &case);
        let interval = ours.shift.interval;
        // Relative to the width, unless the ends themselves have no more digits.
        let width = (interval.high - interval.low).max(1e-5 * interval.low.abs());
        near(interval.low, number(&case["low"]), 1e-10, width, &case);
        near(interval.high, number(&case["high"]), 1e-10, width, &case);
    }
}

#[test]
fn quantiles_agree() {
    for case in cases("quantile_r") {
        let values = sample(&case["values"]);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (p, expected) in numbers(&case["p"]).into_iter().zip(numbers(&case["quantiles"])) {
            near(quantile_sorted(&sorted, p), expected, 1e-12, size(&values), &case);
        }
        let check = |name: &str, ours: f64| agree(ours, number(&case[name]), 1e-9, &(name, &case));
        check("median", median(&values));
        // A difference of two large values keeps their rounding.
        near(iqr(&values), number(&case["iqr"]), 1e-12, size(&values), &case);
        check("mad", mad(&values));
        check("mean", mean(&values));
        check("sd", sd(&values));
        check("geometric_mean", geometric_mean(&values));
    }
}

#[test]
fn corrections_agree() {
    for case in cases("correction_r") {
        let check = |name: &str, how: Correction| {
            let expected = numbers(&case[name]);
            assert!(!expected.is_empty());
            for (a, b) in adjust(&numbers(&case["p"]), how).iter().zip(expected) {
                agree(*a, b, 1e-12, &(name, &case));
            }
        };
        check("bonferroni", Correction::Bonferroni);
        check("holm", Correction::Holm);
        check("hochberg", Correction::Hochberg);
        check("BH", Correction::BenjaminiHochberg);
        check("BY", Correction::BenjaminiYekutieli);
    }
}

#[test]
fn median_intervals_agree() {
    for case in cases("median_interval") {
        let n = number(&case["n"]) as usize;
        let sorted: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let (ours, rank) = (median_interval(&sorted, number(&case["confidence"])), number(&case["rank"]));
        assert_eq!(ours.is_some(), rank >= 0.0, "{case}");
        if let Some(ours) = ours {
            assert_eq!((ours.low, ours.high), (rank, n as f64 - 1.0 - rank), "{case}");
            agree(ours.level, number(&case["level"]), 1e-12, &case);
        }
    }
}

#[test]
fn correlations_agree() {
    for case in cases("diagnostics_r") {
        let (x, y) = (sample(&case["x"]), sample(&case["y"]));
        let ours = order_correlation(&x, &y).expect("a correlation");
        near(ours.rho, number(&case["rho"]), 1e-12, 1.0, &case);
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        agree(drift(&y).expect("a trend"), number(&case["drift"]), 1e-9, &case);
        near(
            autocorrelation(&y).expect("a correlation").lag_one,
            number(&case["lag_one"]),
            1e-12,
            1.0,
            &case,
        );
    }
}
