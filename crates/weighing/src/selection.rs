//! Intervals of rows that are shown because they changed.
//!
//! Of many rows those are called whose noise helped, so that too few of their intervals hold the true change. At a level
//! of 1 - alpha × called / rows, at most alpha of the called rows have an interval that does not (Benjamini & Yekutieli
//! 2005, false coverage-statement rate).

use statera_kernels as kernels;
use statera_kernels::special::t_quantile;

use crate::family::Family;
use crate::policy::Policy;
use crate::row::Row;

/// Widens the intervals of the called rows: each end moves away from the change by the ratio of two quantiles of Student's
/// t, which no few ranks limit. An end stays on its side of no change, of which the verdict is certain.
pub fn adjust(rows: &mut [Row], family: &Family, policy: &Policy) {
    if !family.corrected() {
        return;
    }
    let alpha = kernels::alpha(policy.confidence());
    let is_called = |row: &Row| {
        let typical = row.verdict.is_change() && !row.verdict.is_of_tail();
        typical && row.p_corrected.is_some_and(|p| p <= alpha)
    };
    let called = rows.iter().filter(|row| is_called(row)).count();
    let share = called as f64 / family.size.max(1) as f64;
    if share >= 1.0 {
        return;
    }
    let mut factors = Factors::default();
    for row in rows.iter_mut().filter(|row| is_called(row)) {
        let level = 1.0 - policy.at(row.share).alpha * share;
        // Of values with steps, few levels can be attained, and this one may be exceeded.
        if row.change_level >= level {
            continue;
        }
        let factor = factors.of(row.units_a_side(), row.change_level, level);
        widen(row, factor);
        row.change_level = level;
    }
}

fn widen(row: &mut Row, factor: f64) {
    let (scale, on) = (row.scale, |change| row.scale.shift(change));
    let (change, low, high) = (on(row.change), on(row.change_low), on(row.change_high));
    let ends = (change - factor * (change - low), change + factor * (high - change));
    if low >= 0.0 && ends.0 <= 0.0 {
        (row.change_low, row.change_low_open) = (0.0, true);
    } else {
        row.change_low = scale.change(ends.0);
    }
    if high <= 0.0 && ends.1 >= 0.0 {
        (row.change_high, row.change_high_open) = (0.0, true);
    } else {
        row.change_high = scale.change(ends.1);
    }
}

/// The last factor: rows with the same numbers of units ask for the same one.
#[derive(Default)]
struct Factors(Option<([u64; 3], f64)>);

impl Factors {
    fn of(&mut self, units_a_side: f64, before: f64, after: f64) -> f64 {
        let key = [units_a_side, before, after].map(f64::to_bits);
        match self.0 {
            Some((known, factor)) if known == key => factor,
            _ => {
                let df = (2.0 * units_a_side - 2.0).max(1.0);
                let factor = t_quantile(0.5 * (1.0 - after), df) / t_quantile(0.5 * (1.0 - before), df);
                self.0 = Some((key, factor));
                factor
            }
        }
    }
}
