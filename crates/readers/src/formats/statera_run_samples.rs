//! From the invocations of a run to values with their configuration.

use std::collections::HashSet;

use super::format::Format;
use super::json::{Object, Value, push_value};
use super::statera_run_looks::Looks;
use super::statera_run_manifest::{FACTS, Manifest, number, whole};
use crate::context::{Context, Contexts};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Measurement, NONE};
use crate::text::excerpt;
use crate::{Code, Sheet};

/// The counts that every invocation records: metric, unit and field.
const COUNTS: [(&str, &str, Quantity, &str); 7] = [
    ("user", "s", Quantity::Time, "user"),
    ("system", "s", Quantity::Time, "system"),
    ("memory", "B", Quantity::Bytes, "memory"),
    ("minor-faults", "1", Quantity::Count, "minor_faults"),
    ("major-faults", "1", Quantity::Count, "major_faults"),
    ("voluntary-switches", "1", Quantity::Count, "voluntary_switches"),
    ("involuntary-switches", "1", Quantity::Count, "involuntary_switches"),
];

/// An invocation that gave a sample, or the exact counts of one.
pub(super) struct Invocation<'a> {
    pub(super) line: u32,
    pub(super) round: Option<i64>,
    order: Option<i64>,
    pub(super) benchmark: String,
    pub(super) variant: String,
    pub(super) output: Option<String>,
    /// The format of the output; `None` if the command itself is timed.
    pub(super) format: Option<&'static Format>,
    fields: Box<Object<'a>>,
}

impl<'a> Invocation<'a> {
    /// The invocation of a record; `None` if the record is damaged.
    pub(super) fn of(fields: Box<Object<'a>>, line: u32) -> Option<Self> {
        let (round, order) = (whole(fields.get("round")?)?, whole(fields.get("order")?)?);
        let invocation = Self::of_count(fields, line)?;
        Some(Self { round: Some(round), order: Some(order), ..invocation })
    }

    /// The same for exact counts, which belong to no round.
    pub(super) fn of_count(fields: Box<Object<'a>>, line: u32) -> Option<Self> {
        let text = |key| fields.get(key).and_then(Value::text).map(str::to_owned);
        let (benchmark, variant, output) = (text("benchmark")?, text("variant")?, text("output"));
        Some(Self { line, round: None, order: None, benchmark, variant, output, format: None, fields })
    }

    /// The name of the invocation in messages.
    fn named(&self) -> String {
        let (benchmark, variant) = (excerpt(self.benchmark.as_bytes()), excerpt(self.variant.as_bytes()));
        format!("`{benchmark}` of `{variant}` in round {}", self.round.unwrap_or_default())
    }
}

/// Collects values.
pub(super) struct Samples<'a> {
    manifest: &'a Manifest,
    looks: &'a Looks,
    /// The values of timed commands, and all problems of the journal.
    timed: Sheet,
    printed: Vec<Sheet>,
    /// The number of the next process.
    process: u32,
    not_counted: HashSet<(String, String)>,
}

impl<'a> Samples<'a> {
    pub(super) fn new(manifest: &'a Manifest, looks: &'a Looks, mut sheet: Sheet) -> Self {
        // The variants stand in the order of the plan, whichever was measured first.
        for variant in &manifest.variants {
            let mut context = vec![("variant".to_owned(), variant.name.clone())];
            extend(&mut context, &variant.factors);
            sheet.set_context(&context);
        }
        Self { manifest, looks, timed: sheet, printed: Vec::new(), process: 0, not_counted: HashSet::new() }
    }

    /// The sheets, the timed commands first.
    pub(super) fn sheets(mut self) -> Vec<Sheet> {
        self.printed.insert(0, self.timed);
        self.printed
    }

    /// Adds the values of a command that was timed.
    pub(super) fn timed(&mut self, invocation: &Invocation<'_>) {
        let context = self.context(invocation);
        self.timed.set_context(&context);
        self.push(invocation, "time", "s", Quantity::Time, "time");
        let seconds = |key| invocation.fields.get(key).and_then(number);
        if let (Some(user), Some(system)) = (seconds("user"), seconds("system")) {
            let cpu = Value::Float(user + system);
            self.push_value(invocation, || Metric::new("cpu", "s", Quantity::Time), "cpu", &cpu);
        }
        for (metric, unit, quantity, field) in COUNTS {
            self.push(invocation, metric, unit, quantity, field);
        }
        self.counters(invocation, |name| Metric::new(name, "1", Quantity::Count).secondary().never_exact());
        self.process += 1;
    }

    /// Adds exact counts, of which there is one for each benchmark of a variant.
    pub(super) fn counted(&mut self, invocation: &Invocation<'_>) {
        let context = self.context(invocation);
        self.timed.set_context(&context);
        self.counters(invocation, |name| Metric {
            assumed_exact: true,
            ..Metric::new(name, "1", Quantity::Count)
        });
        self.process += 1;
    }

    /// Adds the values that a command printed.
    pub(super) fn printed(&mut self, invocation: &Invocation<'_>, sheets: Vec<Sheet>) {
        if sheets.iter().all(Sheet::is_empty) {
            let output = excerpt(invocation.output.as_deref().unwrap_or_default().as_bytes());
            let format = invocation.format.map_or("", |format| format.name);
            let what = format!("{} left no value of the format {format} in {output}", invocation.named());
            let hint = "look at the file: did the program print its results?";
            self.timed.problem(Code::NoResults, invocation.line, what, hint);
        }
        let own = self.context(invocation);
        let (mut file, mut lines, mut next) = (String::new(), 0, self.process);
        for mut sheet in sheets {
            place(&mut sheet, &own, invocation, &self.block(invocation), self.process, &mut next);
            // A large file comes in pieces, each of which counts its own lines.
            lines = if sheet.source == file { lines } else { 0 };
            lines = shift_lines(&mut sheet, lines);
            file.clone_from(&sheet.source);
            self.printed.push(sheet);
        }
        self.process = next.max(self.process.saturating_add(1));
    }

