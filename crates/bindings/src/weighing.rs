//! Weighing, and its rows.

use std::cmp::Ordering;

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyDict};
use statera_kernels::SuiteMethod;
use statera_readers::{Better, Quantity};
use statera_tables::{Column, Layout as TableLayout, Pairs, Subject, cell_words};
use statera_weighing::{Row, Verdict, Warning};

use crate::decisions::{Assignment, Policy};
use crate::interruption::interruptible;
use crate::observations::Observations;
use crate::{arrow, pairing_failure};

/// A comparison's rows and summaries.
#[pyclass(frozen, module = "statera._native")]
pub struct Weighing {
    pub inner: statera_weighing::Weighing,
    pub observations: Py<Observations>,
    pub labels: Vec<String>,
    pub groups: Vec<String>,
    pub assignment: statera_weighing::Assignment,
    pub policy: statera_weighing::Policy,
    directions: Vec<Option<Better>>,
}

/// Weighs the pairs of variants.
#[pyfunction]
pub fn weigh(
    py: Python<'_>,
    observations: Py<Observations>,
    assignment: Assignment,
    policy: Policy,
    labels: Vec<String>,
    groups: Vec<String>,
) -> PyResult<Weighing> {
    let (assignment, policy) = (assignment.into(), policy.into());
    let of = observations.clone_ref(py);
    let (weighed, assignment, policy) = interruptible(py, move || {
        let weighed = statera_weighing::weigh(&of.get().inner, &assignment, &policy);
        (weighed, assignment, policy)
    })?;
    let inner = weighed.map_err(|fault| pairing_failure(&observations.get().inner, fault))?;
    let directions = assignment.metrics.iter().map(|rule| rule.and_then(|rule| rule.better)).collect();
    Ok(Weighing { inner, observations, labels, groups, assignment, policy, directions })
}

/// Design, scale, verdict and reason of a row in words.
pub fn words(row: &Row) -> (&'static str, &'static str, &'static str, &'static str) {
    cell_words(row)
}

impl Weighing {
    fn subject<'a>(&'a self, shown: &'a [u32], footnotes: &'a [u8]) -> Subject<'a> {
        Subject {
            observations: &self.observations.get().inner,
            weighing: &self.inner,
            labels: &self.labels,
            groups: &self.groups,
            shown,
            footnotes,
            confidence: self.policy.confidence(),
            pairs: Pairs::of(&self.inner.rows, shown),
        }
    }

    fn all(&self) -> Vec<u32> {
        (0..self.inner.rows.len() as u32).collect()
    }

    fn row(&self, index: usize) -> PyResult<&Row> {
        self.inner.rows.get(index).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such row"))
    }
}

#[pymethods]
impl Weighing {
    fn __len__(&self) -> usize {
        self.inner.rows.len()
    }

    /// How many rows share the correction.
    #[getter]
    fn family(&self) -> usize {
        self.inner.family.size
    }

    /// The sections in order: group, metric (times first), pair of variants, and their rows.
    fn sections(&self) -> Vec<(u32, u32, u32, u32, Vec<u32>)> {
        let mut order: Vec<u32> = self.all();
        order.sort_by_key(|&i| {
            let row = &self.inner.rows[i as usize];
            (row.group, self.rank(row.metric), row.metric, row.base, row.contender)
        });
        let key = |i: &u32| {
            let row = &self.inner.rows[*i as usize];
            (row.group, row.metric, row.base, row.contender)
        };
        order
            .chunk_by(|a, b| key(a) == key(b))
            .map(|chunk| {
                let (group, metric, base, contender) = key(&chunk[0]);
                (group, metric, base, contender, chunk.to_vec())
            })
            .collect()
    }

