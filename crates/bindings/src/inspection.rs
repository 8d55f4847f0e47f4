//! Inspection, and its rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{Field as ArrowField, Schema};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyDict};
use statera_readers::Quantity;
use statera_tables::inspection::{Field, InspectionSubject, comma_separated, fields, json_rows};
use statera_tables::{INSPECTION_COLUMNS, advice, inspection_cells, numbers, what};
use statera_weighing::inspection::{Costs, Inspected, InspectionSummary, Trouble};

use crate::arrow;
use crate::decisions::{Assignment, Policy};
use crate::interruption::interruptible;
use crate::observations::Observations;

/// The rows of an inspection.
#[pyclass(frozen, module = "statera._native")]
pub struct Inspection {
    rows: Vec<Inspected>,
    observations: Py<Observations>,
    labels: Vec<String>,
    groups: Vec<String>,
    alpha: f64,
}

/// What the rows of a section have in common.
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

/// A value of a metric as it is written in tables, a dash where there is none; `size` chooses the unit's prefix.
#[pyfunction]
pub fn quantity(
    observations: PyRef<'_, Observations>,
    metric: usize,
    value: Option<f64>,
    size: f64,
) -> PyResult<String> {
    let metric =
        observations.inner.metrics.get(metric).ok_or_else(|| PyIndexError::new_err("no such metric"))?;
    let mut text = String::new();
    let prefix = numbers::prefix(metric.quantity, &metric.unit, size);
    numbers::value(&mut text, value.unwrap_or(f64::NAN), metric.quantity, &metric.unit, prefix);
    Ok(text)
}

/// A number of runs as it is forecast everywhere: two digits, rounded up.
#[pyfunction]
pub fn forecast(runs: f64) -> String {
    statera_tables::forecast(runs)
}

/// The codes of troubles.
#[pyfunction]
pub fn trouble_codes() -> Vec<&'static str> {
    Trouble::ALL.iter().map(|trouble| trouble.name()).collect()
}

impl Inspection {
    fn subject(&self) -> InspectionSubject<'_> {
        InspectionSubject {
            observations: &self.observations.get().inner,
            labels: &self.labels,
            groups: &self.groups,
        }
    }

    fn row(&self, index: u32) -> PyResult<&Inspected> {
        self.rows.get(index as usize).ok_or_else(|| PyIndexError::new_err("no such row"))
    }

    fn some(&self, rows: &[u32]) -> PyResult<Vec<&Inspected>> {
        rows.iter().map(|&row| self.row(row)).collect()
    }

    /// Times and rates come before sizes, sizes before counts.
    fn rank(&self, metric: u32) -> u8 {
        match self.observations.get().inner.metrics[metric as usize].quantity {
            Quantity::Time | Quantity::Throughput => 0,
            Quantity::Bytes => 1,
            Quantity::Count => 2,
            Quantity::Other => 3,
        }
    }

    fn columns(&self) -> Vec<(&'static str, ArrayRef)> {
        let subject = self.subject();
        let rows: Vec<Vec<(&'static str, Field)>> =
            self.rows.iter().map(|row| fields(row, &subject)).collect();
        let first = rows.first().map_or(&[][..], Vec::as_slice);
        let column = |at: usize| rows.iter().map(move |row| &row[at].1);
        first.iter().enumerate().map(|(at, (name, field))| (*name, array(field, column(at)))).collect()
    }
}

