//! The rank tests of several samples and of blocks against R, `SciPy` and mpmath on the cases under tests/reference.

use crate::common::{agree, cases, number, numbers, sample};
use serde_json::Value;
use statera_kernels::{brunner_munzel, fisher, friedman, kruskal_wallis, quade, sign_test, two_counts};
use statera_kernels::{chi_squared::chi_squared_sf, f_distribution::f_sf};

/// Minimum number of cases per procedure.
const LEAST: usize = 200;

fn samples(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("samples").iter().map(sample).collect()
}

/// The columns of a table stored by rows.
fn table(value: &Value) -> (Vec<f64>, usize) {
    let columns = samples(value);
    let rows = 0..columns[0].len();
    (rows.flat_map(|i| columns.iter().map(move |column| column[i])).collect(), columns.len())
}

#[test]
fn kruskal_wallis_agrees() {
    let cases = cases("kruskal_wallis");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let samples = samples(&case["samples"]);
        let views: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
        let ours = kruskal_wallis(&views).expect("a test");
        agree(ours.statistic, number(&case["statistic"]), 1e-10, &case);
        agree(ours.df, number(&case["df"]), 0.0, &case);
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        let n = samples.iter().map(Vec::len).sum::<usize>();
        agree(ours.epsilon_squared, number(&case["statistic"]) / (n as f64 - 1.0), 1e-10, &case);
    }
}

#[test]
fn friedman_agrees() {
    let cases = cases("friedman");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let (values, treatments) = table(&case["columns"]);
        let ours = friedman(&values, treatments).expect("a test");
        agree(ours.statistic, number(&case["statistic"]), 1e-10, &case);
        agree(ours.df, number(&case["df"]), 0.0, &case);
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        agree(ours.kendall_w, number(&case["w"]), 1e-13, &case);
    }
}

#[test]
fn quade_agrees() {
    let cases = cases("quade");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let (values, treatments) = table(&case["columns"]);
        let ours = quade(&values, treatments).expect("a test");
        agree(ours.statistic, number(&case["statistic"]), 1e-10, &case);
        agree(ours.df1, number(&case["df1"]), 0.0, &case);
        agree(ours.df2, number(&case["df2"]), 0.0, &case);
        agree(ours.p, number(&case["p"]), 1e-9, &case);
    }
}

#[test]
fn brunner_munzel_agrees() {
    let cases = cases("brunner_munzel");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let ours = brunner_munzel(&sample(&case["x"]), &sample(&case["y"]), number(&case["confidence"]))
            .expect("a test");
        agree(ours.statistic, number(&case["statistic"]), 1e-10, &case);
        agree(ours.df, number(&case["df"]), 1e-10, &case);
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        agree(ours.superiority, number(&case["superiority"]), 1e-13, &case);
        agree(ours.low, number(&case["low"]), 1e-9, &case);
        agree(ours.high, number(&case["high"]), 1e-9, &case);
    }
}

#[test]
fn sign_test_agrees() {
    let cases = cases("sign_test");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let ours = sign_test(&sample(&case["d"])).expect("a test");
        agree(ours.statistic, number(&case["statistic"]), 0.0, &case);
        agree(ours.p, number(&case["p"]), 1e-11, &case);
    }
}

#[test]
fn tails_agree() {
    let cases = cases("tails");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let a = numbers(&case["a"]);
        let ours = match case["f"].as_str().expect("a name") {
            "chi_squared_sf" => chi_squared_sf(a[0], a[1]),
            "f_sf" => f_sf(a[0], a[1], a[2]),
            other => panic!("{other}"),
        };
        agree(ours, number(&case["value"]), 1e-12, &case);
    }
}

#[test]
fn tails_outside_their_range() {
    for df in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            chi_squared_sf(1.0, df).is_nan() && f_sf(1.0, df, 2.0).is_nan() && f_sf(1.0, 2.0, df).is_nan()
        );
    }
    assert!(chi_squared_sf(f64::NAN, 2.0).is_nan() && f_sf(f64::NAN, 2.0, 2.0).is_nan());
    for df in [1.0, 2.0, 7.0, 60.0, 1e9] {
        assert_eq!((chi_squared_sf(-1.0, df), chi_squared_sf(0.0, df), f_sf(0.0, df, 3.0)), (1.0, 1.0, 1.0));
        assert_eq!((chi_squared_sf(f64::INFINITY, df), f_sf(f64::INFINITY, df, 3.0)), (0.0, 0.0));
        assert_eq!(chi_squared_sf(1e300, df), 0.0);
        assert_eq!((f_sf(1e-300, df, 3.0), f_sf(1e300, df, 9.0)), (1.0, 0.0));
    }
}

#[test]
fn two_counts_agree() {
    let cases = cases("two_counts");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let [one, other] = [0, 1].map(|build| case["k"][build].as_u64().expect("a count"));
        agree(two_counts::two_counts(one, other), number(&case["p"]), 1e-9, &case);
    }
    assert_eq!(two_counts::two_counts(0, 0), 1.0);
}

#[test]
fn fisher_agrees() {
    let cases = cases("fisher");
    assert!(cases.len() >= LEAST);
    for case in cases {
        let counts = |key: &str| [0, 1].map(|side| case[key][side].as_u64().expect("a count"));
        let ours = fisher(counts("k"), counts("n"));
        agree(ours.p, number(&case["p"]), 1e-9, &case);
        agree(ours.least_p, number(&case["least_p"]), 1e-9, &case);
    }
}
