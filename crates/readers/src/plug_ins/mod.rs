//! Formats of plug-ins: described and read outside of this crate, and treated like those of this crate otherwise.

mod description;

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::context::Context;
use crate::formats::{self, Fit, Format, Head, No, Processes, Values, parameters, unit_meaning};
use crate::limits;
use crate::metric::{Better, Metric};
use crate::source::Content;
use crate::text::{excerpt, shortened};
use crate::{Aggregate, Code, Measurement, Sheet};
pub use description::{DescribedKey, Description};

/// Finds the formats of plug-ins. Nothing is loaded before the first question.
pub trait Registry: Send + Sync {
    /// The format with this name, if a plug-in has it and can be loaded.
    fn named(&self, name: &str) -> Option<&'static Format>;
    /// All formats of plug-ins, and the plug-ins that cannot be loaded, with the reasons.
    fn all(&self) -> (Vec<&'static Format>, Vec<String>);
}

/// The plug-ins of the program that reads; none by default.
#[derive(Clone, Default)]
pub struct PlugIns(Option<Arc<dyn Registry>>);

impl PlugIns {
    /// Takes the formats of a registry.
    #[must_use]
    pub fn of(registry: Arc<dyn Registry>) -> Self {
        Self(Some(registry))
    }

    /// The format with this name, of this crate or of a plug-in.
    #[must_use]
    pub fn format(&self, name: &str) -> Option<&'static Format> {
        let own = formats::by_name(name).ok();
        own.or_else(|| self.0.as_ref().and_then(|registry| registry.named(name)))
    }

    /// All formats of plug-ins, and why some cannot be loaded.
    #[must_use]
    pub fn all(&self) -> (Vec<&'static Format>, Vec<String>) {
        self.0.as_ref().map(|registry| registry.all()).unwrap_or_default()
    }
}

impl std::fmt::Debug for PlugIns {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_some() { "plug-ins" } else { "no plug-ins" })
    }
}

/// What a plug-in adds to the description of its format.
pub struct PlugIn {
    /// What it is called in messages, with its package.
    pub owner: String,
    /// The metrics that it declares.
    pub metrics: Vec<Declared>,
    /// Its functions.
    pub calls: Box<dyn Calls>,
}

/// A metric that a plug-in declares. Values are in its unit; the reader converts them.
#[derive(Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The unit of its values, as people write it.
    pub unit: String,
    /// The better direction, if the unit does not decide it.
    pub better: Option<Better>,
    /// Whether it is compared by default.
    pub primary: bool,
    /// Whether its values may turn out to be exact.
    pub may_be_exact: bool,
}

/// The two functions of a plug-in.
pub trait Calls: Send + Sync {
    /// Says why the beginning of a file does not have the format; `None` if it has.
    ///
    /// # Errors
    /// What failed in the plug-in.
    fn refuses(&self, head: &[u8]) -> Result<Option<String>, String>;
    /// Hands over what a file holds, item by item.
    ///
    /// # Errors
    /// What failed in the plug-in, or the error of `take`.
    fn read(
        &self,
        name: &str,
        path: &Path,
        content: &[u8],
        take: &mut dyn FnMut(Item) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// What a plug-in finds in a file.
#[derive(Debug)]
pub enum Item {
    /// A value.
    Value(Box<Row>),
    /// Something that cannot be read: its line, and what is wrong.
    Problem(u32, String),
    /// So many numbers that are no results.
    NoValue(usize),
}

/// A value as a plug-in gives it.
#[derive(Debug, Default)]
pub struct Row {
    /// The name of the benchmark.
    pub benchmark: String,
    /// The name of the metric.
    pub metric: String,
    /// The value, in the unit.
    pub value: f64,
    /// The unit; that of the declared metric if absent.
    pub unit: Option<String>,
    /// The line, counted from 1; 0 if unknown.
    pub line: u32,
    /// The pairing key.
    pub block: Option<String>,
    /// The process that measured it.
    pub process: Option<u32>,
    /// Number and deviation of the samples, if the value summarises some.
    pub summary: Option<(Option<f64>, Option<f64>)>,
    /// Configuration keys.
    pub keys: Context,
    /// Parameters of the benchmark: their values are different work.
    pub parameters: Context,
}

/// The number of values after which the limits are checked.
const BATCH: usize = 1 << 14;

/// Reads a file by a plug-in.
///
/// # Errors
/// What failed in the plug-in; if a limit is exceeded.
pub(crate) fn read(
    format: &Format,
    plug_in: &PlugIn,
    name: &str,
    path: &Path,
    content: &Content,
) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let read = plug_in.calls.read(name, path, &bytes, &mut |item| {
        match item {
            Item::Value(row) => push(&mut sheet, format, plug_in, &row).map_err(io::Error::other)?,
            Item::Problem(line, what) => sheet.problem(Code::MalformedRecord, line, what, ""),
            Item::NoValue(count) => sheet.dropped(count),
        }
        if sheet.len().is_multiple_of(BATCH) { sheet.count(&content.budget) } else { Ok(()) }
    });
    match read {
        Err(error) if limits::exceeded(&error).is_none() => Err(io::Error::other(plug_in.failed(&error))),
        read => read.map(|()| vec![sheet]),
    }
}

/// Whether the beginning of a file has the format of a plug-in, and why not.
pub(crate) fn fits(plug_in: &PlugIn, head: &Head<'_>) -> Fit {
    match plug_in.calls.refuses(head.bytes()) {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(No::Said(shortened(why))),
        Err(why) => Err(No::Failed(plug_in.failed(&why))),
    }
}

impl PlugIn {
    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        shortened(format!("{} failed: {why}", self.owner))
    }
}

