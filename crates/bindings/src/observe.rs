//! Observations from columns of Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statera_readers::limits::exceeded;
use statera_readers::{Better, Estimand, Metric, NONE, Quantity};

use crate::decisions::Word;
use crate::failures::Failure;
use crate::observations::{Limits, Observations};
use crate::texts::AnyText;

/// A metric: name, unit, quantity, direction, whether its mean is compared.
type Described = (AnyText, AnyText, Word<Quantity>, Option<Word<Better>>, bool);

/// A configuration: number of its source, keys and values.
type Configured = (u32, Vec<(AnyText, AnyText)>);

/// The tables and columns, by the names of their fields.
#[derive(FromPyObject)]
pub struct Columns {
    sources: Vec<(AnyText, usize)>,
    contexts: Vec<Configured>,
    benchmarks: Vec<AnyText>,
    metrics: Vec<Described>,
    blocks: Vec<AnyText>,
    benchmark: Vec<u32>,
    metric: Vec<u32>,
    context: Vec<u32>,
    value: Vec<f64>,
    weight: Vec<f64>,
    block: Vec<Option<u32>>,
    process: Vec<Option<u32>>,
}

/// Builds observations from columns.
#[pyfunction]
pub fn observe(columns: Columns, limits: Limits) -> PyResult<Observations> {
    let inner = statera_readers::Observations::of_columns(columns.into(), &limits.into());
    let inner = inner.map_err(|error| match exceeded(&error) {
        Some(limit) => Failure::new_err(("too-much", String::new(), limit.to_string())),
        None => PyValueError::new_err(error.to_string()),
    })?;
    Ok(Observations { inner })
}

impl From<Columns> for statera_readers::Columns {
    fn from(columns: Columns) -> Self {
        let texts = |texts: Vec<AnyText>| texts.into_iter().map(|text| text.0).collect();
        let numbers = |column: Vec<Option<u32>>| column.into_iter().map(|at| at.unwrap_or(NONE)).collect();
        let keys =
            |keys: Vec<(AnyText, AnyText)>| keys.into_iter().map(|(key, value)| (key.0, value.0)).collect();
        Self {
            sources: columns.sources.into_iter().map(|(name, argument)| (name.0, argument)).collect(),
            contexts: columns.contexts.into_iter().map(|(source, own)| (source, keys(own))).collect(),
            benchmarks: texts(columns.benchmarks),
            metrics: columns.metrics.into_iter().map(described).collect(),
            blocks: texts(columns.blocks),
            benchmark: columns.benchmark,
            metric: columns.metric,
            context: columns.context,
            value: columns.value,
            weight: columns.weight,
            block: numbers(columns.block),
            process: numbers(columns.process),
        }
    }
}

fn described((name, unit, quantity, better, mean): Described) -> Metric {
    Metric {
        better: better.map(|word| word.0),
        estimand: if mean { Estimand::Mean } else { Estimand::Typical },
        ..Metric::new(&name.0, &unit.0, quantity.0).never_exact()
    }
}
