//! The inspection and its rows, for Python.

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyDict};
use statera_tables::field::Names;
use statera_tables::{
    INSPECTED_FIELDS, INSPECTION_COLUMNS, advice, comma_separated, inspection_cells, json_rows, what,
};
use statera_weighing::inspection::{
    Costs, Defect, Inspected, InspectionSort, InspectionSummary, order, sections,
};

use crate::decisions::{Assignment, Policy};
use crate::fields::dictionary;
use crate::interruption::interruptible;
use crate::observations::Observations;
use crate::{arrow, codes};

/// The rows of an inspection.
#[pyclass(frozen, module = "statera._native")]
pub struct Inspection {
    rows: Vec<Inspected>,
    observations: Py<Observations>,
    labels: Vec<String>,
    groups: Vec<String>,
    alpha: f64,
}

/// The summary of a section's rows.
#[derive(IntoPyObject)]
pub struct Summary {
    grades: [u32; 4],
    tested: u32,
    normal: u32,
    log_tested: u32,
    log_normal: u32,
    large: u32,
    detectable: Option<f64>,
    runs_for_margin: Option<f64>,
}

/// Inspects every variant of every benchmark and metric.
#[pyfunction]
#[pyo3(signature = (observations, assignment, policy, labels, groups, cost_run, cost_iteration, timed))]
#[expect(clippy::too_many_arguments, reason = "what Python decided, each by its name")]
pub fn inspect(
    py: Python<'_>,
    observations: Py<Observations>,
    assignment: Assignment,
    policy: Policy,
    labels: Vec<String>,
    groups: Vec<String>,
    cost_run: Option<f64>,
    cost_iteration: Option<f64>,
    timed: Vec<bool>,
) -> PyResult<Inspection> {
    let (assignment, policy) = (assignment.into(), statera_weighing::Policy::from(policy));
    let costs = Costs { run: cost_run, iteration: cost_iteration, timed };
    let (of, alpha) = (observations.clone_ref(py), policy.alpha);
    let rows = interruptible(py, move || {
        statera_weighing::inspection::inspect(&of.get().inner, &assignment, &policy, &costs)
    })?;
    Ok(Inspection { rows, observations, labels, groups, alpha })
}

/// Writes a number of runs as all forecasts do: with two digits, rounded up.
#[pyfunction]
pub fn forecast(runs: f64) -> String {
    statera_tables::forecast(runs)
}

impl Inspection {
    fn names(&self) -> Names<'_> {
        Names { observations: &self.observations.get().inner, labels: &self.labels, groups: &self.groups }
    }

    fn row(&self, index: u32) -> PyResult<&Inspected> {
        self.rows.get(index as usize).ok_or_else(|| PyIndexError::new_err("no such row"))
    }

    fn some(&self, rows: &[u32]) -> PyResult<Vec<&Inspected>> {
        rows.iter().map(|&row| self.row(row)).collect()
    }
}

#[pymethods]
impl Inspection {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// Returns the sections in order: group, metric (times first), and their rows.
    fn sections(&self) -> Vec<(u32, u32, Vec<u32>)> {
        let sections = sections(&self.rows, &self.observations.get().inner).into_iter();
        sections.map(|each| (each.group, each.metric, each.rows)).collect()
    }

    /// Sorts rows by a code of [`InspectionSort`].
    fn order(&self, rows: Vec<u32>, sort: &str) -> PyResult<Vec<u32>> {
        let sort = codes::known(InspectionSort::of(sort), "order", sort)?;
        Ok(order(&self.rows, &self.observations.get().inner, rows, sort))
    }

    /// Returns a row as a dictionary; absent values are None.
    fn row_dict<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &INSPECTED_FIELDS, self.row(index)?, &self.names())
    }

    /// Returns the defects of a row, the worst first: code, description, advice.
    fn defects(&self, index: u32) -> PyResult<Vec<(&'static str, String, String)>> {
        let row = self.row(index)?;
        let metric = &self.observations.get().inner.metrics[row.metric as usize];
        Ok(row.list().map(|defect| (defect.code(), what(defect, row, metric), advice(defect, row))).collect())
    }

    /// Returns for each defect the number of rows that have it.
    fn defect_counts(&self, rows: Vec<u32>) -> PyResult<Vec<(&'static str, usize)>> {
        let rows = self.some(&rows)?;
        let count = |defect: Defect| rows.iter().filter(|row| row.has(defect)).count();
        Ok(Defect::ALL.into_iter().map(|defect| (defect.code(), count(defect))).collect())
    }

    /// Returns for each row its grade and whether it is exact.
    fn grades(&self, rows: Vec<u32>) -> PyResult<Vec<(&'static str, bool)>> {
        let rows = self.some(&rows)?;
        Ok(rows.into_iter().map(|row| (row.grade().code(), row.exact)).collect())
    }

    /// Summarises some rows.
    fn summary(&self, rows: Vec<u32>) -> PyResult<Summary> {
        let found = InspectionSummary::of(&self.some(&rows)?, self.alpha);
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        Ok(Summary {
            grades: found.grades,
            tested: found.tested,
            normal: found.normal,
            log_tested: found.log_tested,
            log_normal: found.log_normal,
            large: found.large,
            detectable: finite(found.detectable),
            runs_for_margin: finite(found.for_margin),
        })
    }

    /// The headings of [`Self::cells`].
    #[staticmethod]
    fn headings() -> Vec<&'static str> {
        INSPECTION_COLUMNS.iter().map(|(heading, _)| *heading).collect()
    }

    /// What each of these columns means.
    #[staticmethod]
    fn meanings() -> Vec<(&'static str, &'static str)> {
        INSPECTION_COLUMNS.to_vec()
    }

    /// Returns the cells of some rows as tables write them; None for an empty cell.
    fn cells(&self, rows: Vec<u32>) -> PyResult<Vec<[Option<String>; 13]>> {
        let names = self.names();
        Ok(self.some(&rows)?.into_iter().map(|row| inspection_cells(row, &names)).collect())
    }

    /// Rows as comma-separated values.
    #[pyo3(signature = (rows, *, raw = false))]
    fn csv(&self, rows: Vec<u32>, raw: bool) -> PyResult<String> {
        Ok(comma_separated(&INSPECTED_FIELDS, &self.some(&rows)?, &self.names(), raw))
    }

    /// Rows as a JSON array.
    fn json(&self, rows: Vec<u32>) -> PyResult<String> {
        Ok(json_rows(&INSPECTED_FIELDS, &self.some(&rows)?, &self.names()))
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
            .detach(|| statera_tables::columns(&INSPECTED_FIELDS, &self.rows, &names))
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        arrow::stream(py, batch.schema(), vec![batch])
    }
}
