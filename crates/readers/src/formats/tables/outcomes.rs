//! Plain tables: which columns of numbers hold results, and what each says of them.

use super::amounts::{are_spreads, base_of_most};
use super::columns::{PREFIX, Plan, Preview};
use super::durations::are_durations;
use super::headers::{Header, Holds, Subject};
use super::holds::is_result;
use super::question;
use super::words::is_pair;
use crate::formats::prelude::*;
use crate::text::listed;

/// A column of values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ValueColumn {
    pub(super) column: usize,
    /// The metric, if no column names it.
    pub(super) metric: String,
    /// The unit from the header, if no column states it.
    pub(super) unit: String,
    /// The direction that the header tells.
    pub(super) better: Option<Better>,
    /// Whether the table's columns of metric, unit, direction and traits describe these values.
    pub(super) described: bool,
    /// Compared only on request.
    pub(super) secondary: bool,
    /// The variant whose results these are, if the header names one and not a metric.
    pub(super) variant: Option<String>,
    /// The pattern of the columns that are repetitions of one measurement, of which this is one.
    pub(super) repetitions: Option<String>,
    /// What is known about the samples of which each value is a summary.
    pub(super) summary: Option<Summary>,
    /// The statistic that the values are of the metric that each row names.
    pub(super) statistic: Option<String>,
    pub(super) written: Written,
}

/// How the values of a column are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Written {
    #[default]
    Number,
    /// As durations such as `0:41.23`.
    Duration,
    /// Each with its unit: `12.3 ms`.
    Amount,
    /// With how far they vary: `12.3 ± 0.2`.
    Spread,
}

/// The columns with the number of samples of a summary, and with their standard deviation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) count: Option<usize>,
    pub(super) deviation: Option<usize>,
}

impl ValueColumn {
    pub(super) fn of(column: usize, header: &Header) -> Self {
        Self {
            column,
            metric: header.name.clone(),
            unit: header.unit.clone(),
            better: header.better(),
            repetitions: header.repetitions.clone(),
            ..Self::default()
        }
    }

    /// Whether the unit of a row is that of its value: the header has none, or no known one.
    pub(super) fn takes(&self, unit: &str) -> bool {
        self.unit.is_empty() || (!is_known(&self.unit) && is_known(unit))
    }
}

/// The columns of numbers, and what the user says of some.
pub(super) struct Numbers<'a> {
    pub(super) header: &'a [String],
    pub(super) headers: &'a [Header],
    pub(super) preview: &'a dyn Preview,
    /// Columns that the user calls results.
    pub(super) results: Vec<usize>,
    /// Columns that the user calls the results of a variant each.
    pub(super) samples: Vec<usize>,
    /// Columns that the user calls the number of samples.
    pub(super) counts: Vec<usize>,
    /// Keys by which the user compares.
    pub(super) keys: &'a [String],
}

impl Numbers<'_> {
    /// The columns of numbers without a role, and what each holds.
    fn kinds(&self, has_values: bool, taken: &HashSet<usize>) -> Vec<(usize, Holds)> {
        let said = [&self.results, &self.samples, &self.counts];
        let is_said = |at: &usize| said.iter().any(|columns| columns.contains(at));
        let free: Vec<usize> = (0..self.header.len())
            .filter(|at| is_said(at) || (!taken.contains(at) && self.preview.is_numeric(*at)))
            .filter(|at| !self.header[*at].starts_with(PREFIX))
            .collect();
        let kind = |(at, holds): (&usize, Holds)| match holds {
            _ if self.results.contains(at) || self.samples.contains(at) => (*at, Holds::Results),
            _ if self.counts.contains(at) => (*at, Holds::Count),
            _ if self.keys.contains(&self.header[*at]) => (*at, Holds::Settings),
            holds => (*at, holds),
        };
        let kinds = question::kinds(&free, self.headers, has_values, self.preview);
        free.iter().zip(kinds).map(kind).collect()
    }

    /// Neighbours that are called like two samples: `old,new`, also for each of several units.
    fn pair(&self, kinds: &[(usize, Holds)]) -> Vec<usize> {
        let is_sample = |&(at, holds): &(usize, Holds)| {
            let long = self.headers[at].subject.iter().all(|word| word.len() > 1);
            long && matches!(holds, Holds::Results | Holds::Unknown | Holds::Settings)
        };
        let fits = |two: &&[(usize, Holds)]| {
            let (one, other) = (&self.headers[two[0].0], &self.headers[two[1].0]);
            is_pair(&one.subject, &other.subject) && one.unit == other.unit && two.iter().all(is_sample)
        };
        let words = |two: &[(usize, Holds)]| [two[0].0, two[1].0].map(|at| &self.headers[at].subject);
        let found: Vec<_> = kinds.windows(2).filter(fits).collect();
        let same = found.iter().filter(|two| words(two) == words(found[0]));
        let pairs: Vec<usize> = same.flat_map(|two| [two[0].0, two[1].0]).collect();
        let is_one = |at: usize| pairs.contains(&at);
        let patterns = pairs.iter().filter_map(|&at| self.headers[at].repetitions.as_ref());
        let patterns: Vec<&String> = patterns.collect();
        let repeats =
            |at: usize| self.headers[at].repetitions.as_ref().is_some_and(|of| patterns.contains(&of));
        kinds.iter().map(|&(at, _)| at).filter(|&at| is_one(at) || repeats(at)).collect()
    }
}