/// Adds a value.
///
/// # Errors
/// What contradicts the description of the format.
fn push(sheet: &mut Sheet, format: &Format, plug_in: &PlugIn, row: &Row) -> Result<(), String> {
    let process = process(format, row)?;
    if row.block.is_some() && format.block.is_none() {
        return Err(format!("{} has a block, but the description has no word for blocks", row.benchmark));
    }
    let declared = plug_in.metrics.iter().find(|known| known.name == row.metric);
    let Some(unit) = row.unit.as_deref().or(declared.map(|known| known.unit.as_str())) else {
        return Err(format!("the metric {} is not declared and has no unit", row.metric));
    };
    let formats::UnitMeaning { base, quantity, scale } = unit_meaning(unit);
    let metric = sheet.metric(&row.metric, || described(Metric::new(&row.metric, &base, quantity), declared));
    if sheet.metrics[metric as usize].unit != base {
        let what = format!(
            "{} is in `{}` here and was in another unit before",
            row.metric,
            excerpt(unit.as_bytes())
        );
        sheet.problem(Code::Contradiction, row.line, what, "give the metric of another unit another name");
        return Ok(());
    }
    let mut context = row.keys.clone();
    for (name, value) in &row.parameters {
        parameters::add(sheet, &mut context, name, value.clone());
    }
    sheet.set_context(&context);
    let summary = row.summary.or((format.values == Values::Aggregates).then_some((None, None)));
    let aggregate = summary.map(|(count, deviation)| Aggregate {
        count,
        deviation: deviation.map(|deviation| scale.apply(deviation)),
    });
    sheet.push(Measurement {
        benchmark: &row.benchmark,
        metric,
        value: scale.apply(row.value),
        line: row.line,
        block: row.block.as_deref(),
        process,
        aggregate,
    });
    Ok(())
}

/// The process of a value, which only some formats state.
fn process(format: &Format, row: &Row) -> Result<Option<u32>, String> {
    match (format.processes, row.process) {
        (Processes::Stated, stated) => Ok(stated),
        (Processes::OneAFile, None) => Ok(Some(0)),
        (_, None) => Ok(None),
        (processes, Some(_)) => Err(format!(
            "{} has a process, but the description says of processes `{}`, not `stated`",
            row.benchmark,
            processes.word()
        )),
    }
}

/// The metric as the plug-in describes it; what it leaves open follows from the unit.
fn described(metric: Metric, declared: Option<&Declared>) -> Metric {
    let Some(declared) = declared else { return metric };
    Metric {
        better: declared.better.or(metric.better),
        primary: declared.primary,
        may_be_exact: declared.may_be_exact && metric.may_be_exact,
        ..metric
    }
}
