//! Formats of plug-ins: described and read outside of this crate, and treated like those of this crate otherwise.

use std::io;
use std::path::Path;

use crate::context::Context;
use crate::formats::format::{Format, Key, Meaning, Pooling, Processes, Reader, Role, Values};
use crate::formats::head::{Fit, Head, No};
use crate::formats::units::{self, meaning as unit_meaning};
use crate::formats::{FORMATS, parameters};
use crate::limits;
use crate::metric::{Better, Metric};
use crate::problem::Code;
use crate::sheet::{Aggregate, Measurement, Sheet};
use crate::source::Content;
use crate::text::{excerpt, listed, shortened};

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

impl Reader for PlugIn {
    fn fit(&self, head: &Head<'_>) -> Fit {
        match self.calls.refuses(head.bytes()) {
            Ok(None) => Ok(()),
            Ok(Some(why)) => Err(No::Said(shortened(why))),
            Err(why) => Err(No::Failed(self.failed(&why))),
        }
    }

    fn sheets(&self, format: &Format, name: &str, path: &Path, content: &Content) -> io::Result<Vec<Sheet>> {
        let mut sheet = Sheet::new(name);
        let bytes = content.all()?;
        let read = self.calls.read(name, path, &bytes, &mut |item| {
            match item {
                Item::Value(row) => push(&mut sheet, format, self, &row).map_err(io::Error::other)?,
                Item::Problem(line, what) => sheet.malformed(line, what, ""),
                Item::NoValue(count) => sheet.dropped(count),
            }
            if sheet.len().is_multiple_of(BATCH) { sheet.count(&content.budget) } else { Ok(()) }
        });
        match read {
            Err(error) if limits::exceeded(&error).is_none() => Err(io::Error::other(self.failed(&error))),
            read => read.map(|()| vec![sheet]),
        }
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
    let units::Meaning { base, quantity, scale } = unit_meaning(unit);
    let metric = sheet.metric(&row.metric, || described(Metric::new(&row.metric, &base, quantity), declared));
    if sheet.metrics[metric as usize].unit != base {
        let what = format!("{} is in `{}` here and was in another unit before", row.metric, excerpt(unit));
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

// The description of a format by a plug-in, in words, and what is wrong with it.

/// What a plug-in says of its format.
#[derive(Debug, Default)]
pub struct Description {
    /// The name that `--format` takes.
    pub name: String,
    /// What the plug-in looks for, in words.
    pub sign: String,
    /// The program that writes such files.
    pub harness: String,
    /// The command or option that makes it write them.
    pub export: String,
    /// The names that such files have.
    pub files: Vec<String>,
    /// The word for what a value is ([`Values::word`]).
    pub values: String,
    /// What a file is that has no samples, for `refused`.
    pub refused: String,
    /// The word for what is known about processes ([`Processes::word`]).
    pub processes: String,
    /// The word for blocks, if there are any.
    pub block: Option<String>,
    /// The key that names the variants of a file.
    pub variants: Option<String>,
    /// Whether a file can state the better direction of a metric.
    pub states_direction: bool,
    /// The configuration keys.
    pub keys: Vec<DescribedKey>,
    /// The names of metrics and their meanings.
    pub metrics: Vec<(String, String)>,
}

/// A configuration key, in words.
#[derive(Debug)]
pub struct DescribedKey {
    /// Its name.
    pub name: String,
    /// The word for what it describes ([`Role::word`]).
    pub role: String,
    /// The word for whether its values are pooled ([`Pooling::word`]).
    pub pooling: String,
    /// Its meaning.
    pub meaning: String,
    /// Whether the head of a table leaves it out.
    pub detail: bool,
}

const PROCESSES: [Processes; 4] =
    [Processes::Unknown, Processes::OneAValue, Processes::OneAFile, Processes::Stated];
const POOLING: [Pooling; 3] = [Pooling::Always, Pooling::Unshared, Pooling::Never];
const ROLES: [Role; 6] =
    [Role::Setting, Role::Environment, Role::Commit, Role::Date, Role::Run, Role::Outcome];

impl Description {
    /// Makes the format. It stays in memory for the life of the program, like the formats of this crate: describe each
    /// format once.
    ///
    /// # Errors
    /// What is wrong with the description.
    pub fn format(self, plug_in: PlugIn) -> Result<&'static Format, String> {
        self.check()?;
        let values = self.values()?;
        let processes = chosen("processes", &self.processes, PROCESSES, Processes::word)?;
        let keys = self.keys.into_iter().map(DescribedKey::key).collect::<Result<Vec<_>, _>>()?;
        let meanings = self.metrics.into_iter().map(|(name, means)| Meaning::of(kept(name), kept(means)));
        let files: Vec<&'static str> = self.files.into_iter().map(kept).collect();
        Ok(Box::leak(Box::new(Format {
            name: kept(self.name),
            sign: kept(self.sign),
            harness: kept(self.harness),
            export: kept(self.export),
            files: files.leak(),
            values,
            processes,
            block: self.block.map(kept),
            variants: self.variants.map(kept),
            states_direction: self.states_direction,
            keys: vec![&*keys.leak()].leak(),
            metrics: meanings.collect::<Vec<_>>().leak(),
            plug_in: Some(Box::leak(Box::new(plug_in))),
            ..Format::PLAIN
        })))
    }

    fn check(&self) -> Result<(), String> {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_of_word) {
            return Err(format!("name is `{}`; a name has letters, digits, `.`, `-` and `_`", self.name));
        }
        if FORMATS.iter().any(|format| format.name == self.name) {
            return Err(format!("`{}` is the name of a format of statera. Take another", self.name));
        }
        match [("sign", &self.sign), ("harness", &self.harness)].iter().find(|(_, text)| text.is_empty()) {
            Some((field, _)) => Err(format!("{field} is empty")),
            None => Ok(()),
        }
    }

    fn values(&self) -> Result<Values, String> {
        if self.values == "refused" {
            return Ok(Values::Refused {
                why: kept(self.refused.clone()),
                export: kept(self.export.clone()),
            });
        }
        let values = [Values::Samples, Values::Averages, Values::Aggregates];
        chosen("values", &self.values, values, Values::word)
    }
}

impl DescribedKey {
    /// The key. What it describes is the same in all formats.
    fn key(self) -> Result<Key, String> {
        let field = format!("key {}: role", self.name);
        let role = chosen(&field, &self.role, ROLES, Role::word)?;
        let field = format!("key {}: pooling", self.name);
        let pooling = chosen(&field, &self.pooling, POOLING, Pooling::word)?;
        let known = FORMATS.iter().flat_map(|format| format.keys()).find(|key| key.name == self.name);
        if let Some(known) = known.filter(|known| (known.role, known.pooling) != (role, pooling)) {
            return Err(format!(
                "key {}: other formats have it with role `{}` and pooling `{}`. Use these, or another name",
                self.name,
                known.role.word(),
                known.pooling.word()
            ));
        }
        Ok(Key { name: kept(self.name), role, pooling, meaning: kept(self.meaning), detail: self.detail })
    }
}

/// The choice that a word names.
fn chosen<T: Copy, const N: usize>(
    field: &str,
    word: &str,
    choices: [T; N],
    word_of: fn(T) -> &'static str,
) -> Result<T, String> {
    let words: Vec<&str> = choices.iter().map(|choice| word_of(*choice)).collect();
    choices
        .into_iter()
        .find(|choice| word_of(*choice) == word)
        .ok_or_else(|| format!("{field} is `{word}`; it is one of {}", listed(&words)))
}

fn kept(text: String) -> &'static str {
    text.leak()
}
