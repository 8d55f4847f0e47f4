//! By how much the tail of a moderated t is heavier than its distribution says, as relabelings of many rows show it.
//!
//! Few runs have few relabelings, so that shares of them are too coarse to be p-values. But the relabelings of many rows
//! together show the tail of the null distribution, and a factor that brings its upper quantiles to those of the
//! distribution corrects all of them ("genomic control", Devlin & Roeder 1999).

use crate::max_t_table::{Moderation, Table, Work, prepare};
use crate::moderation::prior_of_parts;
use crate::pooled_null::{NullRow, common_scale};
use crate::quantile::quantile_sorted;
use crate::relabel::{Relabeling, Relabelings};
use crate::special::norm_quantile;

/// The quantiles that are compared.
const LEVELS: [f64; 4] = [0.9, 0.95, 0.98, 0.99];
/// A quantile needs so many statistics above it.
const ABOVE: f64 = 2.0;
/// More relabelings of a row tell nothing more.
const MOST: usize = 1000;

/// The factor by which squared statistics of the rows' relabelings exceed those of their distribution, at its tail; at
/// least 1.
///
/// The observed labels are left out: changes do not count as noise. Few rows have too few relabelings to show a tail, and
/// get 1. Rows without spread are ignored.
#[must_use]
pub fn null_tail(rows: &[NullRow<'_>]) -> f64 {
    let design = |row: &NullRow<'_>| (row.split, row.values.len());
    let mut order: Vec<&NullRow<'_>> = rows.iter().collect();
    order.sort_by_key(|row| design(row));
    let mut shown: Vec<f64> = Vec::new();
    for class in order.chunk_by(|a, b| design(a) == design(b)) {
        let (split, count) = design(class[0]);
        let relabeling = match split {
            Some(m) => Relabeling::TwoSample { m, n: count - m.min(count) },
            None => Relabeling::Signs { n: count },
        };
        let prepared = prepare(class.iter().map(|row| (row.values, row.pool, split.is_none())));
        let Some(table) = Table::new(prepared, relabeling) else { continue };
        let Some(relabelings) = Relabelings::new(relabeling, MOST, 0) else { continue };
        let (mut work, mut logs) = (Work::default(), Vec::new());
        relabelings.each(1..relabelings.looked_at, |selected| {
            table.statistics(selected, Moderation::Pooled, &mut work);
            for (_, pool) in &table.pools {
                let variances = &work.variances[pool.clone()];
                let prior = prior_of_parts([(&table.fit, variances)].into_iter(), &mut logs);
                let df = table.df + prior.df;
                shown.extend(work.statistics[pool.clone()].iter().map(|square| common_scale(*square, df)));
            }
        });
    }
    shown.retain(|square| !square.is_nan());
    shown.sort_unstable_by(f64::total_cmp);
    let beyond = |level: f64| {
        let expected = norm_quantile(0.5 * (1.0 - level)).powi(2);
        let told = (1.0 - level) * shown.len() as f64 >= ABOVE;
        if told { quantile_sorted(&shown, level) / expected } else { 1.0 }
    };
    LEVELS.into_iter().map(beyond).fold(1.0, f64::max)
}
