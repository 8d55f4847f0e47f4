//! Agreement of the resampling procedures with R and `SciPy` on the cases under tests/reference.

use crate::common::{Lcg, agree, cases, number, numbers, sample};
use serde_json::Value;
use statera_kernels::{
    BootMethod, BootPlan, BootStatistic, MaxTRow, Moderation, Relabeling, bootstrap, bootstrap_difference,
    influences, prior, quantile_sorted, westfall_young_with,
};

fn whole(case: &Value, name: &str) -> usize {
    case[name].as_u64().expect("a whole number") as usize
}

#[test]
fn shared_variances_agree() {
    for case in cases("moderation") {
        let (power, unit, df) = (whole(&case, "power") as i32, number(&case["unit"]), number(&case["df"]));
        let variances: Vec<f64> = sample(&case["variances"]).iter().map(|v| v.powi(power) * unit).collect();
        let ours = prior(&variances, df);
        agree(ours.df, number(&case["prior_df"]), 1e-9, &case);
        agree(ours.variance, number(&case["prior"]), 1e-9, &case);
        agree(ours.shrink(variances[0], df), number(&case["first"]), 1e-9, &case);
    }
}

#[test]
fn max_t_agrees() {
    for case in cases("max_t") {
        let (m, n) = (whole(&case, "m"), whole(&case, "n"));
        let relabeling = if m == 0 { Relabeling::Signs { n } } else { Relabeling::TwoSample { m, n } };
        let unit = number(&case["unit"]);
        let values: Vec<f64> = sample(&case["values"]).iter().map(|v| v * unit).collect();
        let rows: Vec<MaxTRow> = values.chunks(m + n).map(|values| MaxTRow { values, pool: 0 }).collect();
        let ours =
            westfall_young_with(&rows, relabeling, Moderation::None, 100_000, 0).expect("adjusted p-values");
        assert!(ours.exact);
        for (p, expected) in ours.p.iter().zip(numbers(&case["p"])) {
            agree(*p, expected, 1e-12, &case);
        }
    }
}

fn statistic_of(case: &Value) -> BootStatistic {
    if case["statistic"] == "mean" { BootStatistic::Mean } else { BootStatistic::Median }
}

fn samples_of(case: &Value) -> Vec<Vec<f64>> {
    case["samples"].as_array().expect("samples").iter().map(sample).collect()
}

/// Mean or median of integers, times the unit.
fn compute(case: &Value, values: &[f64]) -> f64 {
    let unit = number(&case["unit"]);
    if case["statistic"] == "mean" {
        return values.iter().sum::<f64>() / values.len() as f64 * unit;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_sorted(&sorted, 0.5) * unit
}

/// The last sample's statistic, minus the first's if there are two.
fn combined(case: &Value, samples: &[Vec<f64>]) -> f64 {
    let last = compute(case, &samples[samples.len() - 1]);
    if samples.len() == 2 { last - compute(case, &samples[0]) } else { last }
}

/// The statistic with each value of sample `which` left out.
fn left_out(case: &Value, samples: &[Vec<f64>], which: usize) -> Vec<f64> {
    let without = |i: usize| {
        let mut rest = samples.to_vec();
        rest[which].remove(i);
        combined(case, &rest)
    };
    (0..samples[which].len()).map(without).collect()
}

#[test]
fn ends_that_follow_from_replicates_agree() {
    let (mut compared, mut with_r) = (0, 0);
    for case in cases("bootstrap") {
        let samples = samples_of(&case);
        let mut lcg = Lcg(whole(&case, "seed") as u64);
        let mut replicate = || {
            let mut draw = |values: &Vec<f64>| -> Vec<f64> {
                values.iter().map(|_| values[lcg.below(values.len() as u64) as usize]).collect()
            };
            combined(&case, &samples.iter().map(&mut draw).collect::<Vec<_>>())
        };
        let mut replicates: Vec<f64> = (0..whole(&case, "resamples")).map(|_| replicate()).collect();
        let jackknife: Vec<Vec<f64>> = (0..samples.len()).map(|i| left_out(&case, &samples, i)).collect();
        let moved = || jackknife.iter().map(|values| influences(values, 1.0)).collect();
        let plan = BootPlan {
            statistic: BootStatistic::Mean,
            method: BootMethod::Bca,
            confidence: number(&case["confidence"]),
            resamples: replicates.len(),
            seed: 0,
        };
        let ours = plan.of_replicates(replicates.clone(), combined(&case, &samples), moved);
        let theirs = numbers(&case["bca"]);
        if theirs[0].is_nan() {
            // No replicate on one side; or no value matters when left out, so the acceleration is undefined.
            assert!(ours.is_none_or(|ours| ours.acceleration == 0.0), "{case}");
            continue;
        }
        let ours = ours.expect("ends");
        agree(ours.low, theirs[0], 1e-9, &case);
        agree(ours.high, theirs[1], 1e-9, &case);
        compared += 1;
        replicates.sort_by(f64::total_cmp);
        let tail = 0.5 * statera_kernels::alpha(number(&case["confidence"]));
        agree(quantile_sorted(&replicates, tail), numbers(&case["percentile"])[0], 1e-9, &case);
        agree(quantile_sorted(&replicates, 1.0 - tail), numbers(&case["percentile"])[1], 1e-9, &case);
        if case["r"].is_array() {
            // R interpolates at (R + 1) p on the normal scale: at most one position away.
            for (ours, theirs) in [ours.low, ours.high].into_iter().zip(numbers(&case["r"])) {
                let (from, to) = (ours.min(theirs), ours.max(theirs));
                let between = replicates.iter().filter(|r| **r > from && **r < to).count();
                assert!(between <= 1, "{ours} {theirs} {between} {case}");
                with_r += 1;
            }
        }
    }
    assert!(compared >= 200 && with_r >= 40, "{compared} {with_r}");
}

#[test]
fn many_resamples_come_to_the_same() {
    for case in cases("bootstrap_many") {
        let samples = samples_of(&case);
        let method = if case["method"] == "bca" { BootMethod::Bca } else { BootMethod::Percentile };
        let statistic = statistic_of(&case);
        let ours = match &samples[..] {
            [x] => bootstrap(x, statistic, method, 0.9, 40_000, 1),
            [x, y] => bootstrap_difference(x, y, statistic, method, 0.9, 40_000, 1),
            _ => None,
        }
        .expect("an interval");
        let (wide, narrow) = (numbers(&case["wide"]), numbers(&case["narrow"]));
        // The ends lie on a step if there are few values: rounding must not count.
        let near = 1e-12 * ours.estimate.abs().max(1.0);
        assert!(wide[0] - near <= ours.low && ours.low <= narrow[0] + near, "{ours:?} {case}");
        assert!(narrow[1] - near <= ours.high && ours.high <= wide[1] + near, "{ours:?} {case}");
    }
}
