//! Agreement with `SciPy`, `NumPy` and mpmath on the cases under tests/reference, 1e-9 relative or better.

use crate::common::{agree, cases, number, numbers, sample};
use serde_json::Value;
use statera_kernels::{
    Correction, MeanOf, Method, Zeros, adjust, drift, geometric_mean, iqr, mad, mann_whitney, mean, median,
    order_correlation, prediction, quantile_sorted, sd, signed_rank, special, welch, welch_of_means,
};

#[test]
fn mann_whitney_agrees() {
    for case in cases("mann_whitney") {
        let test = mann_whitney(&sample(&case["x"]), &sample(&case["y"])).expect("a test");
        assert_eq!(test.method == Method::Exact, case["exact"].as_bool().expect("a flag"));
        agree(test.statistic, number(&case["statistic"]), 0.0, &case);
        agree(test.p, number(&case["p"]), 1e-10, &case);
    }
}

#[test]
fn signed_rank_agrees() {
    for case in cases("signed_rank") {
        let zeros = if case["zeros"] == "pratt" { Zeros::Pratt } else { Zeros::Drop };
        let test = signed_rank(&sample(&case["d"]), zeros).expect("a test");
        assert_eq!(test.method == Method::Exact, case["exact"].as_bool().expect("a flag"));
        agree(test.statistic, number(&case["statistic"]), 0.0, &case);
        agree(test.p, number(&case["p"]), 1e-10, &case);
    }
}

#[test]
fn quantiles_agree() {
    for case in cases("quantile") {
        let values = sample(&case["values"]);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (p, expected) in numbers(&case["p"]).into_iter().zip(numbers(&case["quantiles"])) {
            agree(quantile_sorted(&sorted, p), expected, 1e-12, &case);
        }
        let check = |name: &str, ours: f64| agree(ours, number(&case[name]), 1e-9, &(name, &case));
        check("median", median(&values));
        check("iqr", iqr(&values));
        check("mad", mad(&values));
        check("mean", mean(&values));
        check("sd", sd(&values));
        check("geometric_mean", geometric_mean(&values));
    }
}

#[test]
fn welch_agrees() {
    for case in cases("welch") {
        let ours =
            welch(&sample(&case["x"]), &sample(&case["y"]), number(&case["confidence"])).expect("a test");
        agree(ours.test.statistic, number(&case["statistic"]), 1e-9, &case);
        agree(ours.test.p, number(&case["p"]), 1e-9, &case);
        // An end near 0 is a difference of larger numbers, so it is judged relative to the width.
        let (low, high) = (number(&case["low"]), number(&case["high"]));
        let tolerance = 1e-10 * (high - low);
        assert!((ours.shift.interval.low - low).abs() <= tolerance, "{case}");
        assert!((ours.shift.interval.high - high).abs() <= tolerance, "{case}");
    }
}

#[test]
fn welch_of_means_agrees() {
    for case in cases("welch_of_means") {
        let side = |name: &str| {
            let of = |at: usize| number(&case[name][at]);
            MeanOf::summary(of(0), of(1), of(2)).expect("two samples or more")
        };
        let ours = welch_of_means(side("old"), side("new"), 0.95).expect("a test");
        agree(ours.test.statistic, number(&case["statistic"]), 1e-9, &case);
        agree(ours.test.p, number(&case["p"]), 1e-9, &case);
    }
}

#[test]
fn predictions_agree() {
    for case in cases("prediction") {
        let ours = prediction(&sample(&case["x"]), &sample(&case["y"]), 0.0, number(&case["confidence"]))
            .expect("a test");
        agree(ours.test.statistic, number(&case["statistic"]), 1e-9, &case);
        agree(ours.test.p, number(&case["p"]), 1e-9, &case);
        let (low, high) = (number(&case["low"]), number(&case["high"]));
        let tolerance = 1e-10 * (high - low);
        assert!((ours.shift.interval.low - low).abs() <= tolerance, "{case}");
        assert!((ours.shift.interval.high - high).abs() <= tolerance, "{case}");
    }
}

#[test]
fn corrections_agree() {
    for case in cases("correction") {
        let check = |name: &str, how: Correction| {
            let ours = adjust(&numbers(&case["p"]), how);
            for (a, b) in ours.iter().zip(numbers(&case[name])) {
                agree(*a, b, 1e-12, &(name, &case));
            }
        };
        check("p", Correction::None);
        check("bonferroni", Correction::Bonferroni);
        check("holm", Correction::Holm);
        check("hochberg", Correction::Hochberg);
        check("benjamini_hochberg", Correction::BenjaminiHochberg);
        check("benjamini_yekutieli", Correction::BenjaminiYekutieli);
    }
}

#[test]
fn special_functions_agree() {
    for case in cases("special") {
        let a = numbers(&case["a"]);
        let whole = |i: usize| a[i] as u64;
        let ours = match case["f"].as_str().expect("a name") {
            "norm_cdf" => special::norm_cdf(a[0]),
            "norm_quantile" => special::norm_quantile(a[0]),
            "t_sf" => special::t_sf(a[0], a[1]),
            "t_quantile" => special::t_quantile(a[0], a[1]),
            "binomial_cdf" => special::binomial_cdf(whole(0), whole(1), a[2]),
            "ln_choose" => special::ln_choose(whole(0), whole(1)),
            other => panic!("{other}"),
        };
        agree(ours, number(&case["value"]), 1e-12, &case);
    }
}

#[test]
fn correlations_agree() {
    for case in cases("diagnostics") {
        let (x, y): (Vec<f64>, Vec<f64>) = (sample(&case["x"]), sample(&case["y"]));
        let ours = order_correlation(&x, &y).expect("a correlation");
        let near =
            |ours: f64, name: &str| assert!((ours - number(&case[name])).abs() < 1e-12, "{name}: {case}");
        near(ours.rho, "rho");
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        agree(drift(&y).expect("a trend"), number(&case["drift"]), 1e-9, &case);
    }
    assert!(matches!(cases("diagnostics").first(), Some(Value::Object(_))));
}
