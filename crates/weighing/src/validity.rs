//! Failures come first: what a build that fails more does faster is not the same work.
//!
//! A row of failures that runs are too few to judge becomes invalid itself where it leaves no doubt.

use std::collections::{HashMap, HashSet};

use statera_kernels as kernels;
use statera_kernels::special::binomial_cdf;
use statera_readers::Observations;
use statera_readers::metric::{Better, Estimand, Metric, Quantity, Role};

use crate::assignment::Assignment;
use crate::policy::Policy;
use crate::row::{Reason, Row, Scale};
use crate::units::Kept;
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

/// So many times as many failures of all runs together are more, though the runs differ so much that their typical value
/// shows nothing.
const TIMES: f64 = 2.0;

/// Takes "better" from the rows of benchmarks of which the contender fails more. Returns the rows of failures of which only
/// all runs together show that, with the means of their runs.
pub fn look(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    rows: &mut [Row],
    samples: &[Kept],
) -> HashMap<u32, [f64; 2]> {
    let mut means = HashMap::new();
    let is_validity = |row: &Row| observations.metrics[row.metric as usize].role == Role::Validity;
    if !rows.iter().any(is_validity) {
        return means;
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
    for (index, (row, kept)) in
        (0..).zip(rows.iter_mut().zip(samples)).filter(|(_, (row, _))| is_validity(row))
    {
        let metric = &observations.metrics[row.metric as usize];
        told.insert(key(row));
        let of_runs =
            means_of_runs(row, kept).filter(|found| in_all(row, metric, better(row), *found, alpha));
        if let Some(found) = of_runs {
            failing.extend([key(row), anywhere(row)]);
            means.insert(index, found);
        }
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
    means
}

/// The means of the runs of both sides; none if there are no runs to compare.
fn means_of_runs(row: &Row, kept: &Kept) -> Option<[f64; 2]> {
    let (old, new) = kept.both().filter(|(old, new)| old.len().min(new.len()) > 1)?;
    let plain = |value: &f64| if row.scale == Scale::Ratio { value.exp() } else { *value };
    Some([old, new].map(|side| side.iter().map(plain).sum::<f64>() / side.len() as f64))
}

/// Whether the contender fails more in all runs together: where some of its runs fail as a whole, the typical run does not
/// tell, and is not the same work.
fn in_all(row: &Row, metric: &Metric, better: Option<Better>, means: [f64; 2], alpha: f64) -> bool {
    if is_share(metric) {
        let [old, new] = means.map(|share| if better == Some(Better::Higher) { 1.0 - share } else { share });
        return new - old > SHARE && new >= TIMES * old;
    }
    let [old, new] = [row.baseline.units, row.contender.units];
    let counts = [means[0] * f64::from(old), means[1] * f64::from(new)];
    let share = f64::from(old) / f64::from(old + new);
    let is_count = better == Some(Better::Lower) && counts[1] > 0.0 && means[1] >= TIMES * means[0];
    is_count && significant(counts, share, alpha)
}

/// Whether the second of two counts is the larger one by the exact binomial test, the first of which has a share of the
/// work.
fn significant(counts: [f64; 2], share: f64, alpha: f64) -> bool {
    let [below, new] = counts.map(|count| count.round().max(0.0) as u64);
    2.0 * binomial_cdf(below, below.saturating_add(new), share) <= alpha
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
        Verdict::Inconclusive if !row.reason.is_some_and(cannot_judge) => false,
        _ if more.is_nan() || more <= 0.0 => false,
        // Single requests or runs: a few more that fail may be chance.
        _ if metric.estimand == Estimand::Mean => {
            let all = [row.baseline.values, row.contender.values].map(u64::from);
            let all = if all[0] == 0 { [all[1]; 2] } else { all };
            let failed = [0, 1].map(|side| ([old, new][side].max(0.0) * all[side] as f64).round() as u64);
            more > MOST || more > SHARE && kernels::fisher(failed, all).p <= alpha
        }
        _ if is_share(metric) => more > SHARE,
        _ => significant([old, new], 0.5, alpha),
    }
}

/// Whether a row has no clear change because its values could not show any, and not because they show none.
fn cannot_judge(reason: Reason) -> bool {
    use Reason::{NoSpread, NotComputable, TooDependent, TooFewPairs, TooFewRuns, TooFewValues};
    matches!(reason, TooFewRuns | TooFewPairs | TooFewValues | TooDependent | NoSpread | NotComputable)
}

/// Whether the values of a metric are shares, or have them as their mean.
fn is_share(metric: &Metric) -> bool {
    metric.quantity == Quantity::Other || metric.estimand == Estimand::Mean
}

/// A row of failures, whether it states shares, and the means of its runs where only these show that more failed.
pub type Failing = (u32, bool, Option<[f64; 2]>);

impl Weighing {
    /// For each leading row that is invalid, the row of failures that says it most clearly (of its own group, shares before
    /// counts, then the largest harm), and what is said of it.
    pub(crate) fn failures(&self, observations: &Observations, leads: &[u32]) -> Vec<Failing> {
        let metric = |row: &Row| &observations.metrics[row.metric as usize];
        let told: Vec<(u32, &Row)> =
            (0..).zip(&self.rows).filter(|(_, row)| metric(row).role == Role::Validity).collect();
        let rows = leads.iter().map(|&lead| &self.rows[lead as usize]);
        rows.filter(|row| row.verdict == Verdict::Invalid)
            .filter_map(|lead| {
                let own = told.iter().filter(|(_, row)| anywhere(row) == anywhere(lead));
                let is_judged = |row: &Row| row.verdict == Verdict::Invalid || row.verdict.is_loss();
                let says = |index: u32, row: &Row| is_judged(row) || self.failing.contains_key(&index);
                let clearest = |index: u32, row: &Row| {
                    (!says(index, row), row.group != lead.group, !is_judged(row), !is_share(metric(row)))
                };
                let first = own.min_by(|(i, a), (j, b)| {
                    clearest(*i, a).cmp(&clearest(*j, b)).then(self.harm(b).total_cmp(&self.harm(a)))
                });
                first.map(|&(index, row)| {
                    let means =
                        self.failing.get(&index).filter(|_| !is_judged(row) || row.rise() == 0.0).copied();
                    (index, is_share(metric(row)), means)
                })
            })
            .collect()
    }
}
