//! The weighing and its rows, for Python.

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyDict};
use statera_tables::field::Names;
use statera_tables::{CELLS, ROW_FIELDS, Subject};
use statera_weighing::{Design, Reason, Row, Sizes, Sort, Summary, Verdict};

use crate::decisions::{Assignment, Policy};
use crate::failures::pairing_failure;
use crate::fields::dictionary;
use crate::interruption::interruptible;
use crate::observations::Observations;
use crate::{arrow, codes};

/// A comparison's rows and summaries.
#[pyclass(frozen, module = "statera._native")]
pub struct Weighing {
    pub inner: statera_weighing::Weighing,
    pub observations: Py<Observations>,
    pub labels: Vec<String>,
    pub groups: Vec<String>,
    pub assignment: statera_weighing::Assignment,
    pub policy: statera_weighing::Policy,
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
    Ok(Weighing { inner, observations, labels, groups, assignment, policy })
}

/// Group, metric, variant, the change of all benchmarks, and their number.
type Shared = (u32, u32, u32, f64, u32);

/// Returns the observations without what all benchmarks share, and what that is.
#[pyfunction]
pub fn own_part(
    py: Python<'_>,
    observations: Py<Observations>,
    assignment: Assignment,
) -> (Observations, Vec<Shared>) {
    let assignment = assignment.into();
    let (inner, shared) = py.detach(|| statera_weighing::own_part(&observations.get().inner, &assignment));
    let shared =
        shared.into_iter().map(|each| (each.group, each.metric, each.variant, each.change, each.rows));
    (Observations { inner }, shared.collect())
}

impl Weighing {
    fn names(&self) -> Names<'_> {
        Names { observations: &self.observations.get().inner, labels: &self.labels, groups: &self.groups }
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            names: self.names(),
            weighing: &self.inner,
            confidence: self.policy.confidence(),
            mean: self.policy.mean,
        }
    }

    fn row(&self, index: u32) -> PyResult<&Row> {
        self.inner.rows.get(index as usize).ok_or_else(|| PyIndexError::new_err("no such row"))
    }

    fn some(&self, rows: &[u32]) -> PyResult<Vec<&Row>> {
        rows.iter().map(|&row| self.row(row)).collect()
    }
}

#[pymethods]
impl Weighing {
    fn __len__(&self) -> usize {
        self.inner.rows.len()
    }

    /// The number of rows that are corrected together.
    #[getter]
    fn family(&self) -> usize {
        self.inner.family.size
    }

    /// The share of alpha that tails and spreads take; 0 if none of them could be significant.
    #[getter]
    fn shape_share(&self) -> f64 {
        self.inner.shape_share
    }

    /// The sections in order: group, metric (times first), pair of variants, and their rows.
    fn sections(&self) -> Vec<(u32, u32, u32, u32, Vec<u32>)> {
        let sections = self.inner.sections(&self.observations.get().inner).into_iter();
        sections.map(|each| (each.group, each.metric, each.baseline, each.contender, each.rows)).collect()
    }

    /// Sorts rows by a code of [`Sort`], all of them or only those that changed.
    fn order(&self, rows: Vec<u32>, sort: &str, changed: bool) -> PyResult<Vec<u32>> {
        let sort = codes::known(Sort::of(sort), "order", sort)?;
        Ok(self.inner.order(&self.observations.get().inner, rows, sort, changed))
    }