    /// Rows put in order (`file`, `name`, `effect`, `gain`, `rise`, `fall`, `p`, `worst`), all or only what changed.
    fn order(&self, mut rows: Vec<u32>, sort: &str, changed: bool) -> Vec<u32> {
        let at = |i: u32| &self.inner.rows[i as usize];
        if changed {
            rows.retain(|&i| {
                matches!(
                    at(i).verdict,
                    Verdict::Better | Verdict::Worse | Verdict::Changed | Verdict::Missing | Verdict::New
                )
            });
        }
        let names = &self.observations.get().inner.benchmarks;
        match sort {
            "name" => rows.sort_by_key(|&i| names.get(at(i).benchmark)),
            "p" => rows.sort_by(|&a, &b| {
                let p = |i: u32| at(i).p_corrected.unwrap_or(f64::INFINITY);
                p(a).total_cmp(&p(b))
            }),
            "effect" => rows.sort_by(|&a, &b| {
                let rank = |i: u32| self.rank(at(i).metric);
                rank(a).cmp(&rank(b)).then_with(|| self.more_harm(a, b))
            }),
            "gain" => rows.sort_by(|&a, &b| {
                let rank = |i: u32| self.rank(at(i).metric);
                rank(a)
                    .cmp(&rank(b))
                    .then_with(|| self.harm(a).total_cmp(&self.harm(b)).then_with(|| self.larger(a, b)))
            }),
            "rise" => rows.sort_by(|&a, &b| self.rise(b).total_cmp(&self.rise(a))),
            "fall" => rows.sort_by(|&a, &b| self.rise(a).total_cmp(&self.rise(b))),
            "worst" => rows.sort_by(|&a, &b| {
                let rank = |i: u32| match at(i).verdict {
                    Verdict::Worse => 0,
                    Verdict::Missing => 1,
                    Verdict::Changed => 2,
                    Verdict::Better => 3,
                    Verdict::New => 4,
                    _ => 5,
                };
                rank(a).cmp(&rank(b)).then_with(|| self.more_harm(a, b))
            }),
            _ => {}
        }
        rows
    }

    /// The rows with one of these verdicts.
    fn with_verdict(&self, verdicts: Vec<String>) -> Vec<u32> {
        let rows = self.inner.rows.iter().enumerate();
        rows.filter(|(_, row)| verdicts.iter().any(|word| word == words(row).2))
            .map(|(i, _)| i as u32)
            .collect()
    }

    /// The rows whose whole interval lies worse than a margin.
    fn worse_beyond(&self, margin: f64) -> Vec<u32> {
        let rows = self.inner.rows.iter().enumerate();
        rows.filter(|(_, row)| row.worse_beyond(margin, self.directions[row.metric as usize]))
            .map(|(i, _)| i as u32)
            .collect()
    }

    /// How many distinct benchmarks some rows are of.
    fn distinct_benchmarks(&self, rows: Vec<u32>) -> usize {
        let mut names: Vec<u32> = rows.iter().map(|&i| self.inner.rows[i as usize].benchmark).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }

    /// The rows that moved in the bad direction.
    fn harmed(&self, mut rows: Vec<u32>) -> Vec<u32> {
        rows.retain(|&i| self.harm(i) > 0.0);
        rows
    }

    /// The rows that moved where nobody knows which direction is the bad one.
    fn undirected(&self, mut rows: Vec<u32>) -> Vec<u32> {
        let metric = |i: u32| self.inner.rows[i as usize].metric as usize;
        rows.retain(|&i| self.directions[metric(i)].is_none() && self.rise(i) != 0.0);
        rows
    }

    /// The cells of one side whose other side was measured in other circumstances: benchmark, group, and the variant
    /// that was measured there.
    fn elsewhere(&self) -> Vec<(String, u32, u32)> {
        let names = &self.observations.get().inner.benchmarks;
        let one = |&(job, held): &(statera_weighing::Job, u32)| {
            (names.get(job.benchmark).to_owned(), job.group, held)
        };
        self.inner.elsewhere.iter().map(one).collect()
    }

    /// How far a row rose, on a scale that makes doubling and halving alike; below 0 where it fell.
    #[pyo3(name = "rise")]
    fn rise_of(&self, index: u32) -> PyResult<f64> {
        self.row(index as usize)?;
        Ok(self.rise(index))
    }

    /// How far a row moved in the bad direction; below 0 where it moved in the good one, 0 where none is known.
    #[pyo3(name = "harm")]
    fn harm_of(&self, index: u32) -> PyResult<f64> {
        self.row(index as usize)?;
        Ok(self.harm(index))
    }

