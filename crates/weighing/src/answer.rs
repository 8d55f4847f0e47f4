//! The answer of a comparison: what stands in its first line, and the one row that speaks for each subject.
//!
//! A subject is a benchmark (a metric, where there is one benchmark) of one group and one pair of variants.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use statera_readers::{Better, Observations};

use crate::ordering::{decided, rank, urgency};
use crate::row::{Reason, Row, Scale, Warning};
use crate::validity::Failing;
use crate::verdict::Verdict;
use crate::weighing::Weighing;

/// What the first line of a comparison states.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// For each subject the row that speaks for it, the worst first.
    pub leads: Vec<u32>,
    /// For each subject that is invalid, the row that says what failed, in the order of the leading rows.
    pub failures: Vec<Failing>,
    /// The leading rows that are undecided although their whole interval lies beyond the margin, the most urgent first.
    pub uncertain: Vec<u32>,
    /// The leading rows that are undecided because a build changed its level between its runs.
    pub levels: Vec<u32>,
    /// Number of subjects whose leading row is undecided because all rows moved together.
    pub together: u32,
    /// Number of subjects by the verdict of their leading row, in the order of [`Verdict`].
    pub counts: [u32; Verdict::ALL.len()],
    /// Number of subjects that were compared in some metrics and are missing in others.
    pub lacking: u32,
    /// Whether all leading rows that are not better are of times and rates, so that worse means slower.
    pub slower: bool,
    /// Whether all leading rows that are better are of times and rates, so that better means faster.
    pub faster: bool,
    /// The relative changes that undecided subjects could have shown; `None` if unknown.
    pub detectable: Option<Sizes>,
    /// The harm that the intervals of subjects exclude, as a relative change of cost: 0 if the whole interval lies on the
    /// good side. `None` if none of them excludes anything.
    pub excluded: Option<Sizes>,
}

/// The sizes of changes of some subjects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// The least of them.
    pub least: f64,
    /// The largest of them.
    pub most: f64,
    /// Number of subjects for which a size is known.
    pub subjects: u32,
}

impl Sizes {
    fn of(sizes: impl Iterator<Item = f64>) -> Option<Self> {
        let known: Vec<f64> = sizes.filter(|size| size.is_finite()).collect();
        let least = known.iter().copied().min_by(f64::total_cmp)?;
        let most = known.iter().copied().max_by(f64::total_cmp)?;
        Some(Self { least, most, subjects: known.len() as u32 })
    }
}

