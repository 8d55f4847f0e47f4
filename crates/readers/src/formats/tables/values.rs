//! Plain tables: which columns of numbers hold values, and what each says of them.

use super::amounts::{amount, are_spreads, base_of_most};
use super::durations::are_durations;
use super::headers::{Header, Subject};
use super::keys::PREFIX;
use super::kinds::kinds;
use super::name_words::Holds;
use super::preview::Preview;
use super::question;
use super::words::is_pair;
use crate::formats::prelude::*;

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
    /// The values in the columns of numbers that have no role yet; the other columns of numbers are configuration. `stated`:
    /// another column holds the values of the rows.
    pub(super) fn values(
        &self,
        stated: bool,
        has_variants: bool,
        taken: &mut HashSet<usize>,
    ) -> Result<Vec<ValueColumn>, String> {
        let mut kinds = self.kinds(stated, taken);
        let mut samples = self.samples.clone();
        if samples.is_empty() && !stated && !has_variants {
            samples = self.pair(&kinds);
            kinds.iter_mut().filter(|(at, _)| samples.contains(at)).for_each(|kind| kind.1 = Holds::Results);
        }
        let unclear: Vec<usize> =
            kinds.iter().filter(|(_, holds)| *holds == Holds::Unknown).map(|&(at, _)| at).collect();
        if !unclear.is_empty() {
            let no_results = kinds.iter().all(|(_, holds)| matches!(holds, Holds::Unknown | Holds::Settings));
            let may_be_variants = !stated && no_results && !has_variants;
            return Err(question::unclear(self.header, &unclear, may_be_variants, self.preview));
        }
        let of = |kind: Holds| kinds.iter().filter(move |(_, holds)| *holds == kind).map(|&(at, _)| at);
        let by_subject = |kind: Holds| -> HashMap<Subject<'_>, usize> {
            of(kind).rev().map(|at| (self.headers[at].subject(), at)).collect()
        };
        let (deviations, counts) = (by_subject(Holds::Deviation), by_subject(Holds::Count));
        let beside = |columns: &HashMap<Subject<'_>, usize>, subject: Subject<'_>| {
            let same = columns.get(&subject);
            same.or_else(|| columns.get(&Subject { unit: "", ..subject })).copied()
        };
        let is_of_all = |at: &usize| {
            let head = &self.headers[*at];
            head.subject.is_empty() || head.counts_repeats() || self.counts.contains(at)
        };
        let of_all = of(Holds::Count).find(is_of_all);
        let repeated = kinds.iter().any(|&(at, _)| self.headers[at].repetitions.is_some());
        let is_centre = |at: usize| !self.headers[at].is_extreme();
        let centred = of(Holds::Mean).next().is_some()
            || of(Holds::Results).next().is_some()
            || of(Holds::Summary).any(is_centre);
        // The values of a variant in two units are two metrics.
        let names: HashSet<&str> = samples.iter().map(|&at| &*self.headers[at].name).collect();
        let units: HashSet<(&str, &str)> =
            samples.iter().map(|&at| (&*self.headers[at].name, &*self.headers[at].unit)).collect();
        let mut found: Vec<ValueColumn> = Vec::new();
        for &(column, holds) in kinds.iter().filter(|(_, holds)| *holds != Holds::Settings) {
            taken.insert(column);
            let head = &self.headers[column];
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
            found.push(values);
        }
        let counted = |at: &usize| {
            found.iter().filter_map(|value| value.summary).any(|summary| summary.count == Some(*at))
        };
        match self.counts.iter().find(|at| !counted(at)) {
            Some(&at) => Err(question::uncounted(&self.header[at])),
            None => Ok(found),
        }
    }

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
        let kinds = kinds(&free, self.headers, has_values, self.preview);
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

/// Finds the columns without a unit whose cells have one: durations such as `0:41.23`, and amounts such as `12.3 ms`; and
/// those whose cells say how far they vary. Amounts of another dimension than the header's are asked about.
pub(super) fn find_units_in_cells(
    values: &mut [ValueColumn],
    header: &[String],
    headers: &[Header],
    preview: &dyn Preview,
) -> Result<(), String> {
    for value in values {
        let at = value.column;
        if !preview.may_be_text(at) {
            continue;
        }
        let cells = preview.sample(at);
        let base = || base_of_most(&cells).map(|(base, _)| base);
        if are_spreads(&cells) {
            value.written = Written::Spread;
        } else if amount(&header[at]).is_some_and(|first| base() == Some(first.base)) {
            return Err(question::headless(&header[at]));
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
