//! Rows with so few units that ranks cannot attain alpha (3 + 3, or five pairs): a moderated t-test, parametric. Where
//! relabelings of the rows show a heavier tail than that of t, test and interval widen.

use statera_kernels as kernels;
use statera_kernels::NullRow;

use crate::dependence::Widening;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Warning};
use crate::units::Kept;
use crate::{common_part, estimate, means};

/// Tests the rows for which a rank test has no answer. Their variances are shrunk towards those of all rows of their
/// metric.
pub fn decide(rows: &mut [Row], samples: &[Kept], policy: &Policy) {
    let alpha = kernels::alpha(policy.confidence());
    let few = |row: &Row| {
        let ranks = matches!(row.design, Design::Independent | Design::Nested | Design::Paired);
        let few = row.least_p > alpha && row.effective_units.is_nan();
        ranks && few && row.p.is_some() && row.baseline.units.min(row.contender.units) >= 2
    };
    if !rows.iter().any(few) {
        return;
    }
    let mut order: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].p.is_some()).collect();
    order.sort_by_key(|&i| rows[i].pool());
    let pools: Vec<Vec<usize>> =
        order.chunk_by(|&i, &j| rows[i].pool() == rows[j].pool()).map(<[usize]>::to_vec).collect();
    for members in pools {
        let own: Vec<usize> = members.iter().copied().filter(|&i| few(&rows[i])).collect();
        if own.is_empty() {
            continue;
        }
        let variances: Vec<(f64, f64)> = members
            .iter()
            .filter_map(|&i| kernels::variance_within(&samples[i].sides_or_differences()))
            .collect();
        let prior = kernels::prior_of_mixed(&variances);
        let relabeled: Vec<NullRow<'_>> = own.iter().map(|&i| samples[i].null_row(0)).collect();
        let without = common_part::apart(rows, samples, &own, |_| 0);
        let wider = Widening::by(kernels::null_tail(&relabeled).sqrt());
        for i in own {
            if let Some(apart) = &without[i] {
                let (x, y) = apart.values.split_at(samples[i].split().unwrap_or(0));
                let by = Widening::by(wider.factor * apart.inflation.sqrt());
                let found = kernels::moderated_t(x, y, prior, rounded(&samples[i]), policy.confidence());
                let p = found.map_or(1.0, |found| by.p(found.test.p));
                rows[i].p_apart = Some(rows[i].spent(p.min(apart.common)));
            }
            let (x, y) = samples[i].both().unwrap_or((&[], samples[i].all()));
            let row = &mut rows[i];
            let policy = &policy.at(row.share);
            let confidence = 1.0 - wider.before(policy.alpha);
            let found = kernels::moderated_t(x, y, prior, rounded(&samples[i]), confidence);
            let found = found.map(|found| wider.applied(found));
            // These follow from the interval by ranks, which the row no longer has.
            row.warnings &= !(Warning::LowLevel.bit() | Warning::MediansDisagree.bit());
            row.warn(Warning::Parametric);
            if found.is_none() {
                (row.p, row.method, row.reason) = (None, None, Some(Reason::NoSpread));
                (row.statistic, row.least_p, row.change_level) = (f64::NAN, f64::NAN, f64::NAN);
                (row.change_low, row.change_high) = (f64::NAN, f64::NAN);
                (row.change_low_open, row.change_high_open) = (false, false);
            }
            estimate::take(row, found, policy);
        }
    }
}

/// The standard deviation that rounding alone may hide.
fn rounded(sample: &Kept) -> f64 {
    let [old, new] = sample.errors().map(means::least);
    old.max(new)
}