    /// What the first line states; over the metrics instead of the benchmarks where `by_metric`.
    fn answer<'py>(&self, py: Python<'py>, by_metric: bool) -> PyResult<Bound<'py, PyDict>> {
        let answer = self.inner.answer(&self.observations.get().inner, by_metric);
        let found = PyDict::new(py);
        found.set_item("leads", answer.leads)?;
        found.set_item("failures", answer.failures)?;
        found.set_item("uncertain", answer.uncertain)?;
        found.set_item("levels", answer.levels)?;
        found.set_item("together", answer.together)?;
        found.set_item("counts", answer.counts)?;
        found.set_item("lacking", answer.lacking)?;
        found.set_item("slower", answer.slower)?;
        found.set_item("faster", answer.faster)?;
        found.set_item("detectable", answer.detectable.map(of_sizes))?;
        found.set_item("excluded", answer.excluded.map(of_sizes))?;
        Ok(found)
    }

    /// The rows with one of these verdicts.
    fn with_verdict(&self, verdicts: Vec<String>) -> PyResult<Vec<u32>> {
        let verdict = |code: &String| codes::known(Verdict::of(code), "verdict", code);
        Ok(self.inner.with_verdict(&verdicts.iter().map(verdict).collect::<PyResult<Vec<_>>>()?))
    }

    /// The rows that are missing or new at their level only.
    fn at_one_level(&self) -> Vec<u32> {
        let rows = (0..).zip(&self.inner.rows);
        rows.filter(|(_, row)| row.reason == Some(Reason::AtLevel)).map(|(index, _)| index).collect()
    }

    /// The row that speaks for each subject that some rows are of, once.
    fn leads_of(&self, by_metric: bool, rows: Vec<u32>) -> Vec<u32> {
        self.inner.leads_of(&self.observations.get().inner, by_metric, &rows)
    }

    /// The missing rows whose benchmark the contender has in another metric.
    fn missing_metrics(&self) -> Vec<u32> {
        self.inner.missing_metrics()
    }

    /// The rows that are worse or differ for the worse; with a margin, those whose whole interval lies beyond it.
    fn worse_beyond(&self, margin: Option<f64>) -> Vec<u32> {
        self.inner.worse_beyond(margin)
    }

    /// The number of rows whose builds were measured in one session each, and the standard deviation allowed for.
    fn sessions(&self) -> (usize, f64) {
        let allowed = self.inner.rows.iter().filter(|row| row.session > 0.0);
        allowed.fold((0, 0.0), |(count, _), row| (count + 1, row.session))
    }

    /// The rows that changed, for the worse or the better; with a margin, those whose whole interval lies beyond it.
    fn changed_beyond(&self, margin: Option<f64>) -> Vec<u32> {
        self.inner.changed_beyond(margin)
    }

    /// The summaries of suites that became worse as a whole, by more than a margin if there is one.
    fn suites_worse(&self, margin: Option<f64>) -> Vec<u32> {
        self.inner.suites_worse(margin)
    }

    /// The rows whose typical value has no clear change.
    fn undecided(&self) -> Vec<u32> {
        self.inner.undecided()
    }

    /// The undecided rows whose interval reaches beyond a margin in the bad direction, the farthest first.
    fn left_open(&self, margin: f64) -> Vec<u32> {
        self.inner.left_open(margin)
    }

    /// The number of distinct benchmarks of some rows.
    fn distinct_benchmarks(&self, rows: Vec<u32>) -> usize {
        self.inner.distinct_benchmarks(&rows)
    }

    /// The rows that moved in the bad direction.
    fn harmed(&self, rows: Vec<u32>) -> Vec<u32> {
        self.inner.harmed(&rows)
    }

    /// The rows that moved and whose bad direction is unknown.
    fn undirected(&self, rows: Vec<u32>) -> Vec<u32> {
        self.inner.undirected(&rows)
    }

    /// The rows of times of which one is less than this, and not 0.
    fn shorter_than(&self, py: Python<'_>, seconds: f64) -> Vec<u32> {
        let metrics = &self.observations.borrow(py).inner.metrics;
        let is_short = |side: &statera_weighing::Side| side.centre.value > 0.0 && side.centre.value < seconds;
        let fits = |row: &statera_weighing::Row| {
            (is_short(&row.baseline) || is_short(&row.contender)) && metrics[row.metric as usize].unit == "s"
        };
        (0..).zip(&self.inner.rows).filter(|(_, row)| fits(row)).map(|(index, _)| index).collect()
    }

    /// The keys that parts of names state.
    fn keys_of_names(&self, py: Python<'_>) -> Vec<String> {
        self.observations.borrow(py).inner.keys_of_names()
    }

    /// The cells of one side whose other side was measured in other circumstances: benchmark, group, and the variant
    /// that was measured there.
    fn elsewhere(&self) -> Vec<(&str, u32, u32)> {
        let names = self.names();
        let one =
            |(job, held): &(statera_weighing::Job, u32)| (names.benchmark(job.benchmark), job.group, *held);
        self.inner.elsewhere.iter().map(one).collect()
    }

    /// Whether a row is undecided and its interval includes no change, so that not even the direction is known.
    fn is_open(&self, index: u32) -> PyResult<bool> {
        Ok(self.row(index)?.is_open())
    }

    /// The size of a row's rise, on a scale on which doubling and halving are equally large; negative if it fell.
    fn rise(&self, index: u32) -> PyResult<f64> {
        Ok(self.row(index)?.rise())
    }

    /// The size of a row's change in the bad direction; negative in the good direction, 0 if the direction is unknown.
    fn harm(&self, index: u32) -> PyResult<f64> {
        Ok(self.inner.harm(self.row(index)?))
    }

    /// Number of rows widened because neighbours depend on each other, with the units and effective units per side of the
    /// row in the middle of them.
    fn dependent(&self) -> Option<(usize, f64, f64)> {
        self.inner.dependent()
    }

    /// The shares of alpha below 1 that tested rows may spend, in ascending order, each with its number of rows.
    fn shares(&self) -> Vec<(f64, usize)> {
        self.inner.shares()
    }

    /// For each warning, the number of rows that have it, or of some rows.
    #[pyo3(signature = (rows=None))]
    fn warning_counts(&self, rows: Option<Vec<u32>>) -> PyResult<Vec<(&'static str, usize)>> {
        let counts = match rows {
            None => self.inner.warning_counts(),
            Some(rows) => statera_weighing::Weighing::warnings_of(&self.some(&rows)?),
        };
        Ok(counts.map(|(warning, count)| (warning.code(), count)).to_vec())
    }

    /// Designs, methods and scales that occur, with their numbers of rows.
    fn kinds(&self) -> Vec<(&'static str, Option<&'static str>, &'static str, usize)> {
        let kinds = self.inner.kinds().into_iter();
        kinds
            .map(|kind| {
                let method = kind.method.map(statera_kernels::Method::code);
                (kind.design.code(), method, kind.scale.code(), kind.rows)
            })
            .collect()
    }

    /// A row as a dictionary.
    fn row_dict<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &ROW_FIELDS, self.row(index)?, &self.names())
    }

    /// Returns a cell of a row as tables write it; None if the row has no such value.
    fn cell(&self, index: u32, column: &str) -> PyResult<Option<String>> {
        codes::known(CELLS.contains(&column).then_some(()), "cell", column)?;
        Ok(statera_tables::cell(self.row(index)?, column, &self.subject()))
    }

    /// Returns cells of a row as tables write them; None for an empty one.
    fn cells(&self, index: u32, columns: Vec<String>) -> PyResult<Vec<Option<String>>> {
        let (row, subject) = (self.row(index)?, self.subject());
        let cell = |column: &String| {
            codes::known(CELLS.contains(&&**column).then_some(()), "cell", column)?;
            Ok(statera_tables::cell(row, column, &subject))
        };
        columns.iter().map(cell).collect()
    }

    /// Of each row its benchmark's number, its verdict, whether its values are exact, and whether it rises.
    fn brief(&self, rows: Vec<u32>) -> PyResult<Vec<(u32, &'static str, bool, bool)>> {
        let one =
            |row: &&Row| (row.benchmark, row.verdict.code(), row.design == Design::Exact, row.rise() > 0.0);
        Ok(self.some(&rows)?.iter().map(one).collect())
    }

    /// The heading of a column, as tables write it.
    fn heading(&self, column: &str) -> String {
        statera_tables::heading(column, &self.subject())
    }

    /// The summaries as dictionaries.
    fn summaries<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.inner.summaries.iter().map(|summary| summary_dictionary(py, summary)).collect()
    }

    /// Rows as comma-separated values.
    #[pyo3(signature = (shown, *, raw = false))]
    fn csv(&self, py: Python<'_>, shown: Vec<u32>, raw: bool) -> PyResult<String> {
        let (rows, names) = (self.some(&shown)?, self.names());
        Ok(py.detach(|| statera_tables::comma_separated(&ROW_FIELDS, &rows, &names, raw)))
    }

    /// Rows as a JSON array.
    fn json(&self, py: Python<'_>, shown: Vec<u32>) -> PyResult<String> {
        let (rows, names) = (self.some(&shown)?, self.names());
        Ok(py.detach(|| statera_tables::json_rows(&ROW_FIELDS, &rows, &names)))
    }

    /// The Arrow `PyCapsule` stream of the rows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore a requested schema.
        let _ = requested_schema;
        let names = self.names();
        let batch = py
            .detach(|| statera_tables::columns(&ROW_FIELDS, &self.inner.rows, &names))
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        arrow::stream(py, batch.schema(), vec![batch])
    }
}

