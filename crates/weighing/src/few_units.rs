//! Rows with so few units that ranks cannot attain alpha (3 + 3, or five pairs): a moderated t-test, parametric.

use statera_kernels as kernels;

use crate::estimate;
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Warning};
use crate::units::Kept;

/// Rows whose variances are shrunk together: group, metric, scale.
type Pool = (u32, u32, Scale);

/// Tests the rows for which a rank test has no answer. Their variances are shrunk towards those of all rows of their
/// metric.
pub fn decide(rows: &mut [Row], samples: &[Kept], policy: &Policy) {
    let alpha = kernels::alpha(policy.confidence());
    let few = |row: &Row| {
        let ranks = matches!(row.design, Design::Independent | Design::Nested | Design::Paired);
        let few = row.least_p > alpha && row.effective_units.is_nan();
        ranks && few && row.p.is_some() && row.baseline.units.min(row.contender.units) >= 2
    };
    let mut pools: Vec<Pool> = rows.iter().filter(|row| few(row)).map(pool).collect();
    pools.sort_unstable();
    pools.dedup();
    for own in pools {
        let members: Vec<usize> =
            (0..rows.len()).filter(|&i| rows[i].p.is_some() && pool(&rows[i]) == own).collect();
        let variances: Vec<(f64, f64)> = members
            .iter()
            .filter_map(|&i| kernels::variance_within(&samples[i].sides_or_differences()))
            .collect();
        let prior = kernels::prior_of_mixed(&variances);
        for i in members.into_iter().filter(|&i| few(&rows[i])).collect::<Vec<_>>() {
            let (x, y) = samples[i].both().unwrap_or((&[], samples[i].all()));
            let found = kernels::moderated_t(x, y, prior, policy.confidence());
            let row = &mut rows[i];
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

fn pool(row: &Row) -> Pool {
    (row.group, row.metric, row.scale)
}
