//! The changes of level of histories, for Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use statera_kernels::change_points::{self as kernels, Changes, Spike};

use crate::interruption::interruptible;
use crate::stats::{Named, refused, values};

/// The constants of the detector: the attributes of `statera.settings.detector.Detector`, read by name.
#[derive(FromPyObject)]
pub(crate) struct Detector {
    memory: usize,
    longest: usize,
    first_look: usize,
    look_growth: f64,
    per_log: f64,
    least_length: usize,
    base: f64,
    reach: f64,
    values_a_degree: f64,
    size_errors: f64,
    level: f64,
}

impl From<Detector> for kernels::Detector {
    fn from(given: Detector) -> Self {
        Self {
            memory: given.memory,
            longest: given.longest,
            first_look: given.first_look,
            look_growth: given.look_growth,
            per_log: given.per_log,
            least_length: given.least_length,
            base: given.base,
            reach: given.reach,
            values_a_degree: given.values_a_degree,
            size_errors: given.size_errors,
            level: given.level,
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(change_points, module)?)
}

/// The changes of several series, which stand one after another; `ends` are the numbers of values up to the end of each.
#[pyfunction]
fn change_points(
    py: Python<'_>,
    sample: Named,
    ends: Vec<usize>,
    places: Option<Vec<bool>>,
    detector: Detector,
) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let values = values(py, &sample)?;
    let whole = ends.is_sorted() && ends.last().copied().unwrap_or(0) == values.len();
    if !whole || places.as_ref().is_some_and(|places| places.len() != values.len()) {
        return Err(refused("places and ends of series must fit the values".to_owned()));
    }
    let detector = detector.into();
    let found: Vec<Changes> = interruptible(py, move || {
        let begins = core::iter::once(0).chain(ends.iter().copied());
        let parts: Vec<_> = begins.zip(ends.iter().copied()).map(|(begin, end)| begin..end).collect();
        parts
            .into_par_iter()
            .map(|part| {
                let places = places.as_ref().map(|places| &places[part.clone()]);
                kernels::history(&values[part], places, &detector)
            })
            .collect()
    })?;
    found.iter().map(|changes| dictionary(py, changes)).collect()
}

/// What a series shows, as a dictionary; `positions` are those of its values.
pub(crate) fn dictionary<'py>(py: Python<'py>, changes: &Changes) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let alarms = changes.alarms.iter().map(|alarm| (alarm.place, alarm.raised, alarm.withdrawn));
    dict.set_item("alarms", alarms.collect::<Vec<_>>())?;
    let points = changes.points.iter().map(|point| {
        let of = PyDict::new(py);
        of.set_item("place", point.place)?;
        of.set_item("first", point.first)?;
        of.set_item("last", point.last)?;
        of.set_item("size", point.size)?;
        of.set_item("low", point.low)?;
        of.set_item("high", point.high)?;
        of.set_item("strength", point.strength)?;
        of.set_item("p", point.p)?;
        of.set_item("raised", point.raised)?;
        of.set_item("returns", point.returns)?;
        Ok(of)
    });
    dict.set_item("points", points.collect::<PyResult<Vec<_>>>()?)?;
    let spike = |spike: &Spike| (spike.place, spike.values);
    dict.set_item("spikes", changes.spikes.iter().map(spike).collect::<Vec<_>>())?;
    dict.set_item("suspect", changes.suspect.as_ref().map(spike))?;
    dict.set_item("ratio", changes.ratio)?;
    dict.set_item("noise", changes.noise)?;
    Ok(dict)
}
