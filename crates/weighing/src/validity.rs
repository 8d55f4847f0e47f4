//! Failures come first: what a build that fails more does faster is not the same work.
//!
//! A row of failures that runs are too few to judge becomes invalid itself where it leaves no doubt.

use std::collections::HashSet;

use statera_kernels as kernels;
use statera_kernels::special::binomial_cdf;
use statera_readers::Observations;
use statera_readers::metric::{Better, Estimand, Metric, Quantity, Role};

use crate::assignment::Assignment;
use crate::policy::Policy;
use crate::row::{Reason, Row};
use crate::verdict::Verdict;
use crate::weighing::Weighing;

/// The share of the work that fails beyond that of the baseline, from which single runs are no longer of the same work.
const SHARE: f64 = 0.01;

/// The same from which it is no chance, however few runs there are.
const MOST: f64 = 0.5;

/// A benchmark of a group, and the pair of variants.
type Key = (u32, u32, u32, u32);

fn key(row: &Row) -> Key {
    (row.group, row.benchmark, row.baseline.variant, row.contender.variant)
}

/// The key of a benchmark in whatever group.
fn anywhere(row: &Row) -> Key {
    (u32::MAX, row.benchmark, row.baseline.variant, row.contender.variant)
}

/// Takes "better" from the rows of benchmarks of which the contender fails more.
pub fn look(observations: &Observations, assignment: &Assignment, policy: &Policy, rows: &mut [Row]) {
    let is_validity = |row: &Row| observations.metrics[row.metric as usize].role == Role::Validity;
    if !rows.iter().any(is_validity) {
        return;
    }
    let better = |row: &Row| assignment.metrics[row.metric as usize].and_then(|rule| rule.better);
    let compared: HashSet<Key> =
        rows.iter().filter(|row| !row.verdict.is_one_sided()).map(anywhere).collect();
    let alpha = kernels::alpha(policy.confidence());
    // Harnesses print no zeros: failures that only one build states did not happen in the other.
    for row in rows.iter_mut().filter(|row| is_validity(row)) {
        let metric = &observations.metrics[row.metric as usize];
        let is_no_news = match row.verdict {
            Verdict::Missing => true,
            Verdict::New => !fails_more(row, metric, better(row), alpha),
            _ => false,
        };
        if is_no_news && better(row) == Some(Better::Lower) && compared.contains(&anywhere(row)) {
            (row.verdict, row.reason) = (Verdict::Descriptive, None);
        }
    }
    let (mut failing, mut told): (HashSet<Key>, HashSet<Key>) = (HashSet::new(), HashSet::new());
    for row in rows.iter_mut().filter(|row| is_validity(row)) {
        let metric = &observations.metrics[row.metric as usize];
        told.insert(key(row));
        if fails_more(row, metric, better(row), alpha) {
            failing.extend([key(row), anywhere(row)]);
            if !row.verdict.is_loss() {
                (row.verdict, row.reason) = (Verdict::Invalid, None);
            }
        }
    }
    for row in rows.iter_mut().filter(|row| !is_validity(row)) {
        // Where a group does not tell what failed (times by the status of the response), the benchmark does.
        let fails = if told.contains(&key(row)) { key(row) } else { anywhere(row) };
        if failing.contains(&fails) && would_gain(row, better(row)) {
            (row.verdict, row.reason) = (Verdict::Invalid, None);
        }
    }
}

/// Whether a row is better, or would be if there were more runs.
fn would_gain(row: &Row, better: Option<Better>) -> bool {
    let rises = row.rise() > 0.0;
    row.verdict.is_gain()
        || matches!(row.verdict, Verdict::Differs | Verdict::Descriptive)
            && row.rise() != 0.0
            && better.is_some_and(|better| rises == (better == Better::Higher))
}

/// Whether a row of failures says that the contender fails more: as judged; where runs are too few to judge, by the share,
/// or by the exact binomial test of two counts.
fn fails_more(row: &Row, metric: &Metric, better: Option<Better>, alpha: f64) -> bool {
    let [mut old, new] = [row.baseline, row.contender].map(|side| side.centre.value);
    if row.verdict == Verdict::New && better == Some(Better::Lower) {
        // What only the contender states (a status, a kind of error) did not happen before.
        old = 0.0;
    }
    let more = if better == Some(Better::Higher) { old - new } else { new - old };
    match row.verdict {
        verdict if verdict.is_loss() => true,
        Verdict::Equivalent => false,
        // Runs that show no difference decide; fewer cannot.
        Verdict::Inconclusive if !matches!(row.reason, Some(Reason::TooFewRuns | Reason::NoSpread)) => false,
        _ if more.is_nan() || more <= 0.0 => false,
        // Single requests or runs: a few more that fail may be chance.
        _ if metric.estimand == Estimand::Mean => {
            let all = [row.baseline.values, row.contender.values].map(u64::from);
            let all = if all[0] == 0 { [all[1]; 2] } else { all };
            let failed = [0, 1].map(|side| ([old, new][side].max(0.0) * all[side] as f64).round() as u64);
            more > MOST || more > SHARE && kernels::fisher(failed, all).p <= alpha
        }
        _ if is_share(metric) => more > SHARE,
        _ => {
            let below = old.round().max(0.0) as u64;
            let all = below.saturating_add(new.round().max(0.0) as u64);
            2.0 * binomial_cdf(below, all, 0.5) <= alpha
        }
    }
}

/// Whether the values of a metric are shares, or have them as their mean.
fn is_share(metric: &Metric) -> bool {
    metric.quantity == Quantity::Other || metric.estimand == Estimand::Mean
}

impl Weighing {
    /// For each leading row that is invalid, the row of failures that says it most clearly (of its own group, shares before
    /// counts, then the largest harm), and whether it states shares.
    pub(crate) fn failures(&self, observations: &Observations, leads: &[u32]) -> Vec<(u32, bool)> {
        let metric = |row: &Row| &observations.metrics[row.metric as usize];
        let told: Vec<(u32, &Row)> =
            (0..).zip(&self.rows).filter(|(_, row)| metric(row).role == Role::Validity).collect();
        let rows = leads.iter().map(|&lead| &self.rows[lead as usize]);
        rows.filter(|row| row.verdict == Verdict::Invalid)
            .filter_map(|lead| {
                let own = told.iter().filter(|(_, row)| anywhere(row) == anywhere(lead));
                let clearest = |row: &Row| (row.group != lead.group, !is_share(metric(row)));
                let first = own.min_by(|(_, a), (_, b)| {
                    clearest(a).cmp(&clearest(b)).then(self.harm(b).total_cmp(&self.harm(a)))
                });
                first.map(|(index, row)| (*index, is_share(metric(row))))
            })
            .collect()
    }
}