    /// Records that an output cannot be read.
    pub(super) fn without_output(&mut self, invocation: &Invocation<'_>, why: &str) {
        let what = format!("the output of {} cannot be read: {why}", invocation.named());
        self.timed.problem(Code::UnreadableFile, invocation.line, what, "");
    }

    fn counters(&mut self, invocation: &Invocation<'_>, make: impl Fn(&str) -> Metric) {
        let Some(counters) = invocation.fields.get("counters").and_then(Value::object) else { return };
        for (name, value) in counters.iter() {
            match value.text() {
                None => self.push_value(invocation, || make(name), name, value),
                Some(reason) if self.not_counted.insert((name.to_owned(), reason.to_owned())) => {
                    let what = format!(
                        "{} was not counted: {}",
                        excerpt(name.as_bytes()),
                        excerpt(reason.as_bytes())
                    );
                    self.timed.problem(Code::NotCounted, 0, what, "");
                }
                Some(_) => {}
            }
        }
    }

    fn push(
        &mut self,
        invocation: &Invocation<'_>,
        metric: &str,
        unit: &str,
        quantity: Quantity,
        field: &str,
    ) {
        let make = || {
            let made = Metric::new(metric, unit, quantity).never_exact();
            if metric == "time" { made } else { made.secondary() }
        };
        if let Some(value) = invocation.fields.get(field) {
            self.push_value(invocation, make, metric, value);
        }
    }

    fn push_value(
        &mut self,
        invocation: &Invocation<'_>,
        make: impl FnOnce() -> Metric,
        name: &str,
        value: &Value<'_>,
    ) {
        let block = self.block(invocation);
        let metric = self.timed.metric(name, make);
        let row = Measurement {
            benchmark: &invocation.benchmark,
            metric,
            value: 0.0,
            line: invocation.line,
            block: invocation.round.is_some().then_some(&*block),
            process: Some(self.process),
            ..Measurement::default()
        };
        push_value(&mut self.timed, row, value, 1.0);
    }

    /// The pairing key of a round, which no round of another run has.
    fn block(&self, invocation: &Invocation<'_>) -> String {
        format!("{} of {}", invocation.round.unwrap_or_default(), self.manifest.id)
    }

    fn context(&self, invocation: &Invocation<'_>) -> Context {
        let mut context = vec![("variant".to_owned(), invocation.variant.clone())];
        let variant = self.manifest.variant(&invocation.variant);
        extend(&mut context, variant.map_or(&[], |variant| &variant.factors));
        let mut own = Context::new();
        // The output has names of its own for what it measured.
        own.extend(invocation.format.map(|_| ("program".to_owned(), invocation.benchmark.clone())));
        for (key, value) in [("round", invocation.round), ("order", invocation.order)] {
            own.extend(value.map(|value| (key.to_owned(), value.to_string())));
        }
        let share = self.looks.share(&invocation.benchmark, &self.manifest.shares);
        own.extend(share.map(|share| ("alpha_share".to_owned(), share.to_string())));
        extend(&mut context, &own);
        extend(&mut context, variant.map_or(&[], |variant| &variant.sources));
        extend(&mut context, &self.manifest.facts);
        context
    }
}

/// Adds the keys that a configuration does not have yet.
fn extend(context: &mut Context, more: &[(String, String)]) {
    for (key, value) in more {
        if !context.iter().any(|(known, _)| known == key) {
            context.push((key.clone(), value.clone()));
        }
    }
}

/// Makes the lines of a sheet's problems those of the file, of which `before` come before; returns how many come before
/// the next piece.
fn shift_lines(sheet: &mut Sheet, before: u32) -> u32 {
    for problem in sheet.problems.iter_mut().filter(|problem| problem.line > 0) {
        problem.line = problem.line.saturating_add(before);
    }
    before.saturating_add(std::mem::take(&mut sheet.lines))
}

/// Gives the values of an output the configuration, the round and the process of their invocation.
fn place(
    sheet: &mut Sheet,
    own: &Context,
    invocation: &Invocation<'_>,
    block: &str,
    first_process: u32,
    next: &mut u32,
) {
    let mut contexts = Contexts::default();
    let numbers: Vec<u32> = (0..sheet.contexts.len())
        .map(|number| {
            // What the output states of the machine is nearer to the values than the manifest.
            let stated = sheet.contexts.to_context(number);
            let is_fact = |key: &str| FACTS.iter().any(|fact| fact.name == key);
            let yields = |key: &str| is_fact(key) && stated.iter().any(|(known, _)| known == key);
            let mut merged: Context = own.iter().filter(|(key, _)| !yields(key)).cloned().collect();
            extend(&mut merged, &stated);
            contexts.intern(&merged)
        })
        .collect();
    for context in &mut sheet.context {
        *context = numbers[*context as usize];
    }
    sheet.contexts = contexts;
    sheet.blocks = crate::pool::Pool::default();
    let block = sheet.blocks.intern(block);
    sheet.block = vec![block; sheet.len()];
    sheet.line.fill(invocation.line);
    sheet.process.resize(sheet.len(), NONE);
    for process in &mut sheet.process {
        *process = if *process == NONE { first_process } else { first_process.saturating_add(*process) };
        *next = (*next).max(process.saturating_add(1));
    }
}