/// A column of the kind of its first field.
fn array<'a>(first: &Field, column: impl Iterator<Item = &'a Field>) -> ArrayRef {
    let number = |field: &Field| match field {
        Field::Number(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    };
    let count = |field: &Field| match field {
        Field::Count(count) => Some(*count),
        Field::Known(count) => *count,
        _ => None,
    };
    let text = |field: &Field| match field {
        Field::Text(text) => text.clone(),
        Field::Names(names) => names.join(" "),
        _ => String::new(),
    };
    match first {
        Field::Number(_) => Arc::new(column.map(number).collect::<Float64Array>()),
        Field::Count(_) | Field::Known(_) => Arc::new(column.map(count).collect::<UInt32Array>()),
        Field::Flag(_) => {
            Arc::new(column.map(|field| Some(*field == Field::Flag(true))).collect::<BooleanArray>())
        }
        Field::Text(_) | Field::Names(_) => Arc::new(StringArray::from_iter_values(column.map(text))),
    }
}

#[pymethods]
impl Inspection {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The sections in order: group, metric (times first), and their rows.
    fn sections(&self) -> Vec<(u32, u32, Vec<u32>)> {
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        let key = |i: u32| {
            let row = &self.rows[i as usize];
            (row.group, row.metric)
        };
        order.sort_by_key(|&i| (key(i).0, self.rank(key(i).1), key(i).1));
        let chunks = order.chunk_by(|&a, &b| key(a) == key(b));
        chunks.map(|chunk| (key(chunk[0]).0, key(chunk[0]).1, chunk.to_vec())).collect()
    }

    /// Rows put in order: `trouble` (the worst first), `name`, `file`.
    fn order(&self, mut rows: Vec<u32>, sort: &str) -> Vec<u32> {
        let at = |i: u32| &self.rows[i as usize];
        let names = &self.observations.get().inner.benchmarks;
        match sort {
            "trouble" => rows.sort_by(|&a, &b| {
                let shown =
                    |i: u32| Some(at(i).plan.detectable).filter(|change| !change.is_nan()).unwrap_or(0.0);
                let serious =
                    |i: u32| at(i).list().filter(|trouble| trouble.grade() == at(i).grade()).count();
                at(b)
                    .grade()
                    .cmp(&at(a).grade())
                    .then(serious(b).cmp(&serious(a)))
                    .then(shown(b).total_cmp(&shown(a)))
            }),
            "name" => rows.sort_by_key(|&i| names.get(at(i).benchmark)),
            _ => {}
        }
        rows
    }

    /// A row as a dictionary; absent numbers are None.
    fn row_dict<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, field) in fields(self.row(index)?, &self.subject()) {
            match field {
                Field::Text(text) => dict.set_item(name, text)?,
                Field::Number(number) => {
                    dict.set_item(name, Some(number).filter(|number| number.is_finite()))?;
                }
                Field::Count(count) => dict.set_item(name, count)?,
                Field::Known(count) => dict.set_item(name, count)?,
                Field::Flag(flag) => dict.set_item(name, flag)?,
                Field::Names(names) => dict.set_item(name, names)?,
            }
        }
        Ok(dict)
    }

    /// What is wrong with a row: code, what, what to do; the worst first.
    fn troubles(&self, index: u32) -> PyResult<Vec<(&'static str, String, String)>> {
        let row = self.row(index)?;
        let metric = &self.observations.get().inner.metrics[row.metric as usize];
        Ok(row
            .list()
            .map(|trouble| (trouble.name(), what(trouble, row, metric), advice(trouble, row)))
            .collect())
    }

    /// For each trouble, how many of the rows have it.
    fn trouble_counts(&self, rows: Vec<u32>) -> PyResult<Vec<(&'static str, usize)>> {
        let rows = self.some(&rows)?;
        let count = |trouble: Trouble| rows.iter().filter(|row| row.has(trouble)).count();
        Ok(Trouble::ALL.into_iter().map(|trouble| (trouble.name(), count(trouble))).collect())
    }

    /// For each of some rows its grade, and whether it is exact.
    fn grades(&self, rows: Vec<u32>) -> PyResult<Vec<(&'static str, bool)>> {
        let rows = self.some(&rows)?;
        Ok(rows.into_iter().map(|row| (statera_tables::inspection::grade(row.grade()), row.exact)).collect())
    }

    /// What some rows have in common.
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
        INSPECTION_COLUMNS.to_vec()
    }

    /// The cells of some rows as they are written in tables.
    fn cells(&self, rows: Vec<u32>) -> PyResult<Vec<[String; 13]>> {
        let subject = self.subject();
        Ok(self.some(&rows)?.into_iter().map(|row| inspection_cells(row, &subject)).collect())
    }

    /// Rows as comma-separated values.
    #[pyo3(signature = (rows, *, raw = false))]
    fn csv(&self, rows: Vec<u32>, raw: bool) -> PyResult<String> {
        Ok(comma_separated(&self.some(&rows)?, &self.subject(), raw))
    }

    /// Rows as a JSON array.
    fn json(&self, rows: Vec<u32>) -> PyResult<String> {
        Ok(json_rows(&self.some(&rows)?, &self.subject()))
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
        let columns = self.columns();
        let field =
            |(name, array): &(&str, ArrayRef)| ArrowField::new(*name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        arrow::stream(py, schema, vec![batch])
    }
}
