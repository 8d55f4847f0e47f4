//! The units of a row of means: runs if a side has several, otherwise the blocks that both sides have, otherwise batches
//! of values that depend on their neighbours.

use statera_kernels as kernels;
use statera_kernels::{Comparison, MeanOf};

use crate::assignment::Pairing;
use crate::blocks::{Measured, count_runs, has_blocks};
use crate::policy::Policy;
use crate::row::{Centre, Design, Reason, Row, Scale, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// The minimum number of values of a series: with fewer, the dependence of neighbours cannot be estimated, and batches
/// would not remove it.
const FEWEST: usize = 20;

/// The minimum effective sample size of a series.
const ENOUGH: f64 = 20.0;

/// Fills the sample of a metric that is a mean; the units are means of runs, of blocks or of batches.
pub fn draw(sample: &mut Sample, baseline: &[Measured], contender: &[Measured], pairing: Pairing) {
    (sample.of_means, sample.scale) = (true, Scale::Difference);
    sample.values = (samples(baseline), samples(contender));
    sample.centres = (centre(baseline), centre(contender));
    sample.counts = (baseline.len(), contender.len());
    sample.baseline.set([]);
    sample.contender.set([]);
    if baseline.is_empty() || contender.is_empty() {
        return;
    }
    let (runs_baseline, runs_contender) = (count_runs(baseline), count_runs(contender));
    // Several runs of one side show how runs differ, also if the other side has a single run.
    let between_runs =
        runs_baseline.min(runs_contender).is_some() && runs_baseline.max(runs_contender) > Some(1);
    if !between_runs && (runs_baseline == Some(1) || runs_contender == Some(1)) {
        sample.warnings |= Warning::OneProcess.bit();
    }
    if between_runs {
        sample.design = Design::Nested;
        let [old, new] = &mut sample.errors;
        for (side, units, errors) in
            [(baseline, &mut sample.baseline, old), (contender, &mut sample.contender, new)]
        {
            let runs = by_run(side);
            units.set(runs.iter().map(|run| mean(&run.1)));
            errors.extend(runs.iter().map(|run| error(&run.1)));
        }
        sample.counts = (sample.baseline.len(), sample.contender.len());
    } else if baseline.len() == 1 && contender.len() == 1 && !has_blocks(baseline) {
        sample.design = Design::Suite;
    } else if matches!(pairing, Pairing::Auto | Pairing::Block)
        && (has_blocks(baseline) || has_blocks(contender))
    {
        pair(sample, baseline, contender);
    } else {
        series(sample, baseline, contender);
    }
}

/// Returns the number of samples of which the values are means.
fn samples(side: &[Measured]) -> usize {
    side.iter().map(|value| value.weight).sum::<f64>() as usize
}

/// Returns the mean of the runs' means; for a single run the mean of its samples.
fn centre(side: &[Measured]) -> Centre {
    if side.is_empty() {
        return Centre::NONE;
    }
    let means: Vec<f64> = run_means(side).into_iter().map(|run| run.1).collect();
    Centre { value: kernels::mean(&means), ..Centre::NONE }
}

/// Returns each run with the mean of its samples; values of unknown runs count as one run.
fn run_means(side: &[Measured]) -> Vec<(u64, f64)> {
    by_run(side).into_iter().map(|(run, values)| (run, mean(&values))).collect()
}

fn by_run(side: &[Measured]) -> Vec<(u64, Vec<Measured>)> {
    gathered(side.iter().copied(), |value| value.run)
}

fn mean(values: &[Measured]) -> f64 {
    let (means, weights) = weighted(values);
    kernels::weighted_mean(&means, &weights)
}

/// Returns the standard error of a run's mean by the values of its series. Hosts differ from each other on purpose, so
/// that their values show none.
fn error(values: &[Measured]) -> f64 {
    let (means, weights) = weighted(values);
    if has_blocks(values) { 0.0 } else { kernels::error_of_mean(&means, &weights) }
}

fn weighted(values: &[Measured]) -> (Vec<f64>, Vec<f64>) {
    values.iter().map(|value| (value.value, value.weight)).unzip()
}

/// Groups values by a key, in the order of its first appearance.
fn gathered<K: Copy + Eq + std::hash::Hash>(
    values: impl Iterator<Item = Measured>,
    key: impl Fn(&Measured) -> K,
) -> Vec<(K, Vec<Measured>)> {
    let mut places = std::collections::HashMap::new();
    let mut found: Vec<(K, Vec<Measured>)> = Vec::new();
    for value in values {
        let key = key(&value);
        let place = *places.entry(key).or_insert(found.len());
        if place == found.len() {
            found.push((key, Vec::new()));
        }
        found[place].1.push(value);
    }
    found
}

/// Takes the differences of the blocks that both sides have; with several runs a block's mean is the mean of their
/// means.
fn pair(sample: &mut Sample, baseline: &[Measured], contender: &[Measured]) {
    sample.design = Design::Paired;
    let means = |side: &[Measured]| -> Vec<(u32, f64)> {
        let blocks = gathered(side.iter().copied(), |value| value.block).into_iter();
        blocks.map(|(block, values)| (block, centre(&values).value)).collect()
    };
    let (baseline, contender) = (means(baseline), means(contender));
    let of_contender: std::collections::HashMap<u32, f64> = contender.iter().copied().collect();
    let shared = baseline.iter().filter_map(|(block, before)| Some((*before, *of_contender.get(block)?)));
    let (before, after): (Vec<f64>, Vec<f64>) = shared.unzip();
    sample.differences.set(before.iter().zip(&after).map(|(before, after)| after - before));
    sample.pairs_dropped = baseline.len() + contender.len() - 2 * before.len();
    if sample.pairs_dropped > 0 {
        sample.warnings |= Warning::PairsDropped.bit();
    }
    sample.baseline.set(before);
    sample.contender.set(after);
    if sample.differences.len() < 2 {
        sample.reason = Some(Reason::TooFewPairs);
    }
}

/// Takes batches of consecutive values, if there are enough values and their effective sample size suffices.
fn series(sample: &mut Sample, baseline: &[Measured], contender: &[Measured]) {
    sample.design = Design::Series;
    let enough = |side: &[Measured]| {
        let values: Vec<f64> = side.iter().map(|value| value.value).collect();
        kernels::effective_size(&values) >= ENOUGH
    };
    if baseline.len().min(contender.len()) < FEWEST {
        sample.reason = Some(Reason::TooFewValues);
    } else if !enough(baseline) || !enough(contender) {
        sample.reason = Some(Reason::TooDependent);
    } else {
        sample.baseline.set(batches(baseline));
        sample.contender.set(batches(contender));
    }
}

fn batches(side: &[Measured]) -> Vec<f64> {
    let (values, weights) = weighted(side);
    kernels::batch_means(&values, &weights)
}

/// Tests a row of means, or states why it cannot be tested. The change is that of the means over all samples, and the
/// interval is centred on it.
pub fn estimate(row: &mut Row, sample: &Sample, policy: &Policy) {
    if sample.design == Design::OneSided {
        return;
    }
    row.change = row.centres_change();
    row.reason = sample.reason;
    if row.reason.is_some() || sample.design == Design::Suite {
        return;
    }
    let (old, new, confidence) = (&sample.baseline.measured, &sample.contender.measured, policy.confidence());
    let found = match sample.design {
        Design::Paired => kernels::student(&sample.differences.measured, confidence),
        _ if old.len().min(new.len()) == 1 => {
            let [before, after] = &sample.errors;
            kernels::prediction(old, new, least(before).max(least(after)), confidence)
        }
        _ => welch(sample, confidence),
    };
    match found {
        Some(found) if found.test.p.is_finite() && row.change.is_finite() => take(row, &found),
        Some(_) => row.reason = Some(Reason::NotComputable),
        None => row.reason = Some(Reason::NoSpread),
    }
}

/// Welch's t, where runs differ by at least as much as their own samples say.
fn welch(sample: &Sample, confidence: f64) -> Option<Comparison> {
    let of = |units: &Units, errors: &[f64]| {
        let values = &units.measured;
        let deviation = kernels::sd(values).max(least(errors));
        MeanOf::summary(kernels::mean(values), deviation, values.len() as f64)
    };
    let [old, new] = &sample.errors;
    kernels::welch_of_means(of(&sample.baseline, old)?, of(&sample.contender, new)?, confidence)
}

/// The least standard deviation between runs whose means have these standard errors: means of few runs may be close to
/// each other by chance, and a run in which something rare happened has an error that shows it.
pub fn least(errors: &[f64]) -> f64 {
    if errors.is_empty() {
        return 0.0;
    }
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

fn take(row: &mut Row, Comparison { test, shift, .. }: &Comparison) {
    let moved = row.change - shift.estimate;
    (row.change_low, row.change_high) = (shift.interval.low + moved, shift.interval.high + moved);
    row.change_level = shift.interval.level;
    row.statistic = test.statistic;
    (row.p, row.least_p) = (Some(row.spent(test.p)), row.spent(test.least_p));
    row.method = Some(test.method);
}
