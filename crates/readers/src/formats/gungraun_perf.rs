//! What Gungraun prints of the tool perf: events that the processor and the system counted, of one run or as means of
//! samples.

use super::units::{self, Scale};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::text::{excerpt, number};
use crate::{Code, Sheet};

/// An event of a benchmark.
pub(super) struct Event<'a> {
    name: &'a str,
    unit: &'a str,
    value: f64,
    /// The standard error of the mean, in percent of it.
    error: Option<f64>,
    samples: Option<f64>,
    /// Its line, or that of the last row of its samples.
    end: u32,
}

/// Whether a line without its indentation is the heading of the tool.
pub(super) fn is_heading(inner: &str) -> bool {
    inner.starts_with("=====") && inner.trim_matches('=').trim() == "PERF"
}

/// Reads the event of `task-clock/u [us]:   195.381|201.900  (-3.22858%) [-1.03336x]`. A row of the samples, right below, adds
/// to the last event.
pub(super) fn event<'a>(
    sheet: &mut Sheet,
    last: Option<&mut Event<'a>>,
    inner: &'a str,
    line: u32,
) -> Option<Event<'a>> {
    if let Some((label, new)) = of_samples(inner) {
        let event = last.filter(|event| event.end + 1 == line)?;
        event.end = line;
        if label == "samples" {
            event.samples = new;
        } else {
            event.error = new;
        }
        return None;
    }
    let (label, values) = inner.split_once(": ")?;
    let new = values.split_once('|')?.0.trim();
    if label == "Baselines" || new == "N/A" {
        return None;
    }
    let (name, unit) = label
        .strip_suffix(']')
        .and_then(|label| label.rsplit_once(" ["))
        .map_or((label, ""), |(name, unit)| (name.trim_end(), unit));
    let Some(value) = number(new.as_bytes()) else {
        let what = format!("{} is `{}`, not a number", excerpt(name.as_bytes()), excerpt(new.as_bytes()));
        sheet.problem(Code::MalformedNumber, line, what, "did perf count the event? repeat the run");
        return None;
    };
    Some(Event { name, unit, value, error: None, samples: None, end: line })
}

/// The new number of a row of the samples: `samples   2083|N/A` or `rse% (sig.thr) [sig.fact]   0.08565|N/A`.
fn of_samples(inner: &str) -> Option<(&str, Option<f64>)> {
    let label = ["samples", "rse%"]
        .into_iter()
        .find(|label| inner.strip_prefix(label).is_some_and(|rest| rest.starts_with(' ')))?;
    let new = inner.split_once('|')?.0.rsplit(' ').next()?;
    Some((label, number(new.as_bytes())))
}

impl Event<'_> {
    /// Adds the value. Nothing that a real processor counts is exact.
    pub(super) fn push(&self, sheet: &mut Sheet, benchmark: &str, line: u32) {
        let meaning = units::meaning(self.unit);
        let (metric, scale) = if self.unit.is_empty() {
            (Metric::new(self.name, "1", Quantity::Count), Scale::Times(1.0))
        } else {
            (Metric::new(self.name, &meaning.base, meaning.quantity), meaning.scale)
        };
        let metric = sheet.metric_of(metric.secondary().never_exact());
        let value = scale.apply(self.value);
        let aggregate = self.samples.map(|samples| {
            let deviation = self.error.map(|error| error / 100.0 * value * samples.sqrt());
            Aggregate { count: Some(samples), deviation }
        });
        sheet.push(Measurement { benchmark, metric, value, line, aggregate, ..Measurement::default() });
    }
}
