//! The manifest of a run: the variants with their factors, the formats of outputs, and the facts about the machine.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use super::format::{Format, Key, Role};
use super::json::{Parser, Value, plain, stop_at_limit};
use super::statera_run;
use crate::context::Context;
use crate::limits::Budget;
use crate::source::Content;
use crate::text::lossless;
use crate::{PlugIns, Sheet};

/// The name of the file in the folder of a run.
pub(crate) const NAME: &str = "manifest.json";

/// What begins the value of the first key; the number of the version follows.
const KIND: &str = "run/";
const VERSION: &str = "run/1";

/// Whether a file begins like the manifest of a run, of any version.
pub(crate) fn begins(path: &Path) -> bool {
    const HEAD: u64 = 64;
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    head.retain(|byte| !byte.is_ascii_whitespace());
    read.is_ok() && head.starts_with(br#"{"statera":"run/"#)
}

/// The facts about the machine that are configuration keys.
pub(super) const FACTS: &[Key] = &[
    Key::new("host", Role::Environment, "name of the machine"),
    Key::new("kernel", Role::Environment, "version of the kernel").detail(),
    Key::new("cpu", Role::Environment, "processor"),
    Key::new("microcode", Role::Environment, "version of the processor's microcode").detail(),
    Key::new("cores", Role::Environment, "cores of the machine"),
    Key::new("memory", Role::Environment, "memory of the machine").detail(),
    Key::new("architecture", Role::Environment, "architecture of the machine").detail(),
    Key::new("os", Role::Environment, "operating system").detail(),
    Key::new("virtualisation", Role::Environment, "kind of virtual machine or container").detail(),
    Key::new("libc", Role::Environment, "version of the C library").detail(),
    Key::of_run("boot", Role::Run, "which start of the machine it was").detail(),
];

/// What the manifest says about the sources of a variant.
pub(super) const SOURCES: &[Key] = &[
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::of_run("dirty", Role::Commit, "`true` if the sources differed from the commit"),
];

/// What values need to know of a manifest.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    /// The variants, the baseline first, each with its factors and the facts about its sources.
    pub(super) variants: Vec<Variant>,
    /// The format of what a benchmark of a variant prints; a benchmark without one is timed.
    formats: HashMap<(String, String), String>,
    /// The names of the benchmarks.
    benchmarks: Vec<String>,
    /// The share of alpha of each planned look; empty if nothing is examined before the end.
    pub(super) shares: Vec<f64>,
    /// When the run began, and on which machine.
    pub(super) facts: Context,
    /// Distinguishes the rounds of this run from those of others.
    pub(super) id: String,
}

#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) factors: Context,
    pub(super) sources: Context,
}

impl Manifest {
    /// Reads the manifest in a folder.
    ///
    /// # Errors
    /// If it cannot be read, if it is not one, and if a later version of statera wrote it.
    pub(super) fn read(folder: &Path, budget: &Arc<Budget>) -> io::Result<Self> {
        let path = folder.join(NAME);
        if !path.is_file() {
            return Err(io::Error::other(format!(
                "there is no {NAME} beside it, which names what was measured"
            )));
        }
        Self::parse(&Content::open(&path, budget)?)
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// As in [`Manifest::read`].
    pub(super) fn parse(content: &Content) -> io::Result<Self> {
        let bytes = content.all()?;
        let broken = |what: &str| io::Error::other(format!("{NAME} beside it: {what}"));
        let mut ignored = Sheet::default();
        let document = Parser::new(&bytes, 1, content.budget.limits.values, &mut ignored).only();
        if let Err(fault) = &document {
            stop_at_limit(fault, content)?;
        }
        let document = document.map_err(|fault| broken(&format!("line {}: {}", fault.line, fault.what)))?;
        match document.get("statera").and_then(Value::text) {
            Some(VERSION) => {}
            Some(version) if version.starts_with(KIND) => {
                let what = format!("a later version of statera wrote it ({version}); install that version");
                return Err(broken(&what));
            }
            _ => return Err(broken("it is not the manifest of a run")),
        }
        let plan = document.get("plan").ok_or_else(|| broken("it has no plan"))?;
        let mut manifest = Self {
            variants: list(plan, "variants").iter().filter_map(variant).collect(),
            benchmarks: list(plan, "benchmarks").iter().filter_map(text).collect(),
            shares: plan.get("rounds").map_or_else(Vec::new, shares),
            facts: facts(&document),
            id: document.get("id").and_then(Value::text).unwrap_or_default().chars().take(8).collect(),
            ..Self::default()
        };
        if manifest.variants.is_empty() || manifest.benchmarks.is_empty() {
            return Err(broken("its plan has no variants or no benchmarks"));
        }
        manifest.take_formats(list(plan, "cells"));
        manifest.take_sources(list(&document, "sources"));
        Ok(manifest)
    }

    /// Whether the plan has a benchmark of this name.
    pub(super) fn has_benchmark(&self, name: &str) -> bool {
        self.benchmarks.iter().any(|known| known == name)
    }

    /// The variant with this name.
    pub(super) fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The format of what a benchmark prints; `None` if the command itself is timed.
    ///
    /// # Errors
    /// The name of a format that cannot be read.
    pub(super) fn format(
        &self,
        benchmark: &str,
        variant: &str,
        plug_ins: &PlugIns,
    ) -> Result<Option<&'static Format>, &str> {
        let Some(name) = self.formats.get(&(benchmark.to_owned(), variant.to_owned())) else {
            return Ok(None);
        };
        match plug_ins.format(name) {
            // A run within a run would be read without end.
            Some(format) if format.has_results() && format.name != statera_run::FORMAT.name => {
                Ok(Some(format))
            }
            _ => Err(name),
        }
    }