    /// For each warning, on how many rows it rides.
    fn warning_counts(&self) -> Vec<(&'static str, usize)> {
        let count = |warning: Warning| self.inner.rows.iter().filter(|row| row.warns(warning)).count();
        Warning::ALL.into_iter().map(|warning| (warning.name(), count(warning))).collect()
    }

    /// Designs, methods and scales that occur, with their numbers of rows.
    fn kinds(&self) -> Vec<(String, String, String, usize)> {
        let mut kinds: Vec<(String, String, String, usize)> = Vec::new();
        for row in &self.inner.rows {
            let method = row.method.map_or(String::new(), |method| format!("{method:?}").to_lowercase());
            let (design, scale, ..) = words(row);
            match kinds.iter_mut().find(|kind| kind.0 == design && kind.1 == method && kind.2 == scale) {
                Some(kind) => kind.3 += 1,
                None => kinds.push((design.to_owned(), method, scale.to_owned(), 1)),
            }
        }
        kinds
    }

    /// A row as a dictionary.
    fn row_dict<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let row = self.row(index)?;
        let observations = &self.observations.get().inner;
        let metric = &observations.metrics[row.metric as usize];
        let dict = PyDict::new(py);
        let (design, scale, verdict, reason) = words(row);
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        dict.set_item("group", self.groups.get(row.group as usize))?;
        dict.set_item("benchmark", observations.benchmarks.get(row.benchmark))?;
        dict.set_item("metric", &metric.name)?;
        dict.set_item("unit", &metric.unit)?;
        dict.set_item("baseline", self.labels.get(row.base as usize))?;
        dict.set_item("contender", self.labels.get(row.contender as usize))?;
        dict.set_item("design", design)?;
        dict.set_item("scale", scale)?;
        for (key, side) in [("old", &row.old), ("new", &row.new)] {
            dict.set_item(format!("{key}_n"), side.units)?;
            dict.set_item(format!("{key}_values"), side.values)?;
            dict.set_item(format!("{key}_centre"), finite(side.centre.value))?;
            dict.set_item(format!("{key}_low"), finite(side.centre.low))?;
            dict.set_item(format!("{key}_high"), finite(side.centre.high))?;
            dict.set_item(format!("{key}_level"), finite(side.centre.level))?;
        }
        for (key, value) in [
            ("change", row.change),
            ("low", row.low),
            ("high", row.high),
            ("level", row.level),
            ("superiority", row.superiority),
            ("statistic", row.statistic),
            ("least_p", row.least_p),
            ("detectable", row.detectable),
            ("runs_needed", row.runs_needed),
        ] {
            dict.set_item(key, finite(value))?;
        }
        dict.set_item("low_open", row.low_open)?;
        dict.set_item("high_open", row.high_open)?;
        dict.set_item("p", row.p)?;
        dict.set_item("p_corrected", row.p_corrected)?;
        dict.set_item("method", row.method.map(|method| format!("{method:?}").to_lowercase()))?;
        dict.set_item("verdict", verdict)?;
        dict.set_item("reason", reason)?;
        dict.set_item("pairs_dropped", row.pairs_dropped)?;
        dict.set_item("warnings", statera_tables::row_warnings(row))?;
        Ok(dict)
    }

    /// A cell of a row as it is written in tables.
    fn cell(&self, index: usize, column: &str) -> PyResult<String> {
        let (shown, row) = ([index as u32], self.row(index)?);
        Ok(statera_tables::cell(row, column, &self.subject(&shown, &[])))
    }

    /// The heading of a column, as tables write it.
    fn heading(&self, column: &str) -> String {
        let subject = self.subject(&[], &[]);
        Column::named(column).map_or_else(String::new, |column| column.heading(&subject, None))
    }

    /// The summaries as dictionaries.
    fn summaries<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.inner
            .summaries
            .iter()
            .map(|summary| {
                let dict = PyDict::new(py);
                dict.set_item("group", summary.group)?;
                dict.set_item("metric", summary.metric)?;
                dict.set_item("base", summary.base)?;
                dict.set_item("contender", summary.contender)?;
                if let Some(mean) = &summary.mean {
                    dict.set_item("ratio", mean.ratio)?;
                    let end = |end: f64| end.is_finite().then_some(end);
                    dict.set_item("low", end(mean.low))?;
                    dict.set_item("high", end(mean.high))?;
                    dict.set_item("rows", mean.rows)?;
                    let method = match mean.method {
                        SuiteMethod::Runs => "runs",
                        SuiteMethod::Bootstrap => "bootstrap",
                        SuiteMethod::Analytic => "analytic",
                    };
                    dict.set_item("method", method)?;
                }
                dict.set_item("verdicts", summary.verdicts)?;
                dict.set_item("without_ratio", summary.without_ratio)?;
                dict.set_item("quantiles", summary.quantiles)?;
                dict.set_item("mean_change", summary.mean_change)?;
                dict.set_item("moves_as_one", summary.moves_as_one)?;
                dict.set_item("detectable", summary.detectable)?;
                Ok(dict)
            })
            .collect()
    }

    /// Rows as an aligned table.
    fn aligned(
        &self,
        py: Python<'_>,
        shown: Vec<u32>,
        footnotes: Vec<u8>,
        width: Option<usize>,
        colour: bool,
    ) -> String {
        let subject = self.subject(&shown, &footnotes);
        py.detach(|| statera_tables::aligned(&subject, TableLayout { width, colour }))
    }

    /// Rows as a Markdown table.
    fn markdown(&self, py: Python<'_>, shown: Vec<u32>, footnotes: Vec<u8>) -> String {
        let subject = self.subject(&shown, &footnotes);
        py.detach(|| statera_tables::markdown::table(&subject))
    }

    /// Rows as comma-separated values.
    #[pyo3(signature = (shown, *, raw = false))]
    fn csv(&self, py: Python<'_>, shown: Vec<u32>, raw: bool) -> String {
        let subject = self.subject(&shown, &[]);
        py.detach(|| statera_tables::comma_separated(&subject, raw))
    }

    /// Rows as a JSON array.
    fn json(&self, py: Python<'_>, shown: Vec<u32>) -> String {
        let subject = self.subject(&shown, &[]);
        py.detach(|| statera_tables::json_rows(&subject))
    }

    /// The Arrow `PyCapsule` stream of the rows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer pass over a schema that is asked for.
        let _ = requested_schema;
        let observations = &self.observations.get().inner;
        let (schema, batches) = arrow::rows(observations, &self.inner, &self.labels, &self.groups)?;
        arrow::stream(py, schema, batches)
    }
}