impl Weighing {
    /// Returns the answer over the benchmarks, or over the metrics where `by_metric`.
    ///
    /// Of the rows of a subject the most urgent verdict speaks, where a row that differs for the worse comes before those that
    /// are better, and an undecided time before what is better in size or number; of equal ones times before sizes, then
    /// more harm. A row that only one side has speaks where no row has both.
    #[must_use]
    pub fn answer(&self, observations: &Observations, by_metric: bool) -> Answer {
        let leading = self.leading(observations, by_metric);
        let mut leads = self.speakers(&leading, by_metric, 0..self.rows.len() as u32);
        leads.sort_by(|&a, &b| self.before(observations, &self.rows[a as usize], &self.rows[b as usize]));
        let rows: Vec<&Row> = leads.iter().map(|&index| &self.rows[index as usize]).collect();
        let mut counts = [0; Verdict::ALL.len()];
        for row in &rows {
            counts[row.verdict as usize] += 1;
        }
        let timed =
            |row: &&Row| observations.metrics[row.metric as usize].quantity.is_speed(self.better(row));
        let improved = |row: &Row| row.verdict.is_gain();
        let changed = |row: &Row| row.is_changed() && !improved(row);
        let all_timed = |of: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| of(row)).all(timed);
        let some_changed = rows.iter().any(|row| changed(row));
        let of_lead = |row: &Row| &self.rows[leading[&subject(row, by_metric)] as usize];
        let lacking = self.rows.iter().filter(|row| is_missing(row) && !is_one_sided(of_lead(row)));
        let lacking: HashSet<Subject> = lacking.map(|row| subject(row, by_metric)).collect();
        let slower = all_timed(&|row| !some_changed || changed(row));
        let faster = all_timed(&improved);
        // What is said of a subject holds for all its rows: of a slowdown, for its times and rates.
        let beside = |row: &&Row| !is_one_sided(row) && (!slower || timed(row));
        let mut spans: HashMap<Subject, Span> = HashMap::with_capacity(leading.len());
        for row in self.rows.iter().filter(beside) {
            spans.entry(subject(row, by_metric)).or_default().widen(self, row);
        }
        let undecided = rows.iter().filter(|row| row.verdict == Verdict::Inconclusive);
        let undecided = undecided.filter_map(|row| spans.get(&subject(row, by_metric))?.detectable);
        let is_uncertain =
            |row: &Row| self.margin(row).is_some_and(|margin| row.beyond_and_uncertain(margin));
        let uncertain = leads.iter().copied().filter(|&index| is_uncertain(&self.rows[index as usize]));
        let of_reason = |reason: Reason| -> Vec<u32> {
            leads.iter().copied().filter(|&index| self.rows[index as usize].reason == Some(reason)).collect()
        };
        Answer {
            failures: self.failures(observations, &leads),
            uncertain: uncertain.collect(),
            levels: of_reason(Reason::LevelChanged),
            together: of_reason(Reason::MovesWithAll).len() as u32,
            slower,
            faster,
            counts,
            lacking: lacking.len() as u32,
            detectable: Sizes::of(undecided),
            excluded: Sizes::of(spans.values().filter_map(|span| span.bad_end)),
            leads,
        }
    }

    /// Returns the row that speaks for each subject that some rows are of, once.
    #[must_use]
    pub fn leads_of(&self, observations: &Observations, by_metric: bool, rows: &[u32]) -> Vec<u32> {
        self.speakers(&self.leading(observations, by_metric), by_metric, rows.iter().copied())
    }

    fn speakers(
        &self,
        leading: &HashMap<Subject, u32>,
        by_metric: bool,
        rows: impl Iterator<Item = u32>,
    ) -> Vec<u32> {
        let mut known = HashSet::new();
        let leads = rows.map(|row| leading[&subject(&self.rows[row as usize], by_metric)]);
        leads.filter(|&lead| known.insert(lead)).collect()
    }

    fn leading(&self, observations: &Observations, by_metric: bool) -> HashMap<Subject, u32> {
        let mut leading: HashMap<Subject, u32> = HashMap::new();
        for (index, row) in (0..).zip(&self.rows) {
            let lead = leading.entry(subject(row, by_metric)).or_insert(index);
            if self.speaks_before(observations, row, &self.rows[*lead as usize]) == Ordering::Less {
                *lead = index;
            }
        }
        leading
    }

    /// Returns the missing rows whose benchmark the contender has in another metric: the benchmark has not vanished.
    #[must_use]
    pub fn missing_metrics(&self) -> Vec<u32> {
        let held = self.rows.iter().filter(|row| !is_missing(row));
        let held: HashSet<Subject> = held.map(|row| subject(row, false)).collect();
        let is_one = |row: &Row| is_missing(row) && held.contains(&subject(row, false));
        (0..).zip(&self.rows).filter(|(_, row)| is_one(row)).map(|(index, _)| index).collect()
    }

    /// Orders rows of any metrics: by urgency, times before sizes, more harm, the larger change.
    fn before(&self, observations: &Observations, a: &Row, b: &Row) -> Ordering {
        self.by_urgency(observations, a, b).then_with(|| self.more_harm(a, b))
    }

    /// Orders the rows of a subject. Relative changes have the same size in all units, differences do not.
    fn speaks_before(&self, observations: &Observations, a: &Row, b: &Row) -> Ordering {
        let is_ratio = |row: &Row| row.scale == Scale::Ratio;
        let compared = is_one_sided(a).cmp(&is_one_sided(b));
        let urgent = compared.then_with(|| self.by_urgency(observations, a, b));
        let sized = urgent.then_with(|| is_ratio(b).cmp(&is_ratio(a)));
        let harmful = sized.then_with(|| if is_ratio(a) { self.more_harm(a, b) } else { Ordering::Equal });
        harmful.then_with(|| a.metric.cmp(&b.metric))
    }

    fn by_urgency(&self, observations: &Observations, a: &Row, b: &Row) -> Ordering {
        // What differs for the worse may be worse; nobody would look for it behind what is better.
        let harms = |row: &Row| row.verdict == Verdict::Differs && self.harm(row) > 0.0;
        // Less memory says nothing about a time that nobody knows.
        let is_open_time =
            |row: &Row| row.verdict == Verdict::Inconclusive && rank(observations, row.metric) == 0;
        let is_saving = |row: &Row| row.verdict.is_gain() && rank(observations, row.metric) > 0;
        let pressing = |row: &Row| match row {
            row if harms(row) => (Verdict::TailWorse.facts().urgency, 1),
            row if is_open_time(row) => (Verdict::TailBetter.facts().urgency, 1),
            row if is_saving(row) => (Verdict::TailBetter.facts().urgency, 2),
            row => (urgency(row), 0),
        };
        let urgent = pressing(a).cmp(&pressing(b)).then_with(|| decided(a).cmp(&decided(b)));
        urgent.then_with(|| rank(observations, a.metric).cmp(&rank(observations, b.metric)))
    }

    /// Returns the bad end of a row's interval as a change of cost: of a rate that falls to a half, +100 %. It is infinite if
    /// the row excludes nothing; `None` if it has no direction, or if zero makes its sides equal without a ratio.
    pub(crate) fn bad_end(&self, row: &Row) -> Option<f64> {
        let better = self.better(row)?;
        if row.scale != Scale::Ratio {
            return (row.verdict != Verdict::Equivalent).then_some(f64::INFINITY);
        }
        if shows_no_bound(row) {
            return Some(f64::INFINITY);
        }
        Some(match better {
            Better::Lower => row.change_high,
            Better::Higher => 1.0 / (1.0 + row.change_low) - 1.0,
        })
    }
}