    fn take_formats(&mut self, cells: &[Value<'_>]) {
        for cell in cells {
            let number = |key| cell.get(key).and_then(whole).and_then(|number| usize::try_from(number).ok());
            let benchmark = number("benchmark").and_then(|number| self.benchmarks.get(number));
            let variant = number("variant").and_then(|number| self.variants.get(number));
            if let (Some(benchmark), Some(variant), Some(format)) =
                (benchmark, variant, cell.get("format").and_then(Value::text))
            {
                self.formats.insert((benchmark.clone(), variant.name.clone()), format.to_owned());
            }
        }
    }

    fn take_sources(&mut self, sources: &[Value<'_>]) {
        for source in sources {
            let named = source.get("variant").and_then(Value::text);
            for variant in self.variants.iter_mut().filter(|variant| Some(&*variant.name) == named) {
                let commit =
                    source.get("revision").and_then(scalar).map(|commit| ("commit".to_owned(), commit));
                let dirty = source.get("dirty") == Some(&Value::Bool(true));
                let dirty = dirty.then(|| ("dirty".to_owned(), "true".to_owned()));
                variant.sources = commit.into_iter().chain(dirty).collect();
            }
        }
    }
}

fn variant(value: &Value) -> Option<Variant> {
    let pair = |level: &Value| match level.list()? {
        [factor, level] => Some((text(factor)?, text(level)?)),
        _ => None,
    };
    let factors = list(value, "levels").iter().filter_map(pair).collect();
    Some(Variant { name: text(value.get("name")?)?, factors, sources: Context::new() })
}

/// A text of the plan; one that is not Unicode stands as `{"bytes": hexadecimal digits}`.
fn text(value: &Value) -> Option<String> {
    let Some(digits) = value.get("bytes") else { return value.text().map(str::to_owned) };
    let digits = digits.text()?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    Some(lossless(&bytes?).into_owned())
}

fn shares(rounds: &Value) -> Vec<f64> {
    list(rounds, "shares").iter().filter_map(number).collect()
}

fn facts(document: &Value) -> Context {
    let created = document.get("created").and_then(scalar).map(|date| ("date".to_owned(), date));
    let fact = |key: &Key| Some((key.name.to_owned(), scalar(document.get("host")?.get(key.name)?)?));
    created.into_iter().chain(FACTS.iter().filter_map(fact)).collect()
}

/// A text, a number or a truth value as text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::List(_) | Value::Object(_) => None,
        other => Some(plain(other)),
    }
}

/// The elements of a list in an object; none if it has no such list.
pub(super) fn list<'a, 'b>(value: &'a Value<'b>, key: &str) -> &'a [Value<'b>] {
    value.get(key).and_then(Value::list).unwrap_or(&[])
}

/// A whole number.
pub(super) fn whole(value: &Value) -> Option<i64> {
    if let Value::Whole(whole) = value { Some(*whole) } else { None }
}

/// A number.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Float(float) => Some(*float),
        _ => None,
    }
}