fn of_sizes(sizes: Sizes) -> (f64, f64, u32) {
    (sizes.least, sizes.most, sizes.subjects)
}

// The summaries of a comparison.

/// Returns a summary as a dictionary.
fn summary_dictionary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("group", summary.group)?;
    dict.set_item("metric", summary.metric)?;
    dict.set_item("baseline", summary.baseline)?;
    dict.set_item("contender", summary.contender)?;
    dict.set_item("first", summary.first)?;
    if let Some(mean) = &summary.mean {
        dict.set_item("ratio", mean.ratio)?;
        let end = |end: f64| end.is_finite().then_some(end);
        dict.set_item("low", end(mean.low))?;
        dict.set_item("high", end(mean.high))?;
        dict.set_item("rows", mean.rows)?;
        dict.set_item("method", mean.known.code())?;
        dict.set_item("certain", mean.certain)?;
    }
    dict.set_item("verdicts", summary.verdicts)?;
    dict.set_item("without_ratio", summary.without_ratio)?;
    dict.set_item("quantiles", summary.quantiles)?;
    dict.set_item("mean_change", summary.mean_change)?;
    dict.set_item("moves_as_one", summary.moves_as_one)?;
    if let Some(spread) = &summary.spread {
        dict.set_item("spread", (spread.ratio, spread.p, spread.rows))?;
    }
    if let Some(order) = &summary.order {
        dict.set_item("order", (order.rho, order.p, order.width, order.rows))?;
    }
    dict.set_item("detectable", summary.detectable)?;
    Ok(dict)
}