impl Weighing {
    /// Times and rates come before sizes, sizes before counts.
    fn rank(&self, metric: u32) -> u8 {
        match self.observations.get().inner.metrics[metric as usize].quantity {
            Quantity::Time | Quantity::Throughput => 0,
            Quantity::Bytes => 1,
            Quantity::Count => 2,
            Quantity::Other => 3,
        }
    }

    /// How far a row moved in the bad direction; none is known of a metric without a direction.
    fn harm(&self, index: u32) -> f64 {
        match self.directions[self.inner.rows[index as usize].metric as usize] {
            Some(Better::Lower) => self.rise(index),
            Some(Better::Higher) => -self.rise(index),
            None => 0.0,
        }
    }

    /// More harm first, and of equal harm the larger change.
    fn more_harm(&self, a: u32, b: u32) -> Ordering {
        self.harm(b).total_cmp(&self.harm(a)).then_with(|| self.larger(a, b))
    }

    fn larger(&self, a: u32, b: u32) -> Ordering {
        self.rise(b).abs().total_cmp(&self.rise(a).abs())
    }

    /// How far a row rose, on a scale that makes doubling and halving alike.
    fn rise(&self, index: u32) -> f64 {
        let row = &self.inner.rows[index as usize];
        let size = match row.scale {
            statera_weighing::Scale::Ratio => row.change.ln_1p(),
            statera_weighing::Scale::Difference if row.old.centre.value == 0.0 => {
                row.change.signum() * f64::MAX
            }
            statera_weighing::Scale::Difference => row.change / row.old.centre.value.abs(),
        };
        if size.is_nan() { 0.0 } else { size }
    }
}
