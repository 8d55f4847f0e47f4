//! Plug-ins: their descriptions, their two functions, and the registry that loads them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use statera_readers::formats::Registry;
use statera_readers::plug_ins::{Calls, Declared, DescribedKey, Description, Item, PlugIn, Row};
use statera_readers::{Better, PlugIns, formats as readers};

use crate::decisions::Word;
use crate::formats::Format;
use crate::interruption::attached;
use crate::texts::AnyText;

/// A key of a description: `statera.plugins.Key`.
#[derive(FromPyObject)]
struct Key {
    name: AnyText,
    role: AnyText,
    meaning: AnyText,
    pooling: AnyText,
    detail: bool,
}

/// A metric of a description: `statera.plugins.Metric`.
#[derive(FromPyObject)]
struct Metric {
    name: AnyText,
    unit: AnyText,
    meaning: AnyText,
    better: Option<Word<Better>>,
    primary: bool,
    may_be_exact: bool,
}

/// A description: `statera.plugins.Format`.
#[derive(FromPyObject)]
pub struct Described {
    name: AnyText,
    sign: AnyText,
    harness: AnyText,
    export: AnyText,
    files: Vec<AnyText>,
    values: AnyText,
    refused: AnyText,
    processes: AnyText,
    block: Option<AnyText>,
    variants: Option<AnyText>,
    states_direction: bool,
    keys: Vec<Key>,
    metrics: Vec<Metric>,
}

/// Makes a format of a description. `owner` names the plug-in in messages. The functions are `fits(head)` and `read(name, path, content)`.
#[pyfunction]
pub fn plug_in(owner: String, described: Described, fits: Py<PyAny>, read: Py<PyAny>) -> PyResult<Format> {
    let declared = |metric: &Metric| Declared {
        name: metric.name.0.clone(),
        unit: metric.unit.0.clone(),
        better: metric.better.map(|word| word.0),
        primary: metric.primary,
        may_be_exact: metric.may_be_exact,
    };
    let metrics = described.metrics.iter().map(declared).collect();
    let format = Description::from(described).format(PlugIn {
        owner,
        metrics,
        calls: Box::new(InPython { fits, read }),
    });
    format.map(crate::formats::described).map_err(PyValueError::new_err)
}

impl From<Described> for Description {
    fn from(given: Described) -> Self {
        let key = |key: Key| DescribedKey {
            name: key.name.0,
            role: key.role.0,
            pooling: key.pooling.0,
            meaning: key.meaning.0,
            detail: key.detail,
        };
        Self {
            name: given.name.0,
            sign: given.sign.0,
            harness: given.harness.0,
            export: given.export.0,
            files: given.files.into_iter().map(|text| text.0).collect(),
            values: given.values.0,
            refused: given.refused.0,
            processes: given.processes.0,
            block: given.block.map(|text| text.0),
            variants: given.variants.map(|text| text.0),
            states_direction: given.states_direction,
            keys: given.keys.into_iter().map(key).collect(),
            metrics: given.metrics.into_iter().map(|each| (each.name.0, each.meaning.0)).collect(),
        }
    }
}

/// The functions of a plug-in, as Python wraps them: no error of the plug-in leaves them without its place.
struct InPython {
    fits: Py<PyAny>,
    read: Py<PyAny>,
}

impl Calls for InPython {
    fn refuses(&self, head: &[u8]) -> Result<Option<String>, String> {
        attached(|py| {
            let said = self.fits.call1(py, (PyBytes::new(py, head),));
            let said = said.and_then(|said| said.extract::<Option<AnyText>>(py));
            said.map(|said| said.map(|why| why.0)).map_err(|error| words(py, &error))
        })
        .unwrap_or_else(|| Err(ENDED.to_owned()))
    }

    fn read(
        &self,
        name: &str,
        path: &Path,
        content: &[u8],
        take: &mut dyn FnMut(Item) -> io::Result<()>,
    ) -> io::Result<()> {
        attached(|py| {
            let failed = |error: PyErr| io::Error::other(words(py, &error));
            let items = self.read.call1(py, (name, path, PyBytes::new(py, content))).map_err(failed)?;
            for item in items.bind(py).try_iter().map_err(failed)? {
                take(item.and_then(|item| handed_over(&item)).map_err(failed)?)?;
            }
            Ok(())
        })
        .unwrap_or_else(|| Err(io::Error::other(ENDED)))
    }
}

/// Nobody reads it: the process is about to end.
const ENDED: &str = "the process ends";

/// The text of an error of a plug-in.
fn words(py: Python<'_>, error: &PyErr) -> String {
    error.value(py).str().map_or_else(|_| "an error without words".to_owned(), |text| text.to_string())
}

/// A value: the fields of `statera.plugins.Observation`, in their order.
type Values = (
    AnyText,
    AnyText,
    f64,
    Option<AnyText>,
    u32,
    Option<AnyText>,
    Option<u32>,
    Option<Summary>,
    Pairs,
    Pairs,
);
type Summary = (Option<f64>, Option<f64>);
type Pairs = Vec<(AnyText, AnyText)>;

/// An item as the wrapper in Python yields it: a word for its kind, and what it holds.
fn handed_over(item: &Bound<'_, PyAny>) -> PyResult<Item> {
    let (kind, held): (String, Bound<'_, PyAny>) = item.extract()?;
    Ok(match kind.as_str() {
        "value" => Item::Value(Box::new(row(held.extract()?))),
        "problem" => {
            let (line, what): (u32, AnyText) = held.extract()?;
            Item::Problem(line, what.0)
        }
        _ => Item::NoValue(held.extract()?),
    })
}

fn row(fields: Values) -> Row {
    let (benchmark, metric, value, unit, line, block, process, summary, keys, parameters) = fields;
    let text = |text: Option<AnyText>| text.map(|text| text.0);
    let pairs = |pairs: Pairs| pairs.into_iter().map(|(name, value)| (name.0, value.0)).collect();
    Row {
        benchmark: benchmark.0,
        metric: metric.0,
        value,
        unit: text(unit),
        line,
        block: text(block),
        process,
        summary,
        keys: pairs(keys),
        parameters: pairs(parameters),
    }
}

/// The registry of Python: an object with `named(name)` and `all()`, which give formats.
struct InRegistry(Py<PyAny>);

impl Registry for InRegistry {
    fn named(&self, name: &str) -> Option<&'static readers::Format> {
        attached(|py| {
            let found = self.0.call_method1(py, "named", (name,)).ok()?;
            let found: Option<PyRef<'_, Format>> = found.extract(py).ok()?;
            found.and_then(|format| format.of_plug_in())
        })
        .flatten()
    }

    fn all(&self) -> (Vec<&'static readers::Format>, Vec<String>) {
        attached(|py| {
            let asked = self.0.call_method0(py, "all").and_then(|found| {
                let (formats, failed): (Vec<PyRef<'_, Format>>, Vec<AnyText>) = found.extract(py)?;
                let formats = formats.iter().filter_map(|format| format.of_plug_in()).collect();
                Ok((formats, failed.into_iter().map(|text| text.0).collect()))
            });
            asked.unwrap_or_else(|error: PyErr| (Vec::new(), vec![words(py, &error)]))
        })
        .unwrap_or_default()
    }
}

/// The plug-ins of a registry of Python.
pub fn registered(registry: Py<PyAny>) -> PlugIns {
    PlugIns::of(Arc::new(InRegistry(registry)))
}

/// Says why the beginning of a file has not all these paths of keys; None if it has.
#[pyfunction]
pub fn lacking(head: &[u8], paths: Vec<String>) -> Option<String> {
    readers::Head::new(head).lacks(&paths)
}
