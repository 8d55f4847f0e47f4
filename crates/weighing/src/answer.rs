//! The answer of a comparison: what stands in its first line, and the one row that speaks for each subject.
//!
//! A subject is a benchmark (a metric, where there is one benchmark) of one group and one pair of variants.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use statera_readers::{Better, Observations, Quantity};

use crate::Weighing;
use crate::ordering::{rank, urgency};
use crate::row::{Row, Verdict};

/// What the first line of a comparison states.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// For each subject the row that speaks for it, the worst first.
    pub leads: Vec<u32>,
    /// Number of subjects by the verdict of their leading row, in the order of [`Verdict`].
    pub counts: [u32; Verdict::ALL.len()],
    /// Whether all leading rows that are not better are of times and rates, so that worse means slower.
    pub slower: bool,
    /// Whether all leading rows that are better are of times and rates, so that better means faster.
    pub faster: bool,
    /// The least and the largest relative change that the undecided leading rows could have shown; `None` if unknown.
    pub detectable: Option<[f64; 2]>,
    /// What the leading rows exclude; `None` if none of them excludes anything.
    pub excluded: Option<Excluded>,
}

/// The harm that intervals exclude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Excluded {
    /// The smallest of the bad ends, as a relative change of cost; 0 if the whole interval lies on the good side.
    pub least: f64,
    /// The largest of them.
    pub most: f64,
    /// Number of subjects that have a bad end.
    pub subjects: u32,
}

impl Weighing {
    /// Returns the answer over the benchmarks, or over the metrics where `by_metric`.
    ///
    /// Of the rows of a subject the most urgent verdict speaks; of equal ones times before sizes, then the metric that the
    /// files have first.
    #[must_use]
    pub fn answer(&self, observations: &Observations, by_metric: bool) -> Answer {
        let mut of: HashMap<(u32, u32, u32, u32), u32> = HashMap::new();
        let mut order = Vec::new();
        for (index, row) in (0..).zip(&self.rows) {
            let name = if by_metric { row.metric } else { row.benchmark };
            let subject = (name, row.group, row.baseline.variant, row.contender.variant);
            let lead = of.entry(subject).or_insert_with(|| {
                order.push(subject);
                index
            });
            if speaks_before(observations, row, &self.rows[*lead as usize]) == Ordering::Less {
                *lead = index;
            }
        }
        let mut leads: Vec<u32> = order.iter().map(|subject| of[subject]).collect();
        leads.sort_by(|&a, &b| self.before(observations, &self.rows[a as usize], &self.rows[b as usize]));
        let rows: Vec<&Row> = leads.iter().map(|&index| &self.rows[index as usize]).collect();
        let mut counts = [0; Verdict::ALL.len()];
        for row in &rows {
            counts[row.verdict as usize] += 1;
        }
        let timed = |row: &&Row| {
            matches!(
                observations.metrics[row.metric as usize].quantity,
                Quantity::Time | Quantity::Throughput
            )
        };
        let improved = |row: &Row| matches!(row.verdict, Verdict::Better | Verdict::TailBetter);
        let changed = |row: &Row| row.is_changed() && !improved(row);
        let all_timed = |of: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| of(row)).all(timed);
        let some_changed = rows.iter().any(|row| changed(row));
        let slower = all_timed(&|row| !some_changed || changed(row));
        let faster = all_timed(&improved);
        Answer {
            slower,
            faster,
            counts,
            detectable: detectable(&rows),
            excluded: self.excluded(&rows),
            leads,
        }
    }

    /// Returns the missing rows whose benchmark was compared in another metric: the benchmark has not vanished.
    #[must_use]
    pub fn missing_metrics(&self) -> Vec<u32> {
        let of = |row: &Row| (row.benchmark, row.group, row.baseline.variant, row.contender.variant);
        let compared = self.rows.iter().filter(|row| !matches!(row.verdict, Verdict::Missing | Verdict::New));
        let compared: HashSet<_> = compared.map(of).collect();
        let is_one = |row: &Row| row.verdict == Verdict::Missing && compared.contains(&of(row));
        (0..).zip(&self.rows).filter(|(_, row)| is_one(row)).map(|(index, _)| index).collect()
    }

    /// Orders rows of any metrics: by urgency, times before sizes, more harm, the larger change.
    fn before(&self, observations: &Observations, a: &Row, b: &Row) -> Ordering {
        by_urgency(observations, a, b).then_with(|| self.more_harm(a, b))
    }

    fn excluded(&self, rows: &[&Row]) -> Option<Excluded> {
        let ends: Vec<f64> = rows.iter().filter_map(|row| self.bad_end(row)).collect();
        let least = ends.iter().copied().min_by(f64::total_cmp)?;
        let most = ends.iter().copied().max_by(f64::total_cmp)?;
        Some(Excluded { least, most, subjects: ends.len() as u32 })
    }

    /// Returns the bad end of a row's interval as a change of cost: of a rate that falls to a half, +100 %.
    fn bad_end(&self, row: &Row) -> Option<f64> {
        if row.scale != crate::Scale::Ratio {
            return None;
        }
        let end = match self.better(row)? {
            Better::Lower => row.change_high,
            Better::Higher => 1.0 / (1.0 + row.change_low) - 1.0,
        };
        end.is_finite().then_some(end.max(0.0))
    }
}

/// Orders the rows of a subject: its changes may have different units, so that no size of them decides.
fn speaks_before(observations: &Observations, a: &Row, b: &Row) -> Ordering {
    by_urgency(observations, a, b).then_with(|| a.metric.cmp(&b.metric))
}

fn by_urgency(observations: &Observations, a: &Row, b: &Row) -> Ordering {
    let urgent = urgency(a).cmp(&urgency(b)).then_with(|| decided(a).cmp(&decided(b)));
    urgent.then_with(|| rank(observations, a.metric).cmp(&rank(observations, b.metric)))
}

/// Orders rows without a change: the undecided leave the question open, and single values cannot answer it.
pub(crate) fn decided(row: &Row) -> u8 {
    match row.verdict {
        Verdict::Equivalent => 1,
        Verdict::Descriptive => 2,
        _ => 0,
    }
}

fn detectable(rows: &[&Row]) -> Option<[f64; 2]> {
    let undecided = rows.iter().filter(|row| row.verdict == Verdict::Inconclusive);
    let sizes = undecided.filter(|row| row.scale == crate::Scale::Ratio).map(|row| row.detectable);
    let mut sizes: Vec<f64> = sizes.filter(|size| size.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    Some([*sizes.first()?, *sizes.last()?])
}