impl Plan {
    /// Gives a role to each column of numbers that has none yet.
    pub(super) fn take_numbers(
        &mut self,
        numbers: &Numbers<'_>,
        taken: &mut HashSet<usize>,
    ) -> Result<(), String> {
        let stated = !self.values.is_empty();
        let mut kinds = numbers.kinds(stated, taken);
        let mut samples = numbers.samples.clone();
        if samples.is_empty() && !stated && self.variant.is_none() {
            samples = numbers.pair(&kinds);
            kinds.iter_mut().filter(|(at, _)| samples.contains(at)).for_each(|kind| kind.1 = Holds::Results);
        }
        let unclear: Vec<usize> =
            kinds.iter().filter(|(_, holds)| *holds == Holds::Unknown).map(|&(at, _)| at).collect();
        if !unclear.is_empty() {
            let no_results = kinds.iter().all(|(_, holds)| matches!(holds, Holds::Unknown | Holds::Settings));
            let may_be_variants = !stated && no_results && self.variant.is_none();
            return Err(question::unclear(numbers.header, &unclear, may_be_variants, numbers.preview));
        }
        let of = |kind: Holds| kinds.iter().filter(move |(_, holds)| *holds == kind).map(|&(at, _)| at);
        let by_subject = |kind: Holds| -> HashMap<Subject<'_>, usize> {
            of(kind).rev().map(|at| (numbers.headers[at].subject(), at)).collect()
        };
        let (deviations, counts) = (by_subject(Holds::Deviation), by_subject(Holds::Count));
        let beside = |columns: &HashMap<Subject<'_>, usize>, subject: Subject<'_>| {
            let same = columns.get(&subject);
            same.or_else(|| columns.get(&Subject { unit: "", ..subject })).copied()
        };
        let is_of_all = |at: &usize| {
            let head = &numbers.headers[*at];
            head.subject.is_empty() || head.counts_repeats() || numbers.counts.contains(at)
        };
        let of_all = of(Holds::Count).find(is_of_all);
        let repeated = kinds.iter().any(|&(at, _)| numbers.headers[at].repetitions.is_some());
        let is_centre = |at: usize| !numbers.headers[at].is_extreme();
        let centred = of(Holds::Mean).next().is_some()
            || of(Holds::Results).next().is_some()
            || of(Holds::Summary).any(is_centre);
        // The values of a variant in two units are two metrics.
        let names: HashSet<&str> = samples.iter().map(|&at| &*numbers.headers[at].name).collect();
        let units: HashSet<(&str, &str)> =
            samples.iter().map(|&at| (&*numbers.headers[at].name, &*numbers.headers[at].unit)).collect();
        for &(column, holds) in kinds.iter().filter(|(_, holds)| *holds != Holds::Settings) {
            taken.insert(column);
            let head = &numbers.headers[column];
            let count = beside(&counts, head.subject()).or(of_all);
            let summary = match holds {
                Holds::Results => None,
                Holds::Mean => Some(Summary { count, deviation: beside(&deviations, head.subject()) }),
                Holds::Summary => Some(Summary { count, deviation: None }),
                _ => continue,
            };
            let is_extreme = head.is_extreme() && !(holds == Holds::Results && head.is_peak());
            let mut values = ValueColumn {
                described: !stated,
                // Beside the repetitions, a summary is one of them.
                secondary: stated || (centred && is_extreme) || (repeated && summary.is_some()),
                summary,
                ..ValueColumn::of(column, head)
            };
            if samples.contains(&column) {
                let metric = if units.len() > names.len() && !head.unit.is_empty() {
                    format!("value ({})", head.unit)
                } else {
                    "value".to_owned()
                };
                values.variant = Some(std::mem::replace(&mut values.metric, metric));
            }
            self.values.push(values);
        }
        let counted = |at: &usize| {
            self.values.iter().filter_map(|value| value.summary).any(|summary| summary.count == Some(*at))
        };
        match numbers.counts.iter().find(|at| !counted(at)) {
            Some(&at) => Err(question::uncounted(&numbers.header[at])),
            None => Ok(()),
        }
    }

    /// Whether the unit of a row contradicts that of a column's header. Beside several columns, it is the unit of those
    /// without one, or of those of its quantity.
    pub(super) fn is_contradicted(&self, column: &ValueColumn, unit: &str) -> bool {
        let (own, stated) = (meaning(&column.unit), meaning(unit));
        let described = || self.values.iter().filter(|value| value.described);
        !unit.is_empty()
            && own != stated
            && described().all(|value| is_known(&value.unit))
            && (own.base == stated.base || described().all(|value| meaning(&value.unit).base != stated.base))
    }

    /// Columns `metric` and `unit` describe the one result of a row. Beside several, a `metric` without a role from the
    /// user is a setting, such as the metric of a distance, and which results have the unit is asked. Statistics alone are
    /// those of the metric that a row names.
    pub(super) fn describe(
        &mut self,
        headers: &[Header],
        is_given: &dyn Fn(&str) -> bool,
        preview: &dyn Preview,
        taken: &mut HashSet<usize>,
    ) -> Result<(), String> {
        let described = || self.values.iter().filter(|value| value.described);
        let metrics: HashSet<&str> = described().map(|value| &*value.metric).collect();
        let bare: Vec<&ValueColumn> =
            described().filter(|value| value.unit.is_empty() && value.variant.is_none()).collect();
        let subjects: HashSet<&[String]> = bare.iter().map(|value| &*headers[value.column].subject).collect();
        if self.unit.is_some() && subjects.len() > 1 && !is_given("unit") && !is_given("value") {
            let names: Vec<String> = bare.iter().map(|value| value.metric.clone()).collect();
            return Err(format!(
                "has a column of units beside several results without a unit ({}). Say which have it with --column \
                 value=COLUMN, or write the units into the headers: time (ms)",
                listed(&names)
            ));
        }
        if metrics.len() < 2 {
            return Ok(());
        }
        let is_statistic = |value: &ValueColumn| {
            let header = &headers[value.column];
            let is_one = matches!(header.holds, Holds::Mean | Holds::Summary) && header.subject.is_empty();
            is_one && !header.has_unit() && value.variant.is_none()
        };
        let are_statistics = described().all(is_statistic);
        let names_results = |column: usize| preview.sample(column).iter().all(|cell| is_name_of_result(cell));
        let is_named = self.metric.is_some_and(|column| is_given("metric") || names_results(column));
        if are_statistics && is_named {
            let of_row =
                |value: &&mut ValueColumn| value.described && headers[value.column].holds != Holds::Mean;
            for value in self.values.iter_mut().filter(of_row) {
                value.statistic = Some(value.metric.trim().to_owned());
            }
        } else if !is_given("metric") {
            self.metric.take().iter().for_each(|column| _ = taken.remove(column));
        }
        Ok(())
    }

    /// Finds the columns without a unit whose cells have one: durations such as `0:41.23`, and amounts such as `12.3 ms`; and
    /// those whose cells say how far they vary. Amounts of another dimension than the header's are asked about.
    pub(super) fn find_units_in_cells(
        &mut self,
        header: &[String],
        headers: &[Header],
        preview: &dyn Preview,
    ) -> Result<(), String> {
        if self.unit.is_some() || self.metric.is_some() {
            return Ok(());
        }
        for value in &mut self.values {
            let at = value.column;
            if !preview.may_be_text(at) {
                continue;
            }
            let cells = preview.sample(at);
            let base = || base_of_most(&cells).map(|(base, _)| base);
            if are_spreads(&cells) {
                value.written = Written::Spread;
            } else if is_known(&value.unit) {
                // The header says it.
                if base().is_some_and(|base| base != meaning(&value.unit).base) {
                    return Err(question::contradicted(&header[at], &cells));
                }
            } else if !value.unit.is_empty() && base().is_none() {
                // Nobody knows it.
            } else if are_durations(&cells, headers[at].is_time()) {
                (value.unit, value.written) = ("s".to_owned(), Written::Duration);
            } else if let Some(base) = base() {
                (value.unit, value.written) = (base, Written::Amount);
            }
        }
        Ok(())
    }
}

/// Whether a cell names results as a header does: by a unit or by its last word.
fn is_name_of_result(cell: &str) -> bool {
    let header = Header::of(cell);
    header.has_unit() || header.subject.last().is_some_and(|word| is_result(word))
}

/// Gives columns that differ only in their unit (`mem_kb,mem (MB)`) their whole headers as metrics: the values of two
/// columns are no repetitions of one measurement.
pub(super) fn keep_apart(values: &mut [ValueColumn], header: &[String]) {
    let mut columns: HashMap<(Option<String>, String), Vec<usize>> = HashMap::new();
    for (place, value) in values.iter().enumerate() {
        columns.entry((value.variant.clone(), value.metric.clone())).or_default().push(place);
    }
    for places in columns.into_values() {
        let patterns: HashSet<_> = places.iter().map(|&place| &values[place].repetitions).collect();
        let is_one = places.len() == 1 || (patterns.len() == 1 && !patterns.contains(&None));
        for place in places.into_iter().filter(|_| !is_one) {
            let value = &mut values[place];
            value.metric = value.repetitions.clone().unwrap_or_else(|| header[value.column].clone());
        }
    }
}
