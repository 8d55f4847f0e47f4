//! Procedures of statera.stats for one group, for a grid of equal groups, and for the groups of a table.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_stats::{
    Block, Columns, Kind, Options, Procedure, Roles, Sample, Takes, group, procedure, run, run_samples,
};

use crate::stats_input::{Named, finite, options, refused, table, values};
use crate::stats_table::Table;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(procedure_names, module)?)?;
    module.add_function(wrap_pyfunction!(procedure_warnings, module)?)?;
    module.add_function(wrap_pyfunction!(one, module)?)?;
    module.add_function(wrap_pyfunction!(grid, module)?)?;
    module.add_function(wrap_pyfunction!(batch, module)?)
}

fn made(name: &str, options: &Options) -> PyResult<Box<dyn Procedure>> {
    procedure(name, options).map_err(refused)
}

/// The names of the procedures that run in batches.
#[pyfunction]
fn procedure_names() -> Vec<&'static str> {
    statera_stats::NAMES.to_vec()
}

/// The words of warnings on results.
#[pyfunction]
fn procedure_warnings() -> Vec<&'static str> {
    statera_stats::Warning::ALL.iter().map(|warning| warning.code()).collect()
}

/// Returns the result of one group: its fields by name; absent values are None.
#[pyfunction]
fn one<'py>(
    py: Python<'py>,
    name: &str,
    samples: Vec<Named>,
    settings: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let procedure = made(name, &options(settings)?)?;
    let held = samples.iter().map(|sample| values(py, sample)).collect::<PyResult<Vec<_>>>()?;
    suits(&*procedure, &samples, &held.iter().map(Vec::len).collect::<Vec<_>>())?;
    let offsets: Vec<[usize; 2]> = held.iter().map(|values| [0, values.len()]).collect();
    let samples: Vec<Sample<'_>> =
        held.iter().zip(&offsets).map(|(values, offsets)| Sample { values, offsets }).collect();
    let columns = py.detach(|| run_samples(&*procedure, &samples, 1));
    row(py, &columns)
}

/// Checks the number of samples, and that samples that must match do so.
fn suits(procedure: &dyn Procedure, samples: &[Named], sizes: &[usize]) -> PyResult<()> {
    let takes = procedure.takes();
    if !takes.fits(samples.len()) {
        return Err(refused(format!("the procedure takes {}, not {}", takes.words(), samples.len())));
    }
    match sizes.iter().position(|&size| takes.matched() && size != sizes[0]) {
        None => Ok(()),
        Some(at) => Err(refused(format!(
            "{} has {} values and {} has {}; pairs and blocks need as many of each",
            samples[0].0, sizes[0], samples[at].0, sizes[at]
        ))),
    }
}

fn row<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in &columns.columns {
        let name = column.field.name.as_ref();
        let number = column.numbers.first().copied().filter(|number| !number.is_nan());
        match column.field.kind {
            Kind::Number => dict.set_item(name, number)?,
            Kind::Count => dict.set_item(name, number.map(|n| n as i64))?,
            Kind::Flag => dict.set_item(name, number.map(|n| n != 0.0))?,
            Kind::Word(_) => dict.set_item(name, column.word(0))?,
            Kind::Warnings => dict.set_item(name, column.codes(0))?,
        }
    }
    Ok(dict)
}

/// Returns the results of equal groups; samples have two dimensions, with one group per row.
#[pyfunction]
fn grid(py: Python<'_>, name: &str, samples: Vec<Named>, settings: &Bound<'_, PyDict>) -> PyResult<Table> {
    let procedure = made(name, &options(settings)?)?;
    let shapes = samples.iter().map(shape).collect::<PyResult<Vec<_>>>()?;
    let widths: Vec<usize> = shapes.iter().map(|shape| shape.1).collect();
    suits(&*procedure, &samples, &widths)?;
    let groups = shapes.first().map_or(0, |shape| shape.0);
    for ((name, _), shape) in samples.iter().zip(&shapes) {
        if shape.0 != groups {
            let (first, other) = (&samples[0].0, shape.0);
            return Err(refused(format!("{first} has {groups} groups and {name} has {other}")));
        }
    }
    let results = run(&*procedure, samples.len(), groups, |start, end, work| {
        let parts = samples.iter().zip(&widths);
        let parts = parts
            .map(|(sample, &width)| part(py, sample, start * width, end * width))
            .collect::<PyResult<Vec<_>>>()?;
        let offsets: Vec<Vec<usize>> =
            widths.iter().map(|width| (0..=end - start).map(|group| group * width).collect()).collect();
        let samples: Vec<Sample<'_>> =
            parts.iter().zip(&offsets).map(|(values, offsets)| Sample { values, offsets }).collect();
        py.detach(|| work(&Block { samples: &samples, groups: end - start }));
        Ok::<(), PyErr>(())
    })?;
    Ok(Table { keys: vec![], results })
}

/// Returns the number of groups and of values per group.
fn shape((name, buffer): &Named) -> PyResult<(usize, usize)> {
    match buffer.shape() {
        [groups, width] => Ok((*groups, *width)),
        other => Err(refused(format!(
            "{name} has {} dimensions; give two (groups and values) in every sample",
            other.len()
        ))),
    }
}

/// Copies the values of some groups, because Python may change its own meanwhile.
fn part(py: Python<'_>, (name, buffer): &Named, start: usize, end: usize) -> PyResult<Vec<f64>> {
    let values = match buffer.as_slice(py) {
        Some(cells) => cells[start..end].iter().map(pyo3::buffer::ReadOnlyCell::get).collect(),
        None => buffer.to_vec(py)?[start..end].to_vec(),
    };
    finite(name, &values, start)?;
    Ok(values)
}

/// Returns the results of the groups of a table: the columns of their keys, then those of the results.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a column or a choice that the caller names")]
fn batch(
    py: Python<'_>,
    name: &str,
    given: &Bound<'_, PyAny>,
    value: &str,
    keys: Vec<String>,
    sample: Option<&str>,
    samples: Vec<String>,
    settings: &Bound<'_, PyDict>,
) -> PyResult<Table> {
    let procedure = made(name, &options(settings)?)?;
    let input = table(given)?;
    let own = procedure.takes() == Takes::Runs;
    let roles = Roles { value, keys: &keys, sample, samples: &samples, own };
    let (columns, results) = py
        .detach(|| {
            let grouped = group(&input.schema, input.batches, roles)?;
            grouped.suits(procedure.takes())?;
            let results = run_samples(&*procedure, &grouped.samples(), grouped.groups);
            Ok((grouped.keys, results))
        })
        .map_err(|why: String| refused(why))?;
    let taken = keys.iter().find(|key| results.column(key).is_some());
    if let Some(key) = taken {
        return Err(refused(format!("a result is named {key:?}, as a key is; rename the key's column")));
    }
    Ok(Table { keys: keys.into_iter().zip(columns).collect(), results })
}