/// Whether a row's interval and spread bound less than they seem to: values of one process do not show how processes
/// differ, an interval of less confidence is too short, and that of a typical change has no slow runs.
fn shows_no_bound(row: &Row) -> bool {
    row.warns(Warning::OneProcess)
        || row.warns(Warning::LowLevel)
        || row.reason == Some(Reason::TailUndecided)
        || row.verdict == Verdict::Inconclusive && row.tail.is_some_and(|tail| tail.objects)
}

/// A benchmark or metric, its group, and the pair of variants.
type Subject = (u32, u32, u32, u32);

fn subject(row: &Row, by_metric: bool) -> Subject {
    let name = if by_metric { row.metric } else { row.benchmark };
    (name, row.group, row.baseline.variant, row.contender.variant)
}

/// What the rows of a subject exclude and could have shown.
#[derive(Default)]
struct Span {
    bad_end: Option<f64>,
    detectable: Option<f64>,
}

impl Span {
    /// Takes another row: what one of them does not exclude, the subject does not exclude.
    fn widen(&mut self, weighing: &Weighing, row: &Row) {
        // What is NaN is unknown, and `f64::max` would pass over it.
        let bound = |size: f64| if size.is_nan() { f64::INFINITY } else { size.max(0.0) };
        let larger = |known: Option<f64>, size: f64| Some(known.unwrap_or_default().max(bound(size)));
        if let Some(end) = weighing.bad_end(row) {
            self.bad_end = larger(self.bad_end, end);
        }
        if row.verdict == Verdict::Inconclusive {
            let is_known = row.scale == Scale::Ratio && !shows_no_bound(row);
            self.detectable = larger(self.detectable, if is_known { row.detectable } else { f64::INFINITY });
        }
    }
}

fn is_missing(row: &Row) -> bool {
    row.verdict == Verdict::Missing
}

fn is_one_sided(row: &Row) -> bool {
    row.verdict.is_one_sided()
}
