//! Failures come first: what a build that fails more does faster is not the same work.
//!
//! A row of failures that runs are too few to judge becomes invalid itself where it leaves no doubt.

use std::collections::HashSet;

use statera_kernels as kernels;
use statera_kernels::special::binomial_cdf;
use statera_readers::metric::{Better, Role};
use statera_readers::{Observations, Quantity};

use crate::Weighing;
use crate::assignment::Assignment;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row};
use crate::verdict::Verdict;

/// The share of the work that fails beyond that of the baseline, from which single runs are no longer of the same work.
const SHARE: f64 = 0.01;

/// A benchmark of a group, and the pair of variants.
type Key = (u32, u32, u32, u32);

fn key(row: &Row) -> Key {
    (row.group, row.benchmark, row.baseline.variant, row.contender.variant)
}

/// Takes "better" from the rows of benchmarks of which the contender fails more.
pub fn look(observations: &Observations, assignment: &Assignment, policy: &Policy, rows: &mut [Row]) {
    let is_validity = |row: &Row| observations.metrics[row.metric as usize].role == Role::Validity;
    if !rows.iter().any(is_validity) {
        return;
    }
    let better = |row: &Row| assignment.metrics[row.metric as usize].and_then(|rule| rule.better);
    let alpha = kernels::alpha(policy.confidence());
    let mut failing: HashSet<Key> = HashSet::new();
    for row in rows.iter_mut().filter(|row| is_validity(row)) {
        let quantity = observations.metrics[row.metric as usize].quantity;
        if fails_more(row, quantity, better(row), alpha) {
            failing.insert(key(row));
            if !row.verdict.is_loss() && row.design != Design::OneSided {
                (row.verdict, row.reason) = (Verdict::Invalid, None);
            }
        }
    }
    for row in rows.iter_mut().filter(|row| !is_validity(row)) {
        if would_gain(row, better(row)) && failing.contains(&key(row)) {
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
fn fails_more(row: &Row, quantity: Quantity, better: Option<Better>, alpha: f64) -> bool {
    let (old, new) = (row.baseline.centre.value, row.contender.centre.value);
    let more = if better == Some(Better::Higher) { old - new } else { new - old };
    match row.verdict {
        _ if row.design == Design::OneSided => {
            // What only the contender states: a status, a kind of error.
            row.verdict == Verdict::New && better == Some(Better::Lower) && new > 0.0
        }
        verdict if verdict.is_loss() => true,
        Verdict::Equivalent => false,
        // Runs that show no difference decide; fewer cannot.
        Verdict::Inconclusive if !matches!(row.reason, Some(Reason::TooFewRuns | Reason::NoSpread)) => false,
        _ if more.is_nan() || more <= 0.0 => false,
        _ if quantity == Quantity::Other => more > SHARE,
        _ => {
            let below = old.round().max(0.0) as u64;
            let all = below.saturating_add(new.round().max(0.0) as u64);
            2.0 * binomial_cdf(below, all, 0.5) <= alpha
        }
    }
}

impl Weighing {
    /// For each subject that leads with "invalid", the row of failures that says it most clearly: shares before counts,
    /// then the largest harm.
    pub(crate) fn failures<Subject: PartialEq>(
        &self,
        observations: &Observations,
        leads: &[u32],
        subject: impl Fn(&Row) -> Subject,
    ) -> Vec<u32> {
        let metric = |row: &Row| &observations.metrics[row.metric as usize];
        let rows = || (0..).zip(&self.rows).filter(|(_, row)| metric(row).role == Role::Validity);
        let invalid =
            leads.iter().map(|&lead| &self.rows[lead as usize]).filter(|row| row.verdict == Verdict::Invalid);
        invalid
            .filter_map(|lead| {
                let own = rows().filter(|(_, row)| {
                    subject(row) == subject(lead)
                        || (row.benchmark, row.group) == (lead.benchmark, lead.group)
                });
                let clearest = |row: &Row| (metric(row).quantity == Quantity::Count, -self.harm(row));
                own.min_by(|(_, a), (_, b)| {
                    let (a, b) = (clearest(a), clearest(b));
                    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
                })
                .map(|(index, _)| index)
            })
            .collect()
    }
}
